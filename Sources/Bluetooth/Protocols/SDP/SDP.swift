import PacketCodecs

/// The Service Discovery Protocol (Core, Vol 3, Part B): requests, and responses with records of services. Numbers have their most significant byte
/// first.
public enum SDP {
  /// PSM of its channels (Assigned Numbers, 4.5).
  public static let psm: UInt16 = 0x0001

  /// Identifiers of PDUs (4.2).
  public enum PDUIdentifier: UInt8, CaseIterable, Sendable {
    case errorResponse = 0x01, serviceSearchRequest, serviceSearchResponse, serviceAttributeRequest, serviceAttributeResponse,
      serviceSearchAttributeRequest, serviceSearchAttributeResponse

    /// It is a request.
    public var isRequest: Bool {
      self == .serviceSearchRequest || self == .serviceAttributeRequest || self == .serviceSearchAttributeRequest
    }
    /// It is a response with attributes of records.
    public var hasAttributes: Bool { self == .serviceAttributeResponse || self == .serviceSearchAttributeResponse }
  }

  /// All PDUs by identifier; their layouts start after the five-byte header.
  public static let pdus = PDUTable(text)
  /// Identifier, transaction and parameter length.
  public static let header = pdus.layout("header")

  /// A data element (3): its type, and the range of its value.
  public struct Element: Sendable {
    /// Types of data elements (3.2); others are not defined.
    public enum Kind: UInt8, Sendable { case null, unsigned, signed, uuid, text, boolean, sequence, alternative, url }
    /// Its type; nil where it is undefined.
    public let type: Kind?
    /// Range of its value.
    public let range: Range<Int>
    /// Offset of its header.
    let start: Int

    /// Reads the element at `at` of a part of `bytes`, or nil where it is incomplete.
    public init?(_ bytes: RawSpan, _ at: Int, in limit: Range<Int>) {
      guard limit.contains(at), let head = bytes.u8(at) else { return nil }
      type = Kind(rawValue: head >> 3)
      self.start = at
      var start = at &+ 1
      var count = head >> 3 == 0 ? 0 : 1 << Int(head & 7)
      if head & 7 > 4 {
        let width = 1 << Int(head & 7 &- 5)
        guard width <= limit.upperBound &- start else { return nil }
        count = Int(bytes.integer(start, width, isBigEndian: true))
        start &+= width
      }
      guard count <= limit.upperBound &- start else { return nil }
      range = start..<start &+ count
    }

    /// It contains other elements.
    public var isSequence: Bool { type == .sequence || type == .alternative }

    /// The complete elements of a sequence, at most 256.
    public func elements(_ bytes: RawSpan) -> [Element] {
      var found: [Element] = []
      var at = range.lowerBound
      while found.count < 256, let element = Element(bytes, at, in: range) {
        found.append(element)
        at = element.range.upperBound
      }
      return found
    }

    /// An unsigned integer of up to four bytes; nil for other elements.
    public func integer(_ bytes: RawSpan) -> Int? {
      type == .unsigned && range.count <= 4 ? Int(bytes.integer(range.lowerBound, range.count, isBigEndian: true)) : nil
    }

    /// A UUID of 2, 4 or 16 bytes; nil for other elements.
    public func uuid(_ bytes: RawSpan) -> BluetoothUUID? {
      type == .uuid ? BluetoothUUID(bigEndian: bytes, in: range) : nil
    }
  }

  static let text: StaticString = """
    @header
      pdu_id:x8 transaction_id:x16be parameter_length:u16be
    @continuation
      continuation_length:u8 ?continuation_length>=1(continuation_state:b(continuation_length))
    @part
      attribute_data:b*

    0x01 SDP_ERROR_RSP
      error_code:x16be{sdp-error} error_info:b*
    0x02 SDP_SERVICE_SEARCH_REQ
      maximum_service_record_count:u16be @continuation
    0x03 SDP_SERVICE_SEARCH_RSP
      total_service_record_count:u16be current_service_record_count:u16be
      service_record_handle_list[current_service_record_count]:x32be @continuation
    0x04 SDP_SERVICE_ATTR_REQ
      service_record_handle:x32be maximum_attribute_byte_count:u16be
    0x05 SDP_SERVICE_ATTR_RSP
      attribute_list_byte_count:u16be
    0x06 SDP_SERVICE_SEARCH_ATTR_REQ
      maximum_attribute_byte_count:u16be
    0x07 SDP_SERVICE_SEARCH_ATTR_RSP
      attribute_lists_byte_count:u16be
    """
}
