import PacketCodecs

/// Cuts the bytes of messages of one kind into fields.
///
/// Bytes of one number change together: where the low byte keeps its value, so does the high byte, because the number did not change. Bytes of two
/// numbers change independently. For each two neighbours the log likelihood ratio of both cases is computed; the segmentation with the highest sum
/// over the message is taken, once for big-endian and once for little-endian numbers.
struct FieldSegmenter {
  /// A run of bytes that is one field.
  struct Segment: Equatable {
    var offset: Int
    var size: Int
    var endian: ByteOrder?
    /// Whether it extends to the end of longer messages.
    var isOpen = false
  }

  /// Most bytes at the start of messages that are cut into fields.
  static let maxBytes = 512

  /// Prior weights of neighbours and of fields, in bits. They were found by trying values on known protocols; small changes have little effect.
  enum Weights {
    // The first group has the evidence that two neighbours are one number, with the first of the names as its high byte. A byte is always zero (or
    // 0xff), always the same (constant), always small, or it changes (moving).
    static let zeros = 4.0
    static let zeroThenMoving = 1.2
    /// A byte that is always small, next to a zero, is the low byte of a small number.
    static let small = 2.5
    static let movingThenZero = -3.5
    static let constantThenMoving = 0.2
    static let movingThenConstant = -4.5
    static let constants = 1.2
    static let smallConstants = -2.0
    static let smallThenConstant = 0.8
    static let constantThenSmall = 1.2
    static let zeroThenConstant = 0.8
    static let constantThenZero = 0.2
    static let text = 4.0
    static let float = 10.0
    static let entropy = 2.0
    /// How often a low byte has its most frequent value although the number has another.
    static let chance = 0.0075
    /// How often bytes of a number that seldom changes do not change together.
    static let contrary = 0.04
    static let unknown = 0.5
    static let carry = 2.5
    static let spike = 0.1
    /// Where two bytes take nearly as many values as there are messages, there is no evidence of a boundary: none is claimed.
    static let noise = 2.0
    /// A boundary is claimed only if there is evidence of it.
    static let together = 1.0
    /// With less evidence a byte order is not passed on to other kinds and streams.
    static let unsure = 5.5
    /// Least probability of a boundary, over all segmentations, for it to be claimed.
    static let likely = 0.54
    /// GATT's numbers are little-endian (Core, Vol 3, Part G, 2.4): the prior for that order.
    static let lowFirst = 1.0
    /// With fewer distinct messages only those boundaries are claimed that both byte orders have.
    static let few = 8
    /// The bits of neighbours are not independent: they are divided by this number where segmentations are compared.
    static let temper = 1.5

    /// The kind byte, and a neighbour that changes within the kind.
    static let kind = 6.0
    /// The low byte of a counter, and a neighbour that never changes: before the first carry the high bytes are constant.
    static let counter = 1.5
    /// Two changing bytes, each next to the same constant.
    static let alternating = 1.0

    static let size2 = -0.5
    static let size3 = -1.6
    static let size4 = -0.7
    static let size6 = -4.0
    static let size8 = -1.0
    static let otherSize = -7.0
    /// A run of bytes that never change is no number.
    static let constantRun = -0.3

    static func size(_ size: Int) -> Double {
      switch size {
      case 1: 0
      case 2: size2
      case 3: size3
      case 4: size4
      case 6: size6
      case 8: size8
      default: otherSize
      }
    }
  }

  /// Values of each byte by message, -1 where the message is shorter.
  private let values: [[Int16]]
  private let stats: [Stats]
  private let frames: [ArraySlice<UInt8>]
  private let tail: Int
  private let lengths: Set<Int>
  /// Number of bytes of the shortest message.
  let shortest: Int

  private struct Stats {
    var count = 0
    var distinct = 0
    var lowest = 0
    var highest = 0
    var mode: Int16 = -1
    var modeCount = 0
    var entropy = 0.0
    var isText = true
    var isConstant: Bool { distinct <= 1 }
    var isZero: Bool { distinct <= 1 && mode == 0 }
    /// Whether it is (nearly) always 0 or 0xff, as the high byte of a small number is.
    var isFill: Bool { (mode == 0 || mode == 0xff) && (distinct <= 1 || count >= 40 && (count - modeCount) * 40 <= count) }
    /// Whether it takes nearly as many values as random bytes would.
    var isNoise: Bool { count > 1 && entropy > Evidence.randomEntropy(count) - 0.35 }
    /// Whether it is always small, so that the high byte of its number stays zero.
    var isSmall: Bool { isSmall(beside: false) }
    /// The same for a byte next to a single zero, which is most likely its high byte.
    func isSmall(beside isAlone: Bool) -> Bool { highest < (isAlone ? 0x40 : 0x20) }
    /// Whether one value is much more frequent than by chance.
    var isSpiked: Bool { modeCount >= 4 && Double(modeCount) >= Weights.spike * Double(count) }
  }

  /// Takes the messages of a kind in the order of time; `tail` bytes at their ends are left out.
  init(_ frames: [ArraySlice<UInt8>], tail: Int) {
    let longest = min(Self.maxBytes, (frames.map(\.count).max() ?? 0) - tail)
    var columns: [[Int16]] = []
    var stats: [Stats] = []
    for column in 0..<max(0, longest) {
      var bytes: [Int16] = []
      bytes.reserveCapacity(frames.count)
      var counts = [Int](repeating: 0, count: 256)
      for frame in frames {
        if column < frame.count - tail {
          let byte = frame[frame.startIndex + column]
          counts[Int(byte)] += 1
          bytes.append(Int16(byte))
        } else {
          bytes.append(-1)
        }
      }
      var s = Stats()
      for (value, count) in counts.enumerated() where count > 0 {
        if s.count == 0 { s.lowest = value }
        s.count += count
        s.distinct += 1
        s.highest = value
        if count > s.modeCount { (s.mode, s.modeCount) = (Int16(value), count) }
        if !Self.isText(UInt8(value)) { s.isText = false }
      }
      s.entropy = Evidence.entropy(counts)
      columns.append(bytes)
      stats.append(s)
    }
    values = columns
    self.stats = stats
    self.frames = frames
    self.tail = tail
    lengths = Set(frames.map { max(0, $0.count - tail) })
    shortest = min(lengths.min() ?? 0, columns.count)
  }

  /// Number of bytes that are segmented.
  var count: Int { values.count }

  /// Whether a byte is zero in all messages.
  func isZero(_ column: Int) -> Bool { stats.indices.contains(column) && stats[column].isZero }

  /// Whether a byte never changes.
  func isConstant(_ column: Int) -> Bool { column < count && stats[column].isConstant }

  /// Number of distinct values of a byte.
  func distinct(_ column: Int) -> Int { column < count ? stats[column].distinct : 0 }

  private static func isText(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x20, 0x2e, 0x2d, 0x5f, 0x3a, 0x2f, 0x2b, 0x2c: true
    default: false
    }
  }

  /// The log likelihood ratio that each byte and the next one belong to one number rather than two.
  private var links: [(be: Double, le: Double)] { (0..<max(0, count - 1)).map(link) }

  /// Segments the bytes; every offset in `cuts` is a boundary. `whole` has the messages of all kinds, whose kind byte is `kind`. `counter` is a byte
  /// that counts messages, `order` the byte order of numbers, where it is known; `preference` is set to the evidence for big-endian, in bits.
  func segments(
    cuts: Set<Int>, whole: FieldSegmenter?, kind: Int?, counter: Int?, order: ByteOrder? = nil, preference: inout Double
  ) -> [Segment] {
    guard count > 0 else { return [] }
    var links = self.links
    // Within a kind the kind byte is constant: the messages of all kinds determine whether its neighbours belong to it.
    if let whole, let kind {
      for column in [kind - 1, kind] where column >= 0 && column < links.count && column + 1 < whole.count {
        // A neighbour that changes within the kind is probably a field of its own.
        let neighbour = column == kind ? kind + 1 : kind - 1
        let link = whole.link(column)
        let apart = stats[neighbour].isConstant ? 0 : Weights.kind
        links[column] = (link.be - apart, link.le - apart)
      }
    }
    if let counter {
      if counter > 0, counter <= links.count, stats[counter - 1].isConstant { links[counter - 1].be += Weights.counter }
      if counter < links.count, stats[counter + 1].isConstant { links[counter].le += Weights.counter }
    }
    text(&links)
    alternating(&links)
    var cuts = cuts
    var stop = count
    var isFill = false
    if lengths.count > 1 {
      // Elements of one size make lengths that differ by multiples of it; two lengths always do, so more are needed. Otherwise the offsets after the
      // shortest length are not fixed.
      var step = 0
      for length in lengths { step = Self.common(step, length - (lengths.min() ?? 0)) }
      if step >= 2 || step == 1 && areSmall(from: shortest), shortest > 0, lengths.count >= 3 {
        repeatedly(step, &links, &cuts)
      } else {
        stop = max(1, shortest)
        // Zeros up to the end of every message are padding from the first of them.
        if stats[(stop - 1)...].allSatisfy(\.isZero) {
          while stop > 1, stats[stop - 1].isZero { stop -= 1 }
          // The first zero can be the high byte of a small byte before it.
          if stats[stop - 1].isSmall { stop = max(1, shortest) }
          isFill = stop < shortest
        }
      }
    }
    let be = cut(links.map(\.be), cuts, .big, stop)
    let le = cut(links.map(\.le), cuts, .little, stop)
    preference = be.score - le.score - Weights.lowFirst
    let isBig = order.map { $0 == .big } ?? (preference >= 0)
    let endian = isBig ? ByteOrder.big : .little
    var likelihood = Self.likelihood(order == .little ? nil : be, order == .big ? nil : le)
    if order == nil, abs(preference) < Weights.unsure,
      Set(frames.lazy.map { $0.dropLast(tail) }.prefix(256)).count < Weights.few
    {
      let ends = Set((isBig ? le : be).segments.map(\.offset))
      for end in likelihood.indices where !ends.contains(end) { likelihood[end] = 0 }
    }
    var segments = regular(Self.likely(isBig ? be.segments : le.segments, likelihood)).map { segment in
      var segment = segment
      segment.endian = segment.size > 1 ? endian : nil
      return segment
    }
    if stop < count, let last = segments.last {
      let link = endian == .big ? links[stop - 1].be : links[stop - 1].le
      if isFill || link < -8 || stats[stop - 1].isConstant {
        segments.append(Segment(offset: stop, size: count - stop, isOpen: true))
      } else {
        // The remaining bytes are taken as part of the last field.
        segments[segments.count - 1] = Segment(offset: last.offset, size: count - last.offset, isOpen: true)
      }
    }
    return segments
  }

  /// The probability that a field ends at each offset, over all segmentations in the given byte orders.
  private static func likelihood(_ orders: Cut?...) -> [Double] {
    let orders = orders.compactMap { $0 }
    let best = orders.map(\.total).max() ?? 0
    let all = orders.reduce(0) { $0 + Evidence.power($1.total - best) }
    return orders[0].ends.indices.map { end in orders.reduce(0) { $0 + Evidence.power($1.ends[end] - best) } / all }
  }

  /// The segments, joined where a boundary between them is not likely.
  private static func likely(_ segments: [Segment], _ likelihood: [Double]) -> [Segment] {
    var list: [Segment] = []
    for segment in segments {
      if let last = list.last, likelihood[segment.offset] < Weights.likely {
        list[list.count - 1].size = last.size + segment.size
      } else {
        list.append(segment)
      }
    }
    return list
  }

  /// Whether every byte after the end of the shortest message is below 0x20, so that each is taken as a small number.
  private func areSmall(from column: Int) -> Bool {
    count - column <= 16 && stats[column...].allSatisfy { $0.highest < 0x20 } && stats[column...].contains { $0.distinct > 1 }
  }

  /// The segments, with rows of numbers continued into unused elements: after numbers of two or four bytes, elements that are always zero (or have
  /// all bits set: not available) are more of them.
  private func regular(_ segments: [Segment]) -> [Segment] {
    var list: [Segment] = []
    var size = 0
    var run = 0
    for segment in segments {
      let columns = segment.offset..<(segment.offset + segment.size)
      let isMoving = columns.contains { !stats[$0].isConstant }
      if run >= 2, segment.size > size, segment.size % size == 0 {
        let rest = columns.dropFirst(isMoving ? size : 0)
        let fill = rest.first.map { stats[$0].mode } ?? -1
        let isFill = (fill == 0xff || fill == 0 && run >= 3) && rest.allSatisfy { stats[$0].isConstant && stats[$0].mode == fill }
        if isFill {
          for offset in stride(from: segment.offset, to: columns.upperBound, by: size) { list.append(Segment(offset: offset, size: size)) }
          run += segment.size / size
          continue
        }
      }
      if isMoving, segment.size == size {
        run += 1
      } else {
        size = isMoving && (segment.size == 2 || segment.size == 4) ? segment.size : 0
        run = size > 0 ? 1 : 0
      }
      list.append(segment)
    }
    return list
  }

  private static func common(_ a: Int, _ b: Int) -> Int { b == 0 ? a : common(b, a % b) }

  /// Runs of letters and digits belong together.
  private func text(_ links: inout [(be: Double, le: Double)]) {
    var from = 0
    while from < count {
      var to = from
      var variety = 0
      while to < count, stats[to].isText {
        variety += min(stats[to].distinct, 10)
        to += 1
      }
      if to - from >= 3, variety >= 8 + to - from {
        for column in from..<(to - 1) {
          links[column] = (max(links[column].be, 0) + Weights.text, max(links[column].le, 0) + Weights.text)
        }
      }
      from = max(to, from + 1)
    }
  }

  /// Where the same constant is next to each of two changing bytes, it is probably the high byte of both.
  private func alternating(_ links: inout [(be: Double, le: Double)]) {
    func isSame(_ column: Int) -> Bool {
      stats[column].isConstant && stats[column + 2].isConstant && stats[column].mode == stats[column + 2].mode && stats[column].mode != 0
    }
    var column = 0
    while column + 3 < count {
      if isSame(column), !stats[column + 1].isConstant, !stats[column + 3].isConstant {
        links[column].be += Weights.alternating
        links[column + 2].be = max(links[column + 2].be, links[column].be)
      }
      if isSame(column + 1), !stats[column].isConstant, !stats[column + 2].isConstant {
        links[column].le += Weights.alternating
        links[column + 2].le = max(links[column + 2].le, links[column].le)
      }
      column += 1
    }
  }

  /// Elements of `step` bytes after the shortest message: the evidence of all elements is added for each of their bytes.
  private func repeatedly(_ step: Int, _ links: inout [(be: Double, le: Double)], _ cuts: inout Set<Int>) {
    var sums = [(be: Double, le: Double)](repeating: (0, 0), count: step)
    for column in shortest..<max(shortest, count - 1) {
      let index = (column - shortest) % step
      sums[index].be += links[column].be
      sums[index].le += links[column].le
    }
    cuts.insert(shortest)
    for column in shortest..<max(shortest, count - 1) {
      let index = (column - shortest) % step
      if index == step - 1 {
        cuts.insert(column + 1)
      } else {
        links[column] = (max(-25, min(25, sums[index].be)), max(-25, min(25, sums[index].le)))
      }
    }
  }

  // MARK: Neighbours

  /// The log likelihood ratio, in bits, that a byte and the next one belong to one number rather than two: for big-endian and for little-endian.
  private func link(_ column: Int) -> (be: Double, le: Double) {
    let (x, y) = (stats[column], stats[column + 1])
    if x.isConstant, y.isConstant {
      if x.mode == y.mode, x.mode == 0 || x.mode == 0xff { return (Weights.zeros, Weights.zeros) }
      if x.mode == 0 { return (Weights.zeroThenConstant, Weights.constantThenZero) }
      if y.mode == 0 { return (Weights.constantThenZero, Weights.zeroThenConstant) }
      // A small number that never changes is a version, a type or a count.
      let weight =
        switch (x.mode < 0x10, y.mode < 0x10) {
        case (true, true): Weights.smallConstants
        case (true, false): Weights.smallThenConstant
        case (false, true): Weights.constantThenSmall
        case (false, false): Weights.constants
        }
      return (weight, weight)
    }
    if x.isConstant || x.isFill && !y.isFill {
      return x.isFill
        ? (Weights.zeroThenMoving + (y.isSmall(beside: !isZero(column - 1)) ? Weights.small : 0), Weights.movingThenZero)
        : (Weights.constantThenMoving, Weights.movingThenConstant)
    }
    if y.isConstant || y.isFill && !x.isFill {
      return y.isFill
        ? (Weights.movingThenZero, Weights.zeroThenMoving + (x.isSmall(beside: !isZero(column + 2)) ? Weights.small : 0))
        : (Weights.movingThenConstant, Weights.constantThenMoving)
    }
    let (modes, changes, carries) = compare(column)
    let weight = x.isSpiked && y.isSpiked ? Weights.contrary : Weights.unknown
    let isNoise = x.isNoise && y.isNoise
    func mixed(_ bits: Double) -> Double { Evidence.log2((1 - weight) * Evidence.power(min(bits, 55)) + weight) }
    func both(_ a: Double, _ b: Double) -> Double {
      if a * b < 0 { return a + b }
      return abs(a) > abs(b) ? a : b
    }
    var be = both(mixed(modes.be), mixed(changes.be)) + Weights.together + (isNoise ? Weights.noise : 0) + carries.be
    var le = both(mixed(modes.le), mixed(changes.le)) + Weights.together + (isNoise ? Weights.noise : 0) + carries.le
    // The low byte of a number has at least as many values as the high one, in the same number of messages.
    if y.count * 10 < x.count * 9 { return (max(-25, min(25, be)), max(-25, min(25, le))) }
    if x.entropy > y.entropy + 1 { be -= Weights.entropy * (x.entropy - y.entropy - 1) }
    if y.entropy > x.entropy + 1 { le -= Weights.entropy * (y.entropy - x.entropy - 1) }
    return (max(-25, min(25, be)), max(-25, min(25, le)))
  }

  /// Counts of messages in which two neighbours keep or change their values.
  private struct Table {
    var both = 0
    var first = 0
    var second = 0
    var neither = 0

    mutating func add(_ a: Bool, _ b: Bool) {
      if a, b { both += 1 } else if a { first += 1 } else if b { second += 1 } else { neither += 1 }
    }

    var judged: (be: Double, le: Double) {
      (FieldSegmenter.implied(both, high: first, low: second, neither), FieldSegmenter.implied(both, high: second, low: first, neither))
    }
  }

  /// Counts carries: a high byte changes by one while the number changes little, so the low byte has overflowed.
  private struct Carries {
    var seen = 0
    var good = 0

    mutating func add(_ high: Int, _ low: Int) {
      guard abs(high) == 1 else { return }
      seen += 1
      if abs(high * 256 + low) < 0x60 { good += 1 }
    }

    /// In independent bytes one pair in fifteen looks like a carry.
    var bits: Double {
      good >= 3 && good * 5 >= seen * 2 ? min(15, max(0, Weights.carry * Double(good) - Double(seen - good))) : 0
    }
  }

  /// Compares how often both bytes have their most frequent value, and how often they keep their values from the previous message; and the evidence
  /// of carries.
  private func compare(
    _ column: Int
  ) -> (modes: (be: Double, le: Double), changes: (be: Double, le: Double), carries: (be: Double, le: Double)) {
    var modes = Table()
    var changes = Table()
    var (be, le) = (Carries(), Carries())
    let (x, y) = (values[column], values[column + 1])
    let (a, b) = (stats[column].mode, stats[column + 1].mode)
    var before = -1
    for index in x.indices where x[index] >= 0 && y[index] >= 0 {
      modes.add(x[index] == a, y[index] == b)
      if before >= 0 {
        changes.add(x[index] == x[before], y[index] == y[before])
        let (first, second) = (Int(x[index]) - Int(x[before]), Int(y[index]) - Int(y[before]))
        be.add(first, second)
        le.add(second, first)
      }
      before = index
    }
    return (modes.judged, changes.judged, (be.bits, le.bits))
  }

  /// The log likelihood ratio of the counts: that an unchanged low byte implies an unchanged high one, against independence.
  private static func implied(_ both: Int, high: Int, low: Int, _ neither: Int) -> Double {
    let n = Double(both + high + low + neither)
    guard n >= 3 else { return 0 }
    let by = Weights.chance
    // In messages where the number changed, the high byte stays the same with this probability, the low one hardly ever.
    let u = (Double(high) + 0.5) / (Double(high + neither) + 1)
    let s = max(0.001, min(0.995, (Double(both) + 0.5) / (n + 1) - u * by))
    func log(_ x: Double) -> Double { Evidence.log2(max(x, 1e-9)) }
    let same =
      Double(both) * log(s + (1 - s) * u * by) + Double(high) * log((1 - s) * u * (1 - by)) + Double(low) * log((1 - s) * (1 - u) * by)
      + Double(neither) * log((1 - s) * (1 - u) * (1 - by))
    let p = (Double(both + high) + 0.5) / (n + 1)
    let q = (Double(both + low) + 0.5) / (n + 1)
    let two =
      Double(both) * log(p * q) + Double(high) * log(p * (1 - q)) + Double(low) * log((1 - p) * q) + Double(neither)
      * log((1 - p) * (1 - q))
    return same - two
  }

  // MARK: The best cut

  /// Offsets where four bytes are a floating-point number in all messages, with the evidence in bits.
  private func floats(_ endian: ByteOrder) -> [Int: Double] {
    var found: [Int: Double] = [:]
    for column in 0..<max(0, count - 3) {
      let moving = (0..<4).reduce(0) { $0 + (stats[column + $1].distinct >= 2 ? 1 : 0) }
      guard moving >= 1 else { continue }
      let bytes = (0..<4).map { stats[endian == .big ? column + $0 : column + 3 - $0] }
      // Read one byte off, a round float has a fraction whose high bytes are zero although the low ones change.
      if bytes[1].isZero, !bytes[2].isZero || !bytes[3].isZero { continue }
      if bytes[2].isZero, !bytes[3].isZero { continue }
      var good = 0
      var zero = 0
      var seen = 0
      var distinct = Set<UInt64>()
      var decimals = 0
      for frame in frames where column + 4 <= frame.count - tail {
        seen += 1
        guard let bits = frame.number(column, 4, endian) else { break }
        let value = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
        if bits == 0 {
          zero += 1
        } else if value.isFinite, abs(value) > 1e-3, abs(value) < 1e6 {
          good += 1
          if distinct.insert(bits).inserted, Self.isDecimal(value) { decimals += 1 }
        } else {
          break
        }
      }
      guard seen >= 4, good + zero == seen, good * 2 >= seen, distinct.count >= 3 else { continue }
      guard moving >= 2 || decimals == distinct.count else { continue }
      // Behind a byte that never changes, random bytes are a float as well.
      let spread = bytes[1].highest - bytes[1].lowest
      if bytes[0].isConstant, bytes[1].isNoise, spread >= FloatDetector.spread, decimals * 2 < distinct.count { continue }
      // The low byte of a fraction changes more than the one above it; where it hardly changes, it is another field, and the others are an integer.
      if bytes[3].mode != 0, bytes[3].entropy + 1 < bytes[2].entropy, decimals * 2 < distinct.count { continue }
      found[column] = Weights.float + (decimals * 2 >= distinct.count ? min(24, 3 * Double(decimals)) : 0)
    }
    return found
  }

  /// Whether a number is the nearest one to a decimal of three places: of random floats only about one in several hundred is.
  static func isDecimal(_ value: Float) -> Bool {
    let thousandths = (Double(value) * 1000).rounded()
    guard abs(thousandths) < 1e7 else { return false }
    return Float(thousandths / 1000) == value
  }

  /// The segmentation for one byte order.
  private struct Cut {
    /// The best segmentation.
    var segments: [Segment]
    var score: Double
    /// log2 of the sum over all segmentations, and over those in which a field ends at each offset.
    var total: Double
    var ends: [Double]
  }

  /// log2 of the sum of numbers whose log2 is given.
  private static func sum(_ logs: [Double]) -> Double {
    guard let largest = logs.max(), largest > -.infinity else { return -.infinity }
    return largest + Evidence.log2(logs.reduce(0) { $0 + Evidence.power($1 - largest) })
  }

  private func cut(_ links: [Double], _ cuts: Set<Int>, _ endian: ByteOrder, _ stop: Int) -> Cut {
    let floats = floats(endian)
    var zeros = [0]
    var constants = [0]
    for column in stats.indices {
      zeros.append(zeros[column] + (stats[column].isZero ? 1 : 0))
      constants.append(constants[column] + (stats[column].isConstant ? 1 : 0))
    }
    var best = [Double](repeating: -.infinity, count: stop + 1)
    var from = [Int](repeating: 0, count: stop + 1)
    var segmentations: [[(start: Int, bits: Double)]] = [[]]
    var before = [Double](repeating: 0, count: stop + 1)
    best[0] = 0
    for end in 1...max(1, stop) where end <= stop {
      var sum = 0.0
      var start = end - 1
      var starts: [(start: Int, bits: Double)] = []
      while start >= 0, end - start <= 48 {
        if start < end - 1 {
          if cuts.contains(start + 1) { break }
          sum += links[start]
        }
        let size = end - start
        var bits = sum
        if size > 2, zeros[end] - zeros[start] == size {
        } else if constants[end] - constants[start] == size {
          bits += max(Weights.size(size), Weights.constantRun)
        } else {
          bits += Weights.size(size)
        }
        if size == 4, let float = floats[start] { bits = max(sum, 0) + float }
        starts.append((start, bits))
        if best[start] + bits > best[end] + 1e-9 {
          best[end] = best[start] + bits
          from[end] = start
        }
        start -= 1
      }
      before[end] = Self.sum(starts.map { before[$0.start] + $0.bits / Weights.temper })
      segmentations.append(starts)
    }
    // Sums over the segmentations after each offset, from the end.
    var behind = [Double](repeating: -.infinity, count: stop + 1)
    behind[stop] = 0
    for end in stride(from: stop, to: 0, by: -1) {
      for segment in segmentations[end] {
        behind[segment.start] = Self.sum([behind[segment.start], behind[end] + segment.bits / Weights.temper])
      }
    }
    var segments: [Segment] = []
    var end = stop
    while end > 0 {
      let start = from[end]
      segments.append(Segment(offset: start, size: end - start))
      end = start
    }
    return Cut(segments: segments.reversed(), score: best[stop], total: before[stop], ends: zip(before, behind).map { $0 + $1 })
  }
}
