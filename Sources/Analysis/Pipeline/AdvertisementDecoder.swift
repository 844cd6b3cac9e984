import Bluetooth
import Conversations
@_spi(Pipeline) import Profiles

/// Decodes advertisements. That is independent of the data on connections: it has an engine of its own, and may run on another thread than that of
/// the connections.
final class AdvertisementDecoder {
  private let messages: MessageDispatcher
  private var engine: ProfileEngine { messages.engine }

  /// Decodes with the profiles of `engine`, which must have no other user.
  init(_ engine: ProfileEngine, isLive: Bool) { messages = MessageDispatcher(engine, isLive: isLive) }

  /// Decodes the data of an advertisement that `row` carries. Returns whether they are a message of a profile.
  private func read(_ event: ValueEvent, _ row: PacketRow, _ batch: RowBatch) -> Bool {
    let address = event.address
    func peer() -> Int32 { batch.tables.knownPeer(address & 0xFFFF_FFFF_FFFF, type: UInt8(address >> 48 & 1)) }
    engine.feed(
      advertisement: event.bytes, of: address,
      // Two reports in one event may come from two devices; only the row of a single report has its peer.
      isNamed: row.peer >= 0 || peer() >= 0, version: batch.version, frame: row.frame, time: row.time
    ) {
      var facts = batch.tables.facts(ofPeer: peer(), database: -1)
      facts.address = DeviceAddress(address).description
      return facts
    }
    return engine.hasMessages
  }

  /// Decodes and emits all advertisements of a row, whose events begin at `event`; advances to those of the next row.
  @inline(__always)
  func decode(
    _ events: UnsafeBufferPointer<ValueEvent>, _ event: inout Int, _ row: PacketRow, _ batch: RowBatch, to sink: some EventSink
  ) throws {
    let index = unsafe events[event].row
    while event < events.count, unsafe events[event].row == index {
      if unsafe events[event].source == .advertisement, unsafe read(events[event], row, batch) {
        unsafe try messages.emit(row, batch, to: sink, address: events[event].address)
      }
      event += 1
    }
  }

  /// Called after the last row of the capture, which is `row`: emits the messages of which only a part was received.
  func finish(_ row: PacketRow, _ batch: RowBatch, to sink: some EventSink) throws { try messages.finish(row, batch, to: sink) }
}
