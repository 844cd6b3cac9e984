import Bluetooth
import Captures
import Conversations
import Memory

/// Operations in sniffers' captures: connections, and procedures of Link Layer control PDUs (Core, Vol 6, Part B, 2.4.2).
extension Operations {
  /// CONNECT_IND or AUX_CONNECT_REQ.
  func sniffedConnection(_ row: PacketRow) {
    guard row.meaning == .connected, row.connection >= 0 else { return }
    let number = begin(.connect, row)
    end(number) { $0.ending = .succeeded }
  }

  /// A packet on a data channel without decoded L2CAP, usually because it is encrypted.
  func sniffedData(_ row: PacketRow) {
    guard row.flags.contains(.encrypted), row.meaning == .data else { return }
    run(
      .data, row, link(row), key: UInt32(row.layer.rawValue) << 16, bytes: row.pdu, isIncoming: row.direction == .peripheral)
  }

  /// A control PDU.
  func control(_ row: PacketRow) {
    // A control PDU whose LLID marks it as something else.
    guard row.meaning != .other else { return }
    let at = link(row)
    let isIncoming = row.direction == .peripheral
    let pdu = row.pdu
    switch row.controlOpcode {
    case .connectionUpdateInd:
      agreed(\.parameters, .parameters, row, isIncoming) {
        $0.numbers = [Int(pdu.u16(4) ?? 0), Int(pdu.u16(6) ?? 0), Int(pdu.u16(8) ?? 0), 0]
      }
    case .connectionParamReq, .connectionParamRsp: extendOrBegin(\.parameters, .parameters, row, isIncoming: isIncoming)
    case .terminateInd:
      leave(at, isLost: true)
      agreed(\.disconnect, .disconnect, row, isIncoming) { operation in
        operation.status = pdu.u8(1) ?? 0
        operation.statusDomain = .hci
        operation.ending = HCI.ErrorCode(rawValue: operation.status)?.isTermination == true ? .succeeded : .failed
      }
    case .encReq: encrypts(row, isIncoming: isIncoming)
    case .encRsp, .startEncRsp: if links[at].security >= 0 { change(links[at].security) { $0.extend(row) } }
    case .startEncReq:
      abandonPairing(at)
      links[at].isKeyAgreed = nil
      end(take(\.security, at)) {
        $0.extend(row)
        $0.latency = row.time &- $0.start
        $0.ending = .succeeded
      }
    case .lengthReq: extendOrBegin(\.dataLength, .dataLength, row, isIncoming: isIncoming)
    case .lengthRsp:
      // Received octets, time, sent octets, time of the responder.
      agreed(\.dataLength, .dataLength, row, isIncoming) {
        $0.numbers = [Int(pdu.u16(1) ?? 0), Int(pdu.u16(5) ?? 0), 0, 0]
      }
    case .phyReq, .phyRsp: extendOrBegin(\.phy, .phy, row, isIncoming: isIncoming)
    case .phyUpdateInd:
      agreed(\.phy, .phy, row, isIncoming) {
        // Bits of the PHYs; 0 means no change.
        $0.numbers = [Self.phy(pdu.u8(1) ?? 0), Self.phy(pdu.u8(2) ?? 0), 0, 0]
      }
    // LL_UNKNOWN_RSP and LL_REJECT_EXT_IND have the rejected opcode; LL_REJECT_IND rejects only a start of encryption.
    case .unknownRsp: rejected(pdu.u8(1) ?? 0xFF, HCI.ErrorCode.unsupportedRemoteFeature.rawValue, row)
    case .rejectInd: rejected(LinkLayer.ControlOpcode.encReq.rawValue, pdu.u8(1) ?? HCI.ErrorCode.unspecifiedError.rawValue, row)
    case .rejectExtInd: rejected(pdu.u8(1) ?? 0xFF, pdu.u8(2) ?? HCI.ErrorCode.unspecifiedError.rawValue, row)
    default: break
    }
  }

  private static func phy(_ bits: UInt8) -> Int { bits == 1 ? 1 : bits == 2 ? 2 : bits == 4 ? 3 : 0 }

  /// The result of a procedure, with or without a request before.
  private func agreed(
    _ path: WritableKeyPath<OpenOperations, Int>, _ kind: Operation.Kind, _ row: PacketRow, _ isIncoming: Bool,
    _ body: (inout Operation) -> Void
  ) {
    var number = take(path, link(row))
    if number < 0 { number = begin(kind, row) { $0.isIncoming = isIncoming } }
    end(number) {
      $0.extend(row)
      if $0.frameCount > 1 { $0.latency = row.time &- $0.start }
      $0.ending = .succeeded
      body(&$0)
    }
  }

  /// The request of a control PDU is rejected, or unknown to the other side.
  private func rejected(_ opcode: UInt8, _ status: UInt8, _ row: PacketRow) {
    let path: WritableKeyPath<OpenOperations, Int>
    switch LinkLayer.ControlOpcode(rawValue: opcode) {
    case .encReq: path = \.security
    case .connectionParamReq: path = \.parameters
    case .lengthReq: path = \.dataLength
    case .phyReq: path = \.phy
    default: return
    }
    end(take(path, link(row))) {
      $0.extend(row)
      $0.latency = row.time &- $0.start
      $0.fail(status, .hci)
    }
  }
}
