import KaitaiStruct
import Memory
import PacketCodecs

/// Bytes that pass through the layers of one source and direction, with the results of the layers.
@safe struct FramedBytes {
  var bytes: BorrowedBytes
  /// Frames of the packets the bytes came from.
  var tags: UnsafeBufferPointer<UInt64>
  var begin: Int64
  var end: Int64
  var isComplete = true
  var isUnjoined = false
  /// Several messages were merged into it: its body needs to know their lengths.
  var isMerged = false
  var checksum = ProfileMessage.Checksum.none
  /// The byte order in which a wrong checksum would be right.
  var fittingOrder: ByteOrder?
  var decryption = DecryptionStatus.none
  var problems: UnsafeBufferPointer<ReassemblyProblem>
  var surplus = 0
  var problem: StaticString?

  /// A unit without bytes.
  static var empty: FramedBytes {
    unsafe FramedBytes(
      bytes: BorrowedBytes(), tags: UnsafeBufferPointer(start: nil, count: 0), begin: 0, end: 0,
      problems: UnsafeBufferPointer(start: nil, count: 0))
  }
}

/// Results of earlier layers for packets whose bytes a later layer keeps until it has the complete message.
struct LayerResults {
  var checksum = ProfileMessage.Checksum.none
  var fittingOrder: ByteOrder?
  var isComplete = true
  var decryption = DecryptionStatus.none
  var problem: StaticString?
  /// The first problems of earlier layers when they joined packets.
  var problems: [ReassemblyProblem] = []
  var surplus = 0
  private static let maxProblems = 16

  /// Adds the results for one more packet.
  mutating func add(_ unit: FramedBytes) {
    for index in unsafe unit.problems.indices where problems.count < Self.maxProblems {
      let problem = unsafe unit.problems[index]
      if !problems.contains(problem) { problems.append(problem) }
    }
    surplus &+= unit.surplus
    if unit.checksum == .bad || checksum == .none { checksum = unit.checksum }
    fittingOrder = fittingOrder ?? unit.fittingOrder
    isComplete = isComplete && unit.isComplete
    if decryption == .none { decryption = unit.decryption }
    problem = problem ?? unit.problem
  }
}

/// Caches the meaning of headers of up to eight bytes.
@safe final class HeaderCache {
  struct Entry {
    var bytes: UInt64 = 0
    /// Number of bytes of the header; 0: the entry is empty.
    var size = 0
    var role = FragmentRole()
  }
  private static let count = 256
  /// One half is indexed by the first byte, and the other half, for longer headers, by a hash of the first two.
  private let entries = GrowingTable(repeating: Entry(), capacity: 2 * HeaderCache.count)

  deinit { entries.deallocate() }

  /// The first `size` bytes as a number.
  @inline(__always)
  private func key(_ bytes: BorrowedBytes, _ size: Int) -> UInt64 {
    var key: UInt64 = 0
    for index in 0..<size { key = key << 8 | UInt64(bytes[index]) }
    return key
  }

  /// The entry of the header that these bytes begin with; nil where it is not cached.
  @inline(__always)
  func find(_ bytes: BorrowedBytes) -> GrowingTable<Entry>.Entry? {
    guard bytes.count > 0 else { return nil }
    var entry = entries.entry(Int(bytes[0]))
    if entry.pointee.size > 1, bytes.count > 1 { entry = entries.entry(Self.slot(bytes)) }
    let size = entry.pointee.size
    guard size > 0, size <= bytes.count, key(bytes, size) == entry.pointee.bytes else { return nil }
    return entry
  }

  @inline(__always)
  private static func slot(_ bytes: BorrowedBytes) -> Int {
    count &+ Int((bytes[0] &* 31) ^ bytes[1])
  }

  func keep(_ bytes: BorrowedBytes, size: Int, _ role: FragmentRole) {
    guard size > 0, size <= 8, size <= bytes.count else { return }
    let entry = Entry(bytes: key(bytes, size), size: size, role: role)
    entries[Int(bytes[0])] = entry
    if size > 1 { entries[Self.slot(bytes)] = entry }
  }
}

/// One layer of a pipeline, with its state.
@safe final class LayerState {
  enum Kind { case strip, unescape, scramble, fragments, stream, expect, check, checkPackets, slice, drop, decrypt }

  let kind: Kind
  // The rules, copied out of the enum so that using them per packet needs no retain.
  let strip: StripDefinition?
  let escape: ByteEscape?
  let checksum: PacketCodecs.Checksum?
  let expression: ExpressionID?
  let from: Int
  let to: Int?
  /// The value that a checksum must have; the end of a slice.
  let second: ExpressionID?
  let set: [CompiledSet]
  let hasSet: Bool
  let header: TypeID?
  let decryptor: Decryptor?
  let first, last, more, total, countOf, index, counter, offset, payloadTo: ExpressionID?

  /// Meanings of known headers; nil where the meaning of a header depends on more than its bytes.
  let headers: HeaderCache?

  // The state.
  /// Results of earlier layers for packets whose bytes are still kept here, such as a wrong checksum, or an invalid escape.
  var kept = LayerResults()
  /// Whether ``kept`` is empty, without copying it.
  @inline(__always)
  fileprivate var keepsNothing: Bool {
    kept.checksum == .none && kept.isComplete && kept.problem == nil && kept.decryption == .none && kept.problems.isEmpty
      && kept.surplus == 0
  }
  var fragments: FragmentReassembler
  /// Used instead of ``fragments`` where packets have the offsets of their bytes.
  var overlay: OverlayReassembler?
  var framer: StreamFramer
  var scratch: [UInt8] = []
  /// The current packet from its header on, while it is pushed.
  var packet = BorrowedBytes()
  /// The packets of the open message with their headers, where a later layer checks them.
  var wholePackets: [UInt8] = []
  fileprivate(set) var keepsPackets = false
  /// The header of the open message's first packet, where expressions read it.
  var firstHeader: [UInt8] = []
  var packets: Int64 = 0
  /// The frames of units that were themselves joined from several packets, by the tag under which this layer keeps them.
  var manyTags: [UInt64: [UInt64]] = [:] {
    didSet {
      hasManyTags = !manyTags.isEmpty
      if !joined.tags.isEmpty { joined = ([], []) }
    }
  }
  private(set) var hasManyTags = false
  /// Number of frames stored in ``manyTags`` since it was empty, and its upper bound.
  private var frameCount = 0
  private static let maxFrames = 1 << 17

  fileprivate func forgetTags() {
    frameCount = 0
    if hasManyTags { manyTags.removeAll(keepingCapacity: true) }
  }

  /// Stores the frames of a unit. Where there are too many, earlier units are represented by their last frame.
  fileprivate func keep(tags: UnsafeBufferPointer<UInt64>, of tag: UInt64) {
    if let known = manyTags[tag], unsafe tags.elementsEqual(known) { return }
    if frameCount + tags.count > Self.maxFrames { forgetTags() }
    frameCount += tags.count
    manyTags[tag] = unsafe Array(tags)
  }
  /// The tags of the last message and their frames, cached as many messages may have the same.
  private var joined: (tags: [UInt64], frames: [UInt64]) = ([], [])

  /// The frames that the tags of a message represent.
  fileprivate func frames(_ tags: UnsafeBufferPointer<UInt64>) -> [UInt64] {
    if unsafe joined.tags.isEmpty || !tags.elementsEqual(joined.tags) {
      joined = unsafe (Array(tags), tags.flatMap { manyTags[$0] ?? [$0] })
    }
    return joined.frames
  }
  /// For "merge": the expression that identifies a part's record, the open records other than that in ``fragments``, and the key of that one.
  let isMerge: Bool
  let key: ExpressionID?
  private var others: [OpenRecord] = []
  private var currentKey = 0
  /// Upper bound of open records.
  private static let maxRecords = 16
  /// What earlier layers decoded of the packets whose bytes are still kept here, and of the current packet; see ``ProfileEngine/keepsLayerTrace``.
  var keptTrace = LayerTrace()
  var trace = LayerTrace()
  /// Number of bytes that are kept for all open messages.
  var heldBytes: Int { (overlay?.pendingBytes ?? fragments.pendingBytes) + others.reduce(0) { $0 + $1.fragments.pendingBytes } }
  /// Whether a message is open.
  var isOpen: Bool { overlay?.isOpen ?? fragments.isOpen }

  /// The arguments of the current call. They are kept here so that the closure given to the reassembler captures only the layer and needs no
  /// allocation.
  @safe struct Call {
    let unit: FramedBytes
    let next: Int
    let pipeline: Unretained<Pipeline>
    let link: Unretained<Link>
    let runtime: Unretained<ProfileRuntime>
    let engine: Unretained<ProfileEngine>

    init(_ unit: FramedBytes, _ next: Int, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime, _ engine: ProfileEngine) {
      self.unit = unit
      self.next = next
      self.pipeline = Unretained(pipeline)
      self.link = Unretained(link)
      self.runtime = Unretained(runtime)
      self.engine = Unretained(engine)
    }
  }
  var call: Call?

  /// Passes a joined message on to the next layer, during the call that completed it.
  func deliver(_ piece: Reassembled) {
    guard let call else { return }
    call.engine.with { engine in
      call.pipeline.with { pipeline in
        call.link.with { link in
          call.runtime.with { runtime in
            engine.deliver(piece, call.unit, self, pipeline, next: call.next, link, runtime)
          }
        }
      }
    }
  }

  /// An incomplete record, while a part of another one is the current packet.
  private struct OpenRecord {
    var key: Int
    var fragments: FragmentReassembler
    var kept: LayerResults
    var firstHeader: [UInt8]
    var manyTags: [UInt64: [UInt64]]
  }

  /// Makes the record with a key the current one. Where too many are open, the one that has waited longest ends.
  func select(_ key: Int) {
    guard key != currentKey else { return }
    keepCurrent()
    currentKey = key
    if let index = others.firstIndex(where: { $0.key == key }) {
      take(others.remove(at: index))
    } else {
      if others.count >= Self.maxRecords {
        take(others.removeFirst())
        fragments.finish { deliver($0) }
      }
      take(OpenRecord(key: key, fragments: FragmentReassembler(fragments.rules), kept: LayerResults(), firstHeader: [], manyTags: [:]))
    }
  }

  /// Moves the current record to the others, if it is open.
  private func keepCurrent() {
    guard fragments.isOpen else { return }
    others.append(OpenRecord(key: currentKey, fragments: fragments, kept: kept, firstHeader: firstHeader, manyTags: manyTags))
  }

  private func take(_ record: OpenRecord) {
    currentKey = record.key
    fragments = record.fragments
    kept = record.kept
    firstHeader = record.firstHeader
    manyTags = record.manyTags
  }

  /// Ends the records that have waited longer than the layer allows at `now`, or all of them where it is nil: the oldest first.
  func endRecords(now: Int64?) {
    keepCurrent()
    let records = others
    others.removeAll()
    for record in records {
      take(record)
      if let now { fragments.flush(now: now) { deliver($0) } } else { fragments.finish { deliver($0) } }
      keepCurrent()
    }
    let last = others.popLast()
    take(last ?? OpenRecord(key: 0, fragments: FragmentReassembler(fragments.rules), kept: LayerResults(), firstHeader: [], manyTags: [:]))
  }

  /// The position of a layer in its profile.
  struct Position: Hashable {
    var source: Int
    var direction: ValueDirection
    /// Number of layers before it.
    var layer: Int
  }

  init(_ layer: CompiledLayer, at position: Position, _ runtime: ProfileRuntime) {
    var decryptor: Decryptor?
    var strip: StripDefinition?
    var escape: ByteEscape?
    var checksum: PacketCodecs.Checksum?
    var expression: ExpressionID?
    var second: ExpressionID?
    var from = 0
    var to: Int?
    var roles: CompiledFragments?
    var header: TypeID?
    var streamRules = StreamRules()
    switch layer {
    case .strip(let rules):
      kind = .strip
      strip = rules
    case .unescape(let rules):
      kind = .unescape
      escape = rules
    case .scramble(let key, let start):
      kind = .scramble
      expression = key
      from = start
    case .fragments(let rules):
      kind = .fragments
      roles = rules
      header = rules.header
      from = rules.payloadFrom ?? -1
    case .stream(let rules):
      kind = .stream
      header = rules.header
      expression = rules.length
      streamRules = rules.rules
    case .expect(let length):
      kind = .expect
      expression = length
    case .check(let rules, let when, let value, _):
      kind = .check
      checksum = rules
      expression = when
      second = value
    case .checkPackets(let rules, let when, _):
      kind = .checkPackets
      checksum = rules
      expression = when
    case .slice(let start, let end):
      kind = .slice
      from = start.number ?? 0
      to = end?.number
      if case .expression(let start) = start { expression = start }
      if case .expression(let end)? = end { second = end }
    case .drop(let when):
      kind = .drop
      expression = when
    case .decrypt(let rules):
      kind = .decrypt
      decryptor = runtime.decryptor(rules)
    }
    self.decryptor = decryptor
    self.strip = strip
    self.escape = escape
    self.checksum = checksum
    self.expression = expression
    self.second = second
    set = roles?.set ?? []
    hasSet = !set.isEmpty
    self.from = from
    self.to = to
    self.header = header
    first = roles?.first
    last = roles?.last
    more = roles?.more
    total = roles?.total
    countOf = roles?.count
    index = roles?.index
    counter = roles?.counter
    offset = roles?.offset
    isMerge = roles?.isMerge ?? false
    key = roles?.key
    overlay = roles?.offset.map { _ in
      OverlayReassembler(maximumBytes: roles?.rules.maximumBytes ?? 0, idle: roles?.rules.idle)
    }
    payloadTo = roles?.payloadTo
    headers = roles.flatMap { $0.isFixed && $0.payloadTo == nil ? runtime.headerCache(of: position) : nil }
    fragments = FragmentReassembler(roles?.rules ?? FragmentRules())
    framer = StreamFramer(streamRules)
  }
}

/// The layers of one source and direction of one link.
@safe final class Pipeline {
  private(set) var layers = UnretainedTable<LayerState>()
  let sourceNumber: Int
  let slot: Int
  let direction: ValueDirection
  let source: RuntimeSource
  let rules: RuntimeDirection
  /// The slots of the sources whose requests this source responds to; -1 where a slot does not exist yet.
  var answered: [Int]
  /// The layers from here on keep nothing of a unit for the next one.
  private(set) var stateless = 0

  init(_ direction: CompiledDirection, sourceNumber: Int, slot: Int, valueDirection: ValueDirection, _ runtime: ProfileRuntime) {
    source = runtime.source(sourceNumber)
    rules = runtime.direction(sourceNumber, valueDirection)
    answered = source.answers.map { _ in -1 }
    self.sourceNumber = sourceNumber
    self.slot = slot
    self.direction = valueDirection
    var checked = false
    for layer in direction.layers.reversed() {
      if case .checkPackets = layer { checked = true }
      if case .fragments = layer, checked { break }
    }
    for (number, layer) in direction.layers.enumerated() {
      let state = LayerState(layer, at: LayerState.Position(source: sourceNumber, direction: valueDirection, layer: number), runtime)
      state.keepsPackets = checked && state.kind == .fragments
      layers.append(state)
      switch state.kind {
      case .fragments, .stream, .expect, .decrypt: stateless = number + 1
      case .strip, .unescape, .scramble, .check, .checkPackets, .slice, .drop: break
      }
    }
  }
}

extension ProfileEngine {
  /// Sends the value of one packet through the layers from `start` on.
  @inline(__always)
  func run(
    _ value: BorrowedBytes, frame: Int, time: Int64, _ pipeline: Pipeline, from start: Int = 0, _ link: Link,
    _ runtime: ProfileRuntime
  ) {
    runtime.budget.grant(value, frame: frame)
    lastFrame = frame
    if runtime.isExhausted { return report(exhausted: runtime, frame) }
    defer { runtime.spendOnHeaders() }
    enter(link, runtime)
    if keepsLayerTrace { layerTrace = LayerTrace() }
    runtime.packetLength = value.count
    if runtime.usesHeader { runtime.setMessageHeader(nil, value) }
    var tag = UInt64(truncatingIfNeeded: frame)
    unsafe withUnsafePointer(to: &tag) {
      let unit = unsafe FramedBytes(
        bytes: value, tags: UnsafeBufferPointer(start: $0, count: 1), begin: time, end: time,
        problems: UnsafeBufferPointer(start: nil, count: 0))
      run(unit, pipeline, from: start, link, runtime)
    }
  }

  /// Sends bytes through the layers from `start` on. What comes out of the last layer becomes a message.
  func run(_ unit: FramedBytes, _ pipeline: Pipeline, from start: Int, _ link: Link, _ runtime: ProfileRuntime) {
    var unit = unit
    var index = start
    while let layer = pipeline.layers[index] {
      if runtime.isExhausted { return report(exhausted: runtime, unsafe unit.tags.last.map { Int(truncatingIfNeeded: $0) } ?? 0) }
      index &+= 1
      // The layer has passed its results on itself, or has nothing to pass on.
      if layer.with({ pass(&unit, $0, pipeline, next: index, link, runtime) }) { return }
    }
    complete(unit, pipeline, link, runtime)
  }

  /// Sends bytes through one layer. Returns true where the layer has run the rest of the pipeline itself, or the unit ends here.
  @inline(__always)
  private func pass(
    _ unit: inout FramedBytes, _ layer: LayerState, _ pipeline: Pipeline, next index: Int, _ link: Link, _ runtime: ProfileRuntime
  ) -> Bool {
    runtime.spend(1 &+ unit.bytes.count &>> 3)
    switch layer.kind {
    case .fragments:
      collect(unit, layer, pipeline, next: index, link, runtime)
      return true
    case .stream, .expect:
      cut(unit, layer, pipeline, next: index, link, runtime)
      return true
    case .strip:
      unit.bytes = layer.strip?.apply(unit.bytes) ?? unit.bytes
      return unit.bytes.isEmpty
    case .slice:
      var from = layer.from
      var to = layer.to
      if let start = layer.expression { from = runtime.integer(start, unit.bytes) ?? Int.min / 2 }
      if let end = layer.second { to = runtime.integer(end, unit.bytes) ?? Int.min / 2 }
      let low = from < 0 ? unit.bytes.count &+ from : from
      let count = unit.bytes.count
      let high = min(to.map { $0 < 0 ? count &+ $0 : $0 } ?? count, count)
      guard low >= 0, low <= high else {
        unit.problem = unit.problem ?? "slice"
        return false
      }
      unit.bytes = unit.bytes.part(low..<high)
    case .check:
      if let when = layer.expression, !runtime.isTrue(when, unit.bytes) { return false }
      guard let checksum = layer.checksum else { return false }
      runtime.spend(unit.bytes.count &* checksum.coverage.count)
      let isCorrect: Bool
      var verdict: PacketCodecs.Checksum.Verdict?
      if let value = layer.second {
        let computed = checksum.computedValue(over: unit.bytes.span)
        isCorrect = computed != nil && computed == runtime.unsigned(value, unit.bytes).map { UInt128($0) }
      } else {
        verdict = checksum.verify(unit.bytes.span)
        isCorrect = verdict?.isCorrect ?? false
      }
      if isCorrect {
        if unit.checksum == .none { unit.checksum = .ok }
        if keepsLayerTrace { layerTrace.add(index &- 1, Array(unit.bytes)) }
      } else if unit.isComplete {
        if let verdict { unit.fittingOrder = checksum.otherByteOrder(fitting: verdict) }
        unit.checksum = .bad
      }
    case .checkPackets:
      if let when = layer.expression, !runtime.isTrue(when, unit.bytes) { return false }
      guard let checksum = layer.checksum, unit.isComplete else { return false }
      runtime.spend(wholePackets.count &* checksum.coverage.count)
      let verdict = unsafe wholePackets.withUnsafeBytes { unsafe checksum.verify($0.bytes) }
      if verdict.isCorrect {
        if unit.checksum == .none { unit.checksum = .ok }
        if keepsLayerTrace { layerTrace.add(index &- 1, wholePackets) }
      } else {
        unit.fittingOrder = checksum.otherByteOrder(fitting: verdict)
        unit.checksum = .bad
      }
    case .drop: if let when = layer.expression, runtime.isTrue(when, unit.bytes) { return true }
    case .decrypt: return decrypt(unit, layer, pipeline, next: index, link, runtime)
    case .unescape, .scramble:
      runtime.spend(4)
      layer.scratch.removeAll(keepingCapacity: true)
      if layer.kind == .scramble {
        guard let key = layer.expression else { return false }
        runtime.scramble(unit.bytes, key, from: layer.from, into: &layer.scratch)
      } else if let escape = layer.escape, escape.decode(unit.bytes.span, into: &layer.scratch) != nil {
        unit.problem = unit.problem ?? "unescape"
        if unit.isComplete { unit.isComplete = false }
      }
      if keepsLayerTrace { layerTrace.add(index &- 1, LayerTrace.contents(of: unit.bytes, layer.escape), layer.scratch) }
      // The scratch is not changed before this unit is completed.
      layer.scratch.withBorrowedBytes {
        unit.bytes = $0
        run(unit, pipeline, from: index, link, runtime)
      }
      return true
    }
    return false
  }

  private func collect(
    _ unit: FramedBytes, _ layer: LayerState, _ pipeline: Pipeline, next: Int, _ link: Link, _ runtime: ProfileRuntime
  ) {
    var bytes = unit.bytes
    layer.call = LayerState.Call(unit, next, pipeline, link, runtime, self)
    if keepsLayerTrace { layer.trace = layerTrace }
    if layer.isMerge { select(unit, layer, runtime) }
    let tag = self.tag(of: unit, layer, runtime)
    defer { keep(unit, layer) }
    layer.packets &+= 1
    var rounds = 0
    while rounds < 4096 {
      rounds &+= 1
      var role = FragmentRole()
      var offset = 0
      if let known = layer.headers?.find(bytes) {
        role = known.pointee.role
        offset = layer.from >= 0 ? layer.from : known.pointee.size
      } else if let header = layer.header {
        guard let size = runtime.readHeader(header, bytes, index: layer.packets) else {
          return completeUnjoined(bytes, unit, pipeline, link, runtime)
        }
        offset = layer.from >= 0 ? layer.from : size
        if let first = layer.first { role.starts = runtime.headerFlag(first) }
        if let last = layer.last { role.ends = runtime.headerFlag(last) }
        if let more = layer.more { role.ends = runtime.headerFlag(more).map { !$0 } }
        if let total = layer.total { role.total = runtime.headerInteger(total) }
        if let count = layer.countOf { role.count = runtime.headerInteger(count) }
        if let index = layer.index { role.index = runtime.headerInteger(index) }
        if let counter = layer.counter { role.counter = runtime.headerInteger(counter) }
        layer.headers?.keep(bytes, size: size, role)
        if layer.hasSet { runtime.setFromHeader(layer.set, link) }
      } else if layer.from >= 0 {
        offset = layer.from
      }
      var end = bytes.count
      if let to = layer.payloadTo, let endOffset = runtime.headerInteger(to) {
        end = endOffset < 0 ? bytes.count &+ endOffset : min(endOffset, bytes.count)
      }
      guard offset <= end else {
        return completeUnjoined(bytes, unit, pipeline, link, runtime)
      }
      let payload = bytes.part(offset..<end)
      if runtime.usesHeader, role.starts == true || !layer.isOpen { layer.firstHeader = Array(bytes[0..<offset]) }
      if layer.keepsPackets {
        if role.starts == true || !layer.isOpen { layer.wholePackets.removeAll(keepingCapacity: true) }
        if layer.wholePackets.count &+ end <= 2 * layer.fragments.rules.maximumBytes {
          layer.wholePackets.append(contentsOf: bytes[0..<end])
        }
      }
      layer.packet = bytes.part(0..<end)
      if layer.overlay != nil {
        return lay(payload, offset, role, tag, unit, layer, runtime)
      }
      let left = layer.fragments.push(payload.span, at: offset, role: role, tag: tag, time: unit.end) { layer.deliver($0) }
      if left <= 0 || left >= bytes.count { return }
      bytes = bytes.part((end &- left)..<end)
    }
  }

  /// Makes the record of a part the current one. A part whose key cannot be computed has the key 0.
  @inline(never)
  private func select(_ unit: FramedBytes, _ layer: LayerState, _ runtime: ProfileRuntime) {
    layer.endRecords(now: unit.end)
    guard let key = layer.key, let header = layer.header, runtime.readHeader(header, unit.bytes, index: layer.packets) != nil else {
      return
    }
    layer.select(runtime.headerInteger(key) ?? 0)
  }

  /// Puts the bytes of a packet at their offset in the message.
  @inline(never)
  private func lay(
    _ payload: BorrowedBytes, _ start: Int, _ role: FragmentRole, _ tag: UInt64, _ unit: FramedBytes, _ layer: LayerState,
    _ runtime: ProfileRuntime
  ) {
    guard let expression = layer.offset, let offset = runtime.headerInteger(expression) else {
      layer.overlay?.push(
        payload.span, at: start, role: .init(offset: -1), tag: tag, time: unit.end, deliver: { layer.deliver($0) })
      return
    }
    layer.overlay?.push(
      payload.span, at: start, role: .init(offset: offset, starts: role.starts, ends: role.ends, total: role.total), tag: tag,
      time: unit.end, deliver: { layer.deliver($0) })
  }

  private func cut(
    _ unit: FramedBytes, _ layer: LayerState, _ pipeline: Pipeline, next: Int, _ link: Link, _ runtime: ProfileRuntime
  ) {
    let tag = self.tag(of: unit, layer, runtime)
    layer.call = LayerState.Call(unit, next, pipeline, link, runtime, self)
    if keepsLayerTrace { layer.trace = layerTrace }
    defer { keep(unit, layer) }
    if layer.kind == .expect {
      layer.framer.flush(now: unit.end) { layer.deliver($0) }
      if layer.framer.pendingBytes == 0 {
        layer.framer.expectedTotal = expected(layer, pipeline, link, runtime)
        if layer.framer.expectedTotal == nil { return completeUnjoined(unit.bytes, unit, pipeline, link, runtime) }
      }
    } else if let length = layer.expression {
      if let header = layer.header {
        return layer.framer.push(
          unit.bytes.span, tag: tag, time: unit.end,
          length: { span in
            span.withBorrowedBytes { bytes in
              let longest = ProfileRuntime.longestHeader
              let start = bytes.slice(0, longest)
              guard runtime.readHeader(header, start, index: 0) != nil else {
                let needed = start.count &+ max(1, runtime.headerLacks)
                return runtime.headerIsShort && needed <= longest ? .needs(needed) : .bad
              }
              guard let total = runtime.headerInteger(length) else { return .bad }
              return total > 0 ? .total(total) : .bad
            }
          },
          deliver: { layer.deliver($0) })
      }
      // The length comes from an earlier message. An open message keeps the length it began with.
      if layer.framer.pendingBytes == 0 { layer.framer.expectedTotal = runtime.integer(length).flatMap { $0 > 0 ? $0 : nil } }
    }
    layer.framer.push(unit.bytes.span, tag: tag, time: unit.end) { layer.deliver($0) }
  }

  /// Completes bytes of a unit that belong to no message.
  private func completeUnjoined(
    _ bytes: BorrowedBytes, _ unit: FramedBytes, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime
  ) {
    var rest = unit
    rest.bytes = bytes
    rest.isUnjoined = true
    complete(rest, pipeline, link, runtime)
  }

  /// Stores the results for a packet until its message is complete.
  @inline(__always)
  private func keep(_ unit: FramedBytes, _ layer: LayerState) {
    if keepsLayerTrace { keepTrace(layer) }
    guard
      unsafe unit.checksum != .none || !unit.isComplete || unit.problem != nil || unit.decryption != .none || !unit.problems.isEmpty
        || unit.surplus != 0 || !layer.keepsNothing
    else { return }
    if layer.fragments.isOpen || layer.framer.pendingBytes > 0 || layer.overlay?.isOpen == true {
      layer.kept.add(unit)
    } else {
      layer.kept = LayerResults()
    }
  }

  @inline(never)
  private func keepTrace(_ layer: LayerState) {
    let isOpen = layer.fragments.isOpen || layer.framer.pendingBytes > 0 || layer.overlay?.isOpen == true
    keptTraceBytes -= layer.keptTrace.byteCount
    if isOpen { layer.keptTrace.add(layer.trace, room: Self.maxTraceBytes - keptTraceBytes) } else { layer.keptTrace = LayerTrace() }
    keptTraceBytes += layer.keptTrace.byteCount
    layer.trace = LayerTrace()
  }

  /// The tag under which a collecting layer keeps a unit: its last frame.
  private func tag(of unit: FramedBytes, _ layer: LayerState, _ runtime: ProfileRuntime) -> UInt64 {
    let tag = unsafe unit.tags.last ?? 0
    let isMany = unsafe unit.tags.count > 1
    guard isMany || layer.hasManyTags else { return tag }
    if layer.fragments.pendingBytes == 0, layer.framer.pendingBytes == 0, layer.overlay?.isOpen != true { layer.forgetTags() }
    if isMany {
      // They are compared with those that are kept, and copied where these are others.
      runtime.spend(unsafe unit.tags.count / 8)
      unsafe layer.keep(tags: unit.tags, of: tag)
    }
    return tag
  }

  fileprivate func deliver(
    _ piece: Reassembled, _ unit: FramedBytes, _ layer: LayerState, _ pipeline: Pipeline, next: Int, _ link: Link, _ runtime: ProfileRuntime
  ) {
    if piece.kind == .padding { return }
    piece.bytes.withBorrowedBytes { bytes in
      unsafe piece.tags.withUnsafeBufferPointer { tags in
        unsafe piece.problems.withUnsafeBufferPointer { problems in
          var joined = unsafe FramedBytes(bytes: bytes, tags: tags, begin: piece.begin, end: piece.end, problems: problems)
          // The results for earlier packets, and for the current packet if it belongs to this message.
          var found = LayerResults()
          swap(&found, &layer.kept)
          let isLast = unsafe unit.tags.last != nil && tags.last == unit.tags.last
          if isLast { found.add(unit) }
          if keepsLayerTrace { takeTrace(of: layer, isLast: isLast) }
          joined.isComplete = piece.kind == .message && found.isComplete
          joined.isUnjoined = piece.kind == .unjoined
          joined.checksum = found.checksum
          joined.fittingOrder = found.fittingOrder
          joined.decryption = found.decryption
          joined.problem = found.problem
          joined.surplus = piece.surplus &+ found.surplus
          let start = joined.isUnjoined ? pipeline.layers.count : next
          // More messages are left out, so that layers without a state need not work for them.
          if held.isFull, start >= pipeline.stateless { return }
          if runtime.usesHeader, !joined.isUnjoined, layer.header != nil {
            if layer.kind == .stream {
              runtime.setMessageHeader(layer.header, bytes)
            } else {
              layer.firstHeader.withBorrowedBytes { runtime.setMessageHeader(layer.header, $0) }
            }
          }
          if layer.keepsPackets { wholePackets = layer.wholePackets }
          if layer.isMerge, !joined.isUnjoined {
            runtime.setParts(piece.pieces)
            joined.isMerged = true
          }
          if joined.isUnjoined, layer.kind == .fragments, let header = layer.header, layer.packet.count > bytes.count {
            // A fragment that belongs to no message is shown with its header.
            joined.bytes = layer.packet
            strayHeader = header
            defer { strayHeader = nil }
            return run(joined, pipeline, from: start, link, runtime)
          }
          guard layer.hasManyTags || !found.problems.isEmpty else { return run(joined, pipeline, from: start, link, runtime) }
          let all = unsafe layer.frames(tags)
          runtime.spend(all.count / 8)
          let reported = unsafe found.problems + problems
          unsafe all.withUnsafeBufferPointer { all in
            unsafe reported.withUnsafeBufferPointer { reported in
              unsafe joined.tags = unsafe all
              unsafe joined.problems = unsafe reported
              run(joined, pipeline, from: start, link, runtime)
            }
          }
        }
      }
    }
  }

  /// Sets the trace of a joined message to what earlier layers decoded of its packets.
  @inline(never)
  private func takeTrace(of layer: LayerState, isLast: Bool) {
    layerTrace = layer.keptTrace
    keptTraceBytes -= layerTrace.byteCount
    layer.keptTrace = LayerTrace()
    if isLast { layerTrace.add(layer.trace) }
    // The parts of a record are kept apart.
    if layer.isMerge { layerTrace.isWhole = false }
  }

  /// Ends the open messages of the layers: those that have waited longer than their layers allow at `now`, or all of them where it is nil.
  func endOpenMessages(_ pipeline: Pipeline, now: Int64? = nil, _ link: Link, _ runtime: ProfileRuntime) {
    for (index, layer) in pipeline.layers.objects.enumerated() {
      layer.call = LayerState.Call(.empty, index + 1, pipeline, link, runtime, self)
      layer.trace = LayerTrace()
      switch (layer.kind, now) {
      case (.fragments, _) where layer.isMerge: layer.endRecords(now: now)
      case (.fragments, nil):
        layer.fragments.finish { layer.deliver($0) }
        layer.overlay?.finish { layer.deliver($0) }
      case (.fragments, let now?):
        layer.fragments.flush(now: now) { layer.deliver($0) }
        layer.overlay?.flush(now: now) { layer.deliver($0) }
      case (.stream, nil), (.expect, nil): layer.framer.finish { layer.deliver($0) }
      case (.stream, let now?), (.expect, let now?): layer.framer.flush(now: now) { layer.deliver($0) }
      default: break
      }
    }
  }
}

extension StripDefinition {
  /// The bytes without the prefixes, suffixes and noise that the rules name.
  func apply(_ bytes: BorrowedBytes) -> BorrowedBytes {
    var low = 0
    var high = bytes.count
    func stands(_ marker: [UInt8], at offset: Int) -> Bool {
      !marker.isEmpty && offset >= 0 && offset + marker.count <= high && bytes[offset..<(offset + marker.count)].elementsEqual(marker)
    }
    while let marker = noise.first(where: { stands($0, at: low) }) { low += marker.count }
    if let marker = prefixes.first(where: { stands($0, at: low) }) { low += marker.count }
    low = min(low + head, high)
    high = max(high - tail, low)
    if let marker = suffixes.first(where: { low + $0.count <= high && stands($0, at: high - $0.count) }) { high -= marker.count }
    while let marker = noise.first(where: { low + $0.count <= high && stands($0, at: high - $0.count) }) { high -= marker.count }
    if !until.isEmpty, let start = (low..<high).first(where: { offset in until.contains { stands($0, at: offset) } }) { low = start }
    return bytes.part(low..<high)
  }
}
