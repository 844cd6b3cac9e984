import PacketCodecs

/// The Security Manager Protocol (Core, Vol 3, Part H, 3).
public enum SMP {
  /// Codes of PDUs (3.3).
  public enum Opcode: UInt8, CaseIterable, Sendable {
    case pairingRequest = 0x01, pairingResponse, pairingConfirm, pairingRandom, pairingFailed, encryptionInformation, centralIdentification,
      identityInformation, identityAddressInformation, signingInformation, securityRequest, pairingPublicKey, pairingDHKeyCheck,
      pairingKeypressNotification
  }

  /// Reports the fields of a PDU to `visitor`, without its code. Returns the row of the PDU, or nil for a code that is not defined (its data are
  /// reported as bytes) and an empty PDU.
  @inlinable
  @discardableResult
  public static func walk<Visitor: FieldVisitor>(_ bytes: RawSpan, in range: Range<Int>? = nil, _ visitor: inout Visitor) -> PDU? {
    let range = (range ?? 0..<bytes.byteCount).clamped(to: 0..<bytes.byteCount)
    guard let code = bytes.u8(range.lowerBound), !range.isEmpty else { return nil }
    let pdu = pdus[UInt32(code)]
    (pdu?.parameters ?? pdus.unknown).walk(bytes, in: (range.lowerBound &+ 1)..<range.upperBound, &visitor)
    return pdu
  }

  /// All PDUs by code; their layouts start after the code.
  public static let pdus = PDUTable(text)

  static let text: StaticString = """
    @unknown
      data:b*
    @pairing
      io_capability:u8{io-capability}
      oob_data_flag:u8{oob-data}
      authreq:bits8(bonding_flags:2{bonding} mitm:1 sc:1 keypress:1 ct2:1 -:2)
      maximum_encryption_key_size:u8<7..16>
      initiator_key_distribution:x8{key-distribution}
      responder_key_distribution:x8{key-distribution}

    0x01 Pairing Request
      @pairing
    0x02 Pairing Response
      @pairing
    0x03 Pairing Confirm
      confirm_value:b16!
    0x04 Pairing Random
      random_value:b16!
    0x05 Pairing Failed
      reason:x8{smp-reason}
    0x06 Encryption Information
      long_term_key:b16!
    0x07 Central Identification
      ediv:x16 rand:x64!
    0x08 Identity Information
      identity_resolving_key:b16!
    0x09 Identity Address Information
      addr_type:u8{address-type} bd_addr:addr(addr_type)
    0x0a Signing Information
      signature_key:b16!
    0x0b Security Request
      authreq:bits8(bonding_flags:2{bonding} mitm:1 sc:1 keypress:1 ct2:1 -:2)
    0x0c Pairing Public Key
      public_key_x:b32! public_key_y:b32!
    0x0d Pairing DHKey Check
      dhkey_check:b16!
    0x0e Pairing Keypress Notification
      notification_type:u8{keypress}
    """

  static let enumerationText: StaticString = """
    enum io-capability
      0 display only
      1 display yes/no
      2 keyboard only
      3 no input no output
      4 keyboard display
    enum oob-data
      0 not present
      1 present
    enum bonding
      0 no bonding
      1 bonding
    flags key-distribution
      0 enc key
      1 id key
      2 sign key
      3 link key
    enum smp-reason
      0x01 passkey entry failed
      0x02 oob not available
      0x03 authentication requirements
      0x04 confirm value failed
      0x05 pairing not supported
      0x06 encryption key size
      0x07 command not supported
      0x08 unspecified reason
      0x09 repeated attempts
      0x0a invalid parameters
      0x0b dhkey check failed
      0x0c numeric comparison failed
      0x0d br/edr pairing in progress
      0x0e cross-transport key derivation not allowed
      0x0f key rejected
      0x10 busy
    enum keypress
      0 passkey entry started
      1 passkey digit entered
      2 passkey digit erased
      3 passkey cleared
      4 passkey entry completed
    """
}
