import Bluetooth
import Captures

/// What is kept of a connection while it lives: fragments, channels, open requests. Recycled when it ends.
struct Link {
  /// Index into ``Tables/connections``.
  var connection: Int32 = -1
  var adapter: UInt16 = 0
  var isActive = false
  /// Databases of the two servers: the peer's, and this host's.
  var remote: Int32 = -1
  var local: Int32 = -1
  /// ACL packets seen, and the time of the last; the tables learn of it at the end.
  var packets = 0
  var lastTime: Int64 = 0
  /// L2CAP PDUs being put together: from the host, from the controller.
  var sending = Assembly()
  var receiving = Assembly()
  var bearer = Bearer()
  var channels: [Channel] = []
  /// Frame in which a packet of this connection was last found broken or missing.
  var lossFrame = 0
  /// The capture has packets of this host on the link; it has some of the peer.
  var hasSent = false
  var hasReceived = false
  /// Answers came to requests that the capture does not have.
  var lacksRequests = false
  /// Signaling requests that wait for their answer, by identifier and sender.
  var signals: [UInt16: OpenSignal] = [:]
  /// Last search for a single service class over SDP: the peer's, this host's.
  var searches: [ServiceSearch?] = [nil, nil]
  /// SDP answers that come in parts: the peer's, this host's.
  var answers: [[UInt8]] = [[], []]
  /// Where their bytes come from, where that is asked for.
  var responsePieces: [[PDUPiece]] = [[], []]
  /// Streams of AVDTP by the number of their end point (bit 7: the peer's): what configures them, as ``A2DP/opcode(_:isProtected:)`` has it.
  var streams: [UInt8: UInt32] = [:]
  /// The stream that was opened last: the next channel carries its media.
  var openedStream: UInt8?
  /// Data links of the RFCOMM session whose data were looked at.
  var dataLinks: [DataLink] = []
  /// Reports of HID devices so far; nil before the first.
  var reports: ReportMemory?
  /// Audio stream endpoints so far; nil before the first.
  var endpoints: StreamMemory?
  /// Frame and time of the last Pairing Request or Security Request.
  var pairing: (frame: Int, time: Int64) = (0, 0)
  /// Key of the peer that waits for the address it belongs to (SMP sends them one behind the other).
  var identityKey: IdentityResolvingKey?

  var oldestOpenRequest: Int {
    var oldest = bearer.oldest
    for channel in channels { oldest = min(oldest, channel.bearer.oldest) }
    for (_, signal) in signals { oldest = min(oldest, signal.row.sequence) }
    return oldest
  }

  /// All that is being put together.
  var assemblies: [Assembly] { [sending, receiving] + channels.flatMap { [$0.sending, $0.receiving] } }

  /// Bytes that are kept of what is not whole yet.
  var heldBytes: Int {
    var held = sending.held + receiving.held + bearer.held + answers[0].count + answers[1].count
    for dataLink in dataLinks { held += dataLink.dialogue.held }
    for place in channels.indices {
      held +=
        channels[place].sending.held + channels[place].receiving.held + channels[place].bearer.held
        + (channels[place].dialogue?.held ?? 0) + (channels[place].sequence?.held ?? 0)
    }
    return held
  }

  /// Requests that wait for their answers, where there may be many of them.
  var waiting: Int {
    var waiting = signals.count
    for dataLink in dataLinks { waiting += dataLink.dialogue.requests.count }
    for place in channels.indices { waiting += channels[place].dialogue?.requests.count ?? 0 }
    return waiting
  }

  /// Forgets the requests that ``waiting`` counts: their answers name none.
  mutating func dropRequests() {
    signals = [:]
    for dataLink in dataLinks { dataLink.dialogue.requests = [:] }
    for place in channels.indices { channels[place].dialogue?.requests = [:] }
  }

  /// Forgets what is not whole yet.
  mutating func dropFragments() {
    sending.close()
    receiving.close()
    bearer.dropFragments()
    answers = [[], []]
    responsePieces = [[], []]
    for dataLink in dataLinks { dataLink.dialogue.dropFragments() }
    for place in channels.indices {
      channels[place].sending.close()
      channels[place].receiving.close()
      channels[place].bearer.dropFragments()
      channels[place].dialogue?.dropFragments()
      channels[place].sequence?.dropFragments()
    }
  }
}

/// An L2CAP PDU that is not whole yet.
struct Assembly {
  var bytes: [UInt8] = []
  /// Bytes the PDU has with its header; 0 while nothing is open, -1 before the header is known.
  var expected = 0
  /// Bytes the fragments announced so far; more than `bytes.count` where the capture cut one.
  var received = 0
  var isCut = false
  var frame = 0
  /// Where the bytes come from, where that is asked for.
  var pieces: [PDUPiece] = []

  var isOpen: Bool { expected != 0 }
  var held: Int { bytes.count + pieces.count * MemoryLayout<PDUPiece>.stride }

  mutating func close() {
    expected = 0
    received = 0
    isCut = false
    bytes.removeAll(keepingCapacity: bytes.capacity <= 1024)
    if !pieces.isEmpty { pieces = [] }
  }
}

/// A connection-oriented L2CAP channel.
struct Channel {
  /// Identifiers from here on are given to channels that are opened (Core, Vol 3, Part A, 2.1).
  static let firstDynamic: UInt16 = 0x40

  /// How its frames are built.
  enum Mode: UInt8 {
    case basic, credit, sequenced
  }
  /// Channel identifiers of this host's end and the peer's.
  var local: UInt16
  var remote: UInt16
  var psm: UInt16
  /// The protocol of its data; ``ProtocolID/l2cap`` where the registry has none for the PSM.
  var carries: ProtocolID
  var mode: Mode
  /// What each end can receive, in bytes.
  var localMTU: UInt16 = 672
  var remoteMTU: UInt16 = 672
  var startFrame: Int
  /// RFCOMM: this host started the session; nil where the capture does not show its start. HCRP: it opened the channel.
  var isStartedByHost: Bool?
  /// A2DP: the stream whose media it carries, and how that is configured. HCRP: which of its channels it is (``HCRP/Channel``).
  var stream: UInt8?
  var configuration: UInt32 = 0
  /// Requests and answers; nil where the protocol has none.
  var dialogue: Dialogue?
  /// Numbers of I-frames, and what the ends ask for of them; nil where they ask for nothing but basic mode.
  var sequence: FrameSequence?
  /// SDUs being put together from K-frames or I-frames: sent, received.
  var sending = Assembly()
  var receiving = Assembly()
  var bearer = Bearer()

  /// The ATT MTU of an enhanced bearer is what both ends can receive (Vol 3, Part F, 3.2.8 and 5.3).
  mutating func setBearerMTU() { bearer.mtu = max(23, min(localMTU, remoteMTU)) }
}

/// One ATT bearer: the fixed channel, or an enhanced one. Every link and channel has its own; it is a class so that it is changed in its place.
final class Bearer {
  /// A request that was not answered yet.
  struct Open {
    var frame = 0
    var time: Int64 = 0
    var row = RowReference()
    /// Nil where nothing is open.
    var opcode: ATT.Opcode?
    var handle: UInt16 = 0
    var offset: UInt16 = 0
    /// Read By Type, Read By Group Type, Find By Type Value: the type asked for, index into the UUIDs.
    var uuid: Int32 = -1
    var value: [UInt8] = []
    /// This host asked.
    var isFromHost = true
    var isOpen: Bool { opcode != nil }
  }
  /// A value that is read or written in pieces.
  struct Long {
    var handle: UInt16 = 0
    var bytes: [UInt8] = []
    var pieces: [PDUPiece] = []
    /// Answers that brought it so far.
    var parts = 1
    var isOpen = false
    /// The answer with its last piece, without bytes, and where its row is.
    var row = PacketRow()
    var place = RowReference()
  }
  /// A prepared write.
  struct Prepared {
    var handle: UInt16
    var offset: Int
    var bytes: [UInt8]
    var pieces: [PDUPiece] = []
  }
  /// Requests by their sender: this host, the peer.
  var sent = Open()
  var received = Open()
  /// The request of another kind that was under way when the last one was made, against the rules (Vol 3, Part F, 3.3.2).
  var sentOlder = Open()
  var receivedOlder = Open()
  /// Indications by their sender.
  var sentIndication = Open()
  var receivedIndication = Open()
  /// Long reads by their reader.
  var sentRead = Long()
  var receivedRead = Long()
  /// Prepared writes by their writer.
  var preparedBytes = 0
  var sentWrites: [Prepared] = []
  var receivedWrites: [Prepared] = []
  /// This host has made a request; the peer has.
  var hasRequested = false
  var wasRequested = false
  /// Frame of its last request or answer.
  var lastFrame = 0
  /// MTU that each side offered, 0 none.
  var offered: UInt16 = 0
  var mtu: UInt16 = 23

  var oldest: Int {
    var oldest = Int.max
    if sent.isOpen { oldest = min(oldest, sent.row.sequence) }
    if received.isOpen { oldest = min(oldest, received.row.sequence) }
    if sentIndication.isOpen { oldest = min(oldest, sentIndication.row.sequence) }
    if receivedIndication.isOpen { oldest = min(oldest, receivedIndication.row.sequence) }
    if sentRead.isOpen { oldest = min(oldest, sentRead.place.sequence) }
    if receivedRead.isOpen { oldest = min(oldest, receivedRead.place.sequence) }
    return oldest
  }

  /// Bytes that are kept of values that are not whole yet.
  var held: Int {
    preparedBytes + sentRead.bytes.count + receivedRead.bytes.count
      + (sentWrites.count + receivedWrites.count) * MemoryLayout<Prepared>.stride
  }

  /// Forgets values that are not whole yet.
  func dropFragments() {
    sentRead = Long()
    receivedRead = Long()
    sentWrites = []
    receivedWrites = []
    preparedBytes = 0
  }
}

/// A signaling request that waits for its answer.
struct OpenSignal {
  var frame: Int
  var time: Int64
  var row: RowReference
  var code: L2CAP.SignalingCode
  var psm: UInt16 = 0
  var mtu: UInt16 = 672
  var channels: [UInt16] = []
}
