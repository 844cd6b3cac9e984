import BothSides
import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles
@_spi(Pipeline) import Analysis
import Memory
import Text

/// The content of a report about a capture, gathered from its rows in one pass: HTML and Markdown are written from it.
///
/// ``summary`` has the overview (capture, adapters, devices, connections, GATT tables, listening, findings); this class adds the operations, the
/// messages with their fields and bytes, the kinds of messages, pairs of request and response, and numbers over time. Memory is bounded: of
/// operations and messages the first ``Options/entries`` are kept, all else is counted to the end.
public final class Report: EventSink {
  /// What a report includes.
  public struct Options: Sendable {
    /// Limits the report to this characteristic: a profile's name, a name, a UUID, or a handle (`0x0036`).
    public var characteristic: String?
    /// Leaves out earlier packets.
    public var from: TimePoint?
    /// Leaves out later packets.
    public var to: TimePoint?
    /// Most operations, and most messages, that are kept.
    public var entries = 100_000
    /// Whether operations and messages are kept for lists of all. Otherwise messages are counted, each kind has an example, and the first operations
    /// are kept.
    public var listsAll = true
    /// The filter and time range of the report in words; shown in its head.
    public var narrowed: [String] = []
    /// Sniffers' results about the capture's packets.
    public var air: AirSide?
    /// Profiles that decode what devices advertised; nil for none.
    public var profiles: ProfileSet?

    /// A report about everything.
    public init() {}
  }

  /// Most bytes that are kept of a message.
  public static let keptBytes = 4096
  /// Most bytes of a text that are shown.
  static let shownText = 256
  /// Most packets that are kept of a message.
  public static let keptPackets = 64
  /// Positions whose bytes are compared.
  public static let columns = 64
  /// Most bytes of messages that are kept in all.
  static let maxBytes = 64 << 20
  /// Most fields of layouts, fields whose values are counted, and series of numbers, in total.
  static let maxFields = 100_000, maxStatistics = 16_384, maxSeries = 2048
  /// Most layouts of fields, and most bytes of their names.
  static let maxLayouts = 20_000, maxLayoutBytes = 1 << 24
  /// Most kinds of messages.
  public static let maximumKinds = 2048
  /// Most kinds per source and direction that are distinguished by the first field's value or the first byte.
  static let maximumVariants = 48

  /// The options of the report.
  public let options: Options
  /// Capture, adapters, devices, connections, traffic, listening, findings, how the run ended.
  public private(set) var summary = Summary()
  /// Operations in the order they began.
  public private(set) var operations: [Operation] = []
  /// Operations that are not in ``operations``.
  public private(set) var operationsLeftOut = 0
  /// How many of all operations did not succeed.
  public private(set) var failures = OperationFailures()
  /// Messages in the order of the frames that completed them. Of a repeated advertisement only the first.
  public private(set) var messages: [ReportMessage] = []
  /// Messages from the first on for which there was no room; 0 where the report has no list of all.
  public private(set) var messagesLeftOut = 0
  /// Advertisements with the same content as the previous one of their device, which are only counted.
  public private(set) var repeatedAdvertisements = 0
  /// Layouts of fields.
  public private(set) var layouts: [ReportLayout] = []
  /// The characteristics, descriptors, advertisements and channels of the messages.
  public private(set) var sources: [ReportSource] = []
  /// Kinds of messages.
  public private(set) var kinds: [ReportKind] = []
  /// Pairs of request and response kinds, the most frequent first.
  public private(set) var exchanges: [ReportExchange] = []
  /// Bytes of all PDUs of connections over time: sent by this host, and received.
  public private(set) var throughput = (sent: ReportBuckets(), received: ReportBuckets())
  /// Signal strengths of devices, in the order of their first packet.
  public private(set) var signals: [ReportSignal] = []
  /// The profiles that made messages, by id, with their titles.
  public private(set) var profiles: [(id: String, title: String)] = []
  /// Number of rows and messages of the requested characteristic.
  public private(set) var matched = 0

  /// Descriptions of streams that no profile decodes; set by the caller.
  public var unknown: [UnknownStreamLine] = []

  private var first: Int64?
  /// How much of each bound above is used, and how many series may still be started.
  private var (keptSize, layoutFields, layoutBytes, statisticsCount, seriesLeft) = (0, 0, 0, 0, Report.maxSeries)
  private var sourceOfAttribute = HashIndex()
  private var sourceOfName: [SourceName: Int] = [:]
  private var groups: [KindGroup] = []
  private var groupOf = HashIndex()
  private var layoutSignatures = ReportLayoutSignatures()
  private var walk = ReportFieldsVisitor()
  private let words = MessageWords()
  private var exchangeOf = HashIndex()
  private var signalOf: [UInt64: Int] = [:]
  private var wanted: [Int32: Bool] = [:]
  private var lastAdvertised: [UInt64: UInt64] = [:]
  private let advertisedKey = HashKey()
  /// Kinds of the last requests by frame, to find them for a response.
  private var requests = FrameRing<Int>(bound: 4096)
  /// Values whose messages are not complete yet, by frame.
  private var parts = FrameRing<[UInt8]>(bound: 4096)
  /// The last value: it becomes a message of its own unless a profile decodes it.
  private var pending: (row: PacketRow, bytes: PDUBytes)?
  /// The last write over each connection, until a value comes back.
  private var lastWrites: [Int32: (kind: Int, frame: Int, time: Int64)] = [:]

  /// A source that is no attribute, or the attribute of a database.
  private struct SourceName: Hashable {
    /// Id of the profile; empty for an attribute.
    var profile = ""
    var name: String
  }

  /// The kinds of one message of a profile (or of the values that no profile knows) over one source in one direction.
  private struct KindGroup {
    /// ``ProfileMessage/kindNumber``, or ``raw``.
    let message: Int
    /// The number of values that no profile decodes.
    static let raw = -3
    /// The kinds by what distinguishes them: the first field's value or the first byte; at most ``maximumVariants``.
    var variants: [(value: Int64, kind: Int)] = []
    /// The kind of all other messages; nil before the first.
    var others: Int?
  }

  /// A report with `options`.
  public init(_ options: Options = Options()) {
    self.options = options
    summary = Summary(onOperation: { [unowned self] operation, _ in keep(operation) }) { [unowned self] in
      operations.count < maxOperations && operationTexts < Self.maxOperationTexts
    }
  }

  // MARK: Rows

  /// Starts a capture.
  public func begin(_ facts: CaptureFacts) {
    first = facts.first
    summary.begin(facts)
  }

  /// Keeps a profile's name for an attribute.
  public func attribute(_ attribute: ProfileAttribute) {
    summary.attribute(attribute)
    wanted[attribute.index] = nil
  }

  private func holds(_ time: Int64) -> Bool {
    let start = first ?? time
    first = start
    if let from = options.from, time < from.time(start: start) { return false }
    if let to = options.to, time > to.time(start: start) { return false }
    return true
  }

  /// Whether an attribute belongs to the requested characteristic.
  private func isWanted(_ attribute: Int32, _ tables: ConversationTables) -> Bool {
    guard let requested = options.characteristic else { return true }
    guard attribute >= 0 else { return false }
    if let known = wanted[attribute] { return known }
    let owner = tables.characteristic(of: attribute)
    let number = owner >= 0 ? owner : attribute
    let value = tables.attributes[Int(number)]
    var names = [summary.names[number] ?? ""]
    names.append("0x" + hex(UInt64(value.handle), 4))
    if value.uuid >= 0 {
      let uuid = tables.uuids[Int(value.uuid)]
      names.append(uuid.description)
      names.append("0x" + uuid.description)
      if let name = uuid.attributeName() { names.append(name.description) }
    }
    let isIt = names.contains { !$0.isEmpty && $0.lowercased() == requested.lowercased() }
    wanted[attribute] = isIt
    return isIt
  }

  /// Takes a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
    if pending != nil { commit(batch.tables) }
    guard holds(row.time) else { return }
    if row.flags.contains(.hasAttribute), options.characteristic != nil {
      guard isWanted(row.attribute, batch.tables) else { return }
      matched += 1
    }
    summary.packet(row, batch, isPart: isPart)
    if row.connection >= 0, !row.flags.contains(.part) {
      if row.direction == .sent || row.direction == .central {
        throughput.sent.add(row.pdu.count, at: row.time)
      } else if row.direction == .received || row.direction == .peripheral {
        throughput.received.add(row.pdu.count, at: row.time)
      }
    }
    if row.meaning == .advertises || row.meaning == .noise { signal(row, batch) }
    guard row.layer == .att, row.attribute >= 0 else { return }
    let bytes = row.flags.contains(.hasAssembled) ? row.assembled : row.value
    switch row.meaning {
    case .write, .writeCommand, .notify, .indicate, .readValue:
      guard row.flags.contains(.hasValue) || row.flags.contains(.hasAssembled) else { return }
      if isPart { parts[row.frame] = Array(bytes.prefix(Report.keptBytes)) } else { pending = (row, bytes) }
    default: break
    }
  }

  /// Makes a raw message of the last value, which no profile decoded.
  private func commit(_ tables: @autoclosure () -> ConversationTables) {
    guard let (row, bytes) = pending else { return }
    pending = nil
    // Prepared writes and long reads are added when they are complete.
    if row.attOpcode == .prepareWriteRequest || row.attOpcode == .prepareWriteResponse { return }
    guard let source = source(row.attribute, row, tables()) else { return }
    var message = message(row)
    message.flags.insert(.raw)
    message.payloadCount = bytes.count
    let direction = direction(row)
    guard let (kind, isVariant) = kind(source, direction, message: KindGroup.raw, variant: bytes.u8(0).map { Int64($0) }, name: nil) else {
      return
    }
    message.kind = kind
    if isVariant { kinds[kind].firstByte = bytes.u8(0) }
    kinds[kind].count(message, bytes)
    pair(message, direction)
    guard canKeep || kinds[kind].wantsExample(message.flags) else {
      messagesLeftOut += options.listsAll ? 1 : 0
      return
    }
    message.payload = Array(bytes.prefix(Report.keptBytes))
    if bytes.isReadable {
      let words = TextBuffer()
      words.quoted(bytes, limit: Report.shownText, Style())
      message.text = unsafe Array(words.gathered)
    }
    keep(message)
  }

  private func message(_ row: PacketRow) -> ReportMessage {
    var message = ReportMessage()
    message.frame = row.frame
    message.time = row.time
    message.connection = row.connection
    message.peer = row.peer
    if row.direction == .sent || row.direction == .central { message.flags.insert(.sent) }
    return message
  }

  private func direction(_ row: PacketRow) -> Profiles.ValueDirection {
    switch row.meaning {
    case .notify: .notify
    case .indicate: .indicate
    case .readValue: .read
    default: .write
    }
  }

  /// Whether another message may be listed. The list ends with the first message for which there is no room.
  private var canKeep: Bool { options.listsAll && messagesLeftOut == 0 && messages.count < options.entries }

  /// Makes a message the example of its kind where it is a better one, and adds it to the list.
  private func keep(_ message: consuming ReportMessage, isListed: Bool = true) {
    if kinds[message.kind].wantsExample(message.flags) { kinds[message.kind].example = copy message }
    guard isListed, options.listsAll else { return }
    let size = message.size
    guard canKeep, keptSize + size <= Self.maxBytes else {
      messagesLeftOut += 1
      return
    }
    keptSize += size
    messages.append(message)
  }

  /// Bytes of the texts of the kept operations' messages, and the most of them.
  private var operationTexts = 0
  private static let maxOperationTexts = 16 << 20

  private var maxOperations: Int { options.listsAll ? options.entries : min(options.entries, ReportBuilder.Limits.steps) }

  private func keep(_ operation: Operation) {
    failures.count(operation.ending, operation.kind)
    guard operations.count < maxOperations, operationTexts + operation.textCount <= Self.maxOperationTexts else {
      operationsLeftOut += 1
      return
    }
    operationTexts += operation.textCount
    operations.append(operation)
  }

  private func signal(_ row: PacketRow, _ batch: RowBatch) {
    if row.carriesReports {
      row.forEachReport { signal($0.signal, of: $0.address, $0.addressType, row, batch) }
    } else if row.layer == .advertisingPDU, !row.flags.contains(.badCRC), unsafe batch.packets.records.indices.contains(Int(row.record)) {
      // Sniffers record the signal strength with the packet.
      guard let strength = unsafe batch.packets.records[Int(row.record)].radio.strength, let address = Advertisement.address(row) else {
        return
      }
      signal(strength, of: address, (row.pdu.u8(0) ?? 0) >> 6 & 1, row, batch)
    }
  }

  private func signal(_ strength: Int8, of address: UInt64, _ type: UInt8, _ row: PacketRow, _ batch: RowBatch) {
    guard strength != 127 else { return }
    let key = address | UInt64(type & 1) << 48
    let index: Int
    if let known = signalOf[key] {
      index = known
    } else {
      // Of many devices, the first ones are kept, and more of them if they have a name or a connection.
      guard signals.count < 32 || signals.count < 128 && batch.tables.knownPeer(address, type: type) >= 0 else { return }
      index = signals.count
      signals.append(ReportSignal(key: key))
      signalOf[key] = index
    }
    signals[index].count += 1
    signals[index].buckets.add(Int(strength), at: row.time)
  }

  /// Takes a message of a profile.
  @_spi(Pipeline) public func message(_ decoded: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    let value = pending
    pending = nil
    guard holds(row.time) else { return }
    if options.characteristic != nil {
      if row.attribute >= 0 {
        guard isWanted(row.attribute, batch.tables) else { return }
      } else {
        guard decoded.source == options.characteristic else { return }
        matched += 1
      }
    }
    summary.message(decoded, row, batch)
    guard let source = source(decoded, row, batch.tables) else { return }
    var message = message(row)
    if decoded.direction == .write { if row.layer != .att { message.flags.insert(.sent) } }
    if !decoded.isComplete { message.flags.insert(.incomplete) }
    if decoded.checksum == .bad { message.flags.insert(.badChecksum) }
    if decoded.checksum == .ok { message.flags.insert(.goodChecksum) }
    if decoded.kind == .unjoined { message.flags.insert(.unjoined) }
    if decoded.kind == .message, decoded.messageNumber < 0 || decoded.problem != nil { message.flags.insert(.notUnderstood) }
    if decoded.isRequest { message.flags.insert(.request) }
    message.replyTo = decoded.replyTo ?? 0
    message.latency = decoded.latency
    message.payloadCount = decoded.payload.count
    walk.begin()
    if decoded.kind == .message { decoded.visitFields(&walk) }
    message.packetCount = walk.secrets.isEmpty ? decoded.frames.count : 1
    let hasPackets = walk.secrets.isEmpty && keepPart(of: decoded, value)
    guard let kind = kind(decoded, source, walk.lead) else { return }
    message.kind = kind
    // The bytes are copied for a message that is kept, and where secrets in them are replaced.
    let wantsExample = kinds[kind].wantsExample(message.flags)
    let isKept = canKeep || wantsExample
    // Without the parts that are kept: a copy would retain each of them.
    let counted = message
    if isKept, hasPackets { message.packets = packets(of: decoded) }
    if isKept || !walk.secrets.isEmpty {
      message.payload = Array(decoded.payload.prefix(Report.keptBytes))
      for range in walk.secrets { for at in range.clamped(to: 0..<message.payload.count) { message.payload[at] = 0 } }
    }
    fields(&message, decoded, isKept: isKept)
    func count(_ bytes: BorrowedBytes) -> Bool {
      kinds[kind].count(counted, bytes)
      answers(counted)
      return decoded.direction == .advertise && self.isRepeated(bytes, kind, row)
    }
    let isRepeated =
      message.payload.isEmpty ? count(decoded.payload.slice(0, Report.keptBytes)) : message.payload.withBorrowedBytes(count)
    guard isKept else {
      messagesLeftOut += options.listsAll && !isRepeated ? 1 : 0
      return
    }
    if decoded.hasProblem { decoded.appendProblem(to: &message.problem) }
    words.format(decoded) { message.text = Array($0) }
    keep(message, isListed: !isRepeated)
  }

  /// Keeps the value of the last packet of a message, where it differs from the payload. Returns whether the packets of the message are shown.
  private func keepPart(of decoded: ProfileMessage, _ value: (row: PacketRow, bytes: PDUBytes)?) -> Bool {
    guard let value else { return true }
    if !value.bytes.elementsEqual(decoded.payload) {
      parts[value.row.frame] = Array(value.bytes.prefix(Report.keptBytes))
      return true
    }
    return decoded.frames.count > 1
  }

  /// The packets of a message.
  private func packets(of decoded: ProfileMessage) -> [(frame: Int, bytes: [UInt8])] {
    let packets = decoded.frames.prefix(Report.keptPackets).compactMap { frame in parts[frame].map { (frame: frame, bytes: $0) } }
    return packets.count == 1 && packets[0].bytes.isEmpty ? [] : packets
  }

  private func fields(_ message: inout ReportMessage, _ decoded: ProfileMessage, isKept: Bool) {
    guard !walk.entries.isEmpty else { return }
    let end = walk.values.count
    walk.values.byte(UInt8(ascii: "]"))
    walk.signature.unsigned(UInt64(message.kind))
    if let known = layoutSignatures.number(of: walk.signature.bytes) {
      message.layout = known
    } else if layouts.count < Self.maxLayouts, layoutFields < Self.maxFields, layoutBytes + walk.signature.count <= Self.maxLayoutBytes {
      layoutBytes += walk.signature.count
      let last = kinds[message.kind].lastLayout
      var visitor = ReportLayoutVisitor(model: last < 0 ? [] : layouts[last].fields)
      decoded.visitFields(&visitor)
      layoutFields += visitor.fields.count
      var layout = ReportLayout(kind: message.kind, fields: visitor.fields)
      // A field with the same names as in the previous layout shares its statistics.
      layout.statistics = visitor.fields.indices.map {
        let field = visitor.fields[$0]
        return visitor.isOfModel[$0] && !layouts[last].fields[$0].isContainer && !field.isContainer
          ? layouts[last].statistics[$0] : statistics(message.kind, field)
      }
      kinds[message.kind].lastLayout = layouts.count
      layouts.append(layout)
      layoutSignatures.add(walk.signature.bytes)
      message.layout = layouts.count - 1
    } else {
      return
    }
    if isKept { message.values = Array(walk.values.bytes) }
    let indices = layouts[message.layout].statistics
    let values = walk.values.bytes
    // The statistics are moved out of their kind for the loop: in place, each field would check twice that no copy shares them.
    var fields: [ReportFieldStatistics] = []
    swap(&fields, &kinds[message.kind].fields)
    for index in 0..<min(indices.count, walk.entries.count) where indices[index] >= 0 {
      let stop = index + 1 < walk.entries.count ? walk.entries[index + 1].start - 1 : end
      let (start, number) = walk.entries[index]
      fields[indices[index]].add(values.part(start..<stop), number, message.peer, message.time, &seriesLeft)
    }
    swap(&fields, &kinds[message.kind].fields)
  }

  private func statistics(_ kind: Int, _ field: ReportLayout.Field) -> Int {
    if field.isContainer { return -1 }
    if let known = kinds[kind].indices[field.path] { return known }
    guard kinds[kind].fields.count < 256, statisticsCount < Self.maxStatistics else { return -1 }
    statisticsCount += 1
    kinds[kind].indices[field.path] = kinds[kind].fields.count
    kinds[kind].fields.append(ReportFieldStatistics(field))
    return kinds[kind].fields.count - 1
  }

  private func isRepeated(_ payload: BorrowedBytes, _ kind: Int, _ row: PacketRow) -> Bool {
    let hash = payload.hash(key: advertisedKey)
    let key = (Advertisement.address(row) ?? 0) << 16 | UInt64(kind & 0xFFFF)
    if lastAdvertised[key] == hash {
      repeatedAdvertisements += 1
      return true
    }
    if lastAdvertised.count >= 8192 { lastAdvertised.removeAll(keepingCapacity: true) }
    lastAdvertised[key] = hash
    return false
  }

  // MARK: Sources and kinds

  private func source(_ attribute: Int32, _ row: PacketRow, _ known: @autoclosure () -> ConversationTables) -> Int? {
    let index = sourceOfAttribute[UInt64(UInt32(bitPattern: attribute))]
    if index >= 0 { return Int(index) }
    let tables = known()
    let entry = tables.attributes[Int(attribute)]
    var source = ReportSource()
    source.attribute = attribute
    source.handle = entry.handle
    source.isLocal = row.flags.contains(.localServer)
    var name = SourceName(name: "\(source.isLocal)")
    if entry.uuid >= 0 {
      source.uuid = tables.uuids[Int(entry.uuid)].description
      name.name += "/\(source.uuid)/\(entry.handle)"
    } else {
      name.name += "/\(entry.database)/\(entry.handle)"
    }
    guard let number = add(source, name) else { return nil }
    sourceOfAttribute.insert(Int32(truncatingIfNeeded: number), for: UInt64(UInt32(bitPattern: attribute)))
    return number
  }

  /// The index of the source with a name, which is added where there is none yet; nil where there are too many.
  private func add(_ source: @autoclosure () -> ReportSource, _ name: SourceName) -> Int? {
    if let known = sourceOfName[name] { return known }
    guard sources.count < 4096 else { return nil }
    sources.append(source())
    sourceOfName[name] = sources.count - 1
    return sources.count - 1
  }

  private func source(_ message: ProfileMessage, _ row: PacketRow, _ tables: @autoclosure () -> ConversationTables) -> Int? {
    let index: Int?
    if row.attribute >= 0, message.direction != .advertise {
      index = source(row.attribute, row, tables())
    } else if message.direction != .advertise, row.connection >= 0,
      // The end of a connection ends the messages of its attributes.
      let known = sources.firstIndex(where: {
        $0.attribute >= 0 && $0.profile?.id == message.profile.id && summary.names[$0.attribute] == message.source
      })
    {
      index = known
    } else {
      index = add(ReportSource(name: message.source), SourceName(profile: message.profile.id, name: message.source))
    }
    guard let index else { return nil }
    if sources[index].profile == nil {
      sources[index].profile = (message.profile.id, message.profile.title)
      if !profiles.contains(where: { $0.id == message.profile.id }) { profiles.append((message.profile.id, message.profile.title)) }
    }
    return index
  }

  private func kind(_ message: ProfileMessage, _ source: Int, _ lead: (name: String, value: Int64)?) -> Int? {
    func plain() -> String {
      (message.kind == .unjoined ? "bytes of no message" : message.name ?? "not understood").replacing("_", with: " ")
    }
    return kind(
      source, message.direction, message: message.kindNumber, variant: lead?.value,
      name: lead.map { "\(plain()) \u{00B7} \($0.name.isEmpty ? "\($0.value)" : $0.name.replacing("_", with: " "))" } ?? plain(), plain())?
      .kind
  }

  /// The kind of a message, and whether it is that of one variant; where there are too many variants, the kind of all others. Names are made for new
  /// kinds only: `name` for one variant, `plain` for the others.
  private func kind(
    _ source: Int, _ direction: Profiles.ValueDirection, message: Int, variant: Int64?, name: @autoclosure () -> String?,
    _ plain: @autoclosure () -> String? = nil
  ) -> (kind: Int, isVariant: Bool)? {
    let key = UInt64(source) << 40 | UInt64(direction.rawValue) << 32 | UInt64(UInt32(truncatingIfNeeded: message))
    var group = Int(groupOf[key])
    if group < 0 {
      guard kinds.count < Report.maximumKinds else { return nil }
      group = groups.count
      groups.append(KindGroup(message: message))
      groupOf.insert(Int32(truncatingIfNeeded: group), for: key)
    }
    if let variant {
      if let known = groups[group].variants.first(where: { $0.value == variant }) { return (known.kind, true) }
      if groups[group].variants.count < Report.maximumVariants {
        guard kinds.count < Report.maximumKinds else { return nil }
        groups[group].variants.append((variant, kinds.count))
        kinds.append(ReportKind(source: source, direction: direction, name: name()))
        return (kinds.count - 1, true)
      }
    }
    if let known = groups[group].others { return (known, false) }
    guard kinds.count < Report.maximumKinds else { return nil }
    groups[group].others = kinds.count
    kinds.append(ReportKind(source: source, direction: direction, name: variant == nil ? name() : plain()))
    return (kinds.count - 1, false)
  }

  // MARK: Answers

  private func answers(_ message: ReportMessage) {
    if message.flags.contains(.request) { requests[message.frame] = message.kind }
    guard message.replyTo > 0, let request = requests[message.replyTo] else { return }
    kinds[request].answered += 1
    exchange(request, message.kind, message, at: message.replyTo, isGuessed: false)
  }

  /// Without a profile: the first value after a write is taken as its probable response.
  private func pair(_ message: ReportMessage, _ direction: Profiles.ValueDirection) {
    guard message.connection >= 0 else { return }
    if direction == .write {
      lastWrites[message.connection] = (message.kind, message.frame, message.time)
    } else if direction != .read, let write = lastWrites[message.connection] {
      var answer = message
      answer.latency = message.time &- write.time
      if answer.latency >= 0, answer.latency < 3_000_000 { exchange(write.kind, message.kind, answer, at: write.frame, isGuessed: true) }
      lastWrites[message.connection] = nil
    }
  }

  private func exchange(_ request: Int, _ answer: Int, _ message: ReportMessage, at frame: Int, isGuessed: Bool) {
    let key = UInt64(request) << 32 | UInt64(answer)
    var index = Int(exchangeOf[key])
    if index < 0 {
      guard exchanges.count < 2048 else { return }
      index = exchanges.count
      exchanges.append(ReportExchange(request: request, answer: answer, isGuessed: isGuessed, example: (frame, message.frame)))
      exchangeOf.insert(Int32(truncatingIfNeeded: index), for: key)
    }
    exchanges[index].count += 1
    exchanges[index].slowest = max(exchanges[index].slowest, message.latency)
    if exchanges[index].latencies.count < 512 { exchanges[index].latencies.append(message.latency) }
  }

  // MARK: The rest

  /// Keeps a finding.
  public func finding(_ finding: Finding, _ batch: RowBatch) {
    guard holds(finding.time) else { return }
    if options.characteristic != nil, finding.attribute >= 0, !isWanted(finding.attribute, batch.tables) { return }
    summary.finding(finding, batch)
  }

  /// Makes a message of the last value before the batch's bytes are reused.
  public func batchDidEnd(_ batch: RowBatch) { commit(batch.tables) }

  /// Does nothing: the report is written at the end.
  public func flush() {}

  /// Ends the report: joins kinds, sets names, and sorts the exchanges.
  public func end(_ outcome: Outcome) {
    commit(outcome.tables)
    summary.end(outcome)
    joinKinds()
    name(outcome.tables)
    exchanges.sort { ($0.count, $1.example.request) > ($1.count, $0.example.request) }
    layoutSignatures = ReportLayoutSignatures()
    groups = []
    groupOf = HashIndex()
    sourceOfAttribute = HashIndex()
  }

  /// Joins kinds whose first byte differs with nearly every value.
  private func joinKinds() {
    var mapping = Array(kinds.indices)
    for group in groups where group.message == KindGroup.raw {
      let kinds = (group.variants.map(\.kind) + [group.others].compactMap { $0 }).sorted()
      let total = kinds.reduce(0) { $0 + self.kinds[$1].count }
      let short = kinds.allSatisfy { self.kinds[$0].longest <= 2 }
      guard kinds.count > 1, let first = kinds.first, short || kinds.count > 16 || kinds.count * 3 > total, kinds.count > 2 || short else {
        continue
      }
      for other in kinds.dropFirst() {
        self.kinds[first].join(self.kinds[other])
        self.kinds[other].isRemoved = true
        mapping[other] = first
      }
      self.kinds[first].firstByte = nil
    }
    for index in messages.indices { messages[index].kind = mapping[messages[index].kind] }
    var joined: [UInt64: Int] = [:]
    var kept: [ReportExchange] = []
    for exchange in exchanges {
      let (request, answer) = (mapping[exchange.request], mapping[exchange.answer])
      let key = UInt64(request) << 32 | UInt64(answer)
      if let known = joined[key] {
        kept[known].count += exchange.count
        kept[known].slowest = max(kept[known].slowest, exchange.slowest)
        kept[known].latencies += exchange.latencies.prefix(max(0, 512 - kept[known].latencies.count))
      } else {
        joined[key] = kept.count
        kept.append(exchange)
        kept[kept.count - 1].request = request
        kept[kept.count - 1].answer = answer
      }
    }
    exchanges = kept
    for (index, kind) in kinds.enumerated() where !kind.isRemoved { sources[kind.source].kinds.append(index) }
    for index in sources.indices {
      sources[index].kinds.sort {
        (kinds[$0].direction.rawValue, -kinds[$0].count, $0) < (kinds[$1].direction.rawValue, -kinds[$1].count, $1)
      }
    }
  }

  private func name(_ tables: ConversationTables) {
    for index in sources.indices {
      let attribute = sources[index].attribute
      guard attribute >= 0 else { continue }
      let out = TextBuffer()
      out.label(attribute, tables, Style(), summary.names)
      sources[index].name = unsafe String(decoding: out.gathered, as: UTF8.self)
      sources[index].properties = tables.attributes[Int(attribute)].properties
      let service = tables.service(of: attribute)
      guard service >= 0, tables.attributes[Int(service)].uuid >= 0 else { continue }
      let uuid = tables.uuids[Int(tables.attributes[Int(service)].uuid)]
      sources[index].service = uuid.description
      sources[index].serviceName = uuid.attributeName(isService: true)?.description ?? ""
    }
  }

  private func hex(_ number: UInt64, _ digits: Int) -> String {
    let out = TextBuffer()
    out.hex(number, digits: digits)
    return unsafe String(decoding: out.gathered, as: UTF8.self)
  }
}

extension ReportFieldStatistics {
  /// Adds a value of a message from `peer`; `seriesLeft` is the number of series that may still be started.
  mutating func add(_ value: BorrowedBytes, _ number: Double, _ peer: Int32, _ time: Int64, _ seriesLeft: inout Int) {
    count += 1
    guard !isSecret else { return }
    let mark = value.hash(key: .fixed)
    if let known = index(of: value, mark) {
      values[known].count += 1
    } else if values.count < Self.maximum, value.count <= 200 {
      values.append((Array(value), 1))
      hashes.append(mark)
    } else {
      hasMore = true
    }
    guard number.isFinite else { return }
    isNumeric = true
    if let index = series.firstIndex(where: { $0.peer == peer }) {
      series[index].add(number, at: time)
    } else if series.count < 8, seriesLeft > 0 {
      seriesLeft -= 1
      var made = ReportSeries(peer: peer)
      made.add(number, at: time)
      series.append(made)
    }
  }
}

/// A value for each of the last frames that have one, in the order of the frames.
struct FrameRing<Value> {
  private var entries: [(frame: Int, value: Value)] = []
  /// At least this many values are kept.
  private let bound: Int

  init(bound: Int) { self.bound = bound }

  /// The value of a frame. Setting nil changes nothing.
  subscript(frame: Int) -> Value? {
    get {
      let index = index(of: frame)
      return index < entries.count && entries[index].frame == frame ? entries[index].value : nil
    }
    set {
      guard let newValue else { return }
      let index = index(of: frame)
      if index < entries.count, entries[index].frame == frame {
        entries[index].value = newValue
      } else {
        entries.insert((frame, newValue), at: index)
        // Many are removed at once, because all others move.
        if entries.count >= bound + max(1, bound / 4) { entries.removeFirst(entries.count - bound) }
      }
    }
  }

  /// The index of the first entry whose frame is not smaller. Mostly frames are in order.
  private func index(of frame: Int) -> Int {
    guard let last = entries.last, frame <= last.frame else { return entries.count }
    var (low, high) = (0, entries.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].frame < frame { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
