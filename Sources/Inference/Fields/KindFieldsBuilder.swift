import PacketCodecs

/// Lists the fields of the messages of a kind: known ones, and those between them.
struct KindFieldsBuilder {
  private let frames: [ArraySlice<UInt8>]
  private let times: [Int64]
  private let framing: FramingFinding
  private let kinds: KindFinding?
  private let whole: FieldSegmenter
  private let tail: Int
  private let context: InferenceContext
  private let standard: (any StandardDetector.Type)?

  /// Takes the messages of a kind; `whole` are those of all kinds, `standard` is the protocol that they follow.
  init(
    _ frames: [ArraySlice<UInt8>], _ times: [Int64], _ framing: FramingFinding, _ kinds: KindFinding?, _ whole: FieldSegmenter, tail: Int,
    _ context: InferenceContext, standard: (any StandardDetector.Type)?
  ) {
    self.frames = frames
    self.times = times
    self.framing = framing
    self.kinds = kinds
    self.whole = whole
    self.tail = tail
    self.context = context
    self.standard = standard
  }

  /// The fields; `common` is a self-describing structure in the messages of all kinds, `placed` has fields found in all of them. `order` is the byte
  /// order of numbers, where it is known; `preference` is set to the evidence for big-endian, in bits.
  func build(
    _ common: StructureFinding?, _ located: [FieldFinding], order: ByteOrder?, preference: inout Double
  ) -> [FieldFinding] {
    var known = standard?.fields(frames) ?? []
    let isStandard = !known.isEmpty
    func addIfFree(_ field: FieldFinding) {
      if !known.contains(where: { $0.offset < field.offset + (field.size ?? 0) && field.offset < $0.offset + ($0.size ?? 0) }) {
        known.append(field)
      }
    }
    // The kind byte takes precedence over other fields.
    if let kinds { known.removeAll { $0.offset < kinds.offset + kinds.size && kinds.offset < $0.offset + ($0.size ?? 0) } }
    if let length = framing.length, length.confidence >= 0.25 {
      addIfFree(
        FieldFinding(
          offset: length.offset, size: length.size, type: .length, endian: length.size > 1 ? length.endian : nil,
          confidence: length.confidence,
          evidence: "size of the message - \(length.adds): \(length.holds) of \(length.of), \(length.lengths) lengths"))
    }
    if let counter = framing.counter, counter.confidence >= 0.5 {
      addIfFree(
        FieldFinding(
          offset: counter.offset, size: counter.size, type: .counter, endian: counter.size > 1 ? counter.endian : nil,
          confidence: counter.confidence, evidence: "+\(counter.step) each message"))
    }
    var behind: [FieldFinding] = []
    if let check = framing.check, !check.isPerPacket, check.shortest > 0, check.checksum.position < 0 {
      // Where only some messages have it, it is a field only of kinds with a single length.
      let lengths = Set(frames.map(\.count))
      if let length = lengths.first, lengths.count == 1, length >= check.shortest {
        known.append(
          FieldFinding(
            offset: length + check.checksum.position, size: check.checksum.storedCount, type: .checksum,
            endian: check.checksum.byteCount > 1 ? check.checksum.byteOrder : nil, confidence: check.confidence,
            evidence: "\(check.checksum.algorithm.name): \(check.verified) of \(check.of)"))
      }
    } else if let check = framing.check, !check.isPerPacket, check.checksum.position >= 0 || tail > 0 {
      let field = FieldFinding(
        offset: check.checksum.position, size: check.checksum.storedCount, type: .checksum,
        endian: check.checksum.byteCount > 1 ? check.checksum.byteOrder : nil, confidence: check.confidence,
        evidence: "\(check.checksum.algorithm.name): \(check.verified) of \(check.of)")
      if check.checksum.position >= 0 { known.append(field) } else { behind.append(field) }
    }
    if !framing.end.isEmpty, tail > 0 {
      behind.append(
        FieldFinding(
          offset: -framing.end.count, size: framing.end.count, type: .constant, endian: nil, confidence: 0.9,
          evidence: "ends all messages"))
    }
    // Fields known from all messages take precedence over those found in this kind.
    for field in located { addIfFree(field) }
    if let counter = counterOfKind(known) { addIfFree(counter) }
    for detector in Registry.frameFieldDetectors {
      for field in detector.frameFields(frames, times, tail: tail, context) { addIfFree(field) }
    }
    if framing.length == nil, !isStandard, let length = constantLength(order) { addIfFree(length) }
    known.sort { $0.offset < $1.offset }
    var kept: [FieldFinding] = []
    for field in known where kept.last.map({ $0.offset + ($0.size ?? 0) <= field.offset }) ?? true { kept.append(field) }

    let segmenter = FieldSegmenter(frames, tail: tail)
    var cuts = Set<Int>()
    // Constant bytes next to the low byte of a counter can be its high bytes.
    let counter = kept.first { $0.type == .counter && $0.size == 1 && $0.offset < segmenter.shortest }
    if let counter {
      kept.removeAll { $0.offset == counter.offset }
      if counter.offset > 0, !segmenter.isConstant(counter.offset - 1) { cuts.insert(counter.offset) }
      if !segmenter.isConstant(counter.offset + 1) { cuts.insert(counter.offset + 1) }
    }
    for field in kept { cuts.formUnion([field.offset, field.offset + (field.size ?? 0)]) }
    // A kind byte is separated from a neighbour that changes within the kind.
    if let kinds, !kinds.isLength, !isStandard {
      let end = kinds.offset + kinds.size
      if kinds.offset > 0, segmenter.distinct(kinds.offset - 1) >= 2 { cuts.insert(kinds.offset) }
      if end < segmenter.count, segmenter.distinct(end) >= 2 { cuts.insert(end) }
    }
    if isStandard, let standard { cuts.formUnion(standard.cuts(frames, upTo: (frames.map(\.count).min() ?? 0) - tail)) }
    let structure =
      common ?? StructureDetector.find(frames, tail: tail, notBefore: kept.map { $0.offset + ($0.size ?? 0) }.max() ?? 0)
    // A start marker is one field; self-describing structures have none.
    let marker = min(markerSize(kept), structure?.offset ?? .max)
    if marker > 0 { cuts.insert(marker) }
    if marker == 1, framing.start.count >= 2, framing.start[1] != 0, !kept.contains(where: { $0.offset == 1 }) { cuts.insert(2) }
    var fields: [FieldFinding] = []
    var covered = Set<Int>()
    for field in kept { covered.formUnion(field.offset..<(field.offset + (field.size ?? 0))) }
    if marker > 0 {
      fields.append(
        FieldFinding(
          offset: 0, size: marker, type: .constant, endian: nil, confidence: 0.9, evidence: "starts all messages"))
      covered.formUnion(0..<marker)
    }
    if let structure { kept.removeAll { $0.offset >= structure.offset } }
    if let structure { cuts.insert(structure.offset) }
    var segments = segmenter.segments(
      cuts: cuts, whole: kinds == nil ? nil : whole, kind: kinds?.offset, counter: counter?.offset,
      order: order ?? (isStandard ? standard?.order : nil), preference: &preference)
    if isStandard, let standard {
      segments = Self.whole(segments, standard.cuts(frames, upTo: (frames.map(\.count).min() ?? 0) - tail), standard.order)
    }
    if !isStandard {
      segments = segments.flatMap { segment in
        counter.map { (segment.offset..<(segment.offset + segment.size)).contains($0.offset) } ?? false ? [segment] : narrowed(segment)
      }
    }
    for segment in segments where !covered.contains(segment.offset) {
      if let structure, segment.offset >= structure.offset { continue }
      if let counter, (segment.offset..<(segment.offset + segment.size)).contains(counter.offset), !segment.isOpen {
        fields += self.counter(counter, within: segment)
        continue
      }
      let found = field(segment)
      // A text continues after the end of the shortest message.
      if segment.isOpen, isText(from: found.offset) {
        var offset = found.offset
        if let last = fields.last, last.type != .constant, let size = last.size, last.offset + size == offset, isText(from: last.offset) {
          offset = last.offset
          fields.removeLast()
        }
        fields.append(
          FieldFinding(
            offset: offset, size: nil, type: .text, endian: nil, confidence: 0.5,
            evidence: "printable characters: \(frames.count) of \(frames.count)"))
        continue
      }
      // Segments have a maximum length, so adjacent text segments are joined.
      if found.type == .text, let last = fields.last, last.type == .text, let size = last.size, let more = found.size,
        last.offset + size == found.offset
      {
        fields[fields.count - 1].size = size + more
      } else if found.type == .padding, let last = fields.last, last.type == .text, let size = last.size, let more = found.size,
        last.offset + size == found.offset, segmenter.isZero(found.offset)
      {
        // A text that is shorter than its field is padded.
        fields[fields.count - 1].size = size + more
      } else {
        fields.append(found)
      }
    }
    if let structure, let longest = frames.map(\.count).max() {
      var field = FieldFinding(
        offset: structure.offset, size: max(0, longest - tail - structure.offset), type: structure.type, endian: nil,
        confidence: Evidence.confidence(bits: structure.bits, spent: 8), evidence: structure.evidence)
      field.name = structure.name
      fields.append(field)
    }
    let joined = NoiseDetector.joined((fields + kept).sorted { $0.offset < $1.offset }, frames, tail: tail)
    return NoiseDetector.sampled(joined, frames, tail: tail) + behind.sorted { $0.offset < $1.offset }
  }

  /// The segments, with those between two adjacent offsets of a specification joined.
  private static func whole(_ segments: [FieldSegmenter.Segment], _ boundaries: [Int], _ order: ByteOrder) -> [FieldSegmenter.Segment] {
    guard let first = boundaries.first, let end = boundaries.last else { return segments }
    var list: [FieldSegmenter.Segment] = []
    var index = 0
    for segment in segments {
      while index + 1 < boundaries.count, boundaries[index + 1] <= segment.offset { index += 1 }
      if segment.offset > first, segment.offset + segment.size <= end, segment.offset != boundaries[index], let last = list.last,
        last.offset == boundaries[index], last.offset + last.size == segment.offset
      {
        list[list.count - 1].size += segment.size
        list[list.count - 1].endian = order
      } else {
        list.append(segment)
      }
    }
    return list
  }

  /// A counter of the messages of this kind, where none counts those of all kinds.
  private func counterOfKind(_ known: [FieldFinding]) -> FieldFinding? {
    guard let kinds, !kinds.isLength, framing.counter == nil, frames.count >= 12 else { return nil }
    var taken = Set(kinds.offset..<(kinds.offset + kinds.size))
    for field in known where field.offset >= 0 { taken.formUnion(field.offset..<(field.offset + (field.size ?? 0))) }
    let bodies = frames.map { $0.dropLast(tail) }
    guard let counter = CounterDetector.find(bodies, excluding: taken), counter.confidence >= 0.9 else { return nil }
    return FieldFinding(
      offset: counter.offset, size: counter.size, type: .counter, endian: counter.size > 1 ? counter.endian : nil, confidence: 0.8,
      evidence: "+\(counter.step) each message of this kind")
  }

  /// Two bytes with the number of bytes after them, in messages of one length, which makes a length field only likely. With zeros next to them it has
  /// four bytes, in the byte order of the numbers, where it is known.
  private func constantLength(_ order: ByteOrder?) -> FieldFinding? {
    guard let first = frames.first, first.count >= 5, frames.count >= 4, frames.allSatisfy({ $0.count == first.count }) else { return nil }
    func holds(_ offset: Int, _ size: Int, _ endian: ByteOrder) -> Bool {
      guard let value = first.number(offset, size, endian) else { return false }
      let behind = first.count - offset - size
      // A zero at the end is padding.
      guard value > 0, value == behind || value == behind - tail else { return false }
      return frames.allSatisfy { $0.number(offset, size, endian) == value }
    }
    for offset in 0..<min(8, first.count - 3) {
      for endian in ByteOrder.allCases where order == nil || order == endian {
        guard let size = [4, 2].first(where: { holds(offset, $0, endian) }) else { continue }
        return FieldFinding(
          offset: offset, size: size, type: .length, endian: endian, confidence: 0.4,
          evidence: "as many bytes follow, in messages of one length")
      }
    }
    return nil
  }

  /// Number of bytes that start all messages, up to the first that is another field.
  private func markerSize(_ known: [FieldFinding]) -> Int {
    if framing.delimiter > 0 { return framing.delimiter }
    var size = framing.start.count
    for field in known where field.offset < size { size = field.offset }
    guard size > 0, framing.start[0] != 0 else { return 0 }
    // A marker that repeats its first byte as the third has four bytes, or three before a small number.
    if size >= 4, framing.start[2] == framing.start[0], framing.start[0] >= 0x10 { return framing.start[3] >= 0x10 ? 4 : 3 }
    // Three bytes from 0x80 on, neither small numbers nor characters, are a marker.
    if size == 3, framing.start.allSatisfy({ $0 >= 0x80 }) { return 3 }
    // Two bytes at most; small numbers are rather a version or a function.
    return size >= 2 && framing.start[1] >= 0x10 ? 2 : 1
  }

  /// The counter with its constant neighbours: one number if the counter is its low byte, else separate fields.
  private func counter(_ counter: FieldFinding, within segment: FieldSegmenter.Segment) -> [FieldFinding] {
    var counter = counter
    let end = segment.offset + segment.size
    let low = segment.endian == .big ? end - 1 : segment.offset
    if segment.size > 1, [2, 4, 8].contains(segment.size), low == counter.offset {
      (counter.offset, counter.size, counter.endian) = (segment.offset, segment.size, segment.endian)
      counter.evidence += "; its high bytes never moved"
      return [counter]
    }
    let before = FieldSegmenter.Segment(offset: segment.offset, size: counter.offset - segment.offset, endian: segment.endian)
    let behind = FieldSegmenter.Segment(offset: counter.offset + 1, size: end - counter.offset - 1, endian: segment.endian)
    return (before.size > 0 ? [field(before)] : []) + [counter] + (behind.size > 0 ? [field(behind)] : [])
  }

  /// Whether all bytes from an offset to the end are printable characters, and more than a few.
  private func isText(from offset: Int) -> Bool {
    var count = 0
    for frame in frames {
      for byte in frame.dropFirst(offset).dropLast(tail) {
        guard byte >= 0x20, byte < 0x7f else { return false }
        count += 1
      }
    }
    return count >= 24
  }

  /// The segment without neighbours of its only byte that changes: those that never change belong to its number only if they are zero, or if there is
  /// just one of them.
  private func narrowed(_ segment: FieldSegmenter.Segment) -> [FieldSegmenter.Segment] {
    guard !segment.isOpen, segment.size > 2, frames.count >= 2 else { return [segment] }
    let columns = segment.offset..<(segment.offset + segment.size)
    var moving: Int?
    var zeros = Set<Int>()
    for column in columns {
      var first: UInt8?
      for frame in frames where column < frame.count - tail {
        let byte = frame[frame.startIndex + column]
        if let first, first != byte {
          guard moving == nil || moving == column else { return [segment] }
          moving = column
        }
        first = first ?? byte
      }
      if first == 0 { zeros.insert(column) }
    }
    guard let moving else { return [segment] }
    var (from, end) = (moving, moving + 1)
    if segment.endian == .little {
      while end < columns.upperBound, zeros.contains(end) { end += 1 }
    } else {
      while from > columns.lowerBound, zeros.contains(from - 1) { from -= 1 }
    }
    guard end - from < segment.size else { return [segment] }
    let size = [8, 4, 2, 1].first { $0 <= end - from } ?? 1
    if segment.endian == .little { end = from + size } else { from = end - size }
    return [columns.lowerBound..<from, from..<end, end..<columns.upperBound].filter { !$0.isEmpty }.map {
      .init(offset: $0.lowerBound, size: $0.count, endian: $0.count > 1 ? segment.endian : nil)
    }
  }

  private func field(_ segment: FieldSegmenter.Segment) -> FieldFinding {
    if segment.isOpen {
      return FieldFinding(offset: segment.offset, size: nil, type: .bytes, endian: nil, confidence: 0.5, evidence: "continues to the end")
    }
    let view = FieldView(frames, times, segment, tail: tail, context)
    var best: FieldClaim?
    for detector in Registry.fields {
      if let claim = detector.claim(view), claim.bits > best?.bits ?? -.infinity { best = claim }
    }
    if let kinds, segment.offset == kinds.offset, segment.size == kinds.size {
      return FieldFinding(
        offset: segment.offset, size: segment.size, type: .kind, endian: nil, confidence: kinds.confidence,
        evidence: "distinguishes kinds of messages")
    }
    return FieldFinding(
      offset: segment.offset, size: segment.isOpen ? nil : segment.size, type: best?.type ?? .bytes, endian: best?.endian,
      confidence: min(0.95, Evidence.confidence(bits: best?.bits ?? 0)), evidence: best?.evidence ?? "")
  }
}
