import Analysis
import Bluetooth
import Conversations
import Memory
import Text

/// Rows of keyboards, mice and remote controls.
extension TextPrinter {
  /// A message of the Human Interface Device Protocol.
  func humanInterface(_ row: PacketRow) {
    guard let header = HID.Header(row.pdu.span) else {
      verb("data")
      return bytes(row.pdu)
    }
    // The response does not repeat the type of the request.
    if header.type.isRequest, requests.count < 64 || requests[row.connection] != nil { requests[row.connection] = (row.frame, header.type) }
    switch header.type {
    case .handshake: verb(row.hasFailed ? "refused" : "ok")
    case .control: verb("control")
    case .getReport, .getProtocol, .getIdle: verb("get")
    case .setReport, .setProtocol, .setIdle: verb("set")
    case .data, .datc: verb(row.requestFrame != 0 ? "answer" : "report")
    }
    let label = out.count
    out.text("HID")
    endLabel(label)
    let start = out.count
    switch header.type {
    case .handshake: if row.hasFailed { status(Status.failure(header.parameter, .humanInterface), header.parameter) }
    case .data, .datc:
      if row.requestFrame != 0, header.reportType == .other, row.pdu.count == 2, let value = row.pdu.u8(1) {
        switch requests[row.connection].flatMap({ $0.frame == row.requestFrame ? $0.type : nil }) {
        case .getProtocol?: out.text(value & 1 == 0 ? "protocol boot" : "protocol report")
        case .getIdle?:
          out.text("idle rate ")
          out.decimal(Int(value) * 4)
          out.text(" ms")
        default: out.decimal(Int(value))
        }
      } else if header.reportType != .input {
        out.request(header)
      }
    default: out.request(header, number: header.type == .getReport ? row.pdu.u8(1) : nil, setting: row.pdu.u8(1))
    }
    if header.hasData, !(row.requestFrame != 0 && header.reportType == .other && row.pdu.count == 2) {
      if out.count > start { out.text("  ") }
      if row.reportDescription != nil { report(row) } else { bytes(row.pdu.from(1)) }
    }
    out.fold(from: start, to: 240, style)
    latency(row)
  }

  /// Appends the content of a report: keys that were pressed, released and held, and its numbers.
  func report(_ row: PacketRow) {
    var words = InputReportText(out, style: style)
    let start = out.count
    Dissection.walk(row, &words)
    words.finish()
    if out.count == start { out.text(row.reportRange.isEmpty ? "(empty)" : "nothing pressed") }
  }
}

extension TextBuffer {
  /// Appends the content of a HIDP message: `feature report 4`, `protocol boot`, `idle rate 500 ms`, `suspend`.
  func request(_ header: HID.Header, number: UInt8? = nil, setting: UInt8? = nil) {
    switch header.type {
    case .handshake: break
    case .control: name(HIDNames.controls?.name(of: UInt64(header.parameter)) ?? "unknown operation")
    case .getReport, .setReport, .data, .datc:
      name(HIDNames.types?.name(of: UInt64(header.reportType.rawValue)) ?? .empty)
      text(" report")
      if let number {
        byte(0x20)
        decimal(Int(number))
      }
    case .getProtocol: text("protocol")
    case .setProtocol: text(header.parameter & 1 == 0 ? "protocol boot" : "protocol report")
    case .getIdle: text("idle rate")
    case .setIdle:
      text("idle rate ")
      decimal(Int(setting ?? 0) * 4)
      text(" ms")
    }
  }
}

private enum HIDNames {
  static let controls = Enumeration.named("hid-control")
  static let types = Enumeration.named("hid-report")
}

/// Writes the content of a report.
struct InputReportText: FieldVisitor {
  private let out: TextBuffer
  private let style: Style
  private var isInside = false
  private var list = StaticName.empty
  private var isFirst = true
  private var isFirstOfList = true
  private var hasChanged = false
  /// Held keys, printed where nothing changed, or besides keys that were pressed.
  private var held: [String] = []
  private var pressed: [String] = []
  private var surplus = 0

  init(_ out: TextBuffer, style: Style) {
    self.out = out
    self.style = style
  }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    guard isInside else { return }
    switch list {
    case .empty:
      guard case .signed(let number) = value, number != 0 else { return }
      next()
      out.words(field.name)
      out.byte(0x20)
      out.value(field, value, bytes, style, limit: 20)
    case "values":
      if field.name == "usage_page" { next() } else { out.byte(0x20) }
      if field.name == "usage" { out.text("usage ") }
      out.value(field, value, bytes, style, limit: 20)
    case "keys", "controls", "system_controls", "buttons": held.append(name(field, value))
    case "leds":
      if isFirstOfList { next() } else { out.text(" + ") }
      isFirstOfList = false
      out.string(name(field, value))
    default:
      hasChanged = true
      if isFirstOfList { next() } else { out.text(" + ") }
      if isFirstOfList, Self.released.contains(list) { out.text("released ") }
      isFirstOfList = false
      let name = name(field, value)
      out.string(name)
      if !Self.released.contains(list) { pressed.append(name) }
    }
  }

  private static let released: Set<StaticName> = ["keys_released", "controls_released", "system_controls_released", "buttons_released"]

  private mutating func next() {
    if !isFirst { out.text(", ") }
    isFirst = false
  }

  /// The name of a key or light, or the number of its usage.
  private func name(_ field: Field, _ value: FieldValue) -> String {
    guard case .unsigned(let number) = value else { return "" }
    guard let name = field.name(of: number) else { return "\(field.name.description) \(number)" }
    return field.name == "button" ? "\(name) button" : name.description
  }

  mutating func beginObject(_ field: Field, at offset: Int) { if field.name == "report" { isInside = true } }
  mutating func endObject(_ field: Field, at range: Range<Int>) { if field.name == "report" { isInside = false } }
  mutating func beginArray(_ field: Field, at offset: Int) {
    guard isInside else { return }
    list = field.name
    isFirstOfList = true
  }
  mutating func endArray(_ field: Field, at range: Range<Int>) {
    if isInside, list == "leds", isFirstOfList {
      next()
      out.text("lights off")
    }
    list = .empty
  }
  mutating func problem(_ problem: FieldProblem) { if case .surplus(let range) = problem { surplus = range.count } }

  /// Appends other held keys, and the number of bytes beyond the report map.
  mutating func finish() {
    let others = held.filter { !pressed.contains($0) }
    if !others.isEmpty {
      if isFirst { out.text("held ") } else { out.text(hasChanged ? "  with " : ", held ") }
      isFirst = false
      out.string(others.joined(separator: " + "))
    }
    guard surplus > 0 else { return }
    if isFirst { out.text("nothing pressed") }
    out.text("  and ")
    out.decimal(surplus)
    out.text(surplus == 1 ? " byte" : " bytes")
    out.text(" more than the report map says")
  }
}
