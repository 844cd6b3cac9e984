import Bluetooth
import Memory

/// A report map of a HID device.
struct KnownReportMap: Sendable {
  /// The device with this map, and the connection it was read over, as in ``OfferedService``; -1 for the map of a GATT service.
  var peer: Int32 = -1
  var connection: Int32 = -1
  var isLocal = false
  /// The service declaration of a map that was read over GATT, index into ``ConversationTables/attributes``; -1 where it came from an SDP record.
  var service: Int32 = -1
  var map: HID.ReportMap
  /// The map as it was read over GATT; empty where it is longer than ``ConversationTables/longestReportMap``, or holds a text.
  var bytes: [UInt8] = []
}

extension ConversationTables {
  /// Whether bytes read from a characteristic are part of the report map of its service, which was read completely.
  public func isPartOfReportMap(_ bytes: PDUBytes, of attribute: Int32) -> Bool {
    let service = service(of: attribute)
    guard service >= 0, let known = reportMaps.first(where: { $0.service == service }), bytes.count <= known.bytes.count else {
      return false
    }
    let part = bytes
    for start in 0...known.bytes.count - part.count where known.bytes[start..<start + part.count].elementsEqual(part) { return true }
    return false
  }
}

/// The report that a characteristic holds.
struct ReportReference: Sendable {
  var type: HID.ReportType
  var number: UInt8
}

/// The reports of a connection so far.
final class ReportMemory {
  /// The boot protocol is selected: the report map does not apply.
  var isBoot = false
  /// The last reports, by attribute, or by type and report ID.
  private(set) var last: [Int32: [UInt8]] = [:]
  /// Buffer for report descriptions.
  var scratch: [UInt8] = []

  /// Most kinds of reports that are kept, and bytes of each.
  private static let maxCount = 128, longest = 4096

  /// Memory that the reports of all connections take.
  final class Room {
    fileprivate var used = 0
    fileprivate static let maxBytes = 4 << 20
  }
  private let room: Room
  private var held = 0

  init(_ room: Room) { self.room = room }

  deinit { room.used -= held }

  /// Keeps a report, if the memory for all connections allows it.
  func keep(_ key: Int32, _ bytes: PDUBytes) {
    let known = last[key]
    guard last.count < Self.maxCount || known != nil else { return }
    let more = min(bytes.count, Self.longest) - (known?.count ?? -64)
    guard room.used + more <= Room.maxBytes else { return }
    room.used += more
    held += more
    last[key, default: []].replaceSubrange(0..., with: bytes.prefix(Self.longest))
  }

  /// Forgets all reports when the protocol, and so the format, changes: they cannot be compared with later ones.
  func forget() {
    last.removeAll()
    room.used -= held
    held = 0
  }
}

extension PacketRow {
  /// The description of the report that the row carries, for ``HID/walkReport(_:_:_:_:)``; nil where it carries none, or none that a map describes.
  @inline(__always)
  public var reportDescription: PDUBytes? {
    assembled.count > 0 && flags.isDisjoint(with: [.hasAssembled, .sequenced]) ? assembled : nil
  }

  /// The report that the row carries may reveal what somebody typed, dialled, wrote or scanned.
  public var reportHasKeys: Bool { reportDescription.map { HID.Report.hasKeyboardKeys($0.span) } ?? false }

  /// Range of the report in the PDU.
  public var reportRange: Range<Int> {
    layer == .att ? Int(valueOffset)..<Int(valueOffset) + Int(valueCount) : min(1, pdu.count)..<pdu.count
  }
}

/// HID over BR/EDR (HIDP) and over LE (HOGP): reports are described by their device's report map.
extension ConversationTracker {
  // MARK: BR/EDR

  /// A message of HIDP: matches requests and responses, and describes reports.
  mutating func humanInterface(_ row: inout PacketRow, _ link: Int, _ at: Int, isControl: Bool, fromHost: Bool) {
    guard let header = HID.Header(row.pdu.span) else { return }
    row.opcode = UInt32(header.type.rawValue)
    var requested: HID.MessageType?
    if isControl {
      let dialogue = dialogue(link, at)
      if header.type.isRequest {
        _ = match(&row, dialogue, 0, isRequest: true, isLast: true, fromHost)
        dialogue.requests[fromHost ? 0x10000 : 0]?.command = UInt32(row.pdu.u8(0) ?? 0)
      } else if header.type == .handshake || header.type == .data,
        let request = match(&row, dialogue, 0, isRequest: false, isLast: true, fromHost)
      {
        requested = HID.MessageType(rawValue: UInt8(truncatingIfNeeded: request.command >> 4))
        row.set(status: header.type == .handshake ? header.parameter : 0, .humanInterface)
        if requested == .setProtocol, header.type == .handshake, header.parameter == 0 {
          let memory = reportMemory(link)
          memory.isBoot = request.command & 1 == 0
          memory.forget()
        }
      }
    }
    // A response to Get_Protocol or Get_Idle is not a report.
    guard header.hasData, header.type != .datc, requested != .getProtocol, requested != .getIdle, row.pdu.count > 1 else { return }
    let type = header.reportType
    guard type != .other else { return }
    let isBoot = links[link].reports?.isBoot == true
    guard let map = isBoot ? HID.ReportMap.boot : reportMap(link) else { return }
    let number = map.usesNumbers ? row.pdu.u8(1) ?? 0 : 0
    guard let format = map.format(type, number) else { return }
    describe(
      &row, link, format, row.pdu.from(map.usesNumbers ? 2 : 1), key: -2 - Int32(type.rawValue) << 8 - Int32(number),
      hasNumber: map.usesNumbers)
  }

  /// The report map of the peer of a connection, else this host's own.
  private func reportMap(_ link: Int) -> HID.ReportMap? {
    guard !tables.reportMaps.isEmpty else { return nil }
    let connection = links[link].connection
    let peer = tables.identity(tables.connections[Int(connection)].peer)
    var own: HID.ReportMap?
    for known in tables.reportMaps where known.service < 0 && known.peer == peer && (peer >= 0 || known.connection == connection) {
      if !known.isLocal { return known.map }
      own = known.map
    }
    return own
  }

  /// The first report descriptor of a HIDDescriptorList (HID Profile 1.1.1, 5.3.4.7): a sequence of pairs of type and text.
  func reportMap(_ list: SDP.Element, _ bytes: RawSpan) -> HID.ReportMap? {
    for element in list.elements(bytes) where element.isSequence {
      let pair = element.elements(bytes)
      guard pair.count > 1, pair[0].integer(bytes) == 0x22, pair[1].type == .text else { continue }
      return HID.ReportMap(bytes.extracting(pair[1].range))
    }
    return nil
  }

  /// Keeps a map from an SDP record.
  mutating func keep(_ map: HID.ReportMap, _ service: OfferedService) {
    let known = tables.reportMaps.firstIndex {
      $0.service < 0 && $0.isLocal == service.isLocal && $0.peer == service.peer
        && (service.peer >= 0 || $0.connection == service.connection)
    }
    keep(
      KnownReportMap(peer: service.peer, connection: service.connection, isLocal: service.isLocal, map: map), at: known)
  }

  private mutating func keep(_ map: KnownReportMap, at index: Int?) {
    let others = tables.reportMaps.indices.reduce(0) { $0 + ($1 == index ? 0 : tables.reportMaps[$1].map.weight) }
    guard others + map.map.weight <= ConversationTables.maximumReportMapBytes else { return }
    if let index {
      tables.reportMaps[index] = map
    } else if tables.reportMaps.count < ConversationTables.maximumReportMaps {
      tables.reportMaps.append(map)
      tables.describesValues = true
    }
  }

  private mutating func reportMemory(_ link: Int) -> ReportMemory {
    if let known = links[link].reports { return known }
    let new = ReportMemory(reportRoom)
    links[link].reports = new
    return new
  }

  private mutating func describe(
    _ row: inout PacketRow, _ link: Int, _ format: HID.ReportFormat, _ data: PDUBytes, key: Int32, hasNumber: Bool
  ) {
    guard purpose == .rows else { return }
    let memory = reportMemory(link)
    format.describe(previous: memory.last[key] ?? [], hasNumber: hasNumber, to: &memory.scratch)
    row.assembled = memory.scratch.withBorrowedBytes { out.arena.copy($0) }
    if format.isExceeded(by: data.count) {
      report(
        .reportExceedsMap(count: data.count, size: format.size), adapter: row.adapter, handle: row.handle, connection: row.connection)
    }
    // The end of a report that the capture cut is unknown, so it is not kept.
    if !cut { memory.keep(key, data) }
  }

  // MARK: LE

  /// Learns a report map, or the report that a characteristic holds, from a value that was read.
  mutating func learnReports(_ attribute: Int32, _ value: PDUBytes, isMap: Bool) {
    if isMap {
      let service = tables.service(of: attribute)
      // Before the service is discovered, it is unknown which reports the map describes.
      guard service >= 0, let map = HID.ReportMap(value.span) else { return }
      let span = value.span
      let bytes = value.count <= ConversationTables.longestReportMap && !HID.ReportMap.hasText(span) ? Array(value) : []
      keep(KnownReportMap(service: service, map: map, bytes: bytes), at: tables.reportMaps.firstIndex { $0.service == service })
    } else if let number = value.u8(0), let type = value.u8(1).flatMap({ HID.ReportType(rawValue: $0) }), value.count == 2 {
      let owner = tables.characteristic(of: attribute)
      guard owner >= 0, tables.reportReferences.count < ConversationTables.maximumReportReferences || tables.reportReferences[owner] != nil
      else {
        return
      }
      tables.reportReferences[owner] = ReportReference(type: type, number: number)
    }
  }

  /// Describes the value of a row where it is a report. Called only where the capture has report maps.
  @inline(never)
  mutating func describeReport(_ row: inout PacketRow, _ link: Int) {
    guard purpose == .rows, row.attribute >= 0, !row.flags.contains(.hasAssembled), row.flags.contains(.hasValue), row.valueCount > 0,
      case let uuid = tables.attributes[Int(row.attribute)].uuid, uuid >= 0, let type = tables.uuids[Int(uuid)].short16
    else { return }
    let format: HID.ReportFormat?
    switch type {
    // Report
    case 0x2A4D:
      guard let reference = tables.reportReferences[row.attribute] else { return }
      let service = tables.service(of: row.attribute)
      guard service >= 0, let known = tables.reportMaps.first(where: { $0.service == service }) else { return }
      format = known.map.format(reference.type, reference.number)
    // Boot Keyboard Input Report and Output Report (HIDS 1.0, 2.8 and 2.9)
    case 0x2A22: format = HID.ReportMap.boot.format(.input, 1)
    case 0x2A32: format = HID.ReportMap.boot.format(.output, 1)
    default: return
    }
    if let format { describe(&row, link, format, row.value, key: row.attribute, hasNumber: false) }
  }
}
