import Bluetooth
import PacketCodecs

/// The state of one access address.
final class AccessAddressState {
  /// LL_ENC_REQ (Core, Vol 6, Part B, 2.4.2.4).
  struct EncryptionRequest {
    var random: UInt64
    var ediv: UInt16
    var diversifier: UInt64
    /// Its bytes in transmission order.
    var vector: UInt64
    var frame: Int
  }

  /// The previous packet of one sender, to recognize retransmissions (4.5.9).
  private struct Sender {
    var header: UInt8 = 0xFF
    var length = -1
    var digest: UInt64 = 0
    /// The bytes so far of an L2CAP PDU on the channel of the Security Manager, without its header.
    var pdu: [UInt8] = []
    var expected = 0
  }

  let access: UInt32
  var crcInit: UInt32?
  var ends: Ends?
  /// Frame of the connection request, or 0.
  var frame = 0
  var pairing = Pairing()
  var request: EncryptionRequest?
  var session: LinkEncryption?
  private var senders = (Sender(), Sender())

  init(_ access: UInt32) { self.access = access }

  /// Whether a packet is a retransmission of its sender's previous one. False if the sender is unknown.
  func isRepeated(_ header: UInt8, _ length: Int, _ bytes: RawSpan, _ at: Int, _ isCentral: Bool?) -> Bool {
    guard let isCentral else { return false }
    // NESN and MD may differ.
    let kept = header & 0xEB
    let count = min(length, 8, max(0, bytes.byteCount - at))
    let digest = count > 0 ? bytes.integer(at, count) : 0
    func check(_ sender: inout Sender) -> Bool {
      let isSame = sender.header == kept && sender.length == length && sender.digest == digest
      (sender.header, sender.length, sender.digest) = (kept, length, digest)
      return isSame
    }
    return isCentral ? check(&senders.0) : check(&senders.1)
  }

  private func change(_ isCentral: Bool?, _ body: (inout Sender) -> Void) {
    if isCentral == false { body(&senders.1) } else { body(&senders.0) }
  }

  /// Takes the start of an L2CAP PDU.
  func begin(_ body: RawSpan, _ isCentral: Bool?) {
    let isPairing = body.byteCount >= 4 && body.integer(2, 2) == UInt64(L2CAP.ChannelID.smp.rawValue)
    let expected = isPairing ? Int(body.integer(0, 2)) : 0
    // The longest PDU of the Security Manager is Pairing Public Key.
    guard 1...65 ~= expected else { return change(isCentral) { $0.expected = 0 } }
    change(isCentral) { sender in
      sender.expected = expected
      sender.pdu.removeAll(keepingCapacity: true)
      for index in 4..<min(body.byteCount, 4 + expected) { sender.pdu.append(body.byte(index)) }
    }
  }

  /// Takes a continuation fragment of an L2CAP PDU.
  func appendContinuation(_ body: RawSpan, _ isCentral: Bool?) {
    change(isCentral) { sender in
      guard sender.expected > 0 else { return }
      for index in 0..<min(body.byteCount, sender.expected - sender.pdu.count) { sender.pdu.append(body.byte(index)) }
    }
  }

  /// The PDU of the Security Manager that was completed; returned once.
  func takePairingPDU(_ isCentral: Bool?) -> [UInt8]? {
    var result: [UInt8]?
    change(isCentral) { sender in
      guard sender.expected > 0, sender.pdu.count == sender.expected else { return }
      result = sender.pdu
      sender.expected = 0
    }
    return result
  }
}
