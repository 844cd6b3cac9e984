/// A packet to write, with what its capture says of it.
struct OutgoingPacket: ~Escapable {
  let record: PacketRecord
  /// All bytes as captured, the link header included.
  let bytes: RawSpan
  let payload: RawSpan
  /// The interface that it comes from.
  let origin: CaptureInterface
  /// The format that it comes from.
  let format: CaptureFormat
  /// Comments, in UTF-8.
  let comments: [[UInt8]]

  @_lifetime(copy bytes, copy payload)
  init(
    _ record: PacketRecord, bytes: RawSpan, payload: RawSpan, origin: CaptureInterface, format: CaptureFormat, comments: [[UInt8]]
  ) {
    self.record = record
    self.bytes = bytes
    self.payload = payload
    self.origin = origin
    self.format = format
    self.comments = comments
  }
}

/// What applies to a capture that is written as a whole. It is set before the first packet.
struct EncoderOptions {
  /// What is said of the capture as a whole, where the format has a place for it at its start.
  var comment: String?
  /// Records of pcap and pcapng files stay as they are in such files, sniffers' headers included.
  var keepsLinkTypes = false

  /// The link type for packets of an interface.
  func linkType(of origin: CaptureInterface, _ format: CaptureFormat) -> Int {
    let isPcap = format == .pcap || format == .pcapng
    if keepsLinkTypes, isPcap, LinkType.of(origin.linkType)?.usb == nil { return origin.linkType }
    return format.pcapLinkType(of: origin)
  }
}

/// Writes packets in one format.
protocol CaptureEncoder {
  /// The bytes that the capture starts with. The first packet's interface and format decide what the user has left open.
  mutating func header(_ origin: CaptureInterface, _ format: CaptureFormat, _ options: EncoderOptions) -> [UInt8]
  /// Appends a packet to `record`, and counts what has no place there. Returns false, with nothing appended, where the format cannot hold
  /// the packet.
  mutating func append(_ packet: borrowing OutgoingPacket, to record: inout [UInt8], _ losses: inout CaptureLosses) -> Bool
  /// Calls the interface of an adapter so.
  mutating func name(adapter: UInt16, _ name: String, _ description: String)
  /// Comments of packets have a place.
  var holdsComments: Bool { get }
  /// Where a text about the whole capture stands.
  var notePlace: NotePlace { get }
}

/// Where a format has a place for a text about the whole capture.
enum NotePlace {
  /// In its header: ``EncoderOptions/comment``.
  case header
  /// As a record among the packets.
  case record
  case nowhere
}

extension CaptureEncoder {
  var holdsComments: Bool { false }
  mutating func name(adapter: UInt16, _ name: String, _ description: String) {}
}
