import KaitaiStruct
import Memory
import PacketCodecs

/// Copies of messages, for another thread to read while the engine continues. One thread writes a tape, then another reads it.
@_spi(Pipeline) @safe public final class MessageTape {
  /// The properties of a message other than its payload, its fields and its frames.
  @safe struct Entry {
    var profile: CompiledProfile
    var runtime: Unretained<ProfileRuntime>
    var sourceNumber: Int
    var messageNumber: Int
    var link: Int
    var slot: Int
    var advertiser: UInt64
    var begin: Int64
    var end: Int64
    var latency: Int64
    var replyTo: Int?
    var kind: ProfileMessage.Kind
    var direction: ValueDirection
    var checksum: ProfileMessage.Checksum
    var decryption: DecryptionStatus
    var fittingOrder: ByteOrder?
    var surplus: Int
    var keyNumber: Int
    var problem: ProfileMessage.Problem?
    var problems: [ReassemblyProblem]
    var isFlat: Bool
    var isUnread: Bool
    var isComplete: Bool
    var isRequest: Bool
    var isAnswered: Bool
    /// The range of its frames, which it may share with the message before it.
    var frames: Range<Int>
    /// The ends of its payload and of its fields.
    var payload: Int
    var fields: Int
  }

  private(set) var entries: [Entry] = []
  private(set) var frames: [Int] = []
  private(set) var payload: [UInt8] = []
  private(set) var fields: [FieldEvent] = []

  /// Number of payload bytes of its messages.
  public var byteCount: Int { payload.count }

  /// Creates an empty tape.
  public init() {}

  /// Removes all messages.
  public func removeAll() {
    entries.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    payload.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
  }

  /// Appends a copy of a message. Returns false where that is impossible, as its fields are in a tree.
  public func append(_ message: ProfileMessage) -> Bool {
    guard message.root == nil else {
      // An expression has read a field: the caller prints the message here, and needs the other fields too.
      if message.isUnread { message.readAfterAll() }
      return false
    }
    let frameRange = range(of: message.frames)
    payload.append(contentsOf: message.payload)
    if message.isFlat {
      unsafe fields.append(contentsOf: UnsafeBufferPointer(start: message.record.start, count: message.record.count))
    }
    entries.append(
      Entry(
        profile: message.profile, runtime: message.runtime, sourceNumber: message.sourceNumber, messageNumber: message.messageNumber,
        link: message.link, slot: message.slot, advertiser: message.advertiser, begin: message.begin, end: message.end,
        latency: message.latency, replyTo: message.replyTo, kind: message.kind, direction: message.direction,
        checksum: message.checksum, decryption: message.decryption, fittingOrder: message.fittingOrder, surplus: message.surplus,
        keyNumber: message.keyNumber, problem: message.problem, problems: message.problems, isFlat: message.isFlat,
        isUnread: message.isUnread, isComplete: message.isComplete, isRequest: message.isRequest, isAnswered: message.isAnswered,
        frames: frameRange, payload: payload.count, fields: fields.count))
    return true
  }

  /// The range of a message's frames: shared with the message before it, if that has the same frames and they are many.
  private func range(of list: [Int]) -> Range<Int> {
    if list.count > ProfileMessage.fewFrames, let last = entries.last?.frames, last.count == list.count, frames[last].elementsEqual(list) {
      return last
    }
    let start = frames.count
    frames += list
    return start..<frames.count
  }
}

/// Reads ``MessageTape``s; each thread has its own. The engine that made the messages must still exist.
@_spi(Pipeline) public final class MessageTapeReader {
  private let fields: ProfileEngine.Fields
  /// Upper bound of ``messages``, which have their own memory: with more profiles they are created anew.
  private static let maxProfiles = 16
  /// A message for each profile, which is reused.
  private var messages: [ObjectIdentifier: ProfileMessage] = [:]
  /// Environments for reading bodies that need a tree, by profile.
  private var environments: [ObjectIdentifier: KaitaiEnvironment] = [:]
  private let output = MessageOutput()

  /// Creates a reader, which reads the wanted `fields` of messages that the engine left unread.
  public init(_ fields: ProfileEngine.Fields) { self.fields = fields }

  /// The message at an index of a tape; valid until the next call.
  public func message(_ index: Int, of tape: MessageTape) -> ProfileMessage {
    let entry = tape.entries[index]
    let message: ProfileMessage
    if let known = messages[ObjectIdentifier(entry.profile)] {
      message = known
      message.reset()
    } else {
      if messages.count >= Self.maxProfiles {
        messages.removeAll()
        environments.removeAll()
      }
      message = entry.runtime.with { ProfileMessage(entry.profile, $0, output) }
      messages[ObjectIdentifier(entry.profile)] = message
    }
    let before = index > 0 ? tape.entries[index - 1] : nil
    message.frames += tape.frames[entry.frames]
    tape.payload.withBorrowedBytes { message.take($0.part((before?.payload ?? 0)..<entry.payload)) }
    unsafe tape.fields.withUnsafeBufferPointer {
      unsafe message.record.replace(with: UnsafeBufferPointer(rebasing: $0[(before?.fields ?? 0)..<entry.fields]))
    }
    message.isFlat = entry.isFlat
    message.kind = entry.kind
    message.fittingOrder = entry.fittingOrder
    message.surplus = entry.surplus
    message.keyNumber = entry.keyNumber
    message.problem = entry.problem
    message.problems = entry.problems
    message.sourceNumber = entry.sourceNumber
    message.messageNumber = entry.messageNumber
    message.link = entry.link
    message.slot = entry.slot
    message.advertiser = entry.advertiser
    message.begin = entry.begin
    message.end = entry.end
    message.latency = entry.latency
    message.replyTo = entry.replyTo
    message.direction = entry.direction
    message.checksum = entry.checksum
    message.decryption = entry.decryption
    message.isComplete = entry.isComplete
    message.isRequest = entry.isRequest
    message.isAnswered = entry.isAnswered
    message.isUnread = entry.isUnread
    if entry.isUnread, fields != .none { read(message) }
    return message
  }

  /// Reads the body of a message, which depends on its bytes only.
  private func read(_ message: ProfileMessage) {
    message.isUnread = false
    let info = message.runtime.with { $0.message(message.messageNumber) }
    message.read(info, onlyTemplate: fields == .template) {
      let failure = message.tree.parse(borrowing: message.payload, as: $0, environment: environment(of: message.profile))
      message.root = message.tree.root
      return failure
    }
  }

  /// The environment of a profile for this thread; that of the engine belongs to the engine's thread.
  private func environment(of profile: CompiledProfile) -> KaitaiEnvironment {
    if let known = environments[ObjectIdentifier(profile)] { return known }
    let made = KaitaiEnvironment(profile.program)
    environments[ObjectIdentifier(profile)] = made
    return made
  }
}
