import PacketCodecs

/// The analysis of one stream by itself.
struct StreamAnalysis {
  /// Most frames that are examined for fields.
  static let maxMessages = 600
  /// Least number of different advertisements whose repetitions are examined: the repetitions of fewer are no evidence of fields.
  private static let minimumRepeated = 4

  let stream: ValueStream
  let context: InferenceContext
  var findings: StreamFindings
  private(set) var segmentation: Segmentation
  /// Fields recognized in all messages.
  private var locatedFields: [FieldFinding] = []
  /// The protocol that the messages follow.
  private var standard: (any StandardDetector.Type)?
  /// Advertisements with their repetitions.
  private var repeated: [ArraySlice<UInt8>] = []
  /// Evidence for big-endian numbers in bits; negative for little-endian ones.
  private(set) var preference = 0.0

  /// Whether checksums are looked for that no other stream of the device has: this search takes longer than everything else.
  private let searchesChecks: Bool
  /// Number of bytes before those that look encrypted.
  private var plainBytes = 0
  /// The work that remains for the search for checksums.
  private let budget: CheckBudget

  /// `expecting` is a checksum that another stream of the device has, `known` a framing known from other streams, `requests` are the times of
  /// messages that this one may answer, `checks` is the budget of the search for checksums.
  init(
    _ stream: ValueStream, _ context: InferenceContext, expecting: Checksum? = nil, known: FramingDetector.Known? = nil,
    requests: [Int64] = [], searchesChecks: Bool = true, checks: Int = CheckBudget.maximum
  ) {
    self.stream = stream
    self.context = context
    self.searchesChecks = searchesChecks
    budget = CheckBudget(checks)
    findings = StreamFindings(source: stream.source)
    findings.packets = stream.count
    findings.isSteady = (1..<max(1, stream.count)).allSatisfy { stream.value($0) == stream.value(0) }
    let choice = FramingDetector.choose(
      stream, expecting, known: known, requests: requests, searchesChecks: searchesChecks, budget: budget)
    segmentation = FramingDetector.apply(choice, stream)
    findings.messages = segmentation.messages.count
    if segmentation.lost > 0 {
      findings.notes.append("\(segmentation.lost) of \(stream.byteCount) bytes belong to no frame")
    }
    findings.lengths = Set(segmentation.messages.lazy.map(\.bytes.count)).count
    guard !segmentation.messages.isEmpty else { return }
    frame(choice, expecting)
    if findings.framing.isEncrypted { plainFields() } else { fields() }
    if findings.framing.check == nil, !findings.framing.isEncrypted {
      findings.notes += RepeatDetector.notes(Self.spread(segmentation.messages, Self.maxMessages).map(\.bytes))
    }
    if !searchesChecks, findings.framing.check == nil, findings.messages >= 3 {
      findings.notes.append("checksums were not searched for: there are too many sources, and others have more messages")
    }
    if budget.leftOut > 0, findings.framing.check == nil {
      findings.notes.append("not all checksums were searched for: \(budget.leftOut) long searches were left out")
    }
    examples()
  }

  // MARK: Framing

  /// The length of the shortest message that has the longer form of the length, where all shorter ones have the short form.
  private func shortFormEnd(_ fragment: FragmentFinding) -> Int {
    var longestShort = 0
    var shortestLong = 32
    for message in segmentation.messages where fragment.isSelfSized {
      let isShort = fragment.headerSize(stream.value(message.packets.lowerBound)) == 1
      if isShort { longestShort = max(longestShort, message.bytes.count) } else { shortestLong = min(shortestLong, message.bytes.count) }
    }
    return longestShort < shortestLong ? shortestLong : 32
  }

  private mutating func frame(_ choice: FramingDetector.Choice, _ expecting: Checksum?) {
    var framing = FramingFinding()
    framing.kind = choice.kind
    framing.fragment = choice.fragment
    if let fragment = choice.fragment {
      framing.fragment?.parts = HeaderDetector.parts(fragment, segmentation, stream)
      framing.fragment?.shortFormEnd = shortFormEnd(fragment)
    }
    framing.confidence = choice.kind == .message ? 0.8 : Evidence.confidence(bits: choice.score, spent: 4)
    if case .padded = segmentation.rule { framing.isPadded = true }
    framing.packetSize = segmentation.split > 0 ? segmentation.full : nil
    let all = segmentation.messages.map(\.bytes)
    let isWhole = choice.kind == .message || all.count < 4
    let frames = isWhole ? all : Array(all.dropLast())

    // Constant bytes at both ends.
    let distinct = CheckDetector.different(frames, 2000)
    let shortest = frames.map(\.count).min() ?? 0
    var start = Array(frames[0].prefix(4))
    var end = Array(frames[0].suffix(4))
    for frame in frames {
      while !start.isEmpty, !frame.starts(with: start) { start.removeLast() }
      while !end.isEmpty, !frame.suffix(end.count).elementsEqual(end) { end.removeFirst() }
    }
    if start.count + end.count > shortest { end = [] }

    // Length: of all frames, or of nearly all.
    var length = choice.length
    if length == nil, let check = choice.check, check.confidence >= 0.9, check.verified < check.of {
      // A message that was damaged has no right length.
      length = LengthDetector.find(frames.filter { check.checksum.verify($0.rawSpan).isCorrect })
    }
    framing.length = length.flatMap { $0.length.confidence >= 0.25 ? $0.length : nil }
    if let length = framing.length {
      let good = frames.reduce(0) { $0 + (Self.holds(length, $1) ? 1 : 0) }
      framing.length?.holds = good
      framing.length?.of = frames.count
      if good * 100 < frames.count * 99 { framing.length = nil }
    }
    if framing.length == nil, var length = choice.frame, frames.allSatisfy({ Self.holds(length, $0) }) {
      (length.lengths, length.holds, length.of) = (Set(frames.map(\.count)).count, frames.count, frames.count)
      framing.length = length
    }
    if framing.length == nil, choice.kind == .message, let records = LengthDetector.findRecords(frames) { framing.length = records.length }
    let verdict = CipherDetector.judge(frames)
    let unescaped = choice.check.map { check in frames.count { check.checksum.verify($0.rawSpan).isCorrect } }
    if let escape = EscapeDetector.find(frames, budget), escape.escape.delimiter == 0 || Self.explains(escape, unescaped) {
      framing.escape = escape.escape
      framing.length = nil
      if var check = escape.check, check.confidence >= 0.5 {
        check.of = escape.frames.count
        check.verified = 0
        for frame in escape.frames where check.checksum.verify(frame.rawSpan).isCorrect { check.verified += 1 }
        if check.verified * 100 >= check.of * 98 { framing.check = check }
      }
    } else if var check = choice.check, let unescaped, unescaped * 100 >= frames.count * 97 {
      // Counted over all frames, not only over those that were used to find it.
      check.verified = unescaped
      check.of = frames.count
      framing.check = check
    } else if searchesChecks, choice.kind == .message, !context.isBrief || !verdict.isCipher,
      let check = CheckDetector.findInLong(frames, budget)
    {
      framing.check = check
    } else if choice.kind != .fragments, framing.escape == nil,
      let check = CheckDetector.findInKinds(frames, expecting: expecting, maxSearches: context.isBrief || !searchesChecks ? 0 : 4, budget)
    {
      framing.check = check
    } else if searchesChecks, choice.kind == .fragments {
      let packets = (0..<min(stream.count, 1000)).map { stream.value($0) }
      if var check = CheckDetector.find(packets, budget) {
        check.isPerPacket = true
        framing.check = check
      }
    }
    // Bytes after the checksum, or common to the ends of all distinct messages, are an end marker; also a byte that occurs nowhere else.
    let behind = framing.escape == nil ? framing.check.flatMap { $0.isOfAll ? Self.behind($0.checksum) : nil } : nil
    let delimiter = frames[0].last
    let isDelimited =
      distinct.count >= 3
      && frames.allSatisfy { $0.last == delimiter && $0.count >= 3 && !$0.dropFirst().dropLast().contains(delimiter ?? 0) }
    if let behind {
      end = Array(end.suffix(max(0, behind)))
    } else if isDelimited, end.count >= 1, framing.escape != nil || distinct.reduce(0, { $0 + $1.count }) >= 200 {
      end = Array(end.suffix(end.count >= 2 && end[end.count - 2] == 0x0d ? 2 : 1))
    } else {
      if distinct.count < 2 || end.last == 0 { end = [] }
      if distinct.count < 4 { end = Array(end.suffix(1)) }
      while let first = end.first, first == 0 { end.removeFirst() }
      if end.count > 2 { end = Array(end.suffix(2)) }
    }
    if distinct.count < 2 { start = Array(start.prefix(2)) }
    // The high byte of a float hardly changes.
    if framing.check == nil, framing.escape == nil, end.count == 1, FloatDetector.areFloats(frames, -4, .little) { end = [] }
    if start.count >= 2, FloatDetector.areFloats(frames, start.count - 1, .big) { start.removeLast() }
    framing.start = start
    framing.end = end
    if let length = framing.length, !LengthDetector.recordSizes.contains(length.unit) {
      let check = framing.check.flatMap { $0.checksum.position < 0 && !$0.isPerPacket && $0.isOfAll ? $0 : nil }
      let tail = check.map { -$0.checksum.position } ?? end.count
      framing.length = Self.width(length, frames, tail)
    }

    if verdict.isCipher, framing.check == nil {
      framing.isEncrypted = true
      plainBytes = verdict.header
      findings.notes.append(
        "\(verdict.bytes) bytes behind the first \(verdict.header) take all values equally often (entropy \(round(verdict.entropy))): a cipher, or compressed"
      )
    }
    var taken = Set<Int>()
    if let length = framing.length { taken.formUnion(length.offset..<(length.offset + length.size)) }
    if let check = framing.check, !check.isPerPacket, check.checksum.position >= 0 {
      taken.formUnion(check.checksum.position..<(check.checksum.position + check.checksum.storedCount))
    }
    // The low byte of a clock that is read each second is no counter.
    let seen = (isWhole ? segmentation.messages : segmentation.messages.dropLast()).map(\.time)
    var clocks = framing.isEncrypted ? [] : Registry.frameFieldDetectors.flatMap { $0.frameFields(frames, seen, tail: 0, context) }
    clocks.removeAll { clock in (clock.offset..<(clock.offset + (clock.size ?? 0))).contains { taken.contains($0) } }
    for field in clocks { taken.formUnion(field.offset..<(field.offset + (field.size ?? 0))) }
    locatedFields = clocks
    if !framing.isEncrypted || verdict.header > 0 {
      framing.counter = CounterDetector.find(frames, excluding: taken)
      if framing.isEncrypted, let counter = framing.counter, counter.offset >= verdict.header { framing.counter = nil }
    }
    findings.framing = framing
  }

  /// Whether more frames have a right checksum without the escapes than with them; where none has a checksum, the escapes alone are enough.
  private static func explains(_ escape: EscapeDetector.Found, _ unescaped: Int?) -> Bool {
    guard let unescaped else { return true }
    guard let check = escape.check else { return false }
    return escape.frames.count { check.checksum.verify($0.rawSpan).isCorrect } > unescaped
  }

  /// A few distinct messages.
  private static func examples(_ frames: [ArraySlice<UInt8>]) -> [[UInt8]] {
    var list: [[UInt8]] = []
    for frame in frames where !list.contains(where: { $0.elementsEqual(frame) }) {
      list.append(Array(frame))
      if list.count == 4 { break }
    }
    return list
  }

  private func round(_ value: Double) -> String { String(Double(Int(value * 100 + 0.5)) / 100) }

  private static func holds(_ length: LengthFinding, _ frame: ArraySlice<UInt8>) -> Bool {
    guard let value = frame.number(length.offset, length.size, length.endian), value < 1 << 24 else { return false }
    return Int(value) * length.unit + length.adds == frame.count
  }

  /// Of the widths that give the same values, the one after which the counted bytes begin.
  private static func width(_ length: LengthFinding, _ frames: [ArraySlice<UInt8>], _ tail: Int) -> LengthFinding {
    let low = length.offset + (length.endian == .big ? length.size - 1 : 0)
    var forms: [LengthFinding] = []
    for (offset, size, endian) in [
      (low, 1, ByteOrder.little), (low - 1, 2, .big), (low, 2, .little), (low - 3, 4, .big), (low, 4, .little),
    ] {
      guard offset >= 0 else { continue }
      var form = length
      (form.offset, form.size, form.endian) = (offset, size, endian)
      if frames.allSatisfy({ holds(form, $0) }) { forms.append(form) }
    }
    // A byte next to it that is always zero usually belongs to the number. Two such bytes after it are a number of their own, or padding.
    let isAlone = !frames.allSatisfy { $0.number(low + 2, 1, .little) == 0 }
    // The high byte of a short length is zero, and belongs to it.
    let counted = forms.filter { $0.size <= 2 && $0.adds == $0.offset + $0.size + tail }
    return counted.first { $0.size == 2 && $0.endian == .big } ?? counted.first
      ?? forms.first { $0.size == 2 && $0.endian == .big } ?? forms.first { $0.size == 2 && isAlone } ?? forms.first ?? length
  }

  /// Number of bytes after the checksum, where it is near the end.
  static func behind(_ checksum: Checksum) -> Int {
    checksum.position < 0 ? -checksum.position - checksum.storedCount : 0
  }

  // MARK: Fields

  /// Number of bytes at the end whose offsets count from the end: the checksum and the bytes after it.
  private var tail: Int {
    if let check = findings.framing.check, !check.isPerPacket, check.isOfAll, check.checksum.position < 0 {
      return -check.checksum.position
    }
    return findings.framing.end.count
  }

  /// The length field, if some messages are so long that the value needs more than one byte.
  var wideLength: LengthFinding? {
    guard let length = findings.framing.length, length.size > 1, length.confidence >= 0.9 else { return nil }
    let isWide = segmentation.messages.prefix(1200).contains { ($0.bytes.number(length.offset, length.size, length.endian) ?? 0) > 255 }
    return isWide ? length : nil
  }

  /// Lists the fields again with this byte order, for which other streams of the device give more evidence than this one. With `keepsLength` the
  /// width of the length field is kept.
  mutating func reorder(_ order: ByteOrder, keepsLength: Bool = false) {
    guard !findings.framing.isEncrypted, !segmentation.messages.isEmpty else { return }
    // The zero next to a length of one byte is its high byte only in the other byte order.
    if !keepsLength, let length = findings.framing.length, length.size == 2, length.endian != order,
      segmentation.messages.prefix(1200).allSatisfy({ ($0.bytes.number(length.offset, 2, length.endian) ?? 0) < 256 })
    {
      findings.framing.length?.size = 1
      if length.endian == .big { findings.framing.length?.offset += 1 }
      findings.framing.length?.endian = .little
    }
    let notes = findings.notes
    findings.fields = []
    findings.kinds = nil
    fields(order)
    findings.notes = notes
  }

  /// Lists the fields of the plain bytes before encrypted ones.
  private mutating func plainFields() {
    let framing = findings.framing
    guard plainBytes > 0, framing.escape == nil else { return }
    let messages = Self.spread(segmentation.messages, Self.maxMessages)
    let frames = messages.map(\.bytes)
    let headers = frames.map { $0.prefix(plainBytes) }
    var plain = framing
    plain.end = []
    if let length = plain.length, length.offset + length.size > plainBytes { plain.length = nil }
    let builder = KindFieldsBuilder(
      headers, messages.map(\.time), plain, nil, FieldSegmenter(headers, tail: 0), tail: 0, context, standard: nil)
    var preference = 0.0
    var fields = builder.build(nil, [], order: nil, preference: &preference).filter { $0.size != nil }
    // If no field before the encrypted bytes is sure, these bytes are not segmented.
    let isSure = fields.contains { ![.bytes, .uint, .int].contains($0.type) && $0.offset <= 1 }
    if !isSure || fields.isEmpty {
      fields = [
        FieldFinding(
          offset: 0, size: plainBytes, type: .bytes, endian: nil, confidence: 0.5, evidence: "some values come more often than others")
      ]
    }
    let end = fields.map { $0.offset + ($0.size ?? 0) }.max() ?? 0
    fields.append(
      FieldFinding(
        offset: end, size: nil, type: .bytes, endian: nil, confidence: 0.5,
        evidence: "all values about equally often: compressed, or a cipher"))
    findings.fields = [
      KindFields(
        kind: [], count: segmentation.messages.count, fields: fields, shortest: frames.map(\.count).min() ?? 0,
        longest: frames.map(\.count).max() ?? 0, examples: Self.examples(frames))
    ]
  }

  /// Whether a message has neither a right length nor a right checksum, although the others have both.
  private func isDamaged(_ frame: ArraySlice<UInt8>) -> Bool {
    guard let length = findings.framing.length, let check = findings.framing.check, check.isOfAll, !check.isPerPacket,
      findings.framing.escape == nil, length.holds < length.of, check.verified < check.of
    else { return false }
    return !Self.holds(length, frame) && !check.checksum.verify(frame.rawSpan).isCorrect
  }

  private mutating func fields(_ order: ByteOrder? = nil) {
    let framing = findings.framing
    let messages = Self.spread(segmentation.messages.filter { !isDamaged($0.bytes) }, Self.maxMessages)
    var frames = messages.map(\.bytes)
    if let escape = framing.escape {
      // Offsets of fields refer to the unescaped bytes.
      guard escape.delimiter > 0, let decoded = EscapeDetector.decode(frames, escape) else { return }
      frames = decoded.map { $0[...] }
    }
    var times = messages.map(\.time)
    // A few advertisements that are often repeated are only a few messages: what differs between two of them differs once.
    repeated = []
    if stream.source.direction == "advertise" {
      repeated = frames
      var seen = Set<ArraySlice<UInt8>>()
      let firsts = frames.indices.filter { seen.insert(frames[$0]).inserted }
      if firsts.count < Self.minimumRepeated { (frames, times) = (firsts.map { frames[$0] }, firsts.map { times[$0] }) }
    }
    for detector in Registry.standards where standard == nil {
      findings.standard = detector.claim(frames, framing)
      if findings.standard != nil { standard = detector }
    }
    if let view = HexView(frames, tail: tail, framing) {
      findings.notes.append("messages are hexadecimal digits")
      add(view.bodies, times, HexFraming.plain(framing), 0, view, frames, order)
      return
    }
    if Self.isJSON(frames) {
      findings.fields = [
        KindFields(
          kind: [], count: segmentation.messages.count,
          fields: [FieldFinding(offset: 0, size: nil, type: .json, endian: nil, confidence: 0.95, evidence: "JSON, from { to }")],
          shortest: frames.map(\.count).min() ?? 0, longest: frames.map(\.count).max() ?? 0, examples: frames.prefix(4).map(Array.init))
      ]
      return
    }
    add(frames, times, framing, tail, nil, frames, order)
  }

  /// Lists the fields of each kind of messages.
  private mutating func add(
    _ frames: [ArraySlice<UInt8>], _ times: [Int64], _ framing: FramingFinding, _ tail: Int, _ view: HexView?, _ shown: [ArraySlice<UInt8>],
    _ known: ByteOrder?
  ) {
    var taken = Set<Int>()
    if let length = framing.length, length.confidence >= 0.5 { taken.formUnion(length.offset..<(length.offset + length.size)) }
    if let counter = framing.counter, counter.confidence >= 0.5 { taken.formUnion(counter.offset..<(counter.offset + counter.size)) }
    if let check = framing.check, !check.isPerPacket, check.checksum.position >= 0 {
      taken.formUnion(check.checksum.position..<(check.checksum.position + check.checksum.storedCount))
    }
    let lengthColumns = framing.length.map { Set($0.offset..<($0.offset + $0.size)) } ?? []
    let bodies = frames.map { $0.dropLast(min($0.count, tail)) }
    if view == nil { for field in locatedFields { taken.formUnion(field.offset..<(field.offset + (field.size ?? 0))) } }
    let isText = Self.isText(bodies)
    if isText, view == nil, Set(bodies.map(\.count)).count > 1 {
      text(frames, framing)
      return
    }
    // A self-describing structure in all messages does not depend on their kinds.
    let structure = view != nil || isText ? nil : StructureDetector.find(frames, tail: tail, notBefore: (taken.max() ?? -1) + 1)
    if let structure, let longest = bodies.map(\.count).max(), longest > structure.offset { taken.formUnion(structure.offset..<longest) }
    let all = view == nil && !repeated.isEmpty ? repeated.map { $0.dropLast(min($0.count, tail)) } : bodies
    var kinds = isText ? nil : KindDetector.find(all, excluding: taken) ?? KindDetector.ofRare(all, excluding: taken.union(lengthColumns))
    if view != nil, kinds?.isLength ?? false { kinds = nil }
    if let found = kinds, !found.isLength,
      KindDetector.isNumber(all, found.offset) || !repeated.isEmpty && !KindDetector.haveContent(all, found.offset)
    {
      kinds = nil
    }
    if view == nil { findings.kinds = kinds }
    let byte = kinds.flatMap { $0.isLength ? nil : $0 }
    var groups: [UInt64: [Int]] = [:]
    func group(_ frame: ArraySlice<UInt8>) -> UInt64 {
      guard let kinds else { return 0 }
      return kinds.isLength ? UInt64(frame.count) : frame.dropFirst(kinds.offset).prefix(kinds.size).word
    }
    for (index, frame) in frames.enumerated() { groups[group(frame), default: []].append(index) }
    let ordered = groups.sorted { $0.value.count != $1.value.count ? $0.value.count > $1.value.count : $0.key < $1.key }
    let scale = Double(segmentation.messages.count) / Double(max(1, frames.count))
    // All messages are counted although the fields of a sample are examined, of repeated advertisements once.
    var counts: [UInt64: Int]?
    if findings.framing.escape == nil, view == nil {
      counts = [:]
      for message in segmentation.messages { counts?[group(message.bytes), default: 0] += 1 }
    }
    let whole = FieldSegmenter(frames, tail: tail)
    // Numbers have one byte order in all kinds: kinds with evidence determine it for the others.
    var preferences: [Double] = []
    var list: [KindFields] = []
    for isSecond in [false, true] {
      let sum = preferences.reduce(0, +)
      if isSecond { preference = sum }
      // Kinds with little evidence of the order take it from the others.
      let order: ByteOrder = sum >= 0 ? .big : .little
      let agree =
        preferences.allSatisfy { ($0 >= 0) == (sum >= 0) && abs($0) >= FieldSegmenter.Weights.unsure }
        && !list.contains { $0.fields.contains { $0.type == .length && $0.size != 1 && $0.endian != nil && $0.endian != order } }
      if isSecond, known != nil || agree || abs(sum) < FieldSegmenter.Weights.unsure { break }
      list = []
      for (group, indices) in ordered.prefix(view == nil ? 64 : 1) {
        let ofKind = indices.map { frames[$0] }
        let full = indices.map { shown[$0] }
        var kind = KindFields(
          kind: view != nil ? [] : kinds.map { Array(ofKind[0].dropFirst($0.offset).prefix($0.size)) } ?? [],
          count: view != nil ? segmentation.messages.count : counts?[group] ?? Int((Double(indices.count) * scale).rounded()), fields: [],
          shortest: (view == nil ? full : shown).map(\.count).min() ?? 0, longest: (view == nil ? full : shown).map(\.count).max() ?? 0,
          examples: Self.examples(full))
        let (framing, tail) = Self.framing(framing, of: ofKind, tail: tail)
        let builder = KindFieldsBuilder(ofKind, indices.map { times[$0] }, framing, byte, whole, tail: tail, context, standard: standard)
        var preference = 0.0
        kind.fields = builder.build(
          structure, view == nil ? locatedFields : [], order: known ?? (isSecond ? order : nil), preference: &preference)
        if !isSecond { preferences.append(max(-60, min(60, preference))) }
        if let view { kind.fields = view.converted(kind.fields, findings.framing) }
        list.append(kind)
      }
    }
    findings.fields += list
  }

  /// The framing of the messages of a kind, and how many bytes at their ends are counted from there: a checksum of some messages belongs to a kind if
  /// most of the kind's messages have it.
  private static func framing(_ framing: FramingFinding, of kind: [ArraySlice<UInt8>], tail: Int) -> (FramingFinding, tail: Int) {
    guard let check = framing.check, let condition = check.condition else { return (framing, tail) }
    var ofKind = framing
    let have = kind.count { condition.holds($0) }
    guard have * 4 >= kind.count * 3, kind.allSatisfy({ $0.count >= check.shortest }) else {
      ofKind.check = nil
      return (ofKind, tail)
    }
    ofKind.check?.condition = nil
    ofKind.check?.shortest = 0
    return (ofKind, check.checksum.position < 0 ? -check.checksum.position : tail)
  }

  /// Messages that are text of several lengths: they have no fields at fixed offsets.
  private mutating func text(_ frames: [ArraySlice<UInt8>], _ framing: FramingFinding) {
    let end = framing.end.count
    var fields = [
      FieldFinding(
        offset: 0, size: nil, type: .text, endian: nil, confidence: 0.95,
        evidence: "printable characters: \(frames.count) of \(frames.count)")
    ]
    if let check = framing.check, !check.isPerPacket, check.checksum.position < 0 {
      fields.append(
        FieldFinding(
          offset: check.checksum.position, size: check.checksum.storedCount, type: .checksum, endian: nil, confidence: check.confidence,
          evidence: "\(check.checksum.algorithm.name): \(check.verified) of \(check.of)", isHex: check.checksum.form == .asciiHex))
    }
    if end > 0 {
      fields.append(FieldFinding(offset: -end, size: end, type: .constant, endian: nil, confidence: 0.9, evidence: "ends all messages"))
    }
    findings.fields = [
      KindFields(
        kind: [], count: segmentation.messages.count, fields: fields, shortest: frames.map(\.count).min() ?? 0,
        longest: frames.map(\.count).max() ?? 0, examples: frames.prefix(4).map(Array.init))
    ]
  }

  /// A length is rare if at most so many messages have it.
  private static let maxOfRareLength = 8
  /// Most messages of rare lengths that are added to a sample.
  private static let maxRare = 64

  /// A sample of `limit` messages at even distances, and in addition messages of rare lengths, which it could leave out.
  static func spread(_ messages: [Message], _ limit: Int) -> [Message] {
    guard messages.count > limit else { return messages }
    var counts: [Int: Int] = [:]
    for message in messages { counts[message.bytes.count, default: 0] += 1 }
    let others = messages.indices.lazy.filter { counts[messages[$0].bytes.count, default: 0] <= maxOfRareLength }.prefix(maxRare)
    return Set((0..<limit).map { $0 * messages.count / limit }).union(others).sorted().map { messages[$0] }
  }

  private static func isJSON(_ frames: [ArraySlice<UInt8>]) -> Bool {
    frames.allSatisfy { frame in
      let body = frame.drop { $0 <= 0x20 }
      guard let last = body.last(where: { $0 > 0x20 }), let first = body.first else { return false }
      return (first == 0x7b && last == 0x7d || first == 0x5b && last == 0x5d) && body.contains(0x22)
    }
  }

  static func isText(_ frames: [ArraySlice<UInt8>]) -> Bool {
    var good = 0
    var all = 0
    for frame in frames.prefix(200) {
      for byte in frame {
        all += 1
        if byte >= 0x20 && byte < 0x7f || byte == 0x0a || byte == 0x0d || byte == 0x09 { good += 1 }
      }
    }
    return all >= 16 && good * 100 >= all * 99
  }

  // MARK: Examples

  private mutating func examples() {
    var seen = Set<ArraySlice<UInt8>>()
    for message in segmentation.messages.prefix(segmentation.messages.count > 4 ? segmentation.messages.count - 1 : .max) {
      guard findings.examples.count < 6 else { break }
      guard seen.insert(message.bytes).inserted else { continue }
      // Values can have other messages, too.
      let isPart =
        switch segmentation.rule {
        case .chain, .pieces: stream.joined(message.packets).count != message.bytes.count
        default: false
        }
      findings.examples.append(isPart ? [Array(message.bytes)] : message.packets.map { Array(stream.value($0)) })
    }
  }
}
