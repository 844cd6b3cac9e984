import Captures
import Conversations

/// The two devices that exchange a packet.
extension FilterRow {
  static let devices: [FilterRow] = [
    FilterRow("# Any of the devices that a packet names"),
    FilterRow("bluetooth protocol") { packet, values in
      // Wireshark has no such layer below the headers of some sniffers.
      switch packet.linkType {
      case 272, 157, 192: break
      default: packet.append(packet.whole, &values)
      }
    },
    FilterRow("bluetooth.addr ether") {
      $0.address(ofSource: true, &$1)
      $0.address(ofSource: false, &$1)
      $0.mentioned(&$1)
    },
    FilterRow("bluetooth.src ether") { $0.address(ofSource: true, &$1) },
    FilterRow("bluetooth.dst ether") { $0.address(ofSource: false, &$1) },
    FilterRow("bluetooth.addr_str string") {
      $0.name(ofSource: true, &$1)
      $0.name(ofSource: false, &$1)
    },
    FilterRow("bluetooth.src_str string") { $0.name(ofSource: true, &$1) },
    FilterRow("bluetooth.dst_str string") { $0.name(ofSource: false, &$1) },
  ]
}

extension FilterEvaluator {
  /// The connection that the packet belongs to.
  var connection: Connection? {
    guard rows.count > 0, rows[0].connection >= 0 else { return nil }
    return batch.tables.connections[Int(rows[0].connection)]
  }

  /// The address of the packet's sender, or of its receiver.
  func address(ofSource isSource: Bool, _ values: inout ContiguousArray<FilterValue>) {
    if isSource == isFromHost {
      for adapter in batch.tables.adapters where adapter.index == record.adapter { values.append(scratch.address(adapter.address ?? 0)) }
    } else if rows.count > 0, rows[0].peer >= 0 {
      values.append(scratch.address(batch.tables.peers[Int(rows[0].peer)].address))
    } else if rows.count > 0, record.kind == .acl {
      values.append(scratch.address(0))
    }
  }

  /// The name of the packet's sender, or of its receiver.
  func name(ofSource isSource: Bool, _ values: inout ContiguousArray<FilterValue>) {
    if isSource == isFromHost {
      for adapter in batch.tables.adapters where adapter.index == record.adapter { append(adapter.name, &values) }
    } else if rows.count > 0, rows[0].peer >= 0 {
      append(batch.tables.name(of: rows[0].peer), &values)
    } else if rows.count > 0, record.kind == .acl {
      append([], &values)
    }
  }

  private static let addresses: [FilterField] = [
    "bthci_cmd.bd_addr", "bthci_evt.bd_addr", "bthci_evt.direct_bd_addr", "btsmp.bd_addr",
  ].compactMap { FilterFields.byName[$0].map(FilterFields.field) }

  /// All addresses in the packet itself.
  fileprivate func mentioned(_ values: inout ContiguousArray<FilterValue>) {
    for field in Self.addresses {
      for location in field.locations { named(location, field, &values) }
    }
  }
}
