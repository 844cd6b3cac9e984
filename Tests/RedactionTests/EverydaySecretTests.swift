import Bluetooth
import Analysis
import CaptureScenes
import Captures
import Foundation
import Profiles
import Redaction
import Testing

/// Everyday private data: phone numbers, messages, names, titles and addresses as text, in the protocols that carry them.
@Suite struct EverydaySecretTests {
  /// A scene under construction, with its secrets.
  private struct Day {
    var scene = Scene()
    var secrets: [(what: String, bytes: [UInt8])] = []

    mutating func secret(_ what: String, _ text: String) -> [UInt8] { secret(what, Array(text.utf8)) }

    mutating func secret(_ what: String, _ bytes: [UInt8]) -> [UInt8] {
      secrets.append((what, bytes))
      return bytes
    }

    /// Opens an L2CAP channel of BR/EDR.
    mutating func open(_ psm: UInt16, local: UInt16, remote: UInt16, identifier: UInt8) {
      scene.pdu(.sent, 1, [2, identifier, 4, 0] + scene.little(psm) + scene.little(local))
      scene.pdu(.received, 1, [3, identifier, 8, 0] + scene.little(remote) + scene.little(local) + [0, 0, 0, 0])
    }

    /// An RFCOMM frame with data.
    mutating func serial(_ channel: UInt8, _ data: [UInt8]) {
      scene.pdu(.sent, 0x52, [channel << 3 | 3, 0xEF, UInt8(data.count << 1 | 1)] + data + [0x9A])
    }
  }

  private static func day() -> Day {
    var day = Day()
    let peer = day.secret("address", day.scene.octets(0x1C5A_6B12_9F37))
    day.scene.event(3, [0] + day.scene.little(day.scene.handle) + peer + [1, 0])
    // SDP: names of a service and of its provider, and a number without a layout.
    day.open(1, local: 0x41, remote: 0x42, identifier: 1)
    func text(_ bytes: [UInt8]) -> [UInt8] { [0x25, UInt8(bytes.count)] + bytes }
    let record =
      [9, 0, 1, 0x35, 3, 0x19, 0x11, 0x01, 9, 0, 4, 0x35, 0x0C, 0x35, 3, 0x19, 1, 0, 0x35, 5, 0x19, 0, 3, 8, 5, 9, 1, 0]
      + text(day.secret("service name", "Konstantins Serial")) + [9, 1, 2] + text(day.secret("provider", "Provider Ermengarde"))
      + [9, 3, 0x21, 0x0A] + day.secret("number of an unknown attribute", [0x91, 0xC4, 0x5E, 0x27])
    let lists = [0x35, UInt8(record.count + 2), 0x35, UInt8(record.count)] + record
    day.scene.pdu(.sent, 0x42, [6, 0, 1, 0, 15, 0x35, 3, 0x19, 1, 0, 0xFF, 0xFF, 0x35, 5, 0x0A, 0, 0, 0xFF, 0xFF, 0])
    day.scene.pdu(.received, 0x41, [7, 0, 1, 0, UInt8(lists.count + 3), 0, UInt8(lists.count)] + lists + [0])
    // RFCOMM: dialled and calling numbers, passwords of modules, business cards and messages of OBEX.
    day.open(3, local: 0x51, remote: 0x52, identifier: 2)
    day.serial(6, Array("ATD".utf8) + day.secret("number dialled", "+4930987654321") + Array(";\r".utf8))
    day.serial(
      6,
      Array("\r\n+CLIP: \"".utf8) + day.secret("number of who calls", "+4917055512345") + Array("\",145,,,\"".utf8)
        + day.secret("name of who calls", "Grandma Adelheid") + Array("\"\r\n".utf8))
    day.serial(5, Array("AT+PSWD=\"".utf8) + day.secret("password", "sesame-9371") + Array("\"\r".utf8))
    day.serial(
      19, [0xA0, 0, 60, 0x49, 0, 57] + Array("BEGIN:VCARD\r\nN:".utf8) + day.secret("card", "Habermas;Kunigunde") + Array("\r\n".utf8))
    day.serial(12, [0x82, 0, 40, 1, 0, 37] + day.secret("name of a file", "holiday.jpg".utf8.flatMap { [0, $0] }) + [0, 0])
    // AVRCP, BNEP, HID, an echo, a channel that was not opened.
    day.open(0x17, local: 0x61, remote: 0x62, identifier: 3)
    let title = day.secret("title", "Ode to Brunhilde")
    let element = [0, 0, 0, 1, 0, 0x6A, 0, UInt8(title.count)] + title
    day.scene.pdu(
      .received, 0x61, [0, 0x11, 0x0E, 0x0C, 0x48, 0, 0, 0x19, 0x58, 0x20, 0, 0, UInt8(element.count + 1), 1] + element)
    day.open(0x0F, local: 0x71, remote: 0x72, identifier: 4)
    day.scene.pdu(
      .sent, 0x72,
      [0] + day.secret("receiver on the network", [0x3C, 0x91, 0x57, 0x22, 0xE8, 0x4B])
        + day.secret("sender on the network", [0x94, 0x1D, 0x36, 0x8A, 0xC5, 0x70]) + [8, 0] + [UInt8](repeating: 0x45, count: 20))
    day.open(0x13, local: 0x81, remote: 0x82, identifier: 5)
    day.scene.pdu(.received, 0x81, [0xA1, 1, 0, 0] + day.secret("keys", [0x13, 0x04, 0x16, 0x17]) + [0, 0])
    day.scene.pdu(.sent, 1, [8, 9, 17, 0] + day.secret("echo", "hello from Sigrun"))
    day.scene.pdu(.sent, 0x99, day.secret("unknown channel", "for Gottfrieds eyes"))
    // The name of a printer, and a print job.
    func list(_ psm: UInt8, _ channel: UInt8) -> [UInt8] { [0x35, 13, 0x35, 6, 0x19, 1, 0, 9, 0x10, psm, 0x35, 3, 0x19, 0, channel] }
    let printer = [9, 0, 1, 0x35, 3, 0x19, 0x11, 0x26, 9, 0, 4] + list(1, 0x12) + [9, 0, 13, 0x35, 15] + list(3, 0x14)
    let printers = [0x35, UInt8(printer.count + 2), 0x35, UInt8(printer.count)] + printer
    day.scene.pdu(.received, 0x41, [7, 0, 2, 0, UInt8(printers.count + 3), 0, UInt8(printers.count)] + printers + [0])
    day.open(0x1001, local: 0xA1, remote: 0xA2, identifier: 10)
    day.open(0x1003, local: 0xA3, remote: 0xA4, identifier: 11)
    day.scene.pdu(.sent, 0xA2, [0, 6, 0, 9, 0, 4, 0, 0, 0, 0xFF])
    let printerName = day.secret("printer", "MFG:Krause;SN:7731GX;")
    day.scene.pdu(
      .received, 0xA1, [0, 6, 0, 9, 0, UInt8(printerName.count + 4), 0, 1, 0, UInt8(printerName.count + 2)] + printerName)
    day.scene.pdu(.sent, 0xA4, day.secret("page", "Liebe Walburga, dein Schluessel liegt unterm Stein"))
    // GATT without a discovery: values by handle, as a bonded phone reads them.
    day.scene.handle = 0x41
    day.scene.event(0x3E, [1, 0, 0x41, 0, 0, 0] + peer + [24, 0, 0, 0, 42, 0, 0])
    for (what, value) in [
      ("serial number", Array("SERIAL-QX99-4471".utf8)), ("wireless network", Array("{\"ssid\":\"HomeNet-Dragonfly\"}".utf8)),
      ("mail", Array("bart@example.org".utf8)), ("address as text", Array("mac=1C:5A:6B:12:9F:37".utf8)),
      ("address with dots", Array("1C.5A.6B.12.9F.37".utf8)), ("address as a number", Array("31174563536695".utf8)),
      ("address in base64", Array("N58SazVocA==".utf8)), ("name in UTF-16", "Ludmilla".utf8.flatMap { [$0, 0] }),
      ("bytes", [0xC7, 0x31, 0x9E, 0x52, 0xE8, 0x1A, 0x66]),
    ] as [(String, [UInt8])] {
      day.scene.send([0x0A, 7, 0])
      day.scene.receive([0x0B] + day.secret(what, value))
      day.scene.send([0x52, 9, 0] + value)
    }
    // A name in two reports, a truncated one, manufacturer data and service data.
    let heard: [UInt8] = [1, 0x21, 0x43, 0x65, 0x87, 0xA9, 0xCB, 1, 0, 0, 0x7F, 0xC4, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let (first, second) = (day.secret("start of a name", "Rosamu"), day.secret("end of a name", "nde5x"))
    day.scene.event(0x3E, [0x0D, 1, 0x20, 0] + heard + [8, 12, 9] + first)
    day.scene.event(0x3E, [0x0D, 1, 0x00, 0] + heard + [5] + second)
    let company = day.secret("data of a company", [0xB1, 0x5C, 0x93, 0xE4, 0x78])
    day.scene.event(0x3E, [2, 1, 0, 1] + heard[1...6] + [9, 8, 0xFF, 0x99, 0x99] + company + [0xC4])
    let service = day.secret("data of a service", [0xD3, 0x15, 0xAA, 0x48, 0x2F])
    day.scene.event(0x3E, [2, 1, 0, 1] + heard[1...6] + [9, 8, 0x16, 0xF1, 0xFF] + service + [0xC4])
    // An event filter with a device address; a PIN code with zero padding; a passkey that was entered.
    day.scene.command(0x0C05, [2, 2] + peer)
    day.scene.command(0x040D, peer + [6] + day.secret("PIN code", "482913") + [UInt8](repeating: 0, count: 10))
    day.scene.send([0x52, 9, 0] + Array("pin 482913 of 729416".utf8))
    return day
  }

  @Test(arguments: [
    CaptureTarget(.pcapng, linkType: 254), CaptureTarget(.btsnoop, linkType: 2001), CaptureTarget(.btsnoop, linkType: 1002),
    CaptureTarget(.pcap, linkType: 201),
  ])
  func nothingOfADayIsLeft(_ target: CaptureTarget) throws {
    let day = Self.day()
    for profiles in [nil, try ProfileSet()] {
      var options = Redaction.Options()
      options.profiles = profiles
      let (original, redacted) = try Redacted.scene(day.scene, target, options: options)
      let (before, after) = (original.bytes, redacted.file.bytes)
      for (what, secret) in day.secrets {
        let wasThere = contains(secret, in: before)
        #expect(wasThere, "\(what)")
        let left = traces(of: secret, in: after)
        #expect(left.isEmpty, "\(what): \(left)")
      }
      let left = try redacted.check(options)
      #expect(left.isEmpty, "\(left)")
      let lines = try Shape.differences(original.path, redacted.file.path)
      #expect(lines.isEmpty, "\(lines)")
    }
  }

  /// Titles in a response of several packets, whose headers are kept, including that of the last packet.
  @Test(arguments: [false, true]) func titlesInSeveralPackets(hasEmptyEnd: Bool) throws {
    var day = Day()
    day.scene.event(3, [0] + day.scene.little(day.scene.handle) + day.scene.octets(0x1C5A_6B12_9F37) + [1, 0])
    day.open(0x17, local: 0x61, remote: 0x62, identifier: 3)
    let title = Array("Ode to Brunhilde and all the evenings by the river".utf8)
    let parameters = [1, 0, 0, 0, 1, 0, 0x6A, 0, UInt8(title.count)] + title
    var parts = [Array(parameters[..<20]), Array(parameters[20..<40]), Array(parameters[40...])]
    if hasEmptyEnd { parts[1...] = [Array(parameters[20...]), []] }
    func header(_ type: UInt8, _ count: Int) -> [UInt8] { [0x12, 0x11, 0x0E, 0x0C, 0x48, 0, 0, 0x19, 0x58, 0x20, type, 0, UInt8(count)] }
    for (number, part) in parts.enumerated() {
      day.scene.pdu(.received, 0x61, header(UInt8(number + 1), part.count) + part)
      day.scene.pdu(.sent, 0x62, [0x10, 0x11, 0x0E, 0, 0x48, 0, 0, 0x19, 0x58, number == 2 ? 0x50 : 0x40, 0, 0, 1, 0x20])
    }
    // The same in packets of AVCTP.
    let whole = header(0, parameters.count) + parameters
    day.scene.pdu(.received, 0x61, [0x26, 3] + whole[1..<30])
    day.scene.pdu(.received, 0x61, [0x2A] + whole[30..<40])
    day.scene.pdu(.received, 0x61, [0x2E] + whole[40...])
    let (original, redacted) = try Redacted.scene(day.scene, CaptureTarget(.btsnoop, linkType: 1002))
    for start in 0...title.count - 5 {
      let letters = Array(title[start..<start + 5])
      let isLeft = contains(letters, in: redacted.file.bytes)
      #expect(!isLeft, "\(String(decoding: letters, as: UTF8.self))")
    }
    #expect(try redacted.check().isEmpty)
    let shape = try Shape.of(redacted.file.path)
    #expect(try Shape.of(original.path) == shape)
    #expect(shape.count { $0.contains("attribute_value") } == 2, "\(shape)")
  }

  /// Times of objects, lengths of songs and short telephone numbers are personal as numbers too.
  @Test func timesLengthsAndShortNumbers() throws {
    var day = Day()
    day.scene.event(3, [0] + day.scene.little(day.scene.handle) + day.scene.octets(0x1C5A_6B12_9F37) + [1, 0])
    day.open(3, local: 0x51, remote: 0x52, identifier: 2)
    // OBEX: a time of 4 bytes, and the length of the file, which is kept.
    let size: [UInt8] = [0xC3, 0, 0x12, 0x34, 0x56]
    day.serial(12, [0x80, 0, 7, 0x10, 0, 0x20, 0])
    day.serial(12, [0x82, 0, 13] + [0xC4] + day.secret("time", [0x69, 0x2A, 0xB7, 0x31]) + size)
    // HFP: short telephone numbers, feature masks and levels.
    day.serial(6, Array("AT+BRSF=1023\r".utf8))
    day.serial(6, Array("ATD".utf8) + day.secret("short number dialled", "11833") + Array(";\r".utf8))
    day.serial(6, Array("\r\n+CLIP: \"".utf8) + day.secret("short number of who calls", "22833") + Array("\",129\r\n".utf8))
    day.serial(6, Array("AT+BIEV=2,".utf8) + day.secret("code in the place of a value", "4711") + Array("\r".utf8))
    day.serial(6, Array("AT+VTS=".utf8) + day.secret("code in the place of a duration", "1,94713") + Array("\r".utf8))
    day.serial(6, Array("AT+BIEV=2,87\r".utf8))
    for digit in "94713" { day.serial(6, Array("AT+CKPD=\(digit)\r".utf8)) }
    // AVRCP: number and length of a track, and the length as a number beside the position.
    day.open(0x17, local: 0x61, remote: 0x62, identifier: 3)
    func answer(_ pdu: UInt8, _ parameters: [UInt8]) -> [UInt8] {
      [0x12, 0x11, 0x0E, 0x0C, 0x48, 0, 0, 0x19, 0x58, pdu, 0, 0, UInt8(parameters.count)] + parameters
    }
    func attribute(_ number: UInt8, _ text: [UInt8]) -> [UInt8] { [0, 0, 0, number, 0, 0x6A, 0, UInt8(text.count)] + text }
    let track = attribute(4, day.secret("number of a title", "3197"))
    let length = attribute(7, day.secret("length of a title", "0215347"))
    day.scene.pdu(.received, 0x61, answer(0x20, [2] + track + length))
    let position: [UInt8] = [0, 0, 0x7C, 0x19, 1]
    day.scene.pdu(.received, 0x61, answer(0x30, day.secret("length as a number", [0x00, 0x03, 0x49, 0x33]) + position))
    day.scene.pdu(.received, 0x61, answer(0x30, [0xFF, 0xFF, 0xFF, 0xFF] + position))
    // Digit keys of a remote control, pressed and released, and volume up, which is kept.
    for key: UInt8 in [0x24, 0x27, 0x21, 0x21, 0x41] {
      for released: UInt8 in [0, 0x80] { day.scene.pdu(.received, 0x61, [0x10, 0x11, 0x0E, 0, 0x48, 0x7C, key | released, 0]) }
    }
    let (original, redacted) = try Redacted.scene(day.scene, CaptureTarget(.btsnoop, linkType: 1002))
    for (what, secret) in day.secrets {
      let left = traces(of: secret, in: redacted.file.bytes)
      #expect(left.isEmpty, "\(what): \(left)")
    }
    let isKeyThere = contains(Array("CKPD=9".utf8), in: redacted.file.bytes) || contains(Array("CKPD=7".utf8), in: redacted.file.bytes)
    #expect(!isKeyThere && contains(Array("CKPD=0".utf8), in: redacted.file.bytes))
    for digit: UInt8 in [0x24, 0x27, 0x21, 0xA4, 0xA7, 0xA1] {
      #expect(!contains([0x48, 0x7C, digit, 0], in: redacted.file.bytes), "\(digit)")
    }
    for stays in [
      [0x48, 0x7C, 0x20, 0], [0x48, 0x7C, 0xA0, 0], [0x48, 0x7C, 0x41, 0], size, position, [0xFF, 0xFF, 0xFF, 0xFF] + position,
      Array("+BRSF=1023".utf8), Array("+BIEV=2,87".utf8),
    ] {
      let isThere = contains(stays, in: redacted.file.bytes)
      #expect(isThere, "\(stays)")
    }
    #expect(try redacted.check().isEmpty)
    #expect(try Shape.of(original.path).count == Shape.of(redacted.file.path).count)
  }

  /// Incomplete OBEX packets, a message that ends with a control character, and a controller's log: all their contents are replaced, and
  /// the packets decode as before with any seed.
  @Test(arguments: 0..<24) func whatIsIncomplete(_ number: Int) throws {
    var day = Day()
    day.scene.event(3, [0] + day.scene.little(day.scene.handle) + day.scene.octets(0x1C5A_6B12_9F37) + [1, 0])
    day.open(3, local: 0x51, remote: 0x52, identifier: 2)
    day.serial(12, [0x80, 0, 7, 0x10, 0, 0x20, 0])
    // The first part of a packet, and a part that reads as a complete packet although it is no start and ends none.
    day.serial(12, [0x82, 0x01, 0x2C, 0x49, 0x01, 0x29] + Array("BEGIN:VCARD\r\nN:".utf8) + day.secret("card", "Habermas;Kunigunde"))
    day.scene.pdu(.received, 0x51, [12 << 3 | 1, 0xEF, 13] + [0xA0, 0, 3] + day.secret("answer", "LZj") + [0x9A])
    day.serial(6, Array("AT+CMGS=\"".utf8) + day.secret("number", "+4930987654321") + Array("\"\r".utf8))
    day.serial(6, day.secret("message", "Meet me at the old oak \(number)") + [0x1A, 0x0D])
    for handle in [0x05FF, 0x05FE] as [UInt16] {
      day.scene.handle = handle
      day.scene.acl(.received, isStart: true, day.secret("log", "Ada1Lovelace code \(handle)"))
    }
    let (original, redacted) = try Redacted.scene(day.scene, CaptureTarget(.btsnoop, linkType: 1002), seed: "\(number)")
    for (what, secret) in day.secrets {
      let start = Array(secret.prefix(4))
      if secret.count > 4 { #expect(traces(of: start, in: redacted.file.bytes).isEmpty, "\(what): the start") }
      let left = traces(of: secret, in: redacted.file.bytes)
      #expect(left.isEmpty, "\(what): \(left)")
    }
    #expect(try redacted.check().isEmpty)
    #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
  }

  /// Secrets in truncated packets are replaced, too.
  @Test func nothingOfACutDayIsLeft() throws {
    let day = Self.day()
    var count = 0
    for maximum in [10, 14, 18, 24, 33] {
      var scene = Scene()
      for index in day.scene.packets.records.indices {
        let record = day.scene.packets.records[index]
        let bytes = Array(day.scene.packets.bytes(record))
        scene.packet(record.kind, record.direction, Array(bytes.prefix(maximum)), original: bytes.count)
      }
      let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254))
      let (before, after) = (original.bytes, redacted.file.bytes)
      for (what, secret) in day.secrets {
        for start in 0...max(secret.count - 6, 0) {
          let piece = Array(secret[start..<min(start + 6, secret.count)])
          guard Set(piece).count >= 4, contains(piece, in: before) else { continue }
          count += 1
          let isLeft = contains(piece, in: after)
          #expect(!isLeft, "\(what) cut after \(maximum) bytes")
        }
      }
      #expect(try Shape.of(original.path).count == Shape.of(redacted.file.path).count)
    }
    #expect(count > 20)
  }

  /// Equal values remain equal, and a request still has its response.
  @Test func equalValuesStayEqual() throws {
    var scene = Scene()
    scene.connect()
    for value in ["open", "shut", "open"] {
      scene.send([0x12, 9, 0] + Array(value.utf8))
      scene.receive([0x13])
    }
    let (_, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    let source = try CaptureFile.open(redacted.file.path)
    let batch = PacketBatch()
    var values: [[UInt8]] = []
    while try source.read(batch) {
      for index in batch.records.indices {
        let payload = Array(batch.payload(batch.records[index]))
        if payload.count > 11, payload[8] == 0x12 { values.append(Array(payload[11...])) }
      }
    }
    try #require(values.count == 3)
    #expect(values[0] == values[2] && values[0] != values[1] && values[0].count == 4)
    #expect(values[0] != Array("open".utf8) && values[0].allSatisfy { (0x61...0x7A).contains($0) })
  }

  /// Data that options keep are kept, and the note lists them.
  @Test func whatIsOpenedStays() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFF1, at: 0x30, service: 0xFFF0)
    scene.discover(0x2A00, at: 0x40, service: 0x1800)
    let (value, name) = (Array("speed=17".utf8), Array("Anna's lamp".utf8))
    scene.receive([0x1B, 0x30, 0] + value)
    scene.send([0x0A, 0x40, 0])
    scene.receive([0x0B] + name)
    func redacted(_ change: (inout Redaction.Options) throws -> Void) throws -> [UInt8] {
      var options = Redaction.Options()
      try change(&options)
      return try Redacted.scene(scene, CaptureTarget(.pcapng, linkType: 254), options: options).1.file.bytes
    }
    let nothing = try redacted { _ in }
    #expect(!contains(value, in: nothing) && !contains(name, in: nothing))
    for choice in ["fff1", "0x0030"] {
      let bytes = try redacted { $0.keptAttributes = [try #require(Redaction.AttributeChoice(choice))] }
      #expect(contains(value, in: bytes) && !contains(name, in: bytes) && contains(Array("kept: values of".utf8), in: bytes), "\(choice)")
    }
    let values = try redacted { $0.keepsValues = true }
    #expect(contains(value, in: values) && !contains(name, in: values) && contains(Array("kept: values".utf8), in: values))
    let named = try redacted { $0.keptAttributes = [try #require(Redaction.AttributeChoice("2a00"))] }
    #expect(contains(name, in: named))
  }

  /// Kept fields are listed with their rule.
  @Test func checkTellsRules() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0xFFF1, at: 0x30, service: 0xFFF0)
    scene.receive([0x1B, 0x30, 0] + Array("speed=17".utf8))
    scene.event(0x0E, [1, 0x02, 0x10, 0] + [UInt8](repeating: 0xD5, count: 64))
    var options = Redaction.Options()
    options.isDetailed = true
    options.keptAttributes = [try #require(Redaction.AttributeChoice("fff1"))]
    let (original, _) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    let redaction = Redaction(options)
    let source = try CaptureFile.open(original.path)
    let facts = CaptureFacts(name: "scene", title: source.title)
    _ = try redaction.survey(source, facts)
    _ = try redaction.check(source, facts)
    #expect(redaction.kept.contains { $0.rule == .option && $0.field == "att.attribute_value" && $0.count == 1 })
    #expect(redaction.kept.contains { $0.rule == .harmless && $0.field.hasSuffix("supported_commands") })
  }

  /// A capture that grows between the passes is detected.
  @Test func aCaptureThatChangesIsNoticed() throws {
    var scene = Scene()
    scene.command(0x0C03, [])
    let (original, _) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    scene.command(0x0C03, [])
    let (longer, _) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    for (second, isChanged) in [(original, false), (longer, true)] {
      let redaction = Redaction(Redaction.Options())
      let first = try CaptureFile.open(original.path)
      let facts = CaptureFacts(name: "scene", title: first.title)
      _ = try redaction.survey(first, facts)
      let file = TemporaryFile("btsnoop")
      let writer = try CaptureWriter(to: file.path, target: CaptureTarget(.btsnoop, linkType: 1002))
      _ = try redaction.write(try CaptureFile.open(second.path), facts, to: writer)
      #expect(redaction.hasChanged == isChanged)
    }
  }

  /// So is one whose packets have another time, direction or size, and the same bytes.
  @Test(arguments: [(3, 8), (11, 1), (19, 1), (23, 1)], [0, 1]) func aHeaderThatChangesIsNoticed(
    _ change: (offset: Int, bit: UInt8), record: Int
  ) throws {
    var scene = Scene()
    for _ in 0..<2 { scene.command(0x0C03, []) }
    let (original, _) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    var bytes = original.bytes
    // Original length, captured length, flags, drops, time.
    bytes[16 + record * 28 + change.offset] ^= change.bit
    let changed = TemporaryFile("btsnoop")
    try Data(bytes).write(to: URL(fileURLWithPath: changed.path))
    let redaction = Redaction(Redaction.Options())
    let first = try CaptureFile.open(original.path)
    let facts = CaptureFacts(name: "scene", title: first.title)
    _ = try redaction.survey(first, facts)
    let file = TemporaryFile("btsnoop")
    let writer = try CaptureWriter(to: file.path, target: CaptureTarget(.btsnoop, linkType: 1002))
    _ = try redaction.write(try CaptureFile.open(changed.path), facts, to: writer)
    #expect(redaction.hasChanged)
  }

  /// The replacement of a number or a name does not change the headers of other packets.
  @Test func headersAreNeverRewritten() throws {
    var scene = Scene()
    // A passkey, a name and damaged "addresses" with the bytes of other packets' headers.
    scene.event(0x3B, [1, 2, 3, 4, 5, 6, 0x02, 0x01, 0x04, 0x00])
    scene.event(0x07, [0, 1, 2, 3, 4, 5, 6] + [0x3E, 0x0C, 0x02, 0x01, 0x04] + [UInt8](repeating: 0, count: 243))
    let report: [UInt8] = [2, 1, 4, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0, 0xC4]
    scene.event(0x3E, report)
    scene.connect()
    scene.receive([0x1B, 9, 0, 1])
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    #expect(try Shape.of(original.path) == Shape.of(redacted.file.path))
    let stays = contains([0x3E, 0x0C, 0x02, 0x01, 0x04, 0x00], in: redacted.file.bytes)
    #expect(stays)
  }

  /// Many devices of one company: the work grows with the number of packets, not with its square.
  @Test func manyDevicesOfOneCompany() throws {
    var scene = Scene()
    for number in 0..<20_000 {
      let address: UInt64 = 0x3C28_6D00_0000 | UInt64(number)
      scene.event(0x3E, [2, 1, 0, 0] + scene.octets(address) + [3, 2, 1, 6, 0xC4])
    }
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    // One address in 4096 reads as a pseudonym by chance.
    #expect((redacted.exposures.first { $0.kind == .address }?.different ?? 0) > 19_900)
    let (before, after) = (original.bytes, redacted.file.bytes)
    try #require(before.count == after.count)
    // All pseudonyms are different.
    var seen: Set<[UInt8]> = []
    let first = try #require(before.indices.first { before[$0...].starts(with: [4, 0x3E]) })
    let size = (before.count - first + 24) / 20_000
    for number in 0..<20_000 { seen.insert(Array(after[(first + number * size + 7)..<(first + number * size + 13)])) }
    #expect(seen.count > 19_990)
  }
}
