import PacketCodecs

/// A message: the values it was joined from, and its bytes.
struct Message {
  var packets: Range<Int>
  var bytes: ArraySlice<UInt8>
  /// Times of its first and its last value.
  var time: Int64
  var end: Int64
}

/// A rule that cuts values into messages.
enum SegmentationRule {
  /// Each value is a message.
  case each
  /// A message begins at a value with this prefix (where it is not empty), after a value shorter than `full` (where it is not 0), after a value that
  /// ends with `end` (where it is not empty), and after a pause of `gap` (where it is not 0).
  case runs(start: [UInt8], full: Int, end: [UInt8], gap: Int64)
  /// A message consists of the values between two of these times, at which requests were sent: in order, in microseconds.
  case answers(to: [Int64])
  /// Frames have a length field, and begin with these bytes.
  case length(LengthFinding, start: [UInt8])
  /// Frames have a length field, begin and end with these bytes, and are cut into values anywhere.
  case chain(LengthFinding, start: [UInt8], end: [UInt8])
  /// Values consist of frames of this size.
  case pieces(Int)
  /// Each value is a frame with a length field, and zeros behind it.
  case padded(LengthFinding)
  /// Packets have a header.
  case fragments(FragmentFinding)
}

/// Values cut into messages.
struct Segmentation {
  var rule: SegmentationRule
  var messages: [Message] = []
  /// Messages that contradict the rule.
  var problems = 0
  /// Bytes that belong to no message.
  var lost = 0
  /// Largest size of a value.
  var full = 0

  /// Messages of several values.
  var split: Int { messages.reduce(0) { $0 + ($1.packets.count > 1 ? 1 : 0) } }

  init(_ rule: SegmentationRule, _ stream: ValueStream, limit: Int = .max) {
    self.rule = rule
    let count = min(stream.count, limit)
    for index in 0..<count { full = max(full, stream.size(index)) }
    var list: [Message] = []
    func add(_ packets: Range<Int>, _ bytes: ArraySlice<UInt8>) {
      list.append(Message(packets: packets, bytes: bytes, time: stream.time(packets.lowerBound), end: stream.time(packets.upperBound - 1)))
    }
    switch rule {
    case .each:
      for index in 0..<count where stream.size(index) > 0 { add(index..<(index + 1), stream.value(index)) }
    case .runs(let start, let full, let end, let gap):
      var first = 0
      for index in 0..<count {
        let bytes = stream.value(index)
        if index > first {
          let before = stream.value(index - 1)
          var begins = false
          if !start.isEmpty, bytes.starts(with: start) { begins = true }
          if full > 0, before.count < full { begins = true }
          if !end.isEmpty, before.suffix(end.count).elementsEqual(end) { begins = true }
          if gap > 0, stream.time(index) - stream.time(index - 1) > gap { begins = true }
          if begins {
            add(first..<index, stream.joined(first..<index))
            first = index
          }
        }
      }
      if first < count { add(first..<count, stream.joined(first..<count)) }
    case .answers(let requests):
      // The number of requests before a value.
      func requestsBefore(_ index: Int) -> Int {
        let time = stream.time(index)
        var (low, high) = (0, requests.count)
        while low < high {
          let middle = (low + high) / 2
          if requests[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low
      }
      var first = 0
      for index in 0..<count where index > first && requestsBefore(index) != requestsBefore(index - 1) {
        add(first..<index, stream.joined(first..<index))
        first = index
      }
      if first < count { add(first..<count, stream.joined(first..<count)) }
    case .length(let length, let start):
      problems = Self.parse(stream, count, length, start, add)
    case .chain(let length, let start, let end):
      let all = stream.joined(0..<count)
      var packet = 0
      lost = ChainDetector.walk(all, length, start, end) { bytes in
        packet = Self.add(bytes, stream, from: packet, count, add)
      }
    case .pieces(let size):
      for index in 0..<count {
        var rest = stream.value(index)
        while !rest.isEmpty {
          add(index..<(index + 1), rest.prefix(size))
          rest = rest.dropFirst(size)
        }
      }
    case .padded(let length):
      for index in 0..<count where stream.size(index) > 0 {
        let value = stream.value(index)
        let size = value.number(length.offset, length.size, length.endian).flatMap { $0 <= value.count ? Int($0) + length.adds : nil }
        if let size, size <= value.count, value.dropFirst(size).allSatisfy({ $0 == 0 }) {
          add(index..<(index + 1), value.prefix(size))
        } else {
          problems += 1
          add(index..<(index + 1), value)
        }
      }
    case .fragments(let header):
      if let frame = header.frame {
        problems = Self.joinFrames(stream, count, header, frame, &list)
      } else {
        problems = Self.join(stream, count, header, &list)
      }
    }
    messages = list
  }

  /// Adds a frame with the values that have its bytes, which begin at `packet` or later. Returns the last of them.
  private static func add(
    _ bytes: ArraySlice<UInt8>, _ stream: ValueStream, from packet: Int, _ count: Int, _ add: (Range<Int>, ArraySlice<UInt8>) -> Void
  ) -> Int {
    var first = packet
    while first + 1 < count, stream.range(first).upperBound <= bytes.startIndex { first += 1 }
    var last = first
    while last + 1 < count, stream.range(last).upperBound < bytes.endIndex { last += 1 }
    add(first..<(last + 1), bytes)
    return last
  }

  /// Cuts by a length field; returns how often there was no frame.
  private static func parse(
    _ stream: ValueStream, _ count: Int, _ length: LengthFinding, _ start: [UInt8], _ add: (Range<Int>, ArraySlice<UInt8>) -> Void
  ) -> Int {
    guard count > 0 else { return 0 }
    let all = stream.joined(0..<count)
    var packet = 0
    var at = all.startIndex
    var bad = 0
    while at < all.endIndex {
      while packet + 1 < count, stream.range(packet).upperBound <= at { packet += 1 }
      let rest = all[at...]
      var size = 0
      if rest.starts(with: start), let value = rest.number(length.offset, length.size, length.endian), value < 1 << 20 {
        size = Int(value) * length.unit + length.adds
      }
      guard size >= length.offset + length.size, size <= rest.count else {
        // No frame: continue with the next value.
        bad += 1
        at = stream.range(packet).upperBound
        continue
      }
      packet = Self.add(all[at..<(at + size)], stream, from: packet, count, add)
      at += size
    }
    return bad
  }

  /// Joins packets to messages that begin with a packet and have a length field; returns how many packets or messages contradict.
  private static func joinFrames(
    _ stream: ValueStream, _ count: Int, _ header: FragmentFinding, _ length: LengthFinding, _ messages: inout [Message]
  ) -> Int {
    var problems = 0
    var open: [UInt8] = []
    var first = 0
    var last = -1
    var expected: Int?
    func close(_ messages: inout [Message]) {
      guard !open.isEmpty else { return }
      messages.append(Message(packets: first..<(last + 1), bytes: open[...], time: stream.time(first), end: stream.time(last)))
      open = []
    }
    for index in 0..<count where stream.size(index) > header.header {
      let bytes = stream.value(index)
      if let sequence = header.sequence, let number = sequence.value(bytes) {
        if let expected, expected != number {
          problems += 1
          close(&messages)
        }
        expected = (number + 1) & Int(sequence.mask)
      }
      if open.isEmpty { first = index }
      last = index
      open += bytes.dropFirst(header.header)
      guard open.count >= length.offset + length.size else { continue }
      let wanted = open.number(length.offset, length.size, length.endian).flatMap { $0 < 1 << 20 ? Int($0) + length.adds : nil } ?? 0
      if wanted < length.offset + length.size || open.count > wanted { problems += 1 } else if open.count < wanted { continue }
      close(&messages)
    }
    if !open.isEmpty {
      problems += 1
      close(&messages)
    }
    return problems
  }

  /// Joins fragments; returns how many packets or messages contradict the header.
  private static func join(_ stream: ValueStream, _ count: Int, _ header: FragmentFinding, _ messages: inout [Message]) -> Int {
    var problems = 0
    var open: [UInt8] = []
    var first: Int?
    var have = 0
    var wanted: Int?
    func close(_ last: Int, _ messages: inout [Message]) {
      guard let from = first else { return }
      messages.append(
        Message(packets: from..<(last + 1), bytes: open[...], time: stream.time(from), end: stream.time(last)))
      first = nil
      open = []
    }
    for index in 0..<count {
      let bytes = stream.value(index)
      let begins = header.begins(bytes)
      if begins == true || (begins == nil && first == nil) {
        if first != nil {
          if header.hasEnd { problems += 1 }
          close(index - 1, &messages)
        }
        first = index
        have = 0
        wanted = header.messageLength(bytes)
      } else if first == nil {
        problems += 1
        continue
      }
      have += 1
      let headerSize = begins == true || have == 1 ? header.headerSize(bytes) : header.header
      if bytes.count >= headerSize { open += bytes.dropFirst(headerSize) } else { problems += 1 }
      if header.ends(bytes, have, open.count, wanted) {
        if let wanted, open.count > wanted { open.removeLast(open.count - wanted) }
        close(index, &messages)
      }
    }
    if first != nil {
      if header.hasEnd { problems += 1 }
      close(count - 1, &messages)
    }
    return problems
  }
}

extension FragmentFinding {
  /// Whether only bits for the first or the last packet are known of the header.
  var isOfState: Bool { state != nil && index == nil && total == nil && length == nil && frame == nil && sequence == nil }

  /// Whether the header determines the end of a message.
  var hasEnd: Bool { total != nil || !lastValues.isEmpty || countsDown || length != nil || frame != nil }

  /// Whether a packet begins a message; nil where the header does not say.
  func begins(_ bytes: ArraySlice<UInt8>) -> Bool? {
    if isWithout(bytes) { return true }
    if let state, !firstValues.isEmpty { return state.value(bytes).map { firstValues.contains($0) } ?? false }
    if let index, !countsDown { return index.value(bytes).map { $0 == indexBase } ?? false }
    return nil
  }

  /// Whether a packet, the `number`th of its message, ends it.
  func ends(_ bytes: ArraySlice<UInt8>, _ number: Int, _ joined: Int, _ wanted: Int?) -> Bool {
    if isWithout(bytes) { return true }
    if let wanted { return joined >= wanted }
    if let state, !lastValues.isEmpty { return state.value(bytes).map { lastValues.contains($0) } ?? false }
    if let total { return total.value(bytes).map { number >= $0 + totalAdds } ?? false }
    if countsDown, let index { return index.value(bytes).map { $0 == indexBase } ?? false }
    return false
  }

  /// Whether a packet has no header, so that it is a message by itself.
  func isWithout(_ bytes: ArraySlice<UInt8>) -> Bool { !(condition?.holds(bytes) ?? true) }

  /// Bytes of the header of a first packet.
  func headerSize(_ bytes: ArraySlice<UInt8>) -> Int {
    if isWithout(bytes) { return 0 }
    guard isSelfSized, let first = bytes.first else { return firstHeader }
    return first < 0x20 ? 1 : first < 0x40 ? 2 : 3
  }

  /// The message's length according to its first packet.
  func messageLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    if isSelfSized {
      switch headerSize(bytes) {
      case 1: return bytes.first.map { Int($0 & 0x1f) }
      case 2: return bytes.number(0, 2, .big).map { Int($0 & 0x1fff) }
      default: return bytes.number(1, 2, .big).map { Int($0) }
      }
    }
    guard let length, let value = bytes.number(length.offset, length.size, length.endian) else { return nil }
    let masked = lengthMask == 0 ? Int(truncatingIfNeeded: value) : Int(truncatingIfNeeded: value) & lengthMask
    return masked + length.adds
  }
}
