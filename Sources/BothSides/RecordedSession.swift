@_spi(Pipeline) import Analysis
import Bluetooth
import Captures
import Conversations
import Memory

/// The L2CAP PDUs of all connections of a capture, of a host or a sniffer: their times, packets, and a digest instead of their bytes.
public struct RecordedSession: Sendable {
  /// A complete PDU.
  public struct PDU: Sendable {
    /// Digest of the bytes and their protocol.
    public var digest: UInt64
    /// Number of the packet that completed it, which is that of its row in a timeline.
    public var frame: Int
    /// Time of its first packet, µs since 1970.
    public var start: Int64
    /// Time of the packet that completed it; for a retransmitted packet, the first time it was received.
    public var end: Int64
    /// Index into ``RecordedSession/connections``.
    public var connection: Int32
    /// Number of bytes.
    public var length: Int32
    /// A host sent it; on the air, the central did.
    public var isForward: Bool
    /// The first and last of its ``RecordedSession/transmissions``, or -1 in a host's log.
    var first: Int32 = -1, last: Int32 = -1

    /// Creates a PDU of a host's log, or one of the air whose packets are unknown.
    public init(digest: UInt64, frame: Int, start: Int64, end: Int64, connection: Int32, length: Int32, isForward: Bool) {
      self.init(
        digest: digest, frame: frame, start: start, end: end, connection: connection, length: length, isForward: isForward, first: -1,
        last: -1)
    }

    init(
      digest: UInt64, frame: Int, start: Int64, end: Int64, connection: Int32, length: Int32, isForward: Bool, first: Int32, last: Int32
    ) {
      (self.digest, self.frame, self.start, self.end) = (digest, frame, start, end)
      (self.connection, self.length, self.isForward, self.first, self.last) = (connection, length, isForward, first, last)
    }
  }

  /// A Link Layer packet that carried a PDU or a part of it.
  public struct Transmission: Sendable {
    /// Number of the packet in its capture.
    public var frame: Int
    /// Time by the sniffer's clock, µs since 1970.
    public var time: Int64
    /// Link Layer channel index.
    public var channel: UInt8
    /// It is a retransmission of the previous one.
    public var isRepeated: Bool
    /// Index of the next packet of the same PDU, or -1.
    var next: Int32 = -1
  }

  /// A connection.
  public struct Connection: Sendable {
    /// HCI handle; on the air a number assigned by btscribe.
    public var handle: UInt16 = 0
    /// Access address; 0 in a host's log.
    public var accessAddress: UInt32 = 0
    /// The host is the central; nil where its log does not show it, and on the air.
    public var isCentral: Bool?
    /// Connection interval in µs, or 0.
    public var interval: Int64 = 0
    /// Number of PDUs.
    public var count = 0
    /// PDUs that the log truncated: they match nothing.
    public var cut = 0
    /// Times of packets that no key decrypted, in µs, the first ``RecordedSession/maxClosed`` of them.
    var closed: [Int64] = []

    /// A connection without data.
    public init() {}
  }

  /// The PDUs in the order of the capture.
  public internal(set) var pdus: [PDU] = []
  /// The connections, by their number in the capture's tables.
  public internal(set) var connections: [Connection] = []
  var transmissions: [Transmission] = []
  /// Pairs of consecutive packets, of any connections, whose times are far apart or go back; nil where there are too many to keep, or they were not
  /// recorded.
  var steps: [Step]?

  /// A packet whose time is far from that of the previous packet.
  struct Step: Sendable {
    /// Number of the packet in the capture.
    var frame: Int
    /// Its time minus that of the previous packet, µs.
    var by: Int64
    /// The smallest step, and most steps that are kept.
    static let minimumStep: Int64 = 500_000, maxCount = 1 << 16
  }

  /// Whether times go back after the first packet of `frames`, up to the one after them, and whether they go ahead, by `size` µs or more. Nil if the
  /// steps are unknown.
  func steps(in frames: Range<Int>, of size: UInt64) -> (isBack: Bool, isAhead: Bool)? {
    steps?.reduce((false, false)) { known, step in
      guard step.frame > frames.lowerBound, step.frame <= frames.upperBound, step.by.magnitude >= size else { return known }
      return (known.0 || step.by < 0, known.1 || step.by > 0)
    }
  }
  /// PDUs that exceeded the bounds, themselves or with their packets.
  public internal(set) var leftOut = 0
  /// Link Layer packets are in the capture.
  public internal(set) var hasAir = false
  /// Packets between a host and its controller are in the capture.
  public internal(set) var hasHost = false

  /// Bounds on the data kept of a capture of any length.
  struct Bounds: Sendable {
    /// Most PDUs, and most Link Layer packets.
    var pdus: Int, transmissions: Int
    /// Most times of undecrypted packets for each connection. If there are more, missing PDUs are not reported.
    var closed: Int

    /// The bounds for the capture of each of `sniffers` sniffers: together they have the memory of one.
    init(pdus: Int = 1 << 19, transmissions: Int = 1 << 20, closed: Int = RecordedSession.maxClosed, sniffers: Int = 1) {
      self.closed = closed
      self.pdus = pdus / max(1, sniffers)
      self.transmissions = transmissions / max(1, sniffers)
    }
  }
  /// Most sniffers whose captures are compared with a host's.
  public static let maxSniffers = 16
  /// Most times of undecrypted packets, for each connection.
  static let maxClosed = 4096

  /// An empty session.
  public init() {}

  /// Creates a session from PDUs in the order of their times. Those of missing connections are left out.
  public init(_ connections: [Connection], _ pdus: [PDU]) {
    self.connections = connections
    self.pdus = pdus.filter { connections.indices.contains(Int($0.connection)) && $0.first < 0 }
  }

  /// Reads a capture to its end, or `limit` packets. `sniffers` captures share the memory for one. Throws ``CaptureError``.
  public init(_ source: any PacketSource, limit: Int? = nil, sniffers: Int = 1) throws {
    try self.init(source, limit: limit, bounds: Bounds(sniffers: sniffers))
  }

  init(_ source: any PacketSource, limit: Int?, bounds: Bounds) throws {
    let recorder = SessionRecorder(bounds)
    var options = Timeline.Options()
    options.limit = limit
    options.includesFragments = true
    // Rows are emitted as they come: responses and names are not needed.
    options.isLive = true
    _ = try Timeline(source, options: options).run(CaptureFacts(name: "", title: ""), to: recorder)
    self = recorder.session
  }

  /// The packets of a PDU, in the order they were received.
  func transmissions(of pdu: PDU) -> [Transmission] {
    var result: [Transmission] = []
    var at = pdu.first
    // Bound: a PDU of 65535 bytes in packets of one byte, each retransmitted once.
    while at >= 0, result.count < 1 << 17 {
      result.append(transmissions[Int(at)])
      at = at == pdu.last ? -1 : transmissions[Int(at)].next
    }
    return result
  }
}

extension RecordedSession {
  /// The same with its last PDUs only, and their packets.
  func tail(_ count: Int) -> RecordedSession {
    var part = self
    part.pdus = Array(pdus.suffix(count))
    // Packets are in the order of the capture, so that those of a PDU come after its first.
    let low = part.pdus.lazy.map(\.first).filter { $0 >= 0 }.min() ?? Int32(transmissions.count)
    part.transmissions = Array(transmissions[Int(low)...])
    part.moveTransmissions(by: low)
    return part
  }

  /// Adjusts indices after the first packets were removed. PDUs whose first packet was removed have none.
  fileprivate mutating func moveTransmissions(by low: Int32) {
    guard low > 0 else { return }
    for index in transmissions.indices where transmissions[index].next >= 0 { transmissions[index].next -= low }
    for index in pdus.indices {
      let isKept = pdus[index].first >= low
      pdus[index].first = isKept ? pdus[index].first - low : -1
      pdus[index].last = isKept ? pdus[index].last - low : -1
    }
  }
}

/// Creates a ``RecordedSession`` from a timeline.
final class SessionRecorder: EventSink {
  var session = RecordedSession()
  /// PDUs that were added, including those that were dropped since.
  private(set) var added = 0
  private let bounds: RecordedSession.Bounds
  /// When the bounds are reached, the older half is dropped; if false, later PDUs are left out.
  private let forgets: Bool

  init(_ bounds: RecordedSession.Bounds, forgets: Bool = false) {
    self.bounds = bounds
    self.forgets = forgets
    session.steps = []
  }

  /// The last packet's time.
  private var time: Int64?

  /// Takes the times of all packets, including those without a row.
  func batchDidEnd(_ batch: RowBatch) {
    for index in unsafe batch.packets.records.indices {
      let record = unsafe batch.packets.records[index]
      defer { time = record.time }
      guard let time, case let step = record.time &- time, step.magnitude >= RecordedSession.Step.minimumStep.magnitude else { continue }
      if let count = session.steps?.count, count < RecordedSession.Step.maxCount {
        session.steps?.append(RecordedSession.Step(frame: record.frame, by: step))
      } else {
        session.steps = nil
      }
    }
  }

  /// Drops the older half of the recorded data, and counts it.
  private func forget() {
    let count = session.pdus.count / 2
    session.pdus.removeFirst(count)
    session.leftOut += count
    // A PDU that took long may have begun with a packet in the older half.
    let low = Int32(session.transmissions.count / 2)
    session.transmissions.removeFirst(Int(low))
    session.moveTransmissions(by: low)
    for (key, latest) in senders {
      var sender = latest
      sender.pdu = latest.pdu >= Int32(count) ? latest.pdu - Int32(count) : -1
      if latest.first >= low {
        (sender.first, sender.last) = (latest.first - low, latest.last - low)
      } else {
        (sender.first, sender.last) = (-1, -1)
      }
      if sender.pdu >= 0, session.pdus[Int(sender.pdu)].last < 0 { sender.pdu = -1 }
      senders[key] = sender
    }
  }

  /// The current PDU of one side of a connection.
  private struct Sender {
    /// Packets of an incomplete PDU, and its first packet's time.
    var first: Int32 = -1, last: Int32 = -1
    var start: Int64?
    /// The last complete PDU, as long as its last packet may be retransmitted; or -1.
    var pdu: Int32 = -1
  }
  private var senders: [UInt32: Sender] = [:]

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
    let isOnAir = row.layer == .linkLayer || row.layer == .advertisingPDU || row.direction.isOnAir
    if isOnAir { session.hasAir = true } else if row.layer != .note { session.hasHost = true }
    guard row.connection >= 0, row.frame > 0 else { return }
    let number = Int(row.connection)
    // The number of connections is bounded by the tracker's tables.
    while session.connections.count <= number { session.connections.append(RecordedSession.Connection()) }
    if forgets, session.pdus.count >= bounds.pdus || session.transmissions.count >= bounds.transmissions { forget() }
    if isOnAir { heard(row, batch, number) } else { logged(row, batch, number) }
  }

  // MARK: On the air

  private func heard(_ row: PacketRow, _ batch: RowBatch, _ number: Int) {
    let key = UInt32(number) << 2 | UInt32(row.direction == .central ? 1 : row.direction == .peripheral ? 2 : 0)
    if row.flags.contains(.badCRC) { return }
    if row.flags.contains(.encrypted) {
      if session.connections[number].closed.count < bounds.closed { session.connections[number].closed.append(row.time) }
      senders[key] = nil
      return
    }
    var sender = senders[key] ?? Sender()
    defer { senders[key] = sender }
    switch row.layer {
    case .linkLayer where row.meaning == .noise:
      // A retransmission of this side's last packet.
      guard sender.first >= 0 || sender.pdu >= 0, let index = add(row, batch, isRepeated: true) else { return }
      if sender.first >= 0 {
        session.transmissions[Int(sender.last)].next = index
        sender.last = index
      } else {
        session.transmissions[Int(session.pdus[Int(sender.pdu)].last)].next = index
        session.pdus[Int(sender.pdu)].last = index
      }
    case .linkLayer:
      guard row.flags.contains(.part), unsafe row.pdu.buffer.count > 2, row.pdu[1] > 0 else { return }
      let isStart = row.pdu[0] & 3 == 2
      if isStart { sender = Sender() }
      sender.pdu = -1
      append(row, batch, &sender)
    case .linkLayerControl, .note, .advertisingPDU: sender.pdu = -1
    default:
      // If the capture does not record the sender of a packet, neither does it for the fragments.
      if sender.first < 0, let pieces = senders.removeValue(forKey: UInt32(number) << 2), pieces.first >= 0 { sender = pieces }
      append(row, batch, &sender)
      guard sender.first >= 0 else {
        session.leftOut += 1
        return
      }
      sender.pdu = add(
        row, number, batch, start: session.transmissions[Int(sender.first)].time, isForward: row.direction == .central, sender.first,
        sender.last)
      (sender.first, sender.last) = (-1, -1)
    }
  }

  private func append(_ row: PacketRow, _ batch: RowBatch, _ sender: inout Sender) {
    guard let index = add(row, batch, isRepeated: false) else { return }
    if sender.first < 0 { sender.first = index } else { session.transmissions[Int(sender.last)].next = index }
    sender.last = index
  }

  private func add(_ row: PacketRow, _ batch: RowBatch, isRepeated: Bool) -> Int32? {
    guard session.transmissions.count < bounds.transmissions, row.record >= 0,
      unsafe Int(row.record) < batch.packets.records.count
    else { return nil }
    let record = unsafe batch.packets.records[Int(row.record)]
    guard record.frame == row.frame else { return nil }
    session.transmissions.append(
      RecordedSession.Transmission(frame: row.frame, time: row.time, channel: record.radio.channel, isRepeated: isRepeated))
    return Int32(session.transmissions.count - 1)
  }

  // MARK: In a host's log

  private func logged(_ row: PacketRow, _ batch: RowBatch, _ number: Int) {
    guard row.direction == .sent || row.direction == .received else { return }
    let key = UInt32(number) << 2 | UInt32(row.direction.rawValue)
    switch row.layer {
    case .hciACL:
      guard row.flags.contains(.part), unsafe row.pdu.buffer.count > 2 else { return }
      // The packet boundary flag (Core, Vol 4, Part E, 5.4.2).
      if row.pdu[1] >> 4 & 3 != 1 || senders[key]?.start == nil { senders[key] = Sender(start: row.time) }
    case _ where row.layer.isLocal: return
    default:
      let start = senders.removeValue(forKey: key)?.start
      if row.flags.contains(.truncated) {
        session.connections[number].cut += 1
        return
      }
      _ = add(row, number, batch, start: start ?? row.time, isForward: row.direction == .sent, -1, -1)
    }
  }

  /// Adds a PDU. Returns its index, or -1.
  private func add(
    _ row: PacketRow, _ number: Int, _ batch: RowBatch, start: Int64, isForward: Bool, _ first: Int32, _ last: Int32
  ) -> Int32 {
    // Times this far off would overflow.
    let sane = -(Int64(1) << 60)...(Int64(1) << 60)
    guard sane.contains(row.time), sane.contains(start) else { return -1 }
    guard session.pdus.count < bounds.pdus else {
      session.leftOut += 1
      return -1
    }
    let connection = batch.tables.connections.indices.contains(number) ? batch.tables.connections[number] : nil
    if let connection {
      session.connections[number].handle = connection.handle
      session.connections[number].accessAddress = connection.accessAddress
      session.connections[number].isCentral = connection.isCentral
      if connection.interval > 0 { session.connections[number].interval = Int64(connection.interval) * 1250 }
    }
    session.connections[number].count += 1
    added += 1
    // A packet that was retransmitted before the next one came counts from its first transmission.
    session.pdus.append(
      RecordedSession.PDU(
        digest: Self.digest(row), frame: row.frame, start: start, end: row.time, connection: Int32(number),
        length: Int32(clamping: row.pdu.count), isForward: isForward, first: first, last: last))
    return Int32(session.pdus.count - 1)
  }

  private static func digest(_ row: PacketRow) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(row.layer.rawValue)
    let bytes = row.pdu
    for index in bytes.indices {
      digest = (digest ^ UInt64(bytes[index])) &* 0x0100_0000_01B3
    }
    digest ^= digest >> 29
    return digest &* 0x9E37_79B9_7F4A_7C15
  }
}
