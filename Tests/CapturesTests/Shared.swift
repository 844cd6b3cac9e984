import Foundation
import TestSupport
import Testing

@testable import Captures

/// Real captures beside the package, which are not part of it, and the programs to compare with.
enum Shared {
  /// The folder of the captures, if it exists.
  static let captures = SharedFolder.path("captures")

  /// The captures' names.
  static let names: [String] = {
    guard let captures, let all = try? FileManager.default.contentsOfDirectory(atPath: captures) else { return [] }
    return all.filter {
      $0 != "MANIFEST.tsv" && !$0.hasSuffix(".bin")
    }.sorted()
  }()

  /// The path of a program, if it is installed.
  static func program(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static let tshark = program("tshark")

  /// The output of a program.
  static func output(of program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// A packet as text, for comparing: number, time, lengths, direction.
  static func lines(of source: any PacketSource) throws -> [String] {
    let batch = PacketBatch()
    var lines: [String] = []
    while try source.read(batch) {
      for record in batch.records {
        let direction =
          record.direction == .sent || record.direction == .central
          ? "0" : record.direction == .received || record.direction == .peripheral ? "1" : ""
        lines.append("\(record.frame)\t\(record.time)\t\(record.original)\t\(record.captured)\t\(direction)")
      }
    }
    return lines
  }

  /// The same lines from tshark.
  static func tsharkLines(_ path: String) throws -> [String] {
    let fields = [
      "frame.number", "frame.time_epoch", "frame.len", "frame.cap_len", "frame.p2p_dir", "hci_mon.opcode", "packetlogger.type",
      "btle_rf.pdu_type", "nordic_ble.direction",
    ]
    let printed = try output(of: tshark ?? "", ["-n", "-r", path, "-T", "fields"] + fields.flatMap { ["-e", $0] })
    return printed.split(separator: "\n").map { line in
      var columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let time = columns[1].split(separator: ".")
      columns[1] = "\((Int64(time[0]) ?? 0) * 1_000_000 + (Int64(time[1]) ?? 0) / 1000)"
      if let opcode = columns[5].split(separator: ",").first, let number = Int(opcode) {
        columns[4] = [2, 4, 6, 18].contains(number) ? "0" : [3, 5, 7, 19].contains(number) ? "1" : ""
      }
      if let type = Int(columns[6].dropFirst(2), radix: 16) {
        columns[4] = [0, 2, 8, 0x12].contains(type) ? "0" : [1, 3, 9, 0x13].contains(type) ? "1" : ""
      }
      if let type = Int(columns[7]) { columns[4] = type == 2 ? "0" : type == 3 ? "1" : "" }
      if let isFromCentral = Int(columns[8]) { columns[4] = isFromCentral == 1 ? "0" : "1" }
      columns.removeLast(4)
      return columns.joined(separator: "\t")
    }
  }
}
