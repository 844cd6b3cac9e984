import Bluetooth
import Conversations

/// Names of statuses and error codes.
public enum Status {
  /// The name of a row's status: `ok`, or the error's name in lower case; empty where the row has none.
  @inline(__always)
  public static func name(_ row: PacketRow) -> StaticName {
    guard row.flags.contains(.hasStatus) else { return .empty }
    return row.status == 0 && row.statusDomain != .smp ? "ok" : failure(row.status, row.statusDomain)
  }

  /// The name of an error code.
  public static func failure(_ code: UInt8, _ domain: PacketRow.StatusDomain) -> StaticName {
    let value = UInt64(code)
    switch domain {
    case .hci: return hci?.name(of: value) ?? "unknown HCI error"
    case .att: return ATT.ErrorCode(rawValue: code).name
    case .smp: return smp?.name(of: value) ?? "unknown pairing error"
    case .l2cap: return l2cap?.name(of: value) ?? "refused"
    case .l2capParameters: return parameters?.name(of: value) ?? "refused"
    case .l2capCredit: return credit?.name(of: value) ?? "refused"
    case .l2capReconfiguration: return reconfiguration?.name(of: value) ?? "refused"
    case .management: return management?.name(of: value) ?? "unknown status"
    case .handsFree: return (code & 0x80 == 0 ? results?.name(of: value) : errors?.name(of: value & 0x7F)) ?? "unknown error"
    case .humanInterface: return handshakes?.name(of: value) ?? "unknown result"
    case .serviceDiscovery: return discoveryErrors?.name(of: value) ?? "refused"
    case .audioVideo: return AVDTP.errorName(code) ?? "refused"
    case .remoteControl: return (code & 0x80 == 0 ? controls?.name(of: value) : answers?.name(of: value & 0x7F)) ?? "refused"
    case .objectExchange: return responses?.name(of: value | 0x80) ?? "unknown response"
    }
  }

  private static let hci = Enumeration.named("status")
  private static let smp = Enumeration.named("smp-reason")
  private static let l2cap = Enumeration.named("connection-result")
  private static let parameters = Enumeration.named("parameter-result")
  private static let credit = Enumeration.named("credit-result")
  private static let reconfiguration = Enumeration.named("reconfigure-result")
  private static let results = Enumeration.named("hfp-ending")
  private static let errors = Enumeration.named("hfp-error")
  private static let responses = Enumeration.named("obex-response")
  private static let handshakes = Enumeration.named("hid-result")
  private static let discoveryErrors = Enumeration.named("sdp-error")
  private static let controls = Enumeration.named("avrcp-status")
  private static let answers = Enumeration.named("avc-ctype")
  private static let management = Enumeration.named("mgmt-status")
}
