import Bluetooth
import CaptureScenes
import Captures
import Conversations
import Testing

@testable import Analysis
@testable import Output

/// Keyboards and mice: reports are decoded by their device's report map, requests are matched with their responses.
@Suite struct KeyboardTests {
  @Test func requestsAreAnswered() throws {
    var scene = Scene()
    scene.keyboard()
    let request = scene.pdu(.sent, 0x53, [0x41, 1])
    let answer = scene.pdu(.received, 0x43, [0xA1, 1, 0, 0, 4, 0, 0, 0, 0, 0])
    let wrong = scene.pdu(.sent, 0x53, [0x43, 9])
    let refused = scene.pdu(.received, 0x43, [0x02])
    let rows = try scene.played()
    #expect(rows[answer]?.requestFrame == request && rows[answer]?.reportChange?.keys == 1)
    #expect(rows[refused]?.requestFrame == wrong && rows[refused]?.status == 2)
    #expect(try Status.name(#require(rows[refused])).description == "invalid report ID")
  }

  /// Rows of requests show what is read or set according to the report map, and the handshake's result.
  @Test func theReportMapDeterminesRequests() throws {
    var scene = Scene()
    scene.keyboard()
    func exchange(_ request: [UInt8], _ answer: [UInt8]) {
      scene.pdu(.sent, 0x53, request)
      scene.pdu(.received, 0x43, answer)
    }
    exchange([0x52, 1, 0x02], [0x00])
    exchange([0x52, 1, 0x01], [0x04])
    exchange([0x52, 7, 0x01], [0x02])
    exchange([0x41, 1], [0xA1, 1, 0x02, 0, 4, 0, 0, 0, 0, 0])
    exchange([0x43, 9], [0x02])
    exchange([0x60], [0xA0, 1])
    exchange([0x80], [0xA0, 10])
    exchange([0x90, 125], [0x00])
    exchange([0x70], [0x00])
    scene.pdu(.sent, 0x53, [0x13])
    scene.pdu(.sent, 0x55, [0xA2, 1, 0x03])
    let operations = try OperationCollector.run(scene).filter { $0.layer == .hid }
    #expect(operations.map(\.kind) == [.write, .write, .write, .read, .read, .read, .read, .write, .write, .control, .writeCommand])
    #expect(
      operations.map(\.detail) == [
        "output report 1: Caps Lock", "output report 1: Num Lock", "output report: 07 01", "input report 1: Left Shift + a",
        "feature report 9", "protocol: report", "idle rate: 40 ms", "idle rate 500 ms", "protocol boot", "suspend",
        "output report 1: Num Lock + Caps Lock",
      ])
    #expect(
      operations.map(\.ending) == [.succeeded, .failed, .failed, .succeeded, .failed] + [
        .succeeded, .succeeded, .succeeded, .succeeded, .succeeded, .succeeded,
      ])
    #expect(operations.map(\.statusName).prefix(3) == ["ok", "invalid parameter", "invalid report ID"])
    #expect(operations.first?.value == [1, 2])
  }

  @Test func reportsAreComparedWithTheOneBefore() throws {
    var scene = Scene()
    scene.keyboard()
    let press = scene.typed([0x02, 0, 0x0B, 0, 0, 0, 0, 0])
    let second = scene.typed([0x02, 0, 0x0B, 0x0C, 0, 0, 0, 0])
    let release = scene.typed([UInt8](repeating: 0, count: 8))
    let move = scene.typed([0, 5, 0xFB], number: 2)
    let click = scene.typed([1, 0, 0], number: 2)
    let rows = try scene.played()
    let change = { (frame: Int) in rows[frame]?.reportChange }
    #expect(change(press)?.keys == 2 && change(press)?.released == 0)
    #expect(change(second)?.keys == 1 && change(second)?.released == 0)
    #expect(change(release)?.keys == 0 && change(release)?.released == 3)
    #expect(change(move)?.moves == 2 && change(move)?.keys == 0)
    #expect(change(click)?.buttons == 1 && change(click)?.moves == 0)
    let input = try OperationCollector.run(scene).filter { $0.kind == .input }
    #expect(input.count == 1 && input.first?.count == 5)
    #expect(input.first?.numbers[0] == 3 && input.first?.numbers[1] == 1 && input.first?.numbers[2] == 1)
  }

  /// The boot protocol's formats apply from the response to Set Protocol on.
  @Test func bootProtocolHasItsOwnFormats() throws {
    var scene = Scene()
    // A report map without a keyboard.
    scene.keyboard([0x05, 0x01, 0x09, 0x02, 0xA1, 0x01, 0x85, 0x02, 0x09, 0x30, 0x75, 0x08, 0x95, 0x01, 0x81, 0x06, 0xC0])
    let before = scene.typed([0, 0, 4, 0, 0, 0, 0, 0])
    scene.pdu(.sent, 0x53, [0x70])
    let between = scene.typed([0, 0, 4, 0, 0, 0, 0, 0])
    scene.pdu(.received, 0x43, [0x00])
    let boot = scene.typed([0, 0, 4, 0, 0, 0, 0, 0])
    let rows = try scene.played()
    #expect(rows[before]?.reportDescription == nil && rows[between]?.reportDescription == nil)
    #expect(rows[boot]?.reportChange?.keys == 1)
  }

  @Test func valuesOfHOGPAreReports() throws {
    var scene = Scene()
    scene.hogp()
    let press = scene.receive([0x1B, 0x32, 0, 0, 0, 0x0B, 0, 0, 0, 0, 0])
    let release = scene.receive([0x1B, 0x32, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    for survey in [true, false] {
      let rows = try scene.played(withSurvey: survey)
      #expect(rows[press]?.reportChange?.keys == 1)
      #expect(rows[release]?.reportChange?.released == 1)
    }
    // Without a report map values are not decoded.
    var bare = Scene()
    bare.hogp(nil)
    let value = bare.receive([0x1B, 0x32, 0, 0, 0, 0x0B, 0, 0, 0, 0, 0])
    #expect(try bare.played()[value]?.reportDescription == nil)
  }

  /// A capture can have more report maps than are kept.
  @Test func mapsAreBounded() throws {
    var scene = Scene()
    scene.step = 10
    for device in 0..<300 {
      scene.handle = UInt16(device + 1)
      scene.hogp()
    }
    #expect(try scene.played().rows.count > 300)
  }
}
