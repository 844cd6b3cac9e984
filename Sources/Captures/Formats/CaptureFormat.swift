/// A file format of captures: how it is recognised, read and written. Each is described in a file of its own in this folder;
/// ``all`` (`CaptureFormats.swift`) lists them.
public final class CaptureFormat: Sendable {
  /// The way a file of this format is recognised.
  enum Recognition: Sendable {
    /// By its first bytes; true where `head` may be the start of such a file.
    case signature(@Sendable (_ head: [UInt8]) -> Bool)
    /// By a block somewhere in a text; the text is searched if no other format matches.
    case blockInText
  }

  /// A variant of the format, which `convert --to` selects by its name.
  struct Variant: Sendable, Equatable {
    /// The name: `pcap-254`.
    let name: String
    /// Description for the help text.
    let meaning: String
    /// The link type of its packets as in pcap, or the datalink of btsnoop; nil for that of the source.
    var linkType: Int?
    /// Byte order, for formats with both.
    var isBigEndian = true
  }

  /// A short name: `pcapng`.
  public let name: String
  /// Endings of file names, without the dot; the first is the usual one.
  public let fileEndings: [String]
  /// Variants for ``makeEncoder``; the first one uses the source's link type. Empty for a format that is only read.
  let variants: [Variant]
  let recognition: Recognition
  /// Opens an input that ``recognition`` has matched. Returns nil if more bytes are needed to open it (and `atEnd` is false), or if a search found
  /// nothing.
  let makeReader: @Sendable (_ input: PeekedInput, _ atEnd: Bool) throws(CaptureError) -> (any PacketSource)?
  /// Creates an encoder; nil for a format that is only read.
  let makeEncoder: (@Sendable (Variant) -> any CaptureEncoder)?
  /// The pcap link type that can hold a packet of this format completely, by the link type of the packet's interface; unlisted link types map to
  /// themselves.
  let pcapLinkTypes: [Int: Int]
  /// The format that is written instead of one that is only read.
  var substitute: CaptureFormat { isOfSniffers ? .pcapng : .btsnoop }
  /// Its packets are those of the air, which formats of HCI cannot hold.
  private let isOfSniffers: Bool

  init(
    name: String, fileEndings: [String] = [], variants: [Variant] = [], recognition: Recognition,
    makeReader: @escaping @Sendable (_ input: PeekedInput, _ atEnd: Bool) throws(CaptureError) -> (any PacketSource)?,
    makeEncoder: (@Sendable (Variant) -> any CaptureEncoder)? = nil, pcapLinkTypes: [Int: Int] = [:],
    isOfSniffers: Bool = false
  ) {
    self.name = name
    self.fileEndings = fileEndings
    self.variants = variants
    self.recognition = recognition
    self.makeReader = makeReader
    self.makeEncoder = makeEncoder
    self.pcapLinkTypes = pcapLinkTypes
    self.isOfSniffers = isOfSniffers
  }

  /// The format can be written.
  public var isWritable: Bool { makeEncoder != nil }

  /// Whether `head` may be the start of a file of this format.
  func isSignature(_ head: [UInt8]) -> Bool {
    if case .signature(let fits) = recognition { fits(head) } else { false }
  }

  /// The pcap link type that can hold all packets of an interface completely.
  func pcapLinkType(of interface: CaptureInterface) -> Int {
    if let listed = pcapLinkTypes[interface.linkType] { return listed }
    return LinkType.of(interface.linkType)?.writtenAs ?? interface.linkType
  }
}

extension CaptureFormat: Equatable {
  /// There is one object for each format.
  public static func == (lhs: CaptureFormat, other: CaptureFormat) -> Bool { lhs === other }
}
