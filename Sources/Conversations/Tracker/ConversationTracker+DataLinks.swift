import Bluetooth
import Memory
import PacketCodecs

/// A data link of an RFCOMM session: the protocol of its data, and that protocol's state.
final class DataLink {
  let dlci: UInt8
  /// The protocol of its data; ``ProtocolID/rfcomm`` where it is not known.
  var carries = ProtocolID.rfcomm
  /// The protocol comes from an SDP record that was sent or received before.
  var isCertain = false
  /// The service of the last frame, index into ``ConversationTables/services``, -1 where it has none; -2 before the first frame.
  var service: Int32 = -2
  /// Number of frames inspected to recognize the protocol.
  var looked = 0
  let dialogue = Dialogue()

  init(_ dlci: UInt8) { self.dlci = dlci }

  /// Data that no protocol recognizes are inspected in this many frames only.
  static let maxLooked = 8
}

/// Passes data of RFCOMM to the protocol of the service that the data link belongs to.
extension ConversationTracker {
  /// Takes a frame of RFCOMM: tracks data links, and passes data to their protocols.
  mutating func dataLink(_ row: inout PacketRow, _ link: Int, fromHost: Bool) {
    guard let frame = RFCOMM.Frame(row.pdu.span) else { return }
    switch frame.type {
    case .sabm, .disc, .dm:
      // A session or data link begins or ends: its open state is dropped.
      if !links[link].dataLinks.isEmpty { links[link].dataLinks.removeAll { frame.dlci == 0 || $0.dlci == frame.dlci } }
      return
    case .uih, .ui: break
    default: return
    }
    guard frame.dlci > 1, frame.length > 0, purpose == .rows else { return }
    let dataLink = known(link, frame.dlci)
    let hasClass = row.detail >= 0 && tables.services[Int(row.detail)].uuid >= 0
    if dataLink.service != row.detail || !hasClass && dataLink.carries == .rfcomm && dataLink.looked < DataLink.maxLooked {
      identify(dataLink, row, frame)
    }
    guard dataLink.carries != .rfcomm else { return }
    // Data that the capture cut are not reassembled.
    guard frame.payload.count == frame.length else { return dataLink.dialogue.dropFragments() }
    if !dataLink.isCertain { row.flags.insert(.likely) }
    if dataLink.carries == .obex {
      objectExchange(&row, frame, dataLink, fromHost: fromHost)
    } else if dataLink.carries == .sap {
      row.layer = .sap
    } else {
      commandLines(&row, frame, dataLink, fromHost: fromHost)
    }
    if row.layer == .rfcomm { row.flags.remove(.likely) }
  }

  private mutating func known(_ link: Int, _ dlci: UInt8) -> DataLink {
    for known in links[link].dataLinks where known.dlci == dlci { return known }
    let new = DataLink(dlci)
    // DLCIs have six bits.
    links[link].dataLinks.append(new)
    return new
  }

  /// Determines the protocol from the service in an SDP record, else from the form of the data.
  private func identify(_ dataLink: DataLink, _ row: PacketRow, _ frame: RFCOMM.Frame) {
    dataLink.service = row.detail
    if row.detail >= 0 {
      let service = tables.services[Int(row.detail)]
      if service.uuid >= 0 {
        guard let known = tables.uuids[Int(service.uuid)].short16.flatMap({ ProtocolRegistry.onService($0) }) else { return }
        if dataLink.carries != known { dataLink.dialogue.restart() }
        dataLink.carries = known
        // A survey also has records that come later in the capture.
        dataLink.isCertain = service.frame <= self.frame
        return
      }
    }
    guard dataLink.carries == .rfcomm, dataLink.looked < DataLink.maxLooked else { return }
    dataLink.looked += 1
    let data = row.pdu.slice(frame.payload.lowerBound, frame.payload.count)
    if let known = ProtocolRegistry.recognizeData(data.span) { dataLink.carries = known }
  }

  /// The protocol for a dynamic PSM from an SDP record of the responder, and for printers the role of the channel; ``ProtocolID/l2cap`` where no
  /// record has the PSM.
  func onDynamicPSM(_ link: Int, _ psm: UInt16, isOfHost: Bool) -> (carries: ProtocolID, hardcopy: HCRP.Channel) {
    guard psm >= 0x1001, !tables.services.isEmpty else { return (.l2cap, .control) }
    let connection = links[link].connection
    let peer = tables.identity(tables.connections[Int(connection)].peer)
    for number in tables.serviceIndex.all(peer, connection, isLocal: isOfHost, psm: psm) {
      let service = tables.services[Int(number)]
      if service.objectPSM == psm { return (.obex, .control) }
      if service.hardcopyDataPSM == psm { return (.hcrp, .data) }
      if service.hardcopyNotificationPSM == psm { return (.hcrp, .notification) }
      if service.psm == psm, service.rfcommChannel == 0, service.uuid >= 0, let short = tables.uuids[Int(service.uuid)].short16,
        let known = ProtocolRegistry.onService(short), ProtocolRegistry.envelope(known) != .rfcomm
      {
        return (known, .control)
      }
    }
    return (.l2cap, .control)
  }

  // MARK: Printers

  /// A PDU of the Hardcopy Cable Replacement Profile: determines the sender, and matches a response with its request.
  mutating func hardcopy(_ row: inout PacketRow, _ link: Int, _ at: Int, fromHost: Bool) {
    let channel = links[link].channels[at]
    // A client opens the control and the data channel, a printer the one for its notifications.
    let kind = HCRP.Channel(opcode: channel.configuration)
    let isFromOpener = channel.isStartedByHost == fromHost
    let isFromServer = isFromOpener == (kind == .notification)
    row.opcode = kind.rawValue | (isFromServer ? HCRP.fromServer : 0)
    guard kind == .control, let number = row.pdu.u16be(0), let transaction = row.pdu.u16be(2) else { return }
    row.opcode |= UInt32(number)
    _ = match(&row, dialogue(link, at), transaction, isRequest: !isFromServer, isLast: true, fromHost)
  }

  // MARK: Hands-free and headset

  /// Data of the Hands-Free or the Headset Profile: joins lines that come in several frames, and matches results with commands.
  private mutating func commandLines(_ row: inout PacketRow, _ frame: RFCOMM.Frame, _ dataLink: DataLink, fromHost: Bool) {
    let dialogue = dataLink.dialogue
    let side = fromHost ? 0 : 1
    let data = row.pdu.slice(frame.payload.lowerBound, frame.payload.count)
    let isEnd = data.u8(data.count - 1).map { $0 == 0x0D || $0 == 0x0A || $0 == 0 } ?? true
    row.layer = dataLink.carries
    row.opcode = dialogue.memory
    if !isEnd || dialogue.parts[side].count > 0 {
      guard let whole = join(&dialogue.parts[side], data, header: row.pdu.slice(0, frame.payload.lowerBound), isEnd: isEnd) else {
        row.opcode |= HFP.part
        return
      }
      row.pdu = whole
      row.opcode |= RFCOMM.joined
    }
    let span = row.pdu.span
    let range = RFCOMM.information(of: span, isJoined: row.opcode & RFCOMM.joined != 0)
    var lines = HFP.Lines(range)
    var commands = 0
    while let line = lines.next(span) {
      if line.isCommand {
        commands += 1
        guard commands == 1 else { continue }
        _ = match(&row, dialogue, 0, isRequest: true, isLast: true, fromHost)
        // The code of the command in the table, or one that no command has.
        dialogue.requests[fromHost ? 0x10000 : 0]?.command = line.code ?? .max
      } else {
        if let order = HFP.indicators(line, span) { dialogue.memory = order }
        result(&row, line, span, dialogue, fromHost)
      }
    }
    if commands > 1 { dialogue.requests[fromHost ? 0x10000 : 0]?.left = commands }
    if dialogue.memory != 0 { row.opcode |= dialogue.memory }
  }

  /// Takes a result code: matches it with the waiting command, which a final result code completes.
  private mutating func result(_ row: inout PacketRow, _ line: HFP.Line, _ span: RawSpan, _ dialogue: Dialogue, _ fromHost: Bool) {
    let requestKey: UInt64 = fromHost ? 0 : 0x10000
    guard let request = dialogue.requests[requestKey] else { return }
    if let ending = line.ending(span) {
      _ = match(&row, dialogue, 0, isRequest: false, isLast: request.left <= 1, fromHost)
      dialogue.requests[requestKey]?.left -= 1
      if !row.flags.contains(.hasStatus) || ending != 0 { row.set(status: ending, .handsFree) }
    } else if line.answers(request.command) {
      _ = match(&row, dialogue, 0, isRequest: false, isLast: false, fromHost)
    }
  }

  // MARK: Objects

  /// Data of an OBEX session over RFCOMM: extracts packets from the frames. The frames of a packet before its last are rows of their own.
  private mutating func objectExchange(_ row: inout PacketRow, _ frame: RFCOMM.Frame, _ dataLink: DataLink, fromHost: Bool) {
    let dialogue = dataLink.dialogue
    let side = fromHost ? 0 : 1
    var data = row.pdu.slice(frame.payload.lowerBound, frame.payload.count)
    let header = row.pdu.slice(0, frame.payload.lowerBound)
    if row.detail >= 0, let service = tables.uuid(ofService: row.detail)?.short16 {
      dialogue.remember(OBEX.Profile.ofService(service))
    }
    if dialogue.parts[side].bytes.isEmpty, let packet = packet(data), packet.length == data.count {
      row.layer = .obex
      return objectExchange(&row, dialogue, fromHost: fromHost)
    }
    var isFirst = true
    while data.count > 0 {
      let held = dialogue.parts[side].bytes.count
      if held < 3 {
        // The length of the packet is in its first three bytes.
        let head = data.slice(0, min(3 - held, data.count))
        _ = join(&dialogue.parts[side], head, header: header, isEnd: false)
        data = data.from(head.count)
        if held + head.count < 3 { break }
        guard OBEX.isPacketStart(dialogue.parts[side].bytes) else { return dialogue.dropFragments() }
      }
      let known = dialogue.parts[side].bytes
      let needed = (Int(known[1]) << 8 | Int(known[2])) - known.count
      if needed > data.count {
        _ = join(&dialogue.parts[side], data, header: header, isEnd: false)
        break
      }
      guard needed >= 0, let whole = join(&dialogue.parts[side], data.slice(0, needed), header: header, isEnd: true) else {
        return dialogue.dropFragments()
      }
      data = data.from(needed)
      // The caller appends the last row; the others of the frame are appended here.
      if !isFirst { rows.append(row) }
      isFirst = false
      row.layer = .obex
      row.pdu = whole
      row.opcode = RFCOMM.joined
      row.requestFrame = 0
      row.flags.subtract([.hasLatency, .hasStatus])
      objectExchange(&row, dialogue, fromHost: fromHost)
    }
    if isFirst { row.setPart(dialogue) }
  }

  private func packet(_ data: PDUBytes) -> OBEX.Packet? {
    OBEX.Packet(data.span, in: 0..<data.count)
  }

  /// A packet of an OBEX session: joins requests and answers, and learns the profile of the session.
  mutating func objectExchange(_ row: inout PacketRow, _ dialogue: Dialogue, fromHost: Bool) {
    let span = row.pdu.span
    let range = OBEX.range(in: span, opcode: row.opcode, psm: row.subcode)
    if row.subcode > 3, dialogue.memory == 0 { dialogue.remember(profile(ofPSM: row)) }
    guard let packet = OBEX.Packet(span, in: range) else { return }
    if packet.isResponse {
      let key: UInt64 = fromHost ? 0 : 0x10000
      if let request = dialogue.requests[key] {
        // With single response mode, several responses may come to one request.
        _ = match(&row, dialogue, 0, isRequest: false, isLast: !packet.isContinue, fromHost)
        row.opcode |= request.command << OBEX.requestShift
      }
      row.opcode |= packet.isContinue ? OBEX.continuing : dialogue.hasParts ? OBEX.last : 0
      dialogue.isContinuing = packet.isContinue
      dialogue.hasParts = packet.isContinue
      if !packet.isContinue { row.set(status: packet.status == 0x20 ? 0 : packet.status, .objectExchange) }
    } else {
      let code = UInt32(packet.code & 0x7F) + 1
      let key: UInt64 = fromHost ? 0x10000 : 0
      // The rest of an object that is put, or a request for the rest of one that is got.
      if dialogue.isContinuing, packet.request == .get || packet.request == .put || packet.request == .action {
        row.opcode |= OBEX.continuing
      } else {
        dialogue.hasParts = false
      }
      dialogue.isContinuing = false
      _ = match(&row, dialogue, 0, isRequest: true, isLast: true, fromHost)
      dialogue.requests[key]?.command = code
      if packet.request == .connect { dialogue.remember(OBEX.profile(ofTargetIn: packet, span)) }
    }
    row.opcode |= dialogue.memory << OBEX.profileShift
  }

  /// The profile of the record that names the PSM of a row's channel.
  private func profile(ofPSM row: PacketRow) -> OBEX.Profile? {
    guard let first = tables.serviceIndex.firstObjects(psm: row.subcode), case let service = tables.services[first], service.uuid >= 0
    else { return nil }
    return tables.uuids[Int(service.uuid)].short16.flatMap { OBEX.Profile.ofService($0) }
  }

  /// Joins data that come in several frames. When they are complete, returns them after the header of the last frame.
  private mutating func join(_ parts: inout Dialogue.Parts, _ piece: PDUBytes, header: PDUBytes, isEnd: Bool) -> PDUBytes? {
    guard parts.bytes.count &+ piece.count <= Dialogue.maximumMessage + 4096 else {
      parts = Dialogue.Parts()
      return nil
    }
    parts.bytes.append(contentsOf: piece)
    if tracksPieces { parts.pieces += pieces(of: piece) }
    parts.count += 1
    guard isEnd else { return nil }
    let bytes = Array(header) + parts.bytes
    let whole = bytes.withBorrowedBytes { out.arena.copy($0) }
    if tracksPieces { remember(whole, pieces(of: header) + parts.pieces) }
    parts = Dialogue.Parts()
    return whole
  }
}

extension PacketRow {
  /// Makes the row that of a part of an OBEX packet.
  fileprivate mutating func setPart(_ dialogue: Dialogue) {
    layer = .obex
    opcode = OBEX.part | dialogue.memory << OBEX.profileShift
  }
}

extension Dialogue {
  /// Keeps the profile of an OBEX session, where it is known.
  fileprivate func remember(_ profile: OBEX.Profile?) {
    if let profile, profile != .unknown { memory = UInt32(profile.rawValue) }
  }

  /// Drops the state of the data link.
  fileprivate func restart() {
    requests.removeAll()
    (isContinuing, hasParts) = (false, false)
    memory = 0
    dropFragments()
  }
}

extension OBEX {
  /// Whether the bytes begin with the start of an OBEX packet.
  fileprivate static func isPacketStart(_ bytes: [UInt8]) -> Bool {
    let span = bytes.rawSpan
    return Packet(span, in: 0..<span.byteCount)?.mayStart == true
  }
}

extension ConversationTables {
  /// The class of a service; nil where it has none.
  fileprivate func uuid(ofService index: Int32) -> BluetoothUUID? {
    let uuid = services[Int(index)].uuid
    return uuid >= 0 ? uuids[Int(uuid)] : nil
  }
}
