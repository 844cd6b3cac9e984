import CaptureScenes
import Captures
import Profiles
import Redaction
import Testing

/// Media data are replaced, with and without an RTP header, and so are data behind a truncated first fragment.
@Suite struct MediaSecretTests {
  private static func open(_ scene: inout Scene, _ channel: UInt8) {
    scene.pdu(.sent, 1, [0x02, channel, 4, 0, 0x19, 0, channel, 0])
    scene.pdu(.received, 1, [0x03, channel, 8, 0, channel + 1, 0, channel, 0, 0, 0, 0, 0])
  }

  /// A media stream with a codec and packets.
  private static func stream(_ codec: [UInt8], _ packets: [[UInt8]]) -> Scene {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5e00_5331) + [1, 0])
    open(&scene, 0x40)
    scene.pdu(.sent, 0x41, [0x10, 3, 1 << 2, 2 << 2, 1, 0, 7, UInt8(codec.count + 1), 0] + codec)
    scene.pdu(.received, 0x40, [0x12, 3])
    scene.pdu(.sent, 0x41, [0x20, 6, 1 << 2])
    scene.pdu(.received, 0x40, [0x22, 6])
    open(&scene, 0x50)
    scene.pdu(.sent, 0x41, [0x30, 7, 1 << 2])
    scene.pdu(.received, 0x40, [0x32, 7])
    for packet in packets { scene.pdu(.sent, 0x51, packet) }
    return scene
  }

  private static let sbc: [UInt8] = [0, 0x21, 0x15, 2, 53]
  /// Vendor ID, codec ID, and codec-specific capabilities.
  private static let fastStream: [UInt8] = [0xFF, 0x0A, 0, 0, 0, 1, 0, 3, 0x22]
  private static let unknown: [UInt8] = [0xFF, 0x34, 0x12, 0, 0, 7, 0, 1, 2]

  /// SBC frames without an RTP header, whose first byte reads as one with twelve sources; a header of another version; a header that is
  /// longer than its packet; and sources and an extension with private data.
  @Test func mediaWithoutAHeaderGo() throws {
    let secret = Array("Klara Zweckendorf, Amselweg 4711, +49 1511 2345678, hunter2-99 and much more of it than that".utf8)
    let head: [UInt8] = [0x60, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    let packets: [(codec: [UInt8], packet: [UInt8])] = [
      (Self.fastStream, [0x9C] + secret), (Self.fastStream, [0x80, 0x60] + secret), (Self.unknown, [0x80] + head + secret),
      (Self.unknown, secret),
      (Self.sbc, [0x40] + secret), (Self.sbc, [0x9C] + secret.prefix(30)), (Self.sbc, [0x8F] + head + secret),
      (Self.sbc, [0x90] + head + [0x4B, 0x6C, 0, 4] + secret),
    ]
    for (codec, packet) in packets {
      let (original, redacted) = try Redacted.scene(Self.stream(codec, [packet, packet]), CaptureTarget(.btsnoop, linkType: 1002))
      let (before, after) = (original.bytes, redacted.file.bytes)
      for start in 0...25 {
        let part = Array(secret[start..<start + 4])
        let (wasThere, isLeft) = (contains(part, in: before), contains(part, in: after))
        #expect(wasThere && !isLeft, "\(packet.prefix(2)): \(String(decoding: part, as: UTF8.self))")
      }
      #expect(try redacted.check() == [])
      #expect(try Shape.of(original.path) == Shape.of(redacted.file.path), "\(packet.prefix(2))")
    }
  }

  /// The RTP header of media packets is kept, with its sequence number.
  @Test func headersOfMediaStay() throws {
    let packet: [UInt8] = [0x80, 0x60, 0, 7, 0, 0, 5, 0, 0, 0, 0, 1, 1, 0x9C, 0, 2, 0xAA, 0x11, 0x22, 0x33]
    let (_, redacted) = try Redacted.scene(Self.stream(Self.sbc, [packet]), CaptureTarget(.btsnoop, linkType: 1002))
    let stays = contains(Array(packet.prefix(12)), in: redacted.file.bytes)
    #expect(stays)
  }

  /// A first fragment that the capture truncated within the L2CAP header: the next one begins behind that header, not with its rest.
  @Test(arguments: [0, 1, 2, 3]) func aFirstFragmentThatWasCut(_ left: Int) throws {
    let secret = Array("Klara".utf8)
    var scene = Scene()
    scene.connect()
    let whole: [UInt8] = [40, 0, 0x47, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    scene.packet(
      .acl, .received, [0x40, 0x20, UInt8(whole.count), 0] + whole.prefix(left), original: 4 + whole.count)
    scene.acl(.received, isStart: false, secret + [UInt8](repeating: 9, count: 27))
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    let (wasThere, isLeft) = (
      contains(Array(secret.prefix(2)), in: original.bytes), contains(Array(secret.prefix(2)), in: redacted.file.bytes)
    )
    #expect(wasThere && !isLeft)
    #expect(try redacted.check() == [])
  }
}
