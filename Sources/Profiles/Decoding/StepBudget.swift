import Memory

/// What the reading of one capture may take, in steps and in memory: by one profile that is built in, or by all others that come from one place, as a
/// folder may have hundreds of them. See ``ProfileBounds``.
final class StepBudget {
  /// Steps that are left; negative where more were taken than there may be: its profiles read nothing any more.
  private(set) var left = ProfileBounds.steps
  /// Layers whose headers are remembered.
  private(set) var headerCaches = 0
  /// Bytes of the state of all devices.
  private(set) var stateBytes = 0
  /// Bytes of requests that have no answer so far.
  private(set) var requestBytes = 0
  /// Steps that were taken beyond those that there were, when that was told.
  private(set) var overdraft = 0
  private let stepsOfValue: Int
  private let stepsOfByte: Int

  init(isBuiltin: Bool = false) {
    let times = isBuiltin ? ProfileBounds.timesBuiltin : 1
    stepsOfValue = ProfileBounds.stepsOfValue * times
    stepsOfByte = ProfileBounds.stepsOfByte * times
  }

  @inline(__always) var isExhausted: Bool { left < 0 }

  /// Adds the steps that a value brings.
  @inline(__always)
  func grant(_ count: Int) { left &+= stepsOfValue &+ count &* stepsOfByte }

  @inline(__always)
  func spend(_ count: Int) { left &-= count }

  /// It was told that none are left: what comes brings no more.
  func close() {
    overdraft = max(overdraft, -max(left, -.max))
    left = .min / 2
  }

  /// Whether the headers of one more layer may be remembered.
  func addHeaderCache() -> Bool {
    guard headerCaches < ProfileBounds.maxHeaderCaches else { return false }
    headerCaches += 1
    return true
  }

  /// Adds the bytes of an open request, or takes them off. Returns false, and adds none, where there would be too many.
  func addRequest(_ count: Int) -> Bool {
    guard count <= 0 || requestBytes + count <= ProfileBounds.maxRequestBytes else { return false }
    requestBytes += count
    return true
  }

  /// Adds bytes to the state, or takes them off it. Returns false, and adds none, where there would be too many.
  func addState(_ count: Int) -> Bool {
    guard count <= 0 || stateBytes + count <= ProfileBounds.maxStateBytesOfAll else { return false }
    stateBytes += count
    return true
  }
}

/// What the messages hold that one call of an engine has completed, whatever values, slots and links they come from: all are kept until the next call.
struct HeldMessages {
  private(set) var count = 0
  private(set) var bytes = 0
  /// One message says that there were too many; all that follow are left out.
  private(set) var isFull = false
  /// Bytes that were computed of messages when they were printed, and of long lists of frames; one message says that there were too many.
  private(set) var printed = 0
  private(set) var isCut = false

  /// What becomes of a message.
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

  /// Whether there is room for what is computed of one more message when it is printed.
  @inline(__always)
  mutating func mayPrint() -> Room {
    if printed <= ProfileBounds.maxMessageBytes { return .free }
    if isCut { return .none }
    isCut = true
    return .tooLarge
  }

  /// Counts bytes that were computed of a message.
  @inline(__always)
  mutating func add(printed more: Int) { printed &+= more }

  /// The messages were given back.
  @inline(__always)
  mutating func removeAll() { self = HeldMessages() }
}

extension HeldMessages.Room {
  /// What the message says that is not kept; nil where it is.
  var problem: String? {
    switch self {
    case .tooMany: "more messages at once than \(ProfileBounds.maxMessages): the others are left out"
    case .tooLarge: "messages at once that take more than \(ProfileBounds.maxMessageBytes >> 20) MiB: the others are left out"
    case .free, .none: nil
    }
  }
}

/// Counts messages of all profiles of an engine that no one looks at, and that are used again.
final class MessagePool {
  private(set) var count = 0
  private(set) var bytes = 0
  /// Requests that are no longer open, while messages are being looked at.
  private var waiting: [Unretained<ProfileMessage>] = []
  /// So many of each profile are kept, however many there are of all.
  private static let few = 4

  /// Takes a message that no one looks at. Returns whether it is kept, where its profile has `others`: what a large one took is given back.
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

  /// Someone looks at a message again.
  @inline(__always)
  func remove(_ message: ProfileMessage) {
    count &-= 1
    bytes &-= message.pooledBytes
  }

  /// Keeps a request that is no longer open until no one looks at it.
  func wait(_ request: Unretained<ProfileMessage>) { waiting.append(request) }

  /// Gives such requests back: no one looks at a message.
  @inline(__always)
  func release() {
    if waiting.isEmpty { return }
    for request in waiting { request.with { request in request.runtime.with { $0.give(Unretained(request)) } } }
    waiting.removeAll(keepingCapacity: true)
  }
}
