import PacketCodecs

/// An error in a display filter: its description, its column, and similar names.
public struct FilterError: Error, Equatable, Sendable {
  /// The filter expression.
  public let expression: String
  /// Column of the error, from 1, in bytes.
  public let column: Int
  /// Description of the error, in a few words.
  public let what: String
  /// Names similar to the unknown one, the nearest first.
  public let close: [String]

  init(_ expression: String, _ offset: Int, _ what: String, close: [String] = []) {
    self.expression = expression
    self.column = offset + 1
    self.what = what
    self.close = close
  }

  /// The complete error message: `-Y 'btatt.handel == 3': no such field at column 1; close: btatt.handle`.
  public var message: String { message(for: "-Y") }

  /// The same for the option with the filter.
  public func message(for option: String) -> String {
    "\(option) '\(expression)': \(what) at column \(column)" + (close.isEmpty ? "" : "; close: \(close.joined(separator: ", "))")
  }
}

/// How two values are compared.
enum FilterRelation: UInt8, Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, contains, matches
}

/// How many of a field's values have to satisfy a comparison.
enum FilterQuantifier: UInt8, Sendable { case any, all }

/// Operators between numbers.
enum FilterArithmetic: UInt8, Sendable { case and, add, subtract, multiply, divide, remainder }

/// A part of a value's bytes: from `start` on (negative: from the end), `count` of them (nil: all that follow).
struct FilterSlice: Equatable, Sendable {
  var start: Int
  var count: Int?
  /// If given, the part ends with this byte instead (`[1-2]`).
  var last: Int?

  /// Whether an index is in the part; indices are counted from 1 to `all` here, or from the end.
  func holds(_ index: Int, of all: Int) -> Bool {
    func absolute(_ at: Int) -> Int { at < 0 ? all + 1 + at : at }
    let end = last.map(absolute) ?? count.map { absolute(start) + $0 - 1 } ?? .max
    return absolute(start) <= index && index <= end
  }
}

/// A side of a comparison, as written.
indirect enum FilterTerm: Sendable {
  case word(String, Int)
  case string([UInt8], Int)
  case character(UInt8, Int)
  case slice(FilterTerm, [FilterSlice], Int)
  /// A field in the first, the second … layer of its protocol in the packet.
  case layer(FilterTerm, [FilterSlice])
  case call(String, [FilterTerm], Int)
  case arithmetic(FilterArithmetic, FilterTerm, FilterTerm, Int)
  case negative(FilterTerm, Int)

  /// Where it starts in the filter.
  var offset: Int {
    switch self {
    case .word(_, let at), .string(_, let at), .character(_, let at), .call(_, _, let at), .negative(_, let at): at
    case .slice(let term, _, _), .layer(let term, _): term.offset
    case .arithmetic(_, let left, _, _): left.offset
    }
  }
}

/// A filter as written.
indirect enum FilterNode: Sendable {
  case or([FilterNode])
  case xor([FilterNode])
  case and([FilterNode])
  case not(FilterNode)
  /// A field that must be present, or a number that must not be zero.
  case present(FilterTerm, FilterQuantifier)
  case compare(FilterTerm, FilterRelation, FilterTerm, FilterQuantifier, Int)
  case member(FilterTerm, [(FilterTerm, FilterTerm?)], FilterQuantifier, Int)
}

/// Reads Wireshark's display filter grammar (wireshark-filter(4), as of 4.0, with the exclusive or of 4.2).
struct FilterParser {
  private enum Token: Equatable {
    case word(String), string([UInt8]), character(UInt8)
    case relation(FilterRelation, FilterQuantifier?)
    case arithmetic(FilterArithmetic)
    case and, or, xor, not, `in`, any, all, range, comma
    case open, close, openBrace, closeBrace, openBracket, closeBracket, hash, end
  }

  private let expression: String
  private let bytes: [UInt8]
  private var tokens: [(token: Token, at: Int)] = []
  private var position = 0
  private var depth = 0

  /// Most nested parentheses, functions and negations.
  static let maximumDepth = 50
  /// Most bytes of a filter.
  static let maximumLength = 65_536

  private init(_ expression: String) {
    self.expression = expression
    bytes = Array(expression.utf8)
  }

  /// Parses an entire filter; nil where it is empty. Throws ``FilterError``.
  static func parse(_ expression: String) throws(FilterError) -> FilterNode? {
    var parser = FilterParser(expression)
    if parser.bytes.count > maximumLength { throw FilterError(String(expression.prefix(40)) + "…", maximumLength, "filter too long") }
    try parser.scan()
    if parser.tokens.count == 1 { return nil }
    let node = try parser.disjunction()
    if parser.token != .end { throw parser.unexpected() }
    return node
  }

  private func fail(_ at: Int, _ what: String) -> FilterError { FilterError(expression, at, what) }

  // MARK: Words

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"), 0x80...0xFF:
      true
    default: false
    }
  }

  private func byte(_ at: Int) -> UInt8 { at < bytes.count ? bytes[at] : 0 }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// The previous token ends a value: a minus after it subtracts.
  private var isBehindValue: Bool {
    switch tokens.last?.token {
    case .word, .string, .character, .close, .closeBrace, .closeBracket: true
    default: false
    }
  }

  private mutating func scan() throws(FilterError) {
    var at = 0
    while at < bytes.count {
      let start = at
      let byte = bytes[at]
      if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
        at += 1
        continue
      }
      if let (token, length) = symbol(at) {
        tokens.append((token, start))
        at += length
        if token == .openBracket { try brackets(&at) }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): tokens.append((.string(try quoted(&at, isRaw: false)), start))
      case UInt8(ascii: "r") where self.byte(at + 1) == UInt8(ascii: "\""), UInt8(ascii: "R") where self.byte(at + 1) == UInt8(ascii: "\""):
        at += 1
        tokens.append((.string(try quoted(&at, isRaw: true)), start))
      case UInt8(ascii: "'"): tokens.append((.character(try character(&at)), start))
      case _ where Self.isWordByte(byte): tokens.append((word(&at), start))
      case UInt8(ascii: "="): throw fail(at, "\"=\" has no place; did you mean \"==\"?")
      default: throw fail(at, "\"\(Character(Unicode.Scalar(byte)))\" has no place")
      }
    }
    tokens.append((.end, bytes.count))
  }

  private func symbol(_ at: Int) -> (Token, Int)? {
    let next = byte(at + 1)
    let third = byte(at + 2)
    let equal = UInt8(ascii: "=")
    switch bytes[at] {
    case UInt8(ascii: "("): return (.open, 1)
    case UInt8(ascii: ")"): return (.close, 1)
    case UInt8(ascii: "{"): return (.openBrace, 1)
    case UInt8(ascii: "}"): return (.closeBrace, 1)
    case UInt8(ascii: "["): return (.openBracket, 1)
    case UInt8(ascii: "]"): return (.closeBracket, 1)
    case UInt8(ascii: ","): return (.comma, 1)
    case UInt8(ascii: "#"): return tokens.isEmpty ? nil : (.hash, 1)
    case UInt8(ascii: "="):
      if next == equal, third == equal { return (.relation(.equal, .all), 3) }
      return next == equal ? (.relation(.equal, nil), 2) : nil
    case UInt8(ascii: "!"):
      if next == equal, third == equal { return (.relation(.notEqual, .any), 3) }
      return next == equal ? (.relation(.notEqual, .all), 2) : (.not, 1)
    case UInt8(ascii: "~"): return next == equal ? (.relation(.notEqual, .any), 2) : (.relation(.matches, nil), 1)
    case UInt8(ascii: "<"): return next == equal ? (.relation(.lessOrEqual, nil), 2) : (.relation(.less, nil), 1)
    case UInt8(ascii: ">"): return next == equal ? (.relation(.greaterOrEqual, nil), 2) : (.relation(.greater, nil), 1)
    case UInt8(ascii: "&"): return next == UInt8(ascii: "&") ? (.and, 2) : (.arithmetic(.and), 1)
    case UInt8(ascii: "|"): return next == UInt8(ascii: "|") ? (.or, 2) : nil
    case UInt8(ascii: "^"): return next == UInt8(ascii: "^") ? (.xor, 2) : nil
    case UInt8(ascii: "+"): return (.arithmetic(.add), 1)
    case UInt8(ascii: "*"): return (.arithmetic(.multiply), 1)
    case UInt8(ascii: "/"): return (.arithmetic(.divide), 1)
    case UInt8(ascii: "%"): return (.arithmetic(.remainder), 1)
    case UInt8(ascii: "."): return next == UInt8(ascii: ".") ? (.range, 2) : nil
    case UInt8(ascii: "-"): return isBehindValue || !Self.isDigit(next) ? (.arithmetic(.subtract), 1) : nil
    default: return nil
    }
  }

  private func word(_ at: inout Int) -> Token {
    let start = at
    while at < bytes.count, Self.isWordByte(bytes[at]) {
      // Two dots are a range.
      if bytes[at] == UInt8(ascii: "."), byte(at + 1) == UInt8(ascii: ".") { break }
      at += 1
    }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    switch text {
    case "and": return .and
    case "or": return .or
    case "xor": return .xor
    case "not": return .not
    case "in": return .in
    case "any": return .any
    case "all": return .all
    case "eq": return .relation(.equal, nil)
    case "any_eq": return .relation(.equal, .any)
    case "all_eq": return .relation(.equal, .all)
    case "ne", "all_ne": return .relation(.notEqual, .all)
    case "any_ne": return .relation(.notEqual, .any)
    case "gt": return .relation(.greater, nil)
    case "ge": return .relation(.greaterOrEqual, nil)
    case "lt": return .relation(.less, nil)
    case "le": return .relation(.lessOrEqual, nil)
    case "contains": return .relation(.contains, nil)
    case "matches": return .relation(.matches, nil)
    case "bitwise_and", "bitand": return .arithmetic(.and)
    default: return .word(text)
    }
  }

  /// Text in quotes; `at` moves from the opening quote to after the closing one.
  private func quoted(_ at: inout Int, isRaw: Bool) throws(FilterError) -> [UInt8] {
    let start = at
    var text: [UInt8] = []
    at += 1
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      if bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count {
        if isRaw {
          text += bytes[at...(at + 1)]
          at += 2
        } else {
          text += escape(&at)
        }
        continue
      }
      text.append(bytes[at])
      at += 1
    }
    guard at < bytes.count else { throw fail(start, "text without closing quote") }
    at += 1
    return text
  }

  /// The bytes of an escape sequence; unknown ones are kept for regular expressions.
  private func escape(_ at: inout Int) -> [UInt8] {
    let letter = byte(at + 1)
    at += 2
    switch letter {
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): return [letter]
    case UInt8(ascii: "a"): return [7]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "v"): return [11]
    case UInt8(ascii: "x"):
      guard let high = hexValue(byte(at)) else { break }
      at += 1
      guard let low = hexValue(byte(at)) else { return [high] }
      at += 1
      return [high << 4 | low]
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var value = Int(letter) - 48
      var digits = 1
      while digits < 3, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte(at)) {
        value = value * 8 + Int(byte(at)) - 48
        at += 1
        digits += 1
      }
      return [UInt8(truncatingIfNeeded: value)]
    default: break
    }
    return [UInt8(ascii: "\\"), letter]
  }

  private func character(_ at: inout Int) throws(FilterError) -> UInt8 {
    let start = at
    at += 1
    var text: [UInt8] = []
    if byte(at) == UInt8(ascii: "\\"), at + 1 < bytes.count {
      text = escape(&at)
    } else if at < bytes.count, bytes[at] != UInt8(ascii: "'") {
      text = [bytes[at]]
      at += 1
    }
    guard text.count == 1, byte(at) == UInt8(ascii: "'") else { throw fail(start, "not one character in single quotes") }
    at += 1
    return text[0]
  }

  /// The text between square brackets as one word: its digits, colons and minus signs have a grammar of their own.
  private mutating func brackets(_ at: inout Int) throws(FilterError) {
    let start = at
    while at < bytes.count, bytes[at] != UInt8(ascii: "]") { at += 1 }
    guard at < bytes.count else { throw fail(start - 1, "[ without ]") }
    tokens.append((.word(String(decoding: bytes[start..<at], as: UTF8.self)), start))
  }

  // MARK: Sentences

  private var token: Token { tokens[min(position, tokens.count - 1)].token }
  private var at: Int { tokens[min(position, tokens.count - 1)].at }

  private mutating func accept(_ wanted: Token) -> Bool {
    guard token == wanted, wanted != .end else { return false }
    position += 1
    return true
  }

  private func unexpected() -> FilterError {
    guard token != .end else { return fail(at, "the filter ends too early") }
    let end = position + 1 < tokens.count ? tokens[position + 1].at : bytes.count
    var text = String(decoding: bytes[at..<max(at, end)], as: UTF8.self)
    while text.last == " " { text.removeLast() }
    return fail(at, "\"\(text)\" has no place")
  }

  private mutating func enter() throws(FilterError) {
    depth += 1
    if depth > Self.maximumDepth { throw fail(at, "too deep") }
  }

  private mutating func disjunction() throws(FilterError) -> FilterNode {
    try enter()
    defer { depth -= 1 }
    var nodes = [try exclusion()]
    while accept(.or) { nodes.append(try exclusion()) }
    return nodes.count == 1 ? nodes[0] : .or(nodes)
  }

  private mutating func exclusion() throws(FilterError) -> FilterNode {
    var nodes = [try conjunction()]
    while accept(.xor) { nodes.append(try conjunction()) }
    return nodes.count == 1 ? nodes[0] : .xor(nodes)
  }

  private mutating func conjunction() throws(FilterError) -> FilterNode {
    var nodes = [try negation()]
    while accept(.and) { nodes.append(try negation()) }
    return nodes.count == 1 ? nodes[0] : .and(nodes)
  }

  private mutating func negation() throws(FilterError) -> FilterNode {
    var isNegated = false
    while accept(.not) { isNegated.toggle() }
    let node = try test()
    return isNegated ? .not(node) : node
  }

  private mutating func test() throws(FilterError) -> FilterNode {
    var quantifier: FilterQuantifier?
    if accept(.any) { quantifier = .any } else if accept(.all) { quantifier = .all }
    var left: FilterTerm
    if quantifier == nil, accept(.open) {
      let node = try disjunction()
      guard accept(.close) else { throw unexpected() }
      // A number in parentheses may be followed by a relation: (a & 3) == 1.
      guard case .present(let term, _) = node, startsRelation else { return node }
      left = term
    } else {
      left = try term()
    }
    guard startsRelation else { return .present(left, quantifier ?? .any) }
    var nodes: [FilterNode] = []
    while startsRelation { nodes.append(try relation(&left, quantifier)) }
    return nodes.count == 1 ? nodes[0] : .and(nodes)
  }

  private var startsRelation: Bool {
    switch token {
    case .relation, .in: true
    case .not: position + 1 < tokens.count && tokens[position + 1].token == .in
    default: false
    }
  }

  /// One comparison of a chain (`1 < x < 5`): its right side becomes the left of the next.
  private mutating func relation(_ left: inout FilterTerm, _ quantifier: FilterQuantifier?) throws(FilterError) -> FilterNode {
    let start = at
    if case .relation(let relation, let own) = token {
      position += 1
      let right = try term()
      defer { left = right }
      return .compare(left, relation, right, quantifier ?? own ?? .any, start)
    }
    let isNegated = accept(.not)
    guard accept(.in), accept(.openBrace) else { throw unexpected() }
    var members: [(FilterTerm, FilterTerm?)] = []
    repeat {
      let low = try term()
      members.append((low, accept(.range) ? try term() : nil))
    } while accept(.comma)
    guard accept(.closeBrace) else { throw unexpected() }
    let node = FilterNode.member(left, members, quantifier ?? .any, start)
    return isNegated ? .not(node) : node
  }

  // MARK: Values

  private mutating func term() throws(FilterError) -> FilterTerm { try arithmetic(0) }

  /// Operators from the lowest to the highest precedence.
  private static let levels: [[FilterArithmetic]] = [[.and], [.add, .subtract], [.multiply, .divide, .remainder]]

  private mutating func arithmetic(_ level: Int) throws(FilterError) -> FilterTerm {
    guard level < Self.levels.count else { return try primary() }
    var left = try arithmetic(level + 1)
    var operators = 0
    while case .arithmetic(let operation) = token, Self.levels[level].contains(operation) {
      let start = at
      position += 1
      operators += 1
      if operators > Self.maximumDepth { throw fail(start, "too many operators") }
      left = .arithmetic(operation, left, try arithmetic(level + 1), start)
    }
    return left
  }

  private mutating func primary() throws(FilterError) -> FilterTerm {
    try enter()
    defer { depth -= 1 }
    let start = at
    var term: FilterTerm
    switch token {
    case .arithmetic(.subtract):
      position += 1
      return .negative(try primary(), start)
    case .arithmetic(.add):
      position += 1
      return try primary()
    case .openBrace:
      position += 1
      term = try self.term()
      guard accept(.closeBrace) else { throw unexpected() }
    case .string(let text):
      position += 1
      term = .string(text, start)
    case .character(let byte):
      position += 1
      term = .character(byte, start)
    case .word(let text):
      position += 1
      if token == .open, tokens[position].at == start + text.utf8.count {
        position += 1
        var arguments: [FilterTerm] = []
        if token != .close {
          repeat { arguments.append(try self.term()) } while accept(.comma)
        }
        guard accept(.close) else { throw unexpected() }
        term = .call(text, arguments, start)
      } else {
        term = .word(text, start)
      }
    default: throw unexpected()
    }
    if case .word = term, accept(.hash) {
      var layers = at
      if accept(.openBracket) { layers = at }
      guard case .word(let text) = token else { throw unexpected() }
      position += 1
      _ = accept(.closeBracket)
      term = .layer(term, try slices(text, layers))
    }
    var parts = 0
    while token == .openBracket {
      let bracket = at
      parts += 1
      if parts > Self.maximumDepth { throw fail(bracket, "too many brackets") }
      position += 1
      guard case .word(let text) = token else { throw unexpected() }
      let inside = at
      position += 2
      term = .slice(term, try slices(text, inside), bracket)
    }
    return term
  }

  private func slices(_ text: String, _ at: Int) throws(FilterError) -> [FilterSlice] {
    var parts: [FilterSlice] = []
    var column = at
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      parts.append(try slice(part, column))
      column += part.utf8.count + 1
    }
    return parts
  }

  /// `i:n`, `i-j`, `:n`, `i:`, `i`.
  private func slice(_ part: Substring, _ at: Int) throws(FilterError) -> FilterSlice {
    let text = part.filter { $0 != " " }
    func number(_ digits: some StringProtocol) throws(FilterError) -> Int {
      // Larger numbers than any packet has bytes are rejected, to avoid overflows.
      guard let value = Int(digits), (-1_000_000...1_000_000).contains(value) else {
        throw fail(at, "\"\(part)\" is not a part of bytes such as 0:2, 1-3, :4, 2: or 3")
      }
      return value
    }
    if let colon = text.firstIndex(of: ":") {
      let start = text[..<colon].isEmpty ? 0 : try number(text[..<colon])
      let rest = text[text.index(after: colon)...]
      guard !rest.isEmpty else { return FilterSlice(start: start) }
      let count = try number(rest)
      guard count > 0 else { throw fail(at, "a part of \(count) bytes") }
      return FilterSlice(start: start, count: count)
    }
    if let dash = text.dropFirst().firstIndex(of: "-") {
      let start = try number(text[..<dash])
      let last = try number(text[text.index(after: dash)...])
      guard last >= start || last < 0 else { throw fail(at, "a part that ends before it starts") }
      return FilterSlice(start: start, last: last)
    }
    return FilterSlice(start: try number(text), count: 1)
  }
}
