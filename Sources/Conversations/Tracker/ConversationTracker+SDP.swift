import Bluetooth
import Memory
import PacketCodecs

/// A service that an SDP record offers over a channel.
public struct OfferedService: Sendable {
  /// The peer with the record, index into ``ConversationTables/peers``; -1 where the peer is not known.
  public var peer: Int32
  /// The connection it was read over, index into ``ConversationTables/connections``.
  public var connection: Int32
  /// The record is this host's own, not the peer's.
  public var isLocal: Bool
  /// RFCOMM server channel, or 0.
  public var rfcommChannel: UInt8 = 0
  /// L2CAP PSM where the record names one and no RFCOMM channel, or 0.
  public var psm: UInt16 = 0
  /// PSM of the channel that carries OBEX beside RFCOMM (GoepL2capPsm), or 0.
  public var objectPSM: UInt16 = 0
  /// PSMs of a printer's channels for data and for notifications (HCRP), or 0.
  public var hardcopyDataPSM: UInt16 = 0, hardcopyNotificationPSM: UInt16 = 0
  /// First of its service classes, index into ``ConversationTables/uuids``, or -1.
  public var uuid: Int32 = -1
  /// Its further service classes, from the more specific to the more general.
  public var otherClasses: [Int32] = []
  /// Its name; raw bytes, not yet escaped.
  public var name: [UInt8] = []
  /// Frame that completed the response with the record.
  public var frame = 0
}

/// An SDP_SERVICE_SEARCH_ATTR_REQ whose pattern has one service class: all records of the answer have it (Core, Vol 3, Part B, 4.7).
struct ServiceSearch {
  var transaction: UInt16
  var serviceClass: UInt16

  /// Nil where the pattern has several service classes, or none: protocols, browse groups, classes that only group others (0x1201 to 0x1204).
  init?(_ request: RawSpan) {
    guard request.byteCount > 5, let pattern = SDP.Element(request, 5, in: 0..<request.byteCount)?.elements(request) else { return nil }
    let classes = pattern.compactMap { $0.uuid(request)?.short16 }.filter { 0x1100...0x17FF ~= $0 && !(0x1201...0x1204 ~= $0) }
    guard classes.count == 1 else { return nil }
    transaction = UInt16(truncatingIfNeeded: request.integer(1, 2, isBigEndian: true))
    serviceClass = classes[0]
  }
}

extension ConversationTracker {
  /// Most bytes of a response that comes in parts.
  private static let maximumResponse = 65_536

  /// Learns the services of channels from an SDP response (Core, Vol 3, Part B, 4.6 and 4.7). Returns the attributes where this is the last of
  /// several parts.
  mutating func sdp(_ link: Int, _ pdu: PDUBytes, fromHost: Bool) -> PDUBytes? {
    guard let code = pdu.u8(0).flatMap({ SDP.PDUIdentifier(rawValue: $0) }) else { return nil }
    if code == .serviceSearchAttributeRequest { links[link].searches[fromHost ? 1 : 0] = ServiceSearch(pdu.span) }
    guard code.hasAttributes, let high = pdu.u8(5), let low = pdu.u8(6) else { return nil }
    let count = Int(high) << 8 | Int(low)
    let part = pdu.slice(7, count)
    let side = fromHost ? 1 : 0
    guard part.count == count, let rest = pdu.u8(7 &+ count), links[link].answers[side].count &+ count <= Self.maximumResponse else {
      links[link].answers[side].removeAll()
      links[link].responsePieces[side].removeAll()
      return nil
    }
    let isPart = !links[link].answers[side].isEmpty
    links[link].answers[side].append(contentsOf: part)
    if tracksPieces { links[link].responsePieces[side] += pieces(of: part) }
    // Continuation state: the next response has the following bytes.
    guard rest == 0 else { return nil }
    var bytes: [UInt8] = []
    swap(&bytes, &links[link].answers[side])
    var joined: PDUBytes?
    if isPart, purpose == .rows {
      joined = bytes.withBorrowedBytes { out.arena.copy($0) }
      if let joined { remember(joined, links[link].responsePieces[side]) }
    }
    if !links[link].responsePieces[side].isEmpty { links[link].responsePieces[side].removeAll() }
    let answer = bytes.rawSpan
    guard let whole = SDP.Element(answer, 0, in: 0..<answer.byteCount), whole.isSequence else { return joined }
    if code == .serviceAttributeResponse {
      record(link, whole, answer, isLocal: fromHost)
    } else {
      let search = links[link].searches[fromHost ? 0 : 1].flatMap { $0.transaction == pdu.u16be(1) ? $0 : nil }
      for element in whole.elements(answer) where element.isSequence { record(link, element, answer, isLocal: fromHost, search) }
    }
    return joined
  }

  /// Matches requests and responses, and marks the last part of a response.
  mutating func serviceDiscovery(_ row: inout PacketRow, _ link: Int, _ at: Int, isLastPart: Bool, fromHost: Bool) {
    guard let code = row.pdu.u8(0).flatMap({ SDP.PDUIdentifier(rawValue: $0) }), let transaction = row.pdu.u16be(1) else { return }
    let dialogue = dialogue(link, at)
    let request = match(&row, dialogue, transaction, isRequest: code.isRequest, isLast: true, fromHost)
    if code == .serviceSearchAttributeRequest, request != nil {
      let span = row.pdu.span
      let wanted = SDP.Element(span, 5, in: 0..<span.byteCount)?.elements(span)
      let service = wanted?.count == 1 ? wanted?.first?.uuid(span)?.short16 : ServiceSearch(span)?.serviceClass
      dialogue.requests[UInt64(transaction) | (fromHost ? 0x10000 : 0)]?.service = service ?? 0
    }
    if code.hasAttributes, let service = request?.service { row.opcode = UInt32(service) << 16 }
    if isLastPart { row.opcode |= SDP.lastPart }
  }

  /// Keeps what a record (attribute identifiers and values, in turn) says of its service.
  private mutating func record(_ link: Int, _ list: SDP.Element, _ bytes: RawSpan, isLocal: Bool, _ search: ServiceSearch? = nil) {
    let connection = links[link].connection
    var service = OfferedService(
      peer: tables.identity(tables.connections[Int(connection)].peer), connection: connection, isLocal: isLocal, frame: frame)
    let record = SDP.Record(list, in: bytes)
    if let first = record.classes.first { service.uuid = tables.uuid(first) }
    service.otherClasses = record.classes.dropFirst().map { tables.uuid($0) }.filter { $0 >= 0 }
    (service.rfcommChannel, service.psm) = (record.rfcommChannel, record.psm)
    if let name = record.name { service.name = name.prefix(248).map { bytes.byte($0) }.prefix { $0 != 0 }.map(\.self) }
    var isObjectService = false
    var map: HID.ReportMap?
    for (identifier, value) in record.attributes {
      switch identifier {
      // ProtocolDescriptorList
      case 0x0004:
        isObjectService = value.elements(bytes).last?.elements(bytes).first?.uuid(bytes) == BluetoothUUID(0x0008 as UInt16)
        otherChannel(value, bytes, isAdditional: false, &service)
      // AdditionalProtocolDescriptorLists: cover art of AVRCP is OBEX over a channel of its own, a printer has three channels.
      case 0x000D:
        for list in value.elements(bytes) where list.isSequence { otherChannel(list, bytes, isAdditional: true, &service) }
      // GoepL2capPsm, if OBEX is in the list of protocols; for other services the attribute has another meaning.
      case 0x0200:
        if isObjectService { service.objectPSM = value.integer(bytes).flatMap { UInt16(exactly: $0) } ?? 0 }
      // HIDDescriptorList of HID devices: the first report descriptor (type 0x22).
      case 0x0206:
        if map == nil, service.psm == HID.controlPSM { map = reportMap(value, bytes) }
      default: break
      }
    }
    if let map { keep(map, service) }
    guard service.rfcommChannel != 0 || service.psm != 0 else { return }
    let hasClass = service.uuid >= 0
    if !hasClass, let search { service.uuid = tables.uuid(BluetoothUUID(search.serviceClass)) }
    if let known = tables.serviceIndex.same(as: service) {
      let old = tables.services[known]
      // An answer may leave out what an earlier one said.
      if hasClass || tables.services[known].uuid < 0 {
        tables.services[known].uuid = service.uuid
        tables.services[known].otherClasses = service.otherClasses
      }
      if !service.name.isEmpty { tables.services[known].name = service.name }
      if service.objectPSM != 0 { tables.services[known].objectPSM = service.objectPSM }
      if service.hardcopyDataPSM != 0 { tables.services[known].hardcopyDataPSM = service.hardcopyDataPSM }
      if service.hardcopyNotificationPSM != 0 { tables.services[known].hardcopyNotificationPSM = service.hardcopyNotificationPSM }
      tables.serviceIndex.take(tables.services[known], known, instead: old)
    } else if tables.services.count < ConversationTables.maximumServices {
      tables.serviceIndex.take(service, tables.services.count)
      tables.services.append(service)
      tables.version += 1
    }
  }
}

extension ConversationTracker {
  /// Takes the PSM from a protocol list that ends with a protocol that has a channel besides the service's: OBEX, data and notifications of printers.
  private func otherChannel(_ list: SDP.Element, _ bytes: RawSpan, isAdditional: Bool, _ service: inout OfferedService) {
    let layers = list.elements(bytes)
    guard let last = layers.last?.elements(bytes).first?.uuid(bytes)?.short16, let words = layers.first?.elements(bytes), words.count > 1,
      words[0].uuid(bytes) == BluetoothUUID(0x0100 as UInt16)
    else { return }
    let psm = words[1].integer(bytes).flatMap { UInt16(exactly: $0) } ?? 0
    if last == 0x0008, isAdditional { service.objectPSM = psm }
    switch HCRP.Channel(protocolNumber: last) {
    case .data: service.hardcopyDataPSM = psm
    case .notification: service.hardcopyNotificationPSM = psm
    case .control, nil: break
    }
  }
}
