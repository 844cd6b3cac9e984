import Foundation
import Testing

/// Times that no clock has: before all years, behind them, and one of each in turn.
@Suite struct HostileTimeTests {
  private static let epoch: UInt64 = 0x00DC_DDB3_0F2F_8000

  private static let orders: [(name: String, times: [UInt64])] = {
    let edges: [Int64] = [
      0, 1, .min, .max, .min + 1, .max - 1, 1 << 62, -1 << 62, 1 << 61, -1 << 61, 1 << 60, -1 << 60, 1 << 59, 1_795_167_000_000_000,
    ]
    let all = edges.map { UInt64(bitPattern: $0) &+ epoch } + [0, .max, 1 << 63]
    return [
      ("in turn", (0..<60).map { all[$0 % all.count] }),
      ("from the first to the last", (0..<30).map { UInt64($0) } + (0..<30).map { UInt64(bitPattern: .max) &- 100 &+ $0 }),
      ("far below and far above", (0..<60).map { (epoch &+ ($0 < 30 ? 3 << 62 : 1 << 62)) &+ UInt64($0) }),
      ("in great steps", (0..<60).map { epoch &+ UInt64($0) &* (1 << 57) }),
    ]
  }()

  /// Every way to look at a capture ends with what it was asked for.
  @Test(arguments: orders.indices)
  func nothingStumbles(order: Int) throws {
    var tape = BoundTests.Tape()
    tape.connect(0x40, 7)
    tape.step = 0
    for (number, time) in Self.orders[order].times.enumerated() {
      tape.time = time
      let count = UInt8(number)
      tape.pdu(0x40, 4, [0x1B, 3, 0, 0xE8, count, 3, 0, count, 0, 0, 0, 0, 0, 0, 0, 0x61, 0x62], isReceived: true)
      tape.pdu(0x40, 4, [0x12, 5, 0, 0xAA, count, count ^ 0xAA])
      tape.pdu(0x40, 4, [0x13], isReceived: true)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(tape.bytes).write(to: folder.appendingPathComponent("c"))
    for command in [
      "timeline c", "timeline --format ndjson c", "timeline --format csv c", "summary c", "summary --format json c", "operations c",
      "report -o x.html c", "report --format markdown -o - c", "infer c", "infer --format json c", "infer -o x.yaml c", "diff c c",
      "redact c x.btsnoop", "convert c x.sqlite", "convert c x.pcapng --annotate", "convert c y.pcapng --split time --span 1000000000",
    ] {
      let result = try Program.shell("cd '\(folder.path)' && ulimit -t 60 && btscribe \(command) > /dev/null")
      #expect(result.status == 0, "\(command): \(result.status) \(result.errors.prefix(300))")
    }
  }
}
