/// The commands of the profile with their parameters (HFP 4.34), those of phones (3GPP TS 27.007) and those of Apple for headsets.
extension HFP {
  /// Numbers in the table of commands that are used in code; results have 0x100 added, lists of supported values 0x200.
  enum Code {
    static let indicatorsResult: UInt32 = 0x105
    static let indicatorEvent: UInt32 = 0x107
    static let extendedError: UInt32 = 0x10F
    static let okay: UInt32 = 0x1F0
    static let blacklisted: UInt32 = 0x1F6
    /// A list of supported values, in the response to a test command.
    static let list: UInt32 = 0x200

    /// The number of a name, or nil. Commands have their `AT` in the table.
    static func of(_ bytes: RawSpan, _ name: Range<Int>, isCommand: Bool) -> UInt32? {
      guard !name.isEmpty else { return nil }
      let rows = HFP.commands.rows
      for index in 0..<rows.count {
        let code = rows[index].code
        if code >= list { return nil }
        guard (code < 0x100) == isCommand else { continue }
        if Lines.equals(bytes, name, rows[index].name, from: isCommand ? 2 : 0) { return code }
      }
      return nil
    }
  }

  /// Commands and results by number. The layouts give names of parameters, whether they are numbers (`u`) or texts, and names of their values; they
  /// are sent as text, whatever width the layout has.
  static let commands = PDUTable(text)

  static let text: StaticString = """
    @lines
      lines:b*
    @prefix
      prefix:text*
    @command
      command:text*
    @unknown
      other_command:text*
    @type
      line_type:x16{hfp-line}
    @other
      parameter:text*
    @others
      other_parameters:b*
    @fragment
      fragment:text*
    @indicators
      indicators:b*
    @indicator-name
      indicator_name:text*
    @indicator-values
      indicator_values:text*
    @indicator-index
      indicator_index:u8
    @indicator
      indicator:u8
    @other-indicators
      other_indicators:b*
    @phone
      service:u8{hfp-service} call:u8{hfp-call} call_setup:u8{hfp-callsetup} call_held:u8{hfp-callheld} signal_strength:u8 roaming:u8{hfp-roam}
      battery_level:u8
    @party
      number:text* number_type:u8{hfp-number} subaddress:text* subaddress_type:u8 alpha:text* cli_validity:u8{hfp-validity}

    0x001 AT+BRSF
      hf_features:u32{hfp-hf-features}
    0x101 +BRSF
      ag_features:u32{hfp-ag-features}
    0x002 AT+BAC
      available_codecs[*]:u8{hfp-codec}
    0x102 +BAC
      available_codecs[*]:u8{hfp-codec}
    0x003 AT+BCC
    0x103 +BCC
    0x004 AT+BCS
      selected_codec:u8{hfp-codec}
    0x104 +BCS
      selected_codec:u8{hfp-codec}
    0x005 AT+CIND
    0x105 +CIND
    0x006 AT+CMER
      reporting_mode:u8 keypad:u8 display:u8 indicator_reporting:u8{hfp-switch} buffer:u8
    0x106 +CMER
    0x007 AT+CIEV
    0x107 +CIEV
    0x008 AT+CHLD
      call_hold:text*
    0x108 +CHLD
    0x308 +CHLD
      supported_call_hold:text*
    0x009 AT+CLIP
      clip_mode:u8{hfp-switch}
    0x109 +CLIP
      @party
    0x00a AT+CCWA
      call_waiting:u8{hfp-switch} call_waiting_mode:u8 call_class:u8
    0x10a +CCWA
      number:text* number_type:u8{hfp-number} call_class:u8 alpha:text* cli_validity:u8{hfp-validity} subaddress:text* subaddress_type:u8
      priority:u8
    0x00b AT+CLCC
    0x10b +CLCC
      call_id:u32 direction:u32{hfp-direction} call_state:u32{hfp-state} call_mode:u32{hfp-mode} multiparty:u32{hfp-multiparty}
      number:text* number_type:u8{hfp-number} alpha:text* priority:u8 cli_validity:u8{hfp-validity}
    0x00c AT+COPS
      operator_mode:u8{hfp-operator-mode} operator_format:u8{hfp-operator-format} operator:text* access_technology:u8
    0x10c +COPS
      operator_mode:u8{hfp-operator-mode} operator_format:u8{hfp-operator-format} operator:text* access_technology:u8
    0x00d AT+CNUM
    0x10d +CNUM
      alpha:text* number:text* number_type:u8{hfp-number} speed:u8 number_service:u8{hfp-number-service} transfer_capability:u8
    0x00e AT+CMEE
      error_mode:u8{hfp-errors}
    0x10f +CME ERROR
      error:u8{hfp-error}
    0x010 AT+VGS
      speaker_gain:u8<0..15>
    0x110 +VGS
      speaker_gain:u8<0..15>
    0x011 AT+VGM
      microphone_gain:u8<0..15>
    0x111 +VGM
      microphone_gain:u8<0..15>
    0x012 AT+NREC
      noise_reduction:u8{hfp-switch}
    0x112 +NREC
    0x013 AT+BVRA
      voice_recognition:u8{hfp-voice}
    0x113 +BVRA
      voice_recognition:u8{hfp-voice} voice_state:u8 text_id:text* text_type:u8 text_operation:u8 voice_text:text*
    0x014 AT+BSIR
    0x114 +BSIR
      in_band_ring_tone:u8{hfp-switch}
    0x015 AT+BTRH
      hold_state:u8{hfp-hold}
    0x115 +BTRH
      hold_state:u8{hfp-hold}
    0x016 AT+BINP
      data_request:u8{hfp-data}
    0x116 +BINP
      data_response:text*
    0x017 AT+BLDN
    0x018 AT+CHUP
    0x019 AT+VTS
      dtmf:text* duration:u32
    0x01a AT+BIA
      active_indicators[*]:u8
    0x01b AT+BIND
      hf_indicators[*]:u16{hfp-hf-indicator}
    0x11b +BIND
      hf_indicator:u16{hfp-hf-indicator} enabled:u8{hfp-switch}
    0x31b +BIND
      supported_hf_indicators:text*
    0x01c AT+BIEV
      hf_indicator:u16{hfp-hf-indicator} hf_indicator_value:u32
    0x01d ATA
    0x01e ATD
      dialled:text*
    0x01f AT+BTRD
    0x020 AT+CKPD
      key:u8
    0x030 AT+XAPL
      accessory_info:text* accessory_features:u32{hfp-apple-features}
    0x130 +XAPL
      host_info:text* accessory_features:u32{hfp-apple-features}
    0x031 AT+IPHONEACCEV
      event_count:u16 event_key:u16{hfp-apple-event} event_value:u16 second_key:u16{hfp-apple-event} second_value:u16
    0x032 AT+APLSIRI
    0x132 +APLSIRI
      siri_state:u16{hfp-siri}
    0x033 AT+APLEFM
      eyes_free:u16{hfp-switch}
    0x040 AT+CGMI
    0x041 AT+CGMM
    0x042 AT+CGMR
    0x043 AT+CGSN
    0x044 AT+CIMI
    0x045 AT+CSQ
    0x046 AT+CREG
    0x047 AT+CBC
    0x048 AT+CSCS
    0x049 AT+CPBS
    0x04a AT+CPBR
    0x04b AT+CPBF
    0x04c AT+CPBW
    0x04d AT+CPAS
    0x04e AT+CLAC
    0x04f AT+CCLK
    0x140 +CGMI
    0x141 +CGMM
    0x142 +CGMR
    0x143 +CGSN
    0x144 +CIMI
    0x145 +CSQ
    0x146 +CREG
    0x147 +CBC
    0x148 +CSCS
    0x149 +CPBS
    0x14a +CPBR
    0x14b +CPBF
    0x14c +CPBW
    0x14d +CPAS
    0x14e +CLAC
    0x14f +CCLK
    0x1e0 RING
    0x1f0 OK
    0x1f1 ERROR
    0x1f2 NO CARRIER
    0x1f3 BUSY
    0x1f4 NO ANSWER
    0x1f5 DELAYED
    0x1f6 BLACKLISTED
    """

  static let enumerationText: StaticString = """
    enum hfp-line
      0x000d execute
      0x003a result
      0x003d set
      0x003f read
      0x0d0a result code
      0x3d3f test
    enum hfp-ending
      0 ok
      1 error
      2 no carrier
      3 busy
      4 no answer
      5 delayed
      6 blacklisted
    flags hfp-hf-features
      0 echo cancelling and noise reduction
      1 three-way calling
      2 calling line identification
      3 voice recognition
      4 remote volume control
      5 enhanced call status
      6 enhanced call control
      7 codec negotiation
      8 HF indicators
      9 eSCO S4 settings
      10 enhanced voice recognition status
      11 voice recognition text
    flags hfp-ag-features
      0 three-way calling
      1 echo cancelling and noise reduction
      2 voice recognition
      3 in-band ring tone
      4 number for voice tags
      5 call rejection
      6 enhanced call status
      7 enhanced call control
      8 extended error result codes
      9 codec negotiation
      10 HF indicators
      11 eSCO S4 settings
      12 enhanced voice recognition status
      13 voice recognition text
    flags hfp-apple-features
      1 battery reporting
      2 docked or powered
      3 Siri status reporting
      4 noise reduction status reporting
    enum hfp-codec
      1 CVSD
      2 mSBC
      3 LC3-SWB
    enum hfp-service
      0 no service
      1 service
    enum hfp-call
      0 no call
      1 active call
    enum hfp-callsetup
      0 no call setup
      1 incoming call
      2 outgoing call
      3 outgoing call, remote party alerted
    enum hfp-callheld
      0 no call held
      1 call on hold and active call
      2 call on hold, no active call
    enum hfp-roam
      0 not roaming
      1 roaming
    enum hfp-switch
      0 off
      1 on
    enum hfp-voice
      0 off
      1 on
      2 ready for audio
    enum hfp-number
      128 unknown type
      129 unknown type
      144 international
      145 international
      160 national
      161 national
      176 network specific
      177 network specific
    enum hfp-validity
      0 valid
      1 withheld
      2 not available
      3 payphone
    enum hfp-direction
      0 outgoing
      1 incoming
    enum hfp-state
      0 active
      1 held
      2 dialling
      3 alerting
      4 incoming
      5 waiting
      6 held by response and hold
    enum hfp-mode
      0 voice
      1 data
      2 fax
    enum hfp-multiparty
      0 no conference
      1 conference
    enum hfp-operator-mode
      0 automatic
      1 manual
      2 deregister
      3 format only
      4 manual, then automatic
    enum hfp-operator-format
      0 long alphanumeric
      1 short alphanumeric
      2 numeric
    enum hfp-number-service
      4 voice
      5 fax
    enum hfp-errors
      0 off
      1 numbers
      2 words
    enum hfp-hold
      0 held
      1 accepted
      2 rejected
    enum hfp-data
      1 number for voice tag
    enum hfp-hf-indicator
      1 enhanced safety
      2 battery level
    enum hfp-apple-event
      1 battery level
      2 docked
    enum hfp-siri
      1 available
      2 not available
    enum hfp-error
      0 phone failure
      1 no connection to phone
      2 phone adaptor link reserved
      3 operation not allowed
      4 operation not supported
      5 PH-SIM PIN required
      6 PH-FSIM PIN required
      7 PH-FSIM PUK required
      10 SIM not inserted
      11 SIM PIN required
      12 SIM PUK required
      13 SIM failure
      14 SIM busy
      15 SIM wrong
      16 incorrect password
      17 SIM PIN2 required
      18 SIM PUK2 required
      20 memory full
      21 invalid index
      22 not found
      23 memory failure
      24 text string too long
      25 invalid characters in text string
      26 dial string too long
      27 invalid characters in dial string
      30 no network service
      31 network timeout
      32 network not allowed, emergency calls only
    """
}
