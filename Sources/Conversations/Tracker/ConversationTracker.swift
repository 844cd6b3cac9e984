import Bluetooth
import Captures
import Memory

/// Decodes packets and tracks what is valid over time: connections, channels, attribute databases, open requests.
///
/// One pass, in the order of the capture. With ``Purpose/survey`` it only learns (GATT tables, names, addresses), so that a second pass can label
/// rows before a discovery; with ``Purpose/rows`` it also writes a row for every packet that carries data.
public struct ConversationTracker: ~Copyable {
  /// The purpose of a pass.
  public enum Purpose: Sendable {
    /// Learn names and attributes, write no rows.
    case survey
    /// Write rows.
    case rows
  }

  /// The tables so far.
  public internal(set) var tables: ConversationTables
  let purpose: Purpose
  let reportRoom = ReportMemory.Room()
  var rows: [PacketRow] = []
  var valueEvents: [ValueEvent] = []
  var out: RowBatch
  /// Sequence number of the batch being written; requests point to rows by it.
  var sequence = 0
  /// Batches whose rows may still be completed by an answer, oldest first.
  var open: [RowBatch] = []
  var firstOpen = 0
  var links: [Link] = []
  /// Packets and bytes since ``dropOldest(behind:)`` last went through the links.
  var sinceDrop = (packets: 0, bytes: 0)
  var freeLinks: [Int32] = []
  var adapterStates: [AdapterState] = []
  var adapterOf: [UInt16: Int32] = [:]
  var lastAdapter: (index: UInt16, state: Int32) = (0, -1)
  var connectionCount = 0
  var heard: AdvertisementMemory
  var lastTime: Int64 = .min
  var lastDrops: UInt32 = 0
  /// Frame before which the capture last dropped packets: a response may be among them.
  var lastLoss = 0
  /// The finding that the capture cuts packets was reported: it is reported once.
  var hasReportedCut = false
  /// What did not fit into tables, as far as it was reported.
  private var reportedOverflow = (peers: 0, connections: 0, attributes: 0, channels: 0, requests: 0, identityKeys: 0)
  /// How often connections gave way to another.
  var displacements = 0
  static let reportedDisplacements = 8
  /// Most adapters whose connections are kept apart.
  static let maximumAdapters = 128
  /// An extended advertising report whose data continue in the next.
  var unfinished = UnfinishedReport()
  var lastFrame = 0
  var isFinishing = false
  /// How often the clock jumped; at most ``reportedTimeJumps`` of these are reported.
  var timeJumps = 0
  /// The last packet before which the clock jumped; 0 where it never did.
  private var jumpFrame = 0
  /// The last Link Layer packet has fewer bytes than its header announces.
  var isShortened = false
  /// The capture has packets of both directions, so a request without a response got none. Some captures hold only what the host sent.
  var hearsPeers = false
  static let reportedTimeJumps = 8
  /// Frame and time of the current packet.
  var frame = 0
  var time: Int64 = 0
  /// Index of the current packet in its batch, and whether the capture cut it.
  var record: Int32 = 0
  var cut = false
  var linkLayer = LinkLayerState()
  var baseband = BasebandState()
  /// The attributes that were used last, by the low bits of their handles.
  var recentAttributes = InlineArray<8, RecentAttribute>(repeating: RecentAttribute())
  /// Packets that complete no PDU get a row too, marked ``PacketRow/Flags/part``, so that filters see every packet.
  public var includesFragments = false
  /// The current packet is such a part, and has no row because ``includesFragments`` is not set.
  var leavesPartOut = false
  /// Number of packets without a row so far.
  public var withoutRow = PacketsWithoutRow()
  /// Fill ``RowBatch/joined``: where the bytes of a reassembled PDU lie in the capture.
  public var tracksPieces = false

  /// Starts at the beginning of a capture. `tables` are those of a survey of the same capture, or empty ones.
  public init(_ purpose: Purpose, tables: ConversationTables = ConversationTables()) {
    self.purpose = purpose
    self.tables = tables
    // The survey has the last hash: this pass starts without one, so that it notices changes.
    for index in self.tables.databases.indices { self.tables.databases[index].hash = [] }
    self.tables.overflow = (0, 0, 0, 0, 0, 0)
    self.out = RowBatch()
    self.heard = AdvertisementMemory(size: purpose == .rows ? 4096 : 0)
  }

  /// Decodes the packets of `batch.packets` and writes their rows, values and findings to `batch`.
  public mutating func process(_ batch: RowBatch) {
    begin(batch)
    let packets = batch.packets
    let records = unsafe packets.records
    var comment = 0
    var index = 0
    while index < records.count {
      let packet = unsafe records.baseAddress.unsafelyUnwrapped + index
      record = Int32(truncatingIfNeeded: index)
      let payload = unsafe PDUBytes(packets.payload(packet.pointee))
      let before = rows.count
      leavesPartOut = false
      unsafe take(packet, payload)
      if rows.count == before {
        if includesFragments { unsafe appendFragmentRow(packet.pointee, payload) } else { withoutRow.fragments &+= 1 }
      } else if leavesPartOut {
        // The fragment completed a PDU that has a row; the fragment itself has none.
        withoutRow.fragments &+= 1
      }
      if purpose == .rows, comment < packets.notes.count, packets.notes[comment].record == index {
        comment = unsafe appendCommentRows(packets.notes, from: comment, packet.pointee)
      }
      index &+= 1
    }
    end(batch)
  }

  /// Ends the capture: open fragments and reads that were not continued go to `batch`.
  public mutating func finish(_ batch: RowBatch) {
    begin(batch)
    isFinishing = true
    for index in links.indices where links[index].isActive {
      close(Int32(index), at: tables.connections[Int(links[index].connection)].endFrame)
    }
    end(batch)
    batch.isLast = true
  }

  private mutating func begin(_ batch: RowBatch) {
    batch.reset()
    out = batch
    swap(&rows, &batch.rows)
    swap(&valueEvents, &batch.valueEvents)
    if purpose == .rows { open.append(batch) }
    sequence = firstOpen + open.count - 1
  }

  private mutating func end(_ batch: RowBatch) {
    swap(&rows, &batch.rows)
    swap(&valueEvents, &batch.valueEvents)
    dropOldest(behind: batch)
    reportOverflow()
    // The tables of a survey are read only at its end.
    if purpose == .rows || isFinishing { batch.tables = tables }
    batch.version = tables.version
  }

  /// Reports once of each table that it is full.
  private mutating func reportOverflow() {
    let now = tables.overflow
    guard now != reportedOverflow else { return }
    let full: [(isNew: Bool, limit: Int, table: Finding.Table)] = [
      (reportedOverflow.connections == 0 && now.connections > 0, ConversationTables.maximumConnections, .connections),
      (reportedOverflow.peers == 0 && now.peers > 0, ConversationTables.maximumPeers, .devices),
      (reportedOverflow.attributes == 0 && now.attributes > 0, ConversationTables.maximumAttributes, .attributes),
      (reportedOverflow.channels == 0 && now.channels > 0, Self.maximumChannels, .channels),
      (reportedOverflow.requests == 0 && now.requests > 0, Self.maximumWaiting, .requests),
      (reportedOverflow.identityKeys == 0 && now.identityKeys > 0, ConversationTables.maximumIdentityKeys, .identityKeys),
    ]
    for entry in full where entry.isNew { report(.tableFull(limit: entry.limit, isLast: true, of: entry.table), adapter: 0xFFFF) }
    reportedOverflow = now
  }

  /// Number of links: open connections, and links free for reuse.
  public var linkCount: Int { links.count }

  /// The first sequence number of batches that may still change: each call of ``process(_:)`` increments it, from 0. Goes through all links.
  public var firstUnfinishedBatch: Int {
    var oldest = firstOpen + open.count
    for link in links where link.isActive { oldest = min(oldest, link.oldestOpenRequest) }
    for state in adapterStates { oldest = min(oldest, state.oldestCommand) }
    return oldest
  }

  /// Forgets the batches before `sequence`: responses to their requests are no longer written into them.
  public mutating func release(before sequence: Int) {
    while firstOpen < sequence, !open.isEmpty {
      open.removeFirst()
      firstOpen += 1
    }
  }

  /// Appends rows for the comments that the capture attaches to a packet. Returns the index of the next packet's first comment.
  private mutating func appendCommentRows(_ notes: [PacketNote], from: Int, _ record: PacketRecord) -> Int {
    var index = from
    while index < notes.count, notes[index].record == notes[from].record {
      var text = notes[index].text
      let bytes = text.withUTF8 { unsafe out.arena.copy(BorrowedBytes(UnsafeRawBufferPointer($0))) }
      var row = row(record.origin, .note, .note, bytes)
      row.direction = .unknown
      row.flags.remove(.truncated)
      row.subcode = UInt16(PacketKind.systemNote.rawValue)
      rows.append(row)
      index += 1
    }
    return index
  }

  /// Where bytes of the current packet lie in the capture; empty if ``tracksPieces`` is not set.
  @inline(__always)
  func pieces(of bytes: PDUBytes) -> [PDUPiece] { tracksPieces ? out.pieces(of: bytes, in: Int(record)) : [] }

  /// Remembers the pieces that bytes were joined from, if ``tracksPieces`` is set.
  @inline(__always)
  mutating func remember(_ bytes: PDUBytes, _ pieces: [PDUPiece], isWhole: Bool = true) {
    if tracksPieces { out.joined.append(JoinedBytes(bytes: bytes, pieces: pieces, isWhole: isWhole)) }
  }

  /// Remembers the start of a PDU that is not completed.
  mutating func abandon(_ assembly: Assembly) {
    if tracksPieces { remember(assembly.bytes.withBorrowedBytes { out.arena.copy($0) }, assembly.pieces, isWhole: false) }
  }

  /// Appends a row for a packet that has no row otherwise.
  private mutating func appendFragmentRow(_ record: PacketRecord, _ payload: PDUBytes) {
    // The coded PHY has a coding indicator between access address and PDU.
    let pdu = record.kind == .linkLayer ? payload.from(record.radio.phy == 2 ? 5 : 4) : payload
    var row = row(record.origin, record.kind == .linkLayer ? .linkLayer : record.kind == .acl ? .hciACL : .opaque, .data, pdu)
    if record.kind == .baseband || record.kind == .unknownH4 {
      let isSniffer = record.kind == .baseband
      let whole = unsafe isSniffer ? PDUBytes(out.packets.bytes(record)) : payload.from(1)
      let packet = Baseband.Packet(whole.span, isSniffer ? .pseudoHeader : .esp32)
      if let packet { row = basebandRow(record, whole, packet) }
    }
    row.flags.insert(.part)
    if record.kind == .linkLayer, record.radio.has(RadioInfo.Flag.isochronous) { row.subcode = Self.streamKind(record) }
    if record.kind == .acl, let header = payload.u16(0) {
      row.opcode = HCI.wholePacket
      row.handle = header & 0xFFF
      row.flags.insert(.hasConnection)
      row.connection = connection(on: record.adapter, row.handle)
    } else if record.kind == .linkLayer, let number = linkLayerConnection(payload) {
      row.connection = number
      row.handle = tables.connections[Int(number)].handle
      row.flags.insert(.hasConnection)
    }
    if row.connection >= 0 { row.peer = tables.connections[Int(row.connection)].peer }
    rows.append(row)
  }

  /// Dispatches a packet by its kind. The record is passed by pointer: copies of records would cost more than all else here.
  @inline(__always)
  private mutating func take(_ record: UnsafePointer<PacketRecord>, _ payload: PDUBytes) {
    frame = unsafe record.pointee.frame
    time = unsafe record.pointee.time
    cut = unsafe record.pointee.isTruncated
    let origin = unsafe record.pointee.origin
    let kind = unsafe record.pointee.kind
    if purpose == .rows { unsafe watch(record) } else if isSkippedBySurvey(kind, origin, payload) { return }
    switch kind {
    case .acl: acl(origin, payload)
    case .event:
      hearsPeers = true
      event(origin, payload)
    case .command: command(origin, payload)
    case .linkLayer: unsafe linkLayer(record.pointee, payload)
    default:
      unsafe other(record.pointee, payload)
      // The notes at the start of a log have the time of the file: the first packet after them is no time jump.
      if kind == .systemNote { lastTime = .min }
    }
  }

  /// A survey learns from discoveries, names and indications. Most traffic is none of these, and is recognized quickly: a complete ATT PDU on a known
  /// connection that carries a value or acknowledges one.
  @inline(__always)
  private mutating func isSkippedBySurvey(_ kind: PacketKind, _ origin: PacketOrigin, _ payload: PDUBytes) -> Bool {
    if kind == .event {
      if payload.u8(0) == HCI.EventCode.leMeta.rawValue, payload.u8(2) == HCI.LESubevent.advertisingReport.rawValue {
        learnNames(payload)
        return true
      }
      return payload.u8(0) == HCI.EventCode.numberOfCompletedPackets.rawValue
    }
    guard kind == .acl, let header = payload.u16(0), let announced = payload.u16(2), let size = payload.u16(4),
      let channel = payload.u16(6),
      let opcode = payload.u8(8)
    else { return false }
    guard isValueTraffic(opcode), channel == L2CAP.ChannelID.att.rawValue,
      Int(announced) == payload.count &- 4, Int(size) == payload.count &- 8, header & 0xFFF <= 0x0EFF, header >> 12 & 3 != 1,
      origin.direction != .unknown
    else { return false }
    let link = Int(knownLink(origin.adapter, header & 0xFFF))
    guard link >= 0, !(origin.direction.isFromHost ? links[link].sending.isOpen : links[link].receiving.isOpen) else { return false }
    links[link].packets &+= 1
    links[link].lastTime = time
    return true
  }

  /// Findings about the capture itself: drops and time.
  @inline(__always)
  private mutating func watch(_ record: UnsafePointer<PacketRecord>) {
    let record = unsafe record.pointee
    if record.drops != lastDrops {
      if record.drops > lastDrops {
        report(.dropped(count: Int(record.drops) - Int(lastDrops)), adapter: record.adapter)
        lastLoss = frame
      }
      lastDrops = record.drops
    }
    if cut, !hasReportedCut {
      hasReportedCut = true
      report(.capturedLess(original: record.original, captured: record.captured), adapter: record.adapter)
    }
    // A live source numbers all captured packets; the numbers of those that could not be shown are missing.
    if record.frame > lastFrame &+ 1, lastFrame != 0 {
      report(.notShown(count: record.frame &- lastFrame &- 1), adapter: record.adapter)
      lastLoss = frame
    }
    lastFrame = record.frame
    // A step back by more than a second means that the clock was set; smaller steps come from the order in which the capture was written.
    if lastTime != .min, PacketRow.isJump(from: lastTime, to: record.time) {
      jumpFrame = record.frame
      if timeJumps < Self.reportedTimeJumps {
        timeJumps += 1
        report(
          .timeJumps(by: record.time &- lastTime, isLast: timeJumps == Self.reportedTimeJumps), adapter: record.adapter)
      }
    }
    lastTime = record.time
  }

  /// µs since an earlier packet; negative where the clock jumped after it, so that the time is not known.
  @inline(__always)
  func elapsed(since earlier: Int, _ start: Int64) -> Int64 { jumpFrame > earlier ? -1 : time &- start }

  /// Reports a finding at the current packet.
  mutating func report(
    _ kind: Finding.Kind, offset: Int = -1, adapter: UInt16, handle: UInt16 = 0xFFFF, connection: Int32 = -1, attribute: Int32 = -1
  ) {
    guard purpose == .rows else { return }
    out.findings.append(
      Finding(
        kind, frame: frame, time: time, offset: offset, adapter: adapter, handle: handle, connection: connection, attribute: attribute,
        position: rows.count))
  }

  // MARK: Adapters

  /// Index of the state of an adapter, created if it is new.
  @inline(__always)
  mutating func adapter(_ index: UInt16) -> Int32 {
    if lastAdapter.state >= 0, lastAdapter.index == index { return lastAdapter.state }
    return findAdapter(index)
  }

  private mutating func findAdapter(_ index: UInt16) -> Int32 {
    if let known = adapterOf[index] {
      lastAdapter = (index, known)
      return known
    }
    // More adapters than any host has: the excess ones share the last state.
    if adapterStates.count >= Self.maximumAdapters { return Int32(adapterStates.count - 1) }
    let position = Int32(adapterStates.count)
    adapterOf[index] = position
    adapterStates.append(AdapterState())
    if tables.adapters.count <= Int(position) {
      tables.adapters.append(Adapter(index: index, database: tables.newDatabase()))
      tables.applyMap(toAdapter: index, database: tables.adapters[Int(position)].database)
    }
    lastAdapter = (index, position)
    return position
  }

  // MARK: Rows

  /// A row for the current packet, with the fields that every row has.
  @inline(__always)
  func row(_ origin: PacketOrigin, _ layer: ProtocolID, _ meaning: Meaning, _ pdu: PDUBytes) -> PacketRow {
    var row = PacketRow()
    row.frame = frame
    row.time = time
    row.record = record
    row.adapter = origin.adapter
    row.direction = origin.direction
    row.layer = layer
    row.meaning = meaning
    row.pdu = pdu
    if cut { row.flags.insert(.truncated) }
    return row
  }

  /// Takes packets that are neither HCI nor Link Layer: notes, adapters that come and go, management, voice and isochronous data.
  private mutating func other(_ record: PacketRecord, _ payload: PDUBytes) {
    switch record.kind {
    case .controlCommand, .controlEvent: management(payload, isEvent: record.kind == .controlEvent)
    case .newIndex:
      let state = Int(adapter(record.adapter))
      if let address = payload.address(2) { tables.adapters[state].address = address == 0 ? tables.adapters[state].address : address }
      let name = payload.slice(8, 8).prefix { $0 != 0 }
      if !name.isEmpty { tables.adapters[state].name = Array(name) }
    case .deleteIndex, .closeIndex: closeAll(on: record.adapter)
    case .baseband: return baseband(record, payload)
    case .vendorDiagnostic where diagnostics(record, payload): return
    case .unknownH4 where sniffedByController(record, payload): return
    case .indexInfo:
      let state = Int(adapter(record.adapter))
      if let address = payload.address(0) { tables.adapters[state].address = address }
      if let company = payload.u16(6) { tables.adapters[state].manufacturer = company }
    default: break
    }
    guard purpose == .rows else { return }
    switch record.kind {
    case .sco, .iso:
      var row = row(record.origin, record.kind == .sco ? .hciSCO : .hciISO, .data, payload)
      if let header = payload.u16(0) {
        row.handle = header & 0xFFF
        row.flags.insert(.hasConnection)
        row.connection = connection(on: record.adapter, row.handle)
        if row.connection >= 0 { row.peer = tables.connections[Int(row.connection)].peer }
      } else {
        report(.shortPacket(needed: 4, present: payload.count), offset: payload.count, adapter: record.adapter)
      }
      rows.append(row)
    case _ where record.kind.isNote:
      var row = row(record.origin, .note, .note, payload)
      row.subcode = UInt16(record.kind.rawValue)
      rows.append(row)
    case .controlCommand, .controlEvent, .controlOpen, .controlClose:
      var row = row(record.origin, .management, .controller, payload)
      row.subcode = UInt16(record.kind.rawValue)
      if record.kind == .controlCommand || record.kind == .controlEvent { row.opcode = UInt32(payload.u16(4) ?? 0) }
      rows.append(row)
    case .vendorDiagnostic:
      rows.append(row(record.origin, .vendor, .noise, payload))
    case .newIndex, .deleteIndex, .openIndex, .closeIndex, .indexInfo:
      var row = row(record.origin, .monitor, .controller, payload)
      row.opcode = UInt32(record.kind.rawValue)
      rows.append(row)
    case .unknownH4:
      report(.unknownPacketType(payload.u8(0) ?? 0), offset: 0, adapter: record.adapter)
      rows.append(row(record.origin, .opaque, .other, payload))
    default: rows.append(row(record.origin, .opaque, .other, payload))
    }
  }

  /// Writes the response into the row of its request, as long as that row can be changed.
  mutating func answer(_ request: RowReference, frame: Int, latency: Int64, isError: Bool = false) {
    change(request) { $0.answered(frame, latency, isError) }
  }

  /// Changes an earlier row, as long as it can be changed.
  @inline(__always)
  mutating func change(_ row: RowReference, _ body: (inout PacketRow) -> Void) {
    let at = row.sequence - firstOpen
    let index = Int(row.row)
    guard at >= 0, at < open.count, index >= 0 else { return }
    if at == open.count - 1 {
      // The rows of the current batch are in `rows`, not in `open`.
      guard index < rows.count else { return }
      body(&rows[index])
    } else if index < open[at].rows.count {
      body(&open[at].rows[index])
    }
  }
}

extension PacketRow {
  mutating func answered(_ frame: Int, _ latency: Int64, _ isError: Bool) {
    responseFrame = frame
    if isError { flags.insert(.refusedLater) }
    set(latency: latency)
  }

  /// Marks the row as the response to a request.
  mutating func answers(_ request: Int, _ latency: Int64) {
    requestFrame = request
    set(latency: latency)
  }

  /// Sets the time to the response; a negative one is not known.
  @inline(__always)
  private mutating func set(latency: Int64) {
    guard latency >= 0 else { return }
    self.latency = latency
    flags.insert(.hasLatency)
  }

  /// The clock was set between two packets that follow each other: it went back by more than a second, or forward by more than a day. Smaller steps
  /// back come from the order in which captures are written.
  @inline(__always)
  public static func isJump(from earlier: Int64, to later: Int64) -> Bool {
    later < earlier &- 1_000_000 || later &- earlier > 86_400_000_000
  }

  /// Sets the status and the table that names it.
  mutating func set(status: UInt8, _ domain: StatusDomain) {
    self.status = status
    statusDomain = domain
    flags.insert(.hasStatus)
  }
}

/// The fields of a packet's record that the layers above need.
struct PacketOrigin {
  var adapter: UInt16
  var direction: PacketDirection
}

extension PacketRecord {
  /// The origin of the packet.
  @inline(__always)
  var origin: PacketOrigin { PacketOrigin(adapter: adapter, direction: direction) }
}

/// An attribute looked up by handle, valid as long as the number of attributes does not change.
struct RecentAttribute {
  var database: Int32 = -1
  var index: Int32 = -1
  var handle: UInt16 = 0
  var attributes = -1
}

/// The batch and index of a row with a request.
struct RowReference {
  var sequence = -1
  var row: Int32 = -1
}

/// The state of an adapter during the capture.
struct AdapterState {
  /// Connection handle → index into the links, or -1; empty before the first connection.
  var links: [Int32] = []
  /// Connection handle → index of the connection that last ended with it, or -1; empty before one ended.
  var ended: [Int32] = []
  /// Commands without a response so far, by opcode.
  var commands: [UInt16: OpenCommand] = [:]
  /// Isochronous streams that were requested: their handle → that of the connection they belong to.
  var streams: [UInt16: UInt16] = [:]
  /// The streams of the group that a command sets up, in their order, and CIG and CIS of the streams with known handles.
  var group: [UInt8] = []
  var streamNumbers: [UInt16: StreamNumber] = [:]
  /// The advertisers of the periodic advertisements that the controller receives, by sync handle.
  var trains: [UInt16: PeriodicTrain] = [:]
  /// Frame of the last create-connection command and its peer, for captures without a connection event.
  var scanning = false

  var oldestCommand: Int {
    var oldest = Int.max
    for (_, command) in commands { oldest = min(oldest, command.row.sequence) }
    return oldest
  }
}

/// A command that waits for its Command Complete or Command Status.
struct OpenCommand {
  var frame: Int
  var time: Int64
  var row: RowReference
}

/// Periodic advertisements of a device.
struct PeriodicTrain {
  /// Address, its type in bit 48.
  var address: UInt64
  /// The data so far, where they go on in another report.
  var bytes: [UInt8] = []
  var pieces: [PDUPiece] = []

  /// Most trains that are tracked for an adapter.
  static let maxCount = 256
}

/// The data of an extended advertising report so far, if they continue in another (7.7.65.13).
struct UnfinishedReport {
  /// Address, its type in bit 48, the advertising set in bits 56 to 63; `.max` where no report is unfinished.
  var key: UInt64 = .max
  var adapter: UInt16 = 0
  var bytes: [UInt8] = []
  var pieces: [PDUPiece] = []

  /// An advertisement has at most 1650 bytes (Vol 4, Part E, 7.8.54).
  static let longest = 1650
}

/// The devices whose advertisements were seen, in a table of fixed size: an evicted device is only shown again.
struct AdvertisementMemory {
  private var keys: [UInt64]
  private let mask: Int

  init(size: Int) {
    keys = [UInt64](repeating: .max, count: size)
    mask = size - 1
  }

  /// Remembers an address and a kind of report; returns true if both were heard before.
  mutating func isRepeated(_ address: UInt64, _ kind: UInt8) -> Bool {
    guard mask > 0 else { return false }
    let key = address | UInt64(kind) << 48
    let slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
    if keys[slot] == key { return true }
    keys[slot] = key
    return false
  }
}
