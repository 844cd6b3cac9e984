import Bluetooth
import Captures

/// HCI ACL data (Core, Vol 4, Part E, 5.4.2) and L2CAP framing (Vol 3, Part A, 3).
extension Reconstruction {
  /// Takes an ACL packet: joins fragments, and hands on what is whole.
  mutating func acl(_ one: PacketOrigin, _ payload: PDUBytes) {
    guard let header = payload.u16(0), let announced = payload.u16(2) else {
      find(.shortPacket, a: 4, b: payload.count, offset: payload.count, adapter: one.adapter)
      if purpose == .rows { rows.append(row(one, .hciACL, .data, payload)) }
      return
    }
    let handle = header & 0xFFF
    let boundary = header >> 12 & 3
    var one = one
    // Only a host sends a first fragment as non-flushable (00); a capture without directions tells that much.
    if one.direction == .unknown { one.direction = boundary == 0 ? .sent : .received }
    // Handles beyond 0x0EFF are no connections (5.4.2): vendors send their own data there.
    let index = handle <= 0x0EFF && !isDebugData(one, handle) ? link(one, handle) : -1
    guard index >= 0 else {
      if handle == Self.debugHandle {
        if purpose == .rows {
          var row = row(one, .vendor, .noise, payload)
          row.handle = handle
          row.flags.insert(.hasConnection)
          rows.append(row)
        }
        return
      }
      if purpose == .rows { rows.append(row(one, .hciACL, .data, payload)) }
      return
    }
    let at = Int(index)
    let number = Int(links[at].connection)
    links[at].packets &+= 1
    links[at].lastTime = time
    var body = payload.from(4)
    let length = Int(announced)
    if body.count != length {
      if body.count > length {
        find(.lengthLies, a: length, b: body.count, offset: 2, adapter: one.adapter, handle: handle, connection: Int32(number))
        body = body.slice(0, length)
      } else if !cut {
        find(.lengthLies, a: length, b: body.count, offset: 2, adapter: one.adapter, handle: handle, connection: Int32(number))
      }
    }
    fragment(at, one, isStart: boundary != 1, body, length: length)
  }

  /// Notifications, writes of values and what answers them: a survey learns from discoveries, names and indications.
  @inline(__always)
  func isMass(_ opcode: UInt8) -> Bool { opcode == 0x1B || opcode == 0x52 || opcode == 0x12 || opcode == 0x13 || opcode == 0x1E }

  /// Qualcomm controllers send their logs as ACL data under this handle, without a connection.
  static var debugHandle: UInt16 { 0x0EDC }

  @inline(__always)
  private mutating func isDebugData(_ one: PacketOrigin, _ handle: UInt16) -> Bool {
    handle == Self.debugHandle && knownLink(one.adapter, handle) < 0
  }

  /// Takes a piece of an L2CAP PDU that a link carried; `length` is what the piece had, `body` what the capture kept of it.
  @inline(__always)
  mutating func fragment(_ link: Int, _ one: PacketOrigin, isStart: Bool, _ body: PDUBytes, length: Int) {
    if isStart {
      let isOpen = one.direction.isFromHost ? links[link].sending.isOpen : links[link].receiving.isOpen
      if !isOpen, let size = body.u16(0), Int(size) &+ 4 <= length {
        // What the header announces and the packet never had is no surplus; what the capture left out of it is.
        let there = cut ? length : body.count
        if Int(size) &+ 4 < there {
          find(
            .fragmentSurplus, a: there &- Int(size) &- 4, offset: 8 &+ Int(size), adapter: one.adapter,
            handle: tables.connections[Int(links[link].connection)].handle, connection: links[link].connection)
        }
        pdu(link, one, body.slice(0, Int(size) &+ 4), isJoined: false)
        return
      }
    }
    assemble(link, one, isStart: isStart, body, length: length)
  }

  /// The slow way: a PDU of several fragments.
  private mutating func assemble(_ link: Int, _ one: PacketOrigin, isStart: Bool, _ body: PDUBytes, length: Int) {
    let fromHost = one.direction.isFromHost
    var assembly = Assembly()
    if fromHost { swap(&assembly, &links[link].sending) } else { swap(&assembly, &links[link].receiving) }
    let number = links[link].connection
    let handle = tables.connections[Int(number)].handle
    if isStart {
      if assembly.isOpen {
        find(
          .startWithoutEnd, a: assembly.bytes.count, b: assembly.expected, offset: assembly.frame, adapter: one.adapter, handle: handle,
          connection: number)
        links[link].lossFrame = frame
        abandon(assembly)
        assembly.close()
      }
      assembly.expected = -1
      assembly.frame = frame
    } else if !assembly.isOpen {
      find(.fragmentWithoutStart, a: length, adapter: one.adapter, handle: handle, connection: number)
      links[link].lossFrame = frame
      if purpose == .rows {
        var row = row(one, .hciACL, .data, body)
        connect(&row, link)
        rows.append(row)
      }
      if fromHost { swap(&assembly, &links[link].sending) } else { swap(&assembly, &links[link].receiving) }
      return
    }
    // Behind a hole nothing can be put in its place: only the head counts.
    if !assembly.isCut {
      unsafe assembly.bytes.append(contentsOf: body.buffer)
      if tracksPieces { assembly.pieces += pieces(of: body) }
    }
    if body.count < length { assembly.isCut = true }
    assembly.received += length
    if assembly.expected < 0, assembly.bytes.count >= 2 {
      assembly.expected = (Int(assembly.bytes[0]) | Int(assembly.bytes[1]) << 8) + 4
    }
    if assembly.expected > 0, assembly.received >= assembly.expected {
      if assembly.received > assembly.expected {
        find(
          .fragmentSurplus, a: assembly.received - assembly.expected, adapter: one.adapter, handle: handle, connection: number)
      }
      let whole = unsafe assembly.bytes.withUnsafeBytes { bytes in
        unsafe out.arena.copy(UnsafeRawBufferPointer(rebasing: bytes.prefix(assembly.expected)))
      }
      remember(whole, assembly.pieces.cut(0, whole.count))
      let wasCut = cut
      cut = assembly.isCut
      assembly.close()
      if fromHost { swap(&assembly, &links[link].sending) } else { swap(&assembly, &links[link].receiving) }
      pdu(link, one, whole, isJoined: true)
      cut = wasCut
      return
    }
    if fromHost { swap(&assembly, &links[link].sending) } else { swap(&assembly, &links[link].receiving) }
  }

  /// Sets connection and peer of a row.
  @inline(__always)
  func connect(_ row: inout PacketRow, _ link: Int) {
    let number = links[link].connection
    row.connection = number
    row.handle = tables.connections[Int(number)].handle
    row.peer = tables.connections[Int(number)].peer
    row.flags.insert(.hasConnection)
  }

  /// Takes a whole L2CAP PDU and hands it to the protocol of its channel.
  @inline(__always)
  mutating func pdu(_ link: Int, _ one: PacketOrigin, _ pdu: PDUBytes, isJoined: Bool) {
    guard let channel = pdu.u16(2) else {
      guard purpose == .rows else { return }
      find(.shortPacket, a: 4, b: pdu.count, offset: pdu.count, adapter: one.adapter, connection: links[link].connection)
      links[link].lossFrame = frame
      var row = row(one, .l2cap, .data, pdu)
      connect(&row, link)
      rows.append(row)
      return
    }
    if channel == 4 {
      att(link, -1, one, pdu.from(4), isJoined: isJoined)
    } else {
      otherChannel(link, channel, one, pdu, isJoined: isJoined)
    }
  }

  private mutating func otherChannel(_ link: Int, _ channel: UInt16, _ one: PacketOrigin, _ pdu: PDUBytes, isJoined: Bool) {
    switch channel {
    case 1, 5: signaling(link, channel, one, pdu.from(4), isJoined: isJoined)
    case 6, 7: security(link, channel, one, pdu.from(4), isJoined: isJoined)
    default:
      if channel >= 0x40, let at = channelIndex(link, channel, fromHost: one.direction.isFromHost) {
        channelData(link, at, one, pdu, isJoined: isJoined)
      } else if purpose == .rows {
        // The channel was opened before the capture began: RFCOMM's frames are known by their check sequence.
        let payload = pdu.from(4)
        let isRFCOMM = unsafe channel >= 0x40 && RFCOMM.isFrame(RawSpan(_unsafeBytes: payload.buffer))
        var row = row(one, isRFCOMM ? .rfcomm : .l2cap, .data, isRFCOMM ? payload : pdu)
        connect(&row, link)
        row.channel = channel
        if isJoined { row.flags.insert(.joined) }
        rows.append(row)
        if isRFCOMM { rfcommData(payload, service: -1) }
      }
    }
  }

  /// The channel that a PDU's identifier names: it is the receiver's end of it.
  func channelIndex(_ link: Int, _ identifier: UInt16, fromHost: Bool) -> Int? {
    links[link].channels.lastIndex { fromHost ? $0.remote == identifier : $0.local == identifier }
  }

  /// Data of a connection-oriented channel.
  private mutating func channelData(_ link: Int, _ at: Int, _ one: PacketOrigin, _ pdu: PDUBytes, isJoined: Bool) {
    let channel = links[link].channels[at]
    var payload = pdu.from(4)
    var joined = isJoined
    if channel.mode == .credit {
      // K-frames (Vol 3, Part A, 3.4.3): the first of an SDU starts with the SDU's length.
      let fromHost = one.direction.isFromHost
      var assembly = Assembly()
      if fromHost { swap(&assembly, &links[link].channels[at].sending) } else { swap(&assembly, &links[link].channels[at].receiving) }
      let wasOpen = assembly.isOpen
      if !wasOpen {
        assembly.expected = Int(payload.u16(0) ?? 0)
        assembly.frame = frame
        payload = payload.from(2)
      }
      if !wasOpen, payload.count >= assembly.expected || cut {
        payload = payload.slice(0, assembly.expected)
        assembly.close()
      } else {
        unsafe assembly.bytes.append(contentsOf: payload.buffer)
        if tracksPieces { assembly.pieces += pieces(of: payload) }
        assembly.received = assembly.bytes.count
        guard assembly.received >= assembly.expected || cut else {
          if fromHost { swap(&assembly, &links[link].channels[at].sending) } else { swap(&assembly, &links[link].channels[at].receiving) }
          return
        }
        payload = unsafe assembly.bytes.withUnsafeBytes {
          unsafe out.arena.copy(UnsafeRawBufferPointer(rebasing: $0.prefix(assembly.expected)))
        }
        remember(payload, assembly.pieces.cut(0, payload.count))
        assembly.close()
        joined = true
      }
      if fromHost { swap(&assembly, &links[link].channels[at].sending) } else { swap(&assembly, &links[link].channels[at].receiving) }
    }
    if channel.psm == 0x27 || channel.psm == 0x1F {
      att(link, at, one, payload, isJoined: joined)
      return
    }
    if channel.psm == 0x01 { sdp(link, payload, fromHost: one.direction.isFromHost) }
    if channel.psm == 0x03, payload.u8(0).map({ $0 >> 2 == 0 }) == true, payload.u8(1).map({ $0 & 0xEF == 0x2F }) == true {
      // SABM on DLCI 0 starts the session (RFCOMM, 5.2.1).
      links[link].channels[at].isStartedByHost = one.direction.isFromHost
    }
    guard purpose == .rows else { return }
    let layer: Layer
    switch channel.psm {
    case 0x01: layer = .sdp
    case 0x03: layer = .rfcomm
    case 0x0F: layer = .bnep
    case 0x11, 0x13: layer = .hid
    case 0x17, 0x1B: layer = .avctp
    case 0x19: layer = .avdtp
    default: layer = .l2cap
    }
    var row = row(one, layer, .data, layer == .l2cap ? pdu : payload)
    connect(&row, link)
    row.channel = one.direction.isFromHost ? channel.remote : channel.local
    row.subcode = channel.psm
    if channel.mode == .credit {
      row.assembled = payload
      row.flags.insert(.hasAssembled)
    }
    if joined { row.flags.insert(.joined) }
    if layer == .rfcomm, let address = payload.u8(0) { row.asked = service(link, links[link].channels[at], dlci: address >> 2) }
    rows.append(row)
    if layer == .rfcomm {
      rfcommData(payload, service: row.asked)
    } else {
      feeds.append(
        Feed(bytes: payload, row: Int32(rows.count - 1), attribute: -1, source: .l2cap, channel: row.channel, psm: channel.psm))
    }
  }

  /// Hands the data of an RFCOMM UIH frame to profiles (TS 07.10, 5.2; RFCOMM, 6.5 for credits).
  private mutating func rfcommData(_ frame: PDUBytes, service: Int32) {
    guard let address = frame.u8(0), let control = frame.u8(1), control & 0xEF == 0xEF, let first = frame.u8(2), address >> 2 != 0 else {
      return
    }
    var at = 3
    var length = Int(first >> 1)
    if first & 1 == 0 {
      length |= Int(frame.u8(3) ?? 0) << 7
      at = 4
    }
    // With the poll bit set, a byte of credits stands before the data.
    if control & 0x10 != 0 { at += 1 }
    guard length > 0 else { return }
    feeds.append(
      Feed(
        bytes: frame.slice(at, length), row: Int32(rows.count - 1), attribute: -1, source: .rfcomm, channel: UInt16(address >> 2),
        psm: UInt16(address >> 3), service: service))
  }
}

extension PacketDirection {
  /// The packet went from this host (or the central of a Link Layer capture) to the other side.
  @inline(__always)
  var isFromHost: Bool { self == .sent || self == .central }
}
