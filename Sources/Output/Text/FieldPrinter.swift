import Captures
import Conversations
@_spi(Pipeline) import Analysis
import Text

/// The values of chosen fields: a line a packet, a column a field, as `tshark -T fields` prints them.
public final class FieldPrinter: EventSink {
  private let out: TextBuffer
  private let reader: FieldReader
  private let source: any PacketSource
  private let hasHeading: Bool
  private var cursor = FrameCursor()
  private let chunk = 1 << 16

  /// Prints the fields of `reader` to `out`; with a heading, their names first.
  public init(_ out: TextBuffer, _ reader: FieldReader, _ source: any PacketSource, hasHeading: Bool = false) {
    self.out = out
    self.reader = reader
    self.source = source
    self.hasHeading = hasHeading
  }

  /// Prints the heading.
  public func begin(_ facts: CaptureFacts) {
    guard hasHeading, facts.number == 0 else { return }
    for (index, name) in reader.names.enumerated() {
      if index > 0 { out.byte(0x09) }
      out.string(name)
    }
    out.byte(0x0A)
  }

  /// Prints a line for the first row of each packet.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    guard let rows = cursor.begins(row, batch) else { return }
    reader.attend(source)
    var column = 0
    var isFirst = true
    reader.read(rows, batch) { field, text in
      while column < field {
        out.byte(0x09)
        column += 1
        isFirst = true
      }
      if !isFirst { out.byte(UInt8(ascii: ",")) }
      isFirst = false
      out.untrusted(Array(text), .terminal)
    }
    while column < reader.names.count - 1 {
      out.byte(0x09)
      column += 1
    }
    out.byte(0x0A)
    if out.count >= chunk { try out.flush() }
  }

  /// Writes the buffered text.
  public func flush() throws { try out.flush() }
}
