import Bluetooth
import Captures
import Conversations

/// Looks at the rows of a capture in their order, and finds what went wrong above the level of single packets: refusals, lost connections,
/// attempts without end, answers that nobody could hear. Memory is one small record per connection.
struct Watch {
  /// Who listened to what.
  private(set) var listening = Listening()
  private var links: [WatchedLink] = []
  private var attempts: [UInt16: Attempt] = [:]
  private var found: [Finding] = []
  /// For a written attribute the one behind it that may carry answers, or -1.
  private var answers: [Int32: Int32] = [:]
  private var lastTime: Int64 = .min

  init() {}

  /// A connection attempt that has not completed.
  private struct Attempt {
    var frame: Int
    var time: Int64
    /// The host waits for whichever of its known devices comes: that may take for ever.
    var isBackground: Bool
    /// Who is called; 0 where it is whoever comes.
    var address: UInt64
    var isCancelled = false
  }

  /// Adds findings to those of a batch whose rows were just made.
  mutating func look(_ batch: RowBatch) {
    let tables = batch.tables
    unsafe batch.rows.withUnsafeBufferPointer { rows in
      for index in rows.indices {
        switch unsafe rows[index].layer {
        case .att: unsafe att(rows[index], tables, index + 1)
        case .hciEvent:
          // Advertisements and completed packets change nothing here.
          if unsafe rows[index].meaning != .noise, unsafe rows[index].meaning != .advertises {
            unsafe event(rows[index], tables, index + 1)
          }
        case .hciCommand: unsafe command(rows[index], tables, index + 1)
        case .smp: unsafe security(rows[index], index + 1)
        case .signaling: unsafe signaling(rows[index], index + 1)
        case .linkLayerControl: unsafe control(rows[index], tables, index + 1)
        default: break
        }
      }
      if let last = unsafe rows.last { lastTime = max(lastTime, last.time) }
    }
    merge(into: batch)
  }

  /// The capture ended: what is still open is told in `batch`, the last one.
  mutating func finish(_ batch: RowBatch) {
    look(batch)
    let position = batch.rows.count
    for (adapter, attempt) in attempts.sorted(by: { $0.key < $1.key }) {
      let waited = lastTime &- attempt.time
      guard !attempt.isBackground, !attempt.isCancelled, waited > 10_000_000 else { continue }
      found.append(
        Finding(
          code: .attemptOpen, frame: attempt.frame, time: lastTime, a: attempt.frame, b: Int(clamping: waited), adapter: adapter,
          address: attempt.address, position: position))
    }
    attempts.removeAll()
    for index in links.indices { leave(Int32(index), batch.tables, adapter: 0xFFFF, time: lastTime, position: position) }
    merge(into: batch)
  }

  private mutating func merge(into batch: RowBatch) {
    guard !found.isEmpty else { return }
    if batch.findings.isEmpty {
      batch.findings.append(contentsOf: found)
    } else {
      // Both are in order; what the reconstruction found at a packet stands before what is said of its row.
      var merged: [Finding] = []
      merged.reserveCapacity(batch.findings.count + found.count)
      var own = 0
      for finding in batch.findings {
        while own < found.count, found[own].position < finding.position {
          merged.append(found[own])
          own += 1
        }
        merged.append(finding)
      }
      merged.append(contentsOf: found[own...])
      batch.findings = merged
    }
    found.removeAll(keepingCapacity: true)
  }

  private mutating func find(
    _ code: Finding.Code, _ row: PacketRow, _ position: Int, a: Int = 0, b: Int = 0, attribute: Int32 = -1, address: UInt64 = 0
  ) {
    found.append(
      Finding(
        code: code, frame: row.frame, time: row.time, a: a, b: b, adapter: row.adapter,
        handle: row.flags.contains(.hasConnection) ? row.handle : 0xFFFF, connection: row.connection, attribute: attribute,
        address: address, position: position))
  }

  /// What is known of a connection; made with the first row of it.
  @inline(__always)
  private mutating func prepare(_ connection: Int32, _ tables: Tables) -> Int {
    let at = Int(connection)
    if at >= links.count || !links[at].isKnown { learn(at, tables) }
    return at
  }

  private mutating func learn(_ at: Int, _ tables: Tables) {
    while links.count <= at { links.append(WatchedLink()) }
    let connection = tables.connections[at]
    links[at].isKnown = true
    links[at].isLowEnergy = connection.transport == .le || connection.transport == .unknown
    // A capture that starts later does not tell what was agreed on before.
    links[at].startsHere = connection.startFrame != 0
    links[at].mtu = connection.startFrame != 0 && connection.transport == .le ? 23 : 0
  }

  // MARK: ATT

  @inline(__always)
  private mutating func att(_ row: PacketRow, _ tables: Tables, _ position: Int) {
    guard row.connection >= 0 else { return }
    let at = prepare(row.connection, tables)
    if row.channel == 4, links[at].mtu != 0, row.pdu.count > Int(links[at].mtu) {
      find(.valueExceedsMTU, row, position, a: row.pdu.count, b: Int(links[at].mtu), attribute: row.attribute)
    }
    switch row.meaning {
    case .notify where row.opcode == 0x23: row.forEachNotified(tables) { value($0, at, tables, position) }
    case .notify, .indicate: value(row, at, tables, position)
    case .subscribe: listening.configured(row, tables)
    case .write, .writeCommand: written(row, at, tables, position)
    default: transaction(row, at, tables, position)
    }
  }

  @inline(__always)
  private mutating func value(_ row: PacketRow, _ at: Int, _ tables: Tables, _ position: Int) {
    links[at].cameBack = true
    if listening.counted(row, firstWrite: links[at].firstWrite) { return }
    let firstWrite = links[at].firstWrite
    let startsHere = links[at].startsHere
    let isEncrypted = links[at].isEncrypted
    let known = row.attribute >= 0 && listening.wasSubscribed(tables.attributes[Int(row.attribute)].database, row.attributeHandle)
    let began = listening.value(row, firstWrite: firstWrite) {
      if !startsHere { return .beforeCapture }
      // Only bonded devices keep subscriptions (Vol 3, Part G, 3.3.3.3), and an encrypted link is one of bonded devices.
      return isEncrypted || known ? .restored : .unasked
    }
    // Service Changed is indicated to bonded clients whether or not the log shows that they asked for it.
    if let began, began.beginning == .unasked, row.meaning == .notify {
      find(.notificationUnasked, row, position, attribute: row.attribute)
    }
  }

  private mutating func written(_ row: PacketRow, _ at: Int, _ tables: Tables, _ position: Int) {
    guard row.opcode != 0x18, row.opcode != 0x16 else { return }
    links[at].writes &+= 1
    if links[at].firstWrite == .max { links[at].firstWrite = row.time }
    repeated(row, at, position)
    guard links[at].startsHere, !links[at].isEncrypted || links[at].isPairedHere, row.attribute >= 0 else { return }
    guard !links[at].warned.contains(row.attribute), links[at].warned.count < 64 else { return }
    let answer = answerAttribute(row.attribute, tables)
    guard answer >= 0 else { return }
    let handle = tables.attributes[Int(answer)].handle
    let isLocal = row.flags.contains(.localServer)
    links[at].warned.append(row.attribute)
    if listening.period(row.connection, handle, isLocal: isLocal) != nil { return }
    if listening.wasSubscribed(tables.attributes[Int(answer)].database, handle) { return }
    find(.answerMayBeMissed, row, position, a: Int(answer), attribute: row.attribute)
  }

  /// The characteristic that most likely carries the answers to writes of `attribute`: the next of the same service, if it can do nothing but
  /// notify or indicate; -1 where there is none.
  private mutating func answerAttribute(_ attribute: Int32, _ tables: Tables) -> Int32 {
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
          // One that can be read is a state, not an answer.
          if found.properties & 0x30 != 0, found.properties & 0x0E == 0 { answer = next }
          break search
        default: continue
        }
      }
      if answers.count < 4096 { answers[attribute] = answer }
    }
    return answer
  }

  /// The same value written once more, and nothing came between, on a connection where answers do come.
  private mutating func repeated(_ row: PacketRow, _ at: Int, _ position: Int) {
    let last = links[at].lastWrite
    let cameBack = links[at].cameBack
    links[at].cameBack = false
    if last.frame != 0, cameBack { links[at].answered &+= 1 }
    let hash = row.value.hash
    let waited = row.time &- last.time
    links[at].lastWrite = (row.frame, row.time, row.attribute, hash, row.valueCount)
    // Most writes so far must have been answered: a device that never answers says nothing by its silence.
    guard last.frame != 0, !cameBack, last.attribute == row.attribute, last.hash == hash, last.count == row.valueCount, row.valueCount > 1,
      links[at].answered >= 3, links[at].answered &* 4 >= (links[at].writes &- 2) &* 3, waited >= 200_000
    else { return }
    find(.writeRepeated, row, position, a: last.frame, b: Int(clamping: waited), attribute: row.attribute)
  }

  private mutating func transaction(_ row: PacketRow, _ at: Int, _ tables: Tables, _ position: Int) {
    switch row.opcode {
    case 0x02:
      // Until the answer, and if the capture misses it, the MTU is not known.
      links[at].offered = row.pdu.u16(1) ?? 0
      links[at].former = max(links[at].former, links[at].mtu)
      links[at].mtu = 0
    case 0x03:
      if row.requestFrame != 0, links[at].offered >= 23, let mine = row.pdu.u16(1), mine >= 23 {
        links[at].mtu = max(links[at].former, min(mine, links[at].offered))
      }
    case 0x01: refused(row, at, tables, position)
    default: break
    }
    guard row.requestFrame != 0, row.flags.contains(.hasLatency) else { return }
    if row.latency > 30_000_000 {
      find(.answerTooLate, row, position, a: Int(clamping: row.latency), b: row.requestFrame)
      return
    }
    // The peripheral may sleep through some events; two of those it hears are what an answer takes. While people confirm a pairing they wait.
    let interval = Int64(tables.connections[at].interval) &* 1250 &* Int64(tables.connections[at].latency &+ 1)
    guard row.latency > 1_000_000, row.latency > interval &* 10, links[at].pairingFrame < row.requestFrame else { return }
    guard row.latency > links[at].slowest &* 2 else { return }
    links[at].slowest = row.latency
    find(.answerSlow, row, position, a: Int(row.latency), b: Int(tables.connections[at].interval), attribute: row.attribute)
  }

  /// An Error Response, unless it is the way a discovery, a long read or an offer ends.
  private mutating func refused(_ row: PacketRow, _ at: Int, _ tables: Tables, _ position: Int) {
    if row.subcode == 0x12, row.attribute >= 0, tables.type(of: tables.attributes[Int(row.attribute)])?.short16 == 0x2902 {
      listening.refused(row, tables)
    }
    guard row.meaning == .refused else { return }
    if row.subcode == 0x0C, row.status == 0x0B || row.status == 0x07 { return }
    if [0x05, 0x08, 0x0F].contains(row.status), !links[at].isEncrypted, links[at].unmetFrame == 0 {
      links[at].unmetFrame = row.frame
      links[at].unmet = row.status
    }
    find(.requestRefused, row, position, a: Int(row.status), b: Int(row.subcode), attribute: row.attribute)
  }

  // MARK: Link

  private mutating func event(_ row: PacketRow, _ tables: Tables, _ position: Int) {
    switch row.meaning {
    case .connected:
      if row.connection >= 0 { learn(Int(row.connection), tables) }
      if row.opcode == 0x3E, row.pdu.u8(6) == 0 { attempts[row.adapter] = nil }
    case .connectionFailed: connectionFailed(row, position)
    case .disconnected: disconnected(row, tables, position)
    case .encrypted:
      if row.connection >= 0, row.opcode != 0x30, row.pdu.u8(5) != 0 { links[prepare(row.connection, tables)].isEncrypted = true }
    case .encryptionFailed: find(.encryptionFailed, row, position, a: Int(row.status))
    case .pairingFailed: pairingFailed(row, tables, position, a: Int(row.status), b: 1)
    case .updated:
      if row.opcode == 0x3E, row.subcode == 0x03, row.flags.contains(.hasStatus), row.status != 0 {
        find(.parametersRefused, row, position, a: Int(row.status))
      }
    case .commandFailed: commandFailed(row, position)
    default:
      switch row.opcode {
      case 0x06:
        // The same failure was told by Simple Pairing Complete already.
        if row.flags.contains(.hasStatus), row.status != 0, row.connection >= 0 {
          pairingFailed(row, tables, position, a: Int(row.status), b: 1)
        }
      case 0x30:
        if row.flags.contains(.hasStatus), row.status != 0 { find(.encryptionFailed, row, position, a: Int(row.status)) }
      default: break
      }
    }
  }

  private mutating func connectionFailed(_ row: PacketRow, _ position: Int) {
    var began = 0
    var address = row.pdu.address(row.opcode == 0x3E ? 8 : 5) ?? 0
    if row.opcode == 0x3E {
      let attempt = attempts.removeValue(forKey: row.adapter)
      // That is how a cancelled attempt ends (Core, Vol 4, Part E, 7.8.13).
      if row.status == 0x02 || attempt?.isCancelled == true { return }
      began = attempt?.frame ?? 0
      if address == 0 { address = attempt?.address ?? 0 }
    }
    find(.connectionFailed, row, position, a: Int(row.status), b: began, address: address)
  }

  private mutating func commandFailed(_ row: PacketRow, _ position: Int) {
    switch row.subcode {
    case 0x200D, 0x2043, 0x2085:
      guard let attempt = attempts[row.adapter], attempt.frame == row.requestFrame else { return }
      attempts[row.adapter] = nil
      find(.connectionFailed, row, position, a: Int(row.status), b: attempt.frame, address: attempt.address)
    case 0x0405: find(.connectionFailed, row, position, a: Int(row.status), b: row.requestFrame)
    // A connection that had just ended refuses nothing.
    case 0x2013 where row.status != 0x02: find(.parametersRefused, row, position, a: Int(row.status), b: row.requestFrame)
    case 0x0413, 0x2019: if row.status != 0x02 { find(.encryptionFailed, row, position, a: Int(row.status)) }
    default: break
    }
  }

  private mutating func disconnected(_ row: PacketRow, _ tables: Tables, _ position: Int) {
    guard row.status == 0, row.connection >= 0 else { return }
    left(row, tables, position, reason: row.pdu.u8(5) ?? 0)
  }

  /// A control PDU of the Link Layer, as a sniffer heard it.
  private mutating func control(_ row: PacketRow, _ tables: Tables, _ position: Int) {
    guard row.connection >= 0 else { return }
    switch row.meaning {
    case .encrypted: links[prepare(row.connection, tables)].isEncrypted = true
    case .disconnected: left(row, tables, position, reason: row.pdu.u8(1) ?? 0)
    case .security: links[prepare(row.connection, tables)].isEncrypting = true
    case .commandFailed: rejected(row, tables, position)
    default: break
    }
  }

  /// LL_REJECT_IND, which only answers a start of encryption (Vol 6, Part B, 5.1.3.1), or LL_REJECT_EXT_IND, which says what it rejects.
  private mutating func rejected(_ row: PacketRow, _ tables: Tables, _ position: Int) {
    switch row.opcode == 0x11 ? row.pdu.u8(1) : links[prepare(row.connection, tables)].isEncrypting ? 0x03 : nil {
    case 0x03: find(.encryptionFailed, row, position, a: Int(row.status))
    case 0x0F: find(.parametersRefused, row, position, a: Int(row.status))
    default: break
    }
  }

  private mutating func left(_ row: PacketRow, _ tables: Tables, _ position: Int, reason: UInt8) {
    listening.disconnected(row.connection, row.frame, row.time)
    leave(row.connection, tables, adapter: row.adapter, time: row.time, position: position, frame: row.frame)
    switch reason {
    // Somebody left on purpose: the peer, its low battery, its power switch, this host.
    case 0x00, 0x13, 0x14, 0x15, 0x16: break
    default: find(.connectionLost, row, position, a: Int(reason))
    }
  }

  /// A connection is over: what was refused for want of security was never made good.
  private mutating func leave(
    _ connection: Int32, _ tables: Tables, adapter: UInt16, time: Int64, position: Int, frame: Int? = nil
  ) {
    let at = Int(connection)
    guard at < links.count, links[at].isKnown else { return }
    let link = links[at]
    links[at] = WatchedLink()
    guard link.unmetFrame != 0, !link.isEncrypted else { return }
    // At the end of a capture pairing may still be under way.
    if frame == nil, link.pairingFrame > link.unmetFrame { return }
    found.append(
      Finding(
        code: .securityNeverCame, frame: frame ?? link.unmetFrame, time: time, a: link.unmetFrame, b: Int(link.unmet),
        adapter: tables.connections[at].adapter, handle: tables.connections[at].handle, connection: connection, position: position))
  }

  private mutating func command(_ row: PacketRow, _ tables: Tables, _ position: Int) {
    switch row.opcode {
    // The filter policy, and the peer's address.
    case 0x200D: attempt(row, policy: row.pdu.u8(7), address: row.pdu.address(9))
    case 0x2043: attempt(row, policy: row.pdu.u8(3), address: row.pdu.address(6))
    case 0x2085: attempt(row, policy: row.pdu.u8(5), address: row.pdu.address(8))
    case 0x200E: attempts[row.adapter]?.isCancelled = true
    // HCI Reset forgets attempts.
    case 0x0C03: attempts[row.adapter] = nil
    case 0x201B: find(.keyMissing, row, position)
    case 0x2021: find(.parametersRefused, row, position, a: 1)
    default: break
    }
  }

  private mutating func attempt(_ row: PacketRow, policy: UInt8?, address: UInt64?) {
    guard attempts[row.adapter] == nil else { return }
    attempts[row.adapter] = Attempt(frame: row.frame, time: row.time, isBackground: policy == 1, address: policy == 1 ? 0 : address ?? 0)
  }

  // MARK: Security and signaling

  private mutating func security(_ row: PacketRow, _ position: Int) {
    guard row.connection >= 0, Int(row.connection) < links.count || row.meaning == .pairingFailed || row.opcode == 0x01 else { return }
    while links.count <= Int(row.connection) { links.append(WatchedLink()) }
    let at = Int(row.connection)
    links[at].pairingFrame = row.frame
    if row.opcode == 0x01 { links[at].isPairedHere = true }
    if row.meaning == .pairingFailed {
      links[at].failedFrame = row.frame
      find(.pairingFailed, row, position, a: Int(row.status))
    }
  }

  private mutating func pairingFailed(_ row: PacketRow, _ tables: Tables, _ position: Int, a: Int, b: Int) {
    if row.connection >= 0 {
      let at = prepare(row.connection, tables)
      if links[at].failedFrame != 0 { return }
      links[at].failedFrame = row.frame
    } else if row.peer >= 0, let at = tables.connections.lastIndex(where: { $0.peer == row.peer && $0.endFrame == 0 }) {
      links[prepare(Int32(at), tables)].failedFrame = row.frame
    }
    find(.pairingFailed, row, position, a: a, b: b)
  }

  private mutating func signaling(_ row: PacketRow, _ position: Int) {
    // Connection Parameter Update Response: rejected.
    if row.opcode == 0x13, row.flags.contains(.hasStatus), row.status != 0 {
      find(.parametersRefused, row, position, b: row.requestFrame)
    }
  }
}

/// What the watch keeps of a connection.
private struct WatchedLink {
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
  /// MTU before the exchange that is under way.
  var former: UInt16 = 0
  /// Writes of values, and how many of them something came after.
  var writes = 0
  /// Time of the first of them, or the end of time.
  var firstWrite = Int64.max
  var answered = 0
  var cameBack = false
  var lastWrite: (frame: Int, time: Int64, attribute: Int32, hash: UInt64, count: Int32) = (0, 0, -1, 0, 0)
  var slowest: Int64 = 0
  /// Frame of the last pairing PDU, and of the last failure.
  var pairingFrame = 0
  var failedFrame = 0
  /// Frame and error of the first request that was refused for want of security.
  var unmetFrame = 0
  var unmet: UInt8 = 0
  /// Attributes whose answers were looked for.
  var warned: [Int32] = []
}
