import PacketCodecs

extension SDP: ProtocolDescription {
  static var id: ProtocolID { .sdp }
  static var name: StaticName { "sdp" }
  static var tables: [PDUTable] { [pdus] }
  static var state: StaticString { "records, their answers joined; services behind channels" }
  static var psms: [AssignedPSM] { [AssignedPSM(psm, "SDP")] }

  static func name(of pdu: RawSpan, _ context: PDUContext) -> StaticName {
    if isJoined(context.opcode) { return "Attributes" }
    return pdu.u8(0).flatMap { pdus.name(UInt32($0)) } ?? "SDP PDU"
  }

  static func walk<Visitor: FieldVisitor>(_ pdu: RawSpan, _ context: PDUContext, _ visitor: inout Visitor) {
    let service = context.opcode >> 16
    if isJoined(context.opcode) {
      let isList = context.opcode & 0xFF == PDUIdentifier.serviceAttributeResponse.rawValue
      return attributes(pdu, in: 0..<pdu.byteCount, isList: isList, service: service, &visitor)
    }
    walk(pdu, isPart: context.opcode & lastPart != 0, service: service, &visitor)
  }

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
    0x11030305 AudioFeedbackSupport
      dun_audio_feedback:u8
    0x11030306 EscapeSequence
      dun_escape_sequence:b*
    0x11040301 SupportedDataStoresList
      supported_data_stores:x8
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
    0x11110302 FaxClass1Support
      fax_class_1:u8
    0x11110303 FaxClass2.0Support
      fax_class_2:u8
    0x11110304 FaxClass2Support
      fax_class_2_vendor:u8
    0x11110305 AudioFeedbackSupport
      fax_audio_feedback:u8
    0x11130306 NetworkAddress
      wap_network_address:b4
    0x11130307 Gateway
      wap_gateway:x8
    0x11130308 HomepageURL
      wap_homepage_url:b*
    0x11130309 StackType
      wap_stack_type:x8
    0x11140306 NetworkAddress
      wap_network_address:b4
    0x11140307 Gateway
      wap_gateway:x8
    0x11140308 HomepageURL
      wap_homepage_url:b*
    0x11140309 StackType
      wap_stack_type:x8
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
    0x11180350 DocumentFormatsSupported
      document_formats:b*
    0x11180352 CharacterRepertoiresSupported
      character_repertoires:b*
    0x11180354 XHTML-PrintImageFormatsSupported
      image_formats:b*
    0x11180356 ColorSupported
      color_supported:u8
    0x11180358 1284ID
      printer_1284_id:b*
    0x1118035a PrinterName
      printer_name:b*
    0x1118035c PrinterLocation
      printer_location:b*
    0x1118035e DuplexSupported
      duplex_supported:u8
    0x11180360 MediaTypesSupported
      media_types:b*
    0x11180362 MaxMediaWidth
      max_media_width:u16be
    0x11180364 MaxMediaLength
      max_media_length:u16be
    0x11180366 EnhancedLayoutSupported
      enhanced_layout:u8
    0x11180368 RUIFormatsSupported
      rui_formats:b*
    0x11180370 ReferencePrintingRUISupported
      reference_rui:u8
    0x11180372 DirectPrintingRUISupported
      direct_rui:u8
    0x11180374 ReferencePrintingTopURL
      reference_url:b*
    0x11180376 DirectPrintingTopURL
      direct_url:b*
    0x1118037a DeviceName
      printer_device_name:b*
    0x11190350 DocumentFormatsSupported
      document_formats:b*
    0x11190352 CharacterRepertoiresSupported
      character_repertoires:b*
    0x11190354 XHTML-PrintImageFormatsSupported
      image_formats:b*
    0x11190356 ColorSupported
      color_supported:u8
    0x11190358 1284ID
      printer_1284_id:b*
    0x1119035a PrinterName
      printer_name:b*
    0x1119035c PrinterLocation
      printer_location:b*
    0x1119035e DuplexSupported
      duplex_supported:u8
    0x11190360 MediaTypesSupported
      media_types:b*
    0x11190362 MaxMediaWidth
      max_media_width:u16be
    0x11190364 MaxMediaLength
      max_media_length:u16be
    0x11190366 EnhancedLayoutSupported
      enhanced_layout:u8
    0x11190368 RUIFormatsSupported
      rui_formats:b*
    0x11190370 ReferencePrintingRUISupported
      reference_rui:u8
    0x11190372 DirectPrintingRUISupported
      direct_rui:u8
    0x11190374 ReferencePrintingTopURL
      reference_url:b*
    0x11190376 DirectPrintingTopURL
      direct_url:b*
    0x1119037a DeviceName
      printer_device_name:b*
    0x111a0200 GoepL2CapPsm
      imaging_psm:x16be
    0x111a0310 SupportedCapabilities
      imaging_capabilities:x8
    0x111a0311 SupportedFeatures
      imaging_features:x16be
    0x111a0312 SupportedFunctions
      imaging_functions:x32be
    0x111a0313 TotalImagingDataCapacity
      imaging_capacity:u64be
    0x111b0200 GoepL2CapPsm
      imaging_psm:x16be
    0x111b0310 SupportedCapabilities
      imaging_capabilities:x8
    0x111b0311 SupportedFeatures
      imaging_features:x16be
    0x111b0312 SupportedFunctions
      imaging_functions:x32be
    0x111b0313 TotalImagingDataCapacity
      imaging_capacity:u64be
    0x111c0200 GoepL2CapPsm
      imaging_psm:x16be
    0x111c0312 SupportedFunctions
      archive_functions:x32be
    0x111d0200 GoepL2CapPsm
      imaging_psm:x16be
    0x111d0312 SupportedFunctions
      referenced_functions:x32be
    0x111e0311 SupportedFeatures
      hfp_hands_free_features:x16be{sdp-hands-free}
    0x111f0301 Network
      hfp_network:x8
    0x111f0311 SupportedFeatures
      hfp_gateway_features:x16be{sdp-hands-free-gateway}
    0x11210368 RUIFormatsSupported
      rui_formats:b*
    0x11210378 PrinterAdminRUITopURL
      admin_rui_url:b*
    0x11220350 DocumentFormatsSupported
      document_formats:b*
    0x11220352 CharacterRepertoiresSupported
      character_repertoires:b*
    0x11220354 XHTML-PrintImageFormatsSupported
      image_formats:b*
    0x11220356 ColorSupported
      color_supported:u8
    0x11220358 1284ID
      printer_1284_id:b*
    0x1122035a PrinterName
      printer_name:b*
    0x1122035c PrinterLocation
      printer_location:b*
    0x1122035e DuplexSupported
      duplex_supported:u8
    0x11220360 MediaTypesSupported
      media_types:b*
    0x11220362 MaxMediaWidth
      max_media_width:u16be
    0x11220364 MaxMediaLength
      max_media_length:u16be
    0x11220366 EnhancedLayoutSupported
      enhanced_layout:u8
    0x11220368 RUIFormatsSupported
      rui_formats:b*
    0x11220370 ReferencePrintingRUISupported
      reference_rui:u8
    0x11220372 DirectPrintingRUISupported
      direct_rui:u8
    0x11220374 ReferencePrintingTopURL
      reference_url:b*
    0x11220376 DirectPrintingTopURL
      direct_url:b*
    0x1122037a DeviceName
      printer_device_name:b*
    0x11230350 DocumentFormatsSupported
      document_formats:b*
    0x11230352 CharacterRepertoiresSupported
      character_repertoires:b*
    0x11230354 XHTML-PrintImageFormatsSupported
      image_formats:b*
    0x11230356 ColorSupported
      color_supported:u8
    0x11230358 1284ID
      printer_1284_id:b*
    0x1123035a PrinterName
      printer_name:b*
    0x1123035c PrinterLocation
      printer_location:b*
    0x1123035e DuplexSupported
      duplex_supported:u8
    0x11230360 MediaTypesSupported
      media_types:b*
    0x11230362 MaxMediaWidth
      max_media_width:u16be
    0x11230364 MaxMediaLength
      max_media_length:u16be
    0x11230366 EnhancedLayoutSupported
      enhanced_layout:u8
    0x11230368 RUIFormatsSupported
      rui_formats:b*
    0x11230370 ReferencePrintingRUISupported
      reference_rui:u8
    0x11230372 DirectPrintingRUISupported
      direct_rui:u8
    0x11230374 ReferencePrintingTopURL
      reference_url:b*
    0x11230376 DirectPrintingTopURL
      direct_url:b*
    0x1123037a DeviceName
      printer_device_name:b*
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
    0x11250300 1284ID
      hcrp_1284_id:b*
    0x11250302 DeviceName
      hcrp_device_name:b*
    0x11250304 FriendlyName
      hcrp_friendly_name:b*
    0x11250306 DeviceLocation
      hcrp_device_location:b*
    0x11260300 1284ID
      hcrp_1284_id:b*
    0x11260302 DeviceName
      hcrp_device_name:b*
    0x11260304 FriendlyName
      hcrp_friendly_name:b*
    0x11260306 DeviceLocation
      hcrp_device_location:b*
    0x11270300 1284ID
      hcrp_1284_id:b*
    0x11270302 DeviceName
      hcrp_device_name:b*
    0x11270304 FriendlyName
      hcrp_friendly_name:b*
    0x11270306 DeviceLocation
      hcrp_device_location:b*
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
    0x11350200 SupportedFeatures
      gnss_features:x16be
    0x11360200 SupportedFeatures
      gnss_features:x16be
    0x113a0200 MPSDScenarios
      mpsd_scenarios:x64be
    0x113a0201 MPMDScenarios
      mpmd_scenarios:x64be
    0x113a0202 MPSSupportedProfileAndProtocolDependency
      mps_dependency:x16be
    0x113b0200 MPSDScenarios
      mpsd_scenarios:x64be
    0x113b0201 MPMDScenarios
      mpmd_scenarios:x64be
    0x113b0202 MPSSupportedProfileAndProtocolDependency
      mps_dependency:x16be
    0x113c0315 CTNInstanceID
      ctn_instance_id:u8
    0x113c0317 CTNSupportedFeatures
      ctn_features:x32be
    0x113d0317 CTNSupportedFeatures
      ctn_features:x32be
    0x14000200 SupportedFeatures
      hdp_features:b*
    0x14000301 DataExchangeSpecification
      hdp_data_exchange:x8
    0x14000302 MCAPSupportedProcedures
      mcap_procedures:x8
    0x14010200 SupportedFeatures
      hdp_features:b*
    0x14010301 DataExchangeSpecification
      hdp_data_exchange:x8
    0x14010302 MCAPSupportedProcedures
      mcap_procedures:x8
    0x14020200 SupportedFeatures
      hdp_features:b*
    0x14020301 DataExchangeSpecification
      hdp_data_exchange:x8
    0x14020302 MCAPSupportedProcedures
      mcap_procedures:x8
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
