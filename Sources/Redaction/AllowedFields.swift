import Bluetooth
import Conversations
import Memory

/// Fields and values that reveal nothing about a person.
enum AllowedFields {
  /// Maximum size in bytes of a field that describes a controller, a radio channel or a codec; 0 for all other fields.
  static func longest(_ field: StaticName, isAdvertised: Bool) -> Int {
    guard let longest = bytes[field] else { return 0 }
    return isAdvertised ? min(longest, 8) : longest
  }

  private static let bytes: [StaticName: Int] = [
    "channel_map": 10, "afh_channel_map": 10, "afh_host_channel_classification": 10, "channel_classification": 10,
    "supported_commands": 64, "le_features": 248, "feature_page": 24, "features": 16, "more_flags": 2, "capability": 10,
  ]

  /// Texts that a specification defines: names of commands and indicators, object types of profiles.
  static let texts: Set<StaticName> = ["prefix", "command", "indicator_name", "object_type"]

  /// Texts that are lists of small numbers.
  static let textLists: Set<StaticName> = ["indicator_values", "call_hold", "supported_call_hold", "supported_hf_indicators"]

  /// Numbers of more than four bytes that are bit masks or times of the radio.
  static let wideNumbers: Set<StaticName> = ["le_states", "extended_lmp_features", "instant"]

  /// Checksums over the bytes behind them, or around them.
  static let checksums: Set<StaticName> = ["header_checksum", "icmp_checksum", "tcp_checksum", "udp_checksum", "icmpv6_checksum"]

  /// Whether a short number has the content of a text elsewhere in the protocol: the time of an object, or the length of a song, which identifies
  /// the song. All ones mean that there is no value.
  static func isPersonal(_ field: StaticName, in layer: ProtocolID) -> Bool {
    layer == .obex && field == "time_number" || layer == .avrcp && field == "song_length"
  }

  /// Sixteen random bits by which two devices look up the key of their bond: they identify the bond as long as it lasts.
  static let diversifiers: Set<StaticName> = ["encrypted_diversifier", "encryption_diversifier", "ediv"]

  /// Numbers of the record that describes the device itself (Device Identification 1.3, 5).
  static let deviceNumbers: Set<StaticName> = [
    "specification_id", "device_vendor_id", "device_product_id", "device_version", "primary_record", "vendor_id_source",
  ]

  /// Numbers of more than two bytes that specifications define for SDP records. ServiceRecordState and ServiceInfoTimeToLive are left out, as
  /// they do not help to read a capture.
  static let wideRecordNumbers: Set<StaticName> = [
    "service_record_handle", "archive_functions", "ctn_features", "imaging_capacity",
    "imaging_functions", "map_features", "max_net_access_rate", "mpmd_scenarios", "mpsd_scenarios", "pbap_features", "referenced_functions",
  ]

  /// Numbers of a Resolvable Set Identifier, which are made from a key.
  static let identifiers: Set<StaticName> = ["hash", "prand"]

  /// Numbers of an RTP header that only packets of several sources, or with a header extension, have.
  static let mixing: Set<StaticName> = ["contributing_sources", "extension_profile"]

  /// Maximum size in bytes of an attribute's value, where it is a number, an enumeration or a UUID that reveals nothing about a person
  /// (Assigned Numbers, 3.6 to 3.8; GATT Specification Supplement): declarations, descriptors except the user description, and characteristics
  /// with capabilities and states of a device. 0 for all others; longer values are not kept.
  static func longest(_ uuid: UInt16) -> Int {
    switch uuid {
    case 0x2800, 0x2801: 16
    case 0x2802: 8
    case 0x2803: 19
    case 0x2900, 0x2902, 0x2903, 0x2908: 2
    case 0x2904: 7
    case 0x2905, 0x2906: 8
    // The report map describes the reports of the device and has no input data. It is read in parts, and no part has the total length.
    case 0x2A4B: .max
    default: characteristics[uuid] ?? 0
    }
  }

  /// Whether a value fits a harmless attribute. Where a response was missed in the capture, the next one is taken for it. A
  /// value of three bytes or more must match the attribute's layout, and hold no text.
  static func fits(_ uuid: UInt16, _ value: PDUBytes) -> Bool { fits(uuid, value.count) { Array(value) } }

  /// The same for a value of `count` bytes.
  static func fits(_ uuid: UInt16, _ count: Int, _ bytes: () -> [UInt8]) -> Bool {
    guard count <= longest(uuid) else { return false }
    return count < 3 || longest(uuid) == .max || StandardValue.isPlausible(uuid, bytes())
  }

  /// Maximum distance from the handle of a characteristic declaration to that of its value; devices may leave out handles between them.
  private static let longestGap: UInt16 = 255

  /// Whether the values of a Read By Type Response fit the requested type. The handle of a characteristic's value follows that of its declaration.
  static func areResponses(_ pdu: PDUBytes, to uuid: UInt16) -> Bool {
    let size = Int(pdu.u8(1) ?? 0)
    guard size > 2, longest(uuid) != .max else { return true }
    var at = 2
    while at + size <= pdu.count {
      let value = pdu.slice(at + 2, size - 2)
      guard fits(uuid, value) else { return false }
      if uuid == 0x2803, let handle = pdu.u16(at), let valueHandle = value.u16(1),
        valueHandle <= handle || valueHandle - handle > longestGap
      {
        return false
      }
      if uuid == 0x2802, let first = value.u16(0), let last = value.u16(2), first > last { return false }
      at += size
    }
    return true
  }

  /// Maximum sizes of the values of characteristics.
  private static let characteristics: [UInt16: Int] = {
    var sizes: [UInt16: Int] = [:]
    for (size, uuids) in lists { for uuid in uuids { sizes[uuid] = size } }
    return sizes
  }()

  private static let lists: [(Int, [UInt16])] = [
    // Privacy, alert level, transmit power, battery level, states of alerts, sensor locations, weather in one byte.
    (
      1,
      [
        0x2A02, 0x2A06, 0x2A07, 0x2A19, 0x2A1A, 0x2A1D, 0x2A31, 0x2A38, 0x2A39, 0x2A3F, 0x2A40, 0x2A41, 0x2A43, 0x2A4C, 0x2A4E, 0x2A5D,
        0x2A74, 0x2A76, 0x2A79, 0x2A7A, 0x2A7B, 0x2AA3, 0x2AA6, 0x2AE1, 0x2AE2, 0x2B04, 0x2B0D, 0x2B12, 0x2B13, 0x2B7F, 0x2BF5,
      ]
    ),
    // Appearance, intervals, features of services, weather, electricity, light.
    (
      2,
      [
        0x2A01, 0x2A21, 0x2A42, 0x2A44, 0x2A45, 0x2A47, 0x2A48, 0x2A49, 0x2A51, 0x2A54, 0x2A5C, 0x2A6E, 0x2A6F, 0x2A70, 0x2A71, 0x2A72,
        0x2A73, 0x2A77, 0x2A78, 0x2A7D, 0x2AE0, 0x2AE3, 0x2AE9, 0x2AEE, 0x2AF9, 0x2AFC, 0x2AFF, 0x2B02, 0x2B16, 0x2B18, 0x2B1B, 0x2B29,
        0x2B3A,
      ]
    ),
    (3, [0x2A75, 0x2AF2, 0x2AFB, 0x2B05, 0x2B7D, 0x2B7E]),
    // Service Changed, HID information, scan interval, pressure, contexts of audio.
    (4, [0x2A05, 0x2A4A, 0x2A4F, 0x2A65, 0x2A6D, 0x2A9B, 0x2A9E, 0x2AA0, 0x2BCA, 0x2BCC, 0x2BCD, 0x2BCE]),
    (6, [0x2AA1, 0x2AD4, 0x2AD5, 0x2AD6, 0x2AD8]),
    // The maker's number and the product's, the battery's state, preferred parameters, features of fitness machines.
    (7, [0x2A50, 0x2BED]), (8, [0x2A04, 0x2ACC]),
  ]

  /// Characteristics that are names, keys or identities: they are kept only where the user names them.
  static func isSecret(_ uuid: UInt16) -> Bool {
    switch uuid {
    case _ where isTyped(uuid): true
    case 0x2901, 0x2A00, 0x2A03, 0x2A23, 0x2A25, 0x2A87, 0x2A8A, 0x2A90, 0x2ABE, 0x2B84, 0x2B88, 0x2B93, 0x2B95, 0x2B97, 0x2BA3, 0x2BA7,
      0x2BB3, 0x2BB4, 0x2BB9, 0x2BBC, 0x2BBE, 0x2BC1, 0x2BC2, 0x2BC7, 0x2BC8:
      true
    default: false
    }
  }

  /// The same without Broadcast Receive State and its control point: of these, shipped profiles mark the secret fields (code, address, ID).
  static func isSecretThroughout(_ uuid: UInt16) -> Bool { isSecret(uuid) && uuid != 0x2BC7 && uuid != 0x2BC8 }

  /// Keyboard and mouse input: Boot Keyboard Input Report, Boot Mouse Input Report, Report.
  static func isTyped(_ uuid: UInt16) -> Bool { uuid == 0x2A22 || uuid == 0x2A33 || uuid == 0x2A4D }

  /// Whether a unit of a profile's number measures a person or a geographic position, or dates something.
  static func isPersonal(unit: some Collection<UInt8>) -> Bool {
    // Profiles also write BPM and mg/dl.
    let word = String(decoding: unit, as: UTF8.self).lowercased()
    return personalUnits.contains(word) || ["mg/dl", "bpm", "mmol", "kcal"].contains { word.hasPrefix($0) } || word.contains("since")
  }

  /// Whether a unit measures things, and not persons.
  static func measuresThings(unit: some Collection<UInt8>) -> Bool { units.contains(String(decoding: unit, as: UTF8.self)) }

  /// Whether a unit is one of lengths.
  static func isLength(unit: some Collection<UInt8>) -> Bool { lengths.contains(String(decoding: unit, as: UTF8.self)) }

  /// ``isPersonal(unit:)`` of a unit that is an expression: of any string literal in it.
  static func isPersonal(anyUnit text: String) -> Bool {
    text.split { $0 == "'" || $0 == "\"" }.contains { isPersonal(unit: Array($0.utf8)) }
  }

  private static let personalUnits: Set<String> = [
    "°", "deg", "degree", "degrees", "rad", "radian", "radians", "′", "″", "'", "\"", "kg", "lb", "lbs", "st", "years", "year", "cm",
    "mmhg", "kpa",
    "steps", "kj", "cal", "ml/(kg min)", "beats", "beats/min",
  ]
  private static let lengths: Set<String> = ["mm", "m", "km", "in", "ft", "mi"]
  private static let units: Set<String> = lengths.union([
    // Electricity and magnetism.
    "V", "mV", "µV", "kV", "A", "mA", "µA", "W", "mW", "kW", "VA", "kVA", "var", "Wh", "kWh", "Ah", "mAh", "VAh", "kVA h", "J", "Ω", "kΩ",
    "mΩ", "Ohm",
    "ohm", "F", "µF", "C", "T", "µT", "mT", "µS/cm", "S", "dB", "dBm", "dBi",
    // Time and frequency.
    "s", "ms", "µs", "us", "ns", "min", "h", "d", "days", "hours", "minutes", "seconds", "Hz", "kHz", "MHz", "GHz", "rpm",
    // Climate, light, gases, radiation.
    "°C", "°F", "K", "%", "‰", "% RH", "%RH", "Pa", "hPa", "mbar", "bar", "psi", "lx", "lm", "lm/W", "lm h", "lx h", "cd", "mired", "W/m²",
    "ppm", "ppb",
    "µg/m³", "mg/m³", "kg/m³", "/m³", "g/m³", "Bq/m³", "nSv", "nSv/h", "µSv/h", "mol/L",
    // Movement, force, flow, amounts of things.
    "m/s", "m/s²", "km/h", "mph", "°/s", "g", "N", "Nm", "lbf", "l", "L", "ml", "mL", "m³", "m³/h", "l/s", "l/h", "L/h", "l/min", "g/s",
    "kg/m", "kg/L",
    // Data.
    "B", "kB", "MB", "GB", "bytes", "byte", "bit", "bits", "bit/s", "kbit/s", "px",
  ])
}
