import Memory
import Text

/// Prints trees as text: one line per field, with the range of its bytes.
extension KaitaiTree {
  /// Appends the entire tree, indented, and the reason if parsing ended early.
  public func appendText(to output: inout [UInt8]) {
    if nodeCount > 0 { appendLine(root, name: program.typeNames[Int(node(root).type)], depth: 0, to: &output) }
    if let failure {
      let location = path(of: failure)
      Self.append(
        "\(failure.kind.rawValue) at byte \(failure.offset)\(location.isEmpty ? "" : ", field \(location)"): \(failure.message.singleLine)\n",
        to: &output)
    }
  }

  private func appendLine(_ id: NodeID, name: String, depth: Int, to output: inout [UInt8]) {
    guard output.count <= maxPrinted else { return }
    let node = self.node(id)
    appendRange(node, to: &output)
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    Self.append(name, to: &output)
    switch node.kind {
    case .object:
      if depth > 0 { Self.append(": \(program.typeNames[Int(node.type)])", to: &output) }
      output.append(UInt8(ascii: "\n"))
      for field in program.fields(of: TypeID(rawValue: node.type)) { appendField(field, of: id, depth: depth + 1, to: &output) }
    case .array:
      Self.append(": \(node.count) elements\n", to: &output)
      var next = node.firstChild
      var index = 0
      while let element = next {
        let inner = self.node(element)
        if inner.parent == id { appendLine(element, name: "\(index)", depth: depth + 1, to: &output) }
        index += 1
        next = inner.next
      }
    default:
      Self.append(": ", to: &output)
      appendValue(node.value(at: id.rawValue), to: &output)
      output.append(UInt8(ascii: "\n"))
    }
  }

  private func appendField(_ field: FieldID, of object: NodeID, depth: Int, to output: inout [UInt8]) {
    let name = program.name(of: field)
    switch state(of: field, in: object) {
    case .present(let child):
      let node = self.node(child)
      let isHome = node.parent == object && (node.field == field || node.field == nil)
      if isHome || node.kind != .object && node.kind != .array { return appendLine(child, name: name, depth: depth, to: &output) }
      appendBlank(depth, to: &output)
      Self.append("\(name): see \(path(of: child))\n", to: &output)
    case .failed(let failure):
      appendBlank(depth, to: &output)
      Self.append("\(name): \(failure.kind.rawValue), \(failure.message.singleLine)\n", to: &output)
    case .absent, .unread: return
    }
  }

  private func appendBlank(_ depth: Int, to output: inout [UInt8]) {
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 23 + depth * 2))
  }

  /// `00000010..00000014`, with bits after a point; blank for a computed value.
  private func appendRange(_ node: TreeNode, to output: inout [UInt8]) {
    let start = output.count
    if node.end > node.start || node.kind == .object || node.kind == .array {
      if node.isProduced { output.append(UInt8(ascii: "~")) }
      Self.append(Self.hex(node.start) + (node.startBit > 0 ? ".\(node.startBit)" : ""), to: &output)
      Self.append("..", to: &output)
      Self.append(node.endBit > 0 ? Self.hex(node.end - 1) + ".\(node.endBit)" : Self.hex(node.end), to: &output)
    }
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(1, 23 - (output.count - start))))
  }

  private static func hex(_ value: UInt32) -> String { String(hex: value, digits: 8) }

  private func appendValue(_ value: KaitaiValue, to output: inout [UInt8]) {
    switch value.kind {
    case .enumeration:
      let number = value.kindFlag ? String(value.bits) : String(Int64(bitPattern: value.bits))
      Self.append(enumName(value).map { "\($0) (\(number))" } ?? number, to: &output)
    case .bytes:
      withBytes(of: value) { bytes in
        output.append(hexOf: bytes.slice(0, 64))
        if bytes.count > 64 { Self.append("… (\(bytes.count) bytes)", to: &output) }
      }
    default: appendJSON(of: value, to: &output)
    }
  }
}
