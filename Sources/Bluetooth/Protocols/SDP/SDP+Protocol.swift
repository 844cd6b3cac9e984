extension SDP: ProtocolDescription {
  static var id: ProtocolID { .sdp }
  static var name: StaticName { "sdp" }
  static var tables: [PDUTable] { [pdus] }
  static var state: StaticString { "records, their answers joined; services behind channels" }
  static var psms: [AssignedPSM] { [AssignedPSM(psm, "SDP")] }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    if isJoined(context.opcode) { return "Attributes" }
    return HCI.u8(pdu, 0).flatMap { pdus.name(UInt32($0)) } ?? "SDP PDU"
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    let service = context.opcode >> 16
    if isJoined(context.opcode) {
      let isList = context.opcode & 0xFF == PDUIdentifier.serviceAttributeResponse.rawValue
      return attributes(pdu, in: 0..<pdu.byteCount, isList: isList, service: service, &visitor)
    }
    walk(pdu, isPart: context.opcode & lastPart != 0, service: service, &visitor)
  }

  static let filterFields: StaticString = """
    # Classic protocols on L2CAP
    btsdp protocol =pdu
    btsdp.pdu x8 .pdu_id
    btsdp.tid x16 .transaction_id
    btsdp.len u16 .parameter_length
    btsdp.error_code x16{sdp-error} .error_code
    btsdp.ssr.total_count u16 .total_service_record_count
    btsdp.ssr.current_count u16 .current_service_record_count
    btsdp.attribute_range.from x16{sdp-attribute} .attribute_range_from
    btsdp.attribute_range.to x16{sdp-attribute} .attribute_range_to
    btsdp.attribute_list_byte_count u16 .attribute_list_byte_count|attribute_lists_byte_count
    btsdp.maximum_service_record_count u16 .maximum_service_record_count
    btsdp.maximum_attribute_byte_count u16 .maximum_attribute_byte_count
    btsdp.continuation_state none .continuation_length
    btsdp.service.attribute x16{sdp-attribute} .attribute_id
    btsdp.service_record_handle x32 .service_record_handle|service_record_handle_list
    btsdp.service_record_state x32 .service_record_state
    btsdp.service_info_time_to_live u32 .service_info_time_to_live
    btsdp.service_availability x8 .service_availability
    btsdp.service_name string .service_name
    btsdp.service_description string .service_description
    btsdp.provider_name string .provider_name
    btsdp.documentation_url string .documentation_url
    btsdp.service_client_executable_url string .client_executable_url
    btsdp.icon_url string .icon_url
    btsdp.protocol.psm x16{psm} .protocol_psm
    btsdp.protocol.channel u8 .protocol_channel
    btsdp.protocol.gatt_handle_start x16 .gatt_start_handle
    btsdp.protocol.gatt_handle_end x16 .gatt_end_handle
    btsdp.protocol.version x16 .protocol_version|profile_version
    btsdp.protocol.bnep_type x16 .network_packet_types
    btsdp.lang.encoding u16 .encoding
    btsdp.lang.attribute_base x16 .attribute_base
    btsdp.service.did.specification_id x16 .specification_id
    btsdp.service.did.vendor_id x16 .device_vendor_id
    btsdp.service.did.product_id x16 .device_product_id
    btsdp.service.did.version x16 .device_version
    btsdp.service.did.primary_record bool .primary_record
    btsdp.service.did.vendor_id_source x16 .vendor_id_source
    btsdp.service.a2dp.sink.supported_features.amplifier bool .a2dp_sink_features&8
    btsdp.service.a2dp.sink.supported_features.recorder bool .a2dp_sink_features&4
    btsdp.service.a2dp.sink.supported_features.speaker bool .a2dp_sink_features&2
    btsdp.service.a2dp.sink.supported_features.headphone bool .a2dp_sink_features&1
    btsdp.service.a2dp.source.supported_features.mixer bool .a2dp_source_features&8
    btsdp.service.a2dp.source.supported_features.tuner bool .a2dp_source_features&4
    btsdp.service.a2dp.source.supported_features.microphone bool .a2dp_source_features&2
    btsdp.service.a2dp.source.supported_features.player bool .a2dp_source_features&1
    btsdp.service.avrcp.ct.supported_features.browsing bool .avrcp_controller_features&40
    btsdp.service.avrcp.ct.supported_features.category_1 bool .avrcp_controller_features&1
    btsdp.service.avrcp.ct.supported_features.category_2 bool .avrcp_controller_features&2
    btsdp.service.avrcp.ct.supported_features.category_3 bool .avrcp_controller_features&4
    btsdp.service.avrcp.ct.supported_features.category_4 bool .avrcp_controller_features&8
    btsdp.service.avrcp.tg.supported_features.cover_art bool .avrcp_target_features&100
    btsdp.service.avrcp.tg.supported_features.multiple_player bool .avrcp_target_features&80
    btsdp.service.avrcp.tg.supported_features.browsing bool .avrcp_target_features&40
    btsdp.service.avrcp.tg.supported_features.group_navigation bool .avrcp_target_features&20
    btsdp.service.avrcp.tg.supported_features.settings bool .avrcp_target_features&10
    btsdp.service.avrcp.tg.supported_features.category_1 bool .avrcp_target_features&1
    btsdp.service.avrcp.tg.supported_features.category_2 bool .avrcp_target_features&2
    btsdp.service.avrcp.tg.supported_features.category_3 bool .avrcp_target_features&4
    btsdp.service.avrcp.tg.supported_features.category_4 bool .avrcp_target_features&8
    btsdp.service.hsp.remote_audio_volume_control bool .remote_audio_volume_control
    btsdp.service.hfp.gw.network x8 .hfp_network
    btsdp.service.hfp.hf.supported_features.wide_band_speech bool .hfp_hands_free_features&20
    btsdp.service.hfp.hf.supported_features.remote_volume_control bool .hfp_hands_free_features&10
    btsdp.service.hfp.hf.supported_features.voice_recognition_activation bool .hfp_hands_free_features&8
    btsdp.service.hfp.hf.supported_features.cli_presentation_capability bool .hfp_hands_free_features&4
    btsdp.service.hfp.hf.supported_features.call_waiting_or_three_way_calling bool .hfp_hands_free_features&2
    btsdp.service.hfp.hf.supported_features.ec_and_or_nr_function bool .hfp_hands_free_features&1
    btsdp.service.hfp.gw.supported_features.wide_band_speech bool .hfp_gateway_features&20
    btsdp.service.hfp.gw.supported_features.attach_a_phone_number_to_a_voice_tag bool .hfp_gateway_features&10
    btsdp.service.hfp.gw.supported_features.inband_ring_tone_capability bool .hfp_gateway_features&8
    btsdp.service.hfp.gw.supported_features.voice_recognition_function bool .hfp_gateway_features&4
    btsdp.service.hfp.gw.supported_features.ec_and_or_nr_function bool .hfp_gateway_features&2
    btsdp.service.hfp.gw.supported_features.three_way_calling bool .hfp_gateway_features&1
    btsdp.service.pbap.pse.supported_repositories x8 .pbap_repositories
    btsdp.service.pbap.pse.supported_features x32 .pbap_features
    btsdp.pbap.goep_l2cap_psm x16 .pbap_psm
    btsdp.map.mas.instance_id u8 .mas_instance_id
    btsdp.map.mas.goep_l2cap_psm x16 .mas_psm
    btsdp.map.mns.goep_l2cap_psm x16 .mns_psm
    btsdp.map.supported_features x32 .map_features
    btsdp.ftp.goep_l2cap_psm x16 .ftp_psm
    btsdp.opp.goep_l2cap_psm x16 .opp_psm
    btsdp.opp.supported_format x8 .supported_formats
    btsdp.pan.security_description x16 .security_description
    btsdp.pan.net_access_type x16 .net_access_type
    btsdp.pan.max_net_access_rate u32 .max_net_access_rate
    btsdp.pan.ipv4_subnet string .ipv4_subnet
    btsdp.pan.ipv6_subnet string .ipv6_subnet
    """

  static let recordText: StaticString = """
    @records
      records:b*
    @attributes
      attributes:b*
    @identifier
      attribute_id:x16be{sdp-attribute}
    @value
      value:x8
    @pattern
      service_search_pattern:x8
    @list
      attribute_id_list:b*
    @range
      attribute_range_from:x16be attribute_range_to:x16be
    @protocols
      protocols:b*
    @protocol
      protocol:x8
    @profile
      profile:x8
    @profile-version
      profile_version:x16be
    @language
      language:x16be
    @encoding
      encoding:u16be
    @base
      attribute_base:x16be
    @psm
      protocol_psm:x16be{psm}
    @channel
      protocol_channel:u8
    @start-handle
      gatt_start_handle:x16be
    @end-handle
      gatt_end_handle:x16be
    @version
      protocol_version:x16be
    @types
      network_packet_types:x16be
    @parameter
      protocol_parameter:x8

    0x0000 ServiceRecordHandle
      service_record_handle:x32be
    0x0001 ServiceClassIDList
      service_class_id_list:x8
    0x0002 ServiceRecordState
      service_record_state:x32be
    0x0003 ServiceID
      service_id:x8
    0x0004 ProtocolDescriptorList
      protocol_descriptor_list:b*
    0x0005 BrowseGroupList
      browse_group_list:x8
    0x0006 LanguageBaseAttributeIDList
      language_base_attribute_id_list:b*
    0x0007 ServiceInfoTimeToLive
      service_info_time_to_live:u32be
    0x0008 ServiceAvailability
      service_availability:x8
    0x0009 BluetoothProfileDescriptorList
      bluetooth_profile_descriptor_list:b*
    0x000a DocumentationURL
      documentation_url:b*
    0x000b ClientExecutableURL
      client_executable_url:b*
    0x000c IconURL
      icon_url:b*
    0x000d AdditionalProtocolDescriptorLists
      additional_protocol_descriptor_lists:b*
    0x0100 ServiceName
      service_name:b*
    0x0101 ServiceDescription
      service_description:b*
    0x0102 ProviderName
      provider_name:b*
    0x0200 SpecificationID
      specification_id:x16be
    0x0201 VendorID
      device_vendor_id:x16be
    0x0202 ProductID
      device_product_id:x16be
    0x0203 Version
      device_version:x16be
    0x0204 PrimaryRecord
      primary_record:u8
    0x0205 VendorIDSource
      vendor_id_source:x16be
    0x11050200 GoepL2CapPsm
      opp_psm:x16be
    0x11050300 ServiceVersion
      service_version:x16be
    0x11050303 SupportedFormatsList
      supported_formats:x8
    0x11060200 GoepL2CapPsm
      ftp_psm:x16be
    0x11080302 RemoteAudioVolumeControl
      remote_audio_volume_control:u8
    0x110a0311 SupportedFeatures
      a2dp_source_features:x16be{sdp-a2dp-source}
    0x110b0311 SupportedFeatures
      a2dp_sink_features:x16be{sdp-a2dp-sink}
    0x110c0311 SupportedFeatures
      avrcp_target_features:x16be{sdp-avrcp-target}
    0x110e0311 SupportedFeatures
      avrcp_controller_features:x16be{sdp-avrcp-controller}
    0x110f0311 SupportedFeatures
      avrcp_controller_features:x16be{sdp-avrcp-controller}
    0x1115030a SecurityDescription
      security_description:x16be
    0x1116030a SecurityDescription
      security_description:x16be
    0x1116030b NetAccessType
      net_access_type:x16be
    0x1116030c MaxNetAccessRate
      max_net_access_rate:u32be
    0x1116030d IPv4Subnet
      ipv4_subnet:b*
    0x1116030e IPv6Subnet
      ipv6_subnet:b*
    0x1117030a SecurityDescription
      security_description:x16be
    0x111e0311 SupportedFeatures
      hfp_hands_free_features:x16be{sdp-hands-free}
    0x111f0301 Network
      hfp_network:x8
    0x111f0311 SupportedFeatures
      hfp_gateway_features:x16be{sdp-hands-free-gateway}
    0x11240200 HIDDeviceReleaseNumber
      hid_device_release_number:x16be
    0x11240201 HIDParserVersion
      hid_parser_version:x16be
    0x11240202 HIDDeviceSubclass
      hid_device_subclass:x8
    0x11240203 HIDCountryCode
      hid_country_code:x8
    0x11240204 HIDVirtualCable
      hid_virtual_cable:u8
    0x11240205 HIDReconnectInitiate
      hid_reconnect_initiate:u8
    0x11240206 HIDDescriptorList
      hid_descriptor_list:b*
    0x11240207 HIDLANGIDBaseList
      hid_langid_base_list:x16be
    0x11240208 HIDSDPDisable
      hid_sdp_disable:u8
    0x11240209 HIDBatteryPower
      hid_battery_power:u8
    0x1124020a HIDRemoteWake
      hid_remote_wake:u8
    0x1124020b HIDProfileVersion
      hid_profile_version:x16be
    0x1124020c HIDSupervisionTimeout
      hid_supervision_timeout:u16be
    0x1124020d HIDNormallyConnectable
      hid_normally_connectable:u8
    0x1124020e HIDBootDevice
      hid_boot_device:u8
    0x1124020f HIDSSRHostMaxLatency
      hid_ssr_host_max_latency:u16be
    0x11240210 HIDSSRHostMinTimeout
      hid_ssr_host_min_timeout:u16be
    0x112f0200 GoepL2CapPsm
      pbap_psm:x16be
    0x112f0314 SupportedRepositories
      pbap_repositories:x8{sdp-repositories}
    0x112f0317 PbapSupportedFeatures
      pbap_features:x32be{sdp-pbap}
    0x11320200 GoepL2CapPsm
      mas_psm:x16be
    0x11320315 MASInstanceID
      mas_instance_id:u8
    0x11320316 SupportedMessageTypes
      supported_message_types:x8{sdp-message-types}
    0x11320317 MapSupportedFeatures
      map_features:x32be
    0x11330200 GoepL2CapPsm
      mns_psm:x16be
    0x11330317 MapSupportedFeatures
      map_features:x32be
    """

  static let enumerationText: StaticString = """
    enum sdp-error
      1 invalid or unsupported sdp version
      2 invalid service record handle
      3 invalid request syntax
      4 invalid pdu size
      5 invalid continuation state
      6 insufficient resources to satisfy request
    enum sdp-attribute
      0x0000 service record handle
      0x0001 service class id list
      0x0002 service record state
      0x0003 service id
      0x0004 protocol descriptor list
      0x0005 browse group list
      0x0006 language base attribute id list
      0x0007 service info time to live
      0x0008 service availability
      0x0009 bluetooth profile descriptor list
      0x000a documentation url
      0x000b client executable url
      0x000c icon url
      0x000d additional protocol descriptor lists
      0x0100 service name
      0x0101 service description
      0x0102 provider name
    flags sdp-a2dp-source
      0 player
      1 microphone
      2 tuner
      3 mixer
    flags sdp-a2dp-sink
      0 headphone
      1 speaker
      2 recorder
      3 amplifier
    flags sdp-avrcp-controller
      0 category 1
      1 category 2
      2 category 3
      3 category 4
      6 browsing
      7 cover art get image properties
      8 cover art get image
      9 cover art get linked thumbnail
    flags sdp-avrcp-target
      0 category 1
      1 category 2
      2 category 3
      3 category 4
      4 player application settings
      5 group navigation
      6 browsing
      7 multiple media players
      8 cover art
    flags sdp-hands-free
      0 ec and/or nr
      1 call waiting or three-way calling
      2 cli presentation
      3 voice recognition activation
      4 remote volume control
      5 wide band speech
      6 enhanced voice recognition status
      7 voice recognition text
      8 super wide band speech
    flags sdp-hands-free-gateway
      0 three-way calling
      1 ec and/or nr
      2 voice recognition
      3 in-band ring tone
      4 attach a phone number to a voice tag
      5 wide band speech
      6 enhanced voice recognition status
      7 voice recognition text
      8 super wide band speech
    flags sdp-repositories
      0 local phone book
      1 sim card
      2 speed dial
      3 favorites
    flags sdp-pbap
      0 download
      1 browsing
      2 database identifier
      3 folder version counters
      4 vcard selecting
      5 enhanced missed calls
      6 x-bt-uci vcard property
      7 x-bt-uid vcard property
      8 contact referencing
      9 default contact image format
    flags sdp-message-types
      0 email
      1 sms gsm
      2 sms cdma
      3 mms
      4 im
    """
}

extension ProtocolID {
  /// The Service Discovery Protocol.
  @inlinable
  public static var sdp: ProtocolID { ProtocolID(9) }
}
