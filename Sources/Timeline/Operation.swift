import Conversations

/// One thing that an app, a host or a device did: a read, a subscription, a connection attempt. Made from all the packets it took.
public struct Operation: Sendable {
  /// What was done.
  public enum Kind: UInt8, Sendable, CaseIterable {
    case scan, inquiry, connect, disconnect, mtu, dataLength, phy, parameters, discovery, read, write, writeCommand, preparedWrite,
      subscribe,
      unsubscribe, notification, indication, pairing, encryption, channel, data, nameRequest
  }

  /// How it ended.
  public enum Ending: UInt8, Sendable, CaseIterable {
    /// As it should.
    case done
    /// With an error: ``Operation/status`` tells which.
    case failed
    /// No answer came before the connection ended, or the next request began.
    case unanswered
    /// The side that began it gave it up.
    case cancelled
    /// The capture ended first.
    case open
  }

  /// What was done.
  public var kind: Kind
  /// How it ended.
  public var ending = Ending.open
  /// Error code where it failed; for a disconnection the reason.
  public var status: UInt8 = 0
  /// Table of ``status``.
  public var statusDomain = PacketRow.StatusDomain.att
  /// The peer began it: this host is the server, or was called.
  public var isIncoming = false
  /// Frame of its first and last packet.
  public var frame: Int, endFrame: Int
  /// Time of its first and last packet, µs since 1970.
  public var start: Int64, end: Int64
  /// Its frames, the first ``keptFrames``.
  public var frames: [Int]
  /// How many frames it has.
  public var frameCount = 1
  /// µs from the request to its answer, or -1 where there is none.
  public var latency: Int64 = -1
  /// Adapter, 0xFFFF none.
  public var adapter: UInt16
  /// Index into ``Tables/connections``, or -1.
  public var connection: Int32 = -1
  /// Index into ``Tables/peers``, or -1.
  public var peer: Int32 = -1
  /// Address of a peer that is in no table, or 0.
  public var address: UInt64 = 0
  /// Index into ``Tables/attributes``, or -1.
  public var attribute: Int32 = -1
  /// The channel that was opened, or whose data it is.
  public var channel: ChannelIdentity?
  /// Attribute handle, 0 none.
  public var handle: UInt16 = 0
  /// Type that was asked for instead of a handle, index into ``Tables/uuids``, or -1.
  public var type: Int32 = -1
  /// How the attribute's UUID is known.
  public var uuidSource = UUIDSource.none
  /// Protocol of ``Kind/data``.
  public var layer = Layer.opaque
  /// Values, parts, reports: what it was made of.
  public var count = 0
  /// Bytes of all values.
  public var bytes = 0
  /// The value, its first ``keptBytes``.
  public var value: [UInt8] = []
  /// Messages of profiles that it carried, the first ``keptMessages``.
  public var messages: [OperationMessage] = []
  /// How many it carried.
  public var messageCount = 0
  /// Numbers by kind. Scan: devices, reports. MTU: offered, answered, agreed. Data length: octets sent, received. PHY: sent, received. Parameters:
  /// interval in 1.25 ms, latency, timeout in 10 ms. Discovery: services, characteristics, descriptors, includes. Subscription: bits.
  /// Pairing: IO capabilities of the two sides, their authentication requirements. Channel: PSM, local and remote identifier. Data: PSM.
  public var numbers = [0, 0, 0, 0]

  /// Most frames that are kept of one operation.
  public static let keptFrames = 64
  /// Most messages that are kept of one operation.
  public static let keptMessages = 16
  /// Most bytes that are kept of a value.
  public static let keptBytes = 64

  init(_ kind: Kind, _ row: PacketRow) {
    self.kind = kind
    frame = row.frame
    endFrame = row.frame
    start = row.time
    end = row.time
    frames = [row.frame]
    adapter = row.adapter
    connection = row.connection
    peer = row.peer
    if row.flags.contains(.hasAttribute) {
      handle = row.attributeHandle
      attribute = row.attribute
      uuidSource = row.uuidSource
    }
  }

  /// Values per second over its time; 0 where there are fewer than two.
  public var rate: Double { count > 1 && end > start ? Double(count - 1) * 1e6 / Double(end - start) : 0 }

  mutating func extend(_ row: PacketRow) {
    guard row.frame != endFrame else { return }
    endFrame = row.frame
    end = max(end, row.time)
    frameCount &+= 1
    if frames.count < Operation.keptFrames { frames.append(row.frame) }
  }

  mutating func keep(_ bytes: PDUBytes) {
    value = Array(bytes.buffer.prefix(Operation.keptBytes))
    self.bytes = bytes.count
    count = 1
  }

  mutating func fail(_ code: UInt8, _ domain: PacketRow.StatusDomain) {
    status = code
    statusDomain = domain
    ending = .failed
  }
}

/// A message of a profile that an operation carried.
public struct OperationMessage: Sendable {
  /// The profile's id.
  public var profile: String
  /// The message's id; nil where the profile has none for it.
  public var name: String?
  /// What it says, in the profile's words.
  public var text: String
}

/// Operations on their way out: in the order they began, as far as a bounded number of them can wait for one that lasts.
struct OperationQueue {
  private struct Entry {
    var operation: Operation
    var isDone = false
  }

  private var entries: [Entry] = []
  private var head = 0
  private var base = 0
  /// Operations that last longer than others could wait for them.
  private var late: [Int: Operation] = [:]
  private let window: Int

  init(window: Int) { self.window = window }

  /// Adds an operation. Returns its number.
  mutating func begin(_ operation: Operation) -> Int {
    entries.append(Entry(operation: operation))
    return base + entries.count - 1
  }

  /// Changes an operation that has not ended.
  mutating func change(_ number: Int, _ body: (inout Operation) -> Void) {
    let at = number - base
    if at >= head, at < entries.count {
      body(&entries[at].operation)
    } else if at < head, var operation = late[number] {
      body(&operation)
      late[number] = operation
    }
  }

  /// Ends an operation, and hands out what can go.
  mutating func end(_ number: Int, to sink: (Operation) throws -> Void) rethrows {
    let at = number - base
    if at >= head, at < entries.count {
      entries[at].isDone = true
      try hand(to: sink)
    } else if let operation = late.removeValue(forKey: number) {
      try sink(operation)
    }
  }

  private mutating func hand(to sink: (Operation) throws -> Void) rethrows {
    while head < entries.count {
      if entries[head].isDone {
        try sink(entries[head].operation)
      } else if entries.count - head > window {
        late[base + head] = entries[head].operation
      } else {
        break
      }
      head += 1
    }
    if head > 4096 || head == entries.count {
      entries.removeFirst(head)
      base += head
      head = 0
    }
  }

  /// Hands out everything.
  mutating func finish(to sink: (Operation) throws -> Void) rethrows {
    for (_, operation) in late.sorted(by: { $0.key < $1.key }) { try sink(operation) }
    late.removeAll()
    for entry in entries[head...] { try sink(entry.operation) }
    base += entries.count
    entries.removeAll()
    head = 0
  }
}
