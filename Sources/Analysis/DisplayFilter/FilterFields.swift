import Bluetooth
import Conversations
import Memory

/// The type of the values of a filter field.
enum FilterType: UInt8, Sendable {
  /// The field has no value, only presence.
  case none
  /// The bytes of a protocol.
  case `protocol`
  case unsigned, signed, bool, bytes, ether, string
  /// Seconds since 1970, or between two packets, kept in nanoseconds; a number with decimals, kept in billionths.
  case absoluteTime, relativeTime, double
  /// A field of a profile's message: each value has its own type.
  case dynamic

  /// The values are byte sequences, which allow slices, `contains` and `matches`.
  var hasBytes: Bool {
    switch self {
    case .protocol, .bytes, .ether, .string, .dynamic: true
    default: false
    }
  }
}

/// The encoding of a number with decimals.
enum FilterDecimals: UInt8, Sendable {
  /// IEEE 11073 of 16 and of 32 bits, IEEE 754 of 64 bits, a signed integer of thousandths.
  case sfloat, float, double, thousandths
}

/// The bytes of a packet that contain a field.
enum FilterSource: String, CaseIterable, Sendable {
  /// The PDUs of a protocol in the packet's rows: that of the heading above the field. Codes are opcodes or event codes, with `s` before them LE Meta
  /// subevents.
  case pdu = ""
  case acl, sco, iso
  /// Records of the Linux monitor; codes are its opcodes.
  case monitor = "mon"
  /// The value that an ATT PDU carries; codes are 16-bit UUIDs of attributes.
  case value = "val"
  /// Advertising data structures in any PDU; codes are their types.
  case advertisingData = "ad"
  /// Any PDU with a layout.
  case any
  /// Packets of the Internet protocols, in the PDUs that carry them.
  case internet = "ip"
  /// Link Layer packets from their access address on: all, advertising PDUs (codes are their types), data PDUs, control PDUs.
  case linkLayer = "ll"
  case advertising = "adv"
  case data
  /// Data PDUs of connections, of connected and of broadcast isochronous streams, whose headers differ.
  case connectionData = "acl-le"
  case connectedStream = "cis"
  case broadcastStream = "bis"
  /// Control PDUs of broadcast isochronous streams; codes are their opcodes.
  case broadcastControl = "big"
  case control = "ctl"
  /// Vendor commands, and the events that complete them or are vendor-specific, of controllers whose manufacturer has the company identifier after
  /// the `@`. Codes are opcodes; for a vendor-specific event its first byte, with `s` before it.
  case vendorCommand = "cmd"
  case vendorEvent = "evt"
  /// Headers that sniffers add before a packet.
  case radio = "rf"
  case nordic
  case baseband = "bb"
  /// The Bluetooth Mesh PDUs that ``MeshReader`` decodes; codes are those of ``MeshNetwork/Kind``.
  case meshNetwork = "net"
  case meshConfiguration = "pconf"
  case meshTransport = "upper"
  case meshControl = "mctl"
  case meshMessage = "mesh"
  case meshProvisioning = "prov"
  case meshBeacon = "beacon"
  case meshJoinedAccess = "joinacc"
  case meshJoinedControl = "joinctl"
  case meshJoinedBearer = "joinadv"
  case meshJoinedProxy = "joinproxy"
}

/// Computes the values of a field in a packet.
typealias FilterAccessor = @Sendable (_ packet: FilterEvaluator, _ values: inout ContiguousArray<FilterValue>) -> Void

/// A row of a table of fields: a line in the format of ``FilterFields``, and the accessor if the line has `=`.
struct FilterRow: Sendable {
  var line: StaticName
  var values: FilterAccessor?

  /// A heading, or a field whose values are at the location that the line gives.
  init(_ line: StaticString) { self.line = StaticName(line) }

  /// A field whose values are computed. For a protocol's field, whose line is in the protocol's folder, only the name is given.
  init(_ line: StaticString, _ values: @escaping FilterAccessor) {
    self.line = StaticName(line)
    self.values = values
  }
}

/// A condition on a byte of a PDU, or on its number of bytes.
struct FilterCondition: Sendable {
  /// Number of bytes; -1 for a condition on a byte.
  var count = -1
  /// From the start, or where negative from the end.
  var offset = 0
  var mask: UInt8 = 0xff
  var value: UInt8 = 0
  /// The condition is negated.
  var isNegated = false

  func holds(_ bytes: PDUBytes) -> Bool {
    if count >= 0 { return (bytes.count == count) != isNegated }
    guard let byte = bytes.u8(offset < 0 ? bytes.count + offset : offset) else { return false }
    return (byte & mask == value) != isNegated
  }
}

/// Bytes before a field: `size` bytes if a condition holds, or a number of bytes that a counter byte gives.
struct FilterOffsetTerm: Sendable {
  var size = 0
  var condition: FilterCondition?
  /// Offset of the counter byte; -1 for none.
  var counter = -1

  /// The number of bytes; nil where the PDU ends before the counter byte.
  func count(_ bytes: PDUBytes) -> Int? {
    if let condition { return condition.holds(bytes) ? size : 0 }
    return bytes.u8(counter).map { size * Int($0) }
  }
}

/// One of the locations of a field's values. Plain data that points into memory that is never freed.
struct FieldLocation: @unchecked Sendable {
  enum Kind: UInt8, Sendable {
    /// An accessor computes the values.
    case computed
    /// An integer or bytes at an offset.
    case fixed
    /// Fields of the layouts, by their names.
    case named
    /// An integer or bytes at an offset of a structure of advertising data, or of a field of the layouts.
    case part
    /// The complete PDUs of a protocol.
    case whole
    /// A field of a profile's message; the names are the profile and the path.
    case message
  }

  var kind: Kind = .computed
  /// For a computed value, index into ``FilterFields/accessors``.
  var accessor: Int32 = -1
  var source: FilterSource = .any
  /// The company identifier, for ``FilterSource/vendorCommand`` and ``FilterSource/vendorEvent``.
  var company = Vendor.unknownMaker
  /// The protocol whose PDUs contain it, for ``FilterSource/pdu``.
  var protocolID: ProtocolID = .opaque
  /// A lower protocol: PDUs of other protocols begin with its header.
  var isEnvelope = false
  var isBigEndian = false
  /// The codes of PDUs that contain it; empty for all PDUs.
  var codes = BorrowedBuffer<UInt32>()
  /// One value for an entire list, not for each element.
  var isList = false
  /// Names of the layout's fields.
  var names = BorrowedBuffer<StaticName>()
  /// Offset and number of bytes; -1 for all that follow.
  var offset = 0
  var width = 0
  var mask: UInt64 = .max
  var shift: UInt64 = 0
  /// Conditions that must all hold.
  var conditions = BorrowedBuffer<FilterCondition>()
  /// Optional bytes before the field.
  var terms = BorrowedBuffer<FilterOffsetTerm>()
  /// Number of bytes after the field, if its ``width`` is -1.
  var behind = 0
  /// Distance in bytes from one value to the next, if values repeat to the end; 0 for a single value.
  var stride = 0
  /// The attribute's type, where it has 128 bits.
  var uuid: BluetoothUUID?

  /// It is an integer at an offset that does not depend on other bytes.
  var isPlain: Bool { kind == .fixed && width > 0 && width <= 8 && conditions.isEmpty && terms.isEmpty && stride == 0 && offset >= 0 }

  init() {}

  /// The fields of a layout that have one of these names. The list of names is never freed.
  init(_ source: FilterSource, _ id: ProtocolID = .opaque, names: [StaticName]) {
    kind = .named
    self.source = source
    protocolID = id
    self.names = FilterFields.immortal(names)
  }

  /// It is in PDUs of the row's protocol, or in the header that precedes them.
  @inline(__always)
  func isIn(_ row: PacketRow) -> Bool { row.layer == protocolID || isEnvelope && row.envelope == protocolID }

  /// It is in vendor commands or events, and the row is one of them.
  func isInVendor(_ row: PacketRow) -> Bool {
    guard company == Vendor.unknownMaker || row.company == company else { return false }
    if source == .vendorCommand { return row.layer == .hciCommand && has(row.opcode) }
    guard row.layer == .hciEvent else { return false }
    switch row.eventCode {
    case .commandComplete: return has(UInt32(row.subcode))
    case .vendorSpecific:
      guard codes.count > 0 else { return true }
      return row.pdu.u8(2).map { has(UInt32(HCI.EventCode.leMeta.rawValue) << 8 | UInt32($0)) } ?? false
    default: return false
    }
  }

  /// It is in PDUs with this code.
  @inline(__always)
  func has(_ code: UInt32) -> Bool {
    if codes.count == 0 { return true }
    for known in codes where known == code { return true }
    return false
  }
}

/// A filter field.
struct FilterField: @unchecked Sendable {
  /// Its name in Wireshark.
  var name: StaticName = .empty
  var type: FilterType = .none
  /// Number of bytes of an integer.
  var width = 0
  /// Names of its values.
  var enumeration: StaticName = .empty
  var isFrame = false
  var isHexadecimal = false
  /// The encoding of a ``FilterType/double``.
  var decimals = FilterDecimals.double
  var locations: [FieldLocation] = []
  /// Its heading in the manual.
  var group: StaticName = .empty

  /// The type's name in lists.
  var typeName: String {
    switch type {
    case .none: "label"
    case .protocol: "protocol"
    case .unsigned: isFrame ? "frame number" : "unsigned, \(width == 1 ? "1 byte" : "\(width) bytes")"
    case .signed: "signed, \(width == 1 ? "1 byte" : "\(width) bytes")"
    case .bool: "boolean"
    case .bytes: "bytes"
    case .ether: "address"
    case .string: "text"
    case .absoluteTime: "date and time"
    case .relativeTime: "seconds"
    // Computed numbers are time spans.
    case .double: locations.first?.kind == .computed ? "milliseconds" : "number with decimals"
    case .dynamic: "as the profile says"
    }
  }
}

/// The filter fields. Those of a protocol are in its folder in `Bluetooth/Protocols`, in the tables `filterFields` of the registry; those of the
/// packet itself, and the accessors that compute values, are in `ComputedFields/`. Below a heading (`# …`), each line has Wireshark's name of a
/// field, its type and the location of its values:
///
///     bthci_evt.status u8{status} .status
///
/// Types:
///
///     u8 … u64, i8 … i32     integers; x8 … x64 are shown in hexadecimal
///     u16be, etherbe         the most significant byte first
///     u8{status}             with the names of an enumeration of the layouts, by which a filter may write the values
///     bool, bytes, string, ether
///     sfloat, float, double  floating-point numbers: IEEE 11073's of two and of four bytes, IEEE 754's of eight
///     milli                  thousandths
///     frame                  the number of a packet
///     abstime, reltime       a date, a time span
///     protocol, none         only its presence
///
/// Locations, of which several may follow each other; without a source, the PDUs of the protocol are meant:
///
///     =                      computed by the row of this name in `ComputedFields/`
///     =pdu                   all of each PDU
///     .status|result         the fields of the layouts that have one of these names
///     .names*                once for a list, not for each of its elements
///     [2:1]                  an integer of one byte at offset 2
///     [-4:2]                 from the end where negative
///     [2:*]  [2:*-2]         bytes to the end, to the last two
///     [1:2]*  [1:2]*6        each two bytes from there to the end; two bytes in every six
///     [0:1]&0f               bits, shifted right; not shifted where the mask starts with `=`
///     evt/3e,0f.name         a source, and the opcodes (or codes) of the PDUs that have it
///     cmd@15/…  evt@15/…     commands of the company with identifier 15, and their events
///     val/2a37[1:1]          a value of the attribute with this UUID
///     [2+1?01+2?04@1:2]      at 2, one byte further where bit 01 of the first byte is set, two where bit 04 of the second is
///     [1+2?0c=04:1]          two bytes further where the bits 0c are 04
///     [1+1*@3:1]             as many bytes further as the fourth byte says
///
/// Conditions precede the bracket, and all must hold; otherwise there is no value:
///
///     ?f0=10[1:1]            the first byte, masked, is that
///     ?f0@2=10[1:1]          the third byte; from the end where negative
///     ?#=4[1:1]              there are four bytes
///     ?f0!10[1:1]            anything but that
///
/// There are thousands of rows: only those that a filter uses are read.
enum FilterFields {
  private static let tables = RowTables()
  /// All fields, in the order of the tables.
  static let all: [FilterField] = tables.rows.compactMap(read)
  /// Accessors of computed fields; see ``FieldLocation/accessor``.
  static let accessors = tables.accessors
  /// Index of a field by its name.
  static let byName: [String: Int] = Dictionary(tables.rows.enumerated().map { ($1.name.description, $0) }) { first, _ in first }
  /// Invalid lines and duplicate names; a test checks that there are none.
  static var problems: [String] {
    let repeated = tables.rows.enumerated().filter { byName[$1.name.description] != $0 }.map { "\($1.name) stands there twice" }
    return tables.rows.filter { read($0) == nil }.map(\.line.description) + repeated + tables.problems
  }
  /// The names of all fields.
  static var names: [String] { tables.rows.map(\.name.description) }

  /// The field with this index. The memory that its locations point to is never freed.
  static func field(_ number: Int) -> FilterField { read(tables.rows[number]) ?? FilterField() }

  /// The field with this index is one of Bluetooth Mesh.
  static func isOfMesh(_ number: Int) -> Bool { tables.rows[number].id == .mesh }

  /// A row of a table before it is read.
  private struct Row: Sendable {
    var name: StaticName
    var line: StaticName
    var id: ProtocolID
    var group: StaticName
    /// Index of its accessor; -1 for none.
    var accessor: Int32
  }

  /// The rows of the tables of all protocols, and the accessors of computed fields.
  private struct RowTables: Sendable {
    var rows: [Row] = []
    var accessors: [FilterAccessor] = []
    var problems: [String] = []

    init() {
      var group = StaticName.empty
      // Accessors of fields whose lines are in the folder of their protocol.
      var byName: [StaticName: Int32] = [:]
      for row in FilterRow.l2cap + FilterRow.hci + FilterRow.attributes + FilterRow.linkLayer + FilterRow.baseband + FilterRow.services
        + FilterRow.media + FilterRow.reports + FilterRow.mesh + FilterRow.meshSensors + FilterRow.internet + FilterRow.advertising
        + FilterRow.reportMaps
      {
        guard let values = row.values else { continue }
        byName[row.line] = Int32(accessors.count)
        accessors.append(values)
      }
      func add(_ line: StaticName, _ id: ProtocolID, _ accessor: Int32?) {
        if line.isEmpty { return }
        if unsafe line.utf8.first == UInt8(ascii: "#") {
          group = line.from(2)
          return
        }
        let name = line.until(line.index(of: " ") ?? line.count)
        rows.append(Row(name: name, line: line, id: id, group: group, accessor: accessor ?? byName.removeValue(forKey: name) ?? -1))
      }
      for row in FilterRow.packet + FilterRow.devices + FilterRow.transports {
        add(row.line, .opaque, row.values.map { _ in Int32(accessors.count) })
        if let values = row.values { accessors.append(values) }
      }
      for (id, text) in ProtocolRegistry.filterTables {
        for line in FilterFields.split(text, UInt8(ascii: "\n")) { add(line, id, nil) }
      }
      problems = byName.keys.map { "\($0): computed and not in the table" }
    }
  }

  /// Whether a line of a protocol is valid.
  static func isRight(_ line: StaticString, _ id: ProtocolID) -> Bool {
    read(Row(name: "", line: StaticName(line), id: id, group: "", accessor: -1)) != nil
  }

  /// Reads a row; nil where it is invalid.
  private static func read(_ row: Row) -> FilterField? {
    let words = split(row.line, UInt8(ascii: " "))
    var field = FilterField()
    field.group = row.group
    field.name = row.name
    guard words.count > 1, type(words[1], &field) else { return nil }
    if row.accessor >= 0 {
      var location = FieldLocation()
      location.accessor = row.accessor
      field.locations.append(location)
    }
    let isBigEndian = words[1].ends(with: "be")
    for word in words.dropFirst(2) {
      if word == "=" {
        if row.accessor < 0 { return nil }
        continue
      }
      guard var location = location(word, row.id) else { return nil }
      location.isBigEndian = isBigEndian
      field.locations.append(location)
    }
    return field.locations.isEmpty ? nil : field
  }

  fileprivate static func split(_ text: StaticName, _ separator: UInt8) -> [StaticName] {
    var parts: [StaticName] = []
    var start = 0
    for index in 0...text.count where unsafe index == text.count || text.start[index] == separator {
      unsafe parts.append(StaticName(start: text.start + start, count: index - start))
      start = index + 1
    }
    return parts
  }

  fileprivate static func type(_ word: StaticName, _ field: inout FilterField) -> Bool {
    let parts = split(word, UInt8(ascii: "{"))
    if parts.count == 2 { field.enumeration = unsafe StaticName(start: parts[1].start, count: max(0, parts[1].count - 1)) }
    let name = parts[0].description
    switch name {
    case "none": field.type = .none
    case "protocol": field.type = .protocol
    case "bool", "boolbe": (field.type, field.width) = (.bool, 1)
    case "bytes", "bytesbe": field.type = .bytes
    case "ether", "etherbe": (field.type, field.width) = (.ether, 6)
    case "string": field.type = .string
    case "abstime": field.type = .absoluteTime
    case "reltime": field.type = .relativeTime
    case "double": field.type = .double
    case "sfloat": (field.type, field.decimals) = (.double, .sfloat)
    case "float": (field.type, field.decimals) = (.double, .float)
    case "milli": (field.type, field.decimals) = (.double, .thousandths)
    case "frame": (field.type, field.width, field.isFrame) = (.unsigned, 4, true)
    default:
      guard let first = name.first, let bits = Int(name.dropFirst().prefix { $0.isNumber }), bits % 8 == 0, 8...64 ~= bits else {
        return false
      }
      field.type = first == "i" ? .signed : .unsigned
      field.width = bits / 8
      field.isHexadecimal = first == "x"
      return first == "i" || first == "u" || first == "x"
    }
    return true
  }

  fileprivate static func location(_ word: StaticName, _ id: ProtocolID) -> FieldLocation? {
    var location = FieldLocation()
    location.protocolID = id
    location.isEnvelope = ProtocolRegistry.isEnvelope(id)
    if word == "=pdu" {
      location.kind = .whole
      location.source = .pdu
      return location
    }
    var rest = word
    if let at = rest.index(of: "&") {
      var mask = rest.from(at + 1)
      rest = rest.until(at)
      let keepsPosition = unsafe mask.utf8.first == UInt8(ascii: "=")
      if keepsPosition { mask = mask.from(1) }
      guard let value = UInt64(mask.description, radix: 16), value != 0 else { return nil }
      location.mask = value
      location.shift = keepsPosition ? 0 : UInt64(value.trailingZeroBitCount)
    }
    if let at = rest.index(of: "[") {
      guard bracket(rest.from(at + 1), &location) else { return nil }
      location.kind = .fixed
      rest = rest.until(at)
    } else if let at = rest.index(of: ".") {
      location.kind = .named
      if rest.ends(with: "*") {
        location.isList = true
        rest = rest.until(rest.count - 1)
      }
      location.names = immortal(split(rest.from(at + 1), UInt8(ascii: "|")))
      rest = rest.until(at)
    } else {
      return nil
    }
    if rest.index(of: "?") != nil {
      let parts = split(rest, UInt8(ascii: "?"))
      let conditions = parts.dropFirst().compactMap(condition)
      guard conditions.count == parts.count - 1 else { return nil }
      location.conditions = immortal(conditions)
      rest = parts[0]
    }
    // The fields of a layout are found by name: a condition without a bracket would have no effect, and is an error. With a bracket it applies to the
    // field's bytes.
    if location.kind == .named, !location.conditions.isEmpty || location.names.contains(where: { $0.index(of: "?") != nil }) { return nil }
    if location.kind == .fixed, let at = rest.index(of: ".") {
      location.names = immortal(split(rest.from(at + 1), UInt8(ascii: "|")))
      rest = rest.until(at)
      location.kind = .part
    }
    if let at = rest.index(of: "/") {
      var codes: [UInt32] = []
      for code in split(rest.from(at + 1), UInt8(ascii: ",")) {
        if code.count == 32, let high = UInt64(code.until(16).description, radix: 16),
          let low = UInt64(code.from(16).description, radix: 16)
        {
          location.uuid = BluetoothUUID(high: high, low: low)
          continue
        }
        let isSubevent = unsafe code.utf8.first == UInt8(ascii: "s")
        guard let value = UInt32((isSubevent ? code.from(1) : code).description, radix: 16) else { return nil }
        codes.append(isSubevent ? 0x3E00 | value : value)
      }
      location.codes = immortal(codes)
      rest = rest.until(at)
    }
    if let at = rest.index(of: "@") {
      guard let company = UInt16(rest.from(at + 1).description) else { return nil }
      location.company = company
      rest = rest.until(at)
    }
    guard let source = FilterSource(rawValue: rest.description) else { return nil }
    location.source = source
    if source == .advertisingData, location.kind == .fixed { location.kind = .part }
    return location
  }

  /// `01=0`, `04@1=04`, `ff@-1!00`, `#!2`.
  fileprivate static func condition(_ word: StaticName) -> FilterCondition? {
    if unsafe word.count > 2 && word.utf8.first == UInt8(ascii: "#"), let count = Int(word.from(2).description) {
      return FilterCondition(count: count, isNegated: word.index(of: "=") == nil)
    }
    guard let relation = word.index(of: "=") ?? word.index(of: "!"), let value = UInt8(word.from(relation + 1).description, radix: 16)
    else {
      return nil
    }
    var result = FilterCondition(value: value, isNegated: word.index(of: "=") == nil)
    return masked(word.until(relation), &result) ? result : nil
  }

  /// Reads `04@1`, the mask and the offset of a condition.
  private static func masked(_ word: StaticName, _ condition: inout FilterCondition) -> Bool {
    let parts = split(word, UInt8(ascii: "@"))
    guard parts.count <= 2, let mask = UInt8(parts[0].description, radix: 16),
      let offset = parts.count == 1 ? 0 : Int(parts[1].description)
    else { return false }
    (condition.mask, condition.offset) = (mask, offset)
    return true
  }

  /// Reads the text after `[`: offset, width, and the distance between repeated values.
  fileprivate static func bracket(_ word: StaticName, _ location: inout FieldLocation) -> Bool {
    guard let end = word.index(of: "]") else { return false }
    let parts = split(word.until(end), UInt8(ascii: ":"))
    let terms = split(parts[0], UInt8(ascii: "+"))
    guard parts.count == 2, let offset = Int(terms[0].description) else { return false }
    location.offset = offset
    let found = terms.dropFirst().compactMap(term)
    guard found.count == terms.count - 1 else { return false }
    if !found.isEmpty { location.terms = immortal(found) }
    if unsafe parts[1].utf8.first == UInt8(ascii: "*") {
      location.width = -1
      if parts[1].count > 1 {
        guard let behind = Int(parts[1].from(1).description), behind < 0 else { return false }
        location.behind = -behind
      }
    } else {
      guard let width = Int(parts[1].description), width > 0 else { return false }
      location.width = width
    }
    let more = word.from(end + 1)
    if more.isEmpty { return true }
    guard unsafe more.utf8.first == UInt8(ascii: "*"), location.width > 0 else { return false }
    location.stride = more.count == 1 ? location.width : Int(more.from(1).description) ?? 0
    return location.stride >= location.width
  }

  /// `1?01`, `2?0c@1=04`, `1*@3`.
  private static func term(_ word: StaticName) -> FilterOffsetTerm? {
    var term = FilterOffsetTerm()
    if let at = word.index(of: "*") {
      guard let size = Int(word.until(at).description), unsafe word.from(at + 1).utf8.first == UInt8(ascii: "@"),
        let counter = Int(word.from(at + 2).description), counter >= 0
      else { return nil }
      (term.size, term.counter) = (size, counter)
      return term
    }
    guard let at = word.index(of: "?"), let size = Int(word.until(at).description) else { return nil }
    term.size = size
    let rest = word.from(at + 1)
    if rest.index(of: "=") != nil || rest.index(of: "!") != nil {
      term.condition = condition(rest)
    } else {
      var condition = FilterCondition(isNegated: true)
      guard masked(rest, &condition) else { return nil }
      term.condition = condition
    }
    return term.condition == nil ? nil : term
  }

  static func immortal<Element>(_ elements: [Element]) -> BorrowedBuffer<Element> {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = unsafe memory.initialize(from: elements)
    return unsafe BorrowedBuffer(UnsafeBufferPointer(memory))
  }
}

extension StaticName {
  fileprivate func from(_ at: Int) -> StaticName { unsafe StaticName(start: start + min(at, count), count: max(0, count - at)) }
  fileprivate func until(_ at: Int) -> StaticName { unsafe StaticName(start: start, count: max(0, min(at, count))) }
  fileprivate func index(of byte: Unicode.Scalar) -> Int? { unsafe utf8.firstIndex(of: UInt8(ascii: byte)) }
  fileprivate func ends(with text: StaticName) -> Bool { count >= text.count && from(count - text.count) == text }
}
