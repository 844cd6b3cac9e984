@_spi(Pipeline) import Analysis
import Conversations

/// A sequential part of a session: requests of one side, values of one attribute, pairing.
struct Lane {
  /// Steps that repeat in the same order: a poll is a request, its answer, and further steps.
  struct Run {
    /// Index of its first step.
    var start: Int
    /// Number of steps of a cycle.
    var cycle: Int
    /// Number of cycles.
    var times: Int

    var end: Int { start + cycle * times }

    /// Index within the cycle of the step at `index`.
    func member(_ index: Int) -> Int { (index - start) % cycle }
  }

  /// Indices of its steps.
  var steps: [Int32] = []
  /// The runs in order, without overlaps.
  var runs: [Run] = []

  /// Longest cycle that is searched.
  private static let longestCycle = 8
  /// Repetitions up to this number are not a run.
  static let maxUngroupedRepeats = 3

  /// The index of the run that contains a step.
  func run(at index: Int) -> Int? {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].end <= index { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].start <= index ? low : nil
  }

  /// The lanes of a session.
  static func lanes(
    of session: ComparedDevice.Session, _ recording: Recording, _ keys: [Int32], _ shapes: [StepKeys.Shape], _ contents: [Int32]
  ) -> [UInt64: Lane] {
    var lanes: [UInt64: Lane] = [:]
    for step in session.steps {
      let lane = shapes[Int(keys[Int(step)])].lane
      // Consecutive discoveries are one step: an app discovers services, later characteristics, and a descriptor when it subscribes.
      let discovery = recording.steps[Int(step)]
      if discovery.kind == .discovery, discovery.ending == .succeeded || discovery.ending == .open, let last = lanes[lane]?.steps.last,
        recording.steps[Int(last)].kind == .discovery
      {
        continue
      }
      lanes[lane, default: Lane()].steps.append(step)
    }
    for lane in lanes.keys { lanes[lane]?.findRuns(contents) }
    return lanes
  }

  private mutating func findRuns(_ contents: [Int32]) {
    func content(_ index: Int) -> Int32 { contents[Int(steps[index])] }
    var at = 0
    scan: while at < steps.count {
      for cycle in 1...Self.longestCycle where at + cycle * (Self.maxUngroupedRepeats + 1) <= steps.count {
        var end = at + cycle
        while end < steps.count, content(end) == content(end - cycle) { end += 1 }
        let times = (end - at) / cycle
        guard times > Self.maxUngroupedRepeats else { continue }
        runs.append(Run(start: at, cycle: cycle, times: times))
        at += cycle * times
        continue scan
      }
      at += 1
    }
  }
}
