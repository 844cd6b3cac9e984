import Kaitai
import YAML

/// How a field is shown: what its keys that begin with a dash say.
struct FieldStyle: Sendable {
  /// How a value is written besides its kind.
  enum Format: UInt8, Sendable {
    case plain, hex, bool, mac, macReversed, uuid, uuidReversed, ip, text, unixTime, sfloat, float32, percent
  }
  var name: [UInt8] = []
  /// The name, or `-label`, for people: blanks for underscores.
  var label: [UInt8] = []
  var unit: [UInt8] = []
  var scale: Scale?
  var scaleBy: ExpressionID?
  var absent: [Int64] = []
  var format = Format.plain
  var isHidden = false
  var isSecret = false
  var body: InnerBody?
  /// What is encoded where the field is not given.
  var standard: FieldTree?
}

/// What a raw number is multiplied by and moved by, as a fraction, so that one division rounds it as its decimals are written.
struct Scale: Equatable, Sendable {
  var numerator: Double
  var denominator: Double
  var offset: Double

  /// The value of a raw number.
  func apply(_ raw: Double) -> Double { (raw * numerator + offset) / denominator }
  /// The raw number of a value.
  func undo(_ value: Double) -> Double { (value * denominator - offset) / numerator }

  /// Reads `0.01`, `10`, `1/1024` and an offset such as `-40` or `-273.15`. Returns nil where one is no number.
  init?(_ scale: String?, offset: String?) {
    guard let factor = Self.fraction(scale ?? "1"), let shift = Self.fraction(offset ?? "0"), factor.numerator != 0 else { return nil }
    // raw × n/d + m/e = (raw × n×e + m×d) / (d×e)
    numerator = factor.numerator * shift.denominator
    self.offset = shift.numerator * factor.denominator
    denominator = factor.denominator * shift.denominator
    guard numerator.isFinite, self.offset.isFinite, denominator.isFinite else { return nil }
    for common in [10.0, 2.0] {
      while (numerator / common).rounded() * common == numerator, (self.offset / common).rounded() * common == self.offset,
        (denominator / common).rounded() * common == denominator, denominator > 1
      {
        numerator /= common
        self.offset /= common
        denominator /= common
      }
    }
  }

  private static func fraction(_ text: String) -> (numerator: Double, denominator: Double)? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let above = fraction(String(parts[0])), let below = fraction(String(parts[1])), below.numerator != 0 else { return nil }
      return (above.numerator * below.denominator, above.denominator * below.numerator)
    }
    let digits = text.filter { $0 != " " && $0 != "_" }
    guard !digits.isEmpty, Double(digits) != nil else { return nil }
    let lower = digits.lowercased()
    guard !lower.contains("n"), !lower.contains("x") else { return nil }
    let exponentParts = lower.split(separator: "e")
    let mantissa = exponentParts[0]
    var power = exponentParts.count > 1 ? Int(exponentParts[1]) ?? 0 : 0
    guard (-29...29).contains(power) else { return nil }
    var whole = String(mantissa)
    if let point = mantissa.firstIndex(of: ".") {
      power -= mantissa.distance(from: mantissa.index(after: point), to: mantissa.endIndex)
      whole.remove(at: whole.firstIndex(of: ".") ?? whole.startIndex)
    }
    guard var above = Double(whole) else { return nil }
    var below = 1.0
    for _ in 0..<abs(power) { if power > 0 { above *= 10 } else { below *= 10 } }
    return above.isFinite && below.isFinite ? (above, below) : nil
  }
}

/// How a type is shown.
struct TypeStyle: Sendable {
  var say: SayTemplate?
  /// Its first field that is not hidden stands for the whole.
  var isInline = false
  /// It is an id and a value: people read "id value".
  var isPair = false
}

/// A line for people: text with the values of fields in it.
struct SayTemplate: Sendable {
  indirect enum Part: Sendable {
    case text([UInt8])
    /// The field at the end of the path, padded with zeros to a number of digits, or as hexadecimal.
    case field(path: [Symbol], digits: Int, isHex: Bool)
    /// Shown only where every field in it has something to show.
    case optional([Part])
  }
  var parts: [Part]

  /// Reads `{id}: {values}[, {rest}]`; `{{` and `[[` are the brackets themselves. `symbol` finds names.
  init(_ text: String, symbol: (String) -> Symbol?) throws(SayTemplateError) {
    var rest = Substring(text)
    parts = try Self.parse(&rest, symbol, depth: 0)
  }

  private static func parse(_ rest: inout Substring, _ symbol: (String) -> Symbol?, depth: Int) throws(SayTemplateError) -> [Part] {
    var parts: [Part] = []
    var literal = ""
    func flush() {
      if !literal.isEmpty { parts.append(.text(Array(literal.utf8))) }
      literal = ""
    }
    while let first = rest.popFirst() {
      switch first {
      case "{", "[":
        if rest.first == first {
          literal.append(first)
          rest.removeFirst()
        } else if first == "[" {
          guard depth < 4 else { throw SayTemplateError(message: "optional parts nested too deep") }
          flush()
          parts.append(.optional(try parse(&rest, symbol, depth: depth + 1)))
        } else {
          flush()
          guard let close = rest.firstIndex(of: "}") else { throw SayTemplateError(message: "\"{\" without \"}\"") }
          let inside = rest[..<close].split(separator: ":", maxSplits: 1)
          rest = rest[rest.index(after: close)...]
          guard let names = inside.first else { throw SayTemplateError(message: "\"{}\" names no field") }
          var path: [Symbol] = []
          for name in names.split(separator: ".") {
            guard let found = symbol(String(name)) else { throw SayTemplateError(message: "nothing is called \"\(name)\"") }
            path.append(found)
          }
          var digits = 0
          var isHex = false
          if inside.count > 1 {
            var format = inside[1]
            if format.last == "x" {
              isHex = true
              format.removeLast()
            }
            guard format.isEmpty || Int(format) != nil else {
              throw SayTemplateError(message: "\"\(inside[1])\" is no format; write 02 or 04x")
            }
            digits = min(Int(format) ?? 0, 20)
          }
          parts.append(.field(path: path, digits: digits, isHex: isHex))
        }
      case "]" where depth > 0 && rest.first != "]":
        flush()
        return parts
      case "}" where rest.first == "}", "]" where rest.first == "]":
        literal.append(first)
        rest.removeFirst()
      default: literal.append(first)
      }
    }
    guard depth == 0 else { throw SayTemplateError(message: "\"[\" without \"]\"") }
    flush()
    return parts
  }
}

/// What is wrong with a template.
struct SayTemplateError: Error {
  var message: String
}

extension ProfileCompiler {
  static let fieldKeys = ["-unit", "-scale", "-offset", "-label", "-hidden", "-secret", "-as", "-na", "-body", "-default"]
  static let typeKeys = ["-say", "-inline", "-pair", "-label"]

  /// Compiles what the keys that begin with a dash say. Called before the program is finished.
  mutating func compileStyles() throws {
    var scales: [Int32: (scale: Entry?, offset: Entry?)] = [:]
    for (field, key, node, position) in compiler.fieldAttributes() {
      let entry = Entry(node: node, file: definition.file, what: "\"\(key)\"")
      var style = fieldStyles[field.rawValue] ?? FieldStyle()
      switch key {
      case "-unit": style.unit = Array(try entry.text().utf8)
      case "-label": style.label = Array(try entry.text().utf8)
      case "-hidden": style.isHidden = try entry.flag()
      case "-secret": style.isSecret = try entry.flag()
      case "-na": style.absent = try entry.list().map { Int64(try $0.integer()) }
      case "-default": style.standard = try entry.plainValue()
      case "-scale":
        kinds.append((field, key, entry))
        scales[field.rawValue, default: (nil, nil)].scale = entry
      case "-offset": scales[field.rawValue, default: (nil, nil)].offset = entry
      case "-body":
        kinds.append((field, key, entry))
        style.body = try inner(try BodyDefinition(entry), entry)
      case "-as":
        kinds.append((field, key, entry))
        style.format = try entry.choice([
          "hex": .hex, "bool": .bool, "mac": .mac, "mac-le": .macReversed, "uuid": .uuid, "uuid-le": .uuidReversed, "ip": .ip,
          "text": .text,
          "unix": .unixTime, "sfloat": .sfloat, "float": .float32,
        ])
      default:
        throw ProfileError(
          file: position.file, line: position.line, column: position.column,
          message: "unknown key \"\(key)\" of a field"
            + (nearest(key, of: Self.fieldKeys).map { "; did you mean \"\($0)\"?" }
              ?? "; those with a dash are \(Self.fieldKeys.joined(separator: ", "))"))
      }
      fieldStyles[field.rawValue] = style
    }
    for (field, (scale, offset)) in scales {
      let shift = Scale(nil, offset: try offset?.text())
      if let fraction = Scale(try scale?.text(), offset: try offset?.text()) {
        fieldStyles[field]?.scale = fraction
      } else if let scale, let shift {
        // `0` and `1/0` are no expressions either.
        let text = try scale.text()
        let parts = text.split(separator: "/").map { Double($0) }
        guard parts.contains(nil) || !parts.contains(0) || text.contains("e") else {
          throw scale.error("\"-scale\" must be a number that is not 0, or an expression")
        }
        let factor = try expression(scale, in: compiler.owner(of: FieldID(rawValue: field)))
        fieldStyles[field]?.scaleBy = factor
        fieldStyles[field]?.scale = offset == nil ? nil : shift
      } else {
        throw (offset ?? scale ?? definition.root).error("\"-offset\" must be a number")
      }
    }
    for (type, key, node, position) in compiler.typeAttributes() {
      let entry = Entry(node: node, file: definition.file, what: "\"\(key)\"")
      var style = typeStyles[type.rawValue] ?? TypeStyle()
      switch key {
      case "-say": says.append((type, entry))
      case "-inline": style.isInline = try entry.flag()
      case "-pair": style.isPair = try entry.flag()
      case "-label": break
      default:
        throw ProfileError(
          file: position.file, line: position.line, column: position.column,
          message: "unknown key \"\(key)\" of a type"
            + (nearest(key, of: Self.typeKeys).map { "; did you mean \"\($0)\"?" }
              ?? "; those with a dash are \(Self.typeKeys.joined(separator: ", "))"))
      }
      typeStyles[type.rawValue] = style
    }
  }

  /// The styles by number, once the program has its final names.
  mutating func finishStyles(_ program: Program) throws -> (fields: [FieldStyle], types: [TypeStyle], labels: [[Int64: String]]) {
    for (field, key, entry) in kinds {
      let isNumber = key == "-scale" || [.bool, .unixTime, .sfloat, .float32].contains(fieldStyles[field.rawValue]?.format)
      let isHex = fieldStyles[field.rawValue]?.format == .hex
      switch program.kind(of: field) {
      case .number where key == "-body" || !isNumber && !isHex:
        throw entry.error("\(key): \(try entry.text()) is for bytes (size: N), and this field is a number")
      case .bytes where isNumber, .text where isNumber:
        throw entry.error("\(key): \(try entry.text()) is for numbers, and this field is none")
      case .text where key == "-body" || !isNumber && !isHex:
        throw entry.error("\(key): \(try entry.text()) is for bytes, and this field is text: leave out type: str")
      default: break
      }
    }
    var fields: [FieldStyle] = []
    for number in program.fieldPositions.indices {
      var style = fieldStyles[Int32(number)] ?? FieldStyle()
      style.name = Array(program.name(of: FieldID(rawValue: Int32(number))).utf8)
      if style.label.isEmpty { style.label = style.name.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 } }
      if style.name.starts(with: Array("_unnamed".utf8)) { style.isHidden = true }
      fields.append(style)
    }
    for (type, entry) in says { typeStyles[type.rawValue, default: TypeStyle()].say = try template(entry, program) }
    for (message, entry) in messageSays { messages[message].say = try template(entry, program) }
    let types = (0..<program.typeCount).map { typeStyles[Int32($0)] ?? TypeStyle() }
    let names = labels.names
    let labels = program.enumNames.map { full -> [Int64: String] in
      let parts = full.split(separator: ":", omittingEmptySubsequences: true)
      return parts.count == 2 ? names[String(parts[1])] ?? [:] : [:]
    }
    return (fields, types, labels)
  }

  private func template(_ entry: Entry, _ program: Program) throws -> SayTemplate {
    do {
      return try SayTemplate(try entry.text()) { program.symbol($0) }
    } catch let error as SayTemplateError {
      throw entry.error("in \(entry.what): \(error.message)")
    }
  }

  /// The enum of each protobuf field that names one, by ordinal.
  func protobufEnums(_ program: Program) throws -> [EnumID?] {
    var result: [EnumID?] = []
    for message in definition.protobufs.messages {
      for field in message.fields {
        while result.count <= field.ordinal { result.append(nil) }
        guard case .enumeration(let name) = field.type else { continue }
        guard let number = program.enumNames.firstIndex(where: { $0.hasSuffix("::" + name) }) else {
          throw ProfileError(
            file: definition.file, line: field.line, column: field.column,
            message:
              "protobuf message \"\(message.name)\": \"\(name)\" of field \"\(field.name)\" is no type of protobuf, no message and no enum")
        }
        result[field.ordinal] = EnumID(rawValue: Int32(number))
      }
    }
    return result
  }
}
