import Foundation
import Testing

/// What the messages of a profile print: 256 MiB, 256 bytes for each byte of values, and 4 KiB for each value, whatever is in them.
extension WorkBoundTests {
  /// A message of each byte, with a long line, with long names, or with nothing but its row; and values of many numbers, each with a long word. The bound
  /// holds for each output, and the number of threads does not change what is printed: threads that only print cannot count for each other.
  @Test(arguments: ["line", "label", "titles", "rows", "words"]) func writtenBytes(_ kind: String) throws {
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
      case "rows": "characteristics: {a: {handle: 0x10, notify: m, \(each)}}\ntypes: {m: {seq: []}}\n"
      default:
        "characteristics: {a: {handle: 0x10, notify: m}}\ntypes: {m: {seq: [{id: b, type: b1, enum: e, repeat: eos}]}}\n"
          + "enums: {e: {0: \(long), 1: y}}\n"
      }
    let capture = notifications((0..<2500).map { number in (0..<500).map { UInt8(truncatingIfNeeded: number &* 7 &+ $0 &* 13) } })
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
}
