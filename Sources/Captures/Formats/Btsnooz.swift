import PacketCodecs

extension CaptureFormat {
  /// The memory log in an Android bug report, in its text or as a file. It is only read.
  public static let btsnooz = CaptureFormat(
    name: "btsnooz", recognition: .blockInText, makeReader: BtsnoozReader.open,
    // Record types give the direction of a packet.
    pcapLinkTypes: [LinkType.hciH4.number: LinkType.hciH4WithDirection.number])
}

/// Reads the memory log that Android puts into a bug report: base64 of a version, the time of the last packet, and zlib data with small records
/// (AOSP, system/bt/tools/scripts/btsnooz.py). Each record has the time since the previous one, so the first pass computes the start time.
struct BtsnoozReader: RecordReader {
  /// Most bytes that such a block unpacks to; Android keeps 256 KiB, or 1 MiB in debug builds.
  private static let maxBytes = 8 << 20
  private static let marker = Array("BEGIN:BTSNOOP_LOG_SUMMARY".utf8)

  private let version: UInt8
  private var time: Int64
  /// It is a file with the header of btsnoop, which has no time of the last packet; `isHeaderSkipped`: the header was read.
  private var isFile = false
  private var isHeaderSkipped = true

  var format: CaptureFormat { .btsnooz }
  var title: String { isFile ? "btsnooz of Android" : "btsnooz of an Android bug report" }
  var interfaces: [CaptureInterface] { [CaptureInterface(linkType: LinkType.hciH4.number)] }

  var limits: [CaptureLimit] {
    let cut = CaptureLimit(id: "android-snooz", text: "Android's memory log: data are cut to the first bytes of each packet", packets: 0)
    return isFile ? [cut, .noTimeOfDay] : [cut]
  }

  private var recordHeader: Int { version == 1 ? 7 : 9 }

  static func open(_ input: PeekedInput, atEnd: Bool) throws(CaptureError) -> (any PacketSource)? {
    guard let found = try find(in: input) else { return nil }
    let unpacked = SliceInput(
      MemoryInput(found.records, path: input.path), start: 0, length: found.records.count, path: input.path, fault: found.trouble)
    let source = RecordSource(found.reader, input: unpacked)
    source.notices = ["\(input.path): the snoop log in the text of an Android bug report"]
    if found.others > 0 {
      let logs = found.others == 1 ? "one more snoop log, which is" : "\(found.others) more snoop logs, which are"
      source.notices.append("\(input.path): the text has \(logs) not read: put each into a file of its own")
    }
    return source
  }

  /// Opens Android's `btsnooz_hci.log`: the header of a btsnoop file, and then the records of the memory log (AOSP, gd/hal/snoop_logger.cc). Returns
  /// nil where the records are those of btsnoop.
  static func open(file input: PeekedInput) -> (any PacketSource)? {
    let head = input.head
    let bytes = head.rawSpan
    let start = BtsnoopReader.fileHeader
    guard bytes.byteCount > start + 9, bytes.big32(start + 4) > 0xFFFF || bytes.big32(start) < bytes.big32(start + 4) else { return nil }
    var at = start
    var count = 0
    while count < 16, at + 9 <= bytes.byteCount {
      let (length, whole) = (Int(bytes.little16(at)), Int(bytes.little16(at + 2)))
      guard length > 0, whole >= length, kind(bytes.byte(at + 8)).0 != .opaque else { return nil }
      at += 8 + length
      count += 1
    }
    // One record can look like this by chance.
    guard count > 2 || at == bytes.byteCount else { return nil }
    var reader = BtsnoozReader(version: 2, time: -Int64(bytes.little32(start + 4)))
    (reader.isFile, reader.isHeaderSkipped) = (true, false)
    return RecordSource(reader, input: input)
  }

  /// Finds the first block in the text of a bug report and unpacks it. Returns a reader, the unpacked records, the error of the zlib stream if it has
  /// one, and the number of other blocks; nil where the text has no block.
  private static func find(
    in text: any ByteInput
  ) throws(CaptureError) -> (reader: BtsnoozReader, records: [UInt8], trouble: String?, others: Int)? {
    guard let (packed, others) = try block(in: text), packed.count > 9 else { return nil }
    let version = packed[0]
    let last = Int64(bitPattern: packed.rawSpan.little64(1))
    guard version == 1 || version == 2 else {
      throw .malformed(path: text.path, offset: 0, what: "a btsnooz block of version \(version); 1 and 2 are known")
    }
    let inflated = InflateInput(MemoryInput(Array(packed[9...]), path: text.path), wrapper: .zlib, path: text.path)
    guard let records = try inflated.all(limit: maxBytes) else {
      throw .malformed(path: text.path, offset: 0, what: "a btsnooz block of more than \(maxBytes) bytes")
    }
    var reader = BtsnoozReader(version: version, time: last)
    reader.goToStart(records.rawSpan)
    return (reader, records, inflated.trouble, others)
  }

  private init(version: UInt8, time: Int64) {
    self.version = version
    self.time = time
  }

  /// The time from the previous record to the record at an offset.
  private func elapsed(_ bytes: RawSpan, _ at: Int) -> Int64 { Int64(bytes.little32(at + (version == 1 ? 2 : 4))) }

  private mutating func goToStart(_ bytes: RawSpan) {
    var at = 0
    while bytes.byteCount - at >= recordHeader {
      time &-= elapsed(bytes, at)
      at += recordHeader + max(0, Int(bytes.little16(at)) - 1)
    }
  }

  mutating func parse(_ bytes: RawSpan, frame: inout Int, into batch: PacketBatch) -> Parsed {
    let header = recordHeader
    var at = 0
    if !isHeaderSkipped {
      if bytes.byteCount < BtsnoopReader.fileHeader { return Parsed(consumed: 0, needs: BtsnoopReader.fileHeader) }
      isHeaderSkipped = true
      at = BtsnoopReader.fileHeader
    }
    while batch.count < batchRecords {
      if bytes.byteCount - at < header { return Parsed(consumed: at, needs: header) }
      let length = Int(bytes.little16(at))
      if length == 0 { return Parsed(consumed: at, damage: "a record of no length") }
      if bytes.byteCount - at - header < length - 1 { return Parsed(consumed: at, needs: header + length - 1) }
      frame &+= 1
      time &+= elapsed(bytes, at)
      var record = PacketRecord()
      record.frame = frame
      record.time = time
      record.offset = at + header - 1
      record.captured = length
      record.original = version == 1 ? length : Int(bytes.little16(at + 2))
      record.payload = 1
      (record.kind, record.direction) = BtsnoozReader.kind(bytes.byte(at + header - 1))
      batch.append(record)
      at += header + length - 1
    }
    return Parsed(consumed: at)
  }

  private static func kind(_ type: UInt8) -> (PacketKind, PacketDirection) {
    switch type {
    case 0x10: (.event, .received)
    case 0x11: (.acl, .received)
    case 0x12: (.sco, .received)
    case 0x17: (.iso, .received)
    case 0x20: (.command, .sent)
    case 0x21: (.acl, .sent)
    case 0x22: (.sco, .sent)
    case 0x2D: (.iso, .sent)
    default: (.opaque, .unknown)
    }
  }

  /// The decoded base64 between the first markers, and the number of blocks behind it.
  private static func block(in text: any ByteInput) throws(CaptureError) -> (bytes: [UInt8], others: Int)? {
    var (matched, inBlock, lineSkipped, isRead, count) = (0, false, false, false, 0)
    // A local copy, because each byte of a bug report is compared with it.
    let marker = Self.marker
    var decoder = Base64()
    while true {
      let chunk = try text.piece(upTo: 256 << 10)
      if chunk.isEmpty { return count > 0 ? (decoder.bytes, count - 1) : nil }
      for byte in chunk {
        if !inBlock {
          matched = byte == marker[matched] ? matched + 1 : byte == marker[0] ? 1 : 0
          guard matched == marker.count else { continue }
          (count, matched) = (count + 1, 0)
          inBlock = !isRead
        } else if !lineSkipped {
          lineSkipped = byte == 10
        } else if !decoder.take(byte) || decoder.bytes.count > maxBytes {
          (inBlock, isRead) = (false, true)
        }
      }
    }
  }
}
