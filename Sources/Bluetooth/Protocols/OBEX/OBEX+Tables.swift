extension OBEX {
  /// Identifiers of headers (2.2).
  enum HeaderID: UInt8, CaseIterable, Sendable {
    case name = 0x01, description = 0x05, destinationName = 0x15, type = 0x42, time = 0x44, target = 0x46, http = 0x47, body = 0x48,
      endOfBody = 0x49, who = 0x4A, applicationParameters = 0x4C, authenticationChallenge = 0x4D, authenticationResponse = 0x4E,
      wanUUID = 0x50, objectClass = 0x51, sessionParameters = 0x52, sessionSequenceNumber = 0x93, actionID = 0x94,
      singleResponseMode = 0x97, singleResponseModeParameters = 0x98, count = 0xC0, length = 0xC3, time4 = 0xC4, connectionID = 0xCB,
      creatorID = 0xCF, permissions = 0xD6
  }

  /// Kinds of tags: start of a header's or a profile's tags in the table of tags.
  enum Tags {
    static let challenge: UInt32 = 0x100
    static let response: UInt32 = 0x200
    static let session: UInt32 = 0x300
    static let phoneBook: UInt32 = 0x400
    static let message: UInt32 = 0x500
    static let image: UInt32 = 0x600
    static let print: UInt32 = 0x700
    static let calendar: UInt32 = 0x800

    /// The tags of a profile's application parameters; 0 where they are not known.
    static func of(_ profile: Profile) -> UInt32 {
      switch profile {
      case .phoneBookAccess: phoneBook
      case .messageAccess, .messageNotification: message
      case .coverArt, .imaging: image
      case .printing: print
      case .calendar: calendar
      default: 0
      }
    }
  }

  /// Packets by code without the final bit: requests and responses.
  static let packets = PDUTable(packetText)
  /// Headers by identifier: their names and values.
  static let headers = PDUTable(headerText)
  /// Tags of parameters; see ``Tags``.
  static let tags = PDUTable(tagText)
  /// Types of objects that profiles define.
  static let types = PDUTable(typeText)

  static let packetText: StaticString = """
    @request
      obex_opcode:x8{obex-opcode} packet_length:u16be
    @response
      response_code:x8{obex-response} packet_length:u16be
    @connect
      version:x8 connect_flags:x8 maximum_packet_length:u16be
    @path
      path_flags:bits8(go_back:1 do_not_create:1 -:6) constants:x8
    @headers
      headers:b*
    @header
      header_id:x8{obex-header} header_length:u16be
    @short-header
      header_id:x8{obex-header}
    @unknown
      data:b*
    @type
      object_type:text*
    @other-type
      other_type:text*
    @wide
      text_value:text*
    @parameters
      application_parameters:b*
    @parameter
      parameter:x8
    @phone-book
      parameter:x8{obex-pbap}
    @message
      parameter:x8{obex-map}
    @image
      parameter:x8{obex-bip}
    @calendar
      calendar_parameter:x8{obex-ctn}
    @information-management
      pim_parameter:x8{obex-ctn}
    @parameter-length
      parameter_length:u8
    @authentication-length
      authentication_length:u8
    @session-length
      session_length:u8
    @authentication-value
      authentication_value:b*
    @session-value
      session_value:b*
    @parameter-value
      parameter_value:b*
    @authentication
      authentication:b*
    @challenge-tag
      challenge_tag:x8{obex-challenge}
    @response-tag
      response_tag:x8{obex-authentication}
    @session
      session_parameters:b*
    @session-tag
      session_tag:x8{obex-session}

    0x00 Connect
    0x01 Disconnect
    0x02 Put
    0x03 Get
    0x05 Set Path
    0x06 Action
    0x07 Session
    0x7f Abort
    0x10 Continue
    0x20 Success
    0x21 Created
    0x22 Accepted
    0x23 Non-Authoritative Information
    0x24 No Content
    0x25 Reset Content
    0x26 Partial Content
    0x30 Multiple Choices
    0x31 Moved Permanently
    0x32 Moved Temporarily
    0x33 See Other
    0x34 Not Modified
    0x35 Use Proxy
    0x40 Bad Request
    0x41 Unauthorized
    0x42 Payment Required
    0x43 Forbidden
    0x44 Not Found
    0x45 Method Not Allowed
    0x46 Not Acceptable
    0x47 Proxy Authentication Required
    0x48 Request Timeout
    0x49 Conflict
    0x4a Gone
    0x4b Length Required
    0x4c Precondition Failed
    0x4d Requested Entity Too Large
    0x4e Requested URL Too Large
    0x4f Unsupported Media Type
    0x50 Internal Server Error
    0x51 Not Implemented
    0x52 Bad Gateway
    0x53 Service Unavailable
    0x54 Gateway Timeout
    0x55 HTTP Version Not Supported
    0x60 Database Full
    0x61 Database Locked
    """

  static let headerText: StaticString = """
    0x01 Name
      name:text*
    0x05 Description
      description:text*
    0x15 Destination Name
      destination_name:text*
    0x42 Type
      object_type:text*
    0x44 Time
      time:text*
    0x46 Target
      target:b*
    0x47 HTTP
      http:b*
    0x48 Body
      body:b*
    0x49 End of Body
      end_of_body:b*
    0x4a Who
      who:b*
    0x4c Application Parameters
    0x4d Authentication Challenge
    0x4e Authentication Response
    0x50 WAN UUID
      wan_uuid:b*
    0x51 Object Class
      object_class:text*
    0x52 Session Parameters
    0x93 Session Sequence Number
      session_sequence_number:u8
    0x94 Action
      action:x8{obex-action}
    0x97 Single Response Mode
      single_response_mode:x8{obex-srm}
    0x98 Single Response Mode Parameter
      single_response_mode_parameter:x8{obex-srmp}
    0xc0 Count
      count:u32be
    0xc3 Length
      object_length:u32be
    0xc4 Time (4 bytes)
      time_number:u32be
    0xcb Connection ID
      connection_id:x32be
    0xcf Creator ID
      creator_id:x32be
    0xd6 Permissions
      permissions:x32be
    """

  static let tagText: StaticString = """
    0x100 Nonce
      nonce:b*!
    0x101 Options
      :bits8(wants_user_id:1 read_only:1 -:6)
    0x102 Realm
      realm_charset:x8 realm:text*
    0x200 Digest
      digest:b*!
    0x201 User ID
      user_id:b*
    0x202 Nonce
      nonce:b*!
    0x300 Device Address
      device_address:b*
    0x301 Nonce
      session_nonce:b*!
    0x302 Session ID
      session_id:b*
    0x303 Next Sequence Number
      next_sequence_number:u8
    0x304 Timeout
      timeout:u32be*s
    0x305 Session Opcode
      session_opcode:x8{obex-session-opcode}
    0x401 Order
      order:x8{obex-order}
    0x402 Search Value
      search_value:text*
    0x403 Search Attribute
      search_attribute:x8{obex-attribute}
    0x404 Max List Count
      max_list_count:u16be
    0x405 List Start Offset
      list_start_offset:u16be
    0x406 Property Selector
      property_selector:x64be{obex-properties}
    0x407 Format
      format:x8{obex-format}
    0x408 Phonebook Size
      phonebook_size:u16be
    0x409 New Missed Calls
      new_missed_calls:u8
    0x40a Primary Version Counter
      primary_version_counter:b*
    0x40b Secondary Version Counter
      secondary_version_counter:b*
    0x40c vCard Selector
      vcard_selector:x64be{obex-properties}
    0x40d Database Identifier
      database_identifier:b*
    0x40e vCard Selector Operator
      vcard_selector_operator:x8{obex-operator}
    0x40f Reset New Missed Calls
      reset_new_missed_calls:x8
    0x410 Supported Features
      pbap_supported_features:x32be{obex-pbap-features}
    0x501 Max List Count
      max_list_count:u16be
    0x502 Start Offset
      start_offset:u16be
    0x503 Filter Message Type
      filter_message_type:x8{obex-message-types}
    0x504 Filter Period Begin
      filter_period_begin:text*
    0x505 Filter Period End
      filter_period_end:text*
    0x506 Filter Read Status
      filter_read_status:x8{obex-read}
    0x507 Filter Recipient
      filter_recipient:text*
    0x508 Filter Originator
      filter_originator:text*
    0x509 Filter Priority
      filter_priority:x8{obex-priority}
    0x50a Attachment
      attachment:x8{hfp-switch}
    0x50b Transparent
      transparent:x8{hfp-switch}
    0x50c Retry
      retry:x8{hfp-switch}
    0x50d New Message
      new_message:x8{hfp-switch}
    0x50e Notification Status
      notification_status:x8{hfp-switch}
    0x50f MAS Instance ID
      mas_instance_id:u8
    0x510 Parameter Mask
      parameter_mask:x32be{obex-message-parameters}
    0x511 Folder Listing Size
      folder_listing_size:u16be
    0x512 Messages Listing Size
      messages_listing_size:u16be
    0x513 Subject Length
      subject_length:u8
    0x514 Charset
      charset:x8{obex-charset}
    0x515 Fraction Request
      fraction_request:x8{obex-fraction}
    0x516 Fraction Deliver
      fraction_deliver:x8{obex-last}
    0x517 Status Indicator
      status_indicator:x8{obex-status}
    0x518 Status Value
      status_value:x8
    0x519 MSE Time
      mse_time:text*
    0x51a Database Identifier
      database_identifier:b*
    0x51b Conversation Listing Version Counter
      conversation_listing_version_counter:b*
    0x51c Presence Availability
      presence_availability:x8
    0x51d Presence Text
      presence_text:text*
    0x51e Last Activity
      last_activity:text*
    0x51f Filter Last Activity Begin
      filter_last_activity_begin:text*
    0x520 Filter Last Activity End
      filter_last_activity_end:text*
    0x521 Chat State
      chat_state:x8
    0x522 Conversation ID
      conversation_id:b*
    0x523 Folder Version Counter
      folder_version_counter:b*
    0x524 Filter Message Handle
      filter_message_handle:b*
    0x525 Notification Filter Mask
      notification_filter_mask:x32be
    0x526 Conversation Parameter Mask
      conversation_parameter_mask:x32be
    0x527 Owner UCI
      owner_uci:text*
    0x528 Extended Data
      extended_data:text*
    0x529 Supported Features
      map_supported_features:x32be{obex-map-features}
    0x52a Message Handle
      message_handle:b*
    0x52b Modify Text
      modify_text:x8
    0x601 Number of Returned Handles
      number_of_returned_handles:u16be
    0x602 List Start Offset
      list_start_offset:u16be
    0x603 Latest Captured Images
      latest_captured_images:x8
    0x604 Partial File Length
      partial_file_length:u32be
    0x605 Partial File Start Offset
      partial_file_start_offset:u32be
    0x606 Total File Size
      total_file_size:u32be
    0x607 End Flag
      end_flag:x8
    0x608 Remote Display
      remote_display:x8
    0x609 Service ID
      service_id:b*
    0x701 Offset
      document_offset:u32be
    0x702 Count
      document_count:u32be
    0x703 Job ID
      job_id:u32be
    0x704 File Size
      file_size:u32be
    0x60a Store Flag
      store_flag:x8
    0x801 Acoustic Alarm Status
      acoustic_alarm_status:x8{hfp-switch}
    0x802 Attachment
      calendar_attachment:x8{obex-ctn-attachment}
    0x803 Send
      send:x8{obex-ctn-answer}
    0x804 Filter Period Begin
      calendar_period_begin:text*
    0x805 Filter Period End
      calendar_period_end:text*
    0x806 Parameter Mask
      calendar_mask:x32be{obex-ctn-mask}
    0x807 Status Indicator
      calendar_status_indicator:x8{obex-ctn-indicator}
    0x808 Status Value
      calendar_status_value:x8{obex-ctn-status}
    0x809 Postpone Val
      postpone_value:u32be
    0x80a Email URI
      email_uri:text*
    0x80b CSE Time
      cse_time:text*
    0x80c Recurrent
      recurrent:x8{obex-ctn-answer}
    0x80d Attach ID
      attach_id:u8
    0x80e Last Update
      last_update:text*
    0x841 Max List Count
      pim_max_list_count:u16be
    0x842 List Start Offset
      pim_list_start_offset:u16be
    0x843 Notification Status
      pim_notification_status:x8{hfp-switch}
    0x844 Instance ID
      pim_instance_id:u8
    0x846 Listing Size
      listing_size:u16be
    """

  static let typeText: StaticString = """
    1 x-bt/phonebook
    2 x-bt/vcard-listing
    3 x-bt/vcard
    4 x-bt/MAP-msg-listing
    5 x-bt/message
    6 x-bt/messageStatus
    7 x-bt/MAP-NotificationRegistration
    8 x-bt/MAP-event-report
    9 x-bt/MAP-messageUpdate
    10 x-bt/MASInstanceInformation
    11 x-bt/MAP-notification-filter
    12 x-bt/MAP-convo-listing
    13 x-bt/participant
    14 x-obex/folder-listing
    15 x-obex/capability
    16 x-obex/object-profile
    17 x-bt/img-capabilities
    18 x-bt/img-listing
    19 x-bt/img-properties
    20 x-bt/img-img
    21 x-bt/img-thm
    22 x-bt/img-attachment
    23 x-bt/img-display
    24 x-bt/img-print
    25 x-bt/img-partial
    26 x-bt/img-archive
    27 x-bt/img-status
    28 x-bt/img-monitoring
    29 text/x-vcard
    30 text/x-vcalendar
    31 text/x-vmsg
    32 text/x-vnote
    33 text/plain
    34 image/jpeg
    35 image/png
    36 application/octet-stream
    """

  static let enumerationText: StaticString = """
    enum obex-opcode
      0x02 put
      0x03 get
      0x80 connect
      0x81 disconnect
      0x82 put, final
      0x83 get, final
      0x85 set path
      0x06 action
      0x86 action, final
      0x87 session
      0xff abort
    enum obex-response
      0x90 continue
      0xa0 success
      0xa1 created
      0xa2 accepted
      0xa3 non-authoritative information
      0xa4 no content
      0xa5 reset content
      0xa6 partial content
      0xb0 multiple choices
      0xb1 moved permanently
      0xb2 moved temporarily
      0xb3 see other
      0xb4 not modified
      0xb5 use proxy
      0xc0 bad request
      0xc1 unauthorized
      0xc2 payment required
      0xc3 forbidden
      0xc4 not found
      0xc5 method not allowed
      0xc6 not acceptable
      0xc7 proxy authentication required
      0xc8 request timeout
      0xc9 conflict
      0xca gone
      0xcb length required
      0xcc precondition failed
      0xcd requested entity too large
      0xce requested url too large
      0xcf unsupported media type
      0xd0 internal server error
      0xd1 not implemented
      0xd2 bad gateway
      0xd3 service unavailable
      0xd4 gateway timeout
      0xd5 http version not supported
      0xe0 database full
      0xe1 database locked
    enum obex-header
      0x01 name
      0x05 description
      0x15 destination name
      0x42 type
      0x44 time
      0x46 target
      0x47 http
      0x48 body
      0x49 end of body
      0x4a who
      0x4c application parameters
      0x4d authentication challenge
      0x4e authentication response
      0x50 wan uuid
      0x51 object class
      0x52 session parameters
      0x93 session sequence number
      0x94 action
      0x97 single response mode
      0x98 single response mode parameter
      0xc0 count
      0xc3 length
      0xc4 time (4 bytes)
      0xcb connection id
      0xcf creator id
      0xd6 permissions
    enum obex-action
      0 copy
      1 move or rename
      2 set permissions
    enum obex-srm
      0 disable
      1 enable
      2 supported
    enum obex-srmp
      0 next
      1 wait
      2 next and wait
    enum obex-challenge
      0 nonce
      1 options
      2 realm
    enum obex-authentication
      0 digest
      1 user id
      2 nonce
    enum obex-session
      0 device address
      1 nonce
      2 session id
      3 next sequence number
      4 timeout
      5 session opcode
    enum obex-session-opcode
      0 create
      1 close
      2 suspend
      3 resume
      4 set timeout
    enum obex-pbap
      0x01 order
      0x02 search value
      0x03 search attribute
      0x04 max list count
      0x05 list start offset
      0x06 property selector
      0x07 format
      0x08 phonebook size
      0x09 new missed calls
      0x0a primary version counter
      0x0b secondary version counter
      0x0c vcard selector
      0x0d database identifier
      0x0e vcard selector operator
      0x0f reset new missed calls
      0x10 supported features
    enum obex-map
      0x01 max list count
      0x02 start offset
      0x03 filter message type
      0x04 filter period begin
      0x05 filter period end
      0x06 filter read status
      0x07 filter recipient
      0x08 filter originator
      0x09 filter priority
      0x0a attachment
      0x0b transparent
      0x0c retry
      0x0d new message
      0x0e notification status
      0x0f mas instance id
      0x10 parameter mask
      0x11 folder listing size
      0x12 messages listing size
      0x13 subject length
      0x14 charset
      0x15 fraction request
      0x16 fraction deliver
      0x17 status indicator
      0x18 status value
      0x19 mse time
      0x1a database identifier
      0x1b conversation listing version counter
      0x1c presence availability
      0x1d presence text
      0x1e last activity
      0x1f filter last activity begin
      0x20 filter last activity end
      0x21 chat state
      0x22 conversation id
      0x23 folder version counter
      0x24 filter message handle
      0x25 notification filter mask
      0x26 conversation parameter mask
      0x27 owner uci
      0x28 extended data
      0x29 supported features
      0x2a message handle
      0x2b modify text
    enum obex-ctn
      0x01 acoustic alarm status
      0x02 attachment
      0x03 send
      0x04 filter period begin
      0x05 filter period end
      0x06 parameter mask
      0x07 status indicator
      0x08 status value
      0x09 postpone val
      0x0a email uri
      0x0b cse time
      0x0c recurrent
      0x0d attach id
      0x0e last update
      0x41 max list count
      0x42 list start offset
      0x43 notification status
      0x44 instance id
      0x46 listing size
    enum obex-ctn-attachment
      0 on
      1 off
      2 selected
    enum obex-ctn-answer
      0 no
      1 yes
    enum obex-ctn-indicator
      0 participation status
      1 alarm status
      2 send status
      3 deleted status
    enum obex-ctn-status
      0 no
      1 yes
      2 postpone
      3 tentative
      4 needs action
      5 accepted
      6 declined
      7 delegated
      8 completed
      9 in progress
    enum obex-bip
      0x01 number of returned handles
      0x02 list start offset
      0x03 latest captured images
      0x04 partial file length
      0x05 partial file start offset
      0x06 total file size
      0x07 end flag
      0x08 remote display
      0x09 service id
      0x0a store flag
    enum obex-order
      0 indexed
      1 alphabetical
      2 phonetical
    enum obex-attribute
      0 name
      1 number
      2 sound
    enum obex-format
      0 vCard 2.1
      1 vCard 3.0
    enum obex-operator
      0 or
      1 and
    flags obex-properties
      0 VERSION
      1 FN
      2 N
      3 PHOTO
      4 BDAY
      5 ADR
      6 LABEL
      7 TEL
      8 EMAIL
      9 MAILER
      10 TZ
      11 GEO
      12 TITLE
      13 ROLE
      14 LOGO
      15 AGENT
      16 ORG
      17 NOTE
      18 REV
      19 SOUND
      20 URL
      21 UID
      22 KEY
      23 NICKNAME
      24 CATEGORIES
      25 PROID
      26 CLASS
      27 SORT-STRING
      28 X-IRMC-CALL-DATETIME
      29 X-BT-SPEEDDIALKEY
      30 X-BT-UCI
      31 X-BT-UID
      39 proprietary filter
    flags obex-pbap-features
      0 download
      1 browsing
      2 database identifier
      3 folder version counters
      4 vCard selecting
      5 enhanced missed calls
      6 X-BT-UCI
      7 X-BT-UID
      8 contact referencing
      9 default contact image format
    flags obex-ctn-mask
      0 attachment
      1 summary
      2 end time
      3 originator name
      4 originator address
      5 priority
      6 participation status
      7 alarm status
      8 send status
      9 recurrent
    flags obex-map-features
      0 notification registration
      1 notification
      2 browsing
      3 uploading
      4 delete
      5 instance information
      6 extended event report 1.1
      7 event report version 1.2
      8 message format version 1.1
      9 messages listing format version 1.1
      10 persistent message handles
      11 database identifier
      12 folder version counter
      13 conversation version counters
      14 participant presence change notification
      15 participant chat state change notification
      16 PBAP contact cross reference
      17 notification filtering
      18 UTC offset timestamp format
      19 supported features in connect request
      20 conversation listing
      21 owner status
      22 message forwarding
    flags obex-message-types
      0 no SMS_GSM
      1 no SMS_CDMA
      2 no EMAIL
      3 no MMS
      4 no IM
    enum obex-read
      0 all
      1 unread only
      2 read only
    enum obex-priority
      0 all
      1 high only
      2 not high
    flags obex-message-parameters
      0 subject
      1 date and time
      2 sender name
      3 sender address
      4 recipient name
      5 recipient address
      6 type
      7 size
      8 reception status
      9 text
      10 attachment size
      11 priority
      12 read
      13 sent
      14 protected
      15 reply to address
    enum obex-charset
      0 native
      1 UTF-8
    enum obex-fraction
      0 first
      1 next
    enum obex-last
      0 more
      1 last
    enum obex-status
      0 read
      1 deleted
      2 extended data
    """
}

extension Layout {
  /// Whether the layout fits `size` bytes: its fields have fixed widths that add up to it, or its last field takes the rest.
  func fits(_ size: Int) -> Bool {
    guard let first else { return false }
    var step = 0
    var needed = 0
    while step < count {
      let kind = (first + step).pointee.kind
      switch kind {
      case .unsigned, .signed, .bool, .bits:
        needed &+= Int((first + step).pointee.field.width)
        step &+= 1 &+ Int((first + step).pointee.body)
      default: return size >= needed
      }
    }
    return needed == size
  }
}
