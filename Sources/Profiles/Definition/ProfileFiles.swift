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
  public static func standard(given: [String] = [], onError: (ProfileError) -> Void = { _ in }) throws -> ProfileSet {
    var texts: [(text: String, file: String, origin: Origin)] = []
    var folders: [(path: String, suffix: String, origin: Origin)] = []
    if let home = variable("XDG_CONFIG_HOME") ?? variable("HOME").map({ $0 + "/.config" }) {
      folders.append((home + "/btscribe/profiles", ".yaml", .user))
    }
    folders.append((".", ".btscribe.yaml", .folder))
    for (path, suffix, origin) in folders {
      for name in names(in: path) where name.hasSuffix(suffix) {
        let file = path == "." ? name : path + "/" + name
        guard let text = read(file) else {
          onError(unreadable(file))
          continue
        }
        do {
          _ = try ProfileSet(texts: texts + [(text, file, origin)])
          texts.append((text, file, origin))
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
      guard let text = read(name) else {
        throw unreadable(name)
      }
      texts.append((text, name, .given))
    }
    if !byName.isEmpty {
      let known = try ProfileSet(texts: texts)
      for name in byName {
        guard let number = known.number(name) else {
          let hint = known.closest(name).map { "; did you mean \"\($0)\"?" } ?? "; see \"btscribe profiles list\""
          throw ProfileError(file: name, line: 0, column: 0, message: "no such profile" + hint)
        }
        texts.append((known.text(number), known.summaries.first { $0.number == number }?.file ?? name, .given))
      }
    }
    return try ProfileSet(texts: texts)
  }

  /// Why ``read(_:)`` returned nil.
  private static func unreadable(_ file: String) -> ProfileError {
    let code = errno
    let reason = unsafe code == EILSEQ ? "not text in UTF-8" : String(cString: strerror(code))
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

  /// The text of a file; nil where it cannot be read, is too large for a profile, or is not UTF-8: `errno` says which.
  public static func read(_ path: String) -> String? {
    guard let bytes = FileImports.read(path, limit: largestProfile) else { return nil }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    errno = EILSEQ
    return nil
  }
}
