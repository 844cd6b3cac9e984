import Bluetooth
import Captures
import Conversations
import Memory

/// Fields of IPv6 headers that 6LoWPAN compressed: addresses as text, the traffic class, ports.
extension FilterRow {
  static let internet: [FilterRow] = [
    header("6lowpan.src") { header, packet, values in if let source = header.source { packet.append(source.addressText, &values) } },
    header("6lowpan.dst") { header, packet, values in
      if let destination = header.destination { packet.append(destination.addressText, &values) }
    },
    header("6lowpan.iphc.sctx.prefix") { header, packet, values in
      if header.isSourceShort { packet.append(CompressedHeader.linkLocal.addressText, &values) }
    },
    header("6lowpan.iphc.dctx.prefix") { header, packet, values in
      if header.isDestinationShort { packet.append(CompressedHeader.linkLocal.addressText, &values) }
    },
    header("6lowpan.class") { header, _, values in
      if let number = header.trafficClass, number != 0 { values.append(FilterValue(Int128(number))) }
    },
    FilterRow("6lowpan.pattern") { packet, values in
      for row in packet.rows where row.layer == .ipsp && !row.isUnknownToWireshark(.ipsp) {
        let pdu = framePDU(row)
        guard let dispatch = pdu.u8(0) else { continue }
        if let pattern = pattern(dispatch) { values.append(FilterValue(Int128(pattern))) }
        // After the fragment header of the first fragment comes the dispatch of its datagram.
        if dispatch >> 3 == 0x18, let next = pdu.u8(4), next == 0x41 || next >> 5 == 3 {
          values.append(FilterValue(Int128(next == 0x41 ? next : next >> 5)))
        }
      }
    },
    FilterRow("6lowpan.frag.offset") { packet, values in
      for row in packet.rows where row.layer == .ipsp && !row.isUnknownToWireshark(.ipsp) {
        let pdu = framePDU(row)
        // In units of eight bytes.
        if pdu.u8(0).map({ $0 >> 3 }) == 0x1C, let units = pdu.u8(4) { values.append(FilterValue(Int128(units) * 8)) }
      }
    },
    port("6lowpan.udp.src", "udp_source_port"),
    port("6lowpan.udp.dst", "udp_destination_port"),
  ]

  /// The PDU of the row's frame. The row of a reassembled datagram has the header of the first fragment; the frame that completes it has its own.
  private static func framePDU(_ row: PacketRow) -> PDUBytes {
    row.opcode == IPSP.joined && row.flags.contains(.hasAssembled) ? row.assembled : row.pdu
  }

  /// The bits of a dispatch byte that identify its type, as Wireshark shows them (RFC 4944, 5.1; RFC 6282, 2; RFC 8931, 5): 2 to 7 bits, or all 8.
  private static func pattern(_ dispatch: UInt8) -> UInt8? {
    switch dispatch {
    case 0x00...0x3F, 0x80...0xBF: dispatch >> 6
    case 0x40...0x43, 0x50: dispatch
    case 0x60...0x7F: dispatch >> 5
    case 0xC0...0xC7, 0xE0...0xE7: dispatch >> 3
    case 0xE8...0xEB: dispatch >> 1
    default: nil
    }
  }

  private static func header(
    _ line: StaticString,
    _ body: @escaping @Sendable (CompressedHeader, FilterEvaluator, inout ContiguousArray<FilterValue>) -> Void
  ) -> FilterRow {
    FilterRow(line) { packet, values in
      for row in packet.rows where row.layer == .ipsp && !row.isUnknownToWireshark(.ipsp) {
        let isFromHost = row.direction.isFromHost
        let near = packet.batch.tables.adapters.first { $0.index == row.adapter }?.address ?? 0
        let far = row.peer < 0 ? 0 : packet.batch.tables.peers[Int(row.peer)].address
        // The headers of a fragmented datagram are in the first fragment.
        if row.opcode == IPSP.joined { continue }
        let pdu = IPSP.Fragment(row.pdu.span).map { $0.isFirst ? row.pdu.from(4) : PDUBytes() } ?? row.pdu
        if let header = CompressedHeader(pdu, sender: isFromHost ? near : far, receiver: isFromHost ? far : near) {
          body(header, packet, &values)
        }
      }
    }
  }

  /// A port in a compressed UDP header; an uncompressed IPv6 packet has a port field of its own.
  private static func port(_ line: StaticString, _ name: StaticName) -> FilterRow {
    let (location, compression) = (FieldLocation(.pdu, .ipsp, names: [name]), FieldLocation(.pdu, .ipsp, names: ["udp_ports"]))
    var field = FilterField()
    (field.type, field.width) = (.unsigned, 2)
    return FilterRow(line) { [field] packet, values in
      for row in packet.rows
      where row.layer == .ipsp && !row.isUnknownToWireshark(.ipsp) && row.pdu.u8(0) != 0x41 && row.opcode != IPSP.joined {
        // After a compressed IPv6 header, the UDP header may be uncompressed.
        var compressed: ContiguousArray<FilterValue> = []
        packet.walk(row, compression, field, &compressed)
        if !compressed.isEmpty { packet.walk(row, location, field, &values) }
      }
    }
  }
}

/// An IPv6 header that is compressed by RFC 6282 or by RFC 4944 (HC1).
private struct CompressedHeader {
  /// The addresses, from the bytes in the packet, or derived from the device addresses of the link if they are elided; nil if neither is available.
  private(set) var source: [UInt8]?
  private(set) var destination: [UInt8]?
  /// The packet elides the prefix of the address, which is that of the link.
  private(set) var isSourceShort = false
  private(set) var isDestinationShort = false
  private(set) var trafficClass: UInt8?

  static let linkLocal: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 14)

  /// Reads the header of a frame; nil for frames of other kinds. The device addresses replace elided parts of addresses.
  init?(_ pdu: PDUBytes, sender: UInt64, receiver: UInt64) {
    guard let first = pdu.u8(0), let second = pdu.u8(1) else { return nil }
    if first == 0x42 {
      old(pdu, second, sender, receiver)
    } else if first >> 5 == 3 {
      compressed(pdu, first, second, sender, receiver)
    } else {
      return nil
    }
  }

  /// RFC 6282, 3.1 and 3.2.
  private mutating func compressed(_ pdu: PDUBytes, _ first: UInt8, _ second: UInt8, _ sender: UInt64, _ receiver: UInt64) {
    var at = second & 0x80 == 0 ? 2 : 3
    switch first >> 3 & 3 {
    case 0:
      trafficClass = pdu.u8(at).map { $0 << 2 | $0 >> 6 }
      at += 4
    case 1:
      trafficClass = pdu.u8(at).map { $0 >> 6 }
      at += 3
    case 2:
      trafficClass = pdu.u8(at).map { $0 << 2 | $0 >> 6 }
      at += 1
    default: break
    }
    if first & 4 == 0 { at += 1 }
    if first & 3 == 0 { at += 1 }
    let (sourceMode, targetMode) = (second >> 4 & 3, second & 3)
    let hasContext = second & 0x40 != 0
    source = hasContext && sourceMode == 0 ? [UInt8](repeating: 0, count: 16) : Self.address(pdu, &at, sourceMode, hasContext, sender)
    isSourceShort = !hasContext && sourceMode != 0
    let isGroup = second & 8 != 0
    let hasTargetContext = second & 4 != 0
    isDestinationShort = !hasTargetContext && (isGroup || targetMode != 0)
    switch (isGroup, hasTargetContext) {
    case (false, true) where targetMode == 0: break
    case (false, _): destination = Self.address(pdu, &at, targetMode, hasTargetContext, receiver)
    case (true, false): destination = Self.group(pdu, at, targetMode)
    case (true, true):
      if targetMode == 0 { destination = Self.part(pdu, at, 6).map { [0xFF] + $0[..<2] + [UInt8](repeating: 0, count: 9) + $0[2...] } }
    }
  }

  /// HC1 (RFC 4944, 10.1): the fields that are not compressed follow in the order of the bits of the encoding byte.
  private mutating func old(_ pdu: PDUBytes, _ encoding: UInt8, _ sender: UInt64, _ receiver: UInt64) {
    // More bits may follow only for UDP.
    if encoding & 1 != 0, encoding & 6 != 2 { return }
    var at = encoding & 1 == 0 ? 3 : 4
    func half(_ isShort: Bool, _ known: [UInt8]) -> [UInt8]? {
      if isShort { return known }
      at += 8
      return Self.part(pdu, at - 8, 8)
    }
    let prefix = Array(Self.linkLocal[..<8])
    guard let sourcePrefix = half(encoding & 0x80 != 0, prefix), let sourceEnd = half(encoding & 0x40 != 0, Self.identifier(sender)),
      let targetPrefix = half(encoding & 0x20 != 0, prefix), let targetEnd = half(encoding & 0x10 != 0, Self.identifier(receiver))
    else { return }
    (source, destination) = (sourcePrefix + sourceEnd, targetPrefix + targetEnd)
    if encoding & 8 == 0 { trafficClass = pdu.u8(at) }
  }

  /// An address that is sent completely, in part, or not at all.
  private static func address(_ pdu: PDUBytes, _ at: inout Int, _ mode: UInt8, _ hasContext: Bool, _ device: UInt64) -> [UInt8]? {
    let count = [16, 8, 2, 0][Int(mode)]
    defer { at += count }
    guard let sent = part(pdu, at, count) else { return nil }
    let prefix = hasContext ? [UInt8](repeating: 0, count: 8) : Array(linkLocal[..<8])
    return switch mode {
    case 0: sent
    case 1: prefix + sent
    case 2: prefix + [0, 0, 0, 0xFF, 0xFE, 0] + sent
    default: prefix + identifier(device)
    }
  }

  /// A multicast address (RFC 6282, 3.2.3).
  private static func group(_ pdu: PDUBytes, _ at: Int, _ mode: UInt8) -> [UInt8]? {
    let count = [16, 6, 4, 1][Int(mode)]
    guard let sent = part(pdu, at, count) else { return nil }
    if mode == 0 { return sent }
    let head = mode == 3 ? [0xFF, 2] : [0xFF, sent[0]]
    let tail = mode == 3 ? sent : Array(sent[1...])
    return head + [UInt8](repeating: 0, count: 14 - tail.count) + tail
  }

  private static func part(_ pdu: PDUBytes, _ at: Int, _ count: Int) -> [UInt8]? {
    let part = pdu.slice(at, count)
    return part.count == count ? Array(part) : nil
  }

  /// The interface identifier made from a device address, with two bytes inserted in its middle; zeros where the device is not known.
  private static func identifier(_ device: UInt64) -> [UInt8] {
    if device == 0 { return [UInt8](repeating: 0, count: 8) }
    let bytes = (0..<6).map { UInt8(truncatingIfNeeded: device >> UInt64(40 - 8 * $0)) }
    return bytes[..<3] + [0xFF, 0xFE] + bytes[3...]
  }
}

extension [UInt8] {
  /// The text form of an IPv6 address (RFC 5952): `fe80::1`.
  fileprivate var addressText: String {
    let groups = stride(from: 0, to: 16, by: 2).map { UInt16(self[$0]) << 8 | UInt16(self[$0 + 1]) }
    var best = 0..<0
    var at = 0
    while at < 8 {
      var end = at
      while end < 8, groups[end] == 0 { end += 1 }
      if end - at > Swift.max(best.count, 1) { best = at..<end }
      at = Swift.max(end, at + 1)
    }
    func text(_ groups: ArraySlice<UInt16>) -> String { groups.map { String($0, radix: 16) }.joined(separator: ":") }
    return best.isEmpty ? text(groups[...]) : text(groups[..<best.lowerBound]) + "::" + text(groups[best.upperBound...])
  }
}
