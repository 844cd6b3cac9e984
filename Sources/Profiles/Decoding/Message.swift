import KaitaiStruct
import Memory
import PacketCodecs
import Text

/// One application message of a profile, or bytes that belong to none. It belongs to a ``ProfileEngine``: valid until its next call.
@_spi(Pipeline) @safe public final class ProfileMessage {
  /// What it is.
  public enum Kind: UInt8, Sendable {
    /// A message.
    case message
    /// Bytes that belong to no message.
    case unjoined
  }

  /// What its checksums are.
  public typealias Checksum = ChecksumStatus

  /// Why a body could not be read to its end.
  public enum Problem: Sendable {
    /// A type of the profile could not be read.
    case body(Failure)
    /// A layer before the body could not undo an escape, or has too few bytes.
    case layer(name: StaticString)
    /// JSON, CBOR or protobuf that is broken, or ends too early: what and where.
    case inner(String)
    /// No alternative of the profile holds for these bytes.
    case noAlternative
  }

  /// What it is.
  public internal(set) var kind = Kind.message
  /// The profile it belongs to.
  public let profile: CompiledProfile
  /// Number of the characteristic, descriptor, advertisement or channel it came from, in the profile.
  public internal(set) var sourceNumber = 0
  /// Number of the message in the profile; -1 where no alternative holds, or the bytes are unjoined.
  public internal(set) var messageNumber = -1
  /// The link it came over, as ``ProfileEngine/connect(_:)`` gave it.
  public internal(set) var link = 0
  /// The slot of the link it came from, as ``ProfileEngine/slot(_:uuid:service:handle:)`` gave it.
  public internal(set) var slot = 0
  /// The address of who advertised it, as whoever decodes advertisements sets it; 0 for all other messages.
  public var advertiser: UInt64 = 0
  /// Of an advertisement of a device with a link of its own: where its bytes lie in the data of the last packet, before the layers. Empty for others.
  package internal(set) var place = 0..<0
  /// Which operation carried it.
  public internal(set) var direction = ValueDirection.write
  /// Numbers of the packets it was put together from, in order.
  public internal(set) var frames: [Int] = []
  /// Time in µs of the first packet.
  public internal(set) var begin: Int64 = 0
  /// Time in µs of the last packet.
  public internal(set) var end: Int64 = 0
  /// Whether all of it is there.
  public internal(set) var isComplete = true
  /// What its checksums are.
  public internal(set) var checksum = Checksum.none
  /// The order of bytes in which a wrong checksum would be right; nil where it would be wrong in both.
  public internal(set) var fittingOrder: ByteOrder?
  /// What was wrong while it was put together.
  public internal(set) var problems: [ReassemblyProblem] = []
  /// What its layers undid and verified, where ``ProfileEngine/keepsSteps`` asks for it.
  package internal(set) var steps = LayerSteps()
  /// Number of payload bytes behind its declared end that were cut off.
  public internal(set) var surplus = 0
  /// Why its body could not be read to its end; nil where it could.
  public internal(set) var problem: Problem?
  /// The frame of the last fragment of the request that it answers.
  public internal(set) var replyTo: Int?
  /// Time in µs from the last packet of that request to the last packet of this.
  public internal(set) var latency: Int64 = 0
  /// Whether it is a request that an answer may come to.
  public internal(set) var isRequest = false
  /// Whether an answer came to this request.
  public internal(set) var isAnswered = false

  /// What became of its encrypted bytes.
  public internal(set) var decryption = DecryptionStatus.none
  /// The number of the profile's key that is missing or wrong; -1 where it is none of those that a user gives.
  var keyNumber = -1
  /// The key that is missing or wrong, as it is given with `--key`: `bthome.bindkey`; nil where it is none that a user gives.
  public var keyName: String? { keyNumber >= 0 ? "\(profile.id).\(profile.keys[keyNumber].name)" : nil }
  /// Where a user finds that key, in the words of the profile.
  public var keyNote: String? { keyNumber >= 0 ? profile.keys[keyNumber].note : nil }

  /// Whether only a part of an answer came to this request so far.
  var isPostponed = false
  /// Whether it was kept as an open request: then its slot gives it back.
  var wasRequest = false
  let runtime: Unretained<ProfileRuntime>

  let tree: KaitaiTree
  let look: MessagePresentation
  /// By message: the type of its body, or -1.
  let bodyTypes: Table<Int32>
  /// Names of fields that its own bytes gave; emptied after each visit of the fields.
  var names = TextPool()
  var root: NodeID?
  /// Its fields, where they were read without the tree.
  var record = FieldRecord()
  /// ``record`` has the fields; the tree has them only where someone asked for it.
  var isFlat = false
  /// Its body was not read, because no output wants its fields; an expression that asks for one reads it.
  var isUnread = false
  var bytes: UnsafeMutableRawBufferPointer
  var count = 0
  /// Which of all messages of its runtime it is.
  var madeNumber = 0
  /// Bytes that it took once it was completed.
  var completedBytes = 0
  /// Bytes of it that the pool has counted.
  var pooledBytes = 0
  /// Steps of its tree that were counted.
  private var countedSteps = 0

  /// Steps that its body took since they were asked for last.
  @inline(__always)
  func takeSteps() -> Int {
    if isFlat { return record.usedSteps }
    if root == nil && problem == nil { return 1 }
    let used = tree.usedSteps
    defer { countedSteps = used }
    return used &- countedSteps
  }

  /// Where its fields are written as JSON.
  var sink: TextSink?

  init(_ profile: CompiledProfile, _ runtime: ProfileRuntime) {
    self.profile = profile
    self.runtime = Unretained(runtime)
    tree = KaitaiTree(profile.program, limits: .message)
    look = MessagePresentation(tree, profile.shown)
    bodyTypes = runtime.bodyTypes
    unsafe bytes = .allocate(byteCount: Self.fewBytes, alignment: 8)
  }
  private static let fewBytes = 64

  deinit {
    unsafe bytes.deallocate()
    sink?.deallocate()
  }

  /// The bytes of the message as its body has them: headers of fragments taken off, escapes undone. Good as long as the message is.
  public var payload: BorrowedBytes { unsafe BorrowedBytes(UnsafeRawBufferPointer(bytes)).part(0..<count) }

  /// The message's id in the profile; nil where no alternative holds.
  public var name: String? { messageNumber >= 0 ? profile.messages[messageNumber].id : nil }

  /// Its title in words; nil where no alternative holds.
  var title: String? {
    messageNumber >= 0 ? profile.messages[messageNumber].title ?? profile.messages[messageNumber].id.replacing("_", with: " ") : nil
  }

  /// The id of its characteristic, descriptor, advertisement or channel.
  public var source: String { profile.sources[sourceNumber].id }

  func take(_ payload: BorrowedBytes) {
    if unsafe payload.count > bytes.count {
      unsafe bytes.deallocate()
      let more = min(payload.count, 4096)
      unsafe bytes = .allocate(byteCount: payload.count + more, alignment: 8)
    }
    unsafe bytes.copyMemory(from: payload.buffer)
    count = payload.count
  }

  /// Bytes that it takes as long as someone looks at it. Frames that it shares with others are not counted.
  @inline(__always)
  package var heldBytes: Int {
    let own = unsafe bytes.count &+ Self.fewFrames &* MemoryLayout<Int>.stride
    return tree.heldBytes &+ record.heldBytes &+ own &+ problems.count &* MemoryLayout<ReassemblyProblem>.stride &+ steps.byteCount
  }

  /// Gives back all that a large message took. No one looks at it.
  func shrink() {
    (root, isFlat) = (nil, false)
    tree.shrink()
    record.shrink()
    (frames, problems, steps) = ([], [], LayerSteps())
    unsafe bytes.deallocate()
    unsafe bytes = .allocate(byteCount: Self.fewBytes, alignment: 8)
    count = 0
  }

  /// Keeps the bytes alone of a large body: who asks for a field reads it again.
  func forgetLargeBody(_ most: Int = ProfileBounds.maxKeptBytes) {
    guard root != nil, tree.heldBytes > most else { return }
    root = nil
    tree.shrink()
    isUnread = true
  }

  /// It was printed, with so many others: what was computed for that is given back where it takes much. Returns how many bytes that were, and those of
  /// a long list of frames.
  @inline(__always)
  func wasPrinted(among others: Int) -> Int {
    let listed = frames.count > Self.manyFrames ? frames.count &* MemoryLayout<Int>.stride : 0
    guard root != nil else { return listed }
    let computed = max(0, heldBytes &- completedBytes)
    forgetLargeBody(others > Self.fewPrinted ? ProfileBounds.maxPrintedBytes : ProfileBounds.maxKeptBytes)
    return computed &+ listed
  }
  private static let fewPrinted = 16
  private static let manyFrames = 1024

  /// It is no message, but says why others are left out.
  func say(_ problem: String) {
    kind = .unjoined
    isComplete = false
    checksum = .none
    messageNumber = -1
    (root, isFlat, isUnread) = (nil, false, false)
    self.problem = .inner(problem)
  }

  /// As many frames are its own; messages of one unit with more share them.
  static let fewFrames = 16

  func reset() {
    kind = .message
    messageNumber = -1
    advertiser = 0
    place = 0..<0
    isComplete = true
    checksum = .none
    fittingOrder = nil
    surplus = 0
    problem = nil
    replyTo = nil
    latency = 0
    isRequest = false
    wasRequest = false
    isAnswered = false
    isPostponed = false
    decryption = .none
    keyNumber = -1
    root = nil
    isFlat = false
    isUnread = false
    if !problems.isEmpty { problems.removeAll(keepingCapacity: true) }
    if frames.count > Self.fewFrames { frames = [] }
    // One or two, as a rule: taking them off costs less than emptying.
    while !frames.isEmpty { frames.removeLast() }
  }
}
