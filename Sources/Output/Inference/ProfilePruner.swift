import Inference
import Memory
@_spi(Pipeline) import Profiles

/// Removes findings from an inferred profile that contradict the values that it was made from.
public enum ProfilePruner {
  /// Values of a stream that are decoded to check its profile.
  private static let sample = 4000

  /// Chooses how many of the findings about a stream go into its profile: the most with which all of its messages decode without a problem.
  public static func prune(_ findings: inout StreamFindings, _ stream: ValueStream) {
    for detail in StreamFindings.Detail.allCases {
      findings.detail = detail
      findings.encodes = .packets
      if holds(&findings, stream) { return }
    }
    findings.encodes = .nothing
  }

  private static func holds(_ findings: inout StreamFindings, _ stream: ValueStream) -> Bool {
    guard decodes(findings, stream) else { return false }
    for encodes in StreamFindings.Encodes.allCases {
      findings.encodes = encodes
      guard let set = set(findings), let tests = try? set.test(0) else { return false }
      if tests.allSatisfy({ $0.differences.isEmpty }) { return true }
      if !findings.source.isRequest { return false }
    }
    return false
  }

  private static func set(_ findings: StreamFindings) -> ProfileSet? {
    try? ProfileSet(builtin: false, texts: [(ProfileWriter.profile(of: findings, name: "inferred"), "inferred.yaml", .given)])
  }

  /// Whether all values decode to messages without a problem.
  private static func decodes(_ findings: StreamFindings, _ stream: ValueStream) -> Bool {
    guard let set = set(findings), let direction = ValueDirection.allCases.first(where: { $0.key == findings.source.profileDirection })
    else {
      return false
    }
    let engine = ProfileEngine(set)
    let link = engine.connect(PeerFacts())
    guard let profile = try? set.profile(0), let name = profile.sourceNames.first else { return false }
    let slot = engine.slot(link, profile: profile, source: name)
    guard slot >= 0 else { return false }
    var isClean = true
    func take(_ mayBeCut: Bool) {
      for message in engine.messages where isClean {
        if !message.isComplete, mayBeCut { continue }
        let isWhole = message.kind == .message && message.isComplete && message.checksum != .bad
        if !isWhole || message.problem != nil || !message.faults.isEmpty { isClean = false }
      }
    }
    for index in 0..<min(stream.count, sample) where isClean {
      let value = Array(stream.value(index))
      _ = value.withBorrowedBytes { engine.feed(link, slot, direction, $0, frame: index + 1, time: stream.time(index)) }
      take(false)
    }
    guard isClean else { return false }
    // The capture may end inside a message.
    _ = engine.finish()
    take(true)
    return isClean
  }
}
