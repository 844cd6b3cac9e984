import CaptureScenes
import Captures
import Profiles
@testable import Redaction
import Testing
@_spi(Pipeline) import Analysis

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What `redact --check` reports: all that redacting would replace, wherever it is in the file.
@Suite struct CheckReportTests {
  private static func reported(_ path: String) throws -> [String] {
    var options = Redaction.Options()
    options.isDetailed = true
    options.profiles = try ProfileSet()
    let redaction = Redaction(options)
    let capture = try CaptureFile.open(path)
    let facts = CaptureFacts(name: "capture", title: capture.title)
    _ = try redaction.survey(capture, facts)
    _ = try redaction.check(capture, facts)
    return redaction.exposures.map(\.field)
  }

  /// Text behind the fields of a message.
  @Test func bytesWithoutAFieldAreReported() throws {
    var measurement = Scene()
    measurement.connect()
    measurement.discover(0x2A37, at: 0x30, service: 0x180D)
    measurement.receive([0x1B, 0x30, 0, 0, 72] + Array("Geheim Petra".utf8))
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    let (original, redacted) = try Redacted.scene(measurement, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    let fields = try Self.reported(original.path)
    #expect(fields.contains("heart-rate bytes without a field"), "\(fields)")
    #expect(try redacted.check(options).isEmpty)
  }

  /// A block of a pcapng file.
  private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
    let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
    let length = word(UInt32(padded.count + 12))
    return word(type) + length + padded + length
  }

  private static func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) } }

  private static func option(_ code: UInt8, _ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return [code, 0, UInt8(bytes.count), 0] + bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  /// What a pcapng file has beside its packets is reported, and not written.
  @Test func blocksAndOptionsAreReported() throws {
    let secret = "Petra Schmidt"
    let version: [UInt8] = Self.word(0x1A2B_3C4D) + [1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
    let section = (1...4).reduce(version) { $0 + Self.option(UInt8($1), secret) } + [0, 0, 0, 0]
    let options: [[UInt8]] = [2, 3, 12, 15, 1].map { Self.option($0, secret) }
    let interface: [UInt8] = [201, 0, 0, 0, 0, 0, 0, 0] + Array(options.joined()) + [0, 0, 0, 0]
    let reset: [UInt8] = [0, 0, 0, 0, 1, 3, 0x0C, 0]
    let packet: [UInt8] = Array([0, 0x5E000, 1000, 8, 8].map(Self.word).joined()) + reset
    let file = TemporaryFile("pcapng")
    var bytes = Self.block(0x0A0D_0D0A, section) + Self.block(1, interface)
    bytes += Self.block(6, packet + [0xAC, 0x0B, 16, 0] + Array("\u{4D}\u{0}\u{0}\u{0}\(secret.prefix(12))".utf8) + [0, 0, 0, 0])
    bytes += Self.block(3, Self.word(8) + reset + Array(secret.utf8))
    bytes += Self.block(4, [1, 0, 18, 0, 1, 2, 3, 4] + Array(secret.utf8) + [0, 0, 0, 0, 0, 0, 0])
    bytes += Self.block(5, [UInt8](repeating: 0, count: 12) + Self.option(1, secret) + [0, 0, 0, 0])
    bytes += Self.block(10, Self.word(0x544C_534B) + Self.word(13) + Array(secret.utf8))
    for type in [0xBAD, 0x4000_0BAD, 0x77] as [UInt32] { bytes += Self.block(type, Self.word(1234) + Array(secret.utf8)) }
    try write(bytes, file.path)
    let fields = try Self.reported(file.path)
    let expected = [
      "comment of the section", "hardware of the section", "operating system of the section", "application of the section",
      "name of an interface", "description of an interface", "operating system of an interface", "hardware of an interface",
      "comment of an interface", "unknown option of a packet", "bytes behind a packet", "block with resolved names",
      "comment of an interface's statistics", "block with secrets", "custom block", "unknown block",
    ]
    #expect(fields == expected.sorted(), "\(fields)")
    let redacted = try Redacted(file.path, CaptureTarget(.pcapng), "pcapng")
    #expect(traces(of: Array(secret.utf8), in: redacted.file.bytes).isEmpty)
    #expect(try redacted.check(Redaction.Options()).isEmpty)
  }

  /// Notes whose text begins with a zero, and log lines whose identifier has no end.
  @Test(
    arguments: [
      (PacketKind.systemNote, [0] + Array("Passwort hunter2".utf8)), (.userLogging, [6, 40] + Array("Passwort hunter2".utf8)),
      (.userLogging, [6, 5] + Array("petra".utf8) + Array("Passwort hunter2".utf8) + [0]),
    ] as [(PacketKind, [UInt8])])
  func damagedNotesAreReported(kind: PacketKind, payload: [UInt8]) throws {
    var scene = Scene()
    scene.packet(kind, .unknown, payload)
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 2001))
    #expect(try Self.reported(original.path).contains("note"))
    #expect(traces(of: Array("hunter2".utf8), in: redacted.file.bytes).isEmpty)
    #expect(try redacted.check(Redaction.Options()).isEmpty)
  }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    let file = try #require(fopen(path, "wb"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}
