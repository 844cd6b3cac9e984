private import CAssignedNumbers

/// Names of the Bluetooth SIG's Assigned Numbers. The tables are texts in static memory, searched in place, so that no time is spent at start.
public enum AssignedNumbers {
  /// Name of a company identifier (Assigned Numbers, 7), or nil; 0xffff is no company's.
  public static func company(_ identifier: UInt16) -> StaticName? {
    let line = identifier < companyLines.count ? Int(companyLines[Int(identifier)]) : 0
    guard line > 0 else { return search(companies, key: UInt64(identifier), digits: 4) }
    var end = line
    while end < companies.count, companies[end] != 10 { end += 1 }
    return companies.name(line..<end)
  }

  /// For the assigned identifiers, which have hardly a gap, the offset of the name; 0 where there is none. Built with the first lookup, because
  /// advertisements need it often.
  private static let companyLines: StaticTable<UInt32> = {
    var lines: [UInt32] = []
    let text = companies
    var at = 0
    while at + 5 < text.count {
      let number = text[at..<at + 4].reduce(0) { $0 << 4 | Int($1 &- ($1 < 58 ? 48 : 87)) & 15 }
      if number < 0x2000 {
        while lines.count <= number { lines.append(0) }
        lines[number] = UInt32(at + 5)
      }
      while at < text.count, text[at] != 10 { at += 1 }
      at += 1
    }
    return StaticTable(lines)
  }()

  /// Name of a 16-bit UUID: service, characteristic, descriptor, declaration, member, SDO, protocol or service class; or nil.
  public static func uuid(_ short: UInt16) -> StaticName? {
    search(uuids16, key: UInt64(short), digits: 4)
  }

  /// Name of a UUID, or nil: as ``uuid(_:)-(UInt16)`` where it has a 16-bit form, else of UUIDs that vendors published.
  public static func uuid(_ uuid: BluetoothUUID) -> StaticName? {
    if let short = uuid.short16 { return self.uuid(short) }
    return search(uuids128, high: uuid.high, low: uuid.low, digits: 32)
  }

  /// Name of an appearance with its subcategory (Assigned Numbers, 2.6); of its category alone where the subcategory has none; or nil.
  public static func appearance(_ appearance: UInt16) -> StaticName? {
    search(appearances, key: UInt64(appearance), digits: 4) ?? search(appearances, key: UInt64(appearance & 0xFFC0), digits: 4)
  }

  static let companies = unsafe text(assigned_companies())
  static let uuids16 = unsafe text(assigned_uuids16())
  static let uuids128 = unsafe text(assigned_uuids128())
  static let appearances = unsafe text(assigned_appearances())

  private static func text(_ table: assigned_numbers) -> StaticTable<UInt8> { unsafe StaticTable(start: table.bytes, count: table.count) }

  private static func search(_ text: StaticTable<UInt8>, key: UInt64, digits: Int) -> StaticName? {
    search(text, high: 0, low: key, digits: digits)
  }

  /// Binary search in sorted lines that begin with `digits` hex digits and a space.
  private static func search(_ bytes: StaticTable<UInt8>, high: UInt64, low: UInt64, digits: Int) -> StaticName? {
    var first = 0
    var last = bytes.count
    while first < last {
      var line = (first + last) / 2
      while line > first, bytes[line - 1] != 10 { line -= 1 }
      var end = line
      while end < last, bytes[end] != 10 { end += 1 }
      var lineHigh: UInt64 = 0
      var lineLow: UInt64 = 0
      for byte in bytes[line..<min(line + digits, end)] {
        lineHigh = lineHigh << 4 | lineLow >> 60
        lineLow = lineLow << 4 | UInt64(byte &- (byte < 58 ? 48 : 87))
      }
      if lineHigh == high, lineLow == low {
        return bytes.name(min(line + digits + 1, end)..<end)
      }
      if (lineHigh, lineLow) < (high, low) { first = min(end + 1, last) } else { last = line }
    }
    return nil
  }
}
