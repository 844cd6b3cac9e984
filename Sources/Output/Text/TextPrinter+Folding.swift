import Bluetooth
import Captures
import Conversations
import Analysis
import Memory
import Text

/// What a timeline leaves out unless it is asked for, and how much of it there was.
struct FoldedRows {
  /// Why a row is not shown.
  enum Kind: Int, CaseIterable {
    /// The same advertisement of the same device.
    case repeatedAdvertisement
    /// New data of a device that had several before.
    case changingAdvertisement
    /// What host and controller tell each other.
    case hci
    /// Completed packets, and commands of which nothing is told but that they arrived.
    case acknowledgement
    /// A command that failed, as it did before.
    case failure
    /// Diagnostics of a maker of controllers.
    case diagnostic
    /// How channels are set up.
    case signaling
    /// Credits of channels.
    case credits
    /// Sound.
    case media
    /// Parts of lines, and of objects between the request and the last answer.
    case transfer
    /// Reports in which keys were only let go.
    case keyRelease
    /// Reports of a pointer that only moves.
    case pointer
    /// Requests and answers of a discovery, which is told as a whole.
    case discovery
    /// Packets of the Link Layer without a conversation.
    case linkLayer
    /// Packets that no key opened.
    case encrypted
    /// Packets of the Link Layer without content, which keep the connection alive.
    case empty
    /// Fragments of what is shown as a whole.
    case fragment
    /// Rows that were like those before, and were told together.
    case repetition

    var names: (one: StaticString, many: StaticString) {
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
      case .encrypted: ("encrypted packet", "encrypted packets")
      case .empty: ("empty packet", "empty packets")
      case .fragment: ("fragment", "fragments")
      case .repetition: ("repeated value", "repeated values")
      }
    }

    var option: Option {
      switch self {
      case .hci, .acknowledgement, .failure, .diagnostic: .hci
      case .discovery: .discovery
      case .linkLayer, .empty: .linkLayer
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

  /// Appends what was left out: `not shown: 12 HCI commands and events (--hci), 3 credits (-V)`.
  func write(to out: TextBuffer) {
    var isFirst = true
    for option in Option.allCases {
      let kinds = Kind.allCases.filter { counts[$0.rawValue] > 0 && $0.option == option }
      for (place, kind) in kinds.enumerated() {
        out.text(isFirst ? "not shown: " : place == 0 ? "; " : ", ")
        isFirst = false
        out.decimal(counts[kind.rawValue])
        out.byte(0x20)
        out.text(counts[kind.rawValue] == 1 ? kind.names.one : kind.names.many)
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
  /// It reports that something did not work.
  @inline(__always)
  var hasFailed: Bool {
    switch meaning {
    case .refused: !flags.contains(.continued)
    case .connectionFailed, .commandFailed, .encryptionFailed, .pairingFailed: true
    case .discovered, .connectionCancelled: false
    default: flags.contains(.hasStatus) && status != 0 && isFailure
    }
  }

  /// A scan response in which the device says nothing.
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
    // The answer is still to come (Core, Vol 3, Part A, 4.3).
    case .l2cap: status != 1
    // How an advertising set was ended is no failure.
    case .hci: subevent != .advertisingSetTerminated
    default: true
    }
  }
}

extension TextPrinter {
  /// Why a row is not shown, or nil where it is.
  @inline(__always)
  func reason(_ row: PacketRow, _ batch: RowBatch) -> FoldedRows.Kind? {
    // A value that was read in parts has one row, the last.
    if row.flags.contains(.continued) { return row.meaning == .refused ? .acknowledgement : .fragment }
    switch row.meaning {
    case .notify where row.reportDescription != nil: return report(row)
    case .advertises:
      _ = contents.judge(row)
      return row.isEmptyScanResponse ? .repeatedAdvertisement : nil
    // Hosts ask controllers for what other vendors' have.
    case .commandFailed where row.status == 0x01 && row.subcode >> 10 == 0x3F: return options.showsHCI ? nil : .hci
    case .commandFailed: return options.showsHCI || options.isLive || isNewFailure(row) ? nil : .failure
    case .notify, .indicate, .write, .writeCommand, .subscribe, .readValue, .refused, .connected, .disconnected, .connectionFailed,
      .connectionCancelled, .encrypted, .encryptionFailed, .pairingFailed, .pairing, .note:
      return nil
    case .noise: return noise(row)
    case .discovery: return options.showsDiscovery ? nil : .discovery
    case .discovered: return options.showsDiscovery || row.status != 0 && row.failedRequest == nil ? nil : .discovery
    case .writeDone: return !row.flags.contains(.hasAssembled) && wasShown(row.frame) ? .acknowledgement : nil
    case .confirm: return row.requestFrame != 0 && !row.flags.contains(.unasked) ? .acknowledgement : nil
    case .read: return readRequest(row)
    default: return row.hasFailed ? nil : housekeeping(row)
    }
  }

  /// The answer tells what was read.
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
    switch row.layer {
    case .hciEvent where row.eventCode == .leMeta: return advertisement(row)
    case .advertisingPDU: return advertisement(row)
    case .hciEvent: return options.showsHCI ? nil : .acknowledgement
    case .linkLayer, .baseband: return options.showsLinkLayer ? nil : .linkLayer
    case .vendor: return options.showsHCI ? nil : .diagnostic
    default: return options.showsHCI ? nil : .acknowledgement
    }
  }

  /// Of a device that was heard before: what it says may be new.
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

  /// What does not belong to a conversation.
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
    case .hfp, .hsp: return row.opcode & HFP.part != 0 ? .transfer : nil
    case .obex: return row.opcode & (OBEX.continuing | OBEX.part) != 0 ? .transfer : nil
    case .sdp: return options.showsDiscovery || showsServices(row) ? nil : .discovery
    case .hid: return row.reportDescription == nil ? nil : report(row)
    case .a2dp, .hciSCO, .hciISO: return .media
    case .baseband: return options.showsLinkLayer || row.meaning != .noise ? nil : .linkLayer
    case .linkLayerControl, .lmp:
      return options.showsLinkLayer || row.meaning == .updated || row.meaning == .security || row.meaning == .encrypted ? nil : .linkLayer
    case .hciACL where row.flags.contains(.part): return .fragment
    case .linkLayer: return options.showsLinkLayer ? nil : row.flags.contains(.encrypted) ? .encrypted : .linkLayer
    default: return nil
    }
  }

  /// Commands by which the host, or who sits before it, decides on a pairing: replies from 0x040A (Reject Connection Request) to 0x0411 and to what a
  /// pairing asks, and what begins encryption.
  private func isDecision(_ opcode: UInt32) -> Bool {
    switch opcode {
    case 0x040A...0x040E, 0x0411, 0x0413, 0x042B...0x0430, 0x0433, 0x0434, 0x2019...0x201B: true
    default: false
    }
  }

  /// Whether a command failed with this status for the first time.
  private func isNewFailure(_ row: PacketRow) -> Bool {
    failures.count < 1024 ? failures.insert(UInt32(row.subcode) << 8 | UInt32(row.status)).inserted : true
  }

  /// How a channel is set up is not shown, but that it opens and closes. A channel of the Service Discovery Protocol belongs to its discovery.
  private func signalingReason(_ row: PacketRow) -> FoldedRows.Kind? {
    switch row.signalingCode {
    case .connectionRequest where row.pdu.u16(4) == SDP.psm:
      markShown(row.frame)
      return options.showsDiscovery ? nil : .discovery
    case .connectionResponse where row.requestFrame != 0 && wasShown(row.requestFrame), .disconnectionRequest where row.asked == SDP.psm:
      return options.showsDiscovery ? nil : .discovery
    // The answer is still to come (Vol 3, Part A, 4.3).
    case .connectionResponse where row.status == 1: return .signaling
    case .connectionRequest, .connectionResponse, .disconnectionRequest, .commandReject, .leCreditBasedConnectionRequest,
      .leCreditBasedConnectionResponse, .creditBasedConnectionRequest, .creditBasedConnectionResponse, .connectionParameterUpdateRequest:
      return nil
    default: return .signaling
    }
  }

  /// Reports that only say that something was let go, or that a pointer moved on.
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

  /// The answer in this frame is told with its request.
  func markShown(_ frame: Int) {
    shownResponses[shownNext & 15] = frame
    shownNext &+= 1
  }

  @inline(__always)
  func wasShown(_ frame: Int) -> Bool { shownResponses.contains(frame) }
}

/// What devices advertised: the same again, something new, or always something else.
struct AdvertisementContents {
  enum Verdict { case new, repeated, changing }
  /// Hashes of contents that were seen; devices with the number of contents that were shown of each.
  private var seen = [UInt64](repeating: 0, count: 8192)
  private let key = HashKey()
  private var shown: [UInt64: UInt8] = [:]
  /// Contents of one device that are shown.
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
      // Several devices in one report are rare, and were new together.
      guard row.pdu.u8(3) == 1 else { return .repeated }
      data = row.pdu.slice(13, Int(row.pdu.u8(12) ?? 0))
      kind = UInt64(row.pdu.u8(4) ?? 0)
    case (_, .extendedAdvertisingReport):
      guard row.pdu.u8(3) == 1 else { return .repeated }
      // A part of one is told when it is whole.
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

  /// Where contents are kept. Which of them displace which decides what is printed, so that this is the same in every run; that bytes can be chosen for
  /// one place makes more rows, not less.
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
