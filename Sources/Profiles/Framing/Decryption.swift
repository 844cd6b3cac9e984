import Ciphers
import KaitaiStruct
import Memory
import PacketCodecs

/// The result of decrypting a message.
public enum DecryptionStatus: UInt8, Sendable {
  /// The profile declares no encryption for it.
  case none
  /// It was decrypted, and its tag proves that the key is right.
  case opened
  /// It was decrypted by a cipher without authentication, and the plaintext can be decoded.
  case likelyOpened
  /// There is no key for it: the ciphertext is shown.
  case keyMissing
  /// No known key is right: the ciphertext is shown.
  case keyWrong
  /// It is too short, or its nonce cannot be computed: the ciphertext is shown.
  case failed

  /// It was not decrypted: the ciphertext is shown.
  public var isClosed: Bool { rawValue >= DecryptionStatus.keyMissing.rawValue }
  /// It was decrypted.
  public var isOpened: Bool { self == .opened || self == .likelyOpened }
}

/// A key of a profile.
struct CompiledKey: Sendable {
  var name: String
  var external: ExternalID
  /// Its size in bytes.
  var count: Int
  /// A note on where users find it.
  var note: String?
  /// The factory default of devices.
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
  /// The number of the message that shows the ciphertext where decryption fails.
  var closedMessage: Int
  /// The keys of the profile that the expressions name, by number.
  var keys: [Int]
  /// The expressions read the device's address.
  var usesAddress: Bool
  /// The key is computed from state that earlier messages set.
  var keyUsesState: Bool
}

/// The reason why bytes are not decrypted.
enum ClosedReason: Error {
  /// The number of the missing key; -1 where it comes from earlier messages.
  case keyMissing(Int)
  case keyWrong(Int)
  /// The reason why their range or their nonce cannot be computed.
  case failed(String)

  var status: DecryptionStatus {
    switch self {
    case .keyMissing: .keyMissing
    case .keyWrong: .keyWrong
    case .failed: .failed
    }
  }
}

/// Decrypts the messages of a layer: evaluates its expressions, and caches the ciphers of used keys.
final class Decryptor {
  let rules: CompiledDecryption
  private let profile: CompiledProfile
  private let environment: KaitaiEnvironment
  private let tree: KaitaiTree
  private var root: NodeID?
  /// Whether the address of the current device is known.
  private var hasAddress = false
  private var ciphers: [(key: [UInt8], cipher: MessageCipher)] = []
  /// Upper bound of ``ciphers``, as negotiated keys differ in each session.
  private static let maxCiphers = 40
  /// The index of the key that decrypted the last message.
  private var lastRound = 0

  /// Expressions are evaluated in `tree`, whose environment is `environment`.
  init(_ rules: CompiledDecryption, _ profile: CompiledProfile, _ environment: KaitaiEnvironment, _ tree: KaitaiTree) {
    self.rules = rules
    self.profile = profile
    self.environment = environment
    self.tree = tree
  }

  /// The ranges of the encrypted bytes and of their tag in a message.
  struct Ranges {
    var body: Range<Int>
    var tag: Range<Int>?

    /// The length in a header for `count` encrypted bytes: a tag directly behind them is included.
    func length(of count: Int) -> Int { count + (tag.map { $0.lowerBound == body.upperBound ? $0.count : 0 } ?? 0) }
  }

  /// Whether the message is encrypted at all.
  func isEncrypted(_ bytes: BorrowedBytes) -> Bool {
    guard let when = rules.when else { return true }
    environment.set(profile.externals.payload, bytes: bytes)
    return (try? tree.evaluate(when))?.asBool ?? false
  }

  /// Decrypts a message: returns all its bytes, with the plaintext in place of the ciphertext. Throws where decryption fails.
  func decrypt(_ bytes: [UInt8], _ keys: ProfileKeys, address: String?) throws(ClosedReason) -> [UInt8] {
    try read(bytes)
    let ranges = try ranges(bytes.count)
    let body = Array(bytes[ranges.body])
    if let stored = storedLength(), stored != Int64(ranges.length(of: body.count)) {
      throw .failed("its header says \(stored) encrypted bytes, and there are \(ranges.length(of: body.count))")
    }
    let tag = ranges.tag.map { Array(bytes[$0]) } ?? []
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
      return bytes[..<ranges.body.lowerBound] + plain + bytes[ranges.body.upperBound...]
    }
    throw .keyWrong(rules.keys.first ?? -1)
  }

  /// Encrypts a message, and writes its tag. Throws where that is impossible.
  func encrypt(_ bytes: [UInt8], _ keys: ProfileKeys, address: String?) throws(ClosedReason) -> [UInt8] {
    try read(bytes)
    let ranges = try ranges(bytes.count)
    guard let round = try rounds(keys, address).first else { throw .keyMissing(rules.keys.first ?? -1) }
    let (cipher, parameters) = try prepare(round)
    guard let cipher else { throw .keyWrong(rules.keys.first ?? -1) }
    let body = Array(bytes[ranges.body])
    let sealed: (bytes: [UInt8], tag: [UInt8])
    do throws(CipherError) {
      sealed = try cipher.encrypt(body, parameters, tagCount: ranges.tag?.count ?? 0)
    } catch {
      throw .failed(
        error == .length
          ? "\(body.count) bytes are no whole number of blocks" : "its nonce has \(parameters.nonce.count) bytes")
    }
    var output = bytes
    // The tag does not overlap the body, whose length padding changes.
    if let tag = ranges.tag { output.replaceSubrange(tag, with: sealed.tag) }
    output.replaceSubrange(ranges.body, with: sealed.bytes)
    return output
  }

  /// The length of the encrypted bytes from the header of the current message; nil where the profile has no expression for it.
  private func storedLength() -> Int64? { rules.length.flatMap { try? tree.evaluate($0, at: root) }?.asInt }

  /// For a message that was just encrypted: the length in its header, and the right length; nil where the profile has no expression for it.
  func length(of bytes: [UInt8]) -> (stored: Int64, wanted: Int)? {
    guard rules.length != nil, (try? read(bytes)) != nil, let stored = storedLength(), let ranges = try? ranges(bytes.count) else {
      return nil
    }
    return (stored, ranges.length(of: ranges.body.count))
  }

  /// Calls `body` with the header of the bytes that were read last, if any.
  func withHeader(_ body: (KaitaiTree) -> Void) { if root != nil { body(tree) } }

  // MARK: Expressions

  private func read(_ bytes: [UInt8]) throws(ClosedReason) {
    environment.set(profile.externals.payload, bytes: bytes)
    root = nil
    guard let header = rules.header else { return }
    if tree.parse(header, bytes.rawSpan, environment: environment) != nil { throw .failed("\(bytes.count) bytes are too few") }
    root = tree.root
  }

  private func ranges(_ count: Int) throws(ClosedReason) -> Ranges {
    func position(_ bound: CompiledBound?) throws(ClosedReason) -> Int {
      let value: Int64
      switch bound {
      case nil: return count
      case .number(let number)?: value = Int64(number)
      case .expression(let expression)?:
        guard let known = (try? tree.evaluate(expression, at: root))?.asInt else { throw .failed("its place cannot be computed") }
        value = known
      }
      // Numbers of a message may have any value.
      guard value.magnitude <= 1 << 24 else { throw .failed("\(count) bytes are too few") }
      let position = value < 0 ? count + Int(value) : Int(value)
      guard position >= 0, position <= count else { throw .failed("\(count) bytes are too few") }
      return position
    }
    func range(_ from: CompiledBound, _ to: CompiledBound?) throws(ClosedReason) -> Range<Int> {
      let low = try position(from)
      let high = try position(to)
      guard low <= high else { throw .failed("\(count) bytes are too few") }
      return low..<high
    }
    var ranges = Ranges(body: try range(rules.from, rules.to))
    guard let from = rules.tagFrom else { return ranges }
    let tag = try range(from, rules.tagTo)
    guard rules.mode.takes(tagOf: tag.count) else { throw .failed("a tag of \(tag.count) bytes") }
    guard tag.upperBound <= ranges.body.lowerBound || tag.lowerBound >= ranges.body.upperBound else {
      throw .failed("its tag lies within it")
    }
    ranges.tag = tag
    return ranges
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

  /// The keys of the profile to try, one list of them for each attempt. Throws where there is none.
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
    // With several names, all keys of the first name are tried, and one key of each other name.
    return lists[0].map { first in [first] + lists.dropFirst().map { $0[0] } }
  }

  /// Sets the keys of an attempt for the expressions. Returns the cipher, nil where the key is invalid, and the parameters of the message.
  private func prepare(_ round: [[UInt8]]) throws(ClosedReason) -> (MessageCipher?, MessageCipher.Parameters) {
    for (number, key) in zip(rules.keys, round) {
      environment.set(profile.keys[number].external, bytes: key)
    }
    let key: [UInt8]
    do throws(Failure) { key = try evaluate(rules.key) } catch {
      // The user's keys are set: the rest comes from messages that are not in the capture.
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

  /// Whether the layer's "check" is true for the plaintext; it may use the key of the attempt.
  private func isRight(_ plain: [UInt8]) -> Bool {
    guard let check = rules.check else { return true }
    environment.set(profile.externals.plain, bytes: plain)
    return (try? tree.evaluate(check, at: root))?.asBool ?? false
  }
}

extension Externals {
  /// Sets the bytes of the device's address for expressions, if it is known.
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

/// The results of a layer that decrypts, while the message of the bytes is completed.
@safe struct SealedBytes {
  /// The received bytes.
  let bytes: BorrowedBytes
  /// The message that shows them.
  let message: Int
  /// The reason why they are not decrypted; for decrypted ones, the reason to report if the plaintext cannot be decoded.
  let reason: ClosedReason
}

extension ProfileEngine {
  /// Decrypts bytes, and runs the layers behind. Where that fails, the bytes become a message that shows the ciphertext. Returns false where
  /// nothing is encrypted.
  @inline(never)
  func decrypt(
    _ unit: FramedBytes, _ layer: LayerState, _ pipeline: Pipeline, next index: Int, _ link: Link, _ runtime: ProfileRuntime
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
      // The tag of incomplete bytes cannot be right.
      if case .keyWrong = error, !unit.isComplete { reason = .failed("bytes of it are missing") }
      unit.decryption = reason.status
      sealed = SealedBytes(bytes: unit.bytes, message: rules.closedMessage, reason: reason)
      complete(unit, pipeline, link, runtime)
      return true
    }
    unit.decryption = rules.mode.isAuthenticated ? .opened : .likelyOpened
    if keepsLayerTrace { layerTrace.isWhole = false }
    // If a later layer joins packets, its message has other bytes, too.
    let isAlone = !pipeline.layers.objects.dropFirst(index).contains { [.fragments, .stream, .expect].contains($0.kind) }
    sealed =
      isAlone && unit.decryption == .likelyOpened
      ? SealedBytes(bytes: unit.bytes, message: rules.closedMessage, reason: .keyWrong(rules.keys.first ?? -1)) : nil
    // The scratch is not changed before this unit is completed.
    layer.scratch.withBorrowedBytes {
      unit.bytes = $0
      run(unit, pipeline, from: index, link, runtime)
    }
    return true
  }

  /// Makes a message one that shows the received bytes.
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
  /// Its name in tests of profiles.
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
