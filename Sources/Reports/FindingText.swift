import Bluetooth
import Conversations
import Timeline

extension Finding {
  /// Appends the finding in one sentence; names are those of `tables`, and those that profiles have for attributes.
  public func explain(to out: Output, _ tables: Tables, _ style: Style = Style(), names: [Int32: String] = [:]) {
    let words = FindingWords(out: out, tables: tables, style: style, names: names, finding: self)
    switch code {
    case .fragmentWithoutStart, .startWithoutEnd, .lengthLies, .fragmentSurplus, .shortPacket, .capturedLess, .advertisingLengthLies,
      .unknownPacketType, .timeJumps, .dropped, .notShown, .tableFull, .badCRC:
      words.capture()
    case .responseToNothing, .requestOverlaps, .responseMissing, .responseOpen, .requestRefused, .securityNeverCame, .valueExceedsMTU,
      .answerSlow, .answerTooLate, .preparedPartDiffers, .notificationUnasked, .answerMayBeMissed, .writeRepeated:
      words.attributes()
    case .connectionLost, .connectionFailed, .attemptOpen, .parametersRefused, .encryptionFailed, .keyMissing, .pairingFailed: words.link()
    case .unjoinedAtEnd, .profileUnfit, .answerMissed, .messageIncomplete, .messageSurplus, .counterJumps, .checksumWrong,
      .requestRepeated, .requestUnanswered:
      words.message()
    }
  }
}

/// The sentences of findings.
private struct FindingWords {
  let out: Output
  let tables: Tables
  let style: Style
  let names: [Int32: String]
  let finding: Finding

  var a: Int { finding.a }
  var b: Int { finding.b }

  func capture() {
    switch finding.code {
    case .fragmentWithoutStart: out.text("a continuation of "); bytes(a); out.text(" without the start of its L2CAP PDU: shown as it is")
    case .startWithoutEnd:
      out.text("the L2CAP PDU that started in "); frame(finding.offset); out.text(" never ended: ")
      out.decimal(a); out.text(" of "); bytes(max(b, 0))
    case .lengthLies: out.text("the header announces "); bytes(a); out.text(", the packet has "); out.decimal(b)
    case .fragmentSurplus: bytes(a); out.text(" more than the L2CAP PDU announced: left out")
    case .shortPacket: out.text("too short: "); bytes(a); out.text(" needed, "); out.decimal(b); out.text(" there")
    case .capturedLess: out.text("the capture kept "); out.decimal(b); out.text(" of "); bytes(a); out.text(", the first packet it cut")
    case .advertisingLengthLies:
      out.text("a structure of the advertising data announces "); bytes(a); out.text(" where "); out.decimal(b)
      out.text(b == 1 ? " is left" : " are left")
    case .unknownPacketType: out.text("H4 packet type 0x"); out.hex(UInt64(a), digits: 2); out.text(" is not defined")
    case .timeJumps: out.text("the clock jumps by "); duration(a); if b == 1 { out.text(": more of it is not told") }
    case .dropped: out.decimal(a); out.text(a == 1 ? " packet was" : " packets were"); out.text(" dropped by the capture before this one")
    case .notShown:
      out.decimal(a)
      out.text(a == 1 ? " packet before this one is" : " packets before this one are")
      out.text(" not shown: the output was too slow")
    case .tableFull:
      out.text("more connections at a time than "); out.decimal(a); out.text(": this one is not followed")
      if b == 1 { out.text(", and more of it is not told") }
    default:
      if b == 1 {
        out.text("the packet was not received to its end: its header announces "); bytes(a)
      } else {
        out.text("the CRC is wrong: the packet was not received well")
      }
    }
  }

  func attributes() {
    switch finding.code {
    case .responseToNothing: request(a, "a response"); out.text(" without a request that it answers")
    case .requestOverlaps where b == 0x1D: out.text("a second indication before that of "); frame(a); out.text(" was confirmed")
    case .requestOverlaps: out.text("a second request before the "); request(b); out.text(" of "); frame(a); out.text(" was answered")
    case .responseMissing:
      out.text("the "); request(b); out.text(" of "); frame(a)
      out.text(b == 0x1D ? " was never confirmed" : " was never answered")
    case .responseOpen: out.text("the "); request(b); out.text(" of "); frame(a); out.text(" is still open where the capture ends")
    case .requestRefused:
      attribute()
      request(b)
      out.text(" refused: ")
      failure(a, .att)
    case .securityNeverCame:
      out.text("the request refused in "); frame(a); out.text(" (")
      failure(b, .att, code: false)
      out.text(") was never made good: the connection stayed unencrypted")
    case .valueExceedsMTU: attribute(); out.text("an ATT PDU of "); bytes(a); out.text(" where the MTU is "); out.decimal(b)
    case .answerSlow:
      attribute()
      out.text("answered only after "); duration(a)
      if b > 0 { out.text(", at a connection interval of "); duration(b * 1250) }
    case .answerTooLate: out.text("answers "); frame(b); out.text(" after "); duration(a); out.text(": the transaction had timed out")
    case .preparedPartDiffers: out.text("the part prepared in "); frame(a); out.text(" came back changed")
    case .notificationUnasked: attribute(); out.text("notifies, but nobody subscribed to it in this connection")
    case .answerMayBeMissed:
      attribute()
      out.text("written before ")
      name(Int32(truncatingIfNeeded: a))
      out.text(" behind it was subscribed to")
    default:
      attribute()
      out.text("the same value as in "); frame(a); out.text(" again after "); duration(b); out.text(": nothing came back between")
    }
  }

  func link() {
    switch finding.code {
    case .connectionLost: out.text("connection lost: "); failure(a, .hci)
    case .connectionFailed:
      out.text("connection"); device(" to "); out.text(" not established: "); failure(a, .hci)
      if b > 0 { out.text(", attempt of "); frame(b) }
    case .attemptOpen:
      out.text("the connection attempt of "); frame(a); device(" to "); out.text(" neither completed nor was cancelled in "); duration(b)
    case .parametersRefused:
      out.text("connection parameters refused")
      if b > 0 { out.text(", asked for in "); frame(b) }
      if a > 1 { out.text(": "); failure(a, .hci) }
    case .encryptionFailed: out.text("encryption failed: "); failure(a, .hci)
    case .keyMissing: out.text("the peer asks for the key of a bond that this host does not have")
    default: out.text("pairing failed: "); failure(a, b == 0 ? .smp : .hci)
    }
  }

  func message() {
    switch finding.code {
    case .unjoinedAtEnd: attribute(); bytes(a); out.text(a == 1 ? " belongs" : " belong"); out.text(" to no message")
    case .profileUnfit:
      attribute()
      bytes(a)
      out.text(a == 1 ? " belongs" : " belong")
      out.text(" to no message of the profile that its UUID suggests, and nothing before did")
    case .answerMissed:
      attribute()
      out.text("written before ")
      name(Int32(truncatingIfNeeded: a))
      out.text(" was subscribed to: its answer cannot arrive")
    case .messageIncomplete:
      attribute()
      out.text("a message is not whole: "); out.decimal(a)
      if b > 0 { out.text(" of "); bytes(b) } else { out.text(a == 1 ? " byte" : " bytes") }
    case .messageSurplus:
      attribute()
      out.text("a message has ")
      bytes(a)
      out.text(" more than it announced")
    case .counterJumps:
      attribute(); out.text("the fragments' counter is "); out.decimal(b); out.text(" where "); out.decimal(a); out.text(" was due")
    case .checksumWrong: attribute(); out.text("the checksum of a message is wrong")
    case .requestRepeated: attribute(); out.text("the request of "); frame(a); out.text(" was sent again after "); duration(b)
    default: attribute(); out.text("the request of "); frame(a); out.text(" got no answer in "); duration(b)
    }
  }

  // MARK: Parts of sentences

  private func bytes(_ number: Int) {
    out.decimal(number)
    out.text(number == 1 ? " byte" : " bytes")
  }

  private func frame(_ frame: Int) {
    out.byte(UInt8(ascii: "#"))
    out.decimal(frame)
  }

  private func duration(_ micros: Int) { Clock().duration(Int64(micros), to: out) }

  private func request(_ opcode: Int, _ unknown: StaticString = "request") {
    if let name = ATT.pdus.name(UInt32(truncatingIfNeeded: opcode)) { out.name(name) } else { out.text(unknown) }
  }

  private func failure(_ code: Int, _ domain: PacketRow.StatusDomain, code showsCode: Bool = true) {
    out.name(Status.failure(UInt8(truncatingIfNeeded: code), domain))
    guard showsCode else { return }
    out.text(" (0x")
    out.hex(UInt64(UInt8(truncatingIfNeeded: code)), digits: 2)
    out.byte(UInt8(ascii: ")"))
  }

  /// The device that was called, where it is known which.
  private func device(_ before: StaticString) {
    guard finding.address != 0 else { return }
    out.text(before)
    let peer = tables.knownPeer(finding.address, type: 0xFF)
    if peer >= 0, !tables.name(of: peer).isEmpty {
      out.untrusted(tables.name(of: peer), .terminal)
      out.byte(0x20)
    }
    out.address(finding.address)
  }

  /// The attribute the finding is about, with a colon behind it.
  private func attribute() {
    guard finding.attribute >= 0 else { return }
    name(finding.attribute)
    out.text(": ")
  }

  private func name(_ index: Int32) {
    guard index >= 0, Int(index) < tables.attributes.count else { return }
    out.label(index, tables, style, names)
  }
}
