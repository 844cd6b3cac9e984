import PacketCodecs

extension CaptureFormat {
  /// btsnoop, RFC 1761 with Bluetooth datalinks: big endian, one datalink per file.
  public static let btsnoop = CaptureFormat(
    name: "btsnoop",
    fileEndings: ["btsnoop", "snoop", "log", "cfa"],
    variants: [
      Variant(name: "btsnoop", meaning: "btsnoop, with the datalink that fits the source"),
      Variant(name: "btsnoop-h1", meaning: "btsnoop 1001: HCI without type bytes", linkType: 1001),
      Variant(name: "btsnoop-h4", meaning: "btsnoop 1002: HCI with H4 type bytes", linkType: 1002),
      Variant(name: "btsnoop-monitor", meaning: "btsnoop 2001: Linux monitor, adapters and notes", linkType: 2001),
    ],
    recognition: .signature { $0.starts(with: BtsnoopReader.magic) },
    makeReader: BtsnoopReader.open,
    makeEncoder: { BtsnoopEncoder(wanted: $0.linkType) },
    // Its flags give the direction of a packet.
    pcapLinkTypes: [LinkType.hciH4.number: LinkType.hciH4WithDirection.number])
}

/// The content of the records of a btsnoop file.
enum BtsnoopDatalink: Int {
  /// HCI packets without a type byte; flags separate commands and events from data.
  case h1 = 1001
  /// HCI packets with the type byte of the UART transport.
  case h4 = 1002
  /// Linux HCI monitor: adapter and opcode in the flags.
  case monitor = 2001
}

/// The header of each record, big endian.
private struct BtsnoopRecordHeader: BitwiseCopyable {
  var original: UInt32
  var included: UInt32
  var flags: UInt32
  var drops: UInt32
  var time: UInt64
}

/// Reads btsnoop: a 16-byte header, then records of 24 bytes and the packet, all big endian (RFC 1761; BlueZ, doc/btsnoop-protocol.rst).
struct BtsnoopReader: RecordReader {
  /// Microseconds from the format's year 0 to 1970; a constant, as this number of days matches no calendar.
  static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000
  static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0]
  static let fileHeader = 16
  static let recordHeader = 24

  let datalink: BtsnoopDatalink
  private var isHeaderSkipped = false
  private var android = AndroidLimits()

  init(_ datalink: BtsnoopDatalink) { self.datalink = datalink }

  static func open(_ input: PeekedInput, atEnd: Bool) throws(CaptureError) -> (any PacketSource)? {
    let head = input.head
    guard head.count >= fileHeader else {
      if atEnd { throw .malformed(path: input.path, offset: head.count, what: "btsnoop, cut short in its header") }
      return nil
    }
    let version = head.rawSpan.big32(8)
    let datalink = Int(head.rawSpan.big32(12))
    if version != 1 { throw .malformed(path: input.path, offset: 8, what: "btsnoop of version \(version); only 1 is known") }
    if datalink == 1003 || datalink == 1004 { return RecordSource(UARTFrameReader(isBCSP: datalink == 1003), input: input) }
    guard let known = BtsnoopDatalink(rawValue: datalink) else {
      throw .malformed(path: input.path, offset: 12, what: "btsnoop with datalink \(datalink), which is not read")
    }
    if known == .h4, let memoryLog = BtsnoozReader.open(file: input) { return memoryLog }
    return RecordSource(BtsnoopReader(known), input: input)
  }

  var format: CaptureFormat { .btsnoop }

  var title: String {
    switch datalink {
    case .h1: "btsnoop (HCI without type bytes)"
    case .h4: "btsnoop (H4)"
    case .monitor: "btsnoop (Linux monitor)"
    }
  }

  var interfaces: [CaptureInterface] {
    [CaptureInterface(linkType: datalink == .monitor ? LinkType.linuxMonitor.number : LinkType.hciH4.number)]
  }

  var limits: [CaptureLimit] { android.limits }

  mutating func parse(_ bytes: RawSpan, frame: inout Int, into batch: PacketBatch) -> Parsed {
    let count = bytes.byteCount
    var at = 0
    if !isHeaderSkipped {
      if count < BtsnoopReader.fileHeader { return Parsed(needs: BtsnoopReader.fileHeader) }
      isHeaderSkipped = true
      at = BtsnoopReader.fileHeader
    }
    // Files have millions of records, and each is read twice: `frame` is read and written back only once.
    var number = frame
    defer { frame = number }
    while batch.count < batchRecords {
      if count &- at < BtsnoopReader.recordHeader { return Parsed(consumed: at, needs: BtsnoopReader.recordHeader) }
      let header = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: at, as: BtsnoopRecordHeader.self)
      let included = UInt32(bigEndian: header.included)
      let start = at &+ BtsnoopReader.recordHeader
      if count &- start < Int(included) { return Parsed(consumed: at, needs: BtsnoopReader.recordHeader &+ Int(included)) }
      number &+= 1
      let flags = UInt32(bigEndian: header.flags)
      var record = PacketRecord()
      record.frame = number
      record.time = Int64(bitPattern: UInt64(bigEndian: header.time)) &- BtsnoopReader.epoch
      record.offset = start
      record.kept = included
      record.full = UInt32(bigEndian: header.original)
      record.drops = UInt32(bigEndian: header.drops)
      switch datalink {
      case .h4:
        record.direction = BtsnoopReader.direction(flags)
        H4.classify(&record, included == 0 ? nil : bytes.byte(start))
        if record.isTruncated { android.add(record, bytes.extracting(start..<start &+ Int(included))) }
      case .h1:
        record.direction = BtsnoopReader.direction(flags)
        record.kind = flags & 2 == 0 ? .acl : flags & 1 == 0 ? .command : .event
      case .monitor:
        Monitor.classify(&record, adapter: UInt16(truncatingIfNeeded: flags >> 16), opcode: UInt16(truncatingIfNeeded: flags))
      }
      batch.append(record)
      at = start &+ Int(included)
    }
    return Parsed(consumed: at)
  }

  @inline(__always)
  private static func direction(_ flags: UInt32) -> PacketDirection { flags & 1 == 0 ? .sent : .received }
}

/// Writes btsnoop.
struct BtsnoopEncoder: CaptureEncoder {
  /// The datalink that the user requests.
  let wanted: Int?
  private var datalink = BtsnoopDatalink.h4

  init(wanted: Int?) { self.wanted = wanted }

  var notePosition: NotePosition { datalink == .monitor ? .record : .nowhere }

  mutating func header(_ origin: CaptureInterface, _ format: CaptureFormat, _ options: EncoderOptions) -> [UInt8] {
    let isMonitor = origin.linkType == LinkType.linuxMonitor.number
    datalink = wanted.map { BtsnoopDatalink(rawValue: $0) ?? .monitor } ?? (isMonitor ? .monitor : .h4)
    var header = BtsnoopReader.magic
    header.big32(1)
    header.big32(UInt32(datalink.rawValue))
    return header
  }

  mutating func append(_ packet: borrowing OutgoingPacket, to record: inout [UInt8], _ losses: inout CaptureLosses) -> Bool {
    let (kind, direction) = (packet.record.kind, packet.record.direction)
    let isFromMonitor = packet.origin.linkType == LinkType.linuxMonitor.number
    let isReceived: UInt32 = direction == .received ? 1 : 0
    var flags = isReceived
    var type: UInt8?
    var text: [UInt8] = []
    var body = packet.payload
    switch datalink {
    case .h1:
      guard kind == .command || kind == .event || kind == .acl else { return false }
      flags = kind == .event ? 3 : kind == .command ? 2 : isReceived
      if kind == .acl && direction == .unknown { losses.add(.direction) }
    case .h4:
      if kind == .unknownH4 || packet.record.captured == 0 && kind == .opaque && !isFromMonitor {
        body = packet.bytes
      } else {
        guard let known = H4.type(kind) else { return false }
        type = known
      }
      if kind == .command { flags = 2 }
      if kind == .event { flags = 3 }
      if direction == .unknown && kind.hasDirection { losses.add(.direction) }
    case .monitor:
      guard let opcode = kind == .syslog ? Monitor.systemNote : Monitor.opcode(kind, direction) else { return false }
      if kind == .syslog {
        text = Array(NoteText.text(kind, packet.payload).utf8) + [0]
        body = RawSpan()
      }
      if kind.losesDirectionInMonitor(direction) { losses.add(.direction) }
      let adapter = packet.record.adapter == 0xFFFF && kind.isHCI && !isFromMonitor ? 0 : packet.record.adapter
      flags = UInt32(adapter) << 16 | UInt32(opcode)
    }
    if datalink != .monitor && packet.record.adapter != 0xFFFF { losses.add(.adapter) }
    let kept = body.byteCount + text.count + (type == nil ? 0 : 1)
    let time = UInt64(bitPattern: packet.record.time &+ BtsnoopReader.epoch)
    record.append(
      words: (
        UInt32(clamping: kept + packet.record.cutBytes).bigEndian, UInt32(clamping: kept).bigEndian, flags.bigEndian,
        packet.record.drops.bigEndian, time.bigEndian
      ))
    if let type { record.append(type) }
    record.append(body)
    if !text.isEmpty { record.append(contentsOf: text) }
    return true
  }
}
