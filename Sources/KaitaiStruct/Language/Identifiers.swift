/// Number of a type of a ``Program``.
public struct TypeID: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
  /// Index into the program's types.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Number of a field (an entry of `params`, `seq` or `instances`) of a ``Program``; the fields of a type follow one another.
public struct FieldID: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
  /// Index into the program's fields.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Number of a name of a ``Program``: two fields with the same name have the same symbol.
public struct Symbol: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
  /// Index into the program's names.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Number of an enum of a ``Program``.
public struct EnumID: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
  /// Index into the program's enums.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Number of an expression that was compiled into a ``Program`` by ``Compiler/expression(_:at:scope:externals:)``.
public struct ExpressionID: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
  /// Index of the expression's first operation.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Number of an external name of a ``Program``: what ``Environment`` gives a value to.
public struct ExternalID: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
  /// Index into the environment's values.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Number of a node of a ``Tree``; good until the tree parses again.
public struct NodeID: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
  /// Index into the tree's nodes.
  public let rawValue: Int32
  /// Wraps an index.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
}
