/// An interface of a capture: a pcapng interface, or the only one of other formats.
public struct CaptureInterface: Sendable, Equatable {
  /// Link type number as in pcap (187, 201, 254, 256 …); for btsnoop and PacketLogger the nearest: see ``CaptureFormat``.
  public var linkType: Int
  /// Name where the capture has one: `hci0`.
  public var name: String
  /// Description where the capture has one.
  public var description: String

  /// Creates an interface.
  public init(linkType: Int, name: String = "", description: String = "") {
    self.linkType = linkType
    self.name = name
    self.description = description
  }

  /// Whether a name is that of an adapter with a number: `hci0`.
  package static func isNumbered(_ name: String) -> Bool { name.hasPrefix("hci") && UInt16(name.dropFirst(3)) != nil }
}

/// A capture that is read from its start to its end. Not safe to share between threads; its batches are.
public protocol PacketSource: AnyObject {
  /// Interfaces seen so far.
  var interfaces: [CaptureInterface] { get }
  /// Format in one line: `btsnoop (H4)`.
  var title: String { get }
  /// Size of the input in bytes where known, and how much of it was read: for progress.
  var progress: (read: Int, total: Int?) { get }
  /// Format of the capture.
  var format: CaptureFormat { get }
  /// Packets or data that the capture leaves out on purpose, so far: for instance those removed by Android's filters.
  var limits: [CaptureLimit] { get }
  /// What the file has beside packets and the comments of packets, so far. ``CaptureWriter`` writes only names and descriptions of interfaces.
  var metadata: [CaptureMetadata] { get }
  /// The damage at which the capture ended, or nil. Set when ``read(_:)`` has returned false.
  var damage: CaptureDamage? { get }
  /// Refills `batch` with the next packets. Returns false at the end (then the batch is empty).
  func read(_ batch: PacketBatch) throws(CaptureError) -> Bool
  /// Notices for the user about how it was opened: the file of an archive that is read, and the others.
  var notices: [String] { get }
  /// Adds to ``notices``.
  func addNotice(_ text: String)
  /// Goes back to the start. Returns false where that cannot be done (pipes, live captures).
  func rewind() throws(CaptureError) -> Bool
}

extension PacketSource {
  /// Default: no known limits.
  public var limits: [CaptureLimit] { [] }
  /// Default: nothing.
  public var metadata: [CaptureMetadata] { [] }
  /// Default: no notices.
  public var notices: [String] { [] }
  /// Default: ignores the text.
  public func addNotice(_ text: String) {}
}

/// Packets or data that a capture leaves out on purpose.
public struct CaptureLimit: Sendable, Equatable {
  /// A stable identifier for programs: `android-headers`.
  public var id: String
  /// A sentence for users: `redacted by Android: ACL data cut to headers`.
  public var text: String
  /// Number of affected packets; 0 where it concerns the entire capture.
  public var packets: Int

  /// Creates a limit.
  public init(id: String, text: String, packets: Int) {
    self.id = id
    self.text = text
    self.packets = packets
  }

  /// Times have no relation to the calendar.
  package static let noTimeOfDay = CaptureLimit(
    id: "no-time-of-day", text: "the file has no time of day: times count from the start of the capture", packets: 0)
}

/// Data of one kind that a file has beside its packets: names, comments of the capture, keys.
public struct CaptureMetadata: Sendable, Equatable {
  /// The kind of data.
  public var kind: Kind
  /// How often it occurs.
  public var count = 0
  /// The first text, cut to ``maxBytes``; for data that are no text, their bytes.
  public var first: [UInt8] = []

  /// Most bytes of ``first``.
  static let maxBytes = 1024

  /// The kinds of data; the raw values name them in the terms of the format's specification.
  public enum Kind: String, Sendable {
    case sectionComment = "comment of the section"
    case sectionHardware = "hardware of the section"
    case sectionSystem = "operating system of the section"
    case sectionApplication = "application of the section"
    case sectionOption = "unknown option of the section"
    case interfaceComment = "comment of an interface"
    case interfaceName = "name of an interface"
    case interfaceDescription = "description of an interface"
    case interfaceAddress = "address of an interface"
    case interfaceFilter = "filter of an interface"
    case interfaceSystem = "operating system of an interface"
    case interfaceHardware = "hardware of an interface"
    case interfaceOption = "unknown option of an interface"
    case statisticsComment = "comment of an interface's statistics"
    case packetOption = "unknown option of a packet"
    case resolvedNames = "block with resolved names"
    case secrets = "block with secrets"
    case customBlock = "custom block"
    case unknownBlock = "unknown block"
    case bytesBehindPacket = "bytes behind a packet"
    case bytesBehindOptions = "bytes behind the options of a block"
  }
}

/// The location and kind of damage of a capture; packets before it were read.
public struct CaptureDamage: Sendable, Equatable {
  /// Number of the damaged packet, from 1.
  public var frame: Int
  /// Offset in the file, in bytes, at which the damage starts.
  public var offset: Int
  /// What is wrong, in a few words: `cut short`.
  public var what: String

  /// Creates a damage.
  public init(frame: Int, offset: Int, what: String) {
    self.frame = frame
    self.offset = offset
    self.what = what
  }
}

extension [CaptureMetadata] {
  /// Counts data of one kind; the first ones are kept.
  mutating func count(_ kind: CaptureMetadata.Kind, _ bytes: RawSpan) {
    let index = firstIndex { $0.kind == kind } ?? count
    if index == count {
      var new = CaptureMetadata(kind: kind)
      new.first.append(bytes.extracting(first: CaptureMetadata.maxBytes))
      append(new)
    }
    self[index].count += 1
  }

  /// These and further ones; those of one kind are counted together.
  func adding(_ others: [CaptureMetadata]) -> [CaptureMetadata] {
    var all = self
    for other in others {
      if let index = all.firstIndex(where: { $0.kind == other.kind }) { all[index].count += other.count } else { all.append(other) }
    }
    return all
  }
}
