/// Options for reading a capture.
public struct CaptureOptions: Sendable {
  /// Waits for more at the end of a file that another program still writes.
  public var follow = false
  /// In an archive, joins the pieces of a rotated log (`btsnoop_hci.log.last` before `btsnoop_hci.log`) in order of their times.
  public var joinsPieces = false
  /// In an archive, reads the member whose name ends with this text, instead of the one that the rules select.
  public var member: String?
  /// Ends waiting for more bytes.
  public var stop: LiveStop?
  /// The capture is a member of an archive, not a file of its own.
  var isInArchive = false
  /// Remaining budget for archives.
  var budget = ArchiveBudget()

  /// The defaults.
  public init() {}
}

/// Opens captures in files, pipes, archives and from TCP ports. The content determines the format, never the name.
public enum CaptureFile {
  /// Most levels of nested archives.
  static let deepest = 4
  /// Opens a file, standard input for `-`, or a stream from `tcp:HOST:PORT`. Throws ``CaptureError`` where there is none or it is no capture.
  public static func open(_ path: String, options: CaptureOptions = CaptureOptions()) throws(CaptureError) -> any PacketSource {
    var options = options
    options.budget = ArchiveBudget()
    let input = path.hasPrefix("tcp:") ? try FileInput.connect(path) : try FileInput.open(path, follow: options.follow)
    input.stop = options.stop
    return try open(PeekedInput(input), options: options, depth: 0)
  }

  /// Opens a capture in memory; `name` is for messages.
  public static func open(bytes: [UInt8], name: String, options: CaptureOptions = CaptureOptions()) throws(CaptureError) -> any PacketSource
  {
    var options = options
    options.budget = ArchiveBudget()
    return try open(PeekedInput(MemoryInput(bytes, path: name)), options: options, depth: 0)
  }

  static func open(_ input: PeekedInput, options: CaptureOptions, depth: Int) throws(CaptureError) -> any PacketSource {
    while true {
      let grew = try input.peekMore()
      if let source = try capture(input, atEnd: !grew) { return try outside(source, input, options) }
      if let source = try container(input, options: options, depth: depth, atEnd: !grew) { return source }
      if !grew { break }
    }
    if FileKind.isText(input.head), let source = try textBlock(input) { return try outside(source, input, options) }
    throw .unknownFormat(path: input.path, what: FileKind.name(of: input.head))
  }

  /// A capture. Throws if a file of an archive was requested, as the capture is not in an archive.
  private static func outside(
    _ source: any PacketSource, _ input: PeekedInput, _ options: CaptureOptions
  ) throws(CaptureError) -> any PacketSource {
    guard let member = options.member, !options.isInArchive else { return source }
    throw .misnamed(path: input.path, reason: "it is not an archive, so no file in it ends with \(member)")
  }

  /// The reader of the format whose signature the first bytes have; nil where there is none, or where more bytes are needed.
  private static func capture(_ input: PeekedInput, atEnd: Bool) throws(CaptureError) -> (any PacketSource)? {
    // A tar archive may start with a file name that looks like the signature of a capture.
    guard !TarArchive.isTar(input.head), let format = CaptureFormat.all.first(where: { $0.isSignature(input.head) }) else { return nil }
    return try format.makeReader(input, atEnd)
  }

  /// Whether the first bytes are those of a capture.
  static func isCapture(_ head: [UInt8]) -> Bool { CaptureFormat.all.contains { $0.isSignature(head) } }

  /// The capture in a compressed file or an archive; nil where the input is neither.
  private static func container(
    _ input: PeekedInput, options: CaptureOptions, depth: Int, atEnd: Bool
  ) throws(CaptureError) -> (any PacketSource)? {
    let head = input.head
    guard let kind = ContainerKind(head) else { return nil }
    if kind == .tar && head.count < 512 || head.count < 64 && !atEnd { return nil }
    if depth == deepest { throw .malformed(path: input.path, offset: 0, what: "archives in archives, deeper than \(deepest)") }
    guard depth == 0 || options.budget.takeArchive() else {
      throw .malformed(path: input.path, offset: 0, what: options.budget.excess ?? "too many archives in archives")
    }
    switch kind {
    case .gzip, .zlib:
      let inside = PeekedInput(InflateInput(input, wrapper: kind == .gzip ? .gzip : .zlib, path: input.path))
      return try unpacked(kind.name, input.path) { () throws(CaptureError) in try open(inside, options: options, depth: depth + 1) }
    case .zip:
      let random: any RandomInput
      if let file = input.rest as? any RandomInput, input.rest.canRewind {
        random = file
      } else {
        // The directory is at the end of the archive.
        random = try FileInput.copy(of: input, options.budget)
      }
      return try ArchiveChoice(ZipArchive(random), options: options).open(depth: depth)
    case .tar:
      let whole: any ByteInput = input.rest.canRewind ? input.rest : input
      if whole.canRewind { _ = try whole.rewind() }
      let archive = try TarArchive(whole, options.budget) { ArchiveChoice.isWorthALook($0, head: $1, member: options.member) }
      return try ArchiveChoice(archive, options: options).open(depth: depth)
    }
  }

  /// Adds to the errors about the content of a compressed file that it is inside of that file.
  private static func unpacked(
    _ kind: String, _ path: String, _ open: () throws(CaptureError) -> any PacketSource
  ) throws(CaptureError) -> any PacketSource {
    do {
      return try open()
    } catch .unknownFormat(path, let what) {
      throw .unknownFormat(path: path, what: "\(kind), and inside it is \(what)")
    }
  }

  /// A capture in a block of a text; nil where there is none.
  private static func textBlock(_ input: PeekedInput) throws(CaptureError) -> (any PacketSource)? {
    for format in CaptureFormat.all {
      guard case .blockInText = format.recognition else { continue }
      // A search consumes the input, so that there can be only one such format.
      return try format.makeReader(input, true)
    }
    return nil
  }
}
