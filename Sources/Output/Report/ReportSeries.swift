/// Amounts over time in steps of equal length. The step doubles whenever the time does not fit: so memory is bounded for a log of any length.
public struct ReportBuckets: Sendable {
  /// One step of time.
  public struct Step: Sendable {
    /// Sum and number of the added amounts.
    public var sum = 0, count = 0
    /// Minimum and maximum of the added amounts; meaningless where there are none.
    public var minimum = 0, maximum = 0
  }

  /// Time of the start of the first step, µs since 1970; nil before anything was added.
  public private(set) var start: Int64?
  /// Length of a step in µs.
  public private(set) var width: Int64 = 20_000
  /// The steps from ``start`` on.
  public private(set) var steps: [Step] = []

  /// Most steps.
  public static let maximum = 480

  /// An empty series.
  public init() {}

  /// Adds an amount at a time in µs since 1970. An earlier time counts to the first step.
  public mutating func add(_ amount: Int, at time: Int64) {
    let first = start ?? time
    start = first
    var index = max(0, time &- first) / width
    while index >= ReportBuckets.maximum {
      halve()
      index = max(0, time &- first) / width
    }
    while steps.count <= Int(index) { steps.append(Step()) }
    let at = Int(index)
    steps[at].minimum = steps[at].count == 0 ? amount : min(steps[at].minimum, amount)
    steps[at].maximum = steps[at].count == 0 ? amount : max(steps[at].maximum, amount)
    steps[at].sum &+= amount
    steps[at].count &+= 1
  }

  /// Joins each two steps.
  private mutating func halve() {
    var joined: [Step] = []
    var index = 0
    while index < steps.count {
      var step = steps[index]
      if index + 1 < steps.count, steps[index + 1].count > 0 {
        let next = steps[index + 1]
        if step.count == 0 {
          step = next
        } else {
          step.minimum = min(step.minimum, next.minimum)
          step.maximum = max(step.maximum, next.maximum)
          step.sum &+= next.sum
          step.count &+= next.count
        }
      }
      joined.append(step)
      index += 2
    }
    steps = joined
    width &*= 2
  }
}

/// A number over time. Every second point is dropped whenever there are too many.
public struct ReportSeries: Sendable {
  /// Peer that sent the numbers, index into ``ConversationTables/peers``, or -1.
  public let peer: Int32
  /// Times in µs since 1970, and the numbers at them.
  public private(set) var points: [(time: Int64, value: Double)] = []
  /// Minimum and maximum of all numbers, dropped points included.
  public private(set) var minimum = Double.infinity, maximum = -Double.infinity
  /// Number of all points, dropped ones included.
  public private(set) var count = 0
  private var stride = 1

  /// Most points that are kept.
  public static let maximum = 1024

  init(peer: Int32) { self.peer = peer }

  mutating func add(_ value: Double, at time: Int64) {
    guard value.isFinite else { return }
    minimum = min(minimum, value)
    maximum = max(maximum, value)
    count &+= 1
    guard (count - 1) % stride == 0 else { return }
    if points.count >= ReportSeries.maximum {
      points = points.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      stride &*= 2
      guard (count - 1) % stride == 0 else { return }
    }
    points.append((time, value))
  }
}

/// Signal strength of one device over time, in dBm.
public struct ReportSignal: Sendable {
  /// Address of the device, little-endian value of the six octets; the type is in bit 48.
  public let key: UInt64
  /// Signal strengths: the sum and count of each step give the mean.
  public internal(set) var buckets = ReportBuckets()
  /// Reports that contained a signal strength.
  public internal(set) var count = 0
}
