/// pcapng: blocks, each with its type and its length at both ends; a section header sets the byte order, interface descriptions the link
/// types (draft-ietf-opsawg-pcapng). libpcap refuses files whose interfaces differ in link type, so it is read here.
struct Pcapng: RecordFormat {
  static let learnsInterfaces = true
  static let sectionHeader: UInt32 = 0x0A0D_0D0A

  /// What is known of an interface besides what is told outside.
  private struct Interface {
    var linkType = 0
    var snapLength = 0
    /// Index in the list for all sections.
    var index: UInt16 = 0
    var clock = Clock()
    var drops: UInt32 = 0
    /// The adapter that the interface is named after: `hci1`.
    var adapter: UInt16 = 0xFFFF
  }

  /// How an interface counts time.
  struct Clock {
    /// Units per second.
    var unitsPerSecond: UInt64 = 1_000_000
    /// Seconds to add.
    var offset: Int64 = 0

    /// Microseconds since 1970 of a timestamp.
    @inline(__always)
    func microseconds(_ units: UInt64) -> Int64 {
      if unitsPerSecond == 1_000_000 { return Int64(bitPattern: units) &+ offset &* 1_000_000 }
      let (seconds, rest) = units.quotientAndRemainder(dividingBy: unitsPerSecond)
      let product = rest.multipliedFullWidth(by: 1_000_000)
      let fraction = unitsPerSecond.dividingFullWidth(product).quotient
      return (Int64(truncatingIfNeeded: seconds) &+ offset) &* 1_000_000 &+ Int64(truncatingIfNeeded: fraction)
    }

    /// Sets the resolution from option `if_tsresol`: a power of ten, or of two where the top bit is set.
    mutating func setResolution(_ value: UInt8) {
      let exponent = value & 0x7F
      if value & 0x80 != 0 {
        unitsPerSecond = exponent < 64 ? 1 << UInt64(exponent) : 1 << 63
      } else {
        unitsPerSecond = (0..<min(exponent, 19)).reduce(1) { power, _ in power * 10 }
      }
    }
  }

  private(set) var interfaces: [CaptureInterface] = []
  private var order = ByteOrder(isBig: false)
  /// Interfaces of this section.
  private var section: [Interface] = []
  private var inSection = false
  /// Dropped packets over all interfaces.
  private var drops: UInt32 = 0
  private var usb = USB()

  /// The file starts as a pcapng does.
  static func isMagic(_ head: [UInt8]) -> Bool { head.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) }

  var format: CaptureFormat { .pcapng }

  var title: String {
    var names: [String] = []
    for interface in interfaces {
      let name = LinkType.name(interface.linkType) ?? "link type \(interface.linkType)"
      if !names.contains(name) && names.count < 8 { names.append(name) }
    }
    return names.isEmpty ? "pcapng" : "pcapng (\(names.joined(separator: ", ")))"
  }

  mutating func parse(_ bytes: UnsafeRawBufferPointer, frame: inout Int, into batch: PacketBatch) -> Parsed {
    guard let base = bytes.baseAddress else { return Parsed(needs: 12) }
    let count = bytes.count
    var at = 0
    defer { usb.flush(into: batch) }
    while batch.count < batchRecords {
      if count &- at < 12 { return Parsed(consumed: at, needs: 12) }
      let block = unsafe base + at
      if unsafe big32(block, 0) == Pcapng.sectionHeader {
        switch unsafe big32(block, 8) {
        case 0x1A2B_3C4D: order.isBig = true
        case 0x4D3C_2B1A: order.isBig = false
        default: return Parsed(consumed: at, damage: "a section header without its byte-order magic")
        }
      } else if !inSection {
        return Parsed(consumed: at, damage: "no section header")
      }
      let length = unsafe Int(order.u32(block, 4))
      if length < 12 || length & 3 != 0 { return Parsed(consumed: at, damage: "a block length of \(length)") }
      if count &- at < length { return Parsed(consumed: at, needs: length) }
      if unsafe Int(order.u32(block, length - 4)) != length { return Parsed(consumed: at, damage: "a block whose two lengths differ") }
      let body = unsafe UnsafeRawBufferPointer(start: block, count: length - 4)
      switch unsafe order.u32(block, 0) {
      case Pcapng.sectionHeader:
        inSection = true
        section.removeAll()
      case 1:
        if let problem = unsafe interfaceDescription(body) { return Parsed(consumed: at, damage: problem) }
      case 2, 3, 6:
        if let problem = unsafe packet(body, at: at, end: count, frame: &frame, into: batch) {
          return Parsed(consumed: at, damage: problem)
        }
      case 5: unsafe interfaceStatistics(body)
      default: break
      }
      at &+= length
    }
    return Parsed(consumed: at)
  }

  private mutating func interfaceDescription(_ block: UnsafeRawBufferPointer) -> String? {
    guard block.count >= 16, let base = block.baseAddress else { return "an interface description that is too short" }
    if interfaces.count == 0xFFFF { return "too many interfaces" }
    var known = Interface()
    known.linkType = unsafe Int(order.u16(base, 8))
    known.snapLength = unsafe Int(order.u32(base, 12))
    known.index = UInt16(interfaces.count)
    let order = order
    var told = CaptureInterface(linkType: known.linkType)
    unsafe Pcapng.options(of: block, from: 16, order) { code, value in
      switch code {
      case 2:
        told.name = unsafe String(decoding: value, as: UTF8.self)
        if told.name.hasPrefix("hci"), let number = UInt16(told.name.dropFirst(3)) { known.adapter = number }
      case 3: told.description = unsafe String(decoding: value, as: UTF8.self)
      case 9: if let byte = unsafe value.first { known.clock.setResolution(byte) }
      case 14: if value.count == 8, let p = value.baseAddress { known.clock.offset = unsafe Int64(bitPattern: order.u64(p, 0)) }
      default: break
      }
    }
    section.append(known)
    interfaces.append(told)
    return nil
  }

  private mutating func interfaceStatistics(_ block: UnsafeRawBufferPointer) {
    guard block.count >= 20, let base = block.baseAddress else { return }
    let order = order
    let index = unsafe Int(order.u32(base, 8))
    guard section.indices.contains(index) else { return }
    var told: UInt64 = 0
    unsafe Pcapng.options(of: block, from: 20, order) { code, value in
      if code == 5, value.count == 8, let p = value.baseAddress { told = unsafe order.u64(p, 0) }
    }
    // A sum for the interface, of which packets may have told a part already.
    let known = UInt64(section[index].drops)
    if told > known { add(drops: told - known, to: index) }
  }

  private mutating func add(drops count: UInt64, to interface: Int) {
    section[interface].drops = UInt32(clamping: UInt64(section[interface].drops) + min(count, 1 << 40))
    drops = UInt32(clamping: UInt64(drops) + min(count, 1 << 40))
  }

  /// An enhanced (6), simple (3) or obsolete (2) packet block. Returns what is wrong with it.
  @inline(__always)
  private mutating func packet(_ block: UnsafeRawBufferPointer, at: Int, end: Int, frame: inout Int, into batch: PacketBatch) -> String? {
    guard let base = block.baseAddress else { return nil }
    let type = unsafe order.u32(base, 0)
    let header = type == 3 ? 12 : 28
    if block.count < header { return "a packet block that is too short" }
    let number = unsafe type == 6 ? Int(order.u32(base, 8)) : type == 2 ? Int(order.u16(base, 8)) : 0
    guard number < section.count else { return "a packet of interface \(number), which is not described" }
    let original = unsafe Int(order.u32(base, header - 4))
    var captured = unsafe type == 3 ? original : Int(order.u32(base, 20))
    if type == 3 {
      if section[number].snapLength > 0 { captured = min(captured, section[number].snapLength) }
      captured = min(captured, block.count - header)
    }
    if captured > block.count - header { return "a packet longer than its block" }
    frame &+= 1
    var record = PacketRecord()
    record.frame = frame
    if type != 3 {
      record.time = unsafe section[number].clock.microseconds(UInt64(order.u32(base, 12)) << 32 | UInt64(order.u32(base, 16)))
    }
    record.offset = at &+ header
    record.captured = captured
    record.original = original
    record.interface = section[number].index
    record.adapter = section[number].adapter
    let tail = header &+ (captured &+ 3) & ~3
    if type != 3 && block.count &- tail >= 4 {
      let (index, order) = (batch.count, order)
      var dropped: UInt64 = 0
      unsafe Pcapng.options(of: block, from: tail, order) { code, value in
        if code == 1 { unsafe batch.notes.append(PacketNote(record: index, text: String(decoding: value, as: UTF8.self))) }
        if code == 2, value.count == 4, let p = value.baseAddress {
          record.direction = unsafe [PacketDirection.unknown, .received, .sent, .unknown][Int(order.u32(p, 0) & 3)]
        }
        if code == 4, value.count == 8, let p = value.baseAddress { dropped = unsafe order.u64(p, 0) }
      }
      if dropped > 0 { add(drops: dropped, to: number) }
    }
    record.drops = drops
    let linkType = section[number].linkType
    if LinkType.isUSB(linkType) {
      unsafe usb.classify(&record, base + header, linkType: linkType, order: order, end: end)
    } else {
      unsafe LinkType.classify(&record, base + header, linkType: linkType)
    }
    batch.append(record)
    return nil
  }

  /// Hands out the options of a block, from an offset in it on, until they end or make no sense.
  private static func options(
    of block: UnsafeRawBufferPointer, from start: Int, _ order: ByteOrder, _ use: (UInt16, UnsafeRawBufferPointer) -> Void
  ) {
    guard let base = block.baseAddress else { return }
    var at = start
    while block.count - at >= 4 {
      let code = unsafe order.u16(base, at)
      let length = unsafe Int(order.u16(base, at + 2))
      if code == 0 || block.count - at - 4 < length { return }
      unsafe use(code, UnsafeRawBufferPointer(start: base + at + 4, count: length))
      at += 4 + (length + 3) & ~3
    }
  }
}
