@_spi(Pipeline) import Analysis
import Conversations

/// The differences between two captures.
public struct CaptureDifferences: Sendable {
  /// The kind of a difference.
  public enum Change: String, Sendable, CaseIterable {
    /// It is in the first capture only.
    case removed
    /// It is in the second capture only.
    case added
    /// It is in both, with different properties.
    case changed
    /// It is in both, in another order.
    case moved
  }

  /// A property that differs.
  public struct FieldChange: Sendable, Equatable {
    /// The name of the property: `status`, `mtu`, a field of a profile, `value[3]` or `value[3-5]` for bytes.
    public var field: String
    /// Its values in the first capture and in the second; empty where it is missing.
    public var a: String, b: String
  }

  /// The subject of a row.
  public enum Subject: Sendable, Equatable {
    /// An operation.
    case operation
    /// A connection with all of its operations, which only one capture has.
    case session
    /// An attribute of a table.
    case attribute(AttributeEntry)
    /// The advertising data of a device.
    case advertisement(address: UInt64, name: [UInt8])
  }

  /// An attribute, a service or a table.
  public struct AttributeEntry: Sendable, Equatable {
    /// `service`, `characteristic`, `descriptor`, `table`, or `attribute` where the kind is not known.
    public var kind: String
    /// Its UUID; empty for a table, and where it is not known.
    public var uuid: String
    /// Its handle in each capture; 0 where it is missing.
    public var handles: SIMD2<UInt16>
    /// The UUID of its service or characteristic; empty where it has none.
    public var owner: String
  }

  /// A difference.
  public struct Row: Sendable {
    /// The kind of the difference.
    public var change: Change
    /// The subject of the difference.
    public var subject = Subject.operation
    /// Number of the operation in the first capture, or -1.
    public var a: Int32 = -1
    /// Number of the operation in the second capture, or -1.
    public var b: Int32 = -1
    /// The properties that differ.
    public var changes: [FieldChange] = []
    /// Index into ``CaptureDifferences/devices``.
    public var device = 0
    /// Number of the pair of connections.
    public var session = 0
    /// Number of steps that the row stands for.
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
    /// Whether each capture has it.
    public var isInA: Bool, isInB: Bool
  }

  /// Why the first difference explains the rest.
  public enum Reason: String, Sendable, CaseIterable {
    /// The connection was not made.
    case connection
    /// Pairing or encryption failed or is missing.
    case security
    /// A request is refused that succeeded in the good capture.
    case refused
    /// A request gets no answer.
    case unanswered
    /// A subscription is missing.
    case subscription
    /// A request is missing.
    case request
    /// The connection ends, or ends for another reason.
    case disconnection
    /// A value differs.
    case value
    /// A parameter of the link differs.
    case parameter
    /// It is the earliest.
    case earliest
  }

  /// A pair of steps, or a step of one capture, in order, for showing both conversations.
  public struct Aligned: Sendable {
    /// Numbers of the operations, or -1.
    public var a: Int32, b: Int32
    /// Index of the row about them, or -1.
    public var row: Int
    /// Number of occurrences in each capture.
    public var counts: SIMD2<Int32>
    /// Index into ``CaptureDifferences/devices``.
    public var device: Int
    var order: (Int, Int, Int)
  }

  /// Devices of both captures.
  public internal(set) var devices: [Device] = []
  /// Number of steps that are equal in both captures.
  public internal(set) var same = 0
  /// Differences in order.
  public internal(set) var rows: [Row] = []
  /// Index of the row that explains the rest; nil where there are no rows.
  public internal(set) var first: Int?
  /// The reason why it explains the rest.
  public internal(set) var reason = Reason.earliest
  /// Number of differences that also occur among good captures, and are not reported.
  public internal(set) var usualDifferences = 0
  /// Steps of one capture at times when the other one did not record the connection: they are not compared.
  public internal(set) var unseen = 0
  /// Both conversations side by side, as far as ``maxAligned`` goes.
  public internal(set) var aligned: [Aligned] = []
  /// Pairs beyond ``maxAligned``.
  public internal(set) var unaligned = 0
  /// Sentences about parts that could not be compared.
  public internal(set) var notes: [String] = []

  /// Most pairs in ``aligned``.
  public static let maxAligned = 20_000
  /// Most rows; more differences are counted.
  public static let maxRows = 10_000
  /// Differences beyond ``maxRows``.
  public internal(set) var rowsLeftOut = 0
  /// Whether ``aligned`` is filled.
  var keepsAligned = true
  /// Rows and pairs after these are left out.
  private var lastRow: (Int, Int, Int)?, lastAligned: (Int, Int, Int)?

  /// Whether a difference of this order is kept.
  func hasRoom(at order: (Int, Int, Int)) -> Bool { lastRow.map { order < $0 } ?? true }

  /// Adds a difference, if it is one of the first ``maxRows``.
  mutating func add(_ row: Row) {
    guard hasRoom(at: row.order) else {
      rowsLeftOut += 1
      return
    }
    rows.append(row)
    if rows.count >= 2 * Self.maxRows { cutRows() }
  }

  /// Adds a pair, if it is one of the first ``maxAligned``.
  mutating func add(_ pair: Aligned) {
    guard keepsAligned else { return }
    if let lastAligned, !(pair.order < lastAligned) {
      unaligned += 1
      return
    }
    aligned.append(pair)
    if aligned.count >= 2 * Self.maxAligned { cutAligned() }
  }

  /// Sorts rows and pairs, and removes those beyond the bounds.
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

  /// More steps are equal than differ.
  public var isAlike: Bool { same > rows.count + rowsLeftOut }

  /// Whether enough steps are equal for ``first`` to explain the rest. A failed connection explains many missing steps.
  public var isExplained: Bool { reason == .connection ? isAlike : same >= 2 * (rows.count + rowsLeftOut) }

  /// Numbers of the operations that rows and ``aligned`` refer to, in each recording.
  public var wanted: (a: Set<Int32>, b: Set<Int32>) {
    var (a, b): (Set<Int32>, Set<Int32>) = ([], [])
    for row in rows {
      a.insert(row.a)
      b.insert(row.b)
    }
    for pair in aligned {
      a.insert(pair.a)
      b.insert(pair.b)
    }
    a.remove(-1)
    b.remove(-1)
    return (a, b)
  }
}
