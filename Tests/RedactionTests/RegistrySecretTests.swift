import Bluetooth
import CaptureScenes
import Captures
@testable import Redaction
import Testing
import TestSupport

/// Secrets in every field of every PDU that has a layout, generated from the registry.
@Suite struct RegistrySecretTests {
  struct Planted {
    var location: String
    var bytes: [UInt8]
  }

  /// Finds the fields that may hold a secret.
  private struct Collector: FieldVisitor {
    var fields: [(name: StaticName, range: Range<Int>)] = []

    mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
      var isOpen = field.isSecret
      switch value {
      case .address(let address): isOpen = address.kind != .anonymous
      case .text, .wideText: isOpen = true
      case .bytes: isOpen = range.count > AllowedFields.longest(field.name, isAdvertised: false)
      default: break
      }
      if isOpen { fields.append((field.name, range)) }
    }
  }

  /// A scene under construction.
  private struct Garden {
    var scene = Scene()
    var planted: [Planted] = []
    var random: SplitMix

    /// Random bytes, or letters and digits; some are small, so that lengths and counts among them fit.
    mutating func body() -> [UInt8] {
      let isText = Bool.random(using: &random)
      let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
      return (0..<Int.random(in: 4...140, using: &random)).map { _ in
        switch Int.random(in: 0..<8, using: &random) {
        case 0: UInt8.random(in: 0...3, using: &random)
        case 1 where !isText: UInt8.random(in: 4...40, using: &random)
        default: isText ? letters.randomElement(using: &random) ?? 0x41 : UInt8.random(in: 0 ... .max, using: &random)
        }
      }
    }

    /// Notes the secrets that a walk over a PDU finds.
    mutating func plant(_ location: String, _ pdu: [UInt8], _ walk: (RawSpan, inout Collector) -> Void) {
      var collector = Collector()
      walk(pdu.span.bytes, &collector)
      for (name, range) in collector.fields where range.count >= 6 && range.upperBound <= pdu.count {
        // Lengths that the walk visits as a part of a field are left out.
        let bytes = Array(pdu[range])
        if Set(bytes.filter { $0 > 3 }).count >= 5 { planted.append(Planted(location: "\(location) \(name)", bytes: bytes)) }
      }
    }
  }

  private static func hostScenes(_ seed: UInt64) -> [(scene: Scene, planted: [Planted])] {
    var all: [(Scene, [Planted])] = []
    func grow(_ number: UInt64, _ body: (inout Garden) -> Void) {
      var garden = Garden(random: SplitMix(state: seed &* 31 &+ number))
      body(&garden)
      all.append((garden.scene, garden.planted))
    }
    grow(1) { garden in
      for row in Array(HCI.commands.rows) + Array(Vendor.commands.rows) {
        for _ in 0..<3 {
          let body = garden.body()
          garden.scene.command(UInt16(row.code), body)
          let pdu = [UInt8(row.code & 0xFF), UInt8(row.code >> 8), UInt8(body.count)] + body
          garden.plant("command", pdu) { HCI.walkCommand($0, &$1) }
        }
      }
    }
    grow(2) { garden in
      for row in HCI.events.rows where row.code != 0x3E && row.code < 256 {
        for _ in 0..<4 {
          let body = garden.body()
          garden.scene.event(UInt8(row.code), body)
          garden.plant("event", [UInt8(row.code), UInt8(body.count)] + body) { HCI.walkEvent($0, &$1) }
        }
      }
      for row in HCI.leEvents.rows {
        for _ in 0..<4 {
          let body = [UInt8(row.code)] + garden.body()
          garden.scene.event(0x3E, body)
          garden.plant("event", [0x3E, UInt8(body.count)] + body) { HCI.walkEvent($0, &$1) }
        }
      }
      for row in Array(HCI.commands.rows) + Array(Vendor.commands.rows) where !row.returnParameters.isEmpty {
        let body = [1, UInt8(row.code & 0xFF), UInt8(row.code >> 8), 0] + garden.body()
        garden.scene.event(0x0E, body)
        garden.plant("return parameters", [0x0E, UInt8(body.count)] + body) { HCI.walkEvent($0, &$1) }
      }
    }
    grow(3) { garden in
      for _ in 0..<3 {
        for row in Management.commands.rows {
          let pdu = [1, 0, 0, 0, UInt8(row.code & 0xFF), UInt8(row.code >> 8)] + garden.body()
          garden.scene.packet(.controlCommand, .unknown, pdu)
          garden.plant("management command", pdu) { Management.walkCommand($0, &$1) }
        }
        for row in Management.events.rows where row.code != 1 {
          let pdu = [1, 0, 0, 0, UInt8(row.code & 0xFF), UInt8(row.code >> 8)] + garden.body()
          garden.scene.packet(.controlEvent, .unknown, pdu)
          garden.plant("management event", pdu) { Management.walkEvent($0, &$1) }
        }
      }
    }
    grow(4) { garden in
      garden.scene.connect()
      for _ in 0..<3 {
        for row in SMP.pdus.rows {
          let pdu = [UInt8(row.code)] + garden.body()
          garden.scene.pdu(.sent, 6, pdu, size: Bool.random(using: &garden.random) ? 1000 : 27)
          garden.plant("smp", pdu) { SMP.walk($0, &$1) }
        }
        for row in L2CAP.signaling.rows {
          let body = garden.body()
          let pdu = [UInt8(row.code), 1, UInt8(body.count), 0] + body
          garden.scene.pdu(.sent, 5, pdu, size: Bool.random(using: &garden.random) ? 1000 : 27)
          garden.plant("signaling", pdu) { L2CAP.walkCommand($0, &$1) }
        }
        for row in ATT.pdus.rows {
          let pdu = [UInt8(row.code)] + garden.body()
          garden.scene.pdu(.sent, 4, pdu, size: Bool.random(using: &garden.random) ? 1000 : 27)
          garden.plant("att", pdu) { ATT.walk($0, &$1) }
        }
        // Channels that were not opened.
        let body = garden.body()
        garden.scene.pdu(.received, 0x47, body)
        if body.count >= 8, Set(body).count > 6 { garden.planted.append(Planted(location: "unknown channel", bytes: body)) }
      }
    }
    grow(5) { garden in
      let peer: [UInt8] = [0x78, 0x56, 0x34, 0x19, 0xD9, 0xC4]
      for row in AdvertisingData.structures.rows {
        for _ in 0..<4 {
          let body = Array(garden.body().prefix(28))
          let data = [UInt8(body.count + 1), UInt8(row.code)] + body
          let pdu = [0x3E, UInt8(data.count + 12), 2, 1, 0, 1] + peer + [UInt8(data.count)] + data + [0xC4]
          garden.scene.event(0x3E, Array(pdu[2...]))
          garden.plant("advertising", pdu) { HCI.walkEvent($0, &$1) }
        }
      }
    }
    return all
  }

  @Test(arguments: [
    CaptureTarget(.pcapng, linkType: 254), CaptureTarget(.btsnoop, linkType: 2001), CaptureTarget(.btsnoop, linkType: 1002),
    CaptureTarget(.pcap, linkType: 201), CaptureTarget(.packetLogger, linkType: -1),
  ])
  func noFieldOfTheRegistryIsLeft(_ target: CaptureTarget) throws {
    var count = 0
    var kinds: Set<String> = []
    for (scene, planted) in Self.hostScenes(7) {
      // PacketLogger has no records for management traffic.
      if target.format == .packetLogger, planted.allSatisfy({ $0.location.hasPrefix("management") }) { continue }
      let (original, redacted) = try Redacted.scene(scene, target)
      let (before, after) = (original.bytes, redacted.file.bytes)
      for secret in planted {
        // Formats without a record for a packet leave it out; a secret in several packets is in pieces.
        let piece = secret.bytes.count > 20 ? Array(secret.bytes[..<20]) : secret.bytes
        guard contains(piece, in: before) else { continue }
        count += 1
        kinds.insert(secret.location)
        let isLeft = contains(piece, in: after) || contains(piece.reversed(), in: after)
        #expect(!isLeft, "\(secret.location)")
      }
      let left = try redacted.check()
      #expect(left == [], "\(left)")
      let lines = try Shape.differences(original.path, redacted.file.path)
      #expect(lines.isEmpty, "\(lines)")
    }
    #expect(count >= 300 && kinds.count >= 60, "\(count) secrets of \(kinds.count) kinds")
  }

  /// On the air: every advertising and control PDU.
  @Test func noFieldOnTheAirIsLeft() throws {
    var garden = Garden(random: SplitMix(state: 11))
    for row in LinkLayer.advertising.rows where row.code < 16 {
      for _ in 0..<6 {
        let body = Array(garden.body().prefix(60))
        let pdu = [UInt8(row.code), UInt8(body.count)] + body
        garden.scene.sniffed(0x8E89_BED6, pdu)
        garden.plant("advertising PDU", pdu) { LinkLayer.walkAdvertising($0, &$1) }
      }
    }
    for row in LinkLayer.control.rows {
      let body = [UInt8(row.code)] + garden.body().prefix(60)
      let pdu = [3, UInt8(body.count)] + body
      garden.scene.sniffed(0x5065_5D33, pdu)
      garden.plant("control PDU", pdu) { LinkLayer.walkData($0, &$1) }
    }
    let (original, redacted) = try Redacted.scene(garden.scene, CaptureTarget(.pcap, linkType: 251))
    let after = redacted.file.bytes
    var count = 0
    for planted in garden.planted {
      count += 1
      let isLeft = contains(planted.bytes, in: after)
      #expect(!isLeft, "\(planted.location)")
    }
    #expect(count >= 30, "\(count)")
    #expect(try Shape.of(original.path).count == Shape.of(redacted.file.path).count)
  }
}
