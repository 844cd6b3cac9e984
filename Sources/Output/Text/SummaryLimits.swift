import Captures
import Conversations
import Analysis
import Text

extension Summary {
  /// Facts that the log does not contain, one sentence each; text from the capture in them is not escaped yet.
  public var limits: [String] {
    var lines = outcome.limits.map { $0.packets > 0 ? "\($0.text) (\($0.packets) packets)" : $0.text }
    if lines.isEmpty, truncated > 0 {
      lines.append("\(truncated) \(truncated == 1 ? "packet was" : "packets were") cut by the capture: their ends are missing")
    }
    if dropped > 0 { lines.append("\(dropped) packets were dropped by the capture") }
    for connection in outcome.tables.connections where connection.startFrame == 0 {
      let handle = TextBuffer.words { $0.hex(UInt64(connection.handle), digits: 4) }
      lines.append("the capture starts inside connection 0x\(handle)\(connection.peer < 0 ? ": the peer's address is not known" : "")")
      if lines.count > 8 { break }
    }
    let overflow = outcome.tables.overflow
    for (count, what) in [
      (overflow.connections, "connections"), (overflow.peers, "devices"), (overflow.attributes, "attributes"),
      (overflow.identityKeys, "identity resolving keys"),
      (operationCounts.leftOut, "operations of connections"),
    ] where count > 0 {
      lines.append("\(count) \(what) were too many to be kept")
    }
    if let damage = outcome.damage { lines.append("\(damage.what) in packet \(damage.frame) (byte \(damage.offset))") }
    return lines
  }
}
