import Memory

/// A regular expression over bytes for `matches`: the part of Perl's syntax that filters use, ignoring case. It is run as a nondeterministic
/// automaton, so that the time is bounded for any expression and packet.
struct FilterRegex: Sendable {
  /// An error in an expression.
  struct Failure: Error {
    var offset: Int
    var what: String
  }

  private enum Op: UInt8 { case set, split, jump, start, end, boundary, notBoundary, lineStart, lineEnd, accept }

  private struct Step: Sendable {
    var op: Op
    /// Index of a set, or of the next step.
    var a: Int32 = 0
    var b: Int32 = 0
  }

  private var steps: [Step] = []
  private var effort = 0
  /// Sets of bytes, 256 bits each.
  private var sets: [SIMD4<UInt64>] = []

  private static let maximumSteps = 8192
  private static let maximumDepth = 50

  /// Compiles a pattern. Throws ``Failure``.
  init(_ pattern: [UInt8]) throws(Failure) {
    var parser = Parser(pattern)
    let node = try parser.alternatives(0)
    if parser.at < pattern.count { throw Failure(offset: parser.at, what: "a closing parenthesis without an opening one") }
    try emit(node)
    try add(Step(op: .accept))
  }

  // MARK: Syntax

  private indirect enum Node {
    case empty
    case set(SIMD4<UInt64>)
    case sequence([Node])
    case choice([Node])
    case repeated(Node, Int, Int?)
    case assertion(Op)
  }

  private struct Parser {
    let pattern: [UInt8]
    var at = 0
    var ignoresCase = true
    var isDotAll = false
    var isMultiline = false

    init(_ pattern: [UInt8]) { self.pattern = pattern }

    private var peek: UInt8? { at < pattern.count ? pattern[at] : nil }

    private mutating func accept(_ byte: Unicode.Scalar) -> Bool {
      guard peek == UInt8(ascii: byte) else { return false }
      at += 1
      return true
    }

    mutating func alternatives(_ depth: Int) throws(Failure) -> Node {
      if depth > maximumDepth { throw Failure(offset: at, what: "too many parentheses within each other") }
      var choices = [try sequence(depth)]
      while accept("|") { choices.append(try sequence(depth)) }
      return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func sequence(_ depth: Int) throws(Failure) -> Node {
      var nodes: [Node] = []
      while let byte = peek, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
        let start = at
        var node = try atom(depth)
        var quantifiers = 0
        while let bounds = try quantifier() {
          quantifiers += 1
          if quantifiers > maximumDepth { throw Failure(offset: start, what: "too many repetitions of repetitions") }
          if case .assertion = node { throw Failure(offset: start, what: "nothing to repeat") }
          node = .repeated(node, bounds.0, bounds.1)
          // The lazy and the possessive forms match the same texts.
          if !accept("?") { _ = accept("+") }
        }
        nodes.append(node)
      }
      return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func quantifier() throws(Failure) -> (Int, Int?)? {
      if accept("*") { return (0, nil) }
      if accept("+") { return (1, nil) }
      if accept("?") { return (0, 1) }
      guard peek == UInt8(ascii: "{") else { return nil }
      let start = at
      at += 1
      let low = number()
      var high = low
      if accept(",") { high = number() }
      // Braces that are no quantifier are literal.
      guard let low, accept("}") else {
        at = start
        return nil
      }
      let isOpen = pattern[at - 2] == UInt8(ascii: ",")
      if low > 1000 || (high ?? 0) > 1000 { throw Failure(offset: start, what: "more than 1000 repetitions") }
      if let high, high < low { throw Failure(offset: start, what: "a repetition that ends before it starts") }
      return (low, isOpen ? nil : high)
    }

    private mutating func number() -> Int? {
      var value: Int?
      while let byte = peek, (48...57).contains(byte) {
        value = min((value ?? 0) * 10 + Int(byte) - 48, 100_000)
        at += 1
      }
      return value
    }

    private mutating func atom(_ depth: Int) throws(Failure) -> Node {
      let start = at
      let byte = pattern[at]
      at += 1
      switch byte {
      case UInt8(ascii: "("): return try group(start, depth)
      case UInt8(ascii: "["): return .set(try brackets(start))
      case UInt8(ascii: "."): return .set(isDotAll ? ~SIMD4() : ~Self.only(10))
      case UInt8(ascii: "^"): return .assertion(isMultiline ? .lineStart : .start)
      case UInt8(ascii: "$"): return .assertion(isMultiline ? .lineEnd : .end)
      case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"): throw Failure(offset: start, what: "nothing to repeat")
      case UInt8(ascii: "\\"): return try escape(start)
      default: return .set(folded(Self.only(byte)))
      }
    }

    private mutating func group(_ start: Int, _ depth: Int) throws(Failure) -> Node {
      let outer = (ignoresCase, isDotAll, isMultiline)
      if accept("?") {
        var isOn = true
        flags: while true {
          guard let byte = peek else { throw Failure(offset: start, what: "a group without end") }
          at += 1
          switch byte {
          case UInt8(ascii: "i"): ignoresCase = isOn
          case UInt8(ascii: "s"): isDotAll = isOn
          case UInt8(ascii: "m"): isMultiline = isOn
          case UInt8(ascii: "-"): isOn = false
          case UInt8(ascii: ":"): break flags
          // Switches without a colon apply to the end of their group.
          case UInt8(ascii: ")"): return .empty
          default: throw Failure(offset: start, what: "a kind of group that is not supported")
          }
        }
      }
      let node = try alternatives(depth + 1)
      guard accept(")") else { throw Failure(offset: start, what: "( without )") }
      (ignoresCase, isDotAll, isMultiline) = outer
      return node
    }

    private mutating func escape(_ start: Int) throws(Failure) -> Node {
      guard let byte = peek else { throw Failure(offset: start, what: "a backslash at the end") }
      switch byte {
      case UInt8(ascii: "b"), UInt8(ascii: "B"):
        at += 1
        return .assertion(byte == UInt8(ascii: "b") ? .boundary : .notBoundary)
      case UInt8(ascii: "A"), UInt8(ascii: "z"), UInt8(ascii: "Z"):
        at += 1
        return .assertion(byte == UInt8(ascii: "A") ? .start : .end)
      case UInt8(ascii: "1")...UInt8(ascii: "9"): throw Failure(offset: start, what: "references to groups are not supported")
      default: return .set(folded(try escapedSet(start)))
      }
    }

    /// The byte set of an escape; `at` is after the backslash.
    private mutating func escapedSet(_ start: Int) throws(Failure) -> SIMD4<UInt64> {
      guard let byte = peek else { throw Failure(offset: start, what: "a backslash at the end") }
      at += 1
      switch byte {
      case UInt8(ascii: "d"): return Self.range(48, 57)
      case UInt8(ascii: "D"): return ~Self.range(48, 57)
      case UInt8(ascii: "w"): return Self.word
      case UInt8(ascii: "W"): return ~Self.word
      case UInt8(ascii: "s"): return Self.range(9, 13) | Self.only(32)
      case UInt8(ascii: "S"): return ~(Self.range(9, 13) | Self.only(32))
      case UInt8(ascii: "h"): return Self.only(9) | Self.only(32)
      case UInt8(ascii: "n"): return Self.only(10)
      case UInt8(ascii: "r"): return Self.only(13)
      case UInt8(ascii: "t"): return Self.only(9)
      case UInt8(ascii: "f"): return Self.only(12)
      case UInt8(ascii: "v"): return Self.only(11)
      case UInt8(ascii: "a"): return Self.only(7)
      case UInt8(ascii: "e"): return Self.only(27)
      case UInt8(ascii: "0"): return Self.only(0)
      case UInt8(ascii: "x"):
        var value = 0
        var digits = 0
        let braced = accept("{")
        while digits < 2, let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue {
          value = value * 16 + digit
          at += 1
          digits += 1
        }
        if braced, !accept("}") { throw Failure(offset: start, what: "\\x{…} of more than a byte") }
        return Self.only(UInt8(truncatingIfNeeded: value))
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        throw Failure(offset: start, what: "\\\(Character(Unicode.Scalar(byte))) is not supported")
      default: return Self.only(byte)
      }
    }

    private mutating func brackets(_ start: Int) throws(Failure) -> SIMD4<UInt64> {
      let isNegated = accept("^")
      var set = SIMD4<UInt64>()
      var isFirst = true
      while true {
        guard let byte = peek else { throw Failure(offset: start, what: "[ without ]") }
        if byte == UInt8(ascii: "]"), !isFirst {
          at += 1
          break
        }
        isFirst = false
        if byte == UInt8(ascii: "["), at + 1 < pattern.count, pattern[at + 1] == UInt8(ascii: ":") {
          set |= try posixClass(start)
          continue
        }
        let offset = at
        let low = try member(start)
        guard peek == UInt8(ascii: "-"), at + 1 < pattern.count, pattern[at + 1] != UInt8(ascii: "]"), let first = Self.single(low) else {
          set |= low
          continue
        }
        at += 1
        guard let last = Self.single(try member(start)), first <= last else { throw Failure(offset: offset, what: "not a range") }
        set |= Self.range(first, last)
      }
      set = folded(set)
      return isNegated ? ~set : set
    }

    private mutating func member(_ start: Int) throws(Failure) -> SIMD4<UInt64> {
      guard let byte = peek else { throw Failure(offset: start, what: "[ without ]") }
      at += 1
      if byte != UInt8(ascii: "\\") { return Self.only(byte) }
      if peek == UInt8(ascii: "b") {
        at += 1
        return Self.only(8)
      }
      return try escapedSet(at - 1)
    }

    private mutating func posixClass(_ start: Int) throws(Failure) -> SIMD4<UInt64> {
      let name = at + 2
      var end = name
      while end < pattern.count, pattern[end] != UInt8(ascii: ":") { end += 1 }
      at = end + 2
      guard at <= pattern.count, pattern[end + 1] == UInt8(ascii: "]") else { throw Failure(offset: start, what: "[: without :]") }
      switch String(decoding: pattern[name..<end], as: UTF8.self) {
      case "digit": return Self.range(48, 57)
      case "alpha": return Self.range(65, 90) | Self.range(97, 122)
      case "alnum": return Self.range(48, 57) | Self.range(65, 90) | Self.range(97, 122)
      case "upper": return Self.range(65, 90)
      case "lower": return Self.range(97, 122)
      case "space": return Self.range(9, 13) | Self.only(32)
      case "xdigit": return Self.range(48, 57) | Self.range(65, 70) | Self.range(97, 102)
      case "print": return Self.range(32, 126)
      case "punct": return Self.range(33, 47) | Self.range(58, 64) | Self.range(91, 96) | Self.range(123, 126)
      case "cntrl": return Self.range(0, 31) | Self.only(127)
      default: throw Failure(offset: name, what: "no such class of characters")
      }
    }

    /// Adds the other case of every letter, if case is ignored.
    private func folded(_ set: SIMD4<UInt64>) -> SIMD4<UInt64> {
      guard ignoresCase else { return set }
      let letters: UInt64 = 0x07FF_FFFE
      let upper = set[1] & letters
      let lower = set[1] >> 32 & letters
      var result = set
      result[1] |= upper << 32 | lower
      return result
    }

    private static let word = range(48, 57) | range(65, 90) | range(97, 122) | only(95)

    static func only(_ byte: UInt8) -> SIMD4<UInt64> {
      var set = SIMD4<UInt64>()
      set[Int(byte >> 6)] = 1 << UInt64(byte & 63)
      return set
    }

    static func range(_ first: UInt8, _ last: UInt8) -> SIMD4<UInt64> {
      var set = SIMD4<UInt64>()
      for byte in first...last { set |= only(byte) }
      return set
    }

    /// The only byte of a set, if it has just one.
    static func single(_ set: SIMD4<UInt64>) -> UInt8? {
      var found: UInt8?
      for index in 0..<4 where set[index] != 0 {
        if found != nil || set[index].nonzeroBitCount != 1 { return nil }
        found = UInt8(index * 64 + set[index].trailingZeroBitCount)
      }
      return found
    }
  }

  // MARK: Program

  private mutating func add(_ step: Step) throws(Failure) {
    if steps.count >= Self.maximumSteps { throw Failure(offset: 0, what: "the expression is too large") }
    steps.append(step)
  }

  private var next: Int32 { Int32(steps.count) }

  private mutating func emit(_ node: Node) throws(Failure) {
    // Repetitions of nothing add no steps, but take time.
    effort += 1
    if effort > 8 * Self.maximumSteps { throw Failure(offset: 0, what: "the expression is too large") }
    switch node {
    case .empty: break
    case .set(let set):
      sets.append(set)
      try add(Step(op: .set, a: Int32(sets.count - 1)))
    case .assertion(let op): try add(Step(op: op))
    case .sequence(let nodes): for node in nodes { try emit(node) }
    case .choice(let nodes):
      var ends: [Int] = []
      for (index, node) in nodes.enumerated() {
        if index == nodes.count - 1 {
          try emit(node)
          break
        }
        let split = steps.count
        try add(Step(op: .split, a: next + 1))
        try emit(node)
        ends.append(steps.count)
        try add(Step(op: .jump))
        steps[split].b = next
      }
      for end in ends { steps[end].a = next }
    case .repeated(let node, let low, let high):
      for _ in 0..<low { try emit(node) }
      if let high {
        var splits: [Int] = []
        for _ in low..<high {
          splits.append(steps.count)
          try add(Step(op: .split, a: next + 1))
          try emit(node)
        }
        for split in splits { steps[split].b = next }
      } else {
        let split = steps.count
        try add(Step(op: .split, a: next + 1))
        try emit(node)
        try add(Step(op: .jump, a: Int32(split)))
        steps[split].b = next
      }
    }
  }

  // MARK: Run

  /// Memory of a run, which is reused.
  struct Threads {
    fileprivate var current: [Int32] = []
    fileprivate var following: [Int32] = []
    fileprivate var stack: [Int32] = []
    /// Position plus one at which a step was last entered.
    fileprivate var entered: [Int] = []
  }

  /// The expression matches somewhere in `text`.
  func matches(_ text: BorrowedBytes, _ threads: inout Threads) -> Bool {
    if threads.entered.count < steps.count {
      threads.entered = Array(repeating: 0, count: steps.count)
    } else {
      for index in 0..<steps.count { threads.entered[index] = 0 }
    }
    threads.current.removeAll(keepingCapacity: true)
    var at = 0
    while true {
      // A match may start anywhere.
      if enter(0, at, text, &threads) { return true }
      guard at < text.count else { return false }
      let byte = text[at]
      swap(&threads.current, &threads.following)
      threads.current.removeAll(keepingCapacity: true)
      at += 1
      for index in threads.following.indices {
        let step = threads.following[index]
        let set = sets[Int(steps[Int(step)].a)]
        if set[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1, enter(step + 1, at, text, &threads) { return true }
      }
    }
  }

  /// Follows the steps that consume no byte, from `first` on. Returns true at the end of the expression.
  private func enter(_ first: Int32, _ at: Int, _ text: BorrowedBytes, _ threads: inout Threads) -> Bool {
    threads.stack.removeAll(keepingCapacity: true)
    threads.stack.append(first)
    while let index = threads.stack.popLast() {
      if threads.entered[Int(index)] == at + 1 { continue }
      threads.entered[Int(index)] = at + 1
      let step = steps[Int(index)]
      switch step.op {
      case .accept: return true
      case .set: threads.current.append(index)
      case .jump: threads.stack.append(step.a)
      case .split:
        threads.stack.append(step.b)
        threads.stack.append(step.a)
      default: if holds(step.op, at, text) { threads.stack.append(index + 1) }
      }
    }
    return false
  }

  private func holds(_ op: Op, _ at: Int, _ text: BorrowedBytes) -> Bool {
    switch op {
    case .start: return at == 0
    // The end, or before a newline that is the last byte.
    case .end: return at == text.count || at == text.count - 1 && text[at] == 10
    case .lineStart: return at == 0 || text[at - 1] == 10
    case .lineEnd: return at == text.count || text[at] == 10
    default:
      let before = at > 0 && Self.isWord(text[at - 1])
      let after = at < text.count && Self.isWord(text[at])
      return (before != after) == (op == .boundary)
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
  }
}
