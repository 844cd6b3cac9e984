import ArgumentParser
import Captures
import KaitaiStruct
import Keys
import Profiles
import Synchronization

/// Keys of encrypted connections.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A key of what was encrypted on the air: ltk=HEX, irk=HEX, tk=HEX, passkey=123456, private=HEX, code=TEXT of a broadcast; or of what a device's protocol encrypts: "
        + "PROFILE.NAME=HEX. With @ADDRESS behind it where it is one device's; again and again.", valueName: "key"))
  var key: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keys from a file: a list of them, a host's capture, BlueZ's info of a device, Android's bt_config.conf.", valueName: "file"),
    completion: .file())
  var keys: [String] = []

  @Flag(help: "Open connections whose LE legacy pairing is in the capture, by trying all passkeys. For captures of your own devices.")
  var crack = false

  /// All keys that were given. Throws ``CommandError``.
  func load() throws -> KeyRing {
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
    for path in keys { try read(path, &ring) }
    return ring
  }

  /// Hands on `source` decrypted, with the keys of `ring`.
  func decrypting(_ source: any PacketSource, _ ring: KeyRing, name: String) -> DecryptingSource {
    let decryptor = LinkLayerDecryptor(ring, cracks: crack)
    decryptor.file = name
    return DecryptingSource(source, decryptor)
  }

  private func read(_ path: String, _ ring: inout KeyRing) throws {
    let name = String(path.split(separator: "/").last ?? Substring(path))
    if let text = Self.text(path) {
      do throws(KeyError) {
        ring.add(try KeyFile.read(text, path: path))
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

  /// The keys that travel in a capture, behind those that its decryptor has from before.
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
    ring.add(host.ring)
    return ring
  }

  /// The profiles with the keys of their own that are among these. Throws ``CommandError``.
  func opening(_ profiles: ProfileSet?) throws -> ProfileSet? { try profiles.map { try ProfileKeyOptions.opening($0, key, keys) } }

  /// Texts that were read: a pipe can be read only once.
  private static let texts = Mutex<[String: String?]>([:])

  /// The text of a file that is no capture; nil where it is one, or cannot be read.
  static func text(_ path: String) -> String? {
    if let known = texts.withLock({ $0[path] }) { return known }
    let text = read(path)
    texts.withLock { $0[path] = .some(text) }
    return text
  }

  private static func read(_ path: String) -> String? {
    guard let bytes = FileImports.read(path, limit: KeyFile.maximumSize, isNamed: true), !bytes.contains(0) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self), !text.contains("BEGIN:BTSNOOP_LOG_SUMMARY") else { return nil }
    return text
  }
}
