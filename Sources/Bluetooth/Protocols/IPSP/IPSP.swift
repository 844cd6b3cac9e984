import PacketCodecs

/// The Internet Protocol Support Profile: IPv6 packets on channels with credits (RFC 7668), with headers compressed by 6LoWPAN (RFC 6282). Numbers
/// have their most significant byte first.
public enum IPSP: ProtocolDescription {
  static var id: ProtocolID { .ipsp }
  static var name: StaticName { "6lowpan" }
  static var traits: ProtocolTraits { [.carriesInternet] }
  static var tables: [PDUTable] { [IP.protocols, IP.messages] }
  static var psms: [AssignedPSM] { [AssignedPSM(0x23, "IPSP")] }
  static var state: StaticString { "fragments of datagrams are joined" }

  /// The opcode of rows with a datagram that came in fragments: the first fragment, followed by the others' payloads.
  public static let joined: UInt32 = 1

  /// The header of a fragment (RFC 4944, 5.3). Bluetooth links need none, because channels carry complete packets (RFC 7668, 3).
  public struct Fragment: Sendable {
    /// It has the packet's headers.
    public let isFirst: Bool
    /// Size in bytes of the entire packet before compression.
    public let size: Int
    /// Datagram tag, the same in all fragments of a packet.
    public let tag: UInt16
    /// Offset of its bytes in the packet before compression; 0 for the first.
    public let offset: Int
    /// Number of bytes of the header.
    public var payload: Int { isFirst ? 4 : 5 }

    /// Reads the header; nil where the frame is no fragment, or the header is incomplete.
    public init?(_ pdu: RawSpan) {
      guard let first = pdu.u8(0), first & 0xD8 == 0xC0, pdu.byteCount >= 4 else { return nil }
      isFirst = first & 0x20 == 0
      size = Int(pdu.integer(0, 2, isBigEndian: true) & 0x7FF)
      tag = UInt16(truncatingIfNeeded: pdu.integer(2, 2, isBigEndian: true))
      if isFirst {
        offset = 0
      } else {
        guard let fragmentOffset = pdu.u8(4) else { return nil }
        offset = Int(fragmentOffset) * 8
      }
    }
  }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    var ignored = NoVisitor()
    let fragment = Fragment(pdu)
    if let fragment, context.opcode != joined { return fragment.isFirst ? "First Fragment" : "Fragment" }
    return read(pdu, from: fragment?.payload ?? 0, isWhole: true, &ignored) ?? "6LoWPAN Frame"
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    var start = 0
    if let fragment = Fragment(pdu) {
      start = (fragment.isFirst ? firstFragment : laterFragment).walk(pdu, allowsSurplus: true, &visitor)
      if !fragment.isFirst { return IP.payload(pdu, start..<pdu.byteCount, &visitor) }
    }
    // The bits that describe the compression come last, because they are less important to readers of the packet.
    var fields = PartVisitor(visitor, wantsForm: false, start)
    _ = read(pdu, from: start, isWhole: start == 0 || context.opcode == joined, &fields)
    visitor = fields.visitor
    guard pdu.u8(start).map({ $0 >> 5 == 3 }) == true else { return }
    var form = PartVisitor(visitor, wantsForm: true, start)
    header.walk(pdu, in: start..<pdu.byteCount, allowsSurplus: true, &form)
    visitor = form.visitor
  }

  /// Reports the packet's fields first, and in a second pass the bits that describe how the header was compressed.
  private struct PartVisitor<Visitor: FieldVisitor>: FieldVisitor {
    var visitor: Visitor
    let wantsForm: Bool
    let start: Int

    init(_ visitor: Visitor, wantsForm: Bool, _ start: Int) {
      self.visitor = visitor
      self.wantsForm = wantsForm
      self.start = start
    }

    mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
      if wantsForm == (field.bitCount > 0 && range == start..<start &+ 2) { visitor.field(field, value, at: range, in: bytes) }
    }
    mutating func beginObject(_ field: Field, at offset: Int) { if !wantsForm { visitor.beginObject(field, at: offset) } }
    mutating func endObject(_ field: Field, at range: Range<Int>) { if !wantsForm { visitor.endObject(field, at: range) } }
    mutating func beginArray(_ field: Field, at offset: Int) { if !wantsForm { visitor.beginArray(field, at: offset) } }
    mutating func endArray(_ field: Field, at range: Range<Int>) { if !wantsForm { visitor.endArray(field, at: range) } }
    mutating func problem(_ problem: FieldProblem) { if !wantsForm { visitor.problem(problem) } }
  }

  /// Reports the fields of a frame from its dispatch on; of the first of several fragments, only compressed headers. Returns the name of the payload;
  /// nil where it is unknown.
  private static func read<Visitor: FieldVisitor>(_ pdu: RawSpan, from start: Int, isWhole: Bool, _ visitor: inout Visitor) -> StaticName? {
    guard let first = pdu.u8(start) else { return nil }
    let end = pdu.byteCount
    if first == 0x41 {
      let at = dispatch.walk(pdu, in: start..<end, allowsSurplus: true, &visitor)
      guard isWhole, IP.walk(pdu, ethertype: 0x86DD, in: at..<end, &visitor) else {
        IP.payload(pdu, at..<end, &visitor)
        return nil
      }
      return IP.name(pdu, next: pdu.u8(at &+ 6) ?? 0xFF, at: at &+ 40)
    }
    guard first >> 5 == 3, let second = pdu.u8(start &+ 1) else {
      IP.payload(pdu, start..<end, &visitor)
      return nil
    }
    var at = header.walk(pdu, in: start..<end, allowsSurplus: true, &visitor)
    // Hop limits of 1, 64 and 255 are encoded in the two HLIM bits; others follow inline.
    if first & 3 != 0 {
      visitor.field(hopLimit, .unsigned(first & 3 == 1 ? 1 : first & 3 == 2 ? 64 : 255), at: start..<start &+ 2, in: pdu)
    }
    var next: UInt8 = 0xFF
    if first & 4 == 0 {
      // The inline next header follows the context identifiers and the inline part of traffic class and flow label.
      let before = (second & 0x80 != 0 ? 1 : 0) + [4, 3, 1, 0][Int(first >> 3 & 3)]
      guard let known = pdu.u8(start &+ 2 &+ before) else { return nil }
      next = known
    } else {
      let isExtended = pdu.u8(at).map { $0 >> 4 == 0xE } ?? false
      if isExtended { visitor.beginArray(extensions, at: at) }
      let from = at
      var carries: StaticName?
      var isClosed = false
      func close() {
        if isExtended, !isClosed { visitor.endArray(extensions, at: from..<min(at, end)) }
        isClosed = true
      }
      while let head = pdu.u8(at), next == 0xFF {
        if head >> 3 == 0x1E {
          close()
          return udp(pdu, at..<end, &visitor)
        }
        guard head >> 4 == 0xE, at < end else { break }
        let offset = at
        let form = head >> 1 & 7
        visitor.beginObject(extensions, at: offset)
        at = (form == 2 ? fragmentHeader : form == 7 ? innerHeader : extensionHeader).walk(
          pdu, in: at..<end, allowsSurplus: true, &visitor)
        visitor.endObject(extensions, at: offset..<min(at, end))
        // Another compressed IPv6 header follows: a packet within the packet.
        if form == 7 || at <= offset { break }
        // An extension header whose next header is compressed too (NH = 1) has no next header field.
        let hasNext = head & 1 == 0
        if hasNext { next = pdu.u8(offset &+ 1) ?? 0xFE }
        if form == 2, !IP.isFirstFragment(pdu, offsetAt: offset &+ (hasNext ? 3 : 2)) {
          carries = "IPv6 Fragment"
          break
        }
      }
      close()
      if let carries {
        IP.payload(pdu, min(at, end)..<end, &visitor)
        return carries
      }
    }
    guard isWhole else {
      IP.payload(pdu, min(at, end)..<end, &visitor)
      return nil
    }
    IP.upper(pdu, next: next, in: min(at, end)..<end, &visitor)
    return next == 0xFF ? nil : IP.name(pdu, next: next, at: at)
  }

  /// A compressed UDP header (RFC 6282, 4.3), and its payload.
  private static func udp<Visitor: FieldVisitor>(_ pdu: RawSpan, _ range: Range<Int>, _ visitor: inout Visitor) -> StaticName? {
    let head = pdu.u8(range.lowerBound) ?? 0
    var at = udpHeader.walk(pdu, in: range, allowsSurplus: true, &visitor)
    /// A port of two bytes, or the last bits of one in a known range.
    func port(_ field: Field, _ width: Int, _ base: UInt64, shift: UInt64 = 0, mask: UInt64 = .max) -> Bool {
      guard at &+ width <= range.upperBound else {
        visitor.problem(.short(field, offset: at, needed: width, available: range.upperBound &- at))
        return false
      }
      let value = base | (pdu.integer(at, width, isBigEndian: true) >> shift & mask)
      visitor.field(field, .unsigned(value), at: at..<(at &+ width), in: pdu)
      return true
    }
    switch head & 3 {
    case 3:
      guard port(sourcePort, 1, 0xF0B0, shift: 4, mask: 15), port(destinationPort, 1, 0xF0B0, mask: 15) else { return nil }
      at = at &+ 1
    case let ports:
      let (first, second) = (ports == 2 ? 1 : 2, ports == 1 ? 1 : 2)
      guard port(sourcePort, first, first == 1 ? 0xF000 : 0) else { return nil }
      at = at &+ first
      guard port(destinationPort, second, second == 1 ? 0xF000 : 0) else { return nil }
      at = at &+ second
    }
    if head & 4 == 0 { at = checksum.walk(pdu, in: at..<range.upperBound, allowsSurplus: true, &visitor) }
    IP.payload(pdu, at..<range.upperBound, &visitor)
    return "UDP"
  }

  static let layouts = PDUTable(text)
  private static let dispatch = layouts.layout("dispatch")
  private static let firstFragment = layouts.layout("first-fragment")
  private static let laterFragment = layouts.layout("later-fragment")
  private static let extensions = layouts.layout("extensions").fields.first ?? Field()
  private static let header = layouts.layout("header")
  private static let extensionHeader = layouts.layout("extension")
  private static let fragmentHeader = layouts.layout("fragment")
  private static let innerHeader = layouts.layout("inner")
  private static let udpHeader = layouts.layout("udp")
  private static let checksum = layouts.layout("checksum")
  private static let hopLimit = layouts.layout("hop-limit").fields.first ?? Field()
  private static let sourcePort = layouts.layout("ports").fields.first ?? Field()
  private static let destinationPort = layouts.layout("ports").fields.last ?? Field()

  static let text: StaticString = """
    @dispatch
      dispatch:x8
    @first-fragment
      :bits16be(datagram_size:11 -:5) datagram_tag:x16be
    @later-fragment
      :bits16be(datagram_size:11 -:5) datagram_tag:x16be datagram_offset:u8*8
    @extensions
      extension_headers:b*
    @header
      :bits16be(dam:2 dac:1 m:1 sam:2 sac:1 cid:1 hlim:2 nh:1 tf:2 iphc:3)
      ?cid==1(:bits8(destination_context:4 source_context:4))
      ?tf==0(:bits32be(flow_label:20 -:4 dscp:6 ecn:2))
      ?tf==1(:bits24be(flow_label:20 -:2 ecn:2))
      ?tf==2(:bits8(dscp:6 ecn:2))
      ?nh==0(next_header:u8{ip-protocol})
      ?hlim==0(hop_limit:u8)
      ?sac==0(?sam==0(source_address:b16) ?sam==1(source_address:b8) ?sam==2(source_address:b2))
      ?sac==1(?sam==1(source_address:b8) ?sam==2(source_address:b2))
      ?m==0(?dac==0(?dam==0(destination_address:b16) ?dam==1(destination_address:b8) ?dam==2(destination_address:b2))
        ?dac==1(?dam==1(destination_address:b8) ?dam==2(destination_address:b2)))
      ?m==1(?dac==0(?dam==0(destination_address:b16) ?dam==1(destination_address:b6) ?dam==2(destination_address:b4)
        ?dam==3(destination_address:b1)) ?dac==1(?dam==0(destination_address:b6)))
    @extension
      :bits8(extension_nh:1 extension_id:3{nhc-extension} -:4) ?extension_nh==0(next_header:u8{ip-protocol}) extension_length:u8
      extension_data:b(extension_length)
    @fragment
      :bits8(extension_nh:1 extension_id:3{nhc-extension} -:4) ?extension_nh==0(next_header:u8{ip-protocol}) -:u8
      :bits16be(more_fragments:1 -:2 fragment_offset:13) fragment_identification:x32be
    @inner
      :bits8(extension_nh:1 extension_id:3{nhc-extension} -:4)
    @udp
      :bits8(udp_ports:2 udp_checksum_elided:1 -:5)
    @checksum
      udp_checksum:x16be
    @hop-limit
      implied_hop_limit:u8
    @ports
      udp_source_port:u16be udp_destination_port:u16be
    """

  static let enumerationText: StaticString = """
    enum nhc-extension
      0 hop-by-hop options
      1 routing
      2 fragment
      3 destination options
      4 mobility
      7 ipv6
    """
}
