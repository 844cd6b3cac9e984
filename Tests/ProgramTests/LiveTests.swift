import Foundation
import Testing

/// `btscribe live` on other inputs than this host's monitor: pipes, terminals, signals. Tests/Live tests the monitor in a virtual machine.
@Suite(.serialized) struct LiveTests {
  /// A sample's file header, and its records with their headers.
  private static func records(_ name: String = "gopro.btsnoop") throws -> (header: Data, records: [Data]) {
    let data = try Data(contentsOf: Program.root.appendingPathComponent("Samples/\(name)"))
    var records: [Data] = []
    var at = 16
    while at + 24 <= data.count {
      let size = data[at + 4..<at + 8].reduce(0) { $0 << 8 | Int($1) }
      records.append(data[at..<at + 24 + size])
      at += 24 + size
    }
    return (data[..<16], records)
  }

  /// The number of records in a btsnoop file, which must be complete.
  private static func count(_ data: Data) -> Int {
    var count = 0, at = 16
    while at + 24 <= data.count {
      at += 24 + data[at + 4..<at + 8].reduce(0) { $0 << 8 | Int($1) }
      count += 1
    }
    #expect(at == data.count)
    return count
  }

  private func scratch(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test func eachLineComesBeforeTheNextPacket() throws {
    let (header, records) = try Self.records()
    let live = try Running(["live", "-", "--format", "ndjson", "--no-profiles"])
    // A program that only copies lines shows how busy the machine is.
    let echo = try Running([], program: "/bin/cat")
    live.write(header)
    var late: [Double] = [], busy: [Double] = []
    for record in records[..<60] {
      live.write(record)
      var start = ContinuousClock.now
      let line = try #require(live.line(within: 60), "nothing came")
      late.append((ContinuousClock.now - start) / .seconds(1))
      #expect(line.hasPrefix("{\"kind\":\"packet\"") && line.hasSuffix("}"))
      echo.write(Data("line\n".utf8))
      start = .now
      #expect(echo.line(within: 60) == "line")
      busy.append((ContinuousClock.now - start) / .seconds(1))
    }
    (late, busy) = (late.sorted(), busy.sorted())
    let (middle, baseline) = (late[late.count / 2], busy[busy.count / 2])
    #expect(
      middle < max(0.05, baseline * 10), "the middle one of \(late.count) lines came after \(middle) s, that of cat after \(baseline) s")
    live.closeInput()
    #expect(live.status(within: 60) == 0)
  }

  @Test(arguments: ["btsnoop", "pcapng"])
  func aKillLeavesAWholeFile(ending: String) throws {
    let (header, records) = try Self.records()
    try scratch { folder in
      let file = "\(folder)/killed.\(ending)"
      let live = try Running(["live", "-", "--format", "ndjson", "--no-profiles", "-w", file])
      live.write(header)
      var shown = 0
      for record in records[..<100] {
        live.write(record)
        // Some packets have no row of their own.
        while live.line(within: shown < 60 ? 20 : 0.05) != nil {
          shown += 1
          if shown < 60 { break }
        }
      }
      kill(live.process.processIdentifier, SIGKILL)
      _ = live.status(within: 20)
      let read = try Program.shell("btscribe summary --format json '\(file)'")
      #expect(read.status == 0 && read.errors.isEmpty, "\(read.errors)")
      let rows = try Program.shell("btscribe '\(file)' --format ndjson --no-profiles | wc -l")
      let found = Int(rows.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
      #expect(shown >= 60 && found >= shown, "\(shown) lines, \(found) of them in the file")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsWithTheSummary(signal: Int32) throws {
    let (header, records) = try Self.records()
    let live = try Running(["live", "-"])
    live.write(header)
    for record in records[..<80] { live.write(record) }
    var text = ""
    while !text.contains("   79 "), let line = live.line(within: 20) { text += line + "\n" }
    kill(live.process.processIdentifier, signal)
    #expect(live.status(within: 20) == 0)
    while let line = live.line(within: 1) { text += line + "\n" }
    #expect(text.contains("\nDevices heard") || text.contains("\nConnections"), "\(text.suffix(400))")
    #expect(live.errors().isEmpty, "\(live.errors())")
  }

  /// At the end of a growing capture a signal is its end: what is printed at the end shows all that was read.
  @Test(arguments: ["summary", "operations"])
  func aSignalEndsFollowing(command: String) throws {
    let file = "Samples/gopro.btsnoop"
    let running = try Running([command, "--follow", file])
    #expect(running.catches(SIGINT, within: 60), "it does not handle the signal")
    kill(running.process.processIdentifier, SIGINT)
    var text = ""
    while let line = running.line(within: 60) { text += line + "\n" }
    #expect(running.status(within: 60) == 0)
    #expect(text == (try Program.shell("btscribe \(command) \(file)").output) && !text.isEmpty)
    #expect(running.errors().isEmpty, "\(running.errors())")
  }

  /// A file that becomes shorter while it is followed is damage, as what was written after that is not read.
  @Test func aFileThatIsCutShortMeanwhile() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "Samples/gopro.btsnoop"))
    let file = FileManager.default.temporaryDirectory.path + "/btscribe-\(UUID().uuidString)"
    try bytes.write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let running = try Running(["timeline", "--follow", file])
    #expect(running.line(within: 60) != nil)
    let descriptor = open(file, O_WRONLY)
    #expect(ftruncate(descriptor, 100) == 0)
    close(descriptor)
    while running.line(within: 60) != nil {}
    #expect(running.status(within: 60) == 65)
    #expect(running.errors().contains("the file was cut short or replaced meanwhile"), "\(running.errors())")
  }

  /// A signal that ends the program while it follows a file leaves no temporary file.
  @Test(arguments: [SIGQUIT, SIGUSR1]) func nothingIsLeftOfWhatFollows(_ signal: Int32) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/btscribe-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder) }
    let running = try Running(["timeline", "--follow", "Samples/gopro.btsnoop", "-o", folder + "/out.txt"])
    let until = Date().addingTimeInterval(60)
    while try files().isEmpty, until.timeIntervalSinceNow > 0 { usleep(2000) }
    #expect(try files().contains { $0.hasSuffix(".part") })
    kill(running.process.processIdentifier, signal)
    #expect(running.status(within: 60) == -1)
    #expect(try files() == [])
  }

  @Test func aSignalBeforeAnythingCameIsNoFault() throws {
    let live = try Running(["live", "-"])
    #expect(live.catches(SIGINT, within: 60), "it does not handle the signal")
    kill(live.process.processIdentifier, SIGINT)
    #expect(live.status(within: 60) == 0)
    #expect(live.errors().isEmpty, "\(live.errors())")
  }

  @Test func whoReadsMayGo() throws {
    let (header, records) = try Self.records()
    let live = try Running(["live", "-"])
    live.write(header)
    for record in records[..<20] { live.write(record) }
    _ = live.line(within: 60)
    // There are no more packets, so that no write would fail.
    live.closeOutput()
    #expect(live.status(within: 60) == 0)
    #expect(live.errors().isEmpty, "\(live.errors())")
  }

  @Test func aStreamThatBreaksOffIsReported() throws {
    let result = try Program.shell("head -c 3000 Samples/gopro.btsnoop | btscribe live - -q")
    #expect(result.status == 65 && result.errors == "btscribe: standard input: cut short in packet 70 (byte 2995): 69 packets decoded\n")
    let whole = try Program.shell("btscribe live --format ndjson - < Samples/gopro.btsnoop | grep -c packet")
    #expect(whole.output == "363\n" || Int(whole.output.dropLast()) ?? 0 > 300, "\(whole)")
  }

  // MARK: Files in turn, and limits

  @Test func filesInTurn() throws {
    try scratch { folder in
      let ring = try Program.shell(
        "cat Samples/gopro.btsnoop | btscribe live - -q -w \(folder)/a.btsnoop -b packets:100 -b files:2 >/dev/null; ls \(folder)")
      let names = ring.output.split(separator: "\n").map(String.init)
      #expect(names.count == 2 && names[0].hasPrefix("a_00003_") && names[1].hasPrefix("a_00004_"), "\(ring)")
      let size = try Program.shell(
        "cat Samples/gopro.btsnoop | btscribe live - -q -w \(folder)/s.pcapng -b filesize:4 >/dev/null; cat \(folder)/s_*.pcapng | wc -c; ls -l \(folder)/s_* | awk '{print $5}'"
      )
      let sizes = size.output.split(separator: "\n").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
      #expect(sizes.count > 4 && sizes.dropFirst().dropLast().allSatisfy { $0 >= 4000 && $0 < 4600 }, "\(sizes)")
      // No packet is lost between two files.
      let joined = try Program.shell(
        "for f in \(folder)/s_*; do btscribe --format ndjson --no-profiles $f; done | grep -c '\"kind\":\"packet\"'")
      let all = try Program.shell("btscribe --format ndjson --no-profiles Samples/gopro.btsnoop | grep -c '\"kind\":\"packet\"'")
      // The packets with which a packet is combined may be in the previous file.
      #expect(
        abs((Int(joined.output.dropLast()) ?? 0) - (Int(all.output.dropLast()) ?? 0)) <= sizes.count, "\(joined.output) of \(all.output)")
    }
  }

  @Test func filesByTime() throws {
    let (header, records) = try Self.records()
    try scratch { folder in
      let live = try Running(["live", "-", "-q", "-w", "\(folder)/t.btsnoop", "-b", "duration:1"])
      live.write(header)
      let names = { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
      // Packets are written until there is a second file; when that happens depends on the machine's load.
      var count = 0
      let begin = ContinuousClock.now, deadline = begin + .seconds(60)
      while try names().count < 2, ContinuousClock.now < deadline {
        live.write(records[count % records.count])
        count += 1
        _ = live.line(within: 0.02)
      }
      #expect(try names().count == 2 && ContinuousClock.now - begin >= .seconds(1))
      live.closeInput()
      #expect(live.status(within: 60) == 0)
      let files = try names().map { try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")) }
      #expect(files.count >= 2 && files.allSatisfy { $0.count > 16 }, "\(files)")
      #expect(files.map { Self.count($0) }.reduce(0, +) == count)
    }
  }

  @Test func ends() throws {
    let (header, records) = try Self.records()
    try scratch { folder in
      // Each ends by itself while the input continues.
      for (limit, files, packets) in [
        (["-c", "30"], 1, 30), (["-a", "packets:40"], 1, 40), (["-a", "filesize:2"], 1, 0), (["-a", "files:2", "-b", "packets:20"], 2, 40),
        (["-a", "duration:5"], 1, 150),
      ] {
        let sub = "\(folder)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: sub, withIntermediateDirectories: true)
        let live = try Running(["live", "-", "-q", "--format", "ndjson", "--no-profiles", "-w", "\(sub)/e.btsnoop"] + limit)
        live.write(header)
        for record in records[..<150] { live.write(record) }
        #expect(live.status(within: 60) == 0, "\(limit)")
        let names = try FileManager.default.contentsOfDirectory(atPath: sub).sorted()
        #expect(names.count == files, "\(limit): \(names)")
        var count = 0, size = 0
        for name in names {
          let data = try Data(contentsOf: URL(fileURLWithPath: "\(sub)/\(name)"))
          size = data.count
          count += Self.count(data)
        }
        if packets > 0 {
          #expect(count == packets, "\(limit): \(count)")
        } else {
          #expect(size >= 2000 && size < 2300, "\(limit): \(size) bytes")
        }
      }
    }
  }

  // MARK: Terminals

  @Test func theStatusLineStandsBelowTheRows() throws {
    let (header, records) = try Self.records()
    let live = try Running(["live", "-"], terminal: (columns: 120, rows: 50))
    live.write(header)
    for (number, record) in records.enumerated() where number < 60 {
      live.write(record)
      _ = live.screen(after: 0.02)
    }
    let seen =
      live.screen(within: 60) { screen in
        screen.last.map { $0.hasPrefix("60 packets, ") && $0.contains(", 1 connection, ") } == true
      }.last ?? ""
    #expect(
      seen.hasPrefix("60 packets, ") && seen.contains("/s, 1 connection, 0 dropped, 0:"), "\(live.screen(after: 0).suffix(3))")
    live.closeInput()
    #expect(live.status(within: 60) == 0)
    // The terminal's end of file comes after all output.
    let screen = live.screen(within: 60) { _ in false }
    // The status line is removed, and no row contains parts of it.
    #expect(!screen.contains { $0.contains(" dropped, 0:") }, "\(screen.first { $0.contains(" dropped, 0:") } ?? "")")
    let file = try Program.shell(
      "head -c \(16 + records[..<60].reduce(0) { $0 + $1.count }) Samples/gopro.btsnoop >$TMP/x; btscribe -q $TMP/x | tail -1 | cut -c1-60"
    )
    let row = file.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(screen.contains { $0.hasPrefix(row) }, "not there: \(row)\n\(screen.joined(separator: "\n"))")
  }

  @Test func aPipeHasNoStatusLine() throws {
    let result = try Program.shell("cat Samples/gopro.btsnoop | btscribe live -")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(!result.output.contains("\u{1B}") && !result.output.contains("\r"))
  }

  // MARK: Wireshark

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tshark"), "needs tshark"))
  func wiresharkCapturesThroughIt() throws {
    try scratch { folder in
      // Wireshark uses a personal extcap folder only for ordinary users, who may not be able to read this one.
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
      try FileManager.default.copyItem(atPath: Program.path, toPath: "\(folder)/btscribe")
      let sample = "Samples/gopro-monitor.btsnoop", copy = "\(folder)/stream.btsnoop"
      try FileManager.default.copyItem(atPath: Program.root.appendingPathComponent(sample).path, toPath: copy)
      let user = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
      let tshark = "\(user)env HOME=\(folder) WIRESHARK_EXTCAP_DIR=\(folder) tshark"
      let list = try Program.shell("\(tshark) -D")
      #expect(list.output.contains("btscribe (Bluetooth of this host)") && list.output.contains("btscribe-stream ("), "\(list)")
      let types = try Program.shell("\(tshark) -i btscribe -L 2>&1")
      #expect(types.output.contains("BLUETOOTH_LINUX_MONITOR"), "\(types)")
      let fields = "-T fields -e frame.number -e frame.len -e hci_mon.opcode -e btatt.opcode -e btatt.value"
      // A file takes the place of the stream; it is followed, so tshark ends the capture.
      let captured = try Program.shell(
        "\(tshark) -i btscribe-stream -o extcap.btscribe_stream.stream:\(copy) -c 366 -a duration:40 \(fields)")
      let read = try Program.shell("btscribe convert --to pcap-254 \(sample) \(folder)/m.pcap && tshark -r \(folder)/m.pcap \(fields)")
      #expect(
        captured.output == read.output && read.output.split(separator: "\n").count == 366,
        "\(captured.errors) \(captured.output.count) \(read.output.count)")
    }
  }
}

/// The running program: its input, its output by lines or as a terminal's screen, signals, and its end.
final class Running {
  let process = Process()
  private let input = Pipe()
  private var output: Int32 = -1
  private let errorFile: String
  private var pending: [UInt8] = []
  private var terminal: Terminal?

  init(_ arguments: [String], program: String = Program.path, terminal size: (columns: Int, rows: Int)? = nil) throws {
    // A handler, which child processes do not inherit: with an ignored signal, programs of other tests would go on where SIGPIPE should end them.
    signal(SIGPIPE) { _ in }
    errorFile = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString).err").path
    _ = FileManager.default.createFile(atPath: errorFile, contents: nil)
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = Program.root
    process.environment = ["LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm", "HOME": "/nonexistent"]
    process.standardInput = input
    if let size {
      terminal = Terminal(columns: size.columns, rows: size.rows)
      let (master, slave) = try Terminal.open()
      var window = winsize(ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
      _ = ioctl(master, UInt(TIOCSWINSZ), &window)
      let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
      process.standardOutput = handle
      process.standardError = handle
      output = master
      try process.run()
      try? handle.close()
    } else {
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = FileHandle(forWritingAtPath: errorFile)
      try process.run()
      output = dup(pipe.fileHandleForReading.fileDescriptor)
      try? pipe.fileHandleForReading.close()
      try? pipe.fileHandleForWriting.close()
    }
    try? input.fileHandleForReading.close()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    closeOutput()
    try? FileManager.default.removeItem(atPath: errorFile)
  }

  func write(_ data: Data) { try? input.fileHandleForWriting.write(contentsOf: data) }
  func closeInput() { try? input.fileHandleForWriting.close() }

  func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// Reads available output for `seconds`; false if there is none, or the end is reached.
  private func read(within seconds: Double) -> Bool {
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, Int32(seconds * 1000)) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(output, &bytes, bytes.count)
    guard count > 0 else { return false }
    pending += bytes[..<count]
    return true
  }

  /// Waits until the process handles a signal according to the system; false if it does not within `seconds`.
  func catches(_ signal: Int32, within seconds: Double) -> Bool {
    let until = Date().addingTimeInterval(seconds)
    repeat {
      #if os(Linux)
        // SigCgt is a mask of 64 bits, in hex; signals count from 1.
        let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let mask = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }.flatMap {
          UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16)
        }
        if let mask, mask >> UInt64(signal - 1) & 1 == 1 { return true }
      #else
        // There is no such file: the process has had time to start.
        if until.timeIntervalSinceNow < seconds - 2 { return true }
      #endif
      Thread.sleep(forTimeInterval: 0.02)
    } while until.timeIntervalSinceNow > 0 && process.isRunning
    return false
  }

  /// The next line, or nil if there is none in time.
  func line(within seconds: Double) -> String? {
    let until = Date().addingTimeInterval(seconds)
    while true {
      if let end = pending.firstIndex(of: 10) {
        let line = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeSubrange(...end)
        return line
      }
      let left = until.timeIntervalSinceNow
      guard left > 0 || seconds == 0, read(within: max(left, 0)) else { return nil }
    }
  }

  /// The terminal's lines after output for `seconds`; the last one has the cursor.
  func screen(after seconds: Double) -> [String] {
    let until = Date().addingTimeInterval(seconds)
    while read(within: max(until.timeIntervalSinceNow, 0)) {}
    terminal?.take(pending)
    pending = []
    return terminal?.lines.map { String($0).trimmingCharacters(in: CharacterSet(charactersIn: " ")) } ?? []
  }

  /// The terminal's lines as soon as they meet the condition; otherwise those after `seconds`, or at the end of the output.
  func screen(within seconds: Double, _ isWanted: ([String]) -> Bool) -> [String] {
    let until = Date().addingTimeInterval(seconds)
    var lines = screen(after: 0)
    while !isWanted(lines), read(within: max(until.timeIntervalSinceNow, 0)) { lines = screen(after: 0) }
    return lines
  }

  /// The exit status; nil if the program is running, and -1 if a signal ended it.
  func status(within seconds: Double) -> Int32? {
    let until = Date().addingTimeInterval(seconds)
    while process.isRunning, until.timeIntervalSinceNow > 0 {
      // A full terminal or pipe would block the program.
      if output >= 0 { _ = read(within: 0.02) } else { Thread.sleep(forTimeInterval: 0.02) }
    }
    guard !process.isRunning else { return nil }
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }

  func errors() -> String { (try? String(contentsOfFile: errorFile, encoding: .utf8)) ?? "" }
}

/// The functions of a terminal that the program uses: lines, carriage returns, clearing to the end of the line, colours; long lines are wrapped.
private struct Terminal {
  let columns: Int
  private(set) var lines: [[Character]] = [[]]
  private var column = 0

  init(columns: Int, rows: Int) { self.columns = columns }

  /// Both ends of a new terminal.
  static func open() throws -> (master: Int32, slave: Int32) {
    #if os(Linux)
      let master = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY)
      // TIOCSPTLCK and TIOCGPTN, because posix_openpt is not available in Swift.
      var (number, locked): (Int32, Int32) = (0, 0)
      guard ioctl(master, 0x4004_5431, &locked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else { throw CocoaError(.fileReadUnknown) }
      return (master, Foundation.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY))
    #else
      let master = posix_openpt(O_RDWR | O_NOCTTY)
      guard grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else { throw CocoaError(.fileReadUnknown) }
      return (master, Foundation.open(name, O_RDWR | O_NOCTTY))
    #endif
  }

  mutating func take(_ bytes: [UInt8]) {
    var escape: String?
    for character in String(decoding: bytes, as: UTF8.self) {
      if let begun = escape {
        escape = begun + String(character)
        if character.isLetter {
          if character == "K" { lines[lines.count - 1].removeSubrange(min(column, lines[lines.count - 1].count)...) }
          escape = nil
        }
        continue
      }
      switch character {
      case "\u{1B}": escape = ""
      case "\r": column = 0
      case "\n", "\r\n":
        lines.append([])
        column = 0
      default:
        if column == columns {
          lines.append([])
          column = 0
        }
        while lines[lines.count - 1].count <= column { lines[lines.count - 1].append(" ") }
        lines[lines.count - 1][column] = character
        column += 1
      }
    }
  }
}
