import Bluetooth
import Conversations
@_spi(Pipeline) import Profiles
import Analysis
import Memory
import Text

/// One message of a report: a message that a profile decoded, or a value that no profile knows.
public struct ReportMessage: Sendable {
  /// Properties of a message.
  public struct Flags: OptionSet, Sendable {
    /// The bits of the set.
    public var rawValue: UInt8
    /// Makes flags from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// This host (or in a sniffer's capture the central) sent it.
    public static let sent = Flags(rawValue: 1)
    /// Fragments are missing or out of order.
    public static let incomplete = Flags(rawValue: 2)
    /// A checksum is wrong.
    public static let badChecksum = Flags(rawValue: 4)
    /// It has checksums, and all are right.
    public static let goodChecksum = Flags(rawValue: 8)
    /// The profile cannot decode it, or not to its end.
    public static let notUnderstood = Flags(rawValue: 16)
    /// Bytes that belong to no message.
    public static let unjoined = Flags(rawValue: 32)
    /// No profile knows the characteristic.
    public static let raw = Flags(rawValue: 64)
    /// It is a request that expects a response.
    public static let request = Flags(rawValue: 128)
  }

  /// Its kind, index into ``Report/kinds``.
  public var kind = 0
  /// Frame that completed it.
  public var frame = 0
  /// Time of that frame, µs since 1970.
  public var time: Int64 = 0
  /// Index into ``ConversationTables/connections``, or -1.
  public var connection: Int32 = -1
  /// Index into ``ConversationTables/peers``, or -1.
  public var peer: Int32 = -1
  /// Properties of a message.
  public var flags: Flags = []
  /// The reassembled bytes, the first ``Report/keptBytes``; bytes of secret fields are zero.
  public var payload: [UInt8] = []
  /// Number of all of its bytes.
  public var payloadCount = 0
  /// The packets it was reassembled from with their values, where a value differs from the payload; at most ``Report/keptPackets``.
  public var packets: [(frame: Int, bytes: [UInt8])] = []
  /// Number of those packets.
  public var packetCount = 1
  /// Its description; empty for values that no profile knows.
  public var text: [UInt8] = []
  /// Layout of its fields, index into ``Report/layouts``, or -1.
  public var layout = -1
  /// The values of those fields: a JSON array, one element for each field of the layout.
  public var values: [UInt8] = []
  /// Its problem in words; empty where there is none.
  public var problem: [UInt8] = []
  /// Frame of the last packet of the request that it answers, or 0.
  public var replyTo = 0
  /// µs from that request to this.
  public var latency: Int64 = 0

  /// Approximate size in memory, in bytes.
  var size: Int {
    256 + payload.count + text.count + values.count + problem.count + packets.reduce(0) { $0 + 48 + $1.bytes.count }
  }
}

/// The layout of the fields of a message; messages of one kind share few layouts.
public struct ReportLayout: Sendable {
  /// One field.
  public struct Field: Sendable {
    /// Its name in the profile; for an element of an array its index in brackets.
    public var name: String
    /// Its name from the top: `values[].value`; elements of an array share one. A value that an id names has the id's name in its path.
    public var path: String
    /// Its unit, or empty.
    public var unit: String
    /// Number of objects and arrays around it.
    public var depth: Int
    /// Its range in the payload; empty where it was computed.
    public var range: Range<Int>
    /// For bit fields: the first bit, and the number of bits, counted from the most significant bit of the first byte; else 0 and 0.
    public var bits: (first: Int, count: Int)
    /// It is an object or an array, which has no value of its own.
    public var isContainer: Bool
    /// It is hidden in overviews: a length, a padding.
    public var isHidden: Bool
    /// A password or the like: its value is not in the report.
    public var isSecret: Bool
    /// Its index where it is an element of an array, else -1.
    var index = -1
  }

  /// Kind of the messages, index into ``Report/kinds``.
  public let kind: Int
  /// The fields in the order of the profile.
  public let fields: [Field]
  /// For each field, its index in ``ReportKind/fields``; -1 where it has none.
  var statistics: [Int] = []
}

/// The result of one walk over the fields of a message: a signature that identifies its layout, and the values. ``begin()`` reuses the memory.
struct ReportFieldsVisitor: MessageFieldVisitor {
  /// Equal bytes mean an equal layout.
  let signature = TextBuffer(capacity: 1024)
  /// The values as a JSON array, without the closing bracket.
  let values = TextBuffer(capacity: 1024)
  /// For each value its offset in ``values``, and its number; not a number where it has none.
  private(set) var entries: [(start: Int, number: Double)] = []
  /// Ranges of secret bytes.
  private(set) var secrets: [Range<Int>] = []
  /// The enumeration that begins the payload, or one of whole bytes that only hidden fields precede: its value and name.
  private(set) var lead: (name: String, value: Int64)?
  private var count = 0
  private var depth = 0
  private var isLeadOpen = true
  /// A field of the message was visited.
  private var hasBegun = false
  private var pairs: [Bool] = []
  private var secretDepth = Int.max
  private var scratch: [UInt8] = []

  static let maximum = 1500
  static let shownBytes = 256

  init() { values.byte(UInt8(ascii: "[")) }

  /// Begins another message.
  mutating func begin() {
    signature.clear()
    values.clear()
    values.byte(UInt8(ascii: "["))
    entries.removeAll(keepingCapacity: true)
    if !secrets.isEmpty { secrets.removeAll() }
    lead = nil
    count = 0
    depth = 0
    isLeadOpen = true
    hasBegun = false
    pairs.removeAll(keepingCapacity: true)
    secretDepth = .max
  }

  /// Begins a field, and returns the offset of its value; nil where the message has too many.
  private mutating func begin(_ field: FieldContext, isContainer: Bool) -> Int? {
    guard count < Self.maximum else { return nil }
    if count > 0 { values.byte(UInt8(ascii: ",")) }
    count += 1
    let isSecret = field.isSecret || depth > secretDepth
    if isSecret, !field.range.isEmpty { secrets.append(field.range) }
    // Flags, bits and range in one number, or where the range is a large one in two.
    let flags = min(depth, 60) << 3 | (isContainer ? 1 : 0) | (field.isHidden ? 2 : 0) | (isSecret ? 4 : 0)
    let bits = (field.startBit & 0x7F) << 9 | (field.endBit & 0x7F) << 16
    let (first, size) = (field.range.lowerBound, field.range.count)
    let isWide = first >= 0x10000 || size >= 0x10000
    var out = TextBuffer.Cursor(signature)
    out.number(UInt64(truncatingIfNeeded: flags | bits) | (isWide ? 1 << 23 : UInt64(truncatingIfNeeded: first << 24 | size << 40)))
    if isWide { out.number(UInt64(truncatingIfNeeded: first & 0xFFFF_FFFF | size << 32)) }
    out.append(field.name.bytes)
    out.byte(0)
    if !field.unit.isEmpty { out.append(field.unit.bytes) }
    out.byte(0)
    out.finish()
    return values.count
  }

  mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) {
    guard let start = begin(field, isContainer: false) else { return }
    var number = Double.nan
    if field.isSecret || depth > secretDepth {
      values.text("\"(secret)\"")
    } else {
      switch value {
      case .int(let whole): number = Double(whole)
      case .uint(let whole): number = Double(whole)
      case .double(let real, _): number = real
      default: break
      }
      append(value)
    }
    // The id of a pair becomes part of the name of the pair's value.
    if pairs.last == true, case .enumeration(let name, let id) = value {
      signature.byte(2)
      if name.isEmpty { signature.string(String(id)) } else { signature.append(name.bytes) }
      pairs[pairs.count - 1] = false
    }
    signature.byte(0xFF)
    if isLeadOpen {
      let isEmpty = field.range.isEmpty
      let isBits = field.startBit != field.endBit
      if case .enumeration(let name, let id) = value, !isEmpty, !isBits || field.range.lowerBound == 0 && !hasBegun {
        lead = (name.string, id)
      }
      if !isEmpty { hasBegun = true }
      if !isEmpty, !field.isHidden || lead != nil { isLeadOpen = false }
    }
    entries.append((start, number))
  }

  private mutating func append(_ value: MessageFieldValue) {
    switch value {
    case .enumeration(let name, let number):
      guard TextBuffer.isPlainJSON(name.bytes) else { return escape(name, number) }
      // The raw number.
      values.byte(UInt8(ascii: "\""))
      if name.isEmpty { values.text("unknown") } else { values.append(name.bytes) }
      if number < 0 {
        values.text(" (")
        values.decimal(Int(number))
      } else {
        values.text(" (0x")
        values.hex(UInt64(number), digits: 2)
      }
      values.text(")\"")
    case .bytes(let bytes):
      values.byte(UInt8(ascii: "\""))
      let shown = bytes.slice(0, Self.shownBytes)
      unsafe values.spacedHex(shown.start, shown.count)
      if bytes.count > Self.shownBytes { values.string("\u{2026} (+\(bytes.count - Self.shownBytes))") }
      values.byte(UInt8(ascii: "\""))
    case .text(let text):
      let shown = text.slice(0, 1024)
      guard TextBuffer.isPlainJSON(shown) else {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(jsonString: shown)
        return values.raw(scratch)
      }
      values.byte(UInt8(ascii: "\""))
      values.append(shown)
      values.byte(UInt8(ascii: "\""))
    // Numbers that JavaScript cannot represent exactly are written as strings.
    case .int(let whole) where whole.magnitude > 1 << 53: values.string("\"\(whole)\"")
    case .uint(let whole) where whole > 1 << 53: values.string("\"\(whole)\"")
    case .int(let whole): values.decimal(Int(whole))
    case .uint(let whole): values.unsigned(whole)
    case .bool(let truth): values.text(truth ? "true" : "false")
    case .null: values.text("null")
    case .double:
      scratch.removeAll(keepingCapacity: true)
      scratch.append(json: value)
      values.raw(scratch)
    }
  }

  /// The name of a number that needs escapes, and the number.
  private mutating func escape(_ name: FieldText, _ number: Int64) {
    var text = Array(name)
    text.append(" (")
    if number < 0 { text.append(decimal: number) } else { text.append(hex: UInt64(number), digits: 2) }
    text.append(")")
    scratch.removeAll(keepingCapacity: true)
    text.withBorrowedBytes { scratch.append(jsonString: $0) }
    values.raw(scratch)
  }

  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool {
    guard let start = begin(field, isContainer: true) else { return false }
    signature.byte(isArray ? 3 : 4)
    signature.byte(0xFF)
    entries.append((start, .nan))
    values.text("null")
    if field.isSecret { secretDepth = min(secretDepth, depth) }
    depth += 1
    pairs.append(field.isPair)
    return true
  }

  mutating func close(isArray: Bool) {
    depth -= 1
    pairs.removeLast()
    if depth <= secretDepth { secretDepth = .max }
  }

  mutating func problem(_ text: String) {}
}

/// The second walk, of the first message of a layout: the fields themselves.
struct ReportLayoutVisitor: MessageFieldVisitor {
  var fields: [ReportLayout.Field] = []
  /// For each field whether its names equal those of the same field of ``model``.
  private(set) var isOfModel: [Bool] = []
  /// The fields of another layout of the kind: most layouts have the same names in the same order.
  private let model: [ReportLayout.Field]
  /// The names of the open objects and arrays, each from the top, and whether each is that of the model.
  private var path: [String] = []
  private var arePathsOfModel: [Bool] = []
  private var indexes: [Int] = []
  private var pairs: [Bool] = []
  private var secretDepth = Int.max

  init(model: [ReportLayout.Field] = []) {
    self.model = model
    fields.reserveCapacity(model.count)
    isOfModel.reserveCapacity(model.count)
  }

  /// The next field of the model, where it has the same names.
  private mutating func before(_ field: FieldContext) -> ReportLayout.Field? {
    guard fields.count < model.count, arePathsOfModel.last ?? true else { return nil }
    let before = model[fields.count]
    guard before.depth == path.count, Self.isSame(before.unit, field.unit) else { return nil }
    if field.name.isEmpty, let index = indexes.last, index >= 0 {
      guard before.index == index else { return nil }
      indexes[indexes.count - 1] = index + 1
      return before
    }
    return before.index < 0 && Self.isSame(before.name, field.name) ? before : nil
  }

  private static func isSame(_ text: String, _ other: FieldText) -> Bool {
    var text = text
    return text.withUTF8 { unsafe BorrowedBytes(UnsafeRawBufferPointer($0)).isEqual(to: other.bytes) }
  }

  private mutating func begin(_ field: FieldContext, isContainer: Bool) -> Bool {
    guard fields.count < ReportFieldsVisitor.maximum else { return false }
    if var known = before(field) {
      known.range = field.range
      known.bits = Self.bits(of: field)
      known.isContainer = isContainer
      known.isHidden = field.isHidden
      known.isSecret = field.isSecret || path.count > secretDepth
      fields.append(known)
      isOfModel.append(true)
      return true
    }
    isOfModel.append(false)
    var found = -1
    var name = String(decoding: field.name, as: UTF8.self)
    var full = path.last ?? ""
    if name.isEmpty, let index = indexes.last, index >= 0 {
      name = "[\(index)]"
      found = index
      indexes[indexes.count - 1] = index + 1
      full += "[]"
    } else {
      full += full.isEmpty ? name : ".\(name)"
    }
    fields.append(
      ReportLayout.Field(
        name: name, path: full, unit: String(decoding: field.unit, as: UTF8.self), depth: path.count, range: field.range,
        bits: Self.bits(of: field), isContainer: isContainer, isHidden: field.isHidden,
        isSecret: field.isSecret || path.count > secretDepth,
        index: found))
    return true
  }

  private static func bits(of field: FieldContext) -> (first: Int, count: Int) {
    guard field.startBit != 0 || field.endBit != 0 else { return (0, 0) }
    let end = (field.range.count - 1) * 8 + (field.endBit == 0 ? 8 : field.endBit)
    return (field.startBit, max(0, end - field.startBit))
  }

  mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) {
    guard begin(field, isContainer: false) else { return }
    if pairs.last == true, case .enumeration(let name, let id) = value {
      pairs[pairs.count - 1] = false
      arePathsOfModel[path.count - 1] = false
      path[path.count - 1] += "{\(name.isEmpty ? String(id) : name.string)}"
    }
  }

  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool {
    guard begin(field, isContainer: true) else { return false }
    if field.isSecret { secretDepth = min(secretDepth, path.count) }
    path.append(fields[fields.count - 1].path)
    arePathsOfModel.append(isOfModel[fields.count - 1])
    indexes.append(isArray ? 0 : -1)
    pairs.append(field.isPair)
    return true
  }

  mutating func close(isArray: Bool) {
    path.removeLast()
    arePathsOfModel.removeLast()
    indexes.removeLast()
    pairs.removeLast()
    if path.count <= secretDepth { secretDepth = .max }
  }

  mutating func problem(_ text: String) {}
}
