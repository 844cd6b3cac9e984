extension RawSpan {
  /// A byte; an offset outside traps.
  @inlinable
  package subscript(offset: Int) -> UInt8 {
    @inline(__always)
    get {
      precondition(UInt(bitPattern: offset) < UInt(bitPattern: byteCount), "offset outside of the bytes")
      return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
  }

  /// The eight bytes from an offset on, in the order of this machine; an offset outside traps.
  @inlinable @inline(__always)
  package func word(_ offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= byteCount &- 8, "offset outside of the bytes")
    return unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// The bytes from `range` on, as far as they are there.
  @inlinable @inline(__always)
  @_lifetime(copy self)
  package func clamped(to range: Range<Int>) -> RawSpan { extracting(range.clamped(to: 0..<byteCount)) }

  /// A copy of the bytes.
  @inlinable
  package var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }

  /// The bytes as UTF-8; what is none becomes U+FFFD.
  @inlinable
  package var text: String { unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
}

extension [UInt8] {
  /// The bytes, borrowed.
  @inlinable
  package var rawSpan: RawSpan {
    @_lifetime(borrow self)
    get { unsafe span.bytes }
  }

  /// Appends bytes.
  @inlinable
  package mutating func append(_ bytes: RawSpan) { unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) } }
}

extension ArraySlice<UInt8> {
  /// The bytes, borrowed.
  @inlinable
  package var rawSpan: RawSpan {
    @_lifetime(borrow self)
    get { unsafe span.bytes }
  }
}
