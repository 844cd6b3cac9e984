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
  private static let room = 256 << 10

  /// Opens `path` for writing, `-` being standard output. Pipes and devices, and files with `inPlace`, are written directly.
  init(_ path: String, inPlace: Bool) throws(CaptureError) {
    self.path = path == "-" ? "standard output" : path
    file = path == "-" ? nil : try NewFile(path, inPlace: inPlace)
    descriptor = file?.descriptor ?? 1
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
          Darwin.write(descriptor, bytes.baseAddress.map { $0 + at }, bytes.count - at)
        #endif
      }
      if count < 0 {
        let code = errno
        if code == EINTR { continue }
        throw NewFile.failure(path, code)
      }
      at += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the rest and gives the file its name.
  func finish() throws(CaptureError) {
    try flush()
    try file?.commit()
  }
}
