import Captures
import FuzzInput

extension FuzzTarget {
  /// The readers of capture formats.
  public static let captures = [
    reader("btsnoop", [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0, 0, 0, 0, 1, 0, 0]),
    reader("pcap", [0xD4, 0xC3, 0xB2, 0xA1]),
    reader("pcapng", [0x0A, 0x0D, 0x0D, 0x0A]),
    reader("packetlogger", []),
    reader("archive", []),
    reader("bugreport", []),
    FuzzTarget(name: "hostile-archive", longest: 512) { bytes in
      var options = CaptureOptions()
      options.joinsPieces = bytes.count & 1 == 1
      if bytes.count % 8 == 3 { options.member = "log" }
      read(HostileArchive.file(bytes), options, shared.value)
    },
  ]

  /// A reader of a capture format: each input begins with the format's magic number, and the rest is the input's.
  private static func reader(_ name: String, _ magic: [UInt8]) -> FuzzTarget {
    FuzzTarget(name: name, longest: magic.isEmpty ? 1024 : 512) { bytes in
      var file = Array(bytes)
      file.replaceSubrange(0..<min(magic.count, file.count), with: magic.prefix(file.count))
      var options = CaptureOptions()
      options.joinsPieces = file.count & 1 == 1
      // Allocating a batch for thousands of packets takes longer than reading a small file, so the batch is reused, as in the
      // program. Some inputs get a new batch, in which the sanitizer detects every access behind the end.
      read(file, options, bytes.count % 8 == 7 ? PacketBatch() : shared.value)
    }
  }

  /// Reads a file twice, if it can be rewound.
  private static func read(_ file: [UInt8], _ options: CaptureOptions, _ batch: PacketBatch) {
    guard let source = try? CaptureFile.open(bytes: file, name: "fuzz", options: options) else { return }
    let first = packets(of: source, in: batch)
    if (try? source.rewind()) == true { check(packets(of: source, in: batch) == first, "a second reading gives something else") }
    batch.removeAll()
  }

  /// A value that cannot be sent between threads, made once: a target runs on one thread.
  private struct Fixed<Value>: @unchecked Sendable { let value: Value }

  private static let shared = Fixed(value: PacketBatch())

  /// Reads all packets with all their bytes; returns a sum over them.
  private static func packets(of source: any PacketSource, in batch: PacketBatch) -> UInt64 {
    var sum: UInt64 = 0
    var count = 0
    while (try? source.read(batch)) == true {
      check(!batch.records.isEmpty, "a batch of no packets")
      for record in batch.records {
        count += 1
        sum = sum &* 31 &+ UInt64(record.frame) ^ UInt64(bitPattern: record.time) ^ UInt64(record.kind.rawValue)
        check(record.payload <= record.captured || record.captured == 0, "a payload behind the packet's end")
        for byte in batch.bytes(record) { sum = sum &* 31 &+ UInt64(byte) }
        sum = sum &+ UInt64(batch.payload(record).count)
        check(Int(record.interface) < source.interfaces.count, "a packet of no interface")
      }
    }
    if let damage = source.damage { check(damage.offset >= 0 && damage.frame >= 1, "damage before the start") }
    _ = (source.title, source.limits, source.notices, source.progress)
    return sum &+ UInt64(count)
  }
}
