import Captures

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes live packets to a file, or to a ring of files. Each packet is passed to the system before the next one is written, and before it is shown:
/// the file is complete even if the process is killed.
final class Recorder: @unchecked Sendable {
  /// Limits of a file, or of the capture; nil for none. As in Wireshark, a kilobyte is 1000 bytes.
  struct Limits {
    var packets: Int?
    var kilobytes: Int?
    var seconds: Int?
    var files: Int?
  }

  private let path: String
  private let target: CaptureTarget
  private let source: any PacketSource
  private let stop: Limits
  private let ring: Limits?
  private var writer: CaptureWriter
  private var packets = 0
  /// What the full files could not hold.
  private var closedLosses = CaptureLosses()
  /// Packets that a file holds.
  private var written = 0
  /// Total size of the full files.
  private var bytes = 0
  private var number = 1
  /// When the file was started, in µs of a monotonic clock.
  private var begun = LiveStop.now()
  private var names: [String] = []

  /// Opens the first file; with `ring` there are more, one after the other. Throws ``CaptureError`` where it cannot be written, ``CommandError``
  /// where its extension selects no format.
  init(_ path: String, _ source: any PacketSource, stop: Limits, ring: Limits?) throws {
    self.path = path
    self.source = source
    self.stop = stop
    self.ring = ring
    target = try Recorder.target(path)
    let first = ring == nil ? path : Recorder.name(path, 1)
    names = [first]
    writer = try CaptureWriter(to: first, target: target, inPlace: true)
  }

  /// The format for the file's extension. Throws ``CommandError``.
  @discardableResult
  static func target(_ path: String) throws -> CaptureTarget {
    guard let target = CaptureTarget(path: path) else {
      throw CommandError(
        CommandError.Status.usage,
        "the extension of '\(CommandError.clean(path))' selects no format; btscribe live writes .btsnoop and .pcapng")
    }
    return target
  }

  /// `capture.pcapng` → `capture_00001_20260131093000.pcapng`, as Wireshark names files of a ring.
  private static func name(_ path: String, _ number: Int) -> String {
    var now = time(nil)
    var parts = unsafe tm()
    unsafe localtime_r(&now, &parts)
    func padded(_ value: Int32, _ digits: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let stamp =
      unsafe padded(parts.tm_year + 1900, 4) + padded(parts.tm_mon + 1, 2) + padded(parts.tm_mday, 2) + padded(parts.tm_hour, 2)
      + padded(parts.tm_min, 2) + padded(parts.tm_sec, 2)
    let dot = path.lastIndex(of: ".") ?? path.endIndex
    return "\(path[..<dot])_\(padded(Int32(clamping: number), 5))_\(stamp)\(path[dot...])"
  }

  /// Writes packets, and passes each of them to the system. Returns how many were written, and false when a limit is reached.
  func write(_ batch: PacketBatch) throws(CaptureError) -> (written: Int, isMore: Bool) {
    for index in unsafe batch.records.indices {
      if isFull {
        if let files = stop.files, number >= files { return (index, false) }
        try next()
      }
      if try writer.write(index, of: batch, from: source) { written += 1 }
      try writer.flush()
      packets += 1
      if let limit = stop.packets, packets >= limit { return (index + 1, false) }
      if let limit = stop.kilobytes, bytes + writer.size >= limit &* 1000 { return (index + 1, false) }
    }
    return unsafe (batch.records.count, true)
  }

  private var isFull: Bool {
    guard let ring, writer.count > 0 else { return false }
    return ring.kilobytes.map { writer.size >= $0 &* 1000 } ?? false || ring.packets.map { writer.count >= $0 } ?? false
      || ring.seconds.map { LiveStop.now() &- begun >= Int64($0) &* 1_000_000 } ?? false
  }

  private func next() throws(CaptureError) {
    try writer.finish(source: source)
    number += 1
    bytes += writer.size
    closedLosses.add(writer.losses)
    begun = LiveStop.now()
    let name = Recorder.name(path, number)
    writer = try CaptureWriter(to: name, target: target, inPlace: true)
    names.append(name)
    if let limit = ring?.files, names.count > limit { unsafe unlink(names.removeFirst()) }
  }

  /// Ends the last file.
  func finish() throws(CaptureError) { try writer.finish(source: source) }

  /// Prints what the files could not hold. Throws ``CommandError`` where they hold none of the packets.
  func printLosses() throws {
    var losses = closedLosses
    losses.add(writer.losses)
    CaptureParts.printLosses(losses)
    if written == 0, losses.counts[.packets] != nil {
      let name = CommandError.clean(path)
      throw CommandError(CommandError.Status.malformed, "\(name): a capture of this format can have none of the packets of \(source.title)")
    }
  }
}
