import Bluetooth

/// Texts that hold keys: a list of `--key` arguments, BlueZ's `info` of a device, Android's `bt_config.conf`.
public enum KeyFile {
  /// Longest text that is read.
  public static let maximumSize = 16 << 20

  /// Reads the keys of a text; `path` names the device of an `info` file by its folder. Throws ``KeyError`` where a list has a line that is no
  /// key, and where there is no key at all.
  public static func read(_ text: String, path: String) throws(KeyError) -> KeyRing {
    var ring = KeyRing()
    // "\r\n" is one character.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var isList = true
    for line in lines {
      let line = line.drop(while: \.isWhitespace)
      if line.isEmpty || line.hasPrefix("#") { continue }
      isList = !line.hasPrefix("[")
      break
    }
    if isList {
      try list(lines, path, &ring)
    } else {
      sections(lines, path, &ring)
    }
    if ring.keys.isEmpty, ring.named.isEmpty { throw KeyError("there is no key in it") }
    return ring
  }

  /// One key a line; what stands behind `#` is a remark.
  private static func list(_ lines: [Substring], _ path: String, _ ring: inout KeyRing) throws(KeyError) {
    for (index, line) in lines.enumerated() {
      let text = line.prefix { $0 != "#" }
      guard text.contains(where: { !$0.isWhitespace }) else { continue }
      do throws(KeyError) {
        if NamedKey.isNamed(text) {
          ring.add(try NamedKey(text: String(text)))
          continue
        }
        ring.add(KnownKey(try Key(text: String(text)), file: path, origin: "line \(index + 1)", mayBeReversed: true))
      } catch {
        throw KeyError("line \(index + 1): \(error.description)")
      }
    }
  }

  private static func sections(_ lines: [Substring], _ path: String, _ ring: inout KeyRing) {
    var section = ""
    var values: [String: String] = [:]
    // An `info` file of BlueZ lies in a folder that is called after the device.
    let folders = path.split(separator: "/").dropLast()
    let device = folders.last.flatMap { DeviceAddress($0) }
    func finish() {
      if let address = DeviceAddress(section) {
        android(values, address, path, &ring)
      } else {
        blueZ(section, values, device, path, &ring)
      }
      values.removeAll()
    }
    for line in lines {
      let line = line.drop(while: \.isWhitespace)
      if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
        finish()
        section = String(line[line.index(after: line.startIndex)..<end])
      } else if let equals = line.firstIndex(of: "="), values.count < 256 {
        let name = line[..<equals].filter { !$0.isWhitespace }
        values[name] = String(line[line.index(after: equals)...].filter { !$0.isWhitespace })
      }
    }
    finish()
  }

  /// BlueZ writes link keys, long term keys and identity resolving keys as they travel, the least significant octet first.
  private static func blueZ(
    _ section: String, _ values: [String: String], _ device: DeviceAddress?, _ path: String, _ ring: inout KeyRing
  ) {
    let kind: Key.Kind
    switch section {
    case "LongTermKey", "PeripheralLongTermKey", "SlaveLongTermKey": kind = .longTerm
    case "IdentityResolvingKey": kind = .identityResolving
    case "LocalSignatureKey", "RemoteSignatureKey": kind = .signature
    case "LinkKey": kind = .link
    default: return
    }
    guard let bytes = values["Key"].flatMap({ Key.bytes(hexadecimal: $0) }), var key = Key(kind, bytes.reversed(), address: device) else {
      return
    }
    if kind == .longTerm {
      key.ediv = values["EDiv"].flatMap { UInt16($0) }
      key.random = values["Rand"].flatMap { UInt64($0) }
    }
    ring.add(KnownKey(key, file: path, origin: section, mayBeReversed: true))
  }

  /// Android writes the structures of its stack as digits (`tBTM_LE_PENC_KEYS` and others); keys in them are as they travel. Link keys have their
  /// most significant octet first.
  private static func android(_ values: [String: String], _ device: DeviceAddress, _ path: String, _ ring: inout KeyRing) {
    func add(_ kind: Key.Kind, _ name: String, at start: Int, isReversed: Bool = true, _ change: (inout Key, [UInt8]) -> Void = { _, _ in })
    {
      guard let bytes = values[name].flatMap({ Key.bytes(hexadecimal: $0) }), bytes.count >= start + 16 else { return }
      let value = Array(bytes[start..<(start + 16)])
      guard var key = Key(kind, isReversed ? value.reversed() : value, address: device) else { return }
      change(&key, bytes)
      ring.add(KnownKey(key, file: path, origin: name, mayBeReversed: true))
    }
    add(.link, "LinkKey", at: 0, isReversed: false)
    // The peer's key: 16 bytes, the random number, the diversifier, level and size.
    add(.longTerm, "LE_KEY_PENC", at: 0) { key, bytes in
      guard bytes.count >= 26 else { return }
      key.random = bytes[16..<24].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      key.ediv = UInt16(bytes[25]) << 8 | UInt16(bytes[24])
    }
    add(.longTerm, "LE_KEY_LENC", at: 0)
    add(.identityResolving, "LE_KEY_PID", at: 0)
    add(.signature, "LE_KEY_PCSRK", at: 4)
  }
}
