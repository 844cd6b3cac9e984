import Captures
import Memory
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Text that goes to a file descriptor.
public final class FileDestination: TextDestination {
  /// Name of the destination, for messages.
  public let path: String
  private let descriptor: Int32
  private let file: NewFile?
  /// Called before each write, to remove a status line.
  public var willWrite: (() -> Void)?
  /// Called after each write, to print the status line again.
  public var didWrite: (() -> Void)?

  /// Writes to a descriptor, which is not closed.
  public init(descriptor: Int32, path: String = "standard output") {
    self.descriptor = descriptor
    self.path = path
    file = nil
  }

  /// Writes to a file, which gets its name only with ``finish()``; with `inPlace` immediately. Throws ``CaptureError``.
  public init(file path: String, inPlace: Bool = false) throws(CaptureError) {
    let file = try NewFile(path, inPlace: inPlace)
    self.file = file
    self.path = path
    descriptor = file.descriptor
  }

  /// Writes all of the bytes. Throws ``OutputError``.
  public func write(_ bytes: BorrowedBytes) throws(OutputError) {
    if bytes.isEmpty { return }
    willWrite?()
    var at = 0
    while at < bytes.count {
      #if canImport(Glibc)
        let written = unsafe Glibc.write(descriptor, bytes.start + at, bytes.count - at)
      #else
        let written = unsafe Darwin.write(descriptor, bytes.start + at, bytes.count - at)
      #endif
      if written < 0 {
        if errno == EINTR { continue }
        if errno == EPIPE { throw OutputError.closed }
        throw OutputError.failed(path: path, reason: systemMessage(errno))
      }
      at += written
    }
    didWrite?()
  }

  /// Gives a file its name. Throws ``CaptureError``.
  public func finish() throws { try file?.commit() }
}

extension TextBuffer {
  /// A buffer for a descriptor, which is not closed.
  public convenience init(descriptor: Int32, path: String = "standard output") {
    self.init(to: FileDestination(descriptor: descriptor, path: path))
  }

  /// A buffer for a file, which gets its name only with ``finish()``; with `inPlace` immediately. Throws ``CaptureError``.
  public convenience init(file path: String, inPlace: Bool = false) throws(CaptureError) {
    self.init(to: try FileDestination(file: path, inPlace: inPlace))
  }
}
