import Captures
import Profiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Waits until the text of a file changes: written in place, or replaced by a file of the same name, as many editors do.
///
/// It polls the file several times a second, which works on every system and file system.
struct FileWatch {
  /// File status that shows that a file was written, without reading it.
  private struct Stamp: Equatable {
    var device: UInt64, number: UInt64, size: Int64
    var modified: Int64, changed: Int64

    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
      size = Int64(status.st_size)
      #if canImport(Darwin)
        let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
      #else
        let (modified, changed) = (status.st_mtim, status.st_ctim)
      #endif
      self.modified = Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec)
      self.changed = Int64(changed.tv_sec) &* 1_000_000_000 &+ Int64(changed.tv_nsec)
    }

    /// The file was written so recently that another write can leave the same stamp.
    var isRecent: Bool { abs(LiveStop.date() &* 1000 &- changed) < 3_000_000_000 }
  }

  let path: String
  private var stamp: Stamp?
  /// The text at the last return; nil before the first, and where the file could not be read.
  private(set) var text: String?
  private var isFirst = true
  /// The file was written between the last two polls: an editor that writes in place may not have finished.
  private var isOpen = false
  /// Number of consecutive polls without a readable file.
  private var misses = 0

  init(_ path: String) { self.path = path }

  /// Milliseconds between two polls.
  private static let pause: Int32 = 100
  /// Polls without a file until it counts as removed: editors that replace a file can remove it for a moment.
  private static let maxMisses = 10

  /// Waits for another text, or until the file has been missing for a second, and returns true; false where `isOver` ends the wait. The first call
  /// returns immediately.
  mutating func next(until isOver: () -> Bool) -> Bool {
    while !isOver() {
      if isFirst {
        isFirst = false
        stamp = Stamp(path)
        text = ProfileSet.read(path, isNamed: true)
        return true
      }
      let now = Stamp(path)
      let wasWritten = now != stamp
      stamp = now
      if wasWritten || isOpen || now == nil || now?.isRecent == true {
        let found = now == nil ? nil : ProfileSet.read(path, isNamed: true)
        misses = found == nil ? misses + 1 : 0
        isOpen = wasWritten
        if !wasWritten, found != text, found != nil || misses >= Self.maxMisses {
          text = found
          return true
        }
      }
      _ = poll(nil, 0, Self.pause)
    }
    return false
  }
}
