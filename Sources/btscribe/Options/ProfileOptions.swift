import ArgumentParser
import Profiles
import Output

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Options of all commands that use profiles.
struct ProfileOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("A profile to use for every device, by name or file; may be given again.", valueName: "name|file"),
    completion: .file(extensions: ["yaml"]))
  var profile: [String] = []

  @Flag(name: .long, help: "Use no profiles.")
  var noProfiles = false

  /// Reports a profile with a mistake, which is then left out.
  static let printNotice: @Sendable (ProfileError) -> Void = {
    CommandError.printNotice("btscribe: \(CommandError.clean($0.description))\n")
  }

  /// The profiles of this run; nil where none are wanted. Files in folders that have mistakes are reported and left out. Throws ``CommandError``.
  func load() throws -> ProfileSet? {
    guard !noProfiles else { return nil }
    return try CommandError.profiles {
      let set = try ProfileSet.standard(given: profile, onError: Self.printNotice) { used in
        CommandError.printNotice(
          "btscribe: using profile \(CommandError.clean(used.id)) of this folder: \(CommandError.clean(used.file))\n")
      }
      // A profile that was selected by name must not be left out silently.
      for given in set.summaries where given.origin == .given { _ = try set.profile(given.number) }
      // The set lives until the program ends: releasing its parts one by one takes longer than leaving them to the system.
      _ = unsafe Unmanaged.passRetained(set)
      return set
    }
  }
}

extension CommandError {
  /// Runs `body`, and converts a mistake in a profile to a ``CommandError``.
  static func profiles<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as ProfileError {
      var status = stat()
      let isThere = unsafe stat(error.file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      let isReadable = unsafe access(error.file, R_OK) == 0
      if error.line > 0 || isThere && isReadable {
        throw CommandError(Status.malformed, clean(error.description), see: .profiles)
      }
      let isForbidden = unsafe access(error.file, R_OK) != 0 && errno == EACCES
      throw CommandError(isForbidden ? Status.forbidden : Status.noInput, clean(error.description))
    }
  }
}
