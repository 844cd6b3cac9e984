/// Facts that decide how a PDU is named and read and that are not among its bytes, such as its opcode.
public struct PDUContext: Sendable {
  /// Opcode, event code, type: what the tables of the protocol are searched by.
  public var opcode: UInt32 = 0
  /// LE Meta subevent; of management traffic the kind of record.
  public var subcode: UInt16 = 0
  /// Of vendors' commands and events the company identifier of the controller's manufacturer.
  public var company = Vendor.unknownMaker
  /// The attribute type that a Read By Type Request asked for, in the context of its response.
  public var requestedType: BluetoothUUID?
  /// The bytes are encrypted.
  public var isEncrypted = false
  /// The PDU belongs to a connection.
  public var hasConnection = false
  /// Of an L2CAP frame what it has besides header and payload.
  public var frameFormat: L2CAP.FrameFormat = []

  /// A context in which nothing is known.
  @inlinable
  public init() {}
}

/// A protocol or profile specification's PSM and the name that printers give it.
public struct AssignedPSM: Sendable {
  /// The number (Assigned Numbers, 3.1).
  public let number: UInt16
  /// What channels opened to it are called.
  public let name: StaticName

  init(_ number: UInt16, _ name: StaticName) {
    self.number = number
    self.name = name
  }
}

/// A protocol: its names, the channels that carry it, and how its PDUs are named and read. Each lies in its folder below `Protocols` and
/// has its number in ``ProtocolID`` and one line in ``ProtocolRegistry``. Names, fields, channels and filters of all protocols come from here. What only one
/// protocol has, such as the words of its row or an operation, is a case of its own where it is made.
protocol ProtocolDescription: SendableMetatype {
  /// Its number, which no other protocol has.
  static var id: ProtocolID { get }
  /// Its name in JSON, CSV and SQLite: `hci.command`.
  static var name: StaticName { get }
  /// Fixed L2CAP channels that carry it (Core, Vol 3, Part A, 2.1).
  static var fixedChannels: [UInt16] { get }
  /// PSMs of the connection-oriented channels that carry it.
  static var psms: [AssignedPSM] { get }
  /// Service classes (Assigned Numbers, 3.3) whose RFCOMM channels, or dynamic PSMs, carry it.
  static var serviceClasses: [UInt16] { get }
  /// It is carried by connection-oriented channels: by those of its PSMs, or by those that another protocol opens for it.
  static var isOnChannels: Bool { get }
  /// The protocol whose header its PDUs begin with: they have that one's filter fields, too. See ``hasEnvelope(_:)``.
  static var envelope: ProtocolID? { get }
  /// Its PDUs are not taken apart: printers show their bytes.
  static var isOpaque: Bool { get }
  /// Its PDUs carry packets of the Internet's protocols: they have their filter fields, too.
  static var carriesInternet: Bool { get }
  /// Its PDUs: their names and layouts, as far as these stand in tables.
  static var tables: [PDUTable] { get }
  /// PDUs of a row of ``tables`` have fields besides those that all of the protocol have, for the manual: those of the row, or of the tables that
  /// a description names here, which lay out the headers or elements of which its PDUs consist.
  static func hasFields(_ row: PDU) -> Bool
  /// The state that is kept of it over time, for the manual; empty where each PDU is decoded by itself.
  static var state: StaticString { get }
  /// Names of values and bits that its layouts refer to: see ``Enumeration``.
  static var enumerationText: StaticString { get }
  /// The fields that display filters know of it: Wireshark's names, types, and where the values are. The table's language is described in
  /// `Analysis/DisplayFilter/FilterFields.swift`; a line beginning with `#` is the heading of what follows in the manual.
  static var filterFields: StaticString { get }
  /// Those tables, where they fill more than one file.
  static var filterTexts: [StaticString] { get }
  /// Further fields in the same language that are made of its tables.
  static var derivedFilters: StaticName { get }

  /// The PDU has an opcode that printers show.
  static func hasOpcode(_ context: PDUContext) -> Bool
  /// The name of a PDU, as the specification has it.
  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName
  /// Reports the fields of a PDU to `visitor`.
  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor)
  /// The bytes are surely a PDU of this protocol. Asked where the capture does not show the opening of the channel.
  static func recognizes(_ pdu: RawSpan) -> Bool
  /// The bytes, which came over RFCOMM, look like data of this protocol. Asked where no SDP record tells the service behind the channel.
  static func recognizesData(_ data: RawSpan) -> Bool
  /// A PDU of this kind begins with the header of ``envelope``.
  static func hasEnvelope(_ context: PDUContext) -> Bool
}

extension ProtocolDescription {
  static var fixedChannels: [UInt16] { [] }
  static var psms: [AssignedPSM] { [] }
  static var serviceClasses: [UInt16] { [] }
  static var isOnChannels: Bool { !psms.isEmpty }
  static var envelope: ProtocolID? { nil }
  static var isOpaque: Bool { false }
  static var carriesInternet: Bool { false }
  static var tables: [PDUTable] { [] }
  static func hasFields(_ row: PDU) -> Bool { !row.parameters.isEmpty || !row.returnParameters.isEmpty }
  static var state: StaticString { "" }
  static var enumerationText: StaticString { "" }
  static var filterFields: StaticString { "" }
  static var filterTexts: [StaticString] { [filterFields] }
  static var derivedFilters: StaticName { .empty }
  static func hasOpcode(_ context: PDUContext) -> Bool { false }
  static func recognizes(_ pdu: RawSpan) -> Bool { false }
  static func recognizesData(_ data: RawSpan) -> Bool { false }
  static func hasEnvelope(_ context: PDUContext) -> Bool { envelope != nil }
  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    L2CAP.data.walk(pdu, &visitor)
  }
}
