import Bluetooth
import Captures
import Memory

/// The state of a channel whose protocol has requests and responses: open requests, and messages that come in several packets.
final class Dialogue {
  /// A request without a response so far.
  struct Request {
    var frame: Int
    var time: Int64
    /// AVDTP: the signal, the stream end point it is about, and the stream that it configures.
    var signal: AVDTP.SignalIdentifier?
    var stream: UInt8 = 0
    var configuration: UInt32 = 0
    /// SDP: the service class that is searched for, or 0.
    var service: UInt16 = 0
    /// HFP: the command. OBEX: the code of the request, with 1 added.
    var command: UInt32 = 0
    /// Responses still to come: an AT command line may hold several commands.
    var left = 1
  }
  /// The beginning of a message: empty where none is open.
  struct Parts {
    var bytes: [UInt8] = []
    var pieces: [PDUPiece] = []
    /// Number of packets joined so far.
    var count = 0
    /// The rows of the first of these.
    var rows: [RowReference] = []
    /// 6LoWPAN: the datagram tag, its size before compression in bytes, and how many of these were received so far.
    var tag: UInt16 = 0
    var size = 0, received = 0

    /// Bytes held.
    var held: Int { bytes.count + pieces.count * MemoryLayout<PDUPiece>.stride + rows.count * MemoryLayout<RowReference>.stride }

    /// Most rows that are given the frame that completes the message.
    static let maxRows = 64
  }
  /// Open requests by their transaction and sender, in the lowest 17 bits; AVRCP adds above them the part of the command that the response repeats.
  var requests: [UInt64: Request] = [:]
  /// Messages in several packets: sent, received.
  var parts = [Parts(), Parts()]
  /// Parameters in several messages of AVRCP: sent, received.
  var parameters = [Parts(), Parts()]

  /// State needed to decode later rows. HFP: the assignment of the indicators, as in the opcode of rows. OBEX: the profile.
  var memory: UInt32 = 0

  /// OBEX: the last response was Continue; a response to the current operation was.
  var isContinuing = false, hasParts = false

  /// Bytes held of incomplete messages.
  var held: Int { (parts + parameters).reduce(0) { $0 + $1.held } }

  /// Forgets incomplete messages.
  func dropFragments() { (parts, parameters) = ([Parts(), Parts()], [Parts(), Parts()]) }

  /// Most requests that wait for their responses.
  static let maxRequests = 64
  /// Most bytes of a message that comes in parts.
  static let maximumMessage = 65_536
}

extension ConversationTracker {
  /// The dialogue of a channel, created if it is missing.
  mutating func dialogue(_ link: Int, _ at: Int) -> Dialogue {
    if let known = links[link].channels[at].dialogue { return known }
    let new = Dialogue()
    links[link].channels[at].dialogue = new
    return new
  }

  /// Joins a message that comes in several packets. `piece` is the entire packet for a first packet, else the bytes after its header. Returns the
  /// message when it is complete.
  mutating func join(_ parts: inout Dialogue.Parts, _ piece: PDUBytes, isStart: Bool, isEnd: Bool) -> PDUBytes? {
    if isStart { parts = Dialogue.Parts() }
    guard isStart || parts.count > 0, parts.bytes.count &+ piece.count <= Dialogue.maximumMessage else {
      parts = Dialogue.Parts()
      return nil
    }
    parts.bytes.append(contentsOf: piece)
    if tracksPieces { parts.pieces += pieces(of: piece) }
    parts.count += 1
    guard isEnd else {
      // The row of the packet is appended by the caller.
      if parts.rows.count < Dialogue.Parts.maxRows { parts.rows.append(RowReference(sequence: sequence, row: Int32(rows.count))) }
      return nil
    }
    let whole = Int32(truncatingIfNeeded: frame)
    for part in parts.rows { change(part) { if $0.showsWhole { $0.detail = whole } } }
    let message = parts.bytes.withBorrowedBytes { out.arena.copy($0) }
    remember(message, parts.pieces)
    parts = Dialogue.Parts()
    return message
  }

  /// Notes a request, or marks a row as the response to one. `key` is the transaction.
  func match(
    _ row: inout PacketRow, _ dialogue: Dialogue, _ key: UInt16, isRequest: Bool, isLast: Bool, _ fromHost: Bool
  ) -> Dialogue.Request? {
    match(&row, dialogue, at: UInt64(key) | (fromHost == isRequest ? 0x10000 : 0), isRequest: isRequest, isLast: isLast)
  }

  /// The same, with the key of the request in ``Dialogue/requests``.
  private func match(_ row: inout PacketRow, _ dialogue: Dialogue, at requestKey: UInt64, isRequest: Bool, isLast: Bool) -> Dialogue
    .Request?
  {
    if isRequest {
      guard dialogue.requests.count < Dialogue.maxRequests || dialogue.requests[requestKey] != nil else { return nil }
      let request = Dialogue.Request(frame: frame, time: time)
      dialogue.requests[requestKey] = request
      return request
    }
    guard let request = isLast ? dialogue.requests.removeValue(forKey: requestKey) : dialogue.requests[requestKey] else { return nil }
    row.answers(request.frame, elapsed(since: request.frame, request.time))
    return request
  }

  // MARK: AVDTP

  /// A packet of AVDTP's signalling channel: joins fragments, and tracks the configuration of streams.
  mutating func streamSignal(_ row: inout PacketRow, _ link: Int, _ at: Int, fromHost: Bool) {
    guard let header = AVDTP.Header(row.pdu.span) else { return }
    let dialogue = dialogue(link, at)
    if header.packetType != .single {
      let isStart = header.packetType == .start
      let side = fromHost ? 0 : 1
      let whole = join(&dialogue.parts[side], isStart ? row.pdu : row.pdu.from(1), isStart: isStart, isEnd: header.packetType == .end)
      guard let whole else { return }
      row.pdu = whole
      row.opcode = AVDTP.joined
    }
    guard let header = AVDTP.Header(row.pdu.span), let signal = header.signal else { return }
    let key = UInt16(header.transaction)
    guard var request = match(&row, dialogue, key, isRequest: header.isCommand, isLast: true, fromHost) else { return }
    if header.isCommand {
      request.signal = signal
      // A stream end point identifier is assigned by the device that owns the end point.
      request.stream = (row.pdu.u8(header.size) ?? 0) >> 2 | (fromHost ? 0x80 : 0)
      if signal == .setConfiguration || signal == .reconfigure {
        let start = header.size &+ (signal == .reconfigure ? 1 : 2)
        let (codec, isProtected) = AVDTP.stream(
          row.pdu.span, in: min(start, row.pdu.count)..<row.pdu.count)
        request.configuration = A2DP.opcode(codec, isProtected: isProtected)
      }
      dialogue.requests[UInt64(key) | (fromHost ? 0x10000 : 0)] = request
    } else if header.messageType == .responseAccept, request.signal == signal {
      switch signal {
      case .setConfiguration: links[link].streams[request.stream] = request.configuration
      case .reconfigure:
        // Parameters that the command does not have stay as they were.
        guard A2DP.codec(request.configuration) != .unknown else { break }
        let isProtected = (links[link].streams[request.stream] ?? 0) & 0x100 != 0
        let stream = A2DP.opcode(A2DP.codec(request.configuration), isProtected: isProtected || request.configuration & 0x100 != 0)
        links[link].streams[request.stream] = stream
        for other in links[link].channels.indices where links[link].channels[other].stream == request.stream {
          links[link].channels[other].configuration = stream
        }
      case .open: links[link].openedStream = request.stream
      default: break
      }
    }
  }

  // MARK: AVCTP

  /// A packet of AVCTP: joins fragments, and takes the messages of AVRCP.
  mutating func remoteControl(_ row: inout PacketRow, _ link: Int, _ at: Int, isBrowsing: Bool, fromHost: Bool) {
    guard let header = AVCTP.Header(row.pdu.span) else { return }
    let dialogue = dialogue(link, at)
    let side = fromHost ? 0 : 1
    var isResponse = header.isResponse
    var isRemoteControl = header.isRemoteControl
    if header.packetType != .single {
      let isStart = header.packetType == .start
      // This packet belongs to another message than the one that was started.
      if !isStart, let first = dialogue.parts[side].bytes.first, first >> 4 != header.transaction {
        dialogue.parts[side] = Dialogue.Parts()
      }
      let total = isStart ? row.pdu.u8(1) : dialogue.parts[side].bytes.count > 1 ? dialogue.parts[side].bytes[1] : nil
      let whole = join(&dialogue.parts[side], isStart ? row.pdu : row.pdu.from(1), isStart: isStart, isEnd: header.packetType == .end)
      guard let whole, let first = AVCTP.Header(whole.span) else {
        if let total { row.opcode = AVCTP.part(dialogue.parts[side].count, of: total) }
        return
      }
      row.pdu = whole
      (isResponse, isRemoteControl) = (first.isResponse, first.isRemoteControl)
    }
    let key = UInt16(header.transaction)
    guard isRemoteControl, let message = AVRCP.Message(row.pdu.span, isBrowsing: isBrowsing) else {
      _ = match(&row, dialogue, key, isRequest: !isResponse, isLast: true, fromHost)
      return
    }
    row.layer = .avrcp
    row.opcode = isBrowsing ? AVRCP.browsing : 0
    let requestKey = requestKey(of: message, row.pdu, key, dialogue, isRequest: !isResponse, fromHost)
    // Interim: the final response comes when the value changes (AV/C, 8.3.2).
    _ = match(&row, dialogue, at: requestKey, isRequest: !isResponse, isLast: message.ctype != AVRCP.interim)
    guard message.packetType != 0 else { return }
    let isStart = message.packetType == 1
    let piece = isStart ? row.pdu : row.pdu.slice(message.parameters.lowerBound, message.parameters.count)
    if let whole = join(&dialogue.parameters[side], piece, isStart: isStart, isEnd: message.packetType == 3) {
      row.pdu = whole
      row.opcode |= AVRCP.joined
    }
  }

  /// The key in ``Dialogue/requests`` of an AVRCP command, or of the command that a response belongs to. A transaction label may be used for another
  /// command while a notification is still to come (AVCTP 1.4, 6.1.1; AVRCP 1.6.2, 6.7.2), so the fields that the response repeats from its command
  /// have to match too.
  private func requestKey(
    of message: AVRCP.Message, _ pdu: PDUBytes, _ key: UInt16, _ dialogue: Dialogue, isRequest: Bool, _ fromHost: Bool
  ) -> UInt64 {
    let base = UInt64(key) | (fromHost == isRequest ? 0x10000 : 0)
    let requestKey = base | UInt64(message.identity(pdu.span)) << 32
    if isRequest {
      // The table is full of commands without a response: the oldest is dropped.
      if dialogue.requests.count >= Dialogue.maxRequests, dialogue.requests[requestKey] == nil,
        let oldest = dialogue.requests.min(by: { $0.value.frame < $1.value.frame })
      {
        dialogue.requests[oldest.key] = nil
      }
      return requestKey
    }
    if dialogue.requests[requestKey] != nil { return requestKey }
    let unanswered = dialogue.requests.filter { request in
      request.key & 0x1FFFF == base && message.mayAnswer(UInt32(truncatingIfNeeded: request.key >> 32))
    }
    return unanswered.max { $0.value.frame < $1.value.frame }?.key ?? requestKey
  }
}

extension ConversationTracker {
  // MARK: 6LoWPAN

  /// A frame of 6LoWPAN: joins the fragments of a datagram, which a channel delivers in order (RFC 4944, 5.3).
  mutating func datagram(_ row: inout PacketRow, _ link: Int, _ at: Int, fromHost: Bool) {
    guard let fragment = IPSP.Fragment(row.pdu.span) else { return }
    let dialogue = dialogue(link, at)
    let side = fromHost ? 0 : 1
    if fragment.isFirst {
      _ = join(&dialogue.parts[side], row.pdu, isStart: true, isEnd: false)
      (dialogue.parts[side].tag, dialogue.parts[side].size) = (fragment.tag, fragment.size)
      return
    }
    let open = (count: dialogue.parts[side].count, received: dialogue.parts[side].received)
    let end = fragment.offset &+ row.pdu.count &- fragment.payload
    // The offset of the second fragment gives the uncompressed size of the first.
    guard open.count > 0, dialogue.parts[side].tag == fragment.tag, dialogue.parts[side].size == fragment.size,
      open.count == 1 || fragment.offset == open.received, end <= fragment.size
    else {
      dialogue.parts[side] = Dialogue.Parts()
      return
    }
    dialogue.parts[side].received = end
    let whole = join(&dialogue.parts[side], row.pdu.from(fragment.payload), isStart: false, isEnd: end == fragment.size)
    guard let whole else { return }
    row.pdu = whole
    row.opcode = IPSP.joined
  }
}
