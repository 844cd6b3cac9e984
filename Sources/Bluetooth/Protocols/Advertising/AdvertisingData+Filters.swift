extension AdvertisingData {
  static let filterFields: StaticString = """
    # Advertising data and device classes, in events, commands and on the air
    btcommon.eir_ad.advertising_data none =
    btcommon.eir_ad.unused none =
    btcommon.eir_ad.entry.ssp_oob_length u16 ad/0b[0:2]
    btcommon.eir_ad.entry none ad.length
    btcommon.eir_ad.entry.length u8 ad.length
    btcommon.eir_ad.entry.type x8{ad-type} ad.type
    btcommon.eir_ad.entry.data bytes ad.data
    btcommon.eir_ad.entry.service_data bytes ad/16,20,21.service_data
    btcommon.eir_ad.entry.device_name string ad.local_name
    btcommon.eir_ad.entry.company_id x16 ad/ff.company_identifier
    bluetooth.apple.ibeacon.uuid128 bytes ad/ff?ff=4c?ff@1=0?ff@2=2?ff@3=15[4:16]
    bluetooth.apple.ibeacon.major u16be ad/ff?ff=4c?ff@1=0?ff@2=2?ff@3=15[20:2]
    bluetooth.apple.ibeacon.minor u16be ad/ff?ff=4c?ff@1=0?ff@2=2?ff@3=15[22:2]
    bluetooth.alt_beacon.code x16be ad/ff?ff@2=be?ff@3=ac[2:2]
    bluetooth.alt_beacon.id bytes ad/ff?ff@2=be?ff@3=ac[4:20]
    bluetooth.alt_beacon.reference_rssi i8 ad/ff?ff@2=be?ff@3=ac[24:1]
    bluetooth.alt_beacon.manufacturer_data x8 ad/ff?ff@2=be?ff@3=ac[25:1]
    btcommon.eir_ad.entry.uuid_16 x16 ad/02,03,14,16.service_uuids|service_uuid
    btcommon.eir_ad.entry.custom_uuid_32 x32 ad/04,05,1f,20.service_uuids|service_uuid?ff@2!0[0:4] ad/04,05,1f,20.service_uuids|service_uuid?ff@2=0?ff@3!0[0:4]
    btcommon.eir_ad.entry.custom_uuid_128 bytesbe ad/06,07,15,21.service_uuids|service_uuid?ff!fb[0:16] ad/06,07,15,21.service_uuids|service_uuid?ff=fb?ff@1!34[0:16] ad/06,07,15,21.service_uuids|service_uuid?ff=fb?ff@1=34?ff@2!9b[0:16] ad/06,07,15,21.service_uuids|service_uuid?ff=fb?ff@1=34?ff@2=9b?ff@3!5f[0:16] ad/06,07,15,21.service_uuids|service_uuid?ff=fb?ff@1=34?ff@2=9b?ff@3=5f?ff@4!80[0:16] ad/06,07,15,21.service_uuids|service_uuid?ff=fb?ff@1=34?ff@2=9b?ff@3=5f?ff@4=80?ff@11!0[0:16] ad/06,07,15,21.service_uuids|service_uuid?ff=fb?ff@1=34?ff@2=9b?ff@3=5f?ff@4=80?ff@11=0?ff@14!0[0:16] ad/06,07,15,21.service_uuids|service_uuid?ff=fb?ff@1=34?ff@2=9b?ff@3=5f?ff@4=80?ff@11=0?ff@14=0?ff@15!0[0:16]
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
    btcommon.cod.class_of_device x24 any.class_of_device cmd/0c05?ff@3=01?ff@4=01[5:3] cmd/0c05?ff@3=02?ff@4=01[5:3]
    btcommon.cod.major_device_class x16 any.class_of_device&001f00 cmd/0c05?ff@3=01?ff@4=01[5:3]&001f00 cmd/0c05?ff@3=02?ff@4=01[5:3]&001f00
    btcommon.eir_ad.entry.flags.reserved x8 ad/01.flags&e0
    btcommon.eir_ad.entry.hash_c bytes ad/0e,1d.simple_pairing_hash
    btcommon.eir_ad.entry.randomizer_r bytes ad/0f,1e.simple_pairing_randomizer
    btcommon.eir_ad.entry.le_secure_confirmation_value bytes ad/22.confirmation_value
    btcommon.eir_ad.entry.le_secure_random_value bytes ad/23.random_value
    btcommon.eir_ad.entry.oob_flags.oob_reserved x8 ad/11.security_manager_oob_flags&f0
    btcommon.eir_ad.entry.oob_flags.oob_address_type x8 ad/11.security_manager_oob_flags&8
    btcommon.eir_ad.entry.oob_flags.oob_le_bredr_support x8 ad/11.security_manager_oob_flags&4
    btcommon.eir_ad.entry.oob_flags.oob_le_supported_host x8 ad/11.security_manager_oob_flags&2
    btcommon.eir_ad.entry.oob_flags.oob_data_present x8 ad/11.security_manager_oob_flags&1
    btcommon.eir_ad.entry.did.vendor_id_source x16 ad/10.vendor_id_source
    btcommon.eir_ad.entry.did.vendor_id x16 ad/10.vendor_id
    btcommon.eir_ad.entry.did.product_id x16 ad/10.product_id
    btcommon.eir_ad.entry.did.version x16 ad/10.version
    btcommon.eir_ad.entry.tds.organization_id x8 ad/26.organization_id
    btcommon.eir_ad.entry.tds.flags x8 ad/26.tds_flags
    btcommon.eir_ad.entry.tds.flags.reserved x8 ad/26.tds_flags&e0
    btcommon.eir_ad.entry.tds.flags.transport_state x8 ad/26.tds_flags&18
    btcommon.eir_ad.entry.tds.flags.transport_data_incomplete bool ad/26.tds_flags&4
    btcommon.eir_ad.entry.tds.flags.role x8 ad/26.tds_flags&3
    btcommon.eir_ad.entry.tds.data_length u8 ad/26.transport_data_length
    btcommon.eir_ad.entry.tds.data bytes ad/26.transport_data
    btcommon.eir_ad.entry.le_channel_map bytes ad/28.channel_map
    btcommon.eir_ad.entry.instant u16 ad/28.instant
    btcommon.eir_ad.extended_inquiry_response_data none any.extended_inquiry_response*
    btcommon.cod.major_service_classes.information bool any.class_of_device&800000 cmd/0c05?ff@3=01?ff@4=01[5:3]&800000 cmd/0c05?ff@3=02?ff@4=01[5:3]&800000
    btcommon.cod.major_service_classes.telephony bool any.class_of_device&400000 cmd/0c05?ff@3=01?ff@4=01[5:3]&400000 cmd/0c05?ff@3=02?ff@4=01[5:3]&400000
    btcommon.cod.major_service_classes.audio bool any.class_of_device&200000 cmd/0c05?ff@3=01?ff@4=01[5:3]&200000 cmd/0c05?ff@3=02?ff@4=01[5:3]&200000
    btcommon.cod.major_service_classes.object_transfer bool any.class_of_device&100000 cmd/0c05?ff@3=01?ff@4=01[5:3]&100000 cmd/0c05?ff@3=02?ff@4=01[5:3]&100000
    btcommon.cod.major_service_classes.capturing bool any.class_of_device&80000 cmd/0c05?ff@3=01?ff@4=01[5:3]&80000 cmd/0c05?ff@3=02?ff@4=01[5:3]&80000
    btcommon.cod.major_service_classes.rendering bool any.class_of_device&40000 cmd/0c05?ff@3=01?ff@4=01[5:3]&40000 cmd/0c05?ff@3=02?ff@4=01[5:3]&40000
    btcommon.cod.major_service_classes.networking bool any.class_of_device&20000 cmd/0c05?ff@3=01?ff@4=01[5:3]&20000 cmd/0c05?ff@3=02?ff@4=01[5:3]&20000
    btcommon.cod.major_service_classes.positioning bool any.class_of_device&10000 cmd/0c05?ff@3=01?ff@4=01[5:3]&10000 cmd/0c05?ff@3=02?ff@4=01[5:3]&10000
    btcommon.cod.major_service_classes.reserved x16 any.class_of_device&8000 cmd/0c05?ff@3=01?ff@4=01[5:3]&8000 cmd/0c05?ff@3=02?ff@4=01[5:3]&8000
    btcommon.cod.major_service_classes.le_audio x16 any.class_of_device&4000 cmd/0c05?ff@3=01?ff@4=01[5:3]&4000 cmd/0c05?ff@3=02?ff@4=01[5:3]&4000
    btcommon.cod.major_service_classes.limited_discoverable_mode bool any.class_of_device&2000 cmd/0c05?ff@3=01?ff@4=01[5:3]&2000 cmd/0c05?ff@3=02?ff@4=01[5:3]&2000
    btcommon.cod.format_type x8 any.class_of_device&3 cmd/0c05?ff@3=01?ff@4=01[5:3]&3 cmd/0c05?ff@3=02?ff@4=01[5:3]&3
    btcommon.eir_ad.entry.uuid_32 x32 ad/04,05,1f.service_uuids?ff@2=0?ff@3=0[0:4]
    btcommon.eir_ad.entry.uuid_128 bytesbe ad/06,07,15.service_uuids?ff=fb?ff@1=34?ff@2=9b?ff@3=5f?ff@4=80?ff@11=0?ff@14=0?ff@15=0[0:16]
    btcommon.eir_ad.entry.broadcast_code string ad/2d[0:16]
    btcommon.eir_ad.entry.3ds_legacy.fixed_byte u8 ad/ff?ff=0f?ff@1=0?ff@2=0[2:1]
    btcommon.eir_ad.entry.3ds_legacy.test_mode bool ad/ff?ff=0f?ff@1=0?ff@2=0[3:1]&80
    btcommon.eir_ad.entry.3ds_legacy.fixed.4 bool ad/ff?ff=0f?ff@1=0?ff@2=0[3:1]&40 ad/ff?ff=0f?ff@1=0?ff@2=0[3:1]&10
    btcommon.eir_ad.entry.3ds_legacy.ignored.5 bool ad/ff?ff=0f?ff@1=0?ff@2=0[3:1]&20
    btcommon.eir_ad.entry.3ds_legacy.ignored.1_3 bool ad/ff?ff=0f?ff@1=0?ff@2=0[3:1]&e
    btcommon.eir_ad.entry.3ds_legacy.capable_tv bool ad/ff?ff=0f?ff@1=0?ff@2=0[3:1]&1
    btcommon.eir_ad.entry.3ds_legacy.path_loss_threshold u8 ad/ff?ff=0f?ff@1=0?ff@2=0[4:1]
    btcommon.eir_ad.entry.3ds.association_notification bool ad/3d[0:1]&1
    btcommon.eir_ad.entry.3ds.battery_level_reporting bool ad/3d[0:1]&2
    btcommon.eir_ad.entry.3ds.send_battery_level_report_on_startup bool ad/3d[0:1]&4
    btcommon.eir_ad.entry.3ds.reserved bool ad/3d[0:1]&78
    btcommon.eir_ad.entry.3ds.factory_test_mode bool ad/3d[0:1]&80
    btcommon.eir_ad.entry.3ds.path_loss_threshold u8 ad/3d[1:1]
    btcommon.eir_ad.entry.ips.flags x8 ad/25[0:1]
    btcommon.eir_ad.entry.ips.flags.reserved x8 ad/25[0:1]&c0
    btcommon.eir_ad.entry.ips.flags.location_name bool ad/25[0:1]&40
    btcommon.eir_ad.entry.ips.flags.uncertainty bool ad/25[0:1]&20
    btcommon.eir_ad.entry.ips.flags.floor_number bool ad/25[0:1]&10
    btcommon.eir_ad.entry.ips.flags.altitude bool ad/25[0:1]&8
    btcommon.eir_ad.entry.ips.flags.tx_power bool ad/25[0:1]&4
    btcommon.eir_ad.entry.ips.flags.coordinate_system x8 ad/25[0:1]&2
    btcommon.eir_ad.entry.ips.flags.coordinates bool ad/25[0:1]&1
    btcommon.eir_ad.entry.ips.latitude i32 ad/25?03=01[1:4]
    btcommon.eir_ad.entry.ips.longitude i32 ad/25?03=01[5:4]
    btcommon.eir_ad.entry.ips.local_north_coordinate i16 ad/25?03=03[1:2]
    btcommon.eir_ad.entry.ips.local_east_coordinate i16 ad/25?03=03[3:2]
    btcommon.eir_ad.entry.ips.tx_power_level i8 ad/25?04=04[1+8?03=01+4?03=03:1]
    btcommon.eir_ad.entry.ips.altitude u16 ad/25?08=08[1+8?03=01+4?03=03+1?04:2]
    btcommon.eir_ad.entry.ips.floor_number u8 ad/25?10=10[1+8?03=01+4?03=03+1?04+2?08:1]
    btcommon.eir_ad.entry.ips.uncertainty x8 ad/25?20=20[1+8?03=01+4?03=03+1?04+2?08+1?10:1]
    btcommon.eir_ad.entry.ips.uncertainty.reserved x8 ad/25?20=20[1+8?03=01+4?03=03+1?04+2?08+1?10:1]&80
    btcommon.eir_ad.entry.ips.uncertainty.precision x8 ad/25?20=20[1+8?03=01+4?03=03+1?04+2?08+1?10:1]&70
    btcommon.eir_ad.entry.ips.uncertainty.update_time x8 ad/25?20=20[1+8?03=01+4?03=03+1?04+2?08+1?10:1]&0e
    btcommon.eir_ad.entry.ips.uncertainty.stationary x8 ad/25?20=20[1+8?03=01+4?03=03+1?04+2?08+1?10:1]&01
    btcommon.eir_ad.entry.le_bd_addr.type x8 ad/1b[6:1]&01
    btcommon.eir_ad.entry.le_bd_addr.reserved x8 ad/1b[6:1]&fe
    btcommon.eir_ad.entry.le_features x8 ad/27[0:1]*
    btcommon.eir_ad.le_features.encryption bool ad/27[0:1]&1
    btcommon.eir_ad.le_features.connection_parameters_request_procedure bool ad/27[0:1]&2
    btcommon.eir_ad.le_features.extended_reject_indication bool ad/27[0:1]&4
    btcommon.eir_ad.le_features.slave_initiated_features_exchange bool ad/27[0:1]&8
    btcommon.eir_ad.le_features.ping bool ad/27[0:1]&10
    btcommon.eir_ad.le_features.data_packet_length_extension bool ad/27[0:1]&20
    btcommon.eir_ad.le_features.ll_privacy bool ad/27[0:1]&40
    btcommon.eir_ad.le_features.extended_scanner_filter_policies bool ad/27[0:1]&80
    btcommon.eir_ad.le_features.2m_phy bool ad/27[1:1]&1
    btcommon.eir_ad.le_features.stable_modulation_index_tx bool ad/27[1:1]&2
    btcommon.eir_ad.le_features.stable_modulation_index_rx bool ad/27[1:1]&4
    btcommon.eir_ad.le_features.coded_phy bool ad/27[1:1]&8
    btcommon.eir_ad.le_features.extended_advertising bool ad/27[1:1]&10
    btcommon.eir_ad.le_features.periodic_advertising bool ad/27[1:1]&20
    btcommon.eir_ad.le_features.channel_selection_algorithm_2 bool ad/27[1:1]&40
    btcommon.eir_ad.le_features.power_class_1 bool ad/27[1:1]&80
    btcommon.eir_ad.entry.le_features.minimum_number_of_used_channels_procedure bool ad/27[2:1]&1
    btcommon.eir_ad.entry.le_features.reserved.1_7 x8 ad/27[2:1]&fe
    btcommon.eir_ad.entry.le_features.reserved x8 ad/27[3:1]*
    btcommon.eir_ad.entry.biginfo.big_offset u32 ad/2c[0:4]&3fff
    btcommon.eir_ad.entry.biginfo.big_offset_units bool ad/2c[0:4]&4000
    btcommon.eir_ad.entry.biginfo.iso_interval u32 ad/2c[0:4]&7ff8000
    btcommon.eir_ad.entry.biginfo.num_bis u32 ad/2c[0:4]&f8000000
    btcommon.eir_ad.entry.biginfo.nse u32 ad/2c[4:4]&1f
    btcommon.eir_ad.entry.biginfo.bn u32 ad/2c[4:4]&e0
    btcommon.eir_ad.entry.biginfo.sub_interval u32 ad/2c[4:4]&fffff00
    btcommon.eir_ad.entry.biginfo.pto u32 ad/2c[4:4]&f0000000
    btcommon.eir_ad.entry.biginfo.bis_spacing u24 ad/2c[8:3]&fffff
    btcommon.eir_ad.entry.biginfo.irc u24 ad/2c[8:3]&f00000
    btcommon.eir_ad.entry.biginfo.max_pdu u8 ad/2c[11:1]
    btcommon.eir_ad.entry.biginfo.rfu u8 ad/2c[12:1]
    btcommon.eir_ad.entry.biginfo.seed_access_address x32 ad/2c[13:4]
    btcommon.eir_ad.entry.biginfo.sdu_interval u32 ad/2c[17:4]&fffff
    btcommon.eir_ad.entry.biginfo.max_sdu u32 ad/2c[17:4]&fff00000
    btcommon.eir_ad.entry.biginfo.base_crc_init x16 ad/2c[21:2]
    btcommon.eir_ad.entry.biginfo.channel_map x40 ad/2c[23:5]&1fffffffff
    btcommon.eir_ad.entry.biginfo.phy u40 ad/2c[23:5]&e000000000
    btcommon.eir_ad.entry.biginfo.bis_payload_count u40 ad/2c[28:5]&7fffffffff
    btcommon.eir_ad.entry.biginfo.framing bool ad/2c[28:5]&8000000000
    btcommon.eir_ad.entry.biginfo.giv bytes ad/2c[33:8]
    btcommon.eir_ad.entry.biginfo.gskd bytes ad/2c[41:16]
    btcommon.eir_ad.entry.biginfo.big_control_access_address x32 =
    btcommon.eir_ad.entry.biginfo.bis_access_address x32 =
    btcommon.le_channel_map.0 bool ad/28[0:5]&1 ad/2c[23:5]&1 adv/5[34:5]&1 ctl?ff@6=01[7:5]&1 ctl?ff@6=1c[13:5]&1 big/0[7:5]&1 cmd/2014[3:5]&1 evt/2015[8:5]&1 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&1
    btcommon.le_channel_map.1 bool ad/28[0:5]&2 ad/2c[23:5]&2 adv/5[34:5]&2 ctl?ff@6=01[7:5]&2 ctl?ff@6=1c[13:5]&2 big/0[7:5]&2 cmd/2014[3:5]&2 evt/2015[8:5]&2 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&2
    btcommon.le_channel_map.2 bool ad/28[0:5]&4 ad/2c[23:5]&4 adv/5[34:5]&4 ctl?ff@6=01[7:5]&4 ctl?ff@6=1c[13:5]&4 big/0[7:5]&4 cmd/2014[3:5]&4 evt/2015[8:5]&4 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&4
    btcommon.le_channel_map.3 bool ad/28[0:5]&8 ad/2c[23:5]&8 adv/5[34:5]&8 ctl?ff@6=01[7:5]&8 ctl?ff@6=1c[13:5]&8 big/0[7:5]&8 cmd/2014[3:5]&8 evt/2015[8:5]&8 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&8
    btcommon.le_channel_map.4 bool ad/28[0:5]&10 ad/2c[23:5]&10 adv/5[34:5]&10 ctl?ff@6=01[7:5]&10 ctl?ff@6=1c[13:5]&10 big/0[7:5]&10 cmd/2014[3:5]&10 evt/2015[8:5]&10 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&10
    btcommon.le_channel_map.5 bool ad/28[0:5]&20 ad/2c[23:5]&20 adv/5[34:5]&20 ctl?ff@6=01[7:5]&20 ctl?ff@6=1c[13:5]&20 big/0[7:5]&20 cmd/2014[3:5]&20 evt/2015[8:5]&20 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&20
    btcommon.le_channel_map.6 bool ad/28[0:5]&40 ad/2c[23:5]&40 adv/5[34:5]&40 ctl?ff@6=01[7:5]&40 ctl?ff@6=1c[13:5]&40 big/0[7:5]&40 cmd/2014[3:5]&40 evt/2015[8:5]&40 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&40
    btcommon.le_channel_map.7 bool ad/28[0:5]&80 ad/2c[23:5]&80 adv/5[34:5]&80 ctl?ff@6=01[7:5]&80 ctl?ff@6=1c[13:5]&80 big/0[7:5]&80 cmd/2014[3:5]&80 evt/2015[8:5]&80 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&80
    btcommon.le_channel_map.8 bool ad/28[0:5]&100 ad/2c[23:5]&100 adv/5[34:5]&100 ctl?ff@6=01[7:5]&100 ctl?ff@6=1c[13:5]&100 big/0[7:5]&100 cmd/2014[3:5]&100 evt/2015[8:5]&100 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&100
    btcommon.le_channel_map.9 bool ad/28[0:5]&200 ad/2c[23:5]&200 adv/5[34:5]&200 ctl?ff@6=01[7:5]&200 ctl?ff@6=1c[13:5]&200 big/0[7:5]&200 cmd/2014[3:5]&200 evt/2015[8:5]&200 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&200
    btcommon.le_channel_map.10 bool ad/28[0:5]&400 ad/2c[23:5]&400 adv/5[34:5]&400 ctl?ff@6=01[7:5]&400 ctl?ff@6=1c[13:5]&400 big/0[7:5]&400 cmd/2014[3:5]&400 evt/2015[8:5]&400 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&400
    btcommon.le_channel_map.11 bool ad/28[0:5]&800 ad/2c[23:5]&800 adv/5[34:5]&800 ctl?ff@6=01[7:5]&800 ctl?ff@6=1c[13:5]&800 big/0[7:5]&800 cmd/2014[3:5]&800 evt/2015[8:5]&800 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&800
    btcommon.le_channel_map.12 bool ad/28[0:5]&1000 ad/2c[23:5]&1000 adv/5[34:5]&1000 ctl?ff@6=01[7:5]&1000 ctl?ff@6=1c[13:5]&1000 big/0[7:5]&1000 cmd/2014[3:5]&1000 evt/2015[8:5]&1000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&1000
    btcommon.le_channel_map.13 bool ad/28[0:5]&2000 ad/2c[23:5]&2000 adv/5[34:5]&2000 ctl?ff@6=01[7:5]&2000 ctl?ff@6=1c[13:5]&2000 big/0[7:5]&2000 cmd/2014[3:5]&2000 evt/2015[8:5]&2000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&2000
    btcommon.le_channel_map.14 bool ad/28[0:5]&4000 ad/2c[23:5]&4000 adv/5[34:5]&4000 ctl?ff@6=01[7:5]&4000 ctl?ff@6=1c[13:5]&4000 big/0[7:5]&4000 cmd/2014[3:5]&4000 evt/2015[8:5]&4000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&4000
    btcommon.le_channel_map.15 bool ad/28[0:5]&8000 ad/2c[23:5]&8000 adv/5[34:5]&8000 ctl?ff@6=01[7:5]&8000 ctl?ff@6=1c[13:5]&8000 big/0[7:5]&8000 cmd/2014[3:5]&8000 evt/2015[8:5]&8000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&8000
    btcommon.le_channel_map.16 bool ad/28[0:5]&10000 ad/2c[23:5]&10000 adv/5[34:5]&10000 ctl?ff@6=01[7:5]&10000 ctl?ff@6=1c[13:5]&10000 big/0[7:5]&10000 cmd/2014[3:5]&10000 evt/2015[8:5]&10000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&10000
    btcommon.le_channel_map.17 bool ad/28[0:5]&20000 ad/2c[23:5]&20000 adv/5[34:5]&20000 ctl?ff@6=01[7:5]&20000 ctl?ff@6=1c[13:5]&20000 big/0[7:5]&20000 cmd/2014[3:5]&20000 evt/2015[8:5]&20000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&20000
    btcommon.le_channel_map.18 bool ad/28[0:5]&40000 ad/2c[23:5]&40000 adv/5[34:5]&40000 ctl?ff@6=01[7:5]&40000 ctl?ff@6=1c[13:5]&40000 big/0[7:5]&40000 cmd/2014[3:5]&40000 evt/2015[8:5]&40000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&40000
    btcommon.le_channel_map.19 bool ad/28[0:5]&80000 ad/2c[23:5]&80000 adv/5[34:5]&80000 ctl?ff@6=01[7:5]&80000 ctl?ff@6=1c[13:5]&80000 big/0[7:5]&80000 cmd/2014[3:5]&80000 evt/2015[8:5]&80000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&80000
    btcommon.le_channel_map.20 bool ad/28[0:5]&100000 ad/2c[23:5]&100000 adv/5[34:5]&100000 ctl?ff@6=01[7:5]&100000 ctl?ff@6=1c[13:5]&100000 big/0[7:5]&100000 cmd/2014[3:5]&100000 evt/2015[8:5]&100000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&100000
    btcommon.le_channel_map.21 bool ad/28[0:5]&200000 ad/2c[23:5]&200000 adv/5[34:5]&200000 ctl?ff@6=01[7:5]&200000 ctl?ff@6=1c[13:5]&200000 big/0[7:5]&200000 cmd/2014[3:5]&200000 evt/2015[8:5]&200000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&200000
    btcommon.le_channel_map.22 bool ad/28[0:5]&400000 ad/2c[23:5]&400000 adv/5[34:5]&400000 ctl?ff@6=01[7:5]&400000 ctl?ff@6=1c[13:5]&400000 big/0[7:5]&400000 cmd/2014[3:5]&400000 evt/2015[8:5]&400000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&400000
    btcommon.le_channel_map.23 bool ad/28[0:5]&800000 ad/2c[23:5]&800000 adv/5[34:5]&800000 ctl?ff@6=01[7:5]&800000 ctl?ff@6=1c[13:5]&800000 big/0[7:5]&800000 cmd/2014[3:5]&800000 evt/2015[8:5]&800000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&800000
    btcommon.le_channel_map.24 bool ad/28[0:5]&1000000 ad/2c[23:5]&1000000 adv/5[34:5]&1000000 ctl?ff@6=01[7:5]&1000000 ctl?ff@6=1c[13:5]&1000000 big/0[7:5]&1000000 cmd/2014[3:5]&1000000 evt/2015[8:5]&1000000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&1000000
    btcommon.le_channel_map.25 bool ad/28[0:5]&2000000 ad/2c[23:5]&2000000 adv/5[34:5]&2000000 ctl?ff@6=01[7:5]&2000000 ctl?ff@6=1c[13:5]&2000000 big/0[7:5]&2000000 cmd/2014[3:5]&2000000 evt/2015[8:5]&2000000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&2000000
    btcommon.le_channel_map.26 bool ad/28[0:5]&4000000 ad/2c[23:5]&4000000 adv/5[34:5]&4000000 ctl?ff@6=01[7:5]&4000000 ctl?ff@6=1c[13:5]&4000000 big/0[7:5]&4000000 cmd/2014[3:5]&4000000 evt/2015[8:5]&4000000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&4000000
    btcommon.le_channel_map.27 bool ad/28[0:5]&8000000 ad/2c[23:5]&8000000 adv/5[34:5]&8000000 ctl?ff@6=01[7:5]&8000000 ctl?ff@6=1c[13:5]&8000000 big/0[7:5]&8000000 cmd/2014[3:5]&8000000 evt/2015[8:5]&8000000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&8000000
    btcommon.le_channel_map.28 bool ad/28[0:5]&10000000 ad/2c[23:5]&10000000 adv/5[34:5]&10000000 ctl?ff@6=01[7:5]&10000000 ctl?ff@6=1c[13:5]&10000000 big/0[7:5]&10000000 cmd/2014[3:5]&10000000 evt/2015[8:5]&10000000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&10000000
    btcommon.le_channel_map.29 bool ad/28[0:5]&20000000 ad/2c[23:5]&20000000 adv/5[34:5]&20000000 ctl?ff@6=01[7:5]&20000000 ctl?ff@6=1c[13:5]&20000000 big/0[7:5]&20000000 cmd/2014[3:5]&20000000 evt/2015[8:5]&20000000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&20000000
    btcommon.le_channel_map.30 bool ad/28[0:5]&40000000 ad/2c[23:5]&40000000 adv/5[34:5]&40000000 ctl?ff@6=01[7:5]&40000000 ctl?ff@6=1c[13:5]&40000000 big/0[7:5]&40000000 cmd/2014[3:5]&40000000 evt/2015[8:5]&40000000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&40000000
    btcommon.le_channel_map.31 bool ad/28[0:5]&80000000 ad/2c[23:5]&80000000 adv/5[34:5]&80000000 ctl?ff@6=01[7:5]&80000000 ctl?ff@6=1c[13:5]&80000000 big/0[7:5]&80000000 cmd/2014[3:5]&80000000 evt/2015[8:5]&80000000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&80000000
    btcommon.le_channel_map.32 bool ad/28[0:5]&100000000 ad/2c[23:5]&100000000 adv/5[34:5]&100000000 ctl?ff@6=01[7:5]&100000000 ctl?ff@6=1c[13:5]&100000000 big/0[7:5]&100000000 cmd/2014[3:5]&100000000 evt/2015[8:5]&100000000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&100000000
    btcommon.le_channel_map.33 bool ad/28[0:5]&200000000 ad/2c[23:5]&200000000 adv/5[34:5]&200000000 ctl?ff@6=01[7:5]&200000000 ctl?ff@6=1c[13:5]&200000000 big/0[7:5]&200000000 cmd/2014[3:5]&200000000 evt/2015[8:5]&200000000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&200000000
    btcommon.le_channel_map.34 bool ad/28[0:5]&400000000 ad/2c[23:5]&400000000 adv/5[34:5]&400000000 ctl?ff@6=01[7:5]&400000000 ctl?ff@6=1c[13:5]&400000000 big/0[7:5]&400000000 cmd/2014[3:5]&400000000 evt/2015[8:5]&400000000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&400000000
    btcommon.le_channel_map.35 bool ad/28[0:5]&800000000 ad/2c[23:5]&800000000 adv/5[34:5]&800000000 ctl?ff@6=01[7:5]&800000000 ctl?ff@6=1c[13:5]&800000000 big/0[7:5]&800000000 cmd/2014[3:5]&800000000 evt/2015[8:5]&800000000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&800000000
    btcommon.le_channel_map.36 bool ad/28[0:5]&1000000000 ad/2c[23:5]&1000000000 adv/5[34:5]&1000000000 ctl?ff@6=01[7:5]&1000000000 ctl?ff@6=1c[13:5]&1000000000 big/0[7:5]&1000000000 cmd/2014[3:5]&1000000000 evt/2015[8:5]&1000000000 adv/7,8?3f@6!00?20@7=20[12+6?01@7+6?02@7+1?04@7+2?08@7+3?10@7:5]&1000000000
    btcommon.le_channel_map.37 bool ad/28[0:5]&2000000000 ad/2c[23:5]&2000000000 adv/5[34:5]&2000000000 ctl?ff@6=01[7:5]&2000000000 big/0[7:5]&2000000000 cmd/2014[3:5]&2000000000 evt/2015[8:5]&2000000000
    btcommon.le_channel_map.38 bool ad/28[0:5]&4000000000 ad/2c[23:5]&4000000000 adv/5[34:5]&4000000000 ctl?ff@6=01[7:5]&4000000000 big/0[7:5]&4000000000 cmd/2014[3:5]&4000000000 evt/2015[8:5]&4000000000
    btcommon.le_channel_map.39 bool ad/28[0:5]&8000000000 ad/2c[23:5]&8000000000 adv/5[34:5]&8000000000 ctl?ff@6=01[7:5]&8000000000 big/0[7:5]&8000000000 cmd/2014[3:5]&8000000000 evt/2015[8:5]&8000000000
    btcommon.cod.minor_device_class x8 any.class_of_device?1f@1!03?1f@1!05?1f@1!06[0:1]&fc any.class_of_device?1f@1=05[0:1]&c0 any.class_of_device?1f@1=05[0:1]&3c cmd/0c05?ff@3=01?ff@4=01?1f@6!03?1f@6!05?1f@6!06[5:1]&fc cmd/0c05?ff@3=02?ff@4=01?1f@6!03?1f@6!05?1f@6!06[5:1]&fc
    btcommon.cod.minor_device_class.load_factor x8 any.class_of_device?1f@1=03[0:1]&e0
    btcommon.cod.minor_device_class.type x8 any.class_of_device?1f@1=03[0:1]&1c any.class_of_device?1f@1=06[0:1]&c
    btcommon.cod.minor_device_class.class.printer x8 any.class_of_device?1f@1=06[0:1]&80
    btcommon.cod.minor_device_class.class.scanner x8 any.class_of_device?1f@1=06[0:1]&40
    btcommon.cod.minor_device_class.class.camera x8 any.class_of_device?1f@1=06[0:1]&20
    btcommon.cod.minor_device_class.class.display x8 any.class_of_device?1f@1=06[0:1]&10
    bluetooth.gaen protocol ad/16?ff=6f?ff@1=fd[2:*]
    bluetooth.gaen.rpi bytes ad/16?ff=6f?ff@1=fd[2:16]
    bluetooth.gaen.aemd bytes ad/16?ff=6f?ff@1=fd[18:4]
    """
}
