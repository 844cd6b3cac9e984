import CaptureScenes
import Captures
import Profiles
@testable import Redaction
import Testing
@_spi(Pipeline) import Analysis

/// Advertised messages in parts, of which the capture has only the first.
@Suite struct UnfinishedAdvertisementTests {
  /// A provisioning transaction (Mesh Protocol, 5.3) of several segments: the capture ends before the second, and its message has no row.
  @Test func aTransactionThatNeverEnds() throws {
    var scene = Scene()
    let segment: [UInt8] = [0x29, 1, 2, 3, 4, 0, 0x04, 0, 40, 0x55, 3] + Array("Ada".utf8)
    let data = [UInt8(segment.count)] + segment
    scene.event(0x3E, [2, 1, 3, 1] + scene.octets(0xC0FF_EE00_0001) + [UInt8(data.count)] + data + [0xC4])
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    #expect(try Shape.of(original.path).count == Shape.of(redacted.file.path).count)
    #expect(!contains(Array("Ada".utf8), in: redacted.file.bytes))
  }
}
