/// A value of a YAML document (YAML 1.1), with its position in the text.
public enum Node: Sendable {
  /// A single value.
  case scalar(Scalar)
  /// Keys with values, in the order of the file.
  case mapping(Mapping)
  /// A list.
  case sequence(Sequence)

  /// A position in a text: line and column (in Unicode scalars), both from 1.
  public struct Mark: Sendable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1.
    public var column: Int
  }

  /// A text, and how it was written.
  public struct Scalar: Sendable {
    /// The style of a scalar, with libyaml's numbers.
    public enum Style: UInt8, Sendable { case any, plain, singleQuoted, doubleQuoted, literal, folded }
    /// The text, without quotes and escapes.
    public var string: String
    /// How it was written; ``Style/any`` where it was not read from a text.
    public var style: Style
    /// Position of its beginning; nil where it was not read from a text.
    public var mark: Mark?

    /// Makes a scalar.
    public init(_ string: String, _ style: Style = .any, _ mark: Mark? = nil) {
      self.string = string
      self.style = style
      self.mark = mark
    }
  }

  /// Keys with values.
  public struct Mapping: Sendable, RandomAccessCollection {
    /// A key and its value.
    public typealias Element = (key: Node, value: Node)
    private var pairs: [Element]
    /// Position of its beginning; nil where it was not read from a text.
    public var mark: Mark?
    /// Indices of the keys; nil where there are so few that a search is as fast. A file can have many thousands of names, each of which is looked up.
    private var indices: [String: Int]?
    private static let maxWithoutIndex = 32

    /// Makes a mapping.
    public init(_ pairs: [Element], _ mark: Mark? = nil) {
      self.pairs = pairs
      self.mark = mark
      buildIndex()
    }

    private mutating func buildIndex() {
      indices = nil
      guard pairs.count > Self.maxWithoutIndex else { return }
      var indices: [String: Int] = [:]
      indices.reserveCapacity(pairs.count)
      // Of a key that occurs twice, the last pair counts.
      for (index, pair) in pairs.enumerated() {
        if case .scalar(let scalar) = pair.key { indices[scalar.string] = index }
      }
      self.indices = indices
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// Number of pairs.
    public var endIndex: Int { pairs.count }
    /// The pair at `position`.
    public subscript(position: Int) -> Element { pairs[position] }
    /// The keys, in order.
    public var keys: [Node] { pairs.map(\.key) }

    private func index(_ key: String) -> Int? {
      if let indices { return indices[key] }
      return pairs.lastIndex {
        if case .scalar(let scalar) = $0.key { scalar.string == key } else { false }
      }
    }

    /// The value of a key that is a scalar; nil where there is none. Setting nil removes the pair.
    public subscript(key: String) -> Node? {
      get { index(key).map { pairs[$0].value } }
      set { set(newValue, Node(key)) }
    }

    /// The value of a key; nil where there is none, or the key is not a scalar. Setting nil removes the pair.
    public subscript(key: Node) -> Node? {
      get { key.string.flatMap { self[$0] } }
      set { set(newValue, key) }
    }

    private mutating func set(_ value: Node?, _ key: Node) {
      guard let name = key.string else { return }
      switch (index(name), value) {
      case (let index?, let value?): pairs[index].value = value
      case (let index?, nil):
        pairs.remove(at: index)
        buildIndex()
      case (nil, let value?):
        pairs.append((key, value))
        if indices != nil { indices?[name] = pairs.count - 1 } else { buildIndex() }
      case (nil, nil): break
      }
    }
  }

  /// A list.
  public struct Sequence: Sendable, RandomAccessCollection {
    private var nodes: [Node]
    /// Position of its beginning; nil where it was not read from a text.
    public var mark: Mark?

    /// Makes a list.
    public init(_ nodes: [Node], _ mark: Mark? = nil) {
      self.nodes = nodes
      self.mark = mark
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// Number of values.
    public var endIndex: Int { nodes.count }
    /// The value at `position`.
    public subscript(position: Int) -> Node { nodes[position] }
  }

  /// Makes a scalar.
  public init(_ string: String) { self = .scalar(Scalar(string)) }
  /// Makes a mapping.
  public init(_ pairs: [(Node, Node)]) { self = .mapping(Mapping(pairs.map { (key: $0.0, value: $0.1) })) }
  /// Makes a list.
  public init(_ nodes: [Node]) { self = .sequence(Sequence(nodes)) }

  /// The scalar; nil for other nodes.
  public var scalar: Scalar? { if case .scalar(let scalar) = self { scalar } else { nil } }
  /// The mapping; nil for other nodes.
  public var mapping: Mapping? { if case .mapping(let mapping) = self { mapping } else { nil } }
  /// The list; nil for other nodes.
  public var sequence: Sequence? { if case .sequence(let sequence) = self { sequence } else { nil } }
  /// The text of a scalar; nil for other nodes.
  public var string: String? { if case .scalar(let scalar) = self { scalar.string } else { nil } }

  /// The value of a key of a mapping; nil where there is none, or the node is not a mapping.
  public subscript(key: String) -> Node? { mapping?[key] }

  /// Position of its beginning; nil where it was not read from a text.
  public var mark: Mark? {
    switch self {
    case .scalar(let scalar): scalar.mark
    case .mapping(let mapping): mapping.mark
    case .sequence(let sequence): sequence.mark
    }
  }
}

extension Node: ExpressibleByStringLiteral {
  /// Makes a scalar.
  public init(stringLiteral value: String) { self.init(value) }
}
