import CaptureScenes
import Captures
@testable import Redaction
import Testing

/// The payload of IPv6 packets over Bluetooth is replaced, whatever compressed headers precede it.
@Suite struct InternetSecretTests {
  private static let secret = Array("Konstantin, 4917055512345, Lindenallee 7".utf8)

  /// An IPSP channel on an LE connection, with one packet.
  private static func scene(_ packet: [UInt8]) -> Scene {
    var scene = Scene()
    scene.connect()
    scene.pdu(.sent, 5, [20, 1, 10, 0, 0x23, 0, 0x41, 0, 0, 5, 0xE6, 0, 10, 0])
    scene.pdu(.received, 5, [21, 1, 10, 0, 0x45, 0, 0, 5, 0xE6, 0, 10, 0, 0, 0])
    scene.pdu(.received, 0x41, [UInt8(packet.count), 0] + packet)
    return scene
  }

  /// The byte behind Next Header of a fragment header is no length, and only the first fragment has a transport header.
  @Test(arguments: [0, 1, 8, 0x45, 0x80, 0xFF] as [UInt8], [0, 8] as [UInt8])
  func textBehindAFragmentHeader(_ reserved: UInt8, offset: UInt8) throws {
    let compressed: [UInt8] = [0x7E, 0x33]
    let address: [UInt8] = [0, offset | 1, 0x12, 0x34, 0x56, 0x78]
    let inline: [UInt8] = [0x7A, 0x33, 44]
    let heads: [[UInt8]] = [
      compressed + [0xE4, 17, reserved] + address, compressed + [0xE4, 6, reserved] + address, compressed + [0xE5, reserved] + address,
      inline + [17, reserved] + address,
    ]
    for head in heads {
      // The first fragment has the transport header; other fragments begin with the text.
      let transport: [UInt8] =
        offset > 0 ? [] : head.contains(0xE5) ? [0xF3, 0x12, 0xAB, 0xCD] : [UInt8](repeating: 0, count: head.contains(6) ? 20 : 8)
      let (original, redacted) = try Redacted.scene(
        Self.scene(head + transport + Self.secret), CaptureTarget(.pcapng, linkType: 254))
      #expect(contains(Self.secret, in: original.bytes))
      for start in 0...Self.secret.count - 6 {
        let isLeft = contains(Array(Self.secret[start..<start + 6]), in: redacted.file.bytes)
        #expect(!isLeft, "\(head): \(start)")
      }
      #expect(try redacted.check().isEmpty)
      #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
    }
  }
}
