#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileInput {
  /// A copy of an input that can be read only once, to be read at any offset: in a file of the folder for temporary files (`TMPDIR`) that has no
  /// name any more, so that nothing of it stays behind. Throws ``CaptureError`` where there is more than `budget` has left.
  static func copy(of input: any ByteInput, _ budget: ArchiveBudget) throws(CaptureError) -> FileInput {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/btscribe.XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw .unwritable(path: folder, reason: systemMessage(errno)) }
    unsafe unlink(template)
    let copy = FileInput(descriptor: descriptor, path: input.path)
    while true {
      let piece = try input.piece(upTo: 256 << 10)
      if piece.isEmpty { break }
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
          throw .unwritable(path: folder, reason: systemMessage(errno))
        }
        at += count
      }
    }
    copy.trouble = input.trouble
    return copy
  }
}
