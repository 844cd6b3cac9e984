import PacketCodecs
import TestSupport
import Testing

private func cut(
  _ rules: StreamRules, _ packets: [[UInt8]], times: [Int64] = [], expectedTotal: Int? = nil, finish: Bool = true,
  length: ((RawSpan) -> StreamLength)? = nil
) -> [Delivery] {
  var framer = StreamFramer(rules)
  framer.expectedTotal = expectedTotal
  var described: [Delivery] = []
  for (index, packet) in packets.enumerated() {
    framer.push(
      packet.span.bytes, tag: UInt64(index + 1), time: index < times.count ? times[index] : 0, length: length ?? { _ in .unknown }
    ) { described.append(Delivery($0)) }
  }
  if finish { framer.finish { described.append(Delivery($0)) } }
  return described
}

private func rules(_ change: (inout StreamRules) -> Void) -> StreamRules {
  var rules = StreamRules()
  change(&rules)
  return rules
}

/// Frames of `aa`, the length of the payload, the payload.
private let marked = rules { $0.starts = [[0xaa]] }
private func secondByte(_ bytes: RawSpan) -> StreamLength {
  bytes.byteCount < 2 ? .needs(2) : .total(2 + Int(bytes.unsafeLoad(fromByteOffset: 1, as: UInt8.self)))
}

@Suite struct StreamFramerTests {
  @Test func messageInOnePacketAndAcrossPackets() {
    let described = cut(marked, ["aa02 0102", "aa", "03", "01 02", "03 aa 00 aa 01"].map(hex), length: secondByte)
    #expect(
      described == [
        Delivery(.message, hex("aa020102"), [1]), Delivery(.message, hex("aa03010203"), [2, 3, 4, 5]), Delivery(.message, hex("aa00"), [5]),
        Delivery(.partial, hex("aa01"), [5]),
      ])
    #expect(described[2].pieces == [MessagePiece(tag: 5, packetOffset: 1, messageOffset: 0, count: 2)])
    #expect(described[3].problems == [ReassemblyProblem(.unfinished, tag: 5, expected: 3, found: 2)])
  }

  @Test func garbageIsSkippedAndReported() {
    let described = cut(marked, ["01 02", "03 aa 01 05 06", "07 aa 00"].map(hex), length: secondByte)
    #expect(
      described == [
        Delivery(.unjoined, [1, 2], [1]), Delivery(.unjoined, [3], [2]), Delivery(.message, hex("aa0105"), [2]),
        Delivery(.unjoined, [6], [2]),
        Delivery(.unjoined, [7], [3]), Delivery(.message, hex("aa00"), [3]),
      ])
  }

  @Test func headerInsideAPayload() {
    // A marker within the declared length restarts only if the rules say so.
    let packets = ["aa04 01", "aa00 02"].map(hex)
    #expect(cut(marked, packets, length: secondByte) == [Delivery(.message, hex("aa0401aa0002"), [1, 2])])
    let atStart = rules {
      $0.starts = [[0xaa]]
      $0.restart = .atPacketStart
    }
    #expect(
      cut(atStart, packets, length: secondByte) == [
        Delivery(.partial, hex("aa0401"), [1]), Delivery(.message, hex("aa00"), [2]), Delivery(.unjoined, [2], [2]),
      ])
    let anywhere = rules {
      $0.starts = [[0xaa]]
      $0.restart = .anywhere
    }
    #expect(
      cut(anywhere, [hex("aa04 01 aa01"), hex("09")], length: secondByte) == [
        Delivery(.partial, hex("aa0401"), [1]), Delivery(.message, hex("aa0109"), [1, 2]),
      ])
  }

  @Test func endMarkerVerifiedAndSearched() {
    let ended = rules {
      $0.starts = [hex("5555")]
      $0.ends = [hex("aaaa")]
    }
    func fourth(_ bytes: RawSpan) -> StreamLength {
      bytes.byteCount < 4 ? .needs(4) : .total(7 + Int(bytes.unsafeLoad(fromByteOffset: 3, as: UInt8.self)))
    }
    // niimbot: 55 55, command, length, data, checksum, aa aa; two in one value, then one with a wrong end.
    let packets = ["5555 d9 01 01 d9 aaaa 5555 d9 00 d9 aaaa", "5555 d9 01 01 d9 aabb", "5555 d9 00 d9 aaaa"].map(hex)
    let described = cut(ended, packets, length: fourth)
    #expect(
      described == [
        Delivery(.message, hex("5555d90101d9aaaa"), [1]), Delivery(.message, hex("5555d900d9aaaa"), [1]),
        Delivery(.unjoined, hex("5555d90101d9aabb"), [2]), Delivery(.message, hex("5555d900d9aaaa"), [3]),
      ])
    #expect(described[2].problems.map(\.kind) == [.badEnd])
    let lines = rules { $0.ends = [ascii("\r\n"), ascii("\n")] }
    #expect(
      cut(lines, ["one\r", "\ntwo\nthr", "ee"].map(ascii)) == [
        Delivery(.message, ascii("one\r\n"), [1, 2]), Delivery(.message, ascii("two\n"), [2]), Delivery(.partial, ascii("three"), [2, 3]),
      ])
  }

  @Test func flagsThatStartAndEnd() {
    // HDLC: one flag may end a frame and start the next; there is no frame between two adjacent flags.
    let flags = rules {
      $0.starts = [[0x7e]]
      $0.ends = [[0x7e]]
    }
    #expect(
      cut(flags, [hex("7e 7e 0102 7e"), hex("7e 03"), hex("7e")]) == [
        Delivery(.padding, [0x7e], [1]), Delivery(.message, hex("7e01027e"), [1]), Delivery(.message, hex("7e037e"), [2, 3]),
      ])
  }

  @Test func zeroDelimitedWithPadding() {
    // COBS between zeros, as Garmin's GFDI sends it.
    let zeros = rules {
      $0.ends = [[0]]
      $0.padding = 0
    }
    #expect(
      cut(zeros, ["00 0211 02", "22 00", "00 03 00"].map(hex)) == [
        Delivery(.padding, [0], [1]), Delivery(.message, hex("0211022200"), [1, 2]), Delivery(.padding, [0], [3]),
        Delivery(.message, hex("0300"), [3]),
      ])
  }

  @Test func noiseAndPrefixes() {
    let noisy = rules {
      $0.starts = [hex("55aaeb90"), hex("aa5590eb")]
      $0.prefixes = [[3]]
      $0.noise = [ascii("AT\r\n")]
      $0.fixedTotal = 6
    }
    let described = cut(noisy, [ascii("AT\r\n"), hex("03 55aaeb90 01"), ascii("AT\r\n") + [2], hex("aa5590eb 0506 41")])
    #expect(
      described == [
        Delivery(.padding, ascii("AT\r\n"), [1]), Delivery(.padding, [3], [2]), Delivery(.padding, ascii("AT\r\n"), [3]),
        Delivery(.message, hex("55aaeb900102"), [2, 3]), Delivery(.message, hex("aa5590eb0506"), [4]), Delivery(.unjoined, [0x41], [4]),
      ])
    #expect(described[3].pieces.last == MessagePiece(tag: 3, packetOffset: 4, messageOffset: 5, count: 1))
  }

  @Test func surplusOfAPacket() {
    func surplus(_ policy: SurplusPolicy) -> [Delivery] {
      cut(
        rules {
          $0.starts = [[0xaa]]
          $0.onSurplus = policy
        }, [hex("aa01"), hex("05 0708")], length: secondByte)
    }
    #expect(surplus(.next) == [Delivery(.message, hex("aa0105"), [1, 2]), Delivery(.unjoined, [7, 8], [2])])
    #expect(surplus(.trim) == [Delivery(.message, hex("aa0105"), [1, 2])])
    #expect(surplus(.trim)[0].surplus == 2)
    #expect(surplus(.keep) == [Delivery(.message, hex("aa01050708"), [1, 2])])
    #expect(surplus(.error) == [Delivery(.partial, hex("aa0105"), [1, 2]), Delivery(.unjoined, [7, 8], [2])])
  }

  @Test func lengthFromTheRequestAndSilence() {
    let quiet = rules { $0.idle = 500_000 }
    // The rest of an older response, a pause, then the response of 4 bytes; the next one is not announced.
    let described = cut(quiet, [[1, 2], [3, 4], [5, 6], [7]], times: [0, 900_000, 950_000, 960_000], expectedTotal: 4)
    #expect(described == [Delivery(.partial, [1, 2], [1]), Delivery(.message, [3, 4, 5, 6], [2, 3]), Delivery(.partial, [7], [4])])
    #expect(described[0].problems == [ReassemblyProblem(.idle, tag: 1, expected: 4, found: 2)])
    let lines = rules {
      $0.idle = 500
      $0.onIdle = .complete
    }
    #expect(cut(lines, [[1], [2], [3]], times: [0, 100, 900]) == [Delivery(.message, [1, 2], [1, 2]), Delivery(.message, [3], [3])])
  }

  /// A slow link: the rest of a message that announced its length arrives after the idle time.
  @Test func theRestComesLate() {
    var slow = rules { $0.idle = 500 }
    slow.starts = [[0xaa]]
    slow.ends = [[0xbb]]
    let length: (RawSpan) -> StreamLength = { $0.byteCount < 2 ? .needs(2) : .total(Int($0.unsafeLoad(fromByteOffset: 1, as: UInt8.self))) }
    #expect(
      cut(slow, [hex("aa0601"), hex("0203bb")], times: [0, 900], length: length) == [Delivery(.message, hex("aa06010203bb"), [1, 2])])
    // Too few bytes, another message, or another end marker: these are not the rest.
    for (rest, kind) in [("02bb", Reassembled.Kind.unjoined), ("aa03bb", .message), ("020304", .unjoined)] {
      let described = cut(slow, [hex("aa0601"), hex(rest)], times: [0, 900], length: length)
      #expect(described == [Delivery(.partial, hex("aa0601"), [1]), Delivery(kind, hex(rest), [2])], "\(rest)")
    }
    // After four times the idle time the message is reported as partial.
    var framer = StreamFramer(slow)
    var kinds: [Reassembled.Kind] = []
    framer.push(hex("aa0601").span.bytes, tag: 1, time: 0, length: length) { kinds.append($0.kind) }
    framer.flush(now: 1900) { kinds.append($0.kind) }
    #expect(kinds.isEmpty)
    framer.flush(now: 2100) { kinds.append($0.kind) }
    #expect(kinds == [.partial])
  }

  @Test func impossibleLengths() {
    for length in [StreamLength.total(0), .total(-5), .total(.max), .needs(.max), .bad] {
      let described = cut(marked, [hex("aa0102aa")], length: { _ in length })
      #expect(described == [Delivery(.unjoined, hex("aa0102aa"), [1])], "\(length)")
    }
    let packetwise = rules { $0.resync = .packet }
    #expect(
      cut(packetwise, [[0xff, 1, 0], [0, 1]]) { bytes in
        let first = bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
        return first == 0xff ? .bad : .total(Int(first) + 2)
      } == [Delivery(.unjoined, [0xff, 1, 0], [1]), Delivery(.message, [0, 1], [2])])
  }

  @Test func boundedWithoutAnEnd() {
    let endless = rules {
      $0.starts = [[0xaa]]
      $0.ends = [[0xbb]]
      $0.maximum = 100
    }
    var framer = StreamFramer(endless)
    var unjoined = 0
    for tag in 0..<1000 {
      framer.push([UInt8](repeating: 0xaa, count: 20).span.bytes, tag: UInt64(tag)) { unjoined += $0.bytes.byteCount }
      #expect(framer.pendingBytes <= 120)
    }
    #expect(unjoined + framer.pendingBytes == 20_000)
  }

  /// The cost of a message of many tiny packets is proportional to its bytes: with quadratic work this would take minutes.
  @Test func manyTinyPackets() {
    var rules = StreamRules()
    rules.fixedTotal = 60_000
    var framer = StreamFramer(rules)
    var messages = 0
    let seconds = processorTime {
      for tag in 0..<120_000 {
        framer.push([UInt8(1)].span.bytes, tag: UInt64(tag)) { messages += $0.isComplete && $0.tags.count == 60_000 ? 1 : 0 }
      }
    }
    #expect(messages == 2 && seconds < 60)
  }

  /// Whatever the packet boundaries, the messages are the same, and their pieces refer to their bytes.
  @Test(arguments: SeededGenerator.seeds)
  func packetBoundariesDoNotMatter(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<200 {
      var stream: [UInt8] = []
      var expected: [[UInt8]] = []
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        // Garbage without a marker, then a message whose payload may contain one.
        stream += random.bytes(Int.random(in: 0...3, using: &random)).map { $0 & 0x7f }
        let payload = (0..<Int.random(in: 0...30, using: &random)).map { _ in hex("aa0105").randomElement(using: &random) ?? 0 }
        expected.append([0xaa, UInt8(payload.count)] + payload)
        stream += expected[expected.count - 1]
      }
      var packets: [[UInt8]] = []
      var rest = stream[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...12, using: &random)
        packets.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      let described = cut(marked, packets, length: secondByte)
      #expect(described.filter { $0.kind == .message }.map(\.bytes) == expected, "\(random), round \(round)")
      #expect(described.flatMap(\.bytes) == stream, "\(random), round \(round)")
      for event in described {
        #expect(event.pieces.flatMap { packets[Int($0.tag) - 1][$0.packetOffset..<($0.packetOffset + $0.count)] } == event.bytes)
        #expect(Set(event.pieces.map(\.tag)) == Set(event.tags))
      }
    }
  }

  /// Whatever the rules and bytes, nothing traps, and every byte is returned once.
  @Test(arguments: SeededGenerator.seeds)
  func garbageIsAccountedFor(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<400 {
      var rules = StreamRules()
      func flip() -> Bool { Bool.random(using: &random) }
      if flip() { rules.starts = flip() ? [[1]] : [[1, 2], [2]] }
      if flip() { rules.ends = flip() ? [[1]] : [[3, 1], [0, 0]] }
      if flip() { rules.prefixes = [[3]] }
      if flip() { rules.noise = [[0, 3], []] }
      if flip() { rules.padding = 0 }
      if flip() { rules.fixedTotal = Int.random(in: -1...9, using: &random) }
      if flip() { rules.idle = 5 }
      if flip() { rules.onIdle = .complete }
      rules.restart = [.never, .atPacketStart, .anywhere].randomElement(using: &random) ?? .never
      rules.resync = flip() ? .marker : .packet
      rules.onBadEnd = flip() ? .resync : .deliver
      rules.onSurplus = [.trim, .next, .keep, .error].randomElement(using: &random) ?? .next
      rules.maximum = Int.random(in: 0...20, using: &random)
      let decides = flip()
      var framer = StreamFramer(rules)
      if flip() { framer.expectedTotal = Int.random(in: -1...9, using: &random) }
      var pushed = 0
      var came = 0
      func take(_ message: Reassembled) {
        came += message.bytes.byteCount + message.surplus
        #expect(message.pieces.indices.reduce(0) { $0 + message.pieces[$1].count } == message.bytes.byteCount)
        let count = message.tags.count
        #expect(count > 0)
      }
      for tag in 0..<30 {
        let packet = (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random) }
        pushed += packet.count
        framer.push(packet.span.bytes, tag: UInt64(tag), time: Int64(random.next() % 20)) { bytes in
          guard decides else { return .unknown }
          let first = Int(bytes.unsafeLoad(fromByteOffset: bytes.byteCount - 1, as: UInt8.self))
          return [StreamLength.needs(bytes.byteCount + 1), .total(first + 1), .unknown, .bad][first]
        } deliver: {
          take($0)
        }
      }
      framer.finish(deliver: take)
      #expect(pushed == came, "\(random), round \(round)")
    }
  }
}
