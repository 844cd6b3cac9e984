extension Vendor {
  static let mediatekCommandText: StaticString = """
    0xfc6f WMT (MediaTek)
      direction:u8 opcode:x8 length:u16 data:b(length)
    """
}
