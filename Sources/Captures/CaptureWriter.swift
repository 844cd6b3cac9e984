/// Writes packets of any source in one format, and counts what the format has no place for.
public final class CaptureWriter {
  /// The output's name, for messages.
  public let name: String
  /// Packets written.
  public private(set) var count = 0
  /// Bytes of the file so far.
  public private(set) var size = 0
  /// What the format could not hold so far.
  public private(set) var losses = CaptureLosses()

  /// What is said of the capture as a whole, where the format has a place for it at its start: the section's comment of pcapng. To be set
  /// before the first packet.
  public var comment: String?

  private let target: CaptureTarget
  private let output: ByteOutput
  private var record: [UInt8] = []
  private var encapsulation = Encapsulation()
  private var isStarted = false
  private var chosen = 0
  /// pcapng: interfaces written, by what they stand for.
  private var interfaces: [InterfaceKey: Int] = [:]
  /// pcapng: the interface of the last packet, and what it was looked up by.
  private var last: (linkType: Int, adapter: UInt16, origin: CaptureInterface, index: Int)?
  /// pcapng: the sum of dropped packets that was written so far.
  private var drops: UInt32 = 0

  /// Records of pcap and pcapng files stay as they are in such files, sniffers' headers included. To be set before the first packet.
  public var keepsLinkTypes = false
  /// pcapng: what the interfaces of adapters are called.
  private var names: [UInt16: (name: String, description: String)] = [:]

  private struct InterfaceKey: Hashable {
    var linkType: Int
    var name: String
    var description: String
  }

  /// Opens the output, `-` being standard output. A file appears under its name with ``finish()``; with `inPlace` at once, growing as
  /// packets come. Throws `CaptureError` where it cannot be written.
  public init(to path: String, target: CaptureTarget, inPlace: Bool = false) throws(CaptureError) {
    name = path == "-" ? "standard output" : path
    self.target = target
    output = try ByteOutput(path, inPlace: inPlace)
  }

  /// Writes the packet at `index` of a batch that came from `source`, with its comments and `notes` more of them. Returns false where the
  /// format cannot hold it (which ``losses`` counts). Throws `CaptureError` where writing fails.
  @discardableResult
  public func write(
    _ index: Int, of batch: PacketBatch, from source: any PacketSource, notes: [String] = []
  ) throws(CaptureError) -> Bool {
    guard unsafe batch.records.indices.contains(index) else { return false }
    let packet = unsafe batch.records[index]
    let known = source.interfaces
    let origin = known.indices.contains(Int(packet.interface)) ? known[Int(packet.interface)] : CaptureInterface(linkType: -1)
    let comments = batch.notes.isEmpty ? notes : batch.notes.filter { $0.record == index }.map(\.text) + notes
    return unsafe try write(
      packet, bytes: batch.bytes(packet), payload: batch.payload(packet), origin: origin, format: source.format, comments: comments)
  }

  /// Writes a packet given by its parts: its record, all its bytes, its payload, the interface and the format that it comes from. Returns
  /// false where the format cannot hold it. Throws `CaptureError` where writing fails.
  @discardableResult
  public func write(
    _ packet: PacketRecord, bytes: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer, origin: CaptureInterface, format: CaptureFormat,
    comments: [String] = []
  ) throws(CaptureError) -> Bool {
    if !isStarted { try start(origin, format) }
    var isWritten = false
    switch target {
    case .btsnoop: isWritten = unsafe btsnoop(packet, bytes, payload, origin)
    case .pcap: isWritten = unsafe pcap(packet, bytes, payload, origin)
    case .pcapng: isWritten = unsafe pcapng(packet, bytes, payload, origin, format, comments)
    case .packetLogger(let isBig): isWritten = unsafe packetLogger(packet, bytes, payload, format, ByteOrder(isBig: isBig))
    }
    if isWritten {
      count += 1
      if case .pcapng = target {
      } else if !comments.isEmpty {
        losses.add(.comments)
      }
      size += record.count
      try output.write(record)
    } else {
      losses.add(packet.kind.isNote ? .notes : .packets)
    }
    record.removeAll(keepingCapacity: true)
    return isWritten
  }

  /// Calls the pcapng interface of an adapter so (0xFFFF: that of packets without one), if it is not written yet. Each adapter with a name
  /// has an interface of its own.
  public func name(adapter: UInt16, _ name: String, _ description: String) {
    names[adapter] = (name, description)
    last = nil
  }

  /// Says something of the capture as a whole at its end, where the format has a place for that there: a note of the monitor or of
  /// PacketLogger. Returns whether it, or the start of the file, has one. Throws `CaptureError` where writing fails.
  public func write(note text: String, at time: Int64) throws(CaptureError) -> Bool {
    var packet = PacketRecord()
    packet.time = time
    packet.kind = .systemNote
    let bytes = Array(text.utf8) + [0]
    packet.captured = bytes.count
    packet.original = bytes.count
    switch target {
    case .pcapng: return true
    case .packetLogger: break
    case .btsnoop: if chosen != 2001 { return false }
    case .pcap: if chosen != LinkType.linuxMonitor { return false }
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { unsafe buffer.deallocate() }
    unsafe buffer.copyBytes(from: bytes)
    let lent = UnsafeRawBufferPointer(buffer)
    return unsafe try write(packet, bytes: lent, payload: lent, origin: CaptureInterface(linkType: LinkType.linuxMonitor), format: .btsnoop)
  }

  /// Hands all packets so far to the system, for someone who reads along.
  public func flush() throws(CaptureError) { try output.flush() }

  /// Writes the rest; a file gets its name now. A capture without packets gets a header that fits `source`.
  public func finish(source: (any PacketSource)? = nil) throws(CaptureError) {
    if !isStarted {
      let origin = source?.interfaces.first ?? CaptureInterface(linkType: LinkType.hciH4WithDirection)
      try start(origin, source?.format ?? .btsnoop)
    }
    try output.finish()
  }

  /// Writes the file's header, which the first packet decides where the user has not.
  private func start(_ origin: CaptureInterface, _ format: CaptureFormat) throws(CaptureError) {
    isStarted = true
    var header: [UInt8] = []
    switch target {
    case .btsnoop(let datalink):
      chosen = datalink ?? (origin.linkType == LinkType.linuxMonitor ? 2001 : 1002)
      header = Btsnoop.magic
      header.big32(1)
      header.big32(UInt32(truncatingIfNeeded: chosen))
    case .pcap(let linkType):
      chosen = linkType ?? self.linkType(of: origin, format)
      header.little32(0xA1B2_C3D4)
      header.little16(2)
      header.little16(4)
      header.little32(0)
      header.little32(0)
      header.little32(262_144)
      header.little32(UInt32(truncatingIfNeeded: chosen))
    case .pcapng:
      header.block(0x0A0D_0D0A) { body in
        body.little32(0x1A2B_3C4D)
        body.little16(1)
        body.little16(0)
        body.little32(0xFFFF_FFFF)
        body.little32(0xFFFF_FFFF)
        if let comment { body.option(1, Array(comment.utf8.prefix(0xFFFF))) }
        body.option(4, Array("btscribe".utf8))
        body.little32(0)
      }
    case .packetLogger: break
    }
    size += header.count
    try output.write(header)
  }

  /// The link type for packets of an interface.
  private func linkType(of origin: CaptureInterface, _ format: CaptureFormat) -> Int {
    if keepsLinkTypes, format == .pcap || format == .pcapng, !LinkType.isUSB(origin.linkType) { return origin.linkType }
    return CaptureTarget.linkType(for: origin, format: format)
  }

  private func btsnoop(
    _ packet: PacketRecord, _ bytes: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer, _ origin: CaptureInterface
  ) -> Bool {
    let isReceived: UInt32 = packet.direction == .received ? 1 : 0
    var flags = isReceived
    var type: UInt8?
    var text: [UInt8] = []
    var body = unsafe payload
    switch chosen {
    case 1001:
      guard packet.kind == .command || packet.kind == .event || packet.kind == .acl else { return false }
      flags = packet.kind == .event ? 3 : packet.kind == .command ? 2 : isReceived
      if packet.kind == .acl && packet.direction == .unknown { losses.add(.direction) }
    case 1002:
      if packet.kind == .unknownH4 || packet.captured == 0 && packet.kind == .opaque && origin.linkType != LinkType.linuxMonitor {
        unsafe body = unsafe bytes
      } else {
        guard let known = H4.type(packet.kind) else { return false }
        type = known
      }
      if packet.kind == .command { flags = 2 }
      if packet.kind == .event { flags = 3 }
      if packet.direction == .unknown && packet.kind.hasDirection { losses.add(.direction) }
    default:
      if packet.kind == .syslog { text = unsafe Array(NoteText.text(packet.kind, payload).utf8) + [0] }
      guard let opcode = packet.kind == .syslog ? 12 : Monitor.opcode(packet.kind, packet.direction) else { return false }
      if packet.kind.losesDirectionInMonitor(packet.direction) { losses.add(.direction) }
      let adapter = packet.adapter == 0xFFFF && packet.kind.isHCI && origin.linkType != LinkType.linuxMonitor ? 0 : packet.adapter
      flags = UInt32(adapter) << 16 | UInt32(opcode)
    }
    if chosen != 2001 && packet.adapter != 0xFFFF { losses.add(.adapter) }
    if !text.isEmpty { unsafe body = unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
    let kept = body.count + text.count + (type == nil ? 0 : 1)
    let cut = packet.isTruncated ? packet.original - packet.captured : 0
    record.big32(UInt32(clamping: kept + cut))
    record.big32(UInt32(clamping: kept))
    record.big32(flags)
    record.big32(packet.drops)
    record.big64(UInt64(bitPattern: packet.time &+ Btsnoop.epoch))
    if let type { record.append(type) }
    unsafe record.append(contentsOf: body)
    record.append(contentsOf: text)
    return true
  }

  private func pcap(
    _ packet: PacketRecord, _ bytes: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer, _ origin: CaptureInterface
  ) -> Bool {
    guard let body = unsafe body(packet, bytes, payload, chosen, origin.linkType) else { return false }
    if chosen != LinkType.linuxMonitor && packet.adapter != 0xFFFF { losses.add(.adapter) }
    if chosen == LinkType.hciH4 && packet.kind.hasDirection && packet.direction != .unknown { losses.add(.direction) }
    if packet.drops > 0 { losses.add(.drops) }
    var time = packet.time
    if time < 0 || time > Int64(UInt32.max) * 1_000_000 {
      losses.add(.time)
      time = 0
    }
    record.little32(UInt32(time / 1_000_000))
    record.little32(UInt32(time % 1_000_000))
    unsafe append(body, packet, to: &record)
    return true
  }

  /// Puts what goes before the bytes of a packet into ``encapsulation``, and returns those bytes: nil where the link type has no place for it.
  private func body(
    _ packet: PacketRecord, _ bytes: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer, _ linkType: Int, _ source: Int
  ) -> UnsafeRawBufferPointer? {
    guard encapsulation.make(packet, linkType: linkType, from: source, losses: &losses) else { return nil }
    if packet.kind == .syslog {
      unsafe encapsulation.header.append(contentsOf: NoteText.text(packet.kind, payload).utf8)
      encapsulation.header.append(0)
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return unsafe encapsulation.keepsRecord ? bytes : payload
  }

  /// Captured length, original length and bytes.
  private func append(_ body: UnsafeRawBufferPointer, _ packet: PacketRecord, to record: inout [UInt8]) {
    let kept = encapsulation.header.count + body.count
    record.little32(UInt32(clamping: kept))
    record.little32(UInt32(clamping: kept + (packet.isTruncated ? packet.original - packet.captured : 0)))
    record.append(contentsOf: encapsulation.header)
    unsafe record.append(contentsOf: body)
  }

  private func pcapng(
    _ packet: PacketRecord, _ bytes: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer, _ origin: CaptureInterface,
    _ format: CaptureFormat, _ comments: [String]
  ) -> Bool {
    var linkType = self.linkType(of: origin, format)
    if case .pcapng(let wanted) = target, let wanted { linkType = wanted }
    guard let body = unsafe body(packet, bytes, payload, linkType, origin.linkType) else { return false }
    let index = interface(linkType, packet, origin)
    var time = packet.time
    if time < 0 {
      losses.add(.time)
      time = 0
    }
    record.block(6) { block in
      block.little32(UInt32(truncatingIfNeeded: index))
      block.little32(UInt32(truncatingIfNeeded: time >> 32))
      block.little32(UInt32(truncatingIfNeeded: time))
      let start = block.count
      unsafe append(body, packet, to: &block)
      block.pad(from: start)
      let optionsStart = block.count
      for comment in comments { block.option(1, Array(comment.utf8.prefix(0xFFFF))) }
      if packet.direction == .received { block.option(2, [1, 0, 0, 0]) }
      if packet.direction == .sent { block.option(2, [2, 0, 0, 0]) }
      if packet.drops > drops {
        var value: [UInt8] = []
        value.little32(packet.drops &- drops)
        value.little32(0)
        block.option(4, value)
      }
      if block.count > optionsStart { block.little32(0) }
    }
    drops = packet.drops
    return true
  }

  /// The number of the interface that a packet belongs to; a new one is described in the record before it.
  private func interface(_ linkType: Int, _ packet: PacketRecord, _ origin: CaptureInterface) -> Int {
    if let last, last.linkType == linkType, last.adapter == packet.adapter, last.origin == origin { return last.index }
    var key = InterfaceKey(linkType: linkType, name: origin.name, description: origin.description)
    if linkType != LinkType.linuxMonitor && packet.adapter != 0xFFFF { key.name = "hci\(packet.adapter)" }
    var told = (name: key.name, description: key.description)
    if let named = names[packet.adapter] {
      // A name that came later does not make another interface.
      key = InterfaceKey(linkType: linkType, name: "\(packet.adapter) \(origin.name)", description: origin.description)
      if !named.name.isEmpty, packet.adapter != 0xFFFF || origin.name.isEmpty { told = named }
    }
    let index = interfaces[key] ?? interfaces.count
    if index == interfaces.count {
      record.block(1) { block in
        block.little16(UInt16(truncatingIfNeeded: linkType))
        block.little16(0)
        block.little32(262_144)
        if !told.name.isEmpty { block.option(2, Array(told.name.utf8)) }
        if !told.description.isEmpty { block.option(3, Array(told.description.utf8)) }
        block.option(9, [6])
        block.little32(0)
      }
      interfaces[key] = index
    }
    last = (linkType, packet.adapter, origin, index)
    return index
  }

  private func packetLogger(
    _ packet: PacketRecord, _ bytes: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer, _ format: CaptureFormat, _ order: ByteOrder
  ) -> Bool {
    let isSame = format == .packetLogger
    var type: UInt8?
    if !isSame {
      type = packet.kind == .userLogging ? 0xFC : PacketLogger.type(packet.kind, packet.direction)
      if type == nil { return false }
      if packet.direction == .unknown && packet.kind.hasDirection { losses.add(.direction) }
      if packet.adapter != 0xFFFF { losses.add(.adapter) }
    }
    if packet.isTruncated { losses.add(.original) }
    if packet.drops > 0 { losses.add(.drops) }
    var time = packet.time
    if time < 0 || time > Int64(UInt32.max) * 1_000_000 {
      losses.add(.time)
      time = 0
    }
    let text = unsafe packet.kind == .userLogging ? Array(NoteText.text(packet.kind, payload).utf8) : []
    let rest = unsafe isSame ? bytes : packet.kind == .userLogging ? UnsafeRawBufferPointer(start: nil, count: 0) : payload
    let length = UInt32(clamping: 8 + (type == nil ? 0 : 1) + text.count + rest.count)
    for value in [length, UInt32(time / 1_000_000), UInt32(time % 1_000_000)] {
      if order.isBig { record.big32(value) } else { record.little32(value) }
    }
    if let type { record.append(type) }
    record.append(contentsOf: text)
    unsafe record.append(contentsOf: rest)
    return true
  }
}

extension [UInt8] {
  // Bytes one by one: cheaper than lending a number's bytes.
  mutating func big32(_ value: UInt32) { little32(value.byteSwapped) }
  mutating func big64(_ value: UInt64) {
    big32(UInt32(truncatingIfNeeded: value >> 32))
    big32(UInt32(truncatingIfNeeded: value))
  }
  mutating func little16(_ value: UInt16) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value >> 8))
  }
  mutating func little32(_ value: UInt32) {
    little16(UInt16(truncatingIfNeeded: value))
    little16(UInt16(truncatingIfNeeded: value >> 16))
  }

  /// Zeros up to a multiple of four bytes since `start`.
  fileprivate mutating func pad(from start: Int) {
    while (count - start) & 3 != 0 { append(0) }
  }

  /// A pcapng option.
  fileprivate mutating func option(_ code: UInt16, _ value: [UInt8]) {
    little16(code)
    little16(UInt16(truncatingIfNeeded: value.count))
    let start = count
    append(contentsOf: value)
    pad(from: start)
  }

  /// A pcapng block around a body.
  fileprivate mutating func block(_ type: UInt32, _ fill: (inout [UInt8]) -> Void) {
    let start = count
    little32(type)
    little32(0)
    fill(&self)
    pad(from: start)
    let length = UInt32(truncatingIfNeeded: count - start + 4)
    unsafe Swift.withUnsafeBytes(of: length.littleEndian) { unsafe replaceSubrange(start + 4..<start + 8, with: $0) }
    little32(length)
  }
}
