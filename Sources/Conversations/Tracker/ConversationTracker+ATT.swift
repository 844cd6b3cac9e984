import Bluetooth
import Captures
import Memory

/// The Attribute Protocol (Core, Vol 3, Part F): requests and responses, discoveries, values.
extension ConversationTracker {
  /// Takes an ATT PDU of a bearer: `channel` is the index of an enhanced bearer's channel, -1 for the fixed channel.
  @inline(__always)
  mutating func att(_ link: Int, _ channel: Int, _ origin: PacketOrigin, _ pdu: PDUBytes, isJoined: Bool) {
    guard let opcode = pdu.u8(0) else {
      guard purpose == .rows else { return }
      report(.shortPacket(needed: 1, present: 0), offset: 0, adapter: origin.adapter, connection: links[link].connection)
      links[link].lossFrame = frame
      var row = row(origin, .att, .other, pdu)
      connect(&row, link)
      rows.append(row)
      return
    }
    if purpose == .survey, isValueTraffic(opcode) { return }
    var row = row(origin, .att, .other, pdu)
    connect(&row, link)
    row.opcode = UInt32(opcode)
    row.channel = channel < 0 ? 4 : origin.direction.isFromHost ? links[link].channels[channel].remote : links[link].channels[channel].local
    if isJoined { row.flags.insert(.joined) }
    if opcode == ATT.Opcode.handleValueNotification.rawValue {
      row.meaning = .notify
      value(&row, link, origin, pdu, from: 3, source: .notify)
      rows.append(row)
    } else {
      // The link holds its bearer: it needs no retain and release for every packet.
      let bearer = unsafe Unmanaged.passUnretained(channel < 0 ? links[link].bearer : links[link].channels[channel].bearer)
      unsafe bearer._withUnsafeGuaranteedRef { otherATT(&row, $0, link, origin, pdu, ATT.Opcode(rawValue: opcode)) }
    }
  }

  /// Handle and value of a PDU that carries both: handle at byte 1, value from `from` on.
  @inline(__always)
  private mutating func value(
    _ row: inout PacketRow, _ link: Int, _ origin: PacketOrigin, _ pdu: PDUBytes, from: Int, source: ValueEvent.Source
  ) {
    guard let handle = pdu.u16(1) else {
      report(.shortPacket(needed: from, present: pdu.count), offset: pdu.count, adapter: origin.adapter, connection: row.connection)
      links[link].lossFrame = frame
      return
    }
    let toServer = source == .write || source == .writeCommand
    attribute(&row, link, handle, serverIsPeer: origin.direction.isFromHost == toServer)
    if pdu.count >= from { setValue(&row, from, pdu.count &- from) }
    if tables.describesValues { describeValue(&row, link) }
    valueEvents.append(
      ValueEvent(
        bytes: pdu.from(from), row: Int32(truncatingIfNeeded: rows.count), attribute: row.attribute, source: source,
        channel: row.attributeHandle))
  }

  private func setValue(_ row: inout PacketRow, _ offset: Int, _ count: Int) {
    row.valueOffset = Int32(truncatingIfNeeded: offset)
    row.valueCount = Int32(truncatingIfNeeded: count)
    row.flags.insert(.hasValue)
  }

  /// Sets handle and attribute of a row.
  @inline(__always)
  private mutating func attribute(_ row: inout PacketRow, _ link: Int, _ handle: UInt16, serverIsPeer: Bool) {
    row.attributeHandle = handle
    row.flags.insert(.hasAttribute)
    if !serverIsPeer { row.flags.insert(.localServer) }
    let index = touch(serverIsPeer ? links[link].remote : links[link].local, handle)
    row.attribute = index
    row.uuidSource = tables.source(of: index, at: frame)
  }

  /// The attribute with a handle, created if it is missing. The last ones are cached, as most traffic uses a few attributes.
  @inline(__always)
  private mutating func touch(_ database: Int32, _ handle: UInt16) -> Int32 {
    let index = Int(handle & 7)
    let known = recentAttributes[index]
    if known.handle == handle, known.database == database, known.attributes == tables.attributes.count { return known.index }
    return touch(database, handle, at: index)
  }

  @inline(never)
  private mutating func touch(_ database: Int32, _ handle: UInt16, at position: Int) -> Int32 {
    let index = tables.touch(database, handle, at: frame)
    // The newest version of an attribute may stay in the cache until there is a newer one.
    if index >= 0, index == tables.current(database, handle) {
      recentAttributes[position] = RecentAttribute(database: database, index: index, handle: handle, attributes: tables.attributes.count)
    }
    return index
  }

  /// The type of an attribute, if it is one of those that GATT defines.
  private func type(_ attribute: Int32) -> AttributeType? {
    guard attribute >= 0, tables.attributes[Int(attribute)].uuid >= 0 else { return nil }
    return tables.uuids[Int(tables.attributes[Int(attribute)].uuid)].attributeType
  }

  private mutating func otherATT(
    _ row: inout PacketRow, _ bearer: Bearer, _ link: Int, _ origin: PacketOrigin, _ pdu: PDUBytes, _ opcode: ATT.Opcode?
  ) {
    let fromHost = origin.direction.isFromHost
    guard let opcode else {
      if purpose == .rows { rows.append(row) }
      return
    }
    switch opcode.kind {
    case .request: request(&row, bearer, link, origin, pdu, opcode)
    case .response: response(&row, bearer, link, origin, pdu, opcode)
    case .command:
      row.meaning = .writeCommand
      if opcode == .signedWriteCommand {
        // The last 12 bytes are the signature (3.4.5.4).
        value(&row, link, origin, pdu.slice(0, max(3, pdu.count - 12)), from: 3, source: .writeCommand)
      } else {
        value(&row, link, origin, pdu, from: 3, source: .writeCommand)
      }
      // Descriptors are written with requests (Vol 3, Part G, 4.12.3), but many apps and devices do without.
      if row.valueCount >= 2, type(row.attribute) == .clientCharacteristicConfiguration { row.meaning = .subscribe }
      rows.append(row)
    case .indication:
      row.meaning = .indicate
      value(&row, link, origin, pdu, from: 3, source: .indicate)
      if purpose == .rows { rows.append(row) }
      if type(row.attribute) == .serviceChanged, let start = pdu.u16(3), let end = pdu.u16(5) {
        serviceChanged(fromHost ? links[link].local : links[link].remote, start, end)
      }
      let previous = fromHost ? bearer.sentIndication : bearer.receivedIndication
      // Only one indication may be outstanding (Core, Vol 3, Part F, 3.3.2).
      if previous.isOpen, hearsPeers, tables.connections[Int(row.connection)].accessAddress == 0,
        !isLost(since: previous.frame, links[link])
      {
        report(
          .requestOverlaps(frame: previous.frame, opcode: opcode.rawValue), adapter: origin.adapter, handle: row.handle,
          connection: row.connection)
      }
      let pending = Bearer.Open(
        frame: frame, time: time, row: RowReference(sequence: sequence, row: Int32(rows.count - 1)), opcode: opcode,
        handle: row.attributeHandle, isFromHost: fromHost)
      if fromHost { bearer.sentIndication = pending } else { bearer.receivedIndication = pending }
    case .confirmation:
      row.meaning = .confirm
      let pending = fromHost ? bearer.receivedIndication : bearer.sentIndication
      if pending.isOpen {
        attribute(&row, link, pending.handle, serverIsPeer: fromHost)
        let latency = elapsed(since: pending.frame, pending.time)
        row.answers(pending.frame, latency)
        answer(pending.row, frame: frame, latency: latency)
        if fromHost { bearer.receivedIndication = Bearer.Open() } else { bearer.sentIndication = Bearer.Open() }
      } else {
        row.flags.insert(.isUnsolicited)
      }
      rows.append(row)
    case .notification:
      row.meaning = .notify
      var isFirst = true
      ATT.forEachValue(pdu.span) { handle, value in
        guard let handle else { return }
        var part = row
        attribute(&part, link, handle, serverIsPeer: !fromHost)
        if isFirst { row = part }
        isFirst = false
        if purpose == .rows {
          valueEvents.append(
            ValueEvent(
              bytes: pdu.slice(value.lowerBound, value.count), row: Int32(rows.count), attribute: part.attribute, source: .notify,
              channel: handle))
        }
      }
      if purpose == .rows { rows.append(row) }
    }
  }

  // MARK: Requests

  private mutating func request(
    _ row: inout PacketRow, _ bearer: Bearer, _ link: Int, _ origin: PacketOrigin, _ pdu: PDUBytes, _ opcode: ATT.Opcode
  ) {
    let fromHost = origin.direction.isFromHost
    var open = Bearer.Open(frame: frame, time: time, opcode: opcode, isFromHost: fromHost)
    row.meaning = .request
    switch opcode {
    case .exchangeMTURequest: open.offset = pdu.u16(1) ?? 0
    case .findInformationRequest: row.meaning = .discovery
    case .findByTypeValueRequest:
      row.meaning = .discovery
      if let type = pdu.u16(5) { open.uuid = tables.uuid(BluetoothUUID(type)) }
      open.value = Array(pdu.slice(7, 16))
      if pdu.count >= 7 { setValue(&row, 7, pdu.count - 7) }
    case .readByTypeRequest, .readByGroupTypeRequest:
      let type = uuid(pdu.from(5))
      open.uuid = type.map { tables.uuid($0) } ?? -1
      // Reading declarations is discovery; reading any other type is a read.
      let isDiscovery = opcode == .readByGroupTypeRequest || type?.attributeType?.isDeclaration == true
      row.meaning = isDiscovery ? .discovery : .read
    case .readRequest, .readBlobRequest:
      row.meaning = .read
      open.handle = pdu.u16(1) ?? 0
      open.offset = opcode == .readBlobRequest ? pdu.u16(3) ?? 0 : 0
      if pdu.count >= 3 { attribute(&row, link, open.handle, serverIsPeer: fromHost) }
    case .readMultipleRequest, .readMultipleVariableRequest:
      row.meaning = .read
      open.value = Array(pdu.slice(1, 512))
      if let first = pdu.u16(1) { attribute(&row, link, first, serverIsPeer: fromHost) }
    case .writeRequest:
      row.meaning = .write
      value(&row, link, origin, pdu, from: 3, source: .write)
      open.handle = row.attributeHandle
      if row.uuidSource == .none { guessSubscription(&row) }
      if type(row.attribute) == .clientCharacteristicConfiguration { row.meaning = .subscribe }
    case .prepareWriteRequest:
      row.meaning = .write
      open.handle = pdu.u16(1) ?? 0
      if pdu.count >= 3 { attribute(&row, link, open.handle, serverIsPeer: fromHost) }
      if pdu.count >= 5 { setValue(&row, 5, pdu.count - 5) }
      let prepared = Bearer.Prepared(
        handle: open.handle, offset: Int(pdu.u16(3) ?? 0), bytes: Array(pdu.from(5)), pieces: pieces(of: pdu.from(5)))
      // A server's queue holds one value or a few: parts beyond 128 KiB are dropped.
      if bearer.preparedBytes + prepared.bytes.count <= 131_072 {
        bearer.preparedBytes += prepared.bytes.count + 16
        if fromHost { bearer.sentWrites.append(prepared) } else { bearer.receivedWrites.append(prepared) }
      }
    case .executeWriteRequest:
      row.meaning = .write
      open.offset = UInt16(pdu.u8(1) ?? 0)
    default: break
    }
    // Usually no long read is open; checking `isOpen` copies nothing.
    if fromHost ? bearer.sentRead.isOpen : bearer.receivedRead.isOpen,
      !(opcode == .readBlobRequest && open.handle == (fromHost ? bearer.sentRead.handle : bearer.receivedRead.handle))
    {
      flushRead(bearer, link, fromHost: fromHost, isComplete: false)
    }
    if fromHost ? bearer.sent.isOpen : bearer.received.isOpen {
      overlap(fromHost ? bearer.sent : bearer.received, row, bearer, link, origin, opcode)
    }
    if fromHost { bearer.hasRequested = true } else { bearer.wasRequested = true }
    bearer.lastFrame = frame
    if purpose == .rows { rows.append(row) }
    open.row = RowReference(sequence: sequence, row: Int32(rows.count - 1))
    if fromHost { bearer.sent = open } else { bearer.received = open }
  }

  /// Reports a request that was sent while another is open.
  private mutating func overlap(
    _ previous: Bearer.Open, _ row: PacketRow, _ bearer: Bearer, _ link: Int, _ origin: PacketOrigin, _ opcode: ATT.Opcode
  ) {
    if hearsPeers, tables.connections[Int(row.connection)].accessAddress == 0, !isLost(since: previous.frame, links[link]) {
      report(
        .requestOverlaps(frame: previous.frame, opcode: previous.opcode?.rawValue ?? 0), adapter: origin.adapter, handle: row.handle,
        connection: row.connection)
    }
    guard previous.opcode != opcode else { return }
    if origin.direction.isFromHost { bearer.sentOlder = previous } else { bearer.receivedOlder = previous }
  }

  /// A UUID that fills the rest of a PDU.
  private func uuid(_ bytes: PDUBytes) -> BluetoothUUID? {
    BluetoothUUID(littleEndian: bytes.span, in: 0..<bytes.count)
  }

  // MARK: Responses

  private mutating func response(
    _ row: inout PacketRow, _ bearer: Bearer, _ link: Int, _ origin: PacketOrigin, _ pdu: PDUBytes, _ opcode: ATT.Opcode
  ) {
    let fromHost = origin.direction.isFromHost
    var open = fromHost ? bearer.received : bearer.sent
    hearsPeers = true
    row.meaning = .response
    row.set(status: 0, .att)
    let isError = opcode == .errorResponse
    if isError {
      row.meaning = .refused
      row.set(status: pdu.u8(4) ?? 0, .att)
      row.subcode = UInt16(pdu.u8(1) ?? 0)
      if let handle = pdu.u16(2) {
        if handle != 0 { attribute(&row, link, handle, serverIsPeer: !fromHost) } else { row.flags.insert(.hasAttribute) }
      }
    }
    // A response matches the open request, or an older one of another type that was still open when that was sent. Otherwise it must not be paired
    // with an older request.
    let isResponse: (Bearer.Open) -> Bool = { open in
      open.opcode.map { isError ? pdu.u8(1) == $0.rawValue : $0.rawValue &+ 1 == opcode.rawValue } ?? false
    }
    var fits = isResponse(open)
    var isOlder = false
    if !fits {
      let older = fromHost ? bearer.receivedOlder : bearer.sentOlder
      isOlder = older.isOpen && isResponse(older)
      if isOlder { (open, fits) = (older, true) }
    }
    if fits {
      let latency = elapsed(since: open.frame, open.time)
      row.answers(open.frame, latency)
      answer(open.row, frame: frame, latency: latency, isError: isError)
      switch (fromHost, isOlder) {
      case (true, false): bearer.received = Bearer.Open()
      case (true, true): bearer.receivedOlder = Bearer.Open()
      case (false, false): bearer.sent = Bearer.Open()
      case (false, true): bearer.sentOlder = Bearer.Open()
      }
    } else {
      row.flags.insert(.isUnsolicited)
      // A capture without any of the requests that this side responds to leaves out packets of the other side.
      if !(fromHost ? bearer.wasRequested : bearer.hasRequested) {
        links[link].lacksRequests = true
      } else if tables.connections[Int(row.connection)].accessAddress == 0, !isLost(since: bearer.lastFrame, links[link]) {
        report(.responseToNothing(opcode: opcode.rawValue), adapter: origin.adapter, handle: row.handle, connection: row.connection)
      }
    }
    bearer.lastFrame = frame
    let request = fits ? open : Bearer.Open()
    row.detail = request.uuid
    let server = fromHost ? links[link].local : links[link].remote
    switch opcode {
    case .errorResponse:
      // "Attribute not found" is the regular end of a discovery (Vol 3, Part G, 4.4 to 4.7), not a failure.
      switch row.failedRequest {
      case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
        if row.status == ATT.ErrorCode.attributeNotFound.rawValue { row.meaning = .discovered }
      default: break
      }
      switch request.opcode {
      case .readBlobRequest:
        if !(fromHost ? bearer.receivedRead : bearer.sentRead).isOpen {
          _ = bearer.resume(request.handle, at: Int(request.offset), fromHost: !fromHost)
        }
        if row.isEndOfLongRead, (fromHost ? bearer.receivedRead : bearer.sentRead).isOpen { row.flags.insert(.continued) }
        flushRead(bearer, link, fromHost: !fromHost, isComplete: row.isEndOfLongRead)
      case .executeWriteRequest: dropWrites(bearer, fromHost: !fromHost)
      // A refused part is not in the queue (3.4.6.1).
      case .prepareWriteRequest: if fromHost { _ = bearer.receivedWrites.popLast() } else { _ = bearer.sentWrites.popLast() }
      default: break
      }
    case .exchangeMTUResponse:
      if fits, let mine = pdu.u16(1) {
        bearer.mtu = max(23, min(mine, open.offset))
        tables.connections[Int(row.connection)].mtu = bearer.mtu
      }
    case .findInformationResponse:
      row.meaning = .discovered
      informationFound(server, pdu)
    case .findByTypeValueResponse:
      row.meaning = .discovered
      if fits, let service = uuid(Array(request.value)) { servicesFound(server, pdu, service, type: request.uuid) }
    case .readByTypeResponse:
      let type = request.uuid >= 0 ? tables.uuids[Int(request.uuid)].short16 ?? 0 : 0
      row.meaning = AttributeType(rawValue: type)?.isDeclaration == true ? .discovered : .readValue
      row.subcode = type
      typesFound(&row, server, pdu, AttributeType(rawValue: type), uuid: request.uuid, link, fromHost)
    case .readByGroupTypeResponse:
      row.meaning = .discovered
      if fits { groupsFound(server, pdu, type: request.uuid) }
    case .readResponse:
      row.meaning = .readValue
      setValue(&row, 1, pdu.count - 1)
      if fits {
        attribute(&row, link, request.handle, serverIsPeer: !fromHost)
        if tables.describesValues { describeValue(&row, link) }
        readResponse(&row, bearer, link, pdu.from(1), fromHost)
      }
    case .readBlobResponse:
      row.meaning = .readValue
      setValue(&row, 1, pdu.count - 1)
      if fits {
        attribute(&row, link, request.handle, serverIsPeer: !fromHost)
        blobResponse(&row, bearer, link, pdu.from(1), offset: Int(request.offset), fromHost)
      }
    case .readMultipleResponse:
      row.meaning = .readValue
      if let first = PDUBytes.firstHandle(request.value) { attribute(&row, link, first, serverIsPeer: !fromHost) }
      setValue(&row, 1, pdu.count - 1)
    case .readMultipleVariableResponse:
      row.meaning = .readValue
      multipleRead(&row, link, request, pdu, fromHost)
    case .writeResponse:
      row.meaning = .writeResponse
      if fits { attribute(&row, link, request.handle, serverIsPeer: !fromHost) }
    case .prepareWriteResponse:
      row.meaning = .writeResponse
      if let handle = pdu.u16(1) { attribute(&row, link, handle, serverIsPeer: !fromHost) }
      if pdu.count >= 5 { setValue(&row, 5, pdu.count - 5) }
      if fits, !cut, let part = fromHost ? bearer.receivedWrites.last : bearer.sentWrites.last,
        part.handle != pdu.u16(1) || part.offset != pdu.u16(3).map(Int.init) || !part.bytes.elementsEqual(pdu.from(5))
      {
        report(.preparedPartDiffers(frame: open.frame), adapter: origin.adapter, handle: row.handle, connection: row.connection)
      }
    case .executeWriteResponse:
      row.meaning = .writeResponse
      if fits, request.offset == 1 { executed(&row, bearer, link, fromHost: !fromHost) } else { dropWrites(bearer, fromHost: !fromHost) }
    default: break
    }
    if purpose == .rows { rows.append(row) }
  }

  private func uuid(_ bytes: [UInt8]) -> BluetoothUUID? {
    unsafe bytes.withUnsafeBytes { unsafe BluetoothUUID(littleEndian: RawSpan(_unsafeBytes: $0), in: 0..<$0.count) }
  }

  // MARK: Values in several PDUs

  private mutating func readResponse(
    _ row: inout PacketRow, _ bearer: Bearer, _ link: Int, _ value: PDUBytes, _ fromHost: Bool
  ) {
    bearer.forget(row.attributeHandle, fromHost: !fromHost)
    // A value that fills the PDU may continue with Read Blob: it is passed on when it is complete (Vol 3, Part G, 4.8.3).
    if value.count == Int(bearer.mtu) - 1 {
      var long = Bearer.Long(handle: row.attributeHandle, bytes: Array(value), pieces: pieces(of: value), isOpen: true)
      beginLongRead(&long, row)
      if fromHost { bearer.receivedRead = long } else { bearer.sentRead = long }
    } else {
      if purpose == .rows {
        valueEvents.append(
          ValueEvent(bytes: value, row: Int32(rows.count), attribute: row.attribute, source: .read, channel: row.attributeHandle))
      }
    }
    learn(row.attribute, value, link, serverIsPeer: !fromHost)
  }

  private mutating func blobResponse(
    _ row: inout PacketRow, _ bearer: Bearer, _ link: Int, _ value: PDUBytes, offset: Int, _ fromHost: Bool
  ) {
    // Some clients also read a value from offset 0 with Read Blob.
    if offset == 0 { return readResponse(&row, bearer, link, value, fromHost) }
    // Hosts that read several values in turn continue each where its last part ended.
    if !(fromHost ? bearer.receivedRead : bearer.sentRead).isOpen {
      guard bearer.resume(row.attributeHandle, at: offset, fromHost: !fromHost) else { return }
    }
    var long = fromHost ? bearer.receivedRead : bearer.sentRead
    guard long.isOpen, long.handle == row.attributeHandle, offset == long.bytes.count, long.bytes.count <= 65_535 else { return }
    change(long.reference) { $0.flags.insert(.continued) }
    long.parts += 1
    beginLongRead(&long, row)
    long.bytes.append(contentsOf: value)
    if tracksPieces { long.pieces += pieces(of: value) }
    if fromHost { bearer.receivedRead = long } else { bearer.sentRead = long }
    guard value.count < Int(bearer.mtu) - 1 else { return }
    row.assembled = long.bytes.withBorrowedBytes { out.arena.copy($0) }
    remember(row.assembled, long.pieces)
    row.flags.insert(.hasAssembled)
    if fromHost { bearer.receivedRead = Bearer.Long() } else { bearer.sentRead = Bearer.Long() }
    learn(row.attribute, row.assembled, link, serverIsPeer: !fromHost)
    if purpose == .rows {
      valueEvents.append(
        ValueEvent(bytes: row.assembled, row: Int32(rows.count), attribute: row.attribute, source: .read, channel: row.attributeHandle))
    }
  }

  /// Notes the row with the last part of a long read: the current one, which is appended next.
  private func beginLongRead(_ long: inout Bearer.Long, _ row: PacketRow) {
    long.reference = RowReference(sequence: sequence, row: Int32(rows.count))
    long.row = row
    long.row.pdu = PDUBytes()
  }

  /// Passes on a long read that was not continued, because its value just filled the PDU, or another request came first; the latter can continue
  /// later. The value belongs to the row of the response; that row is handed out already if rows are not held back.
  private mutating func flushRead(_ bearer: Bearer, _ link: Int, fromHost: Bool, isComplete: Bool) {
    let long = fromHost ? bearer.sentRead : bearer.receivedRead
    guard long.isOpen else { return }
    if fromHost { bearer.sentRead = Bearer.Long() } else { bearer.receivedRead = Bearer.Long() }
    if !isComplete {
      bearer.pause(long, fromHost: fromHost)
    } else if long.parts > 1 {
      let whole = long.bytes.withBorrowedBytes { out.arena.copy($0) }
      learn(long.row.attribute, whole, link, serverIsPeer: fromHost)
    }
    guard purpose == .rows, isComplete || !long.isPassedOn else { return }
    var event = ValueEvent(bytes: PDUBytes(), row: long.reference.row, attribute: long.row.attribute, source: .read, channel: long.handle)
    let at = long.reference.sequence - firstOpen
    if at >= 0, at < open.count - 1 {
      let batch = open[at]
      event.bytes = long.bytes.withBorrowedBytes { batch.arena.copy($0) }
      if long.parts > 1 { change(long.reference) { $0.holds(event.bytes) } }
      if tracksPieces { batch.joined.append(JoinedBytes(bytes: event.bytes, pieces: long.pieces)) }
      batch.valueEvents.insert(event, at: batch.valueEvents.lastIndex { $0.row <= event.row }.map { $0 + 1 } ?? 0)
      return
    }
    event.bytes = long.bytes.withBorrowedBytes { out.arena.copy($0) }
    remember(event.bytes, long.pieces)
    if at >= 0 {
      if long.parts > 1 { change(long.reference) { $0.holds(event.bytes) } }
      valueEvents.insert(event, at: valueEvents.lastIndex { $0.row <= event.row }.map { $0 + 1 } ?? 0)
    } else {
      event.row = Int32(rows.count)
      event.deferredRow = Int32(out.deferredRows.count)
      out.deferredRows.append(long.row)
      valueEvents.append(event)
    }
  }

  /// Passes on open long reads at the end of a connection.
  mutating func flushReads(_ link: Int) {
    flushRead(links[link].bearer, link, fromHost: true, isComplete: true)
    flushRead(links[link].bearer, link, fromHost: false, isComplete: true)
    for channel in links[link].channels.indices {
      let bearer = links[link].channels[channel].bearer
      flushRead(bearer, link, fromHost: true, isComplete: true)
      flushRead(bearer, link, fromHost: false, isComplete: true)
    }
  }

  private func dropWrites(_ bearer: Bearer, fromHost: Bool) {
    if fromHost { bearer.sentWrites.removeAll() } else { bearer.receivedWrites.removeAll() }
    if bearer.sentWrites.isEmpty, bearer.receivedWrites.isEmpty { bearer.preparedBytes = 0 }
  }

  /// Reassembles prepared writes (3.4.6): parts of one handle, each at the offset where the previous part ended.
  private mutating func executed(_ row: inout PacketRow, _ bearer: Bearer, _ link: Int, fromHost: Bool) {
    let parts = fromHost ? bearer.sentWrites : bearer.receivedWrites
    dropWrites(bearer, fromHost: fromHost)
    var index = 0
    while index < parts.count {
      let handle = parts[index].handle
      var bytes: [UInt8] = []
      var pieces: [PDUPiece] = []
      let start = parts[index].offset
      while index < parts.count, parts[index].handle == handle, parts[index].offset == start + bytes.count {
        bytes.append(contentsOf: parts[index].bytes)
        pieces += parts[index].pieces
        index += 1
      }
      let whole = bytes.withBorrowedBytes { out.arena.copy($0) }
      remember(whole, pieces)
      attribute(&row, link, handle, serverIsPeer: fromHost)
      row.assembled = whole
      row.flags.insert(.hasAssembled)
      if purpose == .rows {
        valueEvents.append(ValueEvent(bytes: whole, row: Int32(rows.count), attribute: row.attribute, source: .write, channel: handle))
      }
    }
  }

  private mutating func multipleRead(_ row: inout PacketRow, _ link: Int, _ request: Bearer.Open, _ pdu: PDUBytes, _ fromHost: Bool) {
    var which = 0
    ATT.forEachValue(pdu.span) { _, value in
      guard which + 2 <= request.value.count else { return }
      let handle = UInt16(request.value[which]) | UInt16(request.value[which + 1]) << 8
      var part = row
      attribute(&part, link, handle, serverIsPeer: !fromHost)
      if which == 0 { row = part }
      if purpose == .rows {
        valueEvents.append(
          ValueEvent(
            bytes: pdu.slice(value.lowerBound, value.count), row: Int32(rows.count), attribute: part.attribute, source: .read,
            channel: handle))
      }
      which += 2
    }
  }
}

extension PacketRow {
  /// The row has a reassembled value.
  fileprivate mutating func holds(_ value: PDUBytes) {
    assembled = value
    flags.insert(.hasAssembled)
  }
}

extension PDUBytes {
  static func firstHandle(_ handles: [UInt8]) -> UInt16? {
    handles.count >= 2 ? UInt16(handles[0]) | UInt16(handles[1]) << 8 : nil
  }
}
