/// Number of a type of a ``KaitaiProgram``.
public struct TypeID: RawRepresentable, Hashable, Sendable {
  /// Index into the program's types.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Number of a field (an entry of `params`, `seq` or `instances`) of a ``KaitaiProgram``; the fields of a type are consecutive.
public struct FieldID: RawRepresentable, Hashable, Sendable {
  /// Index into the program's fields.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Number of a name of a ``KaitaiProgram``: two fields with the same name have the same symbol.
public struct Symbol: RawRepresentable, Hashable, Sendable {
  /// Index into the program's names.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Number of an enum of a ``KaitaiProgram``.
public struct EnumID: RawRepresentable, Hashable, Sendable {
  /// Index into the program's enums.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Number of an expression that was compiled into a ``KaitaiProgram`` by ``Compiler/expression(_:at:scope:externals:)``.
public struct ExpressionID: RawRepresentable, Hashable, Sendable {
  /// Index of the expression's first operation.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Number of an external name of a ``KaitaiProgram``, whose value is set in ``KaitaiEnvironment``.
public struct ExternalID: RawRepresentable, Hashable, Sendable {
  /// Index into the environment's values.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Number of a node of a ``KaitaiTree``; valid until the tree parses again.
public struct NodeID: RawRepresentable, Hashable, Sendable {
  /// Index into the tree's nodes.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}
