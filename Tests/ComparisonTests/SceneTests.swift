import Analysis
import CaptureScenes
import Comparison
import Testing

/// Handmade captures: their differences are reported, and nothing else.
@Suite struct SceneTests {
  private func record(_ play: (inout Scene) -> Void) throws -> Recording {
    var scene = Scene()
    play(&scene)
    return try RealCaptureTests.record(SceneSource(scene), "scene")
  }

  /// The rows as text: change, subject, and differing fields.
  private func rows(_ a: Recording, _ b: Recording) -> [String] { rows([a], b) }

  private func rows(_ good: [Recording], _ bad: Recording) -> [String] {
    var comparison = CaptureComparison(good: good, bad: bad)
    return comparison.run().rows.map { row in
      let subject: String
      switch row.subject {
      case .operation: subject = "\((row.a >= 0 ? good[0].operation(row.a) : bad.operation(row.b))?.kind ?? .scan)"
      case .session: subject = "connection"
      case .attribute(let entry): subject = "\(entry.kind) \(entry.uuid)"
      case .advertisement: subject = "advertising"
      }
      return (["\(row.change) \(subject)"] + row.changes.map { "\($0.field): \($0.a) → \($0.b)" }).joined(separator: "; ")
    }
  }

  // MARK: Advertising

  private func advertise(_ scene: inout Scene, _ address: UInt64, type: UInt8 = 1, kind: UInt8 = 0, _ data: [UInt8], times: Int = 1) {
    for _ in 0..<times {
      scene.event(0x3E, [2, 1, kind, type] + scene.octets(address) + [UInt8(data.count)] + data + [0xC0])
    }
  }

  private let flags: [UInt8] = [2, 1, 6]
  private let name: [UInt8] = [5, 9] + Array("Lamp".utf8)
  private let heartRate: [UInt8] = [3, 3, 0x0D, 0x18]
  private let battery: [UInt8] = [3, 3, 0x0F, 0x18]
  /// Manufacturer data: the company identifier, then the data.
  private func data(_ company: UInt8, _ bytes: UInt8...) -> [UInt8] { [UInt8(bytes.count + 3), 0xFF, company, 0] + bytes }
  /// Two private addresses.
  private let own: UInt64 = 0x5A00_0000_0001, other: UInt64 = 0x6B00_0000_0002

  @Test func advertisingOfOneAddress() throws {
    let a = try record { advertise(&$0, own, flags + heartRate + data(9, 1)) }
    let b = try record { advertise(&$0, own, flags + battery + data(9, 2)) }
    #expect(rows(a, a) == [])
    #expect(rows(a, b) == ["changed advertising; services: 180d → 180f; company_data: 090001 → 090002"])
  }

  @Test func advertisingUnderAnotherAddressIsMatchedByName() throws {
    let a = try record { advertise(&$0, own, flags + name + heartRate) }
    let b = try record { advertise(&$0, other, flags + name + battery) }
    #expect(rows(a, b) == ["changed advertising; services: 180d → 180f"])
  }

  @Test func advertisingUnderAnotherAddressIsMatchedByWhatItSays() throws {
    let a = try record { advertise(&$0, own, flags + heartRate + data(9, 1, 2)) }
    let b = try record { advertise(&$0, other, kind: 3, flags + heartRate + data(9, 7, 8)) }
    // A manufacturer's data change with the address.
    #expect(rows(a, b) == ["changed advertising; connectable: yes → no"])
    // With another company identifier, or an address that does not change, it is another device.
    let c = try record { advertise(&$0, other, kind: 3, flags + heartRate + data(10, 7, 8)) }
    #expect(rows(a, c) == [])
    let d = try record { advertise(&$0, other, type: 0, kind: 3, flags + heartRate + data(9, 7, 8)) }
    #expect(rows(a, d) == [])
  }

  @Test func whatSeveralAdvertiseTellsNoneOfThem() throws {
    let a = try record {
      advertise(&$0, own, flags + heartRate)
      advertise(&$0, own + 1, flags + heartRate)
    }
    let b = try record { advertise(&$0, other, kind: 3, flags + heartRate) }
    #expect(rows(a, b) == [])
  }

  @Test func aDeviceThatIsConnectedUnderAnotherAddressIsTheSame() throws {
    func play(_ scene: inout Scene, _ address: UInt64, _ answer: [UInt8]) {
      advertise(&scene, address, flags + heartRate + data(9, UInt8(address & 0xFF)))
      scene.connect(address, type: 1)
      scene.discover(0x2A19, at: 0x0010)
      scene.send([0x0A, 0x10, 0])
      scene.receive(answer)
    }
    let a = try record { play(&$0, own, [0x0B, 80]) }
    let b = try record { play(&$0, other, [0x01, 0x0A, 0x10, 0, 0x05]) }
    #expect(rows(a, b) == ["changed read; status: ok → insufficient authentication"])
  }

  // MARK: Permissions

  private func read(_ scene: inout Scene, _ answer: [UInt8]) {
    scene.send([0x0A, 0x10, 0])
    scene.receive(answer)
  }

  private let value: [UInt8] = [0x0B, 80], refusal: [UInt8] = [0x01, 0x0A, 0x10, 0, 0x05]

  @Test func whatOneRefusesAndTheOtherAllows() throws {
    let a = try record { scene in
      scene.connect()
      scene.discover(0x2A19, at: 0x0010)
      read(&scene, refusal)
      scene.event(0x08, [0] + scene.little(scene.handle) + [1])
      read(&scene, value)
    }
    let b = try record { scene in
      scene.connect()
      scene.discover(0x2A19, at: 0x0010)
      read(&scene, value)
    }
    let found = rows(a, b)
    #expect(found.contains("changed characteristic 2a19; reading: insufficient authentication → allowed"), "\(found)")
    // Over an encrypted link both captures allow it, and a device that was not read without encryption shows nothing.
    let c = try record { scene in
      scene.connect()
      scene.discover(0x2A19, at: 0x0010)
      scene.event(0x08, [0] + scene.little(scene.handle) + [1])
      read(&scene, value)
    }
    #expect(!rows(a, c).contains { $0.contains("characteristic") })
  }

  @Test func aRefusalInARowIsReportedOnce() throws {
    func play(_ answer: [UInt8]) throws -> Recording {
      try record { scene in
        scene.connect()
        scene.discover(0x2A19, at: 0x0010)
        read(&scene, answer)
      }
    }
    #expect(rows(try play(value), try play(refusal)) == ["changed read; status: ok → insufficient authentication"])
  }

  // MARK: Several good captures

  /// A connection with writes of these values to an attribute, in order, and a read.
  private func session(
    _ written: [UInt8], status: UInt8 = 0, level: UInt8 = 80, interval: [UInt8] = [2, 1, 6], hasBattery: Bool = true
  ) throws -> Recording {
    try record { scene in
      advertise(&scene, 0xC0FF_EE00_0001, type: 0, interval + name)
      scene.connect(0xC0FF_EE00_0001)
      scene.discover(0xA539, at: 0x0020, service: 0xA50D, properties: 0x0A)
      if hasBattery { scene.discover(0x2A19, at: 0x0010) }
      for byte in written {
        scene.send([0x12, 0x20, 0, byte])
        scene.receive([0x13])
      }
      scene.send([0x0A, 0x20, 0])
      scene.receive(status == 0 ? [0x0B, level] : [0x01, 0x0A, 0x20, 0, status])
    }
  }

  /// Only redaction replaces each value consistently without a difference.
  @Test func otherValuesOfCapturesThatAreNotRedactedAreReported() throws {
    let found = rows(try session([1, 2, 1, 2, 3]), try session([7, 8, 7, 8, 9]))
    #expect(found.count == 5 && found.allSatisfy { $0.hasPrefix("changed write; value[0]") }, "\(found)")
  }

  @Test func aDeviceThatIsNotThereIsReported() throws {
    var options = CaptureComparison.Options()
    options.peers = [("Lamp", "Torch")]
    let recording = try session([1, 2])
    var comparison = CaptureComparison(good: [recording], bad: recording, options: options)
    #expect(comparison.run().notes == ["no device of scene has the address or name Torch"])
  }

  @Test func whatVariesAmongGoodCapturesIsNotReported() throws {
    let plain = try session([1, 2, 1, 2, 3])
    // A change that one good capture shows (added, removed, other or moved steps) may occur in the bad one, too.
    let variants: [(what: String, Recording)] = [
      ("added", try session([1, 2, 1, 2, 3, 9])), ("removed", try session([1, 2, 1, 3])),
      ("value", try session([1, 2, 1, 2, 3], level: 81)),
      ("status", try session([1, 2, 1, 2, 3], status: 0x0E)), ("advertising", try session([1, 2, 1, 2, 3], interval: [2, 1, 4])),
      ("moved", try session([2, 1, 1, 2, 3])), ("attribute", try session([1, 2, 1, 2, 3], hasBattery: false)),
    ]
    for (what, variant) in variants {
      let found = rows([plain], variant)
      #expect(what == "attribute" || !found.isEmpty, "\(what)")
      #expect(rows([plain, variant], variant) == [], "\(what)")
      #expect(rows([plain, variant], plain) == [], "\(what)")
      // Other changes are still reported.
      for (other, bad) in variants
      where other != what && other != "attribute" && ![what, other].allSatisfy({ ["value", "status"].contains($0) }) {
        #expect(rows([plain, variant], bad) == rows([plain], bad), "\(what) excuses \(other)")
      }
    }
  }
}
