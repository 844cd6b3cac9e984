import PacketCodecs
import Text

/// Data missing from captures of BR/EDR packets on the air (link type 255). Encrypted connections are recognized by the start of encryption:
/// LMP_start_encryption_req (Core, Vol 2, Part C, 4.2.5) with a correct CRC.
struct BasebandLimits {
  /// Most connections that are reported one by one.
  static let maxCount = 16
  private var packets = 0
  /// Lower address parts of the centrals, and the packets with the first start of encryption.
  private var encrypted: [(address: UInt32, frame: Int)] = []
  private var others = 0
  /// The payload's CRC (Vol 2, Part B, 7.1.2) by the upper address part, which is its initial value.
  private var checks: [UInt8: CRC] = [:]

  /// Counts a packet with its header of 22 bytes.
  mutating func add(_ record: PacketRecord, _ bytes: borrowing RawSpan) {
    guard record.payload == 22, bytes.byteCount >= 22 else { return }
    packets &+= 1
    // The capturing program decrypted it. Ubertooth's pcap files do not set the flag for the presence of a payload.
    guard bytes.little16(20) & 0x0008 == 0, startsEncryption(bytes) else { return }
    let address = bytes.little32(8) & 0xFF_FFFF
    if encrypted.contains(where: { $0.address == address }) { return }
    if encrypted.count < Self.maxCount { encrypted.append((address, record.frame)) } else { others &+= 1 }
  }

  private mutating func startsEncryption(_ bytes: borrowing RawSpan) -> Bool {
    // A payload header with LMP's LLID and the length, the opcode, EN_RAND, the CRC.
    guard bytes.byteCount >= 22 + 20, bytes.byte(22) & 3 == 3, bytes.byte(22) >> 3 == 17, bytes.byte(23) >> 1 == 17 else { return false }
    let upper = bytes.byte(15)
    let check = checks[upper] ?? Self.check(upper)
    checks[upper] = check
    return check.value(of: bytes.extracting(22..<40)) == UInt128(bytes.little16(40))
  }

  /// The initial value has the upper address part in the eight bits that are shifted out first.
  static func check(_ upper: UInt8) -> CRC {
    CRC(
      CRCParameters(
        name: "BR/EDR payload", width: 16, polynomial: 0x1021, initial: UInt128(upper), reflectsInput: true, reflectsOutput: true,
        finalXor: 0))
  }

  /// Descriptions of the missing data.
  var limits: [CaptureLimit] {
    guard packets > 0 else { return [] }
    let unjoined = "who sent a BR/EDR packet of the air is not recorded: their L2CAP is not joined"
    var limits = [CaptureLimit(id: "baseband", text: unjoined, packets: packets)]
    for (address, frame) in encrypted {
      let lower = String(hex: address, digits: 6)
      limits.append(
        CaptureLimit(
          id: "baseband-encrypted",
          text:
            "in #\(frame) encryption of the BR/EDR connection with LAP \(lower) starts, and it is not undone: E0 takes the central's clock of each "
            + "packet, which this link type does not record; a host's log has the same data unencrypted",
          packets: 0))
    }
    if others > 0 {
      limits.append(
        CaptureLimit(id: "baseband-encrypted", text: "encryption starts \(others) times more, on other connections", packets: 0))
    }
    return limits
  }
}
