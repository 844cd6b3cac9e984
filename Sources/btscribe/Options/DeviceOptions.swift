import ArgumentParser
import Profiles

/// A profile, and the properties of the device, which a command without a capture cannot find out itself.
struct DeviceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The profile, by name or file.", valueName: "name|file"), completion: .file(extensions: ["yaml"]))
  var profile: String

  @Option(help: ArgumentHelp("The device's name, where the profile asks for it.", valueName: "name"))
  var name: String?

  @Option(help: ArgumentHelp("The device's address, where the profile asks for it.", valueName: "address"))
  var address: String?

  @OptionGroup var keys: ProfileKeyOptions

  /// The set of profiles and the selected profile. Throws ``CommandError`` where there is none, or where it has a mistake.
  func load() throws -> (set: ProfileSet, profile: CompiledProfile) {
    let (set, number) = try Profiles.find(profile)
    return (try keys.opening(set), try CommandError.profiles { try set.profile(number) })
  }

  /// The given properties of the device.
  var facts: PeerFacts {
    var facts = PeerFacts()
    facts.name = name
    facts.address = address?.lowercased()
    return facts
  }
}
