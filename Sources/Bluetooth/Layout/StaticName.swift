/// UTF-8 text in static memory: a pointer and a count, copied without reference counting. It is never freed.
@safe public struct StaticName: @unchecked Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// First byte of the text; `count` bytes are valid, and are never freed.
  public let start: UnsafePointer<UInt8>
  /// Number of bytes.
  public let count: Int

  /// The text of the given bytes, which must never be freed.
  @inlinable
  public init(start: UnsafePointer<UInt8>, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// The text of a literal.
  @inlinable
  public init(_ text: StaticString) {
    unsafe self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// The text of a literal.
  @inlinable
  public init(stringLiteral text: StaticString) { self.init(text) }

  /// The empty text.
  @inlinable
  public static var empty: StaticName { StaticName("") }

  /// The text is empty.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// The bytes.
  @inlinable
  public var utf8: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: start, count: count) }

  /// The text as a `String` (which copies it).
  public var description: String { unsafe String(decoding: utf8, as: UTF8.self) }

  /// Compares the bytes.
  @inlinable
  public static func == (a: StaticName, b: StaticName) -> Bool {
    unsafe a.count == b.count && (a.start == b.start || a.utf8.elementsEqual(b.utf8))
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { unsafe hasher.combine(bytes: UnsafeRawBufferPointer(utf8)) }
}
