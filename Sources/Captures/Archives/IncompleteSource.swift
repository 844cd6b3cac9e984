/// A capture out of an archive of which something was left out, or that is damaged: read as it is, and damaged at its end.
final class IncompleteSource: PacketSource {
  private let source: any PacketSource
  private let leftOut: String?
  private let fault: String
  private var lastFrame = 0
  private var isAtEnd = false

  /// What was left out is said in any case; `fault` is what is wrong with an archive, which may be why the capture is damaged. Nil where there is
  /// neither.
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
  var notices: [String] { source.notices }
  func addNotice(_ text: String) { source.addNotice(text) }

  var damage: CaptureDamage? {
    guard var damage = source.damage else {
      return isAtEnd ? CaptureDamage(frame: lastFrame + 1, offset: source.progress.read, what: fault) : nil
    }
    // What was not looked at in an archive is a fault of its files too.
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
