@_spi(Pipeline) import Analysis
import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles
import Memory
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes objects that OBEX transferred completely into files of a folder: phone books, messages, pictures. The content comes from the air: file
/// names consist of harmless characters, no file is overwritten, and sizes and numbers are bounded.
public final class ObjectFiles: EventSink {
  /// An object that is being transferred.
  private struct Transfer {
    var frame: Int
    var name: [UInt8] = []
    var type: [UInt8] = []
    var bytes: [UInt8] = []
    var isTooLong = false
  }
  private struct Key: Hashable {
    var file: Int
    var connection: Int32
    var dlci: UInt8
    var psm: UInt16
    var isFromHost: Bool
  }
  private let folder: String
  private var open: [Key: Transfer] = [:]
  private var capture = 0
  /// Number of objects written, and of their bytes.
  public private(set) var written = 0, writtenBytes = 0
  /// Objects that were left out: larger than the bound, beyond the number or the bytes of all, or given up because too many were in transfer.
  public private(set) var leftOut = 0

  /// Most bytes of an object; most bytes and number of objects in transfer at a time; most bytes and number of all objects.
  static let maxBytes = 64 << 20, maxBytesOpen = 96 << 20, maxOpen = 64, maxBytesOfAll = 1 << 30, maxObjects = 10_000

  /// Writes into a folder, which is made where it is missing. Throws ``OutputError``.
  public init(folder: String) throws(OutputError) {
    self.folder = folder
    if unsafe mkdir(folder, 0o755) != 0, errno != EEXIST { throw Self.failure(folder) }
    var information = stat()
    guard unsafe stat(folder, &information) == 0 else { throw Self.failure(folder) }
    guard information.st_mode & S_IFMT == S_IFDIR else { throw OutputError.failed(path: folder, reason: "not a folder") }
  }

  private static func failure(_ path: String) -> OutputError {
    OutputError.failed(path: path, reason: systemMessage(errno))
  }

  /// Starts another capture, which has its own connections.
  public func beginCapture() {
    open.removeAll()
    capture += 1
  }

  /// Takes packets of OBEX.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    guard row.layer == .obex, row.opcode & OBEX.part == 0, let (channel, _) = row.channelData else { return }
    let span = row.pdu.span
    guard let packet = OBEX.Packet(span, in: OBEX.range(in: span, opcode: row.opcode, psm: row.subcode)) else { return }
    let isFromHost = row.direction.isFromHost != packet.isResponse
    let key = Key(file: capture, connection: row.connection, dlci: channel.dlci, psm: channel.psm, isFromHost: isFromHost)
    if let request = packet.request {
      if row.opcode & OBEX.continuing == 0 {
        open[key] = nil
        guard request == .get || request == .put else { return }
        // Where too many transfers are open, the oldest is given up.
        if open.count >= Self.maxOpen, let oldest = open.min(by: { $0.value.frame < $1.value.frame }) {
          open[oldest.key] = nil
          leftOut += 1
        }
        open[key] = Transfer(frame: row.frame)
      }
      if open[key] != nil { add(packet, nil, span, row, key) }
    } else if open[key] != nil {
      add(packet, OBEX.request(of: row.opcode), span, row, key)
      if packet.isContinue { return }
      guard let finished = open.removeValue(forKey: key), packet.status < 0x30, !finished.bytes.isEmpty || finished.isTooLong else {
        return
      }
      try write(finished)
    }
  }

  private func add(_ packet: OBEX.Packet, _ request: OBEX.RequestCode?, _ span: RawSpan, _ row: PacketRow, _ key: Key) {
    var headers = packet.headers(answering: request)
    while let header = headers.next(span) {
      let value = row.pdu.slice(header.value.lowerBound, header.value.count)
      if header.isName, !packet.isResponse {
        open[key]?.name = span.utf8(ofWideText: header.value).filter { $0 != 0 }
      } else if header.isType {
        open[key]?.type = value.prefix { $0 != 0 }.prefix(64).map { $0 }
      } else if header.isBody {
        let isRoom = open.values.reduce(value.count) { $0 + $1.bytes.count } <= Self.maxBytesOpen
        guard let held = open[key]?.bytes.count, held + value.count <= Self.maxBytes, isRoom else {
          open[key]?.isTooLong = true
          open[key]?.bytes = []
          continue
        }
        if open[key]?.isTooLong == false { open[key]?.bytes.append(contentsOf: value) }
      }
    }
  }

  private func write(_ object: Transfer) throws {
    guard !object.isTooLong, written < Self.maxObjects, writtenBytes + object.bytes.count <= Self.maxBytesOfAll else {
      leftOut += 1
      return
    }
    let name = Self.fileName(object.name, object.type)
    for number in 1...1000 {
      let path = "\(folder)/\(object.frame)\(number == 1 ? "" : "-\(number)")-\(name)"
      let descriptor = systemOpen(path)
      if descriptor < 0 {
        if errno == EEXIST { continue }
        throw Self.failure(path)
      }
      defer { close(descriptor) }
      let file = FileDestination(descriptor: descriptor, path: path)
      try object.bytes.withBorrowedBytes { bytes throws(OutputError) in try file.write(bytes) }
      written += 1
      writtenBytes += object.bytes.count
      return
    }
    leftOut += 1
  }

  /// Creates a file; fails where the path exists or is a link.
  private func systemOpen(_ path: String) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    #else
      unsafe Darwin.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    #endif
  }

  /// The name of the file of an object: the last part of its name, of letters, digits, `.`, `-` and `_`, without dots at its ends and of at most 80
  /// characters; where it has no name, one made of its type, with the file extension of the type.
  static func fileName(_ name: [UInt8], _ type: [UInt8]) -> String {
    let last = name.split { $0 == 0x2F || $0 == 0x5C }.last ?? []
    let safe: [UInt8] = last.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: byte
      default: 0x5F
      }
    }
    var text = String(decoding: safe.suffix(80), as: UTF8.self)
    while text.hasPrefix(".") || text.hasPrefix("-") { text.removeFirst() }
    while text.hasSuffix(".") { text.removeLast() }
    let kind = String(decoding: type, as: UTF8.self).lowercased()
    let ending = Self.endings.first { kind.hasPrefix($0.type) }?.ending ?? ""
    if text.isEmpty { text = "object" }
    return text.contains(".") || ending.isEmpty ? text : text + ending
  }

  /// File extensions by prefixes of types.
  private static let endings: [(type: String, ending: String)] = [
    ("x-bt/vcard-listing", ".xml"), ("x-bt/vcard", ".vcf"), ("x-bt/phonebook", ".vcf"), ("text/x-vcard", ".vcf"), ("text/x-vcal", ".vcs"),
    ("x-bt/messagestatus", ".txt"), ("x-bt/message", ".bmsg"), ("x-bt/map-notificationregistration", ".txt"), ("x-bt/map", ".xml"),
    ("x-obex/", ".xml"), ("x-bt/img-img", ".jpg"), ("x-bt/img-thm", ".jpg"), ("image/jpeg", ".jpg"), ("image/png", ".png"),
    ("x-bt/img", ".xml"), ("text/plain", ".txt"),
  ]
}
