import Bluetooth
import Captures
import Memory

/// HCI ACL data (Core, Vol 4, Part E, 5.4.2) and L2CAP framing (Vol 3, Part A, 3).
extension ConversationTracker {
  /// Takes an ACL packet: reassembles fragments, and passes complete PDUs on.
  mutating func acl(_ origin: PacketOrigin, _ payload: PDUBytes) {
    guard let header = payload.u16(0), let announced = payload.u16(2) else {
      report(.shortPacket(needed: 4, present: payload.count), offset: payload.count, adapter: origin.adapter)
      if purpose == .rows { rows.append(row(origin, .hciACL, .data, payload)) }
      return
    }
    let handle = header & 0xFFF
    let boundary = header >> 12 & 3
    var origin = origin
    // Only a host sends a first fragment as non-flushable (00), which gives the direction where the capture does not record it.
    if origin.direction == .unknown { origin.direction = boundary == 0 ? .sent : .received }
    // Handles beyond 0x0EFF are no connections (5.4.2): vendors send their own data there.
    let index = handle <= 0x0EFF && !isDebugData(origin, handle) ? link(origin, handle) : -1
    guard index >= 0 else {
      if handle == Self.debugHandle {
        if purpose == .rows {
          var row = row(origin, .vendor, .noise, payload)
          row.opcode = HCI.wholePacket
          row.handle = handle
          row.flags.insert(.hasConnection)
          rows.append(row)
        }
        return
      }
      if purpose == .rows {
        var row = row(origin, .hciACL, .data, payload)
        row.opcode = HCI.wholePacket
        rows.append(row)
      }
      return
    }
    let at = Int(index)
    let number = Int(links[at].connection)
    links[at].packets &+= 1
    links[at].lastTime = time
    if origin.direction == .sent { links[at].hasSent = true } else { links[at].hasReceived = true }
    var body = payload.from(4)
    let length = Int(announced)
    if body.count != length {
      if body.count > length {
        report(
          .lengthLies(announced: length, present: body.count), offset: 2, adapter: origin.adapter, handle: handle, connection: Int32(number)
        )
        body = body.slice(0, length)
      } else if !cut {
        report(
          .lengthLies(announced: length, present: body.count), offset: 2, adapter: origin.adapter, handle: handle, connection: Int32(number)
        )
      }
    }
    fragment(at, origin, isStart: boundary != 1, body, length: length)
  }

  /// Whether a PDU carries or acknowledges a value. A survey skips these, because it learns from discoveries, names and indications only.
  @inline(__always)
  func isValueTraffic(_ opcode: UInt8) -> Bool {
    opcode == ATT.Opcode.handleValueNotification.rawValue || opcode == ATT.Opcode.writeCommand.rawValue
      || opcode == ATT.Opcode.writeRequest.rawValue || opcode == ATT.Opcode.writeResponse.rawValue
      || opcode == ATT.Opcode.handleValueConfirmation.rawValue
  }

  /// Qualcomm controllers send their logs as ACL data under this handle, without a connection.
  static var debugHandle: UInt16 { 0x0EDC }

  @inline(__always)
  private mutating func isDebugData(_ origin: PacketOrigin, _ handle: UInt16) -> Bool {
    handle == Self.debugHandle && knownLink(origin.adapter, handle) < 0
  }

  /// Takes a fragment of an L2CAP PDU from a link; `length` is its original length, `body` the bytes that the capture kept.
  @inline(__always)
  mutating func fragment(_ link: Int, _ origin: PacketOrigin, isStart: Bool, _ body: PDUBytes, length: Int) {
    if isStart {
      let isOpen = origin.direction.isFromHost ? links[link].sending.isOpen : links[link].receiving.isOpen
      if !isOpen, let size = body.u16(0), Int(size) &+ 4 <= length {
        // The surplus is computed from the original length where the capture cut the packet. Bytes that the ACL header announced but that the packet
        // did not have do not count.
        let there = cut ? length : body.count
        if Int(size) &+ 4 < there {
          report(
            origin.direction.isOnAir && !Self.isChannel(body.u16(2))
              ? .startWithoutHeader(frame: frame, count: there) : .fragmentSurplus(count: there &- Int(size) &- 4),
            offset: 8 &+ Int(size), adapter: origin.adapter,
            handle: tables.connections[Int(links[link].connection)].handle, connection: links[link].connection)
        }
        pdu(link, origin, body.slice(0, Int(size) &+ 4), isJoined: false)
        return
      }
    }
    assemble(link, origin, isStart: isStart, body, length: length)
  }

  /// Whether a channel identifier is one that LE devices use: fixed, or dynamically assigned.
  private static func isChannel(_ number: UInt16?) -> Bool {
    guard let number else { return false }
    return number == 1 || (4...7).contains(number) || (0x40...0x7F).contains(number)
  }

  /// The finding for a start fragment whose end never came. A start fragment heard on the air without a valid L2CAP header is reported as such.
  func startWithoutEnd(_ assembly: Assembly, instead: Finding.Interruption) -> Finding.Kind {
    let channel = assembly.bytes.count >= 4 ? UInt16(assembly.bytes[2]) | UInt16(assembly.bytes[3]) << 8 : nil
    if instead == .otherPacketOnAir, !Self.isChannel(channel) {
      return .startWithoutHeader(frame: assembly.frame, count: assembly.bytes.count)
    }
    return .startWithoutEnd(
      frame: assembly.frame, count: assembly.bytes.count, announced: max(assembly.expected, 0), instead: instead)
  }

  /// The slow path: a PDU of several fragments.
  private mutating func assemble(_ link: Int, _ origin: PacketOrigin, isStart: Bool, _ body: PDUBytes, length: Int) {
    let fromHost = origin.direction.isFromHost
    var assembly = Assembly()
    if fromHost { swap(&assembly, &links[link].sending) } else { swap(&assembly, &links[link].receiving) }
    let number = links[link].connection
    let handle = tables.connections[Int(number)].handle
    if isStart {
      if assembly.isOpen {
        let instead = origin.direction.isOnAir ? Finding.Interruption.otherPacketOnAir : .anotherPDU
        report(startWithoutEnd(assembly, instead: instead), adapter: origin.adapter, handle: handle, connection: number)
        links[link].lossFrame = frame
        abandon(assembly)
        assembly.close()
      }
      assembly.expected = -1
      assembly.frame = frame
    } else if !assembly.isOpen {
      // In a sniffer's capture, a continuation that is a complete L2CAP PDU has a wrong LLID.
      let size = body.u16(0).map { Int($0) &+ 4 }
      let isWhole = origin.direction.isOnAir && size == length && body.u16(2).map { $0 >= 4 && $0 <= 7 } == true
      report(
        isWhole ? .wholePDUAsContinuation(count: length) : .fragmentWithoutStart(count: cut ? length : body.count), adapter: origin.adapter,
        handle: handle,
        connection: number)
      links[link].lossFrame = frame
      if purpose == .rows {
        var row = row(origin, .hciACL, .data, body)
        connect(&row, link)
        rows.append(row)
      }
      if fromHost { swap(&assembly, &links[link].sending) } else { swap(&assembly, &links[link].receiving) }
      return
    }
    // After a fragment that the capture cut, the offsets of later fragments are unknown: only the bytes before are kept.
    if !assembly.isCut {
      assembly.bytes.append(contentsOf: body)
      if tracksPieces { assembly.pieces += pieces(of: body) }
    }
    if body.count < length { assembly.isCut = true }
    assembly.received += length
    if assembly.expected < 0, assembly.bytes.count >= 2 {
      assembly.expected = (Int(assembly.bytes[0]) | Int(assembly.bytes[1]) << 8) + 4
    }
    if assembly.expected > 0, assembly.received >= assembly.expected {
      if assembly.received > assembly.expected {
        report(
          .fragmentSurplus(count: assembly.received - assembly.expected), adapter: origin.adapter, handle: handle, connection: number)
      }
      let whole = assembly.bytes.withBorrowedBytes { bytes in
        out.arena.copy(bytes.slice(0, assembly.expected))
      }
      remember(whole, assembly.pieces.cut(0, whole.count))
      let wasCut = cut
      cut = assembly.isCut
      assembly.close()
      if fromHost { swap(&assembly, &links[link].sending) } else { swap(&assembly, &links[link].receiving) }
      pdu(link, origin, whole, isJoined: true)
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

  /// Takes a complete L2CAP PDU and passes it to the protocol of its channel.
  @inline(__always)
  mutating func pdu(_ link: Int, _ origin: PacketOrigin, _ pdu: PDUBytes, isJoined: Bool) {
    guard let channel = pdu.u16(2) else {
      guard purpose == .rows else { return }
      report(.shortPacket(needed: 4, present: pdu.count), offset: pdu.count, adapter: origin.adapter, connection: links[link].connection)
      links[link].lossFrame = frame
      var row = row(origin, .l2cap, .data, pdu)
      connect(&row, link)
      rows.append(row)
      return
    }
    if channel == L2CAP.ChannelID.att.rawValue {
      att(link, -1, origin, pdu.from(4), isJoined: isJoined)
    } else {
      otherChannel(link, channel, origin, pdu, isJoined: isJoined)
    }
  }

  private mutating func otherChannel(_ link: Int, _ channel: UInt16, _ origin: PacketOrigin, _ pdu: PDUBytes, isJoined: Bool) {
    switch ProtocolRegistry.onFixedChannel(channel) {
    case .signaling?: signaling(link, channel, origin, pdu.from(4), isJoined: isJoined)
    case .smp?: security(link, channel, origin, pdu.from(4), isJoined: isJoined)
    default:
      if channel >= Channel.firstDynamic, let at = channelIndex(link, channel, fromHost: origin.direction.isFromHost) {
        channelData(link, at, origin, pdu, isJoined: isJoined)
      } else if purpose == .rows {
        // The channel was opened before the capture began: some protocols are known by the form of their frames.
        let payload = pdu.from(4)
        var known =
          channel >= Channel.firstDynamic ? ProtocolRegistry.recognize(payload.span) : nil
        if let known, known != .rfcomm, let at = adopt(link, channel, known, fromHost: origin.direction.isFromHost) {
          return channelData(link, at, origin, pdu, isJoined: isJoined)
        }
        if known != .rfcomm { known = nil }
        var row = row(origin, known ?? .l2cap, .data, known == nil ? pdu : payload)
        connect(&row, link)
        row.channel = channel
        if isJoined { row.flags.insert(.joined) }
        if known == .rfcomm { dataLink(&row, link, fromHost: origin.direction.isFromHost) }
        rows.append(row)
        if known == .rfcomm { rfcommData(payload, service: -1) }
      }
    }
  }

  /// Adds a channel that was opened before the capture began, or its second end: the protocol of its frames is known by their form. An identifier of 0
  /// is that of an end which has received no frame so far.
  private mutating func adopt(_ link: Int, _ identifier: UInt16, _ known: ProtocolID, fromHost: Bool) -> Int? {
    let number = Int(links[link].connection)
    // LE has none of these protocols.
    guard tables.connections[number].transport == .unknown || tables.connections[number].transport == .classic else { return nil }
    tables.connections[number].transport = .classic
    let isHalf: (Channel) -> Bool = { $0.carries == known && $0.psm == 0 && (fromHost ? $0.remote : $0.local) == 0 }
    if known != .a2dp, let at = links[link].channels.lastIndex(where: isHalf) {
      if fromHost { links[link].channels[at].remote = identifier } else { links[link].channels[at].local = identifier }
      return at
    }
    guard links[link].channels.count < 64 else { return nil }
    var channel = Channel(
      local: fromHost ? 0 : identifier, remote: fromHost ? identifier : 0, psm: 0, carries: known, mode: .basic, startFrame: frame)
    if known == .a2dp { channel.configuration = A2DP.opcode(.sbc, isProtected: false) }
    links[link].channels.append(channel)
    return links[link].channels.count - 1
  }

  /// The channel with a PDU's channel identifier, which is that of the receiver's end.
  func channelIndex(_ link: Int, _ identifier: UInt16, fromHost: Bool) -> Int? {
    links[link].channels.lastIndex { fromHost ? $0.remote == identifier : $0.local == identifier }
  }

  /// Data of a connection-oriented channel.
  private mutating func channelData(_ link: Int, _ at: Int, _ origin: PacketOrigin, _ pdu: PDUBytes, isJoined: Bool) {
    let channel = links[link].channels[at]
    if channel.mode == .sequenced { return sequenced(link, at, origin, pdu, isJoined: isJoined) }
    var payload = pdu.from(4)
    var joined = isJoined
    if channel.mode == .credit {
      // K-frames (Vol 3, Part A, 3.4.3): the first of an SDU starts with the SDU's length.
      let fromHost = origin.direction.isFromHost
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
        assembly.bytes.append(contentsOf: payload)
        if tracksPieces { assembly.pieces += pieces(of: payload) }
        assembly.received = assembly.bytes.count
        guard assembly.received >= assembly.expected || cut else {
          if fromHost { swap(&assembly, &links[link].channels[at].sending) } else { swap(&assembly, &links[link].channels[at].receiving) }
          return
        }
        payload = assembly.bytes.withBorrowedBytes {
          out.arena.copy($0.slice(0, assembly.expected))
        }
        remember(payload, assembly.pieces.cut(0, payload.count))
        assembly.close()
        joined = true
      }
      if fromHost { swap(&assembly, &links[link].channels[at].sending) } else { swap(&assembly, &links[link].channels[at].receiving) }
    }
    carry(link, at, origin, pdu, payload, [], isJoined: joined)
  }

  /// Passes an SDU of a connection-oriented channel, which the frame `pdu` completed, to the channel's protocol.
  mutating func carry(
    _ link: Int, _ at: Int, _ origin: PacketOrigin, _ pdu: PDUBytes, _ payload: PDUBytes, _ format: L2CAP.FrameFormat, isJoined: Bool
  ) {
    let channel = links[link].channels[at]
    var attributes: PDUBytes?
    switch channel.carries {
    case .att: return att(link, at, origin, payload, isJoined: isJoined)
    case .sdp: attributes = sdp(link, payload, fromHost: origin.direction.isFromHost)
    case .rfcomm: noteSessionStart(link, at, payload, fromHost: origin.direction.isFromHost)
    default: break
    }
    guard purpose == .rows else { return }
    let layer = channel.carries
    var row = row(origin, layer, .data, layer == .l2cap ? pdu : payload)
    connect(&row, link)
    row.channel = origin.direction.isFromHost ? channel.remote : channel.local
    row.subcode = channel.psm
    if channel.mode == .credit || channel.mode == .sequenced && layer == .l2cap {
      row.assembled = payload
      row.flags.insert(.hasAssembled)
    } else if channel.mode == .sequenced {
      row.assembled = pdu
    }
    if !format.isEmpty { row.flags.insert(PacketRow.Flags(format)) }
    if isJoined { row.flags.insert(.joined) }
    switch layer {
    case .avdtp: streamSignal(&row, link, at, fromHost: origin.direction.isFromHost)
    case .a2dp: row.opcode = channel.configuration
    case .hcrp: hardcopy(&row, link, at, fromHost: origin.direction.isFromHost)
    case .hid: humanInterface(&row, link, at, isControl: channel.psm == HID.controlPSM, fromHost: origin.direction.isFromHost)
    case .avctp: remoteControl(&row, link, at, isBrowsing: channel.psm == 0x1B, fromHost: origin.direction.isFromHost)
    case .ipsp: datagram(&row, link, at, fromHost: origin.direction.isFromHost)
    case .sdp: serviceDiscovery(&row, link, at, isLastPart: attributes != nil, fromHost: origin.direction.isFromHost)
    default: break
    }
    if layer == .rfcomm, let address = payload.u8(0) {
      row.detail = service(link, links[link].channels[at], dlci: address >> 2)
      dataLink(&row, link, fromHost: origin.direction.isFromHost)
    } else if layer == .obex {
      objectExchange(&row, dialogue(link, at), fromHost: origin.direction.isFromHost)
    }
    rows.append(row)
    if let attributes {
      // The response came in parts: a row of its own has all of its attributes.
      row.pdu = attributes
      row.opcode = row.opcode & ~0xFFFF | UInt32(payload.u8(0) ?? 0)
      rows.append(row)
      return
    }
    if layer == .rfcomm {
      rfcommData(payload, service: row.detail)
    } else {
      valueEvents.append(
        ValueEvent(bytes: payload, row: Int32(rows.count - 1), attribute: -1, source: .l2cap, channel: row.channel, psm: channel.psm))
    }
  }
}

extension PacketDirection {
  /// The packet went from this host (or the central of a Link Layer capture) to the other side.
  @inlinable
  @inline(__always)
  public var isFromHost: Bool { self == .sent || self == .central }
}
