/// A file that holds other files, or one that is compressed.
enum ContainerKind {
  case gzip, zlib, zip, tar

  /// The kind of container that starts with `head`; nil for none.
  init?(_ head: [UInt8]) {
    if head.starts(with: [0x1F, 0x8B, 8]) {
      self = .gzip
    } else if head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6]) {
      self = .zip
    } else if head.count >= 2, head[0] == 0x78, (Int(head[0]) << 8 | Int(head[1])) % 31 == 0, head[1] & 0x20 == 0 {
      self = .zlib
    } else if TarArchive.isTar(head) {
      self = .tar
    } else {
      return nil
    }
  }

  var name: String {
    switch self {
    case .gzip: "compressed with gzip"
    case .zlib: "compressed with zlib"
    case .zip: "a zip archive"
    case .tar: "a tar archive"
    }
  }
}
