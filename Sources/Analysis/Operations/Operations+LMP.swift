import Bluetooth
import Captures
import Conversations
import Memory

/// Operations of the Link Manager (Core, Vol 2, Part C, 4): connecting, encryption and the end of a BR/EDR connection, from the
/// PDUs that its two controllers exchange.
extension Operations {
  /// A PDU of the Link Manager on a known connection.
  func linkManager(_ row: PacketRow) {
    let at = link(row)
    let isIncoming = row.direction == .received
    switch LMP.Opcode(rawValue: row.opcode) {
    case .encryptionModeReq, .startEncryptionReq: extendOrBegin(\.security, .encryption, row, isIncoming: isIncoming)
    case .accepted, .notAccepted: endByResponse(row, at)
    case .detach:
      leave(at, isLost: true)
      let number = begin(.disconnect, row) { $0.isIncoming = isIncoming }
      end(number) { operation in
        operation.status = row.pdu.u8(1) ?? 0
        operation.statusDomain = .hci
        operation.ending = HCI.ErrorCode(rawValue: operation.status)?.isTermination == true ? .succeeded : .failed
      }
    default: break
    }
  }

  /// Takes an LMP PDU from the log of this host's controller, which a capture can have beside HCI packets. HCI events already report the operations, so
  /// only the side that requested encryption is taken from it.
  func linkManagerOfHost(_ row: PacketRow) {
    guard let verdict = LMP.verdict(row.pdu.span), verdict.error == nil,
      LMP.Opcode(rawValue: verdict.request) == .encryptionModeReq
    else { return }
    links[link(row)].isEncryptionOfHost = row.direction == .received
  }

  /// Ends the operation whose request gets an LMP_accepted or LMP_not_accepted.
  private func endByResponse(_ row: PacketRow, _ at: Int) {
    guard let verdict = LMP.verdict(row.pdu.span) else { return }
    switch LMP.Opcode(rawValue: verdict.request) {
    case .hostConnectionReq:
      // The other side sent the request.
      let number = begin(.connect, row) { $0.isIncoming = row.direction == .sent }
      end(number) { if let error = verdict.error { $0.fail(error, .hci) } else { $0.ending = .succeeded } }
    case .encryptionModeReq where verdict.error == nil:
      if links[at].security >= 0 { change(links[at].security) { $0.extend(row) } }
    case .startEncryptionReq, .encryptionModeReq:
      end(take(\.security, at)) {
        $0.extend(row)
        $0.latency = row.time &- $0.start
        if let error = verdict.error { $0.fail(error, .hci) } else { $0.ending = .succeeded }
      }
    default: break
    }
  }
}
