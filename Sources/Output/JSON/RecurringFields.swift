import Bluetooth
import Conversations
import Analysis
import Memory
import Text

/// Writes the fields of the most frequent PDUs without walking through them: PDUs of a handle and a value, and short PDUs that occurred before.
final class RecurringFields {
  /// The texts of short PDUs.
  private let written = HeadCache()
  /// The fields of a notification; those of indications and writes are the same.
  private let handle, value: Field

  init() {
    let fields = ATT.pdus[UInt32(ATT.Opcode.handleValueNotification.rawValue)]?.parameters.fields ?? []
    handle = fields.first ?? Field()
    value = fields.last ?? Field()
  }

  /// Forgets all texts when a capture starts.
  func forget() { written.forget() }

  /// Writes the fields of a row and the end of its object. Returns false where the fields have to be walked through. `known` are the bytes already
  /// written as hex.
  @inline(__always)
  func write(_ row: PacketRow, _ key: HeadCache.Key?, _ known: JSONFields.Known, to cursor: inout TextBuffer.Cursor) -> Bool {
    if let key { return written.write(key, to: &cursor) }
    guard Self.hasHandleAndValue(row) else { return false }
    cursor.text(",\"fields\":{")
    unsafe cursor.append(words: handle.key.start + 1, handle.key.count - 1)
    cursor.unsigned(UInt64(row.pdu.u16(1) ?? 0))
    unsafe cursor.append(words: value.key.start, value.key.count)
    cursor.byte(UInt8(ascii: "\""))
    known.write(row.pdu.from(3), to: &cursor)
    cursor.text("\"}}\n")
    return true
  }

  /// Keeps what `out` has from `start` on for the next row of the same key.
  func keep(_ key: HeadCache.Key, _ out: TextBuffer, from start: Int) { written.keep(key, out, from: start) }

  @inline(__always)
  private static func hasHandleAndValue(_ row: PacketRow) -> Bool {
    guard row.layer == .att, row.pdu.count >= 3, row.reportDescription == nil, UInt32(row.pdu[0]) == row.opcode else { return false }
    switch row.opcode {
    case 0x12, 0x1B, 0x1D, 0x52: return true
    default: return false
    }
  }

  /// Everything that determines the fields of a short PDU; nil where the PDU is longer or other facts determine them too.
  @inline(__always)
  static func key(_ row: PacketRow) -> HeadCache.Key? {
    let count = row.pdu.count
    switch row.layer {
    case .att: if count > 2 || row.opcode == ATT.Opcode.readByTypeResponse.rawValue || row.reportDescription != nil { return nil }
    case .hciEvent: if count > 8 { return nil }
    default: return nil
    }
    guard count > 0 else { return nil }
    var bytes: UInt64 = 0
    for index in 0..<count { bytes = bytes << 8 | UInt64(row.pdu[index]) }
    return HeadCache.Key(bytes: bytes, kind: UInt64(row.layer.rawValue) << 32 | UInt64(row.company) << 8 | UInt64(count), objects: 0)
  }
}
