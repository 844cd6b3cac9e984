extension KaitaiValue {
  /// The integer of an `int`, `uint` or `enumeration`; nil below 0 and for other kinds.
  @inlinable
  public var asUInt: UInt64? {
    switch kind {
    case .uint: bits
    case .int: bits >> 63 == 0 ? bits : nil
    case .enumeration: kindFlag || bits >> 63 == 0 ? bits : nil
    default: nil
    }
  }
}
