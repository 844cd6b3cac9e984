import PacketCodecs

extension CaptureFormat {
  /// pcap as tcpdump writes it: one link type per file.
  public static let pcap = CaptureFormat(
    name: "pcap",
    fileEndings: ["pcap", "cap"],
    variants: [
      Variant(name: "pcap", meaning: "pcap, with the link type that fits the source"),
      Variant(name: "pcap-187", meaning: "pcap of HCI H4, without directions", linkType: 187),
      Variant(name: "pcap-201", meaning: "pcap of HCI H4 with direction", linkType: 201),
      Variant(name: "pcap-254", meaning: "pcap of the Linux monitor", linkType: 254),
      Variant(name: "pcap-251", meaning: "pcap of the LE Link Layer", linkType: 251),
      Variant(name: "pcap-256", meaning: "pcap of the LE Link Layer with a sniffer's header", linkType: 256),
    ],
    recognition: .signature { PcapReader.magic(of: $0) != nil },
    makeReader: PcapReader.open,
    makeEncoder: { PcapEncoder(wanted: $0.linkType) })
}

/// Reads pcap: a 24-byte header, then records of 16 bytes and the packet, in the byte order of the machine that wrote it (draft-ietf-opsawg-pcap).
/// libpcap is not used, so that archives and pipes can be read too, and damage is reported with its offset.
struct PcapReader: RecordReader {
  static let fileHeader = 24
  static let recordHeader = 16

  let order: ByteOrder
  let isNanoseconds: Bool
  let linkType: LinkType
  private var isHeaderSkipped = false
  private var usb = USBTransfers()

  /// Byte order and time unit by the first four bytes; nil where they are not those of a pcap.
  static func magic(of head: [UInt8]) -> (order: ByteOrder, isNanoseconds: Bool)? {
    if head.count < 4 { return nil }
    return switch head.rawSpan.big32(0) {
    case 0xA1B2_C3D4: (ByteOrder(isBig: true), false)
    case 0xA1B2_3C4D: (ByteOrder(isBig: true), true)
    case 0xD4C3_B2A1: (ByteOrder(isBig: false), false)
    case 0x4D3C_B2A1: (ByteOrder(isBig: false), true)
    default: nil
    }
  }

  static func open(_ input: PeekedInput, atEnd: Bool) throws(CaptureError) -> (any PacketSource)? {
    let head = input.head
    guard let magic = magic(of: head), head.count >= fileHeader else {
      if atEnd { throw .malformed(path: input.path, offset: head.count, what: "pcap, cut short in its header") }
      return nil
    }
    let number = Int(magic.order.u32(head.rawSpan, 20) & 0x03FF_FFFF)
    guard let linkType = LinkType.of(number) else {
      throw .malformed(path: input.path, offset: 20, what: "pcap of link type \(number), which is not Bluetooth")
    }
    return RecordSource(PcapReader(order: magic.order, isNanoseconds: magic.isNanoseconds, linkType: linkType), input: input)
  }

  private init(order: ByteOrder, isNanoseconds: Bool, linkType: LinkType) {
    self.order = order
    self.isNanoseconds = isNanoseconds
    self.linkType = linkType
  }

  var format: CaptureFormat { .pcap }
  var title: String { "pcap (\(linkType.name))" }
  var interfaces: [CaptureInterface] { [CaptureInterface(linkType: linkType.number)] }

  mutating func parse(_ bytes: RawSpan, frame: inout Int, into batch: PacketBatch) -> Parsed {
    let count = bytes.byteCount
    var at = 0
    defer { usb.flush(into: batch) }
    if !isHeaderSkipped {
      if count < PcapReader.fileHeader { return Parsed(needs: PcapReader.fileHeader) }
      isHeaderSkipped = true
      at = PcapReader.fileHeader
    }
    while batch.count < batchRecords {
      if count &- at < PcapReader.recordHeader { return Parsed(consumed: at, needs: PcapReader.recordHeader) }
      let captured = Int(order.u32(bytes, at &+ 8))
      let start = at &+ PcapReader.recordHeader
      if count &- start < captured { return Parsed(consumed: at, needs: PcapReader.recordHeader &+ captured) }
      frame &+= 1
      var record = PacketRecord()
      record.frame = frame
      // Some sniffers write a time before the full second as a negative fraction.
      let fraction = Int64(Int32(bitPattern: order.u32(bytes, at &+ 4)))
      record.time = Int64(order.u32(bytes, at)) &* 1_000_000 &+ (isNanoseconds ? fraction / 1000 : fraction)
      record.offset = start
      record.captured = captured
      record.full = order.u32(bytes, at &+ 12)
      let packet = bytes.extracting(start..<start &+ captured)
      if let header = linkType.usb {
        usb.classify(&record, packet, header: header, order: order, end: count)
      } else {
        linkType.classify(&record, packet)
      }
      batch.append(record)
      at = start &+ captured
    }
    return Parsed(consumed: at)
  }
}

/// Writes pcap, in little endian with microseconds.
struct PcapEncoder: CaptureEncoder {
  /// The link type that the user requests.
  let wanted: Int?
  private var linkType = 0
  private var body = EncodedBody()

  init(wanted: Int?) { self.wanted = wanted }

  var notePosition: NotePosition { linkType == LinkType.linuxMonitor.number ? .record : .nowhere }

  mutating func header(_ origin: CaptureInterface, _ format: CaptureFormat, _ options: EncoderOptions) -> [UInt8] {
    linkType = wanted ?? options.linkType(of: origin, format)
    var header: [UInt8] = []
    header.little32(0xA1B2_C3D4)
    // Version 2.4, no time zone, no accuracy, longest packet.
    header.little16(2)
    header.little16(4)
    header.little32(0)
    header.little32(0)
    header.little32(262_144)
    header.little32(UInt32(truncatingIfNeeded: linkType))
    return header
  }

  mutating func append(_ packet: borrowing OutgoingPacket, to record: inout [UInt8], _ losses: inout CaptureLosses) -> Bool {
    guard body.encode(packet, linkType: linkType, &losses) else { return false }
    if linkType != LinkType.linuxMonitor.number && packet.record.adapter != 0xFFFF { losses.add(.adapter) }
    if linkType == LinkType.hciH4.number && packet.record.kind.hasDirection && packet.record.direction != .unknown {
      losses.add(.direction)
    }
    if packet.record.drops > 0 { losses.add(.drops) }
    var time = packet.record.time
    if time < 0 || time > Int64(UInt32.max) * 1_000_000 {
      losses.add(.time)
      time = 0
    }
    record.little32(UInt32(time / 1_000_000))
    record.little32(UInt32(time % 1_000_000))
    let kept = body.count(packet)
    record.append(words: (UInt32(clamping: kept).littleEndian, UInt32(clamping: kept + packet.record.cutBytes).littleEndian))
    body.append(packet, to: &record)
    return true
  }
}
