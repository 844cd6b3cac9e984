import Bluetooth
import Conversations

/// Severity of an error when an operation fails with it, and advice.
struct ErrorAdvice {
  let severity: Severity
  let advice: StaticString

  private init(_ severity: Severity, _ advice: StaticString) {
    self.severity = severity
    self.advice = advice
  }

  /// Connection parameters that this host's controller did not change.
  static let controllerBusy = ErrorAdvice(.note, "the peer was not asked: another procedure may be in progress, repeat the request")

  /// Encryption that failed while devices paired.
  static func pairingEncryption(_ error: UInt8) -> ErrorAdvice {
    switch error {
    case 0x06:
      .init(.error, "the requested key does not exist yet: no bond is lost, let the pairing finish or start it again")
    default: .init(.error, "the pairing did not finish: no earlier bond is affected, start it again")
    }
  }

  /// Pairing that this host aborted.
  static func pairingByHost(_ reason: UInt8) -> ErrorAdvice {
    reason == 0x08
      ? .init(.error, "the user dismissed the dialog, or the host aborted the pairing: look into this host's log") : pairing(reason)
  }

  /// Refused connection parameters, for any error.
  static let parameters = ErrorAdvice(.note, "the link keeps its parameters: request parameters that the other side allows")

  /// ATT errors of requests for an attribute.
  static func att(_ error: UInt8, of attribute: Finding.RefusedAttribute) -> ErrorAdvice {
    let general = att(error)
    switch (attribute, error) {
    case (.swappedConfiguration, _):
      return .init(general.severity, "01 00 asks for notifications, 02 00 for indications: the two bytes are in the wrong order")
    case (.descriptor, 0x02): return .init(general.severity, "the descriptor cannot be read: its characteristic's properties do not tell")
    case (.descriptor, 0x03):
      return .init(
        general.severity,
        "the descriptor cannot be written, or not with this value: its characteristic's property write is not about descriptors")
    case (.descriptor, 0x0D): return .init(general.severity, "the descriptor does not accept a value of this length")
    case (.descriptor, 0x13): return .init(general.severity, "the value is not allowed: see the definition of the descriptor")
    default: return general
    }
  }

  /// ATT errors (Core, Vol 3, Part F, 3.4.1.1, and the Supplement, Part B).
  private static func att(_ error: UInt8) -> ErrorAdvice {
    switch error {
    case 0x01:
      .init(
        .error,
        "the server has no such handle, or the range that was asked for ends before it begins: discover again if the table is old"
      )
    case 0x02: .init(.warning, "the attribute cannot be read: look at the properties of the characteristic")
    case 0x03:
      .init(
        .warning,
        "the attribute cannot be written: look at the properties of the characteristic, and whether it wants write without response")
    case 0x04: .init(.error, "the request is malformed")
    case 0x05: .init(.note, "pair, then ask again")
    case 0x06: .init(.note, "the server does not support this request: use another one")
    case 0x07: .init(.warning, "the offset is beyond the end of the value")
    case 0x08: .init(.warning, "the device does not allow this app to do that")
    case 0x09: .init(.warning, "prepare fewer writes before executing them")
    case 0x0A: .init(.note, "there is no such attribute in the range: this is the normal end of a search")
    case 0x0B: .init(.note, "read it with a plain read: the value fits one packet")
    case 0x0C: .init(.warning, "the key is too short: pair again with one of 16 bytes")
    case 0x0D: .init(.error, "the characteristic does not accept a value of this length")
    case 0x0E: .init(.warning, "an internal error of the device: the request may not be possible now")
    case 0x0F: .init(.note, "encrypt the link, then ask again")
    case 0x10: .init(.note, "ask for the primary services instead: this type has no groups")
    case 0x11: .init(.warning, "the device has no resources left: request less at a time, or later")
    case 0x12: .init(.note, "the attribute table changed: discover again")
    case 0x13: .init(.warning, "the value is not allowed: see the definition of the characteristic")
    case 0x80...0x9F: .init(.warning, "an error that the service defines: see its specification")
    case 0xFC: .init(.warning, "the device is in a state that does not allow the write")
    case 0xFD: .init(.error, "subscribe to the characteristic first: its configuration has notifications and indications off")
    case 0xFE: .init(.warning, "wait for the procedure that is in progress")
    case 0xFF: .init(.warning, "the value is out of its range")
    default: .init(.warning, "the specification does not define this code: see the documentation of the device")
    }
  }

  /// HCI errors (Core, Vol 1, Part F) as the reason why a connection ended, was not established, or was not encrypted.
  static func hci(_ error: UInt8) -> ErrorAdvice {
    switch error {
    case 0x04: .init(.note, "the device did not answer: it is off, out of reach, connected elsewhere, or does not use BR/EDR")
    case 0x05: .init(.error, "the keys of the two sides differ: delete the bond on both, and pair again")
    case 0x06:
      .init(
        .error,
        "the other side has no key for this one: they never paired, or it deleted the bond; delete the bond on this side too, and pair again"
      )
    case 0x08:
      .init(.warning, "nothing was heard for the supervision timeout: out of range, interference, switched off, or the device restarted")
    case 0x09: .init(.error, "the controller has reached its limit of connections: end one first")
    case 0x0B: .init(.warning, "there is a connection to this device already, or another attempt is in progress")
    case 0x0C: .init(.warning, "the controller is busy with another attempt, or with advertising or scanning")
    case 0x0D: .init(.warning, "the device has no room for another connection")
    case 0x0E, 0x0F: .init(.warning, "the device does not accept this host")
    case 0x10: .init(.warning, "the device did not accept in time")
    case 0x1F: .init(.warning, "the controller gives no reason: look at what came before")
    case 0x22:
      .init(.warning, "a procedure of the link was not finished: the other side did not answer for 40 s, or the link was lost during it")
    case 0x25, 0x2F: .init(.error, "the key does not give the requested security: pair again")
    case 0x28: .init(.warning, "an update was missed: the link was too bad at that moment")
    case 0x29, 0x18: .init(.error, "the device does not pair in its present state: put it into pairing mode")
    case 0x3B: .init(.warning, "the connection parameters are not acceptable to the other side: ask for others")
    case 0x3C: .init(.note, "the device did not connect in time after the call")
    case 0x3D: .init(.error, "a packet's integrity check failed: the keys of the two sides differ, or somebody interferes")
    case 0x3E: .init(.warning, "the device did not answer the first packets: weak signal, or out of range by then; try again")
    default: .init(.warning, "see the specification of the controller for the code, and the packets before")
    }
  }

  /// Results of a Connection Response of L2CAP (Core, Vol 3, Part A, 4.3).
  static func channel(_ result: UInt8) -> ErrorAdvice {
    switch result {
    case 0x02: .init(.warning, "the side that was asked has no such service: look up with SDP what it offers")
    case 0x03:
      .init(
        .warning,
        "the side that was asked requires pairing, encryption, or the user's consent: pair, and accept (trust) the other device there")
    case 0x04: .init(.warning, "the side that was asked has no room for this channel: close another one, or wait and ask again")
    case 0x06, 0x07: .init(.warning, "the side that asked gives a channel identifier that is not allowed or in use: look into its L2CAP")
    default: .init(.warning, "see the specification for the code, and the log of the side that was asked")
    }
  }

  /// Results of a credit-based connection response (Part A, 4.23 and 4.26).
  static func creditBasedChannel(_ result: UInt8) -> ErrorAdvice {
    switch result {
    case 0x02: .init(.warning, "the side that was asked has no such service: its SPSM is wrong, or the service is not started")
    case 0x04: .init(.warning, "the side that was asked has no room for this channel: close another one, or wait and ask again")
    case 0x05: .init(.warning, "pair the devices, then ask again")
    case 0x06: .init(.warning, "the user has to allow this on the side that was asked")
    case 0x07: .init(.warning, "the key is too short: pair again with one of 16 bytes")
    case 0x08: .init(.warning, "encrypt the link, then ask again")
    case 0x09, 0x0A: .init(.warning, "the side that asked gives a channel identifier that is not allowed or in use: look into its L2CAP")
    case 0x0B, 0x0C: .init(.warning, "the MTU, MPS or number of channels in the request is not allowed: ask with others")
    default: .init(.warning, "see the specification for the code, and the log of the side that was asked")
    }
  }

  /// Reasons of Pairing Failed (Core, Vol 3, Part H, 3.5.5).
  static func pairing(_ reason: UInt8) -> ErrorAdvice {
    switch reason {
    case 0x01: .init(.error, "the passkey was not entered, or the user cancelled")
    case 0x02: .init(.error, "the out-of-band data of the other side is missing")
    case 0x03: .init(.error, "the input and output capabilities of the two sides do not allow the security that one requires")
    case 0x04: .init(.error, "the passkey was wrong, or the two sides computed different values")
    case 0x05: .init(.error, "the device does not support pairing, or not now: put it into pairing mode")
    case 0x06: .init(.error, "the key would be too short for one side")
    case 0x07: .init(.error, "one side does not know a pairing command of the other")
    case 0x08: .init(.error, "the other side gives no reason: look into its log")
    case 0x09: .init(.error, "too many attempts: wait, then try again")
    case 0x0A: .init(.error, "a pairing command had invalid parameters")
    case 0x0B: .init(.error, "the key check failed: one side computed another secret")
    case 0x0C: .init(.error, "the user reported that the numbers differ")
    case 0x0D: .init(.error, "pairing over BR/EDR is in progress")
    case 0x0F: .init(.error, "the other side did not accept a key")
    case 0x10: .init(.error, "the other side is busy: try again")
    default: .init(.error, "the specification does not define this reason: look into the other side's log")
    }
  }
}

extension ASCS {
  /// Advice for a response code (ASCS 1.0.1, 5).
  static func advice(_ code: UInt8) -> StaticString {
    switch code {
    case 0x01, 0x02: "the client writes what the server cannot read: compare it with ASCS 1.0.1, 5"
    case 0x03: "ask for ASEs that the server has: read the characteristics of sink and source ASEs for their numbers"
    case 0x04: "the ASE was in another state than the operation needs: wait for the notification of its state before the next operation"
    case 0x05: "the operation is for ASEs of the other direction: Receiver Start Ready and Receiver Stop Ready are for sources"
    case 0x06...0x09: "ask for a codec and a QoS that the server's PAC records and its ASE, in the state codec configured, allow"
    case 0x0A...0x0C: "write metadata that the server knows: streaming contexts among its available audio contexts"
    case 0x0D: "release other ASEs first, or ask for less: another client may use the server's resources"
    default: "look into the server's log"
    }
  }
}
