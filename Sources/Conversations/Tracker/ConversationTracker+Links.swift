import Bluetooth
import Captures
import Memory

extension ConversationTracker {
  /// Most connections that are tracked at a time over all adapters: when there are more, those that were silent longest are closed.
  static let maximumLinks = 1024
  /// Most bytes of incomplete PDUs and SDUs, over all connections. Above that the assemblies of the connections that were silent longest are dropped.
  static let maximumFragments = 8 << 20
  /// Most L2CAP channels and RFCOMM data links that are tracked at a time, over all connections: when there are more, those of the connections that
  /// were silent longest are dropped.
  static let maximumChannels = 2048
  /// Most signals and requests on channels that wait for their responses, over all connections; then the oldest are dropped.
  static let maximumWaiting = 16_384

  /// The link of a handle, created for a connection whose start the capture does not show; -1 where the tables are full.
  @inline(__always)
  mutating func link(_ origin: PacketOrigin, _ handle: UInt16) -> Int32 {
    let state = Int(adapter(origin.adapter))
    if !adapterStates[state].links.isEmpty {
      let known = adapterStates[state].links[Int(handle & 0xFFF)]
      if known >= 0 { return known }
    }
    return newLink(state, origin.adapter, handle, start: 0)
  }

  /// The connection of a handle that is known already, or -1.
  mutating func connection(on adapter: UInt16, _ handle: UInt16) -> Int32 {
    let found = knownLink(adapter, handle)
    return found >= 0 ? links[Int(found)].connection : -1
  }

  /// The link of a handle that is known already, or -1.
  mutating func knownLink(_ adapter: UInt16, _ handle: UInt16) -> Int32 {
    let state = Int(self.adapter(adapter))
    return adapterStates[state].links.isEmpty ? -1 : adapterStates[state].links[Int(handle & 0xFFF)]
  }

  /// Opens a link. An earlier survey has added the same connections to the tables in the same order; its entry is used again.
  mutating func newLink(_ state: Int, _ adapter: UInt16, _ handle: UInt16, start: Int) -> Int32 {
    if adapterStates[state].links.isEmpty { adapterStates[state].links = [Int32](repeating: -1, count: 4096) }
    let previous = adapterStates[state].links[Int(handle & 0xFFF)]
    // A new connection with a handle that is in use: the end of the old one is not in the capture.
    if previous >= 0 { close(previous, at: 0) }
    if freeLinks.isEmpty, links.count >= Self.maximumLinks { displaceLinks(adapter, handle) }
    let number = newConnection(adapter, handle)
    guard number >= 0 else { return -1 }
    if !tables.hostConnections.isEmpty, let known = tables.takeHostConnection(adapter, handle), start == 0 {
      tables.connections[Int(number)].peer = known.peer
      tables.connections[Int(number)].transport = known.connection.isLE ? .le : .classic
      tables.connections[Int(number)].isCentral = known.connection.isCentral
      tables.connections[Int(number)].isFromHost = true
    }
    let index: Int32
    if let free = freeLinks.popLast() {
      index = free
      links[Int(index)] = Link()
    } else {
      index = Int32(links.count)
      links.append(Link())
    }
    links[Int(index)].connection = number
    links[Int(index)].adapter = adapter
    links[Int(index)].isActive = true
    links[Int(index)].local = tables.adapters[state].database
    if tables.connections[Int(number)].startFrame == 0 {
      tables.connections[Int(number)].startFrame = start
      tables.connections[Int(number)].startTime = time
    }
    adapterStates[state].links[Int(handle & 0xFFF)] = index
    refreshDatabases(Int(index))
    return index
  }

  /// Closes a quarter of the links, those that were silent longest, as if their ends were not in the capture.
  private mutating func displaceLinks(_ adapter: UInt16, _ handle: UInt16) {
    displacements += 1
    if displacements <= Self.reportedDisplacements {
      report(
        .tableFull(limit: Self.maximumLinks, isLast: displacements == Self.reportedDisplacements), adapter: adapter, handle: handle)
    }
    let order = links.indices.sorted { (links[$0].lastTime, links[$0].connection) < (links[$1].lastTime, links[$1].connection) }
    for index in order.prefix(Self.maximumLinks / 4) { close(Int32(index), at: 0) }
  }

  /// Drops state of open connections beyond the bounds. Goes through all links, so it does nothing until as many packets have come as there are
  /// links, or 64 KiB.
  mutating func dropOldest(behind batch: RowBatch) {
    sinceDrop.packets += unsafe batch.packets.records.count
    sinceDrop.bytes += batch.packets.byteCount
    guard sinceDrop.packets >= links.count || sinceDrop.bytes >= 64 << 10 else { return }
    sinceDrop = (0, 0)
    dropOldestChannels()
    dropOldestFragments()
  }

  /// Drops channels, and requests on them, beyond the bounds: those of the connections that were silent longest.
  private mutating func dropOldestChannels() {
    var (channels, waiting) = (0, 0)
    for index in links.indices where links[index].isActive {
      channels += links[index].channels.count + links[index].dataLinks.count
      waiting += links[index].waiting
    }
    guard channels > Self.maximumChannels || waiting > Self.maximumWaiting else { return }
    if channels > Self.maximumChannels { tables.overflow.channels += 1 }
    if waiting > Self.maximumWaiting { tables.overflow.requests += 1 }
    // Half of them are dropped, so that this is needed rarely.
    let maxChannels = channels > Self.maximumChannels ? Self.maximumChannels / 2 : channels
    let maxWaiting = waiting > Self.maximumWaiting ? Self.maximumWaiting / 2 : waiting
    let order = links.indices.filter { links[$0].isActive }.sorted { links[$0].lastTime < links[$1].lastTime }
    for index in order where channels > maxChannels || waiting > maxWaiting {
      let before = (channels: links[index].channels.count + links[index].dataLinks.count, waiting: links[index].waiting)
      if channels > maxChannels {
        dropChannels(index)
        channels -= before.channels
      }
      if waiting > maxWaiting { links[index].dropRequests() }
      waiting -= before.waiting - links[index].waiting
    }
  }

  /// Drops the channels of a link, as if the link ended for them.
  private mutating func dropChannels(_ at: Int) {
    guard !links[at].channels.isEmpty || !links[at].dataLinks.isEmpty else { return }
    flushReads(at)
    for channel in links[at].channels {
      leftOver(channel.sending, at, of: links[at])
      leftOver(channel.receiving, at, of: links[at])
      missing(channel.bearer, at)
    }
    links[at].channels = []
    links[at].dataLinks = []
    links[at].lossFrame = frame
  }

  /// Drops the oldest incomplete PDUs and values where they take too much memory.
  private mutating func dropOldestFragments() {
    var total = 0
    for index in links.indices where links[index].isActive { total += links[index].heldBytes }
    guard total > Self.maximumFragments else { return }
    let order = links.indices.filter { links[$0].isActive && links[$0].heldBytes > 0 }.sorted { links[$0].lastTime < links[$1].lastTime }
    for index in order where total > Self.maximumFragments / 2 {
      total -= links[index].heldBytes
      var link = Link()
      swap(&link, &links[index])
      for assembly in link.assemblies { leftOver(assembly, index, of: link) }
      link.dropFragments()
      link.lossFrame = frame
      swap(&link, &links[index])
    }
  }

  /// The next connection of the tables: created, or the one that the survey created here.
  mutating func newConnection(_ adapter: UInt16, _ handle: UInt16) -> Int32 {
    let number = connectionCount
    if number >= tables.connections.count {
      guard number < ConversationTables.maximumConnections else {
        tables.overflow.connections += 1
        return -1
      }
      tables.connections.append(Connection(adapter: adapter, handle: handle))
    } else {
      tables.connections[number].packets = 0
      tables.connections[number].mtu = 23
    }
    connectionCount += 1
    return Int32(number)
  }

  /// Looks up the database with the peer's attributes, and creates one where there is none.
  mutating func refreshDatabases(_ link: Int) {
    let number = Int(links[link].connection)
    let peer = tables.identity(tables.connections[number].peer)
    if peer >= 0 {
      if tables.peers[Int(peer)].database < 0 {
        let own = tables.connections[number].database
        tables.peers[Int(peer)].database = own >= 0 ? own : tables.newDatabase()
      }
      links[link].remote = tables.peers[Int(peer)].database
    } else {
      if tables.connections[number].database < 0 {
        tables.connections[number].database = tables.newDatabase()
        if tables.connections[number].startFrame == 0 {
          tables.applyMap(toConnection: tables.connections[number].handle, database: tables.connections[number].database)
        }
      }
      links[link].remote = tables.connections[number].database
    }
  }

  /// Ends a link: reports its open requests and fragments.
  mutating func close(_ index: Int32, at endFrame: Int) {
    let at = Int(index)
    guard links[at].isActive else { return }
    flushReads(at)
    for assembly in links[at].assemblies { leftOver(assembly, at, of: links[at], isDisconnected: endFrame != 0) }
    missing(links[at].bearer, at)
    for channel in links[at].channels { missing(channel.bearer, at) }
    let number = Int(links[at].connection)
    tables.connections[number].mtu = links[at].bearer.mtu
    tables.connections[number].packets = links[at].packets
    if endFrame == 0 || tables.connections[number].endFrame == 0 {
      tables.connections[number].endTime = max(tables.connections[number].endTime, links[at].lastTime)
    }
    if let state = adapterOf[links[at].adapter], !adapterStates[Int(state)].links.isEmpty {
      let handle = Int(tables.connections[number].handle & 0xFFF)
      if adapterStates[Int(state)].links[handle] == index { adapterStates[Int(state)].links[handle] = -1 }
    }
    links[at].isActive = false
    freeLinks.append(index)
  }

  /// Ends the links of an adapter that was closed or unplugged: there is no disconnection event for each.
  mutating func closeAll(on adapter: UInt16) {
    closeLinks(on: adapter)
    adapterStates[Int(self.adapter(adapter))].commands.removeAll()
  }

  /// Ends the links of an adapter that was closed or reset.
  mutating func closeLinks(on adapter: UInt16) {
    for index in links.indices where links[index].isActive && links[index].adapter == adapter {
      let number = Int(links[index].connection)
      guard tables.connections[number].accessAddress == 0 else { continue }
      tables.connections[number].endFrame = frame
      tables.connections[number].endTime = time
      didEnd(links[index].connection, adapter)
      close(Int32(index), at: frame)
    }
    tables.hostConnections.removeAll { $0.adapter == adapter }
    adapterStates[Int(self.adapter(adapter))].scanning = false
  }

  /// Remembers a host's connection as the last that ended with its handle.
  mutating func didEnd(_ connection: Int32, _ adapter: UInt16) {
    let state = Int(self.adapter(adapter))
    if adapterStates[state].ended.isEmpty { adapterStates[state].ended = [Int32](repeating: -1, count: 4096) }
    adapterStates[state].ended[Int(tables.connections[Int(connection)].handle & 0xFFF)] = connection
  }

  private mutating func leftOver(_ assembly: Assembly, _ at: Int, of link: Link, isDisconnected: Bool = false) {
    guard assembly.isOpen else { return }
    links[at].lossFrame = frame
    abandon(assembly)
    let isOnAir = linkLayer.airs.values.contains { Int($0.link) == at }
    let instead: Finding.Interruption =
      isOnAir ? .otherPacketOnAir : isFinishing ? .endOfCapture : isDisconnected ? .disconnection : .anotherPDU
    report(
      startWithoutEnd(assembly, instead: instead),
      adapter: link.adapter,
      handle: tables.connections[Int(link.connection)].handle, connection: link.connection)
  }

  /// Packets of a connection were lost since a frame: a PDU that seems missing may only be missing from the capture.
  func isLost(since frame: Int, _ link: Link) -> Bool { max(lastLoss, link.lossFrame) > frame }

  private mutating func missing(_ bearer: Bearer, _ link: Int) {
    missing(bearer.sent, link)
    missing(bearer.received, link)
    missing(bearer.sentIndication, link)
    missing(bearer.receivedIndication, link)
  }

  private mutating func missing(_ request: Bearer.Open, _ link: Int) {
    guard request.isOpen else { return }
    // The response may have been sent without the sniffer receiving it.
    if tables.connections[Int(links[link].connection)].accessAddress != 0 || !hearsPeers { return }
    // A log that leaves out packets of one side lacks that side's responses too.
    if links[link].lacksRequests, request.isFromHost ? !links[link].hasReceived : !links[link].hasSent { return }
    // The capture ends in the middle of a transaction (Vol 3, Part F, 3.3.3: timeout of 30 s): the response may have come later.
    let isOpen = isFinishing && time &- request.time < 30_000_000
    // The connection ended before the transaction timed out: the disconnection has its own row, and explains the missing response.
    if !isFinishing, time &- request.time < 30_000_000 { return }
    if !isOpen, isLost(since: request.frame, links[link]) { return }
    var waited: Int64 = 0
    var side = Finding.Side.unknown
    if !isFinishing {
      switch HCI.ErrorCode(rawValue: tables.connections[Int(links[link].connection)].endReason) {
      case .connectionTerminatedByLocalHost?: (waited, side) = (time &- request.time, .host)
      case let reason? where reason.isRemoteTermination: (waited, side) = (time &- request.time, .peer)
      default: break
      }
    }
    report(
      isOpen
        ? .responseOpen(frame: request.frame, opcode: request.opcode?.rawValue ?? 0)
        : .responseMissing(frame: request.frame, opcode: request.opcode?.rawValue ?? 0, waited: waited, endedBy: side),
      adapter: links[link].adapter,
      handle: tables.connections[Int(links[link].connection)].handle, connection: links[link].connection)
  }
}
