import Foundation
import Testing

/// Facts that a first-time user has to find in a minute: which device it is, what the app did, what failed.
@Suite struct NewcomerTests {
  /// A capture with expected parts of `summary` and `operations`. The name is a sample's path, or the start of a shared capture's name.
  struct Capture: CustomTestStringConvertible, Sendable {
    var name: String
    var summary: [String]
    var operations: [String]

    var testDescription: String { name }
  }

  static let samples = [
    Capture(
      name: "Samples/gopro.btsnoop",
      summary: [
        "GoPro 4821", "GoPro, Inc.", "paired, 5 subscriptions, 20 writes", "gopro             53 messages", "insufficient authentication",
      ],
      operations: ["✗ write          wifi-power", "HERO12 Black", "set shutter: mode on", "66 operations, 2 refused or failed"]),
    Capture(
      name: "Samples/heart-rate.btsnoop",
      summary: ["Pulse HR 07", "Heart Rate", "connection lost: connection timeout (0x08)", "restored #171"],
      operations: ["battery-level", "95 %", "bpm, contact detected", "✗ disconnect", "application error (0x80)"]),
  ]

  static let sharedCaptures = [
    Capture(
      name: "csacca__", summary: ["HORIZON 7.4AT", "horizon-treadmill", "console-out", "notifications"],
      operations: ["HORIZON 7.4AT", "subscribe      console-out", "write          console-in", "26 characteristics"]),
    Capture(
      name: "ajesler__",
      summary: ["PLAYBULB CANDLE", "playbulb", "7 writes without response", "left: connection terminated by local host"],
      operations: ["connect", "colour", "white 0, red 255, green 113, blue 80", "nothing was prepared"]),
    Capture(
      name: "whoisbe__",
      summary: ["🔑 Model Y", "Inspire 3", "page timeout (0x04); likely: the device did not answer", "encrypted from #669"],
      operations: ["✗ connect", "page timeout (0x04)", "145 bytes in 2 parts", "attribute not found (0x0a)"]),
  ]

  /// Where a capture is possible, shells complete files beside commands.
  @Test func completionOffersCaptures() throws {
    let bash = try Program.shell(
      """
      bash <<'END'
      eval "$(btscribe --generate-completion-script bash)" || exit 99
      for word in Samples/gopro.b redac; do
        COMP_WORDS=(btscribe $word) COMP_CWORD=1 COMP_LINE="btscribe $word" COMP_POINT=${#COMP_LINE} COMPREPLY=()
        _btscribe btscribe $word btscribe; echo ${COMPREPLY[@]}
      done
      END
      """)
    #expect(bash.output == "Samples/gopro.btsnoop\nredact\n", "\(bash.output)\(bash.errors)")
    for (shell, line) in [("zsh", "_files && ret=0"), ("fish", "\"btscribe\" -eq 1' -F")] {
      let script = try Program.shell("btscribe --generate-completion-script \(shell)").output
      #expect(script.contains(line), "\(shell)")
    }
  }

  @Test(arguments: samples)
  func samplesAreExplained(_ capture: Capture) throws { try check(capture, at: capture.name) }

  @Test(.enabled(if: Oracle.captures != nil, "no shared captures"), arguments: sharedCaptures)
  func sharedCapturesAreExplained(_ capture: Capture) throws {
    let folder = try #require(Oracle.captures)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let name = try #require(names.sorted().first { $0.hasPrefix(capture.name) }, "no \(capture.name) among the shared captures")
    try check(capture, at: folder.appendingPathComponent(name).path)
  }

  private func check(_ capture: Capture, at path: String) throws {
    for (command, words) in [("summary", capture.summary), ("operations", capture.operations)] {
      let (status, output, errors) = try Program.shell("btscribe \(command) '\(path)'")
      #expect(status == 0 && errors.isEmpty, "\(errors)")
      for word in words { #expect(output.contains(word), "\(command) does not say \(word)") }
    }
  }

  // MARK: No false positives

  /// All warnings and errors in the available captures, each verified in its bytes. Any other one is a false positive, or a new one to verify.
  static let judged: [String: [String]] = [
    // The link was lost, as the log shows.
    "FrankHJCuypers__": ["connection-lost 570"],
    // The link was lost; later the phone's user declined to pair with a television.
    "crossnite__": ["connection-lost 1824", "pairing-failed 2807"],
    "danisla__": ["connection-lost 397"],
    "corbanvilla__": ["connection-lost 527", "connection-lost 1328"],
    "nick0451__": ["connection-lost 15796"],
    "wangdalian__": ["connection-lost 6709"],
    // LL_ENC_REQ right after the Pairing Response: no public key, confirm, random or DHKey check.
    "Matheus-Garbelini__sweyntooth_bluetooth_low_energy_attacks__anomaly_nxp_unexpected_encryption_start": ["encrypted-in-pairing 62"],
    // LMP_encryption_key_size_req with 7 bytes, accepted, in each connection after the first.
    "francozappa__bluffs__lsc": [875, 1254, 1656, 2068, 2533, 2910].map { "key-short \($0)" },
  ]

  @Test(.enabled(if: Oracle.captures != nil, "no shared captures"))
  func noFalseAlarms() throws {
    let folder = try #require(Oracle.captures)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { Oracle.hci.contains(($0 as NSString).pathExtension) }
    try #require(!names.isEmpty)
    for name in names {
      let (_, output, _) = try Program.shell("btscribe timeline --format ndjson '\(folder.appendingPathComponent(name).path)'")
      let found = try output.split(separator: "\n").filter { $0.hasPrefix("{\"kind\":\"warning\"") }.compactMap { line -> String? in
        let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let id = row?["name"] as? String, let frame = row?["frame"] as? Int, row?["severity"] as? String != "note" else { return nil }
        return "\(id) \(frame)"
      }
      let judged = Self.judged.first { name.hasPrefix($0.key) }?.value ?? []
      #expect(found == judged, "\(name)")
    }
  }
}
