import Bluetooth
import Captures
import Conversations
import Profiles
import Timeline

/// One JSON object a line, for other programs.
public final class NDJSONPrinter: RowPrinter {
  let out: Output
  let clock = Clock()
  private var file: [UInt8] = []
  /// Keys of peers and attributes, as long as the tables say the same of them.
  private var version = -1
  private let peers = SnippetCache()
  private let attributes = SnippetCache()
  /// UUIDs that only profiles tell.
  private var profileUUIDs: [Int32: Bluetooth.BluetoothUUID] = [:]
  private var scratch: [UInt8] = []
  /// Bytes gathered before they are written.
  private let chunk: Int

  /// Prints to `out`, in pieces of about `chunk` bytes.
  public init(_ out: Output, chunk: Int = 1 << 16) {
    self.out = out
    self.chunk = chunk
  }

  /// Remembers the file's name where rows have to tell it.
  public func begin(_ facts: CaptureFacts) {
    version = -1
    peers.forget()
    attributes.forget()
    profileUUIDs.removeAll()
    file.removeAll()
    guard facts.isOneOfSeveral else { return }
    let scratch = Output()
    scratch.text("\"file\":\"")
    scratch.untrusted(Array(facts.name.utf8), .json)
    scratch.text("\",")
    file = Array(scratch.gathered)
  }

  @inline(__always)
  private func start(_ kind: StaticString, _ frame: Int, _ time: Int64, _ adapter: UInt16) {
    out.reserve(1024)
    out.text("{\"kind\":\"")
    out.text(kind)
    out.text("\",")
    if !file.isEmpty { out.raw(file) }
    out.text("\"frame\":")
    out.decimal(frame)
    out.text(",\"time\":\"")
    clock.rfc3339(time, to: out)
    if adapter != 0xFFFF {
      out.text("\",\"adapter\":")
      out.unsigned(UInt64(adapter))
    } else {
      out.byte(UInt8(ascii: "\""))
    }
  }

  /// Prints a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    if batch.version != version { forget(batch) }
    if row.layer == .note {
      note(row)
    } else {
      start("packet", row.frame, row.time, row.adapter)
      switch row.direction {
      case .sent: out.text(",\"direction\":\"sent\"")
      case .received: out.text(",\"direction\":\"received\"")
      case .central: out.text(",\"direction\":\"central\"")
      case .peripheral: out.text(",\"direction\":\"peripheral\"")
      case .unknown: break
      }
      out.text(",\"layer\":\"")
      out.text(row.layer.text)
      out.text("\",\"name\":\"")
      out.name(Dissection.name(row))
      out.byte(UInt8(ascii: "\""))
      details(row, batch)
      out.text(",\"fields\":{")
      var fields = JSONFields(out)
      Dissection.walk(row, batch, &fields)
      out.text("}}\n")
    }
    if out.count >= chunk { try out.flush() }
  }

  @inline(never)
  private func forget(_ batch: RowBatch) {
    version = batch.version
    peers.forget()
    attributes.forget()
  }

  @inline(__always)
  private func details(_ row: PacketRow, _ batch: RowBatch) {
    switch row.layer {
    case .att, .hciCommand, .smp, .signaling, .linkLayerControl:
      out.text(",\"opcode\":")
      out.unsigned(UInt64(row.opcode))
    case .hciEvent:
      out.text(",\"opcode\":")
      out.unsigned(UInt64(row.opcode))
      if row.opcode == 0x3E {
        out.text(",\"subevent\":")
        out.unsigned(UInt64(row.subcode))
      }
    case .management where row.opcode != 0:
      out.text(",\"opcode\":")
      out.unsigned(UInt64(row.opcode))
    default: break
    }
    if row.flags.contains(.hasConnection) {
      out.text(",\"connection\":")
      out.unsigned(UInt64(row.handle))
    }
    if row.peer >= 0 { peer(row.peer, batch) }
    if row.flags.contains(.hasAttribute) {
      out.text(",\"handle\":")
      out.unsigned(UInt64(row.attributeHandle))
      if row.attribute >= 0 { uuid(row, batch) }
    }
    if row.flags.contains(.hasValue) {
      out.text(",\"value\":\"")
      let value = row.value
      out.hex(value.start, value.count)
      out.byte(UInt8(ascii: "\""))
    }
    if row.flags.contains(.hasStatus) {
      out.text(",\"status\":\"")
      out.name(Status.name(row))
      out.byte(UInt8(ascii: "\""))
    }
    if row.requestFrame != 0 {
      out.text(",\"request_frame\":")
      out.decimal(row.requestFrame)
    }
    if row.responseFrame != 0 {
      out.text(",\"response_frame\":")
      out.decimal(row.responseFrame)
    }
    if row.flags.contains(.hasLatency) {
      out.text(",\"latency_us\":")
      out.decimal(Int(row.latency))
    }
    if row.flags.contains(.truncated) { out.text(",\"truncated\":true") }
  }

  @inline(__always)
  private func peer(_ peer: Int32, _ batch: RowBatch) {
    if !peers.write(peer, to: out) { tell(peer, batch) }
  }

  @inline(never)
  private func tell(_ peer: Int32, _ batch: RowBatch) {
    let tables = batch.tables
    let start = out.count
    out.text(",\"peer\":\"")
    out.address(tables.peers[Int(peer)].address)
    out.byte(UInt8(ascii: "\""))
    let identity = tables.identity(peer)
    if identity != peer {
      out.text(",\"peer_identity\":\"")
      out.address(tables.peers[Int(identity)].address)
      out.byte(UInt8(ascii: "\""))
    }
    let name = tables.name(of: peer)
    if !name.isEmpty {
      out.text(",\"peer_name\":\"")
      out.untrusted(name, .json)
      out.byte(UInt8(ascii: "\""))
    }
    peers.keep(peer, out, from: start)
  }

  @inline(__always)
  private func uuid(_ row: PacketRow, _ batch: RowBatch) {
    // The source of a UUID may differ from row to row: it is part of the key.
    let key = row.attribute &* 8 &+ Int32(row.uuidSource.rawValue)
    if !attributes.write(key, to: out) { tell(row, key, batch) }
  }

  @inline(never)
  private func tell(_ row: PacketRow, _ key: Int32, _ batch: RowBatch) {
    let tables = batch.tables
    let start = out.count
    let attribute = tables.attributes[Int(row.attribute)]
    out.keys(of: attribute, row.uuidSource, tables, else: profileUUIDs[row.attribute])
    attributes.keep(key, out, from: start)
  }

  private func note(_ row: PacketRow) {
    start("note", row.frame, row.time, row.adapter)
    out.text(",\"fields\":{\"text\":\"")
    out.untrusted(Array(NoteText.text(PacketKind(rawValue: UInt8(truncatingIfNeeded: row.subcode)), row.pdu.buffer).utf8), .json)
    out.text("\"}}\n")
  }

  /// Programs have the UUID; the profile's word for it stands in the messages.
  public func named(_ attribute: Int32, _ name: String) {}

  /// Keeps the UUID that a profile tells of an attribute.
  public func identified(_ attribute: Int32, _ uuid: Bluetooth.BluetoothUUID) {
    profileUUIDs[attribute] = uuid
    attributes.forget()
  }

  /// Prints a message.
  public func message(_ message: Message, _ row: PacketRow, _ batch: RowBatch) throws {
    if batch.version != version { forget(batch) }
    start("message", row.frame, row.time, row.adapter)
    switch row.direction {
    case .sent: out.text(",\"direction\":\"sent\"")
    case .received: out.text(",\"direction\":\"received\"")
    case .central: out.text(",\"direction\":\"central\"")
    case .peripheral: out.text(",\"direction\":\"peripheral\"")
    case .unknown: break
    }
    if row.flags.contains(.hasConnection) {
      out.text(",\"connection\":")
      out.unsigned(UInt64(row.handle))
    }
    if row.peer >= 0 { peer(row.peer, batch) }
    if row.flags.contains(.hasAttribute) {
      out.text(",\"handle\":")
      out.unsigned(UInt64(row.attributeHandle))
      if row.attribute >= 0 { uuid(row, batch) }
    }
    out.byte(UInt8(ascii: ","))
    scratch.removeAll(keepingCapacity: true)
    message.appendRowKeys(to: &scratch)
    out.raw(scratch)
    out.text("}\n")
    if out.count >= chunk { try out.flush() }
  }

  /// Prints a finding.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws {
    start("warning", finding.frame, finding.time, finding.adapter)
    if finding.handle != 0xFFFF {
      out.text(",\"connection\":")
      out.unsigned(UInt64(finding.handle))
    }
    if finding.address != 0 {
      out.text(",\"peer\":\"")
      out.address(finding.address)
      out.byte(UInt8(ascii: "\""))
    }
    out.text(",\"name\":\"")
    out.text(finding.id)
    out.text("\",\"severity\":\"")
    out.text(finding.severity.text)
    out.text("\",\"fields\":{\"text\":\"")
    let scratch = Output()
    finding.explain(to: scratch, batch.tables)
    out.untrusted(Array(scratch.gathered), .json)
    out.byte(UInt8(ascii: "\""))
    if finding.advice.utf8CodeUnitCount > 0 {
      out.text(",\"advice\":\"")
      out.text(finding.advice)
      out.byte(UInt8(ascii: "\""))
    }
    if finding.offset >= 0 {
      out.text(",\"offset\":")
      out.decimal(finding.offset)
    }
    out.text("}}\n")
    if out.count >= chunk { try out.flush() }
  }

  /// Writes what was gathered.
  public func flush() throws { try out.flush() }

  /// Nothing stands behind the rows.
  public func end(_ outcome: Outcome) throws { try out.flush() }
}

extension Output {
  /// Appends the keys `uuid`, `uuid_name` and `uuid_source` of an attribute, a comma before each, as far as they are known.
  func keys(of attribute: Attribute, _ source: UUIDSource, _ tables: Tables, else told: Bluetooth.BluetoothUUID? = nil) {
    guard source != .none, let uuid = tables.type(of: attribute) ?? told else { return }
    text(",\"uuid\":\"")
    string(uuid.description)
    byte(UInt8(ascii: "\""))
    if let name = uuid.attributeName {
      text(",\"uuid_name\":\"")
      self.name(name)
      byte(UInt8(ascii: "\""))
    }
    text(",\"uuid_source\":\"")
    text(source.text)
    byte(UInt8(ascii: "\""))
  }
}

/// Pieces of text that stay the same from row to row, by number.
final class SnippetCache {
  private let bytes = Output()
  private var ranges: UnsafeMutablePointer<(start: Int32, count: Int32)>
  private var count = 0
  private var capacity = 64
  private static let bound = 1 << 20

  init() { ranges = .allocate(capacity: capacity) }

  deinit { ranges.deallocate() }

  /// Forgets all pieces.
  func forget() {
    count = 0
    bytes.clear()
  }

  /// Appends the piece of a number. Returns false where there is none yet.
  @inline(__always)
  func write(_ number: Int32, to out: Output) -> Bool {
    let index = Int(number)
    guard index >= 0, index < count, ranges[index].start >= 0 else { return false }
    out.append(bytes.gathered.baseAddress.unsafelyUnwrapped + Int(ranges[index].start), Int(ranges[index].count))
    return true
  }

  /// Keeps what `out` has from `start` on as the piece of a number.
  func keep(_ number: Int32, _ out: Output, from start: Int) {
    let index = Int(number)
    guard index >= 0, index < SnippetCache.bound, bytes.count < SnippetCache.bound, let base = out.gathered.baseAddress else { return }
    while capacity <= index {
      let larger = UnsafeMutablePointer<(start: Int32, count: Int32)>.allocate(capacity: capacity * 2)
      larger.update(from: ranges, count: count)
      ranges.deallocate()
      ranges = larger
      capacity *= 2
    }
    while count <= index {
      ranges[count] = (-1, 0)
      count += 1
    }
    ranges[index] = (Int32(bytes.count), Int32(out.count - start))
    bytes.append(base + start, out.count - start)
  }
}

/// Writes the fields of a PDU as the inside of a JSON object.
struct JSONFields: Bluetooth.FieldVisitor {
  let out: Output
  /// One bit per level: something stands before on it.
  private var hasBefore: UInt64 = 0
  /// One bit per level: it is an array, whose elements have no keys.
  private var isArray: UInt64 = 0

  init(_ out: Output) { self.out = out }

  @inline(__always)
  private mutating func key(_ field: Field) {
    if hasBefore & 1 != 0 { out.byte(UInt8(ascii: ",")) }
    hasBefore |= 1
    guard isArray & 1 == 0 else { return }
    out.byte(UInt8(ascii: "\""))
    out.name(field.name)
    out.text("\":")
  }

  mutating func field(_ field: Field, _ value: Bluetooth.FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if field.isReserved { return }
    key(field)
    switch value {
    case .unsigned(let number):
      if let enumeration = field.enumeration {
        named(field, enumeration, number)
      } else if field.multiplier != 1 || field.decimals != 0 || !field.unit.isEmpty {
        scaled(field, Int64(bitPattern: number))
      } else {
        out.unsigned(number)
      }
    case .signed(let number):
      if field.multiplier != 1 || field.decimals != 0 || !field.unit.isEmpty { scaled(field, number) } else { out.decimal(Int(number)) }
    case .bool(let truth): out.text(truth ? "true" : "false")
    case .bytes(let range):
      out.byte(UInt8(ascii: "\""))
      bytes.extracting(range.clamped(to: 0..<bytes.byteCount)).withUnsafeBytes { buffer in
        if let base = buffer.baseAddress { out.hex(base, buffer.count) }
      }
      out.byte(UInt8(ascii: "\""))
    case .text(let range):
      out.byte(UInt8(ascii: "\""))
      bytes.extracting(range.clamped(to: 0..<bytes.byteCount)).withUnsafeBytes { out.untrusted($0, .json) }
      out.byte(UInt8(ascii: "\""))
    case .address(let address):
      out.byte(UInt8(ascii: "\""))
      out.address(address.address)
      out.byte(UInt8(ascii: "\""))
    case .uuid(let uuid):
      out.byte(UInt8(ascii: "\""))
      out.string(uuid.description)
      out.byte(UInt8(ascii: "\""))
    }
  }

  /// An enumerated value: `{"name": …, "value": n}`; flags: `{"names": […], "value": n}`.
  private func named(_ field: Field, _ enumeration: Enumeration, _ number: UInt64) {
    out.byte(UInt8(ascii: "{"))
    if enumeration.isFlags {
      out.text("\"names\":[")
      var isFirst = true
      _ = enumeration.forEachFlag(in: number) { name in
        if !isFirst { out.byte(UInt8(ascii: ",")) }
        isFirst = false
        out.byte(UInt8(ascii: "\""))
        out.name(name)
        out.byte(UInt8(ascii: "\""))
      }
      out.text("],")
    } else if let name = field.name(of: number) {
      out.text("\"name\":\"")
      out.name(name)
      out.text("\",")
    }
    out.text("\"value\":")
    out.unsigned(number)
    out.byte(UInt8(ascii: "}"))
  }

  /// A value with a unit: `{"raw": n, "value": x, "unit": …}`.
  private func scaled(_ field: Field, _ raw: Int64) {
    out.text("{\"raw\":")
    out.decimal(Int(raw))
    out.text(",\"value\":")
    out.scaled(field, raw)
    if !field.unit.isEmpty {
      out.text(",\"unit\":\"")
      out.name(field.unit)
      out.byte(UInt8(ascii: "\""))
    }
    out.byte(UInt8(ascii: "}"))
  }

  mutating func beginObject(_ field: Field, at offset: Int) {
    key(field)
    out.byte(UInt8(ascii: "{"))
    hasBefore <<= 1
    isArray <<= 1
  }

  mutating func endObject(_ field: Field, at range: Range<Int>) {
    out.byte(UInt8(ascii: "}"))
    hasBefore >>= 1
    isArray >>= 1
  }

  mutating func beginArray(_ field: Field, at offset: Int) {
    key(field)
    out.byte(UInt8(ascii: "["))
    hasBefore <<= 1
    isArray = isArray << 1 | 1
  }

  mutating func endArray(_ field: Field, at range: Range<Int>) {
    out.byte(UInt8(ascii: "]"))
    hasBefore >>= 1
    isArray >>= 1
  }

  mutating func problem(_ problem: FieldProblem) {}
}

extension Output {
  /// Appends a scaled value in decimal.
  func scaled(_ field: Field, _ raw: Int64) {
    var digits: [UInt8] = []
    field.writeScaled(raw, to: &digits)
    self.raw(digits)
  }
}

extension Layer {
  /// The `layer` key of NDJSON.
  var text: StaticString {
    switch self {
    case .hciCommand: "hci.command"
    case .hciEvent: "hci.event"
    case .hciACL: "hci.acl"
    case .hciSCO: "hci.sco"
    case .hciISO: "hci.iso"
    case .l2cap: "l2cap"
    case .signaling: "l2cap.signaling"
    case .att: "att"
    case .smp: "smp"
    case .sdp: "sdp"
    case .rfcomm: "rfcomm"
    case .avdtp: "avdtp"
    case .avctp: "avctp"
    case .bnep: "bnep"
    case .hid: "hid"
    case .linkLayer: "ll"
    case .linkLayerControl: "ll.control"
    case .advertisingPDU: "ll.advertising"
    case .management: "mgmt"
    case .monitor: "monitor"
    case .vendor: "vendor"
    case .note: "note"
    case .opaque: "opaque"
    }
  }
}

extension UUIDSource {
  /// The `uuid_source` key of NDJSON.
  var text: StaticString {
    switch self {
    case .none: ""
    case .discovery: "discovery"
    case .laterDiscovery: "later-discovery"
    case .cache: "cache"
    case .profile: "profile"
    case .guess: "guess"
    }
  }
}
