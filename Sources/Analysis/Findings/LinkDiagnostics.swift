import Bluetooth
import Captures
import Conversations
import Memory

/// Finds problems in the rows of a capture that no single packet shows: refusals, lost connections, attempts that never complete, writes whose
/// responses cannot arrive. Memory is one small record per connection.
final class LinkDiagnostics {
  private(set) var subscriptions = SubscriptionTracker()
  private var links = LiveConnections<DiagnosedLink>()
  private var attempts: [UInt16: Attempt] = [:]
  private var findings: [Finding] = []
  private let hashKey = HashKey()
  /// For a written attribute, the following characteristic that may carry responses, or -1.
  private var answers: [Int32: Int32] = [:]
  private var lastTime: Int64 = .min
  /// Time of the last ATT PDU.
  private var lastATT: Int64 = .min &+ 1_000_000
  /// The clock of the capture went back by more than a second: times between packets are meaningless.
  private var hasClockJumped = false
  /// This host's last negative reply to a pairing request of its controller, and the peer; the last reported failure of pairing over BR/EDR.
  private var declined: (peer: Int32, command: UInt16, frame: Int, time: Int64) = (-1, 0, 0, .min)
  private var failed: (peer: Int32, time: Int64) = (-1, .min)
  /// Refused channels, by their time, that may still be opened.
  private var refusals: [Refusal] = []
  /// The longest encryption key of the connections to each peer.
  private var keySizes: [Int32: UInt8] = [:]

  init() {}

  /// A connection attempt that has not completed.
  private struct Attempt {
    var frame: Int
    var time: Int64
    /// The host waits for any of its known devices, which may take forever.
    var isBackground: Bool
    /// Address of the target; 0 for any device of the filter accept list.
    var address: UInt64
    var isCancelled = false
  }

  /// A refused L2CAP channel.
  private struct Refusal {
    var psm: UInt16
    var connection: Int32
    var time: Int64
    var finding: Finding
  }

  /// µs after which a channel that was refused is no longer expected to be opened.
  private static let refusalTime: Int64 = 30_000_000
  private static let maxRefusals = 256
  /// Most channels that are remembered of a connection.
  private static let maxChannels = 64

  /// ``takeFindings()`` would return findings.
  @inline(__always)
  var hasFindings: Bool { !findings.isEmpty }

  /// The findings since the last call.
  func takeFindings() -> [Finding] {
    defer { findings.removeAll() }
    return findings
  }

  /// Whether rows of this kind can matter to ``process(_:_:)``: advertisements, completed packets and rows of other layers cannot.
  @inline(__always)
  static func concerns(_ layer: ProtocolID, _ meaning: Meaning) -> Bool {
    switch layer {
    case .att, .hciCommand, .smp, .signaling, .linkLayerControl, .lmp: true
    case .hciEvent: meaning != .noise && meaning != .advertises
    default: false
    }
  }

  /// Takes the next row.
  func process(_ row: PacketRow, _ tables: ConversationTables) {
    guard Self.concerns(row.layer, row.meaning) else { return }
    if !refusals.isEmpty { reportRefusals { row.time &- $0.time > Self.refusalTime } }
    switch row.layer {
    case .att: att(row, tables)
    case .hciEvent: event(row, tables)
    case .hciCommand: command(row)
    case .smp: security(row)
    case .signaling: signaling(row, tables)
    case .lmp: linkManager(row, tables)
    case .linkLayerControl: control(row, tables)
    default: break
    }
  }

  /// The rows of a batch ended; `time` is that of its last packet.
  func batchDidEnd(at time: Int64) { lastTime = max(lastTime, time) }

  /// Called at the end of the capture: reports connection attempts without a result, and ends all connections.
  func finish(_ tables: ConversationTables) {
    for (adapter, attempt) in attempts.sorted(by: { $0.key < $1.key }) {
      let waited = lastTime &- attempt.time
      guard !attempt.isBackground, !attempt.isCancelled, waited > 10_000_000 else { continue }
      findings.append(
        Finding(
          .attemptOpen(frame: attempt.frame, waited: waited), frame: attempt.frame, time: lastTime, adapter: adapter,
          address: attempt.address))
    }
    attempts.removeAll()
    for connection in links.connections { leave(connection, tables, time: lastTime) }
    reportRefusals { _ in true }
  }

  private func report(
    _ kind: Finding.Kind, _ row: PacketRow, attribute: Int32 = -1, address: UInt64 = 0
  ) {
    findings.append(Finding(kind, at: row, attribute: attribute, address: address))
  }

  /// The record of a connection, created with its first row.
  @inline(__always)
  private func prepare(_ connection: Int32, _ tables: ConversationTables) -> Int {
    let at = Int(connection)
    if !links.has(at) || !links[at].isKnown { learn(at, tables) }
    return at
  }

  private func learn(_ at: Int, _ tables: ConversationTables) {
    links.open(at, DiagnosedLink())
    let connection = tables.connections[at]
    links[at].isKnown = true
    links[at].isLowEnergy = connection.transport == .le || connection.transport == .unknown
    // Values negotiated before the capture are unknown.
    links[at].startsHere = connection.startFrame != 0
    links[at].mtu = connection.startFrame != 0 && connection.transport == .le ? 23 : 0
  }

  // MARK: ATT

  private func att(_ row: PacketRow, _ tables: ConversationTables) {
    guard row.connection >= 0 else { return }
    if row.time < lastATT &- 1_000_000 { hasClockJumped = true }
    lastATT = row.time
    let at = prepare(row.connection, tables)
    if row.channel == 4, links[at].mtu != 0, row.pdu.count > Int(links[at].mtu) {
      report(.valueExceedsMTU(count: row.pdu.count, mtu: Int(links[at].mtu)), row, attribute: row.attribute)
    }
    switch row.meaning {
    case .notify where row.opcode == ATT.Opcode.multipleHandleValueNotification.rawValue:
      row.forEachNotified(tables) { value($0, at, tables) }
    case .notify, .indicate: value(row, at, tables)
    case .subscribe:
      let bits = row.value.u16(0) ?? 0
      links[at].configured = (row.frame, bits)
      subscriptions.configured(row, tables)
      if row.attOpcode != .writeRequest, bits & 3 != 0 { report(.subscribedByCommand, row, attribute: configured(row, tables)) }
    case .write, .writeCommand: written(row, at, tables)
    default: transaction(row, at, tables)
    }
  }

  @inline(__always)
  private func value(_ row: PacketRow, _ at: Int, _ tables: ConversationTables) {
    links[at].cameBack = true
    links[at].lastValue = row.frame
    if subscriptions.counted(row, firstWrite: links[at].firstWrite) { return }
    let firstWrite = links[at].firstWrite
    let startsHere = links[at].startsHere
    let isEncrypted = links[at].isEncrypted
    let known = row.attribute >= 0 && subscriptions.wasSubscribed(tables.attributes[Int(row.attribute)].database, row.attributeHandle)
    let began = subscriptions.value(row, firstWrite: firstWrite) {
      if !startsHere { return .beforeCapture }
      // Only bonded devices keep subscriptions (Vol 3, Part G, 3.3.3.3), and an encrypted link is taken as one of bonded devices.
      return isEncrypted || known ? .restored : .unsolicited
    }
    // Service Changed is indicated to bonded clients even if the log shows no subscription.
    if let began, began.beginning == .unsolicited, row.meaning == .notify {
      report(.notificationWithoutSubscription, row, attribute: row.attribute)
    }
  }

  private func written(_ row: PacketRow, _ at: Int, _ tables: ConversationTables) {
    guard row.attOpcode != .executeWriteRequest, row.attOpcode != .prepareWriteRequest else { return }
    links[at].writes &+= 1
    if links[at].firstWrite == .max { links[at].firstWrite = row.time }
    repeated(row, at)
    guard links[at].startsHere, !links[at].isEncrypted || links[at].isPairedHere, row.attribute >= 0 else { return }
    guard !links[at].warned.contains(row.attribute), links[at].warned.count < 64 else { return }
    let answer = responseAttribute(row.attribute, tables)
    guard answer >= 0 else { return }
    let handle = tables.attributes[Int(answer)].handle
    let isLocal = row.flags.contains(.localServer)
    links[at].warned.append(row.attribute)
    if subscriptions.period(row.connection, handle, isLocal: isLocal) != nil { return }
    if subscriptions.wasSubscribed(tables.attributes[Int(answer)].database, handle) { return }
    report(.answerMayBeMissed(answer: answer), row, attribute: row.attribute)
  }

  /// The characteristic that most likely carries the responses to writes of `attribute`: the next of the same service, if it supports only
  /// notifications or indications; -1 where there is none.
  private func responseAttribute(_ attribute: Int32, _ tables: ConversationTables) -> Int32 {
    if let known = answers[attribute] { return known }
    let written = tables.attributes[Int(attribute)]
    var answer: Int32 = -1
    if written.kind == .value, written.properties & 0x0C != 0, written.properties & 0x32 == 0 {
      var handle = written.handle
      search: for _ in 0..<8 where handle < .max {
        handle += 1
        let next = tables.attribute(written.database, handle, at: .max)
        guard next >= 0 else { continue }
        let found = tables.attributes[Int(next)]
        switch found.kind {
        case .service: break search
        case .value:
          // A readable characteristic is a state, not a response.
          if found.properties & 0x30 != 0, found.properties & 0x0E == 0 { answer = next }
          break search
        default: continue
        }
      }
      if answers.count < 4096 { answers[attribute] = answer }
    }
    return answer
  }

  /// Reports the same value written again without a value in between, on a connection where writes usually get responses.
  private func repeated(_ row: PacketRow, _ at: Int) {
    let last = links[at].lastWrite
    let cameBack = links[at].cameBack
    links[at].cameBack = false
    if last.frame != 0, cameBack { links[at].answered &+= 1 }
    let hash = row.value.hash(key: hashKey)
    let waited = row.time &- last.time
    let isSame = last.frame != 0 && last.attribute == row.attribute && last.hash == hash && last.count == row.valueCount
    // Shortest time after which the app writes a value again although a response came: it polls, or sends everything twice.
    if isSame, cameBack || waited < 200_000 { links[at].usualPause = min(links[at].usualPause, waited) }
    links[at].lastWrite = (row.frame, row.time, row.attribute, hash, row.valueCount)
    // Most writes so far must have had a response: the silence of a device that never responds proves nothing.
    guard isSame, !cameBack, waited < links[at].usualPause / 4 * 3, row.valueCount > 1, links[at].answered >= 3,
      links[at].answered &* 4 >= (links[at].writes &- 2) &* 3, waited >= 200_000
    else { return }
    report(.writeRepeated(frame: last.frame, after: waited), row, attribute: row.attribute)
  }

  private func transaction(_ row: PacketRow, _ at: Int, _ tables: ConversationTables) {
    switch row.attOpcode {
    case .exchangeMTURequest:
      // The MTU is unknown until the response, and if the capture misses the response.
      links[at].offered = row.pdu.u16(1) ?? 0
      links[at].former = max(links[at].former, links[at].mtu)
      links[at].mtu = 0
    case .exchangeMTUResponse:
      if row.requestFrame != 0, links[at].offered >= 23, let mine = row.pdu.u16(1), mine >= 23 {
        links[at].mtu = max(links[at].former, min(mine, links[at].offered))
      }
    case .errorResponse: refused(row, at, tables)
    case .writeResponse where row.requestFrame != 0 && links[at].configured.frame == row.requestFrame:
      if Self.swappedConfigurations.contains(links[at].configured.bits) {
        report(.configurationSwapped, row, attribute: configured(row, tables))
      }
    default: break
    }
    guard row.requestFrame != 0, row.flags.contains(.hasLatency), !hasClockJumped else { return }
    if row.latency > 30_000_000 {
      // No host waits ten minutes: the clock was set, which is not detected for steps of less than a day.
      guard row.latency < 600_000_000 else { return }
      report(.answerTooLate(frame: row.requestFrame, after: row.latency), row)
      return
    }
    // The peripheral may skip events by its latency; a response takes two of the events it attends. While users confirm a pairing, responses are
    // slow.
    let interval = Int64(tables.connections[at].interval) &* 1250 &* Int64(tables.connections[at].latency &+ 1)
    guard row.latency > 1_000_000, row.latency > interval &* 10, links[at].pairingFrame < row.requestFrame else { return }
    guard row.latency > links[at].slowest &* 2 else { return }
    links[at].slowest = row.latency
    report(
      .answerSlow(after: row.latency, interval: Int(tables.connections[at].interval), request: row.requestFrame), row,
      attribute: row.attribute)
  }

  /// The characteristic whose configuration a row is about, or the configuration itself.
  private func configured(_ row: PacketRow, _ tables: ConversationTables) -> Int32 {
    let owner = row.attribute >= 0 ? tables.characteristic(of: row.attribute) : -1
    return owner >= 0 ? owner : row.attribute
  }

  /// Values of a Client Characteristic Configuration with their two bytes swapped.
  private static var swappedConfigurations: [UInt16] { [0x0100, 0x0200, 0x0300] }

  /// Errors by which a server requires authentication, authorization or encryption of the link.
  private static var securityErrors: [ATT.ErrorCode] { [.insufficientAuthentication, .insufficientAuthorization, .insufficientEncryption] }

  /// An Error Response, unless it is the way a discovery, a long read or an offer ends.
  private func refused(_ row: PacketRow, _ at: Int, _ tables: ConversationTables) {
    let type = row.attribute >= 0 ? tables.type(of: tables.attributes[Int(row.attribute)]) : nil
    var attribute: Finding.RefusedAttribute = type?.isDescriptor == true ? .descriptor : .other
    if row.failedRequest == .writeRequest, type?.short16 == 0x2902 {
      subscriptions.refused(row, tables)
      let written = links[at].configured
      // A server that requires more security rejects the request before it checks the value.
      if written.frame == row.requestFrame, Self.swappedConfigurations.contains(written.bits),
        !Self.securityErrors.contains(ATT.ErrorCode(rawValue: row.status))
      {
        attribute = .swappedConfiguration
      }
    }
    guard row.meaning == .refused else { return }
    if row.isEndOfLongRead { return }
    if Self.securityErrors.contains(ATT.ErrorCode(rawValue: row.status)), !links[at].isEncrypted, links[at].unmetFrame == 0 {
      links[at].unmetFrame = row.frame
      links[at].unmet = row.status
    }
    report(
      .requestRefused(
        opcode: UInt8(truncatingIfNeeded: row.subcode), error: row.status, handle: row.pdu.u16(2) ?? 1, byHost: row.direction == .sent,
        of: attribute),
      row,
      attribute: row.attribute)
  }

  // MARK: Link

  private func event(_ row: PacketRow, _ tables: ConversationTables) {
    switch row.meaning {
    case .connected:
      if row.connection >= 0 { learn(Int(row.connection), tables) }
      if row.eventCode == .leMeta, row.pdu.u8(6) == 0 { attempts[row.adapter] = nil }
    case .connectionFailed: connectionFailed(row)
    case .connectionCancelled: if row.eventCode == .leMeta { attempts[row.adapter] = nil }
    case .disconnected: disconnected(row, tables)
    case .encrypted:
      if row.connection >= 0, row.eventCode != .encryptionKeyRefreshComplete, row.pdu.u8(5) != 0 {
        links[prepare(row.connection, tables)].isEncrypted = true
        checkAgreement(row, isOnAir: false)
        if row.eventCode == .encryptionChangeV2 { encrypted(row, with: row.pdu.u8(6), tables) } else { encrypted(row, with: nil, tables) }
      }
    case .encryptionFailed: encryptionFailed(row, tables)
    case .pairingFailed: pairingFailed(row, tables)
    case .updated:
      // If the link is lost during the procedure (connection timeout, LL response timeout), the parameters were not refused.
      if row.subevent == .connectionUpdateComplete, row.flags.contains(.hasStatus), row.status != 0, row.hciError != .connectionTimeout,
        row.hciError != .lmpResponseTimeoutOrLLResponseTimeout
      {
        report(.parametersRefused(.error(row.status), request: nil), row)
      }
    case .commandFailed: commandFailed(row, tables)
    default:
      switch row.eventCode {
      case .commandComplete:
        // Read Encryption Key Size returns status, connection handle and size (Vol 4, Part E, 7.5.7).
        if row.completedCommand == .readEncryptionKeySize, row.status == 0, row.connection >= 0 {
          encrypted(row, with: row.pdu.u8(8), tables)
        } else if row.completedCommand == .reset, row.status == 0 {
          wasReset(row, tables)
        }
      case .authenticationComplete:
        // Simple Pairing Complete may have reported the same failure.
        if row.flags.contains(.hasStatus), row.status != 0, row.connection >= 0 {
          pairingFailed(row, tables)
        }
      case .encryptionKeyRefreshComplete:
        if row.flags.contains(.hasStatus), row.status != 0 { encryptionFailed(row, tables) }
      default: break
      }
    }
  }

  private func connectionFailed(_ row: PacketRow) {
    var attempt: Int?
    var address = row.pdu.address(row.eventCode == .leMeta ? 8 : 5) ?? 0
    if row.eventCode == .leMeta {
      let open = attempts.removeValue(forKey: row.adapter)
      if open?.isCancelled == true { return }
      attempt = open?.frame
      if address == 0 { address = open?.address ?? 0 }
    }
    report(.connectionFailed(error: row.status, attempt: attempt), row, address: address)
  }

  private func commandFailed(_ row: PacketRow, _ tables: ConversationTables) {
    switch row.completedCommand {
    case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2:
      guard let attempt = attempts[row.adapter], attempt.frame == row.requestFrame else { return }
      attempts[row.adapter] = nil
      report(.connectionFailed(error: row.status, attempt: attempt.frame), row, address: attempt.address)
    case .createConnection: report(.connectionFailed(error: row.status, attempt: row.request), row)
    // A connection that had just ended did not refuse the parameters.
    case .leConnectionUpdate where row.hciError != .unknownConnectionIdentifier:
      report(.parametersRefused(.command(row.status), request: row.request), row)
    case .setConnectionEncryption, .leEnableEncryption: if row.hciError != .unknownConnectionIdentifier { encryptionFailed(row, tables) }
    default: break
    }
  }

  /// If pairing was seen on the connection, the failing key is not that of an earlier bond.
  private func encryptionFailed(_ row: PacketRow, _ tables: ConversationTables) {
    let isPairing = row.connection >= 0 && links[prepare(row.connection, tables)].isPairedHere
    report(.encryptionFailed(error: row.status, isPairing: isPairing), row)
  }

  /// The frame of the last value that came over a connection, or 0.
  func lastValue(_ connection: Int32) -> Int { links.has(Int(connection)) ? links[Int(connection)].lastValue : 0 }

  private func disconnected(_ row: PacketRow, _ tables: ConversationTables) {
    guard row.status == 0, row.connection >= 0 else { return }
    left(row, tables, reason: row.pdu.u8(5) ?? 0)
  }

  /// A control PDU of the Link Layer in a sniffer's capture.
  private func control(_ row: PacketRow, _ tables: ConversationTables) {
    guard row.connection >= 0 else { return }
    switch row.meaning {
    case .encrypted:
      links[prepare(row.connection, tables)].isEncrypted = true
      checkAgreement(row, isOnAir: true)
      encrypted(row, with: nil, tables)
    case .disconnected: left(row, tables, reason: row.pdu.u8(1) ?? 0)
    case .security: links[prepare(row.connection, tables)].isEncrypting = true
    case .commandFailed: rejected(row, tables)
    default: break
    }
  }

  /// LL_REJECT_IND, which only rejects a start of encryption (Vol 6, Part B, 5.1.3.1), or LL_REJECT_EXT_IND, which has the rejected opcode.
  private func rejected(_ row: PacketRow, _ tables: ConversationTables) {
    let isEncrypting = links[prepare(row.connection, tables)].isEncrypting
    switch row.controlOpcode == .rejectExtInd ? row.pdu.u8(1).flatMap(LinkLayer.ControlOpcode.init) : isEncrypting ? .encReq : nil {
    case .encReq: encryptionFailed(row, tables)
    case .connectionParamReq: report(.parametersRefused(.error(row.status), request: nil), row)
    default: break
    }
  }

  private func left(_ row: PacketRow, _ tables: ConversationTables, reason: UInt8) {
    subscriptions.disconnected(row.connection, row.frame, row.time)
    let isHungUp = links.has(Int(row.connection)) && links[Int(row.connection)].isHungUp
    leave(row.connection, tables, time: row.time, frame: row.frame)
    // The host disconnected, and the peer did not acknowledge it: that is no loss. A supervision timeout is one, even after the host's Disconnect
    // command.
    let error = HCI.ErrorCode(rawValue: reason)
    if isHungUp, error == .lmpResponseTimeoutOrLLResponseTimeout { return }
    switch error {
    // Deliberate ends: by the peer, its low battery or power switch, or this host.
    case .success, .connectionTerminatedByLocalHost: break
    case let error? where error.isRemoteTermination: break
    default: report(.connectionLost(reason: reason), row)
    }
  }

  /// A connection ended: reports a request that was refused for insufficient security and after which the link was never encrypted.
  private func leave(
    _ connection: Int32, _ tables: ConversationTables, time: Int64, frame: Int? = nil
  ) {
    let at = Int(connection)
    if !refusals.isEmpty { reportRefusals { $0.connection == connection } }
    guard links.has(at), links[at].isKnown else { return }
    let link = links[at]
    links.close(at)
    guard link.unmetFrame != 0, !link.isEncrypted else { return }
    // At the end of a capture, pairing may still be in progress.
    if frame == nil, link.pairingFrame > link.unmetFrame { return }
    findings.append(
      Finding(
        .securityNeverCame(frame: link.unmetFrame, error: link.unmet), frame: frame ?? link.unmetFrame, time: time,
        adapter: tables.connections[at].adapter, handle: tables.connections[at].handle, connection: connection))
  }

  private func command(_ row: PacketRow) {
    switch row.command {
    case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2: attempt(row)
    case .leCreateConnectionCancel: attempts[row.adapter]?.isCancelled = true
    // HCI Reset cancels attempts.
    case .reset: attempts[row.adapter] = nil
    case .disconnect: if links.has(Int(row.connection)) { links[Int(row.connection)].isHungUp = true }
    case .userConfirmationRequestNegativeReply, .userPasskeyRequestNegativeReply, .pinCodeRequestNegativeReply,
      .ioCapabilityRequestNegativeReply, .remoteOOBDataRequestNegativeReply:
      if row.peer >= 0 { declined = (row.peer, UInt16(truncatingIfNeeded: row.opcode), row.frame, row.time) }
    case .leLongTermKeyRequestNegativeReply: report(.keyMissing, row)
    case .leRemoteConnectionParameterRequestNegativeReply: report(.parametersRefused(.negativeReply, request: nil), row)
    default: break
    }
  }

  private func attempt(_ row: PacketRow) {
    guard attempts[row.adapter] == nil else { return }
    let target = row.connectionTarget
    attempts[row.adapter] = Attempt(
      frame: row.frame, time: row.time, isBackground: target?.isAcceptList == true, address: target?.address ?? 0)
  }

  // MARK: Security and signaling

  private func security(_ row: PacketRow) {
    let at = Int(row.connection)
    guard at >= 0, links.has(at) || row.meaning == .pairingFailed || row.smpOpcode == .pairingRequest else { return }
    links.open(at, DiagnosedLink())
    let before = links[at].lastPairing
    links[at].pairingFrame = row.frame
    links[at].lastPairing = UInt8(truncatingIfNeeded: row.opcode)
    switch row.smpOpcode {
    case .pairingRequest:
      links[at].isPairedHere = true
      links[at].pairingStart = row.frame
      // Over BR/EDR the key is derived from that of the link, without an agreement.
      links[at].isKeyAgreed = row.channel == L2CAP.ChannelID.bredrSMP.rawValue ? nil : false
      links[at].maximumKeySizes = (row.pdu.u8(4) ?? 0, 0)
    case .pairingResponse: links[at].maximumKeySizes.1 = row.pdu.u8(4) ?? 0
    default: if links[at].isKeyAgreed != nil { links[at].isKeyAgreed = row.flags.contains(.keyAgreed) }
    }
    if row.meaning == .pairingFailed {
      links[at].failedFrame = row.frame
      links[at].isKeyAgreed = nil
      links[at].maximumKeySizes = (0, 0)
      report(.pairingFailed(.reason(row.status), by: Self.sender(of: row), after: before), row)
    }
  }

  /// The side that sent the row's PDU.
  private static func sender(of row: PacketRow) -> Finding.Side {
    switch row.direction {
    case .sent: .host
    case .received: .peer
    case .central: .central
    case .peripheral: .peripheral
    default: .unknown
    }
  }

  /// A PDU of the Link Manager: sides propose sizes of the encryption key until one is accepted (Vol 2, Part C, 4.2.5.2).
  private func linkManager(_ row: PacketRow, _ tables: ConversationTables) {
    guard row.connection >= 0 else { return }
    switch LMP.Opcode(rawValue: row.opcode) {
    case .encryptionKeySizeReq: links[prepare(row.connection, tables)].proposedKeySize = row.pdu.u8(1) ?? 0
    case .accepted where row.subcode == UInt16(LMP.Opcode.encryptionKeySizeReq.rawValue):
      encrypted(row, with: links[prepare(row.connection, tables)].proposedKeySize, tables)
    default: break
    }
  }

  /// The link is encrypted: a pairing that is in progress must have agreed on the key.
  private func checkAgreement(_ row: PacketRow, isOnAir: Bool) {
    let at = Int(row.connection)
    guard let isKeyAgreed = links[at].isKeyAgreed else { return }
    links[at].isKeyAgreed = nil
    if !isKeyAgreed { report(.encryptedInPairing(frame: links[at].pairingStart, isOnAir: isOnAir), row) }
  }

  /// The link is encrypted, or will be, with a key of `size` bytes; with nil that of the pairing in this connection, the smaller maximum of both sides
  /// (Vol 3, Part H, 2.3.4).
  private func encrypted(_ row: PacketRow, with size: UInt8?, _ tables: ConversationTables) {
    let at = prepare(row.connection, tables)
    let maximum = links[at].maximumKeySizes
    links[at].maximumKeySizes = (0, 0)
    let size = size ?? min(maximum.0, maximum.1)
    guard 1...16 ~= size, links[at].keySize != size else { return }
    links[at].keySize = size
    let peer = tables.identity(tables.connections[at].peer)
    let before = peer >= 0 ? keySizes[peer] ?? 0 : 0
    if peer >= 0, size > before, before > 0 || keySizes.count < 4096 { keySizes[peer] = size }
    if size < 16 { report(.keyShort(size: size, before: before > size ? before : 0), row) }
  }

  /// HCI Reset ends all connections of the adapter without events.
  private func wasReset(_ row: PacketRow, _ tables: ConversationTables) {
    for connection in links.connections where tables.connections[Int(connection)].isOpen(on: row.adapter, at: row.frame) {
      subscriptions.disconnected(connection, row.frame, row.time)
      leave(connection, tables, time: row.time, frame: row.frame)
    }
  }

  private func pairingFailed(_ row: PacketRow, _ tables: ConversationTables) {
    if row.connection >= 0 {
      let at = prepare(row.connection, tables)
      if links[at].failedFrame != 0 { return }
      links[at].failedFrame = row.frame
    } else if let at = tables.connection(to: row.peer, at: row.frame) {
      links[prepare(Int32(at), tables)].failedFrame = row.frame
    }
    // Simple Pairing Complete and Authentication Complete report the same failure.
    if row.peer >= 0 {
      if failed.peer == row.peer, row.time &- failed.time < 5_000_000, row.time >= failed.time { return }
      failed = (row.peer, row.time)
      if declined.peer == row.peer, row.time &- declined.time < 5_000_000, row.time >= declined.time {
        return report(.pairingFailed(.declined(command: declined.command, frame: declined.frame), by: .host), row)
      }
    }
    report(.pairingFailed(.error(row.status)), row)
  }

  private func signaling(_ row: PacketRow, _ tables: ConversationTables) {
    // Connection Parameter Update Response: rejected.
    if row.signalingCode == .connectionParameterUpdateResponse, row.flags.contains(.hasStatus), row.status != 0 {
      report(.parametersRefused(.response, request: row.request), row)
    }
    guard row.connection >= 0 else { return }
    switch row.signalingCode {
    case .connectionRequest, .leCreditBasedConnectionRequest, .creditBasedConnectionRequest:
      let at = prepare(row.connection, tables)
      if links[at].requested.count >= Self.maxChannels { links[at].requested.removeFirst() }
      links[at].requested.append((row.frame, row.subcode, row.pdu.u16(4) ?? 0))
    case .connectionResponse, .leCreditBasedConnectionResponse, .creditBasedConnectionResponse: channelAnswered(row, tables)
    default: break
    }
  }

  /// The response to a request for channels.
  private func channelAnswered(_ row: PacketRow, _ tables: ConversationTables) {
    let at = prepare(row.connection, tables)
    guard row.requestFrame != 0,
      let psm = links[at].requested.last(where: { $0.frame == row.requestFrame && $0.identifier == row.subcode })?.psm
    else { return }
    let isCreditBased = row.signalingCode != .connectionResponse
    // Pending is not the final response.
    if isCreditBased ? 0x0D...0x0F ~= row.status : row.status == 1 { return }
    // Of several channels, some can be opened although others are refused.
    var isOpened = row.status == 0
    if row.signalingCode == .creditBasedConnectionResponse {
      for index in 0..<5 where row.pdu.u16(12 + 2 * index) ?? 0 != 0 { isOpened = true }
    }
    if isOpened {
      if !links[at].opened.contains(psm), links[at].opened.count < Self.maxChannels { links[at].opened.append(psm) }
      refusals.removeAll { $0.connection == row.connection && $0.psm == psm }
      return
    }
    // A channel that was open before is refused while a connection ends, or because one is enough.
    guard !links[at].opened.contains(psm) else { return }
    if refusals.count >= Self.maxRefusals { findings.append(refusals.removeFirst().finding) }
    refusals.append(
      Refusal(
        psm: psm, connection: row.connection, time: row.time,
        finding: Finding(
          .channelRefused(
            psm: psm, result: row.status, isCreditBased: isCreditBased, by: Self.sender(of: row), request: row.requestFrame), at: row)))
  }

  /// Reports channels that stay refused.
  private func reportRefusals(where isOver: (Refusal) -> Bool) {
    guard refusals.contains(where: isOver) else { return }
    findings += refusals.filter(isOver).map(\.finding)
    refusals.removeAll(where: isOver)
  }
}

/// The record of a connection.
private struct DiagnosedLink {
  var isKnown = false
  var isLowEnergy = true
  var startsHere = false
  var isEncrypted = false
  /// LL_ENC_REQ was seen.
  var isEncrypting = false
  /// Pairing was seen: the encryption is not that of an older bond.
  var isPairedHere = false
  /// ATT MTU of the fixed channel, 0 where it is not known.
  var mtu: UInt16 = 0
  var offered: UInt16 = 0
  /// MTU before the current exchange.
  var former: UInt16 = 0
  /// Writes of values, and how many of them were followed by a value of the peer.
  var writes = 0
  /// Time of the first of them, or `.max`.
  var firstWrite = Int64.max
  var answered = 0
  /// Shortest time, in µs, between two writes of the same value if the first got a response, or if they follow each other at once.
  var usualPause: Int64 = .max
  var cameBack = false
  /// Frame of the last value received.
  var lastValue = 0
  /// Whether both sides of the LE pairing in progress showed that they have the same key, nil without a pairing; the frame of its Pairing Request.
  var isKeyAgreed: Bool?
  var pairingStart = 0
  /// Requests for L2CAP channels, and the PSMs of those that were opened.
  var requested: [(frame: Int, identifier: UInt16, psm: UInt16)] = []
  var opened: [UInt16] = []
  /// Maximum key sizes of the Pairing Request and Response, the size that LMP proposed last, and that of the key in use; 0 where not known.
  var maximumKeySizes: (UInt8, UInt8) = (0, 0)
  var proposedKeySize: UInt8 = 0
  var keySize: UInt8 = 0
  /// This host asked its controller to disconnect.
  var isHungUp = false
  /// Frame and value of the last write to a Client Characteristic Configuration.
  var configured: (frame: Int, bits: UInt16) = (0, 0)
  /// Opcode of the last SMP PDU.
  var lastPairing: UInt8 = 0
  var lastWrite: (frame: Int, time: Int64, attribute: Int32, hash: UInt64, count: Int32) = (0, 0, -1, 0, 0)
  var slowest: Int64 = 0
  /// Frame of the last pairing PDU, and of the last failure.
  var pairingFrame = 0
  var failedFrame = 0
  /// Frame and error of the first request that was refused for insufficient security.
  var unmetFrame = 0
  var unmet: UInt8 = 0
  /// Attributes whose response characteristic was looked up already.
  var warned: [Int32] = []
}

extension PacketRow {
  /// Frame of the request that the row responds to; nil where there is none.
  fileprivate var request: Int? { requestFrame > 0 ? requestFrame : nil }
}
