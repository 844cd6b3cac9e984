import BothSides
import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles
@_spi(Pipeline) import Analysis
import Memory
import Text

/// One JSON object a line, for other programs.
public final class NDJSONPrinter: AirPrinter, RowRenderer {
  private let out: TextBuffer
  private let keys: RowKeys
  private let recurring = RecurringFields()
  private let below: NDJSONMessages
  /// Profiles' names for attributes.
  private var names: [Int32: String] = [:]
  /// Bytes that are buffered before they are written.
  private let chunk: Int

  /// Results from sniffers, and the number of PDUs missing in the log that were already printed.
  private let air: AirSide?
  private var unlogged = 0

  /// Prints to `out`, in pieces of about `chunk` bytes; with sniffers' results, if there is `air`.
  public init(_ out: TextBuffer, chunk: Int = 1 << 16, air: AirSide? = nil) {
    self.out = out
    self.air = air
    self.chunk = chunk
    keys = RowKeys(out)
    below = NDJSONMessages(keys)
  }

  /// Remembers the file's name if rows have to contain it.
  public func begin(_ facts: CaptureFacts) {
    names.removeAll()
    var file: [UInt8] = []
    if facts.isFromSeveralCaptures {
      let scratch = TextBuffer()
      scratch.text("\"file\":\"")
      scratch.untrusted(Array(facts.name.utf8), .json)
      scratch.text("\",")
      file = unsafe Array(scratch.gathered)
    }
    keys.begin(file: file)
    recurring.forget()
    unlogged = 0
    if let air {
      for capture in air.captures where capture.match != nil { airCapture(capture, air, file) }
    }
  }

  /// Rows of packets that were printed.
  public var packets: Int { writtenPackets + writers.reduce(0) { $0 + $1.packets } }
  private var writtenPackets = 0
  /// Printers that wrote rows for this one on other threads.
  private var writers: [NDJSONPrinter] = []

  /// Prints a row.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    writtenPackets &+= 1
    if let air { printUnlogged(air, until: row.time) }
    if row.layer == .note {
      note(row)
    } else {
      var cursor = TextBuffer.Cursor(out)
      keys.head(.packet, row, batch, &cursor)
      let known = details(row, &cursor)
      if let radio = RadioFacts(row, batch) { cursor.through { $0.radioMember(radio) } }
      if let air { cursor.through { $0.airMember(air, row.frame) } }
      let key = RecurringFields.key(row)
      let start = cursor.count
      if recurring.write(row, key, known, to: &cursor) {
        cursor.finish()
      } else {
        cursor.text(",\"fields\":{")
        var fields = JSONFields(cursor, known)
        Dissection.walk(row, &fields)
        cursor = fields.end
        cursor.text("}}\n")
        cursor.finish()
        if let key { recurring.keep(key, out, from: start) }
      }
    }
    if out.count >= chunk { try out.flush() }
  }

  /// Writes value, status, request and response. Returns the offset of the value's digits.
  @inline(__always)
  private func details(_ row: PacketRow, _ cursor: inout TextBuffer.Cursor) -> JSONFields.Known {
    var known = JSONFields.Known()
    if row.flags.contains(.hasValue) {
      cursor.text(",\"value\":\"")
      let value = row.value
      unsafe cursor.hex(value.start, value.count)
      known = JSONFields.Known(value, cursor)
      cursor.byte(UInt8(ascii: "\""))
      if value.isReadable { text(value, &cursor) }
    } else if row.layer != .att, let (_, value) = row.sentOverChannel {
      cursor.text(",\"value\":\"")
      unsafe cursor.hex(value.start, value.count)
      cursor.byte(UInt8(ascii: "\""))
      if value.isReadable { text(value, &cursor) }
    }
    if row.layer == .l2cap, row.flags.contains(.hasAssembled) {
      cursor.text(",\"sdu\":\"")
      unsafe cursor.hex(row.assembled.start, row.assembled.count)
      cursor.byte(UInt8(ascii: "\""))
    }
    if row.flags.contains(.hasStatus) {
      cursor.text(",\"status\":\"")
      cursor.name(Status.name(row))
      cursor.byte(UInt8(ascii: "\""))
    }
    if row.requestFrame != 0 {
      cursor.text(row.flags.contains(.retransmission) ? ",\"retransmission_of\":" : ",\"request_frame\":")
      cursor.decimal(row.requestFrame)
    }
    if row.responseFrame != 0 {
      cursor.text(",\"response_frame\":")
      cursor.decimal(row.responseFrame)
    }
    if row.wholeFrame > 0 {
      cursor.text(",\"reassembled_in\":")
      cursor.decimal(row.wholeFrame)
    }
    if row.flags.contains(.hasLatency) {
      cursor.text(",\"latency_us\":")
      cursor.decimal(Int(row.latency))
    }
    if row.flags.contains(.truncated) { cursor.text(",\"truncated\":true") }
    if row.flags.contains(.encrypted) { cursor.text(",\"encrypted\":true") }
    if row.flags.contains(.decrypted) { cursor.text(",\"decrypted\":true") }
    return known
  }

  /// Writes a value as text if it is readable.
  @inline(never)
  private func text(_ value: PDUBytes, _ cursor: inout TextBuffer.Cursor) {
    cursor.text(",\"text\":\"")
    cursor.through { $0.untrusted(value, .json) }
    cursor.byte(UInt8(ascii: "\""))
  }

  private func note(_ row: PacketRow) {
    keys.start("note", row.frame, row.time, row.adapter)
    out.text(",\"fields\":{\"text\":\"")
    out.untrusted(Array(NoteText.text(PacketKind(rawValue: UInt8(truncatingIfNeeded: row.subcode)), row.pdu.span).utf8), .json)
    out.text("\"}}\n")
  }

  /// Keeps a profile's name for an attribute, for the sentences of findings; rows contain its UUID.
  public func attribute(_ attribute: ProfileAttribute) {
    names[attribute.index] = attribute.name
    keys.attribute(attribute)
  }

  /// Prints a message.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    let begin = out.count
    below.message(message, row, batch)
    message.wrote(out.count - begin)
    if out.count >= chunk { try out.flush() }
  }

  /// A renderer for the messages of the current capture, for use on another thread.
  public func makeMessageRenderer() -> (any MessageRenderer)? {
    let apart = RowKeys(TextBuffer())
    apart.begin(file: keys.file)
    return NDJSONMessages(apart)
  }

  /// A renderer for the rows of the current capture, for use on another thread; nil with results from sniffers, which are printed between rows by one
  /// thread.
  public func makeRowRenderer() -> (any RowRenderer)? {
    guard air == nil else { return nil }
    let writer = NDJSONPrinter(TextBuffer(), chunk: .max)
    writer.keys.begin(file: keys.file)
    writers.append(writer)
    return writer
  }

  /// Hands over the printed text.
  public func handOver(_ spare: (any MessageText)?) -> any MessageText { out.handOver(spare) }

  /// Prints text that another thread has rendered.
  public func rendered(_ text: BorrowedBytes, _ batch: RowBatch) throws {
    if text.count >= chunk { return try out.pass(text) }
    out.append(text)
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
    out.text("\",\"degree\":\"")
    out.text(finding.degree)
    out.text("\",\"frames\":[")
    for (index, frame) in finding.frames.enumerated() {
      if index > 0 { out.byte(UInt8(ascii: ",")) }
      out.decimal(frame)
    }
    out.byte(UInt8(ascii: "]"))
    if finding.repeated > 0 {
      out.text(",\"repeated\":")
      out.decimal(finding.repeated)
    }
    out.text(",\"fields\":{\"text\":\"")
    let scratch = TextBuffer()
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

  /// Writes the buffered text.
  public func flush() throws { try out.flush() }

  /// Prints what sniffers heard after the last row.
  public func end(_ outcome: Outcome) throws {
    if let air { printUnlogged(air, until: .max) }
    try out.flush()
  }

  // MARK: The air

  private func airCapture(_ capture: AirSide.Capture, _ air: AirSide, _ file: [UInt8]) {
    guard let match = capture.match else { return }
    out.text("{\"kind\":\"air\",")
    if !file.isEmpty { out.raw(file) }
    out.airCapture(capture, match, air)
    out.text("}\n")
  }

  private func printUnlogged(_ air: AirSide, until time: Int64) {
    while unlogged < air.unlogged.count, air.unlogged[unlogged].time <= time {
      heard(air, air.unlogged[unlogged])
      unlogged += 1
    }
  }

  private func heard(_ air: AirSide, _ unlogged: AirSide.Unlogged) {
    keys.start("heard", unlogged.frame, unlogged.time, 0xFFFF)
    out.text(",\"capture\":\"")
    out.untrusted(Array(air.captures[unlogged.capture].name.utf8), .json)
    out.text(unlogged.isSent ? "\",\"direction\":\"sent\",\"connection\":" : "\",\"direction\":\"received\",\"connection\":")
    out.decimal(Int(unlogged.handle))
    out.text(",\"length\":")
    out.decimal(unlogged.length)
    out.text("}\n")
  }

  /// Prints a row for each packet about which sniffers' results became known.
  public func joined(_ join: LiveAirSide.Join, _ tables: ConversationTables, passes: (Int) -> Bool) {
    for number in join.aligned { airCapture(join.side.captures[number], join.side, keys.file) }
    for frame in join.frames where passes(frame) {
      guard let time = join.side.time(frame) else { continue }
      keys.start("joined", frame, time, 0xFFFF)
      out.airMember(join.side, frame)
      out.text("}\n")
    }
    for unlogged in join.unlogged { heard(join.side, unlogged) }
  }

  /// Prints a row for each sniffer's capture that matches this one.
  public func ended(_ side: AirSide) {
    for capture in side.captures { airCapture(capture, side, keys.file) }
  }
}

extension TextBuffer {
  /// Appends the keys `uuid`, `uuid_name` and `uuid_source` of an attribute, a comma before each, as far as they are known.
  func keys(of attribute: Attribute, _ source: UUIDSource, _ tables: ConversationTables, else fallback: Bluetooth.BluetoothUUID? = nil) {
    guard source != .none, let uuid = tables.type(of: attribute) ?? fallback else { return }
    text(",\"uuid\":\"")
    string(uuid.description)
    byte(UInt8(ascii: "\""))
    if let name = uuid.attributeName() {
      text(",\"uuid_name\":\"")
      assignedName(name)
      byte(UInt8(ascii: "\""))
    }
    text(",\"uuid_source\":\"")
    text(source.text)
    byte(UInt8(ascii: "\""))
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
