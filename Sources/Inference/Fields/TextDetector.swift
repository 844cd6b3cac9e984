import PacketCodecs

/// Text: bytes that are printable in all messages. Each distinct value counts as at most 24 bytes of evidence.
enum TextDetector: FieldDetector {
  static func claim(_ view: FieldView) -> FieldClaim? {
    guard view.size >= 3 else { return nil }
    var letters = 0
    var bytes = 0
    var longest = 0
    for value in view.values {
      var body = value[...]
      while let last = body.last, last == 0 { body.removeLast() }
      longest = max(longest, body.count)
      for byte in body {
        guard byte >= 0x20 && byte < 0x7f else { return nil }
        bytes += 1
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x20: letters += 1
        default: break
        }
      }
    }
    // A small number with zeros behind it is no text.
    guard longest >= 3, letters * 10 >= bytes * 7 else { return nil }
    // Of random bytes one in three is printable.
    let columns = Double(min(bytes, 24 * max(1, view.distinct)))
    return FieldClaim(
      type: .text, endian: nil, bits: columns * 1.4 - 2,
      evidence: view.values.count == 1 ? "printable characters" : "\(view.values.count) values of printable characters")
  }
}
