extension PacketKind {
  /// A text in the capture rather than a packet: a system note, a log line.
  public var isNote: Bool { self == .systemNote || self == .userLogging || self == .syslog }
}

/// The text of notes in a capture, whichever way it is written there.
public enum NoteText {
  /// The text of a record of kind `systemNote`, `userLogging` or `syslog`, from its payload, in one line; empty for other kinds.
  public static func text(_ kind: PacketKind, _ payload: UnsafeRawBufferPointer) -> String {
    switch kind {
    case .systemNote: return unsafe line(payload[...])
    case .userLogging:
      // Priority, length of the identity, identity, text (BlueZ, doc/btsnoop-protocol.rst).
      if payload.count < 2 { return "" }
      let end = unsafe 2 + min(Int(payload[1]), payload.count - 2)
      let identity = unsafe line(payload[2..<end])
      return unsafe identity.isEmpty ? line(payload[end...]) : unsafe "\(identity): \(line(payload[end...]))"
    case .syslog:
      // Process number, kind of message, then process, sender, subsystem, category and message.
      guard payload.count >= 5, let base = payload.baseAddress else { return unsafe line(payload[...]) }
      let parts = unsafe payload[5...].split(separator: 0, maxSplits: 4, omittingEmptySubsequences: false).map { unsafe line($0) }
      if parts.count < 5 { return parts.filter { !$0.isEmpty }.joined(separator: " ") }
      let category = [parts[2], parts[3]].filter { !$0.isEmpty }.joined(separator: ":")
      return unsafe "\(parts[0])[\(little32(base, 0))]\(category.isEmpty ? "" : " \(category)"): \(parts[4])"
    default: return ""
    }
  }

  /// Text up to its NUL, without line ends at its end; control characters become spaces.
  private static func line(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    var text = unsafe bytes.prefix { $0 != 0 }
    while let last = unsafe text.last, last <= 0x20 { unsafe text.removeLast() }
    return unsafe String(decoding: text.lazy.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
  }
}
