/// A layer that hostile input reaches, by a function that takes any bytes. It must not crash, hang, or fail its own checks.
public struct FuzzTarget: Sendable {
  /// Its name on the command line, and that of the folder with its regressions.
  public let name: String
  /// Longer inputs are not tried, in bytes.
  public let longest: Int
  /// Takes an input.
  public let run: @Sendable (UnsafeRawBufferPointer) -> Void

  /// Makes a target from its parts.
  public init(name: String, longest: Int, run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
    self.name = name
    self.longest = longest
    self.run = run
  }

  /// Takes bytes from a buffer of its own, behind which nothing can be read unnoticed.
  public func run(_ bytes: [UInt8]) { bytes.withUnsafeBytes { run($0) } }
}

/// Ends the program where a target has given something wrong.
public func check(_ isRight: Bool, _ what: @autoclosure () -> String) {
  if !isRight { fatalError(what()) }
}

/// Choices and pieces taken from an input one after the other; zeros behind its end.
public struct Choices {
  private let bytes: UnsafeRawBufferPointer
  private var at = 0

  /// Takes from `bytes`.
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Nothing is left.
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

  /// A number that is small, or sometimes any.
  public mutating func number() -> Int {
    let small = byte()
    return small == 0xFF ? Int(truncatingIfNeeded: word()) : Int(small)
  }

  /// A number, or none.
  public mutating func optional() -> Int? { flag() ? number() : nil }

  /// One of some values.
  public mutating func one<C: Collection>(of values: C) -> C.Element {
    values[values.index(values.startIndex, offsetBy: Int(byte()) % values.count)]
  }

  /// So many bytes, or as many as are left.
  public mutating func piece(_ count: Int) -> UnsafeRawBufferPointer {
    let taken = min(count, bytes.count - at)
    at += taken
    return UnsafeRawBufferPointer(rebasing: bytes[at - taken..<at])
  }

  /// All that is left.
  public mutating func rest() -> UnsafeRawBufferPointer { piece(bytes.count) }

  /// Some runs of bytes.
  public mutating func pieces(upTo most: Int, of longest: Int) -> [[UInt8]] {
    (0..<Int(byte()) % (most + 1)).map { _ in Array(piece(Int(byte()) % (longest + 1))) }
  }
}
