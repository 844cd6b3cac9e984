@_spi(Pipeline) import Analysis
import Bluetooth
import Conversations
@_spi(Pipeline) import Profiles

/// Records the steps of a capture: an ``EventSink`` that a ``Timeline`` runs to.
public final class StepRecorder: EventSink {
  private let collector: StepCollector
  private let operations: Operations<StepCollector>
  /// What was recorded.
  public var recording: Recording { collector.recording }

  /// Records a capture. With `wanted`, nothing but the operations of these numbers is kept: for the second reading of a long capture.
  public init(wanted: Set<Int32>? = nil) {
    collector = StepCollector(wanted)
    operations = Operations(collector, joinsValues: false)
  }

  /// All fields of messages are compared.
  @_spi(Pipeline) public var wantsFields: ProfileEngine.Fields { .all }

  /// A capture starts.
  public func begin(_ facts: CaptureFacts) throws { try operations.begin(facts) }

  /// A profile knows an attribute.
  public func attribute(_ attribute: ProfileAttribute) { operations.attribute(attribute) }

  /// Takes a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    if isPart, row.connection >= 0 { collector.parts.insert(row.frame) }
    collector.recording.lastTime = max(collector.recording.lastTime, row.time)
    if collector.wanted == nil { collector.recording.heard.packet(row, batch) }
    try operations.packet(row, batch, isPart: isPart)
  }

  /// Keeps what a message says until its operation ends.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    if row.connection >= 0, message.kind == .message { collector.take(message, row.frame) }
    operations.message(message, row, batch)
  }

  /// Hands on the end of a batch.
  public func batchDidEnd(_ batch: RowBatch) throws { try operations.batchDidEnd(batch) }

  /// The capture ended.
  public func end(_ outcome: Outcome) throws {
    try operations.end(outcome)
    collector.recording.tables = outcome.tables
  }
}

/// Makes steps of operations.
final class StepCollector: OperationSink {
  let wanted: Set<Int32>?
  var recording = Recording(CaptureFacts(name: "", title: ""))
  /// Frames whose value is a part of a message that was not whole yet.
  var parts: Set<Int> = []
  /// What messages say, by the frame that completed them.
  private var messages: [Int: [UInt8]] = [:]
  private var count: Int32 = 0
  /// What identifies the device of the last operation, and which device that was.
  private var identity = DeviceIdentity(-1, 0xFFFF, Tables())
  private var identityOf: (peer: Int32, adapter: UInt16, version: Int) = (-1, 0xFFFF, -1)

  /// Most frames that are remembered for operations that are still open.
  private static let mostPending = 8192

  init(_ wanted: Set<Int32>?) { self.wanted = wanted }

  func begin(_ facts: CaptureFacts) {
    recording = Recording(facts)
    parts.removeAll()
    messages.removeAll()
    count = 0
    identityOf.version = -1
  }

  func attribute(_ attribute: ProfileAttribute) { recording.names[attribute.index] = attribute.name }

  func take(_ message: ProfileMessage, _ frame: Int) {
    guard wanted == nil else { return }
    if messages.count >= Self.mostPending { messages.removeAll() }
    messages[frame, default: []] += MessageRecord.bytes(of: message)
  }

  func operation(_ operation: Operation, _ tables: Tables) {
    let number = count
    count &+= 1
    if let wanted {
      if wanted.contains(number) { recording.operations[number] = operation }
      return
    }
    var said: [UInt8] = []
    var isPart = false
    for frame in operation.frames {
      if !messages.isEmpty, let bytes = messages.removeValue(forKey: frame) { said += bytes }
      if !parts.isEmpty, parts.remove(frame) != nil { isPart = true }
    }
    if parts.count >= Self.mostPending { parts.removeAll() }
    // The message that the part belongs to stands for it, unless it was refused.
    if isPart, said.isEmpty, operation.ending == .done || operation.ending == .open { return }
    // Nothing can be told of an attempt to reach whichever known device comes.
    if operation.kind == .connect, operation.ending != .done, operation.numbers[0] & 1 == 1 { return }
    guard recording.steps.count < Recording.mostSteps, number < .max else {
      recording.leftOut += 1
      return
    }
    keep(operation, number)
    var step = Step(
      start: operation.start, number: number, frame: Int32(clamping: operation.frame), latency: Int32(clamping: operation.latency),
      duration: Int32(clamping: operation.end.subtractingReportingOverflow(operation.start).partialValue), connection: operation.connection,
      attribute: operation.attribute, handle: operation.handle, kind: operation.kind, ending: operation.ending,
      status: operation.status, domain: operation.statusDomain, isIncoming: operation.isIncoming)
    if operation.connection < 0 {
      if operation.peer >= 0 {
        recording.loose[Int32(recording.steps.count)] = UInt64(operation.peer)
      } else if operation.address != 0 {
        recording.loose[Int32(recording.steps.count)] = operation.address | 1 << 63
      }
    }
    // Names, addresses and serial numbers say which device it is, not what it does.
    let isIdentity = DeviceIdentity.isIdentity(operation.attribute, tables)
    if identityOf != (operation.peer, operation.adapter, tables.version) {
      identityOf = (operation.peer, operation.adapter, tables.version)
      identity = DeviceIdentity(operation.peer, operation.adapter, tables)
    }
    if !said.isEmpty { step.message = isIdentity ? -1 : recording.pool.intern(identity.maskingText(said)) }
    let isMedia = operation.kind == .data && operation.layer != .rfcomm && operation.layer != .l2cap
    if step.hasValue, !isMedia, !isIdentity, operation.bytes > 0 || !operation.value.isEmpty {
      let (value, isMasked) = identity.masking(operation.value)
      var bytes: [UInt8] = []
      bytes.append(littleEndian: isMasked ? StepHash.of(value) : operation.digest)
      bytes.append(littleEndian: UInt32(clamping: operation.bytes))
      step.value = recording.pool.intern(bytes + value)
    }
    let facts = facts(operation, tables)
    if !facts.isEmpty { step.facts = recording.pool.intern(facts) }
    recording.steps.append(step)
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

  /// Numbers by kind (sixteen bytes), then what the operation was about besides an attribute.
  private func facts(_ operation: Operation, _ tables: Tables) -> [UInt8] {
    var numbers = operation.numbers
    switch operation.kind {
    // How much was heard, and how much was asked for, is another each time.
    case .scan, .inquiry, .discovery, .connect: numbers = .zero
    case .preparedWrite, .write, .read: numbers = .zero
    default: break
    }
    var bytes: [UInt8] = []
    for index in 0..<4 { bytes.append(littleEndian: Int32(clamping: numbers[index])) }
    if let channel = operation.channel {
      bytes += [channel.layer.rawValue, UInt8(truncatingIfNeeded: channel.psm), UInt8(channel.psm >> 8)]
      if channel.service >= 0, case let uuid = tables.services[Int(channel.service)].uuid, uuid >= 0 {
        bytes += Array(tables.uuids[Int(uuid)].description.utf8)
      } else {
        bytes.append(channel.dlci)
      }
    } else if operation.handle == 0, operation.type >= 0 {
      bytes += Array(tables.uuids[Int(operation.type)].description.utf8)
    }
    return bytes.count == 16 && numbers == .zero ? [] : bytes
  }
}

extension Step {
  /// It has a value that is compared: media and joined data have none.
  var hasValue: Bool {
    switch kind {
    case .read, .write, .writeCommand, .preparedWrite, .notification, .indication, .data: true
    default: false
    }
  }

  /// Its value comes from the one that serves the attribute, and was not chosen by the one that asks.
  var isAnswer: Bool { kind == .read || kind == .notification || kind == .indication || kind == .data && isIncoming }
}

extension [UInt8] {
  fileprivate mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    for byte in 0..<Number.bitWidth / 8 { append(UInt8(truncatingIfNeeded: number >> (byte * 8))) }
  }
}
