/// A file in an archive.
struct ArchiveMember {
  /// The content of a file, by its first bytes.
  enum Content {
    case capture, container, other

    init(_ head: [UInt8]) {
      self = CaptureFile.isCapture(head) ? .capture : ContainerKind(head) != nil ? .container : .other
    }
  }

  /// Its path as stored in the archive: up to ``longestName`` bytes, usually UTF-8.
  var name: [UInt8]
  /// Uncompressed size in bytes, as the archive gives it.
  var size: Int
  /// Where it starts: the local header in a zip, the content in a tar.
  var offset: Int
  /// Size in the archive in bytes.
  var packed: Int
  /// Its content, if its first bytes were read while listing.
  var content: Content?
  /// Zip: method of compression.
  var method: UInt16 = 0
  /// Zip: it is encrypted.
  var isEncrypted = false
  /// Zip: CRC-32 of its content, if the archive's directory has it.
  var checksum: UInt32?

  static let longestName = 1024

  /// ``name`` as text.
  var path: String { String(decoding: name, as: UTF8.self) }
  /// First offset at which the next file may begin. Files of an archive that do not overlap have no more bytes in all than the archive.
  var end: Int { offset + min(packed, Int.max - offset) }

  /// Whether the path ends with this text. Letters with diacritics are compared in composed and decomposed form.
  func ends(with text: String) -> Bool {
    let isSame = text.utf8.count <= name.count && name.suffix(text.utf8.count).elementsEqual(text.utf8)
    return isSame || !text.utf8.allSatisfy { $0 < 0x80 } && path.hasSuffix(text)
  }
}

/// An archive whose members can be opened by name.
protocol Archive: AnyObject {
  /// Kind of archive: `zip archive`.
  var title: String { get }
  var path: String { get }
  /// Size of the archive in bytes, if its files are compressed in it.
  var packed: Int? { get }
  /// An error of the archive itself; nil where there is none. Known after listing.
  var fault: String? { get }
  /// Calls `visit` with its members, one after the other, until `budget` is used up, or `visit` returns false for the same reason.
  func list(_ budget: ArchiveBudget, _ visit: (ArchiveMember) throws(CaptureError) -> Bool) throws(CaptureError)
  /// Opens a member; nil where this is not supported (an unknown method, encryption).
  func open(_ member: ArchiveMember) throws(CaptureError) -> (any ByteInput)?
  /// Prepares members so that they can be opened in any order, and more than once, by one reading of the archive.
  func keep(_ members: [ArchiveMember], _ budget: ArchiveBudget) throws(CaptureError)
}
