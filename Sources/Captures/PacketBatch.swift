/// What a captured packet is, in the terms of the Linux HCI monitor, with kinds of its own for what that does not know.
public struct PacketKind: RawRepresentable, Hashable, Sendable {
  /// The monitor opcode without its direction, or a number from 0x80 on for kinds of btscribe's own.
  public var rawValue: UInt8

  /// Makes a kind from its number.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A new adapter (monitor opcode 0).
  public static let newIndex = PacketKind(rawValue: 0)
  /// An adapter went away (1).
  public static let deleteIndex = PacketKind(rawValue: 1)
  /// An HCI command, from its opcode on (2).
  public static let command = PacketKind(rawValue: 2)
  /// An HCI event, from its event code on (3).
  public static let event = PacketKind(rawValue: 3)
  /// HCI ACL data, from the connection handle on (4 and 5).
  public static let acl = PacketKind(rawValue: 4)
  /// HCI synchronous data, from the connection handle on (6 and 7).
  public static let sco = PacketKind(rawValue: 6)
  /// An adapter was opened (8).
  public static let openIndex = PacketKind(rawValue: 8)
  /// An adapter was closed (9).
  public static let closeIndex = PacketKind(rawValue: 9)
  /// Address and manufacturer of an adapter (10).
  public static let indexInfo = PacketKind(rawValue: 10)
  /// Vendor diagnostics (11; H4 type 0x07).
  public static let vendorDiagnostic = PacketKind(rawValue: 11)
  /// A text from the system (12; PacketLogger notes).
  public static let systemNote = PacketKind(rawValue: 12)
  /// A text from a program: priority, identity, text (13).
  public static let userLogging = PacketKind(rawValue: 13)
  /// A control socket was opened (14).
  public static let controlOpen = PacketKind(rawValue: 14)
  /// A control socket was closed (15).
  public static let controlClose = PacketKind(rawValue: 15)
  /// A management command (16).
  public static let controlCommand = PacketKind(rawValue: 16)
  /// A management event (17).
  public static let controlEvent = PacketKind(rawValue: 17)
  /// HCI isochronous data, from the connection handle on (18 and 19).
  public static let iso = PacketKind(rawValue: 18)
  /// A Link Layer packet from its access address on, CRC included where the capture has it.
  public static let linkLayer = PacketKind(rawValue: 0x80)
  /// A baseband (BR/EDR) or LMP packet.
  public static let baseband = PacketKind(rawValue: 0x81)
  /// An H4 packet of a type that the Core Specification does not define; its payload starts at the type byte.
  public static let unknownH4 = PacketKind(rawValue: 0x82)
  /// A line of Apple's log (PacketLogger type 0xF7); ``NoteText`` makes a text of it.
  public static let syslog = PacketKind(rawValue: 0x83)
  /// A record that is not Bluetooth, or that the reader cannot take apart.
  public static let opaque = PacketKind(rawValue: 0xFF)
}

/// Who sent a packet.
public enum PacketDirection: UInt8, Sendable {
  /// The capture does not say.
  case unknown = 0
  /// Host to controller.
  case sent = 1
  /// Controller to host.
  case received = 2
  /// Link Layer: from the central.
  case central = 3
  /// Link Layer: from the peripheral.
  case peripheral = 4
}

/// What a sniffer says of a Link Layer packet besides its bytes; all zero where it says nothing.
public struct RadioInfo: Sendable, Equatable {
  /// Bits of ``flags``.
  public enum Flag {
    /// The signal strength is valid.
    public static let signalValid: UInt16 = 1
    /// The sniffer checked the CRC.
    public static let crcChecked: UInt16 = 2
    /// The CRC was right.
    public static let crcOK: UInt16 = 4
    /// The payload is encrypted (said by the sniffer).
    public static let encrypted: UInt16 = 8
    /// The payload was encrypted and the sniffer has decrypted it.
    public static let decrypted: UInt16 = 16
    /// The bytes end with the 3-byte CRC.
    public static let hasCRC: UInt16 = 32
    /// The packet is on an auxiliary advertising channel.
    public static let auxiliary: UInt16 = 64
    /// The message integrity check was right (only with ``decrypted``).
    public static let micOK: UInt16 = 128
    /// The reference access address is not that of the packet.
    public static let strayAccessAddress: UInt16 = 256
    /// The packet belongs to an isochronous stream.
    public static let isochronous: UInt16 = 512
  }
  /// RF channel as the Link Layer numbers it (0 to 36 data, 37 to 39 advertising).
  public var channel: UInt8 = 0
  /// Signal strength in dBm, where ``Flag/signalValid`` is set.
  public var signal: Int8 = 0
  /// PHY: 0 LE 1M, 1 LE 2M, 2 LE Coded.
  public var phy: UInt8 = 0
  /// Bits of ``Flag``.
  public var flags: UInt16 = 0

  /// Says nothing.
  @inlinable
  public init() {}
}

/// One captured packet, without its bytes: where they lie in the batch, and what the capture says of them. 48 bytes, no references.
public struct PacketRecord: Sendable {
  /// Number of the packet in its file, from 1, as Wireshark's `frame.number`.
  public var frame: Int = 0
  /// Time of capture, microseconds since 1970-01-01 UTC; may be negative.
  public var time: Int64 = 0
  @usableFromInline var start: UInt32 = 0
  @usableFromInline var kept: UInt32 = 0
  @usableFromInline var full: UInt32 = 0
  /// Sum of the packets that the capturing program says it dropped so far; 0 where it does not say.
  public var drops: UInt32 = 0
  @usableFromInline var header: UInt16 = 0
  /// Index into ``PacketSource/interfaces``.
  public var interface: UInt16 = 0
  /// Adapter (HCI index), or 0xFFFF for none.
  public var adapter: UInt16 = 0xFFFF
  /// What it is.
  public var kind: PacketKind = .opaque
  /// Who sent it.
  public var direction: PacketDirection = .unknown
  /// What a sniffer says of it.
  public var radio = RadioInfo()

  /// An empty record.
  @inlinable
  public init() {}

  /// Offset of the record's bytes in the batch, as captured (with the header of its link type).
  @inlinable
  public var offset: Int {
    get { Int(start) }
    set { start = UInt32(truncatingIfNeeded: newValue) }
  }

  /// Number of bytes captured, with the header of the link type.
  @inlinable
  public var captured: Int {
    get { Int(kept) }
    set { kept = UInt32(truncatingIfNeeded: newValue) }
  }

  /// Number of bytes that the packet had, with the header of the link type; `captured` is less where the capture cut it.
  @inlinable
  public var original: Int {
    get { Int(full) }
    set { full = UInt32(truncatingIfNeeded: newValue) }
  }

  /// Number of bytes before the payload: the H4 type byte, a monitor or sniffer header. Never more than ``captured``.
  @inlinable
  public var payload: Int {
    get { Int(header) }
    set { header = UInt16(truncatingIfNeeded: newValue) }
  }

  /// The record's payload was cut by the capture.
  @inlinable
  public var isTruncated: Bool { kept < full }
}

/// A text that the capture attaches to a packet: a pcapng comment.
public struct PacketNote: Sendable, Equatable {
  /// Index of the packet in ``PacketBatch/records``.
  public var record: Int
  /// The text.
  public var text: String

  /// Makes a note from its parts.
  public init(record: Int, text: String) {
    self.record = record
    self.text = text
  }
}

/// Some packets in a row with their bytes, lent by a source. A batch owns its bytes until a source fills it anew, and may be handed to
/// another thread as a whole; several batches in turn let one be decoded while the next is read.
@safe public final class PacketBatch: @unchecked Sendable {
  /// Comments of the packets, in the order of the packets; mostly none.
  public var notes: [PacketNote] = []

  @usableFromInline var store: UnsafeMutablePointer<PacketRecord>
  @usableFromInline var count = 0
  @usableFromInline var capacity = 0
  @usableFromInline var memory: UnsafeMutableRawPointer
  @usableFromInline var used = 0
  @usableFromInline var room = 0

  /// An empty batch; its buffers come with the first use.
  public init() {
    unsafe store = .allocate(capacity: 1)
    unsafe memory = .allocate(byteCount: 16, alignment: 16)
  }

  deinit {
    unsafe store.deallocate()
    unsafe memory.deallocate()
  }

  /// The packets, in the order of the capture; valid until the batch is filled anew.
  @inlinable
  public var records: UnsafeBufferPointer<PacketRecord> { unsafe UnsafeBufferPointer(start: store, count: count) }

  /// The bytes that the records point into; valid until the batch is filled anew.
  @inlinable
  public var base: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: memory, count: used) }

  /// The payload of a record (H4 type byte or link header taken off), as captured.
  @inlinable
  public func payload(_ record: PacketRecord) -> UnsafeRawBufferPointer {
    let start = min(record.offset &+ record.payload, used)
    return unsafe UnsafeRawBufferPointer(start: memory + start, count: max(0, min(record.offset &+ record.captured, used) &- start))
  }

  /// All captured bytes of a record, link header included.
  @inlinable
  public func bytes(_ record: PacketRecord) -> UnsafeRawBufferPointer {
    let start = min(record.offset, used)
    return unsafe UnsafeRawBufferPointer(start: memory + start, count: max(0, min(record.offset &+ record.captured, used) &- start))
  }

  /// Forgets the packets from `limit` on.
  public func truncate(to limit: Int) {
    guard limit < count else { return }
    count = max(limit, 0)
    notes.removeAll { $0.record >= count }
  }

  /// Forgets the packets and their bytes, and keeps the buffers for the next.
  @inlinable
  public func removeAll() {
    count = 0
    used = 0
    if !notes.isEmpty { notes.removeAll() }
  }

  /// Forgets the packets that `isUnwanted` picks, and what was said of them.
  func removeAll(where isUnwanted: (PacketRecord) -> Bool) {
    var kept = 0
    var places: [Int: Int] = [:]
    for index in 0..<count where unsafe !isUnwanted(store[index]) {
      if !notes.isEmpty { places[index] = kept }
      unsafe store[kept] = unsafe store[index]
      kept += 1
    }
    count = kept
    notes = notes.compactMap { note in places[note.record].map { PacketNote(record: $0, text: note.text) } }
  }

  /// Takes all packets of another batch, which is empty then; the buffers change places.
  public func take(from other: PacketBatch) {
    removeAll()
    swap(&notes, &other.notes)
    unsafe swap(&store, &other.store)
    swap(&count, &other.count)
    swap(&capacity, &other.capacity)
    unsafe swap(&memory, &other.memory)
    swap(&used, &other.used)
    swap(&room, &other.room)
  }

  /// Adds a packet whose bytes are in the batch already.
  @inlinable
  public func append(_ record: PacketRecord) {
    if count == capacity { reserve(records: max(64, capacity &* 2)) }
    unsafe (store + count).initialize(to: record)
    count &+= 1
  }

  /// Adds bytes for a packet to point into. Returns their offset in the batch.
  public func append(bytes: UnsafeRawBufferPointer) -> Int {
    reserve(bytes: used &+ bytes.count)
    if let source = bytes.baseAddress { unsafe (memory + used).copyMemory(from: source, byteCount: bytes.count) }
    used &+= bytes.count
    return used &- bytes.count
  }

  /// Makes room for so many packets in all.
  @usableFromInline
  func reserve(records wanted: Int) {
    if wanted <= capacity { return }
    let wider = UnsafeMutablePointer<PacketRecord>.allocate(capacity: wanted)
    unsafe wider.update(from: store, count: count)
    unsafe store.deallocate()
    unsafe store = unsafe wider
    capacity = wanted
  }

  /// Makes room for so many bytes in all.
  @usableFromInline
  func reserve(bytes wanted: Int) {
    if wanted <= room { return }
    let size = max(wanted, min(room &* 2, room &+ 1 << 20))
    let wider = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    unsafe wider.copyMemory(from: memory, byteCount: used)
    unsafe memory.deallocate()
    unsafe memory = unsafe wider
    room = size
  }
}

/// One interface of a capture: a pcapng interface, or the only one that other formats have.
public struct CaptureInterface: Sendable, Equatable {
  /// Link type number as in pcap (187, 201, 254, 256 …); for btsnoop and PacketLogger the nearest: see ``CaptureFormat``.
  public var linkType: Int
  /// Name where the capture has one: `hci0`.
  public var name: String
  /// Description where the capture has one.
  public var description: String

  /// Makes an interface from its parts.
  public init(linkType: Int, name: String = "", description: String = "") {
    self.linkType = linkType
    self.name = name
    self.description = description
  }
}

/// A capture that is read from its start to its end. Not safe to share between threads; its batches are.
public protocol PacketSource: AnyObject {
  /// Interfaces seen so far.
  var interfaces: [CaptureInterface] { get }
  /// One line on what this is: `btsnoop (H4)`.
  var title: String { get }
  /// Size of the input in bytes where known, and how much of it was read: for progress.
  var progress: (read: Int, total: Int?) { get }
  /// Which format it is.
  var format: CaptureFormat { get }
  /// What the capture leaves out on purpose, as far as was read: what Android's filters took away.
  var limits: [CaptureLimit] { get }
  /// What was wrong with the capture where it ended, or nil where it ended as it should. Set when ``read(_:)`` has returned false.
  var damage: CaptureDamage? { get }
  /// Fills `batch` anew with the next packets. Returns false at the end (then the batch is empty).
  func read(_ batch: PacketBatch) throws(CaptureError) -> Bool
  /// What to tell the user about how it was opened: which file of an archive it is, and what else there is.
  var notices: [String] { get }
  /// Adds to ``notices``.
  func addNotice(_ text: String)
  /// Goes back to the start. Returns false where that cannot be done (pipes, live captures).
  func rewind() throws(CaptureError) -> Bool
}

extension PacketSource {
  /// Nothing is known to be left out.
  public var limits: [CaptureLimit] { [] }
  /// There is nothing to tell.
  public var notices: [String] { [] }
  /// Forgets the text.
  public func addNotice(_ text: String) {}
}

/// Something that a capture leaves out on purpose.
public struct CaptureLimit: Sendable, Equatable {
  /// A word that programs can rely on: `android-headers`.
  public var id: String
  /// A sentence for people: `redacted by Android: ACL data cut to headers`.
  public var text: String
  /// Number of packets that it was seen on; 0 where it concerns the capture as a whole.
  public var packets: Int

  /// Makes a limit from its parts.
  public init(id: String, text: String, packets: Int) {
    self.id = id
    self.text = text
    self.packets = packets
  }
}

/// A file format of captures.
public enum CaptureFormat: String, Sendable, CaseIterable {
  /// btsnoop, RFC 1761 with Bluetooth datalinks: big endian, one datalink per file.
  case btsnoop
  /// pcap as tcpdump writes it.
  case pcap
  /// pcapng, draft-ietf-opsawg-pcapng.
  case pcapng
  /// Apple's PacketLogger.
  case packetLogger = "pklg"
  /// The memory log in an Android bug report.
  case btsnooz
  /// Not a file.
  case live
}

/// Where and how a capture was cut short or damaged; what stands before was read.
public struct CaptureDamage: Sendable, Equatable {
  /// Number of the packet that is damaged, from 1.
  public var frame: Int
  /// Offset in the file, in bytes, at which the damage starts.
  public var offset: Int
  /// What is wrong, in a few words: `cut short`.
  public var what: String

  /// Makes a damage from its parts.
  public init(frame: Int, offset: Int, what: String) {
    self.frame = frame
    self.offset = offset
    self.what = what
  }
}
