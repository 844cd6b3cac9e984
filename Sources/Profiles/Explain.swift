import PacketCodecs

extension CompiledProfile {
  /// Appends what the profile matches, what carries what, and through which layers, for people.
  public func explain(to output: inout [UInt8]) {
    output.append("\(id): \(title)\n")
    if let origin { output.append("  from      \(origin)\n") }
    if match.isEmpty {
      output.append("  matches   any device, by the UUIDs below\n")
    } else {
      for (place, rule) in match.enumerated() {
        var parts: [String] = []
        func add(_ word: String, _ values: [String]) { if !values.isEmpty { parts.append(word + " " + values.joined(separator: " or ")) } }
        add("service", rule.services.map(\.description))
        add("data of service", rule.serviceData.map(\.description))
        add("data of company", rule.companies.map { "0x" + String($0, radix: 16) })
        add("name", rule.names)
        add("characteristic", rule.characteristics.map(\.description))
        add("address", rule.addresses)
        output.append(place == 0 ? "  matches   " : "         or ")
        output.append(parts.joined(separator: ", and "))
        output.append("\n")
      }
    }
    for source in sources {
      var keys = source.uuids.map(\.description)
      keys += source.handles.map { "handle 0x" + String($0, radix: 16) }
      keys += source.numbers.map { (source.kind == .l2cap ? "PSM " : "channel ") + String($0) }
      keys += source.companies.map { "company 0x" + String($0, radix: 16) }
      keys += source.serviceData.map { "service data \($0)" }
      keys += source.names.map { "name \($0)" }
      output.append("  \(source.kind.word) \(source.id)  \(keys.joined(separator: ", "))\n")
      for direction in Direction.allCases {
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
  }
}

extension CompiledLayer {
  /// The layer in a few words.
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
    case .fragments: "fragments"
    case .stream(let stream): stream.rules.fixedTotal.map { "stream of \($0) bytes" } ?? "stream"
    case .expect: "as long as the request says"
    case .check(let checksum, _, _, _): "check \(checksum.algorithm.name)"
    case .slice(let from, let to):
      "slice \(from.number.map(String.init) ?? "?")\u{2026}\(to.map { $0.number.map(String.init) ?? "?" } ?? "")"
    case .drop: "drop"
    }
  }
}
