import PacketCodecs

extension HID {
  /// A report of a row: its range in the row's PDU, and a description of its format, which the conversation tracker writes: flags (1: its report ID
  /// comes first; 2: it has keys; 4: more may follow), type, number of bits and number of bytes of the previous report (two bytes each), that report,
  /// and the entries of its format.
  public struct Report {
    private static let headerSize = 6
    private let flags: UInt8
    private let bits: Int
    /// The data of the report in its PDU, after its report ID.
    public let data: Range<Int>
    /// Its report ID in the PDU; nil where it has none there.
    public let number: Int?
    private let previous: Range<Int>
    private let entries: Int

    /// Reads the header of a description; nil where there is none.
    public init?(_ description: RawSpan, _ range: Range<Int>) {
      guard description.byteCount >= Report.headerSize else { return nil }
      flags = description.byte(0)
      bits = Int(description.integer(2, 2))
      let count = Int(description.integer(4, 2))
      guard Report.headerSize &+ count <= description.byteCount else { return nil }
      previous = Report.headerSize..<Report.headerSize &+ count
      entries = previous.upperBound
      let hasNumber = flags & 1 != 0 && !range.isEmpty
      number = hasNumber ? range.lowerBound : nil
      data = (hasNumber ? range.lowerBound &+ 1 : range.lowerBound)..<range.upperBound
    }

    /// Whether a report with this description may contain what a user typed, dialled or wrote, or a bar code that was scanned: ``HID/ReportMap`` decides
    /// it by the usage pages.
    public static func hasKeyboardKeys(_ description: RawSpan) -> Bool { (description.u8(0) ?? 0) & 2 != 0 }
    /// Number of bytes according to its report map.
    public var size: Int { (bits &+ 7) / 8 }
    /// It has more bytes than its report map describes.
    public var isTooLong: Bool { flags & 4 == 0 && data.count > size }

    /// Calls `body` for each entry of the format, with its offset in the description.
    func forEachEntry(_ description: RawSpan, _ body: (Entry, Int) -> Void) {
      var at = entries
      while let entry = Entry(description, at: at) {
        if !entry.flags.contains(.more) { body(entry, at) }
        at &+= Entry.stride
      }
    }

    /// The raw bits of a field; nil where the report ends before it.
    private static func raw(_ bytes: RawSpan, _ range: Range<Int>, _ offset: Int, _ size: Int) -> UInt32? {
      guard size > 0, size <= 32, offset &+ size <= range.count &* 8 else { return nil }
      var value: UInt64 = 0
      let first = range.lowerBound &+ offset / 8
      let last = range.lowerBound &+ (offset &+ size &- 1) / 8
      for (index, at) in (first...last).enumerated() { value |= UInt64(bytes.byte(at)) &<< UInt64(8 &* index) }
      return UInt32(truncatingIfNeeded: (value &>> UInt64(offset & 7)) & ((1 &<< UInt64(size)) &- 1))
    }

    private static func value(_ raw: UInt32, _ entry: Entry) -> Int32 {
      guard entry.low < 0, entry.size < 32 else { return Int32(bitPattern: raw) }
      let shift = UInt32(32 - entry.size)
      return Int32(bitPattern: raw &<< shift) &>> Int32(shift)
    }

    /// The usage of an array field with the value `value`; nil where it has none.
    private static func usage(_ value: Int32, _ entry: Entry, _ description: RawSpan, _ at: Int) -> UInt16? {
      guard value >= entry.low, value <= entry.high else { return nil }
      let index = Int(value) &- Int(entry.low)
      let count = Int(entry.last) &- Int(entry.first) &+ 1
      if index < count { return entry.first &+ UInt16(truncatingIfNeeded: index) }
      // More usages follow, each entry with the index of its first: uses the last entry whose first index is not larger.
      var at = at
      while let start = Entry.start(description, at &+ Entry.stride), start <= index { at &+= Entry.stride }
      guard let entry = Entry(description, at: at), entry.flags.contains(.more),
        index &- Int(entry.offset) <= Int(entry.last) &- Int(entry.first)
      else { return nil }
      return entry.first &+ UInt16(truncatingIfNeeded: index &- Int(entry.offset))
    }

    /// The byte range in the PDU of a field's bits.
    private static func byteRange(_ range: Range<Int>, _ offset: Int, _ size: Int) -> Range<Int> {
      let first = range.lowerBound &+ offset / 8
      return first..<max(first, range.lowerBound &+ (offset &+ size &+ 7) / 8)
    }

    /// The active usages (pressed or lit) of a group.
    fileprivate func active(_ group: Group, _ bytes: RawSpan, _ range: Range<Int>, _ description: RawSpan) -> Active {
      var active = Active()
      forEachEntry(description) { entry, at in
        guard group.has(entry) else { return }
        for index in 0..<Int(entry.count) where !active.isFull {
          let offset = Int(entry.offset) &+ index &* Int(entry.size)
          guard let raw = Self.raw(bytes, range, offset, Int(entry.size)) else { return }
          let usage: UInt16
          if entry.flags.contains(.variable) {
            guard raw != 0 else { continue }
            usage = entry.flags.contains(.same) ? entry.first : entry.first &+ UInt16(truncatingIfNeeded: index)
          } else {
            guard let found = Self.usage(Self.value(raw, entry), entry, description, at) else { continue }
            usage = found
          }
          if usage != 0 { active.add(usage, Self.byteRange(range, offset, Int(entry.size))) }
        }
      }
      return active
    }

    /// The active usages (pressed or lit).
    func active(_ group: Group, _ pdu: RawSpan, _ description: RawSpan) -> Active { active(group, pdu, data, description) }

    /// The usages that were active in the previous report.
    func before(_ group: Group, _ description: RawSpan) -> Active { active(group, description, previous, description) }

    /// The format has fields of the group.
    func has(_ group: Group, _ description: RawSpan) -> Bool {
      var found = false
      forEachEntry(description) { entry, _ in if group.has(entry) { found = true } }
      return found
    }

    /// Calls `body` for each number of the report that is no key, button or light, with its entry, usage and range.
    func forEachNumber(_ pdu: RawSpan, _ description: RawSpan, _ body: (Entry, UInt16, Int32, Range<Int>) -> Void) {
      forEachEntry(description) { entry, _ in
        guard entry.isNumber else { return }
        for index in 0..<Int(entry.count) {
          let offset = Int(entry.offset) &+ index &* Int(entry.size)
          guard let raw = Self.raw(pdu, data, offset, Int(entry.size)) else { return }
          let usage = entry.flags.contains(.same) ? entry.first : entry.first &+ UInt16(truncatingIfNeeded: index)
          body(entry, usage, Self.value(raw, entry), Self.byteRange(data, offset, Int(entry.size)))
        }
      }
    }

    /// The changes by a report.
    public struct Change: Sendable {
      /// Number of keys and controls pressed, of buttons pressed, and of all of these released.
      public var keys = 0, buttons = 0, released = 0
      /// Number of non-zero values, such as those of a moving pointer.
      public var moves = 0
      /// A key, control or button is held down.
      public var isHeld = false
    }

    /// Compares the report with the previous one.
    public func change(_ pdu: RawSpan, _ description: RawSpan) -> Change {
      var change = Change()
      for group in Group.pressed where has(group, description) {
        let now = active(group, pdu, description)
        let before = before(group, description)
        if now.count > 0 { change.isHeld = true }
        // With a full list, further usages are unknown.
        if now.isFull || before.isFull { continue }
        let pressed = now.without(before).count
        if group == .buttons { change.buttons += pressed } else { change.keys += pressed }
        change.released += before.without(now).count
      }
      forEachNumber(pdu, description) { _, _, value, _ in if value != 0 { change.moves += 1 } }
      return change
    }
  }

  /// Groups of usages that are either on or off.
  enum Group: UInt8, CaseIterable, Sendable {
    case keys, controls, systemControls, buttons, lights

    /// The groups that a user presses.
    static let pressed: [Group] = [.keys, .controls, .systemControls, .buttons]

    func has(_ entry: Entry) -> Bool {
      if entry.isNumber { return false }
      switch self {
      case .keys: return entry.page == .keys
      case .controls: return entry.page == .consumer
      case .systemControls: return entry.page == .desktop
      case .buttons: return entry.page == .buttons
      case .lights: return entry.page == .leds
      }
    }
  }

  /// The active usages, without duplicates; the first 64.
  struct Active {
    private var usages = InlineArray<64, UInt16>(repeating: 0)
    private var starts = InlineArray<64, UInt16>(repeating: 0)
    private var sizes = InlineArray<64, UInt8>(repeating: 0)
    private(set) var count = 0
    /// There may be more.
    var isFull: Bool { count == 64 }

    mutating func add(_ usage: UInt16, _ range: Range<Int>) {
      if isFull || contains(usage) { return }
      usages[count] = usage
      starts[count] = UInt16(truncatingIfNeeded: range.lowerBound)
      sizes[count] = UInt8(truncatingIfNeeded: range.count)
      count += 1
    }

    func contains(_ usage: UInt16) -> Bool {
      for index in 0..<count where usages[index] == usage { return true }
      return false
    }

    subscript(index: Int) -> (usage: UInt16, range: Range<Int>) {
      (usages[index], Int(starts[index])..<Int(starts[index]) &+ Int(sizes[index]))
    }

    /// The usages that are not in `other`.
    func without(_ other: Active) -> Active {
      var rest = Active()
      for index in 0..<count where !other.contains(usages[index]) { rest.add(usages[index], self[index].range) }
      return rest
    }
  }

  /// Reports the fields of a report: its report ID, the pressed usages, those newly pressed and released, and its numbers. False where the
  /// description does not describe it.
  public static func walkReport<Visitor: FieldVisitor>(
    _ pdu: RawSpan, _ range: Range<Int>, _ description: RawSpan, _ visitor: inout Visitor
  ) -> Bool {
    guard range.upperBound <= pdu.byteCount, let report = Report(description, range) else { return false }
    if let number = report.number {
      visitor.field(Fields.number, .unsigned(UInt64(pdu.byte(number))), at: number..<number &+ 1, in: pdu)
    }
    visitor.beginObject(Fields.report, at: report.data.lowerBound)
    for group in Group.allCases where report.has(group, description) {
      let now = report.active(group, pdu, description)
      walk(now, Fields.state(group), Fields.usage(group), report, pdu, &visitor)
      guard group != .lights else { continue }
      let before = report.before(group, description)
      if now.isFull || before.isFull { continue }
      let pressed = now.without(before)
      let released = before.without(now)
      if pressed.count > 0 { walk(pressed, Fields.pressed(group), Fields.usage(group), report, pdu, &visitor) }
      if released.count > 0 { walk(released, Fields.released(group), Fields.usage(group), report, pdu, &visitor, isReleased: true) }
    }
    var others = 0
    report.forEachNumber(pdu, description) { entry, usage, value, range in
      guard let field = Fields.number(entry.page, usage) else {
        others += 1
        return
      }
      visitor.field(field, .signed(Int64(value)), at: range, in: pdu)
    }
    if others > 0 {
      visitor.beginArray(Fields.values, at: report.data.lowerBound)
      var count = 0
      report.forEachNumber(pdu, description) { entry, usage, value, range in
        guard Fields.number(entry.page, usage) == nil, count < maxValues else { return }
        count += 1
        visitor.beginObject(Fields.values, at: range.lowerBound)
        visitor.field(Fields.page, .unsigned(UInt64(entry.page.rawValue)), at: range, in: pdu)
        visitor.field(Fields.usage, .unsigned(UInt64(usage)), at: range, in: pdu)
        visitor.field(Fields.value, .signed(Int64(value)), at: range, in: pdu)
        visitor.endObject(Fields.values, at: range)
      }
      visitor.endArray(Fields.values, at: report.data)
    }
    visitor.endObject(Fields.report, at: report.data)
    if report.isTooLong { visitor.problem(.surplus(report.data.lowerBound &+ report.size..<report.data.upperBound)) }
    return true
  }

  /// Most unnamed numbers that are reported of one report.
  private static let maxValues = 64

  private static func walk<Visitor: FieldVisitor>(
    _ active: Active, _ list: Field, _ field: Field, _ report: Report, _ pdu: RawSpan, _ visitor: inout Visitor, isReleased: Bool = false
  ) {
    visitor.beginArray(list, at: report.data.lowerBound)
    for index in 0..<active.count {
      let (usage, range) = active[index]
      // Released usages were in the previous report.
      visitor.field(field, .unsigned(UInt64(usage)), at: isReleased ? report.data.lowerBound..<report.data.lowerBound : range, in: pdu)
    }
    visitor.endArray(list, at: report.data)
  }

  private enum Fields {
    static let table = PDUTable(reportText)
    private static func field(_ name: StaticName) -> Field { table.layout(name).fields.first ?? Field() }
    static let number = field("number"), report = field("report"), values = field("values")
    static let page = field("page"), usage = field("usage"), value = field("value")
    private static let states = [field("keys"), field("controls"), field("system-controls"), field("buttons"), field("lights")]
    private static let pressed = [
      field("keys-pressed"), field("controls-pressed"), field("system-pressed"), field("buttons-pressed"), Field(),
    ]
    private static let released = [
      field("keys-released"), field("controls-released"), field("system-released"), field("buttons-released"), Field(),
    ]
    private static let usages = [field("key"), field("control"), field("system"), field("button"), field("light")]
    private static let axes = [
      field("x"), field("y"), field("z"), field("rx"), field("ry"), field("rz"), field("slider"), field("dial"), field("wheel"),
      field("hat"),
    ]
    private static let pan = field("pan")

    static func state(_ group: Group) -> Field { states[Int(group.rawValue)] }
    static func pressed(_ group: Group) -> Field { pressed[Int(group.rawValue)] }
    static func released(_ group: Group) -> Field { released[Int(group.rawValue)] }
    static func usage(_ group: Group) -> Field { usages[Int(group.rawValue)] }

    /// The field of a number; nil where its usage has none of its own.
    static func number(_ page: UsagePage, _ usage: UInt16) -> Field? {
      if page == .consumer, usage == 0x238 { return pan }
      guard page == .desktop, usage >= 0x30, usage <= 0x39 else { return nil }
      return axes[Int(usage &- 0x30)]
    }
  }

  private static let reportText: StaticString = """
    @number
      report_id:u8
    @report
      report:b*
    @values
      values:b*
    @page
      usage_page:x16{hid-page}
    @usage
      usage:x16
    @value
      value:i32
    @keys
      keys:b*
    @keys-pressed
      keys_pressed:b*
    @keys-released
      keys_released:b*
    @key
      key:x16{hid-key}
    @controls
      controls:b*
    @controls-pressed
      controls_pressed:b*
    @controls-released
      controls_released:b*
    @control
      control:x16{hid-control-usage}
    @system-controls
      system_controls:b*
    @system-pressed
      system_controls_pressed:b*
    @system-released
      system_controls_released:b*
    @system
      system_control:x16{hid-system}
    @buttons
      buttons:b*
    @buttons-pressed
      buttons_pressed:b*
    @buttons-released
      buttons_released:b*
    @button
      button:u16{hid-button}
    @lights
      leds:b*
    @light
      led:x16{hid-led}
    @x
      x:i32
    @y
      y:i32
    @z
      z:i32
    @rx
      rx:i32
    @ry
      ry:i32
    @rz
      rz:i32
    @slider
      slider:i32
    @dial
      dial:i32
    @wheel
      wheel:i32
    @hat
      hat_switch:i32
    @pan
      pan:i32
    """
}

extension HID.Entry {
  /// Its fields are numbers: axes, wheels, and those of unknown pages.
  var isNumber: Bool {
    switch page {
    case .keys, .leds, .buttons: false
    case .desktop: flags.contains(.variable) && !(first >= 0x81 && first <= 0xB7)
    case .consumer: flags.contains(.variable) && size > 1
    default: true
    }
  }
}
