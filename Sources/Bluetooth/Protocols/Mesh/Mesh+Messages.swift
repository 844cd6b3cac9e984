extension Mesh {
  /// Messages of models (Mesh Protocol 1.1, 4.3; Mesh Model 1.1) by their opcodes. Their fields have Wireshark's names: names of filter fields
  /// consist of a message's name and its fields' names (``filterLines``).
  static let messageText: StaticString = """
    @net
      netkeyindex:bits16(idx:12 rfu:4)
    @net-app
      netkeyindexandappkeyindex:bits24(net:12 app:12)
    @model
      ?=1(-:b1) ?=3(-:b3) ?=2(modelidentifier:x16) ?+4(vendormodelidentifier:u32)
    @publication-key
      :bits16(appkeyindex:12 credentialflag:1 rfu:3)
    @transition
      tid:u8 ?+1(transition_time:bits8(steps:6 resolution:2) delay:u8)
    @remaining
      ?+1(remaining_time:bits8(steps:6 resolution:2))
    @cadence
      property_id:u16 :bits8(fast_cadence_period_divisor:7 status_trigger_type:1) ?+1(-:b*)
    @schedule
      :bits64(index:4 schedule_register.year:7 schedule_register.month:12 schedule_register.day:5 schedule_register.hour:5
        schedule_register.minute:6 schedule_register.second:6 schedule_register.day_of_week:7 schedule_register.action:4
        schedule_register.transition_time.steps:6 schedule_register.transition_time.resolution:2) schedule_register.scene_number:x16
    @location
      local_north:i16 local_east:i16 local_altitude:i16 floor_number:u8
      :bits16(uncertainty.stationary:1 uncertainty.rfu:7 uncertainty.update_time:4 uncertainty.precision:4)
    @time
      tai_seconds:u40 subsecond:u8 uncertainty:u8 :bits16(time_authority:1 tai_utc_delta:15) time_zone_offset:u8
    0x00 Config AppKey Add
      @net-app appkey:b16!
    0x01 Config AppKey Update
      @net-app appkey:b16!
    0x02 Config Composition Data Status
      page:x8 cid:x16 pid:u16 vid:u16 crpl:u16 features:bits16(relay:1 proxy:1 friend:1 low_power:1 rfu:12)
      elements[*]:(loc:x16 nums:u8 numv:u8 sig_model[nums]:x16 vendor_model[numv]:u32)
    0x03 Config Model Publication Set
      elementaddress:x16 publishaddress:x16 @publication-key publishttl:u8 publishperiod:bits8(steps:6 resolution:2)
      publishretransmit:bits8(count:3 intervalsteps:5) @model
    0x04 Health Current Status
      test_id:x8 company_id:x16 fault[*]:u8
    0x05 Health Fault Status
      test_id:x8 company_id:x16 fault[*]:u8
    0x06 Config Heartbeat Publication Status
      status:u8 destination:u16 countlog:x8 periodlog:x8 ttl:u8 features:bits16(relay:1 proxy:1 friend:1 low_power:1 rfu:12)
      netkeyindex:bits16(idx:12 netkeyindex.rfu:4)
    0x40 Generic Location Global Status
      global_latitude:i32 global_longitude:i32 global_altitude:i16
    0x41 Generic Location Global Set
      global_latitude:i32 global_longitude:i32 global_altitude:i16
    0x42 Generic Location Global Set Unacknowledged
      global_latitude:i32 global_longitude:i32 global_altitude:i16
    0x43 Generic Manufacturer Properties Status
      manufacturer_property_id[*]:u16
    0x44 Generic Manufacturer Property Set
      manufacturer_property_id:u16 manufacturer_user_access:u8
    0x45 Generic Manufacturer Property Set Unacknowledged
      manufacturer_property_id:u16 manufacturer_user_access:u8
    0x46 Generic Manufacturer Property Status
      manufacturer_property_id:u16 manufacturer_user_access:u8 manufacturer_property_value:b*
    0x47 Generic Admin Properties Status
      admin_property_id[*]:u16
    0x48 Generic Admin Property Set
      admin_property_id:u16 admin_user_access:u8 admin_property_value:b*
    0x49 Generic Admin Property Set Unacknowledged
      admin_property_id:u16 admin_user_access:u8 admin_property_value:b*
    0x4a Generic Admin Property Status
      admin_property_id:u16 admin_user_access:u8 admin_property_value:b*
    0x4b Generic User Properties Status
      user_property_id[*]:u16
    0x4c Generic User Property Set
      user_property_id:u16 user_property_value:b*
    0x4d Generic User Property Set Unacknowledged
      user_property_id:u16 user_property_value:b*
    0x4e Generic User Property Status
      user_property_id:u16 user_access:u8 user_property_value:b*
    0x4f Generic Client Properties Get
      client_property_id:u16
    0x50 Generic Client Properties Status
      client_property_id[*]:u16
    0x51 Sensor Descriptor Status
      descriptors[*]:(descriptor_sensor_property_id:u16 :bits24(descriptor_positive_tolerance:12 descriptor_negative_tolerance:12)
        descriptor_sensor_sampling_function:u8 descriptor_sensor_measurement_period:u8 descriptor_sensor_update_interval:u8)
    0x52 Sensor Status
      ?+1(-:b*)
    0x53 Sensor Column Status
      property_id:u16 ?+1(-:b*)
    0x54 Sensor Series Status
      property_id:u16 ?+1(-:b*)
    0x55 Sensor Cadence Set
      @cadence
    0x56 Sensor Cadence Set Unacknowledged
      @cadence
    0x57 Sensor Cadence Status
      @cadence
    0x58 Sensor Settings Status
      sensor_property_id:u16 sensor_setting_property_id[*]:u16
    0x59 Sensor Setting Set
      sensor_property_id:u16 sensor_setting_property_id:u16 sensor_setting_raw:b*
    0x5a Sensor Setting Set Unacknowledged
      sensor_property_id:u16 sensor_setting_property_id:u16 sensor_setting_raw:b*
    0x5b Sensor Setting Status
      sensor_property_id:u16 sensor_setting_property_id:u16 sensor_setting_access:u8 sensor_setting_raw:b*
    0x5c Time Set
      @time
    0x5d Time Status
      @time
    0x5e Scene Status
      status_code:u8 current_scene:u16 ?+1(target_scene:u16 remaining_time:bits8(steps:6 resolution:2))
    0x5f Scheduler Action Status
      @schedule
    0x60 Scheduler Action Set
      @schedule
    0x61 Scheduler Action Set Unacknowledged
      @schedule
    0x62 Light LC Property Set
      light_lc_property_id:u16 light_lc_property_value:b*
    0x63 Light LC Property Set Unacknowledged
      light_lc_property_id:u16 light_lc_property_value:b*
    0x64 Light LC Property Status
      light_lc_property_id:u16 light_lc_property_value:b*
    0x8000 Config AppKey Delete
      @net-app
    0x8001 Config AppKey Get
      @net
    0x8002 Config AppKey List
      status:u8 @net indexes[*]<3>:(?+3(:bits24(appkeyindex:12 appkeyindex:12)) ?=2(:bits16(appkeyindex:12 appkeyindex.rfu:4)))
    0x8003 Config AppKey Status
      status:u8 @net-app
    0x8004 Health Attention Get
    0x8005 Health Attention Set
      attention:u8
    0x8006 Health Attention Set Unacknowledged
      attention:u8
    0x8007 Health Attention Status
      attention:u8
    0x8008 Config Composition Data Get
      page:x8
    0x8009 Config Beacon Get
    0x800a Config Beacon Set
      beacon:u8
    0x800b Config Beacon Status
      beacon:u8
    0x800c Config Default TTL Get
    0x800d Config Default TTL Set
      ttl:u8
    0x800e Config Default TTL Status
      ttl:u8
    0x800f Config Friend Get
    0x8010 Config Friend Set
      friend:u8
    0x8011 Config Friend Status
      friend:u8
    0x8012 Config GATT Proxy Get
    0x8013 Config GATT Proxy Set
      gattproxy:x8
    0x8014 Config GATT Proxy Status
      gattproxy:x8
    0x8015 Config Key Refresh Phase Get
      @net
    0x8016 Config Key Refresh Phase Set
      @net transition:u8
    0x8017 Config Key Refresh Phase Status
      status:u8 @net phase:u8
    0x8018 Config Model Publication Get
      elementaddress:x16 @model
    0x8019 Config Model Publication Status
      status:u8 elementaddress:x16 publishaddress:x16 @publication-key publishttl:u8 publishperiod:bits8(steps:6 resolution:2)
      publishretransmit:bits8(count:3 intervalsteps:5) @model
    0x801a Config Model Publication Virtual Address Set
      elementaddress:x16 publishaddress:b16 @publication-key publishttl:u8 publishperiod:bits8(steps:6 resolution:2)
      publishretransmit:bits8(count:3 intervalsteps:5) @model
    0x801b Config Model Subscription Add
      elementaddress:x16 address:x16 @model
    0x801c Config Model Subscription Delete
      elementaddress:x16 address:x16 @model
    0x801d Config Model Subscription Delete All
      elementaddress:x16 @model
    0x801e Config Model Subscription Overwrite
      elementaddress:x16 address:x16 @model
    0x801f Config Model Subscription Status
      status:u8 elementaddress:x16 address:x16 @model
    0x8020 Config Model Subscription Virtual Address Add
      elementaddress:x16 label:b16 @model
    0x8021 Config Model Subscription Virtual Address Delete
      elementaddress:x16 label:b16 @model
    0x8022 Config Model Subscription Virtual Address Overwrite
      elementaddress:x16 label:b16 @model
    0x8023 Config Network Transmit Get
    0x8024 Config Network Transmit Set
      networktransmit:bits8(count:3 networktransmitinterval.steps:5)
    0x8025 Config Network Transmit Status
      networktransmit:bits8(count:3 intervalsteps:5)
    0x8026 Config Relay Get
    0x8027 Config Relay Set
      relay:u8 relayretransmit:bits8(count:3 intervalsteps:5)
    0x8028 Config Relay Status
      relay:u8 relayretransmit:bits8(count:3 intervalsteps:5)
    0x8029 Config SIG Model Subscription Get
      elementaddress:x16 modelidentifier:x16
    0x802a Config SIG Model Subscription List
      status:u8 elementaddress:x16 modelidentifier:x16 address[*]:u16
    0x802b Config Vendor Model Subscription Get
      elementaddress:x16 modelidentifier:u32
    0x802c Config Vendor Model Subscription List
      status:u8 elementaddress:x16 modelidentifier:u32 address[*]:u16
    0x802d Config Low Power Node PollTimeout Get
      lpnaddress:x16
    0x802e Config Low Power Node PollTimeout Status
      lpnaddress:x16 polltimeout:u24
    0x802f Health Fault Clear
      company_id:x16
    0x8030 Health Fault Clear Unacknowledged
      company_id:x16
    0x8031 Health Fault Get
      company_id:x16
    0x8032 Health Fault Test
      test_id:x8 company_id:x16
    0x8033 Health Fault Test Unacknowledged
      test_id:x8 company_id:x16
    0x8034 Health Period Get
    0x8035 Health Period Set
      fast_period_divisor:u8
    0x8036 Health Period Set Unacknowledged
      fast_period_divisor:u8
    0x8037 Health Period Status
      fast_period_divisor:u8
    0x8038 Config Heartbeat Publication Get
    0x8039 Config Heartbeat Publication Set
      destination:u16 countlog:x8 periodlog:x8 ttl:u8 features:bits16(relay:1 proxy:1 friend:1 low_power:1 rfu:12)
      netkeyindex:bits16(idx:12 netkeyindex.rfu:4)
    0x803a Config Heartbeat Subscription Get
    0x803b Config Heartbeat Subscription Set
      source:u16 destination:u16 periodlog:x8
    0x803c Config Heartbeat Subscription Status
      status:u8 source:u16 destination:u16 periodlog:x8 countlog:x8 minhops:u8 maxhops:u8
    0x803d Config Model App Bind
      elementaddress:x16 appkeyindex:bits16(idx:12 rfu:4) @model
    0x803e Config Model App Status
      status:u8 elementaddress:x16 appkeyindex:bits16(idx:12 rfu:4) @model
    0x803f Config Model App Unbind
      elementaddress:x16 appkeyindex:bits16(idx:12 rfu:4) @model
    0x8040 Config NetKey Add
      @net netkey:b16!
    0x8041 Config NetKey Delete
      @net
    0x8042 Config NetKey Get
    0x8043 Config NetKey List
      indexes[*]<3>:(?+3(:bits24(netkeyindex:12 netkeyindex:12)) ?=2(:bits16(netkeyindex:12 netkeyindex.rfu:4)))
    0x8044 Config NetKey Status
      status:u8 @net
    0x8045 Config NetKey Update
      @net netkey:b16!
    0x8046 Config Node Identity Get
      @net
    0x8047 Config Node Identity Set
      @net identity:u8
    0x8048 Config Node Identity Status
      status:u8 @net identity:u8
    0x8049 Config Node Reset
    0x804a Config Node Reset Status
    0x804b Config SIG Model App Get
      elementaddress:x16 modelidentifier:x16
    0x804c Config SIG Model App List
      status:u8 elementaddress:x16 modelidentifier:x16
      indexes[*]<3>:(?+3(:bits24(appkeyindex:12 appkeyindex:12)) ?=2(:bits16(appkeyindex:12 appkeyindex.rfu:4)))
    0x804d Config Vendor Model App Get
      elementaddress:x16 modelidentifier:u32
    0x804e Config Vendor Model App List
      status:u8 elementaddress:x16 modelidentifier:u32
      indexes[*]<3>:(?+3(:bits24(appkeyindex:12 appkeyindex:12)) ?=2(:bits16(appkeyindex:12 appkeyindex.rfu:4)))
    0x8201 Generic OnOff Get
    0x8202 Generic OnOff Set
      onoff:u8 @transition
    0x8203 Generic OnOff Set Unacknowledged
      onoff:u8 @transition
    0x8204 Generic OnOff Status
      present_onoff:u8 ?+1(target_onoff:u8 remaining_time:bits8(steps:6 resolution:2))
    0x8205 Generic Level Get
    0x8206 Generic Level Set
      level:i16 @transition
    0x8207 Generic Level Set Unacknowledged
      level:i16 @transition
    0x8208 Generic Level Status
      present_level:i16 ?+1(target_level:i16 remaining_time:bits8(steps:6 resolution:2))
    0x8209 Generic Delta Set
      delta_level:i32 @transition
    0x820a Generic Delta Set Unacknowledged
      delta_level:i32 @transition
    0x820b Generic Move Set
      delta_level:i16 @transition
    0x820c Generic Move Set Unacknowledged
      delta_level:i16 @transition
    0x820d Generic Default Transition Time Get
    0x820e Generic Default Transition Time Set
      transition_time:bits8(steps:6 resolution:2)
    0x820f Generic Default Transition Time Set Unacknowledged
      transition_time:bits8(steps:6 resolution:2)
    0x8210 Generic Default Transition Time Status
      transition_time:bits8(steps:6 resolution:2)
    0x8211 Generic OnPowerUp Get
    0x8212 Generic OnPowerUp Status
      onpowerup:u8
    0x8213 Generic OnPowerUp Set
      onpowerup:u8
    0x8214 Generic OnPowerUp Set Unacknowledged
      onpowerup:u8
    0x8215 Generic Power Level Get
    0x8216 Generic Power Level Set
      power:u16 @transition
    0x8217 Generic Power Level Set Unacknowledged
      power:u16 @transition
    0x8218 Generic Power Level Status
      present_power:u16 ?+1(target_power:u16 remaining_time:bits8(steps:6 resolution:2))
    0x8219 Generic Power Last Get
    0x821a Generic Power Last Status
      power:u16
    0x821b Generic Power Default Get
    0x821c Generic Power Default Status
      power:u16
    0x821d Generic Power Range Get
    0x821e Generic Power Range Status
      status_code:u8 range_min:u16 range_max:u16
    0x821f Generic Power Default Set
      power:u16
    0x8220 Generic Power Default Set Unacknowledged
      power:u16
    0x8221 Generic Power Range Set
      range_min:u16 range_max:u16
    0x8222 Generic Power Range Set Unacknowledged
      range_min:u16 range_max:u16
    0x8223 Generic Battery Get
    0x8224 Generic Battery Status
      battery_level:u8 time_to_discharge:u24 time_to_charge:u24 :bits8(flags.presence:2 flags.indicator:2 flags.charging:2 flags.serviceability:2)
    0x8225 Generic Location Global Get
    0x8226 Generic Location Local Get
    0x8227 Generic Location Local Status
      @location
    0x8228 Generic Location Local Set
      @location
    0x8229 Generic Location Local Set Unacknowledged
      @location
    0x822a Generic Manufacturer Properties Get
    0x822b Generic Manufacturer Property Get
      manufacturer_property_id:u16
    0x822c Generic Admin Properties Get
    0x822d Generic Admin Property Get
      admin_property_id:u16
    0x822e Generic User Properties Get
    0x822f Generic User Property Get
      user_property_id:u16
    0x8230 Sensor Descriptor Get
      ?+2(property_id:u16)
    0x8231 Sensor Get
      property_id:u16
    0x8232 Sensor Column Get
      property_id:u16 raw_value_a:b*
    0x8233 Sensor Series Get
      property_id:u16 raw_value_a1:b(*/2) raw_value_a2:b*
    0x8234 Sensor Cadence Get
      property_id:u16
    0x8235 Sensor Settings Get
      sensor_property_id:u16
    0x8236 Sensor Setting Get
      sensor_property_id:u16 sensor_setting_property_id:u16
    0x8237 Time Get
    0x8238 Time Role Get
    0x8239 Time Role Set
      time_role:u8
    0x823a Time Role Status
      time_role:u8
    0x823b Time Zone Get
    0x823c Time Zone Set
      time_zone_offset_new:u8 tai_of_zone_change:u40
    0x823d Time Zone Status
      time_zone_offset_current:u8 time_zone_offset_new:u8 tai_of_zone_change:u40
    0x823e TAI-UTC Delta Get
    0x823f TAI-UTC Delta Set
      :bits16(tai_utc_delta_new:15 padding:1) tai_of_delta_change:u40
    0x8240 TAI-UTC Delta Status
      :bits16(tai_utc_delta_current:15 padding_1:1) :bits16(tai_utc_delta_new:15 padding_2:1) tai_of_delta_change:u40
    0x8241 Scene Get
    0x8242 Scene Recall
      scene_number:u16 @transition
    0x8243 Scene Recall Unacknowledged
      scene_number:u16 @transition
    0x8244 Scene Register Get
    0x8245 Scene Register Status
      status_code:u8 current_scene:u16 scene[*]:u16
    0x8246 Scene Store
      scene_number:u16
    0x8247 Scene Store Unacknowledged
      scene_number:u16
    0x8248 Scheduler Action Get
      index:u8
    0x8249 Scheduler Get
    0x824a Scheduler Status
      schedules:bits16(schedule_0:1 schedule_1:1 schedule_2:1 schedule_3:1 schedule_4:1 schedule_5:1 schedule_6:1 schedule_7:1
      schedule_8:1 schedule_9:1 schedule_10:1 schedule_11:1 schedule_12:1 schedule_13:1 schedule_14:1 schedule_15:1)
    0x824b Light Lightness Get
    0x824c Light Lightness Set
      lightness:u16 @transition
    0x824d Light Lightness Set Unacknowledged
      lightness:u16 @transition
    0x824e Light Lightness Status
      present_lightness:u16 ?+1(target_lightness:u16 remaining_time:bits8(steps:6 resolution:2))
    0x824f Light Lightness Linear Get
    0x8250 Light Lightness Linear Set
      lightness:u16 @transition
    0x8251 Light Lightness Linear Set Unacknowledged
      lightness:u16 @transition
    0x8252 Light Lightness Linear Status
      present_lightness:u16 ?+1(target_lightness:u16 remaining_time:bits8(steps:6 resolution:2))
    0x8253 Light Lightness Last Get
    0x8254 Light Lightness Last Status
      lightness:u16
    0x8255 Light Lightness Default Get
    0x8256 Light Lightness Default Status
      lightness:u16
    0x8257 Light Lightness Range Get
    0x8258 Light Lightness Range Status
      status_code:u8 range_min:u16 range_max:u16
    0x8259 Light Lightness Default Set
      lightness:u16
    0x825a Light Lightness Default Set Unacknowledged
      lightness:u16
    0x825b Light Lightness Range Set
      range_min:u16 range_max:u16
    0x825c Light Lightness Range Set Unacknowledged
      range_min:u16 range_max:u16
    0x825d Light CTL Get
    0x825e Light CTL Set
      ctl_lightness:u16 ctl_temperature:u16 ctl_delta_uv:i16 @transition
    0x825f Light CTL Set Unacknowledged
      ctl_lightness:u16 ctl_temperature:u16 ctl_delta_uv:i16 @transition
    0x8260 Light CTL Status
      present_ctl_lightness:u16 present_ctl_temperature:u16 ?+1(target_ctl_lightness:u16 target_ctl_temperature:u16
      remaining_time:bits8(steps:6 resolution:2))
    0x8261 Light CTL Temperature Get
    0x8262 Light CTL Temperature Range Get
    0x8263 Light CTL Temperature Range Status
      status_code:u8 range_min:u16 range_max:u16
    0x8264 Light CTL Temperature Set
      ctl_temperature:u16 ctl_delta_uv:i16 @transition
    0x8265 Light CTL Temperature Set Unacknowledged
      ctl_temperature:u16 ctl_delta_uv:i16 @transition
    0x8266 Light CTL Temperature Status
      present_ctl_temperature:u16 present_ctl_delta_uv:i16 ?+1(target_ctl_temperature:u16 target_ctl_delta_uv:i16
      remaining_time:bits8(steps:6 resolution:2))
    0x8267 Light CTL Default Get
    0x8268 Light CTL Default Status
      lightness:u16 temperature:u16 delta_uv:i16
    0x8269 Light CTL Default Set
      lightness:u16 temperature:u16 delta_uv:i16
    0x826a Light CTL Default Set Unacknowledged
      lightness:u16 temperature:u16 delta_uv:i16
    0x826b Light CTL Temperature Range Set
      range_min:u16 range_max:u16
    0x826c Light CTL Temperature Range Set Unacknowledged
      range_min:u16 range_max:u16
    0x826d Light HSL Get
    0x826e Light HSL Hue Get
    0x826f Light HSL Hue Set
      hue:u16 @transition
    0x8270 Light HSL Hue Set Unacknowledged
      hue:u16 @transition
    0x8271 Light HSL Hue Status
      present_hue:u16 ?+1(target_hue:u16 remaining_time:bits8(steps:6 resolution:2))
    0x8272 Light HSL Saturation Get
    0x8273 Light HSL Saturation Set
      saturation:u16 @transition
    0x8274 Light HSL Saturation Set Unacknowledged
      saturation:u16 @transition
    0x8275 Light HSL Saturation Status
      present_saturation:u16 ?+1(target_saturation:u16 remaining_time:bits8(steps:6 resolution:2))
    0x8276 Light HSL Set
      hsl_lightness:u16 hsl_hue:u16 hsl_saturation:u16 @transition
    0x8277 Light HSL Set Unacknowledged
      hsl_lightness:u16 hsl_hue:u16 hsl_saturation:u16 @transition
    0x8278 Light HSL Status
      hsl_lightness:u16 hsl_hue:u16 hsl_saturation:u16 @remaining
    0x8279 Light HSL Target Get
    0x827a Light HSL Target Status
      hsl_lightness_target:u16 hsl_hue_target:u16 hsl_saturation_target:u16 @remaining
    0x827b Light HSL Default Get
    0x827c Light HSL Default Status
      lightness:u16 hue:u16 saturation:u16
    0x827d Light HSL Range Get
    0x827e Light HSL Range Status
      status_code:u8 hue_range_min:u16 hue_range_max:u16 saturation_range_min:u16 saturation_range_max:u16
    0x827f Light HSL Default Set
      lightness:u16 hue:u16 saturation:u16
    0x8280 Light HSL Default Set Unacknowledged
      lightness:u16 hue:u16 saturation:u16
    0x8281 Light HSL Range Set
      hue_range_min:u16 hue_range_max:u16 saturation_range_min:u16 saturation_range_max:u16
    0x8282 Light HSL Range Set Unacknowledged
      hue_range_min:u16 hue_range_max:u16 saturation_range_min:u16 saturation_range_max:u16
    0x8283 Light xyL Get
    0x8284 Light xyL Set
      xyl_lightness:u16 xyl_x:u16 xyl_y:u16 @transition
    0x8285 Light xyL Set Unacknowledged
      xyl_lightness:u16 xyl_x:u16 xyl_y:u16 @transition
    0x8286 Light xyL Status
      xyl_lightness:u16 xyl_x:u16 xyl_y:u16 @remaining
    0x8287 Light xyL Target Get
    0x8288 Light xyL Target Status
      target_xyl_lightness:u16 target_xyl_x:u16 target_xyl_y:u16 @remaining
    0x8289 Light xyL Default Get
    0x828a Light xyL Default Status
      lightness:u16 xyl_x:u16 xyl_y:u16
    0x828b Light xyL Range Get
    0x828c Light xyL Range Status
      status_code:u8 xyl_x_range_min:u16 xyl_x_range_max:u16 xyl_y_range_min:u16 xyl_y_range_max:u16
    0x828d Light xyL Default Set
      lightness:u16 xyl_x:u16 xyl_y:u16
    0x828e Light xyL Default Set Unacknowledged
      lightness:u16 xyl_x:u16 xyl_y:u16
    0x828f Light xyL Range Set
      xyl_x_range_min:u16 xyl_x_range_max:u16 xyl_y_range_min:u16 xyl_y_range_max:u16
    0x8290 Light xyL Range Set Unacknowledged
      xyl_x_range_min:u16 xyl_x_range_max:u16 xyl_y_range_min:u16 xyl_y_range_max:u16
    0x8291 Light LC Mode Get
    0x8292 Light LC Mode Set
      mode:u8
    0x8293 Light LC Mode Set Unacknowledged
      mode:u8
    0x8294 Light LC Mode Status
      mode:u8
    0x8295 Light LC OM Get
    0x8296 Light LC OM Set
      mode:u8
    0x8297 Light LC OM Set Unacknowledged
      mode:u8
    0x8298 Light LC OM Status
      mode:u8
    0x8299 Light LC Light OnOff Get
    0x829a Light LC Light OnOff Set
      light_onoff:u8 @transition
    0x829b Light LC Light OnOff Set Unacknowledged
      light_onoff:u8 @transition
    0x829c Light LC Light OnOff Status
      present_light_onoff:u8 ?+1(target_light_onoff:u8 remaining_time:bits8(steps:6 resolution:2))
    0x829d Light LC Property Get
      light_lc_property_id:u16
    0x829e Scene Delete
      scene_number:u16
    0x829f Scene Delete Unacknowledged
      scene_number:u16
    """
}
