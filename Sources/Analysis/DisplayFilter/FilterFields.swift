import Bluetooth
import Conversations

/// What the values of a filter's field are.
enum FilterType: UInt8, Sendable {
  /// It is there or not.
  case none
  /// The bytes of a protocol.
  case `protocol`
  case unsigned, signed, bool, bytes, ether, string
  /// Seconds since 1970, or between two packets, kept in nanoseconds; a number with decimals, kept in billionths.
  case absoluteTime, relativeTime, double
  /// A field of a profile's message: each value carries its own type.
  case dynamic

  /// Values are numbers.
  var isNumber: Bool {
    switch self {
    case .unsigned, .signed, .bool, .absoluteTime, .relativeTime, .double: true
    default: false
    }
  }

  /// Values have bytes that can be cut, searched and matched.
  var hasBytes: Bool {
    switch self {
    case .protocol, .bytes, .ether, .string, .dynamic: true
    default: false
    }
  }
}

/// Which bytes of a packet a field's place is in.
enum FilterSource: String, CaseIterable, Sendable {
  /// The PDUs of a protocol in the packet's rows: of that under whose heading the field stands. Codes are opcodes or event codes, with `s`
  /// before them LE Meta subevents.
  case pdu = ""
  case acl, sco, iso
  /// Records of the Linux monitor; codes are its opcodes.
  case monitor = "mon"
  /// The value that an ATT PDU carries; codes are 16-bit UUIDs of attributes.
  case value = "val"
  /// Advertising data structures, wherever they are; codes are their types.
  case advertisingData = "ad"
  /// Any PDU that is taken apart.
  case any
  /// Packets of the Internet's protocols, in the PDUs that carry them.
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
  /// Vendors' commands, and the events that complete them or are the vendor's own, of controllers whose manufacturer has the company identifier
  /// behind the `@`. Codes are opcodes; of a vendor's event its first byte, with `s` before it.
  case vendorCommand = "cmd"
  case vendorEvent = "evt"
  /// What sniffers put before a packet.
  case radio = "rf"
  case nordic
  case baseband = "bb"
}

/// Computes the values that a packet has of a field.
typealias FilterAccessor = @Sendable (_ packet: FilterEvaluator, _ values: inout ContiguousArray<FilterValue>) -> Void

/// A row of a table of fields: a line as ``FilterFields`` describes it, and how the values are computed where the line says `=`.
struct FilterRow: Sendable {
  var line: StaticName
  var values: FilterAccessor?

  /// A heading, or a field whose values lie where the line says.
  init(_ line: StaticString) { self.line = StaticName(line) }

  /// A field whose values are computed. Of a protocol's field, whose line stands in the protocol's folder, only the name is given.
  init(_ line: StaticString, _ values: @escaping FilterAccessor) {
    self.line = StaticName(line)
    self.values = values
  }
}

/// One of the places a field's values come from. Plain data that points into immortal memory.
struct FilterPlace: @unchecked Sendable {
  enum Kind: UInt8, Sendable {
    /// Values are computed: by an accessor.
    case computed
    /// An integer or bytes at an offset.
    case fixed
    /// Fields of the layouts, by their names.
    case named
    /// All PDUs of a protocol.
    case whole
    /// A field of a profile's message; the names are the profile and the path.
    case message
  }

  var kind: Kind = .computed
  /// Of a computed value: index into ``FilterFields/accessors``.
  var accessor: Int32 = -1
  var source: FilterSource = .any
  /// The company identifier, for ``FilterSource/vendorCommand`` and ``FilterSource/vendorEvent``.
  var company = Vendor.unknownMaker
  /// The protocol whose PDUs it is in, for ``FilterSource/pdu``.
  var protocolID: ProtocolID = .opaque
  /// PDUs of other protocols begin with the header of that one.
  var isEnvelope = false
  var isBigEndian = false
  /// The PDUs that have it; all where empty.
  var codes = BorrowedBuffer<UInt32>()
  /// Is there once for a whole list, not for each of its elements.
  var isList = false
  /// Names of the layout's fields.
  var names = BorrowedBuffer<StaticName>()
  /// Offset and number of bytes; -1 for all that follow.
  var offset = 0
  var width = 0
  var mask: UInt64 = .max
  var shift: UInt64 = 0
  /// Only where this byte of the value, masked, is that.
  var condition: (offset: Int, mask: UInt8, value: UInt8)?

  init() {}

  /// The fields of a layout that have one of these names. The names' list is kept as long as the program runs.
  init(_ source: FilterSource, _ id: ProtocolID = .opaque, names: [StaticName]) {
    kind = .named
    self.source = source
    protocolID = id
    let memory = UnsafeMutableBufferPointer<StaticName>.allocate(capacity: names.count)
    _ = unsafe memory.initialize(from: names)
    self.names = unsafe BorrowedBuffer(UnsafeBufferPointer(memory))
  }

  /// It is in PDUs of the row's protocol, or in the header that they begin with.
  @inline(__always)
  func isIn(_ row: PacketRow) -> Bool { row.layer == protocolID || isEnvelope && row.envelope == protocolID }

  /// It is in the vendor's commands or events, and the row is one of them.
  func isInVendor(_ row: PacketRow) -> Bool {
    guard row.company == company else { return false }
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

  /// It is in PDUs of this code.
  @inline(__always)
  func has(_ code: UInt32) -> Bool {
    if codes.count == 0 { return true }
    for one in codes where one == code { return true }
    return false
  }
}

/// A field that filters know.
struct FilterField: @unchecked Sendable {
  /// Its name, as Wireshark has it.
  var name: StaticName = .empty
  var type: FilterType = .none
  /// Number of bytes of an integer.
  var width = 0
  /// Names of its values.
  var enumeration: StaticName = .empty
  var isFrame = false
  var isHexadecimal = false
  var places: [FilterPlace] = []
  /// The heading it stands under.
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
    case .double: "milliseconds"
    case .dynamic: "as the profile says"
    }
  }
}

/// The fields that filters know. Those of a packet as a whole stand in `Fields/`; those of a protocol beside it, in the tables `filterFields` of
/// the registry. Below a heading (`# …`), each line is a name of Wireshark's, its type and where its values are:
///
///     bthci_evt.status u8{status} .status
///
/// Types: `u8` to `u64` (`x8` where it is shown in hexadecimal), `i8` to `i32` (`be` behind them turns the bytes round), `bool`, `bytes`,
/// `ether` (`etherbe` where the bytes lie as they are written), `string`, `frame` (a frame number), `abstime`, `reltime`, `double`, `protocol`,
/// `none`. In braces an enumeration of the layouts: values can be written by name.
/// Places: `source/codes[offset:width]&mask` is an integer (or bytes, `*` to the end) at a fixed offset of the PDU;
/// `source/codes.name|name&mask` are the layout's fields of these names; `val/uuid?mask=value[…]` only where the value's first byte, masked, is
/// that, with `?mask@offset=value` another byte of what the place is in. `cmd@15/…` are vendors' commands of company 15. `name*` is there once for a list, not for each of its elements. Without a source, the PDUs of the protocol are meant; `=pdu` is all of each. `=` is computed by the row of this name in `Fields/`.
/// Several places may follow each other. Masked bits are moved down, unless the mask starts with `=`.
enum FilterFields {
  private static let tables = Tables()
  /// All fields, in the order of the tables.
  static var all: [FilterField] { tables.fields }
  /// What computes fields; see ``FilterPlace/accessor``.
  static let accessors = tables.accessors
  /// Index of a field by its name.
  static let byName: [String: Int] = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.name.description, $0) })
  /// Lines that are wrong: none, as a test sees to.
  static var problems: [String] { tables.problems }

  /// The tables as they are read.
  private struct Tables: Sendable {
    var fields: [FilterField] = []
    var accessors: [FilterAccessor] = []
    var problems: [String] = []
    private var group: StaticName = .empty
    /// Accessors of fields whose lines stand with their protocol.
    private var byName: [StaticName: FilterAccessor] = [:]

    init() {
      for row in FilterRow.l2cap + FilterRow.hci + FilterRow.attributes + FilterRow.linkLayer + FilterRow.baseband + FilterRow.services
        + FilterRow.reports
      {
        byName[row.line] = row.values
      }
      for row in FilterRow.packet + FilterRow.devices + FilterRow.transports { read(row.line, .opaque, row.values) }
      for (id, text) in ProtocolRegistry.filterTables {
        for line in FilterFields.split(StaticName(text), UInt8(ascii: "\n")) { read(line, id, nil) }
      }
      problems += byName.keys.map { "\($0): computed and not in the table" }
    }

    private mutating func read(_ line: StaticName, _ id: ProtocolID, _ values: FilterAccessor?) {
      if line.isEmpty { return }
      if unsafe line.utf8.first == UInt8(ascii: "#") {
        group = line.from(2)
        return
      }
      let words = FilterFields.split(line, UInt8(ascii: " "))
      var field = FilterField()
      field.group = group
      field.name = words[0]
      var isRight = words.count > 1 && FilterFields.type(words[1], &field)
      let isBigEndian = words.count > 1 && words[1].ends(with: "be")
      if let values { field.places.append(computed(values)) }
      for word in words.dropFirst(2) {
        if word == "=" {
          guard let values = byName.removeValue(forKey: field.name) else {
            isRight = false
            continue
          }
          field.places.append(computed(values))
          continue
        }
        guard var place = FilterFields.place(word, id) else {
          isRight = false
          continue
        }
        place.isBigEndian = isBigEndian
        field.places.append(place)
      }
      if isRight, !field.places.isEmpty { fields.append(field) } else { problems.append(line.description) }
    }

    private mutating func computed(_ values: @escaping FilterAccessor) -> FilterPlace {
      var place = FilterPlace()
      place.accessor = Int32(accessors.count)
      accessors.append(values)
      return place
    }
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
    case "bool": (field.type, field.width) = (.bool, 1)
    case "bytes": field.type = .bytes
    case "ether", "etherbe": (field.type, field.width) = (.ether, 6)
    case "string": field.type = .string
    case "abstime": field.type = .absoluteTime
    case "reltime": field.type = .relativeTime
    case "double": field.type = .double
    case "frame": (field.type, field.width, field.isFrame) = (.unsigned, 4, true)
    default:
      guard let first = name.first, let bits = Int(name.dropFirst().prefix { $0.isNumber }), bits % 8 == 0 else { return false }
      field.type = first == "i" ? .signed : .unsigned
      field.width = bits / 8
      field.isHexadecimal = first == "x"
      return first == "i" || first == "u" || first == "x"
    }
    return true
  }

  fileprivate static func place(_ word: StaticName, _ id: ProtocolID) -> FilterPlace? {
    var place = FilterPlace()
    place.protocolID = id
    place.isEnvelope = ProtocolRegistry.isEnvelope(id)
    if word == "=pdu" {
      place.kind = .whole
      place.source = .pdu
      return place
    }
    var rest = word
    if let at = rest.index(of: "&") {
      var mask = rest.from(at + 1)
      rest = rest.until(at)
      let keepsPlace = unsafe mask.utf8.first == UInt8(ascii: "=")
      if keepsPlace { mask = mask.from(1) }
      guard let value = UInt64(mask.description, radix: 16), value != 0 else { return nil }
      place.mask = value
      place.shift = keepsPlace ? 0 : UInt64(value.trailingZeroBitCount)
    }
    if let at = rest.index(of: "[") {
      let parts = split(rest.from(at + 1).until(rest.count - at - 2), UInt8(ascii: ":"))
      guard parts.count == 2, let offset = Int(parts[0].description) else { return nil }
      place.kind = .fixed
      place.offset = offset
      place.width = parts[1] == "*" ? -1 : Int(parts[1].description) ?? 0
      if place.width == 0 { return nil }
      rest = rest.until(at)
    } else if let at = rest.index(of: ".") {
      place.kind = .named
      if rest.ends(with: "*") {
        place.isList = true
        rest = rest.until(rest.count - 1)
      }
      place.names = immortal(split(rest.from(at + 1), UInt8(ascii: "|")))
      rest = rest.until(at)
    } else {
      return nil
    }
    if let at = rest.index(of: "?") {
      let parts = split(rest.from(at + 1), UInt8(ascii: "="))
      let left = split(parts[0], UInt8(ascii: "@"))
      guard parts.count == 2, let mask = UInt8(left[0].description, radix: 16), let value = UInt8(parts[1].description, radix: 16),
        let offset = left.count == 1 ? 0 : Int(left[1].description)
      else { return nil }
      place.condition = (offset, mask, value)
      rest = rest.until(at)
    }
    if let at = rest.index(of: "/") {
      var codes: [UInt32] = []
      for code in split(rest.from(at + 1), UInt8(ascii: ",")) {
        let isSubevent = unsafe code.utf8.first == UInt8(ascii: "s")
        guard let value = UInt32((isSubevent ? code.from(1) : code).description, radix: 16) else { return nil }
        codes.append(isSubevent ? 0x3E00 | value : value)
      }
      place.codes = immortal(codes)
      rest = rest.until(at)
    }
    if let at = rest.index(of: "@") {
      guard let company = UInt16(rest.from(at + 1).description) else { return nil }
      place.company = company
      rest = rest.until(at)
    }
    guard let source = FilterSource(rawValue: rest.description) else { return nil }
    place.source = source
    return place
  }

  fileprivate static func immortal<Element>(_ elements: [Element]) -> BorrowedBuffer<Element> {
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
