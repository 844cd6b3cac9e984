import Captures
import Threads

/// Keys that one thread finds in a host's capture while others read sniffers' captures of the same session.
public final class SharedKeys: @unchecked Sendable {
  /// Signalled where there are new keys, and at the end.
  private let condition = ThreadCondition()
  private var ring: KeyRing
  /// Incremented with each change of the keys.
  private var version = 1
  private var isEnded = false
  /// Longest total time to wait for keys, in ms.
  private let timeout: Int

  /// Starts with the keys of `ring`. `timeout` is the longest time to wait for a missing key in ms: a host has it before it encrypts, but its
  /// capture may be read later than that of a sniffer.
  public init(_ ring: KeyRing = KeyRing(), timeout: Int = 2000) {
    self.ring = ring
    self.timeout = timeout
  }

  /// Adds the keys of `other` that are new.
  public func add(_ other: KeyRing) {
    condition.locked {
      let count = ring.keys.count
      ring.add(other)
      guard ring.keys.count > count else { return }
      version += 1
      condition.signal()
    }
  }

  /// No more keys will come: ends all waiting.
  public func finish() {
    condition.locked {
      isEnded = true
      condition.signal()
    }
  }

  /// The keys, if they changed since the version `known`, which is updated; else nil.
  func keys(after known: inout Int) -> KeyRing? { condition.locked { news(after: &known) } }

  /// The same, but waits for a change; nil where there is none in time.
  func wait(after known: inout Int) -> KeyRing? {
    condition.locked {
      let deadline = ThreadCondition.deadline(in: timeout)
      while version == known, !isEnded {
        guard condition.wait(until: deadline) else { return nil }
      }
      return news(after: &known)
    }
  }

  private func news(after known: inout Int) -> KeyRing? {
    guard version != known else { return nil }
    known = version
    return ring
  }
}
