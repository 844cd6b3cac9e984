import Ciphers
import FuzzInput
import Memory
@_spi(Pipeline) import Profiles

extension FuzzTarget {
  /// Profiles, and messages decoded by the built-in ones.
  public static let profiles = [
    FuzzTarget(name: "profile", longest: 1024) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let read = try? ProfileSet(builtin: false, texts: [(text, "fuzz.yaml", .given)]), let summary = read.summaries.first,
        let profile = try? read.profile(summary.number)
      else { return }
      let set = read.with(keys(of: [profile]))
      let engine = ProfileEngine(set)
      let link = engine.connect(device)
      for source in profile.sourceNames {
        let slot = engine.slot(link, profile: profile, source: source)
        for (frame, packet) in values.enumerated() {
          for direction in ValueDirection.allCases {
            packet.withBorrowedBytes { _ = engine.feed(link, slot, direction, $0, frame: frame + 1, time: Int64(frame) * 1_000_000) }
            tell(engine, bytes.count)
          }
        }
      }
      engine.finish()
      tell(engine, bytes.count)
      let encoder = MessageEncoder(profile, of: set, facts: device)
      for message in profile.messageNames { _ = try? encoder.encode(message, .object([])) }
      _ = try? set.test(summary.number)
    },
    FuzzTarget(name: "json", longest: 512) { bytes in
      guard let tree = FieldTree(json: Array(bytes)) else { return }
      var text: [UInt8] = []
      tree.append(to: &text)
      // A number that is too large is written as null: text that was written once does not change.
      var again: [UInt8] = []
      FieldTree(json: text)?.append(to: &again)
      check(again == text, "what was written is read as something else: \(String(decoding: text, as: UTF8.self))")
    },
    FuzzTarget(name: "messages", longest: 256) { bytes in
      var choices = Choices(bytes)
      let (profile, engine) = choices.element(of: builtin.value)
      let source = choices.element(of: profile.sourceNames)
      let link = engine.connect(device)
      let slot = engine.slot(link, profile: profile, source: source)
      var frame = 0
      while !choices.isAtEnd {
        frame += 1
        let what = choices.byte()
        let value = BorrowedBytes(choices.piece(Int(choices.byte())))
        let time = Int64(frame) * (what & 64 == 0 ? 1000 : 3_000_000)
        if what & 128 == 0 {
          engine.feed(link, slot, ValueDirection.allCases[Int(what) % ValueDirection.allCases.count], value, frame: frame, time: time)
        } else {
          engine.feed(advertisement: value, link, frame: frame, time: time)
        }
        tell(engine, bytes.count)
      }
      engine.disconnect(link)
      tell(engine, bytes.count)
    },
    FuzzTarget(name: "encode", longest: 256) { bytes in
      var choices = Choices(bytes)
      let (profile, engine) = choices.element(of: builtin.value)
      guard !profile.messageNames.isEmpty else { return }
      let message = choices.element(of: profile.messageNames)
      let encoder = MessageEncoder(profile, of: engine.profiles, facts: device)
      encoder.packetSize = choices.optional()
      guard let fields = FieldTree(json: Array(choices.rest())), let encoded = try? encoder.encode(message, fields) else { return }
      let link = engine.connect(device)
      let slot = engine.slot(link, profile: profile, source: encoded.source)
      for (frame, packet) in encoded.packets.enumerated() {
        packet.withBorrowedBytes { _ = engine.feed(link, slot, encoded.direction, $0, frame: frame, time: 0) }
        tell(engine, bytes.count)
      }
      engine.disconnect(link)
    },
    // Encrypted data are decrypted again, and never with another tag.
    FuzzTarget(name: "cipher", longest: 256) { bytes in
      var choices = Choices(bytes)
      let mode = choices.element(of: CipherMode.allCases)
      let (keyCount, nonceCount, dataCount) = (Int(choices.byte()) % 40, Int(choices.byte()) % 20, Int(choices.byte()) % 40)
      let (tagCount, flags) = (Int(choices.byte()) % 20, choices.byte())
      let key = Array(choices.piece(keyCount))
      digest(key, nonceCount, choices)
      guard let cipher = MessageCipher(mode, key: key) else { return }
      let parameters = MessageCipher.Parameters(
        nonce: Array(choices.piece(nonceCount)), data: Array(choices.piece(dataCount)), isPadded: flags & 1 != 0,
        countsLittleEndian: flags & 2 != 0)
      let plain = Array(choices.rest())
      _ = try? cipher.decrypt(plain, parameters, tag: [UInt8](repeating: flags, count: tagCount))
      guard let sealed = try? cipher.encrypt(plain, parameters, tagCount: tagCount) else { return }
      let opened = try? cipher.decrypt(sealed.bytes, parameters, tag: sealed.tag)
      check(opened == plain, "\(mode) gives something else back")
      guard var tag = Optional(sealed.tag), !tag.isEmpty else { return }
      tag[Int(flags) % tag.count] ^= 1
      check((try? cipher.decrypt(sealed.bytes, parameters, tag: tag)) == nil, "\(mode) takes a wrong tag")
    },
  ]

  /// Hashes, HMAC and key derivation accept any bytes, and return the size that they announce.
  private static func digest(_ key: [UInt8], _ salt: Int, _ choices: Choices) {
    var choices = choices
    let function = choices.element(of: HashFunction.allCases)
    let count = Int(choices.byte()) * 5 - 1
    let bytes = Array(choices.rest())
    guard let code = MessageDigest.hmac(function, key: key, bytes) else { return }
    check(code.count == function.count, "\(function) has \(code.count) bytes")
    let derived = MessageDigest.hkdf(function, key, salt: Array(bytes.prefix(salt)), info: bytes, count: count)
    check(derived?.count == ((1...MessageDigest.maxDerived).contains(count) ? count : nil), "\(count) bytes were asked for")
    if let block = Block128(key) { _ = MessageDigest.cmac(block, bytes) }
    check(SystemCryptography.sharedX25519(privateKey: key, publicKey: bytes)?.count ?? 32 == 32, "a secret of another length")
    check(SystemCryptography.sharedSecret(privateKey: key, publicKey: bytes)?.count ?? 32 == 32, "a secret of another length")
  }

  /// A device with a known address, which nonces need.
  private static let device: PeerFacts = {
    var facts = PeerFacts()
    facts.address = "00:11:22:33:44:55"
    return facts
  }()

  /// A key of zeros for everything that profiles encrypt.
  private static func keys(of profiles: [CompiledProfile]) -> ProfileKeys {
    var keys = ProfileKeys()
    for profile in profiles {
      for key in profile.keyNames { keys.add([UInt8](repeating: 0, count: key.byteCount), of: profile.id, key.name) }
    }
    return keys
  }

  /// Values that cannot be sent between threads, made once: a target runs on one thread.
  private struct Fixed<KaitaiValue>: @unchecked Sendable { let value: KaitaiValue }

  /// Writes all messages that an engine has completed, as rows or as text; some rows are parsed again, which takes longer than all the rest.
  private static func tell(_ engine: ProfileEngine, _ kind: Int) {
    var output: [UInt8] = []
    for message in engine.messages {
      output.removeAll(keepingCapacity: true)
      if kind & 1 == 0 {
        message.appendText(to: &output)
        message.appendSentence(to: &output)
      } else {
        message.appendRow(to: &output)
        if kind & 6 == 0 { check(FieldTree(json: output) != nil, "no JSON: \(String(decoding: output, as: UTF8.self))") }
      }
    }
  }

  private static let values: [[UInt8]] = [
    [], [1], [2, 0, 1, 0x41, 0x42], Array(0..<20), [0xFF, 0xFF, 0x80, 0], [0x20, 4, 1, 2, 3, 4, 0xAA],
  ]

  private static let builtinSet: ProfileSet = {
    do {
      let set = try ProfileSet()
      return set.with(keys(of: set.summaries.compactMap { try? set.profile($0.number) }))
    } catch { fatalError("\(error)") }
  }()

  /// The built-in profiles, each with an engine that keeps its state from input to input.
  private static let builtin = Fixed(
    value: builtinSet.summaries.compactMap { summary -> (CompiledProfile, ProfileEngine)? in
      guard let profile = try? builtinSet.profile(summary.number), !profile.sourceNames.isEmpty else { return nil }
      return (profile, ProfileEngine(builtinSet))
    })
}
