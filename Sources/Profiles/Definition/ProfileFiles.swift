import KaitaiStruct

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

extension ProfileSet {
  /// The profiles of this program for this user and folder: built in, those of `$XDG_CONFIG_HOME/btscribe/profiles` (or
  /// `~/.config/btscribe/profiles`), `*.btscribe.yaml` of the current folder, and those of `given`, which are ids or files.
  ///
  /// A file of a folder that has a mistake is skipped, and `onError` is called; for a given file, the error is thrown as ``ProfileError``.
  /// `onFolderUse` is called with a profile of the current folder when it is used for the first time, on the thread that uses it.
  public static func standard(
    given: [String] = [], onError: (ProfileError) -> Void = { _ in }, onFolderUse: (@Sendable (Summary) -> Void)? = nil
  ) throws -> ProfileSet {
    var profiles = Collection()
    var folders: [(path: String, suffix: String, origin: Origin)] = []
    if let home = variable("XDG_CONFIG_HOME") ?? variable("HOME").map({ $0 + "/.config" }) {
      folders.append((home + "/btscribe/profiles", ".yaml", .user))
    }
    folders.append((".", ".btscribe.yaml", .folder))
    for (path, suffix, origin) in folders {
      var left = largestFolder
      for name in names(in: path) where name.hasSuffix(suffix) {
        let file = path == "." ? name : path + "/" + name
        guard let text = read(file) else {
          onError(unreadable(file))
          continue
        }
        // A library is no profile: others import its parts.
        if text.hasPrefix("library:") || text.contains("\nlibrary:") { continue }
        left -= text.utf8.count
        guard left >= 0 else {
          onError(ProfileError(file: file, line: 0, column: 0, message: "the profiles of a folder have at most \(largestFolder >> 20) MiB"))
          break
        }
        do {
          try profiles.add(text, file: file, origin)
        } catch let error as ProfileError { onError(error) }
      }
    }
    var byName: [String] = []
    for name in given {
      // A name without a dot or a slash is taken as the id of a profile.
      if !name.contains("/"), !name.contains(".") {
        byName.append(name)
        continue
      }
      guard let text = read(name, isNamed: true) else {
        throw unreadable(name)
      }
      try profiles.add(text, file: name, .given)
    }
    if !byName.isEmpty {
      let known = ProfileSet(profiles)
      for name in byName {
        guard let number = known.number(name) else {
          let hint = known.closest(name).map { "; did you mean \"\($0)\"?" } ?? "; see \"btscribe profiles list\""
          throw ProfileError(file: name, line: 0, column: 0, message: "no such profile" + hint)
        }
        try profiles.add(known.text(number), file: known.summaries.first { $0.number == number }?.file ?? name, .given)
      }
    }
    return ProfileSet(profiles, onFolderUse: onFolderUse)
  }

  /// Most bytes of the profiles of a folder.
  private static let largestFolder = 16 << 20

  /// Why ``read(_:)`` returned nil.
  private static func unreadable(_ file: String) -> ProfileError {
    let code = errno
    let reason =
      code == EILSEQ ? "not text in UTF-8" : code == FileImports.isNoFile ? "not a regular file" : unsafe String(cString: strerror(code))
    return ProfileError(file: file, line: 0, column: 0, message: reason)
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The files of a folder, by name.
  private static func names(in path: String) -> [String] {
    guard let folder = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The text of a file; nil where it cannot be read, is too large for a profile, is not UTF-8, or is a pipe or device and not named by the
  /// user (`isNamed`): `errno` says which.
  public static func read(_ path: String, isNamed: Bool = false) -> String? {
    guard let bytes = FileImports.read(path, limit: largestProfile, isNamed: isNamed) else { return nil }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    errno = EILSEQ
    return nil
  }
}
