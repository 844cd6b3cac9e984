@_spi(Pipeline) import Analysis
import Bluetooth
import Captures
import Conversations
import Inference
import Memory
@_spi(Pipeline) import Profiles

/// Gathers the values of a capture by device, attribute and direction, for ``Inference``. Several captures may follow each other.
public final class ValueCollector: EventSink {
  /// The values that attributes, channels and advertisements carried.
  public private(set) var streams: [ValueStream] = []
  /// Further facts from the captures.
  public private(set) var context = InferenceContext()
  /// Time of the first packet, µs since 1970.
  public private(set) var first: Int64?
  /// Attributes with a profile are left out.
  private let isWanted: (StreamSource) -> Bool

  /// The source of a value, as given in its row.
  private struct Key: Hashable {
    var peer: UInt64
    var attribute: Int32
    var channel: UInt16
    var psm: UInt16
    var source: UInt8
    var isSent: Bool
  }

  /// Data that a device advertised, by its hash.
  private struct Advertised: Hashable {
    var address: UInt64
    var hash: UInt64
  }

  private var indices: [Key: Int] = [:]
  private var index: [StreamSource: Int] = [:]
  /// Attributes that a profile names, and the number of messages decoded from each attribute's values: all, and those without a problem.
  private var known: Set<Int32> = []
  private var messageCounts: [Int64: (all: Int, clean: Int)] = [:]
  /// The streams of each attribute and direction.
  private var owners: [Int64: Set<Int>] = [:]
  /// Advertised data that a profile decoded, and the number of such values of each stream.
  private var read: Set<Advertised> = []
  private var readCounts: [Int: Int] = [:]
  /// Packets of channels that a profile decoded, and those with values that were kept, with their streams.
  private var decodedFrames: Set<Int> = []
  private var channelValues: [(frame: Int, stream: Int)] = []
  private let hashKey = HashKey()
  private var dropped: Set<Int> = []
  private var names: Set<String> = []
  private var subscriptionCount = 0
  private var addresses: Set<UInt64> = []

  /// Bounds for a quick overview.
  public struct Limits: Sendable {
    /// Most streams, values per stream, and bytes per stream.
    public var streams = 64, values = 240, bytes = 32_768
    /// Most values that are considered in total: later ones are dropped.
    public var events = 20_000
    /// The default bounds.
    public init() {}
  }
  private let limits: Limits?
  private var seen = 0
  /// Values that were dropped because a bound was reached.
  public private(set) var leftOut = 0
  private var kept = (values: 0, bytes: 0)

  /// Most streams, values and bytes of values that are kept of all captures together; the first ones are kept.
  public static let maxStreams = 4096, maxValues = 1 << 20, maxBytes = 32 << 20
  /// Most sources of values, and most devices with decoded advertisements, that are remembered.
  private static let maximumCount = 65_536
  /// Stands for a stream that is not kept because the bound was reached.
  private static let noRoom = -2

  /// Takes the values of the sources that `isWanted` lets through, within `limits` where there are any.
  public init(limits: Limits? = nil, _ isWanted: @escaping (StreamSource) -> Bool = { _ in true }) {
    self.limits = limits
    self.isWanted = isWanted
  }

  /// A capture starts: its tables are its own.
  public func begin(_ facts: CaptureFacts) {
    indices = [:]
    known = []
    messageCounts = [:]
    owners = [:]
    read = []
    decodedFrames = []
    channelValues = []
  }

  /// A profile names an attribute. Only the messages show whether it can decode the values: many devices use the same UUIDs.
  public func attribute(_ attribute: ProfileAttribute) { known.insert(attribute.index) }

  /// Does nothing: values are taken when the batch ends.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
    if first == nil { first = row.time }
  }

  /// Counts the messages that profiles can decode.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) {
    let isClean = message.kind == .message && message.problem == nil && message.problems.isEmpty && message.messageNumber >= 0
    if row.attribute >= 0 {
      let key = Self.key(row.attribute, Self.direction(message.direction))
      var counts = messageCounts[key] ?? (0, 0)
      counts.all += 1
      if isClean { counts.clean += 1 }
      messageCounts[key] = counts
    } else if isClean, message.direction != .advertise {
      for frame in message.frames where decodedFrames.count < Self.maximumCount { decodedFrames.insert(frame) }
    } else if isClean, read.count < Self.maximumCount {
      read.insert(Advertised(address: message.advertiser & 0xFFFF_FFFF_FFFF, hash: message.payload.hash(key: hashKey)))
    }
  }

  private static func key(_ attribute: Int32, _ direction: String) -> Int64 {
    Int64(attribute) << 8 | Int64(direction.utf8.first ?? 0)
  }

  private static func direction(_ direction: ValueDirection) -> String {
    switch direction {
    case .write: "write"
    case .notify: "notify"
    case .indicate: "indicate"
    default: "read"
    }
  }

  /// Takes the values of a batch.
  public func batchDidEnd(_ batch: RowBatch) {
    if let limits {
      guard seen < limits.events else { return }
      seen += batch.valueEvents.count
    }
    for event in batch.valueEvents {
      if limits != nil, event.attribute >= 0, known.contains(event.attribute) { continue }
      let row = event.deferredRow >= 0 ? batch.deferredRows[Int(event.deferredRow)] : batch.rows[Int(event.row)]
      switch event.source {
      case .advertisement: advertisement(event, row)
      // A channel whose protocol is decoded is not unknown.
      case .rfcomm: if !row.layer.isOfService { channel(event, row, batch.tables) }
      case .l2cap: if row.layer.isOpaque { channel(event, row, batch.tables) }
      default: attribute(event, row, batch.tables)
      }
    }
  }

  /// A capture ended.
  public func end(_ outcome: Outcome) {
    for (key, counts) in messageCounts where known.contains(Int32(truncatingIfNeeded: key >> 8)) && counts.clean * 2 >= counts.all {
      dropped.formUnion(owners[key] ?? [])
    }
    var decoded: [Int: Int] = [:]
    for value in channelValues where decodedFrames.contains(value.frame) { decoded[value.stream, default: 0] += 1 }
    for (index, count) in decoded where count * 2 >= min(streams[index].count, Self.maximumCount) { dropped.insert(index) }
    for (index, count) in readCounts where count * 2 >= streams[index].count { dropped.insert(index) }
    for peer in outcome.tables.peers where !peer.name.isEmpty { names.insert(String(decoding: peer.name, as: UTF8.self)) }
    for connection in outcome.tables.connections where connection.peer >= 0 {
      addresses.insert(outcome.tables.peers[Int(connection.peer)].address)
    }
    for adapter in outcome.tables.adapters {
      if let address = adapter.address { addresses.insert(address) }
    }
    for peer in context.subscriptions.keys { context.subscriptions[peer]?.sort() }
    context.names = names.sorted()
    context.addresses = addresses.sorted().map { address in (0..<6).map { UInt8(truncatingIfNeeded: address >> UInt64(40 - 8 * $0)) } }
  }

  /// The streams that have at least `minimum` values.
  public func found(minimum: Int = 1) -> [ValueStream] {
    merged(streams.indices.filter { !dropped.contains($0) }.map { streams[$0] }).filter { $0.count >= minimum }
  }

  // MARK: Sources

  private func peer(_ index: Int32, _ tables: ConversationTables, _ source: inout StreamSource) {
    guard index >= 0, Int(index) < tables.peers.count else { return }
    source.peer = DeviceAddress(tables.peers[Int(index)].address).description
    let name = tables.name(of: index)
    if !name.isEmpty { source.peerName = String(decoding: name, as: UTF8.self) }
  }

  /// The peer's name can become known late, so it does not distinguish streams.
  private func stream(_ source: StreamSource) -> Int {
    var key = source
    key.peerName = nil
    if let known = index[key] {
      if let name = source.peerName { streams[known].source.peerName = name }
      return known
    }
    if streams.count >= limits?.streams ?? Self.maxStreams { return Self.noRoom }
    index[key] = streams.count
    streams.append(ValueStream(source))
    return streams.count - 1
  }

  private func add(_ event: ValueEvent, _ row: PacketRow, to stream: Int) {
    guard stream >= 0 else {
      if stream == Self.noRoom { leftOut += 1 }
      return
    }
    if let limits, streams[stream].count >= limits.values || streams[stream].byteCount >= limits.bytes { return }
    append(event.bytes, at: row.time, to: stream)
    if event.attribute < 0, channelValues.count < Self.maximumCount { channelValues.append((row.frame, stream)) }
  }

  private func append(_ bytes: some Collection<UInt8>, at time: Int64, to stream: Int) {
    guard kept.values < Self.maxValues, kept.bytes + bytes.count <= Self.maxBytes else {
      leftOut += 1
      return
    }
    kept.values += 1
    kept.bytes += bytes.count
    streams[stream].append(bytes, at: time)
  }

  private func attribute(_ event: ValueEvent, _ row: PacketRow, _ tables: ConversationTables) {
    guard event.attribute >= 0, Int(event.attribute) < tables.attributes.count else { return }
    if row.meaning == .subscribe { subscription(row, tables) }
    let owner = row.peer >= 0 ? row.peer : row.connection >= 0 ? tables.connections[Int(row.connection)].peer : -1
    let key = Key(
      peer: UInt64(bitPattern: Int64(owner)), attribute: event.attribute, channel: 0, psm: 0, source: event.source.rawValue, isSent: false)
    if let stream = indices[key] { return add(event, row, to: stream) }
    let attribute = tables.attributes[Int(event.attribute)]
    let direction: String
    switch event.source {
    case .write, .writeCommand: direction = "write"
    case .notify: direction = "notify"
    case .indicate: direction = "indicate"
    default: direction = "read"
    }
    var source = StreamSource(.characteristics, direction: direction)
    source.handle = Int(attribute.handle)
    if attribute.uuid >= 0 { source.uuid = tables.uuids[Int(attribute.uuid)].description }
    peer(owner, tables, &source)
    if source.uuid == "2a19", context.knownValues.count < Self.maximumCount, let level = event.bytes.first {
      context.knownValues.append(InferenceContext.KnownValue(time: row.time, name: "battery level", value: Int(level)))
    }
    // The specification defines declarations and descriptors; an attribute of unknown kind can be a characteristic value.
    let isValue = attribute.kind == .value || (attribute.kind == .unknown && source.uuid != "2902")
    let stream = isValue && (source.handle ?? 1) > 0 && isWanted(source) ? stream(source) : -1
    if indices.count < Self.maximumCount { indices[key] = stream }
    if stream >= 0 { owners[Self.key(event.attribute, direction), default: []].insert(stream) }
    add(event, row, to: stream)
  }

  private func subscription(_ row: PacketRow, _ tables: ConversationTables) {
    guard subscriptionCount < Self.maximumCount else { return }
    subscriptionCount += 1
    var source = StreamSource(.characteristics, direction: "write")
    peer(row.peer >= 0 ? row.peer : row.connection >= 0 ? tables.connections[Int(row.connection)].peer : -1, tables, &source)
    context.subscriptions[source.peer ?? "", default: []].append(row.time)
  }

  private func channel(_ event: ValueEvent, _ row: PacketRow, _ tables: ConversationTables) {
    let isSent = row.direction == .sent || row.direction == .central
    let key = Key(
      peer: UInt64(bitPattern: Int64(row.peer)), attribute: -1, channel: event.channel, psm: event.psm, source: event.source.rawValue,
      isSent: isSent)
    if let stream = indices[key] { return add(event, row, to: stream) }
    var source = StreamSource(event.source == .rfcomm ? .rfcomm : .l2cap, direction: isSent ? "sent" : "received")
    if event.source == .rfcomm { source.channel = Int(event.channel >> 1) } else { source.psm = Int(event.psm) }
    peer(row.peer >= 0 ? row.peer : row.connection >= 0 ? tables.connections[Int(row.connection)].peer : -1, tables, &source)
    let stream = isWanted(source) ? stream(source) : -1
    if indices.count < Self.maximumCount { indices[key] = stream }
    add(event, row, to: stream)
  }

  private func advertisement(_ event: ValueEvent, _ row: PacketRow) {
    let bytes = Array(event.bytes)
    var cursor = AdvertisingData.Cursor(0..<bytes.count, in: event.bytes.span)
    while let structure = cursor.next(event.bytes.span) {
      // A company or a service comes before the data.
      guard structure.data.count > 2 else { continue }
      let number = UInt16(bytes[structure.data.lowerBound]) | UInt16(bytes[structure.data.lowerBound + 1]) << 8
      var source = StreamSource(.advertisements, direction: "advertise")
      switch structure.kind.rawValue {
      case 0xFF: source.company = Int(number)
      case 0x16: source.service = BluetoothUUID(number).description
      default: continue
      }
      let address = event.address & 0xFFFF_FFFF_FFFF
      source.peer = DeviceAddress(address).description
      guard isWanted(source) else { continue }
      let index = stream(source)
      guard index >= 0 else {
        leftOut += 1
        continue
      }
      let content = bytes[structure.data.dropFirst(2)]
      if !read.isEmpty,
        read.contains(Advertised(address: address, hash: unsafe content.span.bytes.withBorrowedBytes { $0.hash(key: hashKey) }))
      {
        readCounts[index, default: 0] += 1
      }
      append(content, at: row.time, to: index)
    }
  }

  /// Devices that send data where the company identifier belongs get a stream for each such number: these are joined.
  private func merged(_ streams: [ValueStream]) -> [ValueStream] {
    var rare: [String: [Int]] = [:]
    for (index, stream) in streams.enumerated() where stream.source.company != nil && stream.count <= 3 {
      rare[stream.source.peer ?? "", default: []].append(index)
    }
    var removed = Set<Int>()
    var added: [ValueStream] = []
    for (peer, list) in rare.sorted(by: { $0.key < $1.key }) where list.count >= 6 {
      var source = StreamSource(.advertisements, direction: "advertise")
      source.peer = peer
      source.isAnyCompany = true
      var values: [(time: Int64, bytes: [UInt8])] = []
      for index in list {
        let company = streams[index].source.company ?? 0
        for value in 0..<streams[index].count {
          values.append(
            (
              streams[index].time(value),
              [UInt8(truncatingIfNeeded: company), UInt8(truncatingIfNeeded: company >> 8)] + streams[index].value(value)
            ))
        }
        removed.insert(index)
      }
      var stream = ValueStream(source)
      for value in values.sorted(by: { $0.time < $1.time }) { stream.append(value.bytes, at: value.time) }
      added.append(stream)
    }
    return streams.enumerated().filter { !removed.contains($0.offset) }.map(\.element) + added
  }
}
