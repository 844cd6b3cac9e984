/// What sniffers put before a Link Layer packet: channel, signal strength, CRC and direction (tcpdump.org's pages of the link types;
/// the nRF Sniffer's own description for 272).
enum SnifferHeader {
  /// Channel number in the Link Layer of an RF channel, which counts from 2402 MHz in steps of 2 (Core Specification, Vol 6, Part B, 1.4.1).
  @inline(__always)
  static func channel(rf: UInt8) -> UInt8 {
    switch rf {
    case 0: 37
    case 12: 38
    case 39: 39
    case 1...11: rf - 1
    default: rf < 39 ? rf - 2 : rf
    }
  }

  /// A packet with the advertising access address on a data channel is an auxiliary one.
  @inline(__always)
  private static func auxiliary(_ record: PacketRecord, _ bytes: UnsafeRawPointer) -> UInt16 {
    if record.radio.channel >= 37 || record.captured - record.payload < 4 { return 0 }
    return unsafe little32(bytes, record.payload) == 0x8E89_BED6 ? RadioInfo.Flag.auxiliary : 0
  }

  /// LE LL without any header (251).
  @inline(__always)
  static func bare(_ record: inout PacketRecord) {
    record.kind = .linkLayer
    record.radio.flags = record.isTruncated ? 0 : RadioInfo.Flag.hasCRC
  }

  /// LE LL with PHDR (256): 10 bytes.
  @inline(__always)
  static func withHeader(_ record: inout PacketRecord, _ bytes: UnsafeRawPointer) {
    if record.captured < 10 { return }
    bare(&record)
    record.payload = 10
    let flags = unsafe little16(bytes, 8)
    record.radio.channel = unsafe channel(rf: bytes.load(as: UInt8.self))
    record.radio.signal = unsafe bytes.load(fromByteOffset: 1, as: Int8.self)
    var told = record.radio.flags
    if flags & 0x0002 != 0 { told |= RadioInfo.Flag.signalValid }
    if flags & 0x0008 != 0 { told |= RadioInfo.Flag.decrypted }
    if flags & 0x0400 != 0 { told |= RadioInfo.Flag.crcChecked }
    if flags & 0x0C00 == 0x0C00 { told |= RadioInfo.Flag.crcOK }
    if unsafe flags & 0x0010 != 0 && record.captured >= 14 && little32(bytes, 4) != little32(bytes, 10) {
      told |= RadioInfo.Flag.strayAccessAddress
    }
    let type = flags >> 7 & 7
    switch type {
    case 1: told |= RadioInfo.Flag.auxiliary
    case 2: record.direction = .central
    case 3: record.direction = .peripheral
    case 4...6:
      told |= RadioInfo.Flag.isochronous
      record.direction = type == 4 ? .central : type == 5 ? .peripheral : .unknown
    default: break
    }
    // Of an auxiliary advertisement these two bits say its type instead.
    if type != 1 && flags & 0x3000 == 0x3000 { told |= RadioInfo.Flag.micOK }
    record.radio.flags = unsafe told | auxiliary(record, bytes)
    record.radio.phy = UInt8(truncatingIfNeeded: min(flags >> 14, 2))
  }

  /// The nRF Sniffer's header (272, and 157 in older captures): 17 bytes in all versions.
  @inline(__always)
  static func nordic(_ record: inout PacketRecord, _ bytes: UnsafeRawPointer) {
    if record.captured < 21 { return }
    let byte = unsafe UnsafeRawBufferPointer(start: bytes, count: 21)
    let isOld = unsafe byte[0] == 0xBE && byte[1] == 0xEF
    let version = unsafe isOld ? 0 : byte[3]
    if unsafe version > 3 || !isOld && byte[7] != 10 { return }
    bare(&record)
    record.payload = 17
    let flags = unsafe byte[8]
    record.radio.channel = unsafe byte[9]
    record.radio.signal = unsafe Int8(clamping: -Int(byte[10]))
    var told = record.radio.flags | RadioInfo.Flag.signalValid | RadioInfo.Flag.crcChecked
    if flags & 1 != 0 { told |= RadioInfo.Flag.crcOK }
    record.radio.phy = version < 2 ? 0 : min(flags >> 4 & 7, 2)
    let isAdvertising = unsafe version == 3 ? byte[6] == 2 : little32(bytes, 17) == 0x8E89_BED6
    if isAdvertising {
      unsafe told |= auxiliary(record, bytes)
    } else {
      record.direction = flags & 2 != 0 ? .central : .peripheral
      if flags & 4 != 0 { told |= flags & 8 != 0 ? RadioInfo.Flag.decrypted | RadioInfo.Flag.micOK : RadioInfo.Flag.encrypted }
    }
    record.radio.flags = told
  }

  /// PPI (192): fields, and a link type inside; that of Ubertooth's captures is 147, a Link Layer packet.
  static func ppi(_ record: inout PacketRecord, _ bytes: UnsafeRawPointer) {
    if record.captured < 8 { return }
    let length = unsafe Int(little16(bytes, 2))
    let inner = unsafe little32(bytes, 4)
    if length < 8 || length > record.captured || inner != 147 && inner != 251 { return }
    bare(&record)
    record.payload = length
    var at = 8
    while length - at >= 4 {
      let (type, size) = unsafe (little16(bytes, at), Int(little16(bytes, at + 2)))
      if length - at - 4 < size { return }
      if type == 30006 && size >= 12 {
        let megahertz = unsafe Int(little16(bytes, at + 5))
        if (2402...2480).contains(megahertz) {
          record.radio.channel = channel(rf: UInt8((megahertz - 2402) / 2))
          unsafe record.radio.flags |= auxiliary(record, bytes)
        }
        record.radio.signal = unsafe bytes.load(fromByteOffset: at + 14, as: Int8.self)
        if unsafe bytes.load(fromByteOffset: at + 15, as: UInt8.self) > 0 { record.radio.flags |= RadioInfo.Flag.signalValid }
      }
      at += 4 + size
    }
  }

  /// BR/EDR baseband with its 22-byte header (255).
  @inline(__always)
  static func baseband(_ record: inout PacketRecord, _ bytes: UnsafeRawPointer) {
    if record.captured < 22 { return }
    record.kind = .baseband
    record.payload = 22
    record.radio.channel = unsafe bytes.load(as: UInt8.self)
    record.radio.signal = unsafe bytes.load(fromByteOffset: 1, as: Int8.self)
    if unsafe little16(bytes, 20) & 0x0002 != 0 { record.radio.flags = RadioInfo.Flag.signalValid }
  }
}
