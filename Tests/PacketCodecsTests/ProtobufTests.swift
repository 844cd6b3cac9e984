import PacketCodecs
import Testing

private func fields(_ bytes: [UInt8], _ range: Range<Int>? = nil) -> (found: [ProtobufField], error: ProtobufError?) {
  var reader = ProtobufReader(in: range ?? 0..<bytes.count)
  var found: [ProtobufField] = []
  do throws(ProtobufError) {
    while let field = try reader.next(in: bytes.span.bytes) { found.append(field) }
  } catch {
    return (found, error)
  }
  return (found, nil)
}

@Suite struct ProtobufTests {
  @Test func examplesOfTheDocumentation() {
    // "Encoding": field 1 = 150; field 2 = "testing"; field 3 holds the first message.
    #expect(fields(hex("089601")).found.map(\.value) == [150])
    let text = hex("120774657374696e67")
    #expect(fields(text).found.map { Array(text[$0.range]) } == [ascii("testing")])
    let nested = hex("1a03089601")
    let outer = fields(nested).found
    #expect(outer.map(\.number) == [3])
    #expect(fields(nested, outer[0].range).found.map(\.value) == [150])
    #expect(fields(hex("08feffffffffffffffff01")).found.map(\.signed) == [-2])
    let zigzags: [(UInt64, Int64)] = [(0, 0), (1, -1), (2, 1), (3, -2), (0xffff_fffe, 0x7fff_ffff), (0xffff_ffff, -0x8000_0000)]
    for (value, meant) in zigzags { #expect(fields(hex("08") + varint(value)).found.map(\.zigzag) == [meant]) }
    #expect(
      fields(hex("0d0000c03f 11000000000000f83f")).found.map { $0.wireType == .fixed32 ? Double($0.float) : $0.double } == [1.5, 1.5])
  }

  private func varint(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    Varint.append(value, to: &bytes)
    return bytes
  }

  @Test func groups() throws {
    let bytes = hex("0b 0801 13 14 0c 1005")
    var reader = ProtobufReader(in: 0..<bytes.count)
    let start = try #require(try reader.next(in: bytes.span.bytes))
    #expect(start.wireType == .groupStart)
    #expect(try reader.group(start, in: bytes.span.bytes) == 1..<5)
    #expect(try reader.next(in: bytes.span.bytes)?.value == 5)
    let deep = [UInt8](repeating: 0x0b, count: 100)
    var other = ProtobufReader(in: 0..<deep.count)
    let first = try #require(try other.next(in: deep.span.bytes))
    #expect(throws: ProtobufError(kind: .tooDeep, offset: 32)) { try other.group(first, in: deep.span.bytes) }
  }

  @Test func brokenOnes() {
    #expect(fields(hex("0801 12")).error == ProtobufError(kind: .cutShort, offset: 2))
    #expect(fields(hex("0801 12")).found.count == 1)
    #expect(fields(hex("1205 00")).error == ProtobufError(kind: .cutShort, offset: 0))
    #expect(fields(hex("0001")).error == ProtobufError(kind: .badKey, offset: 0))
    #expect(fields(hex("0e01")).error == ProtobufError(kind: .badWireType, offset: 0))
    #expect(fields(hex("08ffffffffffffffffff7f")).error == ProtobufError(kind: .cutShort, offset: 0))
    #expect(fields(hex("12ffffffffffffffff7f")).error == ProtobufError(kind: .cutShort, offset: 0))
    func isMessage(_ bytes: [UInt8]) -> Bool { ProtobufReader.isMessage(bytes.span.bytes, in: 0..<bytes.count) }
    #expect(isMessage(hex("089601")))
    #expect(isMessage([]))
    #expect(!isMessage(hex("0896")))
    #expect(!isMessage(hex("0b0801")))
    #expect(!isMessage(hex("0c")))
  }

  @Test(arguments: SeededGenerator.seeds)
  func writtenIsRead(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var bytes: [UInt8] = []
      let number = UInt32.random(in: 1...536_870_911, using: &random)
      let value = random.next() >> UInt64.random(in: 0...63, using: &random)
      let content = random.bytes(Int.random(in: 0...200, using: &random))
      ProtobufWriter.append(number, varint: value, to: &bytes)
      ProtobufWriter.append(number, zigzag: Int64(bitPattern: value), to: &bytes)
      ProtobufWriter.append(number, fixed64: value, to: &bytes)
      ProtobufWriter.append(number, fixed32: UInt32(truncatingIfNeeded: value), to: &bytes)
      ProtobufWriter.append(number, bytes: content.span.bytes, to: &bytes)
      let (found, error) = fields(bytes)
      #expect(error == nil && found.count == 5 && found.allSatisfy { $0.number == number }, "\(random)")
      guard found.count == 5 else { continue }
      #expect(found[0].value == value && found[1].zigzag == Int64(bitPattern: value) && found[2].value == value, "\(random)")
      #expect(found[3].value == value & 0xffff_ffff && Array(bytes[found[4].range]) == content, "\(random)")
      #expect(fields(random.bytes(40)).found.count <= 40)
    }
    for order in [VarintOrder.little, .big] {
      for shift in UInt64(0)...63 {
        for value in [UInt64.max >> shift, 1 << shift, 0] {
          var bytes: [UInt8] = [0xff]
          Varint.append(value, to: &bytes, order: order)
          let read = Varint(bytes.span.bytes, at: 1, order: order)
          #expect(read?.value == value && read?.count == bytes.count - 1, "\(value) \(order)")
          #expect(Varint(bytes.span.bytes, at: 1, end: bytes.count - 1, order: order) == nil)
        }
      }
    }
  }
}
