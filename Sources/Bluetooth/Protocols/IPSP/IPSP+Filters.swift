extension IPSP {
  static let filterFields: StaticString = """
    # 6LoWPAN and IP
    6lowpan protocol =pdu
    6lowpan.iphc.tf x16 /0?e0=60[0:1]&18 /0?f8=c0?e0@4=60[4:1]&18
    6lowpan.iphc.nh bool /0?e0=60[0:1]&04 /0?f8=c0?e0@4=60[4:1]&04
    6lowpan.iphc.hlim x16 /0?e0=60[0:1]&03 /0?f8=c0?e0@4=60[4:1]&03
    6lowpan.iphc.cid bool /0?e0=60[1:1]&80 /0?f8=c0?e0@4=60[5:1]&80
    6lowpan.iphc.sac bool /0?e0=60[1:1]&40 /0?f8=c0?e0@4=60[5:1]&40
    6lowpan.iphc.sam x16 /0?e0=60[1:1]&30 /0?f8=c0?e0@4=60[5:1]&30
    6lowpan.iphc.m bool /0?e0=60[1:1]&08 /0?f8=c0?e0@4=60[5:1]&08
    6lowpan.iphc.dac bool /0?e0=60[1:1]&04 /0?f8=c0?e0@4=60[5:1]&04
    6lowpan.iphc.dam x16 /0?e0=60[1:1]&03 /0?f8=c0?e0@4=60[5:1]&03
    6lowpan.iphc.sci x8 /0.source_context
    6lowpan.iphc.dci x8 /0.destination_context
    6lowpan.nhc.udp.checksum bool /0.udp_checksum_elided
    6lowpan.nhc.udp.ports u8 /0.udp_ports
    6lowpan.nhc.ext.eid x8 /0.extension_id
    6lowpan.nhc.ext.nh bool /0.extension_nh
    6lowpan.nhc.ext.length u8 /0.extension_id?0e!04?0e!0e?01=0[2:1] /0.extension_id?0e!04?0e!0e?01=1[1:1]
    6lowpan.nhc.ext.reserved x8 /0.extension_id?0f=04[2:1] /0.extension_id?0f=05[1:1]
    6lowpan.hops u8 .hop_limit ?ff=42?01@1=0[2:1] ?ff=42?07@1=3[3:1]
    6lowpan.src string =
    6lowpan.dst string =
    6lowpan.iphc.sctx.prefix string =
    6lowpan.iphc.dctx.prefix string =
    6lowpan.class x8 =
    6lowpan.udp.src u16 =
    6lowpan.udp.dst u16 =
    6lowpan.udp.checksum x16be /0.udp_ports?07=00[5:2] /0.udp_ports?07=01[4:2] /0.udp_ports?07=02[4:2] /0.udp_ports?07=03[2:2]
    6lowpan.hc2.udp.encoding x8 ?ff=42?07@1=3[2:1]
    6lowpan.hc2.udp.src bool ?ff=42?07@1=3[2:1]&80
    6lowpan.hc2.udp.dst bool ?ff=42?07@1=3[2:1]&40
    6lowpan.hc2.udp.length bool ?ff=42?07@1=3[2:1]&20
    6lowpan.frag.offset u8 =
    ip.len u16 ip.total_length
    ip.id x16 ip.identification
    ip.ttl u8 ip.time_to_live
    ip.proto u8{ip-protocol} ip.protocol
    arp.opcode u16{arp-operation} ip.arp_operation
    tcp.srcport u16 ip.tcp_source_port
    tcp.dstport u16 ip.tcp_destination_port
    udp.srcport u16 ip.udp_source_port
    udp.dstport u16 ip.udp_destination_port
    icmpv6.type u8{icmpv6-type} ip.icmpv6_type ?ff=42?07@1=04[3+8?80@1=0+8?40@1=0+8?20@1=0+8?10@1=0+4?08@1=0:1]
    icmpv6.code u8 ip.icmpv6_code ?ff=42?07@1=04[4+8?80@1=0+8?40@1=0+8?20@1=0+8?10@1=0+4?08@1=0:1]
    6lowpan.hc1.src_prefix bool ?ff=42[1:1]&80
    6lowpan.hc1.src_ifc bool ?ff=42[1:1]&40
    6lowpan.hc1.dst_prefix bool ?ff=42[1:1]&20
    6lowpan.hc1.dst_ifc bool ?ff=42[1:1]&10
    6lowpan.hc1.class bool ?ff=42[1:1]&08
    6lowpan.hc1.next x8 ?ff=42[1:1]&06
    6lowpan.hc1.more bool ?ff=42[1:1]&01
    6lowpan.hc1.encoding x8 ?ff=42[1:1]
    6lowpan.pattern x8 =
    6lowpan.next x8be ?e4=60[2+1?80@1+4?18=00+3?18=08+1?18=10:1] ?ff=42?0f@1=08[3+8?80@1=0+8?40@1=0+8?20@1=0+8?10@1=0:1] ?ff=42?0f@1=0[6+8?80@1=0+8?40@1=0+8?20@1=0+8?10@1=0:2]&ff0
    6lowpan.ecn u8 /0.ecn
    6lowpan.dscp u8 /0.dscp
    6lowpan.flow x24be ?f8=60[3+1?80@1:3]&0fffff ?f8=68[2+1?80@1:3]&0fffff ?ff=42?08@1=0?07@1!1?07@1!5?07@1!7[4+1?07@1=03+8?80@1=0+8?40@1=0+8?20@1=0+8?10@1=0:3]&fffff0
    6lowpan.padding x8 ?f8=60[3+1?80@1:1]&f0 ?f8=68[2+1?80@1:1]&30
    6lowpan.rfrag.congestion bool ?fe=e8[0:1]&1 ?fe=ea[0:1]&1
    6lowpan.rfrag.tag u8 ?fe=e8[1:1] ?fe=ea[1:1]
    6lowpan.rfrag.ack_requested bool ?fe=e8[2:1]&80
    6lowpan.rfrag.sequence u16be ?fe=e8[2:2]&7c00
    6lowpan.rfrag.size u16be ?fe=e8[2:2]&3ff
    6lowpan.rfrag.datagram_size u16be ?fe=e8?7c@2=0[4:2]
    6lowpan.rfrag.offset u16be ?fe=e8?7c@2!0[4:2]
    6lowpan.rfrag.ack_bitmask x32be ?fe=ea[2:4]
    6lowpan.mesh.v bool ?c0=80[0:1]&20
    6lowpan.mesh.f bool ?c0=80[0:1]&10
    6lowpan.mesh.hops u8 ?c0=80[0:1]&f
    6lowpan.mesh.hops8 u8 ?cf=8f[1:1]
    6lowpan.mesh.orig16 x16be ?e0=a0[1+1?0f=0f:2]
    6lowpan.mesh.orig64 x64be ?e0=80[1+1?0f=0f:8]
    6lowpan.mesh.dest16 x16be ?f0=b0[3+1?0f=0f:2] ?f0=90[9+1?0f=0f:2]
    6lowpan.mesh.dest64 x64be ?f0=a0[3+1?0f=0f:8] ?f0=80[9+1?0f=0f:8]
    6lowpan.bcast.seqnum u8 ?ff=50[1:1]
    6lowpan.frag.size u16be ?f8=c0[0:2]&7ff ?f8=e0[0:2]&7ff
    6lowpan.frag.tag x16be ?f8=c0[2:2] ?f8=e0[2:2]
    6lowpan.nhc.ext.next x8 /0.extension_nh?0e!0e?01=0[1:1]
    6lowpan.nhc.pattern x8 /0.extension_id[0:1]&f0 /0.udp_ports[0:1]&f8
    """
}
