import Foundation
import Testing

// The next line and the declaration below it are the example in Sources/KaitaiStruct/KaitaiStruct.docc/KaitaiStruct.md.
import KaitaiStruct

/// Reads packets that a Kaitai Struct specification describes.
final class PacketReader {
  private let program: KaitaiProgram
  private let packet: TypeID

  init() throws {
    let compiler = Compiler()
    packet = try compiler.add(
      text: """
        meta: {id: packet, endian: le, encoding: UTF-8}
        seq:
          - {id: len_name, type: u1}
          - {id: name, type: str, size: len_name}
          - {id: voltage, type: u2}
        """,
      file: "packet.ksy")
    program = try compiler.finish()
  }

  /// The name and the voltage in a packet. Throws where the packet does not fit the specification.
  func read(_ bytes: [UInt8]) throws -> (name: String, voltage: Int64)? {
    let tree = KaitaiTree(program)
    if let failure = tree.parse(packet, bytes.span.bytes) { throw failure }
    guard let name = program.symbol("name").flatMap({ tree.node($0, of: tree.root) }),
      let voltage = program.symbol("voltage").flatMap({ tree.node($0, of: tree.root) }).flatMap({ tree.int($0) })
    else { return nil }
    return (tree.string(name), voltage)
  }
}

@Suite struct DocumentationTests {
  @Test func theLandingPageHasThisExample() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let page = try String(
      contentsOf: root.appendingPathComponent("Sources/KaitaiStruct/KaitaiStruct.docc/KaitaiStruct.md"), encoding: .utf8)
    let start = try #require(source.range(of: "\nimport KaitaiStruct\n"))
    let end = try #require(source.range(of: "\n@Suite"))
    let example = source[start.lowerBound..<end.lowerBound].drop(while: \.isNewline)
    #expect(page.contains("```swift\n" + example + "```"))
  }

  @Test func theExampleReadsAPacket() throws {
    let reader = try PacketReader()
    let packet = try #require(try reader.read([2, 0x48, 0x69, 0xE4, 0x0C]))
    #expect(packet.name == "Hi")
    #expect(packet.voltage == 3300)
    #expect(throws: Failure.self) { try reader.read([2, 0x48]) }
  }
}
