import Inference
import PacketCodecs
import Testing

@Suite struct ProfileWritingTests {
  @Test func namesWhatWasFound() throws {
    let algorithm = try ChecksumAlgorithm(parsing: "CRC-16/MODBUS")
    var chance = Chance(41)
    let found = infer(
      stream(
        (0..<40).map { _ in
          var message: [UInt8] = [0xdd, 0x03, 0] + chance.bytes(2 + chance.below(8))
          message[2] = UInt8(message.count - 3)
          Checksum(algorithm, over: [ByteRange(from: 0, to: -2)], byteOrder: .little).insert(into: &message)
          return message
        }))
    let text = ProfileWriter.profile(of: found, name: "inferred")
    #expect(text.contains("algorithm: \"CRC-16/MODBUS\"") && text.contains("id: length"))
    #expect(ResultJSON.text([found]).contains("\"algorithm\":\"CRC-16/MODBUS\""))
  }

  /// A device's name becomes the title: characters that YAML does not allow, and invisible ones, are escaped.
  @Test func titlesHaveEscapes() {
    var source = StreamSource(.characteristics, direction: "notify")
    (source.handle, source.peerName) = (0x12, "a\u{85}\u{9B}\u{202E}\u{FFFE}\u{FFFF}\u{AD}\u{E0001}\n\u{1F600}")
    var stream = ValueStream(source)
    for index in 0..<8 { stream.append([1, UInt8(index), 7], at: Int64(index) * 1_000_000) }
    let found = infer(stream)
    // Nor does a character that controls a terminal, or that cannot be seen, stand in JSON.
    let json = ResultJSON.text([found])
    #expect(
      json.unicodeScalars.allSatisfy {
        $0 == "\n" || !["\u{85}", "\u{9B}", "\u{202E}", "\u{AD}", "\u{E0001}"].contains($0) && $0.value >= 0x20
      })
    let text = ProfileWriter.profile(of: [found], name: "inferred")
    #expect(text.contains(#"title: "a\u0085\u009b\u202e\ufffe\uffff\u00ad\U000e0001 "# + "\u{1F600}\"\n"), "\(text.prefix(200))")
  }

  /// Attributes of several devices with the same handle are separate sources, each with all of its directions.
  @Test func handlesOfSeveralDevicesHaveNames() {
    let found = [("a1", "write"), ("b2", "notify"), ("a1", "notify"), ("b2", "write")].map { uuid, direction -> StreamFindings in
      var source = StreamSource(.characteristics, direction: direction)
      (source.handle, source.uuid) = (0x12, uuid)
      var stream = ValueStream(source)
      for index in 0..<8 { stream.append([1, UInt8(index), 7], at: Int64(index) * 1_000_000) }
      return infer(stream)
    }
    let lines = ProfileWriter.profile(of: found, name: "inferred").split(separator: "\n")
    #expect(lines.count { $0 == "  handle_0012:" } == 1 && lines.count { $0 == "  handle_0012_2:" } == 1)
    for name in ["handle_0012", "handle_0012_2"] {
      for direction in ["write", "notify"] {
        #expect(lines.contains { $0.hasPrefix("  - {characteristic: \(name), direction: \(direction), ") }, "\(name) \(direction)")
      }
    }
  }
}
