import Bluetooth
import Conversations
import PacketCodecs
import Profiles

/// Finds what is wrong with the messages of profiles: broken ones, requests without answers, requests whose answers nobody listens to.
struct MessageWatch {
  /// A request that no answer came to yet.
  private struct Request {
    var connection: Int32
    var attribute: Int32
    var message: Int
    var frame: Int
    var time: Int64
    var hash: UInt64
  }

  /// What was found and not yet told; who tells it empties the list.
  var found: [Finding] = []
  private var listening = Listening()
  private var requests: [Request] = []
  /// A profile on a connection, and whether anything there was a message of its.
  private struct Fit: Hashable {
    var connection: Int32
    var profile: ObjectIdentifier
  }
  private var fits: [Fit: Bool] = [:]
  /// The last that fitted: on connections, and in advertisements.
  private var lastFits: (Fit?, Fit?)
  /// Attributes of connections whose answers were looked for.
  private var checked: Set<UInt64> = []
  private var lastChecked: UInt64 = .max
  private static let mostRequests = 256
  /// How long a request waits before its want of an answer is told, in µs.
  private static let patience: Int64 = 2_000_000

  init() {}

  /// Follows subscriptions.
  @inline(__always)
  mutating func row(_ row: PacketRow, _ batch: RowBatch) {
    guard row.layer == .att, row.connection >= 0 else { return }
    switch row.meaning {
    case .subscribe: listening.configured(row, batch.tables)
    case .notify, .indicate:
      if !listening.counted(row, firstWrite: .min) { _ = listening.value(row, firstWrite: .min) { .restored } }
    case .refused: if row.subcode == 0x12 { listening.refused(row, batch.tables) }
    default: break
    }
  }

  /// Looks at a message that `row` completed; what it finds is in ``found``. `source` is nil for what is advertised, which asks for nothing.
  mutating func look(_ message: Message, _ row: PacketRow, _ batch: RowBatch, _ source: MessageSource?) {
    let fit = Fit(connection: row.connection, profile: ObjectIdentifier(message.profile))
    if message.kind == .unjoined {
      switch fits[fit] {
      case true?: unsafe found.append(finding(.unjoinedAtEnd, row, a: message.payload.count))
      case false?: break
      case nil:
        // UUIDs such as ffe0 are many vendors': a profile that nothing fits is the wrong one, which is worth one word.
        if fits.count < 65_536 { fits[fit] = false }
        unsafe found.append(finding(.profileUnfit, row, a: message.payload.count))
      }
      return
    }
    let last = row.connection >= 0 ? lastFits.0 : lastFits.1
    if fit != last, message.messageNumber >= 0 || message.checksum == .ok {
      if row.connection >= 0 { lastFits.0 = fit } else { lastFits.1 = fit }
      if fits.count < 65_536 { fits[fit] = true }
    }
    if message.checksum == .bad { found.append(finding(.checksumWrong, row)) }
    if !message.problems.isEmpty { problems(message, row) }
    if message.surplus > 0, !message.problems.contains(where: { $0.kind == .surplus }) {
      found.append(finding(.messageSurplus, row, a: message.surplus))
    }
    if let answered = message.replyTo, !requests.isEmpty {
      if requests.count == 1 {
        if requests[0].frame == answered { requests.removeLast() }
      } else {
        requests.removeAll { $0.frame == answered }
      }
    }
    if message.isRequest, message.messageNumber >= 0, let source { request(message, row, batch, source) }
  }

  @inline(never)
  private mutating func problems(_ message: Message, _ row: PacketRow) {
    for problem in message.problems.prefix(2) {
      switch problem.kind {
      case .gap, .duplicate: found.append(finding(.counterJumps, row, a: problem.expected, b: problem.found))
      case .surplus: found.append(finding(.messageSurplus, row, a: max(problem.found - problem.expected, 0)))
      case .skipped, .orphan: found.append(finding(.unjoinedAtEnd, row, a: problem.found))
      default:
        if !message.isComplete { unsafe found.append(finding(.messageIncomplete, row, a: message.payload.count, b: problem.expected)) }
      }
    }
  }

  private mutating func request(_ message: Message, _ row: PacketRow, _ batch: RowBatch, _ source: MessageSource) {
    guard row.connection >= 0, row.attribute >= 0, let frame = message.frames.last else { return }
    missed(message, row, batch, source)
    let hash = unsafe PDUBytes(message.payload).hash
    if !requests.isEmpty,
      let index = requests.firstIndex(where: {
        $0.connection == row.connection && $0.attribute == row.attribute && $0.message == message.messageNumber && $0.hash == hash
      })
    {
      let earlier = requests.remove(at: index)
      // Twice in a breath is an app that means it twice.
      if row.time &- earlier.time >= 200_000 {
        found.append(finding(.requestRepeated, row, a: earlier.frame, b: Int(clamping: row.time &- earlier.time)))
      }
    }
    if requests.count >= Self.mostRequests { requests.removeFirst() }
    requests.append(
      Request(
        connection: row.connection, attribute: row.attribute, message: message.messageNumber, frame: frame, time: row.time, hash: hash))
  }

  /// The characteristics that answer a request, if none of them is listened to.
  private mutating func missed(_ message: Message, _ row: PacketRow, _ batch: RowBatch, _ source: MessageSource) {
    let key = UInt64(UInt32(bitPattern: row.connection)) << 32 | UInt64(UInt32(bitPattern: row.attribute))
    if key == lastChecked { return }
    lastChecked = key
    let tables = batch.tables
    // What was subscribed to before the capture, or is restored with a bond, is not seen.
    let connection = tables.connections[Int(row.connection)]
    guard connection.startFrame != 0 else { return }
    guard checked.count < 65_536, checked.insert(key).inserted else { return }
    let answering = message.profile.sources(answering: message.sourceNumber)
    guard !answering.isEmpty else { return }
    var candidate: Int32 = -1
    for attribute in source.attributes(of: message.profile, answering, row.connection, tables) {
      let one = tables.attributes[Int(attribute)]
      guard one.properties & 0x30 != 0 else { continue }
      if listening.period(row.connection, one.handle, isLocal: false) != nil { return }
      if listening.wasSubscribed(one.database, one.handle) { return }
      candidate = attribute
    }
    if candidate >= 0 { found.append(finding(.answerMissed, row, a: Int(candidate))) }
  }

  /// A connection (or with -1 the capture) ended: its requests will not be answered any more.
  mutating func ended(_ connection: Int32, _ row: PacketRow) {
    for request in requests where connection < 0 || request.connection == connection {
      let waited = row.time &- request.time
      guard waited >= (connection < 0 ? Self.patience * 5 : Self.patience) else { continue }
      var one = row
      one.attribute = request.attribute
      one.connection = request.connection
      found.append(finding(.requestUnanswered, one, a: request.frame, b: Int(clamping: waited)))
    }
    if connection < 0 { requests.removeAll() } else { requests.removeAll { $0.connection == connection } }
    if connection >= 0 { listening.disconnected(connection, row.frame, row.time) }
  }

  private func finding(_ code: Finding.Code, _ row: PacketRow, a: Int = 0, b: Int = 0) -> Finding {
    Finding(
      code: code, frame: row.frame, time: row.time, a: a, b: b, adapter: row.adapter,
      handle: row.flags.contains(.hasConnection) ? row.handle : 0xFFFF, connection: row.connection, attribute: row.attribute, position: 0)
  }
}
