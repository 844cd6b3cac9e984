import Analysis
import Captures
import Profiles

extension Timeline.Options {
  /// The same options for a run to a ``StepRecorder``: a step is made when its operation has ended, so rows need not wait for responses.
  public var forComparison: Timeline.Options {
    var options = self
    options.awaitsResponses = false
    return options
  }
}

extension Recording {
  /// Reads a capture from a file; packets before a damage are recorded. With `profiles`, messages are compared by their fields instead of by bytes.
  /// Throws ``CaptureError`` where it is no capture.
  public static func read(_ path: String, profiles: ProfileSet? = nil) throws -> Recording {
    let source = try CaptureFile.open(path)
    var options = Timeline.Options()
    options.profiles = profiles
    let recorder = StepRecorder()
    let name = String(path.split(separator: "/").last ?? "")
    _ = try Timeline(source, options: options.forComparison).run(CaptureFacts(name: name, title: source.title), to: recorder)
    return recorder.recording
  }
}
