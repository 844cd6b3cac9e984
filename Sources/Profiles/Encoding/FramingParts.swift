import PacketCodecs
import YAML

/// A part of the bytes before the payload that the layers of a profile remove from a packet.
package struct FramingPart: Sendable {
  /// The content of its bytes.
  package enum Kind: Sendable {
    /// Bytes that are always the same.
    case marker
    /// A number, or bits.
    case number
    /// Other content.
    case other
  }
  package var kind: Kind
  /// Number of bytes.
  package var count: Int
  /// Its name in the header's type, or those of all numbers that share its bytes; none where no type describes it.
  package var names: [String] = []
  /// Its unit, or those of the numbers that share its bytes.
  package var units: [String] = []
  /// Whether the profile marks it as secret.
  package var isSecret = false
  /// Whether the profile marks it as personal data, or as not personal; nil where it does neither.
  package var isPersonal: Bool?
}

extension ProfileMessage {
  /// The parts of a packet before this message's payload, in order, for `bytes`; nil where they depend on the packet.
  package func partsBefore(_ bytes: [UInt8]) -> [FramingPart]? {
    var parts: [FramingPart] = []
    // The parts at the start of a frame, which a slice after the layer removes.
    var frame: [FramingPart] = []
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers {
      switch layer {
      case .slice(let from, _):
        guard let count = from.number, count >= 0 else { return nil }
        parts += Self.take(count, of: &frame)
      case .stream(let stream):
        frame = stream.hasFixedHeader ? stream.headerParts ?? [] : []
        if let start = stream.rules.starts.first(where: { bytes.starts(with: $0) }) {
          _ = Self.take(start.count, of: &frame)
          frame.insert(FramingPart(kind: .marker, count: start.count), at: 0)
        } else if !stream.rules.starts.isEmpty {
          return nil
        }
      // The packet contains its length at some position.
      case .expect: frame = [FramingPart(kind: .number, count: 4, isPersonal: false)]
      case .strip(let rules):
        guard rules.noise.isEmpty, rules.until.isEmpty else { return nil }
        if rules.head > 0 { parts.append(FramingPart(kind: .other, count: rules.head)) }
        // Any one of several prefixes can be present, or none.
        guard rules.prefixes.count <= 1 else { return nil }
        if let prefix = rules.prefixes.first { parts.append(FramingPart(kind: .marker, count: prefix.count)) }
      case .fragments(let rules):
        guard let header = rules.headerParts, rules.hasFixedHeader else {
          return rules.header == nil && rules.payloadFrom == nil ? parts : nil
        }
        parts += header
        if let from = rules.payloadFrom, case let rest = from - header.reduce(0, { $0 + $1.count }), rest != 0 {
          guard rest > 0 else { return nil }
          parts.append(FramingPart(kind: .other, count: rest))
        }
      case .check, .checkPackets, .drop, .unescape, .scramble, .decrypt: continue
      }
    }
    return parts
  }

  /// Removes the first bytes of parts; bytes beyond the parts have other content.
  private static func take(_ count: Int, of parts: inout [FramingPart]) -> [FramingPart] {
    var left = count
    var taken: [FramingPart] = []
    while left > 0, var part = parts.first {
      parts.removeFirst()
      if part.count > left {
        var rest = part
        rest.count -= left
        parts.insert(rest, at: 0)
        part.count = left
      }
      left -= part.count
      taken.append(part)
    }
    if left > 0 { taken.append(FramingPart(kind: .other, count: left)) }
    return taken
  }

  /// The fields of the headers of its fragments, of fixed size or not; nil where it has none.
  package var headerParts: [FramingPart]? {
    for layer in profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers {
      if case .fragments(let rules) = layer { return rules.headerParts }
    }
    return nil
  }

  /// The byte sequences of which one can precede a message in a stream.
  package var prefixes: [[UInt8]] {
    profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers.flatMap { layer -> [[UInt8]] in
      if case .stream(let stream) = layer { stream.rules.prefixes } else { [] }
    }
  }

  /// The byte sequences of which one can end the bytes after a payload: end markers of a frame, and stripped suffixes.
  package var endMarkers: [[UInt8]] {
    profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers.flatMap { layer -> [[UInt8]] in
      switch layer {
      case .strip(let rules): rules.suffixes
      case .stream(let stream): stream.rules.ends
      default: []
      }
    }
  }
}

extension FramingPart {
  private static let deepest = 4

  /// The parts of a header, by the fields of its type, and whether each has a fixed size. `type` finds the fields of a type of the profile.
  static func parts(_ fields: [Node], depth: Int = 0, type find: (String) -> [Node]?) -> (parts: [FramingPart], isFixed: Bool) {
    var parts: [FramingPart] = []
    var isFixed = true
    var bits = 0
    for field in fields {
      var part = FramingPart(kind: .number, count: 0, names: [field.mapping?["id"]?.string ?? ""])
      part.units = [field.mapping?["-unit"]?.string].compactMap { $0 }
      part.isSecret = field.mapping?["-secret"]?.string == "true"
      part.isPersonal = field.mapping?["-personal"]?.string.map { $0 == "true" } ?? (field.mapping?["-as"]?.string == "unix" ? true : nil)
      if ["if", "repeat", "process", "size-eos"].contains(where: { field.mapping?[Node($0)] != nil }) { isFixed = false }
      let type = field.mapping?["type"]?.string ?? ""
      let size = field.mapping?["size"]?.string
      let digits = type.dropFirst().prefix { $0.isNumber }
      if let contents = field.mapping?["contents"] {
        part.kind = .marker
        part.count = contents.sequence?.count ?? contents.string?.utf8.count ?? 0
      } else if type.first == "b", let width = Int(String(digits)), width > 0, width <= 64 {
        // Numbers that share a byte are one part.
        let end = bits & 7 + width
        if bits & 7 != 0, var shared = parts.popLast() {
          shared.names += part.names
          shared.units += part.units
          shared.isSecret = shared.isSecret || part.isSecret
          if shared.isPersonal != true {
            shared.isPersonal = part.isPersonal == true ? true : shared.isPersonal == part.isPersonal ? part.isPersonal : nil
          }
          shared.count += (end + 7) / 8 - 1
          parts.append(shared)
        } else {
          part.count = (width + 7) / 8
          parts.append(part)
        }
        bits = end
        continue
      } else if let first = type.first, "usf".contains(first), let count = digits.first.flatMap({ Int(String($0)) }) {
        part.count = count
      } else if depth < deepest, size == nil, let inner = find(type) {
        let inner = Self.parts(inner, depth: depth + 1, type: find)
        // Properties of the outer field hold for its parts.
        parts += inner.parts.map {
          var combined = $0
          combined.isSecret = combined.isSecret || part.isSecret
          combined.isPersonal = combined.isPersonal ?? part.isPersonal
          combined.names += part.names
          return combined
        }
        isFixed = isFixed && inner.isFixed
        bits = 0
        continue
      } else {
        part.kind = .other
        part.count = size.flatMap { Int($0) } ?? 0
      }
      if part.count <= 0 { isFixed = false }
      bits = 0
      parts.append(part)
    }
    return (parts, isFixed)
  }
}
