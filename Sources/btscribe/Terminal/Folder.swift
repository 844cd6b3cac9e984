#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Contents of folders.
enum Folder {
  /// The names in a folder, sorted, at most `limit`; none where it cannot be read.
  static func names(_ folder: String, atMost limit: Int) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory), names.count < limit {
      unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
        unsafe names.append(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
      }
    }
    return names.sorted()
  }
}
