import Foundation
import TestSupport
import Testing

/// Comparisons with another program on complete captures. They need tshark and Python, and for most captures a folder of
/// recordings that is not part of the package: `BTSCRIBE_SHARED`, or `shared` beside the package's folder.
@Suite(.serialized) struct OracleTests {
  @Test(
    .enabled(if: Oracle.captures != nil, "no shared captures"),
    .enabled(if: Oracle.hasTools, "no tshark or no python3"))
  func attributeProtocolAgreesWithTshark() throws {
    let folder = try #require(Oracle.captures)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let captures = names.filter { Oracle.hci.contains(($0 as NSString).pathExtension) }.map {
      folder.appendingPathComponent($0).path
    }
    try #require(!captures.isEmpty)
    try Oracle.python("att.py", [Program.path] + captures)
  }

  @Test(.enabled(if: Oracle.hasTools, "no tshark or no python3"))
  func samplesAgreeWithTshark() throws { try Oracle.python("att.py", [Program.path] + Oracle.samples) }

  /// Captures with known keys are decrypted, and tshark agrees with the contents.
  @Test(.enabled(if: Oracle.hasTools, "no tshark or no python3"))
  func decryptedCapturesAgreeWithTshark() throws {
    var captures = ["encrypted", "both-air"].map { Program.root.appendingPathComponent("Samples/\($0).pcapng").path }
    if let folder = Oracle.captures {
      captures += try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter { $0.contains(".pcap") }
        .map { folder.appendingPathComponent($0).path }
    }
    try Oracle.python("decrypt.py", [Program.path] + captures)
  }

  /// Every filter of `Tests/Oracle/filters.txt`: the frames that pass are tshark's.
  @Test(.enabled(if: Oracle.hasTools, "no tshark or no python3"))
  func filtersPassWhatTsharkPasses() throws { try Oracle.python("filters.py", [Program.path] + (Oracle.captures.map { [$0.path] } ?? [])) }

  /// The values of every filter field, in every frame.
  @Test(.enabled(if: Oracle.hasTools, "no tshark or no python3"))
  func fieldsHaveTsharksValues() throws {
    var captures = Oracle.samples
    if let folder = Oracle.captures {
      captures += try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        .filter { Oracle.hci.contains(($0 as NSString).pathExtension) }.map { folder.appendingPathComponent($0).path }
    }
    try Oracle.python("fields.py", [Program.path] + captures)
  }

  /// The values of every filter field, in generated captures in which each one occurs.
  @Test(.enabled(if: Oracle.hasTools, "no tshark or no python3"))
  func generatedFieldsHaveTsharksValues() throws { try Oracle.python("fields.py", [Program.path, "--generated"]) }

  /// Every field name of tshark's Bluetooth protocols is known, or a table has the reason why not.
  @Test(.enabled(if: Oracle.hasTools, "no tshark or no python3"))
  func namesAreKnownOrExplained() throws { try Oracle.python("names.py", [Program.path]) }

  /// `-r`, `-Y` and `-w` together work as in tshark: the same packets are in the file.
  @Test(.enabled(if: Oracle.hasTools, "no tshark or no python3"))
  func packetsThatPassAreWritten() throws {
    let arguments = "-r Samples/gopro.btsnoop -Y 'btatt.opcode == 0x1b'"
    let described = "-T fields -e frame.time_epoch -e frame.len -e btatt.handle -e btatt.value"
    let ours = try Program.shell("btscribe \(arguments) -w $TMP/o.pcapng && tshark -r $TMP/o.pcapng \(described)")
    let theirs = try Program.shell("tshark \(arguments) -w $TMP/t.pcapng && tshark -r $TMP/t.pcapng \(described)")
    #expect(ours.output == theirs.output && ours.output.split(separator: "\n").count == 58)
    #expect(ours.errors.hasPrefix("btscribe: 58 packets of btsnoop (H4) written to $TMP/o.pcapng\n"))
    // Packets before the damage are written, and several captures are merged.
    let broken = try Program.shell("btscribe -q Samples/cut-in-packet.btsnoop -w $TMP/o.btsnoop; echo $?; btscribe summary $TMP/o.btsnoop")
    #expect(broken.output.hasPrefix("65\no.btsnoop: btsnoop (H4), 82 packets"))
    let two = "Samples/gopro.btsnoop Samples/two-cameras.btsnoop"
    let joined = try Program.shell("btscribe \(two) -w - | tshark -r - -T fields -e frame.number 2>/dev/null")
    #expect(joined.output.split(separator: "\n").count == 699)
    #expect(joined.errors.hasPrefix("btscribe: 699 packets of 2 captures written to standard output\n"))
    #expect(try Program.shell("btscribe Samples/gopro.btsnoop -w notes.txt").status == 64)
  }

  @Test(.enabled(if: Oracle.hasTools, "no tshark or no python3"))
  func annotatedSamplesAreWhatTheyWere() throws {
    let samples = try FileManager.default.contentsOfDirectory(atPath: Program.root.appendingPathComponent("Samples").path).sorted()
    let good = ["gopro", "two-cameras", "heart-rate", "hostile-name", "drops", "register", "overtaken", "typed-object"]
    let chosen = samples.filter { name in
      Oracle.hci.contains((name as NSString).pathExtension) && good.contains { name.hasPrefix($0) }
    }
    try #require(chosen.count >= 9)
    try Oracle.python("comments.py", [Program.path] + chosen.map { Program.root.appendingPathComponent("Samples/\($0)").path })
  }

  @Test(
    .enabled(if: Oracle.captures != nil, "no shared captures"),
    .enabled(if: Oracle.hasTools, "no tshark or no python3"))
  func annotatedCapturesAreWhatTheyWere() throws {
    let folder = try #require(Oracle.captures)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let captures = names.filter { Oracle.hci.contains(($0 as NSString).pathExtension) }.map { folder.appendingPathComponent($0).path }
    try #require(!captures.isEmpty)
    try Oracle.python("comments.py", [Program.path] + captures)
  }

  @Test(.enabled(if: Oracle.hasTools, "no tshark or no python3"))
  func redactedCapturesGiveNothingAway() throws {
    // The first packet of a fragmented advertised message is replaced completely: that it is a fragment is known only at the last one.
    var captures = Oracle.samples.filter { !$0.hasSuffix("mesh.btsnoop") }
    if let folder = Oracle.captures {
      captures += try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        .filter { Oracle.hci.contains(($0 as NSString).pathExtension) }.map { folder.appendingPathComponent($0).path }
    }
    try Oracle.python("redact.py", [Program.path] + captures)
  }
}

/// The captures' location, and the runner of scripts in `Tests/Oracle`.
enum Oracle {
  /// Samples of the package that are not damaged on purpose.
  static let samples = [
    "gopro.btsnoop", "gopro-monitor.btsnoop", "two-cameras.btsnoop", "heart-rate.btsnoop", "heart-rate.pklg", "typed-object.pcapng",
    "register.btsnoop", "bnep.btsnoop", "handsfree.btsnoop", "objects.btsnoop", "enhanced.btsnoop", "keyboard.btsnoop",
    "keyboard-le.btsnoop", "le-audio.btsnoop", "ipsp.btsnoop", "vendor.btsnoop", "mesh.btsnoop", "baseband.pcap", "isochronous-air.pcap",
  ].map { Program.root.appendingPathComponent("Samples/\($0)").path }

  static let hci: Set<String> = ["log", "cfa", "pklg", "btsnoop", "pcap", "pcapng"]

  static let captures = SharedFolder.path("captures").map { URL(fileURLWithPath: $0) }

  static let hasTools = ["tshark", "python3"].allSatisfy { tool in
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
    }
  }

  /// Runs a script of `Tests/Oracle`; its output is the test's message, its status the result.
  static func python(_ script: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["python3", Program.root.appendingPathComponent("Tests/Oracle/\(script)").path] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.standardError
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    print(output)
    let status = process.terminationStatus
    #expect(status == 0, "\(output.split(separator: "\n").suffix(30).joined(separator: "\n"))")
  }
}
