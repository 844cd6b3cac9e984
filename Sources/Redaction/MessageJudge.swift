@_spi(Pipeline) import Profiles

/// Decides which bytes of a profile's message stay: numbers, enumerations, and the structure around them. Texts, bytes, numbers that measure
/// a person and what the profile marks as secret do not.
struct MessageJudge: Profiles.FieldVisitor {
  /// A field, and what is done with it.
  struct Judged {
    var range: Range<Int>
    /// Nil where it does not stay.
    var rule: Rule?
    /// Its name within the profile.
    var name: String
    var kind: ExposureKind
    /// It is a number of variable length: its length stays.
    var form: EmbeddedForm?
    var isNumber = false
  }
  private(set) var fields: [Judged] = []
  /// Where bytes lie whose form says itself which fields they have: what lies between these is structure.
  private(set) var structures: [Range<Int>] = []
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
  /// The names of the open objects and lists.
  private var path: [String] = []
  private var secretDepth = Int.max

  /// `keptFields` are those that the user wants to stay, by the profile's name and theirs.
  init(_ profile: String, _ payload: [UInt8], _ names: FieldNames, isShipped: Bool, keepsValues: Bool, keptFields: Set<String>) {
    self.profile = profile
    self.payload = payload
    self.isShipped = isShipped
    self.keepsValues = keepsValues
    self.keptFields = keptFields
    self.names = names
  }

  /// The name of a field behind that of its profile.
  func title(_ field: Judged) -> String { "\(profile).\(field.name)" }

  mutating func embedded(_ form: EmbeddedForm, in range: Range<Int>) {
    self.form = (form, range)
    structures.append(range)
  }

  mutating func leaf(_ field: FieldContext, _ value: Profiles.FieldValue) {
    guard !field.range.isEmpty, field.range.upperBound <= payload.count else { return }
    let name = field.name.isEmpty ? path.last ?? "" : field.name.string
    let inside = form.flatMap {
      $0.range.lowerBound <= field.range.lowerBound && field.range.upperBound <= $0.range.upperBound ? $0.kind : nil
    }
    var judged = Judged(range: field.range, rule: nil, name: name, kind: .value, form: inside)
    let isSecret = field.isSecret || path.count > secretDepth
    switch value {
    case .text(let text):
      judged.kind = isSecret ? .password : .text
      judged.range = contents(field.range, text.count, inside)
    case .bytes(let bytes):
      judged.kind = isSecret ? field.range.count > 4 ? .key : .passkey : .value
      judged.range = contents(field.range, bytes.count, inside)
      // What a profile hides in a few bytes is a mark of its framing.
      if isShipped, field.isHidden, field.range.count <= 4 { judged.rule = .framing }
    case .bool, .enumeration: break
    case .int, .uint, .double, .null: judged.isNumber = true
    }
    if names.isHarmless(field, value, name) { judged.rule = .profile }
    if judged.rule == nil, keepsValues { judged.rule = .option }
    if isSecret {
      judged.rule = nil
      if judged.kind == .value { judged.kind = .passkey }
    }
    if !keptFields.isEmpty, keptFields.contains(title(judged)) { judged.rule = .option }
    fields.append(judged)
  }

  /// Where the contents lie of a text or of bytes whose range has a head or quotation marks too.
  private func contents(_ range: Range<Int>, _ count: Int, _ form: EmbeddedForm?) -> Range<Int> {
    switch form {
    case .json where range.count >= 2 && payload[range.lowerBound] == UInt8(ascii: "\""): range.lowerBound + 1..<range.upperBound - 1
    case .cbor where count < range.count: range.upperBound - count..<range.upperBound
    default: range
    }
  }

  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool {
    if field.isSecret { secretDepth = min(secretDepth, path.count) }
    path.append(field.name.isEmpty ? path.last ?? "" : field.name.string)
    return true
  }

  mutating func close(isArray: Bool) {
    _ = path.popLast()
    if path.count <= secretDepth { secretDepth = .max }
  }

  mutating func problem(_ text: String) { hasProblem = true }

  // MARK: The new payload

  /// Which bytes stay, by rule; nil where they do not. What no field claims stays only between the fields of JSON, CBOR and protobuf, and where
  /// it is as short as a length.
  func rules() -> [Rule?] {
    var rules = [Rule?](repeating: nil, count: payload.count)
    if !hasProblem {
      for range in structures where range.upperBound <= rules.count { for at in range { rules[at] = .framing } }
    }
    var isClaimed = [Bool](repeating: false, count: payload.count)
    for field in fields {
      for at in field.range { isClaimed[at] = true }
      if let rule = field.rule { for at in field.range { rules[at] = rule } }
    }
    for field in fields where field.rule == nil { for at in field.range { rules[at] = nil } }
    // A byte or two before a field, in a profile of btscribe's own, are its length or its type.
    var at = 0
    while isShipped, !hasProblem, at < payload.count {
      var stop = at
      while stop < payload.count, !isClaimed[stop] { stop += 1 }
      if stop - at <= 2, stop < payload.count { for place in at..<stop { rules[place] = rules[place] ?? .framing } }
      // The length of a list that is empty.
      if stop == payload.count, stop - at == 1, payload[at] == 0 { rules[at] = rules[at] ?? .framing }
      at = stop + 1
    }
    return rules
  }
}

/// What the names and units of profiles' numbers tell of them; each is looked at once.
package final class FieldNames {
  struct Traits {
    /// The number measures a person, or lets somebody in.
    var isPersonal: Bool
    /// It belongs to the framing, or to what the device does.
    var isStructural: Bool
  }
  private var traits: [String: Traits] = [:]
  private var units: [[UInt8]: Bool] = [:]
  /// Names may come out of a capture: so many are remembered.
  private static let most = 8192

  package init() {}

  /// Whether a field of a profile that is no secret stays whatever its value: it is a flag or an enumeration, or a number that tells nothing of a
  /// person: it has a unit that measures things, or few bytes, or a name of framing. An element of a list has the name of the list.
  package func isHarmless(_ field: FieldContext, _ value: Profiles.FieldValue, _ name: String) -> Bool {
    let count = field.range.count
    switch value {
    case .text, .bytes: return false
    case .bool, .enumeration: return count <= 8
    case .int, .uint, .double, .null: break
    }
    let traits = traits(name)
    if traits.isPersonal { return false }
    if !field.unit.isEmpty { return count <= 4 && !isPersonal(unit: field.unit) }
    // Plain numbers in a row are bytes, whatever they mean.
    if field.name.isEmpty { return false }
    return count <= 2 || count <= 4 && (field.isHidden || traits.isStructural)
  }

  func traits(_ name: String) -> Traits {
    if let known = traits[name] { return known }
    let words = name.split { $0 == "_" || $0 == "-" }
    let new = Traits(
      isPersonal: words.contains { Self.personal.contains(String($0)) }, isStructural: Self.structural.contains { name.contains($0) })
    if traits.count < Self.most { traits[name] = new }
    return new
  }

  func isPersonal(unit: FieldText) -> Bool {
    let bytes = unsafe Array(unit.bytes)
    if let known = units[bytes] { return known }
    let new = Harmless.isPersonal(unit: bytes)
    if units.count < Self.most { units[bytes] = new }
    return new
  }

  private static let personal: Set<String> = [
    "latitude", "longitude", "weight", "height", "age", "birth", "gender", "pin", "password", "passkey", "heart", "glucose", "lat", "lon",
    "user",
  ]
  private static let structural = [
    "len", "size", "count", "crc", "check", "seq", "offset", "flag", "mask", "time", "duration", "interval", "version", "magic", "type",
    "command", "opcode", "index", "status", "total", "capacity", "cycle",
  ]
}
