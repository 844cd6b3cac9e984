extension Vendor {
  /// The commands of STMicroelectronics' BlueNRG and STM32WB, whose controllers include a host's GAP and GATT (STM32CubeWB, `ble_*_aci.h`).
  static let stCommandText: StaticString = """
    # The places of configuration data hold the roots of keys.
    0xfc00 HAL Get Firmware Build Number (ST)
      = @status build_number:x16
    0xfc0c HAL Write Configuration Data (ST)
      offset:x8 length:u8 value:b(length)!
      = @status
    0xfc0d HAL Read Configuration Data (ST)
      offset:x8
      = @status length:u8 value:b(length)!
    0xfc0f HAL Set TX Power Level (ST)
      en_high_power:u8 pa_level:u8
      = @status
    0xfc14 HAL LE TX Test Packet Number (ST)
      = @status number_of_packets:u32
    0xfc15 HAL Tone Start (ST)
      rf_channel:u8 frequency_offset:u8
      = @status
    0xfc16 HAL Tone Stop (ST)
      = @status
    0xfc17 HAL Get Link Status (ST)
      = @status link_status[8]:u8 connection_handles[8]:u16{handle}
    0xfc18 HAL Set Radio Activity Mask (ST)
      radio_activity_mask:x16
      = @status
    0xfc19 HAL Get Anchor Period (ST)
      = @status anchor_period:u32*0.625ms max_free_slot:u32*0.625ms
    0xfc1a HAL Set Event Mask (ST)
      event_mask:x32
      = @status
    0xfc1c HAL Get PM Debug Information (ST)
      = @status allocated_for_tx:u8 allocated_for_rx:u8 allocated_blocks:u8
    0xfc20 HAL Set Peripheral Latency (ST)
      enable:bool
      = @status
    0xfc30 HAL Read Radio Register (ST)
      register_address:x8
      = @status value:x8
    0xfc31 HAL Write Radio Register (ST)
      register_address:x8 value:x8
      = @status
    0xfc32 HAL Read Raw RSSI (ST)
      = @status value:b3
    0xfc33 HAL RX Start (ST)
      rf_channel:u8
      = @status
    0xfc34 HAL RX Stop (ST)
      = @status
    0xfc3b HAL Stack Reset (ST)
      = @status
    0xfc81 GAP Set Non-Discoverable (ST)
      = @status
    0xfc82 GAP Set Limited Discoverable (ST)
      = @status
    0xfc83 GAP Set Discoverable (ST)
      = @status
    0xfc84 GAP Set Direct Connectable (ST)
      = @status
    0xfc85 GAP Set IO Capability (ST)
      io_capability:u8
      = @status
    0xfc86 GAP Set Authentication Requirement (ST)
      = @status
    0xfc87 GAP Set Authorization Requirement (ST)
      = @status
    0xfc88 GAP Pass Key Response (ST)
      connection_handle:u16{handle} pass_key:u32!
      = @status
    0xfc89 GAP Authorization Response (ST)
      connection_handle:u16{handle} authorize:u8
      = @status
    0xfc8a GAP Init (ST)
      = @status service_handle:x16 device_name_handle:x16 appearance_handle:x16
    0xfc8b GAP Set Non-Connectable (ST)
      = @status
    0xfc8c GAP Set Undirected Connectable (ST)
      = @status
    0xfc8d GAP Peripheral Security Request (ST)
      connection_handle:u16{handle}
      = @status
    0xfc8e GAP Update Advertising Data (ST)
      = @status
    0xfc8f GAP Delete AD Type (ST)
      = @status
    0xfc90 GAP Get Security Level (ST)
      connection_handle:u16{handle}
      = @status security_mode:u8 security_level:u8
    0xfc91 GAP Set Event Mask (ST)
      event_mask:x16
      = @status
    0xfc92 GAP Configure Filter Accept List (ST)
      = @status
    0xfc93 GAP Terminate (ST)
      connection_handle:u16{handle} reason:u8{status}
      = @status
    0xfc94 GAP Clear Security Database (ST)
      = @status
    0xfc95 GAP Allow Rebond (ST)
      connection_handle:u16{handle}
      = @status
    0xfc96 GAP Start Limited Discovery Procedure (ST)
      = @status
    0xfc97 GAP Start General Discovery Procedure (ST)
      = @status
    0xfc98 GAP Start Name Discovery Procedure (ST)
      = @status
    0xfc99 GAP Start Auto Connection Establishment Procedure (ST)
      = @status
    0xfc9a GAP Start General Connection Establishment Procedure (ST)
      = @status
    0xfc9b GAP Start Selective Connection Establishment Procedure (ST)
      = @status
    0xfc9c GAP Create Connection (ST)
      = @status
    0xfc9d GAP Terminate Procedure (ST)
      procedure_code:x8
      = @status
    0xfc9e GAP Start Connection Update (ST)
      = @status
    0xfc9f GAP Send Pairing Request (ST)
      connection_handle:u16{handle} force_rebond:bool
      = @status
    0xfca0 GAP Resolve Private Address (ST)
      address:raddr
      = @status address:addr
    0xfca1 GAP Set Broadcast Mode (ST)
      = @status
    0xfca2 GAP Start Observation Procedure (ST)
      = @status
    0xfca3 GAP Get Bonded Devices (ST)
      = @status num_addresses:u8 devices[num_addresses]:(address_type:u8{address-type} address:addr(address_type))
    0xfca4 GAP Is Device Bonded (ST)
      address_type:u8{address-type} address:addr(address_type)
      = @status
    0xfca5 GAP Numeric Comparison Confirm (ST)
      connection_handle:u16{handle} confirm:bool
      = @status
    0xfca6 GAP Passkey Input (ST)
      connection_handle:u16{handle} input_type:u8
      = @status
    0xfca7 GAP Get OOB Data (ST)
      oob_data_type:u8
      = @status address_type:u8{address-type} address:addr(address_type) oob_data_length:u8 oob_data:b*!
    0xfca8 GAP Set OOB Data (ST)
      device_type:u8 address_type:u8{address-type} address:addr(address_type) oob_data_type:u8 oob_data_length:u8 oob_data:b*!
      = @status
    0xfca9 GAP Add Devices to Resolving List (ST)
      = @status
    0xfcaa GAP Remove Bonded Device (ST)
      address_type:u8{address-type} address:addr(address_type)
      = @status
    0xfd01 GATT Init (ST)
      = @status
    0xfd02 GATT Add Service (ST)
      = @status service_handle:x16
    0xfd03 GATT Include Service (ST)
      = @status include_handle:x16
    0xfd04 GATT Add Characteristic (ST)
      = @status characteristic_handle:x16
    0xfd05 GATT Add Characteristic Descriptor (ST)
      = @status descriptor_handle:x16
    0xfd06 GATT Update Characteristic Value (ST)
      service_handle:x16 characteristic_handle:x16 value_offset:u8 value_length:u8 value:b(value_length)
      = @status
    0xfd07 GATT Delete Characteristic (ST)
      service_handle:x16 characteristic_handle:x16
      = @status
    0xfd08 GATT Delete Service (ST)
      service_handle:x16
      = @status
    0xfd09 GATT Delete Included Service (ST)
      service_handle:x16 include_handle:x16
      = @status
    0xfd0a GATT Set Event Mask (ST)
      event_mask:x32
      = @status
    0xfd0b GATT Exchange Configuration (ST)
      connection_handle:u16{handle}
      = @status
    0xfd0c GATT ATT Find Information Request (ST)
      connection_handle:u16{handle} starting_handle:x16 ending_handle:x16
      = @status
    0xfd0d GATT ATT Find by Type Value Request (ST)
      = @status
    0xfd0e GATT ATT Read by Type Request (ST)
      = @status
    0xfd0f GATT ATT Read by Group Type Request (ST)
      = @status
    0xfd10 GATT ATT Prepare Write Request (ST)
      = @status
    0xfd11 GATT ATT Execute Write Request (ST)
      connection_handle:u16{handle} execute:bool
      = @status
    0xfd12 GATT Discover All Primary Services (ST)
      connection_handle:u16{handle}
      = @status
    0xfd13 GATT Discover Primary Service by UUID (ST)
      = @status
    0xfd14 GATT Find Included Services (ST)
      connection_handle:u16{handle} starting_handle:x16 ending_handle:x16
      = @status
    0xfd15 GATT Discover All Characteristics of a Service (ST)
      connection_handle:u16{handle} starting_handle:x16 ending_handle:x16
      = @status
    0xfd16 GATT Discover Characteristic by UUID (ST)
      = @status
    0xfd17 GATT Discover All Characteristic Descriptors (ST)
      connection_handle:u16{handle} starting_handle:x16 ending_handle:x16
      = @status
    0xfd18 GATT Read Characteristic Value (ST)
      connection_handle:u16{handle} attribute_handle:x16
      = @status
    0xfd19 GATT Read Using Characteristic UUID (ST)
      = @status
    0xfd1a GATT Read Long Characteristic Value (ST)
      connection_handle:u16{handle} attribute_handle:x16 value_offset:u16
      = @status
    0xfd1b GATT Read Multiple Characteristic Values (ST)
      = @status
    0xfd1c GATT Write Characteristic Value (ST)
      connection_handle:u16{handle} attribute_handle:x16 value_length:u8 value:b(value_length)
      = @status
    0xfd1d GATT Write Long Characteristic Value (ST)
      = @status
    0xfd1e GATT Write Characteristic Reliably (ST)
      = @status
    0xfd1f GATT Write Long Characteristic Descriptor (ST)
      = @status
    0xfd20 GATT Read Long Characteristic Descriptor (ST)
      connection_handle:u16{handle} attribute_handle:x16 value_offset:u16
      = @status
    0xfd21 GATT Write Characteristic Descriptor (ST)
      connection_handle:u16{handle} attribute_handle:x16 value_length:u8 value:b(value_length)
      = @status
    0xfd22 GATT Read Characteristic Descriptor (ST)
      connection_handle:u16{handle} attribute_handle:x16
      = @status
    0xfd23 GATT Write Without Response (ST)
      connection_handle:u16{handle} attribute_handle:x16 value_length:u8 value:b(value_length)
      = @status
    0xfd24 GATT Signed Write Without Response (ST)
      connection_handle:u16{handle} attribute_handle:x16 value_length:u8 value:b(value_length)
      = @status
    0xfd25 GATT Confirm Indication (ST)
      connection_handle:u16{handle}
      = @status
    0xfd26 GATT Write Response (ST)
      = @status
    0xfd27 GATT Allow Read (ST)
      connection_handle:u16{handle}
      = @status
    0xfd28 GATT Set Security Permission (ST)
      = @status
    0xfd29 GATT Set Descriptor Value (ST)
      = @status
    0xfd2a GATT Read Handle Value (ST)
      = @status
    0xfd2c GATT Update Characteristic Value Extended (ST)
      = @status
    0xfd2d GATT Deny Read (ST)
      = @status
    0xfd2e GATT Set Access Permission (ST)
      = @status
    0xfd81 L2CAP Connection Parameter Update Request (ST)
      connection_handle:u16{handle} connection_interval_min:u16*1.25ms connection_interval_max:u16*1.25ms max_latency:u16 supervision_timeout:u16*10ms
      = @status
    0xfd82 L2CAP Connection Parameter Update Response (ST)
      connection_handle:u16{handle} connection_interval_min:u16*1.25ms connection_interval_max:u16*1.25ms max_latency:u16 supervision_timeout:u16*10ms
      min_ce_length:u16*0.625ms max_ce_length:u16*0.625ms identifier:u8 accept:bool
      = @status
    0xfd88 L2CAP CoC Connect (ST)
      connection_handle:u16{handle} spsm:x16 mtu:u16 mps:u16 initial_credits:u16 channel_number:u8
      = @status
    0xfd89 L2CAP CoC Connect Confirm (ST)
      connection_handle:u16{handle} mtu:u16 mps:u16 initial_credits:u16 result:u16
      = @status channel_number:u8 channel_indexes[channel_number]:u8
    0xfd8a L2CAP CoC Reconfigure (ST)
      connection_handle:u16{handle} mtu:u16 mps:u16 channel_number:u8 channel_indexes[channel_number]:u8
      = @status
    0xfd8b L2CAP CoC Reconfigure Confirm (ST)
      connection_handle:u16{handle} result:u16
      = @status
    0xfd8c L2CAP CoC Disconnect (ST)
      channel_index:u8
      = @status
    0xfd8d L2CAP CoC Flow Control (ST)
      channel_index:u8 credits:u16
      = @status
    0xfd8e L2CAP CoC TX Data (ST)
      channel_index:u8 length:u16 data:b(length)
      = @status
    """
}
