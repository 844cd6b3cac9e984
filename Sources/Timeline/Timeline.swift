import Bluetooth
import Captures
import Conversations
import Profiles

/// What is known of a capture before its first row is written.
public struct CaptureFacts: Sendable {
  /// Name as the user gave it, without its folder.
  public var name: String
  /// What it is: `btsnoop (H4)`.
  public var title: String
  /// Number of packets, or nil where it can be read only once.
  public var packets: Int?
  /// Time of the first packet, µs since 1970.
  public var first: Int64?
  /// Time of the last packet, or nil where it can be read only once.
  public var last: Int64?
  /// It is one of several captures; rows name it.
  public var isOneOfSeveral = false
  /// Number of this capture among those of the command line, from 0.
  public var number = 0

  /// Makes facts from what is known when a capture is opened.
  public init(name: String, title: String, isOneOfSeveral: Bool = false, number: Int = 0) {
    self.name = name
    self.title = title
    self.isOneOfSeveral = isOneOfSeveral
    self.number = number
  }
}

/// How a run over a capture ended.
public struct Outcome: Sendable {
  /// Packets read.
  public var packets = 0
  /// What was wrong with the capture, or nil.
  public var damage: CaptureDamage?
  /// What the capture is known to leave out.
  public var limits: [CaptureLimit] = []
  /// The tables at the end.
  public var tables = Tables()
  /// Who listened to which characteristic.
  public var listening = Listening()
  /// Packets that a filter did not pass, and of which the capture kept too little to be sure.
  public var unjudged = 0
}

/// Takes rows in their order and writes them somewhere.
public protocol RowPrinter: AnyObject {
  /// A capture starts.
  func begin(_ facts: CaptureFacts) throws
  /// A profile knows an attribute (index into ``Tables/attributes``) under a name of its own.
  func named(_ attribute: Int32, _ name: String)
  /// A profile tells the UUID of an attribute that nothing else tells of, by its handle.
  func identified(_ attribute: Int32, _ uuid: Bluetooth.BluetoothUUID)
  /// A row. `isPart` says that its value is a part of a message that is not whole yet.
  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws
  /// A message of a profile, right behind the row that completed it. Good until the call returns.
  func message(_ message: Message, _ row: PacketRow, _ batch: RowBatch) throws
  /// A finding.
  func finding(_ finding: Finding, _ batch: RowBatch) throws
  /// All rows of a batch were told; its bytes will be others soon.
  func settle(_ batch: RowBatch) throws
  /// What was printed so far shall be seen now.
  func flush() throws
  /// The capture ended.
  func end(_ outcome: Outcome) throws
}

extension RowPrinter {
  /// A printer of packets alone leaves messages out.
  public func message(_ message: Message, _ row: PacketRow, _ batch: RowBatch) throws {}
  /// A printer that keeps nothing of a batch has nothing to settle.
  public func settle(_ batch: RowBatch) throws {}
  /// A printer without names leaves them out.
  public func named(_ attribute: Int32, _ name: String) {}
  /// A printer without UUIDs leaves them out.
  public func identified(_ attribute: Int32, _ uuid: Bluetooth.BluetoothUUID) {}
}

/// Leads a capture through the reconstruction, and its rows to a printer.
public final class Timeline {
  /// What a run shall do.
  public struct Options {
    /// Stop after so many packets.
    public var limit: Int?
    /// Only packets from this time on, µs since 1970.
    public var from: Int64?
    /// Only packets before this time.
    public var to: Int64?
    /// Profiles that make messages of values; nil for none.
    public var profiles: ProfileSet?
    /// Sees all rows and findings too, before they are printed: for the summary of a live capture.
    public var observer: (any RowPrinter)?
    /// Attribute tables from elsewhere.
    public var gatt = GATTMap()
    /// Connections that the host had before the capture.
    public var connections: [HostConnection] = []
    /// Only what passes is printed.
    public var filter: Filter?
    /// Packets that complete nothing have rows too, as filters want it.
    public var isEveryPacketTold = false
    /// Where the bytes of joined PDUs come from is remembered (``RowBatch/joined``).
    public var tracksPieces = false
    /// Rows are wanted as they come (live): nothing is held back for an answer.
    public var isLive = false

    /// All packets.
    public init() {}
  }

  /// The capture.
  public let source: any PacketSource
  let options: Options
  private let messages: MessageSource?
  private var watch = MessageWatch()
  /// How far a run has come.
  public struct Step: Sendable {
    /// Which reading of the capture it is.
    public enum Pass: Sendable {
      /// The only one.
      case only
      /// The first of two, which learns names and attributes.
      case survey
      /// The second of two.
      case rows
    }
    /// Which reading of the capture it is.
    public var pass: Pass
    /// Packets read in it.
    public var packets: Int
    /// Bytes of the file read in it.
    public var read: Int
    /// Bytes of the file, where known.
    public var total: Int?

    /// How far `source` is read, after so many packets.
    public init(_ pass: Pass, _ packets: Int, _ source: any PacketSource) {
      self.pass = pass
      self.packets = packets
      (read, total) = source.progress
    }
  }
  /// Told of progress now and then, on the thread that reads.
  public var progress: (@Sendable (Step) -> Void)?

  /// Most batches that are held back for an answer: about as many packets as an ATT transaction can last.
  static let window = 16

  /// Leads `source` according to `options`.
  public init(_ source: any PacketSource, options: Options = Options()) {
    self.source = source
    self.options = options
    messages = options.profiles.map { MessageSource($0) }
  }

  /// Called with a profile that was wanted but has a mistake; it is then left out.
  public var onProfileError: (ProfileError) -> Void {
    get { messages?.engine.onError ?? { _ in } }
    set { messages?.engine.onError = newValue }
  }

  /// Learns names and attributes in a pass of its own, where the capture can be read twice. Throws ``CaptureError``.
  public func survey(into facts: inout CaptureFacts) throws -> Tables {
    guard !options.isLive, try source.rewind() else { return Tables(options.gatt, options.connections) }
    let batch = RowBatch()
    var reconstruction = Reconstruction(.survey, tables: Tables(options.gatt))
    var packets = 0
    var reported = 0
    while try source.read(batch.packets) {
      let records = batch.packets.records
      if packets == 0 { facts.first = records.first?.time }
      if let last = records.last { facts.last = last.time }
      packets += records.count
      reconstruction.process(batch)
      if packets - reported > 20_000 {
        reported = packets
        progress?(Step(.survey, packets, source))
      }
      if let limit = options.limit, packets >= limit { break }
    }
    facts.packets = options.limit.map { min($0, packets) } ?? packets
    _ = try source.rewind()
    reconstruction.finish(batch)
    return batch.tables
  }

  /// Runs over the capture and prints its rows. Throws ``CaptureError`` and what the printer throws.
  public func run(_ facts: CaptureFacts, to printer: some RowPrinter) throws -> Outcome {
    guard let filter = options.filter else { return try runAll(facts, to: printer) }
    let filtered = FilteredPrinter(printer, filter, source)
    var outcome = try runAll(facts, to: filtered)
    outcome.unjudged = filtered.unjudged
    return outcome
  }

  /// A filter decides what is printed.
  public var isFiltered: Bool { options.filter != nil }

  private func runAll(_ facts: CaptureFacts, to printer: some RowPrinter) throws -> Outcome {
    var facts = facts
    let tables = try survey(into: &facts)
    let producer = Producer(source, tables, options, pass: facts.packets == nil ? .only : .rows, progress)
    if options.isLive || (facts.packets ?? .max) < 20_000 { return try runAlone(producer, facts, printer) }
    // The second core takes packets apart while this one formats rows.
    guard let worker = Worker({ producer.run() }) else { return try runAlone(producer, facts, printer) }
    defer {
      producer.stop()
      worker.join()
    }
    var hasBegun = false
    while let batch = producer.ready.pop() {
      if !hasBegun {
        hasBegun = true
        if facts.first == nil { facts.first = producer.first }
        try printer.begin(facts)
      }
      try print(batch, to: printer)
      _ = producer.spare.push(batch)
    }
    if let error = producer.failure { throw error }
    if !hasBegun { try printer.begin(facts) }
    return try end(producer, printer)
  }

  /// The same on one thread: small captures, and live ones, whose rows shall be seen at once.
  private func runAlone(_ producer: Producer, _ facts: CaptureFacts, _ printer: some RowPrinter) throws -> Outcome {
    var facts = facts
    var hasBegun = false
    var isMore = true
    while isMore {
      isMore = producer.step()
      while let batch = producer.ready.poll() {
        if !hasBegun {
          hasBegun = true
          if facts.first == nil { facts.first = producer.first }
          try printer.begin(facts)
        }
        try print(batch, to: printer)
        _ = producer.spare.push(batch)
      }
      if options.isLive { try printer.flush() }
    }
    if let error = producer.failure { throw error }
    if !hasBegun { try printer.begin(facts) }
    return try end(producer, printer)
  }

  private func end(_ producer: Producer, _ printer: some RowPrinter) throws -> Outcome {
    if let messages, let last = producer.last {
      messages.engine.finish()
      try print(messages, last.row, last.batch, printer)
      try watch.ended(-1, last.row) { try tell($0, last.batch, printer) }
    }
    var outcome = Outcome()
    outcome.packets = producer.packets
    outcome.damage = source.damage
    outcome.limits = source.limits
    outcome.tables = producer.tables
    outcome.listening = producer.listening
    try printer.end(outcome)
    try printer.flush()
    return outcome
  }

  private func print(_ batch: RowBatch, to printer: some RowPrinter) throws {
    if let observer = options.observer {
      for row in batch.rows { try observer.packet(row, batch, isPart: false) }
      for finding in batch.findings { try observer.finding(finding, batch) }
    }
    var finding = 0
    var feed = 0
    let findings = batch.findings.count
    // No row changes any more: they are read where they lie.
    try batch.rows.withUnsafeBufferPointer { rows in
      try batch.feeds.withUnsafeBufferPointer { feeds in
        for index in rows.indices {
          while finding < findings, batch.findings[finding].position <= index {
            if isNews(batch.findings[finding]) { try printer.finding(batch.findings[finding], batch) }
            finding += 1
          }
          guard let messages else {
            try printer.packet(rows[index], batch, isPart: false)
            continue
          }
          messages.prepare(rows[index], batch) { attribute, name, uuid in
            options.observer?.named(attribute, name)
            printer.named(attribute, name)
            if let uuid { printer.identified(attribute, uuid) }
          }
          watch.row(rows[index], batch)
          if rows[index].uuidSource == .none, messages.knows(rows[index].attribute, rows[index].connection) {
            try print(messages, batch, told: rows[index], feeds, &feed, index, printer)
            continue
          }
          if feed < feeds.count, feeds[feed].row == index {
            try print(messages, batch, rows[index], feeds, &feed, printer)
          } else {
            try printer.packet(rows[index], batch, isPart: false)
          }
          if rows[index].meaning == .disconnected { try end(messages, batch, index, printer) }
        }
      }
    }
    while finding < batch.findings.count {
      if isNews(batch.findings[finding]) { try printer.finding(batch.findings[finding], batch) }
      finding += 1
    }
    try printer.settle(batch)
  }

  /// What is guessed of answers is left out where a profile knows.
  private func isNews(_ finding: Finding) -> Bool {
    finding.code != .answerMayBeMissed || messages?.knows(finding.attribute, finding.connection) != true
  }

  /// Prints a row whose attribute only a profile knows.
  @inline(never)
  private func print(
    _ messages: MessageSource, _ batch: RowBatch, told row: PacketRow, _ feeds: UnsafeBufferPointer<Feed>, _ feed: inout Int, _ index: Int,
    _ printer: some RowPrinter
  ) throws {
    var row = row
    row.uuidSource = .profile
    if feed < feeds.count, feeds[feed].row == index {
      try print(messages, batch, row, feeds, &feed, printer)
    } else {
      try printer.packet(row, batch, isPart: false)
    }
  }

  /// Prints a row whose bytes profiles may understand, and the messages that it completed.
  @inline(__always)
  private func print(
    _ messages: MessageSource, _ batch: RowBatch, _ row: PacketRow, _ feeds: UnsafeBufferPointer<Feed>, _ feed: inout Int,
    _ printer: some RowPrinter
  ) throws {
    let index = feeds[feed].row
    var isPrinted = false
    while feed < feeds.count, feeds[feed].row == index {
      let isTaken = messages.feed(feeds[feed], row, batch)
      feed += 1
      guard isTaken else { continue }
      if !isPrinted {
        isPrinted = true
        try printer.packet(row, batch, isPart: !messages.engine.hasMessages)
      }
      if messages.engine.hasMessages { try print(messages, row, batch, printer) }
    }
    if !isPrinted { try printer.packet(row, batch, isPart: false) }
  }

  /// Prints what the layers of a connection still hold at its end.
  private func end(_ messages: MessageSource, _ batch: RowBatch, _ index: Int, _ printer: some RowPrinter) throws {
    let row = batch.rows[index]
    messages.disconnect(row.connection)
    try print(messages, row, batch, printer)
    if row.connection >= 0, row.status == 0 { try watch.ended(row.connection, row) { try tell($0, batch, printer) } }
  }

  /// Prints the messages that are ready, each with what is wrong with it.
  private func print(_ messages: MessageSource, _ row: PacketRow, _ batch: RowBatch, _ printer: some RowPrinter) throws {
    // A company's devices share its number: an advertisement that a profile does not know is another device's.
    for message in messages.engine.messages where message.direction != .advertise || message.messageNumber >= 0 {
      try options.observer?.message(message, row, batch)
      try printer.message(message, row, batch)
      try watch.look(message, row, batch, messages) { try tell($0, batch, printer) }
    }
  }

  private func tell(_ finding: Finding, _ batch: RowBatch, _ printer: some RowPrinter) throws {
    try options.observer?.finding(finding, batch)
    try printer.finding(finding, batch)
  }
}

/// Reads packets and takes them apart; hands on batches whose rows do not change any more.
final class Producer: @unchecked Sendable {
  let ready: BatchQueue<RowBatch>
  let spare = BatchQueue<RowBatch>(bound: .max)
  private let source: any PacketSource
  private let options: Timeline.Options
  private let pass: Timeline.Step.Pass
  private let progress: (@Sendable (Timeline.Step) -> Void)?
  private var reconstruction: Reconstruction
  private var watch = Watch()
  private var waiting: [RowBatch] = []
  private var consumed = 0
  private var isEnded = false
  /// Packets read.
  private(set) var packets = 0
  /// Time of the first packet.
  private(set) var first: Int64?
  /// The tables at the end.
  private(set) var tables = Tables()
  /// Who listened to which characteristic.
  var listening: Listening { watch.listening }
  /// What comes at the very end refers to the last row.
  private(set) var last: (row: PacketRow, batch: RowBatch)?
  private var lastRow = PacketRow()
  /// Why reading ended early.
  private(set) var failure: (any Error)?

  init(
    _ source: any PacketSource, _ tables: Tables, _ options: Timeline.Options, pass: Timeline.Step.Pass,
    _ progress: (@Sendable (Timeline.Step) -> Void)?
  ) {
    self.source = source
    self.options = options
    self.pass = pass
    self.progress = progress
    reconstruction = Reconstruction(.rows, tables: tables)
    reconstruction.tellsParts = options.filter != nil || options.isEveryPacketTold
    reconstruction.tracksPieces = options.tracksPieces
    ready = BatchQueue(bound: .max)
  }

  /// Takes everything apart, on a thread of its own.
  func run() {
    while step() {}
    ready.close()
  }

  /// Ends early.
  func stop() {
    spare.close()
    ready.close()
  }

  /// Takes the next batch apart. Returns false at the end.
  func step() -> Bool {
    guard !isEnded else { return false }
    do {
      // Memory is bounded by the number of batches: beside those that wait for answers only a few are under way to the printer.
      let batch = spare.poll() ?? (made &- waiting.count < Producer.ahead ? make() : spare.pop())
      guard let batch else { return end() }
      if let limit = options.limit, packets >= limit { return finish(batch) }
      guard try source.read(batch.packets) else { return finish(batch) }
      if let limit = options.limit { batch.packets.truncate(to: limit - packets) }
      if first == nil { first = batch.packets.records.first?.time }
      packets += batch.packets.records.count
      reconstruction.process(batch)
      watch.look(batch)
      if let row = batch.rows.last { lastRow = row }
      waiting.append(batch)
      // A batch goes on when none of its requests is open any more, or the window is full.
      let settled =
        options.isLive ? consumed + waiting.count : max(reconstruction.settled, consumed + waiting.count - Timeline.window)
      while consumed < settled, !waiting.isEmpty {
        consumed += 1
        reconstruction.release(before: consumed)
        guard ready.push(waiting.removeFirst()) else { return end() }
      }
      progress?(Timeline.Step(pass, packets, source))
      return true
    } catch {
      failure = error
      return end()
    }
  }

  private var made = 0
  private static let ahead = 5

  private func make() -> RowBatch {
    made += 1
    return RowBatch()
  }

  private func finish(_ last: RowBatch) -> Bool {
    last.packets.removeAll()
    reconstruction.finish(last)
    watch.finish(last)
    waiting.append(last)
    for batch in waiting { _ = ready.push(batch) }
    waiting.removeAll()
    tables = last.tables
    // The row is kept for where it stands; its bytes are gone.
    lastRow.pdu = PDUBytes()
    lastRow.assembled = PDUBytes()
    self.last = (lastRow, last)
    return end()
  }

  private func end() -> Bool {
    isEnded = true
    return false
  }
}
