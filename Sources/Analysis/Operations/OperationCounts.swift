import Bluetooth
import Conversations
@_spi(Pipeline) import Profiles

/// Numbers of operations that did not succeed. Every output counts them with this type.
public struct OperationFailures: Sendable, Equatable {
  /// Operations that were refused or failed, except lost connections.
  public var failed = 0
  /// Operations without a response.
  public var unanswered = 0
  /// Connections that ended without one side closing them.
  public var lost = 0

  /// Starts with zeros.
  public init() {}

  /// Counts an operation that did not succeed.
  @inline(__always)
  public mutating func count(_ ending: Operation.Ending, _ kind: Operation.Kind) {
    switch ending {
    case .failed: if kind == .disconnect { lost += 1 } else { failed += 1 }
    case .unanswered: unanswered += 1
    case .succeeded, .open, .cancelled: break
    }
  }

  /// The counts that are not zero, as text: `2 refused or failed`, `1 without answer`, `1 connection lost`.
  public var texts: [String] {
    var texts: [String] = []
    if failed > 0 { texts.append("\(failed) refused or failed") }
    if unanswered > 0 { texts.append("\(unanswered) without answer") }
    if lost > 0 { texts.append("\(lost) \(lost == 1 ? "connection" : "connections") lost") }
    return texts
  }
}

extension Connection {
  /// The side whose operations are not incoming: the host that recorded the capture, or in a sniffer's capture the central.
  package var nameOfHost: StaticString { accessAddress != 0 ? "the central" : "this host" }
  /// The other side.
  package var nameOfPeer: StaticString { accessAddress != 0 ? "the peripheral" : "the peer" }
}

/// Counts operations by connection, without their details.
public final class OperationCounts: OperationSink {
  /// The operations of one side over one connection.
  public struct Count: Sendable {
    /// Successful operations, by ``Operation/Kind``.
    public var succeeded = Count.nothing
    private static let nothing = [Int](repeating: 0, count: Operation.Kind.allCases.count)
    /// Operations that did not succeed.
    public var failures = OperationFailures()
    /// Values received by notification.
    public var notifications = 0
    /// Keys and controls pressed, and buttons pressed.
    public var keys = 0, buttons = 0
    /// Values written without response.
    public var commands = 0
    /// Services and characteristics discovered.
    public var services = 0, characteristics = 0

    /// Starts with zeros.
    public init() {}

    /// Number of successful operations of a kind.
    public subscript(_ kind: Operation.Kind) -> Int { succeeded[Int(kind.rawValue)] }
    /// No operation was counted.
    public var isEmpty: Bool { failures.failed + failures.unanswered + succeeded.reduce(0, +) == 0 }
  }

  /// By connection and side: twice the index into ``ConversationTables/connections``, plus one for operations of the peer.
  private var counts: [Count] = []
  /// Attributes that were read first over a connection, at most four.
  private var reads: [[Int32]] = []
  /// Operations over connections beyond the first ``maximumConnections``, which are not counted by connection.
  public private(set) var leftOut = 0
  /// Most connections whose operations are counted.
  public static let maximumConnections = 8192
  /// Called with each operation, for observers that need more than counts.
  var onOperation: ((Operation, ConversationTables) -> Void)?
  /// Whether the observer needs the text of messages.
  var wantsTexts: () -> Bool = { true }

  /// Counting needs only the kinds and endings of operations.
  public var wantsDetails: Bool { onOperation != nil }
  /// Asks the observer.
  public func wantsTexts(of kind: Operation.Kind, at frame: Int) -> Bool { wantsTexts() }

  init() {}

  /// The operations of this host (or with `isIncoming` of the peer) over a connection.
  public func count(_ connection: Int32, isIncoming: Bool) -> Count {
    let at = Int(connection) * 2 + (isIncoming ? 1 : 0)
    return at >= 0 && at < counts.count ? counts[at] : Count()
  }

  /// The same, with attributes that were discovered several times counted once: at most the number in the attribute table.
  public func distinct(_ connection: Int32, isIncoming: Bool, _ tables: ConversationTables) -> Count {
    var count = count(connection, isIncoming: isIncoming)
    guard connection >= 0, count.services + count.characteristics > 0 else { return count }
    let adapter = tables.connections[Int(connection)].adapter
    let database =
      isIncoming ? tables.adapters.first { $0.index == adapter }?.database ?? -1 : tables.remoteDatabase(connection)
    guard database >= 0 else { return count }
    var known = (services: 0, characteristics: 0)
    for number in tables.databases[Int(database)].attributes where tables.attributes[Int(number)].source != .none {
      switch tables.attributes[Int(number)].kind {
      case .service: known.services += 1
      case .value: known.characteristics += 1
      default: break
      }
    }
    if known.services > 0 { count.services = min(count.services, known.services) }
    if known.characteristics > 0 { count.characteristics = min(count.characteristics, known.characteristics) }
    return count
  }

  /// The attributes that this host read first over a connection, at most four.
  public func firstReads(_ connection: Int32) -> [Int32] {
    Int(connection) < reads.count ? reads[Int(connection)] : []
  }

  /// Resets the counts of an earlier capture.
  public func begin(_ facts: CaptureFacts) {
    counts.removeAll()
    reads.removeAll()
    leftOut = 0
  }

  /// Counts an operation, and passes it on.
  public func operation(_ operation: Operation, _ tables: ConversationTables) {
    onOperation?(operation, tables)
    count(operation)
  }

  /// Counts an operation.
  @inline(__always)
  public func count(_ operation: borrowing Operation) {
    let (connection, kind, attribute) = (
      Int(operation.connection), operation.kind, operation.attribute
    )
    guard connection >= 0 else { return }
    guard connection < Self.maximumConnections else {
      leftOut += 1
      return
    }
    // Notifications and indications are counted for the server, which sends them; a summary shows them at the subscriber.
    let isIncoming = operation.isIncoming
    let at = connection * 2 + (isIncoming ? 1 : 0)
    while counts.count <= at { counts.append(Count()) }
    switch operation.ending {
    // Only a pairing or an encryption that completed changes what the devices may do.
    case .open where kind == .pairing || kind == .encryption: break
    case .succeeded, .open:
      counts[at].succeeded[Int(kind.rawValue)] += 1
      switch kind {
      case .notification: counts[at].notifications += operation.count
      case .input:
        counts[at].keys += operation.numbers[0]
        counts[at].buttons += operation.numbers[1]
      case .writeCommand: counts[at].commands += operation.count
      case .discovery:
        counts[at].services += operation.numbers[operation.layer == .sdp ? 1 : 0]
        if operation.layer != .sdp { counts[at].characteristics += operation.numbers[1] }
      default: break
      }
    // Lost connections are not counted here, because outputs show the disconnect reason in the connection's own row.
    case .failed, .unanswered: if kind != .disconnect { counts[at].failures.count(operation.ending, kind) }
    case .cancelled: break
    }
    guard kind == .read, !isIncoming, attribute >= 0 else { return }
    while reads.count <= connection { reads.append([]) }
    if reads[connection].count < 4 { reads[connection].append(attribute) }
  }
}

/// A search for a device: this host connected to several in turn, read an attribute of each, and disconnected from the wrong ones.
public struct SearchPattern: Sendable, Equatable {
  /// Connections that were closed again, indices into ``ConversationTables/connections``.
  public var tried: [Int32]
  /// The connection that was kept, or -1 where there was none.
  public var kept: Int32
  /// The attribute that was read first, index into ``ConversationTables/attributes``.
  public var attribute: Int32
}

extension OperationCounts {
  /// Longest time that a connection to a wrong device is kept, in µs.
  private static var longestTrial: Int64 { 30_000_000 }

  /// Searches among the connections of a capture: two wrong devices and the right one, or three wrong ones, each
  /// connected and read by this host, and the wrong ones left without a write.
  public func searches(_ tables: ConversationTables) -> [SearchPattern] {
    var found: [SearchPattern] = []
    var tried: [Int32] = []
    func finish(keeping kept: Int32) {
      if let first = tried.first, tried.count + (kept >= 0 ? 1 : 0) >= 3 {
        found.append(SearchPattern(tried: tried, kept: kept, attribute: firstReads(first).last ?? -1))
      }
      tried.removeAll()
    }
    for (number, connection) in tables.connections.enumerated() where connection.transport == .le && connection.isCentral == true {
      let index = Int32(number)
      let mine = count(index, isIncoming: false)
      let isNew = connection.peer >= 0 && !tried.contains { tables.connections[Int($0)].peer == connection.peer }
      let isGlance =
        connection.endFrame != 0 && connection.endReason == HCI.ErrorCode.connectionTerminatedByLocalHost.rawValue
        && connection.endTime &- connection.startTime < Self.longestTrial
        && mine[.read] > 0 && mine[.write] + mine.commands + mine[.preparedWrite] + mine[.subscribe] == 0
      if isGlance, isNew {
        tried.append(index)
      } else {
        finish(keeping: isNew ? index : -1)
      }
    }
    finish(keeping: -1)
    return found
  }
}
