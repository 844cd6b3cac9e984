import Bluetooth
import Captures
import Conversations
import Memory
@_spi(Pipeline) import Analysis

/// Data in several packets, and several values in one packet.
extension RedactingPass {
  // MARK: Advertising data in fragments

  /// Whether the advertising data of a packet on the air continue those of another packet.
  func isChained(_ row: PacketRow, _ current: WaitingPackets) -> Bool {
    guard row.layer == .advertisingPDU, !row.flags.contains(.badCRC) else { return false }
    let index = Int(row.record)
    let start = current.bytes(index).lowerBound + current.records[index].payload
    guard start + 4 <= current.original.count else { return false }
    let access = (0..<4).reduce(0 as UInt32) { $0 | UInt32(current.original[start + $1]) << UInt32(8 * $1) }
    return chains.isChained(row.pdu, access: access, time: current.records[index].time)
  }

  /// Judges advertising data from several reports as a whole. Data that are only a fragment, or were joined otherwise than the fragments, are added
  /// to ``distrusted``: messages that profiles decode in them are ignored.
  func fragments(_ row: PacketRow, _ batch: RowBatch, _ current: WaitingPackets) {
    let known = judge.fragments.ofPDU
    for number in rowEvents where batch.valueEvents[number].source == .advertisement {
      let data = batch.valueEvents[number].bytes
      let isJoined = batch.piece(of: data, in: Int(row.record)) == nil
      if !isJoined {
        guard let offset = row.pdu.offset(of: data) else { continue }
        let isPart = judge.isChained || known.contains { $0.isContinuation && $0.range.lowerBound == offset }
        if isPart { distrusted.append(number) }
        continue
      }
      let target = Target(data, row, batch, current)
      let last = Target(row.pdu, row, batch, current)
      // The data were joined from the same reports as the fragments.
      let fragment = known.first { member in
        guard member.isContinuation, member.isLast, member.total == data.count else { return false }
        guard let end = last.lastPiece(member.range) else { return member.range.isEmpty }
        guard let piece = target.joined.last else { return false }
        return piece.frame == end.frame && piece.offset + piece.count == end.offset + end.count
      }
      guard let fragment, target.joined.reduce(0, { $0 + $1.count }) == data.count else {
        distrusted.append(number)
        continue
      }
      judge.judge(data, of: fragment)
      for judgement in judge.judgements where judgement.range.upperBound <= data.count { apply(judgement, target, row) }
    }
  }

  /// Judges the values of several attributes in one PDU: harmless ones are kept.
  func values(_ row: PacketRow, _ batch: RowBatch, _ target: Target) {
    guard row.attOpcode == .readMultipleVariableResponse || row.attOpcode == .multipleHandleValueNotification else { return }
    for event in batch.valueEvents[rowEvents] {
      let isRead = row.attOpcode == .readMultipleVariableResponse
      guard let offset = row.pdu.offset(of: event.bytes) else { continue }
      guard let rule = redaction.rule(event.attribute, event.channel, event.bytes, batch, isRead: isRead) else {
        // An input report becomes zeros (no key pressed), as in a PDU of its own.
        if redaction.isTyped(event.attribute, batch) {
          put([UInt8](repeating: 0, count: event.bytes.count), offset..<offset + event.bytes.count, target)
        }
        continue
      }
      // It was replaced before without regard to its attribute: that is not counted.
      put(nil, target.pieces(offset..<offset + event.bytes.count), isWhole: true)
      redaction.keeps(rule, row.layer.name, "attribute_value", event.bytes.count, row.frame)
    }
  }

  /// Whether a value beside others is an input report that is replaced.
  func isSilent(_ event: ValueEvent, _ row: PacketRow, _ batch: RowBatch) -> Bool {
    guard row.attOpcode == .readMultipleVariableResponse || row.attOpcode == .multipleHandleValueNotification else { return false }
    let isRead = row.attOpcode == .readMultipleVariableResponse
    return redaction.isTyped(event.attribute, batch)
      && redaction.rule(event.attribute, event.channel, event.bytes, batch, isRead: isRead) == nil
  }

  /// Keeps the length of an SDU, which is between the L2CAP header and its first byte.
  func keepLength(_ target: Target, isKnown: Bool) {
    let destination: (packets: WaitingPackets, at: Int)
    if target.start >= 0, let current {
      destination = (current, target.start)
    } else if let first = target.joined.first, let (packets, index) = waiting(first.frame) {
      destination = (packets, packets.bytes(index).lowerBound + first.offset)
    } else {
      return
    }
    let (packets, at) = destination
    guard at >= 3, at <= packets.original.count, packets.isDecided(at - 3) else { return }
    // Its first part was judged before it was known to be a part of an SDU.
    if isKnown || !packets.isDecided(at - 2) && !packets.isDecided(at - 1) { packets.keep(at - 2..<at) }
  }

  /// Keeps the frame check sequence of an RFCOMM frame whose data complete a PDU: no field of the PDU has it. It is computed over the frame's header,
  /// which is kept.
  func keepFrameCheck(_ row: PacketRow, _ batch: RowBatch, _ current: WaitingPackets) {
    guard let frame = RFCOMM.Frame(row.pdu.span), let address = row.pdu.u8(0) else { return }
    let index = Int(row.record)
    let range = current.bytes(index)
    let header = row.pdu.slice(0, frame.payload.lowerBound)
    // Where the frame is spread over several packets, it ends with the last of them.
    let at =
      batch.piece(of: header, in: index).map { range.lowerBound + $0.offset + frame.payload.lowerBound + frame.length }
      ?? range.upperBound - 1
    guard range.contains(at), current.original[at] == RFCOMM.check(address, frame.control) else { return }
    current.keep(at..<at + 1)
  }

  /// Replaces a wrong CRC: if the length was damaged, or the packet was not received to its end, these bytes are a part of the PDU.
  func hideWrongCheck(_ row: PacketRow, _ current: WaitingPackets) {
    let index = Int(row.record)
    let range = current.bytes(index)
    let record = current.records[index]
    let trailer = record.fixedTrailer
    let payload = min(range.lowerBound + record.payload, range.upperBound)
    guard trailer > 0, range.upperBound - payload >= record.fixedHeader(current.original[payload..<range.upperBound]) + trailer else {
      return
    }
    let bytes = range.upperBound - trailer..<range.upperBound
    current.put(redaction.replacement(.number, Array(current.original[bytes]))[...], at: bytes.lowerBound)
  }

  // MARK: Messages in several packets

  /// Keeps the headers of all packets but the first of a message in several packets; they are no part of its PDU.
  func keepPartHeaders(_ row: PacketRow, _ target: Target) {
    guard let first = target.joined.first else { return }
    var frames: [Int: Int] = [:]
    for piece in target.joined where frames[piece.frame] == nil { frames[piece.frame] = piece.offset }
    // The last packet may consist of a header only.
    for frame in Set(frames.keys).union([row.frame]) where frame != first.frame {
      guard let (packets, index) = waiting(frame) else { continue }
      let record = packets.records[index]
      let range = packets.bytes(index)
      let payload = min(range.lowerBound + record.payload, range.upperBound)
      // The header is behind the L2CAP header, which only the first packet of a frame has.
      let fixed = record.fixedHeader(packets.original[payload..<range.upperBound])
      guard record.kind == .acl, fixed == 8 else { continue }
      let (start, end) = (payload + fixed, frames[frame].map { range.lowerBound + $0 } ?? range.upperBound)
      guard start < end, end <= range.upperBound, end - start <= Self.longestPartHeader else { continue }
      if isPartHeader(Array(packets.original[start..<end])) { packets.keep(start..<end) }
    }
  }

  /// Whether bytes are a header of AVCTP or AVDTP, or of AVCTP, AV/C and AVRCP with the packet type continue or end.
  private func isPartHeader(_ bytes: [UInt8]) -> Bool {
    if bytes.count == 1 { return bytes[0] >> 2 & 3 >= 2 }
    let message = unsafe bytes.withUnsafeBytes { unsafe AVRCP.Message($0.bytes, isBrowsing: false) }
    guard let message, message.pdu != nil else { return false }
    return message.parameters.isEmpty && message.packetType >= 2
  }
  private static let longestPartHeader = 14
}
