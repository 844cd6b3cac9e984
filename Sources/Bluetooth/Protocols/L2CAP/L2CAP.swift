import PacketCodecs

/// The Logical Link Control and Adaptation Protocol (Core, Vol 3, Part A).
public enum L2CAP {
  /// A channel identifier (Part A, 2.1).
  public struct ChannelID: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt16
    /// Makes an identifier from its number.
    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// Signaling of BR/EDR.
    public static let signaling = ChannelID(rawValue: 0x0001)
    /// Attribute Protocol.
    public static let att = ChannelID(rawValue: 0x0004)
    /// Signaling of LE.
    public static let leSignaling = ChannelID(rawValue: 0x0005)
    /// Security Manager on LE.
    public static let smp = ChannelID(rawValue: 0x0006)
    /// Security Manager on BR/EDR.
    public static let bredrSMP = ChannelID(rawValue: 0x0007)
  }

  /// The header of a basic frame (Part A, 3.1): four bytes.
  public struct Header: Sendable {
    /// Number of bytes of information payload according to the header.
    public let length: Int
    /// Channel.
    public let channel: ChannelID
    /// Number of bytes of the header itself.
    public static let size = 4

    /// Reads the header at `offset`, or nil where it is incomplete.
    @inlinable
    public init?(_ bytes: RawSpan, at offset: Int = 0) {
      guard let length = bytes.u16(offset), let channel = bytes.u16(offset &+ 2) else { return nil }
      self.length = Int(length)
      self.channel = ChannelID(rawValue: channel)
    }
  }

  /// Codes of signaling commands (Part A, 4).
  public enum SignalingCode: UInt8, CaseIterable, Sendable {
    case commandReject = 0x01, connectionRequest, connectionResponse, configurationRequest, configurationResponse, disconnectionRequest,
      disconnectionResponse, echoRequest, echoResponse, informationRequest, informationResponse, createChannelRequest,
      createChannelResponse, moveChannelRequest, moveChannelResponse, moveChannelConfirmationRequest, moveChannelConfirmationResponse,
      connectionParameterUpdateRequest, connectionParameterUpdateResponse, leCreditBasedConnectionRequest, leCreditBasedConnectionResponse,
      flowControlCreditInd, creditBasedConnectionRequest, creditBasedConnectionResponse, creditBasedReconfigureRequest,
      creditBasedReconfigureResponse

    /// It is a response.
    public var isResponse: Bool {
      switch self {
      case .commandReject, .connectionResponse, .configurationResponse, .disconnectionResponse, .echoResponse, .informationResponse,
        .createChannelResponse, .moveChannelResponse, .moveChannelConfirmationResponse, .connectionParameterUpdateResponse,
        .leCreditBasedConnectionResponse, .creditBasedConnectionResponse, .creditBasedReconfigureResponse:
        true
      default: false
      }
    }
  }

  /// The header of a signaling command (Part A, 4): four bytes, and the data after it.
  public struct Command: Sendable {
    /// Code of the command.
    public let code: UInt8
    /// Matches a request and its response.
    public let identifier: UInt8
    /// Range of its data, limited to the bytes present.
    public let data: Range<Int>
    /// Number of data bytes according to the header; `data` has fewer where the command is truncated.
    public let length: Int

    /// Reads the command at `offset`, or nil where its header is incomplete. A BR/EDR frame may hold several: the next one starts at
    /// `data.upperBound`.
    @inlinable
    public init?(_ bytes: RawSpan, at offset: Int = 0) {
      guard let head = bytes.u16(offset), let length = bytes.u16(offset &+ 2) else { return nil }
      self.code = UInt8(truncatingIfNeeded: head)
      self.identifier = UInt8(truncatingIfNeeded: head >> 8)
      self.length = Int(length)
      self.data = (offset &+ 4)..<min(offset &+ 4 &+ Int(length), bytes.byteCount)
    }
  }

  /// Reports the fields of the signaling command at the start of `range` to `visitor`; with `headers`, identifier and length are among them. Returns
  /// its row (nil for a code that is not defined, whose data are reported as bytes) and the offset after it, where a BR/EDR frame may have another
  /// one.
  @inlinable
  @discardableResult
  public static func walkCommand<Visitor: FieldVisitor>(
    _ bytes: RawSpan, in range: Range<Int>? = nil, headers: Bool = false, _ visitor: inout Visitor
  ) -> (pdu: PDU?, end: Int) {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    guard range.count >= 4, let command = Command(bytes, at: range.lowerBound) else {
      let start = min(range.lowerBound &+ 1, range.upperBound)
      commandHeader.walk(bytes, in: start..<range.upperBound, &visitor)
      return (nil, range.upperBound)
    }
    if headers { commandHeader.walk(bytes, in: (range.lowerBound &+ 1)..<range.upperBound, allowsSurplus: true, &visitor) }
    let pdu = signaling[UInt32(command.code)]
    let end = min(command.data.upperBound, range.upperBound)
    HCI.walkParameters(
      pdu?.parameters ?? signaling.unknown, bytes, from: command.data.lowerBound, length: command.length, to: end, &visitor)
    return (pdu, end)
  }

  /// Signaling commands by code; their layouts start after the command's four-byte header. Names are those of the specification, in words.
  public static let signaling = PDUTable(text)
  /// A basic frame's header: length and channel.
  public static let header = signaling.layout("header")
  /// Bytes that are not decoded.
  public static let data = signaling.layout("unknown")
  /// A signaling command's header: identifier and length, after the code.
  public static let commandHeader = signaling.layout("command-header")

  static let text: StaticString = """
    @unknown
      data:b*
    @header
      length:u16 channel_id:x16{cid}
    @command-header
      identifier:u8 length:u16
    @i-frame
      :bits16(frame_type:1{frame-type} txseq:6 final:1 reqseq:6 sar:2{sar})
    @s-frame
      :bits16(frame_type:1{frame-type} -:1 supervisory:2{supervisory} poll:1 -:2 final:1 reqseq:6 -:2)
    @i-frame-extended
      :bits32(frame_type:1{frame-type} final:1 reqseq:14 sar:2{sar} txseq:14)
    @s-frame-extended
      :bits32(frame_type:1{frame-type} final:1 reqseq:14 supervisory:2{supervisory} poll:1 -:13)
    @i-frame-earlier
      :bits16(frame_type:1{frame-type} txseq:6 retransmission_disable:1 reqseq:6 sar:2{sar})
    @s-frame-earlier
      :bits16(frame_type:1{frame-type} -:1 supervisory:2{supervisory} -:3 retransmission_disable:1 reqseq:6 -:2)
    @sdu-length
      sdu_length:u16
    @fcs
      fcs:x16
    @options
      options[*]:(
        :bits8(type:7{configuration-option} is_hint:1)
        length:u8
        ?type==1(mtu:u16)
        ?type==2(flush_timeout:u16{l2cap-flush}*ms)
        ?type==3(flags:u8 service_type:u8{service-type} token_rate:u32{most-rate} token_bucket_size:u32{most-rate} peak_bandwidth:u32{most-rate}
          latency:u32{any-delay}*us delay_variation:u32{any-delay}*us)
        ?type==4(mode:u8{l2cap-mode} txwindow_size:u8 max_transmit:u8 retransmission_timeout:u16*ms monitor_timeout:u16*ms
          maximum_pdu_size:u16)
        ?type==5(fcs_type:u8{fcs-type})
        ?type==6(identifier:u8 service_type:u8{service-type} maximum_sdu_size:u16 sdu_inter_arrival_time:u32{no-interval}*us access_latency:u32{any-delay}*us
          flush_timeout:u32{endless-flush}*us)
        ?type==7(max_window_size:u16)
        ?type==0(value:b(length))
        ?type>=8(value:b(length)))

    0x01 Command Reject
      reason:x16{reject-reason} ?reason==1(actual_mtu:u16) ?reason==2(local_cid:x16 remote_cid:x16) ?reason>=3(reason_data:b*)
    0x02 Connection Request
      psm:x16{psm} source_cid:x16
    0x03 Connection Response
      destination_cid:x16 source_cid:x16 result:x16{connection-result} status:x16{connection-status}
    0x04 Configuration Request
      destination_cid:x16 :bits16(continuation:1 -:15) @options
    0x05 Configuration Response
      source_cid:x16 :bits16(continuation:1 -:15) result:x16{configuration-result} @options
    0x06 Disconnection Request
      destination_cid:x16 source_cid:x16
    0x07 Disconnection Response
      destination_cid:x16 source_cid:x16
    0x08 Echo Request
      echo_data:b*
    0x09 Echo Response
      echo_data:b*
    0x0a Information Request
      info_type:x16{info-type}
    0x0b Information Response
      info_type:x16{info-type} result:x16{info-result}
      ?result==0(?info_type==1(connectionless_mtu:u16) ?info_type==2(extended_feature_mask:x32{l2cap-features})
        ?info_type==3(fixed_channels:x64{fixed-channels}) ?info_type>=4(info:b*))
    0x0c Create Channel Request
      psm:x16{psm} source_cid:x16 controller_id:u8
    0x0d Create Channel Response
      destination_cid:x16 source_cid:x16 result:x16{connection-result} status:x16{connection-status}
    0x0e Move Channel Request
      initiator_cid:x16 destination_controller_id:u8
    0x0f Move Channel Response
      initiator_cid:x16 result:x16
    0x10 Move Channel Confirmation Request
      initiator_cid:x16 result:x16
    0x11 Move Channel Confirmation Response
      initiator_cid:x16
    0x12 Connection Parameter Update Request
      interval_min:u16*1.25ms<6..3200> interval_max:u16*1.25ms<6..3200> latency:u16<0..499> timeout:u16*10ms<10..3200>
    0x13 Connection Parameter Update Response
      result:x16{parameter-result}
    0x14 LE Credit Based Connection Request
      spsm:x16{psm} source_cid:x16 mtu:u16 mps:u16 initial_credits:u16
    0x15 LE Credit Based Connection Response
      destination_cid:x16 mtu:u16 mps:u16 initial_credits:u16 result:x16{credit-result}
    0x16 Flow Control Credit Ind
      cid:x16 credits:u16
    0x17 Credit Based Connection Request
      spsm:x16{psm} mtu:u16 mps:u16 initial_credits:u16 source_cid[*]:x16
    0x18 Credit Based Connection Response
      mtu:u16 mps:u16 initial_credits:u16 result:x16{credit-result} destination_cid[*]:x16
    0x19 Credit Based Reconfigure Request
      mtu:u16 mps:u16 destination_cid[*]:x16
    0x1a Credit Based Reconfigure Response
      result:x16{reconfigure-result}
    """

  static let enumerationText: StaticString = """
    enum cid
      0x0001 signaling
      0x0002 connectionless
      0x0003 amp manager
      0x0004 attribute protocol
      0x0005 le signaling
      0x0006 security manager
      0x0007 br/edr security manager
      0x003f amp test manager
    enum psm
      0x0001 sdp
      0x0003 rfcomm
      0x0005 tcs-bin
      0x0007 tcs-bin-cordless
      0x000f bnep
      0x0011 hid control
      0x0013 hid interrupt
      0x0015 upnp
      0x0017 avctp
      0x0019 avdtp
      0x001b avctp browsing
      0x001d udi c-plane
      0x001f att
      0x0021 3dsp
      0x0023 le psm ipsp
      0x0025 ots
      0x0027 eatt
    enum reject-reason
      0 command not understood
      1 signaling mtu exceeded
      2 invalid cid in request
    enum connection-result
      0x0000 successful
      0x0001 pending
      0x0002 psm not supported
      0x0003 security block
      0x0004 no resources available
      0x0005 controller id not supported
      0x0006 invalid source cid
      0x0007 source cid already allocated
    enum connection-status
      0 no further information
      1 authentication pending
      2 authorization pending
    enum configuration-result
      0 success
      1 unacceptable parameters
      2 rejected
      3 unknown options
      4 pending
      5 flow spec rejected
    enum configuration-option
      1 maximum transmission unit
      2 flush timeout
      3 quality of service
      4 retransmission and flow control
      5 frame check sequence
      6 extended flow specification
      7 extended window size
    enum service-type
      0 no traffic
      1 best effort
      2 guaranteed
    enum l2cap-mode
      0 basic
      1 retransmission
      2 flow control
      3 enhanced retransmission
      4 streaming
    enum frame-type
      0 i-frame
      1 s-frame
    enum sar
      0 unsegmented
      1 start
      2 end
      3 continuation
    enum supervisory
      0 receiver ready
      1 reject
      2 receiver not ready
      3 selective reject
    enum fcs-type
      0 no fcs
      1 16-bit fcs
    enum info-type
      1 connectionless mtu
      2 extended features supported
      3 fixed channels supported
    enum info-result
      0 success
      1 not supported
    flags l2cap-features
      0 flow control mode
      1 retransmission mode
      2 bidirectional qos
      3 enhanced retransmission mode
      4 streaming mode
      5 fcs option
      6 extended flow specification
      7 fixed channels
      8 extended window size
      9 unicast connectionless data reception
      10 enhanced credit based flow control mode
    flags fixed-channels
      1 signaling
      2 connectionless
      3 amp manager
      4 attribute protocol
      5 le signaling
      6 security manager
      7 br/edr security manager
      63 amp test manager
    enum parameter-result
      0 accepted
      1 rejected
    enum credit-result
      0x0000 all connections successful
      0x0002 spsm not supported
      0x0004 some refused: insufficient resources
      0x0005 insufficient authentication
      0x0006 insufficient authorization
      0x0007 encryption key size too short
      0x0008 insufficient encryption
      0x0009 some refused: invalid source cid
      0x000a some refused: source cid already allocated
      0x000b unacceptable parameters
      0x000c invalid parameters
      0x000d no further information available
      0x000e authentication pending
      0x000f authorization pending
    enum reconfigure-result
      0 successful
      1 reduction in size of mtu not allowed
      2 reduction in size of mps not allowed for more than one channel
      3 one or more destination cids invalid
      4 other unacceptable parameters
    """
}
