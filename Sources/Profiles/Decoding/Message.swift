import KaitaiStruct
import Memory
import PacketCodecs
import Text

/// One application message of a profile, or bytes that belong to none. It belongs to a ``ProfileEngine``: valid until its next call.
@_spi(Pipeline) @safe public final class ProfileMessage {
  /// The kind of a ``ProfileMessage``.
  public enum Kind: UInt8, Sendable {
    /// A message.
    case message
    /// Bytes that belong to no message.
    case unjoined
  }

  /// The status of checksums.
  public typealias Checksum = ChecksumStatus

  /// The reason why a body could not be decoded to its end.
  public enum Problem: Sendable {
    /// A type of the profile could not be read.
    case body(Failure)
    /// A layer before the body could not decode an escape, or had too few bytes.
    case layer(name: StaticString)
    /// Malformed or truncated JSON, CBOR or protobuf: the error and its position.
    case inner(String)
    /// No alternative of the profile matches these bytes.
    case noAlternative
  }

  /// Whether it is a message, or bytes that belong to none.
  public internal(set) var kind = Kind.message
  /// The profile it belongs to.
  public let profile: CompiledProfile
  /// Number of the characteristic, descriptor, advertisement or channel it came from, in the profile.
  public internal(set) var sourceNumber = 0
  /// Number of the message in the profile; -1 where no alternative matches, or the bytes are unjoined.
  public internal(set) var messageNumber = -1
  /// The link it came over, as ``ProfileEngine/connect(_:)`` gave it.
  public internal(set) var link = 0
  /// The slot of the link it came from, as ``ProfileEngine/slot(_:uuid:service:handle:)`` gave it.
  public internal(set) var slot = 0
  /// The advertiser's address, set by the decoder of advertisements; 0 for all other messages.
  public var advertiser: UInt64 = 0
  /// The number of the value that completed it among those of its packet, from 0; -1 where that is not known.
  package var valueNumber = -1
  /// In an advertisement of a device with its own link: the range of its bytes in the data of the last packet, before the layers. Empty for others.
  package internal(set) var advertisedRange = 0..<0
  /// Which operation carried it.
  public internal(set) var direction = ValueDirection.write
  /// Numbers of the packets that it was assembled from, in order.
  public internal(set) var frames: [Int] = []
  /// Time in µs of the first packet.
  public internal(set) var begin: Int64 = 0
  /// Time in µs of the last packet.
  public internal(set) var end: Int64 = 0
  /// Whether no part of it is missing.
  public internal(set) var isComplete = true
  /// The status of its checksums.
  public internal(set) var checksum = Checksum.none
  /// The byte order in which a wrong checksum would be right; nil where it is wrong in both orders.
  public internal(set) var fittingOrder: ByteOrder?
  /// The problems during its reassembly.
  public internal(set) var problems: [ReassemblyProblem] = []
  /// Its number in the profile; negative for bytes that belong to no message, and where no alternative matches.
  package var kindNumber: Int { kind == .unjoined ? Self.unjoinedNumber : messageNumber }
  /// The ``kindNumber`` of bytes that belong to no message.
  private static let unjoinedNumber = -2
  /// What its layers decoded and verified, if ``ProfileEngine/keepsLayerTrace`` is set.
  package internal(set) var layerTrace = LayerTrace()
  /// Number of payload bytes behind its declared end that were cut off.
  public internal(set) var surplus = 0
  /// The reason why its body could not be decoded to its end; nil where it could.
  public internal(set) var problem: Problem?
  /// The frame of the last fragment of the request that it responds to.
  public internal(set) var replyTo: Int?
  /// Time in µs from the last packet of that request to the last packet of this.
  public internal(set) var latency: Int64 = 0
  /// Whether it is a request that may have a response.
  public internal(set) var isRequest = false
  /// Whether this request has a response.
  public internal(set) var isAnswered = false

  /// The result of decrypting its bytes.
  public internal(set) var decryption = DecryptionStatus.none
  /// The number of the profile's key that is missing or wrong; -1 where it is no key that users give.
  var keyNumber = -1
  /// The key that is missing or wrong, by its name for `--key`, such as `bthome.bindkey`; nil where it is no key that users give.
  public var keyName: String? { keyNumber >= 0 ? "\(profile.id).\(profile.keys[keyNumber].name)" : nil }
  /// The profile's note on where users find that key.
  public var keyNote: String? { keyNumber >= 0 ? profile.keys[keyNumber].note : nil }

  /// Whether this request has only an incomplete response so far.
  var isPostponed = false
  /// Whether it was stored as an open request: then its slot returns it to the pool.
  var wasRequest = false
  let runtime: Unretained<ProfileRuntime>

  let tree: KaitaiTree
  let look: MessagePresentation
  /// By message: the type of its body, or -1.
  let bodyTypes: Table<Int32>
  /// Names of fields from its own bytes; emptied after each visit of the fields.
  var names = TextPool()
  var root: NodeID?
  /// Its fields, where they were read without the tree.
  var record = FieldRecord()
  /// ``record`` has the fields; the tree is built only when an expression needs it.
  var isFlat = false
  /// Its body was not read, because no output needs its fields; an expression that reads a field reads the body first.
  var isUnread = false
  var bytes: UnsafeMutableRawBufferPointer
  var count = 0
  /// Its index among all messages of its runtime.
  var madeNumber = 0
  /// Bytes of memory that it took when it was completed.
  var completedBytes = 0
  /// Bytes of memory that the pool has counted for it.
  var pooledBytes = 0
  /// Steps of its tree that were counted.
  private var countedSteps = 0

  /// Steps that its body took since the last call.
  @inline(__always)
  func takeSteps() -> Int {
    if isFlat { return record.usedSteps }
    if root == nil && problem == nil { return 1 }
    return takeTreeSteps()
  }

  /// Steps that its tree took since the last call, also for printing it.
  @inline(__always)
  func takeTreeSteps() -> Int {
    let used = tree.usedSteps
    defer { countedSteps = used }
    return used &- countedSteps
  }

  /// The output for its fields as JSON.
  let output: MessageOutput

  init(_ profile: CompiledProfile, _ runtime: ProfileRuntime, _ output: MessageOutput) {
    self.output = output
    self.profile = profile
    self.runtime = Unretained(runtime)
    countsEvents = !runtime.isReadAnywhere
    tree = KaitaiTree(profile.program, limits: .message)
    look = MessagePresentation(tree, profile.shown)
    bodyTypes = runtime.bodyTypes
    unsafe bytes = .allocate(byteCount: Self.fewBytes, alignment: 8)
  }
  private static let fewBytes = 64

  deinit {
    unsafe bytes.deallocate()
  }

  /// The bytes of the message's body: headers of fragments are removed, escapes are decoded. Valid as long as the message.
  public var payload: BorrowedBytes { unsafe BorrowedBytes(UnsafeRawBufferPointer(bytes)).part(0..<count) }

  /// The message's id in the profile; nil where no alternative matches.
  public var name: String? { messageNumber >= 0 ? profile.messages[messageNumber].id : nil }

  /// Its title for output; nil where no alternative matches.
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

  /// Bytes of memory that it takes while it is in use. Frames that it shares with others are not counted.
  @inline(__always)
  package var heldBytes: Int {
    let own = unsafe bytes.count &+ Self.fewFrames &* MemoryLayout<Int>.stride
    return tree.heldBytes &+ record.heldBytes &+ own &+ problems.count &* MemoryLayout<ReassemblyProblem>.stride &+ layerTrace.byteCount
  }

  /// Frees the memory of a large message, which is not in use.
  func shrink() {
    (root, isFlat) = (nil, false)
    tree.shrink()
    record.shrink()
    (frames, problems, layerTrace) = ([], [], LayerTrace())
    unsafe bytes.deallocate()
    unsafe bytes = .allocate(byteCount: Self.fewBytes, alignment: 8)
    count = 0
  }

  /// Frees the fields of a large body, but not its bytes: the body is read again when a field is needed.
  @discardableResult
  func forgetLargeBody(_ limit: Int = ProfileBounds.maxKeptBytes) -> Bool {
    guard root != nil, tree.heldBytes > limit else { return false }
    root = nil
    tree.shrink()
    isUnread = true
    return true
  }

  /// Frees the memory that printing the message took, if it is large; `others` is the number of messages printed with it. Returns that size, and that
  /// of a long list of frames, in bytes.
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

  /// An output calls this with the number of bytes that it has written for the message. If several outputs write it, the largest number counts.
  @inline(__always)
  public func wrote(_ bytes: Int) { writtenBytes = max(writtenBytes, bytes) }

  /// Makes it a notice of why messages are left out, instead of a message.
  func becomeNotice(_ problem: String) {
    kind = .unjoined
    isComplete = false
    checksum = .none
    messageNumber = -1
    (root, isFlat, isUnread) = (nil, false, false)
    self.problem = .inner(problem)
  }

  /// Up to this number, a message has its own list of frames; messages of one unit with more frames share a list.
  static let fewFrames = 16

  /// Nodes of its tree that the current walk has visited.
  var visitedNodes = 0
  /// Bytes of names, texts and byte strings that walks have visited, and of its lines, since they were counted as steps. The names of the objects around
  /// a field count again with it.
  var printedBytes = 0
  /// ``printedBytes`` before the message was printed.
  var printedBefore = 0
  /// Bytes that output has written for the message; see ``wrote(_:)``.
  var writtenBytes = 0
  /// ``printedBytes`` when the current walk began.
  var walkStart = 0
  /// The current walk left fields out, because names and texts were too long, and has reported it.
  var isWalkCut = false
  /// Whether walks count the fields of a body that was read without a tree: the profile is not built in.
  let countsEvents: Bool
  /// Bytes of the names of the objects around the node that is visited.
  var pathBytes = 0

  func reset() {
    kind = .message
    messageNumber = -1
    advertiser = 0
    valueNumber = -1
    advertisedRange = 0..<0
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
    // Mostly one or two frames: removing them costs less than `removeAll`.
    while !frames.isEmpty { frames.removeLast() }
  }
}
