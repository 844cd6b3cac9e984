import Inference
import PacketCodecs

/// Pseudorandom numbers, the same in each run.
struct Chance {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
  mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 24) }
  mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }
  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }
}

/// A stream of values, a second apart by default.
func stream(_ values: [[UInt8]], direction: String = "notify", pause: Int64 = 1_000_000, from: Int64 = 1_750_000_000_000_000) -> ValueStream
{
  var source = StreamSource(.characteristics, direction: direction)
  source.handle = direction == "write" ? 0x10 : 0x12
  source.peer = "c0:ff:ee:00:00:01"
  var stream = ValueStream(source)
  for (index, value) in values.enumerated() { stream.append(value, at: from + Int64(index) * pause) }
  return stream
}

/// A stream of messages that are cut into values with short pauses between them.
func burst(_ messages: [[[UInt8]]], direction: String = "notify") -> ValueStream {
  var source = StreamSource(.characteristics, direction: direction)
  source.handle = 0x12
  var stream = ValueStream(source)
  var time: Int64 = 1_750_000_000_000_000
  for message in messages {
    time += 800_000
    for value in message {
      time += 9000
      stream.append(value, at: time)
    }
  }
  return stream
}

/// Cuts bytes into values of at most `size` bytes.
func cut(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
  stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
}

func infer(_ stream: ValueStream) -> StreamFindings { Inference.run([stream])[0] }

/// A message followed by its CRC-16/MODBUS, low byte first.
func withCRC(_ message: [UInt8]) -> [UInt8] {
  let value = CRC(named: "modbus")?.value(of: message.span.bytes) ?? 0
  return message + [UInt8(value & 255), UInt8(value >> 8 & 255)]
}
