import Bluetooth
import Conversations
import Profiles
import Analysis
import Text

// Wording that the HTML and the Markdown of a report share. All texts are harmless on a terminal; each format adds its own escapes.

extension Report {
  /// Tables at the end of the capture.
  public var tables: ConversationTables { summary.outcome.tables }

  /// The verb of a kind's direction: `written`, `notified`…
  public func verb(_ kind: ReportKind) -> String {
    switch kind.direction {
    case .write: "written"
    case .notify: "notified"
    case .indicate: "indicated"
    case .read: "read"
    case .advertise: "advertised"
    }
  }

  /// The title of a kind: its name, or the bytes that its messages start with.
  public func title(_ kind: ReportKind) -> String {
    if let name = kind.name { return TextBuffer.harmless(name) }
    guard let first = kind.firstByte else { return "values" }
    return TextBuffer.words {
      $0.text("starts with ")
      $0.hex(UInt64(first), digits: 2)
    }
  }

  /// A sentence about a kind: its number of messages, their lengths, and their problems.
  public func counts(_ kind: ReportKind) -> String {
    var parts = ["\(kind.count) \(kind.count == 1 ? "message" : "messages")"]
    if kind.shortest == kind.longest {
      parts.append("\(kind.longest) \(kind.longest == 1 ? "byte" : "bytes")")
    } else {
      let lengths = kind.lengths.map(\.length).sorted()
      parts.append(
        lengths.count <= 3
          ? "\(lengths.map(String.init).joined(separator: " or ")) bytes" : "\(kind.shortest) to \(kind.longest) bytes")
    }
    if kind.requests > 0 {
      parts.append(
        kind.answered >= kind.requests
          ? kind.count == 1 ? "answered" : "all answered"
          : kind.answered == 0 ? "no answer" : "\(kind.requests - kind.answered) without an answer")
    }
    if kind.incomplete > 0 { parts.append("\(kind.incomplete) not whole") }
    if kind.badChecksums > 0 { parts.append("\(kind.badChecksums) with a wrong checksum") }
    if kind.notUnderstood > 0 { parts.append("\(kind.notUnderstood) not understood to the end") }
    if kind.count > 1, kind.last > kind.first {
      parts.append("over \(TextBuffer.words { Clock().duration(kind.last &- kind.first, to: $0) })")
    }
    return parts.joined(separator: ", ")
  }

  /// The display of one position of a kind's bytes.
  public struct Cell: Sendable {
    /// The role of the byte.
    public enum ByteRole: String, Sendable { case same, varies, length, counter }
    /// Offset in the message.
    public var at: Int
    /// The role of the byte.
    public var look: ByteRole
    /// `53`, `01 02`, `00–ff`.
    public var value: String
    /// Explanation in words.
    public var explanation: String
    /// Whether all messages are long enough to contain it.
    public var isInAll = true
  }

  /// The first positions of a kind's bytes with their roles; empty where there are not several messages to compare.
  public func pattern(_ kind: ReportKind, limit: Int = 32) -> [Cell] {
    guard kind.count > 1 else { return [] }
    return kind.columns.prefix(limit).enumerated().map { at, column in
      let values = column.values
      let minimum = hex(values.first ?? 0)
      let maximum = hex(values.last ?? 0)
      var cell = Cell(
        at: at, look: .varies, value: "\(minimum)\u{2013}\(maximum)", explanation: "\(values.count) values, \(minimum) to \(maximum)")
      if values.count == 1 {
        cell.look = .same
        cell.value = minimum
        cell.explanation = "always \(minimum)"
      } else if isLength(kind, column) {
        cell.look = .length
        cell.explanation = column.toLength == 0 ? "the length of the message" : "the length of the message less \(column.toLength ?? 0)"
      } else if column.isCounter {
        cell.look = .counter
        cell.explanation = "counts: one more with each message"
      } else if values.count <= 3 {
        cell.value = values.map(hex).joined(separator: "\u{00A0}")
        cell.explanation = "one of \(values.map(hex).joined(separator: ", "))"
      }
      if column.count < kind.count {
        cell.isInAll = false
        cell.explanation += "; in \(column.count) of \(kind.count) messages"
      }
      return cell
    }
  }

  private func isLength(_ kind: ReportKind, _ column: ReportColumn) -> Bool {
    column.isLength && column.distinct > 1 && kind.lengths.count > 1 && (0...8).contains(column.toLength ?? -1)
  }

  /// Sentences about the probable meaning of a kind's bytes.
  public func notes(_ kind: ReportKind) -> [String] {
    var notes: [String] = []
    for cell in pattern(kind) where cell.look == .length || cell.look == .counter { notes.append("byte \(cell.at): \(cell.explanation)") }
    if kind.name == nil, let check = kind.trailingCheck { notes.append("the last byte is the \(check)") }
    return notes
  }

  /// The values of the fields of a message as texts, in the order of its layout; empty for objects and arrays.
  public func values(_ message: ReportMessage) -> [String] {
    guard message.layout >= 0, case .list(let values) = FieldTree(json: message.values) else { return [] }
    return zip(values, layouts[message.layout].fields).map { $1.isContainer ? "" : text($0) }
  }

  /// Values that a field had, the most frequent first, without `shown`: `on ×3, off`; of many numbers their range.
  public func seen(_ field: ReportFieldStatistics, besides shown: String? = nil, limit: Int = 8) -> String {
    if field.isNumeric, field.hasMore || field.values.count > limit {
      let minimum = field.series.map(\.minimum).min() ?? 0
      let maximum = field.series.map(\.maximum).max() ?? 0
      return "\(number(minimum)) to \(number(maximum))"
    }
    var parts: [String] = []
    for (value, times) in field.values.sorted(by: {
      $0.count != $1.count ? $0.count > $1.count : $0.bytes.lexicographicallyPrecedes($1.bytes)
    }) {
      let text = FieldTree(json: value).map(text) ?? ""
      if text == shown { continue }
      if parts.count >= limit { break }
      let short = text.count > 60 ? "\(text.prefix(60))\u{2026}" : text
      parts.append(times > 1 ? "\(short) \u{00D7}\(times)" : short)
    }
    if field.hasMore || field.values.count > limit + 1 { parts.append("\u{2026}") }
    return parts.joined(separator: ", ")
  }

  /// The type of a field, as far as it follows from its bytes and its value: `u1`, `u2 le`, `s4 be`, `bits`, `text`, `bytes`; empty for others.
  public func type(_ message: ReportMessage, _ index: Int) -> String {
    guard message.layout >= 0, index < layouts[message.layout].fields.count, case .list(let values) = FieldTree(json: message.values),
      index < values.count
    else { return "" }
    let field = layouts[message.layout].fields[index]
    guard !field.isContainer, !field.isSecret, !field.range.isEmpty, field.range.upperBound <= message.payload.count else { return "" }
    if field.bits.count > 0 { return "bits" }
    let bytes = message.payload[field.range]
    switch values[index] {
    case .int(let number): return type(number, bytes)
    case .double(let number):
      return number == number.rounded() && number.magnitude < 1e15 ? type(Int64(number), bytes) : "\(bytes.count) bytes"
    case .bool: return bytes.count == 1 ? "u1, 0 or 1" : ""
    case .text(let text):
      // An enumeration has its number behind its name.
      if text.hasSuffix(")"), let open = text.lastIndex(of: "("), text[text.index(after: open)...].hasPrefix("0x"),
        let number = Int64(text[text.index(open, offsetBy: 3)...].dropLast(), radix: 16)
      {
        return type(number, bytes)
      }
      if text == hex(Array(bytes)) { return "bytes" }
      return Array(text.utf8).elementsEqual(bytes) ? "text" : ""
    default: return ""
    }
  }

  private func type(_ number: Int64, _ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.count <= 8 else { return "" }
    let big = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let little = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let mask = bytes.count == 8 ? UInt64.max : (1 << UInt64(bytes.count * 8)) - 1
    let wanted = UInt64(bitPattern: number) & mask
    let sign = number < 0 ? "s" : "u"
    if bytes.count == 1 { return wanted == big ? "\(sign)1" : "" }
    // The byte order cannot be derived where both give the same number: zero, or all bytes equal.
    if big == little { return wanted == big ? "\(sign)\(bytes.count)" : "" }
    return wanted == big ? "\(sign)\(bytes.count) be" : wanted == little ? "\(sign)\(bytes.count) le" : ""
  }

  private func text(_ value: FieldTree) -> String {
    switch value {
    case .null: "none"
    case .bool(let truth): truth ? "yes" : "no"
    case .int(let number): String(number)
    case .uint(let number): String(number)
    case .double(let number): self.number(number)
    case .text(let text), .written(let text, _): TextBuffer.harmless(text)
    case .list, .object, .bytes: ""
    }
  }

  private func number(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : value.description
  }

  /// Position of a field: `3`, `4–7`, `2 bits 1–3`; empty for computed fields.
  public func location(_ field: ReportLayout.Field) -> String {
    guard !field.range.isEmpty else { return "" }
    let (first, last) = (field.range.lowerBound, field.range.upperBound - 1)
    var text = first == last ? "\(first)" : "\(first)\u{2013}\(last)"
    if field.bits.count > 0 {
      text +=
        field.bits.count == 1 ? " bit \(field.bits.first)" : " bits \(field.bits.first)\u{2013}\(field.bits.first + field.bits.count - 1)"
    }
    return text
  }

  /// One packet of a message: header, part of the payload, and trailer.
  public struct Piece: Sendable {
    /// Frame of the packet.
    public var frame: Int
    /// Header of the fragment; the part of the payload; trailer.
    public var head: [UInt8], body: [UInt8], tail: [UInt8]
  }

  /// The packets of a message, split into these parts; empty where the packet is the payload.
  public func pieces(_ message: ReportMessage) -> [Piece] {
    var at = 0
    return message.packets.map { frame, bytes in
      // Headers are more common than trailers: where both are possible, the bytes are taken as a header.
      for tail in 0...min(bytes.count, 4) {
        for head in 0...min(bytes.count - tail, 12) {
          let inside = bytes[head..<(bytes.count - tail)]
          guard !inside.isEmpty, at + inside.count <= message.payload.count,
            message.payload[at..<(at + inside.count)].elementsEqual(inside)
          else { continue }
          at += inside.count
          return Piece(frame: frame, head: Array(bytes[..<head]), body: Array(inside), tail: Array(bytes[(bytes.count - tail)...]))
        }
      }
      return Piece(frame: frame, head: [], body: bytes, tail: [])
    }
  }

  /// The write that subscribes to a characteristic; nil where it does not notify.
  public func subscription(_ source: ReportSource) -> String? {
    guard source.attribute >= 0, !source.isLocal, source.properties & 0x30 != 0 else { return nil }
    let database = tables.attributes[Int(source.attribute)].database
    let configuration = tables.databases[Int(database)].attributes.first { index in
      let attribute = tables.attributes[Int(index)]
      return attribute.uuid >= 0 && tables.uuids[Int(attribute.uuid)].short16 == 0x2902
        && tables.characteristic(of: index) == source.attribute
    }
    guard let configuration else { return nil }
    return TextBuffer.words {
      $0.text("To get its values write ")
      $0.text(source.properties & 0x10 != 0 ? "01 00" : "02 00")
      $0.text(" to its configuration (2902), handle 0x")
      $0.hex(UInt64(tables.attributes[Int(configuration)].handle), digits: 4)
      $0.text(source.properties & 0x10 != 0 ? ": notifications" : ": indications")
    }
  }

  /// The name of a peer, else its address; empty for -1.
  public func name(ofPeer peer: Int32) -> String {
    guard peer >= 0, Int(peer) < tables.peers.count else { return "" }
    let name = tables.name(of: peer)
    return TextBuffer.words { if name.isEmpty { $0.address(tables.peers[Int(peer)].address) } else { $0.untrusted(name, .terminal) } }
  }

  /// Microseconds since 1970 as seconds since the first packet.
  public func seconds(_ time: Int64) -> String { TextBuffer.words { Clock().seconds(time &- (summary.first ?? 0), to: $0) } }

  /// A handle or another number in hex: `0x0036`.
  public func handle(_ number: UInt16) -> String {
    TextBuffer.words {
      $0.text("0x")
      $0.hex(UInt64(number), digits: 4)
    }
  }

  private func hex(_ byte: UInt8) -> String { TextBuffer.words { $0.hex(UInt64(byte), digits: 2) } }

  /// Bytes in hex, separated by spaces.
  public func hex(_ bytes: [UInt8]) -> String {
    TextBuffer.words { out in unsafe bytes.withUnsafeBytes { if let base = $0.baseAddress { unsafe out.spacedHex(base, $0.count) } } }
  }
}
