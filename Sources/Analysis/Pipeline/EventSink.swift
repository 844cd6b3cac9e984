import Bluetooth
import Captures
import Conversations
import Memory
@_spi(Pipeline) import Profiles

/// Facts of a capture that are known before its first row is emitted.
public struct CaptureFacts: Sendable {
  /// File name as given by the user, without the folder.
  public var name: String
  /// Format of the capture: `btsnoop (H4)`.
  public var title: String
  /// Number of packets, or nil if the capture can be read only once.
  public var packets: Int?
  /// Time of the first packet, µs since 1970.
  public var first: Int64?
  /// Time of the last packet, or nil if the capture can be read only once.
  public var last: Int64?
  /// It is one of several captures; rows show its name.
  public var isFromSeveralCaptures = false
  /// Number of this capture among those of the command line, from 0.
  public var number = 0

  /// Creates facts when a capture is opened.
  public init(name: String, title: String, isFromSeveralCaptures: Bool = false, number: Int = 0) {
    self.name = name
    self.title = title
    self.isFromSeveralCaptures = isFromSeveralCaptures
    self.number = number
  }

  /// Whether the times of a capture that begins at `first` are times of day. Bluetooth is younger than 1971: a capture that begins within a year of
  /// 1970-01-01 was made without a clock, or with one that was never set and counts from its own start.
  package static func hasTimeOfDay(_ first: Int64) -> Bool { first.magnitude > 366 * 86_400_000_000 }
}

/// How a run over a capture ended.
public struct Outcome: Sendable {
  /// Packets read.
  public var packets = 0
  /// Damage of the capture, or nil.
  public var damage: CaptureDamage?
  /// Packets that the capture is known to omit.
  public var limits: [CaptureLimit] = []
  /// The tables at the end.
  public var tables = ConversationTables()
  /// The subscriptions to characteristics.
  public var subscriptions = SubscriptionTracker()
  /// Packets without a row.
  public var withoutRow = PacketsWithoutRow()
  /// Packets that a filter did not pass, but might have if the capture had kept all of their bytes.
  public var unjudged = 0
}

/// An attribute that a profile describes.
public struct ProfileAttribute: Sendable {
  /// Index into ``ConversationTables/attributes``.
  public var index: Int32
  /// The profile's name for it.
  public var name: String
  /// Its UUID, if only the profile gives it, by the attribute's handle.
  public var uuid: BluetoothUUID?
}

/// Receives the events of a capture in their order: rows, the messages that profiles make of their values, and findings.
public protocol EventSink: AnyObject {
  /// The fields of messages that it needs.
  @_spi(Pipeline) var wantsFields: ProfileEngine.Fields { get }
  /// A capture starts.
  func begin(_ facts: CaptureFacts) throws
  /// A profile describes an attribute; called once for each, before the first row of it.
  func attribute(_ attribute: ProfileAttribute)
  /// A row. `isPart`: its value is a part of an incomplete message.
  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws
  /// A message of a profile, directly after the row that completed it. It is valid until the call returns.
  @_spi(Pipeline) func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws
  /// A finding, after the row that it refers to.
  func finding(_ finding: Finding, _ batch: RowBatch) throws
  /// All rows of a batch were emitted. Its bytes are overwritten soon after this returns.
  func batchDidEnd(_ batch: RowBatch) throws
  /// Creates a renderer that a second thread may use for the messages of the current capture; nil if this sink needs the messages themselves.
  func makeMessageRenderer() -> (any MessageRenderer)?
  /// Creates a sink that writes the rows, messages and findings of some batches on another thread. Returns nil if the text of a row depends on the
  /// rows before it, as when repeated rows are folded.
  func makeRowRenderer() -> (any RowRenderer)?
  /// Text of its renderer: messages, directly after the row that completed them, or all events of a batch or of a part of it. The text of one row can
  /// come in several parts.
  func rendered(_ text: BorrowedBytes, _ batch: RowBatch) throws
  /// Makes the output so far visible.
  func flush() throws
  /// The capture ended.
  func end(_ outcome: Outcome) throws
}

extension EventSink {
  /// Default: the sink shows all fields of messages.
  @_spi(Pipeline) public var wantsFields: ProfileEngine.Fields { .all }
  /// Does nothing.
  public func begin(_ facts: CaptureFacts) throws {}
  /// Does nothing.
  public func attribute(_ attribute: ProfileAttribute) {}
  /// Does nothing.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {}
  /// Does nothing.
  public func finding(_ finding: Finding, _ batch: RowBatch) throws {}
  /// Does nothing.
  public func batchDidEnd(_ batch: RowBatch) throws {}
  /// Default: the sink needs the messages themselves.
  public func makeMessageRenderer() -> (any MessageRenderer)? { nil }
  /// Default: the sink compares rows with earlier ones.
  public func makeRowRenderer() -> (any RowRenderer)? { nil }
  /// A sink without a renderer receives no rendered text.
  public func rendered(_ text: BorrowedBytes, _ batch: RowBatch) throws {}
  /// Does nothing.
  public func flush() throws {}
  /// Does nothing.
  public func end(_ outcome: Outcome) throws {}
}

/// Renders messages on a second thread, for the sink that made it.
public protocol MessageRenderer: AnyObject {
  /// The second thread decodes advertisements too; false where writing the rows is so cheap that the sink's own thread can decode them.
  var decodesAdvertisements: Bool { get }
  /// A profile describes an attribute.
  func attribute(_ attribute: ProfileAttribute)
  /// Renders a message. It is valid until the call returns.
  @_spi(Pipeline) func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch)
  /// Number of bytes rendered since the last ``handOver(_:)``.
  var count: Int { get }
  /// Returns the rendered text, and continues in the memory of `spare`, if there is one.
  func handOver(_ spare: (any MessageText)?) -> any MessageText
}

extension MessageRenderer {
  /// Default: writing the rows takes long enough.
  public var decodesAdvertisements: Bool { true }
  /// Does nothing.
  public func attribute(_ attribute: ProfileAttribute) {}
}

/// Writes the rows, rendered messages and findings of batches on another thread, for the sink that created it. It receives all attributes that
/// profiles describe, but only some of the batches.
public protocol RowRenderer: EventSink {
  /// Returns the text that was written since the last call. The next text is written into `spare`, an earlier text that the caller no longer needs;
  /// into new memory where it is nil.
  func handOver(_ spare: (any MessageText)?) -> any MessageText
}

/// Rendered text on its way to the sink.
public protocol MessageText: AnyObject {
  /// The text; valid as long as this object exists and is not written to.
  var bytes: BorrowedBytes { get }
}

/// Passes the events of a capture to an observer before they reach a sink that filters or prints them.
final class ObservedSink<Sink: EventSink>: EventSink {
  private let observer: any EventSink
  private let sink: Sink

  init(_ observer: any EventSink, _ sink: Sink) {
    self.observer = observer
    self.sink = sink
  }

  func begin(_ facts: CaptureFacts) throws { try sink.begin(facts) }

  func attribute(_ attribute: ProfileAttribute) {
    observer.attribute(attribute)
    sink.attribute(attribute)
  }

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    try observer.packet(row, batch, isPart: isPart)
    try sink.packet(row, batch, isPart: isPart)
  }

  func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    try observer.message(message, row, batch)
    try sink.message(message, row, batch)
  }

  func finding(_ finding: Finding, _ batch: RowBatch) throws {
    try observer.finding(finding, batch)
    try sink.finding(finding, batch)
  }

  func batchDidEnd(_ batch: RowBatch) throws { try sink.batchDidEnd(batch) }
  func flush() throws { try sink.flush() }
  func end(_ outcome: Outcome) throws { try sink.end(outcome) }
}
