import Bluetooth
import Captures
import Conversations

/// Values that a table cannot say.
extension FilterEvaluator {
  func special(_ special: FilterSpecial, _ field: FilterField, _ values: inout ContiguousArray<FilterValue>) {
    switch special {
    case .message: break
    case .never: if field.type == .bool { values.append(FilterValue(0)) }
    case .frame, .number, .length, .captured, .time, .epoch, .relative, .delta, .deltaDisplayed, .protocols, .comment, .direction,
      .encapsulation, .interface, .interfaceName, .interfaceDescription, .rowName, .peerName, .value, .latency, .request, .response,
      .adapter:
      frame(special, &values)
    case .bluetooth, .h1, .h4, .monitor, .packetLogger, .command, .event, .acl, .sco, .iso, .l2cap, .att, .smp, .linkLayer,
      .radioHeader, .nordicHeader, .sdp, .rfcomm, .avdtp, .avctp, .bnep, .hid:
      layer(special, &values)
    case .anyAddress, .source, .destination, .anyName, .sourceName, .destinationName, .aclSource, .aclDestination, .aclSourceName,
      .aclDestinationName, .connectFrame:
      devices(special, &values)
    case .h1Direction, .h4Type, .h4Direction, .monitorAdapter, .monitorOpcode, .monitorAddress, .adapterName, .systemNote,
      .packetLoggerType, .eventStatus, .advertisingAddress, .crc, .crcIncorrect, .centralAddress,
      .peripheralAddress, .radioSignal, .nordicSignal:
      transport(special, &values)
    case .l2capLength, .l2capChannel, .l2capPayload, .l2capPSM: channel(special, &values)
    case .attHandle, .attValue, .attUUID16, .attUUID128, .serviceUUID16, .serviceUUID128, .characteristicUUID16, .characteristicUUID128,
      .attRequest, .attResponse:
      attribute(special, &values)
    }
  }

  private func append(_ text: String, _ values: inout ContiguousArray<FilterValue>) {
    var text = text
    text.withUTF8 { unsafe values.append(scratch.keep(UnsafeRawBufferPointer($0))) }
  }

  private func append(_ name: StaticName, _ values: inout ContiguousArray<FilterValue>) {
    unsafe values.append(FilterValue(UnsafeRawPointer(name.start), name.count))
  }

  private func append(_ name: [UInt8], _ values: inout ContiguousArray<FilterValue>) {
    unsafe name.withUnsafeBytes { unsafe values.append(scratch.keep($0)) }
  }

  private func append(_ bytes: PDUBytes, _ values: inout ContiguousArray<FilterValue>) {
    unsafe values.append(FilterValue(bytes.start, bytes.count))
  }

  // MARK: The captured packet

  /// Link types of captures that have HCI packets with an H4 type byte.
  var isH4: Bool { (linkType == 187 || linkType == 201) && format != .packetLogger && !isH1 }
  /// btsnoop without type bytes.
  var isH1: Bool {
    guard linkType == 187, format == .btsnoop, record.payload == 0 else { return false }
    return record.kind == .command || record.kind == .event || record.kind == .acl || record.kind == .sco
  }
  var isMonitor: Bool { linkType == 254 }

  private func frame(_ special: FilterSpecial, _ values: inout ContiguousArray<FilterValue>) {
    let time = Int128(record.time) * 1000
    switch special {
    case .frame: append(whole, &values)
    case .number: values.append(FilterValue(Int128(record.frame)))
    case .length: values.append(FilterValue(Int128(record.original)))
    case .captured: values.append(FilterValue(Int128(record.captured)))
    case .time, .epoch: values.append(FilterValue(time))
    case .relative: values.append(FilterValue(time - Int128(first ?? record.time) * 1000))
    case .delta: values.append(FilterValue(time - Int128(previous) * 1000))
    case .deltaDisplayed: values.append(FilterValue(passed.map { time - Int128($0) * 1000 } ?? 0))
    case .protocols: protocols(&values)
    case .comment:
      for note in batch.packets.notes
      where unsafe note.record < batch.packets.records.count && batch.packets.records[note.record].frame == record.frame {
        append(note.text, &values)
      }
    case .direction:
      guard isH4 || isH1 else { return }
      switch record.direction {
      case .sent: values.append(FilterValue(0))
      case .received: values.append(FilterValue(1))
      default: break
      }
    case .encapsulation: values.append(FilterValue(Int128(encapsulation)))
    case .interface: if format == .pcapng { values.append(FilterValue(Int128(record.interface))) }
    case .interfaceName:
      // An interface without a name goes by its description.
      if format == .pcapng, Int(record.interface) < interfaces.count {
        let one = interfaces[Int(record.interface)]
        if !one.name.isEmpty || !one.description.isEmpty { append(one.name.isEmpty ? one.description : one.name, &values) }
      }
    case .interfaceDescription:
      if Int(record.interface) < interfaces.count, !interfaces[Int(record.interface)].description.isEmpty {
        append(interfaces[Int(record.interface)].description, &values)
      }
    case .rowName: for row in rows { append(Dissection.name(row), &values) }
    case .peerName: for row in rows where row.peer >= 0 { append(name(of: row.peer), &values) }
    case .value: for row in rows where row.flags.contains(.hasValue) { append(row.value, &values) }
    case .latency:
      for row in rows where row.flags.contains(.hasLatency) { values.append(FilterValue(Int128(row.latency) * 1000)) }
    case .request: for row in rows where row.requestFrame > 0 { values.append(FilterValue(Int128(row.requestFrame))) }
    case .response: for row in rows where row.responseFrame > 0 { values.append(FilterValue(Int128(row.responseFrame))) }
    case .adapter: if record.adapter != 0xFFFF { values.append(FilterValue(Int128(record.adapter))) }
    default: break
    }
  }

  /// Wireshark's own number of the capture's encapsulation.
  private var encapsulation: Int {
    switch format {
    case .packetLogger: 118
    case .btsnoop where isH1: 102
    default:
      switch linkType {
      case 187: format == .btsnoop ? 99 : 41
      case 201: 99
      case 254: 159
      case 251: 154
      case 256: 161
      case 272: 186
      case 192: 97
      default: 0
      }
    }
  }

  private func name(of peer: Int32) -> [UInt8] {
    let own = batch.tables.peers[Int(peer)]
    let identity = batch.tables.peers[Int(batch.tables.identity(peer))]
    return identity.nameTrust >= own.nameTrust ? identity.name : own.name
  }

  // MARK: Protocols

  private static let advertisingData = FilterPlace(.advertisingData, ["length"])
  private static let deviceClass = FilterPlace(.any, ["class_of_device"])

  /// The protocols of the packet from the outside in, as Wireshark lists them.
  private func protocols(_ values: inout ContiguousArray<FilterValue>) {
    var found: ContiguousArray<FilterValue> = []
    scratch.begin()
    layer(.bluetooth, &found)
    if !found.isEmpty { scratch.append("bluetooth") }
    let order: [(FilterSpecial, StaticName)] = [
      (.packetLogger, ":packetlogger"), (.monitor, ":hci_mon"), (.h4, ":hci_h4"), (.h1, ":hci_h1"), (.nordicHeader, ":nordic_ble"),
      (.radioHeader, ":btle_rf"),
      (.linkLayer, ":btle"), (.command, ":bthci_cmd"), (.event, ":bthci_evt"), (.acl, ":bthci_acl"), (.sco, ":bthci_sco"),
      (.iso, ":bthci_iso"), (.l2cap, ":btl2cap"), (.att, ":btatt"), (.smp, ":btsmp"), (.sdp, ":btsdp"), (.rfcomm, ":btrfcomm"),
    ]
    for (special, name) in order {
      found.removeAll(keepingCapacity: true)
      layer(special, &found)
      if !found.isEmpty { scratch.append(name) }
    }
    found.removeAll(keepingCapacity: true)
    for place in [Self.advertisingData, Self.deviceClass] { named(place, FilterField(), &found) }
    if !found.isEmpty { scratch.append(":btcommon") }
    values.append(scratch.end())
  }

  /// The bytes of a protocol, once for each time that it is there.
  private func layer(_ special: FilterSpecial, _ values: inout ContiguousArray<FilterValue>) {
    switch special {
    case .bluetooth:
      // Below the headers of some sniffers Wireshark has no such layer.
      switch linkType {
      case 272, 157, 192: break
      default: append(whole, &values)
      }
    case .h4: if isH4, record.captured > 0 { append(whole.slice(0, 1), &values) }
    case .h1: if isH1 { append(whole, &values) }
    case .monitor: if isMonitor { append(whole, &values) }
    case .packetLogger: if format == .packetLogger { append(whole, &values) }
    case .command: if record.kind == .command { append(payload, &values) }
    case .event: if record.kind == .event { append(payload, &values) }
    case .acl: if record.kind == .acl { append(payload, &values) }
    case .sco: if record.kind == .sco { append(payload, &values) }
    case .iso: if record.kind == .iso { append(payload, &values) }
    case .linkLayer: if record.kind == .linkLayer { append(payload, &values) }
    // Wireshark counts the Link Layer packet among the bytes of this header.
    case .radioHeader: if linkType == 256 { append(whole, &values) }
    case .nordicHeader: if linkType == 272 || linkType == 157 { append(whole.slice(0, 17), &values) }
    case .l2cap:
      if let header = l2cap { append(header, &values) }
    default:
      let wanted: Layer? =
        switch special {
        case .att: .att
        case .smp: .smp
        case .sdp: .sdp
        case .rfcomm: .rfcomm
        case .avdtp: .avdtp
        case .avctp: .avctp
        case .bnep: .bnep
        case .hid: .hid
        default: nil
        }
      for row in rows where row.layer == wanted {
        // Wireshark does not look for RFCOMM in channels whose opening it did not see.
        if special == .rfcomm, row.subcode == 0 { continue }
        // Media goes over channels of the same number; signals are told by their identifier.
        if special == .avdtp, let kind = row.pdu.u8(0), let signal = row.pdu.u8(1), kind & 12 == 0, !(1...13).contains(signal) { continue }
        append(row.pdu, &values)
      }
      if values.isEmpty, record.isTruncated, record.kind == .acl { isBlind = true }
    }
  }

  // MARK: Devices

  private func devices(_ special: FilterSpecial, _ values: inout ContiguousArray<FilterValue>) {
    switch special {
    case .connectFrame:
      guard record.kind == .acl, let connection, connection.startFrame > 0 else { return }
      values.append(FilterValue(Int128(connection.startFrame)))
      return
    case .aclSource, .aclDestination, .aclSourceName, .aclDestinationName:
      guard record.kind == .acl, rows.count > 0 else { return }
    default: break
    }
    let wantsName: Bool
    let ends: [Bool]
    switch special {
    case .anyAddress, .anyName: (wantsName, ends) = (special == .anyName, [true, false])
    case .source, .aclSource: (wantsName, ends) = (false, [true])
    case .destination, .aclDestination: (wantsName, ends) = (false, [false])
    case .sourceName, .aclSourceName: (wantsName, ends) = (true, [true])
    default: (wantsName, ends) = (true, [false])
    }
    let isFromHost = record.direction == .sent || record.direction == .central
    for isSource in ends {
      if isSource == isFromHost { local(wantsName, &values) } else { peers(wantsName, &values) }
    }
    if special == .anyAddress { mentioned(&values) }
  }

  /// The connection that the packet belongs to.
  private var connection: Connection? {
    guard rows.count > 0, rows[0].connection >= 0 else { return nil }
    return batch.tables.connections[Int(rows[0].connection)]
  }

  private func local(_ wantsName: Bool, _ values: inout ContiguousArray<FilterValue>) {
    for adapter in batch.tables.adapters where adapter.index == record.adapter {
      if wantsName { append(adapter.name, &values) } else { values.append(scratch.address(adapter.address ?? 0)) }
    }
  }

  private func peers(_ wantsName: Bool, _ values: inout ContiguousArray<FilterValue>) {
    guard rows.count > 0 else { return }
    let row = rows[0]
    if row.peer < 0 {
      if record.kind == .acl { wantsName ? append([], &values) : values.append(scratch.address(0)) }
      return
    }
    if wantsName { append(name(of: row.peer), &values) } else { values.append(scratch.address(batch.tables.peers[Int(row.peer)].address)) }
  }

  /// All addresses that the packet itself has.
  private func mentioned(_ values: inout ContiguousArray<FilterValue>) {
    for name in ["bthci_cmd.bd_addr", "bthci_evt.bd_addr", "bthci_evt.direct_bd_addr", "btsmp.bd_addr"] {
      guard let index = FilterFields.byName[name] else { continue }
      for place in FilterFields.all[index].places { named(place, FilterFields.all[index], &values) }
    }
  }

  // MARK: Transports and the Link Layer

  private func transport(_ special: FilterSpecial, _ values: inout ContiguousArray<FilterValue>) {
    switch special {
    case .h4Type: if isH4, let type = whole.u8(0) { values.append(FilterValue(Int128(type))) }
    case .h4Direction:
      if isH4, record.captured > 0, record.direction == .sent || record.direction == .received {
        values.append(FilterValue(record.direction == .sent ? 0 : 1))
      }
    case .h1Direction:
      if isH1 { values.append(FilterValue(record.direction == .sent ? 0 : 1)) }
    case .monitorAdapter: if isMonitor { values.append(FilterValue(Int128(record.adapter))) }
    case .monitorOpcode:
      if isMonitor {
        let isReceived = record.direction == .received && (record.kind == .acl || record.kind == .sco || record.kind == .iso)
        values.append(FilterValue(Int128(record.kind.rawValue) + (isReceived ? 1 : 0)))
      }
    case .monitorAddress:
      guard isMonitor, record.kind == .newIndex || record.kind == .indexInfo else { return }
      if let address = payload.address(record.kind == .newIndex ? 2 : 0) { values.append(scratch.address(address)) }
    case .adapterName:
      if isMonitor, record.kind == .newIndex {
        let name = payload.slice(8, 8)
        unsafe values.append(FilterValue(name.start, name.buffer.firstIndex(of: 0) ?? name.count))
      }
    case .systemNote:
      if isMonitor, record.kind == .systemNote {
        unsafe values.append(FilterValue(payload.start, payload.buffer.firstIndex(of: 0) ?? payload.count))
      }
    case .packetLoggerType:
      if format == .packetLogger, let type = packetLoggerType { values.append(FilterValue(Int128(type))) }
    case .eventStatus:
      // What a vendor's command returns is the vendor's, and No Operation returns nothing.
      let hasNone = rows.contains {
        $0.layer == .hciEvent && $0.opcode == 0x0E && ($0.subcode >> 10 == 0x3F || $0.subcode == 0)
      }
      if hasNone { return }
      var field = FilterField()
      (field.type, field.width) = (.unsigned, 1)
      named(Self.status, field, &values)
    default: linkLayer(special, &values)
    }
  }

  private static let status = FilterPlace(.event, ["status"])

  private var packetLoggerType: UInt8? {
    switch (record.kind, record.direction) {
    case (.command, _): 0
    case (.event, _): 1
    case (.acl, .sent): 2
    case (.acl, _): 3
    case (.sco, .sent): 8
    case (.sco, _): 9
    case (.systemNote, _): 0xFC
    default: nil
    }
  }

  private func linkLayer(_ special: FilterSpecial, _ values: inout ContiguousArray<FilterValue>) {
    switch special {
    case .radioSignal: if linkType == 256, let byte = whole.u8(1) { values.append(FilterValue(Int128(Int8(bitPattern: byte)))) }
    case .nordicSignal: if linkType == 272, let byte = whole.u8(10) { values.append(FilterValue(-Int128(byte))) }
    default: break
    }
    guard record.kind == .linkLayer, let access = payload.u32(0) else { return }
    let isAdvertising = access == LinkLayer.advertisingAccessAddress
    switch special {
    case .advertisingAddress:
      let payload = linkLayerPDU
      guard isAdvertising, let header = payload.u8(4) else { return }
      // The advertiser stands first, behind the one that asks; extended PDUs say where it is.
      switch header & 15 {
      case 0, 1, 2, 4, 6: if let address = payload.address(6) { values.append(scratch.address(address)) }
      case 3, 5: if let address = payload.address(12) { values.append(scratch.address(address)) }
      case 7:
        if let length = payload.u8(6), length & 0x3F > 0, let flags = payload.u8(7), flags & 1 == 1, let address = payload.address(8) {
          values.append(scratch.address(address))
        }
      default: break
      }
    case .crc:
      if record.radio.flags & RadioInfo.Flag.hasCRC != 0, let length = linkLayerPDU.u8(5), let crc = linkLayerPDU.u24(6 + Int(length)) {
        // Its bits are sent the other way round than all others.
        var turned: Int128 = 0
        for bit in 0..<24 where crc >> UInt32(bit) & 1 == 1 { turned |= 1 << Int128(23 - bit) }
        values.append(FilterValue(turned))
      }
    case .crcIncorrect:
      let checked = RadioInfo.Flag.crcChecked
      guard record.radio.flags & (checked | RadioInfo.Flag.crcOK) == checked, let length = linkLayerPDU.u8(5),
        linkLayerPDU.u24(6 + Int(length)) != nil
      else { return }
      unsafe values.append(FilterValue(nil, 0))
    case .peripheralAddress, .centralAddress:
      guard !isAdvertising else { return }
      if let pair = pairs[access] {
        values.append(scratch.address(special == .centralAddress ? pair.central : pair.peripheral))
      } else if special == .peripheralAddress, let connection, connection.peer >= 0 {
        values.append(scratch.address(batch.tables.peers[Int(connection.peer)].address))
      }
    default: break
    }
  }

  // MARK: L2CAP

  /// The whole L2CAP PDU of the packet where it starts and ends here, or that it completes; nil for a part of one.
  private var l2cap: PDUBytes? {
    switch record.kind {
    case .acl:
      guard rows.count > 0, !rows[0].flags.contains(.part), rows[0].layer != .hciACL else { return nil }
      return rows[0].flags.contains(.joined) ? rows[0].pdu : payload.from(4)
    case .linkLayer:
      guard rows.count > 0,
        rows[0].layer == .att || rows[0].layer == .smp || rows[0].layer == .signaling || rows[0].layer == .l2cap,
        !rows[0].flags.contains(.part)
      else { return nil }
      return rows[0].pdu
    default: return nil
    }
  }

  private func channel(_ special: FilterSpecial, _ values: inout ContiguousArray<FilterValue>) {
    if special == .l2capPSM {
      for row in rows {
        if row.layer == .signaling, row.opcode == 0x02 || row.opcode == 0x0C, let psm = row.pdu.u16(4) {
          values.append(FilterValue(Int128(psm)))
        } else if row.layer == .signaling, row.opcode == 0x06 || row.opcode == 0x07 {
          if row.asked > 0 { values.append(FilterValue(Int128(row.asked))) }
        } else if row.channel >= 0x40, row.layer != .signaling, row.layer != .att, row.subcode != 0 {
          values.append(FilterValue(Int128(row.subcode)))
        }
      }
      return
    }
    guard let whole = l2cap else {
      if record.isTruncated, record.kind == .acl { isBlind = true }
      return
    }
    let row = rows[0]
    let isHere = record.kind == .acl && !row.flags.contains(.joined)
    switch special {
    case .l2capLength:
      if isHere {
        if let length = whole.u16(0) { values.append(FilterValue(Int128(length))) }
      } else if row.layer == .l2cap {
        if let length = row.pdu.u16(0) { values.append(FilterValue(Int128(length))) }
      } else {
        values.append(FilterValue(Int128(rows.reduce(0) { $0 + $1.pdu.count })))
      }
    case .l2capChannel:
      if isHere {
        if let channel = whole.u16(2) { values.append(FilterValue(Int128(channel))) }
      } else {
        values.append(FilterValue(Int128(row.channel)))
      }
    default:
      // The fixed channels have protocols of their own. RFCOMM that Wireshark does not look for is a payload to it.
      if row.layer == .rfcomm, row.subcode == 0 {
        append(isHere ? whole.from(4) : row.pdu, &values)
      } else if row.layer == .l2cap || isHere && row.layer == .vendor && !(1...7).contains(whole.u16(2) ?? 1) {
        append(whole.from(4), &values)
      }
    }
  }

  // MARK: Attributes

  private func attribute(_ special: FilterSpecial, _ values: inout ContiguousArray<FilterValue>) {
    for row in rows {
      guard row.layer == .att else {
        if record.isTruncated, record.kind == .acl { isBlind = true }
        continue
      }
      switch special {
      case .attHandle: handles(row, &values)
      case .attValue: attributeValue(row, &values)
      case .attRequest:
        if row.requestFrame > 0, row.opcode != 0x01 { values.append(FilterValue(Int128(row.requestFrame))) }
      case .attResponse: if row.responseFrame > 0, row.opcode != 0x1D { values.append(FilterValue(Int128(row.responseFrame))) }
      default: types(special, row, &values)
      }
    }
  }

  private static let handles = FilterPlace(
    .att,
    [
      "attribute_handle", "attribute_handle_in_error", "handle", "characteristic_value_handle", "found_attribute_handle", "set_of_handles",
    ])

  /// The handles in the PDU, and for responses the one that was asked for.
  private func handles(_ row: PacketRow, _ values: inout ContiguousArray<FilterValue>) {
    switch row.opcode {
    case 0x0A, 0x0C, 0x12, 0x16, 0x17, 0x1B, 0x1D, 0x52, 0xD2:
      if let handle = row.pdu.u16(1) { values.append(FilterValue(Int128(handle))) }
    case 0x0B, 0x0D, 0x13, 0x1E:
      if row.requestFrame > 0, row.flags.contains(.hasAttribute) { values.append(FilterValue(Int128(row.attributeHandle))) }
    default:
      var field = FilterField()
      (field.type, field.width) = (.unsigned, 2)
      walk(row, Self.handles, field, &values)
    }
  }

  /// The value as Wireshark has it: of attributes whose type it takes apart itself there is none.
  private func attributeValue(_ row: PacketRow, _ values: inout ContiguousArray<FilterValue>) {
    guard row.flags.contains(.hasValue) else { return }
    if row.opcode != 0x06, let type = valueType(of: row), Self.hasFields(type) { return }
    // A value without bytes is no field in Wireshark.
    if row.value.count > 0 { append(row.value, &values) } else if record.isTruncated { isBlind = true }
  }

  /// Attributes whose values Wireshark 4.0 shows as fields of their own, found by asking it about every number.
  private static let decoded: [ClosedRange<UInt16>] = [
    0x2900...0x2906, 0x2908...0x290E, 0x2A00...0x2A2C, 0x2A2F...0x2A4C, 0x2A4E...0x2A60, 0x2A63...0x2A7B, 0x2A7E...0x2ABE, 0x2AC0...0x2AC4,
    0x2AC6...0x2AC9, 0x2ACC...0x2ACC, 0x2AD3...0x2AD8, 0x2ADA...0x2ADE,
  ]

  private static func hasFields(_ type: BluetoothUUID) -> Bool {
    if let short = type.short16 { return decoded.contains { $0.contains(short) } }
    let group = type.high & 0xFFFF_0000_FFFF_FFFF
    switch (group, type.low) {
    // The micro:bit's services, Nordic's UART and Nordic's old firmware update.
    case (0xE95D_0000_251D_470A, 0xA062_FA19_22DF_A9A8): return true
    case (0x6E40_0000_B5A3_F393, 0xE0A9_E50E_24DC_CA9E): return (2...3).contains(type.high >> 32 & 0xFFFF)
    case (0x0000_0000_1212_EFDE, 0x1523_785F_EABC_D123): return (0x1531...0x1532).contains(type.high >> 32 & 0xFFFF)
    default: return false
    }
  }

  private static let types = FilterPlace(
    .att, ["attribute_type", "attribute_group_type", "uuid", "characteristic_uuid", "service_uuid", "attribute_value"])

  /// UUIDs in the PDU, and those that are known of its attributes.
  private func types(_ special: FilterSpecial, _ row: PacketRow, _ values: inout ContiguousArray<FilterValue>) {
    let isShort = special == .attUUID16 || special == .serviceUUID16 || special == .characteristicUUID16
    if special == .attUUID16 || special == .attUUID128 {
      switch row.opcode {
      case 0x05, 0x06, 0x08, 0x09, 0x10, 0x11:
        var field = FilterField()
        (field.type, field.width) = isShort ? (.unsigned, 2) : (.bytes, 0)
        walk(row, Self.types, field, &values)
      default: break
      }
      asked(row, isShort, &values)
    }
    var field = FilterField()
    (field.type, field.width) = (.unsigned, 2)
    // The list is the evaluator's own: a packet costs no memory.
    var attributes: ContiguousArray<FilterValue> = []
    swap(&attributes, &attributeHandles)
    defer { swap(&attributes, &attributeHandles) }
    attributes.removeAll(keepingCapacity: true)
    handles(row, &attributes)
    let database = row.attribute >= 0 ? batch.tables.attributes[Int(row.attribute)].database : database(of: row)
    guard database >= 0 else { return }
    for attribute in attributes {
      let handle = UInt16(truncatingIfNeeded: attribute.number)
      // Whose value was read by its type is known to be of that type.
      if special == .attUUID16 || special == .attUUID128, row.opcode == 0x09, row.meaning == .readValue, row.asked >= 0 {
        let uuid = batch.tables.uuids[Int(row.asked)]
        if (uuid.short16 != nil) == isShort { append(uuid, &values) }
        continue
      }
      if let uuid = type(special, database, handle), (uuid.short16 != nil) == isShort { append(uuid, &values) }
    }
  }

  /// The database that a PDU is about: of the peer where this host asks, or is told.
  private func database(of row: PacketRow) -> Int32 {
    let isFromServer = ATT.Opcode(rawValue: UInt8(truncatingIfNeeded: row.opcode)).isFromServer
    if (row.direction == .sent || row.direction == .central) != isFromServer { return batch.tables.remoteDatabase(row.connection) }
    for adapter in batch.tables.adapters where adapter.index == record.adapter { return adapter.database }
    return -1
  }

  /// The type that the request asked for, which Wireshark repeats with the response.
  private func asked(_ row: PacketRow, _ isShort: Bool, _ values: inout ContiguousArray<FilterValue>) {
    guard row.asked >= 0, row.opcode == 0x09 || row.opcode == 0x11 || row.opcode == 0x01 && row.subcode != 0x06 else { return }
    let uuid = batch.tables.uuids[Int(row.asked)]
    if (uuid.short16 != nil) == isShort { append(uuid, &values) }
  }

  /// What is known of the attribute behind a handle: its own type, or that of the service and the characteristic which were declared last
  /// before it. Wireshark does not ask where a service ends.
  private func type(_ special: FilterSpecial, _ database: Int32, _ handle: UInt16) -> BluetoothUUID? {
    let tables = batch.tables
    let index = tables.attribute(database, handle, at: record.frame)
    if special == .attUUID16 || special == .attUUID128 {
      // The declarations in a discovery's answer are known by it.
      if index >= 0, tables.attributes[Int(index)].kind == .declaration, tables.attributes[Int(index)].discovered == record.frame {
        return 0x2803
      }
      return uuid(of: index)
    }
    let isService = index >= 0 && tables.attributes[Int(index)].kind == .service && tables.attributes[Int(index)].discovered < record.frame
    if isService { return nil }
    let service = nearest(.service, database, handle, from: 0)
    if special == .serviceUUID16 || special == .serviceUUID128 { return service?.uuid }
    // A characteristic's value is not said to belong to itself.
    guard let value = nearest(.value, database, handle, from: service?.handle ?? 0), value.handle != handle, value.uuid != uuid(of: index)
    else { return nil }
    return value.uuid
  }

  /// The last attribute of a kind up to a handle, as far as it was known before this packet, or told by it for a lower handle.
  private func nearest(_ kind: Attribute.Kind, _ database: Int32, _ handle: UInt16, from: UInt16) -> (handle: UInt16, uuid: BluetoothUUID)?
  {
    let tables = batch.tables
    var best: Attribute?
    for index in tables.databases[Int(database)].attributes {
      let one = tables.attributes[Int(index)]
      guard one.kind == kind, one.uuid >= 0, one.handle >= from, one.handle <= handle, one.validFrom <= record.frame,
        one.discovered < record.frame || one.discovered == record.frame && one.handle < handle,
        best.map({ $0.handle <= one.handle }) ?? true
      else { continue }
      best = one
    }
    return best.map { ($0.handle, tables.uuids[Int($0.uuid)]) }
  }

  private func append(_ uuid: BluetoothUUID, _ values: inout ContiguousArray<FilterValue>) {
    if let short = uuid.short16 {
      values.append(FilterValue(Int128(short)))
    } else {
      var halves = (uuid.high.bigEndian, uuid.low.bigEndian)
      unsafe withUnsafeBytes(of: &halves) { unsafe values.append(scratch.keep($0)) }
    }
  }
}
