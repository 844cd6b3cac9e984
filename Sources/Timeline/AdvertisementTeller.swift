import Bluetooth
import Conversations
import Profiles

/// Tells the messages that profiles make of advertisements. What devices advertise has nothing to do with what their connections carry: it
/// has an engine of its own, which another thread than that of the connections may use.
final class AdvertisementTeller {
  private let teller: MessageTeller
  private var engine: ProfileEngine { teller.engine }

  /// Reads by the profiles of `engine`, which nobody else uses.
  init(_ engine: ProfileEngine, _ observer: (any RowPrinter)?) { teller = MessageTeller(engine, observer) }

  /// Reads the data of an advertisement that `row` carries. Returns whether they are a message of a profile.
  private func read(_ feed: Feed, _ row: PacketRow, _ batch: RowBatch) -> Bool {
    let address = feed.address
    func peer() -> Int32 { batch.tables.knownPeer(address & 0xFFFF_FFFF_FFFF, type: UInt8(address >> 48 & 1)) }
    unsafe engine.feed(
      advertisement: feed.bytes.buffer, of: address,
      // Two rows in one event may be of two devices; one alone tells its peer.
      isNamed: row.peer >= 0 || peer() >= 0, version: batch.version, frame: row.frame, time: row.time
    ) {
      var facts = batch.tables.facts(ofPeer: peer(), database: -1)
      facts.address = DeviceAddress(address).description
      return facts
    }
    return engine.hasMessages
  }

  /// Reads and tells all that a row advertises, whose ``Feed``s begin at `feed`; goes on to those of the next.
  @inline(__always)
  func tell(
    _ feeds: UnsafeBufferPointer<Feed>, _ feed: inout Int, _ row: PacketRow, _ batch: RowBatch, to printer: some RowPrinter
  ) throws {
    let index = unsafe feeds[feed].row
    while feed < feeds.count, unsafe feeds[feed].row == index {
      if unsafe feeds[feed].source == .advertisement, unsafe read(feeds[feed], row, batch) {
        try teller.tell(row, batch, nil, to: printer)
      }
      feed += 1
    }
  }

  /// The capture ended behind `row`: what is still open comes out.
  func end(_ row: PacketRow, _ batch: RowBatch, to printer: some RowPrinter) throws { try teller.end(row, batch, nil, to: printer) }
}
