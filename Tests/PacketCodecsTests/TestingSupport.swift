import Foundation
import PacketCodecs
import TestSupport

/// Bytes from hex digits; spaces are allowed.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { $0 != " " }.compactMap(\.hexDigitValue)
  precondition(digits.count.isMultiple(of: 2))
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

/// A result of a reassembler, copied.
struct Delivery: Equatable, CustomStringConvertible {
  var kind: Reassembled.Kind
  var bytes: [UInt8]
  var tags: [UInt64]
  var pieces: [MessagePiece] = []
  var problems: [ReassemblyProblem] = []
  var surplus = 0

  init(_ kind: Reassembled.Kind, _ bytes: [UInt8], _ tags: [UInt64]) {
    self.kind = kind
    self.bytes = bytes
    self.tags = tags
  }

  init(_ message: Reassembled) {
    kind = message.kind
    bytes = message.bytes.withUnsafeBytes { Array($0) }
    tags = message.tags.indices.map { message.tags[$0] }
    pieces = message.pieces.indices.map { message.pieces[$0] }
    problems = message.problems.indices.map { message.problems[$0] }
    surplus = message.surplus
  }

  /// Equal in kind, bytes and tags.
  static func == (a: Delivery, b: Delivery) -> Bool { a.kind == b.kind && a.bytes == b.bytes && a.tags == b.tags }

  var description: String {
    "\(kind) \(bytes.map { String($0, radix: 16) }.joined(separator: " ")) \(tags) \(problems.map { "\($0.kind)" }) +\(surplus)"
  }
}

/// A reproducible source of random numbers; the tests that use it print its seed.
struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible {
  let seed: UInt64
  private var numbers: SplitMix

  init(seed: UInt64) {
    self.seed = seed
    numbers = SplitMix(state: seed)
  }

  mutating func next() -> UInt64 { numbers.next() }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  var description: String { "seed \(seed)" }

  /// Seeds of a property test: three fixed ones and, if `BTSCRIBE_SEED` is set, that one.
  static var seeds: [UInt64] {
    [1, 0x5eed, 0xb7_5c21be] + (ProcessInfo.processInfo.environment["BTSCRIBE_SEED"].flatMap { UInt64($0) }.map { [$0] } ?? [])
  }
}
