import Captures
import Conversations
import Timeline

extension Summary {
  /// What the log cannot show, a sentence each; text of the capture in them is as it is, to be escaped by who writes it.
  public var limits: [String] {
    var lines = outcome.limits.map { $0.packets > 0 ? "\($0.text) (\($0.packets) packets)" : $0.text }
    if lines.isEmpty, truncated > 0 {
      lines.append("\(truncated) \(truncated == 1 ? "packet was" : "packets were") cut by the capture: their ends are missing")
    }
    if dropped > 0 { lines.append("\(dropped) packets were dropped by the capture") }
    for connection in outcome.tables.connections where connection.startFrame == 0 {
      let handle = Output.words {
        $0.text("0x")
        $0.hex(UInt64(connection.handle), digits: 4)
      }
      lines.append("the capture starts inside connection \(handle)\(connection.peer < 0 ? ": the peer's address is not known" : "")")
      if lines.count > 8 { break }
    }
    if let damage = outcome.damage { lines.append("\(damage.what) in packet \(damage.frame) (byte \(damage.offset))") }
    return lines
  }
}

extension Output {
  /// What `body` writes, as a text.
  public static func words(_ body: (Output) -> Void) -> String {
    let out = Output()
    body(out)
    return unsafe String(decoding: out.gathered, as: UTF8.self)
  }

  /// Bytes of unknown origin as a text that does no harm where it is shown; see ``Escape/terminal``.
  static func harmless(_ bytes: [UInt8]) -> String { words { $0.untrusted(bytes, .terminal) } }

  /// A text of unknown origin as one that does no harm where it is shown.
  static func harmless(_ text: String) -> String { harmless(Array(text.utf8)) }
}
