import PacketCodecs

/// Chooses the framing of a stream among all rules that the registry proposes.
enum FramingDetector {
  struct Choice {
    var segmentation: Segmentation
    var kind: FramingFinding.Kind
    var length: LengthDetector.Found?
    var check: CheckFinding?
    var fragment: FragmentFinding?
    /// The length field of the joined frames, where it is known otherwise than by ``length``: from the header of the packets, or from another stream of
    /// the same device.
    var frame: LengthFinding?
    var score: Double
  }

  /// A framing that is known from other streams of the device.
  enum Known {
    /// Packets have a header.
    case header(FragmentDetector.Found)
    /// Frames that are cut into values have this length field.
    case frames(LengthFinding)
  }

  /// Most values from which the framing is chosen; the chosen rule is then applied to all.
  static let maxValues = 3000

  /// Chooses the framing; `requests` are the times of messages that the stream may answer, in order. Without `searchesChecks` only the checksum
  /// `expecting` is tried; with it, others within `budget`. A `known` framing is not searched.
  static func choose(
    _ stream: ValueStream, _ expecting: Checksum? = nil, known: Known? = nil, requests: [Int64] = [],
    searchesChecks: Bool = true, budget: CheckBudget
  ) -> Choice {
    let checks: Checks = searchesChecks ? .all(expecting, budget) : .single(expecting)
    switch known {
    case .header(let header): return join(header, Segmentation(.fragments(header.fragment), stream, limit: maxValues), stream, checks)
    case .frames(let length):
      var choice = rate(Segmentation(.length(length, start: []), stream, limit: maxValues), .stream, stream, checks: checks)
      choice.frame = length
      choice.frame?.confidence = 0.75
      return choice
    case nil: break
    }
    let each = rate(Segmentation(.each, stream, limit: maxValues), .message, stream, checks: checks)
    // Advertising data is complete in each value.
    if stream.source.section == .advertisements { return each }
    var best = each
    let hasFrames = (each.length.map { $0.bits > 6 } ?? false) || each.check != nil
    var candidates: [(SegmentationRule, FramingFinding.Kind)] = []
    if !hasFrames, !requests.isEmpty { candidates.append((.answers(to: requests), .stream)) }
    // Frames of which some are cut: their checksum is right in most values, and no length holds for all.
    let hasCutFrames = hasFrames && each.length == nil && each.check.map { $0.verified < $0.of } ?? false
    if !hasFrames { candidates += runs(stream).map { ($0, .stream) } }
    if !hasFrames || hasCutFrames { candidates += coalesced(stream).map { ($0, .stream) } }
    if let size = ChainDetector.frameSize(stream, each.check, limit: maxValues) {
      // The checksum is right in each frame, also in those that do not begin a value.
      return rate(Segmentation(.pieces(size), stream, limit: maxValues), .stream, stream, structural: 40, checks: checks)
    }
    var tried = Set<[Int]>()
    var rated: [Choice] = []
    for (rule, kind) in candidates {
      let segmentation = Segmentation(rule, stream, limit: maxValues)
      guard segmentation.split >= 1 || segmentation.messages.count > each.segmentation.messages.count else { continue }
      guard tried.insert(segmentation.messages.prefix(200).map { $0.bytes.startIndex }).inserted else { continue }
      rated.append(rate(segmentation, kind, stream, checks: .single(nil)))
    }
    // The search for checksums is slow: it is done for the best candidates only.
    rated.sort { $0.score > $1.score }
    for candidate in rated.prefix(4) {
      let choice = rate(candidate.segmentation, candidate.kind, stream, checks: checks)
      // The checksum is right in each frame where it was not in each value.
      let isMended = hasCutFrames && choice.check.map { $0.verified == $0.of } ?? false
      if choice.score > best.score + (isMended ? 0 : 4) { best = choice }
    }
    if each.length == nil, let length = ChainDetector.padded(stream, limit: maxValues) {
      let choice = rate(Segmentation(.padded(length), stream, limit: maxValues), .stream, stream, structural: 20, checks: checks)
      if choice.score > best.score { best = choice }
    }
    if !hasFrames, let chain = ChainDetector.find(stream, limit: maxValues) {
      let rule = SegmentationRule.chain(chain.length, start: chain.start, end: chain.end)
      let choice = rate(Segmentation(rule, stream, limit: maxValues), .stream, stream, structural: chain.bits, checks: checks)
      if choice.score > best.score + 4 { best = choice }
    }
    // In text the first letters of values are no header.
    let isText = StreamAnalysis.isText((0..<min(stream.count, 200)).map { stream.value($0) })
    if isText, var lines = lines(stream, checks) {
      lines.score = max(lines.score, best.score + 10)
      best = lines
    }
    for found in isText ? [] : FragmentDetector.find(stream, limit: maxValues).prefix(6) {
      let segmentation = Segmentation(.fragments(found.fragment), stream, limit: maxValues)
      // Packets that consist of the header only carry no message.
      guard segmentation.split >= 2, segmentation.messages.count(where: { $0.bytes.isEmpty }) * 10 <= segmentation.messages.count,
        !found.fragment.isOfState || !FragmentDetector.areNumbered(segmentation, stream, header: found.fragment.header)
      else { continue }
      let choice = join(found, segmentation, stream, checks)
      if choice.score > best.score + 6 { best = choice }
    }
    return best
  }

  /// Lines of text that are cut into values: all end alike, and a value in which a line goes on is full, or the next one follows faster than lines
  /// do.
  private static func lines(_ stream: ValueStream, _ checks: Checks) -> Choice? {
    let count = min(stream.count, maxValues)
    for end in [[0x0D, 0x0A], [0x0A], [0x0D]] as [[UInt8]] {
      let ended = (0..<count).count { stream.value($0).suffix(end.count).elementsEqual(end) }
      guard ended >= 4, ended * 2 >= count else { continue }
      let segmentation = Segmentation(.runs(start: [], full: 0, end: end, gap: 0), stream, limit: maxValues)
      let open = segmentation.messages.flatMap { $0.packets.dropLast() }
      guard segmentation.split >= 2 else { return nil }
      let isFull = open.count { stream.size($0) == segmentation.full } * 10 >= open.count * 9
      let within = open.map { stream.time($0 + 1) - stream.time($0) }
      let between = zip(segmentation.messages, segmentation.messages.dropFirst()).map { $1.time - $0.end }
      guard isFull || FragmentDetector.shorter(within, between) >= 0.95 else { return nil }
      return rate(segmentation, .stream, stream, checks: checks)
    }
    return nil
  }

  /// The choice that results if packets are joined by their header.
  private static func join(
    _ header: FragmentDetector.Found, _ segmentation: Segmentation, _ stream: ValueStream, _ checks: Checks
  ) -> Choice {
    var choice = rate(segmentation, .fragments, stream, structural: header.bits + header.sized, checks: checks)
    choice.fragment = header.fragment
    choice.fragment?.confidence = min(Evidence.confidence(bits: header.bits, spent: 10), header.isWeak ? 0.75 : 1)
    if var frame = header.fragment.frame {
      frame.confidence = min(frame.confidence, choice.fragment?.confidence ?? 0)
      choice.frame = frame
    }
    return choice
  }

  /// Applies a choice to all values.
  static func apply(_ choice: Choice, _ stream: ValueStream) -> Segmentation {
    stream.count <= maxValues ? choice.segmentation : Segmentation(choice.segmentation.rule, stream)
  }

  /// The checksums to try: the one of another stream, or all.
  private enum Checks {
    case all(Checksum?, CheckBudget)
    case single(Checksum?)
  }

  private static func rate(
    _ segmentation: Segmentation, _ kind: FramingFinding.Kind, _ stream: ValueStream, structural: Double? = nil, checks: Checks
  ) -> Choice {
    let frames = segmentation.messages.prefix(1200).map(\.bytes)
    var choice = Choice(segmentation: segmentation, kind: kind, score: 0)
    // The last message can be truncated by the end of the capture.
    let whole = kind == .message || frames.count < 4 ? frames : Array(frames.dropLast())
    choice.length = LengthDetector.find(whole)
    switch checks {
    case .all(let expecting, let budget):
      choice.check =
        expecting.flatMap { CheckDetector.confirm($0, whole) } ?? CheckDetector.find(whole, budget)
        ?? EscapeDetector.find(whole, budget)?.check
    case .single(let expecting): choice.check = expecting.flatMap { CheckDetector.confirm($0, whole) }
    }
    var score = 0.0
    if let length = choice.length, length.bits > 3 { score += min(40, length.bits) }
    if let check = choice.check { score += check.confidence >= 0.9 ? 40 : 10 }
    score -= Double(segmentation.problems) * 3
    if case .length = segmentation.rule, segmentation.problems * 20 > segmentation.messages.count { score -= 40 }
    if kind != .message {
      let structure = structural ?? FragmentDetector.structure(segmentation, stream)
      // Where a length leads from each frame to the next one, sizes of values and pauses are no evidence against it.
      var hasLength = false
      if case .length = segmentation.rule, segmentation.problems == 0 {
        score += max(0, structure)
        hasLength = choice.length.map { $0.bits > 16 } ?? false
      } else {
        score += structure
      }
      if kind == .stream { score += starts(segmentation, stream) - 6 }
      // Without a length or a checksum only pauses and sizes are evidence for joining values.
      if kind == .stream, score < 40, !hasLength,
        !isSupported(segmentation, stream) || areAlike(segmentation, stream) || !isCut(segmentation, stream)
      {
        score = min(score, 0)
      }
      // A value that begins as a message does is no part of another one, and no message has bytes behind its checksum.
      if kind == .stream, structural == nil, beginAlike(segmentation, stream) { score = min(score, 0) }
      if segmentation.split > 0, let check = choice.check, check.isOfAll, StreamAnalysis.behind(check.checksum) > maxBehindChecksum {
        score = min(score, 0)
      }
    }
    choice.score = score
    return choice
  }

  /// Whether pauses are shorter within messages, and only the last value of each is not full.
  private static func isSupported(_ segmentation: Segmentation, _ stream: ValueStream) -> Bool {
    var within: [Int64] = []
    var between: [Int64] = []
    var filled = 0
    var sizes = Set<Int>()
    for (index, message) in segmentation.messages.enumerated() {
      if index > 0 { between.append(message.time - segmentation.messages[index - 1].end) }
      for packet in message.packets.dropLast() {
        within.append(stream.time(packet + 1) - stream.time(packet))
        if stream.size(packet) == segmentation.full { filled += 1 }
      }
      if message.packets.count > 1 { sizes.insert(message.packets.count) }
    }
    guard within.count >= 2, filled * 100 >= within.count * 95 else { return false }
    return between.isEmpty || FragmentDetector.shorter(within, between) >= 0.95
  }

  /// Whether the values of a message are similar, so that each is probably a message by itself.
  private static func areAlike(_ segmentation: Segmentation, _ stream: ValueStream) -> Bool {
    var values: [(bytes: ArraySlice<UInt8>, header: Int)] = []
    for message in segmentation.messages where message.packets.count > 1 && values.count < 400 {
      for packet in message.packets { values.append((stream.value(packet), 0)) }
    }
    return FragmentDetector.areAlike(values)
  }

  /// Most bytes behind the checksum at the end of a message: those of an end marker.
  private static let maxBehindChecksum = 4
  /// Parts of a message mostly follow each other without a longer pause than this, in microseconds.
  private static let longestPause: Int64 = 2_000_000

  /// Whether values can be parts of messages: they have several sizes, as the last part of a message usually is shorter than the others, and parts
  /// follow each other without long pauses.
  private static func isCut(_ segmentation: Segmentation, _ stream: ValueStream) -> Bool {
    let messages = segmentation.messages
    let size = stream.size(0)
    if messages.allSatisfy({ $0.packets.allSatisfy { stream.size($0) == size } }) {
      // If all values have one size, the last part of a message is not shorter than the others. Then values are joined only where nearly all messages
      // are a single value, and all messages begin alike.
      guard messages.count * 4 >= messages.reduce(0, { $0 + $1.packets.count }) * 3, let start = messages.first?.bytes.prefix(2),
        start.first != 0, messages.allSatisfy({ $0.bytes.starts(with: start) }), Set(messages.prefix(100).map(\.bytes)).count >= 8
      else { return false }
    }
    let slow = messages.count { message in
      message.packets.dropLast().contains { stream.time($0 + 1) - stream.time($0) > longestPause }
    }
    return slow * 10 <= segmentation.split
  }

  /// Whether most values that are not the first one of a message begin with the first byte of all messages.
  private static func beginAlike(_ segmentation: Segmentation, _ stream: ValueStream) -> Bool {
    guard let start = segmentation.messages.first?.bytes.first, start != 0,
      segmentation.messages.allSatisfy({ $0.bytes.first == start })
    else { return false }
    var (others, alike) = (0, 0)
    for message in segmentation.messages {
      for packet in message.packets.dropFirst() {
        others += 1
        if stream.value(packet).first == start { alike += 1 }
      }
    }
    return others >= 4 && alike * 2 > others
  }

  /// The evidence, in bits, that messages have a common start which values inside messages do not have. Negative where these begin alike, or messages
  /// do not.
  private static func starts(_ segmentation: Segmentation, _ stream: ValueStream) -> Double {
    guard let first = segmentation.messages.first, segmentation.messages.count >= 2 else { return 0 }
    var prefix = Array(first.bytes.prefix(4))
    for message in segmentation.messages {
      while !prefix.isEmpty, !message.bytes.starts(with: prefix) { prefix.removeLast() }
    }
    guard !prefix.isEmpty else { return -4 }
    var others = 0
    var alike = 0
    for message in segmentation.messages where message.packets.count > 1 {
      for packet in message.packets.dropFirst() {
        others += 1
        if stream.value(packet).starts(with: prefix) { alike += 1 }
      }
    }
    guard others > 0 else { return 0 }
    if alike * 10 > others { return -10 }
    // If all messages are identical, their common start is no evidence for where a message begins.
    if segmentation.messages.dropFirst().allSatisfy({ $0.bytes == first.bytes }) { return 3 }
    return min(14, 3 * Double(min(others, segmentation.messages.count)))
  }

  /// Rules that join runs of values.
  private static func runs(_ stream: ValueStream) -> [SegmentationRule] {
    let count = min(stream.count, maxValues)
    guard count >= 3 else { return [] }
    var full = 0
    for index in 0..<count { full = max(full, stream.size(index)) }
    var rules: [SegmentationRule] = []
    var starts: [[UInt8]] = []
    // Values at the beginning, after values that are not full, and after a pause, start messages.
    var behindShort: [ArraySlice<UInt8>] = [stream.value(0)]
    for index in 1..<count where stream.size(index - 1) < full { behindShort.append(stream.value(index)) }
    for size in 1...4 {
      for (value, _) in histogram(behindShort.lazy.filter { $0.count >= size }.map { Array($0.prefix(size)).word }).prefix(2) {
        starts.append((0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - $0))) })
      }
    }
    let gaps = silences(stream, count)
    rules.append(.runs(start: [], full: full, end: [], gap: 0))
    for gap in gaps {
      rules.append(.runs(start: [], full: 0, end: [], gap: gap))
      rules.append(.runs(start: [], full: full, end: [], gap: gap))
    }
    for start in starts {
      rules.append(.runs(start: start, full: 0, end: [], gap: 0))
      rules.append(.runs(start: start, full: full, end: [], gap: 0))
    }
    // Messages with a common end.
    var ends: [[UInt8]] = []
    for size in 1...2 {
      let tails = (0..<count).lazy.map { stream.value($0) }.filter { $0.count >= size && $0.count < full }.map {
        Array($0.suffix(size)).word
      }
      for (value, _) in histogram(tails).prefix(1) {
        ends.append((0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - $0))) })
      }
    }
    for end in ends { rules.append(.runs(start: [], full: 0, end: end, gap: 0)) }
    return rules
  }

  /// Pauses that can separate messages: where the sorted pauses have their largest steps.
  private static func silences(_ stream: ValueStream, _ count: Int) -> [Int64] {
    var pauses: [Int64] = []
    for index in 1..<count { pauses.append(max(0, stream.time(index) - stream.time(index - 1))) }
    pauses.sort()
    var best: (ratio: Double, at: Int64) = (2, 0)
    for index in 1..<max(1, pauses.count) where pauses[index] > 2000 {
      let ratio = Double(pauses[index]) / Double(max(500, pauses[index - 1]))
      if ratio > best.ratio { best = (ratio, (pauses[index] + pauses[index - 1]) / 2) }
    }
    return best.at > 0 ? [best.at] : []
  }

  /// Several frames in a value, or frames that do not end with values: cut by a length field that most values obey.
  private static func coalesced(_ stream: ValueStream) -> [SegmentationRule] {
    let count = min(stream.count, 600)
    let values = (0..<count).map { stream.value($0) }.filter { $0.count >= 3 }
    guard values.count >= 6, let found = LengthDetector.find(values, share: 0.5), found.length.holds < values.count else { return [] }
    var start = Array(values[0].prefix(min(4, found.length.offset)))
    for value in values {
      while !start.isEmpty, !value.starts(with: start) { start.removeLast() }
    }
    return [.length(found.length, start: start)]
  }
}

extension Collection<UInt8> {
  /// The first eight bytes as a number, the first highest.
  var word: UInt64 { prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
