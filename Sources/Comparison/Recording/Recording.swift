@_spi(Pipeline) import Analysis
import Bluetooth
import Conversations

/// One operation of a capture in compact form: a long capture has half a million.
struct Step: Sendable {
  /// When it began, µs since 1970.
  var start: Int64
  /// Number of the operation among all of the capture, from 0.
  var number: Int32
  /// Its first frame.
  var frame: Int32
  /// µs from the request to its answer, or -1.
  var latency: Int32
  /// µs from its first packet to its last.
  var duration: Int32
  /// Index into ``Recording/contexts``.
  var context: Int32
  /// Number of its value in the pool: digest, number of bytes, first bytes; -1 none.
  var value: Int32 = -1
  /// Number of its messages in the pool, or -1.
  var message: Int32 = -1
  var kind: Operation.Kind
  var status: UInt8
  /// ``ending``, ``domain`` and ``isIncoming`` in one number: separate properties would make a step eight bytes larger.
  private var bits: UInt16

  init(_ operation: Operation, number: Int32, context: Int32) {
    start = operation.start
    self.number = number
    frame = Int32(clamping: operation.frame)
    latency = Int32(clamping: operation.latency)
    duration = Int32(clamping: operation.end.subtractingReportingOverflow(operation.start).partialValue)
    self.context = context
    kind = operation.kind
    status = operation.status
    bits = UInt16(operation.ending.rawValue) | UInt16(operation.statusDomain.rawValue) << 4 | (operation.isIncoming ? 1 << 15 : 0)
  }

  var ending: Operation.Ending { Operation.Ending(rawValue: UInt8(bits & 15)) ?? .open }
  var domain: PacketRow.StatusDomain { PacketRow.StatusDomain(rawValue: UInt8(bits >> 4 & 255)) ?? .att }
  var isIncoming: Bool { bits >> 15 == 1 }
}

/// The connection and attribute of steps, which many steps share.
struct StepContext: Sendable, Hashable {
  /// Index into ``ConversationTables/connections``, or -1.
  var connection: Int32
  /// Index into ``ConversationTables/attributes``, or -1.
  var attribute: Int32
  var handle: UInt16
  /// Number of further facts in ``Recording/details``: numbers by kind, channel, requested type; -1 for none.
  var facts: Int32
}

/// The data of a capture for a comparison.
public final class Recording {
  /// The capture's name.
  public internal(set) var facts: CaptureFacts
  /// Names of attributes, peers and connections at its end.
  public internal(set) var tables = ConversationTables()
  /// Profiles' names for attributes.
  public internal(set) var names: [Int32: String] = [:]
  /// The advertising devices.
  public internal(set) var heard = HeardDevices()
  /// Steps beyond ``maxSteps`` that are not compared.
  public internal(set) var leftOut = 0
  /// Values and messages that were not kept, because there were too many different ones.
  public var unkept: Int { pool.dropped }
  /// Number of those among them that a server sent, which have no steps.
  public internal(set) var streamed = 0
  /// Whether a note in the capture says that btscribe redacted it.
  package var hasRedactionNote = false

  var steps: [Step] = []
  var contexts: [StepContext] = []
  /// The facts that ``StepContext/facts`` refers to.
  var details = BytePool(maxBytes: 1 << 20, maxStrings: 20_000)
  /// Peers of steps that belong to no connection: index into ``ConversationTables/peers``, or the address behind bit 63; by step.
  var peersWithoutConnection: [Int32: UInt64] = [:]
  var pool = BytePool()
  /// Values in the pool in which the name or the address of their device is replaced by placeholders.
  var masked: Set<Int32> = []
  /// Operations by number: all of them in a small capture, else those that were requested.
  var operations: [Int32: Operation] = [:]
  /// Whether all operations are kept.
  public internal(set) var isWhole = true
  /// Number of the last packet, and its time.
  var lastTime: Int64 = .min

  /// Most steps that are compared.
  static let maxSteps = 700_000
  /// Most contexts: steps in others are not compared.
  static let maxContexts = 131_072
  /// Captures with more operations are read again for the operations that differ.
  static let fewOperations: Int32 = 5_000

  init(_ facts: CaptureFacts) { self.facts = facts }

  /// A copy with a different pool and different steps.
  init(_ other: Recording, pool: BytePool, steps: [Step]) {
    facts = other.facts
    tables = other.tables
    names = other.names
    heard = other.heard
    leftOut = other.leftOut
    streamed = other.streamed
    contexts = other.contexts
    details = other.details
    peersWithoutConnection = other.peersWithoutConnection
    operations = other.operations
    isWhole = other.isWhole
    lastTime = other.lastTime
    self.pool = pool
    self.steps = steps
  }

  /// An empty recording with a name.
  public init(name: String) { facts = CaptureFacts(name: name, title: "") }

  /// Attribute tables from `other` for devices whose discovery this capture lacks; nil where there are none.
  public func lacks(_ other: Recording) -> GATTCache? {
    var unknown: [UInt64: Set<UInt16>] = [:]
    for context in contexts where context.handle != 0 && context.connection >= 0 {
      let peer = tables.identity(tables.connections[Int(context.connection)].peer)
      guard peer >= 0, context.attribute < 0 || tables.attributes[Int(context.attribute)].source.rawValue < Attribute.Source.cache.rawValue
      else { continue }
      unknown[tables.peers[Int(peer)].address, default: []].insert(context.handle)
    }
    guard !unknown.isEmpty else { return nil }
    var map = GATTCache(other.tables)
    map.devices.removeAll { device in
      guard let handles = device.address.flatMap({ unknown[$0] }) else { return true }
      return !device.entries.contains { handles.contains($0.handle) }
    }
    return map.devices.isEmpty ? nil : map
  }

  /// The operation of a number; nil where it was not kept.
  public func operation(_ number: Int32) -> Operation? { operations[number] }

  /// Takes over the operations that another reading of the same capture kept.
  public func adopt(_ other: Recording) { operations = other.operations }

  /// The connection and attribute of a step.
  func context(_ step: Step) -> StepContext { contexts[Int(step.context)] }

  /// The operations of these numbers, for a second reading.
  public func wanted(_ numbers: Set<Int32>) -> WantedOperations {
    WantedOperations(numbers: numbers, frames: Set(steps.lazy.filter { numbers.contains($0.number) }.map { Int($0.frame) }))
  }

  /// Number of steps that are compared.
  public var count: Int { steps.count }
}
