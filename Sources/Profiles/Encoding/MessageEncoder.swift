import KaitaiStruct
import Memory
import PacketCodecs
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Why a message cannot be encoded: the field, and the expected value.
public struct EncodeError: Error, Sendable, CustomStringConvertible {
  /// The path of the field; empty where the error is not about a field.
  var path: [String] = []
  /// The mistake.
  var message: String

  /// The field and the mistake: `parameters.0.value: expected text`.
  public var description: String { path.isEmpty ? message : "\(path.joined(separator: ".")): \(message)" }

  init(_ message: String) { self.message = message }

  /// The same for a message whose decoding needs the request that it answers, which was not given.
  init(withoutRequest error: EncodeError) {
    path = error.path
    message = error.message + " (it is read with the request that it answers, and none is given)"
  }
}

/// The packets that an app writes to send a message, and the bytes of the message itself.
public struct EncodedMessage: Sendable {
  /// The characteristic or channel it is written to, by its name in the profile.
  public var source: String
  /// The operation that carries it.
  public var direction: ValueDirection
  /// The bytes of its body.
  public var payload: [UInt8]
  /// Its packets, in order.
  public var packets: [[UInt8]]
}

/// Encodes messages: fields become a body, and the layers add headers, checksums and escapes to it from the innermost to the outermost.
public final class MessageEncoder {
  let profile: CompiledProfile
  private let profiles: ProfileSet
  let environment: KaitaiEnvironment
  private let facts: PeerFacts
  let tree: KaitaiTree
  /// The body of the current message, for the expressions of "build".
  let body: KaitaiTree
  let writer: Writer
  /// Whether the body is assumed to have fields for its checksums and markers where its types suggest it. Both assumptions are tried.
  var hasOwnFields = true
  /// Index of the start and end markers to write, if there are several.
  var markerChoice = 0
  /// Whether an end marker that follows a checksum is written before the checksum.
  var writesEndFirst = false
  /// Number of bytes that the stream's layer last wrote at the start of a frame.
  var headCount = 0
  /// Whether a field with the name or position of a checksum was found.
  var isSure = false
  /// Words that occur in the names of checksum fields.
  static let checksumWords = ["crc", "sum", "check", "fcs", "lrc", "bcc", "xor"]
  /// Possible lengths of a packet in bytes.
  static let packetSizes = 1...65536
  /// The longest value of an attribute (Core Specification 6.0, Vol 3, Part F, 3.2.9), for packets whose size is not given.
  static let longestAttribute = 512
  /// The largest packet in bytes, from 1 to 65536; nil: the size in the profile, or else the longest attribute value.
  public var packetSize: Int?

  /// The state variables of the profile, in its order. As in a connection, each encoded message can change them.
  var state: [CompiledState.Value] {
    didSet { for (index, value) in state.enumerated() { value.put(profile.state[index].external, environment) } }
  }

  /// The packets of the request that the messages answer; nil where there is none.
  public private(set) var requestPackets: [[UInt8]]?
  /// Keeps the request's message.
  private var requestEngine: ProfileEngine?

  /// The source that carries a message as an answer; nil where none does.
  public func answering(_ message: String) -> String? {
    guard let number = profile.message(message) else { return nil }
    return profile.sources.first { source in
      !source.answers.isEmpty
        && ValueDirection.allCases.contains { valueDirection in
          valueDirection != .write && source.directions[Int(valueDirection.rawValue)].alternatives.contains { $0.message == number }
        }
    }?.id
  }

  /// Sets the request that the messages of a source answer, so that encoding can use its fields. Returns false where the packets are no such request.
  public func setRequest(_ packets: [[UInt8]], answeredBy source: String) -> Bool {
    guard let number = profile.source(source) else { return false }
    let engine = ProfileEngine(profiles)
    guard let message = engine.feed(request: packets, answeredBy: number, of: profile, engine.connect(facts)) else { return false }
    requestEngine = engine
    requestPackets = packets
    message.asRequest(in: environment)
    return true
  }

  /// Makes an encoder for the messages of a profile, for a device with known `facts`.
  public init(_ profile: CompiledProfile, of profiles: ProfileSet, facts: PeerFacts = PeerFacts()) {
    self.profile = profile
    self.profiles = profiles
    environment = KaitaiEnvironment(profile.program)
    tree = KaitaiTree(profile.program, limits: .message)
    body = KaitaiTree(profile.program, limits: .message)
    writer = Writer(profile.program)
    state = profile.state.map(\.initial)
    if let name = facts.name { environment.set(profile.externals.deviceName, text: name) }
    if let address = facts.address { environment.set(profile.externals.deviceAddress, text: address) }
    profile.externals.set(mac: facts.address, environment)
    environment.bodies = BodyLookup(profile)
    for state in profile.state { state.initial.put(state.external, environment) }
    for tree in [tree, body] {
      tree.parse(borrowing: BorrowedBytes(), as: TypeID(rawValue: 0), environment: environment)
    }
    self.facts = facts
    writer.adapt = { [profile] (type, value) throws(WriteError) in try profile.storedForm(type, value) }
    writer.missing = { [profile] field in profile.whenMissing(field) }
    writer.factor = { [profile] field in profile.fieldPresentations[Int(field.rawValue)].scaleBy }
    writer.shift = { [profile] field in profile.fieldPresentations[Int(field.rawValue)].offsetBy }
    writer.unscaled = { [profile] field, number in profile.fieldPresentations[Int(field.rawValue)].scale?.undo(number) ?? number }
    writer.instances = { [profile] (type, value) in profile.givenInstances(type, value) }
    if profile.typesUsePayload { writer.wholeName = profile.externals.payload }
    writer.needsValue = { [profile] (field, type) in profile.needsValue(field, type) }
    writer.isHidden = { [profile] field in profile.fieldPresentations[Int(field.rawValue)].isHidden }
  }

  /// Sets a state variable, as an earlier message would have done. Returns false where the profile has no variable of this name, it is a
  /// table, or the value is a list or an object.
  public func setState(_ name: String, _ value: FieldTree) -> Bool {
    guard let index = profile.state.firstIndex(where: { $0.name == name }) else { return false }
    if case .table = state[index] { return false }
    if case .written(_, let plain) = value { return setState(name, plain) }
    guard let element = StateElement(value) else { return false }
    state[index] = .single(element)
    return true
  }

  /// Encodes a message.
  ///
  /// - Parameters:
  ///   - name: its name in the profile.
  ///   - fields: its fields, with the names and values that decoding gives. Lengths, counts, constants and checksums need not be given.
  ///   - source: the characteristic or channel; the first that carries the message where it is left out.
  ///   - direction: the operation; writing before others where it is left out.
  /// Throws ``EncodeError``.
  public func encode(
    _ name: String, _ fields: FieldTree, source: String? = nil, direction: ValueDirection? = nil
  ) throws(EncodeError) -> EncodedMessage {
    guard let number = profile.message(name) else {
      let hint = nearest(name, of: profile.messageNames).map { "; did you mean \"\($0)\"?" }
      throw EncodeError(
        "profile \(profile.id) has no message \"\(name)\"" + (hint ?? "; it has \(profile.messageNames.joined(separator: ", "))"))
    }
    if let packetSize, !Self.packetSizes.contains(packetSize) {
      throw EncodeError("a packet has 1 to \(Self.packetSizes.upperBound) bytes, not \(packetSize)")
    }
    let (index, valueDirection) = try carrier(of: number, source, direction)
    if profile.sources[index].directions[Int(valueDirection.rawValue)].mergesParts {
      throw EncodeError(
        "\(name) is a record that \"merge\" lays together from several messages, and cannot be encoded as a whole: a profile without that layer "
          + "encodes the parts")
    }
    let before = state
    let first = try attempt(number, fields, index, valueDirection)
    if let difference = first.difference {
      // A number that is not given can be a length that only the layers determine.
      guard let found = try lengths(number, fields, index, valueDirection, before, first) else {
        state = before
        throw difference
      }
      state = found.state
      return EncodedMessage(source: profile.sources[index].id, direction: valueDirection, payload: found.payload, packets: found.packets)
    }
    state = first.state
    return EncodedMessage(source: profile.sources[index].id, direction: valueDirection, payload: first.payload, packets: first.packets)
  }

  // MARK: Checking

  /// An encoded message, and the difference when its packets are decoded again.
  private struct Attempt {
    var payload: [UInt8]
    var packets: [[UInt8]]
    /// The state after it.
    var state: [CompiledState.Value]
    /// Nil where the packets decode to the message.
    var difference: EncodeError?
    /// The length in the outermost header, and the required one.
    var length: (stored: Int64, wanted: Int)?
  }

  /// Encodes a message in the present state, and decodes it again.
  private func attempt(_ number: Int, _ fields: FieldTree, _ index: Int, _ valueDirection: ValueDirection) throws(EncodeError) -> Attempt {
    let before = state
    defer { state = before }
    let payload = try body(number, fields)
    let rules = profile.sources[index].directions[Int(valueDirection.rawValue)]
    var difference = publish(number, payload)
    // A message that depends on a request can be decoded only with it.
    let isChecked =
      valueDirection == .write || requestPackets != nil || !profile.messages[number].needsRequest && !rules.readsRequest(for: number)
    // It is not known whether the body has fields for its checksums and markers. Both are tried, and the packets are decoded again: the visible
    // fields must be the same.
    let visibleFields = visible([payload], index, valueDirection, isPayload: true)
    var attempts: [(packets: [[UInt8]], found: Found, after: [CompiledState.Value])] = []
    (storedLength, sealedLength) = (nil, nil)
    // Of several markers the one is chosen with which the packets decode to the message.
    let markers = rules.layers.map(\.markerCount).max() ?? 1
    // After a checksum there can be an end marker for which the body has no field: then the marker is written before the checksum.
    let ends = rules.layers.contains { $0.leavesEnd } ? [false, true] : [false]
    let choices = ends.flatMap { end in [true, false].flatMap { assumes in (0..<markers).map { (end, assumes, $0) } } }
    tries: for (writesEnd, assumesFields, choice) in choices {
      // A result that was already found is kept.
      if writesEnd, attempts.contains(where: { $0.found.number == number && ($0.found.fields == visibleFields.fields || isSure) }) { break }
      hasOwnFields = assumesFields
      markerChoice = choice
      writesEndFirst = writesEnd
      if !writesEnd, assumesFields, choice == 0 { isSure = false }
      state = before
      let packets = try apply(rules.layers, to: payload)
      let after = state
      guard !rules.layers.isEmpty else {
        attempts.append((packets, visibleFields, after))
        break tries
      }
      state = before
      attempts.append((packets, visible(packets, index, valueDirection, isPayload: false), after))
      guard rules.layers.contains(where: \.addsBytes) else { break tries }
    }
    let wanted = visibleFields.fields
    // With a checksum field in the body, its value can differ from the given one. If the body alone would be another message, the markers that it
    // lacks determine the message.
    let isVisible = visibleFields.number == number
    // If a condition uses the state or a header, equal fields are enough; if it uses only the bytes, it decides.
    let isOfBytes = rules.alternatives.contains { $0.message == number && ($0.readsBytesOnly || $0.readsRequest && requestPackets != nil) }
    let right =
      attempts.first { $0.found.number == number && ($0.found.fields == wanted || isSure || !isVisible) }
      ?? attempts.first { !isVisible && !isOfBytes && $0.found.fields != nil && ($0.found.fields == wanted || isSure) }
    let best = right ?? attempts.first { $0.found.fields != nil } ?? attempts[0]
    // A given register that the bytes do not contain is a mistake.
    if isChecked, difference == nil, right != nil { difference = withoutField(fields) }
    if isChecked, difference == nil, right == nil { difference = error(best.found, best.packets, of: number) }
    if !isChecked {
      difference = (difference ?? withoutField(fields)).map { EncodeError(withoutRequest: $0) } ?? wrongKind(number, payload, rules)
    }
    state = best.after
    for set in profile.messages[number].set {
      if profile.messages[number].format >= 0 {
        if let new = state[set.state].changed(by: set, tree, nil, environment.bodies) { state[set.state] = new }
        continue
      }
      if let root = bodyRoot, let new = state[set.state].changed(by: set, body, root, environment.bodies) { state[set.state] = new }
    }
    return Attempt(payload: payload, packets: best.packets, state: state, difference: difference, length: sealedLength ?? storedLength)
  }

  /// The first given field for which the bytes of the message have no place; nil where all have one, as far as the types show.
  private func withoutField(_ fields: FieldTree) -> EncodeError? {
    func missing(_ given: FieldTree, _ object: NodeID, depth: Int) -> [String]? {
      guard depth < 8, case .object(let pairs) = given, let type = body.node(object).objectType else { return nil }
      for (name, value) in pairs where value != .null {
        guard let field = profile.program.fields(of: type).first(where: { profile.program.name(of: $0) == name }) else { continue }
        guard let node = body.node(field, of: object) else { return [name] }
        if let path = missing(value, node, depth: depth + 1) { return [name] + path }
      }
      return nil
    }
    guard let root = bodyRoot, let path = missing(fields, root, depth: 0) else { return nil }
    var error = EncodeError("the bytes of this message have no place for it")
    error.path = path
    return error
  }

  /// Why a body would be another message, as far as it can be determined without the request: by conditions that do not use it.
  private func wrongKind(_ number: Int, _ payload: [UInt8], _ rules: CompiledDirection) -> EncodeError? {
    environment.set(profile.externals.payload, bytes: payload)
    // Conditions can also use layers that remove bytes.
    for choice in rules.alternatives {
      guard !choice.readsRequest else {
        if choice.message == number { return nil }
        continue
      }
      let holds = choice.when.map { (try? tree.evaluate($0))?.asBool } ?? true
      guard let holds else { return nil }
      if choice.message == number, holds { return nil }
      guard holds else { continue }
      return EncodeError("the bytes of this message would be a message \"\(profile.messages[choice.message].id)\"")
    }
    return EncodeError("the bytes of this message would be no message: no condition of the profile that leads to it holds for them")
  }

  /// The error for packets that do not decode to the message.
  private func error(_ found: Found, _ packets: [[UInt8]], of number: Int) -> EncodeError {
    func name(_ other: Int) -> String { "a message \"\(profile.messages[other].id)\"" }
    var text: [UInt8] = []
    for packet in packets.prefix(4) {
      if !text.isEmpty { text.append(UInt8(ascii: " ")) }
      packet.withBorrowedBytes { text.append(hexOf: $0) }
    }
    let bytes = String(decoding: text, as: UTF8.self) + (packets.count > 4 ? " \u{2026}" : "")
    let reason =
      switch found {
      case .message(_, let other): other == number ? "they decode to other fields" : "they are \(name(other))"
      case .several(let count): count == 0 ? "they decode to no message" : "they decode to \(count) messages"
      case .broken(let problem): "they decode with a problem: \(problem)"
      }
    return EncodeError("the packets (\(bytes)) would not be this message: \(reason)")
  }

  /// Searches the value of a hidden number that is not given, with which the packets decode to the message: a length in a form that cannot be solved
  /// for.
  private func lengths(
    _ number: Int, _ fields: FieldTree, _ source: Int, _ valueDirection: ValueDirection, _ before: [CompiledState.Value], _ first: Attempt
  ) throws(EncodeError) -> Attempt? {
    guard case .type(let type) = profile.messages[number].body else { return nil }
    guard let length = first.length else {
      // A number after the data with their length, which the type compares with the actual length.
      for path in openNumbers(type, fields, depth: 0, isHidden: false).prefix(4) {
        for less in 0...16 where first.payload.count >= less {
          state = before
          guard let fields = fields.setting(path, to: .int(Int64(first.payload.count - less))) else { break }
          if let tried = try? self.attempt(number, fields, source, valueDirection), tried.difference == nil { return tried }
        }
      }
      return nil
    }
    for path in openNumbers(type, fields, depth: 0, isHidden: false).prefix(8) {
      func attempt(_ value: Int64) -> Attempt? {
        state = before
        guard let fields = fields.setting(path, to: .int(value)) else { return nil }
        return try? self.attempt(number, fields, source, valueDirection)
      }
      // The slope of the header's length as a function of the number, from two of its values; without a slope the number is the length of the
      // message.
      let tried = attempt(1)
      let slope = (tried?.length?.stored ?? length.stored) - length.stored
      var value = slope == 0 ? Int64(length.wanted) : (Int64(length.wanted) - length.stored) / slope
      for _ in 0..<6 {
        guard value >= 0, let tried = attempt(value) else { break }
        if tried.difference == nil { return tried }
        guard let length = tried.length else { break }
        let next = slope == 0 ? Int64(length.wanted) : value + (Int64(length.wanted) - length.stored) / slope
        if next == value { break }
        value = next
      }
    }
    return nil
  }

  /// The paths of hidden numbers of a type that are not given, including those in hidden objects.
  private func openNumbers(_ type: TypeID, _ fields: FieldTree, depth: Int, isHidden: Bool) -> [String] {
    guard depth < 3 else { return [] }
    let program = profile.program
    var found: [String] = []
    for field in program.fields(of: type) where !program.isInstance(field) && !program.isParameter(field) {
      let name = program.name(of: field)
      guard isHidden || profile.fieldPresentations[Int(field.rawValue)].isHidden, fields[name] == nil || fields[name] == .null else {
        continue
      }
      if program.kind(of: field) == .number { found.append(name) }
      guard let inner = program.type(of: field) else { continue }
      if profile.typePresentations[Int(inner.rawValue)].isInline {
        found.append(name)
      } else {
        found += openNumbers(inner, fields[name] ?? .null, depth: depth + 1, isHidden: true).map { "\(name).\($0)" }
      }
    }
    return found
  }

  /// The length in the outermost header, and the required one; nil where no header has a length.
  private var storedLength: (stored: Int64, wanted: Int)?

  /// The same for the length of encrypted bytes, where the header has another.
  private var sealedLength: (stored: Int64, wanted: Int)?

  /// Notes the length in a header at the start of `bytes`, which should be `wanted`.
  func note(_ header: TypeID?, _ length: ExpressionID?, _ bytes: [UInt8], wanted: Int) {
    guard let header, let length, tree.parse(header, bytes.rawSpan, environment: environment) == nil,
      let value = (try? tree.evaluate(length, at: tree.root))?.asInt, value.magnitude < 1 << 32
    else { return }
    storedLength = (value, wanted)
  }

  var bodyRoot: NodeID?

  /// Makes the current message available to the expressions of "build". Returns an error for a given value that its bytes do not have; nil where they
  /// have all.
  private func publish(_ number: Int, _ payload: [UInt8]) -> EncodeError? {
    let externals = profile.externals
    environment.set(externals.built("_message"), text: profile.messages[number].id)
    environment.clear(externals.built("_body"))
    environment.clear(externals.built("checksum"))
    bodyRoot = nil
    environment.set(externals.payload, bytes: payload)
    guard case .type(let type) = profile.messages[number].body else {
      let format = profile.messages[number].format
      if format >= 0 { environment.set(externals.built("_body"), body: payload, format: format) }
      return nil
    }
    let failure = body.parse(type, payload.rawSpan, environment: environment)
    bodyRoot = body.root
    environment.set(externals.built("_body"), node: body.root, of: body)
    var error: EncodeError?
    if let failure {
      error = EncodeError("the bytes of this message could not be read again: \(failure.message)")
      if let field = failure.field { error?.path = [profile.program.name(of: field)] }
    } else if let difference = writer.written?.difference(from: body.fieldTree(of: body.root)) {
      error = EncodeError(
        "the bytes of this message would say \(difference.other.json) here, not \(difference.own.json): a size or condition cannot be computed from it"
      )
      error?.path = difference.path
    } else {
      error = wrongInstance()
    }
    return error
  }

  /// The first given computed value that the bytes do not have; nil where they have all of them. Values that cannot be compared are skipped: texts of
  /// numbers, numbers in special formats.
  private func wrongInstance() -> EncodeError? {
    for claim in writer.claims {
      guard let object = node(at: claim.path), let type = body.node(object).objectType,
        profile.program.fields(of: type).contains(claim.field), let value = body.node(claim.field, of: object)
      else { continue }
      let style = profile.fieldPresentations[Int(claim.field.rawValue)]
      guard style.format == .plain || style.format == .bool, style.body == nil, style.offsetBy == nil else { continue }
      let actual = body.fieldTree(of: value)
      let isNamed = profile.program.enumeration(of: claim.field) != nil
      let isExact = !isNamed && style.scale == nil && style.scaleBy == nil && style.digits == nil
      if isExact, let wanted = claim.value.whole, let found = actual.whole {
        if wanted == found { continue }
      } else if !isNamed, case .text(let digits) = claim.value, WideNumber.isWhole(digits.utf8), actual.comparable != nil {
        // A number with more digits than can be stored.
      } else if case .text(let wanted) = claim.value {
        guard case .text(let found) = actual, found != wanted else { continue }
      } else {
        guard let wanted = claim.value.comparable, var found = actual.comparable, wanted.isFinite, found.isFinite else { continue }
        var tolerance = 0.0
        if let factor = style.scaleBy {
          guard style.scale == nil, let by = (try? body.evaluate(factor, at: object))?.asDouble else { continue }
          found *= by
          tolerance = abs(by) / 2
        }
        let isWhole = style.scale == nil && style.scaleBy == nil && !profile.program.isFloat(claim.field)
        if !isWhole || wanted != wanted.rounded() { tolerance += 0.51 * (style.scale == nil ? 0 : 1) + 1e-4 * abs(wanted) + 1e-6 }
        if let digits = style.digits { tolerance += pow(10, -Double(digits)) }
        if abs(wanted - found) <= tolerance { continue }
      }
      var error = EncodeError(
        "the fields of this message give \(actual.json) here, not \(claim.value.json): this value is computed from others")
      error.path = claim.path + [profile.program.name(of: claim.field)]
      return error
    }
    return nil
  }

  /// The object of the body at a path of field names and list indices.
  private func node(at path: [String]) -> NodeID? {
    var node = body.root
    for name in path {
      if let index = Int(name), body.node(node).kind == .array {
        guard let element = body.element(index, of: node) else { return nil }
        node = element
      } else {
        guard let type = body.node(node).objectType,
          let field = profile.program.fields(of: type).first(where: { profile.program.name(of: $0) == name }),
          let inner = body.node(field, of: node)
        else { return nil }
        node = inner
      }
    }
    return node
  }

  /// The result of decoding packets.
  private enum Found {
    /// A single correct message, with its visible fields.
    case message([UInt8], number: Int)
    /// No message, or several.
    case several(Int)
    /// A message with a problem.
    case broken(String)

    var fields: [UInt8]? { if case .message(let fields, _) = self { fields } else { nil } }
    var number: Int? { if case .message(_, let number) = self { number } else { nil } }
  }

  /// The visible fields of the single correct message that packets decode to, or the other result.
  private func visible(_ packets: [[UInt8]], _ source: Int, _ valueDirection: ValueDirection, isPayload: Bool) -> Found {
    let engine = ProfileEngine(profiles)
    let link = engine.connect(facts)
    let slot = engine.slot(link, profile: profile, source: profile.sources[source].id)
    engine.setState(link, profile, state)
    if let requestPackets { _ = engine.feed(request: requestPackets, answeredBy: source, of: profile, link) }
    var found: [Found] = []
    func take() {
      for message in engine.messages {
        if !message.isComplete || message.checksum == .bad || message.problem != nil || message.kind != .message {
          var problem: [UInt8] = []
          message.appendProblem(to: &problem)
          found.append(.broken(problem.isEmpty ? "bytes that belong to no message" : String(decoding: problem, as: UTF8.self)))
          continue
        }
        var visitor = JSONVisitor(TextSink())
        visitor.leavesHidden = true
        message.visitFields(&visitor)
        unsafe found.append(.message(Array(visitor.output.bytes), number: message.messageNumber))
        visitor.output.deallocate()
      }
    }
    for (frame, packet) in packets.enumerated() {
      packet.withBorrowedBytes {
        if isPayload {
          _ = engine.feed(payload: $0, link, slot, valueDirection, frame: frame, time: 0)
        } else {
          _ = engine.feed(link, slot, valueDirection, $0, frame: frame, time: 0)
        }
      }
      take()
    }
    engine.finish()
    take()
    return found.count == 1 ? found[0] : .several(found.count)
  }

  private func carrier(of message: Int, _ source: String?, _ direction: ValueDirection?) throws(EncodeError) -> (Int, ValueDirection) {
    let only = source.flatMap(profile.source)
    if let source, only == nil {
      throw EncodeError("profile \(profile.id) has no \"\(source)\"; it has \(profile.sourceNames.joined(separator: ", "))")
    }
    for valueDirection in direction.map({ [$0] }) ?? ValueDirection.allCases {
      for (index, source) in profile.sources.enumerated() where only == nil || only == index {
        if source.directions[Int(valueDirection.rawValue)].alternatives.contains(where: { $0.message == message }) {
          return (index, valueDirection)
        }
      }
    }
    throw EncodeError("no source carries \"\(profile.messages[message].id)\" in that direction")
  }

  // MARK: Bodies

  /// The bytes of a message's body.
  private func body(_ number: Int, _ fields: FieldTree) throws(EncodeError) -> [UInt8] {
    switch profile.messages[number].body {
    case .type(let type):
      do throws(WriteError) { return try write(type, fields) } catch {
        var failure = EncodeError(error.message)
        failure.path = error.path.split(separator: "/").map(String.init)
        throw failure
      }
    case .other(let body):
      return try profile.encode(
        body, profile.messages[number].bodyFields.map { profile.storedBody(fields, $0.root) } ?? fields, isTop: true)
    }
  }

  /// The bytes of a type. If its expressions use these bytes (`_payload`), they are written again with those of the previous round, until they no
  /// longer change.
  private func write(_ type: TypeID, _ fields: FieldTree) throws(WriteError) -> [UInt8] {
    guard profile.typesUsePayload else { return try writer.write(type, fields, environment: environment) }
    let payload = profile.externals.payload
    defer { environment.clear(payload) }
    environment.clear(payload)
    writer.isWholeKnown = false
    var bytes: [UInt8]
    do throws(WriteError) { bytes = try writer.write(type, fields, environment: environment) } catch {
      // A case can be chosen by the bytes: with none it is the default case.
      environment.set(payload, bytes: BorrowedBytes())
      guard let first = try? writer.write(type, fields, environment: environment) else { throw error }
      bytes = first
    }
    writer.isWholeKnown = true
    for _ in 0..<4 {
      environment.set(payload, bytes: bytes)
      let next = try writer.write(type, fields, environment: environment)
      if next == bytes { break }
      bytes = next
    }
    return bytes
  }

  // MARK: Layers

  /// Bytes at both ends that a slice added for outer layers to fill.
  struct ReservedBytes {
    var head = 0
    var tail = 0
  }

  /// The headers that the packets must have, and the index of their layer.
  private struct Patch {
    var layer: Int
    var headers: [[UInt8]]
  }

  /// Applies all layers to a body, from the last to the first.
  private func apply(_ layers: [CompiledLayer], to payload: [UInt8]) throws(EncodeError) -> [[UInt8]] {
    let before = state
    var patch: Patch?
    // The length of a message is known only when all layers are applied. A second round writes it, and the checksums over it.
    for _ in 0..<3 {
      state = before
      var packets = [payload]
      var reserved = ReservedBytes()
      var found: Patch?
      for index in layers.indices.reversed() {
        if let patch, index > patch.layer, layers[(patch.layer + 1)...index].allSatisfy(\.keepsPositions) {
          for (number, header) in zip(packets.indices, patch.headers) { packets[number].replacePrefix(with: header) }
        }
        if writesEndFirst, case .check(let checksum, _, _, _) = layers[index], let end = marker(layers[..<index], behind: checksum) {
          for number in packets.indices { packets[number] += end }
        }
        packets = try apply(layers[index], to: packets, &reserved)
        fillAgain(layers, index, &packets)
        if case .fragments = layers[index] { fillPackets(layers[(index + 1)...], &packets) }
        if case .stream(let stream) = layers[index], found == nil {
          let corrected = packets.map { adjusted(stream, $0) }
          if corrected.contains(where: { $0 != nil }) {
            for (number, header) in corrected.enumerated() { if let header { packets[number].replacePrefix(with: header) } }
            found = Patch(layer: index, headers: zip(packets, corrected).map { Array($0.prefix($1?.count ?? headCount)) })
          } else if patch == nil, headCount > 0, stream.build != nil || !stream.rules.starts.isEmpty,
            layers[(index + 1)...].contains(where: \.isCheck)
          {
            // A checksum over the header was computed before the header was complete.
            found = Patch(layer: index, headers: packets.map { Array($0.prefix(headCount)) })
          }
        }
        if case .stream(let stream) = layers[index] {
          if packets.count == 1 { note(stream.header, stream.length, packets[0], wanted: packets[0].count) }
          var pieces: [[UInt8]] = []
          for packet in packets { pieces += try cut(packet, stream) }
          packets = pieces
        }
      }
      guard found != nil, patch == nil else { return packets }
      patch = found
    }
    return []
  }

  /// The end marker of the stream around a checksum, if only the marker follows the checksum; nil otherwise.
  private func marker(_ layers: ArraySlice<CompiledLayer>, behind checksum: Checksum) -> [UInt8]? {
    let behind = -checksum.position - checksum.storedCount
    for layer in layers.reversed() {
      guard case .stream(let stream) = layer else {
        if layer.isCheck { continue }
        return nil
      }
      guard !stream.rules.ends.isEmpty else { return nil }
      let end = stream.rules.ends[min(markerChoice, stream.rules.ends.count - 1)]
      return checksum.position < 0 && end.count == behind ? end : nil
    }
    return nil
  }

  /// Consecutive checksums may cover each other: once all are in position, they are computed again in order.
  private func fillAgain(_ layers: [CompiledLayer], _ first: Int, _ packets: inout [[UInt8]]) {
    guard case .check = layers[first], first + 1 < layers.count, case .check = layers[first + 1] else { return }
    for layer in layers[first...] {
      guard case .check(let checksum, let when, nil, _) = layer else { return }
      for number in packets.indices where when.flatMap({ isTrue($0, packets[number]) }) ?? true { checksum.fill(&packets[number]) }
    }
  }

  /// Writes the checksums that cover complete packets.
  private func fillPackets(_ layers: ArraySlice<CompiledLayer>, _ packets: inout [[UInt8]]) {
    for layer in layers {
      guard case .checkPackets(let checksum, let when, _) = layer else { continue }
      var all = Array(packets.joined())
      if let when, !(isTrue(when, all) ?? true) { continue }
      checksum.fill(&all)
      var at = 0
      for number in packets.indices {
        packets[number] = Array(all[at..<(at + packets[number].count)])
        at += packets[number].count
      }
    }
  }

  /// The header of a frame with its length corrected; nil where it is correct, or cannot be corrected.
  private func adjusted(_ stream: CompiledStream, _ bytes: [UInt8]) -> [UInt8]? {
    guard let type = stream.header, let length = stream.length else { return nil }
    guard tree.parse(type, bytes.rawSpan, environment: environment) == nil,
      let value = (try? tree.evaluate(length, at: tree.root))?.asInt, value != Int64(bytes.count)
    else { return nil }
    return writer.adjusted(type, bytes, so: length, gives: bytes.count, environment: environment)
  }

  /// Cuts the bytes of a stream into packets.
  private func cut(_ bytes: [UInt8], _ stream: CompiledStream) throws(EncodeError) -> [[UInt8]] {
    var size = packetSize
    if size == nil { size = try self.size(stream.build) }
    guard let size, bytes.count > size else { return [bytes] }
    return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
  }

  /// The packet size that "build" gives; nil where it gives none.
  func size(_ build: CompiledBuild?) throws(EncodeError) -> Int? {
    switch build?.size {
    case nil: return nil
    case .number(let number)?: return try checked(number)
    case .expression(let expression)?: return try checked((try? tree.evaluate(expression))?.asInt.map { Int(clamping: $0) })
    }
  }

  /// Checks the packet size of "build". Throws where no packet can have it.
  private func checked(_ size: Int?) throws(EncodeError) -> Int {
    guard let size, Self.packetSizes.contains(size) else {
      throw EncodeError("\"size\" of \"build\" is not a number from 1 to \(Self.packetSizes.upperBound)")
    }
    return size
  }

  private func apply(_ layer: CompiledLayer, to packets: [[UInt8]], _ reserved: inout ReservedBytes) throws(EncodeError) -> [[UInt8]] {
    var result: [[UInt8]] = []
    for bytes in packets {
      var bytes = bytes
      switch layer {
      case .slice(let from, let to):
        let back = behind(to, bytes)
        guard let head = from.number, head >= 0, let back else {
          throw EncodeError("a slice whose bounds are not fixed distances from the ends cannot be encoded")
        }
        bytes = [UInt8](repeating: 0, count: head) + bytes + [UInt8](repeating: 0, count: back)
        reserved.head += head
        reserved.tail += back
      case .check(let checksum, _, .some, _):
        let value = checksum.computedValue(over: bytes.rawSpan) ?? 0
        environment.set(profile.externals.built("checksum"), int: Int64(truncatingIfNeeded: value))
      case .check(let checksum, let when, nil, let isInBody):
        if let when, !(isTrue(when, bytes) ?? true) { break }
        write(checksum, isInBody: isInBody, into: &bytes, reserved)
      case .checkPackets(let checksum, let when, let isInBody):
        // Its value is known after the packets are made; here its bytes are reserved.
        if let when, !(isTrue(when, bytes) ?? true) { break }
        write(checksum, isInBody: isInBody, into: &bytes, reserved)
      case .unescape(let escape):
        var escaped: [UInt8] = []
        escape.encode(bytes.rawSpan, into: &escaped)
        bytes = escaped
        reserved = ReservedBytes()
      case .scramble(let key, let from): bytes = scrambled(bytes, key, from)
      case .strip(let strip):
        bytes =
          (strip.prefixes.count == 1 ? strip.prefixes[0] : []) + [UInt8](repeating: 0, count: strip.head) + bytes
          + (strip.suffixes.count == 1 ? strip.suffixes[0] : []) + [UInt8](repeating: 0, count: strip.tail)
        if strip.prefixes.isEmpty { reserved.head += strip.head }
        if strip.suffixes.isEmpty { reserved.tail += strip.tail }
      case .stream(let stream): bytes = try framed(bytes, stream, reserved)
      case .fragments(let fragments):
        result += try self.fragments(bytes, fragments, &reserved)
        continue
      case .decrypt(let rules): bytes = try encrypted(bytes, rules, reserved)
      case .expect, .drop: break
      }
      result.append(bytes)
    }
    return result
  }

  /// Number of bytes that a slice removes from the end; nil where it is not known.
  private func behind(_ end: CompiledBound?, _ bytes: [UInt8]) -> Int? {
    switch end {
    case nil: return 0
    case .number(let number)?: return number <= 0 ? -number : nil
    case .expression(let expression)?:
      // The smallest number of bytes with which the slice ends here.
      return (0...64).first { more in
        let whole = bytes + [UInt8](repeating: 0, count: more)
        environment.set(profile.externals.payload, bytes: whole)
        guard let value = (try? tree.evaluate(expression))?.asInt else { return false }
        return (value < 0 ? Int(clamping: value) + whole.count : min(Int(clamping: value), whole.count)) == bytes.count
      }
    }
  }

  // MARK: Expressions

  func flag(_ expression: ExpressionID) -> Bool? { (try? tree.evaluate(expression))?.asBool }

  func isTrue(_ expression: ExpressionID, _ bytes: [UInt8]) -> Bool? {
    environment.set(profile.externals.payload, bytes: bytes)
    return flag(expression)
  }

  /// Encrypts what the layer decrypts, and writes its tag, for which the body can have a field.
  private func encrypted(_ bytes: [UInt8], _ rules: CompiledDecryption, _ reserved: ReservedBytes) throws(EncodeError) -> [UInt8] {
    let decryptor = Decryptor(rules, profile, environment, tree)
    guard bytes.withBorrowedBytes({ decryptor.isEncrypted($0) }) else { return bytes }
    var bytes = bytes
    if case .number(let start)? = rules.tagFrom, start < 0, rules.tagTo == nil, !hasOwnFields, reserved.tail < -start {
      bytes += [UInt8](repeating: 0, count: -start)
    }
    do throws(ClosedReason) {
      let sealed = try decryptor.encrypt(bytes, profiles.keys, address: facts.address)
      if let length = decryptor.length(of: sealed), length.stored != Int64(length.wanted) { sealedLength = length }
      return sealed
    } catch {
      switch error {
      case .keyMissing(let key) where key >= 0:
        throw EncodeError("the message is encrypted: it needs --key \(profile.id).\(profile.keys[key].name)=HEX")
      case .keyMissing: throw EncodeError("the message is encrypted with a key that an earlier message gives: set it with --state")
      case .keyWrong: throw EncodeError("the message is encrypted, and its key has a length that the cipher does not know")
      case .failed(let why): throw EncodeError("the message is encrypted: \(why)")
      }
    }
  }

  private func scrambled(_ bytes: [UInt8], _ key: ExpressionID, _ from: Int) -> [UInt8] {
    environment.set(profile.externals.payload, bytes: bytes)
    guard let value = try? tree.evaluate(key) else { return bytes }
    let mask: [UInt8]
    if let byte = value.asInt {
      mask = [UInt8(truncatingIfNeeded: byte)]
    } else {
      mask = tree.withBytes(of: value) { Array($0) }
    }
    let start = min(from, bytes.count)
    var output = Array(bytes[0..<start])
    let rest = Array(bytes[start...])
    ByteEscape.scrambled(key: mask).encode(rest.rawSpan, into: &output)
    return output
  }
}

extension CompiledLayer {
  /// Whether encoding adds checksums or markers, for which the body can have fields.
  fileprivate var addsBytes: Bool {
    switch self {
    case .check, .checkPackets: true
    case .decrypt(let rules): rules.tagFrom != nil
    case .stream(let stream): !stream.rules.starts.isEmpty || !stream.rules.ends.isEmpty || stream.build != nil
    default: false
    }
  }

  /// The number of alternative markers at one end, of which one is written.
  fileprivate var markerCount: Int {
    if case .stream(let stream) = self { max(1, min(stream.rules.starts.count, 8), min(stream.rules.ends.count, 8)) } else { 1 }
  }

  /// Whether it is a checksum with bytes after it.
  fileprivate var leavesEnd: Bool {
    if case .check(let checksum, _, _, _) = self { checksum.position < 0 && -checksum.position > checksum.storedCount } else { false }
  }

  /// Whether it checks its input.
  fileprivate var isCheck: Bool { if case .check = self { true } else { false } }

  /// Whether it does not move the first bytes.
  fileprivate var keepsPositions: Bool {
    switch self {
    case .check, .drop, .expect: true
    case .slice(let from, _): from.number == 0
    default: false
    }
  }
}

extension FieldTree {
  /// A number or truth as a number; nil for other values.
  fileprivate var comparable: Double? {
    switch self {
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .double(let number): number
    case .bool(let truth): truth ? 1 : 0
    case .written(_, let plain): plain.comparable
    case .object: self["value"]?.comparable
    default: nil
    }
  }
}

extension [UInt8] {
  /// Replaces the first bytes.
  mutating func replacePrefix(with bytes: [UInt8]) {
    guard bytes.count <= count else { return }
    replaceSubrange(0..<bytes.count, with: bytes)
  }
}
