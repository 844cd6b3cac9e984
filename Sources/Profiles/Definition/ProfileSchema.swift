import Text

/// The JSON Schema (draft 7) of profiles, made from the table of keys that the loader reads (``MappingKind``).
///
/// It allows what the loader allows: scalars with or without quotes, `~` for a key that removes an inherited one, a single value instead of a list of
/// one. Values that only the loader can check (names, types, expressions) are any text.
public enum ProfileSchema {
  /// The schema as JSON, with a line break at its end.
  public static var json: [UInt8] {
    var out: [UInt8] = []
    schema.append(to: &out, depth: 0)
    out.append(UInt8(ascii: "\n"))
    return out
  }

  /// A value of JSON whose objects keep the order of their keys.
  private indirect enum JSON {
    case null, bool(Bool), int(Int), text(String), list([JSON]), object([(String, JSON)])

    func append(to out: inout [UInt8], depth: Int) {
      func breakLine(_ depth: Int) {
        out.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { out.append(" ") }
      }
      switch self {
      case .null: out.append("null")
      case .bool(let truth): out.append(truth ? "true" : "false")
      case .int(let number): out.append(String(number))
      case .text(let text): out.append(jsonString: text)
      case .list(let values):
        out.append("[")
        for (index, value) in values.enumerated() {
          if index > 0 { out.append(", ") }
          value.append(to: &out, depth: depth + 1)
        }
        out.append("]")
      case .object(let pairs):
        out.append("{")
        for (index, (key, value)) in pairs.enumerated() {
          if index > 0 { out.append(",") }
          if depth < 4 { breakLine(depth + 1) } else if index > 0 { out.append(" ") }
          out.append(jsonString: key)
          out.append(": ")
          value.append(to: &out, depth: depth + 1)
        }
        if depth < 4, !pairs.isEmpty { breakLine(depth) }
        out.append("}")
      }
    }
  }

  private typealias Pairs = [(String, JSON)]

  private static var schema: JSON {
    .object(
      [
        ("$schema", .text("http://json-schema.org/draft-07/schema#")),
        ("title", .text("Profile of btscribe")),
        ("description", .text("How the bytes of a Bluetooth device become messages: btscribe-profile(5).")),
      ] + object(.profile) + [
        ("definitions", .object(MappingKind.allCases.filter { $0 != .profile }.map { ($0.rawValue, .object(object($0))) }))
      ])
  }

  /// A mapping with the keys of its kind.
  private static func object(_ mapping: MappingKind) -> Pairs {
    var pairs: Pairs = [
      ("type", .text("object")),
      ("additionalProperties", .bool(false)),
      (
        "properties",
        .object(
          mapping.keys.map { key in
            (key.name, .object((key.help.isEmpty ? [] : [("description", .text(key.help))]) + nullable(key.value)))
          })
      ),
    ]
    let required = mapping.keys.filter(\.isRequired)
    if !required.isEmpty { pairs.append(("required", .list(required.map { .text($0.name) }))) }
    if case .profile = mapping {
      pairs.append(("anyOf", .list(["profile", "library"].map { .object([("required", .list([.text($0)]))]) })))
    }
    if case .test = mapping {
      // Either the packets of one source, or of several in order; and the expected messages.
      func has(_ keys: String...) -> JSON { .object([("required", .list(keys.map(JSON.text)))]) }
      func any(_ choices: [JSON]) -> JSON { .object([("anyOf", .list(choices))]) }
      let single = JSON.object([
        (
          "allOf",
          .list([any([has("characteristic"), has("source"), has("advertisement")]), any([has("packets"), has("payload")])])
        )
      ])
      pairs.append(("allOf", .list([any([has("exchange"), single]), any([has("expect"), has("merged")])])))
    }
    return pairs
  }

  /// The value of a key, or null, which removes an inherited key.
  private static func nullable(_ shape: KeyValueShape) -> Pairs {
    let all = choices(shape)
    if all.count == 1, isScalar(shape) { return all[0] }
    if case .any = shape { return [] }
    return [("anyOf", .list(all.map(JSON.object) + [.object([("type", .text("null"))])]))]
  }

  /// Shapes whose own schema allows null.
  private static func isScalar(_ shape: KeyValueShape) -> Bool {
    switch shape {
    case .mapping, .named, .list, .either, .bytes, .byteStrings, .range: false
    default: true
    }
  }

  /// Schemas of which a value must match one.
  private static func choices(_ shape: KeyValueShape) -> [Pairs] {
    switch shape {
    case .either(let shapes): return shapes.flatMap(choices)
    case .list(let inner):
      let single = choices(inner)
      return single + [arrayPairs(any(single))]
    case .bytes: return [schema(.text), arrayPairs(schema(.integer(0...255)))]
    case .byteStrings: return [schema(.text), arrayPairs(any(choices(.bytes)))]
    default: return [schema(shape)]
    }
  }

  private static func any(_ choices: [Pairs]) -> Pairs { choices.count == 1 ? choices[0] : [("anyOf", .list(choices.map(JSON.object)))] }

  private static func types(_ names: String...) -> (String, JSON) { ("type", .list((names + ["null"]).map(JSON.text))) }

  private static func arrayPairs(_ items: Pairs) -> Pairs { [("type", .text("array")), ("items", .object(items))] }

  /// The schema of a shape.
  private static func schema(_ shape: KeyValueShape) -> Pairs {
    switch shape {
    case .text, .expression, .number, .bound: return [types("string", "number", "boolean")]
    case .integer(let range):
      // The loader accepts any base, and quotes.
      return [
        types("integer", "string"), ("pattern", .text("^[-+]?(0[xX][0-9a-fA-F_]+|0o[0-7_]+|0b[01_]+|[0-9][0-9_]*)$")),
      ]
        + (range.lowerBound == .min ? [] : [("minimum", .int(range.lowerBound))])
        + (range.upperBound == .max ? [] : [("maximum", .int(range.upperBound))])
    case .flag: return [("enum", .list([.bool(true), .bool(false), .text("true"), .text("false"), .null]))]
    case .kaitaiFlag:
      return [types("boolean", "string"), ("pattern", .text("^(true|false|yes|no|on|off)$"))]
    case .words(let words):
      let truths = words.compactMap { $0 == "true" ? JSON.bool(true) : $0 == "false" ? JSON.bool(false) : nil }
      return [("enum", .list(words.map(JSON.text) + truths + [.null]))]
    case .uuid: return [types("string", "number"), ("pattern", .text("^(0x)?[0-9A-Fa-f-]+$"))]
    case .duration: return [types("string"), ("pattern", .text("^[0-9]+ +(us|ms|s|min)$"))]
    case .hex: return [types("string", "number"), ("pattern", .text("^[0-9A-Fa-f: \\t\\n]*$"))]
    case .range:
      return [("type", .text("array")), ("minItems", .int(1)), ("maxItems", .int(2)), ("items", .object(schema(.text)))]
    case .mapping(let mapping): return [("$ref", .text("#/definitions/\(mapping.rawValue)"))]
    case .named(let inner): return [("type", .text("object")), ("additionalProperties", .object(nullable(inner)))]
    case .list, .either, .bytes, .byteStrings: return any(choices(shape))
    case .any: return []
    }
  }
}
