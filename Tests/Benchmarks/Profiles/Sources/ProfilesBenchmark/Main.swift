import Memory
@_spi(Pipeline) import Profiles

/// Measures what a GoPro message costs from packets to fields: `swift run -c release` in this folder prints nanoseconds per message, best of
/// five. The target is a million messages a second on one core: 1000 ns.
@main
enum Main {
  static func main() throws {
    let set = try ProfileSet()
    try measure(
      set, "a status update in one packet (query-answer)", "77", .notify,
      [["0b9300460148020103230400000e10"].map { fix($0) }].flatMap { $0 })
    try measure(set, "an answer in one packet, paired (query and query-answer)", "76", .write, ["021202"], "77", ["051200020104"])
    try measure(set, "a setting and its answer (setting, setting-answer)", "74", .write, ["03020109"], "75", ["020200"])
    try measure(
      set, "an answer in three packets (query-answer)", "77", .notify,
      ["202f53000101010201030601000801000901000a", "8001000b01000d04000000001101011301001401", "8100150400000000160100"])
  }

  /// The packet with its header's length set to its size.
  static func fix(_ hex: String) -> String {
    let count = hex.utf8.count / 2 - 1
    return (count < 16 ? "0" : "") + String(count, radix: 16) + hex.dropFirst(2)
  }

  static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.utf8.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  static func measure(
    _ set: ProfileSet, _ title: String, _ first: String, _ direction: ValueDirection, _ packets: [String], _ second: String? = nil,
    _ answers: [String] = []
  ) throws {
    let engine = ProfileEngine(set)
    engine.onError = { print($0) }
    let link = engine.connect(PeerFacts())
    func slot(_ short: String) -> Int {
      engine.slot(link, uuid: BluetoothUUID("b5f900\(short)-aa8d-11e3-9046-0002a5d5c51b"))
    }
    let slots = [slot(first), second.map(slot) ?? -1]
    var steps: [(slot: Int, direction: ValueDirection, bytes: [UInt8])] = packets.map { (slots[0], direction, bytes($0)) }
    steps += answers.map { (slots[1], .notify, bytes($0)) }
    let rounds = 200_000
    var best = Duration.seconds(100)
    var messages = 0
    var faults = 0
    for _ in 0..<5 {
      messages = 0
      let clock = ContinuousClock()
      let spent = clock.measure {
        for round in 0..<rounds {
          for step in steps {
            messages += step.bytes.withBorrowedBytes {
              engine.feed(link, step.slot, step.direction, $0, frame: round, time: Int64(round))
            }
            for message in engine.messages where message.problem != nil || !message.isComplete { faults += 1 }
          }
        }
      }
      best = min(best, spent)
    }
    let nanoseconds = Double(best.components.attoseconds) / 1e9 + Double(best.components.seconds) * 1e9
    let each = nanoseconds / Double(max(messages, 1))
    let rate = Int(1e9 / each)
    print("\(Int(each)) ns a message, \(rate / 1000) thousand a second: \(title)\(faults > 0 ? "  (\(faults) FAULTS)" : "")")
    var row: [UInt8] = []
    for message in engine.messages { message.appendSentence(to: &row) }
    print("    \(String(decoding: row, as: UTF8.self))")
  }
}
