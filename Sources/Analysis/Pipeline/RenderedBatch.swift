import Conversations
import Memory
@_spi(Pipeline) import Profiles

/// The rows of a batch, and the results of the second thread in order: rendered messages, findings, names of attributes.
final class RenderedBatch: EventSink, @unchecked Sendable {
  /// An event after the first `rows` rows of the batch.
  private struct Event {
    enum Kind: UInt8 {
      /// The next row is emitted with changes: `number` is its UUID source, plus 256 if it carries a part of a message.
      case row
      /// Index of the attribute.
      case attribute
      /// Index of the finding.
      case finding
      /// Rendered messages: end offset of their text.
      case text
      /// Index of a message that is not rendered yet.
      case message
      /// The batch ended. Later events belong to the end of the capture.
      case batchEnd
    }
    var kind: Kind
    /// Number of rows before it.
    var rows: Int
    var number: Int
  }

  var batch: RowBatch
  private let renderer: any MessageRenderer
  /// Messages that the threads that write rows render, each with its row; nil where all are rendered on the second thread.
  private let tape: MessageTape?
  private var tapeRows: [PacketRow] = []
  private var rows = 0
  private var events: [Event] = []
  /// Attributes that profiles describe and that no earlier batch had.
  private(set) var attributes: [ProfileAttribute] = []
  private var findings: [Finding] = []
  private var text: (any MessageText)?
  /// The text of the entire batch, if a ``RowRenderer`` wrote it.
  private(set) var output: (any MessageText)?
  /// The row after which events of the end of the capture are emitted.
  private var lastRow = PacketRow()

  /// With `keepsMessages`, only messages that cannot be copied are rendered on the second thread.
  init(_ batch: RowBatch, _ renderer: any MessageRenderer, keepsMessages: Bool = false) {
    self.batch = batch
    self.renderer = renderer
    tape = keepsMessages ? MessageTape() : nil
  }

  // MARK: On the second thread

  /// Decodes the batch with `decoder`, and records the resulting events.
  func record(_ decoder: ProfileDecoder) {
    rows = 0
    events.removeAll(keepingCapacity: true)
    attributes.removeAll()
    findings.removeAll(keepingCapacity: true)
    tape?.removeAll()
    tapeRows.removeAll(keepingCapacity: true)
    // Recording throws no errors.
    try? decoder.decode(batch, to: self)
    text = renderer.handOver(text)
    lastRow = decoder.lastRow
  }

  @inline(__always)
  private func record(_ kind: Event.Kind, _ number: Int) { events.append(Event(kind: kind, rows: rows, number: number)) }

  @inline(__always)
  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
    if isPart || row.uuidSource == .profile { record(.row, Int(row.uuidSource.rawValue) + (isPart ? 256 : 0)) }
    rows += 1
  }

  func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    if let tape, tape.append(message) {
      record(.message, tapeRows.count)
      tapeRows.append(row)
      return
    }
    let before = renderer.count
    renderer.message(message, row, batch)
    guard renderer.count > before else { return }
    if let last = events.indices.last, events[last].kind == .text, events[last].rows == rows {
      events[last].number = renderer.count
    } else {
      record(.text, renderer.count)
    }
  }

  func finding(_ finding: Finding, _ batch: RowBatch) {
    record(.finding, findings.count)
    findings.append(finding)
  }

  func attribute(_ attribute: ProfileAttribute) {
    record(.attribute, attributes.count)
    attributes.append(attribute)
    renderer.attribute(attribute)
  }

  func batchDidEnd(_ batch: RowBatch) { record(.batchEnd, 0) }

  // MARK: On a thread that writes rows

  /// Writes rows, messages and findings to ``output``.
  func write(by renderer: any RowRenderer, _ messages: MessageTapeReader) {
    // Writing to memory throws no errors.
    try? emit(nil, messages, to: renderer)
    output = renderer.handOver(output)
  }

  // MARK: On the first thread, or on one that writes rows

  /// Emits the rows, each followed by its messages and findings, in order. `advertisements` decodes advertisements, unless the second thread did;
  /// `messages` reads those that are not rendered yet.
  func emit(_ advertisements: AdvertisementDecoder?, _ messages: MessageTapeReader, to sink: some EventSink) throws {
    // A local variable, as the property would be retained and released for each row.
    let batch = batch
    let bytes = text?.bytes
    unsafe try batch.rows.withUnsafeBufferPointer { rows in
      unsafe try batch.valueEvents.withUnsafeBufferPointer { values in
        var next = 0
        var value = advertisements == nil ? values.count : 0
        func emit(_ row: PacketRow, isPart: Bool) throws {
          try sink.packet(row, batch, isPart: isPart)
          while value < values.count, unsafe values[value].row <= next {
            unsafe try advertisements?.decode(values, &value, row, batch, to: sink)
          }
          next += 1
        }
        var written = 0
        for event in events {
          while next < event.rows { unsafe try emit(rows[next], isPart: false) }
          switch event.kind {
          case .row:
            var row = unsafe rows[next]
            row.uuidSource = UUIDSource(rawValue: UInt8(truncatingIfNeeded: event.number)) ?? .none
            try emit(row, isPart: event.number >= 256)
          case .attribute: sink.attribute(attributes[event.number])
          case .finding: try sink.finding(findings[event.number], batch)
          case .text:
            if let bytes = bytes { try sink.rendered(bytes.part(written..<event.number)) }
            written = event.number
          case .message:
            if let tape { try sink.message(messages.message(event.number, of: tape), tapeRows[event.number], batch) }
          case .batchEnd: try sink.batchDidEnd(batch)
          }
        }
      }
    }
    if batch.isLast { try advertisements?.finish(lastRow, batch, to: sink) }
  }
}
