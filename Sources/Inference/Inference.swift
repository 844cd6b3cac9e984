// Inference: infers the format of an unknown protocol's values. Every claim has a confidence, which says how unlikely it is by chance.
//
//     let findings = Inference.run(streams)                         // streams: [ValueStream], the values of an attribute in one direction each
//     findings[0].framing.check                                     // the checksum, where one was found
//
// Read first: `ValueStream` (the input), `StreamFindings` (the result), `StreamAnalysis` (the order in which detectors examine a stream).
//
// - Framing: how values are cut into messages: fragments, lengths, escapes, counters; and whether they are encrypted.
// - Checks: checksums, within a budget of work. Fields: the fields of messages of one kind. Structure: formats that many protocols use.
// - ResponseDetector.swift, StartDetector.swift, FollowDetector.swift: relations between streams.
// - ProfileWriter.swift: the findings as a profile; ResultJSON.swift: as JSON.
//
// To add a detector: a file in Fields or Structure, and its line in Registry.swift.

import PacketCodecs
import Threads

/// Infers the format of an unknown protocol's values.
public enum Inference {
  /// Analyzes all streams, which are from one capture or from several of the same devices.
  public static func run(_ streams: [ValueStream], _ context: InferenceContext = InferenceContext()) -> [StreamFindings] {
    var results: [StreamFindings] = []
    var timed: [ResponseDetector.Timeline] = []
    let byCount = streams.indices.sorted { (-streams[$0].count, $0) < (-streams[$1].count, $1) }
    let searched = byCount.prefix(context.maxSearched)
    var budgets = [Int](repeating: CheckBudget.minimum, count: streams.count)
    let shared = CheckBudget.shared(searched.map { streams[$0] }, inBrief: context.isBrief)
    for (index, budget) in zip(searched, shared) { budgets[index] = budget }
    var analyses = analyses(streams, context, searched: Set(searched), budgets)
    let devices = Devices(streams)
    var checks = devices.checks(analyses)
    for index in streams.indices {
      // Both directions of a device usually have the same checksum: few messages are enough to confirm it.
      guard (analyses[index].findings.framing.check?.confidence ?? 0) < 0.9, !analyses[index].findings.framing.isEncrypted else { continue }
      guard let known = checks[devices.of[index]] else { continue }
      let again = StreamAnalysis(
        streams[index], context, expecting: known.checksum, searchesChecks: streams.count <= context.maxSearched, checks: budgets[index])
      guard let check = again.findings.framing.check, check.confidence >= 0.9 else { continue }
      analyses[index] = again
      if index < known.stream, !check.isPerPacket { checks[devices.of[index]] = (index, check.checksum) }
    }
    shareFraming(&analyses, streams, devices, context, budgets)
    let requestChecks = devices.checks(analyses) { streams[$0].source.isRequest }
    let requestTimes = devices.requestTimes(streams)
    for index in streams.indices where !streams[index].source.isRequest && streams[index].source.direction != "advertise" {
      let framing = analyses[index].findings.framing
      guard framing.kind == .message, framing.check == nil, framing.length == nil, !framing.isEncrypted, streams[index].count > 4 else {
        continue
      }
      // Values between two requests can be the answer to the first.
      let requests = requestTimes[devices.of[index]]
      guard requests.count >= 4, streams[index].count > requests.count else { continue }
      let known = requestChecks[devices.of[index]]
      let again = StreamAnalysis(
        streams[index], context, expecting: known?.checksum, requests: requests, searchesChecks: streams.count <= context.maxSearched,
        checks: budgets[index])
      let found = again.findings.framing
      if max(found.check?.confidence ?? 0, found.length?.confidence ?? 0) >= 0.9 { analyses[index] = again }
    }
    unifyByteOrders(&analyses)
    for analysis in analyses {
      var findings = analysis.findings
      findings.poll = ResponseDetector.poll(Array(analysis.segmentation.messages.prefix(2000)))
      findings.notes += MarkDetector.notes(analysis.segmentation.messages, context.marks, findings.framing)
      results.append(findings)
      let messages = analysis.segmentation.messages.prefix(2000)
      timed.append(.init(messages.map { .init(time: $0.time, end: $0.end, head: .init($0.bytes)) }))
    }
    let requests = streams.indices.filter { streams[$0].source.isRequest }
    var pairs = PairBudget(context.maxPairWork, streams: requests.count)
    for index in requests {
      pairs.begin()
      let candidates = devices.candidates(index)
      // The nearest first: where the budget is used up, the others are left out.
      let nearest = candidates.sorted { (abs($0 - index), $0) < (abs($1 - index), $1) }
      results[index].answers = ResponseDetector.find(timed[index], nearest.map { ($0, timed[$0]) }, &pairs)
      let others = candidates.filter { $0 != results[index].answers?.stream || !results[index].isAnswered }
      results[index].notes += StartDetector.notes(
        timed[index], others.map { (streams[$0].source.label, timed[$0]) },
        subscriptions: context.subscriptions[streams[index].source.peer ?? ""] ?? [], &pairs)
      guard pairs.leftOut > 0 else { continue }
      results[index].notes.append(
        "not all answers were looked for: \(pairs.leftOut) of \(pairs.requested) comparisons with other streams were left out")
    }
    let follows = FollowDetector.notes(
      zip(results, analyses).map { ($0, $1.segmentation.messages) }, streams.map(\.source.label))
    for (index, notes) in follows { results[index].notes += notes }
    return results
  }

  /// A device has one packet header in most of its streams. Streams with messages of one packet, or with too few messages, take it from the other
  /// streams of the device. The same holds for the length field of frames, which the bytes after a header, or joined values, then obey.
  private static func shareFraming(
    _ analyses: inout [StreamAnalysis], _ streams: [ValueStream], _ devices: Devices, _ context: InferenceContext, _ budgets: [Int]
  ) {
    /// Most distinct headers and lengths of a device that are tried.
    let limit = 4
    var headers: [Int: [(fragment: FragmentFinding, check: Checksum?)]] = [:]
    var lengths: [Int: [LengthFinding]] = [:]
    func addHeader(_ index: Int) {
      let framing = analyses[index].findings.framing
      guard var fragment = framing.fragment, headers[devices.of[index], default: []].count < limit else { return }
      fragment.confidence = 0
      guard !headers[devices.of[index], default: []].contains(where: { $0.fragment == fragment }) else { return }
      let check = framing.check.flatMap { $0.confidence >= 0.9 && !$0.isPerPacket ? $0.checksum : nil }
      headers[devices.of[index], default: []].append((fragment, check))
    }
    for index in streams.indices where streams[index].source.direction != "advertise" {
      let framing = analyses[index].findings.framing
      if let fragment = framing.fragment, fragment.confidence >= 0.9 { addHeader(index) }
      guard framing.kind != .fragments, var length = framing.length, length.confidence >= 0.9, length.size > 1 else { continue }
      (length.lengths, length.holds, length.of, length.confidence) = (0, 0, 0, 0.9)
      let known = lengths[devices.of[index], default: []]
      if known.count < limit, !known.contains(length) { lengths[devices.of[index]] = known + [length] }
    }
    let open = streams.indices.filter { index in
      guard streams[index].count > 0, streams[index].source.direction != "advertise" else { return false }
      let framing = analyses[index].findings.framing
      return framing.kind != .fragments && framing.escape == nil
    }
    func again(_ index: Int, _ known: FramingDetector.Known, _ check: Checksum? = nil) {
      analyses[index] = StreamAnalysis(
        streams[index], context, expecting: check, known: known, searchesChecks: streams.count <= context.maxSearched,
        checks: budgets[index])
    }
    for index in open {
      let framing = analyses[index].findings.framing
      guard let known = lengths[devices.of[index]], framing.check == nil, (framing.length?.confidence ?? 0) < 0.9 else { continue }
      if framing.kind == .message, let found = FragmentDetector.framed(streams[index], known, limit: FramingDetector.maxValues) {
        again(index, .header(found))
        addHeader(index)
      } else if let length = known.first(where: { FragmentDetector.areFrames(streams[index], $0, limit: FramingDetector.maxValues) }) {
        again(index, .frames(length))
      }
    }
    for index in open where analyses[index].findings.framing.kind == .message {
      let found = headers[devices.of[index], default: []].compactMap { known in
        FragmentDetector.shared(known.fragment, streams[index], limit: FramingDetector.maxValues).map { ($0, known.check) }
      }
      if let best = found.max(by: { $0.0.bits < $1.0.bits }) { again(index, .header(best.0), best.1) }
    }
  }

  /// Bits of evidence from which on a stream keeps its byte order, whatever the other streams of the device have.
  private static let clearOrderBits = 20.0

  /// A device mostly has one byte order: streams with evidence determine it for the others.
  private static func unifyByteOrders(_ analyses: inout [StreamAnalysis]) {
    var sums: [String: Double] = [:]
    // Lengths of more than one byte: streams with short messages have the same field.
    var wide: [String: [LengthFinding]] = [:]
    for analysis in analyses {
      var preference = max(-60, min(60, analysis.preference))
      if let length = analysis.findings.framing.length, length.size > 1, length.confidence >= 0.9 {
        preference += length.endian == .big ? 4 : -4
      }
      sums[analysis.findings.source.peer ?? "", default: 0] += preference
      if let length = analysis.wideLength { wide[analysis.findings.source.peer ?? "", default: []].append(length) }
    }
    for index in analyses.indices {
      guard let sum = sums[analyses[index].findings.source.peer ?? ""], abs(sum) >= FieldSegmenter.Weights.unsure else { continue }
      let order: ByteOrder = sum > 0 ? .big : .little
      let preference = analyses[index].preference
      // Clear evidence in a stream takes precedence: some devices have both orders.
      let isOther = (preference >= 0) != (sum > 0) && abs(preference) < clearOrderBits || abs(preference) < FieldSegmenter.Weights.unsure
      let length = analyses[index].findings.framing.length
      let isWide =
        wide[analyses[index].findings.source.peer ?? ""]?.contains { known in
          length.map { ($0.offset, $0.size, $0.endian, $0.adds) == (known.offset, known.size, known.endian, known.adds) } ?? false
        } ?? false
      if isOther || !isWide && length.map({ $0.size > 1 && $0.endian != order }) ?? false {
        analyses[index].reorder(order, keepsLength: isWide)
      }
    }
  }

  /// Analyzes each stream by itself, on all cores: none needs the findings about another.
  private static func analyses(
    _ streams: [ValueStream], _ context: InferenceContext, searched: Set<Int>, _ budgets: [Int]
  ) -> [StreamAnalysis] {
    // The initializer below writes the number of elements even where there are none, to memory that all empty arrays of all threads share.
    guard !streams.isEmpty else { return [] }
    return unsafe [StreamAnalysis](unsafeUninitializedCapacity: streams.count) { buffer, count in
      nonisolated(unsafe) let buffer = unsafe buffer
      Worker.perform(streams.count) { index in
        let isSearched = searched.contains(index)
        let analysis = StreamAnalysis(streams[index], context, searchesChecks: isSearched, checks: budgets[index])
        unsafe buffer.initializeElement(at: index, to: analysis)
      }
      count = streams.count
    }
  }
}

/// Groups the streams by device, and bounds the comparisons, so that their number grows linearly with the number of streams.
struct Devices {
  /// The device of each stream.
  private(set) var of: [Int] = []
  /// The streams of each device that can contain answers, in order.
  private var answers: [[Int]] = []
  /// The position of each stream among those of its device that can contain answers.
  private var firstIndices: [Int] = []
  /// A request stream is compared with at most so many streams, the nearest ones: no known device has as many.
  private static let maxCandidates = 128

  init(_ streams: [ValueStream]) {
    var numbers: [String: Int] = [:]
    for (index, stream) in streams.enumerated() {
      let number = numbers[stream.source.peer ?? "", default: numbers.count]
      numbers[stream.source.peer ?? ""] = number
      if number == answers.count { answers.append([]) }
      of.append(number)
      firstIndices.append(answers[number].count)
      if !stream.source.isRequest, stream.source.direction != "advertise" { answers[number].append(index) }
    }
  }

  /// For each device the checksum of the first stream that has a certain one and meets `isWanted`.
  func checks(_ analyses: [StreamAnalysis], _ isWanted: (Int) -> Bool = { _ in true }) -> [(stream: Int, checksum: Checksum)?] {
    var checks = [(stream: Int, checksum: Checksum)?](repeating: nil, count: answers.count)
    for index in analyses.indices where checks[of[index]] == nil && isWanted(index) {
      guard let check = analyses[index].findings.framing.check, check.confidence >= 0.9, !check.isPerPacket else { continue }
      checks[of[index]] = (index, check.checksum)
    }
    return checks
  }

  /// The times of requests to each device, in order.
  func requestTimes(_ streams: [ValueStream]) -> [[Int64]] {
    var times = [[Int64]](repeating: [], count: answers.count)
    for (position, stream) in streams.enumerated() where stream.source.isRequest {
      for index in 0..<min(stream.count, FramingDetector.maxValues) { times[of[position]].append(stream.time(index)) }
    }
    return times.map { $0.sorted() }
  }

  /// The streams that can answer a request stream.
  func candidates(_ request: Int) -> ArraySlice<Int> {
    let all = answers[of[request]]
    let start = max(0, min(firstIndices[request] - Self.maxCandidates / 2, all.count - Self.maxCandidates))
    return all[start..<min(start + Self.maxCandidates, all.count)]
  }
}
