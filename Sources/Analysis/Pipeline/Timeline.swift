import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles
import Synchronization
import Threads

/// Runs a capture through the pipeline: a ``PacketSource`` gives packets, the `BatchProducer` has the ``ConversationTracker`` make rows of them,
/// the `ProfileDecoder` adds messages and findings, and an ``EventSink`` receives all of it in order.
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
    /// Profiles make no messages: it is only found out which of those fit that a UUID or a name of many devices suggests.
    package var onlyJudgesProfiles = false
    /// What an earlier reading of the capture found out of such profiles: those that fit speak from the start.
    package var profileVerdicts = ProfileEngine.KnownVerdicts()
    /// Receives all rows, messages and findings before the filter: for the summary of a live capture.
    public var observer: (any EventSink)?
    /// Attribute tables from elsewhere.
    public var gatt = GATTCache()
    /// Identity resolving keys that the user or the host gave, each with the identity address of its device where that is known.
    public var identityKeys: [(key: IdentityResolvingKey, identity: DeviceAddress?)] = []
    /// Connections that the host had before the capture.
    public var connections: [HostConnection] = []
    /// Only what passes is emitted.
    public var filter: Filter?
    /// Packets that complete nothing have rows too, as filters want it.
    public var includesFragments = false
    /// Where the bytes of joined PDUs come from is remembered (``RowBatch/joined``).
    public var tracksPieces = false
    /// Rows are wanted as they come (live): nothing is held back for an answer.
    public var isLive = false
    /// Rows are held back until the answers of their requests came, so that requests know them. Who only counts does without.
    public var awaitsResponses = true

    /// All packets.
    public init() {}
  }

  /// The capture.
  public let source: any PacketSource
  let options: Options
  private let links: ProfileLinks?
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
  /// Called with the progress now and then, on the thread that reads.
  public var progress: (@Sendable (Step) -> Void)?

  /// Captures of fewer packets are decoded on one thread: a second would cost more than it saves.
  var fewPackets = 20_000

  /// Most threads that write rows: that many have written what one decodes. Each has a batch in memory.
  static let maxWriters = 6
  /// How many threads a run may use.
  var threads = Worker.cores

  /// Most batches that are held back for an answer: about as many packets as an ATT transaction can last.
  static let window = 32

  /// Runs `source` according to `options`.
  public init(_ source: any PacketSource, options: Options = Options()) {
    self.source = source
    self.options = options
    links = options.profiles.map { ProfileLinks(ProfileEngine($0)) }
    advertised = options.onlyJudgesProfiles ? nil : options.profiles.map { ProfileEngine($0) }
    links?.engine.usesTrials = true
    links?.engine.onlyJudges = options.onlyJudgesProfiles
    links?.engine.earlier = options.profileVerdicts
    links?.engine.keepsSteps = options.tracksPieces
  }

  /// What the last run found out of profiles that a UUID or a name of many devices suggests.
  package var profileVerdicts: ProfileEngine.KnownVerdicts { links?.engine.verdictsSoFar ?? ProfileEngine.KnownVerdicts() }

  /// Called with a profile that was wanted but has a mistake, once for each; it is then left out.
  public var onProfileError: @Sendable (ProfileError) -> Void = { _ in } {
    didSet {
      let once = ErrorsOnce(onProfileError)
      links?.engine.onError = { once.report($0) }
      advertised?.onError = { once.report($0) }
    }
  }

  /// Reports each mistake of a profile once, though the engines of both threads find it.
  private final class ErrorsOnce: Sendable {
    private let errors = Mutex<Set<String>>([])
    private let onError: @Sendable (ProfileError) -> Void

    init(_ onError: @escaping @Sendable (ProfileError) -> Void) { self.onError = onError }

    func report(_ error: ProfileError) {
      if errors.withLock({ $0.insert("\(error)").inserted }) { onError(error) }
    }
  }

  /// Learns names and attributes in a pass of its own, where the capture can be read twice. Throws ``CaptureError``.
  public func survey(into facts: inout CaptureFacts) throws -> Tables {
    guard !options.isLive, try source.rewind() else { return tables(options.connections) }
    var tracker = ConversationTracker(.survey, tables: tables())
    var packets = 0
    let reader = SurveyReader(source, limit: options.limit, progress)
    defer { reader.stop() }
    while let batch = try reader.next() {
      let records = unsafe batch.packets.records
      if packets == 0 { facts.first = unsafe Self.beginning(records) }
      if let last = unsafe records.last { facts.last = last.time }
      packets += records.count
      tracker.process(batch)
      reader.take(batch)
    }
    facts.packets = options.limit.map { min($0, packets) } ?? packets
    _ = try source.rewind()
    let end = RowBatch()
    tracker.finish(end)
    return end.tables
  }

  /// Tables with the attributes, connections and identity resolving keys that the options give.
  private func tables(_ connections: [HostConnection] = []) -> Tables {
    var tables = Tables(options.gatt, connections)
    tables.learn(options.identityKeys)
    return tables
  }

  /// The time of the first packet that belongs to the traffic: some phones set their clock after the first packets, which stand days before the others.
  /// Only few packets may stand before: where as many follow, both are traffic.
  private static func beginning(_ records: UnsafeBufferPointer<PacketRecord>) -> Int64? {
    guard var first = unsafe records.first?.time else { return nil }
    var before = first
    for place in 0..<min(records.count, 64) {
      let time = unsafe records[place].time
      let (pause, overflows) = time.subtractingReportingOverflow(before)
      if overflows || pause > day || pause < -day, records.count - place > 2 * place { first = time }
      before = time
    }
    return first
  }
  private static let day: Int64 = 86_400_000_000

  /// A filter decides what is emitted.
  public var isFiltered: Bool { options.filter != nil }
  /// Rows are wanted as they come.
  public var isLive: Bool { options.isLive }

  /// Runs over the capture and emits its events. Throws ``CaptureError`` and what the sink throws.
  public func run(_ facts: CaptureFacts, to sink: some EventSink) throws -> Outcome {
    guard let filter = options.filter else { return try runObserved(facts, to: sink) }
    let filtered = FilteredSink(sink, filter, source)
    var outcome = try runObserved(facts, to: filtered)
    outcome.unjudged = filtered.unjudged
    return outcome
  }

  private func runObserved(_ facts: CaptureFacts, to sink: some EventSink) throws -> Outcome {
    guard let observer = options.observer else { return try runAll(facts, to: sink) }
    return try runAll(facts, to: ObservedSink(observer, sink))
  }

  private func runAll(_ facts: CaptureFacts, to sink: some EventSink) throws -> Outcome {
    var facts = facts
    let tables = try survey(into: &facts)
    let producer = BatchProducer(source, tables, options, pass: facts.packets == nil ? .only : .rows, progress)
    // Where it can be read only once, the first rows say when the capture begins.
    while producer.ready.isEmpty, producer.step() {}
    if producer.ready.isEmpty, let error = producer.failure { throw error }
    if facts.first == nil { facts.first = producer.first }
    try sink.begin(facts)
    links?.engine.fields = sink.wantsFields
    advertised?.fields = sink.wantsFields
    let advertisements = advertised.map { AdvertisementDecoder($0, isLive: options.isLive) }
    let isLong = !options.isLive && (facts.packets ?? .max) >= fewPackets
    // Beside this thread and the one that decodes, the others write rows.
    let writers = isLong && threads > 2 ? (0..<min(threads - 2, Self.maxWriters)).compactMap { _ in sink.makeRowRenderer() } : []
    let renderer = isLong && (links != nil || !writers.isEmpty) ? sink.makeMessageRenderer() : nil
    var decoder = ProfileDecoder(links, renderer?.decodesAdvertisements == false ? nil : advertisements, isLive: options.isLive)
    let worker = renderer.map { DecodeWorker(decoder, $0, keepsMessages: !writers.isEmpty) }
    if let renderer, let worker, let thread = worker.start() {
      // Who writes rows reads messages too, as far as their bodies depend on nothing else.
      if renderer.decodesAdvertisements, !writers.isEmpty { leaveReading(true) }
      defer { leaveReading(false) }
      try runBeside(producer, worker, thread, writers, renderer.decodesAdvertisements ? nil : advertisements, sink)
    } else {
      decoder = ProfileDecoder(links, advertisements, isLive: options.isLive)
      if isLong { try runAhead(producer, decoder, sink) } else { try runAlone(producer, decoder, sink) }
    }
    if let error = producer.failure { throw error }
    var outcome = Outcome()
    outcome.packets = producer.packets
    outcome.damage = source.damage
    outcome.limits = source.limits
    outcome.tables = producer.tables
    outcome.withoutRow = producer.withoutRow
    outcome.subscriptions = decoder.subscriptions
    try sink.end(outcome)
    try sink.flush()
    return outcome
  }

  private func leaveReading(_ isLeft: Bool) {
    links?.engine.leavesReading = isLeft
    advertised?.leavesReading = isLeft
  }

  /// On two threads: the second decodes values and renders messages, while this one makes rows and hands them to the sink. Advertisements are
  /// decoded by the thread that has less to do; here where `advertisements` is given. With renderers each of them writes batches on a thread of
  /// its own, and this one puts their texts in order.
  private func runBeside(
    _ producer: BatchProducer, _ worker: DecodeWorker, _ thread: Worker, _ renderers: [any RowRenderer],
    _ advertisements: AdvertisementDecoder?, _ sink: some EventSink
  ) throws {
    let writers = advertisements != nil || renderers.isEmpty ? nil : RowWriters(renderers, worker.rendered, sink.wantsFields)
    producer.writers = writers == nil ? 0 : renderers.count
    defer {
      worker.stop()
      thread.join()
      writers?.join()
    }
    let messages = MessageTapeReader(sink.wantsFields)
    func emit(_ rendered: RenderedBatch) throws {
      if writers == nil {
        try rendered.emit(advertisements, messages, to: sink)
      } else if let output = rendered.output {
        try sink.rendered(output.bytes)
      }
      _ = producer.spare.push(rendered.batch)
      worker.recycle(rendered)
    }
    var isMore = true
    // All batches may be ready already, where the capture is small and comes in pieces: the producer has no room until these are emitted.
    while let batch = producer.ready.poll() { worker.decode(batch) }
    while true {
      // What is rendered goes out first: its memory is used again.
      while let rendered = writers.map({ $0.poll() }) ?? worker.rendered.poll() { try emit(rendered) }
      if isMore, producer.hasRoom {
        isMore = producer.step()
        while let batch = producer.ready.poll() { worker.decode(batch) }
        if !isMore { worker.finish() }
        continue
      }
      guard let rendered = writers.map({ $0.pop() }) ?? worker.rendered.pop() else { return }
      try emit(rendered)
    }
  }

  /// On two threads: the second makes rows while this one does all the rest.
  private func runAhead(_ producer: BatchProducer, _ decoder: ProfileDecoder, _ sink: some EventSink) throws {
    guard let thread = Worker({ producer.run() }) else { return try runAlone(producer, decoder, sink) }
    defer {
      producer.stop()
      thread.join()
    }
    while let batch = producer.ready.pop() {
      try decoder.decode(batch, to: sink)
      _ = producer.spare.push(batch)
    }
  }

  /// On one thread: small captures, and live ones, whose rows shall be visible at once.
  private func runAlone(_ producer: BatchProducer, _ decoder: ProfileDecoder, _ sink: some EventSink) throws {
    repeat {
      while let batch = producer.ready.poll() {
        try decoder.decode(batch, to: sink)
        _ = producer.spare.push(batch)
      }
      if options.isLive { try sink.flush() }
    } while producer.step() || !producer.ready.isEmpty
  }
}
