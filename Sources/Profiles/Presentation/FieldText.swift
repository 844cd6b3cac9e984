import Memory

/// A name, a label or a unit in UTF-8. It points into memory of its profile, or of the message, and is valid as long as these.
@_spi(Pipeline) @safe public struct FieldText: RandomAccessCollection {
  @usableFromInline let start: UnsafePointer<UInt8>?
  /// Number of bytes.
  public let count: Int

  @inlinable
  init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    unsafe self.start = unsafe start
    self.count = count
  }

  /// A text without bytes.
  @inlinable public static var empty: FieldText { unsafe FieldText(nil, 0) }

  /// The text of a literal.
  @inlinable
  init(_ text: StaticString) { unsafe self.init(text.utf8Start, text.utf8CodeUnitCount) }

  /// The text without its first `count` bytes, which it must have.
  @inline(__always)
  func dropping(_ count: Int) -> FieldText { unsafe FieldText(start.map { unsafe $0 + count }, self.count &- count) }

  /// Always 0.
  @inlinable public var startIndex: Int { 0 }
  /// Number of bytes.
  @inlinable public var endIndex: Int { count }
  /// Whether there are none.
  @inlinable public var isEmpty: Bool { count == 0 }
  /// The byte at `position`.
  @inlinable
  public subscript(position: Int) -> UInt8 {
    precondition(position >= 0 && position < count)
    return unsafe start.unsafelyUnwrapped[position]
  }

  /// The bytes.
  @inlinable public var bytes: BorrowedBytes { unsafe BorrowedBytes(UnsafeRawBufferPointer(start: start, count: count)) }
  /// The text; invalid UTF-8 becomes U+FFFD.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Calls `body` with the bytes.
  @inlinable
  public func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
    unsafe try body(UnsafeBufferPointer(start: start, count: count))
  }
}

/// Memory for texts that do not move until the pool is deallocated.
@safe final class TextPool: @unchecked Sendable {
  private var chunks: [UnsafeMutablePointer<UInt8>] = unsafe []
  private var used = 0
  private var capacity = 0

  deinit { unsafe chunks.forEach { unsafe $0.deallocate() } }

  /// Whether there is any text in it.
  var isUsed: Bool { unsafe !chunks.isEmpty }

  /// A copy of `bytes`.
  func keep(_ bytes: some Collection<UInt8>) -> FieldText {
    let count = bytes.count
    guard count > 0 else { return .empty }
    if capacity - used < count {
      capacity = Swift.max(4096, count)
      used = 0
      unsafe chunks.append(.allocate(capacity: capacity))
    }
    guard let chunk = unsafe chunks.last else { return .empty }
    var at = used
    for byte in bytes {
      unsafe (chunk + at).initialize(to: byte)
      at += 1
    }
    used += count
    return unsafe FieldText(chunk + (used - count), count)
  }
}
