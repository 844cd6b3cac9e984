extension Vendor {
  static let qualcommCommandText: StaticString = """
    0xfc00 EDL Patch (Qualcomm)
      command:u8 ?+1(data:b*)
    0xfc08 Pre-Shutdown (Qualcomm)
      = @status
    0xfc0b NVM Access (Qualcomm)
      command:u8 ?+1(data:b*)
    0xfc14 Write BD_ADDR (Qualcomm)
      bd_addr:addr
      = @status
    0xfc17 Logging (Qualcomm)
      command:u8 ?+1(data:b*)
    0xfc48 Set Baud Rate (Qualcomm)
      baud_rate:u8
      = @status
    """

  static let csrCommandText: StaticString = """
    0xfc00 BCCMD (CSR)
    """
}
