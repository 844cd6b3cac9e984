import Bluetooth
import Captures
import Memory

/// State of BR/EDR connections that a sniffer heard, or that a controller's diagnostic records describe.
struct BasebandState {
  /// A connection: the two devices that use a logical transport address in a piconet.
  struct Connection {
    /// Index into the links, or -1 once it has ended.
    var link: Int32 = -1
    /// The start of encryption was accepted.
    var isEncrypted = false
    /// The last packet with a CRC that a controller logged as received.
    var received: Received?
  }

  /// Distinguishes a retransmission from a new packet.
  struct Received {
    var frame: Int
    /// SEQN of the packet header, which a sender inverts for each new packet with a CRC (Core, Vol 2, Part B, 7.6.2).
    var sequence: Bool
    /// LLID and length of the payload header.
    var llid: UInt8
    var length: Int
    /// Whether the payload is the same, by its FNV-1a hash.
    var digest: UInt64
  }

  /// An LMP request that waits for its response.
  struct Request {
    var frame: Int
    var time: Int64
    var row: RowReference
  }

  /// Most connections, and most requests, that are kept; noise makes new ones.
  static let maxCount = 512

  var connections: [UInt64: Connection] = [:]
  /// Handles of these connections are assigned by btscribe and count down, away from those that hosts assign.
  var lastHandle: UInt16 = 0x0F00
  var requests: [UInt64: Request] = [:]
  /// Frame, time and address of the FHS packet of a device that pages this one.
  var page: (frame: Int, address: UInt64)?
}

/// Packets of BR/EDR on the air (Core, Vol 2, Part B, 6), and the Link Manager's PDUs in them (Part C).
extension ConversationTracker {
  /// Takes a packet with a sniffer's header before it, or a record of the controller's own.
  mutating func baseband(_ record: PacketRecord, _ payload: PDUBytes) {
    guard record.payload == 22 else {
      if !diagnostics(record, payload), purpose == .rows { rows.append(row(record.origin, .opaque, .other, payload)) }
      return
    }
    let whole = unsafe PDUBytes(out.packets.bytes(record))
    guard let packet = Baseband.Packet(whole.span, .pseudoHeader) else {
      if purpose == .rows { rows.append(row(record.origin, .opaque, .other, payload)) }
      return
    }
    // The key: bits of the piconet's address, and the logical transport address from the packet header.
    let key = UInt64(whole.u32(12) ?? 0) << 3 | UInt64((whole.u8(16) ?? 0) & 7)
    take(record, whole, packet, key)
  }

  /// Takes a packet of the ESP32 sniffer, from its H4 type on; returns false if it is another packet.
  mutating func sniffedByController(_ record: PacketRecord, _ payload: PDUBytes) -> Bool {
    guard payload.u8(0) == 9 else { return false }
    let whole = payload.from(1)
    guard let packet = Baseband.Packet(whole.span, .esp32) else { return false }
    take(record, whole, packet, 1 << 63 | UInt64(record.adapter) << 3 | UInt64((whole.u8(6) ?? 0) & 7))
    return true
  }

  private mutating func take(_ record: PacketRecord, _ whole: PDUBytes, _ packet: Baseband.Packet, _ key: UInt64) {
    let body = whole.slice(packet.body.lowerBound, packet.body.count)
    let isSniffer = packet.form == .pseudoHeader
    // A payload whose CRC is right is not encrypted; where the CRC is missing, the capturing program's flag says whether it is decrypted.
    let isOpen = !isSniffer || packet.check == .right || packet.isDecrypted && packet.check != .wrong
    guard isOpen, let llid = packet.llid, llid != 0, key & 7 != 0 else {
      guard purpose == .rows || !isSniffer else { return }
      if packet.type == .fhs, !isSniffer, key & 7 == 0, record.direction == .received,
        let address = Baseband.address(ofFHS: whole.span, at: packet.payload.lowerBound)
      {
        baseband.page = (frame, address)
      }
      guard purpose == .rows else { return }
      var row = basebandRow(record, whole, packet)
      let isEmpty = packet.payload.isEmpty || packet.llid != nil && packet.length == 0
      row.meaning = isEmpty ? .noise : .data
      // An FHS packet is never encrypted.
      let isOfConnection = packet.type != .fhs
      if !isOpen, !isEmpty, isOfConnection || packet.check == .wrong {
        row.opcode |= Baseband.isClosed
        let isEncrypted = isOfConnection && baseband.connections[key]?.isEncrypted == true
        if isEncrypted { row.flags.insert(.encrypted) }
        if packet.check == .wrong, !isEncrypted {
          row.meaning = .noise
          row.flags.insert(.badCRC)
        }
      }
      rows.append(row)
      return
    }
    guard packet.length > 0 else {
      if purpose == .rows {
        var row = basebandRow(record, whole, packet)
        row.meaning = .noise
        rows.append(row)
      }
      return
    }
    var connection = baseband.connections[key] ?? BasebandState.Connection()
    if connection.link < 0 || !links[Int(connection.link)].isActive { begin(&connection, record) }
    if !isSniffer, record.direction == .received, isRetransmission(&connection, record, whole, packet, body) {
      if baseband.connections[key] != nil { baseband.connections[key] = connection }
      return
    }
    let before = rows.count
    if llid == 3 {
      linkManager(record.origin, body, &connection)
    } else if connection.link >= 0 {
      let link = Int(connection.link)
      links[link].packets &+= 1
      links[link].lastTime = time
      if record.direction != .unknown {
        if record.direction == .sent { links[link].hasSent = true } else { links[link].hasReceived = true }
        fragment(link, record.origin, isStart: llid == 2, body, length: packet.length)
      } else {
        frameOfNobody(link, record, body, isStart: llid == 2)
      }
    }
    if isSniffer { for index in before..<rows.count where packet.isDecrypted { rows[index].flags.insert(.decrypted) } }
    if baseband.connections[key] != nil || baseband.connections.count < BasebandState.maxCount { baseband.connections[key] = connection }
  }

  /// Whether the controller received the same packet before: then it gets a row and is not decoded again. A retransmission that differs replaces the
  /// earlier packet, which was damaged on the air.
  private mutating func isRetransmission(
    _ connection: inout BasebandState.Connection, _ record: PacketRecord, _ whole: PDUBytes, _ packet: Baseband.Packet, _ body: PDUBytes
  ) -> Bool {
    guard let header = whole.u8(7), let llid = packet.llid else { return false }
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<body.count { digest = (digest ^ UInt64(body.u8(index) ?? 0)) &* 0x0100_0000_01B3 }
    let received = BasebandState.Received(frame: frame, sequence: header & 2 != 0, llid: llid, length: packet.length, digest: digest)
    let first = connection.received
    connection.received = received
    guard let first, first.sequence == received.sequence, first.llid == llid, first.length == packet.length else { return false }
    if first.digest == digest {
      connection.received?.frame = first.frame
      if purpose == .rows {
        var row = basebandRow(record, whole, packet)
        row.meaning = .noise
        row.flags.insert(.retransmission)
        row.requestFrame = first.frame
        rows.append(row)
      }
      return true
    }
    if connection.link >= 0, links[Int(connection.link)].receiving.isOpen, links[Int(connection.link)].receiving.frame == first.frame {
      abandon(links[Int(connection.link)].receiving)
      links[Int(connection.link)].receiving.close()
    }
    return false
  }

  /// A row for the complete packet.
  func basebandRow(_ record: PacketRecord, _ whole: PDUBytes, _ packet: Baseband.Packet) -> PacketRow {
    let isSniffer = packet.form == .pseudoHeader
    var row = row(record.origin, .baseband, .data, isSniffer ? whole.from(packet.payload.lowerBound) : whole)
    row.opcode = packet.code | (isSniffer ? 0 : Baseband.hasHeader)
    return row
  }

  /// Gives a connection a handle, and the device that paged as its peer.
  private mutating func begin(_ connection: inout BasebandState.Connection, _ record: PacketRecord) {
    baseband.lastHandle = baseband.lastHandle <= 0x0800 ? 0x0EFF : baseband.lastHandle - 1
    let page = record.direction == .unknown ? nil : baseband.page
    if record.direction != .unknown { baseband.page = nil }
    connection = BasebandState.Connection()
    connection.link = newLink(Int(adapter(record.adapter)), record.adapter, baseband.lastHandle, start: page?.frame ?? 0)
    guard connection.link >= 0 else { return }
    let number = Int(links[Int(connection.link)].connection)
    tables.connections[number].transport = .classic
    if let page {
      tables.connections[number].peer = tables.peer(page.address, type: Peer.classic)
      refreshDatabases(Int(connection.link))
    }
  }

  /// L2CAP data without a known sender: nothing is reassembled, and only complete PDUs are decoded.
  private mutating func frameOfNobody(_ link: Int, _ record: PacketRecord, _ body: PDUBytes, isStart: Bool) {
    guard purpose == .rows else { return }
    let isWhole = isStart && body.u16(0).map { Int($0) + 4 == body.count } == true
    if isWhole, body.u16(2) == L2CAP.ChannelID.signaling.rawValue {
      return signaling(link, L2CAP.ChannelID.signaling.rawValue, record.origin, body.from(4), isJoined: false)
    }
    var row = row(record.origin, isStart ? .l2cap : .hciACL, .data, body)
    connect(&row, link)
    row.channel = isStart ? body.u16(2) ?? 0 : 0
    rows.append(row)
  }

  // MARK: Link Manager

  /// Takes an LMP PDU from the air and updates the connection it belongs to.
  private mutating func linkManager(_ origin: PacketOrigin, _ pdu: PDUBytes, _ connection: inout BasebandState.Connection) {
    guard var row = linkManagerRow(origin, pdu, connection.link) else { return }
    let opcode = LMP.Opcode(rawValue: row.opcode)
    if let verdict = LMP.verdict(pdu.span) {
      let isAccepted = verdict.error == nil
      if !isAccepted { row.meaning = .commandFailed }
      switch LMP.Opcode(rawValue: verdict.request) {
      case .startEncryptionReq where isAccepted:
        row.meaning = .encrypted
        connection.isEncrypted = true
        if row.connection >= 0, tables.connections[Int(row.connection)].encryptedFrame == 0 {
          tables.connections[Int(row.connection)].encryptedFrame = frame
        }
      case .stopEncryptionReq where isAccepted: connection.isEncrypted = false
      default: break
      }
    }
    switch opcode {
    case .inRand, .combKey, .unitKey, .auRand, .sres, .tempRand, .tempKey, .encryptionModeReq, .encryptionKeySizeReq, .startEncryptionReq,
      .stopEncryptionReq, .ioCapabilityReq, .ioCapabilityRes:
      row.meaning = .security
    case .detach:
      row.meaning = .disconnected
      if connection.link >= 0 {
        let number = Int(links[Int(connection.link)].connection)
        tables.connections[number].endFrame = frame
        tables.connections[number].endTime = time
        tables.connections[number].endReason = pdu.u8(1) ?? 0
        close(connection.link, at: frame)
      }
      baseband.requests = baseband.requests.filter { $0.key >> 32 != Self.scope(connection.link) >> 32 }
      connection = BasebandState.Connection()
    default: break
    }
    if purpose == .rows { rows.append(row) }
  }

  /// The part of request keys that identifies the link.
  private static func scope(_ link: Int32) -> UInt64 { UInt64(truncatingIfNeeded: link &+ 1) << 32 }

  /// A row for an LMP PDU, with its request noted or matched; nil where the bytes are no LMP PDU.
  private mutating func linkManagerRow(_ origin: PacketOrigin, _ pdu: PDUBytes, _ link: Int32) -> PacketRow? {
    let span = pdu.span
    guard let header = LMP.Header(span) else {
      report(.shortPacket(needed: 2, present: pdu.count), offset: 0, adapter: origin.adapter)
      return nil
    }
    var row = row(origin, .lmp, .controller, pdu)
    row.opcode = header.opcode
    if link >= 0 { connect(&row, Int(link)) }
    let scope = Self.scope(link)
    if let verdict = LMP.verdict(span) {
      row.subcode = UInt16(truncatingIfNeeded: verdict.request)
      if let error = verdict.error { row.set(status: error, .hci) }
      matchRequest(&row, scope | UInt64(verdict.request), isRefused: verdict.error != nil)
    } else if let request = LMP.Opcode(rawValue: header.opcode)?.request {
      matchRequest(&row, scope | UInt64(request.rawValue), isRefused: false)
    } else if baseband.requests.count < BasebandState.maxCount {
      baseband.requests[scope | UInt64(header.opcode)] = BasebandState.Request(
        frame: frame, time: time, row: RowReference(sequence: sequence, row: Int32(rows.count)))
    }
    return row
  }

  /// Matches a response with its request.
  private mutating func matchRequest(_ row: inout PacketRow, _ key: UInt64, isRefused: Bool) {
    guard let request = baseband.requests.removeValue(forKey: key) else { return }
    let latency = elapsed(since: request.frame, request.time)
    row.answers(request.frame, latency)
    answer(request.row, frame: frame, latency: latency, isError: isRefused)
  }

  // MARK: Controllers' own records

  /// Takes a diagnostic record of a Broadcom controller, which reports what its Link Manager and Link Layer send and receive: a kind, the clock, four
  /// bytes of the peer's address, then the PDU in a field of fixed size. Returns false for other payloads.
  mutating func diagnostics(_ record: PacketRecord, _ payload: PDUBytes) -> Bool {
    guard payload.count == 63, let kind = payload.u8(0) else { return false }
    var origin = record.origin
    origin.direction = kind & 1 == 0 ? .sent : .received
    switch kind {
    case 0x00, 0x01:
      // The header of a DM1 packet precedes the PDU.
      let start = kind == 0 ? 10 : 13
      guard let before = payload.u8(start - 1), before & 3 == 3 else { return false }
      let padded = payload.slice(start, 17)
      let span = padded.span
      guard let header = LMP.Header(span), LMP.pdus[header.opcode] != nil else { return false }
      let address = UInt32(bigEndian: payload.u32(5) ?? 0)
      // The controller reports the outcome in HCI events, so the record gets a row and changes no state.
      if var row = linkManagerRow(origin, padded.slice(0, LMP.length(of: span)), link(record.adapter, addressEnding: address)) {
        row.meaning = .event
        if purpose == .rows { rows.append(row) }
      }
      return true
    default: return false
    }
  }

  /// The link of the device whose address ends with these four bytes, or -1.
  private func link(_ adapter: UInt16, addressEnding last: UInt32) -> Int32 {
    for index in links.indices where links[index].isActive && links[index].adapter == adapter {
      let peer = tables.connections[Int(links[index].connection)].peer
      if peer >= 0, UInt32(truncatingIfNeeded: tables.peers[Int(peer)].address) == last { return Int32(index) }
    }
    return -1
  }
}
