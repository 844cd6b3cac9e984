import Bluetooth
import Captures
import Foundation
import TestSupport
import Testing

@testable import Conversations

/// The ATT PDUs of real sniffer captures are those that tshark finds.
@Suite struct LinkLayerOracleTests {
  /// The captures beside the package, if they exist.
  private static let folder = SharedFolder.path("captures")

  private static let tshark: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    return folders.map { "\($0)/tshark" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  private static let names: [String] = {
    guard let folder, tshark != nil, let all = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
    return all.filter { name in ["homewsn", "mikeryan", "whad-team", "opendroneid"].contains { name.hasPrefix($0) } }.sorted()
  }()

  /// Frames that tshark wrongly decodes as ATT PDUs: retransmissions of the Link Layer, which it does not detect where it does not know the
  /// sender (and once where it does), or damaged ones, with a wrong CRC.
  private static let notOurs = [
    "homewsn__bsniffhub__sc-justworks-fragments-assembly-ltk-BD27012E93C195F13B8F176FE84A2DED.pcap": [50],
    "mikeryan__crackle__le_secure_connections.pcapng": [60], "whad-team__whad-client__ble_pairing.pcap": [133],
    "whad-team__whad-client__pairing_dec.pcap": [133],
    "mikeryan__crackle__numeric_pin.pcap": [26],
  ]

  @Test(.enabled(if: !names.isEmpty, "needs tshark and the shared captures"), arguments: names)
  func sameAttributePDUs(name: String) throws {
    let path = try #require(Self.folder) + "/" + name
    var ours: [Int: String] = [:]
    let source = try CaptureFile.open(path)
    var tracker = ConversationTracker(.rows)
    let batch = RowBatch()
    while try source.read(batch.packets) {
      tracker.process(batch)
      for row in batch.rows where row.layer == .att {
        ours[row.frame] = "\(row.opcode) \(row.flags.contains(.hasAttribute) ? Int(row.attributeHandle) : -1)"
      }
    }
    var theirs: [Int: String] = [:]
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.tshark ?? "")
    process.arguments = [
      "-n", "-r", path, "-o", #"uat:user_dlts:"User 0 (DLT=147)","btle","0","","0","""#, "-T", "fields", "-e", "frame.number", "-e",
      "btatt.opcode", "-e", "btatt.handle",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let printed = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    for line in printed.split(separator: "\n") {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard let frame = Int(columns[0]), let opcode = Int(columns[1].split(separator: ",").first?.dropFirst(2) ?? "", radix: 16) else {
        continue
      }
      let handles = columns[2].split(separator: ",")
      // PDUs with lists of attributes have several handles, and none of their own.
      let handle = handles.count == 1 ? Int(handles[0].dropFirst(2), radix: 16) ?? -1 : -1
      theirs[frame] = "\(opcode) \(handle)"
    }
    for frame in Self.notOurs[name] ?? [] { theirs[frame] = nil }
    #expect(ours.keys.sorted() == theirs.keys.sorted())
    for (frame, pdu) in theirs {
      let found = try #require(ours[frame], "frame \(frame)")
      let (opcode, handle) = (pdu.split(separator: " "), found.split(separator: " "))
      #expect(opcode[0] == handle[0], "frame \(frame)")
      if opcode[1] != "-1" && handle[1] != "-1" { #expect(opcode[1] == handle[1], "frame \(frame)") }
    }
  }
}
