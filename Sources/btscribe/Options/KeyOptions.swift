import ArgumentParser
import Captures
import Conversations
import KaitaiStruct
import Keys
import Profiles
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keys of encrypted connections.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A key for packets that were encrypted on the air: ltk=HEX, irk=HEX, tk=HEX, passkey=123456, private=HEX, code=TEXT of a broadcast; or of a device's protocol: "
        + "PROFILE.NAME=HEX. Append @ADDRESS if it belongs to one device. May be given again.", valueName: "key"))
  var key: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keys from a file: a list of keys, a host's capture, BlueZ's info file of a device, Android's bt_config.conf, macOS's com.apple.bluetoothd.plist, "
        + "an export of the Windows registry.", valueName: "file"),
    completion: .file())
  var keys: [String] = []

  @Flag(help: "Decrypt connections whose LE legacy pairing is in the capture, by trying all passkeys. For captures of your own devices.")
  var crack = false

  /// Results of ``load()``, so that a capture of keys is read only once.
  private static let loaded = Mutex<[[String]: KeyRing]>([:])

  /// All keys that were given. Throws ``CommandError``.
  func load() throws -> KeyRing {
    let arguments = key + [""] + keys + [crack ? "--crack" : ""]
    if let ring = Self.loaded.withLock({ $0[arguments] }) { return ring }
    var ring = KeyRing()
    for text in key {
      do throws(KeyError) {
        if NamedKey.isNamed(text) {
          ring.add(try NamedKey(text: text))
          continue
        }
        ring.add(KnownKey(try Key(text: text), origin: "--key", mayBeReversed: true))
      } catch {
        throw CommandError(CommandError.Status.usage, "--key: \(CommandError.clean(error.description))")
      }
    }
    var leftOut = 0
    for path in keys { try read(path, &ring, &leftOut) }
    leftOut += ring.refused
    if leftOut > 0 {
      CommandError.printNotice("btscribe: more keys than \(KeyRing.maxCount): \(leftOut) of those that were given are not used\n")
    }
    let resolving = ring.identityKeys.count
    if resolving > ConversationTables.maximumGivenIdentityKeys {
      CommandError.printNotice(
        "btscribe: more identity resolving keys than \(ConversationTables.maximumGivenIdentityKeys): "
          + "\(resolving - ConversationTables.maximumGivenIdentityKeys) of those that were given resolve no address\n")
    }
    Self.loaded.withLock { $0[arguments] = ring }
    return ring
  }

  /// Returns `source` decrypted with the keys of `ring`.
  func decrypting(_ source: any PacketSource, _ ring: KeyRing, name: String) -> DecryptingSource {
    var ring = ring
    for key in KeyFile.keys(inName: name) { ring.add(key) }
    let decryptor = LinkLayerDecryptor(ring, cracks: crack)
    decryptor.file = name
    return DecryptingSource(source, decryptor)
  }

  /// Prints which of a capture's keys and connections were left out, to standard error, after it was read.
  static func printNotices(_ limits: [CaptureLimit], of name: String) {
    for limit in limits {
      CommandError.printNotice("btscribe: \(CommandError.clean(name)): \(limit.text)\n")
    }
  }

  private func read(_ path: String, _ ring: inout KeyRing, _ leftOut: inout Int) throws {
    let name = String(path.split(separator: "/").last ?? Substring(path))
    if let bytes = try Self.keyFile(path) {
      do throws(KeyError) {
        let read = try KeyFile.read(bytes, path: path)
        leftOut += read.refused
        ring.add(read)
      } catch {
        throw CommandError(CommandError.Status.malformed, "\(CommandError.clean(path)): \(CommandError.clean(error.description))")
      }
      return
    }
    try CommandError.catching {
      let source = decrypting(try CaptureFile.open(path), ring, name: name)
      ring = try Self.search(source, name)
    }
  }

  /// The keys that are exchanged in a capture, after those that its decryptor already has. Reports how many were left out.
  static func search(_ source: DecryptingSource, _ name: String) throws(CaptureError) -> KeyRing {
    var host = HostKeys(file: name)
    let batch = PacketBatch()
    while try source.read(batch) {
      for index in unsafe batch.records.indices {
        let record = unsafe batch.records[index]
        unsafe host.take(record, RawSpan(_unsafeBytes: batch.payload(record)))
      }
    }
    var ring = source.decryptor.ring
    let refused = ring.refused
    ring.add(host.ring)
    printNotices(source.decryptor.limits, of: name)
    let leftOut = ring.refused - refused + host.ring.refused
    if leftOut > 0 {
      CommandError.printNotice(
        "btscribe: \(CommandError.clean(name)): more keys than \(KeyRing.maxCount): \(leftOut) of the capture were not kept\n")
    }
    return ring
  }

  /// The profiles with the keys of their protocols from these options. Throws ``CommandError``.
  func opening(_ profiles: ProfileSet?) throws -> ProfileSet? { try profiles.map { try ProfileKeyOptions.opening($0, key, keys) } }

  /// Contents of key files, because a pipe can be read only once.
  private static let files = Mutex<[String: [UInt8]?]>([:])

  /// The bytes of a file of keys; nil where it is a capture, or cannot be read. Throws ``CommandError`` where it is too long.
  static func keyFile(_ path: String) throws(CommandError) -> [UInt8]? {
    if let known = files.withLock({ $0[path] }) { return known }
    let read = FileImports.read(path, limit: KeyFile.maximumSize, isNamed: true)
    if read == nil, errno == EFBIG, let start = FileImports.start(path, count: 4096), KeyFile.isKeyFile(start) {
      errno = EFBIG
      throw .unreadable(path)
    }
    let bytes = read.flatMap { KeyFile.isKeyFile($0) ? $0 : nil }
    files.withLock { $0[path] = .some(bytes) }
    return bytes
  }
}
