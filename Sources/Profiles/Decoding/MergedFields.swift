import KaitaiStruct
import Memory
import Text

/// A field of an object as it is shown, where fields of nested objects are shown as the object's own (`-merge`).
@safe struct MergedField {
  let field: FieldID
  let style: Table<PresentationTable.Field>.Entry
  /// The object that has it.
  let holder: NodeID
  let node: NodeID
  /// Further lists of the same name, which are shown as one list with this.
  var lists: [NodeID] = []
}

/// Fields with `-merge`: the fields of several objects are combined. Of several fields with one name the last one counts, at the position of the
/// first; lists are concatenated.
extension FieldWalker {
  /// Upper bound of combined fields; further ones are left out.
  private static let maxMerged = 4096

  /// Whether the type of an object has fields whose fields are shown as its own.
  func hasMerged(_ type: TypeID) -> Bool { style(type).pointee.hasMerged }

  /// The fields of an object as they are shown.
  func merged(_ object: NodeID) -> [MergedField] {
    var list: [MergedField] = []
    var indices: [Int32: Int] = [:]
    var left = Self.maxMerged
    collect(object, into: &list, &indices, depth: 0, &left)
    // A template can ask for them again and again: each costs a step.
    message.printedBytes &+= (Self.maxMerged &- left) &* ProfileBounds.printedBytesOfStep
    return list
  }

  private func collect(_ object: NodeID, into list: inout [MergedField], _ indices: inout [Int32: Int], depth: Int, _ left: inout Int) {
    guard depth < Self.deepest, let type = tree.node(object).objectType else { return }
    let range = tree.fields(of: type)
    for index in 0..<range.count {
      let field = range[index]
      if tree.isParameter(field) { continue }
      let style = style(field)
      let node: NodeID
      if tree.isInstance(field) {
        if style.pointee.isHidden { continue }
        guard let value = tree.node(field, of: object) else { continue }
        node = value
      } else {
        node = tree.present(field, in: object)
        if node.rawValue < 0 { continue }
      }
      guard left > 0 else { return }
      left -= 1
      if style.pointee.isMerged, let kind = Optional(tree.node(node).kind), kind == .object || kind == .array {
        if kind == .object {
          collect(node, into: &list, &indices, depth: depth + 1, &left)
        } else {
          var next = tree.node(node).firstChild
          while let element = next {
            next = tree.node(element).next
            collect(element, into: &list, &indices, depth: depth + 1, &left)
          }
        }
        continue
      }
      let made = MergedField(field: field, style: style, holder: object, node: node)
      let name = tree.name(of: field).rawValue
      guard let known = indices[name] else {
        indices[name] = list.count
        list.append(made)
        continue
      }
      if tree.node(node).kind == .array, tree.node(list[known].node).kind == .array {
        list[known].lists.append(node)
      } else {
        list[known] = made
      }
    }
  }

  /// Visits the fields of an object with those of its merged fields.
  func visitMerged<V: MessageFieldVisitor>(_ object: NodeID, _ visitor: inout V, depth: Int) {
    for field in merged(object) { visit(field, context(field.style, field.node), &visitor, depth: depth) }
  }

  /// Visits one field, together with the lists that belong to it.
  func visit<V: MessageFieldVisitor>(_ merged: MergedField, _ field: FieldContext, _ visitor: inout V, depth: Int) {
    guard !merged.lists.isEmpty else { return walk(merged.node, field, merged.style, in: merged.holder, &visitor, depth: depth) }
    let nodes = [merged.node] + merged.lists
    guard visitor.open(field, isArray: true, count: nodes.reduce(0) { $0 + tree.node($1).count }) else { return }
    for list in nodes {
      var next = tree.node(list).firstChild
      while let element = next {
        walk(element, context(merged.style, element).element, merged.style, in: merged.holder, &visitor, depth: depth + 1)
        next = tree.node(element).next
      }
    }
    visitor.close(isArray: true)
  }
}
