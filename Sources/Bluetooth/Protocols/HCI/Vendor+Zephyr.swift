extension Vendor {
  static let zephyrCommandText: StaticString = """
    @subject
      handle_type:u8{zephyr-tx-power} connection_handle:u16{handle}
    0xfc01 Read Version Information (Zephyr)
      = @status hardware_platform:u16 hardware_variant:u16 firmware_variant:u8 firmware_version:u8 firmware_revision:u16
      firmware_build:u32
    0xfc02 Read Supported Commands (Zephyr)
      = @status commands:b64
    0xfc03 Read Supported Features (Zephyr)
      = @status features:b8
    0xfc04 Set Event Mask (Zephyr)
      event_mask:b8
      = @status
    0xfc05 Reset (Zephyr)
      reset_type:u8
      = @status
    0xfc06 Write BD_ADDR (Zephyr)
      bd_addr:addr
      = @status
    0xfc07 Set Trace Enable (Zephyr)
      enable:bool
      = @status
    0xfc08 Read Build Information (Zephyr)
      = @status build_information:text*
    0xfc09 Read Static Addresses (Zephyr)
      = @status num_addresses:u8 addresses[num_addresses]:(address:raddr identity_root:b16!)
    0xfc0a Read Key Hierarchy Roots (Zephyr)
      = @status identity_root:b16! encryption_root:b16!
    0xfc0b Read Chip Temperature (Zephyr)
      = @status temperature:i8
    0xfc0c Read Host Stack Commands (Zephyr)
    0xfc0d Set Scan Request Reports (Zephyr)
      enable:bool
      = @status
    0xfc0e Write TX Power Level (Zephyr)
      @subject tx_power_level:i8*dBm
      = @status @subject selected_tx_power:i8*dBm
    0xfc0f Read TX Power Level (Zephyr)
      @subject
      = @status @subject tx_power_level:i8*dBm
    0xfc10 Read USB Transport Mode (Zephyr)
    0xfc11 Set USB Transport Mode (Zephyr)
      mode:u8
      = @status
    """

  static let zephyrEventText: StaticString = """
    0x02 Fatal Error (Zephyr)
    0x03 Trace Information (Zephyr)
    0x04 Scan Request Received (Zephyr)
      address_type:u8{address-type} address:addr(address_type) rssi:i8*dBm
    """
}
