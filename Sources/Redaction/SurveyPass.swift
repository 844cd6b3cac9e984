import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles
@_spi(Pipeline) import Analysis

/// Counts the rows of a batch as they come, and finds the value events of each.
struct RowCounter {
  private var row = 0
  private var event = 0

  /// The value events of the next row.
  mutating func next(_ batch: RowBatch) -> Range<Int> {
    while event < batch.valueEvents.count, batch.valueEvents[event].row < row { event += 1 }
    let start = event
    while event < batch.valueEvents.count, batch.valueEvents[event].row == row { event += 1 }
    row += 1
    return start..<event
  }

  mutating func reset() { self = RowCounter() }
}

/// The first pass: learns what a capture gives away.
final class SurveyPass: EventSink {
  private let redaction: Redaction
  private var finder = FieldFinder()
  private var rows = RowCounter()
  private var record: Int32 = -1
  /// Values that profiles saw, for the messages that they become a part of.
  private var recent = RecentValues()
  /// Private addresses whose key may come later.
  private var undecided: [(address: UInt64, field: StaticName, frame: Int)] = []
  private static let mostUndecided = 1 << 18

  init(_ redaction: Redaction) {
    self.redaction = redaction
    finder.keepsUnknown = redaction.options.keepsUnknown
  }

  func end(_ outcome: Outcome) {
    for (address, field, frame) in undecided {
      let bytes = Inventory.octets(address)
      if !redaction.inventory.isHarmless(SensitiveField(kind: .address, field: field, range: 0..<6), bytes) {
        expose(.address, field.description, bytes, frame)
      }
    }
    undecided = []
  }

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
    let valueEvents = rows.next(batch)
    if row.layer != .note { survey(row, batch, valueEvents) }
    if row.record != record, unsafe batch.packets.records.indices.contains(Int(row.record)) {
      record = row.record
      unsafe texts(batch.packets.records[Int(row.record)], batch)
    }
  }

  private func survey(_ row: PacketRow, _ batch: RowBatch, _ valueEvents: Range<Int>) {
    finder.collect(row, batch, valueEvents)
    for field in finder.fields where field.range.upperBound <= row.pdu.count {
      take(field, row.pdu.slice(field.range.lowerBound, field.range.count), row, batch)
    }
    for range in redaction.chosenValues(row, batch, valueEvents: valueEvents) {
      take(SensitiveField(kind: .value, field: "value", range: range), row.pdu.slice(range.lowerBound, range.count), row, batch)
    }
    if redaction.options.profiles != nil {
      for event in batch.valueEvents[valueEvents] where event.source != .advertisement { recent.keep(event.bytes, row, batch) }
    }
  }

  private func take(_ field: SensitiveField, _ part: PDUBytes, _ row: PacketRow, _ batch: RowBatch) {
    let bytes = unsafe Array(part.buffer)
    if !redaction.inventory.isHarmless(field, bytes) {
      if field.kind == .address, Inventory.address(bytes) >> 46 == 0b01, undecided.count < Self.mostUndecided {
        undecided.append((Inventory.address(bytes), field.field, row.frame))
      } else {
        expose(field.kind, field.field.description, bytes, row.frame)
      }
    }
    // The bytes of a packet with transmission errors are not those of a device.
    if !row.flags.contains(.badCRC) { redaction.inventory.learn(field, bytes) }
    if let piece = batch.piece(of: part, in: Int(row.record)), piece.frame == row.frame, !row.flags.contains(.joined) { return }
    let pieces = batch.pieces(of: part, in: Int(row.record))
    if pieces.isEmpty {
      redaction.unlocated += 1
    } else if pieces.count > 1 || pieces[0].frame != row.frame || row.flags.contains(.joined) {
      redaction.inventory.learn(field, bytes, in: pieces)
    }
  }

  private func expose(_ kind: ExposureKind, _ field: String, _ bytes: [UInt8], _ frame: Int) {
    redaction.counter.add(kind, field, bytes, frame: frame)
  }

  /// Comments and notes.
  private func texts(_ record: PacketRecord, _ batch: RowBatch) {
    if let range = record.basebandAddress {
      let bytes = unsafe Array(batch.packets.bytes(record)[range])
      if bytes.contains(where: { $0 != 0 }) { expose(.address, "lap", bytes, record.frame) }
    }
    guard !redaction.options.keepsTexts else { return }
    if record.kind.isNote {
      let payload = unsafe batch.packets.payload(record)
      let text = unsafe Inventory.text(Array(payload[record.kind.textRange(payload)]))
      if !Pseudonyms.isText(text), !text.starts(with: Redaction.note.utf8) { expose(.text, "note", text, record.frame) }
    }
    for note in batch.packets.notes where note.record == Int(self.record) && !Pseudonyms.isText(note.text.utf8) {
      expose(.text, "comment", Array(note.text.utf8), record.frame)
    }
  }

  func batchDidEnd(_ batch: RowBatch) {
    rows.reset()
    record = -1
    for known in batch.joined where !known.isWhole { unfinished(known) }
  }

  /// The beginning of a PDU whose end never came: of the Security Manager's, all behind the code is taken for a key.
  private func unfinished(_ known: JoinedBytes) {
    guard let channel = known.bytes.u16(2), channel == 6 || channel == 7, known.bytes.count > 5 else { return }
    let field = SensitiveField(kind: .key, field: "unfinished SMP PDU", range: 5..<known.bytes.count)
    let bytes = unsafe Array(known.bytes.from(5).buffer)
    if !redaction.inventory.isHarmless(field, bytes) { expose(.key, field.field.description, bytes, known.pieces.first?.frame ?? 0) }
    redaction.inventory.learn(field, bytes, in: known.pieces.cut(5, bytes.count))
  }

  // MARK: Messages of profiles

  func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    var secrets = SecretFinder()
    message.visitFields(&secrets)
    let isBroken = message.kind == .unjoined || !message.isComplete
    let count = unsafe message.payload.count
    if isBroken, !redaction.options.keepsUnknown, secrets.end < count, message.profile.hasSecrets,
      message.frames.contains(where: { !recent[$0].isEmpty })
    {
      // Without what was lost the rest cannot be decoded: it may be a part of a password. Advertisements have no fragments.
      secrets.fields.append(("broken message", .unknown, secrets.end..<count))
    }
    guard !secrets.fields.isEmpty else { return }
    let sources = message.frames.flatMap { recent[$0] }
    let payload = unsafe Array(message.payload)
    var packets = sources.map(\.bytes)
    let places = Self.places(of: payload, in: packets)
    var isChanged = false
    for (name, kind, range) in secrets.fields where range.upperBound <= payload.count && !range.isEmpty {
      let bytes = Array(payload[range])
      let field = SensitiveField(kind: kind, field: "", range: range)
      if redaction.inventory.isHarmless(field, bytes) { continue }
      expose(kind, "\(message.profile.id).\(name)", bytes, message.frames.first ?? row.frame)
      redaction.inventory.learn(field, bytes)
      isChanged = true
      guard let places else { continue }
      for (number, byte) in redaction.inventory.replacement(field, bytes).enumerated() {
        let place = places[range.lowerBound + number]
        packets[place.packet][place.offset] = byte
      }
    }
    guard isChanged else { return }
    if places == nil {
      // Where the bytes travel in another form, nothing of the message stays.
      for number in packets.indices { packets[number] = [UInt8](repeating: 0, count: packets[number].count) }
      if !isBroken { redaction.unrepaired.append(message.frames.first ?? row.frame) }
    } else if let sealed = message.repairingChecksums(packets) {
      packets = sealed
    } else if !isBroken {
      redaction.unrepaired.append(message.frames.first ?? row.frame)
    }
    for (number, source) in sources.enumerated() where packets[number] != source.bytes {
      redaction.inventory.learn(packets[number], over: source.pieces)
    }
  }

  /// For each byte of a payload the packet and offset it came from; headers before the pieces, and what follows the last, are no part of
  /// it. Nil where the packets do not hold it as it is.
  static func places(of payload: [UInt8], in packets: [[UInt8]]) -> [(packet: Int, offset: Int)]? {
    var places: [(packet: Int, offset: Int)] = []
    for (number, packet) in packets.enumerated() where places.count < payload.count {
      let left = payload.count - places.count
      let start = (0...min(16, packet.count)).first { start in
        let count = min(packet.count - start, left)
        return packet[start..<start + count].elementsEqual(payload[places.count..<places.count + count])
      }
      guard let start, start < packet.count else { continue }
      for offset in start..<start + min(packet.count - start, left) { places.append((number, offset)) }
    }
    return places.count == payload.count ? places : nil
  }
}

/// The last values that profiles saw, by frame, in bounded memory.
struct RecentValues {
  private struct Generation {
    var entries: [(frame: Int, bytes: Range<Int>, pieces: Range<Int>)] = []
    var bytes: [UInt8] = []
    var pieces: [PDUPiece] = []

    mutating func removeAll() {
      entries.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
      pieces.removeAll(keepingCapacity: true)
    }
  }
  private var recent = Generation()
  private var older = Generation()
  private static let mostValues = 4096
  private static let mostBytes = 2 << 20

  /// Keeps a value of a row.
  mutating func keep(_ value: PDUBytes, _ row: PacketRow, _ batch: RowBatch) {
    if recent.entries.count >= Self.mostValues || recent.bytes.count >= Self.mostBytes {
      swap(&recent, &older)
      recent.removeAll()
    }
    let (start, first) = (recent.bytes.count, recent.pieces.count)
    unsafe recent.bytes.append(contentsOf: value.buffer)
    if let piece = batch.piece(of: value, in: Int(row.record)) {
      recent.pieces.append(piece)
    } else {
      recent.pieces.append(contentsOf: batch.pieces(of: value, in: Int(row.record)))
    }
    recent.entries.append((row.frame, start..<recent.bytes.count, first..<recent.pieces.count))
  }

  /// The values of a frame.
  subscript(frame: Int) -> [(bytes: [UInt8], pieces: [PDUPiece])] {
    [older, recent].flatMap { generation in
      // Frames go up.
      var (low, high) = (0, generation.entries.count)
      while low < high {
        let middle = (low + high) / 2
        if generation.entries[middle].frame < frame { low = middle + 1 } else { high = middle }
      }
      return generation.entries[low...].prefix { $0.frame == frame }.map {
        (Array(generation.bytes[$0.bytes]), Array(generation.pieces[$0.pieces]))
      }
    }
  }
}

/// Collects the fields that a profile marks as secret.
private struct SecretFinder: Profiles.FieldVisitor {
  var fields: [(field: String, kind: ExposureKind, range: Range<Int>)] = []
  /// Where the last field that could be read ends.
  var end = 0
  /// The names of the open objects and lists, one behind the other, and where each starts.
  private var path: [UInt8] = []
  private var starts: [Int] = []
  private var secretDepth = Int.max

  mutating func leaf(_ field: FieldContext, _ value: Profiles.FieldValue) {
    end = max(end, field.range.upperBound)
    guard field.isSecret || starts.count > secretDepth else { return }
    let name = field.name.isEmpty ? String(decoding: path[(starts.last ?? 0)...], as: UTF8.self) : field.name.string
    switch value {
    case .text: fields.append((name, .password, field.range))
    case .null: break
    case .bytes: fields.append((name, field.range.count > 4 ? .key : .passkey, field.range))
    default: fields.append((name, .passkey, field.range))
    }
  }

  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool {
    if field.isSecret { secretDepth = min(secretDepth, starts.count) }
    starts.append(path.count)
    unsafe path.append(contentsOf: field.name.bytes)
    return true
  }

  mutating func close(isArray: Bool) {
    if let start = starts.popLast() { path.removeSubrange(start...) }
    if starts.count <= secretDepth { secretDepth = .max }
  }

  mutating func problem(_ text: String) {}
}
