import Bluetooth
import CaptureScenes
import Captures
import Conversations
import Foundation
@_spi(Pipeline) import Profiles
import Memory
import Testing

@_spi(Pipeline) @testable import Analysis
@testable import Output

/// Services on RFCOMM channels: the protocol of their data, and the matching of requests and responses.
@Suite struct ServiceTests {
  /// A session that the capture shows from its start; data link 8, server channel 4.
  private func scene() -> Scene {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5e00_5331) + [1, 0])
    scene.pdu(.sent, 1, [0x02, 1, 4, 0, 3, 0, 0x41, 0])
    scene.pdu(.received, 1, [0x03, 1, 8, 0, 0x51, 0, 0x41, 0, 0, 0, 0, 0])
    return scene
  }

  private func uih(_ data: [UInt8]) -> [UInt8] {
    [0x23, 0xEF] + (data.count < 128 ? [UInt8(data.count << 1 | 1)] : [UInt8(truncatingIfNeeded: data.count << 1), UInt8(data.count >> 7)])
      + data
      + [0x9A]
  }

  @Test func linesAreJoinedAndAnswered() throws {
    var scene = scene()
    let request = scene.pdu(.sent, 0x51, uih(Array("AT+COPS?\r".utf8)))
    let part = scene.pdu(.received, 0x41, uih(Array("\r\n+COPS: 0,0,\"Exam".utf8)))
    let described = scene.pdu(.received, 0x41, uih(Array("ple\"\r\n".utf8)))
    let final = scene.pdu(.received, 0x41, uih(Array("\r\nOK\r\n".utf8)))
    let wrong = scene.pdu(.sent, 0x51, uih(Array("AT+CHLD=7\r".utf8)))
    let error = scene.pdu(.received, 0x41, uih(Array("\r\n+CME ERROR: 3\r\n".utf8)))
    let ring = scene.pdu(.received, 0x41, uih(Array("\r\nRING\r\n".utf8)))
    let rows = try scene.played()
    #expect(rows[request]?.layer == .hfp && rows[request]?.flags.contains(.likely) == true)
    #expect(rows[part]?.layer == .hfp && rows[part].map { $0.opcode & HFP.part != 0 } == true)
    let whole = try #require(rows[described])
    #expect(whole.requestFrame == request && whole.opcode & RFCOMM.joined != 0)
    #expect(
      unsafe String(decoding: whole.channelData?.data.buffer ?? UnsafeRawBufferPointer(start: nil, count: 0), as: UTF8.self)
        == "\r\n+COPS: 0,0,\"Example\"\r\n")
    #expect(rows[final]?.requestFrame == request && rows[final]?.status == 0)
    #expect(rows[error]?.requestFrame == wrong && rows[error]?.status == 0x83)
    #expect(try Status.name(#require(rows[error])).description == "operation not allowed")
    #expect(rows[ring]?.requestFrame == 0)
  }

  /// The record of Hands-Free at channel 3 of RFCOMM.
  private static let handsFree: [UInt8] = [
    0x35, 27, 0x35, 25, 9, 0, 1, 0x35, 3, 0x19, 0x11, 0x1E, 9, 0, 4, 0x35, 12, 0x35, 3, 0x19, 1, 0, 0x35, 5, 0x19, 0, 3, 8, 3,
  ]

  /// A service search is one operation with all parts of its response, and shows the services found.
  @Test func aSearchIsOneOperation() throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5e00_5331) + [1, 0])
    scene.pdu(.sent, 1, [0x02, 1, 4, 0, 1, 0, 0x40, 0])
    scene.pdu(.received, 1, [0x03, 1, 8, 0, 0x51, 0, 0x40, 0, 0, 0, 0, 0])
    // In two parts.
    let record = Self.handsFree
    let question: [UInt8] = [0x35, 3, 0x19, 0x11, 0x1E, 0xFF, 0xFF, 0x35, 5, 0x0A, 0, 0, 0xFF, 0xFF]
    let first = scene.pdu(.sent, 0x51, [6, 0, 1, 0, UInt8(question.count + 1)] + question + [0])
    scene.pdu(.received, 0x40, [7, 0, 1, 0, 15, 0, 10] + record[..<10] + [2, 0, 10])
    scene.pdu(.sent, 0x51, [6, 0, 2, 0, UInt8(question.count + 3)] + question + [2, 0, 10])
    let last = scene.pdu(.received, 0x40, [7, 0, 2, 0, UInt8(record.count - 10 + 3), 0, UInt8(record.count - 10)] + record[10...] + [0])
    // A rejected search, and one without a response.
    scene.pdu(.sent, 0x51, [6, 0, 3, 0, UInt8(question.count + 1)] + question + [0])
    scene.pdu(.received, 0x40, [1, 0, 3, 0, 2, 0, 3])
    scene.pdu(.sent, 0x51, [6, 0, 4, 0, UInt8(question.count + 1)] + question + [0])
    scene.event(0x05, [0] + scene.little(scene.handle) + [0x13])
    let searches = try OperationCollector.run(scene).filter { $0.kind == .discovery }
    #expect(searches.map(\.ending) == [.succeeded, .failed, .unanswered])
    let search = try #require(searches.first)
    #expect(search.frame == first && search.endFrame == last && search.frameCount == 4 && !search.isIncoming)
    #expect(search.detail == "Hands-Free at rfcomm 3 in 2 requests")
    #expect(Status.failure(searches[1].status, searches[1].statusDomain).description == "invalid request syntax")
  }

  /// The service of a channel is as certain by this host's own record as by one of the peer: filters know it, and the side that offers it.
  @Test func thisHostsRecordsTellTheProtocolOfItsChannels() throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5e00_5331) + [1, 0])
    scene.pdu(.received, 1, [0x02, 1, 4, 0, 1, 0, 0x40, 0])
    scene.pdu(.sent, 1, [0x03, 1, 8, 0, 0x51, 0, 0x40, 0, 0, 0, 0, 0])
    let record = Self.handsFree
    scene.pdu(.sent, 0x40, [7, 0, 1, 0, UInt8(record.count + 3), 0, UInt8(record.count)] + record + [0])
    scene.pdu(.received, 1, [0x02, 2, 4, 0, 3, 0, 0x42, 0])
    scene.pdu(.sent, 1, [0x03, 2, 8, 0, 0x53, 0, 0x42, 0, 0, 0, 0, 0])
    scene.pdu(.received, 0x53, [0x03, 0x3F, 1, 0x1C])
    let command = scene.pdu(.sent, 0x42, [0x19, 0xEF, 0x15] + Array("AT+BRSF=3\r".utf8) + [0x9A])
    let frames: (String) throws -> [Int] = { expression in
      var options = Timeline.Options()
      options.filter = try Filter(expression)
      let collector = Collector()
      _ = try Timeline(SceneSource(scene), options: options).run(CaptureFacts(name: "scene", title: "scene"), to: collector)
      return collector.rows.keys.sorted()
    }
    #expect(try frames("bthfp") == [command])
    // The host sends: it is the hands-free side.
    #expect(try frames("bthfp.role == 2") == [command])
    #expect(try scene.played()[command]?.flags.contains(.likely) == false)
  }

  /// What MAP and PBAP transferred is told by the parameters of requests and responses.
  @Test func operationsTellWhatObjectsSay() throws {
    var scene = scene()
    // A connection to MAP's message access server; then a registration for notifications, and the size of a listing.
    let target: [UInt8] = [0x46, 0, 0x13, 0xBB, 0x58, 0x2B, 0x40, 0x42, 0x0C, 0x11, 0xDB, 0xB0, 0xDE, 8, 0, 0x20, 0x0C, 0x9A, 0x66]
    scene.pdu(.sent, 0x51, uih([0x80, 0, 26, 0x10, 0, 0x10, 0] + target))
    scene.pdu(.received, 0x41, uih([0xA0, 0, 7, 0x10, 0, 0x10, 0]))
    scene.pdu(.sent, 0x51, uih([0x82, 0, 13, 0x4C, 0, 6, 0x0E, 1, 1, 0x49, 0, 4, 0x30]))
    scene.pdu(.received, 0x41, uih([0xA0, 0, 3]))
    scene.pdu(.sent, 0x51, uih([0x83, 0, 10, 0x4C, 0, 7, 1, 2, 0, 0]))
    scene.pdu(.received, 0x41, uih([0xA0, 0, 10, 0x4C, 0, 7, 0x12, 2, 0, 7]))
    let operations = try OperationCollector.run(scene).filter { $0.layer == .obex }
    try #require(operations.map(\.kind) == [.session, .put, .get])
    #expect(operations[1].detail.hasSuffix("notification status on (0x01)"), "\(operations[1].detail)")
    #expect(operations[2].detail.hasSuffix("messages listing size 7"), "\(operations[2].detail)")
  }

  /// A record with several service classes matches a profile by any of them: the first is often a UUID of the maker.
  @Test func aProfileIsFoundByAnyServiceClass() throws {
    var scene = scene()
    scene.event(0x07, [0] + scene.octets(0x0000_5e00_5331) + Array("Pebble 1234".utf8) + [UInt8](repeating: 0, count: 237))
    scene.pdu(.sent, 1, [0x02, 2, 4, 0, 1, 0, 0x42, 0])
    scene.pdu(.received, 1, [0x03, 2, 8, 0, 0x53, 0, 0x42, 0, 0, 0, 0, 0])
    let classes = [0x35, 20, 0x1C] + [UInt8](repeating: 0xDE, count: 16) + [0x19, 0x11, 1]
    let record = [0x35, 44, 0x35, 42, 9, 0, 1] + classes + [9, 0, 4, 0x35, 12, 0x35, 3, 0x19, 1, 0, 0x35, 5, 0x19, 0, 3, 8, 4]
    scene.pdu(.received, 0x42, [7, 0, 1, 0, UInt8(record.count + 3), 0, UInt8(record.count)] + record + [0])
    for _ in 0..<4 {
      scene.pdu(.sent, 0x51, uih(hex("000607d1000102030401")))
      scene.pdu(.received, 0x41, uih(hex("000507d10101020304")))
    }
    var options = Timeline.Options()
    options.profiles = try ProfileSet(builtin: true)
    let summary = Summary()
    _ = try Timeline(SceneSource(scene), options: options).run(CaptureFacts(name: "scene", title: "scene"), to: summary)
    #expect(summary.profiles.keys.sorted() == ["pebble"])
  }

  /// A printer's record names three channels; responses are matched by transaction ID, and the printer opens the notification channel.
  @Test func aPrinterHasThreeChannels() throws {
    var scene = Scene()
    scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5e00_5331) + [1, 0])
    func open(_ psm: UInt16, _ channel: UInt8, _ initiator: PacketDirection) {
      scene.pdu(initiator, 1, [0x02, channel, 4, 0] + scene.little(psm) + [channel, 0])
      scene.pdu(initiator == .sent ? .received : .sent, 1, [0x03, channel, 8, 0, channel + 1, 0, channel, 0, 0, 0, 0, 0])
    }
    func element(_ parts: [UInt8]...) -> [UInt8] {
      let bytes = parts.flatMap { $0 }
      return [0x35, UInt8(bytes.count)] + bytes
    }
    func list(_ psm: UInt8, _ channel: UInt8) -> [UInt8] {
      element(element([0x19, 1, 0, 9, 0x10, psm]), element([0x19, 0, channel]))
    }
    func answer(_ record: [UInt8]) -> [UInt8] {
      let lists = element(record)
      return [7, 0, 1, 0, UInt8(lists.count + 3), 0, UInt8(lists.count)] + lists + [0]
    }
    open(1, 0x40, .sent)
    let service = [9, 0, 1] + element([0x19, 0x11, 0x26])
    scene.pdu(.received, 0x40, answer(element(service, [9, 0, 4], list(1, 0x12), [9, 0, 13], element(list(3, 0x14)))))
    scene.pdu(.sent, 0x41, answer(element([9, 0, 1], element([0x19, 0x11, 0x25]), [9, 0, 4], list(5, 0x16))))
    open(0x1001, 0x50, .sent)
    open(0x1003, 0x60, .sent)
    open(0x1005, 0x70, .received)
    let request = scene.pdu(.sent, 0x51, [0, 6, 0, 9, 0, 4, 0, 0, 0, 0xFF])
    let described = scene.pdu(.received, 0x50, [0, 6, 0, 9, 0, 8, 0, 1, 0, 6] + Array("MFG:".utf8))
    let printed = scene.pdu(.sent, 0x61, Array("Hello, paper".utf8))
    let noticed = scene.pdu(.received, 0x71, [0, 1, 0, 0, 0, 7])
    let rows = try scene.played()
    for frame in [request, described, printed, noticed] { #expect(rows[frame]?.layer == .hcrp) }
    #expect(rows[described]?.requestFrame == request)
    let names = [request, described, printed, noticed].map { rows[$0].map { Dissection.name($0).description } ?? "" }
    #expect(names == ["CR_Get1284ID Request", "CR_Get1284ID Response", "HCRP Data", "N_Notification"])
  }

  @Test func packetsAreCutFromFrames() throws {
    var scene = scene()
    let connect = hex("80 0007 10 00 03e8")
    let get = hex("83 000b 42 0008 782f7900 00")
    let answer: [UInt8] = [0xA0, 0, 0x46, 0x49, 0, 0x43] + [UInt8](repeating: 0x2E, count: 64)
    let first = scene.pdu(.sent, 0x51, uih(connect))
    let ok = scene.pdu(.received, 0x41, uih(hex("a0 0007 10 00 03e8")))
    // The request in three frames, the first with two bytes.
    let start = scene.pdu(.sent, 0x51, uih(Array(get[0..<2])))
    scene.pdu(.sent, 0x51, uih(Array(get[2..<5])))
    let request = scene.pdu(.sent, 0x51, uih(Array(get[5...])))
    // Two OBEX packets in a frame.
    let both = scene.pdu(.received, 0x41, uih(hex("90 0003") + answer))
    let rows = try scene.played()
    #expect(rows[first]?.layer == .obex && rows[ok]?.requestFrame == first)
    #expect(rows[start].map { $0.opcode & OBEX.part != 0 } == true)
    #expect(rows[request].map { $0.opcode & RFCOMM.joined != 0 && $0.opcode & OBEX.part == 0 } == true)
    let answers = rows.rows.filter { $0.frame == both }
    #expect(answers.count == 2)
    #expect(answers.allSatisfy { $0.layer == .obex && $0.requestFrame == request })
    #expect(answers.last?.status == 0 && answers.last?.flags.contains(.hasStatus) == true)
    // Behind the frame's header of three bytes.
    #expect(answers.last?.pdu.count == 3 + answer.count)
  }

  /// Data of an unknown protocol, and truncated data, are shown as RFCOMM data.
  @Test func otherDataStay() throws {
    var scene = scene()
    let plain = scene.pdu(.sent, 0x51, uih(Array("hello".utf8)))
    let later = scene.pdu(.sent, 0x51, uih(Array("AT+BRSF=3\r".utf8)))
    let rows = try scene.played()
    #expect(rows[plain]?.layer == .rfcomm)
    #expect(rows[later]?.layer == .hfp)
  }

  private func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { $0 != " " }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

/// Names of files to which objects are written.
@Suite struct ObjectFileTests {
  @Test(arguments: [
    ("telecom/pb.vcf", "x-bt/phonebook", "pb.vcf"), ("../../etc/passwd", "", "passwd"), ("..", "", "object"),
    ("...", "text/plain", "object.txt"),
    ("", "x-bt/MAP-msg-listing", "object.xml"), ("", "", "object"), ("a\\b:c", "", "b_c"), ("-rf", "", "rf"), (".bashrc", "", "bashrc"),
    ("ü.vcf", "", "__.vcf"), ("0400000000000001", "x-bt/message", "0400000000000001.bmsg"), ("x\n\u{1B}[2J", "", "x___2J"),
    (String(repeating: "a", count: 300), "", String(repeating: "a", count: 80)), ("/", "", "object"), ("con.", "", "con"),
  ])
  func namesAreHarmless(name: String, type: String, file: String) {
    #expect(ObjectFiles.fileName(Array(name.utf8), Array(type.utf8)) == file)
  }

  /// With more objects at a time than are kept, the oldest are dropped and counted, the others are written.
  @Test func moreAtATimeThanAreKept() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("btscribe-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try ObjectFiles(folder: folder.path)
    var scene = Scene()
    func uih(_ data: [UInt8]) -> [UInt8] { [0x23, 0xEF, UInt8(data.count << 1 | 1)] + data + [0x9A] }
    let transfers = ObjectFiles.maxOpen + 6
    for number in 0..<transfers {
      scene.handle = UInt16(number + 1)
      scene.event(0x03, [0] + scene.little(scene.handle) + scene.octets(0x0000_5E00_5300 + UInt64(number)) + [1, 0])
      scene.pdu(.sent, 1, [0x02, 1, 4, 0, 3, 0, 0x41, 0])
      scene.pdu(.received, 1, [0x03, 1, 8, 0, 0x51, 0, 0x41, 0, 0, 0, 0, 0])
      scene.pdu(.sent, 0x51, uih([0x80, 0, 7, 0x10, 0, 3, 0xE8]))
      scene.pdu(.received, 0x41, uih([0xA0, 0, 7, 0x10, 0, 3, 0xE8]))
      scene.pdu(.sent, 0x51, uih([0x82, 0, 10, 0x49, 0, 7, 0x61, 0x62, 0x63, 0x64]))
    }
    for number in 0..<transfers {
      scene.handle = UInt16(number + 1)
      scene.pdu(.received, 0x41, uih([0xA0, 0, 3]))
    }
    var options = Timeline.Options()
    options.observer = files
    _ = try Timeline(SceneSource(scene), options: options).run(CaptureFacts(name: "scene", title: "scene"), to: Collector())
    #expect(files.written == ObjectFiles.maxOpen)
    #expect(files.leftOut == 6)
  }
}
