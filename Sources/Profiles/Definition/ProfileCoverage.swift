import KaitaiStruct

/// The parts of a profile that its tests cover: messages, the types within them and within the headers of encrypted bytes, and the named values of
/// its enums.
public struct ProfileCoverage: Sendable {
  private let profile: CompiledProfile
  private var messages: Set<Int> = []
  private var types: Set<TypeID> = []
  private var values = Values()

  init(_ profile: CompiledProfile) { self.profile = profile }

  /// Adds a message of a test.
  mutating func add(_ message: ProfileMessage) {
    guard message.kind == .message, message.messageNumber >= 0 else { return }
    messages.insert(message.messageNumber)
    message.visitNodes { tree, node in
      if let type = tree.node(node).objectType { types.insert(type) }
      values.add(node, of: tree)
    }
  }

  /// Adds the types and named values of headers.
  mutating func add(_ values: Values) {
    types.formUnion(values.types)
    self.values.reached.merge(values.reached) { $0.union($1) }
  }

  /// Types and named values of headers that tests cover.
  struct Values {
    fileprivate var types: Set<TypeID> = []
    fileprivate var reached: [EnumID: Set<Int64>] = [:]

    /// Adds a header of a packet, of a frame or of encrypted bytes.
    mutating func add(_ header: KaitaiTree) {
      header.evaluateInstances()
      for number in 0..<header.nodeCount {
        let node = NodeID(rawValue: Int32(number))
        if let type = header.node(node).objectType { types.insert(type) }
        add(node, of: header)
      }
    }

    fileprivate mutating func add(_ node: NodeID, of tree: KaitaiTree) {
      if let value = tree.value(of: node), let enumeration = value.enumeration, let number = value.asInt {
        reached[enumeration, default: []].insert(number)
      }
    }
  }

  /// The types in messages and in the headers of encrypted bytes, without those that tables are translated to.
  private var allTypes: [TypeID] {
    var all: Set<TypeID> = []
    for message in profile.messages { if case .type(let type) = message.body { all.formUnion(profile.program.types(within: type)) } }
    for layers in profile.sources.flatMap(\.directions).map(\.layers) {
      for case .decrypt(let rules) in layers { if let header = rules.header { all.formUnion(profile.program.types(within: header)) } }
    }
    return all.filter { type in
      let name = name(of: type)
      return !name.hasSuffix("_rest") && !name.hasSuffix("_nothing") && name.firstMatch(of: /_value[0-9]+(_[0-9])?$/) == nil
    }.sorted { $0.rawValue < $1.rawValue }
  }

  private func name(of type: TypeID) -> String { String(profile.program.typeNames[Int(type.rawValue)].split(separator: ":").last ?? "") }

  /// Number of messages, types and named values, and how many of them tests cover.
  public var counts: (reached: Int, of: Int) {
    let types = allTypes
    var counts = (reached: messages.count + types.count { self.types.contains($0) }, of: profile.messages.count + types.count)
    for (enumeration, names) in enumerations {
      counts.of += names.count
      counts.reached += names.count { values.reached[enumeration]?.contains($0.value) ?? false }
    }
    return counts
  }

  private var enumerations: [(EnumID, [(value: Int64, name: String)])] {
    profile.program.enumNames.indices.map { number in
      let enumeration = EnumID(rawValue: Int32(number))
      return (enumeration, profile.program.entries(of: enumeration))
    }
  }

  /// Parts that no test covers, one line each: `message refused`, `type pack`, `enum state: idle, fault`.
  public var missing: [String] {
    var lines: [String] = []
    for (number, message) in profile.messages.enumerated() where !messages.contains(number) { lines.append("message \(message.id)") }
    for type in allTypes where !types.contains(type) { lines.append("type \(name(of: type))") }
    for (enumeration, names) in enumerations {
      let open = names.filter { !(values.reached[enumeration]?.contains($0.value) ?? false) }.map { entry in
        profile.labels[Int(enumeration.rawValue)][entry.value] ?? entry.name
      }
      guard !open.isEmpty else { continue }
      let name = profile.program.enumNames[Int(enumeration.rawValue)].split(separator: ":").last ?? ""
      let more = open.count > 12 ? ", … (+\(open.count - 12))" : ""
      lines.append("enum \(name): \(open.prefix(12).joined(separator: ", "))\(more)")
    }
    return lines
  }
}
