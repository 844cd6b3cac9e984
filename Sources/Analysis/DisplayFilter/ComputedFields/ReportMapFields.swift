import Bluetooth
import Conversations
import Memory

/// Items of report maps (HID 1.11, 6.2.2) that were read over LE, with Wireshark's names. Of some numbers with more than one byte, Wireshark shows
/// only the first byte; btscribe shows the complete number.
extension FilterRow {
  static let reportMaps: [FilterRow] = [
    item("usbhid.item.bSize") { Int128($0.head & 3) },
    item("usbhid.item.bType") { Int128($0.head >> 2 & 3) },
    item("usbhid.item.bTag") { Int128($0.head >> 4) },
    flag("usbhid.item.main.readonly", 0),
    flag("usbhid.item.main.variable", 1),
    flag("usbhid.item.main.relative", 2),
    flag("usbhid.item.main.wrap", 3),
    flag("usbhid.item.main.nonlinear", 4),
    flag("usbhid.item.main.no_preferred_state", 5),
    flag("usbhid.item.main.nullstate", 6),
    // For inputs this bit is reserved.
    flag("usbhid.item.main.reserved", 7, ofInputs: true),
    flag("usbhid.item.main.volatile", 7, ofInputs: false),
    flag("usbhid.item.main.buffered_bytes", 8),
    number("usbhid.item.main.colltype", 0xA0),
    number("usbhid.item.global.usage", 0x04),
    number("usbhid.item.global.log_min", 0x14, isSigned: true),
    number("usbhid.item.global.log_max", 0x24, isSigned: true),
    number("usbhid.item.global.phy_min", 0x34, isSigned: true),
    number("usbhid.item.global.phy_max", 0x44, isSigned: true),
    number("usbhid.item.global.unit_exp", 0x54),
    number("usbhid.item.global.unit.system", 0x64, digit: 0),
    number("usbhid.item.global.unit.length", 0x64, digit: 1),
    number("usbhid.item.global.unit.mass", 0x64, digit: 2),
    number("usbhid.item.global.unit.time", 0x64, digit: 3),
    number("usbhid.item.global.unit.temperature", 0x64, digit: 4),
    number("usbhid.item.global.unit.current", 0x64, digit: 5),
    number("usbhid.item.global.unit.brightness", 0x64, digit: 6),
    number("usbhid.item.global.report_size", 0x74),
    number("usbhid.item.global.report_id", 0x84),
    number("usbhid.item.global.report_count", 0x94),
    number("usbhid.item.global.push", 0xA4),
    number("usbhid.item.global.pop", 0xB4),
    number("usbhid.item.local.usage", 0x08),
    number("usbhid.item.local.usage_min", 0x18),
    number("usbhid.item.local.usage_max", 0x28),
    number("usbhid.item.local.desig_index", 0x38),
    number("usbhid.item.local.desig_min", 0x48),
    number("usbhid.item.local.desig_max", 0x58),
    number("usbhid.item.local.string_index", 0x78),
    number("usbhid.item.local.string_min", 0x88),
    number("usbhid.item.local.string_max", 0x98),
    number("usbhid.item.local.delimiter", 0xA8),
  ]

  /// A number of each item of a kind; `kind` is the item's prefix without its size, `digit` selects one of the number's four-bit digits.
  private static func number(_ line: StaticString, _ kind: UInt8, digit: UInt32? = nil, isSigned: Bool = false) -> FilterRow {
    item(line) { item in
      guard item.head & 0xFC == kind, item.size > 0 else { return nil }
      if let digit { return Int128(item.data >> (4 * digit) & 15) }
      let unused = UInt32(32 - 8 * item.size)
      return isSigned ? Int128(Int32(bitPattern: item.data << unused) >> Int32(unused)) : Int128(item.data)
    }
  }

  /// A bit of each input, output and feature.
  private static func flag(_ line: StaticString, _ bit: UInt32, ofInputs: Bool? = nil) -> FilterRow {
    item(line) { item in
      let isInput = item.head & 0xFC == 0x80
      guard isInput || item.head & 0xFC == 0x90 || item.head & 0xFC == 0xB0, ofInputs == nil || ofInputs == isInput else { return nil }
      return Int128(item.data >> bit & 1)
    }
  }

  private static func item(_ line: StaticString, _ value: @escaping @Sendable (ReportMapItem) -> Int128?) -> FilterRow {
    FilterRow(line) { packet, values in
      for row in packet.rows where row.layer == .att && row.attribute >= 0 {
        // A map that is read in parts is complete with the last of them.
        let isAssembled = row.flags.contains(.hasAssembled)
        guard row.attOpcode == .readResponse || row.attOpcode == .readBlobResponse && isAssembled,
          packet.batch.tables.type(of: packet.batch.tables.attributes[Int(row.attribute)])?.short16 == 0x2A4B
        else { continue }
        let map = isAssembled ? row.assembled : row.value
        guard ReportMapItem.areWhole(map) else { continue }
        ReportMapItem.forEach(map) { if let number = value($0) { values.append(FilterValue(number)) } }
      }
    }
  }
}

/// A short item of a report map.
private struct ReportMapItem {
  /// Its size, type and tag, from the lowest bits up.
  let head: UInt8
  /// Bytes of its data, and their number.
  let size: Int
  let data: UInt32

  /// Most items of a report map that display filters see; later items have no values.
  private static let maxCount = 4096

  /// Calls `body` for each item. Returns whether the last one ends at the end of the bytes. Long items, of which none is defined, are skipped.
  @discardableResult
  static func forEach(_ bytes: PDUBytes, _ body: (ReportMapItem) -> Void) -> Bool {
    var at = 0
    var count = 0
    while at < bytes.count, count < maxCount, let head = bytes.u8(at) {
      count += 1
      if head == 0xFE {
        guard let length = bytes.u8(at + 1) else { return false }
        at += 3 + Int(length)
        continue
      }
      let size = head & 3 == 3 ? 4 : Int(head & 3)
      guard at + 1 + size <= bytes.count else { return false }
      var data: UInt32 = 0
      for index in 0..<size { data |= UInt32(bytes.u8(at + 1 + index) ?? 0) << UInt32(8 * index) }
      body(ReportMapItem(head: head, size: size, data: data))
      at += 1 + size
    }
    return at == bytes.count
  }

  /// Whether the bytes are a complete map and not only its beginning: all collections are closed.
  static func areWhole(_ bytes: PDUBytes) -> Bool {
    var depth = 0, collections = 0
    let isWhole = forEach(bytes) { item in
      if item.head & 0xFC == 0xA0 { (depth, collections) = (depth + 1, collections + 1) }
      if item.head & 0xFC == 0xC0 { depth -= 1 }
    }
    return isWhole && depth == 0 && collections > 0
  }
}
