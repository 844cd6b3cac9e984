/// A tar archive (POSIX.1-1988 ustar, pax and GNU long names), from a file or decompressed while it is read.
final class TarArchive: Archive {
  let path: String
  let title = "tar archive"
  let packed: Int? = nil
  private var members: [ArchiveMember] = []
  private let input: any ByteInput
  private var position = 0
  private lazy var stream = SharedStream(input, position: position)
  /// An error of the archive.
  private(set) var fault: String?
  /// Copies of members by their start offset, in a file that can be read at any offset.
  private var copies: [Int: (start: Int, length: Int, fault: String?)] = [:]
  private var copy: FileInput?
  /// First bytes of the only member that can be opened, where the input cannot be read twice.
  private var onlyHead: [UInt8]?

  /// Lists the members that `wanted` accepts by their first bytes. If the input cannot be read twice, only the first of them is listed.
  init(_ input: any ByteInput, _ budget: ArchiveBudget, wanted: (ArchiveMember, [UInt8]) -> Bool) throws(CaptureError) {
    self.input = input
    path = input.path
    var longName: [UInt8]?
    listing: while true {
      let header = try take(512)
      guard header.count == 512 else {
        fault = input.trouble ?? "the archive is cut short"
        break
      }
      if header.allSatisfy({ $0 == 0 }) { break }
      guard let size = TarArchive.size(header), TarArchive.checksumIsRight(header) else {
        fault = "the archive is damaged: a header in it is invalid"
        break
      }
      guard budget.takeEntry() else {
        fault = budget.excess
        break
      }
      let padded = size + (512 - size % 512) % 512
      switch header[156] {
      case UInt8(ascii: "L") where size <= 1 << 16:
        longName = Array(try take(padded).prefix(size).prefix { $0 != 0 }.prefix(ArchiveMember.longestName))
      case UInt8(ascii: "x") where size <= 1 << 20: longName = TarArchive.paxPath(try take(padded).prefix(size)) ?? longName
      case UInt8(ascii: "0"), 0, UInt8(ascii: "7"):
        var member = ArchiveMember(name: longName ?? TarArchive.name(header), size: size, offset: position, packed: size)
        longName = nil
        let head = try take(min(size, 1024))
        if wanted(member, head) {
          guard budget.takeName(member.name) else {
            fault = budget.excess
            break listing
          }
          member.content = ArchiveMember.Content(head)
          members.append(member)
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
    let bytes = try input.bytes(count)
    position += bytes.count
    return bytes
  }

  private func drop(_ count: Int) throws(CaptureError) { position += try input.skip(count) }

  /// Whether the file starts like a tar archive.
  static func isTar(_ head: [UInt8]) -> Bool {
    head.count >= 512 && head[0] != 0 && size(head) != nil && checksumIsRight(head)
  }

  private static func checksumIsRight(_ header: [UInt8]) -> Bool {
    guard let stated = octal(header[148..<156]) else { return false }
    var sum = 0
    for (index, byte) in header[..<512].enumerated() { sum += (148..<156).contains(index) ? 32 : Int(byte) }
    return stated == sum
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

  private static func name(_ header: [UInt8]) -> [UInt8] {
    let name = Array(header[..<100].prefix { $0 != 0 })
    let isPosix = header[257..<262].elementsEqual("ustar".utf8)
    let prefix = isPosix ? Array(header[345..<500].prefix { $0 != 0 }) : []
    return prefix.isEmpty ? name : prefix + [UInt8(ascii: "/")] + name
  }

  /// The path in a pax header: lines of length, key and value.
  private static func paxPath(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    for line in bytes.split(separator: 10) {
      guard let space = line.firstIndex(of: 0x20) else { continue }
      let entry = line[line.index(after: space)...]
      if entry.starts(with: "path=".utf8) { return Array(entry.dropFirst(5).prefix(ArchiveMember.longestName)) }
    }
    return nil
  }

  func list(_ budget: ArchiveBudget, _ visit: (ArchiveMember) throws(CaptureError) -> Bool) throws(CaptureError) {
    for member in members where try !visit(member) {
      fault = fault ?? budget.excess
      return
    }
  }

  /// Copies members of a compressed archive, because going back in it would mean to decompress it again from its start.
  func keep(_ members: [ArchiveMember], _ budget: ArchiveBudget) throws(CaptureError) {
    guard !members.isEmpty, !(input is any RandomInput), input.canRewind else { return }
    let file: FileInput
    if let copy { file = copy } else { file = try FileInput.temporary(path: path) }
    copy = file
    for member in members.sorted(by: { $0.offset < $1.offset }) where copies[member.offset] == nil {
      guard let part = try open(member) else { continue }
      let start = file.length
      let count = try file.append(part, budget)
      copies[member.offset] = (start, count, part.trouble)
    }
  }

  func open(_ member: ArchiveMember) throws(CaptureError) -> (any ByteInput)? {
    let name = "\(path):\(member.path)"
    if let copy, let (start, length, fault) = copies[member.offset] {
      return SliceInput(copy, start: start, length: length, path: name, fault: fault)
    }
    if let random = input as? any RandomInput {
      return SliceInput(random, start: member.offset, length: member.size, path: name, fault: fault)
    }
    if let onlyHead {
      let rest = SectionInput(stream, start: position, length: member.size - onlyHead.count, path: name, fault: fault)
      return PeekedInput(rest, head: onlyHead)
    }
    return input.canRewind ? SectionInput(stream, start: member.offset, length: member.size, path: name, fault: fault) : nil
  }
}
