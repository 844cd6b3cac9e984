import PacketCodecs

/// The Attribute Protocol (Core, Vol 3, Part F) and GATT's contents of its lists (Vol 3, Part G).
public enum ATT {
  /// Opcodes (Part F, 3.3.1).
  public enum Opcode: UInt8, CaseIterable, Sendable {
    case errorResponse = 0x01, exchangeMTURequest, exchangeMTUResponse, findInformationRequest, findInformationResponse,
      findByTypeValueRequest, findByTypeValueResponse, readByTypeRequest, readByTypeResponse, readRequest, readResponse, readBlobRequest,
      readBlobResponse, readMultipleRequest, readMultipleResponse, readByGroupTypeRequest, readByGroupTypeResponse, writeRequest,
      writeResponse
    case prepareWriteRequest = 0x16, prepareWriteResponse, executeWriteRequest, executeWriteResponse
    case handleValueNotification = 0x1B, handleValueIndication = 0x1D, handleValueConfirmation, readMultipleVariableRequest = 0x20,
      readMultipleVariableResponse, multipleHandleValueNotification = 0x23, writeCommand = 0x52, signedWriteCommand = 0xD2

    /// Type of PDU (Part F, 3.3).
    public enum Kind: UInt8, Sendable {
      /// Requires a response.
      case request
      /// Responds to a request.
      case response
      /// Requires no response.
      case command
      /// Sent by the server, requires no response.
      case notification
      /// Sent by the server, requires a confirmation.
      case indication
      /// Responds to an indication.
      case confirmation
    }

    /// Type of PDU.
    @inlinable
    public var kind: Kind {
      switch self {
      case .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readRequest, .readBlobRequest,
        .readMultipleRequest, .readByGroupTypeRequest, .writeRequest, .prepareWriteRequest, .executeWriteRequest,
        .readMultipleVariableRequest:
        .request
      case .handleValueNotification, .multipleHandleValueNotification: .notification
      case .handleValueIndication: .indication
      case .handleValueConfirmation: .confirmation
      case .writeCommand, .signedWriteCommand: .command
      default: .response
      }
    }

    /// The server sends it.
    @inlinable
    public var isFromServer: Bool {
      switch kind {
      case .response, .notification, .indication: true
      default: false
      }
    }
  }

  /// An error code (Part F, 3.4.1.1; Core Supplement, Part B); application errors and unknown ones are kept as numbers.
  public struct ErrorCode: RawRepresentable, Hashable, Sendable {
    /// The error byte.
    public let rawValue: UInt8
    /// Makes an error from its byte.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The link is not authenticated.
    @inlinable public static var insufficientAuthentication: ErrorCode { ErrorCode(rawValue: 0x05) }
    /// The application does not authorize the client.
    @inlinable public static var insufficientAuthorization: ErrorCode { ErrorCode(rawValue: 0x08) }
    /// The link is not encrypted.
    @inlinable public static var insufficientEncryption: ErrorCode { ErrorCode(rawValue: 0x0F) }
    /// The offset is after the end of the value.
    @inlinable public static var invalidOffset: ErrorCode { ErrorCode(rawValue: 0x07) }
    /// The value fits into a single PDU.
    @inlinable public static var attributeNotLong: ErrorCode { ErrorCode(rawValue: 0x0B) }
    /// No attribute of the type is in the range of handles.
    @inlinable public static var attributeNotFound: ErrorCode { ErrorCode(rawValue: 0x0A) }
    /// Its name: `attribute not found`, `application error`, `reserved`.
    public var name: StaticName {
      if let name = ATT.errorNames?.name(of: UInt64(rawValue)) { return name }
      return (0x80...0x9F).contains(rawValue) ? "application error" : rawValue >= 0xE0 ? "common profile error" : "reserved"
    }
  }

  /// Reports the fields of a PDU to `visitor`, without its opcode. `requested` is the attribute type of the preceding Read By Type Request:
  /// declarations of characteristics and includes are then decoded. Returns the row of the PDU, or nil for an opcode that is not defined (its
  /// parameters are reported as bytes) and an empty PDU.
  @inlinable
  @discardableResult
  public static func walk<Visitor: FieldVisitor>(
    _ bytes: RawSpan, in range: Range<Int>? = nil, requested: BluetoothUUID? = nil, _ visitor: inout Visitor
  ) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    guard !range.isEmpty else {
      pdus.unknown.walk(bytes, in: range, &visitor)
      return nil
    }
    let opcode = bytes.byte(range.lowerBound)
    let parameters = (range.lowerBound &+ 1)..<range.upperBound
    guard let pdu = pdus[UInt32(opcode)] else {
      pdus.unknown.walk(bytes, in: parameters, &visitor)
      return nil
    }
    var layout = pdu.parameters
    if opcode == Opcode.readByTypeResponse.rawValue, let requested {
      // A declared characteristic is 7 or 21 bytes long, an include 6 or 8; other lengths are not decoded.
      let length = parameters.isEmpty ? 0 : bytes.byte(parameters.lowerBound)
      if requested == BluetoothUUID(.characteristic), length == 7 || length == 21 { layout = characteristics }
      if requested == BluetoothUUID(.include), length == 6 || length == 8 { layout = includes }
    }
    layout.walk(bytes, in: parameters, &visitor)
    return pdu
  }

  /// All PDUs by opcode; their layouts start after the opcode.
  public static let pdus = PDUTable(text)
  /// Read By Type Response to a request for characteristic declarations (Part G, 4.6.1), after the opcode.
  public static let characteristics = pdus.layout("characteristics")
  /// Read By Type Response to a request for include declarations (Part G, 4.5.1), after the opcode.
  public static let includes = pdus.layout("includes")

  fileprivate static let errorNames = Enumeration.named("att-error")

  static let text: StaticString = """
    @unknown
      attribute_parameters:b*
    @characteristics
      length:u8
      attribute_data_list[*]<length>:(
        attribute_handle:u16{handle} characteristic_properties:x8{characteristic-properties}
        characteristic_value_handle:u16{handle} characteristic_uuid:uuid*)
    @includes
      length:u8
      attribute_data_list[*]<length>:(
        attribute_handle:u16{handle} included_service_attribute_handle:u16{handle} end_group_handle:u16{handle} ?+2(service_uuid:uuid16))

    0x01 Error Response
      request_opcode_in_error:x8{att-opcode} attribute_handle_in_error:u16{handle} error_code:x8{att-error}
    0x02 Exchange MTU Request
      client_rx_mtu:u16
    0x03 Exchange MTU Response
      server_rx_mtu:u16
    0x04 Find Information Request
      starting_handle:u16{handle} ending_handle:u16{handle}
    0x05 Find Information Response
      format:u8{information-format}
      ?format==1(information_data[*]:(handle:u16{handle} uuid:uuid16))
      ?format==2(information_data[*]:(handle:u16{handle} uuid:uuid128))
      ?format==0(information_data:b*)
      ?format>=3(information_data:b*)
    0x06 Find By Type Value Request
      starting_handle:u16{handle} ending_handle:u16{handle} attribute_type:uuid16 attribute_value:b*
    0x07 Find By Type Value Response
      handles_information_list[*]:(found_attribute_handle:u16{handle} group_end_handle:u16{handle})
    0x08 Read By Type Request
      starting_handle:u16{handle} ending_handle:u16{handle} attribute_type:uuid*
    0x09 Read By Type Response
      length:u8 attribute_data_list[*]<length>:(attribute_handle:u16{handle} attribute_value:b*)
    0x0a Read Request
      attribute_handle:u16{handle}
    0x0b Read Response
      attribute_value:b*
    0x0c Read Blob Request
      attribute_handle:u16{handle} value_offset:u16
    0x0d Read Blob Response
      part_attribute_value:b*
    0x0e Read Multiple Request
      set_of_handles[*]:u16{handle}
    0x0f Read Multiple Response
      set_of_values:b*
    0x10 Read By Group Type Request
      starting_handle:u16{handle} ending_handle:u16{handle} attribute_group_type:uuid*
    0x11 Read By Group Type Response
      length:u8 attribute_data_list[*]<length>:(attribute_handle:u16{handle} end_group_handle:u16{handle} attribute_value:uuid*)
    0x12 Write Request
      attribute_handle:u16{handle} attribute_value:b*
    0x13 Write Response
    0x16 Prepare Write Request
      attribute_handle:u16{handle} value_offset:u16 part_attribute_value:b*
    0x17 Prepare Write Response
      attribute_handle:u16{handle} value_offset:u16 part_attribute_value:b*
    0x18 Execute Write Request
      flags:u8{execute-write}
    0x19 Execute Write Response
    0x1b Handle Value Notification
      attribute_handle:u16{handle} attribute_value:b*
    0x1d Handle Value Indication
      attribute_handle:u16{handle} attribute_value:b*
    0x1e Handle Value Confirmation
    0x20 Read Multiple Variable Request
      set_of_handles[*]:u16{handle}
    0x21 Read Multiple Variable Response
      length_value_tuple_list[*]:(value_length:u16 attribute_value:b(value_length))
    0x23 Multiple Handle Value Notification
      handle_length_value_tuple_list[*]:(attribute_handle:u16{handle} value_length:u16 attribute_value:b(value_length))
    0x52 Write Command
      attribute_handle:u16{handle} attribute_value:b*
    0xd2 Signed Write Command
      attribute_handle:u16{handle} ?+12(attribute_value:b(*-12) authentication_signature:b12)
    """

  static let enumerationText: StaticString = """
    enum att-error
      0x01 invalid handle
      0x02 read not permitted
      0x03 write not permitted
      0x04 invalid pdu
      0x05 insufficient authentication
      0x06 request not supported
      0x07 invalid offset
      0x08 insufficient authorization
      0x09 prepare queue full
      0x0a attribute not found
      0x0b attribute not long
      0x0c encryption key size too short
      0x0d invalid attribute value length
      0x0e unlikely error
      0x0f insufficient encryption
      0x10 unsupported group type
      0x11 insufficient resources
      0x12 database out of sync
      0x13 value not allowed
      0xfc write request rejected
      0xfd client characteristic configuration descriptor improperly configured
      0xfe procedure already in progress
      0xff out of range
    enum information-format
      1 16-bit uuids
      2 128-bit uuids
    enum execute-write
      0 cancel all
      1 write all
    flags characteristic-properties
      0 broadcast
      1 read
      2 write without response
      3 write
      4 notify
      5 indicate
      6 authenticated signed writes
      7 extended properties
    """
}
