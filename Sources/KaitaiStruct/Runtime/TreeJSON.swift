import Memory
import Text

/// Prints trees as JSON: keys as in the specification, an enum as `{"name", "value"}`, bytes as lower-case hex, absent as null, a failure as
/// `{"_error": {…}}` in its place, an object that is printed elsewhere as `{"$ref": pointer}`. An object without a `_parent` although it is inside
/// another (`parent: false`, types of another file) has `"_parent": null`.
extension KaitaiTree {
  /// Appends the entire tree; where parsing ended early, the root has a key `_error`. Instances that were not evaluated are left out.
  public func appendJSON(to output: inout [UInt8]) {
    guard nodeCount > 0 else {
      output.append(UInt8(ascii: "{"))
      if let failure { appendError(failure, to: &output) }
      output.append(UInt8(ascii: "}"))
      return
    }
    appendJSON(of: root, to: &output)
    guard let failure, output.last == UInt8(ascii: "}") else { return }
    output.removeLast()
    if output.last != UInt8(ascii: "{") { output.append(UInt8(ascii: ",")) }
    appendError(failure, to: &output)
    output.append(UInt8(ascii: "}"))
  }

  /// Appends a node with its contents.
  public func appendJSON(of id: NodeID, to output: inout [UInt8]) {
    guard output.count <= maxPrinted else { return }
    guard id.rawValue >= 0, Int(id.rawValue) < nodeCount else { return Self.append("null", to: &output) }
    let node = self.node(id)
    switch node.kind {
    case .object: appendObject(id, node, to: &output)
    case .array:
      output.append(UInt8(ascii: "["))
      var next = node.firstChild
      while let element = next {
        if element != node.firstChild { output.append(UInt8(ascii: ",")) }
        appendContained(element, in: id, to: &output)
        next = self.node(element).next
      }
      output.append(UInt8(ascii: "]"))
    case .stream:
      let stream = machine.pointee.streams[Int(node.payload)]
      Self.append("{\"pos\":\(stream.position),\"size\":\(stream.size),\"eof\":\(stream.position >= stream.size)}", to: &output)
    default: appendJSON(of: node.value(at: id.rawValue), to: &output)
    }
  }

  /// Appends a value other than objects and arrays.
  public func appendJSON(of value: KaitaiValue, to output: inout [UInt8]) {
    switch value.kind {
    case .absent, .stream: Self.append("null", to: &output)
    case .int: Self.append(String(Int64(bitPattern: value.bits)), to: &output)
    case .uint: Self.append(String(value.bits), to: &output)
    case .bool: Self.append(value.bits != 0 ? "true" : "false", to: &output)
    case .float: Self.append(Self.text(Double(bitPattern: value.bits), isSingle: value.kindFlag), to: &output)
    case .string: withBytes(of: value) { output.append(jsonString: $0) }
    case .bytes:
      output.append(UInt8(ascii: "\""))
      withBytes(of: value) { output.append(hexOf: $0) }
      output.append(UInt8(ascii: "\""))
    case .enumeration:
      Self.append("{\"name\":", to: &output)
      if let name = enumName(value) { Self.append("\"\(name)\"", to: &output) } else { Self.append("null", to: &output) }
      Self.append(",\"value\":\(value.kindFlag ? String(value.bits) : String(Int64(bitPattern: value.bits)))}", to: &output)
    case .object, .array: if let node = value.asNode { appendJSON(of: node, to: &output) } else { Self.append("null", to: &output) }
    }
  }

  private func appendObject(_ id: NodeID, _ node: TreeNode, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    for field in program.fields(of: TypeID(rawValue: node.type)) {
      let name = program.name(of: field)
      if name.hasPrefix("_") { continue }
      let state = state(of: field, in: id)
      if case .unread = state { continue }
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      Self.append("\"\(name)\":", to: &output)
      switch state {
      case .present(let child): appendContained(child, in: id, field: field, to: &output)
      case .failed(let failure):
        output.append(UInt8(ascii: "{"))
        appendError(failure, to: &output)
        output.append(UInt8(ascii: "}"))
      case .absent, .unread: Self.append("null", to: &output)
      }
    }
    if node.parent != nil, machine.pointee.parentNumber(of: id.rawValue) < 0 {
      Self.append(isFirst ? "\"_parent\":null" : ",\"_parent\":null", to: &output)
      if machine.pointee.rootNumber(of: id.rawValue) == id.rawValue { Self.append(",\"_root\":null", to: &output) }
    }
    output.append(UInt8(ascii: "}"))
  }

  /// Appends a node in its container; otherwise a pointer to it (values of instances, computed arrays).
  private func appendContained(_ id: NodeID, in container: NodeID, field: FieldID? = nil, to output: inout [UInt8]) {
    let node = self.node(id)
    let isObject = node.kind == .object
    var original = id
    if isObject { original = NodeID(rawValue: machine.pointee.slots[node.slotBase - 4]) }
    let isHome = node.parent == container && original == id && (field == nil || node.field == field || node.field == nil)
    if isHome || !isObject && node.kind != .array || node.kind == .array && node.field == nil {
      appendJSON(of: id, to: &output)
    } else {
      Self.append("{\"$ref\":\"", to: &output)
      Self.append(path(of: original), to: &output)
      Self.append("\"}", to: &output)
    }
  }

  private func appendError(_ failure: Failure, to output: inout [UInt8]) {
    Self.append("\"_error\":{\"type\":\"\(failure.kind.rawValue)\",\"message\":", to: &output)
    output.append(jsonString: failure.message)
    Self.append(",\"offset\":\(failure.offset)", to: &output)
    if failure.object != nil { Self.append(",\"path\":\"\(path(of: failure))\"", to: &output) }
    output.append(UInt8(ascii: "}"))
  }

  // MARK: Text

  static func append(_ text: String, to output: inout [UInt8]) { output.append(contentsOf: text.utf8) }

  /// A number as JSON; as a string if JSON has no such number.
  static func text(_ value: Double, isSingle: Bool) -> String {
    if value.isNaN { return "\"NaN\"" }
    if value.isInfinite { return value < 0 ? "\"-Infinity\"" : "\"Infinity\"" }
    return isSingle ? "\(Float(value))" : "\(value)"
  }
}
