import PacketCodecs

/// Pseudonyms of values: texts become texts of the same length and kind, other bytes become bytes. Equal values have equal pseudonyms, and texts
/// with a common prefix have pseudonyms with a common prefix. Every second character, or the end of other bytes, is a tag computed
/// from the part before it, by which ``isPseudonym(value:)`` recognises a pseudonym without the seed.
extension Pseudonyms {
  /// What the caller knows about a value.
  public enum Content: Sendable {
    /// It is text: capitals, lowercase letters and digits become others of their kind; punctuation is kept, unless it is a text of punctuation.
    case text
    /// The same, and punctuation becomes other punctuation.
    case punctuation
    /// Nothing: bytes that read as text become lowercase letters, as consecutive numbers may read as text too.
    case unknown
    /// It is a number, even if its bytes read as text.
    case number
  }

  /// The form of a value's bytes.
  private enum Form { case zeros, text, wide(isBigEndian: Bool), binary }

  private static let maxAttempts: UInt64 = 16
  /// Shorter values have a tag of less than eight bits.
  static let fewest = 4

  private static func form(_ value: [UInt8], _ content: Content) -> Form {
    switch content {
    case .text, .punctuation: form(value)
    case .unknown: unknownForm(value)
    case .number: value.contains { $0 != 0 } ? .binary : .zeros
    }
  }

  /// Whether a value of unknown content counts as text.
  static func readsAsText(_ value: [UInt8]) -> Bool {
    switch unknownForm(value) {
    case .text, .wide: true
    case .zeros, .binary: false
    }
  }

  /// The form of a value of unknown content. It is text if it has at least four characters, half of them letters, digits or spaces.
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

  /// The end of a text without its line end. A line end, which is kept, is CR LF, or one of them behind lowercase letters; else it may be a number.
  private static func textEnd(_ value: [UInt8], _ end: Int) -> Int {
    guard end > 1, value[end - 1] == 10 || value[end - 1] == 13 else { return end }
    if value[end - 1] == 10, value[end - 2] == 13 { return end - 2 }
    let small = value[..<(end - 1)].count { (0x61...0x7A).contains($0) }
    return small * 2 >= end ? end - 1 : end
  }

  /// The form of a value of unknown content as text with two bytes per character: at least four characters, all printable, 3/4 letters or digits.
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
    // NULs at the end are padding.
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
    // Punctuation alone is text, too: `?`, `--:--`.
    return .text
  }

  /// The form of a value as text with two bytes per character.
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

  /// Size in bytes of the printable ASCII character, or the UTF-8 scalar beyond ASCII, at an offset. Nil where there is none.
  static func size(ofCharacter value: [UInt8], _ at: Int, _ end: Int) -> Int? {
    (0x20...0x7E).contains(value[at]) ? 1 : size(ofScalar: value, at, end)
  }

  /// Size in bytes of the UTF-8 scalar beyond ASCII (RFC 3629) at an offset; nil where there is none.
  private static func size(ofScalar value: [UInt8], _ at: Int, _ end: Int) -> Int? {
    let size: Int
    switch value[at] {
    case 0xC2...0xDF: size = 2
    case 0xE0...0xEF: size = 3
    case 0xF0...0xF4: size = 4
    default: return nil
    }
    guard at + size <= end else { return nil }
    for index in 1..<size where value[at + index] & 0xC0 != 0x80 { return nil }
    let second = value[at + 1]
    switch value[at] {
    case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90, 0xF4 where second > 0x8F: return nil
    default: return size
    }
  }

  // MARK: Characters

  /// State of a chain of characters: each replacement depends on all characters before it.
  private struct Chain {
    var hidden: UInt64
    var tag: UInt64 = 0x6d61_726b
    var count = 0

    init(_ domain: UInt64, round: UInt64 = 0) { hidden = domain &+ round << 8 }
  }

  /// The number, less than `count`, of the replacement of the character `old`, whose kind has `count` characters.
  private func next(_ chain: inout Chain, _ old: UInt64, of count: UInt64) -> UInt64 {
    chain.hidden = values.hash(chain.hidden, old)
    let new = chain.count & 1 == 0 ? chain.hidden % count : chain.tag % count
    chain.tag = Self.publicHash.hash(chain.tag, new &+ count << 32)
    chain.count += 1
    return new
  }

  /// Whether a character is consistent with a pseudonym; `count` as above.
  private static func follows(_ chain: inout Chain, _ new: UInt64, of count: UInt64) -> Bool {
    let fits = chain.count & 1 == 0 || chain.tag % count == new
    chain.tag = publicHash.hash(chain.tag, new &+ count << 32)
    chain.count += 1
    return fits
  }

  /// The kind of a character that is replaced by one of the same kind: first character and number of characters.
  @inline(__always)
  private static func kind(_ byte: UInt8) -> (first: UInt8, count: UInt64)? {
    switch byte {
    case 0x30...0x39: (0x30, 10)
    case 0x41...0x5A: (0x41, 26)
    case 0x61...0x7A: (0x61, 26)
    default: nil
    }
  }

  /// Replacements of scalars of two, three and four bytes: Cyrillic letters, Chinese characters, emoticons.
  private static func scalars(_ size: Int) -> (first: UInt32, count: UInt64) {
    switch size {
    case 2: (0x430, 32)
    case 3: (0x4E00, 4096)
    default: (0x1F600, 64)
    }
  }

  private static func scalar(_ value: [UInt8], _ at: Int, _ size: Int) -> UInt32 {
    var scalar = UInt32(value[at]) & (0x7F >> UInt32(size))
    for index in 1..<size { scalar = scalar << 6 | UInt32(value[at + index] & 0x3F) }
    return scalar
  }

  /// The kind of an ASCII character's replacement; nil where it is kept. In a value of unknown content it is always a lowercase letter.
  @inline(__always)
  private static func kind(_ byte: UInt8, _ content: Content) -> (first: UInt8, count: UInt64)? {
    switch content {
    case .text: kind(byte)
    case .punctuation: kind(byte) ?? (isPunctuation(byte) ? (punctuation[0], UInt64(punctuation.count)) : nil)
    case .unknown, .number: (0x61, 26)
    }
  }

  // MARK: Punctuation

  /// Replacements of punctuation: characters without a special meaning in JSON, CSV, AT commands and markup.
  private static let punctuation = Array("!#*-./@_".utf8)

  /// Whether a byte is ASCII punctuation.
  static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// The character of a kind with a number, and the inverse.
  @inline(__always)
  private static func character(_ first: UInt8, _ number: UInt64) -> UInt8 {
    first == punctuation[0]
      ? punctuation[Int(truncatingIfNeeded: number) & (punctuation.count - 1)] : first &+ UInt8(truncatingIfNeeded: number)
  }
  private static func number(_ character: UInt8, _ first: UInt8) -> UInt64 {
    first == punctuation[0] ? UInt64(punctuation.firstIndex(of: character) ?? punctuation.count) : UInt64(character &- first)
  }

  /// Whether a text consists mainly of punctuation, so that this is its content: it has at least four characters, less than a third of them letters
  /// and digits, and it is neither one repeated character nor a date or a time without digits. In a name (`isName`) any punctuation counts.
  static func isPunctuation(text value: [UInt8], isName: Bool = false) -> Bool {
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
      case _ where isPunctuation(byte):
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

  /// The requested content; for a text of punctuation ``Content/punctuation``.
  private static func refined(_ value: [UInt8], _ content: Content) -> Content {
    content == .text && isPunctuation(text: value) ? .punctuation : content
  }

  /// The end of the characters of a text that are replaced.
  private static func end(_ value: [UInt8], _ content: Content) -> Int {
    content == .text || content == .punctuation ? value.count : textEnd(value, (value.lastIndex { $0 != 0 } ?? -1) + 1)
  }

  /// Visits the characters of a text that are replaced. `body` gets the character and its kind, and returns the new one, or nil to keep it.
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
        for index in (1..<size).reversed() {
          value[at + index] = 0x80 | UInt8(rest & 0x3F)
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

  /// The pseudonym of the digits of a decimal number: as many digits. The first one is zero only if it was zero. A single digit
  /// becomes zero, as there is no room for a tag.
  func digits(_ old: [UInt8]) -> [UInt8] {
    var result = old
    // The zero before a decimal point.
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

  /// Whether the digits of a number are a pseudonym, or a zero. Every second digit is a tag: each matches by chance with a probability of 1/10.
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

  /// The escaping of a value in transit.
  struct Escaping {
    var escape: ByteEscape
    /// Number of escaped bytes beyond those of the replaced value; may be negative.
    var more = 0
  }

  /// The pseudonym of a value: as many bytes. Bytes marked in `kept` are kept. Each `round` gives another pseudonym.
  public func value(_ old: [UInt8], keeping kept: [Bool] = [], round: UInt64 = 0, as content: Content = .text) -> [UInt8] {
    value(old, keeping: kept, round: round, as: content, in: nil)
  }

  /// The same for a value that is escaped in transit: the pseudonym has as many escaped bytes, unless a byte of the tag is one.
  func value(
    _ old: [UInt8], keeping kept: [Bool] = [], round: UInt64 = 0, as content: Content = .text, in escaping: Escaping?
  ) -> [UInt8] {
    var result = old
    let requested = content
    let content = Self.refined(old, content)
    switch Self.form(old, content) {
    case .zeros: break
    case .text:
      var attempt: UInt64 = 0
      // The replacement of a text of punctuation must be one, too.
      repeat {
        result = old
        var chain = Chain(1, round: round &+ attempt << 32)
        Self.characters(&result, content) { at, old, _, count in
          if at < kept.count, kept[at] { return nil }
          return next(&chain, old, of: count)
        }
        attempt += 1
      } while content != requested && attempt < Self.maxAttempts && !Self.isPunctuation(text: result)
    case .wide(let isBigEndian):
      // The same letters as in text with one byte per character.
      var chain = Chain(1, round: escaping == nil ? 0 : round)
      Self.wideCharacters(&result, isBigEndian: isBigEndian, content) { old, _, count in next(&chain, old, of: count) }
      if old.count & 1 == 1, let last = old.last, last != 0 {
        result[old.count - 1] = UInt8(truncatingIfNeeded: values.hash(3, UInt64(last)))
      }
    case .binary:
      let seed = values.hash(old[...])
      fill(&result, from: Self.start(result, content), round == 0 ? seed : values.hash(seed, round), in: escaping)
    }
    return result
  }

  /// The pseudonym of an input report, another one in each `round`. A report of zeros, in which no key is pressed, is kept. Zeros of
  /// other reports are not: where each key has a bit, the number of zeros before that bit would show which key is pressed.
  func report(_ old: [UInt8], round: UInt64) -> [UInt8] {
    guard old.contains(where: { $0 != 0 }) else { return old }
    var result = old
    fill(&result, from: 0, values.hash(values.hash(old[...]), round), in: nil)
    return result
  }

  /// Fills in bytes from a hash, which are no text and end with a tag.
  private func fill(_ result: inout [UInt8], from start: Int, _ seed: UInt64, in escaping: Escaping?) {
    let old = result
    let end = result.count - Self.tagCount(result.count - start)
    var state = seed
    var at = start
    while at < end {
      // SplitMix64; the seed reveals nothing about the value.
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
    let tag = Self.publicHash.hash(result[start..<end])
    for at in end..<result.count { result[at] = UInt8(truncatingIfNeeded: tag >> UInt64(8 * (at - end))) }
  }

  /// Changes a range so that it has as many escaped bytes as the old value has from there on.
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
    for offset in range where wanted > 0 {
      let at = first + (offset - first + turn) % range.count
      let possible = special.filter { isPossible($0, at) }
      // The escaped bytes are spread over the range at random, so that all find a position.
      guard !possible.isEmpty, next(range.upperBound - offset) < wanted else { continue }
      result[at] = possible[next(possible.count)]
      wanted -= 1
    }
  }

  /// The variable bits of the first byte, and the bits with the same value in all pseudonyms. In a single byte half of the bits are the tag. No
  /// packet of OBEX begins with such a byte.
  private static func hidden(_ count: Int) -> UInt8 { count == 1 ? 0x0F : 0x37 }
  private static func sign(_ count: Int) -> UInt8 { count == 1 ? 0xA0 : 0x88 }

  /// The end of the leading zeros that are kept as terminators or padding, except in a number.
  private static func start(_ value: [UInt8], _ content: Content) -> Int {
    content == .number && value.count <= 8 ? 0 : value.firstIndex { $0 != 0 } ?? value.count
  }

  private static func tagCount(_ count: Int) -> Int { count < 2 ? 0 : min(8, count / 2) }

  /// Whether a value is a pseudonym, or all zeros. The probability of a false positive is 1/16 for a single byte, 1/1000 or less for other
  /// bytes, and 1/26 for every second letter of a text. Bytes marked in `kept` are ignored.
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
      let end = value.count - Self.tagCount(count)
      let tag = Self.publicHash.hash(value[start..<end])
      return (end..<value.count).allSatisfy { value[$0] == UInt8(truncatingIfNeeded: tag >> UInt64(8 * ($0 - end))) }
    }
  }

  /// Number n of tag bits of a pseudonym: another value of these bytes passes as a pseudonym with a probability of 2^-n. 0 where it is no pseudonym,
  /// or all zeros.
  public func tagBits(of value: [UInt8], as content: Content = .text) -> Int {
    guard value.count >= Self.fewest, isPseudonym(value: value, as: content) else { return 0 }
    var value = value
    let content = Self.refined(value, content)
    var varying = 0
    var bits = 0
    // Every second character is a tag.
    func addTag(_ count: UInt64) {
      if varying & 1 == 1 { bits += 63 - count.leadingZeroBitCount }
      varying += 1
    }
    switch Self.form(value, content) {
    case .zeros: return 0
    case .text:
      Self.characters(&value, content) { _, _, _, count in
        addTag(count)
        return nil
      }
    case .wide(let isBigEndian):
      Self.wideCharacters(&value, isBigEndian: isBigEndian, content) { old, first, count in
        addTag(count)
        return Self.number(UInt8(old), first)
      }
    case .binary: bits = 8 * Self.tagCount(value.count - Self.start(value, content))
    }
    return bits
  }

  private static func number(_ scalar: UInt64) -> UInt64 {
    let (first, _) = scalars(scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4)
    return scalar &- UInt64(first)
  }

  static let publicHash = KeyedHash((0x6274_7363_7269_6265, 0x7265_6461_6374_6564))
}
