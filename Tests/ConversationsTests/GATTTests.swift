import Bluetooth
import CaptureScenes
import Captures
import Testing

@testable import Conversations

/// The attribute of a handle, and from when on it is known.
@Suite struct GATTTests {
  @Test func discoveryNamesWhatComesAfterAndBefore() throws {
    var scene = Scene()
    scene.connect()
    let early = scene.receive([0x1B, 0x19, 0, 80])
    scene.discover(0x2A19, at: 0x19)
    let late = scene.receive([0x1B, 0x19, 0, 81])
    let played = try scene.played()
    #expect(played.uuid(early) == "2a19")
    #expect(played.source(early) == .laterDiscovery)
    #expect(played.uuid(late) == "2a19")
    #expect(played.source(late) == .discovery)
    // Without a survey it is not known before the discovery.
    let live = try scene.played(withSurvey: false)
    #expect(live.source(early) == .none)
    #expect(live.source(late) == .discovery)
  }

  /// A descriptor that is found by its type belongs to the characteristic before it.
  @Test func aConfigurationThatIsReadByTypeBelongsToItsCharacteristic() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
    scene.receive([0x09, 7, 0x3C, 0, 0x18, 0x3D, 0, 0x19, 0x2A])
    scene.send([0x08, 1, 0, 0x3E, 0, 0x02, 0x29])
    scene.receive([0x09, 4, 0x3E, 0, 0, 0])
    let frame = scene.send([0x12, 0x3E, 0, 1, 0])
    scene.receive([0x13])
    let played = try scene.played()
    let descriptor = try #require(played[frame]).attribute
    let value = played.tables.characteristic(of: descriptor)
    #expect(value >= 0 && played.tables.attributes[Int(value)].handle == 0x3D)
  }

  /// Declarations that are read one by one by their handles describe the table like those of a discovery, if Find Information gave their types.
  @Test func declarationsThatAreReadByHandleAreUnderstood() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x04, 1, 0, 0xFF, 0xFF])
    scene.receive([0x05, 1, 0x10, 0, 0x00, 0x28, 0x11, 0, 0x03, 0x28, 0x12, 0, 0x19, 0x2A, 0x13, 0, 0x02, 0x29])
    for (handle, value) in [(0x10, [0x0F, 0x18]), (0x11, [0x12, 0x12, 0, 0x19, 0x2A])] as [(UInt8, [UInt8])] {
      scene.send([0x0A, handle, 0])
      scene.receive([0x0B] + value)
    }
    let frame = scene.send([0x12, 0x13, 0, 1, 0])
    let played = try scene.played()
    let tables = played.tables
    let known = tables.databases.flatMap { $0.attributes }.map { tables.attributes[Int($0)] }
    let value = try #require(known.first { $0.handle == 0x12 })
    #expect(value.kind == .value && value.properties == 0x12)
    let service = try #require(known.first { $0.handle == 0x10 })
    #expect(service.kind == .service && service.uuid >= 0 && tables.uuids[Int(service.uuid)].description == "180f")
    #expect(try tables.characteristic(of: #require(played[frame]).attribute) >= 0)
  }

  /// A server that gives a handle to a value, and later to its declaration: the earlier row keeps the value.
  @Test func aValueThatBecomesADeclarationStaysOne() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x08, 1, 0, 0xFF, 0xFF, 0x00, 0x2A])
    let read = scene.receive([0x09, 4, 0x2C, 0, 0x41, 0x42])
    scene.send([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
    scene.receive([0x09, 7, 0x2C, 0, 0x02, 0x2D, 0, 0x00, 0x2A])
    let played = try scene.played()
    let attribute = try #require(played[read]).attribute
    #expect(attribute >= 0 && played.tables.attributes[Int(attribute)].kind == .value)
  }

  @Test func handlesOfOnePeerSayNothingOfAnother() throws {
    var scene = Scene()
    scene.connect(0xc0ff_ee00_0001)
    scene.discover(0x2A19, at: 0x19)
    scene.handle = 0x41
    scene.connect(0xc0ff_ee00_0002)
    let other = scene.receive([0x1B, 0x19, 0, 80])
    scene.handle = 0x40
    let own = scene.receive([0x1B, 0x19, 0, 80])
    let played = try scene.played()
    #expect(played.uuid(other) == "")
    #expect(played.uuid(own) == "2a19")
  }

  @Test func theSamePeerKeepsItsTableOverConnections() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A19, at: 0x19)
    scene.disconnect()
    scene.handle = 0x52
    scene.connect()
    let again = scene.receive([0x1B, 0x19, 0, 80])
    #expect(try scene.played().uuid(again) == "2a19")
  }

  @Test func aConnectionHandleIsReusedByAnotherPeer() throws {
    var scene = Scene()
    scene.connect(0xc0ff_ee00_0001)
    scene.discover(0x2A19, at: 0x19)
    scene.disconnect()
    scene.connect(0xc0ff_ee00_0002)
    let other = scene.receive([0x1B, 0x19, 0, 80])
    let played = try scene.played()
    #expect(played.uuid(other) == "")
    #expect(played.tables.connections.count == 2)
    #expect(played.tables.connections.map(\.endReason) == [0x13, 0])
  }

  @Test func aNewConnectionUnderAHandleInUseEndsTheOldOne() throws {
    var scene = Scene()
    scene.connect(0xc0ff_ee00_0001)
    let request = scene.send([0x0A, 0x19, 0])
    scene.time += 31_000_000
    scene.connect(0xc0ff_ee00_0002)
    let stray = scene.receive([0x0B, 80])
    let played = try scene.played()
    #expect(played[request]?.responseFrame == 0)
    #expect(played[stray]?.requestFrame == 0)
    #expect(played.found.contains(.responseMissing(frame: request, opcode: 0x0A)))
  }

  @Test func serviceChangedDropsItsRangeFromThereOn() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A05, at: 0x08, service: 0x1801, properties: 0x20)
    scene.discover(0x2A19, at: 0x19)
    let before = scene.receive([0x1B, 0x19, 0, 80])
    scene.receive([0x1D, 0x08, 0, 0x10, 0, 0xFF, 0xFF])
    scene.send([0x1E])
    let after = scene.receive([0x1B, 0x19, 0, 81])
    let outside = scene.receive([0x1D, 0x08, 0, 0xFE, 0xFF, 0xFF, 0xFF])
    scene.discover(0x2A37, at: 0x19, service: 0x180D)
    let anew = scene.receive([0x1B, 0x19, 0, 82])
    for withSurvey in [true, false] {
      let played = try scene.played(withSurvey: withSurvey)
      #expect(played.uuid(before) == "2a19")
      #expect(played.uuid(outside) == "2a05")
      #expect(played.uuid(anew) == "2a37")
      // Packets in between get the name of the later discovery, never that of the dropped table.
      #expect(played.uuid(after) == (withSurvey ? "2a37" : ""))
    }
  }

  @Test func anotherDatabaseHashDropsTheTable() throws {
    var scene = Scene()
    let read: [UInt8] = [0x08, 1, 0, 0xFF, 0xFF, 0x2A, 0x2B]
    scene.connect()
    scene.send(read)
    scene.receive([0x09, 18, 0x0D, 0] + [UInt8](repeating: 0xAA, count: 16))
    scene.discover(0x2A19, at: 0x19)
    scene.disconnect()
    scene.connect()
    scene.send(read)
    scene.receive([0x09, 18, 0x0D, 0] + [UInt8](repeating: 0xAA, count: 16))
    let same = scene.receive([0x1B, 0x19, 0, 80])
    scene.disconnect()
    scene.connect()
    scene.send(read)
    scene.receive([0x09, 18, 0x0D, 0] + [UInt8](repeating: 0xBB, count: 16))
    let changed = scene.receive([0x1B, 0x19, 0, 80])
    for withSurvey in [true, false] {
      let played = try scene.played(withSurvey: withSurvey)
      #expect(played.uuid(same) == "2a19")
      #expect(played.uuid(changed) == "")
    }
  }

  @Test func anotherDiscoveryDoesNotRenameWhatWasBefore() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A19, at: 0x19)
    let old = scene.receive([0x1B, 0x19, 0, 80])
    scene.disconnect()
    scene.connect()
    scene.discover(0x2A37, at: 0x19, service: 0x180D)
    let new = scene.receive([0x1B, 0x19, 0, 80])
    let played = try scene.played()
    #expect(played.uuid(old) == "2a19")
    #expect(played.uuid(new) == "2a37")
  }

  @Test func bothSidesServe() throws {
    var scene = Scene()
    scene.connect()
    scene.discover(0x2A19, at: 0x19)
    // The peer discovers this host, which has another attribute at the same handle.
    scene.receive([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
    scene.send([0x09, 7, 0x18, 0, 0x02, 0x19, 0, 0x00, 0x2A])
    let request = scene.receive([0x0A, 0x19, 0])
    let own = scene.send([0x0A, 0x19, 0])
    let answer = scene.send([0x0B, 0x41])
    let other = scene.receive([0x0B, 80])
    let played = try scene.played()
    #expect(played.uuid(request) == "2a00")
    #expect(played.uuid(own) == "2a19")
    #expect(played[answer]?.requestFrame == request)
    #expect(played[other]?.requestFrame == own)
    #expect(played[request]?.flags.contains(.localServer) == true)
    #expect(played[own]?.flags.contains(.localServer) == false)
  }

  @Test func aSubscriptionIsGuessedAndMarked() throws {
    var scene = Scene()
    scene.connect(0xc0ff_ee00_0001)
    let write = scene.send([0x12, 0x1A, 0, 1, 0])
    scene.receive([0x13])
    let notification = scene.receive([0x1B, 0x19, 0, 80])
    // Another value gives no information.
    let other = scene.send([0x12, 0x30, 0, 7, 0])
    scene.receive([0x13])
    // This does not affect another peer.
    scene.handle = 0x41
    scene.connect(0xc0ff_ee00_0002)
    let stranger = scene.send([0x0A, 0x1A, 0])
    let played = try scene.played()
    #expect(played[write]?.meaning == .subscribe)
    #expect(played.uuid(write) == "2902")
    #expect(played.source(write) == .guess)
    #expect(played.source(other) == .none)
    #expect(played.source(stranger) == .none)
    let value = try #require(played[notification])
    #expect(played.tables.attributes[Int(value.attribute)].kind == .value)
    #expect(played.tables.attributes[Int(value.attribute)].properties == 0x10)
  }

  @Test func aDiscoveryReplacesAGuess() throws {
    var scene = Scene()
    scene.connect()
    scene.send([0x12, 0x30, 0, 1, 0])
    scene.receive([0x13])
    scene.discover(0x2A06, at: 0x30, service: 0x1802, properties: 0x08)
    let write = scene.send([0x12, 0x30, 0, 1, 0])
    let played = try scene.played(withSurvey: false)
    #expect(played.uuid(write) == "2a06")
    #expect(played.source(write) == .discovery)
    #expect(played[write]?.meaning == .write)
  }

  @Test func aCaptureFromTheMiddleOfAConnection() throws {
    var scene = Scene()
    let answer = scene.receive([0x0B, 80])
    let notification = scene.receive([0x1B, 0x19, 0, 80])
    scene.disconnect()
    scene.connect(0xc0ff_ee00_0001)
    let later = scene.receive([0x1B, 0x19, 0, 80])
    scene.discover(0x2A19, at: 0x19)
    let played = try scene.played()
    // The first response's request may be before the capture: it is not reported.
    #expect(!played.found.contains(.responseToNothing(opcode: 0x0B)))
    #expect(played[answer]?.flags.contains(.isUnsolicited) == true)
    // It is not known whether that was the same peer.
    #expect(played.uuid(notification) == "")
    #expect(played[notification]?.peer == -1)
    #expect(played.uuid(later) == "2a19")
    #expect(played.tables.connections.map(\.startFrame).first == 0)
  }
}
