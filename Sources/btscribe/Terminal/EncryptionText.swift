import Keys
import Output
import Text

/// Encrypted connections and their keys, for people.
struct EncryptionText {
  private let out: TextBuffer

  init(_ out: TextBuffer) { self.out = out }

  /// Prints the connections that were not decrypted, each with what is needed to decrypt it.
  func needs(_ sessions: [EncryptedSession]) {
    let closed = sessions.filter { $0.need != .nothing && $0.failed > 0 }
    guard !closed.isEmpty else { return }
    out.text("\nEncrypted\n")
    var before: EncryptedSession?
    for session in closed {
      // Encryption can start several times in one connection.
      let isSame = before.map { listed in
        listed.accessAddress == session.accessAddress && listed.connectionFrame == session.connectionFrame && listed.need == session.need
          && listed.isGivenUp == session.isGivenUp
      }
      before = session
      if isSame == true { continue }
      out.string("  \(Self.name(session)): encrypted, \(Self.advice(session))\n")
    }
  }

  /// Prints a list that `--keys` reads: keys with their origin and the connections that they decrypt, then connections that were not decrypted.
  func list(_ ring: KeyRing, _ sessions: [(file: String, session: EncryptedSession, key: Key?)], isFromSeveralCaptures: Bool) {
    for known in ring.keys {
      out.string(known.key.text)
      let origin = known.frame > 0 ? "frame \(known.frame), \(known.origin)" : known.origin
      out.string(
        "  # \(isFromSeveralCaptures && !known.file.isEmpty ? "\(CommandError.clean(known.file)): " : "")\(CommandError.clean(origin))")
      for session in sessions where session.key == known.key {
        let file = isFromSeveralCaptures ? "\(CommandError.clean(session.file)): " : ""
        out.string("; opens \(file)\(Self.name(session.session)), \(session.session.decrypted) packets")
        if session.session.failed > 0 { out.string(", \(session.session.failed) not") }
        if session.session.missed > 0 { out.string(", \(session.session.missed) more were not heard") }
      }
      out.text("\n")
    }
    for key in ring.named { out.string("\(key.text)  # of a profile\n") }
    for session in sessions where session.key == nil && session.session.failed > 0 {
      let file = isFromSeveralCaptures ? "\(CommandError.clean(session.file)): " : ""
      out.string("# \(file)\(Self.name(session.session)): encrypted, \(Self.advice(session.session))\n")
    }
  }

  /// A connection, and the frame from which on it was encrypted.
  static func name(_ session: EncryptedSession) -> String {
    let digits = String(session.accessAddress, radix: 16)
    let kind =
      switch session.kind {
      case .connection: "connection"
      case .connectedStream: "stream of a connection (CIS)"
      case .broadcastStream: "stream of a broadcast (BIS)"
      }
    var text = "\(kind) 0x\(String(repeating: "0", count: max(0, 8 - digits.count)))\(digits)"
    if let central = session.central, let peripheral = session.peripheral { text += " (\(central) to \(peripheral))" }
    return text + " from frame \(session.frame)"
  }

  /// What is needed to decrypt a session.
  static func advice(_ session: EncryptedSession) -> String {
    // The right key can be among those that were not tried.
    session.isGivenUp
      ? "and not decrypted: not all keys were tried, as the capture asks for too many trials; give fewer keys, or a part of the capture"
      : advice(session.need)
  }

  private static func advice(_ need: EncryptedSession.Need) -> String {
    let remedies =
      "from the HCI log of the phone or host (--keys LOG; Android: developer options), Android's bt_config.conf, BlueZ's info file, or the key list of macOS or Windows"
    return switch need {
    case .crack: "needs --crack: its legacy pairing is in the capture; or --key passkey=123456"
    case .temporaryKey: "needs --key tk=HEX: no passkey fits its legacy pairing, so that its temporary key came out of band"
    case .incompletePairing: "needs --key ltk=HEX or stk=HEX: parts of its pairing were not heard; a key comes \(remedies)"
    case .secureConnections:
      "needs --key ltk=HEX, or private=HEX of one side: it was paired with Secure Connections; a key comes \(remedies)"
    case .longTermKey:
      "needs --key ltk=HEX: it was paired before the capture or by another way than SMP, and no known key decrypts it; a key comes \(remedies)"
    case .broadcastCode:
      "needs --key code=TEXT, the code of the broadcast, or gsk=HEX, the key of its group; a code comes from a host's HCI log too (--keys LOG)"
    case .connection: "needs the key of its connection"
    case .nothing: "and nothing of it was heard"
    }
  }
}
