import PacketCodecs

/// The SIM Access Profile (SAP 1.1): messages to the SIM card of a phone. A row has the message of one RFCOMM frame, whose header its PDU begins
/// with. Numbers have their most significant byte first.
public enum SAP: ProtocolDescription {
  static var id: ProtocolID { .sap }
  static var name: StaticName { "sap" }
  static var tables: [PDUTable] { [messages] }
  static var isOnChannels: Bool { true }
  static var envelope: ProtocolID? { .rfcomm }
  static var serviceClasses: [UInt16] { [0x112D] }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    let range = RFCOMM.information(of: pdu, isJoined: false)
    return pdu.u8(range.lowerBound).flatMap { messages.name(UInt32($0)) } ?? "Unknown SAP Message"
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    _ = RFCOMM.walkHeader(pdu, &visitor)
    let range = RFCOMM.information(of: pdu, isJoined: false)
    var at = header.walk(pdu, in: range, allowsSurplus: true, &visitor)
    let count = pdu.u8(range.lowerBound &+ 1) ?? 0
    visitor.beginArray(list, at: at)
    for _ in 0..<count where at &+ 4 <= range.upperBound {
      let start = at
      visitor.beginObject(list, at: start)
      let length = Int(truncatingIfNeeded: pdu.integer(start &+ 2, 2, isBigEndian: true))
      at = parameter.walk(pdu, in: start..<range.upperBound, allowsSurplus: true, &visitor)
      let end = min(at &+ length, range.upperBound)
      let layout = parameters[UInt32(pdu.u8(start) ?? 0)]?.parameters ?? parameters.unknown
      layout.walk(pdu, in: at..<end, &visitor)
      // Parameters are padded to a multiple of four bytes.
      at = min(end &+ (4 &- length % 4) % 4, range.upperBound)
      padding.walk(pdu, in: end..<at, &visitor)
      visitor.endObject(list, at: start..<at)
    }
    visitor.endArray(list, at: min(range.lowerBound &+ 4, at)..<at)
    if at < range.upperBound { visitor.problem(.surplus(at..<range.upperBound)) }
  }

  /// Messages by their identifiers (5.1); those with `@list` have parameters.
  static let messages = PDUTable(messageText)
  /// Parameters by their identifiers (5.2).
  static let parameters = PDUTable(parameterText)
  private static let header = messages.layout("header")
  private static let list = messages.layout("list").fields.first ?? Field()
  private static let parameter = parameters.layout("parameter")
  private static let padding = parameters.layout("padding")

  static let messageText: StaticString = """
    @header
      message_id:x8{sap-message} parameter_count:u8 -:b2
    @list
      parameters:b*
    0x00 CONNECT_REQ
      @list
    0x01 CONNECT_RESP
      @list
    0x02 DISCONNECT_REQ
    0x03 DISCONNECT_RESP
    0x04 DISCONNECT_IND
      @list
    0x05 TRANSFER_APDU_REQ
      @list
    0x06 TRANSFER_APDU_RESP
      @list
    0x07 TRANSFER_ATR_REQ
    0x08 TRANSFER_ATR_RESP
      @list
    0x09 POWER_SIM_OFF_REQ
    0x0a POWER_SIM_OFF_RESP
      @list
    0x0b POWER_SIM_ON_REQ
    0x0c POWER_SIM_ON_RESP
      @list
    0x0d RESET_SIM_REQ
    0x0e RESET_SIM_RESP
      @list
    0x0f TRANSFER_CARD_READER_STATUS_REQ
    0x10 TRANSFER_CARD_READER_STATUS_RESP
      @list
    0x11 STATUS_IND
      @list
    0x12 ERROR_RESP
    0x13 SET_TRANSPORT_PROTOCOL_REQ
      @list
    0x14 SET_TRANSPORT_PROTOCOL_RESP
      @list
    """

  static let parameterText: StaticString = """
    @parameter
      parameter_id:x8{sap-parameter} -:b1 parameter_length:u16be
    @padding
      ?+1(padding:b*)
    @unknown
      value:b*
    0x00 MaxMsgSize
      max_message_size:u16be
    0x01 ConnectionStatus
      connection_status:x8{sap-connection-status}
    0x02 ResultCode
      result_code:x8{sap-result}
    0x03 DisconnectionType
      disconnection_type:x8{sap-disconnection}
    0x04 CommandAPDU
      command_apdu:b*!
    0x05 ResponseAPDU
      response_apdu:b*!
    0x06 ATR
      atr:b*
    0x07 CardReaderStatus
      card_reader_status:bits8(identity:3 removable:1 present:1 id_1_size:1 card_present:1 card_powered:1)
    0x08 StatusChange
      status_change:x8{sap-status-change}
    0x09 TransportProtocol
      transport_protocol:x8
    0x10 CommandAPDU7816
      command_apdu_7816:b*!
    """

  static let enumerationText: StaticString = """
    enum sap-message
      0x00 connect request
      0x01 connect response
      0x02 disconnect request
      0x03 disconnect response
      0x04 disconnect indication
      0x05 transfer apdu request
      0x06 transfer apdu response
      0x07 transfer atr request
      0x08 transfer atr response
      0x09 power sim off request
      0x0a power sim off response
      0x0b power sim on request
      0x0c power sim on response
      0x0d reset sim request
      0x0e reset sim response
      0x0f transfer card reader status request
      0x10 transfer card reader status response
      0x11 status indication
      0x12 error response
      0x13 set transport protocol request
      0x14 set transport protocol response
    enum sap-parameter
      0x00 max message size
      0x01 connection status
      0x02 result code
      0x03 disconnection type
      0x04 command apdu
      0x05 response apdu
      0x06 answer to reset
      0x07 card reader status
      0x08 status change
      0x09 transport protocol
      0x10 command apdu 7816
    enum sap-connection-status
      0 ok
      1 server unable to establish connection
      2 server does not support maximum message size
      3 maximum message size by client is too small
      4 ok, ongoing call
    enum sap-result
      0 ok
      1 no reason defined
      2 card not accessible
      3 card already powered off
      4 card removed
      5 card already powered on
      6 data not available
      7 not supported
    enum sap-disconnection
      0 graceful
      1 immediate
    enum sap-status-change
      0 unknown error
      1 card reset
      2 card not accessible
      3 card removed
      4 card inserted
      5 card recovered
    """

  static let filterFields: StaticString = """
    # SIM access
    btsap protocol =pdu
    btsap.msg_id x8 .message_id
    btsap.number_of_parameters x8 .parameter_count
    btsap.reserved x16be .message_id[2:2]
    btsap.parameter none .parameters
    btsap.parameter_id x8 .parameter_id
    btsap.parameter.reserved x8 .parameter_id[1:1]
    btsap.parameter.length u16 .parameter_length
    btsap.parameter.padding none .padding
    btsap.parameter.max_msg_size u16 .max_message_size
    btsap.parameter.connection_status x8 .connection_status
    btsap.parameter.result_code x8 .result_code
    btsap.parameter.disconnection_type x8 .disconnection_type
    btsap.parameter.card_reader_status.card_reader_identity x8 .card_reader_status&3
    btsap.parameter.card_reader_status.card_reader_removable bool .removable
    btsap.parameter.card_reader_status.card_reader_present bool .present
    btsap.parameter.card_reader_status.card_reader_present_lower bool .id_1_size
    btsap.parameter.card_reader_status.card_present bool .card_present
    btsap.parameter.card_reader_status.card_powered bool .card_powered
    btsap.parameter.status_change x8 .status_change
    btsap.parameter.transport_protocol x8 .transport_protocol
    btsap.data none .value
    """
}
