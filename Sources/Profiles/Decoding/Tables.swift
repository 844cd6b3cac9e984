import Memory
import Text
import YAML

/// Tables of a profile: lists of tagged values and of registers, which are shorthand for types of Kaitai Struct.
///
/// A table of `items` becomes a type of one element (tag, length, value); a table of `registers` a type whose fields lie at their place.
struct Tables {
  private(set) var types: [(Node, Node)] = []
  private(set) var enums: [(Node, Node)] = []
  /// By table of items: the tag and the fields that lead to the value of each that expressions name.
  private(set) var items: [String: [String: (tag: UInt64, path: [String])]] = [:]
  /// What is right in them but likely not meant.
  private(set) var remarks: [(node: Node, text: String)] = []
  private var made: Set<String> = []

  init(_ entry: Entry?, meta: Entry?, isTaken: (String) -> Bool) throws {
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

  /// Number of bytes of an integer type: `u2le` has 2. Nil for others.
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

  /// Whole numbers of seven bits a byte, as types: the last byte's top bit is 0.
  static let variable = ["vlq", "varint"]

  /// A number of seven bits a byte, up to 64 bits: `vlq` has the highest first, `varint` (LEB128) the lowest.
  static func variableType(_ name: String) throws -> Node {
    // No number of 64 bits has an eleventh byte.
    let most = 10
    var seq: [String] = []
    // What the first groups are together, and what the whole is from a group on.
    var sums: [String] = []
    for group in 0..<most {
      let condition = group == 0 ? "" : ", if: " + (0..<group).map { "m\($0)" }.joined(separator: " and ")
      seq.append("{id: m\(group), type: b1, -hidden: true\(condition)\(group == most - 1 ? ", valid: false" : "")}")
      seq.append("{id: b\(group), type: b7, -hidden: true\(condition)}")
      let order = name == "vlq" ? Array(0...group) : Array((0...group).reversed())
      sums.append(order.dropFirst().reduce("b\(order[0])") { "(\($0)) * 128 + b\($1)" })
    }
    var value = sums[most - 1]
    for group in (0..<(most - 1)).reversed() { value = "m\(group) ? (\(value)) : \(sums[group])" }
    let text = """
      {-inline: true, meta: {bit-endian: be}, seq: [\(seq.joined(separator: ", "))], instances: {value: {value: "\(value)"}}}
      """
    return try compose(yaml: text) ?? Node([] as [Node])
  }

  /// A table of tagged values: one element of it is a type.
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
    // Of a type with fields its `value` is the length.
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
      let word = EnumLabels.word(label.string?.inOneLine ?? "", &words)
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
      let said = isPlain ? "length" : "length.value"
      value.append(("size", Node(overhead == 0 ? said : "\(said) - \(overhead)")))
    }
    value.append(("type", Node([("switch-on", Node("id.to_i")), ("cases", Node(cases))])))
    seq.append(Node(value))
    types.append((keyNode, Node([("seq", Node(seq)), ("-pair", Node("true"))])))
    enums.append((Node(name + "_id"), Node(names)))
  }

  /// The name of a type that holds one value. The same value is not made twice. A type of the profile stands where the profile names it.
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
      // As wide as the value is long. What is said of the number (enum, unit) stands where it is read.
      let sign = word.hasPrefix("u") ? "u" : "s"
      let endian = word.hasSuffix("le") ? "le" : "be"
      var widths = [("2", sign + "2" + endian), ("4", sign + "4" + endian), ("8", sign + "8" + endian)]
      if sign == "u" { widths.append(("3", "b24" + endian)) }
      // While it is written the size is open: a value whose length is not given takes one byte, or as many as it needs.
      widths.append(("_", sign + "1"))
      var cases = widths.map { size, type in
        (size, Node(keys.isEmpty ? type : addNumber("\(name)_\(size == "_" ? "1" : size)", type, keys)))
      }
      for size in ["5", "6", "7"] + (sign == "u" ? [] : ["3"]) { cases.insert((size, Node(addRest(table))), at: 0) }
      cases.insert(("0", Node(addNothing(table))), at: 0)
      let size = Node("_io.size > 8 and _io.size < 65536 ? 5 : _io.size")
      field.append((Node("type"), Node([("switch-on", size), ("cases", Node(cases))] as [(String, Node)])))
      field.append((Node("if"), Node("_io.size > 0")))
      // That there is a number for nothing: else nothing is written for it.
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

  /// The fields that lead from an item to its value: a type of the profile is one itself.
  private func path(to value: Node, _ type: Node, _ keys: [(Node, Node)]) -> [String] {
    guard let made = value.string, made != type.string else { return ["value"] }
    // What is said of a number of open width stands in a type of its own.
    let isOpen = ["uint", "uintle", "sint", "sintle"].contains(type.string ?? "") && !keys.isEmpty
    return ["value", "value"] + (isOpen ? ["value"] : [])
  }

  private var known: [String: String] = [:]

  /// A type that holds one number with what is said of it.
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

  /// A table of registers, of which an answer carries a run: a type whose fields lie where the first register's number puts them.
  private mutating func addRegisters(_ name: String, _ keyNode: Node, _ registers: Entry, _ fields: inout Fields) throws {
    let first = try fields.take("first")?.text() ?? "_request.start"
    let width = try fields.take("width")?.integer(in: 1...8) ?? 2
    var instances: [(Node, Node)] = []
    var conditions: [String] = []
    var places: [(name: String, bytes: Range<Int>, node: Node)] = []
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
          // More or less no answer has.
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
      if !isFar, start < 1 << 32, start >= 0 { places.append((label.string ?? "", start..<start + bytes, itemKey)) }
      // Mistakes in "first", also in the one that nobody wrote, are told at the table.
      func expression(_ text: String) -> Node { .scalar(.init(text, .plain, keyNode.mark)) }
      keys.append((Node("pos"), expression("(\(number) - (\(first))) * \(width)")))
      let isThere = "\(number) >= (\(first)) and (\(number) - (\(first))) * \(width) + \(bytes) <= _io.size"
      if let place = keys.lastIndex(where: { $0.0.string == "if" }) {
        if case .scalar(let own) = keys[place].1 { keys[place].1 = .scalar(.init("\(isThere) and (\(own.string))", .plain, own.mark)) }
      } else {
        keys.append((Node("if"), expression(isThere)))
      }
      conditions.append(keys.last { $0.0.string == "if" }?.1.string ?? "true")
      instances.append((label, Node(keys)))
    }
    // An answer of which no register has a name is shown as its numbers.
    if [1, 2, 4, 8].contains(width), !instances.contains(where: { $0.0.string == "unnamed_registers" }) {
      // Without the request nobody knows which registers they are.
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
    // Of those that begin before a register the one that reaches farthest is the one that may lie over it.
    var farthest: (name: String, bytes: Range<Int>, node: Node)?
    for place in places.sorted(by: { $0.bytes.lowerBound < $1.bytes.lowerBound }) {
      if let other = farthest, other.bytes.upperBound > place.bytes.lowerBound, remarks.count < 100 {
        let last = (other.bytes.upperBound - 1) / width
        remarks.append(
          (
            place.node,
            "register \"\(place.name)\" lies within \"\(other.name)\", whose \(other.bytes.count) bytes reach up to register \(last): both show "
              + "the same bytes"
          ))
      }
      if place.bytes.upperBound > farthest?.bytes.upperBound ?? -1 { farthest = place }
    }
  }
}

extension Node {
  /// A mapping of words to values.
  init(_ pairs: [(String, Node)]) { self.init(pairs.map { (Node($0.0), $0.1) }) }
}
