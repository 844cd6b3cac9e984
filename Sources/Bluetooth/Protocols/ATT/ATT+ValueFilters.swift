extension ATT {
  /// Filter fields of other values of attributes.
  static let valueFilters: StaticString = """
    # Attribute Protocol, what is wrong or signed
    btatt.handles_info none /07.handles_information_list val/2905?00=00[0:*]
    btatt.sign_counter u32 /d2[-12:4]
    btatt.signature bytes /d2[-8:8]
    btatt.uuid_format.unknown none /05?ff@1!01?ff@1!02[1:1]
    btatt.consent.out_of_bounds none val/2a9f?ff=01?80@2=80[1:2] val/2a9f?ff=01?c0@2=40[1:2] val/2a9f?ff=01?f0@2=30[1:2] val/2a9f?ff=01?f8@2=28[1:2] val/2a9f?ff=02?80@3=80[2:2] val/2a9f?ff=02?c0@3=40[2:2] val/2a9f?ff=02?f0@3=30[2:2] val/2a9f?ff=02?f8@3=28[2:2] val/2a9f?ff=01?ff@2=27?80@1=80[1:2] val/2a9f?ff=01?ff@2=27?c0@1=40[1:2] val/2a9f?ff=01?ff@2=27?e0@1=20[1:2] val/2a9f?ff=01?ff@2=27?f0@1=10[1:2] val/2a9f?ff=02?ff@3=27?80@2=80[2:2] val/2a9f?ff=02?ff@3=27?c0@2=40[2:2] val/2a9f?ff=02?ff@3=27?e0@2=20[2:2] val/2a9f?ff=02?ff@3=27?f0@2=10[2:2]
    btatt.opcode.invalid_request none val/2aac?ff=03[0:1] val/2aac?ff=06[0:1] val/2aac?ff=09[0:1] val/2aac?ff=0c[0:1] val/2aac?ff=0f[0:1] val/2aac?ff=12[0:1] val/2aac?ff=15[0:1] val/2aac?ff=18[0:1]
    btatt.opcode.invalid_response none val/2aac?ff=1c?ff@1=01[2:1] val/2aac?ff=1c?ff@1=02[2:1] val/2aac?ff=1c?ff@1=04[2:1] val/2aac?ff=1c?ff@1=05[2:1] val/2aac?ff=1c?ff@1=07[2:1] val/2aac?ff=1c?ff@1=08[2:1] val/2aac?ff=1c?ff@1=0a[2:1] val/2aac?ff=1c?ff@1=0b[2:1] val/2aac?ff=1c?ff@1=0d[2:1] val/2aac?ff=1c?ff@1=0e[2:1] val/2aac?ff=1c?ff@1=10[2:1] val/2aac?ff=1c?ff@1=11[2:1] val/2aac?ff=1c?ff@1=13[2:1] val/2aac?ff=1c?ff@1=14[2:1] val/2aac?ff=1c?ff@1=16[2:1] val/2aac?ff=1c?ff@1=17[2:1] val/2aac?ff=1c?ff@1=19[2:1] val/2aac?ff=1c?ff@1=1a[2:1] val/2aac?ff=1c?ff@1=1b[2:1]
    btatt.unexpected_data none val/000015311212efde1523785feabcd123?ff!01?ff!02?ff!08?ff!10?ff!11[1:1] val/000015311212efde1523785feabcd123?ff=01[2:1] val/000015311212efde1523785feabcd123?ff=02[2:1] val/000015311212efde1523785feabcd123?ff=08[3:1] val/000015311212efde1523785feabcd123?ff=10?ff@1!07[3:1] val/000015311212efde1523785feabcd123?ff=10?ff@1=07?ff@2!01[3:1] val/000015311212efde1523785feabcd123?ff=10?ff@1=07?ff@2=01[7:1] val/000015311212efde1523785feabcd123?ff=11[5:1]
    btatt.undecoded none val/2a4d,2acd,2ace,2acf,2ad0,2ad1,2ad2,2ad9?00=00[0:*]
    # Descriptors of attributes
    btatt.characteristic_configuration_client.reserved x16 val/2902[0:2]&fffc
    btatt.characteristic_configuration_server x16 val/2903[0:2]
    btatt.characteristic_configuration_server.reserved x16 val/2903[0:2]&fffe
    btatt.characteristic_configuration_server.broadcast bool val/2903[0:2]&1
    btatt.characteristic_extended_properties x16 val/2900[0:2]
    btatt.characteristic_extended_properties.reserved x16 val/2900[0:2]&fffc
    btatt.characteristic_extended_properties.writable_auxiliaries x16 val/2900[0:2]&2
    btatt.characteristic_extended_properties.reliable_write x16 val/2900[0:2]&1
    btatt.characteristic_presentation.format x8 val/2904[0:1]
    btatt.characteristic_presentation.exponent u8 val/2904[1:1]
    btatt.characteristic_presentation.unit x16 val/2904[2:2]
    btatt.characteristic_presentation.namespace x8 val/2904[4:1]
    btatt.characteristic_presentation.namespace_description x16 val/2904[5:2]
    btatt.esp.trigger_logic x8 val/290b[0:1]
    btatt.esp.condition x8 val/290d[0:1]
    btatt.esp.operand bytes val/290d[1:*]
    btatt.esp.flags x16 val/290c[0:2]&ffff
    btatt.esp.sampling_function x8 val/290c[2:1]
    btatt.esp.measurement_period u24 val/290c[3:3]
    btatt.esp.update_interval u24 val/290c[6:3]
    btatt.esp.application x8 val/290c[9:1]
    btatt.esp.measurement_uncertainty u8 val/290c[10:1]
    btatt.value_trigger_setting.condition u8 val/290a[0:1]
    btatt.value_trigger_setting.analog u16 val/290a?fe=02[1:2] val/290a?ff=01[1:2]
    btatt.value_trigger_setting.analog_one u16 val/290a?ff=06[1:2] val/290a?ff=05[1:2]
    btatt.value_trigger_setting.analog_two u16 val/290a?ff=06[3:2] val/290a?ff=05[3:2]
    btatt.digital u8 val/290a?ff=04[1:1] val/2a56,2a5a[0:1]
    btatt.number_of_digitals u8 val/2909[0:1]
    btatt.time_trigger_setting.condition x8 val/290e[0:1]
    btatt.time_trigger_setting.value u8 val/290e?ff=00[1:1]
    btatt.time_trigger_setting.count u16 val/290e?ff=03[1:2]
    btatt.time_trigger_setting.time_interval u24 val/290e?ff=02[1:3] val/290e?ff=01[1:3]
    btatt.valid_range.lower_inclusive_value none val/2906?00=00[0:*]
    btatt.valid_range.upper_inclusive_value none val/2906?00=00[0:*]
    # micro:bit
    btgatt.microbit.accelerometer.data bytes val/e95dca4b251d470aa062fa1922dfa9a8?00@5=00[0:*]
    btgatt.microbit.accelerometer.period u16 val/e95dfb24251d470aa062fa1922dfa9a8[0:2]
    btgatt.microbit.magnetometer.data bytes val/e95dfb11251d470aa062fa1922dfa9a8?00@5=00[0:*]
    btgatt.microbit.magnetometer.period u16 val/e95d386c251d470aa062fa1922dfa9a8[0:2]
    btgatt.microbit.magnetometer.bearing u16 val/e95d9715251d470aa062fa1922dfa9a8[0:2]
    btgatt.microbit.button.a u8 val/e95dda90251d470aa062fa1922dfa9a8[0:1]
    btgatt.microbit.button.b u8 val/e95dda91251d470aa062fa1922dfa9a8[0:1]
    btgatt.microbit.pin_data bytes val/e95d8d00251d470aa062fa1922dfa9a8[0:2]*
    btgatt.microbit.pin_data.value u16 =
    btgatt.microbit.pin_data.number u8 val/e95d8d00251d470aa062fa1922dfa9a8[0:2]*&ff
    btgatt.microbit.pin_ad_config.value x24 val/e95d5899251d470aa062fa1922dfa9a8[0:3]
    btgatt.microbit.pin_ad_config.pin0 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&1
    btgatt.microbit.pin_ad_config.pin1 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&2
    btgatt.microbit.pin_ad_config.pin2 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&4
    btgatt.microbit.pin_ad_config.pin3 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&8
    btgatt.microbit.pin_ad_config.pin4 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&10
    btgatt.microbit.pin_ad_config.pin5 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&20
    btgatt.microbit.pin_ad_config.pin6 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&40
    btgatt.microbit.pin_ad_config.pin7 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&80
    btgatt.microbit.pin_ad_config.pin8 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&100
    btgatt.microbit.pin_ad_config.pin9 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&200
    btgatt.microbit.pin_ad_config.pin10 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&400
    btgatt.microbit.pin_ad_config.pin11 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&800
    btgatt.microbit.pin_ad_config.pin12 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&1000
    btgatt.microbit.pin_ad_config.pin13 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&2000
    btgatt.microbit.pin_ad_config.pin14 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&4000
    btgatt.microbit.pin_ad_config.pin15 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&8000
    btgatt.microbit.pin_ad_config.pin16 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&10000
    btgatt.microbit.pin_ad_config.pin17 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&20000
    btgatt.microbit.pin_ad_config.pin18 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&40000
    btgatt.microbit.pin_ad_config.pin19 bool val/e95d5899251d470aa062fa1922dfa9a8[0:3]&80000
    btgatt.microbit.pin_io_config.value x24 val/e95db9fe251d470aa062fa1922dfa9a8[0:3]
    btgatt.microbit.pin_io_config.pin0 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&1
    btgatt.microbit.pin_io_config.pin1 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&2
    btgatt.microbit.pin_io_config.pin2 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&4
    btgatt.microbit.pin_io_config.pin3 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&8
    btgatt.microbit.pin_io_config.pin4 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&10
    btgatt.microbit.pin_io_config.pin5 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&20
    btgatt.microbit.pin_io_config.pin6 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&40
    btgatt.microbit.pin_io_config.pin7 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&80
    btgatt.microbit.pin_io_config.pin8 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&100
    btgatt.microbit.pin_io_config.pin9 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&200
    btgatt.microbit.pin_io_config.pin10 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&400
    btgatt.microbit.pin_io_config.pin11 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&800
    btgatt.microbit.pin_io_config.pin12 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&1000
    btgatt.microbit.pin_io_config.pin13 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&2000
    btgatt.microbit.pin_io_config.pin14 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&4000
    btgatt.microbit.pin_io_config.pin15 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&8000
    btgatt.microbit.pin_io_config.pin16 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&10000
    btgatt.microbit.pin_io_config.pin17 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&20000
    btgatt.microbit.pin_io_config.pin18 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&40000
    btgatt.microbit.pin_io_config.pin19 bool val/e95db9fe251d470aa062fa1922dfa9a8[0:3]&80000
    btgatt.microbit.pwm_control bytes val/e95dd822251d470aa062fa1922dfa9a8[0:*]
    btgatt.microbit.led_matrix bytes val/e95d7b77251d470aa062fa1922dfa9a8[0:*]
    btgatt.microbit.led_text string val/e95d93ee251d470aa062fa1922dfa9a8[0:*]
    btgatt.microbit.scrolling_delay u16 val/e95d0d2d251d470aa062fa1922dfa9a8[0:2]
    btgatt.microbit.microbit_requirements bytes val/e95db84c251d470aa062fa1922dfa9a8[0:*]
    btgatt.microbit.microbit_event bytes val/e95d9775251d470aa062fa1922dfa9a8[0:*]
    btgatt.microbit.client_requirements bytes val/e95d23c4251d470aa062fa1922dfa9a8[0:*]
    btgatt.microbit.client_event bytes val/e95d5404251d470aa062fa1922dfa9a8[0:*]
    btgatt.microbit.dfu_control u8 val/e95d93b1251d470aa062fa1922dfa9a8[0:1]
    btgatt.microbit.temperature.value i8 val/e95d9250251d470aa062fa1922dfa9a8[0:1]
    btgatt.microbit.temperature.period u16 val/e95d1b25251d470aa062fa1922dfa9a8[0:2]
    btgatt.microbit.accelerometer.x milli val/e95dca4b251d470aa062fa1922dfa9a8[0:2]
    btgatt.microbit.accelerometer.y milli val/e95dca4b251d470aa062fa1922dfa9a8[2:2]
    btgatt.microbit.accelerometer.z milli val/e95dca4b251d470aa062fa1922dfa9a8[4:2]
    btgatt.microbit.magnetometer.x milli val/e95dfb11251d470aa062fa1922dfa9a8[0:2]
    btgatt.microbit.magnetometer.y milli val/e95dfb11251d470aa062fa1922dfa9a8[2:2]
    btgatt.microbit.magnetometer.z milli val/e95dfb11251d470aa062fa1922dfa9a8[4:2]
    # Nordic
    btgatt.nordic.uart_tx string val/6e400002b5a3f393e0a9e50e24dcca9e[0:*]
    btgatt.nordic.uart_rx string val/6e400003b5a3f393e0a9e50e24dcca9e[0:*]
    btgatt.nordic.dfu.packet bytes val/000015321212efde1523785feabcd123[0:*]
    btgatt.nordic.dfu.control_point.opcode u8 val/000015311212efde1523785feabcd123[0:1]
    btgatt.nordic.dfu.control_point.init_packet x8 val/000015311212efde1523785feabcd123?ff=02[1:1]
    btgatt.nordic.dfu.control_point.image_type x8 val/000015311212efde1523785feabcd123?ff=01[1:1]
    btgatt.nordic.dfu.control_point.number_of_bytes u32 val/000015311212efde1523785feabcd123?ff=11[1:4] val/000015311212efde1523785feabcd123?ff=10?ff@1=07?ff@2=01[3:4]
    btgatt.nordic.dfu.control_point.number_of_packets u16 val/000015311212efde1523785feabcd123?ff=08[1:2]
    btgatt.nordic.dfu.control_point.request_opcode u8 val/000015311212efde1523785feabcd123?ff=10[1:1]
    btgatt.nordic.dfu.control_point.response_value u8 val/000015311212efde1523785feabcd123?ff=10[2:1]
    # Object transfer
    btatt.ots.oacp x32 val/2abd[0:4]
    btatt.ots.oacp.reserved bool val/2abd[0:4]&fffffc00
    btatt.ots.oacp.abort bool val/2abd[0:4]&200
    btatt.ots.oacp.patching_of_object bool val/2abd[0:4]&100
    btatt.ots.oacp.truncation_of_objects bool val/2abd[0:4]&80
    btatt.ots.oacp.appending_additional_data_to_object bool val/2abd[0:4]&40
    btatt.ots.oacp.write bool val/2abd[0:4]&20
    btatt.ots.oacp.read bool val/2abd[0:4]&10
    btatt.ots.oacp.execute bool val/2abd[0:4]&8
    btatt.ots.oacp.calculate_checksum bool val/2abd[0:4]&4
    btatt.ots.oacp.delete bool val/2abd[0:4]&2
    btatt.ots.oacp.create bool val/2abd[0:4]&1
    btatt.ots.olcp x32 val/2abd[4:4]
    btatt.ots.olcp.reserved bool val/2abd[4:4]&fffffff0
    btatt.ots.olcp.clear_marking bool val/2abd[4:4]&8
    btatt.ots.olcp.request_number_of_objects bool val/2abd[4:4]&4
    btatt.ots.olcp.order bool val/2abd[4:4]&2
    btatt.ots.olcp.go_to bool val/2abd[4:4]&1
    btatt.ots.object_name string val/2abe[0:*]
    btatt.ots.current_size u32 val/2ac0[0:4]
    btatt.ots.allocated_size u32 val/2ac0[4:4]
    btatt.ots.object_id x48 val/2ac3[0:6] val/2ac6?ff=05[1:6] val/2ac8[1:6]
    btatt.ots.properties x32 val/2ac4[0:4]
    btatt.ots.properties.reserved bool val/2ac4[0:4]&ffffff00
    btatt.ots.properties.mark bool val/2ac4[0:4]&80
    btatt.ots.properties.patch bool val/2ac4[0:4]&40
    btatt.ots.properties.truncate bool val/2ac4[0:4]&20
    btatt.ots.properties.append bool val/2ac4[0:4]&10
    btatt.ots.properties.write bool val/2ac4[0:4]&8
    btatt.ots.properties.read bool val/2ac4[0:4]&4
    btatt.ots.properties.execute bool val/2ac4[0:4]&2
    btatt.ots.properties.delete bool val/2ac4[0:4]&1
    btatt.ots.flags x8 val/2ac8[0:1]
    btatt.ots.flags.reserved bool val/2ac8[0:1]&e0
    btatt.ots.flags.object_deletion bool val/2ac8[0:1]&10
    btatt.ots.flags.object_creation bool val/2ac8[0:1]&8
    btatt.ots.flags.change_occurred_to_the_object_metadata bool val/2ac8[0:1]&4
    btatt.ots.flags.change_occurred_to_the_object_contents bool val/2ac8[0:1]&2
    btatt.ots.flags.source_of_change bool val/2ac8[0:1]&1
    btatt.ots.action.opcode x8 val/2ac5[0:1]
    btatt.ots.size u32 val/2ac5?ff=01[1:4]
    btatt.ots.offset u32 val/2ac5?ff=06[1:4] val/2ac5?ff=05[1:4] val/2ac5?ff=03[1:4]
    btatt.ots.length u32 val/2ac5?ff=06[5:4] val/2ac5?ff=05[5:4] val/2ac5?ff=03[5:4]
    btatt.ots.execute_data bytes val/2ac5?ff=04?00@1=00[1:*] val/2ac5?ff=60?ff@1=04?00@3=00[3:*]
    btatt.ots.action.response_opcode x8 val/2ac5?ff=60[1:1]
    btatt.ots.action.result_code x8 val/2ac5?ff=60[2:1]
    btatt.ots.checksum u32 val/2ac5?ff=60?ff@1=03[3:4]
    btatt.ots.list.opcode x8 val/2ac6[0:1]
    btatt.ots.list.order x8 val/2ac6?ff=06[1:1]
    btatt.ots.list.response_opcode x8 val/2ac6?ff=70[1:1]
    btatt.ots.list.result_code x8 val/2ac6?ff=70[2:1]
    btatt.ots.list.total_number_of_objects u32 val/2ac6?ff=70?ff@1=07[3:4]
    btatt.ots.filter x8 val/2ac7[0:1]
    btatt.ots.size_from u32 val/2ac7?fe=08[1:4]
    btatt.ots.size_to u32 val/2ac7?fe=08[5:4]
    btatt.ots.name_string string val/2ac7?fe=02[1:*] val/2ac7?ff=04[1:*] val/2ac7?ff=01[1:*]
    btatt.ots.first_created none val/2ac1?00=00[0:*]
    btatt.ots.last_modified none val/2ac2?00=00[0:*]
    # Bond management
    btatt.bond_management_feature x24 val/2aa5[0:3]
    btatt.bond_management_feature.feature_extension bool val/2aa5[0:3]&800000
    btatt.bond_management_feature.reserved x24 val/2aa5[0:3]&780000
    btatt.bond_management_feature.identify_yourself bool val/2aa5[0:3]&40000
    btatt.bond_management_feature.authorization_code_required_for_feature_above.9 bool val/2aa5[0:3]&20000
    btatt.bond_management_feature.remove_all_but_the_active_bond_on_le_transport_only_server bool val/2aa5[0:3]&10000
    btatt.bond_management_feature.authorization_code_required_for_feature_above.8 bool val/2aa5[0:3]&8000
    btatt.bond_management_feature.remove_all_but_the_active_bond_on_br_edr_transport_only_server bool val/2aa5[0:3]&4000
    btatt.bond_management_feature.authorization_code_required_for_feature_above.7 bool val/2aa5[0:3]&2000
    btatt.bond_management_feature.remove_all_but_the_active_bond_on_br_edr_and_le_server bool val/2aa5[0:3]&1000
    btatt.bond_management_feature.authorization_code_required_for_feature_above.6 bool val/2aa5[0:3]&800
    btatt.bond_management_feature.remove_all_bonds_on_le_transport_only_server bool val/2aa5[0:3]&400
    btatt.bond_management_feature.authorization_code_required_for_feature_above.5 bool val/2aa5[0:3]&200
    btatt.bond_management_feature.remove_all_bonds_on_br_edr_transport_only_server bool val/2aa5[0:3]&100
    btatt.bond_management_feature.authorization_code_required_for_feature_above.4 bool val/2aa5[0:3]&80
    btatt.bond_management_feature.remove_all_bonds_on_br_edr_and_le_server bool val/2aa5[0:3]&40
    btatt.bond_management_feature.authorization_code_required_for_feature_above.3 bool val/2aa5[0:3]&20
    btatt.bond_management_feature.delete_bond_of_current_le_transport_only_connection bool val/2aa5[0:3]&10
    btatt.bond_management_feature.authorization_code_required_for_feature_above.2 bool val/2aa5[0:3]&8
    btatt.bond_management_feature.delete_bond_of_current_br_edr_transport_only_connection bool val/2aa5[0:3]&4
    btatt.bond_management_feature.authorization_code_required_for_feature_above.1 bool val/2aa5[0:3]&2
    btatt.bond_management_feature.delete_bond_of_current_br_edr_and_le_connection bool val/2aa5[0:3]&1
    btatt.bond_management_feature.nth x8 val/2aa5?80@2=80[3:1] val/2aa5?80@2=80?80@3=80[4:1] val/2aa5?80@2=80?80@3=80?80@4=80[5:1] val/2aa5?80@2=80?80@3=80?80@4=80?80@5=80[6:1] val/2aa5?80@2=80?80@3=80?80@4=80?80@5=80?80@6=80[7:1]
    btatt.bond_management_feature.nth.feature_extension bool val/2aa5?80@2=80[3:1]&80 val/2aa5?80@2=80?80@3=80[4:1]&80 val/2aa5?80@2=80?80@3=80?80@4=80[5:1]&80 val/2aa5?80@2=80?80@3=80?80@4=80?80@5=80[6:1]&80 val/2aa5?80@2=80?80@3=80?80@4=80?80@5=80?80@6=80[7:1]&80
    btatt.bond_management_feature.nth.reserved x8 val/2aa5?80@2=80[3:1]&7f val/2aa5?80@2=80?80@3=80[4:1]&7f val/2aa5?80@2=80?80@3=80?80@4=80[5:1]&7f val/2aa5?80@2=80?80@3=80?80@4=80?80@5=80[6:1]&7f val/2aa5?80@2=80?80@3=80?80@4=80?80@5=80?80@6=80[7:1]&7f
    btatt.bond_management_control_point.opcode x8 val/2aa4[0:1]
    btatt.bond_management_control_point.authorization_code string val/2aa4?00@1=00[1:*]
    # Alerts
    btatt.alert.status x8 val/2a3f[0:1]
    btatt.alert.status.reserved x8 val/2a3f[0:1]&f8
    btatt.alert.status.display_alert_status bool val/2a3f[0:1]&4
    btatt.alert.status.vibrate_state bool val/2a3f[0:1]&2
    btatt.alert_status.ringer_state bool val/2a3f[0:1]&1
    btatt.ringer_control_point x8 val/2a40[0:1]
    btatt.ringer_setting x8 val/2a41[0:1]
    btatt.alert.category_id_bitmask_1 x8 val/2a42,2a47,2a48[0:1]
    btatt.alert.category_id_bitmask_1.schedule x8 val/2a42,2a47,2a48[0:1]&80
    btatt.alert.category_id_bitmask_1.voice_mail x8 val/2a42,2a47,2a48[0:1]&40
    btatt.alert.category_id_bitmask_1.sms_mms x8 val/2a42,2a47,2a48[0:1]&20
    btatt.alert.category_id_bitmask_1.missed_call x8 val/2a42,2a47,2a48[0:1]&10
    btatt.alert.category_id_bitmask_1.call x8 val/2a42,2a47,2a48[0:1]&8
    btatt.alert.category_id_bitmask_1.news x8 val/2a42,2a47,2a48[0:1]&4
    btatt.alert.category_id_bitmask_1.email x8 val/2a42,2a47,2a48[0:1]&2
    btatt.alert.category_id_bitmask_1.simple_alert x8 val/2a42,2a47,2a48[0:1]&1
    btatt.alert.category_id_bitmask_2 x8 val/2a42,2a47,2a48[1:1]
    btatt.alert.category_id_bitmask_2.reserved x8 val/2a42,2a47,2a48[1:1]&fc
    btatt.alert.category_id_bitmask_2.instant_message x8 val/2a42,2a47,2a48[1:1]&2
    btatt.alert.category_id_bitmask_2.high_prioritized_alert x8 val/2a42,2a47,2a48[1:1]&1
    btatt.alert.category_id x8 val/2a43,2a45,2a46[0:1] val/2a44[1:1]
    btatt.alert.command_id x8 val/2a44[0:1]
    btatt.alert.unread_count u8 val/2a45[1:1]
    btatt.alert.number_of_new_alert u8 val/2a46[1:1]
    btatt.text_string_information string val/2a46?00@2=00[2:*]
    # HTTP proxy and transport discovery
    btatt.uri string val/2ab6[0:*]
    btatt.http_headers string val/2ab7[0:*]
    btatt.http_status_code u16 val/2ab8[0:2]
    btatt.http_data_status x8 val/2ab8[2:1]
    btatt.http_data_status.headers_received bool val/2ab8[2:1]&1
    btatt.http_data_status.headers_truncated bool val/2ab8[2:1]&2
    btatt.http_data_status.body_received bool val/2ab8[2:1]&4
    btatt.http_data_status.body_truncated bool val/2ab8[2:1]&8
    btatt.http_data_status.reserved x8 val/2ab8[2:1]&f0
    btatt.http_entity_body string val/2ab9[0:*]
    btatt.https_security x8 val/2abb[0:1]
    btatt.tds.opcode x8 val/2abc[0:1]
    btatt.tds.organization_id x8 =
    btatt.tds.result_code x8 =
    btatt.tds.data bytes val/2abc?00@2=00[2:*]
    # HID over GATT and scan parameters
    btatt.hogp.protocol_mode x8 val/2a4e[0:1]
    btatt.hogp.bcd_hid x16 val/2a4a[0:2]
    btatt.hogp.b_country_code x8 val/2a4a[2:1]
    btatt.hogp.flags x8 val/2a4a[3:1]
    btatt.hogp.flags.reserved x8 val/2a4a[3:1]&fc
    btatt.hogp.flags.normally_connectable bool val/2a4a[3:1]&2
    btatt.hogp.flags.remote_wake bool val/2a4a[3:1]&1
    btatt.scan_refresh x8 val/2a31[0:1]
    btatt.hogp.hid_control_point_command x8 val/2a4c[0:1]
    btatt.le_scan_interval x16 val/2a4f[0:2]
    btatt.le_scan_window x16 val/2a4f[2:2]
    # Time
    btatt.year u16 val/2a08,2a0a,2a0b,2a0c,2a11,2a2b,2a85,2a86,2aaa[0:2] val/2ac2?00@6=00[0:2] val/2ac1?00@6=00[0:2] val/2a15?00@8=00[0:2] val/2a18[3:2] val/2a1c,2a1e?02=02[5:2] val/2a35,2a36?02=02[7:2] val/2a5e?01=01?00@11=00[5:2] val/2a67?40=40[2+2?01+3?02+8?04+3?08+2?10+1?20:2] val/2a68?04=04[6+3?01+3?02:2] val/2a9c?02=02[4:2] val/2a9d?02=02[3:2] val/2a66?ff=20?ff@1=0f?ff@2=01[3:2] val/2ac7?fe=06?00@7=00[1:2] val/2ac7?fe=06?00@14=00[8:2]
    btatt.month u8 val/2a08,2a0a,2a0b,2a0c,2a11,2a2b,2a85,2a86,2aaa[2:1] val/2ac2?00@6=00[2:1] val/2ac1?00@6=00[2:1] val/2a15?00@8=00[2:1] val/2a18[5:1] val/2a1c,2a1e?02=02[7:1] val/2a35,2a36?02=02[9:1] val/2a5e?01=01?00@11=00[7:1] val/2a67?40=40[4+2?01+3?02+8?04+3?08+2?10+1?20:1] val/2a68?04=04[8+3?01+3?02:1] val/2a9c?02=02[6:1] val/2a9d?02=02[5:1] val/2a66?ff=20?ff@1=0f?ff@2=01[5:1] val/2ac7?fe=06?00@7=00[3:1] val/2ac7?fe=06?00@14=00[10:1]
    btatt.day u8 val/2a08,2a0a,2a0b,2a0c,2a11,2a2b,2a85,2a86,2aaa[3:1] val/2ac2?00@6=00[3:1] val/2ac1?00@6=00[3:1] val/2a15?00@8=00[3:1] val/2a18[6:1] val/2a1c,2a1e?02=02[8:1] val/2a35,2a36?02=02[10:1] val/2a5e?01=01?00@11=00[8:1] val/2a67?40=40[5+2?01+3?02+8?04+3?08+2?10+1?20:1] val/2a68?04=04[9+3?01+3?02:1] val/2a9c?02=02[7:1] val/2a9d?02=02[6:1] val/2a66?ff=20?ff@1=0f?ff@2=01[6:1] val/2ac7?fe=06?00@7=00[4:1] val/2ac7?fe=06?00@14=00[11:1]
    btatt.hours u8 val/2a08,2a0a,2a0b,2a0c,2a11,2a2b,2aaa[4:1] val/2ac2?00@6=00[4:1] val/2ac1?00@6=00[4:1] val/2a15?00@8=00[4:1] val/2a18[7:1] val/2a1c,2a1e?02=02[9:1] val/2a35,2a36?02=02[11:1] val/2a5e?01=01?00@11=00[9:1] val/2a67?40=40[6+2?01+3?02+8?04+3?08+2?10+1?20:1] val/2a68?04=04[10+3?01+3?02:1] val/2a9c?02=02[8:1] val/2a9d?02=02[7:1] val/2a66?ff=20?ff@1=0f?ff@2=01[7:1] val/2ac7?fe=06?00@7=00[5:1] val/2ac7?fe=06?00@14=00[12:1]
    btatt.minutes u8 val/2a08,2a0a,2a0b,2a0c,2a11,2a2b,2aaa[5:1] val/2ac2?00@6=00[5:1] val/2ac1?00@6=00[5:1] val/2a15?00@8=00[5:1] val/2a18[8:1] val/2a1c,2a1e?02=02[10:1] val/2a35,2a36?02=02[12:1] val/2a5e?01=01?00@11=00[10:1] val/2a67?40=40[7+2?01+3?02+8?04+3?08+2?10+1?20:1] val/2a68?04=04[11+3?01+3?02:1] val/2a9c?02=02[9:1] val/2a9d?02=02[8:1] val/2a66?ff=20?ff@1=0f?ff@2=01[8:1] val/2ac7?fe=06?00@7=00[6:1] val/2ac7?fe=06?00@14=00[13:1]
    btatt.seconds u8 val/2a08,2a0a,2a0b,2a0c,2a11,2a2b,2aaa[6:1] val/2ac2?00@6=00[6:1] val/2ac1?00@6=00[6:1] val/2a15?00@8=00[6:1] val/2a18[9:1] val/2a1c,2a1e?02=02[11:1] val/2a35,2a36?02=02[13:1] val/2a5e?01=01?00@11=00[11:1] val/2a67?40=40[8+2?01+3?02+8?04+3?08+2?10+1?20:1] val/2a68?04=04[12+3?01+3?02:1] val/2a9c?02=02[10:1] val/2a9d?02=02[9:1] val/2a66?ff=20?ff@1=0f?ff@2=01[9:1] val/2ac7?fe=06?00@7=00[7:1] val/2ac7?fe=06?00@14=00[14:1]
    btatt.day_of_week u8 val/2a09[0:1] val/2a0a,2a0b,2a0c,2a2b[7:1] val/2a15?00@8=00[7:1]
    btatt.fractions100 u8 val/2a0b[8:1]
    btatt.fractions256 u8 val/2a0c,2a2b[8:1] val/2a15?00@8=00[8:1]
    btatt.dst_offset x8 val/2a0d[0:1] val/2a0f[1:1] val/2a10[2:1] val/2a11[7:1] val/2a15?00@10=00[10:1] val/2aaa[8:1]
    btatt.timezone i8 val/2a0e,2a0f[0:1] val/2a10[1:1] val/2a15?00@10=00[9:1] val/2aaa[7:1]
    btatt.time_accuracy u8 val/2a12[0:1] val/2a14[1:1] val/2a15?00@14=00[12:1]
    btatt.time_source u8 val/2a13,2a14[0:1] val/2a15?00@14=00[11:1]
    btatt.days_since_update u8 val/2a14[2:1] val/2a15?00@14=00[13:1]
    btatt.hours_since_update u8 val/2a14[3:1] val/2a15?00@14=00[14:1]
    btatt.update_control_point x8 val/2a16[0:1]
    btatt.time_current_state x8 val/2a17[0:1]
    btatt.time_result x8 val/2a17[1:1]
    btatt.adjust_reason x8 val/2a2b[9:1]
    btatt.adjust_reason.reserved x8 val/2a2b[9:1]&f0
    btatt.adjust_reason.change_of_dst bool val/2a2b[9:1]&8
    btatt.adjust_reason.change_of_timezone bool val/2a2b[9:1]&4
    btatt.adjust_reason.external_reference_time_update bool val/2a2b[9:1]&2
    btatt.adjust_reason.manual_time_update bool val/2a2b[9:1]&1
    btatt.timezone_information x8 val/2a10[0:1]
    btatt.timezone_information.information u8 val/2a10[0:1]&7f
    btatt.timezone_information.information_type bool val/2a10[0:1]&80
    # Regulatory certification
    btatt.regulatory_certification_data_list.count u16 val/2a2a[0:2]
    btatt.regulatory_certification_data_list.length u16 val/2a2a[2:2]
    btatt.regulatory_certification_data_list.item none =
    btatt.regulatory_certification_data_list.item.authorization_body u8 =
    btatt.regulatory_certification_data_list.item.authorization_body_structure_type u8 =
    btatt.regulatory_certification_data_list.item.length u16 =
    btatt.regulatory_certification_data_list.item.authorizing_body_data none =
    btatt.regulatory_certification_data_list.item.authorizing_body_data.major_ig_version u8 =
    btatt.regulatory_certification_data_list.item.authorizing_body_data.minor_ig_version u8 =
    btatt.regulatory_certification_data_list.item.certified_device_class_list none =
    btatt.regulatory_certification_data_list.item.certified_device_class_list.count u16 =
    btatt.regulatory_certification_data_list.item.certified_device_class_list.length u16 =
    btatt.regulatory_certification_data_list.item.certified_device_class_list.entry u16 =
    btatt.regulatory_certification_data_list.item.regulation_bit_field_type x16 =
    btatt.regulatory_certification_data_list.item.data none =
    # Generic access and device information
    btatt.appearance.category u16 val/2a01[0:2]&ffc0
    btatt.appearance.subcategory u16 val/2a01?ff@1!00?ff@1!03?ff@1!04?ff@1!0c?ff@1!0d?ff@1!14[0:2]&3f val/2a01?ff@1=00?c0!c0[0:2]&3f val/2a01?ff@1=04?c0!40?c0!80[0:2]&3f val/2a01?ff@1=0c?c0!40?c0!c0[0:2]&3f val/2a01?ff@1=0d?c0!40[0:2]&3f val/2a01?ff@1=14?c0!40[0:2]&3f
    btatt.appearance.subcategory.watch u16 val/2a01?ff@1=00?c0=c0[0:2]&3f
    btatt.appearance.subcategory.thermometer u16 val/2a01?ff@1=03?c0=00[0:2]&3f
    btatt.appearance.subcategory.heart_rate u16 val/2a01?ff@1=03?c0=40[0:2]&3f
    btatt.appearance.subcategory.blood_pressure u16 val/2a01?ff@1=03?c0=80[0:2]&3f
    btatt.appearance.subcategory.hid u16 val/2a01?ff@1=03?c0=c0[0:2]&3f
    btatt.appearance.subcategory.running_walking_sensor u16 val/2a01?ff@1=04?c0=40[0:2]&3f
    btatt.appearance.subcategory.cycling u16 val/2a01?ff@1=04?c0=80[0:2]&3f
    btatt.appearance.subcategory.pulse_oximeter u16 val/2a01?ff@1=0c?c0=40[0:2]&3f
    btatt.appearance.subcategory.personal_mobility_device u16 val/2a01?ff@1=0c?c0=c0[0:2]&3f
    btatt.appearance.subcategory.insulin_pump u16 val/2a01?ff@1=0d?c0=40[0:2]&3f
    btatt.appearance.subcategory.outdoor_sports_activity u16 val/2a01?ff@1=14?c0=40[0:2]&3f
    btatt.peripheral_privacy_flag bool val/2a02[0:1]
    btatt.reconnection_address ether val/2a03[0:6]
    btatt.system_id.manufacturer_identifier x40 val/2a23[0:5]
    btatt.system_id.organizationally_unique_identifier u24 val/2a23[5:3]
    btatt.battery_level u8 val/2a19,2a1b[0:1]
    btatt.battery_power_state x8 val/2a1a[0:1] val/2a1b[1:1]
    btatt.battery_power_state.level x8 val/2a1a[0:1]&c0 val/2a1b[1:1]&c0
    btatt.battery_power_state.charging x8 val/2a1a[0:1]&30 val/2a1b[1:1]&30
    btatt.battery_power_state.discharging x8 val/2a1a[0:1]&c val/2a1b[1:1]&c
    btatt.battery_power_state.present x8 val/2a1a[0:1]&3 val/2a1b[1:1]&3
    btatt.central_address_resolution u8 val/2aa6[0:1]
    btatt.resolvable_private_address u8 val/2ac9[0:1]
    # Environmental sensing
    btatt.magnetic_declination x16 val/2a2c[0:2]
    btatt.elevation i24 val/2a30?00@10=00[8:3] val/2a6c[0:3]
    btatt.pressure x32 val/2a6d[0:4]
    btatt.temperature i16 val/2a6e[0:2]
    btatt.humidity x16 val/2a6f[0:2]
    btatt.true_wind_speed x16 val/2a70[0:2]
    btatt.true_wind_direction u16 val/2a71[0:2]
    btatt.apparent_wind_speed x16 val/2a72[0:2]
    btatt.apparent_wind_direction u16 val/2a73[0:2]
    btatt.gust_factor x8 val/2a74[0:1]
    btatt.pollen_concentration i24 val/2a75[0:3]
    btatt.uv_index u8 val/2a76[0:1]
    btatt.irradiance x16 val/2a77[0:2]
    btatt.rainfall x16 val/2a78[0:2]
    btatt.wind_chill i8 val/2a79[0:1]
    btatt.heart_index i8 val/2a7a[0:1]
    btatt.dew_point i8 val/2a7b[0:1]
    btatt.descriptor_value_changed.flags x16 val/2a7d[0:2]
    btatt.descriptor_value_changed.flags.reserved bool val/2a7d[0:2]&f800
    btatt.descriptor_value_changed.flags.change_to_characteristic_user_description_descriptor bool val/2a7d[0:2]&10
    btatt.descriptor_value_changed.flags.change_to_es_measurement_descriptor bool val/2a7d[0:2]&8
    btatt.descriptor_value_changed.flags.change_to_es_configuration_descriptor bool val/2a7d[0:2]&4
    btatt.descriptor_value_changed.flags.change_to_one_or_more_es_trigger_setting_descriptors bool val/2a7d[0:2]&2
    btatt.descriptor_value_changed.flags.source_of_change bool val/2a7d[0:2]&1
    btatt.hf_btatt_magnetic_flux_density.x i16 val/2aa0,2aa1[0:2]
    btatt.hf_btatt_magnetic_flux_density.y i16 val/2aa0,2aa1[2:2]
    btatt.hf_btatt_magnetic_flux_density.z i16 val/2aa1[4:2]
    btatt.barometric_pressure_trend u8 val/2aa3[0:1]
    btatt.temperature_celsius i16 val/2a1f[0:2]
    btatt.temperature_fahrenheit i16 val/2a20[0:2]
    # User data
    btatt.aerobic_heart_rate_lower_limit u8 val/2a7e[0:1]
    btatt.aerobic_threshold u8 val/2a7f[0:1]
    btatt.age u8 val/2a80[0:1]
    btatt.anaerobic_heart_rate_lower_limit u8 val/2a81[0:1]
    btatt.anaerobic_heart_rate_upper_limit u8 val/2a82[0:1]
    btatt.anaerobic_threshold u8 val/2a83[0:1]
    btatt.aerobic_heart_rate_upper_limit u8 val/2a84[0:1]
    btatt.email_address string val/2a87[0:*]
    btatt.fat_burn_heart_rate_lower_limit u8 val/2a88[0:1]
    btatt.fat_burn_heart_rate_upper_limit u8 val/2a89[0:1]
    btatt.first_name string val/2a8a[0:*]
    btatt.five_zone_heart_rate_limits.very_light_light_limit u8 val/2a8b[0:1]
    btatt.five_zone_heart_rate_limits.light_moderate_limit u8 val/2a8b[1:1]
    btatt.five_zone_heart_rate_limits.moderate_hard_limit u8 val/2a8b[2:1]
    btatt.five_zone_heart_rate_limits.hard_maximum_limit u8 val/2a8b[3:1]
    btatt.gender x8 val/2a8c[0:1]
    btatt.heart_rate_max u8 val/2a8d[0:1]
    btatt.height u16 val/2a8e[0:2]
    btatt.hip_circumference u16 val/2a8f[0:2]
    btatt.last_name string val/2a90[0:*]
    btatt.maximum_recommended_heart_rate u8 val/2a91[0:1]
    btatt.resting_heart_rate u8 val/2a92[0:1]
    btatt.sport_type_for_aerobic_and_anaerobic_thresholds u8 val/2a93[0:1]
    btatt.three_zone_heart_rate_limits.light_moderate u8 val/2a94[0:1]
    btatt.three_zone_heart_rate_limits.moderate_hard u8 val/2a94[1:1]
    btatt.two_zone_heart_rate_limit.fat_burn_fitness u8 val/2a95[0:1]
    btatt.vo2_max u8 val/2a96[0:1]
    btatt.waist_circumference u16 val/2a97[0:2]
    btatt.database_change_increment u32 val/2a99[0:4]
    btatt.user_index u8 val/2a9a[0:1] val/2a9f?ff=02[1:1] val/2a9f?ff=20?ff@1=01?ff@2=01[3:1]
    btatt.language string val/2aa2[0:*]
    btatt.user_control_point.opcode x8 val/2a9f[0:1]
    btatt.user_control_point.request_opcode x8 val/2a9f?ff=20[1:1]
    btatt.user_control_point.response_value x8 val/2a9f?ff=20[2:1]
    btatt.user_control_point.consent_code x16 val/2a9f?ff=01[1:2] val/2a9f?ff=02[2:2]
    # Other characteristics
    btatt.measurement_interval u16 val/2a21[0:2]
    btatt.digital_output bytes val/2a57[0:*]
    btatt.analog x16 val/2a58[0:2] val/2a5a[1:2]
    btatt.analog_output x16 val/2a59[0:2]
    btatt.control_point.opcode x8 val/2aba[0:1]
    btatt.removable x8 val/2a3a[0:1]
    btatt.removable.reserved x8 val/2a3a[0:1]&fc
    btatt.removable.removable x8 val/2a3a[0:1]&3
    btatt.service_required x8 val/2a3b[0:1]
    btatt.service_required.reserved x8 val/2a3b[0:1]&fc
    btatt.service_required.service_required x8 val/2a3b[0:1]&3
    btatt.string string val/2a3d[0:*]
    btatt.network_availability x8 val/2a3e[0:1]
    btatt.scientific_temperature_celsius double val/2a3c[0:8]
    btatt.handle.too_few none /0e?#=1[0:1] /0e?#=2[0:1] /0e?#=3[0:1] /0e?#=4[0:1]
    """
}
