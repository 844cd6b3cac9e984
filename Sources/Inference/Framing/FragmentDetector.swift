import PacketCodecs

/// Finds headers of packets that give the packet's position in its message.
enum FragmentDetector {
  struct Found {
    var fragment: FragmentFinding
    /// Packets without this header would fit it by chance with a probability of 2^-bits.
    var bits: Double
    /// Whether the evidence is weak (few different messages, or only some kinds of packets), so that the claim is reported as likely at most.
    var isWeak = false
    /// Further bits of evidence from a byte of the header that is the size of the packet: as many as the length field of messages of one packet
    /// gives.
    var sized = 0.0
  }

  /// The evidence, in bits, that packets are cut into messages as `segmentation` says: only the last packet of a message is shorter than the others,
  /// and packets of a message follow each other faster than messages do. Negative where the packets contradict.
  static func structure(_ segmentation: Segmentation, _ stream: ValueStream) -> Double {
    var multi = 0
    var inner = 0
    var filled = 0
    var within: [Int64] = []
    var between: [Int64] = []
    var shortLast = 0
    for (index, message) in segmentation.messages.enumerated() {
      if index > 0 { between.append(message.time - segmentation.messages[index - 1].end) }
      guard message.packets.count > 1 else { continue }
      multi += 1
      let first = stream.size(message.packets.lowerBound)
      for packet in message.packets.dropLast() {
        inner += 1
        if stream.size(packet) == first { filled += 1 }
        within.append(stream.time(packet + 1) - stream.time(packet))
      }
      if stream.size(message.packets.upperBound - 1) < first { shortLast += 1 }
      if stream.size(message.packets.upperBound - 1) > first { filled -= message.packets.count }
    }
    guard multi > 0, inner > 0 else { return 0 }
    var bits = 0.0
    let share = Double(max(0, filled)) / Double(inner)
    if share > 0.97 {
      // It is weak evidence that all values but the last of each message have one size if all values have it.
      bits += Set((0..<min(stream.count, 500)).map { stream.size($0) }).count > 1 ? min(12, 2 * Double(inner)) : 1
      bits += min(6, Double(shortLast))
    } else if share < 0.5 {
      bits -= 8
    }
    bits += pauses(within, between, multi)
    return bits
  }

  /// The evidence of the pauses, in bits: within a message they are shorter than between messages. Negative where they are not.
  private static func pauses(_ within: [Int64], _ between: [Int64], _ multi: Int) -> Double {
    guard within.count >= 2, between.count >= 2 else { return 0 }
    let share = shorter(within, between)
    if share >= 0.97 { return min(16, 4 + Double(multi)) }
    if share >= 0.9 { return 4 }
    if share < 0.75 { return -12 }
    return -3
  }

  /// The probability that a pause within a message is shorter than a pause between two messages, from 0 to 1.
  static func shorter(_ within: [Int64], _ between: [Int64]) -> Double {
    let sorted = between.sorted()
    var sum = 0.0
    for pause in within {
      var low = 0
      var high = sorted.count
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] <= pause { low = middle + 1 } else { high = middle }
      }
      sum += Double(sorted.count - low) / Double(sorted.count)
    }
    return sum / Double(within.count)
  }

  /// The bit fields of a byte of the header that are tried as the number of a packet or of packets.
  private static let parts: [(shift: Int, mask: UInt8)] = [(0, 0xff), (4, 0x0f), (0, 0x0f), (0, 0x7f), (0, 0x3f), (0, 0x1f)]

  /// The headers that packets may have, the most plausible first.
  static func find(_ stream: ValueStream, limit: Int) -> [Found] {
    let count = min(stream.count, limit)
    guard count >= 4 else { return [] }
    let conditional = conditional(stream, count)
    var shortest = Int.max
    for index in 0..<count { shortest = min(shortest, stream.size(index)) }
    // Acknowledgments among the packets can be one byte long.
    var found = [conditional, numbered(stream, count)].compactMap(\.self).sorted { $0.bits > $1.bits }
    guard shortest >= 2 else { return found.filter { $0.bits > 12 } }
    for offset in 0..<min(8, shortest) {
      for part in parts {
        if let index = index(BitPart(offset: offset, shift: part.shift, mask: part.mask), stream, count, shortest) { found.append(index) }
      }
      found += states(offset, stream, count)
    }
    found += lengthFirst(stream, count)
    for index in found.indices { extend(&found[index], stream, limit, shortest) }
    for index in found.indices where found[index].bits > 12 && repeats(found[index].fragment, stream, count) { found[index].bits = 0 }
    return found.filter { $0.bits > 12 }.sorted { $0.bits > $1.bits }
  }

  // MARK: Numbers of packets

  /// A bit field that counts the packets of a message, up from 0 or 1, or down to it.
  private static func index(_ part: BitPart, _ stream: ValueStream, _ count: Int, _ shortest: Int) -> Found? {
    var values: [Int] = []
    values.reserveCapacity(count)
    for packet in 0..<count { values.append(part.value(stream.value(packet)) ?? 0) }
    guard let low = values.min(), low <= 1 else { return nil }
    var best: Found?
    for down in [false, true] {
      var next = 0
      var restarts = 0
      var bad = 0
      for index in 1..<count {
        let (before, now) = (values[index - 1], values[index])
        if down ? (before == now + 1) : (now == before + 1) {
          next += 1
        } else if down ? before == low : now == low {
          restarts += 1
        } else {
          bad += 1
        }
      }
      guard next >= 2, restarts >= 2, bad * 50 <= count else { continue }
      var fragment = FragmentFinding(header: part.offset + 1, firstHeader: part.offset + 1, index: part)
      fragment.indexBase = low
      fragment.countsDown = down
      var segmentation = Segmentation(.fragments(fragment), stream, limit: count)
      // If all messages have the same number of packets, it can be a counter that wraps, or alternating kinds.
      let inner = segmentation.messages.dropFirst().dropLast()
      let sizes = Set(inner.map(\.packets.count))
      // Then all packets but the last of a message are full; complete messages with a number have their own sizes.
      if sizes.count <= 1, !areFilled(inner, stream) { continue }
      var bits = min(30, Double(next) * 1.5) - Double(bad) * 6 - 4
      if sizes.count <= 1 { bits = min(bits, sizes.first == Int(part.mask) + 1 ? -10 : 6) }
      bits += structure(segmentation, stream)
      if !down, let total = total(segmentation, stream, shortest, excluding: part) {
        fragment.total = total.part
        fragment.totalAdds = total.adds
        fragment.header = max(fragment.header, total.part.offset + 1)
        bits += total.bits
        segmentation = Segmentation(.fragments(fragment), stream, limit: count)
      }
      // With only two continuation packets, a field with the number of packets has to agree.
      guard next >= 3 || fragment.total != nil else { continue }
      bits -= Double(segmentation.problems) * 6
      fragment.firstHeader = fragment.header
      if best.map({ $0.bits < bits }) ?? true { best = Found(fragment: fragment, bits: bits) }
    }
    return best
  }

  /// Whether all packets of a message but the last have the same size, and none is larger.
  private static func areFilled(_ messages: some Sequence<Message>, _ stream: ValueStream) -> Bool {
    messages.allSatisfy { message in
      let size = stream.size(message.packets.lowerBound)
      return message.packets.dropLast().allSatisfy { stream.size($0) == size } && stream.size(message.packets.upperBound - 1) <= size
    }
  }

  /// A bit field with the number of packets.
  private static func total(
    _ segmentation: Segmentation, _ stream: ValueStream, _ shortest: Int, excluding index: BitPart
  ) -> (part: BitPart, adds: Int, bits: Double)? {
    let groups = segmentation.messages.dropLast(segmentation.messages.count > 3 ? 1 : 0)
    let counts = Set(groups.map(\.packets.count))
    // Where all messages have the same number of packets, it is no evidence that a byte has this value.
    guard counts.count >= 2 else { return nil }
    for offset in 0..<min(8, shortest) {
      for part in parts {
        let candidate = BitPart(offset: offset, shift: part.shift, mask: part.mask)
        if candidate.offset == index.offset, candidate.mask << UInt8(candidate.shift) & index.mask << UInt8(index.shift) != 0 { continue }
        for adds in [0, 1] {
          let holds = groups.allSatisfy { group in
            group.packets.allSatisfy { candidate.value(stream.value($0)) == group.packets.count - adds }
          }
          if holds {
            return (candidate, adds, 6 * Double(counts.count - 1) + 4)
          }
        }
      }
    }
    return nil
  }

  /// Finds a header that only some kinds of packets have. It follows the kind byte, and holds the number of packets of the message and the index of
  /// this packet. A kind counts only if none of its packets contradicts and the packets of each message are adjacent.
  private static func conditional(_ stream: ValueStream, _ count: Int) -> Found? {
    var best: Found?
    for key in 0..<4 {
      var packets: [UInt8: [Int]] = [:]
      for packet in 0..<count {
        if let byte = stream.value(packet).dropFirst(key).first { packets[byte, default: []].append(packet) }
      }
      guard packets.count >= 2, packets.count <= 64 else { continue }
      for totalAt in (key + 1)..<(key + 4) {
        for indexAt in [totalAt + 1, totalAt - 1] where indexAt > key {
          var members: [UInt8] = []
          var messages = 0
          var base = 1
          // In order of the values, so that the result is the same in every run.
          for (value, positions) in packets.sorted(by: { $0.key < $1.key }) {
            guard let counted = counted(stream, positions, total: totalAt, index: indexAt) else { continue }
            guard members.isEmpty || counted.base == base else { continue }
            base = counted.base
            members.append(value)
            messages += counted.messages
          }
          guard messages >= 3, members.count < packets.count else { continue }
          var fragment = FragmentFinding(header: max(totalAt, indexAt) + 1, firstHeader: max(totalAt, indexAt) + 1)
          fragment.index = BitPart(offset: indexAt, shift: 0, mask: 0xff)
          fragment.indexBase = base
          fragment.total = BitPart(offset: totalAt, shift: 0, mask: 0xff)
          fragment.condition = MessageCondition(offset: key, values: members)
          let bits = min(40, 6 * Double(messages)) - Double(key)
          if best.map({ $0.bits < bits }) ?? true { best = Found(fragment: fragment, bits: bits, isWeak: true) }
        }
      }
    }
    return best
  }

  /// The number of messages of two packets or more in these packets, and the index of a first packet; nil where a packet contradicts. Packets of a
  /// message of which the capture has only the end or the beginning are left out.
  private static func counted(_ stream: ValueStream, _ packets: [Int], total: Int, index: Int) -> (messages: Int, base: Int)? {
    guard packets.count >= 4 else { return nil }
    var base: Int?
    var messages = 0
    var open: (total: Int, index: Int, packet: Int)?
    for (position, packet) in packets.enumerated() {
      let bytes = stream.value(packet)
      guard max(total, index) < bytes.count - 1 else { return nil }
      let (all, number) = (Int(bytes[bytes.startIndex + total]), Int(bytes[bytes.startIndex + index]))
      guard all >= 2, all <= 64, number <= all else { return nil }
      if let before = open {
        guard number == before.index + 1, all == before.total, packet == before.packet + 1 else { return nil }
      } else if let base {
        guard number == base else { return nil }
      } else if number <= 1 {
        base = number
      } else if position == 0 || packets.first.map({ packet == $0 + position }) ?? false {
        continue
      } else {
        return nil
      }
      if number == all - 1 + (base ?? 1) {
        messages += 1
        open = nil
      } else {
        open = (all, number, packet)
      }
    }
    return base.map { (messages, $0) }
  }

  // MARK: Bits for first and last

  /// Bits that say whether a packet is the first, the last, both or neither.
  private static func states(_ offset: Int, _ stream: ValueStream, _ count: Int) -> [Found] {
    var found: [Found] = []
    let full = (0..<count).reduce(0) { max($0, stream.size($1)) }
    for (shift, mask) in [(6, 3), (0, 3), (7, 1), (6, 1), (5, 1), (0, 1), (1, 1), (4, 3), (4, 15), (0, 255)] as [(Int, UInt8)] {
      let part = BitPart(offset: offset, shift: shift, mask: mask)
      var values: [Int] = []
      for packet in 0..<count { values.append(part.value(stream.value(packet)) ?? 0) }
      let kinds = Set(values)
      guard kinds.count >= 2, kinds.count <= 4 else { continue }
      let ordered = kinds.sorted()
      if mask == 1 {
        for value in 0...1 {
          // One bit: set (or clear) in the first packet, or in the last.
          add(part, kinds, first: [value], last: [], &found)
          add(part, kinds, first: [], last: [value], &found)
        }
      } else {
        // A packet after one that is not full, or at the start of the stream, is a first one.
        for single in [nil] + ordered.map(Optional.some) {
          for first in ordered where first != single {
            for last in [nil] + ordered.map(Optional.some) where last != first && (last != single || last == nil) {
              if kinds.count == 2, single != nil, last != nil { continue }
              // Where no value marks the last packet, a single value must mark continuation packets: arbitrary values are no mark.
              if last == nil, kinds.subtracting([single, first].compactMap { $0 }).count > 1 { continue }
              guard obeys(values, single, first, last) else { continue }
              add(part, kinds, first: [single, first].compactMap { $0 }, last: [single, last].compactMap { $0 }, &found)
            }
          }
        }
      }
    }
    func add(_ part: BitPart, _ kinds: Set<Int>, first: [Int], last: [Int], _ found: inout [Found]) {
      var fragment = FragmentFinding(header: part.offset + 1, firstHeader: part.offset + 1)
      fragment.state = part
      fragment.firstValues = first
      fragment.lastValues = last
      let segmentation = Segmentation(.runs(start: [], full: 0, end: [], gap: 0), stream, limit: 0)
      var cut = segmentation
      cut.messages = group(stream, count, part, first, last)
      let multi = cut.split
      // Repeated messages have arbitrary bits in common. Then only common forms are evidence: a byte that is zero except for one flag, or two bits
      // that number the parts: 0 complete, 1 first, 2 middle, 3 last.
      let isWeak = !hasThreeDifferent(cut.messages)
      let isFlag = part.mask == 0xff && first == [0] && last == [0x80]
      let isNumbered = part.mask == 3 && part.shift == 6 && kinds.count == 4 && first == [0, 1] && last == [0, 3]
      guard multi >= (isWeak ? 3 : 2), !isWeak || isFlag || isNumbered else { return }
      let inner = cut.messages.dropFirst().dropLast()
      if Set(inner.lazy.map(\.packets.count)).count <= 1, !areFilled(inner, stream) { return }
      var bits = structure(cut, stream) - 3 - 2 * Double(hasty(cut, stream, full)) + (isWeak ? 16 : 0)
      // Full packets are continued, others end a message.
      if full > 0, !last.isEmpty || !first.isEmpty { bits += min(6, Double(multi) * 0.5) }
      if bits > 6 { found.append(Found(fragment: fragment, bits: bits, isWeak: isWeak)) }
    }
    return found
  }

  /// Whether three messages of several packets have different bytes. Comparing with two others takes a fraction of hashing all bytes.
  private static func hasThreeDifferent(_ messages: [Message]) -> Bool {
    var known: [ArraySlice<UInt8>] = []
    for message in messages where message.packets.count > 1 && !known.contains(where: { $0 == message.bytes }) {
      known.append(message.bytes)
      if known.count == 3 { return true }
    }
    return false
  }

  /// The number of messages that begin after a full packet as quickly as packets of one message follow each other.
  private static func hasty(_ segmentation: Segmentation, _ stream: ValueStream, _ full: Int) -> Int {
    var within: [Int64] = []
    for message in segmentation.messages {
      for packet in message.packets.dropLast() { within.append(stream.time(packet + 1) - stream.time(packet)) }
    }
    guard !within.isEmpty else { return 0 }
    within.sort()
    let usual = within[within.count / 2]
    return zip(segmentation.messages, segmentation.messages.dropFirst()).count { before, next in
      stream.size(before.packets.upperBound - 1) == full && next.time - before.end <= usual
    }
  }

  private static func group(_ stream: ValueStream, _ count: Int, _ part: BitPart, _ first: [Int], _ last: [Int]) -> [Message] {
    var messages: [Message] = []
    var from = 0
    func close(_ end: Int) {
      if from < end {
        messages.append(
          Message(packets: from..<end, bytes: stream.joined(from..<end), time: stream.time(from), end: stream.time(end - 1)))
      }
      from = end
    }
    for packet in 0..<count {
      let value = part.value(stream.value(packet)) ?? 0
      if first.contains(value) { close(packet) }
      if last.contains(value) { close(packet + 1) }
    }
    close(count)
    return messages
  }

  /// Whether the values follow each other as single, first, middle and last packets do.
  private static func obeys(_ values: [Int], _ single: Int?, _ first: Int, _ last: Int?) -> Bool {
    var isOpen = false
    var bad = 0
    for value in values {
      if value == single {
        if isOpen, last != nil { bad += 1 }
        isOpen = false
      } else if value == first {
        if isOpen, last != nil { bad += 1 }
        isOpen = true
      } else if value == last {
        if !isOpen { bad += 1 }
        isOpen = false
      } else if !isOpen {
        bad += 1
      }
    }
    return bad * 50 <= values.count
  }

  // MARK: Length in the first packet

  /// A bit that marks continuation packets; the first packet has the length of the message.
  private static func lengthFirst(_ stream: ValueStream, _ count: Int) -> [Found] {
    var found: [Found] = []
    for bit in [7, 6, 5] as [Int] {
      for continues in [1, 0] {
        let part = BitPart(offset: 0, shift: bit, mask: 1)
        let groups = groups(stream, count, part, continues)
        let multi = groups.filter { $0.count > 1 }
        guard multi.count >= 2, groups.count >= 3 else { continue }
        if bit == 7, continues == 1, let result = selfSized(stream, groups, part) { found.append(result) }
        // Position and width of the length in the first packet, and the lengths of the headers.
        let forms: [(offset: Int, size: Int, endian: ByteOrder, mask: Int)] = [
          (0, 1, .big, 0x1f), (0, 1, .big, 0x3f), (0, 1, .big, 0x7f), (0, 2, .big, 0x1fff), (0, 2, .big, 0x0fff), (0, 2, .big, 0x3fff),
          (0, 2, .big, 0x7fff), (1, 1, .big, 0), (1, 2, .big, 0), (1, 2, .little, 0), (2, 2, .big, 0), (2, 2, .little, 0),
          (1, 4, .little, 0),
          (2, 1, .big, 0),
        ]
        for form in forms {
          for next in 1...2 {
            var holds = 0
            var wrong = 0
            var lengths = Set<Int>()
            for group in groups.prefix(groups.count > 3 ? groups.count - 1 : groups.count) {
              let bytes = stream.value(group.first)
              guard let raw = bytes.number(form.offset, form.size, form.endian) else {
                wrong += 1
                continue
              }
              let value = form.mask == 0 ? Int(truncatingIfNeeded: raw) : Int(truncatingIfNeeded: raw) & form.mask
              let head = form.offset + form.size
              var joined = -head
              for packet in group.first..<(group.first + group.count) { joined += stream.size(packet) - (packet > group.first ? next : 0) }
              if joined == value {
                holds += 1
                lengths.insert(value)
              } else {
                wrong += 1
              }
            }
            guard lengths.count >= 2 || (lengths.count == 1 && multi.count >= 3), wrong * 10 <= holds else { continue }
            var fragment = FragmentFinding(header: next, firstHeader: form.offset + form.size)
            fragment.state = part
            fragment.firstValues = [1 - continues]
            fragment.length = LengthFinding(
              offset: form.offset, size: form.size, endian: form.endian, adds: 0, lengths: lengths.count, holds: holds, of: holds + wrong,
              confidence: Evidence.confidence(bits: 7 * Double(lengths.count)))
            fragment.lengthMask = form.mask
            if bit == 7, continues == 1 { fragment.following = following(stream, multi) }
            let bits = min(50, 7 * Double(lengths.count) + Double(multi.count)) - Double(wrong) * 4 + 10
            found.append(Found(fragment: fragment, bits: bits))
          }
        }
      }
    }
    return found
  }

  /// The packets that begin a message, and of how many packets each is; none where the capture begins inside one.
  private static func groups(_ stream: ValueStream, _ count: Int, _ part: BitPart, _ continues: Int) -> [(first: Int, count: Int)] {
    var groups: [(first: Int, count: Int)] = []
    var from = -1
    for packet in 0..<count {
      if part.value(stream.value(packet)) != continues {
        if from >= 0 { groups.append((from, packet - from)) }
        from = packet
      } else if from < 0 {
        break
      }
    }
    if from >= 0 { groups.append((from, count - from)) }
    return groups
  }

  /// Lengths of 5, 13 and 16 bits, distinguished by two bits after the continuation bit, as in action cameras.
  private static func selfSized(_ stream: ValueStream, _ groups: [(first: Int, count: Int)], _ part: BitPart) -> Found? {
    var fragment = FragmentFinding(header: 1, firstHeader: 1)
    fragment.isSelfSized = true
    fragment.state = part
    fragment.firstValues = [0]
    var holds = 0
    var wrong = 0
    var lengths = Set<Int>()
    var forms = Set<Int>()
    for group in groups.dropLast(groups.count > 3 ? 1 : 0) {
      let bytes = stream.value(group.first)
      let head = fragment.headerSize(bytes)
      guard let value = fragment.messageLength(bytes) else {
        wrong += 1
        continue
      }
      var joined = -head
      for packet in group.first..<(group.first + group.count) { joined += stream.size(packet) - (packet > group.first ? 1 : 0) }
      if joined == value {
        holds += 1
        lengths.insert(value)
        forms.insert(head)
      } else {
        wrong += 1
      }
    }
    // If all lengths have one form, the rule for that form alone explains them as well.
    guard forms.count >= 2, lengths.count >= 3, wrong * 10 <= holds else { return nil }
    fragment.length = LengthFinding(
      offset: 0, size: 1, endian: .big, adds: 0, lengths: lengths.count, holds: holds, of: holds + wrong,
      confidence: Evidence.confidence(bits: 7 * Double(lengths.count)))
    fragment.following = following(stream, groups)
    return Found(fragment: fragment, bits: min(60, 7 * Double(lengths.count) + 10) - Double(wrong) * 4 + 14)
  }

  /// The first byte of continuation packets, where their highest bit marks them.
  private static func following(_ stream: ValueStream, _ groups: [(first: Int, count: Int)]) -> FragmentFinding.Following {
    var next = Set<UInt8>()
    var isCounted = true
    for group in groups.dropLast(groups.count > 3 ? 1 : 0) {
      for packet in (group.first + 1)..<max(group.first + 1, group.first + group.count) {
        guard let byte = stream.value(packet).first else { continue }
        next.insert(byte)
        if byte != 0x80 | UInt8(truncatingIfNeeded: packet - group.first - 1) & 0x0f { isCounted = false }
      }
    }
    return next == [0x80] ? .constant : isCounted ? .counted : .unknown
  }

  // MARK: What contradicts a header

  /// Whether first and later packets of messages are similar after the header: then each is a message by itself, because parts of a message do not
  /// have the same byte at the same offset. Zeros can be padding.
  private static func repeats(_ fragment: FragmentFinding, _ stream: ValueStream, _ count: Int) -> Bool {
    let segmentation: [Message]
    if let state = fragment.state {
      segmentation = group(stream, count, state, fragment.firstValues, fragment.lastValues)
    } else {
      segmentation = Segmentation(.fragments(fragment), stream, limit: count).messages
    }
    var packets: [(bytes: ArraySlice<UInt8>, header: Int)] = []
    for message in segmentation where message.packets.count > 1 {
      for packet in message.packets where packets.count < 400 {
        let isFirst = packet == message.packets.lowerBound
        packets.append((stream.value(packet), isFirst ? fragment.firstHeader : fragment.header))
      }
    }
    return areAlike(packets)
  }

  /// Least number of packets of messages in which a byte behind the header has to count.
  private static let minimumNumbered = 16

  /// Whether one of the three bytes behind the assumed header counts the packets of each message. Such a byte is part of the header, so the header is
  /// longer than assumed, and the messages cannot be joined with it.
  static func areNumbered(_ segmentation: Segmentation, _ stream: ValueStream, header: Int) -> Bool {
    for offset in header..<(header + 3) {
      var (steps, all) = (0, 0)
      for message in segmentation.messages where message.packets.count > 2 {
        var before: UInt8?
        for packet in message.packets.dropFirst() {
          let byte = stream.value(packet).dropFirst(offset).first
          if let byte, let before {
            all += 1
            if byte == before &+ 1 { steps += 1 }
          }
          before = byte
        }
      }
      if all >= minimumNumbered, steps * 10 >= all * 9 { return true }
    }
    return false
  }

  /// Whether packets, first and later ones, have the same byte at the same offset after their headers.
  static func areAlike(_ all: [(bytes: ArraySlice<UInt8>, header: Int)]) -> Bool {
    // Repeated messages are counted once, as all of their bytes are equal.
    var seen = Set<ArraySlice<UInt8>>()
    let packets = all.filter { seen.insert($0.bytes).inserted }
    guard packets.count >= 8 else { return false }
    var columns = Int.max
    for packet in packets { columns = min(columns, packet.bytes.count - packet.header) }
    // Short last packets must not hide what all others have in common.
    columns = max(columns, min(16, (packets.map { $0.bytes.count - $0.header }.sorted()[packets.count / 2])))
    var alike = 0
    for column in 0..<max(0, columns) {
      var counts = [Int](repeating: 0, count: 256)
      var all = 0
      for packet in packets where column + packet.header < packet.bytes.count {
        counts[Int(packet.bytes[packet.bytes.startIndex + packet.header + column])] += 1
        all += 1
      }
      counts[0] = 0
      if all * 10 >= packets.count * 8, (counts.max() ?? 0) * 100 >= all * 95 { alike += 1 }
    }
    return alike >= 1
  }

  // MARK: What else belongs to the header

  /// Extends the header by bytes that are the same in all packets of a message, and by the length of the packet.
  private static func extend(_ found: inout Found, _ stream: ValueStream, _ limit: Int, _ shortest: Int) {
    var fragment = found.fragment
    guard fragment.length == nil, fragment.condition == nil, fragment.frame == nil else { return }
    let count = min(stream.count, limit)
    let segmentation: [Message]
    if let state = fragment.state {
      segmentation = group(stream, count, state, fragment.firstValues, fragment.lastValues)
    } else {
      segmentation = Segmentation(.fragments(fragment), stream, limit: limit).messages
    }
    let multi = segmentation.filter { $0.packets.count > 1 }
    guard multi.count >= 2 else { return }
    /// Whether the byte is the same in all packets of each message, and differs from message to message, or is the size of the packet.
    func belongs(_ offset: Int) -> Bool {
      var lengthAdds: Int?
      var isLength = true
      var sizes = Set<Int>()
      var isSame = true
      for message in multi {
        let first = stream.value(message.packets.lowerBound)
        guard offset < first.count else { return false }
        let value = first[first.startIndex + offset]
        for packet in message.packets {
          let bytes = stream.value(packet)
          guard offset < bytes.count else { return false }
          let byte = bytes[bytes.startIndex + offset]
          if byte != value { isSame = false }
          let adds = bytes.count - Int(byte)
          if let known = lengthAdds, known != adds { isLength = false }
          lengthAdds = adds
          sizes.insert(bytes.count)
        }
        if !isSame, !isLength { return false }
      }
      return isSame || (isLength && sizes.count >= 2)
    }
    // Bytes before the found fields belong to the header in any case: if they are neither the same in all packets of a message nor a known part, it
    // is probably no header.
    let known = [fragment.index?.offset, fragment.total?.offset, fragment.state?.offset]
    for offset in 0..<fragment.header where !known.contains(offset) && !belongs(offset) { found.bits -= 15 }
    if let state = fragment.state, fragment.index == nil, fragment.total == nil {
      // In continuation packets the other bits of its byte are constant, or count: many values contradict the header.
      var values = Set<UInt8>()
      for message in multi {
        for packet in message.packets.dropFirst() {
          if let byte = stream.value(packet).dropFirst(state.offset).first { values.insert(byte) }
        }
      }
      if values.count > 20 { found.bits -= 20 }
    }
    var header = fragment.header
    while header < min(shortest - 1, 16), belongs(header) { header += 1 }
    // The header can contain unknown bytes between its known ones, but not at its end.
    fragment.header = header
    fragment.firstHeader = header
    // A packet's size in its header is as much evidence as the length field of messages of one packet.
    if let length = LengthDetector.find((0..<count).map { stream.value($0) }), length.length.offset + length.length.size <= header {
      found.sized = min(40, length.bits)
    }
    found.fragment = fragment
  }
}
