import Foundation
import Testing

// The next line and the declaration below it are the example in Sources/PacketCodecs/PacketCodecs.docc/PacketCodecs.md.
import PacketCodecs

/// Joins the packets of a byte stream to frames that begin with 0xAA 0x55 and a length and end with a CRC.
struct FrameReader {
  private var framer: StreamFramer
  private let checksum: Checksum

  init() throws {
    var rules = StreamRules()
    rules.starts = [[0xAA, 0x55]]
    framer = StreamFramer(rules)
    checksum = Checksum(try ChecksumAlgorithm(parsing: "CRC-16/MODBUS"), byteOrder: .little)
  }

  /// The frames with a correct checksum that a packet completed.
  mutating func received(_ packet: [UInt8]) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    framer.push(
      packet.span.bytes, tag: 0,
      length: { bytes in
        // The third byte is the number of bytes of the whole frame.
        var reader = ByteReader(bytes)
        guard (try? reader.take(2)) != nil, let length = try? reader.u8() else { return .needs(3) }
        return .total(Int(length))
      },
      deliver: { frame in
        guard frame.isComplete, checksum.verify(frame.bytes).isCorrect else { return }
        frames.append(frame.bytes.withUnsafeBytes { Array($0) })
      })
    return frames
  }
}

@Suite struct DocumentationTests {
  @Test func theLandingPageHasThisExample() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let page = try String(
      contentsOf: root.appendingPathComponent("Sources/PacketCodecs/PacketCodecs.docc/PacketCodecs.md"), encoding: .utf8)
    let start = try #require(source.range(of: "\nimport PacketCodecs\n"))
    let end = try #require(source.range(of: "\n@Suite"))
    let example = source[start.lowerBound..<end.lowerBound].drop(while: \.isNewline)
    #expect(page.contains("```swift\n" + example + "```"))
  }

  @Test func theExampleJoinsFrames() throws {
    var frame: [UInt8] = [0xAA, 0x55, 7, 1, 2]
    try Checksum(ChecksumAlgorithm(parsing: "CRC-16/MODBUS"), byteOrder: .little).insert(into: &frame)
    #expect(frame.count == 7)
    var reader = try FrameReader()
    #expect(reader.received([0x00] + frame.prefix(4)) == [])
    #expect(reader.received(Array(frame.dropFirst(4))) == [frame])
    frame[4] ^= 1
    #expect(reader.received(frame) == [])
  }
}
