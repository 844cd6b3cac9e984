import Bluetooth
import Conversations
import Keys
import Profiles
import Analysis

/// BlueZ's files about known devices, under /var/lib/bluetooth/ADAPTER: `cache/PEER` with name and attributes, `PEER/info` with the address type,
/// `PEER/attributes` of older versions. They are read with the privileges at the start, and parsed without privileges.
struct BlueZStorage {
  /// A file's path and text.
  private var files: [(path: String, text: String)] = []
  private static let limits = (files: 4096, bytes: 16 << 20)

  /// Reads all files; files that cannot be read are left out.
  static func read(_ root: String = "/var/lib/bluetooth") -> BlueZStorage {
    var storage = BlueZStorage()
    var bytes = 0
    func take(_ path: String) {
      guard storage.files.count < limits.files, bytes < limits.bytes, let text = ProfileSet.read(path) else { return }
      bytes += text.utf8.count
      storage.files.append((path, text))
    }
    for adapter in names(root) where isAddress(adapter) {
      for peer in names("\(root)/\(adapter)/cache") where isAddress(peer) { take("\(root)/\(adapter)/cache/\(peer)") }
      for peer in names("\(root)/\(adapter)") where isAddress(peer) {
        take("\(root)/\(adapter)/\(peer)/info")
        take("\(root)/\(adapter)/\(peer)/attributes")
      }
    }
    return storage
  }

  /// The attribute tables in the files, joined for each device.
  var map: GATTCache {
    var map = GATTCache()
    for file in files {
      // A file that is not in BlueZ's format is ignored.
      guard let found = try? GATTCache.device(bluez: file.text, path: file.path), found.address != nil else { continue }
      if let known = map.devices.firstIndex(where: { $0.address == found.address }) {
        map.devices[known].isRandom = map.devices[known].isRandom ?? found.isRandom
        if map.devices[known].name.isEmpty { map.devices[known].name = found.name }
        if map.devices[known].entries.isEmpty { map.devices[known].entries = found.entries }
      } else {
        map.devices.append(found)
      }
    }
    return map
  }

  /// The identity resolving keys in the files.
  var identityKeys: [(key: IdentityResolvingKey, identity: DeviceAddress?)] {
    files.filter { $0.path.hasSuffix("/info") }.flatMap { (try? KeyFile.read($0.text, path: $0.path))?.identityKeys ?? [] }
  }

  private static func isAddress(_ name: String) -> Bool {
    name.utf8.count == 17
      && name.utf8.enumerated().allSatisfy {
        $0.offset % 3 == 2 ? $0.element == 0x3A : Unicode.Scalar($0.element).properties.isASCIIHexDigit
      }
  }

  private static func names(_ folder: String) -> [String] { Folder.names(folder, atMost: limits.files) }
}
