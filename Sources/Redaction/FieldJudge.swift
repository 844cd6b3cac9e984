import Bluetooth
import Captures
import Conversations
import Analysis
import Memory
import PacketCodecs

/// A range of a PDU, and its treatment.
struct Judgement {
  /// Its range in the PDU.
  var range: Range<Int>
  var treatment: Treatment
  /// The field, and the kind under which it is counted where it is replaced.
  var field: StaticName
  var kind: ExposureKind
  /// It is kept, and is wide enough to carry something private.
  var isWide = false
  /// It lies in an advertising structure.
  var isAdvertised = false
  /// It may be a keyboard's report. Its replacement depends on the frame, too: otherwise a reader could count how often each key was pressed, and guess
  /// the keys from that.
  var mayBeReport = false
}

/// Decides by the layouts of `Bluetooth` which bytes of a PDU are kept. Bytes without a field in a layout get no judgement, and are replaced.
struct FieldJudge: FieldVisitor {
  var judgements: [Judgement] = []
  /// Advertising data and data of channels are kept.
  var keepsValues = false
  /// The UUIDs that name a type or a protocol.
  var uuids = KnownUUIDs()
  private var layer = ProtocolID.opaque
  private var diversifiers = DiversifierCache()
  /// The values of this PDU are those of an attribute that is known to be harmless.
  private var valueRule: Rule?
  /// The attribute whose value is searched for.
  private var searched: UInt16?
  /// SDP, and lines of text: the end of the visited fields.
  private var end = 0
  private var isKernelRecord = false
  /// The fields of an input report are visited: the report of a keyboard or a mouse is judged as a whole.
  private var isInReport = false
  private var reportHasKeys = false
  /// The frames of the last requests for the protocol or the idle rate of a HID device, and whether this PDU is a response to one, and no report.
  private var valueRequests: [Int] = []
  private var isValueAnswer = false
  /// `isReport`: the attribute's value is an input report. `mayBeReport`: the capture does not show what the attribute or the channel is, and it may be
  /// that of a keyboard (``UnknownKeyboards``).
  private var isReport = false
  private var mayBeReport = false
  /// A report, or a value that may hold one, is replaced by zeros.
  private(set) var isSilenced = false
  /// The type of the advertising structure that is open; 0 where none is.
  private var adType: UInt64 = 0
  /// Its start, the number of judgements before it, whether it is a part of a text, and whether it is a name that reads as text.
  private var structure = (start: -1, first: 0, isText: false, isName: false)
  /// Offset from which the open advertising data are not parsed as structures: the first structure of an unassigned type, as soon as a structure
  /// that claims more bytes than there are is broken; without such a type, the broken structure.
  private var raw: (start: Int, isBroken: Bool)?
  /// An advertising structure is open, whatever its type.
  private var isInStructure = false
  /// Structures may end in another packet, or behind the captured bytes.
  private var mayGoOn = false
  /// The range of the advertiser's address.
  private var address: Range<Int>?
  /// The UUIDs of the open list, and the indices of their judgements.
  private var listed: [(index: Int, uuid: BluetoothUUID)] = []
  /// SDP: the attribute whose value is visited, whether it belongs to a record, and whether that is a Device Identification record.
  private var attributeID: UInt64 = 0
  private var isInRecord = false
  private var isOfDevice = false
  /// SDP: the requested service class; 0 where there is none.
  private var requestedService: UInt32 = 0
  private static let deviceID: UInt32 = 0x1200
  /// Advertising data that come in several reports, commands or packets.
  private(set) var fragments = AdvertisingFragments()
  /// The advertising data of this packet continue those of another packet; `isInChain`: they are visited.
  private(set) var isChained = false
  private var isInChain = false
  /// The advertising data of several reports are visited as a whole.
  private var isInParts = false
  /// The visited advertising data continue others: they are judged as one range, without regard to apparent structures.
  private var isInContinuation: Bool { isInChain || fragments.isInContinuation }

  /// Fields with the advertiser's address. Other address fields have that of the target device.
  static let advertisers: Set<StaticName> = ["address", "bd_addr", "advertiser_address", "adv_a"]
  static let names: Set<StaticName> = ["local_name", "remote_name", "name", "short_name", "broadcast_name"]

  /// Judges the PDU of a row. `rule` keeps the values of its attribute, if it is not nil. `isTyped`: they are keyboard or mouse input;
  /// `mayBeReport`: they may be; `isChained`: its advertising data continue those of another packet; `isOther`: its values are not of the requested
  /// type.
  mutating func judge(
    _ row: PacketRow, valueRule rule: Rule?, isTyped: Bool = false, mayBeReport: Bool = false, isChained: Bool = false,
    isOther: Bool = false
  ) {
    judgements.removeAll(keepingCapacity: true)
    listed.removeAll(keepingCapacity: true)
    layer = row.layer
    isOfLines = layer.hasCommandLines
    valueRule = rule
    searched = nil
    end = 0
    adType = 0
    structure = (-1, 0, false, false)
    raw = nil
    isInStructure = false
    address = nil
    mayGoOn = row.flags.contains(.truncated) || row.layer == .advertisingPDU && (row.pdu.u8(0) ?? 0) & 15 == 7
    attributeID = 0
    isInRecord = false
    requestedService = row.layer == .sdp ? row.opcode >> 16 : 0
    isOfDevice = requestedService == Self.deviceID
    isKernelRecord = row.layer == .monitor
    self.isChained = isChained
    isInChain = false
    fragments.begin(row)
    isInReport = false
    reportHasKeys = row.reportDescription == nil || row.reportHasKeys
    isReport = row.layer == .att && (row.reportDescription != nil || isTyped)
    self.mayBeReport = mayBeReport
    isSilenced = false
    isValueAnswer = row.layer == .hid && isResponseWithValue(row)
    // A PDU with a wrong CRC is not decoded.
    if row.flags.contains(.badCRC) {
      if row.layer == .advertisingPDU { damagedAdvertising(row.pdu) }
      return
    }
    let count = row.pdu.count
    switch row.layer {
    case .hciCommand: keep(0..<min(3, count))
    case .hciEvent: keep(0..<min(2, count))
    case .att, .smp: keep(0..<min(1, count))
    case .signaling: keep(0..<min(4, count))
    case .hid: keep(0..<min(1, count))
    // An opcode; with an escape opcode, two bytes.
    case .lmp: keep(0..<min(row.opcode >= 0x7C00 ? 2 : 1, count))
    // Fragments of PDUs, and packets without a layout.
    case .hciACL, .opaque, .note: return
    // In a controller's log the lengths of records are kept; of other diagnostics nothing is.
    case .vendor where !row.flags.contains(.hasConnection): return
    case .linkLayer where row.flags.contains(.encrypted): return
    default: break
    }
    if isOther { return values(row.pdu) }
    Dissection.walk(row, &self)
    replaceTextInNumbers(row.pdu)
    if layer == .sdp { headers(upTo: count, in: row.pdu) }
    if isOfLines {
      punctuation(upTo: count, in: row.pdu.span)
      wordsBetweenFields(row.pdu.span)
    }
  }

  /// Whether a HIDP message has one byte of data, in response to a request for the protocol or the idle rate.
  private mutating func isResponseWithValue(_ row: PacketRow) -> Bool {
    guard let header = HID.Header(row.pdu.span) else { return false }
    switch header.type {
    case .getProtocol, .getIdle:
      if valueRequests.count == Self.maxValueRequests { valueRequests.removeFirst() }
      valueRequests.append(row.frame)
      return false
    case .data: return header.parameter == 0 && row.pdu.count == 2 && row.requestFrame != 0 && valueRequests.contains(row.requestFrame)
    default: return false
    }
  }
  /// A host sends the next request when it has the response, so that each device has one open.
  private static let maxValueRequests = 16

  /// Keeps the value size and the handles of a Read By Type Response.
  private mutating func values(_ pdu: PDUBytes) {
    let size = Int(pdu.u8(1) ?? 0)
    keep(1..<min(2, pdu.count))
    guard size > 2 else { return }
    for at in stride(from: 2, to: pdu.count, by: size) {
      keep(at..<min(at + 2, pdu.count))
      add(min(at + 2, pdu.count)..<min(at + size, pdu.count), .value, "attribute_value", .value)
    }
  }

  /// Judges advertising data that came in several reports.
  mutating func judge(_ data: PDUBytes, of fragment: AdvertisingFragments.Fragment) {
    judgements.removeAll(keepingCapacity: true)
    listed.removeAll(keepingCapacity: true)
    fragments.end()
    adType = 0
    structure = (-1, 0, false, false)
    raw = nil
    isInStructure = false
    mayGoOn = fragment.isTruncated
    address = nil
    isInParts = true
    AdvertisingData.walk(data.span, in: 0..<data.count, as: fragment.field, &self)
    isInParts = false
    var isJudged = [Bool](repeating: false, count: data.count)
    for judgement in judgements { for at in judgement.range.clamped(to: isJudged.indices) { isJudged[at] = true } }
    var at = 0
    while at < data.count {
      var stop = at
      while stop < data.count, !isJudged[stop] { stop += 1 }
      add(at..<stop, .value, fragment.field.name, .value)
      at = stop + 1
    }
  }

  /// The PDU consists of lines of text, with punctuation between its fields.
  private var isOfLines = false

  /// Keeps line ends and the punctuation between parameters from the end of the visited fields to the next field, unless other characters
  /// follow first.
  private mutating func punctuation(upTo stop: Int, in bytes: RawSpan) {
    guard stop > end, (end..<stop).allSatisfy({ Self.isPunctuation(bytes, $0) }) else { return }
    keep(end..<stop)
  }

  /// Judges what stands between fields as a text, such as a word where a number is expected, and keeps the punctuation around it.
  private mutating func wordsBetweenFields(_ bytes: RawSpan) {
    var isJudged = [Bool](repeating: false, count: bytes.byteCount)
    for judgement in judgements { for at in judgement.range.clamped(to: isJudged.indices) { isJudged[at] = true } }
    var at = 0
    while let start = isJudged[at...].firstIndex(of: false), let stop = isJudged[start...].firstIndex(of: true) {
      var word = start..<stop
      while let first = word.first, Self.isPunctuation(bytes, first) { word = word.dropFirst() }
      while let last = word.last, Self.isPunctuation(bytes, last) { word = word.dropLast() }
      keep(start..<word.lowerBound)
      words("text", word, bytes)
      keep(word.upperBound..<stop)
      at = stop
    }
  }

  private static func isPunctuation(_ bytes: RawSpan, _ at: Int) -> Bool {
    switch bytes.u8(at) {
    case 0, 0x0A, 0x0D, 0x20, 0x22, 0x28, 0x29, 0x2C, 0x2D, 0x3A, 0x3B, 0x3D, 0x3F: true
    default: false
    }
  }

  private mutating func keep(_ range: Range<Int>) { add(range, .keep(.header), "header", .value) }

  private mutating func add(
    _ range: Range<Int>, _ treatment: Treatment, _ field: StaticName, _ kind: ExposureKind, isWide: Bool = false
  ) {
    if range.isEmpty { return }
    judgements.append(Judgement(range: range, treatment: treatment, field: field, kind: kind, isWide: isWide, isAdvertised: adType != 0))
  }

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {
    if isInReport || isInContinuation { return }
    fragments.take(field, value)
    if layer == .sdp { headers(upTo: range.lowerBound, in: bytes) }
    if isOfLines { punctuation(upTo: range.lowerBound, in: bytes) }
    defer { if layer == .sdp || isOfLines { end = max(end, range.upperBound) } }
    // Bit fields of the same integer share one judgement.
    if field.bitCount > 0, let last = judgements.last, last.range == range, case .keep = last.treatment, !field.isSecret { return }
    if field.isSecret {
      let isPIN: Bool
      if case .text = value { isPIN = true } else { isPIN = field.name == "pin_code" }
      // The first part of what replaces a key is not what replaces a key; that of a value is what replaces a value.
      if adType != 0, isInParts || fragments.isInStart { return add(range, .value, field.name, .key) }
      return add(range, isPIN ? .pin : .key, field.name, isPIN ? .pin : range.count <= 4 ? .passkey : .key)
    }
    switch value {
    case .address(let address):
      // An anonymous address is all zeros; other bytes are some device's address, even if the address type says anonymous.
      if address.kind == .anonymous, range.allSatisfy({ bytes.u8($0) == 0 }) {
        return add(range, .keep(.parameter), field.name, .address)
      }
      if range.count == 6, Self.advertisers.contains(field.name) { self.address = range }
      let isPublic = address.kind == .public || address.kind == .publicIdentity
      add(range, .address(isPublic: isPublic, isBigEndian: false), field.name, .address)
    case .unsigned, .signed, .bool: number(field, value, range, bytes)
    case .uuid(let uuid):
      // No UUID has this length.
      guard [2, 4, 16].contains(range.count) else { return add(range, .value, field.name, .value) }
      if layer == .att, field.name == "attribute_type" { searched = uuid.short16 }
      self.uuid(field, uuid, range, bytes)
    case .text where AllowedFields.texts.contains(field.name) || AllowedFields.textLists.contains(field.name) && Self.isList(bytes, range):
      add(range, .keep(.harmless), field.name, .text, isWide: isWide(range))
    // The report map describes the reports, and has no input data.
    case .text where layer == .sdp && attributeID == 0x0206 && Self.isReportMap(bytes.extracting(range)):
      add(range, .keep(.harmless), "report_map", .value, isWide: true)
    case .wideText: add(range, .text, field.name, .text)
    case .text:
      if isKernelRecord, field.name == "name", Self.isAdapterName(bytes, range) { return add(range, .keep(.harmless), field.name, .name) }
      let isName = Self.names.contains(field.name)
      // Needed only where the structure claims more bytes than there are.
      if isName, isInStructure, let length = bytes.u8(structure.start), structure.start + 1 + Int(length) > range.upperBound {
        structure.isName = Pseudonyms.readsAsText(range.map { bytes.u8($0) ?? 0 })
      }
      if isOfLines { return words(field.name, range, bytes) }
      // The first part of a name may match no pattern, though the whole name does.
      add(range, isName && !fragments.isInStart ? .name : .text, field.name, isName ? .name : .text)
    case .bytes: self.bytes(field, range, bytes)
    }
  }

  /// Whether a number in an SDP record does not belong to its attribute: device identifiers outside of a Device Identification record, and numbers
  /// wider than those that the specifications define.
  private func isForeign(_ field: Field, _ value: FieldValue, _ range: Range<Int>) -> Bool {
    guard isInRecord, field.name != "attribute_id" else { return false }
    if AllowedFields.deviceNumbers.contains(field.name), !isOfDevice { return true }
    guard range.count > 2 else { return false }
    if case .unsigned = value, range.count == 4 || range.count == 8 { return !AllowedFields.wideRecordNumbers.contains(field.name) }
    return true
  }

  private mutating func uuid(_ field: Field, _ uuid: BluetoothUUID, _ range: Range<Int>, _ bytes: RawSpan) {
    if layer == .sdp, isInRecord, attributeID == 1, uuid.short32 == Self.deviceID { isOfDevice = true }
    let rule: Rule? =
      switch layer {
      // UUIDs that attribute tables, SDP records and OBEX objects declare are names of types, except ServiceID, which identifies one instance,
      // short UUIDs that are unassigned, and targets of OBEX that read as a text.
      case .att: .uuid
      case .obex: TextRuns.isIn(range.map { bytes.u8($0) ?? 0 }, fewest: Self.shortestText) ? nil : .uuid
      case .sdp where range.count == 16 && attributeID != 3: .uuid
      case .sdp, .bnep: uuids.isKnown(uuid, isService: false) ? .uuid : nil
      default: uuids.isKnown(uuid, isService: true) ? .uuid : uuids.readsAsName(uuid) && !holdsAddress(uuid, bytes) ? .advertisedUUID : nil
      }
    if adType != 0, !keepsValues { listed.append((judgements.count, uuid)) }
    if let rule = rule ?? (keepsValues ? .option : nil) {
      return add(range, .keep(rule), field.name, .value, isWide: isWide(range))
    }
    let isBigEndian = BluetoothUUID(littleEndian: bytes, in: range) != uuid
    add(range, .uuid(isBigEndian: isBigEndian), field.name, .value)
  }

  /// Whether a UUID contains a part of an address that was visited before.
  private func holdsAddress(_ uuid: BluetoothUUID, _ bytes: RawSpan) -> Bool {
    judgements.contains { judgement in
      guard case .address = judgement.treatment else { return false }
      return KnownUUIDs.holds(uuid, partOf: judgement.range.map { bytes.u8($0) ?? 0 })
    }
  }

  /// Judges a list of UUIDs as a whole: where three or more are unknown, it is one number in pieces, some of which are UUIDs assigned to members.
  private mutating func judgeUUIDList() {
    guard listed.count(where: { judgements[$0.index].treatment == .uuid(isBigEndian: false) }) >= 3 else { return }
    for (index, uuid) in listed where !uuids.isNamed(uuid) && uuid.short16 ?? 0 >= 0xFC00 {
      judgements[index].treatment = .uuid(isBigEndian: false)
    }
  }

  /// Replaces consecutive numbers that read as a text of eight letters and digits: a vendor event, or a list of handles, may not follow its layout.
  /// Numbers that decide how the packet is parsed are kept.
  private mutating func replaceTextInNumbers(_ pdu: PDUBytes) {
    // The numbers of AT commands are digits.
    if isOfLines { return }
    let start = Self.headerSize(pdu, in: layer)
    guard pdu.count >= start + Self.shortestText else { return }
    var run: (first: Int, range: Range<Int>)?
    for index in 0...judgements.count {
      if index < judgements.count, Self.isNumber(judgements[index], behind: start, in: layer) {
        let range = judgements[index].range
        if let last = run, last.range.lowerBound <= range.lowerBound, range.lowerBound <= last.range.upperBound {
          run?.range = last.range.lowerBound..<max(last.range.upperBound, range.upperBound)
          continue
        }
        if let run { replaceText(run.first..<index, run.range, pdu) }
        run = (index, range)
      } else if let open = run {
        replaceText(open.first..<index, open.range, pdu)
        run = nil
      }
    }
  }

  /// Whether a judgement keeps a number, or a short UUID or value in a list of attributes.
  private static func isNumber(_ judgement: Judgement, behind start: Int, in layer: ProtocolID) -> Bool {
    guard judgement.kind == .value, judgement.range.lowerBound >= start, case .keep(let rule) = judgement.treatment else { return false }
    switch rule {
    case .parameter, .harmless: return true
    case .uuid, .standardValue: return layer == .att && judgement.range.count <= 4
    default: return false
    }
  }

  /// Size of the header in bytes, whose numbers are never replaced.
  private static func headerSize(_ pdu: PDUBytes, in layer: ProtocolID) -> Int {
    switch layer {
    case .hciCommand, .vendor, .management: 3
    // LE Meta events, and most of vendors, have a code of their own.
    case .hciEvent: [0x3E, 0xFF].contains(pdu.u8(0)) ? 3 : 2
    case .signaling: 4
    case .sdp: 5
    default: 1
    }
  }

  /// Replaces the numbers in a range that read as text; `indices` are those of their judgements.
  private mutating func replaceText(_ indices: Range<Int>, _ range: Range<Int>, _ pdu: PDUBytes) {
    guard range.count >= Self.shortestText, range.upperBound <= pdu.count else { return }
    let bytes = Array(pdu.slice(range.lowerBound, range.count))
    for text in TextRuns.ascii(in: bytes, fewest: Self.shortestText) {
      let text = text.lowerBound + range.lowerBound..<text.upperBound + range.lowerBound
      for index in indices where judgements[index].range.overlaps(text) && !Self.isNeeded(judgements[index]) {
        judgements[index].treatment = .numberInText
        judgements[index].isWide = false
      }
    }
  }
  private static let shortestText = 8

  /// Whether decoding depends on a number, which is kept even within a text: a length, a count, an opcode; in an advertising structure its type, its
  /// company and the control field of mesh provisioning (`gpcf`).
  private static func isNeeded(_ judgement: Judgement) -> Bool {
    let name = judgement.field.description
    if name.hasSuffix("length") || name.hasSuffix("opcode") || name.hasPrefix("num_") { return true }
    if judgement.isAdvertised, ["type", "company_identifier", "gpcf"].contains(name) { return true }
    return name.hasSuffix("count") && judgement.range.count <= 2
  }

  /// Judges a text in a line. One or two control characters, such as the end of a message, are kept, so that the rest is treated as text.
  private mutating func words(_ field: StaticName, _ range: Range<Int>, _ bytes: RawSpan) {
    let controls = range.filter { bytes.u8($0).map { $0 < 0x20 } ?? false }
    guard (1...2).contains(controls.count) else { return add(range, .text, field, .text) }
    var start = range.lowerBound
    for at in controls + [range.upperBound] {
      add(start..<at, .text, field, .text)
      if at < range.upperBound { add(at..<at + 1, .keep(.parameter), field, .text) }
      start = at + 1
    }
  }

  private static func isReportMap(_ bytes: RawSpan) -> Bool { !HID.ReportMap.hasText(bytes) && HID.ReportMap(bytes) != nil }

  private mutating func number(_ field: Field, _ value: FieldValue, _ range: Range<Int>, _ bytes: RawSpan) {
    if field.name == "type", field.enumeration?.kind == .advertisingTypes, case .unsigned(let type) = value {
      adType = type
      isInStructure = true
      beginStructure(range, bytes)
    }
    if layer == .sdp, field.name == "attribute_id", case .unsigned(let id) = value { attributeID = id }
    // An FHS packet has the address in parts (LAP, UAP, NAP), of which the LAP shares bytes with other fields.
    let isAddressPart =
      layer == .baseband && (range.count == 8 || field.name == "upper_address_part" || field.name == "non_significant_address_part")
    if isAddressPart {
      guard range.count == 8 else { return add(range, .number, field.name, .address) }
      // All bit fields of the eight bytes are judged at once. The last byte holds two bits of the LAP beside the EIR and SR bits, which are kept.
      if let last = judgements.last, last.range == range.suffix(1) { return }
      add(range.dropLast(), .number, field.name, .address)
      return add(range.suffix(1), .keep(.parameter), field.name, .value)
    }
    let isHidden =
      layer == .sdp && (field.name == "value" || isForeign(field, value, range))
      || adType == 0x2E && range.count == 3 && AllowedFields.identifiers.contains(field.name)
      || diversifiers.contains(field.name)
    if isHidden { return add(range, .number, field.name, .value) }
    // Digit keys of a remote control (AV/C Panel Subunit 1.1, 9.4). The state bit in the same byte is kept.
    if layer == .avrcp, let last = judgements.last, last.treatment == .digitKey, last.range == range { return }
    if layer == .avrcp, field.name == "operation_id", case .unsigned(0x20...0x29) = value {
      return add(range, .digitKey, field.name, .passkey)
    }
    // Contributing sources and header extensions of RTP: no A2DP stream has either.
    if layer == .a2dp, AllowedFields.mixing.contains(field.name) { return add(range, .silence, field.name, .value) }
    // A checksum over replaced bytes reveals something about the originals. Zeros are read as no checksum, or as a wrong one.
    if layer.carriesInternet, AllowedFields.checksums.contains(field.name) { return add(range, .silence, field.name, .value) }
    // AT commands have numbers in digits. Levels and codes that HFP defines have at most three digits, feature masks five: a longer number
    // may be a short telephone number or a PIN.
    if isOfLines, field.name == "key" { return add(range, .pin, field.name, .passkey) }
    if isOfLines, range.count > (field.enumeration?.isFlags == true ? 5 : 3) { return add(range, .text, field.name, .value) }
    if AllowedFields.isPersonal(field.name, in: layer), !range.allSatisfy({ bytes.u8($0) == 0xFF }) {
      return add(range, .number, field.name, .value)
    }
    if range.count > 4, field.bitCount == 0, field.enumeration == nil || field.enumeration?.kind == .special,
      !AllowedFields.wideNumbers.contains(field.name)
    {
      return add(range, .number, field.name, .value)
    }
    // The company identifier follows the type.
    if adType == 0xFF, range.lowerBound == structure.start + 2, range.count == 2, !keepsValues, case .unsigned(let company) = value,
      !uuids.isKnown(company: UInt16(truncatingIfNeeded: company)) || beginsAddress(range.lowerBound, bytes)
    {
      return add(range, .company, field.name, .value)
    }
    add(range, .keep(.parameter), field.name, .value, isWide: isWide(range))
  }

  /// Whether the four bytes at an offset are a part of the advertiser's address, or of another address of the capture, in either byte order. The
  /// latter covers data that continue in another report or packet, which has no address of its device.
  private func beginsAddress(_ offset: Int, _ bytes: RawSpan) -> Bool {
    guard offset + 4 <= bytes.byteCount else { return false }
    if let address, address.upperBound <= bytes.byteCount, Self.isPart(of: address, offset, bytes) { return true }
    return uuids.addressParts.contains((0..<4).reduce(0) { $0 << 8 | UInt32(bytes.u8(offset + $1) ?? 0) })
  }

  /// Whether the four bytes at an offset are a part of the address in a range.
  static func isPart(of address: Range<Int>, _ offset: Int, _ bytes: RawSpan) -> Bool {
    let first = bytes.u8(offset)
    for start in address.lowerBound...address.upperBound - 4 {
      guard bytes.u8(start) == first || bytes.u8(start + 3) == first else { continue }
      let isPart =
        (0..<4).allSatisfy { bytes.u8(offset + $0) == bytes.u8(start + $0) }
        || (0..<4).allSatisfy { bytes.u8(offset + $0) == bytes.u8(start + 3 - $0) }
      if isPart { return !(1..<4).allSatisfy { bytes.u8(offset + $0) == first } }
    }
    return false
  }

  /// Whether a kept range is wide enough to carry something private, and is listed.
  private func isWide(_ range: Range<Int>) -> Bool { range.count >= Redaction.fewestKept }

  private mutating func bytes(_ field: Field, _ range: Range<Int>, _ bytes: RawSpan) {
    switch layer {
    case _ where layer.isMedia: return add(range, .silence, field.name, .voice)
    case .hid: return report(range)
    // Options of IP and TCP, and the data of extension headers, become zeros, which are padding: other bytes would be malformed options.
    case .ipsp where field.name == "extension_data" || field.name == "options": return add(range, .silence, field.name, .value)
    case .bnep where field.name == "options": return add(range, .silence, field.name, .value)
    // A 6LoWPAN frame that is not decoded begins with its dispatch byte, which is kept.
    case .ipsp where range.lowerBound == 0:
      keep(0..<1)
      return add(range.dropFirst(), .value, field.name, .value)
    // A row with a part of a packet: the first part begins with the packet's code and length, which are kept.
    case .obex where field.name == "data":
      if let packet = OBEX.Packet(bytes, in: range), packet.mayStart, packet.length > range.count {
        keep(range.prefix(3))
        return add(range.dropFirst(3), .value, field.name, .value)
      }
    case .bnep where range.count == 6: return add(range, .address(isPublic: true, isBigEndian: true), field.name, .address)
    case .att:
      if isReport, valueRule == nil { return report(range) }
      // The signature of a Signed Write is computed with a key: it is replaced even where the value is kept.
      if field.name == "authentication_signature" { return add(range, .value, field.name, .key) }
      // With ``keepsValues``, the value that Find By Type Value searches for is still replaced where its attribute is a name or a key.
      if valueRule == .option, keepsValues, let searched, AllowedFields.isSecret(searched) { return add(range, .value, field.name, .value) }
      if valueRule == .option, keepsValues, mayBeReport, Self.hasKeys(bytes, range) { return report(untyped: range, field) }
      if let valueRule { return add(range, .keep(valueRule), field.name, .value, isWide: isWide(range)) }
      if let searched, AllowedFields.longest(searched) < .max,
        AllowedFields.fits(searched, range.count, { range.map { bytes.u8($0) ?? 0 } })
      {
        return add(range, .keep(.standardValue), field.name, .value, isWide: isWide(range))
      }
      if mayBeReport { return report(untyped: range, field) }
      return add(range, .value, field.name, .value)
    // The option to keep data that is not decoded does not keep a HIDP message with an input report (HID, 3.1.1).
    case .l2cap where mayBeReport && field.name == "data":
      return report(untyped: range, field, bytes.u8(range.lowerBound) == 0xA1 ? .value : .unknown)
    case .baseband where mayBeReport && field.name == "data": return report(untyped: range, field, .unknown)
    default: break
    }
    if range.count <= AllowedFields.longest(field.name, isAdvertised: adType != 0) {
      return add(range, .keep(.harmless), field.name, .value, isWide: isWide(range))
    }
    if keepsValues, isValue(field.name) { return add(range, .keep(.option), field.name, .value, isWide: isWide(range)) }
    let isUndecoded = adType == 0 && ["parameters", "return_parameters", "data"].contains(field.name)
    add(range, .value, field.name, isUndecoded ? .unknown : .value)
  }

  /// Judges a value that may be an input report, although the capture does not show that it is one.
  private mutating func report(untyped range: Range<Int>, _ field: Field, _ kind: ExposureKind = .value) {
    add(range, .value, field.name, kind)
    if let last = judgements.indices.last { judgements[last].mayBeReport = true }
  }
  /// Whether bytes have the form of a keyboard's report: usages of keys behind the modifiers, and room for more of them; or a bit for each key, few of
  /// them set.
  private static func hasKeys(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    if (10...32).contains(range.count) { return range.reduce(0) { $0 + (bytes.u8($1) ?? 0).nonzeroBitCount } <= 10 }
    guard (3...9).contains(range.count), bytes.u8(range.upperBound - 1) == 0 else { return false }
    return range.dropFirst(2).allSatisfy { (bytes.u8($0) ?? 0) <= 0xE7 }
  }

  /// Judges an input report. Typed or dialled keys are replaced by zeros of the same length, so that the positions of the keys are lost too: the
  /// new report has no key pressed.
  private mutating func report(_ range: Range<Int>) {
    if isValueAnswer { return add(range, .keep(.parameter), "report", .value) }
    let stays = !reportHasKeys && keepsValues
    if !stays { isSilenced = true }
    add(range, stays ? .keep(.option) : .silence, "report", .value, isWide: isWide(range))
  }

  /// Whether a field has application data.
  private func isValue(_ name: StaticName) -> Bool {
    switch layer {
    case .rfcomm: name == "information"
    case .l2cap: name == "data"
    default: adType != 0 && (name == "service_data" || name == "data")
    }
  }

  /// Whether a text is a list of numbers of at most two digits, and hence no telephone number.
  private static func isList(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    var digits = 0
    for offset in range.prefix(64) {
      switch bytes.u8(offset) ?? 0xFF {
      case 0x30...0x39: digits += 1
      case 0x20, 0x28, 0x29, 0x2C, 0x2D, 0x78: digits = 0
      default: return false
      }
      if digits > 2 { return false }
    }
    return range.count <= 64
  }

  /// Whether a text is the kernel's name of an adapter, such as `hci0`.
  private static func isAdapterName(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    guard range.count >= 4, bytes.u8(range.lowerBound) == 0x68, bytes.u8(range.lowerBound + 1) == 0x63,
      bytes.u8(range.lowerBound + 2) == 0x69
    else { return false }
    var at = range.lowerBound + 3
    while at < range.upperBound, at < range.lowerBound + 6, (0x30...0x39).contains(bytes.u8(at) ?? 0) { at += 1 }
    guard at > range.lowerBound + 3 else { return false }
    while at < range.upperBound, bytes.u8(at) == 0 { at += 1 }
    return at == range.upperBound
  }

  mutating func beginObject(_ field: Field, at offset: Int) {
    if field.name == "report" { isInReport = true }
    if layer == .sdp, field.name == "attributes" { isInRecord = true }
  }
  mutating func endObject(_ field: Field, at range: Range<Int>) {
    if isInReport, field.name == "report" {
      isInReport = false
      if layer == .hid { report(range) }
    }
    adType = 0
    if range.lowerBound == structure.start { isInStructure = false }
    if layer == .sdp, field.name == "attributes" { isInRecord = false }
  }
  mutating func beginArray(_ field: Field, at offset: Int) {
    fragments.beginArray(field)
    if !isInStructure { raw = nil }
    listed.removeAll(keepingCapacity: true)
    if layer == .sdp, field.name == "attributes" { isOfDevice = requestedService == Self.deviceID }
    if isChained, field.name == "adv_data" { isInChain = true }
  }
  mutating func endArray(_ field: Field, at range: Range<Int>) {
    if field.name == "service_uuids" { judgeUUIDList() }
    let isStart = fragments.isInStart || fragments.isUnfinished
    let isContinuation = fragments.endArray(field, at: range) || isInChain && field.name == "adv_data"
    if !isInStructure { endStructures(field, range, isOpen: isStart || isContinuation) }
    guard isContinuation else { return }
    isInChain = false
    add(range, .value, field.name, .value)
  }
  mutating func problem(_ problem: FieldProblem) {
    guard isInStructure, case .short(_, structure.start, let needed, let available) = problem else { return }
    let isComplete = raw == nil && !structure.isText && (needed - available <= Self.maximumMiscount || structure.isName)
    if !isComplete { raw = (raw?.start ?? structure.start, true) }
    let isWhole = !mayGoOn && !fragments.isInStart && !fragments.isUnfinished && !keepsValues
    guard adType != 0, structure.isText || isComplete && isWhole else { return }
    // What replaces the scheme may be a character of another size, behind which the text would begin elsewhere.
    if adType == Self.uri, let end = judgements.last?.range.upperBound, end > structure.start + 2 {
      while let last = judgements.last, last.range.lowerBound >= structure.start + 2 { judgements.removeLast() }
      return add(structure.start + 2..<end, .value, "uri", .value)
    }
    for index in structure.first..<judgements.count where judgements[index].range.lowerBound >= structure.start + 2 {
      switch judgements[index].treatment {
      // Known UUIDs are kept where this is a structure.
      case .keep(.uuid), .keep(.advertisedUUID): if isComplete { continue }
      case .keep: if isComplete, judgements[index].field == "company_identifier" { continue }
      default: continue
      }
      judgements[index].treatment = .value
      judgements[index].isWide = false
    }
  }
  /// Some firmware counts the length byte, or the NUL behind a name: behind structures that fit, a structure may claim this many bytes too many and
  /// is still one. A name that reads as text is one whatever it claims.
  private static let maximumMiscount = 2
  private static let uri: UInt64 = 0x24

  /// Notes the start of an advertising structure whose type is at `range`. One that is longer than the data may be a part of a text.
  private mutating func beginStructure(_ range: Range<Int>, _ bytes: RawSpan) {
    let start = range.lowerBound - 1
    structure = (start, judgements.count, false, false)
    if raw == nil, let type = bytes.u8(start + 1), !Self.isAssigned[Int(type)] { raw = (start, false) }
    guard let length = bytes.u8(start), length >= 0x20, let type = bytes.u8(start + 1), type >= 0x20 else { return }
    let data = (start..<min(start + 1 + Int(length), bytes.byteCount)).map { bytes.u8($0) ?? 0 }
    structure.isText = TextRuns.isIn(data, fewest: 5)
  }

  /// Replaces advertising data from a structure on that claims more bytes than there are, or from the first structure of an unassigned type on: no
  /// length or type there is kept. The first byte of the replacement claims more bytes than there are, too.
  private mutating func endStructures(_ field: Field, _ range: Range<Int>, isOpen: Bool) {
    defer { raw = nil }
    guard let raw, raw.isBroken, !isOpen, !mayGoOn, !keepsValues, raw.start < range.upperBound else { return }
    guard range.upperBound - raw.start < Self.longestRaw else { return }
    while let last = judgements.last, last.range.lowerBound >= raw.start { judgements.removeLast() }
    add(raw.start..<range.upperBound, .raw, field.name, .value)
  }
  /// For each AD type whether it is assigned.
  static let isAssigned = (0...255).map { AdvertisingData.Kind(rawValue: $0).name != nil }
  /// A replacement begins with a byte of at least this value: a lowercase letter.
  private static let longestRaw = 0x61

  // MARK: SDP

  /// Keeps the bytes between the end of the visited fields and the next value, where they are headers of data elements only (Core, Vol 3, Part B,
  /// 3.2): of sequences, nil elements, and at the end of the value itself.
  private mutating func headers(upTo stop: Int, in bytes: RawSpan) {
    var at = end
    while at < stop {
      guard let head = bytes.u8(at), head >> 3 <= 8 else { return }
      let size = head & 7
      at += size < 5 ? 1 : size == 5 ? 2 : size == 6 ? 3 : 5
      let isSequence = (head >> 3 == 6 || head >> 3 == 7) && size >= 5
      guard isSequence || head == 0 || at == stop else { return }
    }
    guard at == stop, stop > end else { return }
    add(end..<stop, .keep(.header), "data element", .value, isWide: isWide(end..<stop))
    end = stop
  }

  private mutating func headers(upTo stop: Int, in pdu: PDUBytes) {
    headers(upTo: stop, in: pdu.span)
  }

  // MARK: Damage

  /// Judges an advertising PDU with a wrong CRC: the lengths and types of structures are kept, so that it is decoded as before.
  private mutating func damagedAdvertising(_ pdu: PDUBytes) {
    let kind = (pdu.u8(0) ?? 0) & 15
    // The extended header begins with its length and its flags.
    keep(0..<min(kind >= 7 ? 4 : 2, pdu.count))
    if kind >= 7, let length = pdu.u8(2), let flags = pdu.u8(3), length & 0x3F > 0 {
      // The fields that the flags announce (Core, Vol 6, Part B, 2.3.4), in the order of the bits; ACAD fills the rest of the header.
      var start = 4
      for (bit, size) in [6, 6, 1, 2, 3, 18, 1].enumerated() where flags >> UInt8(bit) & 1 != 0 { start += size }
      structures(min(start, pdu.count)..<max(min(start, pdu.count), min(3 + Int(length & 0x3F), pdu.count)), in: pdu)
    }
    let data = AdvertisingPayload(pdu).data
    // Data without an address may have begun in another packet.
    if kind >= 7, AdvertisingFragments.mayBeChained(pdu) { return }
    if let start = pdu.offset(of: data), data.count > 0 { structures(start..<pdu.count, in: pdu) }
  }

  /// Keeps the lengths and types of advertising structures, and the zero length that terminates them early.
  private mutating func structures(_ range: Range<Int>, in pdu: PDUBytes) {
    var at = range.lowerBound
    while at < range.upperBound, let length = pdu.u8(at) {
      // Data of one byte are kept: flags, a transmit power.
      keep(at..<min(at + (length == 0 ? 1 : length > 2 ? 2 : 1 + Int(length)), range.upperBound))
      if length == 0 { return }
      at += 1 + Int(length)
    }
  }
}
