@_spi(Pipeline) import Analysis
import Conversations

/// Compares captures: one or several good ones, and one that may be bad.
public struct CaptureComparison {
  /// Options of a comparison.
  public struct Options: Sendable {
    /// Also report differences that vary within one capture.
    public var isStrict = false
    /// Keep both conversations side by side: ``CaptureDifferences/aligned``.
    public var keepsAligned = true
    /// Pairs of devices that the user names as equal, by address or name.
    public var peers: [(a: String, b: String)] = []

    /// The default options.
    public init() {}
  }

  private let options: Options
  private var good: [Recording]
  private var bad: Recording
  /// One of the captures is redacted.
  private var hasRedacted = false
  /// Notes about redacted captures.
  private var redactions: [String] = []
  private var keys = StepKeys(channelsOf: [])
  private var variation = Variation()
  private var latencies = Latencies()
  /// Keys that only some good captures have, and fields that vary among them.
  private var baseline = Baseline()

  /// Differences among good captures.
  private struct Baseline {
    /// Bare contents of steps of the first capture that another one lacks.
    var optional: Set<Int32> = []
    /// Keys that another capture has more often.
    var additional: Set<Int32> = []
    /// Keys and fields.
    var fields: Set<String> = []
    /// Attributes that are not in all of them, as text with their change.
    var attributes: Set<String> = []
    /// Contents that are at another position in another capture.
    var movable: Set<Int32> = []
    /// Some captures have more devices or connections.
    var hasOptionalSessions = false
  }

  /// A comparison of `bad` with the first of `good`, where the other good ones show what may vary. `good` must not be empty.
  public init(good: [Recording], bad: Recording, options: Options = Options()) {
    self.good = good
    self.bad = bad
    self.options = options
  }

  /// Compares.
  public mutating func run() -> CaptureDifferences {
    guard !good.isEmpty else { return CaptureDifferences() }
    translateRedacted()
    let reference = good[0]
    keys = StepKeys(channelsOf: good + [bad])
    let keysOfGood = good.map { keys.keys(of: $0) }
    let keysOfBad = keys.keys(of: bad)
    for (recording, keys) in zip(good, keysOfGood) {
      variation.learn(recording, keys, isGood: true)
      latencies.learn(recording, keys)
    }
    variation.learn(bad, keysOfBad, isGood: false)
    var contents = StepContents()
    let first = Side(reference, keysOfGood[0], contents.contents(of: reference, keysOfGood[0], keys.shapes, variation, latencies))
    for (other, otherKeys) in zip(good, keysOfGood).dropFirst() {
      let side = Side(other, otherKeys, contents.contents(of: other, otherKeys, keys.shapes, variation, latencies))
      var found = compare(first, side)
      AdvertisingComparison.compare(reference, other, &found, isStrict: options.isStrict, areRedacted: hasRedacted)
      learnBaseline(first, found)
    }
    let second = Side(bad, keysOfBad, contents.contents(of: bad, keysOfBad, keys.shapes, variation, latencies))
    var result = compare(first, second)
    AdvertisingComparison.compare(reference, bad, &result, isStrict: options.isStrict, areRedacted: hasRedacted)
    if good.count > 1 { leaveOutBaseline(&result, first) }
    joinAttempts(&result)
    result.sort()
    linkAligned(&result)
    Explanation.explain(&result)
    note(&result)
    return result
  }

  /// If one capture is redacted, maps the values of the others to its pseudonyms, so that equal values compare as equal.
  private mutating func translateRedacted() {
    let areRedacted = (good + [bad]).map { $0.isRedacted() }
    guard areRedacted.contains(true) else { return }
    hasRedacted = true
    let isBad = areRedacted[good.count] && !areRedacted[0]
    let target = isBad ? bad : good[0]
    for index in areRedacted.indices where index != (isBad ? good.count : 0) {
      let recording = index == good.count ? bad : good[index]
      guard areRedacted[index] || areRedacted[isBad ? good.count : 0] else { continue }
      // The first device of each pair is that of the good capture.
      let peers = isBad ? options.peers : options.peers.map { (a: $0.b, b: $0.a) }
      let substitution = Substitution(recording, in: target, isRedacted: areRedacted[isBad ? good.count : 0], peers: peers)
      guard substitution.count > 0 else { continue }
      let name = (areRedacted[index] ? recording : target).facts.name
      redactions.append(
        substitution.count == 1
          ? "\(name) is redacted: 1 value that was replaced consistently is not reported"
          : "\(name) is redacted: \(substitution.count) values that were replaced consistently are not reported")
      if index == good.count { bad = substitution.translated() } else { good[index] = substitution.translated() }
    }
  }

  /// A connection that is missing, and an attempt at one with the same device that failed instead, are joined to one difference.
  private func joinAttempts(_ result: inout CaptureDifferences) {
    guard let reference = good.first else { return }
    // Failed attempts by device, the last first.
    var attempts: [Int: [Int]] = [:]
    for (index, row) in result.rows.enumerated().reversed()
    where row.change == .added && row.kind == .connect && row.subject == .operation && row.stepB >= 0
      && bad.steps[Int(row.stepB)].ending != .succeeded
    {
      attempts[row.device, default: []].append(index)
    }
    guard !attempts.isEmpty else { return }
    var dead: Set<Int> = []
    for index in result.rows.indices {
      let row = result.rows[index]
      guard row.subject == .session, row.change == .removed, row.kind == .connect,
        reference.context(reference.steps[Int(row.stepA)]).connection >= 0, let attempt = attempts[row.device]?.popLast()
      else { continue }
      dead.insert(attempt)
      let step = bad.steps[Int(result.rows[attempt].stepB)]
      result.rows[index].change = .changed
      result.rows[index].b = result.rows[attempt].b
      result.rows[index].stepB = result.rows[attempt].stepB
      result.rows[index].changes = [CaptureDifferences.FieldChange(field: "status", a: "ok", b: StepDifferences.status(step))]
    }
    result.rows = result.rows.enumerated().filter { !dead.contains($0.offset) }.map(\.element)
  }

  /// Sets the rows of aligned pairs, after rows were sorted.
  private func linkAligned(_ result: inout CaptureDifferences) {
    var rowOfA: [Int32: Int] = [:], rowOfB: [Int32: Int] = [:]
    for (index, row) in result.rows.enumerated() {
      if row.a >= 0 { rowOfA[row.a] = index }
      if row.b >= 0 { rowOfB[row.b] = index }
    }
    for index in result.aligned.indices {
      let pair = result.aligned[index]
      result.aligned[index].row = (pair.a >= 0 ? rowOfA[pair.a] : rowOfB[pair.b]) ?? -1
    }
  }

  private func note(_ result: inout CaptureDifferences) {
    result.notes += redactions
    defer {
      var seen: Set<String> = []
      result.notes.removeAll { !seen.insert($0).inserted }
    }
    if result.unseen > 0 {
      result.notes.append(
        result.unseen == 1
          ? "1 step is not compared: the other capture had not begun, or had ended"
          : "\(result.unseen) steps are not compared: the other capture had not begun, or had ended")
    }
    for recording in good + [bad] where recording.lastTime == .min {
      result.notes.append("\(recording.facts.name) has no packets that can be compared")
    }
    for recording in good + [bad] {
      if recording.leftOut > 0 {
        result.notes.append(
          "\(recording.facts.name): only the first \(Recording.maxSteps) operations are compared; \(recording.leftOut) are left out")
      }
      if recording.unkept > 0 {
        result.notes.append("\(recording.facts.name): \(recording.unkept) values are not compared: there are too many different ones")
      }
    }
  }

  // MARK: Two captures

  /// A capture with the keys and contents of its steps.
  struct Side {
    let recording: Recording
    let keys: [Int32]
    let contents: StepContents.Contents

    init(_ recording: Recording, _ keys: [Int32], _ contents: StepContents.Contents) {
      self.recording = recording
      self.keys = keys
      self.contents = contents
    }
  }

  private func compare(_ a: Side, _ b: Side) -> CaptureDifferences {
    var result = CaptureDifferences()
    result.keepsAligned = options.keepsAligned
    let (devicesA, devicesB) = (a.recording.devices(), b.recording.devices())
    let matching = DeviceMatching((a.recording, devicesA, a.keys), (b.recording, devicesB, b.keys), given: options.peers)
    for pair in options.peers {
      for (name, devices, recording) in [(pair.a, devicesA, a.recording), (pair.b, devicesB, b.recording)]
      where !devices.contains(where: { DeviceMatching.isCalled(name, $0, recording.tables) }) {
        result.notes.append("no device of \(recording.facts.name) has the address or name \(name)")
      }
    }
    let differences = StepDifferences(
      a: a.recording, b: b.recording, variation: variation, latencies: latencies, isStrict: options.isStrict)
    var session = 0
    for pair in matching.pairs {
      let (device, other) = (devicesA[pair.a], devicesB[pair.b])
      result.devices.append(Self.device(device, a.recording, other, b.recording))
      let sessions = SessionMatching(device, other, a.keys, b.keys, a.contents.bare, b.contents.bare)
      var comparison = SessionComparison(a, b, keys.shapes, differences, device: result.devices.count - 1)
      comparison.add(device.sessions, other.sessions, sessions.pairs, &session, &result)
      PermissionComparison(a, b, keys.shapes).compare(device, other, device: result.devices.count - 1, &result)
      TableComparison.compare(a.recording, device, b.recording, other, device: result.devices.count - 1, &result)
    }
    for index in matching.onlyA {
      result.devices.append(Self.device(devicesA[index], a.recording, nil, b.recording))
      SessionComparison.addWhole(devicesA[index].sessions, .removed, a, device: result.devices.count - 1, &session, &result)
    }
    for index in matching.onlyB {
      result.devices.append(Self.device(nil, a.recording, devicesB[index], b.recording))
      SessionComparison.addWhole(devicesB[index].sessions, .added, b, device: result.devices.count - 1, &session, &result)
    }
    return result
  }

  private static func device(_ a: ComparedDevice?, _ recordingA: Recording, _ b: ComparedDevice?, _ recordingB: Recording)
    -> CaptureDifferences.Device
  {
    let names = [a?.name(recordingA.tables), b?.name(recordingB.tables)].compactMap { $0 }
    return CaptureDifferences.Device(
      name: names.first { !$0.isEmpty } ?? [], addresses: (a?.address(recordingA.tables), b?.address(recordingB.tables)), isInA: a != nil,
      isInB: b != nil)
  }

  // MARK: Several good captures

  private mutating func learnBaseline(_ first: Side, _ found: CaptureDifferences) {
    for row in found.rows {
      switch (row.subject, row.change) {
      case (.session, _): baseline.hasOptionalSessions = true
      case (.operation, .removed): baseline.optional.insert(first.contents.bare[Int(row.stepA)])
      case (.operation, .added): baseline.additional.insert(row.key)
      case (.operation, .moved): baseline.movable.insert(first.contents.bare[Int(row.stepA)])
      case (.operation, .changed): for change in row.changes { baseline.fields.insert("\(row.key) \(Self.stem(change.field))") }
      case (_, .changed): for change in row.changes { baseline.fields.insert("\(Self.subject(row, found)) \(change.field)") }
      default: baseline.attributes.insert("\(Self.subject(row, found)) \(row.change)")
      }
    }
  }

  /// The subject of a row that is no operation, as a text that is the same in all comparisons with the first good capture.
  private static func subject(_ row: CaptureDifferences.Row, _ result: CaptureDifferences) -> String {
    switch row.subject {
    case .attribute(let entry):
      "\(result.devices[row.device].addresses.a ?? 0) \(entry.kind) \(entry.uuid) \(entry.owner) \(entry.handles.x)"
    case .advertisement(let address, _): "\(address)"
    case .operation, .session: ""
    }
  }

  /// The name under which a change of bytes is kept: its first position is enough, as neighbours vary together.
  private static func stem(_ field: String) -> Substring {
    field.hasPrefix("value[") ? field.prefix { $0 != "-" && $0 != "]" } : field[...]
  }

  private func leaveOutBaseline(_ result: inout CaptureDifferences, _ a: Side) {
    var kept: [CaptureDifferences.Row] = []
    for var row in result.rows {
      var isNormal = false
      switch (row.subject, row.change) {
      case (.session, _): isNormal = baseline.hasOptionalSessions
      case (.operation, .removed): isNormal = baseline.optional.contains(a.contents.bare[Int(row.stepA)])
      case (.operation, .added): isNormal = baseline.additional.contains(row.key)
      case (.operation, .moved): isNormal = baseline.movable.contains(a.contents.bare[Int(row.stepA)])
      case (.operation, .changed):
        row.changes.removeAll { baseline.fields.contains("\(row.key) \(Self.stem($0.field))") }
        isNormal = row.changes.isEmpty
      case (_, .changed):
        let subject = Self.subject(row, result)
        row.changes.removeAll { baseline.fields.contains("\(subject) \($0.field)") }
        isNormal = row.changes.isEmpty
      default: isNormal = baseline.attributes.contains("\(Self.subject(row, result)) \(row.change)")
      }
      if isNormal { result.usualDifferences += 1 } else { kept.append(row) }
    }
    result.rows = kept
  }
}
