import Captures
import Testing

@testable import Keys

/// Keys of a host's traffic. Layouts: Core, Vol 4, Part E, 7.8 and 7.7; BlueZ's doc/mgmt-api.txt.
@Suite struct HostKeysTests {
  private func bytes(_ text: String) -> [UInt8] { Key.bytes(hexadecimal: text.filter { $0 != " " }) ?? [] }
  private let wire = "0f0e0d0c0b0a09080706050403020100"
  private let value = "000102030405060708090a0b0c0d0e0f"

  private func keys(_ packets: [(PacketKind, String)], direction: PacketDirection = .received) -> [String] {
    var host = HostKeys(file: "")
    for (index, packet) in packets.enumerated() {
      var record = PacketRecord()
      record.frame = index + 1
      record.adapter = 0
      record.kind = packet.0
      record.direction = direction
      let payload = bytes(packet.1)
      host.take(record, payload.span.bytes)
      // Truncated packets give no key.
      for count in 0..<payload.count { host.take(record, payload.span.bytes.extracting(first: count)) }
    }
    return host.ring.keys.map { "\($0.key.text) \($0.origin) \($0.frame)" }
  }

  private let connected = (PacketKind.event, "3e13 01 00 4000 00 01 010000eeffc0 1800 0000 c800 00")

  @Test func commandsAndEvents() {
    #expect(
      keys([
        connected, (.command, "1920 1c 4000 8967452301efcdab 7424 \(wire)"),
        (.command, "1a20 12 4000 \(wire.replacing("0f0e", with: "1f0e"))"),
        (.command, "0b04 16 010000eeffc0 \(wire)"), (.event, "18 17 020000eeffc0 \(wire) 05"),
        (.command, "2720 27 01 010000eeffc0 \(wire) \(wire)"),
      ]) == [
        "ltk=\(value)@c0:ff:ee:00:00:01 ediv=0x2474 rand=0xabcdef0123456789 LE Enable Encryption 2",
        "ltk=000102030405060708090a0b0c0d0e1f@c0:ff:ee:00:00:01 LE Long Term Key Request Reply 3",
        "link=\(value)@c0:ff:ee:00:00:01 Link Key Request Reply 4", "link=\(value)@c0:ff:ee:00:00:02 Link Key Notification 5",
        "irk=\(value)@c0:ff:ee:00:00:01 LE Add Device To Resolving List 6",
      ])
  }

  @Test func keyDistribution() {
    #expect(
      keys([
        connected, (.acl, "4020 1500 1100 0600 06 \(wire)"), (.acl, "4020 0f00 0b00 0600 07 7424 8967452301efcdab"),
        (.acl, "4020 1500 1100 0600 08 \(wire)"), (.acl, "4020 0c00 0800 0600 09 00 0a0000eeffc0"),
        (.acl, "4020 1500 1100 0600 0a \(wire)"),
      ]) == [
        "ltk=\(value)@c0:ff:ee:00:00:01 ediv=0x2474 rand=0xabcdef0123456789 Encryption Information 2",
        "irk=\(value)@c0:ff:ee:00:00:0a Identity Information 5", "csrk=\(value)@c0:ff:ee:00:00:01 Signing Information 6",
      ])
  }

  @Test func management() {
    #expect(
      keys([
        (.controlEvent, "01000000 0a00 01 010000eeffc0 02 00 01 10 7424 8967452301efcdab \(wire)"),
        (.controlEvent, "01000000 0900 01 020000eeffc0 00 04 \(wire) 00"),
        (.controlCommand, "01000000 3000 0100 030000eeffc0 01 \(wire)"),
      ]) == [
        "ltk=\(value)@c0:ff:ee:00:00:01 ediv=0x2474 rand=0xabcdef0123456789 New Long Term Key 1",
        "link=\(value)@c0:ff:ee:00:00:02 New Link Key 2", "irk=\(value)@c0:ff:ee:00:00:03 Load Identity Resolving Keys 3",
      ])
  }

  @Test func keysOfTheHostItself() {
    let own = "101112131415161718191a1b1c1d1e1f"
    #expect(
      keys([
        (.command, "2720 27 01 010000eeffc0 \(wire) 1f1e1d1c1b1a19181716151413121110"),
        (.controlCommand, "01000000 2f00 01 1f1e1d1c1b1a19181716151413121111"), (.command, "110c 17 01 020000eeffc0 \(wire)"),
      ]) == [
        "irk=\(value)@c0:ff:ee:00:00:01 LE Add Device To Resolving List 1", "irk=\(own) LE Add Device To Resolving List, local 1",
        "irk=111112131415161718191a1b1c1d1e1f Set Privacy 2", "link=\(value)@c0:ff:ee:00:00:02 Write Stored Link Key 3",
      ])
  }

  @Test func passkeys() {
    #expect(
      keys([
        (.controlEvent, "01000000 1700 010000eeffc0 02 40e20100 00"), (.controlEvent, "01000000 1700 010000eeffc0 02 40e20100 01"),
        (.controlCommand, "01000000 1e00 020000eeffc0 02 2a000000"), (.controlCommand, "01000000 1e00 020000eeffc0 02 40420f00"),
      ]) == ["passkey=123456@c0:ff:ee:00:00:01 Passkey Notify 1", "passkey=000042@c0:ff:ee:00:00:02 User Passkey Reply 3"])
  }

  @Test func keysOfZerosAreNone() {
    #expect(keys([connected, (.command, "1a20 12 4000 00000000000000000000000000000000")]).isEmpty)
  }
}
