import PacketCodecs

/// Reads btsnoop with the bytes of a UART with BCSP (1003) or three-wire transport (1004; Core Specification, Vol 4, Part D): SLIP frames, each with
/// a 4-byte header and an optional CRC. Records hold parts of the stream of one direction; the output is complete HCI packets, without
/// retransmissions.
struct UARTFrameReader: RecordReader {
  /// The state of one direction.
  private struct Lane {
    var frame: [UInt8] = []
    var isInside = false
    var isEscaped = false
    var lastSequence: UInt8 = 0xFF
  }

  /// Longest frame: the header, 4095 bytes, the CRC.
  private static let longest = 4 + 4095 + 2

  /// Longest record: each batch of its packets holds it completely.
  private static let longestRecord = 256 << 10

  private let isBCSP: Bool
  private var isHeaderSkipped = false
  private var lanes = [Lane(), Lane()]
  private var joined: [UInt8] = []
  /// Number of bytes of the current record that were processed: it may hold more packets than fit into a batch.
  private var processed = 0
  private var (control, broken, repeated) = (0, 0, 0)

  init(isBCSP: Bool) { self.isBCSP = isBCSP }

  var format: CaptureFormat { .btsnoop }
  var title: String { isBCSP ? "btsnoop (BCSP)" : "btsnoop (three-wire UART)" }
  var interfaces: [CaptureInterface] { [CaptureInterface(linkType: LinkType.hciH4.number)] }

  var limits: [CaptureLimit] {
    var limits: [CaptureLimit] = []
    if control > 0 { limits.append(CaptureLimit(id: "uart-control", text: "link control of the UART is not shown", packets: control)) }
    if repeated > 0 {
      limits.append(CaptureLimit(id: "uart-repeated", text: "frames that the UART repeated are not shown", packets: repeated))
    }
    if broken > 0 { limits.append(CaptureLimit(id: "uart-broken", text: "damaged frames of the UART are not shown", packets: broken)) }
    return limits
  }

  mutating func parse(_ bytes: RawSpan, frame: inout Int, into batch: PacketBatch) -> Parsed {
    var at = 0
    if !isHeaderSkipped {
      if bytes.byteCount < BtsnoopReader.fileHeader { return Parsed(needs: BtsnoopReader.fileHeader) }
      isHeaderSkipped = true
      at = BtsnoopReader.fileHeader
    }
    defer {
      _ = batch.append(bytes: joined.rawSpan)
      joined.removeAll(keepingCapacity: true)
    }
    while batch.count < batchRecords {
      if bytes.byteCount - at < BtsnoopReader.recordHeader { return Parsed(consumed: at, needs: BtsnoopReader.recordHeader) }
      let included = Int(bytes.big32(at + 4))
      if included > Self.longestRecord { return Parsed(consumed: at, damage: "a record of \(included) bytes") }
      if bytes.byteCount - at - BtsnoopReader.recordHeader < included {
        return Parsed(consumed: at, needs: BtsnoopReader.recordHeader + included)
      }
      let isReceived = bytes.big32(at + 8) & 1 != 0
      let time = Int64(bitPattern: bytes.big64(at + 16)) &- BtsnoopReader.epoch
      let start = at + BtsnoopReader.recordHeader
      for index in start + min(processed, included)..<start + included {
        if batch.count >= batchRecords {
          processed = index - start
          return Parsed(consumed: at)
        }
        guard let whole = slip(bytes.byte(index), isReceived ? 1 : 0) else { continue }
        guard var record = packet(whole, isReceived) else { continue }
        frame &+= 1
        record.frame = frame
        record.time = time
        record.drops = bytes.big32(at + 12)
        record.offset = bytes.byteCount + joined.count
        record.captured = whole.count - 4 - (whole[0] & 0x40 != 0 ? 2 : 0)
        record.original = record.captured
        joined.append(contentsOf: whole[4..<4 + record.captured])
        batch.append(record)
      }
      processed = 0
      at += BtsnoopReader.recordHeader + included
    }
    return Parsed(consumed: at)
  }

  /// Takes a byte of a direction; returns the frame that it ends, if any.
  private mutating func slip(_ byte: UInt8, _ lane: Int) -> [UInt8]? {
    if byte == 0xC0 {
      let whole = lanes[lane].frame
      lanes[lane].frame.removeAll(keepingCapacity: true)
      lanes[lane].isEscaped = false
      lanes[lane].isInside = true
      return whole.isEmpty ? nil : whole
    }
    if !lanes[lane].isInside { return nil }
    if byte == 0xDB && !lanes[lane].isEscaped {
      lanes[lane].isEscaped = true
      return nil
    }
    var plain = byte
    if lanes[lane].isEscaped {
      lanes[lane].isEscaped = false
      switch byte {
      case 0xDC: plain = 0xC0
      case 0xDD: plain = 0xDB
      case 0xDE: plain = 0x11
      case 0xDF: plain = 0x13
      default: break
      }
    }
    if lanes[lane].frame.count >= UARTFrameReader.longest {
      lanes[lane].frame.removeAll(keepingCapacity: true)
      lanes[lane].isInside = false
      broken += 1
      return nil
    }
    lanes[lane].frame.append(plain)
    return nil
  }

  /// Kind and direction of the HCI packet in a frame; nil where there is none, or where it was received before.
  private mutating func packet(_ whole: [UInt8], _ isReceived: Bool) -> PacketRecord? {
    let length = whole.count < 4 ? -1 : Int(whole[1] >> 4) | Int(whole[2]) << 4
    let hasCRC = whole.count >= 4 && whole[0] & 0x40 != 0
    guard whole.count >= 4, whole[0] &+ whole[1] &+ whole[2] &+ whole[3] == 0xFF, whole.count == 4 + length + (hasCRC ? 2 : 0) else {
      broken += 1
      return nil
    }
    let type = whole[1] & 0x0F
    var record = PacketRecord()
    record.direction = isReceived ? .received : .sent
    switch (isBCSP, type) {
    case (false, 1): record.kind = .command
    case (false, 2), (true, 6): record.kind = .acl
    case (false, 3), (true, 7): record.kind = .sco
    case (false, 4): record.kind = .event
    case (false, 5): record.kind = .iso
    case (true, 5): record.kind = isReceived ? .event : .command
    default:
      control += 1
      return nil
    }
    if whole[0] & 0x80 != 0 {
      let lane = isReceived ? 1 : 0
      if lanes[lane].lastSequence == whole[0] & 7 {
        repeated += 1
        return nil
      }
      lanes[lane].lastSequence = whole[0] & 7
    }
    return record
  }
}
