import Memory
import YAML

extension Definition {
  /// Uses of names in places where they never have a value, each with its position and the reason.
  func unknownNames() -> [(node: Node, text: String)] {
    var found: [(node: Node, text: String)] = []
    var seen: Set<String> = []
    func add(_ node: Node, _ text: String) {
      guard seen.insert("\(node.mark?.line ?? 0):\(node.mark?.column ?? 0):\(text)").inserted else { return }
      found.append((node, text))
    }
    let types = kaitai.mapping?["types"]?.mapping ?? Node.Mapping([])
    // Layers that join packets evaluate their header and its roles before there is a message.
    func header(_ header: Entry?, _ roles: [(name: String, entry: Entry?)], _ layer: String) {
      for (name, entry) in roles {
        guard let node = entry?.node, !node.texts(naming: ["_payload"]).isEmpty else { continue }
        add(
          node,
          "\"\(name)\" of \"\(layer)\" asks for _payload, which is not known there: it is read before the message is joined (the bytes of the "
            + "packet are _packet.length; its fields are those of the header)")
      }
      guard let name = header?.node.string, let type = types[name] else { return }
      for text in type.texts(naming: ["_payload"]) {
        add(
          text,
          "the header \"\(name)\" asks for _payload, which is not known while a packet's header is read: _packet.length is the number of the "
            + "packet's bytes")
      }
    }
    for source in sources {
      for layer in source.framing.joined() {
        switch layer.kind {
        case .fragments(let rules):
          let roles: [(String, Entry?)] = [
            ("first", rules.first), ("last", rules.last), ("more", rules.more), ("total", rules.total), ("count", rules.count),
            ("index", rules.index), ("offset", rules.offset), ("counter", rules.counter), ("payload", rules.payload), ("key", rules.key),
          ]
          header(rules.header, roles + rules.set.map { ("set", $0.value) }, rules.isMerge ? "merge" : "fragments")
        case .stream(let rules): header(rules.header, [("length", rules.length)], "stream")
        default: break
        }
      }
    }
    // A written message answers no request.
    let names: Set = ["_request", "_has_request"]
    let written = Int(ValueDirection.write.rawValue)
    var inWrites: Set<String> = []
    var elsewhere: Set<String> = []
    for source in sources {
      for (direction, alternatives) in source.messages.enumerated() {
        for alternative in alternatives ?? [] {
          if direction == written, let when = alternative.when?.node, !when.texts(naming: names).isEmpty {
            add(when, "\"when\" of \"write\" asks for the request, which is known only in answers: what is written is a request itself")
          }
          var type = alternative.message
          if case .type(let name)? = messages[type]?.body { type = name }
          if direction == written { insert(type, types, &inWrites) } else { insert(type, types, &elsewhere) }
        }
      }
    }
    for name in inWrites.subtracting(elsewhere).sorted() {
      for text in types[name]?.texts(naming: names) ?? [] {
        add(
          text,
          "type \"\(name)\" asks for the request, but only messages that are written have it: they are requests themselves, and answer none"
        )
      }
    }
    return found
  }

  /// Adds a type, and the types that it names.
  private func insert(_ name: String, _ types: Node.Mapping, _ found: inout Set<String>) {
    var open = [name]
    while let name = open.popLast() {
      guard let type = types[name], found.insert(name).inserted else { continue }
      open += type.words
    }
  }
}

extension Node {
  /// The texts in it, except keys, in which one of `names` occurs as a complete word.
  fileprivate func texts(naming names: Set<String>) -> [Node] {
    switch self {
    case .scalar(let scalar):
      let words = scalar.string.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      return words.contains { names.contains(String($0)) } ? [self] : []
    case .sequence(let list): return list.flatMap { $0.texts(naming: names) }
    case .mapping(let mapping):
      return mapping.flatMap { pair in
        ["doc", "doc-ref", "-label"].contains(pair.key.string) ? [] : pair.value.texts(naming: names)
      }
    }
  }
}
