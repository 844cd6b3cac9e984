import Bluetooth
import Captures
import Memory

/// What is kept of a channel whose protocol asks and answers: open requests, and messages that come in several packets.
final class Dialogue {
  /// A request that was not answered yet.
  struct Request {
    var frame: Int
    var time: Int64
    /// AVDTP: the signal, the stream end point it is about, and the stream that it configures.
    var signal: AVDTP.SignalIdentifier?
    var stream: UInt8 = 0
    var configuration: UInt32 = 0
    /// SDP: the class of the service that is looked for, or 0.
    var service: UInt16 = 0
    /// HFP: the command. OBEX: the code of the request, with 1 added.
    var command: UInt32 = 0
    /// Answers to come: an AT command line may hold several commands.
    var left = 1
  }
  /// The beginning of a message: empty where none is open.
  struct Parts {
    var bytes: [UInt8] = []
    var pieces: [PDUPiece] = []
    /// Number of packets joined so far.
    var count = 0
  }
  /// Open requests by their transaction and sender.
  var requests: [UInt32: Request] = [:]
  /// Messages in several packets: sent, received.
  var parts = [Parts(), Parts()]
  /// Parameters in several messages of AVRCP: sent, received.
  var parameters = [Parts(), Parts()]

  /// What later rows are read by. HFP: what the indicators are, as it stands in the opcode of rows. OBEX: the profile.
  var memory: UInt32 = 0

  /// OBEX: the last answer was that more is to come; an answer to the operation at hand was.
  var isContinuing = false, hasParts = false

  /// Bytes that are kept of messages that are not whole yet.
  var held: Int { (parts + parameters).reduce(0) { $0 + $1.bytes.count + $1.pieces.count * MemoryLayout<PDUPiece>.stride } }

  /// Forgets messages that are not whole yet.
  func dropFragments() { (parts, parameters) = ([Parts(), Parts()], [Parts(), Parts()]) }

  /// Most bytes of a message that comes in parts.
  static let maximumMessage = 65_536
}

extension ConversationTracker {
  /// The dialogue of a channel, made where it has none.
  mutating func dialogue(_ link: Int, _ at: Int) -> Dialogue {
    if let known = links[link].channels[at].dialogue { return known }
    let new = Dialogue()
    links[link].channels[at].dialogue = new
    return new
  }

  /// Joins a message that comes in several packets. `piece` is the whole packet where it starts one, else what stands behind its header.
  /// Returns the message where it is whole now.
  mutating func join(_ parts: inout Dialogue.Parts, _ piece: PDUBytes, isStart: Bool, isEnd: Bool) -> PDUBytes? {
    if isStart { parts = Dialogue.Parts() }
    guard isStart || parts.count > 0, parts.bytes.count &+ piece.count <= Dialogue.maximumMessage else {
      parts = Dialogue.Parts()
      return nil
    }
    parts.bytes.append(contentsOf: piece)
    if tracksPieces { parts.pieces += pieces(of: piece) }
    parts.count += 1
    guard isEnd else { return nil }
    let whole = parts.bytes.withBorrowedBytes { out.arena.copy($0) }
    remember(whole, parts.pieces)
    parts = Dialogue.Parts()
    return whole
  }

  /// Notes a request, or marks a row as the answer to one. `key` is the transaction.
  func match(
    _ row: inout PacketRow, _ dialogue: Dialogue, _ key: UInt16, isRequest: Bool, isLast: Bool, _ fromHost: Bool
  ) -> Dialogue.Request? {
    let place = UInt32(key) | (fromHost == isRequest ? 0x10000 : 0)
    if isRequest {
      guard dialogue.requests.count < 64 || dialogue.requests[place] != nil else { return nil }
      let request = Dialogue.Request(frame: frame, time: time)
      dialogue.requests[place] = request
      return request
    }
    guard let request = isLast ? dialogue.requests.removeValue(forKey: place) : dialogue.requests[place] else { return nil }
    row.answers(request.frame, time &- request.time)
    return request
  }

  // MARK: AVDTP

  /// A packet of AVDTP's signalling channel: joins what comes in parts, and learns how streams are configured.
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
      // A stream end point is named by its owner's number.
      request.stream = (row.pdu.u8(header.size) ?? 0) >> 2 | (fromHost ? 0x80 : 0)
      if signal == .setConfiguration || signal == .reconfigure {
        let start = header.size &+ (signal == .reconfigure ? 1 : 2)
        let (codec, isProtected) = AVDTP.stream(
          row.pdu.span, in: min(start, row.pdu.count)..<row.pdu.count)
        request.configuration = A2DP.opcode(codec, isProtected: isProtected)
      }
      dialogue.requests[UInt32(key) | (fromHost ? 0x10000 : 0)] = request
    } else if header.messageType == .responseAccept, request.signal == signal {
      switch signal {
      case .setConfiguration: links[link].streams[request.stream] = request.configuration
      case .reconfigure:
        // What is not named stays as it was.
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

  /// A packet of AVCTP: joins what comes in parts, and tells the messages of AVRCP.
  mutating func remoteControl(_ row: inout PacketRow, _ link: Int, _ at: Int, isBrowsing: Bool, fromHost: Bool) {
    guard let header = AVCTP.Header(row.pdu.span) else { return }
    let dialogue = dialogue(link, at)
    let side = fromHost ? 0 : 1
    var isResponse = header.isResponse
    var isRemoteControl = header.isRemoteControl
    if header.packetType != .single {
      let isStart = header.packetType == .start
      let whole = join(&dialogue.parts[side], isStart ? row.pdu : row.pdu.from(1), isStart: isStart, isEnd: header.packetType == .end)
      guard let whole, let first = AVCTP.Header(whole.span) else { return }
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
    // Interim: the answer proper comes when something changes (AV/C, 8.3.2).
    _ = match(&row, dialogue, key, isRequest: !isResponse, isLast: message.ctype != 15, fromHost)
    guard message.packetType != 0 else { return }
    let isStart = message.packetType == 1
    let piece = isStart ? row.pdu : row.pdu.slice(message.parameters.lowerBound, message.parameters.count)
    if let whole = join(&dialogue.parameters[side], piece, isStart: isStart, isEnd: message.packetType == 3) {
      row.pdu = whole
      row.opcode |= AVRCP.joined
    }
  }
}
