import PacketCodecs

/// A view of messages that consist of hexadecimal digits between markers as the bytes that the digits encode.
struct HexView {
  /// Number of bytes before and after the digits.
  let head: Int
  let foot: Int
  /// The decoded bytes, without the checksum.
  let bodies: [ArraySlice<UInt8>]
  private let checkDigits: Int

  /// Nil where the messages do not have this form. The last `tail` bytes are the checksum and the end marker.
  init?(_ frames: [ArraySlice<UInt8>], tail: Int, _ framing: FramingFinding) {
    guard let first = frames.first, frames.count >= 2 else { return nil }
    func isDigit(_ byte: UInt8) -> Bool { hexValue(byte) != nil }
    var head = 0
    while head < min(3, first.count), !isDigit(first[first.startIndex + head]) { head += 1 }
    var foot = 0
    while foot < min(3, first.count), !isDigit(first[first.endIndex - 1 - foot]) { foot += 1 }
    var total = 0
    var letters = false
    var bodies: [ArraySlice<UInt8>] = []
    let digits = max(0, tail - foot)
    guard digits % 2 == 0 else { return nil }
    for frame in frames {
      guard frame.count >= head + foot + 2, (frame.count - head - foot) % 2 == 0 else { return nil }
      let inner = frame.dropFirst(head).dropLast(foot)
      var body: [UInt8] = []
      var at = inner.startIndex
      while at < inner.endIndex {
        guard let high = hexValue(inner[at]), let low = hexValue(inner[at + 1]) else { return nil }
        if inner[at] > 0x39 || inner[at + 1] > 0x39 { letters = true }
        body.append(high << 4 | low)
        at += 2
      }
      total += body.count
      bodies.append(body.dropLast(min(body.count, digits / 2))[...])
    }
    // Numbers in decimal are text.
    guard total >= 8, letters || (framing.check.map { $0.checksum.form == .asciiHex } ?? false) else { return nil }
    self.head = head
    self.foot = foot
    self.bodies = bodies
    checkDigits = digits
  }

  /// The fields of the decoded bytes at their offsets among the digits, with the markers and the checksum.
  func converted(_ fields: [FieldFinding], _ framing: FramingFinding) -> [FieldFinding] {
    var list: [FieldFinding] = []
    if head > 0 {
      list.append(FieldFinding(offset: 0, size: head, type: .constant, endian: nil, confidence: 0.9, evidence: "starts all messages"))
    }
    for field in fields {
      var converted = field
      converted.offset = head + 2 * field.offset
      converted.size = field.size.map { 2 * $0 }
      converted.isHex = true
      converted.evidence = "hexadecimal digits; " + field.evidence
      list.append(converted)
    }
    if let check = framing.check, !check.isPerPacket, check.checksum.position < 0 {
      list.append(
        FieldFinding(
          offset: check.checksum.position, size: check.checksum.storedCount, type: .checksum, endian: nil, confidence: check.confidence,
          evidence: "\(check.checksum.algorithm.name): \(check.verified) of \(check.of)", isHex: true))
    }
    if foot > 0 {
      list.append(FieldFinding(offset: -foot, size: foot, type: .constant, endian: nil, confidence: 0.9, evidence: "ends all messages"))
    }
    return list
  }
}

/// The framing of the decoded bytes: findings with offsets among the digits are removed.
enum HexFraming {
  static func plain(_ framing: FramingFinding) -> FramingFinding {
    var plain = framing
    plain.start = []
    plain.end = []
    plain.length = nil
    plain.check = nil
    plain.counter = nil
    return plain
  }
}
