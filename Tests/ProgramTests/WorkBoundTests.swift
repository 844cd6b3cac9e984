import Foundation
import Testing

/// Captures that need more work than their size: each is processed within a part of the processor time that quadratic work would take, where the work
/// is the product of two numbers that a capture determines. Data that are left out are reported.
@Suite(.serialized) struct WorkBoundTests {
  private typealias Tape = BoundTests.Tape

  /// Pseudorandom numbers, the same in each run.
  struct Noise {
    private var state: UInt64 = 0x2545_F491_4F6C_DD1D

    mutating func bytes(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 24)
      }
    }
  }

  /// A Link Layer capture (pcap, link type 251) that is built packet by packet, ten milliseconds apart.
  private struct Air {
    private(set) var bytes = BoundTests.little32([0xA1B2_C3D4, 0x0004_0002, 0, 0, 0x40000, 251])
    private var count: UInt32 = 0

    mutating func packet(_ access: Int, _ header: UInt8, _ payload: [UInt8]) {
      count += 1
      let packet = BoundTests.little32([UInt32(access)]) + [header, UInt8(payload.count)] + payload + [0, 0, 0]
      let (seconds, micros, size) = (1_795_167_000 + count / 100, count % 100 * 10_000, UInt32(packet.count))
      bytes += BoundTests.little32([seconds, micros, size, size]) + packet
    }

    /// An encryption starts, followed by `packets` packets that no key decrypts.
    mutating func encrypt(_ access: Int, _ noise: inout Noise, packets: Int, diversifier: [UInt8] = [1, 2]) {
      let random: [UInt8] = diversifier == [0, 0] ? [UInt8](repeating: 0, count: 8) : noise.bytes(8)
      packet(access, 3, [3] + random + diversifier + noise.bytes(12))
      packet(access, 3, [4] + noise.bytes(12))
      packet(access, 3, [5])
      for _ in 0..<packets { packet(access, 2, [0xFF] + noise.bytes(23)) }
    }
  }

  /// Runs the program on files; `A` and `B` in `words` stand for the captures. Returns its status, its peak memory, the number of bytes that it printed,
  /// and its standard error.
  func run(_ words: [String], _ captures: [[UInt8]], seconds: Int) throws -> (status: Int32, peak: Int, bytes: Int, errors: String) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var paths: [String: String] = [:]
    for (name, capture) in zip(["A", "B"], captures) {
      paths[name] = folder.appendingPathComponent(name).path
      try Data(capture).write(to: folder.appendingPathComponent(name))
    }
    let arguments = words.map { paths[$0] ?? $0 }
    let measured = try BoundTests.measured(arguments, seconds: seconds)
    let line = (["ulimit -t \(seconds); btscribe"] + arguments.map { "'\($0)'" } + ["| wc -c"]).joined(separator: " ")
    let shell = try Program.shell(line)
    return (measured.status, measured.peak, Int(shell.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1, shell.errors)
  }

  /// Links that wait for responses, and a log in which each packet is a gzip member of its own.
  @Test func packetsInMembers() throws {
    var tape = Tape()
    for number in 0..<2000 {
      tape.connect(number, number)
      for request in 1...7 { tape.pdu(number, 5, [0x14, UInt8(request), 10, 0, 0x80, 0, UInt8(0x40 + request), 0, 64, 0, 64, 0, 1, 0]) }
    }
    var capture = Array(stride(from: 0, to: tape.bytes.count, by: 60_000)).flatMap { start in
      BoundTests.gzip(tape.bytes[start..<min(start + 60_000, tape.bytes.count)])
    }
    for number in 0..<40_000 {
      let start = tape.bytes.count
      tape.pdu(number % 2000, 4, [0x1B, 3, 0, UInt8(truncatingIfNeeded: number)], isReceived: true)
      capture += BoundTests.gzip(tape.bytes[start...])
    }
    for command in ["timeline", "operations"] {
      // 30 seconds if each member is a batch, and all links are checked after each batch.
      let result = try run([command, "A"], [capture], seconds: 10)
      #expect(result.status == 0, "\(command): \(result.status) \(result.errors)")
    }
  }

  /// Runs of values on many connections, and times that go back with each packet.
  @Test func timesThatStepBack() throws {
    var tape = Tape()
    for number in 0..<2000 { tape.connect(number, number) }
    for value in 0..<30 {
      for number in 0..<2000 { tape.pdu(number, 4, [0x1B, UInt8(value + 3), 0, 1], isReceived: true) }
    }
    tape.step = .max
    for _ in 0..<60_000 { tape.event(0x13, [0]) }
    // 15 seconds if all runs are checked for each packet.
    let result = try run(["operations", "A"], [tape.bytes], seconds: 6)
    #expect(result.status == 0, "\(result.status) \(result.errors)")
  }

  /// Keys sent unencrypted, and encrypted connections that none of them decrypts.
  @Test func keysAndConnections() throws {
    var (air, noise) = (Air(), Noise())
    for _ in 0..<4000 { air.packet(0x1234_5678, 2, [17, 0, 6, 0, 6] + noise.bytes(16)) }
    for number in 0..<1500 { air.encrypt(0x5000_0000 + number * 0x101, &noise, packets: 2) }
    // A minute of processor time, and 144 MB, if each connection keeps and tries all keys.
    let result = try run(["timeline", "A"], [air.bytes], seconds: 30)
    #expect(result.status == 0)
    #expect(result.peak < 80_000, "\(result.peak) kB")
    #expect(result.errors.contains("not all keys were tried on"), "\(result.errors)")
  }

  /// Sources and devices whose addresses may occur in values.
  @Test func sourcesAndAddresses() throws {
    var (tape, noise) = (Tape(), Noise())
    for number in 0..<16_000 {
      tape.connect(64 + number % 8, number)
      if number < 4096 { tape.pdu(64 + number % 8, 4, [0x1B, 3, 0] + noise.bytes(60), isReceived: true) }
      tape.disconnect(64 + number % 8)
    }
    let result = try run(["infer", "A"], [tape.bytes], seconds: 25)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Long values without a checksum, in sources with many possible framings.
  @Test func waysToCutValues() throws {
    var (tape, noise) = (Tape(), Noise())
    tape.connect(1, 1)
    for number in 0..<24_000 {
      let head = BoundTests.little(UInt16(3 + number % 300)) + BoundTests.little(UInt16(truncatingIfNeeded: number * 7919))
      tape.pdu(1, 4, [0x16] + head + noise.bytes(40))
      tape.pdu(1, 4, [0x17] + head + [UInt8](repeating: 0, count: 40), isReceived: true)
      if number % 2000 == 1999 {
        tape.pdu(1, 4, [0x18, 1])
        tape.pdu(1, 4, [0x19], isReceived: true)
      }
    }
    let result = try run(["infer", "A"], [tape.bytes], seconds: 25)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Connections of a device that occurs in only one of two captures.
  @Test func connectionsOfADevice() throws {
    func capture(_ connections: Int) -> [UInt8] {
      var tape = Tape()
      for _ in 0..<connections {
        tape.connect(64, 1)
        tape.disconnect(64)
      }
      tape.connect(3, 1)
      for value in 0..<20 {
        tape.pdu(3, 4, [0x12, 0x10, 0] + [UInt8](repeating: UInt8(value), count: 8))
        tape.pdu(3, 4, [0x13], isReceived: true)
      }
      tape.disconnect(3)
      return tape.bytes
    }
    let result = try run(["diff", "A", "B"], [capture(0), capture(64_000)], seconds: 8)
    #expect([0, 1].contains(result.status), "\(result.errors)")
  }

  /// Disconnections of unknown connections after many connections: 28 s if each is searched among all.
  @Test func endsOfUnknownConnections() throws {
    var tape = Tape()
    for number in 0..<65_000 {
      tape.connect(1 + number % 2000, number % 60_000)
      tape.disconnect(1 + number % 2000)
    }
    for number in 0..<200_000 { tape.disconnect(0xE00 + number % 16) }
    let result = try run(["timeline", "-q", "A"], [tape.bytes], seconds: 12)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Rejected commands while many connections are open: a minute if each command checks all of them.
  @Test(arguments: ["operations", "summary"]) func refusedCommands(command: String) throws {
    var tape = Tape()
    for number in 0..<2000 { tape.connect(number, number) }
    for number in 0..<200_000 {
      tape.command(0x2013, BoundTests.little(UInt16(number % 2000)) + [24, 0, 40, 0, 0, 0, 42, 0, 0, 0, 0, 0])
      tape.event(0x0F, [0x0C, 1, 0x13, 0x20])
    }
    let result = try run([command, "A"], [tape.bytes], seconds: 20)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Pauses between packets while many connections are open.
  @Test func silenceOfManyConnections() throws {
    var tape = Tape()
    for number in 0..<2000 { tape.connect(number, number) }
    tape.step = 6_000_000
    for _ in 0..<400_000 { tape.event(0x0E, [1, 0, 0]) }
    let result = try run(["operations", "A"], [tape.bytes], seconds: 4)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// A device with many characteristics.
  private func characteristics(_ count: Int, _ tape: inout Tape, first: [UInt16] = []) {
    tape.pdu(1, 4, [0x10, 1, 0, 0xFF, 0xFF, 0, 0x28])
    tape.pdu(1, 4, [0x11, 6, 1, 0, 0xFF, 0xFF, 0xF0, 0xFF], isReceived: true)
    for start in stride(from: 0, to: count, by: 60) {
      let handle = UInt16(2 + 2 * start)
      tape.pdu(1, 4, [0x08] + BoundTests.little(handle) + [0xFF, 0xFF, 0x03, 0x28])
      var answer: [UInt8] = [0x09, 7]
      for number in 0..<60 {
        let index = start + number
        let uuid = index < first.count ? first[index] : UInt16(0x2F00 + index % 200)
        answer += BoundTests.little(handle + UInt16(2 * number)) + [0x1E] + BoundTests.little(handle + UInt16(2 * number + 1))
        answer += BoundTests.little(uuid)
      }
      tape.pdu(1, 4, answer, isReceived: true)
    }
  }

  /// Requests with many handles of a device with many characteristics: two minutes if each one checks all of them.
  @Test(arguments: ["btatt.service_uuid16", "btatt.characteristic_uuid16"]) func typesOfManyHandles(field: String) throws {
    var tape = Tape()
    tape.connect(1, 1)
    characteristics(30_000, &tape)
    for number in 0..<5000 {
      tape.pdu(1, 4, [0x0E] + (0..<200).flatMap { BoundTests.little(UInt16(59_000 - (number + $0 * 7) % 900)) })
    }
    let result = try run(["fields", "-e", field, "A"], [tape.bytes], seconds: 15)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// A device with many characteristics known to a profile, which connects again and again: a minute if all of them are checked each time.
  @Test func deviceThatComesAgain() throws {
    var tape = Tape()
    let name: [UInt8] = [5, 9, 0x44, 0x4C, 0x2D, 0x31, 3, 3, 0xF0, 0xFF]
    tape.event(0x3E, [2, 1, 0, 1] + BoundTests.address(1) + [UInt8(name.count)] + name + [0xC5])
    tape.connect(1, 1)
    characteristics(30_000, &tape, first: [0xFFF2, 0xFFF1])
    tape.disconnect(1)
    for _ in 0..<6000 {
      tape.connect(1, 1)
      tape.pdu(1, 4, [0x52, 3, 0, 0xD2, 3, 0, 0, 0, 0x3E, 0xD7, 0xB9])
      tape.disconnect(1)
    }
    let result = try run(["timeline", "-q", "A"], [tape.bytes], seconds: 15)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Comments of one packet: a limited number is printed, with the number of the others.
  @Test func commentsOfAPacket() throws {
    func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
      let length = UInt32(body.count + 12)
      return BoundTests.little32([type, length]) + body + BoundTests.little32([length])
    }
    var bytes = block(0x0A0D_0D0A, BoundTests.little32([0x1A2B_3C4D, 1, 0xFFFF_FFFF, 0xFFFF_FFFF]))
    bytes += block(1, [201, 0, 0, 0] + BoundTests.little32([0]))
    let packet: [UInt8] = [0, 0, 0, 1, 4, 0x13, 5, 1, 0x40, 0, 1, 0]
    let comments = (0..<400_000).flatMap { _ in [1, 0, 1, 0, 0x61, 0, 0, 0] as [UInt8] }
    bytes += block(6, BoundTests.little32([0, 0, 0, UInt32(packet.count), UInt32(packet.count)]) + packet + comments)
    let result = try run(["timeline", "A"], [bytes], seconds: 30)
    #expect(result.status == 0)
    #expect(result.peak < 64_000, "\(result.peak) kB")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try Data(bytes).write(to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let rows = try Program.shell("btscribe timeline '\(folder.path)' | grep -c 'note\\|comment'; btscribe summary '\(folder.path)'")
    #expect(rows.output.contains("399744 comments were left out"), "\(rows.output.suffix(600))")
  }

  /// More keys than can be kept, and more identity keys than are tried.
  @Test func moreKeysThanAreKept() throws {
    func errors(_ kind: String, _ count: Int) throws -> String {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString).keys")
      let keys = (1...count).map { kind + "=" + String(repeating: "0", count: 32 - String($0, radix: 16).count) + String($0, radix: 16) }
      try Data(keys.joined(separator: "\n").utf8).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      return try Program.shell("btscribe timeline -q --keys '\(file.path)' Samples/gopro.btsnoop > /dev/null").errors
    }
    #expect(try errors("ltk", 5000) == "btscribe: more keys than 4096: 904 of those that were given are not used\n")
    // Each key is stored in both byte orders.
    #expect(try errors("irk", 300).contains("more identity resolving keys than 512: 88 of those that were given resolve no address"))
    #expect(try errors("irk", 256) == "")
  }

  /// Profiles with expensive or long values, for each message of a capture.
  @Test(
    arguments: [
      ("a.map(a.hkdf_sha256(a,a,1024)[0]).sum", ""),
      ("v12", (1...12).map { "      v\($0): {value: v\($0 - 1) + v\($0 - 1)}\n" }.joined() + "      v0: {value: \"'aaaaaaaaaaaaaaaa'\"}\n"),
    ])
  func valuesOfAProfile(value: String, more: String) throws {
    let profile = """
      profile: x
      characteristics: {c: {handle: 0x20, notify: m}}
      types:
        m:
          seq:
            - {id: a, size-eos: true}
          instances:
            v: {value: "\(value)"}
      \(more)
      """
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString).yaml")
    try Data(profile.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var (tape, noise) = (Tape(), Noise())
    tape.connect(1, 1)
    for _ in 0..<2000 { tape.pdu(1, 4, [0x1B, 0x20, 0] + noise.bytes(200), isReceived: true) }
    let result = try run(["timeline", "--profile", file.path, "A"], [tape.bytes], seconds: 12)
    #expect(result.status == 0, "\(result.errors)")
    guard !more.isEmpty else { return }
    let capture = file.deletingPathExtension()
    try Data(tape.bytes).write(to: capture)
    defer { try? FileManager.default.removeItem(at: capture) }
    let rows = try Program.shell(
      "btscribe timeline --profile '\(file.path)' '\(capture.path)' | head -50 | awk '{ print length($0) }' | sort -n | tail -1")
    #expect(Int(rows.output.dropLast()).map { $0 < 80_000 } == true, "\(rows.output)")
  }

  /// More connections than open files: the remaining ones are written to one file, and that is reported.
  @Test func moreConnectionsThanFiles() throws {
    var tape = Tape()
    for number in 0..<260 {
      tape.connect(64, number)
      tape.disconnect(64)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(tape.bytes).write(to: folder.appendingPathComponent("many.btsnoop"))
    let result = try Program.shell(
      "cd '\(folder.path)' && btscribe convert many.btsnoop x.pcapng --split connection; ls x-*.pcapng | wc -l")
    #expect(result.errors.contains("more parts than 200: the packets of 60 are in x-rest.pcapng"), "\(result.errors)")
    #expect(result.output.contains("201"))
  }

  /// The first packet of a sample, truncated; `time` replaces its time, in µs.
  private func firstPacket(at time: UInt64? = nil) throws -> [UInt8] {
    var bytes = [UInt8](try Data(contentsOf: Program.root.appendingPathComponent("Samples/gopro.btsnoop")).prefix(100))
    if let time { bytes.replaceSubrange(32..<40, with: (0..<8).map { UInt8(truncatingIfNeeded: time >> UInt64(56 - 8 * $0)) }) }
    return bytes
  }

  /// A tar archive of the pieces of a log; each piece is named `longName` followed by its number.
  private func tar(_ pieces: [[UInt8]], longName: [UInt8]? = nil) -> [UInt8] {
    func octal(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 8)
      return String(repeating: "0", count: digits - text.count) + text
    }
    func file(_ name: String, _ type: String, _ content: [UInt8]) -> [UInt8] {
      var header = [UInt8](repeating: 0, count: 512)
      func put(_ text: String, _ offset: Int) { header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8) }
      put(name, 0)
      put("0000644", 100)
      put(octal(content.count, 11), 124)
      put("        ", 148)
      put(type, 156)
      put("ustar", 257)
      put("00", 263)
      put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0 ", 148)
      return header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }
    var archive: [UInt8] = []
    for (number, piece) in pieces.enumerated() {
      if let longName { archive += file("name", "L", longName + Array("\(number)".utf8)) }
      archive += file("logs/btsnoop_hci.log.\(number)", "0", piece)
    }
    return archive + [UInt8](repeating: 0, count: 1024)
  }

  /// A log in very many pieces: the data of pieces that have been read are not iterated for each batch.
  @Test(arguments: [["summary", "A", "--join"], ["convert", "A", "--join", "-o", "-", "--to", "btsnoop"]])
  func logsInManyPieces(words: [String]) throws {
    let piece = try firstPacket()
    let archive = tar((0..<16_000).map { _ in piece })
    let result = try run(words, [archive], seconds: 4)
    // Each piece ends within a packet.
    #expect(result.status == 65 && result.errors.contains("joined with 15999 more"), "\(result.status) \(result.errors.prefix(300))")
  }

  /// Seeking back in a compressed archive means decompressing it from its start: pieces whose order in the archive is not that of their times.
  @Test(arguments: [false, true]) func piecesInAPackedArchive(newestFirst: Bool) throws {
    let count = 4000
    let pieces = try (0..<count).map { number in
      try firstPacket(at: 0x00E3_0000_0000_0000 + UInt64(newestFirst ? count - number : number) * 1_000_000)
    }
    let archive = tar(pieces)
    let plain = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString).tar")
    try Data(archive).write(to: plain)
    defer { try? FileManager.default.removeItem(at: plain) }
    let result = try Program.shell(
      "gzip < '\(plain.path)' > \"$TMP/a.tgz\" && ulimit -t 4 && btscribe summary --join \"$TMP/a.tgz\" > /dev/null")
    // Each piece ends within a packet.
    #expect(result.status == 65 && result.errors.contains("joined with 3999 more"), "\(result.status) \(result.errors.prefix(300))")
  }

  /// A compressed archive of empty archives, behind large contents that are decompressed before them; the last archive is tried first.
  @Test func archivesBehindAPackedDesert() throws {
    let result = try Program.shell(
      """
      cd "$TMP" && mkdir d && head -c 200000000 /dev/zero > d/0
      for i in $(seq 60); do head -c $((1000 + i * 100)) /dev/zero > x && tar cf - x | gzip > d/$((100 + i)).tgz; done
      tar czf a.tgz d && ulimit -t 8 && btscribe summary a.tgz
      """)
    #expect(result.status == 65 && result.errors.contains("more than 64 archives"), "\(result.status) \(result.errors)")
  }

  /// Files of a zip archive that share one deflate stream of empty blocks.
  @Test func emptyBlocksOfAZip() throws {
    func member(_ signature: UInt32, _ fields: [UInt8]) -> [UInt8] { BoundTests.little32([signature]) + fields }
    let stream = [UInt8]((0..<400_000).map { _ in [0, 0, 0, 0xFF, 0xFF] as [UInt8] }.joined()) + [1, 0, 0, 0xFF, 0xFF]
    let sizes = BoundTests.little32([0, UInt32(stream.count), 5000])
    var bytes = member(0x0403_4B50, [20, 0, 0, 0, 8, 0, 0, 0, 0, 0] + sizes + [1, 0, 0, 0] + Array("a".utf8)) + stream
    let start = bytes.count
    let behind = [1, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 12) + Array("a".utf8)
    let entry = member(0x0201_4B50, [20, 0, 20, 0, 0, 0, 8, 0, 0, 0, 0, 0] + sizes + behind)
    for _ in 0..<30_000 { bytes += entry }
    let size = BoundTests.little32([UInt32(entry.count * 30_000), UInt32(start)])
    bytes += member(0x0605_4B50, [0, 0, 0, 0, 0x30, 0x75, 0x30, 0x75] + size + [0, 0])
    let result = try run(["summary", "A"], [bytes], seconds: 4)
    #expect(result.status == 65 && result.errors.contains("MiB of the archive's files to look at"), "\(result.status) \(result.errors)")
  }

  /// A zip archive of a stored file, with further names in its directory: of that file, or of empty files.
  private func zipArchive(_ name: String, _ content: [UInt8], names: [[UInt8]], ofFile: Bool) -> [UInt8] {
    func entry(_ signature: UInt32, _ versions: [UInt8], _ name: [UInt8], size: Int, _ behind: [UInt8]) -> [UInt8] {
      let sizes = BoundTests.little32([0, UInt32(size), UInt32(size)])
      let head = BoundTests.little32([signature]) + versions + [UInt8](repeating: 0, count: 8)
      return head + sizes + BoundTests.little(UInt16(name.count)) + [0, 0] + behind + name
    }
    let none = [UInt8](repeating: 0, count: 14)
    var bytes = entry(0x0403_4B50, [20, 0], Array(name.utf8), size: content.count, []) + content
    let start = bytes.count
    bytes += entry(0x0201_4B50, [20, 0, 20, 0], Array(name.utf8), size: content.count, none)
    for name in names { bytes += entry(0x0201_4B50, [20, 0, 20, 0], name, size: ofFile ? content.count : 0, none) }
    let count = BoundTests.little(UInt16(names.count + 1))
    let directory = BoundTests.little32([UInt32(bytes.count - start), UInt32(start)])
    return bytes + BoundTests.little32([0x0605_4B50]) + [0, 0, 0, 0] + count + count + directory + [0, 0]
  }

  /// Long names that are not text, of files without readable content, in nested archives: 170 MB if each directory is kept.
  @Test func namesInDirectoriesOfZips() throws {
    let name = [UInt8](repeating: 0xFF, count: 1024)
    var bytes = try firstPacket()
    for file in ["btsnoop_hci.log", "inner.zip", "inner.zip"] {
      bytes = zipArchive(file, bytes, names: [[UInt8]](repeating: name, count: 14_000), ofFile: false)
    }
    let result = try run(["summary", "A"], [bytes], seconds: 4)
    #expect(result.peak < 60_000, "\(result.status) \(result.peak) kB \(result.errors)")
    #expect(result.errors.contains("reading btsnoop_hci.log"), "\(result.errors)")
  }

  /// Names of a log's pieces with many code points per character: 3 s if characters are compared.
  @Test func namesOfManyPieces() throws {
    let flags = (0..<254).flatMap { _ in Array("\u{1F1E6}".utf8) }
    let names = (0..<4000).map { flags + Array("\($0).1".utf8) }
    let result = try run(
      ["summary", "A", "--join"], [zipArchive("btsnoop_hci.log", firstPacket(), names: names, ofFile: true)], seconds: 1)
    #expect(result.status == 65 && result.errors.contains("reading btsnoop_hci.log"), "\(result.status) \(result.errors.prefix(300))")
  }

  /// Long names that are not text, of captures in a tar archive: 12 s, and 92 MB, if they are kept as text, with the beginnings of the files.
  @Test func namesInATar() throws {
    let piece = try firstPacket()
    let content = piece + [UInt8](repeating: 0, count: 1100)
    let archive = tar((0..<12_000).map { _ in content }, longName: [UInt8](repeating: 0xFF, count: 1018))
    let result = try run(["summary", "A"], [archive], seconds: 3)
    #expect(result.status == 65 && result.peak < 60_000, "\(result.status) \(result.peak) kB")
    #expect(result.errors.contains("more than 4 MiB of names in the archive"), "\(result.errors.suffix(300))")
  }

  /// An archive of the current folder begins with `./`, as a capture could.
  @Test func anArchiveOfTheCurrentFolder() throws {
    let result = try Program.shell(
      """
      cd "$TMP" && mkdir d && cp "\(Program.root.path)/Samples/gopro.btsnoop" d/btsnoop_hci.log && cd d
      for ending in tar tgz; do tar caf ../a.$ending . && btscribe summary ../a.$ending | head -1; done
      """)
    #expect(result.output.split(separator: "\n").filter { $0.contains("btsnoop (H4)") }.count == 2, "\(result.output) \(result.errors)")
  }

  /// Files that look like bug reports with a capture, and have none.
  @Test func filesOpenedInVain() throws {
    let result = try Program.shell(
      """
      cd "$TMP" && mkdir r && for i in $(seq 4000); do echo nothing > r/bugreport$i.txt; done
      tar czf a.tgz r && ulimit -t 4 && btscribe summary a.tgz
      """)
    #expect(result.status == 65 && result.errors.contains("more than 16 files in the archive that may hold a capture"), "\(result.errors)")
  }

  /// The signature of a zip member, repeated, without a directory.
  @Test func signaturesOfAZip() throws {
    let signature: [UInt8] = [0x50, 0x4B, 3, 4, 0x2F, 0x2F, 0x2F, 0x2F]
    let bytes = [UInt8]((0..<2_000_000).map { _ in signature }.joined())
    let result = try run(["summary", "A"], [bytes], seconds: 3)
    #expect(result.status == 65, "\(result.errors)")
  }

  /// A record of UART bytes with very many packets.
  @Test func packetsInARecord() throws {
    let frame: [UInt8] = [0xC0, 0x00, 0x01, 0x00, 0xFE]
    let frames = [UInt8]((0..<50_000).map { _ in frame }.joined())
    func big32(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
    let head = Array("btsnoop\0".utf8) + big32(1) + big32(1004)
    let record = big32(frames.count) + big32(frames.count) + big32(0) + big32(0) + big32(0x00E0_3AB4) + big32(0x4A67_6000)
    let capture = head + [UInt8]((0..<16).map { _ in record + frames }.joined())
    for words in [["timeline", "A"], ["summary", "A"]] {
      let result = try run(words, [capture], seconds: 60)
      #expect(result.status == 0 && result.peak < 72_000, "\(result.status) \(result.peak) kB \(result.errors)")
    }
  }

  /// More sniffers than can be compared with a log are rejected.
  @Test func moreSniffersThanAreCompared() throws {
    let words = ["timeline", "Samples/both-phone.btsnoop"] + (0..<17).flatMap { _ in ["--air", "Samples/both-air.pcapng"] }
    let result = try Program.shell("btscribe \(words.joined(separator: " ")) > /dev/null")
    #expect(result.status == 64 && result.errors.contains("--air: 17 sniffers; at most 16 are compared"), "\(result.errors)")
    let two = try Program.shell(
      "btscribe timeline -q Samples/both-phone.btsnoop --air Samples/both-air.pcapng --air Samples/both-air.pcapng")
    #expect(two.status == 0 && two.output.contains("Desk Lamp"), "\(two.output.prefix(300)) \(two.errors)")
  }

  /// Packets an hour apart, each of which would get a file of its own.
  @Test func partsByTime() throws {
    var tape = Tape()
    tape.connect(1, 1)
    for number in 0..<300 { tape.pdu(1, 4, [0x1B, 3, 0, UInt8(number & 255)], isReceived: true) }
    var bytes = tape.bytes
    // Each record begins with 24 bytes, the last eight of which are its time in microseconds.
    var (at, number) = (16, UInt64(0))
    while at + 24 <= bytes.count {
      let size = bytes[at + 4..<at + 8].reduce(0) { $0 << 8 | Int($1) }
      let time = 0x00DC_DDB3_0F2F_8000 + number * 3_600_000_000
      for byte in 0..<8 { bytes[at + 16 + byte] = UInt8(truncatingIfNeeded: time >> UInt64(8 * (7 - byte))) }
      (at, number) = (at + 24 + size, number + 1)
    }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString).btsnoop")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try Program.shell(
      "cd \"$TMP\" && mkdir parts && btscribe convert --split time '\(file.path)' parts/a.btsnoop && ls parts | wc -l")
    #expect(result.status == 0 && result.output.contains("201"), "\(result.output)")
    #expect(result.errors.contains("more parts than 200"), "\(result.errors)")
  }

  /// A compressed capture beside another one in an archive is reported by name.
  @Test func packedCapturesInAnArchive() throws {
    let result = try Program.shell(
      """
      cd "$TMP" && mkdir p && for n in a b; do gzip -c "\(Program.root.path)/Samples/gopro.btsnoop" > p/$n.gz; done
      tar cf p.tar p && btscribe summary p.tar > /dev/null
      """)
    #expect(result.errors.contains("there are also p/"), "\(result.errors)")
  }

  /// Repeated values of one byte: short sums fit everywhere.
  @Test func checksumsOfEqualBytes() throws {
    var tape = Tape()
    tape.connect(1, 1)
    for number in 0..<700 { tape.pdu(1, 4, [0x1B, 3, 0] + [UInt8](repeating: 0x5B, count: 20 + number % 40), isReceived: true) }
    let result = try run(["infer", "A"], [tape.bytes], seconds: 8)
    #expect(result.status == 0, "\(result.errors)")
  }

  // MARK: Profiles

  /// Notifications of one attribute.
  func notifications(_ values: [[UInt8]]) -> [UInt8] {
    var tape = Tape()
    tape.connect(1, 1)
    for value in values { tape.pdu(1, 4, [0x1B, 0x10, 0] + value, isReceived: true) }
    return tape.bytes
  }

  func profile(_ text: String) -> [UInt8] { Array("profile: x\n\(text)".utf8) }

  /// Stream headers that are larger than packets, and that may begin at each byte.
  @Test(arguments: [30_000, 3000]) func headersOfStreams(_ size: Int) throws {
    let own = profile(
      """
      characteristics: {a: {handle: 0x10, notify: bytes, framing: [{stream: {start: 0xa5, end: 0x5a, header: h, length: "65000", on-bad-end: resync}}]}}
      types: {h: {seq: [{id: x, type: u1, repeat: expr, repeat-expr: \(size)}]}}
      """)
    let values = [[UInt8]](repeating: [UInt8](repeating: 0xA5, count: 100), count: 300)
    // A minute if a header is read to its end at each byte.
    let result = try run(["timeline", "--profile", "B", "A"], [notifications(values), own], seconds: 10)
    #expect(result.status == 65 || result.status == 0, "\(result.errors)")
    let single = [[UInt8]](repeating: [0xA5], count: 20_000)
    #expect(try run(["timeline", "--profile", "B", "A"], [notifications(single), own], seconds: 10).peak < 80_000)
  }

  /// Values of many messages, each with a long line: as comments of their packets all of them took 2 GB. 64 are kept, and their number.
  @Test func commentsOfManyMessages() throws {
    let own = profile(
      """
      characteristics: {a: {handle: 0x10, notify: m, framing: [{stream: {length: 1}}]}}
      types: {m: {-say: "\(String(repeating: "x", count: 4000))", seq: [{id: p, type: u1}]}}
      """)
    let capture = notifications((0..<300).map { _ in [UInt8](repeating: 1, count: 500) })
    let result = try run(["convert", "-q", "--annotate", "--to", "pcapng", "--profile", "B", "A", "-"], [capture, own], seconds: 15)
    #expect(result.status == 0 && result.peak < 160_000, "\(result)")
  }

  /// JSON whose members all have other long names: a report kept 343 MB of names, `redact --check` 483 MB.
  @Test(arguments: [["report", "--format", "html", "-o", "-"], ["redact", "--check"]]) func namesOfMembers(words: [String]) throws {
    let own = profile("characteristics: {a: {handle: 0x10, notify: json}}\n")
    let capture = notifications((0..<6000).map { Array("{\"\($0)\(String(repeating: "n", count: 10_000))\": 1}".utf8) })
    let result = try run(words + ["--profile", "B", "A"], [capture, own], seconds: 40)
    #expect([0, 1].contains(result.status) && result.peak < 200_000, "\(result)")
  }

  /// Bodies that print much more than they have bytes: a text that is computed, instances that all read the whole body, long names, and names of
  /// objects in objects. 98 KB of values made 5.5 GB of NDJSON. What is printed counts as steps of the profile, four bytes each.
  @Test(arguments: ["text", "bytes", "names", "depth", "bodies", "titles"]) func printedFields(_ kind: String) throws {
    let name = String(repeating: "n", count: 240)
    let types: String
    switch kind {
    case "text":
      types =
        "m: {seq: [{id: p, type: u1}], instances: {t: {value: '\"\(String(repeating: "x", count: 4000))\"'}, "
        + "u: {value: t + t + t + t + t + t + t + t}, v: {value: u + u + u + u + u + u + u + u}, w: {value: v + v + v + v}}}"
    case "bytes":
      let fields = (0..<1000).map { "b\($0): {pos: 0, size-eos: true}" }
      types = "m: {seq: [{id: p, type: u1}], instances: {\(fields.joined(separator: ", "))}}"
    case "titles": types = "m: {seq: [{id: a, type: u1}]}"
    case "bodies":
      let fields = (0..<1000).map { "b\($0): {pos: 0, size-eos: true, -body: text}" }
      types = "m: {seq: [{id: p, type: u1}], instances: {\(fields.joined(separator: ", "))}}"
    case "names":
      let fields = (0..<1000).map { "\(name)\($0): {value: p}" }
      types = "m: {seq: [{id: p, type: u1}], instances: {\(fields.joined(separator: ", "))}}"
    default:
      let outer = (0..<30).map { "m\($0 == 0 ? "" : "\($0)"): {instances: {\(name): {pos: 0, type: m\($0 + 1)}}}" }
      let fields = (0..<500).map { "f\($0): {value: p}" }
      types = (outer + ["m30: {seq: [{id: p, type: u1}], instances: {\(fields.joined(separator: ", "))}}"]).joined(separator: ", ")
    }
    // A message of each byte, with long titles.
    let title = String(repeating: "t", count: 250)
    let characteristic = kind == "titles" ? "title: \(title), framing: [{stream: {length: 1}}], " : ""
    let own = profile(
      "characteristics: {\(kind == "titles" ? name : "a"): {handle: 0x10, \(characteristic)notify: m}}\n"
        + "messages: {m: {title: \(title)}}\ntypes: {\(types)}\n")
    let capture = notifications((0..<(kind == "titles" ? 6000 : 1500)).map { _ in [UInt8](repeating: 7, count: 400) })
    for output in [["timeline", "--format", "ndjson"], ["timeline", "-V"], ["timeline", "--format", "csv"]] {
      let result = try run(output + ["--profile", "B", "A"], [capture, own], seconds: 40)
      #expect((1..<900 << 20).contains(result.bytes) && result.peak < 250_000, "\(output): \(result)")
    }
  }

  /// Names of an enum's values, paths in JSON, and instances in databases: a message of 60 KB with one long name and a list made a gigabyte. A message has
  /// at most 4 MiB of them, and 64 bytes for each of its own.
  @Test(arguments: ["labels", "paths"]) func printedNames(_ kind: String) throws {
    let own: [UInt8]
    let values: [[UInt8]]
    if kind == "labels" {
      own = profile(
        """
        characteristics: {a: {handle: 0x10, notify: m}}
        types: {m: {seq: [{id: b, type: b1, enum: e, repeat: eos}]}}
        enums: {e: {0: \(String(repeating: "x", count: 250)), 1: \(String(repeating: "y", count: 250))}}
        """)
      values = (0..<1500).map { _ in [UInt8](repeating: 0x5A, count: 500) }
    } else {
      own = profile(
        """
        characteristics: {a: {handle: 0x10, notify: m, framing: [{stream: {header: h, length: n, max: 200000}}, {slice: [4, "_payload.length"]}]}}
        messages: {m: {body: json}}
        types: {h: {meta: {endian: be}, seq: [{id: n, type: u4}]}}
        """)
      let body = Array(
        "{\"\(String(repeating: "A", count: 30_000))\":[\(Array(repeating: "1", count: 15_000).joined(separator: ","))]}".utf8)
      let size = UInt32(body.count + 4).bigEndian
      let message = withUnsafeBytes(of: size) { Array($0) } + body
      values = stride(from: 0, to: message.count, by: 500).map { Array(message[$0..<min($0 + 500, message.count)]) }
    }
    let capture = notifications(values)
    for output in [["timeline", "--format", "ndjson"], ["timeline", "--format", "csv", "--message", "x.m"]] {
      let result = try run(output + ["--profile", "B", "A"], [capture, own], seconds: 20)
      #expect((1..<800 << 20).contains(result.bytes) && result.peak < 250_000, "\(output): \(result)")
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(capture).write(to: folder.appendingPathComponent("a"))
    try Data(own).write(to: folder.appendingPathComponent("b.yaml"))
    let result = try Program.shell("cd \(folder.path); ulimit -t 20; btscribe convert -q --profile b.yaml a o.sqlite && wc -c < o.sqlite")
    let size = Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    #expect((1..<900 << 20).contains(size), "\(size) \(result)")
  }

  /// Operations that wait for their ends, each with messages whose line is long: `operations` took 563 MB, a report 1.4 GB.
  @Test(arguments: [["operations"], ["report", "--format", "html", "-o", "-"], ["diff", "A"]]) func textsOfOperations(words: [String])
    throws
  {
    let own = profile(
      """
      characteristics: {a: {handle: [\((1...500).map(String.init).joined(separator: ", "))], notify: m, framing: [{stream: {length: 254}}]}}
      types: {m: {-say: "\(String(repeating: "{t}", count: 15))", seq: [{id: t, type: str, size-eos: true, encoding: ASCII}]}}
      """)
    var tape = Tape()
    for number in 1...17 { tape.connect(number, number) }
    for number in 1...17 {
      for handle in 1...500 {
        tape.pdu(number, 4, [0x1B, UInt8(handle & 0xFF), UInt8(handle >> 8)] + [UInt8](repeating: 0x61, count: 508), isReceived: true)
      }
    }
    let result = try run(words + ["--profile", "B", "A"], [tape.bytes, own], seconds: 30)
    #expect([0, 1].contains(result.status) && result.peak < 200_000, "\(result)")
  }

  /// Work that no output shows: values that a field may have, optional parts of a line, and operations of conditions. Each is a step.
  @Test(arguments: ["any-of", "optional parts", "conditions"]) func hiddenWork(_ kind: String) throws {
    let own: [UInt8]
    switch kind {
    case "any-of":
      let list = (0..<60_000).map { String($0 + 256) }.joined(separator: ", ")
      own = profile(
        "characteristics: {a: {handle: 0x10, notify: m}}\ntypes: {m: {seq: [{id: b, type: u1, repeat: eos, valid: {any-of: [\(list)]}}]}}\n"
      )
    case "optional parts":
      own = profile(
        """
        characteristics: {a: {handle: 0x10, notify: m, framing: [{stream: {length: 1}}]}}
        types: {m: {-say: "\(String(repeating: "[{q}]", count: 800))", seq: [{id: p, type: u1}, {id: q, type: u1, if: p == 77}]}}
        """)
    default:
      let sum = "(p" + String(repeating: "+1", count: 900) + ")"
      let fields = (0..<50).map { "{id: f\($0), type: u1, if: '\(sum) + \(sum) == 3'}" }.joined(separator: ", ")
      own = profile(
        "characteristics: {a: {handle: 0x10, notify: m, framing: [{stream: {length: 1}}]}}\ntypes: {m: {seq: [{id: p, type: u1}, \(fields)]}}\n"
      )
    }
    let capture = notifications((0..<200).map { _ in [UInt8](repeating: 7, count: 500) })
    // Up to 28 s without a limit.
    let result = try run(["timeline", "--profile", "B", "A"], [capture, own], seconds: 8)
    #expect([0, 65].contains(result.status), "\(result)")
  }

  /// Redaction looks for the numbers of each text, and for the separators of each number, in messages of 60 KB: 19 s where it went through all.
  @Test(arguments: ["sign", "v"]) func numbersThatReadAsText(_ name: String) throws {
    let own = profile(
      """
      characteristics: {a: {handle: 0x10, notify: m, framing: [{stream: {header: h, length: n, max: 200000}}, {slice: [4, "_payload.length"]}]}}
      types: {h: {meta: {endian: be}, seq: [{id: n, type: u4}]}, m: {seq: [{id: \(name), type: u1, -unit: V, repeat: eos}]}}
      """)
    var message: [UInt8] = [0, 0, 0xEA, 0x64] + (0..<10_000).flatMap { _ in [UInt8]("abcde\u{1}".utf8) }
    message += message + message
    let capture = notifications(stride(from: 0, to: message.count, by: 500).map { Array(message[$0..<min($0 + 500, message.count)]) })
    let result = try run(["redact", "--check", "--profile", "B", "A"], [capture, own], seconds: 4)
    #expect(result.status == 1, "\(result)")
  }

  /// Bodies that need more steps, and more objects, than they have bytes.
  @Test(arguments: [
    "instances: {y: {value: l.map(l.map(l.map(l.sum).sum).sum).sum}}, seq: [{id: l, type: u1, repeat: eos}]",
    "seq: [{id: q, type: u1}], instances: {a: {pos: 0, size-eos: true, type: m}, b: {pos: 0, size-eos: true, type: m}}",
  ]) func bodies(_ type: String) throws {
    let own = profile("characteristics: {a: {handle: 0x10, notify: m}}\ntypes: {m: {\(type)}}\n")
    var noise = Noise()
    // Each took 13 ms and half a megabyte of NDJSON without a limit.
    let capture = notifications((0..<1000).map { _ in noise.bytes(90) })
    let result = try run(["timeline", "--format", "ndjson", "--profile", "B", "A"], [capture, own], seconds: 8)
    #expect(result.status == 65 || result.status == 0, "\(result.errors)")
  }
}
