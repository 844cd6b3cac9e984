import CaptureScenes
import Captures
import Profiles
import Redaction
import Testing

/// Keyboard input is replaced, over BR/EDR and over LE, with and without a report map, and even where values are kept.
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
    // The same in the response to Get Report, and in a report that the host sets.
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
      // Single keys: none of the reports has one at the same position.
      for key in Self.typed {
        let report: [UInt8] = [0x02, 0, key, Self.typed[0]]
        #expect(contains(report, in: before))
        #expect(!contains(report, in: after), "\(key)")
      }
      #expect(try redacted.check(options).isEmpty)
    }
  }

  /// A keyboard whose attributes, or whose channel, the capture does not show: no key is known by how often its report comes.
  @Test(arguments: [false, true])
  func reportsOfAnUnknownKeyboardAreAllDifferent(keepsValues: Bool) throws {
    let reports = Self.text.map { [0, 0, $0, 0, 0, 0, 0, 0] as [UInt8] }
    try Self.areAllDifferent(reports, keepsValues)
  }

  /// The same for a keyboard with a bit for each key: the zeros before the key do not tell which it is.
  @Test(arguments: [false, true])
  func reportsWithABitForEachKeyAreAllDifferent(keepsValues: Bool) throws {
    let reports = Self.text.map { key in
      (0..<16).map { $0 == 1 + Int(key >> 3) ? 1 << (key & 7) : 0 as UInt8 }
    }
    try Self.areAllDifferent(reports, keepsValues)
  }

  /// The same where the report has a number, comes with other values in one notification or over Enhanced ATT, and over BR/EDR with one byte.
  @Test func reportsInOtherFormsAreAllDifferent() throws {
    let report: [(UInt8) -> [UInt8]] = [
      { [3, 0, 0, $0, 0, 0, 0, 0, 0] }, { [3, $0] }, { [1, 0, 0, $0, 0, 0, 0, 0, 0, 1] },
    ]
    let forms: [(what: String, channel: UInt16, head: [UInt8], report: (UInt8) -> [UInt8])] = [
      ("with a number", 4, [0x1B, 0x2A, 0], report[0]),
      ("beside other values", 4, [0x23, 0x30, 0, 1, 0, 0x55, 0x2A, 0, 9, 0], report[0]),
      ("Enhanced ATT", 0x44, [12, 0, 0x1B, 0x2A, 0], report[0]),
      ("BR/EDR, one byte", 0x71, [0xA1], report[1]),
      ("BR/EDR, never zero at the end", 0x71, [0xA1], report[2]),
    ]
    for form in forms {
      var scene = Scene()
      scene.connect()
      for key in Self.text { for key in [key, 0] { scene.pdu(.received, form.channel, form.head + form.report(key)) } }
      let (_, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
      let packets = Self.acl(redacted.file)
      let typed = packets.indices.filter { $0 % 2 == 0 }.map { packets[$0] }
      #expect(typed.count == Self.text.count && Set(typed).count == typed.count, "\(form.what): \(typed)")
    }
  }

  private static let text: [UInt8] = [0x17, 0x0B, 0x08, 0x2C, 0x17, 0x0B, 0x08, 0x2C, 0x17, 0x0B, 0x08]

  /// The ACL data packets of a btsnoop file. A record has its length first, and 24 bytes before the packet.
  private static func acl(_ file: TemporaryFile) -> [[UInt8]] {
    let bytes = file.bytes
    var packets: [[UInt8]] = []
    var at = 16
    while at + 24 <= bytes.count {
      let packet = bytes[(at + 24)..<(at + 24 + bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) })]
      at = packet.endIndex
      if packet.first == 2 { packets.append(Array(packet)) }
    }
    return packets
  }

  /// After each report comes one without a key.
  private static func areAllDifferent(_ reports: [[UInt8]], _ keepsValues: Bool) throws {
    let size = reports[0].count
    var low = Scene()
    low.connect()
    var classic = Scene()
    classic.event(0x03, [0] + classic.little(classic.handle) + classic.octets(0x0000_5E00_5331) + [1, 0])
    for report in reports {
      for report in [report, [UInt8](repeating: 0, count: size)] {
        low.receive([0x1B, 0x2A, 0] + report)
        classic.pdu(.received, 0x41, [0xA1, 1] + report)
      }
    }
    // Over BR/EDR the header of a report is replaced with it, so that a report without keys is a value, too.
    for (scene, header, count) in [(low, 12, reports.count), (classic, 11, 2 * reports.count)] {
      var options = Redaction.Options()
      options.keepsValues = keepsValues
      let (_, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
      let values = Self.acl(redacted.file).map { Array($0.dropFirst(header)) }.filter { $0.suffix(size).contains { $0 != 0 } }
      #expect(values.count == count && Set(values).count == count, "\(values)")
      #expect(values.allSatisfy { $0.first != 0 }, "\(values)")
      #expect(try redacted.check(options).isEmpty)
    }
  }

  /// Reports of one byte with a dialled number: on the telephony page, on the key page within the usage, and on a vendor page. The response to a
  /// request for the protocol is no report, and is kept.
  @Test(
    arguments: [false, true],
    [
      "050b0901a1010509 06a10219b029bf15b026bf0075089501 8100c0c0", "050c0901a1011b040007002b65000700150025657508950181 00c0",
      "0600ff0901a1010902150026ff007508950181 02c0", "05100901a10119002aff00150026ff00750895018100c0",
    ]) func reportsOfOneByteGo(keepsValues: Bool, _ map: String) throws
  {
    let digits = Array(map.utf8.filter { $0 != 0x20 })
    let map = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0 }
    var scene = Scene()
    scene.keyboard(map)
    let dialled: [UInt8] = [0xB4, 0xB9, 0xB1, 0xB7, 0xB6, 0x13]
    for digit in dialled {
      scene.pdu(.received, 0x45, [0xA1, digit])
      scene.pdu(.received, 0x45, [0xA1, 0])
      // A requested report, as a report of type Other, and one that the host sets.
      scene.pdu(.sent, 0x53, [0x41])
      scene.pdu(.received, 0x43, [0xA0, digit])
      scene.pdu(.sent, 0x53, [0x51, digit])
    }
    scene.pdu(.sent, 0x53, [0x60])
    scene.pdu(.received, 0x43, [0xA0, 1])
    var options = Redaction.Options()
    options.keepsValues = keepsValues
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    for digit in dialled {
      for head in [[0x45, 0, 0xA1], [0x43, 0, 0xA0], [0x53, 0, 0x51]] as [[UInt8]] {
        let (wasThere, isLeft) = (contains(head + [digit], in: original.bytes), contains(head + [digit], in: redacted.file.bytes))
        #expect(wasThere && !isLeft, "\(digit) behind \(head)")
      }
    }
    let answer = contains([0x43, 0, 0xA0, 1], in: redacted.file.bytes)
    #expect(answer)
    #expect(try redacted.check(options).isEmpty)
    // The timelines differ only in the keys.
    #expect(try Shape.of(original.path).count == Shape.of(redacted.file.path).count)
  }

  /// A keyboard's response to Get Report is keyboard input, even if its report type is Other.
  @Test func anAnswerOfNoTypeGoes() throws {
    var scene = Scene()
    scene.keyboard()
    scene.pdu(.sent, 0x53, [0x41, 1])
    scene.pdu(.received, 0x43, [0xA0, 1, 0, 0] + Self.typed)
    scene.pdu(.sent, 0x53, [0x80])
    scene.pdu(.received, 0x43, [0xA0, 1, 0, 0] + Self.typed)
    for keepsValues in [false, true] {
      var options = Redaction.Options()
      options.keepsValues = keepsValues
      let (_, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
      let isLeft = contains(Array(Self.typed[..<3]), in: redacted.file.bytes)
      #expect(!isLeft)
    }
  }

  /// A report map is kept where it is read, also in parts. Values that are notified under its handle or written there, and read values that are no
  /// report map, are replaced.
  @Test func whatOnlyStandsWhereAReportMapBelongsIsReplaced() throws {
    var scene = Scene()
    scene.hogp(Scene.keyboardMap)
    scene.discover(0x2A4B, at: 0x60, service: 0x1812)
    let secret = Array("Konstantin, 4917055512345".utf8)
    scene.receive([0x1B, 0x60, 0] + secret)
    scene.send([0x52, 0x60, 0] + secret)
    scene.send([0x06, 1, 0, 0xFF, 0xFF, 0x4B, 0x2A] + secret)
    scene.receive([0x23, 0x60, 0, UInt8(secret.count), 0] + secret)
    for handle: UInt8 in [0x30, 0x60] {
      scene.send([0x0A, handle, 0])
      scene.receive([0x0B] + secret)
      scene.send([0x08, handle, 0, handle, 0, 0x4B, 0x2A])
      scene.receive([0x09, UInt8(secret.count + 2), handle, 0] + secret)
    }
    scene.send([0x0A, 0x30, 0])
    scene.receive([0x0B] + Scene.keyboardMap.prefix(22))
    scene.send([0x0C, 0x30, 0, 22, 0])
    scene.receive([0x0D] + Scene.keyboardMap.dropFirst(22))
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254))
    #expect(contains(secret, in: original.bytes) && contains(Array(Scene.keyboardMap.prefix(22)), in: redacted.file.bytes))
    let part = [0x0D] + Scene.keyboardMap.dropFirst(22)
    #expect(contains(part, in: redacted.file.bytes))
    for start in 0...secret.count - 6 {
      let isLeft = contains(Array(secret[start..<start + 6]), in: redacted.file.bytes)
      #expect(!isLeft, "\(start)")
    }
  }

  /// Items that the report map parser skips may be anything: a map with a text in it is replaced, over BR/EDR and over LE.
  @Test func textWithinAReportMapIsReplaced() throws {
    let secret = Array("Konstantin, 4917055512345".utf8)
    // A long item (HID 1.11, 6.2.2.3) behind the first collection.
    let map = Array(Scene.keyboardMap.prefix(6)) + [0xFE, UInt8(secret.count), 0x10] + secret + Scene.keyboardMap.dropFirst(6)
    var (couch, desk) = (Scene(), Scene())
    couch.hogp(map)
    desk.keyboard(map)
    for scene in [couch, desk] {
      let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254))
      #expect(contains(secret, in: original.bytes))
      for start in 0...secret.count - 6 { #expect(!contains(Array(secret[start..<start + 6]), in: redacted.file.bytes), "\(start)") }
    }
  }

  /// A supervisory frame has a control field and a check: a text between them is replaced, and the check is corrected. So is
  /// a text in place of an attribute type, which is too long for a UUID.
  @Test func whatStandsWhereNothingBelongsIsReplaced() throws {
    var scene = Scene()
    let mode: [UInt8] = [4, 9, 3, 8, 3, 0, 0, 0, 0, 0, 0]
    scene.packet(.event, .received, [3, 11, 0, 0x40, 0, 1, 2, 3, 4, 5, 6, 1, 0])
    func pdu(_ direction: PacketDirection, _ channel: UInt8, _ body: [UInt8]) {
      let whole = [UInt8(body.count), 0, channel, 0] + body
      scene.packet(.acl, direction, [0x40, direction == .sent ? 0 : 0x20, UInt8(whole.count), 0] + whole)
    }
    pdu(.sent, 1, [2, 1, 4, 0, 0x35, 0x12, 0x43, 0])
    pdu(.received, 1, [3, 1, 8, 0, 0x43, 0, 0x43, 0, 0, 0, 0, 0])
    for direction in [PacketDirection.sent, .received] {
      pdu(direction, 1, [4, 2, 15, 0, 0x43, 0, 0, 0] + mode)
      pdu(direction == .sent ? .received : .sent, 1, [5, 2, 17, 0, 0x43, 0, 0, 0, 0, 0] + mode)
    }
    let secret = Array("Konstantin491".utf8)
    // The frame check sequence over header, control field and text (Core, Vol 3, Part A, 3.3.5).
    let body = [UInt8(secret.count + 4), 0, 0x43, 0, 1, 0] + secret
    var check: UInt16 = 0
    for byte in body {
      check ^= UInt16(byte)
      for _ in 0..<8 { check = check & 1 != 0 ? check >> 1 ^ 0xA001 : check >> 1 }
    }
    pdu(.received, 0x43, Array(body[4...]) + [UInt8(check & 0xFF), UInt8(check >> 8)])
    pdu(.sent, 4, [0x10, 1, 0, 0xFF, 0xFF] + secret)
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254))
    #expect(contains(secret, in: original.bytes))
    for start in 0...secret.count - 6 {
      let isLeft = contains(Array(secret[start..<start + 6]), in: redacted.file.bytes)
      #expect(!isLeft, "\(start)")
    }
    #expect(try redacted.check(Redaction.Options()).isEmpty)
  }

  /// Keyboard input becomes zeros also beside other values of its PDU, whether or not a profile decodes these or values are kept, and where no
  /// report map was read.
  @Test(arguments: [0x2A4D, 0x2A22] as [UInt16], [false, true]) func reportsBesideOtherValues(_ type: UInt16, keepsValues: Bool)
    throws
  {
    var scene = Scene()
    scene.connect()
    scene.discover(type, at: 0x30, service: 0x1812)
    scene.discover(0x2A19, at: 0x40, service: 0x180F)
    let typed: [UInt8] = [0, 0, 0x0B, 0x08, 0x0F, 0x0F, 0x12, 0]
    let nothing = [UInt8](repeating: 0, count: 8)
    func pdus(_ report: [UInt8]) -> [[UInt8]] {
      let (own, other) = ([0x30, 0, 8, 0] + report, [0x40, 0, 1, 0, 64] as [UInt8])
      return [
        [0x23] + own + other, [0x23] + other + own, [0x21, 8, 0] + report + [1, 0, 64], [0x21, 1, 0, 64, 8, 0] + report,
        [0x09, 10, 0x30, 0] + report + [0x34, 0] + report, [0x09, 10, 0x30, 0] + report, [0x1B, 0x30, 0] + report, [0x0B] + report,
      ]
    }
    for (number, pdu) in pdus(typed).enumerated() {
      switch number {
      case 2: scene.send([0x20, 0x30, 0, 0x40, 0])
      case 3: scene.send([0x20, 0x40, 0, 0x30, 0])
      case 4, 5: scene.send([0x08, 1, 0, 0xFF, 0xFF] + scene.little(type))
      case 7: scene.send([0x0A, 0x30, 0])
      default: break
      }
      scene.receive(pdu)
    }
    // The values of a Read Multiple Response cannot be separated.
    scene.send([0x0E, 0x40, 0, 0x30, 0])
    scene.receive([0x0F, 64] + typed)
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    options.keepsValues = keepsValues
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
    let bytes = redacted.file.bytes
    for (pdu, silent) in zip(pdus(typed), pdus(nothing)) {
      let (wasThere, isLeft, isSilent) = (contains(pdu, in: original.bytes), contains(pdu, in: bytes), contains(silent, in: bytes))
      #expect(wasThere && !isLeft && isSilent, "\(pdu)")
    }
    let isSilent = contains([0x0F, 0] + nothing, in: bytes)
    #expect(isSilent)
    #expect(redacted.warnings.isEmpty)
    #expect(try redacted.check(options).isEmpty)
    #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
  }

  /// A short value behind a harmless one in a Read Multiple Response is replaced.
  @Test func aNameBehindAHarmlessValue() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A04, at: 0x30, service: 0x1800)
    scene.discover(0x2A00, at: 0x40, service: 0x1800)
    scene.send([0x0E, 0x30, 0, 0x40, 0])
    scene.receive([0x0F, 6, 0] + Array("Gritta".utf8))
    for keepsValues in [false, true] {
      var options = Redaction.Options()
      options.keepsValues = keepsValues
      let (_, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002), options: options)
      let isLeft = contains(Array("Gritta".utf8), in: redacted.file.bytes)
      #expect(!isLeft)
    }
  }
}
