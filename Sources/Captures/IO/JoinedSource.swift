import Synchronization

/// Several captures read as one, in order of the time of their first packets, with their packets numbered through.
final class JoinedSource: PacketSource {
  private var sources: [any PacketSource] = []
  /// The piece at hand; others ask for its interfaces while this one reads.
  private let piece = Atomic(0)
  private var (frameBase, lastFrame) = (0, 0)
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
  }

  private var index: Int {
    get { piece.load(ordering: .acquiring) }
    set { piece.store(newValue, ordering: .releasing) }
  }

  private var current: (any PacketSource)? { sources.indices.contains(index) ? sources[index] : nil }

  var format: CaptureFormat { sources.first?.format ?? .btsnoop }
  var title: String { "\(sources.first?.title ?? ""), \(sources.count) pieces" }
  var interfaces: [CaptureInterface] { sources[..<min(index + 1, sources.count)].flatMap(\.interfaces) }
  var limits: [CaptureLimit] { sources.flatMap(\.limits) }

  var progress: (read: Int, total: Int?) {
    let all = sources.map(\.progress)
    let totals = all.compactMap(\.total)
    return (all.reduce(0) { $0 + $1.read }, totals.count == all.count ? totals.reduce(0, +) : nil)
  }

  func addNotice(_ text: String) { notices.append(text) }

  func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
    while let source = current {
      if try source.read(batch) {
        let interfaceBase = UInt16(clamping: sources[..<index].reduce(0) { $0 + $1.interfaces.count })
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
      index += 1
    }
    batch.removeAll()
    return false
  }

  func rewind() throws(CaptureError) -> Bool {
    for source in sources {
      guard try source.rewind() else { return false }
    }
    (index, frameBase, lastFrame) = (0, 0, 0)
    damage = nil
    return true
  }
}
