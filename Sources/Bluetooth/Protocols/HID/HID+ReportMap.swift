import PacketCodecs

extension HID {
  /// The format of a device's reports: its report descriptor (HID 1.11, 6.2.2), limited to what decoding reports needs.
  public struct ReportMap: Sendable {
    /// Its reports, each type and report ID once, at most ``maxReports``.
    public let formats: [ReportFormat]
    /// The first byte of a report is its report ID. Over GATT it is not: the Report Reference descriptor has the report ID.
    public let usesNumbers: Bool

    /// About how many bytes it takes in memory.
    public var weight: Int { formats.reduce(0) { $0 + $1.entries.count + 64 } }

    /// Bounds on a map.
    static let maxReports = 64, maxEntries = 128, maxUsages = 128, maxBits = 65_528
    /// Most fields of an array that are examined.
    static let maximumUsages = 64

    /// Reads a descriptor. Nil where it is incomplete (its collections do not end), or has no reports.
    public init?(_ bytes: RawSpan) {
      var parser = Parser()
      guard parser.parse(bytes), !parser.formats.isEmpty else { return nil }
      formats = parser.formats
      usesNumbers = parser.usesNumbers
    }

    /// Whether the descriptor has six consecutive printable ASCII characters. The short items of a report map do not contain such a run; it occurs
    /// where text was put into items that parsers skip, such as long items (HID 1.11, 6.2.2.3). Redaction replaces such a map.
    public static func hasText(_ bytes: RawSpan) -> Bool {
      var run = 0
      for at in 0..<bytes.byteCount {
        run = 0x20...0x7E ~= bytes.byte(at) ? run &+ 1 : 0
        if run == 6 { return true }
      }
      return false
    }

    /// The boot protocol's keyboard (report 1) and mouse (report 2) over BR/EDR (HID Profile 1.1.1, 3.3.2).
    public static let boot = ReportMap(
      formats: [keyboard(.input, 1), keyboard(.output, 1), mouse(2)].compactMap { $0 }, usesNumbers: true)

    private init(formats: [ReportFormat], usesNumbers: Bool) {
      self.formats = formats
      self.usesNumbers = usesNumbers
    }

    /// The format of a report.
    public func format(_ type: ReportType, _ number: UInt8) -> ReportFormat? {
      formats.first { $0.type == type && $0.number == number }
    }

    /// The boot keyboard's reports (HID 1.11, B.1).
    private static func keyboard(_ type: ReportType, _ number: UInt8) -> ReportFormat? {
      var format = ReportFormat(type: type, number: number)
      if type == .output {
        format.append(Entry(page: .leds, first: 1, last: 5, offset: 0, size: 1, flags: [.variable], count: 5, low: 0, high: 1))
        format.bits = 8
      } else {
        format.append(Entry(page: .keys, first: 0xE0, last: 0xE7, offset: 0, size: 1, flags: [.variable], count: 8, low: 0, high: 1))
        format.append(Entry(page: .keys, first: 0, last: 0xFF, offset: 16, size: 8, flags: [], count: 6, low: 0, high: 255))
        format.bits = 64
      }
      return format
    }

    /// The boot mouse's report (HID 1.11, B.2); devices may append more.
    private static func mouse(_ number: UInt8) -> ReportFormat? {
      var format = ReportFormat(type: .input, number: number)
      format.append(Entry(page: .buttons, first: 1, last: 8, offset: 0, size: 1, flags: [.variable], count: 8, low: 0, high: 1))
      format.append(
        Entry(page: .desktop, first: 0x30, last: 0x31, offset: 8, size: 8, flags: [.variable, .relative], count: 2, low: -127, high: 127))
      format.bits = 24
      format.mayBeLonger = true
      return format
    }
  }

  /// Usage pages (HID Usage Tables 1.4, 3).
  struct UsagePage: Equatable, Sendable {
    let rawValue: UInt16
    static let desktop = UsagePage(rawValue: 1), keys = UsagePage(rawValue: 7), leds = UsagePage(rawValue: 8)
    static let buttons = UsagePage(rawValue: 9), consumer = UsagePage(rawValue: 12)

    /// Whether usages of this page may contain what a user typed, dialled or wrote, or a bar code that was scanned. An array field has the usage of
    /// the pressed key, so this applies to every page. For a variable field, it applies to pages of keys, characters or data, and to unknown and
    /// vendor-defined pages; the other pages in the tables have states of pointers, lamps, axes and the like.
    func mayRevealKeys(isArray: Bool) -> Bool {
      switch rawValue {
      // Desktop, simulation, virtual reality, sport, game and generic device controls, haptics, physical input.
      case 0x01...0x06, 0x0E, 0x0F: false
      // Lamps.
      case 0x08, 0x59: false
      // Buttons, and the controls of a remote control.
      case 0x09, 0x0C: isArray
      // Monitors, power devices, camera controls, arcades.
      case 0x80...0x85, 0x90, 0x91: false
      default: true
      }
    }
  }

  /// Consecutive fields of a report: values of their own for consecutive usages (`variable`), or fields that each hold the index of a usage (an
  /// array).
  struct Entry: Sendable {
    struct Flags: OptionSet, Sendable {
      var rawValue: UInt8
      static let variable = Flags(rawValue: 1), relative = Flags(rawValue: 2)
      /// All fields have the first usage.
      static let same = Flags(rawValue: 8)
      /// Further usages of the previous array, without fields of their own. `offset` is the index of the first.
      static let more = Flags(rawValue: 16)
    }
    var page: UsagePage
    var first: UInt16, last: UInt16
    /// In bits from the start of the report, after its report ID.
    var offset: UInt16
    var size: UInt8
    var flags: Flags
    var count: UInt16
    /// The logical minimum and maximum.
    var low: Int32, high: Int32

    /// Number of its bytes in a description.
    static let stride = 20

    func write(to bytes: inout [UInt8]) {
      func put(_ value: UInt32, _ count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(8 * index))) }
      }
      put(UInt32(page.rawValue), 2)
      put(UInt32(first), 2)
      put(UInt32(last), 2)
      put(UInt32(offset), 2)
      put(UInt32(size), 1)
      put(UInt32(flags.rawValue), 1)
      put(UInt32(count), 2)
      put(UInt32(bitPattern: low), 4)
      put(UInt32(bitPattern: high), 4)
    }

    /// For an entry that continues the usages of the previous one, the index of its first; nil for others.
    static func start(_ bytes: RawSpan, _ at: Int) -> Int? {
      guard at &+ stride <= bytes.byteCount, bytes.byte(at &+ 9) & Flags.more.rawValue != 0 else { return nil }
      return Int(bytes.integer(at &+ 6, 2))
    }

    /// Reads it from a description; nil where it is incomplete.
    init?(_ bytes: RawSpan, at: Int) {
      guard at >= 0, at &+ Entry.stride <= bytes.byteCount else { return nil }
      func get(_ offset: Int, _ count: Int) -> UInt64 { bytes.integer(at &+ offset, count) }
      page = UsagePage(rawValue: UInt16(truncatingIfNeeded: get(0, 2)))
      first = UInt16(truncatingIfNeeded: get(2, 2))
      last = UInt16(truncatingIfNeeded: get(4, 2))
      offset = UInt16(truncatingIfNeeded: get(6, 2))
      size = UInt8(truncatingIfNeeded: get(8, 1))
      flags = Flags(rawValue: UInt8(truncatingIfNeeded: get(9, 1)))
      count = UInt16(truncatingIfNeeded: get(10, 2))
      low = Int32(truncatingIfNeeded: Int64(bitPattern: get(12, 4)))
      high = Int32(truncatingIfNeeded: Int64(bitPattern: get(16, 4)))
    }

    init(
      page: UsagePage, first: UInt16, last: UInt16, offset: UInt16, size: UInt8, flags: Flags, count: UInt16, low: Int32, high: Int32
    ) {
      self.page = page
      (self.first, self.last) = (first, last)
      (self.offset, self.size, self.flags, self.count) = (offset, size, flags, count)
      (self.low, self.high) = (low, high)
    }
  }

  /// The fields of a report with a type and report ID.
  public struct ReportFormat: Sendable {
    /// Whether the device sends it, or the host.
    public let type: ReportType
    /// Its report ID; 0 where the device's reports have none.
    public let number: UInt8
    /// Number of bits, without the report ID.
    public internal(set) var bits = 0
    /// A device may append more bytes than are described (boot protocol).
    var mayBeLonger = false
    /// The report has fields that ``UsagePage/mayRevealKeys(isArray:)`` is true for.
    public private(set) var hasKeyboardKeys = false
    private(set) var count = 0
    private(set) var entries: [UInt8] = []

    init(type: ReportType, number: UInt8) {
      self.type = type
      self.number = number
    }

    /// Number of bytes, without the report ID.
    public var size: Int { (bits &+ 7) / 8 }

    /// Whether a report with `count` bytes has more than are described.
    public func isExceeded(by count: Int) -> Bool { !mayBeLonger && count > size }

    mutating func append(_ entry: Entry) {
      guard count < ReportMap.maxEntries else { return }
      count += 1
      if entry.page.mayRevealKeys(isArray: !entry.flags.contains(.variable)) { hasKeyboardKeys = true }
      entry.write(to: &entries)
    }

    /// Describes a report for its row: see ``Report``. `previous` is the previous report of the same kind, empty where none is known.
    public func describe(previous: [UInt8], hasNumber: Bool, to bytes: inout [UInt8]) {
      bytes.removeAll(keepingCapacity: true)
      let kept = min(previous.count, 4096)
      bytes.append((hasNumber ? 1 : 0) | (hasKeyboardKeys ? 2 : 0) | (mayBeLonger ? 4 : 0))
      bytes.append(type.rawValue)
      for value in [bits, kept] {
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
      }
      bytes.append(contentsOf: previous.prefix(kept))
      bytes.append(contentsOf: entries)
    }
  }
}

extension HID.ReportMap {
  /// Reads the items of a descriptor (HID 1.11, 6.2.2.2 to 6.2.2.8).
  private struct Parser {
    struct Globals {
      var page: UInt16 = 0
      var low: Int32 = 0
      var high: Int32 = 0
      var highUnsigned: UInt32 = 0
      var size: UInt32 = 0
      var count: UInt32 = 0
      var number: UInt8 = 0
    }
    var globals = Globals()
    var stack: [Globals] = []
    /// Usages in order: page, first, last.
    var usages: [(page: UInt16, first: UInt16, last: UInt16)] = []
    var minimum: (page: UInt16, usage: UInt16)?
    var depth = 0
    var formats: [HID.ReportFormat] = []
    var usesNumbers = false

    mutating func parse(_ bytes: RawSpan) -> Bool {
      var at = 0
      while at < bytes.byteCount {
        let prefix = bytes.byte(at)
        if prefix == 0xFE {
          // Long items are reserved (6.2.2.3) and skipped.
          guard let count = bytes.u8(at &+ 1) else { return false }
          at &+= 3 &+ Int(count)
          continue
        }
        let size = prefix & 3 == 3 ? 4 : Int(prefix & 3)
        guard at &+ 1 &+ size <= bytes.byteCount else { return false }
        let raw = size == 0 ? 0 : UInt32(truncatingIfNeeded: bytes.integer(at &+ 1, size))
        at &+= 1 &+ size
        switch prefix >> 2 & 3 {
        case 0: guard main(prefix >> 4, raw) else { return false }
        case 1: guard global(prefix >> 4, raw, size) else { return false }
        case 2: local(prefix >> 4, raw, size)
        default: break
        }
      }
      return depth == 0 && at == bytes.byteCount
    }

    private static func signed(_ raw: UInt32, _ size: Int) -> Int32 {
      switch size {
      case 1: Int32(Int8(truncatingIfNeeded: raw))
      case 2: Int32(Int16(truncatingIfNeeded: raw))
      default: Int32(bitPattern: raw)
      }
    }

    private mutating func global(_ tag: UInt8, _ raw: UInt32, _ size: Int) -> Bool {
      switch tag {
      case 0: globals.page = UInt16(truncatingIfNeeded: raw)
      case 1: globals.low = Self.signed(raw, size)
      case 2:
        globals.high = Self.signed(raw, size)
        globals.highUnsigned = raw
      case 7: globals.size = raw
      case 8:
        // Zero is reserved (6.2.2.7).
        guard raw > 0, raw <= 255 else { return false }
        globals.number = UInt8(raw)
        usesNumbers = true
      case 9: globals.count = raw
      case 10:
        guard stack.count < 16 else { return false }
        stack.append(globals)
      case 11:
        guard let last = stack.popLast() else { return false }
        globals = last
      default: break
      }
      return true
    }

    private mutating func local(_ tag: UInt8, _ raw: UInt32, _ size: Int) {
      let page = size == 4 ? UInt16(truncatingIfNeeded: raw >> 16) : globals.page
      let usage = UInt16(truncatingIfNeeded: raw)
      switch tag {
      case 0: add(page, usage, usage)
      case 1: minimum = (page, usage)
      case 2:
        guard let start = minimum, start.usage <= usage else { return }
        add(start.page, start.usage, usage)
        minimum = nil
      default: break
      }
    }

    private mutating func add(_ page: UInt16, _ first: UInt16, _ last: UInt16) {
      if let end = usages.last, end.page == page, end.last != .max, end.last &+ 1 == first {
        usages[usages.count - 1].last = last
      } else if usages.count < HID.ReportMap.maxUsages {
        usages.append((page, first, last))
      }
    }

    private mutating func main(_ tag: UInt8, _ raw: UInt32) -> Bool {
      defer {
        usages.removeAll(keepingCapacity: true)
        minimum = nil
      }
      switch tag {
      case 8: return field(.input, raw)
      case 9: return field(.output, raw)
      case 11: return field(.feature, raw)
      case 10:
        depth += 1
        return depth <= 64
      case 12:
        depth -= 1
        return depth >= 0
      default: return true
      }
    }

    private mutating func field(_ type: HID.ReportType, _ raw: UInt32) -> Bool {
      let (total, overflows) = globals.size.multipliedReportingOverflow(by: globals.count)
      guard !overflows else { return false }
      let format: Int
      if let known = formats.firstIndex(where: { $0.type == type && $0.number == globals.number }) {
        format = known
      } else {
        guard formats.count < HID.ReportMap.maxReports else { return false }
        formats.append(HID.ReportFormat(type: type, number: globals.number))
        format = formats.count - 1
      }
      let start = formats[format].bits
      guard Int(total) <= HID.ReportMap.maxBits - start else { return false }
      formats[format].bits = start + Int(total)
      // Constants are padding. Fields of more than 32 bits hold no number.
      guard raw & 1 == 0, globals.size > 0, globals.size <= 32, globals.count > 0 else { return true }
      let isVariable = raw & 2 != 0
      var high = globals.high
      // Many maps give an unsigned maximum in as few bytes as possible: 0xff is 255 if the minimum is not negative.
      if globals.low >= 0, high < globals.low { high = Int32(truncatingIfNeeded: min(globals.highUnsigned, UInt32(Int32.max))) }
      var flags: HID.Entry.Flags = isVariable ? [.variable] : []
      if raw & 4 != 0 { flags.insert(.relative) }
      if usages.isEmpty { usages = [(globals.page, 0, 0)] }
      isVariable
        ? variables(format, start, flags, high) : array(format, start, flags, high)
      return true
    }

    /// Each field has a usage of its own; if there are more fields than usages, the last usage applies to the rest (6.2.2.8).
    private mutating func variables(_ format: Int, _ start: Int, _ flags: HID.Entry.Flags, _ high: Int32) {
      var left = Int(globals.count)
      var at = start
      for (number, usage) in usages.enumerated() where left > 0 {
        let count = min(left, Int(usage.last &- usage.first) + 1)
        append(format, usage, at, flags, count, high)
        left -= count
        at += count * Int(globals.size)
        if number == usages.count - 1, left > 0 {
          append(format, (usage.page, usage.last, usage.last), at, flags.union(.same), left, high)
        }
      }
    }

    /// Each field holds the index of one of the usages.
    private mutating func array(_ format: Int, _ start: Int, _ flags: HID.Entry.Flags, _ high: Int32) {
      var index = 0
      for (number, usage) in usages.enumerated() where index <= 0xFFFF {
        append(
          format, usage, number == 0 ? start : index, number == 0 ? flags : flags.union(.more),
          number == 0 ? Int(min(globals.count, UInt32(HID.ReportMap.maximumUsages))) : 0, high)
        index += Int(usage.last &- usage.first) + 1
      }
    }

    private mutating func append(
      _ format: Int, _ usage: (page: UInt16, first: UInt16, last: UInt16), _ offset: Int, _ flags: HID.Entry.Flags, _ count: Int,
      _ high: Int32
    ) {
      formats[format].append(
        HID.Entry(
          page: HID.UsagePage(rawValue: usage.page), first: usage.first, last: usage.last, offset: UInt16(truncatingIfNeeded: offset),
          size: UInt8(truncatingIfNeeded: globals.size), flags: flags, count: UInt16(truncatingIfNeeded: min(count, 0xFFFF)),
          low: globals.low, high: high))
    }
  }
}
