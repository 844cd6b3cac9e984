import Conversations
import Memory
@_spi(Pipeline) import Profiles

/// The rows of a batch, or of a part of it, and the results of the second thread in order: rendered messages, findings, names of attributes.
final class RenderedBatch: @unchecked Sendable {
  /// An event after the first `rows` rows of the batch.
  fileprivate struct Event {
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

  fileprivate(set) var batch = RowBatch()
  /// Number of the batch's rows that earlier parts emit.
  fileprivate var firstRow = 0
  /// No other part of the batch follows.
  fileprivate(set) var isLastPart = false
  /// Messages that the threads that write rows render, each with its row.
  fileprivate let tape = MessageTape()
  fileprivate var tapeRows: [PacketRow] = []
  fileprivate var events: [Event] = []
  /// Attributes that profiles describe and that no earlier batch had.
  fileprivate(set) var attributes: [ProfileAttribute] = []
  fileprivate var findings: [Finding] = []
  fileprivate var text: (any MessageText)?
  /// The text of all rows of the part, if a ``RowRenderer`` wrote it; taken out once it is printed.
  var output: (any MessageText)?
  /// The row after which events of the end of the capture are emitted.
  fileprivate var lastRow = PacketRow()

  // MARK: On a thread that writes rows

  /// Writes rows, messages and findings to ``output``. The renderer continues in the memory of `spare`.
  func write(by renderer: any RowRenderer, _ messages: MessageTapeReader, _ spare: (any MessageText)?) {
    // Writing to memory throws no errors.
    try? emit(nil, messages, to: renderer)
    output = renderer.handOver(spare)
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
        var next = firstRow
        var value = advertisements == nil ? values.count : 0
        while value < values.count, unsafe values[value].row < firstRow { value += 1 }
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
            if let bytes = bytes { try sink.rendered(bytes.part(written..<event.number), batch) }
            written = event.number
          case .message:
            try sink.message(messages.message(event.number, of: tape), tapeRows[event.number], batch)
          case .batchEnd: try sink.batchDidEnd(batch)
          }
        }
      }
    }
    if batch.isLast, isLastPart { try advertisements?.finish(lastRow, batch, to: sink) }
  }
}

/// Decodes batches on the second thread and records the results. A batch whose messages take much memory is passed on in parts.
final class BatchRecorder: EventSink {
  private let decoder: ProfileDecoder
  private let renderer: any MessageRenderer
  private let keepsMessages: Bool
  private let rendered: BatchQueue<RenderedBatch>
  private let spares: BatchQueue<RenderedBatch>
  private var part = RenderedBatch()
  private var rows = 0
  /// The receiver has stopped.
  private var isStopped = false

  /// A part ends after this many messages that are to be rendered, of this many bytes, or with this much text: values of one byte can have thousands
  /// of messages in one PDU.
  private static let most = (messages: 256, bytes: 64 << 10, text: 256 << 10)

  /// Decodes with `decoder` and passes the parts on to `rendered`; `spares` are parts that may be used again. With `keepsMessages`, only messages
  /// that cannot be copied are rendered by `renderer`.
  init(
    _ decoder: ProfileDecoder, _ renderer: any MessageRenderer, keepsMessages: Bool, _ rendered: BatchQueue<RenderedBatch>,
    spares: BatchQueue<RenderedBatch>
  ) {
    self.decoder = decoder
    self.renderer = renderer
    self.keepsMessages = keepsMessages
    self.rendered = rendered
    self.spares = spares
  }

  /// Decodes a batch and passes on its parts. Returns false if the receiver has stopped.
  func record(_ batch: RowBatch) -> Bool {
    rows = 0
    begin(batch, at: 0)
    // Recording throws no errors.
    try? decoder.decode(batch, to: self)
    part.isLastPart = true
    part.lastRow = decoder.lastRow
    passOn()
    return !isStopped
  }

  /// Begins a part of a batch; earlier parts emit the rows before `firstRow`.
  private func begin(_ batch: RowBatch, at firstRow: Int) {
    part = spares.poll() ?? RenderedBatch()
    part.batch = batch
    part.firstRow = firstRow
    part.isLastPart = false
    part.events.removeAll(keepingCapacity: true)
    part.attributes.removeAll()
    part.findings.removeAll(keepingCapacity: true)
    part.tape.removeAll()
    part.tapeRows.removeAll(keepingCapacity: true)
  }

  /// Waits while the receiver has many parts.
  private func passOn() {
    part.text = renderer.handOver(part.text)
    if !rendered.push(part) { isStopped = true }
  }

  @inline(__always)
  private func record(_ kind: RenderedBatch.Event.Kind, _ number: Int) {
    part.events.append(RenderedBatch.Event(kind: kind, rows: rows, number: number))
  }

  @inline(__always)
  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
    if isPart || row.uuidSource == .profile { record(.row, Int(row.uuidSource.rawValue) + (isPart ? 256 : 0)) }
    rows += 1
  }

  func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    if part.tapeRows.count >= Self.most.messages || part.tape.byteCount >= Self.most.bytes || renderer.count >= Self.most.text {
      // A part emits the rows before its last event.
      let next = part.events.last.map { $0.rows + ($0.kind == .row ? 1 : 0) } ?? part.firstRow
      passOn()
      begin(batch, at: next)
    }
    if keepsMessages, part.tape.append(message) {
      record(.message, part.tapeRows.count)
      part.tapeRows.append(row)
      return
    }
    let before = renderer.count
    renderer.message(message, row, batch)
    guard renderer.count > before else { return }
    if let last = part.events.indices.last, part.events[last].kind == .text, part.events[last].rows == rows {
      part.events[last].number = renderer.count
    } else {
      record(.text, renderer.count)
    }
  }

  func finding(_ finding: Finding, _ batch: RowBatch) {
    record(.finding, part.findings.count)
    part.findings.append(finding)
  }

  func attribute(_ attribute: ProfileAttribute) {
    record(.attribute, part.attributes.count)
    part.attributes.append(attribute)
    renderer.attribute(attribute)
  }

  func batchDidEnd(_ batch: RowBatch) { record(.batchEnd, 0) }
}
