import Kaitai
import PacketCodecs

/// Why a message cannot be encoded: where in its fields, and what would be right.
public struct EncodeError: Error, Sendable, CustomStringConvertible {
  /// What is wrong.
  public var description: String

  init(_ description: String) { self.description = description }
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
  private let tree: Tree
  private let writer: Writer
  /// Bytes of a packet where the profile does not say it; nil: as many as there are.
  public var packetSize: Int?

  /// Makes an encoder for the messages of a profile, of a device of which `facts` are known.
  public init(_ profile: CompiledProfile, of profiles: ProfileSet, facts: PeerFacts = PeerFacts()) {
    self.profile = profile
    self.profiles = profiles
    environment = Environment(profile.program)
    tree = Tree(profile.program, limits: .message)
    writer = Writer(profile.program)
    if let name = facts.name { environment.set(profile.externals.deviceName, text: name) }
    if let address = facts.address { environment.set(profile.externals.deviceAddress, text: address) }
    for state in profile.state {
      switch state.initial {
      case .none: break
      case .int(let value): environment.set(state.external, int: value)
      case .float(let value): environment.set(state.external, float: value)
      case .bool(let value): environment.set(state.external, bool: value)
      case .text(let value): environment.set(state.external, text: value)
      }
    }
    tree.parse(borrowing: UnsafeRawBufferPointer(start: nil, count: 0), as: TypeID(rawValue: 0), environment: environment)
    writer.adapt = { [profile] type, value in profile.unstyled(type, value) }
    writer.missing = { [profile] field in profile.whenMissing(field) }
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
    // Whether the body has fields for its checksums, or they stand beside it, only decoding can tell: what people see must be as it was.
    let shown = visible([payload], place, way, isPayload: true)
    var first: [[UInt8]]?
    for room in [true, false] {
      isRoom = room
      var packets = [payload]
      var holes = Holes()
      for layer in rules.layers.reversed() { packets = try lay(layer, around: packets, &holes) }
      let hasChecks = rules.layers.contains { if case .check = $0 { true } else { false } }
      let found = hasChecks ? visible(packets, place, way, isPayload: false) : nil
      if !hasChecks || (found != nil && (!room || found == shown)) {
        return EncodedMessage(source: profile.sources[place].id, direction: way, payload: payload, packets: packets)
      }
      first = packets
    }
    return EncodedMessage(source: profile.sources[place].id, direction: way, payload: payload, packets: first ?? [])
  }

  /// What people see of the one whole message with right checksums that packets decode to; nil where they decode to anything else.
  private func visible(_ packets: [[UInt8]], _ source: Int, _ way: Direction, isPayload: Bool) -> [UInt8]? {
    let engine = ProfileEngine(profiles)
    let link = engine.connect(PeerFacts())
    let slot = engine.slot(link, profile: profile, source: profile.sources[source].id)
    var found: [[UInt8]?] = []
    func take() {
      for message in engine.messages {
        if !message.isComplete || message.checksum == .bad || message.fault != nil {
          found.append(nil)
          continue
        }
        var visitor = JSONVisitor([])
        visitor.leavesHidden = true
        message.visitFields(&visitor)
        found.append(visitor.output)
      }
    }
    for (frame, packet) in packets.enumerated() {
      packet.withUnsafeBytes {
        if isPayload {
          _ = engine.feed(payload: $0, link, slot, way, frame: frame, time: 0)
        } else {
          _ = engine.feed(link, slot, way, $0, frame: frame, time: 0)
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
  func body(_ number: Int, _ fields: FieldTree) throws(EncodeError) -> [UInt8] {
    switch profile.messages[number].body {
    case .type(let type):
      do throws(WriteError) {
        return try writer.write(type, fields.writeValue, environment: environment)
      } catch { throw EncodeError(error.description.replacing("/", with: ".")) }
    case .other(let body):
      guard let bytes = profile.encode(body, fields, isTop: true) else { throw EncodeError("these fields are no \(body)") }
      return bytes
    }
  }

  // MARK: Layers

  /// Bytes that a slice left free for what outer layers put there.
  private struct Holes {
    var head = 0
    var tail = 0
  }

  private func lay(_ layer: CompiledLayer, around packets: [[UInt8]], _ holes: inout Holes) throws(EncodeError) -> [[UInt8]] {
    var result: [[UInt8]] = []
    for bytes in packets {
      var bytes = bytes
      switch layer {
      case .slice(let from, let to):
        guard from >= 0, to ?? -1 <= 0 || to == nil else {
          throw EncodeError("a slice that counts otherwise than from its ends cannot be undone")
        }
        bytes = [UInt8](repeating: 0, count: from) + bytes + [UInt8](repeating: 0, count: to.map { -$0 } ?? 0)
        holes.head += from
        holes.tail += to.map { -$0 } ?? 0
      case .check(_, _, .some): break
      case .check(let checksum, let when, nil):
        if let when, !(isTrue(when, bytes) ?? true) { break }
        lay(checksum, into: &bytes, holes)
      case .unescape(let escape):
        var escaped: [UInt8] = []
        escape.encode(bytes.span.bytes, into: &escaped)
        bytes = escaped
        holes = Holes()
      case .scramble(let key, let from): bytes = scrambled(bytes, key, from)
      case .strip(let strip):
        bytes =
          [UInt8](repeating: 0, count: strip.head) + (strip.prefixes.count == 1 ? strip.prefixes[0] : []) + bytes
          + (strip.suffixes.count == 1 ? strip.suffixes[0] : []) + [UInt8](repeating: 0, count: strip.tail)
      case .stream(let stream): bytes = try framed(bytes, stream, holes)
      case .fragments(let fragments):
        result += try self.fragments(bytes, fragments)
        continue
      case .expect, .drop: break
      }
      if case .stream(let stream) = layer, let size = stream.build?.size ?? packetSize, size > 0, bytes.count > size {
        result += stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
      } else {
        result.append(bytes)
      }
    }
    return result
  }

  /// Puts a checksum where it lies: over its place, where the message has one, and otherwise between the bytes.
  private func lay(_ checksum: Checksum, into bytes: inout [UInt8], _ holes: Holes) {
    if isRoom || (checksum.position < 0 ? holes.tail : holes.head) >= checksum.storedCount {
      checksum.fill(&bytes)
    } else {
      checksum.insert(into: &bytes)
    }
  }

  /// Whether the body that is being encoded has fields for its checksums.
  private var isRoom = false

  private func framed(_ bytes: [UInt8], _ stream: CompiledStream, _ holes: Holes) throws(EncodeError) -> [UInt8] {
    var bytes = bytes
    if let build = stream.build, let type = stream.header, let choice = build.first.first {
      let header = try self.header(type, choice, length: bytes.count, index: 0, count: 1)
      if holes.head >= header.count { bytes.replaceSubrange(0..<header.count, with: header) } else { bytes = header + bytes }
    }
    if stream.rules.starts.count == 1, !bytes.starts(with: stream.rules.starts[0]) {
      let start = stream.rules.starts[0]
      if holes.head >= start.count { bytes.replaceSubrange(0..<start.count, with: start) } else { bytes = start + bytes }
    }
    if stream.rules.ends.count == 1 {
      let end = stream.rules.ends[0]
      if holes.tail >= end.count {
        bytes.replaceSubrange((bytes.count - end.count)..., with: end)
      } else if !bytes.reversed().starts(with: end.reversed()) {
        bytes += end
      }
    }
    return bytes
  }

  private func fragments(_ bytes: [UInt8], _ rules: CompiledFragments) throws(EncodeError) -> [[UInt8]] {
    guard let type = rules.header else { return [bytes] }
    guard let build = rules.build, let size = build.size ?? packetSize else {
      throw EncodeError("the profile does not say how fragments are written (\"build\" of layer \"fragments\")")
    }
    var packets: [[UInt8]] = []
    var at = 0
    var count = 1
    // The number of packets is known when they are made; where headers have it they are made again.
    for _ in 0..<4 {
      packets = []
      at = 0
      repeat {
        let choices = packets.isEmpty || build.next.isEmpty ? build.first : build.next
        let index = packets.isEmpty || build.next.isEmpty ? packets.count : packets.count - 1
        set(length: bytes.count, index: index, count: count)
        guard let choice = choices.first(where: { $0.when.flatMap { flag($0) } ?? true }) else {
          throw EncodeError("no alternative of \"build\" holds for a message of \(bytes.count) bytes")
        }
        let header = try self.header(type, choice, length: bytes.count, index: index, count: count)
        let room = size - header.count
        guard room > 0 else { throw EncodeError("a packet of \(size) bytes has no room behind its header") }
        let end = min(at + room, bytes.count)
        packets.append(header + bytes[at..<end])
        at = end
        guard packets.count < 65536 else { throw EncodeError("more than 65535 packets") }
      } while at < bytes.count
      if packets.count == count { break }
      count = packets.count
    }
    return packets
  }

  private func set(length: Int, index: Int, count: Int) {
    environment.set(profile.externals.length, int: Int64(length))
    environment.set(profile.externals.index, int: Int64(index))
    environment.set(profile.externals.count, int: Int64(count))
  }

  private func header(
    _ type: TypeID, _ choice: CompiledBuild.Choice, length: Int, index: Int, count: Int
  ) throws(EncodeError) -> [UInt8] {
    set(length: length, index: index, count: count)
    var given: [String: WriteValue] = [:]
    for (name, expression) in choice.header {
      guard let value = try? tree.evaluate(expression) else { throw EncodeError("\"\(name)\" of the header cannot be computed") }
      if value.kind == .bool {
        given[name] = .bool(value.asBool ?? false)
      } else if let whole = value.asInt {
        // A field of one bit is a truth.
        given[name] = .int(whole)
      } else {
        given[name] = tree.withBytes(of: value) { .bytes(Array($0)) }
      }
    }
    do throws(WriteError) {
      return try writer.write(type, .object(given), environment: environment)
    } catch { throw EncodeError("the header: \(error)") }
  }

  // MARK: Expressions

  private func flag(_ expression: ExpressionID) -> Bool? { (try? tree.evaluate(expression))?.asBool }

  private func isTrue(_ expression: ExpressionID, _ bytes: [UInt8]) -> Bool? {
    bytes.withUnsafeBytes { environment.set(profile.externals.payload, bytes: $0) }
    return flag(expression)
  }

  private func scrambled(_ bytes: [UInt8], _ key: ExpressionID, _ from: Int) -> [UInt8] {
    bytes.withUnsafeBytes { environment.set(profile.externals.payload, bytes: $0) }
    guard let value = try? tree.evaluate(key) else { return bytes }
    let mask = value.asInt.map { [UInt8(truncatingIfNeeded: $0)] } ?? tree.withBytes(of: value) { Array($0) }
    let start = min(from, bytes.count)
    var output = Array(bytes[0..<start])
    let rest = Array(bytes[start...])
    Escape.scrambled(key: mask).encode(rest.span.bytes, into: &output)
    return output
  }
}
