@_spi(Pipeline) import Profiles

/// Decides which bytes of a profile's message stay: numbers, enumerations, and the structure around them. Texts, bytes, numbers that measure
/// a person and what the profile marks as secret do not.
struct MessageJudge: Profiles.FieldVisitor {
  /// A field, and what is done with it.
  struct Judged {
    var range: Range<Int>
    /// Nil where it does not stay.
    var rule: Rule?
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
  private let isKept: (String) -> Bool
  private let payload: [UInt8]
  private var form: (kind: EmbeddedForm, range: Range<Int>)?
  /// The names of the open objects and lists.
  private var path: [String] = []
  private var secretDepth = Int.max

  /// `isKept` says which fields the user wants to stay, by the profile's name and theirs.
  init(_ profile: String, _ payload: [UInt8], isShipped: Bool, keepsValues: Bool, isKept: @escaping (String) -> Bool) {
    self.profile = profile
    self.payload = payload
    self.isShipped = isShipped
    self.keepsValues = keepsValues
    self.isKept = isKept
  }

  mutating func embedded(_ form: EmbeddedForm, in range: Range<Int>) {
    self.form = (form, range)
    structures.append(range)
  }

  mutating func leaf(_ field: FieldContext, _ value: Profiles.FieldValue) {
    guard !field.range.isEmpty, field.range.upperBound <= payload.count else { return }
    let isElement = field.name.isEmpty
    let name = isElement ? path.last ?? "" : field.name.string
    let inside = form.flatMap {
      $0.range.lowerBound <= field.range.lowerBound && field.range.upperBound <= $0.range.upperBound ? $0.kind : nil
    }
    var judged = Judged(range: field.range, rule: nil, name: "\(profile).\(name)", kind: .value, form: inside)
    let isSecret = field.isSecret || path.count > secretDepth
    let unit = unsafe Array(field.unit.bytes)
    switch value {
    case .text(let text):
      judged.kind = isSecret ? .password : .text
      judged.range = contents(field.range, text.count, inside)
    case .bytes(let bytes):
      judged.kind = isSecret ? field.range.count > 4 ? .key : .passkey : .value
      judged.range = contents(field.range, bytes.count, inside)
      // What a profile hides in a few bytes is a mark of its framing.
      if isShipped, field.isHidden, field.range.count <= 4 { judged.rule = .framing }
    case .bool, .enumeration: judged.rule = field.range.count <= 8 ? .profile : nil
    case .int, .uint, .double, .null:
      judged.isNumber = true
      if Self.isHarmless(name, unit, field.range.count, isElement: isElement, isHidden: field.isHidden) { judged.rule = .profile }
    }
    if judged.rule == nil, keepsValues { judged.rule = .option }
    if isSecret {
      judged.rule = nil
      if judged.kind == .value { judged.kind = .passkey }
    }
    if isKept(judged.name) { judged.rule = .option }
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

  /// A number tells nothing of a person: it has a unit that measures things, or few bytes, or a name of framing.
  private static func isHarmless(_ name: String, _ unit: [UInt8], _ count: Int, isElement: Bool, isHidden: Bool) -> Bool {
    let words = name.split { $0 == "_" || $0 == "-" }
    if Harmless.isPersonal(unit: unit) || words.contains(where: { personal.contains(String($0)) }) { return false }
    if !unit.isEmpty { return count <= 4 }
    // Plain numbers in a row are bytes, whatever they mean.
    if isElement { return false }
    return count <= 2 || count <= 4 && (isHidden || structural.contains { name.contains($0) })
  }

  private static let personal: Set<String> = [
    "latitude", "longitude", "weight", "height", "age", "birth", "gender", "pin", "password", "passkey", "heart", "glucose", "lat", "lon",
    "user",
  ]
  private static let structural = [
    "len", "size", "count", "crc", "check", "seq", "offset", "flag", "mask", "time", "duration", "interval", "version", "magic", "type",
    "command", "opcode", "index", "status", "total", "capacity", "cycle",
  ]

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
      at = stop + 1
    }
    return rules
  }
}
