/// pcap: a 24-byte header, then records of 16 bytes and the packet, in the byte order of the machine that wrote it
/// (draft-ietf-opsawg-pcap). Read here and not through libpcap, so that it also comes out of archives and pipes, and damage has an offset.
struct Pcap: RecordFormat {
  static let header = 24
  static let recordHeader = 16

  let order: ByteOrder
  let nanoseconds: Bool
  let linkType: Int
  private var skipped = false
  private var usb = USB()

  /// Reads the 24-byte header; nil where it is not one.
  init?(header bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Pcap.header, let base = bytes.baseAddress else { return nil }
    switch unsafe big32(base, 0) {
    case 0xA1B2_C3D4: (order, nanoseconds) = (ByteOrder(isBig: true), false)
    case 0xA1B2_3C4D: (order, nanoseconds) = (ByteOrder(isBig: true), true)
    case 0xD4C3_B2A1: (order, nanoseconds) = (ByteOrder(isBig: false), false)
    case 0x4D3C_B2A1: (order, nanoseconds) = (ByteOrder(isBig: false), true)
    default: return nil
    }
    linkType = unsafe Int(order.u32(base, 20) & 0x03FF_FFFF)
  }

  /// The file starts as a pcap does.
  static func isMagic(_ head: [UInt8]) -> Bool {
    head.starts(with: [0xA1, 0xB2, 0xC3, 0xD4]) || head.starts(with: [0xA1, 0xB2, 0x3C, 0x4D])
      || head.starts(with: [0xD4, 0xC3, 0xB2, 0xA1]) || head.starts(with: [0x4D, 0x3C, 0xB2, 0xA1])
  }

  var format: CaptureFormat { .pcap }
  var title: String { "pcap (\(LinkType.name(linkType) ?? "link type \(linkType)"))" }
  var interfaces: [CaptureInterface] { [CaptureInterface(linkType: linkType)] }

  mutating func parse(_ bytes: UnsafeRawBufferPointer, frame: inout Int, into batch: PacketBatch) -> Parsed {
    guard let base = bytes.baseAddress else { return Parsed(needs: 1) }
    let count = bytes.count
    var at = 0
    defer { usb.flush(into: batch) }
    if !skipped {
      if count < Pcap.header { return Parsed(needs: Pcap.header) }
      skipped = true
      at = Pcap.header
    }
    batch.reserve(records: batchRecords)
    let store = unsafe batch.store
    let isUSB = LinkType.isUSB(linkType)
    var (number, kept) = (frame, batch.count)
    defer { (frame, batch.count) = (number, kept) }
    while kept < batchRecords {
      if count &- at < Pcap.recordHeader { return Parsed(consumed: at, needs: Pcap.recordHeader) }
      let header = unsafe base + at
      let captured = unsafe Int(order.u32(header, 8))
      if count &- at &- Pcap.recordHeader < captured { return Parsed(consumed: at, needs: Pcap.recordHeader &+ captured) }
      number &+= 1
      var record = PacketRecord()
      record.frame = number
      let fraction = unsafe Int64(order.u32(header, 4))
      record.time = unsafe Int64(order.u32(header, 0)) &* 1_000_000 &+ (nanoseconds ? fraction / 1000 : fraction)
      record.offset = at &+ Pcap.recordHeader
      record.captured = captured
      record.full = unsafe order.u32(header, 12)
      if isUSB {
        unsafe usb.classify(&record, header + Pcap.recordHeader, linkType: linkType, order: order, end: count)
      } else {
        unsafe LinkType.classify(&record, header + Pcap.recordHeader, linkType: linkType)
      }
      unsafe (store + kept).initialize(to: record)
      kept &+= 1
      at &+= Pcap.recordHeader &+ captured
    }
    return Parsed(consumed: at)
  }
}
