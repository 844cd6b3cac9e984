import Foundation
import Testing

/// Invalid times: before the first year, after the last one, and alternating.
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

  /// The formats in which the packets of a tape are written.
  private enum Format: String, CaseIterable {
    case btsnoop
    /// Three-wire UART frames on a serial line, in btsnoop.
    case threeWire = "three-wire"
    /// The log in an Android bug report, whose records have the time since the previous one.
    case btsnooz

    func capture(_ tape: BoundTests.Tape) -> [UInt8] {
      switch self {
      case .btsnoop: return tape.bytes
      case .threeWire:
        var bytes = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xEC]
        for record in Self.records(tape) {
          let frame = Self.slip(record.packet)
          let size = BoundTests.little(UInt16(frame.count)).reversed()
          bytes += [0, 0] + size + [0, 0] + size + record.head[8..<24] + frame
        }
        return bytes
      case .btsnooz:
        var records: [UInt8] = []
        for record in Self.records(tape) {
          let isReceived = record.head[11] & 1 == 1
          let type: UInt8 = record.packet[0] == 4 ? 0x10 : record.packet[0] == 1 ? 0x20 : isReceived ? 0x11 : 0x21
          let size = BoundTests.little(UInt16(record.packet.count))
          records += size + size + BoundTests.little32([1_000_000]) + [type] + record.packet.dropFirst()
        }
        // The time of the last record, in ms; one stored deflate block.
        let time = Self.records(tape).last.map { Array($0.head[16..<24]) } ?? []
        let size = UInt16(records.count)
        let packed = [2] + time + [0x78, 1, 1] + BoundTests.little(size) + BoundTests.little(~size) + records + Self.adler32(records)
        let text = Data(packed).base64EncodedString(options: .lineLength76Characters)
        return Array("--- BEGIN:BTSNOOP_LOG_SUMMARY (\(packed.count) bytes in) ---\n\(text)\n--- END:BTSNOOP_LOG_SUMMARY ---\n".utf8)
      }
    }

    private static func records(_ tape: BoundTests.Tape) -> [(head: [UInt8], packet: [UInt8])] {
      var records: [(head: [UInt8], packet: [UInt8])] = []
      var at = 16
      while at < tape.bytes.count {
        let end = at + 24 + Int(tape.bytes[at + 2]) << 8 + Int(tape.bytes[at + 3])
        records.append((Array(tape.bytes[at..<at + 24]), Array(tape.bytes[(at + 24)..<end])))
        at = end
      }
      return records
    }

    private static func slip(_ packet: [UInt8]) -> [UInt8] {
      let count = packet.count - 1
      var frame: [UInt8] = [0, packet[0] | UInt8(count & 15) << 4, UInt8(count >> 4)]
      frame.append(0xFF &- frame.reduce(0, &+))
      frame += packet.dropFirst()
      return [0xC0] + frame.flatMap { $0 == 0xC0 ? [0xDB, 0xDC] : $0 == 0xDB ? [0xDB, 0xDD] : [$0] } + [0xC0]
    }

    private static func adler32(_ bytes: [UInt8]) -> [UInt8] {
      let (a, b) = bytes.reduce((1, 0)) { sums, byte in
        let a = (sums.0 + Int(byte)) % 65521
        return (a, (sums.1 + a) % 65521)
      }
      return [b >> 8, b, a >> 8, a].map { UInt8(truncatingIfNeeded: $0) }
    }
  }

  /// Every command on the capture ends normally.
  @Test(arguments: orders.indices, Format.allCases.map(\.rawValue))
  func nothingStumbles(order: Int, format: String) throws {
    let format = try #require(Format(rawValue: format))
    // A record of a bug report has only the time since the previous one: of the orders only the last time matters.
    if format == .btsnooz, order > 1 { return }
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
    try expectNoFault(format.capture(tape), packets: Self.orders[order].times.count)
  }

  /// An eight-byte number that increases faster than any clock: values are a microsecond apart.
  @Test func numberThatRunsAway() throws {
    for size in [6, 8] {
      var tape = BoundTests.Tape()
      tape.connect(0x40, 7)
      tape.step = 1
      let step = (size == 8 ? UInt64.max : 1 << 48 - 1) / 13
      for number in 0..<12 as Range<UInt64> {
        tape.pdu(0x40, 4, [0x1B, 3, 0] + (0..<size).map { UInt8(truncatingIfNeeded: number * step >> UInt64(8 * $0)) }, isReceived: true)
      }
      try expectNoFault(tape.bytes, packets: 12)
    }
  }

  private func expectNoFault(_ capture: [UInt8], packets: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(capture).write(to: folder.appendingPathComponent("c"))
    let read = try Program.shell("cd '\(folder.path)' && btscribe timeline c")
    #expect(read.output.split(separator: "\n").count > packets, "\(read.errors)")
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
