import KaitaiStruct
import Memory
import PacketCodecs

/// What the layers decoded and verified of the packets of a message, from the outermost layer on: with it, the packets can be written again.
package struct LayerTrace {
  /// One layer, and its input.
  package struct Entry {
    /// The number of the layer.
    package let layer: Int
    package let input: [UInt8]
    /// Its decoded output; nil for a layer with a correct checksum.
    package let output: [UInt8]?
  }

  package private(set) var all: [Entry] = []
  /// Whether no entry was left out.
  package internal(set) var isWhole = true
  /// Number of bytes that are kept.
  private(set) var byteCount = 0
  /// Most entries, and most of their bytes, that are kept of an incomplete message.
  private static let maxCount = 1024
  private static let maxBytes = 256 << 10

  /// Bytes in escaped form without the delimiters around them.
  static func contents(of bytes: BorrowedBytes, _ escape: ByteEscape?) -> [UInt8] {
    guard let delimiter = escape?.streamRules?.padding else { return Array(bytes) }
    var (start, end) = (0, bytes.count)
    while start < end, bytes[start] == delimiter { start += 1 }
    while end > start, bytes[end - 1] == delimiter { end -= 1 }
    return Array(bytes[start..<end])
  }

  mutating func add(_ layer: Int, _ input: [UInt8], _ output: [UInt8]? = nil) { add(Entry(layer: layer, input: input, output: output)) }

  /// Adds others, as far as there is `room` for the bytes of all.
  mutating func add(_ other: LayerTrace, room: Int = .max) {
    isWhole = isWhole && other.isWhole
    for entry in other.all { add(entry, room: room) }
  }

  private mutating func add(_ entry: Entry, room: Int = .max) {
    let count = MemoryLayout<Entry>.size + entry.input.count + (entry.output?.count ?? 0)
    guard isWhole, all.count < Self.maxCount, byteCount + count <= min(Self.maxBytes, room) else {
      (all, byteCount, isWhole) = ([], 0, false)
      return
    }
    all.append(entry)
    byteCount += count
  }
}

extension ProfileMessage {
  /// Counts the work of writing the message again, in so many `packets` of `count` bytes in all: the bytes are copied once, and once more for each of
  /// its layers. The work counts as steps of the profile; where these are used up, the profile decodes nothing more, and ``ProfileEngine/onError`` is
  /// called.
  package func spendStepsOfWriting(_ count: Int, packets: Int) {
    let layers = layerTrace.all.count
    let copies = (1 &+ layers) &* (count / 32)
    runtime.with {
      $0.spend(Self.stepsOfWriting &+ Self.stepsOfPacket &* packets &+ copies &+ layers &* Self.stepsOfLayer &+ 2 &* layerTrace.byteCount)
    }
  }
  /// Steps for a message, for each of its packets, and for each of its layers. The first is the work that does not depend on the message's size.
  private static let stepsOfWriting = 250
  private static let stepsOfPacket = 16
  private static let stepsOfLayer = 100

  private var layers: [CompiledLayer] { profile.sources[sourceNumber].directions[Int(direction.rawValue)].layers }

  /// The checksum of a layer; nil where it has none that can be computed from its input.
  package func checksum(of entry: LayerTrace.Entry) -> PacketCodecs.Checksum? {
    switch layers[entry.layer] {
    case .check(let checksum, _, nil, _), .checkPackets(let checksum, _, _): checksum
    default: nil
    }
  }

  /// The escape that a layer decoded; nil where it has no escape, or one whose length does not depend on the bytes.
  package func escape(of entry: LayerTrace.Entry) -> ByteEscape? {
    guard case .unescape(let escape) = layers[entry.layer] else { return nil }
    switch escape {
    case .asciiHex, .scrambled: return nil
    default: return escape
    }
  }

  /// Encodes bytes as the device encoded those of a layer. Nil where the device encoded differently from the layer, or where the result does not
  /// decode to `bytes`.
  package func encode(_ bytes: [UInt8], like entry: LayerTrace.Entry) -> [UInt8]? {
    guard let old = entry.output else { return nil }
    switch layers[entry.layer] {
    case .unescape(.asciiHex):
      let isLower = entry.input.contains { (0x61...0x66).contains($0) }
      return Self.encode(bytes, .asciiHex(upperCase: !isLower), like: entry)
    case .unescape(let escape): return Self.encode(bytes, escape, like: entry)
    case .scramble(let key, let start):
      guard entry.input.count == old.count, bytes.count == old.count else { return nil }
      let new = bytes.indices.map { bytes[$0] ^ old[$0] ^ entry.input[$0] }
      var read: [UInt8] = []
      new.withBorrowedBytes { new in
        runtime.with {
          $0.scramble(new, key, from: start, into: &read)
          // Expressions over the message are evaluated for the new payload.
          $0.environment.set(profile.externals.payload, bytes: payload)
        }
      }
      return read == bytes ? new : nil
    default: return nil
    }
  }

  private static func encode(_ bytes: [UInt8], _ escape: ByteEscape, like entry: LayerTrace.Entry) -> [UInt8]? {
    func encoded(_ bytes: [UInt8]) -> [UInt8] {
      var new: [UInt8] = []
      escape.encode(bytes.rawSpan, into: &new)
      return new
    }
    if let old = entry.output, bytes != old, encoded(old) != entry.input { return nil }
    let new = encoded(bytes)
    var read: [UInt8] = []
    guard escape.decode(new.rawSpan, into: &read) == nil, read == bytes else { return nil }
    return new
  }

  /// Decodes bytes with the layer of an entry. Nil where the layer is neither an escape nor a scrambler, or where it would not encode the result to `bytes`.
  package func decode(_ bytes: [UInt8], like entry: LayerTrace.Entry) -> [UInt8]? {
    var output: [UInt8] = []
    switch layers[entry.layer] {
    case .unescape(let escape): return escape.decode(bytes.rawSpan, into: &output) == nil ? output : nil
    case .scramble:
      guard let old = entry.output, entry.input.count == old.count, bytes.count == old.count else { return nil }
      output = bytes.indices.map { bytes[$0] ^ old[$0] ^ entry.input[$0] }
      return encode(output, like: entry) == bytes ? output : nil
    default: return nil
    }
  }

  /// For each byte that a layer decoded, the end of its encoded form in the input. Nil where the device encoded differently from the layer.
  package func ends(of entry: LayerTrace.Entry) -> [Int]? {
    guard let output = entry.output, encode(output, like: entry) == entry.input else { return nil }
    switch layers[entry.layer] {
    case .unescape(.asciiHex): return output.indices.map { 2 * $0 + 2 }
    case .unescape(.cobs):
      // Each byte has a byte of its own, after the code of its block; a block of 254 bytes is followed by a code without a byte.
      var codes = 1
      var run = 0
      return output.indices.map { at in
        run = output[at] == 0 ? 0 : run + 1
        let end = at + 1 + codes
        if run == 254 { (codes, run) = (codes + 1, 0) }
        return end
      }
    case .unescape(let escape):
      var end = 0
      var unit: [UInt8] = []
      return output.map { byte in
        unit.removeAll(keepingCapacity: true)
        escape.encode([byte].rawSpan, into: &unit)
        end += unit.count
        return end
      }
    default: return output.indices.map { $0 + 1 }
    }
  }
}
