#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Finds imported specifications among files: beside the file that imports them, and under `roots` for names that begin with a slash.
public struct FileImports: Sendable {
  /// Folders under which absolute names (`/common/vlq`) are looked for, in this order.
  public var roots: [String]

  /// Makes a finder with these folders.
  public init(roots: [String] = []) { self.roots = roots }

  /// The file and text of an import; nil where there is none. Fits ``ImportResolver``.
  public func resolve(_ name: String, importer: String) -> (file: String, text: String)? {
    let folder = importer.lastIndex(of: "/").map { String(importer[..<$0]) } ?? "."
    let candidates = name.hasPrefix("/") ? (roots + [folder]).map { $0 + name } : [folder + "/" + name] + roots.map { $0 + "/" + name }
    for candidate in candidates {
      let file = Self.normalized(candidate + ".ksy")
      if let bytes = Self.read(file, limit: 16 << 20) { return (file, String(decoding: bytes, as: UTF8.self)) }
    }
    return nil
  }

  /// All bytes of a file; nil where it cannot be read or is longer than `limit` bytes: `errno` says which.
  public static func read(_ path: String, limit: Int) -> [UInt8]? {
    guard let file = unsafe fopen(path, "rb") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
    defer { unsafe chunk.deallocate() }
    while true {
      let count = unsafe fread(chunk.baseAddress, 1, chunk.count, file)
      if count == 0 { return unsafe ferror(file) == 0 ? bytes : nil }
      guard bytes.count + count <= limit else {
        errno = EFBIG
        return nil
      }
      unsafe bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// The path without `.` and `..`, so that one file has one name.
  static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: true) where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
