import PacketCodecs

/// Measures the stages that a message passes in PacketCodecs; prints the best of five runs of each.
@main
enum PacketCodecsBenchmark {
  static func main() {
    reassembly()
    streams()
    checksums()
    escapes()
    elements()
  }

  static func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }

  /// Runs `body` five times and prints the best run's time for `count` items of `bytes` bytes in total.
  static func measure(_ name: String, count: Int, bytes: Int = 0, _ body: () -> Int) {
    let clock = ContinuousClock()
    var best = Duration.seconds(1000)
    var sum = 0
    for _ in 0..<5 {
      let time = clock.measure { sum &+= body() }
      best = min(best, time)
    }
    let seconds = Double(best.components.seconds) + Double(best.components.attoseconds) * 1e-18
    var line = pad(name, 44) + pad("\(Int(seconds * 1e9 / Double(count))) ns each", 16)
    line += pad("\(Int(Double(count) / seconds / 1000)) k/s", 14)
    if bytes > 0 { line += "\(Int(Double(bytes) / seconds / 1e6)) MB/s" }
    print(line + (sum == 42 ? " " : ""))
  }

  /// A camera's responses: one message in packets of 20 bytes, a million of them cut from one array.
  static func reassembly() {
    var rules = FragmentRules()
    rules.counter = FragmentRules.Counter(modulo: 16, start: 0)
    for (name, length) in [
      ("GoPro, whole in one packet (10 bytes)", 10), ("GoPro, 3 packets (50 bytes)", 50), ("GoPro, 5 packets (87 bytes)", 87),
    ] {
      var packets: [[UInt8]] = []
      let message = [UInt8](repeating: 7, count: length)
      try? Fragmenter(packetSize: 20).fragment(message.span.bytes) { context, header in
        if context.isFirst {
          header.append(0x20 | UInt8(context.total >> 8))
          header.append(UInt8(context.total & 0xff))
        } else {
          header.append(0x80 | UInt8((context.index - 1) % 16))
        }
      } emit: {
        packets.append($0)
      }
      let flat = packets.flatMap { $0 }
      let bounds = packets.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
      var reassembler = FragmentReassembler(rules)
      let count = 1_000_000
      measure(name, count: count, bytes: count * flat.count) {
        var came = 0
        let bytes = flat.span.bytes
        for _ in 0..<count {
          for packet in 0..<(bounds.count - 1) {
            let from = bounds[packet]
            let to = bounds[packet + 1]
            let first = bytes.unsafeLoad(fromByteOffset: from, as: UInt8.self)
            let role: FragmentRole
            let header: Int
            if first & 0x80 != 0 {
              role = FragmentRole(starts: false, counter: Int(first & 15))
              header = 1
            } else if first >> 5 == 0 {
              role = FragmentRole(starts: true, total: Int(first & 31))
              header = 1
            } else {
              role = FragmentRole(
                starts: true, total: Int(first & 31) << 8 | Int(bytes.unsafeLoad(fromByteOffset: from + 1, as: UInt8.self)))
              header = 2
            }
            reassembler.push(bytes.extracting((from + header)..<to), at: header, role: role, tag: UInt64(packet)) {
              if $0.isComplete { came &+= $0.bytes.byteCount &+ $0.tags.count }
            }
          }
        }
        return came
      }
    }
  }

  static func streams() {
    var rules = StreamRules()
    rules.starts = [[0xdd]]
    rules.ends = [[0x77]]
    let frame: [UInt8] = [0xdd, 0x03, 0x00, 33] + [UInt8](repeating: 1, count: 33) + [0xff, 0xfd, 0x77]
    let count = 300_000
    for (name, size) in [("stream by length, whole in one packet (40)", 40), ("stream by length, packets of 20", 20)] {
      var framer = StreamFramer(rules)
      measure(name, count: count, bytes: count * frame.count) {
        var came = 0
        let bytes = frame.span.bytes
        for _ in 0..<count {
          var at = 0
          while at < bytes.byteCount {
            let to = min(at + size, bytes.byteCount)
            framer.push(bytes.extracting(at..<to), tag: UInt64(at)) {
              $0.byteCount < 4 ? .needs(4) : .total(7 + Int($0.unsafeLoad(fromByteOffset: 3, as: UInt8.self)))
            } deliver: {
              if $0.isComplete { came &+= $0.bytes.byteCount }
            }
            at = to
          }
        }
        return came
      }
    }
  }

  static func checksums() {
    let long = [UInt8](repeating: 0xa5, count: 1 << 20)
    let short = [UInt8](repeating: 0xa5, count: 40)
    for name in [
      "CRC-8/MAXIM-DOW", "CRC-16/MODBUS", "CRC-16/IBM-3740", "CRC-32/ISO-HDLC", "CRC-64/XZ", "CRC-82/DARC", "sum8", "xor8", "fletcher-16",
    ] {
      guard let algorithm = try? ChecksumAlgorithm(parsing: name) else { continue }
      measure(name + ", 1 MiB", count: 1, bytes: long.count) { Int(truncatingIfNeeded: algorithm.value(of: long.span.bytes)) }
      let count = 300_000
      measure(name + ", 40 bytes", count: count, bytes: count * short.count) {
        var sum = 0
        for _ in 0..<count { sum &+= Int(truncatingIfNeeded: algorithm.value(of: short.span.bytes)) }
        return sum
      }
    }
    guard let modbus = try? ChecksumAlgorithm(parsing: "CRC-16/MODBUS") else { return }
    let checksum = Checksum(modbus, byteOrder: .little)
    var frame = short
    checksum.fill(&frame)
    let count = 300_000
    measure("verify CRC-16/MODBUS at the end of 40 bytes", count: count, bytes: count * frame.count) {
      var good = 0
      for _ in 0..<count where checksum.verify(frame.span.bytes).isCorrect { good &+= 1 }
      return good
    }
  }

  static func escapes() {
    let plain = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    for (name, escape) in [("COBS", ByteEscape.cobs), ("SLIP", .slip), ("HDLC", .hdlc()), ("ASCII hex", .asciiHex())] {
      var stuffed: [UInt8] = []
      escape.encode(plain.span.bytes, into: &stuffed)
      var output: [UInt8] = []
      let count = 100_000
      measure(name + " decode, 200 bytes", count: count, bytes: count * stuffed.count) {
        for _ in 0..<count {
          output.removeAll(keepingCapacity: true)
          escape.decode(stuffed.span.bytes, into: &output)
        }
        return output.count
      }
    }
  }

  static func elements() {
    var list: [UInt8] = []
    for tag in UInt8(0)..<20 { TLVFormat.bytes1.append(tag: UInt64(tag), value: [tag, tag, tag, tag].span.bytes, to: &list) }
    let count = 200_000
    let format = TLVFormat.bytes1
    measure("20 elements of 4 bytes", count: count, bytes: count * list.count) {
      var sum = 0
      for _ in 0..<count {
        var reader = TLVReader(format, in: 0..<list.count)
        while let element = try? reader.next(in: list.span.bytes) { sum &+= element.value.count }
      }
      return sum
    }
    let message: [UInt8] = [0x08, 0x96, 0x01, 0x12, 0x03, 1, 2, 3, 0x1d, 0, 0, 0x80, 0x3f, 0x20, 1]
    measure("protobuf, 4 fields", count: count, bytes: count * message.count) {
      var sum = 0
      for _ in 0..<count {
        var reader = ProtobufReader(in: 0..<message.count)
        while let field = try? reader.next(in: message.span.bytes) { sum &+= field.range.count }
      }
      return sum
    }
  }
}
