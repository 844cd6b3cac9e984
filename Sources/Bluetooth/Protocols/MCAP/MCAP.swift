import PacketCodecs

/// The Multi-Channel Adaptation Protocol (MCAP 1.0), by which health devices open data channels. Numbers have their most significant byte first.
public enum MCAP: ProtocolDescription {
  static var id: ProtocolID { .mcap }
  static var name: StaticName { "mcap" }
  static var tables: [PDUTable] { [pdus] }
  static var isOnChannels: Bool { true }
  static var serviceClasses: [UInt16] { [0x1400, 0x1401, 0x1402] }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    pdu.u8(0).flatMap { pdus.name(UInt32($0)) } ?? "Unknown MCAP PDU"
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    let at = header.walk(pdu, allowsSurplus: true, &visitor)
    guard let code = pdu.u8(0) else { return }
    (pdus[UInt32(code)]?.parameters ?? pdus.unknown).walk(pdu, in: at..<pdu.byteCount, &visitor)
  }

  /// PDUs by their codes (5.1 and 5.2).
  static let pdus = PDUTable(text)
  private static let header = pdus.layout("header")

  static let text: StaticString = """
    @header
      op_code:x8
    @unknown
      ?+1(data:b*)
    @response
      response_code:x8{mcap-response} mdl_id:x16be ?+1(response_parameters:b*)
    0x00 ERROR_RSP
      @response
    0x01 MD_CREATE_MDL_REQ
      mdl_id:x16be mdep_id:x8 configuration:x8
    0x02 MD_CREATE_MDL_RSP
      @response
    0x03 MD_RECONNECT_MDL_REQ
      mdl_id:x16be
    0x04 MD_RECONNECT_MDL_RSP
      @response
    0x05 MD_ABORT_MDL_REQ
      mdl_id:x16be
    0x06 MD_ABORT_MDL_RSP
      @response
    0x07 MD_DELETE_MDL_REQ
      mdl_id:x16be
    0x08 MD_DELETE_MDL_RSP
      @response
    0x11 MD_SYNC_CAP_REQ
      timestamp_required_accuracy:u16be*ppm
    0x12 MD_SYNC_CAP_RSP
      response_code:x8{mcap-response} bluetooth_clock_access_resolution:u8 sync_lead_time:u16be*ms timestamp_native_resolution:u16be*us
      timestamp_native_accuracy:u16be*ppm
    0x13 MD_SYNC_SET_REQ
      timestamp_update_information:u8 bluetooth_clock_sync_time:u32be timestamp_sync_time:u64be
    0x14 MD_SYNC_SET_RSP
      response_code:x8{mcap-response} bluetooth_clock_sync_time:u32be timestamp_sync_time:u64be timestamp_sample_accuracy:u16be*us
    0x15 MD_SYNC_INFO_IND
      bluetooth_clock_sync_time:u32be timestamp_sync_time:u64be timestamp_sample_accuracy:u16be*us
    """

  static let enumerationText: StaticString = """
    enum mcap-response
      0x00 success
      0x01 invalid op code
      0x02 invalid parameter value
      0x03 invalid mdep
      0x04 mdep busy
      0x05 invalid mdl
      0x06 mdl busy
      0x07 invalid operation
      0x08 resource unavailable
      0x09 unspecified error
      0x0a request not supported
      0x0b configuration rejected
    """

  static let filterFields: StaticString = """
    # Health channels
    btmcap protocol =pdu
    btmcap.op_code x8 .op_code
    btmcap.response_code x8 .response_code
    btmcap.mdl_id x16 .mdl_id
    btmcap.mdep_id x8 .mdep_id
    btmcap.configuration x8 .configuration
    btmcap.timestamp_required_accuracy u16 .timestamp_required_accuracy
    btmcap.timestamp_update_information u8 .timestamp_update_information
    btmcap.bluetooth_clock_sync_time u32 .bluetooth_clock_sync_time
    btmcap.timestamp_sync_time u64 .timestamp_sync_time
    btmcap.timestamp_sample_accuracy u16 .timestamp_sample_accuracy
    btmcap.bluetooth_clock_access_resolution u8 .bluetooth_clock_access_resolution
    btmcap.sync_lead_time u16 .sync_lead_time
    btmcap.timestamp_native_resolution u16 .timestamp_native_resolution
    btmcap.timestamp_native_accuracy u16 .timestamp_native_accuracy
    btmcap.response_parameters bytes .response_parameters
    btmcap.mdl_id.ffff none ?ff=01?ff@1=ff?ff@2=ff[1:2] ?ff=03?ff@1=ff?ff@2=ff[1:2] ?ff=05?ff@1=ff?ff@2=ff[1:2]
    """
}
