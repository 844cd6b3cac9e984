import PacketCodecs

extension PacketKind {
  /// A text in the capture rather than a packet: a system note, a log line.
  public var isNote: Bool { self == .systemNote || self == .userLogging || self == .syslog }
}

/// The text of notes in a capture, in any of the formats.
public enum NoteText {
  /// The text of a record of kind `systemNote`, `userLogging` or `syslog`, from its payload, in one line; empty for other kinds.
  public static func text(_ kind: PacketKind, _ payload: RawSpan) -> String {
    switch kind {
    case .systemNote: return line(payload)
    case .userLogging:
      // Priority, length of the identity, identity, text (BlueZ, doc/btsnoop-protocol.rst).
      if payload.byteCount < 2 { return "" }
      let end = 2 + min(Int(payload.byte(1)), payload.byteCount - 2)
      let identity = line(payload.extracting(2..<end))
      let text = line(payload.extracting(droppingFirst: end))
      return identity.isEmpty ? text : "\(identity): \(text)"
    case .syslog:
      // Process number, kind of message, then process, sender, subsystem, category and message, with a zero byte between them.
      guard payload.byteCount >= 5 else { return line(payload) }
      var parts: [String] = []
      var start = 5
      for index in 5...payload.byteCount where index == payload.byteCount || parts.count < 4 && payload.byte(index) == 0 {
        parts.append(line(payload.extracting(start..<index)))
        start = index + 1
      }
      if parts.count < 5 { return parts.filter { !$0.isEmpty }.joined(separator: " ") }
      let category = [parts[2], parts[3]].filter { !$0.isEmpty }.joined(separator: ":")
      return "\(parts[0])[\(payload.little32(0))]\(category.isEmpty ? "" : " \(category)"): \(parts[4])"
    default: return ""
    }
  }

  /// Text up to its NUL, without trailing line ends; control characters become spaces.
  private static func line(_ bytes: RawSpan) -> String {
    var end = (0..<bytes.byteCount).first { bytes.byte($0) == 0 } ?? bytes.byteCount
    while end > 0, bytes.byte(end - 1) <= 0x20 { end -= 1 }
    return String(decoding: (0..<end).map { bytes.byte($0) < 0x20 || bytes.byte($0) == 0x7F ? 0x20 : bytes.byte($0) }, as: UTF8.self)
  }
}
