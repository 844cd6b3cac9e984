import Captures

/// A capture whose Link Layer packets are decrypted as they are read: what reads it sees their plaintext, and
/// ``RadioInfo/Flag/decrypted`` on them. Other packets pass as they are.
public final class DecryptingSource: PacketSource {
  /// What decrypts, with the keys and sessions of what was read.
  public let decryptor: LinkLayerDecryptor
  private let source: any PacketSource

  /// Reads `source` through `decryptor`.
  public init(_ source: any PacketSource, _ decryptor: LinkLayerDecryptor) {
    self.source = source
    self.decryptor = decryptor
  }

  /// Those of the source.
  public var interfaces: [CaptureInterface] { source.interfaces }
  /// That of the source.
  public var title: String { source.title }
  /// That of the source.
  public var progress: (read: Int, total: Int?) { source.progress }
  /// That of the source.
  public var format: CaptureFormat { source.format }
  /// Those of the source.
  public var limits: [CaptureLimit] { source.limits }
  /// That of the source.
  public var damage: CaptureDamage? { source.damage }
  /// Those of the source.
  public var notices: [String] { source.notices }
  /// Adds to those of the source.
  public func addNotice(_ text: String) { source.addNotice(text) }

  /// Fills `batch` with the next packets, decrypted.
  public func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
    guard try source.read(batch) else { return false }
    for index in unsafe batch.records.indices where unsafe batch.records[index].kind == .linkLayer {
      var record = unsafe batch.records[index]
      let outcome = unsafe decryptor.take(&record, RawSpan(_unsafeBytes: batch.payload(record)))
      guard outcome == .decrypted else { continue }
      let packet = decryptor.packet
      unsafe batch.setDecrypted(index, record, packet.span.bytes, interfaces: source.interfaces)
    }
    return true
  }

  /// Goes back to the start, where the source can.
  public func rewind() throws(CaptureError) -> Bool {
    guard try source.rewind() else { return false }
    decryptor.rewind()
    return true
  }
}
