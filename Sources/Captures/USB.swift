/// HCI over USB (Core Specification, Vol 4, Part B) out of captures of the bus: usbmon of Linux (189, 220) and USBPcap (249). One record
/// comes in for each transfer and one goes out; what carries no HCI is opaque, and a packet in several transfers comes with its last.
struct USB {
  /// What a capture of the bus says of a transfer.
  private struct Transfer {
    var address: UInt32 = 0
    var endpoint: UInt8 = 0
    /// 0 isochronous, 1 interrupt, 2 control, 3 bulk.
    var type: UInt8 = 0
    /// The data are on their way from the host.
    var isSubmit = false
    /// Where the setup packet of a control transfer starts; 0 for none.
    var setup = 0
    var data = 0
  }

  /// What is known of a device on the bus.
  private struct Device {
    var address: UInt32
    var isBluetooth: Bool?
    /// A setup packet said that an HCI command follows, or the descriptor of the device.
    var expectsCommand = false
    var expectsDescriptor = false
    /// Beginnings of packets that are not whole yet: events, ACL sent, ACL received.
    var partial: [[UInt8]] = [[], [], []]
  }

  /// More devices than a bus can have are not remembered.
  private static let mostDevices = 512
  private static let longestPacket = 4 + 0xFFFF

  private var devices: [Device] = []
  /// Packets put together from several transfers in the batch at hand: bytes to add behind the capture's own.
  private(set) var joined: [UInt8] = []

  /// Hands over the joined bytes, at the end of a batch.
  mutating func flush(into batch: PacketBatch) {
    if joined.isEmpty { return }
    _ = unsafe joined.withUnsafeBytes { unsafe batch.append(bytes: $0) }
    joined.removeAll(keepingCapacity: true)
  }

  /// Sets kind, direction and payload of a record; `end` is where the joined bytes will start in the batch.
  mutating func classify(_ record: inout PacketRecord, _ bytes: UnsafeRawPointer, linkType: Int, order: ByteOrder, end: Int) {
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: record.captured)
    let read =
      unsafe linkType == LinkType.usbPcap ? USB.usbPcap(buffer) : USB.usbmon(buffer, order, header: linkType == LinkType.usbLinux ? 48 : 64)
    guard let transfer = read, let index = device(transfer.address) else { return }
    record.payload = min(transfer.data, record.captured)
    let data = unsafe UnsafeRawBufferPointer(rebasing: buffer[record.payload...])
    switch (transfer.type, transfer.endpoint) {
    case (2, 0), (2, 0x80): unsafe control(index, transfer, buffer, data, &record)
    case (1, 0x81) where !transfer.isSubmit: unsafe packet(index, 0, .event, data, &record, end)
    case (3, 0x02) where transfer.isSubmit: unsafe packet(index, 1, .acl, data, &record, end)
    case (3, 0x82) where !transfer.isSubmit: unsafe packet(index, 2, .acl, data, &record, end)
    default: break
    }
  }

  private mutating func device(_ address: UInt32) -> Int? {
    if let known = devices.firstIndex(where: { $0.address == address }) { return known }
    if devices.count == USB.mostDevices { return nil }
    devices.append(Device(address: address))
    return devices.count - 1
  }

  /// Commands travel as control transfers to the device's class; a device descriptor tells what the device is.
  private mutating func control(
    _ index: Int, _ transfer: Transfer, _ buffer: UnsafeRawBufferPointer, _ data: UnsafeRawBufferPointer, _ record: inout PacketRecord
  ) {
    if transfer.setup > 0, buffer.count - transfer.setup >= 8 {
      let setup = unsafe UnsafeRawBufferPointer(rebasing: buffer[transfer.setup..<transfer.setup + 8])
      devices[index].expectsCommand = unsafe setup[0] == 0x20 && setup[1] == 0
      devices[index].expectsDescriptor = unsafe setup[0] == 0x80 && setup[1] == 6 && setup[3] == 1
    }
    if devices[index].expectsCommand, transfer.isSubmit, data.count >= 3, unsafe data.count == Int(data[2]) + 3 {
      devices[index].isBluetooth = true
      devices[index].expectsCommand = false
      record.kind = .command
      record.direction = .sent
    } else if devices[index].expectsDescriptor, !transfer.isSubmit, data.count >= 8 {
      devices[index].expectsDescriptor = false
      switch unsafe data[4] {
      case 0xE0: devices[index].isBluetooth = unsafe data[5] == 1
      case 0, 0xEF, 0xFF: break
      default: devices[index].isBluetooth = false
      }
    }
  }

  /// Adds a transfer to the packet that it belongs to, and makes the record that packet where it is whole.
  private mutating func packet(
    _ index: Int, _ lane: Int, _ kind: PacketKind, _ data: UnsafeRawBufferPointer, _ record: inout PacketRecord, _ end: Int
  ) {
    if unsafe data.isEmpty || devices[index].isBluetooth == false { return }
    let begun = devices[index].partial[lane].count
    if begun == 0 {
      let length = unsafe USB.length(kind, data)
      if devices[index].isBluetooth == nil && length != data.count { return }
      if data.count >= length ?? Int.max || record.isTruncated {
        record.kind = kind
        record.direction = lane == 1 ? .sent : .received
        return
      }
    }
    if begun + data.count > USB.longestPacket {
      devices[index].partial[lane] = []
      return
    }
    unsafe devices[index].partial[lane].append(contentsOf: data)
    let whole = unsafe devices[index].partial[lane].withUnsafeBytes { unsafe USB.length(kind, $0) }
    guard let whole, devices[index].partial[lane].count >= whole else { return }
    record.kind = kind
    record.direction = lane == 1 ? .sent : .received
    record.offset = end + joined.count
    record.payload = 0
    record.captured = devices[index].partial[lane].count
    record.original = record.captured
    joined.append(contentsOf: devices[index].partial[lane])
    devices[index].partial[lane].removeAll(keepingCapacity: true)
  }

  /// Length of an HCI packet by its own header; nil where that is not whole.
  private static func length(_ kind: PacketKind, _ data: UnsafeRawBufferPointer) -> Int? {
    if kind == .event { return unsafe data.count < 2 ? nil : 2 + Int(data[1]) }
    return unsafe data.count < 4 ? nil : 4 + (Int(data[2]) | Int(data[3]) << 8)
  }

  private static func usbmon(_ bytes: UnsafeRawBufferPointer, _ order: ByteOrder, header: Int) -> Transfer? {
    guard bytes.count >= header, let base = bytes.baseAddress else { return nil }
    var transfer = Transfer()
    transfer.address = unsafe UInt32(order.u16(base, 12)) << 16 | UInt32(bytes[11])
    transfer.endpoint = unsafe bytes[10]
    transfer.type = unsafe bytes[9]
    transfer.isSubmit = unsafe bytes[8] == 0x53
    // A zero flag says that the field is there.
    if unsafe transfer.type == 2 && bytes[14] == 0 { transfer.setup = 40 }
    let descriptors = unsafe header == 64 && transfer.type == 0 ? Int(min(order.u32(base, 60), 0xFFFF)) * 16 : 0
    transfer.data = unsafe bytes[15] == 0 ? header + descriptors : bytes.count
    return transfer
  }

  private static func usbPcap(_ bytes: UnsafeRawBufferPointer) -> Transfer? {
    guard bytes.count >= 27, let base = bytes.baseAddress else { return nil }
    let header = unsafe Int(little16(base, 0))
    if header < 27 || header > bytes.count { return nil }
    var transfer = Transfer()
    transfer.address = unsafe UInt32(little16(base, 17)) << 16 | UInt32(little16(base, 19))
    transfer.endpoint = unsafe bytes[21]
    transfer.type = unsafe bytes[22]
    transfer.isSubmit = unsafe bytes[16] & 1 == 0
    transfer.data = header
    // Stage 0 of a control transfer is the setup packet, and what the host sends with it.
    if unsafe transfer.type == 2 && header > 27 && bytes[27] == 0 {
      transfer.setup = header
      transfer.data = header + 8
    }
    return transfer
  }
}
