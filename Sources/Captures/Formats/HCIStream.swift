import PacketCodecs

extension CaptureFormat {
  /// The bytes of a UART without a container: HCI packets, each after its type byte, one after the other (Core Specification, Vol 4, Part A).
  public static let hciStream = CaptureFormat(
    name: "h4",
    fileEndings: ["h4", "bin"],
    recognition: .signature(HCIStreamReader.isStream),
    makeReader: { input, _ in RecordSource(HCIStreamReader(), input: input) })
}

/// Reads consecutive HCI packets without a container. They have no times; commands were sent and events received, the direction of data is unknown.
struct HCIStreamReader: RecordReader {
  /// Number of consecutive packets that is enough to recognize a stream.
  private static let fewest = 4

  var format: CaptureFormat { .hciStream }
  var title: String { "H4 without a container" }
  var interfaces: [CaptureInterface] { [CaptureInterface(linkType: LinkType.hciH4.number)] }

  /// The number of bytes of the packet at `at` with its type byte; nil where its header is incomplete, 0 where no packet begins there.
  @inline(__always)
  static func count(_ bytes: borrowing RawSpan, _ at: Int) -> Int? {
    let left = bytes.byteCount &- at
    guard left > 0 else { return nil }
    switch bytes.byte(at) {
    case 1: return left < 4 ? nil : 4 &+ Int(bytes.byte(at &+ 3))
    case 2, 5: return left < 5 ? nil : 5 &+ Int(bytes.little16(at &+ 3) & (bytes.byte(at) == 5 ? 0x3FFF : 0xFFFF))
    case 3: return left < 4 ? nil : 4 &+ Int(bytes.byte(at &+ 3))
    case 4: return left < 3 ? nil : 3 &+ Int(bytes.byte(at &+ 2))
    default: return 0
    }
  }

  /// Whether a packet is plausible: a command of a defined group, an event with a defined code, data with a valid connection handle.
  private static func isLikely(_ bytes: borrowing RawSpan, _ at: Int) -> Bool {
    switch bytes.byte(at) {
    case 1:
      let group = bytes.byte(at &+ 2) >> 2
      return (1...8).contains(group) || group == 0x3F
    case 4: return (1...0x59).contains(bytes.byte(at &+ 1)) || bytes.byte(at &+ 1) >= 0xFE
    default: return bytes.little16(at &+ 1) & 0xFFF <= 0xEFF
    }
  }

  /// Whether a file that starts with `head` is a stream: from its start on packets follow each other, beginning with a command or an event, up to the
  /// end, or more of them than are likely by chance.
  static func isStream(_ head: [UInt8]) -> Bool {
    let bytes = head.rawSpan
    guard bytes.byteCount >= 4 * fewest, bytes.byte(0) == 1 || bytes.byte(0) == 4 else { return false }
    var (at, seen) = (0, 0)
    while at < bytes.byteCount, seen < fewest * 4 {
      guard let count = count(bytes, at) else { break }
      if count == 0 || !isLikely(bytes, at) { return false }
      if bytes.byteCount &- at < count { break }
      at &+= count
      seen &+= 1
    }
    return seen >= fewest
  }

  mutating func parse(_ bytes: RawSpan, frame: inout Int, into batch: PacketBatch) -> Parsed {
    var at = 0
    while batch.count < batchRecords {
      if at == bytes.byteCount { break }
      guard let count = Self.count(bytes, at) else { return Parsed(consumed: at, needs: 5) }
      if count == 0 { return Parsed(consumed: at, damage: "a packet type of \(bytes.byte(at))") }
      if bytes.byteCount &- at < count { return Parsed(consumed: at, needs: count) }
      frame &+= 1
      var record = PacketRecord()
      record.frame = frame
      record.offset = at
      record.captured = count
      record.original = count
      LinkType.hciH4.classify(&record, bytes.extracting(at..<at &+ count))
      batch.append(record)
      at &+= count
    }
    return Parsed(consumed: at)
  }
}
