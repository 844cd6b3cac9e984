#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileInput {
  /// Creates a file in `TMPDIR` and removes its name at once, so that the system frees it when it is closed, however the program ends. `path` is the
  /// name of the copied input in messages.
  static func temporary(path: String) throws(CaptureError) -> FileInput {
    let folder = temporaryFolder
    var template = Array("\(folder)/btscribe.XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw .unwritable(path: folder, reason: systemMessage(errno)) }
    unsafe unlink(template)
    return FileInput(descriptor: descriptor, path: path)
  }

  /// Copies an input that can be read only once, so that it can be read at any offset. Throws ``CaptureError`` if it exceeds the rest of `budget`.
  static func copy(of input: any ByteInput, _ budget: ArchiveBudget) throws(CaptureError) -> FileInput {
    let copy = try temporary(path: input.path)
    _ = try copy.append(input, budget)
    copy.trouble = input.trouble
    return copy
  }

  /// Appends all bytes of an input to this file; returns their number. Throws ``CaptureError`` if they exceed the rest of `budget`.
  func append(_ input: any ByteInput, _ budget: ArchiveBudget) throws(CaptureError) -> Int {
    var total = 0
    while true {
      let piece = try input.piece(upTo: 256 << 10)
      if piece.isEmpty { return total }
      guard budget.takeBytes(piece.count) else {
        throw .malformed(path: input.path, offset: 0, what: budget.excess ?? "an archive that is too large")
      }
      var at = 0
      while at < piece.count {
        let count = unsafe piece.withUnsafeBytes { bytes in
          unsafe write(descriptor, bytes.baseAddress.map { unsafe $0 + at }, bytes.count - at)
        }
        if count < 0 {
          if errno == EINTR { continue }
          throw .unwritable(path: temporaryFolder, reason: systemMessage(errno))
        }
        at += count
      }
      total += piece.count
    }
  }
}
