import Bluetooth
import Conversations
import Memory

/// An action of an app, a host or a device, with all its packets: a read, a subscription, a connection attempt.
public struct Operation: Sendable {
  /// The kind of action.
  public enum Kind: UInt8, Sendable, CaseIterable {
    case scan, inquiry, connect, disconnect, mtu, dataLength, phy, parameters, discovery, read, write, writeCommand, preparedWrite,
      subscribe,
      unsubscribe, notification, indication, pairing, encryption, channel, data, nameRequest, command, report, get, put, session, input,
      stream, control
  }

  /// How an operation ended.
  public enum Ending: UInt8, Sendable, CaseIterable {
    /// Successfully.
    case succeeded
    /// With the error ``Operation/status``.
    case failed
    /// No response came before the connection ended, or the next request began.
    case unanswered
    /// The side that began it cancelled it.
    case cancelled
    /// The capture ended first.
    case open
  }

  /// The kind of action.
  public var kind = Kind.scan
  /// How it ended.
  public var ending = Ending.open
  /// Error code where it failed; for a disconnection the reason.
  public var status: UInt8 = 0
  /// Table of ``status``.
  public var statusDomain = PacketRow.StatusDomain.att
  /// The peer began it: this host is the server, or accepted the connection.
  public var isIncoming = false
  /// Frame of its first and last packet.
  public var frame = 0, endFrame = 0
  /// Time of its first and last packet, µs since 1970.
  public var start: Int64 = 0, end: Int64 = 0
  /// The first ``keptFrames`` of its frames.
  public var frames: [Int] { details?.frames ?? [] }
  /// Number of all its frames.
  public var frameCount = 1
  /// µs from the request to the response, or -1 where there is none.
  public var latency: Int64 = -1
  /// The clock of the capture was set between its first and last packet, so that ``end`` minus ``start`` is not its duration.
  public var crossesJump = false
  /// Adapter (HCI index), 0xFFFF where there is none.
  public var adapter: UInt16 = 0xFFFF
  /// Index into ``ConversationTables/connections``, or -1.
  public var connection: Int32 = -1
  /// Index into ``ConversationTables/peers``, or -1.
  public var peer: Int32 = -1
  /// Address of a peer that is in no table, or 0.
  public var address: UInt64 = 0
  /// Index into ``ConversationTables/attributes``, or -1.
  public var attribute: Int32 = -1
  /// The channel that was opened, or that carried the data.
  public var channel: ChannelIdentity?
  /// Attribute handle, 0 none.
  public var handle: UInt16 = 0
  /// The type that was requested instead of a handle, index into ``ConversationTables/uuids``, or -1.
  public var type: Int32 = -1
  /// How the attribute's UUID is known.
  public var uuidSource = UUIDSource.none
  /// Protocol of ``Kind/data``.
  public var layer = ProtocolID.opaque
  /// OBEX: the profile of the session.
  public var objectProfile = OBEX.Profile.unknown
  /// OBEX: the code of the request without its final bit.
  public var request: UInt8 = 0
  /// Number of its values, parts or reports.
  public var count = 0
  /// Bytes of all values.
  public var bytes = 0
  /// The first ``keptBytes`` of the value.
  public var value: [UInt8] { details?.value ?? [] }
  /// A hash of all bytes of the value, including those that are not kept; 0 where it has none.
  public var digest: UInt64 { details?.digest ?? 0 }
  /// The first ``keptMessages`` of the profile messages that it carried, with ``keptText`` bytes of their texts.
  public var messages: [OperationMessage] { details?.messages ?? [] }
  /// Number of all profile messages that it carried.
  public var messageCount = 0
  /// The response to a command of a remote control, the first ``keptResponse`` bytes.
  public var answer: [UInt8] { details?.answer ?? [] }
  /// The description of the report of a HID device in ``value``, in the format of ``HID/Report``; empty where no report map is known.
  public var description: [UInt8] { details?.description ?? [] }
  /// Numbers by kind. Scan: devices, reports. MTU: offered, answered, agreed. Data length: octets sent, received. PHY: sent, received. Parameters:
  /// interval in 1.25 ms, latency, timeout in 10 ms. Discovery: services, characteristics, descriptors, includes; over SDP services, and how
  /// many of them were not found before. Subscription: bits, 1 for a Write Command. Pairing: IO
  /// capabilities of the two sides, their authentication requirements, with 0x100 where a side has out-of-band data. Channel: PSM, local and remote
  /// identifier. Data: PSM. Input: keys and controls pressed, buttons pressed, movements of a pointer. Report: see ``lineContext``. Stream: see
  /// ``audioStream`` and ``mediaStream``. Requests for a HID device: see ``reportRequest``. Commands of a remote control: see ``lineContext`` and
  /// ``responseContext``.
  public var numbers: SIMD4<Int> = .zero

  /// Parts that are kept only for sinks that want details: counting alone allocates nothing.
  struct Details {
    var frames: [Int]
    var value: [UInt8] = []
    var digest: UInt64 = 0
    var messages: [OperationMessage] = []
    /// Bytes of the texts of ``messages``.
    var textCount = 0
    var answer: [UInt8] = []
    var description: [UInt8] = []
  }
  var details: Details?

  /// Most frames kept of an operation.
  public static let keptFrames = 64
  /// Most messages kept of an operation.
  public static let keptMessages = 16
  /// Most bytes kept of the texts of its messages, all together: many operations can be open at a time.
  static let keptText = 4096
  /// Most bytes kept of a value.
  public static let keptBytes = 64
  /// Most bytes kept of the response to a command of a remote control.
  public static let keptResponse = 512
  /// Most bytes of the description of a report; a longer one is not kept.
  static let keptDescription = 2048

  /// Appends a message to ``messages``. Its text is cut, and ends with an ellipsis, where the texts of the operation would exceed ``keptText`` bytes.
  mutating func keep(_ profile: String, _ name: String?, _ text: BorrowedBytes) {
    guard let count = details?.textCount else { return }
    var end = min(text.count, Self.keptText - count)
    // A character of UTF-8 is kept as a whole.
    while end < text.count, end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    let kept = String(decoding: text.part(0..<end), as: UTF8.self)
    details?.textCount += end
    details?.messages.append(OperationMessage(profile: profile, name: name, text: end < text.count ? kept + "\u{2026}" : kept))
  }

  /// Bytes of the texts of its messages.
  public var textCount: Int { details?.textCount ?? 0 }

  /// Starts a new operation with `row`.
  @inline(__always)
  fileprivate mutating func begin(_ kind: Kind, _ row: PacketRow, withDetails: Bool) {
    self.kind = kind
    frame = row.frame
    endFrame = row.frame
    start = row.time
    end = row.time
    if withDetails { details = Details(frames: [row.frame]) }
    adapter = row.adapter
    connection = row.connection
    peer = row.peer
    if row.flags.contains(.hasAttribute) {
      handle = row.attributeHandle
      attribute = row.attribute
      uuidSource = row.uuidSource
    }
  }

  /// Values per second over the operation's duration; 0 for fewer than two values.
  public var rate: Double {
    // The difference of two arbitrary times may exceed the range of Int64.
    count > 1 && duration > 0 ? Double(count - 1) * 1e6 / Double(UInt64(bitPattern: duration)) : 0
  }

  /// µs from its first to its last packet; 0 where the clock was set in between.
  public var duration: Int64 { crossesJump || end < start ? 0 : end &- start }

  @inline(__always)
  mutating func extend(_ row: PacketRow) {
    guard row.frame != endFrame else { return }
    endFrame = row.frame
    end = max(end, row.time)
    frameCount &+= 1
    if details != nil, frameCount <= Operation.keptFrames { details?.frames.append(row.frame) }
  }

  @inline(__always)
  mutating func keep(_ bytes: PDUBytes) {
    if details != nil { keepDetail(bytes) }
    self.bytes = bytes.count
    count = 1
  }

  /// Keeps the first bytes of a value in the details.
  mutating func keepDetail(_ bytes: PDUBytes) {
    details?.value = Array(bytes.prefix(Operation.keptBytes))
    details?.digest = 0
    digest(bytes)
  }

  /// Adds the bytes of a value, or of its next part, to its digest (FNV-1a).
  mutating func digest(_ bytes: PDUBytes) {
    guard details != nil else { return }
    var hash = digest == 0 ? 0xCBF2_9CE4_8422_2325 : digest
    for index in 0..<bytes.count { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
    details?.digest = hash
  }

  mutating func fail(_ code: UInt8, _ domain: PacketRow.StatusDomain) {
    status = code
    statusDomain = domain
    ending = .failed
  }

  /// Ends with the HCI status of an event.
  mutating func finish(_ status: UInt8) { if status == 0 { ending = .succeeded } else { fail(status, .hci) } }
}

/// A message of a profile that an operation carried.
public struct OperationMessage: Sendable {
  /// The profile's id.
  public var profile: String
  /// The message's id; nil where the profile has none for it.
  public var name: String?
  /// The message in the profile's words.
  public var text: String
}

/// Emits operations in the order they began, except that only a bounded number of them waits for one that takes long.
@safe struct OperationQueue: ~Copyable {
  private struct State {
    /// Number of the operation; -1 where the index is free.
    var number = -1
    var isDone = false
    /// It took longer than others may wait for it.
    var isLate = false
  }

  /// Operations are changed in place: they are too large to be moved for every packet.
  private var operations = GrowingTable(repeating: Operation(), capacity: 64)
  /// Initial value of operations. It has no details, so that it may be copied bytewise, which takes a tenth of the time.
  private let blank = GrowingTable(repeating: Operation(), capacity: 1)
  private var states = GrowingTable(repeating: State(), capacity: 64)
  private var count = 0
  private var free: [Int] = []
  /// Indices of operations that are not late, in the order they began; those before `head` were emitted.
  private var order: [Int] = []
  private var head = 0
  private var begun = 0
  private let window: Int
  /// A number has the index in its low bits, and above them the count of earlier operations: no two operations have the same number.
  private static let indexBits = 24

  init(window: Int) { self.window = window }

  deinit {
    operations.deallocate()
    states.deallocate()
    blank.deallocate()
  }

  /// Adds an operation that begins with `row`. Returns its number.
  @inline(__always)
  mutating func begin(_ kind: Operation.Kind, _ row: PacketRow, withDetails: Bool, _ body: (inout Operation) -> Void = { _ in }) -> Int {
    begun &+= 1
    let index: Int
    if let known = free.popLast() {
      index = known
    } else {
      if count == states.capacity { grow() }
      index = count
      count &+= 1
    }
    let number = begun &<< Self.indexBits | index
    // The operation that was emitted from this index left no references.
    unsafe UnsafeMutableRawPointer(operations.address(index)).copyMemory(from: blank.address(0), byteCount: MemoryLayout<Operation>.size)
    operations[index].begin(kind, row, withDetails: withDetails)
    body(&operations[index])
    states[index] = State(number: number)
    order.append(index)
    return number
  }

  private mutating func grow() {
    operations.grow(to: count * 2, Operation())
    states.grow(to: count * 2, State())
  }

  /// The index of an operation; nil where it was emitted.
  @inline(__always)
  private func index(_ number: Int) -> Int? {
    let index = number & (1 &<< Self.indexBits &- 1)
    return number >= 0 && index < count && states[index].number == number ? index : nil
  }

  /// Changes an operation that has not ended so far; one that only waits for an earlier one stays as it is, as if it were emitted already.
  @inline(__always)
  mutating func change(_ number: Int, _ body: (inout Operation) -> Void) {
    if let index = index(number), !states[index].isDone { body(&operations[index]) }
  }

  /// Ends an operation, and emits those that no longer wait.
  @inline(__always)
  mutating func end(_ number: Int, to sink: (borrowing Operation) throws -> Void) rethrows {
    guard let index = index(number) else { return }
    if states[index].isLate {
      try emit(index, to: sink)
    } else {
      states[index].isDone = true
      try emitReady(to: sink)
    }
  }

  @inline(__always)
  private mutating func emit(_ index: Int, to sink: (borrowing Operation) throws -> Void) rethrows {
    states[index].number = -1
    free.append(index)
    try sink(operations[index])
    operations[index].details = nil
  }

  @inline(__always)
  private mutating func emitReady(to sink: (borrowing Operation) throws -> Void) rethrows {
    while head < order.count {
      let index = order[head]
      if states[index].isDone {
        try emit(index, to: sink)
      } else if order.count - head > window {
        states[index].isLate = true
      } else {
        break
      }
      head += 1
    }
    if head > 4096 {
      order.removeFirst(head)
      head = 0
    }
  }

  /// Emits the oldest operations unfinished, until no more than `limit` are left: they are not changed afterwards.
  mutating func shorten(to limit: Int, to sink: (borrowing Operation) throws -> Void) rethrows {
    guard count - free.count > limit else { return }
    var open = (0..<count).filter { states[$0].number >= 0 }
    open.sort { [states = states] in states[$0].number < states[$1].number }
    for index in open.prefix(open.count - limit / 2) {
      if states[index].isLate {
        try emit(index, to: sink)
      } else {
        states[index].isDone = true
      }
    }
    try emitReady(to: sink)
  }

  /// Emits all operations.
  mutating func finish(to sink: (borrowing Operation) throws -> Void) rethrows {
    var late: [Int] = []
    for index in 0..<count where states[index].isLate && states[index].number >= 0 { late.append(index) }
    late.sort { [states = states] in states[$0].number < states[$1].number }
    for number in late + order[head...] { try emit(number, to: sink) }
    order.removeAll()
    head = 0
  }
}

/// Bit fields in ``Operation/numbers``.
extension SIMD4<Int> {
  /// The value of the bits `from` up to, not including, `from + count` of a number.
  func bits(_ index: Int, _ from: Int, _ count: Int) -> Int { self[index] >> from & (1 << count - 1) }

  /// Sets these bits to the nearest value that they can have.
  mutating func set(_ index: Int, _ from: Int, _ count: Int, _ value: Int) {
    self[index] = self[index] & ~((1 << count - 1) << from) | Swift.min(Swift.max(value, 0), 1 << count - 1) << from
  }
}
