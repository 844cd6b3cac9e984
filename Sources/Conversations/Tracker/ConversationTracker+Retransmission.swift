import Bluetooth
import Captures
import Memory

/// The state of a channel in a retransmission, flow control or streaming mode (Core, Vol 3, Part A, 8). A class, so that other channels store only a
/// reference.
final class FrameSequence {
  /// The options of one end's Configuration Requests: the mode of frames sent to it, and the fields they may omit.
  struct Proposal {
    var mode: L2CAP.ChannelMode?
    var window: UInt16 = 63
    var omitsCheck = false
    var isExtended = false
  }
  /// An I-frame that came before others that precede it.
  struct Held {
    var number: UInt16
    var frame: Int
    var segment: L2CAP.Segment
    var length: UInt16
    /// The entire frame, and the range of its SDU segment.
    var bytes: [UInt8]
    var payload: Range<Int>
    var pieces: [PDUPiece] = []
  }
  /// I-frames in one direction.
  struct Side {
    /// TxSeq of the next I-frame, and of the first that the receiver has not acknowledged.
    var next: UInt16 = 0
    var acknowledged: UInt16 = 0
    /// In the order of their numbers.
    var held: [Held] = []
    var heldBytes = 0
    /// Frame numbers in the capture of the last I-frames.
    var frames = InlineArray<64, Int>(repeating: 0)
    /// The start of the current SDU is missing, and was reported.
    var lacksStart = false
  }
  /// By sender: this host, the peer.
  var proposals = (sent: Proposal(), received: Proposal())
  var sent = Side()
  var received = Side()
  var mode = L2CAP.ChannelMode.basic

  /// Most I-frames, and bytes of them, that wait for an earlier one.
  static let maxHeld = 63
  static let maxHeldBytes = 1 << 18

  /// The fields of the frames, as both ends agreed: the frame check sequence is omitted where both propose that (5.5).
  var format: L2CAP.FrameFormat {
    switch mode {
    case .basic: return []
    case .retransmission, .flowControl: return [.control, .checked, .earlier]
    case .enhancedRetransmission, .streaming:
      var format: L2CAP.FrameFormat = [.control]
      if !(proposals.sent.omitsCheck && proposals.received.omitsCheck) { format.insert(.checked) }
      if proposals.sent.isExtended || proposals.received.isExtended { format.insert(.extended) }
      return format
    }
  }

  var held: Int { sent.heldBytes + received.heldBytes + (sent.held.count + received.held.count) * MemoryLayout<Held>.stride }

  /// Forgets frames that wait for earlier ones.
  func dropFragments() {
    sent.drop()
    received.drop()
  }
}

extension FrameSequence.Side {
  mutating func drop() {
    if let last = held.last { next = last.number &+ 1 }
    held = []
    heldBytes = 0
    lacksStart = true
  }
}

extension ConversationTracker {
  /// Takes the options of a Configuration Request (5): the proposed mode, its window, and whether the frame check sequence is omitted.
  mutating func proposeFrames(_ link: Int, _ at: Int, _ body: PDUBytes, fromHost: Bool) {
    var option = 4
    while let type = body.u8(option), let length = body.u8(option &+ 1) {
      let kind = type & 0x7F
      if kind == 4 || kind == 5 || kind == 7 {
        // Basic mode is the default.
        let isBasic = kind == 4 && body.u8(option &+ 2) == 0
        if links[link].channels[at].sequence == nil, !isBasic { links[link].channels[at].sequence = FrameSequence() }
        if let sequence = links[link].channels[at].sequence {
          var proposal = fromHost ? sequence.proposals.sent : sequence.proposals.received
          switch kind {
          case 4:
            proposal.mode = body.u8(option &+ 2).flatMap { L2CAP.ChannelMode(rawValue: $0) }
            if let window = body.u8(option &+ 3), window != 0, !proposal.isExtended { proposal.window = UInt16(window) }
          case 5: proposal.omitsCheck = body.u8(option &+ 2) == 0
          default:
            proposal.isExtended = true
            if let window = body.u16(option &+ 2), window != 0 { proposal.window = min(window, 0x3FFF) }
          }
          if fromHost { sequence.proposals.sent = proposal } else { sequence.proposals.received = proposal }
        }
      }
      option &+= 2 &+ Int(length)
    }
  }

  /// The requester's proposal was accepted (result 0) or not: then it sends another, in which options left out have their defaults. Both ends have to
  /// agree on a mode (5.4), so that of one end applies to both.
  mutating func answerFrames(_ link: Int, _ at: Int, _ result: UInt16, requesterIsHost: Bool) {
    guard let sequence = links[link].channels[at].sequence else { return }
    guard result == 0 else {
      // Pending is not a final result.
      if result == 4 { return }
      if requesterIsHost { sequence.proposals.sent = .init() } else { sequence.proposals.received = .init() }
      return
    }
    guard let mode = requesterIsHost ? sequence.proposals.sent.mode : sequence.proposals.received.mode else { return }
    sequence.mode = mode
    links[link].channels[at].mode = mode == .basic ? .basic : .sequenced
  }

  /// Takes a frame of a channel with a control field. An SDU that it completes is handled as on other channels; a frame has a row of its own if it
  /// carries no data, or none that are new.
  mutating func sequenced(_ link: Int, _ at: Int, _ origin: PacketOrigin, _ pdu: PDUBytes, isJoined: Bool) {
    guard let sequence = links[link].channels[at].sequence else { return }
    let format = sequence.format
    let fromHost = origin.direction.isFromHost
    let span = pdu.span
    guard let control = L2CAP.Control(span, format) else {
      reportFrame(.shortPacket(needed: format.contains(.extended) ? 8 : 6, present: pdu.count), link, origin)
      return frameRow(link, at, origin, pdu, format, isJoined: isJoined)
    }
    // A receiver discards frames with a wrong check sequence (8.6), and so does the tracker.
    if format.contains(.checked), !cut, !L2CAP.isCheckRight(span) {
      reportFrame(.frameCheckWrong, link, origin)
      return frameRow(link, at, origin, pdu, format, isJoined: isJoined)
    }
    if sequence.mode != .streaming { acknowledge(link, at, origin, sequence, control, format, fromHost: fromHost) }
    guard control.supervisory == nil else {
      return frameRow(link, at, origin, pdu, format, isJoined: isJoined, isNoise: control.supervisory == .receiverReady)
    }
    let payload = L2CAP.payload(span, format, control)
    var held = FrameSequence.Held(
      number: control.txSeq, frame: frame, segment: control.segment,
      length: control.segment == .start ? pdu.u16(payload.lowerBound &- 2) ?? 0 : 0, bytes: [], payload: payload)
    var side = FrameSequence.Side()
    sequence.swapSide(&side, fromHost)
    let mask: UInt16 = format.contains(.extended) ? 0x3FFF : 0x3F
    let ahead = (control.txSeq &- side.next) & mask
    let behind = (side.next &- control.txSeq) & mask
    if ahead != 0, sequence.mode == .streaming {
      // Nothing is retransmitted: missing frames were lost on the way (8.7).
      lose(Int(ahead), isForGood: true, &side, link, at, origin)
      side.next = control.txSeq
    } else if ahead != 0 {
      // Numbers between the last acknowledged frame and the next one are frames that the receiver has, or will have soon.
      let isRepeated = behind <= (side.next &- side.acknowledged) & mask || behind <= ahead
      if isRepeated || side.held.contains(where: { $0.number == control.txSeq }) {
        let first = side.frames[Int(control.txSeq & 63)]
        sequence.swapSide(&side, fromHost)
        return frameRow(link, at, origin, pdu, format, isJoined: isJoined, firstFrame: first)
      }
      side.frames[Int(control.txSeq & 63)] = frame
      held.bytes.append(contentsOf: pdu)
      if tracksPieces { held.pieces = pieces(of: pdu) }
      let index = side.held.firstIndex { ($0.number &- side.next) & mask > ahead } ?? side.held.count
      side.heldBytes += held.bytes.count
      side.held.insert(held, at: index)
      frameRow(link, at, origin, pdu, format, isJoined: isJoined, isPart: true)
      // More frames are waiting than any receiver would keep.
      if side.held.count > FrameSequence.maxHeld || side.heldBytes > FrameSequence.maxHeldBytes {
        release(&side, side.held[0].number, link, at, origin, format, mask)
      }
      return sequence.swapSide(&side, fromHost)
    }
    side.frames[Int(control.txSeq & 63)] = frame
    side.next = (side.next &+ 1) & mask
    let rowsBefore = rows.count
    segment(&side, held, pdu.slice(payload.lowerBound, payload.count), link, at, origin, pdu, format, isJoined: isJoined)
    if rows.count == rowsBefore { frameRow(link, at, origin, pdu, format, isJoined: isJoined, isPart: true) }
    drain(&side, link, at, origin, format, mask)
    sequence.swapSide(&side, fromHost)
  }

  /// The receiver acknowledges I-frames of the other side: those of them that the capture still lacks will not be sent again.
  private mutating func acknowledge(
    _ link: Int, _ at: Int, _ origin: PacketOrigin, _ sequence: FrameSequence, _ control: L2CAP.Control, _ format: L2CAP.FrameFormat,
    fromHost: Bool
  ) {
    // A selective reject requests one frame, and acknowledges those before only with the poll bit set (8.6.1.4).
    if control.supervisory == .selectiveReject, !control.isPoll { return }
    let mask: UInt16 = format.contains(.extended) ? 0x3FFF : 0x3F
    var side = FrameSequence.Side()
    sequence.swapSide(&side, !fromHost)
    defer { sequence.swapSide(&side, !fromHost) }
    side.acknowledged = control.reqSeq
    guard let last = side.held.last else { return }
    let arrived = (control.reqSeq &- side.next) & mask
    if arrived != 0, arrived <= ((last.number &- side.next) & mask) &+ 1 {
      var other = origin
      other.direction = origin.direction.opposite
      release(&side, control.reqSeq, link, at, other, format, mask)
    }
    // All frames from that one on will be retransmitted (8.6.1.2).
    if control.supervisory == .reject { (side.held, side.heldBytes) = ([], 0) }
  }

  /// Stops waiting for frames before `number`, and takes those that came after them.
  private mutating func release(
    _ side: inout FrameSequence.Side, _ number: UInt16, _ link: Int, _ at: Int, _ origin: PacketOrigin, _ format: L2CAP.FrameFormat,
    _ mask: UInt16
  ) {
    while let first = side.held.first, (first.number &- side.next) & mask < (number &- side.next) & mask || first.number == number {
      let missing = (first.number &- side.next) & mask
      if missing > 0 { lose(Int(missing), isForGood: false, &side, link, at, origin) }
      side.next = first.number
      drain(&side, link, at, origin, format, mask)
    }
  }

  /// Takes the frames that waited for the previous one.
  private mutating func drain(
    _ side: inout FrameSequence.Side, _ link: Int, _ at: Int, _ origin: PacketOrigin, _ format: L2CAP.FrameFormat, _ mask: UInt16
  ) {
    while let first = side.held.first, first.number == side.next {
      side.held.removeFirst()
      side.heldBytes -= first.bytes.count
      side.next = (side.next &+ 1) & mask
      let bytes = first.bytes.withBorrowedBytes { out.arena.copy($0) }
      remember(bytes, first.pieces)
      segment(
        &side, first, bytes.slice(first.payload.lowerBound, first.payload.count), link, at, origin, bytes, format, isJoined: true)
    }
  }

  /// I-frames are missing: their SDU is dropped.
  private mutating func lose(
    _ count: Int, isForGood: Bool, _ side: inout FrameSequence.Side, _ link: Int, _ at: Int, _ origin: PacketOrigin
  ) {
    reportFrame(.framesMissing(count: count, isForGood: isForGood), link, origin)
    links[link].lossFrame = frame
    var assembly = Assembly()
    swapAssembly(&assembly, link, at, origin.direction.isFromHost)
    abandon(assembly)
    assembly.close()
    swapAssembly(&assembly, link, at, origin.direction.isFromHost)
    side.lacksStart = true
  }

  /// Appends a segment to its SDU (7.3).
  private mutating func segment(
    _ side: inout FrameSequence.Side, _ held: FrameSequence.Held, _ payload: PDUBytes, _ link: Int, _ at: Int, _ origin: PacketOrigin,
    _ pdu: PDUBytes, _ format: L2CAP.FrameFormat, isJoined: Bool
  ) {
    let fromHost = origin.direction.isFromHost
    var assembly = Assembly()
    swapAssembly(&assembly, link, at, fromHost)
    defer { swapAssembly(&assembly, link, at, fromHost) }
    let begins = held.segment == .unsegmented || held.segment == .start
    if begins, assembly.isOpen {
      reportFrame(.segmentsWrong(count: assembly.bytes.count, announced: assembly.expected), link, origin)
      abandon(assembly)
      assembly.close()
    } else if !begins, !assembly.isOpen {
      if !side.lacksStart { reportFrame(.segmentsWrong(count: payload.count, announced: nil), link, origin) }
      side.lacksStart = held.segment == .continuation
      return
    }
    side.lacksStart = false
    if held.segment == .unsegmented { return carry(link, at, origin, pdu, payload, format, isJoined: isJoined) }
    if held.segment == .start {
      // An empty SDU needs no segments; 1 distinguishes it from no open SDU.
      assembly.expected = max(1, Int(held.length))
      assembly.frame = held.frame
    }
    assembly.bytes.append(contentsOf: payload)
    if tracksPieces { assembly.pieces += out.pieces(of: payload, in: Int(record)) }
    if cut { assembly.isCut = true }
    let isTooLong = assembly.bytes.count > assembly.expected
    guard held.segment == .end || isTooLong else { return }
    if assembly.bytes.count != assembly.expected, !assembly.isCut {
      reportFrame(.segmentsWrong(count: assembly.bytes.count, announced: assembly.expected), link, origin)
      abandon(assembly)
      assembly.close()
      side.lacksStart = held.segment != .end
      return
    }
    let whole = assembly.bytes.withBorrowedBytes { bytes in
      out.arena.copy(bytes.slice(0, assembly.expected))
    }
    remember(whole, assembly.pieces.cut(0, whole.count))
    let wasCut = cut
    cut = assembly.isCut
    assembly.close()
    carry(link, at, origin, pdu, whole, format, isJoined: true)
    cut = wasCut
  }

  private mutating func swapAssembly(_ assembly: inout Assembly, _ link: Int, _ at: Int, _ fromHost: Bool) {
    if fromHost { swap(&assembly, &links[link].channels[at].sending) } else { swap(&assembly, &links[link].channels[at].receiving) }
  }

  private mutating func reportFrame(_ kind: Finding.Kind, _ link: Int, _ origin: PacketOrigin) {
    let number = links[link].connection
    report(kind, adapter: origin.adapter, handle: tables.connections[Int(number)].handle, connection: number)
  }

  /// The row of a frame that carries no SDU of its own. A segment of an SDU has a row only if rows for fragments are requested; `firstFrame` had the
  /// same I-frame before.
  private mutating func frameRow(
    _ link: Int, _ at: Int, _ origin: PacketOrigin, _ pdu: PDUBytes, _ format: L2CAP.FrameFormat, isJoined: Bool, isNoise: Bool = false,
    isPart: Bool = false, firstFrame: Int? = nil
  ) {
    guard purpose == .rows else { return }
    guard !isPart || includesFragments else {
      leavesPartOut = true
      return
    }
    var row = row(origin, .l2cap, isNoise || firstFrame != nil ? .noise : .data, pdu)
    connect(&row, link)
    row.channel = origin.direction.isFromHost ? links[link].channels[at].remote : links[link].channels[at].local
    row.subcode = links[link].channels[at].psm
    row.flags.insert(PacketRow.Flags(format))
    if isJoined { row.flags.insert(.joined) }
    if isPart { row.flags.insert(.part) }
    if let firstFrame {
      row.flags.insert(.retransmission)
      row.requestFrame = firstFrame
    }
    rows.append(row)
  }
}

extension FrameSequence {
  fileprivate func swapSide(_ side: inout Side, _ fromHost: Bool) { if fromHost { swap(&side, &sent) } else { swap(&side, &received) } }
}

extension PacketDirection {
  /// The opposite direction.
  fileprivate var opposite: PacketDirection {
    switch self {
    case .sent: .received
    case .received: .sent
    case .central: .peripheral
    case .peripheral: .central
    default: self
    }
  }
}

extension PacketRow.Flags {
  /// The flags for the format of an L2CAP frame.
  init(_ format: L2CAP.FrameFormat) { self.init(rawValue: UInt32(format.rawValue) << Self.frameFormatShift) }
  static let frameFormatShift: UInt32 = 19

  /// The fields that the L2CAP frame has besides header and payload.
  @inlinable
  public var frameFormat: L2CAP.FrameFormat { L2CAP.FrameFormat(rawValue: UInt8(truncatingIfNeeded: rawValue >> 19) & 15) }
}

extension PacketRow {
  /// The row is an L2CAP frame that carries no SDU of its own: a supervisory frame, a segment of an SDU, a retransmission.
  @inlinable
  public var isBareFrame: Bool { layer == .l2cap && flags.contains(.sequenced) && !flags.contains(.hasAssembled) }

  /// The L2CAP frame with a control field that carries the SDU of this row, or its last segment; nil for others.
  public var sequencedFrame: PDUBytes? {
    guard flags.contains(.sequenced) else { return nil }
    return layer == .l2cap ? pdu : flags.contains(.hasAssembled) ? nil : assembled
  }
}
