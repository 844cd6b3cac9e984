/// How to read a capture.
public struct CaptureOptions: Sendable {
  /// Waits for more at the end of a file that another program still writes.
  public var follow = false
  /// In an archive, joins the pieces of a log that was rotated (`btsnoop_hci.log.last` before `btsnoop_hci.log`) in order of their times.
  public var joinsPieces = false
  /// In an archive, reads the member whose name ends so, instead of the one that the rules choose.
  public var member: String?
  /// Ends the waiting for more, where it is wanted.
  public var stop: LiveStop?

  /// The defaults.
  public init() {}
}

/// Captures in files, pipes, archives and behind TCP ports, told apart by what they hold and never by name.
public enum CaptureFile {
  /// Archives in archives are opened so deep.
  static let deepest = 4
  /// Most bytes of an archive from a pipe, which is kept in memory to read its directory at its end.
  private static let mostFromPipe = 512 << 20

  /// Opens a file, standard input for `-`, or a stream from `tcp:HOST:PORT`. Throws ``CaptureError`` where there is none or it is no capture.
  public static func open(_ path: String, options: CaptureOptions = CaptureOptions()) throws(CaptureError) -> any PacketSource {
    let input = path.hasPrefix("tcp:") ? try FileInput.connect(path) : try FileInput.open(path, follow: options.follow)
    input.stop = options.stop
    return try open(PeekedInput(input), options: options, depth: 0)
  }

  /// Opens a capture that is in memory; `name` is for messages.
  public static func open(bytes: [UInt8], name: String, options: CaptureOptions = CaptureOptions()) throws(CaptureError) -> any PacketSource
  {
    try open(PeekedInput(MemoryInput(bytes, path: name)), options: options, depth: 0)
  }

  /// Opens several files as one capture, in order of the time of their first packets: the pieces of a rotated log. Throws ``CaptureError``
  /// where one of them cannot be opened.
  public static func open(joining paths: [String], options: CaptureOptions = CaptureOptions()) throws(CaptureError) -> any PacketSource {
    var sources: [any PacketSource] = []
    for path in paths { sources.append(try open(path, options: options)) }
    return try JoinedSource(sources)
  }

  static func open(_ input: PeekedInput, options: CaptureOptions, depth: Int) throws(CaptureError) -> any PacketSource {
    while true {
      let grew = try input.peekMore()
      if let source = try capture(input, atEnd: !grew) { return source }
      if let source = try container(input, options: options, depth: depth, atEnd: !grew) { return source }
      if !grew { break }
    }
    if FileKind.isText(input.head), let source = try text(input) { return source }
    throw .unknownFormat(path: input.path, what: FileKind.name(of: input.head))
  }

  /// The reader of a capture format that the first bytes call for; nil where they do not (yet).
  static func capture(_ input: PeekedInput, atEnd: Bool) throws(CaptureError) -> (any PacketSource)? {
    let head = input.head
    if head.starts(with: Btsnoop.magic) {
      guard head.count >= 16 else {
        if atEnd { throw .malformed(path: input.path, offset: head.count, what: "btsnoop, cut short in its header") }
        return nil
      }
      let (version, datalink) = unsafe head.withUnsafeBytes { bytes in
        unsafe bytes.baseAddress.map { unsafe (big32($0, 8), big32($0, 12)) } ?? (0, 0)
      }
      if version != 1 { throw .malformed(path: input.path, offset: 8, what: "btsnoop of version \(version); only 1 is known") }
      if datalink == 1003 || datalink == 1004 { return FramedSource(UartStream(isBCSP: datalink == 1003), input: input) }
      guard let known = Btsnoop.Datalink(rawValue: datalink) else {
        throw .malformed(path: input.path, offset: 12, what: "btsnoop with datalink \(datalink), which is not read")
      }
      return FramedSource(Btsnoop(known), input: input)
    }
    if Pcap.isMagic(head) {
      guard let pcap = unsafe head.withUnsafeBytes({ unsafe Pcap(header: $0) }) else {
        if atEnd { throw .malformed(path: input.path, offset: head.count, what: "pcap, cut short in its header") }
        return nil
      }
      if LinkType.name(pcap.linkType) == nil {
        throw .malformed(path: input.path, offset: 20, what: "pcap of link type \(pcap.linkType), which is not Bluetooth")
      }
      return FramedSource(pcap, input: input)
    }
    if Pcapng.isMagic(head) {
      if head.count < 12 && !atEnd { return nil }
      return FramedSource(Pcapng(), input: input)
    }
    if let order = PacketLogger.order(of: head) { return FramedSource(PacketLogger(order: order), input: input) }
    return nil
  }

  /// What is inside a compressed file or an archive; nil where the input is none.
  private static func container(
    _ input: PeekedInput, options: CaptureOptions, depth: Int, atEnd: Bool
  ) throws(CaptureError) -> (any PacketSource)? {
    let head = input.head
    guard let kind = ContainerKind(head) else { return nil }
    if kind == .tar && head.count < 512 || head.count < 64 && !atEnd { return nil }
    if depth == deepest { throw .malformed(path: input.path, offset: 0, what: "archives in archives, deeper than \(deepest)") }
    switch kind {
    case .gzip, .zlib:
      let inside = PeekedInput(InflateInput(input, wrapper: kind == .gzip ? .gzip : .zlib, path: input.path))
      return try unpacked(kind.name, input.path) { () throws(CaptureError) in try open(inside, options: options, depth: depth + 1) }
    case .zip:
      let random: any RandomInput
      if let file = input.rest as? any RandomInput, input.rest.canRewind {
        random = file
      } else {
        guard let bytes = try input.all(limit: mostFromPipe) else {
          throw .malformed(path: input.path, offset: mostFromPipe, what: "a zip archive too large for a pipe; give it as a file")
        }
        random = MemoryInput(bytes, path: input.path)
      }
      return try ArchiveChoice(ZipArchive(random), options: options).open(depth: depth)
    case .tar:
      let whole: any ByteInput = input.rest.canRewind ? input.rest : input
      if whole.canRewind { _ = try whole.rewind() }
      let archive = try TarArchive(whole) { ArchiveChoice.isWorthALook($0, head: $1, member: options.member) }
      return try ArchiveChoice(archive, options: options).open(depth: depth)
    }
  }

  /// Says of what is inside a compressed file that it is inside.
  private static func unpacked(
    _ kind: String, _ path: String, _ open: () throws(CaptureError) -> any PacketSource
  ) throws(CaptureError) -> any PacketSource {
    do {
      return try open()
    } catch .unknownFormat(path, let what) {
      throw .unknownFormat(path: path, what: "\(kind), and inside it is \(what)")
    }
  }

  /// The memory log in the text of a bug report.
  private static func text(_ input: PeekedInput) throws(CaptureError) -> (any PacketSource)? {
    guard let found = try Btsnooz.find(in: input) else { return nil }
    let source = FramedSource(found.reader, input: MemoryInput(found.records, path: input.path))
    source.notices = ["\(input.path): the snoop log in the text of an Android bug report"]
    return source
  }
}

/// What holds other files.
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
