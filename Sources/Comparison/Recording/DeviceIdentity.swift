@_spi(Pipeline) import Analysis
import Bluetooth
import Conversations

/// Data that identifies a device among those of its model: its name, its addresses, those of the host. In values they are not compared.
struct DeviceIdentity {
  /// A sequence of bytes, with the placeholder that replaces each of them.
  private struct Part {
    var bytes: [UInt8]
    var placeholder: UInt8
  }
  /// Name and its words, and addresses in both orders.
  private var parts: [Part] = []
  /// The same in texts: addresses in hex, with and without colons.
  private var texts: [Part] = []
  /// First bytes of the parts.
  private var starts = SIMD4<UInt64>.zero, textStarts = SIMD4<UInt64>.zero

  /// Device Name, System ID, Serial Number String.
  private static let attributes: [UInt16] = [0x2A00, 0x2A23, 0x2A25]
  /// Shorter words occur by chance.
  private static let shortest = 4

  /// Whether the value of an attribute only identifies the device.
  static func isIdentity(_ attribute: Int32, _ tables: ConversationTables) -> Bool {
    guard attribute >= 0, case let entry = tables.attributes[Int(attribute)], entry.uuid >= 0, entry.kind == .value,
      let short = tables.uuids[Int(entry.uuid)].short16
    else { return false }
    return attributes.contains(UInt16(truncatingIfNeeded: short))
  }

  init(_ peer: Int32, _ adapter: UInt16, _ tables: ConversationTables) {
    if peer >= 0 {
      let name = tables.name(of: peer)
      add(name, placeholder: 1)
      for (index, word) in name.split(whereSeparator: { $0 == 0x20 || $0 == 0x2D || $0 == 0x5F }).enumerated() where index < 4 {
        add(Array(word), placeholder: UInt8(2 + index))
      }
      add(address: tables.peers[Int(peer)].address, placeholder: 6)
      let identity = tables.identity(peer)
      if identity != peer { add(address: tables.peers[Int(identity)].address, placeholder: 6) }
    }
    if let host = tables.adapters.first(where: { $0.index == adapter })?.address { add(address: host, placeholder: 7) }
    for part in parts { if let first = part.bytes.first { starts[Int(first >> 6)] |= 1 << UInt64(first & 63) } }
    for part in texts { if let first = part.bytes.first { textStarts[Int(first >> 6)] |= 1 << UInt64(first & 63) } }
  }

  private mutating func add(_ bytes: [UInt8], placeholder: UInt8) {
    guard bytes.count >= Self.shortest else { return }
    parts.append(Part(bytes: bytes, placeholder: placeholder))
    texts.append(Part(bytes: bytes, placeholder: UInt8(ascii: "?")))
  }

  private mutating func add(address: UInt64, placeholder: UInt8) {
    guard address != 0 else { return }
    let bytes = (0..<6).map { UInt8(truncatingIfNeeded: address >> ($0 * 8)) }
    for order in [bytes, bytes.reversed()] {
      parts.append(Part(bytes: order, placeholder: placeholder))
      let digits = order.map { byte in Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8) }
      for separator in [[], [UInt8(ascii: ":")]] {
        texts.append(Part(bytes: Array(digits.joined(separator: separator)), placeholder: UInt8(ascii: "?")))
      }
    }
  }

  /// Replaces bytes that identify the device by as many placeholders. Returns whether there were any.
  func mask(_ value: inout [UInt8]) -> Bool {
    var isMasked = false
    var at = 0
    while at < value.count {
      if let part = Self.part(at, of: value, parts, starts) {
        for index in at..<at + part.bytes.count { value[index] = part.placeholder }
        at += part.bytes.count
        isMasked = true
      } else {
        at += 1
      }
    }
    return isMasked
  }

  /// The same for text, where one placeholder replaces each part.
  func mask(text: inout [UInt8]) {
    var at = 0
    while at < text.count {
      if let part = Self.part(at, of: text, texts, textStarts) {
        text.replaceSubrange(at..<at + part.bytes.count, with: CollectionOfOne(part.placeholder))
      }
      at += 1
    }
  }

  /// The first part that occurs at an offset.
  @inline(__always)
  private static func part(_ at: Int, of value: [UInt8], _ parts: [Part], _ starts: SIMD4<UInt64>) -> Part? {
    let byte = value[at]
    guard starts[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 else { return nil }
    return parts.first { part in
      guard part.bytes[0] == byte, part.bytes.count <= value.count - at else { return false }
      return (1..<part.bytes.count).allSatisfy { part.bytes[$0] == value[at + $0] }
    }
  }
}
