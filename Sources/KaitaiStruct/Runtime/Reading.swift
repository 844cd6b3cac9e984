import Memory
import PacketCodecs

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Reads numbers, bits, bytes and text from streams. Every read checks the window before it touches a byte.
extension Machine {
  /// The range of bytes that were read, without padding and terminator, after `process`.
  struct Window {
    var offset: Int
    var count: Int
    var isProduced: Bool
  }

  @inline(__always)
  private mutating func short(_ stream: Int, _ needed: Int, _ field: Int32, _ object: Int32) -> Stop {
    let stop = fail(.endOfStream, needed: needed, available: max(streams[stream].size &- streams[stream].position, 0))
    failure.field = FieldID(rawValue: field)
    failure.object = NodeID(rawValue: object)
    failure.offset = streams[stream].start &+ streams[stream].position
    return stop
  }

  @inline(__always)
  private mutating func pointer(_ stream: Int, _ offset: Int) -> UnsafeRawPointer {
    unsafe (streams[stream].isProduced ? UnsafeRawPointer(produced) : input) + (streams[stream].start &+ offset)
  }

  /// Takes `count` bytes; returns their offset.
  @inline(__always)
  private mutating func take(_ stream: Int, _ count: Int, _ field: Int32, _ object: Int32) throws(Stop)
    -> UnsafeRawPointer
  {
    streams[stream].bitsLeft = 0
    let position = streams[stream].position
    guard count <= streams[stream].size &- position, count >= 0 else { throw short(stream, count, field, object) }
    streams[stream].position = position &+ count
    return unsafe pointer(stream, position)
  }

  @inline(__always)
  private mutating func isLittle(_ reader: Table<Reader>.Entry, _ object: Int32) -> Bool {
    switch reader.pointee.order {
    case .little: true
    case .big: false
    case .calculated: nodes[Int(object)].flags & TreeNode.littleEndian != 0
    }
  }

  /// Reads an integer and creates its node, which is not linked yet.
  @inline(__always)
  mutating func readInteger(
    _ reader: Table<Reader>.Entry, _ field: Int32, _ object: Int32, _ number: Int, _ container: Int32
  ) throws(Stop) -> Int32 {
    let width = reader.pointee.width
    let bytes = unsafe try take(number, Int(width), field, object)
    var bits = unsafe Stream.load(bytes, width, isLittle: isLittle(reader, object))
    var kind = KaitaiValue.Kind.int
    if reader.pointee.kind == .signed {
      let shift = UInt64(64 &- Int(width) &* 8)
      bits = UInt64(bitPattern: Int64(bitPattern: bits &<< shift) &>> Int64(shift))
    } else if bits >> 63 != 0 {
      kind = .uint
    }
    return try appendNumber(kind, bits, reader.pointee.enumeration, field, container, number, Int(width))
  }

  /// Reads a number with its 16-bit words in order from the least significant to the most significant.
  mutating func readSwapped(
    _ reader: Table<Reader>.Entry, _ field: Int32, _ object: Int32, _ number: Int, _ container: Int32
  ) throws(Stop) -> Int32 {
    let width = reader.pointee.width
    let bytes = unsafe try take(number, Int(width), field, object)
    var bits = unsafe Stream.swappedWords(Stream.load(bytes, width, isLittle: isLittle(reader, object)), width)
    if reader.pointee.kind == .float {
      let value = Stream.float(bits, width)
      let node = try appendNumber(.float, value.bitPattern, -1, field, container, number, Int(width))
      if width == 4 { nodes[Int(node)].flags |= TreeNode.kindFlag }
      return node
    }
    if width == 4, reader.pointee.kind == .signed { bits = UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: bits))) }
    let kind: KaitaiValue.Kind = reader.pointee.kind == .unsigned && bits >> 63 != 0 ? .uint : .int
    return try appendNumber(kind, bits, reader.pointee.enumeration, field, container, number, Int(width))
  }

  @inline(__always)
  private mutating func appendNumber(
    _ kind: KaitaiValue.Kind, _ bits: UInt64, _ enumeration: Int32, _ field: Int32, _ container: Int32,
    _ stream: Int,
    _ count: Int
  ) throws(Stop) -> Int32 {
    let end = UInt32(truncatingIfNeeded: streams[stream].start &+ streams[stream].position)
    var flags: UInt8 = streams[stream].isProduced ? TreeNode.producedRange : 0
    var kind = kind
    if enumeration >= 0 {
      if kind == .uint { flags |= TreeNode.kindFlag }
      kind = .enumeration
    }
    return try append(
      TreeNode(
        kind: kind, payload: bits, field: field, parent: container, start: end &- UInt32(truncatingIfNeeded: count), end: end,
        type: enumeration, flags: flags))
  }

  mutating func readFloat(
    _ reader: Table<Reader>.Entry, _ field: Int32, _ object: Int32, _ number: Int, _ container: Int32
  ) throws(Stop) -> Int32 {
    let width = reader.pointee.width
    let bytes = unsafe try take(number, Int(width), field, object)
    let bits = unsafe Stream.load(bytes, width, isLittle: isLittle(reader, object))
    let value = Stream.float(bits, width)
    let node = try appendNumber(.float, value.bitPattern, -1, field, container, number, Int(width))
    if width < 8 { nodes[Int(node)].flags |= TreeNode.kindFlag }
    return node
  }

  // MARK: Bits

  /// Reads a bit field.
  mutating func readBits(_ reader: Table<Reader>.Entry, _ field: Int32, _ number: Int, _ container: Int32) throws(Stop) -> Int32 {
    let taken = unsafe streams[number].takeBits(
      Int(reader.pointee.width), isLittle: reader.pointee.order == .little, of: pointer(number, 0))
    if taken.lack > 0 { throw short(number, taken.lack, field, container) }
    var bits = taken.bits
    var kind: KaitaiValue.Kind = reader.pointee.isBoolean ? .bool : bits >> 63 != 0 ? .uint : .int
    if reader.pointee.isSigned {
      let shift = Int64(64 &- Int(reader.pointee.width))
      bits = UInt64(bitPattern: (Int64(bitPattern: bits) &<< shift) &>> shift)
      kind = .int
    }
    let node = try appendNumber(kind, bits, reader.pointee.enumeration, field, container, number, 0)
    nodes[Int(node)].start = UInt32(truncatingIfNeeded: streams[number].start &+ taken.first)
    nodes[Int(node)].startBit = taken.startBit
    nodes[Int(node)].endBit = taken.endBit
    return node
  }

  // MARK: Bytes and text

  mutating func readBytesNode(
    _ reader: Table<Reader>.Entry, _ field: Int32, _ object: Int32, _ number: Int, _ container: Int32
  ) throws(Stop) -> Int32 {
    let from = streams[number].start &+ streams[number].position
    var window = try readWindow(reader, object, number)
    let isText = reader.pointee.kind == .string
    if isText, !reader.pointee.isPlainText {
      let (offset, count) = try decode(
        offset: window.offset, count: window.count, isProduced: window.isProduced, reader.pointee.encoding)
      window = Window(offset: offset, count: count, isProduced: true)
    }
    let start = UInt32(truncatingIfNeeded: from)
    let end = UInt32(truncatingIfNeeded: streams[number].start &+ streams[number].position)
    var flags = (window.isProduced ? KaitaiValue.Buffer.produced : .input).rawValue
    if streams[number].isProduced { flags |= TreeNode.producedRange }
    return try append(
      TreeNode(
        kind: isText ? .string : .bytes,
        payload: UInt64(truncatingIfNeeded: window.offset) | UInt64(truncatingIfNeeded: window.count) << 32,
        field: field, parent: container, start: start, end: end, flags: flags))
  }

  /// Reads the bytes of `size`, `size-eos` or `terminator`; applies `process`, and removes padding and terminator.
  mutating func readWindow(_ reader: Table<Reader>.Entry, _ object: Int32, _ number: Int) throws(Stop) -> Window {
    streams[number].bitsLeft = 0
    let left = max(streams[number].size &- streams[number].position, 0)
    var size = left
    switch reader.pointee.extent {
    case .constant: size = Int(reader.pointee.size)
    case .expression:
      let wanted = try integer(reader.pointee.size, object)
      guard wanted >= 0 else { throw fail(.endOfStream, needed: Int(wanted), available: left) }
      size = Int(wanted)
    case .terminator: return try readTerminated(reader, object, number)
    case .toEnd, .none: if streams[number].position > streams[number].size { throw fail(.endOfStream, needed: 0, available: 0) }
    }
    // Evaluation may have created streams, and so moved all of them.
    guard size <= streams[number].size &- streams[number].position else {
      throw fail(.endOfStream, needed: size, available: max(streams[number].size &- streams[number].position, 0))
    }
    var window = Window(
      offset: streams[number].start &+ streams[number].position, count: size, isProduced: streams[number].isProduced)
    streams[number].position &+= size
    let end = reader.pointee.terminatorCount
    if reader.pointee.pad >= 0, unsafe end != 1 || Int16(tables.bytes[Int(reader.pointee.terminator)]) != reader.pointee.pad {
      try removePadding(UInt8(truncatingIfNeeded: reader.pointee.pad), of: &window)
    }
    if end > 0, let found = unsafe try find(tables.bytes + Int(reader.pointee.terminator), Int(end), in: window) {
      window.count = reader.pointee.include ? found &+ Int(end) : found
    }
    // Padding and terminator are those of the bytes before `process`, whose argument may use the position after them.
    if reader.pointee.processCount > 0 { try process(reader, object, &window) }
    return window
  }

  private mutating func readTerminated(_ reader: Table<Reader>.Entry, _ object: Int32, _ number: Int) throws(Stop) -> Window {
    let position = streams[number].position
    let left = streams[number].size &- position
    guard left >= 0 else { throw fail(.endOfStream, needed: 1, available: 0) }
    let unit = Int(reader.pointee.terminatorCount)
    var window = Window(offset: streams[number].start &+ position, count: left, isProduced: streams[number].isProduced)
    if let found = unsafe try find(tables.bytes + Int(reader.pointee.terminator), unit, in: window) {
      window.count = reader.pointee.include ? found &+ unit : found
      streams[number].position = position &+ found &+ (reader.pointee.consume ? unit : 0)
    } else {
      guard !reader.pointee.endError else {
        streams[number].position = streams[number].size
        throw fail(.endOfStream, needed: unit, available: 0)
      }
      streams[number].position = streams[number].size
    }
    if reader.pointee.pad >= 0 { try removePadding(UInt8(truncatingIfNeeded: reader.pointee.pad), of: &window) }
    if reader.pointee.processCount > 0 { try process(reader, object, &window) }
    return window
  }

  private mutating func bytes(_ window: Window) -> BorrowedBytes {
    unsafe BorrowedBytes(start: (window.isProduced ? UnsafeRawPointer(produced) : input) + window.offset, count: window.count)
  }

  /// Removes padding bytes from the end.
  private mutating func removePadding(_ pad: UInt8, of window: inout Window) throws(Stop) {
    let bytes = bytes(window)
    let whole = window.count
    while window.count > 0, bytes[window.count &- 1] == pad { window.count &-= 1 }
    try spend(whole &- window.count, byBytes: 16)
  }

  /// The offset of the terminator, searched at multiples of its length.
  private mutating func find(_ terminator: UnsafePointer<UInt8>, _ unit: Int, in window: Window) throws(Stop) -> Int? {
    let bytes = bytes(window)
    let base = unsafe bytes.start
    if unit == 1 {
      let found = unsafe memchr(base, Int32(terminator[0]), bytes.count).map { unsafe UnsafeRawPointer($0) - base }
      try spend(found ?? bytes.count, byBytes: 64)
      return found
    }
    try spend(bytes.count, byBytes: 8)
    var at = 0
    while at &+ unit <= bytes.count {
      if unsafe memcmp(base + at, terminator, unit) == 0 { return at }
      at &+= unit
    }
    return nil
  }

  private mutating func process(_ reader: Table<Reader>.Entry, _ object: Int32, _ window: inout Window) throws(Stop) {
    for index in Int(reader.pointee.firstProcess)..<Int(reader.pointee.firstProcess &+ reader.pointee.processCount) {
      let info = tables.processes[index]
      let argument = info.argument >= 0 ? try evaluate(info.argument, object) : .absent
      window = try process(info.kind, argument, window)
    }
  }

  /// Converts text to UTF-8 in the produced bytes; returns its range.
  mutating func decode(offset: Int, count: Int, isProduced: Bool, _ encoding: Int32) throws(Stop) -> (offset: Int, count: Int) {
    guard encoding >= 0 else { throw fail(.unknownEncoding) }
    let source = unsafe BorrowedBytes(start: (isProduced ? UnsafeRawPointer(produced) : input) + offset, count: count)
    let known = unsafe program.encodings[Int(encoding)]
    try spend(count, byBytes: known.bytesOfStep)
    guard let text = known.decode(source) else { throw fail(.unknownEncoding) }
    return (try produce(copying: text), text.count)
  }
}

/// Decoding of numbers and bit fields from bytes.
extension Stream {
  /// The unsigned number at `bytes`, in 1, 2, 4 or 8 of them.
  @inline(__always)
  static func load(_ bytes: UnsafeRawPointer, _ width: UInt8, isLittle: Bool) -> UInt64 {
    switch width {
    case 1: return unsafe UInt64(bytes.load(as: UInt8.self))
    case 2:
      let value = unsafe bytes.loadUnaligned(as: UInt16.self)
      return UInt64(isLittle ? UInt16(littleEndian: value) : UInt16(bigEndian: value))
    case 4:
      let value = unsafe bytes.loadUnaligned(as: UInt32.self)
      return UInt64(isLittle ? UInt32(littleEndian: value) : UInt32(bigEndian: value))
    default:
      let value = unsafe bytes.loadUnaligned(as: UInt64.self)
      return isLittle ? UInt64(littleEndian: value) : UInt64(bigEndian: value)
    }
  }

  /// The floating-point number in 2, 4 or 8 bytes.
  @inline(__always)
  static func float(_ bits: UInt64, _ width: UInt8) -> Double {
    switch width {
    case 2: HalfFloat.value(UInt16(truncatingIfNeeded: bits))
    case 4: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    default: Double(bitPattern: bits)
    }
  }

  /// A number of 4 or 8 bytes with its 16-bit words in the opposite order.
  static func swappedWords(_ bits: UInt64, _ width: UInt8) -> UInt64 {
    let low = bits << 16 & 0xffff_0000 | bits >> 16 & 0xffff
    guard width == 8 else { return low }
    return low << 32 | (bits >> 32) << 16 & 0xffff_0000 | bits >> 48
  }

  /// A bit field that was taken, or the number of bytes needed for it.
  struct TakenBits {
    var bits: UInt64 = 0
    /// Offset of its first byte in the window.
    var first = 0
    var startBit: UInt8 = 0
    var endBit: UInt8 = 0
    /// Bytes needed if there are too few; else 0.
    var lack = 0
  }

  /// Takes the next `width` bits of a window at `window`: from the most significant bit of each byte, or (little) from the least significant.
  @inline(__always)
  mutating func takeBits(_ width: Int, isLittle: Bool, of window: UnsafeRawPointer) -> TakenBits {
    if bitsLeft > 0, bitsAreLittle != isLittle { bitsLeft = 0 }
    bitsAreLittle = isLittle
    let left = Int(bitsLeft)
    if left > 0, width <= left {
      // Flags are usually within one byte.
      let skipped = 8 &- left
      let byte =
        unsafe window.load(fromByteOffset: position &- 1, as: UInt8.self) &>> UInt8(truncatingIfNeeded: isLittle ? skipped : left &- width)
      bitsLeft = UInt8(truncatingIfNeeded: left &- width)
      return TakenBits(
        bits: UInt64(byte) & ((1 &<< UInt64(truncatingIfNeeded: width)) &- 1), first: position &- 1,
        startBit: UInt8(truncatingIfNeeded: skipped),
        endBit: left == width ? 0 : UInt8(truncatingIfNeeded: skipped &+ width))
    }
    let fresh = width > left ? (width &- left &+ 7) / 8 : 0
    guard fresh <= size &- position else { return TakenBits(lack: fresh) }
    let first = left > 0 ? position &- 1 : position
    let count = (left > 0 ? 1 : 0) &+ fresh
    let skipped = left > 0 ? 8 &- left : 0
    let rest = count &* 8 &- skipped &- width
    let shift = isLittle ? skipped : rest
    let bytes = unsafe window + first
    var bits: UInt64
    if count == 1 {
      bits = unsafe UInt64(bytes.load(as: UInt8.self)) &>> UInt64(shift)
    } else if count <= 8 {
      bits = 0
      for index in 0..<count {
        let byte = unsafe UInt64(bytes.load(fromByteOffset: index, as: UInt8.self))
        bits = isLittle ? bits | byte &<< UInt64(8 &* index) : bits &<< 8 | byte
      }
      bits = bits &>> UInt64(shift)
    } else {
      // 58 to 64 bits in nine bytes.
      var gathered: UInt128 = 0
      for index in 0..<9 {
        let byte = unsafe UInt128(bytes.load(fromByteOffset: index, as: UInt8.self))
        gathered = isLittle ? gathered | byte << UInt128(8 &* index) : gathered << 8 | byte
      }
      bits = UInt64(truncatingIfNeeded: gathered >> UInt128(shift))
    }
    if width < 64 { bits &= (1 &<< UInt64(width)) &- 1 }
    position = position &+ fresh
    bitsLeft = UInt8(truncatingIfNeeded: rest)
    return TakenBits(
      bits: bits, first: first, startBit: UInt8(truncatingIfNeeded: skipped), endBit: rest == 0 ? 0 : UInt8(truncatingIfNeeded: 8 &- rest))
  }
}
