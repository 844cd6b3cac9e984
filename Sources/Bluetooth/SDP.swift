/// The Service Discovery Protocol (Core, Vol 3, Part B, 4): enough to name its PDUs; numbers travel most significant byte first.
public enum SDP {
  /// All PDUs by identifier; their layouts start behind the five-byte header.
  public static let pdus = PDUTable(text)
  /// Identifier, transaction and parameter length.
  public static let header = pdus.layout("header")

  /// Tells the fields of a PDU to `visitor`, header included. Returns its row, or nil where it has none.
  @inlinable
  @discardableResult
  public static func walk<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    guard range.count >= 5, let code = HCI.u8(bytes, range.lowerBound) else {
      header.walk(bytes, in: range, &visitor)
      return nil
    }
    header.walk(bytes, in: range, allowsSurplus: true, &visitor)
    let pdu = pdus[UInt32(code)]
    let length = Int(bytes.integer(range.lowerBound &+ 3, 2, isBigEndian: true))
    HCI.walkParameters(pdu?.parameters ?? .none, bytes, from: range.lowerBound &+ 5, length: length, to: range.upperBound, &visitor)
    return pdu
  }

  /// A data element (3): its type, and where its value lies.
  public struct Element: Sendable {
    /// Types of data elements (3.2); others are not defined.
    public enum Kind: UInt8, Sendable { case null, unsigned, signed, uuid, text, boolean, sequence, alternative, url }
    /// Its type; nil where it is not defined.
    public let type: Kind?
    /// Where its value lies.
    public let range: Range<Int>

    /// Reads the element at `at` of a part of `bytes`, or nil where it is not all there.
    public init?(_ bytes: RawSpan, _ at: Int, in limit: Range<Int>) {
      guard limit.contains(at), let head = HCI.u8(bytes, at) else { return nil }
      type = Kind(rawValue: head >> 3)
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

    /// It holds other elements.
    public var isSequence: Bool { type == .sequence || type == .alternative }

    /// The elements of a sequence as far as they are whole, at most 256.
    public func elements(_ bytes: RawSpan) -> [Element] {
      var found: [Element] = []
      var at = range.lowerBound
      while found.count < 256, let one = Element(bytes, at, in: range) {
        found.append(one)
        at = one.range.upperBound
      }
      return found
    }

    /// An unsigned integer of up to four bytes; nil for everything else.
    public func integer(_ bytes: RawSpan) -> Int? {
      type == .unsigned && range.count <= 4 ? Int(bytes.integer(range.lowerBound, range.count, isBigEndian: true)) : nil
    }

    /// A UUID of 2, 4 or 16 bytes; nil for everything else.
    public func uuid(_ bytes: RawSpan) -> BluetoothUUID? {
      type == .uuid ? BluetoothUUID(bigEndian: bytes, in: range) : nil
    }
  }

  static let text: StaticString = """
    @header
      pdu_id:x8 transaction_id:x16be parameter_length:u16be

    0x01 SDP_ERROR_RSP
      error_code:x16be{sdp-error} error_info:b*
    0x02 SDP_SERVICE_SEARCH_REQ
      service_search_pattern:b*
    0x03 SDP_SERVICE_SEARCH_RSP
      total_service_record_count:u16be current_service_record_count:u16be
      service_record_handle_list[current_service_record_count]:x32be continuation_length:u8 continuation_state:b(continuation_length)
    0x04 SDP_SERVICE_ATTR_REQ
      service_record_handle:x32be maximum_attribute_byte_count:u16be attribute_id_list:b*
    0x05 SDP_SERVICE_ATTR_RSP
      attribute_list_byte_count:u16be attribute_list:b(attribute_list_byte_count) continuation_length:u8
      continuation_state:b(continuation_length)
    0x06 SDP_SERVICE_SEARCH_ATTR_REQ
      service_search_pattern:b*
    0x07 SDP_SERVICE_SEARCH_ATTR_RSP
      attribute_lists_byte_count:u16be attribute_lists:b(attribute_lists_byte_count) continuation_length:u8
      continuation_state:b(continuation_length)
    """

  static let enumerationText: StaticString = """
    enum sdp-error
      1 invalid or unsupported sdp version
      2 invalid service record handle
      3 invalid request syntax
      4 invalid pdu size
      5 invalid continuation state
      6 insufficient resources to satisfy request
    """
}
