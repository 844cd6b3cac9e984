import Testing

@testable import Bluetooth

/// Every table, for tests that go through all of them.
let allTables: [(name: String, table: PDUTable)] = [
  ("HCI commands", HCI.commands), ("HCI events", HCI.events), ("LE events", HCI.leEvents), ("HCI headers", HCI.headerTable),
  ("vendor commands", Vendor.commands), ("L2CAP signaling", L2CAP.signaling), ("ATT", ATT.pdus), ("SMP", SMP.pdus),
  ("advertising data", AdvertisingData.structures), ("LL advertising", LinkLayer.advertising), ("LL control", LinkLayer.control),
  ("management commands", Management.commands), ("management events", Management.events), ("monitor records", Management.records),
  ("SDP", SDP.pdus), ("RFCOMM", RFCOMM.frames),
]

@Suite struct TableTests {
  @Test func everyLayoutCompiles() {
    #expect(Enumeration.all.problems == [])
    for (name, table) in allTables {
      #expect(table.problems == [], "\(name)")
    }
  }
}
