import Conversations
import Memory

/// Counts the SDUs of an isochronous stream in one direction, by the headers of the HCI ISO data packets (Core, Vol 4, Part E, 5.4.5).
public struct IsochronousFigures: Sendable {
  /// SDUs that began.
  public private(set) var count = 0
  /// SDUs that the controller marked as lost, or as possibly invalid.
  public private(set) var lost = 0, invalid = 0
  /// SDUs whose sequence numbers the capture leaves out.
  public private(set) var missing = 0
  /// SDUs whose fragments do not add up to the length in the first, and fragments of SDUs whose start is missing.
  public private(set) var incomplete = 0
  /// Interarrival jitter of packets as defined in RFC 3550, 6.4.1, in µs; -1 where fewer than two consecutive packets have time stamps.
  public var jitter: Int64 { hasJitter ? jitter16 >> 4 : -1 }

  private var number: UInt16?
  /// The SDU whose last fragment has not come: its length, and the number of bytes so far.
  private var open: (length: Int, count: Int)?
  private var stamp: (time: Int64, stamp: UInt32)?
  private var jitter16: Int64 = 0
  private var hasJitter = false

  /// Counts a packet.
  mutating func add(_ row: PacketRow) {
    guard let header = row.pdu.u16(0), let load = row.pdu.u16(2) else { return }
    let boundary = header >> 12 & 3
    guard boundary == 0 || boundary == 2 else { return join(Int(load & 0x3FFF), isLast: boundary == 3) }
    let hasStamp = header & 0x4000 != 0
    let at = hasStamp ? 8 : 4
    guard let number = row.pdu.u16(at), let length = row.pdu.u16(at + 2) else { return }
    count &+= 1
    begin(Int(length & 0xFFF), Int(load & 0x3FFF) - (hasStamp ? 8 : 4), isWhole: boundary == 2)
    switch length >> 14 {
    case 1: invalid &+= 1
    case 2: lost &+= 1
    default: break
    }
    // A number below the last one is a restart of the stream, not a gap of some 65,000 SDUs.
    let step = self.number.map { number &- $0 }
    if let step, step > 1, step < 0x8000 { missing &+= Int(step) - 1 }
    self.number = number
    guard hasStamp, let stamp = row.pdu.u32(4) else {
      self.stamp = nil
      return
    }
    if let last = self.stamp, step == 1 {
      let between = Int64(Int32(bitPattern: stamp &- last.stamp))
      let difference = min(abs(max(min(row.time &- last.time, 1 << 40), -1 << 40) - between), 1 << 40)
      jitter16 += difference - (jitter16 + 8) >> 4
      hasJitter = true
    }
    self.stamp = (row.time, stamp)
  }

  /// An SDU of `length` bytes begins; the packet has `part` bytes of it.
  private mutating func begin(_ length: Int, _ part: Int, isWhole: Bool) {
    if open != nil { incomplete &+= 1 }
    open = (length, part)
    if isWhole { end() }
  }

  /// A fragment continues the open SDU.
  private mutating func join(_ part: Int, isLast: Bool) {
    // For an SDU whose start is not in the capture, only the last fragment is counted.
    guard let sdu = open else {
      if isLast { incomplete &+= 1 }
      return
    }
    open = (sdu.length, min(sdu.count &+ part, 1 << 20))
    if isLast { end() }
  }

  private mutating func end() {
    if let sdu = open, sdu.length != sdu.count { incomplete &+= 1 }
    open = nil
  }
}
