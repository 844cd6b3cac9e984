/// Determines the role of each byte of the header of packets.
enum HeaderDetector {
  /// The bytes of the header, in order. Bytes that are only partly known are left out.
  static func parts(_ fragment: FragmentFinding, _ segmentation: Segmentation, _ stream: ValueStream) -> [HeaderPart] {
    guard fragment.header == fragment.firstHeader, fragment.header > 0, fragment.header <= 32 else { return [] }
    // The last message can be truncated by the end of the capture.
    let messages = segmentation.messages.prefix(1000).dropLast(segmentation.messages.count > 3 ? 1 : 0)
      .filter { !fragment.isWithout(stream.value($0.packets.lowerBound)) }
    guard messages.count >= 2 else { return [] }
    var parts: [HeaderPart] = []
    for offset in 0..<fragment.header {
      if let role = role(offset, fragment, messages, stream) { parts.append(HeaderPart(offset: offset, role: role)) }
    }
    return parts
  }

  private static func role(_ offset: Int, _ fragment: FragmentFinding, _ messages: [Message], _ stream: ValueStream) -> HeaderPart.Role? {
    if let index = fragment.index, index.offset == offset {
      return index.mask == 0xff && !fragment.countsDown ? .index(fragment.indexBase) : nil
    }
    if let total = fragment.total, total.offset == offset { return total.mask == 0xff ? .total(fragment.totalAdds) : nil }
    if let state = fragment.state, state.offset == offset { return nil }
    if let sequence = fragment.sequence, sequence.offset == offset { return nil }
    var values = Set<UInt8>()
    var adds = Set<Int>()
    var sizes = Set<Int>()
    var isCommon = true
    var firsts: [UInt8] = []
    for message in messages {
      var ofMessage: UInt8?
      for packet in message.packets {
        let bytes = stream.value(packet)
        guard offset < bytes.count else { return .unknown }
        let byte = bytes[bytes.startIndex + offset]
        values.insert(byte)
        adds.insert(bytes.count - Int(byte))
        sizes.insert(bytes.count)
        if let ofMessage, ofMessage != byte { isCommon = false }
        if ofMessage == nil { firsts.append(byte) }
        ofMessage = byte
      }
    }
    if values.count == 1, let value = values.first { return .constant(value) }
    if adds.count == 1, sizes.count >= 2, let add = adds.first { return .length(add) }
    guard isCommon else { return .unknown }
    // A sequence increases from message to message, except for messages missing in the capture.
    var steps: [UInt8: Int] = [:]
    for index in 1..<max(1, firsts.count) { steps[firsts[index] &- firsts[index - 1], default: 0] += 1 }
    if let mostFrequent = steps.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), mostFrequent.key >= 1, mostFrequent.key <= 16,
      firsts.count >= 4,
      mostFrequent.value * 10 >= (firsts.count - 1) * 8
    {
      return .sequence(Int(mostFrequent.key))
    }
    return .common
  }
}

extension StreamFindings {
  /// The header of packets as the fields of two values of one message, for people; nil where none of its bytes is known.
  public var header: KindFields? {
    let fields = headerFields
    // Where each message is one packet, first packets are shown.
    let example = examples.first { $0.count > 1 } ?? examples.compactMap(\.first)
    guard !fields.isEmpty, !example.isEmpty else { return nil }
    let packets = example.prefix(2).map { Array($0.prefix(40)) }
    let shortest = packets.map(\.count).min() ?? 0
    return KindFields(kind: [], count: packets.count, fields: fields, shortest: shortest, longest: shortest, examples: packets)
  }

  private var headerFields: [FieldFinding] {
    guard let fragment = framing.fragment else { return [] }
    var fields: [FieldFinding] = []
    for part in fragment.parts {
      var field = FieldFinding(offset: part.offset, size: 1, type: .uint, endian: nil, confidence: fragment.confidence, evidence: "")
      switch part.role {
      case .constant:
        field.type = .constant
        if part.offset == 0 { field.evidence = "starts all messages" }
        if let last = fields.last, last.type == .constant, last.offset + (last.size ?? 0) == part.offset {
          fields[fields.count - 1].size = (last.size ?? 0) + 1
          continue
        }
      case .index: field.name = "part"
      case .total: field.name = "parts"
      case .length: field.type = .length
      case .sequence: field.type = .counter
      case .common: field.name = "message"
      case .unknown: field.type = .bytes
      }
      fields.append(field)
    }
    return fields
  }
}
