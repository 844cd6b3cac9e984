import PacketCodecs

/// The Hardcopy Cable Replacement Profile (HCRP 1.2): printers and scanners. Print data use a channel of their own; a control channel has requests
/// and responses, including credits for that data, and a third channel has the printer's notifications. SDP records have the PSMs of all three.
/// Numbers have their most significant byte first.
public enum HCRP: ProtocolDescription {
  static var id: ProtocolID { .hcrp }
  static var name: StaticName { "hcrp" }
  static var tables: [PDUTable] { [requests, responses, notifications] }
  static var isOnChannels: Bool { true }
  static var serviceClasses: [UInt16] { [0x1125, 0x1126, 0x1127] }
  static var state: StaticString { "channels by the printer's record, requests with their answers" }

  /// The profile's channel that carried a PDU: bits of a row's opcode, above the number of the PDU.
  public enum Channel: UInt32, Sendable {
    case control = 0
    case data = 0x10000
    case notification = 0x20000

    /// The channel of the last protocol in a record's list (Assigned Numbers, 2.1); nil for other protocols.
    public init?(protocolNumber: UInt16) {
      switch protocolNumber {
      case 0x0012: self = .control
      case 0x0014: self = .data
      case 0x0016: self = .notification
      default: return nil
      }
    }

    /// The channel in the opcode of a row.
    public init(opcode: UInt32) { self = Channel(rawValue: opcode & 0x30000) ?? .control }
  }

  /// Bit in the opcode of rows whose PDU the printer sent.
  public static let fromServer: UInt32 = 0x40000

  /// The table with a PDU, and the header before its parameters; nil on the data channel, and for data that a client sends to its own notification
  /// channel.
  private static func table(_ opcode: UInt32) -> (pdus: PDUTable, header: Layout)? {
    let isFromServer = opcode & fromServer != 0
    switch Channel(opcode: opcode) {
    case .control: return isFromServer ? (responses, responseHeader) : (requests, requestHeader)
    case .data: return nil
    case .notification: return isFromServer ? (notifications, notificationHeader) : nil
    }
  }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    if Channel(opcode: context.opcode) == .data { return "HCRP Data" }
    guard let table = table(context.opcode), pdu.byteCount >= 2 else { return "Unknown HCRP PDU" }
    return table.pdus.name(UInt32(pdu.integer(0, 2, isBigEndian: true))) ?? "Unknown HCRP PDU"
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    let channel = Channel(opcode: context.opcode)
    guard let (pdus, header) = table(context.opcode) else {
      (channel == .data ? payload : data).walk(pdu, &visitor)
      return
    }
    let start = header.walk(pdu, allowsSurplus: true, &visitor)
    guard pdu.byteCount >= 2 else { return }
    let number = UInt32(pdu.integer(0, 2, isBigEndian: true))
    var layout = pdus[number]?.parameters ?? pdus.unknown
    // If requested from its first byte on, the identifier begins with its length, which is no printable character.
    if context.opcode == fromServer | deviceIdentifier, let first = pdu.u8(start), first < 0x20 { layout = countedIdentifier }
    layout.walk(pdu, in: start..<pdu.byteCount, &visitor)
    guard channel == .control, pdu.byteCount >= 6 else { return }
    let length = Int(truncatingIfNeeded: pdu.integer(4, 2, isBigEndian: true))
    let available = pdu.byteCount &- 6
    if length > available { visitor.problem(.short(lengthField, offset: 6, needed: length, available: available)) }
    if length < available { visitor.problem(.surplus(6 &+ length..<pdu.byteCount)) }
  }

  /// CR_Get1284ID.
  private static let deviceIdentifier: UInt32 = 6

  /// Requests of the control channel, by their numbers.
  static let requests = PDUTable(requestText)
  /// Responses to them: PDU number and transaction are those of the request.
  static let responses = PDUTable(responseText)
  /// PDUs of the notification channel.
  static let notifications = PDUTable(notificationText)
  private static let data = requests.unknown
  private static let payload = requests.layout("payload")
  private static let requestHeader = requests.layout("header")
  private static let responseHeader = responses.layout("header")
  private static let notificationHeader = notifications.layout("header")
  private static let lengthField = requestHeader.fields.last ?? Field()
  private static let countedIdentifier = responses.layout("counted-identifier")

  static let requestText: StaticString = """
    @header
      control_pdu_id:x16be{hcrp-control} transaction_id:x16be parameter_length:u16be
    @unknown
      ?+1(data:b*)
    @payload
      payload:b*
    0x0001 CR_DataChannelCreditGrant Request
      client_credit_granted:u32be @unknown
    0x0002 CR_DataChannelCreditRequest Request
      @unknown
    0x0003 CR_DataChannelCreditReturn Request
      client_credit_return:u32be @unknown
    0x0004 CR_DataChannelCreditQuery Request
      client_credit_query:u32be @unknown
    0x0005 CR_GetLPTStatus Request
      @unknown
    0x0006 CR_Get1284ID Request
      start_byte:u16be number_of_bytes:u16be @unknown
    0x0007 CR_SoftReset Request
      @unknown
    0x0008 CR_HardReset Request
      @unknown
    0x0009 CR_RegisterNotification Request
      register:x8{hcrp-register} callback_context_id:x32be callback_timeout:u32be @unknown
    0x000a CR_NotificationConnectionAlive Request
      @unknown
    """

  static let responseText: StaticString = """
    @header
      control_pdu_id:x16be{hcrp-control} transaction_id:x16be parameter_length:u16be ?+2(control_status:x16be{hcrp-status})
    @unknown
      ?+1(data:b*)
    @counted-identifier
      device_id_length:u16be device_id:text*
    0x0001 CR_DataChannelCreditGrant Response
      @unknown
    0x0002 CR_DataChannelCreditRequest Response
      ?+4(server_credit_granted:u32be) @unknown
    0x0003 CR_DataChannelCreditReturn Response
      ?+4(server_credit_return:u32be) @unknown
    0x0004 CR_DataChannelCreditQuery Response
      ?+4(server_credit_query:u32be) @unknown
    0x0005 CR_GetLPTStatus Response
      ?+1(lpt_status:bits8(-:3 not_error:1 select:1 paper_empty:1 -:2)) @unknown
    0x0006 CR_Get1284ID Response
      ?+1(device_id:text*)
    0x0007 CR_SoftReset Response
      @unknown
    0x0008 CR_HardReset Response
      @unknown
    0x0009 CR_RegisterNotification Response
      ?+4(timeout:u32be ?+4(callback_timeout:u32be)) @unknown
    0x000a CR_NotificationConnectionAlive Response
      ?+4(timeout:u32be) @unknown
    """

  static let notificationText: StaticString = """
    @header
      notification_pdu_id:x16be{hcrp-notification}
    @unknown
      ?+1(data:b*)
    0x0001 N_Notification
      callback_context_id:x32be @unknown
    """

  static let enumerationText: StaticString = """
    enum hcrp-control
      0x01 data channel credit grant
      0x02 data channel credit request
      0x03 data channel credit return
      0x04 data channel credit query
      0x05 get lpt status
      0x06 get 1284 id
      0x07 soft reset
      0x08 hard reset
      0x09 register notification
      0x0a notification connection alive
    enum hcrp-status
      0x0000 feature unsupported
      0x0001 success
      0x0002 credit synchronization error
      0xffff generic failure
    enum hcrp-notification
      0x01 notification
    enum hcrp-register
      0x00 remove
      0x01 add
    """

  static let filterFields: StaticString = """
    # Printers and scanners
    bthcrp protocol =pdu
    bthcrp.control.pdu_id x16{hcrp-control} .control_pdu_id
    bthcrp.control.transaction_id x16 .transaction_id
    bthcrp.control.parameter_length x16 .parameter_length
    bthcrp.control.status x16{hcrp-status} .control_status
    bthcrp.notification.pdu_id x16{hcrp-notification} .notification_pdu_id
    bthcrp.callback.context_id x32 .callback_context_id
    bthcrp.callback.timeout u32 .callback_timeout
    bthcrp.timeout u32 .timeout
    bthcrp.register x8{hcrp-register} .register
    bthcrp.1284_id string /40006[8:*]
    bthcrp.start_byte u16 .start_byte
    bthcrp.number_of_bytes u16 .number_of_bytes
    bthcrp.client_credit_granted u32 .client_credit_granted
    bthcrp.server_credit_granted u32 .server_credit_granted
    bthcrp.client_credit_return u32 .client_credit_return
    bthcrp.server_credit_return u32 .server_credit_return
    bthcrp.client_credit_query u32 .client_credit_query
    bthcrp.server_credit_query u32 .server_credit_query
    bthcrp.status.reserved76 u8 .lpt_status&c0
    bthcrp.status.paper_empty bool .paper_empty
    bthcrp.status.select bool .select
    bthcrp.status.not_error bool .not_error
    bthcrp.status.reserved210 x8 .lpt_status&7
    bthcrp.data none .data
    """
}
