import Testing

@testable import Captures

/// A sniffer's header is unchanged after reading and writing.
@Suite struct SnifferHeaderTests {
  /// A header of link type 256: each PDU type (0 to 6), with and without an intact MIC, on each PHY.
  @Test func allThatPacketsAreComesBack() {
    for type in UInt16(0)...6 {
      for phy in UInt16(0)...2 {
        for checks in [UInt16(0), 0x0400, 0x0C00, 0x3C00] {
          // For an auxiliary advertisement the MIC bits hold its type instead, which the packet contains, too.
          if type == 1, checks == 0x3C00 { continue }
          let flags = 0x0003 | type << 7 | phy << 14 | checks
          let header: [UInt8] = [11, 0xC4, 0, 0, 0, 0, 0, 0, UInt8(flags & 0xFF), UInt8(flags >> 8)]
          // The access address of a connection.
          let bytes = header + [1, 2, 3, 4, 2, 0, 0, 0, 0]
          var record = PacketRecord()
          (record.captured, record.original) = (bytes.count, bytes.count)
          SnifferHeader.withHeader(&record, bytes.span.bytes)
          #expect((record.radio.flags & RadioInfo.Flag.isochronous != 0) == (type >= 4), "type \(type)")
          var written: [UInt8] = []
          SnifferHeader.encode(record, &written)
          #expect(written == header, "type \(type), PHY \(phy), checks \(checks)")
        }
      }
    }
  }

  /// The nRF Sniffer's header has no flag for isochronous streams: the record's flag decides what is written.
  @Test(arguments: [(UInt8(3), UInt16(4)), (1, 5)])
  func streamsBehindTheNordicHeader(flags: UInt8, type: UInt16) {
    let bytes: [UInt8] = [0, 30, 0, 3, 7, 0, 6, 10, flags, 5, 61, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 2, 0, 0, 0, 0]
    var record = PacketRecord()
    (record.captured, record.original) = (bytes.count, bytes.count)
    SnifferHeader.nordic(&record, bytes.span.bytes)
    func written(_ record: PacketRecord) -> UInt16? {
      var header: [UInt8] = []
      SnifferHeader.encode(record, &header)
      return header.count == 10 ? (UInt16(header[9]) << 8 | UInt16(header[8])) >> 7 & 7 : nil
    }
    #expect(written(record) == type - 2)
    record.radio.flags |= RadioInfo.Flag.isochronous
    #expect(written(record) == type)
    record.direction = .unknown
    #expect(written(record) == 6)
  }
}
