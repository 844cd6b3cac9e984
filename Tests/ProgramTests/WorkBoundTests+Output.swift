import Foundation
import Testing

/// What the messages of a profile print: 256 MiB, 256 bytes for each byte of values, and 4 KiB for each value, whatever is in them.
extension WorkBoundTests {
  /// A message of each byte, with a long line, with long names, or with nothing but its row; and values of many numbers, each with a long word. The bound
  /// holds for each output, and the number of threads does not change what is printed: threads that only print cannot count for each other.
  @Test(arguments: ["line", "label", "titles", "rows", "words", "name"]) func writtenBytes(_ kind: String) throws {
    let long = String(repeating: "n", count: 250)
    let each = "framing: [{stream: {length: 1}}]"
    let profile =
      switch kind {
      case "line":
        "characteristics: {a: {handle: 0x10, notify: m, \(each)}}\n"
          + "types: {m: {-say: \"\(String(repeating: "x", count: 4000)) {p}\", seq: [{id: p, type: u1}]}}\n"
      case "label":
        "characteristics: {a: {handle: 0x10, notify: m, \(each)}}\ntypes: {m: {seq: [{id: p, -label: \(long), type: u1}]}}\n"
      case "titles":
        "title: \(long)\ncharacteristics: {\(long): {handle: 0x10, notify: m, title: \(long), \(each)}}\n"
          + "messages: {m: {title: \(long)}}\ntypes: {m: {seq: [{id: a, type: u1}]}}\n"
      case "rows", "name": "characteristics: {a: {handle: 0x10, notify: m, \(each)}}\ntypes: {m: {seq: []}}\n"
      default:
        "characteristics: {a: {handle: 0x10, notify: m}}\ntypes: {m: {seq: [{id: b, type: b1, enum: e, repeat: eos}]}}\n"
          + "enums: {e: {0: \(long), 1: y}}\n"
      }
    var tape = BoundTests.Tape()
    if kind == "name" {
      // An extended advertisement with a long name of control characters, which are printed as six.
      let name = [UInt8](repeating: 1, count: 226)
      let empty = [UInt8](repeating: 0, count: 9)
      var report: [UInt8] = [13, 1, 0x13, 0, 1] + BoundTests.address(1)
      report += [1, 0, 0xFF, 0x7F, 0xC0]
      report += empty + [228, 227, 9] + name
      tape.event(0x3E, report)
    }
    tape.connect(1, 1)
    for number in 0..<2500 {
      tape.pdu(1, 4, [0x1B, 0x10, 0] + (0..<500).map { UInt8(truncatingIfNeeded: number &* 7 &+ $0 &* 13) }, isReceived: true)
    }
    let capture = tape.bytes
    let bound = 256 << 20 + 256 * capture.count + 4096 * 2500
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(capture).write(to: folder.appendingPathComponent("a"))
    try Data("profile: x\n\(profile)".utf8).write(to: folder.appendingPathComponent("b.yaml"))
    func printed(_ command: String, threads: Int) throws -> (sum: String, size: Int) {
      // Prints the sum and the number of bytes.
      let result = try Program.shell(
        "cd '\(folder.path)'; ulimit -t 40; BTSCRIBE_THREADS=\(threads) btscribe \(command) --profile b.yaml a 2>/dev/null | cksum")
      let words = result.output.split { $0.isWhitespace }
      return (words.first.map(String.init) ?? "", words.count > 1 ? Int(words[1]) ?? -1 : -1)
    }
    for output in ["timeline --format ndjson", "timeline", "timeline -V --format csv"] {
      let one = try printed(output, threads: 1)
      #expect((1 << 20..<bound).contains(one.size), "\(output): \(one)")
      #expect(try printed(output, threads: 4) == one, "\(output)")
    }
    let database = try Program.shell("cd '\(folder.path)'; ulimit -t 40; btscribe convert -q --profile b.yaml a o.sqlite; wc -c < o.sqlite")
    let size = Int(database.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    #expect((1 << 20..<bound).contains(size), "\(size) \(database.errors)")
  }

  /// All messages of one packet, and those of all packets that are decoded together, took memory before any of them was printed: 542 MB.
  @Test(arguments: [1, 30_000]) func messagesBeforeTheyArePrinted(_ packets: Int) throws {
    let own = profile(
      """
      characteristics: {a: {handle: 0x10, notify: m, read: m, framing: [{stream: {length: 1}}]}}
      types: {m: {-say: "\(String(repeating: "x", count: 3900))", seq: [{id: p, type: u1}]}}
      """)
    var tape = BoundTests.Tape()
    tape.connect(1, 1)
    for _ in 0..<100 {
      // Multiple values of one packet.
      let value: [UInt8] = [0x10, 0, 0xFA, 0] + [UInt8](repeating: 7, count: 250)
      tape.pdu(1, 4, [0x23] + value + value + value, isReceived: true)
    }
    for _ in 0..<packets { tape.pdu(1, 4, [0x1B, 0x10, 0, 7], isReceived: true) }
    for output in [["timeline"], ["timeline", "--format", "ndjson"], ["timeline", "--format", "csv"], ["timeline", "--width", "40"]] {
      let result = try run(output + ["--profile", "B", "A"], [tape.bytes, own], seconds: 20)
      #expect(result.status == 0 && result.bytes > 1 << 20 && result.peak < 64_000, "\(output): \(result)")
    }
  }

  /// Packets of 64 KiB with tens of thousands of values, of a device with a long name of control characters, in a capture that is long enough for
  /// threads: they render at once no more than they hand over, however many they are.
  @Test(arguments: [2, 8]) func valuesOfDensePackets(threads: Int) throws {
    var tape = BoundTests.Tape()
    tape.connect(1, 1)
    // Read By Type: the name of the device, its characteristic of a standard type, and then values of no bytes.
    let name = [UInt8](repeating: 1, count: 220)
    let characteristic: [UInt8] = [7, 15, 0, 0x12, 16, 0, 0xD3, 0x2B]
    let values = (0..<32_700).flatMap { _ in [UInt8](arrayLiteral: 16, 0) }
    for (type, response) in [(0x2A00, [222, 3, 0] + name), (0x2803, characteristic)] + Array(repeating: (0x2BD3, [2] + values), count: 20) {
      tape.pdu(1, 4, [0x08, 1, 0, 0xFF, 0xFF] + BoundTests.little(UInt16(type)))
      tape.pdu(1, 4, [0x09] + response, isReceived: true)
    }
    for _ in 0..<21_000 { tape.pdu(1, 4, [0x1B, 32, 0, 7], isReceived: true) }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let capture = folder.appendingPathComponent("a").path
    try Data(tape.bytes).write(to: URL(fileURLWithPath: capture))
    for output in [["timeline"], ["timeline", "--format", "ndjson"], ["timeline", "--format", "csv"]] {
      let result = try BoundTests.measured(output + [capture], seconds: 60, threads: threads)
      // With eight threads of which six render: some megabytes more.
      #expect(result.status == 0 && result.peak < (threads > 2 ? 72_000 : 64_000), "\(output): \(result)")
    }
  }

  /// A PDU with thousands of values of one attribute: each message is searched in the next few of them.
  @Test func valuesOfOnePDU() throws {
    var tape = BoundTests.Tape()
    tape.connect(1, 1)
    tape.pdu(1, 4, [0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
    tape.pdu(1, 4, [0x09, 7, 15, 0, 0x10, 16, 0, 0x37, 0x2A], isReceived: true)
    for _ in 0..<8 { tape.pdu(1, 4, [0x23] + (0..<10_000).flatMap { _ in [16, 0, 2, 0, 0, 80] as [UInt8] }, isReceived: true) }
    let result = try run(["redact", "--check", "A"], [tape.bytes], seconds: 20)
    #expect(result.status == 1 && result.errors.isEmpty, "\(result)")
  }

  /// Columns that begin with the last of a million messages: each line has a cell for each of them, 4 GB of commas.
  @Test func columnsThatBeginLate() throws {
    let fields = (0..<4000).map { "{id: f\($0), type: u1}" }.joined(separator: ", ")
    let own = profile(
      """
      characteristics: {a: {handle: 0x10, notify: m, framing: [{stream: {start: [[7], [9]], header: h, length: "t == 7 ? 1 : 4001"}}]}}
      types: {h: {seq: [{id: t, type: u1}]}, m: {seq: [{id: a, type: u1}, {id: l, type: k, if: a == 9}]}, k: {seq: [\(fields)]}}
      """)
    let capture = notifications((0..<1009).map { [UInt8](repeating: $0 < 1000 ? 7 : 9, count: 500) })
    let result = try run(["timeline", "--format", "csv", "--message", "x.m", "--profile", "B", "A"], [capture, own], seconds: 20)
    #expect((10 << 20..<300 << 20).contains(result.bytes), "\(result)")
  }
}
