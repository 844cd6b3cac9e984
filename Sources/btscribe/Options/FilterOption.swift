import ArgumentParser
import Profiles
import Analysis

/// `-Y`: the display filter.
struct FilterOption: ParsableArguments {
  @Option(
    name: .customShort("Y"), parsing: .unconditional,
    help: ArgumentHelp("Only packets that pass a display filter, in Wireshark's language: man btscribe-filter.", valueName: "filter"))
  var filter: String?

  /// The filter, or nil where none was given. Throws ``CommandError``.
  func compile(_ profiles: ProfileSet? = nil) throws -> Filter? {
    guard let filter else { return nil }
    do {
      return try Filter(filter, profiles: profiles)
    } catch {
      throw CommandError(CommandError.Status.usage, CommandError.clean(error.message), see: .filters)
    }
  }

  /// Prints how many packets the filter could not judge.
  static func printNotices(_ outcome: Outcome, of name: String) {
    guard outcome.unjudged > 0 else { return }
    let packets = outcome.unjudged == 1 ? "1 packet was" : "\(InputOptions.grouped(outcome.unjudged)) packets were"
    CommandError.printNotice(
      "btscribe: \(CommandError.clean(name)): \(packets) cut by the capture before what -Y asks for, and did not pass\n")
  }
}
