/// The Host Controller Interface (Core, Vol 4, Part E): headers of its packets, and the fields of all of them.
public enum HCI {
  /// Opcode of a command: group (OGF) in its upper 6 bits, command (OCF) in its lower 10 (Part E, 5.4.1).
  public struct Opcode: RawRepresentable, Hashable, Sendable {
    /// The opcode.
    public let rawValue: UInt16
    /// Makes an opcode from its number.
    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// Its group: 1 link control, 2 link policy, 3 controller and baseband, 4 informational, 5 status, 6 testing, 8 LE, 0x3F vendor.
    @inlinable
    public var group: UInt16 { rawValue >> 10 }
    /// Its command in the group.
    @inlinable
    public var command: UInt16 { rawValue & 0x3FF }
    /// The vendor defines it.
    @inlinable
    public var isVendorSpecific: Bool { group == 0x3F }
    /// The Core Specification's name, or that of a vendor's command where it is well known, or nil.
    public var name: StaticName? { HCI.commands.name(UInt32(rawValue)) ?? Vendor.commands.name(UInt32(rawValue)) }

    /// Disconnect.
    public static let disconnect = Opcode(rawValue: 0x0406)
    /// Create Connection (BR/EDR).
    public static let createConnection = Opcode(rawValue: 0x0405)
    /// Remote Name Request.
    public static let remoteNameRequest = Opcode(rawValue: 0x0419)
    /// Reset.
    public static let reset = Opcode(rawValue: 0x0C03)
    /// Read BD_ADDR.
    public static let readBDAddr = Opcode(rawValue: 0x1009)
    /// Read Local Version Information.
    public static let readLocalVersion = Opcode(rawValue: 0x1001)
    /// LE Set Random Address.
    public static let leSetRandomAddress = Opcode(rawValue: 0x2005)
    /// LE Set Scan Parameters.
    public static let leSetScanParameters = Opcode(rawValue: 0x200B)
    /// LE Set Scan Enable.
    public static let leSetScanEnable = Opcode(rawValue: 0x200C)
    /// LE Create Connection.
    public static let leCreateConnection = Opcode(rawValue: 0x200D)
    /// LE Create Connection Cancel.
    public static let leCreateConnectionCancel = Opcode(rawValue: 0x200E)
    /// LE Connection Update.
    public static let leConnectionUpdate = Opcode(rawValue: 0x2013)
    /// LE Enable Encryption.
    public static let leEnableEncryption = Opcode(rawValue: 0x2019)
    /// LE Long Term Key Request Reply.
    public static let leLongTermKeyRequestReply = Opcode(rawValue: 0x201A)
    /// LE Set Advertising Enable.
    public static let leSetAdvertisingEnable = Opcode(rawValue: 0x200A)
    /// LE Add Device To Resolving List.
    public static let leAddDeviceToResolvingList = Opcode(rawValue: 0x2027)
    /// LE Set Extended Advertising Enable.
    public static let leSetExtendedAdvertisingEnable = Opcode(rawValue: 0x2039)
    /// LE Set Extended Scan Parameters.
    public static let leSetExtendedScanParameters = Opcode(rawValue: 0x2041)
    /// LE Set Extended Scan Enable.
    public static let leSetExtendedScanEnable = Opcode(rawValue: 0x2042)
    /// LE Extended Create Connection.
    public static let leExtendedCreateConnection = Opcode(rawValue: 0x2043)
    /// LE Extended Create Connection [v2].
    public static let leExtendedCreateConnectionV2 = Opcode(rawValue: 0x2085)
  }

  /// Code of an event (Part E, 7.7).
  public struct EventCode: RawRepresentable, Hashable, Sendable {
    /// The code byte.
    public let rawValue: UInt8
    /// Makes a code from its byte.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Inquiry Result.
    public static let inquiryResult = EventCode(rawValue: 0x02)
    /// Connection Complete (BR/EDR).
    public static let connectionComplete = EventCode(rawValue: 0x03)
    /// Connection Request (BR/EDR).
    public static let connectionRequest = EventCode(rawValue: 0x04)
    /// Disconnection Complete.
    public static let disconnectionComplete = EventCode(rawValue: 0x05)
    /// Remote Name Request Complete.
    public static let remoteNameRequestComplete = EventCode(rawValue: 0x07)
    /// Encryption Change.
    public static let encryptionChange = EventCode(rawValue: 0x08)
    /// Read Remote Version Information Complete.
    public static let readRemoteVersionComplete = EventCode(rawValue: 0x0C)
    /// Command Complete.
    public static let commandComplete = EventCode(rawValue: 0x0E)
    /// Command Status.
    public static let commandStatus = EventCode(rawValue: 0x0F)
    /// Hardware Error.
    public static let hardwareError = EventCode(rawValue: 0x10)
    /// Role Change.
    public static let roleChange = EventCode(rawValue: 0x12)
    /// Number Of Completed Packets.
    public static let numberOfCompletedPackets = EventCode(rawValue: 0x13)
    /// Inquiry Result with RSSI.
    public static let inquiryResultWithRSSI = EventCode(rawValue: 0x22)
    /// Synchronous Connection Complete.
    public static let synchronousConnectionComplete = EventCode(rawValue: 0x2C)
    /// Extended Inquiry Result.
    public static let extendedInquiryResult = EventCode(rawValue: 0x2F)
    /// Encryption Key Refresh Complete.
    public static let encryptionKeyRefreshComplete = EventCode(rawValue: 0x30)
    /// LE Meta.
    public static let leMeta = EventCode(rawValue: 0x3E)
    /// Encryption Change [v2].
    public static let encryptionChangeV2 = EventCode(rawValue: 0x59)
    /// Vendor Specific.
    public static let vendorSpecific = EventCode(rawValue: 0xFF)
    /// The Core Specification's name, or nil.
    public var name: StaticName? { HCI.events.name(UInt32(rawValue)) }
  }

  /// Code of an LE Meta subevent (Part E, 7.7.65).
  public struct Subevent: RawRepresentable, Hashable, Sendable {
    /// The code byte.
    public let rawValue: UInt8
    /// Makes a code from its byte.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// LE Connection Complete.
    public static let connectionComplete = Subevent(rawValue: 0x01)
    /// LE Advertising Report.
    public static let advertisingReport = Subevent(rawValue: 0x02)
    /// LE Connection Update Complete.
    public static let connectionUpdateComplete = Subevent(rawValue: 0x03)
    /// LE Long Term Key Request.
    public static let longTermKeyRequest = Subevent(rawValue: 0x05)
    /// LE Data Length Change.
    public static let dataLengthChange = Subevent(rawValue: 0x07)
    /// LE Enhanced Connection Complete.
    public static let enhancedConnectionComplete = Subevent(rawValue: 0x0A)
    /// LE Directed Advertising Report.
    public static let directedAdvertisingReport = Subevent(rawValue: 0x0B)
    /// LE PHY Update Complete.
    public static let phyUpdateComplete = Subevent(rawValue: 0x0C)
    /// LE Extended Advertising Report.
    public static let extendedAdvertisingReport = Subevent(rawValue: 0x0D)
    /// LE CIS Established.
    public static let cisEstablished = Subevent(rawValue: 0x19)
    /// LE Enhanced Connection Complete [v2].
    public static let enhancedConnectionCompleteV2 = Subevent(rawValue: 0x29)
    /// The Core Specification's name, or nil.
    public var name: StaticName? { HCI.leEvents.name(UInt32(rawValue)) }
  }

  /// A status or reason (Core, Vol 1, Part F).
  public struct Status: RawRepresentable, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8
    /// Makes a status from its byte.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Success.
    public static let success = Status(rawValue: 0)
    /// Unknown connection identifier: also how a cancelled LE connection attempt ends.
    public static let unknownConnection = Status(rawValue: 0x02)
    /// Connection timeout: the supervision timeout ran out.
    public static let connectionTimeout = Status(rawValue: 0x08)
    /// The remote user ended the connection.
    public static let remoteUserTerminated = Status(rawValue: 0x13)
    /// The local host ended the connection.
    public static let terminatedByLocalHost = Status(rawValue: 0x16)
    /// Its name in lower case, `reserved` where it has none.
    public var name: StaticName { HCI.statusNames?.name(of: UInt64(rawValue)) ?? "reserved" }
  }

  /// The header of ACL data (Part E, 5.4.2): four bytes.
  public struct ACLHeader: Sendable {
    /// Handle (bits 0 to 11), packet boundary flag (12, 13), broadcast flag (14, 15).
    public let bits: UInt16
    /// Number of data bytes that the header says.
    public let length: Int
    /// Number of bytes of the header itself.
    public static let size = 4

    /// Reads the header at `offset`, or nil where it is not all there.
    @inlinable
    public init?(_ bytes: RawSpan, at offset: Int = 0) {
      guard let bits = ATT.u16(bytes, offset), let length = ATT.u16(bytes, offset &+ 2) else { return nil }
      self.bits = bits
      self.length = Int(length)
    }

    /// Connection handle.
    @inlinable
    public var handle: UInt16 { bits & 0x0FFF }
    /// Packet boundary flag: 0 first (not flushable), 1 continuing, 2 first, 3 complete (AMP).
    @inlinable
    public var boundary: UInt8 { UInt8(truncatingIfNeeded: bits >> 12) & 3 }
    /// Broadcast flag.
    @inlinable
    public var broadcast: UInt8 { UInt8(truncatingIfNeeded: bits >> 14) }
    /// It continues a PDU that an earlier packet began.
    @inlinable
    public var isContinuation: Bool { boundary == 1 }
  }

  /// Opcode of a command packet, or nil where it is cut.
  @inlinable
  public static func opcode(_ command: RawSpan) -> Opcode? { ATT.u16(command, 0).map { Opcode(rawValue: $0) } }

  /// A byte at `offset`, or nil where it is not there.
  @inlinable
  public static func u8(_ bytes: RawSpan, _ offset: Int) -> UInt8? {
    offset >= 0 && offset < bytes.byteCount ? bytes.byte(offset) : nil
  }

  /// Tells the fields of a command packet (from its opcode on) to `visitor`; with `headers`, opcode and parameter length are among them.
  /// Returns the command's row, or nil where it has none.
  @inlinable
  @discardableResult
  public static func walkCommand<Visitor: FieldVisitor>(
    _ bytes: RawSpan, in range: Range<Int>? = nil, headers: Bool = false, _ visitor: inout Visitor
  ) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    guard range.count >= 3, let opcode = ATT.u16(bytes, range.lowerBound), let length = u8(bytes, range.lowerBound &+ 2) else {
      commandHeader.walk(bytes, in: range, &visitor)
      return nil
    }
    let pdu = commands[UInt32(opcode)] ?? Vendor.commands[UInt32(opcode)]
    if headers { commandHeader.walk(bytes, in: range, allowsSurplus: true, &visitor) }
    walkParameters(pdu?.parameters ?? .none, bytes, from: range.lowerBound &+ 3, length: Int(length), to: range.upperBound, &visitor)
    return pdu
  }

  /// Tells the fields of an event packet (from its event code on) to `visitor`: for Command Complete those of the command's return
  /// parameters too, for LE Meta those of the subevent. With `headers`, event code and parameter length are among them. Returns the row of the
  /// event, for LE Meta of its subevent, or nil where it has none.
  @inlinable
  @discardableResult
  public static func walkEvent<Visitor: FieldVisitor>(
    _ bytes: RawSpan, in range: Range<Int>? = nil, headers: Bool = false, _ visitor: inout Visitor
  ) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    let start = range.lowerBound &+ 2
    guard range.count >= 2, let code = u8(bytes, range.lowerBound), let length = u8(bytes, range.lowerBound &+ 1) else {
      eventHeader.walk(bytes, in: range, &visitor)
      return nil
    }
    if headers { eventHeader.walk(bytes, in: range, allowsSurplus: true, &visitor) }
    let end = min(range.upperBound, start &+ Int(length))
    if code == 0x3E, let subevent = start < end ? u8(bytes, start) : nil {
      let pdu = leEvents[UInt32(subevent)]
      events[0x3E]?.parameters.walk(bytes, in: start..<end, allowsSurplus: true, &visitor)
      walkParameters(
        pdu?.parameters ?? .none, bytes, from: start &+ 1, length: max(Int(length) &- 1, 0), to: range.upperBound, &visitor)
      return pdu
    }
    let pdu = events[UInt32(code)]
    if code == 0x0E, end &- start >= 3, let opcode = ATT.u16(bytes, start &+ 1) {
      pdu?.parameters.walk(bytes, in: start..<end, allowsSurplus: true, &visitor)
      let command = commands[UInt32(opcode)] ?? Vendor.commands[UInt32(opcode)]
      var layout = command?.returnParameters ?? .none
      if layout.isEmpty { layout = unknownReturn }
      walkParameters(layout, bytes, from: start &+ 3, length: max(Int(length) &- 3, 0), to: range.upperBound, &visitor)
      return pdu
    }
    walkParameters(pdu?.parameters ?? .none, bytes, from: start, length: Int(length), to: range.upperBound, &visitor)
    return pdu
  }

  /// Walks parameters of which a header says that they are `length` bytes long, where the packet ends at `end`. Parameters without a layout
  /// are told as bytes.
  @inlinable
  static func walkParameters<Visitor: FieldVisitor>(
    _ layout: Layout, _ bytes: RawSpan, from start: Int, length: Int, to end: Int, _ visitor: inout Visitor
  ) {
    let available = max(end &- start, 0)
    let range = start..<(start &+ min(length, available))
    if layout.isEmpty {
      if !range.isEmpty { unknownParameters.walk(bytes, in: range, &visitor) }
    } else {
      layout.walk(bytes, in: range, &visitor)
    }
    if available > length { visitor.problem(.surplus(range.upperBound..<end)) }
    if available < length, layout.isEmpty || range.isEmpty == false {
      visitor.problem(.short(parametersField, offset: start, needed: length, available: available))
    }
  }

  /// Tells the fields of an ACL data packet's header to `visitor`; what follows is L2CAP.
  @inlinable
  public static func walkACLHeader<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor) {
    aclHeader.walk(bytes, in: range, allowsSurplus: true, &visitor)
  }

  /// Tells the fields of a synchronous data packet to `visitor`.
  @inlinable
  public static func walkSynchronous<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor) {
    synchronous.walk(bytes, in: range, &visitor)
  }

  /// Tells the fields of an isochronous data packet to `visitor`.
  @inlinable
  public static func walkISO<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor) {
    iso.walk(bytes, in: range, &visitor)
  }

  /// Opcode and parameter length of a command packet.
  public static let commandHeader = headerTable.layout("command")
  /// Code and parameter length of an event packet.
  public static let eventHeader = headerTable.layout("event")
  /// Handle, flags and length of an ACL data packet (Part E, 5.4.2).
  public static let aclHeader = headerTable.layout("acl")
  /// A synchronous data packet (5.4.3).
  public static let synchronous = headerTable.layout("synchronous")
  /// An isochronous data packet (5.4.5).
  public static let iso = headerTable.layout("iso")
  @usableFromInline static let unknownParameters = commands.unknown
  @usableFromInline static let unknownReturn = commands.layout("unknown-return")
  @usableFromInline static let parametersField = unknownParameters.fields.first ?? Field()

  fileprivate static let statusNames = Enumeration.named("status")

  static let headerTable = PDUTable(headerText)

  static let headerText: StaticString = """
    @command
      opcode:x16{opcode} parameter_total_length:u8
    @event
      event_code:x8 parameter_total_length:u8
    @acl
      :bits16(handle:12{handle} pb_flag:2{pb-flag} bc_flag:2{bc-flag}) data_total_length:u16
    @synchronous
      :bits16(connection_handle:12{handle} packet_status_flag:2{packet-status} -:2) data_total_length:u8 data:b(data_total_length)
    @iso
      :bits16(connection_handle:12{handle} pb_flag:2{iso-pb-flag} ts_flag:1 -:1)
      :bits16(iso_data_load_length:14 -:2)
      ?ts_flag==1(time_stamp:u32*us)
      ?pb_flag==0(packet_sequence_number:u16 :bits16(iso_sdu_length:12 -:2 packet_status_flag:2{packet-status}))
      ?pb_flag==2(packet_sequence_number:u16 :bits16(iso_sdu_length:12 -:2 packet_status_flag:2{packet-status}))
      iso_sdu_fragment:b*
    """
}
