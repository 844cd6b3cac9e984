import Inference
import PacketCodecs
import Text

/// The inferred format for people: rulers under messages, the evidence, and open questions.
public struct InferenceText {
  private let out: TextBuffer
  private let style: Style
  /// The command line of this inference, to which `-c` and `-o` are appended.
  private let command: String?

  /// Kinds of messages that are shown, and fields of each that are described in words.
  private static let kinds = 4
  private static let fields = 10

  /// Prints to `out`. `command` is the command line of this inference; the command that writes a profile is made from it.
  public init(_ out: TextBuffer, style: Style, command: String? = nil) {
    self.out = out
    self.style = style
    self.command = command
  }

  /// Prints all streams.
  public func print(_ all: [StreamFindings]) {
    var device: String?
    var isFirst = true
    let steady = all.filter(Self.isSteady)
    for findings in all where !Self.isSteady(findings) {
      let title = [findings.source.peerName, findings.source.peer].compactMap { $0 }.joined(separator: "  ")
      if title != device {
        if !isFirst { out.byte(0x0A) }
        line(title.isEmpty ? "Unknown device" : title, .bold)
        device = title
      }
      out.byte(0x0A)
      stream(findings, all)
      isFirst = false
    }
    advertisers(steady, isFirst)
    if all.isEmpty { line("No values of an unknown protocol.", .plain) }
    let shown = all.filter { !Self.isSteady($0) && $0.messages >= 4 && !$0.framing.isEncrypted }
    if let command, let first = shown.max(by: { $0.messages < $1.messages }) {
      out.byte(0x0A)
      let location =
        shown.count > 1 && !command.contains(" -c ") ? first.source.handle.map { " -c 0x" + hex(UInt16(truncatingIfNeeded: $0)) } ?? "" : ""
      let whole = "\(command)\(location) -o device.yaml"
      if whole.utf8.count + 32 > style.width ?? 120 {
        line("This as a profile:", .dim)
        line("  " + whole, .dim)
      } else {
        line("\(whole)      writes this as a profile", .dim)
      }
    }
  }

  /// Whether the advertising data never changed, so that nothing can be inferred from it.
  private static func isSteady(_ findings: StreamFindings) -> Bool {
    findings.source.section == .advertisements && findings.isSteady
  }

  private func advertisers(_ steady: [StreamFindings], _ isFirst: Bool) {
    guard !steady.isEmpty else { return }
    if !isFirst { out.byte(0x0A) }
    line("Advertised, the same each time", .bold)
    for findings in steady.prefix(12) {
      let head = "  \(findings.source.peer ?? "")  \(findings.source.label)"
      out.untrusted(Array(head.utf8), .terminal)
      out.spaces(max(1, 44 - head.utf8.count))
      let bytes = findings.examples.first?.first ?? []
      let room = max(8, min(32, ((style.width ?? 120) - 56) / 2))
      for byte in bytes.prefix(room) { out.hex(UInt64(byte), digits: 2) }
      if bytes.count > room { out.glyph(.ellipsis, style) }
      out.byte(0x0A)
    }
    if steady.count > 12 { line("  and \(steady.count - 12) more", .dim) }
  }

  private func stream(_ findings: StreamFindings, _ all: [StreamFindings]) {
    var head = findings.source.label + "  " + findings.source.direction + ", \(findings.packets) "
    head += findings.packets == 1 ? "value" : "values"
    if findings.messages != findings.packets { head += ", \(findings.messages) \(findings.messages == 1 ? "message" : "messages")" }
    line(head, .bold)
    header(findings)
    let shown = findings.fields.prefix(Self.kinds)
    for kind in shown {
      if !kind.kind.isEmpty {
        let name = kind.kind.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        line("  kind \(name), \(kind.count) \(kind.count == 1 ? "message" : "messages")", .dim)
      } else if findings.kinds?.isLength ?? false {
        line("  of \(kind.longest) bytes, \(kind.count) \(kind.count == 1 ? "message" : "messages")", .dim)
      }
      AnnotatedHexDump(out, style, indent: 4).print(kind, limit: shown.count == 1 ? 3 : 2)
      words(kind)
    }
    if findings.fields.count > Self.kinds { line("  and \(findings.fields.count - Self.kinds) other kinds of messages", .dim) }
    for fact in InferenceFacts.evidence(findings, all) { self.fact(fact.name, fact.sentence, fact.confidence >= 0.9 ? .green : .plain) }
    for note in findings.notes { findings.framing.isEncrypted ? fact("cipher", note, .yellow) : fact("note", note, .plain) }
    for open in InferenceFacts.open(findings) { fact("open", open, .yellow) }
  }

  /// The header of packets, on the first two values of a message that has several.
  private func header(_ findings: StreamFindings) {
    guard let header = findings.header else { return }
    line("  values; the bytes after the header are joined", .dim)
    AnnotatedHexDump(out, style, indent: 4).print(header, limit: 2)
    line("  messages", .dim)
  }

  /// Describes the fields that only this kind has, one line each.
  private func words(_ kind: KindFields) {
    let shown = kind.fields.filter { field in
      switch field.type {
      case .length, .counter, .kind, .checksum, .constant, .padding: false
      case .uint, .int, .bytes: field.confidence >= 0.3 && field.size != nil && !AnnotatedHexDump.isGuess(field, of: kind)
      default: true
      }
    }
    for field in shown.prefix(Self.fields) {
      let end = field.size.map { field.offset + $0 - 1 }
      let location = end == field.offset ? "byte \(field.offset)" : "\(field.offset)..\(end.map(String.init) ?? "")"
      let sure = field.confidence >= 0.9 ? "" : field.confidence >= 0.5 ? " (likely)" : " (perhaps)"
      let order = field.endian.map { $0 == .little ? " le" : " be" } ?? ""
      // Nothing is claimed about a single byte with several values.
      let isPlain = field.type == .bytes || field.type == .uint && field.size == 1 && field.confidence < 0.5
      fact(location, isPlain ? field.evidence : "\(field.type.rawValue)\(order), \(field.evidence)\(sure)", .plain)
    }
    if shown.count > Self.fields { line("            and \(shown.count - Self.fields) more fields: --format json", .dim) }
  }

  /// Prints a name and a sentence, which is wrapped below where it is long.
  private func fact(_ name: String, _ text: String, _ paint: Style.ColorRole) {
    let indent = 12
    out.text("  ")
    out.paint(paint, style)
    out.string(name)
    out.unpaint(paint, style)
    out.spaces(max(1, indent - 2 - name.utf8.count))
    var column = max(indent, name.utf8.count + 3)
    var isFirst = true
    for word in text.split(separator: " ") {
      let size = word.unicodeScalars.count
      if let width = style.width, !isFirst, column + 1 + size > width {
        out.byte(0x0A)
        out.spaces(indent)
        column = indent
      } else if !isFirst {
        out.byte(0x20)
        column += 1
      }
      out.untrusted(Array(word.utf8), .terminal)
      column += size
      isFirst = false
    }
    out.byte(0x0A)
  }

  private func line(_ text: String, _ paint: Style.ColorRole) {
    out.paint(paint, style)
    out.untrusted(Array(text.utf8), .terminal)
    out.unpaint(paint, style)
    out.byte(0x0A)
  }

  private func hex(_ number: UInt16) -> String { String(hex: number, digits: 4) }
}
