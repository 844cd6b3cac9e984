// Reads numbers out of bytes. `u8` and `u16` return nil where bytes are missing, as the functions of the same names of `BorrowedBytes` do; the others
// stop the program, so their caller checks the length before.
extension RawSpan {
  /// The byte at an offset, or nil where it is missing.
  @inlinable
  @inline(__always)
  package func u8(_ offset: Int) -> UInt8? {
    offset >= 0 && offset < byteCount ? unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self) : nil
  }

  /// The two bytes at an offset as a number, the first least significant, or nil where they are not all present.
  @inlinable
  @inline(__always)
  package func u16(_ offset: Int) -> UInt16? {
    guard offset >= 0, offset <= byteCount &- 2 else { return nil }
    return unsafe UInt16(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// The byte at an offset. Traps if there is none.
  @inlinable
  @inline(__always)
  package func byte(_ offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < byteCount)
    return unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
  }

  /// The two bytes at an offset as a number, the first least significant.
  @inlinable
  @inline(__always)
  package func little16(_ offset: Int) -> UInt16 {
    precondition(offset >= 0 && offset <= byteCount &- 2)
    return unsafe UInt16(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// The four bytes at an offset as a number, the first least significant.
  @inlinable
  @inline(__always)
  package func little32(_ offset: Int) -> UInt32 {
    precondition(offset >= 0 && offset <= byteCount &- 4)
    return unsafe UInt32(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The eight bytes at an offset as a number, the first least significant.
  @inlinable
  @inline(__always)
  package func little64(_ offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= byteCount &- 8)
    return unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The two bytes at an offset as a number, the first most significant.
  @inlinable
  @inline(__always)
  package func big16(_ offset: Int) -> UInt16 {
    precondition(offset >= 0 && offset <= byteCount &- 2)
    return unsafe UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// The four bytes at an offset as a number, the first most significant.
  @inlinable
  @inline(__always)
  package func big32(_ offset: Int) -> UInt32 {
    precondition(offset >= 0 && offset <= byteCount &- 4)
    return unsafe UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The eight bytes at an offset as a number, the first most significant.
  @inlinable
  @inline(__always)
  package func big64(_ offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= byteCount &- 8)
    return unsafe UInt64(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// `width` bytes at an offset, at most eight, as a number. Traps if they are not all present.
  @inlinable
  package func integer(_ offset: Int, _ width: Int, isBigEndian: Bool = false) -> UInt64 {
    switch width {
    case 1: return UInt64(byte(offset))
    case 2: return UInt64(isBigEndian ? big16(offset) : little16(offset))
    case 4: return UInt64(isBigEndian ? big32(offset) : little32(offset))
    case 8: return isBigEndian ? big64(offset) : little64(offset)
    default: return oddInteger(offset, width, isBigEndian: isBigEndian)
    }
  }

  /// A number of a width without a load instruction.
  @usableFromInline
  func oddInteger(_ offset: Int, _ width: Int, isBigEndian: Bool) -> UInt64 {
    var value: UInt64 = 0
    var i = 0
    while i < width {
      let byte = UInt64(byte(offset &+ i))
      value = isBigEndian ? value &<< 8 | byte : value | byte &<< UInt64(8 &* i)
      i &+= 1
    }
    return value
  }

  /// A copy of the bytes.
  package var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }

  /// The bytes as UTF-8 text; invalid sequences become U+FFFD.
  package var text: String { unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }

  /// The first offset of a byte value from an offset on; nil where it does not occur.
  package func firstIndex(of wanted: UInt8, from start: Int = 0) -> Int? {
    var at = start
    while at < byteCount {
      if byte(at) == wanted { return at }
      at &+= 1
    }
    return nil
  }

  /// Whether the bytes are the UTF-8 of a text.
  package func elementsEqual(_ other: String) -> Bool {
    var other = other
    return other.withUTF8 { other in
      guard other.count == byteCount else { return false }
      for index in 0..<byteCount where unsafe byte(index) != other[index] { return false }
      return true
    }
  }
}

extension [UInt8] {
  /// The bytes, borrowed.
  package var rawSpan: RawSpan {
    @_lifetime(borrow self) get { unsafe span.bytes }
  }
}

extension ArraySlice where Element == UInt8 {
  /// The bytes, borrowed.
  package var rawSpan: RawSpan {
    @_lifetime(borrow self) get { unsafe span.bytes }
  }
}
