import Bluetooth
import Captures
import Conversations
import PacketCodecs
@_spi(Pipeline) import Analysis

/// The second pass: writes each packet with its replacements.
final class WritingPass: EventSink {
  private let redaction: Redaction
  private let source: any PacketSource
  private let writer: CaptureWriter
  private var finder = FieldFinder()
  private var rows = RowCounter()
  /// The next packet to write, index in its batch.
  private var record = 0
  private var bytes: [UInt8] = []
  private var isDone: [Bool] = []
  private var isLoaded = false
  private var lastTime: Int64 = 0
  /// The interfaces of the batch as they are written; made with the first packet that needs them.
  private var origins: [CaptureInterface]?

  init(_ redaction: Redaction, _ source: any PacketSource, _ writer: CaptureWriter) {
    self.redaction = redaction
    self.source = source
    self.writer = writer
    finder.keepsUnknown = redaction.options.keepsUnknown
  }

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    let valueEvents = rows.next(batch)
    guard row.layer != .note, unsafe batch.packets.records.indices.contains(Int(row.record)) else { return }
    while record < Int(row.record) { try write(batch) }
    if !isLoaded { load(batch) }
    // A PDU that was joined from several packets is among the edits already.
    guard let start = unsafe PDUBytes(batch.packets.bytes(batch.packets.records[record])).offset(of: row.pdu) else { return }
    finder.collect(row, batch, valueEvents)
    for field in finder.fields where field.range.upperBound <= row.pdu.count { replace(field, start) }
    for range in redaction.chosenValues(row, batch, valueEvents: valueEvents) {
      replace(SensitiveField(kind: .value, field: "value", range: range), start)
    }
  }

  func batchDidEnd(_ batch: RowBatch) throws {
    while unsafe record < batch.packets.records.count { try write(batch) }
    record = 0
    origins = nil
    rows.reset()
  }

  func end(_ outcome: Outcome) throws {
    if try !writer.write(note: Redaction.note, at: lastTime) {
      redaction.hasPlaceForNote = false
    }
  }

  /// Loads the next packet, and puts in what the first pass decided to replace in it.
  private func load(_ batch: RowBatch) {
    let packet = unsafe batch.packets.records[record]
    bytes.removeAll(keepingCapacity: true)
    unsafe bytes.append(contentsOf: batch.packets.bytes(packet))
    isDone.removeAll(keepingCapacity: true)
    isDone.append(contentsOf: repeatElement(false, count: bytes.count))
    isLoaded = true
    lastTime = packet.time
    for edit in redaction.inventory.edits[packet.frame] ?? [] where edit.offset + edit.bytes.count <= bytes.count {
      put(edit.bytes, edit.offset)
    }
    if let range = packet.basebandAddress { put([UInt8](repeating: 0, count: range.count), range.lowerBound) }
    if packet.kind.isNote, !redaction.options.keepsTexts {
      let payload = unsafe batch.packets.payload(packet)
      let range = unsafe packet.kind.textRange(payload)
      let text = unsafe Inventory.text(Array(payload[range]))
      put(Pseudonyms.text(text.count) + [UInt8](repeating: 0, count: range.count - text.count), packet.payload + range.lowerBound)
    }
  }

  private func put(_ replacement: [UInt8], _ at: Int) {
    for (number, byte) in replacement.enumerated() where !isDone[at + number] {
      bytes[at + number] = byte
      isDone[at + number] = true
    }
  }

  private func replace(_ field: SensitiveField, _ start: Int) {
    let range = field.range.lowerBound + start..<field.range.upperBound + start
    guard range.upperBound <= bytes.count, !isDone[range].contains(true) else { return }
    put(redaction.inventory.replacement(field, Array(bytes[range])), range.lowerBound)
  }

  /// Writes the packet and goes on to the next.
  private func write(_ batch: RowBatch) throws {
    if !isLoaded { load(batch) }
    let packet = unsafe batch.packets.records[record]
    let original = unsafe batch.packets.bytes(packet)
    redaction.inventory.replacer.replace(in: &bytes, from: min(packet.payload, bytes.count), &isDone)
    if unsafe !original.elementsEqual(bytes) { unsafe ChecksumRepair.repair(&bytes, packet, original) }
    let index = record
    let comments = batch.packets.notes.isEmpty ? [] : batch.packets.notes.filter { $0.record == index }.map(comment)
    let origin = origin(packet)
    let changed = bytes
    unsafe try writer.write(packet, bytes: changed.span.bytes, origin: origin, format: source.format, comments: comments)
    isLoaded = false
    record += 1
  }

  /// The interface of a packet. Names and descriptions of interfaces identify the machine; the adapter's number is needed.
  private func origin(_ packet: PacketRecord) -> CaptureInterface {
    let known =
      origins
      ?? source.interfaces.map { one in
        var one = one
        one.description = ""
        if !one.name.hasPrefix("hci") || UInt16(one.name.dropFirst(3)) == nil { one.name = "" }
        return one
      }
    origins = known
    return known.indices.contains(Int(packet.interface)) ? known[Int(packet.interface)] : CaptureInterface(linkType: -1)
  }

  private func comment(_ note: PacketNote) -> String {
    var text = Array(note.text.utf8)
    if !redaction.options.keepsTexts { return String(decoding: Pseudonyms.text(text.count), as: UTF8.self) }
    var done = [Bool](repeating: false, count: text.count)
    redaction.inventory.replacer.replace(in: &text, from: 0, &done)
    return String(decoding: text, as: UTF8.self)
  }
}

extension Redaction {
  /// The note in a redacted capture.
  public static let note = "redacted by btscribe: keys, passkeys, passwords and texts taken out, addresses and names replaced"
}

/// Corrects checksums over changed bytes; those that were wrong stay wrong.
enum ChecksumRepair {
  static func repair(_ bytes: inout [UInt8], _ packet: PacketRecord, _ original: UnsafeRawBufferPointer) {
    switch packet.kind {
    case .linkLayer: unsafe linkLayer(&bytes, packet, original)
    case .acl: unsafe frameCheck(&bytes, packet, original)
    default: break
    }
  }

  /// The CRC of a Link Layer packet (Vol 6, Part B, 3.1.1) is linear: it changes by the CRC of what changed, whatever it starts with.
  private static func linkLayer(_ bytes: inout [UInt8], _ packet: PacketRecord, _ original: UnsafeRawBufferPointer) {
    let start = packet.payload + (packet.radio.phy == 2 ? 5 : 4)
    guard packet.radio.flags & RadioInfo.Flag.hasCRC != 0, packet.radio.flags & RadioInfo.Flag.decrypted == 0, !packet.isTruncated,
      bytes.count >= start + 5
    else { return }
    let end = bytes.count - 3
    // Zeros stand in the place of a CRC that a tool left out.
    if unsafe original[end] | original[end + 1] | original[end + 2] == 0 { return }
    let changed = (start..<end).map { unsafe bytes[$0] ^ original[$0] }
    let difference = unsafe changed.withUnsafeBytes { unsafe LinkLayer.crc(RawSpan(_unsafeBytes: $0), in: 0..<$0.count, initial: 0) }
    for place in 0..<3 { bytes[end + place] = unsafe original[end + place] ^ UInt8(truncatingIfNeeded: difference >> UInt32(8 * place)) }
  }

  /// The frame check sequence of L2CAP's retransmission modes (Vol 3, Part A, 3.3.5), where the last two bytes are one.
  private static func frameCheck(_ bytes: inout [UInt8], _ packet: PacketRecord, _ original: UnsafeRawBufferPointer) {
    let start = packet.payload + 4
    guard bytes.count >= start + 8 else { return }
    let length = unsafe Int(original[start]) | Int(original[start + 1]) << 8
    let channel = unsafe UInt16(original[start + 2]) | UInt16(original[start + 3]) << 8
    guard channel >= 0x40, length >= 4, start + 4 + length <= bytes.count else { return }
    let end = start + 4 + length - 2
    let known = unsafe check(original[start..<end])
    guard unsafe known == UInt16(original[end]) | UInt16(original[end + 1]) << 8 else { return }
    let made = check(bytes[start..<end])
    bytes[end] = UInt8(truncatingIfNeeded: made)
    bytes[end + 1] = UInt8(truncatingIfNeeded: made >> 8)
  }

  /// x^16 + x^15 + x^2 + 1, least significant bit first, from zero.
  private static func check(_ bytes: some Sequence<UInt8>) -> UInt16 {
    bytes.reduce(UInt16(0)) { state, byte in
      var state = state ^ UInt16(byte)
      for _ in 0..<8 { state = state & 1 != 0 ? state >> 1 ^ 0xA001 : state >> 1 }
      return state
    }
  }
}
