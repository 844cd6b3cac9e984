import PacketCodecs

extension LinkType {
  /// The Linux HCI monitor: adapter and opcode, two bytes each, before the packet.
  static let linuxMonitor = LinkType(
    number: 254, name: "Linux monitor",
    classify: { record, bytes in
      if record.captured < 4 { return }
      record.dropPseudoHeader()
      Monitor.classify(&record, adapter: bytes.big16(0), opcode: bytes.big16(2))
    },
    encode: { record, body, losses in
      guard let opcode = record.kind == .syslog ? Monitor.systemNote : Monitor.opcode(record.kind, record.direction) else { return false }
      let isNote = record.kind == .syslog
      if !isNote && record.kind.losesDirectionInMonitor(record.direction) { losses.add(.direction) }
      let adapter = !isNote && record.adapter == 0xFFFF && record.kind.isHCI ? 0 : record.adapter
      body.header.big32(UInt32(adapter) << 16 | UInt32(opcode))
      return true
    }, isCopied: false)
}

/// The Linux HCI monitor: an opcode gives kind and direction of a packet (BlueZ, doc/btsnoop-protocol.rst).
enum Monitor {
  /// The opcode of a system note.
  static let systemNote: UInt16 = 12

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

  /// The opcode for a kind and a direction; nil where the monitor has none.
  static func opcode(_ kind: PacketKind, _ direction: PacketDirection) -> UInt16? {
    switch kind {
    case .acl, .sco, .iso: UInt16(kind.rawValue) + (direction == .received ? 1 : 0)
    default: kind.rawValue < 0x80 ? UInt16(kind.rawValue) : nil
    }
  }
}

extension PacketKind {
  /// Whether the monitor's opcode for this kind cannot hold the direction: only data have opcodes for both.
  func losesDirectionInMonitor(_ direction: PacketDirection) -> Bool {
    switch self {
    case .acl, .sco, .iso: direction == .unknown
    case .command, .event: false
    default: direction != .unknown
    }
  }
}
