import Memory

@_spi(Pipeline) import Profiles

/// Properties that all messages from one source of a profile share.
package final class FieldOrigin {
  /// Traits from the names of the profile and of the source, and from the profile's kind of device.
  let traits: FieldNames.Traits
  /// The fields and compared bytes that the profile needs to parse a message.
  let structure: ProfileStructure
  /// Fields from which the profile computes a secret or a personal value: they count as secret or personal, too.
  private(set) var secretParts: Set<String> = []
  private(set) var personalParts: Set<String> = []
  /// Those of the personal fields that the profile needs to parse a message: short ones are kept.
  private(set) var personalStructure: Set<String> = []

  init(traits: FieldNames.Traits, structure: ProfileStructure) {
    self.traits = traits
    self.structure = structure
    // A value may be computed from other computed values; each round uses the results of the previous one.
    var isMore = true
    while isMore {
      let count = secretParts.count + personalParts.count
      for value in structure.computed {
        let names = FieldNames.traits(value.name)
        let isPersonal =
          value.isPersonal ?? (value.isTime || names.isPersonal || names.isIntimate || AllowedFields.isPersonal(anyUnit: value.unit))
        if value.isSecret || secretParts.contains(value.name) { secretParts.formUnion(value.parts) }
        if isPersonal || personalParts.contains(value.name) { personalParts.formUnion(value.parts) }
      }
      isMore = secretParts.count + personalParts.count > count
    }
    // A field that is needed for parsing reveals nothing by itself, unless a secret is computed from it.
    personalStructure = personalParts.intersection(structure.names)
    personalParts.subtract(structure.names)
  }

  /// The source of advertised data; determined with its first message.
  private var advertisedSource: AdvertisedSource?

  /// Whether the company identifier or service UUID of advertised data is assigned to an owner, or the source selects devices by other criteria.
  func isOfOwner(_ message: ProfileMessage, _ number: AdvertisedSource.Number?) -> Bool {
    var source = advertisedSource ?? message.advertisedSource
    // Other AD types are defined by the Bluetooth SIG.
    let isOfOwner = source.requiresDevice || number.map { source.isOfOwner($0) } ?? true
    advertisedSource = source
    return isOfOwner
  }

  /// Whether a device's name matches the profile, by address.
  private var wanted: [UInt64: Bool] = [:]
  private var lastWanted: (address: UInt64, isWanted: Bool)?
  private static let maxWanted = 4096

  /// Whether the name of the advertiser matches the profile.
  func isWanted(_ message: ProfileMessage, _ names: [UInt64: [UInt8]]) -> Bool {
    let address = message.advertiser & 0xFFFF_FFFF_FFFF
    if let lastWanted, lastWanted.address == address { return lastWanted.isWanted }
    let isWanted =
      wanted[address] ?? names[address].map { message.profile.wants(name: String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)) } ?? false
    if wanted.count >= Self.maxWanted { wanted.removeAll(keepingCapacity: true) }
    wanted[address] = isWanted
    lastWanted = (address, isWanted)
    return isWanted
  }

  /// The roles of a name of a field in the source.
  struct Roles: OptionSet {
    var rawValue: UInt8
    /// It was looked up.
    static let isKnown = Roles(rawValue: 1)
    /// The profile needs it to parse a message.
    static let structure = Roles(rawValue: 2)
    /// A secret is computed from it.
    static let secretPart = Roles(rawValue: 4)
    /// A personal value is computed from it.
    static let personalPart = Roles(rawValue: 8)
    /// A personal value is computed from it, and the profile needs it to parse a message.
    static let personalStructure = Roles(rawValue: 16)
  }
  /// Roles by the numbers of the names.
  private var known: [Roles] = []

  /// The roles of the name with a number; computed once for each.
  func roles(_ number: Int, _ names: FieldNames) -> Roles {
    if number < known.count, !known[number].isEmpty { return known[number] }
    if number >= known.count { known.append(contentsOf: repeatElement([], count: number + 1 - known.count)) }
    known[number] = roles(of: names[number])
    return known[number]
  }

  func roles(of name: String) -> Roles {
    var roles = Roles.isKnown
    if structure.names.contains(name) { roles.insert(.structure) }
    if secretParts.contains(name) { roles.insert(.secretPart) }
    if personalParts.contains(name) { roles.insert(.personalPart) }
    if personalStructure.contains(name) { roles.insert(.personalStructure) }
    return roles
  }

  /// The entries of ``ExposureCounter`` for its fields, by the numbers of their names and the kinds of exposures; -1 where there is none yet.
  private var indices: [Int32] = []
  private static let maximumIndices = 1024 * ExposureKind.allCases.count

  /// The entry for a field of a kind, which `make` finds the first time.
  func index(_ number: Int, _ kind: ExposureKind, _ make: () -> Int) -> Int {
    let at = number * ExposureKind.allCases.count + kind.rawValue
    if at < indices.count, indices[at] >= 0 { return Int(indices[at]) }
    let index = make()
    guard at < Self.maximumIndices else { return index }
    if at >= indices.count { indices.append(contentsOf: repeatElement(-1, count: at + 1 - indices.count)) }
    indices[at] = Int32(index)
    return index
  }
}

/// Assigns numbers to texts in the order of their first occurrence.
struct TextNumbers {
  /// A hash table of numbers with linear probing; 0 marks an empty entry.
  private var numbers: [UInt16]
  private var bytes: [UInt8] = []
  /// Where the bytes of each text end.
  private var ends: [Int]
  private let maxCount: Int
  /// The last text's number, and for each number the one that followed it last: a message mostly has the fields of the one before it.
  private var last = 0
  private var following: [UInt16]
  /// The table has room for this many bytes of each text on average.
  private static let meanLength = 64
  private let key = HashKey()

  /// Assigns numbers below `maxCount`; the lowest `first` of them are reserved and have no text.
  init(maxCount: Int, without first: Int) {
    self.maxCount = maxCount
    numbers = [UInt16](repeating: 0, count: 4 * maxCount)
    ends = [Int](repeating: 0, count: first)
    following = [UInt16](repeating: 0, count: maxCount)
  }

  /// The number of a text, which may be new; nil where the table is full.
  mutating func number(_ text: BorrowedBytes) -> (number: Int, isNew: Bool)? {
    let expected = Int(following[last])
    if expected != 0, holds(text, expected) {
      last = expected
      return (expected, false)
    }
    guard let found = find(text) else { return nil }
    following[last] = UInt16(found.number)
    last = found.number
    return found
  }

  private mutating func find(_ text: BorrowedBytes) -> (number: Int, isNew: Bool)? {
    var index = Int(truncatingIfNeeded: text.hash(key: key)) & (numbers.count - 1)
    while numbers[index] != 0 {
      let known = Int(numbers[index])
      if holds(text, known) { return (known, false) }
      index = (index + 1) & (numbers.count - 1)
    }
    guard ends.count < maxCount, bytes.count + text.count <= Self.meanLength * maxCount else { return nil }
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    numbers[index] = UInt16(ends.count - 1)
    return (ends.count - 1, true)
  }

  private func holds(_ text: BorrowedBytes, _ number: Int) -> Bool {
    let start = ends[number - 1]
    guard ends[number] - start == text.count else { return false }
    return bytes.withBorrowedBytes { $0.part(start..<start + text.count).isEqual(to: text) }
  }
}

/// Properties of profiles' fields that follow from their names and units; each name and unit is examined once.
package final class FieldNames {
  struct Traits {
    /// The number measures a person, or gives access to something.
    var isPersonal = false
    /// It does so even as an enumeration or a bit.
    var isIntimate = false
    /// It belongs to the framing, or to the state of the device.
    var isStructural = false
    /// It can only be framing: it is kept even among a person's measurements.
    var isFraming = false
    /// It is computed over other bytes.
    var isCheck = false
    /// The name does not say what the field is.
    var isGeneric = false
    /// It describes a device, not its wearer.
    var isOfDevice = false
    /// The standard reserves it; it has to be zero.
    var isReserved = false
    /// It is a date or a time, in any unit.
    var isMoment = false
    /// It is the sign of an adjacent number.
    var isSign = false
    /// It is a result code.
    var isResult = false
    /// It is a length.
    var isLength = false
    /// A text of that name is a password: its punctuation is replaced too.
    var isPassword = false
    /// A text of that name is a name that a person chose.
    var isName = false
    /// It is the minimum (1), the typical value (2) or the maximum (3) of a range, in the two lowest bits; the other bits are a hash of its name
    /// without that word. 0 for other names.
    var bound = 0

    /// The traits of a field within an object: it is personal or intimate where the object is.
    func inside(_ inner: Traits) -> Traits {
      var inner = inner
      inner.isPersonal = isPersonal || inner.isPersonal
      inner.isIntimate = isIntimate || inner.isIntimate
      return inner
    }
  }
  /// Number 0 is the empty name, number 1 stands for all names that found no room.
  private var numbers = TextNumbers(maxCount: FieldNames.maxCount, without: 2)
  private var texts = ["", ""]
  private var traits = [Traits(), Traits(isPersonal: true, isIntimate: true)]
  private var unitNumbers = TextNumbers(maxCount: FieldNames.maxCount, without: 1)
  private var units = [(isPersonal: false, isOfThings: false)]
  /// Key of ``origins``.
  private struct Source: Hashable {
    var profile: String
    var source: String
  }
  private var origins: [Source: FieldOrigin] = [:]
  /// The origins requested last.
  private var recent: [(profile: CompiledProfile, source: String, origin: FieldOrigin)] = []
  private var oldest = 0
  private static let maxRecent = 8
  /// Upper bound of names, as they may come out of a capture. Further names are not distinguished, and count as personal.
  private static let maxCount = 8192

  package init() {}

  /// The number of a name.
  func number(_ name: FieldText) -> Int {
    guard let (number, isNew) = numbers.number(name.bytes) else { return 1 }
    if isNew {
      let text = name.string
      texts.append(text)
      traits.append(Self.traits(text))
    }
    return number
  }

  /// The name of a number.
  subscript(number: Int) -> String { texts[number] }

  /// Whether a field of a profile that is no secret is kept whatever its value: it is a flag or an enumeration, or a number that reveals nothing
  /// about a person, as its unit measures things, it has few bytes, or its name is one of framing. An element of a list has the name of the list.
  /// `objects` are the names of the objects around the field.
  package func isHarmless(
    _ field: FieldContext, _ value: MessageFieldValue, _ name: String, in objects: [String], of origin: FieldOrigin
  ) -> Bool {
    let around = objects.reduce(Traits()) { $0.inside(Self.traits($1)) }
    return isHarmless(field, value, Self.traits(name), around, field.isPersonal, source: origin.traits, origin.roles(of: name))
  }

  func traits(_ name: Int) -> Traits { traits[name] }

  /// The properties that all messages from a source of a profile share.
  package func origin(_ source: String, of profile: CompiledProfile) -> FieldOrigin {
    for known in recent where known.profile === profile && known.source == source { return known.origin }
    let new = find(source, profile)
    if recent.count < Self.maxRecent { recent.append((profile, source, new)) } else { recent[oldest] = (profile, source, new) }
    oldest = (oldest + 1) % Self.maxRecent
    return new
  }

  private func find(_ source: String, _ profile: CompiledProfile) -> FieldOrigin {
    let key = Source(profile: profile.id, source: source)
    if let known = origins[key] { return known }
    var traits = Self.traits("\(profile.id)-\(source)")
    if let kind = profile.kind, Self.worn.contains(kind) { traits.isPersonal = true }
    let new = FieldOrigin(traits: traits, structure: profile.structure.of(source: source))
    if origins.count < Self.maxCount { origins[key] = new }
    return new
  }

  /// The same with the traits of the name, of the objects around the field and of its source; `isPersonal` is the profile's `personal` mark of the
  /// field, or of an object around it.
  func isHarmless(
    _ field: FieldContext, _ value: MessageFieldValue, _ traits: Traits, _ around: Traits, _ isPersonal: Bool?,
    source: Traits, _ roles: FieldOrigin.Roles
  ) -> Bool {
    let count = field.range.count
    switch value {
    case .text, .bytes: return false
    // No value.
    case .null: return count <= 4 && isPersonal != true
    case .bool, .enumeration, .int, .uint, .double: break
    }
    // A field is a date or a time where the profile says so, or where its name does and its number reads as seconds since 1970.
    if let isPersonal = isPersonal ?? (field.isTime ? true : nil) { return !isPersonal && count <= 8 }
    if traits.isMoment, Self.isDate(value) { return false }
    if roles.contains(.personalPart) || count > 2 && roles.contains(.personalStructure) { return false }
    if traits.isIntimate || around.isIntimate || source.isIntimate { return false }
    var isName = false
    switch value {
    case .bool: return count <= 8
    // A value that the enumeration has no name for counts as a plain number, if it is wider than one byte.
    case .enumeration(let name, _): isName = !name.isEmpty || count == 1 && !field.name.isEmpty
    default: break
    }
    if traits.isPersonal { return false }
    if around.isPersonal || source.isPersonal {
      // Among a person's measurements the framing is kept, and fields that describe the device.
      if traits.isOfDevice { return count <= (isName ? 8 : 2) }
      guard !field.name.isEmpty, isName || field.unit.isEmpty, count <= (field.isHidden ? 4 : 2) else { return false }
      return traits.isFraming || !traits.isGeneric && roles.contains(.structure)
    }
    if isName { return count <= 8 }
    if !field.unit.isEmpty { return count <= 4 && !self.isPersonal(unit: field.unit) }
    // Numbers in a list without names count as bytes, and so does a number with a generic name.
    if field.name.isEmpty || traits.isGeneric && !field.isHidden && !roles.contains(.structure) { return false }
    return count <= 2 || count <= 4 && (field.isHidden || traits.isStructural)
  }

  /// Whether a number, read as seconds since 1970, is a time from 2010 to 2039.
  private static func isDate(_ value: MessageFieldValue) -> Bool {
    let days: Range<Int64> = 1_262_304_000..<2_208_988_800
    return switch value {
    case .int(let number): days.contains(number)
    case .uint(let number): days.contains(Int64(clamping: number))
    case .double(let number, _): number >= Double(days.lowerBound) && number < Double(days.upperBound)
    default: false
    }
  }

  static func traits(_ name: String) -> Traits {
    let words = name.split { $0 == "_" || $0 == "-" }.map(String.init)
    // "pinCode" is made of two words, and "pin1" is the first of several.
    let parts = words.flatMap { word in
      [word.lowercased()] + wordsWithin(word).flatMap { [$0, String($0.drop { $0.isNumber }.reversed().drop { $0.isNumber }.reversed())] }
    }
    func has(_ set: Set<String>) -> Bool { parts.contains { set.contains($0) } }
    let isOfCRC = parts.contains { $0.hasPrefix("crc") || $0.hasSuffix("crc") }
    // A code gives access where its name says what it opens.
    let isCode = has(["code", "codes"]) && has(["access", "alarm", "door", "entry", "lock", "unlock", "gate", "security", "user"])
    // Addresses of registers, blocks and memory do not identify a device.
    let isOfMemory = words.allSatisfy { memory.contains($0) }
    // The length of a password is no password.
    let isLength = words.count > 1 && words.last.map { ["length", "len", "size", "count"].contains($0) } ?? false
    // A time zone reveals where somebody lives.
    let isZone = has(zones) || parts.contains("time") && parts.contains("zone") || parts.contains("utc") && parts.contains("offset")
    var bound = 0
    if let index = words.indices.first(where: { bounds[words[$0]] != nil }) {
      bound = words.indices.filter { $0 != index }.map { words[$0] }.hashValue & ~3 | (bounds[words[index]] ?? 0)
    }
    return Traits(
      isPersonal: has(personal) || isZone || isCode || has(identifying) && !isLength && !isOfMemory, isIntimate: has(intimate),
      isStructural: has(structural) || has(framing),
      isFraming: has(framing), isCheck: has(checks) || isOfCRC, isGeneric: words.allSatisfy { generic.contains($0) || Int($0) != nil },
      isOfDevice: has(device), isReserved: name.hasPrefix("reserved"), isMoment: has(moments), isSign: has(["sign"]),
      isResult: has(results), isLength: words.last.map { ["length", "len", "size"].contains($0) } ?? false,
      isPassword: has(passwords) && !isLength && !isOfMemory, isName: has(naming), bound: bound)
  }

  /// The words of a name in camel case, in lowercase.
  private static func wordsWithin(_ name: String) -> [String] {
    var words = [""]
    var isSmall = false
    for letter in name {
      if letter.isUppercase, isSmall { words.append("") }
      isSmall = letter.isLowercase
      words[words.count - 1] += letter.lowercased()
    }
    return words
  }

  func isPersonal(unit: FieldText) -> Bool {
    guard let (number, isNew) = unitNumbers.number(unit.bytes) else { return true }
    if isNew { units.append((AllowedFields.isPersonal(unit: unit.bytes), AllowedFields.measuresThings(unit: unit.bytes))) }
    return units[number].isPersonal
  }

  /// Whether it is known what a number of a user's profile is: by its unit, its name, a name for its value, or as the profile needs it for parsing.
  func identifies(
    _ field: FieldContext, _ value: MessageFieldValue, _ traits: Traits, _ roles: FieldOrigin.Roles
  ) -> Bool {
    switch value {
    case .enumeration(let word, _): if !word.isEmpty { return true }
    case .bool, .null: return true
    default: break
    }
    return measuresThings(field.unit, count: field.range.count) || field.isFixed || traits.isStructural || traits.isFraming
      || traits.isOfDevice || traits.isCheck
      || roles.contains(.structure)
  }

  /// Whether a number of `count` bytes with a unit measures things, judged by the unit alone. A length of more than two bytes may be a coordinate,
  /// and does not count.
  func measuresThings(_ unit: FieldText, count: Int) -> Bool {
    guard !unit.isEmpty, !isPersonal(unit: unit), let (number, _) = unitNumbers.number(unit.bytes), units[number].isOfThings else {
      return false
    }
    return count <= 2 || !AllowedFields.isLength(unit: unit.bytes)
  }

  /// Kinds of devices whose numbers measure a person or give access to something.
  private static let worn: Set<String> = ["watch", "band", "ring", "scale", "medical", "fitness", "toothbrush", "lock"]
  private static let identifying: Set<String> = [
    "pin", "password", "passkey", "passcode", "passphrase", "keycode", "otp", "card", "badge", "account", "user", "imei", "imsi", "iccid",
    "phone", "serial", "token", "secret", "mac", "address", "addr", "bssid",
    "uid", "udid", "pincode", "passwd", "pwd", "psk", "pass", "combination", "unlock", "zip", "postcode", "tel", "msisdn", "ssn", "iban",
    "patient",
  ]
  private static let results: Set<String> = ["rc", "ret", "result", "status", "err", "error", "errno", "retval"]
  private static let passwords: Set<String> = [
    "password", "passwd", "pwd", "pass", "passphrase", "passcode", "passkey", "psk", "wpa", "key", "keycode", "pin", "pincode", "otp",
    "token", "secret", "credential", "credentials",
  ]
  private static let naming: Set<String> = ["name", "ssid", "title", "nickname", "label", "alias"]
  private static let memory: Set<String> = [
    "address", "addr", "start", "end", "first", "last", "register", "memory", "block", "page", "base", "offset",
  ]
  private static let personal: Set<String> = [
    "latitude", "longitude", "lat", "lon", "altitude", "elevation", "direction", "birth", "gender", "age", "weight", "height", "waist",
    "hip", "stride", "strides", "steps", "heart", "rr", "pulse", "blood", "systolic", "diastolic", "respiration", "spo2", "oxygen",
    "glucose", "hba1c", "insulin", "bolus", "medication", "bmi", "body", "fat", "muscle", "bone", "impedance", "metabolism", "calories",
    "sleep", "ecg", "ekg", "ppi", "ppg", "beat", "beats", "hr", "hrv", "bpm", "menses", "menstrual", "menstruation", "pregnancy", "meal",
    "carbohydrate", "carb", "carbs", "carbohydrates", "vo2", "stress", "mood", "ketone", "ketones", "pregnant", "diabetic", "fever", "dose",
    "basal", "hiv", "symptom", "symptoms", "cholesterol", "uric", "ceiling", "cuff", "birthday", "dob",
    "bday", "geo", "bearing", "bodymass", "hrm", "lng", "northing", "easting", "hemisphere", "north", "south", "east", "west",
  ]
  private static let zones: Set<String> = ["timezone", "tz", "dst", "daylight"]
  private static let moments: Set<String> = [
    "time", "timestamp", "datetime", "date", "clock", "utc", "epoch", "unix", "unixtime", "created", "modified", "updated", "expires",
    "expiry",
  ]
  private static let bounds: [String: Int] = [
    "minimum": 1, "min": 1, "lowest": 1, "typical": 2, "average": 2, "maximum": 3, "max": 3, "highest": 3,
    // Sizes of an object in Object Transfer.
    "current": 1, "allocated": 3,
  ]
  private static let intimate: Set<String> = [
    "gender", "sex", "female", "male", "menses", "menstrual", "menstruation", "pregnancy", "pregnant", "hiv", "diabetic",
  ]
  private static let framing: Set<String> = [
    "len", "length", "size", "seq", "sequence", "flag", "flags", "mask", "version", "magic", "type", "command", "cmd", "opcode",
    "operation",
    "op", "index", "status", "result", "error", "reserved", "unused", "padding", "header", "kind",
  ]
  private static let structural: Set<String> = [
    "count", "crc", "check", "checksum", "offset", "time", "timestamp", "duration", "interval", "total", "capacity", "cycle", "cycles",
  ]
  private static let checks: Set<String> = [
    "crc", "crc8", "crc16", "crc32", "check", "checksum", "sum", "xor", "bcc", "lrc", "fcs", "parity", "chk", "chksum", "cksum", "csum",
    "cs", "checkcode", "checkbyte", "hash", "digest", "mic", "hmac", "cmac", "signature", "adler", "fletcher", "ck", "verify",
    "verification", "validation", "integrity",
  ]
  private static let generic: Set<String> = [
    "value", "values", "number", "numbers", "data", "raw", "low", "high", "more", "content", "contents", "payload", "argument", "arguments",
    "parameter", "parameters", "octet", "octets", "byte", "bytes", "rest",
  ]
  private static let device: Set<String> = ["battery", "firmware", "hardware", "bootloader", "mtu", "rssi", "voltage", "charging"]
}
