/// A capture from an archive from which something was left out, or that is damaged: it is read unchanged, and damage is reported at its end.
final class IncompleteSource: PacketSource {
  private let source: any PacketSource
  private let leftOut: String?
  private let fault: String
  private var lastFrame = 0
  private var isAtEnd = false

  /// `leftOut` is reported in any case; `fault` is an error of an archive, which may be the cause of damage. Nil where there is neither.
  init?(_ source: any PacketSource, leftOut: String?, fault: String?) {
    guard let what = leftOut ?? fault else { return nil }
    self.source = source
    self.leftOut = leftOut
    self.fault = what
  }

  var interfaces: [CaptureInterface] { source.interfaces }
  var title: String { source.title }
  var progress: (read: Int, total: Int?) { source.progress }
  var format: CaptureFormat { source.format }
  var limits: [CaptureLimit] { source.limits }
  var metadata: [CaptureMetadata] { source.metadata }
  var notices: [String] { source.notices }
  func addNotice(_ text: String) { source.addNotice(text) }

  var damage: CaptureDamage? {
    guard var damage = source.damage else {
      return isAtEnd ? CaptureDamage(frame: lastFrame + 1, offset: source.progress.read, what: fault) : nil
    }
    // The parts of an archive that were left out are reported with the damage.
    if let leftOut, !damage.what.contains(leftOut) { damage.what += "; \(leftOut)" }
    return damage
  }

  func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
    guard try source.read(batch) else {
      isAtEnd = true
      return false
    }
    if let last = unsafe batch.records.last { lastFrame = last.frame }
    return true
  }

  func rewind() throws(CaptureError) -> Bool {
    guard try source.rewind() else { return false }
    (lastFrame, isAtEnd) = (0, false)
    return true
  }
}
