import PacketCodecs

extension LinkType {
  /// HCI packets as on a UART.
  static let hciH4 = LinkType(
    number: 187, name: "HCI H4",
    classify: { record, bytes in
      H4.classify(&record, bytes)
      if record.direction == .unknown {
        if record.kind == .command { record.direction = .sent }
        if record.kind == .event { record.direction = .received }
      }
    },
    encode: { record, body, _ in H4.encode(record, &body) }, isCopied: false, isOfSingleAdapter: true)

  /// The same after four bytes with the direction.
  static let hciH4WithDirection = LinkType(
    number: 201, name: "HCI H4 with direction",
    classify: { record, bytes in
      if record.captured < 4 { return }
      // 1 is received: all programs write it like that, contrary to tcpdump.org's page.
      record.direction = bytes.big32(0) & 1 == 0 ? .sent : .received
      record.dropPseudoHeader()
      H4.classify(&record, bytes.extracting(droppingFirst: 4))
    },
    encode: { record, body, losses in
      body.header.big32(record.direction == .received ? 1 : 0)
      guard H4.encode(record, &body) else { return false }
      if record.direction == .unknown { losses.add(.direction) }
      return true
    }, isCopied: false, isOfSingleAdapter: true)
}

/// HCI packets as the UART transport marks them: a type byte before the packet (Core Specification, Vol 4, Part A).
enum H4 {
  /// Sets the kind of a record that starts with a type byte, and its payload after that byte.
  @inline(__always)
  static func classify(_ record: inout PacketRecord, _ bytes: borrowing RawSpan) {
    classify(&record, record.captured > 0 ? bytes.byte(0) : nil)
  }

  /// Sets the kind of a record with a type byte, nil where the capture has no bytes of it, and its payload after that byte.
  @inline(__always)
  static func classify(_ record: inout PacketRecord, _ type: UInt8?) {
    guard let type else {
      record.kind = .opaque
      return
    }
    record.kind = kind(type)
    record.header = record.kind == .unknownH4 ? 0 : 1
  }

  /// The kind for a type byte. It has no branch, because the order of types is not predictable for the processor.
  @inline(__always)
  static func kind(_ type: UInt8) -> PacketKind {
    let kinds: UInt64 = 0x0B_82_12_03_06_04_02_82
    return PacketKind(rawValue: UInt8(truncatingIfNeeded: (type < 8 ? kinds : 0x82) >> UInt64((type & 7) &* (type < 8 ? 8 : 0))))
  }

  /// The type byte of a kind; nil where there is none.
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

  /// Adds the type byte before a packet; packets of unknown types already have one.
  static func encode(_ record: PacketRecord, _ body: inout EncodedBody) -> Bool {
    if record.kind == .unknownH4 || record.captured == 0 && record.kind == .opaque {
      body.copyRecord()
      return true
    }
    guard let type = type(record.kind) else { return false }
    body.header.append(type)
    return true
  }
}
