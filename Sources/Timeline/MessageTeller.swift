import Conversations
import Profiles

/// Tells a printer the messages that an engine has completed, each with what is wrong with it. For one thread at a time.
final class MessageTeller {
  let engine: ProfileEngine
  private let observer: (any RowPrinter)?
  private var watch = MessageWatch()

  init(_ engine: ProfileEngine, _ observer: (any RowPrinter)?) {
    self.engine = engine
    self.observer = observer
  }

  /// Follows what a row says of subscriptions.
  @inline(__always)
  func follow(_ row: PacketRow, _ batch: RowBatch) { watch.row(row, batch) }

  /// Tells the messages that are ready, and that `row` completed. `source` knows the attributes of its connection.
  func tell(_ row: PacketRow, _ batch: RowBatch, _ source: MessageSource?, to printer: some RowPrinter) throws {
    // A company's devices share its number: an advertisement that a profile does not know is another device's.
    for message in engine.messages where message.direction != .advertise || message.messageNumber >= 0 {
      try observer?.message(message, row, batch)
      try printer.message(message, row, batch)
      watch.look(message, row, batch, source)
      if !watch.found.isEmpty { try tellFound(batch, to: printer) }
    }
  }

  /// A connection ended with `row`.
  func ended(_ connection: Int32, _ row: PacketRow, _ batch: RowBatch, to printer: some RowPrinter) throws {
    watch.ended(connection, row)
    try tellFound(batch, to: printer)
  }

  /// The capture ended behind `row`: what is still open comes out.
  func end(_ row: PacketRow, _ batch: RowBatch, _ source: MessageSource?, to printer: some RowPrinter) throws {
    engine.finish()
    try tell(row, batch, source, to: printer)
    try ended(-1, row, batch, to: printer)
  }

  /// Tells what is wrong with messages.
  @inline(never)
  private func tellFound(_ batch: RowBatch, to printer: some RowPrinter) throws {
    for finding in watch.found {
      try observer?.finding(finding, batch)
      try printer.finding(finding, batch)
    }
    watch.found.removeAll(keepingCapacity: true)
  }
}
