import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles
import Synchronization
import Threads

/// Runs a capture through the pipeline: a ``PacketSource`` supplies packets, the `BatchProducer` lets the ``ConversationTracker`` make rows of them,
/// the `ProfileDecoder` adds messages and findings, and an ``EventSink`` receives all events in order.
public final class Timeline {
  /// Options of a run.
  public struct Options {
    /// Most packets to read.
    public var limit: Int?
    /// Profiles that decode values; nil for none.
    public var profiles: ProfileSet?
    /// Profiles make no messages: the run only finds out which of the proposed profiles fit (those of UUIDs or names that many devices have).
    package var onlyJudgesProfiles = false
    /// Results of an earlier run for such profiles: those that fit are used from the start.
    package var profileVerdicts = ProfileEngine.KnownVerdicts()
    /// Receives all rows, messages and findings before the filter: for the summary of a live capture.
    public var observer: (any EventSink)?
    /// Attribute tables from outside the capture.
    public var gatt = GATTCache()
    /// Identity resolving keys that the user or the host gave, each with the identity address of its device if known.
    public var identityKeys: [(key: IdentityResolvingKey, identity: DeviceAddress?)] = []
    /// Connections that the host had before the capture.
    public var connections: [HostConnection] = []
    /// Only packets that pass it are emitted.
    public var filter: Filter?
    /// Packets that complete no PDU have rows too, because filters need them.
    public var includesFragments = false
    /// Fill ``RowBatch/joined`` with the locations of the bytes of joined PDUs.
    public var tracksPieces = false
    /// Emit rows as they come (live): no row waits for a response.
    public var isLive = false
    /// Rows wait until the responses to their requests came, so that requests have their response. Counting does not need this.
    public var awaitsResponses = true

    /// Reads all packets.
    public init() {}
  }

  /// The capture.
  public let source: any PacketSource
  let options: Options
  private let links: ProfileLinks?
  /// The engine for advertisements.
  private let advertised: ProfileEngine?
  /// Progress of a run.
  public struct Step: Sendable {
    /// A pass over the capture.
    public enum Pass: Sendable {
      /// The only one.
      case only
      /// The first of two, which learns names and attributes.
      case survey
      /// The second of two.
      case rows
    }
    /// The current pass.
    public var pass: Pass
    /// Packets read in this pass.
    public var packets: Int
    /// Bytes of the file read in this pass.
    public var read: Int
    /// Size of the file in bytes, if known.
    public var total: Int?

    /// Progress of `source` after a number of packets.
    public init(_ pass: Pass, _ packets: Int, _ source: any PacketSource) {
      self.pass = pass
      self.packets = packets
      (read, total) = source.progress
    }
  }
  /// Called with the progress from time to time, on the reading thread.
  public var progress: (@Sendable (Step) -> Void)?

  /// Captures with fewer packets are decoded on one thread: a second would cost more than it saves.
  var fewPackets = 20_000

  /// Most threads that write rows: they keep up with one decoding thread. Each has a batch in memory.
  static let maxWriters = 6
  /// Number of threads a run may use.
  var threads = Worker.cores

  /// Most batches that wait for responses: about as many packets as come within the timeout of an ATT transaction.
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
    links?.engine.keepsLayerTrace = options.tracksPieces
  }

  /// The last run's results for profiles proposed by UUIDs or names that many devices have.
  package var profileVerdicts: ProfileEngine.KnownVerdicts { links?.engine.verdictsSoFar ?? ProfileEngine.KnownVerdicts() }

  /// Called once for each profile that is needed but invalid; it is then left out.
  public var onProfileError: @Sendable (ProfileError) -> Void = { _ in } {
    didSet {
      let once = ErrorsOnce(onProfileError)
      links?.engine.onError = { once.report($0) }
      advertised?.onError = { once.report($0) }
    }
  }

  /// Reports each error of a profile once, although the engines of both threads find it.
  private final class ErrorsOnce: Sendable {
    private let errors = Mutex<Set<String>>([])
    private let onError: @Sendable (ProfileError) -> Void

    init(_ onError: @escaping @Sendable (ProfileError) -> Void) { self.onError = onError }

    func report(_ error: ProfileError) {
      if errors.withLock({ $0.insert("\(error)").inserted }) { onError(error) }
    }
  }

  /// Learns names and attributes in a pass of its own, where the capture can be read twice. Throws ``CaptureError``.
  public func survey(into facts: inout CaptureFacts) throws -> ConversationTables {
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
  private func tables(_ connections: [HostConnection] = []) -> ConversationTables {
    var tables = ConversationTables(options.gatt, connections)
    tables.learn(options.identityKeys)
    return tables
  }

  /// The time of the first packet that belongs to the traffic: some phones set their clock after the first packets, which are then days earlier. Only
  /// a few packets may be earlier: if as many follow, both are traffic.
  private static func beginning(_ records: UnsafeBufferPointer<PacketRecord>) -> Int64? {
    guard var first = unsafe records.first?.time else { return nil }
    var before = first
    for index in 0..<min(records.count, 64) {
      let time = unsafe records[index].time
      let (pause, overflows) = time.subtractingReportingOverflow(before)
      if overflows || pause > day || pause < -day, records.count - index > 2 * index { first = time }
      before = time
    }
    return first
  }
  private static let day: Int64 = 86_400_000_000

  /// A filter selects the packets to emit.
  public var isFiltered: Bool { options.filter != nil }
  /// Rows are emitted as they come.
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
    // If the capture can be read only once, the first batch gives its start time.
    while producer.ready.isEmpty, producer.step() {}
    if producer.ready.isEmpty, let error = producer.failure { throw error }
    if facts.first == nil { facts.first = producer.first }
    try sink.begin(facts)
    links?.engine.fields = sink.wantsFields
    advertised?.fields = sink.wantsFields
    let advertisements = advertised.map { AdvertisementDecoder($0, isLive: options.isLive) }
    let isLong = !options.isLive && (facts.packets ?? .max) >= fewPackets
    // Besides this thread and the decoding thread, the others write rows.
    let isRenderedApart = isLong && rendersOnOtherThreads
    let writers = isRenderedApart && threads > 2 ? (0..<min(threads - 2, Self.maxWriters)).compactMap { _ in sink.makeRowRenderer() } : []
    let renderer = isRenderedApart && (links != nil || !writers.isEmpty) ? sink.makeMessageRenderer() : nil
    var decoder = ProfileDecoder(links, renderer?.decodesAdvertisements == false ? nil : advertisements, isLive: options.isLive)
    let worker = renderer.map { DecodeWorker(decoder, $0, writers: writers.count) }
    if let renderer, let worker, let thread = worker.start() {
      // The threads that write rows also read messages, if their bodies depend on nothing else.
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
    if let first = facts.first, facts.packets != 0, !CaptureFacts.hasTimeOfDay(first), !outcome.limits.contains(.noTimeOfDay) {
      outcome.limits.append(.noTimeOfDay)
    }
    outcome.tables = producer.tables
    outcome.withoutRow = producer.withoutRow
    outcome.subscriptions = decoder.subscriptions
    try sink.end(outcome)
    try sink.flush()
    return outcome
  }

  /// Whether other threads may render messages before this one writes them: all profiles are built in. Others may print any number of bytes for each
  /// message, and those of a whole batch would be in memory at once.
  private var rendersOnOtherThreads: Bool { (links?.engine.profiles ?? advertised?.profiles)?.isBuiltin ?? true }

  private func leaveReading(_ isLeft: Bool) {
    links?.engine.leavesReading = isLeft
    advertised?.leavesReading = isLeft
  }

  /// On two threads: the second decodes values and renders messages, while this one makes rows and passes them to the sink. The thread with less work
  /// decodes advertisements: this one if `advertisements` is given. With renderers, each of them writes batches on a thread of its own, and this
  /// thread puts their texts in order.
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
      if let writers {
        if let output = rendered.output {
          try sink.rendered(output.bytes, rendered.batch)
          rendered.output = nil
          writers.recycle(output)
        }
      } else {
        try rendered.emit(advertisements, messages, to: sink)
      }
      if rendered.isLastPart { producer.recycle(rendered.batch) }
      worker.recycle(rendered)
    }
    var isMore = true
    // All batches may be ready already, if the capture is small and comes in pieces: the producer has no free batch until these are emitted.
    while let batch = producer.ready.poll() { worker.decode(batch) }
    while true {
      // Rendered batches are emitted first, so that their memory is reused.
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

  /// On two threads: the second makes rows while this one does the rest.
  private func runAhead(_ producer: BatchProducer, _ decoder: ProfileDecoder, _ sink: some EventSink) throws {
    guard let thread = Worker({ producer.run() }) else { return try runAlone(producer, decoder, sink) }
    defer {
      producer.stop()
      thread.join()
    }
    while let batch = producer.ready.pop() {
      try decoder.decode(batch, to: sink)
      producer.recycle(batch)
    }
  }

  /// On one thread: small captures, and live ones, whose rows have to be visible at once.
  private func runAlone(_ producer: BatchProducer, _ decoder: ProfileDecoder, _ sink: some EventSink) throws {
    repeat {
      while let batch = producer.ready.poll() {
        try decoder.decode(batch, to: sink)
        producer.recycle(batch)
      }
      if options.isLive { try sink.flush() }
    } while producer.step() || !producer.ready.isEmpty
  }
}
