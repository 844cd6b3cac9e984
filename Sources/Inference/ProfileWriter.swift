import PacketCodecs
import Text

/// Writes the findings as a profile, which decodes the messages it was made from.
public struct ProfileWriter {
  private var sources: [(section: StreamSource.Section, name: String, key: String, lines: [String])] = []
  private var framings: [String] = []
  private var types: [String] = []
  private var tests: [String] = []
  private var stems: Set<String> = []
  private var state: [String] = []
  private let name: String
  private let title: String

  /// Starts a profile called `name` for the streams of one device.
  public init(name: String, title: String) {
    self.name = name
    self.title = title
  }

  /// The profile of one stream.
  public static func profile(of findings: StreamFindings, name: String) -> String {
    var writer = ProfileWriter(name: name, title: findings.source.peerName ?? findings.source.peer ?? "Unknown device")
    writer.add(findings)
    return writer.text
  }

  /// The profile of several streams.
  public static func profile(of all: [StreamFindings], name: String) -> String {
    var writer = ProfileWriter(
      name: name, title: all.lazy.compactMap(\.source.peerName).first ?? all.lazy.compactMap(\.source.peer).first ?? "Unknown device")
    for findings in all { writer.add(findings) }
    return writer.text
  }

  /// The text of the profile.
  public var text: String {
    var out = "profile: \(name)\ntitle: \(Self.quoted(title))\nsource: inferred from a capture\n"
    for section in [StreamSource.Section.characteristics, .advertisements, .rfcomm, .l2cap] {
      let ofSection = sources.filter { $0.section == section }
      guard !ofSection.isEmpty else { continue }
      out += "\n\(section.rawValue):\n"
      for source in ofSection {
        out += "  \(source.name):\n    \(source.key)\n"
        let directionLines = source.lines.filter { !$0.hasPrefix("framing ") }
        let framing = source.lines.filter { $0.hasPrefix("framing ") }.map { String($0.dropFirst(8)) }
        if !framing.isEmpty { out += "    framing: {\(framing.joined(separator: ", "))}\n" }
        for line in directionLines { out += "    \(line)\n" }
      }
    }
    if !state.isEmpty { out += "\nstate: {\(state.joined(separator: ", "))}\n" }
    if !framings.isEmpty { out += "\nframings:\n" + framings.map { $0 + "\n" }.joined() }
    if !types.isEmpty { out += "\ntypes:\n" + types.map { $0 + "\n" }.joined() }
    if !tests.isEmpty { out += "\ntests:\n" + tests.map { $0 + "\n" }.joined() }
    return out
  }

  /// The name of a source.
  private static func name(_ source: StreamSource) -> String {
    if let company = source.company { return "company_" + String(company, radix: 16) }
    if source.isAnyCompany { return "any_company" }
    if let service = source.service { return "service_" + service.filter { $0.isLetter || $0.isNumber }.lowercased() }
    if let channel = source.channel { return "channel_\(channel)" }
    if let psm = source.psm { return "psm_\(psm)" }
    if let handle = source.handle { return "handle_" + hex([UInt8(truncatingIfNeeded: handle >> 8), UInt8(truncatingIfNeeded: handle)]) }
    return "characteristic_" + (source.uuid ?? "unknown").prefix(8).filter { $0.isLetter || $0.isNumber }.lowercased()
  }

  /// A unique name for a source: attributes of several devices can have the same handle.
  private func newName(_ source: StreamSource) -> String {
    let word = Self.name(source)
    var name = word
    var number = 1
    while sources.contains(where: { $0.name == name }) {
      number += 1
      name = "\(word)_\(number)"
    }
    return name
  }

  private static func key(_ source: StreamSource) -> String {
    if let company = source.company { return "company: 0x" + String(company, radix: 16) }
    if source.isAnyCompany { return "company: any\n    with-company: true" }
    if let service = source.service { return "service-data: \"\(service)\"" }
    if let uuid = source.uuid { return "uuid: \"\(uuid)\"" }
    if let channel = source.channel { return "channel: \(channel)" }
    if let psm = source.psm { return "psm: \(psm)" }
    return "handle: \(source.handle ?? 0)"
  }

  /// A text in double quotes. Titles are one line: control characters become spaces.
  private static func quoted(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars { line.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar) }
    return YAMLQuoting.quoted(line)
  }

  private static func bytes(_ bytes: [UInt8]) -> String {
    "[" + bytes.map { "0x" + hex([$0]) }.joined(separator: ", ") + "]"
  }

  // MARK: A stream

  /// Adds a stream; streams of one attribute in several directions become one source.
  public mutating func add(_ findings: StreamFindings) {
    let source = findings.source
    let key = Self.key(source)
    let known = sources.first { $0.section == source.section && $0.key == key }
    let name = known?.name ?? newName(source)
    let directionName = source.directionName
    let stem = "\(name)_\(directionName)"
    // The same lines decode another device's stream of the same source.
    guard source.handle != 0 || source.uuid != nil else { return }
    guard !(known?.lines.contains { $0.hasPrefix("\(directionName): ") } ?? false), !stems.contains(stem) else { return }
    stems.insert(stem)
    let framing = layers(findings, stem)
    var lines: [String] = []
    if !framing.isEmpty {
      framings.append("  \(stem):\n" + framing.map { "    - \($0)" }.joined(separator: "\n"))
      lines.append(directionName == "value" ? "framing value: \(stem)" : "framing \(directionName): \(stem)")
    }
    lines.append("\(directionName): \(body(findings, stem))")
    if let index = sources.firstIndex(where: { $0.section == source.section && $0.key == key }) {
      sources[index].lines += lines
    } else {
      sources.append((source.section, name, key, lines))
    }
    let sourceKey = source.section == .advertisements ? "advertisement" : source.section == .characteristics ? "characteristic" : "source"
    // If packets are not joined, each is a message.
    let examples = findings.detail == .bytes ? findings.examples.map { Array($0.prefix(1)) } : findings.examples
    for packets in examples.prefix(3) where packets.allSatisfy({ !$0.isEmpty }) {
      let list = packets.map { "\"\(hex($0))\"" }.joined(separator: ", ")
      let direction = source.section == .advertisements ? "" : ", direction: \(directionName)"
      let isChecked =
        findings.framing.check.map { $0.shortest <= packets[0].count && $0.condition?.holds(packets[0]) ?? true } ?? false
      let hasCheck = isChecked && (findings.detail == .all || findings.detail == .framing)
      var rest = hasCheck ? ", expect: {_checksum: ok}" : ", expect: {_complete: true}"
      if source.isRequest {
        if findings.encodes != .packets { rest += ", encodes: \(findings.encodes == .message ? "message" : "false")" }
        if findings.detail != .bytes, let before = Self.before(packets[0], findings, stem) { rest += ", state: {\(before)}" }
      }
      tests.append("  - {\(sourceKey): \(name)\(direction), packets: [\(list)]\(rest)}")
    }
  }

  // MARK: Layers

  private mutating func layers(_ findings: StreamFindings, _ stem: String) -> [String] {
    guard findings.detail != .bytes else { return [] }
    let framing = findings.framing
    var layers: [String] = []
    switch framing.kind {
    case .message, .unknown: break
    case .stream: layers.append(stream(findings, stem))
    case .fragments:
      if let fragment = framing.fragment {
        if let frame = fragment.frame {
          layers += frames(fragment, frame, findings, stem)
        } else {
          layers.append(fragments(fragment, findings, stem))
        }
      }
    }
    if let escape = framing.escape {
      if escape.delimiter > 0 { layers.append("strip: {prefix: \(Self.bytes(escape.start)), suffix: \(Self.bytes(escape.end))}") }
      layers.append("unescape: \(Self.unescape(escape))")
    }
    if let check = framing.check, findings.detail != .withoutCheck {
      let layer = Self.check(Self.without(framing.delimiter, check.checksum), Self.when(check, behind: framing.delimiter))
      if check.isPerPacket { layers.insert(layer, at: 0) } else { layers.append(layer) }
      if !check.isPerPacket, Self.isSliced(framing) { layers.append("slice: [0, \(check.checksum.position)]") }
    }
    return layers
  }

  /// Whether the checksum is removed from the body: it is at the very end.
  private static func isSliced(_ framing: FramingFinding) -> Bool {
    guard let check = framing.check, !check.isPerPacket, framing.escape == nil else { return false }
    return check.isOfAll && check.checksum.position < 0 && StreamAnalysis.behind(check.checksum) == 0
  }

  private static func unescape(_ escape: EscapeFinding) -> String {
    if case .doubled(let byte) = escape.rule { return "{dle: 0x\(hex([byte]))}" }
    guard case .xored(let byte, let mask, let bytes) = escape.rule else { return escape.name }
    return "{escape: 0x\(hex([byte])), xor: 0x\(hex([mask])), bytes: \(Self.bytes(bytes))}"
  }

  /// The checksum for a frame without `delimiter` bytes at both ends.
  private static func without(_ delimiter: Int, _ checksum: Checksum) -> Checksum {
    guard delimiter > 0 else { return checksum }
    var inner = checksum
    inner.position += checksum.position < 0 ? delimiter : -delimiter
    inner.coverage = checksum.coverage.map { range in
      ByteRange(
        from: range.from > 0 ? max(0, range.from - delimiter) : range.from < 0 ? range.from + delimiter : 0,
        to: range.to.flatMap { $0 > 0 ? $0 - delimiter : $0 >= -delimiter ? nil : $0 + delimiter })
    }
    return inner
  }

  /// The condition for messages with a checksum, in terms of their bytes after a delimiter of so many bytes; nil where all have it.
  private static func when(_ check: CheckFinding, behind delimiter: Int) -> String? {
    var parts: [String] = []
    var minimum = check.shortest > 0 ? check.shortest - 2 * delimiter : 0
    if let condition = check.condition {
      let offset = condition.offset - delimiter
      minimum = max(minimum, offset + 1)
      let values = condition.values.map { "_payload[\(offset)] == 0x\(hex([$0]))" }.joined(separator: " or ")
      parts.append(condition.values.count > 1 ? "(\(values))" : values)
    }
    if minimum > 0 { parts.insert("_payload.length >= \(minimum)", at: 0) }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }

  private static func check(_ checksum: Checksum, _ when: String?) -> String {
    var text = "check: {algorithm: \"\(checksum.algorithm.name)\""
    if let range = checksum.coverage.first {
      text += ", over: [\(range.from), \(range.to.map(String.init) ?? "~")]"
    }
    text += ", at: \(checksum.position), bytes: \(checksum.byteCount), endian: \(checksum.byteOrder == .big ? "be" : "le")"
    if checksum.form == .asciiHex { text += ", as: hex" }
    if checksum.coverageForm == .asciiHex { text += ", over-as: hex" }
    if checksum.checksumBytes == .zeroed { text += ", own-bytes: zero" }
    if let when { text += ", when: \"\(when)\"" }
    return text + "}"
  }

  private mutating func stream(_ findings: StreamFindings, _ stem: String) -> String {
    let framing = findings.framing
    var parts: [String] = []
    let start = framing.start
    let shortest = findings.fields.map(\.shortest).min() ?? 0
    let longest = findings.fields.map(\.longest).max() ?? 0
    let isFixed = findings.fields.isEmpty == false && shortest == longest
    // Frames with escapes that need no delimiter in front can still have one: the byte after it is already escaped.
    let isEscaped = framing.escape.map { $0.delimiter == 0 } ?? false
    let marks = isEscaped ? start.prefix(start.first == framing.end.last ? 1 : 0) : start.prefix(2)
    if !marks.isEmpty { parts.append("start: \(Self.bytes(Array(marks)))") }
    if let length = framing.length {
      let head = "\(stem)_head"
      var seq = length.offset > 0 ? "{id: before, size: \(length.offset)}, " : ""
      let type = length.size == 1 ? "u1" : "u\(length.size)\(length.endian == .big ? "be" : "le")"
      seq += "{id: length, type: \(type)}"
      types.append("  \(head): {seq: [\(seq)]}")
      parts.append("header: \(head)")
      let value = length.unit == 1 ? "length" : "length * \(length.unit)"
      parts.append("length: \"\(value)\(length.adds < 0 ? " - \(-length.adds)" : " + \(length.adds)")\"")
    } else if let form = findings.standard?.length {
      let head = "\(stem)_head"
      types.append("  \(head): {seq: [\(form.header)]}")
      parts.append("header: \(head)")
      parts.append("length: \"\(form.value)\"")
    } else if isFixed {
      parts.append("length: \(longest)")
    } else if framing.end.isEmpty, let size = framing.packetSize {
      let head = "\(stem)_head"
      types.append("  \(head): {seq: []}")
      let build = findings.source.isRequest ? ", build: {size: \(size), first: [{header: {}}], next: {header: {}}}" : ""
      return "fragments: {header: \(head), last: \"_packet.length < \(size)\"\(build)}"
    }
    if !framing.end.isEmpty { parts.append("end: \(Self.bytes(framing.end))") }
    if framing.isPadded { parts.append("padding: 0") }
    return "stream: {\(parts.joined(separator: ", "))}"
  }

  /// Headers with a number that increases across messages, followed by frames with a length field.
  private mutating func frames(
    _ fragment: FragmentFinding, _ frame: LengthFinding, _ findings: StreamFindings, _ stem: String
  ) -> [String] {
    let bytes = 0..<fragment.header
    types.append("  \(stem)_head: {seq: [\(bytes.map { "{id: h\($0), type: u1}" }.joined(separator: ", "))]}")
    var build = ""
    if findings.source.isRequest, let sequence = fragment.sequence {
      // The state has the bytes of the previous header: the number continues from there, and all other bits stay.
      var header: [String] = []
      for byte in bytes {
        let before = "_state.\(stem)_h\(byte)"
        if byte == sequence.offset {
          let bits = Int(sequence.mask) << sequence.shift
          let next = "(\(before) + \(1 << sequence.shift)) & \(bits)"
          header.append("h\(byte): \"\(bits == 255 ? next : "(\(before) & \(255 - bits)) | (\(next))")\"")
        } else {
          header.append("h\(byte): \(before)")
        }
        state.append("\(stem)_h\(byte): 0")
      }
      build = ", set: {\(bytes.map { "\(stem)_h\($0): h\($0)" }.joined(separator: ", "))}, build: {"
      if let size = findings.framing.packetSize { build += "size: \(size), " }
      build += "first: [{header: {\(header.joined(separator: ", "))}}]}"
    }
    let before = frame.offset > 0 ? "{id: before, size: \(frame.offset)}, " : ""
    let type = frame.size == 1 ? "u1" : "u\(frame.size)\(frame.endian == .big ? "be" : "le")"
    types.append("  \(stem)_frame: {seq: [\(before){id: length, type: \(type)}]}")
    return [
      "drop: {when: \"_payload.length <= \(fragment.header)\"}", "fragments: {header: \(stem)_head\(build)}",
      "stream: {header: \(stem)_frame, length: \"length\(frame.adds < 0 ? " - \(-frame.adds)" : " + \(frame.adds)")\"}",
    ]
  }

  private mutating func fragments(_ fragment: FragmentFinding, _ findings: StreamFindings, _ stem: String) -> String {
    let head = "\(stem)_head"
    if fragment.isSelfSized {
      types.append(
        "  \(head): {seq: [{id: h0, type: u1}, {id: h1, type: u1, if: \"h0 >= 0x20 and h0 < 0x80\"}, "
          + "{id: h2, type: u1, if: \"h0 >= 0x40 and h0 < 0x80\"}]}")
      var parts = "header: \(head), first: \"h0 < 0x80\", "
      parts += "total: \"h0 < 0x20 ? h0 : h0 < 0x40 ? (h0 & 31) * 256 + h1 : h1 * 256 + h2\""
      if findings.source.isRequest, fragment.following != .unknown {
        parts += ", build: {size: \(findings.framing.packetSize ?? 20), "
        parts += "first: [{when: length < \(fragment.shortFormEnd), header: {h0: length}}, "
        parts += "{when: length < 8192, header: {h0: \"32 + length / 256\", h1: \"length % 256\"}}, "
        parts += "{header: {h0: 64, h1: \"length / 256\", h2: \"length % 256\"}}], "
        parts += "next: {header: {h0: \"\(fragment.following == .constant ? "128" : "128 + index % 16")\"}}}"
      }
      return "fragments: {\(parts)}"
    }
    let isLong = fragment.length != nil && fragment.firstHeader != fragment.header
    func read(_ part: BitPart) -> String {
      part.shift == 0
        ? (part.mask == 0xff ? "h\(part.offset)" : "(h\(part.offset) & \(part.mask))")
        : "((h\(part.offset) >> \(part.shift)) & \(part.mask))"
    }
    let first = fragment.state.map { state in fragment.firstValues.map { "\(read(state)) == \($0)" }.joined(separator: " or ") } ?? ""
    var seq: [String] = []
    for byte in 0..<max(fragment.header, fragment.firstHeader) {
      var field = "{id: h\(byte), type: u1"
      if fragment.condition != nil {
        field += ", if: is_part"
      } else if isLong, !first.isEmpty, byte >= min(fragment.header, fragment.firstHeader) {
        field += ", if: \"\(fragment.firstHeader > fragment.header ? first : "not (\(first))")\""
      }
      seq.append(field + "}")
    }
    var instances = ""
    if let condition = fragment.condition {
      let matchesKey = condition.values.map { "key == 0x\(hex([$0]))" }.joined(separator: " or ")
      let size = "_io.size > \(fragment.header)"
      instances = ", instances: {key: {pos: \(condition.offset), type: u1, if: \(size)}, is_part: {value: \"\(size) and (\(matchesKey))\"}}"
    }
    var total: String?
    if let length = fragment.length {
      var value = ""
      let order = length.endian == .big ? Array(0..<length.size) : Array((0..<length.size).reversed())
      for (index, byte) in order.enumerated() {
        let at = "h\(length.offset + byte)"
        value = index == 0 ? at : "(\(value)) * 256 + \(at)"
      }
      if fragment.lengthMask != 0 { value = "(\(value)) & \(fragment.lengthMask)" }
      total = "\(value)\(length.adds == 0 ? "" : " + \(length.adds)")"
      if !isLong, !first.isEmpty, let value = total {
        // Continuation packets have the same header bytes, but no length in them.
        instances = ", instances: {total: {value: \"\(value)\", if: \"\(first)\"}}"
        total = "total"
      }
    }
    types.append("  \(head): {seq: [\(seq.joined(separator: ", "))]\(instances)}")
    if fragment.condition != nil, let index = fragment.index, let total = fragment.total {
      return "fragments: {header: \(head), first: \"not is_part or \(read(index)) == \(fragment.indexBase)\", "
        + "count: \"is_part ? \(read(total)) : 1\", index: \"is_part ? \(read(index)) : \(fragment.indexBase)\", "
        + "first-index: \(fragment.indexBase)}"
    }
    var parts = ["header: \(head)"]
    if !first.isEmpty {
      parts.append("first: \"\(first)\"")
    } else if let index = fragment.index, !fragment.countsDown {
      parts.append("first: \"\(read(index)) == \(fragment.indexBase)\"")
    }
    if let total {
      parts.append("total: \"\(total)\"")
    } else if let state = fragment.state, !fragment.lastValues.isEmpty {
      parts.append("last: \"" + fragment.lastValues.map { "\(read(state)) == \($0)" }.joined(separator: " or ") + "\"")
    } else if let total = fragment.total {
      parts.append("count: \"\(read(total))\(fragment.totalAdds == 0 ? "" : " + \(fragment.totalAdds)")\"")
      if let index = fragment.index { parts.append("index: \"\(read(index))\", first-index: \(fragment.indexBase)") }
    } else if fragment.countsDown, let index = fragment.index {
      parts.append("last: \"\(read(index)) == \(fragment.indexBase)\"")
    } else if let size = findings.framing.packetSize {
      parts.append("last: \"_packet.length < \(size)\"")
    }
    if findings.source.isRequest, let build = build(fragment, findings, stem) { parts.append(build) }
    return "fragments: {\(parts.joined(separator: ", "))}"
  }

  /// The rule for encoding headers; nil where too little is known about them. Bytes that are the same in all packets of a message are kept in the
  /// state.
  private mutating func build(_ fragment: FragmentFinding, _ findings: StreamFindings, _ stem: String) -> String? {
    let size = findings.framing.packetSize ?? 20
    if let length = fragment.length, (length.offset, length.size, length.adds) == (0, 1, 0), fragment.header == 1,
      fragment.firstHeader == 1, fragment.lengthMask > 0, fragment.following != .unknown
    {
      let next = fragment.following == .constant ? "128" : "128 + index % 16"
      let first = "{when: length <= \(fragment.lengthMask), header: {h0: length}}"
      return "build: {size: \(size), first: [\(first)], next: {header: {h0: \"\(next)\"}}}"
    }
    guard fragment.parts.count == fragment.header, fragment.header == fragment.firstHeader else { return nil }
    var first: [String] = []
    var next: [String] = []
    var set: [String] = []
    for part in fragment.parts {
      let id = "h\(part.offset)"
      func both(_ value: String) {
        first.append("\(id): \"\(value)\"")
        next.append("\(id): \"\(value)\"")
      }
      switch part.role {
      case .constant(let value): both("\(value)")
      case .index(let base):
        first.append("\(id): \(base)")
        next.append("\(id): \"index + \(base + 1)\"")
      case .total(let adds): both(adds == 0 ? "count" : "count - \(adds)")
      case .length(let adds): both("(bytes + \(fragment.header - adds)) & 255")
      case .sequence(let step):
        let name = "\(stem)_\(id)"
        first.append("\(id): \"(_state.\(name) + \(step)) & 255\"")
        next.append("\(id): \"_state.\(name)\"")
        set.append("\(name): \(id)")
      case .common:
        let name = "\(stem)_\(id)"
        both("_state.\(name)")
        set.append("\(name): \(id)")
      case .unknown: return nil
      }
    }
    for entry in set { state.append("\(entry.prefix { $0 != ":" }): 0") }
    var text = ""
    if !set.isEmpty { text += "set: {\(set.joined(separator: ", "))}, " }
    return text + "build: {size: \(size), first: [{header: {\(first.joined(separator: ", "))}}], next: {\(next.joined(separator: ", "))}}"
  }

  /// The state before a message whose first packet is `packet`.
  private static func before(_ packet: [UInt8], _ findings: StreamFindings, _ stem: String) -> String? {
    guard let fragment = findings.framing.fragment, findings.framing.kind == .fragments else { return nil }
    if fragment.frame != nil, let sequence = fragment.sequence {
      guard packet.count >= fragment.header else { return nil }
      let bits = sequence.mask << UInt8(sequence.shift)
      return (0..<fragment.header).map { byte in
        let value = packet[byte]
        let before = (value &- 1 << UInt8(sequence.shift)) & bits | value & ~bits
        return "\(stem)_h\(byte): \(byte == sequence.offset ? before : value)"
      }.joined(separator: ", ")
    }
    guard fragment.parts.count == fragment.header, fragment.header == fragment.firstHeader else { return nil }
    var list: [String] = []
    for part in fragment.parts where part.offset < packet.count {
      switch part.role {
      case .sequence(let step):
        list.append("\(stem)_h\(part.offset): \(packet[part.offset] &- UInt8(truncatingIfNeeded: step))")
      case .common: list.append("\(stem)_h\(part.offset): \(packet[part.offset])")
      case .unknown: return nil
      default: break
      }
    }
    return list.isEmpty ? nil : list.joined(separator: ", ")
  }

  // MARK: The body

  private mutating func body(_ findings: StreamFindings, _ stem: String) -> String {
    guard findings.detail == .all || findings.detail == .withoutCheck else { return "bytes" }
    let framing = findings.framing
    let sliced = Self.isSliced(framing) && findings.detail == .all
    let off = sliced ? -(framing.check?.checksum.position ?? 0) : 0
    var alternatives: [String] = []
    for kind in findings.fields.prefix(24) where kind.count > 0 {
      // If delimiters were removed, offsets count from the end of the first, and from the start of the last.
      let cut = framing.delimiter
      var fields = kind.fields.filter { cut == 0 || $0.offset >= cut || $0.offset < -cut }
      for index in fields.indices { fields[index].offset += fields[index].offset < 0 ? cut : -cut }
      let positive = fields.filter { $0.offset >= 0 && $0.size != nil }
      let negative = sliced ? [] : fields.filter { $0.offset < 0 }
      let tail = negative.map { -$0.offset }.max() ?? 0
      let room = kind.shortest - 2 * cut - off - tail
      let fixed = positive.filter { $0.offset + ($0.size ?? 0) <= room }
      guard !fixed.isEmpty || tail > 0 else { continue }
      let isLength = findings.kinds?.isLength ?? false
      let name = "\(stem)" + (isLength ? "_of_\(kind.longest)" : kind.kind.isEmpty ? "" : "_\(hex(kind.kind))")
      var seq: [String] = []
      var at = 0
      var used = Set<String>()
      for field in fixed {
        if field.offset < at { continue }
        if field.offset > at { seq.append("      - {id: gap_\(at), size: \(field.offset - at)}") }
        seq.append("      - " + Self.field(field, &used))
        at = field.offset + (field.size ?? 0)
      }
      let isText = fields.contains { $0.type == .text && $0.size == nil && $0.offset == at }
      let (rest, shown) = isText ? ("text", ", -as: text") : ("rest", "")
      if tail > 0 {
        seq.append("      - {id: \(rest), size: \"_io.size - \(at + tail)\"\(shown)}")
        for field in negative.sorted(by: { $0.offset < $1.offset }) { seq.append("      - " + Self.field(field, &used)) }
      } else {
        seq.append("      - {id: \(rest), size-eos: true\(shown)}")
      }
      types.append("  \(name):\n    seq:\n" + seq.joined(separator: "\n"))
      var when = isLength ? "_payload.length == \(kind.longest - 2 * cut - off)" : "_payload.length >= \(at + tail)"
      if let kinds = findings.kinds, !kind.kind.isEmpty {
        for (index, byte) in kind.kind.enumerated() { when += " and _payload[\(kinds.offset + index - cut)] == 0x\(hex([byte]))" }
      }
      alternatives.append("{when: \"\(when)\", message: \(name)}")
    }
    if alternatives.isEmpty { return findings.isText && framing.escape == nil ? "text" : "bytes" }
    return "[\(alternatives.joined(separator: ", ")), bytes]"
  }

  private static func field(_ field: FieldFinding, _ used: inout Set<String>) -> String {
    let size = field.size ?? 0
    let order = field.endian == .little ? "le" : "be"
    let suffix = field.offset < 0 ? "end_\(-field.offset)" : "\(field.offset)"
    var id: String
    var type = "size: \(size)"
    func number(_ letter: String) -> String? {
      switch size {
      case 1: "type: \(letter)1"
      case 2, 4, 8: "type: \(letter)\(size)\(order)"
      default: nil
      }
    }
    switch field.type {
    case _ where field.isHex && field.type != .checksum: (id, type) = ("digits_\(suffix)", "size: \(size), -as: text")
    case .length: (id, type) = ("length", number("u") ?? type)
    case .checksum: (id, type) = ("checksum", field.isHex ? "size: \(size), -as: text" : (number("u") ?? type) + ", -hidden: true")
    case .counter: (id, type) = ("counter", number("u") ?? type)
    case .kind: (id, type) = ("kind", size <= 2 && size != 0 ? (size == 1 ? "type: u1" : "type: u2be") : type)
    case .enum, .flags, .uint: (id, type) = ("unknown_\(suffix)", number("u") ?? type)
    case .int: (id, type) = ("unknown_\(suffix)", number("s") ?? type)
    case .float: (id, type) = ("float_\(suffix)", number("f") ?? type)
    case .timestamp: (id, type) = ("time_\(suffix)", number("u") ?? type)
    // Shorter texts are padded with zeros, which are not read as text.
    case .text: (id, type) = ("text_\(suffix)", "size: \(size), pad-right: 0, -as: text")
    case .address: (id, type) = ("address_\(suffix)", "size: \(size), -as: \(field.endian == .little ? "mac-le" : "mac")")
    case .constant: id = "constant_\(suffix)"
    case .padding: (id, type) = ("padding_\(suffix)", type)
    default: id = "unknown_\(suffix)"
    }
    if let name = field.name, name.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_") }) {
      id = name
    }
    if !used.insert(id).inserted { id += "_\(suffix)" }
    used.insert(id)
    return "{id: \(id), \(type)}  # \(field.type.rawValue): \(field.evidence)"
  }
}

extension StreamFindings {
  /// Whether messages are text.
  var isText: Bool { fields.count == 1 && fields[0].fields.contains { $0.type == .text && $0.offset == 0 } }
}
