import PacketCodecs

extension CaptureFormat {
  /// What went over a UART, without a container: HCI packets behind their type bytes, one behind the other (Core Specification, Vol 4, Part A).
  public static let hciStream = CaptureFormat(
    name: "h4",
    fileEndings: ["h4", "bin"],
    recognition: .signature(HCIStreamReader.isStream),
    makeReader: { input, _ in RecordSource(HCIStreamReader(), input: input) })
}

/// Reads HCI packets that stand one behind the other. They have no times; commands were sent and events received, of data nobody knows.
struct HCIStreamReader: RecordReader {
  /// How many packets in a row make a stream.
  private static let fewest = 4

  var format: CaptureFormat { .hciStream }
  var title: String { "H4 without a container" }
  var interfaces: [CaptureInterface] { [CaptureInterface(linkType: LinkType.hciH4.number)] }

  /// The number of bytes of the packet at `at` with its type byte; nil where its header is not all there, 0 where no packet begins so.
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

  /// A packet as hosts and controllers send it: a command of a group that there is, an event with a code that there is, data of a connection
  /// that there can be.
  private static func isLikely(_ bytes: borrowing RawSpan, _ at: Int) -> Bool {
    switch bytes.byte(at) {
    case 1:
      let group = bytes.byte(at &+ 2) >> 2
      return (1...8).contains(group) || group == 0x3F
    case 4: return (1...0x59).contains(bytes.byte(at &+ 1)) || bytes.byte(at &+ 1) >= 0xFE
    default: return bytes.little16(at &+ 1) & 0xFFF <= 0xEFF
    }
  }

  /// A file that starts with `head` is a stream: from its start on packets follow each other, beginning with a command or an event, up to the
  /// end, or as many of them that chance would not put there.
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
