import Memory

/// A keyed hash function: SipHash-2-4 (Aumasson and Bernstein, 2012), 64 bits. Without the key the hash cannot be computed, and reveals
/// nothing about the bytes.
struct KeyedHash {
  private let key: (UInt64, UInt64)

  init(_ key: (UInt64, UInt64)) { self.key = key }

  /// The hash of all bytes.
  func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var state = State(key)
    var word: UInt64 = 0
    var count: UInt64 = 0
    for byte in bytes {
      word |= UInt64(byte) << (8 * (count & 7))
      count &+= 1
      if count & 7 == 0 {
        state.add(word)
        word = 0
      }
    }
    state.add(word | count << 56)
    return state.finished
  }

  /// The same for contiguous bytes.
  func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    unsafe bytes.withUnsafeBytes {
      let bytes = unsafe BorrowedBytes($0)
      var state = State(key)
      var at = 0
      while let low = bytes.u32(at), let high = bytes.u32(at &+ 4) {
        state.add(UInt64(low) | UInt64(high) << 32)
        at &+= 8
      }
      var word = UInt64(bytes.count) << 56
      var shift: UInt64 = 0
      while at < bytes.count {
        word |= UInt64(bytes[at]) << shift
        shift &+= 8
        at &+= 1
      }
      state.add(word)
      return state.finished
    }
  }

  /// The hash of a chain's hash so far and its next value.
  func hash(_ chain: UInt64, _ next: UInt64) -> UInt64 {
    var state = State(key)
    state.add(chain)
    state.add(next)
    return state.finished
  }

  /// The running hash of more bytes than are in memory at once.
  struct Running {
    private var state: State
    private(set) var count: UInt64 = 0

    init(_ key: (UInt64, UInt64)) { state = State(key) }

    /// Adds a number.
    mutating func add(_ word: UInt64) { state.add(word) }

    /// Adds bytes; their division into calls changes the hash, too.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
      var at = 0
      while at &+ 8 <= bytes.count {
        unsafe state.add(bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        at &+= 8
      }
      var word = UInt64(bytes.count) << 56
      while at < bytes.count {
        word |= unsafe UInt64(bytes[at]) << UInt64(8 &* (at & 7))
        at &+= 1
      }
      state.add(word)
      count &+= 1
    }

    /// The hash of all so far.
    var value: UInt64 {
      var last = state
      last.add(count)
      return last.finished
    }
  }

  struct State {
    private var v0, v1, v2, v3: UInt64

    init(_ key: (UInt64, UInt64)) {
      v0 = key.0 ^ 0x736f_6d65_7073_6575
      v1 = key.1 ^ 0x646f_7261_6e64_6f6d
      v2 = key.0 ^ 0x6c79_6765_6e65_7261
      v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    @inline(__always)
    private mutating func round() {
      v0 = v0 &+ v1
      v1 = v1 << 13 | v1 >> 51
      v1 ^= v0
      v0 = v0 << 32 | v0 >> 32
      v2 = v2 &+ v3
      v3 = v3 << 16 | v3 >> 48
      v3 ^= v2
      v0 = v0 &+ v3
      v3 = v3 << 21 | v3 >> 43
      v3 ^= v0
      v2 = v2 &+ v1
      v1 = v1 << 17 | v1 >> 47
      v1 ^= v2
      v2 = v2 << 32 | v2 >> 32
    }

    @inline(__always)
    mutating func add(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    var finished: UInt64 {
      var last = self
      last.v2 ^= 0xFF
      for _ in 0..<4 { last.round() }
      return last.v0 ^ last.v1 ^ last.v2 ^ last.v3
    }
  }
}
