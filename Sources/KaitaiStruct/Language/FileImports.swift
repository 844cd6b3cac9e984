#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Finds imported specifications among files: next to the importing file, and under `roots` for names that begin with a slash.
public struct FileImports: Sendable {
  /// Folders for absolute names (`/common/vlq`), in search order.
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

  /// `errno` of ``read(_:limit:isNamed:)`` for something other than a regular file.
  public static let isNoFile = EINVAL

  /// All bytes of a file; nil where it cannot be read or is longer than `limit` bytes: `errno` gives the reason.
  ///
  /// Only a file that the user named (`isNamed`) may be a pipe or a device. For a file that the program found, a pipe with that name must not block:
  /// it is opened without waiting, and is ``isNoFile``.
  public static func read(_ path: String, limit: Int, isNamed: Bool = false) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | (isNamed ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    if !isNamed, status.st_mode & S_IFMT != S_IFREG {
      errno = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : isNoFile
      return nil
    }
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { unsafe chunk.deallocate() }
    while true {
      let count = unsafe systemRead(descriptor, chunk.baseAddress, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return count == 0 ? bytes : nil }
      guard bytes.count + count <= limit else {
        errno = EFBIG
        return nil
      }
      unsafe bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// The first bytes of a regular file, at most `count`; nil where it cannot be read.
  package static func start(_ path: String, count: Int) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = unsafe bytes.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0.baseAddress, count) }
    return read < 0 ? nil : Array(bytes.prefix(read))
  }

  private static func systemRead(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.read(descriptor, start, count)
    #elseif canImport(Darwin)
      unsafe Darwin.read(descriptor, start, count)
    #else
      unsafe Musl.read(descriptor, start, count)
    #endif
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
