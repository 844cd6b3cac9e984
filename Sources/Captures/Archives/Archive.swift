/// A file in an archive.
struct ArchiveMember {
  var name: String
  /// Bytes when unpacked, as the archive says.
  var size: Int
  /// Where it starts: the local header in a zip, the content in a tar.
  var offset: Int
  /// Bytes in the archive.
  var packed: Int
  /// Its first bytes, where they were read with the list.
  var head: [UInt8] = []
  /// Zip: method of compression.
  var method: UInt16 = 0
  /// Zip: it is encrypted.
  var isEncrypted = false
  /// Zip: CRC-32 of its content, where the archive's directory says so.
  var checksum: UInt32?
}

/// An archive whose members can be opened by name.
protocol Archive: AnyObject {
  /// What it is: `zip archive`.
  var title: String { get }
  var path: String { get }
  var members: [ArchiveMember] { get }
  /// What is wrong with the archive as a whole; nil where nothing is.
  var fault: String? { get }
  /// Opens a member; nil where this archive cannot (an unknown method, encryption).
  func open(_ member: ArchiveMember) throws(CaptureError) -> (any ByteInput)?
  /// Prepares members to be opened in any order, and more than once, in the time that one reading takes.
  func keep(_ members: [ArchiveMember], _ budget: ArchiveBudget) throws(CaptureError)
}
