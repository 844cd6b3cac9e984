import Memory

/// A view of a ``KaitaiTree`` that does not retain it: valid as long as the tree is. ``KaitaiTree`` has the same methods and no such limit.
@safe public struct TreeView {
  @usableFromInline let machine: MachineReference
  @usableFromInline let tables: ProgramTables

  /// A view of `tree`.
  @inlinable
  public init(_ tree: KaitaiTree) {
    machine = tree.machine
    tables = tree.machine.pointee.tables
  }

  /// Number of all nodes.
  @inlinable
  package var nodeCount: Int { machine.pointee.nodeCount }

  /// A node, by value.
  @inlinable
  public func node(_ id: NodeID) -> TreeNode {
    precondition(id.rawValue >= 0 && Int(id.rawValue) < machine.pointee.nodeCount)
    return machine.pointee.nodes[Int(id.rawValue)]
  }

  /// The node's value: its number, or the range of its bytes; nil where there is no such node.
  @inlinable
  public func value(of id: NodeID) -> KaitaiValue? {
    guard id.rawValue >= 0, Int(id.rawValue) < machine.pointee.nodeCount else { return nil }
    return machine.pointee.nodes[Int(id.rawValue)].value(at: id.rawValue)
  }

  /// The integer of a node of kind `int`, `enumeration` or `bool`; nil for others.
  @inlinable
  public func int(_ id: NodeID) -> Int64? { value(of: id)?.asInt }

  /// The node of a field of `object` if it is present; one with a negative number otherwise. Evaluates nothing.
  @inlinable
  public func present(_ field: FieldID, in object: NodeID) -> NodeID {
    let index = slotIndex(field, object)
    return NodeID(rawValue: index < 0 ? -1 : machine.pointee.slots[index])
  }

  @inlinable
  func slotIndex(_ field: FieldID, _ object: NodeID) -> Int {
    guard object.rawValue >= 0, Int(object.rawValue) < machine.pointee.nodeCount else { return -1 }
    guard machine.pointee.nodes[Int(object.rawValue)].kind == .object else { return -1 }
    let info = tables.types.entry(Int(machine.pointee.nodes[Int(object.rawValue)].type))
    let slot = field.rawValue &- info.pointee.firstField
    guard slot >= 0, slot < info.pointee.fieldCount else { return -1 }
    return machine.pointee.nodes[Int(object.rawValue)].slotBase &+ Int(slot)
  }

  /// The node of a field of `object`; an instance is evaluated on first use. Nil where it is absent, was not read, or fails.
  @inlinable
  public func node(_ field: FieldID, of object: NodeID) -> NodeID? {
    let index = slotIndex(field, object)
    guard index >= 0 else { return nil }
    let state = machine.pointee.slots[index]
    if state >= 0 { return NodeID(rawValue: state) }
    return evaluated(field, object, state)
  }

  @usableFromInline
  func evaluated(_ field: FieldID, _ object: NodeID, _ state: Int32) -> NodeID? {
    guard state == Machine.unread, tables.fields[Int(field.rawValue)].role == .instance else { return nil }
    do throws(Stop) {
      let type = machine.pointee.nodes[Int(object.rawValue)].type
      let number = try machine.pointee.instance(object.rawValue, field.rawValue &- tables.types[Int(type)].firstField)
      return number < 0 ? nil : NodeID(rawValue: number)
    } catch {
      return nil
    }
  }

  /// The fields of `type`: parameters, then `seq`, then instances.
  @inlinable
  public func fields(of type: TypeID) -> FieldRange {
    let info = tables.types.entry(Int(type.rawValue))
    return FieldRange(first: info.pointee.firstField, count: info.pointee.fieldCount)
  }

  /// The field of `type` with that name; nil where there is none. Takes time in proportion to the number of fields.
  @inlinable
  public func field(_ symbol: Symbol, of type: TypeID) -> FieldID? {
    let slot = tables.slot(of: symbol.rawValue, in: type.rawValue)
    return slot < 0 ? nil : FieldID(rawValue: tables.types[Int(type.rawValue)].firstField &+ slot)
  }

  /// The name of a field.
  public func name(of field: FieldID) -> Symbol { Symbol(rawValue: tables.fields[Int(field.rawValue)].name) }

  /// Whether a field is computed on demand.
  @inlinable
  public func isInstance(_ field: FieldID) -> Bool { tables.fields[Int(field.rawValue)].role == .instance }

  /// Whether a field is a parameter.
  @inlinable
  public func isParameter(_ field: FieldID) -> Bool { tables.fields[Int(field.rawValue)].role == .parameter }

  /// Calls `body` with the bytes of a node of kind `bytes`, or the UTF-8 of one of kind `string`; with none for other kinds.
  @inlinable
  public func withBytes<R>(_ id: NodeID, _ body: (BorrowedBytes) throws -> R) rethrows -> R {
    guard let value = value(of: id), value.kind == .bytes || value.kind == .string else {
      return try body(BorrowedBytes())
    }
    return try body(machine.pointee.bytes(of: value))
  }

  /// Evaluates an expression at `object`; see ``KaitaiTree/evaluate(_:at:environment:)``. Throws ``Failure``.
  public func evaluate(_ expression: ExpressionID, at object: NodeID) throws(Failure) -> KaitaiValue {
    do throws(Stop) { return try machine.pointee.run(expression.rawValue, at: object.rawValue) } catch {
      throw machine.pointee.failure
    }
  }
}
