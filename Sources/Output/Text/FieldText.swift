import Bluetooth
import Captures
import Conversations
import Analysis
import Memory
import Text

/// Writes the fields of a PDU into one line: `interval 30 ms, latency 0`.
struct InlineFields: FieldVisitor {
  let out: TextBuffer
  let style: Style
  private let layer: ProtocolID
  private let start: Int
  private var isFirst = true
  private var isFull = false
  /// Depth of arrays; their elements need no name because the array has one.
  private var arrays = 0
  /// Bytes of text after which no field is added.
  private static let limit = 120
  /// Bytes of a key that are shown.
  private static let shownOfKeys = 2
  /// Fields whose content the line has in another form.
  private static let shownElsewhere: [StaticName] = [
    "subevent_code", "status", "num_hci_command_packets", "command_opcode", "connection_handle", "length",
    "message_type", "signal_packet_type", "transaction_label", "signal_identifier", "invalid_profile", "command_response",
    "message_packet_type", "profile_identifier", "subunit_id", "subunit_type", "avc_opcode", "avc_company_id", "avrcp_pdu",
    "avrcp_packet_type", "avrcp_length", "codec_media_type",
  ]

  init(_ out: TextBuffer, style: Style, _ layer: ProtocolID) {
    self.out = out
    self.style = style
    self.layer = layer
    start = out.count
  }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    guard !field.isReserved, !isFull, !InlineFields.shownElsewhere.contains(field.name) else { return }
    if !isFirst { out.text(field.name.isEmpty ? " " : ", ") }
    isFirst = false
    if !field.name.isEmpty {
      out.words(field.name)
      out.byte(0x20)
    }
    // Only the first bytes of a key are printed, so that a log that is shown to others does not reveal it; `-V` prints all of it.
    out.value(field, value, bytes, style, limit: field.isSecret ? InlineFields.shownOfKeys : 20, layer)
    if out.count - start > InlineFields.limit { isFull = true }
  }

  mutating func beginObject(_ field: Field, at offset: Int) {
    guard !isFull else { return }
    if !isFirst { out.text(", ") }
    isFirst = true
    if !field.name.isEmpty, arrays == 0 {
      out.words(field.name)
      out.byte(0x20)
    }
    out.byte(UInt8(ascii: "("))
  }

  mutating func endObject(_ field: Field, at range: Range<Int>) {
    if !isFull { out.byte(UInt8(ascii: ")")) }
    isFirst = false
  }

  mutating func beginArray(_ field: Field, at offset: Int) {
    guard !isFull else { return }
    if !isFirst { out.text(", ") }
    isFirst = true
    arrays += 1
    out.words(field.name)
    out.byte(0x20)
  }

  mutating func endArray(_ field: Field, at range: Range<Int>) {
    isFirst = false
    arrays -= 1
  }

  /// Cuts a text that is longer than a line should be.
  func finish() {
    if isFull { out.fold(from: start, to: InlineFields.limit, style) }
  }
}

/// Writes the fields of a PDU, one per line, with the offsets of their bytes.
struct FieldLines: FieldVisitor {
  let out: TextBuffer
  let style: Style
  private let layer: ProtocolID
  private var indent: Int
  /// One bit per level: it is an array.
  private var isArray: UInt64 = 0
  /// The next line is the first one of an array's element.
  private var isElement = false

  init(_ out: TextBuffer, style: Style, _ layer: ProtocolID, indent: Int, title: StaticName) {
    self.out = out
    self.style = style
    self.layer = layer
    self.indent = indent
    out.spaces(indent)
    out.paint(.dim, style)
    out.name(title)
    out.unpaint(.dim, style)
    out.byte(0x0A)
    self.indent += 2
  }

  private mutating func name(_ field: Field) {
    out.spaces(indent)
    out.paint(.dim, style)
    if isArray & 1 != 0 {
      out.byte(UInt8(ascii: "-"))
    } else {
      if isElement {
        out.text("- ")
      } else if isArray != 0 {
        out.text("  ")
      }
      isElement = false
      out.words(field.name)
    }
    out.unpaint(.dim, style)
  }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    name(field)
    out.byte(0x20)
    out.value(field, value, bytes, style, limit: 256, layer)
    out.byte(0x0A)
  }

  mutating func beginObject(_ field: Field, at offset: Int) {
    // An element of an array begins with a dash; the array's line has the name.
    isElement = isArray & 1 != 0
    isArray <<= 1
    guard !isElement else { return }
    name(field)
    out.byte(0x0A)
    indent += 2
  }

  mutating func endObject(_ field: Field, at range: Range<Int>) {
    isArray >>= 1
    if isArray & 1 == 0 { indent -= 2 }
  }

  mutating func beginArray(_ field: Field, at offset: Int) {
    name(field)
    out.byte(0x0A)
    indent += 2
    isArray = isArray << 1 | 1
  }

  mutating func endArray(_ field: Field, at range: Range<Int>) {
    indent -= 2
    isArray >>= 1
    isElement = false
  }

  mutating func problem(_ problem: FieldProblem) {
    out.spaces(indent)
    out.paint(.red, style)
    switch problem {
    case .short(let field, let offset, let needed, let available):
      out.text("ends inside ")
      out.words(field.name)
      out.text(": ")
      out.decimal(needed)
      out.text(" bytes needed at byte ")
      out.decimal(offset)
      out.text(", ")
      out.decimal(available)
      out.text(" there")
    case .surplus(let range):
      out.decimal(range.count)
      out.text(" bytes that no field claims, from byte ")
      out.decimal(range.lowerBound)
    case .outOfRange(let field, let value, _):
      out.words(field.name)
      out.text(" ")
      out.decimal(Int(value))
      out.text(" is not allowed")
    }
    out.unpaint(.red, style)
    out.byte(0x0A)
  }
}

extension TextBuffer {
  /// Appends a field's name as words: `connection_handle` → `connection handle`.
  func words(_ name: StaticName) {
    let bytes = unsafe name.utf8
    for index in bytes.indices { unsafe byte(bytes[index] == UInt8(ascii: "_") ? 0x20 : bytes[index]) }
  }

  /// Appends the value of a field of a protocol's PDU for people; at most `limit` bytes of long ones.
  func value(_ field: Field, _ value: FieldValue, _ bytes: RawSpan, _ style: Style, limit: Int, _ layer: ProtocolID? = nil) {
    switch value {
    case .unsigned(let number): self.number(field, number)
    case .signed(let number):
      if let name = field.name(ofSigned: number) { return self.name(name) }
      scaled(field, number)
      unit(field)
    case .bool(let truth): text(truth ? "yes" : "no")
    case .bytes(let range):
      unsafe bytes.extracting(range.clamped(to: 0..<bytes.byteCount)).withUnsafeBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        unsafe spacedHex(base, min(buffer.count, limit))
        if buffer.count > limit {
          byte(0x20)
          glyph(.ellipsis, style)
          text(" (+")
          decimal(buffer.count - limit)
          byte(UInt8(ascii: ")"))
        }
      }
    case .text(let range):
      byte(UInt8(ascii: "\""))
      bytes.extracting(range.clamped(to: 0..<bytes.byteCount)).withBorrowedBytes { untrusted($0, .terminal) }
      byte(UInt8(ascii: "\""))
    case .wideText(let range):
      byte(UInt8(ascii: "\""))
      untrusted(bytes.utf8(ofWideText: range), .terminal)
      byte(UInt8(ascii: "\""))
    case .address(let address): self.address(address.address)
    case .uuid(let uuid):
      // Of attributes only services have their UUID as a value.
      let isService = field.name == "attribute_value" || field.name == "service_uuid"
      if let name = layer == .att ? uuid.attributeName(isService: isService) : uuid.name {
        self.name(name)
        text(" (")
        string(uuid.description)
        byte(UInt8(ascii: ")"))
      } else {
        string(uuid.description)
      }
    }
  }

  private func number(_ field: Field, _ number: UInt64) {
    if let enumeration = field.enumeration {
      if enumeration.isFlags {
        var isFirst = true
        let rest = enumeration.forEachFlag(in: number) { name in
          if !isFirst { self.text(", ") }
          isFirst = false
          self.name(name)
        }
        if isFirst || rest != 0 {
          if !isFirst { text(", ") }
          text("0x")
          hex(isFirst ? number : rest, digits: 2)
        }
        return
      }
      if let name = field.name(of: number) {
        self.name(name)
        if field.isHexadecimal {
          text(" (0x")
          hex(number, digits: max(2, Int(field.width) * 2))
          byte(UInt8(ascii: ")"))
        }
        return
      }
    }
    if field.isHexadecimal {
      text("0x")
      hex(number, digits: max(2, Int(field.width) * 2))
    } else {
      scaled(field, Int64(bitPattern: number))
    }
    unit(field)
  }

  private func unit(_ field: Field) {
    guard !field.unit.isEmpty else { return }
    byte(0x20)
    name(field.unit)
  }
}

/// A cache of names of 16-bit numbers, as few different ones are advertised often.
struct NameMemory {
  private var numbers = [Int32](repeating: -1, count: 256)
  private var names = [StaticName?](repeating: nil, count: 256)

  /// The name of a number, from `lookUp` the first time.
  @inline(__always)
  mutating func name(_ number: UInt16, _ lookUp: (UInt16) -> StaticName?) -> StaticName? {
    let slot = Int((number ^ number >> 8) & 0xFF)
    if numbers[slot] != Int32(number) {
      numbers[slot] = Int32(number)
      names[slot] = lookUp(number)
    }
    return names[slot]
  }
}

/// Advertising reports for people.
struct Advertisement {
  private var companies = NameMemory()
  private var services = NameMemory()

  /// The address of the first report of an event.
  static func address(_ row: PacketRow) -> UInt64? {
    if row.layer == .advertisingPDU { return AdvertisingPayload(row.pdu).address }
    switch (row.eventCode, row.subevent) {
    case (_, .advertisingReport): return row.pdu.address(6)
    case (_, .extendedAdvertisingReport): return row.pdu.address(7)
    case (.inquiryResult, _), (.inquiryResultWithRSSI, _), (.extendedInquiryResult, _): return row.pdu.address(3)
    default: return nil
    }
  }

  /// Signal, name, services, company: of the first report, and how many more there are.
  mutating func write(_ row: PacketRow, to out: TextBuffer, _ style: Style) {
    if row.layer == .advertisingPDU {
      if LinkLayer.AdvertisingType(rawValue: UInt8(row.opcode & 15)) == .scanRsp { out.text("  scan response") }
      structures(AdvertisingPayload(row.pdu).data, to: out, style)
      return
    }
    var data = PDUBytes()
    var signal: UInt8?
    switch (row.eventCode, row.subevent) {
    case (_, .advertisingReport):
      let length = Int(row.pdu.u8(12) ?? 0)
      data = row.pdu.slice(13, length)
      signal = row.pdu.u8(13 + length)
    case (_, .extendedAdvertisingReport):
      data = row.flags.contains(.hasAssembled) ? row.assembled : row.pdu.slice(28, Int(row.pdu.u8(27) ?? 0))
      signal = row.pdu.u8(17)
    case (.extendedInquiryResult, _):
      data = row.pdu.from(17)
      signal = row.pdu.u8(16)
    case (.inquiryResultWithRSSI, _): signal = row.pdu.u8(16)
    default: break
    }
    if let signal, signal != 127 {
      out.decimal(Int(Int8(bitPattern: signal)))
      out.text(" dBm")
    }
    if row.subevent == .advertisingReport, row.pdu.u8(4) == 4 { out.text("  scan response") }
    structures(data, to: out, style)
    if let reports = row.pdu.u8(3), row.eventCode == .leMeta, reports > 1 {
      out.text("  and ")
      out.decimal(Int(reports) - 1)
      out.text(" more")
    }
  }

  private mutating func structures(_ data: PDUBytes, to out: TextBuffer, _ style: Style) {
    var cursor = AdvertisingData.Cursor(0..<data.count, in: data.span)
    while let structure = cursor.next(data.span) {
      let kind = structure.kind.rawValue
      let value = data.slice(structure.data.lowerBound, structure.data.count)
      switch kind {
      case 0x02, 0x03, 0x14: list(value, 2, kind == 0x14 ? "  solicits " : "  services ", out)
      case 0x04, 0x05: list(value, 4, "  services ", out)
      case 0x06, 0x07, 0x15: list(value, 16, kind == 0x15 ? "  solicits " : "  services ", out)
      case 0x08, 0x09:
        out.text("  \"")
        unsafe out.untrusted(value.buffer.count > 0 ? value : BorrowedBytes(), .terminal)
        out.byte(UInt8(ascii: "\""))
      case 0x16:
        if let service = value.u16(0) {
          out.text("  service data ")
          uuid(BluetoothUUID(service), out)
          out.byte(0x20)
          some(value.from(2), out, style)
        }
      case 0xFF:
        if let company = value.u16(0) {
          out.text("  ")
          if let name = companies.name(company, { AssignedNumbers.company($0) }) {
            out.name(name)
          } else {
            out.text("company 0x")
            out.hex(UInt64(company), digits: 4)
          }
          out.text(" data ")
          some(value.from(2), out, style)
        }
      case 0x20 where value.count >= 4: serviceData(value, 4, out, style)
      case 0x21 where value.count >= 16: serviceData(value, 16, out, style)
      // URI, Indoor Positioning, Transport Discovery, mesh, names of broadcasts, encrypted data, labels, and types that are not assigned.
      case 0x24...0x26, 0x29...0x2B, 0x2E, 0x30, 0x31, 0x33...0xFE:
        out.text("  ")
        if let name = structure.kind.name {
          out.name(name)
        } else {
          out.text("AD type 0x")
          out.hex(UInt64(kind), digits: 2)
        }
        out.byte(0x20)
        some(value, out, style)
      default: break
      }
    }
  }

  private mutating func serviceData(_ value: PDUBytes, _ size: Int, _ out: TextBuffer, _ style: Style) {
    guard let service = BluetoothUUID(littleEndian: value.span, in: 0..<size) else { return }
    out.text("  service data ")
    uuid(service, out)
    out.byte(0x20)
    some(value.from(size), out, style)
  }

  private func some(_ bytes: PDUBytes, _ out: TextBuffer, _ style: Style) {
    unsafe out.spacedHex(bytes.start, min(bytes.count, 12))
    if bytes.count > 12 {
      out.byte(0x20)
      out.glyph(.ellipsis, style)
    }
  }

  private mutating func list(_ bytes: PDUBytes, _ size: Int, _ title: StaticString, _ out: TextBuffer) {
    var at = 0
    var isFirst = true
    while at + size <= bytes.count {
      let part = bytes.slice(at, size)
      at += size
      guard let assigned = BluetoothUUID(littleEndian: part.span, in: 0..<size) else { return }
      // Controllers fill the list of a response to an inquiry with zeros.
      if assigned.isZero { continue }
      if isFirst { out.text(title) } else { out.text(", ") }
      isFirst = false
      uuid(assigned, out)
    }
  }

  private mutating func uuid(_ uuid: BluetoothUUID, _ out: TextBuffer) {
    let name = uuid.short16.map { services.name($0, { BluetoothUUID($0).name }) } ?? uuid.name
    if let name {
      out.name(name)
      return
    }
    out.string(uuid.description)
  }
}
