import Captures

/// A capture whose Link Layer packets are decrypted while they are read: readers get their plaintext, with ``RadioInfo/Flag/decrypted`` set. Other
/// packets are unchanged.
public final class DecryptingSource: PacketSource {
  /// The decryptor, with the keys and sessions of the packets read.
  public let decryptor: LinkLayerDecryptor
  private let source: any PacketSource
  /// Keys that become known meanwhile, and the version of those that the decryptor has.
  private let shared: SharedKeys?
  private var version = 0
  /// Starts of encryption for which a key was awaited.
  private var waited: Set<Int> = []

  /// Reads `source` through `decryptor`. If a key is missing and `shared` is given, waits for the key once for each start of encryption, for a
  /// limited time.
  public init(_ source: any PacketSource, _ decryptor: LinkLayerDecryptor, shared: SharedKeys? = nil) {
    self.source = source
    self.decryptor = decryptor
    self.shared = shared
  }

  /// The interfaces of the source.
  public var interfaces: [CaptureInterface] { source.interfaces }
  /// The title of the source.
  public var title: String { source.title }
  /// The progress of the source.
  public var progress: (read: Int, total: Int?) { source.progress }
  /// The format of the source.
  public var format: CaptureFormat { source.format }
  /// The limits of the source, and those of decryption: keys that were not tried, or not kept.
  public var limits: [CaptureLimit] { source.limits + decryptor.limits }
  /// The damage of the source.
  public var damage: CaptureDamage? { source.damage }
  /// The notices of the source.
  public var notices: [String] { source.notices }
  /// Adds to the notices of the source.
  public func addNotice(_ text: String) { source.addNotice(text) }

  /// Fills `batch` with the next packets, decrypted.
  public func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
    guard try source.read(batch) else { return false }
    if let shared { take(shared.keys(after: &version)) }
    for index in unsafe batch.records.indices where unsafe batch.records[index].kind == .linkLayer {
      var record = unsafe batch.records[index]
      var outcome = unsafe decryptor.take(&record, RawSpan(_unsafeBytes: batch.payload(record)))
      if outcome == .encrypted, let shared, let session = decryptor.closedSession, waited.insert(session).inserted {
        while outcome == .encrypted, let keys = shared.wait(after: &version) {
          take(keys)
          outcome = unsafe decryptor.take(&record, RawSpan(_unsafeBytes: batch.payload(record)))
        }
      }
      guard outcome == .decrypted else { continue }
      let packet = decryptor.packet
      unsafe batch.setDecrypted(index, record, packet.span.bytes, interfaces: source.interfaces)
    }
    return true
  }

  private func take(_ keys: KeyRing?) {
    if let keys { decryptor.add(keys) }
  }

  /// Goes back to the start, where the source can.
  public func rewind() throws(CaptureError) -> Bool {
    guard try source.rewind() else { return false }
    decryptor.rewind()
    (version, waited) = (0, [])
    return true
  }
}
