#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Bytes written to a file, a pipe or standard output, through one buffer. A file comes into being under its name only when all of it is
/// written; whatever stood there before stays until then.
final class ByteOutput {
  private let path: String
  private let descriptor: Int32
  /// The name it has until it is whole.
  private var temporary: String?
  private let target: String
  private var buffer: [UInt8] = []
  private static let room = 256 << 10

  /// Opens `path` for writing, `-` being standard output. Pipes and devices, and files with `inPlace`, are written directly.
  init(_ path: String, inPlace: Bool) throws(CaptureError) {
    self.path = path == "-" ? "standard output" : path
    if path == "-" {
      target = path
      descriptor = 1
      return
    }
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists && status.st_mode & S_IFMT == S_IFDIR { throw .unwritable(path: path, reason: systemMessage(EISDIR)) }
    if inPlace || exists && status.st_mode & S_IFMT != S_IFREG {
      target = path
      descriptor = ByteOutput.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)
      if descriptor < 0 { throw ByteOutput.failure(path, errno) }
      return
    }
    // A link keeps pointing where it points.
    if exists, let resolved = realpath(path, nil) {
      target = String(cString: resolved)
      free(resolved)
    } else {
      target = path
    }
    let name = "\(target).\(getpid()).part"
    descriptor = ByteOutput.open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
    if descriptor < 0 { throw ByteOutput.failure(path, errno) }
    if exists { _ = fchmod(descriptor, status.st_mode & 0o777) }
    temporary = name
  }

  private static func open(_ path: String, _ flags: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.open(path, flags, 0o666)
    #else
      Darwin.open(path, flags, 0o666)
    #endif
  }

  private static func failure(_ path: String, _ code: Int32) -> CaptureError {
    switch code {
    case EPIPE: .closedPipe
    case EACCES, EPERM, EROFS: .forbidden(what: path, hint: "it may not be written there: \(systemMessage(code))")
    default: .unwritable(path: path, reason: systemMessage(code))
    }
  }

  deinit {
    if let temporary { unlink(temporary) }
    if descriptor > 2 { _ = close(descriptor) }
  }

  /// Adds bytes.
  @inline(__always)
  func write(_ bytes: UnsafeRawBufferPointer) throws(CaptureError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= ByteOutput.room { try flush() }
  }

  /// Adds bytes.
  func write(_ bytes: [UInt8]) throws(CaptureError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= ByteOutput.room { try flush() }
  }

  /// Hands what was written so far to the system.
  func flush() throws(CaptureError) {
    var at = 0
    while at < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        #if canImport(Glibc)
          Glibc.write(descriptor, bytes.baseAddress.map { $0 + at }, bytes.count - at)
        #else
          Darwin.write(descriptor, bytes.baseAddress.map { $0 + at }, bytes.count - at)
        #endif
      }
      if count < 0 {
        let code = errno
        if code == EINTR { continue }
        throw ByteOutput.failure(path, code)
      }
      at += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the rest and gives the file its name.
  func finish() throws(CaptureError) {
    try flush()
    guard let temporary else { return }
    if rename(temporary, target) != 0 { throw ByteOutput.failure(path, errno) }
    self.temporary = nil
  }
}
