import CaptureScenes
import Captures
import Profiles
@testable import Redaction
import Testing
@_spi(Pipeline) import Analysis

/// Dates, times and time zones: a field that a profile marks as a date or a time is replaced in every form.
@Suite struct ClockSecretTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)

  private static func uuid(_ text: String) -> [UInt8] {
    let digits = text.utf8.filter { $0 != 0x2D }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0 }
      .reversed()
  }

  /// A device with a service and one characteristic in it, at 0x21.
  static func device(_ service: String, _ characteristic: String) -> Scene {
    var scene = Scene()
    scene.connect()
    let (service, characteristic) = (uuid(service), uuid(characteristic))
    scene.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    scene.receive([0x11, UInt8(service.count + 4), 0x1F, 0, 0x2F, 0] + service)
    scene.send([0x08, 0x1F, 0, 0x2F, 0, 0x03, 0x28])
    scene.receive([0x09, UInt8(characteristic.count + 5), 0x20, 0, 0x3E, 0x21, 0] + characteristic)
    return scene
  }

  private static func redacted(_ scene: Scene, _ profiles: ProfileSet) throws -> (bytes: [UInt8], isSame: Bool) {
    var options = Redaction.Options()
    options.profiles = profiles
    let (original, redacted) = try Redacted.scene(scene, target, options: options)
    #expect(try redacted.check(options).isEmpty)
    let (before, after) = (try Shape.of(original.path, profiles: profiles), try Shape.of(redacted.file.path, profiles: profiles))
    return (redacted.file.bytes, before == after)
  }

  /// BCD times, seconds since 1970, and a position with its signs, as in the profiles' own tests.
  @Test(
    arguments: [
      (
        "8e2f0cbd-1a66-4b53-ace6-b494e25f87bd", "8f65073d-9f57-4aaa-afea-397d19d5bbeb", [0x43, 0x62],
        [0x30, 0x45, 0x06, 0x29, 0x00, 0x11, 0x26],
        [Int](repeating: 0, count: 9)
      ),
      (
        "8e2f0cbd-1a66-4b53-ace6-b494e25f87bd", "8f65073d-9f57-4aaa-afea-397d19d5bbeb", [0x43, 0x71, 1, 0], [0x22, 0x47, 0x06, 0x51],
        [Int](repeating: 0, count: 10)
      ),
      ("9da2ddf1-0000-44d0-909c-3f3d3cb34a7b", "97fe6561-1001-4f62-86e9-b71ee2da3d22", [], [0xB9, 0xBA, 0x94, 0x69], []),
      (
        "00010000-0000-1000-0000-d8492fffa821", "00040002-0000-1000-0000-d8492fffa821", [4], [0x4E, 0x71, 0x3D, 0x40, 0x42, 0x45],
        [
          0xF6, 0x28, 0x38, 0x41, 0x2B, 0, 0, 0xC8, 0x41, 0xC0, 0xC9, 0xFB, 0x65,
        ]
      ),
      (
        "fd47416a-95fb-4206-88b5-b4a8045f75c1", "fd47416a-95fb-4206-88b5-b4a8045f75da", [], [0x8A, 0xB8, 0x72, 0x67],
        [
          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x19, 0x10,
        ]
      ),
      ("1805", "2a0f", [], [0x1C, 0x04], []),
    ] as [(String, String, [Int], [Int], [Int])]) func aClockGoes(
      _ service: String, _ characteristic: String, _ head: [Int], _ time: [Int], _ tail: [Int]
    )
    throws
  {
    var scene = Self.device(service, characteristic)
    let value = (head + time + tail).map { UInt8($0) }
    // The phone writes its position to the camera.
    let opcode: UInt8 = characteristic.hasPrefix("00040002") ? 0x52 : 0x1B
    if opcode == 0x52 { scene.send([opcode, 0x21, 0] + value) } else { scene.receive([opcode, 0x21, 0] + value) }
    let (bytes, isSame) = try Self.redacted(scene, try ProfileSet())
    let secret = time.map { UInt8($0) }
    let head = head.map { UInt8($0) }
    // The bytes before the secret are kept.
    let (isLeft, hasHead) = (contains([opcode, 0x21, 0] + head + secret, in: bytes), contains([opcode, 0x21, 0] + head, in: bytes))
    #expect(!isLeft && hasHead && isSame)
    // No part of it is kept, except zeros.
    let notification = bytes.indices.first { bytes[$0...].starts(with: [opcode, 0x21, 0] + head) } ?? 0
    let written = bytes[(notification + 3 + head.count)...].prefix(secret.count)
    #expect(zip(written, secret).count { $0 == $1 } <= 1 + secret.count { $0 == 0 }, "\(Array(written))")
  }

  /// The sign of a height, and the hemisphere, are replaced with the number beside them.
  @Test func signsGoWithTheirNumbers() throws {
    let own = """
      profile: own
      match: {services: [fff0]}
      meta: {endian: le}
      characteristics: {data: {uuid: fff1, notify: m}}
      types:
        m:
          seq:
            - {id: kind, type: u1, enum: kind}
            - {id: hemisphere, type: u1, enum: half}
            - {id: sign, type: u1, enum: sign}
            - {id: latitude, type: f4, -unit: °}
            - {id: current, type: s2, -unit: A}
            - {id: phase_sign, type: u1, enum: sign}
      enums: {kind: {1: place}, half: {0x4e: N, 0x53: S}, sign: {0x2b: plus, 0x2d: minus}}
      """
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFF1, at: 0x21, service: 0xFFF0)
    scene.receive([0x1B, 0x21, 0, 1, 0x53, 0x2D, 0x71, 0x3D, 0x40, 0x42, 0x11, 0x00, 0x2D])
    let (bytes, isSame) = try Self.redacted(scene, try ProfileSet(builtin: false, texts: [(own, "own.yaml", .given)]))
    let value = Array(bytes.suffix(10))
    #expect(isSame && value[0] == 1 && value[1] != 0x53 && value[2] != 0x2D && value[7...] == [0x11, 0, 0x2D], "\(value)")
  }

  /// Numbers of a time of day and of a date, and their source fields, are replaced; a duration and a battery's date of manufacture are kept.
  @Test func datesByTheirNames() throws {
    let own = """
      profile: own
      match: {services: [fff0]}
      meta: {endian: le}
      characteristics: {data: {uuid: fff1, notify: m}}
      types:
        m: {seq: [{id: alarm, type: alarm}, {id: left, type: left}, {id: made, type: made}, {id: packed, type: packed}, {id: timestamp, type: u4}, {id: uptime, type: uptime}]}
        alarm: {seq: [{id: hour, type: u1, -unit: h}, {id: minute, type: u1, -unit: min}]}
        left: {seq: [{id: hours, type: u1, -unit: h}, {id: minutes, type: u1, -unit: min}]}
        made: {seq: [{id: production_year, type: u1, -unit: d}, {id: production_month, type: u1, -unit: d}]}
        packed:
          seq: [{id: bits, type: u2, -unit: d}]
          instances: {year: {value: bits >> 9}, month: {value: bits >> 5 & 15}, day: {value: bits & 31}}
        uptime: {seq: [{id: timestamp, type: u4}]}
      """
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFF1, at: 0x21, service: 0xFFF0)
    scene.receive([0x1B, 0x21, 0, 6, 45, 7, 46, 21, 11, 0x7D, 0x35, 0x8A, 0xB8, 0x72, 0x67, 0x8A, 0xB8, 0x02, 0x00])
    let (bytes, isSame) = try Self.redacted(scene, try ProfileSet(builtin: false, texts: [(own, "own.yaml", .given)]))
    let value = Array(bytes.suffix(16))
    #expect(
      isSame && value[0] != 6 && value[1] != 45 && value[2..<6] == [7, 46, 21, 11] && value[6] != 0x7D && value[7] != 0x35, "\(value)")
    #expect(value[8..<12] != [0x8A, 0xB8, 0x72, 0x67] && value[12...] == [0x8A, 0xB8, 0x02, 0x00], "\(value)")
  }
}
