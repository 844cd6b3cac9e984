/// A read of `needed` bytes at `offset` (bytes from the start of the packet), where only `available` were left.
public struct ShortRead: Error, Equatable, Sendable {
  /// Offset in bytes from the start of the packet at which the read began.
  public var offset: Int
  /// Number of bytes requested.
  public var needed: Int
  /// Number of bytes that were left.
  public var available: Int

  /// Creates an error; all values are in bytes.
  @inlinable
  public init(offset: Int, needed: Int, available: Int) {
    self.offset = offset
    self.needed = needed
    self.available = available
  }
}

/// A cursor over borrowed bytes. Every read is checked; a failing read throws ``ShortRead`` and does not advance.
public struct ByteReader: ~Escapable {
  /// The bytes that are read.
  public let bytes: RawSpan
  /// Offset in bytes of the next read, from the start of `bytes`.
  public var position: Int
  /// Offset in bytes at which reading ends; never beyond `bytes`.
  @usableFromInline let end: Int

  /// Reads all of `bytes` from its start.
  @inlinable
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan) {
    self.bytes = bytes
    self.position = 0
    self.end = bytes.byteCount
  }

  /// Number of bytes left.
  @inlinable
  public var remaining: Int { end &- position }

  /// Advances by `count` bytes and returns the offset at which they start. Throws ``ShortRead`` where fewer are left, or `count` is negative.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func take(_ count: Int) throws(ShortRead) -> Int {
    // `end - position` cannot overflow: both are in 0...bytes.byteCount.
    guard count >= 0, count <= end &- position else {
      throw ShortRead(offset: position, needed: count, available: remaining)
    }
    let at = position
    position &+= count
    return at
  }

  /// Reads an unsigned byte.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func u8() throws(ShortRead) -> UInt8 {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: try take(1), as: UInt8.self)
  }

  /// Reads a little-endian 16-bit integer.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func u16() throws(ShortRead) -> UInt16 {
    unsafe UInt16(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: try take(2), as: UInt16.self))
  }

  /// Reads a little-endian 24-bit integer.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func u24() throws(ShortRead) -> UInt32 {
    let at = try take(3)
    let low = unsafe UInt16(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: at, as: UInt16.self))
    return unsafe UInt32(low) | UInt32(bytes.unsafeLoadUnaligned(fromByteOffset: at &+ 2, as: UInt8.self)) << 16
  }

  /// Reads a little-endian 32-bit integer.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func u32() throws(ShortRead) -> UInt32 {
    unsafe UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: try take(4), as: UInt32.self))
  }

  /// Reads a little-endian 64-bit integer.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func u64() throws(ShortRead) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: try take(8), as: UInt64.self))
  }

  /// Reads a big-endian 16-bit integer.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func u16be() throws(ShortRead) -> UInt16 {
    unsafe UInt16(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: try take(2), as: UInt16.self))
  }

  /// Reads a big-endian 32-bit integer.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func u32be() throws(ShortRead) -> UInt32 {
    unsafe UInt32(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: try take(4), as: UInt32.self))
  }

  /// Reads a big-endian 64-bit integer.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func u64be() throws(ShortRead) -> UInt64 {
    unsafe UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: try take(8), as: UInt64.self))
  }

  /// Reads the next `count` bytes without copying them.
  @inlinable
  @_lifetime(self: copy self)
  @_lifetime(copy self)
  public mutating func span(_ count: Int) throws(ShortRead) -> RawSpan {
    let at = try take(count)
    return bytes.extracting(at..<(at &+ count))
  }

  /// Reads all bytes that are left without copying them.
  @inlinable
  @_lifetime(self: copy self)
  @_lifetime(copy self)
  public mutating func rest() -> RawSpan {
    let at = position
    position = end
    return bytes.extracting(at..<end)
  }
}
