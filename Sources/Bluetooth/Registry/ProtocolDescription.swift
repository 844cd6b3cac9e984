/// The values that determine the name and layout of a PDU and are not among its bytes, such as its opcode.
public struct PDUContext: Sendable {
  /// Opcode, event code or type: the code in the tables of the protocol.
  public var opcode: UInt32 = 0
  /// LE Meta subevent; for management traffic the kind of record.
  public var subcode: UInt16 = 0
  /// For vendor commands and events, the company identifier of the controller's manufacturer.
  public var company = Vendor.unknownMaker
  /// For a Read By Type Response, the attribute type of the request.
  public var requestedType: BluetoothUUID?
  /// The bytes are encrypted.
  public var isEncrypted = false
  /// The PDU belongs to a connection.
  public var hasConnection = false
  /// For an L2CAP frame, its fields besides header and payload.
  public var frameFormat: L2CAP.FrameFormat = []

  /// A context without known values.
  @inlinable
  public init() {}
}

/// A PSM assigned to a protocol or profile, and the name that printers use for it.
public struct AssignedPSM: Sendable {
  /// The number (Assigned Numbers, 3.1).
  public let number: UInt16
  /// Name of channels opened to it.
  public let name: StaticName

  init(_ number: UInt16, _ name: StaticName) {
    self.number = number
    self.name = name
  }
}

/// A protocol: its names, the channels that carry it, and how its PDUs are named and decoded. Each is in a folder of its own below `Protocols`, with
/// its number in ``ProtocolID`` and one line in ``ProtocolRegistry``. Names, fields, channels and filters of all protocols come from here. Features
/// of a single protocol, such as the text of its row or an operation, are separate cases in the code that implements them.
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
  /// Connection-oriented channels carry it: those of its PSMs, or those that another protocol opens for it.
  static var isOnChannels: Bool { get }
  /// The protocol whose header precedes its PDUs: they also have the filter fields of that protocol. See ``hasEnvelope(_:)``.
  static var envelope: ProtocolID? { get }
  /// What other modules have to know of it.
  static var traits: ProtocolTraits { get }
  /// Its PDUs: names and layouts, if they are in tables.
  static var tables: [PDUTable] { get }
  /// PDUs of a row of ``tables`` have fields besides those that all of the protocol have, for the manual: those of the row, or of the tables that a
  /// description refers to here, which lay out the headers or elements of which its PDUs consist.
  static func hasFields(_ row: PDU) -> Bool
  /// The state that is tracked over time, for the manual; empty where each PDU is decoded by itself.
  static var state: StaticString { get }
  /// Enumerations that its layouts refer to: see ``Enumeration``.
  static var enumerationText: StaticString { get }
  /// Its display filter fields: Wireshark's names, types, and the locations of the values. `Analysis/DisplayFilter/FilterFields.swift` describes the
  /// table's language; a line beginning with `#` is the heading in the manual for the lines after it.
  static var filterFields: StaticString { get }
  /// The same tables, if they need more than one file.
  static var filterTexts: [StaticString] { get }
  /// Further fields in the same language, generated from its tables.
  static var derivedFilters: StaticName { get }

  /// The PDU has an opcode that printers show.
  static func hasOpcode(_ context: PDUContext) -> Bool
  /// The name of a PDU in the specification.
  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName
  /// Reports the fields of a PDU to `visitor`.
  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor)
  /// Whether the bytes are certainly a PDU of this protocol. Called where the capture does not show the opening of the channel.
  static func recognizes(_ pdu: RawSpan) -> Bool
  /// Whether bytes that came over RFCOMM look like data of this protocol. Called where no SDP record gives the service of the channel.
  static func recognizesData(_ data: RawSpan) -> Bool
  /// Whether a PDU of this kind begins with the header of ``envelope``.
  static func hasEnvelope(_ context: PDUContext) -> Bool
}

extension ProtocolDescription {
  static var fixedChannels: [UInt16] { [] }
  static var psms: [AssignedPSM] { [] }
  static var serviceClasses: [UInt16] { [] }
  static var isOnChannels: Bool { !psms.isEmpty }
  static var envelope: ProtocolID? { nil }
  static var traits: ProtocolTraits { [] }
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
