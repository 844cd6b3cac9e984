import KaitaiStruct
import Memory
import PacketCodecs

/// Decodes values of attributes and channels into messages, by profiles. It is independent of captures.
///
/// One engine serves one capture and one thread. In the steady state it allocates nothing per packet.
@_spi(Pipeline) @safe public final class ProfileEngine {
  /// The profiles that it decodes with.
  public let profiles: ProfileSet
  /// Called with the error of a profile that cannot be compiled; the profile is left out.
  public var onError: (ProfileError) -> Void = { _ in }

  /// A choice of the fields of messages that are decoded.
  public enum Fields: UInt8, Sendable {
    /// None: bodies are read only as far as responses and state need them.
    case none
    /// The fields in the message's line in words.
    case template
    /// All.
    case all
  }

  /// The fields of messages that are decoded.
  public var fields = Fields.all
  /// Bodies whose fields neither responses nor state depend on are left unread, for ``MessageTapeReader`` to read on another thread.
  public var leavesReading = false
  /// Messages keep what their layers decoded and verified, so that their packets can be written again.
  public var keepsLayerTrace = false
  /// What the layers decoded of the current packets so far.
  var layerTrace = LayerTrace()
  /// Number of bytes of such traces that layers keep for incomplete messages, and its upper bound.
  var keptTraceBytes = 0
  static let maxTraceBytes = 8 << 20
  /// Profiles that are suggested only by properties of many devices are on trial: see ``ProfileTrial``.
  public var usesTrials = false
  /// Only profiles on trial decode values, until they are confirmed: for a first pass that decides which profiles fit.
  public var onlyJudges = false
  /// The verdicts of an earlier pass over the same bytes on proposed profiles.
  public var earlier = KnownVerdicts()
  /// A profile was put on trial: slots may be proposed.
  public private(set) var hasProposals = false

  private(set) var links = UnretainedTable<Link>()
  private var freeLinks: [Int] = []
  private var runtimes: [Int: ProfileRuntime] = [:]
  private var broken: Set<Int> = []
  let advertisers = AdvertiserCache()
  /// The packets of the message that is being completed with their headers, where a layer checks them.
  var wholePackets: [UInt8] = []
  /// The type of the header at the start of the unjoined bytes that are being completed; nil where there is none.
  var strayHeader: TypeID?
  /// The encrypted bytes of the message that is being completed; nil where there are none.
  var sealed: SealedBytes?
  var finished: [Unretained<ProfileMessage>] = []
  /// The number of these messages, and the memory that they take.
  private(set) var held = HeldMessages()
  /// The frames that current messages share, if there are many.
  private var sharedFrames: [Int] = []
  /// The number of the last packet.
  var lastFrame = 0
  let pool = MessagePool()
  /// The number of the message that each open request chooses for the current bytes; -1 for none.
  private var chosen: [Int] = []
  /// Verdicts on proposed profiles, until ``takeVerdicts()`` is called.
  var verdicts: [Verdict] = []
  /// ``takeVerdicts()`` has results.
  @inline(__always)
  public var hasVerdicts: Bool { !verdicts.isEmpty }
  /// Whether a profile that was proposed for a device was confirmed, for the next connection to it.
  var knownVerdicts: [Known: Bool] = [:]
  /// The same for links to devices with unknown addresses, by the number of the link.
  var linkVerdicts: [Known: Bool] = [:]
  private var linksSoFar = 0
  /// Profiles that were withdrawn; `openVerdicts`: those without evidence on links that have ended.
  var reportedVerdicts: Set<Known> = []
  var openVerdicts: [Known: Verdict] = [:]

  /// Creates an engine without links.
  public init(_ profiles: ProfileSet) { self.profiles = profiles }

  deinit {
    for (_, runtime) in byProfile { runtime.leave() }
  }

  // MARK: Links

  /// Opens a link to a device: a connection, or the device as an advertiser. Returns its number for the other calls.
  public func connect(_ facts: PeerFacts) -> Int {
    let link = Link(facts)
    let number: Int
    if let free = freeLinks.popLast() {
      number = free
    } else {
      number = links.count
      links.append(nil)
    }
    link.number = number
    linksSoFar += 1
    link.identity = "#\(linksSoFar)"
    link.candidates = profiles.candidates(facts, proposes: usesTrials)
    links.set(number, link)
    return number
  }

  /// Updates the facts about the device since ``connect(_:)``. Slots remain valid; request those that were -1 again.
  public func update(_ link: Int, _ facts: PeerFacts) {
    guard let link = self.link(link) else { return }
    link.facts = facts
    link.candidates = profiles.candidates(facts, proposes: usesTrials)
    link.advertised.removeAll()
  }

  /// Ends a link: open messages of its layers become incomplete messages and unjoined bytes. Returns their number; see ``messages``.
  @discardableResult
  public func disconnect(_ number: Int) -> Int {
    recycle()
    guard let link = self.link(number) else { return 0 }
    flushOpen(link)
    endTrials(link)
    link.slots.forEach { if $0.runtime.current === link { $0.runtime.leave() } }
    links.set(number, nil)
    freeLinks.append(number)
    return finished.count
  }

  /// Ends open messages that have waited longer than their layers allow, at a time in µs. Returns the number of messages.
  @discardableResult
  public func flush(_ number: Int, now: Int64) -> Int {
    recycle()
    guard let link = self.link(number) else { return 0 }
    flushOpen(link, now: now)
    return finished.count
  }

  /// Ends all links at once. Returns the number of messages.
  @discardableResult
  public func finish() -> Int {
    recycle()
    while ended < links.count { endNext() }
    removeLinks()
    return finished.count
  }

  /// Ends links one by one, at the end of a capture, until a link yields messages. Returns false where no link does any more.
  public func finishNext() -> Bool {
    recycle()
    while ended < links.count {
      endNext()
      if !finished.isEmpty { return true }
    }
    removeLinks()
    return false
  }
  /// Number of links that it has ended.
  private var ended = 0

  private func endNext() {
    if let link = links.object(ended) {
      flushOpen(link)
      endTrials(link)
    }
    ended += 1
  }

  private func removeLinks() {
    endAllTrials()
    links.removeAll()
    freeLinks.removeAll()
    ended = 0
  }

  private func flushOpen(_ link: Link, now: Int64? = nil) {
    link.slots.forEach { slot in
      if slot.runtime.isExhausted { return report(exhausted: slot.runtime, lastFrame) }
      let others = finished.count
      slot.pipelines.forEach { endOpenMessages($0, now: now, link, slot.runtime) }
      guard slot.isProposed, !slot.isConfirmed else { return }
      // A profile on trial yields no messages, and a message that the link's end truncates is no evidence against it.
      while finished.count > others {
        let message = finished.removeLast()
        message.with { if !$0.wasRequest { slot.runtime.give(message) } }
      }
    }
  }

  func link(_ number: Int) -> Link? { links.object(number) }

  /// Number of bytes that the layers of a link keep of incomplete messages.
  public func heldBytes(_ number: Int) -> Int {
    var held = 0
    link(number)?.slots.forEach {
      $0.pipelines.forEach { $0.layers.forEach { held += $0.heldBytes } }
    }
    return held
  }

  // MARK: Slots

  /// The slot of a characteristic or descriptor of a link, for ``feed(_:_:_:_:frame:time:)``. -1 where no profile has it.
  ///
  /// `uuid` is that of the characteristic (or descriptor), `service` that of its service, `handle` that of its value; each where known.
  /// If `isDescriptor`, `uuid` is that of a descriptor, and `characteristic` that of its characteristic. The search is slow; keep the result.
  public func slot(
    _ number: Int, uuid: BluetoothUUID?, service: BluetoothUUID? = nil, handle: UInt16? = nil, isDescriptor: Bool = false,
    characteristic: BluetoothUUID? = nil
  ) -> Int {
    guard let link = self.link(number) else { return -1 }
    // The attribute's own UUID and service count as facts about the device.
    var facts = link.facts
    var own: [BluetoothUUID] = []
    if let uuid, !isDescriptor {
      facts.characteristics.append(uuid)
      own.append(uuid)
    }
    if let service {
      facts.services.append(service)
      own.append(service)
    }
    var proposed: [Int] = []
    let matches = link.matches ?? profiles.matches(link.facts)
    link.matches = matches
    for candidate in profiles.candidates(facts, matches, with: own, attribute: uuid, handle: handle, proposes: usesTrials) {
      guard let runtime = runtime(candidate.profile) else { continue }
      for index in runtime.profile.lookup.attributes(uuid, handle) {
        let source = runtime.profile.sources[index]
        guard source.kind == (isDescriptor ? .descriptor : .characteristic) else { continue }
        var fits = false
        if let uuid, source.uuids.contains(uuid) {
          fits = source.services.isEmpty || service.map(source.services.contains) ?? true
          if isDescriptor, !source.of.isEmpty { fits = characteristic.map(source.of.contains) ?? false }
        } else if uuid == nil || source.uuids.isEmpty, let handle, source.handles.contains(handle) {
          fits = true
        }
        guard fits else { continue }
        let slot = self.slot(link, runtime, index)
        if isBelieved(link, slot, candidate, uuid) { return onlyJudges ? -1 : slot }
        proposed.append(slot)
        break
      }
    }
    return propose(link, proposed)
  }

  /// Whether a profile may decode at once. A profile that is suggested only by properties of many devices is put on trial.
  private func isBelieved(_ link: Link, _ number: Int, _ candidate: ProfileSet.Candidate, _ uuid: BluetoothUUID?) -> Bool {
    guard usesTrials, let slot = link.slots.object(number) else { return true }
    if candidate.isDistinctive || uuid?.isOwned == true {
      slot.isProposed = false
      return true
    }
    // It was accepted by earlier facts about the device.
    if slot.trial == nil, slot.isUsed { return true }
    let trial = slot.trial ?? self.trial(link, candidate, slot.runtime)
    slot.trial = trial
    slot.isProposed = trial.verdict != .confirmed
    hasProposals = hasProposals || slot.isProposed
    return trial.verdict == .confirmed
  }

  /// The first of `slots`, with the others as its rivals; -1 where there are none.
  private func propose(_ link: Link, _ slots: [Int]) -> Int {
    guard let first = slots.first else { return -1 }
    link.slots.object(first)?.rivals = Array(slots.dropFirst().prefix(7))
    return first
  }

  /// The slot of an RFCOMM channel (by service, or server channel) or of an L2CAP channel (by PSM). -1 where no profile has it.
  public func slot(_ number: Int, rfcommChannel: Int? = nil, service: BluetoothUUID? = nil, psm: Int? = nil) -> Int {
    guard let link = self.link(number) else { return -1 }
    var proposed: [Int] = []
    search: for candidate in link.candidates {
      guard profiles.mayKnow(candidate.profile, channel: rfcommChannel, service: service, psm: psm),
        let runtime = runtime(candidate.profile)
      else { continue }
      for index in runtime.profile.lookup.channels {
        let source = runtime.profile.sources[index]
        let fits: Bool
        switch source.kind {
        case .rfcomm:
          // Without a service from SDP, the number of the channel decides.
          fits =
            service.map(source.uuids.contains) == true
            || (source.uuids.isEmpty || service == nil) && rfcommChannel.map(source.numbers.contains) == true
        case .l2cap: fits = psm.map(source.numbers.contains) == true
        default: fits = false
        }
        guard fits else { continue }
        let slot = self.slot(link, runtime, index)
        // Many devices have the Serial Port service.
        if isBelieved(link, slot, candidate, service?.short16 == 0x1101 ? nil : service) { return onlyJudges ? -1 : slot }
        proposed.append(slot)
        continue search
      }
    }
    return propose(link, proposed)
  }

  /// The slot of a source of a profile by its name, for any device, as for bytes from the command line. -1 where there is none.
  public func slot(_ number: Int, profile: CompiledProfile, source: String) -> Int {
    guard let link = self.link(number), let known = profile.source(source) else { return -1 }
    return slot(link, runtime(of: profile), known)
  }

  /// The profile of a slot, and the number of its source in it; nil for -1.
  public func source(_ number: Int, slot: Int) -> (profile: CompiledProfile, source: Int)? {
    guard let slot = self.link(number)?.slots.object(confirmed(number, slot: slot)) else { return nil }
    return (slot.runtime.profile, slot.sourceNumber)
  }

  func slot(_ link: Link, _ runtime: ProfileRuntime, _ source: Int) -> Int {
    let key = Link.SlotKey(runtime: ObjectIdentifier(runtime), source: source)
    if let found = link.slotNumbers[key] { return found }
    link.slotNumbers[key] = link.slots.count
    link.slots.append(Slot(runtime, source))
    if link.state[ObjectIdentifier(runtime.profile)] == nil, !runtime.profile.state.isEmpty {
      link.state[ObjectIdentifier(runtime.profile)] = runtime.profile.state.map(\.initial)
    }
    return link.slots.count - 1
  }

  /// The state of a link that messages of a profile have set; the initial state where there is none.
  func state(_ number: Int, _ profile: CompiledProfile) -> [CompiledState.Value] {
    link(number)?.state[ObjectIdentifier(profile)] ?? profile.state.map(\.initial)
  }

  /// Sets the state of a link, as from another engine.
  func setState(_ number: Int, _ profile: CompiledProfile, _ state: [CompiledState.Value]) {
    guard let link = self.link(number), !state.isEmpty else { return }
    link.state[ObjectIdentifier(profile)] = state
    link.slots.forEach { if $0.runtime.profile === profile { $0.runtime.enter(link) } }
  }

  /// Sets a handler for conditions of "answers" that cannot be evaluated; it gets the reason.
  func onConditionFailure(_ profile: CompiledProfile, _ handler: @escaping (Failure) -> Void) { runtime(of: profile).onFailure = handler }

  /// Sets a handler for the header of each packet and frame that a profile reads.
  func onHeader(_ profile: CompiledProfile, _ handler: @escaping (KaitaiTree) -> Void) { runtime(of: profile).onHeader = handler }

  func runtime(_ number: Int) -> ProfileRuntime? {
    if let found = runtimes[number] { return found.isExhausted ? nil : found }
    if broken.contains(number) { return nil }
    do {
      let origin = profiles.items[number].origin
      let isBuiltin = origin == .builtin
      let made = runtime(of: try profiles.profile(number), isBuiltin ? nil : budget(of: origin), isBuiltin: isBuiltin)
      runtimes[number] = made
      return made
    } catch {
      broken.insert(number)
      onError(error as? ProfileError ?? ProfileError(file: "", line: 0, column: 0, message: "\(error)"))
      return nil
    }
  }

  /// Reports once that a profile has no steps left, and is left out from here on.
  @inline(never)
  func report(exhausted runtime: ProfileRuntime, _ frame: Int) {
    guard !runtime.isReported else { return }
    runtime.isReported = true
    runtime.budget.close()
    onError(
      ProfileError(
        file: runtime.profile.file, line: 0, column: 0,
        message: "reading by this profile takes too long; from packet \(frame) on it is left out"))
  }

  private var byProfile: [ObjectIdentifier: ProfileRuntime] = [:]

  /// Common budgets of profiles that are not built in, by origin: profiles of a folder do not use the budget of those that were given.
  private var budgets: [ProfileSet.Origin: StepBudget] = [:]

  private func budget(of origin: ProfileSet.Origin) -> StepBudget {
    if let found = budgets[origin] { return found }
    let made = StepBudget()
    budgets[origin] = made
    return made
  }

  private func runtime(of profile: CompiledProfile, _ budget: StepBudget? = nil, isBuiltin: Bool = false) -> ProfileRuntime {
    if let found = byProfile[ObjectIdentifier(profile)] { return found }
    let made = ProfileRuntime(profile, budget, isBuiltin: isBuiltin, pool)
    byProfile[ObjectIdentifier(profile)] = made
    return made
  }

  // MARK: Bytes

  /// Whether the last call completed any message.
  public var hasMessages: Bool { !finished.isEmpty }
  /// The messages that the last call completed, in order. They are valid until the next call that feeds, flushes or ends something.
  public var messages: MessageList { MessageList(finished) }

  /// Feeds one value. Returns the number of completed messages; see ``messages``.
  ///
  /// - Parameters:
  ///   - number: the link.
  ///   - slot: the slot of the attribute or channel.
  ///   - direction: the operation that carried it.
  ///   - value: its bytes, which are only borrowed.
  ///   - frame: number of the packet.
  ///   - time: its time in µs.
  @discardableResult
  public func feed(_ number: Int, _ slot: Int, _ direction: ValueDirection, _ value: BorrowedBytes, frame: Int, time: Int64) -> Int {
    feed(number, slot, direction, value, frame: frame, time: time, skipsLayers: false)
  }

  @inline(__always)
  func feed(
    _ number: Int, _ slot: Int, _ direction: ValueDirection, _ value: BorrowedBytes, frame: Int, time: Int64, skipsLayers: Bool
  ) -> Int {
    recycle()
    guard let link = links[number] else { return 0 }
    link.with { link in
      guard let entry = link.slots[slot] else { return }
      entry.with { entry in
        if entry.isProposed {
          return feedProposed(link, slot, direction, value, frame: frame, time: time, skipsLayers: skipsLayers)
        }
        guard let pipeline = entry.pipeline(direction, slot) else { return }
        pipeline.with { pipeline in
          run(
            value, frame: frame, time: time, pipeline, from: skipsLayers ? pipeline.layers.count : 0, link, entry.runtime)
        }
      }
    }
    return finished.count
  }

  /// Gives expressions the state of a link.
  @inline(__always)
  func enter(_ link: Link, _ runtime: ProfileRuntime) {
    guard runtime.current !== link else { return }
    runtime.enter(link)
  }

  @inline(__always)
  func recycle() {
    if held.count > 0 { held.removeAll() }
    if finished.isEmpty { return pool.release() }
    // By index: an iterator would retain the list, and emptying it would copy it.
    for index in finished.indices {
      let message = finished[index]
      message.with { known in
        known.runtime.with {
          if keepsLayerTrace { known.layerTrace = LayerTrace() }
          // A request with a response among these is returned to the pool by its slot; one that is still open remains there.
          if known.wasRequest { $0.forget(request: known) } else { $0.give(message) }
        }
      }
    }
    while !finished.isEmpty { finished.removeLast() }
    pool.release()
  }

  /// Whether a current message may be printed or otherwise used. Memory for that is counted, and freed by ``wasPrinted(_:)``. Above the bound, one
  /// message has a notice, and later ones are left out.
  @inline(__always)
  package func mayPrint(_ message: ProfileMessage) -> Bool {
    message.printedBefore = message.printedBytes
    if held.printed <= ProfileBounds.maxMessageBytes { return true }
    let room = held.mayPrint()
    if let problem = room.problem { message.becomeNotice(problem) }
    return room != .none
  }

  /// Call after a current message was printed.
  @inline(__always)
  package func wasPrinted(_ message: ProfileMessage) {
    if message.root != nil || message.frames.count > ProfileMessage.fewFrames {
      held.add(printed: message.wasPrinted(among: finished.count))
    }
    // The bytes are printed as hexadecimal digits, for each source that reads them.
    message.printedBytes &+= message.look.headingBytes &+ 2 &* message.payload.count
    if message.writtenBytes > 0 {
      // What outputs have written for the message counts where it is more than the estimate.
      if message.countsEvents { message.printedBytes = max(message.printedBytes, message.printedBefore &+ message.writtenBytes) }
      message.writtenBytes = 0
    }
    // Up to this number, the bytes stay in the object and are counted with those of the next message that uses it. An object that is not used again,
    // because a value has many messages, would lose them.
    if message.printedBytes > ProfileBounds.fewPrintedBytes || message.countsEvents { spend(printedBytesOf: message) }
  }

  @inline(never)
  private func spend(printedBytesOf message: ProfileMessage) {
    let steps = message.printedBytes / ProfileBounds.printedBytesOfStep
    held.add(printed: steps)
    message.runtime.with { $0.spend(steps) }
    message.printedBytes = 0
  }

  // MARK: Completing

  /// Makes a message of bytes that have passed all layers.
  func complete(_ unit: FramedBytes, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime) {
    let room = held.add()
    if room == .none { return }
    if runtime.isExhausted { return report(exhausted: runtime, unsafe unit.tags.last.map { Int(truncatingIfNeeded: $0) } ?? 0) }
    let message = runtime.take()
    message.sourceNumber = pipeline.sourceNumber
    message.link = link.number
    message.slot = pipeline.slot
    message.direction = pipeline.direction
    setFrames(of: message, unit, runtime)
    message.begin = unit.begin
    message.end = unit.end
    message.isComplete = unit.isComplete
    message.checksum = unit.checksum
    message.fittingOrder = unit.fittingOrder
    message.surplus = unit.surplus
    if keepsLayerTrace { message.layerTrace = layerTrace }
    if unsafe !unit.problems.isEmpty { unsafe message.problems.append(contentsOf: unit.problems) }
    if let problem = unit.problem { message.problem = .layer(name: problem) }
    message.take(unit.bytes)
    finished.append(Unretained(message))
    defer {
      message.completedBytes = message.heldBytes
      held.add(bytes: message.completedBytes)
    }
    if room != .free, let problem = room.problem { return message.becomeNotice(problem) }
    if unit.isUnjoined {
      message.kind = .unjoined
      message.isComplete = false
      message.checksum = .none
      if let type = strayHeader, message.tree.parse(borrowing: message.payload, as: type, environment: runtime.environment) == nil {
        message.root = message.tree.root
      }
      return
    }
    if unit.decryption != .none {
      message.decryption = unit.decryption
      if let sealed, isClosed(message, pipeline, link, runtime) { return close(message, sealed, runtime) }
    }

    defer {
      runtime.spendOnHeaders()
      runtime.spend(message.takeSteps())
    }
    guard let number = choose(of: message, pipeline, link, runtime) else {
      if pipeline.direction == .advertise {
        // Companies have several protocols: data that match no message of this profile belong to another protocol.
        finished.removeLast()
        runtime.give(Unretained(message))
        return
      }
      message.problem = message.problem ?? .noAlternative
      return
    }
    message.messageNumber = number
    let isResponse = pipeline.direction != .write && pipeline.source.hasResponses
    let info = runtime.message(number)
    let isRequest = pipeline.source.isAnswered && (pipeline.direction == .write || !pipeline.source.hasResponses)
    if isResponse, info.needsRequest {
      respondThenRead(message, info, pipeline, link, runtime)
    } else {
      let isNeeded =
        info.hasSets || info.judges || unit.isMerged || !pipeline.source.compares(number, isResponse: isResponse, isRequest: isRequest)
      if !isNeeded, fields == .none || leavesReading && runtime.isReadAnywhere && info.isReadAnywhere && !runtime.usesHeader {
        message.isUnread = true
      } else if isNeeded || fields == .all {
        message.read(info, runtime)
      } else {
        message.read(info, runtime, onlyTemplate: true)
      }
      if isResponse, message.checksum != .bad { answer(message, pipeline, link, runtime) }
    }
    // A damaged message does not change the state.
    if info.hasSets, message.checksum != .bad {
      // Compute instances now: later they would read the state after this message.
      if runtime.profile.typesUseState, message.root != nil { message.tree.evaluateInstances() }
      runtime.set(message, link)
    }
    // An invalid computed value is a problem of the message, whether or not it is shown.
    if info.judges, message.isComplete, message.problem == nil { message.problem = message.wrongInstance.map { .body($0) } }
    // Compute instances now: later the header is another one.
    if runtime.usesHeader, message.root != nil { message.tree.evaluateInstances() }
    // A body that ends early because packets are missing has that as its problem already.
    if info.hasInner, message.isComplete, message.problem == nil, !message.isUnread {
      var finder = ProblemFinder()
      message.visitFields(&finder)
      if let text = finder.text { message.problem = .inner(text) }
    }
    if isRequest {
      message.isRequest = true
      message.wasRequest = true
      link.slots[pipeline.slot]?.with { $0.open(message) }
    }
  }

  /// Makes the frames of a unit those of a message. Messages of one unit that came from many share one list of them.
  @inline(__always)
  private func setFrames(of message: ProfileMessage, _ unit: FramedBytes, _ runtime: ProfileRuntime) {
    if unsafe unit.tags.count > ProfileMessage.fewFrames { return shareFrames(with: message, unit, runtime) }
    for index in unsafe unit.tags.indices { unsafe message.frames.append(Int(truncatingIfNeeded: unit.tags[index])) }
  }

  @inline(never)
  private func shareFrames(with message: ProfileMessage, _ unit: FramedBytes, _ runtime: ProfileRuntime) {
    let count = unsafe unit.tags.count
    runtime.spend(count / 8)
    // The frames of the previous call are compared as well.
    if unsafe sharedFrames.count != count || !zip(sharedFrames, unit.tags).allSatisfy({ $0 == Int(truncatingIfNeeded: $1) }) {
      sharedFrames = unsafe unit.tags.map { Int(truncatingIfNeeded: $0) }
      held.add(bytes: count &* MemoryLayout<Int>.stride)
    }
    message.frames = sharedFrames
  }

  @inline(__always)
  private func choose(of message: ProfileMessage, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime) -> Int? {
    pipeline.rules.readsRequest
      ? choose(message, pipeline, link, runtime) : runtime.choose(pipeline.rules, message.payload)
  }

  /// Whether a message remains encrypted: no key decrypted it, or the output of a cipher without authentication cannot be decoded.
  @inline(never)
  private func isClosed(
    _ message: ProfileMessage, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime
  ) -> Bool {
    if message.decryption.isClosed { return true }
    guard message.isComplete, let number = choose(of: message, pipeline, link, runtime) else { return message.isComplete }
    let info = runtime.message(number)
    // A body that depends on the request is read later, with the request.
    guard !info.needsRequest else { return false }
    let problem = message.problem
    message.messageNumber = number
    message.read(info, runtime)
    var isBroken = false
    if case .body? = message.problem { isBroken = problem == nil }
    (message.problem, message.root, message.isFlat, message.messageNumber) = (problem, nil, false, -1)
    return isBroken
  }

  /// Chooses a message where conditions of the alternatives read the request: open requests are tried from the oldest on, until the message that is
  /// chosen with a request responds to that request. Where none does, there is no request.
  private func choose(_ message: ProfileMessage, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime) -> Int? {
    let answers = pipeline.direction == .write ? [] : pipeline.source.answers
    // The first alternatives are the same with each request.
    let rules = pipeline.rules
    let alike = runtime.choose(rules, message.payload, of: 0..<rules.alternativesBeforeRequest)
    let others = rules.alternativesBeforeRequest..<rules.choices.count
    // Which message is chosen with a request is the same for all rules of "answers" about one slot: it is kept while the slot, `chosenOf`, is the same.
    var chosenOf = -1
    // The message as whose type the bytes were read last, if the type does not read the request: then they need not be read again for the next request.
    var readAs = -1
    let problem = message.problem
    defer { (message.problem, message.root, message.isFlat) = (problem, nil, false) }
    for (index, answer) in answers.enumerated() {
      guard let slot = slot(index, answer, pipeline, link, runtime) else { continue }
      let requests = slot.object.requests
      if chosenOf != pipeline.answered[index] {
        chosenOf = pipeline.answered[index]
        chosen.removeAll(keepingCapacity: true)
        for _ in requests { chosen.append(Self.notChosen) }
      }
      for open in requests.indices {
        runtime.spend(1)
        let found: Int? = requests[open].with { request in
          guard isInTime(request, message, answer) else { return nil }
          var isSet = false
          if chosen[open] == Self.notChosen {
            if alike == nil {
              isSet = true
              runtime.setRequest(request)
            }
            chosen[open] = alike ?? runtime.choose(rules, message.payload, of: others) ?? -1
          }
          let number = chosen[open]
          if number < 0 { return nil }
          let condition = answer.condition(number)
          if condition == RuntimeAnswer.never { return nil }
          if !isSet { runtime.setRequest(request) }
          if condition == RuntimeAnswer.always { return number }
          if readAs != number {
            let info = runtime.message(number)
            message.messageNumber = number
            (message.root, message.isFlat) = (nil, false)
            message.read(info, runtime)
            readAs = info.needsRequest ? -1 : number
          }
          return runtime.isTrue(ExpressionID(rawValue: condition), message) ? number : nil
        }
        if let found { return found }
        requests[open].with { runtime.forget(request: $0) }
      }
    }
    runtime.setRequest(nil)
    return alike ?? runtime.choose(rules, message.payload, of: others)
  }

  private static let notChosen = -2

  /// The slot of the source whose requests a response belongs to; nil where nothing was written there yet.
  private func slot(
    _ index: Int, _ answer: RuntimeAnswer, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime
  ) -> Unretained<Slot>? {
    if pipeline.answered[index] < 0 {
      guard let found = link.slotNumbers[Link.SlotKey(runtime: ObjectIdentifier(runtime), source: answer.source)] else { return nil }
      pipeline.answered[index] = found
    }
    return link.slots[pipeline.answered[index]]
  }

  /// Finds the oldest open request that a message responds to. A message that is `unread`, as its type needs the request, is read with each open
  /// request in turn until the condition is true. Returns false where it responds to none.
  @discardableResult
  private func answer(
    _ message: ProfileMessage, unread: RuntimeMessage? = nil, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime
  ) -> Bool {
    for index in pipeline.source.answers.indices {
      let answer = pipeline.source.answers[index]
      let condition = answer.condition(message.messageNumber)
      if condition == RuntimeAnswer.never { continue }
      guard let unretained = slot(index, answer, pipeline, link, runtime) else { continue }
      let slot = unretained.object
      for number in 0..<slot.requests.count {
        runtime.spend(1)
        let holds = slot.requests[number].with { request in
          guard isInTime(request, message, answer) else { return false }
          if condition != RuntimeAnswer.always, unread == nil, let isEqual = answer.isEqual(message, request) {
            if isEqual { close(request, by: message) }
            return isEqual
          }
          let problem = message.problem
          if unread != nil || condition != RuntimeAnswer.always { runtime.setRequest(request) }
          if let unread { message.read(unread, runtime) }
          if condition != RuntimeAnswer.always, !runtime.isTrue(ExpressionID(rawValue: condition), message) {
            message.problem = problem
            return false
          }
          // Compute instances now: later the request may be another one.
          if unread != nil { message.tree.evaluateInstances() }
          close(request, by: message)
          return true
        }
        if holds {
          if !answer.staysOpen, message.checksum != .bad {
            if message.isComplete { slot.close(number) } else { slot.postpone(number) }
          }
          return true
        }
        slot.requests[number].with { runtime.forget(request: $0) }
      }
    }
    return false
  }

  /// Reads a message whose type needs the request: with the request that it responds to, or with none.
  private func respondThenRead(
    _ message: ProfileMessage, _ info: RuntimeMessage, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime
  ) {
    if answer(message, unread: info, pipeline, link, runtime) { return }
    runtime.setRequest(nil)
    message.read(info, runtime)
    message.tree.evaluateInstances()
  }

  @inline(__always)
  private func isInTime(_ request: ProfileMessage, _ message: ProfileMessage, _ answer: RuntimeAnswer) -> Bool {
    // What began before the request was sent does not respond to it.
    if let first = message.frames.first, let sent = request.frames.last, first < sent { return false }
    guard let within = answer.within else { return true }
    return message.begin.subtractingReportingOverflow(request.end).partialValue <= within
  }

  /// Closes a request by its response. A damaged response does not close it: the device may send it again.
  private func close(_ request: ProfileMessage, by message: ProfileMessage) {
    guard message.checksum != .bad else { return }
    message.replyTo = request.frames.last
    message.latency = message.end &- request.end
    request.isAnswered = true
  }

  /// Length of the message that an `expect` layer waits for, from the oldest open request; nil where there is none.
  func expected(_ layer: LayerState, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime) -> Int? {
    guard let expression = layer.expression else { return nil }
    for (index, answer) in pipeline.source.answers.enumerated() {
      guard let slot = slot(index, answer, pipeline, link, runtime) else { continue }
      let requests = slot.object.requests
      for index in requests.indices {
        runtime.spend(1)
        requests[index].with { runtime.setRequest($0) }
        if let length = runtime.integer(expression), length > 0 { return length }
        requests[index].with { runtime.forget(request: $0) }
      }
    }
    return nil
  }
}

extension ProfileEngine {
  /// Feeds the packets of a request that messages of a source respond to. Returns its message, or nil where there is none; valid until the next
  /// call. Packets are numbered from 0, and all have the time 0.
  public func feed(request packets: [[UInt8]], answeredBy source: Int, of profile: CompiledProfile, _ link: Int) -> ProfileMessage? {
    guard profile.sources.indices.contains(source) else { return nil }
    var requestSources: [Int] = []
    for answer in profile.sources[source].answers where !requestSources.contains(answer.source) { requestSources.append(answer.source) }
    for index in requestSources {
      let slot = slot(link, profile: profile, source: profile.sources[index].id)
      guard slot >= 0 else { continue }
      for packet in packets {
        packet.withBorrowedBytes { _ = feed(link, slot, .write, $0, frame: 0, time: 0) }
        if let message = messages.first(where: { $0.isRequest && $0.isComplete && !$0.hasProblem && $0.checksum != .bad }) {
          return message
        }
      }
    }
    return nil
  }
}

extension ProfileMessage {
  /// Reads its body, and sets ``problem`` where that fails.
  func read(_ info: RuntimeMessage, _ runtime: ProfileRuntime, onlyTemplate: Bool = false) {
    read(info, onlyTemplate: onlyTemplate) { runtime.parse($0, self) }
  }

  /// Reads its body; with `parse`, where that needs a tree.
  @inline(__always)
  func read(_ info: RuntimeMessage, onlyTemplate: Bool, parse: (TypeID) -> Failure?) {
    guard info.type >= 0, !readFlat(info, onlyTemplate: onlyTemplate) else { return }
    if let failure = parse(TypeID(rawValue: info.type)) { problem = problem ?? .body(failure) }
  }

  /// Reads the body that was left unread, on the thread of the engine.
  func readAfterAll() {
    isUnread = false
    runtime.with { read($0.message(messageNumber), $0) }
  }

  /// Reads its body without a tree. Returns false where that is impossible.
  @inline(__always)
  private func readFlat(_ info: RuntimeMessage, onlyTemplate: Bool) -> Bool {
    // Only the fields in its line in words are needed.
    if onlyTemplate, let templateReader = info.templateReader, readFlat(templateReader) { return true }
    if let flat = info.flat, readFlat(flat) { return true }
    return false
  }

  @inline(__always)
  private func readFlat(_ reader: Unretained<FlatReader>) -> Bool {
    switch reader.with({ $0.read(payload, into: &record) }) {
    case .whole:
      isFlat = true
      return true
    case .short(let failure):
      isFlat = true
      problem = problem ?? .body(failure)
      return true
    case .unfit: return false
    }
  }

  /// Sets `_request` of an environment to this message.
  func asRequest(in environment: KaitaiEnvironment) {
    runtime.with { $0.setRequest(self, in: environment) }
  }
}

/// The messages that an engine completed; valid until its next call.
@_spi(Pipeline) @safe public struct MessageList: RandomAccessCollection {
  private let list: [Unretained<ProfileMessage>]

  init(_ list: [Unretained<ProfileMessage>]) { self.list = list }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// Number of messages.
  public var endIndex: Int { list.count }
  /// The message at `position`.
  public subscript(position: Int) -> ProfileMessage { list[position].object }
}

extension ProfileEngine {
  /// Feeds a complete message, without the layers before the body. Returns the number of completed messages: one.
  @discardableResult
  public func feed(
    payload: BorrowedBytes, _ number: Int, _ slot: Int, _ direction: ValueDirection, frame: Int, time: Int64
  ) -> Int {
    feed(number, slot, direction, payload, frame: frame, time: time, skipsLayers: true)
  }
}
