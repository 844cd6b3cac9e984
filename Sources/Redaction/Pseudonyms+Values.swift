import PacketCodecs

/// Pseudonyms of values: texts stay texts of the same length and kind, other bytes become bytes. Equal values have equal pseudonyms, and texts
/// with a common beginning have pseudonyms with a common beginning. Every second character, or the end of other bytes, is a mark computed
/// from what stands before it, by which ``isPseudonym(value:)`` knows a pseudonym without the seed.
extension Pseudonyms {
  /// What is known of a value.
  public enum Content: Sendable {
    /// It is text: capitals stay capitals, digits digits, and signs what they are, unless it is a text of signs.
    case text
    /// The same, and signs become other signs.
    case signs
    /// Nothing: what reads as text becomes small letters, as numbers in a row may read as text too.
    case unknown
    /// It is a number, whatever it reads as.
    case number
  }

  /// What a value is made of.
  private enum Form { case zeros, text, wide(isBigEndian: Bool), binary }

  private static let maxAttempts: UInt64 = 16
  /// Fewer bytes than these have a mark of less than eight bits.
  static let fewest = 4

  private static func form(_ value: [UInt8], _ content: Content) -> Form {
    switch content {
    case .text, .signs: form(value)
    case .unknown: unknownForm(value)
    case .number: value.contains { $0 != 0 } ? .binary : .zeros
    }
  }

  /// Whether a value of which nothing is known is taken for text.
  static func readsAsText(_ value: [UInt8]) -> Bool {
    switch unknownForm(value) {
    case .text, .wide: true
    case .zeros, .binary: false
    }
  }

  /// Of a value of which nothing is known: it is text where it reads as text to whoever sees it, four characters of which half are letters,
  /// digits or blanks.
  private static func unknownForm(_ value: [UInt8]) -> Form {
    let end = (value.lastIndex { $0 != 0 } ?? -1) + 1
    if end == 0 { return .zeros }
    let body = textEnd(value, end)
    var letters = 0
    var at = 0
    while at < body {
      switch value[at] {
      case 0x20, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: letters += 1
      case 0x21...0x7E, 9, 10, 13: break
      default:
        guard let size = size(ofScalar: value, at, body) else { return unknownWideForm(value, end) }
        letters += size
        at += size - 1
      }
      at += 1
    }
    return end >= fewest && body >= 2 && letters * 2 >= body ? .text : unknownWideForm(value, end)
  }

  /// Where a text ends before the end of a line, which stays where it cannot be a number: CR and LF, or one of them behind small letters.
  private static func textEnd(_ value: [UInt8], _ end: Int) -> Int {
    guard end > 1, value[end - 1] == 10 || value[end - 1] == 13 else { return end }
    if value[end - 1] == 10, value[end - 2] == 13 { return end - 2 }
    let small = value[..<(end - 1)].count { (0x61...0x7A).contains($0) }
    return small * 2 >= end ? end - 1 : end
  }

  /// Text of two bytes a character, of which nothing is known: four characters, all printable, three of four letters or digits.
  private static func unknownWideForm(_ value: [UInt8], _ end: Int) -> Form {
    guard value.count & 1 == 0 else { return .binary }
    for isBigEndian in [false, true] {
      let (high, low) = isBigEndian ? (0, 1) : (1, 0)
      let stop = (end + 1) & ~1
      var letters = 0
      var isText = stop >= 8
      for at in stride(from: 0, to: stop, by: 2) where isText {
        let byte = value[at + low]
        isText = value[at + high] == 0 && (0x20...0x7E).contains(byte)
        if kind(byte) != nil { letters += 1 }
      }
      if isText, letters * 8 >= stop * 3 { return .wide(isBigEndian: isBigEndian) }
    }
    return .binary
  }

  private static func form(_ value: [UInt8]) -> Form {
    var at = 0
    // NULs fill a text up.
    let end = (value.lastIndex { $0 != 0 } ?? -1) + 1
    if end == 0 { return .zeros }
    while at < end {
      switch value[at] {
      case 0x20...0x7E, 9, 10, 13: at += 1
      default:
        guard let size = size(ofScalar: value, at, end) else { return wideForm(value) }
        at += size
      }
    }
    // Signs alone are a text, too: `?`, `--:--`.
    return .text
  }

  /// Text of two bytes a character.
  private static func wideForm(_ value: [UInt8]) -> Form {
    guard value.count >= 6 else { return .binary }
    for isBigEndian in [false, true] {
      var letters = 0
      var units = 0
      var isText = true
      for at in stride(from: 0, to: value.count - 1, by: 2) {
        let unit = isBigEndian ? UInt16(value[at]) << 8 | UInt16(value[at + 1]) : UInt16(value[at + 1]) << 8 | UInt16(value[at])
        units += 1
        switch unit {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: letters += 1
        case 0x20...0x7E, 0, 9, 10, 13: break
        default: isText = false
        }
      }
      if isText, letters * 3 >= units { return .wide(isBigEndian: isBigEndian) }
    }
    return .binary
  }

  /// Number of bytes of a printable character at a place: of ASCII, or a scalar beyond it in UTF-8. Nil where there is none.
  static func size(ofCharacter value: [UInt8], _ at: Int, _ end: Int) -> Int? {
    (0x20...0x7E).contains(value[at]) ? 1 : size(ofScalar: value, at, end)
  }

  /// Number of bytes of a scalar beyond ASCII in UTF-8 (RFC 3629), nil where there is none.
  private static func size(ofScalar value: [UInt8], _ at: Int, _ end: Int) -> Int? {
    let size: Int
    switch value[at] {
    case 0xC2...0xDF: size = 2
    case 0xE0...0xEF: size = 3
    case 0xF0...0xF4: size = 4
    default: return nil
    }
    guard at + size <= end else { return nil }
    for place in 1..<size where value[at + place] & 0xC0 != 0x80 { return nil }
    let second = value[at + 1]
    switch value[at] {
    case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90, 0xF4 where second > 0x8F: return nil
    default: return size
    }
  }

  // MARK: Characters

  /// A chain of characters: each that is replaced depends on all before it.
  private struct Chain {
    var hidden: UInt64
    var mark: UInt64 = 0x6d61_726b
    var count = 0

    init(_ domain: UInt64, round: UInt64 = 0) { hidden = domain &+ round << 8 }
  }

  /// The number that stands for a character of a kind of `count`, given what it was.
  private func next(_ chain: inout Chain, _ old: UInt64, of count: UInt64) -> UInt64 {
    chain.hidden = values.hash(chain.hidden, old)
    let new = chain.count & 1 == 0 ? chain.hidden % count : chain.mark % count
    chain.mark = Self.publicHash.hash(chain.mark, new &+ count << 32)
    chain.count += 1
    return new
  }

  /// Whether a character is what a pseudonym has there; `count` as above.
  private static func follows(_ chain: inout Chain, _ new: UInt64, of count: UInt64) -> Bool {
    let fits = chain.count & 1 == 0 || chain.mark % count == new
    chain.mark = publicHash.hash(chain.mark, new &+ count << 32)
    chain.count += 1
    return fits
  }

  /// Kinds of characters that are replaced by their like: first and number of them.
  @inline(__always)
  private static func kind(_ byte: UInt8) -> (first: UInt8, count: UInt64)? {
    switch byte {
    case 0x30...0x39: (0x30, 10)
    case 0x41...0x5A: (0x41, 26)
    case 0x61...0x7A: (0x61, 26)
    default: nil
    }
  }

  /// Scalars that stand for those of two, three and four bytes: Cyrillic letters, Chinese characters, faces.
  private static func scalars(_ size: Int) -> (first: UInt32, count: UInt64) {
    switch size {
    case 2: (0x430, 32)
    case 3: (0x4E00, 4096)
    default: (0x1F600, 64)
    }
  }

  private static func scalar(_ value: [UInt8], _ at: Int, _ size: Int) -> UInt32 {
    var scalar = UInt32(value[at]) & (0x7F >> UInt32(size))
    for place in 1..<size { scalar = scalar << 6 | UInt32(value[at + place] & 0x3F) }
    return scalar
  }

  /// What replaces a character of ASCII; nil where it stays. Of a value of which nothing is known it is a small letter, whatever it was.
  @inline(__always)
  private static func kind(_ byte: UInt8, _ content: Content) -> (first: UInt8, count: UInt64)? {
    switch content {
    case .text: kind(byte)
    case .signs: kind(byte) ?? (isSign(byte) ? (signs[0], UInt64(signs.count)) : nil)
    case .unknown, .number: (0x61, 26)
    }
  }

  // MARK: Signs

  /// Signs that stand for others: neither JSON nor CSV, a line of AT commands or markup means something by them.
  private static let signs = Array("!#*-./@_".utf8)

  /// A sign of ASCII that is printed.
  static func isSign(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// The character of a kind that a number stands for, and the other way round.
  @inline(__always)
  private static func character(_ first: UInt8, _ number: UInt64) -> UInt8 {
    first == signs[0] ? signs[Int(truncatingIfNeeded: number) & (signs.count - 1)] : first &+ UInt8(truncatingIfNeeded: number)
  }
  private static func number(_ character: UInt8, _ first: UInt8) -> UInt64 {
    first == signs[0] ? UInt64(signs.firstIndex(of: character) ?? signs.count) : UInt64(character &- first)
  }

  /// Whether a text says what it says by signs: of four characters or more less than a third are letters and digits, and it is neither one sign again and
  /// again nor a date or a time without digits. Of a name, `isName`, any sign may say something.
  static func isOfSigns(_ value: [UInt8], isName: Bool = false) -> Bool {
    var (letters, signs, blanks) = (0, 0, 0)
    var first: UInt8 = 0
    var (isVaried, isDate) = (false, true)
    let end = (value.lastIndex { $0 != 0 } ?? -1) + 1
    var at = 0
    while at < end {
      let byte = value[at]
      switch byte {
      case 0x20: blanks += 1
      case 9, 10, 13: break
      case _ where kind(byte) != nil: letters += 1
      case _ where isSign(byte):
        signs += 1
        if first == 0 { first = byte }
        isVaried = isVaried || byte != first
        isDate = isDate && (0x2D...0x2F ~= byte || byte == 0x3A)
      default:
        guard let size = size(ofScalar: value, at, end) else { return false }
        letters += 1
        at += size - 1
      }
      at += 1
    }
    guard signs > 0, letters * 2 < signs + blanks else { return false }
    return isName || letters + signs + blanks >= fewest && isVaried && !isDate
  }

  /// What is asked for, and of a text of signs that these are replaced.
  private static func refined(_ value: [UInt8], _ content: Content) -> Content { content == .text && isOfSigns(value) ? .signs : content }

  /// Where the characters of a text end that are replaced.
  private static func end(_ value: [UInt8], _ content: Content) -> Int {
    content == .text || content == .signs ? value.count : textEnd(value, (value.lastIndex { $0 != 0 } ?? -1) + 1)
  }

  /// Goes through the characters of a text; `body` gets each that is replaced, its kind, and gives the new one, or nil to leave it.
  private static func characters(
    _ value: inout [UInt8], _ content: Content, _ body: (_ at: Int, _ old: UInt64, _ first: UInt8, _ count: UInt64) -> UInt64?
  ) {
    var at = 0
    let stop = end(value, content)
    while at < stop {
      let byte = value[at]
      if byte < 0x80 {
        if let (first, count) = kind(byte, content), let new = body(at, UInt64(byte), first, count) {
          value[at] = character(first, new)
        }
        at += 1
        continue
      }
      guard let size = size(ofScalar: value, at, value.count) else { return }
      let (first, count) = scalars(size)
      let old = scalar(value, at, size)
      if let new = body(at, UInt64(old), 0, count) {
        var rest = first + UInt32(truncatingIfNeeded: new)
        for place in (1..<size).reversed() {
          value[at + place] = 0x80 | UInt8(rest & 0x3F)
          rest >>= 6
        }
        value[at] = (size == 2 ? 0xC0 : size == 3 ? 0xE0 : 0xF0) | UInt8(truncatingIfNeeded: rest)
      }
      at += size
    }
  }

  /// The same for characters of two bytes, all of them ASCII.
  private static func wideCharacters(
    _ value: inout [UInt8], isBigEndian: Bool, _ content: Content, _ body: (_ old: UInt64, _ first: UInt8, _ count: UInt64) -> UInt64
  ) {
    for at in stride(from: isBigEndian ? 1 : 0, to: value.count & ~1, by: 2) {
      guard content != .unknown || value[at] != 0, let (first, count) = kind(value[at], content) else { continue }
      value[at] = character(first, body(UInt64(value[at]), first, count))
    }
  }

  // MARK: Digits

  /// The pseudonym of the digits of a number that is written out: as many, the first of which is no zero where it was none. A single digit
  /// becomes zero, as there is no room for a mark.
  func digits(_ old: [UInt8]) -> [UInt8] {
    var result = old
    // The zero before a point.
    let start = old.first == 0x30 ? 1 : 0
    if old.count - start == 1 { result[start] = 0x30 }
    guard old.count - start > 1 else { return result }
    var chain = Chain(6)
    for at in start..<old.count {
      let isFirst = at == 0
      let new = next(&chain, UInt64(old[at]), of: isFirst ? 9 : 10)
      result[at] = (isFirst ? 0x31 : 0x30) + UInt8(truncatingIfNeeded: new)
    }
    return result
  }

  /// Whether the digits of a number are a pseudonym, or say nothing. Every second digit is a mark: other digits pass by chance, one in ten for each mark.
  func isPseudonym(digits: [UInt8]) -> Bool {
    let start = digits.first == 0x30 ? 1 : 0
    if digits.count - start == 1 { return digits[start] == 0x30 }
    var chain = Chain(6)
    for at in start..<digits.count {
      let isFirst = at == 0
      if !Self.follows(&chain, UInt64(digits[at]) &- (isFirst ? 0x31 : 0x30), of: isFirst ? 9 : 10) { return false }
    }
    return true
  }

  // MARK: Values

  /// Which bytes a value travels in.
  struct Escaping {
    var escape: ByteEscape
    /// So many bytes more are escaped than in the value that is replaced.
    var more = 0
  }

  /// The pseudonym of a value: as many bytes. Places that `kept` marks stay. Each `round` gives another.
  public func value(_ old: [UInt8], keeping kept: [Bool] = [], round: UInt64 = 0, as content: Content = .text) -> [UInt8] {
    value(old, keeping: kept, round: round, as: content, in: nil)
  }

  /// The same for a value that travels in escaped form: of its bytes as many are escaped, as far as no mark is one of them. Each `round` gives another.
  func value(
    _ old: [UInt8], keeping kept: [Bool] = [], round: UInt64 = 0, as content: Content = .text, in escaping: Escaping?
  ) -> [UInt8] {
    var result = old
    let asked = content
    let content = Self.refined(old, content)
    switch Self.form(old, content) {
    case .zeros: break
    case .text:
      var attempt: UInt64 = 0
      // What replaces a text of signs must be one, too.
      repeat {
        result = old
        var chain = Chain(1, round: round &+ attempt << 32)
        Self.characters(&result, content) { at, old, _, count in
          if at < kept.count, kept[at] { return nil }
          return next(&chain, old, of: count)
        }
        attempt += 1
      } while content != asked && attempt < Self.maxAttempts && !Self.isOfSigns(result)
    case .wide(let isBigEndian):
      // The same letters as in text of one byte a character.
      var chain = Chain(1, round: escaping == nil ? 0 : round)
      Self.wideCharacters(&result, isBigEndian: isBigEndian, content) { old, _, count in next(&chain, old, of: count) }
      if old.count & 1 == 1, let last = old.last, last != 0 {
        result[old.count - 1] = UInt8(truncatingIfNeeded: values.hash(3, UInt64(last)))
      }
    case .binary:
      let seed = values.hash(old[...])
      fill(&result, round == 0 ? seed : values.hash(seed, round), content, in: escaping)
    }
    return result
  }

  /// Bytes out of a hash: they are no text, and end with a mark. Zeros at the start stay: they end lists and fill up; of a number they are a part.
  private func fill(_ result: inout [UInt8], _ seed: UInt64, _ content: Content, in escaping: Escaping?) {
    let old = result
    let start = Self.start(result, content)
    let end = result.count - Self.marks(result.count - start)
    var state = seed
    var at = start
    while at < end {
      // SplitMix64; the seed tells nothing of the value.
      state = state &+ 0x9E37_79B9_7F4A_7C15
      var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
      word ^= word >> 31
      let stop = min(at &+ 8, end)
      while at < stop {
        result[at] = UInt8(truncatingIfNeeded: word)
        word >>= 8
        at &+= 1
      }
    }
    if start < end { result[start] = result[start] & Self.hidden(result.count - start) | Self.sign(result.count - start) }
    if let escaping { escape(&result, start..<end, old, seed, escaping) }
    let mark = Self.publicHash.hash(result[start..<end])
    for at in end..<result.count { result[at] = UInt8(truncatingIfNeeded: mark >> UInt64(8 * (at - end))) }
  }

  /// Makes as many bytes of a range such as are escaped as there are of them in a value from there on, and none of the others.
  private func escape(_ result: inout [UInt8], _ range: Range<Int>, _ old: [UInt8], _ seed: UInt64, _ escaping: Escaping) {
    guard let first = range.first else { return }
    let special = (0...UInt8.max).filter(escaping.escape.escapes)
    let (hidden, sign) = (Self.hidden(result.count - first), Self.sign(result.count - first))
    func isPossible(_ byte: UInt8, _ at: Int) -> Bool { at > first || byte & ~hidden == sign }
    var wanted = max(0, old[first...].count(where: escaping.escape.escapes) + escaping.more)
    var state = seed
    func next(_ count: Int) -> Int {
      state = values.hash(state, 7)
      return Int(truncatingIfNeeded: state % UInt64(count))
    }
    for at in range where escaping.escape.escapes(result[at]) {
      let plain = (0...UInt8.max).filter { isPossible($0, at) && !escaping.escape.escapes($0) }
      result[at] = plain.isEmpty ? result[at] : plain[next(plain.count)]
    }
    let turn = next(range.count)
    for place in range where wanted > 0 {
      let at = first + (place - first + turn) % range.count
      let possible = special.filter { isPossible($0, at) }
      // What is wanted is spread over the range by chance, but no place is left out that the rest needs.
      guard !possible.isEmpty, next(range.upperBound - place) < wanted else { continue }
      result[at] = possible[next(possible.count)]
      wanted -= 1
    }
  }

  /// The bits of the first byte that say something, and those that are the same in all pseudonyms: of a byte alone half of it is the mark. No
  /// packet of OBEX begins with such a byte.
  private static func hidden(_ count: Int) -> UInt8 { count == 1 ? 0x0F : 0x37 }
  private static func sign(_ count: Int) -> UInt8 { count == 1 ? 0xA0 : 0x88 }

  /// Where the zeros at the start end.
  private static func start(_ value: [UInt8], _ content: Content) -> Int {
    content == .number && value.count <= 8 ? 0 : value.firstIndex { $0 != 0 } ?? value.count
  }

  private static func marks(_ count: Int) -> Int { count < 2 ? 0 : min(8, count / 2) }

  /// Whether a value is a pseudonym, or says nothing. A byte alone is taken for one in one of 16 cases, other bytes in one of a thousand or
  /// less, a text in one of 26 for every second letter. Places that `kept` marks are not looked at.
  public func isPseudonym(value: [UInt8], keeping kept: [Bool] = [], as content: Content = .text) -> Bool {
    var value = value
    let content = Self.refined(value, content)
    switch Self.form(value, content) {
    case .zeros: return true
    case .text:
      var chain = Chain(1)
      var fits = true
      Self.characters(&value, content) { at, old, first, count in
        if at < kept.count, kept[at] { return nil }
        let number = old < 0x80 ? Self.number(UInt8(old), first) : Self.number(old)
        if number >= count || !Self.follows(&chain, number, of: count) { fits = false }
        return nil
      }
      return fits
    case .wide(let isBigEndian):
      var chain = Chain(1)
      var fits = true
      Self.wideCharacters(&value, isBigEndian: isBigEndian, content) { old, first, count in
        let number = Self.number(UInt8(old), first)
        if number >= count || !Self.follows(&chain, number, of: count) { fits = false }
        return number
      }
      return fits
    case .binary:
      let start = Self.start(value, content)
      let count = value.count - start
      guard value[start] & ~Self.hidden(count) == Self.sign(count) else { return false }
      let end = value.count - Self.marks(count)
      let mark = Self.publicHash.hash(value[start..<end])
      return (end..<value.count).allSatisfy { value[$0] == UInt8(truncatingIfNeeded: mark >> UInt64(8 * ($0 - end))) }
    }
  }

  /// How many bits of mark a pseudonym has: by chance a value of these bytes is one with one in 2 to the power of them. 0 where it is no pseudonym,
  /// or says nothing.
  public func markBits(of value: [UInt8], as content: Content = .text) -> Int {
    guard value.count >= Self.fewest, isPseudonym(value: value, as: content) else { return 0 }
    var value = value
    let content = Self.refined(value, content)
    var places = 0
    var bits = 0
    // Every second character is a mark.
    func mark(_ count: UInt64) {
      if places & 1 == 1 { bits += 63 - count.leadingZeroBitCount }
      places += 1
    }
    switch Self.form(value, content) {
    case .zeros: return 0
    case .text:
      Self.characters(&value, content) { _, _, _, count in
        mark(count)
        return nil
      }
    case .wide(let isBigEndian):
      Self.wideCharacters(&value, isBigEndian: isBigEndian, content) { old, first, count in
        mark(count)
        return Self.number(UInt8(old), first)
      }
    case .binary: bits = 8 * Self.marks(value.count - Self.start(value, content))
    }
    return bits
  }

  private static func number(_ scalar: UInt64) -> UInt64 {
    let (first, _) = scalars(scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4)
    return scalar &- UInt64(first)
  }

  static let publicHash = KeyedHash((0x6274_7363_7269_6265, 0x7265_6461_6374_6564))
}
