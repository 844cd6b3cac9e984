import PacketCodecs

extension LinkType {
  /// Link Layer packets without any header.
  static let linkLayer = LinkType(
    number: 251, name: "LE Link Layer",
    classify: { record, _ in SnifferHeader.bare(&record) },
    encode: { record, _, losses in
      guard record.kind == .linkLayer else { return false }
      if record.radio != RadioInfo() { losses.add(.radio) }
      return true
    })

  /// Link Layer packets with the header that most sniffers write.
  static let linkLayerWithHeader = LinkType(
    number: 256, name: "LE Link Layer with header",
    classify: { record, bytes in SnifferHeader.withHeader(&record, bytes) },
    encode: { record, body, _ in
      guard record.kind == .linkLayer else { return false }
      SnifferHeader.encode(record, &body.header)
      return true
    })

  /// The nRF Sniffer's own header.
  static let nordic = LinkType(
    number: 272, name: "nRF Sniffer", classify: { record, bytes in SnifferHeader.nordic(&record, bytes) }, writtenAs: 256)

  /// The same, in older captures without a link type number of its own.
  static let nordicOld = LinkType(
    number: 157, name: "nRF Sniffer, old", classify: { record, bytes in SnifferHeader.nordic(&record, bytes) }, writtenAs: 256)

  /// Per-Packet Information, as Ubertooth writes it.
  static let ppi = LinkType(number: 192, name: "PPI", classify: { record, bytes in SnifferHeader.ppi(&record, bytes) }, writtenAs: 256)

  /// BR/EDR baseband packets.
  static let baseband = LinkType(
    number: 255, name: "BR/EDR baseband", classify: { record, bytes in SnifferHeader.baseband(&record, bytes) })
}

/// The header that sniffers write before a Link Layer packet: channel, RSSI, CRC and direction (tcpdump.org's pages of the link types; the nRF
/// Sniffer's own description for 272).
enum SnifferHeader {
  /// Link Layer channel index of an RF channel, which counts from 2402 MHz in steps of 2 (Core Specification, Vol 6, Part B, 1.4.1).
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
  private static func auxiliary(_ record: PacketRecord, _ bytes: borrowing RawSpan) -> UInt16 {
    if record.radio.channel >= 37 || record.captured - record.payload < 4 { return 0 }
    return bytes.little32(record.payload) == 0x8E89_BED6 ? RadioInfo.Flag.auxiliary : 0
  }

  /// LE LL without any header (251).
  @inline(__always)
  static func bare(_ record: inout PacketRecord) {
    record.kind = .linkLayer
    record.radio.flags = record.isTruncated ? 0 : RadioInfo.Flag.hasCRC
  }

  /// LE LL with PHDR (256): 10 bytes.
  @inline(__always)
  static func withHeader(_ record: inout PacketRecord, _ bytes: borrowing RawSpan) {
    if record.captured < 10 { return }
    bare(&record)
    record.payload = 10
    let flags = bytes.little16(8)
    record.radio.channel = channel(rf: bytes.byte(0))
    record.radio.signal = Int8(bitPattern: bytes.byte(1))
    var known = record.radio.flags
    if flags & 0x0002 != 0 { known |= RadioInfo.Flag.signalValid }
    if flags & 0x0008 != 0 { known |= RadioInfo.Flag.decrypted }
    if flags & 0x0400 != 0 { known |= RadioInfo.Flag.crcChecked }
    if flags & 0x0C00 == 0x0C00 { known |= RadioInfo.Flag.crcOK }
    if flags & 0x0010 != 0 && record.captured >= 14 && bytes.little32(4) != bytes.little32(10) {
      known |= RadioInfo.Flag.strayAccessAddress
    }
    let type = flags >> 7 & 7
    switch type {
    case 1: known |= RadioInfo.Flag.auxiliary
    case 2: record.direction = .central
    case 3: record.direction = .peripheral
    case 4...6:
      known |= RadioInfo.Flag.isochronous
      record.direction = type == 4 ? .central : type == 5 ? .peripheral : .unknown
    default: break
    }
    // For an auxiliary advertisement, these two bits are its type.
    if type != 1 && flags & 0x3000 == 0x3000 { known |= RadioInfo.Flag.micOK }
    record.radio.flags = known | auxiliary(record, bytes)
    record.radio.phy = UInt8(truncatingIfNeeded: min(flags >> 14, 2))
  }

  /// The nRF Sniffer's header (272, and 157 in older captures): 17 bytes in all versions.
  @inline(__always)
  static func nordic(_ record: inout PacketRecord, _ bytes: borrowing RawSpan) {
    if record.captured < 21 { return }
    let isOld = bytes.byte(0) == 0xBE && bytes.byte(1) == 0xEF
    let version = isOld ? 0 : bytes.byte(3)
    if version > 3 || !isOld && bytes.byte(7) != 10 { return }
    bare(&record)
    record.payload = 17
    let flags = bytes.byte(8)
    record.radio.channel = bytes.byte(9)
    record.radio.signal = Int8(clamping: -Int(bytes.byte(10)))
    var known = record.radio.flags | RadioInfo.Flag.signalValid | RadioInfo.Flag.crcChecked
    if flags & 1 != 0 { known |= RadioInfo.Flag.crcOK }
    record.radio.phy = version < 2 ? 0 : min(flags >> 4 & 7, 2)
    let isAdvertising = version == 3 ? bytes.byte(6) == 2 : bytes.little32(17) == 0x8E89_BED6
    if isAdvertising {
      known |= auxiliary(record, bytes)
    } else {
      record.direction = flags & 2 != 0 ? .central : .peripheral
      if flags & 4 != 0 { known |= flags & 8 != 0 ? RadioInfo.Flag.decrypted | RadioInfo.Flag.micOK : RadioInfo.Flag.encrypted }
    }
    record.radio.flags = known
  }

  /// PPI (192): fields, and a nested link type; that of Ubertooth's captures is 147, a Link Layer packet.
  static func ppi(_ record: inout PacketRecord, _ bytes: borrowing RawSpan) {
    if record.captured < 8 { return }
    let length = Int(bytes.little16(2))
    let inner = bytes.little32(4)
    if length < 8 || length > record.captured || inner != 147 && inner != 251 { return }
    bare(&record)
    record.payload = length
    var at = 8
    while length - at >= 4 {
      let (type, size) = (bytes.little16(at), Int(bytes.little16(at + 2)))
      if length - at - 4 < size { return }
      if type == 30006 && size >= 12 {
        let megahertz = Int(bytes.little16(at + 5))
        if (2402...2480).contains(megahertz) {
          record.radio.channel = channel(rf: UInt8((megahertz - 2402) / 2))
          record.radio.flags |= auxiliary(record, bytes)
        }
        record.radio.signal = Int8(bitPattern: bytes.byte(at + 14))
        if bytes.byte(at + 15) > 0 { record.radio.flags |= RadioInfo.Flag.signalValid }
      }
      at += 4 + size
    }
  }

  /// BR/EDR baseband with its 22-byte header (255).
  @inline(__always)
  static func baseband(_ record: inout PacketRecord, _ bytes: borrowing RawSpan) {
    if record.captured < 22 { return }
    record.kind = .baseband
    record.payload = 22
    record.radio.channel = bytes.byte(0)
    record.radio.signal = Int8(bitPattern: bytes.byte(1))
    if bytes.little16(20) & 0x0002 != 0 { record.radio.flags = RadioInfo.Flag.signalValid }
  }

  /// Appends the 10 bytes of link type 256.
  static func encode(_ record: PacketRecord, _ header: inout [UInt8]) {
    let radio = record.radio
    let rf: UInt8 =
      switch radio.channel {
      case 37: 0
      case 38: 12
      case 39: 39
      case 0...10: radio.channel + 1
      default: radio.channel < 37 ? radio.channel + 2 : radio.channel
      }
    var flags: UInt16 = 0x0001
    func set(_ bits: UInt16, if flag: UInt16) {
      if radio.flags & flag != 0 { flags |= bits }
    }
    set(0x0002, if: RadioInfo.Flag.signalValid)
    set(0x0008, if: RadioInfo.Flag.decrypted)
    set(0x0400, if: RadioInfo.Flag.crcChecked)
    set(0x0800, if: RadioInfo.Flag.crcOK)
    set(0x3000, if: RadioInfo.Flag.micOK)
    // One number gives the packet's kind: isochronous or not, its sender, or an auxiliary advertisement.
    let type: UInt16 =
      switch (radio.flags & RadioInfo.Flag.isochronous != 0, record.direction) {
      case (true, .central): 4
      case (true, .peripheral): 5
      case (true, _): 6
      case (false, .central): 2
      case (false, .peripheral): 3
      case (false, _): radio.flags & RadioInfo.Flag.auxiliary != 0 ? 1 : 0
      }
    flags |= type << 7
    // For an auxiliary advertisement, these two bits are its type.
    if type == 1 { flags &= ~0x3000 }
    flags |= UInt16(min(radio.phy, 2)) << 14
    header += [rf, UInt8(bitPattern: radio.signal), 0, 0, 0, 0, 0, 0]
    header.little16(flags)
  }
}
