import PacketCodecs
@_spi(Pipeline) import Profiles

/// The packets of a message that is encoded in transit (hexadecimal digits, escapes, COBS), with their bytes decoded, so that the payload appears
/// in them unchanged; and the way back: encodes the packets again and recomputes the checksums.
struct DecodedPackets {
  /// The location in a packet of a part of a layer's input.
  private struct Part {
    var packet: Int
    var offset: Int
    /// Number of input bytes.
    var count: Int
    /// Offset of the part in the layer's output; in its input, where the layer decodes nothing.
    var at = 0
    /// Number of output bytes.
    var decoded = 0
  }

  /// What a layer decoded of the packets, as the layers before it left them.
  private struct Stage {
    var entry: LayerTrace.Entry
    var parts: [Part]
    /// Nil where the layer decodes.
    var checksum: Checksum?
    /// For each decoded byte the offset in the input at which its code ends.
    var ends: [Int] = []
    /// Offset in the input of the first byte of each part.
    var starts: [Int] = []

    /// The index of the part in a packet. The parts are in order, and each lies in another packet.
    func part(in packet: Int) -> Int? {
      var (low, high) = (0, parts.count)
      while low < high {
        let middle = (low + high) / 2
        if parts[middle].packet < packet { low = middle + 1 } else { high = middle }
      }
      return low < parts.count && parts[low].packet == packet ? low : nil
    }

    /// Maps an offset in the packet of a part to that after decoding. Within a code it is the offset of its byte, or with `up` the end of that byte.
    func inner(_ offset: Int, _ number: Int, up: Bool = false) -> Int {
      let part = parts[number]
      guard offset > part.offset else { return offset }
      guard offset < part.offset + part.count else { return offset + part.decoded - part.count }
      let came = starts[number] + offset - part.offset
      var (low, high) = (part.at, part.at + part.decoded)
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] <= came { low = middle + 1 } else { high = middle }
      }
      let isInside = up && low < part.at + part.decoded && (low == part.at || ends[low - 1] < came)
      return part.offset + low - part.at + (isInside ? 1 : 0)
    }

    /// Maps an offset in the decoded packet of a part to that before decoding.
    func outer(_ offset: Int, _ number: Int) -> Int {
      let part = parts[number]
      if offset <= part.offset { return offset }
      if offset >= part.offset + part.decoded { return offset + part.count - part.decoded }
      return part.offset + ends[part.at + offset - part.offset - 1] - starts[number]
    }
  }

  private let message: ProfileMessage
  private var stages: [Stage] = []
  /// The packets with their bytes decoded.
  private(set) var values: [RecentValues.Value]
  /// The locations of checksum bytes in these.
  private(set) var checks: [ProfileMessage.Extent] = []
  /// The escapes of a layer that has any: the length of its encoded bytes depends on their values.
  private(set) var escape: ByteEscape?

  /// Whether a packet has bytes that are encoded or computed anew.
  func has(_ packet: Int) -> Bool { stages.contains { $0.part(in: packet) != nil } }

  /// End of the bytes of a decoded packet that are encoded or computed anew; 0 where there are none.
  func end(in packet: Int) -> Int {
    var end = 0
    for stage in stages {
      guard let number = stage.part(in: packet) else { continue }
      let part = stage.parts[number]
      let isDecoded = stage.checksum == nil
      if isDecoded { end = stage.inner(end, number, up: true) }
      end = max(end, part.offset + (isDecoded ? part.decoded : part.count))
    }
    return end
  }

  /// Decodes the packets of a message. Nil where its layers decode nothing and its checksums can be computed without that, where the device's
  /// encoding differs from the profile's, or where the bytes are not found.
  init?(_ message: ProfileMessage, _ values: [RecentValues.Value], work: inout Int) {
    let trace = message.layerTrace
    guard trace.isWhole, !trace.all.isEmpty, message.direction != .advertise else { return nil }
    let decodes = trace.all.contains { $0.output != nil }
    guard decodes || message.hasFixedChecksum else { return nil }
    // Bytes that may not be this message are not kept.
    if decodes, !message.isComplete || message.checksum == .bad || message.problem != nil { return nil }
    self.message = message
    self.values = values
    // Where the input of each layer ended last.
    var positions: [Int: (packet: Int, offset: Int)] = [:]
    for entry in trace.all {
      guard var parts = parts(of: entry, behind: positions[entry.layer], work: &work), let last = parts.last else { return nil }
      positions[entry.layer] = (last.packet, last.offset + last.count)
      guard entry.output != nil else {
        guard let checksum = message.checksum(of: entry), let bytes = checksum.range(in: entry.input.count) else { return nil }
        for part in parts {
          let range = bytes.clamped(to: part.at..<part.at + part.count)
          for at in range { checks.append((part.packet, part.offset + at - part.at..<part.offset + at - part.at + 1)) }
        }
        stages.append(Stage(entry: entry, parts: parts, checksum: checksum))
        continue
      }
      guard let ends = message.ends(of: entry), let stage = stage(entry, &parts, ends) else { return nil }
      escape = escape ?? message.escape(of: entry)
      decode(stage)
      for (layer, position) in positions {
        if let number = stage.part(in: position.packet) { positions[layer]?.offset = stage.inner(position.offset, number) }
      }
      stages.append(stage)
    }
  }

  /// The locations of a layer's input, behind its previous input.
  private func parts(
    of entry: LayerTrace.Entry, behind position: (packet: Int, offset: Int)?, work: inout Int
  ) -> [Part]? {
    let behind = message.framing(before: entry.layer).behind ?? MessageRewrite.maxTrailer
    let first = position?.packet ?? 0
    let spans = MessageRewrite.spans(
      of: entry.input, in: values, from: first, at: position?.offset, behind: behind, behindEach: message.behindEach(before: entry.layer),
      work: &work)
    guard let spans else { return nil }
    if let position, let span = spans.first, span.packet == first, span.offset < position.offset { return nil }
    return spans.map { Part(packet: $0.packet, offset: $0.offset, count: $0.count, at: $0.at) }
  }

  /// Divides what a layer decoded among its parts: a byte belongs to the packet in which its last byte came.
  private func stage(_ entry: LayerTrace.Entry, _ parts: inout [Part], _ ends: [Int]) -> Stage? {
    guard let output = entry.output else { return nil }
    var starts: [Int] = []
    var at = 0
    for number in parts.indices {
      starts.append(parts[number].at)
      let end = parts[number].at + parts[number].count
      var stop = at
      while stop < output.count, ends[stop] <= end { stop += 1 }
      (parts[number].at, parts[number].decoded) = (at, stop - at)
      at = stop
    }
    return at == output.count ? Stage(entry: entry, parts: parts, ends: ends, starts: starts) : nil
  }

  private mutating func decode(_ stage: Stage) {
    guard let output = stage.entry.output else { return }
    // The layer also decoded the bytes of earlier messages: the replaced bytes of these are decoded too, or else they become zeros.
    let hasEarlier = stage.parts.contains { values[$0.packet].hasMessage }
    let written = hasEarlier ? stage.parts.flatMap { values[$0.packet].written[$0.offset..<$0.offset + $0.count] } : []
    let earlier = hasEarlier ? message.decode(written, like: stage.entry).flatMap { $0.count == output.count ? $0 : nil } : nil
    for (number, part) in stage.parts.enumerated() {
      let range = part.offset..<part.offset + part.count
      let bytes = output[part.at..<part.at + part.decoded]
      values[part.packet].bytes.replaceSubrange(range, with: bytes)
      if values[part.packet].hasMessage {
        let zeros = [UInt8](repeating: 0, count: part.decoded)
        values[part.packet].written.replaceSubrange(range, with: earlier.map { Array($0[part.at..<part.at + part.decoded]) } ?? zeros)
      } else {
        values[part.packet].written.replaceSubrange(range, with: bytes)
      }
      values[part.packet].end = stage.inner(values[part.packet].end, number)
      values[part.packet].claimed = stage.inner(values[part.packet].claimed, number)
      values[part.packet].rest = values[part.packet].rest.map { stage.inner($0, number) }
    }
    for number in checks.indices {
      guard let part = stage.part(in: checks[number].packet) else { continue }
      let end = stage.inner(checks[number].range.upperBound, part, up: true)
      checks[number].range = max(0, end - 1)..<end
    }
  }

  // MARK: The way back

  /// Maps an offset in a decoded packet to that in the packet itself.
  func outer(_ offset: Int, of packet: Int) -> Int {
    var result = offset
    for stage in stages.reversed() where stage.checksum == nil {
      if let number = stage.part(in: packet) { result = stage.outer(result, number) }
    }
    return result
  }

  /// Encodes decoded packets with changed contents, and computes their checksums. Nil where their length changes.
  func encoded(_ packets: [[UInt8]]) -> [[UInt8]]? {
    var packets = packets
    for stage in stages.reversed() {
      var bytes: [UInt8] = []
      if let checksum = stage.checksum {
        for part in stage.parts { bytes += packets[part.packet][part.offset..<part.offset + part.count] }
        guard fill(checksum, &bytes, like: stage.entry.input) else { return nil }
        for part in stage.parts {
          packets[part.packet].replaceSubrange(part.offset..<part.offset + part.count, with: bytes[part.at..<part.at + part.count])
        }
        continue
      }
      for part in stage.parts { bytes += packets[part.packet][part.offset..<part.offset + part.decoded] }
      guard let coded = message.encode(bytes, like: stage.entry), coded.count == stage.entry.input.count else { return nil }
      for (part, start) in zip(stage.parts, stage.starts) {
        packets[part.packet].replaceSubrange(part.offset..<part.offset + part.decoded, with: coded[start..<start + part.count])
      }
    }
    return packets
  }

  /// Computes a checksum; its hexadecimal digits are in lowercase where they were before.
  private func fill(_ checksum: Checksum, _ bytes: inout [UInt8], like old: [UInt8]) -> Bool {
    guard let range = checksum.range(in: bytes.count), checksum.fill(&bytes) else { return false }
    if checksum.form == .asciiHex, old[range].contains(where: { (0x61...0x66).contains($0) }) {
      for at in range where (0x41...0x46).contains(bytes[at]) { bytes[at] |= 0x20 }
    }
    return true
  }
}
