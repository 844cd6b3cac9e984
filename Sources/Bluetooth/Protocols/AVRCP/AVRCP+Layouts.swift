extension AVRCP {
  static let text: StaticString = """
    @vendor
      avc_company_id:x24be avrcp_pdu:x8{avrcp-pdu} :bits8(avrcp_packet_type:2{avdtp-packet} -:6) avrcp_length:u16be
    @browsing
      avrcp_pdu:x8{avrcp-pdu} avrcp_length:u16be
    @unknown
      data:b*
    @status
      ?+1(avrcp_status:x8{avrcp-status})
    @setting-list
      number_of_settings:u8 setting_attributes[number_of_settings]:x8{avrcp-setting}
    @settings
      number_of_settings:u8 settings[number_of_settings]:(setting_attribute:x8{avrcp-setting} setting_value:x8)
    @elements
      number_of_attributes:u8
      attributes[number_of_attributes]:(attribute_id:x32be{avrcp-attribute} character_set:u16be{avrcp-charset}
        value_length:u16be attribute_value:text(value_length))
    @event
      event_id:x8{avrcp-event}
      ?event_id==1(play_status:x8{avrcp-play-status})
      ?event_id==2(identifier:x64be{avrcp-track})
      ?event_id==5(song_position:u32be{avrcp-position}*ms)
      ?event_id==6(battery_status:x8{avrcp-battery})
      ?event_id==7(system_status:x8{avrcp-system})
      ?event_id==8(@settings)
      ?event_id==11(player_id:u16be uid_counter:x16be)
      ?event_id==12(uid_counter:x16be)
      ?event_id==13(:bits8(volume:7 -:1))
    @displayable
      character_set:u16be{avrcp-charset} displayable_name_length:u16be displayable_name:text(displayable_name_length)
    @items
      number_of_items:u16be items[number_of_items]:(item_type:x8{avrcp-item} item_length:u16be
        ?item_type==1(player<item_length>:(player_id:u16be major_player_type:x8{avrcp-player} player_subtype:x32be{avrcp-subtype}
          play_status:x8{avrcp-play-status} features:b16 @displayable))
        ?item_type==2(folder<item_length>:(uid:x64be folder_type:x8{avrcp-folder} folder_playable:x8 @displayable))
        ?item_type==3(element<item_length>:(uid:x64be media_type:x8{avrcp-media} @displayable @elements)))

    0x010 Get Capabilities
      capability_id:x8{avrcp-capability}
    0x110 Get Capabilities Response
      capability_id:x8{avrcp-capability} capability_count:x8 ?capability_id==2(company_ids[capability_count]:x24be)
      ?capability_id==3(event_ids[capability_count]:x8{avrcp-event})
    0x011 List Player Application Setting Attributes
    0x111 List Player Application Setting Attributes Response
      @setting-list
    0x012 List Player Application Setting Values
      setting_attribute:x8{avrcp-setting}
    0x112 List Player Application Setting Values Response
      number_of_values:u8 setting_values[number_of_values]:x8
    0x013 Get Current Player Application Setting Value
      @setting-list
    0x113 Get Current Player Application Setting Value Response
      @settings
    0x014 Set Player Application Setting Value
      @settings
    0x114 Set Player Application Setting Value Response
    0x015 Get Player Application Setting Attribute Text
      @setting-list
    0x115 Get Player Application Setting Attribute Text Response
      number_of_settings:u8 settings[number_of_settings]:(setting_attribute:x8{avrcp-setting} character_set:u16be{avrcp-charset}
      attribute_name_length:u8 attribute_name:text(attribute_name_length))
    0x016 Get Player Application Setting Value Text
      setting_attribute:x8{avrcp-setting} number_of_values:u8 setting_values[number_of_values]:x8
    0x116 Get Player Application Setting Value Text Response
      number_of_settings:u8 settings[number_of_settings]:(setting_value:x8 character_set:u16be{avrcp-charset} value_name_length:u8
      value_name:text(value_name_length))
    0x017 Inform Displayable Character Set
      number_of_character_sets:u8 character_sets[number_of_character_sets]:u16be{avrcp-charset}
    0x117 Inform Displayable Character Set Response
    0x018 Inform Battery Status Of CT
      battery_status:x8{avrcp-battery}
    0x118 Inform Battery Status Of CT Response
    0x020 Get Element Attributes
      identifier:x64be{avrcp-track} number_of_attributes:u8 attributes[number_of_attributes]:x32be{avrcp-attribute}
    0x120 Get Element Attributes Response
      @elements
    0x030 Get Play Status
    0x130 Get Play Status Response
      song_length:u32be{avrcp-time}*ms song_position:u32be{avrcp-time}*ms play_status:x8{avrcp-play-status}
    0x031 Register Notification
      event_id:x8{avrcp-event} playback_interval:u32be*s
    0x131 Register Notification Response
      @event
    0x040 Request Continuing Response
      continuing_pdu_id:x8{avrcp-pdu}
    0x140 Request Continuing Response Response
    0x041 Abort Continuing Response
      continuing_pdu_id:x8{avrcp-pdu}
    0x141 Abort Continuing Response Response
    0x050 Set Absolute Volume
      :bits8(volume:7 -:1)
    0x150 Set Absolute Volume Response
      :bits8(volume:7 -:1)
    0x060 Set Addressed Player
      player_id:u16be
    0x160 Set Addressed Player Response
      avrcp_status:x8{avrcp-status}
    0x070 Set Browsed Player
      player_id:u16be
    0x170 Set Browsed Player Response
      avrcp_status:x8{avrcp-status} ?avrcp_status==4(uid_counter:x16be number_of_items:u32be character_set:u16be{avrcp-charset}
      folder_depth:u8 folder_names[folder_depth]:(folder_name_length:u16be folder_name:text(folder_name_length)))
    0x071 Get Folder Items
      scope:x8{avrcp-scope} start_item:u32be end_item:u32be attribute_count:u8
      ?attribute_count<255(attributes[attribute_count]:x32be{avrcp-attribute})
    0x171 Get Folder Items Response
      avrcp_status:x8{avrcp-status} ?avrcp_status==4(uid_counter:x16be @items)
    0x072 Change Path
      uid_counter:x16be direction:x8{avrcp-direction} uid:x64be
    0x172 Change Path Response
      avrcp_status:x8{avrcp-status} ?avrcp_status==4(number_of_items:u32be)
    0x073 Get Item Attributes
      scope:x8{avrcp-scope} uid:x64be uid_counter:x16be item_attribute_count:u8
      ?item_attribute_count<255(attributes[item_attribute_count]:x32be{avrcp-attribute})
    0x173 Get Item Attributes Response
      avrcp_status:x8{avrcp-status} ?avrcp_status==4(@elements)
    0x074 Play Item
      scope:x8{avrcp-scope} uid:x64be uid_counter:x16be
    0x174 Play Item Response
      avrcp_status:x8{avrcp-status}
    0x075 Get Total Number Of Items
      scope:x8{avrcp-scope}
    0x175 Get Total Number Of Items Response
      avrcp_status:x8{avrcp-status} ?avrcp_status==4(uid_counter:x16be number_of_items:u32be)
    0x080 Search
      character_set:u16be{avrcp-charset} search_length:u16be search_text:text(search_length)
    0x180 Search Response
      avrcp_status:x8{avrcp-status} ?avrcp_status==4(uid_counter:x16be number_of_items:u32be)
    0x090 Add To Now Playing
      scope:x8{avrcp-scope} uid:x64be uid_counter:x16be
    0x190 Add To Now Playing Response
      avrcp_status:x8{avrcp-status}
    0x0a0 General Reject
    0x1a0 General Reject
      avrcp_status:x8{avrcp-status}
    """

  static let frameText: StaticString = """
    @frame
      :bits8(ctype:4{avc-ctype} -:4) :bits8(subunit_id:3 subunit_type:5{avc-subunit}) avc_opcode:x8{avc-opcode}
    @pass-through
      :bits8(operation_id:7{avc-operation} is_released:1) operation_data_length:u8
      ?operation_data_length>=5(passthrough_company_id:x24be vendor_unique_id:x16be) ?+1(operation_data:b*)

    0x000 Vendor Dependent
      avc_company_id:x24be data:b*
    0x030 Unit Info
      operands:b*
    0x031 Subunit Info
      :bits8(extension_code:3 -:1 page:3 -:1) page_data:b*
    0x07c Pass Through
      @pass-through
    0x100 Vendor Dependent Response
      avc_company_id:x24be data:b*
    0x130 Unit Info Response
      unit_info:x8 :bits8(unit_id:3 unit_type:5{avc-subunit}) unit_company_id:x24be
    0x131 Subunit Info Response
      :bits8(extension_code:3 -:1 page:3 -:1) :bits8(page_subunit_id:3 page_subunit_type:5{avc-subunit}) page_data:b*
    0x17c Pass Through Response
      @pass-through
    """

  static let rejectText: StaticString = """
    0x10 Get Capabilities Reject
    0x11 List Player Application Setting Attributes Reject
    0x12 List Player Application Setting Values Reject
    0x13 Get Current Player Application Setting Value Reject
    0x14 Set Player Application Setting Value Reject
    0x15 Get Player Application Setting Attribute Text Reject
    0x16 Get Player Application Setting Value Text Reject
    0x17 Inform Displayable Character Set Reject
    0x18 Inform Battery Status Of CT Reject
    0x20 Get Element Attributes Reject
    0x30 Get Play Status Reject
    0x31 Register Notification Reject
    0x40 Request Continuing Response Reject
    0x41 Abort Continuing Response Reject
    0x50 Set Absolute Volume Reject
    0x60 Set Addressed Player Reject
    0x70 Set Browsed Player Reject
    0x71 Get Folder Items Reject
    0x72 Change Path Reject
    0x73 Get Item Attributes Reject
    0x74 Play Item Reject
    0x75 Get Total Number Of Items Reject
    0x80 Search Reject
    0x90 Add To Now Playing Reject
    0xa0 General Reject
    """

  static let enumerationText: StaticString = """
    enum avrcp-pdu
      0x10 get capabilities
      0x11 list player application setting attributes
      0x12 list player application setting values
      0x13 get current player application setting value
      0x14 set player application setting value
      0x15 get player application setting attribute text
      0x16 get player application setting value text
      0x17 inform displayable character set
      0x18 inform battery status of ct
      0x20 get element attributes
      0x30 get play status
      0x31 register notification
      0x40 request continuing response
      0x41 abort continuing response
      0x50 set absolute volume
      0x60 set addressed player
      0x70 set browsed player
      0x71 get folder items
      0x72 change path
      0x73 get item attributes
      0x74 play item
      0x75 get total number of items
      0x80 search
      0x90 add to now playing
      0xa0 general reject
    enum avc-ctype
      0 control
      1 status
      2 specific inquiry
      3 notify
      4 general inquiry
      8 not implemented
      9 accepted
      10 rejected
      11 in transition
      12 stable
      13 changed
      15 interim
    enum avc-subunit
      0x00 monitor
      0x01 audio
      0x02 printer
      0x03 disc
      0x04 tape recorder or player
      0x05 tuner
      0x06 ca
      0x07 camera
      0x09 panel
      0x0a bulletin board
      0x0b camera storage
      0x1c vendor unique
      0x1e extended
      0x1f unit
    enum avc-opcode
      0x00 vendor dependent
      0x30 unit info
      0x31 subunit info
      0x7c pass through
    enum avc-operation
      0x00 select
      0x01 up
      0x02 down
      0x03 left
      0x04 right
      0x05 right-up
      0x06 right-down
      0x07 left-up
      0x08 left-down
      0x09 root menu
      0x0a setup menu
      0x0b contents menu
      0x0c favorite menu
      0x0d exit
      0x20 0
      0x21 1
      0x22 2
      0x23 3
      0x24 4
      0x25 5
      0x26 6
      0x27 7
      0x28 8
      0x29 9
      0x2a dot
      0x2b enter
      0x2c clear
      0x30 channel up
      0x31 channel down
      0x32 previous channel
      0x33 sound select
      0x34 input select
      0x35 display information
      0x36 help
      0x37 page up
      0x38 page down
      0x40 power
      0x41 volume up
      0x42 volume down
      0x43 mute
      0x44 play
      0x45 stop
      0x46 pause
      0x47 record
      0x48 rewind
      0x49 fast forward
      0x4a eject
      0x4b forward
      0x4c backward
      0x50 angle
      0x51 subpicture
      0x71 f1
      0x72 f2
      0x73 f3
      0x74 f4
      0x75 f5
      0x7e vendor unique
    special avrcp-time
      0xffffffff not known
    special avrcp-position
      0xffffffff no track selected
    special avrcp-track
      0 the selected track
      0xffffffffffffffff no track selected
    enum avrcp-capability
      2 company id
      3 events supported
    enum avrcp-event
      0x01 playback status changed
      0x02 track changed
      0x03 track reached end
      0x04 track reached start
      0x05 playback position changed
      0x06 battery status changed
      0x07 system status changed
      0x08 player application setting changed
      0x09 now playing content changed
      0x0a available players changed
      0x0b addressed player changed
      0x0c uids changed
      0x0d volume changed
    enum avrcp-setting
      1 equalizer
      2 repeat mode
      3 shuffle
      4 scan
    enum avrcp-charset
      3 us-ascii
      4 iso-8859-1
      15 shift-jis
      17 ks_c_5601
      106 utf-8
      1013 utf-16be
      1015 utf-16
      2025 gb2312
      2026 big5
    enum avrcp-battery
      0 normal
      1 warning
      2 critical
      3 external
      4 full charge
    enum avrcp-system
      0 power on
      1 power off
      2 unplugged
    enum avrcp-attribute
      1 title
      2 artist name
      3 album name
      4 track number
      5 total number of tracks
      6 genre
      7 playing time
      8 default cover art
    enum avrcp-play-status
      0x00 stopped
      0x01 playing
      0x02 paused
      0x03 fwd seek
      0x04 rev seek
      0xff error
    enum avrcp-status
      0x00 invalid command
      0x01 invalid parameter
      0x02 parameter content error
      0x03 internal error
      0x04 operation completed without error
      0x05 uid changed
      0x07 invalid direction
      0x08 not a directory
      0x09 does not exist
      0x0a invalid scope
      0x0b range out of bounds
      0x0c folder item is not playable
      0x0d media in use
      0x0e now playing list full
      0x0f search not supported
      0x10 search in progress
      0x11 invalid player id
      0x12 player not browsable
      0x13 player not addressed
      0x14 no valid search results
      0x15 no available players
      0x16 addressed player changed
    enum avrcp-scope
      0 media player list
      1 media player virtual filesystem
      2 search
      3 now playing
    enum avrcp-direction
      0 folder up
      1 folder down
    enum avrcp-item
      1 media player item
      2 folder item
      3 media element item
    flags avrcp-player
      0 audio
      1 video
      2 broadcasting audio
      3 broadcasting video
    flags avrcp-subtype
      0 audio book
      1 podcast
    enum avrcp-folder
      0 mixed
      1 titles
      2 albums
      3 artists
      4 genres
      5 playlists
      6 years
    enum avrcp-media
      0 audio
      1 video
    """
}
