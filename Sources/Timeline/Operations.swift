import Bluetooth
import Captures
import Conversations
import Profiles

/// Takes operations in their order and writes them somewhere.
public protocol OperationPrinter: AnyObject {
  /// A capture starts.
  func begin(_ facts: CaptureFacts) throws
  /// A profile knows an attribute (index into ``Tables/attributes``) under a name of its own.
  func named(_ attribute: Int32, _ name: String)
  /// An operation ended; names are those of `tables`.
  func operation(_ operation: Operation, _ tables: Tables) throws
  /// What was printed so far shall be seen now.
  func flush() throws
  /// The capture ended.
  func end(_ outcome: Outcome) throws
}

/// Makes operations out of rows. Memory is bounded: what is open, and a window of operations that wait for an earlier one.
public final class Operations<Printer: OperationPrinter>: RowPrinter {
  let printer: Printer
  var queue: OperationQueue
  /// What is open on each connection, by its index.
  var links: [OpenOperations] = []
  var adapters: [UInt16: AdapterOperations] = [:]
  private var lastSwept: Int64 = .min
  /// Operations that ended with the row at hand: its messages are still to come.
  private var ended: [Int] = []
  /// The operation that the row at hand belongs to, or -1.
  private var touched = -1
  /// The tables of the batch at hand, which know the names: asked for once a batch, as a copy of them counts each of their parts.
  private(set) var tables = Tables()
  private var batch: ObjectIdentifier?
  private var filling = 0

  /// Hands operations to `printer` in the order they began, as far as a `window` of them can wait; with 0 in the order they end.
  public init(_ printer: Printer, window: Int = 4096) {
    self.printer = printer
    queue = OperationQueue(window: window)
  }

  /// A capture starts.
  public func begin(_ facts: CaptureFacts) throws {
    links.removeAll()
    adapters.removeAll()
    lastSwept = .min
    try printer.begin(facts)
  }

  /// Takes a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    touched = -1
    learn(batch)
    if !ended.isEmpty { try hand() }
    if lastSwept == .min || row.time &- lastSwept > 5_000_000 || row.time < lastSwept {
      lastSwept = row.time
      try sweep(row.time)
    }
    switch row.layer {
    case .att: if row.connection >= 0 { try att(row) }
    case .hciEvent:
      if row.carriesReports { reports(row) } else if row.meaning != .noise || row.opcode == 0x0F { try event(row) }
    case .hciCommand: try command(row)
    case .smp: if row.connection >= 0 { try security(row) }
    case .signaling: if row.connection >= 0 { try signaling(row) }
    case .l2cap, .sdp, .rfcomm, .avdtp, .avctp, .bnep, .hid, .hciSCO, .hciISO: if row.connection >= 0 { try data(row) }
    case .advertisingPDU: try sniffedConnection(row)
    case .linkLayer: if row.connection >= 0 { try sniffedData(row) }
    case .linkLayerControl: if row.connection >= 0 { try control(row) }
    default: break
    }
  }

  /// Keeps a message with the operation of its last packet.
  public func message(_ message: Message, _ row: PacketRow, _ batch: RowBatch) {
    guard touched >= 0, message.kind == .message else { return }
    var text: [UInt8] = []
    message.appendSay(to: &text)
    let kept = OperationMessage(profile: message.profile.id, name: message.name, text: String(decoding: text, as: UTF8.self))
    queue.change(touched) { operation in
      operation.messageCount += 1
      if operation.messages.count < Operation.keptMessages { operation.messages.append(kept) }
    }
  }

  /// Takes over a profile's word for an attribute.
  public func named(_ attribute: Int32, _ name: String) { printer.named(attribute, name) }

  /// What ended in the batch goes out.
  public func settle(_ batch: RowBatch) throws {
    touched = -1
    learn(batch)
    if !ended.isEmpty { try hand() }
  }

  @inline(__always)
  private func learn(_ batch: RowBatch) {
    if filling == batch.filling, ObjectIdentifier(batch) == self.batch { return }
    filling = batch.filling
    self.batch = ObjectIdentifier(batch)
    tables = batch.tables
  }

  /// Findings are no operations.
  public func finding(_ finding: Finding, _ batch: RowBatch) {}

  /// Writes what was printed.
  public func flush() throws { try printer.flush() }

  /// Ends what is open.
  public func end(_ outcome: Outcome) throws {
    tables = outcome.tables
    for index in links.indices { try leave(index, isLost: false) }
    try hand()
    // What is left is open because the capture ended; it goes out in the order it began.
    try queue.finish { try printer.operation($0, outcome.tables) }
    try printer.end(outcome)
  }

  // MARK: Parts that all kinds use

  func begin(_ kind: Operation.Kind, _ row: PacketRow, _ body: (inout Operation) -> Void = { _ in }) -> Int {
    var operation = Operation(kind, row)
    body(&operation)
    touched = queue.begin(operation)
    return touched
  }

  func change(_ number: Int, _ body: (inout Operation) -> Void) {
    touched = number
    queue.change(number, body)
  }

  func end(_ number: Int, _ body: (inout Operation) -> Void = { _ in }) throws {
    guard number >= 0 else { return }
    change(number, body)
    ended.append(number)
  }

  private func hand() throws {
    for number in ended { try queue.end(number) { try printer.operation($0, tables) } }
    ended.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  func link(_ row: PacketRow) -> Int {
    let at = Int(row.connection)
    while links.count <= at { links.append(OpenOperations()) }
    return at
  }

  /// Ends runs that nothing was added to for a while.
  private func sweep(_ time: Int64) throws {
    for at in links.indices {
      if !links[at].runs.isEmpty { try endRuns(at) { $0.isStale(at: time) } }
      if links[at].keys >= 0, time &- links[at].keysTime > 2_000_000 { try endKeys(at) }
    }
  }

  func endRuns(_ at: Int, where isOver: (OpenRun) -> Bool) throws {
    var index = 0
    while index < links[at].runs.count {
      if isOver(links[at].runs[index]) {
        let run = links[at].runs.remove(at: index)
        try end(run.number)
      } else {
        index += 1
      }
    }
  }

  /// Adds a value to a run, or begins one.
  func run(
    _ kind: Operation.Kind, _ row: PacketRow, _ at: Int, key: UInt32, bytes: PDUBytes, isIncoming: Bool,
    channel: ChannelIdentity? = nil
  ) throws {
    if let index = links[at].runs.firstIndex(where: { $0.kind == kind && $0.key == key && $0.isIncoming == isIncoming }) {
      if !links[at].runs[index].isStale(at: row.time) {
        links[at].runs[index].add(row.time)
        change(links[at].runs[index].number) {
          $0.extend(row)
          $0.count &+= 1
          $0.bytes &+= bytes.count
        }
        return
      }
      let over = links[at].runs.remove(at: index)
      try end(over.number)
    }
    // More kinds of traffic at a time than a device has characteristics: the oldest run ends.
    if links[at].runs.count >= 64 { try end(links[at].runs.removeFirst().number) }
    let number = begin(kind, row) { operation in
      operation.isIncoming = isIncoming
      operation.ending = .done
      operation.keep(bytes)
      operation.layer = row.layer
      operation.channel = channel
    }
    links[at].runs.append(OpenRun(kind: kind, key: key, isIncoming: isIncoming, number: number, first: row.time, last: row.time))
  }

  /// A connection is over: nothing that is open on it will be answered. `isLost` is false where only the capture ended.
  func leave(_ at: Int, isLost: Bool) throws {
    guard at < links.count else { return }
    var open = OpenOperations()
    swap(&open, &links[at])
    for run in open.runs { try end(run.number) }
    for read in open.reads where read.number >= 0 { try end(read.number) }
    for number in open.discoveries { try end(number) }
    guard isLost else { return }
    for request in open.requests { try end(request.number) { $0.ending = .unanswered } }
    for number in open.prepared { try end(number) { $0.ending = .unanswered } }
    for indication in open.indications { try end(indication.number) { $0.ending = .unanswered } }
    for number in [open.parameters, open.phy, open.dataLength, open.security, open.keys] {
      try end(number) { if $0.ending == .open { $0.ending = .unanswered } }
    }
    for (_, number) in open.signals { try end(number) { $0.ending = .unanswered } }
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

  /// Nothing came for much longer than it used to take from one to the next.
  func isStale(at time: Int64) -> Bool {
    let usual = count > 1 ? (last &- first) / (count - 1) : 0
    let gap = time &- last
    return gap > min(max(shortest, usual &* 4), 60_000_000) || gap < -2_000_000
  }

  /// Values of a device that reports by itself come every few seconds; what an app does twice with a pause are two things.
  private var shortest: Int64 {
    switch kind {
    case .notification: 10_000_000
    case .data: 5_000_000
    default: 2_000_000
    }
  }
}

/// What is open on one connection. Pairs are by who asked: 0 this host, 1 the peer.
struct OpenOperations {
  struct Request {
    var channel: UInt16
    var isIncoming: Bool
    var frame: Int
    var number: Int
    var opcode: UInt8
  }
  /// A read whose value may go on with the next request.
  struct Read {
    var number = -1
    var handle: UInt16 = 0
  }
  var requests: [Request] = []
  var indications: [(isIncoming: Bool, frame: Int, number: Int)] = []
  var discoveries = [-1, -1]
  var lastDiscovery: [Int64] = [0, 0]
  var reads = [Read(), Read()]
  var prepared = [-1, -1]
  var runs: [OpenRun] = []
  var parameters = -1
  var phy = -1
  var dataLength = -1
  var security = -1
  /// Pairing whose keys are still being handed over.
  var keys = -1
  var keysTime: Int64 = 0
  var disconnect = -1
  var signals: [UInt16: Int] = [:]
}

/// What is open on one adapter.
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
