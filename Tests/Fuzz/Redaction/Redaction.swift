import Bluetooth
import Captures
import Conversations
import FuzzInput
@_spi(Pipeline) import Profiles
import Memory
import Redaction
@_spi(Pipeline) import Analysis

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FuzzTarget {
  /// Redaction.
  public static let redactions = [
    FuzzTarget(name: "redact", longest: 1024) { bytes in
      let file = capture(bytes)
      var options = Redaction.Options()
      options.seed = "fuzz"
      options.profiles = bytes.count % 8 == 7 ? builtin : nil
      let path = "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/btscribe-fuzz-\(getpid()).btsnoop"
      defer { unlink(path) }
      let redaction = Redaction(options)
      let written: [UInt8]
      do {
        let source = try CaptureFile.open(bytes: file, name: "fuzz")
        let facts = CaptureFacts(name: "fuzz", title: source.title)
        _ = try redaction.survey(source, facts)
        let writer = try CaptureWriter(to: path, target: CaptureTarget(.btsnoop, linkType: 2001), inPlace: true)
        _ = try redaction.write(source, facts, to: writer)
        try writer.finish(source: source)
        written = read(path)
      } catch { fatalError("\(error)") }
      check(!redaction.hasChanged, "two readings of the same bytes differ")
      check(!contains(secret, in: written), "a planted secret is left")
      let (before, after) = (rows(file), rows(written))
      check(before.count == after.count, "\(before.count) rows before, \(after.count) after")
      for (own, other) in zip(before, after) { check(own == other, "\(own) became \(other)") }
    }
  ]

  private static let builtin = try? ProfileSet()

  private static let secret = Array("q7XwPz4mKd91".utf8)

  /// A log of the Linux monitor: for each packet its opcode, a length and that many bytes of the input; packets with the secret follow.
  private static func capture(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    func big(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    var file = Array("btsnoop".utf8) + [0] + big(1, 4) + big(2001, 4)
    var time = 0xE0_0000_0000_0000
    func add(_ opcode: Int, _ payload: [UInt8]) {
      time += 1000
      file += big(payload.count, 4) + big(payload.count, 4) + big(opcode, 4) + big(0, 4) + big(time, 8) + payload
    }
    var choices = Choices(bytes)
    while !choices.isAtEnd {
      let opcode = Int(choices.byte() & 31)
      add(opcode, Array(choices.piece(Int(choices.byte()))))
    }
    add(3, [0xFF, UInt8(secret.count + 1), 0x42] + secret)
    add(3, [0x07, 0xFF, 0, 1, 2, 3, 4, 5, 6] + secret + [UInt8](repeating: 0, count: 248 - secret.count))
    add(2, [0x31, 0xFC, UInt8(secret.count)] + secret)
    add(12, secret + [0])
    add(0x55, secret)
    return file
  }

  /// The content of each row without the frame, which the note of the redaction shifts, and without fields: those of a packet that ends within
  /// a field are replaced.
  private static func rows(_ file: [UInt8]) -> [String] {
    guard let source = try? CaptureFile.open(bytes: file, name: "fuzz") else { return [] }
    var options = Timeline.Options()
    options.includesFragments = true
    let rows = Rows()
    _ = try? Timeline(source, options: options).run(CaptureFacts(name: "fuzz", title: source.title), to: rows)
    return rows.lines
  }

  private final class Rows: EventSink {
    var lines: [String] = []

    func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
      if row.layer == .note || row.layer == .monitor, Array(row.pdu.buffer).starts(with: Redaction.noteStart.utf8) { return }
      lines.append(
        "\(row.layer.name) \(Dissection.name(row)) \(row.pdu.count) \(row.direction)"
      )
    }
  }

  private static func read(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { result += buffer[..<count] }
    return result
  }

  private static func contains(_ needle: [UInt8], in bytes: [UInt8]) -> Bool {
    guard bytes.count >= needle.count else { return false }
    return (0...bytes.count - needle.count).contains { bytes[$0] == needle[0] && bytes[$0..<$0 + needle.count].elementsEqual(needle) }
  }
}
