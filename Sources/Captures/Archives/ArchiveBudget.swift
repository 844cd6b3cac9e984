import Synchronization

/// Bounds on the work for an archive together with all nested archives: a few kilobytes can contain more archives than anybody could read.
final class ArchiveBudget: Sendable {
  static let maxEntries = 50_000
  static let maxArchives = 64
  static let maxBytes = 2 << 30
  /// Most bytes of the names of files that may be opened.
  static let maxNameBytes = 4 << 20
  /// Most compressed bytes of files that are read to determine the files' content.
  static let maxLooked = 256 << 20
  /// Most bytes that the joined pieces of a log unpack to: a multiple of the archive's size, plus a constant.
  static let joinedRatio = 400
  static let freeOfRatio = 256 << 20
  /// Most files that look like captures, or like a bug report with one in it, and contain none.
  static let maxTries = 16

  private struct Used {
    var entries = 0
    var archives = 0
    var names = 0
    var bytes = 0
    var looked = 0
    var joined = 0
    var tries = 0
    var excess: String?
  }
  private let used = Mutex(Used())

  /// The bound that was exceeded, as text; nil where there is none.
  var excess: String? { used.withLock { $0.excess } }

  /// Counts another file of an archive. Returns false where there were too many.
  func takeEntry() -> Bool { take(\.entries, 1, Self.maxEntries, "more than \(Self.maxEntries) files in the archive") }

  /// Counts the name of a file that may be opened. Returns false where the names have too many bytes.
  func takeName(_ name: [UInt8]) -> Bool {
    take(\.names, name.count, Self.maxNameBytes, "more than \(Self.maxNameBytes >> 20) MiB of names in the archive")
  }

  /// Counts another nested archive. Returns false where there were too many.
  func takeArchive() -> Bool { take(\.archives, 1, Self.maxArchives, "more than \(Self.maxArchives) archives in the archive") }

  /// Counts another file that was opened without success. Returns false where there were too many.
  func takeTry() -> Bool {
    take(\.tries, 1, Self.maxTries, "more than \(Self.maxTries) files in the archive that may hold a capture, and none does")
  }

  /// Counts bytes that are unpacked to be read at any offset. Returns false where there were too many.
  func takeBytes(_ count: Int) -> Bool {
    take(\.bytes, count, Self.maxBytes, "archives in the archive of more than \(Self.maxBytes >> 30) GiB")
  }

  /// Counts compressed bytes that were read to determine a file's content. Returns false where there were too many.
  func takeLooked(_ count: Int) -> Bool {
    take(\.looked, count, Self.maxLooked, "more than \(Self.maxLooked >> 20) MiB of the archive's files to look at")
  }

  /// Counts bytes that pieces of a log from an archive of `packed` bytes unpack to. Returns false where there were too many; then none are left.
  func takeJoined(_ count: Int, of packed: Int) -> Bool {
    let limit = Self.freeOfRatio + Self.joinedRatio * min(packed, 1 << 50)
    if take(\.joined, count, limit, "pieces that unpack to more than \(Self.joinedRatio) times the archive's size, as no log does") {
      return true
    }
    used.withLock { $0.joined = limit }
    return false
  }

  private func take(_ part: WritableKeyPath<Used, Int>, _ count: Int, _ limit: Int, _ what: String) -> Bool {
    used.withLock { used in
      guard used[keyPath: part] + count <= limit else {
        used.excess = used.excess ?? what
        return false
      }
      used[keyPath: part] += count
      return true
    }
  }
}
