import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles

/// Receives operations in order.
public protocol OperationSink: AnyObject {
  /// The sink needs scans, and frames, values and messages of operations. If false, ``count(_:)`` is called instead of ``operation(_:_:)``, for
  /// operations over connections only.
  var wantsDetails: Bool { get }
  /// Whether the sink needs the messages of an operation as text: of a kind, beginning with a frame. Rendering the text takes longer than everything
  /// else.
  func wantsTexts(of kind: Operation.Kind, at frame: Int) -> Bool
  /// A capture starts.
  func begin(_ facts: CaptureFacts) throws
  /// A profile describes an attribute.
  func attribute(_ attribute: ProfileAttribute)
  /// An operation ended; its indices refer to `tables`.
  func operation(_ operation: Operation, _ tables: ConversationTables) throws
  /// An operation without its details ended.
  func count(_ operation: borrowing Operation)
  /// Makes the output so far visible.
  func flush() throws
  /// The capture ended.
  func end(_ outcome: Outcome) throws
}

extension OperationSink {
  /// Most sinks want all details.
  public var wantsDetails: Bool { true }
  /// Most sinks show them.
  public func wantsTexts(of kind: Operation.Kind, at frame: Int) -> Bool { true }
  /// Does nothing.
  public func begin(_ facts: CaptureFacts) throws {}
  /// Does nothing.
  public func attribute(_ attribute: ProfileAttribute) {}
  /// A sink that wants details gets all operations by ``operation(_:_:)``.
  public func count(_ operation: borrowing Operation) {}
  /// Does nothing.
  public func flush() throws {}
  /// Does nothing.
  public func end(_ outcome: Outcome) throws {}
}

/// Derives operations from rows. Memory is bounded: open operations, and a window of ended ones that wait for an earlier one.
public final class Operations<Sink: OperationSink>: EventSink {
  let sink: Sink
  var queue: OperationQueue
  /// The open operations of each connection, by its index.
  var links = LiveConnections<OpenOperations>()
  var adapters: [UInt16: AdapterOperations] = [:]
  /// The last connection with a handle of an adapter.
  var newest: [UInt32: Int32] = [:]
  let wantsDetails: Bool
  /// Consecutive values of notifications, writes without response and channels are one operation.
  private let joinsValues: Bool
  private var lastStaleCheck: Int64 = .min
  private var rowsSinceStaleCheck = 0
  /// Operations that ended with the last row: its messages may still follow.
  private var ended: [Int] = []
  private var endedCount = 0
  /// The operation that the last row belongs to, or -1.
  private(set) var touched = -1
  /// The tables of the current batch, copied once per batch, because a copy retains each of their parts.
  private final class Names {
    let tables: ConversationTables
    init(_ tables: ConversationTables) { self.tables = tables }

    /// Hands over an operation. In here the tables are borrowed; a caller would copy them, which retains each of their parts.
    @inline(never)
    func pass(_ operation: borrowing Operation, to sink: Sink) throws { try sink.operation(operation, tables) }
  }
  private var names = Names(ConversationTables())
  /// Time of the last row, and the frames before which the clock jumped: the first ``maxJumps``.
  private var lastTime: Int64 = .min
  private var jumps: [Int] = []
  private static var maxJumps: Int { 65_536 }
  private let words = MessageWords()
  /// Connections that may have runs or keys that become stale.
  var withRuns: Set<Int> = []
  /// The frame and connection of the last commands about connections.
  var commanded: [(frame: Int, connection: Int)] = []
  /// Far more than the commands a controller accepts before it responds.
  static var maxCommanded: Int { 512 }
  /// Most open operations, and most of each kind on one connection.
  private static var maxOpen: Int { 8192 }
  static var maxRequests: Int { 64 }
  /// Most adapters whose connection attempts and name requests are tracked, and most devices that the scans of all adapters remember.
  static var maxAdapters: Int { 64 }
  static var maxScanned: Int { 32_768 }
  var tables: ConversationTables { names.tables }
  private var batch: ObjectIdentifier?
  private var filling = 0

  /// Passes operations to `sink` in the order they began, except that at most `window` of them wait for an earlier one; with 0 in the order they end.
  /// Without `joinsValues`, each notification, write without response and piece of data of a channel is an operation of its own; media packets are
  /// still joined.
  public init(_ sink: Sink, window: Int = 4096, joinsValues: Bool = true) {
    self.sink = sink
    self.joinsValues = joinsValues
    queue = OperationQueue(window: window)
    wantsDetails = sink.wantsDetails
  }

  /// A capture starts.
  public func begin(_ facts: CaptureFacts) throws {
    links.removeAll()
    withRuns.removeAll()
    commanded.removeAll()
    adapters.removeAll()
    newest.removeAll()
    lastStaleCheck = .min
    lastTime = .min
    jumps.removeAll()
    try sink.begin(facts)
  }

  /// Takes a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    touched = -1
    adopt(batch)
    if endedCount > 0 { try emitEnded() }
    if lastTime != .min, PacketRow.isJump(from: lastTime, to: row.time), jumps.count < Self.maxJumps { jumps.append(row.frame) }
    lastTime = row.time
    rowsSinceStaleCheck &+= 1
    if lastStaleCheck == .min || row.time &- lastStaleCheck > 5_000_000 || row.time < lastStaleCheck,
      // Times may alternate: the check, which goes through all runs, is done only after a number of rows in proportion to the runs.
      rowsSinceStaleCheck >= withRuns.count / 16
    {
      lastStaleCheck = row.time
      rowsSinceStaleCheck = 0
      endStale(row.time)
    }
    switch row.layer {
    case .att: if row.connection >= 0 { att(row) }
    case .hciEvent:
      if row.carriesReports {
        if wantsDetails { reports(row) }
      } else if row.meaning != .noise || row.opcode == 0x0F {
        event(row)
      }
    case .hciCommand: command(row)
    // Over BR/EDR devices that are paired distribute keys for LE, which is no pairing (Core, Vol 3, Part H, 3.6.1).
    case .smp: if row.connection >= 0, row.channel != L2CAP.ChannelID.bredrSMP.rawValue { security(row) }
    case .signaling: if row.connection >= 0 { signaling(row) }
    case .l2cap, .hciSCO, .hciISO: if row.connection >= 0 { data(row) }
    case .advertisingPDU: sniffedConnection(row)
    case .linkLayer: if row.connection >= 0 { sniffedData(row) }
    case .linkLayerControl: if row.connection >= 0 { control(row) }
    // A controller's diagnostic records of LMP PDUs (`.event`) are no operations: HCI events report the same to the host.
    case .lmp: if row.connection >= 0 { if row.meaning == .event { linkManagerOfHost(row) } else { linkManager(row) } }
    case .hid: if row.connection >= 0 { humanInterface(row) }
    case _ where row.layer.hasCommandLines: if row.connection >= 0 { commandLines(row) }
    case .obex: if row.connection >= 0 { objects(row) }
    case .sdp: if row.connection >= 0 { serviceSearch(row) }
    case .avdtp: if row.connection >= 0 { streamSignal(row) }
    case .a2dp: if row.connection >= 0 { media(row) }
    case .avrcp: if row.connection >= 0 { remoteControl(row) }
    default: if row.connection >= 0, row.isOfChannel { data(row) }
    }
  }

  /// Adds a message to the operation of its last packet.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    guard wantsDetails, touched >= 0, message.kind == .message else { return }
    queue.change(touched) { operation in
      operation.messageCount += 1
      guard operation.messageCount <= Operation.keptMessages, sink.wantsTexts(of: operation.kind, at: operation.frame) else { return }
      words.format(message) { operation.keep(message.profile.id, message.name, $0) }
    }
  }

  /// A profile describes an attribute.
  public func attribute(_ attribute: ProfileAttribute) { sink.attribute(attribute) }

  /// Emits the operations that ended in the batch.
  public func batchDidEnd(_ batch: RowBatch) throws {
    touched = -1
    adopt(batch)
    if endedCount > 0 { try emitEnded() }
    // Requests without a response stay in the queue until the capture ends. Beyond `maxOpen`, the oldest are emitted now.
    try queue.shorten(to: Self.maxOpen) { try emit($0) }
  }

  @inline(__always)
  private func adopt(_ batch: RowBatch) {
    if filling == batch.filling, ObjectIdentifier(batch) == self.batch { return }
    filling = batch.filling
    self.batch = ObjectIdentifier(batch)
    names = Names(batch.tables)
  }

  /// Makes the output so far visible.
  public func flush() throws { try sink.flush() }

  /// Ends the open operations.
  public func end(_ outcome: Outcome) throws {
    names = Names(outcome.tables)
    for connection in links.connections { leave(Int(connection), isLost: false) }
    try emitEnded()
    // The others are open because the capture ended; they are emitted in the order they began.
    try queue.finish { try emit($0) }
    try sink.end(outcome)
  }

  // MARK: Common to all kinds

  @inline(__always)
  func begin(_ kind: Operation.Kind, _ row: PacketRow, _ body: (inout Operation) -> Void = { _ in }) -> Int {
    touched = queue.begin(kind, row, withDetails: wantsDetails, body)
    return touched
  }

  @inline(__always)
  func change(_ number: Int, _ body: (inout Operation) -> Void) {
    touched = number
    queue.change(number, body)
  }

  @inline(__always)
  func end(_ number: Int, _ body: (inout Operation) -> Void = { _ in }) {
    guard number >= 0 else { return }
    change(number, body)
    if endedCount < ended.count { ended[endedCount] = number } else { ended.append(number) }
    endedCount &+= 1
  }

  private func emitEnded() throws {
    // The array keeps its length: emptying it would cost more than the work on one number.
    let count = endedCount
    endedCount = 0
    for index in 0..<count { try queue.end(ended[index]) { try emit($0) } }
  }

  @inline(__always)
  private func emit(_ operation: borrowing Operation) throws {
    if wantsDetails { try emitDetails(operation) } else { sink.count(operation) }
  }

  @inline(never)
  private func emitDetails(_ operation: borrowing Operation) throws {
    guard !jumps.isEmpty, crossesJump(operation) else { return try names.pass(operation, to: sink) }
    var operation = copy operation
    operation.crossesJump = true
    operation.latency = -1
    try names.pass(operation, to: sink)
  }

  /// The clock jumped between the packets of an operation. Where not all jumps were kept, operations behind the last kept one count as such, too.
  private func crossesJump(_ operation: borrowing Operation) -> Bool {
    var (low, high) = (0, jumps.count)
    while low < high {
      let middle = (low + high) / 2
      if jumps[middle] <= operation.frame { low = middle + 1 } else { high = middle }
    }
    return low < jumps.count ? jumps[low] <= operation.endFrame : jumps.count == Self.maxJumps
  }

  @inline(__always)
  func link(_ row: PacketRow) -> Int {
    let at = Int(row.connection)
    if !links.has(at) { open(at, row) }
    return at
  }

  @inline(never)
  private func open(_ at: Int, _ row: PacketRow) {
    if links.isNew(at) { newest[UInt32(row.adapter) << 16 | UInt32(row.handle)] = row.connection }
    if let oldest = links.oldest { leave(oldest, isLost: false) }
    links.open(at, OpenOperations())
  }

  /// Adds a row to the open operation at `path`, or begins one with it.
  func extendOrBegin(_ path: WritableKeyPath<OpenOperations, Int>, _ kind: Operation.Kind, _ row: PacketRow, isIncoming: Bool = false) {
    let at = link(row)
    if links[at][keyPath: path] >= 0 {
      change(links[at][keyPath: path]) { $0.extend(row) }
    } else {
      links[at][keyPath: path] = begin(kind, row) { $0.isIncoming = isIncoming }
    }
  }

  /// Removes the open operation at `path` and returns its number, or -1.
  func take(_ path: WritableKeyPath<OpenOperations, Int>, _ at: Int) -> Int {
    defer { links[at][keyPath: path] = -1 }
    return links[at][keyPath: path]
  }

  /// Ends runs without a new value for a while.
  private func endStale(_ time: Int64) {
    for at in withRuns.sorted() {
      guard links.has(at) else {
        withRuns.remove(at)
        continue
      }
      if !links[at].runs.isEmpty { endRuns(at) { $0.isStale(at: time) } }
      if links[at].keyDistribution >= 0, time &- links[at].keyDistributionTime > 2_000_000 { endKeyDistribution(at) }
      for side in 0...1 where !links[at].reads[side].isEmpty { endReads(at, side) { time &- $0.time > 2_000_000 } }
      if links[at].runs.isEmpty, links[at].keyDistribution < 0, links[at].reads[0].isEmpty, links[at].reads[1].isEmpty {
        withRuns.remove(at)
      }
    }
  }

  @inline(__always)
  func endRuns(_ at: Int, where isOver: (OpenRun) -> Bool) {
    var index = 0
    while index < links[at].runs.count {
      if isOver(links[at].runs[index]) { end(links[at].runs.remove(at: index).number) } else { index += 1 }
    }
  }

  /// Ends reads that do not continue.
  func endReads(_ at: Int, _ side: Int, where isOver: (OpenOperations.Read) -> Bool) {
    var index = 0
    while index < links[at].reads[side].count {
      if isOver(links[at].reads[side][index]) { end(links[at].reads[side].remove(at: index).number) } else { index += 1 }
    }
  }

  /// Adds a value to a run, or begins one.
  func run(
    _ kind: Operation.Kind, _ row: PacketRow, _ at: Int, key: UInt32, bytes: PDUBytes, isIncoming: Bool,
    channel: ChannelIdentity? = nil, input: HID.Report.Change? = nil
  ) {
    func beginRun() -> Int {
      begin(kind, row) { operation in
        operation.isIncoming = isIncoming
        operation.ending = .succeeded
        operation.keep(bytes)
        operation.layer = row.layer
        operation.channel = channel
        if let input { operation.add(input) }
      }
    }
    if !joinsValues, kind != .data || row.layer.carriesUnknownData { return end(beginRun()) }
    var index = 0
    while index < links[at].runs.count {
      guard links[at].runs[index].key == key, links[at].runs[index].kind == kind, links[at].runs[index].isIncoming == isIncoming else {
        index += 1
        continue
      }
      if links[at].runs[index].isStale(at: row.time) {
        end(links[at].runs.remove(at: index).number)
        break
      }
      links[at].runs[index].add(row.time)
      change(links[at].runs[index].number) {
        $0.extend(row)
        $0.count &+= 1
        $0.bytes &+= bytes.count
        if let input { $0.add(input) }
      }
      return
    }
    // No device uses that many characteristics at a time: the oldest run ends.
    if links[at].runs.count >= 64 { end(links[at].runs.removeFirst().number) }
    let number = beginRun()
    withRuns.insert(at)
    links[at].runs.append(OpenRun(kind: kind, key: key, isIncoming: isIncoming, number: number, first: row.time, last: row.time))
  }

  /// A connection ended: its open requests get no response. `isLost` is false where only the capture ended.
  func leave(_ at: Int, isLost: Bool) {
    guard links.has(at) else { return }
    let open = links[at]
    links.close(at)
    for run in open.runs { end(run.number) }
    for side in 0...1 { for read in open.reads[side] { end(read.number) } }
    for side in 0...1 { end(open.discoveries[side]) { if isLost, $0.ending == .open { $0.ending = .unanswered } } }
    guard isLost else { return }
    // The end of the connection releases the endpoints (ASCS 1.0.1, 3.4).
    for (_, number) in open.streams.sorted(by: { $0.key < $1.key }) { end(number) { $0.ending = .succeeded } }
    for side in 0...1 { end(open.searches[side].number) { $0.ending = .unanswered } }
    for stream in open.media { end(stream.number) { $0.ending = $0.mediaStream.states.isEmpty ? .unanswered : .succeeded } }
    for request in open.requests { end(request.number) { $0.ending = .unanswered } }
    // Prepared writes that were all acknowledged, but never executed.
    for side in 0...1 { end(open.prepared[side]) { if $0.ending == .open { $0.ending = .cancelled } } }
    for indication in open.indications { end(indication.number) { $0.ending = .unanswered } }
    for number in [open.parameters, open.phy, open.dataLength, open.security, open.keyDistribution] {
      end(number) { if $0.ending == .open { $0.ending = .unanswered } }
    }
    for (_, number) in open.signals { end(number) { $0.ending = .unanswered } }
    for (_, number) in open.services { end(number) { $0.ending = .unanswered } }
  }
}

/// A run of values of one kind.
struct OpenRun {
  var kind: Operation.Kind
  /// Attribute handle, or protocol and channel.
  var key: UInt32
  var isIncoming: Bool
  var number: Int
  var first: Int64
  var last: Int64
  var count: Int64 = 1

  mutating func add(_ time: Int64) {
    last = max(last, time)
    count += 1
  }

  /// No value came for much longer than the usual time between two values.
  func isStale(at time: Int64) -> Bool {
    let gap = time &- last
    if gap <= shortest { return gap < -2_000_000 }
    let usual = count > 1 ? (last &- first) / (count - 1) : 0
    return gap > min(max(shortest, usual &* 4), 60_000_000)
  }

  /// Devices report values every few seconds; an app that repeats something after a pause performs two operations.
  private var shortest: Int64 {
    switch kind {
    case .notification: 10_000_000
    case .data, .input: 5_000_000
    default: 2_000_000
    }
  }
}

/// The open operations of one connection. In pairs, 0 is for operations of this host, 1 for those of the peer.
struct OpenOperations {
  struct Request {
    var channel: UInt16
    var isIncoming: Bool
    var frame: Int
    var number: Int
    var opcode: UInt8
    /// Where the requested part of the value begins.
    var offset: Int
  }
  /// A read whose value filled its PDU, and may continue with a later request.
  struct Read {
    var number: Int
    var handle: UInt16
    /// Where its next part begins.
    var offset: Int
    var time: Int64
  }
  var requests: [Request] = []
  var indications: [(isIncoming: Bool, frame: Int, number: Int)] = []
  var discoveries = SIMD2(-1, -1)
  /// Handles of the descriptors that the discovery found.
  var descriptors = PerDirection<Set<UInt16>>([])
  var lastDiscovery = SIMD2<Int64>.zero
  var reads = PerDirection<[Read]>([])
  var prepared = SIMD2(-1, -1)
  var runs: [OpenRun] = []
  var parameters = -1
  var phy = -1
  var dataLength = -1
  var security = -1
  /// Whether this host's controller asked for the encryption that both controllers agreed on last, as far as its own log shows.
  var isEncryptionOfHost: Bool?
  /// Whether both sides of the LE pairing in ``security`` showed that they have the same key; nil where it is no such pairing.
  var isKeyAgreed: Bool?
  /// Pairing whose keys are still being distributed.
  var keyDistribution = -1
  var keyDistributionTime: Int64 = 0
  var disconnect = -1
  var signals: [UInt16: Int] = [:]
  /// AT commands, requests for objects and reports, and commands of remote controls without a response so far.
  var services: [ServiceKey: Int] = [:]
  /// Audio stream endpoints that are in use, by attribute.
  var streams: [Int32: Int] = [:]
  /// SDP requests.
  var searches = PerDirection(OpenSearch())
  /// A2DP streams, and commands about them without a response so far, by their transaction label.
  var media: [OpenMedia] = []
  var mediaRequests: [UInt8: (signal: AVDTP.SignalIdentifier, numbers: [Int])] = [:]
}

/// One element for this host (0) and one for the peer (1).
struct PerDirection<Element> {
  private var mine: Element, theirs: Element

  init(_ both: Element) {
    mine = both
    theirs = both
  }

  subscript(_ side: Int) -> Element {
    get { side == 0 ? mine : theirs }
    set { if side == 0 { mine = newValue } else { theirs = newValue } }
  }
}

/// The open operations of one adapter.
struct AdapterOperations {
  var scan = -1
  var scanned: Set<UInt64> = []
  var inquiry = -1
  /// Connection attempts: LE (one at a time), BR/EDR by address.
  var attempt = -1
  var attemptFrame = 0
  var calls: [UInt64: Int] = [:]
  var names: [UInt64: Int] = [:]
}
