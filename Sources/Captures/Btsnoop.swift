/// btsnoop: a 16-byte header, then records of 24 bytes and the packet, all big endian (RFC 1761; BlueZ, doc/btsnoop-protocol.rst).
struct Btsnoop: RecordFormat {
  /// What the records hold.
  enum Datalink: UInt32 {
    /// HCI packets without a type byte; flags tell commands and events from data.
    case h1 = 1001
    /// HCI packets with the type byte of the UART transport.
    case h4 = 1002
    /// Linux HCI monitor: adapter and opcode in the flags.
    case monitor = 2001
  }

  /// Microseconds from the format's year 0 to 1970; a constant, as its day count is not that of any calendar.
  static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000
  static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0]
  static let recordHeader = 24

  let datalink: Datalink
  private var skipped = false
  private var android = AndroidLimits()

  init(_ datalink: Datalink) { self.datalink = datalink }

  var format: CaptureFormat { .btsnoop }

  var title: String {
    switch datalink {
    case .h1: "btsnoop (HCI without type bytes)"
    case .h4: "btsnoop (H4)"
    case .monitor: "btsnoop (Linux monitor)"
    }
  }

  var interfaces: [CaptureInterface] { [CaptureInterface(linkType: datalink == .monitor ? LinkType.linuxMonitor : LinkType.hciH4)] }

  var limits: [CaptureLimit] { android.limits }

  mutating func parse(_ bytes: UnsafeRawBufferPointer, frame: inout Int, into batch: PacketBatch) -> Parsed {
    if !skipped {
      if bytes.count < 16 { return Parsed(needs: 16) }
      skipped = true
      var parsed = unsafe parse(UnsafeRawBufferPointer(rebasing: bytes[16...]), shift: 16, frame: &frame, into: batch)
      parsed.consumed += 16
      return parsed
    }
    return unsafe parse(bytes, shift: 0, frame: &frame, into: batch)
  }

  private mutating func parse(_ bytes: UnsafeRawBufferPointer, shift: Int, frame: inout Int, into batch: PacketBatch) -> Parsed {
    guard let base = bytes.baseAddress else { return Parsed(needs: Btsnoop.recordHeader) }
    batch.reserve(records: batchRecords)
    let (count, store) = unsafe (bytes.count, batch.store)
    var (at, number, kept) = (0, frame, batch.count)
    defer { (frame, batch.count) = (number, kept) }
    while kept < batchRecords {
      if count &- at < Btsnoop.recordHeader { return Parsed(consumed: at, needs: Btsnoop.recordHeader) }
      let header = unsafe base + at
      let included = unsafe big32(header, 4)
      if count &- at &- Btsnoop.recordHeader < Int(included) {
        return Parsed(consumed: at, needs: Btsnoop.recordHeader &+ Int(included))
      }
      number &+= 1
      let flags = unsafe big32(header, 8)
      var record = PacketRecord()
      record.frame = number
      record.time = unsafe Int64(bitPattern: big64(header, 16)) &- Btsnoop.epoch
      record.offset = shift &+ at &+ Btsnoop.recordHeader
      record.kept = included
      record.full = unsafe big32(header, 0)
      record.drops = unsafe big32(header, 12)
      switch datalink {
      case .h4:
        record.direction = Btsnoop.direction(flags)
        unsafe H4.classify(&record, header + Btsnoop.recordHeader)
        if record.kept < record.full { unsafe android.add(record, header + Btsnoop.recordHeader) }
      case .h1:
        record.direction = Btsnoop.direction(flags)
        record.kind = flags & 2 == 0 ? .acl : flags & 1 == 0 ? .command : .event
      case .monitor:
        Monitor.classify(&record, adapter: UInt16(truncatingIfNeeded: flags >> 16), opcode: UInt16(truncatingIfNeeded: flags))
      }
      unsafe (store + kept).initialize(to: record)
      kept &+= 1
      at &+= Btsnoop.recordHeader &+ Int(included)
    }
    return Parsed(consumed: at)
  }

  @inline(__always)
  private static func direction(_ flags: UInt32) -> PacketDirection { flags & 1 == 0 ? .sent : .received }
}
