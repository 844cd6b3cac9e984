import CaptureScenes
import Captures
import Memory
import Testing

@testable import Conversations

/// Matching of requests and responses in known cases that other analyzers get wrong, one test each.
@Suite struct PeerCaseTests {
  /// Discovers a characteristic with a UUID of 128 bits (little-endian) at 0x19.
  private func discover(_ scene: inout Scene, _ uuid: [UInt8]) {
    scene.send([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
    scene.receive([0x09, 21, 0x18, 0, 0x08, 0x19, 0] + uuid)
  }

  /// Two writes; the response belongs to the second.
  private func secondIsAnswered(_ scene: inout Scene, first: [UInt8], second: [UInt8]) throws {
    let stale = scene.send(first)
    let staleAnswer = scene.receive([0x13])
    let write = scene.send(second)
    let answer = scene.receive([0x13])
    let played = try scene.played()
    #expect(played[staleAnswer]?.requestFrame == stale)
    #expect(played[answer]?.requestFrame == write)
    #expect(played[answer]?.attributeHandle == UInt16(second[1]) | UInt16(second[2]) << 8)
    #expect(played[write]?.responseFrame == answer)
    #expect(played.findings.isEmpty)
  }

  /// tshark never records a Write Request to the Nordic UART's RX characteristic.
  @Test func aWriteToTheNordicUART() throws {
    var scene = Scene()
    scene.connect()
    discover(&scene, [0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5, 0x02, 0, 0x40, 0x6E])
    try secondIsAnswered(&scene, first: [0x12, 0x30, 0, 1], second: [0x12, 0x19, 0, 0x68, 0x69])
  }

  /// The same for a write to the control point of Nordic's firmware update.
  @Test func aWriteToTheNordicFirmwareUpdate() throws {
    var scene = Scene()
    scene.connect()
    discover(&scene, [0x23, 0xD1, 0xBC, 0xEA, 0x5F, 0x78, 0x23, 0x15, 0xDE, 0xEF, 0x12, 0x12, 0x31, 0x15, 0, 0])
    try secondIsAnswered(&scene, first: [0x12, 0x30, 0, 1], second: [0x12, 0x19, 0, 0x01, 0x04])
  }

  /// The same for a write whose value is too short for a characteristic of the Bluetooth SIG.
  @Test func aValueTooShortForItsCharacteristic() throws {
    var scene = Scene()
    scene.connect()
    // Current Time has ten bytes.
    scene.discover(0x2A2B, at: 0x19, service: 0x1805, properties: 0x0A)
    try secondIsAnswered(&scene, first: [0x12, 0x30, 0, 1], second: [0x12, 0x19, 0, 7])
  }

  /// tshark matches a response with the last request of any connection.
  @Test func twoConnectionsThatAskAtTheSameTime() throws {
    var scene = Scene()
    scene.connect(0xc0ff_ee00_0001)
    scene.handle = 0x41
    scene.connect(0xc0ff_ee00_0002)
    scene.handle = 0x40
    let first = scene.send([0x12, 0x2A, 0, 1])
    scene.handle = 0x41
    let second = scene.send([0x12, 0x0C, 0, 1])
    scene.handle = 0x40
    let firstAnswer = scene.receive([0x13])
    scene.handle = 0x41
    let secondAnswer = scene.receive([0x13])
    let played = try scene.played()
    #expect(played[firstAnswer]?.requestFrame == first && played[firstAnswer]?.attributeHandle == 0x2A)
    #expect(played[secondAnswer]?.requestFrame == second && played[secondAnswer]?.attributeHandle == 0x0C)
    #expect(played.findings.isEmpty)
  }

  /// tshark has one table for all peers of an adapter: it shows a vendor's value of one as the other's battery level.
  @Test func whatOnePeerHasIsNotTheOthers() throws {
    var scene = Scene()
    scene.connect(0xc0ff_ee00_0001)
    scene.discover(0x2A19, at: 0x19)
    scene.handle = 0x41
    scene.connect(0xc0ff_ee00_0002)
    let value = scene.receive([0x1B, 0x19, 0, 0x76])
    let played = try scene.played()
    #expect(played.uuid(value).isEmpty)
    #expect(played.source(value) == .none)
  }

  /// tshark shows no value for an Execute Write to a vendor's characteristic.
  @Test func aLongWriteToAVendorsCharacteristic() throws {
    var scene = Scene()
    scene.connect()
    discover(&scene, [0x1b, 0xc5, 0xd5, 0xa5, 0x02, 0, 0x46, 0x90, 0xe3, 0x11, 0x8d, 0xaa, 0x76, 0, 0xf9, 0xb5])
    for (offset, part) in [(UInt8(0), [UInt8](0..<18)), (18, [UInt8](18..<30))] {
      scene.send([0x16, 0x19, 0, offset, 0] + part)
      scene.receive([0x17, 0x19, 0, offset, 0] + part)
    }
    let execute = scene.send([0x18, 1])
    let response = scene.receive([0x19])
    let played = try scene.played()
    #expect(played[response]?.requestFrame == execute)
    #expect(played[response].map { Array($0.assembled.buffer) } == [UInt8](0..<30))
    #expect(played.values == [[UInt8](0..<30)])
  }

  /// An error response belongs to the request that it names, not to the previous one.
  @Test func anErrorAfterARequestThatWasNeverAnswered() throws {
    var scene = Scene()
    scene.connect()
    let first = scene.send([0x0A, 0x19, 0])
    let second = scene.send([0x12, 0x1B, 0, 1])
    let error = scene.receive([0x01, 0x12, 0x1B, 0, 0x03])
    let played = try scene.played()
    #expect(played[error]?.requestFrame == second)
    #expect(played[error]?.attributeHandle == 0x1B)
    #expect(played.found == [.requestOverlaps(frame: first, opcode: 0x0A)])
  }

  /// A guess is marked as one: a write of 01 00 implies that the attribute before it notifies.
  @Test func aGuessIsMarked() throws {
    var scene = Scene()
    scene.connect()
    let write = scene.send([0x12, 0x1A, 0, 1, 0])
    scene.receive([0x13])
    scene.receive([0x1B, 0x19, 0, 80])
    let played = try scene.played()
    #expect(played[write]?.meaning == .subscribe)
    #expect(played[write]?.uuidSource == .guess)
    // Similar values are not taken for it.
    var other = Scene()
    other.connect()
    let value = other.send([0x12, 0x1A, 0, 1, 0, 0])
    #expect(try other.played()[value]?.meaning == .write)
  }
}
