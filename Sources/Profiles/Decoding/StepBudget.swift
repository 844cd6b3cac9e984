import Memory

/// The bounds of decoding one capture, in steps and in memory, for one profile that is built in, or for all other profiles with one origin, as a
/// folder may have hundreds of them. See ``ProfileBounds``.
final class StepBudget {
  /// Remaining steps. If they are negative, the profiles are left out.
  private(set) var left = ProfileBounds.steps
  /// Number of layers whose headers are cached.
  private(set) var headerCaches = 0
  /// Bytes of the state of all devices.
  private(set) var stateBytes = 0
  /// Bytes of requests without a response so far.
  private(set) var requestBytes = 0
  /// Number of steps beyond the budget when that was reported.
  private(set) var overdraft = 0
  private let stepsOfValue: Int
  private let stepsOfByte: Int

  init(isBuiltin: Bool = false) {
    let times = isBuiltin ? ProfileBounds.timesBuiltin : 1
    stepsOfValue = ProfileBounds.stepsOfValue * times
    stepsOfByte = ProfileBounds.stepsOfByte * times
  }

  @inline(__always) var isExhausted: Bool { left < 0 }

  /// The last packet that provided steps, and the end of its bytes that did.
  private var grantedFrame = Int.min
  private var grantedEnd: UInt = 0

  /// Adds the steps that the bytes of a value provide, and subtracts those for passing it to a source. If several sources or profiles read the bytes of
  /// a packet, the bytes provide steps only once.
  @inline(__always)
  func grant(_ value: BorrowedBytes, frame: Int) {
    let start = unsafe UInt(bitPattern: value.start)
    left &-= ProfileBounds.stepsOfFeed
    if frame == grantedFrame, start < grantedEnd { return }
    left &+= stepsOfValue &+ value.count &* stepsOfByte
    grantedFrame = frame
    grantedEnd = start &+ UInt(value.count)
  }

  @inline(__always)
  func spend(_ count: Int) { left &-= count }

  /// Ends the budget after it was reported as exhausted: later values add no steps that count.
  func close() {
    overdraft = max(overdraft, -max(left, -.max))
    left = .min / 2
  }

  /// Returns whether the headers of one more layer may be cached, and counts that layer.
  func addHeaderCache() -> Bool {
    guard headerCaches < ProfileBounds.maxHeaderCaches else { return false }
    headerCaches += 1
    return true
  }

  /// Adds the bytes of an open request, or subtracts them. Returns false, and adds none, where there would be too many.
  func addRequest(_ count: Int) -> Bool {
    guard count <= 0 || requestBytes + count <= ProfileBounds.maxRequestBytes else { return false }
    requestBytes += count
    return true
  }

  /// Adds bytes of the state, or subtracts them. Returns false, and adds none, where there would be too many.
  func addState(_ count: Int) -> Bool {
    guard count <= 0 || stateBytes + count <= ProfileBounds.maxStateBytesOfAll else { return false }
    stateBytes += count
    return true
  }
}

/// Counts the messages that one call of an engine has completed, of all values, slots and links, and their memory. They are kept until the next call.
struct HeldMessages {
  private(set) var count = 0
  private(set) var bytes = 0
  /// One message has the notice that there were too many; later ones are left out.
  private(set) var isFull = false
  /// Bytes of memory for printing messages, and of long lists of frames; `isCut`: one message has the notice that there were too many.
  private(set) var printed = 0
  private(set) var isCut = false

  /// Whether a message is kept, has a notice instead of its contents, or is left out.
  enum Room { case free, tooMany, tooLarge, none }

  /// Counts one more message.
  @inline(__always)
  mutating func add() -> Room {
    if isFull { return .none }
    count &+= 1
    if count <= ProfileBounds.maxMessages, bytes <= ProfileBounds.maxMessageBytes { return .free }
    isFull = true
    return count > ProfileBounds.maxMessages ? .tooMany : .tooLarge
  }

  /// Counts bytes of a message.
  @inline(__always)
  mutating func add(bytes more: Int) { bytes &+= more }

  /// Whether one more message may be printed.
  @inline(__always)
  mutating func mayPrint() -> Room {
    if printed <= ProfileBounds.maxMessageBytes { return .free }
    if isCut { return .none }
    isCut = true
    return .tooLarge
  }

  /// Counts bytes of memory for printing a message.
  @inline(__always)
  mutating func add(printed more: Int) { printed &+= more }

  /// Call when the messages were returned to the pool.
  @inline(__always)
  mutating func removeAll() { self = HeldMessages() }
}

extension HeldMessages.Room {
  /// The notice of a message that is not kept; nil where it is kept.
  var problem: String? {
    switch self {
    case .tooMany: "more messages at once than \(ProfileBounds.maxMessages): the others are left out"
    case .tooLarge: "messages at once that take more than \(ProfileBounds.maxMessageBytes >> 20) MiB: the others are left out"
    case .free, .none: nil
    }
  }
}

/// Counts messages of all profiles of an engine that are not in use, and can be reused.
final class MessagePool {
  /// The output of these messages.
  let output = MessageOutput()
  private(set) var count = 0
  private(set) var bytes = 0
  /// Closed requests that may still be in use.
  private var waiting: [Unretained<ProfileMessage>] = []
  /// Number of messages of each profile that are kept regardless of the total.
  private static let few = 4

  /// Takes a message that is not in use, and frees the memory of a large one. Returns whether it is kept; `others` is the number of its profile's.
  @inline(__always)
  func add(_ message: ProfileMessage, _ others: Int) -> Bool {
    guard others < Self.few || count < ProfileBounds.maxPooled else { return false }
    if message.frames.count > ProfileMessage.fewFrames { message.frames = [] }
    message.pooledBytes = message.heldBytes
    if message.pooledBytes > ProfileBounds.maxKeptBytes || bytes &+ message.pooledBytes > ProfileBounds.maxPooledBytes { shrink(message) }
    count &+= 1
    bytes &+= message.pooledBytes
    return true
  }

  @inline(never)
  private func shrink(_ message: ProfileMessage) {
    message.shrink()
    message.pooledBytes = message.heldBytes
  }

  /// Removes a message that is in use again.
  @inline(__always)
  func remove(_ message: ProfileMessage) {
    count &-= 1
    bytes &-= message.pooledBytes
  }

  /// Stores a closed request until it is not in use any more.
  func wait(_ request: Unretained<ProfileMessage>) { waiting.append(request) }

  /// Returns the closed requests to their runtimes. Call when no message is in use.
  @inline(__always)
  func release() {
    if waiting.isEmpty { return }
    for request in waiting { request.with { request in request.runtime.with { $0.give(Unretained(request)) } } }
    waiting.removeAll(keepingCapacity: true)
  }
}
