import PacketCodecs
import Testing

@Suite struct FragmenterTests {
  @Test func goProPackets() throws {
    // Open GoPro BLE specification, the example of a message of 50 bytes.
    let message = (1...50).map { UInt8($0) }
    var packets: [[UInt8]] = []
    try Fragmenter(packetSize: 20).fragment(message.span.bytes) { context, header in
      if context.isFirst {
        header += [0x20 | UInt8(context.total >> 8), UInt8(context.total & 0xff)]
      } else {
        header.append(0x80 | UInt8((context.index - 1) % 16))
      }
    } emit: {
      packets.append($0)
    }
    #expect(
      packets == [
        hex("20320102030405060708090a0b0c0d0e0f101112"), hex("80131415161718191a1b1c1d1e1f202122232425"),
        hex("81262728292a2b2c2d2e2f303132"),
      ])
  }

  @Test func headersThatNeedTheCount() throws {
    // The number of fragments as a varint in every header: with more than 127 fragments headers become longer, and so the number of fragments grows.
    let message = [UInt8](repeating: 7, count: 128 * 8)
    var packets: [[UInt8]] = []
    try Fragmenter(packetSize: 10).fragment(message.span.bytes) { context, header in
      header.append(UInt8(context.payload))
      Varint.append(UInt64(context.count), to: &header)
    } emit: {
      packets.append($0)
    }
    #expect(packets.count == 147)
    #expect(packets.allSatisfy { $0.count <= 10 && Array($0[1...2]) == [0x93, 0x01] })
    #expect(packets.reduce(0) { $0 + Int($1[0]) } == message.count)
  }

  @Test func trailersAndPadding() throws {
    var packets: [[UInt8]] = []
    try Fragmenter(packetSize: 8, trailer: 2, padding: 0xff).fragment(hex("0102030405060708").span.bytes) { context, header in
      header.append(UInt8(context.index))
    } emit: { packet in
      packet[7] = packet[0]
      packets.append(packet)
    }
    #expect(packets == [hex("0001020304050000"), hex("01060708ffff0001")])
  }

  @Test func whatCannotBe() throws {
    #expect(throws: FragmentError.noRoom(index: 0)) {
      try Fragmenter(packetSize: 2).fragment([1].span.bytes) { _, header in
        header += [1, 2]
      } emit: { _ in
      }
    }
    #expect(throws: FragmentError.tooMany) {
      try Fragmenter(packetSize: 2, maximumFragments: 3).fragment([UInt8](repeating: 0, count: 4).span.bytes) { _, header in
        header.append(0)
      } emit: { _ in
      }
    }
    var packets = 0
    try Fragmenter(packetSize: 5).fragment([UInt8]().span.bytes) { _, header in
      header.append(1)
    } emit: { _ in
      packets += 1
    }
    #expect(packets == 1)
  }

  /// Fragmented messages are reassembled, with any header.
  @Test(arguments: SeededGenerator.seeds)
  func fragmentedIsReassembled(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<300 {
      let message = random.bytes(Int.random(in: 0...400, using: &random))
      let style = round % 5
      var rules = FragmentRules()
      rules.counter = style == 0 ? FragmentRules.Counter(modulo: 16, start: 0) : nil
      rules.ordering = style == 3 ? .byIndex : .sequential
      var fragmenter = Fragmenter(packetSize: Int.random(in: 8...60, using: &random))
      if style == 4 { fragmenter.padding = 0 }
      var fragments: [(FragmentRole, [UInt8])] = []
      var role = FragmentRole()
      try fragmenter.fragment(message.span.bytes) { context, header in
        switch style {
        case 0:
          header = context.isFirst ? [UInt8(context.total >> 8), UInt8(context.total & 0xff)] : [0x80 | UInt8((context.index - 1) % 16)]
          role =
            context.isFirst
            ? FragmentRole(starts: true, total: context.total) : FragmentRole(starts: false, counter: (context.index - 1) % 16)
        case 1:
          header = [1]
          role = FragmentRole(starts: context.isFirst, ends: context.isLast)
        case 2:
          header = [1, 2]
          role = FragmentRole(count: context.isFirst ? context.count : nil, index: context.index)
        case 3:
          header = [1, 2, 3]
          role = FragmentRole(count: context.count, index: context.index)
        default:
          header = [0, 0]
          role = FragmentRole(starts: context.isFirst, ends: context.isLast, total: context.isLast ? context.total : nil)
        }
      } emit: { packet in
        fragments.append((role, Array(packet[(style == 0 ? (role.starts == true ? 2 : 1) : style == 1 ? 1 : style == 3 ? 3 : 2)...])))
      }
      if style == 3 { fragments.shuffle(using: &random) }
      var reassembler = FragmentReassembler(rules)
      var described: [Delivery] = []
      for (index, (role, payload)) in fragments.enumerated() {
        reassembler.push(payload.span.bytes, role: role, tag: UInt64(index)) { described.append(Delivery($0)) }
      }
      #expect(described.map(\.kind) == [.message] && described.first?.bytes == message, "style \(style), \(random), round \(round)")
      #expect(described.first?.tags == fragments.indices.map(UInt64.init), "style \(style), \(random), round \(round)")
      #expect(described.first?.problems.isEmpty == true)
    }
  }
}
