extension RawSpan {
  /// The byte at `offset`; the caller has seen to it that it is there.
  @inlinable
  func byte(_ offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < byteCount)
    return unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
  }

  /// One to eight bytes at `offset` as a number; the caller has seen to it that they are there.
  @inlinable
  func integer(_ offset: Int, _ width: Int, isBigEndian: Bool = false) -> UInt64 {
    precondition(offset >= 0 && width <= byteCount && offset <= byteCount &- width)
    switch width {
    case 1: return UInt64(unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self))
    case 2:
      let value = unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)
      return UInt64(isBigEndian ? UInt16(bigEndian: value) : UInt16(littleEndian: value))
    case 4:
      let value = unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
      return UInt64(isBigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value))
    case 8:
      let value = unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      return isBigEndian ? UInt64(bigEndian: value) : UInt64(littleEndian: value)
    default:
      var value: UInt64 = 0
      var i = 0
      while i < width {
        let byte = UInt64(unsafe unsafeLoadUnaligned(fromByteOffset: offset &+ i, as: UInt8.self))
        value = isBigEndian ? value &<< 8 | byte : value | byte &<< UInt64(8 &* i)
        i &+= 1
      }
      return value
    }
  }
}

extension RawSpan {
  /// A text in UTF-16, most significant byte first, as UTF-8; a byte that is left over is none of it.
  public func utf8(ofWideText range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: 0..<byteCount)
    var units: [UInt16] = []
    units.reserveCapacity(range.count / 2)
    var at = range.lowerBound
    while at &+ 2 <= range.upperBound {
      units.append(UInt16(truncatingIfNeeded: integer(at, 2, isBigEndian: true)))
      at &+= 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
