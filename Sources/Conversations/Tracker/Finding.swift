/// An error or another notable fact in a capture: its kind and location. Severity, sentence and advice of each kind are in one table (Analysis,
/// `Findings/FindingTexts.swift`). To add a finding, add a case here and its row there.
public struct Finding: Sendable {
  /// What came instead of the rest of an L2CAP PDU.
  public enum Interruption: Sendable {
    /// Another PDU of its sender, or the connection was silent for so long that its PDU was given up.
    case anotherPDU
    /// A sniffer, which may lack packets that the device received, heard something else.
    case otherPacketOnAir
    /// The connection ended.
    case disconnection
    /// The capture ended.
    case endOfCapture
  }

  /// The kind of finding. A `frame` is the number of a packet from 1, `after` and `waited` are µs, `announced` is a number of bytes that a header
  /// claims.
  public enum Kind: Sendable, Hashable {
    // The capture and its packets

    /// A sniffer received a complete L2CAP PDU as a continuation (LLID 1); with `control`, a control PDU with this opcode.
    case wholePDUAsContinuation(count: Int, control: UInt8? = nil)
    /// A PDU of the Link Layer whose LLID is reserved (0).
    case reservedLLID(count: Int)
    /// A connection request whose LLData violate the specification: hop increment, number of channels, connection interval in 1.25 ms, peripheral
    /// latency, supervision timeout in 10 ms.
    case connectionRequestInvalid(hop: UInt8, channels: UInt8, interval: UInt16, latency: UInt16, timeout: UInt16)
    /// The PDU of `frame` was received as the start of an L2CAP PDU (LLID 2), and has no L2CAP header.
    case startWithoutHeader(frame: Int, count: Int)
    /// A continuation without the start of its L2CAP PDU.
    case fragmentWithoutStart(count: Int)
    /// The L2CAP PDU that started in `frame` never ended: something else came `instead` of the rest.
    case startWithoutEnd(frame: Int, count: Int, announced: Int, instead: Interruption = .anotherPDU)
    /// A header announces more or fewer bytes than the packet has.
    case lengthLies(announced: Int, present: Int)
    /// The frame check sequence of an L2CAP frame is wrong.
    case frameCheckWrong
    /// I-frames before this one are missing; with `isForGood` they were lost on the air, else the receiver has them and only the capture lacks them.
    case framesMissing(count: Int, isForGood: Bool)
    /// The segments of an SDU do not add up to the `announced` bytes; nil where its start is missing.
    case segmentsWrong(count: Int, announced: Int?)
    /// Bytes after the end of the L2CAP PDU.
    case fragmentSurplus(count: Int)
    /// Fewer bytes than a packet of its kind needs.
    case shortPacket(needed: Int, present: Int)
    /// The first packet that the capture truncated.
    case capturedLess(original: Int, captured: Int)
    /// A structure of advertising data announces more bytes than are left.
    case advertisingLengthLies(announced: Int, left: Int)
    /// A packet type that H4 does not define.
    case unknownPacketType(UInt8)
    /// The clock jumps by this many µs. After `isLast`, jumps are not reported.
    case timeJumps(by: Int64, isLast: Bool)
    /// The capture dropped packets.
    case dropped(count: Int)
    /// Packets were captured but not shown, as the output was too slow.
    case notShown(count: Int)
    /// More entries than a table holds. After `isLast`, this is not reported.
    case tableFull(limit: Int, isLast: Bool, of: Table = .connectionsAtATime)
    /// The CRC of a Link Layer packet is wrong; with `announced`, the packet ends before its CRC.
    case badCRC(announced: Int?)

    // ATT

    /// A response without a request.
    case responseToNothing(opcode: UInt8)
    /// A second request (or indication) before that of `frame` was answered.
    case requestOverlaps(frame: Int, opcode: UInt8)
    /// A request without a response. If its transaction had timed out when one side ended the connection: that side, and how long the request had
    /// waited.
    case responseMissing(frame: Int, opcode: UInt8, waited: Int64 = 0, endedBy: Side = .unknown)
    /// A request whose timeout had not passed when the capture ended.
    case responseOpen(frame: Int, opcode: UInt8)
    /// An Error Response to the request `opcode` for the attribute `handle`; `byHost` where this host serves it.
    case requestRefused(opcode: UInt8, error: UInt8, handle: UInt16 = 1, byHost: Bool = false, of: RefusedAttribute = .other)
    /// The request of `frame` was refused for insufficient security, and the link was never encrypted.
    case securityNeverCame(frame: Int, error: UInt8)
    /// An ATT PDU that is longer than the MTU.
    case valueExceedsMTU(count: Int, mtu: Int)
    /// A response that took long for the connection interval (in 1.25 ms, 0 unknown).
    case answerSlow(after: Int64, interval: Int, request: Int)
    /// A response to the request of `frame` after the bearer had timed out.
    case answerTooLate(frame: Int, after: Int64)
    /// The response echoes a prepared part differently than it was sent in `frame`.
    case preparedPartDiffers(frame: Int)
    /// A report of a keyboard or a mouse has more bytes than its report map says.
    case reportExceedsMap(count: Int, size: Int)
    /// The server rejected an operation of the audio stream endpoint `id` (0: the entire operation), with a response code and reason (ASCS 1.0.1, 5).
    case streamOperationRejected(opcode: UInt8, id: UInt8, code: UInt8, reason: UInt8)
    /// The audio stream endpoint `id` went from a state, reported in `frame`, to one that may not follow it (ASCS 1.0.1, 3).
    case streamTransitionInvalid(id: UInt8, from: UInt8, to: UInt8, frame: Int)
    /// The attribute notifies without a subscription in this connection.
    case notificationWithoutSubscription
    /// A characteristic was subscribed to with a Write Command.
    case subscribedByCommand
    /// A Client Characteristic Configuration was written with its two bytes swapped (`00 01`, `00 02` or `00 03`), and the server accepted it.
    case configurationSwapped
    /// A write before the characteristic `answer`, which follows and may carry the responses, was subscribed to.
    case answerMayBeMissed(answer: Int32)
    /// The value of `frame` was written again without a response in between.
    case writeRepeated(frame: Int, after: Int64)

    // The link

    /// The connection ended with an HCI error.
    case connectionLost(reason: UInt8)
    /// A connection could not be established (HCI error); the attempt began in the frame `attempt`.
    case connectionFailed(error: UInt8, attempt: Int?)
    /// The connection attempt of `frame` neither completed nor was cancelled.
    case attemptOpen(frame: Int, waited: Int64)
    /// Connection parameters were refused; the frame `request` requested them.
    case parametersRefused(ParameterRefusal, request: Int?)
    /// Encryption failed with an HCI error; `isPairing` where the devices were pairing, so that no earlier bond is known to fail.
    case encryptionFailed(error: UInt8, isPairing: Bool = false)
    /// This host has no key for the peer.
    case keyMissing
    /// The link was encrypted although the pairing that began in `frame` had not shown that both sides have the same key; `isOnAir` in a sniffer's
    /// capture, which may lack a part of the pairing.
    case encryptedInPairing(frame: Int, isOnAir: Bool)
    /// Pairing failed: who ended it, and the opcode of the last SMP PDU before.
    case pairingFailed(PairingFailure, by: Side = .unknown, after: UInt8 = 0)
    /// An L2CAP channel was refused with a result of a Connection Response, or with `isCreditBased` of a credit-based one, and was not open before or
    /// soon after; the frame `request` requested it.
    case channelRefused(psm: UInt16, result: UInt8, isCreditBased: Bool, by: Side, request: Int)
    /// The encryption key has fewer than 16 bytes; `before` is the number of an earlier connection to the same device if that was greater, else 0.
    case keyShort(size: UInt8, before: UInt8)

    // Messages of profiles

    /// Bytes that belong to no message.
    case unjoinedAtEnd(count: Int)
    /// Bytes belong to no message of a profile that was selected by its UUIDs, and none did before on this connection. `isWithdrawn`: the profile was
    /// proposed because of UUIDs that many devices have, and is not used.
    case profileUnfit(profile: String, isWithdrawn: Bool)
    /// The data that a profile describes are encrypted without a given key: `key` is `PROFILE.NAME`, nil where an earlier message contains the key.
    /// `note` says where a user finds it.
    case profileKeyMissing(profile: String, key: String?, note: String?)
    /// The key of a profile is wrong for a message; `hasOpened`: it decrypted other messages of the device.
    case profileKeyWrong(profile: String, key: String?, hasOpened: Bool)
    /// The profile's request in the frame `request` came before the characteristic with the response was subscribed to, and no response came.
    case answerMissed(answer: Int32, request: Int)
    /// A message is incomplete; `announced` is nil where its length is unknown. `isAtEnd`: the connection or the capture ends within it.
    case messageIncomplete(count: Int, announced: Int?, isAtEnd: Bool = false)
    /// A message has more bytes than it announced.
    case messageSurplus(count: Int)
    /// The counter, or the index, of a fragment differs from the expected one.
    case counterJumps(expected: Int, found: Int, isIndex: Bool = false)
    /// The checksum of a message is wrong.
    case checksumWrong
    /// The request of `frame` was sent again without a response in between.
    case requestRepeated(frame: Int, after: Int64)
    /// The request of `frame` got no response.
    case requestUnanswered(frame: Int, waited: Int64)
  }

  /// The rules that the LLData of a connection request can violate (Core, Vol 6, Part B, 2.3.3.1 and 4.5).
  public enum ConnectionRule: Sendable, CaseIterable {
    /// The hop increment is 5 to 16.
    case hop
    /// The channel map has at least two channels.
    case channels
    /// The interval is 7.5 ms to 4 s.
    case interval
    /// The latency is at most 499 events.
    case latency
    /// The timeout is 100 ms to 32 s.
    case timeout
  }

  /// The rules that a connection request violates; units as in ``Kind/connectionRequestInvalid(hop:channels:interval:latency:timeout:)``.
  public static func brokenRules(
    hop: UInt8, channels: Int, interval: UInt16, latency: UInt16, timeout: UInt16
  ) -> [ConnectionRule] {
    ConnectionRule.allCases.filter { rule in
      switch rule {
      case .hop: !(5...16).contains(hop)
      case .channels: channels < 2
      case .interval: !(6...3200).contains(interval)
      case .latency: latency > 499
      case .timeout: !(10...3200).contains(timeout)
      }
    }
  }

  /// The attribute that a refused request was for.
  public enum RefusedAttribute: Sendable, Hashable {
    /// A value, a declaration, or an attribute whose type is not known.
    case other
    /// A descriptor.
    case descriptor
    /// A Client Characteristic Configuration that was written with its two bytes swapped: `00 01`, `00 02` or `00 03`.
    case swappedConfiguration
  }

  /// How connection parameters were refused.
  public enum ParameterRefusal: Sendable, Hashable {
    /// By a Connection Parameter Update Response.
    case response
    /// By this host's negative reply to the request.
    case negativeReply
    /// By an HCI error.
    case error(UInt8)
    /// This host's controller rejected the command, with an HCI error.
    case command(UInt8)
  }

  /// Why pairing failed.
  public enum PairingFailure: Sendable, Hashable {
    /// The reason of Pairing Failed (Core, Vol 3, Part H, 3.5.5).
    case reason(UInt8)
    /// An HCI error.
    case error(UInt8)
    /// This host replied negatively to a request of its controller: the command's opcode, and its frame.
    case declined(command: UInt16, frame: Int)
  }

  /// A table of bounded size.
  public enum Table: UInt8, Sendable, CaseIterable {
    /// Connections that are open at a time.
    case connectionsAtATime
    /// Connections of the entire capture.
    case connections
    /// Devices with a name or a connection.
    case devices
    /// Attributes of all devices.
    case attributes
    /// L2CAP channels and data links that are open at a time.
    case channels
    /// Requests of L2CAP, SDP and AT commands that wait for their responses.
    case requests
    /// Identity resolving keys of the capture.
    case identityKeys
  }

  /// The side that did something.
  public enum Side: Sendable, Hashable {
    /// The capture does not show it.
    case unknown
    /// The host that wrote the log.
    case host
    /// The device at the other end.
    case peer
    /// The central, in a sniffer's capture.
    case central
    /// The peripheral, in a sniffer's capture.
    case peripheral
  }

  /// The kind of finding.
  public var kind: Kind
  /// Frame it belongs to.
  public var frame: Int
  /// Time, µs since 1970.
  public var time: Int64
  /// Byte offset in the packet, or -1.
  public var offset: Int
  /// Adapter (HCI index).
  public var adapter: UInt16
  /// Connection handle, or 0xFFFF.
  public var handle: UInt16
  /// Connection, index into ``ConversationTables/connections``, or -1.
  public var connection: Int32
  /// Attribute it is about, index into ``ConversationTables/attributes``, or -1.
  public var attribute: Int32
  /// Address of a device without a connection, or 0.
  public var address: UInt64
  /// Number of rows of the batch before it.
  public var position: Int
  /// Further frames that prove it, besides its own and those in its kind.
  public var evidence: [Int] = []
  /// Number of further occurrences since the one reported; its own frame is that of the last.
  public var repeated = 0

  /// Creates a finding.
  public init(
    _ kind: Kind, frame: Int, time: Int64, offset: Int = -1, adapter: UInt16, handle: UInt16 = 0xFFFF, connection: Int32 = -1,
    attribute: Int32 = -1, address: UInt64 = 0, position: Int = 0
  ) {
    self.kind = kind
    self.frame = frame
    self.time = time
    self.offset = offset
    self.adapter = adapter
    self.handle = handle
    self.connection = connection
    self.attribute = attribute
    self.address = address
    self.position = position
  }

  /// Makes a finding about a row.
  public init(_ kind: Kind, at row: PacketRow, attribute: Int32 = -1, address: UInt64 = 0, position: Int = 0) {
    self.init(
      kind, frame: row.frame, time: row.time, adapter: row.adapter, handle: row.flags.contains(.hasConnection) ? row.handle : 0xFFFF,
      connection: row.connection, attribute: attribute, address: address, position: position)
  }
}
