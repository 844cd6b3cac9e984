@_spi(Pipeline) import Analysis
import Bluetooth
import Conversations

/// What tells a device from another of the same make: its name, its addresses, those of the host. In values they are no difference.
struct DeviceIdentity {
  /// Name and its words, and addresses in both orders, with what stands for them.
  private var parts: [(bytes: [UInt8], mark: UInt8)] = []

  /// Device Name, System ID, Serial Number String.
  private static let attributes: [UInt16] = [0x2A00, 0x2A23, 0x2A25]
  /// Shorter words occur by chance.
  private static let shortest = 4

  /// Whether the value of an attribute says nothing but which device it is.
  static func isIdentity(_ attribute: Int32, _ tables: Tables) -> Bool {
    guard attribute >= 0, case let one = tables.attributes[Int(attribute)], one.uuid >= 0, one.kind == .value,
      let short = tables.uuids[Int(one.uuid)].short16
    else { return false }
    return attributes.contains(UInt16(truncatingIfNeeded: short))
  }

  init(_ peer: Int32, _ adapter: UInt16, _ tables: Tables) {
    if peer >= 0 {
      let name = tables.name(of: peer)
      add(name, mark: 1)
      for (place, word) in name.split(whereSeparator: { $0 == 0x20 || $0 == 0x2D || $0 == 0x5F }).enumerated() where place < 4 {
        add(Array(word), mark: UInt8(2 + place))
      }
      add(address: tables.peers[Int(peer)].address, mark: 6)
      let identity = tables.identity(peer)
      if identity != peer { add(address: tables.peers[Int(identity)].address, mark: 6) }
    }
    if let own = tables.adapters.first(where: { $0.index == adapter })?.address { add(address: own, mark: 7) }
  }

  private mutating func add(_ bytes: [UInt8], mark: UInt8) { if bytes.count >= Self.shortest { parts.append((bytes, mark)) } }

  private mutating func add(address: UInt64, mark: UInt8) {
    guard address != 0 else { return }
    let bytes = (0..<6).map { UInt8(truncatingIfNeeded: address >> ($0 * 8)) }
    parts.append((bytes, mark))
    parts.append((bytes.reversed(), mark))
  }

  /// A value with marks of the same length in place of what identifies the device.
  func masking(_ value: [UInt8]) -> (value: [UInt8], isMasked: Bool) {
    var value = value
    var isMasked = false
    for part in parts where Self.replace(part.bytes, in: &value, by: [UInt8](repeating: part.mark, count: part.bytes.count)) {
      isMasked = true
    }
    return (value, isMasked)
  }

  /// The same of text, in which addresses stand in hex.
  func maskingText(_ text: [UInt8]) -> [UInt8] {
    var text = text
    for part in parts {
      if part.mark < 6 {
        _ = Self.replace(part.bytes, in: &text, by: Array("?".utf8))
      } else {
        let digits = part.bytes.map { byte in Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8) }
        for separator in [[], [UInt8(ascii: ":")]] {
          _ = Self.replace(Array(digits.joined(separator: separator)), in: &text, by: Array("?".utf8))
        }
      }
    }
    return text
  }

  private static func replace(_ part: [UInt8], in bytes: inout [UInt8], by mark: [UInt8]) -> Bool {
    guard let first = part.first, bytes.count >= part.count else { return false }
    var found = false
    var at = 0
    while at + part.count <= bytes.count {
      if bytes[at] == first, bytes[at..<at + part.count].elementsEqual(part) {
        bytes.replaceSubrange(at..<at + part.count, with: mark)
        found = true
        at += mark.count
      } else {
        at += 1
      }
    }
    return found
  }
}
