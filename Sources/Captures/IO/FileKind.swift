/// Recognizes common files that are no captures by their first bytes, for a better error message.
enum FileKind {
  private static let magics: [(bytes: [UInt8], name: String)] = [
    ([0xFF, 0xD8, 0xFF], "a JPEG picture"),
    ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
    ([0x47, 0x49, 0x46, 0x38], "a GIF picture"),
    ([0x25, 0x50, 0x44, 0x46], "a PDF document"),
    ([0x7F, 0x45, 0x4C, 0x46], "an ELF program"),
    ([0xCF, 0xFA, 0xED, 0xFE], "a Mach-O program"),
    ([0xCA, 0xFE, 0xBA, 0xBE], "a Mach-O program or a Java class"),
    ([0x4D, 0x5A], "a Windows program"),
    ([0x73, 0x6E, 0x6F, 0x6F, 0x70, 0], "a snoop capture of Ethernet"),
    ([0x28, 0xB5, 0x2F, 0xFD], "compressed with zstd, which is not read"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "compressed with xz, which is not read"),
    ([0x42, 0x5A, 0x68], "compressed with bzip2, which is not read"),
    ([0x04, 0x22, 0x4D, 0x18], "compressed with lz4, which is not read"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive, which is not read"),
    ([0x52, 0x61, 0x72, 0x21], "a RAR archive, which is not read"),
    ([0x53, 0x51, 0x4C, 0x69, 0x74, 0x65], "an SQLite database"),
    ([0x62, 0x70, 0x6C, 0x69, 0x73, 0x74], "a property list"),
    ([0x23, 0x21], "a script"),
    ([0xD0, 0xCF, 0x11, 0xE0], "an old Office document"),
    ([0x00, 0x00, 0x00, 0x18, 0x66, 0x74, 0x79, 0x70], "a film"),
    ([0x00, 0x00, 0x00, 0x20, 0x66, 0x74, 0x79, 0x70], "a film"),
    ([0x49, 0x44, 0x33], "an MP3 recording"),
    ([0x52, 0x49, 0x46, 0x46], "a RIFF file (WAV, AVI)"),
    ([0x4F, 0x67, 0x67, 0x53], "an Ogg recording"),
  ]

  /// The kind of a file that starts with `head`.
  static func name(of head: [UInt8]) -> String {
    if head.isEmpty { return "an empty file" }
    if let known = magics.first(where: { head.starts(with: $0.bytes) }) { return known.name }
    if head.allSatisfy({ $0 == 0 }) { return "nothing but zero bytes" }
    if isText(head) {
      let start = head.prefix(1024)
      let text = String(decoding: start, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
      if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") { return "an HTML page" }
      if text.hasPrefix("<") { return "an XML document" }
      if text.hasPrefix("{") || text.hasPrefix("[") { return "JSON or other text" }
      return "text"
    }
    return "data of no known kind"
  }

  /// Whether the first bytes are text.
  static func isText(_ head: [UInt8]) -> Bool {
    !head.isEmpty && head.prefix(1024).allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 || $0 == 10 || $0 == 13 || $0 == 0x1B }
  }
}
