import Conversations
@_spi(Pipeline) import Profiles

/// Emits the messages that a profile engine has completed, each with its findings. Only one thread at a time may use it.
final class MessageDispatcher {
  let engine: ProfileEngine
  private var diagnostics: MessageDiagnostics
  private var fold: FindingFold

  /// Takes messages from `engine`. For connections, `links` has the attributes and `link` the subscriptions; advertisements have neither.
  init(_ engine: ProfileEngine, _ links: ProfileLinks? = nil, _ link: LinkDiagnostics? = nil, isLive: Bool) {
    fold = FindingFold(isLive: isLive)
    self.engine = engine
    diagnostics = MessageDiagnostics(links, link)
  }

  /// Emits the messages that `row` completed.
  ///
  /// With `isEnding`, they are those that the end of the connection or of the capture truncated. `address` is that of the advertiser. `value` is the
  /// number of the value that completed them among those of the packet, or -1.
  func emit(
    _ row: PacketRow, _ batch: RowBatch, to sink: some EventSink, isEnding: Bool = false, address: UInt64 = 0, value: Int = -1
  ) throws {
    diagnostics.isEnding = isEnding
    diagnostics.address = address
    // All devices of a company share its identifier: an advertisement that a profile does not know comes from another kind of device.
    for message in engine.messages where message.direction != .advertise || message.messageNumber >= 0 {
      guard engine.mayPrint(message) else { continue }
      if address != 0 { message.advertiser = address }
      message.valueNumber = value
      try sink.message(message, row, batch)
      diagnostics.check(message, row, batch)
      if diagnostics.hasFindings { try emitFindings(batch, to: sink) }
      engine.wasPrinted(message)
    }
  }

  /// A connection ended with `row`: its requests get no more responses.
  func disconnected(_ connection: Int32, _ row: PacketRow, _ batch: RowBatch, to sink: some EventSink) throws {
    diagnostics.ended(connection, row)
    try emitFindings(batch, to: sink)
  }

  /// Called after the last row of the capture, which is `row`: emits the messages of which only a part was received.
  func finish(_ row: PacketRow, _ batch: RowBatch, to sink: some EventSink) throws {
    // Ends one link after the other, so that the incomplete messages of all links are never completed, and in memory, at once.
    while engine.finishNext() { try emit(row, batch, to: sink, isEnding: true) }
    diagnostics.ended(nil, row)
    try emitFindings(batch, to: sink)
    for finding in fold.finish() { try sink.finding(finding, batch) }
  }

  @inline(never)
  private func emitFindings(_ batch: RowBatch, to sink: some EventSink) throws {
    for finding in diagnostics.takeFindings() {
      if let finding = fold.take(finding) { try sink.finding(finding, batch) }
    }
  }
}
