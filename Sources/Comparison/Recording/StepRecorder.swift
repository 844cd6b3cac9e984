@_spi(Pipeline) import Analysis
import Bluetooth
import Conversations
@_spi(Pipeline) import Profiles
import Memory
import Redaction

/// Records the steps of a capture: an ``EventSink`` that a ``Timeline`` runs to.
public final class StepRecorder: EventSink {
  private let collector: StepCollector
  private let operations: Operations<StepCollector>
  /// The recording.
  public var recording: Recording { collector.recording }

  /// Records a capture. With `wanted`, only these operations are kept, for the second reading of a long capture.
  public init(wanted: WantedOperations? = nil) {
    collector = StepCollector(wanted)
    operations = Operations(collector, joinsValues: false)
  }

  /// All fields of messages are compared; the second reading only needs those that are printed.
  @_spi(Pipeline) public var wantsFields: ProfileEngine.Fields { collector.wanted == nil ? .all : .template }

  /// A capture starts.
  public func begin(_ facts: CaptureFacts) throws { try operations.begin(facts) }

  /// A profile knows an attribute.
  public func attribute(_ attribute: ProfileAttribute) { operations.attribute(attribute) }

  /// Takes a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    if isPart, row.connection >= 0 { collector.parts.insert(row.frame) }
    if row.layer == .note, unsafe row.pdu.buffer.starts(with: Redaction.noteStart.utf8) { collector.recording.hasRedactionNote = true }
    collector.recording.lastTime = max(collector.recording.lastTime, row.time)
    if collector.wanted == nil { collector.recording.heard.packet(row, batch) }
    try operations.packet(row, batch, isPart: isPart)
  }

  /// Keeps a message until its operation ends.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    if row.connection >= 0, message.kind == .message { collector.take(message, row, batch) }
    operations.message(message, row, batch)
  }

  /// Passes the end of a batch on.
  public func batchDidEnd(_ batch: RowBatch) throws { try operations.batchDidEnd(batch) }

  /// The capture ended.
  public func end(_ outcome: Outcome) throws {
    try operations.end(outcome)
    collector.recording.tables = outcome.tables
    collector.close()
  }
}

/// Operations of a long capture that are shown.
public struct WantedOperations: Sendable {
  /// Their numbers.
  var numbers: Set<Int32> = []
  /// The frames they begin with.
  var frames: Set<Int> = []
}

/// Makes steps of operations.
final class StepCollector: OperationSink {
  let wanted: WantedOperations?
  var recording = Recording(CaptureFacts(name: "", title: ""))
  /// Frames whose value is a part of an incomplete message.
  var parts: Set<Int> = []
  /// Encoded messages by the frame that completed them.
  private var messages: [Int: [UInt8]] = [:]
  /// Bytes of ``messages``.
  private var pendingBytes = 0
  private var count: Int32 = 0
  /// Identities of devices, by peer and adapter.
  private var identities: [UInt64: DeviceIdentity] = [:]
  /// The version of the tables that `identities` were made of.
  private var identitiesVersion = -1
  private var contexts: [StepContext: Int32] = [:]
  private var lastContext: (context: StepContext?, number: Int32) = (nil, -1)
  private var paths = MessageRecord.KnownPaths()
  /// The last part of an incomplete message, by connection and attribute, with its number, and the slowest answer to a part.
  private var lastParts: [UInt64: (operation: Operation, number: Int32, slowest: Int64)] = [:]
  /// Number of distinct values kept for each context.
  private var kept: [Int] = []
  /// A buffer that is reused for each value.
  private var content: [UInt8] = []

  /// Most frames that are remembered for operations that are still open.
  private static let maxPending = 8192
  private static let maxPendingBytes = 8 << 20
  /// Most different values kept of one attribute.
  private static let maximumPerContext = 24_000
  /// Most devices whose identity is remembered.
  private static let maxIdentities = 256

  init(_ wanted: WantedOperations?) { self.wanted = wanted }

  /// Texts of messages are made only for operations that are kept.
  func wantsTexts(of kind: Operation.Kind, at frame: Int) -> Bool { wanted.map { $0.frames.contains(frame) } ?? recording.isWhole }

  func begin(_ facts: CaptureFacts) {
    recording = Recording(facts)
    parts.removeAll()
    messages.removeAll()
    pendingBytes = 0
    count = 0
    identities.removeAll()
    contexts.removeAll()
    lastParts.removeAll()
    kept = []
    lastContext = (nil, -1)
  }

  /// Frees the look-up tables after the last operation.
  func close() {
    recording.pool.close()
    recording.details.close()
    contexts = [:]
  }

  func attribute(_ attribute: ProfileAttribute) { recording.names[attribute.index] = attribute.name }

  func take(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    guard wanted == nil else { return }
    var frame = row.frame
    // An incomplete message is detected when the next one begins, or the connection ends. It is assigned to its own last part, whose operation can
    // still wait for an earlier one.
    if !message.isComplete, let last = message.frames.last, last < frame, parts.contains(last) {
      frame = last
    } else if !message.isComplete, let last = message.frames.last, last < frame,
      let stream = lastParts.first(where: { $0.value.operation.connection == row.connection && $0.value.operation.frame == last })?.key,
      let part = lastParts.removeValue(forKey: stream)
    {
      return record(part.operation, part.number, MessageRecord.bytes(of: message, &paths), batch.tables)
    }
    if messages.count >= Self.maxPending || pendingBytes > Self.maxPendingBytes {
      messages.removeAll()
      pendingBytes = 0
    }
    let messageBytes = MessageRecord.bytes(of: message, &paths)
    pendingBytes += messageBytes.count
    if messages[frame]?.append(contentsOf: messageBytes) == nil { messages[frame] = messageBytes }
  }

  func operation(_ operation: Operation, _ tables: ConversationTables) {
    let number = count
    count &+= 1
    if let wanted {
      if wanted.numbers.contains(number) { recording.operations[number] = operation }
      return
    }
    var messageContent: [UInt8] = []
    var isPart = false
    for frame in operation.frames {
      if !messages.isEmpty, let bytes = messages.removeValue(forKey: frame) {
        messageContent += bytes
        pendingBytes -= bytes.count
      }
      if !parts.isEmpty, parts.remove(frame) != nil { isPart = true }
    }
    if parts.count >= Self.maxPending { parts.removeAll() }
    // The message is recorded instead of its part, unless the part was refused.
    if isPart, messageContent.isEmpty, operation.ending == .succeeded || operation.ending == .open {
      let stream = Self.stream(operation.connection, operation.handle, isIncoming: operation.isIncoming)
      if lastParts.count >= Self.maxIdentities { lastParts.removeAll() }
      let slowest = max(lastParts[stream]?.slowest ?? 0, operation.latency)
      lastParts[stream] = (operation, number, slowest)
      return
    }
    record(operation, number, messageContent, tables)
  }

  private static func stream(_ connection: Int32, _ handle: UInt16, isIncoming: Bool) -> UInt64 {
    UInt64(UInt32(bitPattern: connection)) << 32 | UInt64(handle) << 1 | (isIncoming ? 1 : 0)
  }

  /// Makes a step of an operation and its messages.
  private func record(_ operation: Operation, _ number: Int32, _ messages: [UInt8], _ tables: ConversationTables) {
    var messageContent = messages
    // An attempt to connect to any known device has no peer to compare.
    if operation.kind == .connect, operation.ending != .succeeded, operation.numbers[0] & 1 == 1 { return }
    guard recording.steps.count < Recording.maxSteps, number < .max, let context = context(of: operation, tables) else {
      recording.leftOut += 1
      return
    }
    var step = Step(operation, number: number, context: context)
    if !messageContent.isEmpty, !lastParts.isEmpty,
      let part = lastParts.removeValue(forKey: Self.stream(operation.connection, operation.handle, isIncoming: operation.isIncoming))
    {
      step.latency = max(step.latency, Int32(clamping: part.slowest))
    }
    // Names, addresses and serial numbers identify the device and are not compared.
    let isIdentity = DeviceIdentity.isIdentity(operation.attribute, tables)
    let isMedia = operation.kind == .data && !operation.layer.carriesUnknownData
    let hasValue = step.hasValue && !isMedia && !isIdentity && (operation.bytes > 0 || !operation.value.isEmpty)
    if hasValue || !messageContent.isEmpty {
      let identity = identity(of: operation, tables)
      if !messageContent.isEmpty, !isIdentity {
        identity.mask(text: &messageContent)
        step.message = keep(messageContent, of: step.context)
      }
      // The value is kept even if there is a message: another capture may not show the profile.
      if hasValue {
        var value = operation.value
        let isMasked = identity.mask(&value)
        content.removeAll(keepingCapacity: true)
        content.append(littleEndian: isMasked ? StepHash.of(value.span) : operation.digest)
        content.append(littleEndian: UInt32(clamping: operation.bytes))
        content.append(contentsOf: value)
        step.value = keep(content, of: step.context)
        if isMasked, step.value >= 0 { recording.masked.insert(step.value) }
      }
    }
    // An attribute with too many distinct values has enough steps: further values would be steps without content.
    if step.isUnkept, step.isResponse, step.ending == .succeeded || step.ending == .open {
      recording.streamed += 1
      return
    }
    keep(operation, number)
    if operation.connection < 0 {
      if operation.peer >= 0 {
        recording.peersWithoutConnection[Int32(recording.steps.count)] = UInt64(operation.peer)
      } else if operation.address != 0 {
        recording.peersWithoutConnection[Int32(recording.steps.count)] = operation.address | 1 << 63
      }
    }
    recording.steps.append(step)
  }

  /// The number of the context of an operation; nil where there are too many.
  private func context(of operation: Operation, _ tables: ConversationTables) -> Int32? {
    let facts = facts(operation, tables)
    let context = StepContext(
      connection: operation.connection, attribute: operation.attribute, handle: operation.handle,
      facts: facts.isEmpty ? -1 : recording.details.intern(facts))
    if context == lastContext.context { return lastContext.number }
    let known = contexts[context]
    if known == nil, recording.contexts.count >= Recording.maxContexts { return nil }
    lastContext = (context, known ?? Int32(recording.contexts.count))
    if known == nil {
      contexts[context] = lastContext.number
      recording.contexts.append(context)
    }
    return lastContext.number
  }

  private func identity(of operation: Operation, _ tables: ConversationTables) -> DeviceIdentity {
    if identitiesVersion != tables.version || identities.count >= Self.maxIdentities {
      identities.removeAll(keepingCapacity: true)
      identitiesVersion = tables.version
    }
    let device = UInt64(UInt32(bitPattern: operation.peer)) << 16 | UInt64(operation.adapter)
    if let known = identities[device] { return known }
    let identity = DeviceIdentity(operation.peer, operation.adapter, tables)
    identities[device] = identity
    return identity
  }

  /// Keeps a value or message, unless its attribute already has so many distinct ones that it would leave no room for others.
  private func keep(_ string: [UInt8], of context: Int32) -> Int32 {
    while kept.count <= Int(context) { kept.append(0) }
    let before = recording.pool.count
    let number = recording.pool.intern(string, isWanted: kept[Int(context)] < Self.maximumPerContext)
    if recording.pool.count > before { kept[Int(context)] += 1 }
    return number
  }

  private func keep(_ operation: Operation, _ number: Int32) {
    guard recording.isWhole else { return }
    if number < Recording.fewOperations {
      recording.operations[number] = operation
    } else {
      recording.isWhole = false
      recording.operations = [:]
    }
  }

  /// The byte before the UUID of a requested type; a channel begins with its protocol.
  static let type: UInt8 = 0xFF

  /// Numbers by kind (sixteen bytes), then the channel or type of the operation: a channel has four bytes, and the UUID of its service as text where
  /// that is known.
  private func facts(_ operation: Operation, _ tables: ConversationTables) -> [UInt8] {
    var numbers = operation.numbers
    switch operation.kind {
    // These numbers count reports and requests, which differ each time.
    case .scan, .inquiry, .discovery, .connect: numbers = .zero
    case .preparedWrite, .write, .writeCommand, .read, .subscribe, .unsubscribe, .control: numbers = .zero
    default: break
    }
    let hasType = operation.handle == 0 && operation.type >= 0
    if numbers == .zero, operation.channel == nil, !hasType { return [] }
    var bytes: [UInt8] = []
    for index in 0..<4 { bytes.append(littleEndian: Int32(clamping: numbers[index])) }
    if let channel = operation.channel {
      bytes += [channel.layer.rawValue, UInt8(truncatingIfNeeded: channel.psm), UInt8(channel.psm >> 8), channel.dlci]
      if channel.service >= 0, case let uuid = tables.services[Int(channel.service)].uuid, uuid >= 0 {
        bytes += Array(tables.uuids[Int(uuid)].description.utf8)
      }
    } else if hasType {
      bytes.append(Self.type)
      bytes += Array(tables.uuids[Int(operation.type)].description.utf8)
    }
    return bytes
  }
}

extension Step {
  /// Whether it has a value that is compared: media and joined data have none.
  var hasValue: Bool {
    switch kind {
    case .read, .write, .writeCommand, .preparedWrite, .notification, .indication, .data, .subscribe, .unsubscribe, .control:
      true
    default: false
    }
  }

  /// Whether it has a value, or messages, that were not kept.
  var isUnkept: Bool { value == BytePool.unkept || message == BytePool.unkept }

  /// Whether its value comes from the server of the attribute and not from the client.
  var isResponse: Bool { kind == .read || kind == .notification || kind == .indication || kind == .data && isIncoming }
}

extension [UInt8] {
  fileprivate mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    for byte in 0..<Number.bitWidth / 8 { append(UInt8(truncatingIfNeeded: number >> (byte * 8))) }
  }
}
