/// A layer that hostile input reaches, as a function that takes any bytes. It must not crash, hang, or fail its own checks.
public struct FuzzTarget: Sendable {
  /// Its name on the command line, and the name of the folder with its regressions.
  public let name: String
  /// Maximum size of inputs, in bytes.
  public let longest: Int
  /// Runs one input.
  public let run: @Sendable (UnsafeRawBufferPointer) -> Void

  /// Creates a target.
  public init(name: String, longest: Int, run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
    self.name = name
    self.longest = longest
    self.run = run
  }

  /// Runs an input in a buffer of its own, so that the sanitizer detects reads behind its end.
  public func run(_ bytes: [UInt8]) { bytes.withUnsafeBytes { run($0) } }
}

/// Ends the program if a target's check fails.
public func check(_ isRight: Bool, _ what: @autoclosure () -> String) {
  if !isRight { fatalError(what()) }
}

/// Reads choices and byte sequences from an input in order; zeros behind its end.
public struct Choices {
  private let bytes: UnsafeRawBufferPointer
  private var at = 0

  /// Reads from `bytes`.
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether all bytes have been read.
  public var isAtEnd: Bool { at >= bytes.count }

  /// A byte.
  public mutating func byte() -> UInt8 {
    guard at < bytes.count else { return 0 }
    at += 1
    return bytes[at - 1]
  }

  /// True or false.
  public mutating func flag() -> Bool { byte() & 1 == 1 }

  /// A number of 64 bits.
  public mutating func word() -> UInt64 { (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) } }

  /// A number that is usually small, and sometimes any.
  public mutating func number() -> Int {
    let small = byte()
    return small == 0xFF ? Int(truncatingIfNeeded: word()) : Int(small)
  }

  /// A number, or nil.
  public mutating func optional() -> Int? { flag() ? number() : nil }

  /// One of the given values.
  public mutating func element<C: Collection>(of values: C) -> C.Element {
    values[values.index(values.startIndex, offsetBy: Int(byte()) % values.count)]
  }

  /// The next `count` bytes, or the remaining ones.
  public mutating func piece(_ count: Int) -> UnsafeRawBufferPointer {
    let taken = min(count, bytes.count - at)
    at += taken
    return UnsafeRawBufferPointer(rebasing: bytes[at - taken..<at])
  }

  /// The remaining bytes.
  public mutating func rest() -> UnsafeRawBufferPointer { piece(bytes.count) }

  /// Up to `limit` byte sequences of up to `longest` bytes each.
  public mutating func pieces(upTo limit: Int, of longest: Int) -> [[UInt8]] {
    (0..<Int(byte()) % (limit + 1)).map { _ in Array(piece(Int(byte()) % (longest + 1))) }
  }
}
