import Ciphers
import KaitaiStruct
import Memory
import PacketCodecs

/// What became of the encrypted bytes of a message.
public enum DecryptionStatus: UInt8, Sendable {
  /// Nothing in it is encrypted, as far as its profile says.
  case none
  /// It was decrypted, and its tag proves that the key is right.
  case opened
  /// It was decrypted by a cipher that proves nothing, and what came out can be read.
  case likelyOpened
  /// There is no key for it: its bytes are shown as they are.
  case keyMissing
  /// No key that there is fits: its bytes are shown as they are.
  case keyWrong
  /// It is too short, or its nonce cannot be computed: its bytes are shown as they are.
  case failed

  /// Its bytes are shown as they are.
  public var isClosed: Bool { rawValue >= DecryptionStatus.keyMissing.rawValue }
  /// It was decrypted.
  public var isOpened: Bool { self == .opened || self == .likelyOpened }
}

/// A key of a profile.
struct CompiledKey: Sendable {
  var name: String
  var external: ExternalID
  /// How many bytes it has.
  var count: Int
  /// Where a user finds it.
  var note: String?
  /// The key that devices have from the factory.
  var standard: [UInt8]?
}

/// A layer that decrypts.
struct CompiledDecryption: Sendable {
  var mode: CipherMode
  var keyCount: Int?
  var when: ExpressionID?
  var header: TypeID?
  var key: ExpressionID
  var nonce: ExpressionID?
  var data: ExpressionID?
  var from: CompiledBound
  var to: CompiledBound?
  var tagFrom: CompiledBound?
  var tagTo: CompiledBound?
  /// The length of the encrypted bytes, as an expression over the header.
  var length: ExpressionID?
  var check: ExpressionID?
  var isPadded: Bool
  var countsLittleEndian: Bool
  /// The message that is shown where it stays closed.
  var closedMessage: Int
  /// The keys of the profile that the expressions name, by number.
  var keys: [Int]
  /// They name the device's address.
  var usesAddress: Bool
  /// The key is made of what earlier messages said.
  var keyUsesState: Bool
}

/// Why encrypted bytes stay closed.
enum ClosedReason: Error {
  /// The number of the key that is missing; -1 where it is one of earlier messages.
  case keyMissing(Int)
  case keyWrong(Int)
  /// Why their place or their nonce cannot be computed.
  case failed(String)

  var status: DecryptionStatus {
    switch self {
    case .keyMissing: .keyMissing
    case .keyWrong: .keyWrong
    case .failed: .failed
    }
  }
}

/// A layer that decrypts, at work: what its expressions say of a message, and the ciphers of the keys that were used.
final class Decryptor {
  let rules: CompiledDecryption
  private let profile: CompiledProfile
  private let environment: KaitaiEnvironment
  private let tree: KaitaiTree
  private var root: NodeID?
  /// Whether the address of the device at hand is known.
  private var hasAddress = false
  private var ciphers: [(key: [UInt8], cipher: MessageCipher)] = []
  /// Keys that messages negotiate are others in each session.
  private static let maxCiphers = 40
  /// Which of several keys opened the last message.
  private var lastRound = 0

  /// Evaluates in `tree`, which knows `environment`.
  init(_ rules: CompiledDecryption, _ profile: CompiledProfile, _ environment: KaitaiEnvironment, _ tree: KaitaiTree) {
    self.rules = rules
    self.profile = profile
    self.environment = environment
    self.tree = tree
  }

  /// Where in a message encrypted bytes and their tag lie.
  struct Places {
    var body: Range<Int>
    var tag: Range<Int>?

    /// The length that a header states for so many encrypted bytes: a tag right behind them is included.
    func length(of count: Int) -> Int { count + (tag.map { $0.lowerBound == body.upperBound ? $0.count : 0 } ?? 0) }
  }

  /// Whether the message is encrypted at all.
  func isEncrypted(_ bytes: BorrowedBytes) -> Bool {
    guard let when = rules.when else { return true }
    environment.set(profile.externals.payload, bytes: bytes)
    return (try? tree.evaluate(when))?.asBool ?? false
  }

  /// Decrypts a message: returns all its bytes with those that were encrypted replaced by what they are. Throws where it stays closed.
  func decrypt(_ bytes: [UInt8], _ keys: ProfileKeys, address: String?) throws(ClosedReason) -> [UInt8] {
    try read(bytes)
    let places = try places(bytes.count)
    let body = Array(bytes[places.body])
    if let said = said(), said != Int64(places.length(of: body.count)) {
      throw .failed("its header says \(said) encrypted bytes, and there are \(places.length(of: body.count))")
    }
    let tag = places.tag.map { Array(bytes[$0]) } ?? []
    let rounds = try rounds(keys, address)
    let first = lastRound < rounds.count ? lastRound : 0
    for number in rounds.indices {
      let round = number == 0 ? first : number == first ? 0 : number
      let (cipher, parameters) = try prepare(rounds[round])
      guard let cipher else { continue }
      let plain: [UInt8]
      do throws(CipherError) { plain = try cipher.decrypt(body, parameters, tag: tag) } catch {
        if error == .nonce { throw .failed("its nonce has \(parameters.nonce.count) bytes") }
        if error == .length { throw .failed("\(body.count) bytes are no whole number of blocks") }
        continue
      }
      guard isRight(plain) else { continue }
      lastRound = round
      return bytes[..<places.body.lowerBound] + plain + bytes[places.body.upperBound...]
    }
    throw .keyWrong(rules.keys.first ?? -1)
  }

  /// Encrypts a message, and writes its tag. Throws where that cannot be.
  func encrypt(_ bytes: [UInt8], _ keys: ProfileKeys, address: String?) throws(ClosedReason) -> [UInt8] {
    try read(bytes)
    let places = try places(bytes.count)
    guard let round = try rounds(keys, address).first else { throw .keyMissing(rules.keys.first ?? -1) }
    let (cipher, parameters) = try prepare(round)
    guard let cipher else { throw .keyWrong(rules.keys.first ?? -1) }
    let body = Array(bytes[places.body])
    let sealed: (bytes: [UInt8], tag: [UInt8])
    do throws(CipherError) {
      sealed = try cipher.encrypt(body, parameters, tagCount: places.tag?.count ?? 0)
    } catch {
      throw .failed(
        error == .length
          ? "\(body.count) bytes are no whole number of blocks" : "its nonce has \(parameters.nonce.count) bytes")
    }
    var output = bytes
    // The tag does not overlap the body, whose length padding changes.
    if let tag = places.tag { output.replaceSubrange(tag, with: sealed.tag) }
    output.replaceSubrange(places.body, with: sealed.bytes)
    return output
  }

  /// The length of the encrypted bytes by the header of the current message; nil where the profile names none.
  private func said() -> Int64? { rules.length.flatMap { try? tree.evaluate($0, at: root) }?.asInt }

  /// For a message that was just encrypted: the length in its header, and the length it has to be; nil where the profile names none.
  func length(of bytes: [UInt8]) -> (said: Int64, wanted: Int)? {
    guard rules.length != nil, (try? read(bytes)) != nil, let said = said(), let places = try? places(bytes.count) else { return nil }
    return (said, places.length(of: places.body.count))
  }

  /// Calls `body` with the header of the bytes that were read last, where there is one.
  func withHeader(_ body: (KaitaiTree) -> Void) { if root != nil { body(tree) } }

  // MARK: What the expressions say

  private func read(_ bytes: [UInt8]) throws(ClosedReason) {
    environment.set(profile.externals.payload, bytes: bytes)
    root = nil
    guard let header = rules.header else { return }
    if tree.parse(header, bytes.rawSpan, environment: environment) != nil { throw .failed("\(bytes.count) bytes are too few") }
    root = tree.root
  }

  private func places(_ count: Int) throws(ClosedReason) -> Places {
    func place(_ bound: CompiledBound?) throws(ClosedReason) -> Int {
      let value: Int64
      switch bound {
      case nil: return count
      case .number(let number)?: value = Int64(number)
      case .expression(let expression)?:
        guard let known = (try? tree.evaluate(expression, at: root))?.asInt else { throw .failed("its place cannot be computed") }
        value = known
      }
      // Numbers of a message may be any.
      guard value.magnitude <= 1 << 24 else { throw .failed("\(count) bytes are too few") }
      let place = value < 0 ? count + Int(value) : Int(value)
      guard place >= 0, place <= count else { throw .failed("\(count) bytes are too few") }
      return place
    }
    func range(_ from: CompiledBound, _ to: CompiledBound?) throws(ClosedReason) -> Range<Int> {
      let low = try place(from)
      let high = try place(to)
      guard low <= high else { throw .failed("\(count) bytes are too few") }
      return low..<high
    }
    var places = Places(body: try range(rules.from, rules.to))
    guard let from = rules.tagFrom else { return places }
    let tag = try range(from, rules.tagTo)
    guard rules.mode.takes(tagOf: tag.count) else { throw .failed("a tag of \(tag.count) bytes") }
    guard tag.upperBound <= places.body.lowerBound || tag.lowerBound >= places.body.upperBound else {
      throw .failed("its tag lies within it")
    }
    places.tag = tag
    return places
  }

  private func bytes(_ expression: ExpressionID?, _ what: StaticString) throws(ClosedReason) -> [UInt8] {
    guard let expression else { return [] }
    do throws(Failure) { return try evaluate(expression) } catch {
      let isDevice = error.kind == .absent && rules.usesAddress && !hasAddress
      throw .failed("its \(what) cannot be computed: \(isDevice ? "the device's address is not known" : error.message)")
    }
  }

  private func evaluate(_ expression: ExpressionID) throws(Failure) -> [UInt8] {
    let value = try tree.evaluate(expression, at: root)
    return tree.withBytes(of: value) { Array($0) }
  }

  /// What the keys of the profile may be, one round for each that is tried. Throws where there is none.
  private func rounds(_ keys: ProfileKeys, _ address: String?) throws(ClosedReason) -> [[[UInt8]]] {
    let address = address.flatMap(addressBytes)
    hasAddress = address != nil
    guard !rules.keys.isEmpty else { return [[]] }
    var lists: [[[UInt8]]] = []
    for number in rules.keys {
      let candidates = keys.candidates(profile, profile.keys[number], address: address)
      guard !candidates.isEmpty else { throw .keyMissing(number) }
      lists.append(candidates)
    }
    // Of several names, all keys of the first are tried, and one of each other.
    return lists[0].map { first in [first] + lists.dropFirst().map { $0[0] } }
  }

  /// Gives the expressions the keys of a round. Returns the cipher, nil where its key is none, and what belongs to the message.
  private func prepare(_ round: [[UInt8]]) throws(ClosedReason) -> (MessageCipher?, MessageCipher.Parameters) {
    for (number, key) in zip(rules.keys, round) {
      environment.set(profile.keys[number].external, bytes: key)
    }
    let key: [UInt8]
    do throws(Failure) { key = try evaluate(rules.key) } catch {
      // What the user gave is there: the rest comes from messages that were not seen.
      throw rules.keys.isEmpty || rules.keyUsesState ? .keyMissing(-1) : .failed("its key cannot be computed: \(error.message)")
    }
    // A variable of the state that no message has set.
    if key.isEmpty, rules.keys.isEmpty || rules.keyUsesState { throw .keyMissing(-1) }
    let parameters = MessageCipher.Parameters(
      nonce: try bytes(rules.nonce, rules.mode == .cbc ? "initialisation vector" : "nonce"), data: try bytes(rules.data, "data"),
      isPadded: rules.isPadded, countsLittleEndian: rules.countsLittleEndian)
    return (cipher(key), parameters)
  }

  private func cipher(_ key: [UInt8]) -> MessageCipher? {
    if let known = ciphers.first(where: { $0.key == key }) { return known.cipher }
    if let count = rules.keyCount, key.count != count { return nil }
    guard let cipher = MessageCipher(rules.mode, key: key) else { return nil }
    if ciphers.count >= Self.maxCiphers { ciphers.removeFirst() }
    ciphers.append((key, cipher))
    return cipher
  }

  /// Whether what came out is what the layer's "check" says, which may use the key that was tried.
  private func isRight(_ plain: [UInt8]) -> Bool {
    guard let check = rules.check else { return true }
    environment.set(profile.externals.plain, bytes: plain)
    return (try? tree.evaluate(check, at: root))?.asBool ?? false
  }
}

extension Externals {
  /// Gives expressions the bytes of the device's address, where it is known.
  func set(mac address: String?, _ environment: KaitaiEnvironment) {
    guard let bytes = address.flatMap(addressBytes) else {
      environment.clear(deviceMAC)
      environment.clear(deviceMACReversed)
      return
    }
    environment.set(deviceMAC, bytes: bytes)
    environment.set(deviceMACReversed, bytes: Array(bytes.reversed()))
  }
}

/// What a layer that decrypts tells of bytes while the message that they become is completed.
@safe struct SealedBytes {
  /// The bytes as they came.
  let bytes: BorrowedBytes
  /// The message that shows them.
  let message: Int
  /// Why they stay closed; where they were decrypted, what is said of the key if nothing can be read.
  let reason: ClosedReason
}

extension ProfileEngine {
  /// Decrypts bytes, and runs the layers behind. What stays closed becomes a message that shows the bytes as they are. Returns false where
  /// nothing is encrypted.
  @inline(never)
  func decrypt(
    _ unit: FramedBytes, _ layer: LayerState, _ pipeline: Pipeline, next place: Int, _ link: Link, _ runtime: ProfileRuntime
  ) -> Bool {
    guard let decryptor = layer.decryptor, decryptor.isEncrypted(unit.bytes) else { return false }
    var unit = unit
    let rules = decryptor.rules
    let outer = sealed
    defer { sealed = outer }
    do throws(ClosedReason) {
      defer { if let onHeader = runtime.onHeader { decryptor.withHeader(onHeader) } }
      layer.scratch = try decryptor.decrypt(Array(unit.bytes), profiles.keys, address: link.facts.address)
    } catch {
      var reason = error
      // What is not whole has no tag that could hold.
      if case .keyWrong = error, !unit.isComplete { reason = .failed("bytes of it are missing") }
      unit.decryption = reason.status
      sealed = SealedBytes(bytes: unit.bytes, message: rules.closedMessage, reason: reason)
      complete(unit, pipeline, link, runtime)
      return true
    }
    unit.decryption = rules.mode.isAuthenticated ? .opened : .likelyOpened
    if keepsSteps { steps.isWhole = false }
    // Where a layer behind joins packets, the message that it completes is not these bytes alone.
    let isAlone = !pipeline.layers.objects.dropFirst(place).contains { [.fragments, .stream, .expect].contains($0.kind) }
    sealed =
      isAlone && unit.decryption == .likelyOpened
      ? SealedBytes(bytes: unit.bytes, message: rules.closedMessage, reason: .keyWrong(rules.keys.first ?? -1)) : nil
    // The scratch is not changed before this unit is completed.
    layer.scratch.withBorrowedBytes {
      unit.bytes = $0
      run(unit, pipeline, from: place, link, runtime)
    }
    return true
  }

  /// Makes of a message one that shows its bytes as they came.
  func close(_ message: ProfileMessage, _ sealed: SealedBytes, _ runtime: ProfileRuntime) {
    message.decryption = sealed.reason.status
    switch sealed.reason {
    case .keyMissing(let key), .keyWrong(let key): message.keyNumber = key
    case .failed(let why): message.problem = message.problem ?? .inner("encrypted: \(why)")
    }
    message.take(sealed.bytes)
    message.messageNumber = sealed.message
    (message.root, message.isFlat) = (nil, false)
    message.read(runtime.message(sealed.message), runtime)
  }
}

extension DecryptionStatus {
  /// What tests of profiles call it.
  var word: String {
    switch self {
    case .none: "none"
    case .opened: "opened"
    case .likelyOpened: "likely opened"
    case .keyMissing: "key missing"
    case .keyWrong: "key wrong"
    case .failed: "failed"
    }
  }
}
