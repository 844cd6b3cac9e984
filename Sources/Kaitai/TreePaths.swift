/// Where nodes stand in their tree.
extension Tree {
  /// The way to a node from the root, as a JSON pointer: `/records/3/value`; empty for the root.
  public func path(of id: NodeID) -> String {
    var parts: [String] = []
    var number = id.rawValue
    while number >= 0, Int(number) < machine.pointee.nodeCount, parts.count < 1000 {
      let node = machine.pointee.nodes[Int(number)]
      guard node.parentNumber >= 0 else { break }
      if machine.pointee.nodes[Int(node.parentNumber)].kind == .array {
        var index = 0
        var next = machine.pointee.nodes[Int(node.parentNumber)].firstNumber
        while next >= 0, next != number {
          index += 1
          next = machine.pointee.nodes[Int(next)].nextNumber
        }
        parts.append(String(index))
      } else {
        parts.append(node.fieldNumber >= 0 ? program.name(of: FieldID(rawValue: node.fieldNumber)) : "")
      }
      number = node.parentNumber
    }
    return parts.reversed().map { "/" + $0 }.joined()
  }

  /// The way to the field at which a failure happened; empty where it is not known.
  public func path(of failure: Failure) -> String {
    let object = failure.object.map(path(of:)) ?? ""
    return failure.field.map { object + "/" + program.name(of: $0) } ?? object
  }
}
