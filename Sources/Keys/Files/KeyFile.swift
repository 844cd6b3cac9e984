import Bluetooth

/// Files that hold keys: a list of `--key` arguments, BlueZ's `info` of a device, Android's `bt_config.conf`, macOS's
/// `com.apple.bluetoothd.plist`, an export of Windows' registry.
public enum KeyFile {
  /// Longest file that is read.
  public static let maximumSize = 16 << 20

  /// Whether bytes can be such a file: text, or a property list. False for captures.
  public static func isKeyFile(_ bytes: [UInt8]) -> Bool {
    isPropertyList(bytes) || text(bytes) != nil && !bytes.contains(Array("BEGIN:BTSNOOP_LOG_SUMMARY".utf8))
  }

  /// Most bytes in a line of text.
  private static let maxLine = 64 << 10

  /// Reads the keys of a file; for an `info` file, the folder in `path` is the name of the device. Throws ``KeyError`` where a list has a line that
  /// is no key, and where there is no key at all.
  public static func read(_ bytes: [UInt8], path: String) throws(KeyError) -> KeyRing {
    if isPropertyList(bytes) {
      guard let list = PropertyList(bytes) else { throw KeyError("it is a property list that is damaged") }
      var ring = KeyRing()
      SystemKeys.apple(list, path, &ring)
      if ring.keys.isEmpty { throw KeyError("there is no key in it: LinkKeys and SMPDistributionKeys are missing or empty") }
      return ring
    }
    guard let text = text(bytes) else { throw KeyError("it is not text") }
    // Long lines are rejected: a line may be a single Swift character, which has to be scanned completely to find its first character.
    guard bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }).allSatisfy({ $0.count <= maxLine }) else {
      throw KeyError("it has a line of more than \(maxLine >> 10) KiB")
    }
    return try read(text, path: path)
  }

  /// Reads the keys of a text, as ``read(_:path:)-(String,_)`` does.
  public static func read(_ text: String, path: String) throws(KeyError) -> KeyRing {
    var ring = KeyRing()
    // "\r\n" is one character.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let first = lines.lazy.map { $0.drop(while: \.isWhitespace) }.first { !$0.isEmpty && !$0.hasPrefix("#") } ?? ""
    if SystemKeys.isRegistry(first) {
      SystemKeys.registry(lines, path, &ring)
    } else if first.hasPrefix("[") {
      sections(lines, path, &ring)
    } else {
      try list(lines, path, &ring)
    }
    if ring.keys.isEmpty, ring.named.isEmpty { throw KeyError("there is no key in it") }
    return ring
  }

  /// The keys in the name of a capture, where some users keep them: `bonding-ltk-0F24….pcap`, `passkey-123456.pcap`.
  public static func keys(inName name: String) -> [KnownKey] {
    let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map { $0.lowercased() }
    return zip(words, words.dropFirst()).compactMap { word, value in
      let kind: Key.Kind? =
        switch word {
        case "ltk", "stk", "tk", "irk", "csrk", "gsk": Key.Kind(rawValue: word)
        case "passkey", "passkeyentry", "pin": .passkey
        default: nil
        }
      guard let kind, value.utf8.count == (kind == .passkey ? 6 : 32), let key = try? Key(text: "\(kind.rawValue)=\(value)") else {
        return nil
      }
      return KnownKey(key, file: name, origin: "name of the file", mayBeReversed: true)
    }
  }

  /// A property list of Apple's: binary, XML, or as `defaults read` prints it.
  private static func isPropertyList(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: "bplist00".utf8) { return true }
    let start = bytes.prefix(4096).drop { $0 <= 32 }
    if start.first == UInt8(ascii: "{") { return true }
    return start.first == UInt8(ascii: "<") && String(decoding: start, as: UTF8.self).contains("<plist")
  }

  /// Text in UTF-8, or in UTF-16 with a byte order mark, as Windows writes it; nil of other bytes.
  private static func text(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]), bytes.count % 2 == 0 {
      let high = bytes[0] == 0xFF ? 1 : 0
      var units: [UInt16] = []
      units.reserveCapacity(bytes.count / 2)
      for at in stride(from: 2, to: bytes.count, by: 2) { units.append(UInt16(bytes[at + high]) << 8 | UInt16(bytes[at + 1 - high])) }
      return units.contains(0) ? nil : String(validating: units, as: UTF16.self)
    }
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }

  /// One key per line; `#` starts a comment.
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

  /// The values in a section that contain keys, for BlueZ and for Android.
  private static let keyValues: Set<String> = [
    "Key", "EDiv", "Rand", "LinkKey", "LE_KEY_PENC", "LE_KEY_LENC", "LE_KEY_PID", "LE_KEY_PCSRK",
  ]

  private static func sections(_ lines: [Substring], _ path: String, _ ring: inout KeyRing) {
    var section = ""
    var values: [String: String] = [:]
    // An `info` file of BlueZ is in a folder with the name of the device. Several in one text have their path in a comment before them.
    let folders = path.split(separator: "/").dropLast()
    var device = folders.last.flatMap { DeviceAddress($0) }
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
      if line.hasPrefix("#") {
        let words = line.dropFirst().split { $0.isWhitespace || $0 == "/" }
        guard words.last == "info", let address = words.dropLast().last.flatMap({ DeviceAddress($0) }) else { continue }
        finish()
        (section, device) = ("", address)
      } else if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
        finish()
        section = String(line[line.index(after: line.startIndex)..<end])
      } else if let equals = line.firstIndex(of: "=") {
        let name = line[..<equals].filter { !$0.isWhitespace }
        guard keyValues.contains(name) else { continue }
        values[name] = String(line[line.index(after: equals)...].filter { !$0.isWhitespace })
      }
    }
    finish()
  }

  /// BlueZ writes link keys, long term keys and identity resolving keys in transmission order, the least significant octet first.
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

  /// Android writes the structures of its stack as hexadecimal digits (`tBTM_LE_PENC_KEYS` and others); keys in them are in transmission order. Link
  /// keys have their most significant octet first.
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
