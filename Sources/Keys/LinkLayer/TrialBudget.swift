/// Bounds the cost of searching keys and counters over a capture, in encrypted blocks: a capture can have thousands of keys and thousands of
/// connections, and each connection may be tried with each key.
struct TrialBudget {
  /// Blocks for a capture of any size: some seconds.
  static let first = 1 << 25
  /// Blocks that each encrypted packet adds, up to ``first``.
  static let ofPacket = 64
  /// Cost in blocks of setting a key, of a point on the curve, and of deriving keys from a link key.
  static let key = 2, point = 512, derived = 64

  /// Remaining blocks; at 0 or less, no more keys are tried.
  private(set) var left = Self.first

  /// Takes blocks. Returns false if none are left: the trial is then not made.
  mutating func take(_ blocks: Int) -> Bool {
    guard left > 0 else { return false }
    left -= blocks
    return true
  }

  /// Returns blocks, or adds those of another packet.
  mutating func add(_ blocks: Int) { left = min(left + blocks, Self.first) }

  /// The number of blocks for decrypting a payload, including its MIC.
  static func blocks(_ payload: [UInt8]) -> Int { 3 + 2 * (max(0, payload.count - 4) + 15) / 16 }
}
