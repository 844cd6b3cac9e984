import KaitaiStruct
import Memory
import Text

// The one-line text of a message for people.

/// Makes the texts of messages, and reuses its memory for each.
@_spi(Pipeline) @safe public final class MessageWords {
  private var writer = MessageFormatter()

  /// Makes an instance.
  public init() {}

  deinit { writer.output.deallocate() }

  /// Calls `body` with the text of the message: that of its `say`, or its name and its fields with their units, without hidden ones.
  @inline(__always)
  public func format(_ message: ProfileMessage, _ body: (BorrowedBytes) -> Void) {
    writer.format(message)
    body(writer.output.bytes)
  }
}

extension ProfileMessage {
  /// Appends the text of the message as ``MessageWords`` makes it.
  public func appendSentence(to output: inout [UInt8]) { MessageWords().format(self) { output.append(contentsOf: $0) } }
}

/// Whether each of the open objects is an id and its value. Objects beyond its capacity are treated as other objects.
struct PairStack {
  private(set) var count = 0
  private var bits: UInt128 = 0

  @inline(__always) var last: Bool { bits & 1 != 0 }

  @inline(__always)
  mutating func append(_ isPair: Bool) {
    bits = bits << 1 | (isPair ? 1 : 0)
    count += 1
  }

  @inline(__always)
  mutating func removeLast() -> Bool {
    let isPair = last
    bits >>= 1
    count -= 1
    return isPair
  }
}

/// Writes fields as words: `name value, name value`.
@safe struct MessageFormatter: MessageFieldVisitor {
  var output = TextSink()
  private var walker: FieldWalker?
  /// Elements written of the innermost open array; more than ``maxElements`` are only counted.
  private var elements = 0
  /// The same numbers for the array around each open one.
  private var arrays: [Int] = []
  private var needsComma = false
  private var pairs = PairStack()
  /// Number of open arrays and objects around the field that a template names.
  private var outerArrays = 0
  private var outerPairs = 0
  /// Remaining number of fields that may be written: templates can be recursive.
  private var left = 0
  /// Whether the last value was null.
  private var wasNull = false
  /// The message could not be read to its end: templates end behind the last field that was read.
  private var isCut = false

  static let maxElements = 12
  static let maxBytes = 24
  /// Most bytes of a text, and bytes of a line after which no field is added: a profile can make texts of any length.
  static let maxText = 4096, maxLine = 16_384
  static let wantsProblems = false

  /// Sets ``output`` to the text of `message`.
  mutating func format(_ message: ProfileMessage) {
    output.removeAll()
    elements = 0
    if !arrays.isEmpty { arrays.removeAll(keepingCapacity: true) }
    pairs = PairStack()
    outerArrays = 0
    outerPairs = 0
    needsComma = false
    left = 2000
    guard message.messageNumber >= 0 else { return }
    isCut = message.problem != nil
    let walker = FieldWalker(message: message)
    let template = message.look.messageTemplates[message.messageNumber]
    if template < 0 || !message.isFlat { self.walker = walker }
    var isWhole = true
    if template >= 0, message.isFlat {
      isWhole = writeTemplate(
        walker.templates[Int(template)].parts, TypeID(rawValue: message.bodyTypes[message.messageNumber]), 0..<walker.eventCount, walker)
      if message.names.isUsed { message.names = TextPool() }
    } else if template >= 0, let root = message.root {
      isWhole = parts(walker.templates[Int(template)].parts, root, depth: 0)
      if message.names.isUsed { message.names = TextPool() }
    } else {
      output.append(message.look.titles[message.messageNumber])
      output.append(": ")
      let start = output.count
      message.visitFields(&self)
      if output.count == start { output.removeLast(2) }
    }
    // Nothing that the template shows was read.
    if !isWhole, isCut, output.count == 0 { output.append(message.look.titles[message.messageNumber]) }
    message.printedBytes &+= output.count
    // Parts that show nothing take time, too: each is looked for among the fields.
    if template >= 0 {
      message.printedBytes &+= walker.templates[Int(template)].parts.count &* (FieldWalker.printedBytesOfField &+ walker.eventCount / 8)
    }
    if self.walker != nil { self.walker = nil }
  }

  /// Writes a value with the context of its field. The walker is kept, because a template can write nested values.
  @inline(never)
  private mutating func leaf(_ index: Int, _ walker: FieldWalker, isNamed: Bool = true) {
    let event = walker.event(index)
    var context = walker.context(event)
    if !isNamed {
      context.label = .empty
      context.isHidden = false
    }
    self.walker = walker
    walker.leaf(event, context, &self)
  }

  /// Writes a value that is neither a number nor has a name.
  @inline(never)
  private mutating func plain(_ index: Int, _ walker: FieldWalker, _ unit: FieldText) {
    append(walker.value(walker.event(index)), .plain, 0, unit)
  }

  // MARK: Fields

  private mutating func begin(_ field: FieldContext) -> Bool {
    begin(isHidden: field.isHidden, isElement: field.name.isEmpty, field.label)
  }

  @inline(__always)
  private mutating func begin(isHidden: Bool, isElement: Bool, _ label: FieldText) -> Bool {
    if isHidden || left <= 0 { return false }
    if output.count > Self.maxLine {
      left = 0
      output.append(", \u{2026}")
      return false
    }
    left -= 1
    if isElement, arrays.count > outerArrays {
      elements += 1
      if elements > Self.maxElements { return false }
    }
    let isInPair = pairs.count > outerPairs && pairs.last
    if needsComma {
      if isInPair { output.append(UInt8(ascii: " ")) } else { output.append(", ") }
    }
    needsComma = true
    // For a pair, and for an element, only the value is written.
    if !label.isEmpty, !isInPair {
      output.append(label)
      output.append(UInt8(ascii: " "))
    }
    return true
  }

  mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) {
    guard begin(field) else { return }
    append(field, value)
  }

  mutating func enumerated(_ field: FieldContext, _ label: FieldLabel?, _ value: Int64) {
    guard begin(field) else { return }
    if field.isSecret { return output.append("(secret)") }
    appendLabel(label, value)
    unit(field.unit)
  }

  @inline(__always)
  private mutating func appendLabel(_ label: FieldLabel?, _ value: Int64) {
    if let label {
      output.append(label.word)
    } else {
      unknown(value)
    }
  }

  /// A number without a name: in hexadecimal, or in decimal if it is negative.
  private mutating func unknown(_ number: Int64) {
    output.append("unknown (")
    if number < 0 { output.append(decimal: number) } else { output.append(hex: UInt64(number)) }
    output.append(UInt8(ascii: ")"))
  }

  @inline(__always)
  private mutating func unit(_ unit: FieldText) {
    if unit.isEmpty { return }
    output.append(UInt8(ascii: " "))
    output.append(unit)
  }

  private mutating func append(_ field: FieldContext, _ value: MessageFieldValue) {
    if field.isSecret {
      switch value {
      case .null: break
      default: return output.append("(secret)")
      }
    }
    append(value, field.format, field.range.count, field.unit)
  }

  private mutating func append(_ value: MessageFieldValue, _ format: FieldPresentation.Format, _ bytes: Int, _ unit: FieldText) {
    switch value {
    case .null:
      wasNull = true
      return output.append("none")
    case .bool(let truth): output.append(truth ? "yes" : "no" as StaticString)
    case .int(let number):
      switch format {
      case .hex:
        if number < 0 { output.append(UInt8(ascii: "-")) }
        output.append { $0.append(hex: number.magnitude, digits: max(2, bytes * 2)) }
      case .unixTime: output.append { $0.append(unixTime: number) }
      default: output.append(decimal: number)
      }
    case .uint(let number): format == .hex ? output.append { $0.append(hex: number, digits: 16) } : output.append(decimal: number)
    case .double(let number, let isSingle): output.append { $0.append(displayed: number, isSingle: isSingle) }
    case .enumeration(let name, let number):
      if name.isEmpty {
        unknown(number)
      } else {
        output.append { $0.append(word: name.string) }
      }
    case .text(let text):
      guard text.count > Self.maxText else {
        output.append { $0.append(printable: text) }
        break
      }
      // A text is not cut inside a character.
      var count = Self.maxText
      while count > 0, text[count] & 0xC0 == 0x80 { count -= 1 }
      output.append { $0.append(printable: text.part(0..<count)) }
      output.append("\u{2026} (+")
      output.append(decimal: UInt64(text.count - count))
      output.append(UInt8(ascii: ")"))
    case .bytes(let bytes):
      if bytes.isEmpty { return output.append("nothing") }
      output.append(
        hexOf: bytes.part(0..<min(bytes.count, Self.maxBytes)), separator: UInt8(ascii: " "))
      if bytes.count > Self.maxBytes {
        output.append("\u{2026} (+")
        output.append(decimal: UInt64(bytes.count - Self.maxBytes))
        output.append(UInt8(ascii: ")"))
      }
    }
    self.unit(unit)
  }

  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool {
    if field.isSecret {
      if begin(field) { output.append("(secret)") }
      return false
    }
    guard begin(field) else { return false }
    enter(isArray: isArray, isPair: field.isPair)
    return true
  }

  @inline(__always)
  private mutating func enter(isArray: Bool, isPair: Bool) {
    if isArray {
      arrays.append(elements)
      elements = 0
      pairs.append(false)
    } else {
      pairs.append(isPair)
      if !isPair { output.append(UInt8(ascii: "(")) }
    }
    needsComma = false
  }

  /// Writes the events of a range as ``FieldWalker/events(_:_:)`` visits them; most of them without a context for each.
  private mutating func events(_ range: Range<Int>, _ walker: FieldWalker) {
    var index = range.lowerBound
    while index < range.upperBound {
      let event = walker.event(index)
      index += 1
      if event.kind == .end {
        close(isArray: event.bits == 1)
        continue
      }
      if event.isHidden {
        if event.kind == .object || event.kind == .array { index = max(Int(event.next), index) }
        continue
      }
      let name = walker.style(event.field)
      let source = walker.style(event.source)
      let label = event.isElement ? FieldText.empty : name.pointee.label
      let isArray = event.kind == .array
      if event.isSecret || source.pointee.isSecret || !source.pointee.isPlain && event.kind != .object && !isArray {
        // A secret is hidden completely, with nested values.
        if event.kind != .object, !isArray {
          leaf(index - 1, walker)
        } else {
          if begin(isHidden: false, isElement: event.isElement, label) { output.append("(secret)") }
          index = max(Int(event.next), index)
        }
        continue
      }
      guard begin(isHidden: false, isElement: event.isElement, label) else {
        if event.kind == .object || isArray { index = max(Int(event.next), index) }
        continue
      }
      switch event.kind {
      case .object, .array: enter(isArray: isArray, isPair: !isArray && walker.style(event.objectType).pointee.isPair)
      case .enumeration:
        let number = Int64(bitPattern: event.bits)
        appendLabel(walker.label(event, number), number)
        unit(source.pointee.unit)
      case .int:
        output.append(decimal: Int64(bitPattern: event.bits))
        unit(source.pointee.unit)
      default: plain(index - 1, walker, source.pointee.unit)
      }
    }
  }

  mutating func close(isArray: Bool) {
    let wasPair = pairs.count > outerPairs ? pairs.removeLast() : false
    if isArray {
      let written = arrays.count > outerArrays ? elements : 0
      if arrays.count > outerArrays { elements = arrays.removeLast() }
      if written > Self.maxElements {
        output.append(", \u{2026} (+")
        output.append(decimal: UInt64(written - Self.maxElements))
        output.append(UInt8(ascii: ")"))
      } else if written == 0 {
        output.append("none")
      }
    } else if !wasPair {
      output.append(UInt8(ascii: ")"))
    }
    needsComma = true
  }

  mutating func problem(_ text: String) {}

  mutating func showInWords(_ field: FieldContext, _ object: ProfileMessage.ObjectInWords) -> Bool {
    if field.isSecret { return false }
    if begin(field), let walker {
      parts(walker.templates[Int(object.template)].parts, object.node, depth: object.depth + 1)
    }
    return true
  }

  // MARK: Templates

  /// Writes a template; `writeField` writes the field at a path. Returns whether every field in it had a value.
  @discardableResult
  private mutating func write(
    _ parts: Table<PresentationTable.Part>,
    _ writeField: (inout MessageFormatter, Table<PresentationTable.PathComponent>, Int, Bool) -> Bool
  ) -> Bool {
    var isWhole = true
    var index = 0
    var end = output.count
    while index < parts.count {
      // Templates within the template may have made the line too long.
      if output.count > Self.maxLine {
        if left > 0 { output.append("\u{2026}") }
        left = 0
        return isWhole
      }
      switch parts[index] {
      case .text(let text): output.append(text)
      case .optional(let count):
        let start = output.count
        let inside = parts.extracting((index + 1)..<(index + 1 + count))
        if write(inside, writeField) { end = output.count } else { output.removeLast(output.count - start) }
        index += count
      case .field(let path, let digits, let isHex):
        if writeField(&self, path, digits, isHex) {
          end = output.count
        } else {
          isWhole = false
          if isCut {
            output.removeLast(output.count - end)
            return false
          }
        }
      }
      index += 1
    }
    return isWhole
  }

  /// Writes a template over the fields of `object`.
  @discardableResult
  private mutating func parts(_ parts: Table<PresentationTable.Part>, _ object: NodeID, depth: Int) -> Bool {
    write(parts) { $0.field($1, $2, $3, object, depth: depth) }
  }

  /// Writes a template over fields that were read without a tree, which are those of `type`.
  private mutating func writeTemplate(
    _ parts: Table<PresentationTable.Part>, _ type: TypeID, _ range: Range<Int>, _ walker: FieldWalker
  ) -> Bool {
    write(parts) { writer, path, digits, isHex in
      let event = walker.find(path, of: type, range)
      return event >= 0 && writer.value(event, digits, isHex, walker)
    }
  }

  /// Writes the value of an event without its name. Returns whether there was a value.
  private mutating func value(_ index: Int, _ digits: Int, _ isHex: Bool, _ walker: FieldWalker) -> Bool {
    let event = walker.event(index)
    if digits > 0 || isHex, event.field == event.source, let whole = event.value.asInt {
      append(whole, digits, isHex)
      return true
    }
    guard left > 0 else { return false }
    left -= 1
    if event.kind == .absent || event.kind == .array && event.bits == 0 { return false }
    let start = output.count
    let outer = (outerArrays, outerPairs, needsComma)
    outerArrays = arrays.count
    outerPairs = pairs.count
    needsComma = false
    defer { (outerArrays, outerPairs, needsComma) = outer }
    if event.kind == .object {
      let isPair = walker.style(event.objectType).pointee.isPair
      if isPair { pairs.append(true) }
      events((index + 1)..<(Int(event.next) - 1), walker)
      if isPair { _ = pairs.removeLast() }
      return output.count > start
    }
    let source = walker.style(event.source)
    if !event.isSecret, !source.pointee.isSecret {
      // Most are arrays and numbers with names, for which the context of a field is not needed.
      if event.kind == .array {
        if begin(isHidden: false, isElement: event.isElement, .empty) {
          enter(isArray: true, isPair: false)
          events((index + 1)..<(Int(event.next) - 1), walker)
          close(isArray: true)
        }
        return output.count > start
      }
      if event.kind == .enumeration, source.pointee.isPlain {
        wasNull = false
        guard begin(isHidden: false, isElement: event.isElement, .empty) else { return output.count > start }
        let number = Int64(bitPattern: event.bits)
        appendLabel(walker.label(event, number), number)
        unit(source.pointee.unit)
        return output.count > start
      }
    }
    if event.kind == .array {
      var context = walker.context(event)
      context.label = .empty
      context.isHidden = false
      if open(context, isArray: true, count: Int(event.bits)) {
        events((index + 1)..<(Int(event.next) - 1), walker)
        close(isArray: true)
      }
      return output.count > start
    }
    wasNull = false
    leaf(index, walker, isNamed: false)
    dropBrackets(walker.style(event.source), start)
    return output.count > start && !(wasNull && walker.style(event.source).pointee.body < 0)
  }

  /// An embedded body is written as an object; at the end of a path its brackets are dropped.
  private mutating func dropBrackets(_ style: Table<PresentationTable.Field>.Entry, _ start: Int) {
    guard style.pointee.body >= 0, output.count > start, output[start] == UInt8(ascii: "("),
      output[output.count - 1] == UInt8(ascii: ")")
    else {
      return
    }
    output.removeLast()
    if output.count > start { output.remove(at: start) }
  }

  /// Appends a number in the format of a template.
  private mutating func append(_ whole: Int64, _ digits: Int, _ isHex: Bool) {
    if isHex {
      var text: [UInt8] = []
      text.append(hex: UInt64(bitPattern: whole), digits: max(1, digits))
      output.append { $0.append(contentsOf: text.dropFirst(2)) }
    } else {
      let text = String(whole)
      output.append { $0.append(String(repeating: "0", count: max(0, digits - text.utf8.count)) + text) }
    }
  }

  private mutating func field(
    _ path: Table<PresentationTable.PathComponent>, _ digits: Int, _ isHex: Bool, _ object: NodeID, depth: Int
  ) -> Bool {
    guard let walker else { return false }
    var holder = object
    for index in 0..<path.count {
      if let type = walker.tree.node(holder).objectType, walker.hasMerged(type), walker.field(path[index], of: type) == nil {
        let name = path[index].name
        guard let found = walker.merged(holder).first(where: { walker.tree.name(of: $0.field) == name }) else {
          return false
        }
        if index < path.count - 1 {
          holder = found.node
          continue
        }
        if !found.lists.isEmpty { return appendLists(found, walker, depth: depth) }
        if digits > 0 || isHex, let whole = walker.tree.int(found.node) {
          append(whole, digits, isHex)
          return true
        }
        return appendValue(found.node, found.field, found.style, found.holder, depth: depth)
      }
      guard let type = walker.tree.node(holder).objectType, let field = walker.field(path[index], of: type),
        let node = walker.tree.node(field, of: holder)
      else { return false }
      if index < path.count - 1 {
        holder = node
        continue
      }
      if digits > 0 || isHex, let whole = walker.tree.int(node) {
        append(whole, digits, isHex)
        return true
      }
      return appendValue(node, field, walker.style(field), holder, depth: depth)
    }
    return false
  }

  /// Writes merged lists without their name.
  private mutating func appendLists(_ field: MergedField, _ walker: FieldWalker, depth: Int) -> Bool {
    guard depth < FieldWalker.deepest, left > 0 else { return false }
    left -= 1
    let start = output.count
    let outer = (outerArrays, outerPairs, needsComma)
    outerArrays = arrays.count
    outerPairs = pairs.count
    needsComma = false
    defer { (outerArrays, outerPairs, needsComma) = outer }
    var context = walker.context(field.style, field.node)
    context.label = .empty
    context.isHidden = false
    walker.visit(field, context, &self, depth: depth + 1)
    return output.count > start
  }

  /// Writes one field's value without its name. Returns whether there was a value.
  private mutating func appendValue(
    _ node: NodeID, _ field: FieldID, _ style: Table<PresentationTable.Field>.Entry, _ holder: NodeID, depth: Int
  ) -> Bool {
    guard let walker, depth < FieldWalker.deepest, left > 0 else { return false }
    left -= 1
    let tree = walker.tree
    let start = output.count
    let type = tree.node(node).objectType
    if let type {
      let typeStyle = walker.style(type)
      if typeStyle.pointee.template >= 0 {
        parts(walker.templates[Int(typeStyle.pointee.template)].parts, node, depth: depth + 1)
        return output.count > start
      }
      if typeStyle.pointee.isInline {
        guard let (inside, insideStyle) = walker.inlined(node, type), let insideField = tree.node(inside).field else { return false }
        return appendValue(inside, insideField, insideStyle, node, depth: depth + 1)
      }
    } else if tree.node(node).kind == .array, tree.node(node).count == 0 {
      return false
    }
    // Arrays and objects around a template's field do not count inside it.
    let outer = (outerArrays, outerPairs, needsComma)
    outerArrays = arrays.count
    outerPairs = pairs.count
    needsComma = false
    defer { (outerArrays, outerPairs, needsComma) = outer }
    if let type {
      let isPair = walker.style(type).pointee.isPair
      if isPair { pairs.append(true) }
      walker.fields(of: node, &self, depth: depth + 1)
      if isPair { _ = pairs.removeLast() }
      return output.count > start
    }
    var context = walker.context(style, node)
    context.label = .empty
    context.isHidden = false
    wasNull = false
    walker.walk(node, context, style, in: holder, &self, depth: depth + 1)
    dropBrackets(style, start)
    return output.count > start && !(wasNull && style.pointee.body < 0 && tree.node(node).kind != .array)
  }
}

extension [UInt8] {
  /// Appends a name for people: an identifier (`is_on`, `RESULT_OK`) in lower case with spaces, other names unchanged.
  mutating func append(word name: String) {
    var hasUpper = false
    var hasLower = false
    var isWord = true
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): hasLower = true
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): hasUpper = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): break
      default: isWord = false
      }
    }
    guard isWord, !(hasUpper && hasLower), !hasUpper || name.utf8.contains(UInt8(ascii: "_")) else { return append(name) }
    for byte in name.utf8 {
      append(byte == UInt8(ascii: "_") ? UInt8(ascii: " ") : hasUpper && byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
    }
  }

  /// Appends a number for people: up to six decimals, none for an integer.
  mutating func append(displayed value: Double, isSingle: Bool) {
    guard value.isFinite else { return append(value.description) }
    if value == value.rounded(), abs(value) < 1e15 { return append(decimal: Int64(value)) }
    let text = isSingle ? Float(value).description : value.description
    guard !text.contains("e"), let point = text.firstIndex(of: "."), text.distance(from: point, to: text.endIndex) > 5 else {
      return append(text)
    }
    let rounded = (value * 10_000).rounded() / 10_000
    append(rounded == rounded.rounded() ? String(Int64(rounded)) : rounded.description)
  }

  /// Appends seconds since 1970 as `2026-01-31 09:30:00 UTC`.
  mutating func append(unixTime seconds: Int64) {
    guard (0..<(1 << 40)).contains(seconds) else { return append(decimal: seconds) }
    let days = seconds / 86_400
    let second = seconds % 86_400
    let date = CivilDate(daysSince1970: Int(days))
    func two(_ value: Int64, _ before: Character) {
      append(String(before))
      if value < 10 { append(UInt8(ascii: "0")) }
      append(decimal: value)
    }
    append(decimal: Int64(date.year))
    two(Int64(date.month), "-")
    two(Int64(date.day), "-")
    two(second / 3600, " ")
    two(second / 60 % 60, ":")
    two(second % 60, ":")
    append(" UTC")
  }
}
