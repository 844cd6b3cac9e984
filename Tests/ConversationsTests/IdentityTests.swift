import CaptureScenes
import Captures
import Memory
import Testing

@testable import Conversations

/// Private addresses and their identity addresses. The key and the address are those of the Core Specification (Vol 3, Part H, Appendix D.7).
@Suite struct IdentityTests {
  static let key: [UInt8] = [0x9b, 0x7d, 0x39, 0x0a, 0xa6, 0x10, 0x10, 0x34, 0x05, 0xad, 0xc8, 0x57, 0xa3, 0x34, 0x02, 0xec]
  static let address: UInt64 = 0x7081_940d_fbaa
  static let identity: UInt64 = 0xc0ff_ee00_0001

  /// Legacy advertising report of a private address, without data.
  private func advertise(_ scene: inout Scene, _ address: UInt64 = address) -> Int {
    scene.event(0x3E, [2, 1, 0, 1] + scene.octets(address) + [0, 0xC8])
  }

  private func identity(_ played: Played, _ frame: Int) -> UInt64? {
    guard let row = played[frame], row.peer >= 0 else { return nil }
    return played.tables.peers[Int(played.tables.identity(row.peer))].address
  }

  @Test func anAdvertisementInTwoReportsIsOne() throws {
    let address: UInt64 = 0xc0ff_ee00_0002
    func report(_ scene: inout Scene, _ status: UInt8, set: UInt8, _ data: [UInt8]) -> Int {
      let head: [UInt8] = [0x0D, 1, status, 0, 1] + scene.octets(address) + [1, 1, set, 0x7F, 0xC8] + [UInt8](repeating: 0, count: 9)
      return scene.event(0x3E, head + [UInt8(data.count)] + data)
    }
    var scene = Scene()
    let start = report(&scene, 0x20, set: 1, [7, 0x09, 0x41, 0x42])
    // An advertisement of another set of the same device in between is separate.
    let other = report(&scene, 0x01, set: 2, [2, 0x01, 6])
    let end = report(&scene, 0x00, set: 1, [0x43, 0x44, 0x45, 0x46, 2, 0x0A, 4])
    let played = try scene.played()
    let described = played.valueEvents.filter { $0.source == .advertisement }
    #expect(described.map { Array($0.bytes.buffer) } == [[2, 0x01, 6], [7, 0x09, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 2, 0x0A, 4]])
    #expect(described.map { played.rows[Int($0.row)].frame } == [other, end])
    #expect(played[start]?.meaning == .noise && played[end]?.meaning == .advertises)
    #expect(played.tables.peers.map { String(decoding: $0.name, as: UTF8.self) } == ["ABCDEF"])
    #expect(played.findings.isEmpty)
  }

  @Test func byTheKeyThatPairingGave() throws {
    var scene = Scene()
    let early = advertise(&scene)
    let stranger = advertise(&scene, Self.address ^ 1)
    scene.connect(0x4a00_0000_0001, type: 1)
    scene.pdu(.received, 6, [0x08] + Self.key)
    scene.pdu(.received, 6, [0x09, 0] + scene.octets(Self.identity))
    let late = advertise(&scene)
    let played = try scene.played()
    #expect(identity(played, early) == Self.identity)
    #expect(identity(played, late) == Self.identity)
    #expect(identity(played, stranger) == nil)
    // The connection's address is resolved too, though no key was used for it.
    #expect(played.tables.identity(played.tables.connections[0].peer) == played.tables.knownPeer(Self.identity, type: 0))
  }

  @Test func byTheResolvingListOfTheController() throws {
    var scene = Scene()
    scene.command(0x2027, [0] + scene.octets(Self.identity) + Self.key + [UInt8](repeating: 0, count: 16))
    let heard = advertise(&scene)
    #expect(try identity(scene.played(withSurvey: false), heard) == Self.identity)
  }

  @Test func byTheKeysThatTheHostLoads() throws {
    var scene = Scene()
    scene.packet(.controlCommand, .sent, [1, 0, 0, 0, 0x30, 0, 1, 0] + scene.octets(Self.identity) + [1] + Self.key)
    let heard = advertise(&scene)
    #expect(try identity(scene.played(withSurvey: false), heard) == Self.identity)
  }

  @Test func theAttributesAreThoseOfOneDevice() throws {
    var scene = Scene()
    scene.command(0x2027, [0] + scene.octets(Self.identity) + Self.key + [UInt8](repeating: 0, count: 16))
    scene.connect(Self.identity)
    scene.discover(0x2A19, at: 0x19)
    scene.disconnect()
    scene.connect(Self.address, type: 1)
    let notification = scene.receive([0x1B, 0x19, 0, 80])
    #expect(try scene.played().uuid(notification) == "2a19")
  }
}
