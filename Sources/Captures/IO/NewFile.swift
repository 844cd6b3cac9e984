import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that appears under its name only when it is complete. An existing file stays until then, and no temporary file is left if writing fails, or
/// if a signal ends the program (see ``removeUnfinished()``).
public final class NewFile {
  /// The descriptor to write to.
  public let descriptor: Int32
  /// Path of the temporary file until the file is complete; nil where bytes are written directly: pipes, devices, files with `inPlace`.
  public private(set) var temporary: String?
  private let path: String
  private let target: String
  private var slot: Int

  /// Opens `path` for writing. Throws ``CaptureError`` where that cannot be.
  public init(_ path: String, inPlace: Bool = false) throws(CaptureError) {
    self.path = path
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    if exists && status.st_mode & S_IFMT == S_IFDIR { throw .unwritable(path: path, reason: systemMessage(EISDIR)) }
    if inPlace || exists && status.st_mode & S_IFMT != S_IFREG {
      target = path
      slot = -1
      descriptor = NewFile.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)
      if descriptor < 0 { throw NewFile.failure(path, errno) }
      return
    }
    // A write-protected file is not replaced either, even if its folder would allow it.
    if exists, unsafe access(path, W_OK) != 0 { throw NewFile.failure(path, errno) }
    // A symbolic link is kept; its target is replaced.
    if exists, let resolved = unsafe realpath(path, nil) {
      target = unsafe String(cString: resolved)
      unsafe free(resolved)
    } else {
      target = path
    }
    let name = "\(target).\(getpid()).part"
    Unfinished.beginOpening()
    slot = Unfinished.add(name)
    descriptor = NewFile.open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC)
    let code = errno
    Unfinished.endOpening()
    if descriptor < 0 {
      Unfinished.remove(slot)
      throw NewFile.failure(path, code)
    }
    // A signal handler on another thread may have given up waiting for this file.
    if Unfinished.isEnding.load(ordering: .sequentiallyConsistent) { unsafe unlink(name) }
    if exists { _ = fchmod(descriptor, status.st_mode & 0o777) }
    temporary = name
  }

  deinit {
    if let temporary { unsafe unlink(temporary) }
    Unfinished.remove(slot)
    _ = close(descriptor)
  }

  /// Gives the file its name. Throws ``CaptureError`` where that fails.
  public func commit() throws(CaptureError) {
    guard let temporary else { return }
    if unsafe rename(temporary, target) != 0 { throw NewFile.failure(path, errno) }
    self.temporary = nil
    // Another file may take the slot from now on.
    Unfinished.remove(slot)
    slot = -1
  }

  private static func open(_ path: String, _ flags: Int32) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.open(path, flags, 0o666)
    #else
      unsafe Darwin.open(path, flags, 0o666)
    #endif
  }

  static func failure(_ path: String, _ code: Int32) -> CaptureError {
    switch code {
    case EPIPE: .closedPipe
    case EACCES, EPERM, EROFS: .forbidden(what: path, hint: "it may not be written there: \(systemMessage(code))")
    default: .unwritable(path: path, reason: systemMessage(code))
    }
  }

  /// Removes all unfinished files, and those that another thread is about to create, because the program ends. Safe in a signal handler: it allocates
  /// and locks nothing.
  public static func removeUnfinished() {
    Unfinished.isEnding.store(true, ordering: .sequentiallyConsistent)
    Unfinished.awaitOpening()
    for slot in 0..<Unfinished.room {
      if let name = unsafe Unfinished.names[slot].exchange(nil, ordering: .acquiring) { unsafe unlink(name) }
    }
  }
}

/// Names of unfinished files. A thread or signal handler that takes a name out of its slot owns it alone, so that a signal handler neither waits nor
/// reads freed memory.
private enum Unfinished {
  static let room = 256
  static let isEnding = Atomic(false)
  /// Number of threads that are creating a file.
  private static let opening = Atomic(0)
  /// Milliseconds for which a signal handler waits for them at most. It may have interrupted one of them, which then creates no more files.
  private static let longestWait = 200
  nonisolated(unsafe) static let names = unsafe InlineArray<256, Atomic<UnsafeMutablePointer<CChar>?>> { _ in unsafe Atomic(nil) }

  /// Called before a file is created. If the program is ending, it does not return, so that no more files are created.
  static func beginOpening() {
    opening.add(1, ordering: .sequentiallyConsistent)
    guard isEnding.load(ordering: .sequentiallyConsistent) else { return }
    opening.subtract(1, ordering: .sequentiallyConsistent)
    while true { _ = pause() }
  }

  static func endOpening() { opening.subtract(1, ordering: .sequentiallyConsistent) }

  /// Waits until no other thread is creating a file, so that all files are known. Safe in a signal handler.
  static func awaitOpening() {
    var waited = 0
    while opening.load(ordering: .sequentiallyConsistent) > 0, waited < longestWait {
      _ = poll(nil, 0, 1)
      waited += 1
    }
  }

  /// Returns the slot of a name, or -1 where there are too many.
  static func add(_ name: String) -> Int {
    guard let copy = unsafe strdup(name) else { return -1 }
    for slot in 0..<room where unsafe names[slot].compareExchange(expected: nil, desired: copy, ordering: .releasing).exchanged {
      return slot
    }
    unsafe free(copy)
    return -1
  }

  static func remove(_ slot: Int) {
    guard slot >= 0 else { return }
    unsafe free(names[slot].exchange(nil, ordering: .acquiring))
  }
}
