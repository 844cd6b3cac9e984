import KaitaiStruct
import Memory
import PacketCodecs

/// A device in an engine.
@safe final class Link {
  var number = 0
  /// Identifies the link among all links of the capture.
  var identity = ""
  var facts: PeerFacts { didSet { matches = nil } }
  /// How well profiles match, as far as it was computed since ``facts`` were set.
  var matches: DeviceMatches?
  var candidates: [ProfileSet.Candidate] = []
  var slots = UnretainedTable<Slot>()
  /// The index in ``slots`` of a source of a profile.
  var slotNumbers: [SlotKey: Int] = [:]
  /// The state that messages have set, by profile.
  var state: [ObjectIdentifier: [CompiledState.Value]] = [:]
  /// Slots that read a kind of advertised data.
  var advertised: [UInt64: [Int]] = [:]
  /// Hashes of advertisements whose facts are known.
  var contents: [UInt64] = []
  /// Proposals of profiles for the device, with the number of the profile.
  var trials: [ObjectIdentifier: (trial: ProfileTrial, number: Int)] = [:]

  /// Bytes of the state that messages have set, by the budget that counts them.
  private var stateBytes: [(budget: StepBudget, count: Int)] = []

  init(_ facts: PeerFacts) { self.facts = facts }

  deinit { for (budget, count) in stateBytes { _ = budget.addState(-count) } }

  /// Adds bytes to the state; false where there is no room.
  func addState(_ count: Int, _ budget: StepBudget) -> Bool {
    guard count != 0 else { return true }
    guard budget.addState(count) else { return false }
    if let index = stateBytes.firstIndex(where: { $0.budget === budget }) {
      stateBytes[index].count += count
    } else {
      stateBytes.append((budget, count))
    }
    return true
  }

  struct SlotKey: Hashable {
    var runtime: ObjectIdentifier
    var source: Int
  }
}

/// A source of a profile on one link.
@safe final class Slot {
  let runtime: ProfileRuntime
  let sourceNumber: Int
  /// By direction.
  var pipelines = UnretainedTable<Pipeline>(emptySlots: 5)
  /// Its profile is on trial or was withdrawn, or another of ``rivals`` was confirmed.
  var isProposed = false
  var trial: ProfileTrial?
  /// Slots of other profiles that were proposed for the same attribute.
  var rivals: [Int] = []
  var isConfirmed: Bool { trial?.verdict == .confirmed }
  /// It has received values.
  var isUsed: Bool { !pipelines.objects.isEmpty }
  /// Requests without a response, oldest first; few, since devices respond to one at a time.
  private(set) var requests: [Unretained<ProfileMessage>] = []
  private static let maxRequests = 32

  init(_ runtime: ProfileRuntime, _ source: Int) {
    self.runtime = runtime
    sourceNumber = source
    requests.reserveCapacity(Self.maxRequests + 1)
  }

  deinit {
    // The last ones may still be in use.
    while !requests.isEmpty { close(requests.count - 1) }
  }

  @inline(__always)
  func pipeline(_ direction: ValueDirection, _ slot: Int) -> Unretained<Pipeline>? {
    pipelines[Int(direction.rawValue)] ?? makePipeline(direction, slot)
  }

  @inline(never)
  private func makePipeline(_ direction: ValueDirection, _ slot: Int) -> Unretained<Pipeline>? {
    let index = Int(direction.rawValue)
    let rules = runtime.profile.sources[sourceNumber].directions[index]
    guard rules.carries else { return nil }
    runtime.spend(runtime.profile.sources[sourceNumber].directions[index].layers.count &* ProfileBounds.stepsOfLayer)
    pipelines.set(index, Pipeline(rules, sourceNumber: sourceNumber, slot: slot, valueDirection: direction, runtime))
    return pipelines[index]
  }

  func open(_ request: ProfileMessage) {
    if hasPostponed { closePostponed() }
    runtime.spend(requests.count)
    // A repeated request replaces the first one: the response belongs to the last.
    let count = request.count
    let equal = requests.firstIndex { earlier in
      earlier.with {
        $0.count == count && $0.messageNumber == request.messageNumber && $0.payload.elementsEqual(request.payload)
      }
    }
    if let equal { close(equal) }
    let isCrowded = runtime.openRequests >= ProfileBounds.maxOpenRequests
    if requests.count >= (isCrowded ? 1 : Self.maxRequests) { close(0) }
    guard runtime.openRequests < 4 * ProfileBounds.maxOpenRequests, runtime.budget.addRequest(request.count) else {
      return runtime.retire(Unretained(request))
    }
    requests.append(Unretained(request))
    runtime.openRequests += 1
  }

  func close(_ index: Int) {
    let request = requests.remove(at: index)
    _ = request.with { runtime.budget.addRequest(-$0.count) }
    runtime.retire(request)
    runtime.openRequests -= 1
  }

  /// An incomplete response leaves its request open for the complete one, until another request is written. Requests without any response
  /// precede it.
  func postpone(_ index: Int) {
    let request = requests.remove(at: index)
    request.with { $0.isPostponed = true }
    requests.append(request)
    hasPostponed = true
  }

  private var hasPostponed = false

  /// Closes the requests with an incomplete response.
  private func closePostponed() {
    hasPostponed = false
    var index = 0
    while index < requests.count {
      if requests[index].with({ $0.isPostponed }) { close(index) } else { index += 1 }
    }
  }
}
