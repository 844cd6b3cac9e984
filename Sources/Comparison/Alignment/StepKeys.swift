@_spi(Pipeline) import Analysis
import Bluetooth
import Conversations

/// Gives keys to steps: steps of all recordings with the same meaning have the same key.
struct StepKeys {
  /// Ignores data that redaction replaces: for captures whose pseudonyms are not matched yet.
  private let ignoresRedacted: Bool
  private var numbers: [UInt64: Int32] = [:]
  /// The shapes of keys, by key.
  private(set) var shapes: [Shape] = []

  /// Properties that all steps of a key share.
  struct Shape {
    var kind: Operation.Kind
    /// The value comes from the server of the attribute.
    var isResponse: Bool
    /// Sequential steps are in one lane; concurrent ones are in different lanes, and their order is not compared.
    var lane: UInt64
    /// Identifies steps with the same attribute and action, with any message.
    var location: UInt64
  }

  /// Keys for the steps of these recordings: a channel without a known service in one recording gets that of another recording.
  init(channelsOf recordings: [Recording], ignoresRedacted: Bool = false) {
    self.ignoresRedacted = ignoresRedacted
    for recording in recordings {
      for context in recording.contexts where context.facts >= 0 {
        recording.details.with(context.facts) { facts in
          guard let link = Self.link(facts), facts.count > 20 else { return }
          let service = StepHash.of(facts.extracting(20..<facts.count)) | 1
          // One channel number may belong to different services at different times: their steps have different keys.
          services[link] = services[link] ?? service == service ? service : 0
        }
      }
    }
  }

  /// Services by protocol and data link; 0 where there are several.
  private var services: [UInt16: UInt64] = [:]

  /// Protocol and data link of a channel of RFCOMM; nil where the facts do not describe such a channel.
  private static func link(_ facts: borrowing Span<UInt8>) -> UInt16? {
    guard facts.count >= 20, facts[16] != StepCollector.type, facts[19] != 0 else { return nil }
    return UInt16(facts[16]) << 8 | UInt16(facts[19])
  }

  /// A hash of the facts after the numbers: the channel or type.
  private func subject(ofFacts facts: borrowing Span<UInt8>) -> UInt64 {
    guard let link = Self.link(facts) else { return StepHash.of(facts.extracting(16..<facts.count)) }
    let service = facts.count > 20 ? StepHash.of(facts.extracting(20..<facts.count)) | 1 : services[link] ?? 0
    var hash = StepHash()
    hash.add(service == 0 ? UInt64(link) : service)
    return hash.value
  }

  /// The keys of all steps of a recording.
  mutating func keys(of recording: Recording) -> [Int32] {
    let attributeHashes = AttributeHashes(recording.tables)
    // Finding the subject of a message is slow: it is done once for equal messages.
    var messages = [UInt64](repeating: 0, count: recording.pool.count)
    return recording.steps.map { step in
      var hash = StepHash()
      hash.add(step.isSubscription ? Operation.Kind.write.rawValue : step.kind.rawValue)
      hash.add(step.isIncoming && step.isDirected ? 1 : 0)
      let context = recording.context(step)
      let location = context.attribute >= 0 || context.handle != 0 ? attributeHashes.hash(of: context) : 0
      hash.add(location)
      // The numbers are compared; the facts after them are part of the key.
      var channel: UInt64 = 0
      if context.facts >= 0 {
        recording.details.with(context.facts) { facts in
          guard facts.count > 16 else { return }
          channel = subject(ofFacts: facts)
          hash.add(channel)
        }
      }
      let about = hash.value
      if step.message >= 0 {
        if messages[Int(step.message)] == 0 { messages[Int(step.message)] = recording.pool.with(step.message) { subject($0) } }
        hash.add(messages[Int(step.message)])
      }
      if let known = numbers[hash.value] { return known }
      return number(
        hash.value, Shape(kind: step.kind, isResponse: step.isResponse, lane: Self.lane(step, location, channel), location: about))
    }
  }

  private mutating func number(_ hash: UInt64, _ shape: Shape) -> Int32 {
    let number = Int32(shapes.count)
    shapes.append(shape)
    numbers[hash] = number
    return number
  }

  /// The lane of this host's requests.
  static let requests: UInt64 = 2

  private static func lane(_ step: Step, _ location: UInt64, _ channel: UInt64) -> UInt64 {
    let side: UInt64 = step.isIncoming ? 1 : 0
    switch step.kind {
    // An app discovers attributes when it needs them; the result is compared as a table.
    case .discovery: return 8 | side
    case .mtu, .read, .write, .writeCommand, .preparedWrite, .subscribe, .unsubscribe, .command, .control, .get, .put:
      return requests | side
    case .pairing, .encryption: return 4
    case .scan, .inquiry: return 5
    case .channel: return 6 | side
    case .notification, .indication, .stream: return (location &* 2 | side) ^ 1 << 63
    case .data, .report, .input: return (channel &* 2 | side) ^ 1 << 62
    case .connect, .disconnect, .dataLength, .phy, .parameters, .nameRequest, .session: return 16 | UInt64(step.kind.rawValue)
    }
  }

  /// A hash of the names of messages and of the fields that identify their subject.
  private func subject(_ bytes: borrowing Span<UInt8>) -> UInt64 {
    var hash = StepHash()
    MessageRecord.visit(bytes) { piece, _ in
      switch piece {
      case .message(let profile, let name):
        hash.add(profile)
        hash.add(name)
      case .field(let path, let value, let traits):
        guard traits.contains(.identifies), !ignoresRedacted || traits.contains(.staysRedacted) else { return }
        hash.add(path)
        hash.add(value)
      }
    }
    return hash.value | 1
  }
}

extension Step {
  /// A write to a Client Characteristic Configuration. If the descriptor was not discovered, only the value shows it.
  var isSubscription: Bool { kind == .subscribe || kind == .unsubscribe }

  /// Whether the side matters. A parameter update, an encryption or a disconnection is the same from either side.
  var isDirected: Bool {
    switch kind {
    case .parameters, .phy, .dataLength, .encryption, .disconnect, .pairing, .scan, .connect: false
    default: true
    }
  }
}

/// Identifies attributes by UUIDs instead of handles: service, characteristic, descriptor, and the number among equal ones.
struct AttributeHashes {
  /// By attribute: the hash of its UUIDs, 0 where its UUID is not known.
  private var hashes: [UInt64]

  init(_ tables: ConversationTables) {
    hashes = [UInt64](repeating: 0, count: tables.attributes.count)
    for database in tables.databases {
      var seen: [UInt64: Int] = [:]
      var service: UInt64 = 0
      var value: UInt64 = 0
      var valueHandle: UInt16 = 0
      var previous: (handle: UInt16, hash: UInt64) = (0, 0)
      for number in database.attributes.sorted(by: { Self.precedes(tables, $0, $1) }) {
        let attribute = tables.attributes[Int(number)]
        guard attribute.uuid >= 0, attribute.source != .none, attribute.source != .guess else {
          // A descriptor that was not discovered is identified by the characteristic before it.
          if value != 0, attribute.handle > valueHandle, attribute.handle - valueHandle <= 4 {
            var hash = StepHash()
            hash.add(value)
            hash.add(attribute.handle - valueHandle)
            hashes[Int(number)] = hash.value
          }
          continue
        }
        let uuid = tables.uuids[Int(attribute.uuid)]
        var hash = StepHash()
        hash.add(attribute.kind.rawValue)
        hash.add(uuid.high)
        hash.add(uuid.low)
        switch attribute.kind {
        case .service: break
        case .value, .declaration, .include: hash.add(service)
        default: hash.add(value == 0 ? service : value)
        }
        // Several versions of one attribute count as one.
        if previous.handle != attribute.handle || previous.hash != hash.value {
          previous = (attribute.handle, hash.value)
          seen[hash.value, default: 0] += 1
        }
        hash.add(seen[hash.value] ?? 1)
        hashes[Int(number)] = hash.value
        if attribute.kind == .service {
          service = hash.value
          value = 0
        } else if attribute.kind == .value {
          value = hash.value
          valueHandle = attribute.handle
        }
      }
    }
  }

  private static func precedes(_ tables: ConversationTables, _ left: Int32, _ other: Int32) -> Bool {
    let (a, b) = (tables.attributes[Int(left)], tables.attributes[Int(other)])
    // In a broken device a declaration can have a handle after that of its service.
    return (a.handle, a.kind.rawValue, left) < (b.handle, b.kind.rawValue, other)
  }

  /// A hash that identifies the attribute of a step; by its handle where its UUID is not known.
  func hash(of context: StepContext) -> UInt64 {
    if context.attribute >= 0, hashes[Int(context.attribute)] != 0 { return hashes[Int(context.attribute)] }
    var hash = StepHash()
    hash.add(0xFFFF_0000 | UInt64(context.handle))
    return hash.value
  }

  /// The hash of an attribute, 0 where its UUID is not known.
  subscript(_ attribute: Int32) -> UInt64 { hashes[Int(attribute)] }
}
