import Bluetooth
import Captures
import Memory

/// HCI commands and events (Core, Vol 4, Part E, 7) that change the tables.
extension ConversationTracker {
  /// Takes an HCI command, from its opcode on.
  mutating func command(_ origin: PacketOrigin, _ payload: PDUBytes) {
    let state = Int(adapter(origin.adapter))
    let command = payload.u16(0).flatMap { HCI.Opcode(rawValue: $0) }
    switch command {
    // Fields: type, address, the peer's key (7.8.38).
    case .leAddDeviceToResolvingList:
      if let type = payload.u8(3), let address = payload.address(4),
        let key = IdentityResolvingKey(littleEndian: payload.slice(10, 16).span)
      {
        tables.learn(key, of: address, type: type & 1)
      }
    // The adapter's new name (7.3.11).
    case .writeLocalName: rename(state, payload.from(3))
    // The streams of a group (7.8.97 and 7.8.98); their handles come in the return parameters.
    case .leSetCIGParameters, .leSetCIGParametersTest:
      let size = command == .leSetCIGParameters ? 9 : 14
      let count = Int(payload.u8(17) ?? 0)
      adapterStates[state].group = (0..<count).compactMap { payload.u8(18 + $0 * size) }
    // The ACL connection of each stream (7.8.99).
    case .leCreateCIS:
      var at = 4
      while let stream = payload.u16(at), let connection = payload.u16(at + 2) {
        adapterStates[state].streams[stream & 0xFFF] = connection & 0xFFF
        at += 4
      }
    default: break
    }
    guard purpose == .rows else { return }
    var row = row(origin, .hciCommand, .command, payload)
    if row.direction == .unknown { row.direction = .sent }
    guard let opcode = payload.u16(0), let length = payload.u8(2) else {
      report(.shortPacket(needed: 3, present: payload.count), offset: payload.count, adapter: origin.adapter)
      rows.append(row)
      return
    }
    row.opcode = UInt32(opcode)
    setMaker(&row, opcode, state)
    if payload.count &- 3 != Int(length), !cut {
      report(.lengthLies(announced: Int(length), present: payload.count &- 3), offset: 2, adapter: origin.adapter)
    }
    switch command {
    case .leSetScanEnable, .leSetExtendedScanEnable: row.meaning = payload.u8(3) == 1 ? .scanStart : .scanStop
    case .inquiry: row.meaning = .scanStart
    case .inquiryCancel: row.meaning = .scanStop
    case .disconnect:
      row.meaning = .disconnects
      setConnection(&row, payload.u16(3), origin)
    default:
      if let command, let at = command.peerAddressOffset {
        row.meaning = .connects
        if let address = payload.address(at) {
          row.peer = tables.knownPeer(address, type: command.createsLEConnection ? payload.u8(at - 1) ?? 0 : Peer.classic)
        }
      } else if let known = HCI.commands[UInt32(opcode)] {
        setSubject(&row, known.parameters, payload, 3, origin)
      }
    }
    rows.append(row)
    if adapterStates[state].commands.count < 256 {
      adapterStates[state].commands[opcode] = OpenCommand(
        frame: frame, time: time, row: RowReference(sequence: sequence, row: Int32(rows.count - 1)))
    }
  }

  /// Sets the manufacturer of the adapter's controller on rows with vendor commands.
  private func setMaker(_ row: inout PacketRow, _ opcode: UInt16, _ state: Int) {
    if UInt32(opcode) >> 10 == HCI.Opcode.vendorGroup { row.company = tables.adapters[state].manufacturer ?? Vendor.unknownMaker }
  }

  /// Takes an adapter's name from a field that is padded with zeros.
  private mutating func rename(_ state: Int, _ field: PDUBytes) {
    let name = field.slice(0, 248).prefix { $0 != 0 }
    if !name.isEmpty, !tables.adapters[state].name.elementsEqual(name) { tables.adapters[state].name = Array(name) }
  }

  private mutating func setConnection(_ row: inout PacketRow, _ handle: UInt16?, _ origin: PacketOrigin) {
    guard let handle else { return }
    row.handle = handle & 0xFFF
    row.flags.insert(.hasConnection)
    let link = knownLink(origin.adapter, row.handle)
    guard link >= 0 else { return }
    row.connection = links[Int(link)].connection
    row.peer = tables.connections[Int(row.connection)].peer
  }

  /// Takes the connection and the device of a packet from the fields of `layout`, which starts at byte `at`.
  private mutating func setSubject(_ row: inout PacketRow, _ layout: Layout, _ payload: PDUBytes, _ at: Int, _ origin: PacketOrigin) {
    if let offset = layout.offset(of: "connection_handle") ?? layout.offset(of: "acl_connection_handle") {
      setConnection(&row, payload.u16(at + offset), origin)
    } else if let offset = layout.offset(of: "bd_addr"), let address = payload.address(at + offset) {
      row.peer = tables.knownPeer(address, type: Peer.classic)
    }
  }

  /// The same for an event, with its status.
  private mutating func setSubject(_ row: inout PacketRow, of event: PDU?, _ payload: PDUBytes, _ at: Int, _ origin: PacketOrigin) {
    guard let layout = event?.parameters else { return }
    if let offset = layout.offset(of: "status") { setStatus(&row, payload.u8(at + offset)) }
    setSubject(&row, layout, payload, at, origin)
  }

  /// Takes an HCI event, from its code on.
  mutating func event(_ origin: PacketOrigin, _ payload: PDUBytes) {
    guard let code = payload.u8(0) else {
      report(.shortPacket(needed: 2, present: 0), offset: 0, adapter: origin.adapter)
      if purpose == .rows { rows.append(row(origin, .hciEvent, .event, payload)) }
      return
    }
    if let length = payload.u8(1), payload.count &- 2 != Int(length), !cut {
      report(.lengthLies(announced: Int(length), present: payload.count &- 2), offset: 1, adapter: origin.adapter)
    }
    if code == HCI.EventCode.leMeta.rawValue {
      meta(origin, payload)
      return
    }
    var row = row(origin, .hciEvent, .event, payload)
    if row.direction == .unknown { row.direction = .received }
    row.opcode = UInt32(code)
    if code == HCI.EventCode.vendorSpecific.rawValue {
      row.company = tables.adapters[Int(adapter(origin.adapter))].manufacturer ?? Vendor.unknownMaker
    }
    switch HCI.EventCode(rawValue: code) {
    case .numberOfCompletedPackets: row.meaning = .noise
    case .commandComplete: commandComplete(&row, origin, payload)
    case .commandStatus: commandStatus(&row, origin, payload)
    case .disconnectionComplete: disconnected(&row, origin, payload)
    case .connectionComplete: classicConnected(&row, origin, payload, isSynchronous: false)
    case .synchronousConnectionComplete: classicConnected(&row, origin, payload, isSynchronous: true)
    case .connectionRequest: if let address = payload.address(2) { row.peer = tables.knownPeer(address, type: Peer.classic) }
    case .remoteNameRequestComplete: remoteName(&row, payload)
    case .encryptionChange, .encryptionChangeV2: encryptionChanged(&row, origin, payload)
    case .encryptionKeyRefreshComplete:
      setStatus(&row, payload.u8(2))
      setConnection(&row, payload.u16(3), origin)
      row.meaning = .encrypted
    case .authenticationComplete, .readRemoteSupportedFeaturesComplete, .readRemoteVersionInformationComplete, .flowSpecificationComplete,
      .readRemoteExtendedFeaturesComplete, .modeChange, .connectionPacketTypeChanged, .readClockOffsetComplete, .qosSetupComplete:
      setStatus(&row, payload.u8(2))
      setConnection(&row, payload.u16(3), origin)
    case .maxSlotsChange, .linkSupervisionTimeoutChanged, .authenticatedPayloadTimeoutExpired:
      setConnection(&row, payload.u16(2), origin)
    case .linkKeyRequest, .linkKeyNotification, .returnLinkKeys, .pinCodeRequest, .ioCapabilityRequest, .ioCapabilityResponse,
      .userConfirmationRequest, .userPasskeyRequest, .userPasskeyNotification, .remoteOOBDataRequest,
      .remoteHostSupportedFeaturesNotification:
      if let address = payload.address(2) { row.peer = tables.knownPeer(address, type: Peer.classic) }
      row.meaning = .security
    case .simplePairingComplete:
      setStatus(&row, payload.u8(2))
      if let address = payload.address(3) { row.peer = tables.knownPeer(address, type: Peer.classic) }
      row.meaning = row.status == 0 ? .pairing : .pairingFailed
    case .inquiryResult, .inquiryResultWithRSSI: row.meaning = .advertises
    case .extendedInquiryResult:
      row.meaning = .advertises
      if let address = payload.address(3) {
        name(from: payload.from(17), address: address, type: Peer.classic)
        row.peer = tables.knownPeer(address, type: Peer.classic)
      }
    default: if purpose == .rows { setSubject(&row, of: HCI.events[UInt32(code)], payload, 2, origin) }
    }
    if purpose == .rows { rows.append(row) }
  }

  private func setStatus(_ row: inout PacketRow, _ status: UInt8?) {
    if let status { row.set(status: status, .hci) }
  }

  private mutating func commandComplete(_ row: inout PacketRow, _ origin: PacketOrigin, _ payload: PDUBytes) {
    row.meaning = .commandComplete
    guard let opcode = payload.u16(3) else { return }
    row.subcode = opcode
    setMaker(&row, opcode, Int(adapter(origin.adapter)))
    if opcode != 0, let status = payload.u8(5) {
      row.set(status: status, .hci)
      if status != 0 { row.meaning = .commandFailed }
    }
    if payload.u8(5) == 0 {
      switch HCI.Opcode(rawValue: opcode) {
      case .readBDADDR: if let address = payload.address(6) { tables.adapters[Int(adapter(origin.adapter))].address = address }
      // Version fields, then the controller's manufacturer (7.4.1).
      case .readLocalVersionInformation:
        if let company = payload.u16(10) { tables.adapters[Int(adapter(origin.adapter))].manufacturer = company }
      // The controller forgets its connections without a disconnection event for each (7.3.2).
      case .reset: closeLinks(on: origin.adapter)
      case .readLocalName: rename(Int(adapter(origin.adapter)), payload.from(6))
      case .leSetCIGParameters, .leSetCIGParametersTest:
        let state = Int(adapter(origin.adapter))
        for (index, stream) in adapterStates[state].group.enumerated() {
          guard let group = payload.u8(6), let handle = payload.u16(8 + index * 2) else { break }
          adapterStates[state].streamNumbers[handle & 0xFFF] = StreamNumber(group: group, stream: stream)
        }
        adapterStates[state].group = []
      default: break
      }
    }
    // No Operation only reports how many commands the controller accepts.
    if opcode == 0 { row.meaning = .noise }
    if purpose == .rows, let command = HCI.commands[UInt32(opcode)] { setSubject(&row, command.returnParameters, payload, 5, origin) }
    answerCommand(&row, origin, opcode)
  }

  private mutating func commandStatus(_ row: inout PacketRow, _ origin: PacketOrigin, _ payload: PDUBytes) {
    guard let status = payload.u8(2), let opcode = payload.u16(4) else { return }
    row.subcode = opcode
    setMaker(&row, opcode, Int(adapter(origin.adapter)))
    row.set(status: status, .hci)
    row.meaning = status == 0 ? .noise : .commandFailed
    answerCommand(&row, origin, opcode)
  }

  private mutating func answerCommand(_ row: inout PacketRow, _ origin: PacketOrigin, _ opcode: UInt16) {
    guard purpose == .rows else { return }
    let state = Int(adapter(origin.adapter))
    guard let command = adapterStates[state].commands.removeValue(forKey: opcode) else { return }
    let latency = elapsed(since: command.frame, command.time)
    row.answers(command.frame, latency)
    answer(command.row, frame: frame, latency: latency)
  }

  private mutating func disconnected(_ row: inout PacketRow, _ origin: PacketOrigin, _ payload: PDUBytes) {
    row.meaning = .disconnected
    setStatus(&row, payload.u8(2))
    setConnection(&row, payload.u16(3), origin)
    guard row.status == 0 else { return }
    guard row.connection >= 0 else {
      // Some hosts log the event twice: the second one changes nothing.
      let ended = adapterStates[Int(adapter(origin.adapter))].ended
      if !ended.isEmpty, case let number = Int(ended[Int(row.handle & 0xFFF)]), number >= 0,
        tables.connections[number].handle == row.handle, tables.connections[number].endReason == payload.u8(5)
      {
        row.meaning = .noise
        row.peer = tables.connections[number].peer
      }
      return
    }
    let link = knownLink(origin.adapter, row.handle)
    tables.connections[Int(row.connection)].endFrame = frame
    tables.connections[Int(row.connection)].endTime = time
    tables.connections[Int(row.connection)].endReason = payload.u8(5) ?? 0
    didEnd(row.connection, origin.adapter)
    if link >= 0 { close(link, at: frame) }
  }

  /// The meaning of a connection complete event with an error. A host that cancels its attempt gets Unknown Connection Identifier (Core, Vol 4, Part
  /// E, 7.1.7 and 7.8.13).
  private static func unconnected(_ status: UInt8) -> Meaning { status == 0x02 ? .connectionCancelled : .connectionFailed }

  private mutating func classicConnected(_ row: inout PacketRow, _ origin: PacketOrigin, _ payload: PDUBytes, isSynchronous: Bool) {
    setStatus(&row, payload.u8(2))
    let peer = payload.address(5).map { tables.peer($0, type: Peer.classic) } ?? -1
    row.peer = peer
    guard row.status == 0, let handle = payload.u16(3) else {
      row.meaning = Self.unconnected(row.status)
      return
    }
    row.meaning = .connected
    open(&row, origin, handle & 0xFFF, peer: peer, transport: isSynchronous || payload.u8(11) != 1 ? .synchronous : .classic)
    // BR/EDR ATT bearers start at 48 (Vol 3, Part G, 5.2.1).
    if row.connection >= 0 { tables.connections[Int(row.connection)].mtu = 48 }
  }

  private mutating func remoteName(_ row: inout PacketRow, _ payload: PDUBytes) {
    setStatus(&row, payload.u8(2))
    guard row.status == 0, let address = payload.address(3) else { return }
    let peer = tables.peer(address, type: Peer.classic)
    row.peer = peer
    setName(peer, payload.from(9).prefix { $0 != 0 }, trust: 3)
  }

  private mutating func encryptionChanged(_ row: inout PacketRow, _ origin: PacketOrigin, _ payload: PDUBytes) {
    setStatus(&row, payload.u8(2))
    setConnection(&row, payload.u16(3), origin)
    row.meaning = row.status == 0 ? .encrypted : .encryptionFailed
    if row.connection >= 0, row.status == 0, payload.u8(5) != 0, tables.connections[Int(row.connection)].encryptedFrame == 0 {
      tables.connections[Int(row.connection)].encryptedFrame = frame
    }
  }

  // MARK: LE meta events (7.7.65)

  private mutating func meta(_ origin: PacketOrigin, _ payload: PDUBytes) {
    // An event that announces no parameters has no subevent, even if more bytes follow.
    let subevent = payload.u8(1) == 0 ? 0 : payload.u8(2) ?? 0
    var row = row(origin, .hciEvent, .event, payload)
    if row.direction == .unknown { row.direction = .received }
    row.opcode = UInt32(HCI.EventCode.leMeta.rawValue)
    row.subcode = UInt16(subevent)
    switch HCI.LESubevent(rawValue: subevent) {
    case .advertisingReport: legacyReports(&row, payload)
    case .extendedAdvertisingReport: extendedReports(&row, payload)
    case .connectionComplete: lowEnergyConnected(&row, origin, payload, isEnhanced: false)
    case .enhancedConnectionComplete, .enhancedConnectionCompleteV2: lowEnergyConnected(&row, origin, payload, isEnhanced: true)
    case .connectionUpdateComplete:
      updated(&row, origin, payload)
      if row.connection >= 0, row.status == 0 {
        let number = Int(row.connection)
        tables.connections[number].interval = payload.u16(6) ?? 0
        tables.connections[number].latency = payload.u16(8) ?? 0
        tables.connections[number].timeout = payload.u16(10) ?? 0
      }
    case .readRemoteFeaturesComplete, .phyUpdateComplete: updated(&row, origin, payload)
    case .dataLengthChange:
      setConnection(&row, payload.u16(3), origin)
      row.meaning = .updated
    case .cisEstablished, .cisEstablishedV2: streamEstablished(&row, origin, payload)
    // An advertising set that ended without a connection has no connection handle.
    case .advertisingSetTerminated where payload.u8(3) != 0: setStatus(&row, payload.u8(3))
    default:
      if subevent == HCI.LESubevent.cisRequest.rawValue, let stream = payload.u16(5), let connection = payload.u16(3) {
        let state = Int(adapter(origin.adapter))
        adapterStates[state].streams[stream & 0xFFF] = connection & 0xFFF
        if let group = payload.u8(7), let number = payload.u8(8) {
          adapterStates[state].streamNumbers[stream & 0xFFF] = StreamNumber(group: group, stream: number)
        }
      }
      switch HCI.LESubevent(rawValue: subevent) {
      case .periodicAdvertisingSyncEstablished, .periodicAdvertisingSyncEstablishedV2: synchronized(&row, origin, payload, from: 4)
      case .periodicAdvertisingSyncTransferReceived, .periodicAdvertisingSyncTransferReceivedV2:
        synchronized(&row, origin, payload, from: 8)
      case .periodicAdvertisingReport: periodicReport(&row, origin, payload, from: 8)
      case .periodicAdvertisingReportV2: periodicReport(&row, origin, payload, from: 11)
      default: break
      }
      if purpose == .rows { setSubject(&row, of: HCI.leEvents[UInt32(subevent)], payload, 3, origin) }
    }
    if purpose == .rows { rows.append(row) }
  }

  private mutating func updated(_ row: inout PacketRow, _ origin: PacketOrigin, _ payload: PDUBytes) {
    setStatus(&row, payload.u8(3))
    setConnection(&row, payload.u16(4), origin)
    row.meaning = .updated
  }

  private mutating func lowEnergyConnected(_ row: inout PacketRow, _ origin: PacketOrigin, _ payload: PDUBytes, isEnhanced: Bool) {
    setStatus(&row, payload.u8(3))
    let address = payload.address(8) ?? 0
    let type = payload.u8(7) ?? 0
    guard row.status == 0, let handle = payload.u16(4) else {
      row.meaning = Self.unconnected(row.status)
      if address != 0 { row.peer = tables.knownPeer(address, type: type) }
      return
    }
    row.meaning = .connected
    let peer = address == 0 ? -1 : tables.peer(address, type: type)
    row.peer = peer
    // Where the controller resolved the address, the event also has the private address that was on the air (7.7.65.10).
    if isEnhanced, peer >= 0, type & 2 != 0, let used = payload.address(20), used >> 46 == 0b01 {
      tables.join(tables.peer(used, type: 1), with: peer)
    }
    open(&row, origin, handle & 0xFFF, peer: peer, transport: .le)
    guard row.connection >= 0 else { return }
    let number = Int(row.connection)
    let at = isEnhanced ? 26 : 14
    tables.connections[number].isCentral = payload.u8(6).map { $0 == 0 }
    tables.connections[number].interval = payload.u16(at) ?? 0
    tables.connections[number].latency = payload.u16(at + 2) ?? 0
    tables.connections[number].timeout = payload.u16(at + 4) ?? 0
  }

  /// LE CIS Established (7.7.65.25): the stream's peer is that of the connection it was created for.
  private mutating func streamEstablished(_ row: inout PacketRow, _ origin: PacketOrigin, _ payload: PDUBytes) {
    setStatus(&row, payload.u8(3))
    setConnection(&row, payload.u16(4), origin)
    guard row.status == 0, row.flags.contains(.hasConnection) else { return }
    let known = adapterStates[Int(adapter(origin.adapter))].streams[row.handle].map { connection(on: origin.adapter, $0) } ?? -1
    row.peer = known >= 0 ? tables.connections[Int(known)].peer : -1
    open(&row, origin, row.handle, peer: row.peer, transport: .isochronous)
    guard row.connection >= 0 else { return }
    tables.connections[Int(row.connection)].streamNumber = adapterStates[Int(adapter(origin.adapter))].streamNumbers[row.handle]
    tables.connections[Int(row.connection)].interval = payload.u16(29) ?? 0
  }

  /// LE Periodic Advertising Sync Established and Sync Transfer Received (7.7.65.14 and 7.7.65.24): notes the advertiser of a sync handle, which is
  /// at `from`.
  private mutating func synchronized(_ row: inout PacketRow, _ origin: PacketOrigin, _ payload: PDUBytes, from at: Int) {
    guard payload.u8(3) == 0, let handle = payload.u16(at), let type = payload.u8(at + 3), let address = payload.address(at + 4) else {
      return
    }
    let index = Int(adapter(origin.adapter))
    if purpose == .rows {
      row.peer = tables.knownPeer(address, type: type)
      if row.peer < 0 { row.peer = tables.resolved(address, type: type) }
    }
    guard adapterStates[index].trains.count < PeriodicTrain.maxCount || adapterStates[index].trains[handle & 0xFFF] != nil else { return }
    adapterStates[index].trains[handle & 0xFFF] = PeriodicTrain(address: address | UInt64(type & 1) << 48)
  }

  /// LE Periodic Advertising Report (7.7.65.15), with its data status at `from`, followed by length and data.
  private mutating func periodicReport(_ row: inout PacketRow, _ origin: PacketOrigin, _ payload: PDUBytes, from at: Int) {
    guard purpose == .rows, let handle = payload.u16(3), let status = payload.u8(at), let length = payload.u8(at + 1) else { return }
    let index = Int(adapter(origin.adapter))
    var bytes = payload.slice(at + 2, Int(length))
    var address: UInt64 = 0
    if let train = adapterStates[index].trains[handle & 0xFFF] {
      address = train.address
      let type = UInt8(truncatingIfNeeded: address >> 48) & 1
      row.peer = tables.knownPeer(address & 0xFFFF_FFFF_FFFF, type: type)
      // 1: the data continue in the next report.
      if status == 1 || !train.bytes.isEmpty {
        var (whole, parts) = (train.bytes, train.pieces)
        if bytes.count > 0, whole.count + bytes.count <= UnfinishedReport.longest {
          whole.append(contentsOf: bytes)
          if tracksPieces { parts += pieces(of: bytes) }
        }
        let goesOn = status == 1
        adapterStates[index].trains[handle & 0xFFF]?.bytes = goesOn ? whole : []
        adapterStates[index].trains[handle & 0xFFF]?.pieces = goesOn ? parts : []
        if goesOn { return }
        bytes = whole.withBorrowedBytes { out.arena.copy($0) }
        remember(bytes, parts)
      }
    }
    guard bytes.count > 0 else { return }
    valueEvents.append(
      ValueEvent(
        bytes: bytes, row: Int32(truncatingIfNeeded: rows.count), attribute: -1, source: .advertisement, address: address))
  }

  /// Opens a connection whose start the capture shows.
  private mutating func open(
    _ row: inout PacketRow, _ origin: PacketOrigin, _ handle: UInt16, peer: Int32, transport: Connection.Transport
  ) {
    let link = newLink(Int(adapter(origin.adapter)), origin.adapter, handle, start: frame)
    row.handle = handle
    row.flags.insert(.hasConnection)
    guard link >= 0 else { return }
    let number = links[Int(link)].connection
    row.connection = number
    tables.connections[Int(number)].transport = transport
    tables.connections[Int(number)].startFrame = frame
    tables.connections[Int(number)].startTime = time
    tables.connections[Int(number)].endTime = time
    if peer >= 0 { tables.connections[Int(number)].peer = peer }
    refreshDatabases(Int(link))
  }

  /// LE Advertising Report (7.7.65.2), with its reports one after the other as controllers send them.
  @inline(__always)
  private mutating func legacyReports(_ row: inout PacketRow, _ payload: PDUBytes) {
    var left = Int(payload.u8(3) ?? 0)
    var at = 4
    var isNew = false
    row.meaning = .advertises
    var reports = 0
    while left > 0, let kind = payload.u8(at), let type = payload.u8(at &+ 1), let address = payload.address(at &+ 2),
      let length = payload.u8(at &+ 8)
    {
      let data = payload.slice(at &+ 9, Int(length))
      isNew = report(&row, data, address, type, kind: UInt16(kind), isFirst: reports == 0) || isNew
      at = at &+ 10 &+ Int(length)
      left &-= 1
      reports &+= 1
    }
    if !isNew, reports > 0 { row.meaning = .noise }
  }

  /// Takes the names from an LE Advertising Report; a survey needs nothing else of it.
  @inline(__always)
  mutating func learnNames(_ payload: PDUBytes) {
    var left = Int(payload.u8(3) ?? 0)
    var at = 4
    while left > 0, let type = payload.u8(at &+ 1), let address = payload.address(at &+ 2), let length = payload.u8(at &+ 8) {
      name(from: payload.slice(at &+ 9, Int(length)), address: address, type: type)
      at = at &+ 10 &+ Int(length)
      left &-= 1
    }
  }

  /// LE Extended Advertising Report (7.7.65.13).
  private mutating func extendedReports(_ row: inout PacketRow, _ payload: PDUBytes) {
    var left = Int(payload.u8(3) ?? 0)
    var at = 4
    var isNew = false
    row.meaning = .advertises
    var reports = 0
    while left > 0, let kind = payload.u16(at), let type = payload.u8(at &+ 2), let address = payload.address(at &+ 3),
      let length = payload.u8(at &+ 23)
    {
      let data = payload.slice(at &+ 24, Int(length))
      let isFirst = reports == 0
      if kind & 0x60 != 0 || unfinished.key != .max {
        isNew = extendedReport(&row, data, address, type, set: payload.u8(at &+ 11) ?? 0xFF, kind: kind, isFirst: isFirst) || isNew
      } else {
        isNew = report(&row, data, address, type, kind: kind, isFirst: isFirst) || isNew
      }
      at = at &+ 24 &+ Int(length)
      left &-= 1
      reports &+= 1
    }
    if !isNew, reports > 0 { row.meaning = .noise }
  }

  /// An extended report whose data continue in another, or continue those of another: names and profiles get the data when they are complete.
  private mutating func extendedReport(
    _ row: inout PacketRow, _ data: PDUBytes, _ address: UInt64, _ type: UInt8, set: UInt8, kind: UInt16, isFirst: Bool
  ) -> Bool {
    let key = address | UInt64(type & 1) << 48 | UInt64(set) << 56
    var whole = data
    let isBegun = unfinished.key == key && unfinished.adapter == row.adapter
    if isBegun || kind & 0x60 == 0x20 {
      if !isBegun { unfinished = UnfinishedReport(key: key, adapter: row.adapter) }
      if data.count > 0, unfinished.bytes.count + data.count <= UnfinishedReport.longest {
        unfinished.bytes.append(contentsOf: data)
        if tracksPieces { unfinished.pieces += pieces(of: data) }
      }
      if kind & 0x60 == 0x20 {
        if isFirst, purpose == .rows {
          row.peer = tables.knownPeer(address, type: type)
          if row.peer < 0 { row.peer = tables.resolved(address, type: type) }
        }
        return false
      }
      whole = unfinished.bytes.withBorrowedBytes { out.arena.copy($0) }
      remember(whole, unfinished.pieces)
      unfinished = UnfinishedReport()
      if isFirst {
        row.assembled = whole
        row.flags.insert(.hasAssembled)
      }
    }
    return report(&row, whole, address, type, kind: kind, isFirst: isFirst)
  }

  /// Takes one report. Returns true if no such report of this device was seen before.
  @inline(__always)
  mutating func report(
    _ row: inout PacketRow, _ data: PDUBytes, _ address: UInt64, _ type: UInt8, kind: UInt16, isFirst: Bool
  ) -> Bool {
    let missing = name(from: data, address: address, type: type)
    guard purpose == .rows else { return true }
    if isFirst {
      row.peer = tables.knownPeer(address, type: type)
      if row.peer < 0 { row.peer = tables.resolved(address, type: type) }
    }
    valueEvents.append(
      ValueEvent(
        bytes: data, row: Int32(truncatingIfNeeded: rows.count), attribute: -1, source: .advertisement,
        address: address | UInt64(type & 1) << 48))
    // The low bits of the kind distinguish a scan response from an advertisement.
    let isNew = !heard.isRepeated(address, UInt8(truncatingIfNeeded: kind) & 0x1F | (type & 1) << 7)
    // Data that the controller could not receive completely (7.7.65.13) may end anywhere.
    if isNew, let missing, !cut, !(row.layer == .advertisingPDU && isShortened), kind & 0x60 == 0 {
      report(.advertisingLengthLies(announced: missing.announced, left: missing.left), adapter: row.adapter)
    }
    return isNew
  }

  /// Takes the name from advertising data (Supplement, Part A, 1.2). Returns the length that the last structure announces and the number of bytes
  /// left for it, if these are fewer.
  @inline(__always)
  @discardableResult
  private mutating func name(from data: PDUBytes, address: UInt64, type: UInt8) -> (announced: Int, left: Int)? {
    var at = 0
    while let length = data.u8(at), length > 0 {
      if let kind = data.u8(at &+ 1), kind == 8 || kind == 9, length > 1 {
        let peer = tables.peer(address, type: type)
        // A name that is cut is not complete.
        let isComplete = kind == 9 && at &+ Int(length) < data.count
        setName(peer, data.slice(at &+ 2, Int(length) &- 1).prefix { $0 != 0 }, trust: isComplete ? 2 : 1)
      }
      at = at &+ 1 &+ Int(length)
      if at > data.count { return (Int(length), data.count &- at &+ Int(length)) }
    }
    return nil
  }

  /// Gives a peer a name, unless it has a better one.
  mutating func setName(_ peer: Int32, _ name: Slice<PDUBytes>, trust: UInt8) {
    guard peer >= 0, trust >= tables.peers[Int(peer)].nameTrust, !name.isEmpty, name.count <= 248 else { return }
    if tables.peers[Int(peer)].nameTrust == trust, tables.peers[Int(peer)].name.elementsEqual(name) { return }
    tables.version += 1
    tables.peers[Int(peer)].name = Array(name)
    tables.peers[Int(peer)].nameTrust = trust
    // Where the key of a device was known before its address was seen, the identity address gets the name too.
    let identity = tables.identity(peer)
    if identity != peer, tables.peers[Int(identity)].nameTrust <= trust {
      tables.peers[Int(identity)].name = Array(name)
      tables.peers[Int(identity)].nameTrust = trust
    }
    if !tables.map.devices.isEmpty {
      tables.applyMap(to: peer)
      for link in links.indices where links[link].isActive && tables.connections[Int(links[link].connection)].peer == peer {
        refreshDatabases(link)
      }
    }
  }
}
