import Bluetooth
import Captures
import Conversations
import Memory

/// Handmade packets, in order, 10 ms apart.
package struct Scene {
  package let packets = PacketBatch()
  /// Frame number of the last packet; a live capture skips the numbers of packets that it could not show.
  package var frame = 0
  /// Time of the next packet in µs.
  package var time: Int64 = 1_000_000_000
  /// Connection handle of packets on a link.
  package var handle: UInt16 = 0x40
  /// Adapter of the next packets, and the number of packets that its capture has dropped so far.
  package var adapter: UInt16 = 0
  package var drops: UInt32 = 0
  /// µs from one packet to the next.
  package var step: Int64 = 10_000

  /// Sequence bits of the next packet of each side of a sniffed connection.
  private var centralSequence: UInt8 = 0
  private var peripheralSequence: UInt8 = 0

  package init() {}

  /// Adds a packet of any kind and returns its frame.
  @discardableResult
  package mutating func packet(
    _ kind: PacketKind, _ direction: PacketDirection, _ bytes: [UInt8], original: Int? = nil, radio: RadioInfo = RadioInfo()
  ) -> Int {
    frame += 1
    time += step
    var record = PacketRecord()
    record.frame = frame
    record.time = time
    record.kind = kind
    record.direction = direction
    record.adapter = adapter
    record.drops = drops
    record.radio = radio
    record.offset = packets.append(bytes: bytes.span.bytes)
    record.captured = bytes.count
    record.original = original ?? bytes.count
    packets.append(record)
    return frame
  }

  @discardableResult
  package mutating func command(_ opcode: UInt16, _ parameters: [UInt8]) -> Int {
    packet(.command, .sent, little(opcode) + [UInt8(parameters.count)] + parameters)
  }

  @discardableResult
  package mutating func event(_ code: UInt8, _ parameters: [UInt8]) -> Int {
    packet(.event, .received, [code, UInt8(parameters.count)] + parameters)
  }

  /// LE Connection Complete: this host is the central.
  @discardableResult
  package mutating func connect(_ address: UInt64 = 0xc0ff_ee00_0001, type: UInt8 = 0, asPeripheral: Bool = false) -> Int {
    event(0x3E, [1, 0] + little(handle) + [asPeripheral ? 1 : 0, type] + octets(address) + [24, 0, 0, 0, 42, 0, 0])
  }

  @discardableResult
  package mutating func disconnect(_ reason: UInt8 = 0x13) -> Int { event(5, [0] + little(handle) + [reason]) }

  /// An L2CAP PDU in ACL packets of at most `size` bytes; returns the last one's frame.
  @discardableResult
  package mutating func pdu(_ direction: PacketDirection, _ channel: UInt16, _ payload: [UInt8], size: Int = 1000) -> Int {
    let whole = little(UInt16(payload.count)) + little(channel) + payload
    var at = 0
    while at < whole.count {
      let piece = Array(whole[at..<min(at + size, whole.count)])
      acl(direction, isStart: at == 0, piece)
      at += size
    }
    return frame
  }

  @discardableResult
  package mutating func acl(_ direction: PacketDirection, isStart: Bool, _ piece: [UInt8]) -> Int {
    let boundary: UInt16 = isStart ? (direction == .sent ? 0 : 2) : 1
    return packet(.acl, direction, little(handle | boundary << 12) + little(UInt16(piece.count)) + piece)
  }

  /// An ATT PDU that this host sends.
  @discardableResult
  package mutating func send(_ pdu: [UInt8]) -> Int { self.pdu(.sent, 4, pdu) }

  /// An ATT PDU that the peer sends.
  @discardableResult
  package mutating func receive(_ pdu: [UInt8]) -> Int { self.pdu(.received, 4, pdu) }

  /// An LE pairing of this host up to the agreement on a key: with Secure Connections, or legacy.
  package mutating func pair(isSecure: Bool, keySizes: (UInt8, UInt8) = (16, 16), isComplete: Bool = true) {
    let requirements: UInt8 = isSecure ? 0x0D : 0x05
    let value = [UInt8](repeating: 7, count: 16)
    pdu(.sent, 6, [0x01, 4, 0, requirements, keySizes.0, 1, 1])
    pdu(.received, 6, [0x02, 1, 0, requirements, keySizes.1, 1, 1])
    if isSecure { for side in [PacketDirection.sent, .received] { pdu(side, 6, [0x0C] + value + value + value + value) } }
    if !isSecure { pdu(.sent, 6, [0x03] + value) }
    pdu(.received, 6, [0x03] + value)
    pdu(.sent, 6, [0x04] + value)
    if isSecure || isComplete { pdu(.received, 6, [0x04] + value) }
    if isSecure, isComplete { for side in [PacketDirection.sent, .received] { pdu(side, 6, [0x0D] + value) } }
  }

  /// Discovers one characteristic with a 16-bit UUID in `service`, at `handle` (declaration before it, CCCD behind it).
  package mutating func discover(_ uuid: UInt16, at handle: UInt16, service: UInt16 = 0x180F, properties: UInt8 = 0x12) {
    send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    receive([0x11, 6] + little(handle - 2) + little(handle + 1) + little(service))
    send([0x08] + little(handle - 2) + little(handle + 1) + [0x03, 0x28])
    receive([0x09, 7] + little(handle - 1) + [properties] + little(handle) + little(uuid))
    send([0x04] + little(handle + 1) + little(handle + 1))
    receive([0x05, 1] + little(handle + 1) + [0x02, 0x29])
  }

  /// Decodes the packets: with a survey before, as for files, or without, as for live captures.
  package func played(withSurvey: Bool = true) throws -> Played {
    var tables = ConversationTables()
    let batch = RowBatch(packets: packets)
    if withSurvey {
      var survey = ConversationTracker(.survey)
      survey.process(batch)
      let last = RowBatch()
      survey.finish(last)
      tables = last.tables
    }
    var tracker = ConversationTracker(.rows, tables: tables)
    tracker.process(batch)
    let rows = batch.rows
    let last = RowBatch()
    let findings = batch.findings
    tracker.finish(last)
    return Played(
      rows: rows, valueEvents: batch.valueEvents + last.valueEvents, findings: findings + last.findings, tables: last.tables,
      batches: [batch, last])
  }

  // MARK: Packets of a sniffer

  private static let access: UInt32 = 0x5065_5D33

  /// A Link Layer packet whose CRC the sniffer marks as right, or wrong.
  @discardableResult
  package mutating func sniffed(_ access: UInt32, _ pdu: [UInt8], _ direction: PacketDirection = .unknown, isRight: Bool = true) -> Int {
    let address = (0..<4).map { UInt8(truncatingIfNeeded: access >> UInt32(8 * $0)) }
    let flags = RadioInfo.Flag.crcChecked | (isRight ? RadioInfo.Flag.crcOK : 0)
    var radio = RadioInfo()
    radio.flags = flags
    return packet(.linkLayer, direction, address + pdu, radio: radio)
  }

  /// An advertising PDU, from its header on.
  @discardableResult
  package mutating func advertise(_ pdu: [UInt8], isRight: Bool = true) -> Int { sniffed(0x8E89_BED6, pdu, isRight: isRight) }

  /// CONNECT_IND of a central to a peripheral.
  @discardableResult
  package mutating func sniffConnection(_ address: UInt64 = 0xc0ff_ee00_0001, hop: UInt8 = 5, channels: UInt8 = 0xFF) -> Int {
    let access = (0..<4).map { UInt8(truncatingIfNeeded: Self.access >> UInt32(8 * $0)) }
    let central: [UInt8] = [0x85, 34] + [UInt8](repeating: 0x22, count: 6) + octets(address) + access + [0x4C, 0xB7, 0x17]
    return advertise(central + [3, 0, 0, 24, 0, 0, 0, 42, 0, channels, channels, channels, channels, channels & 0x1F, hop])
  }

  /// A PDU of that connection: LLID 2 starts an L2CAP PDU, 3 is a control PDU. No packet is a retransmission: the sequence bits advance.
  @discardableResult
  package mutating func air(_ direction: PacketDirection, _ kind: UInt8, _ payload: [UInt8], isRight: Bool = true) -> Int {
    let sequence = direction == .central ? centralSequence : peripheralSequence
    if direction == .central { centralSequence ^= 8 } else { peripheralSequence ^= 8 }
    return sniffed(Self.access, [kind | sequence, UInt8(payload.count)] + payload, direction, isRight: isRight)
  }

  package func little(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }

  /// The octets of an address in transmission order.
  package func octets(_ address: UInt64) -> [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: address >> UInt64(8 * $0)) } }
}

/// The result of a scene.
package struct Played {
  package var rows: [PacketRow]
  package var valueEvents: [ValueEvent]
  package var findings: [Finding]
  package var tables: ConversationTables
  /// Owns the bytes.
  package var batches: [RowBatch]

  /// The row of a frame.
  package subscript(_ frame: Int) -> PacketRow? { rows.first { $0.frame == frame } }

  /// The UUID of a row's attribute as text, empty if it is not known.
  package func uuid(_ frame: Int) -> String {
    guard let row = self[frame], row.attribute >= 0, row.uuidSource != .none else { return "" }
    return tables.type(of: tables.attributes[Int(row.attribute)])?.description ?? ""
  }

  package func source(_ frame: Int) -> UUIDSource { self[frame]?.uuidSource ?? .none }

  /// The findings, in order.
  package var found: [Finding.Kind] { findings.map(\.kind) }

  /// The values that profiles would get, without advertisements.
  package var values: [[UInt8]] { valueEvents.filter { $0.source != .advertisement }.map { Array($0.bytes.buffer) } }
}

/// A scene as a capture that is read from its start.
package final class SceneSource: PacketSource {
  private let scene: Scene
  private let piece: Int?
  private var read = 0

  /// The packets in one batch; or a few at a time, as from a pipe, which can be read only once.
  package init(_ scene: Scene, inPiecesOf piece: Int? = nil) {
    self.scene = scene
    self.piece = piece
  }

  package var interfaces: [CaptureInterface] { [CaptureInterface(linkType: 187)] }
  package var title: String { "scene" }
  package var progress: (read: Int, total: Int?) { (0, nil) }
  package var format: CaptureFormat { .btsnoop }
  package var damage: CaptureDamage? { nil }

  package func read(_ batch: PacketBatch) -> Bool {
    batch.removeAll()
    let all = scene.packets.records
    guard read < all.count || piece == nil && read == 0 else { return false }
    let next = min(all.count, read + (piece ?? all.count))
    defer { read = max(next, 1) }
    for record in all[read..<next] {
      var copy = record
      copy.offset = unsafe batch.append(bytes: RawSpan(_unsafeBytes: scene.packets.bytes(record)))
      batch.append(copy)
    }
    return true
  }

  package func rewind() -> Bool {
    guard piece == nil else { return false }
    read = 0
    return true
  }
}
