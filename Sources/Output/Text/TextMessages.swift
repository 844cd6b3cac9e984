import Bluetooth
import Conversations
@_spi(Pipeline) import Profiles
import Analysis
import Memory
import Text

/// Prints messages for people below their rows: description, packets, and problems.
final class TextMessages: MessageRenderer {
  private let out: TextBuffer
  private let options: TextPrinter.Options
  private let columns: TimelineColumns
  private let clock = Clock()
  private let words = MessageWords()
  /// The beginning of a line without colours up to the profile's name, cached for the profile of the last message.
  private let head = TextBuffer()
  private var headProfile: ObjectIdentifier?
  private var nameCount = 0

  private var style: Style { options.style }
  /// Columns before the lines below a row.
  private var indent: Int { columns.indent }

  /// Prints to `out`.
  init(_ out: TextBuffer, _ options: TextPrinter.Options, _ columns: TimelineColumns) {
    self.out = out
    self.options = options
    self.columns = columns
  }

  var count: Int { out.count }

  /// The line of an advertisement costs less than the text of a message.
  var decodesAdvertisements: Bool { false }

  func handOver(_ spare: (any MessageText)?) -> any MessageText { out.handOver(spare) }

  /// Prints a message below the row that completed it.
  func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    let start = out.count
    let isUnjoined = message.kind == .unjoined
    let isBad = message.checksum == .bad || !message.isComplete
    let paint: Style.ColorRole = isUnjoined || message.messageNumber < 0 || message.problem != nil ? .yellow : isBad ? .red : .cyan
    if headProfile != ObjectIdentifier(message.profile) { attend(message.profile) }
    if style.isColored {
      out.spaces(indent)
      out.paint(paint, style)
      unsafe out.append(head.start + indent, head.count - indent)
    } else {
      unsafe out.append(words: head.start, head.count)
    }
    if isUnjoined {
      out.decimal(message.payload.count)
      out.text(message.payload.count == 1 ? " byte belongs" : " bytes belong")
      out.text(" to no message: ")
      unsafe out.spacedHex(message.payload.start, min(message.payload.count, 24))
    } else {
      words.format(message) { out.append($0) }
      if message.messageNumber < 0 {
        out.text("not understood: ")
        unsafe out.spacedHex(message.payload.start, min(message.payload.count, 24))
      }
    }
    out.unpaint(paint, style)
    endMessageLine(start)
    details(message)
  }

  @inline(never)
  private func attend(_ profile: CompiledProfile) {
    headProfile = ObjectIdentifier(profile)
    nameCount = profile.id.utf8.count
    head.clear()
    head.spaces(indent)
    head.glyph(.message, style)
    head.spaces(columns.glyphGap)
    head.string(profile.id)
    head.text("  ")
    // It is copied in words of eight bytes.
    head.reserve(16)
  }

  private func endMessageLine(_ start: Int) {
    if let width = style.width {
      if style.isNarrow { out.wrap(from: start, indent: columns.lead + 2, width: width) } else { out.fold(from: start, to: width, style) }
    }
    out.byte(0x0A)
  }

  /// Prints the packets of a message, the request that it answers, and its problems.
  private func details(_ message: ProfileMessage) {
    let hasFrames = message.frames.count > 1
    guard hasFrames || message.replyTo != nil || message.hasProblem || message.checksum == .ok && options.isVerbose else { return }
    let start = out.count
    out.spaces(style.isNarrow ? columns.lead + 2 : columns.lead + 2 + nameCount)
    let isBad = message.hasProblem
    out.paint(isBad ? .red : .dim, style)
    var isFirst = true
    func next() {
      if !isFirst { out.text(", ") }
      isFirst = false
    }
    if isBad {
      next()
      message.withProblem { out.untrusted($0, .terminal) }
    }
    if hasFrames {
      next()
      out.decimal(message.payload.count)
      out.text(message.payload.count == 1 ? " byte from" : " bytes from")
      for frame in message.frames.prefix(3) {
        out.text(" #")
        out.decimal(frame)
      }
      if message.frames.count > 4 {
        out.byte(0x20)
        out.glyph(.ellipsis, style)
      }
      if message.frames.count > 3, let last = message.frames.last {
        out.text(" #")
        out.decimal(last)
      }
    }
    if let request = message.replyTo {
      next()
      out.text("answers #")
      out.decimal(request)
      if 0..<86_400_000_000 ~= message.latency {
        out.text(" after ")
        clock.duration(message.latency, to: out)
      }
    }
    if message.checksum == .ok, options.isVerbose {
      next()
      out.text("checksum ok")
    }
    out.unpaint(isBad ? .red : .dim, style)
    endMessageLine(start)
  }
}
