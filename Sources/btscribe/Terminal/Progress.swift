import Captures
import Synchronization
import Analysis

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A progress line on the terminal for long work: bytes read, packets, time left. It is removed when the work is done, and before anything else is
/// written.
final class Progress: Sendable {
  private struct State {
    var begun = Progress.now
    var shown: Int64 = 0
    /// Set by ``end()``: no line is shown any more.
    var isOver = false
  }
  private let name: String
  private let state = Mutex(State())

  /// Whether a line is on the terminal; read by the signal handler.
  nonisolated(unsafe) private static var isShown: sig_atomic_t = 0
  /// No line is shown for work that takes less time, in µs.
  private static let delay: Int64 = 400_000
  /// µs between two lines.
  private static let pace: Int64 = 100_000
  /// Share of the time that the first of two passes takes.
  private static let surveyShare = 0.3

  /// Makes a line for work on a capture of this name; nil where standard error is no terminal.
  init?(_ name: String) {
    guard isatty(2) == 1 else { return nil }
    self.name = CommandError.clean(name)
  }

  /// Runs `body` and shows the progress of `timeline`, where `isWanted`.
  static func during<Result>(
    _ timeline: Timeline, _ name: String, isWanted: Bool = true, _ body: () throws -> Result
  ) rethrows -> Result {
    guard isWanted, let progress = Progress(name) else { return try body() }
    timeline.progress = { progress.update($0) }
    defer { progress.end() }
    return try body()
  }

  /// Removes the line from the terminal. Async-signal-safe.
  static func wipe() {
    guard unsafe isShown != 0 else { return }
    unsafe isShown = 0
    let wipe: StaticString = "\r\u{1B}[K"
    _ = unsafe write(2, wipe.utf8Start, wipe.utf8CodeUnitCount)
  }

  /// Removes the line and shows nothing any more.
  func end() {
    state.withLock {
      $0.isOver = true
      Progress.wipe()
    }
  }

  /// Shows the progress of a run.
  func update(_ step: Timeline.Step) { show { parts(step, elapsed: $0) } }

  /// Shows how many of several captures are finished.
  func update(_ completed: Int, of total: Int) {
    show { elapsed in
      let part = Double(completed) / Double(max(total, 1))
      return ["\(Int(part * 100)) %", "\(InputOptions.grouped(completed)) done", Self.left(part, elapsed)].compactMap(\.self)
    }
  }

  /// Shows the texts that `parts` returns for the elapsed µs, at most ten times a second.
  private func show(_ parts: (Int64) -> [String]) {
    state.withLock { state in
      let now = Progress.now
      guard !state.isOver, now - state.begun >= Progress.delay, now - state.shown >= Progress.pace else { return }
      state.shown = now
      let line = fitted(parts(now - state.begun))
      unsafe Progress.isShown = 1
      CommandError.put("\r\u{1B}[K\(line)")
    }
  }

  /// The remaining time after a part of the work has taken so many µs; nil where it is too early for an estimate.
  private static func left(_ part: Double, _ elapsed: Int64) -> String? {
    part > 0.02 ? "\(time(Double(elapsed) * (1 - part) / part / 1e6)) left" : nil
  }

  private func parts(_ step: Timeline.Step, elapsed: Int64) -> [String] {
    var parts: [String] = []
    if let total = step.total, total > 0 {
      let part = min(1, Double(step.read) / Double(total))
      let fraction =
        switch step.pass {
        case .only: part
        case .survey: part * Progress.surveyShare
        case .rows: Progress.surveyShare + part * (1 - Progress.surveyShare)
        }
      parts.append("\(Int(fraction * 100)) %")
      parts.append("\(Progress.megabytes(step.read)) of \(Progress.megabytes(total)) MB")
      parts.append("\(InputOptions.grouped(step.packets)) packets")
      if let left = Self.left(fraction, elapsed) { parts.append(left) }
    } else {
      parts.append("\(Progress.megabytes(step.read)) MB")
      parts.append("\(InputOptions.grouped(step.packets)) packets")
      parts.append(Progress.time(Double(elapsed) / 1e6))
    }
    return parts
  }

  /// The name and figures, as one line of the terminal.
  private func fitted(_ parts: [String]) -> String {
    let figures = parts.joined(separator: "  ")
    var size = winsize()
    let width = unsafe ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    let room = width - 3 - figures.count
    let shown = name.count > room ? (room > 8 ? "\(name.prefix(room - 1))…" : "") : name
    return String((shown.isEmpty ? figures : "\(shown)  \(figures)").prefix(width - 1))
  }

  private static func megabytes(_ bytes: Int) -> String {
    let tenths = bytes / 100_000
    return tenths >= 1000 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
  }

  private static func time(_ seconds: Double) -> String {
    let whole = Int(min(seconds.rounded(.up), 1e9))
    return whole < 120 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
  }

  /// µs of a monotonic clock.
  private static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
