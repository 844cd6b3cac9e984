import Bluetooth
import Captures
import Conversations
import Analysis
import Memory
import Text

/// Rows that a timeline leaves out unless an option shows them, with their numbers.
struct FoldedRows {
  /// Why a row is not shown.
  enum Kind: Int, CaseIterable {
    /// The same advertisement of the same device.
    case repeatedAdvertisement
    /// New data of a device that advertised several different data before.
    case changingAdvertisement
    /// Commands and events of HCI.
    case hci
    /// Events about completed packets, and PDUs that only acknowledge another one.
    case acknowledgement
    /// A command that failed with the same status as before.
    case failure
    /// Vendor diagnostics of a controller.
    case diagnostic
    /// Signaling that sets up channels.
    case signaling
    /// Credits of channels.
    case credits
    /// Audio packets.
    case media
    /// Parts of lines, and of objects between the request and the last response.
    case transfer
    /// Reports in which keys were only released.
    case keyRelease
    /// Reports of a pointer that only moves.
    case pointer
    /// Requests and responses of a discovery, which is printed as one row.
    case discovery
    /// Packets of the Link Layer that belong to no conversation.
    case linkLayer
    /// Packets of the air that were received with errors.
    case damaged
    /// Packets that could not be decrypted.
    case encrypted
    /// Packets of the Link Layer without content, which keep the connection alive.
    case empty
    /// Fragments of a message that is shown reassembled.
    case fragment
    /// Notes of a program that wrote several others like it.
    case note
    /// Repeated rows, for which one row stands.
    case repetition

    var names: (singular: StaticString, many: StaticString) {
      switch self {
      case .repeatedAdvertisement: ("repeated advertisement", "repeated advertisements")
      case .changingAdvertisement: ("advertisement with changing data", "advertisements with changing data")
      case .hci: ("HCI command or event", "HCI commands and events")
      case .acknowledgement: ("acknowledgement", "acknowledgements")
      case .failure: ("failure like one before", "failures like ones before")
      case .diagnostic: ("vendor diagnostic", "vendor diagnostics")
      case .signaling: ("packet that sets up a channel", "packets that set up channels")
      case .credits: ("credit", "credits")
      case .media: ("media packet", "media packets")
      case .transfer: ("part of a line or object", "parts of lines and objects")
      case .keyRelease: ("report of keys let go", "reports of keys let go")
      case .pointer: ("movement of a pointer", "movements of a pointer")
      case .discovery: ("packet of a discovery", "packets of discoveries")
      case .linkLayer: ("Link Layer packet", "Link Layer packets")
      case .damaged: ("packet with a wrong CRC", "packets with a wrong CRC")
      case .encrypted: ("encrypted packet", "encrypted packets")
      case .empty: ("empty packet", "empty packets")
      case .fragment: ("fragment", "fragments")
      case .note: ("note like ones before", "notes like ones before")
      case .repetition: ("repeated value", "repeated values")
      }
    }

    var option: Option {
      switch self {
      case .hci, .acknowledgement, .failure, .diagnostic: .hci
      case .discovery: .discovery
      case .linkLayer, .empty, .damaged: .linkLayer
      case .encrypted: .key
      default: .verbose
      }
    }
  }

  /// The option that shows them.
  enum Option: CaseIterable {
    case hci, linkLayer, key, discovery, verbose

    var name: StaticString {
      switch self {
      case .hci: "--hci"
      case .linkLayer: "--ll"
      case .key: "--key"
      case .discovery: "--discovery"
      case .verbose: "-V"
      }
    }
  }

  private var counts = [Int](repeating: 0, count: Kind.allCases.count)

  @inline(__always)
  mutating func add(_ kind: Kind, _ count: Int = 1) { counts[kind.rawValue] &+= count }

  /// Appends the numbers of rows left out: `not shown: 12 HCI commands and events (--hci), 3 credits (-V)`.
  func write(to out: TextBuffer) {
    var isFirst = true
    for option in Option.allCases {
      let kinds = Kind.allCases.filter { counts[$0.rawValue] > 0 && $0.option == option }
      for (index, kind) in kinds.enumerated() {
        out.text(isFirst ? "not shown: " : index == 0 ? "; " : ", ")
        isFirst = false
        out.decimal(counts[kind.rawValue])
        out.byte(0x20)
        out.text(counts[kind.rawValue] == 1 ? kind.names.singular : kind.names.many)
      }
      if !kinds.isEmpty {
        out.text(" (")
        out.text(option.name)
        out.byte(UInt8(ascii: ")"))
      }
    }
  }

  var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }
}

extension PacketRow {
  /// Whether it reports a failure.
  @inline(__always)
  var hasFailed: Bool {
    switch meaning {
    case .refused: !flags.contains(.continued)
    case .connectionFailed, .commandFailed, .encryptionFailed, .pairingFailed: true
    case .discovered, .connectionCancelled: false
    default: flags.contains(.hasStatus) && status != 0 && isFailure
    }
  }

  /// A sniffed ADV_EXT_IND that has no address: address and data are in the auxiliary packet that it announces (Core, Vol 6, Part B, 2.3.4).
  var isPointerToAuxiliaryPacket: Bool {
    guard layer == .advertisingPDU, LinkLayer.AdvertisingType(rawValue: UInt8(opcode & 15)) == .advExtInd else { return false }
    let payload = AdvertisingPayload(pdu)
    return payload.address == nil && payload.data.count == 0
  }

  /// A scan response without data.
  var isEmptyScanResponse: Bool {
    switch (layer, subevent) {
    case (.advertisingPDU, _):
      LinkLayer.AdvertisingType(rawValue: UInt8(opcode & 15)) == .scanRsp && AdvertisingPayload(pdu).data.count == 0
    case (_, .advertisingReport): pdu.u8(3) == 1 && pdu.u8(4) == 4 && pdu.u8(12) == 0
    // Bit 3 of the event type: scan response (Vol 4, Part E, 7.7.65.13).
    case (_, .extendedAdvertisingReport): pdu.u8(3) == 1 && (pdu.u8(4) ?? 0) & 8 != 0 && pdu.u8(27) == 0 && !flags.contains(.hasAssembled)
    default: false
    }
  }

  private var isFailure: Bool {
    switch statusDomain {
    // The final response is still to come (Core, Vol 3, Part A, 4.3).
    case .l2cap: status != 1
    // The reason why an advertising set ended is no failure.
    case .hci: subevent != .advertisingSetTerminated
    default: true
    }
  }
}

extension TextPrinter {
  /// Why a row is not shown, or nil where it is.
  @inline(__always)
  func reason(_ row: PacketRow, _ batch: RowBatch) -> FoldedRows.Kind? {
    // A value that was read in parts has one row, that of the last part.
    if row.flags.contains(.continued) { return row.meaning == .refused ? .acknowledgement : .fragment }
    switch row.meaning {
    case .notify where row.reportDescription != nil: return report(row)
    case .advertises:
      _ = contents.judge(row)
      if row.isPointerToAuxiliaryPacket { return options.showsLinkLayer ? nil : .linkLayer }
      return row.isEmptyScanResponse ? .repeatedAdvertisement : nil
    // Hosts send commands of other vendors, which the controller does not know.
    case .commandFailed where row.status == 0x01 && row.subcode >> 10 == 0x3F: return options.showsHCI ? nil : .hci
    case .commandFailed: return options.showsHCI || options.isLive || isNewFailure(row) ? nil : .failure
    case .notify, .indicate, .write, .writeCommand, .subscribe, .readValue, .refused, .connected, .disconnected, .connectionFailed,
      .connectionCancelled, .encrypted, .encryptionFailed, .pairingFailed, .pairing:
      return nil
    case .note: return isFrequentNote(row, batch) ? .note : nil
    case .noise: return noise(row)
    case .discovery: return options.showsDiscovery ? nil : .discovery
    case .discovered: return options.showsDiscovery || row.status != 0 && row.failedRequest == nil ? nil : .discovery
    case .writeResponse: return !row.flags.contains(.hasAssembled) && wasShown(row.frame) ? .acknowledgement : nil
    case .confirm: return row.requestFrame != 0 && !row.flags.contains(.isUnsolicited) ? .acknowledgement : nil
    case .read: return readRequest(row)
    default: return row.hasFailed ? nil : housekeeping(row)
    }
  }

  /// A read request is not shown if it has a response, which names the attribute.
  private func readRequest(_ row: PacketRow) -> FoldedRows.Kind? {
    guard row.responseFrame != 0 else { return nil }
    switch row.attOpcode {
    case .readByTypeRequest: return options.showsDiscovery ? nil : .discovery
    case .readRequest, .readBlobRequest:
      markShown(row.responseFrame)
      return .acknowledgement
    default: return nil
    }
  }

  @inline(__always)
  private func noise(_ row: PacketRow) -> FoldedRows.Kind? {
    if row.flags.contains(.badCRC) { return options.showsLinkLayer ? nil : .damaged }
    switch row.layer {
    case .hciEvent where row.eventCode == .leMeta: return advertisement(row)
    case .advertisingPDU: return advertisement(row)
    case .hciEvent: return options.showsHCI ? nil : .acknowledgement
    case .linkLayer, .baseband: return options.showsLinkLayer ? nil : .linkLayer
    case .vendor: return options.showsHCI ? nil : .diagnostic
    default: return options.showsHCI ? nil : .acknowledgement
    }
  }

  /// An advertisement of a device that was heard before, whose data can be new.
  private func advertisement(_ row: PacketRow) -> FoldedRows.Kind? {
    if row.layer == .advertisingPDU, LinkLayer.AdvertisingType(rawValue: UInt8(row.opcode & 15)) == .scanReq {
      return options.showsLinkLayer ? nil : .linkLayer
    }
    switch contents.judge(row) {
    case .new: return nil
    case .repeated: return .repeatedAdvertisement
    case .changing: return .changingAdvertisement
    }
  }

  /// Rows that do not belong to a conversation.
  private func housekeeping(_ row: PacketRow) -> FoldedRows.Kind? {
    switch row.layer {
    case .hciCommand:
      return options.showsHCI || row.meaning == .connects || row.meaning == .disconnects || isDecision(row.opcode) ? nil : .hci
    case .hciEvent:
      if row.meaning == .security || options.showsHCI { return nil }
      if row.meaning == .updated, row.subevent == .connectionUpdateComplete || row.subevent == .phyUpdateComplete { return nil }
      return .hci
    case .monitor, .management, .vendor: return options.showsHCI ? nil : .hci
    case .signaling: return signalingReason(row)
    case .rfcomm: return rfcommReason(row)
    case _ where row.layer.hasCommandLines: return row.opcode & HFP.part != 0 ? .transfer : nil
    case .obex: return row.opcode & (OBEX.continuing | OBEX.part) != 0 ? .transfer : nil
    case .sdp: return options.showsDiscovery || showsServices(row) ? nil : .discovery
    case .hid: return row.reportDescription == nil ? nil : report(row)
    case _ where row.layer.isMedia: return .media
    case .baseband: return options.showsLinkLayer || row.meaning != .noise ? nil : .linkLayer
    case .linkLayerControl, .lmp:
      return options.showsLinkLayer || row.meaning == .updated || row.meaning == .security || row.meaning == .encrypted ? nil : .linkLayer
    case .hciACL where row.flags.contains(.part): return .fragment
    case .linkLayer: return options.showsLinkLayer ? nil : row.flags.contains(.encrypted) ? .encrypted : .linkLayer
    default: return nil
    }
  }

  /// Commands by which the host or its user decides on a pairing: replies from 0x040A (Reject Connection Request) to 0x0411 and to requests of a
  /// pairing, and commands that start encryption.
  private func isDecision(_ opcode: UInt32) -> Bool {
    switch opcode {
    case 0x040A...0x040E, 0x0411, 0x0413, 0x042B...0x0430, 0x0433, 0x0434, 0x2019...0x201B: true
    default: false
    }
  }

  /// Whether a program wrote several notes before that differ from this one in numbers only, such as counters and addresses, or behind their first
  /// words. Comments on packets are not meant: people write them.
  @inline(never)
  private func isFrequentNote(_ row: PacketRow, _ batch: RowBatch) -> Bool {
    guard unsafe batch.packets.records.indices.contains(Int(row.record)), unsafe batch.packets.records[Int(row.record)].kind.isNote else {
      return false
    }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var left = 32
    for byte in row.pdu where left > 0 && !(0x30...0x39).contains(byte) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      left -= 1
    }
    guard noteCounts[hash] != nil || noteCounts.count < 4096 else { return false }
    noteCounts[hash, default: 0] &+= 1
    return noteCounts[hash, default: 0] > Self.maxNotes
  }
  /// Most notes of a kind that are shown.
  private static let maxNotes = 8

  /// Whether a command failed with this status for the first time.
  private func isNewFailure(_ row: PacketRow) -> Bool {
    failures.count < 1024 ? failures.insert(UInt32(row.subcode) << 8 | UInt32(row.status)).inserted : true
  }

  /// The opening and closing of a channel is shown, its configuration is not. A channel of the Service Discovery Protocol belongs to its discovery.
  private func signalingReason(_ row: PacketRow) -> FoldedRows.Kind? {
    switch row.signalingCode {
    case .connectionRequest where row.pdu.u16(4) == SDP.psm:
      markShown(row.frame)
      return options.showsDiscovery ? nil : .discovery
    case .connectionResponse where row.requestFrame != 0 && wasShown(row.requestFrame), .disconnectionRequest where row.detail == SDP.psm:
      return options.showsDiscovery ? nil : .discovery
    // The final response is still to come (Vol 3, Part A, 4.3).
    case .connectionResponse where row.status == 1: return .signaling
    case .connectionRequest, .connectionResponse, .disconnectionRequest, .commandReject, .leCreditBasedConnectionRequest,
      .leCreditBasedConnectionResponse, .creditBasedConnectionRequest, .creditBasedConnectionResponse, .connectionParameterUpdateRequest:
      return nil
    default: return .signaling
    }
  }

  /// Whether a report only says that keys were released, or that a pointer moved on.
  @inline(never)
  private func report(_ row: PacketRow) -> FoldedRows.Kind? {
    guard let change = row.reportChange, row.requestFrame == 0, change.keys == 0, change.buttons == 0 else { return nil }
    if change.moves > 0 { return .pointer }
    return change.released > 0 ? .keyRelease : nil
  }

  private func rfcommReason(_ row: PacketRow) -> FoldedRows.Kind? {
    guard let frame = RFCOMM.Frame(row.pdu.span) else { return nil }
    if frame.dlci <= 1 { return .signaling }
    return frame.type == .uih && frame.length == 0 ? .credits : nil
  }

  private func showsServices(_ row: PacketRow) -> Bool {
    if SDP.isJoined(row.opcode) { return true }
    guard let code = row.pdu.u8(0).flatMap({ SDP.PDUIdentifier(rawValue: $0) }) else { return true }
    switch code {
    case .serviceSearchRequest, .serviceSearchResponse, .serviceSearchAttributeRequest, .serviceAttributeRequest: return false
    case .serviceSearchAttributeResponse, .serviceAttributeResponse: return row.opcode & SDP.lastPart == 0
    default: return true
    }
  }

  /// Marks the response in this frame as shown with its request.
  func markShown(_ frame: Int) {
    shownResponses[shownNext & 15] = frame
    shownNext &+= 1
  }

  @inline(__always)
  func wasShown(_ frame: Int) -> Bool { shownResponses.contains(frame) }
}

/// Judges advertisements of devices: repeated, new, or always different.
struct AdvertisementContents {
  enum Verdict { case new, repeated, changing }
  /// Hashes of contents that were seen; then devices with the number of contents shown for each.
  private var seen = [UInt64](repeating: 0, count: 8192)
  private let key = HashKey()
  private var shown: [UInt64: UInt8] = [:]
  /// Most contents of one device that are shown.
  private static let maxCount: UInt8 = 4
  private static let maxDevices = 8192

  /// Judges an advertisement of a device that was heard before.
  mutating func judge(_ row: PacketRow) -> Verdict {
    let device = Advertisement.address(row) ?? 0
    var data = PDUBytes()
    var kind: UInt64 = 0
    switch (row.layer, row.subevent) {
    case (.advertisingPDU, _):
      data = AdvertisingPayload(row.pdu).data
      kind = UInt64(row.opcode & 15)
    case (_, .advertisingReport):
      // Events with several reports are rare, and were new together.
      guard row.pdu.u8(3) == 1 else { return .repeated }
      data = row.pdu.slice(13, Int(row.pdu.u8(12) ?? 0))
      kind = UInt64(row.pdu.u8(4) ?? 0)
    case (_, .extendedAdvertisingReport):
      guard row.pdu.u8(3) == 1 else { return .repeated }
      // A fragment of advertising data is shown when the data is complete.
      if let type = row.pdu.u16(4), type & 0x60 == 0x20 { return .repeated }
      data = row.flags.contains(.hasAssembled) ? row.assembled : row.pdu.slice(28, Int(row.pdu.u8(27) ?? 0))
      kind = UInt64(row.pdu.u16(4) ?? 0)
    default: return .repeated
    }
    guard data.count > 0 else { return .repeated }
    let source = device &* 0x9E37_79B9_7F4A_7C15 ^ kind
    // Never 0.
    let hash = data.hash(key: key.with(source)) | 1
    let slot = Self.slot(of: data, source)
    if seen[slot] == hash { return .repeated }
    seen[slot] = hash
    let before = shown[device] ?? 0
    guard before < Self.maxCount, shown.count < Self.maxDevices else { return .changing }
    shown[device] = before + 1
    return .new
  }

  /// The slot of a content. Contents that displace each other determine the printed rows, so the hash is the same in every run. A device that chooses
  /// data for one slot causes more rows, not fewer.
  private static func slot(of data: PDUBytes, _ source: UInt64) -> Int {
    var hash = source ^ UInt64(truncatingIfNeeded: data.count) &* 0xC2B2_AE3D_27D4_EB4F
    var at = 0
    while let low = data.u32(at), let high = data.u32(at &+ 4) {
      hash = (hash ^ (UInt64(low) | UInt64(high) << 32)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      at &+= 8
    }
    while let byte = data.u8(at) {
      hash = (hash ^ UInt64(byte)) &* 0x1000_0000_01B3
      at &+= 1
    }
    return Int(truncatingIfNeeded: hash >> 32) & 8191
  }
}
