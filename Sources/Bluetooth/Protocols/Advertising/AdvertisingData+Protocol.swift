/// Advertising data is a part of other PDUs and has no rows of its own.
extension AdvertisingData: ProtocolDescription {
  static var id: ProtocolID { .advertisingData }
  static var name: StaticName { "ad" }
  static var tables: [PDUTable] { [structures] }
  static var state: StaticString { "devices, names, what each said last" }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { "Advertising Data" }
}
