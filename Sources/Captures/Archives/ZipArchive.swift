import PacketCodecs

/// A zip archive (APPNOTE.TXT of PKWARE), read by its central directory; with the 64-bit extensions.
final class ZipArchive: Archive {
  let path: String
  let title = "zip archive"
  private let file: any RandomInput
  var packed: Int? { file.length }
  /// An error of the archive.
  private(set) var fault: String?
  /// Location of its directory, and its number of entries as stated in the archive; nil where the archive is truncated.
  private var directory: (known: Int, start: Int, length: Int)?

  init(_ file: any RandomInput) throws(CaptureError) {
    self.file = file
    path = file.path
    let tailStart = max(0, file.length - 65_557)
    let tail = try file.bytes(at: tailStart, count: 65_557)
    guard let end = ZipArchive.endRecord(tail) else { return }
    let bytes = tail.rawSpan
    var (known, length, start) = (Int(bytes.little16(end + 10)), Int(bytes.little32(end + 12)), Int(bytes.little32(end + 16)))
    let isBig = known == 0xFFFF || length == 0xFFFF_FFFF || start == 0xFFFF_FFFF
    if isBig, end >= 20, bytes.little32(end - 20) == 0x0706_4B50 {
      (start, length, known) = try bigDirectory(Int(clamping: bytes.little64(end - 12)))
    }
    if start < 0 || length < 0 || length > 1 << 30 || start > file.length {
      throw .malformed(path: path, offset: tailStart + end, what: "a zip archive whose directory is not in it")
    }
    directory = (known, start, length)
  }

  func list(_ budget: ArchiveBudget, _ visit: (ArchiveMember) throws(CaptureError) -> Bool) throws(CaptureError) {
    if let directory {
      try readDirectory(directory, budget, visit)
      fault = fault ?? file.trouble
    } else {
      fault = "the archive is cut short: its directory at the end is missing"
      try findMembers(budget, visit)
    }
  }

  private static func endRecord(_ tail: [UInt8]) -> Int? {
    var at = tail.count - 22
    while at >= 0 {
      if tail[at] == 0x50 && tail[at + 1] == 0x4B && tail[at + 2] == 5 && tail[at + 3] == 6 { return at }
      at -= 1
    }
    return nil
  }

  /// Finds members by their local headers, for an archive without its directory. Each member extends to the next one.
  private func findMembers(_ budget: ArchiveBudget, _ visit: (ArchiveMember) throws(CaptureError) -> Bool) throws(CaptureError) {
    var at = 0
    var isEmpty = true
    /// The member that ends where the next one starts.
    var last: ArchiveMember?
    let step = 1 << 20
    scan: while at < file.length {
      // Pieces overlap by the length of a signature minus one.
      let piece = try file.bytes(at: at, count: step + 3)
      if piece.isEmpty { break }
      for index in 0..<max(0, min(step, piece.count - 3))
      where piece[index] == 0x50 && piece[index + 1] == 0x4B && piece[index + 2] == 3 && piece[index + 3] == 4 {
        guard budget.takeEntry() else { break scan }
        let offset = at + index
        let header = try file.bytes(at: offset, count: 30)
        guard header.count == 30 else { continue }
        if var member = last {
          member.packed = min(member.packed, offset - member.offset)
          guard try visit(member) else { return }
        }
        last = try member(header, at: offset)
        if last != nil { isEmpty = false }
      }
      at += step
    }
    if let last { _ = try visit(last) }
    if isEmpty {
      throw .malformed(
        path: path, offset: file.length, what: budget.excess ?? "a zip archive, cut short: its directory at the end is missing")
    }
  }

  /// The member after a header; nil for a folder, or where no bytes follow.
  private func member(_ header: [UInt8], at offset: Int) throws(CaptureError) -> ArchiveMember? {
    let bytes = header.rawSpan
    let (flags, method) = (bytes.little16(6), bytes.little16(8))
    let (packed, size) = (Int(bytes.little32(18)), Int(bytes.little32(22)))
    let (nameLength, extraLength) = (Int(bytes.little16(26)), Int(bytes.little16(28)))
    let name = try file.bytes(at: offset + 30, count: min(nameLength, ArchiveMember.longestName))
    let rest = file.length - offset - 30 - nameLength - extraLength
    if rest <= 0 || name.last == UInt8(ascii: "/") { return nil }
    let isSizeLater = flags & 8 != 0
    return ArchiveMember(
      name: name, size: isSizeLater ? rest : size, offset: offset, packed: isSizeLater ? rest : min(packed, rest), method: method,
      isEncrypted: flags & 1 != 0)
  }

  private func bigDirectory(_ offset: Int) throws(CaptureError) -> (Int, Int, Int) {
    if offset < 0 || offset > file.length {
      throw .malformed(path: path, offset: file.length, what: "a zip64 archive without its directory")
    }
    let record = try file.bytes(at: offset, count: 56)
    let bytes = record.rawSpan
    guard record.count == 56, bytes.little32(0) == 0x0606_4B50 else { return (-1, 0, 0) }
    return (Int(clamping: bytes.little64(48)), Int(clamping: bytes.little64(40)), Int(clamping: bytes.little64(32)))
  }

  /// Reads the directory in pieces, because it may be large.
  private func readDirectory(
    _ directory: (known: Int, start: Int, length: Int), _ budget: ArchiveBudget, _ visit: (ArchiveMember) throws(CaptureError) -> Bool
  ) throws(CaptureError) {
    let end = min(directory.start + directory.length, file.length)
    var isEmpty = true
    var piece: [UInt8] = []
    // Offset of the piece in the file, and of the next entry in the piece.
    var (base, at) = (directory.start, 0)
    while base + at < end {
      if piece.count - at < Self.longestEntry, base + piece.count < end {
        (base, at) = (base + at, 0)
        piece = try file.bytes(at: base, count: min(4 * Self.longestEntry, end - base))
      }
      let bytes = piece.rawSpan
      // A digital signature of the directory may follow the entries.
      if bytes.byteCount - at >= 4, bytes.little32(at) == 0x0505_4B50 { at = end - base }
      guard bytes.byteCount - at >= 46, bytes.little32(at) == 0x0201_4B50 else { break }
      let nameEnd = at + 46 + Int(bytes.little16(at + 28))
      let extraEnd = nameEnd + Int(bytes.little16(at + 30))
      let next = extraEnd + Int(bytes.little16(at + 32))
      if next > bytes.byteCount { break }
      // Folders are skipped.
      if bytes.byte(nameEnd - 1) != UInt8(ascii: "/") {
        guard budget.takeEntry() else {
          fault = budget.excess
          return
        }
        isEmpty = false
        var member = ArchiveMember(
          name: Array(piece[(at + 46)..<min(nameEnd, at + 46 + ArchiveMember.longestName)]), size: Int(bytes.little32(at + 24)),
          offset: Int(bytes.little32(at + 42)), packed: Int(bytes.little32(at + 20)), method: bytes.little16(at + 10),
          isEncrypted: bytes.little16(at + 8) & 1 != 0, checksum: bytes.little32(at + 16))
        ZipArchive.widen(&member, bytes.extracting(nameEnd..<extraEnd))
        guard try visit(member) else {
          fault = budget.excess
          return
        }
      }
      at = next
    }
    if isEmpty && directory.known > 0 {
      throw .malformed(path: path, offset: directory.start, what: "a zip archive with a broken directory")
    }
    if base + at < end { fault = "the directory of the archive is damaged" }
  }

  /// Most bytes of an entry of the directory.
  private static let longestEntry = 46 + 3 * 65_535

  /// Takes 64-bit values from the extra field if the 32-bit ones refer to it.
  private static func widen(_ member: inout ArchiveMember, _ extra: RawSpan) {
    var at = 0
    while extra.byteCount - at >= 4 {
      let (tag, size) = (extra.little16(at), Int(extra.little16(at + 2)))
      if extra.byteCount - at - 4 < size { return }
      if tag == 1 {
        var from = at + 4
        for path in [\ArchiveMember.size, \.packed, \.offset] where member[keyPath: path] == 0xFFFF_FFFF && at + 4 + size - from >= 8 {
          member[keyPath: path] = Int(clamping: extra.little64(from))
          from += 8
        }
      }
      at += 4 + size
    }
  }

  /// Every member can be found directly.
  func keep(_ members: [ArchiveMember], _ budget: ArchiveBudget) {}

  func open(_ member: ArchiveMember) throws(CaptureError) -> (any ByteInput)? {
    if member.isEncrypted || member.method != 0 && member.method != 8 { return nil }
    if member.offset > file.length { return nil }
    let header = try file.bytes(at: member.offset, count: 30)
    let bytes = header.rawSpan
    guard header.count == 30, bytes.little32(0) == 0x0403_4B50 else { return nil }
    let start = member.offset + 30 + Int(bytes.little16(26)) + Int(bytes.little16(28))
    if start > file.length { return nil }
    let name = "\(path):\(member.path)"
    let slice = SliceInput(file, start: start, length: min(member.packed, file.length - start), path: name)
    let isCut = member.packed > file.length - start
    return CheckedInput(
      member.method == 0 ? slice : InflateInput(slice, wrapper: .none, path: name), member,
      fault: isCut ? "the archive is cut short" : fault)
  }
}
