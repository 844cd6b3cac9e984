import Analysis
import Bluetooth
import Conversations
import Memory
import Text

/// Shows values that are text as text.
extension PDUBytes {
  /// Whether the bytes read as text; see ``TextBuffer/readsAsText(_:)``.
  @inline(__always)
  var isReadable: Bool {
    // Most values are no text, and their first byte already shows it.
    guard count >= 4, let first = u8(0), first >= 0x20 || (9...13).contains(first), first != 0x7F else { return false }
    return TextBuffer.readsAsText(self)
  }
}

extension PacketRow {
  /// The data of the row on an RFCOMM or L2CAP channel of unknown content; nil for other rows.
  @inline(__always)
  var sentOverChannel: (channel: ChannelIdentity, data: PDUBytes)? {
    switch layer {
    case .rfcomm, .l2cap: channelData
    default: isOfChannel && layer.isOpaque ? channelData : nil
    }
  }
}

extension TextBuffer {
  /// Whether bytes are to be read as text: four or more, all of them printable ASCII, well-formed UTF-8 or the ends of lines, half of them letters,
  /// digits or spaces. Zeros at the end are padding. Shorter values are too often numbers that happen to be printable; so are those of up to seven
  /// bytes with punctuation, and those in which one byte is repeated. Where a single zero follows five bytes or more, it is likely the end of a
  /// text of C, as in `8.12.2`: then punctuation needs only be fewer than letters, digits and spaces.
  static func readsAsText(_ bytes: BorrowedBytes) -> Bool {
    var end = bytes.count
    while end > 0, bytes[end - 1] == 0 { end -= 1 }
    let filled = end
    var isLine = false
    while end > 0, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D {
      end -= 1
      isLine = end <= filled - 2
    }
    guard filled >= 4, end >= (isLine ? 2 : 3) else { return false }
    var words = 0
    var signs = 0
    var wide = 0
    var isRepeated = true
    var at = 0
    while at < end {
      let byte = bytes[at]
      if byte != bytes[0] { isRepeated = false }
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20: words += 1
      case 0x21...0x7E: signs += 1
      case 0x09, 0x0A, 0x0D: signs += 1
      case 0x80...:
        let length = utf8Length(bytes, at)
        guard length > 0 else { return false }
        // Controls beyond ASCII are in no text.
        if length == 2, byte == 0xC2, bytes[at + 1] < 0xA0 { return false }
        wide += 1
        at += length - 1
      default: return false
      }
      at += 1
    }
    if isRepeated { return false }
    if wide > 0, end < 8 { return false }
    let isTerminated = end >= 5 && bytes.count == filled + 1
    if end < 8, !isLine { return words >= 3 && (signs <= 1 || isTerminated && signs < words) }
    return words + wide >= signs
  }

  /// Appends untrusted text in quotes, with the escapes of programming languages; of a long text the first `limit` bytes and the number of the
  /// others.
  func quoted(_ bytes: BorrowedBytes, limit: Int, _ style: Style) {
    var end = bytes.count
    while end > 0, bytes[end - 1] == 0 { end -= 1 }
    let zeros = bytes.count - end
    var shown = min(end, limit)
    // A character is not cut in its middle.
    while shown < end, shown > 0, bytes[shown] & 0xC0 == 0x80 { shown -= 1 }
    byte(UInt8(ascii: "\""))
    escaped(bytes.part(0..<shown))
    byte(UInt8(ascii: "\""))
    if shown < end {
      byte(0x20)
      glyph(.ellipsis, style)
      text(" (+")
      decimal(end - shown)
      byte(UInt8(ascii: ")"))
    } else if zeros > 0 {
      text(" + ")
      decimal(zeros)
      text(zeros == 1 ? " zero" : " zeros")
    }
  }

  /// Appends untrusted text with the escapes of programming languages, without quotes.
  func escaped(_ bytes: BorrowedBytes) {
    var at = 0
    while at < bytes.count {
      var run = at
      while run < bytes.count, bytes[run] >= 0x20, bytes[run] != 0x22, bytes[run] != 0x5C { run += 1 }
      if run > at { untrusted(bytes.part(at..<run), .terminal) }
      guard run < bytes.count else { return }
      switch bytes[run] {
      case 0x09: text("\\t")
      case 0x0A: text("\\n")
      case 0x0D: text("\\r")
      case 0x22: text("\\\"")
      case 0x5C: text("\\\\")
      default:
        text("\\x")
        hex(UInt64(bytes[run]), digits: 2)
      }
      at = run + 1
    }
  }
}
