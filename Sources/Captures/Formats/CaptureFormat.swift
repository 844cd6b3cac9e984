/// A file format of captures: how it is recognised, read and written. Each is described in a file of its own in this folder;
/// ``all`` (`CaptureFormats.swift`) lists them.
public final class CaptureFormat: Sendable {
  /// How a file of this format is recognised.
  enum Recognition: Sendable {
    /// By its first bytes; true where `head` may be the start of such a file.
    case signature(@Sendable (_ head: [UInt8]) -> Bool)
    /// By a block somewhere in a text, which is searched where nothing else fits.
    case blockInText
  }

  /// One way to write the format, which `convert --to` calls by its name.
  struct Variant: Sendable, Equatable {
    /// The name: `pcap-254`.
    let name: String
    /// What it is, for the help.
    let meaning: String
    /// The link type of its packets as pcap numbers it, or the datalink of btsnoop; nil where it follows the source.
    var linkType: Int?
    /// Byte order, where there is a choice.
    var isBigEndian = true
  }

  /// A short name: `pcapng`.
  public let name: String
  /// Endings of file names, without the dot; the first is the usual one.
  public let fileEndings: [String]
  /// What ``makeEncoder`` takes; the first follows the source. Empty for a format that is only read.
  let variants: [Variant]
  let recognition: Recognition
  /// Opens an input that ``recognition`` takes for one of this format. Returns nil where more bytes are needed to open it (and `atEnd` is
  /// false), or where a search found nothing.
  let makeReader: @Sendable (_ input: PeekedInput, _ atEnd: Bool) throws(CaptureError) -> (any PacketSource)?
  /// Writes the format; nil where it is only read.
  let makeEncoder: (@Sendable (Variant) -> any CaptureEncoder)?
  /// The link type as pcap numbers it that holds all of a packet of this format, by the link type of the packet's interface; itself where
  /// it is not listed.
  let pcapLinkTypes: [Int: Int]

  init(
    name: String, fileEndings: [String] = [], variants: [Variant] = [], recognition: Recognition,
    makeReader: @escaping @Sendable (_ input: PeekedInput, _ atEnd: Bool) throws(CaptureError) -> (any PacketSource)?,
    makeEncoder: (@Sendable (Variant) -> any CaptureEncoder)? = nil, pcapLinkTypes: [Int: Int] = [:]
  ) {
    self.name = name
    self.fileEndings = fileEndings
    self.variants = variants
    self.recognition = recognition
    self.makeReader = makeReader
    self.makeEncoder = makeEncoder
    self.pcapLinkTypes = pcapLinkTypes
  }

  /// It can be written.
  public var isWritable: Bool { makeEncoder != nil }

  /// `head` may be the start of a file of this format.
  func isSignature(_ head: [UInt8]) -> Bool {
    if case .signature(let fits) = recognition { fits(head) } else { false }
  }

  /// The link type, as pcap numbers it, that holds all that a packet of an interface can have.
  func pcapLinkType(of interface: CaptureInterface) -> Int {
    if let listed = pcapLinkTypes[interface.linkType] { return listed }
    return LinkType.of(interface.linkType)?.writtenAs ?? interface.linkType
  }
}

extension CaptureFormat: Equatable {
  /// There is one object of each format.
  public static func == (one: CaptureFormat, other: CaptureFormat) -> Bool { one === other }
}
