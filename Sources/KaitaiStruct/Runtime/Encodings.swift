import Memory

#if canImport(Glibc)
  import Glibc
#endif

/// A text encoding, by its name in the specification.
struct Encoding: Equatable {
  enum Form: Equatable {
    case plain
    case utf16(isLittle: Bool)
    case utf32(isLittle: Bool)
    /// Index into ``CodePages/upperHalves``.
    case page(Int)
    /// Converted by the C library, under this name.
    case system(String)
    case unknown
  }

  let name: String
  let form: Form

  init(_ name: String) {
    self.name = name
    var key = name.lowercased().filter { $0 != " " }
    key = key.replacing("_", with: "-")
    switch key {
    case "ascii", "us-ascii", "utf-8", "utf8": form = .plain
    case "utf-16le", "utf16le", "utf-16-le", "ucs-2le": form = .utf16(isLittle: true)
    case "utf-16be", "utf16be", "utf-16-be", "utf-16", "ucs-2be": form = .utf16(isLittle: false)
    case "utf-32le", "utf32le", "utf-32-le": form = .utf32(isLittle: true)
    case "utf-32be", "utf32be", "utf-32-be", "utf-32": form = .utf32(isLittle: false)
    default:
      if key.hasPrefix("iso8859") { key = "iso-8859" + key.dropFirst(7) }
      if key.hasPrefix("cp12") || key.hasPrefix("cp874") { key = "windows-" + key.dropFirst(2) }
      if key.hasPrefix("cp"), key.count == 5 { key = "ibm" + key.dropFirst(2) }
      if key == "latin1" || key == "latin-1" { key = "iso-8859-1" }
      if let index = CodePages.upperHalves.firstIndex(where: { $0.name == key }) {
        form = .page(index)
      } else {
        let known = [
          "sjis": "SHIFT_JIS", "shift-jis": "SHIFT_JIS", "windows-31j": "CP932", "ms932": "CP932", "cp932": "CP932", "euc-jp": "EUC-JP",
          "iso-2022-jp": "ISO-2022-JP", "euc-kr": "EUC-KR", "cp949": "CP949", "gb2312": "GB2312", "gbk": "GBK", "gb18030": "GB18030",
          "big5": "BIG5", "big5-hkscs": "BIG5-HKSCS",
        ]
        form = known[key].map(Form.system) ?? .unknown
      }
    }
  }

  /// Text in this encoding is not copied.
  var isPlain: Bool { form == .plain }

  /// Size in bytes of the smallest unit, which is that of a zero terminator.
  var unit: Int {
    switch form {
    case .utf16: 2
    case .utf32: 4
    default: 1
    }
  }

  /// Number of bytes that are decoded in the time of a step.
  var bytesOfStep: Int {
    switch form {
    case .plain, .unknown: 64
    case .utf16: 4
    case .utf32, .page: 2
    case .system: 1
    }
  }

  /// UTF-8 of `bytes`; invalid characters become U+FFFD. Nil where the encoding is unknown.
  func decode(_ bytes: BorrowedBytes) -> [UInt8]? {
    switch form {
    case .plain: return Array(bytes)
    case .utf16(let isLittle):
      let units = (0..<bytes.count / 2).map { index in
        (isLittle ? bytes.u16(index * 2) : bytes.u16be(index * 2)) ?? 0
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    case .utf32(let isLittle):
      var text = String.UnicodeScalarView()
      for index in 0..<bytes.count / 4 {
        let unit = bytes.u32(index * 4) ?? 0
        text.append(Unicode.Scalar(isLittle ? unit : unit.byteSwapped) ?? "\u{fffd}")
      }
      return Array(String(text).utf8)
    case .page(let index):
      let upper = Self.tables[index]
      var text = String.UnicodeScalarView()
      for index in bytes.indices {
        let byte = bytes[index]
        text.append(byte < 128 ? Unicode.Scalar(byte) : upper[Int(byte) - 128])
      }
      return Array(String(text).utf8)
    case .system(let name): return Self.convert(bytes, from: name, to: "UTF-8")
    case .unknown: return nil
    }
  }

  /// `text`, which is UTF-8, in this encoding; nil where the encoding is unknown or does not have a character.
  func encode(_ text: [UInt8]) -> [UInt8]? {
    let string = String(decoding: text, as: UTF8.self)
    switch form {
    case .plain:
      if name.lowercased().hasSuffix("ascii"), text.contains(where: { $0 > 127 }) { return nil }
      return Array(text)
    case .utf16(let isLittle):
      return string.utf16.flatMap {
        isLittle ? [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)]
      }
    case .utf32(let isLittle):
      return string.unicodeScalars.flatMap { scalar -> [UInt8] in
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> UInt32(8 * $0)) }
        return isLittle ? bytes : bytes.reversed()
      }
    case .page(let index):
      var result: [UInt8] = []
      for scalar in string.unicodeScalars {
        if scalar.value < 128 {
          result.append(UInt8(scalar.value))
        } else if scalar != "\u{fffd}", let upper = Self.tables[index].firstIndex(of: scalar) {
          result.append(UInt8(upper + 128))
        } else {
          return nil
        }
      }
      return result
    case .system(let name): return unsafe text.withUnsafeBytes { unsafe Self.convert(BorrowedBytes($0), from: "UTF-8", to: name) }
    case .unknown: return nil
    }
  }

  private static let tables: [[Unicode.Scalar]] = CodePages.upperHalves.map { Array($0.characters.unicodeScalars) }

  /// Converts with the C library; nil where it does not know the encoding, or the bytes are invalid.
  private static func convert(_ bytes: BorrowedBytes, from: String, to: String) -> [UInt8]? {
    #if canImport(Glibc)
      guard let converter = unsafe iconv_open(to, from), Int(bitPattern: converter) != -1 else { return nil }
      defer { unsafe iconv_close(converter) }
      // No character of these encodings takes more than four times its bytes in the other.
      var result = [UInt8](repeating: 0, count: bytes.count * 4 + 16)
      let capacity = result.count
      var left = 0
      let failed = unsafe result.withUnsafeMutableBytes { target -> Bool in
        var input: UnsafeMutablePointer<CChar>? = unsafe UnsafeMutablePointer(mutating: bytes.start.assumingMemoryBound(to: CChar.self))
        var inputLeft = bytes.count
        var output = unsafe target.baseAddress?.assumingMemoryBound(to: CChar.self)
        left = capacity
        let first = unsafe iconv(converter, &input, &inputLeft, &output, &left)
        return unsafe first == Int(bitPattern: UInt.max) || iconv(converter, nil, nil, &output, &left) == Int(bitPattern: UInt.max)
      }
      guard !failed else { return nil }
      result.removeLast(left)
      return result
    #else
      return nil
    #endif
  }
}
