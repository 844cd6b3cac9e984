import PacketCodecs

extension ATT {
  /// Ranges of the elements of a response's list in the PDU: complete elements of equal length.
  public struct ElementRanges: RandomAccessCollection, Sendable {
    @usableFromInline let start: Int
    @usableFromInline let size: Int
    /// Number of elements.
    public let count: Int

    @inlinable
    init(start: Int, size: Int, end: Int) {
      self.start = start
      self.size = size
      count = size > 0 ? Swift.max(end &- start, 0) / size : 0
    }

    /// Index of the first element.
    @inlinable
    public var startIndex: Int { 0 }
    /// Index after the last element.
    @inlinable
    public var endIndex: Int { count }
    /// The range of an element.
    @inlinable
    public subscript(index: Int) -> Range<Int> { start &+ index &* size..<start &+ (index &+ 1) &* size }
  }

  /// The list of a Find Information, Find By Type Value, Read By Type or Read By Group Type Response (Part F, 3.4.3 and 3.4.4), from its
  /// opcode on; without elements for other PDUs. Each element begins with a handle.
  @inlinable
  public static func elements(_ pdu: RawSpan) -> ElementRanges {
    let none = ElementRanges(start: 0, size: 0, end: 0)
    guard let first = pdu.u8(0), let opcode = Opcode(rawValue: first) else { return none }
    switch opcode {
    case .findByTypeValueResponse: return ElementRanges(start: 1, size: 4, end: pdu.byteCount)
    case .findInformationResponse: return ElementRanges(start: 2, size: pdu.u8(1) == 1 ? 4 : 18, end: pdu.byteCount)
    case .readByTypeResponse, .readByGroupTypeResponse:
      // A handle; groups also have the last handle and a UUID.
      guard let size = pdu.u8(1), size >= (opcode == .readByTypeResponse ? 2 : 6) else { return none }
      return ElementRanges(start: 2, size: Int(size), end: pdu.byteCount)
    default: return none
    }
  }

  /// Calls `body` with each value of a Multiple Handle Value Notification (3.4.7.4), or of a Read Multiple Variable Response (3.4.4.12), which has no
  /// handles; the last value may be truncated.
  @inlinable
  public static func forEachValue(_ pdu: RawSpan, _ body: (_ handle: UInt16?, _ value: Range<Int>) -> Void) {
    let hasHandles = pdu.u8(0) == Opcode.multipleHandleValueNotification.rawValue
    var at = 1
    while let length = pdu.u16(hasHandles ? at &+ 2 : at) {
      let handle = hasHandles ? pdu.u16(at) : nil
      at = at &+ (hasHandles ? 4 : 2)
      body(handle, Swift.min(at, pdu.byteCount)..<Swift.min(at &+ Int(length), pdu.byteCount))
      at = at &+ Int(length)
    }
  }
}
