/// CCM as the Link Layer uses it (Core, Vol 6, Part E, 2): a nonce of 13 bytes, a MIC of 4, one byte that is authenticated and not encrypted. It is
/// implemented here over the block cipher for all systems, because neither CommonCrypto nor CryptoKit has it.
public struct CCM {
  /// The part of the nonce besides the counter (2.1): the session's initialisation vector, with the first byte on the air as the most significant.
  public let initialisationVector: UInt64
  private let cipher: SystemCryptography
  /// Mask of the header bits that are authenticated; the others may differ in a retransmission.
  private let headerMask: UInt8

  /// Uses the key of `cipher`. `headerMask` is that of data PDUs, where NESN, SN and MD may differ; isochronous PDUs have others (2.2).
  public init(_ cipher: SystemCryptography, initialisationVector: UInt64, headerMask: UInt8 = 0xE3) {
    self.cipher = cipher
    self.initialisationVector = initialisationVector
    self.headerMask = headerMask
  }

  /// A block that starts with `flags` and the nonce and ends with `last`.
  private func block(_ flags: UInt8, _ counter: UInt64, _ isFromCentral: Bool, _ last: UInt16) -> Block128 {
    // 39 bits of counter, least significant byte first; the bit above them is the direction.
    let counter = counter & 0x7F_FFFF_FFFF | (isFromCentral ? 1 << 39 : 0)
    let head = UInt64(flags) << 56 | counter.byteSwapped >> 8
    return Block128(high: head & ~0xFFFF | initialisationVector >> 48, low: initialisationVector << 16 | UInt64(last))
  }

  /// Decrypts the payload of a PDU, of which the last four bytes are the MIC, into `plain`. `header` is the PDU's first byte as it was sent. Returns
  /// false where the MIC is wrong; then `plain` is empty.
  public func open(
    _ payload: [UInt8], header: UInt8, counter: UInt64, isFromCentral: Bool, into plain: inout [UInt8]
  ) -> Bool {
    plain.removeAll(keepingCapacity: true)
    let length = payload.count - 4
    guard length > 0, length <= 0xFFFF else { return false }
    var mac = cipher.encrypt(block(0x49, counter, isFromCentral, UInt16(length)))
    mac = cipher.encrypt(mac ^ Block128(high: UInt64(1) << 48 | UInt64(header & headerMask) << 40, low: 0))
    var at = 0
    var number: UInt16 = 1
    while at < length {
      let stream = cipher.encrypt(block(0x01, counter, isFromCentral, number))
      let count = min(16, length - at)
      var piece = Block128.zero
      for index in 0..<count {
        let key = UInt8(truncatingIfNeeded: (index < 8 ? stream.high : stream.low) >> UInt64(56 - 8 * (index & 7)))
        let byte = payload[at + index] ^ key
        plain.append(byte)
        let moved = UInt64(byte) << UInt64(56 - 8 * (index & 7))
        if index < 8 { piece.high |= moved } else { piece.low |= moved }
      }
      mac = cipher.encrypt(mac ^ piece)
      at += count
      number &+= 1
    }
    let sent = payload[length...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let stream = cipher.encrypt(block(0x01, counter, isFromCentral, 0))
    guard (mac.high ^ stream.high) >> 32 == sent else {
      plain.removeAll(keepingCapacity: true)
      return false
    }
    return true
  }
}
