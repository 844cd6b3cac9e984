/// A checksum that all frames of a search agree with.
public struct ChecksumCandidate: Sendable {
  /// The algorithm, its coverage, where it is stored, and how.
  public var checksum: Checksum
  /// How unlikely the frames would agree by chance, in bits: width times frames that differ.
  public var evidence: Double
  /// How unusual the checksum is, in bits: 0 for what most protocols do.
  public var unusualness: Double

  /// Orders candidates: the higher, the more plausible.
  public var plausibility: Double { evidence - unusualness }
}

/// What a search has found.
public struct ChecksumSearchResult: Sendable {
  /// The candidates, the most plausible first.
  public var candidates: [ChecksumCandidate] = []
  /// How many are not much less plausible than the best; ``candidates`` may hold fewer.
  public var fitting = 0
  /// Number of different frames that were given.
  public var frames = 0
  /// Whether all frames have the same length, so that offsets from the start and from the end cannot be told apart.
  public var isOneLength = false
  /// Whether more than one explanation is left that would judge another frame differently, or the frames are too few to exclude chance.
  public var isUncertain = false
}

/// Finds the checksum that all of some frames agree with: which algorithm, over which bytes, stored where, in which order, in which form.
///
/// Every algorithm of ``CRCCatalogue`` and every sum of ``ChecksumAlgorithm/namedSums`` is tried over every run of bytes and at every place
/// of the shortest frame; what fits there is tried on the others. Where nothing fits three frames, CRCs of the catalogue's polynomials with
/// another start value, and sums with a constant added or XORed, are tried over the usual runs and places.
public struct ChecksumSearch: Sendable {
  /// The most candidates that are returned.
  public var limit = 10
  /// In frames longer than this only runs that begin in the first, and runs and places that end in the last, quarter of it are tried.
  public var window = 256

  /// Makes a search that returns at most `limit` candidates.
  public init(limit: Int = 10) {
    self.limit = max(1, limit)
  }

  /// Searches. Equal frames count once; frames of less than two bytes count not at all.
  public func find(_ given: [[UInt8]]) -> ChecksumSearchResult {
    var frames: [[UInt8]] = []
    for frame in given where frame.count >= 2 && !frames.contains(frame) { frames.append(frame) }
    frames.sort { $0.count < $1.count }
    var result = ChecksumSearchResult()
    result.frames = frames.count
    guard let shortest = frames.first else { return result }
    result.isOneLength = frames.allSatisfy { $0.count == shortest.count }

    var found = Found(keep: max(limit * 4, 64))
    search(frames, result.isOneLength, &found)
    if found.best.isEmpty, frames.count >= 3 { searchConstants(frames, result.isOneLength, &found) }

    var ranked = found.best.sorted { $0.plausibility > $1.plausibility }
    if let best = ranked.first {
      // What is over a thousand times less plausible is chance.
      ranked.removeAll { best.plausibility - $0.plausibility > 10 }
      Self.dropEquivalents(&ranked)
      let rivals = ranked.dropFirst().filter { best.plausibility - $0.plausibility < 8 }
      result.isUncertain = frames.count == 1 || best.plausibility < 12 || !rivals.isEmpty
    }
    result.fitting = ranked.count
    result.candidates = Array(ranked.prefix(limit))
    return result
  }

  // MARK: What is tried

  /// One algorithm as it is tried: how usual it is and how much a match says.
  private struct Trial {
    var algorithm: ChecksumAlgorithm
    var byteCount: Int
    var evidence: Double
    var unusualness: Double
    var isReflected: Bool
  }

  private static let trials: [Trial] = {
    let usual: [String: Double] = [
      "CRC-16/MODBUS": 0, "CRC-32/ISO-HDLC": 0, "CRC-16/ARC": 0.5, "CRC-16/XMODEM": 0.5, "CRC-16/IBM-3740": 0.5, "CRC-8/SMBUS": 0.5,
      "CRC-8/MAXIM-DOW": 0.5, "CRC-16/KERMIT": 1, "CRC-16/IBM-SDLC": 1, "CRC-32/ISCSI": 1, "CRC-16/MCRF4XX": 1.5, "CRC-16/USB": 1.5,
      "CRC-16/GENIBUS": 2, "CRC-16/UMTS": 2, "CRC-16/CMS": 2, "CRC-16/DNP": 2, "CRC-24/BLE": 2, "CRC-32/MPEG-2": 1, "CRC-32/BZIP2": 2,
      "CRC-32/JAMCRC": 2, "CRC-8/ROHC": 2, "CRC-8/DVB-S2": 1.5, "CRC-8/CDMA2000": 2, "CRC-8/WCDMA": 2, "CRC-8/SAE-J1850": 2,
    ]
    var trials: [Trial] = CRCCatalogue.all.map { parameters in
      let isWhole = parameters.width.isMultiple(of: 8)
      return Trial(
        algorithm: ChecksumAlgorithm(CRC(parameters)), byteCount: (parameters.width + 7) / 8, evidence: Double(parameters.width),
        unusualness: usual[parameters.name] ?? (isWhole ? 4 : 8), isReflected: parameters.reflectsOutput)
    }
    let simple: [String: Double] = ["sum8": 0, "xor8": 0, "sum8-twos": 0.5, "sum8-ones": 0.5, "sum16": 1, "sum16-twos": 1]
    for (name, sum) in ChecksumAlgorithm.namedSums {
      // Short frames do not fill the high bytes of a sum: they say nothing.
      let isPlain = sum.kind == .sum && sum.unit == 1
      trials.append(
        Trial(
          algorithm: ChecksumAlgorithm(sum), byteCount: sum.bits / 8, evidence: isPlain ? min(Double(sum.bits), 10) : Double(sum.bits),
          unusualness: simple[name] ?? 3, isReflected: false))
    }
    return trials
  }()

  /// A place in a frame where a number stands.
  private struct Place {
    var offset: Int
    var count: Int
    var order: ByteOrder
    var form: Checksum.Form
  }

  /// The best candidates, of which only so many are kept.
  private struct Found {
    var keep: Int
    var best: [ChecksumCandidate] = []
    var count = 0
    private var worst = -Double.infinity

    init(keep: Int) { self.keep = keep }

    mutating func add(_ candidate: ChecksumCandidate) {
      count += 1
      if best.count >= 2 * keep {
        best.sort { $0.plausibility > $1.plausibility }
        best.removeSubrange(keep...)
        worst = best[keep - 1].plausibility
      }
      if candidate.plausibility > worst { best.append(candidate) }
    }
  }

  private func search(_ frames: [[UInt8]], _ isOneLength: Bool, _ found: inout Found) {
    let base = frames[0]
    let places = Places(base, window)
    let starts = base.count <= window ? Array(0..<base.count) : Array(0..<(window / 4))
    let firstEnd = base.count <= window ? 0 : base.count - window / 4
    let isHex = base.map { hexValue($0) != nil }
    var byte: [UInt8] = [0]

    for trial in Self.trials {
      for from in starts {
        // All runs that begin here, as bytes.
        var register = trial.algorithm.register
        for to in (from + 1)...base.count {
          trial.algorithm.update(&register, base.span.bytes.extracting((to - 1)..<to))
          guard to >= firstEnd, to - from >= 2 else { continue }
          places.forEach(trial.algorithm.value(register), trial.byteCount) { place in
            guard place.offset >= to || place.offset + place.count <= from else { return }
            consider(trial, from..<to, .binary, place, .skipped, frames, isOneLength, &found)
          }
        }
        // And as digits.
        guard isHex[from] else { continue }
        register = trial.algorithm.register
        var to = from
        while to + 1 < base.count, let high = hexValue(base[to]), let low = hexValue(base[to + 1]) {
          byte[0] = high << 4 | low
          trial.algorithm.update(&register, byte.span.bytes)
          to += 2
          guard to >= firstEnd, to - from >= 4 else { continue }
          let run = from..<to
          places.forEach(trial.algorithm.value(register), trial.byteCount) { place in
            guard place.offset >= run.upperBound || place.offset + place.count <= run.lowerBound else { return }
            consider(trial, run, .asciiHex, place, .skipped, frames, isOneLength, &found)
          }
        }
      }
      // Runs with the checksum inside them, its own bytes left out or taken as zeros.
      for from in 0..<min(4, base.count) {
        for to in max(from + 1, base.count - 4)...base.count {
          for place in places.inside(from + 1..<to, trial.byteCount) {
            for own in [Checksum.OwnBytes.skipped, .zeroed] {
              let range = [ByteRange(from: from, to: to)]
              let checksum = Checksum(
                trial.algorithm, over: range, at: place.offset, byteCount: trial.byteCount, byteOrder: place.order, form: place.form,
                ownBytes: own)
              guard checksum.verify(base.span.bytes).isCorrect else { continue }
              consider(trial, from..<to, .binary, place, own, frames, isOneLength, &found)
            }
          }
        }
      }
    }
  }

  /// Tries what fits the first frame on the others, under every reading of its offsets.
  private func consider(
    _ trial: Trial, _ run: Range<Int>, _ coverageForm: Checksum.Form, _ place: Place, _ own: Checksum.OwnBytes, _ frames: [[UInt8]],
    _ isOneLength: Bool, _ found: inout Found, bonus: Double = 0
  ) {
    let count = frames[0].count
    let atEnd = place.offset - count
    // Readings: usual ones first, as of several that fit only the first is kept.
    let isBehind = place.offset >= run.upperBound
    var readings: [(from: Int, to: Int?, at: Int, unusualness: Double)] = []
    let end: Int? = run.upperBound == count ? nil : run.upperBound - count
    // A checksum of the header stands near the start and covers what is before it.
    let isHeader = isBehind && place.offset < count / 2 && place.offset == run.upperBound && own == .skipped && count - place.offset > 8
    readings.append((run.lowerBound, end, atEnd, isHeader ? 2 : 0))
    readings.append((run.lowerBound, run.upperBound, place.offset, isHeader ? 0 : 3))
    readings.append((run.lowerBound, end, place.offset, place.offset < run.lowerBound ? 0 : 1))
    if !isOneLength {
      readings.append((run.lowerBound, run.upperBound, atEnd, 3))
      readings.append((run.lowerBound - count, end, atEnd, 5))
      readings.append((run.lowerBound - count, end, place.offset, 6))
    }
    readings.sort { $0.unusualness < $1.unusualness }

    for reading in readings {
      let checksum = Checksum(
        trial.algorithm, over: [ByteRange(from: reading.from, to: reading.to)], coverageForm: coverageForm, at: reading.at,
        byteCount: trial.byteCount, byteOrder: place.order, form: place.form, ownBytes: own)
      guard Self.fitsAll(frames, checksum) else { continue }
      let (told, values) = Self.distinct(checksum, frames)
      // The same bytes with the same checksum explain nothing; nor do other bytes that come to a constant: most often they end with a CRC.
      guard frames.count == 1 || (told > 1 && values > 1) else { return }
      var unusualness = trial.unusualness + reading.unusualness + bonus
      unusualness += Self.unusualness(of: run, place, own, count)
      if coverageForm == .asciiHex { unusualness += place.form == .asciiHex ? 0.5 : 3 }
      if place.form == .asciiHex, coverageForm == .binary { unusualness += 0.5 }
      let first = frames[0]
      if frames.count == 1, checksum.storedValue(in: first.span.bytes) == 0 { unusualness += 4 }
      // A reflected CRC is sent low byte first, another one high byte first.
      if trial.byteCount > 1 {
        let usual: ByteOrder = trial.isReflected ? .little : .big
        if place.order != usual { unusualness += 1 }
      }
      found.add(
        ChecksumCandidate(
          checksum: checksum, evidence: trial.evidence * Double(told), unusualness: unusualness))
      return
    }
  }

  /// Whether all frames but the first, on which it was found, carry the checksum.
  private static func fitsAll(_ frames: [[UInt8]], _ checksum: Checksum) -> Bool {
    for place in 1..<max(1, frames.count) {
      let frame = frames[place]
      if !checksum.verify(frame.span.bytes).isCorrect { return false }
    }
    return true
  }

  /// How unusual a run and a place are, in bits.
  private static func unusualness(of run: Range<Int>, _ place: Place, _ own: Checksum.OwnBytes, _ count: Int) -> Double {
    var bits = 0.0
    func step(_ offset: Int, free: Int) -> Double { offset <= free ? 0 : min(Double(offset - free), 6) * 0.75 + 1 }
    // Where the run begins: at the start, or behind a marker or a header.
    bits += run.lowerBound == 0 ? 0 : 0.5 + step(run.lowerBound, free: 4)
    let behind = count - place.offset - place.count
    if own != .skipped { bits += 2 }
    if run.contains(place.offset) {
      // All other bytes; a check digit in a header.
      bits += 2 + (run.upperBound == count ? 0 : 1) + step(place.offset, free: 4)
    } else if place.offset >= run.upperBound {
      // Right behind the run, and at the end or before an end marker.
      bits += step(place.offset - run.upperBound, free: 0) * 1.5
      bits += behind == 0 ? 0 : 0.5 + step(behind, free: 2)
    } else {
      // In front of the run: the run goes to the end, or up to an end marker.
      bits += 2 + step(run.lowerBound - place.offset - place.count, free: 0) + step(count - run.upperBound, free: 0)
      bits += step(place.offset, free: 4)
    }
    // Little is covered: chance, or a copy.
    let covered = run.count - (run.contains(place.offset) ? place.count : 0)
    if covered * 2 < count { bits += Double(count - 2 * covered) / Double(count) * 8 }
    if covered <= place.count { bits += 6 }
    return bits
  }

  /// Number of frames that differ in what is covered, and in what is stored.
  private static func distinct(_ checksum: Checksum, _ frames: [[UInt8]]) -> (covered: Int, stored: Int) {
    var seen: [[UInt8]] = []
    var values: [UInt128] = []
    for frame in frames {
      guard let covered = checksum.coverage.first?.resolved(in: frame.count) else { continue }
      let bytes = Array(frame[covered])
      if !seen.contains(bytes) { seen.append(bytes) }
      if let value = checksum.storedValue(in: frame.span.bytes), !values.contains(value) { values.append(value) }
    }
    return (seen.count, values.count)
  }

  /// Keeps one of several that judge any frame alike: the same arithmetic under another name, or over more leading zeros.
  private static func dropEquivalents(_ ranked: inout [ChecksumCandidate]) {
    var kept: [ChecksumCandidate] = []
    for candidate in ranked {
      let own = candidate.checksum
      let isKnown = kept.contains { other in
        let its = other.checksum
        return its.coverage == own.coverage && its.position == own.position && its.byteOrder == own.byteOrder && its.form == own.form
          && its.coverageForm == own.coverageForm && its.ownBytes == own.ownBytes && its.byteCount == own.byteCount
          && own.algorithm.name == its.algorithm.name
      }
      if !isKnown { kept.append(candidate) }
    }
    ranked = kept
  }

  // MARK: Numbers of a frame

  /// Where in a frame which number stands.
  private struct Places {
    private var ofOneByte = [[Place]](repeating: [], count: 256)
    private var wider: [Int: [UInt128: [Place]]] = [:]
    private var all: [Int: [Place]] = [:]

    init(_ frame: [UInt8], _ window: Int) {
      let first = frame.count <= window ? 0 : frame.count - window / 4
      let counts = Set(ChecksumSearch.trials.map(\.byteCount))
      for count in counts {
        var list: [Place] = []
        for form in Checksum.Form.allCases {
          for order in count == 1 ? [ByteOrder.big] : [.big, .little] {
            let stored = form == .binary ? count : 2 * count
            guard stored < frame.count else { continue }
            for offset in 0...(frame.count - stored) where offset >= first || offset < window / 4 {
              var probe = Checksum(ChecksumSearch.trials[0].algorithm, at: offset, byteCount: count, byteOrder: order, form: form)
              probe.coverage = []
              guard let value = probe.storedValue(in: frame.span.bytes) else { continue }
              let place = Place(offset: offset, count: stored, order: order, form: form)
              list.append(place)
              if count == 1 { ofOneByte[Int(value)].append(place) } else { wider[count, default: [:]][value, default: []].append(place) }
            }
          }
        }
        all[count] = list
      }
    }

    func forEach(_ value: UInt128, _ byteCount: Int, _ body: (Place) -> Void) {
      if byteCount == 1 {
        for place in ofOneByte[Int(truncatingIfNeeded: value & 0xff)] { body(place) }
      } else if let places = wider[byteCount]?[value] {
        for place in places { body(place) }
      }
    }

    /// Places of that many bytes that lie in a run.
    func inside(_ run: Range<Int>, _ byteCount: Int) -> [Place] {
      (all[byteCount] ?? []).filter { $0.offset >= run.lowerBound && $0.offset + $0.count < run.upperBound }
    }
  }

  // MARK: Unknown constants

  /// CRCs of the catalogue's polynomials with another start, and sums with a constant, over the usual runs and places.
  private func searchConstants(_ frames: [[UInt8]], _ isOneLength: Bool, _ found: inout Found) {
    let shortest = frames[0].count
    var tried: [CRCParameters] = []
    for trial in Self.trials {
      if case .crc(let crc) = trial.algorithm.base {
        // The polynomials, each once for each direction.
        let p = crc.parameters
        guard p.width.isMultiple(of: 8), p.width <= 64, p.reflectsInput == p.reflectsOutput else { continue }
        let isKnown = tried.contains { $0.width == p.width && $0.polynomial == p.polynomial && $0.reflectsInput == p.reflectsInput }
        if isKnown { continue }
        tried.append(p)
      }
      for order in trial.byteCount == 1 ? [ByteOrder.big] : [.big, .little] {
        for behind in 0...min(3, shortest - trial.byteCount - 1) {
          for from in 0..<min(6, shortest) {
            let at = -behind - trial.byteCount
            guard shortest + at - from >= 2 else { continue }
            let checksum = Checksum(
              trial.algorithm, over: [ByteRange(from: from, to: at)], at: at, byteCount: trial.byteCount, byteOrder: order)
            guard let fitting = withConstant(checksum, frames) else { continue }
            let place = Place(offset: shortest + at, count: trial.byteCount, order: order, form: .binary)
            var adjusted = trial
            adjusted.algorithm = fitting
            adjusted.unusualness += 8
            // One frame's worth of evidence went into the constant.
            adjusted.evidence = trial.evidence * Double(frames.count - 1) / Double(frames.count)
            consider(adjusted, from..<(shortest + at), .binary, place, .skipped, frames, isOneLength, &found)
          }
        }
      }
    }
  }

  /// The algorithm with the constant that makes all frames right.
  private func withConstant(_ checksum: Checksum, _ frames: [[UInt8]]) -> ChecksumAlgorithm? {
    switch checksum.algorithm.base {
    case .sum(let sum):
      guard sum.kind == .sum || sum.kind == .xor || sum.kind == .interleaved else { return nil }
      let mask = UInt128.max >> UInt128(128 - sum.bits)
      var addend: UInt128?
      var bits: UInt128?
      var adds = sum.kind == .sum
      var xors = true
      for frame in frames {
        guard let stored = checksum.storedValue(in: frame.span.bytes), let plain = checksum.computedValue(over: frame.span.bytes) else {
          return nil
        }
        let difference = (stored &- plain) & mask
        adds = adds && (addend ?? difference) == difference
        addend = difference
        xors = xors && (bits ?? stored ^ plain) == stored ^ plain
        bits = stored ^ plain
        if !adds, !xors { return nil }
      }
      var algorithm = checksum.algorithm
      if adds { algorithm.addend = addend ?? 0 } else { algorithm.mask = bits ?? 0 }
      return algorithm
    case .crc(let crc):
      // With start and last XOR zero, what is stored differs from the CRC by the start value run through as many zero bytes. The last XOR is
      // one of the two usual ones.
      var plain = crc.parameters
      plain.name = ""
      plain.initial = 0
      let ones = UInt128.max >> UInt128(128 - plain.width)
      plain.finalXor = 0
      let engine = CRC(plain)
      for finalXor in [0, ones] {
        var start: UInt128?
        var isSame = true
        for frame in frames {
          guard let stored = checksum.storedValue(in: frame.span.bytes), let covered = checksum.coverage[0].resolved(in: frame.count) else {
            return nil
          }
          let difference = stored ^ finalXor ^ engine.value(of: frame.span.bytes.extracting(covered))
          let own = Self.unshift(difference, plain, 8 * covered.count)
          if let start, start != own {
            isSame = false
            break
          }
          start = own
        }
        if isSame, let start {
          plain.initial = start
          plain.finalXor = finalXor
          return ChecksumAlgorithm(CRC(plain))
        }
      }
      return nil
    }
  }

  /// The start value (not reflected) from which `bits` zero bits give the register `value` (as the output has it).
  private static func unshift(_ value: UInt128, _ p: CRCParameters, _ bits: Int) -> UInt128 {
    var register = p.reflectsOutput ? reflect(value, p.width) : value
    let top = UInt128(1) << UInt128(p.width - 1)
    for _ in 0..<bits {
      // The polynomial's lowest term is 1: the lowest bit tells whether it was added.
      if register & 1 != 0 {
        register = (register ^ p.polynomial) >> 1 | top
      } else {
        register >>= 1
      }
    }
    return register
  }
}
