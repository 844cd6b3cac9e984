import Bluetooth
import Conversations
import Analysis
import Text

/// The columns of a timeline.
struct TimelineColumns {
  /// Fewer columns than this are narrow: the peer has a heading of its own, and long lines are wrapped.
  static let wide = 112
  /// Least number of bytes of a value in one line.
  private static let fewestBytes = 12

  /// Columns of the packet's number.
  var frame = 5
  /// Columns of its time.
  var time = 10
  /// Columns of the peer; none in a narrow timeline.
  var peer = 17
  /// Columns between them.
  var gap = 2
  /// Columns between the glyph of the direction and the description.
  var glyphGap = 3
  /// Columns of the verb.
  var verb = 14
  /// Columns of the label of the attribute or channel.
  var label = 20
  /// Most columns of the label in a wide timeline, so that the value after it is visible.
  var widestLabel = 20
  /// Digits of a second that are left out.
  var droppedDigits = 0

  /// Columns of a timeline in which the last packet has the number `packets` and comes `seconds` after the first.
  init(packets: Int?, seconds: Int, _ format: TimeFormat, _ style: Style) {
    let isNarrow = style.isNarrow
    frame = Self.digits(packets ?? 99_999)
    switch format {
    case .r, .d: time = Self.digits(seconds) + 7
    case .e: time = 17
    case .a, .u: time = 15
    case .ad, .ud: time = 26
    }
    guard isNarrow else {
      frame = max(5, frame)
      if format == .r || format == .d { time = max(10, time) }
      if let width = style.width { widestLabel = max(label, width - lead - verb - Self.fewestBytes * 3) }
      return
    }
    droppedDigits = 3
    time -= droppedDigits
    peer = 0
    gap = 1
    glyphGap = 1
    verb = 11
    label = 13
    if let width = style.width {
      // Twelve bytes in hex, and the spaces between them.
      let room = width - lead - verb - (Self.fewestBytes * 3 - 1)
      label = max(5, min(label, room))
    }
  }

  /// Columns before the lines below a row.
  var indent: Int { frame + gap + time + (peer > 0 ? gap + peer : 0) + gap }

  /// Columns before the description of a row.
  var lead: Int { indent + 1 + glyphGap }

  static func digits(_ number: Int) -> Int {
    var digits = 1
    var rest = number / 10
    while rest > 0 {
      digits += 1
      rest /= 10
    }
    return digits
  }
}

extension Style {
  /// The timeline is narrow: peers are headings, and long lines are wrapped.
  var isNarrow: Bool { width.map { $0 < TimelineColumns.wide } ?? false }
}

extension TextPrinter {
  /// Prints the peer of the rows below.
  func heading(_ row: PacketRow, _ tables: ConversationTables) {
    let start = out.count
    out.paint(.dim, style)
    out.spaces(2)
    for _ in 0..<2 { out.glyph(.rule, style) }
    out.byte(0x20)
    out.unpaint(.dim, style)
    out.paint(.bold, style)
    let name = tables.name(of: row.peer)
    if !name.isEmpty, !options.isNumeric {
      let first = out.count
      out.untrusted(name, .terminal)
      out.fold(from: first, to: 30, style)
      out.text("  ")
    }
    out.address(tables.peers[Int(row.peer)].address)
    out.unpaint(.bold, style)
    if row.flags.contains(.hasConnection) {
      out.text(", handle 0x")
      out.hex(UInt64(row.handle), digits: 4)
    }
    out.byte(0x20)
    out.paint(.dim, style)
    let width = min(style.width ?? 80, 80)
    for _ in 0..<max(0, width - out.columns(from: start)) { out.glyph(.rule, style) }
    out.unpaint(.dim, style)
    endLine(start, indent: 5)
  }

  /// Ends a line: on a narrow terminal a long line continues in the column `indent`, on a wide one it is cut.
  func endLine(_ start: Int, indent: Int) {
    out.trimEnd(from: start)
    if let width = style.width {
      if style.isNarrow { out.wrap(from: start, indent: indent, width: width) } else { out.fold(from: start, to: width, style) }
    }
    out.byte(0x0A)
  }
}

extension TextBuffer {
  /// Removes spaces at the end of a line that begins at `start`.
  @inline(__always)
  func trimEnd(from start: Int) {
    var end = count
    while end > start, unsafe gathered[end - 1] == 0x20 { end -= 1 }
    if end < count { truncate(to: end) }
  }

  /// Cuts the text from `start` on to `width` columns in its middle: names often have a common beginning and differ at their end.
  func cutMiddle(from start: Int, to width: Int, _ style: Style) {
    let columns = columns(from: start)
    guard columns > width, width > 2 else { return }
    let text = unsafe Array(gathered[start..<count])
    let ellipsis = Style.Glyph.ellipsis.columns(style.isUnicode)
    let tail = (width - ellipsis) / 2
    let head = width - ellipsis - tail
    truncate(to: start)
    var column = 0
    var at = 0
    var isCut = false
    while at < text.count {
      let (size, wide) = Self.character(text, at)
      if column + wide <= head {
        raw(Array(text[at..<at + size]))
      } else {
        if !isCut { glyph(.ellipsis, style) }
        isCut = true
        if column >= columns - tail { raw(Array(text[at..<at + size])) }
      }
      column += wide
      at += size
    }
  }

  /// The number of bytes of the character at `at`, and its columns; a colour has none.
  private static func character(_ text: [UInt8], _ at: Int) -> (size: Int, columns: Int) {
    let byte = text[at]
    if byte == 0x1B {
      var end = at + 1
      while end < text.count, text[end - 1] != UInt8(ascii: "m") { end += 1 }
      return (end - at, 0)
    }
    let size = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
    return (min(size, text.count - at), byte >= 0xF0 || (0xE3...0xED).contains(byte) ? 2 : 1)
  }

  /// Wraps the lines from `start` on that are wider than `width`: at a space in the second half of the width, else at the width. The rest goes to the
  /// column `indent`; nil: four to the right of the line's own indentation.
  func wrap(from start: Int, indent: Int?, width: Int) {
    guard width > 20, isWider(from: start, width) else { return }
    let text = unsafe Array(gathered[start..<count])
    truncate(to: start)
    var at = 0
    while at < text.count {
      var end = at
      while end < text.count, text[end] != 0x0A { end += 1 }
      wrap(text[at..<end], indent: indent, width)
      if end < text.count { byte(0x0A) }
      at = end + 1
    }
  }

  /// Whether one of the lines from `start` on is wider than `width`.
  private func isWider(from start: Int, _ width: Int) -> Bool {
    var line = start
    var at = start
    while at < count {
      if unsafe gathered[at] == 0x0A {
        if at - line > width { return true }
        line = at + 1
      }
      at += 1
    }
    // There are at least as many bytes as columns, colours included.
    return count - line > width
  }

  /// Whether the space at `at` is between a number and its unit, which are not separated: letters that are no hex digits, or `µ`.
  private static func isBeforeUnit(_ text: [UInt8], _ at: Int) -> Bool {
    at > 0 && (0x30...0x39).contains(text[at - 1]) && at + 1 < text.count
      && ((0x67...0x7A).contains(text[at + 1]) || text[at + 1] == 0xC2)
  }

  private func wrap(_ line: ArraySlice<UInt8>, indent: Int?, _ width: Int) {
    let text = Array(line)
    var blanks = 0
    while blanks < text.count, text[blanks] == 0x20 { blanks += 1 }
    let indent = min(indent ?? blanks + 4, width - 20)
    // The beginning of the current line, its width so far, and the last space at which it can be wrapped.
    var from = 0
    var column = 0
    var space = -1
    var spaceColumn = 0
    // The last gap of two spaces, which separates columns.
    var gap = -1
    var at = 0
    var isFirst = true
    while at < text.count {
      let (size, columns) = Self.character(text, at)
      if columns > 0, column + columns > width {
        let minimum = isFirst ? max(width / 2, blanks + 1) : indent + 8
        let isAtSpace = space > from && spaceColumn >= minimum
        let end =
          gap > from && at - gap <= 16
          ? gap : text[at] == 0x20 && !Self.isBeforeUnit(text, at) ? at : isAtSpace ? space : at
        var kept = end
        while kept > from, text[kept - 1] == 0x20 { kept -= 1 }
        raw(Array(text[from..<kept]))
        from = end
        while from < text.count, text[from] == 0x20 { from += 1 }
        guard from < text.count else { return }
        byte(0x0A)
        spaces(indent)
        isFirst = false
        column = indent
        at = from
        (space, gap) = (-1, -1)
        continue
      }
      if text[at] == 0x20 {
        if at > 0, text[at - 1] == 0x20 { gap = at }
        if !Self.isBeforeUnit(text, at) {
          space = at
          spaceColumn = column
        }
      }
      column += columns
      at += size
    }
    raw(Array(text[from...]))
  }
}
