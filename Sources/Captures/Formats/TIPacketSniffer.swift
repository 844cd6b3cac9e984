import PacketCodecs

extension CaptureFormat {
  /// The captures of Texas Instruments' SmartRF Packet Sniffer with a CC2540. They are only read.
  public static let tiPacketSniffer = CaptureFormat(
    name: "psd", fileEndings: ["psd"], recognition: .signature { TIPacketSnifferReader.isStart($0.rawSpan) },
    makeReader: { (input, _) throws(CaptureError) in RecordSource(TIPacketSnifferReader(), input: input) },
    // Of the link types for sniffers only those with a header hold the channel and the result of the CRC.
    pcapLinkTypes: [LinkType.linkLayer.number: LinkType.linkLayerWithHeader.number], isOfSniffers: true)
}

/// Reads the .psd files of TI's SmartRF Packet Sniffer (SWRU187, *Packet broadcast*): records of 271 bytes, each with a packet of the LE Link Layer,
/// without a header of the file. All numbers are little endian: information (1), number of the packet (4), time (8), length (2), then the length of
/// the packet (1), the packet from its access address to its CRC, the signal (1), and channel with the result of the CRC (1). The rest is zero.
struct TIPacketSnifferReader: RecordReader {
  static let recordLength = 271
  /// Bytes before the access address.
  private static let header = 16
  /// Signal and channel.
  private static let trailer = 2
  /// Access address, header and CRC of the shortest packet.
  private static let shortest = 9

  var format: CaptureFormat { .tiPacketSniffer }
  var title: String { "TI SmartRF Packet Sniffer" }
  var interfaces: [CaptureInterface] { [CaptureInterface(linkType: LinkType.linkLayer.number)] }
  var limits: [CaptureLimit] { [.noTimeOfDay] }
  private(set) var metadata: [CaptureMetadata] = []

  /// Whether a file that starts with `bytes` is one of these: its first record has a packet of Bluetooth, whose lengths agree. Other protocols have
  /// records of the same form.
  static func isStart(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount >= recordLength, let length = packetLength(bytes, 0) else { return false }
    return bytes.byte(header + 5) == length - shortest && (header + length + trailer..<recordLength).allSatisfy { bytes.byte($0) == 0 }
  }

  /// The length of the packet of the record at an offset; nil for a record of another form.
  private static func packetLength(_ bytes: RawSpan, _ at: Int) -> Int? {
    let length = Int(bytes.byte(at &+ 15))
    guard bytes.byte(at) == 1, Int(bytes.little16(at &+ 13)) == length &+ 1, length >= shortest &+ trailer,
      length <= recordLength &- header, bytes.byte(at &+ header &+ length &- 1) & 0x7F < 40
    else { return nil }
    return length &- trailer
  }

  mutating func parse(_ bytes: RawSpan, frame: inout Int, into batch: PacketBatch) -> Parsed {
    var at = 0
    while batch.count < batchRecords {
      if bytes.byteCount &- at < Self.recordLength { return Parsed(consumed: at, needs: Self.recordLength) }
      guard let length = Self.packetLength(bytes, at) else {
        return Parsed(consumed: at, damage: "a record that is no packet of the LE Link Layer")
      }
      frame &+= 1
      var record = PacketRecord()
      record.frame = frame
      record.time = Self.microseconds(bytes.little64(at &+ 5))
      record.offset = at &+ Self.header
      record.captured = length
      record.original = length
      record.kind = .linkLayer
      let status = bytes.byte(record.offset &+ length &+ 1)
      record.radio.channel = status & 0x7F
      // No document says to which power in dBm the byte for the signal corresponds.
      var flags = RadioInfo.Flag.hasCRC | RadioInfo.Flag.crcChecked
      if status & 0x80 != 0 { flags |= RadioInfo.Flag.crcOK }
      if record.radio.channel < 37 && bytes.little32(record.offset) == 0x8E89_BED6 { flags |= RadioInfo.Flag.auxiliary }
      record.radio.flags = flags
      batch.append(record)
      let rest = at &+ Self.header &+ length &+ Self.trailer..<at &+ Self.recordLength
      if rest.contains(where: { bytes.byte($0) != 0 }) { metadata.count(.bytesBehindPacket, bytes.extracting(rest)) }
      at &+= Self.recordLength
    }
    return Parsed(consumed: at)
  }

  /// The chip's timer: its low 16 bits count 32 ticks a microsecond and begin again after 5000, the bits above count how often.
  private static func microseconds(_ time: UInt64) -> Int64 {
    let periods = Int64(truncatingIfNeeded: min(time >> 16, 1 << 40))
    return (periods &* 5000 &+ Int64(time & 0xFFFF)) / 32
  }
}
