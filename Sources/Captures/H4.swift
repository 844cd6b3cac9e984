/// HCI packets as the UART transport marks them: a type byte before the packet (Core Specification, Vol 4, Part A).
enum H4 {
  /// Sets the kind of a record that starts with a type byte, and its payload behind that.
  @inline(__always)
  static func classify(_ record: inout PacketRecord, _ bytes: UnsafeRawPointer) {
    guard record.captured > 0 else {
      record.kind = .opaque
      return
    }
    let type = unsafe bytes.load(as: UInt8.self)
    record.kind = kind(type)
    record.header = record.kind == .unknownH4 ? 0 : 1
  }

  /// The kind that a type byte means; without a branch, as types come in no order.
  @inline(__always)
  static func kind(_ type: UInt8) -> PacketKind {
    let kinds: UInt64 = 0x0B_82_12_03_06_04_02_82
    return PacketKind(rawValue: UInt8(truncatingIfNeeded: (type < 8 ? kinds : 0x82) >> UInt64((type & 7) &* (type < 8 ? 8 : 0))))
  }

  /// The type byte of a kind, if it has one.
  static func type(_ kind: PacketKind) -> UInt8? {
    switch kind {
    case .command: 1
    case .acl: 2
    case .sco: 3
    case .event: 4
    case .iso: 5
    case .vendorDiagnostic: 7
    default: nil
    }
  }
}

/// The Linux HCI monitor: an opcode beside the packet tells kind and direction (BlueZ, doc/btsnoop-protocol.rst).
enum Monitor {
  /// Sets kind, direction and adapter of a record.
  @inline(__always)
  static func classify(_ record: inout PacketRecord, adapter: UInt16, opcode: UInt16) {
    record.adapter = adapter
    switch opcode {
    case 2:
      record.kind = .command
      record.direction = .sent
    case 3:
      record.kind = .event
      record.direction = .received
    case 4, 5, 6, 7, 18, 19:
      record.kind = PacketKind(rawValue: UInt8(truncatingIfNeeded: opcode & ~1))
      record.direction = opcode & 1 == 0 ? .sent : .received
    case 0..<0x80: record.kind = PacketKind(rawValue: UInt8(truncatingIfNeeded: opcode))
    default: record.kind = .opaque
    }
  }

  /// The opcode of a kind and a direction, if the monitor has one.
  static func opcode(_ kind: PacketKind, _ direction: PacketDirection) -> UInt16? {
    switch kind {
    case .acl, .sco, .iso: UInt16(kind.rawValue) + (direction == .received ? 1 : 0)
    default: kind.rawValue < 0x80 ? UInt16(kind.rawValue) : nil
    }
  }
}
