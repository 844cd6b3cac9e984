import Bluetooth
import Conversations
import Analysis
import Text

/// Operations for people: one line each, aligned.
public final class OperationText: OperationSink {
  let out: TextBuffer
  let style: Style
  let time: TimeFormat
  let isQuiet: Bool
  private let clock = Clock()
  private var first: Int64 = 0
  private var previous: Int64 = 0
  private var frameWidth = 5
  private var timeWidth = 10
  private var names: [Int32: String] = [:]
  private var count = 0
  private var failures = OperationFailures()

  /// On a narrow terminal peer and attribute have fewer columns; on a very narrow one the detail gets a line of its own.
  private let isNarrow: Bool
  private let hasTwoLines: Bool
  private var peerWidth: Int { isNarrow ? 10 : 18 }
  private let verbWidth = 15
  private var attributeWidth: Int { hasTwoLines ? 14 : isNarrow ? 16 : 22 }
  private let tookWidth = 9

  /// Prints to `out`.
  public init(_ out: TextBuffer, style: Style, time: TimeFormat = .r, isQuiet: Bool = false) {
    self.out = out
    self.style = style
    self.time = time
    self.isQuiet = isQuiet
    isNarrow = style.width.map { $0 < 130 } ?? false
    hasTwoLines = style.width.map { $0 < 112 } ?? false
  }

  /// Prints one line about the capture, and the heading.
  public func begin(_ facts: CaptureFacts) throws {
    first = facts.first ?? 0
    previous = first
    names.removeAll()
    count = 0
    failures = OperationFailures()
    frameWidth = max(5, facts.packets.map { String($0).utf8.count } ?? 5)
    switch time {
    case .r, .d: if let last = facts.last { timeWidth = max(10, String((last &- first) / 1_000_000).utf8.count + 7) }
    case .e: timeWidth = 17
    case .a, .u: timeWidth = 15
    case .ad, .ud: timeWidth = 26
    }
    guard !isQuiet else { return }
    let start = out.count
    out.title(of: facts, style)
    if let first = facts.first, facts.packets != 0 {
      out.byte(UInt8(ascii: ","))
      clock.beginning(first, to: out)
    }
    if let width = style.width { out.wrap(from: start, indent: 2, width: width) }
    out.text("\n\n")
    out.paint(.dim, style)
    out.firstHeads(frameWidth, timeWidth)
    out.spaces(peerWidth - 4 + 2 + 2)
    out.text("operation")
    out.spaces(verbWidth - 9)
    out.text("attribute")
    out.spaces(attributeWidth - 9)
    if !hasTwoLines {
      out.spaces(tookWidth - 4)
      out.text("took  ")
    }
    out.text("how it went")
    out.unpaint(.dim, style)
    out.byte(0x0A)
    try out.flush()
  }

  /// Keeps the name that a profile gives to an attribute.
  public func attribute(_ attribute: ProfileAttribute) { names[attribute.index] = attribute.name }

  /// Prints an operation.
  public func operation(_ operation: Operation, _ tables: ConversationTables) throws {
    count += 1
    failures.count(operation.ending, operation.kind)
    let isBad = operation.ending == .failed || operation.ending == .unanswered
    let start = out.count
    let paint: Style.ColorRole =
      isBad ? .red : operation.kind == .connect && operation.ending == .succeeded ? .green : operation.ending == .open ? .yellow : .plain
    out.paint(paint, style)
    right(frameWidth) { out.decimal(operation.frame) }
    out.text("  ")
    right(timeWidth) { clock.write(operation.start, time, first: first, previous: previous, to: out) }
    previous = operation.start
    out.text("  ")
    column(peerWidth) { operation.writePeer(to: out, tables) }
    out.text("  ")
    if isBad {
      out.glyph(.failed, style)
    } else if isLink(operation) && !operation.isIncoming {
      out.byte(0x20)
    } else {
      out.glyph(operation.isIncoming ? .received : .sent, style)
    }
    out.byte(0x20)
    column(verbWidth) { out.text(operation.kind.verb) }
    column(attributeWidth) { operation.writeAttribute(to: out, tables, style, names) }
    if !hasTwoLines {
      right(tookWidth) { took(operation) }
      out.text("  ")
    }
    if hasTwoLines {
      if operation.ending == .failed { out.text("failed") } else { operation.writeStatus(to: out) }
      out.text("  ")
      took(operation)
    } else {
      if operation.ending != .succeeded || !operation.describesItself { status(operation) }
      if !hasOwnLine(operation) { operation.writeDetail(to: out, style) }
    }
    trim(start)
    if let width = style.width { out.fold(from: start, to: width, style) }
    out.unpaint(paint, style)
    out.byte(0x0A)
    if hasTwoLines || hasOwnLine(operation) { secondLine(operation) }
    if out.count >= 1 << 16 { try out.flush() }
  }

  /// The detail of a stream is longer than the rest of a line.
  private func hasOwnLine(_ operation: Operation) -> Bool { isNarrow && operation.kind == .stream }

  /// Prints the status, with the number of an error.
  private func status(_ operation: Operation) {
    operation.writeStatus(to: out)
    if operation.ending == .failed, let code = operation.errorNumber {
      out.text(" (0x")
      out.hex(UInt64(code), digits: 2)
      out.byte(UInt8(ascii: ")"))
    }
    out.text("  ")
  }

  private func trim(_ start: Int) {
    while out.count > start, unsafe out.gathered[out.count - 1] == 0x20 { out.truncate(to: out.count - 1) }
  }

  private func secondLine(_ operation: Operation) {
    let start = out.count
    out.spaces(frameWidth + timeWidth + peerWidth + 8)
    let first = out.count
    let paint: Style.ColorRole = operation.ending == .failed ? .red : .dim
    out.paint(paint, style)
    if operation.ending == .failed, hasTwoLines { status(operation) }
    operation.writeDetail(to: out, style)
    trim(first)
    if out.columns(from: first) == 0 {
      out.truncate(to: start)
      return
    }
    if let width = style.width {
      if operation.kind == .stream {
        out.wrap(from: start, indent: frameWidth + timeWidth + peerWidth + 8, width: width)
      } else {
        out.fold(from: start, to: width, style)
      }
    }
    out.unpaint(paint, style)
    out.byte(0x0A)
  }

  /// Operations of the host with its controller: no direction is shown.
  private func isLink(_ operation: Operation) -> Bool {
    switch operation.kind {
    case .scan, .inquiry, .connect, .disconnect, .dataLength, .phy, .parameters, .nameRequest, .encryption: true
    default: false
    }
  }

  private func took(_ operation: Operation) {
    let took = operation.latency >= 0 ? operation.latency : operation.duration
    if operation.latency >= 0 || took > 0 { clock.duration(took, to: out) }
  }

  private func right(_ width: Int, _ body: () -> Void) {
    let start = out.count
    body()
    let used = out.columns(from: start)
    guard used < width else { return }
    let bytes = unsafe Array(out.gathered[start..<out.count])
    out.truncate(to: start)
    out.spaces(width - used)
    out.raw(bytes)
  }

  private func column(_ width: Int, _ body: () -> Void) {
    let start = out.count
    body()
    if hasTwoLines { out.cutMiddle(from: start, to: width - 1, style) }
    if out.columns(from: start) > width - 1 { out.fold(from: start, to: width - 1, style) }
    out.spaces(width - out.columns(from: start))
  }

  /// Writes the buffered text.
  public func flush() throws { try out.flush() }

  /// Prints the number of operations.
  public func end(_ outcome: Outcome) throws {
    if !isQuiet {
      out.byte(0x0A)
      out.paint(.dim, style)
      out.decimal(count)
      out.text(count == 1 ? " operation" : " operations")
      for text in failures.texts {
        out.text(", ")
        out.string(text)
      }
      out.unpaint(.dim, style)
      out.byte(0x0A)
    }
    try out.flush()
  }
}
