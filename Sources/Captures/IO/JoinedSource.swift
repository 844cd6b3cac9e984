import Synchronization

/// Several captures read as one, in order of the time of their first packets, with their packets numbered through.
final class JoinedSource: PacketSource {
  private var sources: [any PacketSource] = []
  private var index = 0
  /// The interfaces of all pieces up to the one at hand; other threads ask for them while this one reads.
  private let known = Mutex<[CaptureInterface]>([])
  private var (frameBase, lastFrame) = (0, 0)
  /// Interfaces of the pieces before the one at hand, and their bytes.
  private var (interfaceBase, readBefore) = (0, 0)
  /// Bytes of all pieces, where all know theirs.
  private let total: Int?
  private(set) var damage: CaptureDamage?
  private(set) var notices: [String] = []

  init(_ sources: [any PacketSource]) throws(CaptureError) {
    var timed: [(time: Int64, source: any PacketSource)] = []
    let batch = PacketBatch()
    for source in sources {
      let time = unsafe try source.read(batch) ? batch.records.first?.time ?? .max : .max
      guard try source.rewind() else { throw .unavailable(what: "pieces of a log can be joined only where they can be read twice") }
      timed.append((time, source))
    }
    self.sources = timed.sorted { $0.time < $1.time }.map(\.source)
    let totals = sources.compactMap(\.progress.total)
    total = totals.count == sources.count ? totals.reduce(0, +) : nil
    learn(current?.interfaces ?? [])
  }

  private var current: (any PacketSource)? { sources.indices.contains(index) ? sources[index] : nil }

  var format: CaptureFormat { sources.first?.format ?? .btsnoop }
  var title: String { "\(sources.first?.title ?? ""), \(sources.count) pieces" }
  var interfaces: [CaptureInterface] { known.withLock { $0 } }
  var limits: [CaptureLimit] { sources.flatMap(\.limits) }

  var progress: (read: Int, total: Int?) { (readBefore + (current?.progress.read ?? 0), total) }

  func addNotice(_ text: String) { notices.append(text) }

  func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
    while let source = current {
      if try source.read(batch) {
        learn(source.interfaces)
        let interfaceBase = UInt16(clamping: interfaceBase)
        for record in 0..<batch.count {
          unsafe batch.store[record].frame &+= frameBase
          unsafe batch.store[record].interface &+= interfaceBase
          lastFrame = unsafe batch.store[record].frame
        }
        return true
      }
      if let broken = source.damage, damage == nil {
        damage = CaptureDamage(frame: broken.frame + frameBase, offset: broken.offset, what: "\(broken.what) (in piece \(index + 1))")
      }
      frameBase = lastFrame
      learn(source.interfaces)
      interfaceBase += source.interfaces.count
      readBefore += source.progress.read
      index += 1
    }
    batch.removeAll()
    return false
  }

  /// Takes the interfaces of the piece at hand that are new.
  private func learn(_ interfaces: [CaptureInterface]) {
    known.withLock {
      let own = $0.count - interfaceBase
      if interfaces.count > own { $0 += interfaces[own...] }
    }
  }

  func rewind() throws(CaptureError) -> Bool {
    for source in sources {
      guard try source.rewind() else { return false }
    }
    (index, frameBase, lastFrame) = (0, 0, 0)
    (interfaceBase, readBefore) = (0, 0)
    known.withLock { $0 = [] }
    learn(current?.interfaces ?? [])
    damage = nil
    return true
  }
}
