extension HCI {
  /// Common parts of commands and events of channel sounding: capabilities (7.8.130), and the steps of a subevent with their measurements
  /// (7.7.65.44), whose length determines their fields.
  static let channelSoundingText: StaticString = """
    @cs-capabilities
      num_config_supported:u8 max_consecutive_procedures_supported:u16 num_antennas_supported:u8 max_antenna_paths_supported:u8
      roles_supported:x8{cs-roles} modes_supported:x8{cs-modes} rtt_capability:x8{cs-rtt-capability} rtt_aa_only_n:u8 rtt_sounding_n:u8
      rtt_random_payload_n:u8 nadm_sounding_capability:x16{cs-nadm-capability} nadm_random_capability:x16{cs-nadm-capability}
      cs_sync_phys_supported:x8{cs-sync-phys} subfeatures_supported:x16{cs-subfeatures} t_ip1_times_supported:x16{cs-ip-times}
      t_ip2_times_supported:x16{cs-ip-times} t_fcs_times_supported:x16{cs-fcs-times} t_pm_times_supported:x16{cs-pm-times}
      t_sw_time_supported:u8*us tx_snr_capability:x8{cs-snr-capability}
    @cs-inline-capabilities
      t_ip2_ipt_times_supported:x16{cs-ip-times} t_sw_ipt_time_supported:u8*us
    @cs-quality
      packet_quality:bits8(aa_check:4{cs-aa-check} bit_errors:4)
    @cs-packet
      @cs-quality packet_nadm:u8{cs-nadm} packet_rssi:i8{rssi}*dBm toa_tod:i16{cs-time}*0.5ns packet_antenna:u8
    @cs-tones
      antenna_permutation_index:u8
      tones[*]:(tone_pct:bits24(i:12 q:12) tone_quality_indicator:bits8(quality:4{cs-tone-quality} extension:4{cs-tone-extension}))
    @cs-steps
      procedure_done_status:u8{cs-done} subevent_done_status:u8{cs-done} abort_reason:bits8(procedure:4{cs-procedure-abort}
        subevent:4{cs-subevent-abort}) num_antenna_paths:u8 num_steps_reported:u8
      steps[num_steps_reported]:(step_mode:u8 step_channel:u8 step_data_length:u8 step_data<step_data_length>:(
        ?step_mode==0(@cs-quality packet_rssi:i8{rssi}*dBm packet_antenna:u8 ?+2(measured_freq_offset:i16{cs-frequency}*0.01ppm))
        ?step_mode==1(@cs-packet ?+8(packet_pct1:b4 packet_pct2:b4))
        ?step_mode==2(@cs-tones)
        ?step_mode==3(@cs-packet ?num_antenna_paths==1(?=17(packet_pct1:b4 packet_pct2:b4))
          ?num_antenna_paths==2(?=21(packet_pct1:b4 packet_pct2:b4)) ?num_antenna_paths==3(?=25(packet_pct1:b4 packet_pct2:b4))
          ?num_antenna_paths==4(?=29(packet_pct1:b4 packet_pct2:b4)) @cs-tones)
        ?step_mode>=4(data:b*)))
    """

  /// Names of values and bits in these.
  static let channelSoundingEnumerationText: StaticString = """
    flags cs-roles
      0 initiator
      1 reflector
    flags cs-modes
      0 mode 3
    flags cs-rtt-capability
      0 aa only 10 ns
      1 sounding 10 ns
      2 random payload 10 ns
    flags cs-nadm-capability
      0 phase-based
    flags cs-sync-phys
      1 le 2m
      2 le 2m 2bt
    flags cs-subfeatures
      1 no frequency actuation error
      2 channel selection 3c
      3 phase-based ranging from rtt sounding
      4 inline pct transfer in the reflector
    flags cs-ip-times
      0 10 us
      1 20 us
      2 30 us
      3 40 us
      4 50 us
      5 60 us
      6 80 us
    flags cs-fcs-times
      0 15 us
      1 20 us
      2 30 us
      3 40 us
      4 50 us
      5 60 us
      6 80 us
      7 100 us
      8 120 us
    flags cs-pm-times
      0 10 us
      1 20 us
    flags cs-snr-capability
      0 18 db
      1 21 db
      2 24 db
      3 27 db
      4 30 db
    enum cs-antenna-selection
      0xfe repetitive order
      0xff no recommendation
    enum cs-create-context
      0 local
      1 local and remote
    enum cs-config-action
      0 removed
      1 created
    enum cs-mode
      0 mode 0
      1 mode 1
      2 mode 2
      3 mode 3
      0xff none
    enum cs-role
      0 initiator
      1 reflector
    enum cs-rtt-type
      0 aa only
      1 32-bit sounding
      2 96-bit sounding
      3 32-bit random
      4 64-bit random
      5 96-bit random
      6 128-bit random
    enum cs-sync-phy
      1 le 1m
      2 le 2m
      3 le 2m 2bt
    enum cs-phy
      1 le 1m
      2 le 2m
      3 le coded s8
      4 le coded s2
    enum cs-channel-selection
      0 3b
      1 3c
    enum cs-ch3c-shape
      0 hat
      1 x
    enum cs-snr-control
      0 18 db
      1 21 db
      2 24 db
      3 27 db
      4 30 db
      0xff none
    enum cs-procedures
      0 disabled
      1 enabled
    enum cs-test-power
      0x7e minimum
      0x7f maximum
    special cs-power-level
      0x7f not available
    special cs-power-delta
      0x80 no preference
    special cs-frequency
      0xc000 not available
    special cs-time
      0x8000 not available
    enum cs-done
      0 complete
      1 partial
      0x0f aborted
    enum cs-procedure-abort
      0 none
      1 local host or remote request
      2 too few channels
      3 channel map instant passed
      0x0f unspecified
    enum cs-subevent-abort
      0 none
      1 local host or remote request
      2 no cs sync received
      3 scheduling conflict or limited resources
      0x0f unspecified
    enum cs-aa-check
      0 successful
      1 bit errors
      2 not found
    enum cs-nadm
      0 attack extremely unlikely
      1 attack very unlikely
      2 attack unlikely
      3 attack possible
      4 attack likely
      5 attack very likely
      6 attack extremely likely
      0xff unknown
    enum cs-tone-quality
      0 high
      1 medium
      2 low
      3 unavailable
    enum cs-tone-extension
      0 no extension slot
      1 extension slot, tone not expected
      2 extension slot, tone expected
    """
}
