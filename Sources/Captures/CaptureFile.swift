/// How to read a capture.
public struct CaptureOptions: Sendable {
  /// Waits for more at the end of a file that another program still writes.
  public var follow = false

  /// The defaults.
  public init() {}
}

/// Captures in files and pipes, told apart by what they hold and never by name.
public enum CaptureFile {
  /// Opens a file, or standard input for `-`. Throws ``CaptureError`` where there is no such file or it is no capture.
  public static func open(_ path: String, options: CaptureOptions = CaptureOptions()) throws(CaptureError) -> any PacketSource {
    try open(PeekedInput(FileInput.open(path, follow: options.follow)), options: options)
  }

  /// Opens a capture that is in memory; `name` is for messages.
  public static func open(bytes: [UInt8], name: String, options: CaptureOptions = CaptureOptions()) throws(CaptureError) -> any PacketSource
  {
    try open(PeekedInput(MemoryInput(bytes, path: name)), options: options)
  }

  /// What the first bytes of an input say.
  enum Verdict {
    /// It is this format.
    case yes
    /// It is not.
    case no
    /// More bytes are needed to tell.
    case more
  }

  static func open(_ input: PeekedInput, options: CaptureOptions) throws(CaptureError) -> any PacketSource {
    while true {
      let grew = try input.peekMore()
      if let source = try detect(input, atEnd: !grew) { return source }
      if !grew { throw .unknownFormat(path: input.path, what: FileKind.name(of: input.head)) }
    }
  }

  /// The reader that the first bytes call for; nil where they do not tell (yet).
  private static func detect(_ input: PeekedInput, atEnd: Bool) throws(CaptureError) -> (any PacketSource)? {
    let head = input.head
    if head.starts(with: Btsnoop.magic) {
      guard head.count >= 16 else {
        if atEnd { throw .malformed(path: input.path, offset: head.count, what: "btsnoop, cut short in its header") }
        return nil
      }
      let (version, datalink) = head.withUnsafeBytes { bytes in
        bytes.baseAddress.map { (big32($0, 8), big32($0, 12)) } ?? (0, 0)
      }
      if version != 1 { throw .malformed(path: input.path, offset: 8, what: "btsnoop of version \(version); only 1 is known") }
      guard let known = Btsnoop.Datalink(rawValue: datalink) else {
        throw .malformed(path: input.path, offset: 12, what: "btsnoop with datalink \(datalink), which is not read")
      }
      return FramedSource(Btsnoop(known), input: input)
    }
    if Pcap.isMagic(head) {
      guard let pcap = head.withUnsafeBytes({ Pcap(header: $0) }) else {
        if atEnd { throw .malformed(path: input.path, offset: head.count, what: "pcap, cut short in its header") }
        return nil
      }
      if LinkType.name(pcap.linkType) == nil {
        throw .malformed(path: input.path, offset: 20, what: "pcap of link type \(pcap.linkType), which is not Bluetooth")
      }
      return FramedSource(pcap, input: input)
    }
    if head.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) {
      if head.count < 12 && !atEnd { return nil }
      return FramedSource(Pcapng(), input: input)
    }
    if let order = PacketLogger.order(of: head) { return FramedSource(PacketLogger(order: order), input: input) }
    return nil
  }
}
