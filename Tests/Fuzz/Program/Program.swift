import Captures
import Conversations
import FuzzCaptures
import FuzzCodecs
import FuzzInput
import FuzzKaitai
import FuzzPackets
import FuzzProfiles
import Profiles
import Reports
import Timeline

extension FuzzTarget {
  /// All targets, the small ones first.
  public static let all = codecs + captures + packets + descriptions + profiles + programs

  /// What people write to look at captures, and the whole way of a capture.
  public static let programs = [
    FuzzTarget(name: "filter", longest: 256) { bytes in
      guard let filter = try? Filter(String(decoding: bytes, as: UTF8.self)) else { return }
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
      guard let map = try? GATTMap(text: String(decoding: bytes, as: UTF8.self), path: "00:11:22:33:44:55/attributes") else { return }
      let written = map.yaml
      guard let again = try? GATTMap(text: written, path: "again.yaml") else { return }
      check(again.yaml == written, "what was written is read as something else:\n\(written)\n\(again.yaml)")
    },
    FuzzTarget(name: "program", longest: 4096) { bytes in
      let file = Array(bytes)
      guard let source = try? CaptureFile.open(bytes: file, name: "fuzz") else { return }
      var options = Timeline.Options()
      options.profiles = builtin
      let facts = CaptureFacts(name: "fuzz", title: source.title)
      let out = Output()
      // What is not read from files does not fail.
      do {
        switch file.last.map({ $0 % 7 }) ?? 0 {
        case 0: _ = try Timeline(source, options: options).run(facts, to: NDJSONPrinter(out))
        case 1:
          var text = TextPrinter.Options()
          text.isVerbose = true
          text.showsBytes = true
          text.isFolding = false
          text.style.isColored = true
          _ = try Timeline(source, options: options).run(facts, to: TextPrinter(out, text))
        case 2: _ = try Timeline(source, options: options).run(facts, to: TextPrinter(out))
        case 3:
          let summary = Summary()
          _ = try Timeline(source, options: options).run(facts, to: summary)
          SummaryText(out, style: Style()).print(summary)
        case 4:
          let summary = Summary()
          _ = try Timeline(source, options: options).run(facts, to: summary)
          SummaryJSON(out).print(summary)
        case 5: _ = try Timeline(source, options: options).run(facts, to: Operations(OperationJSON(out, isArray: false)))
        default: _ = try Timeline(source, options: options).run(facts, to: Operations(OperationText(out, style: Style())))
        }
      } catch {
        check(false, "\(error)")
      }
    },
  ]

  private static let builtin: ProfileSet = {
    do { return try ProfileSet() } catch { fatalError("\(error)") }
  }()

  /// Values that cannot be sent between threads, made once: a target runs on one thread.
  private struct Fixed<Value>: @unchecked Sendable { let value: Value }

  /// Packets of many kinds, taken apart, for filters to judge.
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
      var reconstruction = Reconstruction(.rows)
      reconstruction.tellsParts = true
      reconstruction.process(batch)
      return batch
    }())
}
