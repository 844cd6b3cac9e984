import Bluetooth
import Captures
import Conversations
import Profiles
import Timeline

/// One JSON object a line, for other programs.
public final class NDJSONPrinter: RowPrinter {
  private let out: Output
  private let keys: RowKeys
  private let below: NDJSONMessages
  /// Profiles' words for attributes.
  private var names: [Int32: String] = [:]
  /// Bytes gathered before they are written.
  private let chunk: Int

  /// Prints to `out`, in pieces of about `chunk` bytes.
  public init(_ out: Output, chunk: Int = 1 << 16) {
    self.out = out
    self.chunk = chunk
    keys = RowKeys(out)
    below = NDJSONMessages(keys)
  }

  /// Remembers the file's name where rows have to tell it.
  public func begin(_ facts: CaptureFacts) {
    names.removeAll()
    var file: [UInt8] = []
    if facts.isOneOfSeveral {
      let scratch = Output()
      scratch.text("\"file\":\"")
      scratch.untrusted(Array(facts.name.utf8), .json)
      scratch.text("\",")
      file = unsafe Array(scratch.gathered)
    }
    keys.begin(file: file)
  }

  /// Prints a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    if row.layer == .note {
      note(row)
    } else {
      var pen = Pen(out)
      keys.head(.packet, row, batch, &pen)
      details(row, &pen)
      pen.text(",\"fields\":{")
      var fields = JSONFields(pen)
      Dissection.walk(row, batch, &fields)
      pen = fields.end
      pen.text("}}\n")
      pen.layDown()
    }
    if out.count >= chunk { try out.flush() }
  }

  /// Value, status, and what is asked and answered.
  @inline(__always)
  private func details(_ row: PacketRow, _ pen: inout Pen) {
    if row.flags.contains(.hasValue) {
      pen.text(",\"value\":\"")
      let value = row.value
      unsafe pen.hex(value.start, value.count)
      pen.byte(UInt8(ascii: "\""))
    }
    if row.layer == .l2cap, row.flags.contains(.hasAssembled) {
      pen.text(",\"sdu\":\"")
      unsafe pen.hex(row.assembled.start, row.assembled.count)
      pen.byte(UInt8(ascii: "\""))
    }
    if row.flags.contains(.hasStatus) {
      pen.text(",\"status\":\"")
      pen.name(Status.name(row))
      pen.byte(UInt8(ascii: "\""))
    }
    if row.requestFrame != 0 {
      pen.text(",\"request_frame\":")
      pen.decimal(row.requestFrame)
    }
    if row.responseFrame != 0 {
      pen.text(",\"response_frame\":")
      pen.decimal(row.responseFrame)
    }
    if row.flags.contains(.hasLatency) {
      pen.text(",\"latency_us\":")
      pen.decimal(Int(row.latency))
    }
    if row.flags.contains(.truncated) { pen.text(",\"truncated\":true") }
  }

  private func note(_ row: PacketRow) {
    keys.start("note", row.frame, row.time, row.adapter)
    out.text(",\"fields\":{\"text\":\"")
    unsafe out.untrusted(Array(NoteText.text(PacketKind(rawValue: UInt8(truncatingIfNeeded: row.subcode)), row.pdu.buffer).utf8), .json)
    out.text("\"}}\n")
  }

  /// Keeps a profile's word for an attribute, for the sentences of findings: rows tell its UUID.
  public func named(_ attribute: Int32, _ name: String) { names[attribute] = name }

  /// Keeps the UUID that a profile tells of an attribute.
  public func identified(_ attribute: Int32, _ uuid: Bluetooth.BluetoothUUID) { keys.identified(attribute, uuid) }

  /// Prints a message.
  public func message(_ message: Message, _ row: PacketRow, _ batch: RowBatch) throws {
    below.message(message, row, batch)
    if out.count >= chunk { try out.flush() }
  }

  /// Who prints messages of the capture that has begun on another thread.
  public func messagePrinter() -> (any MessagePrinter)? {
    let apart = RowKeys(Output())
    apart.begin(file: keys.file)
    return NDJSONMessages(apart)
  }

  /// Prints messages that another thread has written.
  public func messages(_ text: UnsafeRawBufferPointer) throws {
    unsafe out.append(text)
    if out.count >= chunk { try out.flush() }
  }

  /// Prints a finding.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws {
    keys.start("warning", finding.frame, finding.time, finding.adapter)
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
    finding.explain(to: scratch, batch.tables, names: names)
    unsafe out.untrusted(Array(scratch.gathered), .json)
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
