import Foundation
import Testing

// The next line and the declaration below it are the example in Sources/Profiles/Profiles.docc/Profiles.md.
import Profiles

/// Decodes what one peripheral sends.
final class PeripheralMessages {
  private let decoder: MessageDecoder

  init(peripheralName: String?) throws {
    var device = PeerFacts()
    device.name = peripheralName
    decoder = MessageDecoder(try ProfileSet(), device: device)
  }

  /// Call it for each notification. Returns a line of text for each message that the notification completed.
  func received(_ value: [UInt8], characteristic: String) -> [String] {
    guard let uuid = BluetoothUUID(characteristic) else { return [] }
    return decoder.decode(value, characteristic: uuid, .notify).map { message in
      message.problem.map { "\(message.text) (\($0))" } ?? message.text
    }
  }
}

@Suite struct DocumentationTests {
  @Test func theLandingPageHasThisExample() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let page = try String(contentsOf: root.appendingPathComponent("Sources/Profiles/Profiles.docc/Profiles.md"), encoding: .utf8)
    let start = try #require(source.range(of: "\nimport Profiles\n"))
    let end = try #require(source.range(of: "\n@Suite"))
    let example = source[start.lowerBound..<end.lowerBound].drop(while: \.isNewline)
    #expect(page.contains("```swift\n" + example + "```"))
  }

  @Test func theExampleDecodesANotification() throws {
    let messages = try PeripheralMessages(peripheralName: nil)
    #expect(messages.received([0x00, 72], characteristic: "2A37") == ["72 bpm, contact not supported"])
    #expect(messages.received([0x00], characteristic: "FFFF") == [])
    #expect(messages.received([0x00], characteristic: "no UUID") == [])
  }
}
