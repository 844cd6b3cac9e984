import Bluetooth
import Captures
import Conversations
import FuzzInput
import Keys
import Memory

extension FuzzTarget {
  /// PDUs and connections.
  public static let packets = [
    FuzzTarget(name: "advertising", longest: 255) { bytes in
      var visitor = RangeVisitor(count: bytes.count)
      AdvertisingData.walk(RawSpan(_unsafeBytes: bytes), in: 0..<bytes.count, as: Field(), &visitor)
      check(visitor.depth == 0, "an object that does not end")
    },
    FuzzTarget(name: "pdus", longest: 255) { bytes in
      var choices = Choices(bytes)
      let kind = choices.byte()
      let pdu = choices.rest()
      let span = RawSpan(_unsafeBytes: pdu)
      var visitor = RangeVisitor(count: pdu.count)
      switch kind % 16 {
      case 0: HCI.walkCommand(span, headers: true, &visitor)
      case 1: HCI.walkEvent(span, headers: true, &visitor)
      case 2: HCI.walkACLHeader(span, &visitor)
      case 3: HCI.walkSynchronous(span, &visitor)
      case 4: HCI.walkISO(span, &visitor)
      case 5: L2CAP.walkCommand(span, headers: true, &visitor)
      case 6: ATT.walk(span, &visitor)
      case 7: ATT.walk(span, requested: kind & 16 == 0 ? 0x2803 : 0x2802, &visitor)
      case 8: SMP.walk(span, &visitor)
      case 9: LinkLayer.walkAdvertising(span, isAuxiliary: kind & 16 != 0, &visitor)
      case 10: LinkLayer.walkData(span, &visitor)
      case 11: Management.walkCommand(span, &visitor)
      case 12: Management.walkEvent(span, &visitor)
      case 13: Management.walkRecord(opcode: UInt16(kind >> 4), span, &visitor)
      case 14: SDP.walk(span, &visitor)
      default: RFCOMM.walk(span, &visitor)
      }
      // The protocols of the registry, by number, with any context that the conversation may have for a PDU.
      if pdu.count > 1 {
        var context = PDUContext()
        context.opcode = UInt32(pdu[pdu.count - 1]) | UInt32(pdu[pdu.count - 2]) << 8
        ProtocolID(kind).walk(span, context, &visitor)
      }
      Mesh.walkSensorMessage(span, 0x52 + UInt32(kind % 6)) { _, range in
        check(range.lowerBound >= 0 && range.upperBound <= pdu.count, "a stretch outside of the message")
      } number: { characteristic, range in
        check(range.count == characteristic.size && range.upperBound <= pdu.count, "a number outside of the message")
      }
      check(visitor.depth == 0, "an object that does not end")
    },
    FuzzTarget(name: "reconstruction", longest: 512) { bytes in reconstruct(bytes) },
    FuzzTarget(name: "services", longest: 1024) { bytes in services(bytes) },
    FuzzTarget(name: "frames", longest: 512) { bytes in frames(bytes) },
    FuzzTarget(name: "reports", longest: 1024) { bytes in reports(bytes) },
    FuzzTarget(name: "streams", longest: 512) { bytes in streams(bytes) },
    FuzzTarget(name: "keys", longest: 512) { bytes in
      for path in ["keys.txt", "00:00:5e:00:53:11/c0:ff:ee:00:00:01/info"] {
        guard let ring = try? KeyFile.read(Array(bytes), path: path) else { continue }
        for known in ring.keys { check((try? Key(text: known.key.text)) == known.key, "a key that is written is not read") }
        for (form, text) in [("BlueZ", KeyFile.blueZ(ring).text), ("the toolbar", KeyFile.toolbar(ring).text)] where !text.isEmpty {
          let again = (try? KeyFile.read(text, path: ""))?.keys.map(\.key.bytes) ?? []
          check(!again.isEmpty && again.allSatisfy { bytes in ring.keys.contains { $0.key.bytes == bytes } }, "keys in the form of \(form)")
        }
      }
      for known in KeyFile.keys(inName: String(decoding: bytes, as: UTF8.self)) {
        check((try? Key(text: known.key.text)) == known.key, "a key of a name that is written is not read")
      }
      decrypt(bytes)
    },
  ]

  /// Packets on the air and of a host, with an all-zero long term key.
  private static func decrypt(_ bytes: UnsafeRawBufferPointer) {
    let batch = packets(bytes)
    var ring = KeyRing()
    ring.add(KnownKey(Key(.longTerm, .zero), origin: "", mayBeReversed: true))
    let decryptor = LinkLayerDecryptor(ring)
    var host = HostKeys(file: "")
    for index in batch.records.indices {
      var record = batch.records[index]
      host.take(record, RawSpan(_unsafeBytes: batch.payload(record)))
      guard record.kind == .linkLayer else { continue }
      let before = record.captured - record.payload
      guard decryptor.take(&record, RawSpan(_unsafeBytes: batch.payload(record))) == .decrypted else { continue }
      check(decryptor.packet.count == before - 4, "a decrypted packet that is not shorter by its MIC")
      batch.setDecrypted(index, record, decryptor.packet.span.bytes, interfaces: [])
    }
  }

  private static let kinds: [PacketKind] = [
    .acl, .event, .command, .linkLayer, .acl, .event, .iso, .sco, .newIndex, .indexInfo, .controlCommand, .controlEvent, .systemNote,
    .vendorDiagnostic, .unknownH4, .baseband,
  ]

  /// Builds an input for ``packets(_:)``. Kinds that it does not know are left out.
  public static func packetInput(_ record: PacketRecord, _ payload: UnsafeRawBufferPointer) -> [UInt8] {
    guard let kind = kinds.firstIndex(of: record.kind), payload.count < 256 else { return [] }
    let isReceived = record.direction == .received || record.direction == .peripheral
    return [UInt8(kind) | (isReceived ? 0x20 : 0x10), UInt8(payload.count)] + Array(payload)
  }

  /// Packets of both ends of a connection: a byte for kind (4 bits), direction (2), truncation, another adapter; the length; the payload.
  public static func packets(_ bytes: UnsafeRawBufferPointer) -> PacketBatch {
    var choices = Choices(bytes)
    let batch = PacketBatch()
    while !choices.isAtEnd {
      let what = choices.byte()
      let payload = choices.piece(Int(choices.byte()))
      var record = PacketRecord()
      record.frame = batch.records.count + 1
      record.time = Int64(record.frame) * 10_000
      record.kind = kinds[Int(what & 15)]
      let isLinkLayer = record.kind == .linkLayer
      record.direction = [.unknown, isLinkLayer ? .central : .sent, isLinkLayer ? .peripheral : .received, .unknown][Int(what >> 4 & 3)]
      record.offset = batch.append(bytes: RawSpan(_unsafeBytes: payload))
      record.captured = payload.count
      record.original = payload.count + (what & 64 == 0 ? 0 : 5)
      if record.kind == .baseband, payload.count >= 22 { record.payload = 22 }
      record.adapter = what & 128 == 0 ? 0 : 1
      batch.append(record)
    }
    return batch
  }

  /// AT commands and OBEX: frames of an RFCOMM session in both directions, with data from the input.
  private static func services(_ bytes: UnsafeRawBufferPointer) {
    var choices = Choices(bytes)
    let packets = PacketBatch()
    func add(_ kind: PacketKind, _ direction: PacketDirection, _ bytes: [UInt8]) {
      var record = PacketRecord()
      record.frame = packets.records.count + 1
      record.time = Int64(record.frame) * 10_000
      (record.kind, record.direction) = (kind, direction)
      record.offset = packets.append(bytes: bytes.span.bytes)
      (record.captured, record.original) = (bytes.count, bytes.count)
      packets.append(record)
    }
    func frame(_ direction: PacketDirection, _ channel: UInt8, _ bytes: [UInt8]) {
      let low = UInt8(truncatingIfNeeded: bytes.count)
      let high = UInt8(truncatingIfNeeded: bytes.count >> 8)
      let whole = [low, high, channel, 0] + bytes
      add(.acl, direction, [0x40, 0x20, UInt8(truncatingIfNeeded: whole.count), UInt8(truncatingIfNeeded: whole.count >> 8)] + whole)
    }
    func data(_ direction: PacketDirection, _ bytes: [UInt8]) {
      let head: [UInt8] = [0x23, 0xEF, UInt8(truncatingIfNeeded: bytes.count << 1), UInt8(truncatingIfNeeded: bytes.count >> 7)]
      frame(direction, direction == .sent ? 0x51 : 0x41, head + bytes + [0x9A])
    }
    add(.event, .received, [3, 11, 0, 0x40, 0, 1, 0, 0x53, 0, 0x5E, 0, 1, 0])
    frame(.sent, 1, [2, 1, 4, 0, 3, 0, 0x41, 0])
    frame(.received, 1, [3, 1, 8, 0, 0x51, 0, 0x41, 0, 0, 0, 0, 0])
    // Data by which the protocol is recognized.
    data(.sent, choices.byte() & 1 == 0 ? Array("AT+CIND=?\r".utf8) : [0x80, 0, 7, 0x10, 0, 3, 0xE8])
    while !choices.isAtEnd {
      let what = choices.byte()
      data(what & 1 == 0 ? .sent : .received, Array(choices.piece(Int(what >> 1))))
    }
    let batch = RowBatch(packets: packets)
    var tracker = ConversationTracker(.rows)
    tracker.process(batch)
    for row in batch.rows {
      var context = PDUContext()
      (context.opcode, context.subcode) = (row.opcode, row.subcode)
      let span = RawSpan(_unsafeBytes: row.pdu.buffer)
      var visitor = RangeVisitor(count: row.pdu.count)
      row.layer.walk(span, context, &visitor)
      check(visitor.depth == 0, "an object that does not end")
      _ = row.layer.name(of: span, context)
      if let (_, data) = row.channelData { check(data.count <= row.pdu.count, "data longer than their PDU") }
    }
  }

  /// Frames of a channel with control fields, in a format that the first byte selects, in both directions; most check sequences are right.
  private static func frames(_ bytes: UnsafeRawBufferPointer) {
    var choices = Choices(bytes)
    let packets = PacketBatch()
    func add(_ kind: PacketKind, _ direction: PacketDirection, _ bytes: [UInt8]) {
      var record = PacketRecord()
      record.frame = packets.records.count + 1
      record.time = Int64(record.frame) * 10_000
      (record.kind, record.direction) = (kind, direction)
      record.offset = packets.append(bytes: bytes.span.bytes)
      (record.captured, record.original) = (bytes.count, bytes.count)
      packets.append(record)
    }
    func frame(_ direction: PacketDirection, _ channel: UInt8, _ bytes: [UInt8]) {
      let whole = [UInt8(bytes.count), 0, channel, 0] + bytes
      add(.acl, direction, [0x40, 0x20, UInt8(whole.count), 0] + whole)
    }
    let form = choices.byte()
    var options: [UInt8] = [4, 9, form & 7, 8, 3, 0, 0, 0, 0, 60, 0]
    if form & 8 != 0 { options += [5, 1, 0] }
    if form & 16 != 0 { options += [7, 2, 0xF4, 1] }
    add(.event, .received, [3, 11, 0, 0x40, 0, 1, 0, 0x53, 0, 0x5E, 0, 1, 0])
    frame(.sent, 1, [2, 1, 4, 0, form & 32 == 0 ? 5 : 0x1B, form & 32 == 0 ? 0x10 : 0, 0x41, 0])
    frame(.received, 1, [3, 1, 8, 0, 0x51, 0, 0x41, 0, 0, 0, 0, 0])
    frame(.sent, 1, [4, 2, UInt8(4 + options.count), 0, 0x51, 0, 0, 0] + options)
    frame(.received, 1, [5, 2, 6, 0, 0x41, 0, 0, 0, 0, 0])
    frame(.received, 1, [4, 3, UInt8(4 + options.count), 0, 0x41, 0, 0, 0] + options)
    frame(.sent, 1, [5, 3, 6, 0, 0x51, 0, 0, 0, 0, 0])
    while !choices.isAtEnd {
      let what = choices.byte()
      let direction: PacketDirection = what & 1 == 0 ? .sent : .received
      let channel: UInt8 = what & 1 == 0 ? 0x51 : 0x41
      let piece = Array(choices.piece(Int(what >> 2)))
      var check: UInt16 = 0
      for byte in [UInt8(piece.count + 2), 0, channel, 0] + piece {
        check ^= UInt16(byte)
        for _ in 0..<8 { check = check & 1 != 0 ? check >> 1 ^ 0xA001 : check >> 1 }
      }
      if what & 2 != 0 { check ^= UInt16(form & 64) }
      frame(direction, channel, piece + [UInt8(truncatingIfNeeded: check), UInt8(check >> 8)])
    }
    let batch = RowBatch(packets: packets)
    var tracker = ConversationTracker(.rows)
    tracker.includesFragments = form & 128 != 0
    tracker.tracksPieces = tracker.includesFragments
    tracker.process(batch)
    for row in batch.rows {
      var context = PDUContext()
      (context.opcode, context.subcode, context.frameFormat) = (row.opcode, row.subcode, row.flags.frameFormat)
      let span = RawSpan(_unsafeBytes: row.pdu.buffer)
      var visitor = RangeVisitor(count: row.pdu.count)
      row.layer.walk(span, context, &visitor)
      FuzzInput.check(visitor.depth == 0, "an object that does not end")
      _ = row.layer.name(of: span, context)
      FuzzInput.check(row.requestFrame <= packets.records.count, "a frame that is not there")
    }
    for known in batch.joined { FuzzInput.check(known.pieces.reduce(0) { $0 + $1.count } == known.bytes.count, "pieces that are not all") }
    let end = RowBatch()
    tracker.finish(end)
  }

  /// A report map, and reports decoded by it.
  private static func reports(_ bytes: UnsafeRawBufferPointer) {
    var choices = Choices(bytes)
    let reports = (0..<4).map { _ in Array(choices.piece(Int(choices.byte() & 31))) }
    guard let map = HID.ReportMap(RawSpan(_unsafeBytes: choices.rest())) else { return }
    check(map.formats.count <= 64, "more reports than a map may have")
    var description: [UInt8] = []
    for format in map.formats {
      var previous: [UInt8] = []
      for report in reports {
        format.describe(previous: previous, hasNumber: map.usesNumbers, to: &description)
        let pdu = [0xA0 | format.type.rawValue] + report
        var visitor = RangeVisitor(count: pdu.count)
        let (span, described) = (pdu.span.bytes, description.span.bytes)
        check(HID.walkReport(span, 1..<pdu.count, described, &visitor), "a description that is not read")
        check(visitor.depth == 0, "an object that does not end")
        if let report = HID.Report(described, 1..<pdu.count) {
          let change = report.change(span, described)
          check(change.keys >= 0 && change.keys <= 3 * 64, "more keys than are told")
        }
        previous = report
      }
    }
  }

  /// Values of an audio stream endpoint, and responses of its control point.
  private static func streams(_ bytes: UnsafeRawBufferPointer) {
    let span = RawSpan(_unsafeBytes: bytes)
    if let endpoint = ASCS.Endpoint(span) {
      check(endpoint.interval <= 0xFFFFFF && endpoint.size <= 0xFFFF, "more than a field holds")
      check((endpoint.group == nil) == (endpoint.stream == nil) || bytes.count < 4, "half an isochronous stream")
      check(endpoint.state.leads(to: endpoint.state, isSource: true), "a state that may not be told again")
    }
    var count = 0
    ASCS.forEachAnswer(span) { answer in
      count += 1
      _ = ASCS.codeName(answer.code)
      _ = ASCS.reasonName(answer.reason, of: answer.code)
    }
    check(count * 3 + 2 <= max(2, bytes.count), "answers that are not there")
  }

  private static func reconstruct(_ bytes: UnsafeRawBufferPointer) {
    let batch = RowBatch(packets: packets(bytes))
    var survey = ConversationTracker(.survey)
    survey.process(batch)
    survey.finish(batch)
    var rows = ConversationTracker(.rows, tables: batch.tables)
    rows.includesFragments = true
    rows.process(batch)
    for row in batch.rows {
      check(row.value.count <= row.pdu.count, "a value longer than its PDU")
      check(row.connection < batch.tables.connections.count && row.peer < batch.tables.peers.count, "a row of no connection")
      check(row.attribute < batch.tables.attributes.count, "a row of no attribute")
    }
    for feed in batch.valueEvents { check(Int(feed.row) < batch.rows.count, "bytes of no row") }
    let tables = batch.tables
    let end = RowBatch(packets: batch.packets)
    rows.finish(end)
    _ = GATTCache(tables)
  }
}

/// Checks that the fields of a walk are within the packet.
struct RangeVisitor: FieldVisitor {
  let count: Int
  var depth = 0
  private var described = 0

  init(count: Int) { self.count = count }

  private mutating func check(_ range: Range<Int>) {
    described += 1
    FuzzInput.check(range.lowerBound >= 0 && range.upperBound <= count, "\(range) of \(count) bytes")
    // A packet of a few hundred bytes cannot have a million fields.
    FuzzInput.check(described < 100_000, "fields without end")
  }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    check(range)
    switch value {
    case .bytes(let part), .text(let part), .wideText(let part): check(part)
    case .unsigned(let number):
      _ = field.name(of: number)
      var text: [UInt8] = []
      field.writeScaled(Int64(bitPattern: number), to: &text)
    case .signed(let number):
      var text: [UInt8] = []
      field.writeScaled(number, to: &text)
    default: break
    }
  }
  mutating func beginObject(_ field: Field, at offset: Int) { depth += 1 }
  mutating func endObject(_ field: Field, at range: Range<Int>) {
    depth -= 1
    check(range)
  }
  mutating func beginArray(_ field: Field, at offset: Int) { depth += 1 }
  mutating func endArray(_ field: Field, at range: Range<Int>) {
    depth -= 1
    check(range)
  }
  mutating func problem(_ problem: FieldProblem) {
    switch problem {
    case .surplus(let range), .outOfRange(_, _, let range): check(range)
    case .short(_, let offset, _, let available): check(offset..<offset + available)
    }
  }
}
