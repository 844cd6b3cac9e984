import CaptureScenes
import Captures
@testable import Conversations
import Foundation
import Output
import Profiles
import Testing
import Text

@testable import Analysis

/// Every finding, in a capture that has it and in a similar capture that does not. The switch below covers all of them: a new finding does not
/// compile without its two captures.
@Suite struct FindingCaseTests {
  private static let profiles = Result {
    // A key for one device only, and a wrong one.
    var keys = ProfileKeys()
    keys.add([UInt8](repeating: 0, count: 16), of: "bthome", "bindkey", address: "c0:ff:ee:00:00:02")
    return try ProfileSet(builtin: true).with(keys)
  }

  /// One of each kind; the numbers do not matter.
  private static let kinds: [Finding.Kind] = [
    .fragmentWithoutStart(count: 3), .startWithoutEnd(frame: 3, count: 4, announced: 5), .lengthLies(announced: 3, present: 4),
    .wholePDUAsContinuation(count: 3), .reservedLLID(count: 3),
    .connectionRequestInvalid(hop: 3, channels: 4, interval: 3, latency: 4, timeout: 5), .startWithoutHeader(frame: 3, count: 4),
    .fragmentSurplus(count: 3), .frameCheckWrong, .framesMissing(count: 3, isForGood: true), .segmentsWrong(count: 3, announced: 4),
    .shortPacket(needed: 3, present: 4), .capturedLess(original: 3, captured: 4),
    .advertisingLengthLies(announced: 3, left: 4), .unknownPacketType(3), .timeJumps(by: 3, isLast: false), .dropped(count: 3),
    .notShown(count: 3), .tableFull(limit: 3, isLast: true), .badCRC(announced: 3), .responseToNothing(opcode: 3),
    .requestOverlaps(frame: 3, opcode: 4), .responseMissing(frame: 3, opcode: 4), .responseOpen(frame: 3, opcode: 4),
    .requestRefused(opcode: 3, error: 4), .securityNeverCame(frame: 3, error: 4), .valueExceedsMTU(count: 3, mtu: 4),
    .answerSlow(after: 3, interval: 4, request: 2), .answerTooLate(frame: 3, after: 4), .preparedPartDiffers(frame: 3),
    .reportExceedsMap(count: 4, size: 3), .streamOperationRejected(opcode: 3, id: 1, code: 4, reason: 0),
    .streamTransitionInvalid(id: 1, from: 1, to: 4, frame: 3), .notificationWithoutSubscription, .subscribedByCommand,
    .configurationSwapped,
    .answerMayBeMissed(answer: 3), .writeRepeated(frame: 3, after: 4), .connectionLost(reason: 3), .connectionFailed(error: 3, attempt: 4),
    .attemptOpen(frame: 3, waited: 4), .parametersRefused(.response, request: 3), .encryptionFailed(error: 3), .keyMissing,
    .pairingFailed(.reason(3)), .channelRefused(psm: 3, result: 4, isCreditBased: false, by: .peer, request: 2),
    .keyShort(size: 7, before: 16), .encryptedInPairing(frame: 3, isOnAir: false), .unjoinedAtEnd(count: 3),
    .profileUnfit(profile: "x", isWithdrawn: true),
    .answerMissed(answer: 3, request: 2),
    .messageIncomplete(count: 3, announced: 4), .messageSurplus(count: 3), .counterJumps(expected: 3, found: 4), .checksumWrong,
    .requestRepeated(frame: 3, after: 4), .requestUnanswered(frame: 3, waited: 4),
    .profileKeyMissing(profile: "x", key: "x.k", note: nil), .profileKeyWrong(profile: "x", key: "x.k", hasOpened: false),
  ]

  /// The list above has each name that the table has, once.
  @Test func everyRowOfTheTableIsTried() throws {
    let table = try String(contentsOfFile: "\(Package.root)/Sources/Analysis/Findings/FindingTexts.swift", encoding: .utf8)
    let names = table.matches(of: /\.init\(\s*"([a-z-]+)"/).map { String($0.output.1) }
    #expect(names.count >= Self.kinds.count)
    #expect(Set(names) == Set(Self.kinds.map { "\($0.metadata.id)" }))
    #expect(Set(names).count == Self.kinds.count)
  }

  @Test(arguments: kinds)
  func hasItsSentence(_ kind: Finding.Kind) {
    let out = TextBuffer()
    Finding(kind, frame: 1, time: 0, adapter: 0).explain(to: out, ConversationTables())
    #expect(out.count > 10, "\(kind)")
  }

  @Test(arguments: kinds)
  func appearsWhereItShouldAndOnlyThere(_ kind: Finding.Kind) throws {
    let (bad, good) = Self.captures(of: kind)
    let id = "\(kind.metadata.id)"
    let found = try Self.run(bad)
    let index = try #require(found.ids.firstIndex(of: id), "found only \(found.ids)")
    let finding = found.findings[index]
    #expect((1...bad.frame).contains(finding.frame))
    let sentence = found.texts[index]
    #expect(sentence.utf8.count > 10 && !sentence.hasSuffix("."), "\(sentence)")
    #expect(finding.advice.utf8CodeUnitCount > 10, "nothing is said of what to do")
    let well = try Self.run(good)
    #expect(!well.ids.contains(id), "\(well.texts)")
    #expect(well.alarms.isEmpty, "\(well.texts)")
  }

  /// Each error code of the specifications has its advice.
  @Test func everyErrorHasItsAdvice() {
    for error in UInt8.min...UInt8.max {
      let kinds: [Finding.Kind] = [
        .requestRefused(opcode: 1, error: error), .connectionLost(reason: error), .connectionFailed(error: error, attempt: nil),
        .encryptionFailed(error: error), .pairingFailed(.reason(error)), .pairingFailed(.error(error)),
        .requestRefused(opcode: 1, error: error, of: .descriptor), .requestRefused(opcode: 1, error: error, of: .swappedConfiguration),
        .channelRefused(psm: 3, result: error, isCreditBased: false, by: .host, request: 1),
        .channelRefused(psm: 3, result: error, isCreditBased: true, by: .host, request: 1),
      ]
      for kind in kinds { #expect(kind.metadata.advice.utf8CodeUnitCount > 10, "\(kind)") }
    }
  }

  private static func run(_ scene: Scene) throws -> Collector {
    var options = Timeline.Options()
    options.profiles = try profiles.get()
    let collector = Collector()
    _ = try Timeline(SceneSource(scene), options: options).run(CaptureFacts(name: "scene", title: "scene"), to: collector)
    return collector
  }

  private static func scene(_ play: (inout Scene) -> Void) -> Scene {
    var scene = Scene()
    play(&scene)
    return scene
  }

  /// A scene that begins with a connection.
  private static func connected(_ play: (inout Scene) -> Void) -> Scene {
    scene {
      $0.connect()
      play(&$0)
    }
  }

  /// A capture that has the finding, and a similar one that does not.
  private static func captures(of kind: Finding.Kind) -> (Scene, Scene) {
    switch kind {
    case .wholePDUAsContinuation, .reservedLLID, .connectionRequestInvalid, .startWithoutHeader, .fragmentWithoutStart, .startWithoutEnd,
      .lengthLies, .fragmentSurplus, .frameCheckWrong, .framesMissing, .segmentsWrong, .shortPacket,
      .capturedLess, .advertisingLengthLies,
      .unknownPacketType, .timeJumps, .dropped, .notShown, .tableFull, .badCRC:
      capture(kind)
    case .responseToNothing, .requestOverlaps, .responseMissing, .responseOpen, .requestRefused, .securityNeverCame, .valueExceedsMTU,
      .answerSlow, .answerTooLate, .preparedPartDiffers, .reportExceedsMap, .streamOperationRejected, .streamTransitionInvalid,
      .notificationWithoutSubscription, .subscribedByCommand, .configurationSwapped, .answerMayBeMissed, .writeRepeated:
      attributes(kind)
    case .connectionLost, .connectionFailed, .attemptOpen, .parametersRefused, .encryptionFailed, .keyMissing, .pairingFailed,
      .channelRefused, .keyShort, .encryptedInPairing:
      link(kind)
    case .unjoinedAtEnd, .profileUnfit, .profileKeyMissing, .profileKeyWrong, .answerMissed, .messageIncomplete, .messageSurplus,
      .counterJumps, .checksumWrong,
      .requestRepeated, .requestUnanswered:
      message(kind)
    }
  }

  // MARK: The capture and its packets

  private static func capture(_ kind: Finding.Kind) -> (Scene, Scene) {
    // A value in two fragments.
    let whole: [UInt8] = [7, 0, 4, 0, 0x52, 0x19, 0, 1, 2, 3, 4]
    let pieces: (inout Scene, Int?) -> Void = { scene, lost in
      if lost != 0 { scene.acl(.sent, isStart: true, Array(whole[..<6])) }
      if lost != 1 { scene.acl(.sent, isStart: false, Array(whole[6...])) }
      scene.send([0x52, 0x19, 0, 1])
    }
    let report: (Scene, UInt8) -> [UInt8] = { scene, length in
      [2, 1, 0, 1] + scene.octets(0xc0ff_ee00_0001) + [7, 2, 1, 6, length, 9, 0x4C, 0x61, 0xC8]
    }
    switch kind {
    case .fragmentWithoutStart: return (connected { pieces(&$0, 0) }, connected { pieces(&$0, nil) })
    case .startWithoutEnd: return (connected { pieces(&$0, 1) }, connected { pieces(&$0, nil) })
    case .wholePDUAsContinuation:
      // An unfragmented ATT Find Information Request with LLID 1; and a continuation without a start.
      let heard: (UInt8) -> Scene = { llid in
        scene {
          $0.sniffConnection()
          $0.air(.central, llid, [5, 0, 4, 0, 0x04, 1, 0, 0xFF, 0xFF])
        }
      }
      return (heard(1), heard(2))
    case .reservedLLID:
      let heard: (UInt8) -> Scene = { llid in
        scene {
          $0.sniffConnection()
          $0.air(.central, llid, [0x0C, 9, 0, 0, 0, 0])
        }
      }
      return (heard(0), heard(3))
    case .connectionRequestInvalid: return (scene { $0.sniffConnection(hop: 4) }, scene { $0.sniffConnection(hop: 16) })
    case .startWithoutHeader:
      // LL_LENGTH_RSP with LLID 2; and a PDU in two fragments.
      return (
        scene {
          $0.sniffConnection()
          $0.air(.peripheral, 2, [0x15, 0xFB, 0x00, 0x48, 0x08, 0xFB, 0x00, 0x48, 0x08])
          $0.air(.peripheral, 2, [3, 0, 4, 0, 0x03, 23, 0])
        },
        scene {
          $0.sniffConnection()
          $0.air(.peripheral, 2, [3, 0, 4, 0])
          $0.air(.peripheral, 1, [0x03, 23, 0])
        }
      )
    case .lengthLies:
      return (
        scene { $0.packet(.event, .received, [0x13, 9, 1, 0x40, 0, 1, 0]) },
        scene { $0.packet(.event, .received, [0x13, 5, 1, 0x40, 0, 1, 0]) }
      )
    case .fragmentSurplus:
      return (
        connected { $0.acl(.sent, isStart: true, [4, 0, 4, 0, 0x52, 0x19, 0, 1, 0xAA, 0xBB]) },
        connected { $0.acl(.sent, isStart: true, [4, 0, 4, 0, 0x52, 0x19, 0, 1]) }
      )
    case .shortPacket: return (connected { $0.send([0x52, 0x19]) }, connected { $0.send([0x52, 0x19, 0]) })
    case .capturedLess:
      let packet: [UInt8] = [0x40, 0, 8, 0, 4, 0, 4, 0, 0x52, 0x19, 0, 1]
      return (
        connected { $0.packet(.acl, .sent, Array(packet[..<10]), original: 12) }, connected { $0.packet(.acl, .sent, packet, original: 12) }
      )
    case .advertisingLengthLies:
      return (
        scene { $0.event(0x3E, report($0, 0x7F)) },
        scene {
          $0.event(0x3E, report($0, 3))
          // A report whose data continue in the next report (data status 01, then 00).
          let head: (Scene, UInt8) -> [UInt8] = { scene, status in
            [0x0D, 1, status, 0, 1] + scene.octets(0xc0ff_ee00_0002) + [1, 1, 1, 0x7F, 0xC8, 0, 0, 0] + [UInt8](repeating: 0, count: 6)
          }
          $0.event(0x3E, head($0, 0x20) + [4, 0x0A, 9, 0x41, 0x42])
          $0.event(0x3E, head($0, 0x00) + [7, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49])
        }
      )
    case .frameCheckWrong, .framesMissing, .segmentsWrong:
      let sequenced: (Bool) -> Scene = { isBad in
        scene {
          $0.sequencedChannel()
          $0.information(.received, 0, [6, 0, 1, 2, 3], segment: 1, spoiled: isBad && kind == .frameCheckWrong)
          // The frame between them is missing, or too short.
          if isBad, case .segmentsWrong = kind {
            $0.information(.received, 1, [4], segment: 2)
          } else if isBad {
            $0.information(.received, 2, [6], segment: 2)
            $0.supervisory(.sent, 0, next: 3)
          } else {
            $0.information(.received, 2, [6], segment: 2)
            $0.information(.received, 1, [4, 5], segment: 3)
          }
        }
      }
      return (sequenced(true), sequenced(false))
    case .unknownPacketType: return (scene { $0.packet(.unknownH4, .received, [0x77, 1]) }, scene { $0.event(0x13, [0]) })
    case .timeJumps:
      let clock: (Int64) -> Scene = { back in
        scene {
          $0.event(0x13, [0])
          $0.time -= back
          $0.event(0x13, [0])
        }
      }
      return (clock(2_000_000), clock(500_000))
    case .dropped:
      let lost: (UInt32) -> Scene = { drops in
        connected {
          $0.send([0x0A, 0x19, 0])
          $0.drops = drops
          // The response is among the dropped packets: the next request is not too early.
          if drops == 0 { $0.receive([0x0B, 1]) }
          $0.send([0x0A, 0x1B, 0])
          $0.receive([0x0B, 1])
        }
      }
      return (lost(2), lost(0))
    case .notShown:
      let missed: (Int) -> Scene = { missed in
        connected {
          $0.send([0x0A, 0x19, 0])
          $0.frame += missed
          // The response is among the packets that are not shown.
          if missed == 0 { $0.receive([0x0B, 1]) }
          $0.send([0x0A, 0x1B, 0])
          $0.receive([0x0B, 1])
        }
      }
      return (missed(3), missed(0))
    case .tableFull:
      let crowd: (Int) -> Scene = { count in
        scene { scene in
          for number in 0..<count {
            scene.adapter = UInt16(number / 3000)
            scene.handle = UInt16(number % 3000)
            scene.packet(.acl, .received, scene.little(scene.handle | 0x2000) + [7, 0, 3, 0, 4, 0, 0x0B, 1, 2])
          }
        }
      }
      return (crowd(ConversationTracker.maximumLinks + 20), crowd(ConversationTracker.maximumLinks))
    default:
      let advertisement: [UInt8] = [0x42, 12, 1, 0, 0, 0xEE, 0xFF, 0xC0, 5, 9, 0x4C, 0x61, 0x6D, 0x70]
      return (scene { $0.advertise(advertisement, isRight: false) }, scene { $0.advertise(advertisement) })
    }
  }

  // MARK: Attributes

  private static func attributes(_ kind: Finding.Kind) -> (Scene, Scene) {
    let read: [UInt8] = [0x0A, 0x19, 0]
    let answered: (Int64) -> Scene = { wait in
      connected {
        $0.send(read)
        $0.time += wait
        $0.receive([0x0B, 1])
      }
    }
    switch kind {
    case .responseToNothing:
      return (
        connected {
          $0.send(read)
          $0.receive([0x0B, 1])
          $0.receive([0x0B, 1])
        },
        // The request was sent before the capture began.
        scene {
          $0.receive([0x0B, 1])
          $0.send(read)
          $0.receive([0x0B, 1])
        }
      )
    case .requestOverlaps:
      return (
        connected {
          $0.send(read)
          $0.send(read)
          $0.receive([0x0B, 1])
        },
        connected {
          $0.send(read)
          // The peer sends a request of its own.
          $0.receive(read)
          $0.send([0x0B, 1])
          $0.receive([0x0B, 1])
        }
      )
    case .responseOpen: return (connected { $0.send(read) }, answered(0))
    case .responseMissing:
      return (
        connected {
          $0.send(read)
          $0.time += 31_000_000
          $0.disconnect(0x08)
        },
        // The connection ends before the transaction times out.
        connected {
          $0.send(read)
          $0.disconnect()
        }
      )
    case .requestRefused:
      return (
        connected {
          $0.send([0x12, 0x19, 0, 1])
          $0.receive([0x01, 0x12, 0x19, 0, 0x03])
        },
        // This error ends a discovery normally.
        connected {
          $0.send([0x10, 0x1B, 0, 0xFF, 0xFF, 0x00, 0x28])
          $0.receive([0x01, 0x10, 0x1B, 0, 0x0A])
        }
      )
    case .securityNeverCame:
      let refused: (Bool) -> Scene = { isEncrypted in
        connected {
          $0.send(read)
          $0.receive([0x01, 0x0A, 0x19, 0, 0x05])
          if isEncrypted { $0.event(8, [0] + $0.little(0x40) + [1]) }
          $0.disconnect()
        }
      }
      return (refused(false), refused(true))
    case .valueExceedsMTU:
      return (
        connected { $0.send([0x52, 0x19, 0] + [UInt8](repeating: 1, count: 21)) },
        connected {
          $0.send([0x02, 24, 0])
          $0.receive([0x03, 24, 0])
          $0.send([0x52, 0x19, 0] + [UInt8](repeating: 1, count: 21))
        }
      )
    case .answerSlow: return (answered(3_000_000), answered(40_000))
    case .answerTooLate: return (answered(31_000_000), answered(4_000_000_000))
    case .preparedPartDiffers:
      let prepared: (UInt8) -> Scene = { echoed in
        connected {
          $0.send([0x16, 0x19, 0, 0, 0, 1, 2])
          $0.receive([0x17, 0x19, 0, 0, 0, 1, echoed])
          $0.send([0x18, 1])
          $0.receive([0x19])
        }
      }
      return (prepared(3), prepared(2))
    case .reportExceedsMap:
      let typed: ([UInt8]) -> Scene = { report in
        scene {
          $0.keyboard()
          $0.typed(report)
        }
      }
      return (typed([0, 0, 4, 0, 0, 0, 0, 0, 9]), typed([0, 0, 4, 0, 0, 0, 0, 0]))
    case .streamOperationRejected:
      // The response to Enable for ASE 1: invalid state machine transition, or success.
      let enabled: (UInt8) -> Scene = { code in
        scene {
          $0.audioStreams()
          $0.endpoint([1, 1])
          $0.endpoint([1, 2, 1, 1, 0x10, 0x27, 0, 0, 2, 120, 0, 5, 20, 0, 0x40, 0x9C, 0])
          $0.send([0x52, 0x22, 0, 3, 1, 1, 0])
          $0.receive([0x1B, 0x22, 0, 3, 1, 1, code, 0])
        }
      }
      return (enabled(4), enabled(0))
    case .streamTransitionInvalid:
      let moved: ([UInt8]) -> Scene = { states in
        scene {
          $0.audioStreams()
          for state in states { $0.endpoint([1, state, 1, 1, 0]) }
        }
      }
      // Idle was read before the first notification: the client was not notified of the states in between.
      return (moved([2, 4]), moved([4, 6, 1, 2, 3, 3, 4, 2, 3, 4, 6, 0, 1, 6, 1]))
    case .notificationWithoutSubscription:
      return (
        connected { $0.receive([0x1B, 0x19, 0, 80]) },
        connected {
          $0.send([0x12, 0x1A, 0, 1, 0])
          $0.receive([0x13])
          $0.receive([0x1B, 0x19, 0, 80])
        }
      )
    case .subscribedByCommand:
      // The configuration is known; a command to an unknown handle is an ordinary value.
      let written: (Bool) -> Scene = { isKnown in
        connected {
          if isKnown { $0.discover(0xABE4, at: 0x19) }
          $0.send([0x52, 0x1A, 0, 1, 0])
          $0.receive([0x1B, 0x19, 0, 80])
        }
      }
      return (written(true), written(false))
    case .configurationSwapped:
      let configured: (UInt8, [UInt8]) -> Scene = { bits, response in
        connected {
          $0.discover(0xABE4, at: 0x19)
          $0.send([0x12, 0x1A, 0, 0, bits])
          $0.receive(response)
        }
      }
      // A server that refuses the value has another finding.
      return (configured(1, [0x13]), configured(0, [0x13]))
    case .answerMayBeMissed:
      let vendor: (Bool) -> Scene = { isSubscribed in
        connected {
          $0.send([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
          $0.receive([0x09, 7, 0x18, 0, 0x0C, 0x19, 0, 0xE9, 0xAB, 0x1B, 0, 0x10, 0x1C, 0, 0xE4, 0xAB])
          if isSubscribed {
            $0.send([0x12, 0x1D, 0, 1, 0])
            $0.receive([0x13])
          }
          $0.send([0x52, 0x19, 0, 1])
        }
      }
      return (vendor(false), vendor(true))
    default:
      let talk: (Int) -> Scene = { silent in
        connected {
          $0.step = 300_000
          $0.send([0x12, 0x1D, 0, 1, 0])
          $0.receive([0x13])
          for number in 0..<5 {
            $0.send([0x52, 0x19, 0, 1, 2])
            if number != silent { $0.receive([0x1B, 0x1C, 0, 1]) }
          }
        }
      }
      return (talk(3), talk(-1))
    }
  }

  // MARK: The link

  private static func link(_ kind: Finding.Kind) -> (Scene, Scene) {
    let attempt = [UInt8](repeating: 0, count: 25)
    let failed: (UInt8) -> [UInt8] = { [1, $0] + [UInt8](repeating: 0, count: 17) }
    switch kind {
    case .connectionLost: return (connected { $0.disconnect(0x08) }, connected { $0.disconnect(0x13) })
    case .connectionFailed:
      return (
        scene {
          $0.command(0x200D, attempt)
          $0.event(0x3E, failed(0x3E))
        },
        scene {
          $0.command(0x200D, attempt)
          $0.command(0x200E, [])
          $0.event(0x3E, failed(0x02))
        }
      )
    case .attemptOpen:
      let waits: (Bool) -> Scene = { isCancelled in
        scene {
          $0.command(0x200D, attempt)
          $0.time += 20_000_000
          if isCancelled { $0.command(0x200E, []) }
          $0.event(0x13, [0])
        }
      }
      return (waits(false), waits(true))
    case .parametersRefused:
      let answered: (UInt8) -> Scene = { result in
        connected {
          $0.pdu(.received, 5, [0x12, 1, 8, 0, 6, 0, 12, 0, 0, 0, 100, 0])
          $0.pdu(.sent, 5, [0x13, 1, 2, 0, result, 0])
        }
      }
      return (answered(1), answered(0))
    case .encryptionFailed:
      // As in a sniffer's capture: the peripheral has no key, or encryption starts.
      let encrypted: (Bool) -> Scene = { isRefused in
        scene {
          $0.sniffConnection()
          $0.air(.central, 3, [0x03] + [UInt8](repeating: 7, count: 22))
          $0.air(.peripheral, 3, isRefused ? [0x0D, 0x06] : [0x05])
        }
      }
      return (encrypted(true), encrypted(false))
    case .keyMissing:
      return (
        connected { $0.command(0x201B, $0.little(0x40)) },
        connected { $0.command(0x201A, $0.little(0x40) + [UInt8](repeating: 9, count: 16)) }
      )
    // The peer asks again after it paired.
    case .channelRefused:
      let asked: (Bool) -> Scene = { isAllowed in
        connected {
          for (identifier, result): (UInt8, UInt8) in isAllowed ? [(1, 5), (2, 0)] : [(1, 5), (2, 5)] {
            $0.pdu(.received, 5, [0x14, identifier, 10, 0, 0x80, 0, 0x40, 0, 64, 0, 64, 0, 8, 0])
            $0.pdu(.sent, 5, [0x15, identifier, 10, 0, 0x41, 0, 64, 0, 64, 0, 8, 0, result, 0])
          }
        }
      }
      return (asked(false), asked(true))
    case .encryptedInPairing:
      let paired: (Bool) -> Scene = { isComplete in
        connected {
          $0.pair(isSecure: true, isComplete: isComplete)
          $0.event(8, [0] + $0.little(0x40) + [1])
        }
      }
      return (paired(false), paired(true))
    case .keyShort:
      let paired: (UInt8) -> Scene = { size in
        connected {
          $0.pair(isSecure: false, keySizes: (16, size))
          $0.event(8, [0] + $0.little(0x40) + [1])
        }
      }
      return (paired(7), paired(16))
    default:
      let paired: ([UInt8]) -> Scene = { answer in
        connected {
          $0.pdu(.sent, 6, [0x01, 3, 0, 1, 16, 1, 1])
          $0.pdu(.received, 6, answer)
        }
      }
      return (paired([0x05, 0x05]), paired([0x02, 3, 0, 1, 16, 1, 1]))
    }
  }

  // MARK: Messages of profiles

  /// A camera's query (0x37) and query-answer (0x39).
  private static func camera(_ play: (inout Scene) -> Void, isSubscribed: Bool = true) -> Scene {
    connected { scene in
      scene.discoverCamera(isSubscribed: isSubscribed)
      play(&scene)
    }
  }

  private static let query: [UInt8] = [0x12, 0x37, 0, 0x02, 0x13, 0x46]
  private static let answer: [UInt8] = [0x1B, 0x39, 0, 0x05, 0x13, 0x00, 0x46, 0x01, 0x49]

  /// A response of 40 bytes in three packets: a 13-bit length, then continuations 0 and 1.
  private static func pieces(_ play: @escaping (inout Scene, [[UInt8]]) -> Void) -> Scene {
    let payload: [UInt8] = [0x13, 0x00, 0x1E, 36] + [UInt8](repeating: 0x41, count: 36)
    let packets = [[0x20, 40] + payload[..<18], [0x80] + payload[18..<37], [0x81] + payload[37...]]
    return camera { scene in
      scene.send(query)
      scene.receive([0x13])
      play(&scene, packets.map { [0x1B, 0x39, 0] + $0 })
    }
  }

  private static func message(_ kind: Finding.Kind) -> (Scene, Scene) {
    let requested: (inout Scene) -> Void = {
      $0.send(query)
      $0.receive([0x13])
      $0.receive(answer)
    }
    let whole = pieces { scene, packets in for packet in packets { scene.receive(packet) } }
    switch kind {
    case .unjoinedAtEnd:
      return (
        camera {
          requested(&$0)
          $0.receive([0x1B, 0x39, 0, 0x83, 1, 2, 3])
        }, whole
      )
    case .profileUnfit:
      // No packet begins like a camera's.
      return (camera { for _ in 0..<3 { $0.receive([0x1B, 0x39, 0, 0x83, 1, 2, 3]) } }, camera { requested(&$0) })
    case .profileKeyMissing: return (sensors([1], isEncrypted: true), sensors([1], isEncrypted: false))
    case .profileKeyWrong: return (sensors([2], isEncrypted: true), sensors([2], isEncrypted: false))
    case .answerMissed:
      // Where a response comes all the same, the subscription is older than the log.
      return (
        camera(
          {
            $0.send(query)
            $0.receive([0x13])
          }, isSubscribed: false), camera({ requested(&$0) }, isSubscribed: false)
      )
    case .messageIncomplete:
      return (
        pieces { scene, packets in
          scene.receive(packets[0])
          scene.receive(answer)
        }, whole
      )
    case .messageSurplus:
      return (pieces { scene, packets in for packet in packets { scene.receive(packet + (packet == packets[2] ? [1, 2] : [])) } }, whole)
    case .counterJumps:
      return (
        pieces { scene, packets in
          scene.receive(packets[0])
          scene.receive(packets[2])
        }, whole
      )
    case .checksumWrong: return (firmware([0x00, 0x00]), firmware([0x7B, 0xF3]))
    case .requestRepeated:
      let twice: (Bool) -> Scene = { isAnswered in
        camera {
          $0.send(query)
          $0.receive([0x13])
          if isAnswered { $0.receive(answer) }
          $0.time += 1_000_000
          requested(&$0)
        }
      }
      return (twice(false), twice(true))
    default:
      let waited: (Bool) -> Scene = { isAnswered in
        camera {
          $0.send(query)
          $0.receive([0x13])
          if isAnswered { $0.receive(answer) }
          $0.time += 5_000_000
          $0.disconnect()
        }
      }
      return (waited(false), waited(true))
    }
  }

  /// Sensors that advertise their measurements, with the example of bthome.io; the second one's key is given, and wrong.
  private static func sensors(_ devices: [UInt64], isEncrypted: Bool) -> Scene {
    scene { scene in
      let sealed: [UInt8] = [0x41, 0xA4, 0x72, 0x66, 0xC9, 0x5F, 0x73, 0, 0x11, 0x22, 0x33, 0x78, 0x23, 0x72, 0x14]
      let value = isEncrypted ? sealed : [0x40, 0x02, 0xC4, 0x09, 0x03, 0xBF, 0x13]
      let data = [UInt8(value.count + 3), 0x16, 0xD2, 0xFC] + value
      for device in devices {
        scene.event(0x3E, [2, 1, 0, 1] + scene.octets(0xC0FF_EE00_0000 + device) + [UInt8(data.count)] + data + [0xC8])
      }
    }
  }

  @Test func aKeyIsAskedForOnceForEachDevice() throws {
    let found = try Self.run(Self.sensors([1, 1, 3, 2, 1, 3, 2], isEncrypted: true))
    #expect(found.ids == ["profile-key-missing", "profile-key-missing", "profile-key-wrong"])
    #expect(found.findings.map(\.frame) == [1, 3, 4])
    #expect(found.texts[0].hasPrefix("encrypted, needs --key bthome.bindkey=HEX"))
  }

  /// A block of a firmware update, with its CRC.
  private static func firmware(_ crc: [UInt8]) -> Scene {
    connected { scene in
      // 00010203-0405-0607-0809-0a0b0c0d2b12, little-endian.
      let uuid: [UInt8] = [0x12, 0x2B, 0x0D, 0x0C, 0x0B, 0x0A, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
      scene.send([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
      scene.receive([0x09, 21, 0x18, 0, 0x06, 0x19, 0] + uuid)
      scene.send([0x52, 0x19, 0, 0, 0] + [UInt8](0..<16) + crc)
    }
  }
}
