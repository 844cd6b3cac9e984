import KaitaiStruct
import Memory

/// Visits fields that were read without a tree.
extension FieldWalker {
  /// The context of an event's field.
  @inline(__always)
  func context(_ event: FieldEvent) -> FieldContext {
    let name = style(event.field)
    let source = style(event.source)
    let start = Int(event.start)
    var context = FieldContext(
      name: event.isElement ? .empty : name.pointee.name, label: event.isElement ? .empty : name.pointee.label, unit: source.pointee.unit,
      range: start..<max(start, Int(event.end)))
    if !event.isElement { context.key = name.pointee.key }
    context.startBit = Int(event.startBit)
    context.endBit = Int(event.endBit)
    context.isHidden = event.isHidden
    context.isSecret = event.isSecret || source.pointee.isSecret
    context.isPersonal = source.pointee.isPersonal ?? name.pointee.isPersonal
    context.isClock = source.pointee.isClock || name.pointee.isClock
    context.isFixed = source.pointee.isFixed
    context.takesLowBitsFirst = source.pointee.takesLowBitsFirst
    context.format = source.pointee.format
    return context
  }

  @inline(__always)
  func event(_ index: Int) -> FieldEvent {
    precondition(index >= 0 && index < eventCount)
    return unsafe events[index]
  }

  /// Counts the names, units and texts of all events, as ``admits(_:_:_:)`` does for a field. False where a walk must not visit that much. Profiles that
  /// are built in have no long names.
  @inline(__always)
  func admitsEvents<V: MessageFieldVisitor>(_ visitor: inout V) -> Bool {
    if !message.countsEvents { return true }
    message.printedBytes &+= printedBytesOfEvents()
    return message.printedBytes &- message.walkStart <= Self.bytes(payload: payload.count) || reportLength(&visitor)
  }

  private func printedBytesOfEvents() -> Int {
    var sum = 0
    var path = 0
    var open: [Int] = []
    for index in 0..<eventCount {
      let event = event(index)
      let name = event.isElement ? 0 : longestName(event.field)
      switch event.kind {
      case .end: path &-= open.popLast() ?? 0
      case .object, .array:
        sum &+= path &+ name &+ Self.printedBytesOfField
        open.append(name)
        path &+= name
      default:
        sum &+= path &+ name &+ style(event.source).pointee.unit.count &+ Self.printedBytesOfField
        if event.kind == .bytes || event.kind == .string {
          sum &+= event.bytes.count &* Self.printedBytesOfValue
        } else {
          sum &+= labelBytes(event.value)
        }
      }
    }
    return sum
  }

  /// Bytes of a field's name, or of its label where that is longer.
  @inline(__always)
  private func longestName(_ field: FieldID) -> Int { max(style(field).pointee.name.count, style(field).pointee.label.count) }

  /// Visits the events of a range that begins and ends outside of objects and arrays, or within the same.
  func events<V: MessageFieldVisitor>(_ range: Range<Int>, _ visitor: inout V) {
    var index = range.lowerBound
    while index < range.upperBound {
      let event = event(index)
      switch event.kind {
      case .object, .array:
        var field = context(event)
        let isArray = event.kind == .array
        if !isArray { field.isPair = style(event.objectType).pointee.isPair }
        guard visitor.open(field, isArray: isArray, count: isArray ? Int(event.bits) : 0) else {
          index = max(Int(event.next), index + 1)
          continue
        }
      case .end: visitor.close(isArray: event.bits == 1)
      default: leaf(event, context(event), &visitor)
      }
      index += 1
    }
  }

  /// The label of an enumeration's number; nil where there is none.
  @inline(__always)
  func label(_ event: FieldEvent, _ number: Int64) -> FieldLabel? {
    guard let enumeration = event.value.enumeration else { return nil }
    return enumerations[Int(enumeration.rawValue)].label(number).map(FieldLabel.init)
  }

  /// The unformatted value of an event that is neither object, array nor enumeration.
  @inline(__always)
  func value(_ event: FieldEvent) -> MessageFieldValue {
    switch event.kind {
    case .bool: .bool(event.bits != 0)
    case .int: .int(Int64(bitPattern: event.bits))
    case .uint: .uint(event.bits)
    case .float: .double(Double(bitPattern: event.bits), isSingle: event.isSingle)
    case .bytes: .bytes(bytes(of: event))
    case .string: .text(bytes(of: event))
    default: .null
    }
  }

  /// Visits an event that is neither object nor array.
  @inline(__always)
  func leaf<V: MessageFieldVisitor>(_ event: FieldEvent, _ field: FieldContext, _ visitor: inout V) {
    let style = style(event.source)
    switch event.kind {
    case .bool: visitor.leaf(field, .bool(event.bits != 0))
    case .int, .uint, .float, .enumeration: number(event.value, isSingle: event.isSingle, field, style, in: nil, &visitor)
    case .bytes:
      if style.pointee.body >= 0 {
        return inner(
          profile.shown.bodies[Int(style.pointee.body)], field.range, name: field.name, &visitor, isTop: false, field: field,
          fields: profile.shown.bodyFields[Int(style.pointee.body)])
      }
      bytes(formatted: bytes(of: event), field, style, &visitor)
    case .string: visitor.leaf(field, .text(bytes(of: event)))
    default: visitor.leaf(field, .null)
    }
  }

  private func bytes(of event: FieldEvent) -> BorrowedBytes {
    let range = event.bytes
    guard range.upperBound <= payload.count else { return BorrowedBytes() }
    return payload.part(range)
  }

  /// The index of the event at a path of names, among those of a range; -1 where there is none.
  func find(_ path: Table<PresentationTable.PathComponent>, of type: TypeID, _ range: Range<Int>) -> Int {
    var type = type
    var range = range
    for position in 0..<path.count {
      guard let field = field(path[position], of: type) else { return -1 }
      var index = range.lowerBound
      while index < range.upperBound, event(index).field != field {
        let event = event(index)
        index = event.kind == .object || event.kind == .array ? max(Int(event.next), index + 1) : index + 1
      }
      guard index < range.upperBound else { return -1 }
      if position == path.count - 1 { return index }
      let event = event(index)
      guard event.kind == .object else { return -1 }
      type = event.objectType
      range = (index + 1)..<(Int(event.next) - 1)
    }
    return -1
  }
}

extension PresentationTable {
  private var presentation: FlatReader.Presentation {
    let (fields, types) = (fields, types)
    return FlatReader.Presentation(
      isInline: { types[Int($0.rawValue)].isInline }, isHidden: { fields[Int($0.rawValue)].isHidden },
      isSecret: { fields[Int($0.rawValue)].isSecret },
      needsTree: {
        fields[Int($0.rawValue)].scaleBy >= 0 || fields[Int($0.rawValue)].offsetBy >= 0 || fields[Int($0.rawValue)].unitBy >= 0
          || fields[Int($0.rawValue)].isMerged
      },
      typeNeedsTree: { types[Int($0.rawValue)].template >= 0 })
  }

  /// By message: the reader of a body that needs no tree, neither to be read nor to be shown; nil for others.
  func flatReaders(_ messages: [CompiledMessage], _ program: KaitaiProgram, _ typePresentations: [TypePresentation])
    -> [FlatReader?]
  {
    let types = types
    let presentation = presentation
    // Messages of one type share a reader. Many types may each contain all fields of another one: above the bound, bodies are read into a tree.
    var known: [TypeID: FlatReader?] = [:]
    var left = ProfileBounds.maxReaderFields
    return messages.map { message -> FlatReader? in
      guard case .type(let type) = message.body, !message.needsRequest, message.set.isEmpty else { return nil }
      // Fields in the message's line in words must be read, not computed.
      if let words = message.template ?? typePresentations[Int(type.rawValue)].template,
        !words.isFlat(from: type, program, isInline: { types[Int($0.rawValue)].isInline })
      {
        return nil
      }
      if let reader = known[type] { return reader }
      let reader = left > 0 ? FlatReader(program, type, presentation) : nil
      left -= reader?.fieldCount ?? 0
      known[type] = .some(reader)
      return reader
    }
  }

  /// By message: the reader of the fields in its line in words, where these are fewer than those of ``flatReaders(_:_:_:)``; nil for others.
  func templateReaders(
    _ messages: [CompiledMessage], _ program: KaitaiProgram, _ typePresentations: [TypePresentation], _ readers: [FlatReader?]
  ) -> [FlatReader?] {
    let presentation = presentation
    var left = ProfileBounds.maxReaderFields
    return zip(messages, readers).map { message, reader in
      guard left > 0, reader != nil, case .type(let type) = message.body,
        let words = message.template ?? typePresentations[Int(type.rawValue)].template
      else { return nil }
      let templateReader = FlatReader(program, type, presentation, only: words.fields(of: type, program))
      left -= templateReader?.fieldCount ?? 0
      return templateReader
    }
  }
}

extension MessageTemplate {
  /// The fields of a type that it names, or whose fields it names.
  func fields(of type: TypeID, _ program: KaitaiProgram) -> Set<FieldID> {
    func fields(_ parts: [Part]) -> [FieldID] {
      parts.flatMap { part -> [FieldID] in
        switch part {
        case .text: return []
        case .optional(let inside): return fields(inside)
        case .field(let path, _, _): return path.first.flatMap { program.field($0, of: type) }.map { [$0] } ?? []
        }
      }
    }
    return Set(fields(parts))
  }

  /// Whether all names in it are fields of a sequence.
  func isFlat(from root: TypeID, _ program: KaitaiProgram, isInline: (TypeID) -> Bool) -> Bool {
    func isFlat(_ parts: [Part]) -> Bool {
      parts.allSatisfy { part in
        switch part {
        case .text: return true
        case .optional(let inside): return isFlat(inside)
        case .field(let path, _, _):
          var type = root
          for (index, name) in path.enumerated() {
            guard let field = program.field(name, of: type), !program.isInstance(field), !program.isParameter(field) else { return false }
            if index == path.count - 1 { break }
            guard let next = program.type(of: field), !isInline(next), program.kind(of: field) != .list else { return false }
            type = next
          }
          return true
        }
      }
    }
    return isFlat(parts)
  }
}
