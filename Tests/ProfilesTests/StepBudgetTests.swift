import Memory
import Testing

@_spi(Pipeline) @testable import Profiles

/// Profiles that ask for much work with each byte: each part of one is within its bound, all together are not.
@Suite struct StepBudgetTests {
  private static func list(_ count: Int, _ element: (Int) -> String) -> String { (0..<count).map(element).joined(separator: ", ") }

  private static func profile(_ layers: String, _ more: String) -> String {
    "profile: x\nmatch: {services: [fff0]}\nmeta: {endian: le}\n"
      + "characteristics: {a: {uuid: fff1, notify: m, framing: [{stream: {length: \"1\"}}\(layers)]}}\n\(more)\n"
  }

  /// Messages of one byte each.
  static let hostile = [
    "layers": profile(", " + list(60) { _ in "{unescape: {xor: \"1\"}}" }, "types: {m: {seq: [{id: x, type: u1}]}}"),
    "objects": profile("", "types: {m: {seq: [{id: x, type: u1}, {id: z, type: e, repeat: expr, repeat-expr: 4000}]}, e: {seq: []}}"),
    "checks": profile(
      ", " + list(60) { _ in "{check: {algorithm: CRC-16/XMODEM, when: \"_payload.size == 7777\"}}" },
      "types: {m: {seq: [{id: x, type: u1}]}}"),
    "conditions": "profile: x\nmatch: {services: [fff0]}\nmeta: {endian: le}\n"
      + "characteristics: {a: {uuid: fff1, framing: [{stream: {length: \"1\"}}], notify: [\(list(1000) { "{message: m, when: '_payload.size == \($0 + 7)'}" })]}}\n"
      + "types: {m: {seq: [{id: x, type: u1}]}}\n",
    "state": "profile: x\nmatch: {services: [fff0]}\nmeta: {endian: le}\nstate: {\(list(500) { "s\($0): 0" })}\n"
      + "characteristics: {a: {uuid: fff1, framing: [{stream: {length: \"1\"}}], notify: m}}\n"
      + "messages: {m: {type: m, set: {\(list(500) { "s\($0): x" })}}}\ntypes: {m: {seq: [{id: x, type: u1}]}}\n",
  ]

  /// Feeds packets until the profile is left out, or to the end. Returns how many were read, and what was told.
  private func read(_ text: String, packets: Int, _ count: Int) throws -> (read: Int, errors: [ProfileError]) {
    let set = try ProfileSet(builtin: false, texts: [(text, "x.yaml", .given)])
    let engine = ProfileEngine(set)
    var errors: [ProfileError] = []
    engine.onError = { errors.append($0) }
    let link = engine.connect(PeerFacts())
    let slot = engine.slot(link, profile: try set.profile(0), source: "a")
    let packet = [UInt8](repeating: 1, count: count)
    for number in 1...packets {
      packet.withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: number, time: Int64(number)) }
      if errors.isEmpty { continue }
      #expect(!engine.hasMessages)
      // It stays out.
      packet.withBorrowedBytes { _ = engine.feed(link, slot, .notify, $0, frame: number, time: Int64(number)) }
      #expect(!engine.hasMessages && errors.count == 1)
      return (number, errors)
    }
    return (packets, errors)
  }

  /// The steps that a capture brings are linear in its bytes, so that no profile takes more time than that.
  @Test(arguments: hostile.keys.sorted())
  func isLeftOut(_ name: String) throws {
    let (read, errors) = try read(try #require(Self.hostile[name]), packets: 2000, 240)
    #expect(read < 2000, "\(name)")
    #expect(errors.map(\.message) == ["reading by this profile takes too long; from packet \(read) on it is left out"])
  }

  /// Messages as devices send them bring more steps than they take, however many they are.
  @Test func whatDevicesSendIsRead() throws {
    let own = Self.profile(
      ", {check: {algorithm: sum-8, at: 19}}",
      "types: {m: {seq: [{id: kind, type: u1}, {id: list, type: u2, repeat: expr, repeat-expr: 9}, {id: sum, type: u1}]}}"
    ).replacing("length: \"1\"", with: "length: \"20\"")
    #expect(try read(own, packets: 40_000, 20).errors.isEmpty)
    #expect(try read(own, packets: 4000, 240).errors.isEmpty)
  }
}
