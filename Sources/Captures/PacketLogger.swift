/// Apple's PacketLogger: records of length, seconds, microseconds and type, in either byte order, without a header of the file.
struct PacketLogger: RecordFormat {
  static let recordHeader = 13
  /// Longest record that is believed.
  static let longest = 1 << 20

  let order: ByteOrder

  var format: CaptureFormat { .packetLogger }
  var title: String { "PacketLogger (\(order.isBig ? "big" : "little") endian)" }
  var interfaces: [CaptureInterface] { [CaptureInterface(linkType: LinkType.hciH4WithDirection)] }

  /// The byte order of a file that starts with `head`, if it is a PacketLogger file: its first record makes sense and is of a known type,
  /// or its first two make sense and one is.
  static func order(of head: [UInt8]) -> ByteOrder? {
    unsafe head.withUnsafeBytes { bytes in
      for order in [ByteOrder(isBig: true), ByteOrder(isBig: false)] {
        var (at, known, seen) = (0, 0, 0)
        while seen < 2, bytes.count - at >= recordHeader, let base = bytes.baseAddress {
          let length = unsafe Int(order.u32(base, at))
          if unsafe length < 8 || length > 0xFFFF || order.u32(base, at + 8) >= 1_000_000 { break }
          seen += 1
          if unsafe kind(bytes[at + 12]).kind != .opaque { known += 1 }
          if known == 1 && seen == 1 { return order }
          at += 4 + length
        }
        if seen == 2 && known > 0 { return order }
      }
      return nil
    }
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

  /// The type of a record of some kind and direction, if there is one.
  static func type(_ kind: PacketKind, _ direction: PacketDirection) -> UInt8? {
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

  mutating func parse(_ bytes: UnsafeRawBufferPointer, frame: inout Int, into batch: PacketBatch) -> Parsed {
    guard let base = bytes.baseAddress else { return Parsed(needs: 4) }
    let count = bytes.count
    var at = 0
    while batch.count < batchRecords {
      if count &- at < 4 { return Parsed(consumed: at, needs: 4) }
      let header = unsafe base + at
      let length = unsafe Int(order.u32(header, 0))
      if length < 8 || length > PacketLogger.longest { return Parsed(consumed: at, damage: "a record length of \(length)") }
      if count &- at &- 4 < length { return Parsed(consumed: at, needs: 4 &+ length) }
      frame &+= 1
      var record = PacketRecord()
      record.frame = frame
      record.time = unsafe Int64(order.u32(header, 4)) &* 1_000_000 &+ Int64(order.u32(header, 8))
      record.offset = at &+ 12
      record.captured = length &- 8
      record.original = record.captured
      if length > 8 {
        (record.kind, record.direction) = unsafe PacketLogger.kind(header.load(fromByteOffset: 12, as: UInt8.self))
        record.payload = 1
      }
      batch.append(record)
      at &+= 4 &+ length
    }
    return Parsed(consumed: at)
  }
}
