// Integers out of bytes whose bounds the caller has checked.

@inline(__always)
func big16(_ p: UnsafeRawPointer, _ at: Int) -> UInt16 { unsafe UInt16(bigEndian: p.loadUnaligned(fromByteOffset: at, as: UInt16.self)) }
@inline(__always)
func big32(_ p: UnsafeRawPointer, _ at: Int) -> UInt32 { unsafe UInt32(bigEndian: p.loadUnaligned(fromByteOffset: at, as: UInt32.self)) }
@inline(__always)
func big64(_ p: UnsafeRawPointer, _ at: Int) -> UInt64 { unsafe UInt64(bigEndian: p.loadUnaligned(fromByteOffset: at, as: UInt64.self)) }
@inline(__always)
func little16(_ p: UnsafeRawPointer, _ at: Int) -> UInt16 {
  unsafe UInt16(littleEndian: p.loadUnaligned(fromByteOffset: at, as: UInt16.self))
}
@inline(__always)
func little32(_ p: UnsafeRawPointer, _ at: Int) -> UInt32 {
  unsafe UInt32(littleEndian: p.loadUnaligned(fromByteOffset: at, as: UInt32.self))
}
@inline(__always)
func little64(_ p: UnsafeRawPointer, _ at: Int) -> UInt64 {
  unsafe UInt64(littleEndian: p.loadUnaligned(fromByteOffset: at, as: UInt64.self))
}

/// Byte order of a file or of a part of one.
struct ByteOrder {
  var isBig: Bool

  @inline(__always)
  func u16(_ p: UnsafeRawPointer, _ at: Int) -> UInt16 { unsafe isBig ? big16(p, at) : little16(p, at) }
  @inline(__always)
  func u32(_ p: UnsafeRawPointer, _ at: Int) -> UInt32 { unsafe isBig ? big32(p, at) : little32(p, at) }
  @inline(__always)
  func u64(_ p: UnsafeRawPointer, _ at: Int) -> UInt64 { unsafe isBig ? big64(p, at) : little64(p, at) }
}
