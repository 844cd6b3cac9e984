import Conversations
import Analysis
import Bluetooth
import Captures
import Memory
import Text

/// Bytes that differ from those of the previous value are bright, where there are colours.
extension TextPrinter {
  /// Appends a value; bytes that changed since the previous value of the same attribute or channel and direction are bright.
  func bytes(_ value: PDUBytes, of row: PacketRow) {
    guard style.isColored, isFolding || options.isVerbose, row.connection >= 0 else { return bytes(value) }
    let side: UInt64 = row.direction == .sent || row.direction == .central ? 1 : 0
    let key =
      UInt64(UInt32(bitPattern: row.connection)) << 32 | UInt64(row.layer == .att ? row.attributeHandle : row.channel) << 1 | side
      | (row.layer == .att ? 0 : 1 << 20)
    let new = Array(value.prefix(Self.shownText))
    let old = previousValues[key]
    if old != nil || previousValues.count < 1024 { previousValues[key] = new }
    guard let old, old != new else { return bytes(value) }
    let changed = Self.changes(old, new)
    if value.isReadable {
      out.byte(UInt8(ascii: "\""))
      let (low, high) = (changed.firstIndex(of: true) ?? 0, (changed.lastIndex(of: true) ?? -1) + 1)
      new.withBorrowedBytes { text in
        // No character is cut in the middle.
        var (low, high) = (low, max(low, high))
        while low > 0, text[low] & 0xC0 == 0x80 { low -= 1 }
        while high < text.count, text[high] & 0xC0 == 0x80 { high += 1 }
        out.escaped(text.part(0..<low))
        bright(true)
        out.escaped(text.part(low..<high))
        bright(false)
        out.escaped(text.from(high))
      }
      out.byte(UInt8(ascii: "\""))
      more(value.count - new.count)
      return
    }
    let shown = min(new.count, Self.shownBytes)
    var isBright = false
    for (index, byte) in new.prefix(shown).enumerated() {
      if changed[index] != isBright, !changed[index] {
        bright(false)
        isBright = false
      }
      if index > 0 { out.byte(0x20) }
      if changed[index] != isBright {
        bright(true)
        isBright = true
      }
      out.hex(UInt64(byte), digits: 2)
    }
    if isBright { bright(false) }
    more(value.count - shown)
  }

  /// Which bytes changed: in values of equal length each byte that differs, else the bytes between the common beginning and the common end.
  private static func changes(_ old: [UInt8], _ new: [UInt8]) -> [Bool] {
    if old.count == new.count { return zip(old, new).map { $0 != $1 } }
    let shorter = min(old.count, new.count)
    var head = 0
    while head < shorter, old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    return new.indices.map { $0 >= head && $0 < new.count - tail }
  }

  private func bright(_ isOn: Bool) { out.text(isOn ? "\u{1B}[1m" : "\u{1B}[22m") }
}
