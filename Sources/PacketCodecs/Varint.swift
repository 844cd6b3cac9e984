/// The encoding of an integer of variable length.
@frozen
public enum VarintOrder: UInt8, Sendable {
  /// Seven bits per byte, least significant first; the top bit means that more follow (LEB128, Protocol Buffers).
  case little
  /// Seven bits per byte, most significant first; the top bit means that more follow (MIDI, BER tags).
  case big
}

/// A decoded integer, and the number of its bytes.
public struct Varint: Equatable, Sendable {
  /// The number.
  public var value: UInt64
  /// Number of bytes it took.
  public var count: Int

  @inlinable
  init(value: UInt64, count: Int) {
    self.value = value
    self.count = count
  }

  /// Reads an integer at `offset`; nil where the bytes end inside it, or it does not fit into 64 bits.
  @inlinable
  public init?(_ bytes: RawSpan, at offset: Int, end: Int? = nil, order: VarintOrder = .little) {
    let end = min(end ?? bytes.byteCount, bytes.byteCount)
    guard offset >= 0 else { return nil }
    var value: UInt64 = 0
    var count = 0
    while offset < end &- count {
      let byte = bytes.byte(offset &+ count)
      let bits = UInt64(byte & 0x7f)
      if order == .little {
        guard count < 9 || (count == 9 && bits <= 1) else { return nil }
        value |= bits << UInt64(7 &* count)
      } else {
        guard value >> 57 == 0 else { return nil }
        value = value << 7 | bits
      }
      count &+= 1
      if byte & 0x80 == 0 {
        self.init(value: value, count: count)
        return
      }
    }
    return nil
  }

  /// Appends `value` in the fewest bytes.
  public static func append(_ value: UInt64, to output: inout [UInt8], order: VarintOrder = .little) {
    var rest = value
    if order == .little {
      while rest > 0x7f {
        output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      output.append(UInt8(rest))
      return
    }
    var shift = max(0, (63 - value.leadingZeroBitCount) / 7 * 7)
    if value == 0 { shift = 0 }
    while shift > 0 {
      output.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)) | 0x80)
      shift -= 7
    }
    output.append(UInt8(truncatingIfNeeded: value) & 0x7f)
  }
}

/// The unsigned number in `count` bytes (1...8) at `offset`; all must be present.
@inlinable
func loadNumber(_ bytes: RawSpan, _ offset: Int, _ count: Int, _ order: ByteOrder) -> UInt64 {
  var value: UInt64 = 0
  for index in 0..<count {
    let byte = unsafe UInt64(bytes.unsafeLoad(fromByteOffset: offset &+ index, as: UInt8.self))
    if order == .big { value = value << 8 | byte } else { value |= byte << UInt64(8 &* index) }
  }
  return value
}

/// Appends `value` in `count` bytes.
@inlinable
func appendNumber(_ value: UInt64, _ count: Int, _ order: ByteOrder, _ output: inout [UInt8]) {
  for index in 0..<count {
    output.append(UInt8(truncatingIfNeeded: value >> UInt64(8 &* (order == .little ? index : count &- 1 &- index))))
  }
}
