import Analysis
import Bluetooth
import Conversations
import Memory
import Text

/// Rows of the services behind RFCOMM channels: AT commands and results with their meaning, OBEX requests and responses.
extension TextPrinter {
  /// Lines of the Hands-Free or Headset Profile.
  func commandLines(_ row: PacketRow) {
    let span = row.pdu.span
    let isPart = row.opcode & HFP.part != 0
    var lines = HFP.Lines(RFCOMM.information(of: span, isJoined: row.opcode & RFCOMM.joined != 0))
    let isCommand = lines.next(span)?.isCommand == true
    verb(isPart ? "part" : isCommand ? "command" : row.requestFrame != 0 ? "answer" : "report")
    service(row, row.layer == .hsp ? "HSP" : "HFP")
    let start = out.count
    out.lines(of: row, style)
    out.fold(from: start, to: 320, style)
    latency(row)
  }

  /// A packet of OBEX.
  func object(_ row: PacketRow) {
    let span = row.pdu.span
    let range = OBEX.range(in: span, opcode: row.opcode, psm: row.subcode)
    guard row.opcode & OBEX.part == 0, let packet = OBEX.Packet(span, in: range) else {
      verb(row.opcode & OBEX.part == 0 ? "data" : "part")
      service(row, OBEX.Profile(opcode: row.opcode).name)
      bytes(row.pdu.slice(range.lowerBound, range.count))
      return
    }
    if packet.request != nil {
      let start = out.count
      out.name(OBEX.requestName(packet.status))
      out.pad(from: start, to: columns.verb)
    } else {
      verb(packet.isContinue ? "continue" : packet.status == 0x20 ? "ok" : row.hasFailed ? "refused" : "answer")
    }
    service(row, OBEX.Profile(opcode: row.opcode).name)
    let start = out.count
    if packet.isResponse, !packet.isContinue, packet.status != 0x20 {
      status(Status.failure(packet.status, .objectExchange), packet.status)
    }
    let end = out.count
    if end > start { out.text("  ") }
    var words = ObjectText(out, style: style, isLast: row.opcode & OBEX.last != 0)
    Dissection.walk(row, &words)
    if end > start, out.count == end + 2 { out.truncate(to: end) }
    out.fold(from: start, to: 240, style)
    latency(row)
  }

  /// Appends the service's name, and whether it is certain.
  private func service(_ row: PacketRow, _ name: StaticName) {
    let start = out.count
    if row.flags.contains(.likely), row.detail < 0, row.subcode <= 3 { out.text("likely ") }
    out.name(name)
    endLabel(start)
  }
}

/// Collects the meaning of the parameters of lines.
struct LineParameterText: FieldVisitor {
  /// The lines, and descriptions of their parameters.
  private(set) var lines: [(range: Range<Int>, words: [UInt8])] = []
  private let style: Style
  private let words = TextBuffer(capacity: 256)
  private var isInside = false

  init(_ style: Style) { self.style = style }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    guard isInside else {
      if field.name == "fragment" { lines.append((range, [])) }
      return
    }
    guard case .unsigned(let number) = value, field.name != "line_type", field.name != "indicator_index" else { return }
    if words.count > 0 { words.text(", ") }
    let isNamed = field.enumeration.map { $0.isFlags || $0.name(of: number) != nil } ?? false
    // On and off are printed with the name of the parameter.
    if !isNamed || field.enumeration?.name == "hfp-switch" {
      words.words(field.name)
      words.byte(0x20)
    }
    words.value(field, value, bytes, style, limit: 20)
  }

  mutating func endObject(_ field: Field, at range: Range<Int>) {
    guard field.name == "lines" else { return }
    unsafe lines.append((range, Array(words.gathered)))
    words.clear()
  }
  mutating func beginArray(_ field: Field, at offset: Int) { if field.name == "lines" { isInside = true } }
  mutating func endArray(_ field: Field, at range: Range<Int>) { if field.name == "lines" { isInside = false } }
}

extension TextBuffer {
  /// Appends lines of a PDU verbatim, each followed by its meaning.
  func lines(of row: PacketRow, _ style: Style) {
    var words = LineParameterText(style)
    Dissection.walk(row, &words)
    for (index, line) in words.lines.enumerated() {
      if index > 0 { text("  ") }
      untrusted(row.pdu.slice(line.range.lowerBound, line.range.count), .terminal)
      if line.words.isEmpty { continue }
      text("  ")
      paint(.dim, style)
      raw(line.words)
      unpaint(.dim, style)
    }
  }
}

/// Writes the content of an OBEX packet: names and types of objects, parameters, sizes.
struct ObjectText: FieldVisitor {
  private let out: TextBuffer
  private let style: Style
  private var isFirst = true
  /// Headers of frames and packets, and what the row says in other words.
  private static let shownElsewhere: Set<StaticName> = [
    "ea", "cr", "dlci", "control", "length_ea", "length", "credits", "fcs", "obex_opcode", "response_code", "packet_length", "header_id",
    "header_length", "parameter", "parameter_length", "connection_id", "version", "connect_flags", "constants", "do_not_create",
    "target", "who", "single_response_mode", "single_response_mode_parameter", "challenge_tag", "response_tag", "session_tag",
  ]

  /// The packet has the last of several parts of an object.
  private let isLast: Bool

  init(_ out: TextBuffer, style: Style, isLast: Bool) {
    self.out = out
    self.style = style
    self.isLast = isLast
  }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    guard !field.isReserved, !Self.shownElsewhere.contains(field.name) else { return }
    if case .bool(false) = value { return }
    // The empty end of an object that was sent in full, and in responses to it.
    if field.name == "end_of_body", range.isEmpty { return }
    if !isFirst { out.text(", ") }
    isFirst = false
    switch (field.name, value) {
    case ("body", _), ("end_of_body", _):
      if isLast { out.text("the last ") }
      out.decimal(range.count)
      out.text(range.count == 1 ? " byte" : " bytes")
    case ("name", _): out.value(field, value, bytes, style, limit: 20)
    case ("object_type", .text(let text)), ("other_type", .text(let text)):
      bytes.extracting(text.clamped(to: 0..<bytes.byteCount)).withBorrowedBytes { out.untrusted($0, .terminal) }
    case (_, .bool): out.words(field.name)
    default:
      out.words(field.name)
      out.byte(0x20)
      out.value(field, value, bytes, style, limit: 20)
    }
  }

}
