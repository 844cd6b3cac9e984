@_spi(Pipeline) import Profiles

/// Decides which bytes of a profile's message stay: numbers, enumerations, and the structure around them. Texts, bytes, numbers that measure
/// a person and what the profile marks as secret do not. One judges all messages, one after the other.
final class MessageJudge: MessageFieldVisitor {
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
    /// It is a boolean of JSON, which is written as a word.
    var isBoolean = false
    /// It is computed over other bytes.
    var isCheck = false
    /// Bytes that the profile hides, or a byte that is no number of a person: marks of the framing may be in it.
    var mayHaveMarks = false
    /// The user wants it to stay.
    var isWanted = false
    /// It is an element of a list.
    var isElement = false
    /// The profile says that it is a secret.
    var isSecret = false
    /// It is a name of somebody or something.
    var isName = false
    /// It lies in a list, which may be as long as the message.
    var isListed = false
    /// The standard does not know its value, or says that it is zero: the message may be anything.
    var isUndefined = false
    /// It says whether a number beside it is negative.
    var isSign = false
    /// It is the address of the device that advertises it: most significant byte first, or least.
    var ownAddress: MessageProof.OwnAddress?
    /// It was made of fields of one byte each that have one name and stand in a row: it is one text, or one number.
    var isRun = false
    /// Of a field that is not made of whole bytes: how many these are, and which bits of the first and of the last are its own.
    var bitBytes = 0
    var firstBits: UInt8 = 0xFF
    var lastBits: UInt8 = 0xFF

    /// It is not made of whole bytes.
    var hasBits: Bool { bitBytes > 0 }

    /// Which bits of one of its bytes are its own.
    func bits(_ number: Int) -> UInt8 { (number == 0 ? firstBits : 0xFF) & (number == bitBytes - 1 ? lastBits : 0xFF) }
  }
  private(set) var fields: [Judged] = []
  /// What becomes of the fields while those that share a byte are sorted out.
  private var settled: [Judged] = []
  private var pieces: [Judged] = []
  /// Bits that do not stay beside others in their byte that do; they become zeros.
  private(set) var clearedBits: [(at: Int, mask: UInt8, field: Judged)] = []
  /// Where bytes lie whose form says itself which fields they have: what lies between these is structure.
  private var structures: [(form: EmbeddedForm, range: Range<Int>)] = []
  /// Objects of such bytes.
  private var objects: Set<Range<Int>> = []
  /// Names of members that stay.
  private(set) var memberNames: [Range<Int>] = []
  /// Something could not be read.
  private(set) var hasProblem = false
  /// Whether bytes are what redaction makes of others, for who only judges what was written; nil for who writes.
  var isReplaced: (([UInt8]) -> Bool)?
  /// The message is not whole, or its checksum is wrong: it may be something else than the profile says.
  private(set) var isDoubtful = false
  /// It is the value of an attribute of the Bluetooth SIG: what such a value may say is known.
  private var isStandard = false
  /// Its checksum is right: it is a message of the profile.
  private var isProven = false
  /// It has bytes that are the same in all messages.
  private(set) var hasMark = false
  /// It answers a request.
  private var isResponse = false
  /// What shows that an advertised message is one.
  private(set) var proof = MessageProof()
  /// A field says whether a number is negative.
  private var hasSigns = false
  /// The numbers of the open object that are the ends of a range, or what is usual between them.
  private var bounds: [(bound: Int, number: Double)] = []
  /// Of a standard value the ends of a range are in the wrong order, or bytes stand behind its last field.
  private var isOther = false

  /// The profile is one of btscribe's own.
  private(set) var isShipped = false
  /// All but what is secret stays.
  private var keepsValues = false
  private var profile = ""
  private let keptFields: Set<String>
  private let names: FieldNames
  /// So many bytes mark the start of the message.
  private var startMark = 0
  private var payload: [UInt8] = []
  /// Which bytes stay, by rule; nil where they do not.
  private(set) var stays: [Rule?] = []
  /// Which bytes are a field's.
  private(set) var isClaimed: [Bool] = []
  /// The numbers of fields in an order, or of some of them.
  private var order: [Int] = []
  /// For each byte of the payload which bits stay, or whether it was counted.
  private var bytes: [UInt8] = []
  private var form: (kind: EmbeddedForm, range: Range<Int>)?
  /// The names of the open objects and lists, by their numbers.
  private var path: [Int] = []
  private var secretDepth = Int.max
  /// What is known of all that comes from the source, and what the names of the open objects say of what is in them.
  private(set) var origin: FieldOrigin
  private var source = FieldNames.Traits()
  private var around = [FieldNames.Traits()]
  /// What the profile says of the open objects.
  private var marks: [Bool?] = [nil]
  /// Of an advertised message where the innermost open object lies that is an element of a list, how many are open around it, and whether it says itself
  /// how long it is.
  private var element = (range: 0..<0, depth: -1, isLed: false)
  /// A field by which the profile finds its way was replaced: the message does not decode as before.
  private(set) var losesStructure = false
  /// How many objects are open around the bytes of a number of variable length by which the profile finds its way, such as a length of one to five
  /// bytes: an object that is all of it a list.
  private var structuralDepth = Int.max
  private var lengthRange: Range<Int>?
  /// How many objects are open around the outermost list.
  private var listDepth = Int.max
  /// Words and bytes that a profile says are nobody's are not longer, and not those of an answer.
  private static let longestMarked = 8
  /// A byte may be the same by chance.
  private static let shortestMark = 2
  private static let longestMarkedOfAnswer = 16
  /// No such number is longer.
  private static let longestNumber = 5

  /// `keptFields` are those that the user wants to stay, by the profile's name and theirs; `addresses` are the capture's.
  init(_ names: FieldNames, keptFields: Set<String>, addresses: AddressParts) {
    self.names = names
    proof.known = addresses
    self.keptFields = keptFields
    origin = FieldOrigin(traits: FieldNames.Traits(), structure: ProfileStructure())
  }

  /// Begins a message; `isSecret` says that the values of its attribute are names, keys or identities, `isDoubtful` that it is not whole or its
  /// checksum is wrong.
  func begin(
    _ profile: CompiledProfile, source: String, _ payload: [UInt8], isShipped: Bool, keepsValues: Bool, isSecret: Bool, isDoubtful: Bool,
    isStandard: Bool, isProven: Bool, isResponse: Bool, startMark: Int, advertiser: UInt64?
  ) {
    fields.removeAll(keepingCapacity: true)
    clearedBits.removeAll(keepingCapacity: true)
    structures.removeAll(keepingCapacity: true)
    if !objects.isEmpty { objects.removeAll() }
    memberNames.removeAll(keepingCapacity: true)
    hasProblem = false
    hasMark = false
    form = nil
    path.removeAll(keepingCapacity: true)
    secretDepth = .max
    around.removeAll(keepingCapacity: true)
    around.append(FieldNames.Traits())
    marks.removeAll(keepingCapacity: true)
    marks.append(nil)
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
    self.startMark = startMark
    self.profile = profile.id
    origin = names.origin(source, of: profile)
    self.source = origin.traits
    // All values of a source are those of an attribute that names somebody: only its structure stays.
    if isSecret { self.source.isPersonal = true }
    self.payload = payload
    self.isShipped = isShipped
    self.keepsValues = keepsValues && !isSecret
  }

  /// A part of it is JSON or the like, which says itself which fields it has.
  var isWritten: Bool { !structures.isEmpty }

  /// No field is text or bytes, and none is written as a text.
  var isOfNumbers: Bool { structures.isEmpty && !fields.isEmpty && fields.allSatisfy(\.isNumber) }

  /// The name of a field behind that of its profile.
  func title(_ field: Judged) -> String { "\(profile).\(names[field.name])" }

  static var visitsEachPart: Bool { true }

  func embedded(_ form: EmbeddedForm, in range: Range<Int>) {
    self.form = (form, range)
    structures.append((form, range))
  }

  func leaf(_ field: FieldContext, _ value: MessageFieldValue) {
    guard !field.range.isEmpty, field.range.upperBound <= payload.count else { return }
    let name = number(field)
    let inside = form.flatMap {
      $0.range.lowerBound <= field.range.lowerBound && field.range.upperBound <= $0.range.upperBound ? $0.kind : nil
    }
    let traits = names.traits(name)
    let marks = origin.marks(name, names)
    var judged = Judged(range: field.range, rule: nil, name: name, kind: .value, form: inside)
    judged.isElement = field.name.isEmpty
    judged.isListed = listDepth < .max
    let isSecret = field.isSecret || path.count > secretDepth || marks.contains(.secretPart)
    switch value {
    case .text:
      judged.kind = isSecret || traits.isPassword ? .password : .text
      judged.isSecret = isSecret
      judged.isName = traits.isName
      judged.range = contents(field.range, inside)
      // The end of a line, or of a text, that has no words.
      if field.range.count == 1, [0, 0x0A, 0x0D].contains(payload[field.range.lowerBound]) { judged.rule = .framing }
      // What is the same in all messages is a mark, as of bytes.
      if field.isFixed, isShipped, inside == nil, field.range.count <= Self.longestMarked { judged.rule = .framing }
      // Bytes may be shown as text: UUIDs, addresses.
      judged.mayHaveMarks = field.isHidden
      if inside == nil, !isSecret { setOwnAddress(&judged) }
    case .bytes:
      judged.kind = isSecret ? field.range.count > 4 ? .key : .passkey : .value
      judged.range = contents(field.range, inside)
      // What is the same in all messages is a mark of the framing.
      if field.isFixed, field.range.count <= Self.longestMarked { judged.rule = .framing }
      judged.mayHaveMarks = field.isHidden
      if inside == nil, !isSecret { setOwnAddress(&judged) }
    case .bool, .enumeration:
      // JSON writes booleans as words.
      if case .bool = value { judged.isBoolean = inside == .json }
      judged.isNumber = !judged.isBoolean
      setBits(&judged, of: field)
    case .int, .uint, .double, .null:
      judged.isNumber = true
      judged.isCheck = traits.isCheck && !field.isFixed
      if field.isFixed, isShipped, inside == nil, field.range.count <= Self.longestMarked { judged.rule = .framing }
      setBits(&judged, of: field)
    }
    if field.isFixed, field.range.count >= Self.shortestMark { hasMark = true }
    if path.count == element.depth, judged.isNumber, traits.isLength, marks.contains(.structure) { element.isLed = true }
    var isPersonal = field.isPersonal ?? self.marks[self.marks.count - 1]
    if isPersonal == nil, field.isTime { isPersonal = if case .null = value { nil } else { true } }
    let around = around[around.count - 1]
    let isOfPerson = traits.isPersonal || around.isPersonal || source.isPersonal
    if judged.isNumber, field.range.count == 1, !judged.hasBits {
      // A word among several says no more of a person than that the message is of its kind.
      let isWord = if case .enumeration = value { true } else { false }
      judged.mayHaveMarks = (!isOfPerson || isWord) && isPersonal != true
    }
    if isSecret { judged.mayHaveMarks = false }
    if names.isHarmless(field, value, traits, around, isPersonal, source: source, marks) { judged.rule = .profile }
    if isStandard {
      judged.isUndefined = !isDefined(value, traits)
      if traits.bound != 0, let number = Self.number(value) { take(traits.bound, number) }
    }
    if traits.isSign {
      judged.isSign = true
      hasSigns = true
    }
    // Nobody looked at somebody's own profile: of its numbers those stay that measure things, belong to the framing, or have a name in it.
    if judged.rule == .profile, !isShipped, isPersonal != false, judged.isNumber, !names.identifies(field, value, traits, marks) {
      judged.rule = nil
    }
    // Of words and bytes what a profile of btscribe's own says is nobody's: versions, commands.
    switch value {
    case .text, .bytes:
      if isPersonal == false, isShipped, inside == nil, isShortMark(field.range, value) { judged.rule = .profile }
    default: break
    }
    // A wide number that is shown as a boolean may be anything but 0 and 1.
    if case .bool = value, inside != .json, field.range.count > 2 { judged.rule = nil }
    let isLengthPart = judged.isNumber && judged.hasBits && path.count > structuralDepth && isPersonal != true
    if judged.rule == nil, isLengthPart { judged.rule = .profile }
    // A number from 0 to 23 under the name of a result says how something went, others may be a person's.
    if traits.isResult, inside == .cbor || inside == .json, isPersonal != true, let isCode = Self.isCode(value) {
      if judged.rule == nil, isCode { judged.rule = .profile }
      if judged.rule == .profile, isOfPerson, !isCode { judged.rule = nil }
    }
    // Who opens values does not open names: of people, and of networks.
    let isName = isPersonal == true && !judged.isNumber && !judged.isBoolean
    if judged.rule == nil, keepsValues, !isName { judged.rule = .option }
    if isSecret {
      judged.rule = nil
      if judged.kind == .value { judged.kind = .passkey }
    }
    if !keptFields.isEmpty, keptFields.contains(title(judged)) { (judged.rule, judged.isWanted) = (.option, true) }
    if judged.rule == nil, !judged.isCheck, !field.name.isEmpty, marks.contains(.structure) { losesStructure = true }
    // What does not stay proves nothing to who reads what was written.
    if case .enumeration(let word, _) = value { proof.take(hasWord: !word.isEmpty, stays: judged.rule != nil, field) }
    if field.isFixed, judged.rule != nil { proof.takeFixed(field.range.count) }
    fields.append(judged)
  }

  /// Whether words or bytes are short enough to stay where the profile says that they are nobody's. Bytes in which a text is are none of these.
  private func isShortMark(_ range: Range<Int>, _ value: MessageFieldValue) -> Bool {
    guard range.count <= (isResponse ? Self.longestMarkedOfAnswer : Self.longestMarked) else { return false }
    if case .text = value { return range.count <= Self.longestMarked }
    return !TextRuns.isIn(payload, range, fewest: range.count > Self.longestMarked ? Self.longestWord + 2 : Self.longestWord)
  }

  /// Whether a number may say how something went; nil for what is none.
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

  /// Takes an end of a range, which goes up from the least number to the largest.
  private func take(_ bound: Int, _ number: Double) {
    for known in bounds where known.bound | 3 == bound | 3 {
      if known.bound < bound && known.number > number || bound < known.bound && number > known.number { isOther = true }
    }
    bounds.append((bound, number))
  }

  /// Whether a standard defines a value of one of its fields: a word has a name, what is reserved is zero.
  private func isDefined(_ value: MessageFieldValue, _ traits: FieldNames.Traits) -> Bool {
    switch value {
    case .enumeration(let word, _): !word.isEmpty
    case .int(0), .uint(0), .bool(false), .null: true
    case .bytes(let bytes): !traits.isReserved || bytes.allSatisfy { $0 == 0 }
    default: !traits.isReserved
    }
  }

  /// Notes whether a field is the address of the device that advertises it.
  private func setOwnAddress(_ judged: inout Judged) {
    judged.ownAddress = proof.ownAddress(payload, judged.range)
    if judged.ownAddress != nil { judged.kind = .address }
  }

  /// Notes which bits of its bytes are a field's, where not all are.
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

  /// Where the contents lie of a text whose range has quotation marks too.
  private func contents(_ range: Range<Int>, _ form: EmbeddedForm?) -> Range<Int> {
    let isQuoted = form == .json && range.count >= 2 && payload[range.lowerBound] == UInt8(ascii: "\"")
    return isQuoted ? range.lowerBound + 1..<range.upperBound - 1 : range
  }

  /// Whether the bytes at a place are a part of JSON.
  func isJSON(_ place: Int) -> Bool { structures.contains { $0.form == .json && $0.range.contains(place) } }

  func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool {
    if !bounds.isEmpty { bounds.removeAll(keepingCapacity: true) }
    if field.isSecret { secretDepth = min(secretDepth, path.count) }
    if form != nil { objects.insert(field.range) }
    let name = number(field)
    path.append(name)
    if !isArray {
      let isFound = field.range.count <= Self.longestNumber && origin.marks(name, names).contains(.structure)
      lengthRange = isFound ? field.range : nil
    } else if let lengthRange, lengthRange == field.range, !lengthRange.isEmpty {
      structuralDepth = min(structuralDepth, path.count - 1)
    }
    if isArray { listDepth = min(listDepth, path.count - 1) }
    if !isArray, field.name.isEmpty, proof.isAdvertised { element = (field.range, path.count, false) }
    around.append(around[around.count - 1].inside(names.traits(name)))
    marks.append(field.isPersonal ?? marks[marks.count - 1])
    return true
  }

  /// The name of a field; an element of a list has that of the list.
  private func number(_ field: FieldContext) -> Int { field.name.isEmpty ? path.last ?? 0 : names.number(field.name) }

  func close(isArray: Bool) {
    if !bounds.isEmpty { bounds.removeAll(keepingCapacity: true) }
    if path.count == element.depth {
      if element.isLed { proof.takeObject(element.range) }
      element.depth = -1
    }
    _ = path.popLast()
    if around.count > 1 { around.removeLast() }
    if marks.count > 1 { marks.removeLast() }
    if path.count <= secretDepth { secretDepth = .max }
    if path.count <= structuralDepth { structuralDepth = .max }
    if path.count <= listDepth { listDepth = .max }
  }

  func problem(_ text: String) { hasProblem = true }

  // MARK: The new payload

  /// Decides which bytes stay. What no field claims stays only where it is the structure of JSON, CBOR, protobuf or CSV, and where it is as short as
  /// a length.
  func rule() {
    stays.removeAll(keepingCapacity: true)
    stays.append(contentsOf: repeatElement(nil, count: payload.count))
    isClaimed.removeAll(keepingCapacity: true)
    isClaimed.append(contentsOf: repeatElement(false, count: payload.count))
    if isStandard, !isOther, (fields.reduce(0) { max($0, $1.range.upperBound) }) < payload.count { isOther = true }
    settleLists()
    settleProblem()
    settleText()
    if proof.isAdvertised { settleAddresses() }
    if hasSigns { settleSigns() }
    settleMarks()
    settleBits()
    settleRuns()
    for field in fields { for at in field.range { isClaimed[at] = true } }
    if !hasProblem, !structures.isEmpty {
      var structure = FormStructure(payload, isClaimed: isClaimed, objects: objects)
      for (form, range) in structures { structure.find(form, in: range) }
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
    for mark in origin.structure.marks where mark.at < payload.count && payload[mark.at] == mark.value && !isClaimed[mark.at] {
      stays[mark.at] = .framing
    }
    for at in 0..<min(startMark, payload.count) where !isClaimed[at] { stays[at] = .framing }
    for cleared in clearedBits { stays[cleared.at] = .profile }
    // A byte or two before a field, in a profile of btscribe's own, are its length or its type.
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
      if stop - at <= 2, stop < payload.count, isFraming { for place in at..<stop { stays[place] = stays[place] ?? .framing } }
      // The length of a list that is empty, and the ends of lines without text.
      if isShipped, stop == payload.count, stop - at <= 2, payload[at..<stop].allSatisfy({ $0 == 0x0D || $0 == 0x0A || $0 == 0 }) {
        for place in at..<stop { stays[place] = stays[place] ?? .framing }
      }
      at = stop + 1
    }
    // A checksum tells what the bytes were that it was computed over: those of this message, or those of a file where it is longer.
    let isReplaced = stays.contains { $0 == nil } || !clearedBits.isEmpty
    for place in fields.indices where fields[place].isCheck && fields[place].rule != nil && !fields[place].isWanted {
      guard isReplaced || (fields[place].range.count > 2 || !isShipped) && !keepsValues else { continue }
      fields[place].rule = nil
      for at in fields[place].range { stays[at] = nil }
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

  /// Whether one or two bytes say how long the field behind them is.
  private func isLength(_ range: Range<Int>) -> Bool {
    guard (1...2).contains(range.count), let field = fields.first(where: { $0.range.lowerBound == range.upperBound }) else { return false }
    let (first, last) = (Int(payload[range.lowerBound]), Int(payload[range.upperBound - 1]))
    let lengths = range.count == 1 ? [first] : [first << 8 | last, last << 8 | first]
    return lengths.contains(field.range.count)
  }

  /// Where a message could not be read to its end, is not whole, has a wrong checksum, or is none of a standard, it may be something else than the
  /// profile says: only what it is found by stays, and marks of two bytes, as longer ones may be the bytes that were wrong.
  private func settleProblem() {
    let isOther = isStandard && !keepsValues && (isOther || isOfNoStandard)
    guard hasProblem || isDoubtful || isOther else { return }
    for place in fields.indices where !fields[place].isWanted {
      switch fields[place].rule {
      case .framing? where fields[place].range.count > 2 && hasProblem: fields[place].rule = nil
      case .profile?:
        let isFraming = !isStandard && names.traits(fields[place].name).isFraming && fields[place].range.count <= 2
        let isFound = isFound(fields[place]) && (!isOther || fields[place].range.count < Redaction.fewestKept)
        if fields[place].isElement || !isFound && !isFraming { fields[place].rule = nil }
      default: continue
      }
    }
  }

  /// What would stay of the value of a standard attribute is not defined, or reads as a text: what does not stay may be anything, after it was replaced,
  /// too.
  private var isOfNoStandard: Bool {
    if fields.contains(where: { $0.rule == .profile && $0.isUndefined }) { return true }
    var hasText = false
    forEachRun { _, range in
      hasText = TextRuns.isIn(payload, range, fewest: Self.longestWord)
      return !hasText
    }
    return hasText
  }

  /// Bits in a list as long as the message have room for anything: few bytes of them stay, and of bits of one name fewer.
  private func settleLists() {
    guard !keepsValues else { return }
    order.removeAll(keepingCapacity: true)
    for place in fields.indices where fields[place].isListed && fields[place].hasBits {
      if fields[place].rule == .profile, !fields[place].isWanted, !isFound(fields[place]) { order.append(place) }
    }
    guard !order.isEmpty else { return }
    var count = 0
    clearBytes()
    for place in order {
      for at in fields[place].range where bytes[at] == 0 {
        bytes[at] = 1
        count += 1
      }
    }
    guard count > Self.maxListedBits || isStandard && hasNamedBits else { return }
    for place in order { fields[place].rule = nil }
  }

  /// Of the fields in the order those of one name have as many bytes as could carry something.
  private var hasNamedBits: Bool {
    var named: [Int: Set<Int>] = [:]
    for place in order { named[fields[place].name, default: []].formUnion(fields[place].range) }
    return named.values.contains { $0.count >= Redaction.fewestKept }
  }
  private static let maxListedBits = 4

  /// The profile finds its way through messages by a field.
  private func isFound(_ field: Judged) -> Bool { field.range.count <= 4 && origin.marks(field.name, names).contains(.structure) }

  /// A sign does not stay beside a number that does not.
  private func settleSigns() {
    for place in fields.indices where fields[place].isSign && fields[place].rule == .profile && !fields[place].isWanted {
      let beside = fields.filter { other in
        (other.range.upperBound == fields[place].range.lowerBound || other.range.lowerBound == fields[place].range.upperBound)
          && other.isNumber
      }
      if beside.contains(where: { $0.rule == nil }) { fields[place].rule = nil }
    }
  }

  /// Numbers that stand in a row do not stay where they read as a text, in a profile that somebody wrote, or a message that may be another. A message of
  /// a profile of btscribe's own that has no checksum is one by its length and a few bytes: a long text is none of its numbers.
  private func settleText() {
    let isOpen = !isShipped || hasProblem || isDoubtful
    // The device's own address may stand before anything.
    let isBrief = isOpen || proof.hasOwnAddress && !isProven
    guard isBrief || !isProven && hasLongText else { return }
    forEachRun(ofAll: !isOpen) { numbers, range in
      for text in TextRuns.all(in: payload, range, fewest: isBrief ? Self.longestWord + 1 : Self.shortestText) {
        for place in numbers where fields[place].range.overlaps(text) && !fields[place].isWanted && !isFound(fields[place]) {
          if fields[place].rule == .profile { fields[place].rule = nil }
        }
      }
      return true
    }
    if !isOpen { settleMixedText() }
  }

  /// A text goes on in the texts that stand beside numbers, and in bytes that are a text by themselves: where letters of it are in numbers, these do not
  /// stay. Ciphertext, counters and tags read as letters by chance, and as others once they are replaced.
  private func settleMixedText() {
    guard structures.isEmpty, fields.contains(where: { !$0.isNumber }), fields.contains(where: isOpenNumber) else { return }
    var visible = payload
    for field in fields where !field.isNumber && field.kind != .text && field.kind != .password {
      if !Pseudonyms.readsAsText(Array(payload[field.range])) { for at in field.range { visible[at] = .max } }
    }
    for text in TextRuns.all(in: visible, visible.indices, fewest: Self.shortestText) {
      let numbers = fields.indices.filter { isOpenNumber(fields[$0]) && fields[$0].range.overlaps(text) }
      let count = numbers.reduce(0) { $0 + (fields[$1].hasBits ? 0 : fields[$1].range.clamped(to: text).count) }
      guard count >= Self.fewestInNumbers else { continue }
      // What was replaced reads as letters by chance.
      let others = fields.filter { $0.rule == nil && $0.range.overlaps(text) }
      if let isReplaced, !others.isEmpty, others.allSatisfy({ isReplaced(Array(payload[$0.range])) }) { continue }
      for place in numbers { fields[place].rule = nil }
    }
  }
  /// A letter or two before a text may be its length.
  private static let fewestInNumbers = 3

  /// A number that stays, and that the profile does not find its way by.
  private func isOpenNumber(_ field: Judged) -> Bool {
    field.rule == .profile && field.isNumber && !field.isWanted && !isFound(field)
  }

  /// Numbers in which a part of an address is do not stay. Bits become zeros: others beside them would be told of as different next time.
  private func settleAddresses() {
    let parts = proof.addressParts(payload)
    if parts.isEmpty { return }
    for place in fields.indices where fields[place].rule == .profile && fields[place].form == nil && !fields[place].isWanted {
      guard parts.contains(where: fields[place].range.overlaps) else { continue }
      guard fields[place].hasBits else {
        fields[place].rule = nil
        continue
      }
      for number in 0..<min(fields[place].range.count, fields[place].bitBytes) {
        clearedBits.append((fields[place].range.lowerBound + number, fields[place].bits(number), fields[place]))
      }
    }
  }

  /// So many bytes read as a text by chance, and of a standard value so many letters.
  private static let longestWord = 4
  /// So many letters do not, in messages that are nothing but numbers.
  private static let shortestText = 8

  /// The payload has room for such a text: as many bytes in a row that are none of a control character, or letters of two bytes each.
  private var hasLongText: Bool {
    guard payload.count >= Self.shortestText else { return false }
    // A zero may be the other half of a letter; two of them are none.
    var run = 0
    var last: UInt8 = 0
    for byte in payload {
      run = byte >= 0x20 || byte == 0 && last != 0 ? run &+ 1 : 0
      last = byte
      if run == Self.shortestText { return true }
    }
    return false
  }

  /// Calls `body` with numbers in a row that stay, and where they lie, as long as it returns true; of a standard value rows of bits are numbers, too.
  /// With `isOfAll` those that do not stay, and bits, belong to the row.
  private func forEachRun(ofAll isOfAll: Bool = false, _ body: (_ numbers: ArraySlice<Int>, _ range: Range<Int>) -> Bool) {
    order.removeAll(keepingCapacity: true)
    for place in fields.indices where fields[place].form == nil {
      let field = fields[place]
      if isOfAll ? field.isNumber : field.rule == .profile && (isStandard || !field.hasBits) { order.append(place) }
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

  /// Sorts the order by the places of the fields, in which most of them come.
  private func sortOrder() {
    var isSorted = true
    var last = 0
    for place in order {
      isSorted = isSorted && last <= fields[place].range.lowerBound
      last = fields[place].range.lowerBound
    }
    if !isSorted { order.sort { fields[$0].range.lowerBound < fields[$1].range.lowerBound } }
  }

  private func mayHaveStartMark(_ field: Judged) -> Bool {
    field.kind == .value || field.kind == .text || field.kind == .password && !field.isSecret
  }

  /// Takes out of the bytes that the profile hides those by which it knows its messages.
  private func settleMarks() {
    guard startMark > 0 || !origin.structure.marks.isEmpty else { return }
    let asked = origin.structure.marks.filter { $0.at < payload.count && payload[$0.at] == $0.value }.map(\.at)
    let marks = Set(asked).union(0..<startMark).sorted()
    guard !marks.isEmpty else { return }
    for place in fields.indices where fields[place].rule == nil && mayHaveStartMark(fields[place]) {
      var rest = fields[place]
      // What marks the start of a message is no part of a value, whatever the profile makes of it.
      for at in marks where rest.range.contains(at) && (at < startMark || rest.mayHaveMarks) {
        var mark = rest
        (mark.range, mark.rule) = (at..<at + 1, .framing)
        var before = rest
        before.range = rest.range.lowerBound..<at
        rest.range = at + 1..<rest.range.upperBound
        fields.append(mark)
        if !before.range.isEmpty { fields.append(before) }
      }
      fields[place] = rest
    }
    fields.removeAll { $0.range.isEmpty }
  }

  /// Sorts out fields that share a byte. What stays there stays bit by bit; fields that are replaced become one.
  private func settleBits() {
    guard fields.contains(where: { $0.hasBits && $0.rule == nil }) else { return }
    clearBytes()
    for field in fields where field.hasBits && field.rule != nil {
      for number in 0..<min(field.range.count, field.bitBytes) { bytes[field.range.lowerBound + number] |= field.bits(number) }
    }
    settled.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    for field in fields {
      guard field.hasBits, field.rule == nil else {
        settled.append(field)
        continue
      }
      var piece = field
      var start = field.range.lowerBound
      for number in 0..<min(field.range.count, field.bitBytes) {
        let at = field.range.lowerBound + number
        guard bytes[at] != 0 else { continue }
        // What several fields read stays where one of them may.
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
      if let last = settled.last, last.hasBits, last.rule == nil, last.range.overlaps(piece.range) {
        settled[settled.count - 1].range = last.range.lowerBound..<max(last.range.upperBound, piece.range.upperBound)
      } else {
        settled.append(piece)
      }
    }
    swap(&fields, &settled)
  }

  /// Joins fields of a byte each that have one name and stand in a row: replaced one by one, equal letters would stay equal.
  private func settleRuns() {
    func isSingle(_ field: Judged) -> Bool {
      field.rule == nil && field.range.count == 1 && field.form == nil && !field.hasBits && !field.isCheck && !field.isWanted
    }
    order.removeAll(keepingCapacity: true)
    for place in fields.indices where isSingle(fields[place]) { order.append(place) }
    guard order.count > 1 else { return }
    sortOrder()
    let singles = order
    // A profile may have several fields over one byte: only those of one name make a run.
    struct Key: Hashable {
      var name: Int
      var kind: ExposureKind
      var isNumber: Bool
    }
    var runs: [Key: Int] = [:]
    for place in singles {
      let one = fields[place]
      let key = Key(name: one.name, kind: one.kind, isNumber: one.isNumber)
      guard let first = runs[key], fields[first].range.upperBound == one.range.lowerBound else {
        runs[key] = place
        continue
      }
      fields[first].range = fields[first].range.lowerBound..<one.range.upperBound
      fields[first].isRun = true
      fields[place].range = one.range.upperBound..<one.range.upperBound
    }
    // Other fields over bytes of the longest run are left out: the run replaces these bytes.
    // Of several that are as long the first, whatever their order in the dictionary.
    let longest = runs.values.map { fields[$0] }.filter(\.isRun)
      .max { ($0.range.count, $1.range.lowerBound, $1.name) < ($1.range.count, $0.range.lowerBound, $0.name) }
    if let longest {
      for place in singles where fields[place].name != longest.name || fields[place].kind != longest.kind {
        let range = fields[place].range
        if longest.range.lowerBound <= range.lowerBound, range.upperBound <= longest.range.upperBound {
          fields[place].range = range.upperBound..<range.upperBound
        }
      }
    }
    fields.removeAll { $0.range.isEmpty }
  }
}
