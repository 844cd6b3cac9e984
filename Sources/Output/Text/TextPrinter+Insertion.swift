import Analysis
import Bluetooth
import Captures
import Conversations
import Text

/// Rows that are printed late are inserted in the order of frames; rows that a later line includes are removed. Both change text that was not written
/// yet.
extension TextPrinter {
  /// A row with a part of a message, and its range in the output.
  struct PartRow {
    let key: UInt64
    var range: Range<Int>
  }

  /// Most rows that wait for the message that they are parts of.
  private static let maxParts = 512

  /// Offset of the next row; -1 where rows are shown as they arrive.
  var offset: Int { options.isLive ? -1 : out.count }

  /// Appends what `write` writes, at `offset` if rows of other packets came behind it. `heading` is the row whose heading stands above that offset.
  func insert(at offset: Int, _ frame: Int, under heading: PacketRow, _ tables: ConversationTables, _ write: () -> Void) {
    let start = out.count
    guard offset >= 0, offset < start else { return write() }
    let now = headed
    headed = heading
    write()
    if columns.peer == 0 {
      // Prints the heading of the rows after it again.
      if heading.peer >= 0, heading.peer != headed.peer, !headings.contains(offset) {
        headings.append(out.count)
        self.heading(heading, tables)
      }
      headed = now
    }
    let length = out.count - start
    out.moveTail(from: start, to: offset)
    for at in headings.indices where headings[at] >= offset {
      headings[at] = headings[at] >= start ? offset + headings[at] - start : headings[at] + length
    }
    for at in parts.indices where parts[at].range.lowerBound >= offset {
      parts[at].range = parts[at].range.lowerBound + length..<parts[at].range.upperBound + length
    }
    for at in discoveries.indices where isBehind(discoveries[at].offset, discoveries[at].row.frame, offset, frame) {
      discoveries[at].offset += length
    }
    for repetition in repetitions
    where repetition.folded > 0 && isBehind(repetition.offset, repetition.lastRow(isBeyond: false).frame, offset, frame) {
      repetition.offset += length
    }
  }

  private func isBehind(_ offset: Int, _ frame: Int, _ otherOffset: Int, _ otherFrame: Int) -> Bool {
    offset > otherOffset || offset == otherOffset && frame > otherFrame
  }

  // MARK: Parts of messages

  /// Remembers the range of a row with a part of a message, or that a row may complete one.
  func remember(_ row: PacketRow, _ start: Int, _ isPart: Bool) {
    guard isFolding, !options.isLive, !options.showsBytes, row.connection >= 0 else { return }
    let key = key(row)
    if parts.contains(where: { $0.key == key }) { completing = key }
    guard isPart else { return }
    if parts.count == Self.maxParts { parts.removeAll() }
    parts.append(PartRow(key: key, range: start..<out.count))
  }

  /// Parts of one message have the same key, never 0.
  private func key(_ row: PacketRow) -> UInt64 {
    UInt64(UInt32(bitPattern: row.connection)) << 32 | UInt64(row.layer == .att ? row.attributeHandle : row.channel) << 16
      | UInt64(row.direction == .sent || row.direction == .central ? 1 : 0) << 8 | UInt64(row.meaning.rawValue) | 0x80
  }

  /// A message was made of the last row: the rows with its other parts are not shown.
  func foldParts() {
    let key = completing
    completing = 0
    // The last row is kept, even if it begins another message.
    let last = parts.last.map { $0.range.upperBound == out.count ? 1 : 0 } ?? 0
    // From the last to the first, so that the ranges of earlier ones stay valid.
    for at in parts.indices.dropLast(last).reversed() where parts[at].key == key {
      let range = parts[at].range
      out.remove(range)
      folded.add(.fragment)
      move(range)
    }
    parts.removeAll { $0.key == key }
  }

  /// Keeps the rows with parts, as no message was made of the last row.
  func leaveParts() {
    // A part that is not the last of its message completes nothing.
    if parts.last?.key != completing { parts.removeAll { $0.key == completing } }
    completing = 0
  }

  /// Adjusts all offsets after a range of the unwritten text was removed.
  private func move(_ range: Range<Int>) {
    func moved(_ shifted: Int) -> Int { shifted >= range.upperBound ? shifted - range.count : min(shifted, range.lowerBound) }
    for at in headings.indices { headings[at] = moved(headings[at]) }
    for at in parts.indices { parts[at].range = moved(parts[at].range.lowerBound)..<moved(parts[at].range.upperBound) }
    for at in discoveries.indices where discoveries[at].offset >= 0 { discoveries[at].offset = moved(discoveries[at].offset) }
    for repetition in repetitions where repetition.offset >= 0 { repetition.offset = moved(repetition.offset) }
  }

  // MARK: Writing

  /// Writes the text before the first offset that can still change.
  func flushFinal() throws {
    var held = out.count
    for result in discoveries where result.offset >= 0 { held = min(held, result.offset) }
    for repetition in repetitions where repetition.folded > 0 && repetition.offset >= 0 { held = min(held, repetition.offset) }
    if let part = parts.first { held = min(held, part.range.lowerBound) }
    try out.flush(upTo: held)
    guard held > 0 else { return }
    for at in discoveries.indices where discoveries[at].offset >= 0 { discoveries[at].offset -= held }
    for repetition in repetitions where repetition.offset >= 0 { repetition.offset = max(0, repetition.offset - held) }
    for at in parts.indices { parts[at].range = parts[at].range.lowerBound - held..<parts[at].range.upperBound - held }
    headings.removeAll { $0 < held }
    for at in headings.indices { headings[at] -= held }
  }
}
