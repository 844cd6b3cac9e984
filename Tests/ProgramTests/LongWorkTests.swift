import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Work on a large capture: its progress display, and the files that are left when it is stopped.
@Suite(.serialized) struct LongWorkTests {
  /// A folder with a large capture: a sample's packets repeated.
  final class Workshop {
    let folder: URL
    var capture: String { folder.appendingPathComponent("large.btsnoop").path }

    init(times: Int = 1500) throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let sample = try Data(contentsOf: Program.root.appendingPathComponent("Samples/gopro.btsnoop"))
      var data = Data(sample.prefix(16))
      for _ in 0..<times { data.append(sample.dropFirst(16)) }
      try data.write(to: URL(fileURLWithPath: capture))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The files besides the capture.
    var others: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "large.btsnoop" }.sorted() }
    }

    func process(_ arguments: [String]) -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Program.path)
      process.arguments = arguments
      process.currentDirectoryURL = folder
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      return process
    }
  }

  static let exports: [[String]] = [
    ["convert", "large.btsnoop", "-o", "out.sqlite"],
    ["convert", "large.btsnoop", "-o", "out.pcapng", "--annotate"],
    ["convert", "large.btsnoop", "out.pcapng", "-Y", "btatt"],
    ["timeline", "large.btsnoop", "-o", "out.txt"],
    ["timeline", "large.btsnoop", "--format", "csv", "-o", "out.csv"],
    ["operations", "large.btsnoop", "--format", "csv", "-o", "out.csv"],
  ]

  /// The capture comes through a pipe that is never closed, so that the work never ends by itself, however busy the machine is.
  @Test(arguments: exports)
  func whatIsStoppedLeavesNothing(arguments: [String]) throws {
    let workshop = try Workshop(times: 0)
    let name = try #require(arguments.first { $0.hasPrefix("out.") })
    let old = workshop.folder.appendingPathComponent(name)
    try Data("what was there".utf8).write(to: old)
    try stop(workshop, arguments, keeping: [name])
    #expect(try String(contentsOf: old, encoding: .utf8) == "what was there")
  }

  /// No incomplete file of a split is left. Files of time spans that have passed are complete.
  @Test(arguments: ["connection", "device", "time"])
  func whatIsStoppedInPartsLeavesNothing(split: String) throws {
    let workshop = try Workshop(times: 0)
    let span = split == "time" ? ["--span", "0.01"] : []
    try stop(workshop, ["convert", "large.btsnoop", "out.pcapng", "--split", split] + span, keeping: [])
  }

  /// Stops a program after it has begun a file: only `known` and complete parts of a capture are left.
  private func stop(_ workshop: Workshop, _ arguments: [String], keeping known: [String]) throws {
    try FileManager.default.removeItem(atPath: workshop.capture)
    let sample = try Data(contentsOf: Program.root.appendingPathComponent("Samples/gopro.btsnoop"))
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF] {
      try #require(mkfifo(workshop.capture, 0o600) == 0)
      // Both ends are open here: writing neither waits for a reader nor fails without one.
      let pipe = open(workshop.capture, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      try #require(pipe >= 0)
      defer {
        close(pipe)
        unlink(workshop.capture)
      }
      let process = workshop.process(arguments)
      // Background processes of a shell ignore interrupts, and the child would inherit that.
      let before = Foundation.signal(signal, SIG_DFL)
      try process.run()
      _ = Foundation.signal(signal, before)
      // The program is stopped after its file has begun.
      var rest = sample[...]
      let deadline = Date().addingTimeInterval(120)
      while process.isRunning, try !workshop.others.contains(where: { $0.hasSuffix(".part") }), deadline.timeIntervalSinceNow > 0 {
        let count = rest.withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
        rest = rest.dropFirst(max(count, 0))
        if rest.isEmpty { rest = sample.dropFirst(16) }
        usleep(2000)
      }
      try #require(process.isRunning, "it ended by itself")
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
      let left = try workshop.others.filter { !known.contains($0) }
      #expect(try known.allSatisfy { try workshop.others.contains($0) })
      #expect(left.allSatisfy { $0.hasPrefix("out-") && $0.hasSuffix(".pcapng") }, "\(left)")
      for file in left { try FileManager.default.removeItem(at: workshop.folder.appendingPathComponent(file)) }
    }
  }

  /// A limit on a file's size simulates a full disk without a disk.
  @Test(arguments: exports)
  func aFullDiskLeavesNothing(arguments: [String]) throws {
    let workshop = try Workshop(times: 100)
    let line = "cd '\(workshop.folder.path)' && ulimit -f 32 && exec btscribe \(arguments.joined(separator: " "))"
    let result = try Program.shell(line)
    #expect(result.status == 74)
    #expect(result.errors.contains("File too large") && result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(try workshop.others == [])
  }

  /// Each takes some seconds, so that even the fastest machine shows more than one progress line.
  @Test(arguments: [
    (["summary", "large.btsnoop"], 16_000), (["convert", "large.btsnoop", "-o", "out.sqlite"], 1800),
    (["convert", "large.btsnoop", "out.pcapng", "--annotate"], 4500),
  ])
  func progressIsSeenOnATerminalAndGoesAway(arguments: [String], times: Int) throws {
    let workshop = try Workshop(times: times)
    let (status, shown, _) = try onTerminal(workshop, arguments)
    #expect(status == 0)
    let lines = shown.components(separatedBy: "\r\u{1B}[K")
    let figures = lines.filter { $0.contains(" % ") && $0.contains(" MB") && $0.contains("packets") }
    #expect(figures.count >= 2, "\(shown)")
    #expect(figures.contains { $0.contains(" left") } || figures.count < 4)
    let parts = figures.compactMap { line in line.components(separatedBy: " % ").first?.split(separator: " ").last.flatMap { Int($0) } }
    #expect(parts == parts.sorted() && parts.allSatisfy { (0...100).contains($0) }, "\(parts)")
    // The last text on the terminal is not a progress line.
    #expect(lines.last.map { !$0.contains(" MB") } == true, "\(shown)")
    #expect(lines.allSatisfy { $0.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy { $0.count < 80 } })
  }

  @Test func shortWorkAndOtherThanTerminalsShowNothing() throws {
    let workshop = try Workshop(times: 1)
    let (status, shown, seconds) = try onTerminal(workshop, ["summary", "large.btsnoop"])
    // On a busy machine, short work may take longer than 0.4 s.
    #expect(status == 0 && (shown.isEmpty || seconds >= 0.4), "\(shown)")
    let large = try Workshop(times: 300)
    let result = try Program.shell("cd '\(large.folder.path)' && btscribe summary large.btsnoop > /dev/null")
    #expect(result.status == 0 && result.errors.isEmpty)
  }

  /// Runs btscribe with standard error on a terminal of its own. Returns the exit status, all output on it, and the seconds that it took.
  private func onTerminal(_ workshop: Workshop, _ arguments: [String]) throws -> (status: Int32, shown: String, seconds: Double) {
    var main: Int32 = -1
    var other: Int32 = -1
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&main, &other, nil, nil, &size) == 0)
    let process = workshop.process(arguments)
    process.standardError = FileHandle(fileDescriptor: other, closeOnDealloc: false)
    let begin = ContinuousClock.now
    try process.run()
    close(other)
    var shown: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(main, &buffer, buffer.count)
      if count <= 0 { break }
      shown.append(contentsOf: buffer[..<count])
    }
    close(main)
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: shown, as: UTF8.self), (ContinuousClock.now - begin) / .seconds(1))
  }
}
