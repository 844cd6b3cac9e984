extension ATT {
  static let filterFields: StaticString = """
    # Attribute Protocol
    btatt protocol =pdu
    btatt.opcode x8{att-opcode} [0:1]
    btatt.opcode.authentication_signature bool [0:1]&80 /01[1:1]&80
    btatt.opcode.command bool [0:1]&40 /01[1:1]&40
    btatt.opcode.method x8{att-opcode} [0:1]&3f /01[1:1]&3f
    btatt.handle x16 =
    btatt.value bytes =
    btatt.starting_handle x16 .starting_handle
    btatt.ending_handle x16 .ending_handle /09.end_group_handle
    btatt.group_end_handle x16 /07,11.end_group_handle|group_end_handle
    btatt.req_opcode_in_error x8{att-opcode} /01[1:1]
    btatt.error_code x8{att-error} /01[4:1]
    btatt.client_rx_mtu u16 /02[1:2]
    btatt.server_rx_mtu u16 /03[1:2]
    btatt.uuid_format x8 /05[1:1]
    btatt.length u8 /09,11[1:1]
    btatt.offset u16 /0c,16,17[3:2]
    btatt.flags x8 /18[1:1]
    btatt.uuid16 x16 =
    btatt.uuid128 bytes =
    btatt.service_uuid16 x16 =
    btatt.service_uuid128 bytes =
    btatt.characteristic_uuid16 x16 =
    btatt.characteristic_uuid128 bytes =
    btatt.request_in_frame frame =
    btatt.response_in_frame frame =
    btatt.attribute_data none /09,11.attribute_data_list
    btatt.information_data none /05?ff@1=1[2:4]* /05?ff@1=2[2:18]*
    btatt.characteristic_properties x8 /09.characteristic_properties
    btatt.characteristic_properties.broadcast bool /09.characteristic_properties&01
    btatt.characteristic_properties.read bool /09.characteristic_properties&02
    btatt.characteristic_properties.write_without_response bool /09.characteristic_properties&04
    btatt.characteristic_properties.write bool /09.characteristic_properties&08
    btatt.characteristic_properties.notify bool /09.characteristic_properties&10
    btatt.characteristic_properties.indicate bool /09.characteristic_properties&20
    btatt.characteristic_properties.authenticated_signed_writes bool /09.characteristic_properties&40
    btatt.characteristic_properties.extended_properties bool /09.characteristic_properties&80
    btatt.report_reference.report_id x8 val/2908[0:1]
    btatt.report_reference.report_type x8 val/2908[1:1]
    btatt.characteristic_configuration_client x16 val/2902[0:2]
    btatt.characteristic_configuration_client.notification bool val/2902[0:2]&0001
    btatt.characteristic_configuration_client.indication bool val/2902[0:2]&0002
    btatt.characteristic_user_description string val/2901[0:*]
    btatt.device_name string val/2a00[0:*]
    btatt.appearance x16 val/2a01[0:2]
    btatt.minimum_connection_interval u16 val/2a04[0:2]
    btatt.maximum_connection_interval u16 val/2a04[2:2]
    btatt.slave_latency u16 val/2a04[4:2]
    btatt.connection_supervision_timeout_multiplier u16 val/2a04[6:2]
    btatt.alert_level x8 val/2a06[0:1]
    btatt.tx_power_level i8 val/2a07[0:1]
    btatt.model_number_string string val/2a24[0:*]
    btatt.serial_number_string string val/2a25[0:*]
    btatt.firmware_revision_string string val/2a26[0:*]
    btatt.hardware_revision_string string val/2a27[0:*]
    btatt.software_revision_string string val/2a28[0:*]
    btatt.manufacturer_string string val/2a29[0:*]
    btatt.body_sensor_location x8 val/2a38[0:1]
    btatt.heart_rate_control_point x8 val/2a39[0:1]
    btatt.heart_rate_measurement.flags x8 val/2a37[0:1]
    btatt.heart_rate_measurement.value.8 u8 val/2a37?01=0[1:1]
    btatt.heart_rate_measurement.value.16 u16 val/2a37?01=1[1:2]
    btatt.pnp_id.vendor_id_source x16 val/2a50[0:1]
    btatt.pnp_id.vendor_id x16 val/2a50[1:2]
    btatt.pnp_id.product_id x16 val/2a50[3:2]
    btatt.pnp_id.product_version x16 val/2a50[5:2]
    """
}
