import Bluetooth
import Conversations
@_spi(Pipeline) import Profiles

/// How many operations did not succeed. Every output counts them with this type.
public struct OperationFailures: Sendable, Equatable {
  /// Operations that were refused or failed. A connection that was lost is none.
  public var failed = 0
  /// Operations that got no answer.
  public var unanswered = 0
  /// Connections that ended otherwise than by a side that closed them.
  public var lost = 0

  /// No operation was counted yet.
  public init() {}

  /// Counts an operation where it did not succeed.
  @inline(__always)
  public mutating func count(_ ending: Operation.Ending, _ kind: Operation.Kind) {
    switch ending {
    case .failed: if kind == .disconnect { lost += 1 } else { failed += 1 }
    case .unanswered: unanswered += 1
    case .done, .open, .cancelled: break
    }
  }

  /// The counts that are not zero, for people: `2 refused or failed`, `1 without answer`, `1 connection lost`.
  public var texts: [String] {
    var texts: [String] = []
    if failed > 0 { texts.append("\(failed) refused or failed") }
    if unanswered > 0 { texts.append("\(unanswered) without answer") }
    if lost > 0 { texts.append("\(lost) \(lost == 1 ? "connection" : "connections") lost") }
    return texts
  }
}

/// What was done over each connection, counted: the operations of a capture without their details.
public final class OperationCounts: OperationSink {
  /// What one side did over one connection.
  public struct Count: Sendable {
    /// Operations that went well, by ``Operation/Kind``.
    public var done = Count.nothing
    private static let nothing = [Int](repeating: 0, count: Operation.Kind.allCases.count)
    /// Operations that did not succeed.
    public var failures = OperationFailures()
    /// Values that came by notification.
    public var notifications = 0
    /// Keys and controls, and buttons, that were pressed.
    public var keys = 0, buttons = 0
    /// Values written without response.
    public var commands = 0
    /// Services and characteristics that were discovered.
    public var services = 0, characteristics = 0

    /// Nothing was done yet.
    public init() {}

    /// How often something was done.
    public subscript(_ kind: Operation.Kind) -> Int { done[Int(kind.rawValue)] }
    /// Nothing was done.
    public var isEmpty: Bool { failures.failed + failures.unanswered + done.reduce(0, +) == 0 }
  }

  /// By connection and side: twice the index into ``Tables/connections``, plus one for what the peer did.
  private var counts: [Count] = []
  /// Attributes that were read first over a connection, at most four.
  private var reads: [[Int32]] = []
  /// Operations over connections beyond the first ``maximumConnections``, which are not counted by connection.
  public private(set) var leftOut = 0
  /// Most connections whose operations are counted.
  public static let maximumConnections = 8192
  /// Called with each operation, for who wants more than counts.
  var onOperation: ((Operation, Tables) -> Void)?

  /// Counting needs the kinds and endings of operations, and no more.
  public var wantsDetails: Bool { onOperation != nil }

  init() {}

  /// What this host (or with `isIncoming` the peer) did over a connection.
  public func count(_ connection: Int32, isIncoming: Bool) -> Count {
    let at = Int(connection) * 2 + (isIncoming ? 1 : 0)
    return at >= 0 && at < counts.count ? counts[at] : Count()
  }

  /// The same, with what was discovered several times counted once: at most what the attribute table has.
  public func distinct(_ connection: Int32, isIncoming: Bool, _ tables: Tables) -> Count {
    var own = count(connection, isIncoming: isIncoming)
    guard connection >= 0, own.services + own.characteristics > 0 else { return own }
    let adapter = tables.connections[Int(connection)].adapter
    let database =
      isIncoming ? tables.adapters.first { $0.index == adapter }?.database ?? -1 : tables.remoteDatabase(connection)
    guard database >= 0 else { return own }
    var known = (services: 0, characteristics: 0)
    for number in tables.databases[Int(database)].attributes where tables.attributes[Int(number)].source != .none {
      switch tables.attributes[Int(number)].kind {
      case .service: known.services += 1
      case .value: known.characteristics += 1
      default: break
      }
    }
    if known.services > 0 { own.services = min(own.services, known.services) }
    if known.characteristics > 0 { own.characteristics = min(own.characteristics, known.characteristics) }
    return own
  }

  /// The attributes that this host read first over a connection, at most four.
  public func firstReads(_ connection: Int32) -> [Int32] {
    Int(connection) < reads.count ? reads[Int(connection)] : []
  }

  /// Nothing is kept of an earlier capture.
  public func begin(_ facts: CaptureFacts) {
    counts.removeAll()
    reads.removeAll()
    leftOut = 0
  }

  /// Counts an operation, and hands it on.
  public func operation(_ operation: Operation, _ tables: Tables) {
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
    // Notifications and indications come from the other side than requests; they are what the subscriber got.
    let isIncoming = operation.isIncoming
    let at = connection * 2 + (isIncoming ? 1 : 0)
    while counts.count <= at { counts.append(Count()) }
    switch operation.ending {
    case .done, .open:
      counts[at].done[Int(kind.rawValue)] += 1
      switch kind {
      case .notification: counts[at].notifications += operation.count
      case .input:
        counts[at].keys += operation.numbers[0]
        counts[at].buttons += operation.numbers[1]
      case .writeCommand: counts[at].commands += operation.count
      case .discovery:
        counts[at].services += operation.numbers[0]
        counts[at].characteristics += operation.numbers[1]
      default: break
      }
    // The outputs show the disconnect reason in the connection's own row, so that lost connections are not counted here.
    case .failed, .unanswered: if kind != .disconnect { counts[at].failures.count(operation.ending, kind) }
    case .cancelled: break
    }
    guard kind == .read, !isIncoming, attribute >= 0 else { return }
    while reads.count <= connection { reads.append([]) }
    if reads[connection].count < 4 { reads[connection].append(attribute) }
  }
}

/// A device that was looked for by connecting to one after the other, reading something, and leaving the wrong ones.
public struct SearchPattern: Sendable, Equatable {
  /// Connections that were left again, indices into ``Tables/connections``.
  public var tried: [Int32]
  /// The connection that was kept, or -1 where none was.
  public var kept: Int32
  /// Attribute that was read of the first, index into ``Tables/attributes``.
  public var attribute: Int32
}

extension OperationCounts {
  /// Longest time that a wrong device is kept, in µs.
  private static var glance: Int64 { 30_000_000 }

  /// Searches among the connections of a capture: two devices or more, each connected, read and left by this host without a write.
  public func searches(_ tables: Tables) -> [SearchPattern] {
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
        && connection.endTime &- connection.startTime < Self.glance
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
