/// Advertising data is a part of other PDUs and has no rows of its own.
extension AdvertisingData: ProtocolDescription {
  static var id: ProtocolID { .advertisingData }
  static var name: StaticName { "ad" }
  static var tables: [PDUTable] { [structures] }
  static var state: StaticString { "devices, names, what each said last" }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName { "Advertising Data" }

  static let filterFields: StaticString = """
    # Advertising data and device classes, in events, commands and on the air
    btcommon.eir_ad.entry none ad.length
    btcommon.eir_ad.entry.length u8 ad.length
    btcommon.eir_ad.entry.type x8{ad-type} ad.type
    btcommon.eir_ad.entry.data bytes ad.data
    btcommon.eir_ad.entry.service_data bytes ad/16,20,21.service_data
    btcommon.eir_ad.entry.device_name string ad.local_name
    btcommon.eir_ad.entry.company_id x16 ad/ff.company_identifier
    btcommon.eir_ad.entry.uuid_16 x16 ad/02,03,14,16.service_uuids|service_uuid
    btcommon.eir_ad.entry.custom_uuid_32 x32 ad/04,05,1f,20.service_uuids|service_uuid
    btcommon.eir_ad.entry.custom_uuid_128 bytes ad/06,07,15,21.service_uuids|service_uuid
    btcommon.eir_ad.entry.power_level i8 ad.tx_power_level
    btcommon.eir_ad.entry.appearance x16 ad.appearance
    btcommon.eir_ad.entry.advertising_interval u16 ad.advertising_interval
    btcommon.eir_ad.entry.connection_interval_min u16 ad.connection_interval_min
    btcommon.eir_ad.entry.connection_interval_max u16 ad.connection_interval_max
    btcommon.eir_ad.entry.bd_addr ether ad.target_addresses|le_bluetooth_device_address
    btcommon.eir_ad.entry.le_role x8 ad.le_role
    btcommon.eir_ad.entry.uri string ad.uri
    btcommon.eir_ad.entry.flags.le_limited_discoverable_mode x8 ad/01.flags&01
    btcommon.eir_ad.entry.flags.le_general_discoverable_mode x8 ad/01.flags&02
    btcommon.eir_ad.entry.flags.bredr_not_supported x8 ad/01.flags&04
    btcommon.eir_ad.entry.flags.le_bredr_support_controller x8 ad/01.flags&08
    btcommon.eir_ad.entry.flags.le_bredr_support_host x8 ad/01.flags&10
    pbadv.linkid u32 ad/29.link_id
    pbadv.trnumber u8 ad/29.transaction_number
    pbadv.gen_prov.gpcf u8 ad/29.gpcf
    pbadv.gen_prov.gpcf.total_length u16 ad/29.total_length
    pbadv.gen_prov.gpcf.fcs x8 ad/29.fcs
    pbadv.gen_prov.gpcf.bearer_opcode.device_uuid bytes ad/29.device_uuid
    pbadv.gen_prov.gpcf.bearer_opcode.reason u8 ad/29.reason
    btmesh.ivi u8 ad/2a.ivi
    btmesh.nid u8 ad/2a.nid
    btmesh.obfuscated bytes ad/2a.obfuscated
    btmesh.encrypted bytes ad/2a.encrypted
    beacon.type u8 ad/2b.beacon_type
    beacon.uuid bytes ad/2b.device_uuid
    beacon.oob x16 ad/2b.oob_information
    beacon.oob.other bool ad/2b.oob_information&1
    beacon.oob.electronic bool ad/2b.oob_information&2
    beacon.oob.2d_code bool ad/2b.oob_information&4
    beacon.oob.bar_code bool ad/2b.oob_information&8
    beacon.oob.nfc bool ad/2b.oob_information&10
    beacon.oob.number bool ad/2b.oob_information&20
    beacon.oob.string bool ad/2b.oob_information&40
    beacon.oob.on_box bool ad/2b.oob_information&800
    beacon.oob.inside_box bool ad/2b.oob_information&1000
    beacon.oob.on_paper bool ad/2b.oob_information&2000
    beacon.oob.inside_manual bool ad/2b.oob_information&4000
    beacon.oob.on_device bool ad/2b.oob_information&8000
    beacon.uri_hash bytes ad/2b.uri_hash
    beacon.flags x8 ad/2b.flags
    beacon.flags.key_refresh bool ad/2b.flags&01
    beacon.flags.iv_update bool ad/2b.flags&02
    beacon.network_id bytes ad/2b.network_id
    beacon.ivindex u32 ad/2b.iv_index
    beacon.authentication_value bytes ad/2b.authentication_value
    btcommon.cod.class_of_device x24 any.class_of_device
    btcommon.cod.major_device_class x16 any.class_of_device&001f00
    """
}

extension ProtocolID {
  /// Advertising data.
  @inlinable
  public static var advertisingData: ProtocolID { ProtocolID(23) }
}
