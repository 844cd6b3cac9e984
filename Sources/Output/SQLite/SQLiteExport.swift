import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles
@_spi(Pipeline) import Analysis
import Memory
import Text

/// A capture as an SQLite database: packets, messages with their fields, operations, devices, attributes and findings. The tables are
/// described in btscribe-sqlite(5).
public final class SQLiteExport: EventSink {
  /// Selects the packets to write.
  public struct Options {
    /// If set, only packets that pass, with their messages and findings, and the operations they belong to.
    public var filter: Filter?
    /// Called with the time of each packet (µs since 1970) in the order of the capture; false leaves the packet out.
    public var holds: (Int64) -> Bool = { _ in true }
    /// Most packets to write; nil for all.
    public var limit: Int?

    /// All packets.
    public init() {}
  }

  private let database: SQLiteDatabase
  private let rows: SQLiteRows
  private let operations: Operations<SQLiteOperations>
  private let filtered: FilteredSink<SQLiteRows>?
  private let isNarrowed: Bool
  private var heard = HeardDevices()
  private var facts = CaptureFacts(name: "", title: "")

  /// Packets written.
  public var count: Int { rows.packets }
  /// Packets that a filter rejected although the capture has too few of their bytes to be sure.
  public var unjudged: Int { filtered?.unjudged ?? 0 }

  /// Makes a database at `path`, which has its name only after ``finish(_:)``. Throws ``CaptureError`` and ``OutputError`` where it cannot be written.
  public convenience init(_ path: String, _ source: any PacketSource, _ options: Options = Options()) throws {
    try self.init(try SQLiteDatabase(path), source, options)
  }

  /// Makes a database that has no name and can be queried by ``run(_:_:)`` when it is finished. Throws ``OutputError``.
  public convenience init(_ source: any PacketSource, _ options: Options = Options()) throws {
    try self.init(try SQLiteDatabase(), source, options)
  }

  private init(_ database: SQLiteDatabase, _ source: any PacketSource, _ options: Options) throws {
    self.database = database
    // The file gets its name only when it is complete, so no rollback journal is needed.
    try database.run("PRAGMA page_size=8192; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; BEGIN")
    try database.run(SQLiteSchema.tables)
    rows = try SQLiteRows(database, options)
    operations = Operations(try SQLiteOperations(database, rows))
    let rows = rows
    filtered = options.filter.map { FilteredSink(rows, $0, source) }
    isNarrowed = options.filter != nil
  }

  /// A capture starts.
  public func begin(_ facts: CaptureFacts) throws {
    self.facts = facts
    try operations.begin(facts)
    if let filtered { try filtered.begin(facts) } else { rows.begin(facts) }
  }

  /// Keeps the name that a profile gives to an attribute.
  public func attribute(_ attribute: ProfileAttribute) { rows.attribute(attribute) }

  /// Writes a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    heard.packet(row, batch)
    try operations.packet(row, batch, isPart: isPart)
    if let filtered { try filtered.packet(row, batch, isPart: isPart) } else { try rows.packet(row, batch, isPart: isPart) }
  }

  /// Writes a message with its fields.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    operations.message(message, row, batch)
    if let filtered { try filtered.message(message, row, batch) } else { try rows.message(message, row, batch) }
  }

  /// Writes a finding.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws {
    if let filtered { try filtered.finding(finding, batch) } else { try rows.finding(finding, batch) }
  }

  /// Lets the filter decide on the packets of the batch.
  public func batchDidEnd(_ batch: RowBatch) throws { try filtered?.batchDidEnd(batch) }

  /// Ends open operations.
  public func end(_ outcome: Outcome) throws {
    try operations.end(outcome)
    try filtered?.end(outcome)
  }

  /// Writes the tables known at the end, the indexes and the views, and gives the file its name. Throws ``OutputError`` and ``CaptureError``.
  public func finish(_ outcome: Outcome) throws {
    let tables = outcome.tables
    let capture = try SQLiteInsert(database, "capture", columns: 8)
    capture.begin()
    capture.text(facts.name)
    capture.text(facts.title)
    capture.int(outcome.packets)
    capture.int(Int(facts.first ?? 0), if: facts.first != nil)
    capture.int(Int(facts.last ?? rows.last ?? 0), if: facts.last != nil || rows.last != nil)
    capture.text(outcome.damage.map { "\($0.what) in packet \($0.frame) (byte \($0.offset))" } ?? "")
    capture.text(outcome.limits.map(\.text).joined(separator: "; "))
    try capture.end()
    let known = SQLiteKnown(database, tables, rows.names)
    try known.adapters()
    try known.devices(heard)
    try known.connections()
    try known.attributes()
    try database.run(SQLiteSchema.indexes)
    if isNarrowed || rows.isNarrowed { try database.run(SQLiteSchema.narrowing) }
    try database.run(SQLiteSchema.views)
    try database.finish()
  }

  /// Queries a finished database without a name, and passes the rows to `printer`. Throws ``QueryError`` and ``OutputError``.
  public func run(_ sql: String, _ printer: QueryPrinter) throws {
    let query = try SQLiteQuery(database, sql)
    printer.begin(facts.name, query.columns)
    while try query.next() { try printer.row(query.row) }
  }
}

/// Rows of packets, messages, fields and findings.
private final class SQLiteRows: EventSink {
  private let packet: SQLiteInsert
  private let message: SQLiteInsert
  private let finding: SQLiteInsert
  private var fields: FlatFields<SQLiteFields>
  private var options: SQLiteExport.Options
  private let scratch = TextBuffer()
  private let words = MessageWords()
  private var frame = 0
  private var isWanted = false
  private(set) var packets = 0
  private(set) var last: Int64?
  /// Whether packets were left out.
  private(set) var isNarrowed = false
  private(set) var names: [Int32: String] = [:]
  private var version = -1

  init(_ database: SQLiteDatabase, _ options: SQLiteExport.Options) throws(OutputError) {
    self.options = options
    packet = try SQLiteInsert(database, "packets", columns: 25)
    message = try SQLiteInsert(database, "messages", columns: 19)
    finding = try SQLiteInsert(database, "findings", columns: 12)
    fields = FlatFields(try SQLiteFields(database))
  }

  func begin(_ facts: CaptureFacts) { if let first = facts.first { _ = options.holds(first) } }

  func attribute(_ attribute: ProfileAttribute) {
    names[attribute.index] = attribute.name
    version = -1
  }

  private func isWanted(_ row: PacketRow) -> Bool {
    if row.frame != frame {
      frame = row.frame
      isWanted = options.holds(row.time) && (options.limit.map { packets < $0 } ?? true)
      if isWanted { packets += 1 } else { isNarrowed = true }
    }
    return isWanted
  }

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    guard isWanted(row) else { return }
    last = row.time
    packet.begin()
    packet.int(row.frame)
    packet.int(Int(row.time))
    packet.int(Int(row.adapter), if: row.adapter != 0xFFFF)
    packet.text(row.direction.text)
    packet.text(row.layer.name)
    if row.layer == .note { packet.text("Note") } else { packet.text(Dissection.name(row)) }
    packet.int(Int(row.opcode), if: row.hasOpcode)
    packet.int(Int(row.connection) + 1, if: row.connection >= 0)
    packet.int(Int(row.peer) + 1, if: row.peer >= 0)
    packet.int(Int(row.attribute) + 1, if: row.attribute >= 0)
    packet.int(Int(row.attributeHandle), if: row.flags.contains(.hasAttribute))
    if row.flags.contains(.hasAssembled) {
      packet.blob(row.assembled)
    } else if row.flags.contains(.hasValue) {
      packet.blob(row.value)
    } else if let (_, data) = row.sentOverChannel {
      packet.blob(data)
    } else {
      packet.null()
    }
    if row.flags.contains(.hasStatus) { packet.text(Status.name(row)) } else { packet.null() }
    packet.int(row.requestFrame, if: row.requestFrame != 0 && !row.flags.contains(.retransmission))
    packet.int(row.responseFrame, if: row.responseFrame != 0)
    packet.int(Int(row.latency), if: row.flags.contains(.hasLatency))
    if row.record >= 0, unsafe Int(row.record) < batch.packets.records.count {
      let record = unsafe batch.packets.records[Int(row.record)]
      packet.int(record.original)
      unsafe packet.blob(BorrowedBytes(batch.packets.payload(record)))
    } else {
      packet.null()
      packet.null()
    }
    if row.layer == .note { note(row) } else { packet.null() }
    if let facts = RadioFacts(row, batch) {
      packet.int(Int(facts.radio.channel))
      packet.int(facts.signal ?? 0, if: facts.signal != nil)
      packet.text(facts.phy)
      packet.int(Int(facts.accessAddress), if: facts.accessAddress != 0)
      if let crc = facts.crc { packet.text(crc) } else { packet.null() }
    } else {
      for _ in 0..<5 { packet.null() }
    }
    try packet.end()
  }

  private func note(_ row: PacketRow) {
    scratch.clear()
    scratch.untrusted(
      Array(NoteText.text(PacketKind(rawValue: UInt8(truncatingIfNeeded: row.subcode)), row.pdu.span).utf8), .terminal)
    packet.text(scratch)
  }

  func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    guard isWanted(row) else { return }
    let insert = self.message
    let before = insert.writtenBytes + fields.sink.writtenBytes
    defer { message.wrote(insert.writtenBytes + fields.sink.writtenBytes - before) }
    insert.begin()
    insert.int(row.frame)
    insert.int(Int(row.time))
    insert.text(row.direction.text)
    insert.int(Int(row.connection) + 1, if: row.connection >= 0)
    insert.int(Int(row.peer) + 1, if: row.peer >= 0)
    insert.int(Int(row.attribute) + 1, if: row.attribute >= 0)
    insert.text(message.profile.id)
    insert.text(message.name ?? "")
    insert.text(message.source)
    insert.text(message.direction.word)
    frames(message.frames, insert)
    insert.blob(message.payload)
    insert.text(message.checksum.text)
    insert.int(message.kind == .unjoined ? 0 : message.isComplete ? 1 : 0)
    scratch.clear()
    if message.hasProblem {
      var problem: [UInt8] = []
      message.appendProblem(to: &problem)
      scratch.untrusted(problem, .terminal)
    }
    insert.text(scratch)
    insert.int(message.replyTo ?? 0, if: message.replyTo != nil)
    insert.int(Int(message.latency), if: message.replyTo != nil)
    scratch.clear()
    if message.kind == .message {
      words.format(message) { scratch.untrusted($0, .terminal) }
    } else {
      scratch.text("bytes that belong to no message")
    }
    insert.text(borrowed: scratch.bytes)
    try insert.end()
    guard message.kind == .message else { return }
    fields.sink.message = insert.row
    fields.sink.position = 0
    message.visitFields(&fields)
    fields.sink.finish()
    if let error = fields.sink.failure { throw error }
  }

  private func frames(_ frames: some Sequence<Int>, _ insert: SQLiteInsert) {
    scratch.clear()
    scratch.byte(UInt8(ascii: "["))
    for (index, frame) in frames.enumerated() {
      if index > 0 { scratch.byte(UInt8(ascii: ",")) }
      scratch.decimal(frame)
    }
    scratch.byte(UInt8(ascii: "]"))
    insert.text(scratch)
  }

  func finding(_ finding: Finding, _ batch: RowBatch) throws {
    guard options.holds(finding.time) else { return }
    let insert = self.finding
    insert.begin()
    insert.int(finding.frame)
    insert.int(Int(finding.time))
    insert.text(finding.id)
    insert.text(finding.severity.text)
    insert.text(finding.degree)
    frames(finding.frames, insert)
    insert.int(finding.repeated, if: finding.repeated > 0)
    insert.int(Int(finding.connection) + 1, if: finding.connection >= 0)
    insert.int(Int(finding.attribute) + 1, if: finding.attribute >= 0)
    scratch.clear()
    finding.explain(to: scratch, batch.tables, names: names)
    insert.text(scratch)
    insert.text(finding.advice)
    try insert.end()
  }

  func flush() {}
  func end(_ outcome: Outcome) {}
}

/// Rows of fields. They are written several at once: each statement looks for its place in the table, which takes as long as writing a row.
private struct SQLiteFields: FlatFieldSink {
  var message = 0
  var position = 0
  var failure: OutputError?
  /// Statements that write 16, 8, 4, 2 rows and one.
  private let inserts: [SQLiteInsert]
  private static let most = 16, mostBytes = 1 << 16
  private var rows: [Row] = []
  /// The texts and bytes of these rows.
  private let texts = TextBuffer()

  private struct Row {
    enum Value {
      case null
      case number(Int)
      case double(Double)
      case text(Range<Int>)
      case bytes(Range<Int>)
    }
    var position: Int
    /// Ranges in ``texts``.
    var path = 0..<0, name = 0..<0, unit = 0..<0
    var value = Value.null
    /// In the payload.
    var range: Range<Int>
  }

  init(_ database: SQLiteDatabase) throws(OutputError) {
    var inserts: [SQLiteInsert] = []
    var count = Self.most
    while count > 0 {
      inserts.append(try SQLiteInsert(database, "fields", columns: 8, rows: count))
      count /= 2
    }
    self.inserts = inserts
  }

  /// Bytes that were written.
  var writtenBytes: Int { inserts.reduce(0) { $0 &+ $1.writtenBytes } }

  /// Keeps the text that `write` appends.
  private func text(_ write: (TextBuffer) -> Void) -> Range<Int> {
    let start = texts.count
    write(texts)
    return start..<texts.count
  }

  mutating func field(_ path: [UInt8], _ index: Int?, _ field: FieldContext, _ value: MessageFieldValue) {
    guard failure == nil else { return }
    var row = Row(position: position, range: field.range)
    position += 1
    row.path = text { texts in
      texts.untrusted(path, .terminal)
      if let index {
        texts.byte(UInt8(ascii: "["))
        texts.decimal(index)
        texts.byte(UInt8(ascii: "]"))
      }
    }
    switch value {
    case .null: break
    case .bool(let truth): row.value = .number(truth ? 1 : 0)
    case .int(let number): row.value = .number(Int(number))
    case .uint(let number):
      // SQLite has integers up to 2⁶³−1.
      row.value = if let whole = Int(exactly: number) { .number(whole) } else { .text(text { $0.unsigned(number) }) }
    case .double(let number, let isSingle): row.value = .double(isSingle ? Double(Float(number).description) ?? number : number)
    case .enumeration(let name, let number):
      row.value = .number(Int(number))
      row.name = text { $0.untrusted(name.bytes, .terminal) }
    case .text(let content): row.value = .text(text { $0.untrusted(content, .terminal) })
    case .bytes(let bytes): row.value = .bytes(text { $0.append(bytes) })
    }
    let unit = field.unit
    row.unit = text { texts in if unit.allSatisfy({ $0 < 0x80 }) { texts.append(unit.bytes) } else { texts.string(unit.string) } }
    rows.append(row)
    if rows.count == Self.most || texts.count > Self.mostBytes { finish() }
  }

  /// Writes the rows so far.
  mutating func finish() {
    var written = 0
    for insert in inserts where failure == nil {
      guard rows.count - written >= insert.rows else { continue }
      insert.beginUnnumbered()
      for index in written..<written + insert.rows { add(rows[index], to: insert) }
      written += insert.rows
      do throws(OutputError) { try insert.end() } catch { failure = error }
    }
    rows.removeAll(keepingCapacity: true)
    texts.clear()
  }

  private func add(_ row: Row, to insert: SQLiteInsert) {
    let texts = texts.bytes
    insert.int(message)
    insert.int(row.position)
    insert.text(borrowed: texts.part(row.path))
    switch row.value {
    case .null: insert.null()
    case .number(let number): insert.int(number)
    case .double(let number): insert.double(number)
    case .text(let range): insert.text(borrowed: texts.part(range))
    case .bytes(let range): insert.blob(texts.part(range))
    }
    insert.text(borrowed: texts.part(row.name))
    insert.text(borrowed: texts.part(row.unit))
    insert.int(row.range.lowerBound, if: !row.range.isEmpty)
    insert.int(row.range.count, if: !row.range.isEmpty)
  }
}

/// Rows of operations.
private final class SQLiteOperations: OperationSink {
  private let insert: SQLiteInsert
  private let rows: SQLiteRows
  private let scratch = TextBuffer()

  init(_ database: SQLiteDatabase, _ rows: SQLiteRows) throws(OutputError) {
    insert = try SQLiteInsert(database, "operations", columns: 18)
    self.rows = rows
  }

  func begin(_ facts: CaptureFacts) {}

  func operation(_ operation: Operation, _ tables: ConversationTables) throws {
    insert.begin()
    insert.int(operation.frame)
    insert.int(operation.endFrame)
    insert.int(Int(operation.start))
    insert.int(Int(operation.end))
    insert.int(Int(operation.adapter), if: operation.adapter != 0xFFFF)
    insert.int(Int(operation.connection) + 1, if: operation.connection >= 0)
    insert.int(Int(operation.peer) + 1, if: operation.peer >= 0)
    insert.int(Int(operation.attribute) + 1, if: operation.attribute >= 0)
    insert.int(Int(operation.handle), if: operation.handle != 0)
    insert.text(operation.kind.id)
    insert.int(operation.isIncoming ? 1 : 0)
    scratch.clear()
    operation.writeStatus(to: scratch)
    insert.text(scratch)
    insert.int(Int(operation.latency), if: operation.latency >= 0)
    insert.int(operation.count)
    insert.int(operation.bytes)
    if operation.bytes > 0 { operation.value.withBorrowedBytes { insert.blob(copying: $0) } } else { insert.null() }
    scratch.clear()
    operation.writeDetail(to: scratch, Style())
    insert.text(scratch)
    try insert.end()
  }

  func flush() {}
  func end(_ outcome: Outcome) {}
}

/// Writes the tables known at the end: adapters, devices, connections, attributes.
private struct SQLiteKnown {
  let database: SQLiteDatabase
  let tables: ConversationTables
  let names: [Int32: String]
  private let scratch = TextBuffer()

  init(_ database: SQLiteDatabase, _ tables: ConversationTables, _ names: [Int32: String]) {
    self.database = database
    self.tables = tables
    self.names = names
  }

  private func address(_ address: UInt64, _ insert: SQLiteInsert) {
    scratch.clear()
    scratch.address(address)
    insert.text(scratch)
  }

  private func untrusted(_ bytes: [UInt8], _ insert: SQLiteInsert) {
    scratch.clear()
    scratch.untrusted(bytes, .terminal)
    insert.text(scratch)
  }

  func adapters() throws(OutputError) {
    let insert = try SQLiteInsert(database, "adapters", columns: 5)
    for adapter in tables.adapters {
      insert.begin()
      insert.int(adapter.index == 0xFFFF ? 0 : Int(adapter.index))
      if let known = adapter.address { address(known, insert) } else { insert.null() }
      untrusted(adapter.name, insert)
      if let company = adapter.manufacturer, let name = AssignedNumbers.company(company) { insert.text(name) } else { insert.null() }
      try insert.end()
    }
  }

  func devices(_ heard: HeardDevices) throws(OutputError) {
    let insert = try SQLiteInsert(database, "devices", columns: 15)
    var of: [UInt64: Int] = [:]
    for (index, device) in heard.devices.enumerated() { of[device.address | UInt64(device.addressType & 1) << 48] = index }
    for (index, peer) in tables.peers.enumerated() {
      let type = peer.addressType == 0xFF ? 0 : peer.addressType & 1
      let found = of.removeValue(forKey: peer.address | UInt64(type) << 48)
      try device(
        insert, peer.address, peer.addressType, tables.name(of: Int32(index)), identity: Int(peer.identity) + 1,
        found.map { heard.devices[$0] })
    }
    for device in heard.devices where of[device.address | UInt64(device.addressType & 1) << 48] != nil {
      try self.device(insert, device.address, device.addressType, [], identity: 0, device)
    }
  }

  private func device(
    _ insert: SQLiteInsert, _ address: UInt64, _ type: UInt8, _ name: [UInt8], identity: Int, _ heard: HeardDevices.Device?
  ) throws(OutputError) {
    insert.begin()
    self.address(address, insert)
    if type == 0xFF { insert.text("BR/EDR") } else { insert.text(DeviceAddress(address, DeviceAddress.Kind(rawValue: type)).kindName) }
    untrusted(name, insert)
    insert.int(identity, if: identity > 0)
    guard let heard else {
      for _ in 0..<10 { insert.null() }
      return try insert.end()
    }
    insert.int(heard.reports)
    insert.int(Int(heard.first))
    insert.int(Int(heard.last))
    insert.int(Int(heard.signal), if: heard.signal != 127)
    if let median = heard.median { insert.int(Int(median)) } else { insert.null() }
    insert.int(heard.isConnectable ? 1 : 0)
    if let company = heard.company { insert.int(Int(company)) } else { insert.null() }
    if let company = heard.company, let name = AssignedNumbers.company(company) { insert.text(name) } else { insert.null() }
    insert.text(heard.services.map(\.description).joined(separator: " "))
    heard.data.withBorrowedBytes { insert.blob(copying: $0) }
    try insert.end()
  }

  func connections() throws(OutputError) {
    let insert = try SQLiteInsert(database, "connections", columns: 16)
    for connection in tables.connections {
      insert.begin()
      insert.int(Int(connection.adapter), if: connection.adapter != 0xFFFF)
      insert.int(Int(connection.handle))
      insert.int(Int(connection.peer) + 1, if: connection.peer >= 0)
      switch connection.transport {
      case .unknown: insert.null()
      case .le: insert.text("LE")
      case .classic: insert.text("BR/EDR")
      case .synchronous: insert.text("synchronous")
      case .isochronous: insert.text("isochronous")
      }
      if let isCentral = connection.isCentral { insert.text(isCentral ? "central" : "peripheral") } else { insert.null() }
      insert.int(connection.startFrame, if: connection.startFrame != 0)
      insert.int(Int(connection.startTime))
      insert.int(connection.endFrame, if: connection.endFrame != 0)
      insert.int(Int(connection.endTime))
      if connection.endFrame != 0 { insert.text(Status.failure(connection.endReason, .hci)) } else { insert.null() }
      insert.int(connection.encryptedFrame, if: connection.encryptedFrame != 0)
      insert.int(Int(connection.knownMTU ?? 0), if: connection.knownMTU != nil)
      insert.int(Int(connection.interval) * 1250, if: connection.interval != 0)
      insert.int(Int(connection.latency), if: connection.interval != 0)
      insert.int(connection.packets)
      try insert.end()
    }
  }

  func attributes() throws(OutputError) {
    let insert = try SQLiteInsert(database, "gatt", columns: 15)
    let owners = owners()
    // For each attribute the service it lies in, and the characteristic it belongs to: found in the order of handles as the last one that began.
    var services = [Int32](repeating: -1, count: tables.attributes.count)
    var values = services
    for database in tables.databases {
      let sorted = database.attributes.sorted {
        (tables.attributes[Int($0)].handle, tables.attributes[Int($0)].validFrom, $0)
          < (tables.attributes[Int($1)].handle, tables.attributes[Int($1)].validFrom, $1)
      }
      var service: Int32 = -1
      var value: Int32 = -1
      for index in sorted {
        let attribute = tables.attributes[Int(index)]
        if attribute.kind == .service {
          service = index
          value = -1
        } else if attribute.kind == .declaration {
          value = -1
        } else if attribute.kind == .value {
          value = index
        }
        if service >= 0, attribute.handle <= tables.attributes[Int(service)].related { services[Int(index)] = service }
        if attribute.kind == .descriptor { values[Int(index)] = value }
      }
    }
    for (index, attribute) in tables.attributes.enumerated() {
      insert.begin()
      insert.int(Int(attribute.database) + 1)
      let owner = owners.indices.contains(Int(attribute.database)) ? owners[Int(attribute.database)] : (device: 0, adapter: -1)
      insert.int(owner.device, if: owner.device > 0)
      insert.int(owner.adapter, if: owner.adapter >= 0)
      insert.int(Int(attribute.handle))
      insert.text(attribute.kind.word)
      if let uuid = attribute.uuid >= 0 ? tables.uuids[Int(attribute.uuid)] : tables.type(of: attribute) {
        insert.text(uuid.description)
      } else {
        insert.null()
      }
      scratch.clear()
      if let name = names[Int32(index)] {
        scratch.untrusted(Array(name.utf8), .terminal)
      } else if attribute.uuid >= 0 {
        let uuid = tables.uuids[Int(attribute.uuid)]
        if let name = uuid.attributeName(isService: attribute.kind == .service) { scratch.name(name) }
      }
      insert.text(scratch)
      insert.int(Int(services[index]) + 1, if: services[index] >= 0)
      insert.int(Int(values[index]) + 1, if: values[index] >= 0)
      insert.int(Int(attribute.related), if: attribute.kind == .service && attribute.related != 0)
      insert.int(Int(attribute.properties), if: attribute.kind == .value)
      scratch.clear()
      if attribute.kind == .value, attribute.properties != 0 { scratch.properties(attribute.properties) }
      insert.text(scratch)
      insert.text(attribute.source.word)
      insert.int(attribute.discovered, if: attribute.discovered > 0)
      try insert.end()
    }
  }

  /// The GATT server of each database: a device, or a host's own adapter.
  private func owners() -> [(device: Int, adapter: Int)] {
    var owners = [(device: Int, adapter: Int)](repeating: (0, -1), count: tables.databases.count)
    for adapter in tables.adapters where adapter.database >= 0 && Int(adapter.database) < owners.count {
      owners[Int(adapter.database)].adapter = adapter.index == 0xFFFF ? 0 : Int(adapter.index)
    }
    for (index, peer) in tables.peers.enumerated() where peer.identity < 0 && peer.database >= 0 && Int(peer.database) < owners.count {
      owners[Int(peer.database)].device = index + 1
    }
    return owners
  }
}

extension Attribute.Kind {
  fileprivate var word: StaticString {
    switch self {
    case .unknown: "unknown"
    case .service: "service"
    case .include: "include"
    case .declaration: "declaration"
    case .value: "characteristic"
    case .descriptor: "descriptor"
    }
  }
}

extension Attribute.Source {
  fileprivate var word: StaticString {
    switch self {
    case .none: ""
    case .guess: "guess"
    case .profile: "profile"
    case .cache: "cache"
    case .discovery: "discovery"
    }
  }
}

extension Profiles.ValueDirection {
  fileprivate var word: StaticString {
    switch self {
    case .write: "write"
    case .notify: "notify"
    case .indicate: "indicate"
    case .read: "read"
    case .advertise: "advertise"
    }
  }
}
