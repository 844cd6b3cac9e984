import Memory

@_spi(Pipeline) import Profiles

/// What is known of all that comes from one source of a profile.
package final class FieldOrigin {
  /// What the names of the profile and of the source say, and what the profile says that its device is.
  let traits: FieldNames.Traits
  /// What the profile finds its way through a message by.
  let structure: ProfileStructure
  /// Fields of which the profile computes what is a secret, or tells something of a person: they do the same.
  private(set) var secretParts: Set<String> = []
  private(set) var personalParts: Set<String> = []
  /// Such fields by which the profile finds its way: short ones stay.
  private(set) var personalStructure: Set<String> = []

  init(traits: FieldNames.Traits, structure: ProfileStructure) {
    self.traits = traits
    self.structure = structure
    // A value may be computed of others; each round takes in those that were found in the one before.
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
    // What the profile finds its way by tells nothing by itself, unless a secret is made of it.
    personalStructure = personalParts.intersection(structure.names)
    personalParts.subtract(structure.names)
  }

  /// Of a source of advertised data, what is known of it; found out with its first message.
  private var advertisedSource: AdvertisedSource?

  /// Whether advertised data belong to who was assigned the number that they stand under, or the device to those that the source asks for.
  func isOfOwner(_ message: ProfileMessage, _ number: AdvertisedSource.Number?) -> Bool {
    var source = advertisedSource ?? message.advertisedSource
    // Other structures have the types that the Bluetooth SIG says.
    let isOfOwner = source.asksForDevice || number.map { source.isOfOwner($0) } ?? true
    advertisedSource = source
    return isOfOwner
  }

  /// Whether the profile wants the names of devices, by their addresses.
  private var wanted: [UInt64: Bool] = [:]
  private var lastWanted: (address: UInt64, isWanted: Bool)?
  private static let maxWanted = 4096

  /// Whether the profile wants the name of the device that advertises.
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

  /// What the source makes of a name.
  struct Marks: OptionSet {
    var rawValue: UInt8
    /// It was looked up.
    static let isKnown = Marks(rawValue: 1)
    /// The profile finds its way by it.
    static let structure = Marks(rawValue: 2)
    /// A secret is computed of it.
    static let secretPart = Marks(rawValue: 4)
    /// What tells something of a person is computed of it.
    static let personalPart = Marks(rawValue: 8)
    /// The same, and the profile finds its way by it.
    static let personalStructure = Marks(rawValue: 16)
  }
  /// By the numbers of the names.
  private var known: [Marks] = []

  /// What the source makes of the name of a number.
  func marks(_ number: Int, _ names: FieldNames) -> Marks {
    if number < known.count, !known[number].isEmpty { return known[number] }
    if number >= known.count { known.append(contentsOf: repeatElement([], count: number + 1 - known.count)) }
    known[number] = marks(of: names[number])
    return known[number]
  }

  func marks(of name: String) -> Marks {
    var marks = Marks.isKnown
    if structure.names.contains(name) { marks.insert(.structure) }
    if secretParts.contains(name) { marks.insert(.secretPart) }
    if personalParts.contains(name) { marks.insert(.personalPart) }
    if personalStructure.contains(name) { marks.insert(.personalStructure) }
    return marks
  }

  /// The entries of ``ExposureCounter`` for its fields, by the numbers of their names and the kinds of exposures; -1 where there is none yet.
  private var places: [Int32] = []
  private static let maxPlaces = 1024 * ExposureKind.allCases.count

  /// The entry for a field of a kind, which `make` finds the first time.
  func place(_ number: Int, _ kind: ExposureKind, _ make: () -> Int) -> Int {
    let at = number * ExposureKind.allCases.count + kind.rawValue
    if at < places.count, places[at] >= 0 { return Int(places[at]) }
    let place = make()
    guard at < Self.maxPlaces else { return place }
    if at >= places.count { places.append(contentsOf: repeatElement(-1, count: at + 1 - places.count)) }
    places[at] = Int32(place)
    return place
  }
}

/// Numbers of texts in the order in which they came first.
struct TextNumbers {
  /// Numbers at places that follow from the texts' bytes; 0 where there is none.
  private var places: [UInt16]
  private var bytes: [UInt8] = []
  /// Where the bytes of each text end.
  private var ends: [Int]
  private let maxCount: Int
  private let key = HashKey()

  /// At most `maxCount` of them; the first have no text.
  init(maxCount: Int, without first: Int) {
    self.maxCount = maxCount
    places = [UInt16](repeating: 0, count: 4 * maxCount)
    ends = [Int](repeating: 0, count: first)
  }

  /// The number of a text; a new one, or nil where there is no room.
  mutating func number(_ text: BorrowedBytes) -> (number: Int, isNew: Bool)? {
    var place = Int(truncatingIfNeeded: text.hash(key: key)) & (places.count - 1)
    while places[place] != 0 {
      let known = Int(places[place])
      if holds(text, known) { return (known, false) }
      place = (place + 1) & (places.count - 1)
    }
    guard ends.count < maxCount else { return nil }
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    places[place] = UInt16(ends.count - 1)
    return (ends.count - 1, true)
  }

  private func holds(_ text: BorrowedBytes, _ number: Int) -> Bool {
    let start = ends[number - 1]
    guard ends[number] - start == text.count else { return false }
    return bytes.withBorrowedBytes { $0.part(start..<start + text.count).isEqual(to: text) }
  }
}

/// What the names and units of profiles' numbers tell of them; each is looked at once.
package final class FieldNames {
  struct Traits {
    /// The number measures a person, or lets somebody in.
    var isPersonal = false
    /// So does a word that stands for it, or a bit.
    var isIntimate = false
    /// It belongs to the framing, or to what the device does.
    var isStructural = false
    /// So little is said by it that the framing is all it can be: of a person's measurements such numbers stay.
    var isFraming = false
    /// It is computed over other bytes.
    var isCheck = false
    /// The name says nothing of what it is.
    var isGeneric = false
    /// It tells of a device, whoever wears it.
    var isOfDevice = false
    /// The standard says nothing of it but that it is zero.
    var isReserved = false
    /// It says when something was, in whatever unit.
    var isMoment = false
    /// It says whether a number beside it is negative.
    var isSign = false
    /// It says how something went.
    var isResult = false
    /// It says how long something is.
    var isLength = false
    /// A text of that name lets somebody in: its signs are a part of it.
    var isPassword = false
    /// A text of that name is what somebody calls something.
    var isName = false
    /// It is the least, the usual or the largest of a range: 1 to 3, in the lowest bits, beside a hash of its name without that word. 0 where it is none
    /// of them.
    var bound = 0

    /// What is in an object of a personal name is personal too.
    func inside(_ inner: Traits) -> Traits {
      var inner = inner
      inner.isPersonal = isPersonal || inner.isPersonal
      inner.isIntimate = isIntimate || inner.isIntimate
      return inner
    }
  }
  /// The first has no name, the second stands for all that came when there was no room.
  private var numbers = TextNumbers(maxCount: FieldNames.maxCount, without: 2)
  private var texts = ["", ""]
  private var traits = [Traits(), Traits(isPersonal: true, isIntimate: true)]
  private var unitNumbers = TextNumbers(maxCount: FieldNames.maxCount, without: 1)
  private var units = [(isPersonal: false, isOfThings: false)]
  /// What messages come from, by profile and source.
  private struct Source: Hashable {
    var profile: String
    var source: String
  }
  private var origins: [Source: FieldOrigin] = [:]
  /// The last that were asked for.
  private var recent: [(profile: CompiledProfile, source: String, origin: FieldOrigin)] = []
  private var oldest = 0
  private static let maxRecent = 8
  /// Names may come out of a capture: so many are remembered, and others have no name and count as personal.
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

  /// Whether a field of a profile that is no secret stays whatever its value: it is a flag or an enumeration, or a number that tells nothing
  /// of a person: it has a unit that measures things, or few bytes, or a name of framing. An element of a list has the name of the list.
  /// `objects` are the names of those that the field lies in.
  package func isHarmless(
    _ field: FieldContext, _ value: MessageFieldValue, _ name: String, in objects: [String], of origin: FieldOrigin
  ) -> Bool {
    let around = objects.reduce(Traits()) { $0.inside(Self.traits($1)) }
    return isHarmless(field, value, Self.traits(name), around, field.isPersonal, source: origin.traits, origin.marks(of: name))
  }

  func traits(_ name: Int) -> Traits { traits[name] }

  /// What is known of all that comes from a source of a profile.
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
    let new = FieldOrigin(traits: traits, structure: profile.structure)
    if origins.count < Self.maxCount { origins[key] = new }
    return new
  }

  /// The same with what is known of the name, of the objects around the field and of its source; `isMarked` is what the profile says of the field, or of an
  /// object that it lies in.
  func isHarmless(
    _ field: FieldContext, _ value: MessageFieldValue, _ traits: Traits, _ around: Traits, _ isMarked: Bool?,
    source: Traits, _ marks: FieldOrigin.Marks
  ) -> Bool {
    let count = field.range.count
    switch value {
    case .text, .bytes: return false
    // What stands for nothing.
    case .null: return count <= 4 && isMarked != true
    case .bool, .enumeration, .int, .uint, .double: break
    }
    // What the profile says is a date or a time is, whatever its name; a number that reads as seconds since 1970 under such a name is one, too.
    if let isMarked = isMarked ?? (field.isTime ? true : nil) { return !isMarked && count <= 8 }
    if traits.isMoment, Self.isDate(value) { return false }
    if marks.contains(.personalPart) || count > 2 && marks.contains(.personalStructure) { return false }
    if traits.isIntimate || around.isIntimate || source.isIntimate { return false }
    var isName = false
    switch value {
    case .bool: return count <= 8
    // A number that the profile has no name for is one like others, as far as it has room to be one.
    case .enumeration(let name, _): isName = !name.isEmpty || count == 1 && !field.name.isEmpty
    default: break
    }
    if traits.isPersonal { return false }
    if around.isPersonal || source.isPersonal {
      // Of a person's measurements the framing stays, and what the device says of itself.
      if traits.isOfDevice { return count <= (isName ? 8 : 2) }
      guard !field.name.isEmpty, isName || field.unit.isEmpty, count <= (field.isHidden ? 4 : 2) else { return false }
      return traits.isFraming || !traits.isGeneric && marks.contains(.structure)
    }
    if isName { return count <= 8 }
    if !field.unit.isEmpty { return count <= 4 && !self.isPersonal(unit: field.unit) }
    // Plain numbers in a row are bytes, whatever they mean; so is a number that is shown under no name of its own.
    if field.name.isEmpty || traits.isGeneric && !field.isHidden && !marks.contains(.structure) { return false }
    return count <= 2 || count <= 4 && (field.isHidden || traits.isStructural)
  }

  /// Whether a number is so many seconds since 1970 that it is a day of 2010 to 2039.
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
    // A code lets somebody in where its name says what it opens.
    let isCode = has(["code", "codes"]) && has(["access", "alarm", "door", "entry", "lock", "unlock", "gate", "security", "user"])
    // Addresses of registers, blocks and memory are nobody's.
    let isOfMemory = words.allSatisfy { memory.contains($0) }
    // The length of a password is none.
    let isLength = words.count > 1 && words.last.map { ["length", "len", "size", "count"].contains($0) } ?? false
    // Where somebody lives.
    let isZone = has(zones) || parts.contains("time") && parts.contains("zone") || parts.contains("utc") && parts.contains("offset")
    var bound = 0
    if let place = words.indices.first(where: { bounds[words[$0]] != nil }) {
      bound = words.indices.filter { $0 != place }.map { words[$0] }.hashValue & ~3 | (bounds[words[place]] ?? 0)
    }
    return Traits(
      isPersonal: has(personal) || isZone || isCode || has(identifying) && !isLength && !isOfMemory, isIntimate: has(intimate),
      isStructural: has(structural) || has(framing),
      isFraming: has(framing), isCheck: has(checks) || isOfCRC, isGeneric: words.allSatisfy { generic.contains($0) || Int($0) != nil },
      isOfDevice: has(device), isReserved: name.hasPrefix("reserved"), isMoment: has(moments), isSign: has(["sign"]),
      isResult: has(results), isLength: words.last.map { ["length", "len", "size"].contains($0) } ?? false,
      isPassword: has(passwords) && !isLength && !isOfMemory, isName: has(naming), bound: bound)
  }

  /// The words of a name in which each but the first begins with a capital letter, in small letters.
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

  /// It is known what a number of a user's own profile is: by its unit, its name, a name for its value, or because the profile goes by it.
  func identifies(
    _ field: FieldContext, _ value: MessageFieldValue, _ traits: Traits, _ marks: FieldOrigin.Marks
  ) -> Bool {
    switch value {
    case .enumeration(let word, _): if !word.isEmpty { return true }
    case .bool, .null: return true
    default: break
    }
    return measuresThings(field.unit, count: field.range.count) || field.isFixed || traits.isStructural || traits.isFraming
      || traits.isOfDevice || traits.isCheck
      || marks.contains(.structure)
  }

  /// Whether a number of so many bytes with a unit measures things, as far as anybody can tell who knows no more of it. A length of more than two bytes
  /// may be a coordinate.
  func measuresThings(_ unit: FieldText, count: Int) -> Bool {
    guard !unit.isEmpty, !isPersonal(unit: unit), let (number, _) = unitNumbers.number(unit.bytes), units[number].isOfThings else {
      return false
    }
    return count <= 2 || !AllowedFields.isLength(unit: unit.bytes)
  }

  /// Kinds of devices whose numbers measure who wears them or stands on them, or let somebody in.
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
    // Of the size of an object.
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
