import Kaitai
import PacketCodecs

/// Why a message cannot be encoded: where in its fields, and what would be right.
public struct EncodeError: Error, Sendable, CustomStringConvertible {
  /// The way to the field; empty where none is to blame.
  var path: [String] = []
  /// What is wrong with it.
  var message: String

  /// What is wrong, behind the field that it is about: `parameters.0.value: expected text`.
  public var description: String { path.isEmpty ? message : "\(path.joined(separator: ".")): \(message)" }

  init(_ message: String) { self.message = message }
}

/// What an app would have to write: the packets of a message, and the bytes of the message itself.
public struct EncodedMessage: Sendable {
  /// The characteristic or channel it is written to, by its name in the profile.
  public var source: String
  /// The operation that carries it.
  public var direction: Direction
  /// The bytes of its body.
  public var payload: [UInt8]
  /// Its packets, in order.
  public var packets: [[UInt8]]
}

/// Runs a profile backwards: fields become a body, and the layers are laid around it from the inside out.
public final class MessageEncoder {
  private let profile: CompiledProfile
  private let profiles: ProfileSet
  private let environment: Environment
  private let facts: PeerFacts
  private let tree: Tree
  /// The body of the message at hand, for the expressions of "build".
  private let body: Tree
  private let writer: Writer
  /// Bytes of a packet; nil: what the profile says, or else as many as an attribute can have.
  public var packetSize: Int?

  /// What earlier messages have set, by the profile's order; encoding goes on with it, as a connection does.
  var state: [CompiledState.Initial] {
    didSet { for (place, value) in state.enumerated() { value.put(profile.state[place].external, environment) } }
  }

  /// Makes an encoder for the messages of a profile, of a device of which `facts` are known.
  public init(_ profile: CompiledProfile, of profiles: ProfileSet, facts: PeerFacts = PeerFacts()) {
    self.profile = profile
    self.profiles = profiles
    environment = Environment(profile.program)
    tree = Tree(profile.program, limits: .message)
    body = Tree(profile.program, limits: .message)
    writer = Writer(profile.program)
    state = profile.state.map(\.initial)
    if let name = facts.name { environment.set(profile.externals.deviceName, text: name) }
    if let address = facts.address { environment.set(profile.externals.deviceAddress, text: address) }
    for state in profile.state { state.initial.put(state.external, environment) }
    for tree in [tree, body] {
      unsafe tree.parse(borrowing: UnsafeRawBufferPointer(start: nil, count: 0), as: TypeID(rawValue: 0), environment: environment)
    }
    self.facts = facts
    writer.adapt = { [profile] (type, value) throws(WriteError) in try profile.unstyled(type, value) }
    writer.missing = { [profile] field in profile.whenMissing(field) }
    writer.factor = { [profile] field in profile.fieldStyles[Int(field.rawValue)].scaleBy }
    writer.isHidden = { [profile] field in profile.fieldStyles[Int(field.rawValue)].isHidden }
  }

  /// Sets a value of the profile's state, as earlier messages would have left it. Returns whether the profile has a state of this name, which
  /// is no table, and the value is a plain one.
  public func setState(_ name: String, _ value: FieldTree) -> Bool {
    guard let place = profile.state.firstIndex(where: { $0.name == name }) else { return false }
    if case .table = state[place] { return false }
    switch value {
    case .written(_, let plain): return setState(name, plain)
    case .int(let number): state[place] = .int(number)
    case .double(let number): state[place] = .float(number)
    case .bool(let truth): state[place] = .bool(truth)
    case .text(let text): state[place] = .text(text)
    default: return false
    }
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
    _ name: String, _ fields: FieldTree, source: String? = nil, direction: Direction? = nil
  ) throws(EncodeError) -> EncodedMessage {
    guard let number = profile.message(name) else {
      let hint = nearest(name, of: profile.messageNames).map { "; did you mean \"\($0)\"?" }
      throw EncodeError(
        "profile \(profile.id) has no message \"\(name)\"" + (hint ?? "; it has \(profile.messageNames.joined(separator: ", "))"))
    }
    let (place, way) = try carrier(of: number, source, direction)
    let payload = try body(number, fields)
    let rules = profile.sources[place].directions[Int(way.rawValue)]
    let before = state
    tell(number, payload)
    // Whether the body has fields for its checksums and markers, or they stand beside it, only decoding can tell: what people see must be as
    // it was.
    let shown = visible([payload], place, way, isPayload: true)
    var attempts: [(packets: [[UInt8]], found: [UInt8]?)] = []
    for isGuess in [true, false] {
      hasOwnFields = isGuess
      if isGuess { isSure = false }
      state = before
      let packets = try lay(rules.layers, around: payload)
      guard rules.layers.contains(where: \.addsBytes) else {
        attempts.append((packets, shown))
        break
      }
      let after = state
      state = before
      attempts.append((packets, visible(packets, place, way, isPayload: false)))
      state = after
    }
    // What stands in the field of a checksum need not be what was given for it.
    let best =
      attempts.first { $0.found != nil && ($0.found == shown || isSure) } ?? attempts.first { $0.found != nil } ?? attempts.first ?? (
        [], nil
      )
    for set in profile.messages[number].set {
      if let root = bodyRoot, let new = state[set.state].changed(by: set, body, root) { state[set.state] = new }
    }
    return EncodedMessage(source: profile.sources[place].id, direction: way, payload: payload, packets: best.packets)
  }

  private var bodyRoot: NodeID?

  /// Makes the message at hand known to the expressions of "build".
  private func tell(_ number: Int, _ payload: [UInt8]) {
    let externals = profile.externals
    environment.set(externals.built("_message"), text: profile.messages[number].id)
    environment.clear(externals.built("_body"))
    environment.clear(externals.built("checksum"))
    bodyRoot = nil
    guard case .type(let type) = profile.messages[number].body else { return }
    _ = unsafe body.parse(type, payload.span.bytes, environment: environment)
    bodyRoot = body.root
    environment.set(externals.built("_body"), node: body.root, of: body)
  }

  /// What people see of the one whole message with right checksums that packets decode to; nil where they decode to anything else.
  private func visible(_ packets: [[UInt8]], _ source: Int, _ way: Direction, isPayload: Bool) -> [UInt8]? {
    let engine = ProfileEngine(profiles)
    let link = engine.connect(facts)
    let slot = engine.slot(link, profile: profile, source: profile.sources[source].id)
    engine.setState(link, profile, state)
    var found: [[UInt8]?] = []
    func take() {
      for message in engine.messages {
        if !message.isComplete || message.checksum == .bad || message.fault != nil {
          found.append(nil)
          continue
        }
        var visitor = JSONVisitor(TextSink())
        visitor.leavesHidden = true
        message.visitFields(&visitor)
        unsafe found.append(Array(visitor.output.bytes))
        visitor.output.deallocate()
      }
    }
    for (frame, packet) in packets.enumerated() {
      unsafe packet.withUnsafeBytes {
        if isPayload {
          _ = unsafe engine.feed(payload: $0, link, slot, way, frame: frame, time: 0)
        } else {
          _ = unsafe engine.feed(link, slot, way, $0, frame: frame, time: 0)
        }
      }
      take()
    }
    engine.finish()
    take()
    return found.count == 1 ? found[0] : nil
  }

  private func carrier(of message: Int, _ source: String?, _ direction: Direction?) throws(EncodeError) -> (Int, Direction) {
    let only = source.flatMap(profile.source)
    if let source, only == nil {
      throw EncodeError("profile \(profile.id) has no \"\(source)\"; it has \(profile.sourceNames.joined(separator: ", "))")
    }
    for way in direction.map({ [$0] }) ?? Direction.allCases {
      for (place, source) in profile.sources.enumerated() where only == nil || only == place {
        if source.directions[Int(way.rawValue)].alternatives.contains(where: { $0.message == message }) { return (place, way) }
      }
    }
    throw EncodeError("nothing carries \"\(profile.messages[message].id)\" there")
  }

  // MARK: Bodies

  /// The bytes of a message's body.
  private func body(_ number: Int, _ fields: FieldTree) throws(EncodeError) -> [UInt8] {
    switch profile.messages[number].body {
    case .type(let type):
      do throws(WriteError) {
        return try writer.write(type, fields.writeValue, environment: environment)
      } catch {
        var told = EncodeError(error.message)
        told.path = error.path.split(separator: "/").map(String.init)
        throw told
      }
    case .other(let body):
      return try profile.encode(body, fields, isTop: true)
    }
  }

  // MARK: Layers

  /// Bytes that a slice left free for what outer layers put there.
  private struct Holes {
    var head = 0
    var tail = 0
  }

  /// A header whose length is not that of the message around it: how it has to be, and of which layer.
  private struct Patch {
    var layer: Int
    var header: [UInt8]
  }

  /// Lays all layers around a body, from the last to the first.
  private func lay(_ layers: [CompiledLayer], around payload: [UInt8]) throws(EncodeError) -> [[UInt8]] {
    let before = state
    var patch: Patch?
    // How long a message is shows when it is whole; its length, and the checksums over that, are written in a second round.
    for _ in 0..<3 {
      state = before
      var packets = [payload]
      var holes = Holes()
      var found: Patch?
      for place in layers.indices.reversed() {
        if let patch, place > patch.layer, layers[(patch.layer + 1)...place].allSatisfy(\.keepsPlaces) {
          for number in packets.indices { packets[number].replacePrefix(with: patch.header) }
        }
        packets = try lay(layers[place], around: packets, &holes)
        fillAgain(layers, place, &packets)
        if case .stream(let stream) = layers[place], found == nil, packets.count == 1, let header = adjusted(stream, packets[0]) {
          found = Patch(layer: place, header: header)
          packets[0].replacePrefix(with: header)
        }
        if case .stream(let stream) = layers[place] {
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

  /// Checksums that stand behind one another may cover each other: once all are there, they are computed anew, in their order.
  private func fillAgain(_ layers: [CompiledLayer], _ first: Int, _ packets: inout [[UInt8]]) {
    guard case .check = layers[first], first + 1 < layers.count, case .check = layers[first + 1] else { return }
    for layer in layers[first...] {
      guard case .check(let checksum, let when, nil, _) = layer else { return }
      for number in packets.indices where when.flatMap({ isTrue($0, packets[number]) }) ?? true { checksum.fill(&packets[number]) }
    }
  }

  /// The header of a frame with its length put right; nil where it is, or nothing can be done.
  private func adjusted(_ stream: CompiledStream, _ bytes: [UInt8]) -> [UInt8]? {
    guard let type = stream.header, let length = stream.length else { return nil }
    guard unsafe tree.parse(type, bytes.span.bytes, environment: environment) == nil,
      let said = (try? tree.evaluate(length, at: tree.root))?.asInt, said != Int64(bytes.count)
    else { return nil }
    return writer.adjusted(type, bytes, so: length, gives: bytes.count, environment: environment)
  }

  /// Cuts what is only a stream of bytes into packets.
  private func cut(_ bytes: [UInt8], _ stream: CompiledStream) throws(EncodeError) -> [[UInt8]] {
    var size = packetSize
    if size == nil { size = try self.size(stream.build) }
    guard let size, bytes.count > size else { return [bytes] }
    guard size > 0 else { throw EncodeError("packets of \(size) bytes hold nothing") }
    return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
  }

  /// Bytes of a packet as "build" says; nil where it does not.
  private func size(_ build: CompiledBuild?) throws(EncodeError) -> Int? {
    switch build?.size {
    case nil: return nil
    case .number(let number)?: return number
    case .expression(let expression)?:
      guard let size = (try? tree.evaluate(expression))?.asInt, (1...65536).contains(size) else {
        throw EncodeError("\"size\" of \"build\" gives no number from 1 to 65536")
      }
      return Int(size)
    }
  }

  private func lay(_ layer: CompiledLayer, around packets: [[UInt8]], _ holes: inout Holes) throws(EncodeError) -> [[UInt8]] {
    var result: [[UInt8]] = []
    for bytes in packets {
      var bytes = bytes
      switch layer {
      case .slice(let from, let to):
        let back = behind(to, bytes)
        guard let head = from.number, head >= 0, let back else {
          throw EncodeError("a slice that counts otherwise than from its ends cannot be undone")
        }
        bytes = [UInt8](repeating: 0, count: head) + bytes + [UInt8](repeating: 0, count: back)
        holes.head += head
        holes.tail += back
      case .check(let checksum, _, .some, _):
        let value = unsafe checksum.computedValue(over: bytes.span.bytes) ?? 0
        environment.set(profile.externals.built("checksum"), int: Int64(truncatingIfNeeded: value))
      case .check(let checksum, let when, nil, let isInBody):
        if let when, !(isTrue(when, bytes) ?? true) { break }
        lay(checksum, isInBody: isInBody, into: &bytes, holes)
      case .unescape(let escape):
        var escaped: [UInt8] = []
        unsafe escape.encode(bytes.span.bytes, into: &escaped)
        bytes = escaped
        holes = Holes()
      case .scramble(let key, let from): bytes = scrambled(bytes, key, from)
      case .strip(let strip):
        bytes =
          (strip.prefixes.count == 1 ? strip.prefixes[0] : []) + [UInt8](repeating: 0, count: strip.head) + bytes
          + (strip.suffixes.count == 1 ? strip.suffixes[0] : []) + [UInt8](repeating: 0, count: strip.tail)
        if strip.prefixes.isEmpty { holes.head += strip.head }
        if strip.suffixes.isEmpty { holes.tail += strip.tail }
      case .stream(let stream): bytes = try framed(bytes, stream, holes)
      case .fragments(let fragments):
        result += try self.fragments(bytes, fragments, &holes)
        continue
      case .expect, .drop: break
      }
      result.append(bytes)
    }
    return result
  }

  /// How many bytes a slice took off the end; nil where that cannot be told.
  private func behind(_ end: CompiledBound?, _ bytes: [UInt8]) -> Int? {
    switch end {
    case nil: return 0
    case .number(let number)?: return number <= 0 ? -number : nil
    case .expression(let expression)?:
      // The fewest bytes with which the slice would have ended here.
      return (0...64).first { more in
        let whole = bytes + [UInt8](repeating: 0, count: more)
        unsafe whole.withUnsafeBytes { unsafe environment.set(profile.externals.payload, bytes: $0) }
        guard let said = (try? tree.evaluate(expression))?.asInt else { return false }
        return (said < 0 ? Int(clamping: said) + whole.count : min(Int(clamping: said), whole.count)) == bytes.count
      }
    }
  }

  /// Puts a checksum where it lies: over its place, where the message has one, and otherwise behind the bytes.
  private func lay(_ checksum: Checksum, isInBody: Bool?, into bytes: inout [UInt8], _ holes: Holes) {
    let isInside = checksum.position >= 0 && checksum.position + checksum.storedCount <= bytes.count
    let isHole = (checksum.position < 0 ? holes.tail : holes.head) >= checksum.storedCount
    let hasField = isInBody ?? hasField(checksum, in: bytes)
    isSure = isSure || hasField && hasOwnFields
    if isInside || isHole || isInBody ?? (hasField == hasOwnFields) {
      checksum.fill(&bytes)
    } else {
      checksum.insert(into: &bytes)
    }
  }

  /// Whether the body is taken to have fields where it looks so: for its checksums and markers. The other way round is tried too.
  private var hasOwnFields = true
  /// Whether it has one by its name or place.
  private var isSure = false

  /// Words that the names of checksums' fields have in them.
  private static let checksumWords = ["crc", "sum", "check", "fcs", "lrc", "bcc", "xor"]

  /// Whether the body has a field of its own for its checksum: one that lies there, is as wide, and is hidden or called so.
  private func hasField(_ checksum: Checksum, in bytes: [UInt8]) -> Bool {
    guard let bodyRoot else { return unsafe checksum.verify(bytes.span.bytes).isCorrect }
    let low = checksum.position < 0 ? bytes.count + checksum.position : checksum.position
    let range = low..<(low + checksum.storedCount)
    var object = bodyRoot
    var isHidden = false
    // Into the object that holds the place, until there is one field for it.
    for _ in 0..<FieldWalker.deepest {
      guard let type = body.node(object).objectType else { return false }
      var inside: NodeID?
      for field in profile.program.fields(of: type) where !profile.program.isInstance(field) && !profile.program.isParameter(field) {
        guard case .present(let node) = body.state(of: field, in: object) else { continue }
        let info = body.node(node)
        guard !info.isProduced, Int(info.start) <= range.lowerBound, Int(info.end) >= range.upperBound else { continue }
        let style = profile.fieldStyles[Int(field.rawValue)]
        isHidden = isHidden || style.isHidden
        if info.objectType != nil {
          inside = node
        } else if Int(info.start) == range.lowerBound, Int(info.end) == range.upperBound {
          let name = profile.program.name(of: field)
          return isHidden || Self.checksumWords.contains { name.contains($0) }
        } else if info.kind == .bytes {
          // Bytes to the end: with the checksum, if it is right.
          return unsafe checksum.verify(bytes.span.bytes).isCorrect
        }
      }
      guard let inside else { return false }
      object = inside
    }
    return false
  }

  private func framed(_ bytes: [UInt8], _ stream: CompiledStream, _ holes: Holes) throws(EncodeError) -> [UInt8] {
    var bytes = bytes
    if let build = stream.build, let type = stream.header, let choice = build.first.first(where: { $0.when.flatMap { flag($0) } ?? true }) {
      set(length: bytes.count, index: 0, count: 1)
      let header = try self.header(type, choice)
      if holes.head >= header.count || hasOwnFields && bytes.count >= header.count {
        bytes.replacePrefix(with: header)
      } else {
        bytes = header + bytes
      }
    }
    if stream.rules.starts.count == 1, !bytes.starts(with: stream.rules.starts[0]) {
      let start = stream.rules.starts[0]
      let isOpen = hasOwnFields && bytes.count >= start.count && bytes.prefix(start.count).allSatisfy { $0 == 0 }
      if holes.head >= start.count || isOpen { bytes.replacePrefix(with: start) } else { bytes = start + bytes }
    }
    if stream.rules.ends.count == 1 {
      let end = stream.rules.ends[0]
      let isOpen = hasOwnFields && bytes.count >= end.count && bytes.suffix(end.count).allSatisfy { $0 == 0 }
      if holes.tail >= end.count || isOpen && !end.allSatisfy({ $0 == 0 }) {
        bytes.replaceSubrange((bytes.count - end.count)..., with: end)
      } else if !bytes.reversed().starts(with: end.reversed()) {
        bytes += end
      }
    }
    return bytes
  }

  /// Bytes of a packet where nothing says it: those that an attribute can have (Core Specification 6.0, Vol 3, Part F, 3.2.9).
  private static let longestAttribute = 512

  private func fragments(_ bytes: [UInt8], _ rules: CompiledFragments, _ holes: inout Holes) throws(EncodeError) -> [[UInt8]] {
    guard let type = rules.header else { return [bytes] }
    guard let build = rules.build else {
      throw EncodeError("the profile does not say how headers are written: its layer \"fragments\" needs \"build\"")
    }
    // Bytes behind those that count, which outer layers fill.
    let behind = rules.payloadTo.flatMap { (try? tree.evaluate($0))?.asInt }.map { Int(clamping: min(max(0, 0 &- $0), 65536)) } ?? 0
    let before = state
    var packets: [[UInt8]] = []
    var count = 1
    // The number of packets is known when they are made; where headers have it they are made again.
    for _ in 0..<4 {
      packets = []
      state = before
      var at = 0
      repeat {
        let choices = packets.isEmpty || build.next.isEmpty ? build.first : build.next
        let index = packets.isEmpty || build.next.isEmpty ? packets.count : packets.count - 1
        set(length: bytes.count, index: index, count: count)
        environment.set(profile.externals.built("offset"), int: Int64(at))
        var size = packetSize ?? Self.longestAttribute
        if packetSize == nil, let said = try self.size(build) { size = said }
        let (header, here) = try header(type, choices, bytes.count - at, size - behind, rules.payloadFrom ?? 0)
        var packet = header + bytes[at..<(at + here)] + [UInt8](repeating: 0, count: behind)
        if let pad = build.pad { packet += [UInt8](repeating: pad, count: max(0, size - packet.count)) }
        packets.append(packet)
        at += here
        apply(rules.set, header, type)
        guard packets.count < 65536 else { throw EncodeError("more than 65535 packets") }
        if at >= bytes.count { break }
      } while true
      if packets.count == count { break }
      count = packets.count
    }
    holes = Holes(head: 0, tail: behind)
    return packets
  }

  /// The header of a packet, and how many of the bytes that are left go behind it.
  private func header(
    _ type: TypeID, _ choices: [CompiledBuild.Choice], _ left: Int, _ size: Int, _ from: Int
  ) throws(EncodeError) -> ([UInt8], Int) {
    var here = left
    var header: [UInt8] = []
    // What the header says of the packet may change how long it is.
    for _ in 0..<4 {
      environment.set(profile.externals.built("bytes"), int: Int64(here))
      environment.set(profile.externals.built("last"), bool: here == left)
      guard let choice = choices.first(where: { $0.when.flatMap { flag($0) } ?? true }) else {
        throw EncodeError("no alternative of \"build\" holds for this packet, with \(left) bytes left")
      }
      header = try self.header(type, choice)
      if header.count < from { header += [UInt8](repeating: 0, count: from - header.count) }
      let room = size - header.count
      guard room > 0 || left == 0 else { throw EncodeError("a packet of \(size) bytes has no room behind its header") }
      if here == min(room, left) { break }
      here = min(room, left)
    }
    return (header, here)
  }

  /// Changes the state as the decoder does when it reads this header.
  private func apply(_ sets: [CompiledSet], _ header: [UInt8], _ type: TypeID) {
    guard !sets.isEmpty else { return }
    guard unsafe tree.parse(type, header.span.bytes, environment: environment) == nil else { return }
    for set in sets { if let new = state[set.state].changed(by: set, tree, tree.root) { state[set.state] = new } }
  }

  private func set(length: Int, index: Int, count: Int) {
    environment.set(profile.externals.built("length"), int: Int64(length))
    environment.set(profile.externals.built("index"), int: Int64(index))
    environment.set(profile.externals.built("count"), int: Int64(count))
  }

  private func header(_ type: TypeID, _ choice: CompiledBuild.Choice) throws(EncodeError) -> [UInt8] {
    var given: [String: WriteValue] = [:]
    for (name, expression) in choice.header {
      let value: Value
      do throws(Failure) { value = try tree.evaluate(expression) } catch {
        throw EncodeError("\"\(name)\" of the header cannot be computed: \(error.message)")
      }
      if value.kind == .bool {
        given[name] = .bool(value.asBool ?? false)
      } else if let whole = value.asInt {
        given[name] = .int(whole)
      } else {
        given[name] = unsafe tree.withBytes(of: value) { unsafe .bytes(Array($0)) }
      }
    }
    // What "build" leaves out is 0.
    let missing = writer.missing
    writer.missing = { [profile] field in profile.program.kind(of: field) == .number ? .int(0) : profile.whenMissing(field) }
    defer { writer.missing = missing }
    do throws(WriteError) {
      return try writer.write(type, .object(given), environment: environment)
    } catch { throw EncodeError("the header: \(error)") }
  }

  // MARK: Expressions

  private func flag(_ expression: ExpressionID) -> Bool? { (try? tree.evaluate(expression))?.asBool }

  private func isTrue(_ expression: ExpressionID, _ bytes: [UInt8]) -> Bool? {
    unsafe bytes.withUnsafeBytes { unsafe environment.set(profile.externals.payload, bytes: $0) }
    return flag(expression)
  }

  private func scrambled(_ bytes: [UInt8], _ key: ExpressionID, _ from: Int) -> [UInt8] {
    unsafe bytes.withUnsafeBytes { unsafe environment.set(profile.externals.payload, bytes: $0) }
    guard let value = try? tree.evaluate(key) else { return bytes }
    let mask: [UInt8]
    if let byte = value.asInt {
      mask = [UInt8(truncatingIfNeeded: byte)]
    } else {
      mask = unsafe tree.withBytes(of: value) { unsafe Array($0) }
    }
    let start = min(from, bytes.count)
    var output = Array(bytes[0..<start])
    let rest = Array(bytes[start...])
    unsafe Escape.scrambled(key: mask).encode(rest.span.bytes, into: &output)
    return output
  }
}

extension CompiledLayer {
  /// Whether encoding puts bytes around the body whose place in it is not known: checksums and markers.
  fileprivate var addsBytes: Bool {
    switch self {
    case .check: true
    case .stream(let stream): !stream.rules.starts.isEmpty || !stream.rules.ends.isEmpty || stream.build != nil
    default: false
    }
  }

  /// Whether bytes lie where they lay before.
  fileprivate var keepsPlaces: Bool {
    switch self {
    case .check, .drop, .expect: true
    case .slice(let from, _): from.number == 0
    default: false
    }
  }
}

extension [UInt8] {
  /// Writes bytes over the first ones.
  fileprivate mutating func replacePrefix(with bytes: [UInt8]) {
    guard bytes.count <= count else { return }
    replaceSubrange(0..<bytes.count, with: bytes)
  }
}
