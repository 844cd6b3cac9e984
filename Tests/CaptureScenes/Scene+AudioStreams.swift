import Captures

extension Scene {
  /// An earbud that is a unicast server (ASCS): a sink ASE at 0x0016, a source ASE at 0x001C, their control point at 0x0022; all three are
  /// discovered, read and subscribed to.
  package mutating func audioStreams() {
    connect()
    send([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    receive([0x11, 6, 0x14, 0, 0x23, 0, 0x4E, 0x18])
    send([0x08, 0x14, 0, 0x23, 0, 0x03, 0x28])
    receive(
      [0x09, 7] + [0x15, 0, 0x12, 0x16, 0, 0xC4, 0x2B] + [0x1B, 0, 0x12, 0x1C, 0, 0xC5, 0x2B] + [0x21, 0, 0x1C, 0x22, 0, 0xC6, 0x2B])
    for (handle, id) in [(UInt8(0x16), UInt8(1)), (0x1C, 3)] {
      send([0x04, handle + 1, 0, handle + 1, 0])
      receive([0x05, 1, handle + 1, 0, 0x02, 0x29])
      send([0x12, handle + 1, 0, 1, 0])
      receive([0x13])
      send([0x0A, handle, 0])
      receive([0x0B, id, 0])
    }
    send([0x04, 0x23, 0, 0x23, 0])
    receive([0x05, 1, 0x23, 0, 0x02, 0x29])
    send([0x12, 0x23, 0, 1, 0])
    receive([0x13])
  }

  /// The sink ASE (the source ASE with `isSource`) notifies its value.
  @discardableResult
  package mutating func endpoint(_ value: [UInt8], isSource: Bool = false) -> Int { receive([0x1B, isSource ? 0x1C : 0x16, 0] + value) }

  /// An HCI isochronous data packet, from its handle on.
  @discardableResult
  package mutating func iso(_ direction: PacketDirection, _ bytes: [UInt8]) -> Int { packet(.iso, direction, bytes) }
}
