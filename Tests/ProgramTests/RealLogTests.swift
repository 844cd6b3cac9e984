import Foundation
import Testing

/// Vendors' protocols in real logs: every frame is reassembled and every checksum right, in both directions.
@Suite struct RealLogTests {
  /// The expected number of messages of one kind in a log.
  struct Expected: CustomTestStringConvertible, Sendable {
    var capture: String
    var profile: String
    var characteristic: String
    var operation: String
    var checksum: String?
    var count: Int

    var testDescription: String { "\(profile) \(characteristic) \(operation)" }
  }

  static let expected: [Expected] = [
    Expected(
      capture: "csacca__", profile: "horizon-treadmill", characteristic: "console-in", operation: "write", checksum: "ok", count: 35),
    Expected(capture: "csacca__", profile: "horizon-treadmill", characteristic: "console-in", operation: "write", checksum: nil, count: 2),
    Expected(
      capture: "csacca__", profile: "horizon-treadmill", characteristic: "console-out", operation: "notify", checksum: "ok", count: 104),
    Expected(capture: "syssi__", profile: "lumentree", characteristic: "modbus", operation: "write", checksum: "ok", count: 88),
    Expected(capture: "syssi__", profile: "lumentree", characteristic: "modbus", operation: "notify", checksum: "ok", count: 88),
    Expected(capture: "wangdalian__", profile: "telink-ota", characteristic: "ota", operation: "write", checksum: "ok", count: 3025),
    Expected(capture: "wangdalian__", profile: "telink-ota", characteristic: "ota", operation: "write", checksum: nil, count: 3),
    Expected(capture: "wangdalian__", profile: "telink-ota", characteristic: "ota", operation: "read", checksum: nil, count: 757),
    Expected(
      capture: "FrankHJCuypers__", profile: "nexxtender", characteristic: "grid-data", operation: "notify", checksum: "ok", count: 10),
    Expected(
      capture: "FrankHJCuypers__", profile: "nexxtender", characteristic: "car-data", operation: "notify", checksum: "ok", count: 10),
    Expected(
      capture: "FrankHJCuypers__", profile: "nexxtender", characteristic: "advanced-data", operation: "notify", checksum: "ok", count: 10),
    Expected(capture: "nick0451__", profile: "dayton-dsp408", characteristic: "port", operation: "write", checksum: "ok", count: 2918),
    Expected(capture: "nick0451__", profile: "dayton-dsp408", characteristic: "port", operation: "notify", checksum: "ok", count: 2916),
    Expected(capture: "ajesler__", profile: "playbulb", characteristic: "colour", operation: "write", checksum: nil, count: 7),
    Expected(
      capture: "ajesler__", profile: "garmin-vivosmart", characteristic: "from-watch", operation: "notify", checksum: "ok", count: 4),
    Expected(capture: "ajesler__", profile: "garmin-vivosmart", characteristic: "to-watch", operation: "write", checksum: "ok", count: 4),
    Expected(capture: "havvk__", profile: "even-g2", characteristic: "command", operation: "write", checksum: "ok", count: 36),
    Expected(capture: "havvk__", profile: "even-g2", characteristic: "answer", operation: "notify", checksum: "ok", count: 72),
    Expected(capture: "havvk__", profile: "even-g2", characteristic: "microphone", operation: "notify", checksum: nil, count: 303),
    Expected(
      capture: "whoisbe__pongbot-mcp__btsnoop_hci.log", profile: "tesla-vehicle", characteristic: "from_vehicle", operation: "indicate",
      checksum: nil, count: 4),
    Expected(capture: "lory9894__", profile: "veryfit-watch", characteristic: "health", operation: "notify", checksum: nil, count: 261),
    Expected(capture: "corbanvilla__", profile: "triones-lamp", characteristic: "command", operation: "write", checksum: nil, count: 433),
    Expected(capture: "vpuhoff__", profile: "bk300-battery", characteristic: "answer", operation: "notify", checksum: "ok", count: 7),
  ]

  @Test(.enabled(if: Oracle.captures != nil, "no shared captures"), arguments: expected)
  func everyFrameIsJoined(_ expected: Expected) throws {
    let folder = try #require(Oracle.captures)
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().first { $0.hasPrefix(expected.capture) })
    let messages = try Self.messages(folder.appendingPathComponent(name).path, expected.profile)
      .filter { $0["characteristic"] as? String == expected.characteristic && $0["operation"] as? String == expected.operation }
    #expect(messages.count { $0["checksum"] as? String == expected.checksum } == expected.count)
    #expect(messages.allSatisfy { $0["complete"] as? Bool == true && $0["unjoined"] == nil && $0["checksum"] as? String != "bad" })
  }

  /// The rows of a profile's messages in a capture.
  static func messages(_ capture: String, _ profile: String) throws -> [[String: Any]] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = ["timeline", "--format", "ndjson", "--profile", profile, capture]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try data.split(separator: 0x0A).compactMap { line in
      let row = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      return row?["kind"] as? String == "message" && row?["profile"] as? String == profile ? row : nil
    }
  }
}
