import Bluetooth
import Captures
import Conversations
import Memory
import PacketCodecs

/// Consecutive packets that are still to be written: their original and their new bytes. A PDU or a message that is completed only by later packets
/// decides what is kept of the first one; packets wait for that as long as there is room.
final class WaitingPackets {
  private(set) var records: [PacketRecord]
  let notes: [PacketNote]
  /// All original bytes of the packets.
  private(set) var original: [UInt8]
  /// The new bytes, where they are decided.
  private(set) var output: [UInt8]
  /// A bit for each byte, the lowest first, that is set where it was kept or replaced by a rule.
  private var decided: [UInt64]
  let origins: [CaptureInterface]
  /// Values that were replaced as a whole, in the order of the packets: a message of a profile may still keep parts of them.
  private(set) var values: [Value] = []

  /// A value that was replaced as a whole.
  struct Value {
    /// Its range in the bytes of the packets.
    var range: Range<Int>
    var kind: ExposureKind
    var field: StaticName
    /// The treatment by which it was replaced.
    var treatment = Treatment.value
    /// The complete value, where ``range`` has only its last part.
    var joined: [UInt8]?
  }

  /// The memory that all waiting packets and their values take.
  final class Usage {
    var bytes = 0
  }
  private let usage: Usage
  /// The part of it that these packets and values take.
  private var countedBytes = 0

  private func count(_ bytes: Int) {
    countedBytes += bytes
    usage.bytes += bytes
  }

  /// Subtracts their memory, when they are written.
  func release() { count(-countedBytes) }

  private static func size(_ value: Value) -> Int { MemoryLayout<Value>.stride + (value.joined?.count ?? 0) }

  /// Notes a value that was replaced as a whole. Most calls are in the order of the packets.
  func note(_ value: Value) {
    var index = values.count
    while index > 0, values[index - 1].range.lowerBound > value.range.lowerBound { index -= 1 }
    values.insert(value, at: index)
    count(Self.size(value))
  }

  /// Removes the values in a range, so that they are not counted: the PDU that they are a part of, or a message, decides on these bytes.
  func supersede(_ range: Range<Int>) {
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      if values[middle].range.upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    var stop = low
    while stop < values.count, values[stop].range.lowerBound < range.upperBound { stop += 1 }
    count(-values[low..<stop].reduce(0) { $0 + Self.size($1) })
    values.removeSubrange(low..<stop)
  }

  init(_ batch: PacketBatch, _ origins: [CaptureInterface], _ usage: Usage) {
    self.usage = usage
    unsafe records = Array(batch.records)
    notes = batch.notes
    unsafe original = Array(batch.base)
    output = original
    decided = [UInt64](repeating: 0, count: (original.count + 63) / 64)
    self.origins = origins
    count(original.count + output.count + decided.count * 8 + MemoryLayout<PacketRecord>.stride * records.count)
  }

  /// Whether a byte was kept or replaced by a rule.
  func isDecided(_ at: Int) -> Bool { at >= 0 && at >> 6 < decided.count && decided[at >> 6] >> UInt64(at & 63) & 1 != 0 }

  /// The offset of the next undecided byte; `end` where there is none before it.
  func undecided(from start: Int, to end: Int) -> Int { next(from: start, to: end, invertedBy: .max) }

  /// The offset of the next decided byte; `end` where there is none before it.
  func decided(from start: Int, to end: Int) -> Int { next(from: start, to: end, invertedBy: 0) }

  /// The offset of the next bit that is set after the exclusive or with `mask`.
  private func next(from start: Int, to end: Int, invertedBy mask: UInt64) -> Int {
    var at = start
    while at < end {
      let bits = (decided[at >> 6] ^ mask) >> UInt64(at & 63)
      if bits != 0 { return min(at + bits.trailingZeroBitCount, end) }
      at = (at | 63) + 1
    }
    return end
  }

  /// The range of a packet's bytes.
  func bytes(_ index: Int) -> Range<Int> {
    let start = min(records[index].offset, original.count)
    return start..<min(start + records[index].captured, original.count)
  }

  /// The index of a packet by its frame number.
  func index(ofFrame frame: Int) -> Int? {
    guard let first = records.first?.frame, let last = records.last?.frame, frame >= first, frame <= last else { return nil }
    if frame - first < records.count, records[frame - first].frame == frame { return frame - first }
    var (low, high) = (0, records.count)
    while low < high {
      let middle = (low + high) / 2
      if records[middle].frame < frame { low = middle + 1 } else { high = middle }
    }
    return low < records.count && records[low].frame == frame ? low : nil
  }

  /// Keeps bytes unchanged. A range outside of the packets is ignored; undecided bytes are replaced when the packet is written.
  func keep(_ range: Range<Int>) {
    unsafe original.withUnsafeBufferPointer { old in unsafe write(old, from: range.lowerBound, range) }
  }

  /// Overwrites bytes.
  func put(_ bytes: ArraySlice<UInt8>, at start: Int) {
    unsafe bytes.withUnsafeBufferPointer { new in unsafe write(new, from: 0, start..<start + new.count) }
  }

  private func write(_ bytes: UnsafeBufferPointer<UInt8>, from first: Int, _ range: Range<Int>) {
    guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= output.count, let base = bytes.baseAddress else { return }
    unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe (output.baseAddress.unsafelyUnwrapped + range.lowerBound).update(from: base + first, count: range.count)
    }
    var at = range.lowerBound
    while at < range.upperBound {
      let end = min((at | 63) + 1, range.upperBound)
      decided[at >> 6] |= (UInt64.max >> UInt64(64 - (end - at))) << UInt64(at & 63)
      at = end
    }
  }
}

/// L2CAP headers that a first fragment contains only in part: the rest of each is in the next fragments of its connection.
struct SplitHeaders {
  private struct Stream: Hashable {
    var kind: PacketKind
    var adapter: UInt16
    /// The connection's handle, or its access address.
    var connection: UInt32
    var direction: PacketDirection
  }
  /// Number of missing bytes of a header.
  private var missing: [Stream: Int] = [:]
  private static let maxCount = 4096

  /// Takes the next packet in order. Returns the number of bytes behind its own header that belong to the L2CAP header of an earlier packet.
  mutating func take(_ packet: PacketRecord, _ payload: ArraySlice<UInt8>) -> Int {
    func byte(_ at: Int) -> UInt32 { at < payload.count ? UInt32(payload[payload.startIndex + at]) : 0 }
    let connection: UInt32
    let header: Int
    let isStart: Bool
    switch packet.kind {
    case .acl:
      guard payload.count >= 4 else { return 0 }
      connection = (byte(0) | byte(1) << 8) & 0xFFF
      if connection > 0x0EFF || connection == 0x0EDC { return 0 }
      (header, isStart) = (4, byte(1) >> 4 & 3 != 1)
    case .linkLayer:
      let start = packet.radio.phy == 2 ? 5 : 4
      let closed = RadioInfo.Flag.isochronous | RadioInfo.Flag.encrypted
      // A damaged packet is retransmitted.
      if packet.radio.flags & (RadioInfo.Flag.crcChecked | RadioInfo.Flag.crcOK) == RadioInfo.Flag.crcChecked { return 0 }
      guard packet.direction != .unknown, payload.count >= start + 2, packet.radio.flags & closed == 0, (1...2).contains(byte(start) & 3)
      else { return 0 }
      connection = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24
      if connection == 0x8E89_BED6 { return 0 }
      (header, isStart) = (start + (byte(start) & 0x20 != 0 ? 3 : 2), byte(start) & 3 == 2)
    default: return 0
    }
    let count = max(0, payload.count - header - packet.fixedTrailer)
    // An empty Link Layer packet continues nothing.
    if count == 0, packet.kind == .linkLayer { return 0 }
    // Mostly no header is open, and this packet has all of its own.
    if missing.isEmpty, !isStart || count >= 4 { return 0 }
    let stream = Stream(kind: packet.kind, adapter: packet.adapter, connection: connection, direction: packet.direction)
    let expected = isStart ? 4 : missing[stream] ?? 0
    let rest = expected - count
    // The rest of a header is lost if the capture truncated the packet: the next packet has the bytes behind that rest.
    let isCut = packet.isTruncated
    if rest > 0, !isCut, missing.count < Self.maxCount || missing[stream] != nil { missing[stream] = rest } else { missing[stream] = nil }
    return isStart ? 0 : min(expected, count)
  }
}

extension PacketRecord {
  /// Size of the headers at the start of the payload.
  func fixedHeader(_ payload: ArraySlice<UInt8>) -> Int {
    func byte(_ at: Int) -> UInt8 { at < payload.count ? payload[payload.startIndex + at] : 0 }
    switch kind {
    case .command, .sco: return 3
    case .event: return 2
    case .iso: return 4
    case .unknownH4:
      // A packet of the ESP32 sniffer: its headers, the payload header, which an FHS packet does not have, and the L2CAP header.
      guard byte(0) == 9, let packet = Baseband.Packet(Array(payload.dropFirst()).rawSpan, .esp32) else { return 1 }
      guard let kind = packet.llid else { return 9 }
      return 1 + packet.body.lowerBound + (kind == 2 ? min(4, packet.body.count) : 0)
    case .acl:
      // A first fragment begins with the L2CAP header. Handles from 0x0F00 on are no connections; 0x0EDC has vendor data.
      let handle = (UInt16(byte(0)) | UInt16(byte(1)) << 8) & 0xFFF
      guard handle <= 0x0EFF, handle != 0x0EDC, byte(1) >> 4 & 3 != 1 else { return 4 }
      // MediaTek controllers send logs on handles 0x05FE and 0x05FF, which connections may have too: a PDU there has the length of its packet.
      let isWhole = UInt16(byte(4)) | UInt16(byte(5)) << 8 == UInt16(clamping: payload.count - 8)
      return handle != 0x05FE && handle != 0x05FF || isWhole ? 8 : 4
    case .linkLayer:
      let start = radio.phy == 2 ? 5 : 4
      // Isochronous PDUs have no L2CAP header, and no CP bit for a constant tone extension.
      if radio.flags & RadioInfo.Flag.isochronous != 0 { return start + 2 }
      let isAdvertising = byte(0) == 0xD6 && byte(1) == 0xBE && byte(2) == 0x89 && byte(3) == 0x8E
      if isAdvertising { return start + 2 }
      // The third byte of the header (CTEInfo) describes the constant tone extension that follows the packet.
      let header = start + (byte(start) & 0x20 != 0 ? 3 : 2)
      let isStart = byte(start) & 3 == 2 && radio.flags & RadioInfo.Flag.encrypted == 0
      return header + (isStart || radio.flags & RadioInfo.Flag.decrypted != 0 && byte(start) & 3 == 2 ? 4 : 0)
    default: return 0
    }
  }

  /// Size of the CRC at the end.
  var fixedTrailer: Int { kind == .linkLayer && radio.flags & RadioInfo.Flag.hasCRC != 0 && !isTruncated ? 3 : 0 }
}
