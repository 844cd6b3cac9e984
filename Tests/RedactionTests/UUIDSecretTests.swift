import Bluetooth
import CaptureScenes
import Captures
import Profiles
@testable import Redaction
import Testing
@_spi(Pipeline) import Analysis

/// UUIDs that are made for one device: UUIDs that are unassigned, in no profile and not declared by a device are replaced.
@Suite struct UUIDSecretTests {
  private static let target = CaptureTarget(.btsnoop, linkType: 1002)
  private static let address: UInt64 = 0xC655_4433_2231

  /// A legacy advertising report.
  private static func advertise(_ scene: inout Scene, _ data: [UInt8]) {
    scene.event(0x3E, [2, 1, 0, 1] + scene.octets(address) + [UInt8(data.count)] + data + [0xC8])
  }

  private static func structure(_ type: UInt8, _ data: [UInt8]) -> [UInt8] { [UInt8(data.count + 1), type] + data }

  private static func shorts(_ uuids: [UInt16]) -> [UInt8] { uuids.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }

  private static func long(_ text: String) -> [UInt8] { BluetoothUUID(text)?.octets.reversed() ?? [] }

  private static func redacted(
    _ scene: Scene, isSame: Bool = true, _ change: (inout Redaction.Options) -> Void = { _ in }
  ) throws -> (before: [UInt8], after: [UInt8], kept: [KeptField]) {
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    change(&options)
    let (original, redacted) = try Redacted.scene(scene, target, options: options)
    #expect(try redacted.check(options).isEmpty)
    let profiles = options.profiles
    if isSame { #expect(try Shape.of(original.path, profiles: profiles) == Shape.of(redacted.file.path, profiles: profiles)) }
    return (original.bytes, redacted.file.bytes, try EmbeddedSecretTests.kept(redacted.file.path, options))
  }

  /// An insulin pump advertises its ID, lot and sequence number as services. Some of the UUIDs happen to be assigned to others.
  @Test(arguments: [0x02, 0x03, 0x14] as [UInt8]) func numbersInPieces(type: UInt8) throws {
    var scene = Scene()
    let list: [UInt16] = [0x4024, 0x2470, 0x000A, 0x17A3, 0xC5E9, 0x0D4F, 0x2B71, 0x0009, 0xFE8F]
    Self.advertise(&scene, Self.structure(1, [6]) + Self.structure(type, Self.shorts(list)))
    // One of the UUIDs is assigned to a company.
    let (before, after, _) = try Self.redacted(scene, isSame: false)
    for uuid in list {
      let (wasThere, isLeft) = (contains(Self.shorts([uuid]), in: before), contains(Self.shorts([uuid]), in: Array(after.suffix(19))))
      #expect(wasThere && !isLeft, "\(uuid)")
    }
  }

  /// Digits and letters in place of UUIDs of 16, 32 and 128 bits, in advertising data of reports and of an HCI command.
  @Test func textsAsUUIDs() throws {
    var scene = Scene()
    Self.advertise(&scene, Self.structure(0x03, Array("ZoeQuuxPhone".utf8)))
    Self.advertise(&scene, Self.structure(0x05, Array("+4366412".utf8)))
    Self.advertise(&scene, Self.structure(0x07, Array("Hildegard 471108".utf8)))
    Self.advertise(&scene, Self.structure(0x16, Array("Qz".utf8) + [1]))
    let own = Self.structure(0x1F, Array("Ingeborg".utf8))
    scene.command(0x2008, [UInt8(own.count)] + own + [UInt8](repeating: 0, count: 31 - own.count))
    let (before, after, _) = try Self.redacted(scene)
    for text in ["ZoeQ", "Phon", "+436", "6412", "Hild", "gard", "4711", "Qz", "Inge", "borg"] {
      let (wasThere, isLeft) = (contains(Array(text.utf8), in: before), contains(Array(text.utf8), in: after))
      #expect(wasThere && !isLeft, "\(text)")
    }
  }

  /// A UUID has the same pseudonym in all fields and formats.
  @Test func aPseudonymIsTheSameEverywhere() throws {
    var scene = Scene()
    let short: UInt16 = 0x5A17
    Self.advertise(&scene, Self.structure(0x03, Self.shorts([short])))
    Self.advertise(&scene, Self.structure(0x16, Self.shorts([short]) + [0x64]))
    Self.advertise(&scene, Self.structure(0x05, Self.shorts([short, 0])))
    let whole = Self.long("00005a17-0000-1000-8000-00805f9b34fb")
    Self.advertise(&scene, Self.structure(0x07, whole))
    let (_, after, _) = try Self.redacted(scene)
    // The last report ends with the UUID and its signal strength.
    let made = Array(after.suffix(17).prefix(16))
    #expect(made != whole && Array(made.prefix(12)) == Array(whole.prefix(12)) && Array(made.suffix(2)) == [0, 0], "\(made)")
    let uuid = Array(made[12..<14])
    for data in [[3, 0x03] + uuid, [4, 0x16] + uuid, [5, 0x05] + uuid + [0, 0]] as [[UInt8]] {
      let isThere = contains(data, in: after)
      #expect(isThere, "\(data)")
    }
  }

  /// UUIDs that are assigned, in shipped profiles or declared in the capture are kept, and so are those with the form of a protocol's name.
  @Test func namesOfProtocolsStay() throws {
    var scene = Scene()
    let drawn = "4f7c3a52-91de-4b60-a1c3-7e05d2f96b18"
    let ownMake = "12345678-0000-0000-1234-56789abcdef0"
    let lists = [
      Self.structure(0x03, Self.shorts([0x180F, 0xFEE0, 0xFD6F, 0xFFF0])), Self.structure(0x03, Self.shorts([0xAB10])),
      Self.structure(0x07, Self.long(drawn)), Self.structure(0x06, Self.long(ownMake)), Self.structure(0x16, Self.shorts([0xFEAA]) + [0]),
    ]
    for list in lists { Self.advertise(&scene, list) }
    scene.connect()
    scene.discover(0xAB12, at: 0x21, service: 0xAB10)
    scene.send([0x10, 0x30, 0, 0xFF, 0xFF, 0x00, 0x28])
    scene.receive([0x11, 20, 0x30, 0, 0x3F, 0] + Self.long(ownMake))
    let (_, after, kept) = try Self.redacted(scene)
    for list in lists.prefix(4) {
      let isThere = contains(list, in: after)
      #expect(isThere, "\(list)")
    }
    // An undeclared UUID is listed as such.
    let advertised = kept.filter { $0.rule == .advertisedUUID }
    #expect(advertised.count == 1 && advertised.first?.count == 1, "\(kept)")
  }

  /// UUIDs from the unassigned block that vendors use name their protocols, except in a list that is one number in pieces.
  @Test func numbersOfMakersStay() throws {
    var scene = Scene()
    let maker = Self.structure(0x03, Self.shorts([0xFFB7]))
    Self.advertise(&scene, maker)
    let pieces = Self.shorts([0x4024, 0x2470, 0x17A3, 0xFFB7])
    Self.advertise(&scene, Self.structure(0x03, pieces))
    let (before, after, _) = try Self.redacted(scene)
    #expect(contains(maker, in: after))
    let (wasThere, isLeft) = (contains(Array(pieces.suffix(4)), in: before), contains(Array(pieces.suffix(2)), in: Array(after.suffix(9))))
    #expect(wasThere && !isLeft)
  }

  /// A 128-bit UUID that is only advertised, and has no valid version and variant (RFC 9562), or contains a part of the device's address.
  @Test(arguments: ["ce1f923d-c539-48ea-7300-0a17a3c5e900", "4f7c3a52-91de-4b60-a1c3-7e0555443322", "4f7c3a52-91de-4b60-a1c3-223344557e05"])
  func serialNumbersInLongUUIDs(_ text: String) throws {
    var scene = Scene()
    Self.advertise(&scene, Self.structure(0x07, Self.long(text)))
    let (before, after, _) = try Self.redacted(scene)
    for part in [Self.long(text).prefix(8), Self.long(text).suffix(8)] {
      let (wasThere, isLeft) = (contains(Array(part), in: before), contains(Array(part), in: after))
      #expect(wasThere && !isLeft, "\(part)")
    }
  }

  /// The UUID is kept where values, or this UUID, are kept.
  @Test func whoeverWantsThemHasThem() throws {
    var scene = Scene()
    let list = Self.structure(0x03, Self.shorts([0x5A17]))
    Self.advertise(&scene, list)
    let opened = try Self.redacted(scene) { $0.keepsValues = true }.after
    let chosen = try Self.redacted(scene) { $0.keptAttributes = [.uuid(BluetoothUUID(0x5A17 as UInt16))] }.after
    let closed = try Self.redacted(scene).after
    #expect(contains(list, in: opened) && contains(list, in: chosen))
    #expect(!contains(list, in: closed))
  }

  /// No pseudonym is a known UUID, and each is recognised as a pseudonym.
  @Test func pseudonymsNameNothing() throws {
    let known = KnownUUIDs(try ProfileSet())
    let pseudonyms = Pseudonyms(seed: Redacted.seed)
    var chance = 0
    for number in 0...UInt16.max {
      let new = pseudonyms.uuid(BluetoothUUID(number)) { known.isKnown($0, isService: false) }
      #expect(new.short16 != nil && Pseudonyms.isPseudonym(uuid: new) && !known.isKnown(new, isService: false), "\(number)")
      if Pseudonyms.isPseudonym(uuid: BluetoothUUID(number)) { chance += 1 }
    }
    #expect(chance <= 65_536 / 32)
    for uuid in [BluetoothUUID(0x1234_5678 as UInt32), BluetoothUUID(high: 0xCE1F_923D_C539_48EA, low: 0x7300_0A17_A3C5_E900)] {
      let new = pseudonyms.uuid(uuid) { known.isKnown($0, isService: false) }
      #expect(new != uuid && (new.short32 == nil) == (uuid.short32 == nil) && Pseudonyms.isPseudonym(uuid: new), "\(new)")
      #expect(!Pseudonyms.isPseudonym(uuid: uuid))
    }
  }
}
