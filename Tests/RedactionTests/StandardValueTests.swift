import Bluetooth
import CaptureScenes
import Captures
import Foundation
import Profiles
@testable import Redaction
import Testing

/// Numeric values of attributes of the Bluetooth SIG: a device may send a text there, and where a response was missed, the next one is
/// assigned to the request. Values that are valid for the attribute are kept.
@Suite struct StandardValueTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)

  private static func options() throws -> Redaction.Options {
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    return options
  }

  /// A scene in which all characteristics from `first` on send values in notifications and in read responses.
  private static func scene(_ first: UInt16, _ values: [[UInt8]], count: UInt16 = 16) -> Scene {
    var scene = Scene()
    scene.connect()
    for number in 0..<count {
      let handle = 0x20 + 4 * number
      scene.discover(first + number, at: handle, service: 0xFFF0)
      for value in values {
        scene.receive([0x1B] + scene.little(handle) + value)
        scene.send([0x0A] + scene.little(handle))
        scene.receive([0x0B] + value)
      }
      // In a Read By Type Response.
      if let value = values.last {
        scene.send([0x08, 1, 0, 0xFF, 0xFF] + scene.little(first + number))
        scene.receive([0x09, UInt8(value.count + 2)] + scene.little(handle) + value)
      }
    }
    return scene
  }

  private static let secret = Array("KLARA4711ZWECKENDORF".utf8)

  /// The text in every length of a number, behind bytes that are no text, before a NUL, between NULs, and in UTF-16.
  private static let forms: [[UInt8]] = {
    var forms: [[UInt8]] = []
    for count in [4, 5, 6, 7, 8, 9, 10, 11, 13, 16] {
      let text = Array(secret.prefix(count))
      forms += [[UInt8(count)] + text, [0] + text, [3, 1] + text, text + [0], [1] + text + [0], [0xFF, 0] + text, [2, 0, 0] + text]
      forms += [text.flatMap { [$0, 0] }, [UInt8(2 * count)] + text.flatMap { [0, $0] }]
    }
    return forms
  }()

  /// All characteristics with a number, sixteen at a time.
  @Test(arguments: Array(stride(from: 0x2A00 as UInt16, to: 0x2C20, by: 16))) func noTextIsLeft(_ first: UInt16) throws {
    let options = try Self.options()
    let (original, redacted) = try Redacted.scene(Self.scene(first, Self.forms), Self.target, options: options)
    let (before, after) = (original.bytes, redacted.file.bytes)
    for start in 0...Self.secret.count - 4 {
      let part = Array(Self.secret[start..<start + 4])
      if start < 12 { #expect(contains(part, in: before)) }
      let isLeft = contains(part, in: after) || contains(part.flatMap { [$0, 0] }, in: after)
      #expect(!isLeft, "\(String(first, radix: 16)): \(String(decoding: part, as: UTF8.self))")
    }
  }

  /// Typical values of devices.
  private static let values: [(uuid: UInt16, values: [[UInt8]])] = [
    (
      0x2A04,
      [
        [0x18, 0, 0x28, 0, 0, 0, 0x2A, 0], [0x50, 0, 0xA0, 0, 0, 0, 0xE8, 3], [6, 0, 0x80, 0x0C, 0, 0, 0x80, 0x0C],
        [255, 255, 255, 255, 0, 0, 255, 255],
      ]
    ),
    (0x2A05, [[1, 0, 255, 255], [0x0A, 0, 0x2C, 1]]), (0x2A4A, [[0x11, 1, 0, 3], [1, 1, 33, 2]]),
    (0x2A4F, [[0x30, 0, 0x30, 0], [0xA0, 0, 0x50, 0]]),
    (0x2A50, [[1, 0x4C, 0, 1, 2, 0x10, 3], [2, 0x5E, 4, 0xFD, 2, 3, 9], [1, 0x59, 0, 0, 0, 1, 0], [2, 0x6D, 4, 0x42, 0xB3, 9, 0]]),
    (0x2A6D, [[0x02, 0x76, 0x0F, 0], [0x44, 0x6A, 0x0F, 0]]), (0x2A75, [[0x2C, 1, 0]]),
    (0x2A9B, [[0x93, 0, 0, 0]]), (0x2AA1, [[0x2C, 1, 0x9C, 0xFF, 0x6B, 0xFE]]),
    (0x2ACC, [[0x83, 0x14, 0, 0, 0x0C, 0xE0, 0, 0]]), (0x2AD4, [[0x64, 0, 0xD0, 7, 0x0A, 0]]), (0x2AD5, [[0x9C, 0xFF, 0x96, 0, 5, 0]]),
    (0x2AD6, [[0, 0, 0xE8, 3, 1, 0]]), (0x2AD8, [[0, 0, 0xA0, 0x0F, 1, 0]]), (0x2AFB, [[0x10, 0x27, 0]]), (0x2B7D, [[0x80, 0, 7]]),
    (0x2B7E, [[4, 0, 0x64], [6, 3]]),
    (0x2BCA, [[3, 0, 0, 0], [0xFF, 0x0F, 0, 0]]), (0x2BCD, [[0xFF, 0x0F, 7, 0]]), (0x2BED, [[2, 0xA3, 0, 99], [0, 0x21, 0]]),
  ]

  @Test(arguments: values.indices) func whatReadsAsANumberStays(_ number: Int) throws {
    let options = try Self.options()
    let (uuid, values) = Self.values[number]
    let scene = Self.scene(uuid, values, count: 1)
    let (_, redacted) = try Redacted.scene(scene, Self.target, options: options)
    let after = redacted.file.bytes
    for value in values {
      let (isNotified, isRead) = (contains([0x1B, 0x20, 0] + value, in: after), contains([0x0B] + value, in: after))
      #expect(isNotified && isRead, "\(String(uuid, radix: 16)): \(value)")
    }
    #expect(redacted.warnings == [])
  }

  /// Values with reserved bits set, that are too long, or with implausible numbers.
  @Test(arguments: [
    (0x2A50, [6, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC]), (0x2A04, [0x91, 0x70, 0x55, 0x12, 0x34, 0x56, 0x78, 0x90]),
    (0x2A05, [0x49, 0x17, 0x05, 0x51]), (0x2A4A, [0x49, 0x17, 0x05, 0x51]), (0x2ACC, [0x49, 0x17, 0x05, 0x51, 0x23, 0x45, 0x67, 0x89]),
    (0x2AA1, [0x49, 0x71, 0x05, 0x51, 0x23, 0x45]), (0x2A9E, [0x49, 0x17, 0x05, 0x51]), (0x2BED, [0x49, 0x17, 0x05, 0x51]),
  ]) func whatIsNoSuchNumberGoes(_ uuid: Int, _ bytes: [Int]) throws {
    let value = bytes.map { UInt8($0) }
    let (original, redacted) = try Redacted.scene(Self.scene(UInt16(uuid), [value], count: 1), Self.target, options: try Self.options())
    let (wasThere, isLeft) = (
      contains(Array(value.suffix(3)), in: original.bytes), contains(Array(value.suffix(3)), in: redacted.file.bytes)
    )
    #expect(wasThere && !isLeft)
  }

  /// Bytes behind the last field of a layout, and invalid numbers of the right size, such as a minimum above the maximum, are replaced.
  @Test(arguments: [
    (0x2A04, [0x9A, 0x8B, 0x7C, 0x6D, 0x5E, 0x4F, 0x3A, 0x2B, 0x01]), (0x2A6D, [0x9A, 0x8B, 0x7C, 0x6D, 0x5E, 0x4F]),
    (0x2B06, [0x7E, 0xCB, 0xF1, 0x3E, 0x64, 0xBB, 0x9B, 0x4F, 0xC7, 0x7C, 0xBB, 0x25]),
    (0x2B19, [0x92, 0x5B, 0xC4, 0xFE, 0xFF, 0x7D]), (0x2AC0, [0x92, 0x5B, 0xC4, 0xFE, 0xFF, 0x7D, 0x1A, 0x00]),
    (0x2BC9, [1, 6, 0, 0, 0, 0, 8, 7, 4, 0x91, 0x82, 0x73, 0x64, 0x55, 0xF6, 0]),
  ]) func whatIsLongerThanItsLayoutGoes(_ uuid: Int, _ bytes: [Int]) throws {
    let value = bytes.map { UInt8($0) }
    let options = try Self.options()
    let (original, redacted) = try Redacted.scene(Self.scene(UInt16(uuid), [value], count: 1), Self.target, options: options)
    let secret = uuid == 0x2BC9 ? Array(value[9..<15]) : value
    for start in 0...secret.count - 3 {
      let part = Array(secret[start..<start + 3])
      let (wasThere, isLeft) = (contains(part, in: original.bytes), contains(part, in: redacted.file.bytes))
      #expect(wasThere && !isLeft, "\(String(uuid, radix: 16)): \(part)")
    }
    #expect(try redacted.check(options).isEmpty)
  }

  /// Keeping a type does not keep the value of another attribute that was assigned to it; keeping a handle does.
  @Test func aTypeThatIsKept() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A19, at: 0x20)
    let secret = Array("Tusnelda-Y".utf8)
    scene.send([0x0A, 0x20, 0])
    scene.receive([0x0B] + secret)
    for (choice, stays) in [(Redaction.AttributeChoice.uuid(BluetoothUUID(0x2A19 as UInt16)), false), (.handle(0x20), true)] {
      var options = try Self.options()
      options.keptAttributes = [choice]
      let (_, redacted) = try Redacted.scene(scene, Self.target, options: options)
      let isLeft = contains(secret, in: redacted.file.bytes)
      #expect(isLeft == stays)
    }
  }

  /// Dates of measurement, manufacture or change, and of arrival: 20 March 2026, 17:41:23.
  private static let date: [UInt8] = [0xEA, 0x07, 3, 20, 17, 41, 23]
  @Test(arguments: [
    (0x2A08, 0, []), (0x2A1C, 0, [2, 0x6E, 0x01, 0, 0xFF]), (0x2A2B, 0, []), (0x2A35, 0, [2, 0x78, 0, 0x50, 0, 0x60, 0]),
    (0x2A5E, 0, [1, 0x61, 0, 0x48, 0]), (0x2A67, 0, [0x40, 0]), (0x2A68, 0, [4, 0, 0x10, 0x27, 0x20, 0x1C]), (0x2A86, 4, []),
    (0x2AC1, 0, []),
    (0x2AC2, 0, []),
  ]) func datesGo(_ uuid: Int, _ count: Int, _ head: [Int]) throws {
    let date = count == 0 ? Self.date : Array(Self.date.prefix(count))
    let tail: [UInt8] = uuid == 0x2A2B ? [5, 0x80, 1] : []
    var scene = Scene()
    scene.connect()
    scene.discover(UInt16(uuid), at: 0x20, service: 0x1809)
    scene.receive([0x1B, 0x20, 0] + head.map { UInt8($0) } + date + tail)
    let options = try Self.options()
    let (original, redacted) = try Redacted.scene(scene, Self.target, options: options)
    let wasThere = contains(date, in: original.bytes)
    let new = Array(redacted.file.bytes.suffix(date.count + tail.count).prefix(date.count))
    let same = zip(date, new).count { $0 == $1 }
    #expect(wasThere && same == 0, "\(new)")
    #expect(try Shape.of(original.path, profiles: options.profiles) == Shape.of(redacted.file.path, profiles: options.profiles))
  }

  /// Digital (2A56): more than eight lines are replaced.
  @Test func fourBytesOfDigitalLinesGo() throws {
    let value: [UInt8] = [0x49, 0x17, 0x05, 0x51]
    let (_, redacted) = try Redacted.scene(Self.scene(0x2A56, [value], count: 1), Self.target, options: try Self.options())
    let isLeft = contains(Array(value.prefix(3)), in: redacted.file.bytes) || contains(Array(value.suffix(3)), in: redacted.file.bytes)
    #expect(!isLeft)
  }

  @Test func textsAmongBytes() {
    func texts(_ bytes: [UInt8], _ fewest: Int = 4) -> [Range<Int>] { TextRuns.all(in: bytes, bytes.indices, fewest: fewest) }
    #expect(texts([3, 1] + Array("Oma ruft".utf8) + [0, 7]) == [2..<10])
    #expect(texts(Array("Oma".utf8)).isEmpty && texts(Array("Oma".utf8), 3) == [0..<3])
    #expect(texts([0] + Array("Анна".utf8) + [1]) == [1..<9])
    #expect(texts([0x4A, 0, 0x6F, 0, 0x68, 0, 0x6E, 0, 0xFF]) == [0..<8] && texts([0, 0x4A, 0, 0x6F, 0, 0x68, 0, 0x6E]) == [1..<8])
    #expect(texts(Array("Ada".utf8) + [0] + Array("Byron".utf8) + [0x90] + Array("Lovelace".utf8)) == [4..<9, 10..<18])
    #expect(texts([]).isEmpty && texts([0x18, 0, 0x28, 0, 0, 0, 0x2A, 0]).isEmpty && texts(Array("....!!!!".utf8)).isEmpty)
  }

  /// A part of a message whose other parts are missing: the header and the fields needed for parsing are replaced where they read as a text.
  @Test func aPartOfAMessageThatIsAText() throws {
    let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Samples/gopro.btsnoop").path
    let target = Self.target
    let source = try CaptureFile.open(sample)
    // The responses of a camera begin with a header of one to three bytes.
    let secrets = ["IM77Klara Zweck", "dorf, Amselweg ", "23456 Bielefeld"].map { Array($0.utf8) }
    var number = 0
    let planted = TemporaryFile("btsnoop")
    let writer = try CaptureWriter(to: planted.path, target: target)
    let batch = PacketBatch()
    while try source.read(batch) {
      for index in batch.records.indices {
        let record = batch.records[index]
        var bytes = Array(batch.bytes(record))
        // Notifications with the camera's responses to queries.
        if bytes.count >= 27, bytes[0] == 2, bytes[9...11] == [0x1B, 0x39, 0] {
          bytes.replaceSubrange(12..<27, with: secrets[number % secrets.count])
          number += 1
        }
        try writer.write(record, bytes: bytes.span.bytes, origin: CaptureInterface(linkType: 1002), format: source.format, comments: [])
      }
    }
    try writer.finish(source: source)
    #expect(number >= 3)
    let options = try Self.options()
    let redacted = try Redacted(planted.path, target, "btsnoop", options: options)
    for secret in secrets {
      for start in 0...secret.count - 5 {
        let part = Array(secret[start..<start + 5])
        let (wasThere, isLeft) = (contains(part, in: planted.bytes), contains(part, in: redacted.file.bytes))
        #expect(wasThere && !isLeft, "\(String(decoding: part, as: UTF8.self))")
      }
    }
  }
}
