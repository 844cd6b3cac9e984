import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The worst inputs for everything that grows with a capture: memory stays the same as for a small capture, and time the same as for any capture of
/// that size.
@Suite(.serialized) struct BoundTests {
  /// A btsnoop capture (H4) that is built packet by packet, a millisecond apart.
  struct Tape {
    private(set) var bytes: [UInt8] = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xEA]
    /// Time of the last packet in the units of btsnoop.
    var time: UInt64 = 0x00DC_DDB3_0F2F_8000 + 1_795_167_000_000_000
    /// Time between two packets, in µs.
    var step: UInt64 = 1000

    private static func big(_ value: UInt64, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - $0))) }
    }

    mutating func raw(_ packet: [UInt8], isReceived: Bool, isCommand: Bool = false) {
      time &+= step
      bytes += Self.big(UInt64(packet.count), 4) + Self.big(UInt64(packet.count), 4)
      bytes += Self.big((isReceived ? 1 : 0) | (isCommand ? 2 : 0), 4) + Self.big(0, 4) + Self.big(time, 8) + packet
    }

    mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
      raw([4, code, UInt8(parameters.count)] + parameters, isReceived: true, isCommand: true)
    }

    mutating func command(_ opcode: UInt16, _ parameters: [UInt8]) {
      raw([1] + little(opcode) + [UInt8(parameters.count)] + parameters, isReceived: false, isCommand: true)
    }

    mutating func acl(_ handle: Int, _ body: [UInt8], isReceived: Bool = false, boundary: UInt16 = 0) {
      raw([2] + little(UInt16(handle) | boundary << 12) + little(UInt16(body.count)) + body, isReceived: isReceived)
    }

    mutating func pdu(_ handle: Int, _ channel: UInt16, _ pdu: [UInt8], isReceived: Bool = false) {
      acl(handle, little(UInt16(pdu.count)) + little(channel) + pdu, isReceived: isReceived, boundary: isReceived ? 2 : 0)
    }

    mutating func connect(_ handle: Int, _ number: Int) {
      event(0x3E, [1, 0] + little(UInt16(handle)) + [0, 1] + address(number) + [24, 0, 0, 0, 42, 0, 0])
    }

    mutating func disconnect(_ handle: Int) { event(5, [0] + little(UInt16(handle)) + [0x13]) }
  }

  /// A gzip member with one stored block.
  static func gzip(_ content: some Collection<UInt8>) -> [UInt8] {
    var sum: UInt32 = .max
    for byte in content {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    let size = UInt16(content.count)
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + little(size) + little(~size) + content + little32([~sum, UInt32(content.count)])
  }

  static func little(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }
  static func address(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } + [0xEE, 0xC0] }

  struct Worst: CustomTestStringConvertible {
    let name: String
    let make: @Sendable () -> [UInt8]
    var testDescription: String { name }
  }

  private static func tape(_ name: String, _ fill: @escaping @Sendable (inout Tape) -> Void) -> Worst {
    Worst(name: name) {
      var tape = Tape()
      fill(&tape)
      return tape.bytes
    }
  }

  static let all: [Worst] = [
    tape("connections that never end") { tape in
      for number in 0..<8000 {
        tape.connect(number % 0xF00, number)
        tape.pdu(number % 0xF00, 4, [0x0A, 3, 0])
      }
    },
    tape("connections that end") { tape in
      for number in 0..<8000 {
        tape.connect(number % 0xF00, number)
        tape.pdu(number % 0xF00, 4, [0x0A, 3, 0])
        tape.disconnect(number % 0xF00)
      }
    },
    tape("connections times attributes") { tape in
      for number in 0..<2000 { tape.connect(number, number) }
      for number in 0..<30_000 { tape.pdu(number % 2000, 4, [0x0A] + little(UInt16(number / 2000 * 256 + 3))) }
    },
    tape("attributes of one device that have nothing in common") { tape in
      tape.connect(1, 1)
      for number in 0..<30_000 { tape.pdu(1, 4, [0x1B] + little(UInt16(truncatingIfNeeded: number &* 40_503)) + [1], isReceived: true) }
    },
    tape("discoveries between values") { tape in
      tape.connect(1, 1)
      for number in 0..<8000 {
        let handle = little(UInt16(number * 2 + 1))
        tape.pdu(1, 4, [0x08] + handle + [0xFF, 0xFF, 0x03, 0x28])
        let uuid = (0..<14).map { UInt8(truncatingIfNeeded: number &* ($0 + 3)) } + little(UInt16(number))
        tape.pdu(1, 4, [0x09, 21] + handle + [0x12] + little(UInt16(number * 2 + 2)) + uuid, isReceived: true)
        tape.pdu(1, 4, [0x1B] + little(UInt16(number * 2 + 2)) + [1, 2], isReceived: true)
      }
    },
    tape("services that change again and again") { tape in
      tape.connect(1, 1)
      for number in 0..<10_000 {
        tape.pdu(1, 4, [0x04, 3, 0, 3, 0])
        tape.pdu(1, 4, [0x05, 1, 3, 0] + little(0x2A00 + UInt16(number & 0xFF)), isReceived: true)
      }
    },
    tape("fragments without an end") { tape in
      let piece = [UInt8](repeating: 0x66, count: 30_000)
      for number in 0..<1500 { tape.acl(number, [0xFF, 0xFF, 0x41, 0] + piece, isReceived: true, boundary: 2) }
    },
    tape("devices with names") { tape in
      for number in 0..<40_000 {
        let name = Array("device number \(number)".utf8)
        let data = [UInt8(name.count + 1), 9] + name
        tape.event(0x3E, [2, 1, 0, 1] + address(number) + [UInt8(data.count)] + data + [0xC0])
      }
    },
    tape("adapters' calls and requests") { tape in
      for number in 0..<20_000 {
        tape.command(0x0405, address(number) + [0, 0, 0, 0, 0, 0, 0])
        tape.command(0x0419, address(number) + [0, 0, 0, 0])
      }
    },
    tape("channels of every number") { tape in
      for number in 0..<64 { tape.event(3, [0] + little(UInt16(number)) + address(number) + [1, 0]) }
      for number in 0..<15_000 {
        let channel = UInt16(0x40 + number % 0xFF00)
        tape.pdu(number % 64, 1, [2, UInt8(number % 255 + 1), 4, 0] + little([1, 3, 0x19, 0x17][number % 4]) + little(channel))
        tape.pdu(
          number % 64, 1, [3, UInt8(number % 255 + 1), 8, 0] + little(channel) + little(channel) + [0, 0, 0, 0], isReceived: true)
      }
    },
    tape("channels of every connection") { tape in
      for number in 0..<800 { tape.event(3, [0] + little(UInt16(number)) + address(number) + [1, 0]) }
      // Enhanced retransmission mode, in which frames wait for the previous ones.
      let mode: [UInt8] = [4, 9, 3, 8, 3, 0, 0, 0, 0, 0, 0]
      for number in 0..<800 * 40 {
        let (link, channel) = (number % 800, little(UInt16(0x40 + number / 800)))
        tape.pdu(link, 1, [2, 1, 4, 0, 1, 0x10] + channel)
        tape.pdu(link, 1, [3, 1, 8, 0] + channel + channel + [0, 0, 0, 0], isReceived: true)
        tape.pdu(link, 1, [4, 2, 15, 0] + channel + [0, 0] + mode)
        tape.pdu(link, 1, [4, 3, 15, 0] + channel + [0, 0] + mode, isReceived: true)
        tape.pdu(link, 0x40 + UInt16(number / 800), [2, 0, 0x61, 0x61, 0, 0])
      }
    },
    tape("signals and requests without answers") { tape in
      for number in 0..<1000 { tape.event(3, [0] + little(UInt16(number)) + address(number) + [1, 0]) }
      for number in 0..<1000 * 250 { tape.pdu(number % 1000, 1, [0x0A, UInt8(number / 1000 + 1), 2, 0, 2, 0]) }
      for link in 0..<1000 {
        tape.pdu(link, 1, [2, 1, 4, 0, 1, 0, 0x40, 0])
        tape.pdu(link, 1, [3, 1, 8, 0, 0x40, 0, 0x40, 0, 0, 0, 0, 0], isReceived: true)
        for number in 0..<64 { tape.pdu(link, 0x40, [2, 0, UInt8(number), 0, 8, 0x35, 3, 0x19, 1, 0, 0, 1, 0]) }
      }
    },
    tape("data links of every connection") { tape in
      for number in 0..<1500 {
        tape.event(3, [0] + little(UInt16(number)) + address(number) + [1, 0])
        tape.pdu(number, 1, [2, 1, 4, 0, 3, 0, 0x40, 0])
        tape.pdu(number, 1, [3, 1, 8, 0, 0x40, 0, 0x40, 0, 0, 0, 0, 0], isReceived: true)
      }
      let line = Array("AT+CIND=?\r".utf8)
      for number in 0..<1500 * 31 {
        tape.pdu(number % 1500, 0x40, [UInt8(number / 1500 * 2 + 2) << 2 | 3, 0xEF, UInt8(line.count) << 1 | 1] + line + [0x9A])
      }
    },
    tape("prepared writes") { tape in
      for number in 0..<40 { tape.connect(number, number) }
      let part = [UInt8](repeating: 0x70, count: 500)
      for number in 0..<40_000 {
        let body = [3, 0] + little(UInt16(truncatingIfNeeded: number / 40 * 500)) + part
        tape.pdu(number % 40, 4, [0x16] + body)
        if number % 2 == 0 { tape.pdu(number % 40, 4, [0x17] + body, isReceived: true) }
      }
    },
    Worst(name: "beginnings of packets on every USB device") {
      var bytes = little32([0xA1B2_C3D4, 0x0004_0002, 0, 0, 0x40000, 220])
      func transfer(_ device: Int, _ type: UInt8, _ endpoint: UInt8, _ isSubmit: Bool, _ setup: [UInt8], _ data: [UInt8]) {
        let address = [endpoint, UInt8(device % 120 + 1)] + little(UInt16(device / 120 + 1))
        let header: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, isSubmit ? 0x53 : 0x43, type] + address + [setup.isEmpty ? 0x2D : 0, 0]
        let count = header.count + 48 + data.count
        bytes += little32([UInt32(device), 0, UInt32(count), UInt32(count)]) + header
        bytes += [UInt8](repeating: 0, count: 16) + little32([UInt32(data.count), UInt32(data.count)])
        bytes += (setup + [UInt8](repeating: 0, count: 24)).prefix(24) + data
      }
      let part = little(0x40) + little(0xFFFF) + [UInt8](repeating: 0x70, count: 60_000)
      for device in 0..<512 {
        transfer(device, 2, 0, true, [0x20, 0, 0, 0, 0, 0, 3, 0], [3, 0x0C, 0])
        transfer(device, 3, 2, true, [], part)
        transfer(device, 3, 0x82, false, [], part)
      }
      return bytes
    },
    Worst(name: "interfaces with long names") {
      var bytes: [UInt8] = little32([0x0A0D_0D0A, 28, 0x1A2B_3C4D, 1, 0xFFFF_FFFF, 0xFFFF_FFFF, 28])
      let text = [UInt8](repeating: 0x6E, count: 8000)
      for _ in 0..<6000 {
        let length = UInt32(16 + 4 + text.count + 4)
        bytes += little32([1, length]) + [201, 0, 0, 0] + little32([0]) + [2, 0] + little(UInt16(text.count)) + text + little32([length])
      }
      return bytes
    },
  ]

  static func little32(_ values: [UInt32]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
  }

  /// Runs the program with at most `seconds` of processor time. Returns its status (negative: the signal that ended it) and its peak memory in
  /// kilobytes.
  static func measured(_ arguments: [String], seconds: Int = 120, threads: Int? = nil) throws -> (status: Int32, peak: Int) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for descriptor: Int32 in [1, 2] { posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0) }
    #if !canImport(Darwin)
      // Close the pipes of tests that run at the same time: their readers wait until all writers are closed.
      for descriptor: Int32 in 3..<256 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #endif
    let line = "ulimit -t \(seconds); \(threads.map { "export BTSCRIBE_THREADS=\($0); " } ?? "")exec \"$0\" \"$@\""
    var words = (["/bin/sh", "-c", line, Program.path] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    try #require(posix_spawn(&process, "/bin/sh", &actions, nil, &words, environ) == 0)
    var (status, usage) = (Int32(0), rusage())
    #if canImport(Darwin)
      while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
      let peak = Int(usage.ru_maxrss / 1024)
    #else
      // The peak that the kernel reports to a parent is at least that of the parent itself, which this process's tests raise, so it is read
      // while the program runs.
      var peak = 0
      while true {
        let ended = wait4(process, &status, WNOHANG, &usage)
        if ended == process || ended < 0 && errno != EINTR { break }
        peak = max(peak, residentPeak(process))
        usleep(2000)
      }
    #endif
    let signal = status & 0x7F
    return (signal == 0 ? status >> 8 & 0xFF : -signal, peak)
  }

  /// The peak of a process's resident memory in kilobytes, 0 if it has ended.
  private static func residentPeak(_ process: pid_t) -> Int {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return 0 }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  private static let small = Result {
    let sample = Program.root.appendingPathComponent("Samples/gopro.btsnoop")
    #if canImport(Darwin)
      return try measured(["timeline", sample.path]).peak
    #else
      return try peakOfWaiting(["timeline", "-"], Data(contentsOf: sample))
    #endif
  }

  /// The peak in kilobytes of a program that has read all its standard input and waits for more: its peak can be read however short its work was, and
  /// whatever else the machine does.
  private static func peakOfWaiting(_ arguments: [String], _ input: Data) throws -> Int {
    let program = Process(), pipe = Pipe()
    program.executableURL = URL(fileURLWithPath: Program.path)
    program.arguments = arguments
    program.standardInput = pipe
    program.standardOutput = FileHandle.nullDevice
    program.standardError = FileHandle.nullDevice
    try program.run()
    let tasks = "/proc/\(program.processIdentifier)/task"
    try pipe.fileHandleForWriting.write(contentsOf: input)
    let deadline = Date().addingTimeInterval(60)
    while deadline.timeIntervalSinceNow > 0 {
      var unread: Int32 = 0
      try #require(ioctl(pipe.fileHandleForWriting.fileDescriptor, UInt(FIONREAD), &unread) == 0)
      // The state follows the name, which is in parentheses.
      // A thread that has just ended has none.
      let states = try FileManager.default.contentsOfDirectory(atPath: tasks).map {
        (try? String(contentsOfFile: "\(tasks)/\($0)/stat", encoding: .utf8))?.split(separator: ")").last?.dropFirst().first
      }
      if unread == 0, states.allSatisfy({ $0 == "S" }) { break }
      usleep(2000)
    }
    let peak = residentPeak(program.processIdentifier)
    try pipe.fileHandleForWriting.close()
    program.waitUntilExit()
    try #require(program.terminationStatus == 0 && peak > 0)
    return peak
  }

  @Test(arguments: all)
  func timelines(_ worst: Worst) throws { try expectBounds(worst, "timeline") }

  /// The memory that a report or an inference keeps for a capture is bounded.
  @Test(
    arguments: all.filter { $0.name.hasPrefix("attributes of one device") || $0.name == "prepared writes" },
    ["report --format html -o /dev/null", "infer"])
  func whatIsKept(_ worst: Worst, command: String) throws { try expectBounds(worst, command, more: 120_000) }

  /// Requests that are dropped because too many have no response: that is reported once.
  @Test func requestsThatAreGivenUpAreReported() throws {
    let worst = try #require(Self.all.first { $0.name == "signals and requests without answers" })
    let path = FileManager.default.temporaryDirectory.path + "/btscribe-\(UUID().uuidString)"
    try Data(worst.make()).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let described = try Program.shell("'\(Program.path)' timeline --format ndjson '\(path)' | grep -c 'more than 16384 open requests'")
    #expect(described.output == "1\n")
  }

  /// SQL queries: large results are returned up to a limit, and rejected beyond it.
  @Test(
    arguments: [
      ("SELECT zeroblob(1000000) FROM packets", 0), ("SELECT randomblob(17000000)", 64),
      ("SELECT randomblob(9000000), zeroblob(9000000)", 64),
      ("SELECT \(Array(repeating: "randomblob(9000000)", count: 60).joined(separator: ", "))", 64),
      // SQLite returns no value if it is too long to be created.
      ("SELECT printf('%.*c', 500000000, 'x')", 0),
    ] as [(String, Int32)])
  func questions(_ question: String, status: Int32) throws {
    let sample = Program.root.appendingPathComponent("Samples/gopro.btsnoop")
    let result = try Self.measured(["query", sample.path, question])
    #expect(result.status == status)
    #expect(result.peak < 400_000, "\(result.peak) kB")
  }

  @Test func reportsKeepFewValues() throws { try expectBounds(Self.values, "report --format html -o /dev/null", more: 120_000) }

  /// Values of the maximum number of attributes, a few hundred bytes each.
  private static let values = tape("values of every attribute") { tape in
    tape.connect(1, 1)
    let value = [UInt8](repeating: 0x76, count: 400)
    for number in 0..<30_000 {
      tape.pdu(1, 4, [0x1B] + little(UInt16(number % 6000 + 1)) + little(UInt16(number / 6000)) + value, isReceived: true)
    }
  }

  /// Attributes beyond what the tables hold, so that each batch has its own copy of them, and PDUs that are never complete.
  private static let full = tape("full tables") { tape in
    for number in 0..<1400 { tape.connect(number, number) }
    let piece = [UInt8](repeating: 0x66, count: 4000)
    for number in 0..<70_000 {
      let handle = little(UInt16(truncatingIfNeeded: number / 100 &* 40_503 | 1))
      tape.pdu(number % 100, 4, [0x1B] + handle + piece.prefix(16), isReceived: true)
      if number % 60 == 0 {
        tape.acl(200 + number / 60, little(20_000) + [4, 0, 0x1B, 3, 0] + piece, isReceived: true, boundary: 2)
        tape.acl(200 + number / 60, piece, isReceived: true, boundary: 1)
      }
    }
  }

  /// Batches, and packets that wait for the end of a PDU, do not add to full tables.
  @Test(arguments: [("timeline", 23_000), ("redact --check", 58_000)])
  func fullTables(_ command: String, more: Int) throws {
    try expectBounds(Self.full, command, more: more, status: command == "timeline" ? 0 : 1)
  }

  @Test(arguments: all.filter { ["connections that end", "adapters' calls and requests"].contains($0.name) }, ["summary", "operations"])
  func whatIsGathered(_ worst: Worst, command: String) throws { try expectBounds(worst, command) }

  private func expectBounds(_ worst: Worst, _ command: String, more: Int = 40_000, status: Int32 = 0) throws {
    let path = FileManager.default.temporaryDirectory.path + "/btscribe-\(UUID().uuidString)"
    try Data(worst.make()).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let result = try Self.measured(command.split(separator: " ").map(String.init) + [path])
    #expect(result.status == status)
    // The documented limit for a timeline is 64 MB for a release build, of which a small capture takes about 20.
    #expect(try result.peak < Self.small.get() + more, "\(result.peak) kB")
  }
}
