import ArgumentParser
import Keys
import Profiles

/// Keys of devices' own encryption.
struct ProfileKeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A key of the device's protocol: PROFILE.NAME=HEX. Append @ADDRESS if it belongs to one device. May be given again.",
      valueName: "key"))
  var key: [String] = []

  @Option(help: ArgumentHelp("Such keys from a file, one per line.", valueName: "file"), completion: .file())
  var keys: [String] = []

  /// The profiles with these keys. Throws ``CommandError``.
  func opening(_ profiles: ProfileSet) throws -> ProfileSet {
    if let other = key.first(where: { !NamedKey.isNamed($0) }) {
      let word = other.prefix { $0 != "=" }.prefix(20)
      throw CommandError(
        CommandError.Status.usage, "--key: '\(CommandError.clean(String(word)))' is not a key of a profile: write PROFILE.NAME=HEX")
    }
    return try Self.opening(profiles, key, keys)
  }

  /// The profiles with the keys of their protocols from `texts` and `files`. Throws ``CommandError``.
  static func opening(_ profiles: ProfileSet, _ texts: [String], _ files: [String]) throws -> ProfileSet {
    var opened = ProfileKeys()
    for text in texts where NamedKey.isNamed(text) {
      do throws(KeyError) {
        try add(try NamedKey(text: text), &opened, profiles)
      } catch {
        throw CommandError(CommandError.Status.usage, "--key: \(CommandError.clean(error.description))")
      }
    }
    for path in files {
      guard let bytes = try KeyOptions.keyFile(path) else { continue }
      do throws(KeyError) {
        for key in try KeyFile.read(bytes, path: path).named { try add(key, &opened, profiles) }
      } catch {
        throw CommandError(CommandError.Status.malformed, "\(CommandError.clean(path)): \(CommandError.clean(error.description))")
      }
    }
    return opened.isEmpty ? profiles : profiles.with(opened)
  }

  private static func add(_ key: NamedKey, _ opened: inout ProfileKeys, _ profiles: ProfileSet) throws(KeyError) {
    guard let number = profiles.number(key.profile) else {
      let hint = profiles.closest(key.profile).map { "; did you mean '\($0)'?" } ?? ""
      throw KeyError("no profile is named '\(key.profile)'" + hint)
    }
    // A mistake in the profile is reported when the profile is used.
    guard let profile = try? profiles.profile(number) else { return }
    guard let count = profile.keyNames.first(where: { $0.name == key.name })?.byteCount else {
      let names = profile.keyNames.map(\.name).joined(separator: ", ")
      throw KeyError("profile \(profile.id) has no key '\(key.name)'; " + (names.isEmpty ? "it needs none" : "it has \(names)"))
    }
    guard key.bytes.count == count else {
      throw KeyError(
        "\(profile.id).\(key.name)= takes \(count) octets (\(2 * count) hexadecimal digits), and \(key.bytes.count) were given")
    }
    guard opened.add(key.bytes, of: profile.id, key.name, address: key.address.map { $0.description }) else {
      throw KeyError(
        "more than \(ProfileKeys.maxWithoutAddress) keys \(profile.id).\(key.name) without a device: append @ADDRESS")
    }
  }
}
