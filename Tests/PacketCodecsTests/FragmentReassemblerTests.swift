import Foundation
import PacketCodecs
import TestSupport
import Testing

/// Feeds (role, payload) in order, tags from 1; returns the results, with those of `finish`.
private func reassemble(
  _ rules: FragmentRules, _ fragments: [(FragmentRole, [UInt8])], times: [Int64] = [], expectedTotal: Int? = nil, finish: Bool = true
) -> [Delivery] {
  var reassembler = FragmentReassembler(rules)
  reassembler.expectedTotal = expectedTotal
  var described: [Delivery] = []
  for (index, (role, payload)) in fragments.enumerated() {
    let time = index < times.count ? times[index] : 0
    reassembler.push(payload.span.bytes, role: role, tag: UInt64(index + 1), time: time) { described.append(Delivery($0)) }
  }
  if finish { reassembler.finish { described.append(Delivery($0)) } }
  return described
}

private func rules(_ change: (inout FragmentRules) -> Void) -> FragmentRules {
  var rules = FragmentRules()
  change(&rules)
  return rules
}

/// The header of a GoPro packet (Open GoPro BLE specification, "Packet Headers"): its role and its length in bytes.
private func goProHeader(_ packet: [UInt8]) -> (FragmentRole, Int)? {
  guard let first = packet.first else { return nil }
  if first & 0x80 != 0 { return (FragmentRole(starts: false, counter: Int(first & 0x0f)), 1) }
  switch first >> 5 {
  case 0: return (FragmentRole(starts: true, total: Int(first & 0x1f)), 1)
  case 1 where packet.count >= 2: return (FragmentRole(starts: true, total: Int(first & 0x1f) << 8 | Int(packet[1])), 2)
  case 2 where packet.count >= 3: return (FragmentRole(starts: true, total: Int(packet[1]) << 8 | Int(packet[2])), 3)
  default: return nil
  }
}

private let goProRules = rules { $0.counter = FragmentRules.Counter(modulo: 16, start: 0) }

@Suite struct FragmentReassemblerTests {
  @Test func announcedTotalEndsAMessage() {
    let described = reassemble(
      FragmentRules(),
      [
        (FragmentRole(starts: true, total: 5), [1, 2]), (FragmentRole(starts: false), [3, 4]), (FragmentRole(starts: false), [5]),
        (FragmentRole(starts: true, total: 1), [9]),
      ])
    #expect(described == [Delivery(.message, [1, 2, 3, 4, 5], [1, 2, 3]), Delivery(.message, [9], [4])])
    #expect(
      described[0].pieces == [
        MessagePiece(tag: 1, packetOffset: 0, messageOffset: 0, count: 2),
        MessagePiece(tag: 2, packetOffset: 0, messageOffset: 2, count: 2),
        MessagePiece(tag: 3, packetOffset: 0, messageOffset: 4, count: 1),
      ])
  }

  @Test func segmentationCodes() {
    // Mesh Profile 6.6: complete, first, continuation, last.
    let complete = FragmentRole(starts: true, ends: true)
    let first = FragmentRole(starts: true, ends: false)
    let middle = FragmentRole(starts: false, ends: false)
    let last = FragmentRole(starts: false, ends: true)
    #expect(
      reassemble(FragmentRules(), [(complete, [1]), (first, [2]), (middle, [3]), (last, [4])]) == [
        Delivery(.message, [1], [1]), Delivery(.message, [2, 3, 4], [2, 3, 4]),
      ])
    let twice = [(first, [1] as [UInt8]), (first, [2]), (last, [3])]
    #expect(reassemble(rules { $0.onRestart = .append }, twice) == [Delivery(.message, [1, 2, 3], [1, 2, 3])])
    let dropped = reassemble(rules { $0.onRestart = .drop }, twice)
    #expect(dropped == [Delivery(.partial, [1], [1]), Delivery(.message, [2, 3], [2, 3])])
    #expect(dropped[0].problems == [ReassemblyProblem(.overtaken, tag: 2, found: 1)])
    #expect(
      reassemble(rules { $0.onRestart = .error }, twice) == [
        Delivery(.partial, [1], [1]), Delivery(.unjoined, [2], [2]), Delivery(.unjoined, [3], [3]),
      ])
  }

  @Test func onlyTheNextStartEndsAMessage() {
    let described = reassemble(
      rules { $0.onRestart = .complete },
      [(FragmentRole(starts: true), [1]), (FragmentRole(starts: false), [2]), (FragmentRole(starts: true), [3])])
    #expect(described == [Delivery(.message, [1, 2], [1, 2]), Delivery(.message, [3], [3])])
    #expect(described.allSatisfy { $0.problems.isEmpty })
  }

  @Test func moreBitAlone() {
    let described = reassemble(
      FragmentRules(), [(FragmentRole(ends: true), [1]), (FragmentRole(ends: false), [2]), (FragmentRole(ends: true), [3])])
    #expect(described == [Delivery(.message, [1], [1]), Delivery(.message, [2, 3], [2, 3])])
  }

  @Test func nothingSaidMeansWhole() {
    #expect(
      reassemble(FragmentRules(), [(FragmentRole(), [1, 2]), (FragmentRole(), [])]) == [
        Delivery(.message, [1, 2], [1]), Delivery(.message, [], [2]),
      ])
  }

  @Test func lengthKnownFromTheRequest() {
    let described = reassemble(
      FragmentRules(), [(FragmentRole(), [1, 2]), (FragmentRole(), [3, 4]), (FragmentRole(), [5])], expectedTotal: 4)
    #expect(described == [Delivery(.message, [1, 2, 3, 4], [1, 2]), Delivery(.message, [5], [3])])
  }

  @Test func orphans() {
    let described = reassemble(FragmentRules(), [(FragmentRole(starts: false), [7]), (FragmentRole(starts: true, total: 1), [8])])
    #expect(described == [Delivery(.unjoined, [7], [1]), Delivery(.message, [8], [2])])
    #expect(described[0].problems.map(\.kind) == [.orphan])
  }

  @Test func counterGaps() {
    let counted = FragmentRules.Counter(modulo: 4, start: 0)
    let fragments: [(FragmentRole, [UInt8])] = [
      (FragmentRole(starts: true, total: 4), [1]), (FragmentRole(starts: false, counter: 0), [2]),
      (FragmentRole(starts: false, counter: 2), [3]), (FragmentRole(starts: false, counter: 3), [4]),
    ]
    let warned = reassemble(rules { $0.counter = counted }, fragments)
    #expect(warned == [Delivery(.message, [1, 2, 3, 4], [1, 2, 3, 4])])
    #expect(warned[0].problems == [ReassemblyProblem(.gap, tag: 3, expected: 1, found: 2)])
    #expect(
      reassemble(
        rules {
          $0.counter = counted
          $0.onGap = .ignore
        }, fragments)[0].problems.isEmpty)
    #expect(
      reassemble(
        rules {
          $0.counter = counted
          $0.onGap = .drop
        }, fragments) == [Delivery(.partial, [1, 2], [1, 2]), Delivery(.unjoined, [3], [3]), Delivery(.unjoined, [4], [4])])
  }

  @Test func counterOverTheChannelWraps() {
    let described = reassemble(
      rules { $0.counter = FragmentRules.Counter(modulo: 4, wrapsTo: 1, scope: .channel) },
      [2, 3, 1, 2, 2].map { (FragmentRole(starts: true, ends: true, counter: $0), [UInt8($0)]) })
    #expect(described.map(\.problems.count) == [0, 0, 0, 0, 1])
    #expect(described.allSatisfy { $0.kind == .message })
  }

  @Test func surplus() {
    let fragments: [(FragmentRole, [UInt8])] = [(FragmentRole(starts: true, total: 3), [1, 2]), (FragmentRole(starts: false), [3, 4, 5])]
    let trimmed = reassemble(rules { $0.onSurplus = .trim }, fragments)
    #expect(trimmed == [Delivery(.message, [1, 2, 3], [1, 2])])
    #expect(trimmed[0].surplus == 2)
    #expect(reassemble(rules { $0.onSurplus = .keep }, fragments) == [Delivery(.message, [1, 2, 3, 4, 5], [1, 2])])
    let wrong = reassemble(rules { $0.onSurplus = .error }, fragments)
    #expect(wrong == [Delivery(.partial, [1, 2, 3], [1, 2])])
    #expect(wrong[0].problems == [ReassemblyProblem(.surplus, tag: 2, expected: 3, found: 5)])
    var reassembler = FragmentReassembler(rules { $0.onSurplus = .next })
    var described: [Delivery] = []
    let rest = reassembler.push(hex("010203").span.bytes, role: FragmentRole(starts: true, total: 1), tag: 1) {
      described.append(Delivery($0))
    }
    #expect(rest == 2)
    #expect(described == [Delivery(.message, [1], [1])])
  }

  @Test func totalInTheLastFragment() {
    let described = reassemble(
      FragmentRules(),
      [(FragmentRole(starts: true, ends: false), [1, 2, 3]), (FragmentRole(starts: false, ends: true, total: 4), [4, 0, 0])])
    #expect(described == [Delivery(.message, [1, 2, 3, 4], [1, 2])])
    let short = reassemble(
      FragmentRules(), [(FragmentRole(starts: true, ends: false), [1]), (FragmentRole(starts: false, ends: true, total: 4), [4])])
    #expect(short == [Delivery(.partial, [1, 4], [1, 2])])
    #expect(short[0].problems == [ReassemblyProblem(.short, tag: 2, expected: 4, found: 2)])
  }

  @Test func pagesInAnyOrder() {
    let byIndex = rules {
      $0.ordering = .byIndex
      $0.firstIndex = 1
    }
    let described = reassemble(
      byIndex,
      [(2, [3, 4]), (1, [1, 2]), (1, [1, 2]), (3, [5]), (1, [9])].map { (FragmentRole(count: 3, index: $0.0), $0.1) }, finish: false)
    #expect(described == [Delivery(.message, [1, 2, 3, 4, 5], [1, 2, 4])])
    #expect(described[0].pieces.map(\.tag) == [2, 1, 4])
    #expect(described[0].pieces.map(\.messageOffset) == [0, 2, 4])
    #expect(described[0].problems == [ReassemblyProblem(.duplicate, tag: 3, found: 1)])
    // Another first page while pages are missing: the next round has begun.
    let restarted = reassemble(byIndex, [(1, [1]), (1, [2]), (2, [3])].map { (FragmentRole(count: 2, index: $0.0), $0.1) })
    #expect(restarted == [Delivery(.partial, [1], [1]), Delivery(.message, [2, 3], [2, 3])])
  }

  @Test func lastFlagOutOfOrder() {
    let byIndex = rules { $0.ordering = .byIndex }
    let described = reassemble(
      byIndex,
      [
        (FragmentRole(ends: false, index: 0), [1]), (FragmentRole(ends: true, index: 2), [3]), (FragmentRole(ends: false, index: 1), [2]),
      ])
    #expect(described == [Delivery(.message, [1, 2, 3], [1, 2, 3])])
  }

  @Test func indexInSequenceWithCount() {
    // Only the first fragment has the number of fragments; index 0 is the start.
    let whole = reassemble(
      FragmentRules(),
      [(FragmentRole(count: 3, index: 0), [1]), (FragmentRole(index: 1), [2]), (FragmentRole(index: 2), [3])])
    #expect(whole == [Delivery(.message, [1, 2, 3], [1, 2, 3])])
    let holed = reassemble(FragmentRules(), [(FragmentRole(count: 3, index: 0), [1]), (FragmentRole(index: 2), [3])])
    #expect(holed == [Delivery(.partial, [1, 3], [1, 2])])
    #expect(holed[0].problems == [ReassemblyProblem(.indexGap, tag: 2, expected: 1, found: 2)])
  }

  @Test func limits() {
    let small = rules { $0.maximumBytes = 3 }
    let announced = reassemble(small, [(FragmentRole(starts: true, total: 4), [1]), (FragmentRole(starts: false), [2])])
    #expect(announced == [Delivery(.unjoined, [1], [1]), Delivery(.unjoined, [2], [2])])
    #expect(announced[0].problems == [ReassemblyProblem(.tooLong, tag: 1, expected: 3, found: 4)])
    let grown = reassemble(small, [(FragmentRole(starts: true), [1, 2]), (FragmentRole(starts: false), [3, 4])])
    #expect(grown == [Delivery(.partial, [1, 2], [1]), Delivery(.unjoined, [3, 4], [2])])
    #expect(reassemble(small, [(FragmentRole(total: -1), [1])])[0].problems.map(\.kind) == [.badLength])
    #expect(reassemble(small, [(FragmentRole(index: .min), [1])])[0].problems.map(\.kind) == [.badLength])
    #expect(reassemble(small, [(FragmentRole(count: .max), [1])])[0].problems.map(\.kind) == [.badLength])
  }

  @Test func silenceAndTheEnd() {
    let quiet = rules { $0.idle = 500 }
    let described = reassemble(
      quiet, [(FragmentRole(starts: true, total: 2), [1]), (FragmentRole(starts: true, total: 2), [2])], times: [0, 501])
    #expect(described == [Delivery(.partial, [1], [1]), Delivery(.partial, [2], [2])])
    #expect(described.map { $0.problems.map(\.kind) } == [[.idle], [.unfinished]])
  }

  @Test func goProContinuationBeginsNothing() {
    // Another response starts before the end of one: SDK behaviour, "a start packet while a message is pending discards the partial message".
    let packets = ["20570102", "05130046014b", "80ffff"].map(hex)
    var described: [Delivery] = []
    var reassembler = FragmentReassembler(goProRules)
    for (index, packet) in packets.enumerated() {
      guard let (role, header) = goProHeader(packet) else { continue }
      reassembler.push(packet.span.bytes.extracting(header..<packet.count), at: header, role: role, tag: UInt64(index)) {
        described.append(Delivery($0))
      }
    }
    #expect(
      described == [Delivery(.partial, [1, 2], [0]), Delivery(.message, hex("130046014b"), [1]), Delivery(.unjoined, [0xff, 0xff], [2])])
  }

  @Test(.enabled(if: SharedFolder.path("vectors") != nil, "shared vectors are not there"))
  func goProVectors() throws {
    let folder = try #require(SharedFolder.path("vectors"))
    let lines = try String(contentsOfFile: folder + "/gopro.jsonl", encoding: .utf8).split(separator: "\n")
    var messages = 0
    var packetsOfLongest = 0
    for line in lines {
      let vector = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let packets = (vector["packets"] as? [String] ?? []).map(hex)
      let isPacketised = ["72", "73", "74", "75", "76", "77", "91", "92"].contains((vector["uuid"] as? String ?? "").suffix(2))
      // One vector of the source begins behind the header.
      guard !packets.isEmpty, isPacketised, (vector["name"] as? String)?.contains("no header") != true else { continue }
      var described: [Delivery] = []
      var payload: [UInt8] = []
      var reassembler = FragmentReassembler(goProRules)
      for (index, packet) in packets.enumerated() {
        guard let (role, header) = goProHeader(packet) else { continue }
        payload += packet[header...]
        reassembler.push(packet.span.bytes.extracting(header..<packet.count), at: header, role: role, tag: UInt64(index)) {
          described.append(Delivery($0))
        }
      }
      reassembler.finish { described.append(Delivery($0)) }
      #expect(described.map(\.kind) == [.message], "\(vector["name"] ?? "")")
      guard let message = described.first else { continue }
      messages += 1
      packetsOfLongest = max(packetsOfLongest, packets.count)
      #expect(message.tags == packets.indices.map(UInt64.init))
      #expect(message.bytes == Array(payload.prefix(message.bytes.count)))
      let expected = vector["expected"] as? [String: Any] ?? [:]
      if let text = expected["payload"] as? String, expected["header"] != nil { #expect(message.bytes == hex(text)) }
      if let length = expected["length"] as? Int, expected["header"] != nil { #expect(message.bytes.count == length) }
    }
    #expect(messages > 100)
    #expect(packetsOfLongest >= 5)
  }

  /// Whatever the roles, nothing traps, and every byte that was fed is returned once.
  @Test(arguments: SeededGenerator.seeds)
  func garbageIsAccountedFor(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<300 {
      var rules = FragmentRules()
      rules.onRestart = [.drop, .append, .error, .complete].randomElement(using: &random) ?? .drop
      rules.onGap = [.warn, .drop, .ignore].randomElement(using: &random) ?? .warn
      rules.onSurplus = [.trim, .keep, .error].randomElement(using: &random) ?? .trim
      rules.ordering = Bool.random(using: &random) ? .sequential : .byIndex
      rules.firstIndex = Int.random(in: -1...1, using: &random)
      rules.counter = Bool.random(using: &random) ? FragmentRules.Counter(modulo: 4, start: 0) : nil
      rules.maximumBytes = 60
      rules.maximumFragments = 9
      rules.idle = Bool.random(using: &random) ? 10 : nil
      var reassembler = FragmentReassembler(rules)
      func maybe(_ range: ClosedRange<Int>) -> Int? { Bool.random(using: &random) ? Int.random(in: range, using: &random) : nil }
      var pushed = 0
      var came = 0
      var duplicates = 0
      func take(_ message: Reassembled) {
        came += message.bytes.byteCount + message.surplus
        #expect(message.pieces.indices.reduce(0) { $0 + message.pieces[$1].count } == message.bytes.byteCount)
        duplicates += message.problems.indices.filter { message.problems[$0].kind == .duplicate }.count
      }
      for tag in 0..<40 {
        // Equal payloads would be taken for repetitions and left out.
        let payload = [UInt8(tag)] + random.bytes(Int.random(in: 0...12, using: &random))
        let role = FragmentRole(
          starts: maybe(0...1).map { $0 == 1 }, ends: maybe(0...1).map { $0 == 1 }, total: maybe(-1...70), count: maybe(-1...11),
          index: maybe(-2...9), counter: maybe(-1...4))
        pushed += payload.count
        reassembler.push(payload.span.bytes, role: role, tag: UInt64(tag), time: Int64(random.next() % 100), deliver: take)
      }
      reassembler.finish(deliver: take)
      #expect(pushed == came && duplicates == 0, "\(random), round \(round)")
    }
  }
}
