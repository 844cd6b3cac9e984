import Bluetooth
import Captures

/// The Security Manager Protocol (Core, Vol 3, Part H, 3), as far as it changes what is known.
extension Reconstruction {
  /// Takes an SMP PDU, from its code on.
  mutating func security(_ link: Int, _ channel: UInt16, _ one: PacketRecord, _ pdu: PDUBytes, isJoined: Bool) {
    var row = row(one, .smp, .pairing, pdu)
    connect(&row, link)
    row.channel = channel
    if isJoined { row.flags.insert(.joined) }
    let code = pdu.u8(0) ?? 0
    row.opcode = UInt32(code)
    switch code {
    case 0x05:
      row.meaning = .pairingFailed
      row.set(status: pdu.u8(1) ?? 0, .smp)
    case 0x09:
      // The sender tells who it is behind its private address (3.6.5).
      if let type = pdu.u8(1), let address = pdu.address(2), !one.direction.isFromHost { identify(link, address, type) }
    default: break
    }
    if code == 1 || code == 0x0B {
      links[link].pairing = (frame, time)
    } else if code == 2, links[link].pairing.frame != 0 {
      row.answers(links[link].pairing.frame, time &- links[link].pairing.time)
    }
    if purpose == .rows { rows.append(row) }
  }

  /// Joins the peer of a connection with its identity address.
  private mutating func identify(_ link: Int, _ address: UInt64, _ type: UInt8) {
    let identity = tables.peer(address, type: type)
    guard identity >= 0 else { return }
    tables.version += 1
    let number = Int(links[link].connection)
    let peer = tables.connections[number].peer
    if peer < 0 {
      // The capture started in mid-connection: now it is known with whom.
      tables.connections[number].peer = identity
      if tables.peers[Int(identity)].database < 0 { tables.peers[Int(identity)].database = links[link].remote }
    } else if peer != identity, tables.peers[Int(identity)].identity < 0, tables.peers[Int(peer)].identity < 0 {
      if tables.peers[Int(identity)].database < 0 { tables.peers[Int(identity)].database = tables.peers[Int(peer)].database }
      if tables.peers[Int(identity)].nameTrust < tables.peers[Int(peer)].nameTrust {
        tables.peers[Int(identity)].name = tables.peers[Int(peer)].name
        tables.peers[Int(identity)].nameTrust = tables.peers[Int(peer)].nameTrust
      }
      tables.peers[Int(peer)].identity = identity
    }
  }
}
