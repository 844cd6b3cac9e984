import Analysis
import Text

/// Colours, glyphs and width of text, set once for a destination.
public struct Style: Sendable {
  /// Colours are used.
  public var isColored: Bool
  /// Glyphs outside ASCII are used.
  public var isUnicode: Bool
  /// Columns of the terminal, or nil where lines are not wrapped or cut.
  public var width: Int?

  /// Makes a style.
  public init(isColored: Bool = false, isUnicode: Bool = true, width: Int? = nil) {
    self.isColored = isColored
    self.isUnicode = isUnicode
    self.width = width
  }

  /// The meaning of a colour.
  public enum ColorRole: Sendable {
    /// The terminal's default colour.
    case plain
    /// Secondary text.
    case dim
    /// A heading or name.
    case bold
    /// An error.
    case red
    /// Something not decoded, or doubtful.
    case yellow
    /// Success.
    case green
    /// A message.
    case cyan

    var code: StaticString {
      switch self {
      case .plain: ""
      case .dim: "\u{1B}[2m"
      case .bold: "\u{1B}[1m"
      case .red: "\u{1B}[31m"
      case .yellow: "\u{1B}[33m"
      case .green: "\u{1B}[32m"
      case .cyan: "\u{1B}[36m"
      }
    }
  }

  /// A glyph, with a form in ASCII.
  public enum Glyph: Sendable {
    case sent, received, failed, passed, message, connected, disconnected, ellipsis, warning, dash, dot, rule, repeated

    func text(_ isUnicode: Bool) -> StaticString {
      switch self {
      case .sent: isUnicode ? "→" : ">"
      case .received: isUnicode ? "←" : "<"
      case .failed: isUnicode ? "✗" : "x"
      case .passed: isUnicode ? "✓" : "+"
      case .message: isUnicode ? "⤷" : "\\"
      case .connected: isUnicode ? "●" : "*"
      case .disconnected: isUnicode ? "○" : "o"
      case .ellipsis: isUnicode ? "…" : "..."
      case .warning: isUnicode ? "⚠" : "!"
      case .dash: isUnicode ? "–" : "-"
      case .dot: isUnicode ? "·" : "."
      case .rule: isUnicode ? "─" : "-"
      case .repeated: isUnicode ? "⟳" : "~"
      }
    }

    func columns(_ isUnicode: Bool) -> Int { self == .ellipsis && !isUnicode ? 3 : 1 }
  }
}

extension TextBuffer {
  /// Starts a colour.
  @inline(__always)
  func paint(_ paint: Style.ColorRole, _ style: Style) {
    if style.isColored, paint != .plain { text(paint.code) }
  }

  /// Ends a colour.
  @inline(__always)
  func unpaint(_ paint: Style.ColorRole, _ style: Style) {
    if style.isColored, paint != .plain { text("\u{1B}[0m") }
  }

  /// Appends a glyph.
  @inline(__always)
  func glyph(_ glyph: Style.Glyph, _ style: Style) { text(glyph.text(style.isUnicode)) }

  /// Pads the text from `start` on with spaces to `columns`, with one space at least.
  @inline(__always)
  func pad(from start: Int, to width: Int) {
    let used = columns(from: start)
    spaces(used < width ? width - used : 1)
  }

  /// The name and format of a capture, with which lists of a capture begin.
  func title(of facts: CaptureFacts, _ style: Style) {
    if facts.number > 0 { byte(0x0A) }
    paint(.bold, style)
    untrusted(Array(facts.name.utf8), .terminal)
    unpaint(.bold, style)
    text(": ")
    string(facts.title)
  }

  /// The headings of the columns that all lists have.
  func firstHeads(_ frameWidth: Int, _ timeWidth: Int) {
    spaces(frameWidth - 1)
    text("#  ")
    spaces(timeWidth - 4)
    text("time  peer")
  }

  /// Wraps the text from `start` on at its spaces, so that no line is wider than the terminal; lines after the first begin with `indent` spaces.
  func wrap(from start: Int, indent: Int, _ style: Style) {
    guard let width = style.width, columns(from: start) > width, indent < width - 20 else { return }
    let bytes = unsafe Array(gathered[start..<count])
    truncate(to: start)
    var line = start
    var at = 0
    while at < bytes.count {
      var end = at
      while end < bytes.count, bytes[end] == 0x20 { end += 1 }
      let word = end
      while end < bytes.count, bytes[end] != 0x20 { end += 1 }
      // A number is not separated from its noun, nor a code from its name.
      while end + 1 < bytes.count, bytes[end + 1] != 0x20,
        bytes[word..<end].allSatisfy({ (0x30...0x39).contains($0) }) || bytes[end + 1] == UInt8(ascii: "(")
      {
        end += 1
        while end < bytes.count, bytes[end] != 0x20 { end += 1 }
      }
      let before = count
      raw(Array(bytes[at..<end]))
      if columns(from: line) > width, before > line, word < end {
        truncate(to: before)
        byte(0x0A)
        line = count
        spaces(indent)
        raw(Array(bytes[word..<end]))
      }
      at = end
    }
  }

  /// Cuts the text from `start` on to `width` columns; the removed part is replaced by an ellipsis. Colours are closed.
  func fold(from start: Int, to width: Int, _ style: Style) {
    guard columns(from: start) > width else { return }
    let room = max(width - Style.Glyph.ellipsis.columns(style.isUnicode), 0)
    var columns = 0
    var at = start
    while at < count {
      let byte = unsafe self.start[at]
      if byte == 0x1B {
        while at < count, unsafe self.start[at] != UInt8(ascii: "m") { at += 1 }
        at += 1
        continue
      }
      var size = 1
      if byte >= 0xF0 { size = 4 } else if byte >= 0xE0 { size = 3 } else if byte >= 0xC0 { size = 2 }
      let wide = byte >= 0xF0 || (0xE3...0xED).contains(byte) ? 2 : 1
      if columns + wide > room { break }
      columns += wide
      at += size
    }
    truncate(to: at)
    glyph(.ellipsis, style)
    if style.isColored { text("\u{1B}[0m") }
  }
}
