import PacketCodecs

extension FragmentDetector {
  /// The bit fields that can number packets, the widest first: the widest one that fits is taken.
  private static let numbers: [(shift: Int, mask: UInt8)] = [
    (0, 0xff), (0, 0x7f), (1, 0x7f), (0, 0x3f), (2, 0x3f), (0, 0x1f), (3, 0x1f), (0, 0x0f), (4, 0x0f),
  ]

  /// The widest bit field of the header that increases by one from packet to packet, with at most one exception in fifty, and its number of steps.
  private static func sequence(_ stream: ValueStream, _ packets: [Int], header: Int) -> (part: BitPart, steps: Int, gaps: Int)? {
    for offset in 0..<header {
      for number in numbers {
        let part = BitPart(offset: offset, shift: number.shift, mask: number.mask)
        var steps = 0
        var gaps = 0
        var before: Int?
        for packet in packets {
          guard let value = part.value(stream.value(packet)) else { return nil }
          if let before {
            if value == (before + 1) & Int(part.mask) { steps += 1 } else { gaps += 1 }
          }
          before = value
          if gaps * 50 > packets.count { break }
        }
        if steps > 0, gaps * 50 <= packets.count { return (part, steps, gaps) }
      }
    }
    return nil
  }

  /// A header with a number that increases from packet to packet, also across messages, and a length field in the joined message.
  static func numbered(_ stream: ValueStream, _ count: Int) -> Found? {
    var best: Found?
    for header in 1...3 {
      // Packets that consist of a header only, such as acknowledgments, carry another number and are left out.
      let packets = (0..<count).filter { stream.size($0) > header }
      guard packets.count >= 8, let number = sequence(stream, packets, header: header) else { continue }
      // A packet that is not full ends a message: most messages then give the length.
      var full = 0
      for packet in packets { full = max(full, stream.size(packet)) }
      var runs: [ArraySlice<UInt8>] = []
      var open: [UInt8] = []
      for packet in packets {
        open += stream.value(packet).dropFirst(header)
        guard stream.size(packet) < full else { continue }
        runs.append(open[...])
        open = []
      }
      guard runs.count >= 4, let length = LengthDetector.find(runs, share: 0.8), length.length.unit == 1 else { continue }
      var fragment = FragmentFinding(header: header, firstHeader: header)
      fragment.sequence = number.part
      fragment.frame = length.length
      let segmentation = Segmentation(.fragments(fragment), stream, limit: count)
      let sizes = Set(segmentation.messages.lazy.filter { $0.packets.count > 1 }.map(\.bytes.count))
      let problems = segmentation.problems - 1
      guard segmentation.split >= 2, sizes.count >= 2, problems * 50 <= segmentation.messages.count else { continue }
      let lengths = Set(segmentation.messages.map(\.bytes.count)).count
      let contradictions = 6 * Double(number.gaps) + 4 * Double(max(0, problems))
      let bits = min(30, 1.5 * Double(number.steps)) + min(50, 7 * Double(lengths)) - 10 - contradictions
      if best.map({ $0.bits < bits }) ?? true { best = Found(fragment: fragment, bits: bits) }
    }
    return best
  }

  /// A header in front of messages whose length field other streams of the device have. One message of several packets is enough: it is unlikely by
  /// chance that it has as many bytes after the headers as the field says, that the headers count, and that only its last packet is not full.
  static func framed(_ stream: ValueStream, _ lengths: [LengthFinding], limit: Int) -> Found? {
    let count = min(stream.count, limit)
    guard count >= 2 else { return nil }
    var best: Found?
    for length in lengths where length.size >= 2 && length.unit == 1 {
      for header in 1...4 {
        var fragment = FragmentFinding(header: header, firstHeader: header)
        fragment.frame = length
        let packets = (0..<count).filter { stream.size($0) > header }
        guard packets.count >= 2, let number = sequence(stream, packets, header: header), number.gaps == 0 else { continue }
        fragment.sequence = number.part
        let segmentation = Segmentation(.fragments(fragment), stream, limit: count)
        guard segmentation.split >= 1, segmentation.problems == 0 else { continue }
        let areFilled = segmentation.messages.allSatisfy { message in
          message.packets.count == 1
            || message.packets.dropLast().allSatisfy { stream.size($0) == segmentation.full || stream.size($0) <= header }
        }
        guard areFilled else { continue }
        let steps = Double(min(number.steps, 6)) * Evidence.log2(Double(number.part.mask) + 1)
        let bits = lengthEvidence(segmentation, length) + min(20, steps) - Evidence.log2(Double(lengths.count))
        guard bits >= 14, best.map({ $0.bits < bits }) ?? true else { continue }
        best = Found(fragment: fragment, bits: bits, isWeak: segmentation.messages.count < 3)
      }
    }
    return best
  }

  /// Whether values are frames with this length field, some of which are cut into several values: each frame ends at the end of a value, and sizes
  /// and pauses agree.
  static func areFrames(_ stream: ValueStream, _ length: LengthFinding, limit: Int) -> Bool {
    let segmentation = Segmentation(.length(length, start: []), stream, limit: limit)
    guard segmentation.split >= 2, segmentation.problems == 0 else { return false }
    // Each value belongs to one frame only.
    let messages = segmentation.messages
    let areWhole = zip(messages, messages.dropFirst()).allSatisfy { $0.packets.upperBound == $1.packets.lowerBound }
    return areWhole && lengthEvidence(segmentation, length) >= 10 && structure(segmentation, stream) >= 10
  }

  /// Evidence in bits from correct length fields of joined messages: zeros count less, as they are common, and the high byte of a length is mostly 0.
  private static func lengthEvidence(_ segmentation: Segmentation, _ length: LengthFinding) -> Double {
    var values = Set<UInt64>()
    for message in segmentation.messages {
      if let value = message.bytes.number(length.offset, length.size, length.endian), value > 0 { values.insert(value) }
    }
    return values.isEmpty ? 0 : min(50, 10 + 8 * Double(values.count - 1))
  }

  /// The header of another stream of the device, if the packets of this one have it, too, with the evidence against chance. Where each packet is a
  /// complete message, the fields of the header must say so: the first of one packet, and the packet's size.
  static func shared(_ known: FragmentFinding, _ stream: ValueStream, limit: Int) -> Found? {
    let count = min(stream.count, limit)
    guard count > 0, known.condition == nil else { return nil }
    let segmentation = Segmentation(.fragments(known), stream, limit: count)
    guard segmentation.problems == 0, !segmentation.messages.isEmpty else { return nil }
    // Bytes that are the same in all packets: two that are 1 are in many streams that have no such header.
    var fixed = 0.0
    var bits = 0.0
    var lengths = Set<Int>()
    for message in segmentation.messages {
      let bytes = stream.value(message.packets.lowerBound)
      guard !message.bytes.isEmpty, bytes.count > known.headerSize(bytes) else { return nil }
      for (index, packet) in message.packets.enumerated() {
        let value = stream.value(packet)
        let number = known.countsDown ? message.packets.count - 1 - index : index
        if let index = known.index, index.value(value) != number + known.indexBase { return nil }
        if let total = known.total, total.value(value) != message.packets.count - known.totalAdds { return nil }
      }
      if known.length != nil {
        guard known.messageLength(bytes) == message.bytes.count else { return nil }
        lengths.insert(message.bytes.count)
      }
    }
    func width(_ part: BitPart) -> Double { Evidence.log2(Double(part.mask) + 1) }
    if let index = known.index { fixed += width(index) }
    if let total = known.total { fixed += width(total) }
    bits += 7 * Double(lengths.count)
    if let frame = known.frame { bits += lengthEvidence(segmentation, frame) }
    // The first packet of all has the first number.
    if let sequence = known.sequence {
      if sequence.value(stream.value(0)) == 0 { fixed += width(sequence) }
      bits += Double(min(count - 1, 6)) * width(sequence)
    }
    for part in known.parts {
      switch part.role {
      case .constant(let constant) where (0..<count).allSatisfy({ stream.value($0).dropFirst(part.offset).first == constant }): fixed += 8
      case .length(let adds):
        var sizes = Set<Int>()
        for packet in 0..<count {
          let value = stream.value(packet)
          guard let length = value.dropFirst(part.offset).first, Int(length) + adds == value.count else { return nil }
          sizes.insert(value.count)
        }
        bits += 7 * Double(sizes.count)
      default: break
      }
    }
    bits += min(12, fixed)
    guard bits >= 14 else { return nil }
    var fragment = known
    fragment.parts = []
    return Found(fragment: fragment, bits: min(60, bits), isWeak: true)
  }
}
