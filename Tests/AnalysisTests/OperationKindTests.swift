import CaptureScenes
import Captures
import Conversations
import Testing

@testable import Analysis

/// Every kind of operation, once successful and once failed. The switch below covers all of them: a new kind does not compile without its two
/// captures.
@Suite struct OperationKindTests {
  @Test(arguments: Operation.Kind.allCases)
  func isReportedWithItsEnd(_ kind: Operation.Kind) throws {
    let (good, bad, ending) = Self.captures(of: kind)
    let operation = try #require(try OperationCollector.run(good).last { $0.kind == kind }, "not found")
    #expect(operation.ending == .succeeded)
    #expect(
      operation.frames.first == operation.frame && operation.frames.last == operation.endFrame
        && operation.frames.count == operation.frameCount)
    #expect(operation.start <= operation.end)
    // Values that a device sends by itself have no response, and end with the last value.
    guard let ending else { return }
    let wrong = try #require(try OperationCollector.run(bad).last { $0.kind == kind }, "not found where it goes wrong")
    #expect(wrong.ending == ending)
    if ending == .failed { #expect(wrong.status != 0 && !wrong.statusName.isEmpty) }
  }

  private static func connected(_ play: (inout Scene) -> Void) -> Scene {
    var scene = Scene()
    scene.connect()
    play(&scene)
    return scene
  }

  private static func scene(_ play: (inout Scene) -> Void) -> Scene {
    var scene = Scene()
    play(&scene)
    return scene
  }

  /// A connection as a sniffer hears it.
  private static func sniffed(_ play: (inout Scene) -> Void) -> Scene {
    scene {
      $0.sniffConnection()
      play(&$0)
    }
  }

  /// An ATT request and its response, and the same request rejected.
  private static func exchange(_ request: [UInt8], _ answer: [UInt8]) -> (Scene, Scene, Operation.Ending?) {
    (
      connected {
        $0.send(request)
        $0.receive(answer)
      },
      connected {
        $0.send(request)
        $0.receive([0x01, request[0]] + request[1...2] + [0x05])
      }, .failed
    )
  }

  /// Data of an RFCOMM channel, sent or received.
  private static func talk(_ lines: [(isSent: Bool, text: String)], _ first: [[UInt8]] = []) -> Scene {
    scene {
      $0.event(0x03, [0] + $0.little($0.handle) + $0.octets(0x0000_5e00_5331) + [1, 0])
      $0.pdu(.sent, 1, [0x02, 1, 4, 0, 3, 0, 0x41, 0])
      $0.pdu(.received, 1, [0x03, 1, 8, 0, 0x51, 0, 0x41, 0, 0, 0, 0, 0])
      let all = first.enumerated().map { ($0.offset % 2 == 0, $0.element) } + lines.map { ($0.isSent, Array($0.text.utf8)) }
      for (isSent, data) in all {
        $0.pdu(isSent ? .sent : .received, isSent ? 0x51 : 0x41, [0x23, 0xEF, UInt8(data.count << 1 | 1)] + data + [0x9A])
      }
    }
  }

  /// An OBEX request and its response, in a session that begins as the specification requires.
  private static func exchange(_ request: [UInt8], _ answer: [UInt8]) -> Scene {
    talk([], [[0x80, 0, 7, 0x10, 0, 3, 0xE8], [0xA0, 0, 7, 0x10, 0, 3, 0xE8], request, answer])
  }

  /// A key of a remote control, with the response type `answer`.
  private static func key(_ answer: UInt8) -> Scene {
    scene {
      $0.event(0x03, [0] + $0.little($0.handle) + $0.octets(0x0000_5e00_5331) + [1, 0])
      $0.pdu(.sent, 1, [0x02, 1, 4, 0, 0x17, 0, 0x41, 0])
      $0.pdu(.received, 1, [0x03, 1, 8, 0, 0x51, 0, 0x41, 0, 0, 0, 0, 0])
      $0.pdu(.sent, 0x51, [0x10, 0x11, 0x0E, 0, 0x48, 0x7C, 0x44, 0])
      $0.pdu(.received, 0x41, [0x12, 0x11, 0x0E, answer, 0x48, 0x7C, 0x44, 0])
    }
  }

  /// A successful capture, a failed one, and how the operation ended there.
  private static func captures(of kind: Operation.Kind) -> (Scene, Scene, Operation.Ending?) {
    let handle = Scene().little(0x40)
    switch kind {
    case .command:
      return (talk([(true, "AT+VGS=9\r"), (false, "\r\nOK\r\n")]), talk([(true, "AT+VGS=9\r"), (false, "\r\nERROR\r\n")]), .failed)
    case .control: return (key(9), key(10), .failed)
    // A report has no response.
    case .report: return (talk([(false, "\r\nRING\r\n")]), talk([(false, "\r\nRING\r\n")]), nil)
    // Key presses have no response.
    case .input:
      let typed = scene {
        $0.keyboard()
        $0.typed([0, 0, 4, 0, 0, 0, 0, 0])
        $0.typed([UInt8](repeating: 0, count: 8))
      }
      return (typed, typed, nil)
    // The server notifies its states; a rejected operation does not end the stream.
    case .stream:
      let released = scene {
        $0.audioStreams()
        $0.endpoint([1, 1])
        $0.endpoint([1, 2, 1, 1, 0x10, 0x27, 0, 0, 2, 120, 0, 5, 20, 0, 0x40, 0x9C, 0])
        $0.endpoint([1, 6])
        $0.endpoint([1, 0])
      }
      return (released, released, nil)
    case .get: return (exchange([0x83, 0, 3], [0xA0, 0, 3]), exchange([0x83, 0, 3], [0xC4, 0, 3]), .failed)
    case .put: return (exchange([0x82, 0, 3], [0xA0, 0, 3]), exchange([0x82, 0, 3], [0xC3, 0, 3]), .failed)
    case .session: return (exchange([0x81, 0, 3], [0xA0, 0, 3]), exchange([0x81, 0, 3], [0xD3, 0, 3]), .failed)
    case .scan:
      return (
        scene {
          $0.command(0x200C, [1, 0])
          $0.event(0x3E, [2, 1, 0, 0] + $0.octets(7) + [0, 0xC8])
          $0.command(0x200C, [0, 0])
        },
        scene {
          let command = $0.command(0x200C, [1, 0])
          #expect(command == 1)
          $0.event(0x0F, [0x0C, 1, 0x0C, 0x20])
        }, .failed
      )
    case .inquiry:
      return (
        scene {
          $0.command(0x0401, [0x33, 0x8B, 0x9E, 8, 0])
          $0.event(0x02, [1] + $0.octets(7) + [0, 0, 0, 0, 0, 0, 0, 0])
          $0.event(0x01, [0])
        },
        scene {
          $0.command(0x0401, [0x33, 0x8B, 0x9E, 8, 0])
          $0.command(0x0402, [])
        }, .cancelled
      )
    case .connect:
      let attempt = [UInt8](repeating: 0, count: 25)
      return (
        scene {
          $0.command(0x200D, attempt)
          $0.connect()
        }, scene { $0.command(0x200D, attempt) }, .open
      )
    case .disconnect: return (connected { $0.disconnect(0x13) }, connected { $0.disconnect(0x08) }, .failed)
    case .mtu: return exchange([0x02, 0xB9, 0], [0x03, 0x05, 2])
    case .dataLength:
      return (
        sniffed {
          $0.air(.central, 3, [0x14, 251, 0, 0x48, 8, 251, 0, 0x48, 8])
          $0.air(.peripheral, 3, [0x15, 251, 0, 0x48, 8, 251, 0, 0x48, 8])
        },
        connected {
          $0.command(0x2022, handle + [251, 0, 0x48, 8])
          $0.event(0x0F, [0x1A, 1, 0x22, 0x20])
        }, .failed
      )
    case .phy:
      return (
        connected {
          $0.command(0x2032, handle + [0, 2, 2, 0, 0])
          $0.event(0x3E, [0x0C, 0] + handle + [2, 2])
        },
        sniffed {
          $0.air(.central, 3, [0x16, 2, 2])
          $0.air(.peripheral, 3, [0x07, 0x16])
        }, .failed
      )
    case .parameters:
      return (
        connected {
          $0.command(0x2013, handle + [6, 0, 12, 0, 0, 0, 100, 0, 0, 0, 0, 0])
          $0.event(0x3E, [3, 0] + handle + [12, 0, 0, 0, 100, 0])
        },
        sniffed {
          $0.air(.peripheral, 3, [0x0F] + [UInt8](repeating: 6, count: 23))
          $0.air(.central, 3, [0x11, 0x0F, 0x3B])
        }, .failed
      )
    case .discovery: return exchange([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28], [0x11, 6, 1, 0, 9, 0, 0x00, 0x18])
    case .read: return exchange([0x0A, 0x19, 0], [0x0B, 80])
    case .write: return exchange([0x12, 0x19, 0, 1], [0x13])
    case .subscribe:
      return (
        connected {
          $0.discover(0x2A19, at: 0x19)
          $0.send([0x12, 0x1A, 0, 1, 0])
          $0.receive([0x13])
        },
        connected {
          $0.discover(0x2A19, at: 0x19)
          $0.send([0x12, 0x1A, 0, 1, 0])
          $0.receive([0x01, 0x12, 0x1A, 0, 0x05])
        }, .failed
      )
    case .unsubscribe:
      return (
        connected {
          $0.discover(0x2A19, at: 0x19)
          $0.send([0x12, 0x1A, 0, 0, 0])
          $0.receive([0x13])
        },
        connected {
          $0.discover(0x2A19, at: 0x19)
          $0.send([0x12, 0x1A, 0, 0, 0])
          $0.disconnect(0x08)
        }, .unanswered
      )
    case .preparedWrite:
      let prepared: (UInt8) -> Scene = { flags in
        connected {
          $0.send([0x16, 0x19, 0, 0, 0, 1, 2])
          $0.receive([0x17, 0x19, 0, 0, 0, 1, 2])
          $0.send([0x18, flags])
          $0.receive([0x19])
        }
      }
      return (prepared(1), prepared(0), .cancelled)
    case .writeCommand: return (connected { $0.send([0x52, 0x19, 0, 1]) }, Scene(), nil)
    case .notification: return (connected { $0.receive([0x1B, 0x19, 0, 1]) }, Scene(), nil)
    case .data:
      return (
        sniffed {
          $0.air(.central, 3, [0x05])
          $0.air(.central, 2, [9, 8, 7, 6, 5, 4, 3, 2, 1])
        }, Scene(), nil
      )
    case .indication:
      return (
        connected {
          $0.receive([0x1D, 0x19, 0, 80])
          $0.send([0x1E])
        },
        connected {
          $0.receive([0x1D, 0x19, 0, 80])
          $0.disconnect(0x08)
        }, .unanswered
      )
    case .pairing:
      return (
        connected {
          $0.pair(isSecure: false)
          $0.event(8, [0] + handle + [1])
        },
        connected {
          $0.pdu(.sent, 6, [0x01, 3, 0, 1, 16, 1, 1])
          $0.pdu(.received, 6, [0x05, 0x08])
        }, .failed
      )
    case .encryption:
      return (
        sniffed {
          $0.air(.central, 3, [0x03] + [UInt8](repeating: 7, count: 22))
          $0.air(.peripheral, 3, [0x04] + [UInt8](repeating: 7, count: 12))
          $0.air(.peripheral, 3, [0x05])
        },
        sniffed {
          $0.air(.central, 3, [0x03] + [UInt8](repeating: 7, count: 22))
          $0.air(.peripheral, 3, [0x0D, 0x06])
        }, .failed
      )
    case .channel:
      let opened: (UInt8) -> Scene = { result in
        connected {
          $0.pdu(.sent, 5, [0x14, 1, 10, 0, 0x80, 0, 0x40, 0, 64, 0, 64, 0, 8, 0])
          $0.pdu(.received, 5, [0x15, 1, 10, 0, 0x41, 0, 64, 0, 64, 0, 8, 0, result, 0])
        }
      }
      return (opened(0), opened(2), .failed)
    case .nameRequest:
      let named: (UInt8) -> Scene = { status in
        scene {
          $0.command(0x0419, $0.octets(7) + [0, 0, 0, 0])
          $0.event(0x07, [status] + $0.octets(7) + Array("Lamp".utf8) + [0])
        }
      }
      return (named(0), named(0x04), .failed)
    }
  }

  // MARK: A complete connection in a sniffer's capture

  @Test func aSniffedConnectionIsReportedLikeOneOfAHost() throws {
    let scene = Self.sniffed {
      $0.air(.central, 3, [0x16, 2, 2])
      $0.air(.peripheral, 3, [0x17, 2, 2])
      $0.air(.central, 3, [0x18, 2, 0, 9, 0])
      $0.air(.central, 2, [3, 0, 4, 0, 0x0A, 3, 0])
      $0.air(.peripheral, 2, [2, 0, 4, 0, 0x0B, 80])
      $0.air(.central, 3, [0x02, 0x13])
    }
    let operations = try OperationCollector.run(scene)
    #expect(operations.map(\.kind) == [.connect, .phy, .read, .disconnect])
    #expect(operations.map(\.ending) == [.succeeded, .succeeded, .succeeded, .succeeded])
    #expect(operations[1].frames == [2, 3, 4])
    #expect(operations[1].detail == "LE 2M out, unchanged in")
    #expect(operations[2].value == [80])
    #expect(operations[3].statusName.isEmpty == false)
  }

  /// Simple Pairing Complete has an address instead of a handle, and the device connects again later. A new key of an encrypted link is no operation.
  @Test func aPairingBelongsToItsConnection() throws {
    let operations = try OperationCollector.run(
      Self.scene {
        for isFirst in [true, false] {
          let handle = $0.little($0.handle)
          $0.event(0x03, [0] + handle + $0.octets(7) + [1, 0])
          $0.command(0x0411, handle)
          if isFirst { $0.event(0x36, [0] + $0.octets(7)) }
          $0.event(0x08, [0] + handle + [1])
          $0.event(0x30, [0] + handle)
          $0.disconnect()
        }
      })
    let secured = operations.filter { $0.kind == .pairing || $0.kind == .encryption }
    let kinds: [Operation.Kind] = secured.map { $0.kind }
    let expected: [Operation.Kind] = [.pairing, .encryption]
    #expect(kinds == expected)
    #expect(secured.allSatisfy { $0.ending == .succeeded })
  }

  @Test func aReadByTypeSaysWhatWasAskedFor() throws {
    let operations = try OperationCollector.run(
      Self.connected {
        $0.send([0x08, 1, 0, 0xFF, 0xFF, 0x00, 0x2A])
        $0.receive([0x01, 0x08, 1, 0, 0x0A])
      })
    #expect(operations.last?.kind == .read)
    #expect(operations.last?.ending == .failed)
    #expect(operations.last?.type ?? -1 >= 0)
  }

  // MARK: Listening

  /// Values that the device had queued when the app subscribed are not responses to the app's request.
  @Test func dataLeftFromBefore() throws {
    let period: (Int64, Bool) throws -> SubscriptionTracker.Period = { silence, isAnswered in
      var scene = Self.connected {
        $0.send([0x12, 0x1A, 0, 1, 0])
        $0.receive([0x13])
        for part: UInt8 in 0..<3 { $0.receive([0x1B, 0x19, 0, part, 7, 7]) }
      }
      let last = scene.frame
      scene.time += silence
      scene.send([0x52, 0x1E, 0, 1])
      if isAnswered { scene.receive([0x1B, 0x19, 0, 9]) }
      let summary = Summary()
      _ = try Timeline(SceneSource(scene)).run(CaptureFacts(name: "scene", title: "scene"), to: summary)
      let period = try #require(summary.outcome.subscriptions.periods.first)
      #expect(period.early == 3 && period.earlyBytes == 9 && period.earlyFrame == last)
      return period
    }
    let left = try period(500_000, true)
    #expect(left.isLeftOver)
    #expect(left.silence == 510_000)
    // This does not apply to a stream that goes on, nor without a response.
    #expect(try !period(0, true).isLeftOver)
    #expect(try !period(500_000, false).isLeftOver)
  }
}
