import Foundation
import Testing

@testable import Captures

/// Archives with wrong fields, truncated ones, and ones whose contents are too large to read.
@Suite struct ArchiveTests {
  /// CRC-32 of zip and gzip.
  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }

  /// A btsnoop file of `count` events.
  static func capture(_ count: Int) -> [UInt8] {
    var bytes = BtsnoopReader.magic
    bytes.big32(1)
    bytes.big32(1002)
    for number in 0..<count {
      bytes.big32(7)
      bytes.big32(7)
      bytes.big32(3)
      bytes.big32(0)
      bytes.big64(UInt64(bitPattern: BtsnoopReader.epoch + Int64(number)))
      bytes += [4, 0x0E, 4, 1, 3, 0x0C, UInt8(truncatingIfNeeded: number)]
    }
    return bytes
  }

  /// A zip archive of stored files. Several names may refer to the same bytes.
  struct Zip {
    struct Entry {
      var name: String
      var offset: Int
      var content: [UInt8]
      var checksum: UInt32
      var flags: UInt16 = 0
      /// The deflated content, if the file is not stored.
      var packed: [UInt8]?
      var method: UInt16 { packed == nil ? 0 : 8 }
    }
    private(set) var bytes: [UInt8] = []
    var entries: [Entry] = []

    mutating func add(_ name: String, _ content: [UInt8], flags: UInt16 = 0, packed: [UInt8]? = nil) {
      let checksum = ArchiveTests.crc32(content)
      entries.append(Entry(name: name, offset: bytes.count, content: content, checksum: checksum, flags: flags, packed: packed))
      bytes.little32(0x0403_4B50)
      for value in [20, flags, packed == nil ? 0 : 8, 0, 0] as [UInt16] { bytes.little16(value) }
      bytes.little32(checksum)
      bytes.little32(UInt32((packed ?? content).count))
      bytes.little32(UInt32(content.count))
      bytes.little16(UInt16(name.utf8.count))
      bytes.little16(0)
      bytes += Array(name.utf8) + (packed ?? content)
    }

    /// Further names of the file that was added last.
    mutating func repeatLast(_ names: some Sequence<String>) {
      guard var entry = entries.last else { return }
      for name in names {
        entry.name = name
        entries.append(entry)
      }
    }

    /// The complete archive.
    var whole: [UInt8] {
      var result = bytes
      for entry in entries {
        result.little32(0x0201_4B50)
        for value in [20, 20, entry.flags, entry.method, 0, 0] as [UInt16] { result.little16(value) }
        result.little32(entry.checksum)
        result.little32(UInt32((entry.packed ?? entry.content).count))
        result.little32(UInt32(entry.content.count))
        result.little16(UInt16(entry.name.utf8.count))
        for _ in 0..<4 { result.little16(0) }
        result.little32(0)
        result.little32(UInt32(entry.offset))
        result += Array(entry.name.utf8)
      }
      let length = result.count - bytes.count
      result.little32(0x0605_4B50)
      for value in [0, 0, entries.count, entries.count] { result.little16(UInt16(value)) }
      result.little32(UInt32(length))
      result.little32(UInt32(bytes.count))
      result.little16(0)
      return result
    }
  }

  /// A tar archive of one file, with its end mark.
  static func tar(_ name: String, _ content: [UInt8], type: Unicode.Scalar = "0") -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at: Int) { header.replaceSubrange(at..<at + text.utf8.count, with: Array(text.utf8)) }
    put(name, at: 0)
    put("0000644", at: 100)
    put(String(repeating: "0", count: 11 - String(content.count, radix: 8).count) + String(content.count, radix: 8), at: 124)
    put("00000000000", at: 136)
    put("        ", at: 148)
    header[156] = UInt8(ascii: type)
    put("ustar\u{0}00", at: 257)
    let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
    put(String(repeating: "0", count: 6 - sum.count) + sum + "\u{0}", at: 148)
    let padding = [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    return header + content + padding + [UInt8](repeating: 0, count: 1024)
  }

  /// A gzip member, stored.
  static func gzip(_ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1]
    bytes.little16(UInt16(content.count))
    bytes.little16(~UInt16(content.count))
    bytes += content
    bytes.little32(crc32(content))
    bytes.little32(UInt32(content.count))
    return bytes
  }

  /// Reads a file: number of packets, the damage reported at its end, notices.
  private func read(_ bytes: [UInt8], joins: Bool = false, member: String? = nil) throws -> (
    packets: Int, damage: String?, notices: [String]
  ) {
    var options = CaptureOptions()
    (options.joinsPieces, options.member) = (joins, member)
    let source = try CaptureFile.open(bytes: bytes, name: "it", options: options)
    let batch = PacketBatch()
    var count = 0
    while try source.read(batch) { count += unsafe batch.records.count }
    return (count, source.damage?.what, source.notices)
  }

  private func fault(_ bytes: [UInt8]) -> String { #expect(throws: CaptureError.self) { try read(bytes) }?.description ?? "" }

  @Test func checksumsOfZipsAreCompared() throws {
    var zip = Zip()
    zip.add("btsnoop_hci.log", Self.capture(20))
    #expect(try read(zip.whole).damage == nil)
    zip.entries[0].checksum ^= 1
    let wrong = try read(zip.whole)
    #expect(wrong.packets == 20)
    #expect(wrong.damage == "the checksum of the file in the archive is wrong: its bytes are damaged")
  }

  @Test func cutZipsAreDamaged() throws {
    var zip = Zip()
    zip.add("btsnoop_hci.log", Self.capture(20))
    zip.add("other.txt", [UInt8](repeating: 0x20, count: 300))
    // The directory is missing; the capture is complete, or ends with a complete record.
    let (name, header, record) = (15, 16, 31)
    for end in [zip.bytes.count, 30 + name + header + 10 * record] {
      let cut = try read(Array(zip.whole[..<end]))
      #expect(cut.packets == (end == zip.bytes.count ? 20 : 10))
      #expect(cut.damage?.contains("cut short") == true, "\(cut)")
    }
  }

  @Test func encryptedFilesAreReported() throws {
    var zip = Zip()
    zip.add("btsnoop_hci.log", Self.capture(20), flags: 1)
    #expect(fault(zip.whole).contains("1 file is encrypted"))
    zip.add("other.log", Self.capture(5))
    let other = try read(zip.whole)
    #expect(other.packets == 5 && other.notices.contains { $0.contains("1 file is encrypted") })
  }

  @Test func cutTarsAreDamaged() throws {
    let whole = Self.tar("btsnoop_hci.log", Self.capture(200))
    #expect(try read(whole).damage == nil)
    // Within the content behind a record, behind the content, and before the end marker.
    for end in [512 + 16 + 100 * 31, 512 + 16 + 200 * 31, whole.count - 1024] {
      let cut = try read(Array(whole[..<end]))
      #expect(cut.packets == (end < 4000 ? 100 : 200) && cut.damage?.contains("cut short") == true, "\(end): \(cut)")
    }
    var broken = whole
    broken[broken.count - 1024] = 0x58
    #expect(try read(broken).damage == "the archive is damaged: a header in it is invalid")
    // The result is the same through gzip.
    let packed = try read(Self.gzip(Array(whole[..<(whole.count - 1024)])))
    #expect(packed.packets == 200 && packed.damage?.contains("cut short") == true)
  }

  @Test func whatStandsBehindGzipIsDamage() throws {
    let capture = Self.capture(20)
    let (first, second) = (Self.gzip(Array(capture[..<100])), Self.gzip(Array(capture[100...])))
    #expect(try read(first + second).damage == nil)
    // Archives from tapes are padded with zeros.
    #expect(try read(first + second + [UInt8](repeating: 0, count: 700)).damage == nil)
    for bytes in [first + second + Array("rubbish".utf8), first + second + [0, 0, 0, 7]] {
      let result = try read(bytes)
      #expect(result.packets == 20 && result.damage == "bytes after the compressed data are not compressed")
    }
    #expect(try read(first + Array("rubbish".utf8) + second).damage != nil)
    #expect(try read(first + [0x1F, 0x8B, 1] + second).damage != nil)
  }

  /// A gzip header may be long (RFC 1952, 2.3.1.1), and many empty blocks may follow each other, but not without a limit.
  @Test func bytesThatHoldNothingEnd() throws {
    let packed = Self.gzip(Self.capture(20))
    let (header, blocks) = (Array(packed[..<10]), Array(packed[10...]))
    var long = header + [0xFF, 0xFF] + [UInt8](repeating: 7, count: 0xFFFF) + blocks
    long[3] = 4
    #expect(try read(long).packets == 20)
    let nothing = [UInt8]((0..<20_000).map { _ in [0, 0, 0, 0xFF, 0xFF] as [UInt8] }.joined())
    #expect(try read(header + nothing + blocks).packets == 20)
    #expect(!fault(header + nothing + nothing + blocks).isEmpty)
  }

  /// Each of many names refers to the same archive, in which each of many names refers to the same archive …
  @Test func archivesInArchivesEnd() throws {
    var inner = Zip()
    inner.add("nothing.bin", [1, 2, 3])
    var bytes = inner.whole
    for _ in 0..<3 {
      var outer = Zip()
      outer.add("0.zip", bytes)
      let first = outer.entries[0]
      for number in 1..<200 {
        var other = first
        other.name = "\(number).zip"
        outer.entries.append(other)
      }
      bytes = outer.whole
    }
    #expect(fault(bytes).contains("more than \(ArchiveBudget.maxArchives) archives in the archive"))
  }

  @Test func filesInArchivesAreBounded() throws {
    var zip = Zip()
    zip.add("a", [1, 2, 3])
    let first = zip.entries[0]
    zip.entries = [Zip.Entry](repeating: first, count: ArchiveBudget.maxEntries + 10)
    #expect(fault(zip.whole).contains("more than \(ArchiveBudget.maxEntries) files in the archive"))
  }

  /// Pieces of a log: each byte of the archive is read once, whatever the directory says.
  @Test func piecesThatShareBytes() throws {
    var zip = Zip()
    for number in 1...3 { zip.add("logs/btsnoop_hci.log.\(number)", Self.capture(20)) }
    let apart = try read(zip.whole, joins: true)
    #expect(apart.packets == 60 && apart.damage == nil, "\(apart)")
    zip.repeatLast((4..<2004).map { "logs/btsnoop_hci.log.\($0)" })
    let same = try read(zip.whole, joins: true)
    #expect(same.packets == 60 && same.damage == "2000 pieces of the log are left out", "\(same)")
    #expect(same.notices.contains { $0.contains("2000 more pieces are left out, with bytes that are also those of others") })

    // Pieces that begin within another, each of which is a capture of the rest.
    var nested = Zip()
    nested.add("btsnoop_hci.log.9", Self.capture(20) + [UInt8](repeating: 0xFF, count: 4000))
    for number in 0..<8 {
      var inside = Zip()
      inside.add("btsnoop_hci.log.\(number)", Self.capture(20))
      let offset = nested.bytes.count
      nested.add("other.\(number)", inside.bytes)
      var entry = inside.entries[0]
      entry.offset = offset + 30 + 7
      nested.entries[0].content = [UInt8](repeating: 0, count: nested.bytes.count - 100)
      nested.entries.append(entry)
    }
    let within = try read(nested.whole, joins: true)
    #expect(within.damage?.contains("pieces of the log are left out") == true && within.packets == 20, "\(within)")
  }

  /// The unpacked size of pieces is limited by the archive's size, and counted once though they are read twice.
  @Test func piecesUnpackToABoundedSize() throws {
    /// An endless stream of zeros.
    final class Zeros: ByteInput {
      let path = "zeros"
      let size: Int? = nil
      let progress: (read: Int, total: Int?) = (0, nil)
      let canRewind = true
      func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { buffer.count }
      func rewind() -> Bool { true }
    }
    let budget = ArchiveBudget()
    let limit = ArchiveBudget.freeOfRatio + ArchiveBudget.joinedRatio * 1000
    let pieces = (0..<3).map { _ in PieceCount(budget, packed: 1000) }
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { room.deallocate() }
    for _ in 0..<2 {
      var total = 0
      for (number, piece) in pieces.enumerated() {
        let input = CountedInput(Zeros(), piece)
        // The first piece is read only in part, up to 100 MiB.
        while number > 0 || total < 100 << 20 {
          let count = try input.read(into: room)
          if count == 0 { break }
          total += count
        }
        #expect((input.trouble?.contains("400 times the archive's size") == true) == (number > 0))
      }
      #expect(total <= limit && total > limit - (1 << 20))
    }
  }

  /// An archive in an archive; in the inner directory the last file within the limit is listed before others.
  @Test func filesOfAllArchivesAreBounded() throws {
    var inner = Zip()
    inner.add("a/btsnoop_hci.log.1", Self.capture(5))
    inner.add("nothing", [])
    inner.repeatLast((0..<12_000).map { "n\($0)" })
    inner.add("a/btsnoop_hci.log", Self.capture(1000))
    let alone = try read(inner.whole, joins: true)
    #expect(alone.packets == 1005 && alone.damage == nil)
    var outer = Zip()
    outer.add("inner.zip", inner.whole)
    outer.add("nothing", [])
    outer.repeatLast((0..<40_000).map { "n\($0)" })
    let described = "more than \(ArchiveBudget.maxEntries) files in the archive"
    let within = try read(outer.whole, joins: true)
    #expect(within.packets == 5 && within.damage == described, "\(within)")
  }

  /// Empty deflate blocks before a file's first bytes: files that were not examined are reported even if a capture was found.
  @Test func whatIsNotLookedAtIsReported() throws {
    let nothing = [UInt8]((0..<24_000).map { _ in [0, 0, 0, 0xFF, 0xFF] as [UInt8] }.joined())
    let stored = Self.gzip(Array("nothing".utf8))
    for (count, packets) in [(2000, 1005), (2600, 5)] {
      var zip = Zip()
      zip.add("a/btsnoop_hci.log.1", Self.capture(5))
      zip.add("n", Array("nothing".utf8), packed: nothing + stored[10..<(stored.count - 8)])
      zip.repeatLast((1..<count).map { "n\($0)" })
      zip.add("a/btsnoop_hci.log", Self.capture(1000))
      let result = try read(zip.whole, joins: true)
      #expect(result.packets == packets, "\(result)")
      #expect(result.damage?.contains("MiB of the archive's files to look at") ?? false == (count > 2000), "\(result)")
    }
  }

  /// A compressed capture in a truncated archive: files behind it are lost.
  @Test func packedCapturesOfCutArchivesAreDamaged() throws {
    var zip = Zip()
    zip.add("btsnoop_hci.log.gz", Self.gzip(Self.capture(20)))
    #expect(try read(zip.whole).damage == nil)
    let cut = try read(zip.bytes + Array("PK".utf8))
    #expect(cut.packets == 20 && cut.damage?.contains("its directory at the end is missing") == true, "\(cut)")
  }

  /// File names are bytes: some are no text, and accented letters have two encodings.
  @Test func namesOfFiles() throws {
    var zip = Zip()
    zip.add("cafe\u{301}.log", Self.capture(3))
    zip.add("B.BTSNOOP.LOG", Self.capture(4))
    #expect(try read(zip.whole, member: "caf\u{E9}.log").packets == 3)
    #expect(try read(zip.whole, member: "cafe\u{301}.log").packets == 3)
    #expect(try read(zip.whole, member: "SNOOP.LOG").packets == 4)
    #expect(throws: CaptureError.self) { try read(zip.whole, member: "cafe.log") }
    #expect(try read(zip.whole).packets == 4)
    let tar = Self.tar("cafe\u{301}.log", Self.capture(3))
    #expect(try read(tar, member: "caf\u{E9}.log").packets == 3)
    #expect(throws: CaptureError.self) { try read(tar, member: "other") }
  }

  /// The total length of names of files that could be read is limited; further files are left out.
  @Test func namesAreBounded() throws {
    let count = ArchiveBudget.maxNameBytes / ArchiveMember.longestName
    func name(_ number: Int) -> String { "\(number)" + String(repeating: "x", count: 1019 - "\(number)".utf8.count) + ".conf" }
    var zip = Zip()
    zip.add(name(0), Self.capture(3))
    zip.repeatLast((1..<count).map(name))
    #expect(try read(zip.whole).damage == nil)
    zip.repeatLast([name(count)])
    #expect(try read(zip.whole).damage == "more than 4 MiB of names in the archive")
    // Names of files without content to read do not count.
    zip.entries.removeAll { _ in true }
    zip.add("nothing", [1, 2, 3])
    zip.repeatLast((0...count).map(name))
    zip.add("btsnoop_hci.log", Self.capture(3))
    #expect(try read(zip.whole).damage == nil)
    let entry = Self.tar("x", Self.capture(3)).dropLast(1024)
    let end = [UInt8](repeating: 0, count: 1024)
    var long: [UInt8] = []
    for number in 0...count {
      // In a tar archive, a file's long name is in an entry before it.
      if number == count { #expect(try read(long + end).damage == nil) }
      long += Self.tar("L", Array(name(number).utf8), type: "L").dropLast(1024) + entry
    }
    #expect(try read(long + end).damage == "more than 4 MiB of names in the archive")
  }
}
