import Foundation
import Testing

/// Foreign texts on the terminal: their bytes are displayed and have no other effect.
@Suite struct HarmlessTests {
  /// Sets a terminal's title, clears it (with C0 and C1 controls), reverses the writing direction, and has invisible characters.
  static let text = "e\u{AD}\u{1B}]0;x\u{7}\u{1B}[2J\u{9B}31m\u{202E}\u{2066}\u{200B}\u{8}\u{7F}\r"

  private static func little(_ value: UInt16) -> [UInt8] { BoundTests.little(value) }

  /// A capture that has this text wherever a text is possible.
  static var capture: [UInt8] {
    var tape = BoundTests.Tape()
    let text = Array(text.utf8.prefix(29))
    let data = [UInt8(text.count + 1), 9] + text
    tape.event(0x3E, [2, 1, 0, 1] + BoundTests.address(7) + [UInt8(data.count)] + data + [0xC0])
    tape.connect(0x40, 7)
    tape.pdu(0x40, 4, [0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    tape.pdu(0x40, 4, [0x11, 6, 1, 0, 9, 0] + little(0xFFF0), isReceived: true)
    tape.pdu(0x40, 4, [0x08, 1, 0, 9, 0, 0x03, 0x28])
    tape.pdu(0x40, 4, [0x09, 7, 2, 0, 0x1E, 3, 0] + little(0xFFF1), isReceived: true)
    tape.pdu(0x40, 4, [0x08, 3, 0, 9, 0, 0x03, 0x28])
    tape.pdu(0x40, 4, [0x09, 7, 4, 0, 0x1E, 5, 0] + little(0x2A29), isReceived: true)
    tape.pdu(0x40, 4, [0x0A, 5, 0])
    tape.pdu(0x40, 4, [0x0B] + text.prefix(22), isReceived: true)
    for _ in 0..<3 { tape.pdu(0x40, 4, [0x1B, 3, 0, 1, 2] + Array(Self.text.utf8), isReceived: true) }
    tape.command(0x0C13, text + [UInt8](repeating: 0, count: 248 - text.count))
    tape.event(7, [0] + BoundTests.address(7) + text + [UInt8](repeating: 0, count: 248 - text.count))
    tape.disconnect(0x40)
    return tape.bytes
  }

  /// A profile that has this text wherever a text is possible.
  static let profile: String = {
    let text = "x\\u00AD\\e]0;x\\a\\e[2J\\x9B31m\\u202E\\u2066\\u200B\\b\\x7F\\ry"
    // Brackets and braces have a meaning there.
    let escaped = "x\\a\\x9B31m\\u202E\\u2066\\u200B\\b\\x7F\\ry"
    return """
      profile: evil
      title: "\(text)"
      source: "\(text)"
      note: "\(text)"
      match: {services: [fff0]}
      characteristics:
        "a\(text)": {uuid: fff1, title: "\(text)", notify: m}
      messages:
        m: {title: "\(text)", type: m}
      types:
        m:
          -say: "say \(escaped) {k} {x} {t}"
          seq:
            - {id: k, type: u1, enum: e, -label: "\(text)", -unit: "\(text)"}
            - {id: x, type: u1, -unit: "\(text)"}
            - {id: t, type: str, size-eos: true, encoding: UTF-8, -label: "\(text)"}
      enums:
        e: {1: "\(text)"}
      tests:
        - {title: "\(text)", characteristic: "a\(text)", packets: ["0102"], expect: {k: "\(text)", t: "\(text)"}}

      """
  }()

  /// `$N` stands for names that contain the text; `c` is a capture, `p.yaml` the profile, `a.zip` an archive of the capture.
  static let commands: [String] = {
    let readers = [
      "timeline", "timeline -V -x", "timeline -n", "timeline --width 60", "timeline --format ndjson", "timeline --format csv", "summary",
      "summary --format json", "operations", "operations --format json", "operations --format csv", "report --format markdown -o -",
      "report --format html -o -", "infer --no-profiles", "keys", "fields -r",
    ]
    let captures = ["c", "--profile p.yaml c", "\"$N\"", "\"$N.zip\"", "--member \"$N\" a.zip", "\"missing$N\""]
    var all = readers.flatMap { reader in captures.map { "\(reader) \($0)" } }
    for option in ["-Y", "--profile", "--profile ./", "--key", "--keys", "--gatt", "--format", "-t", "--color", "-c", "--member", "--$N"] {
      all.append("timeline \(option)\(option.hasSuffix("/") ? "" : " ")\"$N\" c")
    }
    for name in ["p.yaml", "\"$N.yaml\"", "\"$N\"", "nothing"] {
      for command in ["show", "check", "test", "test --coverage"] { all.append("profiles \(command) \(name)") }
      all.append("decode --profile \(name) --characteristic \"$N\" 0102")
      all.append("encode --profile \(name) \"$N\" k=\"$N\"")
      all.append("ksy --spec \(name) c")
    }
    return all + [
      "profiles list --profile p.yaml", "profiles list --kind \"$N\"", "\"$N\"", "\"$N\" c", "convert c \"$N\"", "convert c \"$N.pcapng\"",
      "convert --to \"$N\" c -", "convert --from-time \"$N\" c x.pcap", "live \"missing$N\"",
      "live -i \"$N\"",
      "live -a \"$N\"", "live -w \"$N\" c", "crc --algorithm \"$N\" 00", "crc --algorithm sum8 \"$N\"", "crc --identify \"$N\"",
      "tcp:\"$N\"", "fields \"$N\"", "infer --mark \"$N\" c", "infer -c \"$N\" c", "summary -o \"no/$N\" c", "report -o \"no/$N.html\" c",
      "ksy --spec s.ksy \"$N\"", "ksy --spec s.ksy --type \"$N\" c",
      "ksy --spec s.ksy t", "ksy --format json --spec s.ksy t", "ksy --spec valid.ksy t",
      "ksy --format json --spec valid.ksy t", "help \"$N\"",
    ]
  }()

  /// Runs commands in a folder with all of the above. Returns the output of each, from both streams.
  private func run(_ commands: [String], color: Bool) throws -> [(command: String, written: [UInt8])] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // A file's name has no zero and no slash.
    let name = Self.text
    let files: [(String, [UInt8])] = [
      ("c", Self.capture), (name, Self.capture), ("p.yaml", Array(Self.profile.utf8)), (name + ".yaml", Array(Self.profile.utf8)),
      ("x.btscribe.yaml", Array(Self.profile.utf8)), (name + ".btscribe.yaml", Array("profile: [".utf8)),
      ("s.ksy", Array("meta: {id: s, endian: le}\nseq: [{id: a, type: str, size-eos: true, encoding: UTF-8}]\n".utf8)),
      ("valid.ksy", Array("meta: {id: s}\nseq: [{id: a, type: str, size-eos: true, encoding: UTF-8, valid: '\"x\"'}]\n".utf8)),
      ("t", Array(name.utf8)),
      ("a.zip", Self.zip(name)), (name + ".zip", Self.zip(name + "/btsnoop_hci.log")),
    ]
    for (file, bytes) in files { try Data(bytes).write(to: folder.appendingPathComponent(file)) }
    var results: [(String, [UInt8])] = []
    for (number, command) in commands.enumerated() {
      let line = "btscribe \(command)\(color && !command.hasPrefix("profiles") ? " --color always" : "")"
      results.append((line, []))
      _ = try Program.shell(
        """
        cd '\(folder.path)' && N=$(printf '\(Self.octal(name))') && mkdir -p out && ulimit -t 60
        \(line) > out/\(number) 2>&1
        """)
      results[number].1 = Array(try Data(contentsOf: folder.appendingPathComponent("out/\(number)")))
    }
    return results
  }

  private static func octal(_ text: String) -> String {
    text.utf8.map { "\\" + String(repeating: "0", count: 3 - String($0, radix: 8).count) + String($0, radix: 8) }.joined()
  }

  /// A zip archive of the capture, under a name.
  private static func zip(_ name: String) -> [UInt8] {
    var bytes: [UInt8] = []
    func header(_ start: [UInt8]) -> [UInt8] {
      let size = BoundTests.little32([UInt32(capture.count)])
      return start + BoundTests.little32([crc]) + size + size + little(UInt16(name.utf8.count)) + [0, 0]
    }
    bytes += header([0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0]) + Array(name.utf8) + capture
    let directory = bytes.count
    bytes += header([0x50, 0x4B, 1, 2, 20, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0]) + [UInt8](repeating: 0, count: 14) + Array(name.utf8)
    let length = bytes.count - directory
    bytes += [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0] + BoundTests.little32([UInt32(length), UInt32(directory)]) + [0, 0]
    return bytes
  }

  private static let crc: UInt32 = {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in capture {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }()

  /// The first harmful scalar of the output with its context; nil if there is none. With `color`, the program's own colour sequences
  /// are ignored.
  private func harm(_ bytes: [UInt8], color: Bool) -> String? {
    // Tables have the line endings of RFC 4180.
    var text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    if color { text = text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }
    var isHarmful: (Unicode.Scalar) -> Bool {
      { scalar in
        let value = scalar.value
        return value < 0x20 && value != 10 || (0x7F...0x9F).contains(value) || value == 0xAD || (0x200B...0x200F).contains(value)
          || (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
      }
    }
    let scalars = Array(text.unicodeScalars)
    guard let index = scalars.firstIndex(where: isHarmful) else { return nil }
    let around = scalars[max(0, index - 40)..<min(scalars.count, index + 10)]
    return around.map { $0.value < 0x20 || $0.value > 0x7E ? "<\(String($0.value, radix: 16))>" : String($0) }.joined()
  }

  @Test func nothingOfOthersActsOnATerminal() throws {
    for result in try run(Self.commands, color: false) {
      let shown = harm(result.written, color: false)
      #expect(shown == nil, "\(result.command): \(shown ?? "")")
    }
  }

  @Test func norWithColors() throws {
    let commands = [
      "timeline c", "timeline --profile p.yaml -V c", "summary c", "operations c", "timeline \"$N\"", "infer --no-profiles c",
    ]
    for result in try run(commands, color: true) {
      let shown = harm(result.written, color: true)
      #expect(shown == nil, "\(result.command): \(shown ?? "")")
      #expect(result.written.contains(0x1B) || !result.command.hasPrefix("btscribe timeline"), "\(result.command)")
    }
  }

  /// Member names may come from a capture, like values.
  @Test func namesOfMembers() throws {
    let names = ["\u{1B}[31mA", "\u{9B}31m", "\u{202E}b"]
    let bodies: [(String, (String) -> [UInt8])] = [
      ("json", { Array("{\"\($0)\":{\"\($0)\":1},\"c\":2}".utf8) }),
      ("cbor", { [0xA1, 0x60 | UInt8($0.utf8.count)] + Array($0.utf8) + [1] }),
      (
        "protobuf P",
        { name in
          let entry = [0x0A, UInt8(name.utf8.count)] + Array(name.utf8) + [0x10, 5]
          return [0x42, UInt8(entry.count)] + entry
        }
      ),
    ]
    for (body, made) in bodies {
      let profile = """
        profile: own
        match: {services: [fff0]}
        characteristics: {data: {uuid: fff1, notify: m}}
        protobufs: {P: {8: "map<string, int32> counts"}}
        messages: {m: {body: \(body)}}

        """
      for name in names {
        let hex = made(name).map { String(format: "%02x", $0) }.joined()
        let line = "cat > \"$TMP/own.yaml\"; btscribe decode --profile \"$TMP/own.yaml\" --characteristic data \(hex)"
        let result = try Program.shell("printf '%s' '\(profile)' | { \(line); }")
        #expect(result.status == 0 && !result.output.isEmpty, "\(result.errors)")
        #expect(
          !result.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E }
        )
      }
    }
  }
}
