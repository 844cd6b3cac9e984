import PacketCodecs
import Testing

private struct Element: Equatable {
  var tag: UInt64
  var value: [UInt8]

  init(_ tag: UInt64, _ value: [UInt8]) {
    self.tag = tag
    self.value = value
  }
}

private func elements(_ format: TLVFormat, _ bytes: [UInt8]) -> (found: [Element], error: TLVError?) {
  var reader = TLVReader(format, in: 0..<bytes.count)
  var found: [Element] = []
  do throws(TLVError) {
    while let element = try reader.next(in: bytes.span.bytes) { found.append(Element(element.tag, Array(bytes[element.value]))) }
  } catch {
    return (found, error)
  }
  return (found, nil)
}

private func same(_ a: [Element], _ b: [Element]) -> Bool { a == b }

private func format(_ tag: TLVFormat.Field, _ length: TLVFormat.Field, _ change: (inout TLVFormat) -> Void = { _ in }) -> TLVFormat {
  var format = TLVFormat(tag: tag, length: length)
  change(&format)
  return format
}

@Suite struct TLVTests {
  @Test func oneByteEach() {
    // Elements of a GoPro query response: a zero length is an element without a value.
    let (found, error) = elements(.bytes1, hex("46014b 3a00 4602ffee"))
    #expect(same(found, [Element(0x46, [0x4b]), Element(0x3a, []), Element(0x46, [0xff, 0xee])]))
    #expect(error == nil)
  }

  @Test func advertisingData() {
    let (found, error) = elements(.advertisingData, hex("020106 0303a6fe 0000"))
    #expect(same(found, [Element(1, [6]), Element(3, [0xa6, 0xfe])]))
    #expect(error == nil)
    // gardena: the length counts the type; the last element is truncated.
    #expect(elements(.advertisingData, hex("0207640205010208000209010406120001")).found.count == 5)
    #expect(elements(.advertisingData, hex("0406")).error == TLVError(.cutValue, offset: 0, tag: 6, needed: 3, available: 0))
  }

  @Test func wideFieldsAndOrders() {
    let ones = [UInt8](repeating: 1, count: 129)
    #expect(same(elements(TLVFormat(tag: .bytes(2), length: .bytes(2)), hex("0102 0003 aabbcc")).found, [Element(0x102, hex("aabbcc"))]))
    #expect(
      same(
        elements(TLVFormat(tag: .bytes(2, .little), length: .bytes(3, .little)), hex("0102 030000 aabbcc")).found,
        [Element(0x201, hex("aabbcc"))])
    )
    #expect(same(elements(TLVFormat(tag: .bytes(4), length: .bytes(4, .little)), hex("00000001 01000000 aa")).found, [Element(1, [0xaa])]))
    #expect(
      same(
        elements(TLVFormat(tag: .varint(.little), length: .varint(.big)), hex("8101 8101") + ones).found, [Element(0x81, ones)]))
    #expect(same(elements(TLVFormat(tag: .bytes(1), length: .ber), hex("30 8202 0001 aa")).found, []))
    #expect(
      same(elements(TLVFormat(tag: .bytes(1), length: .ber), hex("30 820001 aa 04 00")).found, [Element(0x30, [0xaa]), Element(4, [])]))
    #expect(
      same(
        elements(TLVFormat(tag: .absent, length: .bytes(1)), hex("02aabb 00 01cc")).found,
        [Element(0, [0xaa, 0xbb]), Element(0, []), Element(0, [0xcc])]))
  }

  @Test func whatLengthsCount() {
    for (counts, bytes) in [
      (TLVFormat.LengthCounts.value, "05 02 aabb"), (.tagAndValue, "05 03 aabb"), (.lengthAndValue, "05 03 aabb"), (.whole, "05 04 aabb"),
    ] {
      let counted = format(.bytes(1), .bytes(1)) { $0.lengthCounts = counts }
      #expect(same(elements(counted, hex(bytes)).found, [Element(5, [0xaa, 0xbb])]), "\(counts)")
    }
    let biased = format(.bytes(1), .bytes(1)) { $0.lengthBias = 1 }
    #expect(same(elements(biased, hex("05 01 aabb")).found, [Element(5, [0xaa, 0xbb])]))
    let whole = format(.bytes(1), .bytes(1)) { $0.lengthCounts = .whole }
    #expect(elements(whole, hex("05 01 aabb")).error?.kind == .badLength)
  }

  @Test func fixedLengthsAndPackedOnes() {
    // BTHome: the object ID determines the length, except for text, which has a length of its own.
    let objects = TLVFormat(tag: .bytes(1), length: .bytes(1), fixedLengths: [.init(tag: 2, count: 2), .init(tag: 1, count: 1)])
    #expect(
      same(
        elements(objects, hex("0161 02ca09 5302 4142")).found,
        [Element(1, [0x61]), Element(2, [0xca, 0x09]), Element(0x53, [0x41, 0x42])]))
    let unknown = TLVFormat(tag: .bytes(1), length: .absent, fixedLengths: [.init(tag: 1, count: 1)])
    #expect(elements(unknown, hex("0161 77")).error?.kind == .unknownLength)
    let packed = format(.bytes(1), .absent) { $0.lengthBitsInTag = 5 }
    #expect(same(elements(packed, hex("42 aabb 21 01")).found, [Element(2, [0xaa, 0xbb]), Element(1, [1])]))
    let ended = format(.bytes(1), .bytes(1)) { $0.endTag = 0xfe }
    #expect(same(elements(ended, hex("0101aa fe 0200")).found, [Element(1, [0xaa]), Element(0xfe, []), Element(2, [])]))
  }

  @Test func whatIsCutShort() {
    #expect(elements(.bytes1, hex("46")).error == TLVError(.cutLength, offset: 0, tag: 0x46, needed: 1, available: 0))
    let (found, error) = elements(.bytes1, hex("460101 4603ff"))
    #expect(found.count == 1)
    #expect(error == TLVError(.cutValue, offset: 3, tag: 0x46, needed: 3, available: 1))
    #expect(elements(TLVFormat(tag: .bytes(2), length: .bytes(1)), hex("46")).error?.kind == .cutTag)
    let huge = TLVFormat(tag: .bytes(1), length: .bytes(8))
    #expect(elements(huge, hex("01 ffffffffffffffff 00")).error?.kind == .badLength)
    #expect(elements(huge, hex("01 3fffffffffffffff 00")).error?.kind == .cutValue)
  }

  @Test func nestedListsAreBounded() throws {
    let outer = hex("8104 0102 0304")
    var seen: [String] = []
    try TLVFormat.bytes1.walk(outer.span.bytes) {
      $0.tag & 0x80 != 0 ? .bytes1 : nil
    } visit: { element, depth in
      seen.append("\(depth):\(element.tag)@\(element.offset)")
    }
    #expect(seen == ["0:129@0", "1:1@2"])
    var deep: [UInt8] = []
    for _ in 0..<40 { deep = [0x81, UInt8(deep.count)] + deep }
    #expect(throws: TLVError.self) {
      try TLVFormat.bytes1.walk(deep.span.bytes, maximumDepth: 8) { _ in
        .bytes1
      } visit: { _, _ in
      }
    }
  }

  @Test(arguments: SeededGenerator.seeds)
  func writtenIsRead(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let fields: [TLVFormat.Field] = [.bytes(1), .bytes(2, .little), .bytes(3), .bytes(8), .varint(.little), .varint(.big), .ber]
    for round in 0..<400 {
      var format = TLVFormat(
        tag: (fields + [.absent]).randomElement(using: &random) ?? .absent, length: fields.randomElement(using: &random) ?? .ber,
        fixedLengths: Bool.random(using: &random) ? [.init(tag: 3, count: 2)] : [])
      format.lengthCounts = TLVFormat.LengthCounts.allCases.randomElement(using: &random) ?? .value
      format.lengthBias = Int.random(in: -2...2, using: &random)
      format.lengthFirst = format.fixedLengths.isEmpty && Bool.random(using: &random)
      if Bool.random(using: &random) { format.padding = 0 }
      if Int.random(in: 0..<4, using: &random) == 0 { format.lengthBitsInTag = 5 }
      var written: [Element] = []
      var bytes: [UInt8] = []
      for _ in 0..<6 {
        let tag = UInt64.random(in: 0...9, using: &random)
        let value = random.bytes(Int.random(in: 0...200, using: &random))
        if format.append(tag: tag, value: value.span.bytes, to: &bytes) { written.append(Element(tag, value)) }
      }
      let (found, error) = elements(format, bytes)
      #expect(same(found, written) && error == nil, "\(format), \(random), round \(round)")
      // Garbage neither traps nor stops the iteration.
      let garbage = random.bytes(30)
      #expect(elements(format, garbage).found.count <= 30)
    }
  }
}
