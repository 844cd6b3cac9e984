import YAML

extension MistakeTests {
  struct NotYAML: Error {}

  /// The YAML tree of a text.
  static func compose(_ text: String) throws -> Node {
    guard let node = try YAML.compose(yaml: text) else { throw NotYAML() }
    return node
  }
}
