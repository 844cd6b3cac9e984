import Bluetooth
import Captures
import Memory

/// The Security Manager Protocol (Core, Vol 3, Part H, 3): the PDUs that change the tables.
extension ConversationTracker {
  /// Takes an SMP PDU, from its code on.
  mutating func security(_ link: Int, _ channel: UInt16, _ origin: PacketOrigin, _ pdu: PDUBytes, isJoined: Bool) {
    var row = row(origin, .smp, .pairing, pdu)
    connect(&row, link)
    row.channel = channel
    if isJoined { row.flags.insert(.joined) }
    let code = pdu.u8(0) ?? 0
    row.opcode = UInt32(code)
    let opcode = SMP.Opcode(rawValue: code)
    switch opcode {
    case .pairingRequest: links[link].agreement = KeyAgreement()
    case .pairingFailed:
      row.meaning = .pairingFailed
      row.set(status: pdu.u8(1) ?? 0, .smp)
    case .identityInformation:
      links[link].identityKey = origin.direction.isFromHost ? nil : IdentityResolvingKey(littleEndian: pdu.slice(1, 16).span)
    case .identityAddressInformation:
      // The sender distributes its identity address (3.6.5).
      if let type = pdu.u8(1), let address = pdu.address(2), !origin.direction.isFromHost {
        identify(link, address, type)
        if let key = links[link].identityKey { tables.learn(key, of: address, type: type) }
        links[link].identityKey = nil
      }
    default: links[link].agreement.take(opcode, isFromHost: origin.direction.isFromHost)
    }
    if links[link].agreement.isComplete { row.flags.insert(.keyAgreed) }
    if opcode == .pairingRequest || opcode == .securityRequest {
      links[link].pairing = (frame, time)
    } else if opcode == .pairingResponse, links[link].pairing.frame != 0 {
      row.answers(links[link].pairing.frame, elapsed(since: links[link].pairing.frame, links[link].pairing.time))
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
      // The capture started during the connection: now its peer is known.
      tables.connections[number].peer = identity
      if tables.peers[Int(identity)].database < 0 { tables.peers[Int(identity)].database = links[link].remote }
    } else {
      tables.join(peer, with: identity)
    }
    refreshDatabases(link)
  }

  /// Management commands and events that carry identity resolving keys.
  mutating func management(_ payload: PDUBytes, isEvent: Bool) {
    guard let opcode = payload.u16(4) else { return }
    if !isEvent, opcode == Management.loadIdentityResolvingKeys {
      var left = Int(payload.u16(6) ?? 0)
      var at = 8
      while left > 0, identityKey(payload, at) {
        left -= 1
        at += 23
      }
    } else if isEvent, opcode == Management.newIdentityResolvingKey {
      _ = identityKey(payload, 13)
    }
  }

  /// An address (6), its type (1: LE public, 2: LE random) and a key (16).
  private mutating func identityKey(_ payload: PDUBytes, _ at: Int) -> Bool {
    guard let address = payload.address(at), let type = payload.u8(at + 6), payload.count >= at + 23 else { return false }
    if type == 1 || type == 2, let key = IdentityResolvingKey(littleEndian: payload.slice(at + 7, 16).span) {
      tables.learn(key, of: address, type: type - 1)
    }
    return true
  }
}

/// The PDUs of a pairing by which its sides show each other that they have the same key.
struct KeyAgreement {
  private var isSecure = false
  /// Whether this host and the peer sent Pairing Random, and Pairing DHKey Check.
  private var randoms = (false, false)
  private var checks = (false, false)

  /// Takes the next PDU of the pairing.
  mutating func take(_ opcode: SMP.Opcode?, isFromHost: Bool) {
    switch opcode {
    case .pairingPublicKey: isSecure = true
    case .pairingRandom: if isFromHost { randoms.0 = true } else { randoms.1 = true }
    case .pairingDHKeyCheck: if isFromHost { checks.0 = true } else { checks.1 = true }
    default: break
    }
  }

  /// Both sides sent the last PDU before encryption: the random value in legacy pairing, the DHKey check with Secure Connections (Vol 3, Part H,
  /// 2.3.5.5 and 2.3.5.6.5).
  var isComplete: Bool { isSecure ? checks == (true, true) : randoms == (true, true) }
}
