import Bluetooth

/// Key lists of macOS and Windows.
enum SystemKeys {
  /// Reads macOS's `com.apple.bluetoothd.plist`, in older systems `blued.plist`: `LinkKeys` and `SMPDistributionKeys`, each a dictionary of adapters,
  /// with devices in them. Keys have their most significant octet first. Their diversifiers are left out, because public sources disagree about the
  /// byte order.
  static func apple(_ list: PropertyList, _ path: String, _ ring: inout KeyRing) {
    func add(_ kind: Key.Kind, _ bytes: [UInt8]?, _ address: DeviceAddress?, _ origin: String) {
      guard let bytes, bytes.contains(where: { $0 != 0 }), let key = Key(kind, bytes, address: address) else { return }
      ring.add(KnownKey(key, file: path, origin: origin, mayBeReversed: true))
    }
    for adapter in list["LinkKeys"]?.entries ?? [] {
      for device in adapter.value.entries {
        guard let address = DeviceAddress(device.name) else { continue }
        add(.link, device.value.bytes, address, "LinkKeys")
      }
    }
    for adapter in list["SMPDistributionKeys"]?.entries ?? [] {
      for device in adapter.value.entries {
        guard let address = DeviceAddress(device.name) else { continue }
        for name in ["LTK", "LocalLTK", "RemoteLTK"] { add(.longTerm, device.value[name]?.bytes, address, name) }
        // The identity address, if it differs from the address under which the device is listed.
        var identity = address
        if let bytes = device.value["Address"]?.bytes, bytes.count == 6 {
          identity = DeviceAddress(bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        add(.identityResolving, device.value["IRK"]?.bytes, identity, "IRK")
        add(.signature, device.value["CSRK"]?.bytes, address, "CSRK")
      }
    }
  }

  /// The first line of an export of Windows' registry editor.
  static func isRegistry(_ line: some StringProtocol) -> Bool {
    line.hasPrefix("Windows Registry Editor") || line.hasPrefix("REGEDIT4")
  }

  /// Reads an export of Windows' registry, `…\BTHPORT\Parameters\Keys`: link keys are values of the adapter, those of LE are in a registry key for
  /// each device. Keys are in transmission order, the least significant octet first.
  static func registry(_ lines: [Substring], _ path: String, _ ring: inout KeyRing) {
    /// The values in one registry key that contain keys, and the parts of its path from the adapter on.
    var values: [String: [UInt8]] = [:]
    var folders: [Substring] = []
    func isWanted(_ name: String, _ bytes: [UInt8]) -> Bool {
      switch folders.count {
      // Values of an adapter with the name of a device are link keys.
      case 1: name.utf8.count == 12 && DeviceAddress(name) != nil && Key(.link, bytes) != nil && bytes.contains { $0 != 0 }
      case 2: deviceValues.contains(name)
      default: false
      }
    }
    func add(_ kind: Key.Kind, _ name: String, _ address: DeviceAddress?, _ change: (inout Key) -> Void = { _ in }) {
      guard let bytes = values[name], bytes.contains(where: { $0 != 0 }), var key = Key(kind, bytes.reversed(), address: address) else {
        return
      }
      change(&key)
      ring.add(KnownKey(key, file: path, origin: name, mayBeReversed: true))
    }
    func number(_ name: String) -> UInt64? { values[name]?.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    func finish() {
      defer { values.removeAll() }
      switch folders.count {
      case 1:
        for name in values.keys.sorted() { add(.link, name, DeviceAddress(name)) }
      case 2:
        guard folders[1].utf8.count == 12, let address = DeviceAddress(folders[1]) else { return }
        add(.longTerm, "LTK", address) { key in
          if let ediv = number("EDIV"), let random = number("ERand"), ediv <= 0xFFFF, ediv != 0 || random != 0 {
            (key.ediv, key.random) = (UInt16(ediv), random)
          }
        }
        add(.identityResolving, "IRK", number("Address").map { DeviceAddress($0) } ?? address)
        add(.signature, "CSRK", address)
        add(.signature, "CSRKInbound", address)
      default: break
      }
    }
    var whole = ""
    for line in lines {
      whole += line.drop(while: \.isWhitespace)
      // A backslash continues a value in the next line.
      if whole.hasSuffix("\\"), whole.utf8.count < 65_536 {
        whole.removeLast()
        continue
      }
      defer { whole = "" }
      if whole.hasPrefix("["), let end = whole.lastIndex(of: "]") {
        finish()
        let parts = whole[whole.index(after: whole.startIndex)..<end].split(separator: "\\")
        let base = parts.lastIndex { $0.lowercased() == "keys" }.flatMap { index in
          parts[..<index].last?.lowercased() == "parameters" ? index : nil
        }
        folders = base.map { Array(parts[($0 + 1)...]) } ?? []
      } else if let (name, bytes) = value(whole), isWanted(name, bytes) {
        if values.count < KeyRing.maxCount || values[name] != nil { values[name] = bytes } else { ring.refuse() }
      }
    }
    finish()
  }

  /// The values of an LE device that contain keys.
  private static let deviceValues: Set<String> = ["LTK", "EDIV", "ERand", "IRK", "Address", "CSRK", "CSRKInbound"]

  /// A line `"NAME"=hex:00,01` or `"NAME"=dword:0000002a`, its bytes with the least significant first.
  private static func value(_ line: String) -> (String, [UInt8])? {
    let parts = line.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, parts[0].hasPrefix("\""), let colon = parts[1].firstIndex(of: ":") else { return nil }
    let name = String(parts[0].dropFirst().prefix { $0 != "\"" })
    let digits = parts[1][parts[1].index(after: colon)...].filter { $0 != "," && !$0.isWhitespace }
    guard let bytes = Key.bytes(hexadecimal: digits) else { return nil }
    switch parts[1][..<colon].lowercased() {
    case "dword", "qword": return (name, bytes.reversed())
    case let kind where kind == "hex" || kind.hasPrefix("hex("): return (name, bytes)
    default: return nil
    }
  }
}
