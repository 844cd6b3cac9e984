/// Link types as tcpdump.org numbers them, and what their headers say of a packet.
enum LinkType {
  static let userTen = 157
  static let hciH4 = 187
  static let usbLinux = 189
  static let ppi = 192
  static let hciH4WithDirection = 201
  static let usbLinuxPadded = 220
  static let usbPcap = 249
  static let linkLayer = 251
  static let linuxMonitor = 254
  static let baseband = 255
  static let linkLayerWithHeader = 256
  static let nordic = 272

  /// Sets what the link header says: kind, direction, adapter, length of the header. `bytes` are the captured ones.
  @inline(__always)
  static func classify(_ record: inout PacketRecord, _ bytes: UnsafeRawPointer, linkType: Int) {
    switch linkType {
    case hciH4:
      unsafe H4.classify(&record, bytes)
      if record.direction == .unknown {
        if record.kind == .command { record.direction = .sent }
        if record.kind == .event { record.direction = .received }
      }
    case hciH4WithDirection:
      if record.captured < 4 { return }
      // 1 is received: what every program writes, and the opposite of tcpdump.org's page.
      record.direction = unsafe big32(bytes, 0) & 1 == 0 ? .sent : .received
      dropPseudoHeader(&record)
      unsafe H4.classify(&record, bytes + 4)
    case linuxMonitor:
      if record.captured < 4 { return }
      dropPseudoHeader(&record)
      unsafe Monitor.classify(&record, adapter: big16(bytes, 0), opcode: big16(bytes, 2))
    case linkLayerWithHeader: unsafe SnifferHeader.withHeader(&record, bytes)
    case nordic, userTen: unsafe SnifferHeader.nordic(&record, bytes)
    case linkLayer: SnifferHeader.bare(&record)
    case ppi: unsafe SnifferHeader.ppi(&record, bytes)
    case baseband: unsafe SnifferHeader.baseband(&record, bytes)
    default: break
    }
  }

  /// The packets are transfers on a USB.
  @inline(__always)
  static func isUSB(_ linkType: Int) -> Bool { linkType == usbLinux || linkType == usbLinuxPadded || linkType == usbPcap }

  /// The four bytes before the packet do not count as part of it, as in Wireshark.
  @inline(__always)
  private static func dropPseudoHeader(_ record: inout PacketRecord) {
    record.offset &+= 4
    record.captured &-= 4
    record.original = max(0, record.original &- 4)
  }

  /// The name of a link type as tcpdump.org has it, if it is one that is read.
  static func name(_ linkType: Int) -> String? {
    switch linkType {
    case hciH4: "HCI H4"
    case hciH4WithDirection: "HCI H4 with direction"
    case linuxMonitor: "Linux monitor"
    case linkLayer: "LE Link Layer"
    case linkLayerWithHeader: "LE Link Layer with header"
    case nordic: "nRF Sniffer"
    case userTen: "nRF Sniffer, old"
    case ppi: "PPI"
    case baseband: "BR/EDR baseband"
    case usbLinux, usbLinuxPadded: "USB of Linux"
    case usbPcap: "USBPcap"
    default: nil
    }
  }
}
