#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An input that can be read at any offset, as archives need it.
protocol RandomInput: ByteInput {
  /// Number of bytes available.
  var length: Int { get }
  /// Reads bytes from `offset` on into `buffer`; returns their number, 0 at the end.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int
}

extension RandomInput {
  /// Up to `count` bytes from an offset on.
  func bytes(at offset: Int, count: Int) throws(CaptureError) -> [UInt8] {
    let wanted = max(0, min(count, length - offset))
    return unsafe try [UInt8](upTo: wanted) { have, room throws(CaptureError) in unsafe try read(at: offset + have, into: room) }
  }
}

extension FileInput: RandomInput {
  var length: Int { size ?? 0 }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    if count < 0 { throw .unreadable(path: path, reason: systemMessage(errno)) }
    return count
  }
}

extension MemoryInput: RandomInput {
  var length: Int { size ?? 0 }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int { unsafe copy(from: offset, into: buffer) }
}

/// A part of an input.
final class SliceInput: RandomInput {
  let path: String
  /// Number of available bytes of the part; the archive may state more.
  let length: Int
  private let isCut: Bool
  /// An error of the input that it is a part of.
  private let fault: String?
  private let whole: any RandomInput
  private let start: Int
  private var position = 0

  init(_ whole: any RandomInput, start: Int, length: Int, path: String, fault: String? = nil) {
    self.fault = fault
    self.whole = whole
    self.start = start
    let rest = max(0, whole.length - start)
    self.length = max(0, min(length, rest))
    isCut = length > rest
    self.path = path
  }

  var size: Int? { length }
  var progress: (read: Int, total: Int?) { (position, length) }
  var trouble: String? { fault ?? (isCut ? "the archive is cut short" : nil) }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    let count = max(0, min(buffer.count, length - offset))
    if count == 0 { return 0 }
    return unsafe try whole.read(at: start + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    let count = unsafe try read(at: position, into: buffer)
    position += count
    return count
  }

  var canRewind: Bool { true }

  func rewind() -> Bool {
    position = 0
    return true
  }
}

/// An input that can only be read from start to end, and whose sections are read in turn.
final class SharedStream {
  let input: any ByteInput
  private(set) var position: Int

  /// A stream of which `position` bytes were already read.
  init(_ input: any ByteInput, position: Int = 0) {
    self.input = input
    self.position = position
  }

  /// Reads from an offset on: skips the bytes before it, or goes back to the start if they were already read.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    if position > offset {
      guard try input.rewind() else { return 0 }
      position = 0
    }
    if position < offset { position += try input.skip(offset - position) }
    if position < offset { return 0 }
    let count = unsafe try input.read(into: buffer)
    position += count
    return count
  }
}

/// A part of a stream.
final class SectionInput: ByteInput {
  let path: String
  private let stream: SharedStream
  private let start: Int
  private let length: Int
  private var position = 0
  private var isCut = false
  /// An error of the input that it is a part of.
  private let fault: String?

  init(_ stream: SharedStream, start: Int, length: Int, path: String, fault: String? = nil) {
    self.fault = fault
    self.stream = stream
    self.start = start
    self.length = length
    self.path = path
  }

  var size: Int? { length }
  var progress: (read: Int, total: Int?) { stream.input.progress }
  var trouble: String? { stream.input.trouble ?? fault ?? (isCut ? "the archive is cut short" : nil) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    let count = min(buffer.count, length - position)
    if count <= 0 { return 0 }
    let got = unsafe try stream.read(at: start + position, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    position += got
    isCut = got == 0
    return got
  }

  var canRewind: Bool { stream.input.canRewind }

  func rewind() -> Bool {
    if canRewind { position = 0 }
    return canRewind
  }
}

extension ByteInput {
  /// The next `wanted` bytes, or fewer at the end.
  func bytes(_ wanted: Int) throws(CaptureError) -> [UInt8] {
    unsafe try [UInt8](upTo: wanted) { _, room throws(CaptureError) in unsafe try read(into: room) }
  }

  /// The next available bytes; empty at the end.
  func piece(upTo limit: Int) throws(CaptureError) -> [UInt8] {
    unsafe try [UInt8](upTo: limit) { have, room throws(CaptureError) in have > 0 ? 0 : unsafe try read(into: room) }
  }

  /// Reads and discards bytes; returns their number.
  func skip(_ count: Int) throws(CaptureError) -> Int {
    var read = 0
    while read < count {
      let piece = try piece(upTo: min(count - read, 64 << 10))
      if piece.isEmpty { break }
      read += piece.count
    }
    return read
  }

  /// All bytes up to a limit; nil where there are more.
  func all(limit: Int) throws(CaptureError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      let piece = try piece(upTo: 64 << 10)
      if piece.isEmpty { return bytes }
      if bytes.count + piece.count > limit { return nil }
      bytes += piece
    }
  }
}

extension [UInt8] {
  /// Bytes that `read` writes into the given buffer, after the bytes read so far, until it returns 0 or `limit` are read.
  fileprivate init(
    upTo limit: Int, _ read: (_ have: Int, _ room: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int
  ) throws(CaptureError) {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Swift.max(1, limit), alignment: 16)
    defer { unsafe room.deallocate() }
    var have = 0
    while have < limit {
      let count = unsafe try read(have, UnsafeMutableRawBufferPointer(rebasing: room[have..<limit]))
      if count == 0 { break }
      have += count
    }
    unsafe self.init(room[..<have])
  }
}
