import Bluetooth
import Memory
import Testing

@testable @_spi(Pipeline) import Profiles

/// A profile that was chosen only by a UUID or name of many devices reports nothing until its frames are valid.
@Suite struct ProfileTrialTests {
  private final class Bench {
    let engine: ProfileEngine
    let link: Int
    var frame = 0

    init(_ set: ProfileSet, services: [String], name: String? = nil, address: String? = nil) {
      engine = ProfileEngine(set)
      engine.usesTrials = true
      link = engine.connect(Self.facts(services, name, address))
    }

    static func facts(_ services: [String], _ name: String?, _ address: String?) -> PeerFacts {
      var facts = PeerFacts()
      facts.services = services.compactMap { BluetoothUUID($0) }
      facts.name = name
      facts.address = address
      return facts
    }

    /// The messages decoded from a value: the profile, and the message's name.
    func feed(_ uuid: String, _ hex: String, _ direction: ValueDirection = .notify, link: Int? = nil) -> [String] {
      frame += 1
      let link = link ?? self.link
      let slot = engine.slot(link, uuid: BluetoothUUID(uuid))
      guard slot >= 0, let bytes = [UInt8](hex: hex) else { return [] }
      _ = bytes.withBorrowedBytes { engine.feed(link, slot, direction, $0, frame: frame, time: Int64(frame) * 1_000_000) }
      return engine.messages.map { "\($0.profile.id) \($0.name ?? "-")" }
    }
  }

  private static let builtin = Result { try ProfileSet() }

  @Test func aChecksumConfirmsAtOnce() throws {
    let bench = Bench(try Self.builtin.get(), services: ["ffe0"])
    #expect(bench.feed("ffe1", "01030000005f05f2", .write) == ["lumentree request"])
    #expect(bench.engine.takeVerdicts().map(\.isConfirmed) == [true])
    #expect(bench.feed("ffe1", "01030201", .notify) == [])
    #expect(bench.feed("ffe1", "00b9d4", .notify) == ["lumentree answer"])
  }

  @Test func framesThatDoNotFitAreReportedOnce() throws {
    let bench = Bench(try Self.builtin.get(), services: ["ffe0"], name: "Charger", address: "aa:bb:cc:00:00:01")
    for index in 0..<20 {
      let byte = String(index + 16, radix: 16)
      #expect(bench.feed("ffe1", "0f5500" + byte + "00112233445566778899aabbccddeeff", .notify) == [])
    }
    let verdicts = bench.engine.takeVerdicts()
    #expect(verdicts.map(\.profile.id) == ["lumentree"])
    #expect(verdicts.map(\.isConfirmed) == [false])
    #expect(verdicts.first?.frames == [1, 2, 3])
    // The next connection to the device does not restart the trial.
    bench.engine.disconnect(bench.link)
    let again = bench.engine.connect(Bench.facts(["ffe0"], "Charger", "aa:bb:cc:00:00:01"))
    for _ in 0..<20 { #expect(bench.feed("ffe1", "0f5500ff00112233445566778899aabbccddeeff", .notify, link: again) == []) }
    bench.engine.finish()
    #expect(bench.engine.takeVerdicts().isEmpty)
  }

  @Test func aWrongChecksumConfirmsNothing() throws {
    let bench = Bench(try Self.builtin.get(), services: ["ffe0"])
    #expect(bench.feed("ffe1", "01030000005f05f3", .write) == [])
    #expect(bench.engine.takeVerdicts().isEmpty)
    #expect(bench.feed("ffe1", "01030000005f05f2", .write) == ["lumentree request"])
  }

  /// Two profiles match the characteristic, and the name is not known: the one whose frames are valid gets it.
  @Test func theOneWhoseFramesHoldWins() throws {
    let set = try Self.builtin.get()
    let cbt = Bench(set, services: ["ffe0"])
    #expect(cbt.feed("ffe4", "aa55210400000000250d0a", .notify) == ["cbt-power-battery answer"])
    let bed = Bench(set, services: ["ffe0"])
    for _ in 0..<20 { #expect(bed.feed("ffe4", "edfe16000000000000000000000000aa", .notify) == []) }
    #expect(bed.engine.takeVerdicts().allSatisfy { !$0.isConfirmed })
  }

  /// Bytes that a profile takes as they come are no evidence for it: frames of another profile get that profile.
  @Test func bytesThatAnythingCanBeConfirmNothing() throws {
    let bench = Bench(try Self.builtin.get(), services: ["ff00"])
    for number in 0..<6 { #expect(bench.feed("ff02", "5a0117" + String(number + 16, radix: 16) + "0017", .write) == []) }
    #expect(bench.engine.takeVerdicts().allSatisfy { !$0.isConfirmed })
    #expect(bench.feed("ff02", "dda50300fffd77", .write) == ["jbd-bms request"])
  }

  /// Where only a length is checked, which any command has, commands without a name are evidence against the profile.
  @Test func unknownCommandsWithALengthConfirmNothing() throws {
    let bench = Bench(try Self.builtin.get(), services: ["ffe0"], address: "aa:bb:cc:00:00:03")
    for number in 0..<20 {
      let byte = String(number + 16, radix: 16)
      #expect(bench.feed("ffe2", "a55a02\(byte)0017\(byte)0d", .write) == [])
      #expect(bench.feed("ffe1", "a55a01\(byte)0011223344556677889900112233445566", .notify) == [])
    }
    #expect(bench.engine.takeVerdicts().allSatisfy { !$0.isConfirmed })
  }

  /// A name, a company identifier or a service that no other profile matches needs no trial.
  @Test func whatIsItsOwnIsBelievedAtOnce() throws {
    let bench = Bench(try Self.builtin.get(), services: ["fea6"])
    #expect(bench.feed("b5f90073-aa8d-11e3-9046-0002a5d5c51b", "020100", .notify) == ["gopro command_response"])
    #expect(bench.engine.takeVerdicts().isEmpty)
  }

  @Test func whoNamesAProfileIsBelieved() throws {
    let text = """
      profile: mine
      match: {services: [ffe0]}
      characteristics: {data: {uuid: ffe1, notify: {seq: [{id: a, type: u1}]}}}
      """.replacing("{seq: [{id: a, type: u1}]}", with: "one") + "\ntypes: {one: {seq: [{id: a, type: u1}]}}\n"
    for origin in [ProfileSet.Origin.given, .folder, .user] {
      let bench = Bench(try ProfileSet(builtin: false, texts: [(text, "mine.yaml", origin)]), services: ["ffe0"])
      #expect(bench.feed("ffe1", "01", .notify) == (origin == .user ? [] : ["mine one"]))
    }
  }

  /// Without markers, length and checksum, constant bytes prove nothing.
  @Test func bytesThatNeverChangeProveNothing() throws {
    let text = """
      profile: pulse
      match: {services: [fff0]}
      characteristics: {data: {uuid: fff1, notify: one}}
      types: {one: {seq: [{id: pulse, type: u1}, {id: kind, type: u1, enum: kind}]}}
      enums: {kind: {1: rest, 2: sport}}
      """
    let set = try ProfileSet(builtin: false, texts: [(text, "pulse.yaml", .user)])
    let still = Bench(set, services: ["fff0"])
    for _ in 0..<100 { #expect(still.feed("fff1", "4801") == []) }
    #expect(still.engine.takeVerdicts().isEmpty)
    let moving = Bench(set, services: ["fff0"])
    var messages: [String] = []
    for index in 0..<20 { messages += moving.feed("fff1", String(64 + index, radix: 16) + "01") }
    #expect(messages.count == 13)
    let other = Bench(set, services: ["fff0"], address: "aa:bb:cc:00:00:02")
    for index in 0..<20 { #expect(other.feed("fff1", String(64 + index, radix: 16) + "09") == []) }
    #expect(other.engine.takeVerdicts().map(\.isConfirmed) == [false])
  }

  @Test func sharedNumbersAreKnown() {
    for shared in [
      "ffe0", "fff0", "ffe5", "fee7", "0001", "1000", "6e400001-b5a3-f393-e0a9-e50e24dcca9e", "49535343-fe7d-4ae5-8fa9-9fafd205e455",
    ] {
      #expect(BluetoothUUID(shared)?.isShared == true, "\(shared)")
    }
    for own in ["fea6", "fee0", "fe95", "180d", "b5f90072-aa8d-11e3-9046-0002a5d5c51b"] {
      #expect(BluetoothUUID(own)?.isShared == false, "\(own)")
    }
    for loose in ["*", "TP_*", "DL-*", "???C??????", "HS*", "BMS-*"] { #expect(!isDistinctive(name: loose), "\(loose)") }
    for telling in ["HORIZON*", "ANT?BLE2*", "Flower care"] { #expect(isDistinctive(name: telling), "\(telling)") }
  }
}
