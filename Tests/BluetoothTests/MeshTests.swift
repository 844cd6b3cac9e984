import Testing

@testable import Bluetooth

/// Sensor values in mesh messages, decoded by their device properties.
@Suite struct MeshTests {
  /// The parts of a message, and the values of known characteristics in them.
  private struct Reading: Equatable {
    var parts: [String] = []
    var numbers: [String] = []
  }

  private func read(_ text: String, _ opcode: UInt32) -> Reading {
    let message = hex(text)
    var parts: [String] = []
    var numbers: [String] = []
    func bytes(_ range: Range<Int>) -> String { message[range].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    Mesh.walkSensorMessage(message.span.bytes, opcode) { part, range in
      parts.append("\(part) \(bytes(range))")
    } number: { characteristic, range in
      numbers.append("\(characteristic) \(bytes(range))")
    }
    return Reading(parts: parts, numbers: numbers)
  }

  @Test func aStatusHasTheValuesOfSeveralProperties() {
    // Motion Sensed (0x0042) with a header of two bytes, Present Ambient Light Level (0x004e) with one of three.
    let status = read("52 40 08 64 05 4e00 10 27 00", 0x52)
    #expect(status.parts == ["value 64", "value 102700"])
    #expect(status.numbers == ["percentage8 64", "illuminance 102700"])
    // Average Ambient Temperature In A Period Of Day (0x0001): the temperature comes before the hours.
    #expect(read("52 05 0100 2a 50 64", 0x52).numbers == ["temperature8 2a", "timeDecihour8 50", "timeDecihour8 64"])
    // Values whose size is not the property's, an unknown property, and no property.
    #expect(read("52 03 4e00 1027", 0x52) == Reading(parts: ["value 1027"]))
    #expect(read("52 03 ff7f 1027", 0x52) == Reading(parts: ["value 1027"]))
    #expect(read("52 ff 4e00", 0x52) == Reading(parts: ["value "]))
    #expect(read("52 05 4e00 1027", 0x52) == Reading(parts: []))
    #expect(read("52 05 4e", 0x52) == Reading(parts: []))
    #expect(read("52", 0x52) == Reading(parts: []))
  }

  @Test func columnsHaveAPlaceAWidthAndAValue() {
    let column = read("53 6200 100000 200000 64", 0x53)
    #expect(column.parts == ["start 100000", "width 200000", "height 64"])
    #expect(column.numbers == ["illuminance 100000", "illuminance 200000", "percentage8 64"])
    #expect(read("54 4c00 0100 0200 03", 0x54).parts == ["start 0100", "start 0200"])
    #expect(read("53 6200 100000 20", 0x53).parts == ["start 100000"])
    #expect(read("53 ff7f 010203", 0x53) == Reading(parts: ["start 010203"]))
    #expect(read("53 6200", 0x53) == Reading(parts: []))
  }

  @Test func aCadenceHasDeltasAndALimit() {
    let byValue = read("57 4f00 03 02 04 05 14 28", 0x57)
    #expect(byValue.parts == ["deltaDown 02", "deltaUp 04", "interval 05", "fastLow 14", "fastHigh 28"])
    #expect(byValue.numbers == ["temperature8 02", "temperature8 04", "temperature8 14", "temperature8 28"])
    let byShare = read("55 4f00 83 1000 2000 05 14 28", 0x55)
    #expect(byShare.parts == ["deltaDown 1000", "deltaUp 2000", "interval 05", "fastLow 14", "fastHigh 28"])
    #expect(byShare.numbers.prefix(2) == ["percentageChange16 1000", "percentageChange16 2000"])
    // For an unknown property the message gives the size of values, if the rest can be divided by it.
    #expect(read("56 ff7f 03 0102", 0x56).parts == ["remainder 0102"])
    #expect(read("56 ff7f 83 0100 0200 05 060708", 0x56).parts == ["deltaDown 0100", "deltaUp 0200", "interval 05", "remainder 060708"])
    #expect(read("56 ff7f 83 0100 0200 05 0607", 0x56).parts.suffix(2) == ["fastLow 06", "fastHigh 07"])
    #expect(read("57 ff7f 03 01 02 05 03 04", 0x57).parts == ["deltaDown 01", "deltaUp 02", "interval 05", "fastLow 03", "fastHigh 04"])
    #expect(read("57 4f00 03 02", 0x57).parts == ["deltaDown 02"])
    #expect(read("57 4f00", 0x57) == Reading(parts: []))
  }

  /// Each property has a size, and is listed once.
  @Test func everyPropertyHasASize() {
    let numbers = Mesh.propertyText.description.split(separator: "\n").flatMap { $0.split(separator: " ")[0].split(separator: ",") }
    #expect(Set(numbers).count == numbers.count && Mesh.properties.count == numbers.count)
    #expect(Mesh.properties.values.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.size > 0 } })
  }

  /// Access addresses of a broadcast group, from the seed in Samples/isochronous.pcapng.
  @Test func streamsHaveAddressesOfTheirOwn() {
    #expect(LinkLayer.accessAddress(seed: 0x5A83_C16E, stream: 0) == 0x5827_C16E)
    #expect(LinkLayer.accessAddress(seed: 0x5A83_C16E, stream: 1) == 0xA785_C16E)
    #expect(LinkLayer.accessAddress(seed: 0x5A83_C16E, stream: 2) == 0x5BB3_C16E)
  }
}
