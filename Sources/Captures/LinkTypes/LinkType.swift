/// A link type with its tcpdump.org number: how the header before a packet is read and written. Each is described in a file of this folder; ``all``
/// lists them.
struct LinkType: Sendable {
  let number: Int
  /// The name on tcpdump.org.
  let name: String
  /// Sets the properties from the link header: kind, direction, adapter, length of the header. `bytes` are the captured ones.
  let classify: @Sendable (_ record: inout PacketRecord, _ bytes: borrowing RawSpan) -> Void
  /// Writes the header before a packet's payload into `body`, and counts lost properties. Returns false where the link type cannot hold the packet.
  /// Nil where records can only be copied from a capture of the same link type.
  var encode: (@Sendable (_ record: PacketRecord, _ body: inout EncodedBody, _ losses: inout CaptureLosses) -> Bool)?
  /// Records of the same link type are copied unchanged.
  var isCopied = true
  /// The link type that holds the same properties in files of another format; nil for itself.
  var writtenAs: Int?
  /// The packets are USB transfers with this header, which ``USBTransfers`` classifies instead of ``classify``.
  var usb: USBTransfers.Header?
  /// The packets go between a host and its controller, without the number of the adapter.
  var isOfSingleAdapter = false

  /// All link types that are read. A new one is a description in this folder and a line here.
  static let all: [LinkType] = [
    .hciH4,
    .hciH4WithDirection,
    .linuxMonitor,
    .linkLayer,
    .linkLayerWithHeader,
    .nordic,
    .nordicOld,
    .ppi,
    .baseband,
    .usbLinux,
    .usbLinuxPadded,
    .usbPcap,
  ]

  /// The link type with a number; nil if it is not supported.
  static func of(_ number: Int) -> LinkType? { all.first { $0.number == number } }
}

/// The bytes of a packet in a record of some link type. It is reused for all packets of a file, so that its header needs no new memory.
struct EncodedBody {
  /// The bytes after the header.
  private enum Rest { case record, payload, nothing }

  /// Bytes before the packet.
  var header: [UInt8] = []
  private var rest = Rest.payload

  /// The record's captured bytes follow, instead of the payload.
  mutating func copyRecord() { rest = .record }

  /// Sets the bytes for a packet in a capture of `linkType`; returns false if that cannot hold the packet.
  mutating func encode(_ packet: borrowing OutgoingPacket, linkType: Int, _ losses: inout CaptureLosses) -> Bool {
    header.removeAll(keepingCapacity: true)
    rest = .payload
    let isSame = packet.origin.linkType == linkType
    guard let encode = LinkType.of(linkType).flatMap({ isSame && $0.isCopied ? nil : $0.encode }) else {
      rest = .record
      return isSame
    }
    guard encode(packet.record, &self, &losses) else { return false }
    if packet.record.kind == .syslog {
      header.append(contentsOf: NoteText.text(packet.record.kind, packet.payload).utf8)
      header.append(0)
      rest = .nothing
    }
    return true
  }

  /// The bytes after the header.
  @_lifetime(copy packet)
  private func bytes(_ packet: borrowing OutgoingPacket) -> RawSpan {
    switch rest {
    case .record: packet.bytes
    case .payload: packet.payload
    case .nothing: RawSpan()
    }
  }

  /// Number of bytes, with the header.
  func count(_ packet: borrowing OutgoingPacket) -> Int { header.count + bytes(packet).byteCount }

  /// Appends header and bytes.
  func append(_ packet: borrowing OutgoingPacket, to record: inout [UInt8]) {
    if !header.isEmpty { record.append(contentsOf: header) }
    record.append(bytes(packet))
  }
}

extension PacketKind {
  /// A packet between host and controller.
  public var isHCI: Bool {
    switch self {
    case .command, .event, .acl, .sco, .iso, .vendorDiagnostic, .unknownH4: true
    default: false
    }
  }

  /// Packets of this kind have both directions.
  var hasDirection: Bool { isHCI && self != .command && self != .event }
}

extension PacketRecord {
  /// The four bytes before the packet are not counted as part of it, as in Wireshark.
  @inline(__always)
  mutating func dropPseudoHeader() {
    offset &+= 4
    captured &-= 4
    original = max(0, original &- 4)
  }
}
