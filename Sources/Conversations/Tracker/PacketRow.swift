import Bluetooth
import Captures
import Memory

/// The meaning of a packet for a reader: the tracker assigns it, printers only format it.
public enum Meaning: UInt8, Sendable {
  case other
  /// Traffic that only keeps the link going: completed packets, an empty command status, a repeated advertisement.
  case noise
  case advertises, scanStart, scanStop, connects, connected, connectionFailed, connectionCancelled, disconnects, disconnected
  case updated, encrypted, encryptionFailed
  case request, response, refused
  case discovery, discovered
  case read, readValue, write, writeResponse, writeCommand, notify, indicate, confirm, subscribe
  case command, commandComplete, commandFailed, event
  case pairing, pairingFailed, security
  case data, signaling, controller, note
}

/// A row: a packet that carries data, with its context in the conversation. Plain data; its bytes belong to the batch.
public struct PacketRow: Sendable {
  /// Boolean properties of a row.
  public struct Flags: OptionSet, Sendable {
    /// The bits.
    public var rawValue: UInt32
    /// Makes flags from their bits.
    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The capture kept fewer bytes than the packet had.
    public static let truncated = Flags(rawValue: 1)
    /// ``PacketRow/status`` is set.
    public static let hasStatus = Flags(rawValue: 2)
    /// ``PacketRow/latency`` is set.
    public static let hasLatency = Flags(rawValue: 4)
    /// The PDU carries an attribute value.
    public static let hasValue = Flags(rawValue: 8)
    /// The attribute belongs to this host, not to the peer.
    public static let localServer = Flags(rawValue: 16)
    /// The PDU was joined from several packets.
    public static let joined = Flags(rawValue: 32)
    /// ``PacketRow/handle`` is set.
    public static let hasConnection = Flags(rawValue: 64)
    /// ``PacketRow/attributeHandle`` is set.
    public static let hasAttribute = Flags(rawValue: 128)
    /// ``PacketRow/assembled`` is set.
    public static let hasAssembled = Flags(rawValue: 256)
    /// The row responds to no request in the capture.
    public static let isUnsolicited = Flags(rawValue: 512)
    /// The bytes are encrypted.
    public static let encrypted = Flags(rawValue: 1024)
    /// The bytes were encrypted on the air and decrypted with a key.
    public static let decrypted = Flags(rawValue: 8192)
    /// The CRC of the packet is wrong: its bytes are not reliable.
    public static let badCRC = Flags(rawValue: 4096)
    /// The response to this request, in ``PacketRow/responseFrame``, is an error.
    public static let refusedLater = Flags(rawValue: 16384)
    /// The protocol was determined by the form of the data, by a record of this host, or by a later record: no SDP record of the peer gives the
    /// service so far.
    public static let likely = Flags(rawValue: 32768)
    /// The packet is a fragment that completes no PDU; only filters need such rows (``ConversationTracker/includesFragments``).
    public static let part = Flags(rawValue: 2048)
    /// The Link Layer sent the packet again: ``PacketRow/requestFrame`` is the first transmission.
    public static let retransmission = Flags(rawValue: 65536)
    /// A part of a value that is read in several: a later row has the complete value (``PacketRow/assembled``).
    public static let continued = Flags(rawValue: 131_072)
    /// The value is that of an audio stream endpoint, or of the ASE Control Point (``ASCS``).
    public static let streamEndpoint = Flags(rawValue: 262_144)
    /// The L2CAP frame has a control field (bits 19 to 22 are ``frameFormat``).
    public static let sequenced = Flags(rawValue: 524_288)
    /// With this SMP PDU, or before it, both sides of the pairing showed that they have the same key.
    public static let keyAgreed = Flags(rawValue: 8_388_608)
  }
  /// The table that names ``status``.
  public enum StatusDomain: UInt8, Sendable {
    case hci, att, smp, l2cap, l2capParameters, l2capCredit, l2capReconfiguration, management,
      handsFree, objectExchange, humanInterface, audioVideo, serviceDiscovery, remoteControl
  }

  /// The topmost PDU: ATT from its opcode, HCI from its opcode or event code, L2CAP from its header.
  public var pdu = PDUBytes()
  /// Bytes besides the PDU:
  /// - with ``Flags/hasAssembled`` a value that came in several PDUs (long read, prepared writes), or the SDU of an L2CAP channel with credits or
  ///   control fields;
  /// - else the descriptor of the report that the row carries (``reportDescription``), or the frame with a control field that contained its PDU
  ///   (``sequencedFrame``).
  public var assembled = PDUBytes()
  /// Number of the packet in its file, from 1.
  public var frame = 0
  /// Time, µs since 1970.
  public var time: Int64 = 0
  /// Frame of the request that this responds to, or of the packet that this is a retransmission of, or 0.
  public var requestFrame = 0
  /// Frame of the response to this request, or 0.
  public var responseFrame = 0
  /// µs between request and response.
  public var latency: Int64 = 0
  /// ATT opcode, HCI command opcode, HCI event code, SMP or signaling code, LL control opcode.
  public var opcode: UInt32 = 0
  /// Index into the records of the batch's packets.
  public var record: Int32 = 0
  /// Index into ``ConversationTables/connections``, or -1.
  public var connection: Int32 = -1
  /// Index into ``ConversationTables/peers``, or -1.
  public var peer: Int32 = -1
  /// Index into ``ConversationTables/attributes``, or -1.
  public var attribute: Int32 = -1
  /// A further number, depending on the kind of row, or -1:
  /// - for a response to Read By Type and the like, the type that was requested, index into ``ConversationTables/uuids``;
  /// - for the disconnection of a channel, its PSM;
  /// - for an RFCOMM frame, the service of its channel, index into ``ConversationTables/services``;
  /// - for a fragment, ``wholeFrame``.
  public var detail: Int32 = -1
  /// Offset of the attribute value in ``pdu``.
  public var valueOffset: Int32 = 0
  /// Number of bytes of the attribute value.
  public var valueCount: Int32 = 0
  /// Connection handle.
  public var handle: UInt16 = 0
  /// Attribute handle.
  public var attributeHandle: UInt16 = 0
  /// Adapter (HCI index), 0xFFFF where there is none.
  public var adapter: UInt16 = 0
  /// L2CAP channel identifier.
  public var channel: UInt16 = 0
  /// LE meta subevent; for Command Complete and Command Status the command's opcode.
  public var subcode: UInt16 = 0
  /// For a vendor's command or event, the company identifier of the controller's manufacturer; ``Vendor/unknownMaker`` where it is not known.
  public var company = Vendor.unknownMaker
  /// Boolean properties.
  public var flags: Flags = []
  /// Topmost protocol.
  public var layer: ProtocolID = .opaque
  /// Meaning of the packet for a reader.
  public var meaning: Meaning = .other
  /// Direction of the packet.
  public var direction: PacketDirection = .unknown
  /// Status or error code, if ``Flags/hasStatus`` is set.
  public var status: UInt8 = 0
  /// The table that names ``status``.
  public var statusDomain: StatusDomain = .hci
  /// How the attribute's UUID is known.
  public var uuidSource: UUIDSource = .none

  /// An empty row.
  @inlinable
  public init() {}

  /// For a packet with a part of a message (AVCTP) or datagram (6LoWPAN), the frame that completes it; 0 where that is unknown, and for other
  /// packets.
  public var wholeFrame: Int { showsWhole && detail > 0 ? Int(detail) : 0 }
  var showsWhole: Bool { layer == .avctp || layer == .ipsp }

  /// The value's bytes.
  @inlinable
  public var value: PDUBytes { pdu.slice(Int(valueOffset), Int(valueCount)) }
}

extension PacketRow {
  /// Calls `body` with a row for each value of a Multiple Handle Value Notification (Core, Vol 3, Part F, 3.4.7.4), as for separate notifications.
  public func forEachNotified(_ tables: ConversationTables, _ body: (PacketRow) -> Void) {
    let database = attribute >= 0 ? tables.attributes[Int(attribute)].database : -1
    ATT.forEachValue(pdu.span) { handle, value in
      guard let handle else { return }
      var part = self
      part.attributeHandle = handle
      part.attribute = tables.attribute(database, handle, at: frame)
      part.uuidSource = tables.source(of: part.attribute, at: frame)
      part.valueOffset = Int32(truncatingIfNeeded: value.lowerBound)
      part.valueCount = Int32(truncatingIfNeeded: value.count)
      part.flags.insert(.hasValue)
      if tables.hasStreamEndpoints, tables.isStreamEndpoint(part.attribute) { part.flags.insert(.streamEndpoint) }
      body(part)
    }
  }
}

/// How the UUID of an attribute is known, as of a row.
public enum UUIDSource: UInt8, Sendable {
  case none, discovery, laterDiscovery, cache, profile, guess
}

/// Bytes for protocol profiles: a value written, read, notified; an advertisement; data of a channel.
public struct ValueEvent: Sendable {
  /// The kind of packet the bytes come from.
  public enum Source: UInt8, Sendable { case write, writeCommand, notify, indicate, read, advertisement, rfcomm, l2cap }
  /// The bytes.
  public var bytes: PDUBytes
  /// Index of the row in its batch.
  public var row: Int32
  /// Index into ``ConversationTables/attributes``, or -1.
  public var attribute: Int32
  /// The kind of packet they come from.
  public var source: Source
  /// RFCOMM: DLCI; L2CAP: channel.
  public var channel: UInt16 = 0
  /// L2CAP: PSM; RFCOMM: server channel.
  public var psm: UInt16 = 0
  /// RFCOMM: the service of the channel, index into ``ConversationTables/services``, or -1.
  public var service: Int32 = -1
  /// Index into ``RowBatch/deferredRows`` of the row that the bytes belong to, where that was handed out before; -1 where it is `row`.
  public var deferredRow: Int32 = -1
  /// Advertisement: the device's address, with its type in bit 48.
  public var address: UInt64 = 0
}

/// The location in the capture of a piece of a PDU that was joined from several packets.
public struct PDUPiece: Sendable, Equatable {
  /// Number of the packet, from 1.
  public var frame: Int
  /// Offset in the packet's captured bytes, including the header of its link type.
  public var offset: Int
  /// Number of bytes.
  public var count: Int
}

/// Packets without a row: their bytes are in the row of the reassembled PDU, or they carry none.
public struct PacketsWithoutRow: Sendable {
  /// Packets of the Link Layer without content (Core, Vol 6, Part B, 4.5.9).
  public var empty = 0
  /// Fragments of PDUs that have a row when they are complete, or that a finding reports.
  public var fragments = 0

  /// No packets.
  public init() {}
}

/// Bytes that were joined from several packets, and their locations.
public struct JoinedBytes: Sendable {
  /// The bytes.
  public var bytes: PDUBytes
  /// Their pieces in order; their counts add up to that of `bytes`.
  public var pieces: [PDUPiece]
  /// False for the beginning of an L2CAP PDU whose end never came.
  public var isWhole = true
}

/// The rows of one batch of packets, and the data they refer to. Reused.
public final class RowBatch: @unchecked Sendable {
  /// The packets the rows were made from.
  public var packets: PacketBatch
  /// Rows in the order of the capture.
  public var rows: [PacketRow] = []
  /// Bytes for profiles, in the order of the rows.
  public var valueEvents: [ValueEvent] = []
  /// Findings in the order of the rows.
  public var findings: [Finding] = []
  /// Rows of earlier batches whose values were completed only now; their bytes are gone.
  public var deferredRows: [PacketRow] = []
  /// The bytes joined from several packets, if ``ConversationTracker/tracksPieces`` is set.
  public var joined: [JoinedBytes] = []
  /// The tables when the batch is complete.
  public var tables = ConversationTables()
  /// ``ConversationTables/version`` of ``tables``, which printers compare with every row.
  public internal(set) var version = 0
  /// The last batch of the capture; it has no packets, but rows and findings that only the end completes.
  public internal(set) var isLast = false
  /// Incremented each time the batch is refilled.
  public private(set) var filling = 0
  var arena = Arena()

  /// An empty batch around `packets`.
  public init(packets: PacketBatch = PacketBatch()) { self.packets = packets }

  /// Removes rows, values and findings; keeps the memory.
  public func reset() {
    filling &+= 1
    isLast = false
    rows.removeAll(keepingCapacity: true)
    valueEvents.removeAll(keepingCapacity: true)
    findings.removeAll(keepingCapacity: true)
    joined.removeAll(keepingCapacity: true)
    deferredRows.removeAll(keepingCapacity: true)
    arena.reset()
    // Tables that a batch still holds would have to be copied when they change.
    tables = ConversationTables()
  }

  /// Where `bytes` lie in the capture: in the packet `record` itself, or in those that they were joined from (``joined``). Empty where that
  /// is not known.
  public func pieces(of bytes: PDUBytes, in record: Int) -> [PDUPiece] {
    if let single = piece(of: bytes, in: record) { return [single] }
    for known in joined.reversed() {
      if let offset = known.bytes.offset(of: bytes) { return known.pieces.cut(offset, bytes.count) }
    }
    return []
  }

  /// Where `bytes` lie in the packet `record` itself; nil where they do not.
  public func piece(of bytes: PDUBytes, in record: Int) -> PDUPiece? {
    guard unsafe packets.records.indices.contains(record) else { return nil }
    let packet = unsafe packets.records[record]
    let whole = unsafe PDUBytes(packets.bytes(packet))
    return whole.offset(of: bytes).map { PDUPiece(frame: packet.frame, offset: $0, count: bytes.count) }
  }
}

extension PDUPiece {
  /// The part of `count` bytes from `offset` on, limited to the bytes it has; nil where it has none of them.
  public func cut(_ offset: Int, _ count: Int) -> PDUPiece? {
    let low = max(offset, 0)
    let high = min(offset + count, self.count)
    return low < high ? PDUPiece(frame: frame, offset: self.offset + low, count: high - low) : nil
  }
}

extension [PDUPiece] {
  /// The pieces of `count` bytes from `offset` on.
  public func cut(_ offset: Int, _ count: Int) -> [PDUPiece] {
    var result: [PDUPiece] = []
    var start = 0
    for piece in self {
      let low = Swift.max(offset, start)
      let high = Swift.min(offset + count, start + piece.count)
      if low < high { result.append(PDUPiece(frame: piece.frame, offset: piece.offset + low - start, count: high - low)) }
      start += piece.count
    }
    return result
  }
}
