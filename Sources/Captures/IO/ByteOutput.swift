#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Bytes written to a file, a pipe or standard output, through one buffer. A file appears under its name only when it is complete; an existing file
/// stays until then.
final class ByteOutput {
  private let path: String
  private let descriptor: Int32
  private let file: NewFile?
  private var buffer: [UInt8] = []
  /// Number of bytes written to the file up to the end of a record; nil where the output is not a regular file.
  private var whole: Int?
  private static let room = 256 << 10

  /// Opens `path` for writing, `-` being standard output. Pipes and devices, and files with `inPlace`, are written directly.
  init(_ path: String, inPlace: Bool) throws(CaptureError) {
    let isStandard = CaptureWriter.isStandardOutput(path)
    self.path = isStandard ? "standard output" : path
    file = isStandard ? nil : try NewFile(path, inPlace: inPlace)
    descriptor = file?.descriptor ?? 1
    var status = stat()
    let isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    whole = file != nil && isRegular ? 0 : nil
  }

  /// Adds bytes.
  func write(_ bytes: [UInt8]) throws(CaptureError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= ByteOutput.room { try flush() }
  }

  /// Writes the buffered bytes.
  func flush() throws(CaptureError) {
    var at = 0
    while at < buffer.count {
      let count = unsafe buffer.withUnsafeBytes { bytes in
        #if canImport(Glibc)
          unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + at }, bytes.count - at)
        #else
          unsafe Darwin.write(descriptor, bytes.baseAddress.map { unsafe $0 + at }, bytes.count - at)
        #endif
      }
      if count < 0 {
        let code = errno
        if code == EINTR { continue }
        // If the disk is full, a record may be written partly: the file is truncated to the last complete record.
        if at > 0, let whole { _ = ftruncate(descriptor, off_t(whole)) }
        throw NewFile.failure(path, code)
      }
      at += count
    }
    if let known = whole { whole = known + buffer.count }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the remaining bytes and gives the file its name.
  func finish() throws(CaptureError) {
    try flush()
    try file?.commit()
  }
}
