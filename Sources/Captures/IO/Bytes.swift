import PacketCodecs

/// Byte order of a file or of a part of one.
struct ByteOrder {
  var isBig: Bool

  @inline(__always)
  func u16(_ bytes: borrowing RawSpan, _ at: Int) -> UInt16 { isBig ? bytes.big16(at) : bytes.little16(at) }
  @inline(__always)
  func u32(_ bytes: borrowing RawSpan, _ at: Int) -> UInt32 { isBig ? bytes.big32(at) : bytes.little32(at) }
  @inline(__always)
  func u64(_ bytes: borrowing RawSpan, _ at: Int) -> UInt64 { isBig ? bytes.big64(at) : bytes.little64(at) }
}

extension [UInt8] {
  /// Appends bytes.
  @inline(__always)
  mutating func append(_ bytes: borrowing RawSpan) { unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) } }

  // A number's bytes are appended one by one: cheaper than a temporary buffer of them.
  mutating func big32(_ value: UInt32) { little32(value.byteSwapped) }
  /// Appends numbers in their memory representation.
  mutating func append<Words>(words: Words) { unsafe Swift.withUnsafeBytes(of: words) { unsafe append(contentsOf: $0) } }
  mutating func big64(_ value: UInt64) {
    big32(UInt32(truncatingIfNeeded: value >> 32))
    big32(UInt32(truncatingIfNeeded: value))
  }
  mutating func little16(_ value: UInt16) {
    unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
  }
  mutating func little32(_ value: UInt32) {
    unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
  }
}
