import Bluetooth
import Captures

/// The Attribute Protocol (Core, Vol 3, Part F): requests and their answers, discoveries, values.
extension Reconstruction {
  /// Takes an ATT PDU of a bearer: `channel` is the index of an enhanced bearer's channel, -1 for the fixed channel.
  @inline(__always)
  mutating func att(_ link: Int, _ channel: Int, _ one: PacketOrigin, _ pdu: PDUBytes, isJoined: Bool) {
    guard let opcode = pdu.u8(0) else {
      guard purpose == .rows else { return }
      find(.shortPacket, a: 1, b: 0, offset: 0, adapter: one.adapter, connection: links[link].connection)
      links[link].lossFrame = frame
      var row = row(one, .att, .other, pdu)
      connect(&row, link)
      rows.append(row)
      return
    }
    if purpose == .survey, isMass(opcode) { return }
    var row = row(one, .att, .other, pdu)
    connect(&row, link)
    row.opcode = UInt32(opcode)
    row.channel = channel < 0 ? 4 : one.direction.isFromHost ? links[link].channels[channel].remote : links[link].channels[channel].local
    if isJoined { row.flags.insert(.joined) }
    if opcode == 0x1B {
      row.meaning = .notify
      value(&row, link, one, pdu, from: 3, source: .notify)
      rows.append(row)
    } else {
      // The link holds its bearer: its references need not be counted with every packet.
      let bearer = unsafe Unmanaged.passUnretained(channel < 0 ? links[link].bearer : links[link].channels[channel].bearer)
      unsafe bearer._withUnsafeGuaranteedRef { otherATT(&row, $0, link, one, pdu, opcode) }
    }
  }

  /// Handle and value of a PDU that carries both: handle at byte 1, value from `from` on.
  @inline(__always)
  private mutating func value(_ row: inout PacketRow, _ link: Int, _ one: PacketOrigin, _ pdu: PDUBytes, from: Int, source: Feed.Source) {
    guard let handle = pdu.u16(1) else {
      find(.shortPacket, a: from, b: pdu.count, offset: pdu.count, adapter: one.adapter, connection: row.connection)
      links[link].lossFrame = frame
      return
    }
    let toServer = source == .write || source == .writeCommand
    attribute(&row, link, handle, serverIsPeer: one.direction.isFromHost == toServer)
    if pdu.count >= from { setValue(&row, from, pdu.count &- from) }
    feeds.append(
      Feed(
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

  /// The attribute behind a handle, made where it is not there yet. The last ones are remembered: traffic is mostly on a few.
  @inline(__always)
  private mutating func touch(_ database: Int32, _ handle: UInt16) -> Int32 {
    let place = Int(handle & 7)
    let known = touched[place]
    if known.handle == handle, known.database == database, known.attributes == tables.attributes.count { return known.index }
    return touch(database, handle, at: place)
  }

  @inline(never)
  private mutating func touch(_ database: Int32, _ handle: UInt16, at place: Int) -> Int32 {
    let index = tables.touch(database, handle, at: frame)
    // The newest version of an attribute stays the one to use until there is another.
    if index >= 0, index == tables.current(database, handle) {
      touched[place] = Touched(database: database, index: index, handle: handle, attributes: tables.attributes.count)
    }
    return index
  }

  /// The UUID of an attribute as a 16-bit number, 0 where it is another.
  private func short(_ attribute: Int32) -> UInt16 {
    guard attribute >= 0, tables.attributes[Int(attribute)].uuid >= 0 else { return 0 }
    return tables.uuids[Int(tables.attributes[Int(attribute)].uuid)].short16 ?? 0
  }

  private mutating func otherATT(
    _ row: inout PacketRow, _ bearer: Bearer, _ link: Int, _ one: PacketOrigin, _ pdu: PDUBytes, _ opcode: UInt8
  ) {
    let fromHost = one.direction.isFromHost
    switch opcode {
    case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20:
      request(&row, bearer, link, one, pdu, opcode)
    case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21:
      response(&row, bearer, link, one, pdu, opcode)
    case 0x52, 0xD2:
      row.meaning = .writeCommand
      if opcode == 0xD2 {
        // The last 12 bytes are the signature (3.4.5.4).
        value(&row, link, one, pdu.slice(0, max(3, pdu.count - 12)), from: 3, source: .writeCommand)
      } else {
        value(&row, link, one, pdu, from: 3, source: .writeCommand)
      }
      rows.append(row)
    case 0x1D:
      row.meaning = .indicate
      value(&row, link, one, pdu, from: 3, source: .indicate)
      if purpose == .rows { rows.append(row) }
      if short(row.attribute) == 0x2A05, let start = pdu.u16(3), let end = pdu.u16(5) {
        serviceChanged(fromHost ? links[link].local : links[link].remote, start, end)
      }
      let previous = fromHost ? bearer.sentIndication : bearer.receivedIndication
      // One at a time (Core, Vol 3, Part F, 3.3.2).
      if previous.isOpen, tables.connections[Int(row.connection)].accessAddress == 0, !isLost(since: previous.frame, links[link]) {
        find(
          .requestOverlaps, a: previous.frame, b: Int(opcode), adapter: one.adapter, handle: row.handle, connection: row.connection)
      }
      let pending = Bearer.Open(
        frame: frame, time: time, row: RowReference(sequence: sequence, row: Int32(rows.count - 1)), opcode: opcode,
        handle: row.attributeHandle, isFromHost: fromHost)
      if fromHost { bearer.sentIndication = pending } else { bearer.receivedIndication = pending }
    case 0x1E:
      row.meaning = .confirm
      let pending = fromHost ? bearer.receivedIndication : bearer.sentIndication
      if pending.isOpen {
        attribute(&row, link, pending.handle, serverIsPeer: fromHost)
        row.answers(pending.frame, time &- pending.time)
        answer(pending.row, frame: frame, latency: time &- pending.time)
        if fromHost { bearer.receivedIndication = Bearer.Open() } else { bearer.sentIndication = Bearer.Open() }
      } else {
        row.flags.insert(.unasked)
      }
      rows.append(row)
    case 0x23:
      row.meaning = .notify
      var at = 1
      while let handle = pdu.u16(at), let length = pdu.u16(at &+ 2) {
        var part = row
        attribute(&part, link, handle, serverIsPeer: !fromHost)
        if at == 1 { attribute(&row, link, handle, serverIsPeer: !fromHost) }
        if purpose == .rows {
          feeds.append(
            Feed(
              bytes: pdu.slice(at &+ 4, Int(length)), row: Int32(rows.count), attribute: part.attribute, source: .notify, channel: handle))
        }
        at = at &+ 4 &+ Int(length)
      }
      if purpose == .rows { rows.append(row) }
    default: if purpose == .rows { rows.append(row) }
    }
  }

  // MARK: Requests

  private mutating func request(
    _ row: inout PacketRow, _ bearer: Bearer, _ link: Int, _ one: PacketOrigin, _ pdu: PDUBytes, _ opcode: UInt8
  ) {
    let fromHost = one.direction.isFromHost
    var open = Bearer.Open(frame: frame, time: time, opcode: opcode, isFromHost: fromHost)
    row.meaning = .request
    switch opcode {
    case 0x02: open.offset = pdu.u16(1) ?? 0
    case 0x04: row.meaning = .discovery
    case 0x06:
      row.meaning = .discovery
      if let type = pdu.u16(5) { open.uuid = tables.uuid(BluetoothUUID(type)) }
      open.value = unsafe Array(pdu.slice(7, 16).buffer)
      if pdu.count >= 7 { setValue(&row, 7, pdu.count - 7) }
    case 0x08, 0x10:
      let type = uuid(pdu.from(5))
      open.uuid = type.map { tables.uuid($0) } ?? -1
      let short = type?.short16 ?? 0
      // Reading declarations is discovery; reading any other type is a read.
      row.meaning = opcode == 0x10 || (0x2800...0x2803).contains(short) ? .discovery : .read
    case 0x0A, 0x0C:
      row.meaning = .read
      open.handle = pdu.u16(1) ?? 0
      open.offset = opcode == 0x0C ? pdu.u16(3) ?? 0 : 0
      if pdu.count >= 3 { attribute(&row, link, open.handle, serverIsPeer: fromHost) }
    case 0x0E, 0x20:
      row.meaning = .read
      open.value = unsafe Array(pdu.slice(1, 512).buffer)
      if let first = pdu.u16(1) { attribute(&row, link, first, serverIsPeer: fromHost) }
    case 0x12:
      row.meaning = .write
      value(&row, link, one, pdu, from: 3, source: .write)
      open.handle = row.attributeHandle
      if row.uuidSource == .none { guessSubscription(&row, link, fromHost: fromHost) }
      if short(row.attribute) == 0x2902 { row.meaning = .subscribe }
    case 0x16:
      row.meaning = .write
      open.handle = pdu.u16(1) ?? 0
      if pdu.count >= 3 { attribute(&row, link, open.handle, serverIsPeer: fromHost) }
      if pdu.count >= 5 { setValue(&row, 5, pdu.count - 5) }
      let prepared = unsafe Bearer.Prepared(
        handle: open.handle, offset: Int(pdu.u16(3) ?? 0), bytes: Array(pdu.from(5).buffer), pieces: pieces(of: pdu.from(5)))
      // A queue holds one value or a few; what goes beyond 128 kB is no server's.
      if bearer.preparedBytes + prepared.bytes.count <= 131_072 {
        bearer.preparedBytes += prepared.bytes.count + 16
        if fromHost { bearer.sentWrites.append(prepared) } else { bearer.receivedWrites.append(prepared) }
      }
    case 0x18:
      row.meaning = .write
      open.offset = UInt16(pdu.u8(1) ?? 0)
    default: break
    }
    let long = fromHost ? bearer.sentRead : bearer.receivedRead
    if long.isOpen, !(opcode == 0x0C && open.handle == long.handle) { flushRead(bearer, link, fromHost: fromHost) }
    let previous = fromHost ? bearer.sent : bearer.received
    if previous.isOpen, tables.connections[Int(row.connection)].accessAddress == 0, !isLost(since: previous.frame, links[link]) {
      find(
        .requestOverlaps, a: previous.frame, b: Int(previous.opcode), adapter: one.adapter, handle: row.handle, connection: row.connection)
    }
    bearer.requests += 1
    bearer.lastFrame = frame
    if purpose == .rows { rows.append(row) }
    open.row = RowReference(sequence: sequence, row: Int32(rows.count - 1))
    if fromHost { bearer.sent = open } else { bearer.received = open }
  }

  /// A UUID that fills the rest of a PDU.
  private func uuid(_ bytes: PDUBytes) -> BluetoothUUID? {
    unsafe BluetoothUUID(littleEndian: RawSpan(_unsafeBytes: bytes.buffer), in: 0..<bytes.count)
  }

  // MARK: Responses

  private mutating func response(
    _ row: inout PacketRow, _ bearer: Bearer, _ link: Int, _ one: PacketOrigin, _ pdu: PDUBytes, _ opcode: UInt8
  ) {
    let fromHost = one.direction.isFromHost
    let open = fromHost ? bearer.received : bearer.sent
    row.meaning = .response
    row.set(status: 0, .att)
    let isError = opcode == 0x01
    if isError {
      row.meaning = .refused
      row.set(status: pdu.u8(4) ?? 0, .att)
      row.subcode = UInt16(pdu.u8(1) ?? 0)
      if let handle = pdu.u16(2) {
        if handle != 0 { attribute(&row, link, handle, serverIsPeer: !fromHost) } else { row.flags.insert(.hasAttribute) }
      }
    }
    // An answer fits the request that is open; whatever else it is, it must not be paired with an older one.
    let fits = open.isOpen && (isError ? pdu.u8(1) == open.opcode : open.opcode &+ 1 == opcode)
    if fits {
      row.answers(open.frame, time &- open.time)
      answer(open.row, frame: frame, latency: time &- open.time)
      if fromHost { bearer.received = Bearer.Open() } else { bearer.sent = Bearer.Open() }
    } else {
      row.flags.insert(.unasked)
      if bearer.requests > 0 || open.isOpen, tables.connections[Int(row.connection)].accessAddress == 0,
        !isLost(since: bearer.lastFrame, links[link])
      {
        find(.responseToNothing, a: Int(opcode), adapter: one.adapter, handle: row.handle, connection: row.connection)
      }
    }
    bearer.lastFrame = frame
    let request = fits ? open : Bearer.Open()
    row.asked = request.uuid
    let server = fromHost ? links[link].local : links[link].remote
    switch opcode {
    case 0x01:
      // "Attribute not found" is how a discovery ends (Vol 3, Part G, 4.4 to 4.7), not a failure.
      if row.status == 0x0A, [0x04, 0x06, 0x08, 0x10].contains(row.subcode) { row.meaning = .discovered }
      if request.opcode == 0x0C { flushRead(bearer, link, fromHost: !fromHost) }
      if request.opcode == 0x18 { dropWrites(bearer, fromHost: !fromHost) }
      // A part that was refused is not in the queue (3.4.6.1).
      if request.opcode == 0x16 {
        if fromHost { _ = bearer.receivedWrites.popLast() } else { _ = bearer.sentWrites.popLast() }
      }
    case 0x03:
      if fits, let mine = pdu.u16(1) {
        bearer.mtu = max(23, min(mine, open.offset))
        tables.connections[Int(row.connection)].mtu = bearer.mtu
      }
    case 0x05:
      row.meaning = .discovered
      informationFound(server, pdu)
    case 0x07:
      row.meaning = .discovered
      if fits, let service = uuid(Array(request.value)) { servicesFound(server, pdu, service, type: request.uuid) }
    case 0x09:
      let type = request.uuid >= 0 ? tables.uuids[Int(request.uuid)].short16 ?? 0 : 0
      row.meaning = (0x2800...0x2803).contains(type) ? .discovered : .readValue
      row.subcode = type
      typesFound(&row, server, pdu, type, uuid: request.uuid, link, fromHost)
    case 0x11:
      row.meaning = .discovered
      if fits { groupsFound(server, pdu, type: request.uuid) }
    case 0x0B:
      row.meaning = .readValue
      setValue(&row, 1, pdu.count - 1)
      if fits {
        attribute(&row, link, request.handle, serverIsPeer: !fromHost)
        readDone(&row, bearer, link, pdu.from(1), fromHost)
      }
    case 0x0D:
      row.meaning = .readValue
      setValue(&row, 1, pdu.count - 1)
      if fits {
        attribute(&row, link, request.handle, serverIsPeer: !fromHost)
        blobDone(&row, bearer, link, pdu.from(1), offset: Int(request.offset), fromHost)
      }
    case 0x0F:
      row.meaning = .readValue
      if let first = PDUBytes.firstHandle(request.value) { attribute(&row, link, first, serverIsPeer: !fromHost) }
      setValue(&row, 1, pdu.count - 1)
    case 0x21:
      row.meaning = .readValue
      multipleRead(&row, link, request, pdu, fromHost)
    case 0x13:
      row.meaning = .writeDone
      if fits { attribute(&row, link, request.handle, serverIsPeer: !fromHost) }
    case 0x17:
      row.meaning = .writeDone
      if let handle = pdu.u16(1) { attribute(&row, link, handle, serverIsPeer: !fromHost) }
      if pdu.count >= 5 { setValue(&row, 5, pdu.count - 5) }
      if fits, !cut, let part = fromHost ? bearer.receivedWrites.last : bearer.sentWrites.last,
        unsafe part.handle != pdu.u16(1) || part.offset != pdu.u16(3).map(Int.init) || !part.bytes.elementsEqual(pdu.from(5).buffer)
      {
        find(.preparedPartDiffers, a: open.frame, adapter: one.adapter, handle: row.handle, connection: row.connection)
      }
    case 0x19:
      row.meaning = .writeDone
      if fits, request.offset == 1 { executed(&row, bearer, link, fromHost: !fromHost) } else { dropWrites(bearer, fromHost: !fromHost) }
    default: break
    }
    if purpose == .rows { rows.append(row) }
  }

  private func uuid(_ bytes: [UInt8]) -> BluetoothUUID? {
    unsafe bytes.withUnsafeBytes { unsafe BluetoothUUID(littleEndian: RawSpan(_unsafeBytes: $0), in: 0..<$0.count) }
  }

  // MARK: Values that travel in pieces

  private mutating func readDone(
    _ row: inout PacketRow, _ bearer: Bearer, _ link: Int, _ value: PDUBytes, _ fromHost: Bool
  ) {
    // A value that fills the PDU may go on with Read Blob: it is handed on when it is whole (Vol 3, Part G, 4.8.3).
    if value.count == Int(bearer.mtu) - 1 {
      var long = unsafe Bearer.Long(handle: row.attributeHandle, bytes: Array(value.buffer), pieces: pieces(of: value), isOpen: true)
      place(&long, row)
      if fromHost { bearer.receivedRead = long } else { bearer.sentRead = long }
    } else {
      if purpose == .rows {
        feeds.append(
          Feed(bytes: value, row: Int32(rows.count), attribute: row.attribute, source: .read, channel: row.attributeHandle))
      }
    }
    learn(row.attribute, value, link, serverIsPeer: !fromHost)
  }

  private mutating func blobDone(
    _ row: inout PacketRow, _ bearer: Bearer, _ link: Int, _ value: PDUBytes, offset: Int, _ fromHost: Bool
  ) {
    // Some clients read a value from its start with Read Blob, too.
    if offset == 0 { return readDone(&row, bearer, link, value, fromHost) }
    var long = fromHost ? bearer.receivedRead : bearer.sentRead
    guard long.isOpen, long.handle == row.attributeHandle, offset == long.bytes.count, long.bytes.count <= 65_535 else { return }
    place(&long, row)
    unsafe long.bytes.append(contentsOf: value.buffer)
    if tracksPieces { long.pieces += pieces(of: value) }
    if fromHost { bearer.receivedRead = long } else { bearer.sentRead = long }
    guard value.count < Int(bearer.mtu) - 1 else { return }
    row.assembled = unsafe long.bytes.withUnsafeBytes { unsafe out.arena.copy($0) }
    remember(row.assembled, long.pieces)
    row.flags.insert(.hasAssembled)
    if fromHost { bearer.receivedRead = Bearer.Long() } else { bearer.sentRead = Bearer.Long() }
    learn(row.attribute, row.assembled, link, serverIsPeer: !fromHost)
    if purpose == .rows {
      feeds.append(
        Feed(bytes: row.assembled, row: Int32(rows.count), attribute: row.attribute, source: .read, channel: row.attributeHandle))
    }
  }

  /// Notes which row has the last piece of a long read: the one at hand, the next to be told.
  private func place(_ long: inout Bearer.Long, _ row: PacketRow) {
    long.place = RowReference(sequence: sequence, row: Int32(rows.count))
    long.row = row
    long.row.pdu = PDUBytes()
  }

  /// Hands on a long read that was not continued: its value just filled the PDU. It belongs to the answer that brought it, whose row was
  /// told already where nothing is held back.
  private mutating func flushRead(_ bearer: Bearer, _ link: Int, fromHost: Bool) {
    let long = fromHost ? bearer.sentRead : bearer.receivedRead
    guard long.isOpen else { return }
    if fromHost { bearer.sentRead = Bearer.Long() } else { bearer.receivedRead = Bearer.Long() }
    guard purpose == .rows else { return }
    var feed = Feed(bytes: PDUBytes(), row: long.place.row, attribute: long.row.attribute, source: .read, channel: long.handle)
    let at = long.place.sequence - firstOpen
    if at >= 0, at < open.count - 1 {
      let batch = open[at]
      feed.bytes = unsafe long.bytes.withUnsafeBytes { unsafe batch.arena.copy($0) }
      if tracksPieces { batch.joined.append(JoinedBytes(bytes: feed.bytes, pieces: long.pieces)) }
      batch.feeds.insert(feed, at: batch.feeds.lastIndex { $0.row <= feed.row }.map { $0 + 1 } ?? 0)
      return
    }
    feed.bytes = unsafe long.bytes.withUnsafeBytes { unsafe out.arena.copy($0) }
    remember(feed.bytes, long.pieces)
    if at >= 0 {
      feeds.insert(feed, at: feeds.lastIndex { $0.row <= feed.row }.map { $0 + 1 } ?? 0)
    } else {
      feed.row = Int32(rows.count)
      feed.late = Int32(out.late.count)
      out.late.append(long.row)
      feeds.append(feed)
    }
  }

  /// Hands on long reads at the end of a connection.
  mutating func flushReads(_ link: Int) {
    flushRead(links[link].bearer, link, fromHost: true)
    flushRead(links[link].bearer, link, fromHost: false)
    for channel in links[link].channels.indices {
      let bearer = links[link].channels[channel].bearer
      flushRead(bearer, link, fromHost: true)
      flushRead(bearer, link, fromHost: false)
    }
  }

  private func dropWrites(_ bearer: Bearer, fromHost: Bool) {
    if fromHost { bearer.sentWrites.removeAll() } else { bearer.receivedWrites.removeAll() }
    if bearer.sentWrites.isEmpty, bearer.receivedWrites.isEmpty { bearer.preparedBytes = 0 }
  }

  /// Puts prepared writes together (3.4.6): parts of one handle, each at the offset where the one before ended.
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
      let whole = unsafe bytes.withUnsafeBytes { unsafe out.arena.copy($0) }
      remember(whole, pieces)
      attribute(&row, link, handle, serverIsPeer: fromHost)
      row.assembled = whole
      row.flags.insert(.hasAssembled)
      if purpose == .rows {
        feeds.append(Feed(bytes: whole, row: Int32(rows.count), attribute: row.attribute, source: .write, channel: handle))
      }
    }
  }

  private mutating func multipleRead(_ row: inout PacketRow, _ link: Int, _ request: Bearer.Open, _ pdu: PDUBytes, _ fromHost: Bool) {
    var at = 1
    var which = 0
    while let length = pdu.u16(at), which + 2 <= request.value.count {
      let handle = UInt16(request.value[which]) | UInt16(request.value[which + 1]) << 8
      var part = row
      attribute(&part, link, handle, serverIsPeer: !fromHost)
      if which == 0 { row = part }
      if purpose == .rows {
        feeds.append(
          Feed(
            bytes: pdu.slice(at + 2, Int(length)), row: Int32(rows.count), attribute: part.attribute, source: .read, channel: handle))
      }
      at += 2 + Int(length)
      which += 2
    }
  }
}

extension PDUBytes {
  static func firstHandle(_ handles: [UInt8]) -> UInt16? {
    handles.count >= 2 ? UInt16(handles[0]) | UInt16(handles[1]) << 8 : nil
  }
}
