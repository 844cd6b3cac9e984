/// What the reading of one capture may take, in steps and in memory: by one profile that is built in, or by all others that come from one place, as a
/// folder may have hundreds of them. See ``ProfileBounds``.
final class StepBudget {
  /// Steps that are left; negative where more were taken than there may be: its profiles read nothing any more.
  private(set) var left = ProfileBounds.steps
  /// Layers whose headers are remembered.
  private(set) var headerCaches = 0
  /// Bytes of the state of all devices.
  private(set) var stateBytes = 0

  @inline(__always) var isExhausted: Bool { left < 0 }

  /// Adds the steps that a value brings.
  @inline(__always)
  func grant(_ count: Int) { left &+= ProfileBounds.stepsOfValue &+ count &* ProfileBounds.stepsOfByte }

  @inline(__always)
  func spend(_ count: Int) { left &-= count }

  /// It was told that none are left: what comes brings no more.
  func close() { left = .min / 2 }

  /// Whether the headers of one more layer may be remembered.
  func addHeaderCache() -> Bool {
    guard headerCaches < ProfileBounds.maxHeaderCaches else { return false }
    headerCaches += 1
    return true
  }

  /// Adds bytes to the state, or takes them off it. Returns false, and adds none, where there would be too many.
  func addState(_ count: Int) -> Bool {
    guard count <= 0 || stateBytes + count <= ProfileBounds.maxStateBytesOfAll else { return false }
    stateBytes += count
    return true
  }
}
