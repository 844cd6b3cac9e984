extension Vendor {
  static let texasCommandText: StaticString = """
    0xfc06 Write BD_ADDR (TI)
      bd_addr:b6
      = @status
    0xfd06 Write Codec Configuration (TI)
      = @status
    0xfd0c Sleep Mode Configurations (TI)
      = @status
    0xff36 Update UART HCI Baud Rate (TI)
      baud_rate:u32
      = @status
    """
}
