import Bluetooth
import Conversations
import Memory

/// Attributes that may belong to a keyboard although the capture does not show it: it began during the connection, or the host knew the device's
/// attributes. A keyboard sends a report of zeros when no key is pressed, and one of modifiers and a key or two when one is (HID, B.1), which
/// few other devices do. The first pass finds them.
struct UnknownKeyboards {
  /// Connections with the handle of an attribute.
  private var sources: Set<UInt64> = []
  /// When so many are known, each attribute may be one.
  private static let maxCount = 65_536
  private var isFull: Bool { sources.count >= Self.maxCount }
  /// Reports of remote controls and dials have one or two bytes, those with a bit for each key 16 to 64.
  private static let sizes = 1...64

  /// Takes a row of the first pass.
  mutating func take(_ row: PacketRow) {
    guard let (key, report) = Self.report(row), Self.sizes.contains(report.count), !isFull else { return }
    // A report can begin with its number.
    let isNumbered = report.count > 1 && report.dropFirst().allSatisfy { $0 == 0 }
    if isNumbered || report.allSatisfy({ $0 == 0 }) || Self.hasKey(report) { sources.insert(key) }
  }

  /// Whether a report has room for six keys, of which the last four are not pressed.
  private static func hasKey(_ report: PDUBytes) -> Bool {
    guard (7...9).contains(report.count) else { return false }
    return report.suffix(4).allSatisfy { $0 == 0 } && report.allSatisfy { $0 <= lastUsage }
  }
  /// The usage of the last modifier, and thus of the last key.
  private static let lastUsage: UInt8 = 0xE7

  /// Whether a row may have the report of such a keyboard. A channel that was opened before the capture may have any protocol, and packets of BR/EDR from
  /// the air are not joined: all that they carry may be reports.
  func has(_ row: PacketRow) -> Bool {
    switch row.layer {
    case .l2cap: return row.channel >= 0x40 && row.subcode == 0
    case .baseband: return true
    case .att where row.attOpcode == .multipleHandleValueNotification: return true
    default:
      if sources.isEmpty { return false }
      guard let (key, report) = Self.report(row), report.count <= Self.sizes.upperBound else { return false }
      return isFull || sources.contains(key)
    }
  }

  /// The source and the bytes of what may be a report: the value of an attribute whose type is not known.
  private static func report(_ row: PacketRow) -> (UInt64, PDUBytes)? {
    guard row.connection >= 0, row.layer == .att, row.uuidSource == .none, row.flags.contains(.hasValue) else { return nil }
    guard row.meaning == .notify || row.meaning == .indicate else { return nil }
    return (UInt64(UInt32(bitPattern: row.connection)) << 32 | UInt64(row.attributeHandle), row.value)
  }
}
