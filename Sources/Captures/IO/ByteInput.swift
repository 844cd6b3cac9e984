#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Bytes read from start to end. Files are read with `read(2)` into the batch that holds the packets: this measured as fast as windows of `mmap`,
/// without page faults, and a file that is truncated meanwhile gives a short read instead of SIGBUS.
protocol ByteInput: AnyObject {
  /// The file's name, for messages.
  var path: String { get }
  /// Total number of bytes, if it is known.
  var size: Int? { get }
  /// Progress: bytes read of the file on disk, and its size.
  var progress: (read: Int, total: Int?) { get }
  /// An error below the capture format at which the input ended, for instance in compressed data.
  var trouble: String? { get }
  /// Reading ended before the end of the input, because the user asked for that: the last record may be incomplete.
  var isStopped: Bool { get }
  /// Reads the next available bytes into `buffer`; returns their number, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int
  /// Whether it can go back to the start.
  var canRewind: Bool { get }
  /// Goes back to the start; false where that cannot be done.
  func rewind() throws(CaptureError) -> Bool
}

extension ByteInput {
  var trouble: String? { nil }
  var isStopped: Bool { false }
}

/// A file, a pipe or a socket.
final class FileInput: ByteInput {
  let path: String
  let descriptor: Int32
  /// It is a regular file, which can be read at any offset.
  let isRegular: Bool
  private let closes: Bool
  private let follow: Bool
  private var position = 0
  /// Ends waiting for more bytes: the bytes read until then are the entire input.
  var stop: LiveStop?
  private(set) var isStopped = false
  /// An error of the input that it was copied from, or of a file that is followed.
  var trouble: String?

  /// Takes ownership of a descriptor.
  init(descriptor: Int32, path: String, follow: Bool = false, closes: Bool = true) {
    self.descriptor = descriptor
    self.path = path
    self.closes = closes
    var status = stat()
    isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    self.follow = follow && isRegular
  }

  deinit {
    if closes { _ = close(descriptor) }
  }

  /// Opens a file, or standard input for `-`.
  static func open(_ path: String, follow: Bool) throws(CaptureError) -> FileInput {
    if path == "-" { return FileInput(descriptor: 0, path: "standard input", follow: follow, closes: false) }
    #if canImport(Glibc)
      let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    #else
      let descriptor = unsafe Darwin.open(path, O_RDONLY | O_CLOEXEC)
    #endif
    guard descriptor >= 0 else {
      let code = errno
      if code == EACCES || code == EPERM { throw .forbidden(what: path, hint: "the file may not be read: \(systemMessage(code))") }
      throw .unreadable(path: path, reason: systemMessage(code))
    }
    return FileInput(descriptor: descriptor, path: path, follow: follow)
  }

  var size: Int? {
    if !isRegular || follow { return nil }
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
  }

  var progress: (read: Int, total: Int?) { (position, size) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    while true {
      if let stop, isRegular ? isBehind(stop) : !waits(stop) {
        isStopped = true
        return 0
      }
      let count = unsafe isRegular ? pread(descriptor, buffer.baseAddress, buffer.count, off_t(position)) : receive(buffer)
      if count > 0 {
        position &+= count
        return count
      }
      if count < 0 {
        let code = errno
        if code == EINTR { continue }
        if code == EAGAIN {
          // Another program has made the pipe or terminal nonblocking. Without a stop there is nothing else to wait for.
          var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          _ = unsafe poll(&wanted, 1, -1)
          continue
        }
        if code == EISDIR { throw .unreadable(path: path, reason: "it is a directory") }
        if path.hasPrefix("tcp:") { throw .unavailable(what: "\(path): \(systemMessage(code))") }
        throw .unreadable(path: path, reason: systemMessage(code))
      }
      if !follow || stop?.isWanted == true { return 0 }
      if isCutOff {
        trouble = "the file was cut short or replaced meanwhile"
        return 0
      }
      usleep(20_000)
    }
  }

  /// Position in a growing file at which reading stops: set when a stop is first requested.
  private var lastPosition: Int?
  /// Bytes that are still read after that request.
  private static let rest = 4 << 20

  /// Whether a stop was requested while much of the file was unread.
  private func isBehind(_ stop: LiveStop) -> Bool {
    if !stop.isWanted { return false }
    let last = lastPosition ?? position &+ Self.rest
    lastPosition = last
    return position >= last
  }

  /// Time at which reading of an endless input stops, in µs of the monotonic clock: set when a stop is first requested.
  private var lastRead: Int64?
  /// Time after that request for which bytes are still read, in µs.
  private static let timeout: Int64 = 1_000_000

  /// Waits for input. Returns false if a stop is requested first, or was requested some time ago.
  private func waits(_ stop: LiveStop) -> Bool {
    if stop.isWanted {
      let last = lastRead ?? LiveStop.now() &+ Self.timeout
      lastRead = last
      if LiveStop.now() >= last { return false }
    }
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&wanted, 1, 100)
      if count > 0 || count < 0 && errno != EINTR { return true }
      if count == 0, stop.isWanted { return false }
    }
  }

  private var isCutOff: Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && Int(status.st_size) < position
  }

  private func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }

  /// A file that another program still writes is read once.
  var canRewind: Bool { isRegular && !follow }

  func rewind() throws(CaptureError) -> Bool {
    if canRewind { position = 0 }
    return canRewind
  }
}

/// Bytes in memory.
final class MemoryInput: ByteInput {
  let path: String
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8], path: String) {
    self.bytes = bytes
    self.path = path
  }

  var size: Int? { bytes.count }
  var progress: (read: Int, total: Int?) { (position, bytes.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = unsafe copy(from: position, into: buffer)
    position += count
    return count
  }

  /// Copies bytes from an offset on; returns their number.
  func copy(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = max(0, min(buffer.count, bytes.count - offset))
    if count > 0 {
      unsafe bytes.withUnsafeBytes { unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
    }
    return count
  }

  var canRewind: Bool { true }

  func rewind() -> Bool {
    position = 0
    return true
  }
}

/// An input whose first bytes were already read, to recognise its format: they are read again, then the rest.
final class PeekedInput: ByteInput {
  /// The underlying input.
  let rest: any ByteInput
  private(set) var head: [UInt8]
  private var given = 0
  private var ended = false

  /// An input of which `head` was already read.
  init(_ input: any ByteInput, head: [UInt8] = []) {
    rest = input
    self.head = head
  }

  var path: String { rest.path }
  var size: Int? { rest.size }
  var progress: (read: Int, total: Int?) { rest.progress }
  var trouble: String? { rest.trouble }
  var isStopped: Bool { rest.isStopped }

  /// Reads the next available bytes into ``head``. Returns false at the end.
  func peekMore(limit: Int = 1 << 16) throws(CaptureError) -> Bool {
    if ended || head.count >= limit { return false }
    let piece = try rest.piece(upTo: limit - head.count)
    head += piece
    ended = piece.isEmpty
    return !ended
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    if given == head.count { return unsafe ended ? 0 : try rest.read(into: buffer) }
    let count = min(buffer.count, head.count - given)
    unsafe head.withUnsafeBytes { unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[given..<given + count])) }
    given += count
    return count
  }

  var canRewind: Bool { rest.canRewind }

  func rewind() throws(CaptureError) -> Bool {
    if try rest.rewind() {
      head = []
      given = 0
      ended = false
      return true
    }
    return false
  }
}
