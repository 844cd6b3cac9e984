import PacketCodecs
@_spi(Pipeline) import Profiles

/// Finds the structure of self-describing formats in a payload, that is, the bytes between the values: punctuation of JSON and CSV, heads of CBOR,
/// field numbers and lengths of protobuf. Names of members belong to it only where they look like identifiers: the keys of an object that a
/// device sends may as well be telephone numbers or names of networks.
struct EmbeddedStructure {
  private let payload: [UInt8]
  /// For each byte of the payload whether it belongs to a field.
  private let isClaimed: [Bool]
  /// The ranges of objects whose members were visited.
  private let objects: Set<Range<Int>>
  /// The structure found so far.
  private(set) var ranges: [Range<Int>] = []
  /// Names of members among ``ranges``.
  private(set) var names: [Range<Int>] = []
  private static let deepest = 64

  init(_ payload: [UInt8], isClaimed: [Bool], objects: Set<Range<Int>>) {
    self.payload = payload
    self.objects = objects
    self.isClaimed = isClaimed
  }

  /// Finds the structure in a range of the payload.
  mutating func find(_ format: EmbeddedFormat.Kind, in range: Range<Int>) {
    let range = range.clamped(to: payload.indices)
    switch format {
    case .json: json(range)
    case .cbor: cbor(range)
    case .protobuf: protobuf(range, depth: 0)
    case .csv: separators(range) { $0 == UInt8(ascii: ",") || $0 == 0x20 || $0 == 10 || $0 == 13 || $0 == 0 }
    case .text: separators(range) { $0 == 10 || $0 == 13 || $0 == 0 }
    case .bytes: break
    }
  }

  /// Whether a text looks like an identifier: a word, or a small number.
  static func isName(_ text: ArraySlice<UInt8>) -> Bool {
    var digits = 0
    for byte in text {
      switch byte {
      case 0x30...0x39: digits += 1
      case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "$"): break
      default: return false
      }
    }
    return digits <= 4 && text.count <= 40
  }

  private mutating func keep(_ range: Range<Int>) { if !range.isEmpty { ranges.append(range) } }

  /// Keeps a name, where it looks like one.
  private mutating func name(_ range: Range<Int>) {
    guard !range.isEmpty, Self.isName(payload[range]) else { return }
    keep(range)
    if range.count >= 3 { names.append(range) }
  }

  private mutating func separators(_ range: Range<Int>, _ isSeparator: (UInt8) -> Bool) {
    for at in range where !isClaimed[at] && isSeparator(payload[at]) { keep(at..<at + 1) }
  }

  private mutating func json(_ range: Range<Int>) {
    var at = range.lowerBound
    while at < range.upperBound {
      guard !isClaimed[at] else {
        at += 1
        continue
      }
      switch payload[at] {
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: ","), 0, 9, 10, 13,
        0x20:
        keep(at..<at + 1)
        at += 1
      case UInt8(ascii: "\""):
        keep(at..<at + 1)
        var stop = at + 1
        if stop < range.upperBound, isClaimed[stop] {
          // A value.
          while stop < range.upperBound, isClaimed[stop] { stop += 1 }
        } else {
          while stop < range.upperBound, !isClaimed[stop], payload[stop] != UInt8(ascii: "\"") {
            stop += payload[stop] == UInt8(ascii: "\\") ? 2 : 1
          }
          stop = min(stop, range.upperBound)
          name(at + 1..<stop)
        }
        at = stop
        if at < range.upperBound, !isClaimed[at], payload[at] == UInt8(ascii: "\"") {
          keep(at..<at + 1)
          at += 1
        }
      default: at += 1
      }
    }
  }

  private mutating func cbor(_ range: Range<Int>) {
    var reader = CBORReader(in: range)
    while let item = unsafe payload.withUnsafeBytes({ unsafe try? reader.next(in: $0.bytes) }) {
      let head = item.offset..<item.contents.lowerBound
      switch item.kind {
      // The argument of a number is its value.
      case .unsigned, .negative, .float: if head.count <= 3 { keep(head) } else { keep(head.prefix(1)) }
      case .tag where head.count > 3: keep(head.prefix(1))
      case .text where !item.contents.isEmpty && !isClaimed[item.contents.lowerBound]:
        keep(head)
        name(item.contents)
      default: keep(head)
      }
    }
  }

  private mutating func protobuf(_ range: Range<Int>, depth: Int) {
    guard depth < Self.deepest else { return }
    var reader = ProtobufReader(in: range)
    var end = range.lowerBound
    while let field = unsafe payload.withUnsafeBytes({ unsafe try? reader.next(in: $0.bytes) }) {
      guard field.range.lowerBound >= end else { return }
      keep(end..<field.range.lowerBound)
      end = field.range.upperBound
      // An unclaimed varint of one or two bytes is the integer key of a map entry, and counts as a field number.
      if field.wireType == .varint, field.range.count <= 2, !isClaimed[field.range.lowerBound] { keep(field.range) }
      // Nested messages have fields of their own. Unclaimed bytes and texts, and numbers of a repeated field, are not kept.
      let isObject = objects.contains(field.range) || field.range.contains { isClaimed[$0] }
      if field.wireType == .bytes, isObject, field.range.contains(where: { !isClaimed[$0] }) {
        protobuf(field.range, depth: depth + 1)
      }
    }
  }
}

/// Replacement of values in self-describing formats, so that they remain valid.
extension Redaction {
  /// The replacement of a value in a format: as many bytes.
  func replacement(
    _ treatment: Treatment, _ old: [UInt8], in format: EmbeddedFormat.Kind?, isNumber: Bool, isBoolean: Bool = false
  ) -> [UInt8] {
    switch format {
    // `null` is kept.
    case .json where isNumber: old.elementsEqual("null".utf8) ? old : jsonNumber(old)
    // A boolean becomes `null`, with a space behind it where it was `false`, which has one more letter.
    case .json where isBoolean: Array("null ".utf8.prefix(old.count))
    case .json: jsonText(old, treatment == .value ? .text : treatment)
    case .cbor: cbor(old, treatment)
    case .protobuf where isNumber: protobufNumber(old)
    // Some serial numbers in hexadecimal digits read as numbers with an exponent.
    case .csv where isNumber: jsonNumber(old, keepsExponent: false)
    default: replacement(treatment, old)
    }
  }

  /// Whether bytes of a format reveal nothing. Numbers of protobuf have no room for the tag of a pseudonym: all count as pseudonyms.
  func isHarmless(_ treatment: Treatment, _ old: [UInt8], in format: EmbeddedFormat.Kind?, isNumber: Bool) -> Bool {
    switch format {
    case .json where isNumber, .csv where isNumber:
      return format == .json && old.elementsEqual("null".utf8) || isHarmless(number: old, keepsExponent: format == .json)
    case .protobuf where isNumber: return true
    case .cbor: return Self.cborContents(old).allSatisfy { isHarmless($0.isNumber ? .number : treatment, Array(old[$0.range])) }
    case .json:
      let treatment = treatment == .value ? .text : treatment
      if Self.isWhole(old, treatment) { return isHarmless(treatment, old) }
      let isPunctuation = Self.isPunctuation(old)
      return Self.jsonPieces(old).allSatisfy { piece in
        let part = Array(old[piece.range])
        return piece.isEscape || (isPunctuation ? isHarmless(punctuation: part) : isHarmless(treatment, part))
      }
    default: return isHarmless(treatment, old)
    }
  }

  /// The indices of the digits of a number that are replaced: all except those of an exponent of at most two digits. Nil where it is text, as it
  /// has letters other than an exponent's.
  private static func digits(of number: [UInt8], keepsExponent: Bool) -> [Int]? {
    let letters = number.filter { (0x41...0x5A).contains($0 & 0xDF) }
    guard letters.isEmpty || letters.count == 1 && letters[0] & 0xDF == UInt8(ascii: "E") else { return nil }
    let exponent = number.firstIndex { $0 & 0xDF == UInt8(ascii: "E") } ?? number.count
    func isDigit(_ at: Int) -> Bool { (0x30...0x39).contains(number[at]) }
    let keepsExponent = keepsExponent && (exponent..<number.count).count(where: isDigit) <= 2
    return number.indices.filter { isDigit($0) && !(keepsExponent && $0 > exponent) }
  }

  /// Replaces digits by digits; the sign, the decimal point and a short exponent are kept, and no leading zero is added.
  private func jsonNumber(_ old: [UInt8], keepsExponent: Bool = true) -> [UInt8] {
    guard let positions = Self.digits(of: old, keepsExponent: keepsExponent) else { return replacement(.text, old) }
    var new = old
    for (at, digit) in zip(positions, pseudonyms.digits(positions.map { old[$0] })) { new[at] = digit }
    return new
  }

  /// Whether a number reveals nothing: its digits were replaced before.
  private func isHarmless(number: [UInt8], keepsExponent: Bool) -> Bool {
    guard let positions = Self.digits(of: number, keepsExponent: keepsExponent) else { return isHarmless(.text, number) }
    return options.isDetailed ? pseudonyms.isPseudonym(digits: positions.map { number[$0] }) : positions.allSatisfy { number[$0] == 0x30 }
  }

  /// Replaces a text of JSON; escape sequences remain escape sequences.
  private func jsonText(_ old: [UInt8], _ treatment: Treatment) -> [UInt8] {
    if Self.isWhole(old, treatment) { return replacement(treatment, old) }
    var new = old
    let isPunctuation = Self.isPunctuation(old)
    for piece in Self.jsonPieces(old) {
      let part = Array(old[piece.range])
      guard piece.isEscape else {
        new.replaceSubrange(piece.range, with: isPunctuation ? pseudonyms.value(part, as: .punctuation) : replacement(treatment, part))
        continue
      }
      // \uXXXX becomes another Chinese character; \n and the like are kept.
      guard part.count == 6 else { continue }
      let digits = pseudonyms.value([0x30, 0x30, 0x30].enumerated().map { 0x30 + part[3 + $0.offset] % 10 })
      new.replaceSubrange(piece.range, with: part[..<2] + [UInt8(ascii: "4")] + digits)
    }
    return new
  }

  /// Whether a text of JSON is replaced as a whole: it has no escape sequences, or is a password, in which they become letters.
  private static func isWhole(_ text: [UInt8], _ treatment: Treatment) -> Bool {
    !text.contains(UInt8(ascii: "\\")) || treatment == .password && withoutPunctuation(text) != nil
  }

  /// ``Pseudonyms/isPunctuation(text:isName:)`` for a text with escape sequences: the pieces between these may have fewer than four characters.
  private static func isPunctuation(_ text: [UInt8]) -> Bool {
    text.count >= Pseudonyms.fewest
      && Pseudonyms.isPunctuation(text: jsonPieces(text).filter { !$0.isEscape }.flatMap { text[$0.range] }, isName: true)
  }

  private func isHarmless(punctuation: [UInt8]) -> Bool {
    options.isDetailed ? pseudonyms.isPseudonym(value: punctuation, as: .punctuation) : !punctuation.contains { $0 != 0 }
  }

  /// Splits a text into escape sequences and the pieces between them.
  private static func jsonPieces(_ text: [UInt8]) -> [(range: Range<Int>, isEscape: Bool)] {
    var pieces: [(range: Range<Int>, isEscape: Bool)] = []
    var start = 0
    var at = 0
    while at < text.count {
      guard text[at] == UInt8(ascii: "\\") else {
        at += 1
        continue
      }
      if start < at { pieces.append((start..<at, false)) }
      let isUnicode = at + 1 < text.count && text[at + 1] == UInt8(ascii: "u")
      start = min(at + (isUnicode ? 6 : 2), text.count)
      pieces.append((at..<start, true))
      at = start
    }
    if start < text.count { pieces.append((start..<text.count, false)) }
    return pieces
  }

  /// The ranges of the contents of a CBOR item: those of its strings, and the arguments of its numbers.
  private static func cborContents(_ item: [UInt8]) -> [(range: Range<Int>, isNumber: Bool)] {
    var contents: [(range: Range<Int>, isNumber: Bool)] = []
    var reader = CBORReader(in: item.indices)
    while let element = unsafe item.withUnsafeBytes({ unsafe try? reader.next(in: $0.bytes) }) {
      switch element.kind {
      case .unsigned, .negative, .float: contents.append((element.offset + 1..<element.contents.lowerBound, true))
      case .bytes, .text: contents.append((element.contents, false))
      default: break
      }
    }
    // Bytes behind the last valid item count as contents.
    if reader.position < item.count { contents.append((reader.position..<item.count, false)) }
    return contents.filter { !$0.range.isEmpty }
  }

  private func cbor(_ old: [UInt8], _ treatment: Treatment) -> [UInt8] {
    var new = old
    for (range, isNumber) in Self.cborContents(old) {
      new.replaceSubrange(range, with: replacement(isNumber ? .number : treatment, Array(old[range])))
    }
    // A number below 24 is in the head itself.
    if old.count == 1, let head = old.first, head & 0x1F < 24, head >> 5 <= 1 {
      new[0] = head & 0xE0 | UInt8(truncatingIfNeeded: pseudonyms.values.hash(UInt64(head), 5) % 24)
    }
    // A boolean becomes false.
    if old == [0xF5] { new[0] = 0xF4 }
    return new
  }

  /// Replaces a number of protobuf. A varint keeps its length.
  private func protobufNumber(_ old: [UInt8]) -> [UInt8] {
    var new = pseudonyms.value(old, as: .number)
    let isVarint = old.dropLast().allSatisfy { $0 & 0x80 != 0 } && (old.last ?? 0) & 0x80 == 0
    guard isVarint else { return new }
    for index in new.indices { new[index] = new[index] & 0x7F | old[index] & 0x80 }
    if let last = new.last, last == 0 { new[new.count - 1] = 1 }
    // The tenth byte of a 64-bit varint holds one bit.
    if new.count == 10 { new[9] = 1 }
    return new
  }
}
