@_spi(Pipeline) import Analysis
import Conversations
import Redaction

/// Maps the values of a capture to their pseudonyms in another one that btscribe redacted: equal values have equal pseudonyms.
///
/// Steps are aligned without data that redaction replaces. In a context (an attribute of a device in one direction, or a message's field) where most
/// values differ in the two captures, a value maps to the one that it is aligned with most often. Two long values never have the same pseudonym, so
/// the reverse must hold, too. Where most values are equal, redaction did not replace them: a value maps to another only if one of the two contains
/// the name or the address of the device, or has the tag of a pseudonym.
struct Substitution {
  /// Values of the second capture, as numbers in its pool, by context and number in the pool of the first one.
  private var values: [UInt64: Int32] = [:]
  /// Texts of fields of the second capture, by context and text in the first one.
  private var texts: [UInt64: [UInt8]] = [:]
  /// Contexts of the steps of the first capture: device and key.
  private var contexts: [UInt64]
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
    contexts = keys.map { UInt64(UInt32(bitPattern: $0)) }
    for (number, device) in devices.enumerated() {
      for session in device.sessions { for step in session.steps { contexts[Int(step)] = Self.id(number, contexts[Int(step)]) } }
    }
    var correspondences = Correspondences()
    for pair in DeviceMatching((recording, devices, keys), (other, otherDevices, otherKeys), given: peers).pairs {
      let (device, match) = (devices[pair.a], otherDevices[pair.b])
      for sessions in SessionMatching(device, match, keys, otherKeys, mine, theirs).pairs {
        let lanes = Lane.lanes(of: device.sessions[sessions.a], recording, keys, stepKeys.shapes, mine)
        let otherLanes = Lane.lanes(of: match.sessions[sessions.b], other, otherKeys, stepKeys.shapes, theirs)
        for (number, lane) in lanes {
          guard let otherLane = otherLanes[number] else { continue }
          for pair in SequenceAlignment.pairs(lane.steps.map { mine[Int($0)] }, otherLane.steps.map { theirs[Int($0)] }) {
            let step = Int(lane.steps[pair.a])
            correspondences.add(recording.steps[step], other.steps[Int(otherLane.steps[pair.b])], contexts[step])
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
    // Numbers in the new pool, by context and number in the old one.
    var known: [UInt64: Int32] = [:]
    for index in steps.indices {
      let isMessage = steps[index].message >= 0
      let content = isMessage ? steps[index].message : steps[index].value
      guard content >= 0 else { continue }
      let id = Self.id(content, contexts[index])
      let number: Int32
      if let found = known[id] {
        number = found
      } else {
        if isMessage {
          number = message(content, contexts[index]).map { pool.append($0) } ?? content
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
  private func message(_ content: Int32, _ context: UInt64) -> [UInt8]? {
    recording.pool.with(content) { bytes in
      var result: [UInt8] = []
      var at = 0
      MessageRecord.visit(bytes) { piece, range in
        guard case .field(let path, let value, _) = piece, let text = texts[Self.id(value, Self.id(path, context))] else { return }
        for index in at..<range.lowerBound { result.append(bytes[index]) }
        result += text
        at = range.upperBound
      }
      guard at > 0 else { return nil }
      for index in at..<bytes.count { result.append(bytes[index]) }
      return result
    }
  }

  private static func id(_ number: some BinaryInteger, _ context: UInt64) -> UInt64 {
    var hash = StepHash()
    hash.add(context)
    hash.add(number)
    return hash.value
  }

  // MARK: Aligned values

  private struct Correspondences {
    /// Values, or messages, of the two captures in a context.
    private struct Contents: Hashable {
      var context: UInt64
      var a: Int32, b: Int32
      var isMessage: Bool
    }
    /// A value of one capture, and a value of the other that it was aligned with.
    private struct Pair {
      var context: UInt64
      var a: UInt64, b: UInt64
      var times = 0
      /// The pair is possible even where redaction did not replace other values.
      var isPossible: Bool
      /// The value is so short that other values can have the same pseudonym.
      var isShort: Bool
      /// Position of a field's text in the second capture; nil for a value.
      var text: (message: Int32, range: Range<Int>)?
    }
    /// How often they were aligned.
    private var counts: [Contents: Int] = [:]
    /// Pairs by context and both values.
    private var pairs: [UInt64: Pair] = [:]
    /// Numbers of equal and of different pairs, by context.
    private var same: [UInt64: Int] = [:], others: [UInt64: Int] = [:]

    /// Shorter values can have the same pseudonym as other values.
    private static let short = 8

    mutating func add(_ step: Step, _ other: Step, _ context: UInt64) {
      let isMessage = step.message >= 0
      guard isMessage == (other.message >= 0), isMessage || step.value >= 0 && other.value >= 0 else { return }
      let both = Contents(
        context: context, a: isMessage ? step.message : step.value, b: isMessage ? other.message : other.value, isMessage: isMessage)
      if counts.count < Substitution.maxPairs || counts[both] != nil { counts[both, default: 0] += 1 }
    }

    private mutating func add(_ pair: Pair, isSame: Bool, _ times: Int) {
      let id = Substitution.id(pair.b, Substitution.id(pair.a, pair.context))
      if pairs[id] == nil {
        guard pairs.count < Substitution.maxPairs else { return }
        pairs[id] = pair
        if isSame { same[pair.context, default: 0] += 1 } else { others[pair.context, default: 0] += 1 }
      }
      pairs[id]?.times += times
    }

    mutating func choose(
      _ a: Recording, _ b: Recording, isInjective: Bool, _ values: inout [UInt64: Int32], _ texts: inout [UInt64: [UInt8]]
    ) {
      // In a fixed order, up to the bound.
      for (both, times) in counts.sorted(by: { ($0.key.context, $0.key.a, $0.key.b) < ($1.key.context, $1.key.a, $1.key.b) }) {
        guard pairs.count < Substitution.maxPairs else { break }
        if both.isMessage {
          fields(a, b, both, times)
          continue
        }
        let (mine, theirs) = (a.pool[both.a], b.pool[both.b])
        // Zeros are not replaced.
        guard mine != theirs || mine.dropFirst(12).contains(where: { $0 != 0 }) else { continue }
        let isPossible = a.masked.contains(both.a) || b.masked.contains(both.b) || Substitution.isPseudonym(mine, theirs)
        add(
          Pair(
            context: both.context, a: UInt64(UInt32(bitPattern: both.a)), b: UInt64(UInt32(bitPattern: both.b)), isPossible: isPossible,
            isShort: mine.count - 12 < Self.short), isSame: mine == theirs, times)
      }
      // The most frequent partner of each value; ties are resolved by their numbers, so that the result is the same in every run.
      var best: [UInt64: Pair] = [:], bestOfOthers: [UInt64: Pair] = [:]
      func isBetter(_ pair: Pair, than other: Pair?) -> Bool {
        guard let other else { return true }
        return (pair.times, other.a, other.b) > (other.times, pair.a, pair.b)
      }
      for pair in pairs.values {
        let (mine, theirs) = (Substitution.id(pair.a, pair.context), Substitution.id(pair.b, pair.context))
        if isBetter(pair, than: best[mine]) { best[mine] = pair }
        if isBetter(pair, than: bestOfOthers[theirs]) { bestOfOthers[theirs] = pair }
      }
      for (id, pair) in best {
        guard pair.isPossible || others[pair.context] ?? 0 > same[pair.context] ?? 0,
          pair.isShort && !isInjective || bestOfOthers[Substitution.id(pair.b, pair.context)]?.a == pair.a
        else { continue }
        if let text = pair.text {
          if pair.a != pair.b { texts[id] = b.pool.with(text.message) { bytes in text.range.map { bytes[$0] } } }
        } else {
          let (mine, theirs) = (Int32(truncatingIfNeeded: pair.a), Int32(truncatingIfNeeded: pair.b))
          if a.pool[mine] != b.pool[theirs] { values[Substitution.id(mine, pair.context)] = theirs }
        }
      }
    }

    private mutating func fields(_ a: Recording, _ b: Recording, _ both: Contents, _ times: Int) {
      let (mine, theirs) = (Self.fields(both.a, a), Self.fields(both.b, b))
      var indices: [UInt64: Int] = [:]
      for (index, field) in theirs.enumerated() where indices[field.path] == nil { indices[field.path] = index }
      for (index, field) in mine.enumerated() {
        let there = theirs.indices.contains(index) && theirs[index].path == field.path ? index : indices[field.path]
        guard let there, case let match = theirs[there], field.value != match.value || !field.isZero else { continue }
        add(
          Pair(
            context: Substitution.id(field.path, both.context), a: field.value, b: match.value,
            isPossible: field.isMasked || match.isMasked,
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
          for index in range {
            isMasked = isMasked || bytes[index] == UInt8(ascii: "?")
            isZero = isZero && [UInt8(ascii: "0"), UInt8(ascii: "."), UInt8(ascii: "-")].contains(bytes[index])
          }
          fields.append(Field(path: path, value: value, range: range, isMasked: isMasked, isZero: isZero))
        }
        return fields
      }
    }
  }

  /// Whether the differing part of two values is a pseudonym in one of them, by its tag.
  private static func isPseudonym(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
    let (mine, theirs) = (Array(a.dropFirst(12)), Array(b.dropFirst(12)))
    guard mine.count == theirs.count, let start = mine.indices.first(where: { mine[$0] != theirs[$0] }),
      let end = mine.indices.last(where: { mine[$0] != theirs[$0] })
    else { return false }
    let pseudonyms = Pseudonyms(seed: "")
    // A short part before the pseudonym can have been replaced, too.
    return [mine, theirs].contains { value in
      pseudonyms.tagBits(of: value) >= minimumBits
        || (start...min(start + maxBefore, end)).contains { pseudonyms.tagBits(of: Array(value[$0...end])) >= minimumBits }
    }
  }

  /// With fewer bits a tag can be right by chance.
  private static let minimumBits = 16
  /// Most bytes that are skipped before a pseudonym.
  private static let maxBefore = 8
}

extension Recording {
  /// Whether btscribe redacted the capture: it has the note, or addresses, names and values have the tags of pseudonyms.
  func isRedacted() -> Bool {
    if hasRedactionNote { return true }
    let devices = tables.peers.indices.filter { tables.identity(Int32($0)) == Int32($0) }.map { tables.peers[$0].address }
    let all = devices + heard.devices.map(\.address) + tables.adapters.compactMap(\.address)
    let addresses = Set(all.filter { !Pseudonyms.isAnonymous($0) })
    var pseudonyms = Pseudonyms(seed: "")
    // In a redacted capture all addresses are pseudonyms, with a tag of twelve bits each, or of eight where the company part is kept.
    var bits = 0
    for (keepsCompany, tagBits) in [(true, 8), (false, 12)] {
      pseudonyms.keepsCompany = keepsCompany
      if addresses.allSatisfy({ pseudonyms.isPseudonym($0) }) { bits = tagBits * addresses.count }
    }
    // Texts with a common beginning have the same tags there: one of them is examined.
    var seen: Set<[UInt8]> = []
    // Each examined value costs one bit, as it can have a valid tag by chance: then the probability that an unredacted capture reaches a sum of n bits is
    // at most 2⁻ⁿ, for any number of values (Markov's inequality).
    func look(_ value: [UInt8], atLeast minimum: Int) {
      guard value.count >= minimum, value.contains(where: { $0 != 0 }), seen.insert(Array(value.prefix(Self.start))).inserted else {
        return
      }
      bits += pseudonyms.tagBits(of: value) - 1
    }
    // Redaction can keep the beginning of a name by which a profile matches: a pseudonym can begin at several positions.
    for name in Set(tables.peers.map(\.name)) where name.count >= 4 {
      let starts = [0] + name.indices.dropFirst().filter { Self.separators.contains(name[$0 - 1]) }.prefix(3)
      bits += (starts.map { pseudonyms.tagBits(of: Array(name[$0...])) }.max() ?? 0) - 1 - (starts.count > 2 ? 2 : starts.count - 1)
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
  /// Most values that are examined for a tag.
  private static let maxValues = 2048
}
