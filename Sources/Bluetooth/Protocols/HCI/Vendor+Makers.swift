extension Vendor {
  /// A manufacturer of controllers: its company identifiers, commands, events.
  @usableFromInline struct Maker: Sendable {
    /// Company identifiers that its controllers report.
    let companies: [UInt16]
    /// Its commands by opcode.
    @usableFromInline let commands: PDUTable
    /// Its events by the first byte after the length.
    let events: PDUTable
    /// Its subevent codes overlap with Android's, so that Android's table does not apply.
    var hasAllEvents = false
  }

  /// The manufacturer with this company identifier; nil for one without published commands.
  @usableFromInline static func maker(_ company: UInt16) -> Maker? {
    for maker in makers where maker.companies.contains(company) { return maker }
    return nil
  }

  /// Cypress and Infineon continue Broadcom's products; Qualcomm those of CSR and Atheros, of which CSR's have an interface of their own.
  static let makers: [Maker] = [
    Maker(
      companies: [0x0002], commands: PDUTable(statusText, intelCommandText, intelUniqueCommandText), events: PDUTable(intelEventText),
      hasAllEvents: true),
    Maker(
      companies: [0x000F, 0x0009, 0x0131], commands: PDUTable(statusText, broadcomCommandText, broadcomUniqueCommandText),
      events: PDUTable("")
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
