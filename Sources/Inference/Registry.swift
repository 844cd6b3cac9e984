/// The detectors of fields, one line each.
enum Registry {
  /// Fields whose meaning shows wherever they stand.
  static let places: [any PlaceDetector.Type] = [
    ClockDetector.self,
    AddressDetector.self,
    NameDetector.self,
  ]

  /// What a field is. What says the most of a field has it.
  static let fields: [any FieldDetector.Type] = [
    ConstantDetector.self,
    KnownValueDetector.self,
    TimestampDetector.self,
    TextDetector.self,
    FloatDetector.self,
    BCDDetector.self,
    FlagDetector.self,
    EnumDetector.self,
    NumberDetector.self,
    BytesDetector.self,
  ]

  /// Protocols with a published specification.
  static let standards: [any StandardDetector.Type] = [
    ModbusDetector.self
  ]

  /// Bodies that describe themselves.
  static let structures: [any StructureDescriber.Type] = [
    TaggedDetector.self,
    CBORDetector.self,
    MessagePackDetector.self,
    ProtobufDetector.self,
  ]
}
