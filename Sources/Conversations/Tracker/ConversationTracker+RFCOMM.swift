import Bluetooth
import Captures
import Memory

/// RFCOMM: the initiator of the session, the service of a data link, and the data of its frames.
extension ConversationTracker {
  /// SABM on DLCI 0 starts the session (RFCOMM, 5.2.1).
  mutating func noteSessionStart(_ link: Int, _ channel: Int, _ frame: PDUBytes, fromHost: Bool) {
    guard let address = frame.u8(0), address >> 2 == 0, let control = frame.u8(1), RFCOMM.FrameType(control: control) == .sabm else {
      return
    }
    links[link].channels[channel].isStartedByHost = fromHost
  }

  /// The service of an RFCOMM data link, index into ``ConversationTables/services``, or -1. Even DLCIs belong to servers of the side that did not start
  /// the session, odd ones to those of the side that did (RFCOMM, 5.4).
  func service(_ link: Int, _ channel: Channel, dlci: UInt8) -> Int32 {
    guard dlci > 1 else { return -1 }
    let connection = links[link].connection
    let peer = tables.identity(tables.connections[Int(connection)].peer)
    let isLocal = channel.isStartedByHost.map { $0 == (dlci & 1 == 1) }
    return tables.serviceIndex.first(peer, connection, isLocal: isLocal, rfcommChannel: dlci >> 1)
  }

  /// Passes the data of a UIH frame to profiles (TS 07.10, 5.2; RFCOMM, 6.5 for credits).
  mutating func rfcommData(_ bytes: PDUBytes, service: Int32) {
    guard let frame = RFCOMM.Frame(bytes.span), frame.type == .uih, frame.dlci != 0, frame.length > 0 else {
      return
    }
    valueEvents.append(
      ValueEvent(
        bytes: bytes.slice(frame.payload.lowerBound, frame.length), row: Int32(rows.count - 1), attribute: -1, source: .rfcomm,
        channel: UInt16(frame.dlci), psm: UInt16(frame.channel), service: service))
  }
}
