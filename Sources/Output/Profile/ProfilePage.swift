@_spi(Pipeline) import Profiles
import Text

/// A profile as a specification for people, with an example of each message from the profile's own tests. The HTML and Markdown writers print it.
public struct ProfilePage: Sendable {
  let description: ProfileDescription
  /// Examples by message name.
  let examples: [String: Example]

  /// A message of a test: its bytes, and their meaning.
  struct Example: Sendable {
    var title: String
    /// Its description.
    var text: String
    /// Its packets; empty where a single packet is the payload.
    var packets: [[UInt8]]
    var payload: [UInt8]
    var fields: [Field]
    /// Range of the checksum, where it is part of the body.
    var check: Range<Int>?
  }

  /// A field of an example.
  struct Field: Sendable {
    var range: Range<Int>
    var location: String, name: String, value: String
    var depth: Int
    var isHidden: Bool
    /// Index of its colour; nil where it has no bytes of its own.
    var color: Int?
  }

  /// Number of colours, which are used in turn.
  static let colors = 8
  /// Most bytes and fields of an example.
  static let maxBytes = 256, maxFields = 120

  /// Reads a profile of `set`, and runs its tests for the examples. Throws ``ProfileError`` where the profile is wrong.
  public init(_ set: ProfileSet, _ number: Int) throws {
    description = try set.description(of: number)
    var examples: [String: Example] = [:]
    // The first message without a problem is the example; messages with problems are not used.
    try set.visitTestMessages(number) { message, packets, title in
      guard let name = message.name, examples[name] == nil, message.kind == .message, message.isComplete, !message.hasProblem,
        message.checksum != .bad
      else { return }
      examples[name] = Self.example(message, packets, title)
    }
    self.examples = examples
  }

  private static func example(_ message: ProfileMessage, _ packets: [[UInt8]], _ title: String?) -> Example {
    var values = ReportFieldsVisitor()
    message.visitFields(&values)
    var layout = ReportLayoutVisitor()
    message.visitFields(&layout)
    let texts: [String] =
      if case .list(let list) = FieldTree(json: Array(values.values.bytes) + [UInt8(ascii: "]")]) { list.map(text) } else { [] }
    let payload = Array(message.payload)
    var fields: [Field] = []
    var color = 0
    for (index, field) in layout.fields.prefix(maxFields).enumerated() {
      var value = field.isContainer ? "" : index < texts.count ? texts[index] : ""
      if !field.unit.isEmpty, value != "none", !value.isEmpty { value += " \(field.unit)" }
      let hasBytes = !field.isContainer && !field.range.isEmpty && field.range.upperBound <= payload.count
      fields.append(
        Field(
          range: field.range, location: self.location(field), name: field.name, value: value, depth: field.depth, isHidden: field.isHidden,
          color: hasBytes ? color % colors : nil))
      if hasBytes { color += 1 }
    }
    // A field can cover the checksum's bytes.
    let check = message.checkedRange.flatMap { check in fields.contains { $0.color != nil && $0.range.overlaps(check) } ? nil : check }
    var text: [UInt8] = []
    message.appendSentence(to: &text)
    return Example(
      title: (title ?? "").singleLine, text: String(decoding: text, as: UTF8.self).singleLine,
      packets: packets.count == 1 && packets[0] == payload ? [] : packets, payload: payload, fields: fields, check: check)
  }

  private static func text(_ value: FieldTree) -> String {
    switch value {
    case .null: "none"
    case .bool(let truth): truth ? "yes" : "no"
    case .text(let text), .written(let text, _): text.singleLine
    case .int(let number): String(number)
    case .uint(let number): String(number)
    case .double(let number): number == number.rounded() && number.magnitude < 1e15 ? String(Int64(number)) : String(number)
    case .list, .object, .bytes: ""
    }
  }

  private static func location(_ field: ReportLayout.Field) -> String {
    guard !field.range.isEmpty else { return "" }
    let (first, last) = (field.range.lowerBound, field.range.upperBound - 1)
    let bytes = first == last ? "\(first)" : "\(first)\u{2013}\(last)"
    guard field.bits.count > 0 else { return bytes }
    return bytes + (field.bits.count == 1 ? ", 1 bit" : ", \(field.bits.count) bits")
  }

  /// The colour of each byte of an example: that of the innermost field that contains it; nil where no field does.
  static func colors(_ example: Example) -> [Int?] {
    var colors = [Int?](repeating: nil, count: example.payload.count)
    for field in example.fields {
      guard let color = field.color else { continue }
      for at in field.range.clamped(to: 0..<colors.count) where colors[at] == nil || field.depth > 0 { colors[at] = color }
    }
    return colors
  }

  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    TextBuffer.words { out in
      var isFirst = true
      for byte in bytes {
        if !isFirst { out.byte(0x20) }
        isFirst = false
        out.hex(UInt64(byte), digits: 2)
      }
    }
  }

  /// Checksums of all framings, each once: the algorithm, the covered bytes, and its position.
  var checks: [[String]] {
    var rows: [[String]] = []
    for framing in description.framings {
      for layer in framing.layers where layer.name == "check" {
        func value(_ key: String) -> String { layer.rows.first { $0.key == key }?.value ?? "" }
        let over = value("over").isEmpty ? "all bytes but its own" : "bytes \(value("over"))"
        let location = !value("value").isEmpty ? "expected: \(value("value"))" : value("at").isEmpty ? "at the end" : "at \(value("at"))"
        let order = value("endian") == "le" ? "low byte first" : value("as") == "hex" ? "as digits" : "high byte first"
        rows.append([value("algorithm"), over, location, order, value("when"), framing.users.joined(separator: "; ")])
      }
    }
    return rows
  }
}
