import Bluetooth
import Captures
import Conversations
import Memory

/// The captured packet itself, and the fields that btscribe adds.
extension FilterRow {
  static let packet: [FilterRow] = [
    FilterRow("# The captured packet"),
    FilterRow("frame protocol") { $0.append($0.whole, &$1) },
    FilterRow("frame.number u32") { $1.append(FilterValue(Int128($0.record.frame))) },
    FilterRow("frame.len u32") { $1.append(FilterValue(Int128($0.record.original))) },
    FilterRow("frame.cap_len u32") { $1.append(FilterValue(Int128($0.record.captured))) },
    FilterRow("frame.time abstime") { $1.append(FilterValue(Int128($0.record.time) * 1000)) },
    FilterRow("frame.time_epoch reltime") { $1.append(FilterValue(Int128($0.record.time) * 1000)) },
    FilterRow("frame.time_relative reltime") { $1.append($0.duration(since: $0.first ?? $0.record.time)) },
    FilterRow("frame.time_delta reltime") { $1.append($0.duration(since: $0.previous)) },
    FilterRow("frame.time_delta_displayed reltime") { $1.append($0.duration(since: $0.passed ?? $0.record.time)) },
    FilterRow("frame.protocols string") { $0.protocols(&$1) },
    FilterRow("frame.comment string") { packet, values in
      let batch = packet.batch
      for note in batch.packets.notes
      where unsafe note.record < batch.packets.records.count && batch.packets.records[note.record].frame == packet.record.frame {
        packet.append(note.text, &values)
      }
    },
    FilterRow("frame.p2p_dir i8") { packet, values in
      guard packet.isH4 || packet.isH1 else { return }
      switch packet.record.direction {
      case .sent: values.append(FilterValue(0))
      case .received: values.append(FilterValue(1))
      default: break
      }
    },
    FilterRow("frame.encap_type i16") { $1.append(FilterValue(Int128($0.encapsulation))) },
    FilterRow("frame.interface_id u32") { if $0.format == .pcapng { $1.append(FilterValue(Int128($0.record.interface))) } },
    FilterRow("frame.interface_name string") { packet, values in
      // An interface without a name is shown with its description.
      if packet.format == .pcapng, let interface = packet.interface, !interface.name.isEmpty || !interface.description.isEmpty {
        packet.append(interface.name.isEmpty ? interface.description : interface.name, &values)
      }
    },
    FilterRow("frame.interface_description string") { packet, values in
      if let interface = packet.interface, !interface.description.isEmpty { packet.append(interface.description, &values) }
    },
    FilterRow("frame.marked bool") { $1.append(FilterValue(0)) },
    FilterRow("frame.ignored bool") { $1.append(FilterValue(0)) },
    FilterRow("# What btscribe knows of it, for which Wireshark has no name"),
    FilterRow("btscribe.name string") { for row in $0.rows { $0.append(Dissection.name(row), &$1) } },
    FilterRow("btscribe.peer_name string") {
      for row in $0.rows where row.peer >= 0 { $0.append($0.batch.tables.name(of: row.peer), &$1) }
    },
    FilterRow("btscribe.value bytes") { for row in $0.rows where row.flags.contains(.hasValue) { $0.append(row.value, &$1) } },
    FilterRow("btscribe.latency reltime") {
      for row in $0.rows where row.flags.contains(.hasLatency) { $1.append(FilterValue(Int128(row.latency) * 1000)) }
    },
    FilterRow("btscribe.request_in_frame u32") {
      for row in $0.rows where row.requestFrame > 0 && !row.flags.contains(.retransmission) {
        $1.append(FilterValue(Int128(row.requestFrame)))
      }
    },
    FilterRow("btscribe.response_in_frame u32") {
      for row in $0.rows where row.responseFrame > 0 { $1.append(FilterValue(Int128(row.responseFrame))) }
    },
    FilterRow("btscribe.adapter u16") { if $0.record.adapter != 0xFFFF { $1.append(FilterValue(Int128($0.record.adapter))) } },
  ]
}

extension FilterEvaluator {
  func append(_ text: String, _ values: inout ContiguousArray<FilterValue>) {
    var text = text
    text.withUTF8 { unsafe values.append(scratch.keep(BorrowedBytes(UnsafeRawBufferPointer($0)))) }
  }

  func append(_ name: StaticName, _ values: inout ContiguousArray<FilterValue>) {
    unsafe values.append(FilterValue(UnsafeRawPointer(name.start), name.count))
  }

  func append(_ name: [UInt8], _ values: inout ContiguousArray<FilterValue>) {
    name.withBorrowedBytes { values.append(scratch.keep($0)) }
  }

  func append(_ bytes: PDUBytes, _ values: inout ContiguousArray<FilterValue>) {
    values.append(FilterValue(bytes))
  }

  /// The time between another packet and this one, in nanoseconds.
  fileprivate func duration(since time: Int64) -> FilterValue { FilterValue(Int128(record.time) * 1000 - Int128(time) * 1000) }

  /// The packet's interface.
  fileprivate var interface: CaptureInterface? { Int(record.interface) < interfaces.count ? interfaces[Int(record.interface)] : nil }

  /// Wireshark's number for the capture's encapsulation.
  fileprivate var encapsulation: Int {
    switch format {
    case .packetLogger: 118
    case .btsnoop where isH1: 102
    default:
      switch linkType {
      case 187: format == .btsnoop ? 99 : 41
      case 201: 99
      case 254: 159
      case 251: 154
      case 255: 160
      case 256: 161
      case 272: 186
      case 192: 97
      default: 0
      }
    }
  }

  private static let advertisingData = FieldLocation(.advertisingData, names: ["length"])
  private static let deviceClass = FieldLocation(.any, names: ["class_of_device"])
  /// Protocols in Wireshark's order; the first is always first.
  private static let order: [FilterField] = [
    "bluetooth", "packetlogger", "hci_mon", "hci_h4", "hci_h1", "nordic_ble", "btle_rf", "btle", "bthci_cmd", "bthci_evt", "bthci_acl",
    "bthci_sco", "bthci_iso", "btl2cap", "btatt", "btsmp", "btsdp", "btrfcomm",
  ].compactMap { FilterFields.byName[$0].map(FilterFields.field) }

  /// The protocols of the packet from the outermost to the innermost, in Wireshark's order.
  fileprivate func protocols(_ values: inout ContiguousArray<FilterValue>) {
    var found: ContiguousArray<FilterValue> = []
    scratch.begin()
    for (index, field) in Self.order.enumerated() {
      found.removeAll(keepingCapacity: true)
      for location in field.locations { read(location, field, &found) }
      if found.isEmpty { continue }
      if index > 0 { scratch.append(":") }
      scratch.append(field.name)
    }
    found.removeAll(keepingCapacity: true)
    for location in [Self.advertisingData, Self.deviceClass] { named(location, FilterField(), &found) }
    if !found.isEmpty { scratch.append(":btcommon") }
    values.append(scratch.end())
  }
}
