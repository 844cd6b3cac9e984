/// The key of ``BorrowedBytes/hash(key:)``. Without the key nobody can choose bytes whose hashes are equal.
public struct HashKey: Sendable {
  @usableFromInline let start: UInt64
  /// Odd, so that no bit of a word is lost.
  @usableFromInline let factor: UInt64

  /// A random key.
  public init() { self.init(start: .random(in: 0 ... .max), factor: .random(in: 0 ... .max) | 1) }

  @inlinable init(start: UInt64, factor: UInt64) {
    self.start = start
    self.factor = factor
  }

  /// A key that is the same in every run. Bytes with equal hashes can be chosen for it: equal hashes must not be taken for equal bytes.
  @inlinable public static var fixed: HashKey { HashKey(start: 0xC2B2_AE3D_27D4_EB4F, factor: 0x9E37_79B9_7F4A_7C15) }

  /// A key for bytes that are hashed together with `number`: equal bytes with different numbers have different hashes.
  @inlinable
  public func with(_ number: UInt64) -> HashKey { HashKey(start: mixed(start, number), factor: factor) }

  @inlinable @inline(__always)
  func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word).multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }
}

extension BorrowedBytes {
  /// A hash of all bytes and of their count.
  @inlinable @inline(__always)
  public func hash(key: HashKey) -> UInt64 {
    // Not `start ^ count`: the first word could be chosen so that it cancels the effect of another count.
    var state = key.start &+ UInt64(truncatingIfNeeded: count) &* key.factor
    let last = count &- 8
    if last >= 0 {
      var at = 0
      while at < last {
        state = unsafe key.mixed(state, start.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        at &+= 8
      }
      // The last eight bytes, some of which were hashed before; the count determines which.
      state = unsafe key.mixed(state, start.loadUnaligned(fromByteOffset: last, as: UInt64.self))
    } else if let low = u32(0), let high = u32(count &- 4) {
      state = key.mixed(state, UInt64(low) | UInt64(high) << 32)
    } else if let first = u8(0), let middle = u8(count >> 1), let end = u8(count &- 1) {
      state = key.mixed(state, UInt64(first) | UInt64(middle) << 8 | UInt64(end) << 16)
    }
    return state ^ state >> 32
  }

  /// Whether the bytes are equal.
  @inlinable
  public func isEqual(to other: BorrowedBytes) -> Bool {
    guard count == other.count else { return false }
    var at = 0
    while at &+ 8 <= count {
      if unsafe start.loadUnaligned(fromByteOffset: at, as: UInt64.self) != other.start.loadUnaligned(fromByteOffset: at, as: UInt64.self) {
        return false
      }
      at &+= 8
    }
    while at < count {
      if other[at] != self[at] { return false }
      at &+= 1
    }
    return true
  }
}
