/// One interface of a capture: a pcapng interface, or the only one that other formats have.
public struct CaptureInterface: Sendable, Equatable {
  /// Link type number as in pcap (187, 201, 254, 256 …); for btsnoop and PacketLogger the nearest: see ``CaptureFormat``.
  public var linkType: Int
  /// Name where the capture has one: `hci0`.
  public var name: String
  /// Description where the capture has one.
  public var description: String

  /// Makes an interface from its parts.
  public init(linkType: Int, name: String = "", description: String = "") {
    self.linkType = linkType
    self.name = name
    self.description = description
  }
}

/// A capture that is read from its start to its end. Not safe to share between threads; its batches are.
public protocol PacketSource: AnyObject {
  /// Interfaces seen so far.
  var interfaces: [CaptureInterface] { get }
  /// One line on what this is: `btsnoop (H4)`.
  var title: String { get }
  /// Size of the input in bytes where known, and how much of it was read: for progress.
  var progress: (read: Int, total: Int?) { get }
  /// Which format it is.
  var format: CaptureFormat { get }
  /// What the capture leaves out on purpose, as far as was read: what Android's filters took away.
  var limits: [CaptureLimit] { get }
  /// What was wrong with the capture where it ended, or nil where it ended as it should. Set when ``read(_:)`` has returned false.
  var damage: CaptureDamage? { get }
  /// Fills `batch` anew with the next packets. Returns false at the end (then the batch is empty).
  func read(_ batch: PacketBatch) throws(CaptureError) -> Bool
  /// What to tell the user about how it was opened: which file of an archive it is, and what else there is.
  var notices: [String] { get }
  /// Adds to ``notices``.
  func addNotice(_ text: String)
  /// Goes back to the start. Returns false where that cannot be done (pipes, live captures).
  func rewind() throws(CaptureError) -> Bool
}

extension PacketSource {
  /// Nothing is known to be left out.
  public var limits: [CaptureLimit] { [] }
  /// There is nothing to tell.
  public var notices: [String] { [] }
  /// Forgets the text.
  public func addNotice(_ text: String) {}
}

/// Something that a capture leaves out on purpose.
public struct CaptureLimit: Sendable, Equatable {
  /// A word that programs can rely on: `android-headers`.
  public var id: String
  /// A sentence for people: `redacted by Android: ACL data cut to headers`.
  public var text: String
  /// Number of packets that it was seen on; 0 where it concerns the capture as a whole.
  public var packets: Int

  /// Makes a limit from its parts.
  public init(id: String, text: String, packets: Int) {
    self.id = id
    self.text = text
    self.packets = packets
  }
}

/// Where and how a capture was cut short or damaged; what stands before was read.
public struct CaptureDamage: Sendable, Equatable {
  /// Number of the packet that is damaged, from 1.
  public var frame: Int
  /// Offset in the file, in bytes, at which the damage starts.
  public var offset: Int
  /// What is wrong, in a few words: `cut short`.
  public var what: String

  /// Makes a damage from its parts.
  public init(frame: Int, offset: Int, what: String) {
    self.frame = frame
    self.offset = offset
    self.what = what
  }
}
