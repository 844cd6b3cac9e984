import Bluetooth
import Captures
import Conversations
import Analysis
import Memory
import Text

/// One row for exchanges that repeat.
extension TextPrinter {
  /// Whether a row is folded because it repeats others. Prints the row for the folded rows before a row that ends them.
  @inline(__always)
  func repeats(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) -> Bool {
    lastKey = 0
    guard row.connection >= 0, !options.isLive else { return false }
    // A part is folded with its message.
    if isPart, isFolding, !options.showsBytes { return false }
    guard !isPart, !options.showsBytes, let (value, channel, key) = subject(row) else {
      if !repetitions.isEmpty { interrupt(row.connection, batch) }
      return false
    }
    lastKey = key
    if row.connection != lastRepetition?.connection { attend(to: row.connection, batch) }
    let isDescribed = printedKeys[slot(key)] == key || row.reportDescription != nil
    // Most rows repeat nothing: for them the repetition is not retained.
    let verdict = lastRepetition?.repetition.with { $0.take(row, channel, value, key, isDescribed: isDescribed) } ?? .shown
    if verdict == .shown { return false }
    guard let repetition = lastRepetition?.repetition.object else { return false }
    switch verdict {
    case .shown: return false
    case .folded:
      folded.add(.repetition)
      repetition.offset = offset
      if columns.peer == 0 { repetition.heading = headed }
      isLastRepeated = true
      if row.responseFrame != 0, !row.flags.contains(.refusedLater) { markShown(row.responseFrame) }
      return true
    case .ends:
      print(repetition, isBeyond: true, batch.tables)
      repetition.restart()
      return false
    }
  }

  /// The value of a row, its channel, and a key for its action and attribute or channel; nil where it has none.
  @inline(__always)
  private func subject(_ row: PacketRow) -> (PDUBytes, ChannelIdentity, UInt64)? {
    switch row.meaning {
    case .notify, .indicate, .write, .writeCommand, .readValue:
      guard row.layer == .att, row.flags.contains(.hasValue), !row.flags.contains(.hasAssembled),
        row.opcode != UInt32(ATT.Opcode.prepareWriteRequest.rawValue),
        row.opcode != UInt32(ATT.Opcode.multipleHandleValueNotification.rawValue)
      else { return nil }
      return (row.value, ChannelIdentity(layer: .att), UInt64(row.attributeHandle) | UInt64(row.meaning.rawValue) << 16 | 1 << 32)
    default:
      guard row.isOfChannel || row.layer.carriesUnknownData, let (channel, data) = row.channelData else { return nil }
      let side: UInt64 = row.direction == .sent || row.direction == .central ? 1 : 0
      return (data, channel, UInt64(row.channel) | UInt64(channel.dlci) << 16 | side << 24 | 1 << 33)
    }
  }

  @inline(__always)
  private func slot(_ key: UInt64) -> Int { Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 56) }

  /// Makes the repetition of a connection ``lastRepetition``.
  @inline(never)
  private func attend(to connection: Int32, _ batch: RowBatch) {
    if let known = repetitions.first(where: { $0.connection == connection }) {
      lastRepetition = (connection, Unretained(known))
      return
    }
    if repetitions.count == 8 {
      let oldest = repetitions.removeFirst()
      if oldest.folded > 0 { print(oldest, isBeyond: false, batch.tables) }
    }
    let new = Repetition(connection)
    repetitions.append(new)
    lastRepetition = (connection, Unretained(new))
  }

  /// Remembers that the last value was decoded: the next value with its key is a repetition only if it is equal.
  @inline(__always)
  func valueWasDecoded() {
    if lastKey != 0 { printedKeys[slot(lastKey)] = lastKey }
  }

  /// Ends the repetition of a connection, or of all for nil. The batch's tables are copied only if a row is printed.
  func interrupt(_ connection: Int32?, _ batch: RowBatch) {
    if repetitions.contains(where: { $0.folded > 0 }) { return interrupt(connection, batch.tables) }
    for repetition in repetitions where connection == nil || repetition.connection == connection { repetition.forget() }
  }

  func interrupt(_ connection: Int32?, _ tables: ConversationTables) {
    for repetition in repetitions where connection == nil || repetition.connection == connection {
      if repetition.folded > 0 { print(repetition, isBeyond: false, tables) }
      repetition.forget()
    }
  }

  /// The row for all that was folded.
  private func print(_ repetition: Repetition, isBeyond: Bool, _ tables: ConversationTables) {
    let last = repetition.lastRow(isBeyond: isBeyond)
    insert(at: repetition.offset, last.frame, under: repetition.heading, tables) { write(repetition, last, isBeyond, tables) }
    repetition.offset = -1
  }

  private func write(_ repetition: Repetition, _ last: PacketRow, _ isBeyond: Bool, _ tables: ConversationTables) {
    if columns.peer == 0 { head(last, tables) }
    let start = out.count
    valueColumn = columns.lead + columns.verb
    repeatedLead(last, tables)
    // The values of a transfer differ; only their lengths are alike.
    verb(repetition.isTransfer ? "continues" : "repeats")
    let first = repetition.row(0, isBeyond: isBeyond)
    if repetition.period == 1 {
      let label = out.count
      self.label(first, repetition.channel(0, isBeyond: isBeyond), tables)
      endLabel(label)
    }
    out.decimal(repetition.period == 1 ? repetition.folded : repetition.cycles)
    if repetition.isTransfer {
      if repetition.period == 1 {
        out.text(repetition.folded == 1 ? " more value of " : " more values of ")
        out.decimal(repetition.bytes / max(repetition.folded, 1))
        out.text(" bytes in ")
      } else {
        out.text(repetition.cycles == 1 ? " more time in " : " more times in ")
      }
      clock.duration(repetition.duration(isBeyond: isBeyond), to: out)
      out.text(", ")
      out.rate(repetition.bytes, repetition.duration(isBeyond: isBeyond))
    } else {
      out.text(repetition.period == 1 ? " more" : repetition.cycles == 1 ? " more time" : " more times")
      period(repetition)
    }
    out.text(", #")
    out.decimal(repetition.firstFrame)
    if last.frame != repetition.firstFrame {
      out.text(" to #")
      out.decimal(last.frame)
    }
    if !repetition.isTransfer || repetition.period > 1 {
      var slot = 0
      while slot < repetition.period {
        out.text(slot == 0 ? ": " : repetition.period == 2 && style.isUnicode ? " → " : "; ")
        var next = slot + 1
        while repetition.isTransfer, next < repetition.period, repetition.isAlike(slot, next, isBeyond: isBeyond) { next += 1 }
        if next > slot + 1 {
          out.decimal(next - slot)
          out.text(" times ")
        }
        self.slot(slot, of: repetition, isBeyond, tables)
        slot = next
      }
    }
    endLine(start, indent: valueColumn)
  }

  private func period(_ repetition: Repetition) {
    let between = repetition.lastCycle &- repetition.anchor
    guard repetition.cycles > 1, between > 0 else { return }
    let mean = between / Int64(repetition.cycles)
    if repetition.longestCycle &- repetition.shortest <= mean / 2 {
      out.text(" every ")
      clock.duration(mean, to: out)
    } else {
      out.text(" in ")
      clock.duration(between, to: out)
    }
  }

  /// Appends the action at one position of the cycle, and the bytes that changed.
  private func slot(_ slot: Int, of repetition: Repetition, _ isBeyond: Bool, _ tables: ConversationTables) {
    let row = repetition.row(slot, isBeyond: isBeyond)
    if repetition.period > 1 {
      switch row.meaning {
      case .notify: out.text("notify ")
      case .indicate: out.text("indicate ")
      case .write: out.text("write ")
      case .writeCommand: out.text("write command ")
      case .readValue: out.text("read ")
      default: out.text(row.direction == .sent || row.direction == .central ? "send " : "receive ")
      }
      label(row, repetition.channel(slot, isBeyond: isBeyond), tables)
      out.byte(0x20)
    }
    let (bytes, count) = repetition.value(slot, isBeyond: isBeyond)
    if repetition.isTransfer {
      out.decimal(count)
      return out.text(count == 1 ? " byte" : " bytes")
    }
    let changes = repetition.changes(slot, isBeyond: isBeyond)
    bytes.withBorrowedBytes { value in
      if TextBuffer.readsAsText(value) {
        // The text up to the first byte that changed.
        out.quoted(value.slice(0, changes.first.map { $0.at } ?? value.count), limit: 40, style)
        if !changes.isEmpty { out.glyph(.ellipsis, style) }
      } else {
        unsafe out.spacedHex(value.start, min(value.count, 12))
        if count > 12 {
          out.byte(0x20)
          out.glyph(.ellipsis, style)
        }
      }
    }
    guard !changes.isEmpty else { return }
    out.text(" (byte ")
    for (index, change) in changes.prefix(3).enumerated() {
      if index > 0 { out.text(", byte ") }
      out.decimal(change.at)
      out.byte(0x20)
      out.hex(UInt64(change.low), digits: 2)
      out.glyph(.dash, style)
      out.hex(UInt64(change.high), digits: 2)
    }
    if changes.count > 3 {
      out.text(", and ")
      out.decimal(changes.count - 3)
      out.text(" more")
    }
    out.byte(UInt8(ascii: ")"))
  }

  private func label(_ row: PacketRow, _ channel: ChannelIdentity, _ tables: ConversationTables) {
    if row.layer != .att { return label(of: channel, row, tables) }
    if row.attribute >= 0, row.uuidSource != .none, !options.isNumeric {
      out.label(row.attribute, tables, style, names)
    } else {
      handle(row.attributeHandle)
    }
  }
}

extension TextBuffer {
  /// Appends a rate in bytes per second, from bytes and microseconds: `65.0 kB/s`.
  func rate(_ bytes: Int, _ micros: Int64) {
    guard micros > 0, bytes >= 0 else { return text("at once") }
    let (product, overflows) = UInt64(bytes).multipliedReportingOverflow(by: 1_000_000)
    let perSecond = overflows ? UInt64(bytes) / max(UInt64(micros) / 1_000_000, 1) : product / UInt64(micros)
    let units: [StaticString] = [" B/s", " kB/s", " MB/s"]
    var unit = 0
    var scaled = perSecond &* 10
    while scaled >= 10_000, unit < 2 {
      scaled /= 1000
      unit += 1
    }
    unsigned(scaled / 10)
    if unit > 0, scaled < 1000 {
      byte(UInt8(ascii: "."))
      unsigned(scaled % 10)
    }
    text(units[unit])
  }
}
