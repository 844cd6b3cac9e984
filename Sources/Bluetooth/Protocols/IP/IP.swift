import PacketCodecs

/// Headers of the Internet protocols that Bluetooth carries: after an Ethernet header of ``BNEP``, or compressed by ``IPSP``. Data after a transport
/// header are reported as bytes.
enum IP {
  /// Decodes an IPv4, IPv6 or ARP packet by its EtherType (RFC 791, 826, 8200). Returns false for other types and truncated headers.
  static func walk<Visitor: FieldVisitor>(_ bytes: RawSpan, ethertype: UInt16, in range: Range<Int>, _ visitor: inout Visitor) -> Bool {
    guard let first = bytes.u8(range.lowerBound) else { return false }
    switch ethertype {
    case 0x0800:
      let size = Int(first & 15) * 4
      guard first >> 4 == 4, size >= 20, range.count >= size else { return false }
      let end = ipv4.walk(bytes, in: range, allowsSurplus: true, &visitor)
      let isFirst = bytes.integer(range.lowerBound &+ 6, 2, isBigEndian: true) & 0x1FFF == 0
      let next = bytes.u8(range.lowerBound &+ 9) ?? 0
      upper(bytes, next: isFirst ? next : 0xFF, in: end..<range.upperBound, &visitor)
    case 0x86DD:
      guard first >> 4 == 6, range.count >= 40 else { return false }
      let end = ipv6.walk(bytes, in: range, allowsSurplus: true, &visitor)
      upper(bytes, next: bytes.u8(range.lowerBound &+ 6) ?? 0xFF, in: end..<range.upperBound, &visitor)
    case 0x0806:
      guard range.count >= 8 else { return false }
      arp.walk(bytes, in: range, allowsSurplus: true, &visitor)
    default: return false
    }
    return true
  }

  /// The protocol number of IPv6's fragment header.
  private static let fragmentNumber: UInt8 = 44

  /// Reports a fragment header if there is one, the header of a transport or a message of ICMP, and the following bytes.
  static func upper<Visitor: FieldVisitor>(_ bytes: RawSpan, next: UInt8, in range: Range<Int>, _ visitor: inout Visitor) {
    guard !range.isEmpty else { return }
    if next == fragmentNumber, let row = protocols[UInt32(next)] {
      let at = row.parameters.walk(bytes, in: range, allowsSurplus: true, &visitor)
      let isFirst = isFirstFragment(bytes, offsetAt: range.lowerBound &+ 2)
      // A fragment header must not follow another (RFC 8200, 4.1).
      let following = isFirst ? bytes.u8(range.lowerBound) ?? 0xFF : 0xFF
      return transport(bytes, next: following == fragmentNumber ? 0xFF : following, in: at..<range.upperBound, &visitor)
    }
    transport(bytes, next: next, in: range, &visitor)
  }

  /// Whether the data after a fragment header of IPv6 are the start of the packet's payload (RFC 8200, 4.5): only there is a transport header.
  /// `offset` is that of the fragment offset field.
  static func isFirstFragment(_ bytes: RawSpan, offsetAt offset: Int) -> Bool {
    guard let high = bytes.u8(offset), let low = bytes.u8(offset &+ 1) else { return false }
    return high == 0 && low & 0xF8 == 0
  }

  private static func transport<Visitor: FieldVisitor>(_ bytes: RawSpan, next: UInt8, in range: Range<Int>, _ visitor: inout Visitor) {
    guard !range.isEmpty else { return }
    guard let row = protocols[UInt32(next)] else { return payload(bytes, range, &visitor) }
    let at = row.parameters.walk(bytes, in: range, allowsSurplus: true, &visitor)
    if next == 58, let type = bytes.u8(range.lowerBound), let message = messages[UInt32(type)] {
      message.parameters.walk(bytes, in: at..<range.upperBound, allowsSurplus: true, &visitor)
    } else {
      payload(bytes, at..<range.upperBound, &visitor)
    }
  }

  static func payload<Visitor: FieldVisitor>(_ bytes: RawSpan, _ range: Range<Int>, _ visitor: inout Visitor) {
    if !range.isEmpty { rest.walk(bytes, in: range, &visitor) }
  }

  /// The name of an IP packet: that of its transport protocol, or of the ICMPv6 message.
  static func name(_ bytes: RawSpan, next: UInt8, at offset: Int) -> StaticName {
    if next == 58, let type = bytes.u8(offset), let name = messages.name(UInt32(type)) { return name }
    return protocols.name(UInt32(next)) ?? "IPv6 Packet"
  }

  /// Transports by their numbers (IANA).
  static let protocols = PDUTable(text)
  /// Messages of ICMPv6 by type (RFC 4443, 4861); their layouts start after the checksum.
  static let messages = PDUTable(messageText)
  private static let ipv4 = protocols.layout("ipv4")
  private static let ipv6 = protocols.layout("ipv6")
  private static let arp = protocols.layout("arp")
  private static let rest = protocols.layout("unknown")

  static let text: StaticString = """
    @unknown
      payload:b*
    @ipv4
      :bits8(header_length:4 ip_version:4) :bits8(ecn:2 dscp:6) total_length:u16be identification:x16be
      :bits16be(fragment_offset:13 more_fragments:1 dont_fragment:1 -:1) time_to_live:u8 protocol:u8{ip-protocol}
      header_checksum:x16be source_address:b4 destination_address:b4 ?header_length>=6(options:b(header_length*4-20))
    @ipv6
      :bits32be(flow_label:20 traffic_class:8 ip_version:4) ipv6_payload_length:u16be next_header:u8{ip-protocol} ipv6_hop_limit:u8
      source_address:b16 destination_address:b16
    @arp
      hardware_type:u16be arp_protocol_type:x16be{ethertype} hardware_size:u8 protocol_size:u8 arp_operation:u16be{arp-operation}
      sender_hardware_address:b(hardware_size) sender_protocol_address:b(protocol_size) target_hardware_address:b(hardware_size)
      target_protocol_address:b(protocol_size)

    1 ICMP
      icmp_type:u8 icmp_code:u8 icmp_checksum:x16be
    6 TCP
      tcp_source_port:u16be tcp_destination_port:u16be sequence_number:u32be acknowledgment_number:u32be
      :bits16be(fin:1 syn:1 rst:1 psh:1 ack:1 urg:1 ece:1 cwr:1 -:4 data_offset:4) window:u16be tcp_checksum:x16be
      urgent_pointer:u16be ?data_offset>=6(options:b(data_offset*4-20))
    17 UDP
      udp_source_port:u16be udp_destination_port:u16be udp_length:u16be udp_checksum:x16be
    44 IPv6 Fragment
      fragment_next_header:u8{ip-protocol} -:u8 :bits16be(more_fragments:1 -:2 fragment_offset:13) fragment_identification:x32be
    58 ICMPv6
      icmpv6_type:u8{icmpv6-type} icmpv6_code:u8 icmpv6_checksum:x16be
    """

  static let messageText: StaticString = """
    @options
      options[*]:(option_type:u8{nd-option} option_length:u8<1..255> option_value:b(option_length*8-2))

    1 Destination Unreachable
      -:b4 packet:b*
    2 Packet Too Big
      mtu:u32be packet:b*
    3 Time Exceeded
      -:b4 packet:b*
    128 Echo Request
      identifier:x16be sequence:u16be data:b*
    129 Echo Reply
      identifier:x16be sequence:u16be data:b*
    133 Router Solicitation
      -:b4 @options
    134 Router Advertisement
      current_hop_limit:u8 :bits8(-:6 other_configuration:1 managed_addresses:1) router_lifetime:u16be reachable_time:u32be*ms
      retransmission_timer:u32be*ms @options
    135 Neighbor Solicitation
      -:b4 target_address:b16 @options
    136 Neighbor Advertisement
      :bits32be(-:29 override:1 solicited:1 router:1) target_address:b16 @options
    137 Redirect
      -:b4 target_address:b16 destination_address:b16 @options
    143 Multicast Listener Report
      -:b2 number_of_records:u16be records:b*
    157 Duplicate Address Request
      registration_status:u8 -:u8 registration_lifetime:u16be*min eui64:b8 registered_address:b16
    158 Duplicate Address Confirmation
      registration_status:u8 -:u8 registration_lifetime:u16be*min eui64:b8 registered_address:b16
    """

  static let enumerationText: StaticString = """
    enum ip-protocol
      0 hop-by-hop options
      1 icmp
      2 igmp
      6 tcp
      17 udp
      43 routing
      44 fragment
      58 icmpv6
      59 no next header
      60 destination options
    enum icmpv6-type
      1 destination unreachable
      2 packet too big
      3 time exceeded
      4 parameter problem
      128 echo request
      129 echo reply
      130 multicast listener query
      131 multicast listener report
      132 multicast listener done
      133 router solicitation
      134 router advertisement
      135 neighbor solicitation
      136 neighbor advertisement
      137 redirect
      143 multicast listener report v2
      157 duplicate address request
      158 duplicate address confirmation
    enum nd-option
      1 source link-layer address
      2 target link-layer address
      3 prefix information
      4 redirected header
      5 mtu
      25 recursive dns server
      31 dns search list
      33 address registration
      34 6lowpan context
      35 authoritative border router
    enum arp-operation
      1 request
      2 reply
    """
}
