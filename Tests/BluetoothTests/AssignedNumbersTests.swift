import Testing

@testable import Bluetooth

@Suite struct AssignedNumbersTests {
  @Test func wellKnownNames() {
    #expect(AssignedNumbers.company(0x004C)?.description == "Apple, Inc.")
    #expect(AssignedNumbers.company(0x0059)?.description == "Nordic Semiconductor ASA")
    #expect(AssignedNumbers.company(0xFFFE) == nil)
    #expect(AssignedNumbers.uuid(0x180F as UInt16)?.description == "Battery Service")
    #expect(AssignedNumbers.uuid(0x2A19 as UInt16)?.description == "Battery Level")
    #expect(AssignedNumbers.uuid(0x2902 as UInt16)?.description == "Client Characteristic Configuration")
    #expect(AssignedNumbers.uuid(0x2803 as UInt16)?.description == "Characteristic")
    #expect(AssignedNumbers.uuid(0x110B as UInt16)?.description == "Audio Sink")
    #expect(AssignedNumbers.uuid(0xFFF6 as UInt16)?.description == "Matter Profile ID")
    #expect(AssignedNumbers.uuid(0xFCF1 as UInt16)?.description == "Google LLC")
    #expect(BluetoothUUID("6e400001-b5a3-f393-e0a9-e50e24dcca9e")?.name?.description == "Nordic UART Service")
    #expect(BluetoothUUID("0000180f-0000-1000-8000-00805f9b34fb")?.name?.description == "Battery Service")
    #expect(BluetoothUUID("6e4000ff-b5a3-f393-e0a9-e50e24dcca9e")?.name == nil)
    #expect(AssignedNumbers.appearance(0x00C1)?.description == "Watch: Sports Watch")
    #expect(AssignedNumbers.appearance(0x0040)?.description == "Phone")
    // A subcategory without a name gets its category's name.
    #expect(AssignedNumbers.appearance(0x007F)?.description == "Phone")
    #expect(AssignedNumbers.appearance(0xFFC0) == nil)
  }

  /// Numbers of SDP and of companies are used by devices for characteristics of their own: these have no name.
  @Test func attributesAreNotCalledByOtherNumbers() {
    #expect(BluetoothUUID(0x0001 as UInt16).name?.description == "SDP")
    #expect(BluetoothUUID(0x0001 as UInt16).attributeName() == nil)
    #expect(BluetoothUUID(0x110B as UInt16).attributeName(isService: true) == nil)
    #expect(BluetoothUUID(0xFCF1 as UInt16).attributeName() == nil)
    #expect(BluetoothUUID(0xFCF1 as UInt16).attributeName(isService: true)?.description == "Google LLC")
    #expect(BluetoothUUID(0x2A19 as UInt16).attributeName()?.description == "Battery Level")
    #expect(BluetoothUUID("6e400001-b5a3-f393-e0a9-e50e24dcca9e")?.attributeName(isService: true)?.description == "Nordic UART Service")
  }

  /// Lines are sorted, keys are whole, and every line is found by its key.
  @Test func everyLineIsFound() {
    let tables: [(StaticTable<UInt8>, Int, (String) -> StaticName?)] = [
      (AssignedNumbers.companies, 4, { UInt16($0, radix: 16).flatMap(AssignedNumbers.company) }),
      (AssignedNumbers.uuids16, 4, { UInt16($0, radix: 16).flatMap { AssignedNumbers.uuid($0) } }),
      (AssignedNumbers.uuids128, 32, { BluetoothUUID($0).flatMap { AssignedNumbers.uuid($0) } }),
      (AssignedNumbers.appearances, 4, { UInt16($0, radix: 16).flatMap(AssignedNumbers.appearance) }),
    ]
    for (text, digits, find) in tables {
      var last = ""
      var count = 0
      for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
        let key = String(line.prefix(digits))
        #expect(key > last)
        last = key
        count += 1
        #expect(find(key)?.description == String(line.dropFirst(digits + 1)))
      }
      #expect(count > 100)
    }
  }
}
