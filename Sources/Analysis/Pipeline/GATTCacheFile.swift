import Bluetooth
import Conversations
import Text
import YAML

/// An error in a file with attribute tables.
public struct GATTCacheError: Error, Sendable, CustomStringConvertible {
  /// File name as given by the user.
  public var file: String
  /// Line and column from 1, or 0 for the file itself.
  public var line: Int, column: Int
  /// A sentence with the error, and with the expected form.
  public var message: String

  /// `lamp.yaml:3:5: …`.
  public var description: String { line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)" }
}

extension GATTCache {
  /// Most bytes of a file.
  public static let maximumSize = 16 << 20

  /// Reads a map: YAML as ``yaml`` or a user writes it, or a file of BlueZ's storage, which is recognised by its first character. `path` is used in
  /// errors, and gives the device of BlueZ's files. All files of a command share one `budget`. Throws ``GATTCacheError``.
  public init(text: String, path: String, _ budget: DocumentBudget = DocumentBudget()) throws(GATTCacheError) {
    self.init()
    let start = text.first { !$0.isWhitespace }
    if start == "[" || text.hasPrefix("#") && text.contains("\n[") && !text.contains("services:") && !text.contains("characteristics:") {
      let device = try Self.device(bluez: text, path: path)
      if !device.entries.isEmpty {
        guard device.address != nil || !device.name.isEmpty else {
          throw GATTCacheError(
            file: path, line: 0, column: 0, message: "whose attributes? the file (or its folder) must be named by the device's address")
        }
        devices.append(device)
      }
    } else {
      try readYAML(text, path, budget)
    }
    guard !devices.isEmpty else { throw GATTCacheError(file: path, line: 0, column: 0, message: "no device with attributes in it") }
    for index in devices.indices { devices[index].sort() }
  }

  // MARK: YAML

  private mutating func readYAML(_ text: String, _ path: String, _ budget: DocumentBudget) throws(GATTCacheError) {
    let root: Node?
    do {
      root = try YAML.compose(yaml: text, budget)
    } catch {
      throw Self.syntaxError(error, path)
    }
    guard let root else { throw GATTCacheError(file: path, line: 0, column: 0, message: "the file is empty") }
    var reader = CacheReader(path: path)
    var list = root
    if case .mapping(let mapping) = root, let peers = mapping["devices"] {
      for (key, _) in mapping where key.string != "devices" {
        throw reader.error(key, "unknown key \"\(key.string ?? "")\" beside \"devices\"")
      }
      list = peers
    }
    switch list {
    case .sequence(let sequence): for node in sequence { devices.append(try reader.device(node)) }
    case .mapping: devices.append(try reader.device(list))
    default: throw reader.error(list, "a list of devices is needed, each with \"address\" or \"name\"")
    }
  }

  private static func syntaxError(_ error: YAMLError, _ path: String) -> GATTCacheError {
    switch error {
    case .syntax(let problem, _, let mark): GATTCacheError(file: path, line: mark.line, column: mark.column, message: problem)
    case .duplicates(let keys, let mark):
      GATTCacheError(
        file: path, line: mark.line, column: mark.column, message: "duplicate key: \(keys.joined(separator: ", "))")
    }
  }

  /// The host of a capture that does not number its adapters.
  fileprivate static let unnumberedHost = "this"

  /// The map as YAML that can be read again and edited.
  public var yaml: String {
    var out = "# Attribute tables, for --gatt: the attributes of each device, by handle.\ndevices:\n"
    for device in devices {
      var first = "  - "
      func line(_ text: String) {
        out += first + text + "\n"
        first = "    "
      }
      if let address = device.address {
        line("address: \(DeviceAddress(address))")
        if let isRandom = device.isRandom { line("type: \(isRandom ? "random" : "public")") }
      }
      if let adapter = device.adapter { line("host: " + (adapter == Adapter.unnumbered ? Self.unnumberedHost : "hci\(adapter)")) }
      if let connection = device.connection { line("connection: \(Self.handle(connection))") }
      if !device.name.isEmpty { line("name: \(YAMLQuoting.quoted(String(decoding: device.name, as: UTF8.self)))") }
      line("services:")
      out += Self.services(of: device)
    }
    return out
  }

  private static func services(of device: Device) -> String {
    var out = ""
    var isInside = false
    var open: UInt16 = 0
    var hasCharacteristics = false
    // By the handle of the value; a faulty device may declare a value at a higher handle, or twice.
    var declarations: [UInt16: UInt16] = [:]
    for entry in device.entries where entry.kind == .declaration { declarations[entry.related] = entry.handle }
    for (index, entry) in device.entries.enumerated() {
      switch entry.kind {
      case .service:
        isInside = true
        hasCharacteristics = false
        open = end(of: entry, at: index, in: device)
        out += "      - uuid: \(entry.uuid.map { "\($0)" } ?? "~")"
        if let name = entry.uuid?.name { out += "  # \(name)" }
        out += "\n        handles: \(handle(entry.handle))-\(handle(open))\n"
        if !entry.isPrimary { out += "        secondary: true\n" }
      case .value:
        if !isInside || entry.handle > open {
          // Characteristics whose service was not discovered.
          out += "      - handles: \(handle(entry.handle))-\(handle(.max))\n"
          isInside = true
          open = .max
          hasCharacteristics = false
        }
        if !hasCharacteristics {
          out += "        characteristics:\n"
          hasCharacteristics = true
        }
        out += "          \(handle(entry.handle)):\n            uuid: \(entry.uuid.map { "\($0)" } ?? "~")"
        if let name = entry.uuid?.attributeName() { out += "  # \(name)" }
        out += "\n"
        if let declaration = declarations[entry.handle], declaration != entry.handle &- 1 {
          out += "            declaration: \(handle(declaration))\n"
        }
        if entry.properties != 0 { out += "            properties: [\(propertyNames(entry.properties).joined(separator: ", "))]\n" }
        let descriptors = device.entries[(index + 1)...].prefix { $0.kind == .descriptor }
        if !descriptors.isEmpty {
          let list = descriptors.map { "\(handle($0.handle)): \($0.uuid.map { "\($0)" } ?? "~")" }
          out += "            descriptors: {\(list.joined(separator: ", "))}\n"
        }
      default: continue
      }
    }
    if out.isEmpty { out = "      []\n" }
    return out
  }

  /// The last handle of a service. If none is given, or one before the service, it extends to the next service.
  private static func end(of service: Entry, at index: Int, in device: Device) -> UInt16 {
    if service.related >= service.handle { return service.related }
    let next = device.entries[(index + 1)...].first { $0.kind == .service }?.handle ?? 0
    return max(service.handle, next &- 1)
  }

  static func handle(_ handle: UInt16) -> String { "0x" + String(hex: handle, digits: 4) }

  /// Names of the bits of a characteristic's properties (Core, Vol 3, Part G, 3.3.1.1).
  static let properties = [
    "broadcast", "read", "write-without-response", "write", "notify", "indicate", "signed-write", "extended",
  ]

  private static func propertyNames(_ bits: UInt8) -> [String] {
    properties.enumerated().filter { bits >> UInt8($0.offset) & 1 == 1 }.map(\.element)
  }

  // MARK: BlueZ's storage

  /// The device in a file of BlueZ's storage: `/var/lib/bluetooth/ADAPTER/cache/PEER` (a section `Attributes`), `…/ADAPTER/PEER/attributes` (a
  /// section for each service), or `…/ADAPTER/PEER/info` (name and kind of address). Throws ``GATTCacheError``.
  public static func device(bluez text: String, path: String) throws(GATTCacheError) -> Device {
    var device = Device()
    let parts = path.split(separator: "/")
    // The cache is named after the peer, the other files are in a folder with that name.
    for part in parts.suffix(2).reversed() where device.address == nil { device.address = DeviceAddress(part)?.address }
    var section = ""
    var service: (handle: UInt16, uuid: BluetoothUUID?, end: UInt16)?
    func flush() {
      if let found = service, let uuid = found.uuid, found.end >= found.handle {
        device.entries.append(Entry(handle: found.handle, kind: .service, uuid: uuid, related: found.end))
      }
      service = nil
    }
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = Self.trimmed(line)
      if line.isEmpty || line.hasPrefix("#") { continue }
      if line.hasPrefix("["), line.hasSuffix("]") {
        flush()
        section = String(line.dropFirst().dropLast())
        if let handle = UInt16(section), handle != 0 { service = (handle, nil, 0) }
        continue
      }
      guard let equals = line.firstIndex(of: "=") else {
        throw GATTCacheError(file: path, line: number + 1, column: 1, message: "neither a [section] nor key=value")
      }
      let key = Self.trimmed(line[..<equals])
      let value = Self.trimmed(line[line.index(after: equals)...])
      switch section {
      case "General":
        if key == "Name" { device.name = Array(value.utf8) }
        if key == "AddressType" { device.isRandom = value == "static" }
      case "Attributes":
        guard let handle = UInt16(key, radix: 16), handle != 0, let entries = Self.attribute(handle, value) else {
          throw GATTCacheError(file: path, line: number + 1, column: 1, message: "not an attribute as BlueZ writes it")
        }
        device.entries += entries
      default:
        if key == "Value" { service?.uuid = Self.uuid(value) }
        if key == "EndGroupHandle" { service?.end = UInt16(value) ?? 0 }
      }
    }
    flush()
    device.sort()
    return device
  }

  /// A value of the section Attributes: `2800:END:UUID`, `2801:END:UUID`, `2802:START:END:UUID`, `2803:VALUE:PROPERTIES[:HASH]:UUID`, or the UUID of
  /// a descriptor, which its value may precede.
  private static func attribute(_ handle: UInt16, _ value: Substring) -> [Entry]? {
    let parts = value.split(separator: ":")
    guard let first = parts.first, let last = parts.last, let uuid = uuid(last) else { return nil }
    switch (first, parts.count) {
    case ("2800", 3), ("2801", 3):
      guard let end = UInt16(parts[1], radix: 16) else { return nil }
      return [Entry(handle: handle, kind: .service, uuid: uuid, related: end, isPrimary: first == "2800")]
    case ("2802", 4):
      guard let start = UInt16(parts[1], radix: 16) else { return nil }
      return [Entry(handle: handle, kind: .include, uuid: uuid, related: start)]
    case ("2803", 4...5):
      guard let value = UInt16(parts[1], radix: 16), value != 0, let properties = UInt8(parts[2], radix: 16) else { return nil }
      return [
        Entry(handle: handle, kind: .declaration, uuid: uuid, properties: properties, related: value),
        Entry(handle: value, kind: .value, uuid: uuid, properties: properties),
      ]
    case (_, 1...2): return [Entry(handle: handle, kind: .descriptor, uuid: uuid)]
    default: return nil
    }
  }

  static func uuid(_ text: some StringProtocol) -> BluetoothUUID? {
    var text = Substring(text.lowercased())
    if text.hasPrefix("0x") { text = text.dropFirst(2) }
    return BluetoothUUID(String(text))
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let first = text.first, first.isWhitespace { text = text.dropFirst() }
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    return text
  }
}

/// Reads the devices of a YAML file.
private struct CacheReader {
  let path: String

  func error(_ node: Node, _ message: String) -> GATTCacheError {
    GATTCacheError(file: path, line: node.mark?.line ?? 0, column: node.mark?.column ?? 0, message: message)
  }

  private func pairs(_ node: Node, _ what: String, _ known: [String]) throws(GATTCacheError) -> [(String, Node)] {
    guard case .mapping(let mapping) = node else { throw error(node, "\(what) must be a mapping (key: value)") }
    var result: [(String, Node)] = []
    for (key, value) in mapping {
      guard let word = key.scalar?.string, known.contains(word) else {
        throw error(key, "unknown key \"\(key.scalar?.string ?? "")\" in \(what); there are: \(known.joined(separator: ", "))")
      }
      result.append((word, value))
    }
    return result
  }

  private func text(_ node: Node, _ what: String) throws(GATTCacheError) -> String {
    guard let scalar = node.scalar else { throw error(node, "\(what) must be a text") }
    return scalar.string
  }

  mutating func device(_ node: Node) throws(GATTCacheError) -> GATTCache.Device {
    var device = GATTCache.Device()
    for (key, value) in try pairs(
      node, "a device", ["address", "type", "name", "connection", "host", "services", "characteristics"])
    {
      switch key {
      case "address":
        guard let address = DeviceAddress(try text(value, "address")) else {
          throw error(value, "not an address: aa:bb:cc:dd:ee:ff is one")
        }
        device.address = address.address
      case "type":
        let type = try text(value, "type")
        guard type == "public" || type == "random" else { throw error(value, "the type of an address is public or random") }
        device.isRandom = type == "random"
      case "name": device.name = Array(try text(value, "name").utf8)
      case "connection": device.connection = try handle(value)
      case "host":
        let host = try text(value, "host")
        if host == GATTCache.unnumberedHost {
          device.adapter = Adapter.unnumbered
        } else if let index = UInt16(host.hasPrefix("hci") ? host.dropFirst(3) : host[...]) {
          device.adapter = index
        } else {
          throw error(value, "not an adapter: hci0 is one; or \"\(GATTCache.unnumberedHost)\", for captures without numbers of adapters")
        }
      case "services":
        guard case .sequence(let services) = value else { throw error(value, "services must be a list") }
        for service in services { try self.service(service, &device) }
      default: try characteristics(value, &device)
      }
    }
    guard device.address != nil || !device.name.isEmpty || device.connection != nil || device.adapter != nil else {
      throw error(node, "whose attributes are these? give \"address\" or \"name\"")
    }
    return device
  }

  private func service(_ node: Node, _ device: inout GATTCache.Device) throws(GATTCacheError) {
    var entry = GATTCache.Entry(handle: 0, kind: .service, uuid: nil)
    for (key, value) in try pairs(node, "a service", ["uuid", "handles", "secondary", "characteristics"]) {
      switch key {
      case "uuid": entry.uuid = try uuid(value)
      case "handles":
        let bounds = try text(value, "handles").split(separator: "-")
        guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first > 0,
          first <= last
        else {
          throw error(value, "not a range of handles: 0x0010-0x001f is one")
        }
        entry.handle = first
        entry.related = last
      case "secondary": entry.isPrimary = try text(value, "secondary") != "true"
      default: try characteristics(value, &device)
      }
    }
    if entry.handle != 0, entry.uuid != nil { device.entries.append(entry) }
  }

  /// `HANDLE: UUID`, or `HANDLE: {uuid, properties, descriptors, declaration}`.
  private func characteristics(_ node: Node, _ device: inout GATTCache.Device) throws(GATTCacheError) {
    guard case .mapping(let mapping) = node else {
      throw error(node, "characteristics must be a mapping: the value's handle, and its UUID")
    }
    for (key, value) in mapping {
      var entry = GATTCache.Entry(handle: try handle(key), kind: .value, uuid: nil)
      var declaration = entry.handle - 1
      var isDeclared = false
      if value.scalar != nil {
        entry.uuid = try uuid(value)
      } else {
        for (key, value) in try pairs(value, "a characteristic", ["uuid", "properties", "descriptors", "declaration"]) {
          switch key {
          case "uuid": entry.uuid = try uuid(value)
          case "properties": entry.properties = try properties(value)
          case "declaration":
            declaration = try handle(value)
            isDeclared = true
          default:
            guard case .mapping(let descriptors) = value else { throw error(value, "descriptors must be a mapping: handle, and UUID") }
            for (key, value) in descriptors {
              device.entries.append(GATTCache.Entry(handle: try handle(key), kind: .descriptor, uuid: try uuid(value)))
            }
          }
        }
      }
      device.entries.append(entry)
      if isDeclared || entry.properties != 0, declaration != 0 {
        device.entries.append(
          GATTCache.Entry(
            handle: declaration, kind: .declaration, uuid: entry.uuid, properties: entry.properties, related: entry.handle))
      }
    }
  }

  private func properties(_ node: Node) throws(GATTCacheError) -> UInt8 {
    var bits: UInt8 = 0
    var words: [Node] = [node]
    if case .sequence(let list) = node { words = Array(list) }
    for word in words {
      let name = try text(word, "properties")
      guard let bit = GATTCache.properties.firstIndex(of: name) else {
        throw error(word, "no property \"\(name)\"; there are: \(GATTCache.properties.joined(separator: ", "))")
      }
      bits |= 1 << UInt8(bit)
    }
    return bits
  }

  private func uuid(_ node: Node) throws(GATTCacheError) -> BluetoothUUID? {
    let text = try text(node, "a UUID")
    if text == "~" || text.isEmpty { return nil }
    guard let uuid = GATTCache.uuid(text) else {
      throw error(node, "not a UUID: 2a19 is one, 6e400001-b5a3-f393-e0a9-e50e24dcca9e another")
    }
    return uuid
  }

  private func handle(_ node: Node) throws(GATTCacheError) -> UInt16 {
    guard let handle = Self.number(try text(node, "a handle")), handle != 0 else { throw error(node, "not a handle: 0x0001 to 0xffff") }
    return handle
  }

  private static func number(_ text: some StringProtocol) -> UInt16? {
    let text = String(text.filter { !$0.isWhitespace }).lowercased()
    return text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
  }
}
