import Bluetooth

/// The bytes of one PDU, borrowed from a batch or its arena. Every access checks; what is not there is nil.
@safe public struct PDUBytes: @unchecked Sendable {
  /// Address of the first byte; the batch that it belongs to keeps it alive.
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
    unsafe self.start = unsafe buffer.baseAddress ?? PDUBytes.nowhere
    self.count = buffer.count
  }

  /// No bytes.
  @inlinable
  public init() {
    unsafe self.start = unsafe PDUBytes.nowhere
    self.count = 0
  }

  /// The bytes as a buffer.
  @inlinable
  public var buffer: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }

  /// Where `other` lies in these bytes, or nil where it is not a part of them.
  public func offset(of other: PDUBytes) -> Int? {
    let offset = unsafe other.start - start
    return offset >= 0 && offset <= count &- other.count ? offset : nil
  }

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

  /// The 48-bit device address at `at` (little-endian on the wire), or nil beyond the end.
  @inlinable
  public func address(_ at: Int) -> UInt64? {
    guard let low = u32(at), let high = u16(at &+ 4) else { return nil }
    return UInt64(low) | UInt64(high) << 32
  }

  /// The bytes from `from` on; empty where there are none.
  @inlinable
  public func from(_ from: Int) -> PDUBytes {
    unsafe from >= 0 && from <= count ? PDUBytes(start: start + from, count: count &- from) : PDUBytes()
  }

  /// At most `length` bytes from `from` on.
  @inlinable
  public func slice(_ from: Int, _ length: Int) -> PDUBytes {
    let rest = self.from(from)
    return unsafe PDUBytes(start: rest.start, count: Swift.max(0, Swift.min(length, rest.count)))
  }
}

extension PDUBytes: RandomAccessCollection {
  /// 0.
  @inlinable public var startIndex: Int { 0 }
  /// The number of bytes.
  @inlinable public var endIndex: Int { count }

  /// The byte at an index. The program stops where there is none.
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

  /// The bytes as a span, as long as the batch keeps them alive.
  @inlinable
  public var span: RawSpan {
    @_lifetime(immortal)
    get {
      let span = unsafe RawSpan(_unsafeBytes: buffer)
      return unsafe _overrideLifetime(span, copying: ())
    }
  }
}

extension PDUBytes {
  /// The elements of the list that an ATT response holds (``ATT/elements(_:)``): their handles, and what belongs to them.
  public var elements: some Sequence<(handle: UInt16, rest: PDUBytes)> {
    unsafe ATT.elements(RawSpan(_unsafeBytes: buffer)).lazy.map { range in
      (u16(range.lowerBound) ?? 0, slice(range.lowerBound &+ 2, range.count &- 2))
    }
  }
}

/// Bytes that a batch owns: reassembled PDUs. Addresses stay valid until ``reset()``.
@safe public struct Arena: ~Copyable {
  private var chunks: [UnsafeMutableRawBufferPointer] = unsafe []
  private var current = 0
  private var used = 0
  private static let chunkSize = 65_536

  /// An empty arena; its first chunk is made when it is needed.
  public init() {}

  deinit {
    for index in unsafe chunks.indices {
      let chunk = unsafe chunks[index]
      unsafe chunk.deallocate()
    }
  }

  /// Forgets all bytes and keeps the memory, except what was larger than a chunk.
  public mutating func reset() {
    unsafe chunks.removeAll { chunk in
      if chunk.count > Arena.chunkSize { unsafe chunk.deallocate() }
      return chunk.count > Arena.chunkSize
    }
    current = 0
    used = 0
  }

  /// Copies `bytes` and returns the copy.
  public mutating func copy(_ bytes: UnsafeRawBufferPointer) -> PDUBytes {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return PDUBytes() }
    while unsafe current < chunks.count, unsafe chunks[current].count - used < bytes.count {
      current += 1
      used = 0
    }
    if unsafe current >= chunks.count {
      unsafe chunks.append(.allocate(byteCount: max(Arena.chunkSize, bytes.count), alignment: 16))
      current = unsafe chunks.count - 1
      used = 0
    }
    guard let base = unsafe chunks[current].baseAddress else { return PDUBytes() }
    let target = unsafe base + used
    unsafe target.copyMemory(from: source, byteCount: bytes.count)
    used += bytes.count
    return unsafe PDUBytes(start: target, count: bytes.count)
  }
}
