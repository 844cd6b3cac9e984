import CYAML

/// Why a text is not a YAML document, and where.
public enum YAMLError: Error, Sendable {
  /// A syntax error; `context` names the construct that was being parsed, where libyaml knows it.
  case syntax(problem: String, context: String?, Node.Mark)
  /// Keys that occur twice in a mapping, with the mark of the first of them.
  case duplicates([String], Node.Mark)
}

/// Reads the only document of `text`. Returns nil where there is none. An alias gives the same node as its anchor, whose values are counted for each
/// alias. Nodes are nested at most `maxDepth` deep, aliases included. Throws ``YAMLError``, and then leaves `budget` unchanged.
public func compose(
  yaml text: String, _ budget: DocumentBudget = DocumentBudget(), maxDepth: Int = 200
) throws(YAMLError) -> Node? {
  var text = text
  var result: Result<Node?, YAMLError> = .success(nil)
  text.withUTF8 { bytes in
    // The byte order mark that some editors write is not part of the document.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let body = unsafe bytes.starts(with: mark) ? UnsafeBufferPointer(rebasing: bytes[mark.count...]) : bytes
    guard let reader = unsafe EventReader(body) else { return }
    do throws(YAMLError) {
      var composer = Composer(try budget.taking(bytes: bytes.count), maxDepth: maxDepth)
      result = .success(try composer.document(reader))
      budget.use(composer.amount)
    } catch { result = .failure(error) }
  }
  return try result.get()
}

/// Composes the nodes of a document, and counts them.
private struct Composer {
  /// A node with its number of values and height, aliases expanded.
  struct Part {
    var node: Node
    var values: Int
    /// Levels of nodes in it; 1 for a scalar.
    var height: Int
  }

  private(set) var amount: DocumentBudget.Amount
  private let maxDepth: Int
  private var anchors: [String: Part] = [:]

  init(_ amount: DocumentBudget.Amount, maxDepth: Int) { (self.amount, self.maxDepth) = (amount, maxDepth) }

  mutating func document(_ reader: borrowing EventReader) throws(YAMLError) -> Node? {
    // The start of the stream, then that of the document.
    _ = try reader.next()
    if case .streamEnd = try reader.next().kind { return nil }
    let root = try part(try reader.next(), reader, depth: 0)
    // The end of the document, then that of the stream.
    _ = try reader.next()
    let last = try reader.next()
    guard case .streamEnd = last.kind else {
      throw .syntax(problem: "but found another document", context: "expected a single document in the stream", last.mark)
    }
    return root.node
  }

  /// The node that begins with `event`.
  private mutating func part(_ event: Event, _ reader: borrowing EventReader, depth: Int) throws(YAMLError) -> Part {
    if case .alias = event.kind {
      guard let name = event.anchor, let known = anchors[name] else {
        throw .syntax(problem: "found undefined alias", context: nil, event.mark)
      }
      try checkDepth(depth + known.height, event)
      try amount.take(values: known.values, isAlias: true, event.mark)
      return known
    }
    try checkDepth(depth + 1, event)
    try amount.take(values: 1, isAlias: false, event.mark)
    var part = Part(node: .scalar(Node.Scalar("", .any, event.mark)), values: 1, height: 1)
    func inner(_ event: Event, _ composer: inout Composer) throws(YAMLError) -> Node {
      let inner = try composer.part(event, reader, depth: depth + 1)
      part.values += inner.values
      part.height = max(part.height, inner.height + 1)
      return inner.node
    }
    switch event.kind {
    case .scalar(let text, let style): part.node = .scalar(Node.Scalar(text, style, event.mark))
    case .sequenceStart:
      var nodes: [Node] = []
      while true {
        let next = try reader.next()
        if case .end = next.kind { break }
        nodes.append(try inner(next, &self))
      }
      part.node = .sequence(Node.Sequence(nodes, event.mark))
    case .mappingStart:
      var pairs: [Node.Mapping.Element] = []
      while true {
        let next = try reader.next()
        if case .end = next.kind { break }
        let key = try inner(next, &self)
        pairs.append((key, try inner(try reader.next(), &self)))
      }
      try checkKeys(pairs)
      part.node = .mapping(Node.Mapping(pairs, event.mark))
    case .alias, .end, .streamEnd, .other: throw .syntax(problem: "did not find expected node content", context: nil, event.mark)
    }
    if let anchor = event.anchor { anchors[anchor] = part }
    return part
  }

  private func checkDepth(_ depth: Int, _ event: Event) throws(YAMLError) {
    guard depth <= maxDepth else { throw .syntax(problem: "nested deeper than \(maxDepth) levels", context: nil, event.mark) }
  }
}

/// Throws where a scalar key occurs twice.
private func checkKeys(_ pairs: [Node.Mapping.Element]) throws(YAMLError) {
  guard pairs.count > 1 else { return }
  // Most mappings are short, and comparing their keys takes less than hashing them.
  if pairs.count <= longestCompared, !hasEqualKeys(pairs) { return }
  var seen: Set<String> = []
  seen.reserveCapacity(pairs.count)
  var duplicates: Set<String> = []
  for (key, _) in pairs {
    if let name = key.string, !seen.insert(name).inserted { duplicates.insert(name) }
  }
  guard !duplicates.isEmpty else { return }
  let names = duplicates.sorted()
  let first = pairs.first { $0.key.string == names[0] }?.key.mark
  throw .duplicates(names, first ?? Node.Mark(line: 0, column: 0))
}

/// Most pairs of a mapping whose keys are compared with each other.
private let longestCompared = 8

private func hasEqualKeys(_ pairs: [Node.Mapping.Element]) -> Bool {
  for index in 1..<pairs.count {
    guard case .scalar(let key) = pairs[index].key else { continue }
    for other in 0..<index {
      if case .scalar(let earlier) = pairs[other].key, earlier.string == key.string { return true }
    }
  }
  return false
}

/// An event of libyaml.
private struct Event {
  enum Kind {
    case alias
    case scalar(String, Node.Scalar.Style)
    case sequenceStart
    case mappingStart
    /// The end of a sequence or mapping.
    case end
    case streamEnd
    /// The start of the stream, the start or the end of a document.
    case other
  }

  var kind: Kind
  /// The name after `&` or, for an alias, after `*`.
  var anchor: String?
  var mark: Node.Mark
}

/// Owns a libyaml parser and gives its events as Swift values.
@safe private struct EventReader: ~Copyable {
  /// The parser points into itself, so it must not move.
  private let parser: UnsafeMutablePointer<yaml_parser_t>

  /// Makes a reader of a text, whose memory must stay valid while the reader is used. Returns nil where memory is short.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe parser = .allocate(capacity: 1)
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      unsafe parser.deallocate()
      return nil
    }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
  }

  /// The next event.
  func next() throws(YAMLError) -> Event {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { unsafe yaml_event_delete(&event) }
    let kind: Event.Kind
    var anchor: UnsafeMutablePointer<yaml_char_t>?
    switch unsafe event.type {
    case YAML_ALIAS_EVENT:
      kind = .alias
      unsafe anchor = event.data.alias.anchor
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let style = unsafe Node.Scalar.Style(rawValue: UInt8(truncatingIfNeeded: scalar.style.rawValue)) ?? .any
      kind = unsafe .scalar(String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self), style)
      unsafe anchor = scalar.anchor
    case YAML_SEQUENCE_START_EVENT:
      kind = .sequenceStart
      unsafe anchor = event.data.sequence_start.anchor
    case YAML_MAPPING_START_EVENT:
      kind = .mappingStart
      unsafe anchor = event.data.mapping_start.anchor
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .end
    case YAML_STREAM_END_EVENT: kind = .streamEnd
    default: kind = .other
    }
    return unsafe Event(kind: kind, anchor: anchor.map { unsafe String(cString: $0) }, mark: Self.mark(event.start_mark))
  }

  private func failure() -> YAMLError {
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "out of memory"
    if unsafe parser.pointee.error == YAML_READER_ERROR { return .syntax(problem: problem, context: nil, Node.Mark(line: 1, column: 1)) }
    let context = unsafe parser.pointee.context.map { unsafe String(cString: $0) }
    return unsafe .syntax(problem: problem, context: context, Self.mark(parser.pointee.problem_mark))
  }

  private static func mark(_ mark: yaml_mark_t) -> Node.Mark { Node.Mark(line: Int(mark.line) + 1, column: Int(mark.column) + 1) }
}
