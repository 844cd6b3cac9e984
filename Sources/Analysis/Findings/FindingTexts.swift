import Bluetooth
import Conversations

extension Finding.Kind {
  /// The table of findings: name, severity, sentence and advice of each kind.
  public var metadata: FindingMetadata {
    switch self {
    // MARK: The capture and its packets
    case .wholePDUAsContinuation(let count, let control):
      .init(
        "llid-wrong", .warning,
        "a whole \(control: control)PDU of \(bytes: count) with LLID 1 (continuation), where no L2CAP PDU is open",
        advice: "its sender set the wrong LLID (Vol 6, Part B, 2.4): nothing is missing in the capture")
    case .reservedLLID(let count):
      .init(
        "llid-reserved", .warning, "a PDU of \(bytes: count) with LLID 0, which is reserved",
        advice: "its sender violates the specification (Vol 6, Part B, 2.4), perhaps on purpose: receivers ignore such a PDU")
    case .connectionRequestInvalid(let hop, let channels, let interval, let latency, let timeout):
      .init(
        "connect-ind-wrong", .warning,
        """
        the connection request violates the specification: \(
          rules: Finding.brokenRules(hop: hop, channels: Int(channels), interval: interval, latency: latency, timeout: timeout),
          hop, channels, interval, latency, timeout)
        """,
        advice: "its sender violates Vol 6, Part B, 2.3.3.1 and 4.5: a device that is not made for these parameters may refuse them or hang"
      )
    case .startWithoutHeader(let frame, let count):
      .init(
        "start-without-header", .warning, "the PDU of \(frame: frame) has LLID 2 (start) and no L2CAP header in its \(bytes: count)",
        advice: "its sender set the wrong LLID, or cut it (Vol 6, Part B, 2.4): nothing is missing in the capture")
    case .fragmentWithoutStart(let count):
      .init(
        "fragment-without-start", .warning, "a continuation of \(bytes: count) without the start of its L2CAP PDU: shown as it is",
        advice: "its start is not in the capture: it was not recorded, or the sender wrongly marked the PDU as a continuation")
    case .startWithoutEnd(let frame, let count, let announced, instead: .otherPacketOnAir):
      .init(
        "start-without-end", .note, "the L2CAP PDU that started in \(frame: frame) never ended: \(count) of \(bytes: announced)",
        advice: "the sniffer did not receive the rest; the device may have received it")
    case .startWithoutEnd(let frame, let count, let announced, instead: .disconnection):
      .init(
        "start-without-end", .note,
        "the connection ended within the L2CAP PDU that started in \(frame: frame): \(count) of \(bytes: announced)",
        advice: "the rest was not sent any more, or is not in the capture: the disconnection says which side ended the connection, and why")
    case .startWithoutEnd(let frame, let count, let announced, instead: .endOfCapture):
      .init(
        "start-without-end", .note,
        "the capture ends within the L2CAP PDU that started in \(frame: frame): \(count) of \(bytes: announced)",
        advice: "the rest came after the end of the capture")
    case .startWithoutEnd(let frame, let count, let announced, instead: .anotherPDU):
      .init(
        "start-without-end", .error, "the L2CAP PDU that started in \(frame: frame) never ended: \(count) of \(bytes: announced)",
        advice: "the rest is not in the capture: it was not recorded, or it was never sent")
    case .lengthLies(let announced, let present):
      .init(
        "length-lies", .error, "the header announces \(bytes: announced), the packet has \(present)",
        advice: "trust the bytes, not the header: the sender, perhaps on purpose, or the program that wrote the log gave a wrong length")
    case .fragmentSurplus(let count):
      .init(
        "surplus-bytes", .warning, "\(bytes: count) more than the L2CAP PDU announced: left out",
        advice: "check the sender: its L2CAP length does not cover all the bytes that it sends")
    case .frameCheckWrong:
      .init(
        "bad-fcs", .warning, "the frame check sequence of the L2CAP frame is wrong: its receiver discards it",
        advice: "the frame was damaged between its sender and this log, or the two sides do not agree whether frames have a check sequence")
    case .framesMissing(let count, let isForGood):
      .init(
        "frames-missing", .warning,
        "\(count, "L2CAP I-frame", "L2CAP I-frames") before this one \(isForGood ? "" : "reached the receiver, but ")\(count == 1 ? "is" : "are") not in the capture",
        advice: isForGood
          ? "a channel in streaming mode does not retransmit: these frames stay lost"
          : "the capture lacks packets: look for a finding or note that it dropped some")
    case .segmentsWrong(let count, nil):
      .init(
        "sdu-broken", .error, "a segment of \(bytes: count) without the start of its SDU",
        advice: "its sender segments SDUs wrongly (Vol 3, Part A, 7.3), or the capture lacks the start")
    case .segmentsWrong(let count, let announced?):
      .init(
        "sdu-broken", .error, "the segments of the SDU have \(bytes: count), its start announces \(announced)",
        advice: "its sender segments SDUs wrongly (Vol 3, Part A, 7.3), or the capture lacks some")
    case .shortPacket(let needed, let present):
      .init(
        "short-packet", .error, "too short: \(bytes: needed) needed, \(present) present",
        advice: "check the sender: a packet of this kind cannot be that short")
    case .capturedLess(let original, let captured):
      .init(
        "captured-less", .note, "the capture kept \(captured) of \(bytes: original): the first packet that it cut",
        advice: "capture without a limit on packet length, and without a filter, to get whole packets")
    case .advertisingLengthLies(let announced, let left):
      .init(
        "advertising-length-lies", .note,
        "an AD structure announces \(bytes: announced), but only \(left, "is left", "are left")",
        advice: "the bytes after it cannot be read: the device's advertising data is malformed")
    case .unknownPacketType(let type):
      .init(
        "unknown-packet-type", .note, "H4 packet type \(hex: type) is not defined",
        advice: "it is not decoded: a vendor's own type, or the log has wrong packet boundaries")
    case .timeJumps(let span, let isLast):
      .init(
        "time-jumps", .note, "the clock jumps by \(duration: span)\(isLast ? "; further jumps are not reported" : "")",
        advice: "a clock was set, captures were joined, or a sniffer wrote packets out of order: durations across the jump are meaningless")
    case .dropped(let count):
      .init(
        "dropped-packets", .error, "\(count, "packet was", "packets were") dropped by the capture before this one",
        advice: "the missing packets may be the cause of findings below")
    case .notShown(let count):
      .init(
        "not-shown", .warning, "\(count, "packet before this one is", "packets before this one are") not shown: the output was too slow",
        advice: "write the capture with -w: the file has them all")
    case .tableFull(let limit, let isLast, of: .connectionsAtATime):
      .init(
        "table-full", .warning,
        "more than \(limit) simultaneous connections: the longest idle ones are no longer tracked\(isLast ? "; further cases are not reported" : "")",
        advice: "cut the capture into parts, and look at each")
    case .tableFull(let limit, _, of: .connections):
      .init(
        "table-full", .warning, "more than \(limit) connections: packets of later ones are not reassembled",
        advice: "cut the capture into parts, and look at each")
    case .tableFull(let limit, _, of: .devices):
      .init(
        "table-full", .warning, "more than \(limit) devices with a name or a connection: later ones have no name",
        advice: "cut the capture into parts, and look at each")
    case .tableFull(let limit, _, of: .attributes):
      .init(
        "table-full", .warning, "more than \(limit) attributes, or too many versions of one: later ones have no name",
        advice: "cut the capture into parts, and look at each")
    case .tableFull(let limit, _, of: .channels):
      .init(
        "table-full", .warning,
        "more than \(limit) simultaneous channels: those of the longest idle connections are no longer tracked; further cases are not reported",
        advice: "cut the capture into parts, and look at each")
    case .tableFull(let limit, _, of: .requests):
      .init(
        "table-full", .warning,
        "more than \(limit) open requests: those of the longest idle connections are not paired with answers; further cases are not reported",
        advice: "cut the capture into parts, and look at each")
    case .tableFull(let limit, _, of: .identityKeys):
      .init(
        "table-full", .warning, "more than \(limit) identity resolving keys: later ones resolve no address",
        advice: "give the keys that matter with --keys: they are used before those of the capture")
    case .badCRC(announced: nil):
      .init(
        "bad-crc", .note, "the CRC is wrong: the packet was received with errors",
        advice: "the sniffer received it badly; the device may have received it well")
    case .badCRC(let announced?):
      .init(
        "bad-crc", .note, "the packet was not received to its end: its header announces \(bytes: announced)",
        advice: "the sniffer received it badly; the device may have received it well")

    // MARK: ATT
    case .responseToNothing(let opcode):
      .init(
        "response-to-nothing", .warning, "\(pdu: opcode, else: "a response") without a request that it answers",
        advice: "the request may be missing in the capture")
    case .requestOverlaps(let frame, let opcode) where opcode == ATT.Opcode.handleValueIndication.rawValue:
      .init(
        "request-overlaps", .warning, "a second indication before that of \(frame: frame) was confirmed",
        advice: "wait for each confirmation before the next indication: a client may drop the second")
    case .requestOverlaps(let frame, let opcode):
      .init(
        "request-overlaps", .warning, "a second request before the \(pdu: opcode) of \(frame: frame) was answered",
        advice: "wait for each answer before the next request: a server may drop the second")
    case .responseMissing(let frame, let opcode, let waited, let side) where side != .unknown:
      .init(
        "response-missing", .error,
        """
        the \(pdu: opcode) of \(frame: frame) was never \(opcode == ATT.Opcode.handleValueIndication.rawValue ? "confirmed" : "answered"): \
        its transaction timed out, and \(side == .host ? "this host" : "the peer") ended the connection \(duration: waited) after it
        """,
        advice: "the connection was ended because nothing more may be sent over a bearer that timed out (Vol 3, Part F, 3.3.3)")
    case .responseMissing(let frame, let opcode, _, _):
      .init(
        "response-missing", .warning,
        "the \(pdu: opcode) of \(frame: frame) was never \(opcode == ATT.Opcode.handleValueIndication.rawValue ? "confirmed" : "answered")",
        advice: "give each request a time limit, and treat the connection as lost when it passes")
    case .responseOpen(let frame, let opcode):
      .init(
        "response-open", .note, "the \(pdu: opcode) of \(frame: frame) is still open where the capture ends",
        advice: "capture for longer to see its answer")
    case .requestRefused(let opcode, error: 0x01, handle: 0, let byHost, _):
      .init(
        "request-refused", .note, "\(pdu: opcode) for handle 0x0000 refused\(byHost ? " by this host" : ""): \(att: 0x01)",
        advice: "0x0000 is no attribute's handle (Vol 3, Part F, 3.2.2): the client asks for an attribute that its discovery did not find")
    case .requestRefused(let opcode, let error, _, byHost: true, let attribute):
      .init("request-refused", "the peer's \(pdu: opcode) refused by this host: \(att: error)", error: error, .att(error, of: attribute))
    case .requestRefused(let opcode, let error, _, byHost: false, let attribute):
      .init("request-refused", "\(pdu: opcode) refused: \(att: error)", error: error, .att(error, of: attribute))
    case .securityNeverCame(let frame, let error):
      .init(
        "security-never-came", .error,
        "the request refused in \(frame: frame) (\(att: error, showsCode: false)) was never granted later: the connection stayed unencrypted",
        advice: "pair with the device, or encrypt with the existing bond, and repeat the request")
    case .valueExceedsMTU(let count, let mtu):
      .init(
        "value-exceeds-mtu", .error, "an ATT PDU of \(bytes: count) where the MTU is \(mtu)",
        advice: "exchange a larger MTU first, or send less at a time")
    case .answerSlow(let span, interval: 0, let request):
      .init(
        "answer-slow", .note, "answers \(frame: request) only after \(duration: span)",
        advice: "the device works on it, the link is bad, or this host's controller was busy: look at the packets between")
    case .answerSlow(let span, let interval, let request):
      .init(
        "answer-slow", .note,
        "answers \(frame: request) only after \(duration: span), at a connection interval of \(interval: Int64(interval) * 1250)",
        advice: "the device works on it, the link is bad, or this host's controller was busy: look at the packets between")
    case .answerTooLate(let frame, let span):
      .init(
        "answer-too-late", .error, "answers \(frame: frame) after \(duration: span): the transaction had timed out",
        advice: "after 30 s nothing more may be sent over this bearer: disconnect and start again")
    case .preparedPartDiffers(let frame):
      .init(
        "prepared-part-differs", .error, "the part prepared in \(frame: frame) came back changed",
        advice: "cancel the prepared writes and begin again")
    case .reportExceedsMap(let count, let size):
      .init(
        "report-exceeds-map", .note, "a report of \(bytes: count) where the report map defines \(size)",
        advice: "hosts read as much as the map defines, or drop the report: the map and the device's reports are of different versions")
    case .streamOperationRejected(let opcode, id: 0, let code, let reason):
      .init("ase-operation-rejected", .warning, "\(stream: opcode) rejected: \(streamCode: code, reason)", advice: ASCS.advice(code))
    case .streamOperationRejected(let opcode, let id, let code, let reason):
      .init(
        "ase-operation-rejected", .warning, "\(stream: opcode) of ASE \(Int(id)) rejected: \(streamCode: code, reason)",
        advice: ASCS.advice(code))
    case .streamTransitionInvalid(let id, let from, let to, let frame):
      .init(
        "ase-transition-invalid", .warning,
        "ASE \(Int(id)) changes from \(streamState: from), reported in \(frame: frame), to \(streamState: to), which does not follow it",
        advice: "the server skipped a state, or did not notify it: a client may wait for it forever (ASCS 1.0.1, 3)")
    case .notificationWithoutSubscription:
      .init(
        "notification-unasked", .note, "notifies, but nobody subscribed to it in this connection",
        advice: "the client subscribed before the capture began, or the device does not wait for a subscription")
    case .subscribedByCommand:
      .init(
        "subscribed-by-command", .note, "subscribed to with a Write Command, which gets no response",
        advice: "descriptors are written with Write Requests (Vol 3, Part G, 4.12.3): a device may ignore the command, and does not say so")
    case .configurationSwapped:
      .init(
        "configuration-swapped", .warning, "the two bytes of its configuration are in the wrong order, and the device accepted them",
        advice: "01 00 asks for notifications, 02 00 for indications: this value asks for neither (Vol 3, Part G, 3.3.3.3)")
    case .answerMayBeMissed(let answer):
      .init(
        "answer-may-be-missed", .note, "written before \(attribute: answer), the next characteristic, was subscribed to",
        advice: "subscribe before writing, if answers come that way")
    case .writeRepeated(let frame, let span):
      .init(
        "write-repeated", .note, "the same value as in \(frame: frame) again after \(duration: span): no value was received in between",
        advice: "the app seems to retry: find out why the device did not answer")

    // MARK: The link
    case .connectionLost(let reason):
      .init("connection-lost", "connection lost: \(hci: reason)", error: reason, .hci(reason))
    case .connectionFailed(let error, let attempt):
      .init(
        "connection-failed", "connection\(device: " to ") not established: \(hci: error)\(", attempt of ", frame: attempt)", error: error,
        .hci(error))
    case .attemptOpen(let frame, let waited):
      .init(
        "attempt-open", .warning,
        "the connection attempt of \(frame: frame)\(device: " to ") neither completed nor was cancelled in \(duration: waited)",
        advice: "give attempts a time limit of your own, and cancel them")
    case .parametersRefused(.error(let error), let request):
      .init(
        "parameters-refused", "connection parameters refused\(", asked for in ", frame: request): \(hci: error)", error: error,
        .parameters, severity: .warning)
    case .parametersRefused(.command(let error), let request):
      .init(
        "parameters-refused",
        "this host's controller did not change the connection parameters\(", asked for in ", frame: request): \(hci: error)",
        error: error, .controllerBusy)
    case .parametersRefused(let refusal, let request):
      .init(
        "parameters-refused", "connection parameters refused\(", asked for in ", frame: request)",
        error: refusal == .negativeReply ? 1 : 0, .parameters)
    case .encryptionFailed(let error, isPairing: true):
      .init(
        "encryption-failed", "encryption failed while pairing was under way: \(hci: error)", error: error,
        .pairingEncryption(error), severity: .error)
    case .encryptionFailed(let error, isPairing: false):
      .init("encryption-failed", "encryption failed: \(hci: error)", error: error, .hci(error), severity: .error)
    case .keyMissing:
      .init(
        "key-missing", .error, "the peer asks for the key of a bond that this host does not have",
        advice: "this host forgot the bond: delete it on the other side too, and pair again")
    case .pairingFailed(.reason(let reason), let side, let before):
      .init(
        "pairing-failed", "pairing failed: \(ended: side)\(smp: reason)\(", after ", smpPDU: before)", error: reason,
        side == .host ? .pairingByHost(reason) : .pairing(reason))
    case .pairingFailed(.declined(let command, let frame), _, _):
      .init(
        "pairing-failed", .warning, "pairing failed: this host declined in \(frame: frame) (\(negativeReply(command)))",
        advice: "the user of this host, or its settings, did not accept: nothing is wrong with keys or bonds")
    case .pairingFailed(.error(let error), _, _):
      .init("pairing-failed", "pairing failed: \(hci: error)", error: error, .hci(error), severity: .error)

    case .channelRefused(let psm, let result, let isCreditBased, let side, let request):
      .init(
        "channel-refused",
        "channel \(psm: psm), asked for in \(frame: request), refused\(by: side): \(channel: result, isCreditBased: isCreditBased)",
        error: result, isCreditBased ? .creditBasedChannel(result) : .channel(result))
    case .encryptedInPairing(let frame, _):
      .init(
        "encrypted-in-pairing", .warning,
        "the link is encrypted, but the pairing that began in \(frame: frame) had not shown that both sides have the same key",
        advice:
          "with a key of an earlier pairing, or without a secret one (CVE-2019-19194): a device should refuse encryption before its pairing is complete"
      )
    case .keyShort(let size, before: 0):
      .init(
        "key-short", .warning, "the link is encrypted with a key of \(bytes: Int(size)); 16 are the most",
        advice: "one side allows or asks for short keys (KNOB): require keys of 16 bytes, and update the firmware of that side")
    case .keyShort(let size, let before):
      .init(
        "key-short", .error, "the link is encrypted with a key of \(bytes: Int(size)), where an earlier connection had \(Int(before))",
        advice: "the same devices can use a longer key: a side was reconfigured, or somebody shortens the key (KNOB, BLUFFS)")

    // MARK: Messages of profiles
    case .unjoinedAtEnd(let count):
      .init(
        "unjoined-bytes", .warning, "\(bytes: count) \(count == 1 ? "belongs" : "belong") to no message",
        advice: "their message is damaged or incomplete, or the profile does not know it")
    case .profileUnfit(let profile, isWithdrawn: false):
      .init(
        "profile-unfit", .note,
        "neither these bytes nor any before them are a message of profile \(text: profile), which the UUIDs suggest",
        advice: "the device may speak another protocol under these UUIDs: --no-profiles, or a profile of your own")
    case .profileUnfit(let profile, isWithdrawn: true):
      .init(
        "profile-unfit", .note,
        "profile \(text: profile) was proposed by a UUID or name that many devices have; its frames do not fit: not used",
        advice: "the device speaks another protocol: btscribe infer analyzes its bytes; --profile uses a profile anyway")
    case .profileKeyMissing(_, let key?, nil):
      .init(
        "profile-key-missing", .note, "encrypted, needs --key \(text: key)=HEX: shown as it is",
        advice: "give the key as --key or in a file of --keys, with @ADDRESS after it if it belongs to one device")
    case .profileKeyMissing(_, let key?, let note?):
      .init(
        "profile-key-missing", .note, "encrypted, needs --key \(text: key)=HEX (\(text: note)): shown as it is",
        advice: "give the key as --key or in a file of --keys, with @ADDRESS after it if it belongs to one device")
    case .profileKeyMissing(let profile, nil, _):
      .init(
        "profile-key-missing", .note,
        "messages of profile \(text: profile) are encrypted with a key that no earlier message contains: shown as they are",
        advice: "log from the start of the connection: its first messages agree on the key")
    case .profileKeyWrong(_, let key?, hasOpened: false):
      .init(
        "profile-key-wrong", .warning, "no key given as \(text: key) decrypts this message: shown as it is",
        advice: "the key is another device's, or was renewed when the device was paired again")
    case .profileKeyWrong(let profile, nil, hasOpened: false):
      .init(
        "profile-key-wrong", .warning, "the key from a message of profile \(text: profile) does not decrypt this message: shown as it is",
        advice: "a message between the two changed the key, and is not in the capture")
    case .profileKeyWrong(_, _, hasOpened: true):
      .init(
        "profile-key-wrong", .warning, "the key that decrypted earlier messages does not decrypt this one: shown as it is",
        advice: "the message is damaged or forged, or the device took a new key")
    case .answerMissed(let answer, let request):
      .init(
        "answer-missed", .error,
        "the request of \(frame: request) was written before \(attribute: answer) was subscribed to, and no answer came",
        advice: "subscribe first, then write")
    case .messageIncomplete(let count, _, isAtEnd: true):
      .init(
        "message-incomplete", .note,
        "a message is still open where the connection or the capture ends: \(bytes: count) of it were received",
        advice: "the rest was not sent, or is not in the capture")
    case .messageIncomplete(let count, announced: nil, _):
      .init(
        "message-incomplete", .warning, "a message is incomplete: \(bytes: count)",
        advice: "a fragment is lost, or the next message began too early")
    case .messageIncomplete(let count, let announced?, _):
      .init(
        "message-incomplete", .warning, "a message is incomplete: \(count) of \(bytes: announced)",
        advice: "a fragment is lost, or the next message began too early")
    case .messageSurplus(let count):
      .init(
        "message-surplus", .warning, "a message has \(bytes: count) more than it announced",
        advice: "a fragment came twice, or the announced length is wrong")
    case .counterJumps(let expected, let found, let isIndex):
      .init(
        "counter-jumps", .warning, "the fragments' \(isIndex ? "index" : "counter") is \(found), but \(expected) was expected",
        advice: "fragments are lost, repeated or out of order")
    case .checksumWrong:
      .init(
        "checksum-wrong", .error, "the checksum of a message is wrong",
        advice: "do not use its fields: a byte is wrong, or the profile names the wrong checksum")
    case .requestRepeated(let frame, let span):
      .init(
        "request-repeated", .warning,
        "the request of \(frame: frame) was sent again after \(duration: span), and no value was received in between",
        advice: "the first was lost or not understood, or the app does not wait: look at the link before it")
    case .requestUnanswered(let frame, let waited):
      .init(
        "request-unanswered", .warning, "the request of \(frame: frame) got no answer in \(duration: waited)",
        advice: "the device did not accept it: look at its state, and at its earlier answers")
    }
  }
}

extension Finding.Kind {
  /// The meaning of a negative reply of this host.
  fileprivate func negativeReply(_ command: UInt16) -> StaticString {
    switch HCI.Opcode(rawValue: command) {
    case .userConfirmationRequestNegativeReply: "User Confirmation Request Negative Reply"
    case .userPasskeyRequestNegativeReply: "User Passkey Request Negative Reply"
    case .pinCodeRequestNegativeReply: "PIN Code Request Negative Reply"
    case .ioCapabilityRequestNegativeReply: "IO Capability Request Negative Reply"
    default: "Remote OOB Data Request Negative Reply"
    }
  }

  /// Whether the stated cause is only likely. It is certain if a rule of the specification or the packets prove it.
  public var isLikely: Bool {
    switch self {
    case .fragmentWithoutStart, .startWithoutEnd, .timeJumps, .badCRC, .responseToNothing, .answerSlow, .answerTooLate,
      .notificationWithoutSubscription,
      .writeRepeated,
      .unjoinedAtEnd, .messageIncomplete, .messageSurplus, .counterJumps, .requestRepeated, .requestUnanswered, .profileUnfit:
      true
    case .connectionFailed(let error, _):
      [.pageTimeout, .connectionTimeout, .lmpResponseTimeoutOrLLResponseTimeout, .connectionFailedToBeEstablished].contains(
        HCI.ErrorCode(rawValue: error))
    case .connectionLost(let reason):
      [
        .connectionTimeout, .unspecifiedError, .lmpResponseTimeoutOrLLResponseTimeout, .instantPassed, .connectionTerminatedDueToMICFailure,
        .connectionFailedToBeEstablished,
      ].contains(HCI.ErrorCode(rawValue: reason))
    case .encryptionFailed(let error, let isPairing):
      !isPairing
        && [.authenticationFailure, .pinOrKeyMissing, .connectionTerminatedDueToMICFailure].contains(HCI.ErrorCode(rawValue: error))
    case .responseMissing(_, _, _, let side): side != .unknown
    case .encryptedInPairing(_, let isOnAir): isOnAir
    case .requestRefused(_, _, _, _, let attribute): attribute == .swappedConfiguration
    case .pairingFailed(.declined, _, _): false
    case .pairingFailed(_, let side, _): side == .host || side == .unknown
    default: false
    }
  }

  /// Frames in the finding's associated values.
  var named: [Int] {
    switch self {
    case .startWithoutHeader(let frame, _), .startWithoutEnd(let frame, _, _, _), .requestOverlaps(let frame, _),
      .responseMissing(let frame, _, _, _),
      .responseOpen(let frame, _), .securityNeverCame(let frame, _), .answerTooLate(let frame, _), .answerSlow(_, _, let frame),
      .preparedPartDiffers(let frame),
      .writeRepeated(let frame, _), .attemptOpen(let frame, _), .requestRepeated(let frame, _), .requestUnanswered(let frame, _),
      .answerMissed(_, let frame),
      .pairingFailed(.declined(_, let frame), _, _):
      [frame]
    case .channelRefused(_, _, _, _, let frame), .encryptedInPairing(let frame, _): [frame]
    case .connectionFailed(_, let frame), .parametersRefused(_, let frame): frame.map { [$0] } ?? []
    default: []
    }
  }
}

extension Finding {
  /// The frame to show for the finding. For a request without a response it is the request's, as ``frame`` is that in which the wait ended.
  public var subjectFrame: Int {
    switch kind {
    case .responseOpen(let request, _), .responseMissing(let request, _, _, .unknown), .requestUnanswered(let request, _): request
    default: frame
    }
  }
  /// Frames that prove it, in ascending order.
  public var frames: [Int] { Set(kind.named + evidence + [frame]).sorted() }
  /// `certain` or `likely`: the certainty of the cause.
  public var degree: StaticString { kind.isLikely ? "likely" : "certain" }
}
