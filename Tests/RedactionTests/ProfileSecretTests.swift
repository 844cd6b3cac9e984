import Bluetooth
import CaptureScenes
import Captures
import Foundation
import Profiles
import Redaction
import Testing

/// Fields that profiles mark as secret are replaced in the packets, whatever framing surrounds them.
@Suite struct ProfileSecretTests {
  private static func options() throws -> Redaction.Options {
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    return options
  }

  /// CRC-16/MODBUS.
  private static func check(_ bytes: [UInt8]) -> UInt16 {
    bytes.reduce(UInt16.max) { state, byte in
      (0..<8).reduce(state ^ UInt16(byte)) { state, _ in state & 1 != 0 ? state >> 1 ^ 0xA001 : state >> 1 }
    }
  }

  @Test func passwordUnderChecksum() throws {
    var scene = Scene()
    let name = Array("ANT-BLE20PHUB".utf8)
    let data = [3, 3, 0xE0, 0xFF, UInt8(name.count + 1), 9] + name
    scene.event(0x3E, [2, 1, 0, 0] + scene.octets(0xc0ff_ee00_0001) + [UInt8(data.count)] + data + [0xC4])
    scene.connect()
    scene.discover(0xFFE1, at: 0x21, service: 0xFFE0)
    let password = Array("sesame-4711-open".utf8)
    let body = [0xA1, 0x23, 0x6A, 0x01, UInt8(password.count)] + password
    let crc = Self.check(body)
    let whole = [0x7E] + body + [UInt8(crc & 0xFF), UInt8(crc >> 8), 0xAA, 0x55]
    // In two writes, both with a part of the password.
    scene.send([0x52, 0x21, 0] + whole[..<15])
    scene.send([0x52, 0x21, 0] + whole[15...])
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: Self.options())
    #expect(redacted.exposures.contains { $0.kind == .password || $0.kind == .key })
    let bytes = redacted.file.bytes
    for piece in [Array(password[..<9]), Array(password[9...]), Array(password[..<5])] {
      let isLeft = contains(piece, in: bytes)
      #expect(!isLeft)
    }
    let profiles = try ProfileSet()
    let before = try Shape.of(original.path, profiles: profiles)
    let after = try Shape.of(redacted.file.path, profiles: profiles)
    #expect(before == after)
    #expect(after.contains { $0.hasPrefix("ant-bms") && $0.contains(" ok ") }, "\(after.filter { $0.hasPrefix("ant") })")
    #expect(try redacted.check(Self.options()).isEmpty)
    // The part of the name that the profile's pattern matches is kept, the rest is not.
    let hasProduct = contains(Array("BLE2".utf8), in: bytes)
    let hasRest = contains(Array("0PHUB".utf8), in: bytes)
    #expect(hasProduct && !hasRest)
  }

  /// Redaction does not decrypt: ciphertext is replaced, and neither the key nor the plaintext is in the result.
  @Test func whatIsEncryptedStaysClosed() throws {
    let key: [UInt8] = [0x23, 0x1D, 0x39, 0xC1, 0xD7, 0xCC, 0x1A, 0xB1, 0xAE, 0xE2, 0x24, 0xCD, 0x09, 0x6D, 0xB9, 0x32]
    let sealed: [UInt8] = [0x41, 0xA4, 0x72, 0x66, 0xC9, 0x5F, 0x73, 0, 0x11, 0x22, 0x33, 0x78, 0x23, 0x72, 0x14]
    var keys = ProfileKeys()
    keys.add(key, of: "bthome", "bindkey")
    var options = try Self.options()
    options.profiles = options.profiles?.with(keys)
    var scene = Scene()
    let data: [UInt8] = [UInt8(sealed.count + 3), 0x16, 0xD2, 0xFC] + sealed
    scene.event(0x3E, [2, 1, 0, 0] + scene.octets(0x5448_E68F_80A5) + [UInt8(data.count)] + data + [0xC4])
    let (_, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    let bytes = redacted.file.bytes
    for piece in [Array(sealed[1..<7]), Array(sealed[11...]), key, [0x02, 0xCA, 0x09, 0x03, 0xBF, 0x13]] {
      let isLeft = contains(piece, in: bytes)
      #expect(!isLeft)
    }
    // It is still an encrypted message of the profile.
    let after = try Shape.of(redacted.file.path, profiles: try ProfileSet())
    #expect(after.contains { $0.hasPrefix("bthome") }, "\(after)")
  }

  /// A camera whose network management characteristic has the handle 0x0022.
  private static func camera() -> Scene {
    var scene = Scene()
    scene.connect()
    scene.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    let base: [UInt8] = [0x1B, 0xC5, 0xD5, 0xA5, 0x02, 0x00, 0x46, 0x90, 0xE3, 0x11, 0x8D, 0xAA]
    scene.receive([0x11, 20, 0x20, 0, 0x2F, 0] + base + [0x90, 0x00, 0xF9, 0xB5])
    scene.send([0x08, 0x20, 0, 0x2F, 0, 0x03, 0x28])
    scene.receive([0x09, 21, 0x21, 0, 8, 0x22, 0] + base + [0x91, 0x00, 0xF9, 0xB5])
    return scene
  }

  @Test func passwordOverFragments() throws {
    var scene = Self.camera()
    let network = Array("Harbour View 12".utf8)
    let password = Array("correct horse battery staple".utf8)
    let message = [2, 5, 0x0A, UInt8(network.count)] + network + [0x12, UInt8(password.count)] + password
    var rest = message[...]
    // The first packet has the length of the message, the others a counter.
    scene.send([0x52, 0x22, 0, 0x20, UInt8(message.count)] + rest.prefix(18))
    rest = rest.dropFirst(18)
    var counter: UInt8 = 0x80
    while !rest.isEmpty {
      scene.send([0x52, 0x22, 0, counter] + rest.prefix(19))
      rest = rest.dropFirst(19)
      counter += 1
    }
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: Self.options())
    #expect(redacted.exposures.contains { $0.kind == .password }, "\(redacted.exposures)")
    let bytes = redacted.file.bytes
    for start in stride(from: 0, to: password.count - 4, by: 4) {
      let isLeft = contains(Array(password[start..<start + 4]), in: bytes)
      #expect(!isLeft, "\(start)")
    }
    let profiles = try ProfileSet()
    #expect(try Shape.of(original.path, profiles: profiles) == Shape.of(redacted.file.path, profiles: profiles))
    #expect(try redacted.check(Self.options()).isEmpty)
  }

  /// A fragment is lost: start and end of the password are unknown, and its pieces belong to no field.
  @Test func passwordInABrokenMessage() throws {
    var scene = Self.camera()
    let password = Array("0-tangerine-1-mandarin-2-clementine-3-kumquat-4-grapefruit-5".utf8)
    let message = [2, 5, 0x0A, 4] + Array("Home".utf8) + [0x12, UInt8(password.count)] + password
    scene.send([0x52, 0x22, 0, 0x20, UInt8(message.count)] + message[..<18])
    scene.send([0x52, 0x22, 0, 0x81] + message[37..<56])
    scene.send([0x52, 0x22, 0, 0x82] + message[56...])
    // Pieces of a message that began before the capture.
    scene.connect()
    scene.send([0x52, 0x22, 0, 0x85] + Array("6-satsuma".utf8))
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: Self.options())
    for part in ["0-tange", "kumquat", "grapefruit", "satsuma"] {
      let wasThere = contains(Array(part.utf8), in: original.bytes)
      let isLeft = contains(Array(part.utf8), in: redacted.file.bytes)
      #expect(wasThere && !isLeft, "\(part)")
    }
    // After redaction other bytes of the incomplete messages belong to no field.
    let left = try redacted.check(Self.options()).filter { !$0.contains("bytes without a field") }
    #expect(left.isEmpty, "\(left)")
    // A possible part of a password is replaced even where values are kept.
    var options = try Self.options()
    options.keepsValues = true
    let isLeft = contains(
      Array("kumquat".utf8), in: try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options).1.file.bytes)
    #expect(!isLeft)
  }

  /// In "GoPro 4821" the number identifies the camera: it is also the end of its serial number and of its network's name.
  @Test func ownPartOfANameIsNowhere() throws {
    let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Samples/gopro.btsnoop").path
    let redacted = try Redacted(sample, CaptureTarget(.btsnoop, linkType: 1002), "btsnoop", options: Self.options())
    let wasThere = contains(Array("C3501324504821".utf8.suffix(4)), in: TemporaryFile.bytes(sample))
    let isLeft = contains(Array("4821".utf8), in: redacted.file.bytes)
    #expect(wasThere && !isLeft)
    #expect(try redacted.check(Self.options()).isEmpty)
    let profiles = try ProfileSet()
    #expect(try Shape.of(sample, profiles: profiles) == Shape.of(redacted.file.path, profiles: profiles))
  }

  /// Names of networks and their passwords are replaced even where values are kept.
  @Test func namesOfNetworksStayClosed() throws {
    var scene = Scene()
    scene.connect()
    func uuid(_ last: UInt8) -> [UInt8] {
      [last, 0x80, 0x26, 0x78, 0x74, 0x27, 0x63, 0x46, 0x72, 0x22, 0x28, 0x62, 0x68, 0x77, 0x46, 0x00]
    }
    scene.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    scene.receive([0x11, 20, 0x1F, 0, 0x24, 0] + uuid(0))
    for (handle, last) in [(UInt8(0x21), UInt8(3)), (0x23, 4)] {
      scene.send([0x08, handle - 1, 0, handle, 0, 0x03, 0x28])
      scene.receive([0x09, 21, handle - 1, 0, 0x1A, handle, 0] + uuid(last))
    }
    func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
    func message(_ command: UInt8, _ body: [UInt8]) -> [UInt8] {
      let message = [command, UInt8(body.count)] + body
      return message + [message.reduce(0, &+)]
    }
    scene.send([0x52, 0x21, 0] + message(1, text("Zweckendorf WLAN") + text("hunter2-99")))
    scene.receive([0x1B, 0x23, 0] + message(4, text("Klaras Netz") + text("-61") + text("YES")))
    for keepsValues in [false, true] {
      var options = try Self.options()
      options.keepsValues = keepsValues
      let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
      for part in ["Zweck", "WLAN", "hunter", "Klaras", "Netz"] {
        let wasThere = contains(Array(part.utf8), in: original.bytes)
        let isLeft = contains(Array(part.utf8), in: redacted.file.bytes)
        #expect(wasThere && !isLeft, "\(part)")
      }
      #expect(try redacted.check(options).isEmpty)
      #expect(redacted.warnings == [])
    }
  }

  @Test func chosenValues() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2AA1, at: 0x30, service: 0x181A)
    scene.discover(0x2A6F, at: 0x40, service: 0x181A)
    let value: [UInt8] = [0xA7, 0x11, 0x9C, 0x05, 0xE8, 0x12]
    scene.receive([0x1B, 0x30, 0] + value)
    scene.send([0x0A, 0x30, 0])
    scene.receive([0x0B] + value)
    scene.receive([0x23, 0x30, 0, 6, 0] + value)
    for choice in ["2aa1", "0x0030"] {
      var options = Redaction.Options()
      options.values = [try #require(Redaction.AttributeChoice(choice))]
      let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
      let isLeft = contains(value, in: redacted.file.bytes)
      let wasThere = contains(value, in: original.bytes)
      #expect(!isLeft && wasThere, "\(choice)")
    }
    var other = Redaction.Options()
    other.values = [try #require(Redaction.AttributeChoice("2a6f"))]
    let stays = contains(value, in: try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: other).1.file.bytes)
    #expect(stays)
    #expect(Redaction.AttributeChoice("speed") == nil)
  }
}

/// Options of redaction, and captures of sniffers.
@Suite struct RedactionOptionTests {
  @Test func companyAndKindStay() throws {
    var scene = Scene()
    let random = scene.octets(0xC712_9C4B_5D60)
    scene.connect(0x3C28_6D71_A2B3)
    scene.command(0x2005, random)
    var options = Redaction.Options()
    options.keepsCompany = true
    let (_, kept) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    let hasCompany = contains([0x6D, 0x28, 0x3C], in: kept.file.bytes)
    let hasRest = contains([0xB3, 0xA2, 0x71], in: kept.file.bytes)
    #expect(hasCompany && !hasRest)
    #expect(try kept.check(options).isEmpty)
    // A check without the option lists the company part.
    #expect(!(try kept.check()).isEmpty)
    let (_, whole) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    let isRemoved = !contains([0x6D, 0x28, 0x3C], in: whole.file.bytes)
    #expect(isRemoved)
  }

  /// The kind of a random address reveals something: with the option all become static ones.
  @Test func kindIsHidden() throws {
    let addresses: [UInt64] = [0x2A12_9C4B_5D60, 0x5B34_8A71_C2D3, 0xC712_9C4B_5D61]
    var scene = Scene()
    for address in addresses { scene.event(0x3E, [2, 1, 0, 1] + scene.octets(address) + [3, 2, 1, 6, 0xC4]) }
    for isHidden in [false, true] {
      var options = Redaction.Options()
      options.keepsRandomKind = !isHidden
      let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
      let (before, after) = (original.bytes, redacted.file.bytes)
      try #require(before.count == after.count)
      for address in addresses {
        let octets = scene.octets(address)
        let index = try #require(before.indices.first { before[$0...].starts(with: octets) })
        #expect(after[index..<index + 6] != octets[...])
        #expect(UInt64(after[index + 5] >> 6) == (isHidden ? 0b11 : address >> 46), "\(address)")
      }
      #expect(try redacted.check(options).isEmpty)
    }
  }

  /// Where the kinds of addresses are hidden, that a key of the capture resolves an address is hidden too.
  @Test func resolvableAddressesAreHidden() throws {
    let key: [UInt8] = (0..<16).map { $0 &* 37 &+ 11 }
    let known = IdentityResolvingKey(littleEndian: key.span.bytes)
    let resolving = try #require(known)
    let random: UInt64 = 0x51_1CA7
    let address = random << 24 | UInt64(IdentityResolvingKey.hash(UInt32(random), with: resolving.cipher))
    var scene = Scene()
    scene.event(0x3E, [2, 1, 0, 1] + scene.octets(address) + [3, 2, 1, 6, 0xC4])
    scene.connect()
    scene.pdu(.received, 6, [8] + key)
    for isHidden in [false, true] {
      var options = Redaction.Options()
      options.keepsRandomKind = !isHidden
      let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
      let before = original.bytes
      let index = try #require(before.indices.first { before[$0...].starts(with: scene.octets(address)) })
      #expect(redacted.file.bytes[index + 5] >> 6 == (isHidden ? 0b11 : 0b01))
      #expect(try redacted.check(options).isEmpty)
    }
  }

  /// Texts that the user keeps are not searched for secrets.
  @Test func textsStay() throws {
    var scene = Scene()
    let peer: UInt64 = 0xD4D9_1934_5678
    scene.connect(peer)
    scene.packet(.systemNote, .unknown, Array("dropping D4:D9:19:34:56:78 after 3 tries".utf8) + [0])
    var options = Redaction.Options()
    options.keepsTexts = true
    let kept = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 2001), options: options).1.file.bytes
    let stays = contains(Array("dropping ".utf8), in: kept) && contains(Array(" after 3 tries".utf8), in: kept)
    #expect(stays && contains(Array("D4:D9:19:34:56:78".utf8), in: kept))
    let output = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 2001)).1.file.bytes
    let isLeft = contains(Array("dropping".utf8), in: output) || contains(Array("tries".utf8), in: output)
    #expect(!isLeft)
  }

  @Test func sniffedPacketsKeepTheirCRC() throws {
    // ADV_IND with a CRC that tshark accepts, and with one wrong bit.
    let right: [UInt8] = [
      0xD6, 0xBE, 0x89, 0x8E, 0x02, 0x0C, 0x33, 0x22, 0x11, 0xEE, 0xFF, 0xC0, 0x02, 0x01, 0x06, 0x02, 0x0A, 0x00, 0x58, 0x86, 0x44,
    ]
    var scene = Scene()
    var radio = RadioInfo()
    radio.flags = RadioInfo.Flag.hasCRC
    scene.packet(.linkLayer, .unknown, right, radio: radio)
    scene.packet(.linkLayer, .unknown, right.dropLast() + [0x45], radio: radio)
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.pcap, linkType: 251))
    let before = try Shape.of(original.path)
    #expect(before.count { $0.contains("bad-crc") } == 1, "\(before)")
    let after = try Shape.of(redacted.file.path)
    #expect(before == after, "\(before)\n\(after)")
    let isLeft = contains([0x33, 0x22, 0x11, 0xEE, 0xFF, 0xC0], in: redacted.file.bytes)
    #expect(!isLeft)
    #expect(try redacted.check().isEmpty)
  }

  /// Where the length of a packet was damaged, or its end was not received, bytes of an address are in the position of the CRC.
  @Test(arguments: [251, 256]) func nothingOfADamagedPacketIsItsCRC(linkType: Int) throws {
    let address: [UInt8] = [0xDC, 0xAE, 0xC6, 0x9F, 0x63, 0xE8]
    var scene = Scene()
    var radio = RadioInfo()
    radio.flags = RadioInfo.Flag.hasCRC | (linkType == 256 ? RadioInfo.Flag.crcChecked : 0)
    for length in [0, 3, 30] as [UInt8] {
      scene.packet(.linkLayer, .unknown, [0xD6, 0xBE, 0x89, 0x8E, 0x40, length] + address.prefix(length == 0 ? 3 : 6), radio: radio)
    }
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.pcap, linkType: linkType))
    for part in [address.prefix(3), address.suffix(3)] {
      let (wasThere, isLeft) = (contains(Array(part), in: original.bytes), contains(Array(part), in: redacted.file.bytes))
      #expect(wasThere && !isLeft, "\(part)")
    }
    let before = try Shape.of(original.path)
    #expect(before.contains { $0.contains("bad-crc") }, "\(before)")
    #expect(before.count == (try Shape.of(redacted.file.path)).count)
    #expect(try redacted.check().isEmpty)
  }

  @Test func whatNobodyReadsIsEmptied() throws {
    var scene = Scene()
    scene.packet(.unknownH4, .sent, [9] + Array("SPP Counter of Anna".utf8))
    scene.packet(.sco, .received, [1, 0, 4, 0x17, 0x2A, 0x3C, 0x4D])
    // Commands and events without a layout, bytes behind those with one, and a truncated address.
    let secret = Array("Anna's band".utf8)
    scene.command(0xFC31, secret)
    scene.command(0x2FFF, secret)
    scene.event(0x0E, [1, 0xFF, 0x2F, 0] + secret)
    scene.event(0x60, secret)
    scene.event(0xFF, [0x42] + secret)
    scene.event(0x3E, [0x7E] + secret)
    scene.event(0x05, [0, 1, 0, 0x13] + secret)
    scene.event(0x04, Array("Anna!".utf8))
    scene.connect()
    scene.receive([0x3F] + secret)
    scene.pdu(.received, 6, [0x2A] + secret)
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    let isLeft = contains(Array("Anna".utf8), in: redacted.file.bytes) || contains([0x17, 0x2A, 0x3C, 0x4D], in: redacted.file.bytes)
    #expect(!isLeft)
    #expect(redacted.file.bytes.count == original.bytes.count)
    #expect(Set(redacted.exposures.map(\.kind)) == [.unknown, .voice, .address, .value])
    var options = Redaction.Options()
    options.keepsUnknown = true
    let stays = contains(
      Array("Anna".utf8), in: try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options).1.file.bytes)
    #expect(stays)
  }

  /// A beacon's URL, whose characters a profile decodes one by one, is one text: equal letters do not remain equal.
  @Test func theAddressOfABeacon() throws {
    // The byte behind it encodes ".com/".
    let url = Array("mississippi".utf8) + [0] + Array("ss".utf8)
    var scene = Scene()
    let frame: [UInt8] = [0x16, 0xAA, 0xFE, 0x10, 0xF8, 3] + url
    scene.event(0x3E, [2, 1, 3, 0] + scene.octets(0xC0FF_EE00_0001) + [UInt8(frame.count + 1), UInt8(frame.count)] + frame + [0xC4])
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    let new = Array(redacted.file.bytes.suffix(url.count + 1).dropLast())
    let positions = url.indices.filter { url[$0] == UInt8(ascii: "s") }
    #expect(Set(positions.map { new[$0] }).count > 1, "\(new)")
    #expect(new.allSatisfy { (0x61...0x7A).contains($0) }, "\(new)")
    #expect(try redacted.check(options) == [])
    #expect(try Shape.of(original.path, profiles: options.profiles) == Shape.of(redacted.file.path, profiles: options.profiles))
  }
}
