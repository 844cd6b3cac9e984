import Captures

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes live packets to a file, or to files in turn; each group of packets is with the system before it is shown.
final class Recorder: @unchecked Sendable {
  private let path: String
  private let target: CaptureTarget
  private let source: any PacketSource
  private let maximumPackets: Int?
  private let stopBytes: Int?
  private let fileBytes: Int?
  private let fileSeconds: Int?
  private let maximumFiles: Int?
  private var writer: CaptureWriter
  private var packets = 0
  private var bytes = 0
  private var number = 0
  private var begun = time(nil)
  private var names: [String] = []

  /// Opens the first file. Throws ``CaptureError`` where it cannot be written, ``Fault`` where its ending tells no format.
  init(_ path: String, _ source: any PacketSource, filesize: Int?, packets: Int?, _ rings: [String: Int]) throws {
    guard let target = CaptureTarget(path: path) else {
      throw Fault(Fault.Status.usage, "the ending of '\(Fault.clean(path))' tells no format; btscribe live writes .btsnoop and .pcapng")
    }
    self.path = path
    self.target = target
    self.source = source
    maximumPackets = packets
    stopBytes = filesize.map { $0 &* 1000 }
    fileBytes = rings["filesize"].map { $0 &* 1000 }
    fileSeconds = rings["duration"]
    maximumFiles = rings["files"]
    let first = rings.isEmpty ? path : Recorder.name(path, 1)
    number = 1
    names = [first]
    writer = try CaptureWriter(to: first, target: target, inPlace: true)
  }

  /// `capture.pcapng` → `capture_00001_20260131093000.pcapng`, as Wireshark names files of a ring.
  private static func name(_ path: String, _ number: Int) -> String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    func padded(_ value: Int32, _ digits: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let stamp =
      padded(parts.tm_year + 1900, 4) + padded(parts.tm_mon + 1, 2) + padded(parts.tm_mday, 2) + padded(parts.tm_hour, 2)
      + padded(parts.tm_min, 2) + padded(parts.tm_sec, 2)
    let dot = path.lastIndex(of: ".") ?? path.endIndex
    return "\(path[..<dot])_\(padded(Int32(clamping: number), 5))_\(stamp)\(path[dot...])"
  }

  /// Writes packets, and hands them to the system. Returns false when enough is written.
  func write(_ batch: PacketBatch) throws(CaptureError) -> Bool {
    for index in batch.records.indices {
      if let fileBytes, bytes >= fileBytes { try next() } else if let fileSeconds, time(nil) - begun >= fileSeconds { try next() }
      try writer.write(index, of: batch, from: source)
      packets += 1
      bytes += batch.records[index].captured + 32
      if let maximumPackets, packets >= maximumPackets { break }
    }
    try writer.flush()
    if let maximumPackets, packets >= maximumPackets { return false }
    if let stopBytes, bytes >= stopBytes { return false }
    return true
  }

  private func next() throws(CaptureError) {
    try writer.finish(source: source)
    number += 1
    bytes = 0
    begun = time(nil)
    let name = Recorder.name(path, number)
    writer = try CaptureWriter(to: name, target: target, inPlace: true)
    names.append(name)
    if let maximumFiles, names.count > maximumFiles { unlink(names.removeFirst()) }
  }

  /// Ends the last file.
  func finish() throws(CaptureError) { try writer.finish(source: source) }
}
