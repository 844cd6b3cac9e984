import Foundation
import Testing

/// `btscribe live --air`: a host's capture and a sniffer's, both through pipes that the test writes.
@Suite(.serialized) struct LiveAirTests {
  private typealias Object = [String: Any]

  /// The records of a btsnoop file, preceded by its header.
  private static func records(_ name: String) throws -> [Data] {
    let data = try Data(contentsOf: Program.root.appendingPathComponent("Samples/\(name)"))
    var (records, at) = ([data[..<16]], 16)
    while at + 24 <= data.count {
      let size = 24 + data[at + 4..<at + 8].reduce(0) { $0 << 8 | Int($1) }
      records.append(data[at..<at + size])
      at += size
    }
    return records
  }

  /// The blocks of a pcapng file.
  private static func blocks(_ name: String) throws -> [Data] {
    let data = try Data(contentsOf: Program.root.appendingPathComponent("Samples/\(name)"))
    var (blocks, at) = ([Data](), 0)
    while at + 8 <= data.count {
      let size = data[at + 4..<at + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      blocks.append(data[at..<at + size])
      at += size
    }
    return blocks
  }

  private static func row(_ line: String) throws -> Object {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object, "\(line)")
  }

  private static func scratch(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test func bothGrow() throws {
    // The values of each packet for the complete captures.
    var expected: [Int: Object] = [:]
    for line in try Program.shell("btscribe timeline Samples/both-phone.btsnoop --air Samples/both-air.pcapng --format ndjson").output
      .split(separator: "\n")
    {
      let row = try Self.row(String(line))
      if let air = row["air"] as? Object { expected[try #require(row["frame"] as? Int)] = air }
    }
    try #require(expected.count > 150)
    let host = try Self.records("both-phone.btsnoop"), air = try Self.blocks("both-air.pcapng")
    try Self.scratch { folder in
      let pipe = "\(folder)/sniffer.pcapng"
      try #require(mkfifo(pipe, 0o600) == 0)
      let live = try Running(["live", "-", "--air", pipe, "--format", "ndjson"])
      for record in host[..<120] { live.write(record) }
      // Waits until the program reads the pipe.
      let sniffer = try #require(FileHandle(forWritingAtPath: pipe))
      for block in air[..<300] { try sniffer.write(contentsOf: block) }
      // Both captures continue, and the sniffer's results for the first packets are reported.
      var seen: [Int: Object] = [:]
      var (packets, clocks) = ([Object](), 0)
      func take(_ line: String) throws {
        let row = try Self.row(line)
        switch row["kind"] as? String {
        case "packet":
          #expect(row["air"] == nil)
          packets.append(row)
        case "air": clocks += 1
        case "joined":
          let frame = try #require(row["frame"] as? Int)
          #expect(seen[frame] == nil && packets.contains { $0["frame"] as? Int == frame })
          seen[frame] = row["air"] as? Object
        default: break
        }
      }
      while seen.count < 20 { try take(try #require(live.line(within: 60), "\(live.errors())")) }
      #expect(clocks == 1 && packets.count < 120)
      for record in host[120...] { live.write(record) }
      for block in air[300...] { try sniffer.write(contentsOf: block) }
      try sniffer.close()
      live.closeInput()
      while let line = live.line(within: 60) { try take(line) }
      #expect(live.status(within: 60) == 0 && live.errors().isEmpty, "\(live.errors())")
      #expect(clocks == 2)
      #expect(Set(seen.keys) == Set(expected.keys))
      for (frame, air) in expected {
        #expect(seen[frame]?["frames"] as? [Int] == air["frames"] as? [Int], "#\(frame)")
        #expect(seen[frame]?["channels"] as? [Int] == air["channels"] as? [Int], "#\(frame)")
      }
    }
  }

  /// If the sniffer cannot be opened, live capture ends, because the requested comparison is not possible.
  @Test func aSnifferThatIsNotThere() throws {
    let live = try Running(["live", "-", "--air", "/nonexistent/air.pcapng"])
    for record in try Self.records("both-phone.btsnoop")[..<20] { live.write(record) }
    #expect(live.status(within: 60) == 66)
    #expect(live.errors() == "btscribe: /nonexistent/air.pcapng: No such file or directory\n", "\(live.errors())")
    live.closeInput()
  }

  /// A sniffer's capture that breaks off is used up to there.
  @Test func aSnifferThatBreaksOff() throws {
    try Self.scratch { folder in
      let pipe = "\(folder)/air"
      try #require(mkfifo(pipe, 0o600) == 0)
      let result = try Program.shell(
        "head -c 30000 Samples/both-air.pcapng >\(pipe) & btscribe live - --air \(pipe) -q < Samples/both-phone.btsnoop | grep -c 'packets match'"
      )
      #expect(result.output == "1\n" && result.errors.hasPrefix("btscribe: air: cut short in packet "), "\(result)")
    }
  }

  @Test(arguments: [
    ("live --air x --format csv", "--air needs a timeline as text or ndjson"),
    ("live - --air -", "standard input can be read once only"),
    ("live - --crack", "--crack decrypts what a sniffer hears: it needs --air"), ("live - --key ltk=00", "'ltk' is not a key of a profile"),
  ])
  func usage(command: String, error: String) throws {
    let result = try Program.shell("btscribe \(command) </dev/null")
    #expect(result.status == 64 && result.errors.contains(error), "\(result)")
  }
}
