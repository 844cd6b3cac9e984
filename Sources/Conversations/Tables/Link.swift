import Bluetooth
import Captures

/// The state of a connection while it is open: fragments, channels, open requests. Recycled when it ends.
struct Link {
  /// Index into ``ConversationTables/connections``.
  var connection: Int32 = -1
  var adapter: UInt16 = 0
  var isActive = false
  /// Attribute databases of the two servers: the peer's, and this host's.
  var remote: Int32 = -1
  var local: Int32 = -1
  /// ACL packets seen, and the time of the last; copied to the tables when the link ends.
  var packets = 0
  var lastTime: Int64 = 0
  /// L2CAP PDUs being reassembled: from the host, from the controller.
  var sending = Assembly()
  var receiving = Assembly()
  var bearer = Bearer()
  var channels: [Channel] = []
  /// Frame in which a packet of this connection was last found broken or missing.
  var lossFrame = 0
  /// The capture has packets that this host sent on the link, and packets that the peer sent.
  var hasSent = false
  var hasReceived = false
  /// Responses came to requests that the capture does not have.
  var lacksRequests = false
  /// Signaling requests that wait for their response, by identifier and sender.
  var signals: [UInt16: OpenSignal] = [:]
  /// Last search for a single service class over SDP: the peer's, this host's.
  var searches: [ServiceSearch?] = [nil, nil]
  /// SDP answers that come in parts: the peer's, this host's.
  var answers: [[UInt8]] = [[], []]
  /// Where their bytes lie in the capture, if ``ConversationTracker/tracksPieces`` is set.
  var responsePieces: [[PDUPiece]] = [[], []]
  /// AVDTP streams by stream end point identifier (bit 7: the peer's): their configuration, encoded as in ``A2DP/opcode(_:isProtected:)``.
  var streams: [UInt8: UInt32] = [:]
  /// The stream that was opened last: the next channel carries its media.
  var openedStream: UInt8?
  /// Data links of the RFCOMM session whose data were inspected.
  var dataLinks: [DataLink] = []
  /// Reports of HID devices so far; nil before the first.
  var reports: ReportMemory?
  /// Audio stream endpoints so far; nil before the first.
  var endpoints: StreamMemory?
  /// Frame and time of the last Pairing Request or Security Request.
  var pairing: (frame: Int, time: Int64) = (0, 0)
  /// What the sides of the last LE pairing sent to show that they have the same key.
  var agreement = KeyAgreement()
  /// Identity resolving key of the peer, kept until SMP sends the address it belongs to.
  var identityKey: IdentityResolvingKey?

  var oldestOpenRequest: Int {
    var oldest = bearer.oldest
    for channel in channels { oldest = min(oldest, channel.bearer.oldest) }
    for (_, signal) in signals { oldest = min(oldest, signal.row.sequence) }
    return oldest
  }

  /// All PDUs and SDUs being reassembled.
  var assemblies: [Assembly] { [sending, receiving] + channels.flatMap { [$0.sending, $0.receiving] } }

  /// Bytes held of incomplete PDUs and values.
  var heldBytes: Int {
    var held = sending.held + receiving.held + bearer.held + answers[0].count + answers[1].count
    for dataLink in dataLinks { held += dataLink.dialogue.held }
    for index in channels.indices {
      held +=
        channels[index].sending.held + channels[index].receiving.held + channels[index].bearer.held
        + (channels[index].dialogue?.held ?? 0) + (channels[index].sequence?.held ?? 0)
    }
    return held
  }

  /// Number of requests that wait for responses, of the kinds that can be many.
  var waiting: Int {
    var waiting = signals.count
    for dataLink in dataLinks { waiting += dataLink.dialogue.requests.count }
    for index in channels.indices { waiting += channels[index].dialogue?.requests.count ?? 0 }
    return waiting
  }

  /// Forgets the requests that ``waiting`` counts; their responses are then not matched.
  mutating func dropRequests() {
    signals = [:]
    for dataLink in dataLinks { dataLink.dialogue.requests = [:] }
    for index in channels.indices { channels[index].dialogue?.requests = [:] }
  }

  /// Forgets incomplete PDUs and values.
  mutating func dropFragments() {
    sending.close()
    receiving.close()
    bearer.dropFragments()
    answers = [[], []]
    responsePieces = [[], []]
    for dataLink in dataLinks { dataLink.dialogue.dropFragments() }
    for index in channels.indices {
      channels[index].sending.close()
      channels[index].receiving.close()
      channels[index].bearer.dropFragments()
      channels[index].dialogue?.dropFragments()
      channels[index].sequence?.dropFragments()
    }
  }
}

/// An incomplete L2CAP PDU.
struct Assembly {
  var bytes: [UInt8] = []
  /// Length of the PDU with its header; 0 while none is open, -1 before the header is complete.
  var expected = 0
  /// Bytes the fragments announced so far; more than `bytes.count` where the capture cut one.
  var received = 0
  var isCut = false
  var frame = 0
  /// Where the bytes lie in the capture, if ``ConversationTracker/tracksPieces`` is set.
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
  /// First identifier that is assigned dynamically when a channel is opened (Core, Vol 3, Part A, 2.1).
  static let firstDynamic: UInt16 = 0x40

  /// The format of its frames.
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
  /// MTU of each end, in bytes.
  var localMTU: UInt16 = 672
  var remoteMTU: UInt16 = 672
  var startFrame: Int
  /// RFCOMM: this host started the session; nil where the capture does not show its start. HCRP: it opened the channel.
  var isStartedByHost: Bool?
  /// A2DP: the stream whose media it carries, and that stream's configuration. HCRP: the channel's role (``HCRP/Channel``).
  var stream: UInt8?
  var configuration: UInt32 = 0
  /// Requests and responses; nil where the protocol has none.
  var dialogue: Dialogue?
  /// Numbers of I-frames, and the options that both ends proposed; nil while only basic mode was proposed.
  var sequence: FrameSequence?
  /// SDUs being reassembled from K-frames or I-frames: sent, received.
  var sending = Assembly()
  var receiving = Assembly()
  var bearer = Bearer()

  /// The ATT MTU of an enhanced bearer is the smaller MTU of the two ends (Vol 3, Part F, 3.2.8 and 5.3).
  mutating func setBearerMTU() { bearer.mtu = max(23, min(localMTU, remoteMTU)) }
}

/// One ATT bearer: the fixed channel, or an enhanced one. Every link and channel has its own; it is a class so that it can be changed in place.
final class Bearer {
  /// A request without a response so far.
  struct Open {
    var frame = 0
    var time: Int64 = 0
    var row = RowReference()
    /// Nil where nothing is open.
    var opcode: ATT.Opcode?
    var handle: UInt16 = 0
    var offset: UInt16 = 0
    /// Read By Type, Read By Group Type, Find By Type Value: the requested type, index into the UUIDs.
    var uuid: Int32 = -1
    var value: [UInt8] = []
    /// This host sent the request.
    var isFromHost = true
    var isOpen: Bool { opcode != nil }
  }
  /// A value that is read in several responses.
  struct Long {
    var handle: UInt16 = 0
    var bytes: [UInt8] = []
    var pieces: [PDUPiece] = []
    /// Number of responses received so far.
    var parts = 1
    var isOpen = false
    /// Another request came before the value was complete, so that the parts before it were passed on.
    var isPassedOn = false
    /// The row of the response with the last part, without its bytes, and a reference to it.
    var row = PacketRow()
    var reference = RowReference()
  }
  /// A prepared write.
  struct Prepared {
    var handle: UInt16
    var offset: Int
    var bytes: [UInt8]
    var pieces: [PDUPiece] = []
  }
  /// Open requests by their sender: this host, the peer.
  var sent = Open()
  var received = Open()
  /// A request of another type that was still open when the last one was sent, against the rules (Vol 3, Part F, 3.3.2).
  var sentOlder = Open()
  var receivedOlder = Open()
  /// Open indications by their sender.
  var sentIndication = Open()
  var receivedIndication = Open()
  /// Long reads by the side that reads.
  var sentRead = Long()
  var receivedRead = Long()
  /// Long reads that were interrupted by other requests, at most ``maximumPaused`` of each side.
  var sentPaused: [Long] = []
  var receivedPaused: [Long] = []
  /// A host that reads the values of several attributes in turn has few of them open.
  static let maximumPaused = 8
  /// Prepared writes by the side that writes.
  var preparedBytes = 0
  var sentWrites: [Prepared] = []
  var receivedWrites: [Prepared] = []
  /// This host has sent a request; the peer has.
  var hasRequested = false
  var wasRequested = false
  /// Frame of the bearer's last request or response.
  var lastFrame = 0
  var mtu: UInt16 = 23

  var oldest: Int {
    var oldest = Int.max
    if sent.isOpen { oldest = min(oldest, sent.row.sequence) }
    if received.isOpen { oldest = min(oldest, received.row.sequence) }
    if sentIndication.isOpen { oldest = min(oldest, sentIndication.row.sequence) }
    if receivedIndication.isOpen { oldest = min(oldest, receivedIndication.row.sequence) }
    if sentRead.isOpen { oldest = min(oldest, sentRead.reference.sequence) }
    if receivedRead.isOpen { oldest = min(oldest, receivedRead.reference.sequence) }
    return oldest
  }

  /// Bytes held of incomplete values.
  var held: Int {
    preparedBytes + sentRead.bytes.count + receivedRead.bytes.count + Self.held(sentPaused) + Self.held(receivedPaused)
      + (sentWrites.count + receivedWrites.count) * MemoryLayout<Prepared>.stride
  }

  private static func held(_ reads: [Long]) -> Int {
    reads.reduce(0) { $0 + $1.bytes.count + $1.pieces.count * MemoryLayout<PDUPiece>.stride }
  }

  /// Keeps an interrupted read, in place of an earlier one of the same attribute, or of the oldest.
  func pause(_ read: Long, fromHost: Bool) {
    var read = read
    read.isPassedOn = true
    // Its last part stays a row of its own.
    read.reference = RowReference()
    forget(read.handle, fromHost: fromHost)
    if fromHost {
      if sentPaused.count >= Self.maximumPaused { sentPaused.removeFirst() }
      sentPaused.append(read)
    } else {
      if receivedPaused.count >= Self.maximumPaused { receivedPaused.removeFirst() }
      receivedPaused.append(read)
    }
  }

  /// Opens an interrupted read that continues at `offset` again; false where there is none.
  func resume(_ handle: UInt16, at offset: Int, fromHost: Bool) -> Bool {
    let paused = fromHost ? sentPaused : receivedPaused
    guard let index = paused.firstIndex(where: { $0.handle == handle && $0.bytes.count == offset }) else { return false }
    if fromHost { sentRead = sentPaused.remove(at: index) } else { receivedRead = receivedPaused.remove(at: index) }
    return true
  }

  /// Forgets interrupted reads of an attribute, as its value is read anew.
  func forget(_ handle: UInt16, fromHost: Bool) {
    if fromHost { sentPaused.removeAll { $0.handle == handle } } else { receivedPaused.removeAll { $0.handle == handle } }
  }

  /// Forgets incomplete values.
  func dropFragments() {
    sentRead = Long()
    receivedRead = Long()
    sentPaused = []
    receivedPaused = []
    sentWrites = []
    receivedWrites = []
    preparedBytes = 0
  }
}

/// A signaling request that waits for its response.
struct OpenSignal {
  var frame: Int
  var time: Int64
  var row: RowReference
  var code: L2CAP.SignalingCode
  var psm: UInt16 = 0
  var mtu: UInt16 = 672
  var channels: [UInt16] = []
}
