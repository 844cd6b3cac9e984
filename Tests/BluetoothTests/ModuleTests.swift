import Testing

@testable import Bluetooth

/// Every table, for tests that go through all of them.
let allTables: [(name: String, table: PDUTable)] = [
  ("HCI commands", HCI.commands), ("HCI events", HCI.events), ("LE events", HCI.leEvents), ("HCI headers", HCI.headerTable),
  ("vendor commands", Vendor.commands), ("L2CAP signaling", L2CAP.signaling), ("ATT", ATT.pdus), ("SMP", SMP.pdus),
  ("advertising data", AdvertisingData.structures), ("LL advertising", LinkLayer.advertising), ("LL control", LinkLayer.control),
  ("management commands", Management.commands), ("management events", Management.events), ("monitor records", Management.records),
  ("SDP", SDP.pdus), ("RFCOMM", RFCOMM.frames), ("RFCOMM multiplexer", RFCOMM.multiplexer), ("BNEP", BNEP.packets),
  ("BNEP control", BNEP.controls), ("SDP records", SDP.records), ("AVDTP", AVDTP.signals), ("A2DP", A2DP.codecs), ("AVRCP", AVRCP.pdus),
  ("AV/C", AVRCP.frames), ("LMP", LMP.pdus), ("baseband", Baseband.packets), ("IP", IP.protocols), ("ICMPv6", IP.messages),
  ("6LoWPAN", IPSP.layouts), ("Android's events", Vendor.androidEvents),
  ("HCRP requests", HCRP.requests), ("HCRP responses", HCRP.responses), ("HCRP notifications", HCRP.notifications),
]

/// The tables of the controllers' manufacturers.
let makersTables: [(name: String, table: PDUTable)] = Vendor.makers.flatMap {
  [(name: "a maker's commands", table: $0.commands), (name: "a maker's events", table: $0.events)]
}

@Suite struct TableTests {
  @Test func everyLayoutCompiles() {
    #expect(Enumeration.all.problems == [])
    for (name, table) in allTables + makersTables {
      #expect(table.problems == [], "\(name)")
    }
  }

  /// No name occurs twice in an object, except under conditions that exclude each other.
  @Test func namesAreUniqueInTheirObject() {
    struct Names: FieldVisitor {
      var scopes: [[String]] = [[]]
      var twice: [String] = []
      private mutating func note(_ field: Field) {
        if field.isReserved { return }
        let name = field.name.description
        if scopes[scopes.count - 1].contains(name), !name.isEmpty { twice.append(name) }
        scopes[scopes.count - 1].append(name)
      }
      mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) { note(field) }
      mutating func beginObject(_ field: Field, at offset: Int) {
        note(field)
        scopes.append([])
      }
      mutating func endObject(_ field: Field, at range: Range<Int>) { scopes.removeLast() }
      mutating func beginArray(_ field: Field, at offset: Int) { scopes.append([]) }
      mutating func endArray(_ field: Field, at range: Range<Int>) { scopes.removeLast() }
    }
    // Elements of arrays have no names of their own; with few bytes each array has one element.
    for (name, table) in allTables + makersTables {
      for row in table.rows {
        for layout in [row.parameters, row.returnParameters] {
          for fill in [UInt8(0), 1, 2] {
            let bytes = [UInt8](repeating: fill, count: 60)
            var names = Names()
            layout.walk(bytes.span.bytes, &names)
            let twice = names.twice.filter { Self.elements.contains($0) == false }
            #expect(twice == [], "\(name): \(row.name)")
          }
        }
      }
    }
  }

  /// Arrays of plain values report each element under the array's name.
  private static let elements: Set<String> = Set(
    (allTables + makersTables).flatMap { $0.table.rows.flatMap { $0.parameters.arrayNames + $0.returnParameters.arrayNames } }
      + AdvertisingData.structures.rows.flatMap { $0.parameters.arrayNames } + ["advertising_data", "scan_response_data", "data"])

  @Test func manyAreNamed() {
    #expect(HCI.commands.rows.count >= 340)
    #expect(HCI.events.rows.count >= 60)
    #expect(HCI.leEvents.rows.count >= 53)
    #expect(ATT.pdus.rows.count == 31)
    #expect(SMP.pdus.rows.count == 14)
    #expect(L2CAP.signaling.rows.count == 26)
    #expect(LinkLayer.control.rows.count == 61)
    #expect(Management.commands.rows.count == 92)
    #expect(HCI.commandName(0xFD53) == "LE Get Vendor Capabilities (Android)")
  }
}

extension Layout {
  /// Names of the arrays in a layout.
  var arrayNames: [String] {
    (0..<count).compactMap { i in
      guard let op = first.map({ ($0 + i).pointee }), op.kind == .array || op.kind == .advertising else { return nil }
      return op.field.name.description
    }
  }
}
