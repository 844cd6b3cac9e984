import PacketCodecs

/// Finds frames whose bytes are escaped: COBS between zeros, SLIP, HDLC, or a start and an end byte that an escape byte replaces elsewhere.
enum EscapeDetector {
  struct Found {
    var escape: EscapeFinding
    /// The unescaped frames, with delimiters that the rule does not remove.
    var frames: [[UInt8]]
    var check: CheckFinding?
  }

  /// Most frames in which an escape byte is looked for.
  private static let maxFrames = 400
  /// Most bytes that are tried as the escape byte, each with a search for a checksum of the unescaped frames.
  private static let maxTried = 6

  /// The escape rule that all frames obey; nil where there is none. `budget` bounds the search for checksums in them.
  static func find(_ frames: [ArraySlice<UInt8>], _ budget: CheckBudget) -> Found? {
    guard frames.count >= 2, let last = frames[0].last else { return nil }
    return last == 0 || last == 0xc0 || last == 0x7e ? known(frames, last, budget) : between(frames, budget) ?? doubled(frames, budget)
  }

  /// The unescaped frames; nil where a frame does not obey the rule.
  static func decode(_ frames: [ArraySlice<UInt8>], _ escape: EscapeFinding) -> [[UInt8]]? {
    var decoded: [[UInt8]] = []
    for frame in frames {
      if escape.delimiter > 0 {
        let delimiter = escape.delimiter
        guard frame.count > 2 * delimiter, let plain = decode(frame.dropFirst(delimiter).dropLast(delimiter), escape.rule) else {
          return nil
        }
        decoded.append(frame.prefix(delimiter) + plain + frame.suffix(delimiter))
      } else {
        guard let last = frame.last else { return nil }
        var body = frame.dropLast()
        if body.first == last { body = body.dropFirst() }
        guard let plain = decode(body, escape.rule) else { return nil }
        decoded.append(plain)
      }
    }
    return decoded
  }

  // MARK: Escapes with a name

  private static func known(_ frames: [ArraySlice<UInt8>], _ last: UInt8, _ budget: CheckBudget) -> Found? {
    // The delimiter ends all frames, and is nowhere else except possibly at their start.
    for frame in frames {
      guard frame.count >= 3, frame.last == last, !frame.dropFirst().dropLast().contains(last) else { return nil }
    }
    let (name, rule): (String, ByteEscape) = last == 0 ? ("cobs", .cobs) : last == 0xc0 ? ("slip", .slip) : ("hdlc", .hdlc())
    let escape = EscapeFinding(name: name, rule: rule)
    guard let decoded = decode(frames, escape) else { return nil }
    // Without an escaped byte there is no evidence of escapes; COBS always gives evidence.
    let isShown = last == 0 || zip(frames, decoded).contains { $0.count > $1.count + 2 }
    guard isShown else { return nil }
    return Found(escape: escape, frames: decoded, check: CheckDetector.find(decoded.map { $0[...] }, budget))
  }

  // MARK: An escape byte between a start and an end byte

  /// Frames that begin and end with bytes that occur nowhere else, with an escape byte before each escaped byte, which is XORed with a mask. The mask
  /// is the same for both delimiters, the escape byte itself and other escaped bytes. Without a checksum that holds in the unescaped frames, both
  /// delimiters and the escape byte must have been seen, and the mask must be a single bit.
  private static func between(_ frames: [ArraySlice<UInt8>], _ budget: CheckBudget) -> Found? {
    guard frames.count >= 8, let start = frames[0].first, let end = frames[0].last else { return nil }
    var followers = [[UInt8: Int]](repeating: [:], count: 256)
    var positions = [Set<Int>](repeating: [], count: 256)
    for (number, frame) in frames.enumerated() {
      guard frame.count >= 4, frame.first == start, frame.last == end else { return nil }
      let middle = frame.dropFirst().dropLast()
      guard !middle.contains(start), !middle.contains(end) else { return nil }
      guard number < maxFrames else { continue }
      var at = middle.startIndex
      while at < middle.endIndex {
        let next = at + 1 < middle.endIndex ? middle[at + 1] : end
        followers[Int(middle[at])][next, default: 0] += 1
        positions[Int(middle[at])].insert(at - middle.startIndex)
        at += 1
      }
    }
    var candidates: [(byte: UInt8, mask: UInt8, seen: Int)] = []
    for value in 0..<256 where !followers[value].isEmpty && followers[value].count <= 4 && followers[value][end] == nil {
      let byte = UInt8(value)
      for code in followers[value].keys.sorted() {
        for candidate in Set([start, end, byte]).sorted() {
          let mask = code ^ candidate
          let meant = followers[value].keys.map { $0 ^ mask }
          let delimiters = meant.count { $0 == start || $0 == end || $0 == byte }
          guard mask != 0, meant.allSatisfy({ followers[Int($0)].isEmpty || $0 == byte }), delimiters + 1 >= meant.count else { continue }
          if !candidates.contains(where: { $0.byte == byte && $0.mask == mask }) { candidates.append((byte, mask, delimiters)) }
        }
      }
    }
    candidates.sort { $0.seen != $1.seen ? $0.seen > $1.seen : ($0.byte, $0.mask) < ($1.byte, $1.mask) }
    var best: (found: Found, good: Int)?
    for candidate in candidates.prefix(maxTried) {
      let rule = ByteEscape.xored(escape: candidate.byte, mask: candidate.mask, bytes: start == end ? [start] : [start, end])
      let name = "\(hex([candidate.byte])) and the byte XOR \(hex([candidate.mask]))"
      let escape = EscapeFinding(name: name, rule: rule, start: [start], end: [end])
      guard let decoded = decode(frames, escape) else { continue }
      let check = CheckDetector.find(decoded.map { $0[...] }, budget)
      let good = check.map { check in decoded.count { check.checksum.verify($0.rawSpan).isCorrect } } ?? 0
      let isChecked = (check?.confidence ?? 0) >= 0.9 && good * 100 >= decoded.count * 98
      let isShown = candidate.seen == 3 && positions[Int(candidate.byte)].count >= 3 && candidate.mask.nonzeroBitCount == 1
      guard isChecked || isShown else { continue }
      if best.map({ good > $0.good }) ?? true {
        best = (Found(escape: escape, frames: decoded, check: isChecked ? check : nil), good)
      }
    }
    return best?.found
  }

  // MARK: A byte that is doubled

  /// Frames between DLE STX and DLE ETX, or other bytes like these: the first byte of both is doubled wherever it occurs between them.
  private static func doubled(_ frames: [ArraySlice<UInt8>], _ budget: CheckBudget) -> Found? {
    guard let start = frames.first?.prefix(2), let end = frames.first?.suffix(2), start.count == 2, start.first == end.first,
      let escape = start.first, start.last != escape, end.last != escape
    else { return nil }
    var seen = 0
    for frame in frames {
      guard frame.count >= 5, frame.starts(with: start), frame.suffix(2).elementsEqual(end) else { return nil }
      var body = frame.dropFirst(2).dropLast(2)
      while let at = body.firstIndex(of: escape) {
        guard at + 1 < body.endIndex, body[at + 1] == escape else { return nil }
        seen += 1
        body = body[(at + 2)...]
      }
    }
    // A single pair can be chance; three without a single unpaired byte are not.
    guard seen >= 3 else { return nil }
    let finding = EscapeFinding(name: "\(hex([escape])) is doubled", rule: .doubled(escape), start: Array(start), end: Array(end))
    guard let decoded = decode(frames, finding) else { return nil }
    return Found(escape: finding, frames: decoded, check: CheckDetector.find(decoded.map { $0[...] }, budget))
  }

  private static func decode(_ body: ArraySlice<UInt8>, _ rule: ByteEscape) -> [UInt8]? {
    if rule == .cobs {
      var out: [UInt8] = []
      var at = body.startIndex
      while at < body.endIndex {
        let code = Int(body[at])
        guard code > 0, at + code <= body.endIndex else { return nil }
        out += body[(at + 1)..<(at + code)]
        at += code
        if code < 255, at < body.endIndex { out.append(0) }
      }
      return out
    }
    var out: [UInt8] = []
    let bytes = Array(body)
    return rule.decode(bytes.rawSpan, into: &out) == nil ? out : nil
  }
}
