import Bluetooth
import Conversations
import Memory

/// Remote controls (AVRCP): commands with their responses, and notifications of a player.
extension Operations {
  /// A message of AVRCP.
  func remoteControl(_ row: PacketRow) {
    let span = row.pdu.span
    guard let header = AVCTP.Header(span), let message = AVRCP.Message(span, isBrowsing: row.opcode & AVRCP.browsing != 0),
      let (channel, _) = row.channelData
    else { return data(row) }
    let at = link(row)
    let isIncoming = row.direction.isFromHost == header.isResponse
    // Transaction labels are chosen by the side that sends the command, and a label may be used again before the last response to an earlier command
    // has come (AVCTP 1.4, 6.1.1). So the key of a command is its label and its frame. The parts of a long response are requested one by one, each
    // with a label of its own; the row with the complete response has the label of the first.
    let requestFrame = header.isResponse ? row.requestFrame : row.frame
    let key = ServiceKey(dlci: header.transaction, psm: channel.psm, isIncoming: isIncoming, frame: requestFrame)
    let partKey = ServiceKey(dlci: 0xFF, psm: channel.psm, isIncoming: isIncoming)
    let frame = row.pdu.from(header.size)
    if !header.isResponse {
      if message.pdu == AVRCP.continuing, let number = links[at].services[partKey] { return change(number) { $0.extend(row) } }
      if links[at].services.count >= Self.maxRequests {
        // The table is full of commands without a response: the oldest is dropped.
        guard let oldest = links[at].services.filter({ $0.key.frame > 0 }).min(by: { $0.key.frame < $1.key.frame }) else { return }
        links[at].services[oldest.key] = nil
        end(oldest.value) { $0.ending = .unanswered }
      }
      let number = begin(.control, row) { $0.command(row, channel, frame, isIncoming: isIncoming) }
      if let old = links[at].services.updateValue(number, forKey: key) { end(old) { $0.ending = .unanswered } }
      return
    }
    let isJoined = row.opcode & AVRCP.joined != 0
    let isPart = isJoined || message.packetType > 1 || message.pdu == AVRCP.continuing
    let service = isPart && links[at].services[partKey] != nil ? partKey : key
    guard let number = links[at].services[service] else {
      guard message.ctype == AVRCP.changed else { return }
      let number = begin(.report, row) { operation in
        operation.command(row, channel, frame, isIncoming: !row.direction.isFromHost)
        operation.ending = .succeeded
      }
      return end(number)
    }
    // An interim response means that the final one follows later. That to Register Notification has the current value, and counts as the response.
    if message.ctype == AVRCP.interim, message.pdu != AVRCP.registration { return change(number) { $0.extend(row) } }
    links[at].services[service] = nil
    if !isJoined, message.packetType == 1 || message.packetType == 2 {
      change(number) { $0.extend(row) }
      if let old = links[at].services.updateValue(number, forKey: partKey) { end(old) { $0.ending = .unanswered } }
      return
    }
    end(number) { operation in
      operation.extend(row)
      operation.latency = row.time &- operation.start
      if isJoined || message.packetType == 0 { operation.answered(row, frame) }
      if let refusal = message.refusal(span) { operation.fail(refusal, .remoteControl) } else { operation.ending = .succeeded }
    }
  }
}

extension Operation {
  /// AVRCP: the opcode of the response's row, which is needed to decode the response.
  public internal(set) var responseContext: UInt32 {
    get { UInt32(truncatingIfNeeded: numbers[1]) }
    set { numbers[1] = Int(newValue) }
  }

  /// Keeps the frame of a command, or of a report, without the header of AVCTP.
  fileprivate mutating func command(_ row: PacketRow, _ channel: ChannelIdentity, _ frame: PDUBytes, isIncoming: Bool) {
    self.isIncoming = isIncoming
    layer = row.layer
    self.channel = channel
    lineContext = row.opcode
    keep(frame)
  }

  fileprivate mutating func answered(_ row: PacketRow, _ frame: PDUBytes) {
    responseContext = row.opcode
    if details != nil { details?.answer = Array(frame.prefix(Operation.keptResponse)) }
  }
}
