import Bluetooth
import Conversations

/// How bad a finding is.
public enum Severity: UInt8, Sendable, CaseIterable {
  /// Something failed, or data is lost.
  case error
  /// Something is not as it should be.
  case warning
  /// Worth knowing.
  case note

  /// `error`, `warning`, `note`.
  public var text: StaticString {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .note: "note"
    }
  }
}

/// What is always the same about a kind of finding: its name for programs, how bad it is, and what to do about it (empty: nothing).
struct FindingFacts {
  let id: StaticString
  let severity: Severity
  let advice: StaticString

  init(_ id: StaticString, _ severity: Severity, _ advice: StaticString = "") {
    self.id = id
    self.severity = severity
    self.advice = advice
  }

  static func of(_ code: Finding.Code) -> FindingFacts {
    switch code {
    case .fragmentWithoutStart:
      .init("fragment-without-start", .warning, "packets are missing in the capture: the log or the sniffer lost them")
    case .startWithoutEnd: .init("start-without-end", .error, "packets are missing in the capture: the log or the sniffer lost them")
    case .lengthLies: .init("length-lies", .error, "believe the bytes, not the header: who wrote the packet, or the log, is broken")
    case .fragmentSurplus: .init("surplus-bytes", .warning, "look at who sent it: its L2CAP length does not cover what it sends")
    case .shortPacket: .init("short-packet", .error, "look at who sent it: a packet of this kind cannot be that short")
    case .capturedLess: .init("captured-less", .note, "log without a limit to the packet's length, and without a filter, to see all of it")
    case .advertisingLengthLies:
      .init("advertising-length-lies", .note, "what stands behind it cannot be read: the device's advertising data is put together wrongly")
    case .unknownPacketType: .init("unknown-packet-type", .note, "it is left as it is: a vendor's own, or the log is out of step")
    case .responseToNothing: .init("response-to-nothing", .warning, "the request may be missing in the capture")
    case .requestOverlaps: .init("request-overlaps", .warning, "wait for each answer before the next request: a server may drop the second")
    case .responseMissing:
      .init("response-missing", .warning, "give each request a time limit, and treat the connection as lost when it passes")
    case .responseOpen: .init("response-open", .note, "capture for longer, and its answer is there")
    case .timeJumps: .init("time-jumps", .note, "the host's clock was set, or captures were joined: durations across it mean nothing")
    case .dropped: .init("dropped-packets", .error, "what is missing here may be what looks wrong below")
    case .notShown: .init("not-shown", .warning, "write the capture with -w: the file has them all")
    case .tableFull: .init("table-full", .warning, "cut the capture into parts, and look at each")
    case .unjoinedAtEnd: .init("unjoined-bytes", .warning, "what they should belong to is broken or lost, or the profile does not know it")
    case .profileUnfit:
      .init("profile-unfit", .note, "the device may speak another protocol under these UUIDs: --no-profiles, or a profile of your own")
    case .badCRC: .init("bad-crc", .note, "the sniffer heard it badly; the device may have heard it well")
    case .requestRefused: .init("request-refused", .warning)
    case .securityNeverCame: .init("security-never-came", .error, "pair with the device, or encrypt with the bond there is, and ask again")
    case .valueExceedsMTU: .init("value-exceeds-mtu", .error, "exchange a larger MTU first, or send less at a time")
    case .answerSlow: .init("answer-slow", .note, "the device works on it, or the link is bad: look at what comes between")
    case .answerTooLate: .init("answer-too-late", .error, "after 30 s nothing more may go over this bearer: disconnect and start again")
    case .preparedPartDiffers: .init("prepared-part-differs", .error, "cancel the prepared writes and begin again")
    case .connectionLost: .init("connection-lost", .warning)
    case .connectionFailed: .init("connection-failed", .warning)
    case .attemptOpen: .init("attempt-open", .warning, "give attempts a time limit of your own, and cancel them")
    case .parametersRefused:
      .init("parameters-refused", .note, "the link goes on with what it has: ask for parameters that the other side allows")
    case .encryptionFailed: .init("encryption-failed", .error)
    case .keyMissing: .init("key-missing", .error, "this host forgot the bond: delete it on the other side too, and pair again")
    case .pairingFailed: .init("pairing-failed", .error)
    case .notificationUnasked:
      .init("notification-unasked", .note, "a subscription of before the capture, or a device that does not wait for one")
    case .answerMayBeMissed: .init("answer-may-be-missed", .note, "subscribe before writing, if answers come that way")
    case .answerMissed: .init("answer-missed", .error, "subscribe first, then write")
    case .writeRepeated: .init("write-repeated", .note, "the app seems to try again: look at why the device was silent")
    case .messageIncomplete: .init("message-incomplete", .warning, "a fragment is lost, or the next message began too early")
    case .messageSurplus: .init("message-surplus", .warning, "a fragment came twice, or the announced length is wrong")
    case .counterJumps: .init("counter-jumps", .warning, "fragments are lost, came twice, or in another order")
    case .checksumWrong:
      .init("checksum-wrong", .error, "do not use its fields: a byte is wrong, or the checksum is another than the profile says")
    case .requestRepeated: .init("request-repeated", .warning, "the first was lost or not understood: look at the link before it")
    case .requestUnanswered:
      .init("request-unanswered", .warning, "the device did not take it: look at its state, and at what it answers before")
    }
  }

  /// ATT errors (Core, Vol 3, Part F, 3.4.1.1, and the Supplement, Part B).
  static func of(attError code: Int) -> (Severity, StaticString) {
    switch code {
    case 0x01: (.error, "the app's attribute table is out of date: discover again, and delete the cached table")
    case 0x02: (.warning, "the characteristic cannot be read: look at its properties")
    case 0x03: (.warning, "the characteristic cannot be written: look at its properties, and whether it wants write without response")
    case 0x04: (.error, "the request is malformed")
    case 0x05: (.note, "pair, then ask again")
    case 0x06: (.note, "the server does not know this request: do without it")
    case 0x07: (.warning, "the offset is beyond the end of the value")
    case 0x08: (.warning, "the device does not allow this app to do that")
    case 0x09: (.warning, "execute the prepared writes in smaller lots")
    case 0x0A: (.note, "there is no such attribute in the range: that is how a search ends")
    case 0x0B: (.note, "read it with a plain read: the value fits one packet")
    case 0x0C: (.warning, "the key is too short: pair again with one of 16 bytes")
    case 0x0D: (.error, "the value has a length that the characteristic does not take")
    case 0x0E: (.warning, "the device failed inside: what it was asked for may not be possible now")
    case 0x0F: (.note, "encrypt the link, then ask again")
    case 0x10: (.note, "ask for the primary services instead: this type has no groups")
    case 0x11: (.warning, "the device is out of memory: ask less at a time, or later")
    case 0x12: (.note, "the attribute table changed: discover again")
    case 0x13: (.warning, "the value is not allowed: look into the characteristic's definition")
    case 0x80...0x9F: (.warning, "an error of the service's own: look into its specification")
    case 0xFC: (.warning, "the device is in a state that does not allow the write")
    case 0xFD: (.error, "subscribe to the characteristic first: its configuration says that nobody listens")
    case 0xFE: (.warning, "wait for the procedure that is under way")
    case 0xFF: (.warning, "the value is out of its range")
    default: (.warning, "the code is not of the specification: look into the device's own")
    }
  }

  /// HCI errors (Core, Vol 1, Part F) as the reason for which a connection ended, or was not made, or not encrypted.
  static func of(hciError code: Int) -> (Severity, StaticString) {
    switch code {
    case 0x04: (.note, "the device did not answer: it is off, out of reach, or connected elsewhere")
    case 0x05: (.error, "the keys of the two sides differ: delete the bond on both, and pair again")
    case 0x06: (.error, "one side has no key any more: delete the bond on both, and pair again")
    case 0x08: (.warning, "nothing was heard for the supervision timeout: out of range, interference, or the device crashed")
    case 0x09: (.error, "the controller has as many connections as it can: end one first")
    case 0x0B: (.warning, "there is a connection to this device already")
    case 0x0C: (.warning, "the controller is busy with another attempt, or with advertising or scanning")
    case 0x0D: (.warning, "the device has no room for another connection")
    case 0x0E, 0x0F: (.warning, "the device does not accept this host")
    case 0x10: (.warning, "the device did not accept in time")
    case 0x1F: (.warning, "the controller gives no reason: look at what came before")
    case 0x22: (.warning, "the other side did not answer a link layer request within 40 s: its controller hangs")
    case 0x25, 0x2F: (.error, "the security that is asked for is more than the key gives: pair again")
    case 0x28: (.warning, "an update was missed: the link was too bad at that moment")
    case 0x29, 0x18: (.error, "the device does not pair in its present state: put it into pairing mode")
    case 0x3B: (.warning, "the connection parameters are not acceptable to the other side: ask for others")
    case 0x3C: (.note, "the device that was called did not connect in time")
    case 0x3D: (.error, "a packet's integrity check failed: the keys of the two sides differ, or somebody interferes")
    case 0x3E: (.warning, "the device did not answer the first packets: weak signal, or it had gone; try again")
    default: (.warning, "look the code up in the specification of the controller, and at what came before")
    }
  }

  /// Reasons of Pairing Failed (Core, Vol 3, Part H, 3.5.5).
  static func of(pairingReason code: Int) -> StaticString {
    switch code {
    case 0x01: "the passkey was not entered, or the person cancelled"
    case 0x02: "the out-of-band data of the other side is not there"
    case 0x03: "the input and output the two sides have do not allow what one asks for"
    case 0x04: "the passkey was wrong, or the two sides differ in what they computed"
    case 0x05: "the device does not pair, or not now: put it into pairing mode"
    case 0x06: "the key would be too short for one side"
    case 0x07: "one side does not know a pairing command of the other"
    case 0x08: "the other side gives no reason: look into its log"
    case 0x09: "too many attempts: wait, then try again"
    case 0x0A: "a pairing command had invalid parameters"
    case 0x0B: "the key check failed: one side computed another secret"
    case 0x0C: "the person said that the numbers differ"
    case 0x0D: "pairing over BR/EDR is under way"
    case 0x0F: "the other side did not accept a key"
    case 0x10: "the other side is busy: try again"
    default: "the reason is not of the specification: look into the other side's log"
    }
  }
}

extension Finding {
  /// Name for programs.
  public var id: StaticString { FindingFacts.of(code).id }

  /// How bad it is: by its kind, and by the error it is about.
  public var severity: Severity {
    switch code {
    case .requestRefused: FindingFacts.of(attError: a).0
    case .connectionLost, .connectionFailed: FindingFacts.of(hciError: a).0
    case .parametersRefused: a > 1 ? .warning : .note
    default: FindingFacts.of(code).severity
    }
  }

  /// What to do about it, or what it most likely comes from; empty where there is nothing to say.
  public var advice: StaticString {
    switch code {
    case .requestOverlaps where b == 0x1D: "wait for each confirmation before the next indication: a client may drop the second"
    case .requestRefused: FindingFacts.of(attError: a).1
    case .connectionLost, .connectionFailed, .encryptionFailed: FindingFacts.of(hciError: a).1
    case .pairingFailed: b == 0 ? FindingFacts.of(pairingReason: a) : FindingFacts.of(hciError: a).1
    default: FindingFacts.of(code).advice
    }
  }
}
