import Captures
import Conversations
import FuzzInput
import FuzzPackets
import Analysis

extension FuzzTarget {
  /// Display filters.
  public static let filters = [
    FuzzTarget(name: "filter", longest: 256) { bytes in
      // Inputs that begin with a control character are used as they are, others as a series of words.
      let text = bytes.first.map { $0 < 0x20 } ?? true ? String(decoding: bytes.dropFirst(), as: UTF8.self) : words(bytes)
      guard let filter = try? Filter(text) else { return }
      let evaluator = FilterEvaluator(filter)
      let batch = traffic.value
      var row = 0
      for record in batch.packets.records {
        let start = row
        while row < batch.rows.count, batch.rows[row].frame == record.frame { row += 1 }
        batch.rows.withUnsafeBufferPointer {
          _ = evaluator.passes(record, UnsafeBufferPointer(rebasing: $0[start..<row]), batch)
        }
      }
    },
    FuzzTarget(name: "gattmap", longest: 512) { bytes in
      guard let map = try? GATTCache(text: String(decoding: bytes, as: UTF8.self), path: "00:11:22:33:44:55/attributes") else { return }
      let written = map.yaml
      do {
        let again = try GATTCache(text: written, path: "again.yaml")
        check(again.yaml == written, "what was written is read as something else:\n\(written)\n\(again.yaml)")
      } catch {
        check(false, "what was written cannot be read again: \(error)\n\(written)")
      }
    },
  ]

  /// An expression of complete words, two bytes for a field's name and one for anything else: a name with one changed letter is no
  /// field, and finding a suggestion for it takes longer than all the rest.
  private static func words(_ bytes: UnsafeRawBufferPointer) -> String {
    var choices = Choices(bytes)
    var text = ""
    while !choices.isAtEnd {
      let byte = Int(choices.byte())
      if byte >= 0xC0 {
        text += fields[((byte & 0x3F) << 8 | Int(choices.byte())) % fields.count] + " "
      } else {
        text += parts[byte % parts.count]
      }
    }
    return text
  }

  private static let fields = Filter.fields.map(\.name)

  private static let parts =
    "0123456789.:-\"()[]{}!~^<>=,$%/\\* ".map { String($0) } + [
      " == ", " != ", " <= ", " >= ", " && ", " || ", "!", " and ", " or ", " not ", " xor ", " contains ", " matches ", " in {", "..",
      "any ",
      "all ", "@", "#", "0x", "2a37", "aa:bb:cc", "41:42", "01:02:03:04:05:06", "\"AB\"", "\"(a|b)*c{2,5}$\"", "upper(", "lower(", "len(",
      "count(", "string(", "vals(", "abs(", "max(", "min(", "${", " & ", " + ", " - ", "true", "false", "-1", "1.5e3", "'a'", "r\"\\d\"",
      "\"2026-11-20 09:30:00\"", "192.168.0.1", "frame.", "btatt.", "gopro.",
    ]

  /// Values that cannot be sent between threads, made once: a target runs on one thread.
  private struct Fixed<Value>: @unchecked Sendable { let value: Value }

  /// Decoded packets of many kinds, on which filters run.
  private static let traffic = Fixed(
    value: {
      let input: [UInt8] = [
        0x12, 7, 0x01, 0x10, 0x04, 1, 2, 3, 4,
        0x21, 21, 0x3E, 19, 0x01, 0, 0x40, 0, 0, 0, 6, 5, 4, 3, 2, 1, 0x18, 0, 0, 0, 0x48, 0, 0, 0,
        0x21, 23, 0x3E, 21, 0x02, 1, 0, 0, 6, 5, 4, 3, 2, 1, 9, 2, 1, 6, 5, 9, 0x41, 0x42, 0x43, 0x44, 0xC5, 0,
        0x10, 11, 0x40, 0, 7, 0, 3, 0, 4, 0, 2, 0x17, 0, 0x20, 11, 0x40, 0x20, 7, 0, 3, 0, 4, 0, 3, 0x40, 0,
        0x10, 13, 0x40, 0, 9, 0, 5, 0, 4, 0, 0x12, 0x2A, 0, 1, 2, 0x20, 9, 0x40, 0x20, 5, 0, 1, 0, 4, 0, 0x13,
        0x20, 15, 0x40, 0x20, 11, 0, 7, 0, 4, 0, 0x1B, 0x2A, 0, 0x41, 0x42, 0x43, 0x44,
        0x20, 13, 0x40, 0x20, 9, 0, 5, 0, 4, 0, 1, 0x0A, 0x2A, 0, 5,
        0x10, 15, 0x40, 0, 11, 0, 7, 0, 6, 0, 1, 4, 0, 1, 16, 1, 1,
        0x13, 16, 0xD6, 0xBE, 0x89, 0x8E, 0, 9, 6, 5, 4, 3, 2, 1, 2, 1, 6, 0,
      ]
      let batch = RowBatch(packets: input.withUnsafeBytes { packets($0) })
      var tracker = ConversationTracker(.rows)
      tracker.includesFragments = true
      tracker.process(batch)
      return batch
    }())
}
