import Bluetooth
import Memory
import PacketCodecs

/// A profile that was chosen for a device by a UUID or a name that many devices have. Its messages are held back until enough frames are valid; it is
/// withdrawn if the first ones are not.
final class ProfileTrial {
  /// The state of the proposal.
  enum Verdict { case open, confirmed, withdrawn }

  private(set) var verdict: Verdict
  /// The points for the profile; see ``points(_:_:)``.
  private var score = 0
  /// Number of messages that are not valid in the profile, and of their bytes.
  private var failures = (count: 0, bytes: 0)
  /// The first of the frames of these messages.
  private(set) var frames: [Int] = []
  /// Hashes of the messages that count in the score: equal bytes are no further evidence.
  private var counted: [UInt64] = []

  /// Begins with the verdict of an earlier connection to the same device.
  init(_ verdict: Verdict = .open, isGuess: Bool = false) {
    self.verdict = verdict
    self.isGuess = isGuess
  }

  /// Whether it was tried because the device's name is not known: then its withdrawal is not reported.
  let isGuess: Bool

  /// Points that confirm a profile with checks in its frames, and a profile without.
  private static let enough = 4
  private static let enoughWithoutFrames = 8
  /// Number of failures that withdraw a profile, and of bytes if there are fewer failures. A capture can begin inside a message, and a device can
  /// send other data first.
  private static let maxFailures = 8
  private static let maxBytes = 256

  private func fail(_ message: ProfileMessage) -> Bool {
    failures.count += 1
    failures.bytes += message.count
    if frames.count < 3, let frame = message.frames.last { frames.append(frame) }
    if failures.count >= Self.maxFailures + score || failures.count >= 3 + score && failures.bytes >= Self.maxBytes * (1 + score) {
      verdict = .withdrawn
    }
    return false
  }

  /// Scores a decoded message. Returns whether it appears to be a message of the profile.
  func weigh(_ message: ProfileMessage, _ layers: FrameChecks) -> Bool {
    guard verdict == .open else { return verdict == .confirmed }
    guard message.kind == .message, message.messageNumber >= 0, message.isComplete, message.checksum != .bad, message.problem == nil,
      message.surplus == 0, message.problems.isEmpty, message.count > 0
    else { return fail(message) }
    let hash = message.payload.reduce(UInt64(message.messageNumber) &+ 0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    if !counted.contains(hash) {
      counted.append(hash)
      guard let points = points(message, layers) else { return fail(message) }
      score += points
    }
    if score >= (layers.isFramed ? Self.enough : Self.enoughWithoutFrames) { verdict = .confirmed }
    return true
  }

  /// The points of a complete message; nil where it has a value that the profile does not know.
  private func points(_ message: ProfileMessage, _ layers: FrameChecks) -> Int? {
    var points = layers.points
    // An encrypted message gives no points unless it was decrypted.
    if message.decryption.isClosed { return points }
    if message.checksum == .ok || message.decryption == .opened { points += 3 }
    if message.replyTo != nil { points += 1 }
    var values = EnumeratedValues()
    message.visitFields(&values)
    // Bytes that the profile takes as they come are whatever fits no other message: only the markers around them are evidence.
    if message.checksum == .none, message.replyTo == nil, !values.hasValues { return layers.markers }
    // In frames with checks, enum values without a name are common; where only a length and at most one byte are checked, they are evidence against
    // the profile: each byte is in every sixteenth packet of sixteen bytes.
    if values.unnamed > 0, layers.markers < 2, message.checksum != .ok { return nil }
    if values.named > 0, values.unnamed == 0 { points += 1 }
    return points
  }

  /// Whether there were only failures so far.
  var isUnfit: Bool { verdict == .open && score == 0 && failures.count > 0 }
}

/// The checks of a source's layers on frames of one direction.
struct FrameChecks {
  /// Start and end markers, lengths, checksums: anything but the body.
  var isFramed = false
  /// Points for a frame that passed all of them, without its checksum, and for its start and end markers alone.
  var points = 0, markers = 0

  init(_ direction: CompiledDirection) {
    for layer in direction.layers {
      switch layer {
      case .stream(let stream):
        let start = stream.rules.starts.map(\.count).min() ?? 0
        markers += min(start, 2) + (stream.rules.ends.isEmpty ? 0 : 1)
        points += min(start, 2) + (stream.rules.ends.isEmpty ? 0 : 1) + (stream.length != nil ? 1 : 0)
        isFramed = isFramed || start > 0 || !stream.rules.ends.isEmpty || stream.length != nil
      case .fragments(let fragments):
        guard fragments.total != nil || fragments.count != nil || fragments.index != nil || fragments.counter != nil else { continue }
        points += 1
        isFramed = true
      case .check, .checkPackets: isFramed = true
      case .expect: points += 1
      case .strip, .unescape, .scramble, .slice, .drop, .decrypt: break
      }
    }
  }
}

/// Counts the values of enums that have a name, and those that have none.
private struct EnumeratedValues: MessageFieldVisitor {
  static var wantsProblems: Bool { false }
  var named = 0
  var unnamed = 0
  /// There are fields other than bytes.
  var hasValues = false

  mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) {
    if case .bytes = value { return }
    hasValues = true
    guard case .enumeration(let name, _) = value else { return }
    if name.isEmpty { unnamed += 1 } else { named += 1 }
  }
  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool { true }
  mutating func close(isArray: Bool) {}
  mutating func problem(_ text: String) {}
}

// MARK: - What many devices have

extension BluetoothUUID {
  /// Services of modules that carry the data of any device: one of these alone does not identify a profile.
  private static let shared: Set<BluetoothUUID> = Set(
    [
      // Nordic UART, Microchip (ISSC) transparent UART, Telink, Packetcraft (Ambiq), the printers of many brands, u-blox, Laird, Silicon Labs.
      "6e400001-b5a3-f393-e0a9-e50e24dcca9e", "6e400002-b5a3-f393-e0a9-e50e24dcca9e", "6e400003-b5a3-f393-e0a9-e50e24dcca9e",
      "49535343-fe7d-4ae5-8fa9-9fafd205e455", "49535343-8841-43f4-a8d4-ecbe34729bb3", "49535343-1e4d-4bd9-ba61-23c647249616",
      "00010203-0405-0607-0809-0a0b0c0d1910", "00010203-0405-0607-0809-0a0b0c0d2b10", "00010203-0405-0607-0809-0a0b0c0d2b11",
      "00002760-08c2-11e1-9073-0e8ac72e1001", "00002760-08c2-11e1-9073-0e8ac72e0001", "00002760-08c2-11e1-9073-0e8ac72e0002",
      "e7810a71-73ae-499d-8c15-faa9aef0c3f2", "bef8d6c9-9c21-4c9e-b632-bd58c1009f9f",
      "2456e1b9-26e2-8f83-e744-f34f01e9d701", "569a1101-b87f-490c-92cb-11ba5ea5167c", "331a36f5-2459-45ea-9d95-6142f0c4b307",
      "0000fee7-0000-1000-8000-00805f9b34fb", "0000ae00-0000-1000-8000-00805f9b34fb", "0000ae30-0000-1000-8000-00805f9b34fb",
      "0000af30-0000-1000-8000-00805f9b34fb", "0000abf0-0000-1000-8000-00805f9b34fb", "000018f0-0000-1000-8000-00805f9b34fb",
    ].compactMap { BluetoothUUID($0) })

  /// Whether many unrelated devices have it: a UART service of a module vendor, or an unassigned short UUID that many use (FFE0, FFF0, 0001).
  var isShared: Bool {
    if Self.shared.contains(self) { return true }
    guard let short = short32 else { return high == 0 || low == 0 }
    return short >= 0xFF00 && short <= 0xFFFF || short < 0x0100 || short & 0xFF == 0 && short < 0x1800
  }

  /// Whether the UUID is defined by the specification or by its owner, so that no other attribute has it.
  var isOwned: Bool {
    guard let short = short32 else { return !isShared }
    return short >= 0x1800 && short < 0x2C00 || short >= 0xFC00 && short < 0xFF00 && !isShared
  }
}

/// Whether a pattern of names is specific: at least five letters and digits.
func isDistinctive(name pattern: String) -> Bool {
  var count = 0
  for byte in pattern.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      count += 1
    default: break
    }
  }
  return count >= 5
}

// MARK: - In the engine

extension ProfileEngine {
  /// A profile was confirmed, or withdrawn, for the device of a link.
  @_spi(Pipeline) public struct Verdict {
    /// The link.
    public let link: Int
    /// The profile.
    public let profile: CompiledProfile
    /// Whether it was confirmed: its messages are emitted from now on. False if it was withdrawn.
    public let isConfirmed: Bool
    /// The first frames that are not valid in the profile.
    public let frames: [Int]
  }

  /// The key of a verdict: a profile on one device.
  struct Known: Hashable {
    /// Empty where it is not known.
    var address: String
    var profile: Int
  }

  /// The verdicts of a reading of a capture on the profiles proposed for its devices.
  public struct KnownVerdicts: Sendable {
    var devices: [Known: Bool] = [:]
    var links: [Known: Bool] = [:]

    /// No verdicts.
    public init() {}

    /// Whether there are no verdicts.
    public var isEmpty: Bool { devices.isEmpty && links.isEmpty }
  }

  /// The verdicts so far.
  public var verdictsSoFar: KnownVerdicts {
    var all = KnownVerdicts()
    (all.devices, all.links) = (knownVerdicts, linkVerdicts)
    return all
  }

  /// The proposal of a profile for the device of a link, created with its first slot.
  func trial(_ link: Link, _ candidate: ProfileSet.Candidate, _ runtime: ProfileRuntime) -> ProfileTrial {
    let key = ObjectIdentifier(runtime.profile)
    let number = candidate.profile
    if let trial = link.trials[key]?.trial { return trial }
    let known =
      link.facts.address.flatMap { address in
        let device = Known(address: address, profile: number)
        return knownVerdicts[device] ?? earlier.devices[device]
      } ?? earlier.links[Known(address: link.identity, profile: number)]
    let trial = ProfileTrial(known.map { $0 ? .confirmed : .withdrawn } ?? .open, isGuess: candidate.isGuess)
    link.trials[key] = (trial, number)
    return trial
  }

  /// Feeds a value to the profiles that were proposed for its attribute. The messages of the first confirmed one are left in ``messages``.
  @inline(never)
  func feedProposed(
    _ link: Link, _ number: Int, _ direction: ValueDirection, _ value: BorrowedBytes, frame: Int, time: Int64, skipsLayers: Bool
  ) {
    guard let first = link.slots.object(number) else { return }
    let numbers = [number] + first.rivals
    if let confirmed = numbers.first(where: { link.slots.object($0)?.isConfirmed == true }) {
      if onlyJudges { return }
      guard let slot = link.slots.object(confirmed), let pipeline = slot.pipeline(direction, confirmed) else { return }
      return pipeline.with {
        run(value, frame: frame, time: time, $0, from: skipsLayers ? $0.layers.count : 0, link, slot.runtime)
      }
    }
    let wanted = (fields, leavesReading)
    (fields, leavesReading) = (.all, false)
    defer { (fields, leavesReading) = wanted }
    for slotNumber in numbers {
      guard let slot = link.slots.object(slotNumber), let trial = slot.trial, trial.verdict == .open,
        let pipeline = slot.pipeline(direction, slotNumber)
      else { continue }
      pipeline.with {
        run(value, frame: frame, time: time, $0, from: skipsLayers ? $0.layers.count : 0, link, slot.runtime)
      }
      if weigh(link, slot, trial) { return }
    }
  }

  /// Scores the messages of a profile on trial. Returns whether they confirm it; otherwise they are removed.
  private func weigh(_ link: Link, _ slot: Slot, _ trial: ProfileTrial) -> Bool {
    var unfit: [Int] = []
    for index in finished.indices {
      let message = finished[index].object
      let directions = slot.runtime.profile.sources[message.sourceNumber].directions
      let fits = trial.weigh(message, FrameChecks(directions[Int(message.direction.rawValue)]))
      if !fits { unfit.append(index) }
    }
    switch trial.verdict {
    case .open: recycle()
    case .withdrawn:
      recycle()
      conclude(link, slot.runtime.profile, isConfirmed: false)
    case .confirmed:
      // Invalid messages before the confirming one are dropped.
      for index in unfit.reversed() {
        let message = finished.remove(at: index)
        message.with { if !$0.wasRequest { slot.runtime.give(message) } }
      }
      link.slots.forEach { if $0.runtime.profile === slot.runtime.profile, $0.rivals.isEmpty { $0.isProposed = false } }
      conclude(link, slot.runtime.profile, isConfirmed: true)
      return true
    }
    return false
  }

  private func conclude(_ link: Link, _ profile: CompiledProfile, isConfirmed: Bool) {
    guard let (trial, number) = link.trials[ObjectIdentifier(profile)] else { return }
    let known = Known(address: link.facts.address ?? "", profile: number)
    if link.facts.address == nil, linkVerdicts.count < Self.maxVerdicts {
      linkVerdicts[Known(address: link.identity, profile: number)] = isConfirmed
    }
    if isConfirmed {
      openVerdicts[known] = nil
    } else {
      if trial.isGuess { return }
      // A device of unknown address can be the same as that of another link, on which the profile is valid.
      guard link.facts.address != nil else { return self.defer(known, link, profile, trial) }
      guard reportedVerdicts.count < Self.maxVerdicts, reportedVerdicts.insert(known).inserted else { return }
    }
    verdicts.append(Verdict(link: link.number, profile: profile, isConfirmed: isConfirmed, frames: isConfirmed ? [] : trial.frames))
    if knownVerdicts.count < Self.maxVerdicts { knownVerdicts[known] = isConfirmed }
  }

  private func `defer`(_ known: Known, _ link: Link, _ profile: CompiledProfile, _ trial: ProfileTrial) {
    if openVerdicts.count >= Self.maxVerdicts || knownVerdicts[known] == true || reportedVerdicts.contains(known)
      || openVerdicts[known] != nil
    {
      return
    }
    openVerdicts[known] = Verdict(link: link.number, profile: profile, isConfirmed: false, frames: trial.frames)
  }

  private static let maxVerdicts = 4096

  /// Ends the trials of a link. A profile without points can still be confirmed on another link to the device.
  func endTrials(_ link: Link) {
    // If one was confirmed, the others are not reported.
    if link.trials.values.contains(where: { $0.trial.verdict == .confirmed }) { return }
    link.slots.forEach { slot in
      guard let trial = slot.trial, trial.isUnfit, !trial.isGuess,
        let number = link.trials[ObjectIdentifier(slot.runtime.profile)]?.number
      else { return }
      self.defer(Known(address: link.facts.address ?? "", profile: number), link, slot.runtime.profile, trial)
    }
  }

  /// Ends the proposals that never got points, at the end of the capture.
  func endAllTrials() {
    let confirmed = Set(knownVerdicts.filter(\.value).map(\.key.address))
    let left = openVerdicts.filter { !reportedVerdicts.contains($0.key) && !confirmed.contains($0.key.address) }
    verdicts += left.sorted { ($0.value.frames.first ?? 0, $0.key.profile) < ($1.value.frames.first ?? 0, $1.key.profile) }.map(\.value)
    openVerdicts.removeAll()
  }

  /// Whether the profile of a slot is only proposed, or was withdrawn, so that its names must not be used.
  public func isProposed(_ number: Int, slot: Int) -> Bool {
    guard let link = self.link(number), let slot = link.slots.object(slot), slot.isProposed else { return false }
    return !slot.rivals.contains { link.slots.object($0)?.isConfirmed == true } && !slot.isConfirmed
  }

  /// The slot whose profile was confirmed among those proposed with `slot`; `slot` itself where none was.
  public func confirmed(_ number: Int, slot: Int) -> Int {
    guard let link = self.link(number), let first = link.slots.object(slot), first.isProposed else { return slot }
    return ([slot] + first.rivals).first { link.slots.object($0)?.isConfirmed == true } ?? slot
  }

  /// The verdicts on proposed profiles since the last call.
  public func takeVerdicts() -> [Verdict] {
    defer { verdicts.removeAll() }
    return verdicts
  }
}
