/// A hash table from numbers to indices, for lookups with every packet: a dictionary takes longer to hash.
package struct HashIndex: Sendable {
  @usableFromInline var keys: [UInt64] = []
  @usableFromInline var indices: [Int32] = []
  @usableFromInline var count = 0
  /// Random, so that no capture can contain numbers that all collide.
  @usableFromInline let factor = UInt64.random(in: 0...(.max)) | 1
  @usableFromInline var shift: UInt64 = 64

  package init() {}

  @inlinable @inline(__always)
  func slot(_ key: UInt64) -> Int { Int(truncatingIfNeeded: ((key ^ key >> 32) &* factor) >> shift) }

  /// The index stored for `key`, or -1.
  @inlinable @inline(__always)
  package subscript(_ key: UInt64) -> Int32 {
    guard count > 0 else { return -1 }
    var at = slot(key)
    while indices[at] >= 0 {
      if keys[at] == key { return indices[at] }
      at = (at &+ 1) & (keys.count &- 1)
    }
    return -1
  }

  /// Stores a non-negative index for a key that has none so far.
  package mutating func insert(_ index: Int32, for key: UInt64) {
    if count &* 2 >= keys.count { grow() }
    var at = slot(key)
    while indices[at] >= 0 { at = (at &+ 1) & (keys.count &- 1) }
    keys[at] = key
    indices[at] = index
    count += 1
  }

  private mutating func grow() {
    let (oldKeys, oldIndices) = (keys, indices)
    let size = max(64, keys.count * 2)
    keys = [UInt64](repeating: 0, count: size)
    indices = [Int32](repeating: -1, count: size)
    shift = UInt64(64 - size.trailingZeroBitCount)
    count = 0
    for index in oldKeys.indices where oldIndices[index] >= 0 { insert(oldIndices[index], for: oldKeys[index]) }
  }
}
