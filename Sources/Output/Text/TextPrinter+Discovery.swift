import Bluetooth
import Captures
import Conversations
import Analysis
import Memory
import Text

/// The results of a discovery so far. They are printed when the client does something else.
struct DiscoveryResult {
  struct Service {
    var start: UInt16
    var end: UInt16
    var uuid: BluetoothUUID?
  }
  struct Characteristic {
    var handle: UInt16
    var uuid: BluetoothUUID?
    var properties: UInt8
  }
  /// The last response, or the first request before there is one. The bytes of the row are not valid any more.
  var row: PacketRow
  /// Which side of the connection discovers.
  let isByPeer: Bool
  let firstFrame: Int
  let firstTime: Int64
  /// Offset in the output for its row, -1 for the end of the output, and the row of the heading above it.
  var offset = -1
  var heading = PacketRow()
  private(set) var services: [Service] = []
  private(set) var characteristics: [Characteristic] = []
  /// Handles of descriptors.
  private(set) var descriptors: Set<UInt16> = []
  /// The service that the client looks for.
  private var wanted: BluetoothUUID?
  private static let maxCount = 1024

  init(_ row: PacketRow) {
    self.row = row
    isByPeer = row.isOfPeersClient
    firstFrame = row.frame
    firstTime = row.time
  }

  /// A discovery of descriptors alone precedes each subscription and is not printed.
  var isEmpty: Bool { services.isEmpty && characteristics.isEmpty }

  mutating func add(_ row: PacketRow) {
    if !row.isByClient { self.row = row }
    let pdu = row.pdu
    switch row.attOpcode {
    case .findByTypeValueRequest: wanted = Self.uuid(pdu.from(7))
    case .findByTypeValueResponse:
      for (start, rest) in pdu.elements { add(Service(start: start, end: rest.u16(0) ?? start, uuid: wanted)) }
    case .readByGroupTypeResponse where (pdu.u8(1) ?? 0) > 5:
      for (start, rest) in pdu.elements { add(Service(start: start, end: rest.u16(0) ?? start, uuid: Self.uuid(rest.from(2)))) }
    case .readByTypeResponse where AttributeType(rawValue: row.subcode) == .characteristic && (pdu.u8(1) ?? 0) > 5:
      for (_, rest) in pdu.elements {
        guard let properties = rest.u8(0), let handle = rest.u16(1), characteristics.count < Self.maxCount else { continue }
        guard !characteristics.contains(where: { $0.handle == handle }) else { continue }
        characteristics.append(Characteristic(handle: handle, uuid: Self.uuid(rest.from(3)), properties: properties))
      }
    case .findInformationResponse:
      // A client may ask for all attributes, declarations and values included.
      for (handle, rest) in pdu.elements where descriptors.count < Self.maxCount {
        if Self.uuid(rest)?.isDescriptor == true { descriptors.insert(handle) }
      }
    default: break
    }
  }

  private mutating func add(_ service: Service) {
    guard services.count < Self.maxCount, !services.contains(where: { $0.start == service.start }) else { return }
    services.append(service)
  }

  private static func uuid(_ bytes: PDUBytes) -> BluetoothUUID? {
    BluetoothUUID(littleEndian: bytes.span, in: 0..<bytes.count)
  }
}

extension PacketRow {
  /// Whether the sender of this ATT PDU is the client: requests, commands and confirmations have even opcodes (Core, Vol 3, Part F, 3.4.8).
  fileprivate var isByClient: Bool { opcode & 1 == 0 }

  /// Whether the client of this ATT PDU is the peer (in a sniffer's capture the peripheral).
  fileprivate var isOfPeersClient: Bool { (direction == .received || direction == .peripheral) == isByClient }
}

extension TextPrinter {
  /// Adds a row to a discovery, which is printed when it is over.
  func gather(_ row: PacketRow) {
    guard row.connection >= 0 else { return }
    if let at = discoveries.firstIndex(where: { $0.row.connection == row.connection && $0.isByPeer == row.isOfPeersClient }) {
      discoveries[at].add(row)
      discoveries[at].offset = offset
      discoveries[at].heading = headed
    } else if discoveries.count < 64 {
      var result = DiscoveryResult(row)
      result.add(row)
      result.offset = offset
      result.heading = headed
      discoveries.append(result)
    }
  }

  /// Prints the results of the discoveries that end with a row: those of the client that it belongs to, or of both sides of a connection that ended.
  func endDiscoveries(with row: PacketRow, _ tables: ConversationTables) {
    let isOver = row.meaning == .disconnected
    endDiscoveries(tables) { $0.row.connection == row.connection && (isOver || $0.isByPeer == row.isOfPeersClient) }
  }

  /// Prints the results of discoveries.
  func endDiscoveries(_ tables: ConversationTables, where isOver: (DiscoveryResult) -> Bool = { _ in true }) {
    while let at = discoveries.firstIndex(where: isOver) {
      let result = discoveries.remove(at: at)
      guard !result.isEmpty else { continue }
      insert(at: result.offset, result.row.frame, under: result.heading, tables) { print(result, tables) }
    }
  }

  private func print(_ found: DiscoveryResult, _ tables: ConversationTables) {
    if columns.peer == 0 { head(found.row, tables) }
    let start = out.count
    valueColumn = columns.lead + 2
    if let mark = lead(found.row) { peer(found.row, mark, tables) }
    verb("discovered")
    var isFirst = true
    for (number, singular, many) in [
      (found.services.count, "service", "services"), (found.characteristics.count, "characteristic", "characteristics"),
      (found.descriptors.count, "descriptor", "descriptors"),
    ] as [(Int, StaticString, StaticString)] where number > 0 {
      if !isFirst { out.text(", ") }
      isFirst = false
      out.decimal(number)
      out.byte(0x20)
      out.text(number == 1 ? singular : many)
    }
    let took = found.row.time &- found.firstTime
    if 0..<86_400_000_000 ~= took {
      out.text(" in ")
      clock.duration(took, to: out)
    }
    out.text(", #")
    out.decimal(found.firstFrame)
    out.text(" to #")
    out.decimal(found.row.frame)
    endLine(start, indent: valueColumn)
    let services = found.services.sorted { $0.start < $1.start }
    for service in services {
      print(service, found.characteristics.filter { (service.start...max(service.start, service.end)).contains($0.handle) }, tables)
    }
    let others = found.characteristics.filter { characteristic in
      !services.contains { ($0.start...max($0.start, $0.end)).contains(characteristic.handle) }
    }
    if !others.isEmpty { print(nil, others, tables) }
  }

  /// A line for a service and its characteristics.
  private func print(_ service: DiscoveryResult.Service?, _ characteristics: [DiscoveryResult.Characteristic], _ tables: ConversationTables)
  {
    let start = out.count
    out.spaces(columns.lead)
    if let service {
      if let uuid = service.uuid { name(uuid, tables) } else { out.text("service") }
      out.byte(0x20)
      span(service.start, service.end)
      if !characteristics.isEmpty { out.text(": ") }
    }
    for (index, characteristic) in characteristics.enumerated() {
      if index > 0 { out.text(", ") }
      if let uuid = characteristic.uuid { name(uuid, tables, isService: false) } else { out.text("characteristic") }
      out.byte(0x20)
      handle(characteristic.handle)
      out.text(" (")
      out.properties(characteristic.properties)
      out.byte(UInt8(ascii: ")"))
    }
    if let width = style.width { out.wrap(from: start, indent: columns.lead + 2, width: width) }
    out.byte(0x0A)
  }
}
