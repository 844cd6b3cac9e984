import KaitaiStruct
import Memory
import PacketCodecs

/// The properties of a profile's message that the engine reads for each received message, without retain and release.
@safe struct RuntimeMessage {
  /// The type of its body; -1 where it has none.
  let type: Int32
  let needsRequest: Bool
  /// The number of its body's format, where expressions look into it; -1 for others.
  let format: Int32
  let hasSets: Bool
  /// Whether it may contain JSON, CBOR or protobuf, which can be malformed by itself.
  let hasInner: Bool
  /// Whether instances in it are checked.
  let judges: Bool
  /// Reads its body without a tree; nil where a tree is needed.
  let flat: Unretained<FlatReader>?
  /// Reads the fields in its line in words, where these are fewer; nil for others.
  let templateReader: Unretained<FlatReader>?
  /// Its body depends on its bytes only, so that any thread may read it.
  var isReadAnywhere: Bool { flat != nil && !hasInner }

  init(_ message: CompiledMessage, _ flat: FlatReader?, _ templateReader: FlatReader?, hasInner: Bool, judges: Bool) {
    self.hasInner = hasInner
    self.judges = judges
    self.flat = flat.map(Unretained.init)
    self.templateReader = templateReader.map(Unretained.init)
    if case .type(let type) = message.body { self.type = type.rawValue } else { type = -1 }
    needsRequest = message.needsRequest
    format = message.format
    hasSets = !message.set.isEmpty
  }
}

/// Which request a response belongs to, with the conditions by message in tables.
@safe final class RuntimeAnswer {
  let source: Int
  let staysOpen: Bool
  let within: Int64?
  /// By message: the expression, or one of the numbers below.
  private let conditions: Table<Int32>
  /// By message: the field, and the name of the request's field, that a condition compares where it does no more.
  private let equalities: Table<(field: Int32, name: Int32)>
  /// By message: the positions of the two numbers in a response and in a request, where they are fixed.
  private let responseNumbers, requestNumbers: Table<FixedNumber?>
  static let always: Int32 = -1
  static let never: Int32 = -2

  init(_ answer: CompiledAnswer, _ profile: CompiledProfile) {
    source = answer.source
    staysOpen = answer.staysOpen
    within = answer.within
    ignoresRequest = answer.conditions.allSatisfy { if case .when = $0 { false } else { true } }
    let count = answer.conditions.count
    var conditions = [Int32](repeating: Self.always, count: count)
    var equalities = [(field: Int32, name: Int32)](repeating: (-1, -1), count: count)
    var (responseNumbers, requestNumbers) = ([FixedNumber?](repeating: nil, count: count), [FixedNumber?](repeating: nil, count: count))
    var requestName: Int32 = -1
    for (index, condition) in answer.conditions.enumerated() {
      switch condition {
      case .always: break
      case .never: conditions[index] = Self.never
      case .when(let expression):
        conditions[index] = expression.rawValue
        guard case .type(let type) = profile.messages[index].body,
          let (slot, name) = profile.program.equality(expression, with: profile.externals.request)
        else { continue }
        let field = profile.program.fields(of: type)[Int(slot)]
        equalities[index] = (field.rawValue, name.rawValue)
        responseNumbers[index] = profile.program.fixedNumber(field)
        // All responses share the text of the condition, so that they name the same field of the request.
        guard name.rawValue != requestName else { continue }
        requestName = name.rawValue
        for (request, message) in profile.messages.enumerated() {
          guard case .type(let type) = message.body, let field = profile.program.field(name, of: type) else { continue }
          requestNumbers[request] = profile.program.fixedNumber(field)
        }
      }
    }
    self.conditions = Table(conditions)
    self.equalities = Table(equalities)
    self.responseNumbers = Table(responseNumbers)
    self.requestNumbers = Table(requestNumbers)
  }

  deinit {
    conditions.deallocate()
    equalities.deallocate()
    responseNumbers.deallocate()
    requestNumbers.deallocate()
  }

  /// Whether the numbers that the condition compares have fixed positions in a response, or in a request.
  func hasFixed(answer: Int) -> Bool { responseNumbers[answer] != nil || conditions[answer] < 0 }
  func hasFixed(request: Int) -> Bool { requestNumbers[request] != nil || ignoresRequest }
  /// No condition reads the request.
  private let ignoresRequest: Bool

  /// Whether a message responds to a request, where the condition only compares a field of each, and both were read without a tree or have
  /// these fields at fixed positions; nil where an expression has to be evaluated.
  @inline(__always)
  func isEqual(_ message: ProfileMessage, _ request: ProfileMessage) -> Bool? {
    if request.messageNumber >= 0, let responseNumber = responseNumbers[message.messageNumber],
      let requestNumber = requestNumbers[request.messageNumber],
      let number = responseNumber.value(in: message.payload), let other = requestNumber.value(in: request.payload)
    {
      return number == other
    }
    let equality = equalities[message.messageNumber]
    guard equality.field >= 0, message.isFlat, request.isFlat, request.messageNumber >= 0,
      case let type = request.bodyTypes[request.messageNumber], type >= 0,
      let requestField = request.look.tree.field(Symbol(rawValue: equality.name), of: TypeID(rawValue: type)),
      let own = message.record.first(FieldID(rawValue: equality.field))?.value.asInt,
      let other = request.record.first(requestField)?.value.asInt
    else { return nil }
    return own == other
  }

  @inline(__always) func condition(_ message: Int) -> Int32 { conditions[message] }
}

/// A source of a profile, with properties by message in tables.
final class RuntimeSource {
  let answers: [RuntimeAnswer]
  let hasResponses: Bool
  let isAnswered: Bool
  let directions: [RuntimeDirection]
  /// By message: whether all compared numbers have fixed positions in it as a response, and as a request; empty where nothing is compared.
  fileprivate(set) var comparesResponse: [Bool] = []
  fileprivate(set) var comparesRequest: [Bool] = []

  /// Whether a message need not be read to find its request, or its response.
  @inline(__always)
  func compares(_ message: Int, isResponse: Bool, isRequest: Bool) -> Bool {
    (!isResponse || comparesResponse.isEmpty || comparesResponse[message])
      && (!isRequest || comparesRequest.isEmpty || comparesRequest[message])
  }

  init(_ source: CompiledSource, _ profile: CompiledProfile) {
    answers = source.answers.map { RuntimeAnswer($0, profile) }
    hasResponses = !source.answers.isEmpty
    isAnswered = source.isAnswered
    directions = source.directions.map { RuntimeDirection($0, profile) }
  }
}

/// The messages that a source carries in one direction.
@safe final class RuntimeDirection {
  /// The only message, where there is no choice; -1 for others.
  let only: Int
  let choices: Table<Choice>
  private let comparisons: Table<BytesComparison>
  /// Whether a condition of an alternative reads the request, and the number of alternatives before the first of these.
  let readsRequest: Bool
  let alternativesBeforeRequest: Int

  /// An alternative.
  struct Choice {
    let message: Int
    /// Its condition; nil where it is always true.
    let when: ExpressionID?
    /// The comparisons that the condition consists of; empty where it has to be evaluated.
    fileprivate let comparisons: Range<Int>
  }

  init(_ direction: CompiledDirection, _ profile: CompiledProfile) {
    readsRequest = direction.readsRequest
    alternativesBeforeRequest = direction.alternatives.firstIndex(where: \.readsRequest) ?? direction.alternatives.count
    only = direction.alternatives.count == 1 && direction.alternatives[0].when == nil ? direction.alternatives[0].message : -1
    var comparisons: [BytesComparison] = []
    choices = Table(
      direction.alternatives.map { alternative in
        let first = comparisons.count
        if let when = alternative.when { comparisons += profile.program.comparisons(when, of: profile.externals.payload) ?? [] }
        return Choice(message: alternative.message, when: alternative.when, comparisons: first..<comparisons.count)
      })
    self.comparisons = Table(comparisons)
  }

  deinit {
    choices.deallocate()
    comparisons.deallocate()
  }

  /// Whether the condition of an alternative is true; nil where it has to be evaluated.
  @inline(__always)
  func holds(_ index: Int, _ payload: BorrowedBytes) -> Bool? {
    let range = choices[index].comparisons
    if range.isEmpty { return nil }
    for comparison in range where !comparisons[comparison].holds(payload) { return false }
    return true
  }
}

/// The state of a profile in one engine: the memory that its expressions and messages reuse.
@safe final class ProfileRuntime {
  let profile: CompiledProfile
  private let messageInfo: Table<RuntimeMessage>
  /// By message: the type of its body, or -1.
  let bodyTypes: Table<Int32>
  /// The link whose state and device the expressions see.
  private(set) var current: Link?
  /// Size of the current packet in bytes.
  var packetLength = 0

  let environment: KaitaiEnvironment
  private let externals: Externals
  private let sources: [RuntimeSource]
  private let header: KaitaiTree
  private var headerRoot: NodeID?
  private(set) var headerIsShort = false
  private(set) var headerLacks = 0
  /// All messages that were created; `free`: those that are not in use.
  private var made: [ProfileMessage] = []
  private var free: [Unretained<ProfileMessage>] = []
  /// The expressions of elements that are appended to lists of the state, by the expression of the complete list.
  private let appended: [Int32: ExpressionID]
  private let usesPacket: Bool
  /// Whether expressions read the header of a message's first packet.
  let usesHeader: Bool
  /// That header.
  private let messageHeader: KaitaiTree?
  private var headerCaches: [LayerState.Position: HeaderCache] = [:]

  /// A profile that is not built in shares `budget` with others. Its messages are counted in `pool`.
  init(_ profile: CompiledProfile, _ budget: StepBudget? = nil, isBuiltin: Bool = false, _ pool: MessagePool = MessagePool()) {
    self.profile = profile
    self.pool = pool
    self.budget = budget ?? StepBudget(isBuiltin: isBuiltin)
    isReadAnywhere = budget == nil
    let messages = profile.messages.enumerated().map { index, message in
      RuntimeMessage(
        message, profile.flatReaders[index], profile.templateReaders[index], hasInner: profile.hasInner[index],
        judges: profile.judges[index]
      )
    }
    messageInfo = Table(messages)
    bodyTypes = Table(messages.map(\.type))
    let sources = profile.sources.map { RuntimeSource($0, profile) }
    let answersByRequest = Dictionary(grouping: sources.flatMap(\.answers), by: \.source)
    for (number, source) in sources.enumerated() {
      source.comparesResponse = Self.messages(of: profile, that: source.answers) { $0.hasFixed(answer: $1) }
      source.comparesRequest = Self.messages(of: profile, that: answersByRequest[number] ?? []) { $0.hasFixed(request: $1) }
    }
    self.sources = sources
    environment = KaitaiEnvironment(profile.program)
    header = KaitaiTree(profile.program, limits: .header)
    externals = profile.externals
    var appended: [Int32: ExpressionID] = [:]
    for set in profile.messages.lazy.flatMap(\.set) {
      guard case .list = profile.state[set.state].initial else { continue }
      appended[set.value.rawValue] = profile.program.appended(set.value, to: profile.state[set.state].external)
    }
    self.appended = appended
    usesPacket = profile.usesPacket
    usesHeader = profile.usesHeader
    messageHeader = profile.usesHeader ? KaitaiTree(profile.program, limits: .message) : nil
    if profile.usesBodies {
      environment.bodies = BodyLookup(profile)
    }
    // This sets the environment of the header's tree for later calls.
    header.parse(borrowing: BorrowedBytes(), as: TypeID(rawValue: 0), environment: environment)
  }

  deinit {
    messageInfo.deallocate()
    bodyTypes.deallocate()
  }

  /// By message: whether `isSo` is true for all of `answers`; empty where there are none.
  private static func messages(
    of profile: CompiledProfile, that answers: [RuntimeAnswer], _ isSo: (RuntimeAnswer, Int) -> Bool
  ) -> [Bool] {
    answers.isEmpty ? [] : profile.messages.indices.map { message in answers.allSatisfy { isSo($0, message) } }
  }

  func source(_ number: Int) -> RuntimeSource { sources[number] }
  func direction(_ source: Int, _ valueDirection: ValueDirection) -> RuntimeDirection {
    sources[source].directions[Int(valueDirection.rawValue)]
  }
  @inline(__always) func message(_ number: Int) -> RuntimeMessage { messageInfo[number] }

  // MARK: Steps

  let budget: StepBudget
  @inline(__always) var isExhausted: Bool { budget.isExhausted }
  /// Its messages may be read on another thread, which does not count steps.
  let isReadAnywhere: Bool
  /// It was reported that the profile has no steps left.
  var isReported = false
  /// Steps of the trees of headers that were counted.
  private var headerSteps = 0

  /// Subtracts steps from the budget.
  @inline(__always)
  func spend(_ count: Int) { budget.spend(count) }

  /// Subtracts the steps of headers and conditions since the last call.
  @inline(__always)
  func spendOnHeaders() {
    let used = header.usedSteps &+ (messageHeader?.usedSteps ?? 0)
    budget.spend(used &- headerSteps)
    headerSteps = used
  }

  // MARK: Messages

  private let pool: MessagePool

  func take() -> ProfileMessage {
    guard let known = free.popLast() else {
      let message = ProfileMessage(profile, self, pool.output)
      message.madeNumber = made.count
      made.append(message)
      return message
    }
    let message = known.object
    pool.remove(message)
    message.reset()
    return message
  }

  /// Takes back a message that is not in use any more.
  @inline(__always)
  func give(_ message: Unretained<ProfileMessage>) {
    if message.with({ pool.add($0, free.count) }) { return free.append(message) }
    // Steps of a message that is used again are counted then.
    spend(message.with { $0.takeTreeSteps() })
    drop(message.object.madeNumber)
  }

  private func drop(_ number: Int) {
    let last = made.removeLast()
    guard number < made.count else { return }
    last.madeNumber = number
    made[number] = last
  }

  /// Number of requests of all its sources on all links without a response so far.
  var openRequests = 0

  /// Closes a request; its message is reused when it is not in use any more.
  func retire(_ request: Unretained<ProfileMessage>) {
    request.with { $0.isRequest = false }
    pool.wait(request)
  }

  // MARK: The device and its state

  /// Releases the current link: link and runtime would retain each other.
  func leave() { current = nil }

  func enter(_ link: Link) {
    current = link
    guard profile.keepsDevices || !profile.keys.isEmpty else { return }
    if let name = link.facts.name { environment.set(externals.deviceName, text: name) } else { environment.clear(externals.deviceName) }
    if let address = link.facts.address {
      environment.set(externals.deviceAddress, text: address)
    } else {
      environment.clear(externals.deviceAddress)
    }
    externals.set(mac: link.facts.address, environment)
    guard let state = link.state[ObjectIdentifier(profile)] else { return }
    for value in state { spend(value.steps) }
    for (index, value) in state.enumerated() { value.put(profile.state[index].external, environment) }
  }

  /// Applies the state changes of a message to its link. Values that cannot be computed are not changed.
  func set(_ message: ProfileMessage, _ link: Link) {
    let format = self.message(message.messageNumber).format
    // Expressions over a body of an embedded format read the payload.
    if format >= 0 { environment.set(externals.payload, bytes: message.payload) }
    for set in profile.messages[message.messageNumber].set {
      if format >= 0 { self.set(set, header, nil, link) } else { self.set(set, message.tree, message.root, link) }
    }
  }

  /// Applies the state changes of a packet's header.
  func setFromHeader(_ sets: [CompiledSet], _ link: Link) {
    guard let root = headerRoot else { return }
    for set in sets { self.set(set, header, root, link) }
  }

  private func set(_ set: CompiledSet, _ tree: KaitaiTree, _ root: NodeID?, _ link: Link) {
    if !appended.isEmpty, let more = appended[set.value.rawValue], append(more, to: set.state, tree, root, link) { return }
    guard let known = link.state[ObjectIdentifier(profile)]?[set.state], let new = known.changed(by: set, tree, root, environment.bodies),
      link.addState(new.byteCount - known.byteCount, budget)
    else { return }
    spend(new.steps)
    link.state[ObjectIdentifier(profile)]?[set.state] = new
    new.put(profile.state[set.state].external, environment)
  }

  /// Appends the result of an expression to a list of the state, in place. Returns false where that is impossible.
  private func append(_ more: ExpressionID, to index: Int, _ tree: KaitaiTree, _ root: NodeID?, _ link: Link) -> Bool {
    let key = ObjectIdentifier(profile)
    guard let value = try? tree.evaluate(more, at: root),
      case .list(let elements)? = CompiledState.Value.list(value, tree, environment.bodies),
      let (surplus, bytes) = link.state[key]?[index].room(for: elements)
    else { return false }
    guard link.addState(bytes, budget) else { return true }
    link.state[key]?[index].append(elements, instead: surplus)
    guard let new = link.state[key]?[index] else { return true }
    spend(new.steps)
    new.put(profile.state[index].external, environment)
    return true
  }

  // MARK: Headers

  /// Upper bound of a stream's header in bytes: the header is read again as more bytes arrive, and at each byte behind damage.
  static let longestHeader = 4096

  /// Reads a header at the start of `bytes`. Returns its size in bytes, or nil where it is incomplete.
  func readHeader(_ type: TypeID, _ bytes: BorrowedBytes, index: Int64) -> Int? {
    if usesPacket {
      environment.set(externals.packetLength, int: Int64(packetLength))
      environment.set(externals.packetIndex, int: index)
    }
    headerRoot = nil
    if let failure = header.parse(borrowing: bytes, as: type, environment: environment) {
      headerIsShort = failure.kind == .endOfStream
      headerLacks = Int(clamping: failure.needed &- failure.available)
      return nil
    }
    headerRoot = header.root
    onHeader?(header)
    return Int(header.node(header.root).end)
  }

  func headerFlag(_ expression: ExpressionID) -> Bool? {
    guard let value = try? header.evaluate(expression, at: headerRoot) else { return nil }
    return value.asBool
  }

  func headerInteger(_ expression: ExpressionID) -> Int? {
    guard let value = try? header.evaluate(expression, at: headerRoot) else { return nil }
    if let whole = value.asInt { return Int(whole) }
    guard let number = value.asDouble, number.isFinite, abs(number) < 1e15 else { return nil }
    return Int(number)
  }

  /// Sets `_header` to the header at the start of `bytes`, or clears it where there is none.
  func setMessageHeader(_ type: TypeID?, _ bytes: BorrowedBytes) {
    guard let messageHeader else { return }
    guard let type, messageHeader.parse(type, bytes, environment: environment) == nil else {
      return environment.clear(externals.header)
    }
    environment.set(externals.header, node: messageHeader.root, of: messageHeader)
  }

  /// Sets `_parts` to the sizes in bytes of the parts that a record was assembled from.
  func setParts(_ pieces: Span<MessagePiece>) {
    var counts: [StateElement] = []
    for index in pieces.indices { counts.append(.int(Int64(pieces[index].count))) }
    environment.set(externals.parts, body: CompiledState.Value.body(of: counts), format: 0)
  }

  // MARK: Bodies

  /// Chooses the message of a payload; nil where none matches.
  @inline(__always)
  func choose(_ direction: RuntimeDirection, _ payload: BorrowedBytes) -> Int? {
    direction.only >= 0 ? direction.only : choose(direction, payload, of: direction.choices.indices)
  }

  /// Chooses the message of a payload among some alternatives.
  func choose(_ direction: RuntimeDirection, _ payload: BorrowedBytes, of indices: Range<Int>) -> Int? {
    var isSet = false
    for index in indices {
      spend(1)
      guard let when = direction.choices[index].when else { return direction.choices[index].message }
      // Later expressions may read the payload, too.
      if !isSet { environment.set(externals.payload, bytes: payload) }
      isSet = true
      if let holds = direction.holds(index, payload) {
        if holds { return direction.choices[index].message }
      } else if let value = try? header.evaluate(when), value.asBool == true {
        return direction.choices[index].message
      }
    }
    return nil
  }

  /// Reads a message's body. Returns the reason why it ended early, or nil.
  func parse(_ type: TypeID, _ message: ProfileMessage) -> Failure? {
    if profile.typesUsePayload { environment.set(externals.payload, bytes: message.payload) }
    if usesPacket { environment.set(externals.packetLength, int: Int64(packetLength)) }
    let failure = message.tree.parse(borrowing: message.payload, as: type, environment: environment)
    message.root = message.tree.root
    return failure
  }

  /// Makes the tree of a message that was read without one, as an expression needs it.
  private func makeTree(_ message: ProfileMessage) {
    guard message.isFlat || message.isUnread, message.root == nil, message.messageNumber >= 0 else { return }
    _ = parse(TypeID(rawValue: self.message(message.messageNumber).type), message)
    spend(max(0, message.takeSteps()))
  }

  /// Sets `_request` to a message, or clears it.
  func setRequest(_ request: ProfileMessage?) {
    if let request { makeTree(request) }
    environment.set(externals.hasRequest, bool: request != nil)
    if let request, request.messageNumber >= 0, message(request.messageNumber).format >= 0 {
      environment.set(externals.request, body: request.payload, format: message(request.messageNumber).format)
    } else if let request, let root = request.root {
      environment.set(externals.request, node: root, of: request.tree)
    } else {
      environment.clear(externals.request)
    }
  }

  /// Frees the tree of a large request. `_request`, which may refer to this tree, is absent until it is set again.
  func forget(request: ProfileMessage) {
    if request.forgetLargeBody() { setRequest(nil) }
  }

  /// Sets `_request` of another environment to a message of this profile.
  func setRequest(_ request: ProfileMessage, in environment: KaitaiEnvironment) {
    makeTree(request)
    environment.set(externals.hasRequest, bool: true)
    if request.messageNumber >= 0, message(request.messageNumber).format >= 0 {
      environment.set(externals.request, body: request.payload, format: message(request.messageNumber).format)
    } else if let root = request.root {
      environment.set(externals.request, node: root, of: request.tree)
    }
  }

  func isTrue(_ expression: ExpressionID, _ message: ProfileMessage) -> Bool {
    makeTree(message)
    do throws(Failure) {
      if message.messageNumber >= 0, self.message(message.messageNumber).format >= 0 {
        environment.set(externals.payload, bytes: message.payload)
        return try header.evaluate(expression).asBool ?? false
      }
      guard let root = message.root else { return false }
      return try message.tree.evaluate(expression, at: root).asBool ?? false
    } catch {
      onFailure?(error)
      return false
    }
  }

  /// Called with each header that is read. Headers from the cache are not read again.
  var onHeader: ((KaitaiTree) -> Void)?

  /// Called with the reason why a condition of "answers" cannot be evaluated; the condition is false then.
  var onFailure: ((Failure) -> Void)?

  /// Whether an expression over a payload is true.
  func isTrue(_ expression: ExpressionID, _ payload: BorrowedBytes) -> Bool {
    environment.set(externals.payload, bytes: payload)
    guard let value = try? header.evaluate(expression) else { return false }
    return value.asBool ?? false
  }

  /// The integer result of an expression over a payload.
  func integer(_ expression: ExpressionID, _ payload: BorrowedBytes) -> Int? {
    environment.set(externals.payload, bytes: payload)
    return integer(expression)
  }

  /// The result of an expression over a payload, if it is an integer that is not negative.
  func unsigned(_ expression: ExpressionID, _ payload: BorrowedBytes) -> UInt64? {
    environment.set(externals.payload, bytes: payload)
    return (try? header.evaluate(expression))?.asUInt
  }

  func integer(_ expression: ExpressionID) -> Int? {
    guard let value = try? header.evaluate(expression), let whole = value.asInt else { return nil }
    return Int(whole)
  }

  /// The cached meanings of a layer's headers: links share them, as they depend on the header's bytes only.
  func headerCache(of layer: LayerState.Position) -> HeaderCache? {
    if let cache = headerCaches[layer] { return cache }
    guard isReadAnywhere || budget.addHeaderCache() else { return nil }
    let cache = HeaderCache()
    headerCaches[layer] = cache
    return cache
  }

  /// The decryptor of a layer.
  func decryptor(_ rules: CompiledDecryption) -> Decryptor { Decryptor(rules, profile, environment, header) }

  /// XORs `bytes` from an offset on with the result of an expression: a number is one byte, bytes are repeated.
  func scramble(_ bytes: BorrowedBytes, _ key: ExpressionID, from: Int, into output: inout [UInt8]) {
    environment.set(externals.payload, bytes: bytes)
    let start = min(from, bytes.count)
    output.append(contentsOf: bytes[0..<start])
    guard let value = try? header.evaluate(key) else {
      output.append(contentsOf: bytes[start...])
      return
    }
    let rest = bytes.from(start)
    if let number = value.asInt {
      ByteEscape.scrambled(key: [UInt8(truncatingIfNeeded: number)]).decode(rest.span, into: &output)
    } else {
      let mask = header.withBytes(of: value) { Array($0) }
      ByteEscape.scrambled(key: mask).decode(rest.span, into: &output)
    }
  }
}

extension CompiledState.Value {
  /// Steps for copying it.
  fileprivate var steps: Int { 4 + byteCount / 32 }

  /// Bytes beside the value itself.
  fileprivate var byteCount: Int {
    switch self {
    case .none: 0
    case .single(let element): element.contentCount
    case .table(let entries, _): 32 * entries.count
    case .list(let elements): elements.reduce(0) { $0 + $1.byteCount }
    }
  }

  /// Number of a list's first elements that appending removes, and number of bytes that it adds; nil where the value is no list.
  fileprivate func room(for more: [StateElement]) -> (surplus: Int, bytes: Int)? {
    guard case .list(let elements) = self else { return nil }
    let surplus = max(0, min(elements.count, elements.count + more.count - Self.maxElements))
    return (surplus, more.reduce(0) { $0 + $1.byteCount } - elements[..<surplus].reduce(0) { $0 + $1.byteCount })
  }

  /// Appends elements to a list, and removes its first `surplus` ones.
  fileprivate mutating func append(_ more: [StateElement], instead surplus: Int) {
    guard case .list(var elements) = self else { return }
    // The list is uniquely referenced now, so that it is not copied.
    self = .none
    elements.removeFirst(surplus)
    elements += more
    self = .list(elements)
  }

  /// The new value of the state; nil where it is not changed, as an expression cannot be computed.
  func changed(by set: CompiledSet, _ tree: KaitaiTree, _ root: NodeID?, _ bodies: (any BodyReader)?) -> Self? {
    guard let value = try? tree.evaluate(set.value, at: root) else { return nil }
    if case .list = self { return .list(value, tree, bodies) }
    if case .table(var entries, let absent) = self {
      guard let key = set.key, let entryKey = (try? tree.evaluate(key, at: root))?.asInt, let number = value.asInt,
        entries[entryKey] != nil || entries.count < Self.maxEntries
      else { return nil }
      entries[entryKey] = number
      return .table(entries, absent: absent)
    }
    guard value.kind == .string || value.kind == .bytes else { return StateElement(value, tree).map(Self.single) }
    return tree.withBytes(of: value) { bytes in
      // Bounded, as each device has a state, and a message may set all variables.
      guard bytes.count <= ProfileBounds.maxStateBytes else { return Self.none }
      return .single(value.kind == .string ? .text(String(decoding: bytes, as: UTF8.self)) : .bytes(Array(bytes)))
    }
  }

  /// Sets an external name to the value.
  func put(_ external: ExternalID, _ environment: KaitaiEnvironment) {
    switch self {
    case .none: environment.clear(external)
    case .single(.int(let number)): environment.set(external, int: number)
    case .single(.uint(let number)): environment.set(external, uint: number)
    case .single(.float(let number)): environment.set(external, float: number)
    case .single(.bool(let truth)): environment.set(external, bool: truth)
    case .single(.text(let text)): environment.set(external, text: text)
    case .single(.bytes(let bytes)): environment.set(external, bytes: bytes)
    case .table(let entries, let absent): environment.set(external, table: entries, absent: absent)
    case .list(let elements): environment.set(external, body: Self.body(of: elements), format: 0)
    }
  }
}
