import Bluetooth
import Conversations
import Memory
import PacketCodecs
@_spi(Pipeline) import Profiles

/// Finds problems in messages of profiles: damaged messages, requests without responses, requests whose response characteristic has no subscription.
struct MessageDiagnostics {
  /// A request without a response so far.
  private struct Request {
    var connection: Int32
    var attribute: Int32
    var kind: Kind
    var frame: Int
    var time: Int64
    var hash: UInt64

    /// The message of a profile that it is.
    struct Kind: Hashable {
      var profile: ObjectIdentifier
      var message: Int
    }
  }

  /// A request whose response characteristic was not subscribed to. It is reported when no response came for ``responseTimeout``.
  private struct UnsubscribedRequest {
    var connection: Int32
    var attribute: Int32
    /// The characteristic with the response.
    var answer: Int32
    var frame: Int
    var time: Int64
  }

  private var findings: [Finding] = []
  private var unsubscribed: [UnsubscribedRequest] = []
  /// True while the messages are checked that the end of a connection, or of the capture, truncated. The dispatcher sets it.
  var isEnding = false
  /// The attributes of connections; nil for advertisements, which have no requests.
  private let links: ProfileLinks?
  /// The subscriptions.
  private let link: LinkDiagnostics?
  private var requests: [Request] = []
  private let hashKey = HashKey()
  /// A profile on a connection; ``fits`` has whether any bytes there were a message of it.
  private struct Fit: Hashable {
    var connection: Int32
    var profile: ObjectIdentifier
  }
  private var fits: [Fit: Bool] = [:]
  /// Profiles that decoded a message on any connection.
  private var fitting: Set<ObjectIdentifier> = []
  /// The profile that fitted last, so that ``fits`` is not searched for each message: on connections, and in advertisements.
  private var lastFits: (Fit?, Fit?)
  /// Attributes of connections whose response characteristics were looked up.
  private var checked: Set<UInt64> = []
  private var lastChecked: UInt64 = .max
  /// By connection: the last frame with bytes that could not be decoded, or belong to no message.
  private var unreadAfter: [Int32: Int] = [:]
  /// A profile on a device or connection whose messages are encrypted.
  private struct Encrypted: Hashable {
    var connection: Int32
    var address: UInt64
    var profile: ObjectIdentifier
  }
  /// Address of the advertiser of the messages that are checked; 0 for those of connections. The dispatcher sets it.
  var address: UInt64 = 0
  /// Decryption results of a device or connection, one bit for each ``DecryptionStatus``: the first of each is reported as a finding.
  private var encrypted: [Encrypted: UInt8] = [:]
  private static let maxRequests = 256
  /// Messages that were answered, and connections with answers: on these connections, a request of a kind that was never answered has no response, or
  /// one that the profile does not describe.
  private var answeredKinds: Set<Request.Kind> = []
  private var answeredConnections: Set<Int32> = []
  private static let maxAnswered = 4096
  private var lastAnswered: (kind: Request.Kind, connection: Int32)?
  /// A request that waited for less time, in µs, is not reported as unanswered.
  private static let responseTimeout: Int64 = 2_000_000

  init(_ links: ProfileLinks?, _ link: LinkDiagnostics?) {
    self.links = links
    self.link = link
  }

  /// ``takeFindings()`` would return findings.
  @inline(__always)
  var hasFindings: Bool { !findings.isEmpty }

  /// The findings since the last call.
  mutating func takeFindings() -> [Finding] {
    defer { findings.removeAll() }
    return findings
  }

  /// Checks a message that `row` completed.
  mutating func check(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    if !unsubscribed.isEmpty { answered(message, row, batch.tables) }
    if message.decryption != .none { decryption(message, row) }
    let fit = Fit(connection: row.connection, profile: ObjectIdentifier(message.profile))
    if message.direction != .write,
      message.kind == .unjoined || message.checksum == .bad || !message.isComplete || message.messageNumber < 0
    {
      if unreadAfter.count < 4096 || unreadAfter[row.connection] != nil { unreadAfter[row.connection] = row.frame }
    }
    if message.kind == .unjoined {
      switch fits[fit] {
      case true?: findings.append(finding(.unjoinedAtEnd(count: message.payload.count), row))
      case false?: break
      case nil where fitting.contains(fit.profile): break
      case nil:
        // UUIDs such as ffe0 are used by many vendors: a profile without any matching message is the wrong one, which is reported once.
        if fits.count < 65_536 { fits[fit] = false }
        findings.append(finding(.profileUnfit(profile: message.profile.id, isWithdrawn: false), row))
      }
      return
    }
    // A message with a wrong checksum does not prove that the profile fits; if the profile does not fit, the checksum means nothing.
    if message.checksum == .bad, fits[fit] == false { return }
    let last = row.connection >= 0 ? lastFits.0 : lastFits.1
    if fit != last, message.checksum != .bad, message.messageNumber >= 0 || message.checksum == .ok {
      if row.connection >= 0 { lastFits.0 = fit } else { lastFits.1 = fit }
      if fits.count < 65_536 { fits[fit] = true }
      fitting.insert(fit.profile)
    }
    if message.checksum == .bad { findings.append(finding(.checksumWrong, row)) }
    if !message.problems.isEmpty { problems(message, row) }
    if message.surplus > 0, !message.problems.contains(where: { $0.kind == .surplus }) {
      findings.append(finding(.messageSurplus(count: message.surplus), row))
    }
    if let answered = message.replyTo, let index = requests.firstIndex(where: { $0.frame == answered }) {
      note(requests[index])
      if requests.count == 1 { requests.removeLast() } else { requests.removeAll { $0.frame == answered } }
    }
    if message.isRequest, message.messageNumber >= 0, let links, let link { request(message, row, batch, links, link) }
  }

  /// Notes that a request was answered.
  @inline(__always)
  private mutating func note(_ request: Request) {
    if let lastAnswered, lastAnswered.connection == request.connection, lastAnswered.kind == request.kind { return }
    lastAnswered = (request.kind, request.connection)
    if !answeredKinds.contains(request.kind), answeredKinds.count < Self.maxAnswered { answeredKinds.insert(request.kind) }
    if !answeredConnections.contains(request.connection), answeredConnections.count < Self.maxAnswered {
      answeredConnections.insert(request.connection)
    }
  }

  /// Adds a finding when a device's key is missing or does not fit, for the first such message of the device or connection.
  @inline(never)
  private mutating func decryption(_ message: ProfileMessage, _ row: PacketRow) {
    // Messages that were damaged before decryption have findings of their own.
    guard message.kind == .message, message.checksum != .bad, message.decryption != .failed else { return }
    let key = Encrypted(connection: row.connection, address: address, profile: ObjectIdentifier(message.profile))
    let known = encrypted[key] ?? 0
    let bit = UInt8(1) << message.decryption.rawValue
    guard known & bit == 0, encrypted.count < 4096 || known != 0 else { return }
    encrypted[key] = known | bit
    let (profile, name) = (message.profile.id, message.keyName)
    let kind: Finding.Kind
    switch message.decryption {
    case .keyMissing: kind = .profileKeyMissing(profile: profile, key: name, note: message.keyNote)
    case .keyWrong:
      let opened = UInt8(1) << DecryptionStatus.opened.rawValue | UInt8(1) << DecryptionStatus.likelyOpened.rawValue
      kind = .profileKeyWrong(profile: profile, key: name, hasOpened: known & opened != 0)
    default: return
    }
    findings.append(Finding(kind, at: row, attribute: row.attribute, address: address & 0xFFFF_FFFF_FFFF))
  }

  @inline(never)
  private mutating func problems(_ message: ProfileMessage, _ row: PacketRow) {
    for problem in message.problems.prefix(2) {
      switch problem.kind {
      case .gap, .duplicate: findings.append(finding(.counterJumps(expected: problem.expected, found: problem.found), row))
      case .indexGap:
        findings.append(finding(.counterJumps(expected: problem.expected, found: problem.found, isIndex: true), row))
      case .surplus: findings.append(finding(.messageSurplus(count: max(problem.found - problem.expected, 0)), row))
      case .skipped, .orphan: findings.append(finding(.unjoinedAtEnd(count: problem.found), row))
      default:
        if !message.isComplete {
          let announced = problem.expected > 0 ? problem.expected : nil
          unsafe findings.append(
            finding(.messageIncomplete(count: message.payload.count, announced: announced, isAtEnd: isEnding), row))
        }
      }
    }
  }

  private mutating func request(
    _ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch, _ links: ProfileLinks, _ link: LinkDiagnostics
  ) {
    guard row.connection >= 0, row.attribute >= 0, let frame = message.frames.last else { return }
    let key = UInt64(UInt32(bitPattern: row.connection)) << 32 | UInt64(UInt32(bitPattern: row.attribute))
    // Tables are passed where they are needed only: passing them copies them.
    if key != lastChecked {
      lastChecked = key
      missed(key, message, row, batch.tables, links, link.subscriptions)
    }
    let hash = message.payload.hash(key: hashKey)
    if !requests.isEmpty,
      let index = requests.firstIndex(where: {
        $0.connection == row.connection && $0.attribute == row.attribute && $0.kind.message == message.messageNumber && $0.hash == hash
      })
    {
      let earlier = requests.remove(at: index)
      // Two requests in quick succession are intentional, and so is one after a long time. If a value came in between, the device received the first
      // request.
      let waited = row.time &- earlier.time
      if waited >= 200_000, waited < 10_000_000, link.lastValue(row.connection) < earlier.frame {
        findings.append(finding(.requestRepeated(frame: earlier.frame, after: row.time &- earlier.time), row))
      }
    }
    if requests.count >= Self.maxRequests { requests.removeFirst() }
    requests.append(
      Request(
        connection: row.connection, attribute: row.attribute,
        kind: Request.Kind(profile: ObjectIdentifier(message.profile), message: message.messageNumber), frame: frame, time: row.time,
        hash: hash))
  }

  /// Reports a request if none of the characteristics that answer it is subscribed to.
  private mutating func missed(
    _ key: UInt64, _ message: ProfileMessage, _ row: PacketRow, _ tables: ConversationTables, _ links: ProfileLinks,
    _ subscriptions: SubscriptionTracker
  ) {
    // Subscriptions made before the capture, or restored with a bond, are not visible.
    let connection = tables.connections[Int(row.connection)]
    guard connection.startFrame != 0 else { return }
    guard checked.count < 65_536, checked.insert(key).inserted else { return }
    let answering = message.profile.sources(answering: message.sourceNumber)
    guard !answering.isEmpty else { return }
    var candidate: Int32 = -1
    for attribute in links.attributes(of: message.profile, answering, row.connection, tables) {
      let entry = tables.attributes[Int(attribute)]
      guard entry.properties & 0x30 != 0 else { continue }
      if subscriptions.period(row.connection, entry.handle, isLocal: false) != nil { return }
      if subscriptions.wasSubscribed(entry.database, entry.handle) { return }
      candidate = attribute
    }
    guard candidate >= 0, unsubscribed.count < Self.maxRequests else { return }
    unsubscribed.append(
      UnsubscribedRequest(connection: row.connection, attribute: row.attribute, answer: candidate, frame: row.frame, time: row.time))
  }

  /// Forgets requests whose response characteristic sends values without a subscription in this connection, and reports those that waited too long.
  private mutating func answered(_ message: ProfileMessage, _ row: PacketRow, _ tables: ConversationTables) {
    let period =
      row.attribute >= 0 ? link?.subscriptions.period(row.connection, tables.attributes[Int(row.attribute)].handle, isLocal: false) : nil
    if period?.beginning != .subscribed {
      unsubscribed.removeAll { $0.connection == row.connection && $0.answer == row.attribute }
    } else if let answered = message.replyTo {
      unsubscribed.removeAll { $0.frame == answered }
    }
    reportUnsubscribed(row) { row.time &- $0.time > Self.responseTimeout }
  }

  private mutating func reportUnsubscribed(_ row: PacketRow, where isDue: (UnsubscribedRequest) -> Bool) {
    for request in unsubscribed where isDue(request) {
      var answer = row
      answer.attribute = request.attribute
      answer.connection = request.connection
      findings.append(finding(.answerMissed(answer: request.answer, request: request.frame), answer))
      // This finding explains the missing response, so that no request-unanswered is reported for the same request.
      requests.removeAll { $0.frame == request.frame }
    }
    unsubscribed.removeAll(where: isDue)
  }

  /// A connection (or with nil the capture) ended: its requests get no more responses.
  mutating func ended(_ connection: Int32?, _ row: PacketRow) {
    reportUnsubscribed(row) { connection == nil || $0.connection == connection }
    for request in requests where connection == nil || request.connection == connection {
      let waited = row.time &- request.time
      // The profile could not decode some later bytes: these may be the response.
      if unreadAfter[request.connection] ?? 0 > request.frame { continue }
      if answeredConnections.contains(request.connection), !answeredKinds.contains(request.kind) { continue }
      guard waited >= (connection == nil ? Self.responseTimeout * 5 : Self.responseTimeout) else { continue }
      var answer = row
      answer.attribute = request.attribute
      answer.connection = request.connection
      findings.append(finding(.requestUnanswered(frame: request.frame, waited: waited), answer))
    }
    requests.removeAll { connection == nil || $0.connection == connection }
    if let connection { unreadAfter[connection] = nil } else { unreadAfter.removeAll() }
  }

  private func finding(_ kind: Finding.Kind, _ row: PacketRow) -> Finding { Finding(kind, at: row, attribute: row.attribute) }
}
