import Bluetooth
import Conversations
@_spi(Pipeline) import Analysis
@_spi(Pipeline) import Profiles

/// Counts the messages of profiles in a capture by kind: a redacted capture that is decoded as before has the same counts.
struct MessageTally {
  private struct Kind: Hashable {
    var profile: String
    /// ``ProfileMessage/kindNumber``
    var message: Int
    /// The message has a problem.
    var isBroken: Bool
  }
  private var counts: [Kind: Int] = [:]
  /// Upper bound of kinds; profiles have fewer.
  private static let maxKinds = 16_384

  var isEmpty: Bool { counts.isEmpty }

  mutating func add(_ message: ProfileMessage) {
    let kind = Kind(profile: message.profile.id, message: message.kindNumber, isBroken: message.hasProblem)
    if counts.count < Self.maxKinds || counts[kind] != nil { counts[kind, default: 0] += 1 }
  }

  /// Number of messages of a profile.
  func count(of profile: String) -> Int { counts.reduce(0) { $0 + ($1.key.profile == profile ? $1.value : 0) } }

  /// By profile: the number of messages (`of`), and of those (`lost`) that `other` lacks, or has as another kind or as several messages.
  func losses(in other: MessageTally) -> [(profile: String, lost: Int, of: Int)] {
    var all: [String: (lost: Int, more: Int, of: Int)] = [:]
    for (kind, count) in counts {
      all[kind.profile, default: (0, 0, 0)].of += count
      all[kind.profile, default: (0, 0, 0)].lost += max(0, count - (other.counts[kind] ?? 0))
    }
    for (kind, count) in other.counts { all[kind.profile]?.more += max(0, count - (counts[kind] ?? 0)) }
    return all.map { ($0.key, min(max($0.value.lost, $0.value.more), $0.value.of), $0.value.of) }.filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }
  }
}

/// Counts messages.
final class TallyPass: EventSink {
  private(set) var tally = MessageTally()

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {}

  func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) { tally.add(message) }
}
