@_spi(Pipeline) import Profiles

/// Decides which bytes of a profile's message stay: numbers, enumerations, and the structure around them. Texts, bytes, numbers that measure
/// a person and what the profile marks as secret do not.
struct MessageJudge: Profiles.FieldVisitor {
  /// A field, and what is done with it.
  struct Judged {
    var range: Range<Int>
    /// Nil where it does not stay.
    var rule: Rule?
    /// Its name within the profile, by its number in ``FieldNames``.
    var name: Int
    var kind: ExposureKind
    /// It is a number of variable length: its length stays.
    var form: EmbeddedForm?
    var isNumber = false
  }
  private(set) var fields: [Judged] = []
  /// Where bytes lie whose form says itself which fields they have: what lies between these is structure.
  private var structures: [(form: EmbeddedForm, range: Range<Int>)] = []
  /// Objects of such bytes.
  private var objects: Set<Range<Int>> = []
  /// Names of members that stay.
  private(set) var memberNames: [Range<Int>] = []
  /// Something could not be read.
  private(set) var hasProblem = false

  /// The profile is one of btscribe's own.
  let isShipped: Bool
  /// All but what is secret stays.
  private let keepsValues: Bool
  private let profile: String
  private let keptFields: Set<String>
  private let names: FieldNames
  private let payload: [UInt8]
  private var form: (kind: EmbeddedForm, range: Range<Int>)?
  /// The names of the open objects and lists, by their numbers.
  private var path: [Int] = []
  private var secretDepth = Int.max
  /// What the names of the profile and the source say of all that comes from it, and the names of the open objects of what is in them.
  private let source: FieldNames.Traits
  private var around = [FieldNames.Traits()]

  /// `keptFields` are those that the user wants to stay, by the profile's name and theirs.
  init(
    _ profile: String, source: String, _ payload: [UInt8], _ names: FieldNames, isShipped: Bool, keepsValues: Bool, keptFields: Set<String>
  ) {
    self.profile = profile
    self.source = names.traits(source: source, of: profile)
    self.payload = payload
    self.isShipped = isShipped
    self.keepsValues = keepsValues
    self.keptFields = keptFields
    self.names = names
  }

  /// The name of a field behind that of its profile.
  func title(_ field: Judged) -> String { "\(profile).\(names[field.name])" }

  mutating func embedded(_ form: EmbeddedForm, in range: Range<Int>) {
    self.form = (form, range)
    structures.append((form, range))
  }

  mutating func leaf(_ field: FieldContext, _ value: Profiles.FieldValue) {
    guard !field.range.isEmpty, field.range.upperBound <= payload.count else { return }
    let name = number(field)
    let inside = form.flatMap {
      $0.range.lowerBound <= field.range.lowerBound && field.range.upperBound <= $0.range.upperBound ? $0.kind : nil
    }
    var judged = Judged(range: field.range, rule: nil, name: name, kind: .value, form: inside)
    let isSecret = field.isSecret || path.count > secretDepth
    switch value {
    case .text:
      judged.kind = isSecret ? .password : .text
      judged.range = contents(field.range, inside)
    case .bytes:
      judged.kind = isSecret ? field.range.count > 4 ? .key : .passkey : .value
      judged.range = contents(field.range, inside)
      // What a profile hides in a few bytes is a mark of its framing.
      if isShipped, field.isHidden, field.range.count <= 4, !names.isPersonal(name) { judged.rule = .framing }
    case .bool, .enumeration: break
    case .int, .uint, .double, .null: judged.isNumber = true
    }
    if names.isHarmless(field, value, name: name, in: around[around.count - 1], of: source) { judged.rule = .profile }
    if judged.rule == nil, keepsValues { judged.rule = .option }
    if isSecret {
      judged.rule = nil
      if judged.kind == .value { judged.kind = .passkey }
    }
    if !keptFields.isEmpty, keptFields.contains(title(judged)) { judged.rule = .option }
    fields.append(judged)
  }

  /// Where the contents lie of a text whose range has quotation marks too.
  private func contents(_ range: Range<Int>, _ form: EmbeddedForm?) -> Range<Int> {
    let isQuoted = form == .json && range.count >= 2 && payload[range.lowerBound] == UInt8(ascii: "\"")
    return isQuoted ? range.lowerBound + 1..<range.upperBound - 1 : range
  }

  /// Whether the bytes at a place are a part of JSON.
  func isJSON(_ place: Int) -> Bool { structures.contains { $0.form == .json && $0.range.contains(place) } }

  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool {
    if field.isSecret { secretDepth = min(secretDepth, path.count) }
    if form != nil { objects.insert(field.range) }
    path.append(number(field))
    around.append(around[around.count - 1].inside(names.traits(path[path.count - 1])))
    return true
  }

  /// The name of a field; an element of a list has that of the list.
  private func number(_ field: FieldContext) -> Int { field.name.isEmpty ? path.last ?? 0 : names.number(field.name) }

  mutating func close(isArray: Bool) {
    _ = path.popLast()
    if around.count > 1 { around.removeLast() }
    if path.count <= secretDepth { secretDepth = .max }
  }

  mutating func problem(_ text: String) { hasProblem = true }

  // MARK: The new payload

  /// Which bytes stay, by rule; nil where they do not; and which are a field's. What no field claims stays only where it is the structure of
  /// JSON, CBOR, protobuf or CSV, and where it is as short as a length.
  mutating func rules() -> (stays: [Rule?], isClaimed: [Bool]) {
    var rules = [Rule?](repeating: nil, count: payload.count)
    var isClaimed = [Bool](repeating: false, count: payload.count)
    for field in fields { for at in field.range { isClaimed[at] = true } }
    if !hasProblem, !structures.isEmpty {
      var structure = FormStructure(payload, isClaimed: isClaimed, objects: objects)
      for (form, range) in structures { structure.find(form, in: range) }
      for range in structure.ranges { for at in range { rules[at] = .framing } }
      memberNames = structure.names
    }
    for field in fields { if let rule = field.rule { for at in field.range { rules[at] = rule } } }
    for field in fields where field.rule == nil { for at in field.range { rules[at] = nil } }
    // A byte or two before a field, in a profile of btscribe's own, are its length or its type.
    var isKnown = isClaimed
    for (_, range) in structures { for at in range.clamped(to: payload.indices) { isKnown[at] = true } }
    var at = 0
    while isShipped, !hasProblem, at < payload.count {
      var stop = at
      while stop < payload.count, !isKnown[stop] { stop += 1 }
      if stop - at <= 2, stop < payload.count { for place in at..<stop { rules[place] = rules[place] ?? .framing } }
      // The length of a list that is empty.
      if stop == payload.count, stop - at == 1, payload[at] == 0 { rules[at] = rules[at] ?? .framing }
      at = stop + 1
    }
    return (rules, isClaimed)
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

    /// What is in an object of a personal name is personal too.
    func inside(_ inner: Traits) -> Traits {
      Traits(
        isPersonal: isPersonal || inner.isPersonal, isIntimate: isIntimate || inner.isIntimate, isStructural: inner.isStructural)
    }
  }
  /// The first has no name, the second stands for all that came when there was no room.
  private var entries: [(name: String, bytes: [UInt8], traits: Traits)] = [
    ("", [], Traits()), ("", [], Traits(isPersonal: true, isIntimate: true)),
  ]
  /// Numbers of entries, at places that follow from their bytes; 0 where there is none.
  private var places = [UInt16](repeating: 0, count: 4 * FieldNames.most)
  private var units: [[UInt8]: Bool] = [:]
  /// What messages come from, by profile and source.
  private struct Origin: Hashable {
    var profile: String
    var source: String
  }
  private var origins: [Origin: Traits] = [:]
  /// Names may come out of a capture: so many are remembered, and others have no name and count as personal.
  private static let most = 8192

  package init() {}

  /// The number of a name.
  func number(_ name: FieldText) -> Int {
    let bytes = unsafe name.bytes
    // A hash that a capture cannot be made for.
    var hasher = Hasher()
    unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    var place = hasher.finalize() & (places.count - 1)
    while places[place] != 0 {
      let known = Int(places[place])
      if unsafe entries[known].bytes.elementsEqual(bytes) { return known }
      place = (place + 1) & (places.count - 1)
    }
    guard entries.count < Self.most else { return 1 }
    let text = name.string
    unsafe entries.append((text, Array(bytes), Self.traits(text)))
    places[place] = UInt16(entries.count - 1)
    return entries.count - 1
  }

  /// The name of a number.
  subscript(number: Int) -> String { entries[number].name }

  /// Whether a field of a profile that is no secret stays whatever its value: it is a flag or an enumeration, or a number that tells nothing
  /// of a person: it has a unit that measures things, or few bytes, or a name of framing. An element of a list has the name of the list.
  /// `objects` are the names of those that the field lies in, `source` is that of what the message came from, behind the profile's.
  package func isHarmless(
    _ field: FieldContext, _ value: Profiles.FieldValue, _ name: String, in objects: [String], of source: String
  ) -> Bool {
    let around = objects.reduce(Traits()) { $0.inside(Self.traits($1)) }
    return isHarmless(field, value, Self.traits(name), around, Self.traits(source))
  }

  func isHarmless(_ field: FieldContext, _ value: Profiles.FieldValue, name: Int, in around: Traits, of source: Traits) -> Bool {
    isHarmless(field, value, entries[name].traits, around, source)
  }

  func traits(_ name: Int) -> Traits { entries[name].traits }

  /// What the names of a profile and of one of its sources say of all that comes from there.
  func traits(source: String, of profile: String) -> Traits {
    let origin = Origin(profile: profile, source: source)
    if let known = origins[origin] { return known }
    let new = Self.traits("\(profile)-\(source)")
    if origins.count < Self.most { origins[origin] = new }
    return new
  }

  /// Whether the field of this name measures a person, or lets somebody in.
  func isPersonal(_ name: Int) -> Bool { entries[name].traits.isPersonal }

  private func isHarmless(
    _ field: FieldContext, _ value: Profiles.FieldValue, _ traits: Traits, _ around: Traits, _ source: Traits
  ) -> Bool {
    let count = field.range.count
    switch value {
    case .text, .bytes: return false
    case .bool, .enumeration: return count <= 8 && !traits.isIntimate && !around.isIntimate && !source.isIntimate
    // What stands for nothing.
    case .null: return count <= 4
    case .int, .uint, .double: break
    }
    if traits.isPersonal { return false }
    // Of a person's measurements the framing stays.
    if around.isPersonal || source.isPersonal {
      return traits.isStructural && field.unit.isEmpty && !field.name.isEmpty && count <= (field.isHidden ? 4 : 2)
    }
    if !field.unit.isEmpty { return count <= 4 && !isPersonal(unit: field.unit) }
    // Plain numbers in a row are bytes, whatever they mean.
    if field.name.isEmpty { return false }
    return count <= 2 || count <= 4 && (field.isHidden || traits.isStructural)
  }

  static func traits(_ name: String) -> Traits {
    let words = name.split { $0 == "_" || $0 == "-" }
    func has(_ set: Set<String>) -> Bool { words.contains { set.contains(String($0)) } }
    // The length of a password is none.
    let isLength = words.count > 1 && words.last.map { ["length", "len", "size", "count"].contains($0) } ?? false
    return Traits(
      isPersonal: has(personal) || has(identifying) && !isLength, isIntimate: has(intimate),
      isStructural: structural.contains { name.contains($0) })
  }

  func isPersonal(unit: FieldText) -> Bool {
    let bytes = unsafe Array(unit.bytes)
    if let known = units[bytes] { return known }
    let new = Harmless.isPersonal(unit: bytes)
    if units.count < Self.most { units[bytes] = new }
    return new
  }

  private static let identifying: Set<String> = ["pin", "password", "passkey", "user", "imei", "phone", "serial", "token", "secret"]
  private static let personal: Set<String> = [
    "latitude", "longitude", "lat", "lon", "altitude", "elevation", "direction", "birth", "gender", "age", "weight", "height", "waist",
    "hip", "stride", "strides", "steps", "heart", "rr", "pulse", "blood", "systolic", "diastolic", "respiration", "spo2", "oxygen",
    "glucose", "hba1c", "insulin", "bolus", "medication", "bmi", "body", "fat", "muscle", "bone", "impedance", "metabolism", "calories",
    "sleep",
  ]
  private static let intimate: Set<String> = ["gender", "sex", "female", "male"]
  private static let structural = [
    "len", "size", "count", "crc", "check", "seq", "offset", "flag", "mask", "time", "duration", "interval", "version", "magic", "type",
    "command", "opcode", "index", "status", "total", "capacity", "cycle", "reserved", "unused",
  ]
}
