import Bluetooth
import Captures
import Conversations
import Memory
@_spi(Pipeline) import Profiles

/// What is known of a capture before its first row is emitted.
public struct CaptureFacts: Sendable {
  /// Name as the user gave it, without its folder.
  public var name: String
  /// What it is: `btsnoop (H4)`.
  public var title: String
  /// Number of packets, or nil where it can be read only once.
  public var packets: Int?
  /// Time of the first packet, µs since 1970.
  public var first: Int64?
  /// Time of the last packet, or nil where it can be read only once.
  public var last: Int64?
  /// It is one of several captures; rows name it.
  public var isOneOfSeveral = false
  /// Number of this capture among those of the command line, from 0.
  public var number = 0

  /// Makes facts from what is known when a capture is opened.
  public init(name: String, title: String, isOneOfSeveral: Bool = false, number: Int = 0) {
    self.name = name
    self.title = title
    self.isOneOfSeveral = isOneOfSeveral
    self.number = number
  }
}

/// How a run over a capture ended.
public struct Outcome: Sendable {
  /// Packets read.
  public var packets = 0
  /// What was wrong with the capture, or nil.
  public var damage: CaptureDamage?
  /// What the capture is known to leave out.
  public var limits: [CaptureLimit] = []
  /// The tables at the end.
  public var tables = Tables()
  /// Who subscribed to which characteristic.
  public var subscriptions = SubscriptionTracker()
  /// Packets that no row stands for.
  public var withoutRow = PacketsWithoutRow()
  /// Packets that a filter did not pass, and of which the capture kept too little to be sure.
  public var unjudged = 0
}

/// An attribute that a profile knows.
public struct ProfileAttribute: Sendable {
  /// Index into ``Tables/attributes``.
  public var index: Int32
  /// The profile's name for it.
  public var name: String
  /// Its UUID, where only the profile knows it, by the attribute's handle.
  public var uuid: BluetoothUUID?
}

/// Receives the events of a capture in their order: rows, the messages that profiles make of their values, and findings.
public protocol EventSink: AnyObject {
  /// Which fields of messages it looks at.
  @_spi(Pipeline) var wantsFields: ProfileEngine.Fields { get }
  /// A capture starts.
  func begin(_ facts: CaptureFacts) throws
  /// A profile knows an attribute; called once for each, before the first row of it.
  func attribute(_ attribute: ProfileAttribute)
  /// A row. `isPart` says that its value is a part of a message that is not whole yet.
  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws
  /// A message of a profile, right behind the row that completed it. It is valid until the call returns.
  @_spi(Pipeline) func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws
  /// A finding, behind the row that it is about.
  func finding(_ finding: Finding, _ batch: RowBatch) throws
  /// All rows of a batch were emitted. Its bytes are overwritten soon after this returns.
  func batchDidEnd(_ batch: RowBatch) throws
  /// Makes a renderer that a second thread may use for the messages of the capture that has begun; nil where this sink has to see the messages
  /// themselves.
  func makeMessageRenderer() -> (any MessageRenderer)?
  /// Makes a sink that writes the rows, messages and findings of some batches on another thread. Returns nil where the text of a row depends on
  /// the rows before it, as where repeated rows are folded.
  func makeRowRenderer() -> (any RowRenderer)?
  /// What its renderer wrote: messages, right behind the row that completed them, or all that belongs to a batch.
  func rendered(_ text: BorrowedBytes) throws
  /// What was written so far shall be visible now.
  func flush() throws
  /// The capture ended.
  func end(_ outcome: Outcome) throws
}

extension EventSink {
  /// Most sinks show all fields of messages.
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
  /// Most sinks see the messages themselves.
  public func makeMessageRenderer() -> (any MessageRenderer)? { nil }
  /// Most sinks compare rows with those before.
  public func makeRowRenderer() -> (any RowRenderer)? { nil }
  /// A sink without a renderer gets no such text.
  public func rendered(_ text: BorrowedBytes) throws {}
  /// Does nothing.
  public func flush() throws {}
  /// Does nothing.
  public func end(_ outcome: Outcome) throws {}
}

/// Renders messages on a second thread, for the sink that made it.
public protocol MessageRenderer: AnyObject {
  /// The second thread decodes advertisements too; false where writing the rows is so cheap that the sink's own thread can decode them.
  var decodesAdvertisements: Bool { get }
  /// A profile knows an attribute.
  func attribute(_ attribute: ProfileAttribute)
  /// Renders a message. It is valid until the call returns.
  @_spi(Pipeline) func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch)
  /// Number of bytes rendered since the last ``handOver(_:)``.
  var count: Int { get }
  /// Hands over what was rendered, and goes on in the memory of `spare`, where there is one.
  func handOver(_ spare: (any MessageText)?) -> any MessageText
}

extension MessageRenderer {
  /// Most sinks have enough to do with their rows.
  public var decodesAdvertisements: Bool { true }
  /// Does nothing.
  public func attribute(_ attribute: ProfileAttribute) {}
}

/// Writes what belongs to batches on another thread, for the sink that made it: rows, messages as they were rendered, findings. It sees all
/// attributes that profiles know, but only some of the batches.
public protocol RowRenderer: EventSink {
  /// Returns the text that was written since the last call. The next text is written into `spare`, a text that was returned before and that the
  /// caller no longer needs; into new memory where it is nil.
  func handOver(_ spare: (any MessageText)?) -> any MessageText
}

/// Rendered text on its way to the sink.
public protocol MessageText: AnyObject {
  /// The text; valid as long as this object exists and is not written to.
  var bytes: BorrowedBytes { get }
}

/// Hands the events of a capture to an observer before they reach a sink that filters or prints them.
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
