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
  private let file: NewFile?
  private var buffer: [UInt8] = []
  /// Bytes that the system has, up to the end of a record; nil where it is not a file of its own.
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
  @inline(__always)
  func write(_ bytes: UnsafeRawBufferPointer) throws(CaptureError) {
    unsafe buffer.append(contentsOf: bytes)
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
        // A full disk takes a part of a record: what is in the file ends with a whole one.
        if at > 0, let whole { _ = ftruncate(descriptor, off_t(whole)) }
        throw NewFile.failure(path, code)
      }
      at += count
    }
    if let known = whole { whole = known + buffer.count }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the rest and gives the file its name.
  func finish() throws(CaptureError) {
    try flush()
    try file?.commit()
  }
}
