#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Reads numbers, bits, bytes and text from streams. Every read checks the window before it touches a byte.
extension Machine {
  /// Bytes that were read: where they lie after processing, padding and terminator are taken off.
  struct Window {
    var offset: Int
    var count: Int
    var isProduced: Bool
  }

  @inline(__always)
  private mutating func short(_ stream: UnsafeMutablePointer<Stream>, _ needed: Int, _ field: Int32, _ object: Int32) -> Stop {
    let stop = fail(.endOfStream, needed: needed, available: max(stream.pointee.size &- stream.pointee.position, 0))
    failure.field = FieldID(rawValue: field)
    failure.object = NodeID(rawValue: object)
    failure.offset = stream.pointee.start &+ stream.pointee.position
    return stop
  }

  @inline(__always)
  private mutating func pointer(_ stream: UnsafeMutablePointer<Stream>, _ offset: Int) -> UnsafeRawPointer {
    (stream.pointee.isProduced ? UnsafeRawPointer(produced) : input) + (stream.pointee.start &+ offset)
  }

  /// Takes `count` bytes; gives where they lie.
  @inline(__always)
  private mutating func take(_ stream: UnsafeMutablePointer<Stream>, _ count: Int, _ field: Int32, _ object: Int32) throws(Stop)
    -> UnsafeRawPointer
  {
    stream.pointee.bitsLeft = 0
    let position = stream.pointee.position
    guard count <= stream.pointee.size &- position, count >= 0 else { throw short(stream, count, field, object) }
    stream.pointee.position = position &+ count
    return pointer(stream, position)
  }

  @inline(__always)
  private mutating func isLittle(_ reader: UnsafePointer<Reader>, _ object: Int32) -> Bool {
    switch reader.pointee.order {
    case .little: true
    case .big: false
    case .calculated: nodes[Int(object)].flags & TreeNode.littleEndian != 0
    }
  }

  @inline(__always)
  private mutating func unsigned(_ bytes: UnsafeRawPointer, _ width: UInt8, isLittle: Bool) -> UInt64 {
    switch width {
    case 1: return UInt64(bytes.load(as: UInt8.self))
    case 2:
      let value = bytes.loadUnaligned(as: UInt16.self)
      return UInt64(isLittle ? UInt16(littleEndian: value) : UInt16(bigEndian: value))
    case 4:
      let value = bytes.loadUnaligned(as: UInt32.self)
      return UInt64(isLittle ? UInt32(littleEndian: value) : UInt32(bigEndian: value))
    default:
      let value = bytes.loadUnaligned(as: UInt64.self)
      return isLittle ? UInt64(littleEndian: value) : UInt64(bigEndian: value)
    }
  }

  /// Reads a whole number and makes its node, which is not linked yet.
  @inline(__always)
  mutating func readInteger(
    _ reader: UnsafePointer<Reader>, _ field: Int32, _ object: Int32, _ number: Int, _ container: Int32
  ) throws(Stop) -> Int32 {
    let stream = streams + number
    let width = reader.pointee.width
    let bytes = try take(stream, Int(width), field, object)
    var bits = unsigned(bytes, width, isLittle: isLittle(reader, object))
    var kind = Value.Kind.int
    if reader.pointee.kind == .signed {
      let shift = UInt64(64 &- Int(width) &* 8)
      bits = UInt64(bitPattern: Int64(bitPattern: bits &<< shift) &>> Int64(shift))
    } else if bits >> 63 != 0 {
      kind = .uint
    }
    return try appendNumber(kind, bits, reader.pointee.enumeration, field, container, stream, Int(width))
  }

  @inline(__always)
  private mutating func appendNumber(
    _ kind: Value.Kind, _ bits: UInt64, _ enumeration: Int32, _ field: Int32, _ container: Int32, _ stream: UnsafeMutablePointer<Stream>,
    _ count: Int
  ) throws(Stop) -> Int32 {
    let end = UInt32(truncatingIfNeeded: stream.pointee.start &+ stream.pointee.position)
    var flags: UInt8 = stream.pointee.isProduced ? TreeNode.producedRange : 0
    var kind = kind
    if enumeration >= 0 {
      if kind == .uint { flags |= TreeNode.marked }
      kind = .enumeration
    }
    return try append(
      TreeNode(
        kind: kind, payload: bits, field: field, parent: container, start: end &- UInt32(truncatingIfNeeded: count), end: end,
        type: enumeration, flags: flags))
  }

  mutating func readFloat(
    _ reader: UnsafePointer<Reader>, _ field: Int32, _ object: Int32, _ number: Int, _ container: Int32
  ) throws(Stop) -> Int32 {
    let stream = streams + number
    let width = reader.pointee.width
    let bytes = try take(stream, Int(width), field, object)
    let bits = unsigned(bytes, width, isLittle: isLittle(reader, object))
    let value = width == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
    let node = try appendNumber(.float, value.bitPattern, -1, field, container, stream, Int(width))
    if width == 4 { nodes[Int(node)].flags |= TreeNode.marked }
    return node
  }

  // MARK: Bits

  /// Reads a bit field: from the top of each byte, or (little) from its bottom.
  mutating func readBits(_ reader: UnsafePointer<Reader>, _ field: Int32, _ number: Int, _ container: Int32) throws(Stop) -> Int32 {
    let stream = streams + number
    let isLittle = reader.pointee.order == .little
    if stream.pointee.bitsLeft > 0, stream.pointee.bitsAreLittle != isLittle { stream.pointee.bitsLeft = 0 }
    stream.pointee.bitsAreLittle = isLittle
    let width = Int(reader.pointee.width)
    let left = Int(stream.pointee.bitsLeft)
    let fresh = width > left ? (width &- left &+ 7) / 8 : 0
    let position = stream.pointee.position
    guard fresh <= stream.pointee.size &- position else { throw short(stream, fresh, field, container) }
    let first = left > 0 ? position &- 1 : position
    let count = (left > 0 ? 1 : 0) &+ fresh
    let skipped = left > 0 ? 8 &- left : 0
    let rest = count &* 8 &- skipped &- width
    let bytes = pointer(stream, first)
    var bits: UInt64
    if count <= 8 {
      bits = 0
      var index = 0
      while index < count {
        let byte = UInt64(bytes.load(fromByteOffset: index, as: UInt8.self))
        bits = isLittle ? bits | byte &<< UInt64(8 &* index) : bits &<< 8 | byte
        index &+= 1
      }
      bits = bits &>> UInt64(isLittle ? skipped : rest)
      if width < 64 { bits &= (1 &<< UInt64(width)) &- 1 }
    } else {
      // 58 to 64 bits that lie across nine bytes.
      var gathered: UInt128 = 0
      for index in 0..<9 {
        let byte = UInt128(bytes.load(fromByteOffset: index, as: UInt8.self))
        gathered = isLittle ? gathered | byte << UInt128(8 &* index) : gathered << 8 | byte
      }
      bits = UInt64(truncatingIfNeeded: gathered >> UInt128(isLittle ? skipped : rest))
      if width < 64 { bits &= (1 &<< UInt64(width)) &- 1 }
    }
    stream.pointee.position = position &+ fresh
    stream.pointee.bitsLeft = UInt8(rest)
    let kind: Value.Kind = reader.pointee.isBoolean ? .bool : bits >> 63 != 0 ? .uint : .int
    let node = try appendNumber(kind, bits, reader.pointee.enumeration, field, container, stream, 0)
    nodes[Int(node)].start = UInt32(truncatingIfNeeded: stream.pointee.start &+ first)
    nodes[Int(node)].startBit = UInt8(skipped)
    nodes[Int(node)].endBit = rest == 0 ? 0 : UInt8(8 &- rest)
    return node
  }

  // MARK: Bytes and text

  mutating func readBytesNode(
    _ reader: UnsafePointer<Reader>, _ field: Int32, _ object: Int32, _ number: Int, _ container: Int32
  ) throws(Stop) -> Int32 {
    let from = streams[number].start &+ streams[number].position
    var window = try readWindow(reader, object, number)
    let isText = reader.pointee.kind == .string
    if isText, !reader.pointee.isPlainText {
      let (offset, count) = try decode(offset: window.offset, count: window.count, isProduced: window.isProduced, reader.pointee.encoding)
      window = Window(offset: offset, count: count, isProduced: true)
    }
    let start = UInt32(truncatingIfNeeded: from)
    let end = UInt32(truncatingIfNeeded: streams[number].start &+ streams[number].position)
    var flags = (window.isProduced ? Value.Buffer.produced : .input).rawValue
    if streams[number].isProduced { flags |= TreeNode.producedRange }
    return try append(
      TreeNode(
        kind: isText ? .string : .bytes,
        payload: UInt64(truncatingIfNeeded: window.offset) | UInt64(truncatingIfNeeded: window.count) << 32,
        field: field, parent: container, start: start, end: end, flags: flags))
  }

  /// Reads the bytes that `size`, `size-eos` or `terminator` name; takes `process`, padding and terminator off.
  mutating func readWindow(_ reader: UnsafePointer<Reader>, _ object: Int32, _ number: Int) throws(Stop) -> Window {
    let stream = streams + number
    stream.pointee.bitsLeft = 0
    let left = max(stream.pointee.size &- stream.pointee.position, 0)
    var size = left
    switch reader.pointee.extent {
    case .constant: size = Int(reader.pointee.size)
    case .expression:
      let wanted = try integer(reader.pointee.size, object)
      guard wanted >= 0 else { throw fail(.endOfStream, needed: Int(wanted), available: left) }
      size = Int(wanted)
    case .terminator: return try readTerminated(reader, object, number)
    case .toEnd, .none: if stream.pointee.position > stream.pointee.size { throw fail(.endOfStream, needed: 0, available: 0) }
    }
    // Evaluation may have made new streams, and so moved all of them.
    let current = streams + number
    guard size <= current.pointee.size &- current.pointee.position else {
      throw fail(.endOfStream, needed: size, available: max(current.pointee.size &- current.pointee.position, 0))
    }
    var window = Window(offset: current.pointee.start &+ current.pointee.position, count: size, isProduced: current.pointee.isProduced)
    current.pointee.position &+= size
    let end = reader.pointee.terminatorCount
    if reader.pointee.pad >= 0, end != 1 || Int16(tables.bytes[Int(reader.pointee.terminator)]) != reader.pointee.pad {
      let bytes = self.bytes(window)
      while window.count > 0, Int16(bytes[window.count &- 1]) == reader.pointee.pad { window.count &-= 1 }
    }
    if end > 0, let found = find(tables.bytes + Int(reader.pointee.terminator), Int(end), in: window) {
      window.count = reader.pointee.include ? found &+ Int(end) : found
    }
    // Padding and terminator are those of the bytes as they stand; `process` may ask for the position, which is that behind them.
    if reader.pointee.processCount > 0 { try process(reader, object, &window) }
    return window
  }

  private mutating func readTerminated(_ reader: UnsafePointer<Reader>, _ object: Int32, _ number: Int) throws(Stop) -> Window {
    let stream = streams + number
    let position = stream.pointee.position
    let left = stream.pointee.size &- position
    guard left >= 0 else { throw fail(.endOfStream, needed: 1, available: 0) }
    let unit = Int(reader.pointee.terminatorCount)
    var window = Window(offset: stream.pointee.start &+ position, count: left, isProduced: stream.pointee.isProduced)
    if let found = find(tables.bytes + Int(reader.pointee.terminator), unit, in: window) {
      window.count = reader.pointee.include ? found &+ unit : found
      stream.pointee.position = position &+ found &+ (reader.pointee.consume ? unit : 0)
    } else {
      guard !reader.pointee.endError else {
        stream.pointee.position = stream.pointee.size
        throw fail(.endOfStream, needed: unit, available: 0)
      }
      stream.pointee.position = stream.pointee.size
    }
    try spend(window.count / 64)
    if reader.pointee.pad >= 0 {
      let bytes = self.bytes(window)
      while window.count > 0, Int16(bytes[window.count &- 1]) == reader.pointee.pad { window.count &-= 1 }
    }
    if reader.pointee.processCount > 0 { try process(reader, object, &window) }
    return window
  }

  private mutating func bytes(_ window: Window) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: (window.isProduced ? UnsafeRawPointer(produced) : input) + window.offset, count: window.count)
  }

  /// Where the terminator begins, looked for at multiples of its length.
  private mutating func find(_ terminator: UnsafePointer<UInt8>, _ unit: Int, in window: Window) -> Int? {
    let bytes = bytes(window)
    guard let base = bytes.baseAddress else { return nil }
    if unit == 1 {
      guard let found = memchr(base, Int32(terminator[0]), bytes.count) else { return nil }
      return UnsafeRawPointer(found) - base
    }
    var at = 0
    while at &+ unit <= bytes.count {
      if memcmp(base + at, terminator, unit) == 0 { return at }
      at &+= unit
    }
    return nil
  }

  private mutating func process(_ reader: UnsafePointer<Reader>, _ object: Int32, _ window: inout Window) throws(Stop) {
    for index in Int(reader.pointee.firstProcess)..<Int(reader.pointee.firstProcess &+ reader.pointee.processCount) {
      let info = tables.processes[index]
      let argument = info.argument >= 0 ? try evaluate(info.argument, object) : .absent
      window = try process(info.kind, argument, window)
    }
  }

  /// Converts text to UTF-8 among the produced bytes; gives its place.
  mutating func decode(offset: Int, count: Int, isProduced: Bool, _ encoding: Int32) throws(Stop) -> (offset: Int, count: Int) {
    guard encoding >= 0 else { throw fail(.unknownEncoding) }
    let source = UnsafeRawBufferPointer(start: (isProduced ? UnsafeRawPointer(produced) : input) + offset, count: count)
    guard let text = program.encodings[Int(encoding)].decode(source) else { throw fail(.unknownEncoding) }
    return (try produce(copying: text), text.count)
  }
}
