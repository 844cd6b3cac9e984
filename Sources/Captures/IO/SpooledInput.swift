#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileInput {
  /// Makes a file in `TMPDIR` and removes its name at once, so that the system frees it when it is closed, however the program ends. `path` names in
  /// messages what is copied to it.
  static func temporary(path: String) throws(CaptureError) -> FileInput {
    let folder = temporaryFolder
    var template = Array("\(folder)/btscribe.XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw .unwritable(path: folder, reason: systemMessage(errno)) }
    unsafe unlink(template)
    return FileInput(descriptor: descriptor, path: path)
  }

  private static var temporaryFolder: String { unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp" }

  /// A copy of an input that can be read only once, to be read at any offset. Throws ``CaptureError`` where there is more than `budget` has left.
  static func copy(of input: any ByteInput, _ budget: ArchiveBudget) throws(CaptureError) -> FileInput {
    let copy = try temporary(path: input.path)
    _ = try copy.append(input, budget)
    copy.trouble = input.trouble
    return copy
  }

  /// Writes all of an input behind what this file holds; returns how many bytes these were. Throws ``CaptureError`` where there is more than `budget`
  /// has left.
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
          throw .unwritable(path: Self.temporaryFolder, reason: systemMessage(errno))
        }
        at += count
      }
      total += piece.count
    }
  }
}
