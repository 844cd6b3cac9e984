import KaitaiStruct
import Memory
import YAML

/// The presentation of a field, from its keys that begin with a dash.
struct FieldPresentation: Sendable {
  /// The format of a value, if its type does not determine it.
  enum Format: UInt8, Sendable {
    case plain, hex, bool, mac, macReversed, uuid, uuidReversed, ip, text, unixTime, sfloat, float32, percent, decimal, decimalReversed
  }
  var name: [UInt8] = []
  /// `-label`, else the name with spaces for underscores.
  var label: [UInt8] = []
  var unit: [UInt8] = []
  /// The unit where it depends on other fields.
  var unitBy: ExpressionID?
  var scale: Scale?
  var scaleBy: ExpressionID?
  /// The offset where it depends on other fields.
  var offsetBy: ExpressionID?
  /// The number of decimals that it is rounded to.
  var digits: Int?
  var absent: [Int64] = []
  /// Ranges of numbers, numbers beyond 2⁶³−1 and fractional numbers that mean no value.
  var absentRanges: [AbsentRange] = []
  var format = Format.plain
  var isHidden = false
  var isSecret = false
  /// Whether it is personal data (`-personal`); nil where the profile does not say.
  var isPersonal: Bool?
  /// Whether it is a part of a date or of a time of day, by its name and those of its neighbours.
  var isClock = false
  /// Whether the fields of its object are shown as those of the object around it.
  var isMerged = false
  var body: EmbeddedFormat?
  /// The presentations of the fields of the body.
  var bodyFields: BodyFields?
  /// Whether the displayed value also depends on other fields.
  var isComputedByOthers: Bool { scaleBy != nil || offsetBy != nil }
  /// The value that is encoded where the field is not given.
  var standard: FieldTree?
}

/// Numbers that mean no value.
enum AbsentRange: Equatable, Sendable {
  /// Integers: a Double cannot represent all of 64 bits.
  case whole(ClosedRange<Int128>)
  case real(ClosedRange<Double>)
}

/// The factor and offset of a raw number, as one fraction: a single division then gives the exact decimal number.
struct Scale: Equatable, Sendable {
  var numerator: Double
  var denominator: Double
  var offset: Double

  /// Whether it maps integers to integers.
  var isWhole: Bool {
    denominator == 1 && numerator.rounded() == numerator && offset.rounded() == offset && abs(numerator) < 1e15 && abs(offset) < 1e15
  }

  /// The value of a raw number, if the scale maps integers to integers; nil where it does not fit.
  func applyWhole(_ raw: Int128) -> Int128? {
    guard isWhole else { return nil }
    let (product, overflow) = raw.multipliedReportingOverflow(by: Int128(numerator))
    guard !overflow else { return nil }
    let (sum, isTooLarge) = product.addingReportingOverflow(Int128(offset))
    return isTooLarge ? nil : sum
  }

  /// The raw number of a value, where both are integers; nil where they are not.
  func undoWhole(_ value: Int128) -> Int128? {
    guard isWhole, case let (difference, overflow) = value.subtractingReportingOverflow(Int128(offset)), !overflow,
      difference % Int128(numerator) == 0
    else { return nil }
    return difference / Int128(numerator)
  }

  /// The value of a raw number.
  func apply(_ raw: Double) -> Double { (raw * numerator + offset) / denominator }
  /// The raw number of a value.
  func undo(_ value: Double) -> Double { (value * denominator - offset) / numerator }

  /// Reads `0.01`, `10`, `1/1024` and an offset such as `-40` or `-273.15`. Returns nil where one is not a number.
  init?(_ scale: String?, offset: String?) {
    guard let factor = Self.fraction(scale, else: 1), let shift = Self.fraction(offset, else: 0), factor.numerator != 0 else { return nil }
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

  /// The fraction of a text, or a number where there is none.
  private static func fraction(_ text: String?, else number: Double) -> (numerator: Double, denominator: Double)? {
    guard let text else { return (number, 1) }
    return fraction(text)
  }

  private static func fraction(_ text: String) -> (numerator: Double, denominator: Double)? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count > 1 {
      guard var whole = fraction(String(parts[0])) else { return nil }
      for part in parts.dropFirst() {
        guard let below = fraction(String(part)), below.numerator != 0 else { return nil }
        whole = (whole.numerator * below.denominator, whole.denominator * below.numerator)
      }
      return whole
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

/// The presentation of a type.
struct TypePresentation: Sendable {
  var template: MessageTemplate?
  /// Whether the value of its first field that is not hidden is shown instead of the object.
  var isInline = false
  /// Whether it is an id and a value, which are shown as "id value".
  var isPair = false
}

/// A template of a line of text with values of fields.
struct MessageTemplate: Sendable {
  indirect enum Part: Sendable {
    case text([UInt8])
    /// The field at the end of the path, padded with zeros to a number of digits, or as hexadecimal.
    case field(path: [Symbol], digits: Int, isHex: Bool)
    /// Shown only where every field in it has a value.
    case optional([Part])
  }
  var parts: [Part]

  /// Reads `{id}: {values}[, {rest}]`; `{{` and `[[` are the brackets themselves. `symbol` finds names.
  init(_ text: String, symbol: (String) -> Symbol?) throws(MessageTemplateError) {
    var rest = Substring(text)
    parts = try Self.parse(&rest, symbol, depth: 0)
  }

  private static func parse(_ rest: inout Substring, _ symbol: (String) -> Symbol?, depth: Int) throws(MessageTemplateError) -> [Part] {
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
          guard depth < 4 else { throw MessageTemplateError(message: "optional parts nested too deep") }
          flush()
          parts.append(.optional(try parse(&rest, symbol, depth: depth + 1)))
        } else {
          flush()
          guard let close = rest.firstIndex(of: "}") else { throw MessageTemplateError(message: "\"{\" without \"}\"") }
          let inside = rest[..<close].split(separator: ":", maxSplits: 1)
          rest = rest[rest.index(after: close)...]
          guard let names = inside.first else { throw MessageTemplateError(message: "\"{}\" names no field") }
          var path: [Symbol] = []
          for name in names.split(separator: ".") {
            guard let found = symbol(String(name)) else { throw MessageTemplateError(message: "there is no field \"\(name)\"") }
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
              throw MessageTemplateError(message: "\"\(inside[1])\" is not a number format; write 02 or 04x")
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
    guard depth == 0 else { throw MessageTemplateError(message: "\"[\" without \"]\"") }
    flush()
    return parts
  }
}

/// A mistake in a template.
struct MessageTemplateError: Error {
  var message: String
}

extension ProfileCompiler {
  static let fieldKeys = [
    "-unit", "-scale", "-offset", "-round", "-label", "-hidden", "-secret", "-personal", "-as", "-na", "-body", "-fields", "-default",
    "-merge",
  ]
  static let typeKeys = ["-say", "-inline", "-pair", "-label"]

  /// Compiles the keys that begin with a dash. Called before the program is finished.
  mutating func compilePresentations() throws {
    var scales: [Int32: (scale: Entry?, offset: Entry?)] = [:]
    for (field, key, node, position) in compiler.fieldAttributes() {
      let entry = Entry(node: node, file: definition.file, what: "\"\(key)\"")
      var presentation = fieldPresentations[field.rawValue] ?? FieldPresentation()
      switch key {
      case "-unit":
        let unit = try entry.text()
        kinds.append((field, key, entry))
        // A text with quotes, brackets or operators is an expression for a unit.
        if unit.contains("\"") || unit.contains("'") || unit.contains("==") || unit.contains(" ? ") || unit.hasPrefix("(") {
          presentation.unitBy = try expression(entry, in: compiler.owner(of: field))
        } else {
          presentation.unit = Array(try entry.text(atMost: ProfileBounds.maxName).utf8)
        }
      case "-round":
        kinds.append((field, key, entry))
        presentation.digits = try entry.integer(in: 0...15)
      case "-label": presentation.label = Array(try entry.text(atMost: ProfileBounds.maxName).utf8)
      case "-hidden": presentation.isHidden = try entry.flag()
      case "-secret": presentation.isSecret = try entry.flag()
      case "-personal": presentation.isPersonal = try entry.flag()
      case "-merge":
        presentation.isMerged = try entry.flag()
        if presentation.isMerged { merges.append((field, entry)) }
      case "-na":
        for value in try entry.list() {
          if let whole = parseInteger(try value.text()) {
            presentation.absent.append(Int64(whole))
          } else {
            presentation.absentRanges.append(try Self.range(value))
          }
        }
      case "-default":
        presentation.standard = try entry.plainValue()
        standards.append((field.rawValue, entry))
      case "-scale":
        kinds.append((field, key, entry))
        scales[field.rawValue, default: (nil, nil)].scale = entry
      case "-offset": scales[field.rawValue, default: (nil, nil)].offset = entry
      case "-fields": presentation.bodyFields = try BodyFields(entry)
      case "-body":
        kinds.append((field, key, entry))
        presentation.body = try inner(try BodyDefinition(entry), entry)
      case "-as":
        kinds.append((field, key, entry))
        presentation.format = try entry.choice([
          "hex": .hex, "bool": .bool, "mac": .mac, "mac-le": .macReversed, "uuid": .uuid, "uuid-le": .uuidReversed, "ip": .ip,
          "text": .text,
          "unix": .unixTime, "sfloat": .sfloat, "float": .float32, "decimal": .decimal, "decimal-le": .decimalReversed,
        ])
      default:
        throw ProfileError(
          file: position.file, line: position.line, column: position.column,
          message: "unknown key \"\(key)\" of a field"
            + (nearest(key, of: Self.fieldKeys).map { "; did you mean \"\($0)\"?" }
              ?? "; those with a dash are \(Self.fieldKeys.joined(separator: ", "))"))
      }
      fieldPresentations[field.rawValue] = presentation
    }
    for (field, (scale, offset)) in scales {
      var offset = offset
      if let by = offset, Scale(nil, offset: try by.text()) == nil {
        guard try by.text().contains(where: { $0.isLetter || $0 == "_" }) else {
          throw by.error("\"-offset\" must be a number, or an expression")
        }
        let more = try expression(by, in: compiler.owner(of: FieldID(rawValue: field)))
        fieldPresentations[field]?.offsetBy = more
        offset = nil
        if scale == nil { continue }
      }
      let shift = Scale(nil, offset: try offset?.text())
      if let fraction = Scale(try scale?.text(), offset: try offset?.text()) {
        fieldPresentations[field]?.scale = fraction
      } else if let scale, let shift {
        // `0` and `1/0` are mistakes, not expressions.
        let text = try scale.text()
        let parts = text.split(separator: "/").map { Double($0) }
        guard parts.contains(nil) || !parts.contains(0) || text.contains("e") else {
          throw scale.error("\"-scale\" must be a number that is not 0, or an expression")
        }
        guard text.contains(where: \.isLetter) || text.contains(".") || !text.contains("/") else {
          throw scale.error(
            "\"-scale\": \(text) divides whole numbers, which loses the rest: write it without brackets, or with a point (1.0 / 3)")
        }
        let factor = try expression(scale, in: compiler.owner(of: FieldID(rawValue: field)))
        fieldPresentations[field]?.scaleBy = factor
        fieldPresentations[field]?.scale = offset == nil ? nil : shift
      } else {
        throw (offset ?? scale ?? definition.root).error("\"-offset\" must be a number")
      }
    }
    for (type, key, node, position) in compiler.typeAttributes() {
      let entry = Entry(node: node, file: definition.file, what: "\"\(key)\"")
      var presentation = typePresentations[type.rawValue] ?? TypePresentation()
      switch key {
      case "-say": templates.append((type, entry))
      case "-inline": presentation.isInline = try entry.flag()
      case "-pair": presentation.isPair = try entry.flag()
      case "-label": break
      default:
        throw ProfileError(
          file: position.file, line: position.line, column: position.column,
          message: "unknown key \"\(key)\" of a type"
            + (nearest(key, of: Self.typeKeys).map { "; did you mean \"\($0)\"?" }
              ?? "; those with a dash are \(Self.typeKeys.joined(separator: ", "))"))
      }
      typePresentations[type.rawValue] = presentation
    }
  }

  /// A decimal number, or `FROM..TO`, both included.
  private static func range(_ entry: Entry) throws -> AbsentRange {
    let text = try entry.text()
    let point = text.firstRange(of: "..")
    let ends = (point.map { [text[..<$0.lowerBound], text[$0.upperBound...]] } ?? [text[...]]).map { String($0.filter { $0 != " " }) }
    let wrong =
      point == nil
      ? "\(entry.what) is a number, or a range FROM..TO" : "\(entry.what): a range is FROM..TO, with FROM not above TO: 0xfff0..0xffff"
    let wholes = ends.compactMap(parseWhole)
    if wholes.count == ends.count {
      guard wholes.allSatisfy({ WideNumber.digits($0) == nil }) else { throw entry.error("\(entry.what): the number does not fit 64 bits") }
      guard wholes[0] <= wholes[wholes.count - 1] else { throw entry.error(wrong) }
      return .whole(wholes[0]...wholes[wholes.count - 1])
    }
    let numbers = ends.compactMap { end in parseWhole(end).map { Double($0) } ?? Double(end) }
    guard numbers.count == ends.count, numbers.allSatisfy(\.isFinite), numbers[0] <= numbers[numbers.count - 1] else {
      throw entry.error(wrong)
    }
    return .real(numbers[0]...numbers[numbers.count - 1])
  }

  /// The presentations of all fields and types, once the program has its final names.
  mutating func finishPresentations(_ program: KaitaiProgram) throws -> (
    fields: [FieldPresentation], types: [TypePresentation], labels: [[Int64: String]]
  ) {
    for (field, key, entry) in kinds {
      let isNumber =
        key == "-scale" || key == "-round" || [.bool, .unixTime, .sfloat, .float32].contains(fieldPresentations[field.rawValue]?.format)
      let isHex = fieldPresentations[field.rawValue]?.format == .hex
      if let type = program.type(of: field) {
        let name = program.typeNames[Int(type.rawValue)].split(separator: ":").last ?? ""
        throw entry.error("\"\(key)\" is for plain values, but this field is an object: put it on the field within type \"\(name)\"")
      }
      if key == "-unit" || key == "-round" && program.kind(of: field) == .list { continue }
      switch program.kind(of: field) {
      case .number where key == "-body" || !isNumber && !isHex:
        throw entry.error("\(key): \(try entry.text()) is for bytes (size: N), but this field is a number")
      case .bytes where isNumber, .text where isNumber:
        throw entry.error("\(key): \(try entry.text()) is for numbers, but this field is not a number")
      case .text where key == "-body" || !isNumber && !isHex:
        throw entry.error("\(key): \(try entry.text()) is for bytes, and this field is text: leave out type: str")
      default: break
      }
    }
    for (field, entry) in merges
    where program.kind(of: field) == .number || program.kind(of: field) == .text || program.kind(of: field) == .bytes {
      throw entry.error("\"-merge\" is for objects: a field whose type is one of the profile's, or a list of those")
    }
    for (number, entry) in standards {
      let field = FieldID(rawValue: number)
      guard program.kind(of: field) == .number, program.enumeration(of: field) == nil, case .text? = fieldPresentations[number]?.standard,
        fieldPresentations[number]?.format != .mac
      else { continue }
      throw entry.error("\"-default\" is a value, and no expression: \"\(try entry.text())\" is no number")
    }
    for (field, entry) in merges {
      guard let presentation = fieldPresentations[field.rawValue], presentation.isHidden || presentation.isSecret else { continue }
      throw entry.error("\"-merge\" shows the fields of an object: put \"-hidden\" and \"-secret\" on those fields")
    }
    for index in messages.indices { messages[index].bodyFields = try messages[index].bodyFields?.resolved(program) }
    var fields: [FieldPresentation] = []
    for number in program.fieldPositions.indices {
      var presentation = fieldPresentations[Int32(number)] ?? FieldPresentation()
      presentation.bodyFields = try presentation.bodyFields?.resolved(program)
      presentation.name = Array(program.name(of: FieldID(rawValue: Int32(number))).utf8)
      if presentation.label.isEmpty { presentation.label = presentation.name.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 } }
      if presentation.name.starts(with: Array("_unnamed".utf8)) { presentation.isHidden = true }
      fields.append(presentation)
    }
    for number in 0..<program.typeCount {
      let all = program.fields(of: TypeID(rawValue: Int32(number))).filter { !program.isParameter($0) }
      for index in ClockFields.clockIndices(all.map { program.name(of: $0) }) { fields[Int(all[index].rawValue)].isClock = true }
    }
    for (number, presentation) in fieldPresentations.sorted(by: { $0.key < $1.key }) where presentation.bodyFields != nil {
      guard let body = presentation.body, body.namesFields else {
        throw ProfileError(
          file: definition.file, line: program.fieldPositions[Int(number)].line, column: program.fieldPositions[Int(number)].column,
          message: "\"-fields\" stands beside \"-body\": cbor, json or csv; those of protobuf are in \"protobufs\"")
      }
    }
    for (type, entry) in templates { typePresentations[type.rawValue, default: TypePresentation()].template = try template(entry, program) }
    for (message, entry) in messageTemplates { messages[message].template = try template(entry, program) }
    let types = (0..<program.typeCount).map { typePresentations[Int32($0)] ?? TypePresentation() }
    let names = labels.names
    let labels = program.enumNames.map { full -> [Int64: String] in
      let parts = full.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: true)
      return parts.count == 2 ? names[String(Substring(parts[1]))] ?? [:] : [:]
    }
    return (fields, types, labels)
  }

  private func template(_ entry: Entry, _ program: KaitaiProgram) throws -> MessageTemplate {
    do {
      return try MessageTemplate(try entry.text(atMost: ProfileBounds.maxTemplate)) { program.symbol($0) }
    } catch let error as MessageTemplateError {
      throw entry.error("in \(entry.what): \(error.message)")
    }
  }

  /// The enum of each protobuf field that names one, by ordinal.
  func protobufEnums(_ program: KaitaiProgram) throws -> [EnumID?] {
    var result: [EnumID?] = []
    for message in definition.protobufs.messages {
      for field in message.fields {
        while result.count <= field.ordinal { result.append(nil) }
        guard case .enumeration(let name) = field.type else { continue }
        guard let number = program.enumNames.firstIndex(where: { $0.hasSuffix("::" + name) }) else {
          throw ProfileError(
            file: definition.file, line: field.line, column: field.column,
            message:
              "protobuf message \"\(message.name)\": \"\(name)\" of field \"\(field.name)\" is not a protobuf type, a message or an enum")
        }
        result[field.ordinal] = EnumID(rawValue: Int32(number))
      }
    }
    return result
  }
}
