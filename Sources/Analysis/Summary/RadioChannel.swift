import Captures

/// Statistics of the packets that a sniffer received on one channel.
public struct RadioChannel: Sendable, Equatable {
  /// Link Layer channel index: 0 to 36 data, 37 to 39 advertising.
  public var channel: Int
  /// Packets, and those whose CRC was wrong.
  public var packets = 0, badCRCs = 0
  /// Packets with an RSSI, the sum of these in dBm, the weakest and the strongest.
  public var signals = 0, signalSum = 0, weakest = 0, strongest = 0

  init(_ channel: Int) { self.channel = channel }

  /// Counts a packet.
  mutating func count(_ radio: RadioInfo) {
    packets += 1
    if (radio.flags & RadioInfo.Flag.crcChecked != 0), radio.flags & RadioInfo.Flag.crcOK == 0 { badCRCs += 1 }
    guard let signal = radio.strength.map({ Int($0) }) else { return }
    weakest = signals == 0 ? signal : min(weakest, signal)
    strongest = signals == 0 ? signal : max(strongest, signal)
    signals += 1
    signalSum += signal
  }
}

extension RadioInfo {
  /// The RSSI in dBm; nil where it was not measured. It is between -127 and 20 dBm (Core, Vol 4, Part E, 7.5.4): some sniffers write the magnitude
  /// without its sign, and 0 where they measured nothing.
  package var strength: Int8? {
    guard flags & Flag.signalValid != 0, signal != 0 else { return nil }
    return signal > 20 ? -signal : signal
  }
}
