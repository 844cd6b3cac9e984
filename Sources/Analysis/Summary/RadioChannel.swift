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
    guard (radio.flags & RadioInfo.Flag.signalValid != 0) else { return }
    let signal = Int(radio.signal)
    weakest = signals == 0 ? signal : min(weakest, signal)
    strongest = signals == 0 ? signal : max(strongest, signal)
    signals += 1
    signalSum += signal
  }
}
