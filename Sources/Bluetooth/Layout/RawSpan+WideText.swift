import PacketCodecs

extension RawSpan {
  /// A text in UTF-16, most significant byte first, converted to UTF-8; an odd last byte is ignored.
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
