import PacketCodecs

/// The packets that Android leaves out of its snoop logs. The lengths that packets are cut to show it (AOSP, snoop_logger.cc): its filters keep 14
/// bytes of incoming data, its memory log 15, and data of protected profiles are replaced by a word.
struct AndroidLimits {
  private var (headers, memory, prohibited, others) = (0, 0, 0, 0)
  private var longestCut = 0
  private static let word = Array("PROHIBITED".utf8)

  /// Counts an H4 record that is shorter than the original packet.
  mutating func add(_ record: PacketRecord, _ bytes: borrowing RawSpan) {
    if record.kind == .acl && AndroidLimits.hasWord(bytes) {
      prohibited += 1
    } else if record.kind == .acl && record.captured == 14 && record.direction == .received && bytes.byte(2) >> 4 & 3 == 2 {
      headers += 1
    } else if record.kind == .acl && record.captured == 15 || record.captured == 1 && (record.kind == .sco || record.kind == .iso) {
      memory += 1
    } else {
      others += 1
      longestCut = max(longestCut, record.captured)
    }
  }

  /// Whether the word is among the first 64 bytes.
  private static func hasWord(_ bytes: borrowing RawSpan) -> Bool {
    let last = min(bytes.byteCount, 64) - word.count
    return last >= 0 && (0...last).contains { start in word.indices.allSatisfy { bytes.byte(start + $0) == word[$0] } }
  }

  /// Descriptions of the packets left out.
  var limits: [CaptureLimit] {
    var limits: [CaptureLimit] = []
    if headers > 0 {
      limits.append(
        CaptureLimit(id: "android-headers", text: "redacted by Android: of incoming data only the headers are kept", packets: headers))
    }
    if memory > 0 {
      limits.append(
        CaptureLimit(id: "android-snooz", text: "Android's memory log: data are cut to the first bytes of each packet", packets: memory))
    }
    if prohibited > 0 {
      limits.append(
        CaptureLimit(
          id: "android-prohibited", text: "redacted by Android: data of phone book and messages are taken out", packets: prohibited))
    }
    if others > 0 {
      limits.append(CaptureLimit(id: "cut", text: "packets are cut short, to at most \(longestCut) bytes", packets: others))
    }
    return limits
  }
}
