/// Byte strings, each kept once, in bounded memory.
struct BytePool: Sendable {
  private var bytes: [UInt8] = []
  private var starts: [UInt32] = [0]
  private var numbers: [UInt64: Int32] = [:]
  /// Number of strings that were not kept, because the bound was reached.
  private(set) var dropped = 0

  private let maxBytes: Int, maxStrings: Int

  /// The number of strings that were not kept.
  static let unkept: Int32 = -2

  /// A pool with bounds for bytes and strings.
  init(maxBytes: Int = 8 << 20, maxStrings: Int = 120_000) {
    self.maxBytes = maxBytes
    self.maxStrings = maxStrings
  }

  /// The number of a string, the same for equal ones; ``unkept`` where there is no room for it, or it is new and not wanted.
  mutating func intern(_ string: [UInt8], isWanted: Bool = true) -> Int32 {
    let hash = StepHash.of(string.span)
    if let number = numbers[hash] { return number }
    guard isWanted, starts.count <= maxStrings, bytes.count + string.count <= maxBytes else {
      dropped += 1
      return Self.unkept
    }
    bytes.append(contentsOf: string)
    starts.append(UInt32(bytes.count))
    let number = Int32(starts.count - 2)
    numbers[hash] = number
    return number
  }

  /// Adds a string without looking for an equal one; ``unkept`` where there is no room for it.
  mutating func append(_ string: some Collection<UInt8>) -> Int32 {
    guard starts.count <= 2 * maxStrings, bytes.count + string.count <= 2 * maxBytes else { return Self.unkept }
    bytes.append(contentsOf: string)
    starts.append(UInt32(bytes.count))
    return Int32(starts.count - 2)
  }

  /// Number of strings.
  var count: Int { starts.count - 1 }

  /// Frees the look-up table: no more strings can be added.
  mutating func close() { numbers = [:] }

  /// Calls `body` with the string of a number; an empty one where it was not kept.
  @inline(__always)
  func with<Result>(_ number: Int32, _ body: (borrowing Span<UInt8>) -> Result) -> Result {
    guard number >= 0, Int(number) < count else { return body(bytes.span.extracting(0..<0)) }
    return body(bytes.span.extracting(Int(starts[Int(number)])..<Int(starts[Int(number) + 1])))
  }

  /// The string of a number; empty where it was not kept.
  subscript(_ number: Int32) -> ArraySlice<UInt8> {
    guard number >= 0, Int(number) < count else { return [] }
    return bytes[Int(starts[Int(number)])..<Int(starts[Int(number) + 1])]
  }
}

/// A hash that is the same in every run, for comparing two recordings.
struct StepHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  init() {}

  @inline(__always)
  mutating func add(_ number: UInt64) {
    value = (value ^ number) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }

  @inline(__always)
  mutating func add(_ number: some BinaryInteger) { add(UInt64(truncatingIfNeeded: number)) }

  mutating func add(bytes: some Sequence<UInt8>) {
    var length: UInt64 = 0
    var word: UInt64 = 0
    for byte in bytes {
      word = word << 8 | UInt64(byte)
      length &+= 1
      if length & 7 == 0 {
        add(word)
        word = 0
      }
    }
    add(word)
    add(length)
  }

  /// The same result as that of ``add(bytes:)``, but faster.
  mutating func add(_ bytes: borrowing Span<UInt8>) {
    var at = 0
    let whole = bytes.count & ~7
    while at < whole {
      add(unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: at, as: UInt64.self).bigEndian)
      at &+= 8
    }
    var word: UInt64 = 0
    while at < bytes.count {
      word = word << 8 | UInt64(bytes[at])
      at &+= 1
    }
    add(word)
    add(bytes.count)
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = StepHash()
    hash.add(bytes: bytes)
    return hash.value
  }

  static func of(_ bytes: borrowing Span<UInt8>) -> UInt64 {
    var hash = StepHash()
    hash.add(bytes)
    return hash.value
  }
}
