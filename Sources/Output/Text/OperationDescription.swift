import Bluetooth
import Conversations
import Analysis
import Memory
import PacketCodecs
import Text

extension Operation.Kind {
  /// Name for programs.
  public var id: StaticString {
    switch self {
    case .scan: "scan"
    case .inquiry: "inquiry"
    case .connect: "connect"
    case .disconnect: "disconnect"
    case .mtu: "mtu"
    case .dataLength: "data-length"
    case .phy: "phy"
    case .parameters: "connection-parameters"
    case .discovery: "discover"
    case .read: "read"
    case .write: "write"
    case .writeCommand: "write-command"
    case .preparedWrite: "prepared-write"
    case .subscribe: "subscribe"
    case .unsubscribe: "unsubscribe"
    case .notification: "notify"
    case .indication: "indicate"
    case .pairing: "pair"
    case .encryption: "encrypt"
    case .channel: "open-channel"
    case .data: "data"
    case .nameRequest: "ask-name"
    case .command: "command"
    case .report: "report"
    case .get: "get"
    case .put: "put"
    case .session: "session"
    case .input: "input"
    case .stream: "stream"
    case .control: "control"
    }
  }

  /// Its verb for people.
  var verb: StaticString {
    switch self {
    case .mtu: "MTU"
    case .dataLength: "data length"
    case .phy: "PHY"
    case .parameters: "parameters"
    case .writeCommand: "write command"
    case .preparedWrite: "prepared write"
    case .channel: "open channel"
    case .nameRequest: "ask name"
    default: id
    }
  }
}

extension Operation.Ending {
  /// Name for programs.
  public var id: StaticString {
    switch self {
    case .succeeded: "done"
    case .failed: "failed"
    case .unanswered: "unanswered"
    case .cancelled: "cancelled"
    case .open: "open"
    }
  }
}

extension Operation {
  /// Appends how it ended: `ok`, the error's name, `no answer`, `cancelled`, `open`.
  public func writeStatus(to out: TextBuffer) {
    switch ending {
    case .succeeded: out.text("ok")
    case .failed: out.name(Status.failure(status, statusDomain))
    case .unanswered: out.text("no answer")
    case .cancelled: out.text("cancelled")
    case .open: out.text("open")
    }
  }

  /// The number of the error that it failed with; nil where that has none (`ERROR`).
  var errorNumber: Int? {
    switch statusDomain {
    case .handsFree: status & 0x80 == 0 ? nil : Int(status & 0x7F)
    case .remoteControl: status & 0x80 == 0 ? Int(status) : nil
    default: Int(status)
    }
  }

  /// It was written without a response.
  var isCommand: Bool { (kind == .subscribe || kind == .unsubscribe || kind == .write) && layer != .hid && numbers[1] == 1 }

  /// Its description already implies that it succeeded.
  var describesItself: Bool {
    switch kind {
    // It has no response.
    case .control where layer == .hid: true
    case _ where isCommand: true
    case .connect, .subscribe, .unsubscribe, .encryption, .nameRequest, .pairing, .channel, .write, .preparedWrite, .command, .control,
      .get, .put, .session:
      false
    default: true
    }
  }

  /// Appends the other device: its name, else its address, else the connection; nothing where it is on the host itself.
  func writePeer(to out: TextBuffer, _ tables: ConversationTables) {
    if peer >= 0 {
      let name = tables.name(of: peer)
      if name.isEmpty { out.address(tables.peers[Int(peer)].address) } else { out.untrusted(name, .terminal) }
    } else if address != 0 {
      out.address(address)
    } else if connection >= 0 {
      out.text("conn 0x")
      out.hex(UInt64(tables.connections[Int(connection)].handle), digits: 4)
    } else if adapter != 0, adapter != 0xFFFF {
      out.text("hci")
      out.unsigned(UInt64(adapter))
    }
  }

  /// Appends its attribute's name, for a subscription that of the characteristic; nothing where it has none.
  func writeAttribute(to out: TextBuffer, _ tables: ConversationTables, _ style: Style, _ names: [Int32: String]) {
    switch kind {
    case .control where layer == .avrcp, .report where layer == .avrcp: return out.text("AVRCP")
    case .command, .report: return out.text(layer == .hsp ? "HSP" : "HFP")
    case .get, .put, .session: return out.name(objectProfile.name)
    case .stream where layer == .a2dp: return out.text("A2DP")
    case .connect where isOfVoice(tables), .disconnect where isOfVoice(tables): return out.text("voice")
    default: if let channel { out.label(channel, tables) }
    }
    guard handle != 0 else {
      writeType(to: out, tables)
      return
    }
    var index = attribute
    if kind == .subscribe || kind == .unsubscribe {
      let owner = tables.characteristic(of: index)
      if owner >= 0 { index = owner }
    }
    if index >= 0 {
      out.label(index, tables, style, names)
    } else {
      out.text("0x")
      out.hex(UInt64(handle), digits: 4)
    }
  }

  private func isOfVoice(_ tables: ConversationTables) -> Bool {
    connection >= 0 && tables.connections[Int(connection)].transport == .synchronous
  }

  /// The name or UUID of the type that was requested instead of a handle.
  func writeType(to out: TextBuffer, _ tables: ConversationTables) {
    guard type >= 0 else { return }
    let uuid = tables.uuids[Int(type)]
    if let name = uuid.attributeName() { out.name(name) } else { out.string(uuid.description) }
  }

  /// Appends a short description of its numbers.
  public func writeDetail(to out: TextBuffer, _ style: Style) {
    let words = OperationDescriber(out: out, style: style, operation: self)
    switch kind {
    case .scan: words.scan()
    case .inquiry:
      words.number(count, " answer", " answers")
    case .connect: words.connect()
    case .disconnect: words.disconnect()
    case .mtu: if ending == .succeeded { words.mtu() }
    case .dataLength: if ending == .succeeded { words.lengths(" bytes out, ", " bytes in") }
    case .phy: if ending == .succeeded { words.phy() }
    case .parameters: if ending == .succeeded { words.parameters() }
    case .discovery where layer == .sdp: words.search()
    case .discovery: words.discovery()
    case .subscribe:
      words.text(numbers[0] == 1 ? "notifications" : numbers[0] == 2 ? "indications" : "notifications and indications")
      if isCommand { words.text(", by write command") }
    case .unsubscribe where isCommand: words.text("by write command")
    case .read where layer == .hid, .write where layer == .hid, .control where layer == .hid: words.reportRequest()
    case .writeCommand where layer == .hid && count == 1: words.reportRequest()
    case .notification, .writeCommand, .data: words.run()
    case .input: words.input()
    case .stream where layer == .a2dp: words.media()
    case .stream: words.stream()
    case .read, .write, .preparedWrite, .indication: words.value()
    case .pairing: words.pairing()
    case .control: words.control()
    case .report where layer == .avrcp: words.control()
    case .command, .report: words.command()
    case .get, .put, .session: words.object()
    case .channel, .unsubscribe, .encryption, .nameRequest: break
    }
  }
}

/// Describes an operation's numbers.
private struct OperationDescriber {
  let out: TextBuffer
  let style: Style
  let operation: Operation

  /// Bytes of a value that a line shows.
  private static let shownBytes = 24

  func text(_ text: StaticString) { out.text(text) }

  func number(_ number: Int, _ singular: StaticString, _ many: StaticString) {
    out.decimal(number)
    out.text(number == 1 ? singular : many)
  }

  func scan() {
    number(operation.numbers[0], " device", " devices")
    out.text(", ")
    number(operation.numbers[1], " report", " reports")
  }

  func connect() {
    if operation.numbers[0] & 1 == 1 { out.text("whichever known device comes") }
  }

  func disconnect() {
    // A failure is described by the status.
    guard operation.ending == .succeeded else { return }
    out.name(Status.failure(operation.status, .hci))
  }

  func mtu() {
    out.decimal(operation.numbers[2])
    out.text(" (offered ")
    out.decimal(operation.numbers[0])
    out.text(", answered ")
    out.decimal(operation.numbers[1])
    out.byte(UInt8(ascii: ")"))
  }

  func lengths(_ first: StaticString, _ second: StaticString) {
    out.decimal(operation.numbers[0])
    out.text(first)
    out.decimal(operation.numbers[1])
    out.text(second)
  }

  func phy() {
    // In a sniffer's capture one direction can be unchanged.
    let names: [StaticString] = ["unchanged", "LE 1M", "LE 2M", "LE Coded"]
    let (sent, received) = (operation.numbers[0], operation.numbers[1])
    out.text(names.indices.contains(sent) ? names[sent] : names[0])
    out.text(" out, ")
    out.text(names.indices.contains(received) ? names[received] : names[0])
    out.text(" in")
  }

  func parameters() {
    out.text("interval ")
    Clock().interval(Int64(operation.numbers[0]) * 1250, to: out)
    out.text(", latency ")
    out.decimal(operation.numbers[1])
    out.text(", timeout ")
    Clock().interval(Int64(operation.numbers[2]) * 10_000, to: out)
  }

  func discovery() {
    var isFirst = true
    for (index, names) in [
      (0, (" service", " services")), (1, (" characteristic", " characteristics")), (2, (" descriptor", " descriptors")),
      (3, (" include", " includes")),
    ] as [(Int, (StaticString, StaticString))] where operation.numbers[index] > 0 {
      if !isFirst { out.text(", ") }
      isFirst = false
      number(operation.numbers[index], names.0, names.1)
    }
    if isFirst { out.text("nothing") }
    out.text(" in ")
    number(operation.count, " request", " requests")
  }

  /// Services from SDP records, with their channels.
  func search() {
    if operation.numbers[0] == 0, operation.bytes > 2 {
      out.text("attributes in ")
      return number(operation.count, " request", " requests")
    }
    if operation.messages.isEmpty { out.text("nothing") } else { messages() }
    out.text(" in ")
    number(operation.count, " request", " requests")
  }

  func input() {
    var isFirst = true
    for (index, names) in [
      (0, (" key pressed", " keys pressed")), (1, (" button pressed", " buttons pressed")),
      (2, (" movement of a pointer", " movements of a pointer")),
    ] as [(Int, (StaticString, StaticString))] where operation.numbers[index] > 0 {
      if !isFirst { out.text(", ") }
      isFirst = false
      number(operation.numbers[index], names.0, names.1)
    }
    if !isFirst { out.text(" in ") }
    number(operation.count, " report", " reports")
  }

  /// `ASE 1: LC3 48 kHz 10 ms 120 bytes, CIG 0 CIS 1: codec configured → QoS configured → streaming; Enable rejected: …`
  func stream() {
    let stream = operation.audioStream
    out.text(stream.isSource ? "source ASE " : "sink ASE ")
    out.decimal(Int(stream.id))
    out.text(": ")
    if let codec = stream.codec {
      self.codec(codec)
      out.text(stream.group == nil ? ": " : ", ")
    }
    if let group = stream.group, let number = stream.stream {
      out.text("CIG ")
      out.decimal(Int(group))
      out.text(" CIS ")
      out.decimal(Int(number))
      if stream.interval > 0 {
        out.text(", SDUs of ")
        self.number(stream.size, " byte", " bytes")
        out.text(" every ")
        milliseconds(stream.interval)
      }
      out.text(": ")
    }
    let states = stream.states
    for (index, state) in states.enumerated() {
      if index > 0 { out.text(" → ") }
      out.text(state.name)
    }
    if states.count == 15 { out.text(" → …") }
    guard let rejection = stream.rejection else { return }
    out.text("; ")
    out.text(ASCS.Opcode(rawValue: rejection.opcode)?.name ?? "an operation")
    out.text(" rejected: ")
    if let name = ASCS.codeName(rejection.code) { out.text(name) } else { out.decimal(Int(rejection.code)) }
    if let name = ASCS.reasonName(rejection.reason, of: rejection.code) {
      out.text(" (")
      out.text(name)
      out.text(")")
    }
  }

  /// `SBC 44.1 kHz joint stereo: configured → open → streaming → closed; 1,585 packets in 21.1 s, 931,980 bytes, 44.1 kB/s, 1 gap of 340 ms …`
  func media() {
    let stream = operation.mediaStream
    out.configuration(stream.configuration)
    for (index, state) in stream.states.enumerated() {
      out.text(index > 0 ? " → " : ": ")
      out.text(state.name)
    }
    if stream.states.count == 15 { out.text(" → …") }
    guard operation.count > 0 else { return }
    out.text("; ")
    number(operation.bytes, " byte", " bytes")
    out.text(" in ")
    out.media(
      packets: operation.count, bytes: operation.bytes, playing: Int64(stream.playing) * 1000, lost: stream.lost, gaps: stream.gaps,
      longest: Int64(stream.longest) * 1000)
    guard stream.gaps > 0 else { return }
    out.text(stream.gaps == 1 ? ", " : ", the longest ")
    Clock().duration(Int64(stream.longestStart) * 1000, to: out)
    out.text(" after it was configured")
  }

  private func codec(_ codec: ASCS.Codec) {
    if let name = codec.name {
      out.text(name)
    } else {
      out.text("codec ")
      out.decimal(Int(codec.format))
    }
    if codec.frequency > 0 {
      out.byte(UInt8(ascii: " "))
      thousandths(codec.frequency)
      out.text(" kHz")
    }
    if codec.duration > 0 {
      out.byte(UInt8(ascii: " "))
      milliseconds(codec.duration)
    }
    if codec.octets > 0 {
      out.byte(UInt8(ascii: " "))
      number(codec.octets, " byte", " bytes")
    }
  }

  private func milliseconds(_ microseconds: Int) {
    thousandths(microseconds)
    out.text(" ms")
  }

  /// A number of thousandths: `44.1` for 44100.
  private func thousandths(_ value: Int) {
    out.decimal(value / 1000)
    var rest = value % 1000
    guard rest > 0 else { return }
    out.byte(UInt8(ascii: "."))
    var unit = 100
    while rest > 0 {
      out.decimal(rest / unit)
      rest %= unit
      unit /= 10
    }
  }

  func run() {
    if operation.count > 1 || operation.messages.isEmpty {
      if operation.count > 1 {
        out.decimal(operation.count)
        out.text(operation.kind == .data ? " packets, " : " values, ")
      }
      number(operation.bytes, " byte", " bytes")
      if operation.rate > 0 {
        out.text(", ")
        let tenths = Int(min(operation.rate * 10, 1e9))
        out.decimal(tenths / 10)
        if tenths < 1000 {
          out.byte(UInt8(ascii: "."))
          out.decimal(tenths % 10)
        }
        out.text("/s")
      }
      throughput()
      out.text("  ")
    }
    if operation.kind == .data { return }
    if operation.messages.isEmpty { if operation.count == 1 { bytes() } } else { messages() }
  }

  /// Bytes per second, for operations long enough to be a transfer.
  private func throughput() {
    guard operation.bytes >= 500, operation.count >= 4, operation.duration > 0 else { return }
    out.text(", ")
    out.rate(operation.bytes, operation.duration)
  }

  func value() {
    if operation.kind == .preparedWrite, operation.count == 0 {
      out.text("nothing was prepared")
      return
    }
    if operation.kind == .preparedWrite || operation.kind == .read && operation.count > 1 {
      number(operation.bytes, " byte", " bytes")
      out.text(" in ")
      number(operation.count, " part", " parts")
      throughput()
      out.text("  ")
    }
    if operation.messages.isEmpty { bytes() } else { messages() }
  }

  /// An AT command line and its result.
  func command() {
    out.untrusted(operation.value, .terminal)
    if operation.kind == .report { meaning() }
    if operation.messages.isEmpty { return }
    out.text(style.isUnicode ? "  → " : "  -> ")
    messages()
  }

  /// A command of a remote control and its response, or a player's notification.
  func control() {
    let requested = AVRCPText(of: operation.value, isResponse: operation.kind == .report, operation.lineContext, style)
    // A key is named by its function, a notification by its event.
    let start = out.count
    if operation.kind != .report, !requested.isKey { out.name(operation.remoteCommand) }
    if let event = requested.event {
      if out.count > start { out.text(": ") }
      out.name(event)
    }
    if !requested.text.isEmpty {
      if out.count > start { out.text(": ") }
      out.raw(requested.text)
    }
    if requested.isKey { return }
    let answer = AVRCPText(of: operation.answer, isResponse: true, operation.responseContext, style)
    if answer.text.isEmpty || answer.text == requested.text { return }
    out.text(style.isUnicode ? " → " : " -> ")
    out.raw(answer.text)
  }

  /// A request for a report, the protocol or the idle rate of a HID device with the value set or returned, or a report that was sent to it.
  func reportRequest() {
    guard let (header, second) = operation.reportRequest else { return bytes() }
    let value = operation.value
    // A report in a response or a Set Report request follows a header of its own.
    let message = [0xA0 | header.reportType.rawValue] + value
    let description = operation.description
    var number = header.type == .getReport ? second : nil
    if number == nil, !description.isEmpty {
      number = HID.Report(description.rawSpan, 1..<message.count)?.number.map { message[$0] }
    }
    out.request(header, number: number, setting: second)
    guard !value.isEmpty, header.type != .setProtocol, header.type != .setIdle else { return }
    out.text(": ")
    if header.type == .getProtocol { return out.text(value[0] & 1 == 0 ? "boot" : "report") }
    if header.type == .getIdle {
      out.decimal(Int(value[0]) * 4)
      return out.text(" ms")
    }
    guard !description.isEmpty else { return bytes() }
    var words = InputReportText(out, style: style)
    let start = out.count
    HID.walk(message.rawSpan, description: description.rawSpan, &words)
    words.finish()
    if out.count == start { out.text("nothing pressed") }
  }

  /// The meaning of an unsolicited result of a phone: an incoming call, or its signal strength.
  private func meaning() {
    // The line in a frame of its own; of a longer line only the beginning is kept.
    guard operation.bytes == operation.value.count, operation.value.count < 120 else { return }
    let lineEnd: [UInt8] = [0x0D, 0x0A]
    let frame = [0x09, 0xEF, UInt8(operation.value.count + 4) << 1 | 1] + lineEnd + operation.value + lineEnd
    var context = PDUContext()
    context.opcode = operation.lineContext | RFCOMM.joined
    var words = LineParameterText(style)
    operation.layer.walk(frame.rawSpan, context, &words)
    guard let line = words.lines.first, !line.words.isEmpty else { return }
    out.text("  ")
    out.raw(line.words)
  }

  /// The request, its object, how many bytes of it were transferred, and its type.
  func object() {
    if operation.kind == .session { out.name(OBEX.requestName(operation.request)) }
    if !operation.value.isEmpty {
      if operation.kind == .session { out.byte(0x20) }
      operation.value.withBorrowedBytes { out.quoted($0, limit: 64, style) }
    }
    if operation.bytes > 0 {
      out.text("  ")
      number(operation.bytes, " byte", " bytes")
      throughput()
    }
    if let type = operation.messages.first, Array(type.text.utf8) != operation.value {
      out.text(operation.value.isEmpty && operation.bytes == 0 ? "" : "  ")
      out.untrusted(Array(type.text.utf8), .terminal)
    }
    parameters(operation.objectParameters.request, answering: 0)
    parameters(operation.objectParameters.response, answering: UInt32(operation.request) + 1)
  }

  /// Appends application parameters. Those of a response are described by its request: `request` is 1 + the opcode of that request, and 0 for the
  /// parameters of a request.
  private func parameters(_ packet: [UInt8], answering request: UInt32) {
    guard !packet.isEmpty else { return }
    var context = PDUContext()
    // The packet has no header of RFCOMM, as on a channel of its own.
    context.subcode = 0x1001
    context.opcode = UInt32(operation.objectProfile.rawValue) << OBEX.profileShift | request << OBEX.requestShift
    let start = out.count
    out.text("  ")
    var words = ObjectText(out, style: style, isLast: false)
    ProtocolID.obex.walk(packet.rawSpan, context, &words)
    if out.count == start + 2 { out.truncate(to: start) }
  }

  private func messages() {
    for (index, message) in operation.messages.prefix(3).enumerated() {
      if index > 0 { out.text("; ") }
      out.untrusted(Array(message.text.utf8), .terminal)
    }
    if operation.messageCount > 3 {
      out.text("; and ")
      out.decimal(operation.messageCount - 3)
      out.text(" more")
    }
  }

  /// Appends the value as text, if it is text.
  private func isText() -> Bool {
    operation.value.withBorrowedBytes { value in
      var end = value.count
      // Only the beginning of a long value is kept: it can end inside a character.
      if operation.bytes > end {
        while end > 0, value[end - 1] & 0xC0 == 0x80 { end -= 1 }
        if end > 0, value[end - 1] >= 0xC0 { end -= 1 }
      }
      let text = value.part(0..<end)
      guard TextBuffer.readsAsText(text) else { return false }
      out.quoted(text, limit: 120, style)
      if operation.bytes > end {
        out.byte(0x20)
        out.glyph(.ellipsis, style)
        out.text(" (+")
        out.decimal(operation.bytes - end)
        out.byte(UInt8(ascii: ")"))
      }
      return true
    }
  }

  private func bytes() {
    if isText() { return }
    operation.value.withBorrowedBytes { value in
      do { unsafe out.spacedHex(value.start, min(value.count, Self.shownBytes)) }
    }
    if operation.bytes > Self.shownBytes {
      out.byte(0x20)
      out.glyph(.ellipsis, style)
      out.text(" (+")
      out.decimal(operation.bytes - Self.shownBytes)
      out.byte(UInt8(ascii: ")"))
    }
  }

  func pairing() {
    guard operation.numbers[2] != 0 || operation.numbers[3] != 0 else { return }
    let both = operation.numbers[2] & operation.numbers[3]
    out.text(both & 8 != 0 ? "LE Secure Connections, " : "LE legacy, ")
    out.text(method(isSecure: both & 8 != 0))
    if both & 1 != 0 { out.text(", bonding") }
  }

  /// The association model that IO capabilities and requirements lead to (Core, Vol 3, Part H, 2.3.5.1).
  private func method(isSecure: Bool) -> StaticString {
    // Legacy pairing needs the data on both sides.
    let outOfBand = isSecure ? operation.numbers[2] | operation.numbers[3] : operation.numbers[2] & operation.numbers[3]
    if outOfBand & 0x100 != 0 { return "out of band" }
    guard (operation.numbers[2] | operation.numbers[3]) & 4 != 0 else { return "just works" }
    let (mine, theirs) = (operation.numbers[0], operation.numbers[1])
    if mine == 3 || theirs == 3 { return "just works" }
    // 0 display only, 1 display and yes/no, 2 keyboard only, 4 keyboard and display.
    let hasKeyboard = mine == 2 || mine == 4 || theirs == 2 || theirs == 4
    if isSecure, (mine == 1 || mine == 4) && (theirs == 1 || theirs == 4) { return "numeric comparison" }
    return hasKeyboard ? "passkey" : "just works"
  }
}
