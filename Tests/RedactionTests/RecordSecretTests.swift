import CaptureScenes
import Captures
import Profiles
@testable import Redaction
import Testing
@_spi(Pipeline) import Analysis

/// Numbers that a layout knows, where something else stands in their place: in records of SDP, in rows of numbers, and beside others.
@Suite struct RecordSecretTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)

  private static func redacted(
    _ scene: Scene, isSame: Bool = true, _ options: Redaction.Options = Redaction.Options()
  ) throws -> (before: [UInt8], after: [UInt8]) {
    let (original, redacted) = try Redacted.scene(scene, target, options: options)
    #expect(try redacted.check(options).isEmpty)
    if isSame {
      #expect(try Shape.of(original.path, profiles: options.profiles) == Shape.of(redacted.file.path, profiles: options.profiles))
    }
    return (original.bytes, redacted.file.bytes)
  }

  // MARK: Beside others

  /// A value that is known to be harmless beside one that is not: who checks the result with the same options finds nothing.
  @Test(arguments: [false, true], [false, true]) func harmlessValuesBesideOthers(keepsValues: Bool, hasProfiles: Bool) throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A19, at: 0x21)
    scene.discover(0xFFF1, at: 0x31, service: 0xFFF0)
    scene.send([0x20, 0x21, 0, 0x31, 0])
    scene.receive([0x21, 1, 0, 0x64, 8, 0] + Array("rmvarzoe".utf8))
    scene.receive([0x23, 0x21, 0, 1, 0, 0x63, 0x31, 0, 8, 0] + Array("hildegar".utf8))
    var options = Redaction.Options()
    options.keepsValues = keepsValues
    if hasProfiles { options.profiles = try ProfileSet() }
    let (_, after) = try Self.redacted(scene, options)
    #expect(contains([0x21, 1, 0, 0x64, 8, 0], in: after) && contains([0x23, 0x21, 0, 1, 0, 0x63, 0x31, 0, 8, 0], in: after))
    for secret in ["rmvarzoe", "hildegar"] {
      let isLeft = contains(Array(secret.utf8), in: after)
      #expect(isLeft == keepsValues)
    }
  }

  /// Of a broadcast that an assistant tells a receiver of, the code, the address, the number and the texts are replaced, and its states stay.
  @Test func statesOfABroadcastStay() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2BC7, at: 0x21, service: 0x184F, properties: 0x0C)
    scene.discover(0x2BC8, at: 0x31, service: 0x184F)
    let address: [UInt8] = [0xF2, 0x69, 0x8B, 0xE8, 0x07, 0xC0]
    let name: [UInt8] = [10, 0x0B] + Array("Zoe Radio".utf8)
    let code = Array("Hildegard 471108".utf8)
    let number: [UInt8] = [0x34, 0x12, 0xA7]
    let source: [UInt8] = [0] + address + [0] + number
    let named: [UInt8] = [UInt8(name.count)] + name
    let add: [UInt8] = [2] + source + [2, 0x10, 0x27, 1, 1, 0, 0, 0] + named
    let writes: [[UInt8]] = [add, [3, 1, 2, 0x10, 0x27, 1, 2, 0, 0, 0, 0], [5, 1], [4, 1] + code]
    for value in writes {
      scene.send([0x12, 0x21, 0] + value)
      scene.receive([0x13])
    }
    let states: [[UInt8]] = [[1] + source + [2, 0, 1, 3, 0, 0, 0] + named, [2] + source + [2, 3] + code + [1, 3, 0, 0, 0, 0]]
    for value in states { scene.receive([0x1B, 0x31, 0] + value) }
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    let (before, after) = try Self.redacted(scene, options)
    for secret in [address, number, Array("Zoe ".utf8), Array("adio".utf8), Array("Hilde".utf8), Array("4711".utf8)] {
      let (wasThere, isLeft) = (contains(secret, in: before), contains(secret, in: after))
      #expect(wasThere && !isLeft, "\(secret)")
    }
    let kept: [[UInt8]] = [
      [0x12, 0x21, 0, 2, 0], [2, 0x10, 0x27, 1, 1, 0, 0, 0, 11, 10, 0x0B], [0x21, 0, 3, 1, 2, 0x10, 0x27, 1, 2, 0, 0, 0, 0],
      [0x21, 0, 5, 1],
      [0x12, 0x21, 0, 4, 1], [0x1B, 0x31, 0, 1, 0], [2, 0, 1, 3, 0, 0, 0, 11, 10, 0x0B], [0x1B, 0x31, 0, 2, 0], [1, 3, 0, 0, 0, 0],
    ]
    for stays in kept {
      let isThere = contains(stays, in: after)
      #expect(isThere, "\(stays)")
    }
    // Who opens values does not open the code, with the profile and without it.
    options.keepsValues = true
    for profiles in [options.profiles, nil] {
      options.profiles = profiles
      let isLeft = contains(code, in: try Self.redacted(scene, options).after)
      #expect(!isLeft)
    }
  }
}
