/// The memory log that Android puts into a bug report: base64 of a version, the time of the last packet, and zlib data with small records
/// (AOSP, system/bt/tools/scripts/btsnooz.py). Each record tells the time since the one before, so the first pass finds the start.
struct Btsnooz: RecordFormat {
  /// Most bytes that such a block unpacks to; Android keeps 256 KiB, or 1 MiB in debug builds.
  private static let mostBytes = 64 << 20
  private static let marker = Array("BEGIN:BTSNOOP_LOG_SUMMARY".utf8)

  private let version: UInt8
  private var time: Int64

  var format: CaptureFormat { .btsnooz }
  var title: String { "btsnooz of an Android bug report" }
  var interfaces: [CaptureInterface] { [CaptureInterface(linkType: LinkType.hciH4)] }

  var limits: [CaptureLimit] {
    [CaptureLimit(id: "android-snooz", text: "Android's memory log: data are cut to the first bytes of each packet", packets: 0)]
  }

  private var recordHeader: Int { version == 1 ? 7 : 9 }

  /// The records and their reader, from the text of a bug report; nil where there is no such block in it.
  static func find(in text: any ByteInput) throws(CaptureError) -> (reader: Btsnooz, records: [UInt8])? {
    guard let packed = try block(in: text), packed.count > 9 else { return nil }
    let version = packed[0]
    let last = unsafe packed.withUnsafeBytes { unsafe $0.baseAddress.map { unsafe little64($0, 1) } ?? 0 }
    guard version == 1 || version == 2 else {
      throw .malformed(path: text.path, offset: 0, what: "a btsnooz block of version \(version); 1 and 2 are known")
    }
    let inflated = InflateInput(MemoryInput(Array(packed[9...]), path: text.path), wrapper: .zlib, path: text.path)
    guard let records = try inflated.all(limit: mostBytes) else {
      throw .malformed(path: text.path, offset: 0, what: "a btsnooz block of more than \(mostBytes) bytes")
    }
    var reader = Btsnooz(version: version, time: Int64(bitPattern: last))
    reader.goToStart(records)
    return (reader, records)
  }

  private init(version: UInt8, time: Int64) {
    self.version = version
    self.time = time
  }

  private mutating func goToStart(_ records: [UInt8]) {
    unsafe records.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      var at = 0
      while bytes.count - at >= recordHeader {
        unsafe time &-= Int64(little32(base, at + (version == 1 ? 2 : 4)))
        unsafe at += recordHeader + max(0, Int(little16(base, at)) - 1)
      }
    }
  }

  mutating func parse(_ bytes: UnsafeRawBufferPointer, frame: inout Int, into batch: PacketBatch) -> Parsed {
    guard let base = bytes.baseAddress else { return Parsed(needs: recordHeader) }
    let header = recordHeader
    var at = 0
    while batch.count < batchRecords {
      if bytes.count - at < header { return Parsed(consumed: at, needs: header) }
      let length = unsafe Int(little16(base, at))
      if length == 0 { return Parsed(consumed: at, damage: "a record of no length") }
      if bytes.count - at - header < length - 1 { return Parsed(consumed: at, needs: header + length - 1) }
      frame &+= 1
      unsafe time &+= Int64(little32(base, at + (version == 1 ? 2 : 4)))
      var record = PacketRecord()
      record.frame = frame
      record.time = time
      record.offset = at + header - 1
      record.captured = length
      record.original = unsafe version == 1 ? length : Int(little16(base, at + 2))
      record.payload = 1
      (record.kind, record.direction) = unsafe Btsnooz.kind(bytes[at + header - 1])
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

  /// The decoded base64 between the markers.
  private static func block(in text: any ByteInput) throws(CaptureError) -> [UInt8]? {
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { unsafe chunk.deallocate() }
    var (matched, inBlock, lineSkipped) = (0, false, false)
    // Each byte of a bug report is compared with it.
    let marker = Self.marker
    var decoder = Base64()
    while true {
      let count = unsafe try text.read(into: chunk)
      if count == 0 { return inBlock ? decoder.bytes : nil }
      for index in 0..<count {
        let byte = unsafe chunk[index]
        if !inBlock {
          matched = byte == marker[matched] ? matched + 1 : byte == marker[0] ? 1 : 0
          inBlock = matched == marker.count
        } else if !lineSkipped {
          lineSkipped = byte == 10
        } else if !decoder.take(byte) || decoder.bytes.count > mostBytes {
          return decoder.bytes
        }
      }
    }
  }
}

/// Base64 (RFC 4648, section 4), a character at a time; white space does not count.
struct Base64 {
  private(set) var bytes: [UInt8] = []
  private var bits: UInt32 = 0
  private var have = 0

  /// Takes a character. Returns false where it is none of base64, so that the data end there.
  mutating func take(_ character: UInt8) -> Bool {
    let value: UInt8
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character + 4
    case UInt8(ascii: "+"): value = 62
    case UInt8(ascii: "/"): value = 63
    case 9, 10, 13, 32, UInt8(ascii: "="): return true
    default: return false
    }
    bits = bits << 6 | UInt32(value)
    have += 6
    if have >= 8 {
      have -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(have)))
    }
    return true
  }
}
