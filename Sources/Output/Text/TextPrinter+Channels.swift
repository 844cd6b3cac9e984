import Bluetooth
import Conversations
import Analysis
import Memory
import Text

/// Rows of BR/EDR channels: RFCOMM frames with the service behind them, SDP with the services searched for and found.
extension TextPrinter {
  func rfcomm(_ row: PacketRow, _ batch: RowBatch) {
    let span = row.pdu.span
    guard let frame = RFCOMM.Frame(span) else {
      out.name(Dissection.name(row))
      out.text("  ")
      inline(row)
      return
    }
    let message = frame.dlci == 0 && frame.type == .uih ? RFCOMM.multiplexerMessage(span, in: frame.payload) : nil
    switch frame.type {
    case .sabm: verb("open")
    case .ua: verb("ok")
    case .disc: verb("close")
    case .dm: verb("refused")
    case .uih, .ui:
      if let message {
        verb(message.isCommand ? "ask" : "answer")
      } else {
        verb(frame.length == 0 && frame.credits != nil ? "credits" : "data")
      }
    default: verb("frame")
    }
    let start = out.count
    if frame.dlci == 0 {
      out.text("rfcomm session")
    } else {
      var channel = ChannelIdentity(layer: .rfcomm, psm: 0x03)
      (channel.dlci, channel.service) = (frame.dlci, row.detail)
      out.label(channel, batch.tables, isNumeric: options.isNumeric)
    }
    endLabel(start)
    if let message {
      multiplexer(message.pdu, span, frame.payload)
    } else {
      if frame.length > 0 { bytes(row.pdu.slice(frame.payload.lowerBound, frame.payload.count), of: row) }
      if let credits = frame.credits, credits > 0 || frame.length == 0 {
        out.text(frame.length > 0 ? "  +" : "+")
        out.decimal(Int(credits))
        out.text(credits == 1 ? " credit" : " credits")
      }
    }
    if frame.length > frame.payload.count {
      out.text("  cut: ")
      out.decimal(frame.length - frame.payload.count)
      out.text(" bytes are missing")
    }
  }

  private func multiplexer(_ pdu: PDU?, _ span: RawSpan, _ payload: Range<Int>) {
    let kind = unsafe span.unsafeLoad(fromByteOffset: payload.lowerBound, as: UInt8.self) >> 2
    out.name(RFCOMM.messageName(kind) ?? "unknown message")
    guard let pdu, !pdu.parameters.isEmpty else { return }
    out.text("  ")
    var fields = InlineFields(out, style: style, .rfcomm)
    pdu.parameters.walk(span, in: payload.lowerBound + 2..<payload.upperBound, allowsSurplus: true, &fields)
    fields.finish()
  }

  /// Data of a channel whose protocol is not decoded.
  func channel(_ row: PacketRow, _ batch: RowBatch) {
    guard let (channel, data) = row.channelData else {
      out.name(Dissection.name(row))
      return
    }
    verb("data")
    let start = out.count
    label(of: channel, row, batch.tables)
    endLabel(start)
    bytes(data, of: row)
  }

  /// A channel by its service or PSM, else by its number.
  func label(of channel: ChannelIdentity, _ row: PacketRow, _ tables: ConversationTables) {
    out.label(channel, tables, isNumeric: options.isNumeric)
    if channel.psm == 0, channel.dlci <= 1 {
      out.text(" 0x")
      out.hex(UInt64(row.channel), digits: 4)
    }
  }

  /// A media packet: its codec, its sequence number, and its number of frames.
  func media(_ row: PacketRow, _ batch: RowBatch) {
    let span = row.pdu.span
    let codec = A2DP.codec(row.opcode)
    guard codec != .unknown else { return channel(row, batch) }
    verb("media")
    let start = out.count
    out.name(codec.name)
    endLabel(start)
    if let number = A2DP.sequenceNumber(span, row.opcode) {
      out.text("number ")
      out.decimal(Int(number))
      out.text(", ")
    }
    if let frames = A2DP.frameCount(span, row.opcode) {
      out.decimal(frames)
      out.text(frames == 1 ? " frame, " : " frames, ")
    }
    out.decimal(row.pdu.count)
    out.text(row.pdu.count == 1 ? " byte" : " bytes")
  }

  func sdp(_ row: PacketRow) {
    let span = row.pdu.span
    let isJoined = SDP.isJoined(row.opcode)
    let code = isJoined ? nil : row.pdu.u8(0).flatMap { SDP.PDUIdentifier(rawValue: $0) }
    let hasAttributes = code?.hasAttributes == true
    let records = SDP.records(of: span, opcode: row.opcode)
    if code == .serviceSearchRequest || code == .serviceSearchAttributeRequest, let pattern = SDP.Element(span, 5, in: 0..<span.byteCount),
      pattern.isSequence
    {
      verb("look for")
      for (index, element) in pattern.elements(span).enumerated() {
        if index > 0 { out.text(" and ") }
        if let uuid = element.uuid(span) { serviceClass(uuid) } else { out.text("something") }
      }
    } else if let records {
      verb("found")
      if records.isEmpty { out.text("nothing") }
      for (position, record) in records.enumerated() {
        if position > 0 { out.text(", ") }
        self.record(record, SDP.requestedClass(row.opcode), row.pdu)
      }
    } else if isJoined {
      verb("found")
      inline(row)
    } else if hasAttributes, let count = answer(row.pdu) {
      let isPart = row.opcode & SDP.lastPart != 0 || row.pdu.u8(7 + count).map { $0 != 0 } ?? true
      verb(isPart ? "part" : "found")
      out.decimal(count)
      out.text(count == 1 ? " byte of attributes" : " bytes of attributes")
    } else {
      out.name(Dissection.name(row))
      out.text("  ")
      inline(row)
    }
  }

  /// What a record says of its service: `Hands-Free 1.6 "Handsfree" at rfcomm 2`; else the attributes that it has.
  private func record(_ record: SDP.Record, _ requested: BluetoothUUID?, _ pdu: PDUBytes) {
    let profile = record.profiles.first
    let serviceClass = record.classes.first ?? requested
    if let serviceClass {
      self.serviceClass(serviceClass)
    } else if let profile {
      self.serviceClass(profile.uuid)
    } else if record.psm != 0 || record.rfcommChannel != 0 {
      out.text("a service")
    } else {
      return attributes(record, pdu)
    }
    // Most profiles have the number of a service class; others have a name of their own.
    if let profile, let serviceClass, profile.uuid != serviceClass {
      if profile.uuid.name != serviceClass.name || options.isNumeric {
        out.text(" (")
        self.serviceClass(profile.uuid)
        version(profile.version)
        out.byte(UInt8(ascii: ")"))
      } else {
        version(profile.version)
      }
    } else if let profile {
      version(profile.version)
    }
    if let name = record.name, case let bytes = pdu.slice(name.lowerBound, min(name.count, 248)).prefix(while: { $0 != 0 }), !bytes.isEmpty
    {
      out.text(" \"")
      out.untrusted(Array(bytes), .terminal)
      out.byte(UInt8(ascii: "\""))
    }
    guard record.rfcommChannel != 0 || record.psm != 0 else { return }
    out.text(record.rfcommChannel != 0 ? " at rfcomm " : " at psm ")
    out.decimal(record.rfcommChannel != 0 ? Int(record.rfcommChannel) : Int(record.psm))
  }

  private func version(_ number: UInt16) {
    out.byte(0x20)
    out.decimal(Int(number >> 8))
    out.byte(UInt8(ascii: "."))
    out.decimal(Int(number & 0xFF))
  }

  /// Names of the attributes of a record, with their values if these are texts or numbers.
  private func attributes(_ record: SDP.Record, _ pdu: PDUBytes) {
    if record.attributes.isEmpty { out.text("a record without attributes") }
    for (index, (identifier, value)) in record.attributes.prefix(8).enumerated() {
      if index > 0 { out.text(", ") }
      if let name = SDP.attributeName(identifier) {
        out.words(name)
      } else {
        out.text("attribute 0x")
        out.hex(UInt64(identifier), digits: 4)
      }
      if value.type == .text {
        out.text(" \"")
        out.untrusted(Array(pdu.slice(value.range.lowerBound, min(value.range.count, 248)).prefix { $0 != 0 }), .terminal)
        out.byte(UInt8(ascii: "\""))
      } else if let number = value.integer(pdu.span) {
        out.text(" 0x")
        out.hex(UInt64(number), digits: value.range.count * 2)
      }
    }
    if record.attributes.count > 8 {
      out.text(", ")
      out.glyph(.ellipsis, style)
    }
  }

  /// Number of bytes of attributes in an SDP response; nil where the response is incomplete.
  private func answer(_ pdu: PDUBytes) -> Int? {
    guard let high = pdu.u8(5), let low = pdu.u8(6), case let count = Int(high) << 8 | Int(low), 7 + count < pdu.count else { return nil }
    return count
  }
}
