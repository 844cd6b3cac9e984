import Memory
import YAML

/// Types, enums, tables, protobuf messages and framings that a profile takes from other files: from profiles of the set by their names, and from
/// files in the same folder.
///
/// Only parts that the profile names, directly or through imported parts, become part of it.
struct ProfileImports {
  /// The parts of a file that can be taken.
  private static let sections = ["types", "enums", "tables", "protobufs", "framings"]
  /// Further keys of a file that is no profile itself.
  private static let libraryKeys = ["library", "title", "source", "note", "meta", "imports"]
  private static let maxFiles = 32

  /// A part that can be imported, with its section.
  private struct Part {
    var section: String
    var name: String
    var key: Node
    var value: Node
    var origin: String
  }

  /// The key of a part that can be imported.
  private struct PartName: Hashable {
    var section: String
    var name: String
  }

  private let file: String
  private let budget: DocumentBudget
  private let profile: (String, Entry) throws -> Node
  private var parts: [Part] = []
  /// Indices into ``parts``.
  private var indices: [PartName: Int] = [:]
  private var visited: Set<String> = []

  /// A profile with all that it imports; `profile` finds those of the set. Files count against `budget`. Throws ``ProfileError``.
  static func following(
    _ node: Node, file: String, _ budget: DocumentBudget, profile: (String, Entry) throws -> Node
  ) throws -> Node {
    guard case .mapping(var mapping) = node, let entry = mapping["imports"] else { return node }
    return try withoutActuallyEscaping(profile) { profile in
      var imports = ProfileImports(file: file, budget, profile: profile)
      try imports.read(Entry(node: entry, file: file, what: "\"imports\""), depth: 0)
      mapping["imports"] = nil
      return try imports.added(to: mapping)
    }
  }

  /// Whether a file is a library, which profiles import and which is no profile itself.
  static func isLibrary(_ node: Node) -> Bool { node.mapping?["library"] != nil && node.mapping?["profile"] == nil }

  /// A library as a profile without sources, so that it can be checked and shown as one. Its numbers get a byte order if the library leaves it to the
  /// importing profiles. Throws ``ProfileError`` where it has keys that a library cannot have.
  static func asProfile(_ node: Node, file: String) throws -> Node {
    guard case .mapping(var mapping) = node, let name = mapping["library"] else { return node }
    try checkLibrary(mapping, file: file)
    mapping["library"] = nil
    mapping["profile"] = name
    var meta = mapping["meta"]?.mapping.map { Array($0) } ?? []
    for (key, value) in [("endian", "le"), ("bit-endian", "be")] where !meta.contains(where: { $0.key.string == key }) {
      meta.append((Node(key), Node(value)))
    }
    mapping["meta"] = .mapping(Node.Mapping(meta))
    return .mapping(mapping)
  }

  private static func checkLibrary(_ mapping: Node.Mapping, file: String) throws {
    for (key, _) in mapping where !(sections + libraryKeys).contains(key.string ?? "") {
      throw Entry.error(
        file, key, "unknown key \"\(key.string ?? "")\" in a library: it has \(sections.joined(separator: ", ")) and meta")
    }
  }

  private init(file: String, _ budget: DocumentBudget, profile: @escaping (String, Entry) throws -> Node) {
    self.file = file
    self.budget = budget
    self.profile = profile
  }

  private mutating func read(_ entry: Entry, depth: Int) throws {
    guard depth < 8 else { throw entry.error("imports are nested too deep") }
    for element in try entry.list() {
      let name = try element.text()
      guard visited.insert(name).inserted else { continue }
      guard visited.count <= Self.maxFiles else { throw element.error("more than \(Self.maxFiles) files are imported") }
      let node: Node
      if name.hasSuffix(".yaml") {
        guard !name.contains("/"), !name.hasPrefix(".") else {
          throw element.error("\"\(name)\": only profiles by their names, and files in the folder of this one, can be imported")
        }
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        guard let text = ProfileSet.read(folder + name) else { throw element.error("the file \"\(folder + name)\" cannot be read") }
        node = try composeProfile(text, file: folder + name, budget)
      } else {
        node = try profile(name, element)
      }
      try take(node, name, element, depth: depth)
    }
  }

  private mutating func take(_ node: Node, _ origin: String, _ entry: Entry, depth: Int) throws {
    guard case .mapping(let mapping) = node else { return }
    if mapping["profile"] == nil { try Self.checkLibrary(mapping, file: origin) }
    if let more = mapping["imports"] { try read(Entry(node: more, file: origin, what: "\"imports\""), depth: depth + 1) }
    let meta = mapping["meta"]?.mapping
    for section in Self.sections {
      guard case .mapping(let entries)? = mapping[section] else { continue }
      for (key, value) in entries {
        guard let name = key.string else { continue }
        let value = section == "types" ? Self.type(value, with: meta) : value
        if let index = indices[PartName(section: section, name: name)] {
          let known = parts[index]
          guard Self.isSame(known.value, value) else {
            throw entry.error("\"\(name)\" is in \"\(known.origin)\" and in \"\(origin)\": which of them is meant is open")
          }
          continue
        }
        indices[PartName(section: section, name: name)] = parts.count
        parts.append(Part(section: section, name: name, key: key, value: value, origin: origin))
      }
    }
  }

  /// A type with the byte order and encoding of its file, unless it sets them itself.
  private static func type(_ node: Node, with meta: Node.Mapping?) -> Node {
    guard let meta, case .mapping(var type) = node else { return node }
    var own = type["meta"]?.mapping.map { Array($0) } ?? []
    for key in ["endian", "bit-endian", "encoding"] {
      guard let value = meta[key], !own.contains(where: { $0.key.string == key }) else { continue }
      own.append((Node(key), value))
    }
    if !own.isEmpty { type["meta"] = .mapping(Node.Mapping(own)) }
    return .mapping(type)
  }

  /// The profile with the parts that it names.
  private func added(to mapping: Node.Mapping) throws -> Node {
    var mapping = mapping
    var own: Set<PartName> = []
    for section in Self.sections {
      for key in mapping[section]?.mapping?.keys.compactMap(\.string) ?? [] { own.insert(PartName(section: section, name: key)) }
    }
    var isTaken = [Bool](repeating: false, count: parts.count)
    // Each word is looked up once, and each part that it names is visited once.
    var known: Set<String> = []
    var values: [Node] = [.mapping(mapping)]
    while let value = values.popLast() {
      var found: [String] = []
      Self.words(value, &known, &found)
      for word in found {
        for section in Self.sections {
          let name = PartName(section: section, name: word)
          guard let index = indices[name], !isTaken[index], !own.contains(name) else { continue }
          isTaken[index] = true
          values.append(parts[index].value)
        }
      }
    }
    for section in Self.sections {
      let taken = zip(parts, isTaken).filter { $0.1 && $0.0.section == section }.map { (key: $0.0.key, value: $0.0.value) }
      guard !taken.isEmpty else { continue }
      let known = mapping[section]?.mapping
      mapping[Node(section)] = .mapping(Node.Mapping((known.map { Array($0) } ?? []) + taken, known?.mark))
    }
    return .mapping(mapping)
  }

  private static func isSame(_ a: Node, _ b: Node) -> Bool {
    switch (a, b) {
    case (.scalar(let a), .scalar(let b)): a.string == b.string
    case (.sequence(let a), .sequence(let b)): a.count == b.count && zip(a, b).allSatisfy { isSame($0, $1) }
    case (.mapping(let a), .mapping(let b)):
      a.count == b.count && zip(a, b).allSatisfy { isSame($0.key, $1.key) && isSame($0.value, $1.value) }
    default: false
    }
  }

  /// Adds new words in a value, which can be names of parts, to `known` and to `found`.
  private static func words(_ node: Node, _ known: inout Set<String>, _ found: inout [String]) {
    switch node {
    case .scalar(let scalar):
      for word in scalar.string.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }) {
        let word = String(word)
        if known.insert(word).inserted { found.append(word) }
      }
    case .sequence(let sequence): for element in sequence { words(element, &known, &found) }
    case .mapping(let mapping):
      for (key, value) in mapping {
        words(key, &known, &found)
        words(value, &known, &found)
      }
    }
  }
}
