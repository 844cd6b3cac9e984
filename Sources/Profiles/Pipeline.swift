import Kaitai
import PacketCodecs

/// Bytes on their way through the layers of one source and direction.
@safe struct Unit {
  var bytes: UnsafeRawBufferPointer
  /// Frames of the packets the bytes came from.
  var tags: UnsafeBufferPointer<UInt64>
  var begin: Int64
  var end: Int64
  var isComplete = true
  var isUnjoined = false
  var checksum = Message.Checksum.none
  var problems: UnsafeBufferPointer<ReassemblyProblem>
  var surplus = 0
  var fault: StaticString?
}

/// What layers found of bytes that a later layer keeps until it has all of its message.
struct Findings {
  var checksum = Message.Checksum.none
  var isComplete = true
  var fault: StaticString?

  /// Together with what was found of one more packet.
  mutating func add(_ unit: Unit) {
    if unit.checksum == .bad || checksum == .none { checksum = unit.checksum }
    isComplete = isComplete && unit.isComplete
    fault = fault ?? unit.fault
  }
}

/// Remembers what headers of up to eight bytes said.
@safe final class HeaderCache {
  struct Entry {
    var bytes: UInt64 = 0
    /// 0: nothing is kept here.
    var size = 0
    var role = FragmentRole()
  }
  private static let count = 256
  private let entries: UnsafeMutablePointer<Entry>

  /// One half by the first byte; where that begins longer headers, the other half by the first two.
  init() {
    unsafe entries = .allocate(capacity: 2 * Self.count)
    unsafe entries.initialize(repeating: Entry(), count: 2 * Self.count)
  }

  deinit { unsafe entries.deallocate() }

  /// The first bytes, those beyond `size` left out.
  @inline(__always)
  private func key(_ bytes: UnsafeRawBufferPointer, _ size: Int) -> UInt64 {
    var key: UInt64 = 0
    for place in 0..<size { key = unsafe key << 8 | UInt64(bytes[place]) }
    return key
  }

  /// What was kept of a header with these bytes; nil where nothing was.
  @inline(__always)
  func find(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<Entry>? {
    guard bytes.count > 0 else { return nil }
    var entry = unsafe entries + Int(bytes[0])
    if unsafe entry.pointee.size > 1, bytes.count > 1 { unsafe entry = unsafe entries + Self.place(bytes) }
    let size = unsafe entry.pointee.size
    guard size > 0, size <= bytes.count, unsafe key(bytes, size) == entry.pointee.bytes else { return nil }
    return unsafe UnsafePointer(entry)
  }

  @inline(__always)
  private static func place(_ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe count &+ Int((bytes[0] &* 31) ^ bytes[1])
  }

  func keep(_ bytes: UnsafeRawBufferPointer, size: Int, _ role: FragmentRole) {
    guard size > 0, size <= 8, size <= bytes.count else { return }
    let entry = unsafe Entry(bytes: key(bytes, size), size: size, role: role)
    unsafe entries[Int(bytes[0])] = entry
    if size > 1 { unsafe entries[Self.place(bytes)] = entry }
  }
}

/// One layer of one stream of bytes, with what it remembers.
final class LayerState {
  enum Kind { case strip, unescape, scramble, fragments, stream, expect, check, slice, drop }

  let kind: Kind
  // Rules, unpacked so that nothing is counted per packet.
  let strip: StripDefinition?
  let escape: Escape?
  let checksum: PacketCodecs.Checksum?
  let expression: ExpressionID?
  let from: Int
  let to: Int?
  /// The value that a checksum must have; the end of a slice.
  let second: ExpressionID?
  let set: [CompiledSet]
  let hasSet: Bool
  let header: TypeID?
  let first, last, more, total, countOf, index, counter, payloadTo: ExpressionID?

  /// What headers said, by a hash of their first bytes; nil where a header's meaning depends on more than its bytes.
  let headers: HeaderCache?

  // What it remembers.
  /// What was found of packets whose bytes are still kept: a wrong checksum, or what could not be undone.
  var kept = Findings()
  var fragments: FragmentReassembler
  var cutter: StreamCutter
  var scratch: [UInt8] = []
  var packets: Int64 = 0
  /// Frames of units of several packets that a second collecting layer got, by the tag it knows them by.
  var manyTags: [UInt64: [UInt64]] = [:] {
    didSet { hasManyTags = !manyTags.isEmpty }
  }
  private(set) var hasManyTags = false

  /// What the layer is working on: a closure that knows no more than the layer costs no memory.
  @safe struct Call {
    let unit: Unit
    let next: Int
    let pipeline: Unmanaged<Pipeline>
    let link: Unmanaged<Link>
    let runtime: Unmanaged<ProfileRuntime>
    let engine: Unmanaged<ProfileEngine>

    init(_ unit: Unit, _ next: Int, _ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime, _ engine: ProfileEngine) {
      self.unit = unit
      self.next = next
      unsafe self.pipeline = unsafe .passUnretained(pipeline)
      unsafe self.link = unsafe .passUnretained(link)
      unsafe self.runtime = unsafe .passUnretained(runtime)
      unsafe self.engine = unsafe .passUnretained(engine)
    }
  }
  var call: Call?

  /// Sends what it has collected on its way, while its caller waits.
  func deliver(_ piece: Reassembled) {
    guard let call else { return }
    unsafe call.engine._withUnsafeGuaranteedRef { engine in
      unsafe call.pipeline._withUnsafeGuaranteedRef { pipeline in
        unsafe call.link._withUnsafeGuaranteedRef { link in
          unsafe call.runtime._withUnsafeGuaranteedRef { runtime in
            engine.deliver(piece, call.unit, self, pipeline, next: call.next, link, runtime)
          }
        }
      }
    }
  }

  init(_ layer: CompiledLayer) {
    var strip: StripDefinition?
    var escape: Escape?
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
    case .slice(let start, let end):
      kind = .slice
      from = start.number ?? 0
      to = end?.number
      if case .expression(let start) = start { expression = start }
      if case .expression(let end)? = end { second = end }
    case .drop(let when):
      kind = .drop
      expression = when
    }
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
    payloadTo = roles?.payloadTo
    headers = roles.flatMap { $0.isFixed && $0.payloadTo == nil ? HeaderCache() : nil }
    fragments = FragmentReassembler(roles?.rules ?? FragmentRules())
    cutter = StreamCutter(streamRules)
  }
}

/// The layers of one source and direction of one link.
@safe final class Pipeline {
  private(set) var layers = LentTable<LayerState>()
  let sourceNumber: Int
  let slot: Int
  let direction: Direction
  let source: RuntimeSource
  let rules: RuntimeDirection
  /// The slots of the sources whose requests are answered here; -1 where there is none yet.
  var answered: [Int]

  init(_ direction: CompiledDirection, sourceNumber: Int, slot: Int, way: Direction, _ runtime: ProfileRuntime) {
    source = runtime.source(sourceNumber)
    rules = runtime.direction(sourceNumber, way)
    answered = source.answers.map { _ in -1 }
    self.sourceNumber = sourceNumber
    self.slot = slot
    self.direction = way
    for layer in direction.layers { layers.append(LayerState(layer)) }
  }
}

extension ProfileEngine {
  /// Sends bytes through the layers from `start` on; what comes out at the end is completed as a message.
  func run(_ unit: Unit, _ pipeline: Pipeline, from start: Int, _ link: Link, _ runtime: ProfileRuntime) {
    var unit = unit
    var place = start
    while let layer = unsafe pipeline.layers[place] {
      place &+= 1
      // What it ends here, it ends with the rest of the way.
      if unsafe layer._withUnsafeGuaranteedRef({ pass(&unit, $0, pipeline, next: place, link, runtime) }) { return }
    }
    complete(unit, pipeline, link, runtime)
  }

  /// Sends bytes through one layer. Returns true where the rest of the way has been gone, or there is none.
  @inline(__always)
  private func pass(
    _ unit: inout Unit, _ layer: LayerState, _ pipeline: Pipeline, next place: Int, _ link: Link, _ runtime: ProfileRuntime
  ) -> Bool {
    switch layer.kind {
    case .fragments:
      collect(unit, layer, pipeline, next: place, link, runtime)
      return true
    case .stream, .expect:
      cut(unit, layer, pipeline, next: place, link, runtime)
      return true
    case .strip:
      unsafe unit.bytes = unsafe layer.strip?.apply(unit.bytes) ?? unit.bytes
      return unsafe unit.bytes.isEmpty
    case .slice:
      var from = layer.from
      var to = layer.to
      if let start = layer.expression { from = unsafe runtime.integer(start, unit.bytes) ?? Int.min / 2 }
      if let end = layer.second { to = unsafe runtime.integer(end, unit.bytes) ?? Int.min / 2 }
      let low = unsafe from < 0 ? unit.bytes.count &+ from : from
      let count = unsafe unit.bytes.count
      let high = min(to.map { $0 < 0 ? count &+ $0 : $0 } ?? count, count)
      guard low >= 0, low <= high else {
        unit.fault = unit.fault ?? "slice"
        return false
      }
      unsafe unit.bytes = unsafe UnsafeRawBufferPointer(rebasing: unit.bytes[low..<high])
    case .check:
      if let when = layer.expression, unsafe !runtime.isTrue(when, unit.bytes) { return false }
      guard let checksum = layer.checksum else { return false }
      let isCorrect: Bool
      if let value = layer.second {
        let computed = unsafe checksum.computedValue(over: unit.bytes.bytes)
        isCorrect = computed != nil && computed == runtime.integer(value).map { UInt128(truncatingIfNeeded: $0) }
      } else {
        isCorrect = unsafe checksum.verify(unit.bytes.bytes).isCorrect
      }
      if isCorrect {
        if unit.checksum == .none { unit.checksum = .ok }
      } else if unit.isComplete {
        unit.checksum = .bad
      }
    case .drop: if let when = layer.expression, unsafe runtime.isTrue(when, unit.bytes) { return true }
    case .unescape, .scramble:
      layer.scratch.removeAll(keepingCapacity: true)
      if layer.kind == .scramble {
        guard let key = layer.expression else { return false }
        unsafe runtime.scramble(unit.bytes, key, from: layer.from, into: &layer.scratch)
      } else if let escape = layer.escape, unsafe escape.decode(unit.bytes.bytes, into: &layer.scratch) != nil {
        unit.fault = unit.fault ?? "unescape"
        if unit.isComplete { unit.isComplete = false }
      }
      // The scratch is not touched again before this unit is done with.
      unsafe layer.scratch.withUnsafeBytes {
        unsafe unit.bytes = unsafe $0
        run(unit, pipeline, from: place, link, runtime)
      }
      return true
    }
    return false
  }

  private func collect(
    _ unit: Unit, _ layer: LayerState, _ pipeline: Pipeline, next: Int, _ link: Link, _ runtime: ProfileRuntime
  ) {
    var bytes = unsafe unit.bytes
    let tag = self.tag(of: unit, layer)
    layer.call = LayerState.Call(unit, next, pipeline, link, runtime, self)
    defer { keep(unit, layer) }
    layer.packets &+= 1
    var rounds = 0
    while rounds < 4096 {
      rounds &+= 1
      var role = FragmentRole()
      var offset = 0
      if let known = unsafe layer.headers?.find(bytes) {
        role = unsafe known.pointee.role
        offset = unsafe layer.from >= 0 ? layer.from : known.pointee.size
      } else if let header = layer.header {
        guard let size = unsafe runtime.readHeader(header, bytes, index: layer.packets) else {
          var rest = unit
          unsafe rest.bytes = unsafe bytes
          rest.isUnjoined = true
          return complete(rest, pipeline, link, runtime)
        }
        offset = layer.from >= 0 ? layer.from : size
        if let first = layer.first { role.starts = runtime.headerFlag(first) }
        if let last = layer.last { role.ends = runtime.headerFlag(last) }
        if let more = layer.more { role.ends = runtime.headerFlag(more).map { !$0 } }
        if let total = layer.total { role.total = runtime.headerInteger(total) }
        if let count = layer.countOf { role.count = runtime.headerInteger(count) }
        if let index = layer.index { role.index = runtime.headerInteger(index) }
        if let counter = layer.counter { role.counter = runtime.headerInteger(counter) }
        unsafe layer.headers?.keep(bytes, size: size, role)
        if layer.hasSet { runtime.setFromHeader(layer.set, link) }
      } else if layer.from >= 0 {
        offset = layer.from
      }
      var end = bytes.count
      if let to = layer.payloadTo, let said = runtime.headerInteger(to) { end = said < 0 ? bytes.count &+ said : min(said, bytes.count) }
      guard offset <= end else {
        var rest = unit
        unsafe rest.bytes = unsafe bytes
        rest.isUnjoined = true
        return complete(rest, pipeline, link, runtime)
      }
      let payload = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
      let left = unsafe layer.fragments.push(payload.bytes, at: offset, role: role, tag: tag, time: unit.end) { layer.deliver($0) }
      if left <= 0 || left >= bytes.count { return }
      unsafe bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes[(end &- left)..<end])
    }
  }

  private func cut(
    _ unit: Unit, _ layer: LayerState, _ pipeline: Pipeline, next: Int, _ link: Link, _ runtime: ProfileRuntime
  ) {
    let tag = self.tag(of: unit, layer)
    layer.call = LayerState.Call(unit, next, pipeline, link, runtime, self)
    defer { keep(unit, layer) }
    if layer.kind == .expect {
      layer.cutter.flush(now: unit.end) { layer.deliver($0) }
      if layer.cutter.pendingBytes == 0 {
        layer.cutter.expectedTotal = expected(layer, pipeline, link, runtime)
        if layer.cutter.expectedTotal == nil {
          var rest = unit
          rest.isUnjoined = true
          return complete(rest, pipeline, link, runtime)
        }
      }
      unsafe layer.cutter.push(unit.bytes.bytes, tag: tag, time: unit.end) { layer.deliver($0) }
      return
    }
    guard let length = layer.expression else {
      unsafe layer.cutter.push(unit.bytes.bytes, tag: tag, time: unit.end) { layer.deliver($0) }
      return
    }
    guard let header = layer.header else {
      // Said by an earlier message; what is open keeps the length it began with.
      if layer.cutter.pendingBytes == 0 { layer.cutter.expectedTotal = runtime.integer(length).flatMap { $0 > 0 ? $0 : nil } }
      unsafe layer.cutter.push(unit.bytes.bytes, tag: tag, time: unit.end) { layer.deliver($0) }
      return
    }
    unsafe layer.cutter.push(
      unit.bytes.bytes, tag: tag, time: unit.end,
      length: { span in
        unsafe span.withUnsafeBytes { bytes in
          guard unsafe runtime.readHeader(header, bytes, index: 0) != nil else {
            return runtime.headerIsShort ? .needs(bytes.count &+ max(1, runtime.headerLacks)) : .bad
          }
          guard let total = runtime.headerInteger(length) else { return .bad }
          return total > 0 ? .total(total) : .bad
        }
      },
      deliver: { layer.deliver($0) })
  }

  /// Remembers what was found of a packet until the message that it belongs to is whole.
  @inline(__always)
  private func keep(_ unit: Unit, _ layer: LayerState) {
    guard
      unit.checksum != .none || !unit.isComplete || unit.fault != nil || layer.kept.checksum != .none || !layer.kept.isComplete
        || layer.kept.fault != nil
    else { return }
    if layer.fragments.isOpen || layer.cutter.pendingBytes > 0 { layer.kept.add(unit) } else { layer.kept = Findings() }
  }

  /// The number a collecting layer knows a unit by: its last frame.
  private func tag(of unit: Unit, _ layer: LayerState) -> UInt64 {
    let tag = unsafe unit.tags.last ?? 0
    if unsafe unit.tags.count > 1 {
      if layer.fragments.pendingBytes == 0, layer.cutter.pendingBytes == 0 { layer.manyTags.removeAll(keepingCapacity: true) }
      layer.manyTags[tag] = unsafe Array(unit.tags)
    }
    return tag
  }

  fileprivate func deliver(
    _ piece: Reassembled, _ unit: Unit, _ layer: LayerState, _ pipeline: Pipeline, next: Int, _ link: Link, _ runtime: ProfileRuntime
  ) {
    if piece.kind == .padding { return }
    unsafe piece.bytes.withUnsafeBytes { bytes in
      unsafe piece.tags.withUnsafeBufferPointer { tags in
        unsafe piece.problems.withUnsafeBufferPointer { problems in
          var joined = unsafe Unit(bytes: bytes, tags: tags, begin: piece.begin, end: piece.end, problems: problems)
          // What was kept before, and the packet at hand where it belongs to this message.
          var found = layer.kept
          if let last = unsafe unit.tags.last, unsafe tags.last == last { found.add(unit) }
          layer.kept = Findings()
          joined.isComplete = piece.kind == .message && found.isComplete
          joined.isUnjoined = piece.kind == .unjoined
          joined.checksum = found.checksum
          joined.fault = found.fault
          joined.surplus = piece.surplus
          guard layer.hasManyTags else {
            if joined.isUnjoined { complete(joined, pipeline, link, runtime) } else { run(joined, pipeline, from: next, link, runtime) }
            return
          }
          let all = unsafe tags.flatMap { layer.manyTags[$0] ?? [$0] }
          unsafe all.withUnsafeBufferPointer {
            unsafe joined.tags = unsafe $0
            if joined.isUnjoined { complete(joined, pipeline, link, runtime) } else { run(joined, pipeline, from: next, link, runtime) }
          }
        }
      }
    }
  }

  /// Ends what is open in the layers: nothing more will come.
  func finish(_ pipeline: Pipeline, _ link: Link, _ runtime: ProfileRuntime) {
    let nothing = unsafe Unit(
      bytes: UnsafeRawBufferPointer(start: nil, count: 0), tags: UnsafeBufferPointer(start: nil, count: 0), begin: 0, end: 0,
      problems: UnsafeBufferPointer(start: nil, count: 0))
    for (place, layer) in pipeline.layers.objects.enumerated() {
      layer.call = LayerState.Call(nothing, place + 1, pipeline, link, runtime, self)
      switch layer.kind {
      case .fragments: layer.fragments.finish { layer.deliver($0) }
      case .stream, .expect: layer.cutter.finish { layer.deliver($0) }
      default: break
      }
    }
  }

  /// Ends what has been silent for longer than its layers allow.
  func flush(_ pipeline: Pipeline, now: Int64, _ link: Link, _ runtime: ProfileRuntime) {
    let nothing = unsafe Unit(
      bytes: UnsafeRawBufferPointer(start: nil, count: 0), tags: UnsafeBufferPointer(start: nil, count: 0), begin: 0, end: 0,
      problems: UnsafeBufferPointer(start: nil, count: 0))
    for (place, layer) in pipeline.layers.objects.enumerated() {
      layer.call = LayerState.Call(nothing, place + 1, pipeline, link, runtime, self)
      switch layer.kind {
      case .fragments: layer.fragments.flush(now: now) { layer.deliver($0) }
      case .stream, .expect: layer.cutter.flush(now: now) { layer.deliver($0) }
      default: break
      }
    }
  }
}

extension StripDefinition {
  /// The bytes without what does not belong to them.
  func apply(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var low = 0
    var high = bytes.count
    func stands(_ mark: [UInt8], at place: Int) -> Bool {
      unsafe !mark.isEmpty && place >= 0 && place + mark.count <= high && bytes[place..<(place + mark.count)].elementsEqual(mark)
    }
    while let mark = noise.first(where: { stands($0, at: low) }) { low += mark.count }
    if let mark = prefixes.first(where: { stands($0, at: low) }) { low += mark.count }
    low = min(low + head, high)
    high = max(high - tail, low)
    if let mark = suffixes.first(where: { low + $0.count <= high && stands($0, at: high - $0.count) }) { high -= mark.count }
    while let mark = noise.first(where: { low + $0.count <= high && stands($0, at: high - $0.count) }) { high -= mark.count }
    if !until.isEmpty, let start = (low..<high).first(where: { place in until.contains { stands($0, at: place) } }) { low = start }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[low..<high])
  }
}
