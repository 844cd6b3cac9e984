import PacketCodecs

/// The Link Manager Protocol (Core, Vol 2, Part C) between the controllers of a BR/EDR connection. PDUs begin with the byte of their opcode; an
/// escape opcode is followed by a byte with the extended opcode.
public enum LMP: ProtocolDescription {
  static var id: ProtocolID { .lmp }
  static var name: StaticName { "lmp" }
  static var tables: [PDUTable] { [pdus] }
  static var state: StaticString { "requests and answers, encryption, the end of connections" }
  static func hasOpcode(_ context: PDUContext) -> Bool { true }

  /// Opcodes that the conversation tracker and operations act on (4).
  public enum Opcode: UInt32, CaseIterable, Sendable {
    case nameReq = 1, nameRes, accepted, notAccepted, clkoffsetReq, clkoffsetRes, detach, inRand, combKey, unitKey, auRand, sres, tempRand,
      tempKey, encryptionModeReq, encryptionKeySizeReq, startEncryptionReq, stopEncryptionReq, switchReq
    case versionReq = 37, versionRes, featuresReq, featuresRes
    case timingAccuracyReq = 47, timingAccuracyRes, setupComplete, useSemiPermanentKey, hostConnectionReq
    case encryptionKeySizeMaskReq = 58, encryptionKeySizeMaskRes
    case acceptedExt = 0x7F01, notAcceptedExt, featuresReqExt, featuresResExt
    case sniffSubratingReq = 0x7F15, sniffSubratingRes
    case ioCapabilityReq = 0x7F19, ioCapabilityRes
    case powerControlReq = 0x7F1F, powerControlRes, pingReq, pingRes

    /// For responses that are PDUs of their own instead of LMP_accepted: the opcode of the request; nil for others.
    public var request: Opcode? {
      switch self {
      case .nameRes: .nameReq
      case .clkoffsetRes: .clkoffsetReq
      case .sres: .auRand
      case .versionRes: .versionReq
      case .featuresRes: .featuresReq
      case .timingAccuracyRes: .timingAccuracyReq
      case .encryptionKeySizeMaskRes: .encryptionKeySizeMaskReq
      case .featuresResExt: .featuresReqExt
      case .sniffSubratingRes: .sniffSubratingReq
      case .ioCapabilityRes: .ioCapabilityReq
      case .powerControlRes: .powerControlReq
      case .pingRes: .pingReq
      default: nil
      }
    }
  }

  /// The opcode header of a PDU.
  public struct Header: Sendable {
    /// Its number in ``pdus``: the opcode; for an escape opcode together with the following byte (0x7F03).
    public let opcode: UInt32
    /// The transaction ID bit: the peripheral began the transaction.
    public let isOfPeripheral: Bool
    /// Number of bytes of the opcode.
    public let size: Int

    /// Reads the opcode at the start of a PDU, or nil where it is incomplete.
    public init?(_ pdu: RawSpan) {
      guard let first = pdu.u8(0) else { return nil }
      isOfPeripheral = first & 1 != 0
      if first >> 1 >= 124 {
        guard let second = pdu.u8(1) else { return nil }
        (opcode, size) = (UInt32(first >> 1) << 8 | UInt32(second), 2)
      } else {
        (opcode, size) = (UInt32(first >> 1), 1)
      }
    }
  }

  /// The opcode that an LMP_accepted or LMP_not_accepted responds to, and the error code of the latter; nil for other PDUs and truncated ones.
  public static func verdict(_ pdu: RawSpan) -> (request: UInt32, error: UInt8?)? {
    guard let header = Header(pdu) else { return nil }
    switch Opcode(rawValue: header.opcode) {
    case .accepted: return pdu.u8(1).map { (UInt32($0 & 0x7F), nil) }
    case .notAccepted:
      guard let request = pdu.u8(1), let error = pdu.u8(2) else { return nil }
      return (UInt32(request & 0x7F), error)
    case .acceptedExt:
      guard let escape = pdu.u8(2), let request = pdu.u8(3) else { return nil }
      return (UInt32(escape) << 8 | UInt32(request), nil)
    case .notAcceptedExt:
      guard let escape = pdu.u8(2), let request = pdu.u8(3), let error = pdu.u8(4) else { return nil }
      return (UInt32(escape) << 8 | UInt32(request), error)
    default: return nil
    }
  }

  /// Length in bytes of a PDU that its sender padded to a fixed size; all bytes where the opcode is unknown.
  public static func length(of pdu: RawSpan) -> Int {
    guard let header = Header(pdu), let layout = pdus[header.opcode]?.parameters else { return pdu.byteCount }
    var ignored = NoVisitor()
    return layout.walk(pdu, in: header.size..<pdu.byteCount, allowsSurplus: true, &ignored)
  }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { pdus.name(context.opcode) ?? "Unknown LMP PDU" }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    guard let first = pdu.u8(0) else { return }
    visitor.field(initiator, .unsigned(UInt64(first & 1)), at: 0..<1, in: pdu)
    guard let header = Header(pdu) else { return }
    (pdus[header.opcode]?.parameters ?? pdus.unknown).walk(pdu, in: header.size..<pdu.byteCount, &visitor)
  }

  /// PDUs by opcode (Table 5.1), those with Escape 4 by 0x7F00 and their extended opcode.
  public static let pdus = PDUTable(text)
  private static let initiator = pdus.layout("initiator").fields.first ?? Field()
}
