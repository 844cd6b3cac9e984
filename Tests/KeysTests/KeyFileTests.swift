import Bluetooth
import Testing

@testable import Keys

@Suite struct KeyFileTests {
  private let value = "000102030405060708090a0b0c0d0e0f"

  @Test func readsAndWritesKeys() throws {
    for text in [
      "ltk=\(value)", "irk=\(value)@c0:ff:ee:00:00:01", "ltk=\(value)@c0:ff:ee:00:00:01 ediv=0x2474 rand=0xabcdef1234567890",
      "passkey=000042", "link=\(value)", "private=\(value)\(value)", "csrk=\(value)", "stk=\(value)",
    ] {
      #expect(try Key(text: text).text == text)
    }
    #expect(try Key(text: "LTK=0x000102030405060708090A0B0C0D0E0F").text == "ltk=\(value)")
    #expect(try Key(text: "tk=2a").text == "tk=0000000000000000000000000000002a")
  }

  @Test(
    arguments: [
      "", "ltk", "ltk=", "ltk=0102", "xyz=00", "passkey=1234567", "passkey=12x", "ltk=000102030405060708090a0b0c0d0e0g",
      "ltk=000102030405060708090a0b0c0d0e0f@nobody", "irk=000102030405060708090a0b0c0d0e0f ediv=1",
      "private=000102030405060708090a0b0c0d0e0f",
      "ltk=000102030405060708090a0b0c0d0e0f ediv=0x10000", "tk=",
    ])
  func refuses(text: String) {
    #expect(throws: KeyError.self) { try Key(text: text) }
  }

  @Test func mistakesDoNotRepeatTheKey() {
    #expect(throws: KeyError("ltk= takes 16 octets (32 hexadecimal digits), and 2 were given")) { try Key(text: "ltk=abcd") }
  }

  @Test func readsKeysOfProfiles() throws {
    for text in ["bthome.bindkey=\(value)", "my-sensor.session_key2=\(value)\(value)@c0:ff:ee:00:00:01", "a.b=00"] {
      #expect(try NamedKey(text: text).text == text)
      #expect(NamedKey.isNamed(text))
    }
    #expect(!NamedKey.isNamed("ltk=00.11") && !NamedKey.isNamed("bthome.bindkey"))
    #expect(try NamedKey(text: " a.b=0x00:FF ").bytes == [0, 255])
    for text in [
      "bthome.bindkey", "bthome.bindkey=", "bthome.=00", ".bindkey=00", "bthome.bindkey=0", "bthome.bindkey=zz", "bthome.bindkey=00@nobody",
      "a.b.c=00",
      "A.b=00", "a.b=" + String(repeating: "00", count: 65),
    ] {
      #expect(throws: KeyError.self) { try NamedKey(text: text) }
    }
    let ring = try KeyFile.read("# mine\nltk=\(value)\nbthome.bindkey=\(value)  # kitchen\nbthome.bindkey=\(value)\n", path: "keys.txt")
    #expect(ring.keys.count == 1 && ring.named.map(\.text) == ["bthome.bindkey=\(value)"])
    #expect(try KeyFile.read("bthome.bindkey=\(value)", path: "keys.txt").named.count == 1)
  }

  @Test func readsLists() throws {
    let ring = try KeyFile.read("# mine\r\nltk=\(value)  # frame 3\r\n\r\npasskey=123456\r\n", path: "keys.txt")
    #expect(ring.keys.map(\.key.text) == ["ltk=\(value)", "passkey=123456"])
    #expect(throws: KeyError.self) { try KeyFile.read("ltk=\(value)\nhello\n", path: "keys.txt") }
    #expect(throws: KeyError.self) { try KeyFile.read("# nothing\n", path: "keys.txt") }
  }

  /// The format of BlueZ: keys have their least significant octet first.
  @Test func readsBlueZ() throws {
    let text = """
      [General]
      Name=Lamp

      [LongTermKey]
      Key=0F0E0D0C0B0A09080706050403020100
      Authenticated=0
      EncSize=16
      EDiv=9332
      Rand=12379813738877118345

      [IdentityResolvingKey]
      Key=0F0E0D0C0B0A09080706050403020100
      """
    let ring = try KeyFile.read(text, path: "/var/lib/bluetooth/00:11:22:33:44:55/C0:FF:EE:00:00:01/info")
    #expect(
      ring.keys.map(\.key.text) == [
        "ltk=\(value)@c0:ff:ee:00:00:01 ediv=0x2474 rand=0xabcdef0123456789", "irk=\(value)@c0:ff:ee:00:00:01",
      ])
  }

  /// The structures of Android's stack: key, random number, EDIV, level, size.
  @Test func readsAndroid() throws {
    let text = """
      [Info]
      FileSource = Empty

      [c0:ff:ee:00:00:01]
      Name = Lamp
      LE_KEY_PENC = 0f0e0d0c0b0a090807060504030201008967452301efcdab74240210
      LE_KEY_PID = 0f0e0d0c0b0a0908070605040302010001010000eeffc0
      LinkKey = 000102030405060708090a0b0c0d0e0f
      """
    let ring = try KeyFile.read(text, path: "bt_config.conf")
    #expect(
      ring.keys.map(\.key.text) == [
        "link=\(value)@c0:ff:ee:00:00:01", "ltk=\(value)@c0:ff:ee:00:00:01 ediv=0x2474 rand=0xabcdef0123456789",
        "irk=\(value)@c0:ff:ee:00:00:01",
      ])
  }

  @Test func keepsEachKeyOnce() throws {
    var ring = KeyRing()
    let key = try Key(text: "ltk=\(value)")
    #expect(ring.add(KnownKey(key, origin: "a")) == 0)
    #expect(ring.add(KnownKey(key, origin: "b")) == 0)
    #expect(ring.keys.count == 1)
    for number in 0..<(KeyRing.maxCount + 10) {
      ring.add(KnownKey(Key(.link, Block128(high: 1, low: UInt64(number))), origin: ""))
    }
    #expect(ring.keys.count == KeyRing.maxCount)
  }
}
