@_spi(Pipeline) import Analysis
import Conversations

/// What differs in two captures.
public struct CaptureDifferences: Sendable {
  /// What happened to a step.
  public enum Change: String, Sendable, CaseIterable {
    /// It is in the first capture only.
    case removed
    /// It is in the second capture only.
    case added
    /// It is in both, and something of it is another.
    case changed
    /// It is in both, in another order.
    case moved
  }

  /// A property that is another.
  public struct FieldChange: Sendable, Equatable {
    /// What it is: `status`, `mtu`, a field of a profile, `value[3]` or `value[3-5]` for bytes.
    public var field: String
    /// In the first capture and in the second; empty where there it is not there.
    public var a: String, b: String
  }

  /// What a row is about.
  public enum Subject: Sendable, Equatable {
    /// An operation.
    case operation
    /// A connection, with all that was done over it: only one capture has it.
    case session
    /// An attribute of a table.
    case attribute(AttributeEntry)
    /// What a device advertises.
    case advertisement(address: UInt64, name: [UInt8])
  }

  /// An attribute, a service or a whole table.
  public struct AttributeEntry: Sendable, Equatable {
    /// `service`, `characteristic`, `descriptor`, `table`, or `attribute` where it is not known which.
    public var kind: String
    /// Its UUID; empty for a table, and where it is not known.
    public var uuid: String
    /// Its handle in each capture; 0 where it is not there.
    public var handles: SIMD2<UInt16>
    /// The UUID of its service or characteristic; empty where it has none.
    public var owner: String
  }

  /// A difference.
  public struct Row: Sendable {
    /// What happened.
    public var change: Change
    /// What it happened to.
    public var subject = Subject.operation
    /// Number of the operation in the first capture, or -1.
    public var a: Int32 = -1
    /// Number of the operation in the second capture, or -1.
    public var b: Int32 = -1
    /// What is another.
    public var what: [FieldChange] = []
    /// Index into ``CaptureDifferences/devices``.
    public var device = 0
    /// Number of the pair of connections.
    public var session = 0
    /// How many steps of the capture it stands for, and is one of.
    public var count = 1
    /// Index of the row that explains it, or -1.
    public var cause = -1
    var key: Int32 = -1
    var kind = Operation.Kind.scan
    /// Index of the step in each recording, or -1.
    var stepA: Int32 = -1, stepB: Int32 = -1
    var order: (Int, Int, Int) = (0, 0, 0)
  }

  /// A device, as both captures know it.
  public struct Device: Sendable {
    /// Its name, raw; empty where it has none.
    public var name: [UInt8]
    /// Its address in each capture, or nil.
    public var addresses: (a: UInt64?, b: UInt64?)
    /// Which capture has it.
    public var isInA: Bool, isInB: Bool
  }

  /// Why the first difference explains the rest.
  public enum Reason: String, Sendable, CaseIterable {
    /// The connection was not made.
    case connection
    /// Pairing or encryption failed or is missing.
    case security
    /// A request is refused that was not.
    case refused
    /// A request gets no answer.
    case unanswered
    /// Nobody subscribes to what reports.
    case subscription
    /// A request is missing.
    case request
    /// The connection ends, or ends for another reason.
    case disconnection
    /// A value is another.
    case value
    /// A parameter of the link is another.
    case parameter
    /// It is the earliest.
    case earliest
  }

  /// A pair of steps, or a step of one capture, in order: for those who show both conversations.
  public struct Aligned: Sendable {
    /// Numbers of the operations, or -1.
    public var a: Int32, b: Int32
    /// Index of the row about them, or -1.
    public var row: Int
    /// How often they came.
    public var counts: SIMD2<Int32>
    /// Index into ``CaptureDifferences/devices``.
    public var device: Int
    var order: (Int, Int, Int)
  }

  /// Devices of both captures.
  public internal(set) var devices: [Device] = []
  /// Steps that are in both and say the same.
  public internal(set) var same = 0
  /// Differences in order.
  public internal(set) var rows: [Row] = []
  /// Index of the row that explains the rest; nil where there are no rows.
  public internal(set) var first: Int?
  /// Why it does.
  public internal(set) var reason = Reason.earliest
  /// Differences that good captures have among themselves, and are not reported.
  public internal(set) var norm = 0
  /// Steps of one capture over a connection that the other one had not begun, or had ceased, to record: they are not compared.
  public internal(set) var unseen = 0
  /// Both conversations side by side, as far as ``maxAligned`` goes.
  public internal(set) var aligned: [Aligned] = []
  /// Pairs that ``aligned`` has no room for.
  public internal(set) var unaligned = 0
  /// What could not be compared, in words.
  public internal(set) var notes: [String] = []

  /// Most pairs in ``aligned``.
  public static let maxAligned = 20_000
  /// Most rows; more differences are counted.
  public static let maxRows = 10_000
  /// Differences beyond ``maxRows``.
  public internal(set) var rowsLeftOut = 0
  /// Both conversations are wanted in ``aligned``.
  var keepsAligned = true
  /// What stands behind these is left out.
  private var lastRow: (Int, Int, Int)?, lastAligned: (Int, Int, Int)?

  /// Whether a difference of this order is one of the first.
  func hasRoom(at order: (Int, Int, Int)) -> Bool { lastRow.map { order < $0 } ?? true }

  /// Adds a difference, as long as it is one of the first.
  mutating func add(_ row: Row) {
    guard hasRoom(at: row.order) else {
      rowsLeftOut += 1
      return
    }
    rows.append(row)
    if rows.count >= 2 * Self.maxRows { cutRows() }
  }

  /// Adds a pair, as long as it is one of the first.
  mutating func add(_ pair: Aligned) {
    guard keepsAligned else { return }
    if let lastAligned, !(pair.order < lastAligned) {
      unaligned += 1
      return
    }
    aligned.append(pair)
    if aligned.count >= 2 * Self.maxAligned { cutAligned() }
  }

  /// Brings rows and pairs into their order, without those that are too many.
  mutating func sort() {
    cutRows()
    cutAligned()
  }

  private mutating func cutRows() {
    rows.sort { $0.order < $1.order }
    guard rows.count > Self.maxRows else { return }
    rowsLeftOut += rows.count - Self.maxRows
    rows.removeSubrange(Self.maxRows...)
    lastRow = rows.last?.order
  }

  private mutating func cutAligned() {
    aligned.sort { $0.order < $1.order }
    guard aligned.count > Self.maxAligned else { return }
    unaligned += aligned.count - Self.maxAligned
    aligned.removeSubrange(Self.maxAligned...)
    lastAligned = aligned.last?.order
  }

  /// More steps are the same than differ.
  public var isAlike: Bool { same > rows.count + rowsLeftOut }

  /// So much is the same that ``first`` is believed to explain the rest. A connection that is not made explains much that is missing.
  public var isExplained: Bool { reason == .connection ? isAlike : same >= 2 * (rows.count + rowsLeftOut) }

  /// Numbers of the operations that rows and ``aligned`` speak of, in each recording.
  public var wanted: (a: Set<Int32>, b: Set<Int32>) {
    var (a, b): (Set<Int32>, Set<Int32>) = ([], [])
    for row in rows {
      a.insert(row.a)
      b.insert(row.b)
    }
    for one in aligned {
      a.insert(one.a)
      b.insert(one.b)
    }
    a.remove(-1)
    b.remove(-1)
    return (a, b)
  }
}
