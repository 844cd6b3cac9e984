import Memory
import CaptureScenes
import Captures
import Conversations
import Profiles
import Testing
import Text

@testable import Analysis
@testable import Output

/// Rows of the text timeline, and their order.
@Suite struct TimelineTextTests {
  /// Collects all written bytes.
  private final class Written: TextDestination {
    var bytes: [UInt8] = []
    let path = "test"

    func write(_ bytes: BorrowedBytes) throws(OutputError) { self.bytes += bytes }
    func finish() throws {}
  }

  /// The lines of a timeline. `chunk` is the number of bytes that are buffered before a write.
  private func lines(
    _ scene: Scene, width: Int? = nil, isVerbose: Bool = false, showsLinkLayer: Bool = false, profiles: ProfileSet? = nil,
    chunk: Int = 1 << 16
  ) throws -> [String] {
    let written = Written()
    let out = TextBuffer(to: written)
    var options = TextPrinter.Options()
    options.style = Style(isUnicode: true, width: width)
    options.isVerbose = isVerbose
    options.showsLinkLayer = showsLinkLayer
    var timeline = Timeline.Options()
    timeline.profiles = profiles
    timeline.includesFragments = isVerbose
    _ = try Timeline(SceneSource(scene), options: timeline).run(
      CaptureFacts(name: "scene", title: "scene"), to: TextPrinter(out, options, chunk: chunk))
    try out.flush()
    return String(decoding: written.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The frame numbers at the start of rows.
  private func frames(_ lines: [String]) -> [Int] {
    lines.compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2)
      return words.count == 3 && words[1].contains(".") ? Int(words[0]) : nil
    }
  }

  private func scene(_ play: (inout Scene) -> Void) -> Scene {
    var scene = Scene()
    play(&scene)
    return scene
  }

  // MARK: Values and objects

  /// Values that a user chose differ in more bytes than a counter and a checksum have: they are not folded into one row.
  @Test func chosenValuesAreNotFoldedAway() throws {
    let written: ([[UInt8]]) throws -> Int = { values in
      let lines = try self.lines(
        scene {
          $0.connect()
          for value in values {
            $0.send([0x52, 0x19, 0, 0x69, 0x96, 5, 2] + value)
            $0.time += 500_000
          }
        })
      return lines.filter { $0.contains("write command") && !$0.contains("repeats") }.count
    }
    // One colour after the other changes, in steps; a counter and a checksum.
    var (colours, counted): ([[UInt8]], [[UInt8]]) = ([], [])
    for step: UInt8 in 0..<36 {
      let red = min(step, 12) * 20
      let green = step < 12 ? 0 : min(step - 12, 12) * 20
      let blue = step < 24 ? 0 : (step - 24) * 20
      colours.append([red, green, blue])
      counted.append([step, 7, step ^ 0x55])
    }
    let (chosen, polled) = (try written(colours), try written(counted))
    #expect(polled < 8)
    #expect(chosen >= 8, "\(chosen)")
  }

  /// A zero at the end, as C ends texts with, is evidence of a text: `8.12.2` has as much punctuation as a short text may have then.
  @Test(
    arguments: [
      ("8.12.2\0", true), ("A2.01\0", true), ("8.12.2", false), ("8.12.2\0\0", false), (".1.2.\0", false), ("1.2.\0", false),
      ("#1:2;3\0", false), ("ab,c.d\0", true),
    ])
  func aZeroEndsAText(value: String, isText: Bool) throws {
    let lines = try lines(
      scene {
        $0.connect()
        $0.send([0x0A, 0x10, 0])
        $0.receive([0x0B] + Array(value.utf8))
      })
    let row = try #require(lines.first { $0.contains(" read ") })
    #expect(row.contains("\"") == isText, "\(row)")
  }

  /// Answers to service searches in words: repeated ones, ones without a channel, single attributes.
  @Test func answersToSearchesAreSaidInWords() throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5e00_5331) + [1, 0])
    scene.pdu(.sent, 1, [0x02, 1, 4, 0, 1, 0, 0x40, 0])
    scene.pdu(.received, 1, [0x03, 1, 8, 0, 0x51, 0, 0x40, 0, 0, 0, 0, 0])
    func element(_ parts: [UInt8]...) -> [UInt8] {
      let bytes = parts.flatMap { $0 }
      return [0x35, UInt8(bytes.count)] + bytes
    }
    var transaction: UInt8 = 0
    func search(_ service: [UInt8], _ records: [UInt8]) {
      transaction += 1
      let question = element(service) + [0xFF, 0xFF] + element([0x0A, 0, 0, 0xFF, 0xFF]) + [0]
      scene.pdu(.sent, 0x51, [6, 0, transaction, 0, UInt8(question.count)] + question)
      scene.pdu(.received, 0x40, [7, 0, transaction, 0, UInt8(records.count + 3), 0, UInt8(records.count)] + records + [0])
    }
    let channel = [9, 0, 4] + element(element([0x19, 1, 0]), element([0x19, 0, 3, 8, 3]))
    let version = [9, 0, 9] + element(element([0x19, 0x11, 0x1E, 9, 1, 6]))
    let name: [UInt8] = [9, 1, 0, 0x25, 4] + Array("Unit".utf8)
    let handsFree = element(element([9, 0, 1] + element([0x19, 0x11, 0x1E, 0x19, 0x12, 3]), channel, version, name))
    search([0x19, 0x11, 0x1E], handsFree)
    search([0x19, 0x11, 0x1E], handsFree)
    // The class is only in the request; only the version of the profile is asked for; nothing is known of the service.
    search([0x19, 0x11, 0x1E], element(element(channel)))
    search([0x19, 1, 0], element(element(version)))
    search([0x19, 1, 0], element(element([9, 3, 0x11, 9, 1, 0x2F])))
    search([0x19, 1, 0], element())
    let found = try lines(scene).filter { $0.contains(" found ") }
    let expected = [
      "Hands-Free 1.6 \"Unit\" at rfcomm 3", "Hands-Free 1.6 \"Unit\" at rfcomm 3", "Hands-Free at rfcomm 3", "Hands-Free 1.6",
      "attribute 0x0311 0x012f", "nothing",
    ]
    #expect(found.count == expected.count)
    for (line, words) in zip(found, expected) { #expect(line.hasSuffix("found         \(words)"), "\(line)") }
    let searches = try OperationCollector.run(scene).filter { $0.kind == .discovery }
    #expect(
      searches.map(\.detail) == [
        "Hands-Free at rfcomm 3 in 1 request", "Hands-Free at rfcomm 3 in 1 request", "Hands-Free at rfcomm 3 in 1 request",
        "Hands-Free in 1 request", "attributes in 1 request", "nothing in 1 request",
      ])
    // The summary counts the service once.
    #expect(searches.map { $0.numbers[1] } == [1, 0, 0, 0, 0, 0])
  }

  /// A configuration with its bytes in the wrong order neither subscribes nor ends a subscription.
  @Test func aConfigurationInTheWrongOrder() throws {
    let shown = try lines(
      scene {
        $0.connect()
        $0.discover(0x2A19, at: 0x19)
        $0.send([0x12, 0x1A, 0, 0, 1])
        $0.receive([0x13])
      })
    #expect(shown.contains { $0.contains("write") && $0.contains("CCCD") && $0.contains("← 00 01") })
    #expect(!shown.contains { $0.contains("subscribe") })
  }

  /// The empty end of an object is not told; one with bytes is.
  @Test func theEndOfAnObject() throws {
    for (end, words): ([UInt8], String?) in [([0x49, 0, 3], nil), ([0x49, 0, 5, 1, 2], "the last 2 bytes")] {
      let shown = try lines(
        scene {
          $0.event(0x03, [0] + $0.little($0.handle) + $0.octets(0x0000_5e00_5331) + [1, 0])
          $0.pdu(.sent, 1, [0x02, 1, 4, 0, 3, 0, 0x41, 0])
          $0.pdu(.received, 1, [0x03, 1, 8, 0, 0x51, 0, 0x41, 0, 0, 0, 0, 0])
          let packets: [[UInt8]] = [
            [0x80, 0, 7, 0x10, 0, 3, 0xE8], [0xA0, 0, 7, 0x10, 0, 3, 0xE8], [0x83, 0, 3], [0x90, 0, 8, 0x48, 0, 5, 1, 2],
            [0x83, 0, 3], [0xA0, 0, UInt8(3 + end.count)] + end,
          ]
          for (index, packet) in packets.enumerated() {
            let isSent = index % 2 == 0
            let frame = [0x23, 0xEF, UInt8(packet.count << 1 | 1)] + packet + [0x9A]
            $0.pdu(isSent ? .sent : .received, isSent ? 0x51 : 0x41, frame)
          }
        })
      #expect(shown.contains { $0.contains("the last") } == (words != nil), "\(shown)")
      if let words { #expect(shown.contains { $0.contains(words) }) }
    }
  }

  // MARK: The Link Layer

  @Test func packetsOfTheLinkLayerAreNamedByTheirLLID() throws {
    let heard = scene {
      $0.sniffConnection()
      $0.air(.central, 0, [0x0C, 9, 0, 0, 0, 0])
      $0.air(.peripheral, 1, [0x14, 0xFB, 0, 0x48, 8, 0xFB, 0, 0x48, 8])
      $0.air(.central, 1, [])
      $0.air(.peripheral, 3, [0x0C, 9, 0, 0, 0, 0])
    }
    let lines = try lines(heard, isVerbose: true)
    #expect(lines.contains { $0.contains("PDU with reserved LLID") && $0.contains(" 2 ") })
    #expect(lines.contains { $0.contains("LL_LENGTH_REQ") && $0.contains("max rx octets 251") })
    #expect(lines.contains { $0.contains("Empty PDU") })
    #expect(lines.contains { $0.contains("LL_VERSION_IND") })
    #expect(!lines.contains { $0.contains("LL Data PDU") })
    #expect(lines.contains { $0.contains("LLID 0, which is reserved") })
    #expect(lines.contains { $0.contains("a whole LL_LENGTH_REQ PDU of 9 bytes with LLID 1") })
  }

  /// Names and addresses in a packet with a wrong CRC are nobody's.
  @Test func damagedPacketsAreCounted() throws {
    let heard = scene {
      let name: [UInt8] = [6, 9] + Array("Lamp1".utf8)
      $0.advertise([0x40, 13] + $0.octets(0xC0FF_EE00_0001) + name)
      $0.advertise([0x40, 13] + $0.octets(0xC0FF_EE00_0401) + [6, 9] + Array("Lbmp1".utf8), isRight: false)
      $0.advertise([0x40, 13] + $0.octets(0xC0FF_EE00_0001) + [6, 9] + Array("L!mp1".utf8), isRight: false)
    }
    let short = try lines(heard)
    #expect(short.count { $0.contains("advertises") } == 1 && !short.contains { $0.contains("mp1") && !$0.contains("Lamp1") }, "\(short)")
    #expect(short.contains { $0.contains("2 packets with a wrong CRC (--ll)") }, "\(short)")
    let all = try lines(heard, showsLinkLayer: true)
    #expect(all.count { $0.contains("wrong CRC     ADV_IND") } == 2 && !all.contains { $0.contains("00:04:01") }, "\(all)")
  }

  @Test func aRetransmissionSaysOfWhichPacket() throws {
    let access: UInt32 = 0x5065_5D33
    let heard = scene {
      $0.sniffConnection()
      let pdu: [UInt8] = [2, 7, 3, 0, 4, 0, 0x02, 23, 0]
      for _ in 0..<3 { $0.sniffed(access, pdu, .central) }
    }
    let again = try heard.played().rows.filter { $0.flags.contains(.retransmission) }
    #expect(again.map(\.frame) == [3, 4])
    #expect(again.map(\.requestFrame) == [2, 2])
    #expect(try lines(heard, showsLinkLayer: true).count { $0.contains("LL Data PDU  retransmission of #2") } == 2)
    let written = Written()
    let out = TextBuffer(to: written)
    _ = try Timeline(SceneSource(heard)).run(CaptureFacts(name: "scene", title: "scene"), to: NDJSONPrinter(out))
    try out.flush()
    let rows = String(decoding: written.bytes, as: UTF8.self)
    #expect(rows.contains("\"retransmission_of\":2"))
    #expect(!rows.contains("\"request_frame\":2,"))
  }

  @Test func whatARequestToConnectBreaksIsCited() throws {
    func text(_ hop: UInt8, _ channels: UInt8) throws -> String {
      try lines(scene { $0.sniffConnection(hop: hop, channels: channels) }).first { $0.contains("violates the specification") } ?? ""
    }
    #expect(try text(5, 0xFF) == "")
    #expect(try text(0, 0xFF).contains("hop 0 (5 to 16)"))
    #expect(try text(7, 0).contains("channel map with 0 channels (at least 2)"))
    #expect(try !text(7, 0).contains("hop"))
  }

  // MARK: Names in machine-readable rows

  /// The name of a vendor's event depends on its first byte, and that of a vendor's command on the controller, whose manufacturer is known later.
  @Test func rowsOfAVendorHaveTheirOwnNames() throws {
    let heard = scene {
      $0.command(0xFC01, [0, 0])
      $0.event(0x0E, [1, 0x01, 0x10, 0, 12, 0, 1, 12, 2, 0, 0, 0x21])
      $0.command(0xFC01, [0, 0])
      $0.event(0xFF, [0x08, 0x34, 0x12, 5, 7])
      $0.event(0xFF, [0x02, 1])
    }
    let names = try heard.played().rows.map { Dissection.name($0).description }
    #expect(names[3] != names[4], "\(names)")
    for makeSink in [{ NDJSONPrinter($0) }, { TimelineCSV($0) }] as [(TextBuffer) -> any EventSink] {
      let written = Written()
      let out = TextBuffer(to: written)
      _ = try Timeline(SceneSource(heard)).run(CaptureFacts(name: "scene", title: "scene"), to: makeSink(out))
      try out.flush()
      let lines = String(decoding: written.bytes, as: UTF8.self).split { $0.isNewline }.filter { $0.contains("hci.") }
      #expect(lines.count == names.count)
      for (line, name) in zip(lines, names) { #expect(line.contains("\"\(name)\"") || line.contains(",\(name),"), "\(line)") }
    }
  }

  // MARK: Parts of messages

  @Test func partsOfAMessageOfAVCTPSayWhereItIsWhole() throws {
    let heard = scene {
      $0.event(0x03, [0] + $0.little($0.handle) + $0.octets(0x0000_5e00_5331) + [1, 0])
      $0.pdu(.sent, 1, [0x02, 1, 4, 0, 0x17, 0, 0x40, 0])
      $0.pdu(.received, 1, [0x03, 1, 8, 0, 0x41, 0, 0x40, 0, 0, 0, 0, 0])
      let frame: [UInt8] = [12, 0x48, 0, 0, 0x19, 0x58, 0x20, 0, 0, 14, 1, 0, 0, 0, 1, 0, 106, 0, 5] + Array("Hello".utf8)
      $0.pdu(.received, 0x40, [0x56, 3, 0x11, 0x0E] + frame.prefix(10))
      $0.pdu(.received, 0x40, [0x5A] + frame[10..<20])
      $0.pdu(.received, 0x40, [0x5E] + frame[20...])
      // A start that is followed by another message, and a message without its end.
      $0.pdu(.received, 0x40, [0x66, 2, 0x11, 0x0E] + frame.prefix(10))
      $0.pdu(.received, 0x40, [0x7E, 1, 2])
    }
    let described = try lines(heard)
    func row(_ number: Int) -> String { described.first { $0.hasPrefix("    \(number) ") } ?? "" }
    #expect(
      row(4).hasSuffix("part          AVCTP               start packet, 1 of 3, response, transaction 5, a/v remote control, whole in #6"),
      "\(row(4))")
    #expect(row(5).hasSuffix("continue packet, 2 of 3, response, transaction 5, whole in #6"), "\(row(5))")
    #expect(row(6).hasSuffix("answer        AVRCP               Get Element Attributes: title \"Hello\""), "\(row(6))")
    #expect(row(7).hasSuffix("start packet, 1 of 2, response, transaction 6, a/v remote control"), "\(row(7))")
    #expect(row(8).hasSuffix("end packet without a start, response, transaction 7"), "\(row(8))")
  }

  private func unit(_ scene: inout Scene, _ bytes: [UInt8]) { scene.pdu(.received, 0x41, scene.little(UInt16(bytes.count)) + bytes) }

  @Test func fragmentsOfADatagramSayWhereItIsWhole() throws {
    let packet: [UInt8] = [0x7E, 0x33, 0xF0, 0x4E, 0x21, 0x4E, 0x22, 0xAB, 0xCD] + [UInt8](repeating: 7, count: 32)
    let heard = scene {
      $0.connect()
      $0.pdu(.sent, 5, [20, 1, 10, 0, 0x23, 0, 0x41, 0, 0, 5, 230, 0, 10, 0])
      $0.pdu(.received, 5, [21, 1, 10, 0, 0x45, 0, 0, 5, 230, 0, 10, 0, 0, 0])
      unit(&$0, [0xC0, 160, 0x12, 0x34] + packet)
      unit(&$0, [0xE0, 160, 0x12, 0x34, 10] + [UInt8](repeating: 8, count: 40))
      unit(&$0, [0xE0, 160, 0x12, 0x34, 15] + [UInt8](repeating: 9, count: 40))
      // One packet is missing, so that the unit is incomplete.
      unit(&$0, [0xC0, 160, 0x56, 0x78] + packet)
      unit(&$0, [0xE0, 160, 0x56, 0x78, 10] + [UInt8](repeating: 8, count: 32))
      unit(&$0, [0xE0, 160, 0x56, 0x78, 15] + [UInt8](repeating: 9, count: 40))
    }
    let described = try lines(heard)
    func row(_ number: Int) -> String { described.first { $0.hasPrefix("    \(number) ") } ?? "" }
    #expect(row(4).hasSuffix("fragment, 41 bytes of datagram 0x1234 (160 bytes), offset 0, whole in #6"), "\(row(4))")
    #expect(row(5).hasSuffix("fragment, 40 bytes of datagram 0x1234 (160 bytes), offset 80, whole in #6"), "\(row(5))")
    #expect(row(6).contains("UDP") && row(6).contains("datagram size 160"), "\(row(6))")
    #expect(row(7).hasSuffix("datagram 0x5678 (160 bytes), offset 0"), "\(row(7))")
    #expect(row(9).hasSuffix("fragment, 40 bytes of datagram 0x5678 (160 bytes), offset 120"), "\(row(9))")
  }

  // MARK: Connections

  @Test func aSecondDisconnectionOfTheSameConnectionIsNoRow() throws {
    let twice = scene {
      $0.connect()
      $0.disconnect()
      $0.disconnect()
    }
    #expect(try lines(twice).count { $0.contains("disconnected") } == 1)
    #expect(try lines(twice, isVerbose: true).contains { $0.contains("Disconnection Complete") })
    let again = scene {
      $0.connect()
      $0.disconnect()
      $0.connect()
      $0.disconnect()
    }
    #expect(try lines(again).count { $0.contains("disconnected") } == 2)
    // The disconnection of a connection that is older than the capture.
    #expect(try lines(scene { $0.disconnect() }).count { $0.contains("disconnected") } == 1)
    let before = scene {
      $0.disconnect()
      $0.connect()
      $0.disconnect()
    }
    #expect(try lines(before).count { $0.contains("disconnected") } == 2)
    // Another reason is another event.
    let other = scene {
      $0.connect()
      $0.disconnect()
      $0.disconnect(0x08)
    }
    #expect(try lines(other).count { $0.contains("disconnected") } == 2)
  }

  @Test func intervalsAreExact() {
    func text(_ micros: Int64) -> String { TextBuffer.words { Clock().interval(micros, to: $0) } }
    #expect(text(48_750) == "48.75 ms")
    #expect(text(7_500) == "7.5 ms")
    #expect(text(30_000) == "30 ms")
    #expect(text(1_281_250) == "1.28125 s")
    #expect(text(4_000_000) == "4 s")
    #expect(text(1250) == "1.25 ms")
    #expect(text(0) == "0 ms")
  }

  @Test func keysAreShort() throws {
    let key = [UInt8](0x10...0x1F)
    let request = scene { $0.command(0x040B, $0.octets(0xc0ff_ee00_0001) + key) }
    let short = try lines(request)
    #expect(short.contains { $0.contains("link key 10 11 … (+14)") })
    #expect(!short.contains { $0.contains("12 13") })
    #expect(try lines(request, isVerbose: true).contains { $0.contains("link key 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f") })
  }

  // MARK: Values

  @Test func aLongReadIsOneRow() throws {
    let value = [UInt8](0...54)
    func read(endsWithError: Bool) -> Scene {
      scene {
        $0.connect()
        $0.discover(0x2A00, at: 3)
        $0.send([0x0A, 3, 0])
        $0.receive([0x0B] + value[..<22])
        $0.send([0x0C, 3, 0, 22, 0])
        $0.receive([0x0D] + value[22..<44])
        $0.send([0x0C, 3, 0, 44, 0])
        if endsWithError { $0.receive([0x01, 0x0C, 3, 0, 0x07]) } else { $0.receive([0x0D] + value[44...]) }
        $0.send([0x52, 3, 0, 1])
      }
    }
    for (isError, count) in [(false, 55), (true, 44)] {
      let lines = try lines(read(endsWithError: isError))
      let rows = lines.filter { $0.contains("read ") }
      #expect(rows.count == 1, "\(lines)")
      #expect(rows.first?.contains("00 01 02 03") == true && rows.first?.contains("\(count) bytes put together") == true, "\(rows)")
      #expect(!lines.contains { $0.contains("✗") }, "\(lines)")
      // Verbose output has each part.
      let all = try self.lines(read(endsWithError: isError), isVerbose: true)
      #expect(frames(all) == Array(1...14))
    }
  }

  @Test func aFoldedDiscoveryStandsInTheOrderOfFrames() throws {
    let address: UInt64 = 0xc0ff_ee00_0009
    for (width, chunk) in [(nil, 1 << 16), (80, 1 << 16), (nil, 1)] as [(Int?, Int)] {
      let mixed = scene {
        $0.connect()
        $0.send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
        $0.receive([0x11, 6, 1, 0, 9, 0, 0x0F, 0x18])
        // Advertisements come before the discovery's row is written.
        for number: UInt8 in 0..<3 {
          $0.event(0x3E, [2, 1, 0, 1] + $0.octets(address + UInt64(number)) + [3, 2, 1, 6, 0xC8])
        }
        $0.send([0x52, 3, 0, 1])
      }
      let lines = try lines(mixed, width: width, chunk: chunk)
      let frames = frames(lines)
      #expect(frames == frames.sorted(), "\(lines)")
      #expect(frames.contains(3) && frames.contains(4) && frames.contains(7), "\(lines)")
      #expect(lines.contains { $0.contains("discovered") })
    }
  }

  /// Both sides are servers: each has its own attributes at the same handles.
  @Test func discoveriesOfBothSidesAreSeparate() throws {
    let both = scene {
      $0.connect()
      $0.send([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
      $0.receive([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
      $0.receive([0x09, 7, 2, 0, 0x12, 3, 0, 0x19, 0x2A])
      $0.send([0x09, 7, 2, 0, 0x02, 3, 0, 0x00, 0x2A])
      // All attributes, of which one is a descriptor.
      $0.send([0x04, 1, 0, 9, 0])
      $0.receive([0x05, 1, 2, 0, 3, 0x28, 3, 0, 0x19, 0x2A, 4, 0, 2, 0x29])
      $0.receive([0x0A, 3, 0])
      $0.send([0x0B, 0x41])
      $0.send([0x52, 3, 0, 1])
    }
    let lines = try lines(both)
    let ours = try #require(lines.firstIndex { $0.contains("← ") && $0.contains("discovered") }, "\(lines)")
    let theirs = try #require(lines.firstIndex { $0.contains("→ ") && $0.contains("discovered") }, "\(lines)")
    #expect(lines[ours].contains("1 characteristic, 1 descriptor in") && lines[ours + 1].contains("Battery Level 0x0003"), "\(lines)")
    #expect(lines[theirs].contains("1 characteristic in") && lines[theirs + 1].contains("Device Name 0x0003"), "\(lines)")
    #expect(lines.count { $0.contains("discovered") } == 2, "\(lines)")
  }

  @Test func writesOfAKindAreFolded() throws {
    let polled = scene {
      $0.connect()
      $0.step = 500_000
      for number: UInt8 in 0..<40 {
        // A counter, and a checksum over it.
        $0.send([0x12, 3, 0, 0xAA, 0x07, number, 0, 0, 0, 0xB1 &+ number])
        $0.receive([0x13])
      }
    }
    let lines = try lines(polled)
    let fold = try #require(lines.first { $0.contains("⟳") })
    #expect(fold.contains("more every 1.0 s") && fold.contains("byte 2 ") && fold.contains("byte 6 "), "\(fold)")
    #expect(lines.count < 12, "\(lines)")
    #expect(frames(try self.lines(polled, isVerbose: true)) == Array(1...81))
  }

  @Test func aTransferWithAcknowledgementsIsFolded() throws {
    let block = (0..<60).map { number in (0..<20).map { UInt8(truncatingIfNeeded: ($0 &* 37 &+ number &* 91) ^ (number &* 13)) } }
    let sent = scene {
      $0.connect()
      for part in block {
        $0.send([0x52, 3, 0] + part)
        $0.receive([0x1B, 6, 0, 0x14, 0])
      }
    }
    let lines = try lines(sent)
    let fold = try #require(lines.first { $0.contains("⟳") })
    #expect(fold.contains("continues") && fold.contains("more times in") && fold.contains("20 bytes → notify 0x0006 2 bytes"), "\(fold)")
    #expect(lines.count < 40)
    // Short values are shown as commands, one by one.
    let short = scene {
      $0.connect()
      for piece in block { $0.send([0x52, 3, 0] + piece.prefix(8)) }
    }
    #expect(try !self.lines(short).contains { $0.contains("⟳") })
  }
}
