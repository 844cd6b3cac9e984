import Bluetooth

/// Keys in the forms of other programs, as ``KeyFile`` reads them.
extension KeyFile {
  /// The keys of devices as BlueZ's `info` files have them, one behind the other: the path of each, from the device's folder on, stands as a remark
  /// before it. Returns the text, and how many keys have no place in it: those of no device, and of kinds that BlueZ does not keep.
  public static func blueZ(_ ring: KeyRing) -> (text: String, leftOut: Int) {
    var devices: [DeviceAddress] = []
    var sections: [UInt64: [String]] = [:]
    var names: [UInt64: Set<String>] = [:]
    var leftOut = ring.named.count
    for known in ring.keys {
      guard let address = known.key.address, let section = section(known.key) else {
        leftOut += 1
        continue
      }
      let device = address.address
      if sections[device] == nil { devices.append(address) }
      // A device has one key of a kind: the one that became known last is what it uses. The long term key of its own role is another.
      var name = section.name
      if name == "LongTermKey", names[device]?.contains(name) == true { name = "PeripheralLongTermKey" }
      guard names[device, default: []].insert(name).inserted else {
        leftOut += 1
        continue
      }
      sections[device, default: []].append("[\(name)]\n" + section.lines.map { $0 + "\n" }.joined())
    }
    let texts = devices.map { address in
      "# \(address.text.uppercased())/info\n" + (sections[address.address] ?? []).joined(separator: "\n")
    }
    return (texts.joined(separator: "\n"), leftOut)
  }

  private static func section(_ key: Key) -> (name: String, lines: [String])? {
    let value = "Key=" + Key.hexadecimal(key.bytes.reversed()).uppercased()
    switch key.kind {
    case .longTerm:
      // A key that was shortened begins with zeros (Core, Vol 3, Part H, 2.3.4).
      let size = max(7, key.bytes.drop { $0 == 0 }.count)
      return ("LongTermKey", [value, "Authenticated=0", "EncSize=\(size)", "EDiv=\(key.ediv ?? 0)", "Rand=\(key.random ?? 0)"])
    case .identityResolving: return ("IdentityResolvingKey", [value])
    case .signature: return ("RemoteSignatureKey", [value, "Counter=0", "Authenticated=false"])
    case .link: return ("LinkKey", [value])
    default: return nil
    }
  }

  /// The keys as the toolbar of the nRF Sniffer in Wireshark takes them, one a line with its kind. Returns the text, and how many keys it has no
  /// place for.
  public static func toolbar(_ ring: KeyRing) -> (text: String, leftOut: Int) {
    let lines = ring.keys.compactMap { known -> String? in
      guard let text = known.key.labelledText else { return nil }
      return text + (known.key.address.map { "  # of \($0.text)" } ?? "") + "\n"
    }
    return (lines.joined(), ring.keys.count + ring.named.count - lines.count)
  }
}
