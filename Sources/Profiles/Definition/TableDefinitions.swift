import Memory
import Text
import YAML

/// Tables of a profile: lists of tagged values and of registers, which are shorthand for types of Kaitai Struct.
///
/// A table of `items` becomes a type of one element (tag, length, value), a table of `registers` a type with fields at the registers' offsets.
struct TableDefinitions {
  private(set) var types: [(Node, Node)] = []
  private(set) var enums: [(Node, Node)] = []
  /// By table of items: for each item its tag, and the path of fields to its value, as expressions name it.
  private(set) var items: [String: [String: (tag: UInt64, path: [String])]] = [:]
  /// Warnings: valid definitions that are probably not intended.
  private(set) var remarks: [(node: Node, text: String)] = []
  private var made: Set<String> = []

  init(_ entry: Entry?, isTaken: (String) -> Bool) throws {
    for (name, value, keyNode) in try entry?.pairs() ?? [] {
      guard !isTaken(name) else { throw Entry.error(value.file, keyNode, "\"\(name)\" is a table and a type; one must have another name") }
      let table = value.with(value.node, "table \"\(name)\"")
      let isOfRegisters = table.node.mapping?["registers"] != nil
      var fields = try table.fields(isOfRegisters ? .registerTable : .itemTable)
      if isOfRegisters {
        try addRegisters(name, keyNode, try fields.need("registers"), &fields)
      } else {
        try addItems(name, keyNode, try fields.need("items"), &fields, isTaken: isTaken)
      }
      try fields.finish()
    }
  }

  /// Size in bytes of a number type, such as 2 for `u2le`. Nil for others.
  private static func width(_ type: String) -> Int? {
    guard let sign = type.first, sign == "u" || sign == "s" || sign == "f", let digit = type.dropFirst().first?.wholeNumberValue else {
      return nil
    }
    let rest = type.dropFirst(2)
    if ["ws", "lews", "bews"].contains(rest) { return digit == 4 || digit == 8 ? digit : nil }
    return [1, 2, 4, 8].contains(digit) && (rest.isEmpty || rest == "le" || rest == "be") ? digit : nil
  }

  private static func isBits(_ type: String) -> Bool {
    type.first == "b" && (Int(type.dropFirst()).map { (1...64).contains($0) } ?? false)
  }

  /// Types of integers with seven bits per byte, whose last byte has the most significant bit 0.
  static let variable = ["vlq", "varint"]

  /// The type of an integer with seven bits per byte, up to 64 bits: `vlq` has the most significant group first, `varint` (LEB128) the least.
  static func variableType(_ name: String) throws -> Node {
    // A number of 64 bits has at most ten bytes.
    let maximum = 10
    var seq: [String] = []
    // The value of the first groups, and the value from a group on.
    var sums: [String] = []
    for group in 0..<maximum {
      let condition = group == 0 ? "" : ", if: " + (0..<group).map { "m\($0)" }.joined(separator: " and ")
      seq.append("{id: m\(group), type: b1, -hidden: true\(condition)\(group == maximum - 1 ? ", valid: false" : "")}")
      seq.append("{id: b\(group), type: b7, -hidden: true\(condition)}")
      let order = name == "vlq" ? Array(0...group) : Array((0...group).reversed())
      sums.append(order.dropFirst().reduce("b\(order[0])") { "(\($0)) * 128 + b\($1)" })
    }
    var value = sums[maximum - 1]
    for group in (0..<(maximum - 1)).reversed() { value = "m\(group) ? (\(value)) : \(sums[group])" }
    let text = """
      {-inline: true, meta: {bit-endian: be}, seq: [\(seq.joined(separator: ", "))], instances: {value: {value: "\(value)"}}}
      """
    return try compose(yaml: text) ?? Node([] as [Node])
  }

  /// Adds a table of tagged values: the type of one element.
  private mutating func addItems(
    _ name: String, _ keyNode: Node, _ listed: Entry, _ fields: inout Fields, isTaken: (String) -> Bool
  ) throws {
    let tag = try fields.take("tag")?.text() ?? "u1"
    let length = try fields.take("length")?.text() ?? "u1"
    let counts = try fields.take("length-counts")?.choice(["value": 0, "tag": 1, "all": 2]) ?? 0
    let unknown = try fields.take("unknown")?.text() ?? "bytes"
    let isLengthFirst: Bool = try fields.take("order")?.choice(["tag-length": false, "length-tag": true]) ?? false
    let hasLength = length != "none"
    guard Self.width(tag) != nil || Self.isBits(tag) else {
      throw listed.error("\"tag\" of table \"\(name)\" is an integer type: u1, u2le, b4, …")
    }
    // The length of a type with fields is its `value`.
    let isPlain = Self.width(length) != nil || Self.isBits(length)
    guard !hasLength || isPlain || Self.variable.contains(length) || isTaken(length) else {
      throw listed.error(
        "\"length\" of table \"\(name)\" is an integer type (u1, u2be, b4, vlq, varint, …), a type with a \"value\", or none")
    }
    guard counts == 0 || Self.width(tag) != nil && (counts == 1 || Self.width(length) != nil) else {
      throw listed.error("\"length-counts\" of table \"\(name)\" needs a tag and a length of whole bytes")
    }
    let tagWidth = Self.width(tag) ?? 0
    var names: [(Node, Node)] = []
    var cases: [(Node, Node)] = []
    var words: Set<String> = []
    for (key, item, itemKey) in try listed.pairs() {
      guard let number = parseInteger(key) else { throw Entry.error(listed.file, itemKey, "the key of an item is the number of its tag") }
      let item = item.with(item.node, "item \(key) of table \"\(name)\"")
      var keys = [(Node, Node)]()
      var label: Node?
      var type = Node("bytes")
      if case .mapping(let mapping) = item.node {
        for (key, value) in mapping {
          switch key.string {
          case "name": label = value
          case "type": type = value
          default: keys.append((key, value))
          }
        }
      } else {
        label = item.node
        type = Node(unknown)
      }
      guard let label else { throw item.error("\(item.what) needs \"name\"") }
      names.append((Node(String(number)), label))
      let value = addValue(name, type, keys, isSized: hasLength)
      cases.append((Node(String(number)), value))
      let word = EnumLabels.word(label.string?.singleLine ?? "", &words)
      if let tag = UInt64(exactly: number), type.string != "none" {
        items[name, default: [:]][word] = (tag, path(to: value, type, keys))
      }
    }
    cases.append((Node("_"), addValue(name, Node(unknown), [], isSized: hasLength)))

    var seq = [Node([("id", Node("id")), ("type", Node(tag)), ("enum", Node(name + "_id"))])]
    var value: [(String, Node)] = [("id", Node("value"))]
    if hasLength {
      seq.insert(
        Node([("id", Node("length")), ("type", Node(length)), ("-hidden", Node("true"))]), at: isLengthFirst ? 0 : seq.count)
      let overhead = counts == 0 ? 0 : counts == 1 ? tagWidth : tagWidth + (Self.width(length) ?? 0)
      let lengthPath = isPlain ? "length" : "length.value"
      value.append(("size", Node(overhead == 0 ? lengthPath : "\(lengthPath) - \(overhead)")))
    }
    value.append(("type", Node([("switch-on", Node("id.to_i")), ("cases", Node(cases))])))
    seq.append(Node(value))
    types.append((keyNode, Node([("seq", Node(seq)), ("-pair", Node("true"))])))
    enums.append((Node(name + "_id"), Node(names)))
  }

  /// The name of a type for one value; equal types are added once. A type of the profile is used as it is.
  private mutating func addValue(_ table: String, _ type: Node, _ keys: [(Node, Node)], isSized: Bool) -> Node {
    let word = type.string ?? ""
    let plain = keys.map { "\($0.0.string ?? "")=\($0.1.string ?? "?")" }.joined(separator: ",")
    let signature = "\(table) \(word) \(plain) \(isSized)"
    let isOwn =
      !["uint", "uintle", "sint", "sintle", "bool", "str", "bytes", "none"].contains(word) && Self.width(word) == nil
      && !Self.isBits(word.hasSuffix("le") || word.hasSuffix("be") ? String(word.dropLast(2)) : word)
    if isOwn, keys.isEmpty, !word.isEmpty { return type }
    if word == "none" { return Node(addNothing(table)) }
    if made.contains(signature), let known = known[signature] { return Node(known) }
    let name = "\(table)_value\(made.count)"
    made.insert(signature)
    known[signature] = name

    var field: [(Node, Node)] = [(Node("id"), Node("value"))]
    switch word {
    case "uint", "uintle", "sint", "sintle":
      // A number as wide as the value. Its presentation (enum, unit) belongs to the field that is read.
      let sign = word.hasPrefix("u") ? "u" : "s"
      let endian = word.hasSuffix("le") ? "le" : "be"
      var widths = [("2", sign + "2" + endian), ("4", sign + "4" + endian), ("8", sign + "8" + endian)]
      if sign == "u" { widths.append(("3", "b24" + endian)) }
      // When it is encoded, the size is not known: a value without a given length takes one byte, or as many as it needs.
      widths.append(("_", sign + "1"))
      var cases = widths.map { size, type in
        (size, Node(keys.isEmpty ? type : addNumber("\(name)_\(size == "_" ? "1" : size)", type, keys)))
      }
      for size in ["5", "6", "7"] + (sign == "u" ? [] : ["3"]) { cases.insert((size, Node(addRest(table))), at: 0) }
      cases.insert(("0", Node(addNothing(table))), at: 0)
      let size = Node("_io.size > 8 and _io.size < 65536 ? 5 : _io.size")
      field.append((Node("type"), Node([("switch-on", size), ("cases", Node(cases))] as [(String, Node)])))
      field.append((Node("if"), Node("_io.size > 0")))
      // The `-na` value, so that an absent value can be encoded.
      field += keys.filter { $0.0.string == "-na" }
      types.append((Node(name), Node([("seq", Node([Node(field)])), ("-inline", Node("true"))] as [(String, Node)])))
      return Node(name)
    case "bool":
      field.append((Node("type"), Node("u1")))
      field.append((Node("-as"), Node("bool")))
      if isSized { field.append((Node("if"), Node("not _io.eof"))) }
    case "str":
      field.append((Node("type"), Node("str")))
      field.append((Node("size-eos"), Node("true")))
      if !keys.contains(where: { $0.0.string == "encoding" }) { field.append((Node("encoding"), Node("UTF-8"))) }
    case "bytes": field.append((Node("size-eos"), Node("true")))
    default:
      field.append((Node("type"), type))
      if isSized { field.append((Node("if"), Node("not _io.eof"))) }
    }
    field += keys
    types.append((Node(name), Node([("seq", Node([Node(field)])), ("-inline", Node("true"))] as [(String, Node)])))
    return Node(name)
  }

  /// The path of fields from an item to its value; a type of the profile is the value itself.
  private func path(to value: Node, _ type: Node, _ keys: [(Node, Node)]) -> [String] {
    guard let made = value.string, made != type.string else { return ["value"] }
    // The presentation of a number of variable width is in a separate type.
    let isOpen = ["uint", "uintle", "sint", "sintle"].contains(type.string ?? "") && !keys.isEmpty
    return ["value", "value"] + (isOpen ? ["value"] : [])
  }

  private var known: [String: String] = [:]

  /// Adds a type for one number with its presentation.
  private mutating func addNumber(_ name: String, _ type: String, _ keys: [(Node, Node)]) -> String {
    let field = [(Node("id"), Node("value")), (Node("type"), Node(type))] + keys
    types.append((Node(name), Node([("seq", Node([Node(field)])), ("-inline", Node("true"))] as [(String, Node)])))
    return name
  }

  private mutating func addRest(_ table: String) -> String {
    let name = table + "_rest"
    if made.insert(name).inserted {
      let field = Node([("id", Node("value")), ("size-eos", Node("true"))] as [(String, Node)])
      types.append((Node(name), Node([("seq", Node([field])), ("-inline", Node("true"))] as [(String, Node)])))
    }
    return name
  }

  private mutating func addNothing(_ table: String) -> String {
    let name = table + "_nothing"
    if made.insert(name).inserted {
      types.append((Node(name), Node([("seq", Node([] as [Node])), ("-inline", Node("true"))] as [(String, Node)])))
    }
    return name
  }

  /// Adds a table of registers, of which a response has a range: a type whose fields have offsets relative to the first register in the response.
  private mutating func addRegisters(_ name: String, _ keyNode: Node, _ registers: Entry, _ fields: inout Fields) throws {
    let first = try fields.take("first")?.text() ?? "_request.start"
    let width = try fields.take("width")?.integer(in: 1...8) ?? 2
    var instances: [(Node, Node)] = []
    var conditions: [String] = []
    var entries: [(name: String, bytes: Range<Int>, node: Node)] = []
    for (key, item, itemKey) in try registers.pairs() {
      guard let number = parseInteger(key) else { throw Entry.error(item.file, itemKey, "the key of a register is its number") }
      var keys: [(Node, Node)] = []
      var label: Node?
      var bytes = width
      if case .mapping(let mapping) = item.node {
        for (key, value) in mapping {
          if key.string == "name" { label = value } else { keys.append((key, value)) }
        }
        if let type = mapping["type"]?.string {
          bytes = Self.width(type) ?? (Self.isBits(type) ? ((Int(type.dropFirst()) ?? 16) + 7) / 8 : width)
        } else if let size = mapping["size"]?.string.flatMap(parseInteger) {
          // No response has sizes outside of this range.
          bytes = min(max(size, 0), 1 << 32)
        } else {
          keys.insert((Node("type"), Node("u\(width)")), at: 0)
        }
        if let count = mapping["repeat-expr"]?.string.flatMap(parseInteger) {
          bytes *= max(1, min(count, 4096))
          if mapping["repeat"] == nil { keys.append((Node("repeat"), Node("expr"))) }
        }
      } else {
        label = item.node
        keys = [(Node("type"), Node("u\(width)"))]
      }
      guard let label else { throw item.error("register \(key) of table \"\(name)\" needs \"name\"") }
      let (start, isFar) = number.multipliedReportingOverflow(by: width)
      if !isFar, start < 1 << 32, start >= 0 { entries.append((label.string ?? "", start..<start + bytes, itemKey)) }
      // Errors in "first", even in its default, are reported at the position of the table.
      func expression(_ text: String) -> Node { .scalar(.init(text, .plain, keyNode.mark)) }
      keys.append((Node("pos"), expression("(\(number) - (\(first))) * \(width)")))
      let isThere = "\(number) >= (\(first)) and (\(number) - (\(first))) * \(width) + \(bytes) <= _io.size"
      if let index = keys.lastIndex(where: { $0.0.string == "if" }) {
        if case .scalar(let own) = keys[index].1 { keys[index].1 = .scalar(.init("\(isThere) and (\(own.string))", .plain, own.mark)) }
      } else {
        keys.append((Node("if"), expression(isThere)))
      }
      conditions.append(keys.last { $0.0.string == "if" }?.1.string ?? "true")
      instances.append((label, Node(keys)))
    }
    // A response without any named register is shown as numbers.
    if [1, 2, 4, 8].contains(width), !instances.contains(where: { $0.0.string == "unnamed_registers" }) {
      // Without the request the registers are unknown.
      let known = first == "_request.start" ? "not _has_request or " : ""
      let none = conditions.isEmpty ? "" : " and (\(known)not (" + conditions.map { "(\($0))" }.joined(separator: " or ") + "))"
      instances.append(
        (
          Node("unnamed_registers"),
          Node(
            [
              ("pos", "0"), ("type", "u\(width)"), ("repeat", "expr"), ("repeat-expr", "_io.size / \(width)"),
              ("if", "_io.size >= \(width)" + none), ("-label", "registers without names"),
            ].map { (Node($0), Node.scalar(.init($1, .plain, keyNode.mark))) })
        ))
    }
    types.append((keyNode, Node([("instances", Node(instances))] as [(String, Node)])))
    // Of the registers that begin before another one, the one with the highest end may overlap it.
    var farthest: (name: String, bytes: Range<Int>, node: Node)?
    for entry in entries.sorted(by: { $0.bytes.lowerBound < $1.bytes.lowerBound }) {
      if let other = farthest, other.bytes.upperBound > entry.bytes.lowerBound, remarks.count < 100 {
        let last = (other.bytes.upperBound - 1) / width
        remarks.append(
          (
            entry.node,
            "register \"\(entry.name)\" lies within \"\(other.name)\", whose \(other.bytes.count) bytes reach up to register \(last): both show "
              + "the same bytes"
          ))
      }
      if entry.bytes.upperBound > farthest?.bytes.upperBound ?? -1 { farthest = entry }
    }
  }
}

extension Node {
  /// A mapping with strings as keys.
  init(_ pairs: [(String, Node)]) { self.init(pairs.map { (Node($0.0), $0.1) }) }
}
