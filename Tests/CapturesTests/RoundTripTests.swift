import Foundation
import Testing

@testable import Captures

/// A capture stays the same in every format that can hold it.
@Suite struct RoundTripTests {
  /// The properties of a packet that have to be kept by a format that can store them.
  private struct Packet: Equatable, CustomStringConvertible {
    var time: Int64
    var kind: PacketKind
    var direction: PacketDirection
    var payload: [UInt8]
    var missing: Int
    var radio: RadioInfo
    var comments: [String]

    var description: String {
      "\(time) kind \(kind.rawValue) \(direction) \(payload.map { String($0, radix: 16) }.joined(separator: " ")) -\(missing) \(comments)"
    }
  }

  private func packets(_ source: any PacketSource) throws -> [Packet] {
    let batch = PacketBatch()
    var all: [Packet] = []
    while try source.read(batch) {
      for (index, record) in batch.records.enumerated() {
        let comments = batch.notes.filter { $0.record == index }.map(\.text)
        all.append(
          Packet(
            time: record.time, kind: record.kind, direction: record.direction, payload: Array(batch.payload(record)),
            missing: max(0, record.original - record.captured), radio: record.radio, comments: comments))
      }
    }
    return all
  }

  private func convert(_ path: String, to target: CaptureTarget) throws -> (path: String, losses: CaptureLosses) {
    let source = try CaptureFile.open(path)
    let output = FileManager.default.temporaryDirectory.path + "/btscribe-\(UUID().uuidString)"
    let writer = try CaptureWriter(to: output, target: target)
    let batch = PacketBatch()
    while try source.read(batch) {
      for index in batch.records.indices { try writer.write(index, of: batch, from: source) }
    }
    try writer.finish(source: source)
    return (output, writer.losses)
  }

  @Test(.enabled(if: !Shared.names.isEmpty, "needs the shared captures"), arguments: Shared.names)
  func everyFormatThatHoldsIt(name: String) throws {
    let path = try #require(Shared.captures) + "/" + name
    let before = try packets(CaptureFile.open(path))
    var held = 0
    for (named, _) in CaptureTarget.names {
      let target = try #require(CaptureTarget(name: named))
      // A PacketLogger file without packets has no bytes at all.
      if target.format == .packetLogger, before.isEmpty { continue }
      let (copy, losses) = try convert(path, to: target)
      defer { try? FileManager.default.removeItem(atPath: copy) }
      let lost = losses.counts
      if lost[.packets] != nil || lost[.notes] != nil || lost[.direction] != nil || lost[.time] != nil || lost[.radio] != nil { continue }
      let source = try CaptureFile.open(copy)
      var after = try packets(source)
      var expected = before
      for index in expected.indices {
        if lost[.comments] != nil { expected[index].comments = [] }
        if lost[.original] != nil { expected[index].missing = 0 }
        if expected[index].kind == .syslog, after.indices.contains(index), after[index].kind == .systemNote {
          expected[index].kind = .systemNote
          expected[index].payload = after[index].payload
        }
        // A complete packet of a sniffer always has its CRC.
        if after.indices.contains(index), expected[index].radio.flags & ~RadioInfo.Flag.encrypted == after[index].radio.flags {
          after[index].radio.flags = expected[index].radio.flags
        }
      }
      #expect(source.damage == nil)
      #expect(after.count == expected.count, "\(named)")
      if let difference = zip(expected, after).first(where: { $0 != $1 }) {
        Issue.record("\(named)\nbefore \(difference.0) \(difference.0.radio)\nafter  \(difference.1) \(difference.1.radio)")
      }
      held += 1
    }
    #expect(held > 0)
  }

  /// A copy in the same format has identical bytes.
  @Test(
    .enabled(if: !Shared.names.isEmpty, "needs the shared captures"),
    arguments: Shared.names.filter { $0.hasSuffix(".log") || $0.hasSuffix(".pklg") || $0.hasSuffix(".btsnoop") || $0.hasPrefix("own__vm") })
  func sameBytes(name: String) throws {
    let path = try #require(Shared.captures) + "/" + name
    let source = try CaptureFile.open(path)
    let littleEndian = source.title.contains("little endian") ? CaptureTarget(name: "pklg-le") : nil
    let (copy, _) = try convert(path, to: littleEndian ?? CaptureTarget(source.format))
    defer { try? FileManager.default.removeItem(atPath: copy) }
    #expect(FileManager.default.contentsEqual(atPath: path, andPath: copy))
  }

  /// PacketLogger's type of baseband packets means diagnostic records of a controller: packets that a sniffer received are none.
  @Test func basebandPacketsOfASniffer() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Samples")
    let path = folder.appendingPathComponent("baseband.pcap").path
    let count = try packets(CaptureFile.open(path)).count
    let (copy, losses) = try convert(path, to: try #require(CaptureTarget(name: "pklg")))
    defer { try? FileManager.default.removeItem(atPath: copy) }
    #expect(count > 0 && losses.counts[.packets] == count)
  }

  /// A block of pcapng says its length before its options: comments of every length, a direction or none, drops that grow.
  @Test func lengthsOfBlocks() throws {
    let output = FileManager.default.temporaryDirectory.path + "/btscribe-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: output) }
    let writer = try CaptureWriter(to: output, target: try #require(CaptureTarget(name: "pcapng")))
    var expected: [(payload: [UInt8], direction: PacketDirection, comments: [String], drops: UInt32)] = []
    for number in 0..<32 {
      var record = PacketRecord()
      let payload: [UInt8] = Array([4, 0x0E, 4, 1, 3, 0x0C, 0].prefix(3 + number % 5))
      (record.captured, record.original, record.kind, record.adapter) = (payload.count, payload.count, .event, 0)
      record.direction = number & 8 == 0 ? .received : .unknown
      record.drops = UInt32(number / 3)
      let comments = (0..<number % 4).map { String(repeating: "x", count: number + $0) }
      let isWritten = try writer.write(
        record, bytes: payload.span.bytes, origin: CaptureInterface(linkType: 187), format: .btsnoop,
        comments: comments.map { Array($0.utf8)[...] })
      #expect(isWritten)
      expected.append((payload, record.direction, comments, record.drops))
    }
    try writer.finish()
    let source = try CaptureFile.open(output)
    let batch = PacketBatch()
    var number = 0
    while try source.read(batch) {
      for (index, record) in batch.records.enumerated() {
        let packet = expected[number]
        #expect(Array(batch.bytes(record)).suffix(packet.payload.count) == packet.payload[...])
        #expect(batch.notes.filter { $0.record == index }.map(\.text) == packet.comments)
        #expect(record.drops == packet.drops)
        number += 1
      }
    }
    #expect(number == expected.count && source.damage == nil)
  }
}
