import Analysis
import BothSides
import Captures
import Keys
import Synchronization
import Threads

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads sniffers, each on a thread of its own, while the host's capture is printed.
final class SnifferReaders: @unchecked Sendable {
  /// Compares them with the host's capture; used by the thread that prints it.
  let side: LiveAirSide
  /// The sink of each sniffer, used on its own thread.
  private let sniffers: [LiveAirSide.Sniffer]
  private let paths: [String]
  private let keys: KeyOptions
  private let ring: KeyRing
  private let shared: SharedKeys
  /// Stops the host's capture, and those of the sniffers.
  private let host: LiveStop
  private let stops: [LiveStop]
  /// The error of a sniffer that cannot be read.
  private let failure = Mutex<CommandError?>(nil)
  /// The end of the host's capture in µs of the monotonic clock.
  private let ended = Mutex<Int64?>(nil)

  /// How long to wait for sniffers after the host's capture has ended by itself, and after the user has stopped it; µs.
  private static let timeout: (ended: Int64, stopped: Int64) = (10_000_000, 1_000_000)

  /// Reads `paths` from ``start()`` on. `host` ends the host's capture, where one of them cannot be read. Throws ``CommandError``.
  init(_ paths: [String], _ keys: KeyOptions, host: LiveStop) throws {
    try AirOptions.check(paths)
    self.paths = paths
    self.keys = keys
    self.host = host
    ring = try keys.load()
    shared = SharedKeys(ring)
    stops = paths.map { _ in LiveStop() }
    side = LiveAirSide(paths.map { String($0.split(separator: "/").last ?? Substring($0)) })
    sniffers = side.sniffers
  }

  /// Starts to read.
  func start() {
    for number in paths.indices where Worker({ self.read(number) }) == nil { sniffers[number].finish() }
  }

  /// Requests the end.
  func stop() {
    shared.finish()
    for stop in stops { stop.call() }
  }

  /// Throws ``CommandError`` if a sniffer could not be read.
  func end() throws {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// The host's capture; keys in it are found while it is read.
  func finding(_ source: any PacketSource, name: String) -> any PacketSource { KeyFindingSource(source, shared, name: name) }

  /// Waits a moment for the sniffers' last packets. Returns false where the time for waiting is over.
  func waits() -> Bool {
    let now = LiveStop.now()
    let since = ended.withLock {
      $0 = $0 ?? now
      return now - ($0 ?? now)
    }
    guard since < (host.isWanted ? Self.timeout.stopped : Self.timeout.ended) else { return false }
    usleep(5_000)
    return true
  }

  private func read(_ number: Int) {
    let sniffer = sniffers[number]
    defer { sniffer.finish() }
    do {
      try CommandError.catching {
        guard let origin = try LiveCommand.open(paths[number], stops[number]) else { return }
        var live = LiveSource.Options()
        live.stop = stops[number]
        live.waits = LiveCommand.isFile(paths[number])
        let source = LiveSource(origin, live)
        defer { source.stop() }
        let decryptor = LinkLayerDecryptor(ring, cracks: keys.crack)
        decryptor.file = sniffer.name
        var options = Timeline.Options()
        options.isLive = true
        options.includesFragments = true
        let outcome = try Timeline(DecryptingSource(source, decryptor, shared: shared), options: options)
          .run(CaptureFacts(name: sniffer.name, title: ""), to: sniffer)
        KeyOptions.printNotices(decryptor.limits, of: sniffer.name)
        // The packets before the damage are compared with the host's capture.
        if let damage = outcome.damage { throw CommandError(damage, of: sniffer.name, packets: outcome.packets) }
      }
    } catch let error as CommandError {
      failure.withLock { $0 = $0 ?? error }
      if error.status != CommandError.Status.malformed { host.call() }
    } catch {
      failure.withLock { $0 = $0 ?? CommandError(CommandError.Status.software, "\(error)") }
    }
  }
}

/// A host's capture that shares its keys with the sniffers while it is read.
private final class KeyFindingSource: PacketSource {
  private let source: any PacketSource
  private let shared: SharedKeys
  private var found: HostKeys
  private var count = 0

  init(_ source: any PacketSource, _ shared: SharedKeys, name: String) {
    self.source = source
    self.shared = shared
    found = HostKeys(file: name)
  }

  var interfaces: [CaptureInterface] { source.interfaces }
  var title: String { source.title }
  var progress: (read: Int, total: Int?) { source.progress }
  var format: CaptureFormat { source.format }
  var limits: [CaptureLimit] { source.limits }
  var damage: CaptureDamage? { source.damage }

  func read(_ batch: PacketBatch) throws(CaptureError) -> Bool {
    guard try source.read(batch) else {
      shared.finish()
      return false
    }
    for index in unsafe batch.records.indices {
      let record = unsafe batch.records[index]
      unsafe found.take(record, RawSpan(_unsafeBytes: batch.payload(record)))
    }
    if found.ring.keys.count != count {
      count = found.ring.keys.count
      shared.add(found.ring)
    }
    return true
  }

  func rewind() -> Bool { false }
}
