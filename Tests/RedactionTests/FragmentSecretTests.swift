import Bluetooth
import CaptureScenes
import Captures
import Conversations
import Profiles
@testable import Redaction
import Testing

/// Advertising data in several reports, commands or packets: a name that continues in the next one may read as structures there.
@Suite struct FragmentSecretTests {
  /// Letters that read as a structure with a 128-bit UUID, and the length of this structure.
  private static let name = Array("Kitchen of !Grandma Adelheid, 4th floor and garden house".utf8)
  private static let begun = 11
  /// The structure behind the name, a list of UUIDs, which is kept.
  private static let services: [UInt8] = [5, 3, 0x0D, 0x18, 0x0F, 0x18]
  private static let advertiser: [UInt8] = [0x21, 0x43, 0x65, 0x87, 0xA9, 0xCB]

  /// Advertising data with the name, in three parts: the second begins within the name.
  private static func parts() -> [[UInt8]] {
    let data = [2, 1, 6, UInt8(name.count + 1), 9] + name + services
    // " !" is a length of 32 and the type of service data with a 128-bit UUID.
    let cut = 5 + begun - 1
    return [Array(data[..<cut]), Array(data[cut..<cut + 40]), Array(data[(cut + 40)...])]
  }

  private static func extended(_ part: [UInt8], status: UInt8, _ address: [UInt8] = advertiser) -> [UInt8] {
    [0x0D, 1, status << 5, 0, 1] + address + [1, 0, 2, 0x7F, 0xC4, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(part.count)] + part
  }

  private func expectNothing(
    _ scene: Scene, _ target: CaptureTarget = CaptureTarget(.btsnoop, linkType: 1002), stays: [UInt8]? = nil, isDamaged: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var options = Redaction.Options()
    options.profiles = try ProfileSet()
    let (original, once) = try Redacted.scene(scene, target, options: options)
    let ending = if target.format == .pcapng { "pcapng" } else { "capture" }
    let twice = try Redacted(once.file.path, target, ending, options: options)
    for redacted in [once, twice] {
      let bytes = redacted.file.bytes
      for start in 0...Self.name.count - 4 {
        let letters = Array(Self.name[start..<start + 4])
        let isLeft = contains(letters, in: bytes)
        #expect(!isLeft, "\(String(decoding: letters, as: UTF8.self))", sourceLocation: sourceLocation)
      }
      if let stays {
        let isThere = contains(stays, in: bytes)
        #expect(isThere, sourceLocation: sourceLocation)
      }
      #expect(try redacted.check(options) == [], sourceLocation: sourceLocation)
      // In damaged data little more than the lengths of structures is kept.
      if isDamaged { continue }
      let differences = try Shape.differences(original.path, redacted.file.path)
      #expect(differences.isEmpty, "\(differences)", sourceLocation: sourceLocation)
    }
  }

  /// A text in place of advertising data, which reads as a structure that is longer than the data: with a 32-bit UUID, or with eight bytes of times.
  @Test(arguments: ["I am Klara Zweckendorf", "A 4711 Bielefeld, 5", "r2-99 Bielefeld, 4711"]) func dataThatAreAText(_ text: String) throws
  {
    var scene = Scene()
    let data = Array(text.utf8)
    scene.event(0x3E, [2, 1, 0, 1] + Self.advertiser + [UInt8(data.count)] + data + [0xC4])
    let (original, redacted) = try Redacted.scene(scene, CaptureTarget(.btsnoop, linkType: 1002))
    for start in 0...data.count - 4 {
      let part = Array(data[start..<start + 4])
      let (wasThere, isLeft) = (contains(part, in: original.bytes), contains(part, in: redacted.file.bytes))
      #expect(wasThere && !isLeft, "\(String(decoding: part, as: UTF8.self))")
    }
    #expect(try redacted.check() == [])
  }

  /// LE Extended Advertising Reports: complete structures are kept.
  @Test func extendedReports() throws {
    var scene = Scene()
    for (part, status) in zip(Self.parts(), [1, 1, 0] as [UInt8]) { scene.event(0x3E, Self.extended(part, status: status)) }
    try expectNothing(scene, stays: Self.services)
  }

  /// Several reports of one event.
  @Test func reportsOfOneEvent() throws {
    var scene = Scene()
    let reports = zip(Self.parts(), [1, 1, 0] as [UInt8]).map { Array(Self.extended($0, status: $1)[2...]) }
    scene.event(0x3E, [0x0D, 3] + reports.joined())
    try expectNothing(scene, stays: Self.services)
  }

  /// Alternating reports of two devices, whose data cannot be joined for both.
  @Test func reportsInTurns() throws {
    var scene = Scene()
    let other: [UInt8] = [9, 8, 7, 6, 5, 0xC4]
    for (part, status) in zip(Self.parts(), [1, 1, 0] as [UInt8]) {
      scene.event(0x3E, Self.extended(part, status: status))
      scene.event(0x3E, Self.extended(part, status: status, other))
    }
    try expectNothing(scene)
  }

  /// Data that the controller truncated are incomplete.
  @Test func reportsThatEndEarly() throws {
    var scene = Scene()
    for (part, status) in zip(Self.parts().prefix(2), [1, 2] as [UInt8]) { scene.event(0x3E, Self.extended(part, status: status)) }
    // The next data begin anew.
    scene.event(0x3E, Self.extended(Self.services, status: 0))
    try expectNothing(scene, stays: Self.services)
  }

  /// Periodic advertising, in both versions of its report, and responses to it.
  @Test(arguments: [0x0F, 0x25, 0x28] as [UInt8]) func periodicReports(_ code: UInt8) throws {
    var scene = Scene()
    let established: [UInt8] = [0x0E, 0, 0x07, 0, 2, 1] + Self.advertiser + [1, 0x20, 0, 0]
    scene.event(0x3E, established)
    for (part, status) in zip(Self.parts(), [1, 1, 0] as [UInt8]) {
      let head: [UInt8] =
        switch code {
        case 0x0F: [code, 7, 0, 0x7F, 0xC4, 0xFF, status]
        case 0x25: [code, 7, 0, 0x7F, 0xC4, 0xFF, 1, 0, 0, status]
        default: [code, 7, 0, 0, 1, 0x7F, 0xC4, 0xFF, 4, status]
        }
      scene.event(0x3E, head + [UInt8(part.count)] + part)
    }
    try expectNothing(scene, stays: code == 0x28 ? nil : Self.services)
  }

  /// Commands that set data in parts.
  @Test(arguments: [0x2037, 0x2038, 0x203F] as [UInt16]) func commands(_ opcode: UInt16) throws {
    var scene = Scene()
    for (part, operation) in zip(Self.parts(), [1, 0, 2] as [UInt8]) {
      let preference: [UInt8] = opcode == 0x203F ? [] : [1]
      scene.command(opcode, [3, operation] + preference + [UInt8(part.count)] + part)
    }
    // Complete data have structures.
    let preference: [UInt8] = opcode == 0x203F ? [] : [1]
    scene.command(opcode, [3, 3] + preference + [UInt8(Self.services.count)] + Self.services)
    try expectNothing(scene, stays: Self.services)
  }

  /// AUX_CHAIN_IND behind AUX_ADV_IND, and without it where the sniffer missed it.
  @Test(arguments: [false, true], [false, true]) func chainsOnTheAir(isMissed: Bool, isRight: Bool) throws {
    var scene = Scene()
    let parts = Self.parts()
    func packet(_ header: [UInt8], _ data: [UInt8]) -> [UInt8] {
      [0x47, UInt8(1 + header.count + data.count), UInt8(header.count)] + header + data
    }
    // Flags of the extended header: address, AdvDataInfo, AuxPtr.
    let pointer: [UInt8] = [0x05, 0x40, 0]
    var air = RadioInfo()
    air.flags = RadioInfo.Flag.crcChecked | RadioInfo.Flag.auxiliary | RadioInfo.Flag.hasCRC | (isRight ? RadioInfo.Flag.crcOK : 0)
    func send(_ pdu: [UInt8]) {
      let crc = pdu.withUnsafeBytes {
        LinkLayer.crc(RawSpan(_unsafeBytes: $0), in: 0..<$0.count, initial: 0x555555) ^ (isRight ? 0 : 0x200)
      }
      let check = (0..<3).map { UInt8(truncatingIfNeeded: crc >> UInt32(8 * $0)) }
      scene.packet(.linkLayer, .unknown, [0xD6, 0xBE, 0x89, 0x8E] + pdu + check, radio: air)
    }
    if !isMissed { send(packet([0x19] + Self.advertiser + [0x34, 0x12] + pointer, parts[0])) }
    send(packet([0x18, 0x34, 0x12] + pointer, parts[1]))
    send(packet([0x08, 0x34, 0x12], parts[2]))
    // Another advertising set, whose data are in one packet.
    if isRight { send(packet([0x09] + Self.advertiser + [0x35, 0x12], Self.services)) }
    try expectNothing(scene, CaptureTarget(.pcap, linkType: 256), stays: isRight ? Self.services : nil, isDamaged: !isRight)
  }
}
