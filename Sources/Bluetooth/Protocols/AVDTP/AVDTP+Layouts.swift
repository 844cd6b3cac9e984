extension AVDTP {
  static let text: StaticString = """
    @header
      :bits8(message_type:2{avdtp-message} signal_packet_type:2{avdtp-packet} transaction_label:4)
    @start
      number_of_signal_packets:u8
    @signal
      :bits8(signal_identifier:6{avdtp-signal} -:2)
    @unknown
      data:b*
    @acp
      :bits8(-:2 acp_seid:6)
    @int
      :bits8(-:2 int_seid:6)
    @acps
      acp_seids[*]:(:bits8(-:2 acp_seid:6))
    @error
      error_code:x8{avdtp-error}
    @sbc
      :bits8(sbc_channel_modes:4{sbc-channel-modes} sbc_frequencies:4{sbc-frequencies})
      :bits8(sbc_allocation_methods:2{sbc-allocations} sbc_subbands:2{sbc-subbands} sbc_block_lengths:4{sbc-blocks})
      minimum_bitpool:u8 maximum_bitpool:u8
    @mpeg
      :bits8(mpeg_channel_modes:4{sbc-channel-modes} crc_protection:1 mpeg_layers:3{mpeg-layers})
      :bits8(mpeg_frequencies:6{mpeg-frequencies} media_payload_format_2:1 -:1)
      :bits16be(mpeg_bit_rates:15 mpeg_variable_bit_rate:1)
    @aac
      aac_object_types:x8{aac-objects}
      :bits16be(-:2 aac_channels:2{aac-channels} aac_frequencies:12{aac-frequencies})
      :bits24be(aac_bit_rate:23 aac_variable_bit_rate:1)
    @atrac
      :bits8(-:2 atrac_channel_modes:3{atrac-channel-modes} atrac_version:3)
      :bits24be(atrac_bit_rates:19 atrac_variable_bit_rate:1 atrac_frequencies:2{atrac-frequencies} -:2)
      atrac_maximum_sul:u16be -:b1
    @aptx
      :bits8(aptx_channel_modes:4{sbc-channel-modes} aptx_frequencies:4{sbc-frequencies})
    @aptx-hd
      :bits8(aptx_hd_channel_modes:4{sbc-channel-modes} aptx_hd_frequencies:4{sbc-frequencies}) -:b4
    @ldac
      :bits8(ldac_frequencies:6{ldac-frequencies} -:2) :bits8(ldac_channel_modes:3{ldac-channel-modes} -:5)
    @h263
      :bits8(-:5 h263_levels:3{h263-levels})
    @mpeg4
      :bits8(-:4 mpeg4_levels:4{mpeg4-levels})
    @opus
      :bits8(opus_channel_modes:3{opus-channels} opus_frame_durations:2{opus-durations} -:2 opus_48000:1)
    @codec
      :bits8(-:4 codec_media_type:4{avdtp-media})
      ?codec_media_type==0(audio_codec_type:u8{avdtp-audio-codec}
        ?audio_codec_type==0(@sbc)
        ?audio_codec_type==1(@mpeg)
        ?audio_codec_type==2(@aac)
        ?audio_codec_type==4(@atrac)
        ?audio_codec_type==255(vendor_id:x32{company} vendor_codec_id:x16
          ?vendor_id==0x4f(?vendor_codec_id==1(@aptx))
          ?vendor_id==0x0a(?vendor_codec_id==2(@aptx))
          ?vendor_id==0xd7(?vendor_codec_id==0x24(@aptx-hd))
          ?vendor_id==0x12d(?vendor_codec_id==0xaa(@ldac))
          ?vendor_id==0xe0(?vendor_codec_id==1(@opus))))
      ?codec_media_type==1(video_codec_type:x8{avdtp-video-codec}
        ?video_codec_type==1(@h263)
        ?video_codec_type==2(@mpeg4)
        ?video_codec_type==3(@h263)
        ?video_codec_type==4(@h263)
        ?video_codec_type==255(vendor_id:x32{company} vendor_codec_id:x16))
      ?codec_media_type>=2(media_codec_type:x8)
      ?+1(codec_data:b*)
    @capabilities
      capabilities[*]:(service_category:u8{avdtp-service} length:u8
        ?service_category<3(?length>=1(service_data:b(length)))
        ?service_category==3(recovery<length>:(recovery_type:x8{avdtp-recovery} maximum_recovery_window_size:u8
          maximum_media_packets_in_parity_code:u8))
        ?service_category==4(content_protection<length>:(content_protection_type:x16{avdtp-protection} ?+1(protection_data:b*)))
        ?service_category==5(header_compression<length>:(:bits8(-:5 compresses_recovery:1 compresses_media:1 has_back_channel:1)))
        ?service_category==6(multiplexing<length>:(:bits8(-:7 fragments:1)
          entries[*]:(:bits8(-:3 transport_session_id:5) ?+1(:bits8(-:3 transport_channel_id:5)))))
        ?service_category==7(media_codec<length>:@codec)
        ?service_category>=8(?length>=1(service_data:b(length))))

    0x001 Discover
    0x002 Get Capabilities
      @acp
    0x003 Set Configuration
      @acp @int @capabilities
    0x004 Get Configuration
      @acp
    0x005 Reconfigure
      @acp @capabilities
    0x006 Open
      @acp
    0x007 Start
      @acps
    0x008 Close
      @acp
    0x009 Suspend
      @acps
    0x00a Abort
      @acp
    0x00b Security Control
      @acp ?+1(protection_data:b*)
    0x00c Get All Capabilities
      @acp
    0x00d Delay Report
      @acp delay:u16be*0.1ms
    0x201 Discover Response
      stream_end_points[*]:(:bits8(-:1 in_use:1 seid:6) :bits8(-:3 type:1{avdtp-sep} media_type:4{avdtp-media}))
    0x202 Get Capabilities Response
      @capabilities
    0x203 Set Configuration Response
    0x204 Get Configuration Response
      @capabilities
    0x205 Reconfigure Response
    0x206 Open Response
    0x207 Start Response
    0x208 Close Response
    0x209 Suspend Response
    0x20a Abort Response
    0x20b Security Control Response
      ?+1(protection_data:b*)
    0x20c Get All Capabilities Response
      @capabilities
    0x20d Delay Report Response
    0x301 Discover Reject
      @error
    0x302 Get Capabilities Reject
      @error
    0x303 Set Configuration Reject
      service_category:x8{avdtp-service} @error
    0x304 Get Configuration Reject
      @error
    0x305 Reconfigure Reject
      service_category:x8{avdtp-service} @error
    0x306 Open Reject
      @error
    0x307 Start Reject
      @acp @error
    0x308 Close Reject
      @error
    0x309 Suspend Reject
      @acp @error
    0x30a Abort Reject
      @error
    0x30b Security Control Reject
      @error
    0x30c Get All Capabilities Reject
      @error
    0x30d Delay Report Reject
      @error
    """

  static let enumerationText: StaticString = """
    enum avdtp-message
      0 command
      1 general reject
      2 response accept
      3 response reject
    enum avdtp-packet
      0 single
      1 start
      2 continue
      3 end
    enum avdtp-signal
      0x01 discover
      0x02 get capabilities
      0x03 set configuration
      0x04 get configuration
      0x05 reconfigure
      0x06 open
      0x07 start
      0x08 close
      0x09 suspend
      0x0a abort
      0x0b security control
      0x0c get all capabilities
      0x0d delay report
    enum avdtp-error
      0x01 bad header format
      0x11 bad length
      0x12 bad acp seid
      0x13 sep in use
      0x14 sep not in use
      0x17 bad service category
      0x18 bad payload format
      0x19 not supported command
      0x1a invalid capabilities
      0x22 bad recovery type
      0x23 bad media transport format
      0x25 bad recovery format
      0x26 bad rohc format
      0x27 bad content protection format
      0x28 bad multiplexing format
      0x29 unsupported configuration
      0x31 bad state
      0xc1 invalid codec type
      0xc2 not supported codec type
      0xc3 invalid sampling frequency
      0xc4 not supported sampling frequency
      0xc5 invalid channel mode
      0xc6 not supported channel mode
      0xc7 invalid subbands
      0xc8 not supported subbands
      0xc9 invalid allocation method
      0xca not supported allocation method
      0xcb invalid minimum bitpool value
      0xcc not supported minimum bitpool value
      0xcd invalid maximum bitpool value
      0xce not supported maximum bitpool value
      0xcf invalid layer
      0xd0 not supported layer
      0xd1 not supported crc
      0xd2 not supported mpf
      0xd3 not supported vbr
      0xd4 invalid bit rate
      0xd5 not supported bit rate
      0xd6 invalid object type
      0xd7 not supported object type
      0xd8 invalid channels
      0xd9 not supported channels
      0xda invalid version
      0xdb not supported version
      0xdc not supported maximum sul
      0xdd invalid block length
      0xe0 invalid cp type
      0xe1 invalid cp format
      0xe2 invalid codec parameter
      0xe3 not supported codec parameter
    enum avdtp-sep
      0 source
      1 sink
    enum avdtp-media
      0 audio
      1 video
      2 multimedia
    enum avdtp-service
      1 media transport
      2 reporting
      3 recovery
      4 content protection
      5 header compression
      6 multiplexing
      7 media codec
      8 delay reporting
    enum avdtp-recovery
      1 rfc 2733
    enum avdtp-protection
      1 dtcp
      2 scms-t
    enum avdtp-audio-codec
      0 sbc
      1 mpeg-1,2 audio
      2 mpeg-2,4 aac
      3 mpeg-d usac
      4 atrac family
      255 vendor
    enum avdtp-video-codec
      1 h.263 baseline
      2 mpeg-4 visual simple
      3 h.263 profile 3
      4 h.263 profile 8
      255 vendor
    flags sbc-frequencies
      0 48000
      1 44100
      2 32000
      3 16000
    flags sbc-channel-modes
      0 joint stereo
      1 stereo
      2 dual channel
      3 mono
    flags sbc-blocks
      0 16
      1 12
      2 8
      3 4
    flags sbc-subbands
      0 8
      1 4
    flags sbc-allocations
      0 loudness
      1 snr
    flags mpeg-layers
      0 layer 3
      1 layer 2
      2 layer 1
    flags mpeg-frequencies
      0 48000
      1 44100
      2 32000
      3 24000
      4 22050
      5 16000
    flags aac-objects
      7 mpeg-2 aac lc
      6 mpeg-4 aac lc
      5 mpeg-4 aac ltp
      4 mpeg-4 aac scalable
      3 mpeg-4 he-aac
      2 mpeg-4 he-aac v2
      1 mpeg-4 aac-eld v2
      0 drc
    flags aac-frequencies
      0 96000
      1 88200
      2 64000
      3 48000
      4 44100
      5 32000
      6 24000
      7 22050
      8 16000
      9 12000
      10 11025
      11 8000
    flags aac-channels
      0 2
      1 1
    flags atrac-channel-modes
      0 joint stereo
      1 dual channel
      2 single channel
    flags atrac-frequencies
      0 48000
      1 44100
    flags h263-levels
      0 30
      1 20
      2 10
    flags mpeg4-levels
      0 3
      1 2
      2 1
      3 0
    flags ldac-frequencies
      0 192000
      1 176400
      2 96000
      3 88200
      4 48000
      5 44100
    flags ldac-channel-modes
      0 stereo
      1 dual channel
      2 mono
    flags opus-channels
      0 mono
      1 stereo
      2 dual mono
    flags opus-durations
      0 10 ms
      1 20 ms
    """
}
