/// Bluetooth Mesh (Mesh Protocol 1.1). Messages between nodes are encrypted, so that no row of a capture has this protocol. The profile `mesh-proxy`
/// decrypts them for display; filters use the same keys, and decode the messages of models with these tables.
public enum Mesh: ProtocolDescription {
  static var id: ProtocolID { .mesh }
  static var name: StaticName { "mesh" }
  static var tables: [PDUTable] { [messages] }
  static var state: StaticString { "for display filters: networks that keys open; messages in pieces are joined" }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { messages.name(context.opcode) ?? "Unknown Mesh Message" }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    walkMessage(pdu, context.opcode, &visitor)
  }

  /// Messages of models by their opcodes; their layouts start after the opcode.
  public static let messages = PDUTable(messageText)

  /// Reports the fields of a model's message, which begins with its opcode.
  public static func walkMessage<Visitor: FieldVisitor>(_ message: RawSpan, _ opcode: UInt32, _ visitor: inout Visitor) {
    guard let layout = messages[opcode]?.parameters else { return }
    layout.walk(message, in: (opcode < 0x80 ? 1 : 2)..<max(2, message.byteCount), &visitor)
  }

  /// A filter field for each field of the messages, named by the message and the field: `btmesh.model.generic_onoff_set.tid`.
  static let derivedFilters: StaticName = {
    var text = ""
    for row in messages.rows {
      let message = row.name.description.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
      var seen: Set<String> = []
      for (path, field, type) in row.parameters.filterFields where seen.insert(path).inserted {
        text += "btmesh.model.\(String(message)).\(path) \(type) mesh/\(String(row.code, radix: 16)).\(field)\n"
      }
    }
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = unsafe memory.initialize(from: text.utf8)
    return unsafe memory.baseAddress.map { unsafe StaticName(start: $0, count: memory.count) } ?? .empty
  }()

  static let filterFields: StaticString = """
    # Mesh
    btmesh protocol net[0:*]
    btmesh.ivi u8 net[0:1]&80
    btmesh.nid u8 net[0:1]&7f
    btmesh.obfuscated bytes net/0[1:6]
    btmesh.encrypted bytes net/0[7:*]
    btmesh.ctl u8 net/1[1:1]&80
    btmesh.ttl u8 net/1[1:1]&7f
    btmesh.seq u24be net/1[2:3]
    btmesh.src u16be net/1[5:2]
    btmesh.dst u16be net/1[7:2]
    btmesh.transp_pdu bytes net/1?80@1=0[9:*-4] net/1?80@1=80[9:*-8]
    btmesh.netmic x64be net/1?80@1=0[-4:4] net/1?80@1=80[-8:8]
    btmesh.cntr.seg u8 net/1?80@1=80[9:1]&80
    btmesh.cntr.opcode u8 net/1?80@1=80[9:1]&7f
    btmesh.acc.seg u8 net/1?80@1=0[9:1]&80
    btmesh.acc.akf u8 net/1?80@1=0[9:1]&40
    btmesh.acc.aid u8 net/1?80@1=0[9:1]&3f
    btmesh.szmic u24be net/1?80@1=0?80@9=80[10:3]&800000
    btmesh.seg.rfu u24be net/1?80@1=80?80@9=80[10:3]&800000
    btmesh.seqzero_data u24be net/1?80@9=80[10:3]&7ffc00
    btmesh.sego u24be net/1?80@9=80[10:3]&3e0
    btmesh.segn u24be net/1?80@9=80[10:3]&1f
    btmesh.segment bytes net/1?80@1=0?80@9=80[13:*-4] net/1?80@1=80?80@9=80[13:*-8]
    btmesh.segmented.access.fragments none joinacc[0:*]
    btmesh.segmented.access.fragment frame =
    btmesh.segmented.access.fragment.count u32 =
    btmesh.segmented.access.reassembled.length u32 =
    btmesh.segmented.control.fragments none joinctl[0:*]
    btmesh.segmented.control.fragment frame =
    btmesh.segmented.control.fragment.count u32 =
    btmesh.segmented.control.reassembled.length u32 =
    btmesh.obo boolbe mctl/0[0:2]&8000
    btmesh.seqzero u16be mctl/0[0:2]&7ffc
    btmesh.rfu u16be mctl/0[0:2]&3
    btmesh.blockack u32be mctl/0[2:4]
    btmesh.cntr.padding u8 mctl/1[0:1]&fe
    btmesh.cntr.fsn u8 mctl/1[0:1]&1
    btmesh.cntr.keyrefreshflag u8 mctl/2[0:1]&1
    btmesh.cntr.ivupdateflag u8 mctl/2[0:1]&2
    btmesh.cntr.flagsrfu u8 mctl/2[0:1]&fc
    btmesh.cntr.ivindex u32be mctl/2[1:4]
    btmesh.cntr.md u8 mctl/2[5:1]
    btmesh.cntr.criteria.rfu u8 mctl/3[0:1]&80
    btmesh.cntr.criteria.rssifactor u8 mctl/3[0:1]&60
    btmesh.cntr.criteria.receivewindowfactor u8 mctl/3[0:1]&18
    btmesh.cntr.criteria.minqueuesizelog u8 mctl/3[0:1]&7
    btmesh.cntr.receivedelay u8 mctl/3[1:1]
    btmesh.cntr.polltimeout u24be mctl/3[2:3]
    btmesh.cntr.previousaddress u16be mctl/3[5:2]
    btmesh.cntr.numelements u8 mctl/3[7:1]
    btmesh.cntr.lpncounter u8 mctl/3[8:1] mctl/5,6[2:1]
    btmesh.cntr.receivewindow u8 mctl/4[0:1]
    btmesh.cntr.queuesize u8 mctl/4[1:1]
    btmesh.cntr.subscriptionlistsize u8 mctl/4[2:1]
    btmesh.cntr.rssi u8 mctl/4[3:1]
    btmesh.cntr.friendcounter u16be mctl/4[4:2]
    btmesh.cntr.lpnaddress u16be mctl/5,6[0:2]
    btmesh.cntr.transactionnumber u8 mctl/7,8,9[0:1]
    btmesh.cntr.heartbeatrfu u8 mctl/a[0:1]&80
    btmesh.cntr.initttl u8 mctl/a[0:1]&7f
    btmesh.cntr.feature.relay bool mctl/a[2:1]&1
    btmesh.cntr.feature.proxy bool mctl/a[2:1]&2
    btmesh.cntr.feature.friend bool mctl/a[2:1]&4
    btmesh.cntr.feature.lowpower bool mctl/a[2:1]&8
    btmesh.cntr.feature.rfu u16be mctl/a[1:2]&fff0
    btmesh.cntr.unknownpayload bytes =
    btmesh.enc_access_pld bytes upper/4[0:*-4] upper/8[0:*-8]
    btmesh.transtmic bytes upper/4[-4:4] upper/8[-8:8]
    btmesh.access.decrypted bytes mesh[0:*]
    btmesh.model.opcode x16be mesh?80=0[0:1] mesh?c0=80[0:2]
    btmesh.model.vendor.opcode u8 mesh?c0=c0[0:1]&3f
    btmesh.model.vendor x16 mesh?c0=c0[1:2]
    btmesh.model.parameters bytes =
    btmesh.not_decoded_yet none =
    btmesh.unknown_payload none =
    btmesh.model.config_model_publication_set.appkey u16 mesh/3[5:2]
    btmesh.model.config_model_publication_status.appkey u16 mesh/8019[7:2]
    btmesh.model.config_model_publication_virtual_address_set.appkey u16 mesh/801a[20:2]
    btmesh.model.scheduler_action_set.schedule_register.transition_time u8 mesh/60[8:1]
    btmesh.model.scheduler_action_set_unacknowledged.schedule_register.transition_time u8 mesh/61[8:1]
    btmesh.model.scheduler_action_status.schedule_register.transition_time u8 mesh/5f[8:1]
    btmesh.model.schedule_register.month.january bool mesh/5f,60,61[1:4]&800
    btmesh.model.schedule_register.month.february bool mesh/5f,60,61[1:4]&1000
    btmesh.model.schedule_register.month.march bool mesh/5f,60,61[1:4]&2000
    btmesh.model.schedule_register.month.april bool mesh/5f,60,61[1:4]&4000
    btmesh.model.schedule_register.month.may bool mesh/5f,60,61[1:4]&8000
    btmesh.model.schedule_register.month.june bool mesh/5f,60,61[1:4]&10000
    btmesh.model.schedule_register.month.july bool mesh/5f,60,61[1:4]&20000
    btmesh.model.schedule_register.month.august bool mesh/5f,60,61[1:4]&40000
    btmesh.model.schedule_register.month.september bool mesh/5f,60,61[1:4]&80000
    btmesh.model.schedule_register.month.october bool mesh/5f,60,61[1:4]&100000
    btmesh.model.schedule_register.month.november bool mesh/5f,60,61[1:4]&200000
    btmesh.model.schedule_register.month.december bool mesh/5f,60,61[1:4]&400000
    btmesh.model.schedule_register.day_of_week.monday bool mesh/5f,60,61[4:4]&200000
    btmesh.model.schedule_register.day_of_week.tuesday bool mesh/5f,60,61[4:4]&400000
    btmesh.model.schedule_register.day_of_week.wednesday bool mesh/5f,60,61[4:4]&800000
    btmesh.model.schedule_register.day_of_week.thursday bool mesh/5f,60,61[4:4]&1000000
    btmesh.model.schedule_register.day_of_week.friday bool mesh/5f,60,61[4:4]&2000000
    btmesh.model.schedule_register.day_of_week.saturday bool mesh/5f,60,61[4:4]&4000000
    btmesh.model.schedule_register.day_of_week.sunday bool mesh/5f,60,61[4:4]&8000000
    btmproxy protocol val/2adb,2adc,2add,2ade?#!0[0:*]
    btmproxy.sar u8 val/2adb,2adc,2add,2ade[0:1]&c0
    btmproxy.type u8 val/2adb,2adc,2add,2ade[0:1]&3f
    btmproxy.data_fragment bytes val/2adb,2adc,2add,2ade?c0!0[1:*]
    btmproxy.data bytes val/2adb,2adc,2add,2ade?c0=0?3e!0?3f!3[1:*]
    btmproxy.fragments none joinproxy[0:*]
    btmproxy.fragment frame =
    btmproxy.fragment.count u32 =
    btmproxy.reassembled.length u32 =
    btmproxy.ivi u8 pconf/1[0:1]&80
    btmproxy.nid u8 pconf/1[0:1]&7f
    btmproxy.ctl u8 pconf/1[1:1]&80
    btmproxy.ttl u8 pconf/1[1:1]&7f
    btmproxy.seq u24be pconf/1[2:3]
    btmproxy.src u16be pconf/1[5:2]
    btmproxy.dst u16be pconf/1[7:2]
    btmproxy.transport_pdu bytes pconf/1[9:*-8]
    btmproxy.netmic x64be pconf/1[-8:8]
    btmproxy.control.opcode u8 pconf/1[9:1]&3f
    btmproxy.control.filter_type u8 pconf/1?3f@9=0[10:1] pconf/1?3f@9=3[10:1]
    btmproxy.control.list_size u16be pconf/1?3f@9=3?#!19?#!20[11:2]
    btmproxy.control.list_item u16be =
    btmproxy.control.parameters bytes pconf/1?3c@9!0[10:*-8]
    btmproxy.unknown_opcode none pconf/1?3c@9!0[9:1]
    btmproxy.unknown_filter_type none pconf/1?3f@9=0?fe@10!0[10:1] pconf/1?3f@9=3?fe@10!0[10:1]
    btmproxy.wrong_ctl none pconf/1?80@1=0[1:1]
    btmproxy.wrong_ttl none pconf/1?7f@1!0[1:1]
    btmproxy.wrong_dst none pconf/1?ff@7!0[7:1] pconf/1?ff@7=0?ff@8!0[8:1]
    pbadv protocol ad/29[0:*]
    pbadv.linkid u32be ad/29[0:4]
    pbadv.trnumber u8 ad/29[4:1]
    pbadv.gen_prov.gpcf u8 ad/29[5:1]&3
    pbadv.gen_prov.gpcf.segn u8 ad/29?3@5=0[5:1]&fc
    pbadv.gen_prov.gpcf.total_length u16be ad/29?3@5=0[6:2]
    pbadv.gen_prov.gpcf.fcs x8 ad/29?3@5=0[8:1]
    pbadv.gen_prov.gpcf.padding u8 ad/29?3@5=1[5:1]&fc
    pbadv.gen_prov.gpcf.segment_index u8 ad/29?3@5=2[5:1]&fc
    pbadv.gen_prov.gpcf.bearer_opcode u8 ad/29?3@5=3[5:1]&fc
    pbadv.gen_prov.gpcf.bearer_opcode.device_uuid bytes ad/29?ff@5=3[6:16]
    pbadv.gen_prov.gpcf.bearer_opcode.reason u8 ad/29?ff@5=b[6:1]
    pbadv.gen_prov.gpcf.unknown_data bytes ad/29?3@5=3?f0@5!0[6:*] ad/29?f3@5=3?0c@5=0c[6:*]
    pbadv.gen_prov.gpp.fragments none joinadv[0:*]
    pbadv.gen_prov.gpp.fragment frame =
    pbadv.gen_prov.gpp.fragment.count u32 =
    pbadv.gen_prov.gpp.reassembled.length u32 =
    pbadv.gpcf.unknown_payload none ad/29?ff@5=3?#!22[6:1] ad/29?ff@5=7?#!6[6:1] ad/29?ff@5=b?#!7[7:1]
    btmesh.model.sensor_status.mpid.format u8 =
    btmesh.model.sensor_status.mpid.format_a.length u16 =
    btmesh.model.sensor_status.mpid.format_a.property_id u16 =
    btmesh.model.sensor_status.mpid.format_b.length u8 =
    btmesh.model.sensor_status.mpid.format_b.property_id u16 =
    btmesh.model.sensor_status.raw_value bytes =
    btmesh.model.sensor_column_status.raw_value_a bytes =
    btmesh.model.sensor_column_status.raw_value_b bytes =
    btmesh.model.sensor_column_status.raw_value_c bytes =
    btmesh.model.sensor_series_status.raw_value_a bytes =
    btmesh.model.sensor_series_status.raw_value_b bytes =
    btmesh.model.sensor_series_status.raw_value_c bytes =
    btmesh.model.sensor_cadence_set.status_trigger_delta_down bytes =
    btmesh.model.sensor_cadence_set.status_trigger_delta_up bytes =
    btmesh.model.sensor_cadence_set.status_min_interval u8 =
    btmesh.model.sensor_cadence_set.fast_cadence_low bytes =
    btmesh.model.sensor_cadence_set.fast_cadence_high bytes =
    btmesh.model.sensor_cadence_set.remainder_not_dissected bytes =
    btmesh.model.sensor_cadence_set_unacknowledged.status_trigger_delta_down bytes =
    btmesh.model.sensor_cadence_set_unacknowledged.status_trigger_delta_up bytes =
    btmesh.model.sensor_cadence_set_unacknowledged.status_min_interval u8 =
    btmesh.model.sensor_cadence_set_unacknowledged.fast_cadence_low bytes =
    btmesh.model.sensor_cadence_set_unacknowledged.fast_cadence_high bytes =
    btmesh.model.sensor_cadence_set_unacknowledged.remainder_not_dissected bytes =
    btmesh.model.sensor_cadence_status.status_trigger_delta_down bytes =
    btmesh.model.sensor_cadence_status.status_trigger_delta_up bytes =
    btmesh.model.sensor_cadence_status.status_min_interval u8 =
    btmesh.model.sensor_cadence_status.fast_cadence_low bytes =
    btmesh.model.sensor_cadence_status.fast_cadence_high bytes =
    btmesh.model.sensor_cadence_status.remainder_not_dissected bytes =
    btmesh.property.boolean u8 =
    btmesh.property.coefficient double =
    btmesh.property.count_16 u16 =
    btmesh.property.electric_current u16 =
    btmesh.property.energy u24 =
    btmesh.property.generic_level u16 =
    btmesh.property.illuminance u24 =
    btmesh.property.index u16 =
    btmesh.property.perceived_lightness u16 =
    btmesh.property.percentage_8 u8 =
    btmesh.property.percentage_change_16 u16 =
    btmesh.property.temperature i16 =
    btmesh.property.temperature_8 i8 =
    btmesh.property.time_decihour_8 u8 =
    btmesh.property.time_millisecond_24 u24 =
    btmesh.property.time_second_16 u16 =
    beacon protocol beacon[0:*]
    beacon.type u8 beacon[0:1]
    beacon.uuid bytes beacon?ff=0[1:16]
    beacon.oob x16be beacon?ff=0[17:2]
    beacon.oob.other bool beacon?ff=0[18:1]&1
    beacon.oob.electronic bool beacon?ff=0[18:1]&2
    beacon.oob.2d_code bool beacon?ff=0[18:1]&4
    beacon.oob.bar_code bool beacon?ff=0[18:1]&8
    beacon.oob.nfc bool beacon?ff=0[18:1]&10
    beacon.oob.number bool beacon?ff=0[18:1]&20
    beacon.oob.string bool beacon?ff=0[18:1]&40
    beacon.oob.rfu u16be beacon?ff=0[17:2]&780
    beacon.oob.on_box bool beacon?ff=0[17:1]&8
    beacon.oob.inside_box bool beacon?ff=0[17:1]&10
    beacon.oob.on_paper bool beacon?ff=0[17:1]&20
    beacon.oob.inside_manual bool beacon?ff=0[17:1]&40
    beacon.oob.on_device bool beacon?ff=0[17:1]&80
    beacon.uri_hash bytes beacon?ff=0?#=23[19:4]
    beacon.flags x8 beacon?ff=1[1:1]
    beacon.flags.key_refresh bool beacon?ff=1[1:1]&1
    beacon.flags.iv_update bool beacon?ff=1[1:1]&2
    beacon.flags.rfu u8 beacon?ff=1[1:1]&fc
    beacon.network_id bytes beacon?ff=1[2:8]
    beacon.ivindex u32be beacon?ff=1[10:4]
    beacon.authentication_value bytes beacon?ff=1[14:8]
    beacon.unknown_data bytes beacon?fe!0[1:*]
    beacon.unknown_beacon_type none beacon?fe!0[0:1]
    beacon.unknown_payload none beacon?ff=0?#!23[19:1] beacon?ff=1[22:1]
    beacon.rfu_not_zero none beacon?ff=0?7@17!0[17:1] beacon?ff=0?7@17=0?80@18!0[18:1] beacon?ff=1?fc@1!0[1:1]
    provisioning.pdu_type u8 prov[0:1]&3f
    provisioning.pdu_padding u8 prov[0:1]&c0
    provisioning.attention_duration u8 prov/0[1:1]
    provisioning.number_of_elements u8 prov/1[1:1]
    provisioning.algorithms x16be prov/1[2:2]
    provisioning.algorithms.p256 bool prov/1[3:1]&1
    provisioning.algorithms.rfu u16be prov/1[2:2]&fffe
    provisioning.public_key_type x8 prov/1[4:1]
    provisioning.public_key_type.oob bool prov/1[4:1]&1
    provisioning.public_key_type.rfu u8 prov/1[4:1]&fe
    provisioning.static_oob_type x8 prov/1[5:1]
    provisioning.static_oob_type.static_oob_available bool prov/1[5:1]&1
    provisioning.static_oob_type.rfu u8 prov/1[5:1]&fe
    provisioning.output_oob_size u8 prov/1[6:1]
    provisioning.output_oob_action x16be prov/1[7:2]
    provisioning.output_oob_action.blink bool prov/1[8:1]&1
    provisioning.output_oob_action.beep bool prov/1[8:1]&2
    provisioning.output_oob_action.vibrate bool prov/1[8:1]&4
    provisioning.output_oob_action.output_numeric bool prov/1[8:1]&8
    provisioning.output_oob_action.output_alphanumeric bool prov/1[8:1]&10
    provisioning.output_oob_action.rfu u16be prov/1[7:2]&ffe0
    provisioning.input_oob_size u8 prov/1[9:1]
    provisioning.input_oob_action x16be prov/1[10:2]
    provisioning.input_oob_action.push bool prov/1[11:1]&1
    provisioning.input_oob_action.twist bool prov/1[11:1]&2
    provisioning.input_oob_action.input_numeric bool prov/1[11:1]&4
    provisioning.input_oob_action.input_alphanumeric bool prov/1[11:1]&8
    provisioning.input_oob_action.rfc u16be prov/1[10:2]&fff0
    provisioning.zero_elements none prov/1?ff@1=0[1:1]
    provisioning.prohibited none prov/1?fe@4!0[4:1] prov/1?fe@5!0[5:1] prov/2?fe@3=2?ff@5=0[5:1]
    provisioning.in_rfu_range none prov/1?f0@6!0[6:1] prov/1?f8@6=8?07@6!0[6:1] prov/1?f0@9!0[9:1] prov/1?f8@9=8?07@9!0[9:1] prov/2?ff@1!0[1:1] prov/2?fe@2!0[2:1] prov/2?fe@3=0?ff@4!0[4:1] prov/2?fe@3=0?ff@5!0[5:1] prov/2?ff@3=2?f8@4!0[4:1] prov/2?ff@3=2?fc@4=4?03@4!0[4:1] prov/2?ff@3=3?fc@4!0[4:1] prov/2?fe@3=2?f0@5!0[5:1] prov/2?fe@3=2?f8@5=8?07@5!0[5:1] prov/9?f0@1!0[1:1] prov/9?f8@1=8?07@1!0[1:1]
    provisioning.algorithm u8 prov/2[1:1]
    provisioning.public_key u8 prov/2[2:1]
    provisioning.authentication_method u8 prov/2[3:1]
    provisioning.authentication_action.no_oob_action u8 prov/2?ff@3=0[4:1]
    provisioning.authentication_action.static_oob_action u8 prov/2?ff@3=1[4:1]
    provisioning.authentication_action.output_oob_action u8 prov/2?ff@3=2[4:1]
    provisioning.authentication_action.input_oob_action u8 prov/2?ff@3=3[4:1]
    provisioning.authentication_size.no_oob_action u8 prov/2?ff@3=0[5:1]
    provisioning.authentication_size.static_oob_action u8 prov/2?ff@3=1[5:1]
    provisioning.authentication_size.output_oob_action u8 prov/2?ff@3=2[5:1]
    provisioning.authentication_size.input_oob_action u8 prov/2?ff@3=3[5:1]
    provisioning.unknown_authentication_method none prov/2?fc@3!0[3:1]
    provisioning.public_key_x bytes prov/3[1:32]
    provisioning.public_key_y bytes prov/3[33:32]
    provisioning.confirmation bytes prov/5[1:16]
    provisioning.random bytes prov/6[1:16]
    provisioning.encrypted_provisioning_data bytes prov/7[1:25]
    provisioning.decrypted_provisioning_data_mic bytes prov/7[26:8]
    provisioning.error_code u8 prov/9[1:1]
    provisioning.unknown_data bytes prov/2?fc@3!0[4:*] prov?30!0[1:*] prov?3e=a[1:*] prov?3c=c[1:*]
    provisioning.unknown_opcode none prov?30!0[0:1] prov?3e=a[0:1] prov?3c=c[0:1]
    provisioning.rfu_not_zero none prov?c0!0[0:1] prov/1?ff@2!0[2:1] prov/1?ff@2=0?fe@3!0[3:1] prov/1?ff@7!0[7:1] prov/1?ff@7=0?e0@8!0[8:1] prov/1?ff@10!0[10:1] prov/1?ff@10=0?f0@11!0[11:1]
    provisioning.unknown_payload none prov/0[2:1] prov/1[12:1] prov/2?fc@3=0[6:1] prov/3[65:1] prov/4,8[1:1] prov/5,6[17:1] prov/7[34:1] prov/9[2:1]
    """
}

extension Layout {
  /// The fields for filters: their paths, names and types. Bit fields of an integer have its name and a dot before theirs.
  fileprivate var filterFields: [(path: String, name: StaticName, type: String)] {
    var result: [(path: String, name: StaticName, type: String)] = []
    var whole = ""
    var end = 0
    for index in 0..<count {
      guard let op = first.map({ ($0 + index).pointee }) else { break }
      let field = op.field
      if index >= end { whole = "" }
      let width = 8 * Int(field.width)
      let type: String
      switch op.kind {
      case .unsigned: type = (field.isHexadecimal ? "x" : "u") + String(width)
      case .signed: type = "i\(width)"
      case .bytes: type = "bytes"
      case .bits:
        whole = field.name.description
        end = index + 1 + Int(op.body)
        type = "u\(width)"
      case .bitField: type = field.bitCount == 1 ? "bool" : "u\((Int(field.bitCount) + 7) / 8 * 8)"
      default: continue
      }
      if field.name.isEmpty || field.isReserved { continue }
      let name = field.name.description
      let isPart = op.kind == .bitField && !whole.isEmpty && !name.hasPrefix(whole + ".") && name.firstIndex(of: ".") == nil
      result.append((isPart ? "\(whole).\(name)" : name, field.name, type))
    }
    return result
  }
}
