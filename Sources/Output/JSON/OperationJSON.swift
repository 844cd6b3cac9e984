import Bluetooth
import Conversations
import Analysis
import Memory
import Text

/// Operations for programs: one JSON object a line, or all in one array.
public final class OperationJSON: OperationSink {
  let out: TextBuffer
  private let isArray: Bool
  private let clock = Clock()
  private var file: [UInt8] = []
  private var isFirst = true
  var names: [Int32: String] = [:]

  /// Prints to `out`; with `isArray` the objects are elements of an array, whose brackets the caller prints.
  public init(_ out: TextBuffer, isArray: Bool) {
    self.out = out
    self.isArray = isArray
  }

  /// Remembers the file's name if rows have to contain it.
  public func begin(_ facts: CaptureFacts) {
    names.removeAll()
    file = facts.isFromSeveralCaptures ? Array(facts.name.utf8) : []
  }

  /// Keeps the name that a profile gives to an attribute.
  public func attribute(_ attribute: ProfileAttribute) { names[attribute.index] = attribute.name }

  /// Prints an operation.
  public func operation(_ operation: Operation, _ tables: ConversationTables) throws {
    if isArray, !isFirst { out.text(",\n") }
    isFirst = false
    object(operation, tables)
    if !isArray { out.byte(0x0A) }
    if out.count >= 1 << 16 { try out.flush() }
  }

  /// Prints the object of an operation without separators.
  func object(_ operation: Operation, _ tables: ConversationTables) {
    out.text("{\"kind\":\"operation\"")
    if !file.isEmpty { text("file", file) }
    out.text(",\"operation\":\"")
    out.text(operation.kind.id)
    out.byte(UInt8(ascii: "\""))
    number("frame", operation.frame)
    number("end_frame", operation.endFrame)
    out.text(",\"frames\":[")
    for (index, frame) in operation.frames.enumerated() {
      if index > 0 { out.byte(UInt8(ascii: ",")) }
      out.decimal(frame)
    }
    out.text("]")
    number("frame_count", operation.frameCount)
    out.text(",\"time\":\"")
    clock.rfc3339(operation.start, to: out)
    out.text("\",\"end_time\":\"")
    clock.rfc3339(operation.end, to: out)
    out.byte(UInt8(ascii: "\""))
    if operation.adapter != 0xFFFF { number("adapter", Int(operation.adapter)) }
    who(operation, tables)
    if operation.handle != 0 {
      attribute(operation, tables)
    } else if operation.type >= 0 {
      out.text(",\"uuid\":\"")
      out.string(tables.uuids[Int(operation.type)].description)
      out.byte(UInt8(ascii: "\""))
    }
    out.text(",\"ending\":\"")
    out.text(operation.ending.id)
    out.text("\",\"status\":\"")
    operation.writeStatus(to: out)
    out.byte(UInt8(ascii: "\""))
    if operation.ending == .failed, let code = operation.errorNumber { number("status_code", code) }
    if operation.latency >= 0 { number("latency_us", Int(operation.latency)) }
    if operation.count > 0 { number("count", operation.count) }
    if operation.bytes > 0 || !operation.value.isEmpty { number("bytes", operation.bytes) }
    if !operation.value.isEmpty, operation.kind != .data {
      out.text(",\"value\":\"")
      unsafe operation.value.withUnsafeBytes { if let base = $0.baseAddress { unsafe out.hex(base, $0.count) } }
      out.byte(UInt8(ascii: "\""))
      if operation.value.withBorrowedBytes({ TextBuffer.readsAsText($0) }) {
        out.text(",\"text\":\"")
        out.untrusted(operation.value, .json)
        out.byte(UInt8(ascii: "\""))
      }
    }
    fields(operation)
    messages(operation)
    out.byte(UInt8(ascii: "}"))
  }

  private func who(_ operation: Operation, _ tables: ConversationTables) {
    out.text(operation.isIncoming ? ",\"incoming\":true" : ",\"incoming\":false")
    if operation.connection >= 0 { number("connection", Int(tables.connections[Int(operation.connection)].handle)) }
    let address = operation.peer >= 0 ? tables.peers[Int(operation.peer)].address : operation.address
    if address != 0 || operation.peer >= 0 {
      out.text(",\"peer\":\"")
      out.address(address)
      out.byte(UInt8(ascii: "\""))
    }
    guard operation.peer >= 0 else { return }
    let identity = tables.identity(operation.peer)
    if identity != operation.peer {
      out.text(",\"peer_identity\":\"")
      out.address(tables.peers[Int(identity)].address)
      out.byte(UInt8(ascii: "\""))
    }
    if !tables.name(of: operation.peer).isEmpty { text("peer_name", tables.name(of: operation.peer)) }
  }

  private func attribute(_ operation: Operation, _ tables: ConversationTables) {
    number("handle", Int(operation.handle))
    if let channel = operation.channel { out.fields(of: channel, tables) }
    guard operation.attribute >= 0 else { return }
    let attribute = tables.attributes[Int(operation.attribute)]
    out.keys(of: attribute, operation.uuidSource, tables)
    let owner = tables.characteristic(of: operation.attribute)
    if owner >= 0, owner != operation.attribute {
      number("characteristic_handle", Int(tables.attributes[Int(owner)].handle))
      if let uuid = tables.type(of: tables.attributes[Int(owner)]) {
        out.text(",\"characteristic_uuid\":\"")
        out.string(uuid.description)
        out.byte(UInt8(ascii: "\""))
      }
    }
    if let name = names[owner >= 0 ? owner : operation.attribute] { text("characteristic", Array(name.utf8)) }
  }

  /// Writes the numbers of an operation under the keys of its kind.
  private func fields(_ operation: Operation) {
    let numbers = operation.numbers
    switch operation.kind {
    case .scan: number("devices", numbers[0])
    case .connect: if numbers[0] & 1 == 1 { out.text(",\"accept_list\":true") }
    case .disconnect:
      guard operation.ending == .succeeded || operation.ending == .failed else { return }
      number("reason", Int(operation.status))
      out.text(",\"reason_name\":\"")
      out.name(Status.failure(operation.status, .hci))
      out.byte(UInt8(ascii: "\""))
    case .mtu where operation.ending == .succeeded:
      number("offered", numbers[0])
      number("answered", numbers[1])
      number("mtu", numbers[2])
    case .dataLength where operation.ending == .succeeded:
      number("sent_octets", numbers[0])
      number("received_octets", numbers[1])
    case .phy where operation.ending == .succeeded:
      number("sent_phy", numbers[0])
      number("received_phy", numbers[1])
    case .parameters where operation.ending == .succeeded:
      number("interval_us", numbers[0] * 1250)
      number("peripheral_latency", numbers[1])
      number("timeout_us", numbers[2] * 10_000)
    case .discovery where operation.layer == .sdp:
      layer(operation)
      number("services", numbers[0])
    case .discovery:
      number("services", numbers[0])
      number("characteristics", numbers[1])
      number("descriptors", numbers[2])
      number("includes", numbers[3])
    case .subscribe:
      out.text(numbers[0] & 1 != 0 ? ",\"notifications\":true" : ",\"notifications\":false")
      out.text(numbers[0] & 2 != 0 ? ",\"indications\":true" : ",\"indications\":false")
    case .control where operation.layer == .avrcp, .report where operation.layer == .avrcp:
      layer(operation)
      if operation.kind == .control { request(operation.remoteCommand) }
      detail("detail", operation)
    case .command, .report: layer(operation)
    case .read where operation.layer == .hid, .write where operation.layer == .hid, .control where operation.layer == .hid,
      .writeCommand where operation.layer == .hid && operation.count == 1:
      layer(operation)
      if let name = operation.requestName { request(name) }
      detail("detail", operation)
    case .get, .put, .session:
      layer(operation)
      request(OBEX.requestName(operation.request))
      out.text(",\"session\":\"")
      out.name(operation.objectProfile.name)
      out.byte(UInt8(ascii: "\""))
    case .data:
      layer(operation)
      rate(operation)
    case .notification, .writeCommand: rate(operation)
    case .input:
      number("keys", numbers[0])
      number("buttons", numbers[1])
      number("movements", numbers[2])
      rate(operation)
    case .stream where operation.layer == .a2dp: media(operation)
    case .stream: stream(operation.audioStream)
    case .pairing:
      detail("method", operation)
    default: break
    }
  }

  private func request(_ name: StaticName) {
    out.text(",\"request\":\"")
    out.name(name)
    out.byte(UInt8(ascii: "\""))
  }

  /// Writes the description of its numbers.
  private func detail(_ key: StaticString, _ operation: Operation) {
    let scratch = TextBuffer()
    operation.writeDetail(to: scratch, Style())
    if scratch.count > 0 { unsafe text(key, Array(scratch.gathered)) }
  }

  /// A stream of A2DP: its configuration, its states, and figures of its packets; their number and bytes are under the keys of all operations.
  private func media(_ operation: Operation) {
    let stream = operation.mediaStream
    let configuration = stream.configuration
    layer(operation)
    out.text(",\"codec\":\"")
    out.name(configuration.codec.name)
    out.text("\"")
    if configuration.frequency > 0 { number("sampling_frequency", configuration.frequency) }
    if configuration.mode != .unknown {
      out.text(",\"channel_mode\":\"")
      out.text(configuration.mode.name)
      out.text("\"")
    }
    if configuration.bitpool > 0 { number("maximum_bitpool", Int(configuration.bitpool)) }
    number("end_point", Int(stream.endPoint))
    out.text(stream.isReceived ? ",\"media\":\"received\"" : ",\"media\":\"sent\"")
    number("playing_ms", stream.playing)
    number("lost", stream.lost)
    number("gaps", stream.gaps)
    if stream.gaps > 0 {
      number("longest_gap_ms", stream.longest)
      number("longest_gap_after_ms", stream.longestStart)
    }
    states(stream.states.lazy.map(\.name))
  }

  private func stream(_ stream: Operation.AudioStream) {
    number("ase", Int(stream.id))
    out.text(stream.isSource ? ",\"role\":\"source\"" : ",\"role\":\"sink\"")
    if let codec = stream.codec {
      number("coding_format", Int(codec.format))
      if codec.frequency > 0 { number("sampling_frequency", codec.frequency) }
      if codec.duration > 0 { number("frame_duration_us", codec.duration) }
      if codec.octets > 0 { number("octets_per_frame", codec.octets) }
    }
    if let group = stream.group, let cis = stream.stream {
      number("cig", Int(group))
      number("cis", Int(cis))
    }
    if stream.interval > 0 {
      number("sdu_interval_us", stream.interval)
      number("max_sdu", stream.size)
    }
    states(stream.states.lazy.map(\.name))
    guard let rejection = stream.rejection else { return }
    number("rejected_opcode", Int(rejection.opcode))
    number("response_code", Int(rejection.code))
    number("response_reason", Int(rejection.reason))
  }

  /// The states of a stream in their order.
  private func states(_ names: some Sequence<StaticString>) {
    out.text(",\"states\":\"")
    for (index, name) in names.enumerated() {
      if index > 0 { out.text(", ") }
      out.text(name)
    }
    out.text("\"")
  }

  private func layer(_ operation: Operation) {
    out.text(",\"layer\":\"")
    out.name(operation.layer.name)
    out.byte(UInt8(ascii: "\""))
  }

  private func rate(_ operation: Operation) {
    guard operation.rate > 0 else { return }
    out.text(",\"rate\":")
    let thousandths = Int(min(operation.rate * 1000, 1e15))
    out.decimal(thousandths / 1000)
    out.byte(UInt8(ascii: "."))
    out.padded(UInt64(thousandths % 1000), 3)
  }

  private func messages(_ operation: Operation) {
    guard operation.messageCount > 0 else { return }
    out.text(",\"messages\":[")
    for (index, message) in operation.messages.enumerated() {
      if index > 0 { out.byte(UInt8(ascii: ",")) }
      out.text("{\"profile\":\"")
      out.untrusted(Array(message.profile.utf8), .json)
      out.byte(UInt8(ascii: "\""))
      if let name = message.name { text("message", Array(name.utf8)) }
      text("text", Array(message.text.utf8))
      out.text("}")
    }
    out.text("]")
    number("message_count", operation.messageCount)
  }

  private func number(_ key: StaticString, _ number: Int) {
    out.text(",\"")
    out.text(key)
    out.text("\":")
    out.decimal(number)
  }

  private func text(_ key: StaticString, _ bytes: [UInt8]) {
    out.text(",\"")
    out.text(key)
    out.text("\":\"")
    out.untrusted(bytes, .json)
    out.byte(UInt8(ascii: "\""))
  }

  /// Writes the buffered text.
  public func flush() throws { try out.flush() }

  /// Writes the buffered text; nothing is printed after the operations.
  public func end(_ outcome: Outcome) throws { try out.flush() }
}
