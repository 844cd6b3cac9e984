import Bluetooth
import Conversations
import Memory

/// The subscriptions to characteristics, with their times (Core, Vol 3, Part G, 3.3.3.3).
public struct SubscriptionTracker: Sendable {
  /// How a subscription period began.
  public enum Beginning: UInt8, Sendable {
    /// A write to the Client Characteristic Configuration descriptor.
    case subscribed
    /// Values came without a subscription in this connection: the server restored one of an earlier connection.
    case restored
    /// Values came without a subscription, and nothing in the capture shows an earlier one.
    case unsolicited
    /// The capture started during the connection.
    case beforeCapture
  }

  /// How a subscription period ended.
  public enum Ending: UInt8, Sendable {
    /// It was still open at the end of the capture.
    case open
    /// A write of 00 00.
    case unsubscribed
    /// The connection ended.
    case disconnected
    /// The subscription was refused.
    case refused
  }

  /// A period in which one side was subscribed to a characteristic.
  public struct Period: Sendable {
    /// Index into ``ConversationTables/connections``.
    public var connection: Int32
    /// The characteristic's value, index into ``ConversationTables/attributes``, or -1.
    public var attribute: Int32
    /// Handle of the characteristic's value.
    public var handle: UInt16
    /// This host serves the characteristic, and the peer subscribed.
    public var isLocal: Bool
    /// Bit 0: notifications, bit 1: indications.
    public var bits: UInt8
    /// How it began.
    public var beginning: Beginning
    /// How it ended.
    public var ending = Ending.open
    /// Frame and time of its beginning.
    public var startFrame: Int, start: Int64
    /// Frame and time of its end; 0 while it is open.
    public var endFrame = 0, end: Int64 = 0
    /// Values received, and their bytes.
    public var values = 0, bytes = 0
    /// Time of the first and the last value.
    public var first: Int64 = 0, last: Int64 = 0
    /// Values received before the first write to another characteristic in this connection, so that they are no responses, and their bytes.
    public var early = 0, earlyBytes = 0
    /// Frame and time of the last early value, and the longest pause between two, in µs.
    public var earlyFrame = 0, earlyEnd: Int64 = 0, earlyPause: Int64 = 0
    /// µs from the last early value to the first write, -1 until a value comes after a write.
    public var silence: Int64 = -1

    /// The early values are left over from an earlier connection: they came in one burst, and a pause separates them from the first request, which
    /// got a response in this connection.
    public var isLeftOver: Bool { early > 1 && silence >= max(100_000, earlyPause &* 4) && earlyPause < 1_000_000 }
    /// The frame from which on packets of the connection are encrypted and no key decrypts them, if that is before the end of the period: whether
    /// values came then is not known. Else 0.
    public func undecryptedFrame(_ tables: ConversationTables) -> Int {
      let frame = tables.connections[Int(connection)].undecryptedFrame
      return frame > 0 && (ending == .open || frame < endFrame) ? frame : 0
    }
    /// The handle is guessed from that of the configuration descriptor.
    var isGuessed = false
    /// The period of the same connection that began before it; -1 for the first.
    fileprivate var previous: Int32 = -1
  }

  /// All periods, in the order they began; the first ``maximum``.
  public private(set) var periods: [Period] = []
  /// Number of periods beyond that.
  public private(set) var leftOut = 0

  /// Most periods that are kept.
  public static let maximum = 16_384

  private var current: [UInt64: Int32] = [:]
  /// The last period that began in each connection.
  private var latest: [Int32: Int32] = [:]
  /// Peers (or databases) with the handles that were ever subscribed to, which a server may restore.
  private var ever: Set<UInt64> = []
  /// Cache of the periods of the last values, by the low bits of their key: most devices send from few characteristics in turn.
  private struct Recent {
    var key: UInt64 = .max
    var index: Int32 = -1
  }
  private var recent = InlineArray<8, Recent>(repeating: Recent())

  init() {}

  @inline(__always)
  private static func key(_ connection: Int32, _ handle: UInt16, _ isLocal: Bool) -> UInt64 {
    UInt64(UInt32(bitPattern: connection)) << 17 | UInt64(handle) << 1 | (isLocal ? 1 : 0)
  }

  /// Index of a key in ``recent``.
  @inline(__always)
  private static func slot(_ key: UInt64) -> Int { Int(truncatingIfNeeded: key >> 1 ^ key >> 17) & 7 }

  /// The period in which a characteristic is subscribed to now, or nil.
  func period(_ connection: Int32, _ handle: UInt16, isLocal: Bool) -> Period? {
    current[Self.key(connection, handle, isLocal)].map { periods[Int($0)] }
  }

  /// Whether the attribute was subscribed to in any connection so far.
  func wasSubscribed(_ database: Int32, _ handle: UInt16) -> Bool { ever.contains(Self.key(database, handle, false)) }

  private mutating func open(_ period: Period) -> Int32 {
    guard periods.count < SubscriptionTracker.maximum else {
      leftOut += 1
      return -1
    }
    let index = Int32(periods.count)
    periods.append(period)
    periods[Int(index)].previous = latest.updateValue(index, forKey: period.connection) ?? -1
    let key = Self.key(period.connection, period.handle, period.isLocal)
    current[key] = index
    recent[Self.slot(key)] = Recent(key: key, index: index)
    return index
  }

  private mutating func close(_ key: UInt64, _ ending: Ending, _ frame: Int, _ time: Int64) {
    guard let index = current.removeValue(forKey: key) else { return }
    periods[Int(index)].ending = ending
    periods[Int(index)].endFrame = frame
    periods[Int(index)].end = time
    recent[Self.slot(key)] = Recent()
  }

  /// A write to a Client Characteristic Configuration.
  mutating func configured(_ row: PacketRow, _ tables: ConversationTables) {
    guard row.attribute >= 0, row.valueCount >= 2, let bits = row.value.u16(0) else { return }
    let owner = tables.characteristic(of: row.attribute)
    let handle = owner >= 0 ? tables.attributes[Int(owner)].handle : row.attributeHandle &- 1
    let isLocal = row.flags.contains(.localServer)
    let key = Self.key(row.connection, handle, isLocal)
    let kept = UInt8(truncatingIfNeeded: bits & 3)
    if kept == 0 {
      close(key, .unsubscribed, row.frame, row.time)
      return
    }
    if ever.count < 65_536 { ever.insert(Self.key(tables.attributes[Int(row.attribute)].database, handle, false)) }
    if let index = current[key], periods[Int(index)].beginning == .subscribed {
      periods[Int(index)].bits = kept
      return
    }
    close(key, .unsubscribed, row.frame, row.time)
    var period = Period(
      connection: row.connection, attribute: owner, handle: handle, isLocal: isLocal, bits: kept, beginning: .subscribed,
      startFrame: row.frame, start: row.time)
    period.isGuessed = row.uuidSource == .guess
    _ = open(period)
  }

  /// A write to a Client Characteristic Configuration was refused.
  mutating func refused(_ row: PacketRow, _ tables: ConversationTables) {
    let owner = row.attribute >= 0 ? tables.characteristic(of: row.attribute) : -1
    let handle = owner >= 0 ? tables.attributes[Int(owner)].handle : row.attributeHandle &- 1
    let key = Self.key(row.connection, handle, row.flags.contains(.localServer))
    guard let index = current[key], periods[Int(index)].startFrame == row.requestFrame else { return }
    close(key, .refused, row.frame, row.time)
  }

  /// Counts a value of a notification or indication if its period is in the cache. Returns whether it is.
  @inline(__always)
  mutating func counted(_ row: PacketRow, firstWrite: Int64) -> Bool {
    let key = Self.key(row.connection, row.attributeHandle, row.flags.contains(.localServer))
    let index = Self.slot(key)
    guard recent[index].key == key else { return false }
    count(Int(recent[index].index), row, firstWrite)
    return true
  }

  /// Takes a value of a notification or indication. Returns the period if it began with this value, else nil.
  @inline(__always)
  mutating func value(_ row: PacketRow, firstWrite: Int64, _ beginning: () -> Beginning) -> Period? {
    if counted(row, firstWrite: firstWrite) { return nil }
    return otherValue(row, Self.key(row.connection, row.attributeHandle, row.flags.contains(.localServer)), firstWrite, beginning)
  }

  private mutating func otherValue(_ row: PacketRow, _ key: UInt64, _ firstWrite: Int64, _ beginning: () -> Beginning) -> Period? {
    if let index = current[key] {
      recent[Self.slot(key)] = Recent(key: key, index: index)
      count(Int(index), row, firstWrite)
      return nil
    }
    let isLocal = row.flags.contains(.localServer)
    // A descriptor is between the value and its configuration: the guessed handle was one or two too high.
    for distance: UInt16 in 1...2 {
      let guess = Self.key(row.connection, row.attributeHandle &+ distance, isLocal)
      guard let index = current[guess], periods[Int(index)].isGuessed, periods[Int(index)].values == 0 else { continue }
      current[guess] = nil
      recent[Self.slot(guess)] = Recent()
      current[key] = index
      periods[Int(index)].handle = row.attributeHandle
      periods[Int(index)].attribute = row.attribute
      count(Int(index), row, firstWrite)
      return nil
    }
    let index = open(
      Period(
        connection: row.connection, attribute: row.attribute, handle: row.attributeHandle, isLocal: isLocal,
        bits: row.meaning == .indicate ? 2 : 1, beginning: beginning(), startFrame: row.frame, start: row.time))
    guard index >= 0 else { return nil }
    count(Int(index), row, firstWrite)
    return periods[Int(index)]
  }

  @inline(__always)
  private mutating func count(_ index: Int, _ row: PacketRow, _ firstWrite: Int64) {
    periods[index].values &+= 1
    periods[index].bytes &+= Int(row.valueCount)
    if periods[index].values == 1 { periods[index].first = row.time }
    periods[index].last = row.time
    if firstWrite == .max {
      if periods[index].early > 0 { periods[index].earlyPause = max(periods[index].earlyPause, row.time &- periods[index].earlyEnd) }
      periods[index].early &+= 1
      periods[index].earlyBytes &+= Int(row.valueCount)
      periods[index].earlyFrame = row.frame
      periods[index].earlyEnd = row.time
    } else if periods[index].silence < 0, periods[index].early > 0 {
      periods[index].silence = max(firstWrite &- periods[index].earlyEnd, 0)
    }
  }

  /// A connection ended: ends its periods.
  mutating func disconnected(_ connection: Int32, _ frame: Int, _ time: Int64) {
    var index = latest.removeValue(forKey: connection) ?? -1
    while index >= 0 {
      let period = periods[Int(index)]
      let key = Self.key(period.connection, period.handle, period.isLocal)
      if current[key] == index { close(key, .disconnected, frame, time) }
      index = period.previous
    }
  }
}
