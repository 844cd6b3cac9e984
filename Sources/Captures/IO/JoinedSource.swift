import Synchronization

/// A capture that is joined with others.
protocol JoinedPiece {
  /// Opens it from its start; nil where it is no capture. `again`: it was opened before, so that its use of the archives' budget is already counted.
  func open(again: Bool) throws(CaptureError) -> (any PacketSource)?
}

/// Several captures read as one, in order of the times of their first packets, with consecutive packet numbers. Only the current one is open.
final class JoinedSource: PacketSource {
  private var pieces: [(piece: any JoinedPiece, time: Int64)] = []
  private var index = 0
  private var current: (any PacketSource)?
  /// The interfaces of all pieces up to the current one; other threads read them while this one reads packets.
  private let known = Mutex<[CaptureInterface]>([])
  private var (frameBase, lastFrame) = (0, 0)
  /// Interfaces of the pieces before the current one, and their bytes.
  private var (interfaceBase, readBefore) = (0, 0)
  /// The limits of the pieces before the current one.
  private var limitsBefore: [CaptureLimit] = []
  private var metadataBefore: [CaptureMetadata] = []
  private static let maxLimits = 64
  /// Bytes of all pieces, if all sizes are known.
  private let total: Int?
  /// The damage of the first damaged piece, and the number of further ones.
  private var firstDamage: CaptureDamage?
  private var moreDamaged = 0
  var damage: CaptureDamage? {
    guard var damage = firstDamage, moreDamaged > 0 else { return firstDamage }
    damage.what += moreDamaged == 1 ? "; one more piece is damaged" : "; \(moreDamaged) more pieces are damaged"
    return damage
  }
  private(set) var notices: [String] = []
  let format: CaptureFormat
  private let firstTitle: String
  /// Most interfaces that are kept of all pieces; packets of others have a number without an entry. Names and descriptions of interfaces are kept up
  /// to ``maxNameBytes`` in all, and are empty beyond.
  private static let maxInterfaces = 16_384
  private var nameBytes = JoinedSource.maxNameBytes
  private static let maxNameBytes = 1 << 20

  /// Joins captures; inputs that are no captures are left out. Throws ``CaptureError`` where one cannot be read, or only once.
  init(_ pieces: [any JoinedPiece]) throws(CaptureError) {
    var bytes: Int? = 0
    var first: (time: Int64, format: CaptureFormat, title: String)?
    let batch = PacketBatch()
    for piece in pieces {
      guard let source = try piece.open(again: false) else { continue }
      let time = unsafe try source.read(batch) ? batch.records.first?.time ?? .max : .max
      guard try source.rewind() else { throw .unavailable(what: "pieces of a log can be joined only where they can be read twice") }
      self.pieces.append((piece, time))
      bytes = bytes.flatMap { sum in source.progress.total.map { sum &+ $0 } }
      if first.map({ time < $0.time }) ?? true { first = (time, source.format, source.title) }
    }
    self.pieces.sort { $0.time < $1.time }
    total = bytes
    (format, firstTitle) = (first?.format ?? .btsnoop, first?.title ?? "")
    try openCurrent()
    learn(current?.interfaces ?? [])
  }

  /// How many captures are joined.
  var count: Int { pieces.count }
  var title: String { "\(firstTitle), \(pieces.count) pieces" }
  var interfaces: [CaptureInterface] { known.withLock { $0 } }
  var limits: [CaptureLimit] { limitsBefore + (current?.limits ?? []) }
  var metadata: [CaptureMetadata] { metadataBefore.adding(current?.metadata ?? []) }

  var progress: (read: Int, total: Int?) { (readBefore + (current?.progress.read ?? 0), total) }

  func addNotice(_ text: String) { notices.append(text) }

  private func openCurrent() throws(CaptureError) { current = index < pieces.count ? try pieces[index].piece.open(again: true) : nil }

  func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
    while index < pieces.count {
      if let source = current {
        if try source.read(batch) {
          learn(source.interfaces)
          for record in 0..<batch.count {
            unsafe batch.store[record].frame &+= frameBase
            let number = unsafe min(interfaceBase + Int(batch.store[record].interface), Int(UInt16.max))
            unsafe batch.store[record].interface = UInt16(truncatingIfNeeded: number)
            lastFrame = unsafe batch.store[record].frame
          }
          return true
        }
        if let broken = source.damage {
          if firstDamage == nil {
            let what = "\(broken.what) (in piece \(index + 1))"
            firstDamage = CaptureDamage(frame: broken.frame + frameBase, offset: broken.offset, what: what)
          } else {
            moreDamaged += 1
          }
        }
        learn(source.interfaces)
        interfaceBase += source.interfaces.count
        readBefore += source.progress.read
        for limit in source.limits { add(limit) }
        metadataBefore = metadataBefore.adding(source.metadata)
      }
      frameBase = lastFrame
      index += 1
      try openCurrent()
    }
    batch.removeAll()
    return false
  }

  /// Adds a limit of a piece to those of earlier ones: equal ones are merged, and those beyond ``maxLimits`` are counted.
  private func add(_ limit: CaptureLimit) {
    let index =
      limitsBefore.firstIndex { $0.id == limit.id && $0.text == limit.text }
      ?? (limitsBefore.count < Self.maxLimits ? nil : limitsBefore.firstIndex { $0.id == limit.id } ?? limitsBefore.count - 1)
    if let index { limitsBefore[index].packets += limit.packets } else { limitsBefore.append(limit) }
  }

  /// Takes the new interfaces of the current piece.
  private func learn(_ interfaces: [CaptureInterface]) {
    known.withLock {
      var own = $0.count - interfaceBase
      while own >= 0, own < interfaces.count, $0.count < Self.maxInterfaces {
        var new = interfaces[own]
        nameBytes -= new.name.utf8.count + new.description.utf8.count
        if nameBytes < 0 { (new.name, new.description) = ("", "") }
        $0.append(new)
        own += 1
      }
    }
  }

  func rewind() throws(CaptureError) -> Bool {
    (index, frameBase, lastFrame) = (0, 0, 0)
    (interfaceBase, readBefore) = (0, 0)
    limitsBefore = []
    metadataBefore = []
    nameBytes = Self.maxNameBytes
    known.withLock { $0 = [] }
    try openCurrent()
    learn(current?.interfaces ?? [])
    (firstDamage, moreDamaged) = (nil, 0)
    return true
  }
}
