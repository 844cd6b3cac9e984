import Bluetooth
import Captures
import Conversations
import Memory
@_spi(Pipeline) import Profiles

/// The contents of a capture: collected from its rows in one pass, in bounded memory.
public final class Summary: EventSink {
  /// The traffic of one attribute on one connection.
  public struct Traffic: Sendable {
    /// Index into ``ConversationTables/connections``.
    public var connection: Int32
    /// Index into ``ConversationTables/attributes``.
    public var attribute: Int32
    /// Writes with response, writes without, notifications, indications, reads.
    public var writes = 0, commands = 0, notifications = 0, indications = 0, reads = 0
    /// Requests that were refused.
    public var refused = 0
    /// Bytes of all their values.
    public var bytes = 0
    /// Longest latency of a response in µs, and its frame.
    public var slowest: (latency: Int64, frame: Int) = (0, 0)
    /// Latencies of responses in µs, at most ``Summary/sampled``.
    public var latencies: [Int64] = []

    @inline(__always)
    fileprivate mutating func add(_ row: PacketRow, _ room: inout Int) {
      switch row.meaning {
      // Prepared writes are counted as one write when they are executed.
      case .subscribe where row.opcode != ATT.Opcode.writeRequest.rawValue: commands &+= 1
      case .write, .subscribe: if row.opcode == ATT.Opcode.writeRequest.rawValue { writes &+= 1 } else { return }
      case .writeResponse:
        if row.flags.contains(.hasAssembled) {
          writes &+= 1
          bytes &+= row.assembled.count
        }
      case .writeCommand: commands &+= 1
      case .notify: notifications &+= 1
      case .indicate: indications &+= 1
      // A long read counts as one; a Read By Type Request has no attribute handle.
      case .read: if row.opcode != ATT.Opcode.readBlobRequest.rawValue || row.pdu.u16(3) == 0 { reads &+= 1 }
      case .readValue: if row.opcode == ATT.Opcode.readByTypeResponse.rawValue { reads &+= 1 }
      case .refused: if !row.isEndOfLongRead { refused &+= 1 }
      default: break
      }
      if row.meaning != .writeResponse { bytes &+= Int(row.valueCount) }
      guard row.requestFrame != 0, row.flags.contains(.hasLatency) else { return }
      if row.latency > slowest.latency { slowest = (row.latency, row.frame) }
      if latencies.count < Summary.sampled, room > 0 {
        latencies.append(row.latency)
        room &-= 1
      }
    }
  }

  /// The traffic of one channel without attributes.
  public struct ChannelTraffic: Sendable {
    /// Index into ``ConversationTables/connections``.
    public var connection: Int32
    /// The channel.
    public var channel: ChannelIdentity
    /// Packets and bytes of data by this host, and by the peer.
    public var sent = (packets: 0, bytes: 0), received = (packets: 0, bytes: 0)
    /// Counts of the SDUs that this host sent and received; zero where the channel is no isochronous stream.
    public var sentSDUs = IsochronousFigures(), receivedSDUs = IsochronousFigures()
  }

  /// Facts about the capture.
  public private(set) var facts = CaptureFacts(name: "", title: "")
  /// How the run ended; set at the end.
  public private(set) var outcome = Outcome()
  /// Number of rows by layer, indexed by the raw value of its ``ProtocolID``.
  public private(set) var layers = [Int](repeating: 0, count: 256)
  /// Traffic of each attribute of each connection.
  public private(set) var traffic: [Traffic] = []
  /// Traffic of each channel without attributes of each connection, in the order they were seen.
  public private(set) var channels: [ChannelTraffic] = []
  /// Statistics of a sniffer, by channel; without packets where no sniffer was used.
  public private(set) var radio = (0..<40).map { RadioChannel($0) }
  /// Devices whose advertisements were received.
  public private(set) var heard = HeardDevices()
  /// Operations counted by connection.
  public let operationCounts = OperationCounts()
  private let operations: Operations<OperationCounts>
  private let needsMessages: Bool
  /// Messages of each profile, by its id.
  public var profiles: [String: MessageCounts.Count] { messages.byProfile }
  private let messages = MessageCounts()
  /// Packets that the capture cut.
  public private(set) var truncated = 0
  /// Packets that were dropped according to the capture.
  public private(set) var dropped = 0
  /// Findings, the first ``maximumFindings``.
  public private(set) var findings: [Finding] = []
  /// Number of all findings.
  public private(set) var findingCount = 0
  /// Time of the first and last packet.
  public private(set) var first: Int64?, last: Int64 = 0
  /// Index into ``traffic`` for a connection and an attribute.
  private var trafficOf = HashIndex()
  private var lastKey: UInt64 = .max
  private var lastTraffic = 0
  /// Number of latencies that may still be kept, over all attributes.
  private var latencyRoom = 1 << 18
  /// Most attributes of all connections whose traffic is counted.
  private static let maximumTraffic = 16_384

  /// Number of findings that ``findings`` represents.
  public var keptFindingCount: Int { findings.reduce(0) { $0 + max($1.repeated, 1) } }
  /// Most findings that are kept.
  public static let maximumFindings = 1000
  /// Most latencies kept of each attribute.
  public static let sampled = 4096

  /// Starts empty. `onOperation` is called with each operation and its messages, in the order of ``Operations``. While `wantsTexts` returns false,
  /// the messages have no text, which takes long to make.
  public init(onOperation: ((Operation, ConversationTables) -> Void)? = nil, wantsTexts: @escaping () -> Bool = { true }) {
    operationCounts.onOperation = onOperation
    operationCounts.wantsTexts = wantsTexts
    operations = Operations(operationCounts)
    needsMessages = onOperation != nil
  }

  /// Starts a capture.
  public func begin(_ facts: CaptureFacts) {
    self.facts = facts
    try? operations.begin(facts)
  }

  /// Counts a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
    if row.flags.contains(.part) { return }
    layers[Int(row.layer.rawValue)] &+= 1
    if first == nil { first = beginning(row.time) }
    last = row.time
    if row.flags.contains(.truncated) { truncated &+= 1 }
    if row.layer == .att {
      if row.opcode == ATT.Opcode.multipleHandleValueNotification.rawValue {
        row.forEachNotified(batch.tables) { if $0.attribute >= 0 { count($0) } }
      } else if row.attribute >= 0 {
        count(row)
      }
    } else if row.meaning == .data, row.connection >= 0 {
      countChannel(row)
    }
    heard.packet(row, batch)
    // Counting does not throw: no output is written.
    try? operations.packet(row, batch, isPart: isPart)
  }

  /// If the clock was set after the first packets, the start is the first time of the new clock.
  private func beginning(_ time: Int64) -> Int64 {
    guard let known = facts.first, known.subtractingReportingOverflow(time).partialValue.magnitude > 86_400_000_000 else { return time }
    return known
  }

  private func countRadio(_ batch: RowBatch) {
    let records = unsafe batch.packets.records
    guard unsafe records.first.map({ $0.radio.flags != 0 }) ?? false else { return }
    for index in records.indices {
      let info = unsafe records[index].radio
      if info.flags != 0, info.channel < 40 { radio[Int(info.channel)].count(info) }
    }
  }

  private func count(_ row: PacketRow) {
    let key = UInt64(UInt32(bitPattern: row.connection)) << 32 | UInt64(UInt32(bitPattern: row.attribute))
    let index: Int
    if key == lastKey {
      index = lastTraffic
    } else if case let known = trafficOf[key], known >= 0 {
      index = Int(known)
    } else {
      guard traffic.count < Self.maximumTraffic else { return }
      index = traffic.count
      traffic.append(Traffic(connection: row.connection, attribute: row.attribute))
      trafficOf.insert(Int32(index), for: key)
    }
    lastKey = key
    lastTraffic = index
    traffic[index].add(row, &latencyRoom)
  }

  @inline(never)
  private func countChannel(_ row: PacketRow) {
    guard let (channel, data) = row.channelData else { return }
    // The newest connection has most traffic, and comes last.
    var index = channels.lastIndex { $0.connection == row.connection && $0.channel == channel } ?? -1
    if index < 0 {
      guard channels.count < 1024 else { return }
      channels.append(ChannelTraffic(connection: row.connection, channel: channel))
      index = channels.count - 1
    }
    if row.direction == .sent || row.direction == .central {
      channels[index].sent.packets &+= 1
      channels[index].sent.bytes &+= data.count
      if row.layer == .hciISO { channels[index].sentSDUs.add(row) }
    } else {
      channels[index].received.packets &+= 1
      channels[index].received.bytes &+= data.count
      if row.layer == .hciISO { channels[index].receivedSDUs.add(row) }
    }
  }

  /// Names of attributes from profiles, by their index.
  public private(set) var names: [Int32: String] = [:]

  /// Keeps a profile's name for an attribute.
  public func attribute(_ attribute: ProfileAttribute) { names[attribute.index] = attribute.name }

  /// Counts a message.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    if needsMessages { operations.message(message, row, batch) }
    messages.message(message, row, batch)
  }

  /// Only operations need the fields of messages.
  @_spi(Pipeline) public var wantsFields: ProfileEngine.Fields { needsMessages ? .all : .none }

  /// Messages are counted on the decoding thread, unless operations need them.
  public func makeMessageRenderer() -> (any MessageRenderer)? { needsMessages ? nil : messages }

  /// Keeps a finding.
  public func finding(_ finding: Finding, _ batch: RowBatch) {
    findingCount += max(finding.repeated, 1)
    if case .dropped(let count) = finding.kind { dropped += count }
    if findings.count < Summary.maximumFindings { findings.append(finding) }
  }

  /// Counts packets by radio channel, including those without rows.
  public func batchDidEnd(_ batch: RowBatch) { countRadio(batch) }

  /// Keeps the outcome of the run.
  public func end(_ outcome: Outcome) {
    self.outcome = outcome
    try? operations.end(outcome)
  }
}
