import Bluetooth
import Conversations
import Memory

/// One report of an LE Advertising Report or LE Extended Advertising Report event (Core, Vol 4, Part E, 7.7.65.2 and 7.7.65.13).
public struct AdvertisingReport: Sendable {
  /// Address, little-endian value of the six octets.
  public var address: UInt64
  /// Type of the address as in HCI.
  public var addressType: UInt8
  /// Event type: 0 to 4 in legacy reports, bits in extended ones.
  public var kind: UInt16
  /// RSSI in dBm; 127 if not available.
  public var signal: Int8
  /// Extended report.
  public var isExtended: Bool
  /// Advertising data.
  public var data: PDUBytes

  /// Connections are accepted.
  public var isConnectable: Bool { isExtended ? kind & 1 != 0 : kind <= 1 }
  /// It responds to a scan request.
  public var isScanResponse: Bool { isExtended ? kind & 8 != 0 : kind == 4 }
}

extension PacketRow {
  /// The row is an event that carries advertising reports.
  @inline(__always)
  public var carriesReports: Bool {
    layer == .hciEvent && opcode == HCI.EventCode.leMeta.rawValue
      && (subcode == HCI.LESubevent.advertisingReport.rawValue || subcode == HCI.LESubevent.extendedAdvertisingReport.rawValue)
  }

  /// Calls `body` with each advertising report of the event.
  @inline(__always)
  public func forEachReport(_ body: (AdvertisingReport) -> Void) {
    let isExtended = subcode == 0x0D
    let head = isExtended ? 24 : 9
    var left = Int(pdu.u8(3) ?? 0)
    var at = 4
    while left > 0 {
      guard let address = pdu.address(at + (isExtended ? 3 : 2)), let type = pdu.u8(at + (isExtended ? 2 : 1)),
        let length = pdu.u8(at + head - 1)
      else { return }
      let kind = isExtended ? pdu.u16(at) ?? 0 : UInt16(pdu.u8(at) ?? 0)
      let signal = pdu.u8(isExtended ? at + 13 : at + head + Int(length)).map { Int8(bitPattern: $0) } ?? 127
      body(
        AdvertisingReport(
          address: address, addressType: type, kind: kind, signal: signal, isExtended: isExtended, data: pdu.slice(at + head, Int(length))))
      at += head + Int(length) + (isExtended ? 0 : 1)
      left -= 1
    }
  }
}
