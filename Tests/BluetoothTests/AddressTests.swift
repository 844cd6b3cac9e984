import Testing

@testable import Bluetooth

@Suite struct AddressTests {
  @Test func uuidForms() {
    #expect(BluetoothUUID(0x2A19 as UInt16).description == "2a19")
    #expect(BluetoothUUID(0x0001_FE59 as UInt32).description == "0001fe59")
    #expect(BluetoothUUID("00002A19-0000-1000-8000-00805F9B34FB")?.description == "2a19")
    #expect(BluetoothUUID("0x2A19") == BluetoothUUID(0x2A19 as UInt16))
    #expect(BluetoothUUID("B5F90072-AA8D-11E3-9046-0002A5D5C51B")?.description == "b5f90072-aa8d-11e3-9046-0002a5d5c51b")
    #expect(BluetoothUUID("2a1") == nil)
    #expect(BluetoothUUID("2a1g") == nil)
    #expect(BluetoothUUID("b5f90072-aa8d-11e3-9046-0002a5d5c51b0") == nil)
    let wire = hex("1bc5d5a5020046 90e3118daa7200f9b5".filter { $0 != " " })
    #expect(BluetoothUUID(littleEndian: wire.span.bytes, in: 0..<16)?.description == "b5f90072-aa8d-11e3-9046-0002a5d5c51b")
    #expect(BluetoothUUID(littleEndian: wire.span.bytes, in: 0..<3) == nil)
    #expect(BluetoothUUID(littleEndian: wire.span.bytes, in: 1..<17) == nil)
    #expect(BluetoothUUID(bigEndian: hex("1101").span.bytes, in: 0..<2)?.short16 == 0x1101)
  }

  @Test func addresses() {
    let bytes = hex("01 00 00 ee ff c0")
    let address = DeviceAddress(bytes.span.bytes, at: 0, .random)
    #expect(address?.description == "c0:ff:ee:00:00:01")
    #expect(address?.kindName == "random static")
    #expect(DeviceAddress("4c:00:00:00:00:01", .random)?.kindName == "resolvable private")
    #expect(DeviceAddress("0c:00:00:00:00:01", .random)?.kindName == "non-resolvable private")
    #expect(DeviceAddress("8c:00:00:00:00:01", .random)?.kindName == "random")
    #expect(DeviceAddress("C0-FF-EE-00-00-01", .public)?.kindName == "public")
    #expect(DeviceAddress("C0FFEE000001")?.kindName == "")
    #expect(DeviceAddress("C0FFEE00000") == nil)
    #expect(DeviceAddress(bytes.span.bytes, at: 1) == nil)
    #expect(DeviceAddress(bytes.span.bytes, at: 0, .random) != DeviceAddress(bytes.span.bytes, at: 0, .public))
  }
}
