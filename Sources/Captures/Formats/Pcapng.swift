import PacketCodecs

extension CaptureFormat {
  /// pcapng, draft-ietf-opsawg-pcapng: several interfaces, comments.
  public static let pcapng = CaptureFormat(
    name: "pcapng",
    fileEndings: ["pcapng", "ntar"],
    variants: [
      Variant(name: "pcapng", meaning: "pcapng, with the link types that fit the source"),
      Variant(name: "pcapng-187", meaning: "pcapng of HCI H4", linkType: 187),
      Variant(name: "pcapng-201", meaning: "pcapng of HCI H4 with direction", linkType: 201),
      Variant(name: "pcapng-254", meaning: "pcapng of the Linux monitor", linkType: 254),
      Variant(name: "pcapng-251", meaning: "pcapng of the LE Link Layer", linkType: 251),
      Variant(name: "pcapng-256", meaning: "pcapng of the LE Link Layer with a sniffer's header", linkType: 256),
    ],
    recognition: .signature { $0.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) },
    makeReader: PcapngReader.open,
    makeEncoder: { PcapngEncoder(wanted: $0.linkType) })
}

/// Reads pcapng: blocks, each with its type and its length at both ends; a section header sets the byte order, interface descriptions the link types
/// (draft-ietf-opsawg-pcapng). libpcap is not used, because it rejects files whose interfaces differ in link type.
struct PcapngReader: RecordReader {
  static let learnsInterfaces = true
  static let sectionHeader: UInt32 = 0x0A0D_0D0A

  /// The properties of an interface that are needed to read its packets.
  private struct Interface {
    /// Nil for an unsupported link type.
    var linkType: LinkType?
    var snapLength = 0
    /// Index in the list for all sections.
    var index: UInt16 = 0
    var clock = Clock()
    var drops: UInt32 = 0
    /// The adapter of its packets; 0xFFFF where the capture has a single adapter without a number.
    var adapter: UInt16 = 0xFFFF
  }

  /// Assigns adapter numbers to HCI interfaces. Each interface is an adapter of its own, as in Wireshark: two hosts in one file use the same
  /// connection handles.
  private struct AdapterNumbers {
    /// By the name of the interface; for one without a name, by its index in its section.
    private var numbers: [String: UInt16] = [:]
    private var taken: Set<UInt16> = []
    /// No lower number is free; 0 is given only to an interface named `hci0`.
    private var lowest: UInt16 = 1

    /// The number for an interface: that in its name if it is like `hci1`, 0xFFFF for the first one with another name, and the lowest unused number
    /// for each further one. Interfaces with the same name, in any section, have the same number.
    mutating func number(name: String, position: Int) -> UInt16 {
      let key = name.isEmpty ? "\(position)" : "=" + name
      if let known = numbers[key] { return known }
      let named = name.hasPrefix("hci") ? UInt16(name.dropFirst(3)) : nil
      var number = named ?? 0xFFFF
      if taken.contains(number) {
        while lowest < 0xFFFF, taken.contains(lowest) { lowest += 1 }
        number = lowest
      }
      taken.insert(number)
      numbers[key] = number
      return number
    }
  }

  /// The time unit and offset of an interface.
  struct Clock {
    /// Units per second.
    var unitsPerSecond: UInt64 = 1_000_000
    /// Seconds to add.
    var offset: Int64 = 0

    /// Converts a timestamp to microseconds since 1970.
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
  private var adapters = AdapterNumbers()
  private static let maxInterfaces = 16_384
  /// Most comments that are kept of a packet, and of a batch, which ends with the packet that reaches the bound.
  private static let maxComments = (ofPacket: 256, ofBatch: 4096)
  /// Comments that were dropped, and their packets.
  private var leftOut = (comments: 0, packets: 0)
  /// Packets of link types that are not read, and the link type of the last one.
  private var foreign = (packets: 0, linkType: 0)
  /// Bytes of names that may still be kept.
  private var nameBytes = 1 << 20
  private var inSection = false
  /// Number of dropped packets over all interfaces.
  private var drops: UInt32 = 0
  private var usb = USBTransfers()
  private(set) var metadata: [CaptureMetadata] = []

  static func open(_ input: PeekedInput, atEnd: Bool) throws(CaptureError) -> (any PacketSource)? {
    input.head.count < 12 && !atEnd ? nil : RecordSource(PcapngReader(), input: input)
  }

  var format: CaptureFormat { .pcapng }

  var limits: [CaptureLimit] {
    var limits: [CaptureLimit] = []
    if leftOut.comments > 0 {
      let text = "\(leftOut.comments) comments were left out, as their packets have more than \(PcapngReader.maxComments.ofPacket)"
      limits.append(CaptureLimit(id: "comments", text: text, packets: leftOut.packets))
    }
    if foreign.packets > 0 {
      let name = foreign.linkType == 1 ? " (Ethernet)" : ""
      let text = "packets of link type \(foreign.linkType)\(name) are not decoded: they are not Bluetooth, or a vendor's own format"
      limits.append(CaptureLimit(id: "link-type", text: text, packets: foreign.packets))
    }
    return limits
  }

  var title: String {
    var names: [String] = []
    for interface in interfaces {
      let name = LinkType.of(interface.linkType)?.name ?? "link type \(interface.linkType)"
      if !names.contains(name) && names.count < 8 { names.append(name) }
    }
    return names.isEmpty ? "pcapng" : "pcapng (\(names.joined(separator: ", ")))"
  }

  mutating func parse(_ bytes: RawSpan, frame: inout Int, into batch: PacketBatch) -> Parsed {
    let count = bytes.byteCount
    var at = 0
    defer { usb.flush(into: batch) }
    while batch.count < batchRecords, batch.notes.count < PcapngReader.maxComments.ofBatch {
      if count &- at < 12 { return Parsed(consumed: at, needs: 12) }
      if bytes.little32(at) == PcapngReader.sectionHeader {
        switch bytes.big32(at &+ 8) {
        case 0x1A2B_3C4D: order.isBig = true
        case 0x4D3C_2B1A: order.isBig = false
        default: return Parsed(consumed: at, damage: "a section header without its byte-order magic")
        }
      } else if !inSection {
        return Parsed(consumed: at, damage: "no section header")
      }
      let length = Int(order.u32(bytes, at &+ 4))
      if length < 12 || length & 3 != 0 { return Parsed(consumed: at, damage: "a block length of \(length)") }
      if count &- at < length { return Parsed(consumed: at, needs: length) }
      if Int(order.u32(bytes, at &+ length &- 4)) != length { return Parsed(consumed: at, damage: "a block whose two lengths differ") }
      // The second length is not part of the block's body.
      let block = bytes.extracting(at..<at &+ length &- 4)
      switch order.u32(block, 0) {
      case PcapngReader.sectionHeader:
        inSection = true
        section.removeAll()
        sectionOptions(block)
      case 1:
        if let problem = interfaceDescription(block) { return Parsed(consumed: at, damage: problem) }
      case 2, 3, 6:
        if let problem = packet(block, at: at, end: count, frame: &frame, into: batch) { return Parsed(consumed: at, damage: problem) }
      case 4: keep(.resolvedNames, block, from: 8)
      case 5: interfaceStatistics(block)
      case 10: keep(.secrets, block, from: 8)
      case 0xBAD, 0x4000_0BAD: keep(.customBlock, block, from: 8)
      default: keep(.unknownBlock, block, from: 8)
      }
      at &+= length
    }
    return Parsed(consumed: at)
  }

  private mutating func interfaceDescription(_ block: RawSpan) -> String? {
    guard block.byteCount >= 16 else { return "an interface description that is too short" }
    if interfaces.count == PcapngReader.maxInterfaces { return "more interfaces than \(PcapngReader.maxInterfaces)" }
    let number = Int(order.u16(block, 8))
    var known = Interface()
    known.linkType = LinkType.of(number)
    known.snapLength = Int(order.u32(block, 12))
    known.index = UInt16(interfaces.count)
    let order = order
    var described = CaptureInterface(linkType: number)
    // Names are short; together no more bytes are kept than a large capture needs.
    var left = nameBytes
    func name(_ value: RawSpan) -> String {
      let count = min(value.byteCount, 255, left)
      left -= count
      return value.extracting(first: count).text
    }
    defer { nameBytes = left }
    let end = PcapngReader.forEachOption(of: block, from: 16, order) { code, value in
      switch code {
      case 2:
        described.name = name(value)
      case 3: described.description = name(value)
      case 9: if value.byteCount > 0 { known.clock.setResolution(value.byte(0)) }
      case 14: if value.byteCount == 8 { known.clock.offset = Int64(bitPattern: order.u64(value, 0)) }
      default: break
      }
      let isNumber = code == 2 && CaptureInterface.isNumbered(described.name)
      if !isNumber, let kind = Self.interfaceOptions[code] ?? (code > 17 ? .interfaceOption : nil) {
        metadata.count(kind, value)
      }
    }
    rest(block.extracting(droppingFirst: end), .bytesBehindOptions)
    if known.linkType?.isOfSingleAdapter == true { known.adapter = adapters.number(name: described.name, position: section.count) }
    section.append(known)
    interfaces.append(described)
    return nil
  }

  /// The options of interfaces that are no property of their packets (draft-ietf-opsawg-pcapng, 4.2).
  private static let interfaceOptions: [UInt16: CaptureMetadata.Kind] = [
    1: .interfaceComment, 2: .interfaceName, 3: .interfaceDescription, 4: .interfaceAddress, 5: .interfaceAddress, 6: .interfaceAddress,
    7: .interfaceAddress, 11: .interfaceFilter, 12: .interfaceSystem, 15: .interfaceHardware,
  ]
  private static let sectionOptions: [UInt16: CaptureMetadata.Kind] = [
    1: .sectionComment, 2: .sectionHardware, 3: .sectionSystem, 4: .sectionApplication,
  ]

  private mutating func sectionOptions(_ block: RawSpan) {
    guard block.byteCount >= 24 else { return }
    let end = PcapngReader.forEachOption(of: block, from: 24, order) { code, value in
      metadata.count(Self.sectionOptions[code] ?? .sectionOption, value)
    }
    rest(block.extracting(droppingFirst: end), .bytesBehindOptions)
  }

  /// Counts a block whose content begins at `start`.
  private mutating func keep(_ kind: CaptureMetadata.Kind, _ block: RawSpan, from start: Int) {
    metadata.count(kind, block.extracting(droppingFirst: min(start, block.byteCount)))
  }

  private mutating func interfaceStatistics(_ block: RawSpan) {
    guard block.byteCount >= 20 else { return }
    let order = order
    let index = Int(order.u32(block, 8))
    let end = PcapngReader.forEachOption(of: block, from: 20, order) { code, value in
      if code == 1 || code > 8 { metadata.count(.statisticsComment, value) }
    }
    rest(block.extracting(droppingFirst: end), .bytesBehindOptions)
    guard section.indices.contains(index) else { return }
    var sum: UInt64 = 0
    PcapngReader.forEachOption(of: block, from: 20, order) { code, value in
      if code == 5, value.byteCount == 8 { sum = order.u64(value, 0) }
    }
    // This is a total for the interface; a part may already be counted from options of its packets.
    let known = UInt64(section[index].drops)
    if sum > known { add(drops: sum - known, to: index) }
  }

  private mutating func add(drops count: UInt64, to interface: Int) {
    section[interface].drops = UInt32(clamping: UInt64(section[interface].drops) + min(count, 1 << 40))
    drops = UInt32(clamping: UInt64(drops) + min(count, 1 << 40))
  }

  /// An enhanced (6), simple (3) or obsolete (2) packet block. Returns its error, if any.
  @inline(__always)
  private mutating func packet(_ block: RawSpan, at: Int, end: Int, frame: inout Int, into batch: PacketBatch) -> String? {
    let type = order.u32(block, 0)
    let header = type == 3 ? 12 : 28
    if block.byteCount < header { return "a packet block that is too short" }
    let number = type == 6 ? Int(order.u32(block, 8)) : type == 2 ? Int(order.u16(block, 8)) : 0
    guard number < section.count else { return "a packet of interface \(number), which is not described" }
    let original = Int(order.u32(block, header - 4))
    var captured = type == 3 ? original : Int(order.u32(block, 20))
    if type == 3 {
      if section[number].snapLength > 0 { captured = min(captured, section[number].snapLength) }
      captured = min(captured, block.byteCount - header)
    }
    if captured > block.byteCount - header { return "a packet longer than its block" }
    frame &+= 1
    var record = PacketRecord()
    record.frame = frame
    if type != 3 {
      let units = UInt64(order.u32(block, 12)) << 32 | UInt64(order.u32(block, 16))
      record.time = section[number].clock.microseconds(units)
    }
    record.offset = at &+ header
    record.captured = captured
    record.original = original
    record.interface = section[number].index
    record.adapter = section[number].adapter
    let tail = header &+ (captured &+ 3) & ~3
    if type != 3 && block.byteCount &- tail >= 4 {
      let (index, order) = (batch.count, order)
      var dropped: UInt64 = 0
      var comments = 0
      let behind = PcapngReader.forEachOption(of: block, from: tail, order) { code, value in
        // Options up to 7 are numbers of the capturing system: hash, packet number, queue and verdict.
        if code > 7 { metadata.count(.packetOption, value) }
        if code == 1 {
          comments &+= 1
          if comments <= PcapngReader.maxComments.ofPacket { batch.notes.append(PacketNote(record: index, text: value.text)) }
        }
        if code == 2, value.byteCount == 4 {
          record.direction = [PacketDirection.unknown, .received, .sent, .unknown][Int(order.u32(value, 0) & 3)]
        }
        if code == 4, value.byteCount == 8 { dropped = order.u64(value, 0) }
      }
      if behind < block.byteCount { rest(block.extracting(droppingFirst: behind)) }
      if dropped > 0 { add(drops: dropped, to: number) }
      if comments > PcapngReader.maxComments.ofPacket { leaveOut(comments &- PcapngReader.maxComments.ofPacket, index, batch) }
    }
    if type == 3, tail < block.byteCount { rest(block.extracting(droppingFirst: tail)) }
    if tail > header &+ captured { rest(block.extracting(header &+ captured..<min(tail, block.byteCount))) }
    record.drops = drops
    let bytes = block.extracting(header..<header &+ captured)
    if let usbHeader = section[number].linkType?.usb {
      usb.classify(&record, bytes, header: usbHeader, order: order, end: end)
    } else if let linkType = section[number].linkType {
      linkType.classify(&record, bytes)
    } else {
      foreign.packets += 1
      foreign.linkType = interfaces[Int(section[number].index)].linkType
    }
    batch.append(record)
    return nil
  }

  /// Counts bytes behind a packet or its options that are no padding.
  private mutating func rest(_ bytes: RawSpan, _ kind: CaptureMetadata.Kind = .bytesBehindPacket) {
    if (0..<bytes.byteCount).contains(where: { bytes.byte($0) != 0 }) { metadata.count(kind, bytes) }
  }

  /// Counts excess comments of a packet, and adds a note about them after the others.
  private mutating func leaveOut(_ comments: Int, _ record: Int, _ batch: PacketBatch) {
    leftOut.comments += comments
    leftOut.packets += 1
    batch.notes.append(PacketNote(record: record, text: "\(comments) more comments of this packet are left out"))
  }

  /// Calls `use` with the options of a block, from an offset on, until they end or are invalid. Returns the offset of what follows them.
  @discardableResult
  private static func forEachOption(of block: RawSpan, from start: Int, _ order: ByteOrder, _ use: (UInt16, RawSpan) -> Void) -> Int {
    var at = start
    while block.byteCount - at >= 4 {
      let code = order.u16(block, at)
      let length = Int(order.u16(block, at + 2))
      if code == 0 { return at + 4 }
      if block.byteCount - at - 4 < length { return at }
      use(code, block.extracting(at + 4..<at + 4 + length))
      at += 4 + (length + 3) & ~3
    }
    return min(at, block.byteCount)
  }
}

/// Writes pcapng: one section in little endian, with an interface for each link type and adapter.
struct PcapngEncoder: CaptureEncoder {
  /// The properties that distinguish interfaces.
  private struct InterfaceKey: Hashable {
    var linkType: Int
    var name: String
    var description: String
  }

  /// The link type that the user requests.
  let wanted: Int?
  private var options = EncoderOptions()
  private var body = EncodedBody()
  private var interfaces: [InterfaceKey: Int] = [:]
  /// The interface of the last packet, with its lookup key.
  private var last: (linkType: Int, adapter: UInt16, origin: CaptureInterface, index: Int)?
  /// Number of dropped packets written so far.
  private var drops: UInt32 = 0
  /// Names and descriptions for the interfaces of adapters.
  private var names: [UInt16: (name: String, description: String)] = [:]

  init(wanted: Int?) { self.wanted = wanted }

  var holdsComments: Bool { true }
  var notePosition: NotePosition { .header }

  mutating func header(_ origin: CaptureInterface, _ format: CaptureFormat, _ options: EncoderOptions) -> [UInt8] {
    self.options = options
    var header: [UInt8] = []
    header.appendBlock(PcapngReader.sectionHeader) { body in
      body.little32(0x1A2B_3C4D)
      body.little16(1)
      body.little16(0)
      // The section's length is unspecified.
      body.little32(0xFFFF_FFFF)
      body.little32(0xFFFF_FFFF)
      if let comment = options.comment { body.appendOption(1, Array(comment.utf8.prefix(0xFFFF))) }
      body.appendOption(4, Array("btscribe".utf8))
      body.little32(0)
    }
    return header
  }

  mutating func name(adapter: UInt16, _ name: String, _ description: String) {
    names[adapter] = (name, description)
    last = nil
  }

  mutating func append(_ packet: borrowing OutgoingPacket, to record: inout [UInt8], _ losses: inout CaptureLosses) -> Bool {
    let linkType = wanted ?? options.linkType(of: packet.origin, packet.format)
    guard body.encode(packet, linkType: linkType, &losses) else { return false }
    let index = interface(linkType, packet.record.adapter, packet.origin, &record)
    var time = packet.record.time
    if time < 0 {
      losses.add(.time)
      time = 0
    }
    let direction: UInt32 = packet.record.direction == .received ? 1 : packet.record.direction == .sent ? 2 : 0
    let dropped = packet.record.drops > drops ? packet.record.drops &- drops : 0
    drops = packet.record.drops
    // Each option has a code and a length of two bytes each, and the end of the options has as many.
    var optionBytes = (direction > 0 ? 8 : 0) + (dropped > 0 ? 12 : 0)
    for comment in packet.comments { optionBytes += 4 + Self.padded(min(comment.count, 0xFFFF)) }
    if optionBytes > 0 { optionBytes += 4 }
    let kept = body.count(packet)
    let length = UInt32(truncatingIfNeeded: 28 + Self.padded(kept) + optionBytes + 4).littleEndian
    record.append(
      words: (
        UInt32(6).littleEndian, length, UInt32(truncatingIfNeeded: index).littleEndian, UInt32(truncatingIfNeeded: time >> 32).littleEndian,
        UInt32(truncatingIfNeeded: time).littleEndian, UInt32(clamping: kept).littleEndian,
        UInt32(clamping: kept + packet.record.cutBytes).littleEndian
      ))
    let bodyStart = record.count
    body.append(packet, to: &record)
    record.pad(from: bodyStart)
    for comment in packet.comments { record.appendOption(1, comment.prefix(0xFFFF)) }
    if direction > 0 { record.append(words: (UInt16(2).littleEndian, UInt16(4).littleEndian, direction.littleEndian)) }
    if dropped > 0 { record.append(words: (UInt16(4).littleEndian, UInt16(8).littleEndian, dropped.littleEndian, 0 as UInt32)) }
    if optionBytes > 0 { record.append(words: (0 as UInt32, length)) } else { record.append(words: length) }
    return true
  }

  /// A number of bytes, rounded up to a multiple of four.
  private static func padded(_ count: Int) -> Int { (count + 3) & ~3 }

  /// The number of the interface that a packet belongs to. The description of a new one is appended to `record`, before the packet.
  private mutating func interface(_ linkType: Int, _ adapter: UInt16, _ origin: CaptureInterface, _ record: inout [UInt8]) -> Int {
    if let last, last.linkType == linkType, last.adapter == adapter, last.origin == origin { return last.index }
    var key = InterfaceKey(linkType: linkType, name: origin.name, description: origin.description)
    // An interface's own name is kept; adapters of a monitor's capture have no name of their own.
    let hasName = !origin.name.isEmpty && origin.linkType != LinkType.linuxMonitor.number
    if linkType != LinkType.linuxMonitor.number, adapter != 0xFFFF, !hasName { key.name = "hci\(adapter)" }
    var described = (name: key.name, description: key.description)
    if let named = names[adapter] {
      // A name that is set later does not create another interface.
      key = InterfaceKey(linkType: linkType, name: "\(adapter) \(origin.name)", description: origin.description)
      if !named.name.isEmpty, adapter != 0xFFFF || origin.name.isEmpty { described = named }
    }
    let index = interfaces[key] ?? interfaces.count
    if index == interfaces.count {
      record.appendBlock(1) { block in
        block.little16(UInt16(truncatingIfNeeded: linkType))
        block.little16(0)
        block.little32(262_144)
        if !described.name.isEmpty { block.appendOption(2, Array(described.name.utf8)) }
        if !described.description.isEmpty { block.appendOption(3, Array(described.description.utf8)) }
        block.appendOption(9, [6])
        block.little32(0)
      }
      interfaces[key] = index
    }
    last = (linkType, adapter, origin, index)
    return index
  }
}

extension [UInt8] {
  /// Appends zeros up to a multiple of four bytes since `start`.
  fileprivate mutating func pad(from start: Int) {
    while (count - start) & 3 != 0 { append(0) }
  }

  /// Appends an option.
  fileprivate mutating func appendOption(_ code: UInt16, _ value: [UInt8]) { appendOption(code, value[...]) }
  fileprivate mutating func appendOption(_ code: UInt16, _ value: ArraySlice<UInt8>) {
    append(words: (code.littleEndian, UInt16(truncatingIfNeeded: value.count).littleEndian))
    let start = count
    append(contentsOf: value)
    pad(from: start)
  }

  /// Appends type and length of a block. Returns the start of the block for ``endBlock(_:)``, which sets the length.
  fileprivate mutating func beginBlock(_ type: UInt32) -> Int {
    let start = count
    little32(type)
    little32(0)
    return start
  }

  /// Ends the block that starts at `start`.
  fileprivate mutating func endBlock(_ start: Int) {
    pad(from: start)
    let length = UInt32(truncatingIfNeeded: count - start + 4)
    for index in 0..<4 { self[start + 4 + index] = UInt8(truncatingIfNeeded: length >> UInt32(8 * index)) }
    little32(length)
  }

  /// Appends a block with a body.
  fileprivate mutating func appendBlock(_ type: UInt32, _ fill: (inout [UInt8]) -> Void) {
    let start = beginBlock(type)
    fill(&self)
    endBlock(start)
  }
}
