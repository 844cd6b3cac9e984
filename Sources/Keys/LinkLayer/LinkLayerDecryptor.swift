import Bluetooth
import Captures
import PacketCodecs

/// Decrypts the connections of a sniffer's capture (Core, Vol 6, Part B, 5.1.3 and Part E), packet by packet in the order of the capture. Keys that
/// are distributed in decrypted packets are used for later ones.
public final class LinkLayerDecryptor {
  /// The result for a packet.
  public enum Outcome: Sendable {
    /// Not encrypted, or unknown.
    case unchanged
    /// Encrypted; ``LinkLayerDecryptor/packet`` has the plaintext.
    case decrypted
    /// Encrypted, and no key decrypts it.
    case encrypted
  }

  /// The keys, including those that were found.
  public private(set) var ring: KeyRing
  /// All starts of encryption so far.
  public private(set) var sessions: [EncryptedSession] = []
  /// The last decrypted packet, from its access address on: length and CRC are those of the plaintext.
  public private(set) var packet: [UInt8] = []
  /// Index into ``sessions`` for the last packet if it was encrypted and no key of its connection is known; nil for other packets.
  public private(set) var closedSession: Int?
  /// Name of the capture, as the origin of keys that are found.
  public var file = ""

  /// Legacy pairings are cracked by trying all passkeys.
  let cracks: Bool
  private let initial: KeyRing
  private var airs: [UInt32: AccessAddressState] = [:]
  private var last: (access: UInt32, air: AccessAddressState)?
  /// Encrypted isochronous streams by their access addresses.
  private var streams: [UInt32: IsochronousStream] = [:]
  private var payload: [UInt8] = []
  private var plain: [UInt8] = []
  /// Temporary keys of pairings by their confirm and random values; nil if no passkey matches. Rewinding keeps them.
  private var temporaryKeys: [Pairing.Values: Block128?] = [:]
  /// Sessions whose packets no passkey decrypts. Rewinding keeps them.
  private var fruitless: Set<Int> = []
  /// Passkeys that may still be tried. Rewinding returns none, because the results are kept.
  var passkeys = PasskeyBudget()
  /// Remaining trials of keys, and of counters beyond the next few, which bound the time for crafted and damaged captures.
  private(set) var keyTrials = TrialBudget(), counterTrials = TrialBudget()
  /// The keys that were tried last, and their session: consecutive packets often belong to the same connection.
  private var atHand: (session: Int, keys: Int, list: [(key: Block128, index: Int)])?
  /// Long term keys derived from link keys, by the index of the link key.
  private var derived: [Int: [Block128]] = [:]
  /// The private keys by their public key's bytes as sent on the air, and the number of keys of the ring that were examined for it.
  private var privateKeys: (byPoint: [[UInt8]: [UInt8]], taken: Int) = ([:], 0)
  /// Starts of encryption beyond ``maxSessions``.
  private var leftOut = 0

  /// Most access addresses that are remembered.
  private static let maxAirs = 4096
  /// Most starts of encryption that are remembered.
  private static let maxSessions = 8192

  /// Starts with the keys of `ring`.
  public init(_ ring: KeyRing = KeyRing(), cracks: Bool = false) {
    self.ring = ring
    self.cracks = cracks
    initial = ring
  }

  /// Adds keys. Connections that no key has decrypted are tried again.
  public func add(_ keys: KeyRing) {
    let count = ring.keys.count
    ring.add(keys)
    guard ring.keys.count > count else { return }
    for air in airs.values where air.session?.ccm == nil { air.session?.attempts = 0 }
  }

  /// Resets the state of the capture; keys that a search has found are kept.
  public func rewind() {
    ring = initial
    sessions = []
    airs = [:]
    last = nil
    streams = [:]
    (keyTrials, counterTrials) = (TrialBudget(), TrialBudget())
    (atHand, derived, privateKeys, leftOut) = (nil, [:], ([:], 0), 0)
  }

  /// Omissions of decryption because of its bounds: connections for which not all keys were tried or that were not decrypted, keys of the capture.
  public var limits: [CaptureLimit] {
    var limits: [CaptureLimit] = []
    let givenUp = sessions.filter(\.isGivenUp)
    if !givenUp.isEmpty {
      let what = givenUp.count == 1 ? "1 encrypted connection" : "\(givenUp.count) encrypted connections"
      limits.append(
        CaptureLimit(
          id: "keys-not-tried", text: "not all keys were tried on \(what), as the capture asks for too many trials",
          packets: givenUp.reduce(0) { $0 + $1.failed }))
    }
    if leftOut > 0 {
      limits.append(
        CaptureLimit(
          id: "encryption-left-out", text: "more starts of encryption than \(Self.maxSessions): \(leftOut) were not opened", packets: 0))
    }
    let refused = ring.refused - initial.refused
    if refused > 0 {
      limits.append(
        CaptureLimit(
          id: "keys-left-out", text: "more keys than \(KeyRing.maxCount): \(refused) of the capture were not kept", packets: 0))
    }
    return limits
  }

  // MARK: Packets

  /// Takes a Link Layer packet, `bytes` being its payload from the access address on. If the capture does not record the sender and the packet could
  /// be decrypted, the direction is set.
  public func take(_ record: inout PacketRecord, _ bytes: RawSpan) -> Outcome {
    closedSession = nil
    // The coded PHY has a coding indicator between address and PDU.
    let start = record.radio.phy == 2 ? 5 : 4
    guard bytes.byteCount >= start + 2 else { return .unchanged }
    let access = UInt32(truncatingIfNeeded: bytes.integer(0, 4))
    let header = bytes.byte(start)
    let flags = record.radio.flags
    if flags & RadioInfo.Flag.crcChecked != 0, flags & RadioInfo.Flag.crcOK == 0 { return .unchanged }
    if access == LinkLayer.advertisingAccessAddress {
      if header & 15 == 5 { connects(record, bytes.extracting(start..<bytes.byteCount)) }
      return .unchanged
    }
    if flags & RadioInfo.Flag.auxiliary != 0, header & 15 == 7 {
      if let group = BroadcastGroup(advertisement: bytes.extracting(start..<bytes.byteCount)) { broadcasts(group, record) }
      return .unchanged
    }
    if !streams.isEmpty, let stream = streams[access] { return decrypt(stream, access, &record, bytes, start) }
    guard flags & RadioInfo.Flag.isochronous == 0, let air = air(access, header) else { return .unchanged }
    let isCentral: Bool? =
      switch record.direction {
      case .central: true
      case .peripheral: false
      default: nil
      }
    let length = Int(bytes.byte(start + 1))
    let isRepeated = air.isRepeated(header, length, bytes, start + 2, isCentral)
    guard length > 0 else { return .unchanged }
    if let session = air.session, length > 4, flags & RadioInfo.Flag.decrypted == 0 {
      switch decrypt(air, session, &record, bytes, start, isCentral) {
      case .decrypted: return .decrypted
      case .encrypted: return .encrypted
      case .unchanged: break
      }
    }
    if let session = air.session, let isCentral, flags & RadioInfo.Flag.decrypted != 0, !isRepeated {
      // The sniffer has decrypted the packet: its counter is used.
      session.heard(isCentral, session.next(isCentral), record.time)
    }
    let at = start + (header & 0x20 != 0 ? 3 : 2)
    guard !isRepeated, bytes.byteCount >= at + length else { return .unchanged }
    observe(air, header & 3, bytes.extracting(at..<(at + length)), isCentral, record)
    return .unchanged
  }

  /// The state of an access address. A new one is stored only if encryption or pairing may begin with this packet.
  private func air(_ access: UInt32, _ header: UInt8) -> AccessAddressState? {
    if let last, last.access == access { return last.air }
    var air = airs[access]
    if air == nil {
      guard header & 3 >= 2, airs.count < Self.maxAirs else { return nil }
      air = AccessAddressState(access)
      airs[access] = air
    }
    if let air { last = (access, air) }
    return air
  }

  private func connects(_ record: PacketRecord, _ pdu: RawSpan) {
    guard let request = LinkLayer.ConnectionRequest(pdu) else { return }
    // A capture with that many connections is crafted.
    if airs.count >= Self.maxAirs { airs.removeAll() }
    let air = AccessAddressState(request.accessAddress)
    air.crcInit = request.crcInit
    air.ends = Ends(initiator: request.initiator, responder: request.advertiser)
    air.frame = record.frame
    // The same request again belongs to the same connection: sniffers with several channels receive it more than once.
    if let known = airs[request.accessAddress], known.ends == air.ends, known.session == nil { return }
    airs[request.accessAddress] = air
    last = nil
  }

  // MARK: Isochronous streams

  /// A broadcast announces an encrypted group.
  private func broadcasts(_ group: BroadcastGroup, _ record: PacketRecord) {
    for number in 0...group.streams {
      let access = group.accessAddress(number)
      if let known = streams[access]?.group, known.diversifier == group.diversifier { continue }
      guard let index = begin(.broadcastStream, access, .broadcastCode, record) else { return }
      streams[access] = IsochronousStream(index, group: group, session: nil, time: record.time)
    }
  }

  /// LL_CIS_IND (2.4.2.31): a connection begins a stream, which is encrypted where the connection is.
  private func streams(_ air: AccessAddressState, _ body: RawSpan, _ record: PacketRecord) {
    guard body.byteCount >= 5, let session = air.session, session.isStarted || session.ccm != nil else { return }
    let access = UInt32(truncatingIfNeeded: body.integer(1, 4))
    if let known = streams[access], known.session === session { return }
    guard let index = begin(.connectedStream, access, .connection, record) else { return }
    (sessions[index].central, sessions[index].peripheral) = (air.ends?.initiator, air.ends?.responder)
    streams[access] = IsochronousStream(index, group: nil, session: session, time: record.time)
  }

  private func begin(_ kind: EncryptedSession.Kind, _ access: UInt32, _ need: EncryptedSession.Need, _ record: PacketRecord) -> Int? {
    guard sessions.count < Self.maxSessions else {
      leftOut += 1
      return nil
    }
    // A capture with that many streams is crafted.
    if streams.count >= Self.maxAirs { streams.removeAll() }
    var session = EncryptedSession(accessAddress: access, frame: record.frame, random: 0, ediv: 0)
    (session.kind, session.need) = (kind, need)
    sessions.append(session)
    return sessions.count - 1
  }

  private func decrypt(
    _ stream: IsochronousStream, _ access: UInt32, _ record: inout PacketRecord, _ bytes: RawSpan, _ start: Int
  ) -> Outcome {
    let header = bytes.byte(start)
    let length = Int(bytes.byte(start + 1))
    guard length > 4, bytes.byteCount >= start + 2 + length, record.radio.flags & RadioInfo.Flag.decrypted == 0 else { return .unchanged }
    payload.removeAll(keepingCapacity: true)
    for index in (start + 2)..<(start + 2 + length) { payload.append(bytes.byte(index)) }
    // Packets of a broadcast count as sent by a central.
    let senders: [Bool] =
      stream.group != nil ? [true] : record.direction == .central ? [true] : record.direction == .peripheral ? [false] : [true, false]
    if stream.ccm == nil { findKey(stream, access, header, record, senders) }
    if let ccm = stream.ccm {
      for isCentral in senders {
        guard let counter = counter(ccm, stream, header, record.time, isCentral) else { continue }
        stream.heard(isCentral, counter, record.time)
        // Some sniffers do not mark packets of streams, or give broadcasts a direction.
        record.radio.flags |= RadioInfo.Flag.isochronous
        record.direction = stream.group != nil ? .unknown : isCentral ? .central : .peripheral
        write(nil, bytes, start, 2)
        sessions[stream.number].decrypted += 1
        return .decrypted
      }
    }
    sessions[stream.number].failed += 1
    return .encrypted
  }

  /// The counter for which the MIC of the current payload is right; its plaintext is then in `plain`.
  private func counter(_ ccm: CCM, _ stream: IsochronousStream, _ header: UInt8, _ time: Int64, _ isCentral: Bool) -> UInt64? {
    let (first, count) = stream.counters(isCentral, time)
    let blocks = TrialBudget.blocks(payload)
    for counter in first..<(first + count) {
      guard counterTrials.take(blocks) else {
        sessions[stream.number].isGivenUp = true
        return nil
      }
      guard ccm.open(payload, header: header, counter: counter, isFromCentral: isCentral, into: &plain) else { continue }
      // A trial that succeeds near the expected counter does not count against the budget.
      counterTrials.add(blocks * Int(min(counter - first + 1, IsochronousStream.window)))
      return counter
    }
    return nil
  }

  private func findKey(_ stream: IsochronousStream, _ access: UInt32, _ header: UInt8, _ record: PacketRecord, _ senders: [Bool]) {
    // A capture may have further keys later; those that did not match are not tried again.
    let known = ring.count(of: .broadcastCode) + ring.count(of: .groupSession)
    guard stream.tried != known || stream.session?.sessionKey != nil else { return }
    stream.tried = known
    func attempt(_ key: Block128, _ vector: UInt64, _ mask: UInt8, _ index: Int?) -> Bool {
      let ccm = CCM(
        SystemCryptography(key: key), initialisationVector: IsochronousStream.vector(vector, access), headerMask: mask)
      for isCentral in senders where counter(ccm, stream, header, record.time, isCentral) != nil {
        stream.ccm = ccm
        sessions[stream.number].key = index
        sessions[stream.number].need = .nothing
        return true
      }
      return false
    }
    if let group = stream.group {
      for index in ring.indices(of: .broadcastCode, .groupSession) {
        guard keyTrials.take(TrialBudget.derived) else {
          sessions[stream.number].isGivenUp = true
          return
        }
        let known = ring.keys[index]
        switch known.key.kind {
        case .broadcastCode:
          let key = SecurityFunctions.groupSessionKey(code: known.key.block, diversifier: group.diversifier)
          if attempt(key, group.initialisationVector, IsochronousStream.broadcastMask, index) { return }
        case .groupSession:
          for key in known.mayBeReversed ? [known.key.block, known.key.block.reversed] : [known.key.block]
          where attempt(key, group.initialisationVector, IsochronousStream.broadcastMask, index) { return }
        default: break
        }
      }
    } else if let session = stream.session, let key = session.sessionKey {
      _ = attempt(key, session.initialisationVector, IsochronousStream.connectedMask, sessions[session.number].key)
    }
  }

  // MARK: Decryption

  private func decrypt(
    _ air: AccessAddressState, _ session: LinkEncryption, _ record: inout PacketRecord, _ bytes: RawSpan, _ start: Int, _ isCentral: Bool?
  ) -> Outcome {
    let header = bytes.byte(start)
    let length = Int(bytes.byte(start + 1))
    keyTrials.add(TrialBudget.ofPacket)
    counterTrials.add(TrialBudget.ofPacket)
    // Devices without Constant Tone Extensions may set this bit of the header.
    for size in header & 0x20 != 0 ? [3, 2] : [2] {
      let at = start + size
      guard bytes.byteCount >= at + length else { continue }
      payload.removeAll(keepingCapacity: true)
      for index in at..<(at + length) { payload.append(bytes.byte(index)) }
      guard let opened = open(air, session, header, record, isCentral) else { continue }
      record.direction = opened.isCentral ? .central : .peripheral
      write(air, bytes, start, size)
      sessions[session.number].decrypted += 1
      let copy = plain
      if opened.isNew { unsafe observe(air, header & 3, copy.span.bytes, opened.isCentral, record) }
      return .decrypted
    }
    guard session.isStarted || session.ccm != nil, !LinkEncryption.isPlaintextControl(header, payload) else { return .unchanged }
    // Tools write decrypted packets without marking them, and faulty devices send plaintext.
    if session.ccm == nil, LinkEncryption.isPlaintextPDU(header, payload) {
      session.hasPlaintext = true
      sessions[session.number].failed = 0
    }
    guard !session.hasPlaintext else { return .unchanged }
    // An encrypted packet with reception errors is not reported as undecryptable.
    if isDamaged(air, record, bytes, start) { return .unchanged }
    sessions[session.number].failed += 1
    if session.ccm == nil { closedSession = session.number }
    return .encrypted
  }

  /// Whether the CRC shows reception errors, if the sniffer has not checked it.
  private func isDamaged(_ air: AccessAddressState, _ record: PacketRecord, _ bytes: RawSpan, _ start: Int) -> Bool {
    let flags = record.radio.flags
    guard flags & RadioInfo.Flag.crcChecked == 0, flags & RadioInfo.Flag.hasCRC != 0, let initial = air.crcInit else { return false }
    let end = start + 2 + Int(bytes.byte(start + 1)) + 3
    return bytes.byteCount < end || !LinkLayer.hasRightCRC(bytes, in: start..<end, initial: initial)
  }

  /// Decrypts the current payload into `plain`. Returns the sender and whether the packet is no retransmission; nil where no counter matches.
  private func open(
    _ air: AccessAddressState, _ session: LinkEncryption, _ header: UInt8, _ record: PacketRecord, _ isCentral: Bool?
  ) -> (isCentral: Bool, isNew: Bool)? {
    if session.ccm == nil, !findKey(air, session, header, record, isCentral) { return nil }
    guard let ccm = session.ccm else { return nil }
    func fits(_ counter: UInt64, _ sender: Bool) -> Bool {
      ccm.open(payload, header: header, counter: counter, isFromCentral: sender, into: &plain)
    }
    // Accepts a counter and advances to it. A counter far from the expected one must also be plausible, as a MIC has only 32 bits.
    func moves(to counter: UInt64, _ sender: Bool) -> (isCentral: Bool, isNew: Bool) {
      sessions[session.number].missed += Int(truncatingIfNeeded: counter - session.next(sender))
      session.heard(sender, counter, record.time)
      return (sender, true)
    }
    let senders = Self.senders(isCentral)
    for sender in senders {
      // A sender that contradicts the sniffer's direction needs a plausible plaintext besides the MIC.
      let isSure = isCentral == nil || sender == isCentral
      func holds(_ counter: UInt64) -> Bool { fits(counter, sender) && (isSure || LinkEncryption.isPlausible(header, plain)) }
      let next = session.next(sender)
      if holds(next) { return moves(to: next, sender) }
      // A retransmission of the last packet.
      if next > 0, holds(next - 1) { return (sender, false) }
      for counter in (next + 1)...(next + LinkEncryption.maxSkipped) where holds(counter) { return moves(to: counter, sender) }
    }
    if LinkEncryption.isPlaintextControl(header, payload) { return nil }
    let blocks = TrialBudget.blocks(payload)
    for sender in senders {
      let next = session.next(sender) + LinkEncryption.maxSkipped + 1
      for counter in next..<(next + session.possible(sender, record.time)) {
        guard counterTrials.take(blocks) else {
          sessions[session.number].isGivenUp = true
          return nil
        }
        if fits(counter, sender), LinkEncryption.isPlausible(header, plain) { return moves(to: counter, sender) }
      }
    }
    return nil
  }

  /// The possible senders of a packet, the likelier first. A sniffer that has missed a packet may confuse the two sides from then on.
  private static func senders(_ isCentral: Bool?) -> [Bool] { isCentral == false ? [false, true] : [true, false] }

  /// Searches the key of the session: the one for which the MIC is right.
  private func findKey(_ air: AccessAddressState, _ session: LinkEncryption, _ header: UInt8, _ record: PacketRecord, _ isCentral: Bool?)
    -> Bool
  {
    guard session.attempts < session.maxAttempts else { return false }
    func giveUp() -> Bool {
      sessions[session.number].isGivenUp = true
      return false
    }
    guard keyTrials.left > 0 else { return giveUp() }
    let candidates = candidates(air, session)
    if session.attempts == 0 { session.maxAttempts = LinkEncryption.maxAttempts(candidates.count) }
    session.attempts += 1
    let cipher = SystemCryptography()
    let ccm = CCM(cipher, initialisationVector: session.initialisationVector)
    let senders = Self.senders(isCentral)
    func use(_ key: Block128, _ index: Int, from counter: UInt64, _ sender: Bool) {
      session.ccm = ccm
      session.sessionKey = session.key(key)
      sessions[session.number].missed += Int(truncatingIfNeeded: counter - session.next(sender))
      session.setNext(sender, counter)
      sessions[session.number].key = index
      sessions[session.number].need = .nothing
      sessions[session.number].isGivenUp = false
      atHand = nil
    }
    let blocks = TrialBudget.blocks(payload)
    for (key, index) in candidates {
      guard keyTrials.take(2 * TrialBudget.key) else { return giveUp() }
      cipher.setKey(session.key(key))
      for sender in senders {
        // With many keys, a counter far from the expected one could match by chance.
        let window = candidates.count <= 16 ? max(LinkEncryption.maxSkipped, session.possible(sender, record.time)) : 4
        let first = session.next(sender)
        for counter in first..<(first + window) {
          // Distant counters, of which few keys have thousands, must leave budget for the keys of later connections.
          if counter - first >= LinkEncryption.maxSkipped {
            guard counterTrials.take(blocks) else {
              sessions[session.number].isGivenUp = true
              break
            }
          } else if !keyTrials.take(blocks) {
            return giveUp()
          }
          guard ccm.open(payload, header: header, counter: counter, isFromCentral: sender, into: &plain) else { continue }
          let isSure = counter - first <= LinkEncryption.maxSkipped && (isCentral == nil || sender == isCentral)
          guard isSure || LinkEncryption.isPlausible(header, plain) else { continue }
          use(key, index, from: counter, sender)
          return true
        }
      }
    }
    // Without a confirm value, the passkey can only be checked with packets encrypted with the short term key: with one packet, or with two if the
    // sniffer did not check the CRC.
    let isChecked = record.radio.flags & RadioInfo.Flag.crcChecked != 0
    guard session.searchesPasskey, session.attempts <= (isChecked ? 1 : 2), !fruitless.contains(session.number) else { return false }
    let stretch = SystemCryptography()
    var temporary = Block128.zero
    while temporary.low < TemporaryKeySearch.passkeys {
      guard passkeys.take(PasskeyBudget.byEncryption) else { return giveUp() }
      stretch.setKey(temporary)
      if let responder = air.pairing.random.responder, let initiator = air.pairing.random.initiator {
        let short = SecurityFunctions.s1(stretch, responder, initiator).shortened(to: air.pairing.keySize)
        stretch.setKey(short)
        cipher.setKey(stretch.encrypt(session.diversifier))
        for sender in isCentral.map({ [$0] }) ?? [true, false]
        where ccm.open(payload, header: header, counter: 0, isFromCentral: sender, into: &plain) {
          guard LinkEncryption.isPlausible(header, plain), let index = add(short, temporary, air) else { continue }
          if temporaryKeys.count < Self.maxAirs { temporaryKeys[air.pairing.values] = .some(temporary) }
          use(short, index, from: 0, sender)
          return true
        }
      }
      temporary.low += 1
    }
    if isChecked || session.attempts == 2 { fruitless.insert(session.number) }
    return false
  }

  /// Writes the current packet with its plaintext.
  private func write(_ air: AccessAddressState?, _ bytes: RawSpan, _ start: Int, _ size: Int) {
    let length = payload.count
    let end = start + size + length
    packet.removeAll(keepingCapacity: true)
    for index in 0..<(start + size) { packet.append(bytes.byte(index)) }
    packet[start + 1] = UInt8(plain.count)
    packet += plain
    guard bytes.byteCount >= end + 3 else { return }
    // The CRC of this packet gives the initial value if the connection request was not received.
    let initial =
      air?.crcInit ?? LinkLayer.crcInitial(bytes, in: start..<end, crc: UInt32(truncatingIfNeeded: bytes.integer(end, 3)))
    let crc = Self.crc(packet, from: start, initial: initial)
    packet += [UInt8(truncatingIfNeeded: crc), UInt8(truncatingIfNeeded: crc >> 8), UInt8(truncatingIfNeeded: crc >> 16)]
    for index in (end + 3)..<max(end + 3, bytes.byteCount) { packet.append(bytes.byte(index)) }
  }

  /// The CRC over the PDU that begins at an offset of a packet.
  private static func crc(_ packet: [UInt8], from start: Int, initial: UInt32) -> UInt32 {
    let span = packet.span
    return unsafe LinkLayer.crc(span.bytes, in: start..<packet.count, initial: initial)
  }

  // MARK: Keys

  /// The possible keys for a session, the likeliest first: computed for each packet, because those of all connections together would take much
  /// memory.
  private func candidates(_ air: AccessAddressState, _ session: LinkEncryption) -> [(key: Block128, index: Int)] {
    if let atHand, atHand.session == session.number, atHand.keys == ring.keys.count { return atHand.list }
    var result: [(key: Block128, index: Int)] = []
    let listed = sessions[session.number]
    if listed.ediv == 0, listed.random == 0 {
      result += pairedKeys(air, session)
      session.searchesPasskey =
        cracks && result.isEmpty && air.pairing.hasRandoms && !air.pairing.isSecureConnections
        && TemporaryKeySearch(air.pairing, air.ends) == nil
    }
    let ends = [air.ends?.initiator.address, air.ends?.responder.address]
    func rank(_ key: Key) -> Int {
      if listed.ediv != 0 || listed.random != 0, key.ediv == listed.ediv, key.random == listed.random { return 0 }
      return key.address.map { ends.contains($0.address) } == true ? 1 : 2
    }
    var ranked: [[(key: Block128, index: Int)]] = [[], [], []], reversed: [(key: Block128, index: Int)] = []
    for index in ring.indices(of: .longTerm, .shortTerm) {
      let known = ring.keys[index], block = known.key.block
      ranked[rank(known.key)].append((block, index))
      if known.mayBeReversed { reversed.append((block.reversed, index)) }
    }
    for list in ranked { result += list }
    result += reversed
    // The LE key may be derived from the BR/EDR link key.
    for index in ring.indices(of: .link) {
      let known = ring.keys[index]
      guard known.key.address == nil || rank(known.key) <= 1 else { continue }
      if derived[index] == nil {
        guard keyTrials.take(TrialBudget.derived) else {
          sessions[session.number].isGivenUp = true
          break
        }
        let links = known.mayBeReversed ? [known.key.block, known.key.block.reversed] : [known.key.block]
        derived[index] = links.flatMap { SecurityFunctions.longTermKeys(ofLinkKey: $0) }
      }
      result += (derived[index] ?? []).map { ($0, index) }
    }
    _ = keyTrials.take(result.count)
    atHand = (session.number, ring.keys.count, result)
    return result
  }

  /// The key from the pairing on this connection, if it can be determined.
  private func pairedKeys(_ air: AccessAddressState, _ session: LinkEncryption) -> [(key: Block128, index: Int)] {
    let pairing = air.pairing
    guard !pairing.isEmpty else { return [] }
    var result: [(key: Block128, index: Int)] = []
    if pairing.isSecureConnections {
      for own in privateKeys(of: pairing, session) {
        guard keyTrials.take(2 * TrialBudget.point) else {
          sessions[session.number].isGivenUp = true
          break
        }
        guard let key = pairing.longTermKey(own, air.ends) else { continue }
        let isForDebugging = own == Pairing.debugPrivateKey
        let origin = isForDebugging ? "debug key of Secure Connections" : "Secure Connections with a private key"
        let known = KnownKey(Key(.longTerm, key, address: air.ends?.responder), file: file, frame: pairing.frame, origin: origin)
        if let index = ring.add(known) { result.append((key, index)) }
      }
      return result
    }
    guard pairing.hasRandoms else { return [] }
    var temporary: [Block128] = []
    for index in ring.indices(of: .temporary, .passkey) {
      let known = ring.keys[index]
      temporary.append(known.key.block)
      if known.key.kind == .temporary { temporary.append(known.key.block.reversed) }
    }
    if let search = TemporaryKeySearch(pairing, air.ends) {
      let fitting = temporary.first { key in keyTrials.take(2 * TrialBudget.key) && search.fits(key) }
      if fitting == nil, keyTrials.left <= 0 { sessions[session.number].isGivenUp = true }
      if let fitting {
        temporary = [fitting]
      } else if cracks {
        let found = temporaryKeys[pairing.values] ?? search.search(&passkeys)
        if found == nil, passkeys.left == 0 {
          // Budget exhausted: whether one of the remaining passkeys matches is unknown.
          if temporaryKeys[pairing.values] == nil { sessions[session.number].isGivenUp = true }
        } else if temporaryKeys.count < Self.maxAirs {
          temporaryKeys[pairing.values] = .some(found)
        }
        temporary = found.map { [$0] } ?? []
      } else {
        temporary = []
      }
    } else if cracks, let found = temporaryKeys[pairing.values], let found, !temporary.contains(found) {
      temporary.append(found)
    }
    for key in temporary where keyTrials.take(4 * TrialBudget.key) {
      if let short = pairing.shortTermKey(key), let index = add(short, key, air) { result.append((short, index)) }
    }
    return result
  }

  /// The available private keys of the two sides of a pairing, the debug key first.
  private func privateKeys(of pairing: Pairing, _ session: LinkEncryption) -> [[UInt8]] {
    if privateKeys.byPoint.isEmpty { take(privateKey: Pairing.debugPrivateKey) }
    let indices = ring.indices(of: .privateKey)
    while privateKeys.taken < indices.count {
      guard keyTrials.take(2 * TrialBudget.point) else {
        sessions[session.number].isGivenUp = true
        break
      }
      let bytes = ring.keys[indices[privateKeys.taken]].key.bytes
      take(privateKey: bytes)
      take(privateKey: bytes.reversed())
      privateKeys.taken += 1
    }
    let points = [pairing.publicKey.initiator, pairing.publicKey.responder]
    let found = points.compactMap { $0.flatMap { privateKeys.byPoint[$0] } }
    guard found.count == 2 else { return found }
    return found[0] == found[1] ? [found[0]] : found[1] == Pairing.debugPrivateKey ? [found[1], found[0]] : found
  }

  private func take(privateKey bytes: [UInt8]) {
    guard let point = SystemCryptography.publicKey(of: bytes), privateKeys.byPoint[point] == nil else { return }
    privateKeys.byPoint[point] = bytes
  }

  /// Adds a short term key derived from a temporary key. Returns its index.
  private func add(_ short: Block128, _ temporary: Block128, _ air: AccessAddressState) -> Int? {
    let digits = String(temporary.low)
    let origin =
      switch temporary {
      case .zero: "Just Works"
      case _ where temporary.high == 0 && temporary.low < TemporaryKeySearch.passkeys:
        "passkey " + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
      default: "temporary key"
      }
    return ring.add(
      KnownKey(Key(.shortTerm, short, address: air.ends?.responder), file: file, frame: air.pairing.frame, origin: origin))
  }

  /// What is needed for a session without a key.
  private func need(_ air: AccessAddressState, ediv: UInt16, random: UInt64) -> EncryptedSession.Need {
    guard ediv == 0, random == 0, !air.pairing.isEmpty else { return .longTermKey }
    if air.pairing.isSecureConnections { return .secureConnections }
    guard air.pairing.hasRandoms else { return .incompletePairing }
    return cracks ? .temporaryKey : .crack
  }

  // MARK: Unencrypted packets

  private func observe(_ air: AccessAddressState, _ kind: UInt8, _ body: RawSpan, _ isCentral: Bool?, _ record: PacketRecord) {
    switch kind {
    case 3: control(air, body, record)
    case 2: air.begin(body, isCentral)
    default: air.appendContinuation(body, isCentral)
    }
    guard kind < 3, let pdu = air.takePairingPDU(isCentral) else { return }
    security(air, pdu, isCentral, record)
  }

  private func control(_ air: AccessAddressState, _ body: RawSpan, _ record: PacketRecord) {
    switch LinkLayer.ControlOpcode(rawValue: body.byte(0)) {
    case .encReq:
      guard body.byteCount == 23 else { return }
      air.request = AccessAddressState.EncryptionRequest(
        random: body.integer(1, 8), ediv: UInt16(truncatingIfNeeded: body.integer(9, 2)), diversifier: body.integer(11, 8),
        vector: body.integer(19, 4, isBigEndian: true), frame: record.frame)
    case .encRsp:
      guard body.byteCount == 13, let request = air.request else { return }
      guard sessions.count < Self.maxSessions else {
        if air.session?.diversifier.high != body.integer(1, 8) { leftOut += 1 }
        return
      }
      let session = LinkEncryption(
        number: sessions.count, central: request.diversifier, peripheral: body.integer(1, 8),
        initialisationVector: request.vector << 32 | body.integer(9, 4, isBigEndian: true), time: record.time)
      // A retransmission of the response.
      if let known = air.session, known.diversifier == session.diversifier { return }
      air.session = session
      var listed = EncryptedSession(
        accessAddress: air.access, central: air.ends?.initiator, peripheral: air.ends?.responder, connectionFrame: air.frame,
        frame: request.frame, random: request.random, ediv: request.ediv)
      listed.need = need(air, ediv: request.ediv, random: request.random)
      sessions.append(listed)
    case .startEncReq: air.session?.isStarted = true
    case .cisInd: streams(air, body, record)
    case .rejectInd: air.session = nil
    case .rejectExtInd: if body.byteCount > 1, body.byte(1) == LinkLayer.ControlOpcode.encReq.rawValue { air.session = nil }
    default: break
    }
  }

  private func security(_ air: AccessAddressState, _ pdu: [UInt8], _ isCentral: Bool?, _ record: PacketRecord) {
    let rest = pdu.dropFirst()
    let sender = isCentral == true ? air.ends?.initiator : air.ends?.responder
    func known(_ key: Key, _ name: String) -> KnownKey { KnownKey(key, file: file, frame: record.frame, origin: name) }
    switch pdu.first.flatMap({ SMP.Opcode(rawValue: $0) }) {
    case .encryptionInformation:
      guard let value = Block128(littleEndian: rest) else { return }
      air.pairing.longTermKey = ring.add(known(Key(.longTerm, value, address: sender), "Encryption Information"))
    case .centralIdentification:
      guard rest.count == 10, let index = air.pairing.longTermKey else { return }
      let numbers = Array(rest)
      ring.complete(
        index, ediv: UInt16(numbers[1]) << 8 | UInt16(numbers[0]), random: numbers[2...].reversed().reduce(0) { $0 << 8 | UInt64($1) })
      air.pairing.longTermKey = nil
    case .identityInformation: air.pairing.identityKey = Block128(littleEndian: rest)
    case .identityAddressInformation:
      guard rest.count == 7, let value = air.pairing.identityKey, value != .zero else { return }
      let address = rest.dropFirst().reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let kind: DeviceAddress.Kind = rest.first == 1 ? .random : .public
      ring.add(known(Key(.identityResolving, value, address: DeviceAddress(address, kind)), "Identity Information"))
      air.pairing.identityKey = nil
    case .signingInformation:
      guard let value = Block128(littleEndian: rest) else { return }
      ring.add(known(Key(.signature, value, address: sender), "Signing Information"))
    default: air.pairing.take(pdu, isInitiator: isCentral, frame: record.frame)
    }
  }
}
