import KaitaiStruct
import Memory
import PacketCodecs
import Text

/// A field of a message as a visitor gets it. Its texts are borrowed: they are valid during the call.
@_spi(Pipeline) public struct FieldContext {
  /// Its name in the profile; empty for elements of arrays.
  public var name: FieldText
  /// Its name for people.
  public var label: FieldText
  /// Its unit; empty where it has none.
  public var unit: FieldText
  /// The name as a JSON key, with the comma before and the colon behind it; empty where it has to be made from ``name``.
  var key = FieldText.empty
  /// Its range in the payload, in bytes. For bit fields, the bytes that contain its bits. Empty for computed values.
  public var range: Range<Int>
  /// For bit fields: the number of bits of the first byte before it, in the order in which bits are taken.
  public var startBit = 0
  /// For bit fields: the number of bits of the last byte that are taken at its end.
  public var endBit = 0
  /// It is not shown.
  public var isHidden = false
  /// It is a secret, such as a password, which must not leave the machine.
  public var isSecret = false
  /// Whether it reveals something about a person; nil where the profile does not say.
  package var isPersonal: Bool?
  /// It always has the same bytes.
  package var isFixed = false
  /// It is a bit field that takes the lowest bit of a byte first.
  package var takesLowBitsFirst = false
  /// It is an object of an id and its value (`-pair`).
  public var isPair = false
  var format = FieldPresentation.Format.plain
  /// It is a part of a date or of a time of day.
  package var isClock = false
  /// The profile says that it is a date or a time: seconds since 1970, or a part of one.
  package var isTime: Bool { format == .unixTime || isClock }

  /// The same without a name, for an element of an array.
  var element: FieldContext {
    var element = self
    element.name = .empty
    element.label = .empty
    element.key = .empty
    return element
  }
}

/// The value of a field of a message, for a ``MessageFieldVisitor``. Bytes and texts belong to the message's tree, and are valid during the call of the
/// visitor only.
@_spi(Pipeline) @safe public enum MessageFieldValue {
  /// No value: the field is absent, or has its `-na` value.
  case null
  /// A boolean.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// An integer from 2⁶³ on.
  case uint(UInt64)
  /// A floating-point number; `isSingle` where it has single precision.
  case double(Double, isSingle: Bool)
  /// A number with a name; the name is empty where the profile has none for it.
  case enumeration(name: FieldText, value: Int64)
  /// Text in UTF-8.
  case text(BorrowedBytes)
  /// A byte string.
  case bytes(BorrowedBytes)
}

/// The format of a part of a message that no type of the profile describes.
@_spi(Pipeline) public enum EmbeddedFormat: Equatable, Sendable {
  /// Protobuf, with the index of the message whose schema names its fields; nil for none.
  case protobuf(Int?)
  /// CBOR (RFC 8949).
  case cbor
  /// JSON (RFC 8259).
  case json
  /// Text in UTF-8.
  case text
  /// Text with values between commas, and the names of the values.
  case csv([String])
  /// Plain bytes.
  case bytes

  /// A format without schema and names, which only decoding needs. A walk passes it to ``MessageFieldVisitor/embedded(_:in:)``, for instance so that
  /// redaction keeps the structure of JSON.
  public enum Kind: Sendable { case protobuf, cbor, json, csv, text, bytes }

  /// The format without schema and names.
  public var kind: Kind {
    switch self {
    case .protobuf: .protobuf
    case .cbor: .cbor
    case .json: .json
    case .text: .text
    case .csv: .csv
    case .bytes: .bytes
    }
  }

  /// Whether it names its fields itself, without the profile's protobuf messages.
  var namesFields: Bool {
    switch self {
    case .cbor, .json, .csv: true
    case .protobuf, .text, .bytes: false
    }
  }
}

/// Receives the fields of a message, in the order of the profile.
@_spi(Pipeline) public protocol MessageFieldVisitor {
  /// A field with a single value.
  mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue)
  /// An object or an array begins. Returns whether to visit its contents.
  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool
  /// The object or array that was opened last ends.
  mutating func close(isArray: Bool)
  /// Whether ``problem(_:)`` is wanted: its text costs time.
  static var wantsProblems: Bool { get }
  /// Whether fields that are not shown are visited, too: each field of one name that `-merge` combines, at its own position, and all fields
  /// of an object that is shown as one field.
  static var visitsEachPart: Bool { get }
  /// The body ended here: the bytes behind were not read.
  mutating func problem(_ text: String)
  /// A field with an enum's value; `label` is nil where it has no name. The same as ``leaf(_:_:)``, for visitors that use the labels.
  mutating func enumerated(_ field: FieldContext, _ label: FieldLabel?, _ value: Int64)
  /// Bytes that no type of the profile describes begin. The fields up to the next such call, or the end of the enclosing object, are in them.
  mutating func embedded(_ format: EmbeddedFormat.Kind, in range: Range<Int>)
  /// Lets the visitor write an object, whose type has a line in words, by that line. Returns whether it did: then its fields are not visited.
  mutating func showInWords(_ field: FieldContext, _ object: ProfileMessage.ObjectInWords) -> Bool
}

/// A name of an enum's value, in the forms that printers use.
@_spi(Pipeline) @safe public struct FieldLabel {
  let label: Table<PresentationTable.Label>.Entry

  init(_ label: Table<PresentationTable.Label>.Entry) { self.label = label }

  /// The name in the profile.
  public var name: FieldText { label.pointee.name }
  /// For output: the name in lowercase, with spaces between its words.
  var word: FieldText { label.pointee.word }
  /// As a JSON object of name and value.
  var json: FieldText { label.pointee.json }
}

extension MessageFieldVisitor {
  /// Visits the field as any other leaf.
  public mutating func enumerated(_ field: FieldContext, _ label: FieldLabel?, _ value: Int64) {
    leaf(field, .enumeration(name: label?.name ?? .empty, value: value))
  }

  /// Problems are wanted.
  public static var wantsProblems: Bool { true }

  /// Of several fields of one name that `-merge` combines, only the last is visited.
  public static var visitsEachPart: Bool { false }

  /// Does nothing.
  public mutating func embedded(_ format: EmbeddedFormat.Kind, in range: Range<Int>) {}

  /// Visits a text.
  mutating func text(_ field: FieldContext, _ text: RawSpan) { text.withBorrowedBytes { leaf(field, .text($0)) } }

  /// Visits bytes.
  mutating func bytes(_ field: FieldContext, _ bytes: RawSpan) { bytes.withBorrowedBytes { leaf(field, .bytes($0)) } }

  /// Does nothing: the fields of the object are visited.
  public mutating func showInWords(_ field: FieldContext, _ object: ProfileMessage.ObjectInWords) -> Bool { false }
}

extension ProfileMessage {
  /// An object whose type has a line in words.
  public struct ObjectInWords {
    let node: NodeID
    let template: Int32
    let depth: Int
  }
}

extension ProfileMessage {
  /// Passes all fields of the message to `visitor`, without the object around them.
  public func visitFields<V: MessageFieldVisitor>(_ visitor: inout V) {
    guard messageNumber >= 0 else {
      // The header of a fragment that belongs to no message.
      if kind == .unjoined, let root { FieldWalker(message: self).fields(of: root, &visitor, depth: 0) }
      return
    }
    let walker = FieldWalker(message: self)
    switch profile.messages[messageNumber].body {
    case .type:
      if isFlat {
        if walker.admitsEvents(&visitor) { walker.events(0..<record.count, &visitor) }
      } else if let root {
        walker.fields(of: root, &visitor, depth: 0)
      }
    case .other(let body):
      walker.inner(body, 0..<count, name: .empty, &visitor, isTop: true, fields: profile.messages[messageNumber].bodyFields)
    }
    if names.isUsed { names = TextPool() }
  }
}

/// The presentation of a profile's messages, and the tree of one of them, as pointers that are read without retain and release.
@safe struct MessagePresentation {
  let tree: TreeView
  let templates: Table<PresentationTable.Template>
  let styles: Table<PresentationTable.Field>
  let types: Table<PresentationTable.`Type`>
  let enumerations: Table<PresentationTable.Enumeration>
  let messageTemplates: Table<Int32>
  let titles: Table<FieldText>
  let profileKey: Table<FieldText>
  let messageKeys: Table<FieldText>
  let sourceKeys: Table<FieldText>
  let headingBytes: Int

  init(_ tree: KaitaiTree, _ shown: PresentationTable) {
    self.tree = TreeView(tree)
    templates = shown.templates
    styles = shown.fields
    types = shown.types
    enumerations = shown.enumerations
    messageTemplates = shown.messageTemplates
    titles = shown.messageTitles
    profileKey = shown.profileKey
    messageKeys = shown.messageKeys
    sourceKeys = shown.sourceKeys
    headingBytes = shown.headingBytes
  }
}

/// Visits the fields of a message. Its pointers are valid as long as the message; nothing is retained.
@safe struct FieldWalker {
  private let unretained: Unretained<ProfileMessage>
  let tree: TreeView
  let templates: Table<PresentationTable.Template>
  let styles: Table<PresentationTable.Field>
  let types: Table<PresentationTable.`Type`>
  let enumerations: Table<PresentationTable.Enumeration>

  /// Maximum depth of nested objects.
  static let deepest = 40

  /// The events of a body that was read without a tree, and the payload.
  let events: UnsafePointer<FieldEvent>
  let eventCount: Int
  let payload: BorrowedBytes

  var message: ProfileMessage { unretained.object }
  var profile: CompiledProfile { message.profile }

  init(message: ProfileMessage) {
    unretained = Unretained(message)
    let look = message.look
    tree = look.tree
    templates = look.templates
    styles = look.styles
    types = look.types
    enumerations = look.enumerations
    unsafe events = unsafe message.record.start
    eventCount = message.isFlat ? message.record.count : 0
    payload = message.payload
    message.visitedNodes = 0
    message.walkStart = message.printedBytes
    message.pathBytes = 0
    message.isWalkCut = false
  }

  @inline(__always) func style(_ field: FieldID) -> Table<PresentationTable.Field>.Entry { styles.entry(Int(field.rawValue)) }
  /// The field of an object of `type` at a component of a template's path.
  @inline(__always)
  func field(_ component: PresentationTable.PathComponent, of type: TypeID) -> FieldID? {
    component.field ?? named(component.name, of: type)
  }

  /// The field of a name, which is looked for among all fields of the type.
  @inline(never)
  private func named(_ name: Symbol, of type: TypeID) -> FieldID? {
    message.printedBytes &+= tree.fields(of: type).count / 4
    return tree.field(name, of: type)
  }
  @inline(__always) func style(_ type: TypeID) -> Table<PresentationTable.`Type`>.Entry { types.entry(Int(type.rawValue)) }

  // MARK: References

  /// Whether a node has the object among its fields, or is the object: an instance that refers to it would be visited in itself without end.
  private func isAround(_ id: NodeID, _ object: NodeID) -> Bool {
    guard tree.node(id).kind == .object || tree.node(id).kind == .array else { return false }
    var outer: NodeID? = object
    for _ in 0..<2 * Self.deepest {
      guard let known = outer else { return false }
      if known == id { return true }
      outer = tree.node(known).parent
    }
    return true
  }

  /// Counts a visited node with its name. False where so many were visited that objects must have been visited again and again: instances can refer
  /// to objects that are fields elsewhere, and these to others. The first time this is reported as a problem.
  private func mayVisit<V: MessageFieldVisitor>(_ field: FieldContext, _ visitor: inout V) -> Bool {
    let message = message
    message.visitedNodes &+= 1
    if message.visitedNodes <= Self.visits(nodes: tree.nodeCount) { return admits(field, 0, &visitor) }
    if message.visitedNodes < Int.max / 2 {
      message.visitedNodes = Int.max / 2
      if V.wantsProblems { visitor.problem("objects of instances are repeated too often: the rest is left out") }
    }
    return false
  }

  /// Counts a field's name, those of the objects around it, its unit, and so many bytes of its value. False where the current walk has more of them than
  /// ``ProfileBounds/walkedBytes`` allows: instances can read the same bytes again and again, and outputs write the names of all objects around a field
  /// with each field. The first time this is reported as a problem.
  @inline(__always)
  func admits<V: MessageFieldVisitor>(_ field: FieldContext, _ bytes: Int, _ visitor: inout V) -> Bool {
    let message = message
    message.printedBytes &+=
      message.pathBytes &+ field.name.count &+ field.unit.count &+ Self.printedBytesOfField &+ bytes &* Self.printedBytesOfValue
    if message.printedBytes &- message.walkStart <= Self.bytes(payload: payload.count) { return true }
    return reportLength(&visitor)
  }

  @inline(never)
  func reportLength<V: MessageFieldVisitor>(_ visitor: inout V) -> Bool {
    if !message.isWalkCut {
      message.isWalkCut = true
      if V.wantsProblems { visitor.problem("names and texts of the fields take too many bytes: the rest is left out") }
    }
    return false
  }

  /// What a byte of a value counts for: control characters in texts are printed as escapes of up to six bytes.
  static let printedBytesOfValue = 6
  /// What a field counts for besides its name, unit and texts: its number, and the punctuation around it.
  static let printedBytesOfField = 16
  /// What a fraction counts for: it has up to 24 digits, and takes as long to print as many other fields. So does a value that cannot be computed.
  static let printedBytesOfFraction = 128
  /// Most visits of a tree with so many nodes, each of which is mostly visited once.
  static func visits(nodes: Int) -> Int { 256 + 4 * nodes }
  /// Most bytes of names and texts that a walk visits, of a message with so many bytes.
  static func bytes(payload: Int) -> Int { ProfileBounds.walkedBytes &+ payload &* ProfileBounds.walkedBytesOfByte }

  func fields<V: MessageFieldVisitor>(of object: NodeID, _ visitor: inout V, depth: Int) {
    guard depth < Self.deepest, let type = tree.node(object).objectType else { return }
    let isMerged = hasMerged(type) && !V.visitsEachPart
    if isMerged { visitMerged(object, &visitor, depth: depth) }
    let range = tree.fields(of: type)
    for index in 0..<(isMerged ? 0 : range.count) {
      let field = range[index]
      if tree.isParameter(field) { continue }
      let style = style(field)
      if tree.isInstance(field) {
        if style.pointee.isHidden { continue }
        guard let value = tree.node(field, of: object) else {
          // A value that cannot be computed, though all that it needs is there: the bytes are not what the profile expects.
          if case .failed(let failure) = message.tree.state(of: field, in: object), failure.kind != .absent {
            message.printedBytes &+= Self.printedBytesOfFraction
            if V.visitsEachPart { visitor.problem("a value cannot be computed") }
          }
          continue
        }
        if isAround(value, object) {
          visitor.leaf(context(style, value), .null)
        } else {
          walk(value, context(style, value), style, in: object, &visitor, depth: depth)
        }
      } else {
        let value = tree.present(field, in: object)
        if value.rawValue >= 0 { walk(value, context(style, value), style, in: object, &visitor, depth: depth) }
      }
    }
    if depth == 0, V.wantsProblems, let problem = message.problem {
      // A problem within a body was reported there.
      if case .inner = problem { return }
      visitor.problem(message.describe(problem))
    }
  }

  @inline(__always)
  func context(_ style: Table<PresentationTable.Field>.Entry, _ id: NodeID) -> FieldContext {
    let node = tree.node(id)
    var context = FieldContext(
      name: style.pointee.name, label: style.pointee.label, unit: style.pointee.unit,
      range: node.isProduced ? 0..<0 : Int(node.start)..<Int(max(node.start, node.end)))
    context.key = style.pointee.key
    context.startBit = Int(node.startBit)
    context.endBit = Int(node.endBit)
    context.isHidden = style.pointee.isHidden
    context.isSecret = style.pointee.isSecret
    context.isPersonal = style.pointee.isPersonal
    context.isClock = style.pointee.isClock
    context.isFixed = style.pointee.isFixed
    context.takesLowBitsFirst = style.pointee.takesLowBitsFirst
    context.format = style.pointee.format
    return context
  }

  /// Visits one node. `style` is that of the field whose value, or element of the value, the node is.
  func walk<V: MessageFieldVisitor>(
    _ id: NodeID, _ field: FieldContext, _ style: Table<PresentationTable.Field>.Entry, in object: NodeID?, _ visitor: inout V, depth: Int
  ) {
    guard depth < Self.deepest, mayVisit(field, &visitor) else { return }
    let node = tree.node(id)
    // Outputs write the names of the objects around a field with each field.
    message.pathBytes &+= field.name.count
    defer { message.pathBytes &-= field.name.count }
    switch node.kind {
    case .object:
      guard let type = node.objectType else { return }
      let typeStyle = self.style(type)
      if typeStyle.pointee.isInline {
        guard let (inside, insideStyle) = inlined(id, type) else { return visitor.leaf(field, .null) }
        var shown = context(insideStyle, inside)
        shown.name = field.name
        shown.label = field.label
        shown.key = field.key
        shown.isHidden = field.isHidden
        shown.isSecret = field.isSecret || shown.isSecret
        shown.isPersonal = shown.isPersonal ?? field.isPersonal
        shown.isClock = shown.isClock || field.isClock
        if V.visitsEachPart {
          // The object has other fields than the one that it is shown as.
          for sibling in tree.fields(of: type) where !tree.isParameter(sibling) && !tree.isInstance(sibling) {
            let other = tree.present(sibling, in: id)
            guard other.rawValue >= 0, other != inside else { continue }
            let style = self.style(sibling)
            walk(other, context(style, other), style, in: id, &visitor, depth: depth + 1)
          }
        }
        return walk(inside, shown, insideStyle, in: id, &visitor, depth: depth + 1)
      }
      if typeStyle.pointee.template >= 0,
        visitor.showInWords(field, ProfileMessage.ObjectInWords(node: id, template: typeStyle.pointee.template, depth: depth))
      {
        return
      }
      var field = field
      field.isPair = typeStyle.pointee.isPair
      if visitor.open(field, isArray: false, count: 0) {
        fields(of: id, &visitor, depth: depth + 1)
        visitor.close(isArray: false)
      }
    case .array:
      if visitor.open(field, isArray: true, count: node.count) {
        var next = node.firstChild
        while let element = next {
          walk(element, context(style, element).element, style, in: object, &visitor, depth: depth + 1)
          next = tree.node(element).next
        }
        visitor.close(isArray: true)
      }
    default: leaf(id, node.kind, field, style, in: object, &visitor)
    }
  }

  /// The field as which an object of an inline type is shown: its first field that is not hidden.
  func inlined(_ object: NodeID, _ type: TypeID) -> (NodeID, Table<PresentationTable.Field>.Entry)? {
    let range = tree.fields(of: type)
    for index in 0..<range.count where !tree.isParameter(range[index]) {
      let style = style(range[index])
      if style.pointee.isHidden { continue }
      return tree.node(range[index], of: object).map { ($0, style) }
    }
    return nil
  }

  private func leaf<V: MessageFieldVisitor>(
    _ id: NodeID, _ kind: KaitaiValue.Kind, _ field: FieldContext, _ style: Table<PresentationTable.Field>.Entry, in object: NodeID?,
    _ visitor: inout V
  ) {
    guard let value = tree.value(of: id) else { return visitor.leaf(field, .null) }
    var field = field
    if style.pointee.unitBy >= 0, let object {
      field.unit = unit(style, object)
      message.printedBytes &+= field.unit.count
    }
    switch kind {
    case .bool: visitor.leaf(field, .bool(value.asBool ?? false))
    case .int, .uint, .float, .enumeration:
      message.printedBytes &+= labelBytes(value)
      number(value, isSingle: tree.node(id).isSingle, field, style, in: object, &visitor)
    case .bytes:
      if style.pointee.body >= 0 {
        let body = profile.shown.bodies[Int(style.pointee.body)]
        let range = field.range
        if range.count > 0 || tree.node(id).end == tree.node(id).start, !tree.node(id).isProduced {
          let fields = profile.shown.bodyFields[Int(style.pointee.body)]
          return inner(body, range, name: field.name, &visitor, isTop: false, field: field, fields: fields)
        }
      }
      tree.withBytes(id) {
        message.printedBytes &+= $0.count &* Self.printedBytesOfValue
        bytes(formatted: $0, field, style, &visitor)
      }
    case .string:
      tree.withBytes(id) {
        message.printedBytes &+= $0.count &* Self.printedBytesOfValue
        visitor.leaf(field, .text($0))
      }
    default: visitor.leaf(field, .null)
    }
  }

  /// Bytes of the name of an enum's value; 0 where it has none.
  func labelBytes(_ value: KaitaiValue) -> Int {
    guard let enumeration = value.enumeration, let whole = value.asInt else { return 0 }
    return enumerations[Int(enumeration.rawValue)].label(whole)?.pointee.name.count ?? 0
  }

  func number<V: MessageFieldVisitor>(
    _ value: KaitaiValue, isSingle: Bool, _ field: FieldContext, _ style: Table<PresentationTable.Field>.Entry, in object: NodeID?,
    _ visitor: inout V
  ) {
    if !style.pointee.absent.isEmpty, style.pointee.absent.contains(value) { return visitor.leaf(field, .null) }
    if let whole = value.asInt {
      switch style.pointee.format {
      case .bool: return visitor.leaf(field, .bool(whole != 0))
      case .sfloat: return medical(mantissa: whole & 0xFFF, bits: 12, exponent: whole >> 12 & 15, exponentBits: 4, field, &visitor)
      case .float32: return medical(mantissa: whole & 0xFF_FFFF, bits: 24, exponent: whole >> 24 & 0xFF, exponentBits: 8, field, &visitor)
      default: break
      }
      if let enumeration = value.enumeration {
        let label = enumerations[Int(enumeration.rawValue)].label(whole)
        return visitor.enumerated(field, label.map(FieldLabel.init), whole)
      }
    }
    if style.pointee.isComputed || style.pointee.scale != nil || style.pointee.scaleBy >= 0 || value.kind == .float {
      message.printedBytes &+= Self.printedBytesOfFraction
    }
    if style.pointee.isComputed { return computed(value, isSingle: isSingle, field, style, in: object, &visitor) }
    if style.pointee.scale != nil || style.pointee.scaleBy >= 0 {
      var number = value.asDouble ?? 0
      if style.pointee.scaleBy >= 0 {
        guard let object, let factor = try? tree.evaluate(ExpressionID(rawValue: style.pointee.scaleBy), at: object),
          let by = factor.asDouble
        else {
          return visitor.leaf(field, .null)
        }
        number *= by
      }
      if let scale = style.pointee.scale { number = scale.apply(number) }
      return visitor.leaf(field, .double(number, isSingle: false))
    }
    switch value.kind {
    case .float: visitor.leaf(field, .double(value.asDouble ?? 0, isSingle: isSingle))
    case .uint: visitor.leaf(field, .uint(value.asUInt ?? 0))
    // A number of an enum beyond 2⁶³−1 has no name.
    default: if let whole = value.asInt { visitor.leaf(field, .int(whole)) } else { visitor.leaf(field, .uint(value.asUInt ?? 0)) }
    }
  }

  /// The unit of a field, where it depends on others.
  private func unit(_ style: Table<PresentationTable.Field>.Entry, _ object: NodeID) -> FieldText {
    guard let value = try? tree.evaluate(ExpressionID(rawValue: style.pointee.unitBy), at: object), value.kind == .string else {
      return .empty
    }
    return message.tree.withBytes(of: value) { message.names.keep($0) }
  }

  /// Visits a number with an offset that depends on other fields, or with rounding, or one that stays an integer.
  @inline(never)
  private func computed<V: MessageFieldVisitor>(
    _ value: KaitaiValue, isSingle: Bool, _ field: FieldContext, _ style: Table<PresentationTable.Field>.Entry, in object: NodeID?,
    _ visitor: inout V
  ) {
    func evaluated(_ expression: Int32) -> KaitaiValue? {
      guard expression >= 0, let object else { return nil }
      return try? tree.evaluate(ExpressionID(rawValue: expression), at: object)
    }
    let isFactored = style.pointee.scaleBy >= 0
    let isShifted = style.pointee.offsetBy >= 0
    let factor = isFactored ? evaluated(style.pointee.scaleBy) : .int(1)
    let more = isShifted ? evaluated(style.pointee.offsetBy) : .int(0)
    guard let factor, let more, let by = factor.asDouble, let offset = more.asDouble else { return visitor.leaf(field, .null) }
    // Integers remain exact integers, unless a factor or an offset is a fraction.
    if let whole = value.whole, let times = factor.whole, let added = more.whole {
      // The product of two 64-bit numbers fits 128 bits, except for the sign.
      let (product, overflow) = whole.multipliedReportingOverflow(by: times)
      let scaled = overflow ? nil : style.pointee.scale.map { $0.applyWhole(product) } ?? product
      if let scaled, case let (sum, isTooLarge) = scaled.addingReportingOverflow(added), !isTooLarge {
        return self.whole(sum, field, &visitor)
      }
    }
    guard var number = value.asDouble else { return visitor.leaf(field, .null) }
    number *= by
    if let scale = style.pointee.scale { number = scale.apply(number) }
    number += offset
    if style.pointee.digits >= 0 {
      var power = 1.0
      for _ in 0..<style.pointee.digits { power *= 10 }
      let rounded = (number * power).rounded()
      // Numbers above the integers that a double represents exactly have no decimals.
      if abs(rounded) < 9e15 {
        if style.pointee.digits == 0 { return visitor.leaf(field, .int(Int64(rounded))) }
        number = rounded / power
      }
    }
    visitor.leaf(field, .double(number, isSingle: isSingle && !isFactored && !isShifted))
  }

  /// A medical float of IEEE 11073-20601: mantissa and exponent of ten, with special values that are no numbers.
  private func medical<V: MessageFieldVisitor>(
    mantissa: Int64, bits: Int64, exponent: Int64, exponentBits: Int64, _ field: FieldContext, _ visitor: inout V
  ) {
    let half: Int64 = 1 << (bits - 1)
    let signed = mantissa >= half ? mantissa - (1 << bits) : mantissa
    let power = exponent >= 1 << (exponentBits - 1) ? exponent - (1 << exponentBits) : exponent
    // NaN, not at this resolution, +infinity, −infinity, reserved.
    if power == 0, [half - 2, half - 1, half, half + 1, half + 2].contains(mantissa) { return visitor.leaf(field, .null) }
    var factor = 1.0
    for _ in 0..<min(abs(power), 200) { factor *= 10 }
    visitor.leaf(field, .double(power < 0 ? Double(signed) / factor : Double(signed) * factor, isSingle: false))
  }

  /// Visits bytes in the format of their style.
  func bytes<V: MessageFieldVisitor>(
    formatted bytes: BorrowedBytes, _ field: FieldContext, _ style: Table<PresentationTable.Field>.Entry, _ visitor: inout V
  ) {
    var text: [UInt8] = []
    switch style.pointee.format {
    case .mac: text.append(hexOf: bytes, separator: UInt8(ascii: ":"))
    case .macReversed:
      for index in bytes.indices.reversed() {
        text.append(hexOf: bytes.part(index..<index + 1))
        text.append(UInt8(ascii: ":"))
      }
    case .uuid, .uuidReversed:
      guard bytes.count == 16 || bytes.count == 2 || bytes.count == 4 else { return visitor.leaf(field, .bytes(bytes)) }
      let ordered = style.pointee.format == .uuid ? Array(bytes.reversed()) : Array(bytes)
      if let uuid = BluetoothUUID(littleEndian: ordered.rawSpan, in: 0..<ordered.count) { text.append(uuid.description) }
    case .ip where bytes.count == 4:
      for index in bytes.indices {
        if index > 0 { text.append(UInt8(ascii: ".")) }
        text.append(decimal: UInt64(bytes[index]))
      }
    case .decimal, .decimalReversed:
      guard bytes.count <= DecimalDigits.maxBytes else { return visitor.leaf(field, .bytes(bytes)) }
      text = DecimalDigits.text(style.pointee.format == .decimal ? Array(bytes) : Array(bytes.reversed()))
    case .text:
      let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
      return visitor.leaf(field, .text(bytes.part(0..<end)))
    default: return visitor.leaf(field, .bytes(bytes))
    }
    if style.pointee.format == .macReversed, !text.isEmpty { text.removeLast() }
    text.withBorrowedBytes { visitor.leaf(field, .text($0)) }
  }
}

extension KaitaiValue {
  /// The value as an integer; nil where it is none.
  fileprivate var whole: Int128? { asInt.map { Int128($0) } ?? asUInt.map { Int128($0) } }
}

extension ProfileMessage {
  /// The position and the reason where a body could not be read to its end, in words.
  public func describe(_ problem: Problem) -> String {
    var text = TextSink()
    defer { text.deallocate() }
    write(problem, to: &text)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// Appends the position and the reason where a body could not be read to its end, in words.
  func write(_ problem: Problem, to output: inout TextSink) {
    switch problem {
    case .body(let failure):
      let start = output.count
      if let field = failure.field, failure.object.map({ $0.rawValue == 0 }) ?? true {
        output.append(look.styles[Int(field.rawValue)].name)
      } else {
        output.append { tree.appendPath(of: failure, to: &$0) }
      }
      if output.count == start { output.append("the body") }
      // A computed value has no position.
      if !failure.kind.isOfValidation || !(failure.field.map(profile.program.isInstance) ?? false) {
        output.append(" at byte ")
        output.append(decimal: Int64(failure.offset))
      }
      output.append(": ")
      if failure.kind == .endOfStream {
        output.append("requested ")
        output.append(decimal: failure.needed)
        output.append(" bytes, but only ")
        output.append(decimal: failure.available)
        output.append(" bytes available")
      } else {
        output.append { $0.append(failure.message) }
      }
    case .layer(let name):
      output.append("layer \"")
      output.append(name)
      output.append("\" cannot be undone")
    case .inner(let text): output.append { $0.append(text) }
    case .noAlternative: output.append("no message of the profile fits these bytes")
    }
  }
}
