import Bluetooth
import Conversations
import PacketCodecs
@_spi(Pipeline) import Profiles

/// Rewrites the packets of a profile's message: framing and harmless fields are kept, the rest is replaced.
final class MessageRewrite {
  /// A part of a payload: its packet, its offset there, and its offset `at` in the payload.
  struct Span {
    var packet: Int
    var offset: Int
    var at: Int
    var count: Int
  }

  private let redaction: Redaction
  private let message: ProfileMessage
  private let payload: [UInt8]
  private let spans: [Span]
  /// The judged fields.
  let judge: MessageJudge
  private let frame: Int
  private let isShipped: Bool
  /// Bytes without a field are kept, too: values are kept, and the profile and the attribute have no secrets.
  private let keepsRest: Bool
  /// The message is complete, and was decoded to its end.
  private let isWhole: Bool
  /// Number of bytes of the end marker, at the end of the payload.
  private let endMarkerCount: Int
  private let framing: (before: Int?, behind: Int?)
  /// The original packets; decoded, where the message is encoded in transit.
  private let original: [[UInt8]]
  /// The decoded packets; nil where the message is not encoded in transit.
  private let decoded: DecodedPackets?
  /// The replaced parts of the payload, where the length of the encoded packets depends on the replacements.
  private var changes: [Change] = []
  private struct Change {
    var range: Range<Int>
    var treatment: Treatment
    var old: [UInt8]
  }
  /// The range of the message in each packet, with its header; ``payloads``: without it.
  private var extents: [Range<Int>]
  private var payloads: [Range<Int>]
  /// The locations of right checksums, which are recomputed.
  private let checks: [ProfileMessage.Extent]
  /// Bytes that may be a checksum are replaced: a wrong checksum, or one that a user's profile does not describe, may be right by another algorithm.
  private let hidesChecks: Bool
  /// The locations of replaced fields; only with ``hidesChecks``.
  private var written: [(packet: Int, range: Range<Int>)] = []
  /// The replaced ranges, whose new bytes may equal the old ones by chance; for ``leavesText``, and only of a doubtful message.
  private var replaced: [(packet: Int, range: Range<Int>)] = []
  private var losesHeader = false

  /// The packets as values that profiles saw, with the ends of the messages found in them so far.
  private(set) var sources: [RecentValues.Value]
  /// The rewritten packets.
  private(set) var packets: [[UInt8]]

  /// Maximum sizes of a header whose length depends on the packet, in a complete message and in a part of one, and of a checksum behind the payload.
  private static let maxFraming = 16
  private static let maxFramingOfPart = 5
  static let maxTrailer = 4
  /// Maximum size of a header without a payload.
  private static let maxBare = 2

  /// `decoded` has the packets, where the message is encoded in transit.
  init(
    _ message: ProfileMessage, _ framing: (before: Int?, behind: Int?), _ payload: [UInt8], in sources: [RecentValues.Value],
    decoded: DecodedPackets?, at spans: [Span], _ judge: MessageJudge, isSecret: Bool, frame: Int, _ redaction: Redaction
  ) {
    self.message = message
    self.payload = payload
    self.spans = spans
    self.frame = frame
    self.redaction = redaction
    self.sources = sources
    self.decoded = decoded
    isShipped = judge.isShipped
    judge.rule()
    self.judge = judge
    keepsRest = redaction.options.keepsValues && !message.profile.hasSecrets && !isSecret
    isWhole = message.isComplete && message.problem == nil && message.surplus == 0
    endMarkerCount = message.endMarkerCount(of: payload)
    self.framing = framing
    hidesChecks = !keepsRest && (message.checksum == .bad || message.checksum == .none && !isShipped)
    original = sources.map(\.bytes)
    // Replacements of other messages in the same packets are kept.
    packets = sources.map(\.written)
    extents = [Range<Int>](repeating: 0..<0, count: sources.count)
    payloads = extents
    // Framing around the payload is kept, as far as the layers of the profile remove it.
    // If the header's length depends on the packet, and the message is incomplete, the header may have begun in another packet.
    let maxBefore = framing.before ?? (message.skipped > 0 ? 0 : message.isComplete ? Self.maxFraming : Self.maxFramingOfPart)
    for span in spans {
      let end = span.offset + span.count
      packets[span.packet].replaceSubrange(span.offset..<end, with: payload[span.at..<span.at + span.count])
      let before = max(sources[span.packet].end, sources[span.packet].claimed)
      extents[span.packet] = max(min(before, span.offset), span.offset - maxBefore)..<end
      payloads[span.packet] = span.offset..<end
    }
    checks = decoded?.checks ?? message.checksumExtents(in: original, extents: extents, payloads: payloads) ?? []
  }

  /// Whether a packet has a part of the payload, or of bytes that are encoded or recomputed with it.
  func hasPart(in packet: Int) -> Bool { spans.contains { $0.packet == packet } || decoded?.has(packet) ?? false }

  /// The parts of the payload, with their new bytes.
  var parts: [(span: Span, bytes: [UInt8])] {
    spans.map { ($0, Array(packets[$0.packet][$0.offset..<$0.offset + $0.count])) }
  }

  /// A part was replaced, and no kept byte is a control character that texts do not have; for a message of numbers.
  var mayReadAsText: Bool {
    var hasReplaced = false
    for at in payload.indices {
      if judge.stays[at] == nil { hasReplaced = true } else if 1...8 ~= payload[at] || 14...31 ~= payload[at] { return false }
    }
    return hasReplaced
  }

  /// Only the packets with a part of the payload are written; those of other values are not changed.
  var writesPartsOnly: Bool { keepsRest }

  /// The kept bytes of the packets read as text, though no field of the profile is text.
  var leavesText: Bool {
    if keepsRest || judge.isWritten || judge.fields.contains(where: { $0.rule == .profile && !$0.isNumber }) { return false }
    return spans.contains { span in
      let (old, new) = (original[span.packet], packets[span.packet])
      var kept = Array(old[..<(sources[span.packet].rest ?? old.count)])
      for at in kept.indices where old[at] != new[at] { kept[at] = UInt8.max }
      for part in replaced where part.packet == span.packet { for at in part.range.clamped(to: kept.indices) { kept[at] = UInt8.max } }
      return TextRuns.isIn(kept, fewest: Self.fewestLetters)
    }
  }
  /// This number of letters is a text.
  private static let fewestLetters = 4

  // MARK: Around the payload

  /// Rewrites the bytes around the payload in its packets. The bytes behind it are replaced later, if no other message was found there: otherwise
  /// each of many messages in one packet would replace all bytes behind it.
  func framePackets() {
    var covered = 0
    let (isFramingBefore, isFramingBehind) = framingAlone()
    for number in sources.indices {
      guard covered < spans.count, spans[covered].packet == number else {
        packetWithoutPayload(number, isFraming: covered == 0 ? isFramingBefore : covered == spans.count && isFramingBehind)
        continue
      }
      let (first, end) = (spans[covered].offset, spans[covered].offset + spans[covered].count)
      covered += 1
      let bytes = original[number]
      let (open, before, claimed) = (sources[number].rest, sources[number].end, sources[number].claimed)
      sources[number].end = end
      // Bytes between the last message and this one.
      if let open, open < extents[number].lowerBound { replace(open..<extents[number].lowerBound, of: number) }
      if before < first { header(of: number, first, behind: max(before, claimed)) }
      if message.direction == .advertise { continue }
      if keepsRest {
        if let open { sources[number].rest = max(open, end) < bytes.count ? max(open, end) : nil }
        continue
      }
      // A checksum behind the payload is recomputed. A wrong one is replaced, as it may be right by another algorithm.
      var stop = end
      if isWhole || message.checksum == .ok {
        stop = end + min(framing.behind ?? Self.maxTrailer, bytes.count - end)
        for check in checks where check.packet == number && check.range.lowerBound >= end { stop = max(stop, check.range.upperBound) }
        let marker = message.endMarkers.first { stop - end >= $0.count && bytes[end..<stop].suffix($0.count).elementsEqual($0) }
        let isComputed = decoded != nil || !message.hasFixedChecksum
        let trusted = isShipped && message.checksum != .bad && isComputed ? stop - end : marker?.count ?? 0
        if trusted < stop - end { replace(end..<stop - trusted, of: number) }
        // An earlier message in the same packet may have replaced these bytes.
        packets[number].replaceSubrange(stop - trusted..<stop, with: bytes[stop - trusted..<stop])
        redaction.keeps(.framing, profile: "\(message.profile.id) trailer", trusted, frame)
      }
      // If the size of a trailer depends on the packet, the bytes may as well be the next message.
      sources[number].claimed = framing.behind == nil ? end : stop
      // Bytes that the layers of this message decode, or that its checksum covers, are encoded again with it.
      let rest = max(stop, decoded?.end(in: number) ?? 0)
      if stop < rest { replace(stop..<rest, of: number) }
      sources[number].rest = rest < bytes.count ? rest : nil
    }
  }

  /// Whether the packets before the first part of the payload, and behind the last, consist of framing that the layers of the profile remove.
  private func framingAlone() -> (before: Bool, behind: Bool) {
    guard isShipped, isWhole, message.checksum != .bad, message.skipped == 0, let first = spans.first, let last = spans.last else {
      return (false, false)
    }
    // A packet may have values of other attributes, and a text is no framing.
    guard sources.indices.allSatisfy({ sources[$0].attribute == sources[first.packet].attribute }) else { return (false, false) }
    func count(_ numbers: Range<Int>, _ more: Int) -> Int {
      let isText = numbers.contains { TextRuns.isIn(original[$0], fewest: Self.fewestLetters) }
      return isText ? .max : numbers.reduce(more) { $0 + original[$1].count }
    }
    let isComputed = decoded != nil || !message.hasFixedChecksum
    let end = last.offset + last.count
    return (
      count(0..<first.packet, first.offset) <= framing.before ?? 0,
      isComputed && count(last.packet + 1..<original.count, original[last.packet].count - end) <= framing.behind ?? 0
    )
  }

  private func packetWithoutPayload(_ number: Int, isFraming: Bool) {
    let source = sources[number]
    guard source.end == 0 else { return }
    if isFraming || payload.isEmpty && isWhole && source.bytes.count <= framing.before ?? Self.maxBare {
      packets[number] = source.bytes
      if isFraming { sources[number].end = source.bytes.count }
      sources[number].rest = nil
      redaction.keeps(.framing, profile: "\(message.profile.id) header", source.bytes.count, frame)
    } else if !keepsRest {
      let isOfMessage = decoded?.has(number) ?? false || checks.contains { $0.packet == number }
      sources[number].rest = isOfMessage || source.bytes.isEmpty ? nil : 0
      if isOfMessage { replace(0..<source.bytes.count, of: number) }
    }
  }

  /// Rewrites the bytes of a packet before the payload, which begins at `first`. Those up to `earlier` belong to earlier messages.
  private func header(of number: Int, _ first: Int, behind earlier: Int) {
    let bytes = original[number]
    let header = extents[number].lowerBound
    let whole = header..<first
    // A text is no header.
    let keepsHeaders =
      keepsRest || isShipped && !(whole.count > Self.maxFramingOfPart && TextRuns.isIn(bytes, whole, fewest: Self.fewestLetters))
    let stays = keepsHeaders ? [whole] : message.framing(before: whole, of: bytes, traits: redaction.fieldNames)
    if !keepsHeaders {
      packets[number].replaceSubrange(whole, with: redaction.replacement(.value, Array(bytes[whole])))
      for at in whole where judge.isDoubtful && !stays.contains(where: { $0.contains(at) }) { replaced.append((number, at..<at + 1)) }
    }
    let count = stays.reduce(0) { $0 + $1.count }
    if message.headerParts != nil, count < whole.count { losesHeader = true }
    for range in stays { packets[number].replaceSubrange(range, with: bytes[range]) }
    redaction.keeps(.framing, profile: "\(message.profile.id) header", count, frame)
    // Bytes before the header belong to no message, except for a prefix that the profile defines.
    let prefix = isShipped ? message.prefixes.first { bytes[..<header].suffix($0.count).elementsEqual($0) }?.count ?? 0 : 0
    let start = min(earlier, header)
    let end = max(start, header - prefix)
    guard start < end, !keepsRest else { return }
    replace(start..<end, of: number)
    let old = Array(bytes[start..<end])
    if !redaction.isHarmless(.value, old) { redaction.count(.unknown, "\(message.profile.id) bytes before a message", frame) { old } }
  }

  private func replace(_ range: Range<Int>, of number: Int) {
    redaction.work &+= range.count
    packets[number].replaceSubrange(range, with: redaction.replacement(.value, Array(original[number][range])))
    if judge.isDoubtful { replaced.append((number, range)) }
  }

  // MARK: The payload

  /// Rewrites bytes without a field.
  func replaceUnclaimed() {
    var at = 0
    while at < payload.count {
      guard judge.stays[at] == nil, !judge.isClaimed[at] else {
        at += 1
        continue
      }
      var stop = at
      while stop < payload.count, judge.stays[stop] == nil, !judge.isClaimed[stop] { stop += 1 }
      // The end marker of a message is kept, and a checksum before it is recomputed.
      var end = stop == payload.count ? max(at, stop - endMarkerCount) : stop
      if end < stop { redaction.keeps(.framing, profile: "\(message.profile.id) end", stop - end, frame) }
      while end > at, isCheck(end - 1) { end -= 1 }
      if keepsRest {
        redaction.keeps(.option, profile: "\(message.profile.id) bytes without a field", end - at, frame)
      } else if at < end {
        let old = Array(payload[at..<end])
        // In JSON these are the name of a member, with its escape sequences.
        let format = judge.isJSON(at) ? EmbeddedFormat.Kind.json : nil
        note(at..<end, .value, old, in: format)
        write(at..<end, redaction.replacement(.value, old, in: format, isNumber: false), isReplaced: format == nil)
        if !redaction.isHarmless(.value, old, in: format, isNumber: false) {
          redaction.countUnclaimed(of: message.profile, frame) { old }
        }
      }
      at = stop
    }
    for name in judge.memberNames { redaction.keeps(.framing, profile: "\(message.profile.id) name of a member", name.count, frame) }
  }

  /// Rewrites all fields.
  func replaceFields() {
    for var field in judge.fields {
      guard field.rule == nil || redaction.options.isDetailed else { continue }
      // The end marker is kept where it is a part of a field, too.
      if field.rule == nil, endMarkerCount > 0, field.range.upperBound == payload.count {
        field.range = field.range.lowerBound..<max(field.range.lowerBound, payload.count - endMarkerCount)
      }
      // A checksum at the end of a field is recomputed.
      while field.rule == nil, !field.range.isEmpty, isCheck(field.range.upperBound - 1) {
        field.range = field.range.lowerBound..<field.range.upperBound - 1
      }
      if !field.range.isEmpty { replace(field) }
    }
    clearBits()
  }

  private func replace(_ field: MessageJudge.Judged) {
    if let rule = field.rule { return redaction.keeps(rule, profile: judge.title(field), field.range.count, frame) }
    var old = Array(payload[field.range])
    // Joined fields of one byte each are one text; control codes among them, which stand for several characters, become letters.
    if field.isRun, !field.isNumber { old = old.map { $0 < 0x20 ? UInt8(ascii: "a") + $0 % 26 : $0 } }
    let treatment: Treatment =
      switch field.kind {
      case _ where field.advertiserAddress != nil && old.count == 6:
        .address(isPublic: field.advertiserAddress?.isPublic ?? false, isBigEndian: field.advertiserAddress?.isBigEndian ?? false)
      case .key, .passkey: .key
      case .text where !field.isRun: field.isName ? .name : .label
      case .text: .text
      case .password: .password
      case .value where field.isRun && !field.isNumber: .text
      default: field.isNumber ? .number : .value
      }
    let isNumber = field.isNumber && field.format != nil
    let keepsParts = treatment == .name || treatment == .label
    note(field.range, treatment, old, in: field.format)
    write(
      field.range, redaction.replacement(treatment, old, in: field.format, isNumber: isNumber, isBoolean: field.isBoolean),
      isReplaced: !keepsParts && field.format == nil)
    if keepsParts, judge.isDoubtful {
      let kept = redaction.patterns.kept(old)
      for at in old.indices where !(at < kept.count && kept[at]) {
        if let (packet, offset) = location(of: field.range.lowerBound + at) { replaced.append((packet, offset..<offset + 1)) }
      }
    }
    if !redaction.isHarmless(treatment, old, in: field.format, isNumber: isNumber) {
      redaction.count(field, of: judge, frame) { old }
    }
    if keepsParts { redaction.keepsName(old, judge.title(field), frame) }
  }

  /// Clears the bits to be replaced in bytes whose other bits are kept.
  private func clearBits() {
    guard !judge.clearedBits.isEmpty else { return }
    let masks = judge.clearedMasks()
    var last = -1
    for bits in judge.clearedBits where bits.at != last {
      last = bits.at
      write(last..<last + 1, [payload[last] & ~masks[last]], isReplaced: false)
    }
    for cleared in judge.clearedBits {
      let old = payload[cleared.at]
      if old & cleared.mask != 0 { redaction.count(cleared.field, of: judge, frame) { [old & cleared.mask] } }
    }
  }

  private func isCheck(_ at: Int) -> Bool {
    guard !checks.isEmpty, let (packet, position) = location(of: at) else { return false }
    return checks.contains { $0.packet == packet && $0.range.contains(position) }
  }

  /// Notes a replacement that ``vary(_:_:)`` may have to change.
  private func note(_ range: Range<Int>, _ treatment: Treatment, _ old: [UInt8], in format: EmbeddedFormat.Kind?) {
    if format == nil, decoded?.escape != nil { changes.append(Change(range: range, treatment: treatment, old: old)) }
  }

  /// Overwrites a range of the payload. `isReplaced`: all of it is replaced, even where the new bytes equal the old ones.
  private func write(_ range: Range<Int>, _ bytes: [UInt8], isReplaced: Bool = true) {
    var next = spanIndex(of: range.lowerBound) ?? spans.count
    while next < spans.count, spans[next].at < range.upperBound {
      let span = spans[next]
      next += 1
      redaction.work &+= 1
      let part = range.clamped(to: span.at..<span.at + span.count)
      if part.isEmpty { continue }
      let start = span.offset + part.lowerBound - span.at
      if hidesChecks { written.append((span.packet, start..<start + part.count)) }
      if isReplaced, judge.isDoubtful { replaced.append((span.packet, start..<start + part.count)) }
      packets[span.packet].replaceSubrange(
        start..<start + part.count, with: bytes[part.lowerBound - range.lowerBound..<part.upperBound - range.lowerBound])
    }
  }

  /// The index of the last part that begins at an offset of the payload or before it; the parts are in order.
  private func spanIndex(of at: Int) -> Int? {
    var (low, high) = (0, spans.count)
    while low < high {
      redaction.work &+= 1
      let middle = (low + high) / 2
      if spans[middle].at <= at { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  /// The location of a byte of the payload.
  private func location(of at: Int) -> (packet: Int, position: Int)? {
    spanIndex(of: at).map { (spans[$0].packet, spans[$0].offset + at - spans[$0].at) }
  }

  // MARK: Checks

  /// Replaces bytes that may be a checksum, unless a field has them; see ``hidesChecks``.
  func replaceChecks() {
    guard hidesChecks else { return }
    for checksumBytes in message.assumedChecksumExtents(in: original, extents: extents, payloads: payloads) {
      // Bytes of a field are replaced with it.
      let checksumBytes = checksumBytes.filter { checksum in
        !written.contains { $0.packet == checksum.packet && $0.range.contains(checksum.range.lowerBound) }
      }
      let new = redaction.replacement(.number, checksumBytes.flatMap { original[$0.packet][$0.range] })
      for (checksum, byte) in zip(checksumBytes, new) { packets[checksum.packet][checksum.range.lowerBound] = byte }
    }
  }

  /// Recomputes checksums. Counts the message where that is impossible, or where its structure is lost.
  func repairChecks() {
    let isLost = losesHeader || judge.losesStructure && !isShipped
    if decoded != nil {
      if isLost { redaction.unrepaired.add(frame) }
    } else if let sealed = message.repairingChecksums(packets, original: original, extents: extents, payloads: payloads) {
      packets = sealed
      if isLost { redaction.unrepaired.add(frame) }
    } else if message.isComplete || isLost {
      redaction.unrepaired.add(frame)
    }
  }

  // MARK: Other forms

  /// Upper bound of attempts until the encoded packets are as long as before. The first attempts escape as many bytes as before, the next
  /// (``roundsWithMore``) one more, and the last one fewer, as a byte of the checksum may be escaped.
  private static let maxRounds: UInt64 = 32
  private static let roundsWithMore: (first: UInt64, last: UInt64) = (13, 22)
  /// Number of tag bits that prove that a message was replaced before.
  private static let minimumBits = 24

  /// Encodes the packets again, where they were decoded; `received` are the original ones. Returns false where that is impossible.
  func encode(_ received: [RecentValues.Value]) -> Bool {
    guard let decoded else { return true }
    var new = decoded.encoded(packets)
    var round: UInt64 = 1
    while new == nil, let escape = decoded.escape, !changes.isEmpty, round <= Self.maxRounds {
      redaction.work &+= packets.count
      vary(round, escape)
      new = decoded.encoded(packets)
      round += 1
    }
    if new == nil, wasReplaced() { new = received.map(\.bytes) }
    guard let new else { return false }
    for number in sources.indices {
      let source = sources[number]
      sources[number] = received[number]
      sources[number].end = decoded.outer(source.end, of: number)
      sources[number].claimed = decoded.outer(source.claimed, of: number)
      sources[number].rest = source.rest.map { decoded.outer($0, of: number) }
    }
    guard !keepsText(new) else { return false }
    packets = new
    return true
  }

  /// Replaces the same parts of the payload by the values of another round.
  private func vary(_ round: UInt64, _ escape: ByteEscape) {
    let more = round < Self.roundsWithMore.first ? 0 : round <= Self.roundsWithMore.last ? 1 : -1
    let longest = changes.indices.max { changes[$0].old.count < changes[$1].old.count }
    for (index, change) in changes.enumerated() {
      let escaping = Pseudonyms.Escaping(escape: escape, more: index == longest ? more : 0)
      write(change.range, redaction.replacement(change.treatment, change.old, round: round, in: escaping))
    }
  }

  /// Returns true where all replaced parts had been replaced before, and then restores them.
  private func wasReplaced() -> Bool {
    var bits = 0
    for change in changes {
      guard let tagBits = redaction.tagBits(change.treatment, change.old) else { return false }
      bits += tagBits
      write(change.range, Array(payload[change.range]))
    }
    return bits >= Self.minimumBits && packets == original
  }

  /// Neither a checksum nor a constant proves that it is a message, and the kept bytes of the original packets read as text.
  private func keepsText(_ new: [[UInt8]]) -> Bool {
    guard !keepsRest, message.checksum != .ok, !judge.hasConstant else { return false }
    return zip(sources, new).contains { value, new in
      var kept = Array(value.bytes[..<(value.rest ?? value.bytes.count)])
      for at in kept.indices where kept[at] != new[at] { kept[at] = UInt8.max }
      return TextRuns.isIn(kept, fewest: Self.fewestLetters)
    }
  }

  // MARK: Finding the payload

  /// The parts of a message's payload in its packets, one in each, without headers and trailers. Nil where the packets do not contain the payload
  /// unchanged. `framing` has the sizes that the message's layers remove.
  static func spans(
    of message: ProfileMessage, _ framing: (before: Int?, behind: Int?), _ payload: [UInt8], in values: [RecentValues.Value],
    work: inout Int
  ) -> [Span]? {
    let behind = framing.behind ?? maxTrailer
    return spans(of: payload, in: values, surplus: message.surplus, behind: behind, behindEach: message.behindEach, work: &work)
  }

  /// The same for bytes that the packets contain unchanged, from the packet `first` on, and there from `startOffset` on. `surplus` bytes were cut
  /// off behind them; the layers remove at most `behind` bytes in the last packet, and `behindEach` in each packet that is a frame of its own.
  static func spans(
    of payload: [UInt8], in values: [RecentValues.Value], from first: Int = 0, at startOffset: Int? = nil, surplus: Int = 0,
    behind: Int = 0,
    behindEach: @autoclosure () -> Int = 0, work: inout Int
  ) -> [Span]? {
    var spans: [Span] = []
    var found = 0
    for number in first..<max(first, values.count) {
      guard found < payload.count else { break }
      let value = values[number]
      let packet = value.bytes
      let left = payload.count - found
      func holds(_ start: Int, _ tail: Int) -> Bool {
        let count = min(packet.count - tail - start, left)
        return count > 0 && packet[start..<start + count].elementsEqual(payload[found..<found + count])
      }
      /// Whether a later value of the same packet has the rest of the payload, or may have it, as this one is used up.
      func isLater(_ behindLast: Int) -> Bool {
        guard let frame = value.pieces.last?.frame else { return false }
        for later in values[(number + 1)...] {
          guard later.pieces.last?.frame == frame else { return false }
          if behindLast >= packet.count { return true }
          let end = max(later.end, later.claimed)
          for start in end...max(end, min(end + 16, later.bytes.count)) where later.bytes.count - start >= left {
            if later.bytes[start..<start + left].elementsEqual(payload[found...]) { return true }
          }
        }
        return false
      }
      work &+= 1
      // Behind the message that was found last; the same packet can contain another message with the same bytes.
      let behindLast = max(value.end, value.claimed)
      let end = number == first ? startOffset ?? behindLast : behindLast
      let next = end...max(end, min(end + 16, packet.count))
      // A header may contain the first bytes of the payload: prefer the offset with which the payload ends at the packet's end or trailer.
      func ends(_ start: Int) -> Bool {
        let rest = packet.count - start - left - surplus
        return rest >= 0 && rest <= behind
      }
      var tail = 0
      var start = next.first { ends($0) && holds($0, 0) }
      if start == nil, case let each = behindEach(), each > 0 {
        // A piece extends to the end of its packet, or to the trailer of its frame.
        start = next.first { holds($0, 0) || holds($0, each) }
        if let start, !holds(start, 0) { tail = each }
      }
      start = start ?? next.first { holds($0, 0) }
      if start == nil, !isLater(behindLast) { start = (0...min(16, packet.count)).first { holds($0, 0) } }
      guard let start, start < packet.count else { continue }
      let count = min(packet.count - tail - start, left)
      spans.append(Span(packet: number, offset: start, at: found, count: count))
      found += count
    }
    return found == payload.count ? spans : nil
  }
}
