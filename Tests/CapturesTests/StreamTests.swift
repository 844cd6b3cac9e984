import Foundation
import Testing

@testable import Captures

/// The same capture as a file, through a pipe, over TCP, in pieces, compressed, and while it is being written.
@Suite(.serialized) struct StreamTests {
  /// A btsnoop file of `count` events.
  private static func capture(_ count: Int) -> [UInt8] {
    var bytes = BtsnoopReader.magic
    bytes.big32(1)
    bytes.big32(1002)
    for number in 0..<count {
      let packet: [UInt8] = [4, 0x0E, 4, 1, 3, 0x0C, UInt8(truncatingIfNeeded: number)]
      bytes.big32(UInt32(packet.count))
      bytes.big32(UInt32(packet.count))
      bytes.big32(3)
      bytes.big32(0)
      bytes.big64(UInt64(bitPattern: BtsnoopReader.epoch + Int64(number)))
      bytes += packet
    }
    return bytes
  }

  /// Android's btsnooz_hci.log has the header of btsnoop, and small records without a time of day.
  @Test func aFileOfTheMemoryLog() throws {
    var bytes = BtsnoopReader.magic
    bytes.big32(1)
    bytes.big32(1002)
    let records: [(UInt8, [UInt8])] = [(0x20, [3, 0x0C, 0]), (0x10, [0x0E, 4, 1, 3, 0x0C, 0]), (0x21, [0x40, 0x20, 1, 0, 0xAA])]
    for (type, packet) in records {
      // The length is one more, for the type; the whole length is that before the packet was cut.
      bytes += [UInt8(packet.count + 1), 0, UInt8(packet.count + 3), 0, 0x40, 0x42, 0x0F, 0, type] + packet
    }
    let source = try CaptureFile.open(bytes: bytes, name: "btsnooz_hci.log")
    let batch = PacketBatch()
    var (kinds, times, sizes): ([PacketKind], [Int64], [Int]) = ([], [], [])
    while try source.read(batch) {
      for record in unsafe batch.records {
        kinds.append(record.kind)
        times.append(record.time)
        sizes.append(record.original)
      }
    }
    #expect(source.title == "btsnooz of Android" && source.limits.map(\.id).contains("no-time-of-day"))
    #expect(kinds == [.command, .event, .acl] && times == [0, 1_000_000, 2_000_000] && sizes == [6, 9, 8])
    // The same header before records of btsnoop.
    #expect(try CaptureFile.open(bytes: Self.capture(3), name: "btsnoop_hci.log").title.hasPrefix("btsnoop (H4"))
  }

  /// zlib keeps output that does not fit: it is returned even when there is no more input.
  @Test(arguments: [1, 7, 100, 257, 258, 1000, 31_999, 32_000, 40_000])
  func unpackedInPiecesOf(_ size: Int) throws {
    // 3000 times "btscribe ", and 5000 zeros, as raw deflate data.
    let packed: [UInt8] =
      [0xED, 0xC6, 0xB1, 0x0D, 0x00, 0x10, 0x14, 0x05, 0x40, 0xA3, 0x98, 0xED, 0x89, 0x42, 0xEB, 0xDB, 0x3F, 0xA6, 0x90, 0x28, 0xEE, 0xAA]
      + [0xCB, 0xA9, 0xB1, 0x57, 0x66, 0x8F] + [UInt8](repeating: 0x88, count: 51) + [0xC8, 0xDF, 0x69, 0, 0, 0, 0, 0xC0, 0x73, 0x17]
    #expect(packed.count == 89)
    func unpack(_ packed: [UInt8]) throws -> (bytes: [UInt8], trouble: String?) {
      let input = InflateInput(MemoryInput(packed, path: "packed"), wrapper: .none, path: "packed")
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: size)
      while case let count = try buffer.withUnsafeMutableBytes({ try input.read(into: $0) }), count > 0 { bytes += buffer[..<count] }
      return (bytes, input.trouble)
    }
    let whole = try unpack(packed)
    #expect(whole.bytes == Array(String(repeating: "btscribe ", count: 3000).utf8) + [UInt8](repeating: 0, count: 5000))
    #expect(whole.trouble == nil)
    for end in stride(from: 1, to: packed.count, by: 8) {
      let cut = try unpack(Array(packed[..<end]))
      #expect(cut.trouble == "the compressed data are cut short")
      // The amount of output does not depend on the buffer's size.
      let input = InflateInput(MemoryInput(Array(packed[..<end]), path: "packed"), wrapper: .none, path: "packed")
      #expect(try input.all(limit: 1 << 20) == cut.bytes, "\(end) bytes")
    }
  }

  private func file(_ bytes: [UInt8]) throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/btscribe-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func count(_ source: any PacketSource) throws -> Int {
    let batch = PacketBatch()
    var count = 0
    while try source.read(batch) {
      for record in batch.records {
        #expect(record.time == Int64(count) && batch.payload(record).last == UInt8(truncatingIfNeeded: count))
        count += 1
        #expect(record.frame == count)
      }
    }
    #expect(source.damage == nil)
    return count
  }

  @Test func manyBatchesAreOneCapture() throws {
    let path = try file(Self.capture(50_000))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let source = try CaptureFile.open(path)
    #expect(try count(source) == 50_000)
    #expect(try source.rewind())
    #expect(try count(source) == 50_000)
  }

  @Test func throughAPipe() throws {
    let path = try file(Self.capture(20_000))
    let pipe = path + ".pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    defer {
      try? FileManager.default.removeItem(atPath: path)
      try? FileManager.default.removeItem(atPath: pipe)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "cat '\(path)' > '\(pipe)'"]
    try process.run()
    let source = try CaptureFile.open(pipe)
    #expect(try count(source) == 20_000)
    #expect(try !source.rewind())
    process.waitUntilExit()
  }

  @Test(.enabled(if: Shared.program("python3") != nil, "needs python3"))
  func overTCP() throws {
    let path = try file(Self.capture(3000))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Shared.program("python3") ?? "")
    process.arguments = [
      "-c",
      """
      import socket, sys, time
      server = socket.create_server(('127.0.0.1', 0))
      server.settimeout(20)
      print(server.getsockname()[1], flush=True)
      peer = server.accept()[0]
      data = open(sys.argv[1], 'rb').read()
      for at in range(0, len(data), 1000):
          peer.sendall(data[at:at + 1000])
      """, path,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }
    var output = Data()
    while output.last != 10 {
      let more = pipe.fileHandleForReading.availableData
      if more.isEmpty { break }
      output += more
    }
    let port = try #require(Int(String(decoding: output.dropLast(), as: UTF8.self)))
    #expect(try count(CaptureFile.open("tcp:127.0.0.1:\(port)")) == 3000)
    process.waitUntilExit()
    #expect(throws: CaptureError.self) { try CaptureFile.open("tcp:127.0.0.1") }
    #expect(throws: CaptureError.self) { try CaptureFile.open("tcp:127.0.0.1:\(port)") }
  }

  @Test func whileItIsWritten() throws {
    let bytes = Self.capture(100)
    let path = try file(Array(bytes[..<1000]))
    defer { try? FileManager.default.removeItem(atPath: path) }
    var options = CaptureOptions()
    options.follow = true
    let source = try CaptureFile.open(path, options: options)
    let batch = PacketBatch()
    var seen = 0
    while seen < 31 {
      #expect(try source.read(batch))
      seen += batch.records.count
    }
    #expect(seen == 31)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: bytes[1000...])
    while seen < 100 {
      #expect(try source.read(batch))
      seen += batch.records.count
    }
    #expect(batch.records.last?.frame == 100)
    // A truncated file has ended.
    try handle.truncate(atOffset: 16)
    #expect(try !source.read(batch))
  }

  @Test func recordsMayBeLongerThanABatch() throws {
    var bytes = Self.capture(1)
    let long = [4] + [UInt8](repeating: 7, count: 3 << 20)
    bytes.big32(UInt32(long.count))
    bytes.big32(UInt32(long.count))
    bytes.big32(3)
    bytes.big32(0)
    bytes.big64(UInt64(bitPattern: BtsnoopReader.epoch))
    bytes += long
    let source = try CaptureFile.open(bytes: bytes, name: "long")
    let batch = PacketBatch()
    var sizes: [Int] = []
    while try source.read(batch) { sizes += batch.records.map(\.captured) }
    #expect(sizes == [7, long.count])
  }

  @Test func notACaptureIsCalledWhatItIs() throws {
    let cases: [([UInt8], String)] = [
      ([], "an empty file"), ([UInt8](repeating: 0, count: 100), "nothing but zero bytes"), ([0xFF, 0xD8, 0xFF, 0xE0], "a JPEG picture"),
      (Array("<!DOCTYPE html><html>".utf8), "an HTML page"), (Array("hello\n".utf8), "text"), (Array("%PDF-1.4".utf8), "a PDF document"),
      ([0x01, 0x03, 0x0C, 0x00, 0x04, 0x0E], "data of no known kind"), ([0x1F, 0x8B, 8, 0] + [UInt8](repeating: 0, count: 20), ""),
    ]
    for (bytes, what) in cases {
      do {
        _ = try CaptureFile.open(bytes: bytes, name: "it")
        Issue.record("\(what) was opened")
      } catch {
        switch error {
        case .unknownFormat(_, let message): #expect(message == what)
        case .malformed: #expect(what.isEmpty)
        default: Issue.record("\(error)")
        }
      }
    }
    let folder = FileManager.default.temporaryDirectory.path
    #expect(throws: CaptureError.unreadable(path: folder, reason: "it is a directory")) { try CaptureFile.open(folder) }
    #expect(throws: CaptureError.self) { try CaptureFile.open(folder + "/no such file") }
  }

  /// An output file appears complete or not at all.
  @Test func filesAreWrittenWholeOrNotAtAll() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/btscribe-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/out.pcapng"
    try Data("before".utf8).write(to: URL(fileURLWithPath: path))
    let source = try CaptureFile.open(bytes: Self.capture(10), name: "it")
    let batch = PacketBatch()
    #expect(try source.read(batch))
    do {
      let writer = try CaptureWriter(to: path, target: CaptureTarget(.pcapng))
      for index in batch.records.indices { try writer.write(index, of: batch, from: source) }
      try writer.flush()
      #expect(FileManager.default.contents(atPath: path) == Data("before".utf8))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["out.pcapng"])
    let writer = try CaptureWriter(to: path, target: CaptureTarget(.pcapng))
    for index in batch.records.indices { try writer.write(index, of: batch, from: source) }
    try writer.finish()
    #expect(try Shared.lines(of: CaptureFile.open(path)).count == 10)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["out.pcapng"])
    #expect(throws: CaptureError.self) { try CaptureWriter(to: folder + "/none/x.pcap", target: CaptureTarget(.pcap)) }
  }

  /// Another program may have made a shared pipe nonblocking: EAGAIN is neither the end nor an error.
  @Test func aNonblockingPipeIsWaitedFor() throws {
    var ends: [Int32] = [0, 0]
    #expect(unsafe pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    #expect(fcntl(reading, F_SETFL, fcntl(reading, F_GETFL) | O_NONBLOCK) == 0)
    let input = FileInput(descriptor: reading, path: "pipe")
    let sent = (0..<200).map { UInt8($0) }
    let writer = Thread {
      for byte in sent { _ = unsafe [byte].withUnsafeBytes { unsafe write(writing, $0.baseAddress, 1) } }
      close(writing)
    }
    writer.start()
    var received: [UInt8] = []
    while case let piece = try input.piece(upTo: 16), !piece.isEmpty { received += piece }
    #expect(received == sent)
  }

  @Test func timesOfTheCommandLine() {
    #expect(TimePoint("1970-01-01T00:00:00Z") == .absolute(0))
    #expect(TimePoint("2026-01-31T09:30:00.123456Z") == .absolute(1_769_851_800_123_456))
    #expect(TimePoint("2024-02-29 23:59") == .absolute(1_709_251_140_000_000))
    #expect(TimePoint("1999-12-31") == .absolute(946_598_400_000_000))
    #expect(TimePoint("1769851800.25") == .absolute(1_769_851_800_250_000))
    #expect(TimePoint("+12.5") == .relative(12_500_000))
    for text in ["", "+", "x", "2026-13-01", "2026-01-01T25:00", "1.x", "-5", "2026-01-01T10", "99999999999999999999"] {
      #expect(TimePoint(text) == nil, "\(text)")
    }
  }
}
