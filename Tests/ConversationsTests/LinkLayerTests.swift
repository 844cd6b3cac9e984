import Bluetooth
import CaptureScenes
import Captures
import Memory
import Testing

@testable import Conversations

/// Handmade Link Layer packets, from CONNECT_IND to LL_TERMINATE_IND.
@Suite struct LinkLayerTests {
  private static let access: UInt32 = 0x5065_5D33
  private static let initial: UInt32 = 0x17B7_4C
  private static let advertiser: [UInt8] = [1, 0, 0, 0xEE, 0xFF, 0xC0]

  /// Packets of a sniffer, in order.
  private struct Air {
    let packets = PacketBatch()
    var frame = 0
    var flags: UInt16 = RadioInfo.Flag.hasCRC
    var channel: UInt8 = 0

    /// The CRC as the specification draws it (3.1.1): position 0 first in the register, fed with the bits as they are sent.
    private func crc(_ pdu: [UInt8], _ initial: UInt32) -> [UInt8] {
      var register = (0..<24).map { initial >> UInt32($0) & 1 }
      for byte in pdu {
        for bit in 0..<8 {
          let feedback = UInt32(byte >> UInt8(bit)) & 1 ^ register[23]
          register = [feedback] + register[..<23]
          for position in [1, 3, 4, 6, 9, 10] { register[position] ^= feedback }
        }
      }
      let bits = Array(register.reversed())
      return (0..<3).map { byte in (0..<8).reduce(UInt8(0)) { $0 | UInt8(bits[byte * 8 + $1]) << UInt8($1) } }
    }

    mutating func add(
      _ access: UInt32, _ pdu: [UInt8], _ initial: UInt32, _ direction: PacketDirection = .unknown, crc given: [UInt8]? = nil
    ) -> Int {
      frame += 1
      var record = PacketRecord()
      record.frame = frame
      record.time = Int64(frame) * 1000
      record.kind = .linkLayer
      record.direction = direction
      record.radio.flags = flags
      record.radio.channel = channel
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: access >> UInt32(8 * $0)) } + pdu + (given ?? crc(pdu, initial))
      record.offset = packets.append(bytes: bytes.span.bytes)
      record.captured = bytes.count
      record.original = bytes.count
      packets.append(record)
      return frame
    }

    mutating func advertise(_ pdu: [UInt8], crc: [UInt8]? = nil) -> Int { add(0x8E89_BED6, pdu, 0x555555, crc: crc) }

    /// A data PDU; the first byte's low bits are LLID, then NESN and SN.
    mutating func data(
      _ direction: PacketDirection, _ kind: UInt8, sn: Int, nesn: Int, _ payload: [UInt8], length: Int? = nil, crc: [UInt8]? = nil
    ) -> Int {
      let bits = kind | UInt8(nesn) << 2 | UInt8(sn) << 3
      return add(LinkLayerTests.access, [bits, UInt8(length ?? payload.count)] + payload, LinkLayerTests.initial, direction, crc: crc)
    }

    mutating func connect() -> Int {
      let aa = (0..<4).map { UInt8(truncatingIfNeeded: LinkLayerTests.access >> UInt32(8 * $0)) }
      let initial = (0..<3).map { UInt8(truncatingIfNeeded: LinkLayerTests.initial >> UInt32(8 * $0)) }
      let body = [UInt8](repeating: 0x22, count: 6) + LinkLayerTests.advertiser + aa + initial
      return advertise([0x85, 34] + body + [3, 0, 0, 24, 0, 0, 0, 42, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 5])
    }

    func played() throws -> Played {
      var scene = Scene()
      for record in packets.records {
        scene.packet(.linkLayer, record.direction, Array(packets.bytes(record)), radio: record.radio)
      }
      return try scene.played()
    }
  }

  private func att(_ pdu: [UInt8]) -> [UInt8] { [UInt8(pdu.count), 0, 4, 0] + pdu }

  @Test func fromTheFirstPacketToTheLast() throws {
    var air = Air()
    let advertised = air.advertise([0x42, 12] + Self.advertiser + [5, 9] + Array("Lamp".utf8))
    let connected = air.connect()
    let request = air.data(.central, 2, sn: 0, nesn: 0, att([0x0A, 3, 0]))
    let repeated = air.data(.central, 2, sn: 0, nesn: 0, att([0x0A, 3, 0]))
    let empty = air.data(.peripheral, 1, sn: 0, nesn: 1, [])
    let start = air.data(.peripheral, 2, sn: 1, nesn: 1, Array(att([0x0B, 1, 2, 3])[..<5]))
    let end = air.data(.peripheral, 1, sn: 0, nesn: 0, Array(att([0x0B, 1, 2, 3])[5...]))
    let damaged = air.data(.central, 2, sn: 1, nesn: 1, att([0x52, 3, 0, 9]), crc: [1, 2, 3])
    let encrypt = air.data(.peripheral, 3, sn: 1, nesn: 0, [0x05])
    let secret = air.data(.central, 2, sn: 1, nesn: 0, [9, 9, 9, 9, 9, 9, 9, 9, 9])
    let opened = air.data(.central, 3, sn: 0, nesn: 1, [0x02, 0x13], crc: [0, 0, 0])
    let late = air.data(.central, 2, sn: 1, nesn: 1, att([0x0A, 3, 0]))
    let played = try air.played()

    #expect(played[advertised]?.layer == .advertisingPDU)
    #expect(played.valueEvents.first?.source == .advertisement)
    let link = try #require(played.tables.connections.first)
    #expect(played.tables.connections.count == 1)
    #expect(played[connected]?.meaning == .connected)
    #expect(link.startFrame == connected && link.accessAddress == Self.access && link.interval == 24 && link.timeout == 42)
    #expect(played.tables.peers[Int(link.peer)].name == Array("Lamp".utf8))
    #expect(played.tables.peers[Int(link.peer)].address == 0xC0FF_EE00_0001)

    #expect(played[request]?.layer == .att && played[request]?.opcode == 0x0A)
    #expect(played[request]?.direction == .central)
    #expect(played[repeated]?.meaning == .noise && played[repeated]?.layer == .linkLayer)
    #expect(played[empty] == nil)
    #expect(played[start] == nil)
    let answer = try #require(played[end])
    #expect(answer.layer == .att && Array(answer.value.buffer) == [1, 2, 3] && answer.requestFrame == request)
    #expect(played.found.contains(.badCRC(announced: nil)))
    #expect(played[damaged]?.layer == .linkLayer)
    #expect(played[encrypt]?.meaning == .encrypted && link.encryptedFrame == encrypt)
    #expect(played[secret]?.flags.contains(.encrypted) == true && played[secret]?.layer == .linkLayer)
    // A CRC of zeros: a tool has decrypted the packet.
    #expect(played[opened]?.meaning == .disconnected && link.endReason == 0x13 && link.endFrame == opened)
    #expect(played[late]?.layer == .linkLayer)
  }

  /// The CP bit was reserved: the size of a record that ends with the CRC shows whether a CTEInfo field follows.
  @Test func aReservedBitIsNoCTEInfo() throws {
    var air = Air()
    _ = air.connect()
    // Not an L2CAP header, and 9 bytes, as the PDU's header says.
    let bytes: [UInt8] = [0x15, 0xFB, 0, 0x48, 8, 0xFB, 0, 0x48, 8]
    let plain = air.data(.central, 1 | 0x20, sn: 0, nesn: 0, bytes)
    let played = try air.played()
    #expect(played[plain]?.layer == .linkLayerControl && played[plain]?.pdu.count == bytes.count)
    #expect(played.found == [.wholePDUAsContinuation(count: 9, control: 0x15)])
  }

  /// Devices that do not announce Constant Tone Extensions in their features and send one all the same: the record's size shows it.
  @Test func aFieldThatNoFeatureAnnouncedIsOne() throws {
    var air = Air()
    _ = air.connect()
    let features: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
    _ = air.data(.central, 3, sn: 0, nesn: 0, [0x08] + features)
    _ = air.data(.peripheral, 3, sn: 0, nesn: 1, [0x09] + features)
    let request = att([0x0A, 3, 0])
    // The length does not count the field, which is the first byte here.
    let toned = air.data(.central, 2 | 0x20, sn: 1, nesn: 1, [0x35] + request, length: request.count)
    let plain = air.data(.peripheral, 2 | 0x20, sn: 1, nesn: 0, att([0x0B, 1, 2, 3]))
    let played = try air.played()
    #expect(played[toned]?.layer == .att && played[toned]?.opcode == 0x0A)
    #expect(played[plain]?.layer == .att && played[plain]?.requestFrame == toned)
    #expect(played.found.isEmpty)
  }

  @Test func plaintextAfterEncryptionStartedIsDecoded() throws {
    var air = Air()
    _ = air.connect()
    _ = air.data(.peripheral, 3, sn: 0, nesn: 1, [0x05])
    // Too short for one byte and a MIC.
    let started = air.data(.central, 3, sn: 0, nesn: 1, [0x06])
    let request = air.data(.central, 2, sn: 1, nesn: 1, att([0x0A, 3, 0]))
    let whole = att([0x0B, 1, 2, 3])
    let start = air.data(.peripheral, 2, sn: 1, nesn: 0, Array(whole[..<5]))
    let end = air.data(.peripheral, 1, sn: 0, nesn: 0, Array(whole[5...]))
    // Length and channel are not those of an L2CAP PDU; a control PDU with four bytes too many.
    let secret = air.data(.central, 2, sn: 0, nesn: 1, [9, 9, 9, 9, 9, 9, 9, 9, 9])
    let control = air.data(.peripheral, 3, sn: 1, nesn: 1, [0x02, 0x13, 1, 2, 3, 4])
    let played = try air.played()
    #expect(played[started]?.opcode == 0x06 && played[started]?.layer == .linkLayerControl)
    #expect(played[request]?.layer == .att && played[start] == nil)
    #expect(played[end]?.requestFrame == request)
    #expect(played[secret]?.flags.contains(.encrypted) == true)
    #expect(played[control]?.flags.contains(.encrypted) == true)
  }

  @Test func legacyAdvertisingOnAWrongChannelIsLegacyAdvertising() throws {
    var air = Air()
    air.flags |= RadioInfo.Flag.auxiliary
    let legacy = air.advertise([0x40, 12] + Self.advertiser + [5, 9] + Array("Lamp".utf8))
    let request = air.advertise([0x03, 12] + Self.advertiser + Self.advertiser)
    _ = air.advertise([0x47, 10, 9, 0x09] + Self.advertiser + [0x34, 0x12])
    let auxiliary = air.advertise([0x03, 12] + Self.advertiser + Self.advertiser)
    let played = try air.played()
    #expect(played[legacy]?.opcode == 0 && played[request]?.opcode == 3 && played[auxiliary]?.opcode == 0x13)
    #expect(played.tables.peers.first?.name == Array("Lamp".utf8))
  }

  @Test func sequenceBitsDistinguishSenders() throws {
    var air = Air()
    air.flags |= RadioInfo.Flag.signalValid
    _ = air.connect()
    air.channel = 3
    let first = air.data(.unknown, 2, sn: 0, nesn: 0, att([0x0A, 3, 0]))
    let second = air.data(.unknown, 3, sn: 0, nesn: 1, [0x12])
    air.channel = 8
    let third = air.data(.unknown, 3, sn: 1, nesn: 1, [0x13])
    // The sniffer missed the peripheral's packet of this event and the central's of the next.
    air.channel = 18
    let fourth = air.data(.unknown, 2, sn: 1, nesn: 0, att([0x0B, 7]))
    let played = try air.played()
    #expect([first, second, third, fourth].map { played[$0]?.direction } == [.central, .peripheral, .central, .peripheral])
    #expect(played[fourth]?.requestFrame == first)
  }

  @Test func extendedAdvertisingAndItsChains() throws {
    var air = Air()
    air.flags |= RadioInfo.Flag.auxiliary
    // Extended header of 9 bytes: flags, AdvA, ADI; then the data.
    let whole = air.advertise([0x47, 16, 9, 0x09] + Self.advertiser + [0x34, 0x12] + [5, 9] + Array("Lamp".utf8))
    let chained = air.advertise([0x07, 6, 0, 0x04, 0xFF, 1, 2, 3])
    let cut = air.advertise([0x07, 4, 0x3F, 0xFF, 1, 2])
    let played = try air.played()
    #expect(played[whole]?.opcode == 0x17)
    #expect(played.tables.peers.first?.name == Array("Lamp".utf8))
    #expect(played.valueEvents.map { Int($0.row) } == [0, 1])
    #expect(played[chained] != nil && played[cut] != nil)
  }

  /// A packet that ends before its CRC is not reported as one with a wrong CRC, unless the sniffer marks it as wrong.
  @Test(arguments: [(RadioInfo.Flag.hasCRC, 37), (RadioInfo.Flag.hasCRC | RadioInfo.Flag.crcChecked, nil)])
  func whatWasNotHeardToItsEnd(_ flags: UInt16, _ announced: Int?) throws {
    var air = Air()
    air.flags = flags
    let short = air.advertise([0x40, 37] + Self.advertiser + [2, 1, 6])
    let played = try air.played()
    #expect(played.found == [.badCRC(announced: announced)])
    #expect(played[short]?.flags.contains(.badCRC) == true && played[short]?.layer == .advertisingPDU)
    // Nothing is learned from it.
    #expect(played.tables.peers.isEmpty)
  }

  @Test func noiseMakesNoConnections() throws {
    var air = Air()
    air.flags |= RadioInfo.Flag.crcChecked
    for number in 0..<100 { _ = air.add(0x1234_0000 | UInt32(number), [2, 5, 1, 0, 4, 0, 0x0B], 0, crc: [0, 0, 0]) }
    let played = try air.played()
    #expect(played.tables.connections.isEmpty)
    #expect(played.found.filter { $0 == .badCRC(announced: nil) }.count == 100)
  }
}
