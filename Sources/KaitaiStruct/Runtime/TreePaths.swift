import Memory

/// The paths of nodes in their tree.
extension KaitaiTree {
  /// The path to a node from the root, as a JSON pointer: `/records/3/value`; empty for the root.
  public func path(of id: NodeID) -> String {
    var parts: [String] = []
    var number = id.rawValue
    while number >= 0, Int(number) < machine.pointee.nodeCount, parts.count < 1000 {
      let node = machine.pointee.nodes[Int(number)]
      guard node.parentNumber >= 0 else { break }
      if machine.pointee.nodes[Int(node.parentNumber)].kind == .array {
        parts.append(String(index(of: number, in: node.parentNumber)))
      } else {
        parts.append(node.fieldNumber >= 0 ? program.name(of: FieldID(rawValue: node.fieldNumber)) : "")
      }
      number = node.parentNumber
    }
    return parts.reversed().map { "/" + $0 }.joined()
  }

  /// The path to the field of a failure; empty where it is unknown.
  public func path(of failure: Failure) -> String {
    let object = failure.object.map(path(of:)) ?? ""
    return failure.field.map { object + "/" + program.name(of: $0) } ?? object
  }

  /// Appends the path to the field of a failure, its parts separated by dots: `records.3.value`.
  public func appendPath(of failure: Failure, to output: inout [UInt8]) {
    let start = output.count
    if let object = failure.object { appendPath(of: object.rawValue, depth: 0, to: &output) }
    if let field = failure.field {
      if output.count > start { output.append(UInt8(ascii: ".")) }
      output.append(contentsOf: program.names[Int(program.tables.fields[Int(field.rawValue)].name)].utf8)
    }
  }

  private func appendPath(of number: Int32, depth: Int, to output: inout [UInt8]) {
    guard number >= 0, Int(number) < machine.pointee.nodeCount, depth < 1000 else { return }
    let parent = machine.pointee.nodes[Int(number)].parentNumber
    guard parent >= 0 else { return }
    let start = output.count
    appendPath(of: parent, depth: depth + 1, to: &output)
    if output.count > start { output.append(UInt8(ascii: ".")) }
    if machine.pointee.nodes[Int(parent)].kind == .array {
      output.append(contentsOf: String(index(of: number, in: parent)).utf8)
    } else if machine.pointee.nodes[Int(number)].fieldNumber >= 0 {
      output.append(contentsOf: program.names[Int(program.tables.fields[Int(machine.pointee.nodes[Int(number)].fieldNumber)].name)].utf8)
    }
  }

  /// The index of an element of an array.
  private func index(of number: Int32, in array: Int32) -> Int {
    // The first elements are counted. For others all elements are listed once, as a tree that is printed can have a path for each element.
    var (index, next) = (0, machine.pointee.nodes[Int(array)].firstNumber)
    while next >= 0, next != number, index < Self.maxWalked {
      index += 1
      next = machine.pointee.nodes[Int(next)].nextNumber
    }
    guard index == Self.maxWalked, next >= 0, next != number else { return index }
    let nodes = machine.pointee.nodeCount
    if listed.nodes != nodes { listed = (nodes, [:]) }
    let elements = listed.elements[array] ?? list(array)
    // Nodes are numbered in the order in which they are appended.
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if elements[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
  private static let maxWalked = 64

  private func list(_ array: Int32) -> [Int32] {
    var elements: [Int32] = []
    var next = machine.pointee.nodes[Int(array)].firstNumber
    while next >= 0 {
      elements.append(next)
      next = machine.pointee.nodes[Int(next)].nextNumber
    }
    listed.elements[array] = elements
    return elements
  }
}
