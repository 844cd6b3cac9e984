/// A file in an archive.
struct ArchiveMember {
  /// What a file is by its first bytes.
  enum Content {
    case capture, container, other

    init(_ head: [UInt8]) {
      self = CaptureFile.isCapture(head) ? .capture : ContainerKind(head) != nil ? .container : .other
    }
  }

  /// Its path in the archive, as the archive has it: up to ``longestName`` bytes, UTF-8 most often.
  var name: [UInt8]
  /// Bytes when unpacked, as the archive says.
  var size: Int
  /// Where it starts: the local header in a zip, the content in a tar.
  var offset: Int
  /// Bytes in the archive.
  var packed: Int
  /// What it is, where its first bytes were read with the list.
  var content: Content?
  /// Zip: method of compression.
  var method: UInt16 = 0
  /// Zip: it is encrypted.
  var isEncrypted = false
  /// Zip: CRC-32 of its content, where the archive's directory says so.
  var checksum: UInt32?

  static let longestName = 1024

  /// ``name``, for people.
  var path: String { String(decoding: name, as: UTF8.self) }
  /// Where the next file may begin. Files of one archive that do not reach over each other have no more bytes than the archive.
  var end: Int { offset + min(packed, Int.max - offset) }

  /// The path ends with this text. Letters with marks may be written in two ways in Unicode.
  func ends(with text: String) -> Bool {
    let isSame = text.utf8.count <= name.count && name.suffix(text.utf8.count).elementsEqual(text.utf8)
    return isSame || !text.utf8.allSatisfy { $0 < 0x80 } && path.hasSuffix(text)
  }
}

/// An archive whose members can be opened by name.
protocol Archive: AnyObject {
  /// What it is: `zip archive`.
  var title: String { get }
  var path: String { get }
  /// Bytes of the archive, where its files are packed in it.
  var packed: Int? { get }
  /// What is wrong with the archive as a whole; nil where nothing is. Known when it was listed.
  var fault: String? { get }
  /// Hands its members over, one after the other, until there is no more of `budget`, or `visit` returns false because there is none.
  func list(_ budget: ArchiveBudget, _ visit: (ArchiveMember) throws(CaptureError) -> Bool) throws(CaptureError)
  /// Opens a member; nil where this archive cannot (an unknown method, encryption).
  func open(_ member: ArchiveMember) throws(CaptureError) -> (any ByteInput)?
  /// Prepares members to be opened in any order, and more than once, in the time that one reading takes.
  func keep(_ members: [ArchiveMember], _ budget: ArchiveBudget) throws(CaptureError)
}
