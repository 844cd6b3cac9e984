@_spi(Pipeline) import Analysis
import Conversations

/// Numbers for the contents of steps: `exact` for everything that is compared, `bare` without parts that vary.
struct StepContents {
  /// Ignores data that redaction replaces, and the status of operations: for matching steps whose values are pseudonyms of each other.
  private let ignoresRedacted: Bool
  private var numbers: [UInt64: Int32] = [:]

  /// The contents of a recording's steps.
  struct Contents {
    var exact: [Int32] = []
    var bare: [Int32] = []
  }

  init(ignoresRedacted: Bool = false) { self.ignoresRedacted = ignoresRedacted }

  mutating func contents(
    of recording: Recording, _ keys: [Int32], _ shapes: [StepKeys.Shape], _ variation: Variation, _ latencies: Latencies
  )
    -> Contents
  {
    var result = Contents()
    result.exact.reserveCapacity(keys.count)
    result.bare.reserveCapacity(keys.count)
    // Equal values and messages of a key have the same number in the pool.
    var known: [UInt64: (exact: UInt64, bare: UInt64)] = [:]
    // Positions that vary, by key and number of bytes.
    var masks: [UInt64: UInt64] = [:]
    let streams = shapes.indices.map { variation.isStream(Int32($0), shapes[$0]) }
    for (index, step) in recording.steps.enumerated() {
      let key = keys[index]
      var exact = StepHash()
      exact.add(key)
      if !ignoresRedacted {
        // An operation that was open at the end of the capture may have succeeded.
        exact.add(step.ending == .open ? Operation.Ending.succeeded.rawValue : step.ending.rawValue)
        exact.add(step.ending == .succeeded && step.kind != .disconnect ? 0 : step.status)
        // A slow answer is not equal to those in time.
        if latencies.isSlow(step, key) { exact.add(0x510) }
      }
      let facts = recording.context(step).facts
      if facts >= 0 { recording.details.with(facts) { exact.add($0.extracting(first: 16)) } }
      var bare = exact
      let content = step.message >= 0 ? step.message : step.value
      if content >= 0 {
        let pairKey = UInt64(UInt32(bitPattern: key)) << 32 | UInt64(UInt32(bitPattern: content))
        let both: (exact: UInt64, bare: UInt64)
        if let found = known[pairKey] {
          both = found
        } else {
          both = hashes(recording, step, key, shapes[Int(key)], variation, &masks)
          if known.count < 1 << 16 { known[pairKey] = both }
        }
        exact.add(both.exact)
        bare.add(both.bare)
      }
      result.bare.append(number(bare.value))
      result.exact.append(streams[Int(key)] ? number(bare.value) : number(exact.value ^ 1))
    }
    return result
  }

  private mutating func number(_ hash: UInt64) -> Int32 {
    if let known = numbers[hash] { return known }
    let number = Int32(truncatingIfNeeded: numbers.count)
    numbers[hash] = number
    return number
  }

  private func hashes(
    _ recording: Recording, _ step: Step, _ key: Int32, _ shape: StepKeys.Shape, _ variation: Variation, _ masks: inout [UInt64: UInt64]
  ) -> (exact: UInt64, bare: UInt64) {
    var bare = StepHash()
    if step.message >= 0 {
      var exact = StepHash()
      recording.pool.with(step.message) { bytes in
        MessageRecord.visit(bytes) { piece, _ in
          guard case .field(let path, let value, let traits) = piece else { return }
          exact.add(path)
          if ignoresRedacted {
            bare.add(path)
            if traits.contains(.staysRedacted) { bare.add(value) }
            return
          }
          exact.add(value)
          guard !variation.isOptional(path, key, shape) else { return }
          bare.add(path)
          if !variation.varies(path, key, shape) { bare.add(value) }
        }
      }
      return (exact.value, bare.value)
    }
    return recording.pool.with(step.value) { value in
      if ignoresRedacted {
        let length = StepHash.of(value.extracting(8..<12))
        return (length, length)
      }
      let count = max(value.count - 12, 0)
      let maskKey = UInt64(UInt32(bitPattern: key)) << 32 | UInt64(count)
      let mask: UInt64
      if let known = masks[maskKey] {
        mask = known
      } else {
        mask = variation.varying(of: count, key, shape)
        masks[maskKey] = mask
      }
      bare.add(value.extracting(8..<12))
      var isMasked = false
      for position in 0..<count {
        if position < 64, mask >> UInt64(position) & 1 == 1 {
          isMasked = true
          bare.add(0x100)
        } else {
          bare.add(value[12 + position])
        }
      }
      // The digest covers the rest of long values, unless it contains bytes that vary.
      if !isMasked { bare.add(value.extracting(0..<8)) }
      return (StepHash.of(value), bare.value)
    }
  }
}
