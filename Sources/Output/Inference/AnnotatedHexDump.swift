import Inference
import PacketCodecs
import Text

/// A message as hexadecimal digits with its fields separated, and the fields' names below.
struct AnnotatedHexDump {
  /// A run of bytes of one field, and its column in the line.
  private struct Cell {
    var column: Int
    var text: String
    var paint: Style.ColorRole
    var label: String?
    var isGap = false
  }

  private let out: TextBuffer
  private let style: Style
  /// Columns before the first byte.
  private let indent: Int

  init(_ out: TextBuffer, _ style: Style, indent: Int) {
    self.out = out
    self.style = style
    self.indent = indent
  }

  /// Bytes of a line, so that it stays within the width.
  private var room: Int { max(8, ((style.width ?? 120) - indent - 2)) }

  /// Prints messages of a kind, and the ruler with the names below the last one.
  func print(_ kind: KindFields, limit: Int) {
    var chosen: [[UInt8]] = []
    for example in kind.examples where !chosen.contains(example) && chosen.count < limit { chosen.append(example) }
    chosen.sort { $0.count < $1.count }
    for (index, message) in chosen.enumerated() {
      let cells = cells(message, kind)
      line(cells) { out.string($0.text) }
      if index == chosen.count - 1 { labels(cells) }
    }
  }

  private func line(_ cells: [Cell], _ write: (Cell) -> Void) {
    out.spaces(indent)
    for (index, cell) in cells.enumerated() {
      if index > 0 { out.byte(0x20) }
      out.paint(cell.paint, style)
      write(cell)
      out.unpaint(cell.paint, style)
    }
    out.byte(0x0A)
  }

  /// Cuts the message into its fields; where they do not fit, bytes are left out before the fields that are counted from the end.
  private func cells(_ message: [UInt8], _ kind: KindFields) -> [Cell] {
    let fields = kind.fields
    var ranges: [(range: Range<Int>, field: FieldFinding?)] = []
    var at = 0
    let ordered = fields.map { ($0, $0.offset < 0 ? message.count + $0.offset : $0.offset) }.sorted { $0.1 < $1.1 }
    for (field, from) in ordered where from >= at && from < message.count {
      if from > at { ranges.append((at..<from, nil)) }
      let next = ordered.first { $0.1 > from }?.1 ?? message.count
      let end = min(message.count, max(from + 1, field.size.map { from + $0 } ?? next))
      ranges.append((from..<end, field))
      at = end
    }
    if at < message.count { ranges.append((at..<message.count, nil)) }
    let tail = ranges.reversed().prefix { $0.field.map { $0.offset < 0 } ?? false }
    let behind = tail.reduce(0) { $0 + 2 * $1.range.count + 1 }
    var list: [Cell] = []
    var column = 0
    func digits(_ range: Range<Int>) -> String {
      range.map { message[$0] < 16 ? "0" + String(message[$0], radix: 16) : String(message[$0], radix: 16) }.joined()
    }
    func add(_ text: String, _ field: FieldFinding?) {
      let label = field.flatMap { Self.isGuess($0, of: kind) ? nil : Self.label($0) }
      list.append(Cell(column: column, text: text, paint: field.map { Self.paint($0.type) } ?? .plain, label: label))
      column += text.unicodeScalars.count + 1
    }
    let end = room - behind
    var isCut = false
    for (range, field) in ranges.dropLast(tail.count) {
      // Text is shown as text.
      if let field, field.type == .text, !field.isHex, message[range].allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) {
        let left = end - column - 2
        if left >= 1 { add(String(decoding: message[range].prefix(left), as: UTF8.self), field) }
        isCut = left < range.count
        if isCut { break }
        continue
      }
      let left = (end - column - 2) / 2
      if left >= range.count {
        add(digits(range), field)
      } else {
        if left >= 1 { add(digits(range.lowerBound..<(range.lowerBound + left)), field) }
        isCut = true
        break
      }
    }
    if isCut {
      let sign = style.isUnicode ? "…" : "..."
      list.append(Cell(column: column, text: sign, paint: .dim, label: nil, isGap: true))
      column += sign.unicodeScalars.count + 1
    }
    for (range, field) in tail.reversed() { add(digits(range), field) }
    return named(list)
  }

  /// Joins three or more adjacent cells of the same name into one name with their number.
  private func named(_ cells: [Cell]) -> [Cell] {
    var list = cells
    var first = 0
    while first < list.count {
      var next = first + 1
      while next < list.count, list[next].label == list[first].label { next += 1 }
      if let label = list[first].label, next - first >= 3 {
        list[first].label = "\(label) \(style.isUnicode ? "×" : "x") \(next - first)"
        for index in first + 1..<next { list[index].label = nil }
      }
      first = next
    }
    return list
  }

  /// Prints a line under each field, and the names on as few lines as possible.
  private func labels(_ cells: [Cell]) {
    let dash = style.isUnicode ? "─" : "-"
    line(cells) { cell in
      out.string(
        cell.isGap ? String(repeating: " ", count: cell.text.unicodeScalars.count) : String(repeating: dash, count: cell.text.utf8.count))
    }
    var rows: [[Cell]] = []
    // Names that would pass the right edge are printed left of their column, below all others.
    var edge: [Cell] = []
    var right: [(column: Int, row: Int)] = []
    for cell in cells.reversed() {
      guard let label = cell.label else { continue }
      if cell.column + 2 + label.unicodeScalars.count > room {
        edge.append(cell)
        continue
      }
      let end = cell.column + 2 + label.unicodeScalars.count
      var row = 0
      while right.contains(where: { $0.row >= row && $0.column <= end }) { row += 1 }
      while rows.count <= row { rows.append([]) }
      rows[row].append(cell)
      right.append((cell.column, row))
    }
    let usual = rows.count
    rows += edge.reversed().map { [$0] }
    for (number, row) in rows.enumerated() {
      // Names of this line, and bars for the names in the lines below.
      let bars = rows.dropFirst(number + 1).joined().map { ($0, true) }
      var column = 0
      out.spaces(indent)
      for (cell, isBar) in (row.map { ($0, false) } + bars).sorted(by: { $0.0.column < $1.0.column }) {
        let label = cell.label ?? ""
        let isBefore = !isBar && number >= usual
        out.spaces(max(0, cell.column - column - (isBefore ? label.unicodeScalars.count + 1 : 0)))
        out.paint(cell.paint, style)
        if isBefore {
          out.string(label + (style.isUnicode ? " ┘" : " '"))
          column = cell.column + 1
        } else if isBar {
          out.string(style.isUnicode ? "│" : "|")
          column = cell.column + 1
        } else {
          out.string((style.isUnicode ? "└ " : "` ") + label)
          column = cell.column + 2 + label.unicodeScalars.count
        }
        out.unpaint(cell.paint, style)
      }
      out.byte(0x0A)
    }
  }

  /// Whether a field is guessed from too few messages to get a label: that bytes are one number, or, from a single message, that they are constant.
  static func isGuess(_ field: FieldFinding, of kind: KindFields) -> Bool {
    if field.type == .constant { return kind.examples.count < 2 }
    guard field.type == .uint || field.type == .int, (field.size ?? 1) > 1, field.confidence < 0.5 else { return false }
    return kind.count < 6
  }

  /// The field's label; nil for plain bytes.
  private static func label(_ field: FieldFinding) -> String? {
    if let name = field.name { return name }
    let doubt = field.confidence < 0.5 ? "?" : ""
    switch field.type {
    case .bytes: return nil
    case .constant:
      switch field.evidence {
      case "starts all messages": return "start"
      case "ends all messages": return "end"
      default: return nil
      }
    case .uint, .int:
      guard let size = field.size, size > 1 else { return nil }
      let order = field.endian == .little ? "le" : "be"
      return "\(field.type == .int ? "s" : "u")\(8 * size) \(order)\(doubt)"
    case .checksum: return field.evidence.split(separator: ":").first.map(String.init) ?? "checksum"
    default: return field.type.rawValue + doubt
    }
  }

  static func paint(_ type: FieldType) -> Style.ColorRole {
    switch type {
    case .length, .counter, .kind: .cyan
    case .checksum: .green
    case .constant, .padding: .dim
    case .bytes: .yellow
    default: .plain
    }
  }
}
