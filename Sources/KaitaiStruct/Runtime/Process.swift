import CZlib
import Memory

/// `process`: bytes that were transformed before they were put into the stream (user guide, section "Processing").
extension Machine {
  mutating func process(_ kind: ProcessKind, _ argument: KaitaiValue, _ window: Window) throws(Stop) -> Window {
    if kind == .zlib { return try inflate(window) }
    // Reserve first: the source may be in the same memory, which moves when it grows.
    let offset = try produce(window.count)
    let source = unsafe (window.isProduced ? UnsafeRawPointer(produced) : input) + window.offset
    let target = unsafe produced + offset
    try spend(window.count, byBytes: 16)
    switch kind {
    case .xor:
      if argument.kind == .bytes {
        let key = bytes(of: argument)
        guard !key.isEmpty else { throw fail(.process) }
        var position = 0
        for index in 0..<window.count {
          unsafe target[index] = unsafe source.load(fromByteOffset: index, as: UInt8.self) ^ key[position]
          position += 1
          if position == key.count { position = 0 }
        }
      } else {
        guard let key = argument.asInt, key >= 0, key <= 255 else {
          // An integer key of more than a byte is an error in Kaitai Struct's runtimes too, except for zero.
          throw fail(argument.kind == .absent ? .absent : .process)
        }
        let byte = UInt8(key)
        for index in 0..<window.count { unsafe target[index] = unsafe source.load(fromByteOffset: index, as: UInt8.self) ^ byte }
      }
    default:
      guard let amount = argument.asInt else { throw fail(argument.kind == .absent ? .absent : .type) }
      let left = UInt8(truncatingIfNeeded: kind == .rotateLeft ? amount & 7 : (8 - (amount & 7)) & 7)
      for index in 0..<window.count {
        let byte = unsafe source.load(fromByteOffset: index, as: UInt8.self)
        unsafe target[index] = left == 0 ? byte : byte &<< left | byte &>> (8 &- left)
      }
    }
    return Window(offset: offset, count: window.count, isProduced: true)
  }

  /// The inverse of ``inflate(_:)``, with zlib's default level.
  mutating func deflate(_ window: Window) throws(Stop) -> Window {
    try spend(Self.deflateSteps + window.count)
    var count = compressBound(UInt(window.count))
    let offset = try produce(Int(count))
    let source = unsafe (window.isProduced ? UnsafeRawPointer(produced) : input) + window.offset
    let result = unsafe compress2(
      produced + offset, &count, source.assumingMemoryBound(to: UInt8.self), UInt(window.count), Z_DEFAULT_COMPRESSION)
    guard result == Z_OK else { throw fail(.process) }
    return Window(offset: offset, count: Int(count), isProduced: true)
  }

  /// Cost of zlib's memory for compression and decompression, in steps.
  private static let (deflateSteps, inflateSteps) = (256, 64)

  private mutating func inflate(_ window: Window) throws(Stop) -> Window {
    try spend(Self.inflateSteps)
    var stream = unsafe z_stream()
    guard unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { throw fail(.process) }
    defer { unsafe inflateEnd(&stream) }
    let offset = producedCount
    var consumed = 0
    while true {
      let chunk = 4096
      let at = try produce(chunk)
      // The source may be among the produced bytes, which may just have moved.
      let source = unsafe (window.isProduced ? UnsafeRawPointer(produced) : input) + window.offset
      unsafe stream.next_in = unsafe UnsafeMutablePointer(mutating: (source + consumed).assumingMemoryBound(to: UInt8.self))
      unsafe stream.avail_in = UInt32(truncatingIfNeeded: window.count - consumed)
      unsafe stream.next_out = unsafe produced + at
      unsafe stream.avail_out = UInt32(chunk)
      let result = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
      let before = consumed
      consumed = unsafe window.count - Int(stream.avail_in)
      let made = unsafe chunk - Int(stream.avail_out)
      producedCount -= chunk - made
      // Blocks may be empty, so that input counts as well as output.
      try spend(made + consumed - before, byBytes: 16)
      try spend()
      if result == Z_STREAM_END { break }
      guard result == Z_OK, unsafe made > 0 || stream.avail_in > 0 else { throw fail(.process) }
    }
    return Window(offset: offset, count: producedCount - offset, isProduced: true)
  }
}
