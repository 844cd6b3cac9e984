import Captures
import Conversations
import Memory
import Profiles

/// Reads the values of filter fields as text.
public final class FieldReader {
  /// The fields, in their order.
  public let names: [String]
  private let evaluator: FilterEvaluator

  /// Reads the fields with these names; the keys of `profiles` decrypt encrypted fields. Throws ``FilterError``.
  public init(_ names: [String], profiles: ProfileSet? = nil) throws(FilterError) {
    self.names = names
    evaluator = FilterEvaluator(try FilterCompiler.fields(names, profiles))
  }

  /// Sets the source of the packets. Call it before the first batch, and again when the source may have new interfaces.
  public func attend(_ source: any PacketSource) { evaluator.attend(source) }

  /// Calls `body` with the index of a field and one of its values, for all values of all fields that a packet has. Bytes are hexadecimal digits, a
  /// protocol is its name, a field without a value is 1. Packets have to come in capture order.
  public func read(_ rows: Range<Int>, _ batch: RowBatch, _ body: (Int, BorrowedBytes) -> Void) {
    guard rows.lowerBound < rows.upperBound, rows.upperBound <= batch.rows.count else { return }
    let record = Int(batch.rows[rows.lowerBound].record)
    guard record >= 0, unsafe record < batch.packets.records.count else { return }
    unsafe batch.rows.withUnsafeBufferPointer { all in
      unsafe evaluator.begin(batch.packets.records[record], UnsafeBufferPointer(rebasing: all[rows]), batch)
      for index in names.indices {
        evaluator.scratch.reset()
        let operand = evaluator.program.operands[index]
        for value in evaluator.registers[evaluator.compute(Int32(index))] {
          if operand.type == .none || operand.type == .protocol {
            var name = operand.type == .none ? "1" : names[index]
            name.withUTF8 { unsafe body(index, BorrowedBytes(UnsafeRawBufferPointer($0))) }
          } else {
            body(index, evaluator.text(value, operand).bytes)
          }
        }
      }
      evaluator.previous = unsafe batch.packets.records[record].time
      evaluator.passed = evaluator.previous
    }
  }
}

/// Finds the rows of each packet while a printer receives rows one by one.
public struct FrameCursor: Sendable {
  private var frame = 0
  private var rows = 0..<0
  private var next = 0

  /// Starts at the beginning of a capture.
  public init() {}

  /// Takes every row in order. For the first row of a packet, returns the rows of that packet as indices into the batch; else nil.
  public mutating func begins(_ row: PacketRow, _ batch: RowBatch) -> Range<Int>? {
    // A new batch is recognized by the frame at the expected index.
    if next >= batch.rows.count || batch.rows[next].frame != row.frame {
      next = batch.rows.firstIndex { $0.frame == row.frame } ?? 0
    }
    defer { next += 1 }
    if row.frame == frame, rows.contains(next) { return nil }
    frame = row.frame
    var end = next + 1
    while end < batch.rows.count, batch.rows[end].frame == frame { end += 1 }
    rows = next..<min(end, batch.rows.count)
    return rows
  }
}
