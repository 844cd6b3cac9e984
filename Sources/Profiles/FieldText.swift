/// A name, a label or a unit in UTF-8. What is lent to a visitor is good for the call; what belongs to a profile is good as long as that is.
@safe public struct FieldText: RandomAccessCollection {
  @usableFromInline let start: UnsafePointer<UInt8>?
  /// Number of bytes.
  public let count: Int

  @inlinable
  init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    unsafe self.start = unsafe start
    self.count = count
  }

  /// No bytes.
  @inlinable public static var empty: FieldText { unsafe FieldText(nil, 0) }

  /// A text of the program itself.
  @inlinable
  init(_ text: StaticString) { unsafe self.init(text.utf8Start, text.utf8CodeUnitCount) }

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
  @inlinable public var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }
  /// The text; what is no UTF-8 becomes U+FFFD.
  public var string: String { unsafe String(decoding: bytes, as: UTF8.self) }

  /// Gives the bytes as they lie in memory.
  @inlinable
  public func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
    unsafe try body(UnsafeBufferPointer(start: start, count: count))
  }
}

/// Memory for texts that stay where they are until it is gone.
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
