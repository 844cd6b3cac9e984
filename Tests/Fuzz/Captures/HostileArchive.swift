import FuzzInput

/// Archives that are valid apart from some fields: captures, files and archives, chosen by the input one after the other, with wrong names,
/// sizes, checksums and offsets.
struct HostileArchive {
  private var choices: Choices
  private static let deepest = 5

  /// The file that an input describes.
  static func file(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var archive = HostileArchive(choices: Choices(bytes))
    let file = archive.container(depth: 0)
    return archive.lying(file)
  }

  private init(choices: Choices) { self.choices = choices }

  private mutating func container(depth: Int) -> [UInt8] {
    guard depth < Self.deepest, !choices.isAtEnd else { return capture() }
    switch choices.byte() % 6 {
    case 0: return zip(depth)
    case 1: return tar(depth)
    case 2: return gzip(container(depth: depth + 1))
    case 3: return gzip(container(depth: depth + 1)) + gzip(piece())
    case 4: return zlib(container(depth: depth + 1))
    default: return capture()
    }
  }

  private mutating func piece() -> [UInt8] { Array(choices.piece(Int(choices.byte() & 31))) }

  /// Changes one or a few bytes, or truncates the file.
  private mutating func lying(_ file: [UInt8]) -> [UInt8] {
    var file = file
    for _ in 0..<Int(choices.byte() & 3) where !file.isEmpty {
      let index = Int(choices.word() % UInt64(file.count))
      if choices.byte() & 7 == 0 { file.removeSubrange(index...) } else { file[index] = choices.byte() }
    }
    return file
  }

  /// A log of a few events, a log of an adapter's notes, or other bytes.
  private mutating func capture() -> [UInt8] {
    if choices.byte() & 7 == 0 { return piece() }
    var bytes = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xEA]
    for number in 0..<choices.byte() & 7 {
      bytes += [0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0xE0, 0, 0, 0, 0, 0, number, 4, 0x0E, 4, 1, 3, 0x0C, 0]
    }
    return bytes
  }

  private mutating func name() -> [UInt8] {
    let names = [
      "btsnoop_hci.log", "btsnoop_hci.log.last", "FS/data/misc/bluetooth/logs/btsnoop_hci.log", "bugreport-x.txt", "a.pklg",
      "dumpstate.log",
      "x/", "../../../etc/passwd", "btsnooz_hci.log", "btsnoop_hci.log.filtered",
    ]
    let number = Int(choices.byte())
    return number < 240 ? Array(names[number % names.count].utf8) : Array(choices.piece(number))
  }

  // MARK: Packing

  private func little(_ value: UInt64, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) } }

  /// The right number, one that is slightly wrong, or any number.
  private mutating func number(_ right: Int, _ size: Int) -> [UInt8] {
    switch choices.byte() {
    case 0xFF: little(choices.word(), size)
    case 0xFE: little(UInt64.max, size)
    case 0xFD: little(UInt64(truncatingIfNeeded: right &+ Int(choices.byte()) &- 128), size)
    default: little(UInt64(truncatingIfNeeded: right), size)
    }
  }

  /// Deflate in stored blocks.
  private mutating func stored(_ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var at = 0
    repeat {
      let count = min(content.count - at, 60_000)
      let isLast = at + count == content.count
      bytes += [isLast ? 1 : 0] + little(UInt64(count), 2) + little(UInt64(count ^ 0xFFFF), 2) + content[at..<at + count]
      at += count
    } while at < content.count
    return bytes
  }

  private mutating func gzip(_ content: [UInt8]) -> [UInt8] {
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + stored(content) + number(Int(Self.crc32(content)), 4) + number(content.count, 4)
  }

  private mutating func zlib(_ content: [UInt8]) -> [UInt8] {
    var (a, b) = (UInt32(1), UInt32(0))
    for byte in content {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 0x9C] + stored(content) + little(UInt64(b << 16 | a), 4).reversed()
  }

  private mutating func zip(_ depth: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var directory: [UInt8] = []
    let count = Int(choices.byte() & 3)
    for _ in 0...count {
      let content = container(depth: depth + 1)
      let name = name()
      let method: UInt64 = choices.flag() ? 8 : 0
      let packed = method == 8 ? stored(content) : content
      let flags: UInt64 = [0, 1, 8, 0][Int(choices.byte() & 3)]
      let offset = bytes.count
      let sizes = number(Int(Self.crc32(content)), 4) + number(packed.count, 4) + number(content.count, 4)
      let middle = little(20, 2) + little(flags, 2) + little(method, 2) + little(0, 4) + sizes + little(UInt64(name.count), 2)
      bytes += [0x50, 0x4B, 3, 4] + middle + number(0, 2) + name + packed
      // The same file may be listed several times in the directory, with 64-bit numbers, and at another offset.
      for _ in 0...Int(choices.byte() & 1) {
        let extra =
          choices.byte() & 7 == 0 ? [1, 0] + number(24, 2) + number(content.count, 8) + number(packed.count, 8) + number(offset, 8) : []
        directory += [0x50, 0x4B, 1, 2, 20, 0] + middle + number(extra.count, 2) + number(0, 2) + [UInt8](repeating: 0, count: 8)
        directory += number(offset, 4) + name + extra
      }
    }
    let start = bytes.count
    bytes += directory
    if choices.byte() & 7 == 0 {
      let offset = bytes.count
      bytes += [0x50, 0x4B, 6, 6] + little(44, 8) + little(0, 12) + number(count + 1, 8) + number(count + 1, 8)
      bytes += number(directory.count, 8) + number(start, 8) + [0x50, 0x4B, 6, 7] + little(0, 4) + number(offset, 8) + little(1, 4)
    }
    let entries = number(count + 1, 2)
    return bytes + [0x50, 0x4B, 5, 6] + little(0, 4) + entries + entries + number(directory.count, 4) + number(start, 4) + number(0, 2)
  }

  private mutating func tar(_ depth: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0...Int(choices.byte() & 3) {
      let type = [UInt8(ascii: "0"), UInt8(ascii: "0"), 0, UInt8(ascii: "L"), UInt8(ascii: "x"), UInt8(ascii: "5")][Int(choices.byte()) % 6]
      let content: [UInt8] =
        switch type {
        case UInt8(ascii: "L"): name() + [0]
        case UInt8(ascii: "x"): Array("30 path=".utf8) + name() + [10] + piece()
        default: container(depth: depth + 1)
        }
      var header = [UInt8](repeating: 0, count: 512)
      let name = name().prefix(100)
      header.replaceSubrange(0..<name.count, with: name)
      var size = String(content.count, radix: 8)
      if choices.byte() == 0xFF { size = String(choices.word() >> 1, radix: 8) }
      header.replaceSubrange(124..<136, with: Array((String(repeating: "0", count: max(0, 11 - size.count)) + size).utf8.prefix(11)) + [0])
      if choices.byte() == 0xFF { header.replaceSubrange(124..<136, with: [0x80] + little(choices.word(), 8).reversed() + [0, 0, 0]) }
      header[156] = type
      header.replaceSubrange(257..<263, with: Array("ustar\0".utf8))
      header.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
      let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
      header.replaceSubrange(148..<156, with: Array((String(repeating: "0", count: 6 - sum.count) + sum).utf8) + [0, 0x20])
      bytes += header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }
    return bytes + [UInt8](repeating: 0, count: choices.byte() & 3 == 0 ? 0 : 1024)
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }
}
