import PacketCodecs

extension CaptureFormat {
  /// Apple's PacketLogger.
  public static let packetLogger = CaptureFormat(
    name: "pklg",
    fileEndings: ["pklg"],
    variants: [
      Variant(name: "pklg", meaning: "PacketLogger, big endian"),
      Variant(name: "pklg-le", meaning: "PacketLogger, little endian", isBigEndian: false),
    ],
    recognition: .signature { PacketLoggerReader.order(of: $0) != nil },
    makeReader: PacketLoggerReader.open,
    makeEncoder: { PacketLoggerEncoder(order: ByteOrder(isBig: $0.isBigEndian)) },
    // Only the monitor link type can hold notes.
    pcapLinkTypes: [LinkType.hciH4WithDirection.number: LinkType.linuxMonitor.number])
}

/// Reads Apple's PacketLogger: records of length, seconds, microseconds and type, in either byte order, without a header of the file.
struct PacketLoggerReader: RecordReader {
  static let recordHeader = 13
  /// Longest accepted record.
  static let longest = 1 << 20

  let order: ByteOrder

  var format: CaptureFormat { .packetLogger }
  var title: String { "PacketLogger (\(order.isBig ? "big" : "little") endian)" }
  var interfaces: [CaptureInterface] { [CaptureInterface(linkType: LinkType.hciH4WithDirection.number)] }

  static func open(_ input: PeekedInput, atEnd: Bool) throws(CaptureError) -> (any PacketSource)? {
    order(of: input.head).map { RecordSource(PacketLoggerReader(order: $0), input: input) }
  }

  /// The byte order of a file that starts with `head`, if it is a PacketLogger file: its first record is valid and has a known type, or its first two
  /// are valid and one has. In little endian a valid record must follow the first, as other files begin with small numbers in this order, too.
  static func order(of head: [UInt8]) -> ByteOrder? {
    let bytes = head.rawSpan
    for order in [ByteOrder(isBig: true), ByteOrder(isBig: false)] {
      var (at, known, seen) = (0, 0, 0)
      while seen < 2, bytes.byteCount - at >= recordHeader {
        let length = Int(order.u32(bytes, at))
        if length < 8 || length > 0xFFFF || order.u32(bytes, at + 8) >= 1_000_000 { break }
        seen += 1
        if kind(bytes.byte(at + 12)).kind != .opaque { known += 1 }
        at += 4 + length
        if known == 1 && seen == 1, order.isBig || at >= bytes.byteCount { return order }
      }
      if seen == 2 && known > 0 { return order }
    }
    return nil
  }

  /// Kind and direction of a record type.
  @inline(__always)
  static func kind(_ type: UInt8) -> (kind: PacketKind, direction: PacketDirection) {
    switch type {
    case 0x00: (.command, .sent)
    case 0x01: (.event, .received)
    case 0x02: (.acl, .sent)
    case 0x03: (.acl, .received)
    case 0x08: (.sco, .sent)
    case 0x09: (.sco, .received)
    case 0x0A: (.baseband, .sent)
    case 0x0B: (.baseband, .received)
    case 0x12: (.iso, .sent)
    case 0x13: (.iso, .received)
    case 0xF7: (.syslog, .unknown)
    case 0xF8...0xFE: (.systemNote, .unknown)
    default: (.opaque, .unknown)
    }
  }

  mutating func parse(_ bytes: RawSpan, frame: inout Int, into batch: PacketBatch) -> Parsed {
    let count = bytes.byteCount
    var at = 0
    while batch.count < batchRecords {
      if count &- at < 4 { return Parsed(consumed: at, needs: 4) }
      let length = Int(order.u32(bytes, at))
      if length < 8 || length > PacketLoggerReader.longest { return Parsed(consumed: at, damage: "a record length of \(length)") }
      if count &- at &- 4 < length { return Parsed(consumed: at, needs: 4 &+ length) }
      frame &+= 1
      var record = PacketRecord()
      record.frame = frame
      record.time = Int64(order.u32(bytes, at &+ 4)) &* 1_000_000 &+ Int64(order.u32(bytes, at &+ 8))
      record.offset = at &+ 12
      record.captured = length &- 8
      record.original = record.captured
      if length > 8 {
        (record.kind, record.direction) = PacketLoggerReader.kind(bytes.byte(at &+ 12))
        record.payload = 1
      }
      batch.append(record)
      at &+= 4 &+ length
    }
    return Parsed(consumed: at)
  }
}

/// Writes PacketLogger.
struct PacketLoggerEncoder: CaptureEncoder {
  let order: ByteOrder

  var notePosition: NotePosition { .record }

  mutating func header(_ origin: CaptureInterface, _ format: CaptureFormat, _ options: EncoderOptions) -> [UInt8] { [] }

  mutating func append(_ packet: borrowing OutgoingPacket, to record: inout [UInt8], _ losses: inout CaptureLosses) -> Bool {
    let kind = packet.record.kind
    let isCopy = packet.format == .packetLogger
    var type: UInt8?
    if !isCopy {
      type = kind == .userLogging ? 0xFC : PacketLoggerEncoder.type(kind, packet.record.direction)
      // The type of baseband packets means diagnostic records of Broadcom's controllers; what a sniffer received has another form.
      if kind == .baseband, packet.origin.linkType == LinkType.baseband.number { return false }
      if type == nil { return false }
      if packet.record.direction == .unknown && kind.hasDirection { losses.add(.direction) }
      if packet.record.adapter != 0xFFFF { losses.add(.adapter) }
    }
    if packet.record.isTruncated { losses.add(.original) }
    if packet.record.drops > 0 { losses.add(.drops) }
    var time = packet.record.time
    if time < 0 || time > Int64(UInt32.max) * 1_000_000 {
      losses.add(.time)
      time = 0
    }
    let isText = kind == .userLogging
    let text = isText ? Array(NoteText.text(kind, packet.payload).utf8) : []
    let rest = isCopy ? packet.bytes : isText ? RawSpan() : packet.payload
    let length = UInt32(clamping: 8 + (type == nil ? 0 : 1) + text.count + rest.byteCount)
    for value in [length, UInt32(time / 1_000_000), UInt32(time % 1_000_000)] {
      if order.isBig { record.big32(value) } else { record.little32(value) }
    }
    if let type { record.append(type) }
    record.append(contentsOf: text)
    record.append(rest)
    return true
  }

  /// The type of records of a kind and direction; nil where there is none.
  private static func type(_ kind: PacketKind, _ direction: PacketDirection) -> UInt8? {
    let received: UInt8 = direction == .received ? 1 : 0
    return switch kind {
    case .command: 0x00
    case .event: 0x01
    case .acl: 0x02 + received
    case .sco: 0x08 + received
    case .baseband: 0x0A + received
    case .iso: 0x12 + received
    case .syslog: 0xF7
    case .systemNote: 0xFC
    default: nil
    }
  }
}
