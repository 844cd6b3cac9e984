import Ciphers
import KaitaiStruct
import Memory
import PacketCodecs
import YAML

// Layers of a framing, and their expressions.

extension ProfileCompiler {
  mutating func layers(_ list: [LayerDefinition]) throws -> [CompiledLayer] {
    for (index, layer) in list.enumerated() {
      if case .check(let check) = layer.kind, check.coversPackets,
        !list[..<index].contains(where: { if case .fragments = $0.kind { true } else { false } })
      {
        throw layer.entry.error("\"over-packets\" is for a check behind \"fragments\", whose packets it covers")
      }
    }
    return try list.map { try layer($0) }
  }

  /// Compiles a layer once for each position in the file, as many characteristics may share a framing.
  mutating func layer(_ layer: LayerDefinition) throws -> CompiledLayer {
    guard let mark = layer.entry.node.mark else { return try compile(layer) }
    var description = "\(layer.name) \(mark.line):\(mark.column) \(layer.entry.file)"
    if case .stream(let stream) = layer.kind, let escape = stream.rules.escape { description += " \(escape)" }
    if let known = layers[description] { return known }
    let compiled = try compile(layer)
    layers[description] = compiled
    return compiled
  }

  mutating func compile(_ layer: LayerDefinition) throws -> CompiledLayer {
    switch layer.kind {
    case .strip(let strip): return .strip(strip)
    case .unescape(.xor(let key, let from)): return .scramble(key: try expression(key), from: from)
    case .unescape(.escape(let escape)): return .unescape(escape)
    case .expect(let length): return .expect(length: try expression(length))
    case .check(let check) where check.coversPackets:
      guard check.value == nil else {
        throw layer.entry.error("\"over-packets\" is for a checksum in the message itself, and has no \"value\"")
      }
      return .checkPackets(check.checksum, when: try check.when.map { try expression($0) }, isInBody: check.isInBody)
    case .check(let check):
      return .check(
        check.checksum, when: try check.when.map { try expression($0) }, value: try check.value.map { try expression($0) },
        isInBody: check.isInBody)
    case .slice(let from, let to): return .slice(from: try bound(from), to: try to.map { try bound($0) })
    case .drop(let when): return .drop(when: try expression(when))
    case .decrypt(let decryption): return .decrypt(try compile(decryption))
    case .stream(let stream):
      let header = try stream.header.map { try type($0) }
      let parts = headerParts(header)
      return .stream(
        CompiledStream(
          header: header, length: try stream.length.map { try expression($0, in: header) }, rules: stream.rules,
          build: try stream.build.map { try build($0, header) }, headerParts: parts.parts, hasFixedHeader: parts.isFixed))
    case .fragments(let fragments):
      let header = try fragments.header.map { try type($0) }
      let parts = headerParts(header)
      func role(_ entry: Entry?) throws -> ExpressionID? { try entry.map { try expression($0, in: header) } }
      return .fragments(
        CompiledFragments(
          header: header, first: try role(fragments.first), last: try role(fragments.last), more: try role(fragments.more),
          total: try role(fragments.total), count: try role(fragments.count), index: try role(fragments.index),
          counter: try role(fragments.counter), offset: try role(fragments.offset), payloadFrom: fragments.payloadFrom,
          payloadTo: try role(fragments.payload),
          rules: fragments.rules, build: try fragments.build.map { try build($0, header) }, isMerge: fragments.isMerge,
          key: try role(fragments.key),
          isFixed: header.map {
            isFixed(
              $0,
              [
                fragments.first, fragments.last, fragments.more, fragments.total, fragments.count, fragments.index, fragments.counter,
                fragments.payload,
              ]) && fragments.set.isEmpty && fragments.offset == nil && !fragments.isMerge
          } ?? false,
          set: try fragments.set.map { try set($0, in: header) },
          headerParts: parts.parts, hasFixedHeader: parts.isFixed))
    }
  }

  mutating func bound(_ bound: Bound, in type: TypeID? = nil, externals: [ExternalID] = []) throws -> CompiledBound {
    switch bound {
    case .number(let number): .number(number)
    case .expression(let entry): .expression(try expression(entry, in: type, externals: externals))
    }
  }

  mutating func compile(_ layer: DecryptDefinition) throws -> CompiledDecryption {
    let header = try layer.header.map { try type($0) }
    let names = keys.map(\.external) + [externals.plain]
    let usedDevice = usesDevice
    func compiled(_ entry: Entry?, in type: TypeID?) throws -> ExpressionID? {
      guard let entry else { return nil }
      guard case .sequence = entry.node else { return try expression(entry, in: type, externals: names) }
      let text = "[" + (try entry.bytes()).map(String.init).joined(separator: ", ") + "]"
      return try expression(entry.with(.scalar(.init(text, .plain, entry.node.mark)), entry.what), in: type, externals: names)
    }
    let texts = [layer.key, layer.nonce, layer.data, layer.check].compactMap { $0?.node.string }
    let mentioned = keys.indices.compactMap { number in
      texts.firstIndex { $0.mentions("_key.\(keys[number].name)") }.map { (index: $0, number: number) }
    }
    let key = try compiled(layer.key, in: header)
    let nonce = try compiled(layer.nonce, in: header)
    let closed = try layer.withoutKey.map { try message($0.text(), $0) } ?? layer.header.map { try message($0.text(), $0) }
    let rules = CompiledDecryption(
      mode: layer.mode, keyCount: layer.keyCount, when: try compiled(layer.when, in: nil), header: header,
      key: key ?? ExpressionID(rawValue: 0),
      nonce: nonce, data: try compiled(layer.data, in: header), from: try bound(layer.from, in: header),
      to: try layer.to.map { try bound($0, in: header) }, tagFrom: try layer.tag.map { try bound($0.from, in: header) },
      tagTo: try layer.tag?.to.map { try bound($0, in: header) }, length: try compiled(layer.length, in: header),
      check: try compiled(layer.check, in: header), isPadded: layer.isPadded,
      countsLittleEndian: layer.countsLittleEndian, closedMessage: try closed ?? message("bytes", layer.key),
      keys: mentioned.sorted { ($0.index, $0.number) < ($1.index, $1.number) }.map(\.number),
      usesAddress: texts.contains { $0.contains("_device.") },
      keyUsesState: layer.key.node.string?.contains("_state.") ?? false)
    // Devices need not be distinguished where no keys of users are used.
    if !rules.keys.isEmpty { usesDevice = usedDevice }
    decryptions.append((rules, layer))
    return rules
  }

  /// Checks the lengths of keys and nonces that are constant.
  func checkDecryptions(_ program: KaitaiProgram) throws {
    guard !decryptions.isEmpty else { return }
    let environment = KaitaiEnvironment(program)
    let tree = KaitaiTree(program, limits: .message)
    tree.parse(borrowing: BorrowedBytes(), as: TypeID(rawValue: 0), environment: environment)
    for key in keys {
      environment.set(key.external, bytes: [UInt8](repeating: 0, count: key.count))
    }
    externals.set(mac: "00:00:00:00:00:00", environment)
    func count(_ expression: ExpressionID?) -> Int? {
      guard let expression, let value = try? tree.evaluate(expression), value.kind == .bytes || value.kind == .string else { return nil }
      return tree.withBytes(of: value) { $0.count }
    }
    for (rules, layer) in decryptions {
      let lengths = rules.keyCount.map { [$0] } ?? [16, 24, 32]
      if let count = count(rules.key), !lengths.contains(count) {
        let wanted = lengths.map(String.init).joined(separator: ", ")
        throw layer.key.error(
          "a key of aes-\(rules.keyCount.map { "\($0 * 8)-" } ?? "")\(rules.mode.rawValue) has \(wanted) bytes, and this has \(count)")
      }
      if let nonce = layer.nonce, let count = count(rules.nonce), !rules.mode.nonceLengths.contains(count) {
        let range = rules.mode.nonceLengths
        let wanted = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        throw nonce.error("\(nonce.what) of aes-\(rules.mode.rawValue) has \(wanted) bytes, and this has \(count)")
      }
    }
  }

  /// Compiles the value that `build` gives a field of a header: an expression, or the name of a value of the field's enum.
  mutating func built(_ value: Entry, _ field: String, of header: TypeID?, _ names: [ExternalID]) throws -> ExpressionID {
    let text = try value.text()
    if let header, let type = typeNode(header),
      let seq = type.mapping?["seq"]?.sequence?.first(where: { $0.mapping?["id"]?.string == field }),
      let enumeration = seq.mapping?["enum"]?.string, let number = labels.number(text, of: enumeration)
    {
      guard !Externals.building.contains(text) else {
        throw value.error(
          "\"\(text)\" is a variable of \"build\" and a value of enum \"\(enumeration)\": "
            + "write \(enumeration)::\(text) for the value, (\(text)) for the variable")
      }
      return try expression(value.with(.scalar(.init(String(number), .plain, value.node.mark)), value.what), externals: names)
    }
    return try expression(value, externals: names)
  }

  mutating func build(_ build: BuildDefinition, _ header: TypeID?) throws -> CompiledBuild {
    let names = externals.built
    func choices(_ list: [BuildDefinition.Choice]) throws -> [CompiledBuild.Choice] {
      try list.map { choice in
        for (name, value) in choice.header {
          guard let header, compiler.field(name, of: header) != nil else {
            throw value.error("the header type has no field \"\(name)\"")
          }
        }
        return CompiledBuild.Choice(
          when: try choice.when.map { try expression($0, externals: names) },
          header: try choice.header.map { ($0.name, try built($0.value, $0.name, of: header, names)) })
      }
    }
    return CompiledBuild(
      size: try build.size.map { try bound($0, externals: names) }, pad: build.pad, first: try choices(build.first),
      next: try choices(build.next))
  }
}

extension String {
  /// Whether a name occurs in an expression, and not as a part of a longer name.
  fileprivate func mentions(_ name: String) -> Bool {
    ranges(of: name).contains { range in
      guard range.upperBound < endIndex else { return true }
      let next = self[range.upperBound]
      return !next.isLetter && !next.isNumber && next != "_"
    }
  }
}
