import Ciphers
import PacketCodecs
import YAML

extension ProfileSet {
  /// Warnings about a valid profile that probably has another meaning than intended, one line each with its position in the file. Throws
  /// ``ProfileError`` where it has a mistake.
  public func remarks(_ number: Int) throws -> [String] {
    let definition = try definition(number)
    var remarks: [String] = []
    let types = definition.kaitai.mapping?["types"]?.mapping
    let meta = definition.kaitai.mapping?["meta"]
    for (name, type) in types ?? Node.Mapping([]) {
      let own = type.mapping?["meta"]
      guard meta?["bit-endian"] == nil, own?["bit-endian"] == nil, (own?["endian"] ?? meta?["endian"])?.string == "le" else { continue }
      // Within one byte bits are always taken from the top; in a number over several bytes the byte order is ambiguous.
      var bits = 0
      for field in type.mapping?["seq"]?.sequence.map(Array.init) ?? [] {
        guard let word = field["type"]?.string, word.first == "b", let width = Int(word.dropFirst()) else {
          bits = 0
          continue
        }
        let first = bits % 8
        bits += width
        guard first + width > 8 else { continue }
        let location = field.mark.map { ":\($0.line):\($0.column)" } ?? ""
        remarks.append(
          "\(definition.file)\(location): \(word) in type \"\(name.string ?? "")\" spans bytes and is read from the top bit, though endian is le: "
            + "\"meta: {bit-endian: le}\" reads from the lowest, \"bit-endian: be\" says that this is meant")
        break
      }
    }
    return remarks
  }
}

extension CompiledProfile {
  /// The types that the file defines.
  private var ownTypeNames: [String] {
    program.typeNames.compactMap { name in
      let parts = name.split(separator: ":", omittingEmptySubsequences: true)
      return parts.count == 2 ? String(parts[1]) : nil
    }
  }

  /// A description of the profile: matching devices, the messages of each source, and their layers.
  public var explanation: String {
    var output = ""
    output.append("\(id): \(title)\n")
    if let kind { output.append("  kind      \(kind)\n") }
    if let origin { output.append("  from      \(origin)\n") }
    if let status { output.append("  status    \(status.rawValue)\n") }
    if kind == Definition.libraryKind {
      output.append("  has       types \(ownTypeNames.joined(separator: ", "))\n")
    } else if match.isEmpty {
      output.append("  matches   any device, by what is named below\n")
    } else {
      for (index, rule) in match.enumerated() {
        var parts: [String] = []
        func add(_ word: String, _ values: [String]) { if !values.isEmpty { parts.append(word + " " + values.joined(separator: " or ")) } }
        add("service", rule.services.map(\.description))
        add("data of service", rule.serviceData.map(\.description))
        add("data of company", rule.companies.map { "0x" + String($0, radix: 16) })
        add("name", rule.names)
        add("characteristic", rule.characteristics.map(\.description))
        add("address", rule.addresses)
        output.append(index == 0 ? "  matches   " : "         or ")
        output.append(parts.joined(separator: ", and "))
        output.append("\n")
      }
    }
    for key in keys {
      output.append("  key       \(key.name), \(key.count) bytes" + (key.note.map { ": \($0)" } ?? ""))
      output.append(key.standard == nil ? "\n" : "; has a default\n")
    }
    for source in sources {
      var keys = source.uuids.map(\.description)
      keys += source.handles.map { "handle 0x" + String($0, radix: 16) }
      keys += source.numbers.map { (source.kind == .l2cap ? "PSM " : "channel ") + String($0) }
      keys += source.companies.map { "company 0x" + String($0, radix: 16) }
      if source.isOfAnyCompany { keys.append("any company") }
      keys += source.serviceData.map { "service data \($0)" }
      keys += source.structures.map { "AD type 0x" + String($0, radix: 16) }
      if source.kind == .advertisement || source.kind == .characteristic { keys += source.services.map { "service \($0)" } }
      if source.isWhole { keys.append("all AD structures") }
      keys += source.names.map { "name \($0)" }
      output.append("  \(source.kind.word) \(source.id)  \(keys.joined(separator: ", "))\n")
      for direction in ValueDirection.allCases {
        let rules = source.directions[Int(direction.rawValue)]
        guard rules.carries, (source.kind == .advertisement) == (direction == .advertise) else { continue }
        let names = rules.alternatives.map { messages[$0.message].id + ($0.when == nil ? "" : "?") }
        let layers = rules.layers.map(\.words)
        output.append("    \(direction.key): ")
        output.append((layers + [names.joined(separator: " | ")]).joined(separator: " \u{2192} "))
        output.append("\n")
      }
      for answer in source.answers {
        output.append("    answers \(sources[answer.source].id)\(answer.staysOpen ? ", again and again" : "")\n")
      }
    }
    return output
  }
}

extension CompiledLayer {
  /// A short description of the layer.
  var words: String {
    switch self {
    case .strip: "strip"
    case .unescape(let escape):
      switch escape {
      case .cobs: "COBS"
      case .slip: "SLIP"
      case .hdlc: "HDLC escapes"
      case .asciiHex: "hexadecimal digits"
      default: "unescape"
      }
    case .scramble: "XOR"
    case .fragments(let fragments): fragments.isMerge ? "merge" : "fragments"
    case .stream(let stream): stream.rules.fixedTotal.map { "stream of \($0) bytes" } ?? "stream"
    case .expect: "as long as the request says"
    case .check(let checksum, _, _, _): "check \(checksum.algorithm.name)"
    case .checkPackets(let checksum, _, _): "check \(checksum.algorithm.name) over packets"
    case .slice(let from, let to):
      "slice \(from.number.map(String.init) ?? "?")\u{2026}\(to.map { $0.number.map(String.init) ?? "?" } ?? "")"
    case .drop: "drop"
    case .decrypt(let rules): "AES-\(rules.mode.rawValue.uppercased())"
    }
  }
}
