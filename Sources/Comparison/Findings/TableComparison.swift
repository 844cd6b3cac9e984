@_spi(Pipeline) import Analysis
import Bluetooth
import Conversations
import Text

/// Compares attribute tables: services, characteristics, descriptors, properties, and handles.
public enum TableComparison {
  typealias Row = CaptureDifferences.Row

  /// An entry of a table with its owner.
  private struct Entry {
    var entry: GATTCache.Entry
    var kind: String
    var uuid: String
    var owner: String
    /// UUIDs from the service down, and the number among equal ones.
    var path: String
  }

  static func compare(
    _ a: Recording, _ deviceA: ComparedDevice, _ b: Recording, _ deviceB: ComparedDevice, device: Int, _ result: inout CaptureDifferences
  ) {
    guard let mine = table(a, deviceA), let theirs = table(b, deviceB) else { return }
    // Rows of a table are ordered before the first step, when the table was discovered.
    let session = deviceA.sessions.first { $0.connection >= 0 }
    let start = (session?.steps.first).map { Int(a.steps[Int($0)].frame) } ?? 0
    for var row in compare(mine, theirs, isWhole: false) {
      row.device = device
      row.order = (start, 0, 1)
      result.rows.append(row)
    }
  }

  /// Compares tables of devices: those with the same address or name, else in order.
  public static func compare(_ a: GATTCache, _ b: GATTCache) -> CaptureDifferences {
    var result = CaptureDifferences()
    var order = 0
    func add(_ mine: GATTCache.Device?, _ theirs: GATTCache.Device?) {
      result.devices.append(
        CaptureDifferences.Device(
          name: mine?.name.isEmpty == false ? mine?.name ?? [] : theirs?.name ?? [], addresses: (mine?.address, theirs?.address),
          isInA: mine != nil, isInB: theirs != nil))
      let rows = compare(mine?.entries ?? [], theirs?.entries ?? [], isWhole: true)
      for var row in rows {
        row.device = result.devices.count - 1
        row.order = (order, 0, 0)
        order += 1
        result.rows.append(row)
      }
      result.same += max(
        0,
        Set(entries(mine?.entries ?? []).map(\.path)).intersection(entries(theirs?.entries ?? []).map(\.path)).count
          - rows.count { $0.change == .changed })
    }
    // Indices in the other map, the last first, and those that were taken.
    var byAddress = Dictionary(grouping: b.devices.indices.reversed()) { b.devices[$0].address }
    var byName = Dictionary(grouping: b.devices.indices.reversed()) { b.devices[$0].name }
    var taken: Set<Int> = []
    func take<Key: Hashable>(_ key: Key, _ indices: inout [Key: [Int]]) -> Int? {
      while let index = indices[key]?.popLast() { if taken.insert(index).inserted { return index } }
      return nil
    }
    var left: [GATTCache.Device] = []
    for device in a.devices {
      let found =
        (device.address == nil ? nil : take(device.address, &byAddress)) ?? (device.name.isEmpty ? nil : take(device.name, &byName))
      guard let found else {
        left.append(device)
        continue
      }
      add(device, b.devices[found])
    }
    let free = b.devices.indices.filter { !taken.contains($0) }
    for index in 0..<max(left.count, free.count) {
      add(index < left.count ? left[index] : nil, index < free.count ? b.devices[free[index]] : nil)
    }
    result.first = result.rows.isEmpty ? nil : 0
    return result
  }

  /// The discovered attributes of a device; nil where there was no discovery.
  private static func table(_ recording: Recording, _ device: ComparedDevice) -> [GATTCache.Entry]? {
    let database: Int32
    switch device.identity {
    case .peer(let peer): database = recording.tables.peers[Int(peer)].database
    case .connection(let connection): database = recording.tables.connections[Int(connection)].database
    default: return nil
    }
    guard database >= 0 else { return nil }
    var entries: [GATTCache.Entry] = []
    for number in recording.tables.databases[Int(database)].attributes {
      let attribute = recording.tables.attributes[Int(number)]
      guard attribute.source == .discovery, recording.tables.attribute(database, attribute.handle, at: .max) == number else { continue }
      entries.append(
        GATTCache.Entry(
          handle: attribute.handle, kind: attribute.kind, uuid: attribute.uuid < 0 ? nil : recording.tables.uuids[Int(attribute.uuid)],
          properties: attribute.properties,
          related: attribute.related, isPrimary: attribute.isPrimary))
    }
    guard !entries.isEmpty else { return nil }
    entries.sort { ($0.handle, $0.kind.rawValue) < ($1.handle, $1.kind.rawValue) }
    return entries
  }

  private static func entries(_ table: [GATTCache.Entry]) -> [Entry] {
    var seen: [String: Int] = [:]
    var (service, value) = ("", "")
    var (serviceUUID, valueUUID) = ("", "")
    return table.compactMap { entry in
      guard let uuid = entry.uuid?.description else { return nil }
      let kind: String
      var owner = ""
      var path: String
      switch entry.kind {
      case .service:
        kind = "service"
        path = uuid
      case .value:
        kind = "characteristic"
        owner = serviceUUID
        path = "\(service)/\(uuid)"
      case .descriptor:
        kind = "descriptor"
        owner = valueUUID
        path = "\(value.isEmpty ? service : value)/\(uuid)"
      default: return nil
      }
      seen[path, default: 0] += 1
      if let number = seen[path], number > 1 { path += "#\(number)" }
      if entry.kind == .service { (service, serviceUUID, value, valueUUID) = (path, uuid, "", "") }
      if entry.kind == .value { (value, valueUUID) = (path, uuid) }
      return Entry(entry: entry, kind: kind, uuid: uuid, owner: owner, path: path)
    }
  }

  /// Rows without an order. Attributes that were not searched are not missing: without `isWhole`, an entry counts as missing only if the other
  /// capture discovered entries of its kind in the same group, and some after it.
  private static func compare(_ a: [GATTCache.Entry], _ b: [GATTCache.Entry], isWhole: Bool) -> [Row] {
    let (mine, theirs) = (entries(a), entries(b))
    var entriesByPath: [String: Entry] = [:]
    for entry in theirs { entriesByPath[entry.path] = entry }
    let known = Set(mine.map(\.path))
    let missing = isWhole ? nil : Siblings(mine) { entriesByPath[$0] != nil }
    let added = isWhole ? nil : Siblings(theirs) { known.contains($0) }
    var rows: [Row] = []
    var moved = 0
    var moves: [(String, String)] = []
    func subject(_ entry: Entry, _ handles: SIMD2<UInt16>) -> CaptureDifferences.Subject {
      .attribute(CaptureDifferences.AttributeEntry(kind: entry.kind, uuid: entry.uuid, handles: handles, owner: entry.owner))
    }
    for entry in mine {
      guard let other = entriesByPath[entry.path] else {
        guard missing?.arePresent(without: entry) ?? true else { continue }
        rows.append(Row(change: .removed, subject: subject(entry, [entry.entry.handle, 0])))
        continue
      }
      if entry.entry.handle != other.entry.handle {
        moved += 1
        moves.append((handle(entry.entry.handle), handle(other.entry.handle)))
      }
      if entry.kind == "characteristic", entry.entry.properties != other.entry.properties {
        var row = Row(change: .changed, subject: subject(entry, [entry.entry.handle, other.entry.handle]))
        row.changes = [
          CaptureDifferences.FieldChange(
            field: "properties", a: properties(entry.entry.properties), b: properties(other.entry.properties))
        ]
        rows.append(row)
      }
    }
    for entry in theirs where !known.contains(entry.path) {
      guard added?.arePresent(without: entry) ?? true else { continue }
      rows.append(Row(change: .added, subject: subject(entry, [0, entry.entry.handle])))
    }
    if moved > 0, let first = moves.first, let last = moves.last {
      var row = Row(
        change: .changed,
        subject: .attribute(CaptureDifferences.AttributeEntry(kind: "table", uuid: "", handles: .zero, owner: "")))
      row.changes = [
        CaptureDifferences.FieldChange(
          field: "handles", a: moved == 1 ? first.0 : "\(first.0)-\(last.0)", b: moved == 1 ? first.1 : "\(first.1)-\(last.1)")
      ]
      row.count = moved
      rows.insert(row, at: 0)
    }
    return rows
  }

  /// Number of sibling entries in a table, and how many of them the other table has, too.
  private struct Siblings {
    private struct Group: Hashable {
      var kind: String
      var owner: String
    }

    private var counts: [Group: (all: Int, present: Int)] = [:]

    init(_ entries: [Entry], isInOther: (String) -> Bool) {
      for entry in entries {
        counts[Self.group(entry), default: (0, 0)].all += 1
        if isInOther(entry.path) { counts[Self.group(entry)]?.present += 1 }
      }
    }

    /// Whether the table that lacks an entry was discovered at its position: it has all of the entry's siblings.
    func arePresent(without entry: Entry) -> Bool {
      guard let count = counts[Self.group(entry)] else { return false }
      return count.all > 1 && count.present == count.all - 1
    }

    /// Services are siblings of one another; every other entry is a child of the entry that it belongs to.
    private static func group(_ entry: Entry) -> Group { Group(kind: entry.kind, owner: entry.kind == "service" ? "" : entry.owner) }
  }

  private static func handle(_ handle: UInt16) -> String { "0x" + String(hex: handle, digits: 4) }

  private static func properties(_ bits: UInt8) -> String {
    let words = Attribute.names(ofProperties: bits).map(\.description)
    return words.isEmpty ? "none" : words.joined(separator: ", ")
  }
}
