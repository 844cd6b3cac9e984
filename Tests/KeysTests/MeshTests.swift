import Testing

@testable import Keys

private func hex(_ text: String) -> [UInt8] { Key.bytes(hexadecimal: text.filter { !$0.isWhitespace }) ?? [] }

/// The sample data of the Mesh Protocol (8.3).
@Suite struct MeshTests {
  private static let keys = MeshKeys(
    networks: [hex("7dd7364cd842ad18c17c2b820c84c3d6")], applications: [hex("63964771734fbd76e3b40519d1d94a48")],
    devices: [hex("9d6dd0e96eb25dc19a40ed9914f8f03f")], indices: [0x1234_5678])

  private func parts(_ pdus: [String], _ keys: MeshKeys = keys) -> [MeshNetwork.Part] {
    let network = MeshNetwork(keys)
    var parts: [MeshNetwork.Part] = []
    for (number, pdu) in pdus.enumerated() { network.take(network: hex(pdu), frame: number + 1, &parts) }
    return parts
  }

  @Test func opensControlMessages() {
    let found = parts(["68eca487516765b5e5bfdacbaf6cb7fb6bff871f035444ce83a670df"])
    #expect(found.map(\.kind) == [.network, .control])
    #expect(found.first?.code == 1)
    #expect(found.first.map { Array($0.bytes.prefix(9)) } == hex("68 80 000001 1201 fffd"))
    #expect(found.last?.code == 3)
    #expect(found.last?.bytes == hex("4b50057e400000010000"))
  }

  /// Of very many keys a limited number is tried on each PDU, beginning with the one that decrypted the last PDU.
  @Test func triesABoundedNumberOfKeys() {
    let pdu = "68eca487516765b5e5bfdacbaf6cb7fb6bff871f035444ce83a670df"
    let own = Self.keys.networks
    let wrong = (0..<9000).map { UInt32($0) }
    #expect(parts([pdu], MeshKeys(networks: own, indices: wrong + [0x1234_5678])).map(\.code) == [0])
    #expect(parts([pdu], MeshKeys(networks: own, indices: wrong.prefix(200) + [0x1234_5678])).first?.code == 1)
  }

  @Test func joinsSegmentsInAnyOrder() {
    let segments = [
      "68cab5c5348a230afba8c63d4e686364979deaf4fd40961145939cda0e", "681615b5dd4a846cae0c032bf0746f44f1b8cc8ce5edc57e55beed49c0",
    ]
    for order in [segments, segments.reversed(), [segments[0], segments[0], segments[1]]] {
      let found = parts(order)
      let message = found.last
      #expect(message?.kind == .access)
      #expect(message?.code == 0)
      #expect(message?.bytes == hex("00 563412 63964771734fbd76e3b40519d1d94a48"))
      #expect(found.first { $0.kind == .joinedAccess }?.frames.count == 2)
    }
    #expect(!parts([segments[0]]).contains { $0.kind == .transport })
  }

  @Test func opensWithTheKeyOfAnApplicationOrOfANode() {
    let found = parts([
      "68e80e5da5af0e6b9be7f5a642f2f98680e61c3a8b47f228", "68110edeecd83c3010a05e1b23a926023da75d25ba91793736",
    ])
    #expect(found.filter { $0.kind == .access }.map(\.code) == [0x8003, 4])
    // The previous IV index, and no key.
    let earlier = MeshKeys(networks: Self.keys.networks, applications: Self.keys.applications, indices: [0x1234_5678])
    #expect(parts(["e85cca51e2e8998c3dc87344a16c787f6b08cc897c941a5368"], earlier).last?.kind == .access)
    #expect(parts(["68110edeecd83c3010a05e1b23a926023da75d25ba91793736"], MeshKeys(networks: Self.keys.networks)).map(\.kind) == [.network])
    #expect(parts(["68110edeecd83c3010a05e1b23a926023da75d25ba91793736"], MeshKeys()).map(\.code) == [0])
  }

  @Test func joinsProvisioningPDUs() {
    let network = MeshNetwork(MeshKeys())
    var found: [MeshNetwork.Part] = []
    let packets = [
      "23af585000080041b9031112131415161718191a1b1c1d1e1f20212223", "23af58500006" + "2425262728292a2b2c2d2e2f303132333435363738393a",
      "23af5850000a3b3c3d3e3f404142434445464748494a4b4c4d4e4f50",
    ]
    for (number, packet) in packets.enumerated() { network.take(bearer: hex(packet), frame: number + 1, &found) }
    #expect(found.map(\.kind) == [.joinedBearer, .provisioning])
    #expect(found.last?.bytes == [3] + (0x11...0x50).map { UInt8($0) })
    found = []
    for (number, value) in ["410070cf", "8132a3", "c144"].enumerated() {
      network.take(proxy: hex(value), stream: 1, frame: number + 1, &found)
    }
    #expect(found.map(\.kind) == [.joinedProxy, .beacon])
    #expect(found.last?.bytes == hex("0070cf32a344"))
  }

  /// Any bytes: nothing traps, and memory stays bounded.
  @Test func takesAnyBytes() {
    var generator = SystemRandomNumberGenerator()
    let network = MeshNetwork(Self.keys)
    var found: [MeshNetwork.Part] = []
    for length in 0..<200 {
      let bytes = (0..<length % 40).map { _ in UInt8.random(in: 0...255, using: &generator) }
      network.take(network: bytes, frame: length, &found)
      network.take(network: [0x68] + bytes, frame: length, &found)
      network.take(bearer: bytes, frame: length, &found)
      network.take(proxy: bytes, stream: UInt64(length), frame: length, &found)
    }
    #expect(found.allSatisfy { $0.bytes.count < 100 })
  }
}
