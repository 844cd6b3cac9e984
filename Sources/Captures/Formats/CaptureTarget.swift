/// A format to write, with its options: the argument of `convert --to`.
public struct CaptureTarget: Sendable, Equatable {
  /// The format.
  public let format: CaptureFormat
  let variant: CaptureFormat.Variant

  /// The variants of all formats that can be written: names and descriptions.
  public static let names: [(name: String, meaning: String)] = CaptureFormat.all.flatMap { $0.variants.map { ($0.name, $0.meaning) } }

  /// Endings of the names of files that can be written, without the dot.
  public static let fileEndings: [String] = CaptureFormat.all.filter(\.isWritable).flatMap(\.fileEndings)

  /// A format, with a link type as in pcap (187, 201, 254, 251, 256), or a datalink of btsnoop (1001, 1002, 2001); nil for that of the source. Instead of
  /// a format that is only read, its substitute is written.
  public init(_ format: CaptureFormat, linkType: Int? = nil) {
    let written = format.isWritable ? format : format.substitute
    self.format = written
    variant =
      written.variants.first { $0.linkType == linkType }
      ?? CaptureFormat.Variant(name: written.name, meaning: written.name, linkType: linkType)
  }

  /// The target of a name in ``names``; nil for others.
  public init?(name: String) {
    for format in CaptureFormat.all {
      guard let variant = format.variants.first(where: { $0.name == name }) else { continue }
      self.format = format
      self.variant = variant
      return
    }
    return nil
  }

  /// The target for a file's ending, one of ``fileEndings``; nil for others.
  public init?(path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    guard let format = CaptureFormat.all.first(where: { $0.isWritable && $0.fileEndings.contains(ending) }) else { return nil }
    self.init(format)
  }

  /// A writer of the format.
  func makeEncoder() -> any CaptureEncoder {
    format.makeEncoder?(variant) ?? BtsnoopEncoder(wanted: nil)
  }
}
