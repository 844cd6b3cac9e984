import Kaitai
import PacketCodecs

/// Turns values of attributes and channels into messages, by profiles. It knows no captures: bytes go in, messages come out.
///
/// One engine serves one capture and one thread. In the steady state it allocates nothing per packet.
@safe public final class ProfileEngine {
  /// The profiles it works by.
  public let profiles: ProfileSet
  /// Called with a profile that was wanted but has a mistake; it is then left out.
  public var onError: (ProfileError) -> Void = { _ in }

  /// Which fields messages shall have.
  public enum Fields: UInt8, Sendable {
    /// None: bodies are read no further than answers and state need them.
    case none
    /// Those that are said of it in words.
    case said
    /// All.
    case all
  }

  /// Which fields messages shall have.
  public var fields = Fields.all

  private(set) var links = LentTable<Link>()
  private var freeLinks: [Int] = []
  private var runtimes: [Int: ProfileRuntime] = [:]
  private var broken: Set<Int> = []
  let advertisers = AdvertisingMemory()
  var done: [Unmanaged<Message>] = unsafe []

  /// Makes an engine without links.
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
    link.candidates = profiles.candidates(facts)
    links.set(number, link)
    return number
  }

  /// Tells what was learned of the device since ``connect(_:)``. Slots stay as they are; ask again for those that were -1.
  public func update(_ link: Int, _ facts: PeerFacts) {
    guard let link = self.link(link) else { return }
    link.facts = facts
    link.candidates = profiles.candidates(facts)
    link.advertised.removeAll()
  }

  /// Ends a link: what is open in its layers comes out as incomplete messages and unjoined bytes. Returns how many; see ``messages``.
  @discardableResult
  public func disconnect(_ number: Int) -> Int {
    recycle()
    guard let link = self.link(number) else { return 0 }
    flushOpen(link)
    link.slots.forEach { if $0.runtime.current === link { $0.runtime.leave() } }
    links.set(number, nil)
    freeLinks.append(number)
    return unsafe done.count
  }

  /// Ends what has been silent for longer than its layers allow, at a time in µs. Returns how many messages came out of it.
  @discardableResult
  public func flush(_ number: Int, now: Int64) -> Int {
    recycle()
    guard let link = self.link(number) else { return 0 }
    link.slots.forEach { slot in slot.pipelines.forEach { flush($0, now: now, link, slot.runtime) } }
    return unsafe done.count
  }

  /// Ends all links, at the end of a capture. Returns how many messages came out of it.
  @discardableResult
  public func finish() -> Int {
    recycle()
    links.forEach { flushOpen($0) }
    links.removeAll()
    freeLinks.removeAll()
    return unsafe done.count
  }

  private func flushOpen(_ link: Link) {
    link.slots.forEach { slot in slot.pipelines.forEach { finish($0, link, slot.runtime) } }
  }

  func link(_ number: Int) -> Link? { links.object(number) }

  // MARK: Slots

  /// The slot of a characteristic or descriptor of a link: what ``feed(_:_:_:_:frame:time:)`` wants. -1 where no profile knows it.
  ///
  /// `uuid` is that of the characteristic (or descriptor), `service` that of its service, `handle` that of its value; each where known.
  /// `isDescriptor` says that `uuid` is a descriptor's, `characteristic` of which characteristic. Costs a search; keep the answer.
  public func slot(
    _ number: Int, uuid: BluetoothUUID?, service: BluetoothUUID? = nil, handle: UInt16? = nil, isDescriptor: Bool = false,
    characteristic: BluetoothUUID? = nil
  ) -> Int {
    guard let link = self.link(number) else { return -1 }
    // The attribute itself says something of the device: its own UUID and service count as known.
    var facts = link.facts
    if let uuid, !isDescriptor { facts.characteristics.append(uuid) }
    if let service { facts.services.append(service) }
    for candidate in profiles.candidates(facts, attribute: uuid, handle: handle) {
      guard let runtime = runtime(candidate.profile) else { continue }
      for (place, source) in runtime.profile.sources.enumerated() {
        guard source.kind == (isDescriptor ? .descriptor : .characteristic) else { continue }
        var fits = false
        if let uuid, source.uuids.contains(uuid) {
          fits = source.services.isEmpty || service.map(source.services.contains) ?? true
          if isDescriptor, !source.of.isEmpty { fits = characteristic.map(source.of.contains) ?? false }
        } else if uuid == nil || source.uuids.isEmpty, let handle, source.handles.contains(handle) {
          fits = true
        }
        if fits { return self.slot(link, runtime, place) }
      }
    }
    return -1
  }

  /// The slot of an RFCOMM channel (by service, or server channel) or of an L2CAP channel (by PSM). -1 where no profile knows it.
  public func slot(_ number: Int, rfcommChannel: Int? = nil, service: BluetoothUUID? = nil, psm: Int? = nil) -> Int {
    guard let link = self.link(number) else { return -1 }
    for candidate in link.candidates {
      guard profiles.mayKnow(candidate.profile, channel: rfcommChannel, service: service, psm: psm),
        let runtime = runtime(candidate.profile)
      else { continue }
      for (place, source) in runtime.profile.sources.enumerated() {
        switch source.kind {
        case .rfcomm:
          if let service, source.uuids.contains(service) { return slot(link, runtime, place) }
          // Where SDP told nothing, a channel that the profile names has to do.
          if source.uuids.isEmpty || service == nil, let rfcommChannel, source.numbers.contains(rfcommChannel) {
            return slot(link, runtime, place)
          }
        case .l2cap: if let psm, source.numbers.contains(psm) { return slot(link, runtime, place) }
        default: break
        }
      }
    }
    return -1
  }

  /// The slot of a source of a profile by its name, whatever the device: for bytes given by hand. -1 where there is none.
  public func slot(_ number: Int, profile: CompiledProfile, source: String) -> Int {
    guard let link = self.link(number), let place = profile.source(source) else { return -1 }
    return slot(link, runtime(of: profile), place)
  }

  /// The profile of a slot, and the number of its source in it; nil for -1.
  public func source(_ number: Int, slot: Int) -> (profile: CompiledProfile, source: Int)? {
    guard let slot = self.link(number)?.slots.object(slot) else { return nil }
    return (slot.runtime.profile, slot.sourceNumber)
  }

  private func slot(_ link: Link, _ runtime: ProfileRuntime, _ source: Int) -> Int {
    if let found = link.slots.firstIndex(where: { $0.runtime === runtime && $0.sourceNumber == source }) { return found }
    link.slots.append(Slot(runtime, source))
    if link.state[ObjectIdentifier(runtime.profile)] == nil, !runtime.profile.state.isEmpty {
      link.state[ObjectIdentifier(runtime.profile)] = runtime.profile.state.map(\.initial)
    }
    return link.slots.count - 1
  }

  /// What messages of a profile have set on a link; what they set at the start where there is none.
  func state(_ number: Int, _ profile: CompiledProfile) -> [CompiledState.Initial] {
    link(number)?.state[ObjectIdentifier(profile)] ?? profile.state.map(\.initial)
  }

  /// Makes the state of a link what it is elsewhere.
  func setState(_ number: Int, _ profile: CompiledProfile, _ state: [CompiledState.Initial]) {
    guard let link = self.link(number), !state.isEmpty else { return }
    link.state[ObjectIdentifier(profile)] = state
    link.slots.forEach { if $0.runtime.profile === profile { $0.runtime.enter(link) } }
  }

  /// Called with why a condition of "answers" could not be evaluated.
  func onConditionFailure(_ profile: CompiledProfile, _ handler: @escaping (Failure) -> Void) { runtime(of: profile).onFailure = handler }

  private func runtime(_ number: Int) -> ProfileRuntime? {
    if let found = runtimes[number] { return found }
    if broken.contains(number) { return nil }
    do {
      let made = runtime(of: try profiles.profile(number))
      runtimes[number] = made
      return made
    } catch {
      broken.insert(number)
      onError(error as? ProfileError ?? ProfileError(file: "", line: 0, column: 0, message: "\(error)"))
      return nil
    }
  }

  private var byProfile: [ObjectIdentifier: ProfileRuntime] = [:]

  private func runtime(of profile: CompiledProfile) -> ProfileRuntime {
    if let found = byProfile[ObjectIdentifier(profile)] { return found }
    let made = ProfileRuntime(profile)
    byProfile[ObjectIdentifier(profile)] = made
    return made
  }

  // MARK: Bytes

  /// Whether the last call completed any message.
  public var hasMessages: Bool { unsafe !done.isEmpty }
  /// The messages that the last call completed, in order. They are good until the next call that feeds, flushes or ends something.
  public var messages: MessageList { unsafe MessageList(done) }

  /// Feeds one value. Returns how many messages it completed; see ``messages``.
  ///
  /// - Parameters:
  ///   - number: the link.
  ///   - slot: the slot of the attribute or channel.
  ///   - direction: which operation carried it.
  ///   - value: its bytes, which are only borrowed.
  ///   - frame: number of the packet.
  ///   - time: its time in µs.
  @discardableResult
  public func feed(_ number: Int, _ slot: Int, _ direction: Direction, _ value: UnsafeRawBufferPointer, frame: Int, time: Int64) -> Int {
    unsafe feed(number, slot, direction, value, frame: frame, time: time, skipsLayers: false)
  }

  @inline(__always)
  func feed(
    _ number: Int, _ slot: Int, _ direction: Direction, _ value: UnsafeRawBufferPointer, frame: Int, time: Int64, skipsLayers: Bool
  ) -> Int {
    recycle()
    guard let link = unsafe links[number] else { return 0 }
    unsafe link._withUnsafeGuaranteedRef { link in
      guard let entry = unsafe link.slots[slot] else { return }
      unsafe entry._withUnsafeGuaranteedRef { entry in
        guard let pipeline = unsafe entry.pipeline(direction, slot) else { return }
        unsafe pipeline._withUnsafeGuaranteedRef { pipeline in
          let runtime = entry.runtime
          enter(link, runtime)
          var tag = UInt64(truncatingIfNeeded: frame)
          unsafe withUnsafePointer(to: &tag) { tag in
            let tags = unsafe UnsafeBufferPointer(start: tag, count: 1)
            let unit = unsafe Unit(bytes: value, tags: tags, begin: time, end: time, problems: UnsafeBufferPointer(start: nil, count: 0))
            runtime.packetLength = value.count
            run(unit, pipeline, from: skipsLayers ? pipeline.layers.count : 0, link, runtime)
          }
        }
      }
    }
    return unsafe done.count
  }

  /// Feeds the data of an advertisement or scan response (all AD structures of it, Core Specification 6.0, Vol 3, Part C, 11) of a device.
  /// Returns how many messages it completed.
  @discardableResult
  public func feed(advertisement data: UnsafeRawBufferPointer, _ number: Int, frame: Int, time: Int64) -> Int {
    recycle()
    guard let link = self.link(number) else { return 0 }
    unsafe learn(data, link)
    var at = 0
    while at < data.count {
      let length = unsafe Int(data[at])
      guard length > 0, at + 1 + length <= data.count else { break }
      let type = unsafe data[at + 1]
      let body = unsafe UnsafeRawBufferPointer(rebasing: data[(at + 2)..<(at + 1 + length)])
      switch type {
      case 0xFF where body.count >= 2:
        let company = unsafe UInt16(body[0]) | UInt16(body[1]) << 8
        unsafe advertised(link, body, .company(company), frame, time)
      case 0x16 where body.count >= 2: unsafe advertised(link, body, .service(2), frame, time)
      case 0x20 where body.count >= 4: unsafe advertised(link, body, .service(4), frame, time)
      case 0x21 where body.count >= 16: unsafe advertised(link, body, .service(16), frame, time)
      default: break
      }
      at += 1 + length
    }
    unsafe advertised(link, data, .whole, frame, time)
    return unsafe done.count
  }

  /// Takes what an advertisement says of its device among the facts, once for each content.
  private func learn(_ data: UnsafeRawBufferPointer, _ link: Link) {
    // FNV-1a; two contents with one hash would only leave facts unlearned.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for place in data.indices { hash = unsafe (hash ^ UInt64(data[place])) &* 0x100_0000_01B3 }
    guard !link.contents.contains(hash) else { return }
    if link.contents.count >= 8 { link.contents.removeFirst() }
    link.contents.append(hash)
    let facts = unsafe link.facts.learning(data)
    guard facts != link.facts else { return }
    link.facts = facts
    link.candidates = profiles.candidates(facts)
    link.advertised.removeAll()
  }

  enum Advertised {
    case company(UInt16)
    case service(Int)
    case whole
  }

  private func advertised(_ link: Link, _ body: UnsafeRawBufferPointer, _ what: Advertised, _ frame: Int, _ time: Int64) {
    let key: UInt64
    var service: BluetoothUUID?
    switch what {
    case .company(let company): key = UInt64(company)
    case .service(let width):
      service = unsafe BluetoothUUID(littleEndian: UnsafeRawBufferPointer(rebasing: body[0..<width]))
      guard let service else { return }
      key = 1 << 32 ^ service.high ^ service.low
    case .whole: key = 1 << 33
    }
    // What the profiles say of a kind of data is asked once per device and kind.
    let slots: [Int]
    if let known = link.advertised[key] {
      slots = known
    } else {
      slots = advertisedSlots(link, what, service)
      link.advertised[key] = slots
    }
    // The profile that fits best has the word, unless it says nothing about this.
    var teller: ProfileRuntime?
    for slot in slots {
      guard let entry = link.slots.object(slot) else { continue }
      if let teller, teller !== entry.runtime { break }
      guard let pipeline = unsafe entry.pipeline(.advertise, slot)?.takeUnretainedValue() else { continue }
      let told = unsafe done.count
      let source = entry.runtime.profile.sources[entry.sourceNumber]
      var value = unsafe body
      switch what {
      case .company: if !source.includesCompany { unsafe value = unsafe UnsafeRawBufferPointer(rebasing: body[2...]) }
      case .service(let width): unsafe value = unsafe UnsafeRawBufferPointer(rebasing: body[width...])
      case .whole: break
      }
      enter(link, entry.runtime)
      var tag = UInt64(truncatingIfNeeded: frame)
      unsafe withUnsafePointer(to: &tag) { tag in
        let tags = unsafe UnsafeBufferPointer(start: tag, count: 1)
        let unit = unsafe Unit(bytes: value, tags: tags, begin: time, end: time, problems: UnsafeBufferPointer(start: nil, count: 0))
        entry.runtime.packetLength = value.count
        run(unit, pipeline, from: 0, link, entry.runtime)
      }
      if unsafe done.count > told { teller = entry.runtime }
    }
  }

  func advertisedSlots(_ link: Link, _ what: Advertised, _ service: BluetoothUUID?) -> [Int] {
    var slots: [Int] = []
    var asked: UInt16?
    if case .company(let company) = what { asked = company }
    for candidate in link.candidates {
      guard profiles.mayRead(candidate.profile, company: asked, service: service), let runtime = runtime(candidate.profile) else {
        continue
      }
      for (place, source) in runtime.profile.sources.enumerated() where source.kind == .advertisement {
        let fits =
          switch what {
          case .company(let company): !source.isWhole && (source.isOfAnyCompany || source.companies.contains(company))
          case .service: !source.isWhole && service.map(source.serviceData.contains) ?? false
          case .whole:
            source.isWhole || source.companies.isEmpty && source.serviceData.isEmpty && !source.isOfAnyCompany
          }
        guard fits else { continue }
        if !source.services.isEmpty, !source.services.contains(where: link.facts.services.contains) { continue }
        if !source.names.isEmpty, !source.names.contains(where: { pattern in link.facts.name.map { glob(pattern, matches: $0) } ?? false })
        {
          continue
        }
        if case .whole = what, !source.companies.isEmpty, !source.companies.contains(where: link.facts.companies.contains) { continue }
        if case .whole = what, !source.serviceData.isEmpty, !source.serviceData.contains(where: link.facts.serviceData.contains) {
          continue
        }
        slots.append(slot(link, runtime, place))
      }
    }
    return slots
  }

  /// Makes the state of a link that of the expressions.
  @inline(__always)
  func enter(_ link: Link, _ runtime: ProfileRuntime) {
    guard runtime.current !== link else { return }
    runtime.enter(link)
  }

  @inline(__always)
  func recycle() {
    if unsafe done.isEmpty { return }
    // By index: an iterator would keep the list, which then would be copied when it is emptied.
    for place in unsafe done.indices {
      let message = unsafe done[place]
      unsafe message._withUnsafeGuaranteedRef { known in
        unsafe known.runtime._withUnsafeGuaranteedRef {
          // A request that was answered by one of these is given back by its slot; one that is still open stays there.
          if !known.wasRequest { unsafe $0.give(message) }
          $0.release()
        }
      }
    }
    while unsafe !done.isEmpty { unsafe done.removeLast() }
  }

  // MARK: Completing

  /// Makes a message of what came through all layers.
  func complete(_ unit: Unit, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime) {
    let message = runtime.take()
    message.sourceNumber = pipeline.sourceNumber
    message.link = link.number
    message.slot = pipeline.slot
    message.direction = pipeline.direction
    for place in unsafe unit.tags.indices { unsafe message.frames.append(Int(truncatingIfNeeded: unit.tags[place])) }
    message.begin = unit.begin
    message.end = unit.end
    message.isComplete = unit.isComplete
    message.checksum = unit.checksum
    message.surplus = unit.surplus
    if unsafe !unit.problems.isEmpty { unsafe message.problems.append(contentsOf: unit.problems) }
    if let fault = unit.fault { message.fault = .layer(name: fault) }
    unsafe message.take(unit.bytes)
    unsafe done.append(Unmanaged.passUnretained(message))
    if unit.isUnjoined {
      message.kind = .unjoined
      message.isComplete = false
      message.checksum = .none
      return
    }

    guard let number = unsafe runtime.choose(pipeline.rules, message.payload) else {
      if pipeline.direction == .advertise {
        // Data of a company is not one protocol: what this profile does not know is another's.
        unsafe done.removeLast()
        unsafe runtime.give(Unmanaged.passUnretained(message))
        return
      }
      message.fault = message.fault ?? .noAlternative
      return
    }
    message.messageNumber = number
    let isAnswer = pipeline.direction != .write && pipeline.source.hasAnswers
    let info = runtime.message(number)
    let isRequest = pipeline.source.isAnswered && (pipeline.direction == .write || !pipeline.source.hasAnswers)
    if isAnswer, info.needsRequest {
      answerThenRead(message, info, pipeline, link, runtime)
    } else {
      if fields == .all || info.hasSets || !pipeline.source.compares(number, isAnswer: isAnswer, isRequest: isRequest) {
        read(message, info, runtime)
      } else if fields == .none {
        message.isUnread = true
      } else {
        read(message, info, runtime, onlySaid: true)
      }
      if isAnswer { answer(message, pipeline, link, runtime) }
    }
    if info.hasSets { runtime.set(message, link) }
    // What ends early because packets are missing was told.
    if info.hasInner, message.isComplete, message.fault == nil, !message.isUnread {
      var finder = FaultFinder()
      message.visitFields(&finder)
      if let text = finder.text { message.fault = .inner(text) }
    }
    if isRequest {
      message.isRequest = true
      message.wasRequest = true
      unsafe link.slots[pipeline.slot]?._withUnsafeGuaranteedRef { $0.open(message) }
    }
  }

  private func read(_ message: Message, _ info: RuntimeMessage, _ runtime: ProfileRuntime, onlySaid: Bool = false) {
    guard info.type >= 0 else { return }
    // What is not said of it is not asked for.
    if onlySaid, let said = unsafe info.said, unsafe readStraight(message, said) { return }
    if let straight = unsafe info.straight, unsafe readStraight(message, straight) { return }
    if let failure = runtime.parse(TypeID(rawValue: info.type), message) { message.fault = message.fault ?? .body(failure) }
  }

  /// Reads a message without a tree. Returns false where that cannot be.
  @inline(__always)
  private func readStraight(_ message: Message, _ reader: Unmanaged<StraightReader>) -> Bool {
    switch unsafe reader._withUnsafeGuaranteedRef({ unsafe $0.read(message.payload, into: &message.record) }) {
    case .whole:
      message.isStraight = true
      return true
    case .short(let failure):
      message.isStraight = true
      message.fault = message.fault ?? .body(failure)
      return true
    case .unfit: return false
    }
  }

  /// The slot of the source whose requests an answer belongs to; nil where nothing was written there yet.
  private func slot(
    _ place: Int, _ answer: RuntimeAnswer, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime
  ) -> Unmanaged<Slot>? {
    if pipeline.answered[place] < 0 {
      guard let found = link.slots.firstIndex(where: { $0.runtime === runtime && $0.sourceNumber == answer.source }) else { return nil }
      pipeline.answered[place] = found
    }
    return unsafe link.slots[pipeline.answered[place]]
  }

  /// Finds the oldest open request that a message answers. A message that is `unread` is read with each open request in turn until the
  /// condition holds: its type needs the request. Returns false where it answers none.
  @discardableResult
  private func answer(
    _ message: Message, unread: RuntimeMessage? = nil, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime
  ) -> Bool {
    for place in pipeline.source.answers.indices {
      let answer = pipeline.source.answers[place]
      let condition = answer.condition(message.messageNumber)
      if condition == RuntimeAnswer.never { continue }
      guard let lent = unsafe slot(place, answer, pipeline, link, runtime) else { continue }
      let slot = unsafe lent.takeUnretainedValue()
      for number in unsafe 0..<slot.requests.count {
        let holds = unsafe slot.requests[number]._withUnsafeGuaranteedRef { request in
          guard isInTime(request, message, answer) else { return false }
          if condition != RuntimeAnswer.always, unread == nil, let isEqual = answer.isEqual(message, request) {
            if isEqual { close(request, by: message) }
            return isEqual
          }
          let fault = message.fault
          if unread != nil || condition != RuntimeAnswer.always { runtime.setRequest(request) }
          if let unread { read(message, unread, runtime) }
          if condition != RuntimeAnswer.always, !runtime.isTrue(ExpressionID(rawValue: condition), message) {
            message.fault = fault
            return false
          }
          // Instances are computed when they are looked at; then the request may be another.
          if unread != nil { message.tree.evaluateInstances() }
          close(request, by: message)
          return true
        }
        if holds {
          if !answer.staysOpen { slot.close(number) }
          return true
        }
      }
    }
    return false
  }

  /// Reads a message whose type needs the request: with the one that it answers, or with none.
  private func answerThenRead(
    _ message: Message, _ info: RuntimeMessage, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime
  ) {
    if answer(message, unread: info, pipeline, link, runtime) { return }
    runtime.setRequest(nil)
    read(message, info, runtime)
    message.tree.evaluateInstances()
  }

  @inline(__always)
  private func isInTime(_ request: Message, _ message: Message, _ answer: RuntimeAnswer) -> Bool {
    guard let within = answer.within else { return true }
    return message.begin.subtractingReportingOverflow(request.end).partialValue <= within
  }

  private func close(_ request: Message, by message: Message) {
    message.replyTo = request.frames.last
    message.latency = message.end &- request.end
    request.isAnswered = true
  }

  /// How long the message that an `expect` layer waits for will be, from the oldest open request; nil where there is none.
  func expected(_ layer: LayerState, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime) -> Int? {
    guard let expression = layer.expression else { return nil }
    for (place, answer) in pipeline.source.answers.enumerated() {
      guard let slot = unsafe slot(place, answer, pipeline, link, runtime) else { continue }
      let requests = unsafe slot.takeUnretainedValue().requests
      for place in unsafe requests.indices {
        unsafe requests[place]._withUnsafeGuaranteedRef { runtime.setRequest($0) }
        if let length = runtime.integer(expression), length > 0 { return length }
      }
    }
    return nil
  }
}

/// Messages that an engine lends until its next call.
@safe public struct MessageList: RandomAccessCollection {
  private let list: [Unmanaged<Message>]

  init(_ list: [Unmanaged<Message>]) { unsafe self.list = unsafe list }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// Number of messages.
  public var endIndex: Int { unsafe list.count }
  /// The message at `position`.
  public subscript(position: Int) -> Message { unsafe list[position].takeUnretainedValue() }
}

/// A device, as an engine knows it.
@safe final class Link {
  var number = 0
  var facts: PeerFacts
  var candidates: [ProfileSet.Candidate] = []
  var slots = LentTable<Slot>()
  /// What messages have set, by profile.
  var state: [ObjectIdentifier: [CompiledState.Initial]] = [:]
  /// Slots that read a kind of advertised data.
  var advertised: [UInt64: [Int]] = [:]
  /// Hashes of advertisements whose facts are known.
  var contents: [UInt64] = []

  init(_ facts: PeerFacts) { self.facts = facts }
}

/// A source of a profile on one link.
@safe final class Slot {
  let runtime: ProfileRuntime
  let sourceNumber: Int
  /// By direction.
  var pipelines = LentTable<Pipeline>(places: 5)
  /// Requests without an answer, oldest first; few, since devices answer one at a time.
  private(set) var requests: [Unmanaged<Message>] = unsafe []
  private static let mostRequests = 32

  init(_ runtime: ProfileRuntime, _ source: Int) {
    self.runtime = runtime
    sourceNumber = source
    unsafe requests.reserveCapacity(Self.mostRequests + 1)
  }

  deinit { unsafe requests.forEach { unsafe runtime.give($0) } }

  @inline(__always)
  func pipeline(_ direction: Direction, _ slot: Int) -> Unmanaged<Pipeline>? {
    unsafe pipelines[Int(direction.rawValue)] ?? makePipeline(direction, slot)
  }

  @inline(never)
  private func makePipeline(_ direction: Direction, _ slot: Int) -> Unmanaged<Pipeline>? {
    let place = Int(direction.rawValue)
    let rules = runtime.profile.sources[sourceNumber].directions[place]
    guard rules.carries else { return nil }
    pipelines.set(place, Pipeline(rules, sourceNumber: sourceNumber, slot: slot, way: direction, runtime))
    return unsafe pipelines[place]
  }

  func open(_ request: Message) {
    if unsafe requests.count >= Self.mostRequests { unsafe runtime.retire(requests.removeFirst()) }
    unsafe requests.append(Unmanaged.passUnretained(request))
  }

  func close(_ place: Int) { unsafe runtime.retire(requests.remove(at: place)) }
}

extension ProfileEngine {
  /// Feeds a whole message, without the layers before the body. Returns how many messages it completed: one.
  @discardableResult
  public func feed(
    payload: UnsafeRawBufferPointer, _ number: Int, _ slot: Int, _ direction: Direction, frame: Int, time: Int64
  ) -> Int {
    unsafe feed(number, slot, direction, payload, frame: frame, time: time, skipsLayers: true)
  }
}
