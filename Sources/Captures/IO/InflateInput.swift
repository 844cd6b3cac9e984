import CZlib

/// An input that is compressed with deflate: gzip (RFC 1952, also with several members), zlib (RFC 1950), or bare as in zip (RFC 1951). It is
/// decompressed while it is read, never to disk; an excessive compression ratio ends in an error.
@safe final class InflateInput: ByteInput {
  /// The container of the compressed data.
  enum Wrapper {
    case gzip, zlib, none
  }

  let path: String
  private let inner: any ByteInput
  private let wrapper: Wrapper
  private var stream = unsafe z_stream()
  private var isOpen = false
  private var packed: UnsafeMutableRawBufferPointer
  private var (start, end) = (0, 0)
  private var (unpackedTotal, packedTotal) = (0, 0)
  private var isDone = false
  /// The last buffer was filled: zlib may hold further decompressed bytes.
  private var holdsMore = false
  /// A member ended; the following bytes were not examined so far.
  private var isBehindMember = false
  private(set) var trouble: String?
  /// Deflate compresses at most 1032 to 1; logs are nearer to 10, and logs of zeros do not exist.
  private static let maxRatio = 400
  private static let freeOfRatio = 256 << 20
  /// Bytes of the first read: enough to examine the first bytes.
  private static let firstRead = 4096
  /// Compressed bytes that zlib has read since its last output. Blocks may be empty, but not that many in a row. The header of gzip is shorter.
  private var sinceLast = 0
  private static let longestWithout = 128 << 10

  init(_ inner: any ByteInput, wrapper: Wrapper, path: String) {
    self.inner = inner
    self.wrapper = wrapper
    self.path = path
    unsafe packed = .allocate(byteCount: 64 << 10, alignment: 16)
  }

  deinit {
    if isOpen { unsafe inflateEnd(&stream) }
    unsafe packed.deallocate()
  }

  var size: Int? { nil }
  var progress: (read: Int, total: Int?) { inner.progress }

  var canRewind: Bool { inner.canRewind }

  func rewind() throws(CaptureError) -> Bool {
    guard try inner.rewind() else { return false }
    if isOpen { unsafe inflateEnd(&stream) }
    unsafe stream = unsafe z_stream()
    isOpen = false
    (start, end, unpackedTotal, packedTotal, sinceLast) = (0, 0, 0, 0, 0)
    isDone = false
    holdsMore = false
    isBehindMember = false
    trouble = nil
    return true
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    if !isOpen {
      let bits: Int32 =
        switch wrapper {
        case .gzip: 15 + 16
        case .zlib: 15
        case .none: -15
        }
      if unsafe inflateInit2_(&stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) != Z_OK { throw broken("no memory") }
      isOpen = true
    }
    var filled = 0
    while !isDone && filled < buffer.count {
      // Available bytes are returned before more input is awaited. Members may hold a packet each: all that is available is returned at once.
      if start == end, !holdsMore, filled > 0 { break }
      if isBehindMember {
        try goOnBehindMember()
        continue
      }
      if start == end, !holdsMore {
        let room = unsafe packedTotal == 0 ? Self.firstRead : packed.count
        let count = unsafe try inner.read(into: UnsafeMutableRawBufferPointer(rebasing: packed[..<room]))
        if count == 0 {
          isDone = true
          trouble = "the compressed data are cut short"
          return 0
        }
        (start, end) = (0, count)
        packedTotal += count
      }
      unsafe stream.next_in = unsafe packed.baseAddress.map { unsafe ($0 + start).assumingMemoryBound(to: UInt8.self) }
      let given = end - start
      unsafe stream.avail_in = UInt32(given)
      unsafe stream.next_out = unsafe buffer.baseAddress.map { unsafe ($0 + filled).assumingMemoryBound(to: UInt8.self) }
      let room = min(buffer.count - filled, 1 << 30)
      unsafe stream.avail_out = UInt32(room)
      let code = unsafe inflate(&stream, Z_NO_FLUSH)
      let taken = unsafe given - Int(stream.avail_in)
      start += taken
      let count = unsafe room - Int(stream.avail_out)
      sinceLast = count > 0 ? 0 : sinceLast + taken
      holdsMore = unsafe stream.avail_out == 0
      unpackedTotal += count
      filled += count
      if unpackedTotal > InflateInput.freeOfRatio && unpackedTotal / InflateInput.maxRatio > packedTotal {
        throw broken("it unpacks to more than \(InflateInput.maxRatio) times its size, as no log does")
      }
      if code == Z_STREAM_END {
        holdsMore = false
        if wrapper == .none { isDone = true } else { isBehindMember = true }
      } else if code != Z_OK && code != Z_BUF_ERROR {
        if count == 0 && unpackedTotal == 0 { throw broken("the compressed data are damaged") }
        isDone = true
        trouble = "the compressed data are damaged"
      }
      if !isDone, sinceLast >= Self.longestWithout {
        isDone = true
        trouble = "the compressed data hold nothing for \(sinceLast) bytes"
      }
    }
    return filled
  }

  /// Begins the next member, if there is one. Only gzip has several; if the bytes are no member, inflate reports the error.
  private func goOnBehindMember() throws(CaptureError) {
    isBehindMember = false
    guard try hasMore() else {
      isDone = true
      return
    }
    if unsafe wrapper == .gzip && packed[start] == 0x1F {
      unsafe inflateReset(&stream)
    } else {
      isDone = true
      trouble = "bytes after the compressed data are not compressed"
    }
  }

  /// Whether more bytes follow; padding of zeros is skipped.
  private func hasMore() throws(CaptureError) -> Bool {
    while true {
      if start == end {
        let count = unsafe try inner.read(into: packed)
        (start, end) = (0, count)
        packedTotal += count
        if count == 0 { return false }
      }
      while start < end {
        if unsafe packed[start] != 0 { return true }
        start += 1
      }
    }
  }

  private func broken(_ what: String) -> CaptureError { .malformed(path: path, offset: packedTotal - (end - start), what: what) }
}
