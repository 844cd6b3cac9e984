extension HCI {
  /// Names of values and bits in the layouts of commands and events. Those of `status`, the error codes, are ``errorCodeText``.
  static let enumerationText: StaticString = """
    enum address-type
      0x00 public
      0x01 random
      0x02 public identity
      0x03 random identity
      0xfe unresolved random
      0xff anonymous
    enum own-address-type
      0 public
      1 random
      2 resolvable or public
      3 resolvable or random
    enum role
      0 central
      1 peripheral
    enum enable
      0 disabled
      1 enabled
    enum link-type
      0 sco
      1 acl
      2 esco
    enum encryption
      0 off
      1 on
      2 on with aes-ccm
    enum mode
      0 active
      1 hold
      2 sniff
    enum scan-enable
      0 none
      1 inquiry scan
      2 page scan
      3 inquiry and page scan
    enum scan-type
      0 standard
      1 interlaced
    enum inquiry-mode
      0 standard
      1 with rssi
      2 extended
    enum lap
      0x9e8b00 limited inquiry
      0x9e8b33 general inquiry
    enum repetition-mode
      0 r0
      1 r1
      2 r2
    enum key-flag
      0 semi-permanent link keys
      1 temporary link key
    enum key-type
      0 combination
      1 local unit
      2 remote unit
      3 debug combination
      4 unauthenticated p-192
      5 authenticated p-192
      6 changed combination
      7 unauthenticated p-256
      8 authenticated p-256
    enum pin-type
      0 variable
      1 fixed
    enum authentication-requirements
      0 no mitm, no bonding
      1 mitm, no bonding
      2 no mitm, dedicated bonding
      3 mitm, dedicated bonding
      4 no mitm, general bonding
      5 mitm, general bonding
    enum power-level-type
      0 current
      1 maximum
    enum controller-flow-control
      0 off
      1 acl only
      2 synchronous only
      3 acl and synchronous
    enum flow-control-mode
      0 packet based
      1 data block based
    enum filter-type
      0 clear all filters
      1 inquiry result
      2 connection setup
    enum fragment
      0 continuation
      1 starting
      2 ending
      3 no fragmentation
    enum loopback
      0 none
      1 local
      2 remote
    enum retransmission-effort
      0x00 none
      0x01 optimized for power
      0x02 optimized for link quality
      0xff do not care
    enum air-mode
      0 u-law
      1 a-law
      2 cvsd
      3 transparent
    enum coding-format
      0 u-law
      1 a-law
      2 cvsd
      3 transparent
      4 linear pcm
      5 msbc
      6 lc3
      7 g.729a
      0xff vendor specific
    flags codec-transport
      0 br/edr acl
      1 br/edr sco and esco
      2 le cis
      3 le bis
    enum path-direction
      0 input
      1 output
    flags link-policy
      0 role switch
      1 hold mode
      2 sniff mode
    flags acl-packet-type
      1 no 2-dh1
      2 no 3-dh1
      3 dm1
      4 dh1
      8 no 2-dh3
      9 no 3-dh3
      10 dm3
      11 dh3
      12 no 2-dh5
      13 no 3-dh5
      14 dm5
      15 dh5
    flags sync-packet-type
      0 hv1
      1 hv2
      2 hv3
      3 ev3
      4 ev4
      5 ev5
      6 no 2-ev3
      7 no 3-ev3
      8 no 2-ev5
      9 no 3-ev5
    enum pb-flag
      0 first non-flushable
      1 continuing
      2 first flushable
      3 complete
    enum bc-flag
      0 point-to-point
      1 br/edr broadcast
    enum iso-pb-flag
      0 first fragment
      1 continuation fragment
      2 complete sdu
      3 last fragment
    enum packet-status
      0 valid
      1 possibly invalid
      2 no data received
      3 data partially lost
    enum version
      0 1.0b
      1 1.1
      2 1.2
      3 2.0
      4 2.1
      5 3.0
      6 4.0
      7 4.1
      8 4.2
      9 5.0
      10 5.1
      11 5.2
      12 5.3
      13 5.4
      14 6.0
      15 6.1
      16 6.2
    enum scan-kind
      0 passive
      1 active
    enum scanning-filter
      0 basic unfiltered
      1 basic filtered
      2 extended unfiltered
      3 extended filtered
    enum initiator-filter
      0 peer address
      1 filter accept list
      2 decision pdus
      3 filter accept list, decision pdus
    enum advertising-filter
      0 none
      1 scan requests from accept list
      2 connections from accept list
      3 both from accept list
    enum advertising-type
      0 adv_ind
      1 adv_direct_ind high duty cycle
      2 adv_scan_ind
      3 adv_nonconn_ind
      4 adv_direct_ind low duty cycle
    enum advertising-event
      0 adv_ind
      1 adv_direct_ind
      2 adv_scan_ind
      3 adv_nonconn_ind
      4 scan_rsp
    enum advertising-operation
      0 intermediate fragment
      1 first fragment
      2 last fragment
      3 complete
      4 unchanged
    flags advertising-channels
      0 37
      1 38
      2 39
    flags advertising-properties
      0 connectable
      1 scannable
      2 directed
      3 high duty cycle
      4 legacy
      5 anonymous
      6 include tx power
      7 decision pdu
    flags periodic-properties
      6 include tx power
    flags periodic-enable
      0 enable
      1 include adi
    enum filter-duplicates
      0 disabled
      1 enabled
      2 reset for each scan period
    flags sync-options
      0 use periodic advertiser list
      1 reporting initially disabled
      2 duplicate filtering initially enabled
    flags sync-cte-type
      0 not aoa
      1 not aod with 1 us slots
      2 not aod with 2 us slots
      3 not type 3
      4 not without cte
    enum cte-type
      0x00 aoa
      0x01 aod with 1 us slots
      0x02 aod with 2 us slots
      0xff none
    enum data-status
      0 complete
      1 incomplete, more to come
      2 incomplete, truncated
      0xff failed to receive
    special rssi
      0x7f not available
    special no-power
      0x7f not available
    special managed-power
      0x7e not managed
      0x7f not available
    special any-power
      0x7f no preference
    special no-loss
      0xff not available
    special no-reduction
      0xff not known
    special any-bandwidth
      0xffffffff any
    special any-latency
      0xffff any
    special most-rate
      0xffffffff as much as there is
    special any-delay
      0xffffffff any
    special endless-flush
      0xffffffff never
    special no-interval
      0xffffffff not known
    special l2cap-flush
      0xffff never
    special any-interval
      0xffff any
    special clock-error
      0xffff not known
    enum no-sid
      0xff no adi
    enum phy
      0 none
      1 le 1m
      2 le 2m
      3 le coded
    enum power-phy
      1 le 1m
      2 le 2m
      3 le coded s=8
      4 le coded s=2
    flags phys
      0 le 1m
      1 le 2m
      2 le coded
    flags all-phys
      0 no tx preference
      1 no rx preference
    enum phy-options
      0 no preference
      1 prefer s=2
      2 prefer s=8
      3 require s=2
      4 require s=8
    enum privacy-mode
      0 network
      1 device
    enum clock-accuracy
      0 500 ppm
      1 250 ppm
      2 150 ppm
      3 100 ppm
      4 75 ppm
      5 50 ppm
      6 30 ppm
      7 20 ppm
    enum peer-accuracy
      0 251 to 500 ppm
      1 151 to 250 ppm
      2 101 to 150 ppm
      3 76 to 100 ppm
      4 51 to 75 ppm
      5 31 to 50 ppm
      6 21 to 30 ppm
      7 0 to 20 ppm
    enum channel-selection
      0 algorithm #1
      1 algorithm #2
    enum path-loss-zone
      0 low
      1 middle
      2 high
    enum packing
      0 sequential
      1 interleaved
    enum framing
      0 unframed
      1 framed
      2 framed unsegmented
    enum test-payload
      0 prbs9
      1 11110000
      2 10101010
      3 prbs15
      4 all ones
      5 all zeros
      6 00001111
      7 01010101
    flags event-mask
      0 inquiry complete
      1 inquiry result
      2 connection complete
      3 connection request
      4 disconnection complete
      5 authentication complete
      6 remote name request complete
      7 encryption change
      8 change connection link key complete
      9 link key type changed
      10 read remote supported features complete
      11 read remote version information complete
      12 qos setup complete
      15 hardware error
      16 flush occurred
      17 role change
      19 mode change
      20 return link keys
      21 pin code request
      22 link key request
      23 link key notification
      24 loopback command
      25 data buffer overflow
      26 max slots change
      27 read clock offset complete
      28 connection packet type changed
      29 qos violation
      30 page scan mode change
      31 page scan repetition mode change
      32 flow specification complete
      33 inquiry result with rssi
      34 read remote extended features complete
      43 synchronous connection complete
      44 synchronous connection changed
      45 sniff subrating
      46 extended inquiry result
      47 encryption key refresh complete
      48 io capability request
      49 io capability response
      50 user confirmation request
      51 user passkey request
      52 remote oob data request
      53 simple pairing complete
      55 link supervision timeout changed
      56 enhanced flush complete
      58 user passkey notification
      59 keypress notification
      60 remote host supported features notification
      61 le meta
    flags event-mask-2
      0 physical link complete
      1 channel selected
      2 disconnection physical link complete
      3 physical link loss early warning
      4 physical link recovery
      5 logical link complete
      6 disconnection logical link complete
      7 flow spec modify complete
      8 number of completed data blocks
      14 triggered clock capture
      15 synchronization train complete
      16 synchronization train received
      17 connectionless peripheral broadcast receive
      18 connectionless peripheral broadcast timeout
      19 truncated page complete
      20 peripheral page response timeout
      21 connectionless peripheral broadcast channel map change
      22 inquiry response notification
      23 authenticated payload timeout expired
      24 sam status change
      25 encryption change v2
    flags le-event-mask
      0 connection complete
      1 advertising report
      2 connection update complete
      3 read remote features complete
      4 long term key request
      5 remote connection parameter request
      6 data length change
      7 read local p-256 public key complete
      8 generate dhkey complete
      9 enhanced connection complete
      10 directed advertising report
      11 phy update complete
      12 extended advertising report
      13 periodic advertising sync established
      14 periodic advertising report
      15 periodic advertising sync lost
      16 scan timeout
      17 advertising set terminated
      18 scan request received
      19 channel selection algorithm
      20 connectionless iq report
      21 connection iq report
      22 cte request failed
      23 periodic advertising sync transfer received
      24 cis established
      25 cis request
      26 create big complete
      27 terminate big complete
      28 big sync established
      29 big sync lost
      30 request peer sca complete
      31 path loss threshold
      32 transmit power reporting
      33 biginfo advertising report
      34 subrate change
      35 periodic advertising sync established v2
      36 periodic advertising report v2
      37 periodic advertising sync transfer received v2
      38 periodic advertising subevent data request
      39 periodic advertising response report
      40 enhanced connection complete v2
      41 cis established v2
      42 read all remote features complete
      43 cs read remote supported capabilities complete
      44 cs read remote fae table complete
      45 cs security enable complete
      46 cs config complete
      47 cs procedure enable complete
      48 cs subevent result
      49 cs subevent result continue
      50 cs test end complete
      51 monitored advertisers report
      52 frame space update complete
    flags le-features
      0 le encryption
      1 connection parameters request procedure
      2 extended reject indication
      3 peripheral-initiated features exchange
      4 le ping
      5 le data packet length extension
      6 ll privacy
      7 extended scanning filter policies
      8 le 2m phy
      9 stable modulation index - transmitter
      10 stable modulation index - receiver
      11 le coded phy
      12 le extended advertising
      13 le periodic advertising
      14 channel selection algorithm #2
      15 le power class 1
      16 minimum number of used channels procedure
      17 connection cte request
      18 connection cte response
      19 connectionless cte transmitter
      20 connectionless cte receiver
      21 antenna switching during cte transmission
      22 antenna switching during cte reception
      23 receiving constant tone extensions
      24 periodic advertising sync transfer - sender
      25 periodic advertising sync transfer - recipient
      26 sleep clock accuracy updates
      27 remote public key validation
      28 connected isochronous stream - central
      29 connected isochronous stream - peripheral
      30 isochronous broadcaster
      31 synchronized receiver
      32 connected isochronous stream (host support)
      33 le power control request
      34 le power control request (2)
      35 le path loss monitoring
      36 periodic advertising adi support
      37 connection subrating
      38 connection subrating (host support)
      39 channel classification
      40 advertising coding selection
      41 advertising coding selection (host support)
      42 decision-based advertising filtering
      43 periodic advertising with responses - advertiser
      44 periodic advertising with responses - scanner
      45 unsegmented framed mode
      46 channel sounding
      47 channel sounding (host support)
      48 channel sounding tone quality indication
      63 ll extended feature set
    flags lmp-features
      0 3 slot packets
      1 5 slot packets
      2 encryption
      3 slot offset
      4 timing accuracy
      5 role switch
      6 hold mode
      7 sniff mode
      9 power control requests
      10 channel quality driven data rate
      11 sco link
      12 hv2 packets
      13 hv3 packets
      14 u-law log synchronous data
      15 a-law log synchronous data
      16 cvsd synchronous data
      17 paging parameter negotiation
      18 power control
      19 transparent synchronous data
      20 flow control lag (least significant bit)
      21 flow control lag (middle bit)
      22 flow control lag (most significant bit)
      23 broadcast encryption
      25 enhanced data rate acl 2 mb/s mode
      26 enhanced data rate acl 3 mb/s mode
      27 enhanced inquiry scan
      28 interlaced inquiry scan
      29 interlaced page scan
      30 rssi with inquiry results
      31 extended sco link (ev3 packets)
      32 ev4 packets
      33 ev5 packets
      35 afh capable peripheral
      36 afh classification peripheral
      37 br/edr not supported
      38 le supported (controller)
      39 3 slot enhanced data rate acl packets
      40 5 slot enhanced data rate acl packets
      41 sniff subrating
      42 pause encryption
      43 afh capable central
      44 afh classification central
      45 enhanced data rate esco 2 mb/s mode
      46 enhanced data rate esco 3 mb/s mode
      47 3 slot enhanced data rate esco packets
      48 extended inquiry response
      49 simultaneous le and br/edr to same device capable (controller)
      51 secure simple pairing (controller)
      52 encapsulated pdu
      53 erroneous data reporting
      54 non-flushable packet boundary flag
      56 link supervision timeout changed event
      57 variable inquiry tx power level
      58 enhanced power control
      63 extended features
    flags lmp-features-1
      0 secure simple pairing (host support)
      1 le supported (host)
      2 simultaneous le and br/edr to same device capable (host)
      3 secure connections (host support)
    flags lmp-features-2
      0 connectionless peripheral broadcast - transmitter
      1 connectionless peripheral broadcast - receiver
      2 synchronization train
      3 synchronization scan
      4 inquiry response notification event
      5 generalized interlaced scan
      6 coarse clock adjustment
      8 secure connections (controller support)
      9 ping
      10 slot availability mask
      11 train nudging
    """
}
