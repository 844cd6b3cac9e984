import PacketCodecs

/// Commands and events of controller manufacturers (group 0x3F, event 0xFF). Each manufacturer assigns the codes: if the manufacturer of a controller
/// is known (Read Local Version Information), its tables are used; a name ends with the manufacturer that assigned the code.
public enum Vendor {
  /// Commands for controllers of several manufacturers (Android's HCI requirements, Microsoft's extensions), and those of a single manufacturer whose
  /// opcode no other known one uses. Used where the manufacturer is unknown. Parameters are reported as bytes unless they are published.
  public static let commands = PDUTable(androidCommandText, broadcomUniqueCommandText, intelUniqueCommandText)
  /// The commands that controllers of any manufacturer may support: Android's and Microsoft's.
  @usableFromInline static let shared = PDUTable(androidCommandText)
  /// The company identifier in contexts where no manufacturer is known.
  @inlinable public static var unknownMaker: UInt16 { 0xFFFF }

  /// A command by its opcode, for a controller whose manufacturer has this company identifier; nil where it has none.
  @inlinable
  public static func command(_ opcode: UInt16, of company: UInt16) -> PDU? {
    if company == unknownMaker { return commands[UInt32(opcode)] }
    return maker(company)?.commands[UInt32(opcode)] ?? shared[UInt32(opcode)]
  }

  /// The layout of a vendor's event by its first byte: that of the manufacturer, else Android's.
  static func event(_ code: UInt8, of company: UInt16) -> PDU? {
    if let maker = maker(company) {
      if let known = maker.events[UInt32(code)] { return known }
      // Intel assigns all of its event codes itself.
      if maker.hasAllEvents { return nil }
    }
    return androidEvents[UInt32(code)]
  }
}

/// Unspecified data of controllers: diagnostics in records of the monitor, logs with an ACL handle that belongs to no connection.
extension Vendor: ProtocolDescription {
  static var id: ProtocolID { .vendor }
  static var name: StaticName { "vendor" }
  static var traits: ProtocolTraits { [.isOpaque] }

  static var enumerationText: StaticString {
    """
    enum apcf-command
      0 enable
      1 set filtering parameters
      2 broadcast address
      3 service uuid
      4 solicitation uuid
      5 local name
      6 manufacturer data
      7 service data
      8 transport discovery service
      9 ad type
    enum apcf-action
      0 add
      1 delete
      2 clear
    flags apcf-feature
      0 broadcast address
      1 service data change
      2 service uuid
      3 solicitation uuid
      4 local name
      5 manufacturer data
      6 service data
      7 transport discovery service
      8 ad type
    enum apcf-logic
      0 or
      1 and
    enum apcf-delivery
      0 immediate
      1 on found
      2 batched
    enum bqr-action
      0 add
      1 delete
      2 clear
    flags bqr-event
      0 quality monitoring
      1 approaching lsto
      2 a2dp audio choppy
      3 sco voice choppy
      4 root inflammation
      5 energy monitoring
      6 le audio choppy
      7 connection failed
      15 vendor specific quality
      16 lmp/ll message trace
      17 multi-link/coex scheduling trace
      18 controller debug information
      31 vendor specific trace
    enum bqr-report
      1 quality monitoring
      2 approaching lsto
      3 a2dp audio choppy
      4 sco voice choppy
      5 root inflammation
      6 energy monitoring
      7 le audio choppy
      8 connection failed
      0x11 lmp/ll message trace
      0x12 multi-link/coex scheduling trace
      0x13 controller debug information
    enum multi-adv-reason
      0 connection received
    enum zephyr-tx-power
      0 advertising
      1 scanning
      2 connection
    enum broadcom-sco-routing
      0 pcm
      1 transport
      2 codec
      3 i2s
    enum broadcom-clock-rate
      0 128 kbps
      1 256 kbps
      2 512 kbps
      3 1024 kbps
      4 2048 kbps
    enum broadcom-frame-type
      0 short
      1 long
    enum broadcom-clock-source
      0 peripheral
      1 central
    enum broadcom-shift-mode
      0 most significant bit first
      1 least significant bit first
    enum broadcom-fill-method
      0 zeros
      1 ones
      2 sign
      3 programmable
    enum broadcom-justify-mode
      0 left
      1 right
    enum broadcom-i2s-mode
      0 off
      1 on
    enum broadcom-sample-rate
      0 8 khz
      1 16 khz
      2 4 khz
    enum broadcom-i2s-clock-rate
      0 128 khz
      1 256 khz
      2 512 khz
      3 1024 khz
      4 2048 khz
    enum broadcom-codec-state
      0 disabled
      1 enabled
    flags intel-event-mask
      0 bootup
      1 sco rejected via lmp
      2 ptt switch notification
      7 scan status
      9 debug exception
      10 fatal exception
      11 system exception
      13 le link established
      14 firmware trace string
    enum intel-reset
      0 soft
      1 hard
    enum intel-manufacturer-reset
      0 none
      1 without patches
      2 with patches
    enum intel-fragment
      0 init
      1 data
      2 signature
      3 public key
    enum intel-memory-mode
      0 bytes
      1 half words
      2 words
    enum intel-stimulated-exception
      0 fatal exception
      1 debug exception
    enum intel-module
      1 bc
      2 hci
      3 llc
      4 os
      5 lm
      6 sc
      7 sp
      8 osal
      9 lc
      0x0a app
      0x0b tld
      0xf0 debug
    enum intel-source
      0 bootloader
      1 operational firmware
      2 self test firmware
    enum intel-reset-type
      0 hardware reset
      1 soft watchdog reset
      2 soft software reset
      3 hard watchdog reset
      4 hard software reset
    enum intel-reset-reason
      0 power on
      1 reset command
      2 intel reset command
      3 watchdog
      4 fatal exception
      5 system exception
      0xff unknown
    enum intel-ddc-status
      0 firmware default
      1 firmware default and otp
      2 persistent ram
      3 not used
    enum intel-bd-data-status
      2 invalid manufacturing data
    enum intel-secure-send-result
      0 success
      1 general failure
      2 hardware failure
      3 signature not verified
      4 command buffer not parsed
      5 command not executed
      6 wrong command parameters
      7 command missing
    enum intel-trace
      0 lmp received
      1 lmp sent
      2 lmp acknowledged
      3 ll received
      4 ll sent
      5 ll acknowledged
    enum intel-packet-table
      0 basic rate
      1 enhanced data rate
    enum intel-exception
      0 none
      1 undefined instruction
      2 prefetch abort
      3 data abort
    """
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    guard context.hasConnection, context.opcode == HCI.wholePacket, isControllerLog(pdu) else {
      return HCI.walkData(pdu, context, &visitor)
    }
    HCI.walkACLHeader(pdu, &visitor)
    controllerLog.walk(pdu, in: 4..<pdu.byteCount, &visitor)
  }

  /// Whether the records of a Qualcomm log packet fill the packet exactly. If not, one of its lengths is wrong, and the packet is reported as bytes.
  private static func isControllerLog(_ pdu: RawSpan) -> Bool {
    guard let length = pdu.u16(4), Int(length) == pdu.byteCount &- 8 else { return false }
    var at = 10
    while at < pdu.byteCount {
      guard let count = pdu.u16(at &+ 8) else { return false }
      at &+= 10 &+ Int(count)
    }
    return at == pdu.byteCount
  }

  /// Logs that Qualcomm's controllers send with the handle 0x0EDC. The meaning of their records is not public. The order of records, and that their
  /// time is the controller's clock (28 bits of 312.5 µs, Core, Vol 2, Part B, 1.1, and tenths of that), is the same in the logs of three phones: all
  /// 1,367 packets end with their last record, and the clock has the speed of the host's.
  private static let controllerLog = logTable.layout("controller-log")
  private static let logTable = PDUTable(logText)
  private static let logText: StaticString = """
    @controller-log
      length:u16 sequence_number:u8 more:b3
      records[*]:(code:x16 more:b2 :bits32(clock:28 clock_tenths:4) data_length:u16 data:b(data_length))
    """

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    context.hasConnection ? "Vendor Debug Data" : "Vendor Diagnostics"
  }
}
