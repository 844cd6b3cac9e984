import Bluetooth
import PacketCodecs

/// An encrypted broadcast isochronous group (BIG), as the BIGInfo of its periodic advertisement describes it (Core, Vol 6, Part B, 4.4.6.11).
struct BroadcastGroup: Equatable {
  /// The seed of the access addresses of its streams (SeedAccessAddress).
  var seed: UInt32
  var streams: Int
  /// Packets of each stream in an event.
  var burst: UInt64
  /// Time between events, µs.
  var interval: Int64
  /// GIV, with the first byte on the air as the most significant.
  var initialisationVector: UInt64
  /// GSKD.
  var diversifier: Block128
  /// Number of the first packet of the event that the BIGInfo announces.
  var counter: UInt64

  /// Reads the BIGInfo of an extended advertising PDU, from its header on; nil where it has none, or the group is not encrypted.
  init?(advertisement pdu: RawSpan) {
    guard pdu.byteCount >= 4, pdu.byte(0) & 15 == 7, case let end = 3 + Int(pdu.byte(2) & 0x3F), end <= pdu.byteCount, end > 4 else {
      return nil
    }
    // Fields announced by the flags, then additional controller advertising data (2.3.4).
    let flags = pdu.byte(3)
    var at = 4
    for (bit, size) in [(0, 6), (1, 6), (2, 1), (3, 2), (4, 3), (5, 18), (6, 1)] where flags >> UInt8(bit) & 1 != 0 { at += size }
    while at + 2 <= end {
      let size = Int(pdu.byte(at))
      guard size > 0, at + 1 + size <= end else { return nil }
      if pdu.byte(at + 1) == Self.advertisingType {
        self.init(pdu.extracting((at + 2)..<(at + 1 + size)))
        return
      }
      at += 1 + size
    }
    return nil
  }

  /// The advertising data type of BIGInfo.
  private static let advertisingType: UInt8 = 0x2C

  /// Reads BIGInfo, which has 57 bytes for an encrypted group.
  private init?(_ info: RawSpan) {
    guard info.byteCount >= 57 else { return nil }
    let first = info.integer(0, 8)
    interval = Int64(first >> 15 & 0xFFF) * 1250
    streams = Int(first >> 27 & 0x1F)
    burst = info.integer(4, 4) >> 5 & 7
    seed = UInt32(truncatingIfNeeded: info.integer(13, 4))
    // The last byte also holds the framing bit.
    counter = info.integer(28, 5) & 0x7F_FFFF_FFFF
    initialisationVector = info.integer(33, 8, isBigEndian: true)
    diversifier = Block128(high: info.integer(49, 8), low: info.integer(41, 8))
    guard 1...31 ~= streams, burst > 0, interval >= 5000 else { return nil }
  }

  /// The access address of a stream, counted from 1; that of the control subevents is 0 (2.1.2).
  func accessAddress(_ stream: Int) -> UInt32 {
    let diversifier = UInt32((35 * stream + 42) % 128)
    func bit(_ number: UInt32) -> UInt32 { diversifier >> number & 1 }
    // D0 six times, D1, D6, D1, 0, D5, D4, 0, D3, D2, 0: the upper half of the word that is combined with the seed.
    let sign: UInt32 = bit(0) == 1 ? 0xFC00 : 0
    let middle = bit(1) << 9 | bit(6) << 8 | bit(1) << 7 | bit(5) << 5 | bit(4) << 4
    return seed ^ (sign | middle | bit(3) << 2 | bit(2) << 1) << 16
  }
}

/// An encrypted isochronous stream of a connection (CIS) or of a broadcast (BIS).
final class IsochronousStream {
  /// Index in ``LinkLayerDecryptor/sessions``.
  let number: Int
  /// The group of a broadcast; nil for the stream of a connection.
  let group: BroadcastGroup?
  /// The connection's encryption, for the stream of a connection.
  let session: LinkEncryption?
  var ccm: CCM?
  /// Number of keys when they were last tried.
  var tried = -1
  /// Counter of the next packet, and the time at which it was expected, for each direction.
  private var next: (central: UInt64, peripheral: UInt64)
  private var times: (central: Int64, peripheral: Int64)

  /// Masks of the header bits that are authenticated (Core, Vol 6, Part E, 2.2).
  static let connectedMask: UInt8 = 0xA3, broadcastMask: UInt8 = 0xC3
  /// Number of counters around the expected one that are tried.
  static let window: UInt64 = 96
  /// Shortest interval between events of a connection's stream, µs.
  private static let shortest: Int64 = 1250

  init(_ number: Int, group: BroadcastGroup?, session: LinkEncryption?, time: Int64) {
    (self.number, self.group, self.session) = (number, group, session)
    next = (group?.counter ?? 0, 0)
    times = (time, time)
  }

  /// The range of counters that a packet from this sender may have.
  func counters(_ isCentral: Bool, _ time: Int64) -> (first: UInt64, count: UInt64) {
    let last = isCentral ? next.central : next.peripheral
    let (passed, isTooMuch) = time.subtractingReportingOverflow(isCentral ? times.central : times.peripheral)
    let since = isTooMuch ? 0 : max(0, passed)
    if let group {
      let expected = last &+ UInt64(since / group.interval) &* group.burst
      return (expected > Self.window / 2 ? expected - Self.window / 2 : 0, Self.window)
    }
    return (last > 16 ? last - 16 : 0, 32 + UInt64(min(since / Self.shortest, 4096)))
  }

  func heard(_ isCentral: Bool, _ counter: UInt64, _ time: Int64) {
    // A broadcast's counters follow from the time since its BIGInfo, and more exactly from the last packet.
    if isCentral { (next.central, times.central) = (counter, time) } else { (next.peripheral, times.peripheral) = (counter, time) }
  }

  /// The initialisation vector of a stream: that of its group or connection, with the access address in its first four bytes.
  static func vector(_ base: UInt64, _ access: UInt32) -> UInt64 { base ^ UInt64(access.byteSwapped) << 32 }
}
