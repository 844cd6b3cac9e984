import Bluetooth
import Memory
import PacketCodecs

/// A profile that was chosen for a device by a UUID or a name which many devices have. Its messages are held back until enough frames fit; it is
/// withdrawn where the first ones do not.
final class ProfileTrial {
  /// What became of the proposal.
  enum Verdict { case open, confirmed, withdrawn }

  private(set) var verdict: Verdict
  /// What speaks for the profile; see ``points(_:_:)``.
  private var score = 0
  /// Messages that are none of the profile, and their bytes.
  private var failures = (count: 0, bytes: 0)
  /// The first of their frames.
  private(set) var frames: [Int] = []
  /// Hashes of the messages that count in the score: the same bytes again prove nothing more.
  private var counted: [UInt64] = []

  /// Begins with what is known from an earlier connection to the same device.
  init(_ verdict: Verdict = .open, isGuess: Bool = false) {
    self.verdict = verdict
    self.isGuess = isGuess
  }

  /// It was tried because nobody knows the device's name: where it does not fit, there is nothing to tell.
  let isGuess: Bool

  /// Points that confirm a profile whose frames have something that can be checked, and one whose frames have nothing.
  private static let enough = 4
  private static let enoughWithoutFrames = 8
  /// Failures that withdraw a profile; bytes of fewer failures that do. A capture may begin inside a message, and a device may have other things
  /// to say first.
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

  /// Weighs a message that the profile has made. Returns whether it is a message of the profile as far as can be seen.
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

  /// What a whole message proves; nil where it has a value that the profile does not know.
  private func points(_ message: ProfileMessage, _ layers: FrameChecks) -> Int? {
    var points = layers.points
    // What is encrypted proves nothing, unless a key opened it.
    if message.decryption.isClosed { return points }
    if message.checksum == .ok || message.decryption == .opened { points += 3 }
    if message.replyTo != nil { points += 1 }
    var values = EnumeratedValues()
    message.visitFields(&values)
    // Numbers without a name are common in frames that a checksum proves; where nothing else is known, they speak against the profile.
    if values.unnamed > 0, !layers.isFramed { return nil }
    if values.named > 0, values.unnamed == 0 { points += 1 }
    return points
  }

  /// Whether all that came so far speaks against the profile.
  var isUnfit: Bool { verdict == .open && score == 0 && failures.count > 0 }
}

/// What the layers of a source check of the frames that come in one direction.
struct FrameChecks {
  /// Start and end marks, lengths, checksums: anything but the body.
  var isFramed = false
  /// What a frame that came through them whole proves, without its checksum.
  var points = 0

  init(_ direction: CompiledDirection) {
    for layer in direction.layers {
      switch layer {
      case .stream(let stream):
        let start = stream.rules.starts.map(\.count).min() ?? 0
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

  mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) {
    guard case .enumeration(let name, _) = value else { return }
    if name.isEmpty { unnamed += 1 } else { named += 1 }
  }
  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool { true }
  mutating func close(isArray: Bool) {}
  mutating func problem(_ text: String) {}
}

// MARK: - What many devices have

extension BluetoothUUID {
  /// Services of modules that carry the bytes of any device: a profile that no more than one of these suggests may be another's.
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

  /// Many unrelated devices have it: a UART service of a module's maker, or a short number that nobody assigned and many took (FFE0, FFF0, 0001).
  var isShared: Bool {
    if Self.shared.contains(self) { return true }
    guard let short = short32 else { return high == 0 || low == 0 }
    return short >= 0xFF00 && short <= 0xFFFF || short < 0x0100 || short & 0xFF == 0 && short < 0x1800
  }

  /// An attribute of a kind that the specification, or its owner, has defined: no other has this UUID.
  var isOwned: Bool {
    guard let short = short32 else { return !isShared }
    return short >= 0x1800 && short < 0x2C00 || short >= 0xFC00 && short < 0xFF00 && !isShared
  }
}

/// Whether a pattern of names says much: five letters and digits at the least.
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
    /// Its messages come from now on; false: it has none here.
    public let isConfirmed: Bool
    /// The first frames that are none of the profile.
    public let frames: [Int]
  }

  /// What was found out of a profile on one device.
  struct Known: Hashable {
    /// Empty where nobody knows it.
    var address: String
    var profile: Int
  }

  /// What a reading of a capture found out of the profiles that were proposed for its devices.
  public struct KnownVerdicts: Sendable {
    var devices: [Known: Bool] = [:]
    var links: [Known: Bool] = [:]

    /// Nothing.
    public init() {}

    /// Nothing was found out.
    public var isEmpty: Bool { devices.isEmpty && links.isEmpty }
  }

  /// What was found out so far.
  public var verdictsSoFar: KnownVerdicts {
    var all = KnownVerdicts()
    (all.devices, all.links) = (knownVerdicts, linkVerdicts)
    return all
  }

  /// The proposal of a profile for the device of a link, made with the first slot of it.
  func trial(_ link: Link, _ candidate: ProfileSet.Candidate, _ runtime: ProfileRuntime) -> ProfileTrial {
    let key = ObjectIdentifier(runtime.profile)
    let number = candidate.profile
    if let trial = link.trials[key]?.trial { return trial }
    let known =
      link.facts.address.flatMap { address in
        let device = Known(address: address, profile: number)
        return knownVerdicts[device] ?? earlier.devices[device]
      } ?? earlier.links[Known(address: link.place, profile: number)]
    let trial = ProfileTrial(known.map { $0 ? .confirmed : .withdrawn } ?? .open, isGuess: candidate.isGuess)
    link.trials[key] = (trial, number)
    return trial
  }

  /// Feeds a value to the profiles that were proposed for its attribute. The messages of the first that is confirmed are left in ``messages``.
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
    for place in numbers {
      guard let slot = link.slots.object(place), let trial = slot.trial, trial.verdict == .open,
        let pipeline = slot.pipeline(direction, place)
      else { continue }
      pipeline.with {
        run(value, frame: frame, time: time, $0, from: skipsLayers ? $0.layers.count : 0, link, slot.runtime)
      }
      if weigh(link, slot, trial) { return }
    }
  }

  /// Weighs the messages that a profile on trial has made. Returns whether they confirm it; else they are gone.
  private func weigh(_ link: Link, _ slot: Slot, _ trial: ProfileTrial) -> Bool {
    var unfit: [Int] = []
    for place in done.indices {
      let message = done[place].object
      let directions = slot.runtime.profile.sources[message.sourceNumber].directions
      let fits = trial.weigh(message, FrameChecks(directions[Int(message.direction.rawValue)]))
      if !fits { unfit.append(place) }
    }
    switch trial.verdict {
    case .open: recycle()
    case .withdrawn:
      recycle()
      conclude(link, slot.runtime.profile, isConfirmed: false)
    case .confirmed:
      // What came before the message that confirmed it may be anything.
      for place in unfit.reversed() {
        let message = done.remove(at: place)
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
      linkVerdicts[Known(address: link.place, profile: number)] = isConfirmed
    }
    if isConfirmed {
      openVerdicts[known] = nil
    } else {
      if trial.isGuess { return }
      // A device whose address nobody knows may be another link's, on which the profile fits.
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

  /// The link ends: what nothing spoke for may still be confirmed on another link to the device.
  func endTrials(_ link: Link) {
    // Where one was confirmed, the others are of no interest.
    if link.trials.values.contains(where: { $0.trial.verdict == .confirmed }) { return }
    link.slots.forEach { slot in
      guard let trial = slot.trial, trial.isUnfit, !trial.isGuess,
        let number = link.trials[ObjectIdentifier(slot.runtime.profile)]?.number
      else { return }
      self.defer(Known(address: link.facts.address ?? "", profile: number), link, slot.runtime.profile, trial)
    }
  }

  /// The capture ends, and with it the proposals that nothing ever spoke for.
  func endAllTrials() {
    let confirmed = Set(knownVerdicts.filter(\.value).map(\.key.address))
    let left = openVerdicts.filter { !reportedVerdicts.contains($0.key) && !confirmed.contains($0.key.address) }
    verdicts += left.sorted { ($0.value.frames.first ?? 0, $0.key.profile) < ($1.value.frames.first ?? 0, $1.key.profile) }.map(\.value)
    openVerdicts.removeAll()
  }

  /// Whether the profile of a slot is only proposed, or was withdrawn: nothing shall be called by its names.
  public func isProposed(_ number: Int, slot: Int) -> Bool {
    guard let link = self.link(number), let slot = link.slots.object(slot), slot.isProposed else { return false }
    return !slot.rivals.contains { link.slots.object($0)?.isConfirmed == true } && !slot.isConfirmed
  }

  /// The slot whose profile was confirmed among those proposed with `slot`; `slot` itself where none was.
  public func confirmed(_ number: Int, slot: Int) -> Int {
    guard let link = self.link(number), let first = link.slots.object(slot), first.isProposed else { return slot }
    return ([slot] + first.rivals).first { link.slots.object($0)?.isConfirmed == true } ?? slot
  }

  /// What was found out of proposed profiles since the last call.
  public func takeVerdicts() -> [Verdict] {
    defer { verdicts.removeAll() }
    return verdicts
  }
}
