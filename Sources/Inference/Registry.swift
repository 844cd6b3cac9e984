/// The detectors of fields, one line each.
enum Registry {
  /// Detectors of fields that are recognized at any offset.
  static let frameFieldDetectors: [any FrameFieldDetector.Type] = [
    ClockDetector.self,
    AddressDetector.self,
    NameDetector.self,
  ]

  /// Detectors of field types. The claim with the most evidence is taken.
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

  /// Detectors of self-describing bodies.
  static let structures: [any StructureDescriber.Type] = [
    TaggedDetector.self,
    CBORDetector.self,
    MessagePackDetector.self,
    ProtobufDetector.self,
  ]
}
