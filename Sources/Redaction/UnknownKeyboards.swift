import Bluetooth
import Conversations
import Memory

/// Attributes and channels that may belong to a keyboard although the capture does not show it: it began during the connection, or the host knew the
/// device's attributes. A keyboard sends a report of zeros when no key is pressed, and one of modifiers and a key or two when one is (HID, B.1), which
/// few other devices do. The first pass finds them.
struct UnknownKeyboards {
  /// Connections with a handle or a channel identifier.
  private var sources: Set<UInt64> = []
  private static let maxCount = 65_536
  /// Reports with a bit for each key have some 20 bytes, and with less than two bytes there is no room for modifiers.
  private static let sizes = 2...32

  /// Takes a row of the first pass.
  mutating func take(_ row: PacketRow) {
    guard let (key, report) = Self.report(row), Self.sizes.contains(report.count), sources.count < Self.maxCount else { return }
    // Over BR/EDR a report can begin with its number.
    let isNumbered = row.layer != .att && report.count > 2 && report.dropFirst().allSatisfy { $0 == 0 }
    if isNumbered || report.allSatisfy({ $0 == 0 }) || Self.hasKey(report) { sources.insert(key) }
  }

  /// Whether a report has room for six keys, of which the last four are not pressed.
  private static func hasKey(_ report: PDUBytes) -> Bool {
    guard (7...9).contains(report.count) else { return false }
    return report.suffix(4).allSatisfy { $0 == 0 } && report.allSatisfy { $0 <= lastUsage }
  }
  /// The usage of the last modifier, and thus of the last key.
  private static let lastUsage: UInt8 = 0xE7

  /// Whether a row may have the report of such a keyboard.
  func has(_ row: PacketRow) -> Bool {
    if sources.isEmpty { return false }
    guard let (key, report) = Self.report(row), report.count <= Self.sizes.upperBound else { return false }
    return sources.contains(key)
  }

  /// The source and the bytes of what may be a report: the value of an attribute whose type is not known, or data of a channel that begin as a HIDP
  /// message with an input report (HID, 3.1.1).
  private static func report(_ row: PacketRow) -> (UInt64, PDUBytes)? {
    guard row.connection >= 0 else { return nil }
    let connection = UInt64(UInt32(bitPattern: row.connection)) << 32
    switch row.layer {
    case .att where row.meaning == .notify || row.meaning == .indicate:
      guard row.uuidSource == .none, row.flags.contains(.hasValue) else { return nil }
      return (connection | UInt64(row.attributeHandle), row.value)
    case .l2cap:
      guard let (_, data) = row.channelData, data.u8(0) == 0xA1 else { return nil }
      return (connection | 1 << 16 | UInt64(row.channel), data.from(1))
    default: return nil
    }
  }
}
