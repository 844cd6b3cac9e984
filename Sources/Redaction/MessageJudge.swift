@_spi(Pipeline) import Profiles

/// Decides which bytes of a profile's message are kept: numbers, enumerations, and the structure around them. Texts, bytes, numbers that measure
/// a person, and secrets of the profile are replaced. One instance judges all messages, one after the other.
final class MessageJudge: MessageFieldVisitor {
  /// A field and its treatment.
  struct Judged {
    var range: Range<Int>
    /// The rule that keeps it; nil where it is replaced.
    var rule: Rule?
    /// The number of its name in ``FieldNames``.
    var name: Int
    var kind: ExposureKind
    /// The self-describing format that it lies in, such as JSON or protobuf; nil where it lies in none.
    var format: EmbeddedFormat.Kind?
    var isNumber = false
    /// It is a boolean of JSON, which is written as a word.
    var isBoolean = false
    /// It is computed over other bytes.
    var isCheck = false
    /// It may contain markers of the framing: bytes that the profile hides, or a byte that is no number of a person.
    var mayHaveMarkers = false
    /// The user wants to keep it.
    var isWanted = false
    /// It is an element of a list.
    var isElement = false
    /// The profile says that it is a secret.
    var isSecret = false
    /// It is the name of a person or a thing.
    var isName = false
    /// It lies in a list, which may be as long as the message.
    var isListed = false
    /// The standard does not define its value, or reserves it as zero: the message may be something else.
    var isUndefined = false
    /// It is the sign of an adjacent number.
    var isSign = false
    /// The type and byte order of the advertiser's address, where the field is that address.
    var advertiserAddress: MessageProof.AdvertiserAddress?
    /// It was joined from consecutive fields of one byte each with one name: it is one text, or one number.
    var isRun = false
    /// For a field that does not consist of full bytes: the number of its bytes, and its bits in the first and in the last.
    var bitBytes = 0
    var firstBits: UInt8 = 0xFF
    var lastBits: UInt8 = 0xFF

    /// It does not consist of full bytes.
    var hasBits: Bool { bitBytes > 0 }

    /// The bits of the field in one of its bytes.
    func bits(_ number: Int) -> UInt8 { (number == 0 ? firstBits : 0xFF) & (number == bitBytes - 1 ? lastBits : 0xFF) }
  }
  private(set) var fields: [Judged] = []
  /// The fields as ``resolveSharedBytes()`` builds them anew.
  private var rebuilt: [Judged] = []
  private var pieces: [Judged] = []
  /// Bits that are replaced by zeros, as other bits of their byte are kept.
  private(set) var clearedBits: [(at: Int, mask: UInt8, field: Judged)] = []
  /// Ranges in self-describing formats: bytes between their fields are structure.
  private var structures: [(format: EmbeddedFormat.Kind, range: Range<Int>)] = []
  /// Ranges of objects in such formats.
  private var objects: Set<Range<Int>> = []
  /// Names of members that are kept.
  private(set) var memberNames: [Range<Int>] = []
  /// A part of the message could not be decoded.
  private(set) var hasProblem = false
  /// Whether bytes are a replacement, for a pass that only checks; nil in a pass that writes.
  var isReplaced: (([UInt8]) -> Bool)?
  /// The message is incomplete, or its checksum is wrong: it may not be a message of the profile.
  private(set) var isDoubtful = false
  /// It is the value of an attribute of the Bluetooth SIG, whose valid values are defined.
  private var isStandard = false
  /// Its checksum is right: it is a message of the profile.
  private var isProven = false
  /// It has a field of at least ``shortestConstant`` bytes that are the same in all messages.
  private(set) var hasConstant = false
  /// It is the response to a request.
  private var isResponse = false
  /// The evidence that advertised data are a message of the profile.
  private(set) var proof = MessageProof()
  /// A field is the sign of a number.
  private var hasSigns = false
  /// An enumeration of full bytes has no name for its value: the message may be something else.
  private var hasUnknownWord = false
  /// The numbers of the open object that are the minimum, the typical value or the maximum of a range.
  private var bounds: [(bound: Int, number: Double)] = []
  /// It is no valid standard value: the ends of a range are in the wrong order, or there are bytes behind the last field.
  private var isOther = false

  /// The profile is one of btscribe's own.
  private(set) var isShipped = false
  /// Everything except secrets is kept.
  private var keepsValues = false
  private var profile = ""
  private let keptFields: Set<String>
  private let names: FieldNames
  /// Number of bytes of the start marker of the message.
  private var startMarkerCount = 0
  private var payload: [UInt8] = []
  /// For each byte the rule that keeps it; nil where it is replaced.
  private(set) var stays: [Rule?] = []
  /// For each byte whether it belongs to a field.
  private(set) var isClaimed: [Bool] = []
  /// Indices in ``fields``, of some of them, mostly sorted by position.
  private var order: [Int] = []
  /// Scratch, one entry for each byte of the payload: bits that are kept or cleared, or whether the byte was counted.
  private var bytes: [UInt8] = []
  private var format: (kind: EmbeddedFormat.Kind, range: Range<Int>)?
  /// The names of the open objects and lists, by their numbers.
  private var path: [Int] = []
  private var secretDepth = Int.max
  /// The properties of the message's source and their traits, and the traits that fields inherit from the open objects.
  private(set) var origin: FieldOrigin
  private var source = FieldNames.Traits()
  private var around = [FieldNames.Traits()]
  /// The profile's `-personal` keys that fields inherit from the open objects; nil where it has none.
  private var personal: [Bool?] = [nil]
  /// In an advertised message: the range of the innermost open object that is an element of a list, the number of objects open around it, and
  /// whether it has its own length.
  private var element = (range: 0..<0, depth: -1, isLed: false)
  /// A field that the profile needs for parsing was replaced: the message does not decode as before.
  private(set) var losesStructure = false
  /// Number of objects open around the bytes of a number of variable length that the profile needs for parsing, such as a length of one to five
  /// bytes: an object that consists of one list.
  private var structuralDepth = Int.max
  private var lengthRange: Range<Int>?
  /// Number of objects open around the outermost list.
  private var listDepth = Int.max
  /// Maximum size of constants: markers of the framing, and texts and bytes that a profile marks as not personal. In a response the latter may be
  /// longer (``longestConstantInResponse``).
  private static let longestConstant = 8
  /// Fewer bytes may be equal by chance.
  private static let shortestConstant = 2
  private static let longestConstantInResponse = 16
  /// Maximum size of a number of variable length.
  private static let longestNumber = 5

  /// `keptFields` are the fields that the user wants to keep, by the names of profile and field; `addresses` are those of the capture.
  init(_ names: FieldNames, keptFields: Set<String>, addresses: AddressParts) {
    self.names = names
    proof.known = addresses
    self.keptFields = keptFields
    origin = FieldOrigin(traits: FieldNames.Traits(), structure: ProfileStructure())
  }

  /// Begins a message. `isSecret`: the values of its attribute are names, keys or identities; `isDoubtful`: it is incomplete, or its
  /// checksum is wrong.
  func begin(
    _ profile: CompiledProfile, source: String, _ payload: [UInt8], isShipped: Bool, keepsValues: Bool, isSecret: Bool, isDoubtful: Bool,
    isStandard: Bool, isProven: Bool, isResponse: Bool, startMarkerCount: Int, advertiser: UInt64?
  ) {
    fields.removeAll(keepingCapacity: true)
    clearedBits.removeAll(keepingCapacity: true)
    structures.removeAll(keepingCapacity: true)
    if !objects.isEmpty { objects.removeAll() }
    memberNames.removeAll(keepingCapacity: true)
    hasProblem = false
    hasConstant = false
    format = nil
    path.removeAll(keepingCapacity: true)
    secretDepth = .max
    around.removeAll(keepingCapacity: true)
    around.append(FieldNames.Traits())
    personal.removeAll(keepingCapacity: true)
    personal.append(nil)
    losesStructure = false
    structuralDepth = .max
    lengthRange = nil
    listDepth = .max
    element = (0..<0, -1, false)
    self.isDoubtful = isDoubtful
    self.isStandard = isStandard
    self.isProven = isProven
    self.isResponse = isResponse
    proof.begin(advertiser: advertiser)
    if !bounds.isEmpty { bounds.removeAll(keepingCapacity: true) }
    isOther = false
    hasSigns = false
    hasUnknownWord = false
    self.startMarkerCount = startMarkerCount
    self.profile = profile.id
    origin = names.origin(source, of: profile)
    self.source = origin.traits
    // The values of such an attribute identify somebody: only the structure is kept.
    if isSecret { self.source.isPersonal = true }
    self.payload = payload
    self.isShipped = isShipped
    self.keepsValues = keepsValues && !isSecret
  }

  /// A part of it has a self-describing format, such as JSON.
  var isWritten: Bool { !structures.isEmpty }

  /// No field is text or bytes, and no part has a self-describing format.
  var isOfNumbers: Bool { structures.isEmpty && !fields.isEmpty && fields.allSatisfy(\.isNumber) }

  /// The name of a field behind that of its profile.
  func title(_ field: Judged) -> String { "\(profile).\(names[field.name])" }

  static var visitsEachPart: Bool { true }

  func embedded(_ format: EmbeddedFormat.Kind, in range: Range<Int>) {
    self.format = (format, range)
    structures.append((format, range))
  }

  func leaf(_ field: FieldContext, _ value: MessageFieldValue) {
    guard !field.range.isEmpty, field.range.upperBound <= payload.count else { return }
    let name = number(field)
    let inside = format.flatMap {
      $0.range.lowerBound <= field.range.lowerBound && field.range.upperBound <= $0.range.upperBound ? $0.kind : nil
    }
    let traits = names.traits(name)
    let roles = origin.roles(name, names)
    var judged = Judged(range: field.range, rule: nil, name: name, kind: .value, format: inside)
    judged.isElement = field.name.isEmpty
    judged.isListed = listDepth < .max
    let isSecret = field.isSecret || path.count > secretDepth || roles.contains(.secretPart)
    switch value {
    case .text:
      judged.kind = isSecret || traits.isPassword ? .password : .text
      judged.isSecret = isSecret
      judged.isName = traits.isName
      judged.range = contents(field.range, inside)
      // A text that is only a line end or a NUL.
      if field.range.count == 1, [0, 0x0A, 0x0D].contains(payload[field.range.lowerBound]) { judged.rule = .framing }
      // A text that is the same in all messages is a marker of the framing.
      if field.isFixed, isShipped, inside == nil, field.range.count <= Self.longestConstant { judged.rule = .framing }
      // Hidden bytes may be typed as text, such as UUIDs and addresses.
      judged.mayHaveMarkers = field.isHidden
      if inside == nil, !isSecret { setAdvertiserAddress(&judged) }
    case .bytes:
      judged.kind = isSecret ? field.range.count > 4 ? .key : .passkey : .value
      judged.range = contents(field.range, inside)
      // Bytes that are the same in all messages are a marker of the framing.
      if field.isFixed, field.range.count <= Self.longestConstant { judged.rule = .framing }
      judged.mayHaveMarkers = field.isHidden
      if inside == nil, !isSecret { setAdvertiserAddress(&judged) }
    case .bool, .enumeration:
      // JSON writes booleans as words.
      if case .bool = value { judged.isBoolean = inside == .json }
      judged.isNumber = !judged.isBoolean
      setBits(&judged, of: field)
    case .int, .uint, .double, .null:
      judged.isNumber = true
      judged.isCheck = traits.isCheck && !field.isFixed
      if field.isFixed, isShipped, inside == nil, field.range.count <= Self.longestConstant { judged.rule = .framing }
      setBits(&judged, of: field)
    }
    if field.isFixed, field.range.count >= Self.shortestConstant { hasConstant = true }
    if path.count == element.depth, judged.isNumber, traits.isLength, roles.contains(.structure) { element.isLed = true }
    var isPersonal = field.isPersonal ?? personal[personal.count - 1]
    if isPersonal == nil, field.isTime { isPersonal = if case .null = value { nil } else { true } }
    let around = around[around.count - 1]
    let isOfPerson = traits.isPersonal || around.isPersonal || source.isPersonal
    if judged.isNumber, field.range.count == 1, !judged.hasBits {
      // An enumeration may be the type of the message, even in an object about a person.
      let isWord = if case .enumeration = value { true } else { false }
      judged.mayHaveMarkers = (!isOfPerson || isWord) && isPersonal != true
    }
    if isSecret { judged.mayHaveMarkers = false }
    if names.isHarmless(field, value, traits, around, isPersonal, source: source, roles) { judged.rule = .profile }
    if isStandard {
      judged.isUndefined = !isDefined(value, traits)
      if traits.bound != 0, let number = Self.number(value) { take(traits.bound, number) }
    }
    if traits.isSign {
      judged.isSign = true
      hasSigns = true
    }
    // A user's profile is not reviewed: its numbers are kept only if they measure things, belong to the framing, or have a named value.
    if judged.rule == .profile, !isShipped, isPersonal != false, judged.isNumber, !names.identifies(field, value, traits, roles) {
      judged.rule = nil
    }
    // Texts and bytes that a shipped profile marks as not personal: versions, commands.
    switch value {
    case .text, .bytes:
      if isPersonal == false, isShipped, inside == nil, isShortConstant(field.range, value) { judged.rule = .profile }
    default: break
    }
    // A wide number that is shown as a boolean may have values other than 0 and 1.
    if case .bool = value, inside != .json, field.range.count > 2 { judged.rule = nil }
    let isLengthPart = judged.isNumber && judged.hasBits && path.count > structuralDepth && isPersonal != true
    if judged.rule == nil, isLengthPart { judged.rule = .profile }
    // A number from -24 to 23 under the name of a result is a result code; others may be personal.
    if traits.isResult, inside == .cbor || inside == .json, isPersonal != true, let isCode = Self.isCode(value) {
      if judged.rule == nil, isCode { judged.rule = .profile }
      if judged.rule == .profile, isOfPerson, !isCode { judged.rule = nil }
    }
    // ``keepsValues`` does not keep names of people and of networks.
    let isName = isPersonal == true && !judged.isNumber && !judged.isBoolean
    if judged.rule == nil, keepsValues, !isName { judged.rule = .option }
    if isSecret {
      judged.rule = nil
      if judged.kind == .value { judged.kind = .passkey }
    }
    if !keptFields.isEmpty, keptFields.contains(title(judged)) { (judged.rule, judged.isWanted) = (.option, true) }
    if judged.rule == nil, !judged.isCheck, !field.name.isEmpty, roles.contains(.structure) { losesStructure = true }
    // A replaced value is no evidence for a reader of the redacted capture.
    if case .enumeration(let word, _) = value {
      proof.take(hasWord: !word.isEmpty, stays: judged.rule != nil, field)
      if word.isEmpty, !judged.hasBits { hasUnknownWord = true }
    }
    if field.isFixed, judged.rule != nil { proof.takeFixed(field.range.count) }
    fields.append(judged)
  }

  /// Whether texts or bytes are short enough to be kept where the profile marks them as not personal. Bytes that contain a text are not.
  private func isShortConstant(_ range: Range<Int>, _ value: MessageFieldValue) -> Bool {
    guard range.count <= (isResponse ? Self.longestConstantInResponse : Self.longestConstant) else { return false }
    if case .text = value { return range.count <= Self.longestConstant }
    return !TextRuns.isIn(payload, range, fewest: range.count > Self.longestConstant ? Self.longestWord + 2 : Self.longestWord)
  }

  /// Whether a number may be a result code; nil where the value is no number.
  private static func isCode(_ value: MessageFieldValue) -> Bool? {
    switch value {
    case .int(let number): -24..<24 ~= number
    case .uint(let number): number < 24
    case .double: false
    default: nil
    }
  }

  private static func number(_ value: MessageFieldValue) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .double(let number, _): number.isFinite ? number : nil
    default: nil
    }
  }

  /// Takes an end of a range, and notes where the minimum is larger than the maximum.
  private func take(_ bound: Int, _ number: Double) {
    for known in bounds where known.bound | 3 == bound | 3 {
      if known.bound < bound && known.number > number || bound < known.bound && number > known.number { isOther = true }
    }
    bounds.append((bound, number))
  }

  /// Whether a standard defines the value of a field: an enumeration has a name for it, a reserved field is zero.
  private func isDefined(_ value: MessageFieldValue, _ traits: FieldNames.Traits) -> Bool {
    switch value {
    case .enumeration(let word, _): !word.isEmpty
    case .int(0), .uint(0), .bool(false), .null: true
    case .bytes(let bytes): !traits.isReserved || bytes.allSatisfy { $0 == 0 }
    default: !traits.isReserved
    }
  }

  /// Notes whether a field is the address of the advertiser.
  private func setAdvertiserAddress(_ judged: inout Judged) {
    judged.advertiserAddress = proof.advertiserAddress(payload, judged.range)
    if judged.advertiserAddress != nil { judged.kind = .address }
  }

  /// Notes the bits of a field in its bytes, where it does not consist of full bytes.
  private func setBits(_ judged: inout Judged, of field: FieldContext) {
    let start = field.startBit & 7
    let end = field.endBit & 7
    guard start > 0 || end > 0 else { return }
    judged.bitBytes = field.range.count
    if field.takesLowBitsFirst {
      judged.firstBits = 0xFF << UInt8(start)
      if end > 0 { judged.lastBits = 0xFF >> UInt8(8 - end) }
    } else {
      judged.firstBits = 0xFF >> UInt8(start)
      if end > 0 { judged.lastBits = 0xFF << UInt8(8 - end) }
    }
  }

  /// The range of a text without its quotation marks.
  private func contents(_ range: Range<Int>, _ format: EmbeddedFormat.Kind?) -> Range<Int> {
    let isQuoted = format == .json && range.count >= 2 && payload[range.lowerBound] == UInt8(ascii: "\"")
    return isQuoted ? range.lowerBound + 1..<range.upperBound - 1 : range
  }

  /// Whether a byte of the payload is a part of JSON.
  func isJSON(_ offset: Int) -> Bool { structures.contains { $0.format == .json && $0.range.contains(offset) } }

  func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool {
    if !bounds.isEmpty { bounds.removeAll(keepingCapacity: true) }
    if field.isSecret { secretDepth = min(secretDepth, path.count) }
    if format != nil { objects.insert(field.range) }
    let name = number(field)
    path.append(name)
    if !isArray {
      let isFound = field.range.count <= Self.longestNumber && origin.roles(name, names).contains(.structure)
      lengthRange = isFound ? field.range : nil
    } else if let lengthRange, lengthRange == field.range, !lengthRange.isEmpty {
      structuralDepth = min(structuralDepth, path.count - 1)
    }
    if isArray { listDepth = min(listDepth, path.count - 1) }
    if !isArray, field.name.isEmpty, proof.isAdvertised { element = (field.range, path.count, false) }
    around.append(around[around.count - 1].inside(names.traits(name)))
    personal.append(field.isPersonal ?? personal[personal.count - 1])
    return true
  }

  /// The number of a field's name; an element of a list has that of the list.
  private func number(_ field: FieldContext) -> Int { field.name.isEmpty ? path.last ?? 0 : names.number(field.name) }

  func close(isArray: Bool) {
    if !bounds.isEmpty { bounds.removeAll(keepingCapacity: true) }
    if path.count == element.depth {
      if element.isLed { proof.takeObject(element.range) }
      element.depth = -1
    }
    _ = path.popLast()
    if around.count > 1 { around.removeLast() }
    if personal.count > 1 { personal.removeLast() }
    if path.count <= secretDepth { secretDepth = .max }
    if path.count <= structuralDepth { structuralDepth = .max }
    if path.count <= listDepth { listDepth = .max }
  }

  func problem(_ text: String) { hasProblem = true }

  // MARK: The new payload

  /// Decides which bytes are kept. Bytes without a field are kept only where they are the structure of JSON, CBOR, protobuf or CSV, or as short as
  /// a length.
  func rule() {
    stays.removeAll(keepingCapacity: true)
    stays.append(contentsOf: repeatElement(nil, count: payload.count))
    isClaimed.removeAll(keepingCapacity: true)
    isClaimed.append(contentsOf: repeatElement(false, count: payload.count))
    if isStandard, !isOther, (fields.reduce(0) { max($0, $1.range.upperBound) }) < payload.count { isOther = true }
    limitListedBits()
    restrictDoubtfulMessage()
    replaceTextInNumbers()
    if proof.isAdvertised { replaceAddressParts() }
    if hasSigns { replaceSigns() }
    splitOffMarkers()
    resolveSharedBytes()
    joinRuns()
    for field in fields { for at in field.range { isClaimed[at] = true } }
    if !hasProblem, !structures.isEmpty {
      var structure = EmbeddedStructure(payload, isClaimed: isClaimed, objects: objects)
      for (format, range) in structures { structure.find(format, in: range) }
      for range in structure.ranges { for at in range { stays[at] = .framing } }
      memberNames = structure.names
    }
    var hasReplaced = false
    for field in fields {
      guard let rule = field.rule else {
        hasReplaced = true
        continue
      }
      for at in field.range { stays[at] = rule }
    }
    if hasReplaced { for field in fields where field.rule == nil { for at in field.range { stays[at] = nil } } }
    for compared in origin.structure.comparedBytes
    where compared.at < payload.count && payload[compared.at] == compared.value && !isClaimed[compared.at] {
      stays[compared.at] = .framing
    }
    for at in 0..<min(startMarkerCount, payload.count) where !isClaimed[at] { stays[at] = .framing }
    for cleared in clearedBits { stays[cleared.at] = .profile }
    // In a shipped profile one or two bytes before a field are its length or its type.
    if !structures.isEmpty {
      clearBytes()
      for (_, range) in structures { for at in range.clamped(to: payload.indices) { bytes[at] = 1 } }
    }
    func isKnown(_ at: Int) -> Bool { isClaimed[at] || !structures.isEmpty && bytes[at] != 0 }
    var at = 0
    while !hasProblem, at < payload.count {
      var stop = at
      while stop < payload.count, !isKnown(stop) { stop += 1 }
      if stop == at {
        at += 1
        continue
      }
      let isFraming = isShipped && !isStandard || isLength(at..<stop)
      if stop - at <= 2, stop < payload.count, isFraming { for index in at..<stop { stays[index] = stays[index] ?? .framing } }
      // The length of an empty list, and line ends without text.
      if isShipped, stop == payload.count, stop - at <= 2, payload[at..<stop].allSatisfy({ $0 == 0x0D || $0 == 0x0A || $0 == 0 }) {
        for index in at..<stop { stays[index] = stays[index] ?? .framing }
      }
      at = stop + 1
    }
    // A checksum reveals something about the bytes that it is computed over: this message, or a file where it has more than two bytes.
    let isReplaced = stays.contains { $0 == nil } || !clearedBits.isEmpty
    for index in fields.indices where fields[index].isCheck && fields[index].rule != nil && !fields[index].isWanted {
      guard isReplaced || (fields[index].range.count > 2 || !isShipped) && !keepsValues else { continue }
      fields[index].rule = nil
      for at in fields[index].range { stays[at] = nil }
    }
  }

  private func clearBytes() {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: repeatElement(0, count: payload.count))
  }

  /// The bits that are cleared in each byte of the payload.
  func clearedMasks() -> [UInt8] {
    clearBytes()
    for bits in clearedBits { bytes[bits.at] |= bits.mask }
    return bytes
  }

  /// Whether one or two bytes are the length of the field behind them.
  private func isLength(_ range: Range<Int>) -> Bool {
    guard (1...2).contains(range.count), let field = fields.first(where: { $0.range.lowerBound == range.upperBound }) else { return false }
    let (first, last) = (Int(payload[range.lowerBound]), Int(payload[range.upperBound - 1]))
    let lengths = range.count == 1 ? [first] : [first << 8 | last, last << 8 | first]
    return lengths.contains(field.range.count)
  }

  /// Where a message could not be decoded to its end, is incomplete, has a wrong checksum, or is no valid standard value, it may not be a message of
  /// the profile: only fields needed for parsing are kept, and constants of up to two bytes, as longer ones may be the bytes that did not match.
  private func restrictDoubtfulMessage() {
    let isOther = !keepsValues && (isStandard ? isOther || isOfNoStandard : hasRest)
    guard hasProblem || isDoubtful || isOther else { return }
    for index in fields.indices where !fields[index].isWanted {
      switch fields[index].rule {
      case .framing? where fields[index].range.count > 2 && hasProblem: fields[index].rule = nil
      case .profile?:
        let isFraming = !isStandard && names.traits(fields[index].name).isFraming && fields[index].range.count <= 2
        let isFound = isFound(fields[index]) && (!isOther || fields[index].range.count < Redaction.fewestKept)
        if fields[index].isElement || !isFound && !isFraming { fields[index].rule = nil }
      default: continue
      }
    }
  }

  /// There are bytes behind the last field, other than padding and line ends, and nothing but the length and a byte or two shows what the message is.
  private var hasRest: Bool {
    guard isShipped, !isProven, !hasConstant, structures.isEmpty, startMarkerCount < Self.shortestConstant else { return false }
    let end = fields.reduce(0) { max($0, $1.range.upperBound) }
    guard end < payload.count, !payload[end...].allSatisfy({ [0, 0x0A, 0x0D, 0xFF].contains($0) }) else { return false }
    return origin.structure.comparedBytes.count { $0.at < payload.count && payload[$0.at] == $0.value } < Self.shortestConstant
  }

  /// The value of a standard attribute has an undefined field that would be kept, or its numbers read as a text: it may be anything. Replaced fields
  /// do not count, so that the result is the same when the output is redacted again.
  private var isOfNoStandard: Bool {
    if fields.contains(where: { $0.rule == .profile && $0.isUndefined }) { return true }
    var hasText = false
    forEachRun { _, range in
      hasText = TextRuns.isIn(payload, range, fewest: Self.longestWord)
      return !hasText
    }
    return hasText
  }

  /// Bits in a list have room for private data: they are kept only up to ``maxListedBits`` bytes, and in standard values fewer with one name.
  private func limitListedBits() {
    guard !keepsValues else { return }
    order.removeAll(keepingCapacity: true)
    for index in fields.indices where fields[index].isListed && fields[index].hasBits {
      if fields[index].rule == .profile, !fields[index].isWanted, !isFound(fields[index]) { order.append(index) }
    }
    guard !order.isEmpty else { return }
    var count = 0
    clearBytes()
    for index in order {
      for at in fields[index].range where bytes[at] == 0 {
        bytes[at] = 1
        count += 1
      }
    }
    guard count > Self.maxListedBits || isStandard && hasNamedBits else { return }
    for index in order { fields[index].rule = nil }
  }

  /// Those of the fields in ``order`` with one name have enough bytes to carry something private.
  private var hasNamedBits: Bool {
    var named: [Int: Set<Int>] = [:]
    for index in order { named[fields[index].name, default: []].formUnion(fields[index].range) }
    return named.values.contains { $0.count >= Redaction.fewestKept }
  }
  private static let maxListedBits = 4

  /// The profile needs a field for parsing.
  private func isFound(_ field: Judged) -> Bool { field.range.count <= 4 && origin.roles(field.name, names).contains(.structure) }

  /// Replaces a sign where the number beside it is replaced.
  private func replaceSigns() {
    // Where replaced numbers begin and end.
    let replaced = fields.filter { $0.isNumber && $0.rule == nil }
    var (starts, ends) = (Set(replaced.map(\.range.lowerBound)), Set(replaced.map(\.range.upperBound)))
    for index in fields.indices where fields[index].isSign && fields[index].rule == .profile && !fields[index].isWanted {
      let range = fields[index].range
      guard ends.contains(range.lowerBound) || starts.contains(range.upperBound) else { continue }
      fields[index].rule = nil
      if fields[index].isNumber {
        starts.insert(range.lowerBound)
        ends.insert(range.upperBound)
      }
    }
  }

  /// Replaces consecutive numbers that read as a text, in a user's profile, or in a message that may not be one of the profile. A message of a
  /// shipped profile without a checksum is recognised by its length and a few bytes only: there a long text is replaced, too.
  private func replaceTextInNumbers() {
    let isOpen = !isShipped || hasProblem || isDoubtful
    // The advertiser's address may be followed by anything.
    let isBrief = isOpen || (proof.hasAdvertiserAddress || hasUnknownWord && !proof.isAdvertised) && !isProven
    guard isBrief || !isProven && hasLongText else { return }
    forEachRun(ofAll: !isOpen) { numbers, range in
      var texts = TextRuns.all(in: payload, range, fewest: isBrief ? Self.longestWord + 1 : Self.shortestText)
      if !isOpen { texts += TextRuns.words(in: payload, range, fewest: Self.shortestText, alone: Self.shortestWord) }
      guard !texts.isEmpty else { return true }
      let positions = positions(of: numbers)
      for text in texts { for index in replaceableNumbers(positions, in: text) { fields[index].rule = nil } }
      return true
    }
    if !isOpen { replaceMixedText() }
  }

  /// Indices of fields, for a search by position: fields of up to ``maxShort`` bytes, sorted by their first byte, and all longer ones.
  private struct FieldPositions {
    var short: [Int] = []
    var long: [Int] = []
    static let maxShort = 64
  }

  private func positions(of numbers: some Sequence<Int>) -> FieldPositions {
    var positions = FieldPositions()
    for index in numbers {
      if fields[index].range.count <= FieldPositions.maxShort { positions.short.append(index) } else { positions.long.append(index) }
    }
    positions.short.sort { fields[$0].range.lowerBound < fields[$1].range.lowerBound }
    return positions
  }

  /// Those of the fields that overlap a text.
  private func overlapping(_ text: Range<Int>, _ positions: FieldPositions) -> [Int] {
    var (low, high) = (0, positions.short.count)
    while low < high {
      let middle = (low + high) / 2
      if fields[positions.short[middle]].range.lowerBound + FieldPositions.maxShort < text.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var found = positions.long.filter { fields[$0].range.overlaps(text) }
    while low < positions.short.count, case let index = positions.short[low], fields[index].range.lowerBound < text.upperBound {
      if fields[index].range.overlaps(text) { found.append(index) }
      low += 1
    }
    return found
  }

  /// Those of the numbers that are kept, overlap a text, and are not needed for parsing, or carry a part of the text although they are.
  private func replaceableNumbers(_ numbers: FieldPositions, in text: Range<Int>) -> [Int] {
    let inside = overlapping(text, numbers).filter { index in
      fields[index].rule == .profile && fields[index].isNumber && !fields[index].isWanted
    }
    let count = inside.reduce(0) { $0 + (isFound(fields[$1]) ? fields[$1].range.clamped(to: text).count : 0) }
    if count < Redaction.fewestKept { return inside.filter { !isFound(fields[$0]) } }
    // Of a list all elements are replaced, so that the same are found in the output.
    let listed = Set(inside.filter { fields[$0].isListed && isFound(fields[$0]) }.map { fields[$0].name })
    if listed.isEmpty { return inside }
    return inside
      + (numbers.short + numbers.long).filter { index in
        let field = fields[index]
        return field.isListed && field.rule == .profile && !field.isWanted && listed.contains(field.name)
      }
  }

  /// Replaces numbers with letters of a text that continues in text fields beside them, or in bytes that are text by themselves. Ciphertext, counters
  /// and tags, which read as letters by chance, and otherwise once they are replaced, are left out.
  private func replaceMixedText() {
    guard structures.isEmpty, fields.contains(where: { !$0.isNumber }) else { return }
    guard fields.contains(where: { $0.rule == .profile && $0.isNumber && !$0.isWanted }) else { return }
    var visible = payload
    for field in fields where !field.isNumber && field.kind != .text && field.kind != .password {
      if !Pseudonyms.readsAsText(Array(payload[field.range])) { for at in field.range { visible[at] = .max } }
    }
    let positions = positions(of: fields.indices)
    for text in TextRuns.all(in: visible, visible.indices, fewest: Self.shortestText) {
      let numbers = replaceableNumbers(positions, in: text)
      let count = numbers.reduce(0) { $0 + (fields[$1].hasBits ? 0 : fields[$1].range.clamped(to: text).count) }
      guard count >= Self.fewestInNumbers else { continue }
      // Replaced bytes read as letters by chance.
      let others = overlapping(text, positions).filter { fields[$0].rule == nil }
      if let isReplaced, !others.isEmpty, others.allSatisfy({ isReplaced(Array(payload[fields[$0].range])) }) { continue }
      for index in numbers { fields[index].rule = nil }
    }
  }
  /// One or two letters before a text may be its length.
  private static let fewestInNumbers = 3

  /// Replaces numbers that contain a part of an address. Bits become zeros: other values would be listed when the output is checked.
  private func replaceAddressParts() {
    let parts = proof.addressParts(payload)
    if parts.isEmpty { return }
    for index in fields.indices where fields[index].rule == .profile && fields[index].format == nil && !fields[index].isWanted {
      guard parts.contains(where: fields[index].range.overlaps) else { continue }
      guard fields[index].hasBits else {
        fields[index].rule = nil
        continue
      }
      for number in 0..<min(fields[index].range.count, fields[index].bitBytes) {
        clearedBits.append((fields[index].range.lowerBound + number, fields[index].bits(number), fields[index]))
      }
    }
  }

  /// Up to this many bytes read as a text by chance, and in a standard value fewer than this many letters.
  private static let longestWord = 4
  /// In messages of numbers alone, at least this many letters are a text, and this many a word or a number of digits alone.
  private static let shortestText = 8
  private static let shortestWord = 6

  /// The payload has room for such a text: ``shortestWord`` consecutive bytes that are no control characters, or are letters of two bytes each.
  private var hasLongText: Bool {
    guard payload.count >= Self.shortestWord else { return false }
    // A zero may be the high byte of a letter; two consecutive zeros are no letter.
    var run = 0
    var last: UInt8 = 0
    for byte in payload {
      run = byte >= 0x20 || byte == 0 && last != 0 ? run &+ 1 : 0
      last = byte
      if run == Self.shortestWord { return true }
    }
    return false
  }

  /// Calls `body` with each run of consecutive numbers that are kept, and its range, as long as it returns true. In a standard value bit fields
  /// belong to the run. With `isOfAll` numbers that are replaced, and bit fields, do as well.
  private func forEachRun(ofAll isOfAll: Bool = false, _ body: (_ numbers: ArraySlice<Int>, _ range: Range<Int>) -> Bool) {
    order.removeAll(keepingCapacity: true)
    for index in fields.indices where fields[index].format == nil {
      let field = fields[index]
      if isOfAll ? field.isNumber : field.rule == .profile && (isStandard || !field.hasBits) { order.append(index) }
    }
    sortOrder()
    let numbers = order
    var first = 0
    while first < numbers.count {
      var range = fields[numbers[first]].range
      var last = first
      while last + 1 < numbers.count, fields[numbers[last + 1]].range.lowerBound <= range.upperBound {
        last += 1
        range = range.lowerBound..<max(range.upperBound, fields[numbers[last]].range.upperBound)
      }
      if !body(numbers[first...last], range) { return }
      first = last + 1
    }
  }

  /// Sorts ``order`` by the positions of the fields. Mostly it is sorted already.
  private func sortOrder() {
    var isSorted = true
    var last = 0
    for index in order {
      isSorted = isSorted && last <= fields[index].range.lowerBound
      last = fields[index].range.lowerBound
    }
    if !isSorted { order.sort { fields[$0].range.lowerBound < fields[$1].range.lowerBound } }
  }

  private func mayHaveStartMarker(_ field: Judged) -> Bool {
    field.kind == .value || field.kind == .text || field.kind == .password && !field.isSecret
  }

  /// Splits start markers and compared bytes off from the fields that contain them.
  private func splitOffMarkers() {
    guard startMarkerCount > 0 || !origin.structure.comparedBytes.isEmpty else { return }
    let compared = origin.structure.comparedBytes.filter { $0.at < payload.count && payload[$0.at] == $0.value }.map(\.at)
    let markers = Set(compared).union(0..<startMarkerCount).sorted()
    guard !markers.isEmpty else { return }
    for index in fields.indices where fields[index].rule == nil && mayHaveStartMarker(fields[index]) {
      var rest = fields[index]
      // The start marker of a message is no part of a value, even where it belongs to a field.
      for at in markers where rest.range.contains(at) && (at < startMarkerCount || rest.mayHaveMarkers) {
        var marker = rest
        (marker.range, marker.rule) = (at..<at + 1, .framing)
        var before = rest
        before.range = rest.range.lowerBound..<at
        rest.range = at + 1..<rest.range.upperBound
        fields.append(marker)
        if !before.range.isEmpty { fields.append(before) }
      }
      fields[index] = rest
    }
    fields.removeAll { $0.range.isEmpty }
  }

  /// Resolves fields that share a byte: bits there are kept or cleared one by one, and replaced fields that overlap are joined.
  private func resolveSharedBytes() {
    guard fields.contains(where: { $0.hasBits && $0.rule == nil }) else { return }
    clearBytes()
    for field in fields where field.hasBits && field.rule != nil {
      for number in 0..<min(field.range.count, field.bitBytes) { bytes[field.range.lowerBound + number] |= field.bits(number) }
    }
    rebuilt.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    for field in fields {
      guard field.hasBits, field.rule == nil else {
        rebuilt.append(field)
        continue
      }
      var piece = field
      var start = field.range.lowerBound
      for number in 0..<min(field.range.count, field.bitBytes) {
        let at = field.range.lowerBound + number
        guard bytes[at] != 0 else { continue }
        // Bits of several fields are kept where one of these is kept.
        let cleared = field.bits(number) & ~bytes[at]
        if cleared != 0 { clearedBits.append((at, cleared, field)) }
        if start < at {
          piece.range = start..<at
          pieces.append(piece)
        }
        start = at + 1
      }
      if start < field.range.upperBound {
        piece.range = start..<field.range.upperBound
        pieces.append(piece)
      }
    }
    pieces.sort { $0.range.lowerBound < $1.range.lowerBound }
    for piece in pieces {
      if let last = rebuilt.last, last.hasBits, last.rule == nil, last.range.overlaps(piece.range) {
        rebuilt[rebuilt.count - 1].range = last.range.lowerBound..<max(last.range.upperBound, piece.range.upperBound)
      } else {
        rebuilt.append(piece)
      }
    }
    swap(&fields, &rebuilt)
  }

  /// Joins consecutive fields of one byte each with one name: replaced one by one, equal letters would remain equal.
  private func joinRuns() {
    func isSingle(_ field: Judged) -> Bool {
      field.rule == nil && field.range.count == 1 && field.format == nil && !field.hasBits && !field.isCheck && !field.isWanted
    }
    order.removeAll(keepingCapacity: true)
    for index in fields.indices where isSingle(fields[index]) { order.append(index) }
    guard order.count > 1 else { return }
    sortOrder()
    let singles = order
    // A profile may have several fields over one byte: only fields with one name form a run.
    struct Key: Hashable {
      var name: Int
      var kind: ExposureKind
      var isNumber: Bool
    }
    var runs: [Key: Int] = [:]
    for index in singles {
      let judged = fields[index]
      let key = Key(name: judged.name, kind: judged.kind, isNumber: judged.isNumber)
      guard let first = runs[key], fields[first].range.upperBound == judged.range.lowerBound else {
        runs[key] = index
        continue
      }
      fields[first].range = fields[first].range.lowerBound..<judged.range.upperBound
      fields[first].isRun = true
      fields[index].range = judged.range.upperBound..<judged.range.upperBound
    }
    // Other fields over bytes of the longest run are left out: the run replaces these bytes.
    // Of several runs with this length the first, independent of the order in the dictionary.
    let longest = runs.values.map { fields[$0] }.filter(\.isRun)
      .max { ($0.range.count, $1.range.lowerBound, $1.name) < ($1.range.count, $0.range.lowerBound, $0.name) }
    if let longest {
      for index in singles where fields[index].name != longest.name || fields[index].kind != longest.kind {
        let range = fields[index].range
        if longest.range.lowerBound <= range.lowerBound, range.upperBound <= longest.range.upperBound {
          fields[index].range = range.upperBound..<range.upperBound
        }
      }
    }
    fields.removeAll { $0.range.isEmpty }
  }
}
