import CZlib
import Memory
import PacketCodecs

/// `process`: bytes that were changed before they were put into the stream (user guide, section "Processing").
extension Machine {
  mutating func process(_ kind: ProcessKind, _ argument: KaitaiValue, _ window: Window) throws(Stop) -> Window {
    if kind == .zlib { return try inflate(window) }
    // Reserve first: the source may lie in the same memory, which moves when it grows.
    let offset = try produce(window.count)
    try spend(window.count / 16)
    let source = bytes(window).array
    switch kind {
    case .xor:
      if argument.kind == .bytes {
        let key = bytes(of: argument).array
        guard !key.isEmpty else { throw fail(.process) }
        for index in 0..<window.count { produced[offset &+ index] = source[index] ^ key[index % key.count] }
      } else {
        guard let key = argument.asInt, key >= 0, key <= 255 else {
          // A whole-number key of more than a byte is an error in Kaitai Struct's runtimes too, but for zero.
          throw fail(argument.kind == .absent ? .absent : .process)
        }
        let byte = UInt8(key)
        for index in 0..<window.count { produced[offset &+ index] = source[index] ^ byte }
      }
    default:
      guard let amount = argument.asInt else { throw fail(argument.kind == .absent ? .absent : .type) }
      let left = UInt8(truncatingIfNeeded: kind == .rotateLeft ? amount & 7 : (8 - (amount & 7)) & 7)
      for index in 0..<window.count {
        let byte = source[index]
        produced[offset &+ index] = left == 0 ? byte : byte &<< left | byte &>> (8 &- left)
      }
    }
    return Window(offset: offset, count: window.count, isProduced: true)
  }

  /// The inverse of ``inflate(_:)``, at zlib's usual level.
  mutating func deflate(_ window: Window) throws(Stop) -> Window {
    var count = compressBound(UInt(window.count))
    var packed = [UInt8](repeating: 0, count: Int(count))
    let result = unsafe bytes(window).withUnsafeBytes { source in
      unsafe compress2(&packed, &count, source.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(source.count), Z_DEFAULT_COMPRESSION)
    }
    guard result == Z_OK else { throw fail(.process) }
    packed.removeLast(packed.count - Int(count))
    return Window(offset: try produce(copying: packed), count: packed.count, isProduced: true)
  }

  private mutating func inflate(_ window: Window) throws(Stop) -> Window {
    var stream = unsafe z_stream()
    guard unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { throw fail(.process) }
    defer { unsafe inflateEnd(&stream) }
    let offset = produced.count
    var consumed = 0
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let result = unsafe bytes(window).extracting(consumed...).withUnsafeBytes { source in
        unsafe chunk.withUnsafeMutableBufferPointer { target in
          unsafe stream.next_in = unsafe UnsafeMutablePointer(mutating: source.baseAddress?.assumingMemoryBound(to: UInt8.self))
          unsafe stream.avail_in = UInt32(truncatingIfNeeded: source.count)
          unsafe stream.next_out = target.baseAddress
          unsafe stream.avail_out = UInt32(target.count)
          return unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
        }
      }
      consumed = unsafe window.count - Int(stream.avail_in)
      let made = unsafe chunk.count - Int(stream.avail_out)
      let at = try produce(made)
      produced.write(chunk.rawSpan.extracting(first: made), at: at)
      try spend(made / 16 + 1)
      if result == Z_STREAM_END { break }
      guard result == Z_OK, unsafe made > 0 || stream.avail_in > 0 else { throw fail(.process) }
    }
    return Window(offset: offset, count: produced.count - offset, isProduced: true)
  }
}
