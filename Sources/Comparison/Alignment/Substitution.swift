@_spi(Pipeline) import Analysis
import Conversations
import Redaction

/// Maps the values of a capture to their pseudonyms in another one that btscribe redacted: equal values have equal pseudonyms.
///
/// Steps are aligned without data that redaction replaces. At a place (an attribute of a device in one direction, or a field of a message) where most
/// values differ in the two captures, a value maps to the one that it is aligned with most often. Two long values never have the same pseudonym, so
/// the reverse must hold, too. Where most values are equal, redaction did not replace them: a value maps to another only if one of the two contains
/// the name or the address of the device, or has the mark of a pseudonym.
struct Substitution {
  /// Values of the second capture, as numbers in its pool, by place and number in the pool of the first one.
  private var values: [UInt64: Int32] = [:]
  /// Texts of fields of the second capture, by place and text in the first one.
  private var texts: [UInt64: [UInt8]] = [:]
  /// Places of the steps of the first capture: device and key.
  private var places: [UInt64]
  private let recording: Recording, other: Recording
  /// Number of values with a pseudonym.
  var count: Int { values.count + texts.count }

  /// Most pairs of values, or of messages, that are counted.
  private static let maxPairs = 1 << 18

  /// Learns the mapping from values of `recording` to values of `other`. `isRedacted` says that `other` is the redacted one; otherwise it is
  /// `recording`, in which different values can have become equal. `peers` are the user's pairs of devices.
  init(_ recording: Recording, in other: Recording, isRedacted: Bool, peers: [(a: String, b: String)]) {
    self.recording = recording
    self.other = other
    var stepKeys = StepKeys(channelsOf: [recording, other], ignoresRedacted: true)
    let (keys, otherKeys) = (stepKeys.keys(of: recording), stepKeys.keys(of: other))
    var contents = StepContents(ignoresRedacted: true)
    let mine = contents.contents(of: recording, keys, stepKeys.shapes, Variation(), Latencies()).bare
    let theirs = contents.contents(of: other, otherKeys, stepKeys.shapes, Variation(), Latencies()).bare
    let (devices, otherDevices) = (recording.devices(), other.devices())
    places = keys.map { UInt64(UInt32(bitPattern: $0)) }
    for (number, device) in devices.enumerated() {
      for session in device.sessions { for step in session.steps { places[Int(step)] = Self.id(number, places[Int(step)]) } }
    }
    var correspondences = Correspondences()
    for pair in DeviceMatching((recording, devices, keys), (other, otherDevices, otherKeys), given: peers).pairs {
      let (one, match) = (devices[pair.a], otherDevices[pair.b])
      for sessions in SessionMatching(one, match, keys, otherKeys, mine, theirs).pairs {
        let lanes = Lane.lanes(of: one.sessions[sessions.a], recording, keys, stepKeys.shapes, mine)
        let otherLanes = Lane.lanes(of: match.sessions[sessions.b], other, otherKeys, stepKeys.shapes, theirs)
        for (number, lane) in lanes {
          guard let otherLane = otherLanes[number] else { continue }
          for pair in SequenceAlignment.pairs(lane.steps.map { mine[Int($0)] }, otherLane.steps.map { theirs[Int($0)] }) {
            let step = Int(lane.steps[pair.a])
            correspondences.add(recording.steps[step], other.steps[Int(otherLane.steps[pair.b])], places[step])
          }
        }
      }
    }
    correspondences.choose(recording, other, isInjective: !isRedacted, &values, &texts)
  }

  /// The first capture with its values replaced by those of the second.
  func translated() -> Recording {
    var pool = recording.pool
    var steps = recording.steps
    // Numbers in the new pool, by place and number in the old one.
    var known: [UInt64: Int32] = [:]
    for index in steps.indices {
      let isMessage = steps[index].message >= 0
      let content = isMessage ? steps[index].message : steps[index].value
      guard content >= 0 else { continue }
      let id = Self.id(content, places[index])
      let number: Int32
      if let found = known[id] {
        number = found
      } else {
        if isMessage {
          number = message(content, places[index]).map { pool.append($0) } ?? content
        } else {
          number = values[id].map { pool.append(other.pool[$0]) } ?? content
        }
        known[id] = number
      }
      if isMessage { steps[index].message = number } else { steps[index].value = number }
    }
    return Recording(recording, pool: pool, steps: steps)
  }

  /// A message with mapped texts of fields; nil where no field has one.
  private func message(_ content: Int32, _ place: UInt64) -> [UInt8]? {
    recording.pool.with(content) { bytes in
      var result: [UInt8] = []
      var at = 0
      MessageRecord.visit(bytes) { piece, range in
        guard case .field(let path, let value, _) = piece, let text = texts[Self.id(value, Self.id(path, place))] else { return }
        for place in at..<range.lowerBound { result.append(bytes[place]) }
        result += text
        at = range.upperBound
      }
      guard at > 0 else { return nil }
      for place in at..<bytes.count { result.append(bytes[place]) }
      return result
    }
  }

  private static func id(_ one: some BinaryInteger, _ place: UInt64) -> UInt64 {
    var hash = StepHash()
    hash.add(place)
    hash.add(one)
    return hash.value
  }

  // MARK: Aligned values

  private struct Correspondences {
    /// Values, or messages, of the two captures at a place.
    private struct Contents: Hashable {
      var place: UInt64
      var a: Int32, b: Int32
      var isMessage: Bool
    }
    /// A value of one capture, and a value of the other that it was aligned with.
    private struct Pair {
      var place: UInt64
      var a: UInt64, b: UInt64
      var times = 0
      /// The pair is possible even where redaction did not replace other values.
      var isMarked: Bool
      /// The value is so short that other values can have the same pseudonym.
      var isShort: Bool
      /// Position of a field's text in the second capture; nil for a value.
      var text: (message: Int32, range: Range<Int>)?
    }
    /// How often they were aligned.
    private var met: [Contents: Int] = [:]
    /// Pairs by place and both values.
    private var pairs: [UInt64: Pair] = [:]
    /// Numbers of equal and of different pairs, by place.
    private var same: [UInt64: Int] = [:], others: [UInt64: Int] = [:]

    /// Shorter values can have the same pseudonym as other values.
    private static let short = 8

    mutating func add(_ one: Step, _ other: Step, _ place: UInt64) {
      let isMessage = one.message >= 0
      guard isMessage == (other.message >= 0), isMessage || one.value >= 0 && other.value >= 0 else { return }
      let both = Contents(
        place: place, a: isMessage ? one.message : one.value, b: isMessage ? other.message : other.value, isMessage: isMessage)
      if met.count < Substitution.maxPairs || met[both] != nil { met[both, default: 0] += 1 }
    }

    private mutating func add(_ pair: Pair, isSame: Bool, _ times: Int) {
      let id = Substitution.id(pair.b, Substitution.id(pair.a, pair.place))
      if pairs[id] == nil {
        guard pairs.count < Substitution.maxPairs else { return }
        pairs[id] = pair
        if isSame { same[pair.place, default: 0] += 1 } else { others[pair.place, default: 0] += 1 }
      }
      pairs[id]?.times += times
    }

    mutating func choose(
      _ a: Recording, _ b: Recording, isInjective: Bool, _ values: inout [UInt64: Int32], _ texts: inout [UInt64: [UInt8]]
    ) {
      // In a fixed order, up to the bound.
      for (both, times) in met.sorted(by: { ($0.key.place, $0.key.a, $0.key.b) < ($1.key.place, $1.key.a, $1.key.b) }) {
        guard pairs.count < Substitution.maxPairs else { break }
        if both.isMessage {
          fields(a, b, both, times)
          continue
        }
        let (mine, theirs) = (a.pool[both.a], b.pool[both.b])
        // Zeros are not replaced.
        guard mine != theirs || mine.dropFirst(12).contains(where: { $0 != 0 }) else { continue }
        let isMarked = a.masked.contains(both.a) || b.masked.contains(both.b) || Substitution.isPseudonym(mine, theirs)
        add(
          Pair(
            place: both.place, a: UInt64(UInt32(bitPattern: both.a)), b: UInt64(UInt32(bitPattern: both.b)), isMarked: isMarked,
            isShort: mine.count - 12 < Self.short), isSame: mine == theirs, times)
      }
      // The most frequent partner of each value; ties are resolved by their numbers, so that the result is the same in every run.
      var best: [UInt64: Pair] = [:], bestOfOthers: [UInt64: Pair] = [:]
      func isBetter(_ one: Pair, than other: Pair?) -> Bool {
        guard let other else { return true }
        return (one.times, other.a, other.b) > (other.times, one.a, one.b)
      }
      for pair in pairs.values {
        let (mine, theirs) = (Substitution.id(pair.a, pair.place), Substitution.id(pair.b, pair.place))
        if isBetter(pair, than: best[mine]) { best[mine] = pair }
        if isBetter(pair, than: bestOfOthers[theirs]) { bestOfOthers[theirs] = pair }
      }
      for (id, pair) in best {
        guard pair.isMarked || others[pair.place] ?? 0 > same[pair.place] ?? 0,
          pair.isShort && !isInjective || bestOfOthers[Substitution.id(pair.b, pair.place)]?.a == pair.a
        else { continue }
        if let text = pair.text {
          if pair.a != pair.b { texts[id] = b.pool.with(text.message) { bytes in text.range.map { bytes[$0] } } }
        } else {
          let (mine, theirs) = (Int32(truncatingIfNeeded: pair.a), Int32(truncatingIfNeeded: pair.b))
          if a.pool[mine] != b.pool[theirs] { values[Substitution.id(mine, pair.place)] = theirs }
        }
      }
    }

    private mutating func fields(_ a: Recording, _ b: Recording, _ both: Contents, _ times: Int) {
      let (mine, theirs) = (Self.fields(both.a, a), Self.fields(both.b, b))
      var places: [UInt64: Int] = [:]
      for (place, field) in theirs.enumerated() where places[field.path] == nil { places[field.path] = place }
      for (place, field) in mine.enumerated() {
        let there = theirs.indices.contains(place) && theirs[place].path == field.path ? place : places[field.path]
        guard let there, case let match = theirs[there], field.value != match.value || !field.isZero else { continue }
        add(
          Pair(
            place: Substitution.id(field.path, both.place), a: field.value, b: match.value, isMarked: field.isMasked || match.isMasked,
            isShort: field.range.count < Self.short, text: (both.b, match.range)), isSame: field.value == match.value, times)
      }
    }

    private struct Field {
      var path: UInt64, value: UInt64
      var range: Range<Int>
      /// It contains the identity of the device.
      var isMasked: Bool
      /// It is empty, or zero.
      var isZero: Bool
    }

    /// The fields of messages that redaction can replace.
    private static func fields(_ message: Int32, _ recording: Recording) -> [Field] {
      recording.pool.with(message) { bytes in
        var fields: [Field] = []
        MessageRecord.visit(bytes) { piece, range in
          guard case .field(let path, let value, let traits) = piece, !traits.contains(.staysRedacted) else { return }
          var (isMasked, isZero) = (false, true)
          for place in range {
            isMasked = isMasked || bytes[place] == UInt8(ascii: "?")
            isZero = isZero && [UInt8(ascii: "0"), UInt8(ascii: "."), UInt8(ascii: "-")].contains(bytes[place])
          }
          fields.append(Field(path: path, value: value, range: range, isMasked: isMasked, isZero: isZero))
        }
        return fields
      }
    }
  }

  /// Whether the differing part of two values is a pseudonym in one of them, by its mark.
  private static func isPseudonym(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    let (mine, theirs) = (Array(one.dropFirst(12)), Array(other.dropFirst(12)))
    guard mine.count == theirs.count, let start = mine.indices.first(where: { mine[$0] != theirs[$0] }),
      let end = mine.indices.last(where: { mine[$0] != theirs[$0] })
    else { return false }
    let pseudonyms = Pseudonyms(seed: "")
    // A short part before the pseudonym can have been replaced, too.
    return [mine, theirs].contains { value in
      pseudonyms.markBits(of: value) >= leastBits
        || (start...min(start + maxBefore, end)).contains { pseudonyms.markBits(of: Array(value[$0...end])) >= leastBits }
    }
  }

  /// With fewer bits a mark can be chance.
  private static let leastBits = 16
  /// Most bytes that are skipped before a pseudonym.
  private static let maxBefore = 8
}

extension Recording {
  /// Whether btscribe redacted the capture: it has the note, or addresses, names and values have the marks of pseudonyms.
  func isRedacted() -> Bool {
    if hasRedactionNote { return true }
    let devices = tables.peers.indices.filter { tables.identity(Int32($0)) == Int32($0) }.map { tables.peers[$0].address }
    let all = devices + heard.devices.map(\.address) + tables.adapters.compactMap(\.address)
    let addresses = Set(all.filter { !Pseudonyms.isAnonymous($0) })
    var pseudonyms = Pseudonyms(seed: "")
    // In a redacted capture all addresses are pseudonyms, with a mark of twelve bits each, or of eight where the company part is kept.
    var bits = 0
    for (keepsCompany, marks) in [(true, 8), (false, 12)] {
      pseudonyms.keepsCompany = keepsCompany
      if addresses.allSatisfy({ pseudonyms.isPseudonym($0) }) { bits = marks * addresses.count }
    }
    // Texts with a common beginning have the same marks there: one of them is examined.
    var seen: Set<[UInt8]> = []
    // Each examined value costs one bit, as it can have a mark by chance: then the probability that an unredacted capture reaches a sum of n bits is
    // at most 2⁻ⁿ, for any number of values (Markov's inequality).
    func look(_ value: [UInt8], atLeast least: Int) {
      guard value.count >= least, value.contains(where: { $0 != 0 }), seen.insert(Array(value.prefix(Self.start))).inserted else { return }
      bits += pseudonyms.markBits(of: value) - 1
    }
    // Redaction can keep the beginning of a name by which a profile matches: a pseudonym can begin at several positions.
    for name in Set(tables.peers.map(\.name)) where name.count >= 4 {
      let starts = [0] + name.indices.dropFirst().filter { Self.separators.contains(name[$0 - 1]) }.prefix(3)
      bits += (starts.map { pseudonyms.markBits(of: Array(name[$0...])) }.max() ?? 0) - 1 - (starts.count > 2 ? 2 : starts.count - 1)
    }
    for number in 0..<min(pool.count, Self.maxValues) where bits < Self.enoughBits {
      let bytes = pool[Int32(number)]
      if MessageRecord.isMessage(bytes) {
        for field in MessageRecord.all(bytes).flatMap(\.fields) { look(Array(field.value.utf8), atLeast: Self.start) }
      } else {
        look(Array(bytes.dropFirst(12)), atLeast: 4)
      }
    }
    return bits >= Self.enoughBits
  }

  /// By chance one capture in a million reaches this sum.
  private static let enoughBits = 20
  /// Separators of the words of a name.
  private static let separators = Array(" -_".utf8)
  /// Number of bytes of the beginning of a value.
  private static let start = 8
  /// Most values that are examined for a mark.
  private static let maxValues = 2048
}
