import Conversations
import Memory
@_spi(Pipeline) import Profiles

/// Counts the messages of profiles.
public final class MessageCounts: MessageRenderer {
  /// The counts of one profile.
  public struct Count: Sendable {
    /// Messages, incomplete messages, and messages with a wrong checksum.
    public var messages = 0, incomplete = 0, bad = 0
    /// Bytes outside of any message.
    public var unjoined = 0
  }

  private var counts: [(profile: CompiledProfile, count: Count)] = []
  private var last = 0

  /// Most profiles that are counted.
  private static let maximum = 256

  init() {}

  /// The counts by the profile's id.
  var byProfile: [String: Count] {
    Dictionary(counts.map { ($0.profile.id, $0.count) }) { first, _ in first }
  }

  /// Counts a message.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    if last >= counts.count || counts[last].profile !== message.profile {
      if let known = counts.firstIndex(where: { $0.profile === message.profile }) {
        last = known
      } else {
        guard counts.count < Self.maximum else { return }
        last = counts.count
        counts.append((message.profile, Count()))
      }
    }
    if message.kind == .unjoined {
      counts[last].count.unjoined += message.payload.count
    } else {
      counts[last].count.messages += 1
      if !message.isComplete { counts[last].count.incomplete += 1 }
      if message.checksum == .bad { counts[last].count.bad += 1 }
    }
  }

  /// No text is rendered.
  public var count: Int { 0 }

  private final class NoText: MessageText {
    var bytes: BorrowedBytes { BorrowedBytes() }
  }
  private let none = NoText()

  /// Returns an empty text.
  public func handOver(_ spare: (any MessageText)?) -> any MessageText { none }
}
