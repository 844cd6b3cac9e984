import Bluetooth
import Text

/// Keys in the file formats of other programs, which ``KeyFile`` reads too.
extension KeyFile {
  /// The keys of devices in the format of BlueZ's `info` files, one after the other, each after a comment with its path from the device's folder on.
  /// Returns the text, and the number of keys left out: those of no device, and of kinds that BlueZ does not keep.
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
      // A device has one key of each kind: it uses the one that became known last. The long term key for its other role is separate.
      var name = section.name
      if name == "LongTermKey", names[device]?.contains(name) == true { name = "PeripheralLongTermKey" }
      guard names[device, default: []].insert(name).inserted else {
        leftOut += 1
        continue
      }
      sections[device, default: []].append("[\(name)]\n" + section.lines.map { $0 + "\n" }.joined())
    }
    let texts = devices.map { address in
      "# \(address.description.uppercased())/info\n" + (sections[address.address] ?? []).joined(separator: "\n")
    }
    return (texts.joined(separator: "\n"), leftOut)
  }

  private static func section(_ key: Key) -> (name: String, lines: [String])? {
    let value = "Key=" + String(hexOf: key.bytes.reversed()).uppercased()
    switch key.kind {
    case .longTerm:
      // A key of reduced size begins with zeros (Core, Vol 3, Part H, 2.3.4).
      let size = max(7, key.bytes.drop { $0 == 0 }.count)
      return ("LongTermKey", [value, "Authenticated=0", "EncSize=\(size)", "EDiv=\(key.ediv ?? 0)", "Rand=\(key.random ?? 0)"])
    case .identityResolving: return ("IdentityResolvingKey", [value])
    case .signature: return ("RemoteSignatureKey", [value, "Counter=0", "Authenticated=false"])
    case .link: return ("LinkKey", [value])
    default: return nil
    }
  }

  /// The keys in the form for the toolbar of the nRF Sniffer in Wireshark, one per line with its kind. Returns the text, and the number of keys left
  /// out.
  public static func toolbar(_ ring: KeyRing) -> (text: String, leftOut: Int) {
    let lines = ring.keys.compactMap { known -> String? in
      guard let text = known.key.labelledText else { return nil }
      return text + (known.key.address.map { "  # of \($0)" } ?? "") + "\n"
    }
    return (lines.joined(), ring.keys.count + ring.named.count - lines.count)
  }
}
