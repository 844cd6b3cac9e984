import PacketCodecs

/// The LE Link Layer (Core, Vol 6, Part B, 2): packets as a sniffer receives them, from the access address on.
public enum LinkLayer {
  /// Access address of the advertising channels (2.1.2); its packets start with ``advertisingCRCInit``.
  public static let advertisingAccessAddress: UInt32 = 0x8E89_BED6
  /// CRC initialisation of advertising packets, except of those of periodic advertising (3.1.1).
  public static let advertisingCRCInit: UInt32 = 0x555555

  /// The access address of a broadcast stream, counted from 1, or of its group's control (0), from the seed that the group announces (2.1.2).
  public static func accessAddress(seed: UInt32, stream: UInt32) -> UInt32 {
    // A number of seven bits, which are distributed over the upper half.
    let number = (35 &* stream &+ 42) & 0x7F
    func bit(_ index: UInt32) -> UInt32 { number >> index & 1 }
    let low = bit(0) == 1 ? 0xFC00_0000 as UInt32 : 0
    let high = bit(1) << 25 | bit(6) << 24 | bit(1) << 23 | bit(5) << 21 | bit(4) << 20 | bit(3) << 18 | bit(2) << 17
    return seed ^ (low | high)
  }

  /// Opcodes of control PDUs (2.4.2).
  public enum ControlOpcode: UInt8, CaseIterable, Sendable {
    case connectionUpdateInd = 0x00, channelMapInd, terminateInd, encReq, encRsp, startEncReq, startEncRsp, unknownRsp, featureReq,
      featureRsp, pauseEncReq, pauseEncRsp, versionInd, rejectInd, peripheralFeatureReq, connectionParamReq, connectionParamRsp,
      rejectExtInd, pingReq, pingRsp, lengthReq, lengthRsp, phyReq, phyRsp, phyUpdateInd, minUsedChannelsInd, cteReq, cteRsp,
      periodicSyncInd, clockAccuracyReq, clockAccuracyRsp, cisReq, cisRsp, cisInd, cisTerminateInd, powerControlReq, powerControlRsp,
      powerChangeInd, subrateReq, subrateInd, channelReportingInd, channelStatusInd, periodicSyncWrInd, featureExtReq, featureExtRsp,
      csSecRsp, csCapabilitiesReq, csCapabilitiesRsp, csConfigReq, csConfigRsp, csReq, csRsp, csInd, csTerminateReq, csFAEReq, csFAERsp,
      csChannelMapInd, csSecReq, csTerminateRsp, frameSpaceReq, frameSpaceRsp
  }

  /// Types of PDUs on advertising channels (2.3). Those of a scan request, a connection request and extended advertising have other names on
  /// secondary channels.
  public enum AdvertisingType: UInt8, CaseIterable, Sendable {
    case advInd = 0x0, advDirectInd, advNonconnInd, scanReq, scanRsp, connectInd, advScanInd, advExtInd, auxConnectRsp, advDecisionInd
  }

  /// A connection request: the LLData of CONNECT_IND and AUX_CONNECT_REQ (2.3.3.1), limited to the fields needed for the connection.
  public struct ConnectionRequest: Sendable {
    /// The initiator, which becomes the central.
    public let initiator: DeviceAddress
    /// The advertiser, which becomes the peripheral.
    public let advertiser: DeviceAddress
    /// Access address of the connection.
    public let accessAddress: UInt32
    /// CRC initialisation of the connection's packets.
    public let crcInit: UInt32
    /// Connection interval in units of 1.25 ms.
    public let interval: UInt16
    /// Peripheral latency, in connection events.
    public let latency: UInt16
    /// Supervision timeout in units of 10 ms.
    public let timeout: UInt16

    /// Reads the PDU with its header at `offset`, or nil where it is another PDU or incomplete.
    @inlinable
    public init?(_ bytes: RawSpan, at offset: Int = 0) {
      guard offset >= 0, bytes.byteCount >= 36, offset <= bytes.byteCount &- 36, let head = bytes.u8(offset), head & 15 == 5,
        let initiator = DeviceAddress(bytes, at: offset &+ 2, head & 0x40 != 0 ? .random : .public),
        let advertiser = DeviceAddress(bytes, at: offset &+ 8, head & 0x80 != 0 ? .random : .public),
        let interval = bytes.u16(offset &+ 24), let latency = bytes.u16(offset &+ 26), let timeout = bytes.u16(offset &+ 28)
      else { return nil }
      self.initiator = initiator
      self.advertiser = advertiser
      accessAddress = UInt32(truncatingIfNeeded: bytes.integer(offset &+ 14, 4))
      crcInit = UInt32(truncatingIfNeeded: bytes.integer(offset &+ 18, 3))
      self.interval = interval
      self.latency = latency
      self.timeout = timeout
    }
  }

  /// The header of a PDU on a data channel (2.4): two bytes, three where it announces a constant tone extension.
  public struct DataHeader: Sendable {
    /// The first byte.
    public let bits: UInt8
    /// Number of payload bytes according to the header, including a MIC.
    public let length: Int

    /// Reads the header at `offset`, or nil where it is incomplete.
    @inlinable
    public init?(_ bytes: RawSpan, at offset: Int = 0) {
      guard let bits = bytes.u8(offset), let length = bytes.u8(offset &+ 1) else { return nil }
      self.bits = bits
      self.length = Int(length)
    }

    /// Number of bytes of the header itself.
    @inlinable
    public var size: Int { bits & 0x20 != 0 ? 3 : 2 }
    /// Kind of the payload: 1 continuation of an L2CAP frame (or empty), 2 start of one, 3 control PDU.
    @inlinable
    public var llid: UInt8 { bits & 3 }
  }

  /// The initial value for which a PDU has the given CRC, computed by running the shift register backwards (3.1.1). `range` is the PDU from its
  /// header on, as in ``crc(_:in:initial:)``, whose result `crc` is.
  package static func crcInitial(_ bytes: RawSpan, in range: Range<Int>, crc: UInt32) -> UInt32 {
    let range = range.clamped(to: 0..<bytes.byteCount)
    var state = crc & 0xFF_FFFF
    var at = range.upperBound
    while at > range.lowerBound {
      at &-= 1
      let byte = UInt32(bytes.byte(at))
      var bit: UInt32 = 8
      while bit > 0 {
        bit &-= 1
        let feedback = state >> 23
        if feedback != 0 { state ^= 0xDA_6000 }
        state = (state << 1 | feedback ^ (byte >> bit & 1)) & 0xFF_FFFF
      }
    }
    var initial: UInt32 = 0
    for bit in 0..<UInt32(24) { initial |= (state >> bit & 1) << (23 &- bit) }
    return initial
  }

  /// CRC of a PDU (3.1.1): `range` is the PDU from its header on, without the CRC; `initial` as in LLData, most significant bit first. The
  /// result's least significant byte is sent first.
  @inlinable
  public static func crc(_ bytes: RawSpan, in range: Range<Int>, initial: UInt32) -> UInt32 {
    let range = range.clamped(to: 0..<bytes.byteCount)
    // Bits are sent least significant first, so that the register is kept reversed.
    var state: UInt32 = 0
    var i: UInt32 = 0
    while i < 24 {
      state |= (initial >> i & 1) << (23 &- i)
      i &+= 1
    }
    for at in range {
      var byte = UInt32(bytes.byte(at))
      var bit = 0
      while bit < 8 {
        let feedback = (state ^ byte) & 1
        state >>= 1
        byte >>= 1
        if feedback != 0 { state ^= 0xDA6000 }
        bit &+= 1
      }
    }
    return state
  }

  /// Whether the CRC at the end of a packet is that of its PDU. `range` is the PDU with its three CRC bytes; false where it is shorter than these.
  @inlinable
  public static func hasRightCRC(_ bytes: RawSpan, in range: Range<Int>, initial: UInt32) -> Bool {
    let range = range.clamped(to: 0..<bytes.byteCount)
    guard range.count >= 3 else { return false }
    let stop = range.upperBound &- 3
    return UInt32(truncatingIfNeeded: bytes.integer(stop, 3)) == crc(bytes, in: range.lowerBound..<stop, initial: initial)
  }

  /// Reports the fields of a PDU on an advertising channel to `visitor`, from its header on. `isAuxiliary`: it was on a secondary channel.
  /// `range` must not hold the CRC. Returns the PDU's row, or nil for a reserved type.
  @inlinable
  @discardableResult
  public static func walkAdvertising<Visitor: FieldVisitor>(
    _ bytes: RawSpan, in range: Range<Int>? = nil, isAuxiliary: Bool = false, _ visitor: inout Visitor
  ) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    guard range.count >= 2, let head = bytes.u8(range.lowerBound), let length = bytes.u8(range.lowerBound &+ 1) else {
      advertisingHeader.walk(bytes, in: range, &visitor)
      return nil
    }
    let end = min(range.upperBound, range.lowerBound &+ 2 &+ Int(length))
    let pdu = advertising[UInt32(head & 15) | (isAuxiliary ? 0x10 : 0)]
    (pdu?.parameters ?? advertising.unknown).walk(bytes, in: range.lowerBound..<end, &visitor)
    if end < range.upperBound { visitor.problem(.surplus(end..<range.upperBound)) }
    return pdu
  }

  /// Reports the fields of a PDU on a data channel to `visitor`, from its header on: the header, and the control PDU where it is one and not
  /// encrypted. `range` must not hold the CRC. Returns the row of a control PDU, else nil.
  @inlinable
  @discardableResult
  public static func walkData<Visitor: FieldVisitor>(
    _ bytes: RawSpan, in range: Range<Int>? = nil, isEncrypted: Bool = false, _ visitor: inout Visitor
  ) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    dataHeader.walk(bytes, in: range, allowsSurplus: true, &visitor)
    guard let header = DataHeader(bytes, at: range.lowerBound), header.llid == 3, !isEncrypted else { return nil }
    let start = range.lowerBound &+ header.size
    let end = min(range.upperBound, start &+ header.length)
    return start < end ? walkControl(bytes, in: start..<end, &visitor) : nil
  }

  /// Reports the fields of a control PDU to `visitor`, from its opcode on, the opcode among them. Returns its row, or nil where it has none.
  @inlinable
  @discardableResult
  public static func walkControl<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>, _ visitor: inout Visitor) -> PDU? {
    let range = range.clamped(to: 0..<bytes.byteCount)
    controlHeader.walk(bytes, in: range, allowsSurplus: true, &visitor)
    guard let opcode = bytes.u8(range.lowerBound), !range.isEmpty else { return nil }
    let pdu = control[UInt32(opcode)]
    (pdu?.parameters ?? control.unknown).walk(bytes, in: (range.lowerBound &+ 1)..<range.upperBound, &visitor)
    return pdu
  }

  /// PDUs on advertising channels by type, those on auxiliary channels from 0x10 on; their layouts start at the header.
  public static let advertising = PDUTable(advertisingText)
  /// Control PDUs by opcode; their layouts start after it.
  public static let control = PDUTable(controlText)
  /// Control PDUs of broadcast isochronous streams by opcode (2.4.3); their layouts start after it.
  static let broadcastControl = PDUTable(broadcastControlText)
  /// The header of PDUs of connected and of broadcast isochronous streams (2.6.1, 2.6.2).
  static let connectedStreamHeader = control.layout("connected-stream-header")
  static let broadcastStreamHeader = control.layout("broadcast-stream-header")
  private static let broadcastControlHeader = broadcastControl.layout("opcode")

  /// Reports the fields of a PDU of an isochronous stream to `visitor`: the header, and the control PDU of a broadcast, if any.
  static func walkStream<Visitor: FieldVisitor>(_ bytes: RawSpan, isBroadcast: Bool, isEncrypted: Bool, _ visitor: inout Visitor) {
    (isBroadcast ? broadcastStreamHeader : connectedStreamHeader).walk(bytes, allowsSurplus: true, &visitor)
    guard isBroadcast, !isEncrypted, let header = DataHeader(bytes), header.llid == 3, let opcode = bytes.u8(2) else { return }
    let end = min(bytes.byteCount, 2 &+ header.length)
    guard end > 2 else { return }
    broadcastControlHeader.walk(bytes, in: 2..<end, allowsSurplus: true, &visitor)
    (broadcastControl[UInt32(opcode)]?.parameters ?? control.unknown).walk(bytes, in: 3..<end, &visitor)
  }

  /// The two-byte header of every PDU on an advertising channel.
  public static let advertisingHeader = advertising.layout("header")
  /// The two- or three-byte header of every PDU on a data channel.
  public static let dataHeader = control.layout("data-header")
  /// The opcode of a control PDU.
  @usableFromInline static let controlHeader = control.layout("opcode")

  static let advertisingText: StaticString = """
    @header
      :bits8(pdu_type:4{ll-advertising-type} -:1 chsel:1 txadd:1{address-type} rxadd:1{address-type}) length:u8
    @unknown
      @header payload:b*
    @advertisement
      @header adv_a:addr(txadd) adv_data:ad*
    @scan
      @header scan_a:addr(txadd) adv_a:addr(rxadd)
    @connect
      @header init_a:addr(txadd) adv_a:addr(rxadd) access_address:x32 crc_init:x24 win_size:u8*1.25ms win_offset:u16*1.25ms
      interval:u16*1.25ms<6..3200> latency:u16<0..499> timeout:u16*10ms<10..3200> channel_map:b5 :bits8(hop:5 sca:3{clock-accuracy})
    @extended
      @header :bits8(extended_header_length:6 adv_mode:2{ll-advertising-mode})
      extended_header<extended_header_length>:(
        ?extended_header_length>=1(
          extended_header_flags:x8{ll-extended-header}
          ?extended_header_flags&1(adv_a:addr(txadd))
          ?extended_header_flags&2(target_a:addr(rxadd))
          ?extended_header_flags&4(cte_info:bits8(cte_time:5*8us -:1 cte_type:2{cte-type}))
          ?extended_header_flags&8(adv_data_info:bits16(did:12 sid:4))
          ?extended_header_flags&16(aux_ptr:bits24(channel_index:6 ca:1{ll-clock-accuracy} offset_units:1{ll-offset-units} aux_offset:13
            aux_phy:3{ll-phy}))
          ?extended_header_flags&32(sync_info:(:bits16(offset_base:13 offset_units:1{ll-offset-units} offset_adjust:1 -:1)
            interval:u16*1.25ms :bits40(channel_map:37 sca:3{clock-accuracy}) access_address:x32 crc_init:x24 event_counter:u16))
          ?extended_header_flags&64(tx_power:i8*dBm)
          acad:ad*))
    @extended-data
      @extended adv_data:ad*

    0x00 ADV_IND
      @advertisement
    0x01 ADV_DIRECT_IND
      @header adv_a:addr(txadd) target_a:addr(rxadd)
    0x02 ADV_NONCONN_IND
      @advertisement
    0x03 SCAN_REQ
      @scan
    0x04 SCAN_RSP
      @advertisement
    0x05 CONNECT_IND
      @connect
    0x06 ADV_SCAN_IND
      @advertisement
    0x07 ADV_EXT_IND
      @extended-data
    0x09 ADV_DECISION_IND
      @extended decision_data:b*
    0x13 AUX_SCAN_REQ
      @scan
    0x15 AUX_CONNECT_REQ
      @connect
    # AUX_SCAN_RSP, AUX_SYNC_IND, AUX_SYNC_SUBEVENT_IND and AUX_CHAIN_IND have the same number.
    0x17 AUX_ADV_IND
      @extended-data
    0x18 AUX_CONNECT_RSP
      @extended-data
    """

  static let controlText: StaticString = """
    @unknown
      ctr_data:b*
    @data-header
      :bits8(llid:2{llid} nesn:1 sn:1 md:1 cp:1 -:2) length:u8 ?cp==1(cte_info:bits8(cte_time:5*8us -:1 cte_type:2{cte-type}))
    @connected-stream-header
      :bits8(llid:2{llid-stream} nesn:1 sn:1 cie:1 -:1 npi:1 -:1) length:u8
    @broadcast-stream-header
      :bits8(llid:2{llid-broadcast} cssn:3 cstf:1 -:2) length:u8
    @opcode
      opcode:x8{ll-control}
    @parameters
      interval_min:u16*1.25ms interval_max:u16*1.25ms latency:u16 timeout:u16*10ms preferred_periodicity:u8*1.25ms
      reference_conn_event_count:u16 offset0:u16*1.25ms offset1:u16*1.25ms offset2:u16*1.25ms offset3:u16*1.25ms offset4:u16*1.25ms
      offset5:u16*1.25ms
    @length
      max_rx_octets:u16 max_rx_time:u16*us max_tx_octets:u16 max_tx_time:u16*us
    @sync
      id:u16 sync_info:b18 conn_event_count:u16 last_pa_event_counter:u16 :bits8(sid:4 a_type:1{address-type} sca:3{clock-accuracy})
      phy:x8{phys} adv_a:addr(a_type) sync_conn_event_count:u16
    @procedure
      :bits8(config_id:6 -:2) procedure_count:u16 error_code:x8{status}

    0x00 LL_CONNECTION_UPDATE_IND
      win_size:u8*1.25ms win_offset:u16*1.25ms interval:u16*1.25ms<6..3200> latency:u16<0..499> timeout:u16*10ms<10..3200> instant:u16
    0x01 LL_CHANNEL_MAP_IND
      channel_map:b5 instant:u16
    0x02 LL_TERMINATE_IND
      error_code:x8{status}
    0x03 LL_ENC_REQ
      rand:x64! ediv:x16 skd_c:x64 iv_c:x32
    0x04 LL_ENC_RSP
      skd_p:x64 iv_p:x32
    0x05 LL_START_ENC_REQ
    0x06 LL_START_ENC_RSP
    0x07 LL_UNKNOWN_RSP
      unknown_type:x8{ll-control}
    0x08 LL_FEATURE_REQ
      feature_set:x64{le-features}
    0x09 LL_FEATURE_RSP
      feature_set:x64{le-features}
    0x0a LL_PAUSE_ENC_REQ
    0x0b LL_PAUSE_ENC_RSP
    0x0c LL_VERSION_IND
      version_number:u8{version} company_identifier:x16{company} subversion_number:x16
    0x0d LL_REJECT_IND
      error_code:x8{status}
    0x0e LL_PERIPHERAL_FEATURE_REQ
      feature_set:x64{le-features}
    0x0f LL_CONNECTION_PARAM_REQ
      @parameters
    0x10 LL_CONNECTION_PARAM_RSP
      @parameters
    0x11 LL_REJECT_EXT_IND
      reject_opcode:x8{ll-control} error_code:x8{status}
    0x12 LL_PING_REQ
    0x13 LL_PING_RSP
    0x14 LL_LENGTH_REQ
      @length
    0x15 LL_LENGTH_RSP
      @length
    0x16 LL_PHY_REQ
      tx_phys:x8{phys} rx_phys:x8{phys}
    0x17 LL_PHY_RSP
      tx_phys:x8{phys} rx_phys:x8{phys}
    0x18 LL_PHY_UPDATE_IND
      phy_c_to_p:x8{phys} phy_p_to_c:x8{phys} instant:u16
    0x19 LL_MIN_USED_CHANNELS_IND
      phys:x8{phys} min_used_channels:u8
    0x1a LL_CTE_REQ
      :bits8(min_cte_len_req:5*8us -:1 cte_type_req:2{cte-type})
    0x1b LL_CTE_RSP
    0x1c LL_PERIODIC_SYNC_IND
      @sync
    0x1d LL_CLOCK_ACCURACY_REQ
      sca:u8{clock-accuracy}
    0x1e LL_CLOCK_ACCURACY_RSP
      sca:u8{clock-accuracy}
    0x1f LL_CIS_REQ
      cig_id:u8 cis_id:u8 phy_c_to_p:x8{phys} phy_p_to_c:x8{phys} :bits16(max_sdu_c_to_p:12 -:3 framed:1)
      :bits16(max_sdu_p_to_c:12 -:4) :bits24(sdu_interval_c_to_p:20*us -:4) :bits24(sdu_interval_p_to_c:20*us -:4) max_pdu_c_to_p:u16
      max_pdu_p_to_c:u16 nse:u8 sub_interval:u24*us :bits8(bn_c_to_p:4 bn_p_to_c:4) ft_c_to_p:u8 ft_p_to_c:u8 iso_interval:u16*1.25ms
      cis_offset_min:u24*us cis_offset_max:u24*us conn_event_count:u16
    0x20 LL_CIS_RSP
      cis_offset_min:u24*us cis_offset_max:u24*us conn_event_count:u16
    0x21 LL_CIS_IND
      aa:x32 cis_offset:u24*us cig_sync_delay:u24*us cis_sync_delay:u24*us conn_event_count:u16
    0x22 LL_CIS_TERMINATE_IND
      cig_id:u8 cis_id:u8 error_code:x8{status}
    0x23 LL_POWER_CONTROL_REQ
      phy:x8 delta:i8*dB tx_power:i8{managed-power}*dBm
    0x24 LL_POWER_CONTROL_RSP
      :bits8(min:1 max:1 -:6) delta:i8*dB tx_power:i8{managed-power}*dBm apr:u8{no-reduction}*dB
    0x25 LL_POWER_CHANGE_IND
      phy:x8 :bits8(min:1 max:1 -:6) delta:i8*dB tx_power:i8{managed-power}*dBm
    0x26 LL_SUBRATE_REQ
      subrate_factor_min:u16 subrate_factor_max:u16 max_latency:u16 continuation_number:u16 timeout:u16*10ms
    0x27 LL_SUBRATE_IND
      subrate_factor:u16 subrate_base_event:u16 latency:u16 continuation_number:u16 timeout:u16*10ms
    0x28 LL_CHANNEL_REPORTING_IND
      enable:bool min_spacing:u8*0.2s max_delay:u8*0.2s
    0x29 LL_CHANNEL_STATUS_IND
      channel_classification:b10
    0x2a LL_PERIODIC_SYNC_WR_IND
      @sync response_timing:b*
    0x2b LL_FEATURE_EXT_REQ
      max_page:u8 page_number:u8 feature_page:b24
    0x2c LL_FEATURE_EXT_RSP
      max_page:u8 page_number:u8 feature_page:b24
    0x2d LL_CS_SEC_RSP
      cs_iv_p:x64 cs_in_p:x32 cs_pv_p:x64
    0x2e LL_CS_CAPABILITIES_REQ
      capabilities:b*
    0x2f LL_CS_CAPABILITIES_RSP
      capabilities:b*
    0x30 LL_CS_CONFIG_REQ
      :bits8(config_id:6 action:2) parameters:b*
    0x31 LL_CS_CONFIG_RSP
      :bits8(config_id:6 -:2)
    0x32 LL_CS_REQ
      :bits8(config_id:6 -:2) parameters:b*
    0x33 LL_CS_RSP
      :bits8(config_id:6 -:2) parameters:b*
    0x34 LL_CS_IND
      :bits8(config_id:6 -:2) parameters:b*
    0x35 LL_CS_TERMINATE_REQ
      @procedure
    0x36 LL_CS_FAE_REQ
    0x37 LL_CS_FAE_RSP
      ch_fae:b72
    0x38 LL_CS_CHANNEL_MAP_IND
      channel_map:b10 instant:u16
    0x39 LL_CS_SEC_REQ
      cs_iv_c:x64 cs_in_c:x32 cs_pv_c:x64
    0x3a LL_CS_TERMINATE_RSP
      @procedure
    0x3b LL_FRAME_SPACE_REQ
      fs_min:u16*us fs_max:u16*us phys:x8{phys} spacing_types:x16
    0x3c LL_FRAME_SPACE_RSP
      fs:u16*us phys:x8{phys} spacing_types:x16
    """

  static let broadcastControlText: StaticString = """
    @opcode
      opcode:x8{ll-broadcast-control}
    0x00 BIG_CHANNEL_MAP_IND
      channel_map:b5 instant:u16
    0x01 BIG_TERMINATE_IND
      error_code:x8{status} instant:u16
    """

  static let enumerationText: StaticString = """
    enum ll-broadcast-control
      0 big_channel_map_ind
      1 big_terminate_ind
    enum llid-stream
      0 unframed, end or complete
      1 unframed, start or continuation
      2 framed
      3 reserved
    enum llid-broadcast
      0 unframed, end or complete
      1 unframed, start or continuation
      2 framed
      3 control
    enum ll-advertising-type
      0 adv_ind
      1 adv_direct_ind
      2 adv_nonconn_ind
      3 scan_req
      4 scan_rsp
      5 connect_ind
      6 adv_scan_ind
      7 adv_ext_ind
      8 aux_connect_rsp
      9 adv_decision_ind
    enum ll-advertising-mode
      0 non-connectable, non-scannable
      1 connectable
      2 scannable
    flags ll-extended-header
      0 adva
      1 targeta
      2 cteinfo
      3 advdatainfo
      4 auxptr
      5 syncinfo
      6 txpower
    enum ll-clock-accuracy
      0 51 to 500 ppm
      1 0 to 50 ppm
    enum ll-offset-units
      0 30 us
      1 300 us
    enum ll-phy
      0 le 1m
      1 le 2m
      2 le coded
    enum llid
      0 reserved
      1 continuation or empty
      2 start
      3 control
    """
}
