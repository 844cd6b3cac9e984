/// A packet to write, with its metadata.
struct OutgoingPacket: ~Escapable {
  let record: PacketRecord
  /// All captured bytes, including the link header.
  let bytes: RawSpan
  let payload: RawSpan
  /// The interface on which it was captured.
  let origin: CaptureInterface
  /// The format of its capture.
  let format: CaptureFormat
  /// Comments, in UTF-8.
  let comments: [ArraySlice<UInt8>]

  @_lifetime(copy bytes, copy payload)
  init(
    _ record: PacketRecord, bytes: RawSpan, payload: RawSpan, origin: CaptureInterface, format: CaptureFormat, comments: [ArraySlice<UInt8>]
  ) {
    self.record = record
    self.bytes = bytes
    self.payload = payload
    self.origin = origin
    self.format = format
    self.comments = comments
  }
}

/// Options for the entire output. They are set before the first packet.
struct EncoderOptions {
  /// A comment on the capture, for formats that have a field for it at their start.
  var comment: String?
  /// Records of pcap and pcapng files are copied unchanged into such files, including sniffers' headers.
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
  /// The first bytes of the file. The interface and format of the first packet determine what the user did not specify.
  mutating func header(_ origin: CaptureInterface, _ format: CaptureFormat, _ options: EncoderOptions) -> [UInt8]
  /// Appends a packet to `record`, and counts lost properties. Returns false, with nothing appended, if the format cannot hold the packet.
  mutating func append(_ packet: borrowing OutgoingPacket, to record: inout [UInt8], _ losses: inout CaptureLosses) -> Bool
  /// Sets name and description for the interface of an adapter.
  mutating func name(adapter: UInt16, _ name: String, _ description: String)
  /// The format can hold comments of packets.
  var holdsComments: Bool { get }
  /// Location of a text about the entire capture.
  var notePosition: NotePosition { get }
}

/// Location of a text about the entire capture in a format.
enum NotePosition {
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
