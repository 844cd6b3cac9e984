import KaitaiStruct

extension FieldTree {
  /// The path of the first value in which two messages differ, with both values; nil where they are equal.
  ///
  /// Text and bytes that differ only by an added terminator or padding count as equal.
  func difference(from other: FieldTree, at path: [String] = []) -> (path: [String], own: FieldTree, other: FieldTree)? {
    switch (self, other) {
    // An object without values.
    case (.object(let fields), .null) where fields.allSatisfy({ $0.value == .null }): return nil
    case (.object(let fields), .object(let others)):
      for (name, value) in fields {
        let found = other[name] ?? .null
        if let difference = value.difference(from: found, at: path + [name]) { return difference }
      }
      for (name, value) in others where value != .null && self[name] == nil { return (path + [name], .null, value) }
      return nil
    case (.list(let list), .list(let others)):
      guard list.count == others.count else { return (path, self, other) }
      for (index, (value, found)) in zip(list, others).enumerated() {
        if let difference = value.difference(from: found, at: path + [String(index)]) { return difference }
      }
      return nil
    default: return isSame(as: other) ? nil : (path, self, other)
    }
  }

  /// Whether two values other than objects and lists have the same stored form.
  private func isSame(as other: FieldTree) -> Bool {
    switch (self, other) {
    case (.double(let a), .double(let b)): return a == b || a.isNaN && b.isNaN || Double(Float(a)) == b || a == Double(Float(b))
    case (.double(let a), .int(let b)), (.int(let b), .double(let a)): return a == Double(b)
    case (.int(let a), .uint(let b)), (.uint(let b), .int(let a)): return UInt64(bitPattern: a) == b
    case (.bool(let a), .int(let b)), (.int(let b), .bool(let a)): return b == (a ? 1 : 0)
    case (.text(let a), .text(let b)):
      // The decoded text includes a terminator (`include: true`) that was added.
      return a == b || b.hasPrefix(a) && b.count - a.count <= 2 && !b.dropFirst(a.count).contains { $0.isLetter || $0.isNumber }
    case (.bytes(let a), .bytes(let b)): return a == b
    default: return self == other
    }
  }
}
