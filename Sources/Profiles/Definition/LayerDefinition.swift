import Memory
import PacketCodecs
import YAML

/// One step between the bytes of a packet and the body of a message, as written in the file.
struct LayerDefinition {
  var name: String
  var kind: Kind
  var entry: Entry

  enum Kind {
    case strip(StripDefinition)
    case unescape(UnescapeDefinition)
    case fragments(FragmentsDefinition)
    case stream(StreamDefinition)
    case expect(length: Entry)
    case check(CheckDefinition)
    case slice(from: Bound, to: Bound?)
    case drop(when: Entry)
    case decrypt(DecryptDefinition)
  }
}

/// An end of a range: a number of bytes (negative: from the end), or an expression for it.
enum Bound {
  case number(Int)
  case expression(Entry)

  init(_ entry: Entry) throws {
    if case .scalar(let scalar) = entry.node, parseInteger(scalar.string) != nil {
      self = .number(try entry.integer(in: -65536...65536))
    } else {
      _ = try entry.text()
      self = .expression(entry)
    }
  }
}

/// Bytes to remove from both ends.
struct StripDefinition {
  var prefixes: [[UInt8]] = []
  var suffixes: [[UInt8]] = []
  var noise: [[UInt8]] = []
  var until: [[UInt8]] = []
  var head = 0
  var tail = 0
}

/// The decoding of escaped bytes.
enum UnescapeDefinition {
  case escape(ByteEscape)
  /// XOR with a key that an expression gives: bytes, or a number of one byte; bytes before `from` are not changed.
  case xor(Entry, from: Int)
}

/// Packets with headers that give the packet's position in a message.
struct FragmentsDefinition {
  var header: Entry?
  var first: Entry?
  var last: Entry?
  var more: Entry?
  var total: Entry?
  var count: Entry?
  var index: Entry?
  /// The offset of a packet's bytes in the message.
  var offset: Entry?
  /// Layer "merge": the packets are parts of a record and keep their headers. `key` selects the record, where several are open.
  var isMerge = false
  var key: Entry?
  var counter: Entry?
  var payload: Entry?
  var payloadFrom: Int?
  /// Changes of the state by headers.
  var set: [SetDefinition] = []
  var rules = FragmentRules()
  var build: BuildDefinition?
}

/// Packets that are pieces of a byte stream.
struct StreamDefinition {
  var header: Entry?
  var length: Entry?
  var rules = StreamRules()
  var build: BuildDefinition?
}

/// The rules for headers when a message is encoded.
struct BuildDefinition {
  struct Choice {
    var when: Entry?
    var header: [(name: String, value: Entry)]
  }
  /// Bytes of a full packet; nil: as many as an attribute can have.
  var size: Bound?
  /// The byte that fills packets up to their size.
  var pad: UInt8?
  var first: [Choice] = []
  var next: [Choice] = []
  var entry: Entry
}

/// A checksum: its algorithm, coverage, and position.
struct CheckDefinition {
  var checksum: Checksum
  var when: Entry?
  /// The expected checksum, where it is not in the message itself but in a header or an earlier message.
  var value: Entry?
  /// Whether the body has a field for it; nil: decided by the types.
  var isInBody: Bool?
  /// Whether it is computed over the packets of the message with their headers.
  var coversPackets = false
}

/// The named lists of layers of a profile.
struct Framings {
  private var named: [String: Entry] = [:]
  /// In the order of the file.
  private var names: [String] = []

  init(_ entry: Entry?) throws {
    for (name, value, _) in try entry?.pairs() ?? [] {
      names.append(name)
      named[name] = value.with(value.node, "framing \"\(name)\"")
    }
    // All are read, so that a mistake in an unused one is reported, too. The first mistake of the file is the one that is reported.
    for name in names { if let value = named[name] { _ = try layers(value) } }
  }

  /// The layers of each direction: one list for all, or `{write: …, notify: …}`.
  func directions(_ entry: Entry) throws -> [[LayerDefinition]] {
    let keys = entry.node.mapping?.keys.compactMap(\.string) ?? []
    guard !keys.isEmpty, keys.allSatisfy({ key in ValueDirection.allCases.contains { $0.key == key } }) else {
      let all = try layers(entry)
      return ValueDirection.allCases.map { _ in all }
    }
    var fields = try entry.fields(.directions)
    let write = try fields.take("write").map { try layers($0) } ?? []
    let notify = try fields.take("notify").map { try layers($0) } ?? []
    let indicate = try fields.take("indicate").map { try layers($0) } ?? notify
    let read = try fields.take("read").map { try layers($0) } ?? []
    let advertise = try fields.take("advertise").map { try layers($0) } ?? []
    try fields.finish()
    return [write, notify, indicate, read, advertise]
  }

  private func layers(_ entry: Entry) throws -> [LayerDefinition] {
    // Names of framings are counted, too.
    var left = ProfileBounds.maxLayers + 1
    var list = try layers(entry, depth: 0, &left)
    // If a later layer decodes a doubled byte with which the end marker begins, a doubled byte is no end.
    for index in list.indices {
      guard case .stream(var stream) = list[index].kind, stream.rules.escape == nil else { continue }
      for later in list[(index + 1)...] {
        guard case .unescape(.escape(.doubled(let byte))) = later.kind,
          stream.rules.ends.contains(where: { $0.first == byte && $0.count > 1 })
        else { continue }
        stream.rules.escape = byte
        list[index].kind = .stream(stream)
      }
    }
    return list
  }

  /// The layers of a list whose elements are layers or names of framings.
  private func layers(_ entry: Entry, depth: Int, _ left: inout Int) throws -> [LayerDefinition] {
    guard depth < 8 else { throw entry.error("framings name one another in a circle") }
    return try entry.list().flatMap { element -> [LayerDefinition] in
      left -= 1
      guard left > 0 else { throw element.error("this expands to more than \(ProfileBounds.maxLayers) layers") }
      if case .scalar = element.node {
        let name = try element.text()
        if let framing = named[name] { return try layers(framing, depth: depth + 1, &left) }
        if let unescape = UnescapeDefinition(word: name) {
          return [LayerDefinition(name: "unescape", kind: .unescape(unescape), entry: element)]
        }
        let hint = nearest(name, of: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw element.error("no framing is named \"\(name)\"" + hint)
      }
      // One element may be a mapping of several layers, in order.
      return try element.pairs().map { try LayerDefinition($0.key, $0.value.with($0.value.node, "layer \"\($0.key)\""), $0.keyNode) }
    }
  }
}

extension LayerDefinition {
  static var names: [String] { MappingKind.layers.names }

  init(_ name: String, _ entry: Entry, _ keyNode: Node) throws {
    self.name = name
    self.entry = entry
    switch name {
    case "strip": kind = .strip(try StripDefinition(entry))
    case "unescape": kind = .unescape(try UnescapeDefinition(entry))
    case "fragments": kind = .fragments(try FragmentsDefinition(entry))
    case "merge": kind = .fragments(try FragmentsDefinition(merge: entry))
    case "stream": kind = .stream(try StreamDefinition(entry))
    case "expect":
      var fields = try entry.fields(.expect)
      kind = .expect(length: try fields.need("length"))
      try fields.finish()
    case "check": kind = .check(try CheckDefinition(entry))
    case "slice":
      guard case .sequence(let bounds) = entry.node, (1...2).contains(bounds.count) else {
        throw entry.error("\"slice\" is [from, to] or [from]; negative numbers count from the end")
      }
      let ends = try bounds.map { try Bound(entry.with($0, "\"slice\"")) }
      kind = .slice(from: ends[0], to: ends.count > 1 ? ends[1] : nil)
    case "drop":
      var fields = try entry.fields(.drop)
      kind = .drop(when: try fields.need("when"))
      try fields.finish()
    case "decrypt": kind = .decrypt(try DecryptDefinition(entry))
    default:
      let hint = nearest(name, of: Self.names).map { "; did you mean \"\($0)\"?" }
      throw Entry.error(
        entry.file, keyNode, "no layer is named \"\(name)\"" + (hint ?? "; layers are \(Self.names.joined(separator: ", "))"))
    }
  }
}

extension StripDefinition {
  init(_ entry: Entry) throws {
    var fields = try entry.fields(.strip)
    prefixes = try fields.take("prefix")?.markers() ?? []
    suffixes = try fields.take("suffix")?.markers() ?? []
    noise = try fields.take("noise")?.markers() ?? []
    until = try fields.take("until")?.markers() ?? []
    head = try fields.take("head")?.integer(in: 0...65536) ?? 0
    tail = try fields.take("tail")?.integer(in: 0...65536) ?? 0
    try fields.finish()
  }
}

extension UnescapeDefinition {
  init?(word: String) {
    switch word {
    case "cobs": self = .escape(.cobs)
    case "slip": self = .escape(.slip)
    case "hdlc": self = .escape(.hdlc())
    case "hex": self = .escape(.asciiHex())
    default: return nil
    }
  }

  init(_ entry: Entry) throws {
    guard case .mapping = entry.node else {
      let word = try entry.text()
      guard let escape = UnescapeDefinition(word: word) else {
        throw entry.error(
          "\"\(word)\" is not an escape; escapes are cobs, slip, hdlc, hex, {dle: BYTE}, {escape: BYTE, xor: BYTE}, {xor: KEY}")
      }
      self = escape
      return
    }
    func byte(_ entry: Entry) throws -> UInt8 { UInt8(try entry.integer(in: 0...255)) }
    var fields = try entry.fields(.unescape)
    if let dle = fields.take("dle") {
      self = .escape(.doubled(try byte(dle)))
    } else if let hex = fields.take("hex") {
      self = .escape(.asciiHex(upperCase: try hex.choice(["upper": true, "lower": false])))
    } else if let also = fields.take("hdlc") {
      self = .escape(.hdlc(also: try also.bytes()))
    } else if let escape = fields.take("escape") {
      if let map = fields.take("map") {
        let pairs = try map.pairs().map { key, value, keyNode in
          ByteEscape.Substitution(code: try byte(map.with(keyNode, "a key of \"map\"")), byte: try byte(value))
        }
        self = .escape(.mapped(escape: try byte(escape), pairs))
      } else {
        self = .escape(
          .xored(escape: try byte(escape), mask: try byte(fields.need("xor")), bytes: try fields.take("bytes")?.bytes() ?? []))
      }
    } else {
      let key = try fields.need("xor")
      self = .xor(key, from: try fields.take("from")?.integer(in: 0...65536) ?? 0)
    }
    try fields.finish()
  }
}

extension SurplusPolicy {
  static var words: KeyValuePairs<String, SurplusPolicy> { ["trim": .trim, "next": .next, "keep": .keep, "error": .error] }
}

extension FragmentsDefinition {
  init(_ entry: Entry) throws {
    var fields = try entry.fields(.fragments)
    header = fields.take("header")
    first = fields.take("first")
    last = fields.take("last")
    more = fields.take("more")
    total = fields.take("total")
    count = fields.take("count")
    index = fields.take("index")
    offset = fields.take("offset")
    if let counter = fields.take("counter") {
      var keys = try counter.with(counter.node, "\"counter\" of layer \"fragments\"").fields(.counter)
      self.counter = try keys.need("value")
      rules.counter = FragmentRules.Counter(
        modulo: try keys.take("modulo")?.integer(in: 1...(1 << 32)) ?? 256,
        start: try keys.take("start")?.integer(in: 0...(1 << 32)),
        wrapsTo: try keys.take("wraps-to")?.integer(in: 0...(1 << 32)) ?? 0,
        scope: try keys.take("scope")?.choice(["message": .message, "channel": .channel]) ?? .message)
      if let gap = keys.take("on-gap") { rules.onGap = try gap.choice(Self.gaps) }
      try keys.finish()
    }
    if let payload = fields.take("payload") {
      if case .sequence(let bounds) = payload.node, bounds.count == 2 {
        // Null: after the header.
        let from = payload.with(bounds[0], "\"payload\"")
        payloadFrom = from.isNull ? nil : try from.integer(in: 0...65536)
        let end = payload.with(bounds[1], "the end of \"payload\"")
        self.payload = end.isNull ? nil : end
      } else {
        throw payload.error(
          "\"payload\" is [from, to]: from is a number of bytes (~: behind the header), to a number (negative: from the end), an expression, or ~ (to the end)"
        )
      }
    }
    if let order = fields.take("order") { rules.ordering = try order.choice(["arrival": .sequential, "index": .byIndex]) }
    if let start = fields.take("first-index") { rules.firstIndex = try start.integer(in: 0...65535) }
    if let gap = fields.take("on-gap") { rules.onGap = try gap.choice(Self.gaps) }
    if let restart = fields.take("on-restart") {
      rules.onRestart = try restart.choice(["drop": .drop, "append": .append, "error": .error, "complete": .complete])
    }
    if let surplus = fields.take("on-surplus") { rules.onSurplus = try surplus.choice(SurplusPolicy.words) }
    if let maximum = fields.take("max") { rules.maximumBytes = try maximum.integer(in: 1...(1 << 24)) }
    rules.idle = try fields.take("idle")?.duration()
    set = try fields.take("set").map(SetDefinition.list) ?? []
    build = try fields.take("build").map { try BuildDefinition($0, header: header) }
    try fields.finish()
    if offset != nil {
      if let other = [count, index, counter, more].lazy.compactMap({ $0 }).first {
        throw other.error("\(other.what) has no meaning beside \"offset\", which says where a packet's bytes lie")
      }
      guard last != nil || total != nil else {
        throw entry.error("\"offset\" needs \"total\" or \"last\", which say when the message is complete")
      }
    }
    if [first, last, more, total, count, index, offset].allSatisfy({ $0 == nil }), header != nil {
      // With a header and no other rule, each packet is a message.
      let always = entry.with(.scalar(.init("true", .plain, entry.node.mark)), entry.what)
      (first, last) = (always, always)
    }
    if header == nil, let role = [first, last, more, total, count, index, offset, counter].lazy.compactMap({ $0 }).first {
      throw role.error("\(role.what) is read from a header, so the layer needs \"header\" with its type")
    }
    if more != nil, last != nil { throw entry.error("\"more\" and \"last\" mean the same; use only one of them") }
  }

  /// Layer "merge": fragments that keep their headers.
  init(merge entry: Entry) throws {
    var fields = try entry.fields(.merge)
    isMerge = true
    payloadFrom = 0
    rules.maximumFragments = 1024
    header = try fields.need("header")
    key = fields.take("key")
    index = fields.take("part")
    count = fields.take("count")
    first = fields.take("first")
    last = fields.take("last")
    if index != nil { rules.ordering = .byIndex }
    if let start = fields.take("first-part") { rules.firstIndex = try start.integer(in: 0...65535) }
    if let restart = fields.take("on-restart") { rules.onRestart = try restart.choice(["drop": .drop, "complete": .complete]) }
    if let maximum = fields.take("max") { rules.maximumBytes = try maximum.integer(in: 1...(1 << 24)) }
    rules.idle = try fields.take("idle")?.duration()
    try fields.finish()
    guard count != nil || last != nil || first != nil && rules.onRestart == .complete else {
      throw entry.error(
        "\"merge\" needs \"count\" or \"last\", which say when the record is complete, or \"first\" with on-restart: complete")
    }
  }

  private static var gaps: KeyValuePairs<String, FragmentRules.Gap> { ["warn": .warn, "drop": .drop, "ignore": .ignore] }
}

extension StreamDefinition {
  init(_ entry: Entry) throws {
    var fields = try entry.fields(.stream)
    rules.starts = try fields.take("start")?.markers() ?? []
    rules.prefixes = try fields.take("prefix")?.markers() ?? []
    rules.ends = try fields.take("end")?.markers() ?? []
    rules.escape = try fields.take("escape").map { UInt8(try $0.integer(in: 0...255)) }
    header = fields.take("header")
    if let length = fields.take("length") {
      if header == nil, let fixed = try? length.integer(in: 1...(1 << 24)) { rules.fixedTotal = fixed } else { self.length = length }
    }
    if let maximum = fields.take("max") { rules.maximum = try maximum.integer(in: 1...(1 << 24)) }
    if let restart = fields.take("on-restart") {
      rules.restart = try restart.choice(["ignore": .never, "at-packet-start": .atPacketStart, "anywhere": .anywhere])
    }
    if let resync = fields.take("resync") { rules.resync = try resync.choice(["marker": .marker, "packet": .packet]) }
    if let bad = fields.take("on-bad-end") { rules.onBadEnd = try bad.choice(["resync": .resync, "deliver": .deliver]) }
    if let surplus = fields.take("on-surplus") { rules.onSurplus = try surplus.choice(SurplusPolicy.words) }
    rules.noise = try fields.take("noise")?.markers() ?? []
    rules.padding = try fields.take("padding").map { UInt8(try $0.integer(in: 0...255)) }
    rules.idle = try fields.take("idle")?.duration()
    if let silence = fields.take("on-idle") { rules.onIdle = try silence.choice(["drop": .drop, "complete": .complete]) }
    build = try fields.take("build").map { try BuildDefinition($0, header: header) }
    try fields.finish()
    if let header, length == nil { throw header.error("the layer reads a header, so it needs the \"length\" of the message") }
  }
}

extension BuildDefinition {
  init(_ entry: Entry, header: Entry?) throws {
    let entry = entry.with(entry.node, "\"build\"")
    self.entry = entry
    var fields = try entry.fields(.build)
    size = try fields.take("size").map(Bound.init)
    if case .number(let number)? = size, !(1...65536).contains(number) { throw entry.error("\"size\" must be from 1 to 65536") }
    pad = try fields.take("pad").map { UInt8(try $0.integer(in: 0...255)) }
    if pad != nil, size == nil { throw entry.error("\"pad\" fills packets up to their \"size\", which is missing") }
    func choices(_ list: Entry?) throws -> [Choice] {
      try list?.list().map { element in
        if element.node.mapping?["header"] == nil, element.node.mapping?["when"] == nil {
          return Choice(when: nil, header: try element.pairs().map { ($0.key, $0.value) })
        }
        var keys = try element.fields(.choice)
        let choice = Choice(when: keys.take("when"), header: try keys.need("header").pairs().map { ($0.key, $0.value) })
        try keys.finish()
        return choice
      } ?? []
    }
    first = try choices(fields.take("first") ?? fields.take("header"))
    next = try choices(fields.take("next"))
    try fields.finish()
    if !first.isEmpty, header == nil { throw entry.error("\"build\" fills in a header, but the layer names no \"header\" type") }
  }
}

extension CheckDefinition {
  init(_ entry: Entry) throws {
    var fields = try entry.fields(.check)
    let name = try fields.need("algorithm")
    let algorithm: ChecksumAlgorithm
    do {
      algorithm = try ChecksumAlgorithm(parsing: try name.text())
    } catch let error as ChecksumError {
      let problem =
        switch error {
        case .unknownAlgorithm(let text, let closest):
          "no checksum is named \"\(text)\"" + (closest.map { "; did you mean \"\($0)\"?" } ?? "; \"btscribe crc --list\" lists them")
        case .unknownParameter(let parameter): "a CRC has no parameter \"\(parameter)\""
        case .badValue(let parameter, let value): "\"\(value)\" is not a valid value of \(parameter)"
        case .missingParameter(let parameter): "the CRC needs \(parameter)"
        }
      throw name.error(problem)
    }
    func range(_ list: Entry) throws -> ByteRange {
      guard case .sequence(let bounds) = list.node, (1...2).contains(bounds.count) else {
        throw list.error("\"over\" is [from, to] or [from], or a list of those; negative numbers count from the end, \"to\" is exclusive")
      }
      let numbers = try bounds.map { try list.with($0, "\"over\"").integer(in: -65536...65536) }
      return ByteRange(from: numbers[0], to: numbers.count > 1 ? numbers[1] : nil)
    }
    var coverage = [ByteRange(from: 0)]
    if let over = fields.take("over") {
      if case .sequence(let bounds) = over.node, case .sequence? = bounds.first {
        guard bounds.count <= ProfileBounds.maxCovered else {
          throw over.error("\"over\" has at most \(ProfileBounds.maxCovered) parts")
        }
        coverage = try bounds.map { try range(over.with($0, "\"over\"")) }
      } else {
        coverage = [try range(over)]
      }
    }
    let forms: KeyValuePairs<String, Checksum.Form> = ["binary": .binary, "hex": .asciiHex]
    checksum = Checksum(
      algorithm, over: coverage,
      coverageForm: try fields.take("over-as")?.choice(forms) ?? .binary,
      at: try fields.take("at")?.integer(in: -65536...65536),
      byteCount: try fields.take("bytes")?.integer(in: 1...16),
      byteOrder: try fields.take("endian")?.choice(["be": .big, "le": .little]) ?? .big,
      form: try fields.take("as")?.choice(forms) ?? .binary,
      checksumBytes: try fields.take("own-bytes")?.choice(["skip": .skipped, "zero": .zeroed, "keep": .included]) ?? .skipped)
    if let residue = fields.take("residue") {
      checksum.checksumBytes = .included
      checksum.residue = UInt128(UInt64(bitPattern: Int64(try residue.integer())))
    }
    when = fields.take("when")
    value = fields.take("value")
    isInBody = try fields.take("in-body")?.flag()
    coversPackets = try fields.take("over-packets")?.flag() ?? false
    // A checksum from elsewhere has no bytes in the message.
    if value != nil { checksum.checksumBytes = .included }
    try fields.finish()
  }
}
