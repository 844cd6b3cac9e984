/// The contents of one of Apple's property lists, limited to the types that lists of keys use. Read from the binary form, from XML, and from the text
/// that `defaults read` prints.
enum PropertyList {
  case dictionary([(name: String, value: PropertyList)])
  case array([PropertyList])
  case data([UInt8])
  case text(String)
  /// A number, a date, a boolean: types without keys.
  case other

  /// Most levels of nested values, and most values.
  private static let deepest = 16
  private static let maxNodes = 1 << 17

  /// Reads a property list in any of these forms; nil where the bytes are none, or damaged.
  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: "bplist00".utf8) {
      var reader = BinaryReader(bytes)
      guard let value = reader.top() else { return nil }
      self = value
      return
    }
    var text = TextReader(bytes)
    guard let value = text.document() else { return nil }
    self = value
  }

  /// The value of a name in a dictionary.
  subscript(name: String) -> PropertyList? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries.first { $0.name == name }?.value
  }

  /// The entries of a dictionary; empty for other values.
  var entries: [(name: String, value: PropertyList)] {
    guard case .dictionary(let entries) = self else { return [] }
    return entries
  }

  /// The bytes of data; nil for other values.
  var bytes: [UInt8]? {
    guard case .data(let bytes) = self else { return nil }
    return bytes
  }

  // MARK: Binary

  /// The binary form: objects, the table of their offsets, and a trailer of 32 bytes.
  private struct BinaryReader {
    private let bytes: [UInt8]
    private var offsetSize = 0
    private var referenceSize = 0
    private var count = 0
    private var topObject = 0
    private var table = 0
    private var left = PropertyList.maxNodes
    /// Most bytes that data and texts may have in all: several references may lead to the same object.
    private var room: Int
    private static let maxCopies = 16

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      room = bytes.count * Self.maxCopies
    }

    private func number(_ at: Int, _ size: Int) -> Int? {
      guard at >= 0, 1...8 ~= size, at <= bytes.count - size else { return nil }
      let value = bytes[at..<(at + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return Int(exactly: value)
    }

    mutating func top() -> PropertyList? {
      let trailer = bytes.count - 32
      guard trailer >= 8, let offsetSize = number(trailer + 6, 1), let referenceSize = number(trailer + 7, 1),
        let count = number(trailer + 8, 8), let topObject = number(trailer + 16, 8), let table = number(trailer + 24, 8)
      else { return nil }
      (self.offsetSize, self.referenceSize, self.count, self.topObject, self.table) = (offsetSize, referenceSize, count, topObject, table)
      return object(topObject, 0)
    }

    private mutating func object(_ reference: Int, _ depth: Int) -> PropertyList? {
      left -= 1
      guard left > 0, depth < PropertyList.deepest, reference < count, table <= bytes.count, reference <= bytes.count,
        let at = number(table + reference * offsetSize, offsetSize), at < bytes.count
      else { return nil }
      let kind = bytes[at] >> 4
      guard kind >= 4, kind != 8 else { return .other }
      guard let (start, size) = extent(at) else { return nil }
      switch kind {
      case 4, 5:
        room -= size
        guard size <= bytes.count - start, room >= 0 else { return nil }
        let content = bytes[start..<(start + size)]
        return kind == 4 ? .data(Array(content)) : .text(String(decoding: content, as: UTF8.self))
      case 6:
        room -= 2 * size
        guard size <= (bytes.count - start) / 2, room >= 0 else { return nil }
        let units = (0..<size).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
        return .text(String(decoding: units, as: UTF16.self))
      case 10, 12, 13:
        let parts = kind == 13 ? 2 : 1
        guard referenceSize > 0, size <= (bytes.count - start) / referenceSize / parts else { return nil }
        func reference(_ index: Int) -> Int? { number(start + index * referenceSize, referenceSize) }
        var values: [PropertyList] = []
        var names: [String] = []
        for index in 0..<(size * parts) {
          guard let reference = reference(index), let value = object(reference, depth + 1) else { return nil }
          guard kind == 13, index < size else {
            values.append(value)
            continue
          }
          guard case .text(let name) = value else { return nil }
          names.append(name)
        }
        return kind == 13 ? .dictionary(zip(names, values).map { ($0, $1) }) : .array(values)
      default: return .other
      }
    }

    /// Offset of an object's content, and its number of elements.
    private func extent(_ at: Int) -> (start: Int, size: Int)? {
      let low = Int(bytes[at] & 15)
      if low < 15 { return (at + 1, low) }
      guard at + 1 < bytes.count, bytes[at + 1] >> 4 == 1, bytes[at + 1] & 15 <= 3 else { return nil }
      let size = 1 << Int(bytes[at + 1] & 15)
      guard let value = number(at + 2, size), value <= bytes.count else { return nil }
      return (at + 2 + size, value)
    }
  }

  // MARK: Text

  /// XML, and the older format with braces that `defaults read` prints.
  private struct TextReader {
    private let bytes: [UInt8]
    private var at = 0
    private var left = PropertyList.maxNodes

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipBlanks() { while let byte = next, byte == 32 || 9...13 ~= byte { at += 1 } }

    private mutating func take(_ text: String) -> Bool {
      guard bytes[at...].starts(with: text.utf8) else { return false }
      at += text.utf8.count
      return true
    }

    /// Advances to the end of the next occurrence of a text.
    private mutating func skip(behind text: String) -> Bool {
      let wanted = Array(text.utf8)
      while at + wanted.count <= bytes.count {
        if bytes[at] == wanted[0], bytes[at...].starts(with: wanted) {
          at += wanted.count
          return true
        }
        at += 1
      }
      return false
    }

    mutating func document() -> PropertyList? {
      skipBlanks()
      guard next == UInt8(ascii: "<"), !isHexadecimal(at + 1) else { return next == UInt8(ascii: "{") ? braces(0) : nil }
      while take("<?") || take("<!") {
        guard skip(behind: ">") else { return nil }
        skipBlanks()
      }
      guard take("<plist"), skip(behind: ">") else { return nil }
      return element(0)
    }

    // MARK: XML

    /// The tag that begins here: its name, and whether it is an end tag or an empty element. Advances to its end.
    private mutating func tag() -> (name: String, isEnd: Bool, isEmpty: Bool)? {
      skipBlanks()
      while take("<!--") {
        guard skip(behind: "-->") else { return nil }
        skipBlanks()
      }
      guard take("<") else { return nil }
      let isEnd = take("/")
      let start = at
      while let byte = next, byte != UInt8(ascii: ">") {
        guard at - start < 64 else { return nil }
        at += 1
      }
      guard next != nil else { return nil }
      var name = bytes[start..<at]
      at += 1
      let isEmpty = name.last == UInt8(ascii: "/")
      if isEmpty { name.removeLast() }
      return (String(decoding: name.prefix { $0 > 32 }, as: UTF8.self), isEnd, isEmpty)
    }

    /// The characters until the end of an element.
    private mutating func content(_ name: String) -> [UInt8]? {
      let start = at
      guard skip(behind: "</\(name)>") else { return nil }
      return Array(bytes[start..<(at - name.utf8.count - 3)])
    }

    private mutating func element(_ depth: Int) -> PropertyList? {
      guard let tag = tag(), !tag.isEnd else { return nil }
      return element(tag, depth)
    }

    private mutating func element(_ tag: (name: String, isEnd: Bool, isEmpty: Bool), _ depth: Int) -> PropertyList? {
      left -= 1
      guard left > 0, depth < PropertyList.deepest else { return nil }
      switch tag.name {
      case "dict":
        var entries: [(name: String, value: PropertyList)] = []
        while !tag.isEmpty {
          guard let inner = self.tag() else { return nil }
          if inner.isEnd { break }
          guard inner.name == "key", !inner.isEmpty, let name = content("key"), let value = element(depth + 1) else { return nil }
          entries.append((String(decoding: name, as: UTF8.self), value))
        }
        return .dictionary(entries)
      case "array":
        var values: [PropertyList] = []
        while !tag.isEmpty {
          guard let inner = self.tag() else { return nil }
          if inner.isEnd { break }
          guard let value = element(inner, depth + 1) else { return nil }
          values.append(value)
        }
        return .array(values)
      case "data":
        if tag.isEmpty { return .data([]) }
        return content("data").flatMap(Self.base64).map { .data($0) }
      case "string":
        if tag.isEmpty { return .text("") }
        return content("string").map { .text(String(decoding: $0, as: UTF8.self)) }
      default:
        if !tag.isEmpty, content(tag.name) == nil { return nil }
        return .other
      }
    }

    private static func base64(_ text: [UInt8]) -> [UInt8]? {
      var bytes: [UInt8] = []
      var (bits, count): (UInt32, Int) = (0, 0)
      for character in text where character > 32 && character != UInt8(ascii: "=") {
        let value: UInt8
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): value = 62
        case UInt8(ascii: "/"): value = 63
        default: return nil
        }
        bits = bits << 6 | UInt32(value)
        count += 6
        if count >= 8 {
          count -= 8
          bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
      }
      return bytes
    }

    // MARK: Braces

    private func isHexadecimal(_ index: Int) -> Bool {
      guard index < bytes.count else { return false }
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): return true
      default: return false
      }
    }

    private mutating func braces(_ depth: Int) -> PropertyList? {
      left -= 1
      guard left > 0, depth < PropertyList.deepest else { return nil }
      skipBlanks()
      switch next {
      case UInt8(ascii: "{"):
        at += 1
        var entries: [(name: String, value: PropertyList)] = []
        while true {
          skipBlanks()
          if take("}") { break }
          guard let name = word() else { return nil }
          skipBlanks()
          guard take("="), let value = braces(depth + 1) else { return nil }
          entries.append((name, value))
          skipBlanks()
          guard take(";") || take(",") || next == UInt8(ascii: "}") else { return nil }
        }
        let whole = PropertyList.dictionary(entries)
        // Newer systems print data like this: {length = 16, bytes = 0x00010203…}.
        if entries.count == 2, case .text(let length)? = whole["length"], case .text(let digits)? = whole["bytes"],
          let bytes = Key.bytes(hexadecimal: digits), bytes.count == Int(length)
        {
          return .data(bytes)
        }
        return whole
      case UInt8(ascii: "("):
        at += 1
        var values: [PropertyList] = []
        while true {
          skipBlanks()
          if take(")") { break }
          guard let value = braces(depth + 1) else { return nil }
          values.append(value)
          skipBlanks()
          guard take(",") || next == UInt8(ascii: ")") else { return nil }
        }
        return .array(values)
      case UInt8(ascii: "<"):
        at += 1
        let start = at
        guard skip(behind: ">") else { return nil }
        let digits = String(decoding: bytes[start..<(at - 1)].filter { $0 > 32 }, as: UTF8.self)
        return Key.bytes(hexadecimal: digits).map { .data($0) }
      default: return word().map { .text($0) }
      }
    }

    /// A word, or a text in quotes.
    private mutating func word() -> String? {
      if take("\"") {
        var text: [UInt8] = []
        while let byte = next {
          at += 1
          if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
          if byte == UInt8(ascii: "\\"), let escaped = next {
            at += 1
            text.append(escaped)
          } else {
            text.append(byte)
          }
        }
        return nil
      }
      let start = at
      while let byte = next, byte > 32, !"{}()=;,<>\"".utf8.contains(byte) { at += 1 }
      return at > start ? String(decoding: bytes[start..<at], as: UTF8.self) : nil
    }
  }
}
