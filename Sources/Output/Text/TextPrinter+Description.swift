import Bluetooth
import Captures
import Conversations
import Analysis
import Memory
import Text

/// The description of a row: the last column of its line.
extension TextPrinter {
  /// Bytes of a value that a line shows.
  static let shownBytes = 32
  /// Bytes of a text that a line shows.
  static let shownText = 120

  func what(_ row: PacketRow, _ batch: RowBatch) {
    switch row.meaning {
    case .notify where row.attOpcode == .multipleHandleValueNotification: notifications(row, batch)
    case .notify: attributeAction(.notify, row, batch)
    case .indicate: attributeAction(.indicate, row, batch)
    case .writeCommand: attributeAction(.writeCommand, row, batch)
    case .write where row.attOpcode == .executeWriteRequest:
      verb("write")
      out.text(row.pdu.u8(1) == 0 ? "cancel the prepared writes" : "execute the prepared writes")
    case .write: attributeAction(row.attOpcode == .prepareWriteRequest ? .prepareWrite : .write, row, batch)
    case .subscribe: subscribe(row, batch)
    case .writeResponse: attributeAction(.ok, row, batch)
    case .confirm: attributeAction(.confirm, row, batch)
    case .read:
      if row.attOpcode == .readMultipleRequest || row.attOpcode == .readMultipleVariableRequest {
        readMultiple(row, batch)
      } else if row.flags.contains(.hasAttribute) {
        attributeAction(.read, row, batch)
      } else {
        verb("read")
        inline(row)
      }
    case .readValue where row.attOpcode == .readMultipleVariableResponse: values(row)
    case .readValue: attributeAction(isFolding && wasShown(row.frame) ? .answeredRead : .value, row, batch)
    case .refused: refused(row, batch)
    case .discovery: discovery(row)
    case .discovered: discovered(row, batch)
    case .advertises: advertises(row, batch)
    case .noise where row.flags.contains(.badCRC): damaged(row)
    case .noise where isAdvertisement(row): advertises(row, batch)
    case .connected: connected(row, batch)
    case .disconnected: disconnected(row, batch)
    default:
      switch row.layer {
      case .note: note(row)
      case .att:
        verb(attVerb(row))
        if ATT.pdus.name(row.opcode) == nil {
          out.text("unknown opcode 0x")
          out.hex(UInt64(row.opcode), digits: 2)
          out.text("  ")
        }
        inline(row)
        latency(row)
      case .hciCommand, .hciEvent: hci(row)
      case .rfcomm: rfcomm(row, batch)
      case _ where row.layer.hasCommandLines: commandLines(row)
      case .obex: object(row)
      case .hid: humanInterface(row)
      case .sdp: sdp(row)
      case .a2dp: media(row, batch)
      case .avdtp where streamSignal(row): break
      case .avrcp where remoteControl(row): break
      case .avctp where messagePart(row): break
      case .ipsp where datagramPart(row): break
      case .l2cap where !row.isBareFrame: channel(row, batch)
      case _ where row.isOfChannel && row.layer.isOpaque: channel(row, batch)
      default:
        out.name(Dissection.name(row))
        if row.layer == .management { failure(row) }
        if row.flags.contains(.retransmission) {
          out.text("  retransmission of #")
          out.decimal(row.requestFrame)
        }
        out.text("  ")
        inline(row)
        latency(row)
      }
    }
  }

  /// Appends the action; in a narrow timeline in fewer letters.
  func verb(_ verb: StaticString, narrow: StaticString? = nil) {
    let verb = columns.peer == 0 ? narrow ?? verb : verb
    out.text(verb)
    out.spaces(max(1, columns.verb - verb.utf8CodeUnitCount))
  }

  /// Pads the label that began at `start`: the text after it begins in a column of its own.
  func endLabel(_ start: Int) {
    if columns.peer == 0 {
      out.cutMiddle(from: start, to: columns.label - 1, style)
      valueColumn = columns.lead + columns.verb + columns.label
    } else if style.width != nil {
      out.cutMiddle(from: start, to: columns.widestLabel - 1, style)
    }
    out.pad(from: start, to: columns.label)
  }

  private func attVerb(_ row: PacketRow) -> StaticString {
    switch row.attOpcode {
    case .exchangeMTURequest: "offer MTU"
    case .exchangeMTUResponse: "MTU"
    case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest: "discover"
    case .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse, .readByGroupTypeResponse: "found"
    default: "att"
    }
  }

  /// The action on an attribute.
  private enum AttributeAction: Int32 {
    case notify, indicate, writeCommand, write, prepareWrite, ok, confirm, read, value, answeredRead

    var shortVerb: StaticString? {
      switch self {
      case .writeCommand: "write cmd"
      case .prepareWrite: "prepare"
      default: nil
      }
    }

    var verb: StaticString {
      switch self {
      case .notify: "notify"
      case .indicate: "indicate"
      case .writeCommand: "write command"
      case .write: "write"
      case .prepareWrite: "prepare write"
      case .ok: "ok"
      case .confirm: "confirm"
      case .read: "read"
      case .value: "value"
      case .answeredRead: "read"
      }
    }
  }

  /// Verb, attribute, value, and latency of the response.
  @inline(__always)
  private func attributeAction(_ attributeAction: AttributeAction, _ row: PacketRow, _ batch: RowBatch) {
    let hasValue = row.flags.contains(.hasValue) || row.flags.contains(.hasAssembled)
    let isPadded = hasValue || row.requestFrame != 0
    if columns.peer == 0 { valueColumn = columns.lead + columns.verb + columns.label }
    // The label of an attribute without a name, or whose name is not printed, is not cached.
    let key =
      row.attribute < 0 || row.uuidSource == .none || options.isNumeric
      ? -1 : row.attribute &* 32 &+ attributeAction.rawValue &* 2 &+ (isPadded ? 1 : 0)
    if !attributeActions.write(key, to: out) { compose(attributeAction, isPadded, key, row, batch) }
    if row.flags.contains(.hasAssembled) {
      bytes(row.assembled, of: row)
      out.text("  ")
      out.decimal(row.assembled.count)
      out.text(" bytes put together")
    } else if hasValue {
      if row.reportDescription != nil {
        report(row)
      } else if row.meaning != .readValue || !declaration(row, batch.tables) {
        bytes(row.value, of: row)
      }
    }
    if row.requestFrame != 0 { latency(row) } else if row.responseFrame != 0, isFolding { answer(attributeAction, row) }
    if row.flags.contains(.isUnsolicited) { out.text("  unasked") }
  }

  /// Appends what a declaration that was read by its handle declares; false for other attributes.
  private func declaration(_ row: PacketRow, _ tables: ConversationTables) -> Bool {
    guard row.attribute >= 0, row.uuidSource != .none else { return false }
    let kind = tables.attributes[Int(row.attribute)].kind
    let type = kind == .declaration ? row.value.from(3) : kind == .service ? row.value : PDUBytes()
    guard let uuid = BluetoothUUID(littleEndian: type.span, in: 0..<type.count) else { return false }
    name(uuid, tables, isService: kind == .service)
    guard kind == .declaration, let properties = row.value.u8(0), let value = row.value.u16(1) else { return true }
    out.byte(0x20)
    handle(value)
    out.text(" (")
    out.properties(properties)
    out.byte(UInt8(ascii: ")"))
    return true
  }

  /// Appends the response to a request, where it carries only a status; other responses have a row.
  private func answer(_ attributeAction: AttributeAction, _ row: PacketRow) {
    guard !row.flags.contains(.refusedLater) else { return }
    switch attributeAction {
    case .write, .prepareWrite: out.text("  ok")
    case .indicate: out.text("  confirmed")
    default: return
    }
    markShown(row.responseFrame)
    guard row.flags.contains(.hasLatency) else { return }
    out.byte(0x20)
    clock.duration(row.latency, to: out)
  }

  @inline(never)
  private func compose(_ attributeAction: AttributeAction, _ isPadded: Bool, _ key: Int32, _ row: PacketRow, _ batch: RowBatch) {
    let line = out.count
    verb(attributeAction.verb, narrow: attributeAction.shortVerb)
    let start = out.count
    attribute(row, batch)
    if isPadded || columns.peer == 0 { endLabel(start) }
    if options.isJoined {
      let isPadded = out.bytes.last == 0x20
      out.joinBlanks(from: line)
      if isPadded { out.byte(0x20) }
    }
    if key >= 0 { attributeActions.keep(key, out, from: line) }
  }

  @inline(__always)
  func bytes(_ value: PDUBytes) {
    if value.isReadable { return out.quoted(value, limit: Self.shownText, style) }
    unsafe out.spacedHex(value.start, min(value.count, Self.shownBytes))
    if value.count > Self.shownBytes { more(value.count - Self.shownBytes) }
    if value.count == 0 { out.text("(empty)") }
  }

  /// Appends the number of bytes that are not shown.
  func more(_ count: Int) {
    guard count > 0 else { return }
    out.byte(0x20)
    out.glyph(.ellipsis, style)
    out.text(" (+")
    out.decimal(count)
    out.byte(UInt8(ascii: ")"))
  }

  /// Multiple Handle Value Notification: each attribute with its value.
  private func notifications(_ row: PacketRow, _ batch: RowBatch) {
    verb("notify")
    let line = out.count
    row.forEachNotified(batch.tables) { part in
      if out.count > line { out.text(", ") }
      attribute(part.attribute, part.attributeHandle, part, batch)
      out.byte(0x20)
      bytes(part.value)
    }
    out.fold(from: line, to: 160, style)
  }

  /// The attributes in a Read Multiple Request or Read Multiple Variable Request.
  private func readMultiple(_ row: PacketRow, _ batch: RowBatch) {
    verb("read")
    let line = out.count
    var at = 1
    let tables = batch.tables
    let database =
      row.flags.contains(.localServer)
      ? tables.adapters.first { $0.index == row.adapter }?.database ?? -1 : tables.remoteDatabase(row.connection)
    while let handle = row.pdu.u16(at) {
      if at > 1 { out.text(", ") }
      attribute(tables.attribute(database, handle, at: row.frame), handle, row, batch)
      at += 2
    }
    out.fold(from: line, to: 160, style)
  }

  /// Read Multiple Variable Response: the values, in the order of the handles in the request.
  private func values(_ row: PacketRow) {
    verb("values")
    let line = out.count
    var isFirst = true
    ATT.forEachValue(row.pdu.span) { _, value in
      if !isFirst { out.text(", ") }
      isFirst = false
      bytes(row.pdu.slice(value.lowerBound, value.count))
    }
    out.fold(from: line, to: 160, style)
    latency(row)
    if row.flags.contains(.isUnsolicited) { out.text("  unasked") }
  }

  /// The name of an attribute after the first one in a PDU.
  private func attribute(_ index: Int32, _ handle: UInt16, _ row: PacketRow, _ batch: RowBatch) {
    if index < 0 || options.isNumeric || names[index] == nil && batch.tables.source(of: index, at: row.frame) == .none {
      self.handle(handle)
    } else {
      out.label(index, batch.tables, style, names)
    }
  }

  func latency(_ row: PacketRow) {
    guard row.requestFrame != 0, row.flags.contains(.hasLatency) else { return }
    out.text("  ")
    clock.duration(row.latency, to: out)
  }

  /// The name of the row's attribute; its handle where there is none.
  @inline(__always)
  private func attribute(_ row: PacketRow, _ batch: RowBatch) {
    // A response to a request that is not in the capture, or to a write that was cancelled.
    guard row.flags.contains(.hasAttribute) else { return }
    guard row.attribute >= 0, row.uuidSource != .none, !options.isNumeric else {
      handle(row.attributeHandle)
      return
    }
    if labels.write(row.attribute, to: out) { return }
    nameAttribute(row, batch)
  }

  @inline(never)
  private func nameAttribute(_ row: PacketRow, _ batch: RowBatch) {
    let start = out.count
    out.label(row.attribute, batch.tables, style, names)
    labels.keep(row.attribute, out, from: start)
  }

  func handle(_ handle: UInt16) {
    out.text("0x")
    out.hex(UInt64(handle), digits: 4)
  }

  private func subscribe(_ row: PacketRow, _ batch: RowBatch) {
    let bits = row.value.u16(0) ?? 0
    // A value without the two bits, as with its bytes in the wrong order, neither subscribes nor ends a subscription.
    let isWrite = bits != 0 && bits & 3 == 0
    verb(isWrite ? "write" : bits == 0 ? "unsubscribe" : "subscribe")
    let start = out.count
    let owner = options.isNumeric || isWrite ? -1 : batch.tables.characteristic(of: row.attribute)
    if owner >= 0 { out.label(owner, batch.tables, style, names) } else { attribute(row, batch) }
    endLabel(start)
    switch bits & 3 {
    case 0: break
    case 1: out.text("notifications  ")
    case 2: out.text("indications  ")
    default: out.text("notifications and indications  ")
    }
    handle(row.attributeHandle)
    out.text(style.isUnicode ? " ← " : " = ")
    bytes(row.value)
    if row.attOpcode != .writeRequest { out.text("  by write command") }
    if row.responseFrame != 0, isFolding { answer(.write, row) }
  }

  /// The object of a discovery request: `services 0x0001–0xffff`.
  private func discovery(_ row: PacketRow) {
    verb("discover")
    let start = out.count
    switch (row.attOpcode, row.pdu.u16(5).flatMap { AttributeType(rawValue: $0) }) {
    case (.findInformationRequest, _): out.text("descriptors")
    case (.findByTypeValueRequest, .primaryService): out.text("service")
    case (_, .primaryService): out.text("services")
    case (_, .secondaryService): out.text("secondary services")
    case (_, .include): out.text("includes")
    case (_, .characteristic): out.text("characteristics")
    default: out.text("attributes")
    }
    if row.attOpcode == .findByTypeValueRequest {
      let value = row.pdu.from(7)
      if let uuid = BluetoothUUID(littleEndian: value.span, in: 0..<value.count) {
        out.byte(0x20)
        name(uuid)
      }
    }
    endLabel(start)
    span(row.pdu.u16(1) ?? 0, row.pdu.u16(3) ?? 0)
  }

  func span(_ start: UInt16, _ end: UInt16) {
    handle(start)
    out.glyph(.dash, style)
    handle(end)
  }

  /// Writes what a service of a GATT server, or another attribute's type, is called.
  func name(_ uuid: BluetoothUUID, _ tables: ConversationTables? = nil, isService: Bool = true) {
    write(uuid, uuid.attributeName(isService: isService), tables)
  }

  /// Writes what SDP calls a service class or a protocol.
  func serviceClass(_ uuid: BluetoothUUID) { write(uuid, uuid.name, nil) }

  private func write(_ uuid: BluetoothUUID, _ name: StaticName?, _ tables: ConversationTables?) {
    if let name, !options.isNumeric {
      out.name(name)
    } else if uuid.short16 == nil {
      out.shortened(uuid, tables, style)
    } else {
      out.string(uuid.description)
    }
  }

  /// The result of a discovery request: `Generic Access 0x0001–0x0005, …`.
  private func discovered(_ row: PacketRow, _ batch: RowBatch) {
    verb("found")
    let line = out.count
    let pdu = row.pdu
    var isFirst = true
    func next() {
      if !isFirst { out.text(", ") }
      isFirst = false
    }
    func uuid(_ part: PDUBytes) {
      if let uuid = BluetoothUUID(littleEndian: part.span, in: 0..<part.count) {
        name(uuid, batch.tables, isService: row.attOpcode == .readByGroupTypeResponse)
      }
      out.byte(0x20)
    }
    let size = Int(pdu.u8(1) ?? 0)
    switch row.attOpcode {
    case .errorResponse: out.text("nothing more")
    case .findInformationResponse:
      for (handle, rest) in pdu.elements {
        next()
        uuid(rest)
        self.handle(handle)
      }
    case .findByTypeValueResponse:
      for (start, rest) in pdu.elements {
        next()
        span(start, rest.u16(0) ?? 0)
      }
    case .readByGroupTypeResponse where size > 5:
      for (start, rest) in pdu.elements {
        next()
        uuid(rest.from(2))
        span(start, rest.u16(0) ?? 0)
      }
    case .readByTypeResponse where AttributeType(rawValue: row.subcode) == .characteristic && size > 5:
      for (_, rest) in pdu.elements {
        guard let properties = rest.u8(0), let value = rest.u16(1) else { continue }
        next()
        uuid(rest.from(3))
        handle(value)
        out.text(" (")
        out.properties(properties)
        out.byte(UInt8(ascii: ")"))
      }
    default: inline(row)
    }
    out.fold(from: line, to: 160, style)
    latency(row)
  }

  /// The error of a response, and the request that failed.
  private func refusal(_ row: PacketRow) {
    status(Status.name(row), row.status)
    if row.requestFrame != 0 {
      out.text(", answers #")
      out.decimal(row.requestFrame)
    }
  }

  func status(_ name: StaticName, _ code: some BinaryInteger) {
    out.name(name)
    out.text(" (0x")
    out.hex(UInt64(code), digits: 2)
    out.byte(UInt8(ascii: ")"))
  }

  private func refused(_ row: PacketRow, _ batch: RowBatch) {
    switch row.failedRequest {
    case .writeRequest, .prepareWriteRequest, .executeWriteRequest: verb("write refused", narrow: "write")
    case .readRequest, .readBlobRequest, .readMultipleRequest, .readMultipleVariableRequest: verb("read refused", narrow: "read")
    default: verb("refused")
    }
    let start = out.count
    attribute(row, batch)
    endLabel(start)
    refusal(row)
    latency(row)
  }

  /// An advertisement of a device that was heard before.
  private func isAdvertisement(_ row: PacketRow) -> Bool {
    row.layer == .advertisingPDU
      ? LinkLayer.AdvertisingType(rawValue: UInt8(row.opcode & 15)) != .scanReq : row.layer == .hciEvent && row.eventCode == .leMeta
  }

  /// A packet that was received with errors: its address, names and values may be wrong, and are not printed.
  private func damaged(_ row: PacketRow) {
    verb("wrong CRC")
    out.name(Dissection.name(row))
    out.text("  ")
    bytes(row.pdu)
  }

  private func advertises(_ row: PacketRow, _ batch: RowBatch) {
    let isAnswer = row.layer == .hciEvent && row.eventCode != .leMeta
    verb(isAnswer ? "answers" : "advertises")
    if columns.peer == 0 {
      let start = out.count
      _ = peerName(row, batch.tables)
      out.cutMiddle(from: start, to: 17, style)
      out.pad(from: start, to: 19)
    }
    if isAnswer { out.text("inquiry  ") }
    advertisement.write(row, to: out, style)
  }

  private func connected(_ row: PacketRow, _ batch: RowBatch) {
    out.glyph(.connected, style)
    if row.connection >= 0, batch.tables.connections[Int(row.connection)].transport == .synchronous { return voice(row) }
    out.text(" connected  ")
    // In a narrow timeline address and handle are in the heading.
    let isHeaded = columns.peer == 0 && row.peer >= 0
    if row.peer >= 0 {
      let peer = batch.tables.peers[Int(row.peer)]
      if !isHeaded {
        out.address(peer.address)
        out.byte(0x20)
      }
      out.text(peer.addressType == 0xFF ? "BR/EDR" : peer.addressType & 1 == 0 ? "public" : "random")
      if !isHeaded { out.text(", ") }
    }
    if !isHeaded {
      out.text("handle ")
      handle(row.handle)
    }
    guard row.layer == .advertisingPDU || row.eventCode == .leMeta, row.connection >= 0 else { return }
    let at = row.layer == .advertisingPDU ? 24 : row.subevent == .connectionComplete ? 14 : 26
    guard let interval = row.pdu.u16(at) else { return }
    out.text(", interval ")
    clock.interval(Int64(interval) * 1250, to: out)
    if let isCentral = batch.tables.connections[Int(row.connection)].isCentral { out.text(isCentral ? ", as central" : ", as peripheral") }
  }

  /// A synchronous connection for voice (Core, Vol 4, Part E, 7.7.35).
  private func voice(_ row: PacketRow) {
    out.text(" voice  ")
    out.text(row.pdu.u8(11) == 2 ? "eSCO, " : "SCO, ")
    if row.eventCode == .synchronousConnectionComplete {
      switch row.pdu.u8(18) {
      case 0: out.text("µ-law, ")
      case 1: out.text("A-law, ")
      case 2: out.text("CVSD, ")
      case 3: out.text("transparent, ")
      default: break
      }
      if let interval = row.pdu.u8(12), interval > 0 {
        out.text("every ")
        clock.interval(Int64(interval) * 625, to: out)
        out.text(", ")
      }
    }
    out.text("handle ")
    handle(row.handle)
  }

  private func disconnected(_ row: PacketRow, _ batch: RowBatch) {
    if row.status != 0 {
      out.text("disconnection failed  ")
      return status(Status.name(row), row.status)
    }
    out.glyph(.disconnected, style)
    let isVoice = row.connection >= 0 && batch.tables.connections[Int(row.connection)].transport == .synchronous
    out.text(isVoice ? " voice ended  " : " disconnected  ")
    let reason = row.pdu.u8(row.layer == .linkLayerControl || row.layer == .lmp ? 1 : 5) ?? 0
    status(Status.failure(reason, .hci), reason)
    guard row.connection >= 0 else { return }
    let connection = batch.tables.connections[Int(row.connection)]
    if connection.startFrame != 0, 0..<86_400_000_000 * 365 ~= row.time &- connection.startTime {
      out.text(", after ")
      clock.duration(row.time &- connection.startTime, to: out)
    }
  }

  private func hci(_ row: PacketRow) {
    switch row.meaning {
    case .commandComplete, .commandFailed:
      out.text(row.meaning == .commandFailed ? "failed: " : "done: ")
      out.name(HCI.commandName(row.subcode, company: row.company) ?? "command")
      if HCI.commandName(row.subcode, company: row.company) == nil {
        out.text(" 0x")
        out.hex(UInt64(row.subcode), digits: 4)
      }
      if row.meaning == .commandFailed {
        out.text("  ")
        refusal(row)
      } else {
        details(row)
        latency(row)
      }
    case .connectionCancelled: out.text("connection attempt cancelled")
    case .connectionFailed:
      out.text("connection failed  ")
      status(Status.name(row), row.status)
    default:
      out.name(Dissection.name(row))
      if row.layer == .hciCommand, HCI.commandName(UInt16(truncatingIfNeeded: row.opcode), company: row.company) == nil {
        out.text(" 0x")
        out.hex(UInt64(row.opcode), digits: 4)
      } else if row.layer == .hciEvent, row.eventCode != .leMeta, HCI.events.name(row.opcode) == nil {
        out.text(" 0x")
        out.hex(UInt64(row.opcode), digits: 2)
      }
      failure(row)
      if let target = row.connectionTarget {
        out.text(target.isAcceptList ? "  to devices of the filter accept list" : "  to ")
        if !target.isAcceptList { out.address(target.address) }
      }
      details(row)
    }
  }

  /// Appends the error, unless the row already describes it.
  private func failure(_ row: PacketRow) {
    guard row.hasFailed, row.flags.contains(.hasStatus) else { return }
    out.text("  ")
    status(Status.name(row), row.status)
  }

  private func note(_ row: PacketRow) {
    out.text("note: ")
    out.untrusted(Array(NoteText.text(PacketKind(rawValue: UInt8(truncatingIfNeeded: row.subcode)), row.pdu.span).utf8), .terminal)
  }

  /// Appends the fields after a name; no spaces where there are none.
  private func details(_ row: PacketRow) {
    let end = out.count
    out.text("  ")
    inline(row)
    if out.count == end + 2 { out.truncate(to: end) }
  }

  func inline(_ row: PacketRow) {
    var fields = InlineFields(out, style: style, row.layer)
    Dissection.walk(row, &fields)
    fields.finish()
  }
}
