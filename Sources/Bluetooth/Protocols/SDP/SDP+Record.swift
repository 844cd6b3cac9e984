import PacketCodecs

extension SDP {
  /// What a record says of its service. A response may leave out any part of it.
  public struct Record {
    /// Its service classes, the most specific first (Core, Vol 3, Part B, 5.1.2); at most ``maximumCount``.
    public private(set) var classes: [BluetoothUUID] = []
    /// RFCOMM server channel, or 0.
    public private(set) var rfcommChannel: UInt8 = 0
    /// L2CAP PSM, or 0.
    public private(set) var psm: UInt16 = 0
    /// The profiles that it conforms to, and their versions: 0x0106 is 1.6 (5.1.11); at most ``maximumCount``.
    public private(set) var profiles: [(uuid: BluetoothUUID, version: UInt16)] = []
    /// Range of its name in the primary language.
    public private(set) var name: Range<Int>?
    /// All its attributes: identifiers and values.
    public private(set) var attributes: [(identifier: Int, value: Element)] = []
    /// Most classes and profiles that are kept.
    public static let maximumCount = 16

    /// Reads a list of attribute identifiers and values, in turn.
    public init(_ list: Element, in bytes: RawSpan) {
      let parts = list.elements(bytes)
      for index in stride(from: 0, to: parts.count - 1, by: 2) {
        guard let identifier = parts[index].integer(bytes) else { continue }
        let value = parts[index + 1]
        attributes.append((identifier, value))
        switch identifier {
        // ServiceClassIDList
        case 0x0001: classes = value.elements(bytes).prefix(Self.maximumCount).compactMap { $0.uuid(bytes) }
        // ProtocolDescriptorList: a sequence for each protocol, its UUID first.
        case 0x0004:
          for layer in value.elements(bytes) where layer.isSequence {
            let words = layer.elements(bytes)
            guard words.count > 1, let number = words[1].integer(bytes) else { continue }
            switch words[0].uuid(bytes) {
            case BluetoothUUID(0x0003 as UInt16): rfcommChannel = UInt8(truncatingIfNeeded: number)
            case BluetoothUUID(0x0100 as UInt16): psm = UInt16(truncatingIfNeeded: number)
            default: break
            }
          }
        // BluetoothProfileDescriptorList: a sequence for each profile, its UUID first.
        case 0x0009:
          for profile in value.elements(bytes).prefix(Self.maximumCount) where profile.isSequence {
            let words = profile.elements(bytes)
            if words.count > 1, let uuid = words[0].uuid(bytes), let version = words[1].integer(bytes) {
              profiles.append((uuid, UInt16(truncatingIfNeeded: version)))
            }
          }
        // ServiceName in the primary language
        case 0x0100: if value.type == .text { name = value.range }
        default: break
        }
      }
    }
  }

  /// The records in the PDU of a row with this opcode: a whole response, or the attributes of one that came in parts. Nil for other PDUs.
  public static func records(of pdu: RawSpan, opcode: UInt32) -> [Record]? {
    var (start, code) = (0, PDUIdentifier(rawValue: UInt8(truncatingIfNeeded: opcode)))
    var limit = 0..<pdu.byteCount
    if !isJoined(opcode) {
      guard opcode & lastPart == 0, pdu.byteCount > 7, let known = pdu.u8(0).flatMap({ PDUIdentifier(rawValue: $0) }),
        known.hasAttributes
      else { return nil }
      (start, code) = (7, known)
      limit = 7..<min(pdu.byteCount, 7 + Int(pdu.integer(5, 2, isBigEndian: true)))
      // Other parts follow.
      guard limit.upperBound < pdu.byteCount, pdu.u8(limit.upperBound) == 0 else { return nil }
    }
    guard let whole = Element(pdu, start, in: limit), whole.isSequence else { return nil }
    if code == .serviceAttributeResponse { return whole.range.isEmpty ? [] : [Record(whole, in: pdu)] }
    return whole.elements(pdu).filter(\.isSequence).map { Record($0, in: pdu) }
  }

  /// The service class in the opcode of a row with a response, which its request was about (all records have it); nil for a protocol, a group of
  /// records, and a class that only groups others (0x1201 to 0x1204).
  public static func requestedClass(_ opcode: UInt32) -> BluetoothUUID? {
    let service = UInt16(truncatingIfNeeded: opcode >> 16)
    return 0x1100...0x17FF ~= service && !(0x1201...0x1204 ~= service) ? BluetoothUUID(service) : nil
  }

  /// The name of an attribute that all services have, from its identifier.
  public static func attributeName(_ identifier: Int) -> StaticName? { identifierField.enumeration?.name(of: UInt64(identifier)) }
}
