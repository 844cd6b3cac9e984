extension Vendor {
  static let realtekCommandText: StaticString = """
    0xfc17 Set Baud Rate (Realtek)
    0xfc20 Download Patch (Realtek)
      index:u8 data:b*
      = @status index:u8
    0xfc61 Read Register (Realtek)
    0xfc6d Read ROM Version (Realtek)
      = @status version:u8
    """
}
