extension Vendor {
  /// A maker of controllers: its company identifiers, commands, events.
  @usableFromInline struct Maker: Sendable {
    /// Company identifiers that its controllers tell.
    let companies: [UInt16]
    /// Its commands by opcode.
    @usableFromInline let commands: PDUTable
    /// Its events by the first byte behind the length.
    let events: PDUTable
    /// Its subevent codes overlap with Android's, so that Android's table does not apply.
    var hasAllEvents = false
  }

  /// The maker with this company identifier; nil for one whose commands nobody has published.
  @usableFromInline static func maker(_ company: UInt16) -> Maker? {
    for one in makers where one.companies.contains(company) { return one }
    return nil
  }

  /// Cypress and Infineon make what was Broadcom's; Qualcomm what was CSR's and Atheros's, of which CSR's have an interface of their own.
  static let makers: [Maker] = [
    Maker(
      companies: [0x0002], commands: PDUTable(statusText, intelCommandText, intelOwnCommandText), events: PDUTable(intelEventText),
      hasAllEvents: true),
    Maker(
      companies: [0x000F, 0x0009, 0x0131], commands: PDUTable(statusText, broadcomCommandText, broadcomOwnCommandText), events: PDUTable("")
    ),
    Maker(companies: [0x001D, 0x0045], commands: PDUTable(statusText, qualcommCommandText), events: PDUTable("")),
    Maker(companies: [0x000A], commands: PDUTable(csrCommandText), events: PDUTable("")),
    Maker(companies: [0x005D], commands: PDUTable(statusText, realtekCommandText), events: PDUTable("")),
    Maker(companies: [0x0046], commands: PDUTable(mediatekCommandText), events: PDUTable("")),
    Maker(companies: [0x000D], commands: PDUTable(statusText, texasCommandText), events: PDUTable("")),
    Maker(companies: [0x0030], commands: PDUTable(statusText, stCommandText), events: PDUTable("")),
    Maker(companies: [0x05F1, 0x0059], commands: PDUTable(statusText, zephyrCommandText), events: PDUTable(zephyrEventText)),
  ]

  static let statusText: StaticString = """
    @status
      status:u8{status}
    """
}
