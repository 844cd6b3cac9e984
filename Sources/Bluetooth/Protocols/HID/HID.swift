import PacketCodecs

/// The Human Interface Device Protocol (HIDP, in the HID Profile 1.1.1): keyboards, mice and remote controls over BR/EDR. Requests and responses use
/// the control channel, reports the interrupt channel. The device's report map (``ReportMap``) describes the reports; over LE (HOGP) the same reports
/// are values of characteristics.
public enum HID: ProtocolDescription {
  static var id: ProtocolID { .hid }
  static var name: StaticName { "hid" }
  static var tables: [PDUTable] { [messages] }
  // The first byte of each message has its type.
  static func hasFields(_ row: PDU) -> Bool {
    !row.parameters.isEmpty || (headers[row.code]?.parameters.fields.count { !$0.isReserved } ?? 0) > 1
  }
  static var state: StaticString { "report maps, by which reports are read; requests and answers" }
  static var psms: [AssignedPSM] { [AssignedPSM(controlPSM, "HID control"), AssignedPSM(interruptPSM, "HID interrupt")] }

  /// The PSM of the control channel.
  public static var controlPSM: UInt16 { 0x11 }
  /// The PSM of the interrupt channel.
  public static var interruptPSM: UInt16 { 0x13 }

  /// Types of messages (3.1.1): the upper four bits of the first byte.
  public enum MessageType: UInt8, CaseIterable, Sendable {
    case handshake, control, getReport = 4, setReport, getProtocol, setProtocol, getIdle, setIdle, data, datc

    /// It has a response over the control channel.
    public var isRequest: Bool { rawValue >= 4 && rawValue <= 9 }
  }

  /// Types of reports (HID 1.11, 7.2.1).
  public enum ReportType: UInt8, CaseIterable, Sendable { case other, input, output, feature }

  /// The first byte of a message.
  public struct Header: Sendable {
    /// Type of the message.
    public let type: MessageType
    /// The lower four bits: their meaning depends on the type.
    public let parameter: UInt8

    /// Reads the first byte; nil where it is missing, or its type is undefined.
    public init?(_ pdu: RawSpan) {
      guard let byte = pdu.u8(0), let type = MessageType(rawValue: byte >> 4) else { return nil }
      self.type = type
      parameter = byte & 15
    }

    /// The type of the report that is requested, or carried.
    public var reportType: ReportType { ReportType(rawValue: parameter & 3) ?? .other }
    /// It carries a report, or the response to a request for the protocol or the idle rate.
    public var hasData: Bool { type == .data || type == .datc || type == .setReport }
  }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    guard let header = Header(pdu) else { return "HID Message" }
    return messages.name(UInt32(header.type.rawValue)) ?? "HID Message"
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    walk(pdu, description: pdu.extracting(0..<0), &visitor)
  }

  /// Reports the fields of a message; those of its report where `description` (see ``Report``) is not empty.
  public static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, description: RawSpan, _ visitor: inout Visitor) {
    let end = pdu.byteCount
    guard end > 0 else { return }
    guard let header = Header(pdu) else {
      messages.unknown.walk(pdu, &visitor)
      return
    }
    var at = (headers[UInt32(header.type.rawValue)]?.parameters ?? messages.unknown).walk(pdu, allowsSurplus: true, &visitor)
    if header.type == .getReport {
      // If there is a byte for it, the device's reports have IDs; bit 3 means that the size of the host's buffer follows (3.1.2.3).
      let hasSize = header.parameter & 8 != 0
      if end &- at > (hasSize ? 2 : 0) { at = reportNumber.walk(pdu, in: at..<end, allowsSurplus: true, &visitor) }
      if hasSize { at = bufferSize.walk(pdu, in: at..<end, allowsSurplus: true, &visitor) }
    } else if header.hasData {
      if !description.isEmpty, walkReport(pdu, at..<end, description, &visitor) { return }
      if at < end { dataLayout.walk(pdu, in: at..<end, &visitor) }
      return
    } else if let layout = messages[UInt32(header.type.rawValue)]?.parameters, !layout.isEmpty {
      at = layout.walk(pdu, in: at..<end, allowsSurplus: true, &visitor)
    }
    if at < end { visitor.problem(.surplus(at..<end)) }
  }

  private static let messages = PDUTable(text)
  private static let headers = PDUTable(headerText)
  private static let reportNumber = messages.layout("report-number")
  private static let bufferSize = messages.layout("buffer-size")
  private static let dataLayout = messages.layout("data")

  private static let headerText: StaticString = """
    0x0 Handshake
      :bits8(result_code:4{hid-result} transaction_type:4{hid-transaction})
    0x1 Control
      :bits8(control_operation:4{hid-control} transaction_type:4{hid-transaction})
    0x4 Get Report
      :bits8(report_type:2{hid-report} -:1 has_buffer_size:1 transaction_type:4{hid-transaction})
    0x5 Set Report
      :bits8(report_type:2{hid-report} -:2 transaction_type:4{hid-transaction})
    0x6 Get Protocol
      :bits8(-:4 transaction_type:4{hid-transaction})
    0x7 Set Protocol
      :bits8(protocol:1{hid-protocol} -:3 transaction_type:4{hid-transaction})
    0x8 Get Idle
      :bits8(-:4 transaction_type:4{hid-transaction})
    0x9 Set Idle
      :bits8(-:4 transaction_type:4{hid-transaction})
    0xa Data
      :bits8(report_type:2{hid-report} -:2 transaction_type:4{hid-transaction})
    0xb Data Continuation
      :bits8(report_type:2{hid-report} -:2 transaction_type:4{hid-transaction})
    """

  static let text: StaticString = """
    @report-number
      report_id:u8
    @buffer-size
      buffer_size:u16
    @data
      data:b*
    @unknown
      ?+1(data:b*)

    0x0 Handshake
    0x1 Control
    0x4 Get Report
    0x5 Set Report
    0x6 Get Protocol
    0x7 Set Protocol
    0x8 Get Idle
    0x9 Set Idle
      idle_rate:u8*4ms
    0xa Data
    0xb Data Continuation
    """
}
