/// Attribute types defined by GATT (Core, Vol 3, Part G, 3; Assigned Numbers, 3.6 and 3.8): their 16-bit UUIDs.
public enum AttributeType: UInt16, Sendable {
  case primaryService = 0x2800, secondaryService, include, characteristic
  case characteristicUserDescription = 0x2901, clientCharacteristicConfiguration
  case deviceName = 0x2A00, appearance
  case serviceChanged = 0x2A05, databaseHash = 0x2B2A
  case reportReference = 0x2908, reportMap = 0x2A4B

  /// An attribute of this type declares a service or a characteristic.
  @inlinable
  public var isDeclaration: Bool { rawValue & 0xFFFC == 0x2800 }
  /// An attribute of this type declares a service.
  @inlinable
  public var isService: Bool { self == .primaryService || self == .secondaryService }
}

extension BluetoothUUID {
  /// The UUID of an attribute type.
  @inlinable
  public init(_ type: AttributeType) { self.init(type.rawValue) }

  /// The attribute type with this UUID, if GATT defines it.
  @inlinable
  public var attributeType: AttributeType? { short16.flatMap { AttributeType(rawValue: $0) } }
}
