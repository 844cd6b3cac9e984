import PacketCodecs

/// The Hands-Free Profile (HFP 1.9): AT commands of the hands-free unit, and responses and unsolicited results of the phone (the audio gateway). They
/// are lines of text; a row has those of one RFCOMM frame, whose header its PDU begins with.
public enum HFP: ProtocolDescription {
  static var id: ProtocolID { .hfp }
  static var name: StaticName { "hfp" }
  static var traits: ProtocolTraits { [.hasCommandLines] }
  static var tables: [PDUTable] { [commands] }
  static var state: StaticString { "commands and results, calls, indicators; lines are joined" }
  static var isOnChannels: Bool { true }
  static var envelope: ProtocolID? { .rfcomm }
  static var serviceClasses: [UInt16] { [0x111E, 0x111F] }

  /// Bit in the opcode of rows: the frame ends within a line, which a later one completes.
  public static let part: UInt32 = 2
  /// From this bit on, the opcode has the assignment of the phone's indicators, four bits for each of the first seven, with the numbers of
  /// ``Indicator``; all 0 where the capture does not have the response to `AT+CIND=?`.
  public static let indicatorShift: UInt32 = 4

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { lineName(of: pdu, context) }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    walkLines(pdu, context, &visitor)
  }

  /// Whether the first lines are a command, or a result between two line ends, of the profile.
  static func recognizesData(_ data: RawSpan) -> Bool {
    var lines = Lines(0..<data.byteCount)
    guard let last = data.u8(data.byteCount &- 1), last == 0x0D || last == 0x0A, let line = lines.next(data), line.code != nil else {
      return false
    }
    return line.isCommand || data.u8(0) == 0x0D && data.u8(1) == 0x0A
  }

  /// The name of a row with these lines: that of the first line that the profile defines.
  static func lineName(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    if context.opcode & part != 0 { return "Part of a Line" }
    var lines = Lines(RFCOMM.information(of: pdu, isJoined: context.opcode & RFCOMM.joined != 0))
    var name: StaticName?
    while let line = lines.next(pdu) {
      if let code = line.code, let known = commands.name(code) { return known }
      if name == nil { name = line.isCommand ? "Other Command" : "Other Result" }
    }
    return name ?? "End of a Line"
  }

  /// Reports the header of the frame, and the lines.
  static func walkLines<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    let isJoined = context.opcode & RFCOMM.joined != 0
    let range = RFCOMM.information(of: pdu, isJoined: isJoined)
    _ = RFCOMM.walkHeader(pdu, &visitor)
    if context.opcode & part != 0 {
      visitor.field(fragmentField, .text(range), at: range, in: pdu)
    } else {
      var lines = Lines(range)
      visitor.beginArray(linesField, at: range.lowerBound)
      while let line = lines.next(pdu) {
        visitor.beginObject(linesField, at: line.range.lowerBound)
        walk(line, pdu, context, &visitor)
        visitor.endObject(linesField, at: line.range)
      }
      visitor.endArray(linesField, at: range)
    }
    if !isJoined { RFCOMM.trailer.walk(pdu, in: range.upperBound..<pdu.byteCount, &visitor) }
  }

  private static func walk<Visitor: FieldVisitor>(_ line: Line, _ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    if !line.prefix.isEmpty { visitor.field(prefixField, .text(line.prefix), at: line.prefix, in: pdu) }
    visitor.field(line.code == nil ? unknownField : commandField, .text(line.name), at: line.name, in: pdu)
    visitor.field(typeField, .unsigned(UInt64(line.type.rawValue)), at: line.mark, in: pdu)
    var parameters = Parameters(line.parameters)
    switch line.code {
    case Code.indicatorsResult?: indicators(&parameters, pdu, context, &visitor)
    case Code.indicatorEvent?: indicatorEvent(&parameters, pdu, context, &visitor)
    case let code?:
      // The response to a test command is a list of supported values, in parentheses.
      let isList = line.type == .result && pdu.u8(line.parameters.lowerBound) == 0x28
      walk(&parameters, (isList ? commands[code | Code.list] : nil)?.parameters ?? commands[code]?.parameters ?? .none, pdu, &visitor)
    case nil: walk(&parameters, .none, pdu, &visitor)
    }
  }

  /// Reports parameters according to a layout: numbers and texts in order, the last one repeatedly if it is a list; then parameters that the layout
  /// does not have, and texts instead of numbers.
  private static func walk<Visitor: FieldVisitor>(
    _ parameters: inout Parameters, _ layout: Layout, _ pdu: RawSpan, _ visitor: inout Visitor
  ) {
    var others = parameters
    let range = parameters.range
    guard walk(&parameters, layout, isOther: false, pdu, &visitor) else { return }
    visitor.beginArray(othersField, at: range.lowerBound)
    _ = walk(&others, layout, isOther: true, pdu, &visitor)
    visitor.endArray(othersField, at: range)
  }

  /// Reports the parameters that the layout has, or the others. Returns whether there are others.
  private static func walk<Visitor: FieldVisitor>(
    _ parameters: inout Parameters, _ layout: Layout, isOther: Bool, _ pdu: RawSpan, _ visitor: inout Visitor
  ) -> Bool {
    var step = 0
    var isList = false
    var hasOthers = false
    while let parameter = parameters.next(pdu) {
      guard step < layout.count, let first = layout.first else {
        if parameter.inner.isEmpty { continue }
        hasOthers = true
        if isOther { visitor.field(otherField, .text(parameter.inner), at: parameter.inner, in: pdu) }
        continue
      }
      if !isList, (first + step).pointee.kind == .array {
        isList = true
        if !isOther { visitor.beginArray((first + step).field, at: parameter.whole.lowerBound) }
        step &+= 1
        guard step < layout.count else { break }
      }
      let field = (first + step).field
      let isNumber = (first + step).pointee.kind == .unsigned
      if !isList { step &+= 1 }
      if parameter.inner.isEmpty { continue }
      let number = isNumber ? number(pdu, parameter.inner) : nil
      if number == nil, isNumber {
        hasOthers = hasOthers || !isList
        if isList != isOther { visitor.field(otherField, .text(parameter.inner), at: parameter.inner, in: pdu) }
      } else if !isOther {
        value(parameter.inner, field, number, pdu, &visitor)
      }
    }
    if !isOther, isList, let first = layout.first {
      visitor.endArray((first + (step &- 1)).field, at: parameters.range)
    }
    return hasOthers
  }

  /// Reports a parameter: a number where it is one, else text.
  private static func value<Visitor: FieldVisitor>(
    _ range: Range<Int>, _ field: Field, _ number: UInt64?, _ pdu: RawSpan, _ visitor: inout Visitor
  ) {
    guard let number else { return visitor.field(field, .text(range), at: range, in: pdu) }
    visitor.field(field, .unsigned(number), at: range, in: pdu)
    if let low = field.range, !low.contains(Int64(truncatingIfNeeded: number)) {
      visitor.problem(.outOfRange(field, value: Int64(truncatingIfNeeded: number), range))
    }
  }

  /// A number of at most ten digits; nil for everything else.
  public static func number(_ bytes: RawSpan, _ range: Range<Int>) -> UInt64? {
    guard !range.isEmpty, range.count <= 10 else { return nil }
    var value: UInt64 = 0
    for offset in range {
      guard let byte = bytes.u8(offset), byte >= 0x30, byte <= 0x39 else { return nil }
      value = value &* 10 &+ UInt64(byte &- 0x30)
    }
    return value
  }

  // MARK: Indicators

  /// Indicators of the phone defined in the profile and in 3GPP TS 27.007.
  public enum Indicator: UInt8, CaseIterable, Sendable {
    case service = 1, call, callSetup, callHeld, signal, roam, batteryCharge

    /// Its name in the response to `AT+CIND=?`.
    var name: StaticName {
      switch self {
      case .service: "service"
      case .call: "call"
      case .callSetup: "callsetup"
      case .callHeld: "callheld"
      case .signal: "signal"
      case .roam: "roam"
      case .batteryCharge: "battchg"
      }
    }
  }

  /// The indicator with an index, counted from 1, according to the opcode of a row.
  public static func indicator(_ index: UInt64, _ opcode: UInt32) -> Indicator? {
    guard (1...7).contains(index) else { return nil }
    return Indicator(rawValue: UInt8(truncatingIfNeeded: opcode >> (indicatorShift &+ 4 &* UInt32(index &- 1)) & 15))
  }

  /// The indicator with this name, ignoring case.
  private static func indicator(named bytes: RawSpan, _ name: Range<Int>) -> Indicator? {
    for known in Indicator.allCases where Lines.equals(bytes, name, known.name) { return known }
    return nil
  }

  /// The order of the indicators from the response to `AT+CIND=?`, in the format for the opcode of rows; nil for other lines.
  public static func indicators(_ line: Line, _ pdu: RawSpan) -> UInt32? {
    guard line.code == Code.indicatorsResult, pdu.u8(line.parameters.lowerBound) == 0x28 else { return nil }
    var parameters = Parameters(line.parameters)
    var found: UInt32 = 0
    var shift = indicatorShift
    while shift < 32, let parameter = parameters.next(pdu) {
      let name = indicatorName(pdu, parameter.whole)
      if let known = indicator(named: pdu, name) { found |= UInt32(known.rawValue) << shift }
      shift &+= 4
    }
    return found
  }

  /// The name in `("call",(0,1))`.
  private static func indicatorName(_ pdu: RawSpan, _ whole: Range<Int>) -> Range<Int> {
    var start = whole.lowerBound
    while start < whole.upperBound, let byte = pdu.u8(start), byte == 0x28 || byte == 0x22 || byte == 0x20 { start &+= 1 }
    var stop = start
    while stop < whole.upperBound, let byte = pdu.u8(stop), byte != 0x22, byte != 0x2C { stop &+= 1 }
    return start..<stop
  }

  private static func indicators<Visitor: FieldVisitor>(
    _ parameters: inout Parameters, _ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor
  ) {
    if pdu.u8(parameters.range.lowerBound) == 0x28 {
      visitor.beginArray(indicatorsField, at: parameters.range.lowerBound)
      while let parameter = parameters.next(pdu) {
        visitor.beginObject(indicatorsField, at: parameter.whole.lowerBound)
        let name = indicatorName(pdu, parameter.whole)
        visitor.field(indicator(named: pdu, name) == nil ? otherField : indicatorNameField, .text(name), at: name, in: pdu)
        var values = name.upperBound
        while values < parameter.whole.upperBound, let byte = pdu.u8(values), byte == 0x22 || byte == 0x2C || byte == 0x20 {
          values &+= 1
        }
        let end = max(values, parameter.whole.upperBound &- 1)
        if values < end { visitor.field(indicatorValuesField, .text(values..<end), at: values..<end, in: pdu) }
        visitor.endObject(indicatorsField, at: parameter.whole)
      }
      visitor.endArray(indicatorsField, at: parameters.range)
      return
    }
    // First those with known names, then the others.
    var others = parameters
    if values(&parameters, pdu, context, isOther: false, &visitor) {
      visitor.beginArray(otherIndicatorsField, at: others.range.lowerBound)
      let range = others.range
      _ = values(&others, pdu, context, isOther: true, &visitor)
      visitor.endArray(otherIndicatorsField, at: range)
    }
  }

  /// Reports the values of indicators with known names, or of the others. Returns whether there are others.
  private static func values<Visitor: FieldVisitor>(
    _ parameters: inout Parameters, _ pdu: RawSpan, _ context: PDUContext, isOther: Bool, _ visitor: inout Visitor
  ) -> Bool {
    var position: UInt64 = 1
    var seen: UInt32 = 0
    var hasOthers = false
    while let parameter = parameters.next(pdu) {
      defer { position &+= 1 }
      if parameter.inner.isEmpty { continue }
      let number = number(pdu, parameter.inner)
      if let known = indicator(position, context.opcode), number != nil, seen >> known.rawValue & 1 == 0 {
        seen |= 1 << known.rawValue
        if !isOther { value(parameter.inner, indicatorFields[Int(known.rawValue)], number, pdu, &visitor) }
      } else {
        hasOthers = true
        if isOther { value(parameter.inner, number == nil ? otherField : indicatorField, number, pdu, &visitor) }
      }
    }
    return hasOthers
  }

  private static func indicatorEvent<Visitor: FieldVisitor>(
    _ parameters: inout Parameters, _ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor
  ) {
    var others = parameters
    guard let index = parameters.next(pdu) else { return }
    let position = number(pdu, index.inner)
    if let position { value(index.inner, indicatorIndexField, position, pdu, &visitor) }
    let parameter = parameters.next(pdu)
    var amount: UInt64?
    if let parameter { amount = number(pdu, parameter.inner) }
    if let parameter, let amount {
      value(
        parameter.inner, indicator(position ?? 0, context.opcode).map { indicatorFields[Int($0.rawValue)] } ?? indicatorField, amount, pdu,
        &visitor)
    }
    // Parameters that are no numbers, and those after the indicator and its value.
    let range = others.range
    var at = 0
    var isOpen = false
    while let other = others.next(pdu) {
      defer { at += 1 }
      if other.inner.isEmpty || at == 0 && position != nil || at == 1 && amount != nil { continue }
      if !isOpen { visitor.beginArray(othersField, at: range.lowerBound) }
      isOpen = true
      visitor.field(otherField, .text(other.inner), at: other.inner, in: pdu)
    }
    if isOpen { visitor.endArray(othersField, at: range) }
  }

  // MARK: Fields

  private static func field(_ name: StaticName) -> Field { commands.layout(name).fields.first ?? Field() }
  private static let linesField = field("lines")
  private static let prefixField = field("prefix")
  private static let commandField = field("command")
  private static let unknownField = field("unknown")
  private static let typeField = field("type")
  private static let otherField = field("other")
  private static let othersField = field("others")
  private static let fragmentField = field("fragment")
  private static let indicatorsField = field("indicators")
  private static let indicatorNameField = field("indicator-name")
  private static let indicatorValuesField = field("indicator-values")
  private static let indicatorIndexField = field("indicator-index")
  private static let indicatorField = field("indicator")
  private static let otherIndicatorsField = field("other-indicators")
  private static let indicatorFields = [indicatorField] + commands.layout("phone").fields
}

/// The Headset Profile (HSP 1.2): the button of a headset, volume and ringing, in the same format as ``HFP``.
public enum HSP: ProtocolDescription {
  static var id: ProtocolID { .hsp }
  static var name: StaticName { "hsp" }
  static var traits: ProtocolTraits { [.hasCommandLines] }
  static var tables: [PDUTable] { [HFP.commands] }
  static var state: StaticString { "commands and results" }
  static var isOnChannels: Bool { true }
  static var envelope: ProtocolID? { .rfcomm }
  static var serviceClasses: [UInt16] { [0x1108, 0x1112, 0x1131] }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { HFP.lineName(of: pdu, context) }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    HFP.walkLines(pdu, context, &visitor)
  }
}
