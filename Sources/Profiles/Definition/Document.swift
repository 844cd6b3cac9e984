import Memory
import Text
import YAML

/// A value of a profile's YAML, with the file and name for error messages.
///
/// It is an object, and its methods are not inlined: the code that reads profiles is large and runs once for each profile.
final class Entry {
  /// The value.
  let node: Node
  /// The profile's file name.
  let file: String
  /// Its name in error messages: `layer "stream"`, `characteristic "query"`.
  let what: String

  init(node: Node, file: String, what: String) {
    self.node = node
    self.file = file
    self.what = what
  }

  /// Makes an error at the position of this value.
  @inline(never) func error(_ message: String) -> ProfileError { Self.error(file, node, message) }

  /// Makes an error at the position of `node` in `file`.
  @inline(never) static func error(_ file: String, _ node: Node, _ message: String) -> ProfileError {
    ProfileError(file: file, line: node.mark?.line ?? 0, column: node.mark?.column ?? 0, message: message)
  }

  /// Another value of the same file.
  @inline(never) func with(_ node: Node, _ what: String) -> Entry { Entry(node: node, file: file, what: what) }

  /// Whether the value is empty (`~`, nothing).
  var isNull: Bool {
    guard case .scalar(let scalar) = node else { return false }
    return scalar.style == .plain && (scalar.string.isEmpty || scalar.string == "~" || scalar.string == "null")
  }

  /// The keys and values in the order of the file. Throws where the value is no mapping or a key is no word.
  @inline(never) func pairs() throws -> [(key: String, value: Entry, keyNode: Node)] {
    if isNull { return [] }
    guard case .mapping(let mapping) = node else { throw error("\(what) must be a mapping (key: value)") }
    var result: [(String, Entry, Node)] = []
    result.reserveCapacity(mapping.count)
    for (key, value) in mapping {
      guard case .scalar(let scalar) = key else { throw Self.error(file, key, "a key in \(what) must be a word") }
      let name = scalar.string.singleLine
      result.append((name, with(value, "\"\(name)\" of \(what)"), key))
    }
    return result
  }

  /// The elements of a list; a single value counts as a list of one.
  @inline(never) func list() throws -> [Entry] {
    if isNull { return [] }
    guard case .sequence(let sequence) = node else { return [self] }
    return sequence.map { with($0, what) }
  }

  /// A text. Throws where the value is a list or a mapping. The text is made one line without control characters, as most texts of a profile are
  /// shown to people.
  @inline(never) func text() throws -> String { try rawText().singleLine }

  /// A text that outputs repeat: with each message, or with each field. Throws where it is longer than `limit` bytes.
  func text(atMost limit: Int) throws -> String {
    let text = try text()
    guard text.utf8.count <= limit else { throw error("\(what) has at most \(limit) bytes") }
    return text
  }

  /// A text verbatim, for texts that are compared and never shown.
  @inline(never) func rawText() throws -> String {
    guard case .scalar(let scalar) = node else { throw error("\(what) must be a text") }
    return scalar.string
  }

  /// Whether it is a scalar in quotes, which is never read as a number.
  var isQuoted: Bool {
    guard case .scalar(let scalar) = node else { return false }
    return scalar.style == .doubleQuoted || scalar.style == .singleQuoted
  }

  /// An integer: decimal, `0x`, `0o` or `0b`, with `_` between digits.
  @inline(never) func integer() throws -> Int {
    guard case .scalar(let scalar) = node, let value = parseInteger(scalar.string) else { throw error("\(what) must be an integer") }
    return value
  }

  /// An integer in `range`.
  @inline(never) func integer(in range: ClosedRange<Int>) throws -> Int {
    let value = try integer()
    guard range.contains(value) else { throw error("\(what) must be from \(range.lowerBound) to \(range.upperBound)") }
    return value
  }

  /// `true` or `false`.
  @inline(never) func flag() throws -> Bool {
    switch try text() {
    case "true": return true
    case "false": return false
    default: throw error("\(what) must be true or false")
    }
  }

  /// One of `choices`.
  @inline(never) func choice<T>(_ choices: KeyValuePairs<String, T>) throws -> T {
    let word = try text()
    for (name, value) in choices where name == word { return value }
    let near = nearest(word, of: choices.map(\.key)).map { "; did you mean \"\($0)\"?" }
    throw error(
      "\"\(word)\" is not a valid value of \(what)" + (near ?? "; valid values are " + choices.map(\.key).joined(separator: ", ")))
  }

  /// Bytes: an integer is one byte, a list of integers several, a text its characters (from U+0000 to U+00FF, one byte each).
  @inline(never) func bytes() throws -> [UInt8] {
    switch node {
    case .sequence(let sequence):
      return try sequence.map { UInt8(try with($0, what).integer(in: 0...255)) }
    case .scalar(let scalar):
      if !isQuoted, let value = parseInteger(scalar.string) {
        guard let byte = UInt8(exactly: value) else { throw error("a byte of \(what) must be from 0 to 255") }
        return [byte]
      }
      return try scalar.string.unicodeScalars.map {
        guard let byte = UInt8(exactly: $0.value) else { throw error("the text of \(what) must be of characters from U+0000 to U+00FF") }
        return byte
      }
    default: throw error("\(what) must be bytes: 0x55, [0x55, 0xaa] or a text")
    }
  }

  /// Several byte strings: a list of them, or a single string. `[0x55, 0xaa]` is a single string of two bytes.
  @inline(never) func byteStrings() throws -> [[UInt8]] {
    guard case .sequence(let sequence) = node else { return [try bytes()] }
    let nested = sequence.contains {
      if case .sequence = $0 { return true }
      return with($0, what).isQuoted || (($0.scalar.map { parseInteger($0.string) == nil }) ?? true)
    }
    return nested ? try sequence.map { try with($0, what).bytes() } : [try bytes()]
  }

  /// A number, true or false, or a text.
  @inline(never) func plainValue() throws -> FieldTree {
    let text = try rawText()
    if isQuoted { return .text(text) }
    if let whole = parseInteger(text) { return .int(Int64(whole)) }
    // Numbers beyond 64 bits stay texts: as floating-point numbers they would lose digits.
    if let whole = parseWhole(text) { return UInt64(exactly: whole).map { .uint($0) } ?? .text(text) }
    if WideNumber.isWhole(text.utf8) { return .text(text) }
    if let number = Double(text) { return .double(number) }
    return text == "true" || text == "false" ? .bool(text == "true") : .text(text)
  }

  /// A duration in microseconds: `500 ms`, `2 s`, `1 min`, `250 us`.
  @inline(never) func duration() throws -> Int64 {
    let parts = try text().split(separator: " ")
    let units: [Substring: Int64] = ["us": 1, "ms": 1000, "s": 1_000_000, "min": 60_000_000]
    guard parts.count == 2, let count = Int64(parts[0]), count >= 0, count < 1_000_000_000, let unit = units[parts[1]] else {
      throw error("\(what) must be a duration such as \"500 ms\" or \"2 s\"")
    }
    return count * unit
  }

  /// The mapping, whose keys are taken one by one; `finish()` of the result throws if a key was not taken. `mapping` lists the keys.
  @inline(never) func fields(_ mapping: MappingKind? = nil) throws -> Fields { try Fields(self, mapping, pairs()) }
}

/// A mapping whose keys are taken one by one. A key that is left at the end is unknown.
///
/// The keys that may be taken are those of a ``MappingKind``: a debug build stops where the loader and that table differ.
struct Fields {
  /// The mapping itself.
  let entry: Entry
  private let mapping: MappingKind?
  private var values: [String: Entry] = [:]
  private let order: [(key: String, node: Node)]
  private var requested: [String] = []

  init(_ entry: Entry, _ mapping: MappingKind?, _ pairs: [(key: String, value: Entry, keyNode: Node)]) throws {
    self.entry = entry
    self.mapping = mapping
    order = pairs.map { ($0.key, $0.keyNode) }
    for (key, value, keyNode) in pairs {
      guard values.updateValue(value, forKey: key) == nil else {
        throw Entry.error(entry.file, keyNode, "\"\(key)\" occurs twice in \(entry.what)")
      }
    }
  }

  /// The value of `key`, or nil.
  @inline(never) mutating func take(_ key: String) -> Entry? {
    requested.append(key)
    assert(mapping?.names.contains(key) ?? true, "MappingKeys.swift has no key \"\(key)\" of \(mapping?.rawValue ?? "")")
    return values.removeValue(forKey: key)
  }

  /// The value of `key`. Throws where it is missing.
  @inline(never) mutating func need(_ key: String) throws -> Entry {
    guard let value = take(key) else { throw entry.error("\(entry.what) needs \"\(key)\"") }
    return value
  }

  /// Throws for the first key that was not taken.
  @inline(never) func finish() throws {
    assert(
      mapping.map { $0.hasForms || Set(requested) == Set($0.names) } ?? true,
      "the loader does not ask for every key that MappingKeys.swift has of \(mapping?.rawValue ?? "")")
    guard let unknown = order.first(where: { values[$0.key] != nil }) else { return }
    let known = mapping.map { $0.hasForms ? requested : $0.names } ?? requested
    let hint = nearest(unknown.key, of: known).map { "; did you mean \"\($0)\"?" }
    throw Entry.error(
      entry.file, unknown.node,
      "unknown key \"\(unknown.key)\" in \(entry.what)" + (hint ?? "; known keys are \(known.sorted().joined(separator: ", "))"))
  }
}

/// Reads an integer as YAML 1.2 and Kaitai write it: decimal, `0x`, `0o`, `0b`, with `_` between digits. Returns nil for anything else.
func parseInteger(_ text: String) -> Int? {
  // The usual case: a few decimal digits.
  if text.utf8.count < 19, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) { return Int(text) }
  return parseWhole(text).flatMap { Int(exactly: $0) }
}

/// Reads an integer as ``parseInteger(_:)`` does, also beyond 64 bits.
func parseWhole(_ text: String) -> Int128? {
  var digits = Substring(text)
  var negative = false
  if digits.first == "-" || digits.first == "+" {
    negative = digits.first == "-"
    digits = digits.dropFirst()
  }
  guard digits.first?.isNumber == true else { return nil }
  var radix = 10
  if digits.first == "0", digits.count > 2 {
    switch digits.dropFirst().first {
    case "x", "X": radix = 16
    case "o": radix = 8
    case "b": radix = 2
    default: break
    }
    if radix != 10 { digits = digits.dropFirst(2) }
  }
  let clean = digits.contains("_") ? digits.filter { $0 != "_" } : String(digits)
  guard clean.first != "-", clean.first != "+", let value = Int128(clean, radix: radix) else { return nil }
  return negative ? -value : value
}

/// The largest profile in bytes; larger files are refused before they are parsed.
let largestProfile = 4 << 20
/// Most levels of nested lists and mappings in a profile.
private let maxDepth = 60

/// Parses a profile's YAML. Throws with line and column where it is not YAML, is not a mapping, or exceeds the remaining budget.
func composeProfile(_ text: String, file: String, _ budget: DocumentBudget) throws -> Node {
  guard text.utf8.count <= largestProfile else {
    throw ProfileError(file: file, line: 0, column: 0, message: "a profile has at most \(largestProfile >> 20) MiB")
  }
  do {
    guard let node = try YAML.compose(yaml: text, budget, maxDepth: maxDepth) else {
      throw ProfileError(file: file, line: 1, column: 1, message: "the file is empty; a profile begins with \"profile: NAME\"")
    }
    guard case .mapping = node else { throw Entry.error(file, node, "a profile is a mapping (key: value)") }
    // The expanded merges need no further budget: each is an alias, or part of the text, and was counted.
    return mayHaveMerges(text) ? try following(node, file: file) : node
  } catch let error as YAMLError {
    throw yamlError(error, file: file)
  }
}

/// Whether a text contains `<<`.
private func mayHaveMerges(_ text: String) -> Bool {
  let bytes = text.utf8.span
  var previous: UInt8 = 0
  for at in bytes.indices {
    let byte = bytes[at]
    if byte == UInt8(ascii: "<"), previous == byte { return true }
    previous = byte
  }
  return false
}

/// Whether a key is the merge key `<<` of YAML 1.1.
private func isMerge(_ key: Node) -> Bool {
  guard case .scalar(let scalar) = key else { return false }
  return scalar.string == "<<" && scalar.style == .plain
}

/// A value with expanded merge keys (`<<`): keys of the mapping itself take precedence over merged ones, earlier mappings over later ones.
private func following(_ node: Node, file: String) throws -> Node {
  switch node {
  case .scalar: return node
  case .sequence(let sequence): return .sequence(Node.Sequence(try sequence.map { try following($0, file: file) }, sequence.mark))
  case .mapping(let mapping):
    guard mapping.contains(where: { isMerge($0.key) }) else {
      return .mapping(Node.Mapping(try mapping.map { ($0.key, try following($0.value, file: file)) }, mapping.mark))
    }
    var names = Set(mapping.filter { !isMerge($0.key) }.compactMap(\.key.string))
    var pairs: [Node.Mapping.Element] = []
    for (key, value) in mapping {
      guard isMerge(key) else {
        pairs.append((key, try following(value, file: file)))
        continue
      }
      for source in value.sequence.map(Array.init) ?? [value] {
        guard case .mapping(let others) = try following(source, file: file) else {
          throw Entry.error(file, value, "\"<<\" takes a mapping, or a list of mappings: <<: *NAME")
        }
        for (key, value) in others where key.string.map({ names.insert($0).inserted }) ?? true { pairs.append((key, value)) }
      }
    }
    return .mapping(Node.Mapping(pairs, mapping.mark))
  }
}

private func yamlError(_ error: YAMLError, file: String) -> ProfileError {
  switch error {
  case .syntax(let problem, let context, let mark):
    // Within { } and [ ], YAML ends an expression at its first bracket, comma or colon.
    let hint =
      problem.contains("expected ',' or") || problem.contains("character that cannot start any token")
      ? " (within { } or [ ], put text that contains [ ] { } , : or & in quotes: \"_payload[0] == 1\")" : ""
    return ProfileError(
      file: file, line: mark.line, column: mark.column, message: (problem.hasPrefix("but ") ? (context ?? "") + " " : "") + problem + hint)
  case .duplicates(let keys, let mark):
    return ProfileError(
      file: file, line: mark.line, column: mark.column, message: "the same key occurs twice: \(keys.joined(separator: ", "))")
  }
}
