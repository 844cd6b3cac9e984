import CZlib

/// A file of a zip archive, whose size and checksum (CRC-32) are compared with those in the archive's directory.
final class CheckedInput: ByteInput {
  private let inner: any ByteInput
  private let member: ArchiveMember
  /// An error of the archive itself.
  private let fault: String?
  private var sum: UInt = 0
  private var count = 0
  private var isAtEnd = false

  init(_ inner: any ByteInput, _ member: ArchiveMember, fault: String?) {
    self.inner = inner
    self.member = member
    self.fault = fault
  }

  var path: String { inner.path }
  var size: Int? { inner.size }
  var progress: (read: Int, total: Int?) { inner.progress }

  var trouble: String? {
    if let trouble = inner.trouble ?? fault { return trouble }
    guard isAtEnd, let checksum = member.checksum else { return nil }
    if count != member.size { return "the archive says that the file has \(member.size) bytes, and it has \(count)" }
    return sum == UInt(checksum) ? nil : "the checksum of the file in the archive is wrong: its bytes are damaged"
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    let got = unsafe try inner.read(into: buffer)
    isAtEnd = got == 0 && buffer.count > 0
    if got > 0 {
      sum = unsafe UInt(crc32(uLong(sum), buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(clamping: got)))
      count += got
    }
    return got
  }

  var canRewind: Bool { inner.canRewind }

  func rewind() throws(CaptureError) -> Bool {
    guard try inner.rewind() else { return false }
    (sum, count, isAtEnd) = (0, 0, false)
    return true
  }
}
