/// What the search for keys and counters may cost over a capture, in blocks that are encrypted: a capture can hold thousands of keys and
/// thousands of connections, and each connection may be tried with each key.
struct TrialBudget {
  /// Blocks that a capture of any size has: some seconds.
  static let first = 1 << 25
  /// Blocks that each encrypted packet adds, up to ``first``.
  static let ofPacket = 64
  /// What setting a key, a point on the curve, and the keys that follow from a link key cost, in blocks.
  static let key = 2, point = 512, derived = 64

  /// Blocks that are left; 0 or less where nothing is tried any more.
  private(set) var left = Self.first

  /// Takes blocks. Returns false where none are left: what they were for is not tried.
  mutating func take(_ blocks: Int) -> Bool {
    guard left > 0 else { return false }
    left -= blocks
    return true
  }

  /// Gives blocks back, or adds those of another packet.
  mutating func add(_ blocks: Int) { left = min(left + blocks, Self.first) }

  /// The blocks that it takes to decrypt a payload, its MIC included.
  static func blocks(_ payload: [UInt8]) -> Int { 3 + 2 * (max(0, payload.count - 4) + 15) / 16 }
}
