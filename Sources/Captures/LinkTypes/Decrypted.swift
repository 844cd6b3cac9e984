import PacketCodecs

extension PacketBatch {
  /// Replaces the bytes of a Link Layer packet by the decrypted ones, from the access address on. `record` is the packet's, with its direction, which
  /// may be known only now; its flags and the sniffer's header are set to decrypted, with a correct integrity check.
  public func setDecrypted(_ index: Int, _ record: PacketRecord, _ payload: RawSpan, interfaces: [CaptureInterface]) {
    guard unsafe records.indices.contains(index) else { return }
    var record = record
    let linkType = interfaces.indices.contains(Int(record.interface)) ? interfaces[Int(record.interface)].linkType : -1
    var bytes = unsafe Array(bytes(record).prefix(record.payload))
    SnifferHeader.setDecrypted(&bytes, linkType: linkType, shorter: max(0, record.captured - record.payload - payload.byteCount))
    for at in 0..<payload.byteCount { bytes.append(payload.byte(at)) }
    record.radio.flags |= RadioInfo.Flag.decrypted | RadioInfo.Flag.micOK
    record.radio.flags &= ~RadioInfo.Flag.encrypted
    record.original = max(bytes.count, record.original - (record.captured - bytes.count))
    record.captured = bytes.count
    record.offset = append(bytes: bytes.rawSpan)
    unsafe store[index] = record
  }
}

extension SnifferHeader {
  /// Sets in a sniffer's header that the packet was decrypted and is `shorter` bytes shorter.
  static func setDecrypted(_ header: inout [UInt8], linkType: Int, shorter: Int) {
    switch linkType {
    case LinkType.linkLayerWithHeader.number:
      guard header.count == 10 else { return }
      header[8] |= 0x08
      // For an auxiliary advertisement, these two bits are its type.
      if (UInt16(header[9]) << 8 | UInt16(header[8])) >> 7 & 7 != 1 { header[9] |= 0x30 }
    case LinkType.nordic.number, LinkType.nordicOld.number:
      guard header.count == 17 else { return }
      header[8] |= 0x0C
      switch header[3] {
      case _ where header[0] == 0xBE && header[1] == 0xEF: break
      case 1: header[2] = UInt8(max(0, Int(header[2]) - shorter))
      default:
        let length = max(0, (Int(header[2]) << 8 | Int(header[1])) - shorter)
        header[1] = UInt8(truncatingIfNeeded: length)
        header[2] = UInt8(truncatingIfNeeded: length >> 8)
      }
    default: break
    }
  }
}
