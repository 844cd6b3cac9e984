import Ciphers
import Memory
import Testing

@_spi(Pipeline) @testable import Profiles

private let sensor = "54:48:e6:8f:80:a5"
private let sensorKey = [UInt8](hex: "231d39c1d7cc1ab1aee224cd096db932") ?? []
/// The example of bthome.io/encryption.
private let sealedPacket = [UInt8](hex: "41a47266c95f730011223378237214") ?? []

/// The properties of a message that these tests compare.
private struct Seen: Equatable {
  var name: String?
  var status: DecryptionStatus
  var json: String
  var payload: [UInt8]
  var problem: String
  var key: String?

  init(_ message: ProfileMessage) {
    name = message.name
    status = message.decryption
    var text: [UInt8] = []
    message.appendFieldsJSON(to: &text)
    json = String(decoding: text, as: UTF8.self)
    payload = Array(message.payload)
    text = []
    message.appendProblem(to: &text)
    problem = String(decoding: text, as: UTF8.self)
    key = message.keyName
  }
}

/// Feeds values to one source of a profile.
private func feed(
  _ set: ProfileSet, _ id: String, _ source: String, _ values: [[UInt8]], address: String? = nil, direction: ValueDirection? = nil
) throws -> [Seen] {
  let number = try #require(set.number(id))
  let profile = try set.profile(number)
  let engine = ProfileEngine(set)
  var facts = PeerFacts()
  facts.address = address
  let link = engine.connect(facts)
  let slot = engine.slot(link, profile: profile, source: source)
  let sourceNumber = try #require(profile.source(source))
  let valueDirection = try #require(direction ?? profile.usualDirection(sourceNumber))
  var seen: [Seen] = []
  for (frame, value) in values.enumerated() {
    value.withBorrowedBytes { _ = engine.feed(link, slot, valueDirection, $0, frame: frame + 1, time: Int64(frame) * 1000) }
    seen += engine.messages.map(Seen.init)
  }
  engine.finish()
  return seen + engine.messages.map(Seen.init)
}

private func keys(_ entries: (profile: String, name: String, bytes: [UInt8], address: String?)...) -> ProfileKeys {
  var keys = ProfileKeys()
  for entry in entries { keys.add(entry.bytes, of: entry.profile, entry.name, address: entry.address) }
  return keys
}

private func set(_ text: String, _ keys: ProfileKeys = ProfileKeys()) throws -> ProfileSet {
  try ProfileSet(builtin: false, texts: [(text, "t.yaml", .given)]).with(keys)
}

/// A layer that decrypts: its result with the right key, with a wrong one and without a key.
@Suite struct DecryptTests {
  private static let shared = Result { try ProfileSet() }
  private var builtin: ProfileSet { get throws { try Self.shared.get() } }

  @Test func opensAnAdvertisementByTheKeyOfItsDevice() throws {
    let set = try builtin.with(keys(("bthome", "bindkey", sensorKey, sensor.uppercased())))
    let opened = try feed(set, "bthome", "data", [sealedPacket], address: sensor)
    #expect(opened.map(\.name) == ["opened"] && opened.map(\.status) == [.opened])
    #expect(opened[0].json.contains("25.06"))
    // There is no key for another device, and this one is not tried.
    let other = try feed(set, "bthome", "data", [sealedPacket], address: "54:48:e6:8f:80:a6")
    #expect(other.map(\.status) == [.keyMissing] && other[0].key == "bthome.bindkey")
    #expect(other[0].payload == sealedPacket)
  }

  @Test func showsCiphertextWithoutTheKeyAndWithAnother() throws {
    var wrong = sensorKey
    wrong[15] ^= 1
    let closed = try feed(try builtin, "bthome", "data", [sealedPacket], address: sensor)
    let refused = try feed(try builtin.with(keys(("bthome", "bindkey", wrong, nil))), "bthome", "data", [sealedPacket], address: sensor)
    #expect(closed.map(\.status) == [.keyMissing] && refused.map(\.status) == [.keyWrong])
    for seen in closed + refused {
      #expect(seen.name == "encrypted" && seen.payload == sealedPacket && seen.problem.isEmpty)
      #expect(seen.json.contains("a47266c95f73") && !seen.json.contains("25.06"))
    }
  }

  @Test func findsTheRightOneOfKeysWhoseDeviceIsNotSaid() throws {
    var many = ProfileKeys()
    var isAdded = false
    for number in 0..<UInt8(ProfileKeys.maxWithoutAddress - 1) {
      isAdded = many.add([UInt8](repeating: number, count: 16), of: "bthome", "bindkey")
      #expect(isAdded)
    }
    let opened = try feed(try builtin.with(many), "bthome", "data", [sealedPacket], address: sensor)
    #expect(opened.map(\.status) == [.keyWrong])
    isAdded = many.add(sensorKey, of: "bthome", "bindkey")
    #expect(isAdded)
    isAdded = many.add(sensorKey, of: "bthome", "bindkey")
    #expect(isAdded)
    isAdded = many.add([UInt8](repeating: 0xEE, count: 16), of: "bthome", "bindkey")
    #expect(!isAdded)
    isAdded = many.add([UInt8](repeating: 0xEE, count: 16), of: "bthome", "bindkey", address: "00:00:00:00:00:01")
    #expect(isAdded)
    isAdded = many.add(sensorKey, of: "bthome", "bindkey", address: "no address")
    #expect(!isAdded)
    let again = try feed(try builtin.with(many), "bthome", "data", [sealedPacket, sealedPacket], address: sensor)
    #expect(again.map(\.status) == [.opened, .opened])
  }

  /// Truncated messages are not decrypted.
  @Test func truncatedMessagesStayClosed() throws {
    let set = try builtin.with(keys(("bthome", "bindkey", sensorKey, nil)))
    for count in 0..<sealedPacket.count {
      let seen = try feed(set, "bthome", "data", [Array(sealedPacket.prefix(count))], address: sensor)
      #expect(seen.allSatisfy { !$0.status.isOpened })
    }
    for index in sealedPacket.indices.dropFirst() {
      var bytes = sealedPacket
      bytes[index] ^= 1
      let seen = try feed(set, "bthome", "data", [bytes], address: sensor)
      #expect(seen.map(\.status) == [.keyWrong] && seen[0].payload == bytes)
    }
  }

  @Test func aNonceThatCannotBeComputedIsSaid() throws {
    let seen = try feed(try builtin.with(keys(("bthome", "bindkey", sensorKey, nil))), "bthome", "data", [sealedPacket])
    #expect(seen.map(\.status) == [.failed])
    #expect(seen[0].problem == "encrypted: its nonce cannot be computed: the device's address is not known")
    #expect(seen[0].payload == sealedPacket)
  }

  @Test func advertisersHaveTheirOwnKeys() throws {
    let set = try builtin.with(
      keys(("bthome", "bindkey", sensorKey, sensor), ("bthome", "bindkey", [UInt8](repeating: 1, count: 16), "54:48:e6:8f:80:a6")))
    let engine = ProfileEngine(set)
    let data: [UInt8] = [UInt8(sealedPacket.count + 3), 0x16, 0xD2, 0xFC] + sealedPacket
    func hear(_ address: UInt64, _ text: String) -> [DecryptionStatus] {
      data.withBorrowedBytes {
        _ = engine.feed(advertisement: $0, of: address, isNamed: false, version: 0, frame: 1, time: 0) {
          var facts = PeerFacts()
          facts.address = text
          return facts
        }
      }
      return engine.messages.map(\.decryption)
    }
    for _ in 0..<2 {
      #expect(hear(0x5448_E68F_80A5, sensor) == [.opened])
      #expect(hear(0x5448_E68F_80A6, "54:48:e6:8f:80:a6") == [.keyWrong])
      #expect(hear(0x5448_E68F_80A7, "54:48:e6:8f:80:a7") == [.keyMissing])
    }
  }

  @Test func encodesWhatItDecrypts() throws {
    let builtin = try self.builtin
    let number = try #require(builtin.number("bthome"))
    let profile = try builtin.profile(number)
    var facts = PeerFacts()
    facts.address = sensor
    let fields = try #require(
      FieldTree(
        json: Array(
          #"{"trigger_based": false, "counter": 857870592, "objects": [{"id": 2, "value": 25.06}, {"id": 3, "value": 50.55}]}"#.utf8)))
    let encoder = MessageEncoder(profile, of: builtin.with(keys(("bthome", "bindkey", sensorKey, sensor))), facts: facts)
    #expect(try encoder.encode("opened", fields).packets == [sealedPacket])
    let error = try #require(throws: EncodeError.self) { try MessageEncoder(profile, of: builtin, facts: facts).encode("opened", fields) }
    #expect(error.description == "the message is encrypted: it needs --key bthome.bindkey=HEX")
  }

  // MARK: Each mode

  private static let modes: [(layer: String, keyCount: Int)] = [
    ("{cipher: aes-128-ecb, key: _key.k, over: [2], padding: pkcs7}", 16),
    ("{cipher: aes-256-ecb, key: _key.k, over: [2], padding: pkcs7}", 32),
    ("{cipher: aes-cbc, key: _key.k, iv: 'v + v', over: [2], padding: pkcs7}", 16),
    ("{cipher: aes-256-cbc, key: _key.k, iv: 'v + v', over: [2], padding: pkcs7}", 32),
    ("{cipher: aes-128-ctr, key: _key.k, nonce: v, over: [2]}", 16),
    ("{cipher: aes-256-ctr, key: _key.k, nonce: 'v + _device.mac_le', counter-endian: le, over: [2]}", 32),
    ("{cipher: aes-128-ccm, key: _key.k, nonce: '_device.mac + [1, 2] + [counter].as<bytes>', data: [0x11], over: [2, -6], tag: [-6]}", 16),
    ("{cipher: aes-256-ccm, key: _key.k, nonce: 'v', data: 'head', over: [2, -16], tag: [-16]}", 32),
    ("{cipher: aes-128-gcm, key: _key.k, nonce: 'v + [0, 0, 0, counter].as<bytes>', data: head, tag: [-12], over: [2, -12]}", 16),
    ("{cipher: aes-256-gcm, key: _key.k, nonce: v, over: [2, -4], tag: [-4]}", 32),
  ]

  private func profile(_ layer: String, _ keyCount: Int) -> String {
    """
    profile: t
    keys: {k: {bytes: \(keyCount)}}
    characteristics: {a: {uuid: 2a19, write: open, framing: [{decrypt: \(layer.replacing("{cipher", with: "{header: sealed, cipher"))}]}}
    types:
      sealed:
        seq: [{id: head, size: 1}, {id: counter, type: u1}, {id: rest, size-eos: true}]
        instances: {v: {value: "[7, 1, 2, 3, 4, 5, 6, counter].as<bytes>"}}
      open:
        seq: [{id: kind, type: u1, valid: 9}, {id: counter, type: u1}, {id: length, type: u1}, {id: text, type: str, encoding: ASCII, size: length, valid: {expr: "_ == 'hello, encrypted world'"}}]
    """
  }

  @Test(arguments: modes)
  func eachModeGoesBothWays(_ mode: (layer: String, keyCount: Int)) throws {
    let key = (0..<mode.keyCount).map { UInt8($0 * 7 & 0xFF) }
    let right = try set(profile(mode.layer, mode.keyCount), keys(("t", "k", key, nil)))
    let compiled = try right.profile(0)
    var facts = PeerFacts()
    facts.address = sensor
    let fields = try #require(FieldTree(json: Array(#"{"counter": 200, "text": "hello, encrypted world"}"#.utf8)))
    let packet = try #require(try MessageEncoder(compiled, of: right, facts: facts).encode("open", fields).packets.first)
    #expect(!String(decoding: packet, as: UTF8.self).contains("hello"))
    let opened = try feed(right, "t", "a", [packet, packet], address: sensor, direction: .write)
    #expect(opened.map(\.name) == ["open", "open"])
    #expect(opened.allSatisfy { $0.status == (mode.layer.contains("tag") ? .opened : .likelyOpened) })
    #expect(opened[0].json.contains("hello, encrypted world"))

    var other = key
    other[0] ^= 0x80
    let wrong = try feed(
      try set(profile(mode.layer, mode.keyCount), keys(("t", "k", other, nil))), "t", "a", [packet], address: sensor, direction: .write)
    #expect(wrong.map(\.name) == ["sealed"] && wrong.map(\.status) == [.keyWrong] && wrong[0].payload == packet)
    let none = try feed(try set(profile(mode.layer, mode.keyCount)), "t", "a", [packet], address: sensor, direction: .write)
    #expect(none.map(\.name) == ["sealed"] && none.map(\.status) == [.keyMissing] && none[0].payload == packet)
    for count in 0..<packet.count {
      let cut = try feed(right, "t", "a", [Array(packet.prefix(count))], address: sensor, direction: .write)
      #expect(cut.count == 1 && cut[0].payload == Array(packet.prefix(count)) && cut[0].status.isClosed, "\(count)")
    }
  }

  /// A header may give the number of encrypted bytes, with the tag or padding: encoding writes it, and packets of another size are not decrypted.
  @Test(arguments: [
    ("{cipher: aes-128-cbc, key: _key.k, iv: 'v + v', over: [2], length: size, padding: pkcs7}", 0, 32),
    ("{cipher: aes-128-gcm, key: _key.k, nonce: v, over: [2, -16], tag: [-16], length: size}", 16, 38),
  ])
  func aHeaderSaysTheLength(_ layer: String, tail: Int, length: UInt8) throws {
    let text = """
      profile: t
      keys: {k: {bytes: 16}}
      characteristics: {a: {uuid: 2a19, write: open, framing: [{decrypt: \(layer.replacing("{cipher", with: "{header: sealed, cipher"))}]}}
      types:
        sealed:
          seq: [{id: head, type: u1}, {id: size, type: u1}]
          instances: {v: {value: "[7, 1, 2, 3, 4, 5, 6, head].as<bytes>"}}
        open:
          seq: [{id: kind, type: u1, valid: 9}, {id: size, type: u1, -hidden: true}, {id: text, type: str, encoding: ASCII, size: _io.size - 2 - \(tail)}, {id: rest, size: \(tail), -hidden: true}]
      """
    let set = try set(text, keys(("t", "k", [UInt8](repeating: 5, count: 16), nil)))
    let fields = try #require(FieldTree(json: Array(#"{"text": "hello, encrypted world"}"#.utf8)))
    let packet = try #require(try MessageEncoder(try set.profile(0), of: set).encode("open", fields).packets.first)
    #expect(packet.count == 2 + Int(length) && packet[1] == length)
    let seen = try feed(set, "t", "a", [packet, packet + [UInt8](repeating: 0, count: 16), packet.dropLast(16)], direction: .write)
    #expect(seen.map(\.name) == ["open", "sealed", "sealed"] && seen[1].status == .failed && seen[2].status == .failed)
    #expect(seen[1].problem.contains("its header says \(length) encrypted bytes, and there are \(length + 16)"), "\(seen[1].problem)")
  }

  /// A message in several frames, each with a checksum over its own header; the length of the encrypted bytes takes two bytes.
  @Test func encodesALongMessageInFrames() throws {
    let builtin = try self.builtin
    let set = builtin.with(keys(("huawei", "secret", [UInt8](repeating: 5, count: 16), nil)))
    let octets = String(repeating: "5a", count: 500)
    let vector = String(repeating: "11", count: 16)
    let fields = try #require(
      FieldTree(
        json: Array(
          #"{"service": "notifications", "command": 1, "vector": "\#(vector)", "values": [{"tag": 1, "octets": "\#(octets)"}]}"#.utf8)))
    let number = try #require(set.number("huawei"))
    let packets = try MessageEncoder(try set.profile(number), of: set).encode("opened", fields, source: "request").packets
    #expect(packets.count == 3 && packets.allSatisfy { $0[0] == 0x5A && $0.count == Int($0[1]) << 8 + Int($0[2]) + 5 })
    let seen = try feed(set, "huawei", "request", packets, direction: .write)
    #expect(seen.map(\.name) == ["opened"] && seen[0].status == .likelyOpened && seen[0].problem.isEmpty)
    #expect(seen[0].json.contains(octets))
  }

  // MARK: Keys from messages and profiles

  private static let session = """
    profile: t
    state: {session: ""}
    characteristics:
      a:
        uuid: 2a19
        value: [{when: "_payload[0] == 1", message: hello}, {when: "_payload[0] == 2", message: text}]
        framing: [{decrypt: {when: "_payload[0] == 2", cipher: aes-128-ctr, key: _state.session, nonce: [1], over: [1], check: "_plain[0] == 0x41"}}]
    messages: {hello: {set: {session: key}}}
    types:
      hello: {seq: [{id: kind, type: u1}, {id: key, size-eos: true}]}
      text: {seq: [{id: kind, type: u1}, {id: text, type: str, size-eos: true, encoding: ASCII}]}
    """

  @Test func takesTheKeyThatAMessageGave() throws {
    let set = try set(Self.session)
    let key: [UInt8] = (0..<16).map { 0x80 + $0 }
    let encoder = MessageEncoder(try set.profile(0), of: set)
    let hello = try #require(FieldTree(json: Array(#"{"kind": 1, "key": "808182838485868788898a8b8c8d8e8f"}"#.utf8)))
    _ = try encoder.encode("hello", hello)
    let text = try #require(FieldTree(json: Array(#"{"kind": 2, "text": "A secret"}"#.utf8)))
    let packet = try #require(try encoder.encode("text", text).packets.first)
    let seen = try feed(set, "t", "a", [packet, [1] + key, packet, [1] + key.reversed(), packet, [1, 2, 3], packet], direction: .notify)
    #expect(seen.map(\.status) == [.keyMissing, .none, .likelyOpened, .none, .keyWrong, .none, .keyWrong])
    #expect(seen[2].json == #"{"kind":2,"text":"A secret"}"#)
    for index in [0, 4, 6] { #expect(seen[index].key == nil && seen[index].payload == packet && seen[index].name == "bytes") }
  }

  @Test func usesAKeyThatTheProfileNames() throws {
    let text = """
      profile: t
      keys: {k: {bytes: 16, default: "000102030405060708090a0b0c0d0e0f"}}
      characteristics: {a: {uuid: 2a19, write: text, framing: [{decrypt: {cipher: aes-ctr, key: _key.k, nonce: [1], over: [1]}}]}}
      """
    let set = try set(text)
    #expect(try feed(set, "t", "a", [[1, 2, 3]], direction: .write).map(\.status) == [.likelyOpened])
    #expect(try feed(set.with(.none), "t", "a", [[1, 2, 3]], direction: .write).map(\.status) == [.keyMissing])
  }

  /// Packets that are encrypted separately, with messages that span several of them.
  @Test func joinsWhatPacketsHaveEncrypted() throws {
    let text = """
      profile: t
      keys: {k: {bytes: 16}}
      characteristics:
        a: {uuid: 2a19, write: text, framing: [{decrypt: {cipher: aes-ctr, key: _key.k, nonce: "[_payload[0]].as<bytes>", over: [1]}}, {fragments: {header: h, first: part == 0, last: part == 1}}]}
      types: {h: {seq: [{id: counter, type: u1}, {id: part, type: u1}]}}
      """
    let key = [UInt8](repeating: 3, count: 16)
    let cipher = try #require(MessageCipher(.ctr, key: key))
    let packets = try [[0, 0x68, 0x65], [1, 0x79]].enumerated().map { number, plain in
      [UInt8(number)] + (try cipher.encrypt(plain.map { UInt8($0) }, .init(nonce: [UInt8(number)])).bytes)
    }
    let opened = try feed(try set(text, keys(("t", "k", key, nil))), "t", "a", packets, direction: .write)
    #expect(opened.map(\.payload) == [Array("hey".utf8)] && opened[0].status.isOpened)
    let closed = try feed(try set(text), "t", "a", packets, direction: .write)
    #expect(closed.map(\.payload) == packets && closed.allSatisfy { $0.status == .keyMissing })
  }

  /// Offsets that a message gives may be any number.
  @Test(arguments: [
    "[0, length]", "[length]", "[-length]", "[length, -length]", "[0, 0 - length]", "[length * length]", "[5, 3]", "[0, missing.x]",
  ])
  func hostilePlacesAreRefused(_ over: String) throws {
    let text = """
      profile: t
      keys: {k: {bytes: 16}}
      characteristics: {a: {uuid: 2a19, write: bytes, framing: [{decrypt: {header: h, cipher: aes-ccm, key: _key.k, nonce: "[1, 2, 3, 4, 5, 6, 7]", over: [\(over.dropFirst().dropLast().split(separator: ", ").map { "\"\($0)\"" }.joined(separator: ", "))], tag: ["length / 2", "length / 2 + 4"]}}]}}
      types: {h: {seq: [{id: length, type: s8le}, {id: missing, type: m, if: length == 5}]}, m: {seq: [{id: x, type: u1}]}}
      """
    let set = try set(text, keys(("t", "k", [UInt8](repeating: 0, count: 16), nil)))
    for number in [0, 1, 8, 100, -1, Int64.max, Int64.min, 1 << 31, -(1 << 40), 1 << 24] {
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> Int64(8 * $0)) } + [UInt8](repeating: 0x55, count: 9)
      let seen = try feed(set, "t", "a", [bytes], direction: .write)
      #expect(seen.count == 1 && seen[0].status.isClosed && seen[0].payload == bytes)
    }
  }

  /// During its trial a profile's encrypted messages do not count for or against it, unless a tag proves them.
  @Test func probationWaitsForWhatAKeyProves() throws {
    let text = """
      profile: t
      keys: {k: {bytes: 16}}
      match: {services: [fff0]}
      characteristics: {a: {uuid: fff1, notify: text, framing: [{decrypt: {cipher: aes-ccm, key: _key.k, nonce: [1, 2, 3, 4, 5, 6, 7], over: [0, -4], tag: [-4]}}]}}
      """
    let key = [UInt8](repeating: 3, count: 16)
    let cipher = try #require(MessageCipher(.ccm, key: key))
    let values = try (0..<4).map { number -> [UInt8] in
      let sealed = try cipher.encrypt(Array("value \(number)".utf8), .init(nonce: [1, 2, 3, 4, 5, 6, 7]), tagCount: 4)
      return sealed.bytes + sealed.tag
    }
    func messages(_ keys: ProfileKeys) throws -> (count: Int, verdicts: [Bool]) {
      let set = try ProfileSet(builtin: false, texts: [(text, "t.yaml", .user)]).with(keys)
      let engine = ProfileEngine(set)
      engine.usesTrials = true
      var facts = PeerFacts()
      facts.services = [try #require(BluetoothUUID("fff0"))]
      let link = engine.connect(facts)
      let slot = engine.slot(link, uuid: BluetoothUUID("fff1"), service: BluetoothUUID("fff0"))
      var count = 0
      for _ in 0..<3 {
        for (frame, value) in values.enumerated() {
          value.withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: frame, time: 0) }
          count += engine.messages.count
        }
      }
      return (count, engine.takeVerdicts().map(\.isConfirmed))
    }
    let opened = try messages(keys(("t", "k", key, nil)))
    #expect(opened.verdicts == [true] && opened.count > 0)
    let closed = try messages(ProfileKeys())
    #expect(closed.verdicts.isEmpty && closed.count == 0)
  }

  @Test func testsOfProfilesSayTheirKeys() throws {
    let text = """
      profile: t
      keys: {k: {bytes: 16}}
      characteristics: {a: {uuid: 2a19, write: text, framing: [{decrypt: {cipher: aes-ctr, key: _key.k, nonce: [1], over: [1]}}]}}
      tests:
        - {characteristic: a, direction: write, keys: {k: "03030303030303030303030303030303"}, packets: ["00416263"], expect: {_encryption: likely opened}, encodes: false}
        - {characteristic: a, direction: write, packets: ["00416263"], expect: {_encryption: key missing, _payload: "00416263"}}
        - {characteristic: a, direction: write, packets: ["00416263"], expect: {_encryption: opened}}
      """
    let results = try set(text).test(0)
    #expect(results.map(\.differences.isEmpty) == [true, true, false])
    #expect(results[2].differences.contains { $0.contains("_encryption") && $0.contains("key missing") })
  }

  @Test func neitherKeysNorTheirNamesAreValuesOfMessages() throws {
    let text = """
      profile: t
      keys: {k: {bytes: 16}}
      characteristics: {a: {uuid: 2a19, write: m}}
      types: {m: {seq: [{id: a, type: u1}], instances: {stolen: {value: _key.k}}}}
      """
    #expect(throws: ProfileError.self) { try set(text).profile(0) }
  }
}
