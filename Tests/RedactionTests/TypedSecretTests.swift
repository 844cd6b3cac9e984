import CaptureScenes
import Captures
import Redaction
import Testing

/// What somebody types does not survive, over BR/EDR and over LE, with and without a report map, and not even where values are kept.
@Suite struct TypedSecretTests {
  private static let typed: [UInt8] = [0x13, 0x04, 0x16, 0x17, 0x1C, 0x0B]

  /// A keyboard over LE, whose report map and Report Reference are read.
  private static func couch(_ map: [UInt8]?) -> Scene {
    var scene = Scene()
    scene.hogp(map)
    for key in typed { scene.receive([0x1B, 0x32, 0, 0x02, 0, key, typed[0], 0, 0, 0, 0]) }
    scene.receive([0x1B, 0x32, 0, 0, 0] + typed)
    return scene
  }

  private static func desk(_ map: [UInt8]) -> Scene {
    var scene = Scene()
    scene.keyboard(map)
    for key in typed { scene.typed([0x02, 0, key, typed[0], 0, 0, 0, 0]) }
    scene.typed([0, 0] + typed)
    // The same as an answer to Get Report, and as a report that the host sets.
    scene.pdu(.sent, 0x53, [0x41, 1])
    scene.pdu(.received, 0x43, [0xA1, 1, 0, 0] + typed)
    scene.pdu(.sent, 0x53, [0x51, 1] + typed)
    return scene
  }

  @Test(arguments: [false, true])
  func nothingTypedIsLeft(keepsValues: Bool) throws {
    let scenes = [Self.desk(Scene.keyboardMap), Self.desk([0x05]), Self.couch(Scene.keyboardMap)]
    for scene in scenes + (keepsValues ? [] : [Self.couch(nil)]) {
      var options = Redaction.Options()
      options.keepsValues = keepsValues
      let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254), options: options)
      let (before, after) = (original.bytes, redacted.file.bytes)
      #expect(contains(Self.typed, in: before))
      #expect(traces(of: Self.typed, in: after).isEmpty)
      // Single keys: none of the reports has one where it stood.
      for key in Self.typed {
        let report: [UInt8] = [0x02, 0, key, Self.typed[0]]
        #expect(contains(report, in: before))
        #expect(!contains(report, in: after), "\(key)")
      }
      #expect(try redacted.check(options).isEmpty)
    }
  }

  /// A report map stays where it is read; what is said by itself under its handle, or written there, is none.
  @Test func whatOnlyStandsWhereAReportMapBelongsIsReplaced() throws {
    var scene = Scene()
    scene.hogp(Scene.keyboardMap)
    scene.discover(0x2A4B, at: 0x60, service: 0x1812)
    let secret = Array("Konstantin, 4917055512345".utf8)
    scene.receive([0x1B, 0x60, 0] + secret)
    scene.send([0x52, 0x60, 0] + secret)
    scene.send([0x06, 1, 0, 0xFF, 0xFF, 0x4B, 0x2A] + secret)
    scene.receive([0x23, 0x60, 0, UInt8(secret.count), 0] + secret)
    scene.send([0x0A, 0x60, 0])
    scene.receive([0x0B] + Scene.keyboardMap.prefix(22))
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254))
    #expect(contains(secret, in: original.bytes) && contains(Array(Scene.keyboardMap.prefix(22)), in: redacted.file.bytes))
    for start in 0...secret.count - 6 {
      let isLeft = contains(Array(secret[start..<start + 6]), in: redacted.file.bytes)
      #expect(!isLeft, "\(start)")
    }
  }
}
