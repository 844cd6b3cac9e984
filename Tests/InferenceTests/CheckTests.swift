@testable import Inference
import PacketCodecs
import TestSupport
import Testing

@Suite struct CheckTests {
  private func messages(_ algorithm: String, _ order: ByteOrder, at: Int? = nil, from: Int = 0, seed: UInt64 = 5, count: Int = 16)
    throws -> [[UInt8]]
  {
    let algorithm = try ChecksumAlgorithm(parsing: algorithm)
    var chance = Chance(seed)
    return (0..<count).map { _ in
      var message = chance.bytes(8 + chance.below(10))
      let size = (algorithm.width + 7) / 8
      let checksum = Checksum(
        algorithm, over: [ByteRange(from: from, to: at == nil ? -size : nil)], at: at ?? -size, byteOrder: order)
      checksum.insert(into: &message)
      return message
    }
  }

  @Test(arguments: [
    "CRC-16/MODBUS", "CRC-16/XMODEM", "sum8", "xor8", "sum8-twos", "CRC-8/SMBUS", "CRC-32/ISO-HDLC", "fletcher-16", "fletcher-16-mod256",
  ])
  func atTheEnd(_ name: String) throws {
    for order in ByteOrder.allCases {
      let found = infer(stream(try messages(name, order)))
      let check = try #require(found.framing.check, "\(name)")
      #expect(check.checksum.algorithm.name == name && check.confidence >= 0.9 && check.verified == check.of)
      #expect(check.checksum.position == -check.checksum.byteCount)
    }
  }

  @Test func checksumBehindAMarker() throws {
    let found = infer(stream(try messages("CRC-16/IBM-3740", .big, from: 2)))
    let check = try #require(found.framing.check)
    #expect(check.checksum.coverage.first?.from == 2)
  }

  /// The catalogue has neither the polynomial nor the initial value of these CRCs: both are inferred from the messages.
  @Test(arguments: [
    "crc(width=16 poly=0x1021 init=0x1234 refin=false refout=false xorout=0x5a5a)",
    "crc(width=8 poly=0x83 init=0x11 refin=false refout=false xorout=0x0)",
    "crc(width=16 poly=0xa7d3 init=0xbeef refin=true refout=true xorout=0x102)",
    "crc(width=32 poly=0x12345679 init=0xffffffff refin=false refout=false xorout=0x0)",
  ])
  func inNoCatalogue(_ name: String) throws {
    for order in ByteOrder.allCases {
      let found = infer(stream(try messages(name, order, seed: 61, count: 40)))
      let check = try #require(found.framing.check, "\(name) \(order)")
      #expect(check.checksum.algorithm.name == name && check.confidence >= 0.9 && check.verified == check.of)
      #expect(check.checksum.byteCount == 1 || check.checksum.byteOrder == order)
    }
  }

  /// A copy of one byte or of two is no CRC of an unknown polynomial; nor are counters that advance together.
  @Test func copiesAreNoCRC() {
    for seed in 1...6 {
      var chance = Chance(UInt64(seed) + 400)
      let messages = (0..<60).map { index -> [UInt8] in
        let number = UInt8(index)
        let a = chance.bytes(2)
        return seed % 2 == 0 ? [0x11, a[0], a[1], number, a[0], a[1]] : [0x11, number, a[0], a[1], a[0], a[0], a[1], number]
      }
      let check = infer(stream(messages)).framing.check
      #expect(check.map { $0.checksum.algorithm.name.hasPrefix("crc(") } != true, "\(seed) \(check?.checksum.algorithm.name ?? "")")
    }
  }

  @Test(arguments: [0, 3]) func inFrontAndInTheMiddle(_ at: Int) throws {
    let algorithm = try ChecksumAlgorithm(parsing: "CRC-16/MODBUS")
    var chance = Chance(62)
    let messages = (0..<40).map { _ -> [UInt8] in
      var message = chance.bytes(7 + chance.below(8))
      // Over all bytes but the CRC's own.
      let value = algorithm.value(of: message.span.bytes)
      message.insert(contentsOf: [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)], at: at)
      return message
    }
    let check = try #require(infer(stream(messages)).framing.check)
    #expect(check.checksum.algorithm.name == "CRC-16/MODBUS" && check.checksum.position == at && check.verified == 40)
  }

  @Test func checksumOfEachPacket() throws {
    let algorithm = try ChecksumAlgorithm(parsing: "sum8")
    var chance = Chance(63)
    let found = infer(
      burst(
        (0..<40).map { number in
          let parts = cut(chance.bytes(10 + chance.below(50)), 15)
          return parts.enumerated().map { index, part -> [UInt8] in
            var packet = [0xaa, UInt8(number), UInt8(parts.count), UInt8(index)] + part + [0]
            Checksum(algorithm, over: [ByteRange(from: 0, to: -1)]).fill(&packet)
            return packet
          }
        }))
    let check = try #require(found.framing.check)
    #expect(found.framing.kind == .fragments && check.isPerPacket && check.checksum.algorithm.name == "sum8")
  }

  /// DLE STX, DLE ETX, and DLE doubled between them.
  @Test func escapesThatDoubleAByte() throws {
    var chance = Chance(64)
    let messages = (0..<80).map { _ -> [UInt8] in
      var body = (0..<(5 + chance.below(6))).map { _ in chance.below(6) == 0 ? 0x10 : chance.byte() }
      body.append(body.reduce(0, &+))
      return [0x10, 0x02] + body.flatMap { $0 == 0x10 ? [$0, $0] : [$0] } + [0x10, 0x03]
    }
    let found = infer(stream(messages))
    #expect(found.framing.escape?.rule == .doubled(0x10) && found.framing.start == [0x10, 0x02] && found.framing.end == [0x10, 0x03])
    let check = try #require(found.framing.check)
    #expect(check.checksum.algorithm.name == "sum8" && check.verified == 80)
    let profile = ProfileWriter.profile(of: found, name: "inferred")
    #expect(profile.contains("strip: {prefix: [0x10, 0x02], suffix: [0x10, 0x03]}") && profile.contains("unescape: {dle: 0x10}"))
  }

  @Test(arguments: [ByteEscape.cobs, .slip, .hdlc()]) func namedEscapes(_ rule: ByteEscape) throws {
    let algorithm = try ChecksumAlgorithm(parsing: "CRC-16/KERMIT")
    var chance = Chance(65)
    let messages = (0..<50).map { index -> [UInt8] in
      var body =
        [UInt8(index)] + (0..<(5 + chance.below(9))).map { _ in [0, 0xc0, 0xdb, 0x7e, 0x7d, chance.byte()][chance.below(6)] } + [0, 0]
      Checksum(algorithm, over: [ByteRange(from: 0, to: -2)], byteOrder: .little).fill(&body)
      var escaped: [UInt8] = []
      unsafe rule.encode(body.span.bytes, into: &escaped)
      return switch rule {
      case .cobs: escaped + [0]
      case .slip: [0xc0] + escaped + [0xc0]
      default: [0x7e] + escaped + [0x7e]
      }
    }
    let found = infer(stream(messages))
    #expect(found.framing.escape?.rule == rule)
    #expect(found.framing.check?.checksum.algorithm.name == "CRC-16/KERMIT" && found.framing.check?.verified == 50)
  }

  /// With a delimiter in front, too, and cut into values: the byte behind the delimiter belongs to the escaped part, though it never changes.
  @Test func escapesBetweenDelimiters() throws {
    var chance = Chance(66)
    let messages = (0..<30).map { _ -> [[UInt8]] in
      let body = withCRC([0x11, 0] + chance.bytes(20 + chance.below(30)))
      var escaped: [UInt8] = []
      unsafe ByteEscape.cobs.encode(body.span.bytes, into: &escaped)
      return cut([0] + escaped + [0], 20)
    }
    let found = infer(burst(messages, direction: "write"))
    #expect(found.framing.escape?.rule == .cobs && found.framing.check != nil)
    let profile = ProfileWriter.profile(of: found, name: "inferred")
    #expect(profile.contains("stream: {start: [0x00], end: [0x00]}"), "\(profile)")
  }

  /// All bytes of the messages change together: a checksum fits all three, which proves nothing.
  @Test func aPatternIsNoChecksum() {
    let messages = (0..<3).map { number in (0..<60).map { index in UInt8(truncatingIfNeeded: number * 17 + max(0, index - 1) * 5) } }
    #expect(infer(stream(messages, direction: "write")).framing.check == nil)
  }

  @Test func checksumOfAJoinedMessage() throws {
    let whole = try messages("CRC-16/ARC", .little, seed: 9).map { [0xaa, 0x55] + $0 + $0 }
    var cutUp: [[[UInt8]]] = []
    for var message in whole {
      let checksum = Checksum(try ChecksumAlgorithm(parsing: "CRC-16/ARC"), over: [ByteRange(from: 0, to: -2)], byteOrder: .little)
      checksum.fill(&message)
      cutUp.append(cut(message, 20))
    }
    let found = infer(burst(cutUp))
    #expect(found.framing.kind == .stream && found.messages == whole.count)
    #expect(found.framing.check?.checksum.algorithm.name == "CRC-16/ARC")
  }

  @Test func checksumOnlyInLongMessages() throws {
    // As in firmware updates: commands of two bytes have no checksum, blocks of eighteen have one.
    let checksum = Checksum(try ChecksumAlgorithm(parsing: "CRC-16/MODBUS"), over: [ByteRange(from: 0, to: -2)], byteOrder: .little)
    var chance = Chance(31)
    var messages: [[UInt8]] = []
    for index in 0..<60 {
      messages.append([UInt8(index % 3), 0xff])
      var block = [UInt8(index), 0] + chance.bytes(16)
      checksum.fill(&block)
      messages.append(block)
    }
    let found = infer(stream(messages, direction: "write"))
    let check = try #require(found.framing.check)
    #expect(check.checksum.algorithm.name == "CRC-16/MODBUS")
    #expect((check.shortest, check.verified, check.of) == (18, 60, 60), "\(check)")
  }

  /// As with a power station: messages for one of its parts are MODBUS with its CRC, the others are encrypted or have none.
  @Test(arguments: ["write", "notify"]) func onlyInSomeKinds(_ direction: String) throws {
    var chance = Chance(35)
    let messages: [[UInt8]] = (0..<90).map { index in
      switch index % 5 {
      case 0, 2: withCRC([0x01, 0x03, 0x00, UInt8(chance.below(40)), 0x00, UInt8(1 + chance.below(30))])
      case 3: withCRC([0x01, 0x06, 0x0b] + chance.bytes(3))
      case 1: [0x2a, 0x2a, 0x04] + chance.bytes(4 + chance.below(6))
      default: [0x5c, UInt8(index)] + chance.bytes(9)
      }
    }
    let found = infer(stream(messages, direction: direction))
    let check = try #require(found.framing.check)
    #expect(check.checksum.algorithm.name == "CRC-16/MODBUS" && check.confidence >= 0.9)
    #expect(check.condition?.offset == 0 && check.condition?.values == [0x01], "\(check)")
    #expect((check.verified, check.of) == (54, 54), "\(check)")
    #expect(ResultJSON.text([found]).contains(#""where":{"offset":0,"values":["01"]}"#))
    // Kinds with the checksum have a field for it, the others have none.
    for kind in found.fields where !kind.examples.isEmpty {
      #expect(kind.fields.contains { $0.type == .checksum } == (kind.examples[0][0] == 0x01), "\(kind)")
    }
    #expect(ProfileWriter.profile(of: found, name: "inferred").contains(#"when: "_payload.length >= 1 and _payload[0] == 0x01""#))
  }

  /// A checksum of the other direction is confirmed in the messages of some kinds, even if there are few.
  @Test func checksumOfTheOtherDirectionInSomeKinds() throws {
    var chance = Chance(36)
    let answers = (0..<60).map { _ in withCRC([0x01] + chance.bytes(5 + chance.below(6))) }
    let requests: [[UInt8]] = (0..<40).map { index in
      index % 4 == 0 ? withCRC([0x01, UInt8(index)] + chance.bytes(4)) : [0x77 &+ UInt8(index % 3)] + chance.bytes(7)
    }
    let found = Inference.run([stream(requests, direction: "write"), stream(answers)])
    let check = try #require(found[0].framing.check)
    #expect(check.checksum.algorithm.name == "CRC-16/MODBUS" && check.condition?.values == [0x01] && check.of == 10, "\(check)")
  }

  /// With more sources than any device has, checksums are searched in those with most messages; for the others a note says so, and a checksum of
  /// another source of the same device is still confirmed.
  @Test func soManySourcesThatNotAllAreSearched() {
    var chance = Chance(38)
    let streams = (0..<40).map { number in
      let messages = (0..<(number < 4 ? 12 : 6)).map { _ in withCRC([0x01] + chance.bytes(6 + chance.below(3))) }
      var source = StreamSource(.characteristics, direction: "notify")
      (source.handle, source.peer) = (number + 1, number < 4 || number == 39 ? "c0:ff:ee:00:00:01" : "c0:ff:ee:00:01:\(number)")
      var stream = ValueStream(source)
      for (index, message) in messages.enumerated() { stream.append(message, at: Int64(index) * 1_000_000) }
      return stream
    }
    var context = InferenceContext()
    context.maxSearched = 20
    let found = Inference.run(streams, context)
    let isReported = found.map { $0.notes.contains { $0.contains("were not searched for") } }
    #expect(found[..<20].allSatisfy { $0.framing.check?.checksum.algorithm.name == "CRC-16/MODBUS" } && !isReported[..<20].contains(true))
    #expect(found[20..<39].allSatisfy { $0.framing.check == nil })
    for (index, findings) in found[20..<39].enumerated() { #expect(isReported[20 + index] == (findings.messages >= 3), "\(findings)") }
    #expect(isReported[20..<39].count { $0 } > 12)
    #expect(found[39].framing.check?.checksum.algorithm.name == "CRC-16/MODBUS" && !isReported[39])
  }

  /// Where nothing distinguishes messages with a checksum from those without, none is claimed.
  @Test func noByteTellsWhichMessagesHaveAChecksum() {
    var chance = Chance(37)
    let messages = (0..<80).map { index in
      let body = [0x10, 0x20, UInt8(chance.below(3))] + chance.bytes(6)
      return index % 2 == 0 ? withCRC(body) : body + chance.bytes(2)
    }
    #expect(infer(stream(messages)).framing.check.map { $0.confidence < 0.9 } ?? true)
  }

  @Test func checksumOverASingleByte() throws {
    let algorithm = try ChecksumAlgorithm(parsing: "CRC-16/IBM-3740")
    var chance = Chance(32)
    let messages = (0..<60).map { index in
      var message = [0x55, 0xaa, UInt8(index), 0, 1, 2, 0, 0, 0, 0, chance.byte()]
      Checksum(algorithm, over: [ByteRange(from: 10)], at: 8, byteOrder: .little).insert(into: &message)
      return message
    }
    let check = try #require(infer(stream(messages)).framing.check)
    #expect(check.checksum.position == 8 && check.checksum.coverage.first?.from == 10 && check.verified == 60)
  }

  @Test(arguments: [(UInt8(0x3e), UInt8(0x3c), UInt8(0x3d), UInt8(0x10)), (0xf1, 0xf2, 0xf3, 0xf0), (0x3a, 0x0d, 0x1b, 0x80)])
  func behindEscapes(_ start: UInt8, _ end: UInt8, _ escape: UInt8, _ mask: UInt8) throws {
    let rule = ByteEscape.xored(escape: escape, mask: mask, bytes: [start, end])
    var chance = Chance(33)
    let messages = (0..<80).map { _ in
      var body = (0..<(6 + chance.below(6))).map { _ in chance.below(8) == 0 ? [start, end, escape][chance.below(3)] : chance.byte() }
      body.append(body.reduce(0, &+))
      var escaped: [UInt8] = []
      unsafe rule.encode(body.span.bytes, into: &escaped)
      return [start] + escaped + [end]
    }
    let found = infer(stream(messages, direction: "write"))
    #expect(found.framing.escape?.rule == rule)
    let check = try #require(found.framing.check)
    #expect(check.checksum.algorithm.name == "sum8" && check.verified == 80)
  }

  /// Long frames that are mostly zeros have very many ranges with equal checksums.
  @Test func longFramesOfZerosTakeNoLongerThanOthers() {
    var chance = Chance(34)
    let messages = (0..<120).map { index in
      [0x0d, UInt8(index)] + [UInt8](repeating: 0, count: 60) + chance.bytes(12) + [UInt8](repeating: 0, count: 155)
    }
    let seconds = processorTime { #expect(infer(stream(messages)).framing.check == nil) }
    #expect(seconds < 60)
  }

  @Test func randomBytes() {
    for seed in 1...4 {
      var chance = Chance(UInt64(seed) + 100)
      let found = infer(stream((0..<24).map { _ in chance.bytes(6 + chance.below(8)) }))
      #expect((found.framing.check?.confidence ?? 0) < 0.9)
    }
  }

  @Test func aCopyIsNoSum() {
    var chance = Chance(4)
    let found = infer(
      stream(
        (0..<40).map { _ in
          let byte = chance.byte()
          return [0x00, byte, 0x00, 0x00, byte]
        }))
    #expect((found.framing.check?.confidence ?? 0) < 0.9)
  }
}
