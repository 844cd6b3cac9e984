/// A name, a label or a unit in UTF-8. What is lent to a visitor is good for the call; what belongs to a profile is good as long as that is.
public struct FieldText: RandomAccessCollection {
  @usableFromInline let start: UnsafePointer<UInt8>?
  /// Number of bytes.
  public let count: Int

  @inlinable
  init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    self.start = start
    self.count = count
  }

  /// No bytes.
  @inlinable public static var empty: FieldText { FieldText(nil, 0) }

  /// A text of the program itself.
  @inlinable
  init(_ text: StaticString) { self.init(text.utf8Start, text.utf8CodeUnitCount) }

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
    return start.unsafelyUnwrapped[position]
  }

  /// The bytes.
  @inlinable public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
  /// The text; what is no UTF-8 becomes U+FFFD.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Gives the bytes as they lie in memory.
  @inlinable
  public func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
    try body(UnsafeBufferPointer(start: start, count: count))
  }
}

/// Memory for texts that stay where they are until it is gone.
final class TextPool: @unchecked Sendable {
  private var chunks: [UnsafeMutablePointer<UInt8>] = []
  private var used = 0
  private var capacity = 0

  deinit { for chunk in chunks { chunk.deallocate() } }

  /// Whether there is any text in it.
  var isUsed: Bool { !chunks.isEmpty }

  /// A copy of `bytes`.
  func keep(_ bytes: some Collection<UInt8>) -> FieldText {
    let count = bytes.count
    guard count > 0 else { return .empty }
    if capacity - used < count {
      capacity = Swift.max(4096, count)
      used = 0
      chunks.append(.allocate(capacity: capacity))
    }
    guard let chunk = chunks.last else { return .empty }
    var at = used
    for byte in bytes {
      (chunk + at).initialize(to: byte)
      at += 1
    }
    used += count
    return FieldText(chunk + (used - count), count)
  }
}
