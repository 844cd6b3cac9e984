import Bluetooth
import Captures
import Conversations
import Memory
import PacketCodecs

/// State from earlier packets of a capture that fields of later ones need: roles and modes of links, pending commands, channels, streams. It exists
/// only for filters with such a field.
final class FilterHistory {
  /// A link of BR/EDR.
  struct Link {
    var address: UInt64
    /// Active, hold, sniff, park (Core, Vol 4, Part E, 7.7.20).
    var mode = 0
    /// Frame of the Mode Change event that set ``mode``; of the Connection Complete event before the first.
    var frame: Int
  }

  /// This host's role on the link to a device, and the frame that shows it.
  struct Role {
    var isCentral: Bool
    var frame: Int
  }

  /// A command that Command Status has accepted, and that a later event completes.
  struct Waiting {
    var opcode: UInt16
    var status: (frame: Int, time: Int64)
  }

  /// A requested channel without a response so far.
  private struct Request {
    var channel: UInt16
    var opened: Opened
  }

  /// A requested channel: the frame, the PSM, and the side that opened it.
  private struct Opened {
    var frame: Int
    var psm: UInt16
    var isOfHost: Bool
    /// Its frames are segments of SDUs, the first with the SDU's length.
    var hasCredits: Bool
  }

  /// An OBEX session before the current packet.
  struct Session {
    /// Wireshark's number of the profile that Connect requested; 0 before.
    var profile = 0
    /// The folders from the root to the current one; nil where unknown.
    var path: [[UInt8]]?
    /// The request without a response so far: its code, and the name and flags of Set Path.
    fileprivate var request: OBEX.RequestCode?
    fileprivate var folder: [UInt8]?
    fileprivate var goesBack = false

    /// The path as a text; a question mark where it is not known.
    var text: [UInt8] {
      guard let path else { return [UInt8(ascii: "?")] }
      return path.isEmpty ? [UInt8(ascii: "/")] : path.flatMap { [UInt8(ascii: "/")] + $0 }
    }
  }

  /// An A2DP stream: its configuration from AVDTP's Set Configuration, and its position after the media packets so far.
  struct Stream {
    var acceptor: UInt8 = 0
    var initiator: UInt8 = 0
    var codec: UInt8 = 0
    /// It is a video stream.
    var isVideo = false
    /// Company identifier and number of a vendor's codec.
    var vendor: (company: UInt32, codec: UInt16)?
    var protection: UInt16?
    /// Number of the stream on its link, from 1: each Set Configuration that media packets follow starts another. 0 before the first media packet.
    var number = 0
    var start = 0
    /// Extended RTP sequence number: the low 16 bits as sent, above them how often they wrapped around, from 1.
    var sequence: UInt32 = 0
    /// Milliseconds of audio before the current packet, and in it.
    var music = 0.0
    var duration = 0.0
    var first: Int64 = 0
    var previous: Int64?
    var time: Int64 = 0
  }

  /// A part of an SDP response that comes in several.
  struct ServicePart {
    /// It lists record handles, not attributes.
    var isOfHandles: Bool
    var isFirst: Bool
    var isLast: Bool
  }

  /// The frames of an SDU or an OBEX packet so far.
  struct Pieces {
    var frames: [Int] = []
    var length = 0

    /// Adds a frame, up to the number of smallest frames in the longest SDU.
    mutating func add(_ frame: Int) { if frames.count < 4096 { frames.append(frame) } }
  }

  /// Most entries of each table, as captures may be hostile.
  private static let limit = 4096
  private var links: [UInt64: Link] = [:]
  private var roles: [UInt64: Role] = [:]
  private var waiting: [UInt16: [Waiting]] = [:]
  private var requests: [UInt64: Request] = [:]
  private var channels: [UInt64: Opened] = [:]
  private var services: [UInt64: UInt16] = [:]
  private var searches: [UInt64: UInt16] = [:]
  private var units: [UInt64: Int] = [:]
  private var sessions: [UInt64: Session] = [:]
  private var starts: [UInt64: (frame: Int, missing: Int)] = [:]
  private var streams: [UInt64: Stream] = [:]
  private var numbers: [UInt64: Int] = [:]
  private var procedures: [UInt64: (opcode: UInt8, frame: Int)] = [:]
  /// For Nordic's sniffer, the time of the previous packet and its duration on the air, in µs.
  private(set) var before: (time: UInt32, duration: UInt32)?
  private var latest: (time: UInt32, duration: UInt32)?
  /// The service class that earlier SDP records give for the PSM of the packet's channel.
  private(set) var service: UInt16?
  /// The OBEX session before the current packet.
  private(set) var session: Session?
  /// Number of the L2CAP PDU that the current Link Layer packet has a fragment of, in the order they begin.
  private(set) var unitIndex: Int?
  /// The frames with the parts of the SDU (on a channel with credits) or OBEX packet that the current packet completes, and its length.
  private(set) var joinedUnit: Pieces?
  private(set) var joinedObject: Pieces?
  /// The current SDP response's position among the parts of a response, if it has several.
  private(set) var servicePart: ServicePart?
  private var servicesBegun: Set<UInt64> = []
  private var unitPieces: [UInt64: Pieces] = [:]
  private var objectPieces: [UInt64: Pieces] = [:]
  /// The SDU of a frame that continues in later packets of a link.
  private var cutFrames: [UInt64: UInt64] = [:]
  private var begun = 0
  private var airUnits: [UInt64: Int] = [:]
  /// The length of the SDU that begins with the current frame, on a channel with credits.
  private(set) var unitLength: UInt16?
  /// The command that the current event completes.
  private(set) var ended: Waiting?
  /// The stream of the current media packet.
  private(set) var stream: Stream?
  /// Frame of the request that the current control PDU responds to.
  private(set) var procedure = 0
  /// Frame of the packet that the current one continues.
  private(set) var continued: Int?

  /// Fields that need the history.
  static let fields: Set<StaticName> = [
    "bthci_acl.continuation_to", "bthci_acl.src.role", "bthci_acl.dst.role", "bthci_acl.last_change_in_frame.role", "bthci_acl.mode",
    "bthci_acl.last_change_in_frame.mode", "bthci_evt.pending_in_frame", "bthci_evt.pending_response_delta", "bthci_iso.continuation_to",
    "btl2cap.le_sdu.fragments", "btl2cap.le_sdu.fragment", "btl2cap.le_sdu.fragment.count", "btl2cap.le_sdu.reassembled.length",
    "btsdp.fragment", "btsdp.partial_attribute_list", "btsdp.partial_record_handle_list", "obex.fragments", "obex.fragment",
    "obex.fragment.count", "obex.reassembled.length",
    "btl2cap.connect_in", "btl2cap.service", "btl2cap.le_sdu_length", "obex.profile", "obex.current_path", "btvdp", "btvdp.acp_seid",
    "btvdp.int_seid", "btvdp.codec", "btvdp.codec.vendor.vendor_id", "btvdp.codec.vendor.codec_id", "btvdp.content_protection",
    "btvdp.stream_number", "btvdp.stream_start_in_frame", "btvdp.stream_end_in_frame", "rtp.setup-method", "sbc.avrcp_song_position",
    "bta2dp", "btle.l2cap_index",
    "btle.request_in_frame", "nordic_ble.delta_time", "nordic_ble.delta_time_ss",
    "bta2dp.acp_seid", "bta2dp.int_seid", "bta2dp.codec", "bta2dp.codec.vendor.vendor_id", "bta2dp.codec.vendor.codec_id",
    "bta2dp.content_protection", "bta2dp.stream_number", "bta2dp.stream_start_in_frame", "bta2dp.stream_end_in_frame", "rtp.setup-frame",
    "rtp.extseq", "sbc.cumulative_music_duration", "sbc.delta_time", "sbc.delta_time_from_the_beginning", "sbc.diff",
  ]

  /// Updates the state with the current packet.
  func learn(_ packet: FilterEvaluator) {
    (ended, stream, procedure, continued, session, unitLength, unitIndex) = (nil, nil, 0, nil, nil, nil, nil)
    (joinedUnit, joinedObject, servicePart) = (nil, nil, nil)
    let record = packet.record
    if record.kind == .linkLayer {
      learnAir(packet)
    } else if record.kind == .acl || record.kind == .iso {
      learnPart(packet)
      if !units.isEmpty { learnUnit(packet) }
    }
    service = services.isEmpty ? nil : packet.rows.lazy.compactMap { self.service($0) }.first
    for row in packet.rows {
      switch row.layer {
      case .hciCommand: learn(command: row)
      case .hciEvent: learn(event: row)
      case .signaling: learn(signal: row)
      case .avdtp: learn(avdtp: row)
      case .a2dp: learn(media: row)
      case .obex: learn(object: row)
      case .sdp:
        learnServices(packet)
        learnPart(service: row)
      default: break
      }
    }
  }

  private static func keep<Value>(_ value: Value, _ key: UInt64, _ table: inout [UInt64: Value]) {
    if table.count < limit || table[key] != nil { table[key] = value }
  }

  /// A number combined with the adapter, and with the direction.
  private static func key(_ record: PacketRecord, _ number: UInt64, _ isSent: Bool = false) -> UInt64 {
    UInt64(record.adapter) << 48 | number | (isSent ? 1 << 40 : 0) | (record.kind == .iso ? 1 << 41 : 0)
  }

  // MARK: HCI

  /// The link that an ACL packet belongs to, and this host's role on it.
  func link(_ packet: FilterEvaluator) -> (link: Link, role: Role?)? {
    guard let handle = packet.payload.u16(0), let link = links[Self.key(packet.record, UInt64(handle & 0xFFF)) & ~(1 << 41)] else {
      return nil
    }
    return (link, roles[UInt64(packet.record.adapter) << 48 | link.address])
  }

  /// Remembers the start of a PDU that does not end in its packet (Core, Vol 4, Part E, 5.4.2 and 5.4.5).
  private func learnPart(_ packet: FilterEvaluator) {
    guard let head = packet.payload.u16(0), let count = packet.payload.u16(2) else { return }
    let key = Self.key(packet.record, UInt64(head & 0xFFF), packet.isFromHost)
    let isISO = packet.record.kind == .iso
    switch (head >> 12 & 3, isISO) {
    case (1, _), (3, true):
      guard let start = starts[key] else { return }
      continued = start.frame
      let missing = start.missing - Int(count)
      starts[key] = missing > 0 ? (start.frame, missing) : nil
    case (0, true): Self.keep((Int(packet.record.frame), .max), key, &starts)
    case (2, true): break
    default:
      let missing = (packet.payload.u16(4).map { Int($0) } ?? .max - 4) + 4 - Int(count)
      if missing > 0 { Self.keep((Int(packet.record.frame), missing), key, &starts) } else { starts[key] = nil }
    }
  }

  private func learn(command row: PacketRow) {
    guard let address = row.pdu.address(3) else { return }
    let key = UInt64(row.adapter) << 48 | address
    switch row.opcode {
    // Create Connection; Accept Connection Request, by which a host may become the central.
    case 0x0405: Self.keep(Role(isCentral: true, frame: row.frame), key, &roles)
    case 0x0409: Self.keep(Role(isCentral: row.pdu.u8(9) == 0, frame: row.frame), key, &roles)
    default: break
    }
  }

  private func learn(event row: PacketRow) {
    let isDone = row.pdu.u8(2) == 0
    let adapter = UInt64(row.adapter) << 48
    switch row.eventCode {
    case .connectionComplete:
      if isDone, let handle = row.pdu.u16(3), let address = row.pdu.address(5), row.pdu.u8(11) == 1 {
        Self.keep(Link(address: address, frame: row.frame), adapter | UInt64(handle & 0xFFF), &links)
      }
    case .disconnectionComplete: if isDone, let handle = row.pdu.u16(3) { links[adapter | UInt64(handle & 0xFFF)] = nil }
    case .commandStatus:
      let opcode = row.subcode
      if isDone, Self.ends.contains(where: { $0.opcodes.contains(opcode) }), waiting[opcode]?.count ?? 0 < 64 {
        waiting[opcode, default: []].append(Waiting(opcode: opcode, status: (row.frame, row.time)))
      }
      return
    default: break
    }
    let code = UInt8(truncatingIfNeeded: row.opcode)
    if code == 0x12, isDone, let address = row.pdu.address(3), let role = row.pdu.u8(9) {
      Self.keep(Role(isCentral: role == 0, frame: row.frame), adapter | address, &roles)
    } else if code == 0x14, isDone, let handle = row.pdu.u16(3), let mode = row.pdu.u8(5) {
      let key = adapter | UInt64(handle & 0xFFF)
      var link = links[key] ?? Link(address: 0, frame: 0)
      (link.mode, link.frame) = (Int(mode), row.frame)
      Self.keep(link, key, &links)
    }
    if waiting.isEmpty { return }
    let subevent = code == 0x3E ? UInt8(truncatingIfNeeded: row.subcode) : 0
    guard let end = Self.ends.first(where: { $0.event == code && $0.subevent == subevent }) else { return }
    let first = end.opcodes.compactMap { waiting[$0]?.first }.min { $0.status.frame < $1.status.frame }
    guard let first else { return }
    waiting[first.opcode]?.removeFirst()
    ended = first
  }

  /// The event that completes each command that is first acknowledged by Command Status (Core, Vol 4, Part E, 7).
  private static let ends: [(event: UInt8, subevent: UInt8, opcodes: [UInt16])] = [
    (0x03, 0, [0x0405, 0x0409]), (0x05, 0, [0x0406]), (0x06, 0, [0x0411]), (0x07, 0, [0x0419]),
    (0x08, 0, [0x0413, 0x2019]), (0x09, 0, [0x0415]), (0x0A, 0, [0x0417]), (0x0B, 0, [0x041B]), (0x0C, 0, [0x041D]), (0x0D, 0, [0x0807]),
    (0x12, 0, [0x080B]), (0x14, 0, [0x0801, 0x0803, 0x0804, 0x0805, 0x0806]), (0x1C, 0, [0x041F]), (0x1D, 0, [0x040F]), (0x21, 0, [0x0810]),
    (0x23, 0, [0x041C]), (0x2C, 0, [0x0428, 0x0429]), (0x3E, 0x01, [0x200D]), (0x3E, 0x03, [0x2013]), (0x3E, 0x04, [0x2016]),
    (0x3E, 0x0A, [0x200D]),
  ]

  // MARK: L2CAP

  /// The key of an L2CAP channel; `isOfHost`: the channel identifier is the local one, on which the host receives.
  private static func channel(_ row: PacketRow, _ channel: UInt16, isOfHost: Bool) -> UInt64 {
    UInt64(row.adapter) << 48 | UInt64(row.handle) << 16 | UInt64(channel) | (isOfHost ? 1 << 40 : 0)
  }

  /// Frame of the request that opened the channel of a row.
  func opening(_ row: PacketRow) -> Int? { opened(row)?.frame }

  /// The channel of a row, or the channel that it closes.
  private func opened(_ row: PacketRow) -> Opened? {
    let isFromHost = row.direction.isFromHost
    if row.layer == .signaling {
      guard row.signalingCode == .disconnectionRequest || row.signalingCode == .disconnectionResponse, let channel = row.pdu.u16(4) else {
        return nil
      }
      // The first channel identifier is that of the side that receives the request, or of the responder.
      return channels[Self.channel(row, channel, isOfHost: isFromHost == (row.signalingCode == .disconnectionResponse))]
    }
    return row.channel >= 0x40 ? channels[Self.channel(row, row.channel, isOfHost: !isFromHost)] : nil
  }

  /// The key of a PSM of the host, or of a peer.
  private static func psm(_ row: PacketRow, _ psm: UInt16, isOfHost: Bool) -> UInt64 {
    UInt64(row.adapter) << 48 | UInt64(psm) | (isOfHost ? 1 << 40 : UInt64(UInt16(truncatingIfNeeded: row.peer)) << 16)
  }

  /// The service class that an SDP record gives for the PSM of a row's channel, of a channel that the host opens, or of one that is closed.
  private func service(_ row: PacketRow) -> UInt16? {
    if row.layer == .signaling, row.signalingCode == .connectionRequest {
      guard row.direction.isFromHost, let psm = row.pdu.u16(4) else { return nil }
      return services[Self.psm(row, psm, isOfHost: false)]
    }
    return opened(row).flatMap { services[Self.psm(row, $0.psm, isOfHost: $0.isOfHost)] }
  }

  /// Learns the PSMs of services from SDP records.
  private func learnServices(_ packet: FilterEvaluator) {
    for row in packet.rows where row.layer == .sdp && row.pdu.u8(0) == SDP.PDUIdentifier.serviceSearchAttributeRequest.rawValue {
      let span = row.pdu.span
      let first = SDP.Element(span, 5, in: 0..<span.byteCount)?.elements(span).first?.uuid(span)?.short16
      Self.keep(first ?? 0, Self.link(row) | (row.direction.isFromHost ? 1 << 40 : 0), &searches)
    }
    packet.forEachAttribute { service, number, value, span, row in
      // A response may leave out the requested class.
      let service = service != 0 ? service : searches[Self.link(row) | (row.direction.isFromHost ? 0 : 1 << 40)] ?? 0
      // GoepL2capPsm, for the services that have it.
      if number == 0x200, [0x1105, 0x1106, 0x111A, 0x111B, 0x111C, 0x111D, 0x112F, 0x1132, 0x1133].contains(service),
        let psm = value.integer(span).flatMap({ UInt16(exactly: $0) })
      {
        Self.keep(service, Self.psm(row, psm, isOfHost: row.direction.isFromHost), &services)
      }
      guard number == 4 || number == 0x0D, service != 0 else { return }
      for list in number == 4 ? [value] : value.elements(span) where list.isSequence {
        for layer in list.elements(span) {
          let words = layer.elements(span)
          guard words.count > 1, words[0].uuid(span) == 0x0100, let psm = words[1].integer(span).flatMap({ UInt16(exactly: $0) }) else {
            continue
          }
          Self.keep(service, Self.psm(row, psm, isOfHost: row.direction.isFromHost), &services)
        }
      }
    }
  }

  /// On a channel with credits, the first frame of an SDU begins with its length (Core, Vol 3, Part A, 3.4.3).
  private func learnUnit(_ packet: FilterEvaluator) {
    let payload = packet.payload
    guard packet.record.kind == .acl, let head = payload.u16(0), let count = payload.u16(2) else { return }
    let frame = Int(packet.record.frame)
    let link = Self.key(packet.record, UInt64(head & 0xFFF), packet.isFromHost)
    guard head >> 12 & 3 != 1 else {
      // An L2CAP frame in several ACL packets has the frame number of its last packet in the SDU.
      if starts[link] == nil, let key = cutFrames.removeValue(forKey: link) { learnPiece(key, frame) }
      return
    }
    cutFrames[link] = nil
    guard let length = payload.u16(4), let channel = payload.u16(6) else { return }
    let key =
      UInt64(packet.record.adapter) << 48 | UInt64(head & 0xFFF) << 16 | UInt64(channel) | (packet.isFromHost ? 0 : 1 << 40)
    guard let missing = units[key] else { return }
    if missing > 0 {
      units[key] = max(0, missing - Int(length))
    } else if let unit = payload.u16(8) {
      unitLength = unit
      units[key] = max(0, Int(unit) - Int(length) + 2)
      Self.keep(Pieces(length: Int(unit)), key, &unitPieces)
    }
    if Int(count) < Int(length) + 4 { Self.keep(key, link, &cutFrames) } else { learnPiece(key, frame) }
  }

  /// Takes a frame with a segment of an SDU.
  private func learnPiece(_ key: UInt64, _ frame: Int) {
    unitPieces[key]?.add(frame)
    guard units[key] == 0, let pieces = unitPieces.removeValue(forKey: key), pieces.frames.count > 1 else { return }
    joinedUnit = pieces
  }

  private func learn(signal row: PacketRow) {
    guard let identifier = row.pdu.u8(1) else { return }
    let isFromHost = row.direction.isFromHost
    switch row.opcode {
    case 0x02, 0x14:
      guard let psm = row.pdu.u16(4), let channel = row.pdu.u16(6) else { return }
      let opened = Opened(frame: row.frame, psm: psm, isOfHost: !isFromHost, hasCredits: row.opcode == 0x14)
      open(Self.channel(row, channel, isOfHost: isFromHost), opened)
      Self.keep(Request(channel: channel, opened: opened), Self.channel(row, UInt16(identifier), isOfHost: isFromHost), &requests)
    case 0x03, 0x15:
      let result = row.opcode == 0x03 ? row.pdu.u16(8) : row.pdu.u16(12)
      guard result == 0, let channel = row.pdu.u16(4),
        let request = requests[Self.channel(row, UInt16(identifier), isOfHost: !isFromHost)]
      else { return }
      open(Self.channel(row, channel, isOfHost: isFromHost), request.opened)
    default: break
    }
  }

  private func open(_ key: UInt64, _ opened: Opened) {
    Self.keep(opened, key, &channels)
    if opened.hasCredits { Self.keep(0, key, &units) } else { units[key] = nil }
  }

  /// Whether a response continues an earlier one or is continued by another, from its continuation state (Core, Vol 3, Part B, 4.3).
  private func learnPart(service row: PacketRow) {
    guard !SDP.isJoined(row.opcode), let code = row.pdu.u8(0).flatMap({ SDP.PDUIdentifier(rawValue: $0) }),
      let offset = row.continuationState(code)
    else { return }
    let key = Self.link(row) | (row.direction.isFromHost ? 1 << 40 : 0)
    let isFirst = !servicesBegun.contains(key)
    let isLast = row.pdu.u8(offset) ?? 0 == 0
    if isLast { servicesBegun.remove(key) } else if servicesBegun.count < Self.limit { servicesBegun.insert(key) }
    if !isFirst || !isLast {
      servicePart = ServicePart(isOfHandles: code == .serviceSearchResponse, isFirst: isFirst, isLast: isLast)
    }
  }

  // MARK: Objects

  /// OBEX requests select a profile and folders.
  private func learn(object row: PacketRow) {
    guard let (channel, _) = row.channelData else { return }
    let key = UInt64(row.adapter) << 48 | UInt64(row.handle) << 16 | UInt64(channel.dlci == 0 ? channel.psm : UInt16(channel.dlci))
    var session = sessions[key] ?? Session()
    self.session = session
    let side = key | (row.direction.isFromHost ? 1 << 40 : 0)
    guard row.opcode & OBEX.part == 0 else {
      if objectPieces[side] == nil { Self.keep(Pieces(), side, &objectPieces) }
      objectPieces[side]?.add(row.frame)
      return
    }
    var pieces = objectPieces.removeValue(forKey: side)
    let span = row.pdu.span
    guard let packet = OBEX.Packet(span, in: OBEX.range(in: span, opcode: row.opcode, psm: row.subcode)) else { return }
    if pieces != nil, row.subcode <= 3, row.opcode & RFCOMM.joined != 0 {
      pieces?.add(row.frame)
      pieces?.length = packet.range.count
      joinedObject = pieces
    }
    if packet.isResponse {
      if packet.status == 0x20 { session.answered() }
      session.request = nil
    } else {
      (session.request, session.folder, session.goesBack) = (packet.request, nil, false)
      if let profile = OBEX.profile(ofTargetIn: packet, span) { session.profile = profile.numberOfWireshark }
      if packet.request == .setPath {
        session.goesBack = (span.u8(packet.range.lowerBound + 3) ?? 0) & 1 == 1
        var headers = packet.headers(answering: nil)
        while let header = headers.next(span) {
          if header.isName { session.folder = span.utf8(ofWideText: header.value).filter { $0 != 0 } }
        }
      }
    }
    Self.keep(session, key, &sessions)
  }

  // MARK: Media

  private static func link(_ row: PacketRow) -> UInt64 { UInt64(row.adapter) << 48 | UInt64(row.handle) }

  /// A Set Configuration command gives the stream end points and the codec.
  private func learn(avdtp row: PacketRow) {
    guard row.pdu.u8(0).map({ $0 & 3 }) == 0, row.pdu.u8(1).map({ $0 & 0x3F }) == 3, let acceptor = row.pdu.u8(2),
      let initiator = row.pdu.u8(3)
    else { return }
    var stream = Stream(acceptor: acceptor >> 2, initiator: initiator >> 2)
    var at = 4
    while let category = row.pdu.u8(at), let count = row.pdu.u8(at + 1) {
      if category == 7, count >= 2, let codec = row.pdu.u8(at + 3) {
        stream.codec = codec
        stream.isVideo = row.pdu.u8(at + 2).map { $0 >> 4 } == 1
        if codec == 0xFF, let company = row.pdu.u32(at + 4), let number = row.pdu.u16(at + 8) { stream.vendor = (company, number) }
      } else if category == 4, count >= 2 {
        stream.protection = row.pdu.u16(at + 2)
      }
      at += 2 + Int(count)
    }
    Self.keep(stream, Self.link(row), &streams)
  }

  private func learn(media row: PacketRow) {
    let key = Self.link(row)
    guard var stream = streams[key] else { return }
    if stream.start == 0 {
      numbers[key, default: 0] += 1
      (stream.number, stream.start, stream.first) = (numbers[key] ?? 1, row.frame, row.time)
    }
    stream.music += stream.duration
    stream.duration = row.sbcDurations.reduce(0, +)
    stream.previous = stream.start == row.frame ? nil : stream.time
    stream.time = row.time
    if let number = A2DP.sequenceNumber(row.pdu.span, row.opcode) {
      let last = stream.sequence
      stream.sequence = last == 0 ? 0x10000 | UInt32(number) : last & ~0xFFFF | UInt32(number)
      if last > 0, last & 0xFFFF > UInt32(number) + 0x8000 { stream.sequence &+= 0x10000 }
    }
    streams[key] = stream
    self.stream = stream
  }

  // MARK: The air

  private func learnAir(_ packet: FilterEvaluator) {
    if packet.linkType == 272 || packet.linkType == 157 {
      before = latest
      if let time = packet.whole.u32(13), let duration = packet.airTime { latest = (time, duration) }
    }
    guard packet.rows.count > 0, let access = packet.payload.u32(0), access != LinkLayer.advertisingAccessAddress else { return }
    let row = packet.rows[0]
    if row.flags.contains(.encrypted) || row.flags.contains(.retransmission) || row.flags.contains(.badCRC) { return }
    let pdu = packet.linkLayerPDU
    guard let header = pdu.u8(4), let length = pdu.u8(5), length > 0 else { return }
    let isCentral = packet.record.direction == .central
    let key = UInt64(access) | (isCentral ? 1 << 40 : 0)
    if packet.pairs[access] != nil, 1...2 ~= header & 3 {
      if header & 3 == 2 {
        Self.keep(begun, key, &airUnits)
        begun += 1
      }
      unitIndex = airUnits[key]
    }
    guard header & 3 == 3, let opcode = pdu.u8(6) else { return }
    for isOther in [true, false] {
      let from = UInt64(access) | (isCentral != isOther ? 1 << 40 : 0)
      let request = procedures[from]
      guard let request, Self.answers.contains(where: { $0.request == request.opcode && $0.answer == opcode && $0.isOther == isOther })
      else {
        continue
      }
      procedure = request.frame
      // Encryption and PHY update have several responses.
      if request.opcode != 0x03, opcode != 0x17 { procedures[from] = nil }
    }
    if procedure == 0 { Self.keep((opcode, Int(packet.record.frame)), key, &procedures) }
  }

  /// The control PDUs that respond to each other, from the other side or the same (Core, Vol 6, Part B, 5.1).
  private static let answers: [(request: UInt8, answer: UInt8, isOther: Bool)] = [
    (0x03, 0x04, true), (0x03, 0x05, true), (0x03, 0x06, true), (0x03, 0x06, false), (0x08, 0x09, true), (0x0E, 0x09, true),
    (0x0C, 0x0C, true), (0x0F, 0x00, true), (0x0F, 0x10, true), (0x12, 0x13, true), (0x14, 0x15, true), (0x16, 0x17, true),
    (0x16, 0x18, false), (0x1F, 0x20, true), (0x1F, 0x21, false), (0x0A, 0x0B, true), (0x1A, 0x1B, true), (0x1D, 0x1E, true),
    (0x23, 0x24, true),
  ]
}

extension FilterHistory.Session {
  /// The waiting request was successful.
  fileprivate mutating func answered() {
    switch request {
    case .connect: path = []
    case .setPath:
      // An empty name without the backup flag means the root folder (OBEX, 3.4.6).
      if !goesBack, folder?.isEmpty ?? false { path = [] }
      if goesBack { _ = path?.popLast() }
      if let folder, !folder.isEmpty, path?.count ?? 0 < 64 { path?.append(Array(folder.prefix(256))) }
    default: break
    }
  }
}

extension OBEX.Profile {
  /// Wireshark's number of the profile; 0 for those that it does not know.
  fileprivate var numberOfWireshark: Int {
    switch self {
    case .unknown, .coverArt: 0
    case .objectPush: 1
    case .fileTransfer: 2
    case .phoneBookAccess: 4
    case .messageAccess, .messageNotification: 5
    case .imaging: 6
    case .printing: 7
    case .synchronization: 8
    case .calendar: 9
    }
  }
}

extension FilterEvaluator {
  /// The sender is the host, or the central.
  var isFromHost: Bool { record.direction.isFromHost }

  /// Duration of the Link Layer packet on the air, in µs (Core, Vol 6, Part B, 2.1 and 2.2), if Nordic's sniffer gives the PHY.
  var airTime: UInt32? {
    guard let flags = whole.u8(8), let length = linkLayerPDU.u8(5) else { return nil }
    let bytes = UInt32(length) + 5
    switch flags >> 4 & 7 {
    case 0: return (5 + bytes) * 8
    case 1: return (6 + bytes) * 4
    case 2: return payload.u8(4).map { $0 & 3 == 0 ? 376 + bytes * 64 + 24 : 376 + bytes * 16 + 6 }
    default: return nil
    }
  }
}

extension PacketRow {
  /// Milliseconds of audio in each SBC frame of a media packet.
  var sbcDurations: [Double] { sbcFrames.map { Double($0.samples) * 1000 / Double($0.frequency) } }

  /// Data rate of the audio in each SBC frame, in KiB (1024 bytes) per second.
  var sbcSpeeds: [Int] { sbcFrames.map { ($0.size - 4) * $0.frequency / $0.samples / 1024 } }

  private var sbcFrames: [(samples: Int, frequency: Int, size: Int)] {
    guard layer == .a2dp, A2DP.codec(opcode) == .sbc else { return [] }
    return A2DP.sbcFrames(pdu.span, opcode)
  }
}
