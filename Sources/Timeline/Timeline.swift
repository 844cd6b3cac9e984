import Bluetooth
import Captures
import Conversations
import Profiles
import Synchronization

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
  /// Who prints messages on a thread of its own, for what has begun; nil where this printer has to see them itself.
  func messagePrinter() -> (any MessagePrinter)?
  /// Which fields of messages it looks at.
  var wantsFields: ProfileEngine.Fields { get }
  /// Rows cost it so little that it may tell what devices advertise besides, while its ``messagePrinter()`` tells the rest.
  var isQuick: Bool { get }
  /// Messages as the ``messagePrinter()`` wrote them, right behind the row that completed them.
  func messages(_ text: UnsafeRawBufferPointer) throws
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
  /// Most printers want to see the messages.
  public func messagePrinter() -> (any MessagePrinter)? { nil }
  /// Most printers tell what is in messages.
  public var wantsFields: ProfileEngine.Fields { .all }
  /// Most printers have enough to do with their rows.
  public var isQuick: Bool { false }
  /// A printer without a ``messagePrinter()`` gets no such text.
  public func messages(_ text: UnsafeRawBufferPointer) throws {}
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
    /// Requests shall know their answers: rows are held back until these came. Who only counts does without.
    public var awaitsAnswers = true

    /// All packets.
    public init() {}
  }

  /// The capture.
  public let source: any PacketSource
  let options: Options
  private let messages: MessageSource?
  /// The engine for what devices advertise.
  private let advertised: ProfileEngine?
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

  /// Captures of fewer packets are told on one thread: a second would cost more than it saves.
  var fewPackets = 20_000

  /// Most batches that are held back for an answer: about as many packets as an ATT transaction can last.
  static let window = 32

  /// Leads `source` according to `options`.
  public init(_ source: any PacketSource, options: Options = Options()) {
    self.source = source
    self.options = options
    messages = options.profiles.map { MessageSource(ProfileEngine($0)) }
    advertised = options.profiles.map { ProfileEngine($0) }
  }

  /// Called with a profile that was wanted but has a mistake, once for each; it is then left out.
  public var onProfileError: @Sendable (ProfileError) -> Void = { _ in } {
    didSet {
      let told = Told(onProfileError)
      messages?.engine.onError = { told.tell($0) }
      advertised?.onError = { told.tell($0) }
    }
  }

  /// Mistakes of profiles that were told, by the engines of both threads.
  private final class Told: Sendable {
    private let errors = Mutex<Set<String>>([])
    private let onError: @Sendable (ProfileError) -> Void

    init(_ onError: @escaping @Sendable (ProfileError) -> Void) { self.onError = onError }

    func tell(_ error: ProfileError) {
      if errors.withLock({ $0.insert("\(error)").inserted }) { onError(error) }
    }
  }

  /// Learns names and attributes in a pass of its own, where the capture can be read twice. Throws ``CaptureError``.
  public func survey(into facts: inout CaptureFacts) throws -> Tables {
    guard !options.isLive, try source.rewind() else { return Tables(options.gatt, options.connections) }
    var reconstruction = Reconstruction(.survey, tables: Tables(options.gatt))
    var packets = 0
    let reader = SurveyReader(source, limit: options.limit, progress)
    defer { reader.stop() }
    while let batch = try reader.next() {
      let records = unsafe batch.packets.records
      if packets == 0 { facts.first = unsafe records.first?.time }
      if let last = unsafe records.last { facts.last = last.time }
      packets += records.count
      reconstruction.process(batch)
      reader.take(batch)
    }
    facts.packets = options.limit.map { min($0, packets) } ?? packets
    _ = try source.rewind()
    let end = RowBatch()
    reconstruction.finish(end)
    return end.tables
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
    // Where it can be read only once, the first rows tell when the capture begins.
    while producer.ready.isEmpty, producer.step() {}
    if producer.ready.isEmpty, let error = producer.failure { throw error }
    if facts.first == nil { facts.first = producer.first }
    try printer.begin(facts)
    let fields = options.observer == nil ? printer.wantsFields : .all
    messages?.engine.fields = fields
    advertised?.fields = fields
    let advertisements = advertised.map { AdvertisementTeller($0, options.observer) }
    if options.isLive || (facts.packets ?? .max) < fewPackets {
      try runAlone(producer, RowTeller(messages, advertisements, options.observer), printer)
    } else if let advertisements, options.observer == nil, let words = printer.messagePrinter() {
      try runBeside(producer, words, advertisements, printer)
    } else {
      try runAhead(producer, RowTeller(messages, advertisements, options.observer), printer)
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

  /// On two threads: the second makes messages and writes their text, while this one takes packets apart and writes the rows; what devices
  /// advertise is told by the one that has less to do.
  private func runBeside(
    _ producer: Producer, _ words: any MessagePrinter, _ advertisements: AdvertisementTeller, _ printer: some RowPrinter
  ) throws {
    let stage = MessageStage(RowTeller(messages, printer.isQuick ? nil : advertisements, nil), words)
    guard let worker = Worker({ stage.run() }) else {
      return try runAlone(producer, RowTeller(messages, advertisements, nil), printer)
    }
    defer {
      stage.stop()
      worker.join()
    }
    var isMore = true
    // All batches may be ready already, where the capture is small and comes in pieces: there is no room then until these are told.
    while let batch = producer.ready.poll() { stage.take(batch) }
    while true {
      // What is told goes out first: its memory is used again.
      while let told = stage.told.poll() { try print(told, stage, producer, printer.isQuick ? advertisements : nil, printer) }
      if isMore, producer.hasRoom {
        isMore = producer.step()
        while let batch = producer.ready.poll() { stage.take(batch) }
        if !isMore { stage.end(producer.failure == nil ? producer.last : nil) }
        continue
      }
      guard let told = stage.told.pop() else { break }
      try print(told, stage, producer, printer.isQuick ? advertisements : nil, printer)
    }
    if let error = producer.failure { throw error }
  }

  private func print(
    _ told: ToldBatch, _ stage: MessageStage, _ producer: Producer, _ advertisements: AdvertisementTeller?, _ printer: some RowPrinter
  ) throws {
    try told.print(advertisements, to: printer)
    if told.end == nil { _ = producer.spare.push(told.batch) }
    stage.spare(told)
  }

  /// On two threads: the second takes packets apart while this one does all the rest.
  private func runAhead(_ producer: Producer, _ teller: RowTeller, _ printer: some RowPrinter) throws {
    guard let worker = Worker({ producer.run() }) else { return try runAlone(producer, teller, printer) }
    defer {
      producer.stop()
      worker.join()
    }
    while let batch = producer.ready.pop() {
      try teller.tell(batch, to: printer)
      _ = producer.spare.push(batch)
    }
    try end(producer, teller, printer)
  }

  /// On one thread: small captures, and live ones, whose rows shall be seen at once.
  private func runAlone(_ producer: Producer, _ teller: RowTeller, _ printer: some RowPrinter) throws {
    repeat {
      while let batch = producer.ready.poll() {
        try teller.tell(batch, to: printer)
        _ = producer.spare.push(batch)
      }
      if options.isLive { try printer.flush() }
    } while producer.step() || !producer.ready.isEmpty
    try end(producer, teller, printer)
  }

  private func end(_ producer: Producer, _ teller: RowTeller, _ printer: some RowPrinter) throws {
    if let error = producer.failure { throw error }
    if let last = producer.last { try teller.end(last.row, last.batch, to: printer) }
  }
}
