import Testing

@testable import Keys

/// Key lists of macOS and Windows. The property lists were written by Python's plistlib, the others are in the format that the systems print.
@Suite struct SystemKeysTests {
  private static let link = "link=000102030405060708090a0b0c0d0e0f@c0:ff:ee:00:00:02"
  private static let longTerm = "ltk=101112131415161718191a1b1c1d1e1f@c0:ff:ee:00:00:01"
  private static let identity = "irk=202122232425262728292a2b2c2d2e2f@c0:ff:ee:00:00:0a"

  private static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    	<key>LinkKeys</key>
    	<dict>
    		<key>00-00-5e-00-53-11</key>
    		<dict>
    			<key>c0-ff-ee-00-00-02</key>
    			<data>
    			AAECAwQFBgcICQoLDA0ODw==
    			</data>
    		</dict>
    	</dict>
    	<key>Other</key>
    	<array>
    		<integer>1</integer>
    		<true/>
    		<string>x</string>
    		<real>2.5</real>
    	</array>
    	<key>SMPDistributionKeys</key>
    	<dict>
    		<key>00-00-5e-00-53-11</key>
    		<dict>
    			<key>c0-ff-ee-00-00-01</key>
    			<dict>
    				<key>Address</key>
    				<data>
    				wP/uAAAK
    				</data>
    				<key>AddressType</key>
    				<data>
    				AQ==
    				</data>
    				<key>EDIV</key>
    				<data>
    				AAA=
    				</data>
    				<key>IRK</key>
    				<data>
    				ICEiIyQlJicoKSorLC0uLw==
    				</data>
    				<key>LTK</key>
    				<data>
    				EBESExQVFhcYGRobHB0eHw==
    				</data>
    				<key>LTKLength</key>
    				<data>
    				EA==
    				</data>
    				<key>RAND</key>
    				<data>
    				AAAAAAAAAAA=
    				</data>
    			</dict>
    		</dict>
    	</dict>
    </dict>
    </plist>
    """
  private static let binary = """
    62706c6973743030d301020304090e584c696e6b4b657973554f746865725f1013534d50446973747269627574696f6e4b657973d105065f101130302d30302d35\
    652d30302d35332d3131d107085f101163302d66662d65652d30302d30302d30324f1010000102030405060708090a0b0c0d0e0fa40a0b0c0d1001095178234004\
    000000000000d1050fd110115f101163302d66662d65652d30302d30302d3031d712131415161718191a1b1c1d1e1f57416464726573735b416464726573735479\
    706554454449565349524b534c544b594c544b4c656e6774685452414e4446c0ffee00000a41014200004f1010202122232425262728292a2b2c2d2e2f4f101010\
    1112131415161718191a1b1c1d1e1f41104800000000000000000008000f0018001e00340037004b004e00620075007a007c007d007f0088008b008e00a200b100\
    b900c500ca00ce00d200dc00e100e800ea00ed010001130115000000000000020100000000000000200000000000000000000000000000011e
    """
  private static let defaults = """
    {
        LinkKeys =     {
            "00-00-5e-00-53-11" =         {
                "c0-ff-ee-00-00-02" = <00010203 04050607 08090a0b 0c0d0e0f>;
            };
        };
        Other = (1, "a \\"b\\"", {c = d;});
        SMPDistributionKeys =     {
            "00-00-5e-00-53-11" =         {
                "c0-ff-ee-00-00-01" =             {
                    Address = {length = 6, bytes = 0xc0ffee00000a};
                    IRK = {length = 16, bytes = 0x202122232425262728292a2b2c2d2e2f};
                    LTK = {length = 16, bytes = 0x101112131415161718191a1b1c1d1e1f};
                    RAND = {length = 8, bytes = 0x0000000000000000};
                };
            };
        };
    }
    """
  private static let registry = """
    Windows Registry Editor Version 5.00

    [HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\Services\\BTHPORT\\Parameters\\Keys]

    [HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\Services\\BTHPORT\\Parameters\\Keys\\00005e005311]
    "MasterIRK"=hex:00,11,22,33,44,55,66,77,88,99,aa,bb,cc,dd,ee,ff
    "c0ffee000002"=hex:0f,0e,0d,0c,0b,0a,09,08,07,06,05,04,03,02,01,00

    [HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\Services\\BTHPORT\\Parameters\\Keys\\00005e005311\\c0ffee000001]
    "LTK"=hex:1f,1e,1d,1c,1b,1a,19,18,17,16,15,14,13,12,\\
      11,10
    "KeyLength"=dword:00000010
    "ERand"=hex(b):89,67,45,23,01,ef,cd,ab
    "EDIV"=dword:00002474
    "IRK"=hex:2f,2e,2d,2c,2b,2a,29,28,27,26,25,24,23,22,21,20
    "Address"=hex(b):0a,00,00,ee,ff,c0,00,00
    "AddressType"=dword:00000001
    """

  private static func keys(_ bytes: [UInt8]) throws -> [String] {
    #expect(KeyFile.isKeyFile(bytes))
    return try KeyFile.read(bytes, path: "keys").keys.map(\.key.text)
  }

  @Test func readsPropertyLists() throws {
    let binary = try #require(Key.bytes(hexadecimal: Self.binary))
    for bytes in [binary, Array(Self.xml.utf8), Array(Self.defaults.utf8)] {
      #expect(try Self.keys(bytes) == [Self.link, Self.longTerm, Self.identity])
    }
  }

  @Test func readsTheRegistry() throws {
    let expected = [Self.link, Self.longTerm + " ediv=0x2474 rand=0xabcdef0123456789", Self.identity]
    #expect(try Self.keys(Array(Self.registry.utf8)) == expected)
    // The format of the registry editor: UTF-16 with a byte order mark, and Windows line endings.
    let units = Array(Self.registry.replacing("\n", with: "\r\n").utf16)
    #expect(try Self.keys([0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == expected)
    #expect(try Self.keys([0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) == expected)
  }

  /// Values that are no keys do not use up the limit for keys, and link keys beyond it are counted.
  @Test func keysBehindManyValues() throws {
    let key = "[HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\Services\\BTHPORT\\Parameters\\Keys\\00005e005311"
    let bytes = "00,11,22,33,44,55,66,77,88,99,aa,bb,cc,dd"
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number, radix: 16)
      return String(repeating: "0", count: count - text.count) + text
    }
    let others = (0..<5000).map { "\"Other\($0)\"=hex:\(bytes),ee,ff\n" }.joined()
    let header = "Windows Registry Editor Version 5.00\n\n\(key)"
    let few = try KeyFile.read(
      "\(header)]\n\(others)\"c0ffee000002\"=hex:\(bytes),ee,ff\n\(key)\\c0ffee000001]\n\(others)\"LTK\"=hex:\(bytes),ee,ff\n", path: "")
    #expect(few.keys.map(\.key.kind) == [.link, .longTerm] && few.refused == 0)
    let links = (0..<5000).map { "\"\(digits($0, 12))\"=hex:\(bytes),\(digits($0 >> 8, 2)),\(digits($0 & 255, 2))\n" }.joined()
    let many = try KeyFile.read("\(header)]\n\(links)", path: "")
    #expect(many.keys.count == KeyRing.maxCount && many.refused == 5000 - KeyRing.maxCount)
    let remarks = (0..<300).map { "Other\($0) = 1\n" }.joined()
    let android = try KeyFile.read("[c0:ff:ee:00:00:02]\n\(remarks)LinkKey = 000102030405060708090a0b0c0d0e0f\n", path: "")
    #expect(android.keys.count == 1)
  }

  /// Truncated or changed lists give fewer keys or an error, and never a key of a device that is not in the bytes.
  @Test func brokenListsAreNoHarm() throws {
    let binary = try #require(Key.bytes(hexadecimal: Self.binary))
    var chance: UInt64 = 88_172_645_463_325_252
    for bytes in [binary, Array(Self.xml.utf8), Array(Self.defaults.utf8), Array(Self.registry.utf8)] {
      for count in 0..<bytes.count { _ = try? KeyFile.read(Array(bytes.prefix(count)), path: "keys") }
      for _ in 0..<4000 {
        var broken = bytes
        for _ in 0..<3 {
          chance ^= chance << 13
          chance ^= chance >> 7
          chance ^= chance << 17
          broken[Int(chance % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: chance >> 32)
        }
        if let ring = try? KeyFile.read(broken, path: "keys") { #expect(ring.keys.allSatisfy { $0.key.bytes.count == 16 }) }
      }
    }
    // An array that contains itself, and arrays that contain one another many times.
    for count in [1, 200] {
      var list = Array("bplist00".utf8)
      var table: [UInt8] = []
      for number in 0..<count {
        table += [UInt8(list.count >> 8), UInt8(list.count & 0xFF)]
        let next = UInt8((number + 1) % count)
        list += [0xA2, next, next]
      }
      func append(_ value: Int) { for byte in 0..<8 { list.append(UInt8(truncatingIfNeeded: value >> (56 - 8 * byte))) } }
      let offset = list.count
      list += table
      list += [0, 0, 0, 0, 0, 0, 2, 1]
      append(count)
      append(0)
      append(offset)
      #expect(PropertyList(list) == nil)
    }
    // An array that refers to one large object many times: the copies do not fit into a list of this size.
    for (copies, fits) in [(8, true), (4000, false)] {
      var list = Array("bplist00".utf8)
      func append(_ value: Int, _ size: Int) {
        for byte in 0..<size { list.append(UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - byte)))) }
      }
      list += [0xAF, 0x11]
      append(copies, 2)
      list += [UInt8](repeating: 1, count: copies)
      let data = list.count
      list += [0x4F, 0x11]
      append(10_000, 2)
      list += [UInt8](repeating: 7, count: 10_000)
      let offset = list.count
      append(8, 2)
      append(data, 2)
      list += [0, 0, 0, 0, 0, 0, 2, 1]
      for value in [2, 0, offset] { append(value, 8) }
      #expect((PropertyList(list) != nil) == fits, "\(copies)")
    }
  }

  @Test func whatIsNoListOfKeys() {
    #expect(throws: KeyError("there is no key in it: LinkKeys and SMPDistributionKeys are missing or empty")) {
      try KeyFile.read(Array("{a = b;}".utf8), path: "keys")
    }
    #expect(throws: KeyError("it is a property list that is damaged")) { try KeyFile.read(Array("{a = b".utf8), path: "keys") }
    #expect(!KeyFile.isKeyFile(Array("btsnoop\0".utf8)))
    #expect(!KeyFile.isKeyFile([0xFF, 0xFE, 0, 0]))
  }

  @Test func writesWhatItReads() throws {
    let text = """
      ltk=000102030405060708090a0b0c0d0e0f@c0:ff:ee:00:00:01 ediv=0x2474 rand=0xabcdef0123456789
      ltk=00000000000000000008090a0b0c0d0e@c0:ff:ee:00:00:01
      irk=202122232425262728292a2b2c2d2e2f@c0:ff:ee:00:00:01
      csrk=303132333435363738393a3b3c3d3e3f@c0:ff:ee:00:00:02
      link=404142434445464748494a4b4c4d4e4f@c0:ff:ee:00:00:02
      """
    let ring = try KeyFile.read(text, path: "")
    let info = KeyFile.blueZ(ring)
    #expect(info.leftOut == 0 && info.text.hasPrefix("# C0:FF:EE:00:00:01/info\n[LongTermKey]\nKey=0F0E0D0C0B0A09080706050403020100\n"))
    #expect(info.text.contains("[PeripheralLongTermKey]\nKey=0E0D0C0B0A0908000000000000000000\nAuthenticated=0\nEncSize=7\n"))
    let read = try KeyFile.read(info.text, path: "").keys.map(\.key)
    #expect(read.map(\.bytes) == ring.keys.map(\.key.bytes))
    #expect(read.map(\.address) == ring.keys.map(\.key.address))
    #expect(read[0] == ring.keys[0].key)
    let other = try KeyFile.read("passkey=000123\nltk=000102030405060708090a0b0c0d0e0f\na.b=00\n", path: "")
    #expect(KeyFile.blueZ(other).text.isEmpty && KeyFile.blueZ(other).leftOut == 3)
  }

  /// The toolbar of the nRF Sniffer.
  @Test func writesAndReadsTheToolbar() throws {
    let text = """
      SC LTK: 0x000102030405060708090a0b0c0d0e0f
      Legacy LTK: 0x101112131415161718191a1b1c1d1e1f
      IRK: 0x202122232425262728292a2b2c2d2e2f  # of c0:ff:ee:00:00:01
      Legacy Passkey: 123456
      Legacy OOB data: 0x303132333435363738393a3b3c3d3e3f
      SC Private Key: 0x000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f
      """
    let ring = try KeyFile.read(text, path: "")
    #expect(ring.keys.map(\.key.kind) == [.longTerm, .longTerm, .identityResolving, .passkey, .temporary, .privateKey])
    let written = KeyFile.toolbar(ring)
    #expect(written.leftOut == 0)
    #expect(try KeyFile.read(written.text, path: "").keys.map(\.key) == ring.keys.map(\.key))
    #expect(throws: KeyError.self) { try Key(text: "SC LTK: 0x00") }
    #expect(throws: KeyError.self) { try Key(text: "SC LTK: ") }
  }

  @Test func findsKeysInNames() {
    func found(_ name: String) -> [String] { KeyFile.keys(inName: name).map(\.key.text) }
    #expect(found("bonding-ltk-000102030405060708090A0B0C0D0E0F.pcap") == ["ltk=000102030405060708090a0b0c0d0e0f"])
    #expect(found("lp-passkeyentry-123456-initiator-inputs.pcap") == ["passkey=123456"])
    #expect(
      found("a_tk=000102030405060708090a0b0c0d0e0f irk 202122232425262728292a2b2c2d2e2f") == [
        "tk=000102030405060708090a0b0c0d0e0f", "irk=202122232425262728292a2b2c2d2e2f",
      ])
    for name in [
      "ltk.pcap", "ltk-0001.pcap", "passkey-12345.pcap", "passkey-1234567", "pin-12ab56", "", "ltk-zz0102030405060708090a0b0c0d0e0f",
    ] {
      #expect(found(name).isEmpty, "\(name)")
    }
  }
}
