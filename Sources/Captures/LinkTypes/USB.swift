import PacketCodecs

extension LinkType {
  /// usbmon of Linux with its 48-byte header.
  static let usbLinux = usb(189, "USB of Linux", .usbmon(48))
  /// usbmon of Linux with its 64-byte header.
  static let usbLinuxPadded = usb(220, "USB of Linux", .usbmon(64))
  /// USBPcap of Windows.
  static let usbPcap = usb(249, "USBPcap", .usbPcap)

  private static func usb(_ number: Int, _ name: String, _ header: USBTransfers.Header) -> LinkType {
    // The content of a transfer depends on earlier ones, so that USBTransfers classifies it.
    LinkType(number: number, name: name, classify: { _, _ in }, writtenAs: 201, usb: header)
  }
}

/// HCI over USB (Core Specification, Vol 4, Part B) from captures of the bus. Each transfer is one record; those without HCI are opaque, and a packet
/// in several transfers is in the record of the last.
struct USBTransfers {
  /// The capture's header before a transfer.
  enum Header {
    /// usbmon of Linux; the number is the header's length.
    case usbmon(Int)
    /// USBPcap.
    case usbPcap
  }

  /// A transfer's properties from the capture's header.
  private struct Transfer {
    var address: UInt32 = 0
    var endpoint: UInt8 = 0
    /// 0 isochronous, 1 interrupt, 2 control, 3 bulk.
    var type: UInt8 = 0
    /// The data are sent by the host.
    var isSubmit = false
    /// Where the setup packet of a control transfer starts; 0 for none.
    var setup = 0
    var data = 0
  }

  /// The state of a device on the bus.
  private struct Device {
    var address: UInt32
    var isBluetooth: Bool?
    /// A setup packet announced an HCI command, or the descriptor of the device.
    var expectsCommand = false
    var expectsDescriptor = false
    /// Incomplete packets: events, ACL sent, ACL received.
    var partial: [[UInt8]] = [[], [], []]
    /// The value of ``growth`` when each of them last grew.
    var grown = [0, 0, 0]
  }

  /// Most devices that are remembered, which is more than a bus can have.
  private static let maxDevices = 512
  private static let longestPacket = 4 + 0xFFFF
  /// Most bytes of incomplete packets; beyond that, the oldest are dropped.
  private static let maxWaiting = 8 << 20

  private var devices: [Device] = []
  /// Bytes of all incomplete packets, and a counter of their growth.
  private var waiting = 0
  private var growth = 0
  /// Packets joined from several transfers in the current batch: bytes to append after the capture's own.
  private(set) var joined: [UInt8] = []

  /// Appends the joined bytes, at the end of a batch.
  mutating func flush(into batch: PacketBatch) {
    if joined.isEmpty { return }
    _ = batch.append(bytes: joined.rawSpan)
    joined.removeAll(keepingCapacity: true)
  }

  /// Sets kind, direction and payload of a record; `end` is where the joined bytes will start in the batch.
  mutating func classify(_ record: inout PacketRecord, _ bytes: RawSpan, header: Header, order: ByteOrder, end: Int) {
    let read =
      switch header {
      case .usbmon(let length): USBTransfers.usbmon(bytes, order, header: length)
      case .usbPcap: USBTransfers.usbPcap(bytes)
      }
    guard let transfer = read, let index = device(transfer.address) else { return }
    record.payload = min(transfer.data, record.captured)
    let data = bytes.extracting(droppingFirst: record.payload)
    switch (transfer.type, transfer.endpoint) {
    case (2, 0), (2, 0x80): control(index, transfer, bytes, data, &record)
    case (1, 0x81) where !transfer.isSubmit: packet(index, 0, .event, data, &record, end)
    case (3, 0x02) where transfer.isSubmit: packet(index, 1, .acl, data, &record, end)
    case (3, 0x82) where !transfer.isSubmit: packet(index, 2, .acl, data, &record, end)
    default: break
    }
  }

  private mutating func device(_ address: UInt32) -> Int? {
    if let known = devices.firstIndex(where: { $0.address == address }) { return known }
    if devices.count == USBTransfers.maxDevices { return nil }
    devices.append(Device(address: address))
    return devices.count - 1
  }

  /// Commands are control transfers with the device's class; a device descriptor identifies the device.
  private mutating func control(
    _ index: Int, _ transfer: Transfer, _ bytes: RawSpan, _ data: RawSpan, _ record: inout PacketRecord
  ) {
    if transfer.setup > 0, bytes.byteCount - transfer.setup >= 8 {
      let setup = bytes.extracting(transfer.setup..<transfer.setup + 8)
      devices[index].expectsCommand = setup.byte(0) == 0x20 && setup.byte(1) == 0
      devices[index].expectsDescriptor = setup.byte(0) == 0x80 && setup.byte(1) == 6 && setup.byte(3) == 1
    }
    if devices[index].expectsCommand, transfer.isSubmit, data.byteCount >= 3, data.byteCount == Int(data.byte(2)) + 3 {
      devices[index].isBluetooth = true
      devices[index].expectsCommand = false
      record.kind = .command
      record.direction = .sent
    } else if devices[index].expectsDescriptor, !transfer.isSubmit, data.byteCount >= 8 {
      devices[index].expectsDescriptor = false
      switch data.byte(4) {
      case 0xE0: devices[index].isBluetooth = data.byte(5) == 1
      case 0, 0xEF, 0xFF: break
      default: devices[index].isBluetooth = false
      }
    }
  }

  /// Adds a transfer to its packet, and makes the record that packet when it is complete.
  private mutating func packet(
    _ index: Int, _ lane: Int, _ kind: PacketKind, _ data: RawSpan, _ record: inout PacketRecord, _ end: Int
  ) {
    if data.byteCount == 0 || devices[index].isBluetooth == false { return }
    if devices[index].partial[lane].isEmpty {
      let length = USBTransfers.length(kind, data)
      if devices[index].isBluetooth == nil && length != data.byteCount { return }
      if data.byteCount >= length ?? Int.max || record.isTruncated {
        record.kind = kind
        record.direction = lane == 1 ? .sent : .received
        return
      }
    }
    // Moved out of the list, so that it is not copied when it grows.
    var packet: [UInt8] = []
    swap(&packet, &devices[index].partial[lane])
    waiting -= packet.count
    if packet.count + data.byteCount > USBTransfers.longestPacket { return }
    packet.append(data)
    guard let whole = USBTransfers.length(kind, packet.rawSpan), packet.count >= whole else {
      waiting += packet.count
      growth += 1
      devices[index].grown[lane] = growth
      swap(&packet, &devices[index].partial[lane])
      while waiting > USBTransfers.maxWaiting { giveUpOldest() }
      return
    }
    record.kind = kind
    record.direction = lane == 1 ? .sent : .received
    record.offset = end + joined.count
    record.payload = 0
    record.captured = packet.count
    record.original = record.captured
    joined += packet
  }

  /// Drops the incomplete packet that has waited longest.
  private mutating func giveUpOldest() {
    var oldest: (device: Int, lane: Int, grown: Int)?
    for device in devices.indices {
      for lane in 0..<3 where !devices[device].partial[lane].isEmpty && devices[device].grown[lane] < oldest?.grown ?? Int.max {
        oldest = (device, lane, devices[device].grown[lane])
      }
    }
    guard let oldest else { return waiting = 0 }
    waiting -= devices[oldest.device].partial[oldest.lane].count
    devices[oldest.device].partial[oldest.lane] = []
  }

  /// Length of an HCI packet from its own header; nil where that is incomplete.
  private static func length(_ kind: PacketKind, _ data: RawSpan) -> Int? {
    if kind == .event { return data.byteCount < 2 ? nil : 2 + Int(data.byte(1)) }
    return data.byteCount < 4 ? nil : 4 + (Int(data.byte(2)) | Int(data.byte(3)) << 8)
  }

  private static func usbmon(_ bytes: RawSpan, _ order: ByteOrder, header: Int) -> Transfer? {
    guard bytes.byteCount >= header else { return nil }
    var transfer = Transfer()
    transfer.address = UInt32(order.u16(bytes, 12)) << 16 | UInt32(bytes.byte(11))
    transfer.endpoint = bytes.byte(10)
    transfer.type = bytes.byte(9)
    transfer.isSubmit = bytes.byte(8) == 0x53
    // A flag of zero means that the field is present.
    if transfer.type == 2 && bytes.byte(14) == 0 { transfer.setup = 40 }
    let descriptors = header == 64 && transfer.type == 0 ? Int(min(order.u32(bytes, 60), 0xFFFF)) * 16 : 0
    transfer.data = bytes.byte(15) == 0 ? header + descriptors : bytes.byteCount
    return transfer
  }

  private static func usbPcap(_ bytes: RawSpan) -> Transfer? {
    guard bytes.byteCount >= 27 else { return nil }
    let header = Int(bytes.little16(0))
    if header < 27 || header > bytes.byteCount { return nil }
    var transfer = Transfer()
    transfer.address = UInt32(bytes.little16(17)) << 16 | UInt32(bytes.little16(19))
    transfer.endpoint = bytes.byte(21)
    transfer.type = bytes.byte(22)
    transfer.isSubmit = bytes.byte(16) & 1 == 0
    transfer.data = header
    // Stage 0 of a control transfer is the setup packet, with the data that the host sends.
    if transfer.type == 2 && header > 27 && bytes.byte(27) == 0 {
      transfer.setup = header
      transfer.data = header + 8
    }
    return transfer
  }
}
