import Bluetooth
import Captures
import Memory

/// The state of Link Layer captures: the devices that use each access address.
struct LinkLayerState {
  /// The kind of packets with an access address.
  enum Purpose: UInt8 {
    /// Data and control of a connection.
    case connection
    /// A periodic advertisement.
    case periodic
    /// An isochronous stream.
    case isochronous
  }

  /// The last packet of one sender: its sequence number bit (SN), the one it expects (NESN), and its content.
  struct Sender {
    var isKnown = false
    var sequence = false
    var expects = false
    var digest: UInt64 = 0
    /// Number of the first packet with this content.
    var frame = 0
    /// Bytes still to come of an L2CAP PDU that was sent unencrypted after encryption had started.
    var plaintextLeft = 0
  }

  /// One access address.
  struct AccessAddress {
    var purpose: Purpose
    /// CRC initialisation, where a CONNECT_IND or SyncInfo gave it.
    var crcInit: UInt32?
    /// Index into the links, or -1 once the connection has ended.
    var link: Int32 = -1
    /// Its current or past connection, index into ``ConversationTables/connections``.
    var connection: Int32 = -1
    var isEncrypted = false
    /// A PDU was seen that is not encrypted although encryption has started.
    var hasPlaintext = false
    /// Features of both sides (Core, Vol 6, Part B, 4.6), if they were exchanged.
    var features: (central: UInt64?, peripheral: UInt64?) = (nil, nil)
    var central = Sender()
    var peripheral = Sender()
    /// Where directions are not recorded: channel, time and sender of the packet before.
    var lastChannel: UInt8 = 0xFF
    var lastTime: Int64 = .min
    var lastWasCentral = false
  }

  /// Most access addresses that are kept; noise keeps creating new ones.
  static let maxCount = 4096
  /// Peripheral and central respond to each other within a connection event; this pause ends one, in µs.
  static let pause: Int64 = 3000

  var airs: [UInt32: AccessAddress] = [:]
  var lastHandle: UInt16 = 0
  /// An extended advertising PDU was seen: the secondary advertising channels are in use.
  var hasExtendedAdvertising = false

  /// Whether an advertising PDU of type `kind` that was recorded on a data channel is one of the secondary advertising channels (Core, Vol 6,
  /// Part B, 2.3.1). Some sniffers record a wrong channel: legacy PDUs exist on the primary channels only, and AUX_SCAN_REQ and
  /// AUX_CONNECT_REQ, which share their types with SCAN_REQ and CONNECT_IND, only answer extended advertising.
  func isAuxiliary(_ kind: UInt8) -> Bool {
    switch kind {
    case 0, 1, 2, 4, 6: false
    case 3, 5: hasExtendedAdvertising
    default: true
    }
  }
}

/// The address and the data of the sender of a Link Layer advertising PDU (Core, Vol 6, Part B, 2.3).
public struct AdvertisingPayload {
  /// The advertiser's address, little-endian value of the six octets; nil where the PDU has none.
  public private(set) var address: UInt64?
  /// Advertising or scan response data.
  public private(set) var data = PDUBytes()
  /// The data continue in the packet that the AuxPtr field announces.
  var goesOn = false
  /// Offset of the SyncInfo field in the PDU; nil where there is none.
  var syncInfo: Int?

  /// Reads a PDU from its header on. For requests, address and data stay empty.
  public init(_ pdu: PDUBytes) {
    switch LinkLayer.AdvertisingType(rawValue: (pdu.u8(0) ?? 0xF) & 15) {
    case .advInd, .advNonconnInd, .scanRsp, .advScanInd:
      address = pdu.address(2)
      data = pdu.from(8)
    case .advDirectInd: address = pdu.address(2)
    case .advExtInd, .auxConnectRsp:
      let length = Int(pdu.u8(2) ?? 0) & 0x3F
      data = pdu.from(3 + length)
      guard length > 0, let flags = pdu.u8(3) else { return }
      var at = 4
      if flags & 1 != 0 {
        address = pdu.address(at)
        at += 6
      }
      if flags & 2 != 0 { at += 6 }
      if flags & 4 != 0 { at += 1 }
      if flags & 8 != 0 { at += 2 }
      if flags & 16 != 0 {
        at += 3
        goesOn = true
      }
      if flags & 32 != 0, at + 18 <= 3 + length { syncInfo = at }
    default: break
    }
  }
}

/// Link Layer packets of a sniffer (Core, Vol 6, Part B, 2).
extension ConversationTracker {
  /// Takes a Link Layer packet, from its access address on.
  mutating func linkLayer(_ record: PacketRecord, _ payload: PDUBytes) {
    // The coded PHY has a coding indicator between address and PDU.
    let start = record.radio.phy == 2 ? 5 : 4
    guard let access = payload.u32(0), let bits = payload.u8(start), let announced = payload.u8(start + 1) else {
      guard purpose == .rows else { return }
      report(.shortPacket(needed: 6, present: payload.count), offset: payload.count, adapter: record.adapter)
      rows.append(row(record.origin, .linkLayer, .other, payload))
      return
    }
    let isAdvertising = access == LinkLayer.advertisingAccessAddress
    let known = linkLayer.airs[access]
    let isPeriodic = !isAdvertising && (known?.purpose == .periodic || known == nil && record.radio.has(RadioInfo.Flag.auxiliary))
    var hasCTEInfo = !isAdvertising && !isPeriodic && bits & 0x20 != 0
    if hasCTEInfo {
      // Where the record ends with the CRC, its size shows whether the field is present.
      let size = record.radio.has(RadioInfo.Flag.hasCRC) && !cut ? payload.count - start - Int(announced) - 3 : 0
      hasCTEInfo = size == 3 || size != 2 && LinkLayerState.hasCTEInfo(payload.from(start), known)
    }
    let header = hasCTEInfo ? 3 : 2
    let end = start + header + Int(announced)
    // Where the length is wrong, the CRC after the PDU is no part of it. The last bytes of a truncated record are no CRC.
    let initial = isAdvertising ? LinkLayer.advertisingCRCInit : known?.crcInit
    let endsWithCRC =
      !isAdvertising || payload.count >= end + 3 || payload.count < start + header + 3
      || LinkLayer.hasRightCRC(payload.span, in: start..<payload.count, initial: LinkLayer.advertisingCRCInit)
    let trailer = record.radio.has(RadioInfo.Flag.hasCRC) && !cut && endsWithCRC ? 3 : 0
    let pdu = payload.slice(start, max(min(header + Int(announced), payload.count - start - trailer), 0))
    let crc = crc(record, payload, start, end, initial)
    guard crc != .wrong, crc != .notThere else {
      guard purpose == .rows else { return }
      if crc == .wrong {
        report(.badCRC(announced: nil), offset: start, adapter: record.adapter)
      } else {
        report(.badCRC(announced: Int(announced)), offset: start + 1, adapter: record.adapter)
      }
      var row = row(record.origin, isAdvertising || isPeriodic ? .advertisingPDU : .linkLayer, .noise, pdu)
      row.flags.insert(.badCRC)
      if isAdvertising || isPeriodic {
        row.opcode = UInt32(bits & 15) | (record.radio.has(RadioInfo.Flag.auxiliary) && linkLayer.isAuxiliary(bits & 15) ? 0x10 : 0)
      }
      rows.append(row)
      return
    }
    isShortened = pdu.count < header + Int(announced)
    if isShortened, !cut {
      report(.lengthLies(announced: Int(announced), present: pdu.count - header), offset: start + 1, adapter: record.adapter)
    }
    if isAdvertising || isPeriodic {
      if bits & 15 == 7 { linkLayer.hasExtendedAdvertising = true }
      let isSecondary = record.radio.has(RadioInfo.Flag.auxiliary) && linkLayer.isAuxiliary(bits & 15)
      advertising(record, pdu, isAuxiliary: isPeriodic || isSecondary)
    } else {
      var air = known ?? LinkLayerState.AccessAddress(purpose: .connection)
      // Access addresses that noise produced are not stored, as the table would fill up.
      let isTrusted = known != nil || record.radio.has(RadioInfo.Flag.crcOK) || !record.radio.has(RadioInfo.Flag.crcChecked)
      let isDecrypted = crc == .leftOut || record.radio.has(RadioInfo.Flag.decrypted)
      let first = rows.count
      data(record, pdu, header: header, isDecrypted: isDecrypted, access, &air)
      if isDecrypted {
        for index in first..<rows.count { rows[index].flags.insert(.decrypted) }
      }
      if isTrusted, known != nil || linkLayer.airs.count < LinkLayerState.maxCount { linkLayer.airs[access] = air }
    }
  }

  /// The connection under a packet's access address, index into ``ConversationTables/connections``.
  func linkLayerConnection(_ payload: PDUBytes) -> Int32? {
    guard let access = payload.u32(0), let air = linkLayer.airs[access], air.connection >= 0 else { return nil }
    return air.connection
  }

  private enum CRC {
    /// Right, or not known.
    case right
    case wrong
    /// The packet ends before it: it was not received completely.
    case notThere
    /// Zeros are in its place: a tool has decrypted and rewritten the packet.
    case leftOut
  }

  /// The state of the CRC: as the sniffer reports it, or computed where the initial value is known.
  private func crc(_ record: PacketRecord, _ payload: PDUBytes, _ start: Int, _ end: Int, _ initial: UInt32?) -> CRC {
    if record.radio.has(RadioInfo.Flag.crcChecked) { return record.radio.has(RadioInfo.Flag.crcOK) ? .right : .wrong }
    if record.radio.has(RadioInfo.Flag.hasCRC), !record.radio.has(RadioInfo.Flag.decrypted), payload.count < end, !cut { return .notThere }
    // A decrypted packet still has the CRC of the encrypted one.
    guard let initial, record.radio.has(RadioInfo.Flag.hasCRC), !record.radio.has(RadioInfo.Flag.decrypted), let sent = payload.u24(end)
    else {
      return .right
    }
    if LinkLayer.hasRightCRC(payload.span, in: start..<end + 3, initial: initial) { return .right }
    return sent == 0 ? .leftOut : .wrong
  }

  // MARK: Advertising channels (2.3)

  private mutating func advertising(_ record: PacketRecord, _ pdu: PDUBytes, isAuxiliary: Bool) {
    let bits = pdu.u8(0) ?? 0
    let kind = bits & 15
    var row = row(record.origin, .advertisingPDU, .advertises, pdu)
    row.opcode = UInt32(kind) | (isAuxiliary ? 0x10 : 0)
    let sender = (bits >> 6) & 1
    switch LinkLayer.AdvertisingType(rawValue: kind) {
    case .advInd, .advNonconnInd, .scanRsp, .advScanInd:
      let payload = AdvertisingPayload(pdu)
      if let address = payload.address {
        let isNew = report(&row, payload.data, address, sender, kind: UInt16(kind), isFirst: true)
        if !isNew { row.meaning = .noise }
      }
    case .advDirectInd: if let address = pdu.address(2) { row.peer = tables.knownPeer(address, type: sender) }
    case .scanReq:
      row.meaning = .noise
      if let address = pdu.address(8) { row.peer = tables.knownPeer(address, type: bits >> 7) }
    case .connectInd: connects(&row, record, pdu)
    case .advExtInd, .auxConnectRsp: extended(&row, pdu, sender)
    default: break
    }
    guard purpose == .rows else { return }
    rows.append(row)
    if row.meaning == .connected { judgeRequest(row, pdu) }
  }

  /// Reports a connection request that violates the specification.
  private mutating func judgeRequest(_ row: PacketRow, _ pdu: PDUBytes) {
    guard let request = LinkLayer.ConnectionRequest(pdu.span), let hop = pdu.u8(35),
      let channels = pdu.slice(30, 5).channelCount
    else { return }
    let rules = Finding.brokenRules(
      hop: hop & 31, channels: channels, interval: request.interval, latency: request.latency, timeout: request.timeout)
    guard !rules.isEmpty else { return }
    report(
      .connectionRequestInvalid(
        hop: hop & 31, channels: UInt8(channels), interval: request.interval, latency: request.latency, timeout: request.timeout),
      adapter: row.adapter, handle: row.handle, connection: row.connection)
  }

  /// The common extended advertising payload (2.3.4): address and data, and the address of a periodic advertisement.
  private mutating func extended(_ row: inout PacketRow, _ pdu: PDUBytes, _ sender: UInt8) {
    let payload = AdvertisingPayload(pdu)
    if let at = payload.syncInfo, let access = pdu.u32(at + 9), let initial = pdu.u24(at + 13), linkLayer.airs[access] == nil,
      linkLayer.airs.count < LinkLayerState.maxCount
    {
      linkLayer.airs[access] = LinkLayerState.AccessAddress(purpose: .periodic, crcInit: initial)
    }
    if let address = payload.address {
      let kind = UInt16(row.opcode) | (payload.goesOn ? 0x30 : 0x10)
      if !report(&row, payload.data, address, sender, kind: kind, isFirst: true) { row.meaning = .noise }
    } else if payload.data.count > 0, purpose == .rows {
      valueEvents.append(
        ValueEvent(bytes: payload.data, row: Int32(truncatingIfNeeded: rows.count), attribute: -1, source: .advertisement))
    }
  }

  /// CONNECT_IND and AUX_CONNECT_REQ (2.3.3.1): a connection begins.
  private mutating func connects(_ row: inout PacketRow, _ record: PacketRecord, _ pdu: PDUBytes) {
    guard let request = LinkLayer.ConnectionRequest(pdu.span), let address = pdu.address(8) else {
      if !cut { report(.shortPacket(needed: 36, present: pdu.count), offset: pdu.count, adapter: record.adapter) }
      return
    }
    row.meaning = .connected
    if let before = linkLayer.airs[request.accessAddress], before.link >= 0 { close(before.link, at: 0) }
    let peer = tables.peer(address, type: (pdu.u8(0) ?? 0) >> 7)
    row.peer = peer
    var air = LinkLayerState.AccessAddress(purpose: .connection, crcInit: request.crcInit)
    open(&air, record, request.accessAddress, start: frame)
    guard air.connection >= 0 else { return }
    let number = Int(air.connection)
    tables.connections[number].peer = peer
    tables.connections[number].startFrame = frame
    tables.connections[number].startTime = time
    tables.connections[number].endTime = time
    tables.connections[number].interval = request.interval
    tables.connections[number].latency = request.latency
    tables.connections[number].timeout = request.timeout
    refreshDatabases(Int(air.link))
    connect(&row, Int(air.link))
    if linkLayer.airs.count < LinkLayerState.maxCount || linkLayer.airs[request.accessAddress] != nil {
      linkLayer.airs[request.accessAddress] = air
    }
  }

  /// Gives a connection a handle assigned by btscribe, counted over the capture.
  private mutating func open(_ air: inout LinkLayerState.AccessAddress, _ record: PacketRecord, _ access: UInt32, start: Int) {
    linkLayer.lastHandle = linkLayer.lastHandle >= 0x0EFF ? 1 : linkLayer.lastHandle + 1
    air.link = newLink(Int(adapter(record.adapter)), record.adapter, linkLayer.lastHandle, start: start)
    guard air.link >= 0 else { return }
    air.connection = links[Int(air.link)].connection
    tables.connections[Int(air.connection)].transport = .le
    tables.connections[Int(air.connection)].accessAddress = access
  }

  // MARK: Data channels (2.4)

  /// The subcode of rows with PDUs of an isochronous stream. A connected stream has two senders, a broadcast stream has one.
  static func streamKind(_ record: PacketRecord) -> UInt16 {
    record.direction == .unknown && record.radio.has(RadioInfo.Flag.isochronous) ? LinkLayer.broadcastStream : LinkLayer.connectedStream
  }

  private mutating func data(
    _ record: PacketRecord, _ pdu: PDUBytes, header: Int, isDecrypted: Bool, _ access: UInt32, _ air: inout LinkLayerState.AccessAddress
  ) {
    if record.radio.has(RadioInfo.Flag.isochronous) { air.purpose = .isochronous }
    guard air.purpose == .connection else {
      if purpose == .rows, pdu.count > header {
        var row = row(record.origin, .linkLayer, .data, pdu)
        if air.purpose == .isochronous { row.subcode = Self.streamKind(record) }
        rows.append(row)
      }
      return
    }
    var record = record
    let bits = pdu.u8(0) ?? 0
    let length = Int(pdu.u8(1) ?? 0)
    var sender = LinkLayerState.Sender(isKnown: true, sequence: bits & 8 != 0, expects: bits & 4 != 0, digest: 0xCBF2_9CE4_8422_2325)
    sender.digest ^= UInt64(bits & 3)
    if length == 0 { sender.digest = 0 }
    let body = pdu.from(header)
    for index in body.indices {
      let byte = body[index]
      sender.digest = (sender.digest ^ UInt64(byte)) &* 0x0100_0000_01B3
    }
    if record.direction == .unknown { record.direction = guessedSender(record, sender, air) }
    let isCentral = record.direction == .central
    air.lastTime = record.time
    air.lastChannel = record.radio.channel
    air.lastWasCentral = isCentral
    // A packet is new if its SN differs from that of the sender's last packet (4.5.9). The same SN with other content means that the sniffer missed a
    // packet in between.
    let before = isCentral ? air.central : air.peripheral
    let isNew = !before.isKnown || before.sequence != sender.sequence || before.digest != sender.digest
    sender.plaintextLeft = before.plaintextLeft
    sender.frame = isNew ? frame : before.frame
    var isPlaintext = isDecrypted
    if air.isEncrypted, !isDecrypted, isNew, length > 0, !record.radio.has(RadioInfo.Flag.encrypted) {
      isPlaintext = LinkLayerState.isPlaintext(pdu.from(header), kind: bits & 3, air, &sender)
      if isPlaintext { air.hasPlaintext = true }
    }
    if isCentral { air.central = sender } else { air.peripheral = sender }
    // An empty PDU only keeps the link alive.
    guard length > 0 else {
      if !includesFragments {
        withoutRow.empty &+= 1
        withoutRow.fragments &-= 1
      }
      return
    }
    if air.connection < 0 { open(&air, record, access, start: 0) }
    guard air.link >= 0, links[Int(air.link)].connection == air.connection, links[Int(air.link)].isActive else {
      guard purpose == .rows else { return }
      var row = row(record.origin, .linkLayer, isNew ? .data : .noise, pdu)
      if !isNew { row.repeats(sender.frame) }
      rows.append(row)
      return
    }
    let link = Int(air.link)
    links[link].packets &+= 1
    links[link].lastTime = time
    let isEncrypted = record.radio.has(RadioInfo.Flag.encrypted) || air.isEncrypted && !isPlaintext
    guard isNew, !isEncrypted, bits & 3 != 0 else {
      guard purpose == .rows else { return }
      var row = row(record.origin, .linkLayer, isNew ? .data : .noise, pdu)
      connect(&row, link)
      if isEncrypted {
        row.flags.insert(.encrypted)
        if row.connection >= 0, length > 0, tables.connections[Int(row.connection)].undecryptedFrame == 0 {
          tables.connections[Int(row.connection)].undecryptedFrame = frame
        }
      }
      if !isNew { row.repeats(sender.frame) }
      rows.append(row)
      if isNew, bits & 3 == 0, !isEncrypted {
        report(.reservedLLID(count: pdu.count - header), adapter: record.adapter, handle: row.handle, connection: row.connection)
      }
      return
    }
    if bits & 3 == 3 {
      control(record, pdu.from(header), &air)
    } else if bits & 3 == 1, let opcode = LinkLayerState.controlPDU(pdu.from(header)), !continues(link, record) {
      // The control PDU is not executed: devices go by the LLID.
      guard purpose == .rows else { return }
      var row = row(record.origin, .linkLayerControl, .other, pdu.from(header))
      row.opcode = UInt32(opcode)
      connect(&row, link)
      rows.append(row)
      report(
        .wholePDUAsContinuation(count: pdu.count - header, control: opcode), adapter: record.adapter, handle: row.handle,
        connection: row.connection)
    } else {
      fragment(link, record.origin, isStart: bits & 3 == 2, pdu.from(header), length: length)
    }
  }

  /// The sender of a packet where the capture does not record it. The central begins each connection event, on a new channel (if the channel is not
  /// recorded either: after a pause), and the two alternate, unless the sequence bits match only the other one, because the sniffer missed a packet.
  private func guessedSender(_ record: PacketRecord, _ sender: LinkLayerState.Sender, _ air: LinkLayerState.AccessAddress)
    -> PacketDirection
  {
    let hasChannel = record.radio.flags & ~RadioInfo.Flag.hasCRC != 0
    let pause = record.time.subtractingReportingOverflow(air.lastTime).partialValue
    let isFirst =
      air.lastTime == .min || (hasChannel ? record.radio.channel != air.lastChannel : pause > LinkLayerState.pause)
    let isCentral = isFirst || !air.lastWasCentral
    guard air.central.isKnown, air.peripheral.isKnown else { return isCentral ? .central : .peripheral }
    let fitsCentral = sender.follows(air.central, other: air.peripheral)
    let fitsPeripheral = sender.follows(air.peripheral, other: air.central)
    if fitsCentral != fitsPeripheral { return fitsCentral ? .central : .peripheral }
    return isCentral ? .central : .peripheral
  }

  /// Whether an incomplete L2CAP PDU of the packet's sender is open, which a continuation would continue.
  private func continues(_ link: Int, _ record: PacketRecord) -> Bool {
    record.direction.isFromHost ? links[link].sending.isOpen : links[link].receiving.isOpen
  }

  /// A control PDU (2.4.2), from its opcode on.
  private mutating func control(_ record: PacketRecord, _ pdu: PDUBytes, _ air: inout LinkLayerState.AccessAddress) {
    let number = Int(air.connection)
    var row = row(record.origin, .linkLayerControl, .controller, pdu)
    let opcode = pdu.u8(0) ?? 0xFF
    row.opcode = UInt32(opcode)
    connect(&row, Int(air.link))
    switch LinkLayer.ControlOpcode(rawValue: opcode) {
    case .connectionUpdateInd:
      row.meaning = .updated
      if let interval = pdu.u16(4), let latency = pdu.u16(6), let timeout = pdu.u16(8) {
        tables.connections[number].interval = interval
        tables.connections[number].latency = latency
        tables.connections[number].timeout = timeout
      }
    case .terminateInd:
      row.meaning = .disconnected
      let reason = pdu.u8(1) ?? 0
      tables.connections[number].endFrame = frame
      tables.connections[number].endTime = time
      tables.connections[number].endReason = reason
      close(air.link, at: frame)
      air.link = -1
    case .encReq, .encRsp, .startEncRsp, .pauseEncReq, .pauseEncRsp: row.meaning = .security
    case .startEncReq:
      // All new PDUs from here on are encrypted, in both directions (5.1.3.1).
      row.meaning = .encrypted
      air.isEncrypted = true
      if tables.connections[number].encryptedFrame == 0 { tables.connections[number].encryptedFrame = frame }
    case .featureReq, .featureRsp, .peripheralFeatureReq:
      if let low = pdu.u32(1), let high = pdu.u32(5) {
        let features = UInt64(low) | UInt64(high) << 32
        if record.direction == .central { air.features.central = features } else { air.features.peripheral = features }
      }
    case .rejectInd:
      row.meaning = .commandFailed
      if let reason = pdu.u8(1) { row.set(status: reason, .hci) }
    case .rejectExtInd:
      row.meaning = .commandFailed
      if let reason = pdu.u8(2) { row.set(status: reason, .hci) }
    case .phyUpdateInd: row.meaning = .updated
    case .cisInd:
      if let access = pdu.u32(1), linkLayer.airs[access] == nil, linkLayer.airs.count < LinkLayerState.maxCount {
        linkLayer.airs[access] = LinkLayerState.AccessAddress(purpose: .isochronous)
      }
    default: break
    }
    if purpose == .rows { rows.append(row) }
  }
}

extension LinkLayerState {
  /// Whether the header of a data channel PDU whose CP bit is set has the CTEInfo field (Core, Vol 6, Part B, 2.4). `pdu` begins with the header.
  /// Devices without Constant Tone Extensions may set the bit, which was reserved; then the PDU is valid without the field.
  fileprivate static func hasCTEInfo(_ pdu: PDUBytes, _ air: AccessAddress?) -> Bool {
    if let central = air?.features.central, let peripheral = air?.features.peripheral {
      let request: UInt64 = 1 << 17
      let response: UInt64 = 1 << 18
      return central & request != 0 && peripheral & response != 0 || peripheral & request != 0 && central & response != 0
    }
    guard let bits = pdu.u8(0), let length = pdu.u8(1).map(Int.init) else { return true }
    let body = pdu.slice(2, length)
    guard body.count == length else { return true }
    switch bits & 3 {
    case 2: return !(body.u16(0).map { Int($0) + 4 == length } == true && 4...6 ~= body.u16(2) ?? 0)
    case 3: return !isControl(body)
    default: return true
    }
  }

  /// Whether bytes are a control PDU with a known opcode and the right size.
  private static func isControl(_ body: PDUBytes) -> Bool {
    var layout = LayoutCheck()
    let bytes = body.span
    return LinkLayer.walkControl(bytes, in: 0..<bytes.byteCount, &layout) != nil && layout.fits
  }

  /// The opcode of bytes that are a control PDU with a known opcode and the right size; nil for others, and for PDUs that are too short to be
  /// certain.
  static func controlPDU(_ body: PDUBytes) -> UInt8? { body.count >= 6 && isControl(body) ? body.u8(0) : nil }

  /// Whether the payload of a data channel PDU is plaintext although encryption has started: tools write decrypted packets without marking
  /// them, and faulty devices send plaintext. `kind` is the PDU's LLID.
  ///
  /// A start of an L2CAP PDU is taken for plaintext if its length is that of the payload and its channel is ATT, SMP or LE signaling: ciphertext
  /// looks like that once in 10⁹ packets. A payload that is too short for a message integrity check (4 bytes) and a byte cannot be encrypted. Less
  /// certain kinds (fragments, control PDUs) count only after such a proof.
  fileprivate static func isPlaintext(_ payload: PDUBytes, kind: UInt8, _ air: AccessAddress, _ sender: inout Sender) -> Bool {
    if payload.count <= 4 { return true }
    switch kind {
    case 1:
      guard payload.count <= sender.plaintextLeft else { return false }
      sender.plaintextLeft -= payload.count
      return true
    case 2:
      sender.plaintextLeft = 0
      guard let length = payload.u16(0), let channel = payload.u16(2), 4...6 ~= channel, length > 0 else { return false }
      let left = Int(length) + 4 - payload.count
      guard left == 0 || left > 0 && air.hasPlaintext && Int(length) <= 1024 else { return false }
      sender.plaintextLeft = left
      return true
    case 3:
      return air.hasPlaintext && isControl(payload)
    default: return false
    }
  }
}

extension PDUBytes {
  /// The number of bits set; nil unless there are five bytes.
  fileprivate var channelCount: Int? {
    guard count == 5, let low = u32(0), let high = u8(4) else { return nil }
    return low.nonzeroBitCount + (high & 0x1F).nonzeroBitCount
  }
}

/// Checks whether bytes have the size and the values that a layout requires.
private struct LayoutCheck: FieldVisitor {
  var fits = true

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {}
  mutating func problem(_ problem: FieldProblem) { fits = false }
}

extension LinkLayerState.Sender {
  /// This packet can be the next of the sender of `own`: its SN is the NESN of the other, and its NESN acknowledges the other's last packet; or it is
  /// the same packet again (as empty ones always are, which proves nothing).
  fileprivate func follows(_ own: LinkLayerState.Sender, other: LinkLayerState.Sender) -> Bool {
    sequence == other.expects && expects != other.sequence || sequence == own.sequence && digest == own.digest && digest != 0
  }
}

extension PacketRow {
  /// Marks the row as a retransmission of the packet in frame `first`.
  fileprivate mutating func repeats(_ first: Int) {
    flags.insert(.retransmission)
    requestFrame = first
  }
}

extension RadioInfo {
  @inline(__always)
  func has(_ flag: UInt16) -> Bool { flags & flag != 0 }
}
