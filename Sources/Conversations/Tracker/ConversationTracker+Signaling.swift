import Bluetooth
import Captures
import Memory

/// L2CAP signaling (Core, Vol 3, Part A, 4): the commands that open, configure and close channels.
extension ConversationTracker {
  /// Takes the commands of a signaling PDU: one row each, as several may share a PDU on BR/EDR.
  mutating func signaling(_ link: Int, _ channel: UInt16, _ origin: PacketOrigin, _ pdu: PDUBytes, isJoined: Bool) {
    var at = 0
    var commands = 0
    while at < pdu.count, commands < 64 {
      let length = Int(pdu.u16(at + 2) ?? 0)
      let command = pdu.slice(at, 4 + length)
      var row = row(origin, .signaling, .signaling, command)
      connect(&row, link)
      row.channel = channel
      if isJoined { row.flags.insert(.joined) }
      row.opcode = UInt32(command.u8(0) ?? 0)
      row.subcode = UInt16(command.u8(1) ?? 0)
      if command.count < 4 || command.count < 4 + length {
        report(
          .shortPacket(needed: 4 + length, present: command.count), offset: at + command.count, adapter: origin.adapter, handle: row.handle,
          connection: row.connection)
      } else {
        signal(&row, link, origin, command)
      }
      if purpose == .rows { rows.append(row) }
      at += 4 + length
      commands += 1
    }
  }

  private mutating func signal(_ row: inout PacketRow, _ link: Int, _ origin: PacketOrigin, _ command: PDUBytes) {
    let fromHost = origin.direction.isFromHost
    guard let code = command.u8(0).flatMap({ L2CAP.SignalingCode(rawValue: $0) }) else { return }
    let identifier = command.u8(1) ?? 0
    let body = command.from(4)
    let key = { (sentByHost: Bool) in UInt16(identifier) | (sentByHost ? 0x100 : 0) }
    var signal = OpenSignal(frame: frame, time: time, row: RowReference(sequence: sequence, row: Int32(rows.count)), code: code)
    switch code {
    case .connectionRequest:
      signal.psm = body.u16(0) ?? 0
      signal.channels = [body.u16(2) ?? 0]
      open(link, key(fromHost), signal)
    case .leCreditBasedConnectionRequest:
      signal.psm = body.u16(0) ?? 0
      signal.channels = [body.u16(2) ?? 0]
      signal.mtu = body.u16(4) ?? 23
      open(link, key(fromHost), signal)
    case .creditBasedConnectionRequest:
      signal.psm = body.u16(0) ?? 0
      signal.mtu = body.u16(2) ?? 64
      var at = 8
      while let channel = body.u16(at), signal.channels.count < 5 {
        signal.channels.append(channel)
        at += 2
      }
      open(link, key(fromHost), signal)
    case .configurationRequest:
      configure(link, body, fromHost)
      open(link, key(fromHost), signal)
    case .creditBasedReconfigureRequest:
      signal.mtu = body.u16(0) ?? 64
      var at = 4
      while let channel = body.u16(at), signal.channels.count < 5 {
        signal.channels.append(channel)
        at += 2
      }
      open(link, key(fromHost), signal)
    case .disconnectionRequest:
      row.detail = psm(link, body, fromHost)
      open(link, key(fromHost), signal)
    // An indication, which has no response.
    case .flowControlCreditInd: break
    case _ where !code.isResponse: open(link, key(fromHost), signal)
    default:
      guard let request = links[link].signals.removeValue(forKey: key(!fromHost)) else { break }
      let latency = elapsed(since: request.frame, request.time)
      row.answers(request.frame, latency)
      answer(request.row, frame: frame, latency: latency)
      opened(&row, link, request, code, body, fromHost)
      if code == .disconnectionResponse {
        row.detail = psm(link, body, !fromHost)
        closed(link, body, fromHost: !fromHost)
      }
    }
  }

  /// The PSM of the channel that a disconnection names, or -1.
  private func psm(_ link: Int, _ body: PDUBytes, _ requesterIsHost: Bool) -> Int32 {
    guard let destination = body.u16(0), let source = body.u16(2) else { return -1 }
    let channel = links[link].channels.first {
      requesterIsHost ? $0.remote == destination && $0.local == source : $0.local == destination && $0.remote == source
    }
    return channel.map { Int32($0.psm) } ?? -1
  }

  private mutating func open(_ link: Int, _ key: UInt16, _ signal: OpenSignal) {
    guard links[link].signals.count < 256 else { return }
    links[link].signals[key] = signal
  }

  /// A response that opens channels. `body` has the responder's channel identifier, the request the requester's.
  private mutating func opened(
    _ row: inout PacketRow, _ link: Int, _ request: OpenSignal, _ code: L2CAP.SignalingCode, _ body: PDUBytes, _ fromHost: Bool
  ) {
    switch (request.code, code) {
    case (.connectionRequest, .connectionResponse):
      guard let mine = body.u16(0), let result = body.u16(4) else { return }
      row.set(status: UInt8(truncatingIfNeeded: result), .l2cap)
      // Pending is not final: another response follows with the same identifier.
      if result == 1 { links[link].signals[UInt16(row.subcode) | (fromHost ? 0 : 0x100)] = request }
      if result == 0 { add(link, mine, request.channels, request, .basic, 672, fromHost) }
    case (.configurationRequest, .configurationResponse):
      guard let theirs = body.u16(0), let result = body.u16(4), let at = channelIndex(link, theirs, fromHost: fromHost) else { return }
      answerFrames(link, at, result, requesterIsHost: !fromHost)
    case (.leCreditBasedConnectionRequest, .leCreditBasedConnectionResponse):
      guard let mine = body.u16(0), let result = body.u16(8) else { return }
      row.set(status: UInt8(truncatingIfNeeded: result), .l2capCredit)
      if result == 0 { add(link, mine, request.channels, request, .credit, body.u16(2) ?? 23, fromHost) }
    case (.creditBasedConnectionRequest, .creditBasedConnectionResponse):
      guard let result = body.u16(6) else { return }
      row.set(status: UInt8(truncatingIfNeeded: result), .l2capCredit)
      var at = 8
      for theirs in request.channels {
        guard let mine = body.u16(at) else { return }
        if mine != 0 { add(link, mine, [theirs], request, .credit, body.u16(0) ?? 64, fromHost) }
        at += 2
      }
    case (.connectionParameterUpdateRequest, .connectionParameterUpdateResponse):
      guard let result = body.u16(0) else { return }
      row.set(status: UInt8(truncatingIfNeeded: result), .l2capParameters)
    case (.creditBasedReconfigureRequest, .creditBasedReconfigureResponse):
      guard let result = body.u16(0) else { return }
      row.set(status: UInt8(truncatingIfNeeded: result), .l2capReconfiguration)
      guard result == 0 else { return }
      for at in links[link].channels.indices {
        // The channel identifiers are those of the requester's end, whose MTU increases.
        if fromHost {
          guard request.channels.contains(links[link].channels[at].remote) else { continue }
          links[link].channels[at].remoteMTU = request.mtu
        } else {
          guard request.channels.contains(links[link].channels[at].local) else { continue }
          links[link].channels[at].localMTU = request.mtu
        }
        links[link].channels[at].setBearerMTU()
      }
    default: break
    }
  }

  /// Configuration Request (4.4): takes the MTU that the sender can receive, and the options for the format of frames.
  private mutating func configure(_ link: Int, _ body: PDUBytes, _ fromHost: Bool) {
    guard let destination = body.u16(0), let at = channelIndex(link, destination, fromHost: fromHost) else { return }
    var option = 4
    while let type = body.u8(option), let length = body.u8(option + 1) {
      if type & 0x7F == 1, length == 2, let mtu = body.u16(option + 2) {
        if fromHost { links[link].channels[at].localMTU = mtu } else { links[link].channels[at].remoteMTU = mtu }
        links[link].channels[at].setBearerMTU()
      }
      option += 2 + Int(length)
    }
    proposeFrames(link, at, body, fromHost: fromHost)
  }

  private mutating func add(
    _ link: Int, _ answerer: UInt16, _ initiator: [UInt16], _ request: OpenSignal, _ mode: Channel.Mode, _ answererMTU: UInt16,
    _ responderIsHost: Bool
  ) {
    guard let other = initiator.first else { return }
    let local = responderIsHost ? answerer : other
    let remote = responderIsHost ? other : answerer
    links[link].channels.removeAll { $0.local == local || $0.remote == remote }
    // More channels than a link can serve are not joined; their frames are shown as L2CAP.
    guard links[link].channels.count < 64 else { return }
    let known = ProtocolRegistry.onPSM(request.psm)?.id
    let (named, hardcopy) = known.map { ($0, .control) } ?? onDynamicPSM(link, request.psm, isOfHost: responderIsHost)
    var carries = named
    // The first channel of AVDTP carries signals, later ones the streams that these set up (AVDTP, 5.4.6).
    if carries == .avdtp, links[link].channels.contains(where: { $0.carries == .avdtp }) { carries = .a2dp }
    var channel = Channel(local: local, remote: remote, psm: request.psm, carries: carries, mode: mode, startFrame: frame)
    channel.localMTU = responderIsHost ? answererMTU : request.mtu
    channel.remoteMTU = responderIsHost ? request.mtu : answererMTU
    channel.setBearerMTU()
    if carries == .a2dp, let stream = links[link].openedStream {
      channel.stream = stream
      channel.configuration = links[link].streams[stream] ?? 0
    }
    if carries == .hcrp { (channel.isStartedByHost, channel.configuration) = (!responderIsHost, hardcopy.rawValue) }
    links[link].channels.append(channel)
  }

  /// Disconnection Response: destination is the responder's end, source the requester's.
  private mutating func closed(_ link: Int, _ body: PDUBytes, fromHost: Bool) {
    guard let destination = body.u16(0), let source = body.u16(2) else { return }
    links[link].channels.removeAll { channel in
      let (remote, local) = fromHost ? (destination, source) : (source, destination)
      // One end of a channel that was opened before the capture began may not be known.
      return (channel.remote == remote || channel.remote == 0) && (channel.local == local || channel.local == 0)
    }
  }
}
