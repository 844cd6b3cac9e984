import Foundation
import Testing

@testable import Captures

/// Captures from an independent writer: a script that follows the formats' descriptions and shares no code with the readers.
enum Fixtures {
  /// The folder of the script's files; nil without Python.
  static let folder: String? = {
    guard let python = Shared.program("python3") else { return nil }
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Fixtures/make_captures.py"
    let folder = FileManager.default.temporaryDirectory.path + "/btscribe-fixtures-\(getpid())"
    let printed = try? Shared.output(of: python, [script, folder])
    return printed == nil ? nil : folder
  }()

  static let names: [String] = {
    guard let folder, let all = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
    return all.filter { !$0.hasSuffix(".expected") }.sorted()
  }()

  static func bytes(_ name: String) throws -> [UInt8] {
    guard let folder, let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { throw CocoaError(.fileNoSuchFile) }
    return Array(data)
  }

  /// A packet in the form of the script's expectations.
  static func line(_ record: PacketRecord, _ index: Int, _ batch: PacketBatch) -> [String] {
    let direction =
      switch record.direction {
      case .unknown: "-"
      case .sent: "s"
      case .received: "r"
      case .central: "c"
      case .peripheral: "p"
      }
    let payload = batch.payload(record)
    var text = batch.notes.filter { $0.record == index }.map(\.text).joined(separator: "|")
    if record.kind.isNote { text = NoteText.text(record.kind, RawSpan(_unsafeBytes: payload)) }
    if record.kind == .linkLayer || record.kind == .baseband && record.radio != RadioInfo() {
      text = "radio \(record.radio.channel) \(record.radio.signal) \(record.radio.phy) \(record.radio.flags)"
    }
    return [
      "\(record.frame)", "\(record.time)", "\(record.kind.rawValue)", direction, "\(record.adapter)", "\(record.original)",
      "\(record.captured)", payload.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(), text,
    ]
  }
}

@Suite struct FixtureTests {
  @Test(.enabled(if: !Fixtures.names.isEmpty, "needs python3"), arguments: Fixtures.names)
  func asWritten(name: String) throws {
    let folder = try #require(Fixtures.folder)
    let expected = try String(contentsOfFile: "\(folder)/\(name).expected", encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    var options = CaptureOptions()
    options.joinsPieces = name.hasPrefix("join")
    let source = try CaptureFile.open("\(folder)/\(name)", options: options)
    let batch = PacketBatch()
    for pass in 1...2 {
      var found: [[String]] = []
      while try source.read(batch) {
        for (index, record) in batch.records.enumerated() { found.append(Fixtures.line(record, index, batch)) }
      }
      #expect(found.count == expected.count, "pass \(pass)")
      for (ours, theirs) in zip(found, expected) {
        let same = zip(ours, theirs).allSatisfy { $0 == $1 || $1 == "-" }
        #expect(same && ours.count == theirs.count, "pass \(pass)\nfound    \(ours)\nexpected \(theirs)")
      }
      #expect((source.damage != nil) == name.contains("-cut"))
      #expect(try source.rewind())
    }
  }

  @Test(
    .enabled(if: !Fixtures.names.isEmpty, "needs python3"),
    arguments: [
      ("headers.btsnoop", "android-headers"), ("memory.btsnoop", "android-snooz"), ("prohibited.btsnoop", "android-prohibited"),
      ("snaplen.btsnoop", "cut"), ("bugreport-v1.txt", "android-snooz"), ("three-wire.btsnoop", "uart-control"),
    ])
  func limitsAreReported(name: String, limit: String) throws {
    let source = try CaptureFile.open(#require(Fixtures.folder) + "/" + name)
    let batch = PacketBatch()
    while try source.read(batch) {}
    #expect(source.limits.map(\.id).contains(limit))
  }

  /// Of several snoop logs in one text the first is read, and the others are reported.
  @Test(.enabled(if: !Fixtures.names.isEmpty, "needs python3"), arguments: 0...2)
  func otherSnoopLogsAreTold(others: Int) throws {
    let text = try Data(contentsOf: URL(fileURLWithPath: #require(Fixtures.folder) + "/bugreport-v1.txt"))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    try [Data](repeating: text, count: others + 1).reduce(Data(), +).write(to: file)
    let source = try CaptureFile.open(file.path)
    let notices = source.notices.filter { $0.contains("more snoop log") }
    #expect(notices.count == min(others, 1) && (others == 0 || notices[0].contains(others == 1 ? "one more" : "2 more")), "\(notices)")
    let alone = try CaptureFile.open(#require(Fixtures.folder) + "/bugreport-v1.txt")
    #expect(try Shared.lines(of: source) == Shared.lines(of: alone))
  }

  @Test(.enabled(if: !Fixtures.names.isEmpty, "needs python3"))
  func archivesTellWhatTheyTake() throws {
    let source = try CaptureFile.open(#require(Fixtures.folder) + "/bugreport.zip")
    let notice = try #require(source.notices.first)
    #expect(notice.contains("reading FS/data/misc/bluetooth/logs/btsnoop_hci.log: the snoop log; there are also"))
    #expect(notice.contains("btsnoop_hci.log.last") && notice.contains("btsnooz_hci.log"))
    var options = CaptureOptions()
    options.member = "btsnoop_hci.log.last"
    let other = try CaptureFile.open(#require(Fixtures.folder) + "/bugreport.zip", options: options)
    #expect(try Shared.lines(of: other).count == 40)
  }

  @Test(.enabled(if: !Fixtures.names.isEmpty, "needs python3"))
  func dropsAndInterfaces() throws {
    let source = try CaptureFile.open(#require(Fixtures.folder) + "/everything.pcapng")
    let batch = PacketBatch()
    var drops: [UInt32] = []
    while try source.read(batch) { drops += batch.records.map(\.drops) }
    #expect(drops == [0, 0, 3, 3, 3, 3, 15, 15, 15, 15, 18, 18, 18, 18, 30, 30])
    #expect(source.interfaces.map(\.linkType) == [201, 187, 254, 251, 1, 187, 201, 187, 254, 251, 1, 187])
    #expect(source.interfaces.first == CaptureInterface(linkType: 201, name: "hci1", description: "the second"))
  }
}
