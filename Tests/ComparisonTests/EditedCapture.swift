import CaptureScenes
import Captures
import Foundation
import TestSupport

/// A capture of HCI packets in memory, with functions that edit it.
struct EditedCapture {
  struct Packet {
    /// H4: 1 command, 2 ACL data, 3 SCO, 4 event, 5 ISO.
    var type: UInt8
    var isReceived: Bool
    var time: Int64
    var bytes: [UInt8]
  }
  var packets: [Packet] = []

  /// The first packets of a capture; nil if it has none of a host, or several adapters.
  init?(_ path: String, limit: Int) throws {
    let source = try CaptureFile.open(path)
    let batch = PacketBatch()
    var adapter: UInt16?
    while packets.count < limit, try source.read(batch) {
      for record in batch.records where packets.count < limit {
        let type: UInt8
        switch record.kind {
        case .command: type = 1
        case .acl: type = 2
        case .sco: type = 3
        case .event: type = 4
        case .iso: type = 5
        default: continue
        }
        if record.direction.isOnAir { return nil }
        if adapter ?? record.adapter != record.adapter { return nil }
        adapter = record.adapter
        packets.append(
          Packet(type: type, isReceived: record.direction == .received, time: record.time, bytes: Array(batch.payload(record))))
      }
    }
    if packets.isEmpty { return nil }
  }

  /// The capture as a btsnoop file.
  var file: [UInt8] {
    func big(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    var file = Array("btsnoop\0".utf8) + big(1, 4) + big(1002, 4)
    for packet in packets {
      let flags = (packet.isReceived ? 1 : 0) | (packet.type == 1 || packet.type == 4 ? 2 : 0)
      file += big(packet.bytes.count + 1, 4) + big(packet.bytes.count + 1, 4) + big(flags, 4) + big(0, 4)
      file += big(Int(truncatingIfNeeded: packet.time &+ 0x00DC_DDB3_0F2F_8000), 8) + [packet.type] + packet.bytes
    }
    return file
  }

  /// An unfragmented ATT PDU.
  struct PDU {
    /// Index of its packet.
    var packet: Int
    var connection: UInt16
    var isReceived: Bool
    var bytes: [UInt8]
    var opcode: UInt8 { bytes[0] }
    /// The attribute handle, for PDUs that begin with one.
    var handle: UInt16 { bytes.count >= 3 ? UInt16(bytes[1]) | UInt16(bytes[2]) << 8 : 0 }
  }

  /// A request with its answer.
  struct Transaction {
    var request: PDU, answer: PDU
  }

  /// The ATT PDU of a packet, if it is unfragmented.
  func pdu(_ index: Int) -> PDU? {
    let packet = packets[index]
    guard packet.type == 2, packet.bytes.count >= 9 else { return nil }
    let head = UInt16(packet.bytes[0]) | UInt16(packet.bytes[1]) << 8
    let length = Int(packet.bytes[4]) | Int(packet.bytes[5]) << 8
    guard head >> 12 & 3 != 1, length == packet.bytes.count - 8, packet.bytes[6] == 4, packet.bytes[7] == 0 else { return nil }
    return PDU(packet: index, connection: head & 0xFFF, isReceived: packet.isReceived, bytes: Array(packet.bytes.dropFirst(8)))
  }

  var pdus: [PDU] { packets.indices.compactMap { pdu($0) } }

  static func isRequest(_ opcode: UInt8) -> Bool { [2, 4, 6, 8, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20].contains(opcode) }
  static func isResponse(_ opcode: UInt8) -> Bool { opcode == 1 || opcode & 1 == 1 && opcode < 0x1A || opcode == 0x21 }

  var transactions: [Transaction] {
    var open: [UInt32: PDU] = [:]
    var found: [Transaction] = []
    for pdu in pdus {
      let side = UInt32(pdu.connection) << 1 | (pdu.isReceived ? 1 : 0)
      if Self.isRequest(pdu.opcode) {
        open[side] = pdu
      } else if Self.isResponse(pdu.opcode), let request = open.removeValue(forKey: side ^ 1) {
        found.append(Transaction(request: request, answer: pdu))
      }
    }
    return found
  }

  /// Puts another ATT PDU into a packet.
  mutating func put(_ bytes: [UInt8], at index: Int) {
    let length = bytes.count
    let head = packets[index].bytes.prefix(2)
    func little(_ number: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)] }
    packets[index].bytes = Array(head) + little(length + 4) + little(length) + [4, 0] + bytes
  }

  /// Delays all packets from `index` on.
  mutating func delay(from index: Int, by time: Int64) {
    for position in index..<packets.count { packets[position].time += time }
  }

  // MARK: Another layout

  /// Moves the attributes of all servers from the handle `first` on by `distance`, in requests, responses and values.
  mutating func shiftHandles(from first: UInt16, by distance: UInt16) {
    func moved(_ low: UInt8, _ high: UInt8) -> [UInt8] {
      let handle = UInt16(low) | UInt16(high) << 8
      let new = handle >= first && handle < 0xFFFF - distance ? handle + distance : handle
      return [UInt8(truncatingIfNeeded: new), UInt8(new >> 8)]
    }
    // The attribute type that each side requested last.
    var requests: [UInt32: [UInt8]] = [:]
    for index in packets.indices {
      guard let pdu = pdu(index) else {
        moveInStart(index, moved)
        continue
      }
      var bytes = pdu.bytes
      let side = UInt32(pdu.connection) << 1 | (pdu.isReceived ? 1 : 0)
      func move(_ at: Int) {
        if at + 1 < bytes.count { bytes.replaceSubrange(at..<at + 2, with: moved(bytes[at], bytes[at + 1])) }
      }
      switch pdu.opcode {
      case 0x01: move(2)
      case 0x04, 0x06, 0x08, 0x10:
        move(1)
        move(3)
        requests[side] = pdu.opcode == 0x08 ? Array(bytes.dropFirst(5)) : []
      case 0x05:
        let size = bytes.count > 1 && bytes[1] == 1 ? 4 : 18
        for at in stride(from: 2, to: bytes.count, by: size) { move(at) }
      case 0x07:
        for at in stride(from: 1, to: bytes.count, by: 2) { move(at) }
      case 0x09 where bytes.count > 1 && bytes[1] >= 2:
        let type = requests[side ^ 1] ?? []
        for at in stride(from: 2, to: bytes.count, by: Int(bytes[1])) {
          move(at)
          if type == [0x03, 0x28] { move(at + 3) }
          if type == [0x02, 0x28] {
            move(at + 2)
            move(at + 4)
          }
        }
      case 0x0A, 0x0C, 0x12, 0x52, 0xD2, 0x16, 0x17, 0x1B, 0x1D: move(1)
      case 0x11 where bytes.count > 1 && bytes[1] >= 4:
        for at in stride(from: 2, to: bytes.count, by: Int(bytes[1])) {
          move(at)
          move(at + 2)
        }
      default: continue
      }
      put(bytes, at: index)
    }
  }
}

extension EditedCapture {
  /// Moves the handle of a PDU that continues in the next packets.
  private mutating func moveInStart(_ index: Int, _ moved: (UInt8, UInt8) -> [UInt8]) {
    let bytes = packets[index].bytes
    guard packets[index].type == 2, bytes.count >= 11, bytes[1] >> 4 & 3 != 1, bytes[6] == 4, bytes[7] == 0,
      [0x12, 0x52, 0xD2, 0x16, 0x17, 0x1B, 0x1D].contains(bytes[8])
    else { return }
    packets[index].bytes.replaceSubrange(9..<11, with: moved(bytes[9], bytes[10]))
  }
}

/// Real captures: the samples, and those beside the package if they exist.
enum RealCaptures {
  static let root: String = {
    var parts = #filePath.split(separator: "/")
    parts.removeLast(3)
    return "/" + parts.joined(separator: "/")
  }()

  /// The folder of captures that are not part of the package, if it exists.
  static let shared = SharedFolder.path("captures")

  /// Samples that are complete captures.
  static let samples = [
    "gopro.btsnoop", "heart-rate.btsnoop", "heart-rate.pklg", "two-cameras.btsnoop", "register.btsnoop", "typed-object.pcapng",
    "unsubscribed.btsnoop", "mid-connection.btsnoop", "no-discovery.btsnoop", "gopro-monitor.btsnoop", "bnep.btsnoop",
    "counter-gap.btsnoop",
    "encrypted.pcapng",
  ].map { root + "/Samples/" + $0 }

  static let others: [String] = {
    guard let shared, let all = try? FileManager.default.contentsOfDirectory(atPath: shared) else { return [] }
    return all.filter { $0 != "MANIFEST.tsv" && !$0.hasSuffix(".bin") }.sorted().map { shared + "/" + $0 }
  }()

  static func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
}
