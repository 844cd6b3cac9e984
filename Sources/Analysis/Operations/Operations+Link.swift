import Bluetooth
import Captures
import Conversations
import Memory

/// Operations of the link: scans, connections, parameters, security, channels (Core, Vol 4, Part E, 7; Vol 3, Parts A and H).
extension Operations {
  // MARK: Scanning

  func reports(_ row: PacketRow) {
    if adapters[row.adapter, default: AdapterOperations()].scan < 0 {
      // The capture started during a scan.
      adapters[row.adapter, default: AdapterOperations()].scan = begin(.scan, row) {
        $0.ending = .open
        $0.connection = -1
        $0.peer = -1
      }
    }
    guard var adapter = adapters.removeValue(forKey: row.adapter) else { return }
    var reports = 0
    row.forEachReport { report in
      reports += 1
      if adapter.scanned.count < Self.maxScanned / max(1, adapters.count) {
        adapter.scanned.insert(report.address | UInt64(report.addressType & 1) << 48)
      }
    }
    let devices = adapter.scanned.count
    change(adapter.scan) { operation in
      operation.endFrame = row.frame
      operation.end = row.time
      operation.count += reports
      operation.numbers[0] = devices
      operation.numbers[1] += reports
    }
    adapters[row.adapter] = adapter
  }

  private func startScan(_ row: PacketRow) {
    stopScan(row, isCommand: false)
    adapters[row.adapter, default: AdapterOperations()].scan = begin(.scan, row)
    adapters[row.adapter]?.scanned.removeAll(keepingCapacity: true)
  }

  private func stopScan(_ row: PacketRow, isCommand: Bool) {
    guard let number = adapters[row.adapter]?.scan, number >= 0 else { return }
    adapters[row.adapter]?.scan = -1
    adapters[row.adapter]?.scanned.removeAll(keepingCapacity: true)
    end(number) { operation in
      if isCommand { operation.extend(row) }
      if operation.ending == .open { operation.ending = .succeeded }
      operation.latency = operation.end &- operation.start
    }
  }

  // MARK: Commands

  func command(_ row: PacketRow) {
    switch row.command {
    case .leSetScanEnable, .leSetExtendedScanEnable: if row.meaning == .scanStart { startScan(row) } else { stopScan(row, isCommand: true) }
    case .inquiry:
      endInquiry(row, .unanswered)
      adapters[row.adapter, default: AdapterOperations()].inquiry = begin(.inquiry, row)
    case .inquiryCancel: endInquiry(row, .cancelled)
    case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2: attempt(row)
    case .leCreateConnectionCancel:
      if let number = adapters[row.adapter]?.attempt, number >= 0 {
        change(number) {
          $0.extend(row)
          $0.ending = .cancelled
        }
      }
    case .createConnection, .acceptConnectionRequest:
      call(row, row.pdu.address(3) ?? 0, isIncoming: row.command == .acceptConnectionRequest)
    case .remoteNameRequest:
      let address = row.pdu.address(3) ?? 0
      if adapter(row).names.count >= Self.maxRequests || adapters.count > Self.maxAdapters { return }
      let old = adapters[row.adapter]?.names.updateValue(begin(.nameRequest, row) { self.name(&$0, address) }, forKey: address)
      if let old { end(old) { $0.ending = .unanswered } }
    case .reset: cancelAll(row)
    default:
      if row.connection >= 0 {
        if commanded.count >= Self.maxCommanded { commanded.removeFirst(Self.maxCommanded / 2) }
        commanded.append((row.frame, Int(row.connection)))
        connectionCommand(row)
      }
    }
  }

  /// A command about a connection.
  private func connectionCommand(_ row: PacketRow) {
    switch row.command {
    case .disconnect: extendOrBegin(\.disconnect, .disconnect, row)
    case .leConnectionUpdate, .leRemoteConnectionParameterRequestReply: extendOrBegin(\.parameters, .parameters, row)
    case .leRemoteConnectionParameterRequestNegativeReply:
      extendOrBegin(\.parameters, .parameters, row)
      end(take(\.parameters, link(row))) { $0.fail(row.pdu.u8(5) ?? HCI.ErrorCode.unacceptableConnectionParameters.rawValue, .hci) }
    case .leSetDataLength: extendOrBegin(\.dataLength, .dataLength, row)
    case .leSetPHY: extendOrBegin(\.phy, .phy, row)
    // Encryption with an existing key.
    case .leEnableEncryption, .authenticationRequested, .setConnectionEncryption: encrypts(row)
    default: break
    }
  }

  private func name(_ operation: inout Operation, _ address: UInt64) {
    operation.address = address
    operation.peer = tables.knownPeer(address, type: 0xFF)
  }

  private func endInquiry(_ row: PacketRow, _ ending: Operation.Ending) {
    guard let number = adapters[row.adapter]?.inquiry, number >= 0 else { return }
    adapters[row.adapter]?.inquiry = -1
    end(number) {
      if ending != .unanswered { $0.extend(row) }
      $0.ending = ending
      $0.latency = $0.end &- $0.start
    }
  }

  /// The open operations of the row's adapter, created if it is new.
  private func adapter(_ row: PacketRow) -> AdapterOperations {
    if let known = adapters[row.adapter] { return known }
    adapters[row.adapter] = AdapterOperations()
    return AdapterOperations()
  }

  /// An HCI Reset cancels what the adapter does apart from connections.
  private func cancelAll(_ row: PacketRow) {
    guard let adapter = adapters.removeValue(forKey: row.adapter) else { return }
    for number in [adapter.scan, adapter.inquiry, adapter.attempt] + adapter.calls.values + adapter.names.values {
      end(number) { if $0.ending == .open { $0.ending = .cancelled } }
    }
  }

  // MARK: Connections

  private func attempt(_ row: PacketRow) {
    let older = adapter(row).attempt
    // Offsets of the peer's address and of the filter policy.
    let (at, policyAt) =
      switch row.command {
      case .leCreateConnection: (9, 7)
      case .leExtendedCreateConnection: (6, 3)
      default: (8, 5)
      }
    let policy = row.pdu.u8(policyAt) ?? 0
    let number = begin(.connect, row) { operation in
      operation.numbers[0] = Int(policy)
      if policy & 1 == 0 { operation.address = row.pdu.address(at) ?? 0 } else { operation.peer = -1 }
    }
    adapters[row.adapter]?.attempt = number
    adapters[row.adapter]?.attemptFrame = row.frame
    // An older attempt without a completion ends here: the controller makes one at a time.
    end(older) { if $0.ending == .open { $0.ending = .unanswered } }
  }

  private func call(_ row: PacketRow, _ address: UInt64, isIncoming: Bool) {
    if let number = adapters[row.adapter]?.calls[address] {
      change(number) { $0.extend(row) }
      return
    }
    guard adapter(row).calls.count < Self.maxRequests, adapters.count <= Self.maxAdapters else { return }
    adapters[row.adapter]?.calls[address] = begin(.connect, row) { operation in
      self.name(&operation, address)
      operation.isIncoming = isIncoming
    }
  }

  /// A connection was established, or failed.
  private func connected(_ row: PacketRow) {
    let isLowEnergy = row.eventCode == .leMeta
    let isPeripheral = isLowEnergy && row.pdu.u8(6) == 1 && row.status == 0
    var number = -1
    if isLowEnergy {
      if !isPeripheral, let open = adapters[row.adapter]?.attempt, open >= 0 {
        number = open
        adapters[row.adapter]?.attempt = -1
      }
    } else if let address = row.pdu.address(5) {
      number = adapters[row.adapter]?.calls.removeValue(forKey: address) ?? -1
    }
    if number < 0 { number = begin(.connect, row) { $0.isIncoming = isPeripheral } }
    // A new connection with a handle that is in use: the end of the old one is not in the capture.
    if row.status == 0, row.connection >= 0,
      let old = newest.updateValue(row.connection, forKey: UInt32(row.adapter) << 16 | UInt32(row.handle)),
      old != row.connection
    {
      leave(Int(old), isLost: true)
    }
    end(number) { operation in
      operation.extend(row)
      operation.latency = operation.frameCount > 1 ? row.time &- operation.start : -1
      if row.peer >= 0 { operation.peer = row.peer }
      if row.status == 0 {
        operation.ending = .succeeded
        operation.connection = row.connection
      } else if operation.ending == .cancelled || row.status == 0x02 || row.status == 0x44 {
        operation.ending = .cancelled
      } else {
        operation.fail(row.status, .hci)
      }
    }
  }

  private func disconnected(_ row: PacketRow) {
    guard row.connection >= 0 else { return }
    let at = link(row)
    let number = links[at].disconnect >= 0 ? links[at].disconnect : begin(.disconnect, row) { $0.isIncoming = true }
    links[at].disconnect = -1
    if row.status == 0 { leave(at, isLost: true) }
    end(number) { operation in
      operation.extend(row)
      operation.latency = operation.frameCount > 1 ? row.time &- operation.start : -1
      if row.status != 0 {
        operation.fail(row.status, .hci)
        return
      }
      let reason = row.pdu.u8(5) ?? 0
      operation.status = reason
      operation.statusDomain = .hci
      // Closed on purpose by one of the two sides, or lost.
      operation.ending = HCI.ErrorCode(rawValue: reason)?.isTermination == true ? .succeeded : .failed
      if HCI.ErrorCode(rawValue: reason)?.isRemoteTermination == true, operation.frameCount == 1 { operation.isIncoming = true }
    }
  }

  // MARK: Events

  func event(_ row: PacketRow) {
    switch row.meaning {
    case .connected, .connectionFailed, .connectionCancelled:
      connected(row)
      return
    case .disconnected:
      disconnected(row)
      return
    case .commandFailed:
      commandFailed(row)
      return
    default: break
    }
    switch row.eventCode {
    case .inquiryComplete: endInquiry(row, .succeeded)
    case .inquiryResult, .inquiryResultWithRSSI, .extendedInquiryResult:
      if let number = adapters[row.adapter]?.inquiry, number >= 0 {
        change(number) {
          $0.extend(row)
          $0.count += Int(row.pdu.u8(2) ?? 1)
        }
      }
    case .connectionRequest: call(row, row.pdu.address(2) ?? 0, isIncoming: true)
    case .remoteNameRequestComplete:
      if let number = adapters[row.adapter]?.names.removeValue(forKey: row.pdu.address(3) ?? 0) {
        end(number) { operation in
          operation.extend(row)
          operation.latency = row.time &- operation.start
          operation.peer = row.peer
          operation.finish(row.status)
        }
      }
    case .authenticationComplete: if row.connection >= 0, row.status != 0 { secured(row) }
    case .encryptionChange, .encryptionChangeV2, .encryptionKeyRefreshComplete: if row.connection >= 0 { secured(row) }
    case .simplePairingComplete: paired(row)
    case .commandComplete:
      guard row.completedCommand == .reset, row.status == 0 else { return }
      for connection in links.connections where tables.connections[Int(connection)].isOpen(on: row.adapter, at: row.frame) {
        leave(Int(connection), isLost: true)
      }
    case .leMeta: lowEnergy(row)
    default: break
    }
  }

  private func commandFailed(_ row: PacketRow) {
    let fail: (inout Operation) -> Void = {
      $0.extend(row)
      $0.fail(row.status, .hci)
    }
    switch row.completedCommand {
    case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2:
      guard let adapter = adapters[row.adapter], adapter.attempt >= 0, adapter.attemptFrame == row.requestFrame else { return }
      adapters[row.adapter]?.attempt = -1
      end(adapter.attempt, fail)
    case .leSetScanEnable, .leSetExtendedScanEnable:
      guard let number = adapters[row.adapter]?.scan, number >= 0 else { return }
      adapters[row.adapter]?.scan = -1
      end(number, fail)
    case .inquiry:
      guard let number = adapters[row.adapter]?.inquiry, number >= 0 else { return }
      adapters[row.adapter]?.inquiry = -1
      end(number, fail)
    case .createConnection: failCall(row, \.calls, fail)
    case .remoteNameRequest: failCall(row, \.names, fail)
    case .disconnect: failUpdate(row, \.disconnect, fail)
    case .authenticationRequested, .setConnectionEncryption, .leEnableEncryption: failUpdate(row, \.security, fail)
    case .leConnectionUpdate: failUpdate(row, \.parameters, fail)
    case .leSetDataLength: failUpdate(row, \.dataLength, fail)
    case .leSetPHY: failUpdate(row, \.phy, fail)
    default: break
    }
  }

  /// The failed command's event does not have the address: the device is that of the operation that the command began.
  private func failCall(_ row: PacketRow, _ path: WritableKeyPath<AdapterOperations, [UInt64: Int]>, _ body: (inout Operation) -> Void) {
    guard let open = adapters[row.adapter]?[keyPath: path] else { return }
    for (address, number) in open {
      var isMine = false
      queue.change(number) { isMine = $0.frame == row.requestFrame }
      guard isMine else { continue }
      adapters[row.adapter]?[keyPath: path][address] = nil
      end(number, body)
    }
  }

  /// The failed command's event does not have the connection handle, but the command had.
  private func failUpdate(
    _ row: PacketRow, _ path: WritableKeyPath<OpenOperations, Int>, _ body: (inout Operation) -> Void
  ) {
    guard let at = commanded.last(where: { $0.frame == row.requestFrame })?.connection, links.has(at) else { return }
    let number = links[at][keyPath: path]
    guard number >= 0 else { return }
    var isMine = false
    queue.change(number) { isMine = $0.frame == row.requestFrame || $0.endFrame == row.requestFrame }
    guard isMine else { return }
    links[at][keyPath: path] = -1
    end(number, body)
  }

  private func lowEnergy(_ row: PacketRow) {
    guard row.connection >= 0 else { return }
    let pdu = row.pdu
    switch row.subevent {
    case .connectionUpdateComplete:
      updated(row, \.parameters, .parameters) {
        $0.numbers = [Int(pdu.u16(6) ?? 0), Int(pdu.u16(8) ?? 0), Int(pdu.u16(10) ?? 0), 0]
      }
    case .remoteConnectionParameterRequest: extendOrBegin(\.parameters, .parameters, row, isIncoming: true)
    case .dataLengthChange:
      updated(row, \.dataLength, .dataLength) { $0.numbers = [Int(pdu.u16(5) ?? 0), Int(pdu.u16(9) ?? 0), 0, 0] }
    case .phyUpdateComplete: updated(row, \.phy, .phy) { $0.numbers = [Int(pdu.u8(6) ?? 0), Int(pdu.u8(7) ?? 0), 0, 0] }
    // The peer requests encryption with an existing key.
    case .longTermKeyRequest: encrypts(row, isIncoming: true)
    default: break
    }
  }

  private func updated(
    _ row: PacketRow, _ path: WritableKeyPath<OpenOperations, Int>, _ kind: Operation.Kind,
    _ numbers: (inout Operation) -> Void
  ) {
    var number = take(path, link(row))
    if number < 0 { number = begin(kind, row) { $0.isIncoming = true } }
    end(number) { operation in
      operation.extend(row)
      operation.latency = operation.frameCount > 1 ? row.time &- operation.start : -1
      if row.flags.contains(.hasStatus), row.status != 0 {
        operation.fail(row.status, .hci)
      } else {
        operation.ending = .succeeded
        numbers(&operation)
      }
    }
  }

  // MARK: Security

  func security(_ row: PacketRow) {
    let at = link(row)
    let isFromHost = row.direction.isFromHost
    switch row.smpOpcode {
    case .pairingRequest, .securityRequest:
      if links[at].security < 0 {
        endKeyDistribution(at)
        links[at].security = begin(row.smpOpcode == .pairingRequest ? .pairing : .encryption, row) { $0.isIncoming = !isFromHost }
      }
      change(links[at].security) { operation in
        operation.extend(row)
        guard row.smpOpcode == .pairingRequest else { return }
        operation.kind = .pairing
        operation.numbers[0] = Int(row.pdu.u8(1) ?? 0)
        operation.numbers[2] = Self.requirements(row.pdu)
      }
      if row.smpOpcode == .pairingRequest { links[at].isKeyAgreed = false }
    case .pairingResponse:
      change(links[at].security) { operation in
        operation.extend(row)
        operation.numbers[1] = Int(row.pdu.u8(1) ?? 0)
        operation.numbers[3] = Self.requirements(row.pdu)
      }
    case .pairingFailed:
      let number = links[at].security >= 0 ? links[at].security : begin(.pairing, row) { $0.isIncoming = !isFromHost }
      links[at].security = -1
      links[at].isKeyAgreed = nil
      end(number) { operation in
        operation.kind = .pairing
        operation.extend(row)
        operation.latency = row.time &- operation.start
        operation.fail(row.status, .smp)
      }
    default:
      if links[at].isKeyAgreed != nil { links[at].isKeyAgreed = row.flags.contains(.keyAgreed) }
      let number = links[at].security >= 0 ? links[at].security : links[at].keyDistribution
      if number >= 0 { change(number) { $0.extend(row) } }
      links[at].keyDistributionTime = row.time
    }
  }

  /// AuthReq of a Pairing Request or Response (Vol 3, Part H, 3.5.1), with 0x100 where the side has out-of-band data.
  private static func requirements(_ pdu: PDUBytes) -> Int { Int(pdu.u8(3) ?? 0) | (pdu.u8(2) == 1 ? 0x100 : 0) }

  func endKeyDistribution(_ at: Int) {
    guard links[at].keyDistribution >= 0 else { return }
    end(take(\.keyDistribution, at))
  }

  /// A request of encryption, with the key of the pairing before it or with an existing one.
  func encrypts(_ row: PacketRow, isIncoming: Bool = false) {
    abandonPairing(link(row))
    extendOrBegin(\.security, .encryption, row, isIncoming: isIncoming)
  }

  /// Ends a pairing that is open although its sides never agreed on a key: encryption that begins now uses another key.
  func abandonPairing(_ at: Int) {
    guard links[at].isKeyAgreed == false else { return }
    links[at].isKeyAgreed = nil
    end(take(\.security, at)) { $0.ending = .unanswered }
  }

  /// Encryption changed, or authentication failed.
  private func secured(_ row: PacketRow) {
    let at = link(row)
    if row.status == 0 { abandonPairing(at) }
    links[at].isKeyAgreed = nil
    let number = links[at].security
    if number < 0 {
      // Encryption without a request in the capture is an operation of its own; a new key of an encrypted link is none.
      guard row.eventCode != .authenticationComplete, row.eventCode != .encryptionKeyRefreshComplete else { return }
      let isOfHost = links[at].isEncryptionOfHost ?? false
      let alone = begin(.encryption, row) { $0.isIncoming = !isOfHost }
      end(alone) { $0.finish(row.status) }
      return
    }
    links[at].security = -1
    var isPairing = false
    change(number) { operation in
      operation.extend(row)
      operation.latency = row.time &- operation.start
      operation.finish(row.status)
      isPairing = operation.kind == .pairing && row.status == 0
    }
    if isPairing {
      // Keys follow once the link is encrypted (Vol 3, Part H, 3.6.1).
      endKeyDistribution(at)
      links[at].keyDistribution = number
      withRuns.insert(at)
      links[at].keyDistributionTime = row.time
    } else {
      end(number)
    }
  }

  /// Simple Pairing Complete (BR/EDR) has the peer's address, not the connection handle.
  private func paired(_ row: PacketRow) {
    guard let connection = tables.connection(to: row.peer, at: row.frame), links.has(connection) else { return }
    let number = links[connection].security
    guard number >= 0 else { return }
    change(number) {
      $0.extend(row)
      $0.kind = .pairing
    }
    if row.status != 0 {
      links[connection].security = -1
      end(number) { $0.fail(row.status, .hci) }
    }
  }

  // MARK: Channels and their data

  func signaling(_ row: PacketRow) {
    let at = link(row)
    let isFromHost = row.direction.isFromHost
    let body = row.pdu.from(4)
    let key = row.subcode | (isFromHost ? 0x100 : 0)
    switch row.signalingCode {
    case .connectionRequest, .leCreditBasedConnectionRequest, .creditBasedConnectionRequest:
      guard links[at].signals.count < 64 else { return }
      let number = begin(.channel, row) {
        $0.isIncoming = !isFromHost
        $0.channel = ChannelIdentity(layer: .l2cap, psm: body.u16(0) ?? 0)
      }
      if let old = links[at].signals.updateValue(number, forKey: key) { end(old) { $0.ending = .unanswered } }
    case .connectionResponse, .leCreditBasedConnectionResponse, .creditBasedConnectionResponse:
      let isBasic = row.signalingCode == .connectionResponse
      let isOfSeveral = row.signalingCode == .creditBasedConnectionResponse
      let result = body.u16(isBasic ? 4 : isOfSeveral ? 6 : 8) ?? 0
      // Pending is not the final response (Vol 3, Part A, 4.3 and 4.26).
      if isBasic ? result == 1 : 0x0D...0x0F ~= result { return }
      guard let number = links[at].signals.removeValue(forKey: row.subcode | (isFromHost ? 0 : 0x100)) else { return }
      // Of several channels, some can be opened although others are refused.
      let isOpened = result == 0 || isOfSeveral && (0..<5).contains { body.u16(8 + 2 * $0) ?? 0 != 0 }
      end(number) { operation in
        operation.extend(row)
        operation.latency = row.time &- operation.start
        if isOpened {
          operation.ending = .succeeded
        } else {
          operation.fail(UInt8(truncatingIfNeeded: result), isBasic ? .l2cap : .l2capCredit)
        }
      }
    case .connectionParameterUpdateRequest:
      if links[at].parameters < 0 {
        links[at].parameters = begin(.parameters, row) { $0.isIncoming = !isFromHost }
      }
    case .connectionParameterUpdateResponse:
      let number = links[at].parameters
      guard number >= 0 else { return }
      change(number) { $0.extend(row) }
      guard row.status != 0 else { return }
      links[at].parameters = -1
      end(number) {
        $0.latency = row.time &- $0.start
        $0.fail(row.status, .l2capParameters)
      }
    default: break
    }
  }

  func data(_ row: PacketRow) {
    let at = link(row)
    let isFromHost = row.direction.isFromHost
    guard let (channel, data) = row.channelData else {
      if row.layer == .rfcomm { dataLink(row, at, isFromHost) }
      return
    }
    let key = UInt32(row.layer.rawValue) << 24 | UInt32(channel.dlci) << 16 | UInt32(row.channel)
    run(.data, row, at, key: key, bytes: data, isIncoming: !isFromHost, channel: channel)
  }

  /// SABM opens an RFCOMM data link, UA accepts it, DM refuses it (RFCOMM, 5.2).
  private func dataLink(_ row: PacketRow, _ at: Int, _ isFromHost: Bool) {
    guard let frame = RFCOMM.Frame(row.pdu.span), frame.dlci > 1 else { return }
    // Signaling keys are an identifier of eight bits and a bit for the sender: these keys are above them.
    let key = 0x200 | UInt16(frame.dlci)
    switch frame.type {
    case .sabm:
      guard links[at].signals.count < 64 else { return }
      let number = begin(.channel, row) {
        $0.isIncoming = !isFromHost
        $0.channel = ChannelIdentity(layer: .rfcomm, psm: 0x03)
        $0.channel?.dlci = frame.dlci
        $0.channel?.service = row.detail
      }
      if let old = links[at].signals.updateValue(number, forKey: key) { end(old) { $0.ending = .unanswered } }
    case .ua, .dm:
      guard let number = links[at].signals.removeValue(forKey: key) else { return }
      end(number) { operation in
        operation.extend(row)
        operation.latency = row.time &- operation.start
        // Result 4 of L2CAP (connection refused, no resources) stands for the refusal.
        if frame.type == .ua { operation.ending = .succeeded } else { operation.fail(4, .l2cap) }
      }
    default: break
    }
  }
}
