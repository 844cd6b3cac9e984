/// A checksum that matches all frames of a search.
public struct ChecksumCandidate: Sendable {
  /// The algorithm, its coverage, and the location and encoding of the stored value.
  public var checksum: Checksum
  /// Evidence in bits against a match by chance: width times number of different frames.
  public var evidence: Double
  /// How unusual the checksum is, in bits: 0 for the choices of most protocols.
  public var unusualness: Double

  /// Rank of candidates: higher is more plausible.
  public var plausibility: Double { evidence - unusualness }
}

/// The result of a search.
public struct ChecksumSearchResult: Sendable {
  /// The candidates, the most plausible first.
  public var candidates: [ChecksumCandidate] = []
  /// Number of candidates that are not much less plausible than the best; ``candidates`` may hold fewer.
  public var fitting = 0
  /// Number of different frames that were given.
  public var frames = 0
  /// Whether all frames have the same length, so that offsets from the start and from the end are equivalent.
  public var isOneLength = false
  /// Index in the given frames of the frame that does not match although all others do; nil where all match.
  public var outlier: Int?
  /// Number of bytes processed with an algorithm, or compared, and other operations of similar cost.
  package var work = 0
  /// The search stopped at ``ChecksumSearch/maxWork``: there may be further candidates.
  package var isCutShort = false
  /// Whether several candidates remain that would give different results for another frame, or the frames are too few to exclude chance.
  public var isUncertain = false
}

/// Finds the checksum that matches all of the given frames: the algorithm, the covered bytes, the location, the byte order and the encoding.
///
/// Every algorithm of ``CRCCatalogue`` and every sum of ``ChecksumAlgorithm/namedSums`` is tried over every range of bytes and at every offset of the
/// shortest frame; matches are tried on the others. If nothing matches three frames, CRCs of the catalogue's polynomials with another initial value,
/// and sums with a constant added or XORed, are tried over the usual ranges and offsets.
public struct ChecksumSearch: Sendable {
  /// The most candidates that are returned: 1...10 000; other values are clamped.
  public var limit: Int { didSet { limit = Self.bounded(limit) } }
  /// In frames longer than this, only ranges that begin in the first quarter, and ranges and offsets that end in the last quarter of it, are tried.
  public var window = 256 { didSet { window = max(0, window) } }
  /// Whether, if nothing plausible matches all frames, a checksum that matches all but one is searched for.
  public var allowsOutlier = true

  /// The search stops after this much work (``ChecksumSearchResult/work``).
  package var maxWork = Int.max

  /// Makes a search that returns at most `limit` candidates.
  public init(limit: Int = 10) {
    self.limit = Self.bounded(limit)
  }

  private static func bounded(_ limit: Int) -> Int { min(max(1, limit), 10_000) }

  /// Searches. Equal frames count once; frames of less than two bytes are ignored. If nothing plausible matches all of at least four, a checksum that
  /// matches all but one is returned, with that frame as the outlier.
  public func find(_ given: [[UInt8]]) -> ChecksumSearchResult {
    var result = findAll(given, maxWork)
    let best = result.candidates.first?.plausibility ?? 0
    guard allowsOutlier, result.frames >= 4, best < 12 else { return result }
    for index in given.indices where !result.isCutShort {
      var others = given
      others.remove(at: index)
      var without = findAll(others, maxWork - result.work)
      result.work += without.work
      result.isCutShort = without.isCutShort
      guard without.frames == result.frames - 1, let other = without.candidates.first, other.plausibility >= 20 else { continue }
      without.outlier = index
      without.work = result.work
      return without
    }
    return result
  }

  private func findAll(_ given: [[UInt8]], _ maxWork: Int) -> ChecksumSearchResult {
    var frames: [[UInt8]] = []
    var known: Set<[UInt8]> = []
    var work = 0
    for frame in given where frame.count >= 2 {
      work += Self.verification * frame.count
      if known.insert(frame).inserted { frames.append(frame) }
    }
    frames.sort { $0.count < $1.count }
    var result = ChecksumSearchResult()
    result.frames = frames.count
    guard let shortest = frames.first else {
      result.work = work
      return result
    }
    result.isOneLength = frames.allSatisfy { $0.count == shortest.count }
    // In very short frames, a checksum of one byte equals a covered byte: a longer frame distinguishes the two.
    if frames.count >= 4, shortest.count < 6, let longer = frames.firstIndex(where: { $0.count >= 6 }) { frames.swapAt(0, longer) }

    var found = Found(keep: max(limit * 4, 64), maxWork)
    found.work = work
    let values = search(frames, result.isOneLength, &found)
    if found.best.isEmpty, frames.count > 1, values.arePassedOver || frames[0].count < 32 {
      // In the first frame, the checksum may be a value that is skipped as too common (0, all ones), or its coverage too short.
      var others = frames
      others.swapAt(0, 1)
      search(others, result.isOneLength, &found)
    }
    if found.best.isEmpty, frames.count >= 3 { searchConstants(frames, result.isOneLength, &found) }

    result.work = found.work
    result.isCutShort = found.isSpent
    var ranked = found.best.sorted { $0.plausibility > $1.plausibility }
    if let best = ranked.first {
      // A candidate that is a thousand times less plausible is considered a coincidence.
      ranked.removeAll { best.plausibility - $0.plausibility > 10 }
      Self.dropEquivalents(&ranked)
      let rivals = ranked.dropFirst().filter { best.plausibility - $0.plausibility < 8 }
      result.isUncertain = frames.count == 1 || best.plausibility < 12 || !rivals.isEmpty
    }
    result.fitting = ranked.count
    result.candidates = Array(ranked.prefix(limit))
    return result
  }

  // MARK: Trials

  /// An algorithm to try: how usual it is, and the evidence of a match.
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
      // Bytes are small, many are zero, and equal ones cancel: the evidence of a sum is less than its width.
      let evidence: Double
      switch (sum.kind, sum.bits) {
      case (_, 8): evidence = 8
      case (.sum, _), (.xor, _): evidence = sum.unit == 1 ? 10 : 12
      case (_, 16): evidence = 14
      default: evidence = 24
      }
      trials.append(
        Trial(
          algorithm: ChecksumAlgorithm(sum), byteCount: sum.bits / 8, evidence: evidence,
          unusualness: simple[name] ?? (sum.bits > 16 ? 6 : 3),
          isReflected: false))
    }
    return trials
  }()

  /// A number at an offset in a frame.
  private struct StoredValue {
    var offset: Int
    var count: Int
    var order: ByteOrder
    var form: Checksum.Form
    /// The number; complete for a CRC of at most 64 bits.
    var value: UInt64

    /// Whether it begins in a range, and ends before the range's last byte.
    func lies(in run: Range<Int>) -> Bool { offset >= run.lowerBound && offset + count < run.upperBound }
  }

  /// The best candidates, up to `keep`.
  private struct Found {
    var keep: Int
    var best: [ChecksumCandidate] = []
    private var worst = -Double.infinity
    /// Work done so far, and its bound.
    var work = 0
    private let maxWork: Int
    var isSpent: Bool { work >= maxWork }

    init(keep: Int, _ maxWork: Int) {
      self.keep = keep
      self.maxWork = maxWork
    }

    /// Whether a candidate may still be among the best.
    func takes(_ plausibility: Double) -> Bool { plausibility > worst }

    mutating func add(_ candidate: ChecksumCandidate) {
      if best.count >= 2 * keep {
        best.sort { $0.plausibility > $1.plausibility }
        best.removeSubrange(keep...)
        worst = best[keep - 1].plausibility
      }
      if candidate.plausibility > worst { best.append(candidate) }
    }
  }

  /// Searches the first frame for matches that the others confirm; returns the numbers in that frame.
  @discardableResult
  private func search(_ frames: [[UInt8]], _ isOneLength: Bool, _ found: inout Found) -> StoredValues {
    let base = frames[0]
    // With frames of one length, only bytes that differ between frames count: constant bytes are no checksum, and need none.
    let moving = isOneLength && frames.count > 1 ? Self.moving(frames) : nil
    let values = StoredValues(base, window, moving)
    func moves(_ from: Int, _ to: Int) -> Bool { moving.map { $0[to] > $0[from] } ?? true }
    let starts = base.count <= window ? Array(0..<base.count) : Array(0..<(window / 4))
    let firstEnd = base.count <= window ? 0 : base.count - window / 4
    let isHex = base.map { hexValue($0) != nil }
    var byte: [UInt8] = [0]
    var other = OtherFrame(frames.count > 1 ? frames[1] : [])

    for trial in Self.trials {
      other.begin(trial.algorithm)
      // With several frames, a wide CRC is sufficient evidence even for a single byte; a sum of few bytes equals these bytes.
      let isWideCRC = if case .crc = trial.algorithm.base { trial.byteCount > 1 && frames.count > 3 } else { false }
      let minimum = isWideCRC ? 0 : trial.byteCount
      for from in starts {
        if found.isSpent { return values }
        found.work += base.count - from
        // All ranges that begin here, as bytes.
        Self.values(trial.algorithm, base, from) { to, value in
          guard to >= firstEnd, to - from > minimum, values.mayHave(value, trial.byteCount), moves(from, to) else { return }
          values.forEach(value, trial.byteCount) { stored in
            guard stored.offset >= to || stored.offset + stored.count <= from else { return }
            consider(trial, from..<to, .binary, stored, .skipped, frames, isOneLength, &found, &other)
          }
        }
        // The same as hexadecimal digits.
        guard isHex[from] else { continue }
        found.work += base.count - from
        var register = trial.algorithm.register
        var to = from
        while to + 1 < base.count, let high = hexValue(base[to]), let low = hexValue(base[to + 1]) {
          byte[0] = high << 4 | low
          trial.algorithm.update(&register, byte.rawSpan)
          to += 2
          guard to >= firstEnd, to - from > 2 * trial.byteCount, moves(from, to) else { continue }
          let run = from..<to
          values.forEach(trial.algorithm.value(register), trial.byteCount) { stored in
            guard stored.offset >= run.upperBound || stored.offset + stored.count <= run.lowerBound else { return }
            consider(trial, run, .asciiHex, stored, .skipped, frames, isOneLength, &found, &other)
          }
        }
      }
      // Ranges that contain the checksum, with its own bytes skipped or as zeros (which is equivalent for a sum of bytes).
      let isSum = if case .sum = trial.algorithm.base { true } else { false }
      guard trial.algorithm.width.isMultiple(of: 8) else { continue }
      let near = values.nearEnds(of: base.count, trial.byteCount)
      if near.isEmpty { continue }
      for from in 0..<min(3, base.count) {
        let registers = CRCRegisters(trial.algorithm, base, from)
        for to in max(from + 1, base.count - 2)...base.count {
          if found.isSpent { return values }
          if let registers {
            found.work += registers.forEachFit(near, before: to) { stored, own in
              consider(trial, from..<to, .binary, stored, own, frames, isOneLength, &found, &other)
            }
            continue
          }
          let range = [ByteRange(from: from, to: to)]
          for index in near.indices where near[index].lies(in: from + 1..<to) {
            let stored = near[index]
            for number in 0..<(isSum ? 1 : 2) {
              if found.isSpent { return values }
              found.work += to - stored.offset + Self.verification * base.count
              let own: Checksum.ChecksumBytes = number == 0 ? .skipped : .zeroed
              let checksum = Checksum(
                trial.algorithm, over: range, at: stored.offset, byteCount: trial.byteCount, byteOrder: stored.order, form: stored.form,
                checksumBytes: own)
              guard checksum.verify(base.rawSpan).isCorrect else { continue }
              consider(trial, from..<to, .binary, stored, own, frames, isOneLength, &found, &other)
            }
          }
        }
      }
    }
    return values
  }

  /// Number of bytes before each offset, and at the end, that differ between frames; all frames have one length.
  private static func moving(_ frames: [[UInt8]]) -> [Int] {
    var counts = [0]
    for index in frames[0].indices {
      counts.append(counts[index] + (frames.contains { $0[index] != frames[0][index] } ? 1 : 0))
    }
    return counts
  }

  /// The checksums of all ranges of `frame` that begin at `from`, with their ends.
  private static func values(_ algorithm: ChecksumAlgorithm, _ frame: [UInt8], _ from: Int, _ body: (Int, UInt128) -> Void) {
    if case .crc(let crc) = algorithm.base, crc.parameters.width <= 64, crc.parameters.reflectsInput == crc.parameters.reflectsOutput {
      let p = crc.parameters
      let finalXor = UInt64(truncatingIfNeeded: p.finalXor)
      unsafe crc.storage.tables.withUnsafeBufferPointer { table in
        var register = crc.storage.start
        if p.reflectsInput {
          for at in from..<frame.count {
            register = unsafe register >> 8 ^ table[Int((register ^ UInt64(frame[at])) & 0xff)]
            body(at + 1, UInt128(register ^ finalXor))
          }
        } else {
          let shift = UInt64(64 - p.width)
          for at in from..<frame.count {
            register = unsafe register << 8 ^ table[Int(register >> 56 ^ UInt64(frame[at]))]
            body(at + 1, UInt128(register >> shift ^ finalXor))
          }
        }
      }
      return
    }
    var register = algorithm.register
    for at in from..<frame.count {
      algorithm.update(&register, frame.rawSpan.extracting(at..<(at + 1)))
      body(at + 1, algorithm.value(register))
    }
  }

  /// The interpretations of a range and an offset (relative to start or end), usual ones first, each with its unusualness. Only the first match is
  /// kept.
  private static let usualReadings: [(Int, Double)] = [(0, 0), (2, 1), (1, 3), (3, 3), (4, 5), (5, 6)]
  private static let headerReadings: [(Int, Double)] = [(1, 0), (2, 1), (0, 2), (3, 3), (4, 5), (5, 6)]
  private static let frontReadings: [(Int, Double)] = [(2, 0), (0, 0.5), (1, 3), (3, 3), (4, 5), (5, 6)]

  /// Cost of considering an interpretation of an offset, and of verifying a byte, relative to processing a byte with an algorithm.
  private static let consideration = 8, verification = 2

  /// Tries a match in the first frame on the others, with every interpretation of its offsets.
  private func consider(
    _ trial: Trial, _ run: Range<Int>, _ coverageForm: Checksum.Form, _ stored: StoredValue, _ own: Checksum.ChecksumBytes,
    _ frames: [[UInt8]],
    _ isOneLength: Bool, _ found: inout Found, _ other: inout OtherFrame
  ) {
    if found.isSpent { return }
    found.work += 1
    let first = frames[0]
    let count = first.count
    var unusualness = trial.unusualness + Self.unusualness(of: run, stored, own, count)
    if coverageForm == .asciiHex { unusualness += stored.form == .asciiHex ? 0.5 : 3 }
    if stored.form == .asciiHex, coverageForm == .binary { unusualness += 0.5 }
    // A reflected CRC is usually sent low byte first, others high byte first.
    if trial.byteCount > 1, stored.order != (trial.isReflected ? .little : .big) { unusualness += 1 }
    // Most are coincidences, and are rejected before any other frame is examined.
    guard found.takes(trial.evidence * Double(frames.count) - unusualness) else { return }

    let atEnd = stored.offset - count
    let end: Int? = run.upperBound == count ? nil : run.upperBound - count
    let readings: [(Int, Double)]
    if own == .skipped, stored.offset == run.upperBound, stored.offset < count / 2, count - stored.offset > 8 {
      // A checksum of the header is near the start and covers the bytes before it.
      readings = Self.headerReadings
    } else {
      readings =
        stored.offset < run.lowerBound || (run.contains(stored.offset) && stored.offset < count / 2)
        ? Self.frontReadings : Self.usualReadings
    }
    let isPlain = coverageForm == .binary && own == .skipped
    for (reading, itsUnusualness) in readings.prefix(isOneLength ? 1 : 6) {
      found.work += Self.consideration
      let range = ByteRange(
        from: reading < 4 ? run.lowerBound : run.lowerBound - count, to: reading == 1 || reading == 3 ? run.upperBound : end)
      let position = reading == 1 || reading == 2 || reading == 5 ? stored.offset : atEnd
      if isPlain, !other.mayFit(range, position, trial.byteCount, stored, &found.work) { continue }
      // The same bytes with the same checksum are no evidence.
      if frames.count > 1, Self.areSame(frames, range, position, stored.count, &found.work) { return }
      let checksum = Checksum(
        trial.algorithm, over: [range], coverageForm: coverageForm, at: position, byteCount: trial.byteCount, byteOrder: stored.order,
        form: stored.form, checksumBytes: own)
      guard Self.fitsAll(frames, checksum, &found.work) else { continue }
      var matches = 1
      if frames.count == 1 {
        if checksum.storedValue(in: first.rawSpan) == 0 { unusualness += 4 }
      } else {
        // Neither are different bytes with a constant result: most often they end with a CRC.
        found.work += frames.count * run.count
        let (covered, stored) = Self.distinct(checksum, frames)
        guard covered > 1, stored > 1 else { return }
        matches = covered
      }
      found.add(
        ChecksumCandidate(checksum: checksum, evidence: trial.evidence * Double(matches), unusualness: unusualness + itsUnusualness))
      return
    }
  }

  /// The second frame, with the checksums of its ranges: it rejects most chance matches of the first frame without computing a checksum for each
  /// offset.
  private struct OtherFrame {
    /// The checksums of all ranges that begin at one byte, by their ends.
    private struct Runs {
      var from = -1
      /// The low 64 bits of each.
      var values: [UInt64] = []

      mutating func fill(_ algorithm: ChecksumAlgorithm, _ bytes: [UInt8], _ from: Int) {
        self.from = from
        values.removeAll(keepingCapacity: true)
        ChecksumSearch.values(algorithm, bytes, from) { _, value in values.append(UInt64(truncatingIfNeeded: value)) }
      }
    }

    private let bytes: [UInt8]
    private var algorithm = ChecksumSearch.trials[0].algorithm
    /// Ranges whose start has the same distance from the start as in the first frame, and ranges with the same distance from the end.
    private var fromStart = Runs()
    private var fromEnd = Runs()

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Starts with another algorithm.
    mutating func begin(_ algorithm: ChecksumAlgorithm) {
      self.algorithm = algorithm
      fromStart.from = -1
      fromEnd.from = -1
    }

    /// Whether the frame has the checksum over `range`, stored as in `candidate` but at `position`; also true where only ``Checksum/verify(_:)`` can
    /// decide it.
    mutating func mayFit(_ range: ByteRange, _ position: Int, _ byteCount: Int, _ candidate: StoredValue, _ work: inout Int) -> Bool {
      guard byteCount <= 8, !bytes.isEmpty, let run = range.resolved(in: bytes.count), !run.isEmpty else { return true }
      let start = position < 0 ? bytes.count + position : position
      guard start >= 0, start + candidate.count <= bytes.count, start >= run.upperBound || start + candidate.count <= run.lowerBound else {
        return true
      }
      var stored: UInt64 = 0
      for index in 0..<byteCount {
        let byte = candidate.order == .big ? index : byteCount - 1 - index
        if candidate.form == .binary {
          stored = stored << 8 | UInt64(bytes[start + byte])
        } else {
          guard let high = hexValue(bytes[start + 2 * byte]), let low = hexValue(bytes[start + 2 * byte + 1]) else { return false }
          stored = stored << 8 | UInt64(high << 4 | low)
        }
      }
      let computed: UInt64
      if range.from < 0 {
        if fromEnd.from != run.lowerBound {
          fromEnd.fill(algorithm, bytes, run.lowerBound)
          work += bytes.count - run.lowerBound
        }
        computed = fromEnd.values[run.count - 1]
      } else {
        if fromStart.from != run.lowerBound {
          fromStart.fill(algorithm, bytes, run.lowerBound)
          work += bytes.count - run.lowerBound
        }
        computed = fromStart.values[run.count - 1]
      }
      return computed & (UInt64.max >> UInt64(64 - 8 * byteCount)) == stored
    }
  }

  /// The registers of a CRC before each byte of a frame's range, from which it continues after bytes that are skipped or taken as zeros.
  private struct CRCRegisters {
    private let crc: CRC
    private let frame: [UInt8]
    private let from: Int
    private var registers: [UInt64] = []

    /// Nil unless the algorithm is a CRC of at most 64 bits with equal input and output reflection.
    init?(_ algorithm: ChecksumAlgorithm, _ frame: [UInt8], _ from: Int) {
      guard case .crc(let crc) = algorithm.base, crc.parameters.width <= 64,
        crc.parameters.reflectsInput == crc.parameters.reflectsOutput
      else {
        return nil
      }
      self.crc = crc
      self.frame = frame
      self.from = from
      registers.reserveCapacity(frame.count - from)
      let isReflected = crc.parameters.reflectsInput
      unsafe crc.storage.tables.withUnsafeBufferPointer { table in
        var register = crc.storage.start
        for byte in frame[from...] {
          registers.append(register)
          unsafe Self.step(&register, byte, table, isReflected)
        }
      }
    }

    @inline(__always)
    private static func step(_ register: inout UInt64, _ byte: UInt8, _ table: UnsafeBufferPointer<UInt64>, _ isReflected: Bool) {
      if isReflected {
        register = unsafe register >> 8 ^ table[Int((register ^ UInt64(byte)) & 0xff)]
      } else {
        register = unsafe register << 8 ^ table[Int(register >> 56 ^ UInt64(byte))]
      }
    }

    /// Calls `body` with the numbers before `end` that are the CRC of all other bytes from the start of the range to `end`, once with their own
    /// bytes skipped and once as zeros. Returns the number of bytes that were passed through the CRC.
    func forEachFit(_ values: [StoredValue], before end: Int, _ body: (StoredValue, Checksum.ChecksumBytes) -> Void) -> Int {
      let p = crc.parameters
      let (isReflected, shift, finalXor) = (p.reflectsInput, UInt64(64 - p.width), UInt64(truncatingIfNeeded: p.finalXor))
      var work = 0
      unsafe crc.storage.tables.withUnsafeBufferPointer { table in
        @inline(__always) func isCRC(_ start: UInt64, _ stored: StoredValue) -> Bool {
          var register = start
          for at in stored.offset + stored.count..<end { unsafe Self.step(&register, frame[at], table, isReflected) }
          return (isReflected ? register : register >> shift) ^ finalXor == stored.value
        }
        for index in values.indices where values[index].lies(in: from + 1..<end) {
          let stored = values[index]
          work += 2 * (end - stored.offset)
          var register = registers[stored.offset - from]
          if isCRC(register, stored) { body(stored, .skipped) }
          for _ in 0..<stored.count { unsafe Self.step(&register, 0, table, isReflected) }
          if isCRC(register, stored) { body(stored, .zeroed) }
        }
      }
      return work
    }
  }

  /// Whether all frames except the first, in which it was found, contain the checksum.
  private static func fitsAll(_ frames: [[UInt8]], _ checksum: Checksum, _ work: inout Int) -> Bool {
    for index in 1..<max(1, frames.count) {
      let frame = frames[index]
      work += verification * frame.count
      if !checksum.verify(frame.rawSpan).isCorrect { return false }
    }
    return true
  }

  /// How unusual a range and an offset are, in bits.
  private static func unusualness(of run: Range<Int>, _ stored: StoredValue, _ own: Checksum.ChecksumBytes, _ count: Int) -> Double {
    var bits = 0.0
    func step(_ offset: Int, free: Int) -> Double { offset <= free ? 0 : min(Double(offset - free), 6) * 0.75 + 1 }
    // The start of the range: at the start of the frame, or after a marker or a header.
    bits += run.lowerBound == 0 ? 0 : 0.5 + step(run.lowerBound, free: 4) + 0.1 * Double(run.lowerBound)
    let behind = count - stored.offset - stored.count
    if own != .skipped { bits += 2 }
    if run.contains(stored.offset) {
      // All other bytes; a checksum in a header.
      bits += 2 + (run.upperBound == count ? 0 : 1) + step(stored.offset, free: 4)
    } else if stored.offset >= run.upperBound {
      // Directly after the range, and at the end or before an end marker.
      bits += step(stored.offset - run.upperBound, free: 0) * 1.5
      bits += behind == 0 ? 0 : 0.5 + step(behind, free: 2)
    } else {
      // Before the range: the range extends to the end, or to an end marker.
      bits += 2 + step(run.lowerBound - stored.offset - stored.count, free: 0) + step(count - run.upperBound, free: 0)
      bits += step(stored.offset, free: 4)
    }
    // A small coverage suggests a coincidence, or a copy.
    let covered = run.count - (run.contains(stored.offset) ? stored.count : 0)
    if covered * 2 < count { bits += Double(count - 2 * covered) / Double(count) * 8 }
    if covered <= stored.count { bits += 6 }
    return bits
  }

  /// Number of different covered bytes, and of different stored values; covered bytes are compared only if stored values differ.
  private static func distinct(_ checksum: Checksum, _ frames: [[UInt8]]) -> (covered: Int, stored: Int) {
    var seen: [ArraySlice<UInt8>] = []
    var values: [UInt128] = []
    for frame in frames {
      if let value = checksum.storedValue(in: frame.rawSpan), !values.contains(value) { values.append(value) }
    }
    guard values.count > 1 else { return (0, values.count) }
    for frame in frames {
      guard let covered = checksum.coverage.first?.resolved(in: frame.count) else { continue }
      if !seen.contains(frame[covered]) { seen.append(frame[covered]) }
    }
    return (seen.count, values.count)
  }

  /// Whether all frames have the same bytes in `range`, and the same `count` bytes at `position`.
  private static func areSame(_ frames: [[UInt8]], _ range: ByteRange, _ position: Int, _ count: Int, _ work: inout Int) -> Bool {
    func storedOffset(_ frame: [UInt8]) -> Int? {
      let start = position < 0 ? frame.count + position : position
      return start >= 0 && start + count <= frame.count ? start : nil
    }
    guard let run = range.resolved(in: frames[0].count), let stored = storedOffset(frames[0]) else { return false }
    for frame in frames.dropFirst() {
      guard let itsRun = range.resolved(in: frame.count), let its = storedOffset(frame), itsRun.count == run.count else { return false }
      for index in 0..<count where frame[its + index] != frames[0][stored + index] { return false }
      for index in 0..<run.count where frame[itsRun.lowerBound + index] != frames[0][run.lowerBound + index] {
        work += index
        return false
      }
      work += run.count
    }
    return true
  }

  /// Keeps one of several equivalent candidates: the same algorithm with another name, or over more leading zeros.
  private static func dropEquivalents(_ ranked: inout [ChecksumCandidate]) {
    var kept: [ChecksumCandidate] = []
    for candidate in ranked {
      let own = candidate.checksum
      let isKnown = kept.contains { other in
        let its = other.checksum
        return its.coverage == own.coverage && its.position == own.position && its.byteOrder == own.byteOrder && its.form == own.form
          && its.coverageForm == own.coverageForm && its.checksumBytes == own.checksumBytes && its.byteCount == own.byteCount
          && own.algorithm.name == its.algorithm.name
      }
      if !isKnown { kept.append(candidate) }
    }
    ranked = kept
  }

  // MARK: Numbers of a frame

  /// The numbers in a frame with their offsets.
  private struct StoredValues {
    private var ofSingleBytes = [[StoredValue]](repeating: [], count: 256)
    private var wider: [Int: [UInt128: [StoredValue]]] = [:]
    private var all: [Int: [StoredValue]] = [:]
    /// Whether some values are all zeros or ones, which are not searched for.
    private(set) var arePassedOver = false
    /// The low 16 bits of all numbers of several bytes: most values do not occur.
    private var low = [Bool](repeating: false, count: 1 << 16)

    /// `moving` counts, before each byte and at the end, the bytes that differ between frames; nil where frames are not compared.
    init(_ frame: [UInt8], _ window: Int, _ moving: [Int]?) {
      let first = frame.count <= window ? 0 : frame.count - window / 4
      let counts = Set(ChecksumSearch.trials.map(\.byteCount))
      for count in counts {
        var list: [StoredValue] = []
        for form in Checksum.Form.allCases {
          for order in count == 1 ? [ByteOrder.big] : [.big, .little] {
            let stored = form == .binary ? count : 2 * count
            guard stored < frame.count else { continue }
            for offset in 0...(frame.count - stored) where offset >= first || offset < window / 4 {
              if let moving, moving[offset + stored] == moving[offset] { continue }
              var probe = Checksum(ChecksumSearch.trials[0].algorithm, at: offset, byteCount: count, byteOrder: order, form: form)
              probe.coverage = []
              guard let value = probe.storedValue(in: frame.rawSpan) else { continue }
              let position = StoredValue(offset: offset, count: stored, order: order, form: form, value: UInt64(truncatingIfNeeded: value))
              list.append(position)
              // Zeros are frequent, and every CRC without an initial value gives zero for zeros.
              if count > 1, value == 0 || value == UInt128.max >> UInt128(128 - 8 * count) {
                arePassedOver = true
                continue
              }
              if count > 1 { low[Int(truncatingIfNeeded: value & 0xffff)] = true }
              if count == 1 {
                ofSingleBytes[Int(value)].append(position)
              } else {
                wider[count, default: [:]][value, default: []].append(position)
              }
            }
          }
        }
        all[count] = list
      }
    }

    func mayHave(_ value: UInt128, _ byteCount: Int) -> Bool {
      byteCount == 1 ? !ofSingleBytes[Int(truncatingIfNeeded: value & 0xff)].isEmpty : low[Int(truncatingIfNeeded: value & 0xffff)]
    }

    func forEach(_ value: UInt128, _ byteCount: Int, _ body: (StoredValue) -> Void) {
      if byteCount == 1 {
        for stored in ofSingleBytes[Int(truncatingIfNeeded: value & 0xff)] { body(stored) }
      } else if let stored = wider[byteCount]?[value] {
        for stored in stored { body(stored) }
      }
    }

    /// Numbers of that many bytes in the first and the last twelve of the frame's bytes.
    func nearEnds(of size: Int, _ byteCount: Int) -> [StoredValue] {
      (all[byteCount] ?? []).filter { $0.offset < 12 || $0.offset >= size - 12 }
    }
  }

  // MARK: Unknown constants

  /// CRCs of the catalogue's polynomials with another initial value, and sums with a constant, over the usual ranges and offsets.
  private func searchConstants(_ frames: [[UInt8]], _ isOneLength: Bool, _ found: inout Found) {
    let shortest = frames[0].count
    var tried: [CRCParameters] = []
    var other = OtherFrame([])
    for trial in Self.trials {
      if case .crc(let crc) = trial.algorithm.base {
        // The polynomials, each once for each direction.
        let p = crc.parameters
        guard p.width.isMultiple(of: 8), p.width <= 64, p.reflectsInput == p.reflectsOutput else { continue }
        let isKnown = tried.contains { $0.width == p.width && $0.polynomial == p.polynomial && $0.reflectsInput == p.reflectsInput }
        if isKnown { continue }
        tried.append(p)
      }
      // The shortest frame can hold the checksum and two further bytes.
      guard shortest >= trial.byteCount + 2 else { continue }
      for order in trial.byteCount == 1 ? [ByteOrder.big] : [.big, .little] {
        for behind in 0...min(3, shortest - trial.byteCount - 1) {
          for from in 0..<min(6, shortest) {
            let at = -behind - trial.byteCount
            guard shortest + at - from >= 2 else { continue }
            if found.isSpent { return }
            found.work += Self.verification * frames.reduce(0) { $0 + $1.count }
            let checksum = Checksum(
              trial.algorithm, over: [ByteRange(from: from, to: at)], at: at, byteCount: trial.byteCount, byteOrder: order)
            guard let fitting = withConstant(checksum, frames) else { continue }
            let stored = StoredValue(offset: shortest + at, count: trial.byteCount, order: order, form: .binary, value: 0)
            var adjusted = trial
            adjusted.algorithm = fitting
            adjusted.unusualness += 8
            // The evidence of one frame was used to determine the constant.
            adjusted.evidence = trial.evidence * Double(frames.count - 1) / Double(frames.count)
            consider(adjusted, from..<(shortest + at), .binary, stored, .skipped, frames, isOneLength, &found, &other)
          }
        }
      }
    }
  }

  /// The algorithm with the constant for which all frames are correct.
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
        guard let stored = checksum.storedValue(in: frame.rawSpan),
          let plain = checksum.computedValue(over: frame.rawSpan)
        else {
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
      // With initial value and final XOR zero, the stored value differs from the CRC by the initial value run through as many zero bytes. The final
      // XOR is one of the two usual values.
      var plain = crc.parameters
      plain.name = ""
      plain.initial = 0
      let ones = UInt128.max >> UInt128(128 - plain.width)
      plain.finalXor = 0
      let engine = crc.with(initial: 0, finalXor: 0)
      // The remainder of each frame; computed as long as the previous frames agree.
      var rests: [(value: UInt128, count: Int)] = []
      for finalXor in [0, ones] {
        var isSame = true
        for (index, frame) in frames.enumerated() {
          if index == rests.count {
            guard let stored = checksum.storedValue(in: frame.rawSpan),
              let covered = checksum.coverage[0].resolved(in: frame.count)
            else {
              return nil
            }
            rests.append((stored ^ engine.value(of: frame.rawSpan.extracting(covered)), covered.count))
          }
          // The longer remainder has to be the shorter one run through more zero bytes: this takes less than going back to the start for each.
          let (shorter, longer) = rests[0].count <= rests[index].count ? (rests[0], rests[index]) : (rests[index], rests[0])
          if engine.advanced(shorter.value ^ finalXor, by: longer.count - shorter.count) != longer.value ^ finalXor {
            isSame = false
            break
          }
        }
        if isSame, let first = rests.first {
          let start = Self.unshift(first.value ^ finalXor, plain, 8 * first.count)
          plain.initial = start
          plain.finalXor = finalXor
          return ChecksumAlgorithm(crc.with(initial: start, finalXor: finalXor))
        }
      }
      return nil
    }
  }

  /// The initial value (not reflected) from which `bits` zero bits give the register `value` (in output form).
  private static func unshift(_ value: UInt128, _ p: CRCParameters, _ bits: Int) -> UInt128 {
    var register = p.reflectsOutput ? reflect(value, p.width) : value
    let top = UInt128(1) << UInt128(p.width - 1)
    for _ in 0..<bits {
      // The polynomial's lowest term is 1: the lowest bit shows whether the polynomial was added.
      if register & 1 != 0 {
        register = (register ^ p.polynomial) >> 1 | top
      } else {
        register >>= 1
      }
    }
    return register
  }
}
