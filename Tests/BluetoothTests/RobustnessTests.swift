import Foundation
import Testing
import TestSupport

@testable import Bluetooth

/// Checks that a walk is well formed, whatever the bytes are.
struct StrictVisitor: FieldVisitor {
  let count: Int
  var depth = 0
  var fields = 0
  var faults: [String] = []

  init(count: Int) { self.count = count }

  private mutating func check(_ range: Range<Int>, _ what: StaticName) {
    if range.lowerBound < 0 || range.upperBound > count { faults.append("\(what) at \(range) of \(count)") }
  }
  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    fields += 1
    check(range, field.name)
    if bytes.byteCount != count { faults.append("other bytes") }
    switch value {
    case .bytes(let part), .text(let part), .wideText(let part):
      check(part, field.name)
      if part.lowerBound < range.lowerBound || part.upperBound > range.upperBound { faults.append("\(field.name) outside itself") }
    case .unsigned(let number):
      _ = field.name(of: number)
      var buffer: [UInt8] = []
      field.writeScaled(Int64(bitPattern: number), to: &buffer)
      if let enumeration = field.enumeration, enumeration.isFlags { _ = enumeration.forEachFlag(in: number) { _ in } }
    default: break
    }
  }
  mutating func beginObject(_ field: Field, at offset: Int) { depth += 1 }
  mutating func endObject(_ field: Field, at range: Range<Int>) {
    depth -= 1
    check(range, field.name)
  }
  mutating func beginArray(_ field: Field, at offset: Int) { depth += 1 }
  mutating func endArray(_ field: Field, at range: Range<Int>) {
    depth -= 1
    check(range, field.name)
  }
  mutating func problem(_ problem: FieldProblem) {
    switch problem {
    case .short(let field, let offset, let needed, let available):
      if available >= needed || offset + available > count { faults.append("\(field.name) is not short") }
    case .surplus(let range): check(range, "surplus")
    case .outOfRange(let field, let value, let range):
      check(range, field.name)
      if field.range?.contains(value) != false { faults.append("\(field.name) is in range") }
    }
  }
}

@Suite struct RobustnessTests {
  private func bytes(_ generator: inout SplitMix, upTo limit: Int) -> [UInt8] {
    // Small values are as likely as all others, so that counts and lengths are often valid.
    let isSmall = Bool.random(using: &generator)
    return (0..<Int.random(in: 0...limit, using: &generator)).map { _ in UInt8.random(in: 0...(isSmall ? 8 : 255), using: &generator) }
  }

  @Test func randomBytesNeverTrap() {
    var generator = SplitMix(state: testSeed)
    var fields = 0
    for (name, table) in allTables {
      for row in table.rows {
        for layout in [row.parameters, row.returnParameters] where !layout.isEmpty {
          for _ in 0..<20 {
            let bytes = bytes(&generator, upTo: 90)
            var visitor = StrictVisitor(count: bytes.count)
            layout.walk(bytes.span.bytes, &visitor)
            #expect(visitor.faults == [] && visitor.depth == 0, "\(name), \(row.name), BTSCRIBE_SEED=\(testSeed)")
            fields += visitor.fields
          }
        }
      }
    }
    #expect(fields > 10_000)
  }

  @Test func randomPacketsNeverTrap() {
    var generator = SplitMix(state: testSeed)
    for round in 0..<4000 {
      var packet = bytes(&generator, upTo: 60)
      // Half of the packets have known types.
      if round % 2 == 0, packet.count > 3 {
        switch round % 8 {
        case 0: packet[0] = [0x3E, 0x0E, 0x13, 0x2F].randomElement(using: &generator) ?? 0
        case 2: packet[1] = UInt8.random(in: 4...32, using: &generator)
        default: break
        }
      }
      let start = Int.random(in: -5...70, using: &generator)
      let range = start..<(start + Int.random(in: 0...70, using: &generator))
      for part in [nil, range] {
        var visitor = StrictVisitor(count: packet.count)
        let span = packet.span.bytes
        HCI.walkCommand(span, in: part, headers: true, &visitor)
        HCI.walkEvent(span, in: part, headers: true, &visitor)
        HCI.walkACLHeader(span, in: part, &visitor)
        HCI.walkSynchronous(span, in: part, &visitor)
        HCI.walkISO(span, in: part, &visitor)
        L2CAP.walkCommand(span, in: part, headers: true, &visitor)
        ATT.walk(span, in: part, &visitor)
        ATT.walk(span, in: part, requested: 0x2803, &visitor)
        ATT.walk(span, in: part, requested: 0x2802, &visitor)
        SMP.walk(span, in: part, &visitor)
        LinkLayer.walkAdvertising(span, in: part, &visitor)
        LinkLayer.walkAdvertising(span, in: part, isAuxiliary: true, &visitor)
        LinkLayer.walkData(span, in: part, &visitor)
        Management.walkCommand(span, in: part, &visitor)
        Management.walkEvent(span, in: part, &visitor)
        Management.walkRecord(opcode: UInt16(round % 20), span, in: part, &visitor)
        SDP.walk(span, in: part, &visitor)
        RFCOMM.walk(span, in: part, &visitor)
        AdvertisingData.walk(span, in: part ?? 0..<packet.count, as: Field(), &visitor)
        #expect(visitor.faults == [] && visitor.depth == 0, "BTSCRIBE_SEED=\(testSeed), round \(round)")
      }
      _ = LinkLayer.ConnectionRequest(packet.span.bytes, at: start)
      _ = LinkLayer.DataHeader(packet.span.bytes, at: start)
      _ = LinkLayer.hasRightCRC(packet.span.bytes, in: range, initial: 0x555555)
      _ = L2CAP.Header(packet.span.bytes, at: start)
      _ = L2CAP.Command(packet.span.bytes, at: start)
      _ = DeviceAddress(packet.span.bytes, at: start)
      _ = BluetoothUUID(littleEndian: packet.span.bytes, in: range)
    }
  }

  /// A prefix of a valid packet reports the same fields as far as it goes, and then the missing bytes.
  @Test func prefixesTellWhatIsThere() {
    let whole = hex("3e 1a 02 01 00 00 01 00 00 ee ff c0 0e 02 01 06 03 03 0f 18 06 09 47 6f 50 72 6f c3")
    var before = -1
    for count in 2...whole.count {
      let part = Array(whole[..<count])
      var visitor = StrictVisitor(count: count)
      HCI.walkEvent(part.span.bytes, headers: true, &visitor)
      #expect(visitor.faults == [])
      #expect(visitor.fields >= before)
      before = visitor.fields
    }
    #expect(before == 18)
  }
}
