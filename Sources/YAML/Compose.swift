#if canImport(CYAML)
  import CYAML
#else
  import CYaml
#endif

/// Why a text is no YAML document, and where.
public enum YAMLError: Error, Sendable {
  /// It breaks the grammar of YAML; `context` says what was being read, where that is known.
  case syntax(problem: String, context: String?, Node.Mark)
  /// Keys stand twice in a mapping; the place is that of the first of them.
  case duplicates([String], Node.Mark)
}

/// Reads the only document of `text`. Returns nil where there is none. Aliases share what they stand for. Throws ``YAMLError``.
public func compose(yaml text: String) throws(YAMLError) -> Node? {
  var text = text
  var result: Result<Node?, YAMLError> = .success(nil)
  text.withUTF8 { bytes in
    // The parser points into itself: it must not move.
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { unsafe parser.deallocate() }
    guard unsafe yaml_parser_initialize(parser) == 1 else { return }
    defer { unsafe yaml_parser_delete(parser) }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    var composer = unsafe Composer(parser: parser)
    do throws(YAMLError) { result = .success(try composer.document()) } catch { result = .failure(error) }
  }
  return try result.get()
}

/// Makes nodes of libyaml's events.
@safe private struct Composer {
  let parser: UnsafeMutablePointer<yaml_parser_t>
  private var anchors: [String: Node] = [:]
  private static let deepest = 200

  init(parser: UnsafeMutablePointer<yaml_parser_t>) { unsafe self.parser = unsafe parser }

  /// The next event, whose memory the caller gives back.
  private mutating func next(_ event: inout yaml_event_t) throws(YAMLError) {
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure() }
  }

  private func failure() -> YAMLError {
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "memory is short"
    if unsafe parser.pointee.error == YAML_READER_ERROR { return .syntax(problem: problem, context: nil, Node.Mark(line: 1, column: 1)) }
    return unsafe .syntax(
      problem: problem, context: parser.pointee.context.map { unsafe String(cString: $0) }, unsafe Self.mark(parser.pointee.problem_mark))
  }

  private static func mark(_ mark: yaml_mark_t) -> Node.Mark { Node.Mark(line: Int(mark.line) + 1, column: Int(mark.column) + 1) }

  mutating func document() throws(YAMLError) -> Node? {
    var event = unsafe yaml_event_t()
    try unsafe next(&event)
    unsafe yaml_event_delete(&event)
    try unsafe next(&event)
    let isEmpty = unsafe event.type == YAML_STREAM_END_EVENT
    unsafe yaml_event_delete(&event)
    if isEmpty { return nil }
    try unsafe next(&event)
    let root = try unsafe node(&event, depth: 0)
    // The end of the document, and of the text.
    try unsafe next(&event)
    unsafe yaml_event_delete(&event)
    try unsafe next(&event)
    let isEnd = unsafe event.type == YAML_STREAM_END_EVENT
    let place = unsafe Self.mark(event.start_mark)
    unsafe yaml_event_delete(&event)
    if !isEnd { throw .syntax(problem: "but found another document", context: "expected a single document in the stream", place) }
    return root
  }

  /// The node that begins with `event`, which is given back.
  private mutating func node(_ event: inout yaml_event_t, depth: Int) throws(YAMLError) -> Node {
    let place = unsafe Self.mark(event.start_mark)
    let type = unsafe event.type
    var anchor: String?
    switch type {
    case YAML_ALIAS_EVENT:
      let name = unsafe Self.text(event.data.alias.anchor)
      unsafe yaml_event_delete(&event)
      guard let name, let known = anchors[name] else { throw .syntax(problem: "found undefined alias", context: nil, place) }
      return known
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let string = unsafe String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      let style = unsafe Node.Scalar.Style(rawValue: UInt8(truncatingIfNeeded: scalar.style.rawValue)) ?? .any
      anchor = unsafe Self.text(scalar.anchor)
      unsafe yaml_event_delete(&event)
      return keep(.scalar(Node.Scalar(string, style, place)), anchor)
    case YAML_SEQUENCE_START_EVENT: anchor = unsafe Self.text(event.data.sequence_start.anchor)
    default: anchor = unsafe Self.text(event.data.mapping_start.anchor)
    }
    unsafe yaml_event_delete(&event)
    guard depth < Self.deepest else { throw .syntax(problem: "nested deeper than \(Self.deepest) levels", context: nil, place) }
    if type == YAML_SEQUENCE_START_EVENT {
      var nodes: [Node] = []
      while true {
        try unsafe next(&event)
        if unsafe event.type == YAML_SEQUENCE_END_EVENT { break }
        unsafe nodes.append(try node(&event, depth: depth + 1))
      }
      unsafe yaml_event_delete(&event)
      return keep(.sequence(Node.Sequence(nodes, place)), anchor)
    }
    var pairs: [Node.Mapping.Element] = []
    while true {
      try unsafe next(&event)
      if unsafe event.type == YAML_MAPPING_END_EVENT { break }
      let key = try unsafe node(&event, depth: depth + 1)
      try unsafe next(&event)
      unsafe pairs.append((key, try node(&event, depth: depth + 1)))
    }
    unsafe yaml_event_delete(&event)
    try Self.checkKeys(pairs)
    return keep(.mapping(Node.Mapping(pairs, place)), anchor)
  }

  private mutating func keep(_ node: Node, _ anchor: String?) -> Node {
    if let anchor { anchors[anchor] = node }
    return node
  }

  private static func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    unsafe bytes.map { unsafe String(cString: $0) }
  }

  /// No key that is a scalar stands twice.
  private static func checkKeys(_ pairs: [Node.Mapping.Element]) throws(YAMLError) {
    guard pairs.count > 1 else { return }
    var seen: Set<String> = []
    seen.reserveCapacity(pairs.count)
    var twice: Set<String> = []
    for (key, _) in pairs {
      if let name = key.string, !seen.insert(name).inserted { twice.insert(name) }
    }
    guard !twice.isEmpty else { return }
    let names = twice.sorted()
    let first = pairs.first { $0.key.string == names[0] }?.key.mark
    throw .duplicates(names, first ?? Node.Mark(line: 0, column: 0))
  }
}
