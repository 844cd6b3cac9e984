/// A file in an archive.
struct ArchiveMember {
  var name: String
  /// Bytes when unpacked, as the archive says.
  var size: Int
  /// Where it starts: the local header in a zip, the content in a tar.
  var offset: Int
  /// Bytes in the archive.
  var packed: Int
  /// Its first bytes, where they were read with the list.
  var head: [UInt8] = []
  /// Zip: method of compression.
  var method: UInt16 = 0
  /// Zip: it is encrypted.
  var isEncrypted = false
}

/// An archive whose members can be opened by name.
protocol Archive: AnyObject {
  /// What it is: `zip archive`.
  var title: String { get }
  var path: String { get }
  var members: [ArchiveMember] { get }
  /// Opens a member; nil where this archive cannot (an unknown method, encryption).
  func open(_ member: ArchiveMember) throws(CaptureError) -> (any ByteInput)?
}

/// Most members of an archive that are looked at.
let mostMembers = 200_000

/// A zip archive (APPNOTE.TXT of PKWARE), read by its central directory; with the 64-bit extensions.
final class ZipArchive: Archive {
  let path: String
  let title = "zip archive"
  private(set) var members: [ArchiveMember] = []
  private let file: any RandomInput

  init(_ file: any RandomInput) throws(CaptureError) {
    self.file = file
    path = file.path
    let tailStart = max(0, file.length - 65_557)
    let tail = try file.bytes(at: tailStart, count: 65_557)
    guard let end = ZipArchive.endRecord(tail) else {
      try findMembers()
      if members.isEmpty {
        throw .malformed(path: path, offset: file.length, what: "a zip archive, cut short: its directory at the end is missing")
      }
      return
    }
    var (start, length, known, big) = unsafe tail.withUnsafeBytes { bytes -> (Int, Int, Int, Int?) in
      guard let base = bytes.baseAddress else { return (0, 0, 0, nil) }
      let (count, size, offset) = unsafe (Int(little16(base, end + 10)), Int(little32(base, end + 12)), Int(little32(base, end + 16)))
      let isBig =
        unsafe (count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF) && end >= 20 && little32(base, end - 20) == 0x0706_4B50
      return unsafe (offset, size, count, isBig ? Int(clamping: little64(base, end - 12)) : nil)
    }
    if let big { (start, length, known) = try bigDirectory(big) }
    if start < 0 || length < 0 || length > 64 << 20 || start > file.length {
      throw .malformed(path: path, offset: tailStart + end, what: "a zip archive whose directory is not in it")
    }
    try readDirectory(file.bytes(at: start, count: length), known, at: start)
  }

  private static func endRecord(_ tail: [UInt8]) -> Int? {
    var at = tail.count - 22
    while at >= 0 {
      if tail[at] == 0x50 && tail[at + 1] == 0x4B && tail[at + 2] == 5 && tail[at + 3] == 6 { return at }
      at -= 1
    }
    return nil
  }

  /// Finds members by the headers before them, for an archive without its directory. Each is taken to reach to the next.
  private func findMembers() throws(CaptureError) {
    var at = 0
    let step = 1 << 20
    while at < file.length && members.count < mostMembers {
      // Pieces overlap by a signature's length less one.
      let piece = try file.bytes(at: at, count: step + 3)
      for index in 0..<max(0, min(step, piece.count - 3))
      where piece[index] == 0x50 && piece[index + 1] == 0x4B && piece[index + 2] == 3 && piece[index + 3] == 4 {
        try addMember(headerAt: at + index)
      }
      at += step
    }
  }

  private func addMember(headerAt offset: Int) throws(CaptureError) {
    let header = try file.bytes(at: offset, count: 30)
    guard header.count == 30 else { return }
    let (flags, method, told, size, nameLength, extraLength) = unsafe header.withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.map {
        unsafe (
          little16($0, 6), little16($0, 8), Int(little32($0, 18)), Int(little32($0, 22)), Int(little16($0, 26)), Int(little16($0, 28))
        )
      } ?? (0, 0, 0, 0, 0, 0)
    }
    let name = String(decoding: try file.bytes(at: offset + 30, count: nameLength), as: UTF8.self)
    if !members.isEmpty {
      let last = members.count - 1
      members[last].packed = min(members[last].packed, offset - members[last].offset)
    }
    let rest = file.length - offset - 30 - nameLength - extraLength
    if rest <= 0 || name.hasSuffix("/") { return }
    let isSizeLater = flags & 8 != 0
    members.append(
      ArchiveMember(
        name: name, size: isSizeLater ? rest : size, offset: offset, packed: isSizeLater ? rest : min(told, rest), method: method,
        isEncrypted: flags & 1 != 0))
  }

  private func bigDirectory(_ offset: Int) throws(CaptureError) -> (Int, Int, Int) {
    if offset < 0 || offset > file.length {
      throw .malformed(path: path, offset: file.length, what: "a zip64 archive without its directory")
    }
    let record = try file.bytes(at: offset, count: 56)
    return unsafe record.withUnsafeBytes { bytes in
      guard bytes.count == 56, let base = bytes.baseAddress, unsafe little32(base, 0) == 0x0606_4B50 else { return (-1, 0, 0) }
      return unsafe (
        Int(clamping: little64(base, 48)), Int(clamping: little64(base, 40)), Int(clamping: little64(base, 32))
      )
    }
  }

  private func readDirectory(_ directory: [UInt8], _ known: Int, at start: Int) throws(CaptureError) {
    unsafe directory.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      var at = 0
      while bytes.count - at >= 46, unsafe little32(base, at) == 0x0201_4B50, members.count < mostMembers {
        let (nameLength, extraLength) = unsafe (Int(little16(base, at + 28)), Int(little16(base, at + 30)))
        let next = unsafe at + 46 + nameLength + extraLength + Int(little16(base, at + 32))
        if next > bytes.count { break }
        let name = unsafe String(decoding: bytes[at + 46..<at + 46 + nameLength], as: UTF8.self)
        var member = unsafe ArchiveMember(
          name: name, size: Int(little32(base, at + 24)), offset: Int(little32(base, at + 42)), packed: Int(little32(base, at + 20)),
          method: little16(base, at + 10), isEncrypted: little16(base, at + 8) & 1 != 0)
        unsafe ZipArchive.widen(&member, UnsafeRawBufferPointer(rebasing: bytes[at + 46 + nameLength..<at + 46 + nameLength + extraLength]))
        if !name.hasSuffix("/") { members.append(member) }
        at = next
      }
    }
    if members.isEmpty && known > 0 { throw .malformed(path: path, offset: start, what: "a zip archive with a broken directory") }
  }

  /// Takes 64-bit numbers from the extra field where the others say so.
  private static func widen(_ member: inout ArchiveMember, _ extra: UnsafeRawBufferPointer) {
    guard let base = extra.baseAddress else { return }
    var at = 0
    while extra.count - at >= 4 {
      let (tag, size) = unsafe (little16(base, at), Int(little16(base, at + 2)))
      if extra.count - at - 4 < size { return }
      if tag == 1 {
        var from = at + 4
        func take(_ value: inout Int) {
          if value == 0xFFFF_FFFF && at + 4 + size - from >= 8 {
            value = unsafe Int(clamping: little64(base, from))
            from += 8
          }
        }
        take(&member.size)
        take(&member.packed)
        take(&member.offset)
      }
      at += 4 + size
    }
  }

  func open(_ member: ArchiveMember) throws(CaptureError) -> (any ByteInput)? {
    if member.isEncrypted || member.method != 0 && member.method != 8 { return nil }
    if member.offset > file.length { return nil }
    let header = try file.bytes(at: member.offset, count: 30)
    let start: Int? = unsafe header.withUnsafeBytes { bytes in
      guard bytes.count == 30, let base = bytes.baseAddress, unsafe little32(base, 0) == 0x0403_4B50 else { return nil }
      return unsafe member.offset + 30 + Int(little16(base, 26)) + Int(little16(base, 28))
    }
    guard let start, start <= file.length else { return nil }
    let name = "\(path):\(member.name)"
    let slice = SliceInput(file, start: start, length: min(member.packed, file.length - start), path: name)
    return member.method == 0 ? slice : InflateInput(slice, wrapper: .none, path: name)
  }
}

/// A tar archive (POSIX.1-1988 ustar, pax and GNU long names), from a file or unpacked on the way.
final class TarArchive: Archive {
  let path: String
  let title = "tar archive"
  private(set) var members: [ArchiveMember] = []
  private let input: any ByteInput
  private var position = 0
  private lazy var stream = SharedStream(input, position: position)
  /// First bytes of the only member that can be opened, where the input cannot be read twice.
  private var onlyHead: [UInt8]?

  /// Lists the members that `wanted` accepts by their first bytes. Where the input cannot be read twice, the first of them is all.
  init(_ input: any ByteInput, wanted: (ArchiveMember, [UInt8]) -> Bool) throws(CaptureError) {
    self.input = input
    path = input.path
    var longName: String?
    while members.count < mostMembers {
      let header = try take(512)
      guard header.count == 512, let size = TarArchive.size(header), TarArchive.checksumIsRight(header) else { break }
      let padded = size + (512 - size % 512) % 512
      switch header[156] {
      case UInt8(ascii: "L") where size <= 1 << 16:
        longName = String(decoding: try take(padded).prefix(size).prefix { $0 != 0 }, as: UTF8.self)
      case UInt8(ascii: "x") where size <= 1 << 20: longName = TarArchive.paxPath(try take(padded).prefix(size)) ?? longName
      case UInt8(ascii: "0"), 0, UInt8(ascii: "7"):
        let member = ArchiveMember(name: longName ?? TarArchive.name(header), size: size, offset: position, packed: size)
        longName = nil
        let head = try take(min(size, 1024))
        if wanted(member, head) {
          members.append(member)
          members[members.count - 1].head = head
          if !input.canRewind {
            onlyHead = head
            return
          }
        }
        try drop(padded - head.count)
      default:
        longName = nil
        try drop(padded)
      }
    }
  }

  private func take(_ count: Int) throws(CaptureError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 16)
    defer { unsafe buffer.deallocate() }
    var have = 0
    while have < count {
      let got = unsafe try input.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[have..<count]))
      if got == 0 { break }
      have += got
    }
    position += have
    return unsafe Array(buffer[..<have])
  }

  private func drop(_ count: Int) throws(CaptureError) { position += try input.skip(count) }

  /// The file starts as a tar does.
  static func isTar(_ head: [UInt8]) -> Bool {
    head.count >= 512 && head[0] != 0 && size(head) != nil && checksumIsRight(head)
  }

  private static func checksumIsRight(_ header: [UInt8]) -> Bool {
    guard let told = octal(header[148..<156]) else { return false }
    var sum = 0
    for (index, byte) in header[..<512].enumerated() { sum += (148..<156).contains(index) ? 32 : Int(byte) }
    return told == sum
  }

  private static func size(_ header: [UInt8]) -> Int? {
    if header[124] & 0x80 == 0 { return octal(header[124..<136]) }
    var value = Int(header[124] & 0x3F)
    for byte in header[125..<136] {
      if value > 1 << 48 { return nil }
      value = value << 8 | Int(byte)
    }
    return value
  }

  private static func octal(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    var seen = false
    for byte in digits {
      if byte == 0x20 && !seen { continue }
      if byte == 0 || byte == 0x20 { break }
      guard (0x30...0x37).contains(byte) else { return nil }
      value = value << 3 | Int(byte - 0x30)
      seen = true
    }
    return seen ? value : nil
  }

  private static func name(_ header: [UInt8]) -> String {
    let name = String(decoding: header[..<100].prefix { $0 != 0 }, as: UTF8.self)
    let isPosix = header[257..<262].elementsEqual("ustar".utf8)
    let prefix = isPosix ? String(decoding: header[345..<500].prefix { $0 != 0 }, as: UTF8.self) : ""
    return prefix.isEmpty ? name : "\(prefix)/\(name)"
  }

  /// The path in a pax header: lines of length, key and value.
  private static func paxPath(_ bytes: ArraySlice<UInt8>) -> String? {
    for line in bytes.split(separator: 10) {
      guard let space = line.firstIndex(of: 0x20) else { continue }
      let entry = line[line.index(after: space)...]
      if entry.starts(with: "path=".utf8) { return String(decoding: entry.dropFirst(5), as: UTF8.self) }
    }
    return nil
  }

  func open(_ member: ArchiveMember) throws(CaptureError) -> (any ByteInput)? {
    let name = "\(path):\(member.name)"
    if let random = input as? any RandomInput {
      return SliceInput(random, start: member.offset, length: member.size, path: name)
    }
    if let onlyHead {
      let rest = SectionInput(stream, start: position, length: member.size - onlyHead.count, path: name)
      return PeekedInput(rest, head: onlyHead)
    }
    return input.canRewind ? SectionInput(stream, start: member.offset, length: member.size, path: name) : nil
  }
}
