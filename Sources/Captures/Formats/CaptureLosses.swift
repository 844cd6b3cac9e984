/// Properties that a format could not hold, with the number of affected packets.
public struct CaptureLosses: Sendable, Equatable {
  /// A property that a format may not be able to hold.
  public enum Kind: String, Sendable, CaseIterable {
    /// Entire packets.
    case packets = "packets left out"
    /// Notes and log lines.
    case notes = "notes left out"
    /// Comments of packets.
    case comments = "comments left out"
    /// Direction of the packet.
    case direction = "directions left out or assumed"
    /// Number of the adapter.
    case adapter = "adapter numbers left out"
    /// Length before the capture cut the packet.
    case original = "original lengths left out"
    /// Count of dropped packets.
    case drops = "counts of dropped packets left out"
    /// Times out of the format's range.
    case time = "times out of range"
    /// Channel, RSSI, CRC and the like.
    case radio = "radio facts left out"
  }

  /// Number of packets by kind of loss.
  public private(set) var counts: [Kind: Int] = [:]

  /// Nothing was lost.
  public init() {}

  mutating func add(_ kind: Kind) { counts[kind, default: 0] += 1 }

  /// Adds the losses of another capture.
  public mutating func add(_ other: CaptureLosses) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// Sentences for users, one for each kind: `12 notes left out`.
  public var sentences: [String] { Kind.allCases.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } } }
}
