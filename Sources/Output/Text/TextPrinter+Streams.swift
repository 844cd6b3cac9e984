import Analysis
import Bluetooth
import Conversations
import Memory
import Text

/// Rows of AVDTP: stream end points, configurations, and state changes of streams.
extension TextPrinter {
  /// Prints a signal of AVDTP; false for signals that are printed with all their fields.
  func streamSignal(_ row: PacketRow) -> Bool {
    let span = row.pdu.span
    guard let header = AVDTP.Header(span), let signal = header.signal, header.packetType == .single || row.opcode == AVDTP.joined else {
      return false
    }
    if header.isReject {
      verb("refused")
      streamLabel(nil)
      let code = row.pdu.u8(row.pdu.count - 1) ?? 0
      out.name(AVDTP.errorName(code) ?? "unknown error")
      out.text(" (0x")
      out.hex(UInt64(code), digits: 2)
      out.byte(UInt8(ascii: ")"))
      latency(row)
      return true
    }
    let id = row.pdu.u8(header.size).map { $0 >> 2 }
    let isLong = signal == .setConfiguration || signal == .reconfigure
    let list = header.size + (header.isCommand ? signal == .setConfiguration ? 2 : signal == .reconfigure ? 1 : 0 : 0)
    switch (signal, header.isCommand) {
    case (.discover, true):
      verb("discover")
      streamLabel(nil)
      out.text("end points")
    case (.discover, false):
      verb("found")
      streamLabel(nil)
      let all = AVDTP.endPoints(span, header)
      if all.isEmpty { out.text("no end point") }
      for (index, endPoint) in all.enumerated() {
        if index > 0 { out.text(", ") }
        out.text(endPoint.isSink ? "sink " : "source ")
        out.decimal(Int(endPoint.id))
        if endPoint.media == 1 { out.text(" of pictures") }
        if endPoint.isInUse { out.text(" in use") }
      }
    case (.getCapabilities, true), (.getAllCapabilities, true):
      verb("ask")
      streamLabel(id)
      out.text("capabilities")
    case (.getCapabilities, false), (.getAllCapabilities, false):
      guard let configuration = A2DP.Configuration(span, in: list..<max(list, row.pdu.count)) else { return false }
      verb("able")
      streamLabel(nil)
      out.configuration(configuration)
    case (.getConfiguration, true):
      verb("ask")
      streamLabel(id)
      out.text("configuration")
    case (.setConfiguration, true), (.reconfigure, true):
      guard let configuration = A2DP.Configuration(span, in: list..<max(list, row.pdu.count)) else { return false }
      verb("configure")
      streamLabel(id)
      out.configuration(configuration)
    case (.open, true), (.start, true), (.suspend, true), (.close, true), (.abort, true):
      verb(signal == .open ? "open" : signal == .start ? "start" : signal == .suspend ? "suspend" : signal == .close ? "close" : "abort")
      streamLabel(id)
      if signal != .open, signal != .start { printMedia(row) }
      if signal == .start { figures[row.connection] = nil }
    case (.delayReport, true):
      guard let tenths = row.pdu.u16be(header.size + 1).map({ Int($0) }) else { return false }
      verb("delay")
      streamLabel(id)
      out.decimal(tenths / 10)
      if tenths % 10 > 0 {
        out.byte(UInt8(ascii: "."))
        out.decimal(tenths % 10)
      }
      out.text(" ms")
    case (.delayReport, false):
      guard row.requestFrame != 0 else { return false }
      verb("ok")
      streamLabel(nil)
      out.text("delay taken")
    case (.open, false), (.start, false), (.suspend, false), (.close, false), (.abort, false), (.setConfiguration, false),
      (.reconfigure, false):
      guard row.requestFrame != 0 else { return false }
      verb("ok")
      streamLabel(nil)
      out.text(isLong ? "configured" : signal == .open ? "open" : signal == .start ? "streaming" : "stopped")
    default: return false
    }
    latency(row)
    return true
  }

  private func streamLabel(_ id: UInt8?) {
    let start = out.count
    out.text("A2DP")
    if let id {
      out.byte(0x20)
      out.decimal(Int(id))
    }
    endLabel(start)
  }

  /// Prints a message of AVRCP; false where it is incomplete.
  func remoteControl(_ row: PacketRow) -> Bool {
    let span = row.pdu.span
    guard let header = AVCTP.Header(span), let message = AVRCP.Message(span, isBrowsing: row.opcode & AVRCP.browsing != 0) else {
      return false
    }
    var words = AVRCPText(style, showsAll: true)
    Dissection.walk(row, &words)
    let refusal = header.isResponse ? message.refusal(span) : nil
    if refusal == nil, notification(row, words) { return true }
    let isPart = message.packetType != 0 && row.opcode & AVRCP.joined == 0
    verb(isPart ? "part" : !header.isResponse ? words.isKey ? "key" : "ask" : refusal != nil ? "refused" : words.isKey ? "ok" : "answer")
    let start = out.count
    out.text("AVRCP")
    endLabel(start)
    let line = out.count
    if !words.isKey {
      out.name(Dissection.name(row))
      // The verb already says which of the two it is.
      for ending in [" Response", " Reject"] as [StaticName] { out.drop(ending, behind: line) }
    }
    if isPart {
      out.text(", ")
      out.decimal(message.parameters.count)
      out.text(" bytes")
    } else if let refusal {
      if out.count > line { out.text(": ") }
      out.name(Status.failure(refusal, .remoteControl))
    } else if !words.text.isEmpty || words.event != nil {
      if out.count > line { out.text(": ") }
      if let event = words.event { out.name(event) } else { out.raw(words.text) }
    }
    out.fold(from: line, to: 240, style)
    latency(row)
    return true
  }

  /// Prints the registration for an event, its current value, or its change; false for other messages.
  private func notification(_ row: PacketRow, _ words: AVRCPText) -> Bool {
    guard let event = words.event else { return false }
    // Types of commands and responses (AV/C Digital Interface Command Set, 8.2).
    switch words.type {
    case 0x03: verb("watch")
    case 0x0F: verb("now")
    case 0x0D: verb("changed")
    default: return false
    }
    let start = out.count
    out.text("AVRCP")
    endLabel(start)
    if words.text.isEmpty || words.type == 3 { out.name(event) } else { out.raw(words.text) }
    // The registration was long before the change.
    if words.type == 0x0F { latency(row) }
    return true
  }

  /// Prints an AVCTP packet with a part of a message; false for other packets.
  func messagePart(_ row: PacketRow) -> Bool {
    guard let header = AVCTP.Header(row.pdu.span), header.packetType != .single else { return false }
    verb("part")
    let start = out.count
    out.text("AVCTP")
    endLabel(start)
    out.text(header.packetType == .start ? "start packet" : header.packetType == .end ? "end packet" : "continue packet")
    if let (number, total) = AVCTP.part(row.opcode) {
      out.text(", ")
      out.decimal(number)
      out.text(" of ")
      out.decimal(total)
    } else {
      out.text(" without a start")
    }
    out.text(header.isResponse ? ", response, transaction " : ", command, transaction ")
    out.decimal(Int(header.transaction))
    if header.packetType == .start {
      out.text(", ")
      if let name = Self.profiles?.name(of: UInt64(header.profile)) {
        out.name(name)
      } else {
        out.text("profile 0x")
        out.hex(UInt64(header.profile), digits: 4)
      }
    }
    whole(row)
    return true
  }
  private static let profiles = Enumeration.named("avctp-profile")

  /// Prints a fragment of a 6LoWPAN datagram; false for other packets, and for the one that completes it.
  func datagramPart(_ row: PacketRow) -> Bool {
    guard row.opcode != IPSP.joined, let fragment = IPSP.Fragment(row.pdu.span) else { return false }
    verb("part")
    let start = out.count
    out.text("6LoWPAN")
    endLabel(start)
    out.text("fragment, ")
    out.decimal(max(0, row.pdu.count - fragment.payload))
    out.text(" bytes of datagram 0x")
    out.hex(UInt64(fragment.tag), digits: 4)
    out.text(" (")
    out.decimal(fragment.size)
    out.text(" bytes), offset ")
    out.decimal(fragment.offset)
    whole(row)
    return true
  }

  /// Appends the frame that completes the message of a part.
  private func whole(_ row: PacketRow) {
    guard row.wholeFrame > 0 else { return }
    out.text(", whole in #")
    out.decimal(row.wholeFrame)
  }

  /// Counts a media packet, which is not shown by itself.
  func count(media row: PacketRow) {
    guard figures[row.connection] != nil || figures.count < 64 else { return }
    let span = row.pdu.span
    figures[row.connection, default: MediaFigures()].add(
      row.time, row.pdu.count, A2DP.sequenceNumber(span, row.opcode), A2DP.timestamp(span, row.opcode))
  }

  /// Prints the figures since the stream was started.
  private func printMedia(_ row: PacketRow) {
    guard let stream = figures.removeValue(forKey: row.connection), stream.packets > 0 else { return }
    out.text("after ")
    out.media(
      packets: stream.packets, bytes: stream.bytes, playing: stream.playing, lost: stream.lost, gaps: stream.gaps, longest: stream.longest)
    guard stream.gaps > 0 else { return }
    out.text(stream.gaps == 1 ? " at " : ", the longest at ")
    clock.write(stream.longestStart, options.time == .d ? .r : options.time, first: first, previous: first, to: out)
  }
}

extension TextBuffer {
  /// Removes `ending` if the text after `start` ends with it.
  fileprivate func drop(_ ending: StaticName, behind start: Int) {
    guard count - start > ending.count else { return }
    if unsafe gathered.suffix(ending.count).elementsEqual(ending.utf8) { truncate(to: count - ending.count) }
  }

  /// Appends a codec and its configuration: `SBC 44.1 kHz joint stereo, bitpool up to 53`.
  func configuration(_ configuration: A2DP.Configuration) {
    name(configuration.codec.name)
    if configuration.frequency > 0 {
      byte(0x20)
      decimal(configuration.frequency / 1000)
      var rest = configuration.frequency % 1000
      if rest > 0 { byte(UInt8(ascii: ".")) }
      var unit = 100
      while rest > 0 {
        decimal(rest / unit)
        rest %= unit
        unit /= 10
      }
      text(" kHz")
    }
    if configuration.mode != .unknown {
      byte(0x20)
      text(configuration.mode.name)
    }
    if configuration.bitpool > 0 {
      text(", bitpool up to ")
      decimal(Int(configuration.bitpool))
    }
  }

  /// Appends figures of media: `1585 packets in 21.1 s, 44.1 kB/s, 3 lost, 2 gaps of up to 340 ms`.
  func media(packets: Int, bytes: Int, playing: Int64, lost: Int, gaps: Int, longest: Int64) {
    decimal(packets)
    text(packets == 1 ? " packet" : " packets")
    if playing > 0 {
      text(" in ")
      Clock().duration(playing, to: self)
      text(", ")
      rate(bytes, playing)
    }
    if lost > 0 {
      text(", ")
      decimal(lost)
      text(" lost")
    }
    if gaps > 0 {
      text(", ")
      decimal(gaps)
      text(gaps == 1 ? " gap of " : " gaps of up to ")
      Clock().duration(longest, to: self)
    }
  }
}
