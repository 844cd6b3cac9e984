extension LMP {
  static let filterFields: StaticString = """
    btlmp protocol =pdu
    btlmp.opcode.byte0 x8 [0:1]
    btlmp.opcode.tid x8 [0:1]&01
    btlmp.opcode.opcode u8{lmp-opcode} [0:1]&fe
    btlmp.opcode.escaped u16{lmp-extended-opcode} ?fe=fe[1:1]
    btlmp.accept_opcode u8{lmp-opcode} .accepted_opcode|refused_opcode|accepted_escape_opcode|refused_escape_opcode
    btlmp.errorcode u8{status} .error_code
    btlmp.feature.page0.byte0 x8 /27,28[1:1] /7f03,7f04?ff@2=00[4:1]
    btlmp.feature.page0.3slotpackets u8 /27,28[1:1]&01 /7f03,7f04?ff@2=00[4:1]&01
    btlmp.feature.page0.5slotpackets u8 /27,28[1:1]&02 /7f03,7f04?ff@2=00[4:1]&02
    btlmp.feature.page0.encryption u8 /27,28[1:1]&04 /7f03,7f04?ff@2=00[4:1]&04
    btlmp.feature.page0.slotoffset u8 /27,28[1:1]&08 /7f03,7f04?ff@2=00[4:1]&08
    btlmp.feature.page0.timingaccuracy u8 /27,28[1:1]&10 /7f03,7f04?ff@2=00[4:1]&10
    btlmp.feature.page0.roleswitch u8 /27,28[1:1]&20 /7f03,7f04?ff@2=00[4:1]&20
    btlmp.feature.page0.holdmode u8 /27,28[1:1]&40 /7f03,7f04?ff@2=00[4:1]&40
    btlmp.feature.page0.sniffmode u8 /27,28[1:1]&80 /7f03,7f04?ff@2=00[4:1]&80
    btlmp.feature.page0.byte1 x8 /27,28[2:1] /7f03,7f04?ff@2=00[5:1]
    btlmp.feature.page0.reserved1 u8 /27,28[2:1]&01 /7f03,7f04?ff@2=00[5:1]&01
    btlmp.feature.page0.powercontrolrequests u8 /27,28[2:1]&02 /7f03,7f04?ff@2=00[5:1]&02
    btlmp.feature.page0.cqddr u8 /27,28[2:1]&04 /7f03,7f04?ff@2=00[5:1]&04
    btlmp.feature.page0.scolink u8 /27,28[2:1]&08 /7f03,7f04?ff@2=00[5:1]&08
    btlmp.feature.page0.hv2packets u8 /27,28[2:1]&10 /7f03,7f04?ff@2=00[5:1]&10
    btlmp.feature.page0.hv3packets u8 /27,28[2:1]&20 /7f03,7f04?ff@2=00[5:1]&20
    btlmp.feature.page0.ulaw u8 /27,28[2:1]&40 /7f03,7f04?ff@2=00[5:1]&40
    btlmp.feature.page0.alaw u8 /27,28[2:1]&80 /7f03,7f04?ff@2=00[5:1]&80
    btlmp.feature.page0.byte2 x8 /27,28[3:1] /7f03,7f04?ff@2=00[6:1]
    btlmp.feature.page0.cvsd u8 /27,28[3:1]&01 /7f03,7f04?ff@2=00[6:1]&01
    btlmp.feature.page0.pagingparameter u8 /27,28[3:1]&02 /7f03,7f04?ff@2=00[6:1]&02
    btlmp.feature.page0.powercontrol u8 /27,28[3:1]&04 /7f03,7f04?ff@2=00[6:1]&04
    btlmp.feature.page0.transparentsynchronous u8 /27,28[3:1]&08 /7f03,7f04?ff@2=00[6:1]&08
    btlmp.feature.page0.flowcontrollag u8 /27,28[3:1]&70 /7f03,7f04?ff@2=00[6:1]&70
    btlmp.feature.page0.broadcastencryption u8 /27,28[3:1]&80 /7f03,7f04?ff@2=00[6:1]&80
    btlmp.feature.page0.byte3 x8 /27,28[4:1] /7f03,7f04?ff@2=00[7:1]
    btlmp.feature.page0.reserved2 u8 /27,28[4:1]&01 /7f03,7f04?ff@2=00[7:1]&01
    btlmp.feature.page0.edracl2 u8 /27,28[4:1]&02 /7f03,7f04?ff@2=00[7:1]&02
    btlmp.feature.page0.edracl3 u8 /27,28[4:1]&04 /7f03,7f04?ff@2=00[7:1]&04
    btlmp.feature.page0.enhinqscan u8 /27,28[4:1]&08 /7f03,7f04?ff@2=00[7:1]&08
    btlmp.feature.page0.interlacedinqscan u8 /27,28[4:1]&10 /7f03,7f04?ff@2=00[7:1]&10
    btlmp.feature.page0.interlacedpgscan u8 /27,28[4:1]&20 /7f03,7f04?ff@2=00[7:1]&20
    btlmp.feature.page0.inqrssi u8 /27,28[4:1]&40 /7f03,7f04?ff@2=00[7:1]&40
    btlmp.feature.page0.escolink u8 /27,28[4:1]&80 /7f03,7f04?ff@2=00[7:1]&80
    btlmp.feature.page0.byte4 x8 /27,28[5:1] /7f03,7f04?ff@2=00[8:1]
    btlmp.feature.page0.ev4 u8 /27,28[5:1]&01 /7f03,7f04?ff@2=00[8:1]&01
    btlmp.feature.page0.ev5 u8 /27,28[5:1]&02 /7f03,7f04?ff@2=00[8:1]&02
    btlmp.feature.page0.reserved3 u8 /27,28[5:1]&04 /7f03,7f04?ff@2=00[8:1]&04
    btlmp.feature.page0.afhcapableslave u8 /27,28[5:1]&08 /7f03,7f04?ff@2=00[8:1]&08
    btlmp.feature.page0.afhclassificationslave u8 /27,28[5:1]&10 /7f03,7f04?ff@2=00[8:1]&10
    btlmp.feature.page0.bredrnotsupp u8 /27,28[5:1]&20 /7f03,7f04?ff@2=00[8:1]&20
    btlmp.feature.page0.lesuppcontroller u8 /27,28[5:1]&40 /7f03,7f04?ff@2=00[8:1]&40
    btlmp.feature.page0.3slotedracl u8 /27,28[5:1]&80 /7f03,7f04?ff@2=00[8:1]&80
    btlmp.feature.page0.byte5 x8 /27,28[6:1] /7f03,7f04?ff@2=00[9:1]
    btlmp.feature.page0.5slotedracl u8 /27,28[6:1]&01 /7f03,7f04?ff@2=00[9:1]&01
    btlmp.feature.page0.sniffsubrating u8 /27,28[6:1]&02 /7f03,7f04?ff@2=00[9:1]&02
    btlmp.feature.page0.pauseencrypt u8 /27,28[6:1]&04 /7f03,7f04?ff@2=00[9:1]&04
    btlmp.feature.page0.afhcapablemaster u8 /27,28[6:1]&08 /7f03,7f04?ff@2=00[9:1]&08
    btlmp.feature.page0.afhclassificationmaster u8 /27,28[6:1]&10 /7f03,7f04?ff@2=00[9:1]&10
    btlmp.feature.page0.edresco2 u8 /27,28[6:1]&20 /7f03,7f04?ff@2=00[9:1]&20
    btlmp.feature.page0.edresco3 u8 /27,28[6:1]&40 /7f03,7f04?ff@2=00[9:1]&40
    btlmp.feature.page0.3slotedresco u8 /27,28[6:1]&80 /7f03,7f04?ff@2=00[9:1]&80
    btlmp.feature.page0.byte6 x8 /27,28[7:1] /7f03,7f04?ff@2=00[10:1]
    btlmp.feature.page0.extinqresp u8 /27,28[7:1]&01 /7f03,7f04?ff@2=00[10:1]&01
    btlmp.feature.page0.simullebredrcontroller u8 /27,28[7:1]&02 /7f03,7f04?ff@2=00[10:1]&02
    btlmp.feature.page0.reserved4 u8 /27,28[7:1]&04 /7f03,7f04?ff@2=00[10:1]&04
    btlmp.feature.page0.securesimplepaircontroller u8 /27,28[7:1]&08 /7f03,7f04?ff@2=00[10:1]&08
    btlmp.feature.page0.encpdu u8 /27,28[7:1]&10 /7f03,7f04?ff@2=00[10:1]&10
    btlmp.feature.page0.errdatareport u8 /27,28[7:1]&20 /7f03,7f04?ff@2=00[10:1]&20
    btlmp.feature.page0.nonflushboundary u8 /27,28[7:1]&40 /7f03,7f04?ff@2=00[10:1]&40
    btlmp.feature.page0.reserved5 u8 /27,28[7:1]&80 /7f03,7f04?ff@2=00[10:1]&80
    btlmp.feature.page0.byte7 x8 /27,28[8:1] /7f03,7f04?ff@2=00[11:1]
    btlmp.feature.page0.hcilinksupervisiontimeoutchgevt u8 /27,28[8:1]&01 /7f03,7f04?ff@2=00[11:1]&01
    btlmp.feature.page0.varinqtxpwr u8 /27,28[8:1]&02 /7f03,7f04?ff@2=00[11:1]&02
    btlmp.feature.page0.enhpowercontrol u8 /27,28[8:1]&04 /7f03,7f04?ff@2=00[11:1]&04
    btlmp.feature.page0.reserved6 u8 /27,28[8:1]&78 /7f03,7f04?ff@2=00[11:1]&78
    btlmp.feature.page0.extftr u8 /27,28[8:1]&80 /7f03,7f04?ff@2=00[11:1]&80
    btlmp.feature.page1.byte0 x8 /7f03,7f04?ff@2=01[4:1]
    btlmp.feature.page1.securesimplepairhost u8 /7f03,7f04?ff@2=01[4:1]&01
    btlmp.feature.page1.lesupphost u8 /7f03,7f04?ff@2=01[4:1]&02
    btlmp.feature.page1.simullebredrhost u8 /7f03,7f04?ff@2=01[4:1]&04
    btlmp.feature.page1.secureconnhost u8 /7f03,7f04?ff@2=01[4:1]&08
    btlmp.feature.page1.reserved1 u8 /7f03,7f04?ff@2=01[4:1]&f0
    btlmp.feature.page2.byte0 x8 /7f03,7f04?ff@2=02[4:1]
    btlmp.feature.page2.csbmaster u8 /7f03,7f04?ff@2=02[4:1]&01
    btlmp.feature.page2.csbslave u8 /7f03,7f04?ff@2=02[4:1]&02
    btlmp.feature.page2.synctrain u8 /7f03,7f04?ff@2=02[4:1]&04
    btlmp.feature.page2.syncscan u8 /7f03,7f04?ff@2=02[4:1]&08
    btlmp.feature.page2.hciinqrespnotifevt u8 /7f03,7f04?ff@2=02[4:1]&10
    btlmp.feature.page2.generalinterlacedscan u8 /7f03,7f04?ff@2=02[4:1]&20
    btlmp.feature.page2.coarseclockadj u8 /7f03,7f04?ff@2=02[4:1]&40
    btlmp.feature.page2.reserved1 u8 /7f03,7f04?ff@2=02[4:1]&80
    btlmp.feature.page2.byte1 x8 /7f03,7f04?ff@2=02[5:1]
    btlmp.feature.page2.secureconncontroller u8 /7f03,7f04?ff@2=02[5:1]&01
    btlmp.feature.page2.ping u8 /7f03,7f04?ff@2=02[5:1]&02
    btlmp.feature.page2.slotavailabilitymask u8 /7f03,7f04?ff@2=02[5:1]&04
    btlmp.feature.page2.trainnudging u8 /7f03,7f04?ff@2=02[5:1]&08
    btlmp.feature.page2.reserved2 u8 /7f03,7f04?ff@2=02[5:1]&f0
    btlmp.feature.features_page x8 .features_page
    btlmp.feature.max_supported_page x8 .max_supported_page
    btlmp.version.versnr x8{version} .version_number
    btlmp.version.CompId x16{company} .company_id
    btlmp.version.SubVersNr x16 .subversion_number
    btlmp.name.length x8 .name_length
    btlmp.name.offset x8 .name_offset
    btlmp.name.fragment string .name_fragment
    btlmp.afh.mode x8 .afh_mode
    btlmp.afh.instant x32 .afh_instant
    btlmp.afh.channelmap0 x32 /3c[6:1]
    btlmp.afh.channelmap1 x32 /3c[7:1]
    btlmp.afh.channelmap2 x32 /3c[8:1]
    btlmp.afh.channelmap3 x32 /3c[9:1]
    btlmp.afh.channelmap4 x32 /3c[10:1]
    btlmp.afh.channelmap5 x32 /3c[11:1]
    btlmp.afh.channelmap6 x32 /3c[12:1]
    btlmp.afh.channelmap7 x32 /3c[13:1]
    btlmp.afh.channelmap8 x32 /3c[14:1]
    btlmp.afh.channelmap9 x32 /3c[15:1]
    btlmp.afh.reportingmode x8 .afh_reporting_mode
    btlmp.afh.mininterval x16 .afh_min_interval
    btlmp.afh.maxinterval x16 .afh_max_interval
    btlmp.afh.channelclass0 x8 /7f11[2:1]&03
    btlmp.afh.channelclass2 x8 /7f11[2:1]&0c
    btlmp.afh.channelclass4 x8 /7f11[2:1]&30
    btlmp.afh.channelclass6 x8 /7f11[2:1]&c0
    btlmp.afh.channelclass8 x8 /7f11[3:1]&03
    btlmp.afh.channelclass10 x8 /7f11[3:1]&0c
    btlmp.afh.channelclass12 x8 /7f11[3:1]&30
    btlmp.afh.channelclass14 x8 /7f11[3:1]&c0
    btlmp.afh.channelclass16 x8 /7f11[4:1]&03
    btlmp.afh.channelclass18 x8 /7f11[4:1]&0c
    btlmp.afh.channelclass20 x8 /7f11[4:1]&30
    btlmp.afh.channelclass22 x8 /7f11[4:1]&c0
    btlmp.afh.channelclass24 x8 /7f11[5:1]&03
    btlmp.afh.channelclass26 x8 /7f11[5:1]&0c
    btlmp.afh.channelclass28 x8 /7f11[5:1]&30
    btlmp.afh.channelclass30 x8 /7f11[5:1]&c0
    btlmp.afh.channelclass32 x8 /7f11[6:1]&03
    btlmp.afh.channelclass34 x8 /7f11[6:1]&0c
    btlmp.afh.channelclass36 x8 /7f11[6:1]&30
    btlmp.afh.channelclass38 x8 /7f11[6:1]&c0
    btlmp.afh.channelclass40 x8 /7f11[7:1]&03
    btlmp.afh.channelclass42 x8 /7f11[7:1]&0c
    btlmp.afh.channelclass44 x8 /7f11[7:1]&30
    btlmp.afh.channelclass46 x8 /7f11[7:1]&c0
    btlmp.afh.channelclass48 x8 /7f11[8:1]&03
    btlmp.afh.channelclass50 x8 /7f11[8:1]&0c
    btlmp.afh.channelclass52 x8 /7f11[8:1]&30
    btlmp.afh.channelclass54 x8 /7f11[8:1]&c0
    btlmp.afh.channelclass56 x8 /7f11[9:1]&03
    btlmp.afh.channelclass58 x8 /7f11[9:1]&0c
    btlmp.afh.channelclass60 x8 /7f11[9:1]&30
    btlmp.afh.channelclass62 x8 /7f11[9:1]&c0
    btlmp.afh.channelclass64 x8 /7f11[10:1]&03
    btlmp.afh.channelclass66 x8 /7f11[10:1]&0c
    btlmp.afh.channelclass68 x8 /7f11[10:1]&30
    btlmp.afh.channelclass70 x8 /7f11[10:1]&c0
    btlmp.afh.channelclass72 x8 /7f11[11:1]&03
    btlmp.afh.channelclass74 x8 /7f11[11:1]&0c
    btlmp.afh.channelclass76 x8 /7f11[11:1]&30
    btlmp.afh.channelclass78 x8 /7f11[11:1]&c0
    btlmp.randomnumber bytes .random_number
    btlmp.key bytes .key
    btlmp.clockoffset x16 .clock_offset
    btlmp.encryptionmode x8 .encryption_mode
    btlmp.encryptionkeysize x8 .key_size
    btlmp.switchinstant x32 .switch_instant
    btlmp.holdtime x16 .hold_time
    btlmp.holdinstant x32 .hold_instant
    btlmp.sniff.d x16 .d_sniff
    btlmp.sniff.t x16 .t_sniff
    btlmp.sniff.attempt x16 .sniff_attempt
    btlmp.sniff.timeout x16 .sniff_timeout
    btlmp.datarate.nofec u8 .no_fec
    btlmp.datarate.brpacketsizepreference u8 .basic_rate_packets
    btlmp.datarate.edrdataratepreference u8 .edr_rate
    btlmp.datarate.edrpacketsizepreference u8 .edr_packets
    btlmp.qos.pollinterval x16 .poll_interval
    btlmp.qos.nbc x8 .n_bc
    btlmp.sco.handle x8 .sco_handle
    btlmp.sco.d u8 .d_sco
    btlmp.sco.t u8 .t_sco
    btlmp.sco.packet x8 .sco_packet
    btlmp.sco.airmode x8 .air_mode
    btlmp.slots x8 .max_slots
    btlmp.timingaccuracy.drift u8 .drift
    btlmp.timingaccuracy.jitter u8 .jitter
    btlmp.slotoffset u16 .slot_offset
    btlmp.bd_addr ether .bd_addr
    btlmp.paging.scheme x8 .paging_scheme
    btlmp.paging.schemesettings x8 .paging_scheme_settings
    btlmp.supervisiontimeout u16 .supervision_timeout
    btlmp.test.scenario x8 .test_scenario
    btlmp.test.hoppingmode x8 .hopping_mode
    btlmp.test.txfrequency x8 .tx_frequency
    btlmp.test.rxfrequency x8 .rx_frequency
    btlmp.test.powercontrolmode x8 .power_control_mode
    btlmp.test.pollperiod x8 .poll_period
    btlmp.test.packettype x8 .packet_type
    btlmp.test.datalength x8 .length_of_test_data
    btlmp.keysizemask x16 .key_size_mask
    btlmp.encapsulated.major x8 .encapsulated_major_type
    btlmp.encapsulated.minor x8 .encapsulated_minor_type
    btlmp.encapsulated.payloadlength x8 .encapsulated_payload_length
    btlmp.encapsulated.data bytes .encapsulated_data
    btlmp.simplepair.commit bytes .commitment_value
    btlmp.simplepair.nonce bytes .nonce
    btlmp.dhkey.confirm bytes .confirmation_value
    btlmp.clkadj.id x8 .clk_adj_id
    btlmp.clkadj.instant x32 .clk_adj_instant
    btlmp.clkadj.us i16 .clk_adj_us
    btlmp.clkadj.slots x8 .clk_adj_slots
    btlmp.clkadj.mode x8 .clk_adj_mode
    btlmp.clkadj.clk x32 .clk_adj_clk
    btlmp.clkadj.period u8 .clk_adj_period
    btlmp.packettypetable x8 .packet_type_table
    btlmp.esco.handle x8 .esco_handle
    btlmp.esco.ltaddr x8 .esco_lt_addr
    btlmp.esco.d u8 .d_esco
    btlmp.esco.t u8 .t_esco
    btlmp.esco.w u8 .w_esco
    btlmp.esco.packettypems x8 .central_packet_type
    btlmp.esco.packettypesm x8 .peripheral_packet_type
    btlmp.esco.packetlengthms x16 .central_packet_length
    btlmp.esco.packetlengthsm x16 .peripheral_packet_length
    btlmp.negotiationstate x8 .negotiation_state
    btlmp.sniffsubrate.max x8 .max_sniff_subrate
    btlmp.sniffsubrate.minmodetimeout u16 .min_sniff_mode_timeout
    btlmp.sniffsubrate.instant x32 .sniff_subrating_instant
    btlmp.iocap.cap x8 .io_capabilities
    btlmp.iocap.oobauthdata x8 .oob_authentication_data
    btlmp.iocap.authreq x8 .authentication_requirements
    btlmp.keypress.notificationtype x8 .notification_type
    btlmp.poweradj.request x8 .power_adjustment_request
    btlmp.poweradj.gfsk x8 .gfsk
    btlmp.poweradj.pi4dqsk x8 .dqpsk
    btlmp.poweradj.8dpsk x8 .dpsk
    btlmp.sam.index x8 .sam_index
    btlmp.sam.tsm u8 .t_sam_sm
    btlmp.sam.nsm x8 .n_sam_sm
    btlmp.sam.submaps bytes .sam_submaps
    btlmp.sam.updatemode x8 .update_mode
    btlmp.sam.type0submap bytes .sam_type0_submap
    btlmp.sam.d x8 .d_sam
    btlmp.sam.instant x32 .sam_instant
    btlmp.authenticationresponse x32 /c[1:4]
    btlmp.timingcontrol.flags x8 /17[1:1] /2b[2:1] /7f0c[4:1] /7f25[3:1]
    btlmp.timingcontrol.timingchange u8 /17[1:1]&01 /2b[2:1]&01 /7f0c[4:1]&01 /7f25[3:1]&01
    btlmp.timingcontrol.useinit2 u8 /17[1:1]&02 /2b[2:1]&02 /7f0c[4:1]&02 /7f25[3:1]&02
    btlmp.timingcontrol.noaccesswindow u8 /17[1:1]&04 /2b[2:1]&04 /7f0c[4:1]&04 /7f25[3:1]&04
    btlmp.timingcontrol.reserved x8 /17[1:1]&f8 /2b[2:1]&f8 /7f0c[4:1]&f8 /7f25[3:1]&f8
    btlmp.datarate.flags x8 /24[1:1]
    btlmp.datarate.reserved u8 /24[1:1]&80
    btlmp.futureuse1 x8 /1f,20[1:1]
    btlmp.poweradj.response x8 /7f20[2:1]
    btlmp.poweradj.reserved x8 /7f20[2:1]&c0
    btlmp.accept_opcode1 u16 /7f01,7f02?ff@2=7c[3:1]
    btlmp.accept_opcode2 u16 /7f01,7f02?ff@2=7d[3:1]
    btlmp.accept_opcode3 u16 /7f01,7f02?ff@2=7e[3:1]
    btlmp.accept_opcode4 u16{lmp-extended-opcode} /7f01,7f02?ff@2=7f[3:1]
    btlmp.parameters none .parameters /01,24[1:1] /7f03,7f04?ff@2!00[5:1]
    """
}
