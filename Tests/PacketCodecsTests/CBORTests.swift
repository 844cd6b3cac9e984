import PacketCodecs
import Testing

private func items(_ bytes: [UInt8]) -> (found: [CBORItem], error: CBORError?) {
  var reader = CBORReader(in: 0..<bytes.count)
  var found: [CBORItem] = []
  do throws(CBORError) {
    while let item = try reader.next(in: bytes.span.bytes) { found.append(item) }
  } catch {
    return (found, error)
  }
  return (found, nil)
}

private func wholeLength(_ bytes: [UInt8], depth: Int = 64) throws(CBORError) -> Int? {
  var reader = CBORReader(in: 0..<bytes.count)
  return try reader.skip(in: bytes.span.bytes, maximumDepth: depth)?.count
}

@Suite struct CBORTests {
  /// RFC 8949, appendix A.
  @Test(arguments: [
    ("00", CBORItem.Kind.unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1000)),
    ("1a000f4240", .unsigned(1_000_000)), ("1b000000e8d4a51000", .unsigned(1_000_000_000_000)), ("1bffffffffffffffff", .unsigned(.max)),
    ("20", .negative(0)), ("3863", .negative(99)), ("3bffffffffffffffff", .negative(.max)), ("f90000", .float(0)), ("f98000", .float(-0.0)),
    ("f93c00", .float(1)), ("fb3ff199999999999a", .float(1.1)), ("f93e00", .float(1.5)), ("f97bff", .float(65504)),
    ("fa47c35000", .float(100000)), ("fa7f7fffff", .float(3.4028234663852886e+38)), ("fb7e37e43c8800759c", .float(1.0e+300)),
    ("f90001", .float(5.960464477539063e-8)), ("f90400", .float(0.00006103515625)), ("f9c400", .float(-4)), ("f97c00", .float(.infinity)),
    ("f9fc00", .float(-.infinity)), ("f4", .boolean(false)), ("f5", .boolean(true)), ("f6", .null), ("f7", .undefined), ("f0", .simple(16)),
    ("f8ff", .simple(255)), ("c1", .tag(1)), ("d818", .tag(24)), ("80", .array(0)), ("9f", .array(nil)), ("a0", .map(0)), ("bf", .map(nil)),
    ("5f", .bytesInPieces), ("7f", .textInPieces), ("ff", .end),
  ])
  func heads(bytes: String, kind: CBORItem.Kind) throws {
    let (found, error) = items(hex(bytes))
    #expect(found.map(\.kind) == [kind])
    #expect(error == nil)
  }

  @Test func stringsAndIntegers() {
    let bytes = hex("4401020304 6449455446 62c3bc 3903e7 3b8000000000000000")
    let (found, _) = items(bytes)
    #expect(found.map { Array(bytes[$0.contents]) } == [hex("01020304"), ascii("IETF"), hex("c3bc"), [], []])
    #expect(found.map(\.integer) == [nil, nil, nil, -1000, nil])
    #expect(items(hex("f97e00")).found.first.map { if case .float(let value) = $0.kind { value.isNaN } else { false } } == true)
  }

  @Test func wholeItems() throws {
    for text in [
      "00", "8301820203820405", "98190102030405060708090a0b0c0d0e0f101112131415161718181819", "a26161016162820203", "5f42010243030405ff",
      "7f657374726561646d696e67ff", "9f018202039f0405ffff", "bf61610161629f0203ffff", "c074323031332d30332d32315432303a30343a30305a",
      "9fff",
    ] {
      let bytes = hex(text)
      #expect(try wholeLength(bytes) == bytes.count, "\(text)")
      #expect(try wholeLength(bytes + [0]) == bytes.count, "\(text)")
      for cut in 1..<max(2, bytes.count) where cut < bytes.count {
        #expect(throws: CBORError.self, "\(text)") { try wholeLength(Array(bytes.prefix(cut))) }
      }
    }
    #expect(try wholeLength([]) == nil)
  }

  /// RFC 8949, appendix F.
  @Test(arguments: [
    "18", "19", "1a", "1b", "1901", "1a0102", "38", "58", "78", "98", "9a01ff00", "b8", "d8", "f8", "41", "61", "5affffffff00", "81",
    "8200",
    "a1", "a20102", "a100", "a2000000", "5f4100", "7f6100", "9f", "9f0102", "bf", "bf01020102", "819f", "9f8000", "9f9f9f9f9fffffffff",
    "1c",
    "1d", "1e", "3c", "5c", "7c", "9c", "bc", "dc", "fc", "f800", "f81f", "5f00ff", "5f21ff", "5f6100ff", "5f80ff", "5fa0ff", "5fc000ff",
    "5fe0ff",
    "7f4100ff", "5f5f4100ffff", "7f7f6100ffff", "ff", "81ff", "8200ff", "a1ff", "a1ff00", "a100ff", "a20000ff", "9f81ff", "bf00ff",
    "bf000000ff",
    "1f", "3f", "df", "9bffffffffffffffff", "bbffffffffffffffff", "c0",
  ])
  func notWellFormed(bytes: String) {
    #expect(throws: CBORError.self) { try wholeLength(hex(bytes)) }
  }

  @Test func depthIsBounded() {
    #expect(throws: CBORError(kind: .tooDeep, offset: 64)) { try wholeLength([UInt8](repeating: 0x81, count: 100_000)) }
    #expect(throws: CBORError(kind: .tooDeep, offset: 4)) { try wholeLength([UInt8](repeating: 0xc1, count: 9), depth: 4) }
  }

  @Test(arguments: SeededGenerator.seeds)
  func writtenIsRead(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var bytes: [UInt8] = []
      let integer = Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
      let pattern = Double(bitPattern: random.next())
      let floats: [Double] = [pattern, Double(Float(pattern)), Double(integer & 0xfff) / 256, 1 / Double(1 << (integer & 31))]
      let float: Double = floats.randomElement(using: &random) ?? 0
      CBORWriter.append(arrayOf: 4, to: &bytes)
      CBORWriter.append(integer, to: &bytes)
      CBORWriter.append(float: float, to: &bytes)
      CBORWriter.append(tag: random.next() >> 40, to: &bytes)
      CBORWriter.append(text: "ü\(integer)", to: &bytes)
      CBORWriter.append(mapOf: 1, to: &bytes)
      CBORWriter.append(boolean: true, to: &bytes)
      CBORWriter.append(bytes: random.bytes(Int(integer & 0x1ff)).span.bytes, to: &bytes)
      #expect(try wholeLength(bytes) == bytes.count, "\(random)")
      let (found, error) = items(bytes)
      #expect(error == nil && found[1].integer == integer, "\(random)")
      if case .float(let value) = found[2].kind {
        #expect(value == float || (value.isNaN && float.isNaN), "\(random)")
      } else {
        Issue.record("no float at \(found[2])")
      }
      let garbage = random.bytes(30)
      _ = try? wholeLength(garbage)
      #expect(items(garbage).found.count <= 30)
    }
    // Shortest forms.
    for (value, count) in [(1.0, 3), (0.1, 9), (100000.0, 5), (65504.0, 3), (65520.0, 5), (5.960464477539063e-8, 3)] {
      var bytes: [UInt8] = []
      CBORWriter.append(float: value, to: &bytes)
      #expect(bytes.count == count, "\(value)")
    }
  }
}
