import Bluetooth
import Captures
import Conversations
import Memory
import PacketCodecs
@_spi(Pipeline) import Profiles
@_spi(Pipeline) import Analysis

/// Counts the rows of a batch, and finds the value events of each.
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

/// The second pass: decides field by field which bytes of each packet are kept, replaces the rest, and writes the packet.
final class RedactingPass: EventSink {
  let redaction: Redaction
  private let source: any PacketSource
  /// Nil where packets are only judged, and not written.
  private let writer: CaptureWriter?
  var judge = FieldJudge()
  private let messageJudge: MessageJudge
  private var rows = RowCounter()
  /// Waiting packets, oldest first; `current`: those of this batch.
  private var window: [WaitingPackets] = []
  var current: WaitingPackets?
  private let usage = WaitingPackets.Usage()
  /// Values that profiles saw, for the messages that they are a part of.
  private let recent = RecentValues()
  var rowEvents = 0..<0
  private var lastTime: Int64 = 0
  /// The capture has the note of an earlier redaction.
  private var hasNote = false
  private var retransmissions = Retransmissions()
  private var echoes = PreparedEchoes()
  private var frameChecks = FrameChecks()
  private var splitHeaders = SplitHeaders()
  /// Advertising data that continue in other packets on the air.
  var chains = AdvertisingFragments()
  /// The value events of this row whose data are only a part of advertising data.
  var distrusted: [Int] = []

  /// Maximum memory of packets, with their replaced values, that wait for a PDU or a message to be completed.
  static let maxWaiting = 10 << 20

  init(_ redaction: Redaction, _ source: any PacketSource, _ writer: CaptureWriter?) {
    self.redaction = redaction
    self.source = source
    self.writer = writer
    let messageJudge = MessageJudge(redaction.fieldNames, keptFields: redaction.options.keptFields, addresses: redaction.uuids.addressParts)
    if writer == nil {
      messageJudge.isReplaced = { [pseudonyms = redaction.pseudonyms] bytes in
        [.unknown, .number, .text].contains { pseudonyms.isPseudonym(value: bytes, as: $0) }
      }
    }
    self.messageJudge = messageJudge
    judge.keepsValues = redaction.options.keepsValues
    judge.uuids = redaction.uuids
  }

  // MARK: Batches

  /// Takes the packets of a batch, and keeps headers at fixed offsets.
  private func take(_ batch: RowBatch) -> WaitingPackets {
    let new = WaitingPackets(batch.packets, redaction.origins(source), usage)
    for (index, packet) in new.records.enumerated() {
      let range = new.bytes(index)
      unsafe new.original[range].withUnsafeBytes { unsafe redaction.digest(packet, BorrowedBytes($0)) }
      // The pseudo-header of a sniffer; none has more than 64 bytes.
      let payload = min(range.lowerBound + packet.payload, range.upperBound)
      new.keep(range.lowerBound..<min(payload, range.lowerBound + 64))
      if packet.payload > 1 { redaction.keeps(.header, "packet", "header of the sniffer", min(packet.payload, 64), packet.frame) }
      if packet.kind == .linkLayer { redaction.keeps(.header, "packet", "access address", 4, packet.frame) }
      let header = packet.fixedHeader(new.original[payload..<range.upperBound])
      let late = splitHeaders.take(packet, new.original[payload..<range.upperBound])
      new.keep(payload..<min(payload + header + late, range.upperBound))
      if packet.kind == .unknownH4 {
        redaction.keeps(.header, "packet", "header of the sniffer", header, packet.frame)
        // Channel and flags identify a packet of the ESP32 sniffer: another packet must not become one.
        if header == 1, range.upperBound - payload >= 9, new.original[payload] == 9 { new.keep(payload + 5..<payload + 7) }
      }
      let trailer = packet.fixedTrailer
      if range.upperBound - payload >= header + trailer { new.keep(range.upperBound - trailer..<range.upperBound) }
      if let part = packet.basebandAddress, part.upperBound <= range.count {
        new.put([UInt8](repeating: 0, count: part.count)[...], at: range.lowerBound + part.lowerBound)
        let bytes = Array(new.original[range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound])
        if bytes.contains(where: { $0 != 0 }) { redaction.count(.address, "lap", packet.frame) { bytes } }
        hideHeaderCheck(range, new)
      }
      if packet.basebandAddress != nil { keepBaseband(range, new) }
      if packet.kind == .vendorDiagnostic || packet.kind == .baseband, packet.basebandAddress == nil {
        keepDiagnostics(payload..<range.upperBound, new)
      }
      if packet.kind.isNote { note(index, new) }
      lastTime = packet.time
    }
    window.append(new)
    return new
  }

  /// Keeps the payload header of a BR/EDR packet, the L2CAP header behind it, and its CRC.
  private func keepBaseband(_ range: Range<Int>, _ new: WaitingPackets) {
    let whole = Array(new.original[range])
    guard let packet = Baseband.Packet(whole.rawSpan, .pseudoHeader), packet.isPlain, !packet.payload.isEmpty else { return }
    let end = packet.type == .fhs ? min(packet.payload.lowerBound + 18, whole.count) : packet.body.upperBound
    if packet.llid != nil {
      let head = packet.llid == 2 ? min(packet.body.lowerBound + 4, packet.body.upperBound) : packet.body.lowerBound
      new.keep(range.lowerBound + packet.payload.lowerBound..<range.lowerBound + head)
    }
    new.keep(range.lowerBound + end..<range.lowerBound + min(end + 2, whole.count))
  }

  /// Replaces the HEC of a BR/EDR packet, which is initialised with a part of the address, by zeros.
  private func hideHeaderCheck(_ range: Range<Int>, _ new: WaitingPackets) {
    guard range.count >= 20 else { return }
    let start = range.lowerBound + 17
    new.put([new.original[start] & 0x03, new.original[start + 1] & 0xFC], at: start)
  }

  /// Keeps the kind of a diagnostic record of Broadcom controllers; of a record with an LMP PDU also the payload header of its
  /// DM1 packet and the PDU's opcode.
  private func keepDiagnostics(_ range: Range<Int>, _ new: WaitingPackets) {
    guard range.count == Self.diagnosticRecord else { return }
    let kind = new.original[range.lowerBound]
    new.keep(range.lowerBound..<range.lowerBound + 1)
    guard kind <= 1 else { return }
    let start = range.lowerBound + (kind == 0 ? 10 : 13)
    new.keep(start - 1..<start)
    guard new.original[start - 1] & 3 == 3 else { return }
    new.keep(start..<start + (new.original[start] >> 1 >= 124 ? 2 : 1))
  }
  private static let diagnosticRecord = 63

  /// Replaces the last four bytes of the peer's address in such a record by those of its pseudonym, so that its connection can still be identified.
  private func diagnosticAddress(_ row: PacketRow, _ batch: RowBatch, _ packets: WaitingPackets) {
    let index = Int(row.record)
    let record = packets.records[index]
    guard record.kind == .vendorDiagnostic || record.kind == .baseband, record.basebandAddress == nil, row.peer >= 0 else { return }
    let range = packets.bytes(index)
    let offset = range.lowerBound + record.payload + 5
    guard range.upperBound - record.payload - range.lowerBound == Self.diagnosticRecord else { return }
    let peer = batch.tables.peers[Int(row.peer)]
    let isPublic = peer.addressType == Peer.classic || peer.addressType & 1 == 0
    let new = AddressBook.octets(redaction.addresses.pseudonym(peer.address, isPublic: isPublic), true)
    packets.put(new[2...], at: offset)
    if !redaction.addresses.isPseudonym(peer.address) {
      redaction.count(.address, "diagnostic record", row.frame) { AddressBook.octets(peer.address, true) }
    }
  }

  func batchDidEnd(_ batch: RowBatch) throws {
    replaceRests()
    if current == nil, unsafe !batch.packets.records.isEmpty { current = take(batch) }
    current = nil
    rows.reset()
    // Messages that the end of the capture completes belong to no row of this batch.
    rowEvents = 0..<0
    distrusted.removeAll(keepingCapacity: true)
    while window.count > 1, usage.bytes > Self.maxWaiting { try writeOldest() }
  }

  func end(_ outcome: Outcome) throws {
    replaceRests()
    while !window.isEmpty { try writeOldest() }
    if let writer, !hasNote, try !writer.write(note: redaction.note, at: lastTime) { redaction.hasNotePosition = false }
  }

  // MARK: Rows

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    replaceRests()
    rowEvents = rows.next(batch)
    distrusted.removeAll(keepingCapacity: true)
    guard unsafe batch.packets.records.indices.contains(Int(row.record)) else { return }
    if current == nil { current = take(batch) }
    guard row.layer != .note, let current else { return }
    let isOther = redaction.isOtherResponse(row, batch)
    let valueRule = redaction.valueRule(row, batch, isOther: isOther)
    judge.judge(
      row, valueRule: valueRule, isTyped: redaction.isTyped(row, batch), mayBeReport: redaction.keyboards.has(row),
      isChained: isChained(row, current), isOther: isOther)
    let target = Target(row.pdu, row, batch, current)
    // An SDU of a channel is judged as a whole, without its length.
    let isSDU = row.layer == .l2cap && row.channel >= 0x40 && row.flags.contains(.hasAssembled)
    // Adjacent ranges are kept at once.
    var kept = 0..<0
    for judgement in judge.judgements where judgement.range.upperBound <= row.pdu.count && !(isSDU && judgement.field == "data") {
      var judgement = judgement
      // Data of a channel whose mode is not known may end with a frame check sequence, which is computed again.
      if row.layer == .l2cap, row.channel >= 0x40, judgement.field == "data", judgement.range.count >= 2,
        ChecksumRepair.hasFrameCheck(current.records[Int(row.record)], current.original[current.bytes(Int(row.record))])
      {
        judgement.range = judgement.range.lowerBound..<judgement.range.upperBound - 2
        put(nil, judgement.range.upperBound..<judgement.range.upperBound + 2, target)
      }
      if case .keep(let rule) = judgement.treatment {
        if kept.upperBound == judgement.range.lowerBound {
          kept = kept.lowerBound..<judgement.range.upperBound
        } else {
          if !kept.isEmpty { put(nil, kept, target) }
          kept = judgement.range
        }
        if judgement.isWide { redaction.keeps(rule, row.layer.name, judgement.field, judgement.range.count, row.frame) }
        continue
      }
      if !kept.isEmpty { put(nil, kept, target) }
      kept = 0..<0
      apply(judgement, target, row)
    }
    if !kept.isEmpty { put(nil, kept, target) }
    if let frame = row.sequencedFrame { keepControl(Target(frame, row, batch, current), row.flags.frameFormat) }
    if redaction.options.isDetailed { listRows(row) }
    if judge.isChained || !judge.fragments.ofPDU.isEmpty { fragments(row, batch, current) }
    if row.layer == .obex || row.layer.hasCommandLines, row.opcode & RFCOMM.joined != 0 { keepFrameCheck(row, batch, current) }
    if row.layer == .avrcp || row.layer == .avctp || row.layer == .avdtp { keepPartHeaders(row, target) }
    if row.flags.contains(.badCRC) { hideWrongCheck(row, current) }
    if row.layer == .lmp { diagnosticAddress(row, batch, current) }
    if row.layer == .att { values(row, batch, target) }
    if row.attOpcode == .prepareWriteRequest || row.attOpcode == .prepareWriteResponse {
      echoes.take(row, target.pieces(5..<max(5, row.pdu.count)))
    }
    // A value that was read or written in parts is judged as a whole.
    if row.layer == .att, row.flags.contains(.hasAssembled), valueRule == nil {
      let treatment: Treatment = judge.isSilenced ? .silence : .value
      let whole = Judgement(range: 0..<row.assembled.count, treatment: treatment, field: "attribute_value", kind: .value)
      apply(whole, Target(row.assembled, row, batch, current), row)
    }
    // Each attribute in a queue of prepared writes has its own value.
    if row.attOpcode == .executeWriteRequest {
      for event in batch.valueEvents[rowEvents] where redaction.isTyped(event.attribute, batch) {
        let count = event.bytes.count
        put([UInt8](repeating: 0, count: count), Target(event.bytes, row, batch, current).pieces(0..<count), isWhole: true)
      }
    }
    // An SDU in a credit-based flow control mode begins with its length.
    if row.channel >= 0x40, row.layer == .att || row.layer == .l2cap || row.flags.contains(.hasAssembled) {
      let body = isSDU ? row.assembled : row.pdu
      let target = Target(body, row, batch, current)
      if isSDU {
        let whole = Judgement(range: 0..<body.count, treatment: .value, field: "data", kind: .value)
        apply(whole, target, row)
      }
      keepLength(target, isKnown: isSDU)
    }
    if redaction.options.profiles != nil {
      for event in batch.valueEvents[rowEvents] where event.source != .advertisement {
        recent.keep(event.bytes, of: event.attribute, row, batch, isSilent: judge.isSilenced || isSilent(event, row, batch))
      }
    }
  }

  // MARK: Targets

  /// The location of a PDU's bytes.
  struct Target {
    let pdu: PDUBytes
    /// Their offset in the bytes of this batch; -1 where they come from several packets.
    var start = -1
    /// Their location in the packet itself; nil where they come from several packets.
    var piece: PDUPiece?
    /// Their parts, where they come from several packets.
    var joined: [PDUPiece] = []

    init(_ pdu: PDUBytes, _ row: PacketRow, _ batch: RowBatch, _ current: WaitingPackets) {
      self.pdu = pdu
      let index = Int(row.record)
      if let piece = batch.piece(of: pdu, in: index) {
        start = current.bytes(index).lowerBound + piece.offset
        self.piece = piece
      } else {
        joined = batch.pieces(of: pdu, in: index)
      }
    }

    /// The location of a part of it.
    func pieces(_ range: Range<Int>) -> [PDUPiece] {
      piece.map { $0.cut(range.lowerBound, range.count).map { [$0] } ?? [] } ?? joined.cut(range.lowerBound, range.count)
    }

    /// The location of the last bytes of a part of it, in one packet.
    func lastPiece(_ range: Range<Int>) -> PDUPiece? {
      if let piece { return piece.cut(range.lowerBound, range.count) }
      return joined.cut(range.lowerBound, range.count).last
    }
  }

  func waiting(_ frame: Int) -> (packets: WaitingPackets, index: Int)? {
    for packets in window.reversed() {
      redaction.work &+= 1
      if let index = packets.index(ofFrame: frame) { return (packets, index) }
    }
    return nil
  }

  /// Overwrites a range of a PDU with `bytes`, or keeps it where `bytes` is nil.
  func put(_ bytes: [UInt8]?, _ range: Range<Int>, _ target: Target) {
    if target.start >= 0 {
      guard let current else { return }
      let start = target.start + range.lowerBound
      if let bytes { current.put(bytes[...], at: start) } else { current.keep(start..<start + range.count) }
      return
    }
    put(bytes, target.pieces(range), isWhole: true)
  }

  func put(_ bytes: [UInt8]?, _ pieces: [PDUPiece], isWhole: Bool = false) {
    var at = 0
    for piece in pieces {
      defer { at += piece.count }
      guard let (packets, index) = waiting(piece.frame) else { continue }
      let range = packets.bytes(index)
      let start = range.lowerBound + piece.offset
      guard piece.offset >= 0, start + piece.count <= range.upperBound else { continue }
      if isWhole { packets.supersede(start..<start + piece.count) }
      if let bytes { packets.put(bytes[at..<at + piece.count], at: start) } else { packets.keep(start..<start + piece.count) }
    }
  }

  func apply(_ judgement: Judgement, _ target: Target, _ row: PacketRow) {
    if case .keep(let rule) = judgement.treatment {
      put(nil, judgement.range, target)
      if judgement.isWide { redaction.keeps(rule, row.layer.name, judgement.field, judgement.range.count, row.frame) }
      return
    }
    if judgement.kind == .unknown, redaction.options.keepsUnknown {
      put(nil, judgement.range, target)
      redaction.keeps(.option, row.layer.name, judgement.field, judgement.range.count, row.frame)
      return
    }
    let old = Array(target.pdu.slice(judgement.range.lowerBound, judgement.range.count))
    guard old.count == judgement.range.count else { return }
    let new =
      judgement.mayBeReport ? redaction.replacement(report: old, at: row.frame) : redaction.replacement(judgement.treatment, old)
    put(new, judgement.range, target)
    // Until the packet is written, a message, or the PDU that the value is a part of, may replace it otherwise.
    if judgement.treatment.isOfValue, let last = target.lastPiece(judgement.range),
      let (packets, index) = waiting(last.frame)
    {
      let start = packets.bytes(index).lowerBound + last.offset
      let isWhole = last.count == old.count
      return packets.note(
        WaitingPackets.Value(
          range: start..<start + last.count, kind: judgement.kind, field: judgement.field, treatment: judgement.treatment,
          joined: isWhole ? nil : old))
    }
    // A name that a pattern matches entirely is kept.
    let isSame = judgement.treatment == .name && new == old
    if !isSame, !redaction.isHarmless(judgement.treatment, old) { redaction.count(judgement.kind, judgement.field, row.frame) { old } }
    if judgement.treatment == .name { redaction.keepsName(old, "\(row.layer.name).\(judgement.field)", row.frame) }
  }

  /// Lists runs of small fields that are kept: a single one reveals nothing, many consecutive ones could.
  private func listRows(_ row: PacketRow) {
    var run: (rule: Rule, field: StaticName, range: Range<Int>)?
    // All fields of the run have one name, as the elements of a list.
    var keepsAll = true
    func end() {
      guard let run, run.range.count > 1 else { return }
      if keepsAll { redaction.keeps(run.rule, row.layer.name, run.field, run.range.count, row.frame) }
      if !keepsAll { redaction.keeps(run.rule, profile: "\(row.layer.name).\(run.field) …", run.range.count, row.frame) }
    }
    for judgement in judge.judgements {
      if case .keep(let rule) = judgement.treatment, rule != .header, !judgement.isWide {
        // A field over the same bytes belongs to the run.
        if let last = run, last.range.lowerBound <= judgement.range.lowerBound, judgement.range.lowerBound <= last.range.upperBound {
          keepsAll = keepsAll && last.field == judgement.field
          run?.range = last.range.lowerBound..<max(last.range.upperBound, judgement.range.upperBound)
          continue
        }
        end()
        run = (rule, judgement.field, judgement.range)
        keepsAll = true
      } else {
        end()
        run = nil
      }
    }
    end()
  }

  /// Keeps the header and the control field of a frame: without them its SDU cannot be reassembled.
  private func keepControl(_ target: Target, _ format: L2CAP.FrameFormat) {
    let frame = target.pdu.span
    guard let control = L2CAP.Control(frame, format) else { return }
    var payload = L2CAP.payload(frame, format, control)
    if control.supervisory != nil {
      // A supervisory frame has no payload: bytes between its control field and its check are replaced.
      let start = min(frame.byteCount, L2CAP.Header.size + (format.contains(.extended) ? 4 : 2))
      payload = start..<max(start, frame.byteCount - (format.contains(.checked) ? 2 : 0))
    }
    put(nil, 0..<payload.lowerBound, target)
    guard format.contains(.checked), payload.upperBound + 2 == frame.byteCount else {
      return put(nil, payload.upperBound..<frame.byteCount, target)
    }
    // The check is computed when the complete frame is known; until then it is zero.
    put([0, 0], payload.upperBound..<frame.byteCount, target)
    frameChecks.take(Array(target.pdu), target.pieces(0..<frame.byteCount))
  }

  // MARK: Messages of profiles

  func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    redaction.messages.add(message)
    let payload = Array(message.payload)
    // A packet may have values of several attributes; the message belongs to the row's. One that the end of a connection completes belongs to none.
    let isHere = row.layer == .att && row.flags.contains(.hasAttribute) && message.frames.last == row.frame
    var sources = recent.values(of: message.frames, attribute: isHere ? row.attribute : -1)
    if let own = valueWith(payload, of: message) { sources = [own] }
    var number: AdvertisedSource.Number?
    if message.direction == .advertise {
      (sources, number) = advertised(message, payload, row, batch)
      if sources.isEmpty, !distrusted.isEmpty { return }
    }
    // An input report that became zeros is not changed again, whatever a profile decodes in it or beside it.
    if sources.indices.contains(where: { sources[$0].isSilent }) {
      sources.removeAll(where: \.isSilent)
      if sources.isEmpty { return }
    }
    guard message.kind == .message, message.messageNumber >= 0 else {
      // A part of a message may be a part of a password.
      if message.profile.hasSecrets {
        hide(sources)
      } else if message.kind == .unjoined, !redaction.isKept(row, batch) {
        leaveOut(payload, of: sources)
      }
      return
    }
    // The value may belong to another attribute, whose request was missed, or be vendor-specific: it is no message of this one.
    func fits(_ uuid: UInt16) -> Bool { AllowedFields.fits(uuid, payload.count) { payload } }
    let isOther =
      message.direction != .advertise
      && message.sourceUUIDs.contains {
        guard let uuid = $0.short16, case let longest = AllowedFields.longest(uuid), (1..<Int.max).contains(longest) else { return false }
        return !fits(uuid)
      }
    if isOther || redaction.isKept(row, batch) { return }
    message.spendStepsOfWriting(sources.indices.reduce(0) { $0 + sources[$1].bytes.count }, packets: sources.count)
    let framing = message.framing
    let decoded = DecodedPackets(message, sources, work: &redaction.work)
    let values = decoded?.values ?? sources
    /// Keeps nothing of a message that cannot be decoded and encoded again.
    func replaceAll() {
      if message.profile.hasSecrets { hide(sources) }
      if message.isComplete { redaction.unrepaired.add(message.frames.first ?? row.frame) }
    }
    guard let spans = MessageRewrite.spans(of: message, framing, payload, in: values, work: &redaction.work) else { return replaceAll() }
    let isSecret = isOfSecret(message, row, batch)
    // A value that is longer than the standard allows belongs to another attribute.
    // Values of harmless attributes were checked before.
    let isStandard = message.sourceUUIDs.contains {
      $0.short16.map { (0x2A00...0x2CFF).contains($0) && (AllowedFields.longest($0) == 0 || !fits($0)) } ?? false
    }
    let isDoubtful = message.checksum == .bad || !message.isComplete || message.problem != nil || isStandard && message.surplus > 0
    var judge = messageJudge
    judge.begin(
      message.profile, source: message.source, payload, isShipped: redaction.isShipped(message.profile),
      keepsValues: redaction.options.keepsValues, isSecret: isSecret, isDoubtful: isDoubtful, isStandard: isStandard,
      isProven: message.checksum == .ok, isResponse: message.replyTo != nil, startMarkerCount: message.startMarkerCount(of: payload),
      advertiser: message.direction == .advertise ? message.advertiser : nil)
    message.visitFields(&judge)
    // Data under unassigned or shared numbers may be anything: without evidence for the profile nothing of them is kept.
    if message.direction == .advertise, !redaction.options.keepsValues, !judge.fields.contains(where: \.isWanted),
      !redaction.isProven(message, payload, under: number, judge)
    {
      redaction.unproven[message.profile.id, default: 0] += 1
      return
    }
    // A message of numbers that reads as text may be the response to a missed request, or other data under the UUID: nothing of it is kept.
    var isText: Bool { Pseudonyms.readsAsText(payload) || decoded != nil && sources.contains { Pseudonyms.readsAsText($0.bytes) } }
    let isUncertain = payload.count > 4 && judge.isOfNumbers && message.checksum != .ok
    if isUncertain, isText { return }
    let frame = message.frames.first ?? row.frame
    // The rewrite changes its values: it copies them if somebody else has them, too.
    let received = decoded == nil ? [] : sources
    sources = []
    let rewrite = MessageRewrite(
      message, framing, payload, in: consume values, decoded: decoded, at: spans, judge, isSecret: isSecret, frame: frame, redaction)
    rewrite.framePackets()
    rewrite.replaceUnclaimed()
    rewrite.replaceFields()
    rewrite.replaceChecks()
    // The redacted message must not read as text either: a check of the output would then find no message.
    if isUncertain, rewrite.mayReadAsText, Pseudonyms.readsAsText(rewrite.parts.flatMap(\.bytes)) { return }
    // Nothing of a doubtful message is kept, not even its header, where the kept parts read as text.
    if isDoubtful, rewrite.leavesText { return }
    guard rewrite.encode(received) else {
      sources = received
      return replaceAll()
    }
    listNeighbours(rewrite.judge, frame)
    if message.direction == .advertise {
      // Only the bytes that the profile decoded belong to the message.
      for (span, bytes) in rewrite.parts { put(bytes, rewrite.sources[span.packet].pieces.cut(span.offset, span.count), isWhole: true) }
      return
    }
    rewrite.repairChecks()
    keep(rewrite)
  }

  /// The value that completed a message, where its packet has several and this one contains its payload.
  private func valueWith(_ payload: [UInt8], of message: ProfileMessage) -> RecentValues.Value? {
    guard rowEvents.count > 1, message.valueNumber >= 0, message.frames.count == 1, let frame = message.frames.first,
      let value = recent.value(message.valueNumber, of: frame, count: rowEvents.count)
    else { return nil }
    redaction.work &+= 1
    return MessageRewrite.spans(of: message, message.framing, payload, in: [value], work: &redaction.work) == nil ? nil : value
  }

  /// Replaces the bytes that belong to no message, and all other bytes that follow the last message in their packets, until another message is found
  /// there: its header begins after them.
  private func leaveOut(_ payload: [UInt8], of sources: [RecentValues.Value]) {
    guard !redaction.options.keepsValues else { return }
    let spans = sources.count > 1 ? MessageRewrite.spans(of: payload, in: sources, work: &redaction.work) ?? [] : []
    for (number, value) in sources.enumerated() where value.isKept {
      var value = value
      let last = max(value.end, value.claimed)
      let start = value.rest ?? (value.hasMessage ? value.bytes.count : last)
      guard start < value.bytes.count else { continue }
      value.rest = start
      // Of equal bytes in one packet the first are meant: a message may end with the others.
      if sources.count == 1, let found = value.bytes[last...].firstRange(of: payload) {
        value.claimed = found.upperBound
      } else if sources.count > 1, let span = spans.first(where: { $0.packet == number }) {
        value.claimed = max(value.claimed, span.offset + span.count)
      }
      redaction.work &+= value.bytes.count
      recent.update(value)
    }
  }

  private func replace(_ range: Range<Int>, of value: inout RecentValues.Value) {
    redaction.work &+= range.count
    value.written.replaceSubrange(range, with: redaction.replacement(.value, Array(value.bytes[range])))
  }

  /// Writes the packets of a message.
  private func keep(_ rewrite: MessageRewrite) {
    var sources = rewrite.sources
    // Other values of the same packet belong to other attributes: where values are kept, only those of this attribute are.
    for number in sources.indices where !rewrite.writesPartsOnly || rewrite.hasPart(in: number) {
      sources[number].written = rewrite.packets[number]
      sources[number].hasMessage = true
      // Until the rest is decided, it has the replacement of the complete value.
      if let rest = sources[number].rest {
        put(Array(rewrite.packets[number][..<rest]), sources[number].pieces.cut(0, rest), isWhole: true)
      } else {
        put(rewrite.packets[number], sources[number].pieces, isWhole: true)
      }
      recent.update(sources[number])
    }
  }

  /// Replaces the bytes behind the last messages of values, and values without a message.
  private func replaceRests() {
    for var value in recent.takeOpen() {
      guard let rest = value.rest else { continue }
      let range = rest..<value.bytes.count
      replace(range, of: &value)
      put(value.written, value.pieces, isWhole: value.hasMessage)
      value.rest = nil
      recent.update(value)
      guard value.hasMessage, rest > 0, case let pieces = value.pieces.cut(rest, range.count), let last = pieces.last,
        let (packets, index) = waiting(last.frame)
      else { continue }
      let start = packets.bytes(index).lowerBound + last.offset
      let joined = pieces.count > 1 ? Array(value.bytes[range]) : nil
      packets.note(WaitingPackets.Value(range: start..<start + last.count, kind: .unknown, field: "bytes behind a message", joined: joined))
    }
  }

  /// Whether the values of a message's attribute are names, keys or identities.
  private func isOfSecret(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) -> Bool {
    // Shipped profiles mark the secret fields of a broadcast's state themselves.
    let isSecret = redaction.isShipped(message.profile) ? AllowedFields.isSecretThroughout : AllowedFields.isSecret
    if message.sourceUUIDs.contains(where: { $0.short16.map(isSecret) ?? false }) { return true }
    guard row.attribute >= 0, Int(row.attribute) < batch.tables.attributes.count else { return false }
    return batch.tables.type(of: batch.tables.attributes[Int(row.attribute)])?.short16.map(isSecret) ?? false
  }

  /// Lists runs of fields that are kept: a single one reveals nothing, many could.
  private func listNeighbours(_ judge: MessageJudge, _ frame: Int) {
    guard redaction.options.isDetailed else { return }
    var run: (field: MessageJudge.Judged, range: Range<Int>)?
    func end() {
      guard let run, let rule = run.field.rule, run.range.count > run.field.range.count else { return }
      redaction.keeps(rule, profile: "\(judge.title(run.field)) …", run.range.count, frame)
    }
    for field in judge.fields.filter({ $0.rule != nil && !$0.range.isEmpty }).sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      if let last = run, field.range.lowerBound <= last.range.upperBound {
        run?.range = last.range.lowerBound..<max(last.range.upperBound, field.range.upperBound)
        continue
      }
      end()
      run = (field, field.range)
    }
    end()
  }

  /// Replaces values as a whole, except for messages that were found in them before.
  private func hide(_ values: [RecentValues.Value]) {
    for var value in values {
      let start = min(value.rest ?? .max, max(value.end, value.claimed))
      guard start < value.bytes.count else { continue }
      guard value.isKept else {
        replace(start..<value.bytes.count, of: &value)
        put(value.written, value.pieces)
        continue
      }
      value.rest = start
      recent.update(value)
    }
  }

  /// The advertising data of a row that contain a message's payload, in the message's structure, and the company or service that they belong to.
  private func advertised(
    _ message: ProfileMessage, _ payload: [UInt8], _ row: PacketRow, _ batch: RowBatch
  ) -> ([RecentValues.Value], AdvertisedSource.Number?) {
    guard !payload.isEmpty else { return ([], nil) }
    for number in rowEvents {
      let event = batch.valueEvents[number]
      guard event.source == .advertisement, event.bytes.count >= payload.count, !distrusted.contains(number) else { continue }
      // The report of another device in the same event may have the same data.
      guard event.address == message.advertiser else { continue }
      let bytes = Array(event.bytes)
      guard let start = Self.start(of: payload, in: bytes, message.advertisedRange) else { continue }
      let value = RecentValues.Value(payload, batch.pieces(of: event.bytes.slice(start, payload.count), in: Int(row.record)))
      return ([value], Self.number(of: start, in: bytes))
    }
    return ([], nil)
  }

  /// The company or service of the advertising structure at an offset. Nil for other structures.
  private static func number(of offset: Int, in bytes: [UInt8]) -> AdvertisedSource.Number? {
    var cursor = AdvertisingData.Cursor(0..<bytes.count, in: bytes.rawSpan)
    while let structure = cursor.next(bytes.rawSpan), !structure.isCut {
      let (kind, at) = (structure.kind.rawValue, structure.data.lowerBound)
      guard offset < structure.data.upperBound else { continue }
      let size =
        switch kind {
        case 0x16, 0xFF: 2
        case 0x20: 4
        case 0x21: 16
        default: 0
        }
      guard size > 0, size <= structure.data.count else { return nil }
      let short = UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8
      if size == 2 { return kind == 0xFF ? .company(short) : .service(BluetoothUUID(short)) }
      return BluetoothUUID(Array(bytes[at..<at + size]), false).map { .service($0) }
    }
    return nil
  }

  /// The offset of a payload in advertising data: at the end of `range`, if it is there. Data of a company or a service extend to the end of their
  /// structure; names that end with the same bytes are left out. A short payload may be found elsewhere, too.
  private static func start(of payload: [UInt8], in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    func isHere(_ start: Int) -> Bool { start >= 0 && bytes[start..<start + payload.count].elementsEqual(payload) }
    if payload.count <= range.count, range.upperBound <= bytes.count, isHere(range.upperBound - payload.count) {
      return range.upperBound - payload.count
    }
    var data: [Range<Int>] = []
    var others: [Range<Int>] = []
    var cursor = AdvertisingData.Cursor(0..<bytes.count, in: bytes.rawSpan)
    while let structure = cursor.next(bytes.rawSpan), !structure.isCut {
      guard structure.data.count >= payload.count else { continue }
      switch structure.kind.rawValue {
      case 0x16, 0x20, 0x21, 0xFF: data.append(structure.data)
      case 0x08, 0x09, 0x30: break
      default: others.append(structure.data)
      }
    }
    for ranges in [data, others] {
      if let range = ranges.first(where: { isHere($0.upperBound - payload.count) }) { return range.upperBound - payload.count }
    }
    for range in data { if let start = (range.lowerBound...range.upperBound - payload.count).first(where: isHere) { return start } }
    return (0...bytes.count - payload.count).first(where: isHere)
  }

  // MARK: Writing

  /// Redacts a system note: its text is replaced by a constant one, names of programs by pseudonyms.
  private func note(_ index: Int, _ packets: WaitingPackets) {
    let range = packets.bytes(index)
    let packet = packets.records[index]
    let payload = min(range.lowerBound + packet.payload, range.upperBound)
    let bytes = Array(packets.original[payload..<range.upperBound])
    if redaction.options.keepsTexts {
      packets.keep(payload..<range.upperBound)
      redaction.keeps(.option, "note", "text", bytes.count, packet.frame)
      return
    }
    let text = packet.kind.textRange(bytes)
    // Priority and length, or a process ID and a kind.
    let fixed = packet.kind == .userLogging ? 2 : packet.kind == .syslog ? 5 : 0
    packets.keep(payload..<payload + min(fixed, bytes.count))
    // Names, each up to a NUL.
    var start = min(fixed, bytes.count)
    while start < text.lowerBound {
      let stop = bytes[start..<text.lowerBound].firstIndex(of: 0) ?? text.lowerBound
      let name = Array(bytes[start..<stop])
      packets.put(redaction.replacement(.value, name)[...], at: payload + start)
      if !name.isEmpty, !redaction.isHarmless(.value, name) { redaction.count(.name, "note", packet.frame) { name } }
      if stop < text.lowerBound { packets.keep(payload + stop..<payload + stop + 1) }
      start = stop + 1
    }
    let remark = Array(bytes[text].prefix { $0 != 0 })
    // The note of an earlier redaction is replaced by the new one.
    let isOfProgram = remark.starts(with: Redaction.noteStart.utf8)
    // If the new note fits there, no other one is written at the end.
    let opening = isOfProgram ? Array(redaction.note.utf8.prefix(remark.count)) : []
    if isOfProgram, redaction.note.utf8.count <= remark.count { hasNote = true }
    let rest = isOfProgram ? [UInt8](repeating: UInt8(ascii: "."), count: remark.count - opening.count) : Pseudonyms.text(remark.count)
    let filled = [UInt8](repeating: 0, count: text.count - remark.count)
    packets.put((opening + rest + filled)[...], at: payload + text.lowerBound)
    let behind = bytes[text].dropFirst(remark.count)
    let isNote = isOfProgram && redaction.isNote(String(decoding: remark, as: UTF8.self)) || Pseudonyms.isText(remark)
    if !isNote || behind.contains(where: { $0 != 0 }) {
      redaction.count(.text, "note", packet.frame) { Array(bytes[text]) }
    }
  }

  private func writeOldest() throws {
    if let last = window.first?.records.last?.frame {
      for echo in echoes.upTo(last) { repeatOutput(echo) }
    }
    let packets = window.removeFirst()
    var next = 0
    for (index, packet) in packets.records.enumerated() {
      let range = packets.bytes(index)
      while next < packets.values.count, packets.values[next].range.lowerBound < range.upperBound {
        let value = packets.values[next]
        next += 1
        func old() -> [UInt8] { value.joined ?? Array(packets.original[value.range]) }
        let isHarmless =
          if value.joined == nil, !redaction.options.isDetailed { Redaction.areZeros(packets.original[value.range]) } else {
            redaction.isHarmless(value.treatment, old())
          }
        if !isHarmless { redaction.count(value.kind, value.field, packet.frame, old) }
      }
    }
    packets.release()
    for index in packets.records.indices { decide(index, packets) }
    frameChecks.fill(packets)
    let format = source.format
    for index in packets.records.indices { try write(index, packets, format) }
  }

  /// Overwrites a response that repeats a part of a value with the new bytes of that part.
  private func repeatOutput(_ echo: PreparedEchoes.Echo) {
    var output: [UInt8] = []
    for piece in echo.request {
      guard let (packets, index) = waiting(piece.frame) else { return }
      let start = packets.bytes(index).lowerBound + piece.offset
      guard piece.offset >= 0, start + piece.count <= packets.bytes(index).upperBound else { return }
      output += packets.output[start..<start + piece.count]
    }
    put(output, echo.response, isWhole: true)
  }

  /// Replaces undecided bytes.
  private func decide(_ index: Int, _ packets: WaitingPackets) {
    let packet = packets.records[index]
    let range = packets.bytes(index)
    if packet.kind == .linkLayer { retransmissions.take(packet, range, packets) }
    var at = range.lowerBound
    while true {
      at = packets.undecided(from: at, to: range.upperBound)
      if at >= range.upperBound { break }
      let stop = packets.decided(from: at, to: range.upperBound)
      let old = Array(packets.original[at..<stop])
      if redaction.options.keepsUnknown {
        redaction.keeps(.option, "packet", "bytes without a field", old.count, packet.frame)
      } else {
        packets.put(redaction.replacement(.value, old)[...], at: at)
        if !redaction.isHarmless(.value, old) { redaction.count(.unknown, "bytes without a field", packet.frame) { old } }
      }
      at = stop
    }
  }

  /// Corrects the checksums of a packet, and writes it.
  private func write(_ index: Int, _ packets: WaitingPackets, _ format: CaptureFormat) throws {
    let packet = packets.records[index]
    let range = packets.bytes(index)
    let comments = packets.notes.isEmpty ? [] : packets.notes.filter { $0.record == index }.map { comment($0, packet.frame) }
    guard let writer else { return }
    let origin =
      packets.origins.indices.contains(Int(packet.interface))
      ? packets.origins[Int(packet.interface)] : CaptureInterface(linkType: -1)
    guard ChecksumRepair.mayHaveCheck(packet, packets.original[range]) else {
      let output = packets.output
      let whole = output.rawSpan
      try writer.write(packet, bytes: whole.extracting(range), origin: origin, format: format, comments: comments)
      return
    }
    var bytes = Array(packets.output[range])
    let original = Array(packets.original[range])
    // A wrong CRC that was replaced is not corrected.
    let isReplaced = packet.kind == .linkLayer && original.suffix(packet.fixedTrailer) != bytes.suffix(packet.fixedTrailer)
    if original != bytes && !isReplaced || packet.kind == .baseband { ChecksumRepair.repair(&bytes, packet, original, redaction.checks) }
    try writer.write(packet, bytes: bytes.rawSpan, origin: origin, format: format, comments: comments)
  }

  private func comment(_ note: PacketNote, _ frame: Int) -> ArraySlice<UInt8> {
    if redaction.options.keepsTexts {
      redaction.keeps(.option, "packet", "comment", note.text.utf8.count, frame)
      return Array(note.text.utf8)[...]
    }
    if !Pseudonyms.isText(note.text.utf8) { redaction.count(.text, "comment", frame) { Array(note.text.utf8) } }
    return Pseudonyms.text(note.text.utf8.count)[...]
  }
}
