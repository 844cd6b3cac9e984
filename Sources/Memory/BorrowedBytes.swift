/// Bytes that their owner keeps alive as long as this value is used. Every access is checked; an access beyond the end gives nil, or stops the
/// program.
@safe public struct BorrowedBytes: @unchecked Sendable {
  /// Address of the first byte.
  public let start: UnsafeRawPointer
  /// Number of bytes.
  public let count: Int

  @usableFromInline nonisolated(unsafe) static let nowhere = UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

  /// Borrows `count` bytes at `start`.
  @inlinable
  public init(start: UnsafeRawPointer, count: Int) {
    unsafe self.start = unsafe start
    self.count = count
  }

  /// Borrows the bytes of a buffer.
  @inlinable
  public init(_ buffer: UnsafeRawBufferPointer) {
    unsafe self.start = unsafe buffer.baseAddress ?? BorrowedBytes.nowhere
    self.count = buffer.count
  }

  /// No bytes.
  @inlinable
  public init() {
    unsafe self.start = unsafe BorrowedBytes.nowhere
    self.count = 0
  }

  /// The bytes as a buffer.
  @inlinable
  public var buffer: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }

  /// The bytes as a span, valid as long as their owner keeps them alive.
  @inlinable
  public var span: RawSpan {
    @_lifetime(immortal)
    get {
      let span = unsafe RawSpan(_unsafeBytes: buffer)
      return unsafe _overrideLifetime(span, copying: ())
    }
  }

  /// The bytes of a range. The program stops where the range is out of bounds.
  @inlinable
  public func part(_ range: Range<Int>) -> BorrowedBytes {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe BorrowedBytes(start: start + range.lowerBound, count: range.count)
  }

  /// The bytes from `from` on; empty where there are none.
  @inlinable
  public func from(_ from: Int) -> BorrowedBytes {
    unsafe from >= 0 && from <= count ? BorrowedBytes(start: start + from, count: count &- from) : BorrowedBytes()
  }

  /// At most `length` bytes from `from` on.
  @inlinable
  public func slice(_ from: Int, _ length: Int) -> BorrowedBytes {
    let rest = self.from(from)
    return unsafe BorrowedBytes(start: rest.start, count: Swift.max(0, Swift.min(length, rest.count)))
  }

  /// The offset of `other` in these bytes, or nil where it is not a part of them.
  public func offset(of other: BorrowedBytes) -> Int? {
    let offset = unsafe other.start - start
    return offset >= 0 && offset <= count &- other.count ? offset : nil
  }
}

extension BorrowedBytes: RandomAccessCollection {
  /// 0.
  @inlinable public var startIndex: Int { 0 }
  /// The number of bytes.
  @inlinable public var endIndex: Int { count }

  /// The byte at an index. The program stops where the index is out of bounds.
  @inlinable
  public subscript(at: Int) -> UInt8 {
    precondition(at >= 0 && at < count)
    return unsafe start.load(fromByteOffset: at, as: UInt8.self)
  }

  /// Calls `body` with all bytes.
  @inlinable
  public func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
    unsafe try buffer.withMemoryRebound(to: UInt8.self, body)
  }
}

extension BorrowedBytes {
  /// The byte at `at`, or nil beyond the end.
  @inlinable
  public func u8(_ at: Int) -> UInt8? {
    unsafe at >= 0 && at < count ? start.load(fromByteOffset: at, as: UInt8.self) : nil
  }

  /// The little-endian 16-bit integer at `at`, or nil beyond the end.
  @inlinable
  public func u16(_ at: Int) -> UInt16? {
    unsafe at >= 0 && at <= count &- 2 ? UInt16(littleEndian: start.loadUnaligned(fromByteOffset: at, as: UInt16.self)) : nil
  }

  /// The big-endian 16-bit integer at `at`, or nil beyond the end.
  @inlinable
  public func u16be(_ at: Int) -> UInt16? {
    unsafe at >= 0 && at <= count &- 2 ? UInt16(bigEndian: start.loadUnaligned(fromByteOffset: at, as: UInt16.self)) : nil
  }

  /// The little-endian 24-bit integer at `at`, or nil beyond the end.
  @inlinable
  public func u24(_ at: Int) -> UInt32? {
    guard let low = u16(at), let high = u8(at &+ 2) else { return nil }
    return UInt32(low) | UInt32(high) << 16
  }

  /// The little-endian 32-bit integer at `at`, or nil beyond the end.
  @inlinable
  public func u32(_ at: Int) -> UInt32? {
    unsafe at >= 0 && at <= count &- 4 ? UInt32(littleEndian: start.loadUnaligned(fromByteOffset: at, as: UInt32.self)) : nil
  }

  /// The little-endian 64-bit number at `at`, or nil beyond the end.
  @inlinable
  public func u64(_ at: Int) -> UInt64? {
    unsafe at >= 0 && at <= count &- 8 ? UInt64(littleEndian: start.loadUnaligned(fromByteOffset: at, as: UInt64.self)) : nil
  }

  /// The 48-bit device address at `at` (little-endian on the wire), or nil beyond the end.
  @inlinable
  public func address(_ at: Int) -> UInt64? {
    guard let low = u32(at), let high = u16(at &+ 4) else { return nil }
    return UInt64(low) | UInt64(high) << 32
  }
}

extension Array where Element == UInt8 {
  /// Calls `body` with the bytes, which are valid during the call.
  @inlinable
  public func withBorrowedBytes<R, E: Error>(_ body: (BorrowedBytes) throws(E) -> R) throws(E) -> R {
    unsafe try span.withUnsafeBufferPointer { buffer throws(E) in unsafe try body(BorrowedBytes(UnsafeRawBufferPointer(buffer))) }
  }
}

extension RawSpan {
  /// Calls `body` with the bytes, which are valid during the call.
  @inlinable
  public func withBorrowedBytes<R, E: Error>(_ body: (BorrowedBytes) throws(E) -> R) throws(E) -> R {
    unsafe try withUnsafeBytes { bytes throws(E) in unsafe try body(BorrowedBytes(bytes)) }
  }
}
