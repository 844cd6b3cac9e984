@_spi(Pipeline) import Analysis
import Conversations

/// A step with how often it came again in the same way.
struct LaneItem: Sendable {
  /// Index of the step.
  var step: Int32
  /// How often it came, where it stands for a run.
  var count: Int = 1
}

/// What happened one after the other in a session: requests of one side, values of one attribute, pairing.
enum Lanes {
  /// Longest cycle that is looked for: a poll is a request, an answer, and what comes with them.
  private static let longestCycle = 8
  /// A cycle that comes more often stands for itself so many times.
  private static let kept = 3

  /// The lanes of a session, with what repeats told once.
  static func lanes(
    of session: ComparedDevice.Session, _ recording: Recording, _ keys: [Int32], _ shapes: [StepKeys.Shape], _ contents: [Int32]
  ) -> [UInt64: [LaneItem]] {
    var lanes: [UInt64: [Int32]] = [:]
    for step in session.steps { lanes[shapes[Int(keys[Int(step)])].lane, default: []].append(step) }
    return lanes.mapValues { steps in fold(joined(steps, recording), contents) }
  }

  /// Discoveries are one: an app asks for services, thinks, and asks for characteristics, and for a descriptor when it subscribes.
  private static func joined(_ steps: [Int32], _ recording: Recording) -> [Int32] {
    var result: [Int32] = []
    for step in steps {
      let one = recording.steps[Int(step)]
      if one.kind == .discovery, one.ending == .done || one.ending == .open, let last = result.last,
        recording.steps[Int(last)].kind == .discovery
      {
        continue
      }
      result.append(step)
    }
    return result
  }

  /// What comes again and again in the same order is kept three times; the last has the number of those that were left out.
  static func fold(_ steps: [Int32], _ contents: [Int32]) -> [LaneItem] {
    var items: [LaneItem] = []
    items.reserveCapacity(steps.count)
    func content(_ place: Int) -> Int32 { contents[Int(steps[place])] }
    var at = 0
    scan: while at < steps.count {
      for cycle in 1...longestCycle where at + cycle * (kept + 1) <= steps.count {
        var end = at + cycle
        while end < steps.count, content(end) == content(end - cycle) { end += 1 }
        let times = (end - at) / cycle
        guard times > kept else { continue }
        for place in at..<at + cycle * kept {
          items.append(LaneItem(step: steps[place], count: place < at + cycle * (kept - 1) ? 1 : times - kept + 1))
        }
        at += cycle * times
        continue scan
      }
      items.append(LaneItem(step: steps[at]))
      at += 1
    }
    return items
  }
}
