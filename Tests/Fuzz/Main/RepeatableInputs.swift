import FuzzInput
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Inputs for one target that depend only on a seed and on the first inputs. libFuzzer's next input depends on the code that earlier inputs reached,
/// and therefore on the machine and on caches that live longer than an input.
struct RepeatableInputs {
  private let target: FuzzTarget
  private let firstInputs: [[UInt8]]
  private var random: SplitMix

  /// Edge values of lengths and signed numbers.
  private static let edges: [UInt64] = [
    0, 1, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 63, .max,
  ]

  /// Inputs for `target`, derived from `firstInputs`, which may be empty.
  init(_ target: FuzzTarget, seed: UInt64, firstInputs: [[UInt8]]) {
    self.target = target
    self.firstInputs = firstInputs.isEmpty ? [[]] : firstInputs.map { Array($0.prefix(target.longest)) }
    random = SplitMix(state: seed)
  }

  /// Runs the target with each first input unchanged, and then with changed ones, `count` inputs in all. The current input is in `file`, so that it
  /// can be read after the target has ended the program. An input that takes longer than 20 seconds ends the program too.
  mutating func run(_ count: Int, file: String) {
    let descriptor = open(file, O_RDWR | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { fatalError("\(file) cannot be written") }
    for number in 0..<count {
      let input = number < firstInputs.count ? firstInputs[number] : changed()
      guard input.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == input.count,
        ftruncate(descriptor, off_t(input.count)) == 0
      else { fatalError("\(file) cannot be written") }
      alarm(20)
      target.run(input)
    }
    alarm(0)
    close(descriptor)
    unlink(file)
  }

  /// A first input with up to eight changes.
  private mutating func changed() -> [UInt8] {
    var input = firstInputs.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...8, using: &random) { change(&input) }
    return Array(input.prefix(target.longest))
  }

  private mutating func change(_ input: inout [UInt8]) {
    func offset(_ random: inout SplitMix) -> Int { Int.random(in: 0...input.count, using: &random) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      guard let at = input.indices.randomElement(using: &random) else { return }
      input[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1:
      guard let at = input.indices.randomElement(using: &random) else { return }
      input[at] = UInt8.random(in: 0...255, using: &random)
    case 2:
      guard let at = input.indices.randomElement(using: &random) else { return }
      input[at] &+= Bool.random(using: &random) ? 1 : 255
    case 3:
      // An edge value of one to eight bytes, in either byte order.
      let width = 1 << Int.random(in: 0...3, using: &random)
      guard input.count >= width, let edge = Self.edges.randomElement(using: &random) else { return }
      let at = Int.random(in: 0...input.count - width, using: &random)
      let isBigEndian = Bool.random(using: &random)
      for byte in 0..<width { input[at + (isBigEndian ? width - 1 - byte : byte)] = UInt8(truncatingIfNeeded: edge >> UInt64(8 * byte)) }
    case 4:
      let run = (0..<Int.random(in: 1...16, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      input.insert(contentsOf: run, at: offset(&random))
    case 5:
      let ends = [offset(&random), offset(&random)].sorted()
      input.removeSubrange(ends[0]..<min(ends[1], ends[0] + 16))
    case 6:
      // A part of another input, or of this one.
      guard let other = firstInputs.randomElement(using: &random), !other.isEmpty else { return }
      let start = Int.random(in: 0..<other.count, using: &random)
      input.insert(contentsOf: other[start..<min(start + Int.random(in: 1...64, using: &random), other.count)], at: offset(&random))
    default:
      // Truncate the input.
      input.removeLast(Int.random(in: 0...min(input.count, 8), using: &random))
    }
  }
}

/// The bytes of a file; nil if it cannot be read.
func bytes(ofFile path: String) -> [UInt8]? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  var all: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&piece, 1, piece.count, file)
    guard count > 0 else { return all }
    all += piece[..<count]
  }
}
