import Bluetooth
import Conversations
import Profiles

/// Prints messages on a thread of its own, in the words of the row printer that made it.
public protocol MessagePrinter: AnyObject {
  /// A profile tells the UUID of an attribute that nothing else tells of, by its handle.
  func identified(_ attribute: Int32, _ uuid: Bluetooth.BluetoothUUID)
  /// Prints a message below its row. Good until the call returns.
  func message(_ message: Message, _ row: PacketRow, _ batch: RowBatch)
  /// Number of bytes printed since they were last handed over.
  var count: Int { get }
  /// Hands over what was printed, and goes on in the memory of `spare`, where there is one.
  func handOver(_ spare: (any MessageText)?) -> any MessageText
}

extension MessagePrinter {
  /// A printer without UUIDs leaves them out.
  public func identified(_ attribute: Int32, _ uuid: Bluetooth.BluetoothUUID) {}
}

/// Text of messages on its way to the row printer.
public protocol MessageText: AnyObject {
  /// The text; good as long as this object is neither written to nor gone.
  var bytes: UnsafeRawBufferPointer { get }
}

/// The second thread of a timeline: takes batches of rows, and gives them back with the text of their messages. The profile engine and all
/// that it makes never leave that thread.
final class MessageStage: @unchecked Sendable {
  private let teller: RowTeller
  private let words: any MessagePrinter
  private let waiting = BatchQueue<ToldBatch>(bound: .max)
  /// What is told, in order. Closed behind the last.
  let told = BatchQueue<ToldBatch>(bound: .max)
  /// Used by the first thread only.
  private var spares: [ToldBatch] = []

  /// Tells by `teller`, in the words of `words`. Neither is used by anybody else while this runs.
  init(_ teller: RowTeller, _ words: any MessagePrinter) {
    self.teller = teller
    self.words = words
  }

  /// Takes a batch whose rows do not change any more.
  func take(_ batch: RowBatch) {
    let told = spares.popLast() ?? ToldBatch(batch)
    told.batch = batch
    _ = waiting.push(told)
  }

  /// No batch comes any more; what is still open comes out behind `last`, where the capture came to its end.
  func end(_ last: (row: PacketRow, batch: RowBatch)?) {
    if let last { _ = waiting.push(ToldBatch(last.batch, end: last.row)) }
    waiting.close()
  }

  /// Takes back what was printed.
  func spare(_ told: ToldBatch) { spares.append(told) }

  /// Ends early.
  func stop() {
    waiting.cancel()
    told.close()
  }

  /// Tells batches until there are no more, on a thread of its own.
  func run() {
    let recorder = MessageRecorder(words)
    // What records throws nothing.
    while let next = waiting.pop() {
      if let end = next.end { try? teller.end(end, next.batch, to: recorder) } else { try? teller.tell(next.batch, to: recorder) }
      recorder.handOver(to: next)
      guard told.push(next) else { return }
    }
    told.close()
  }
}

/// The rows of a batch, and what is to be told besides them.
final class ToldBatch: @unchecked Sendable {
  /// Something to tell behind the first rows of the batch.
  fileprivate struct Event {
    enum What: UInt8 {
      /// The next row is not told as it stands: `number` is its UUID source, and 256 more where it carries a part of a message.
      case row
      /// The number of a name.
      case name
      /// The number of a UUID.
      case uuid
      /// The number of a finding.
      case finding
      /// Messages: where their text ends.
      case text
    }
    var what: What
    /// How many rows stand before it.
    var rows: Int
    var number: Int
  }

  var batch: RowBatch
  /// The row behind which comes out what is still open, at the end of the capture. The rows of the batch were told already.
  let end: PacketRow?
  fileprivate var events: [Event] = []
  fileprivate var names: [(attribute: Int32, name: String)] = []
  fileprivate var uuids: [(attribute: Int32, uuid: Bluetooth.BluetoothUUID)] = []
  fileprivate var findings: [Finding] = []
  fileprivate var text: (any MessageText)?

  init(_ batch: RowBatch, end: PacketRow? = nil) {
    self.batch = batch
    self.end = end
  }

  /// Prints the rows, the messages behind them and the findings, in their order; what devices advertise is told by `advertisements`,
  /// unless it was told before.
  func print(_ advertisements: AdvertisementTeller?, to printer: some RowPrinter) throws {
    // Asked for once, not with every row.
    let batch = batch
    let bytes = unsafe text?.bytes
    unsafe try batch.rows.withUnsafeBufferPointer { rows in
      unsafe try batch.feeds.withUnsafeBufferPointer { feeds in
        var next = end == nil ? 0 : rows.count
        var feed = end == nil && advertisements != nil ? 0 : feeds.count
        func tell(_ row: PacketRow, isPart: Bool) throws {
          try printer.packet(row, batch, isPart: isPart)
          while feed < feeds.count, unsafe feeds[feed].row <= next {
            unsafe try advertisements?.tell(feeds, &feed, row, batch, to: printer)
          }
          next += 1
        }
        var written = 0
        for event in events {
          while next < event.rows { unsafe try tell(rows[next], isPart: false) }
          switch event.what {
          case .row:
            var row = unsafe rows[next]
            row.uuidSource = UUIDSource(rawValue: UInt8(truncatingIfNeeded: event.number)) ?? .none
            try tell(row, isPart: event.number >= 256)
          case .name: printer.named(names[event.number].attribute, names[event.number].name)
          case .uuid: printer.identified(uuids[event.number].attribute, uuids[event.number].uuid)
          case .finding: try printer.finding(findings[event.number], batch)
          case .text:
            if let bytes = unsafe bytes { unsafe try printer.messages(UnsafeRawBufferPointer(rebasing: bytes[written..<event.number])) }
            written = event.number
          }
        }
        while next < rows.count { unsafe try tell(rows[next], isPart: false) }
      }
    }
    if let end { try advertisements?.end(end, batch, to: printer) } else { try printer.settle(batch) }
  }
}

/// Takes down what is to be told besides the rows of a batch, and has the messages printed.
private final class MessageRecorder: RowPrinter {
  private let words: any MessagePrinter
  private var rows = 0
  private var events: [ToldBatch.Event] = []
  private var names: [(attribute: Int32, name: String)] = []
  private var uuids: [(attribute: Int32, uuid: Bluetooth.BluetoothUUID)] = []
  private var findings: [Finding] = []

  init(_ words: any MessagePrinter) { self.words = words }

  /// Hands over what was taken down, and begins anew.
  func handOver(to told: ToldBatch) {
    swap(&told.events, &events)
    swap(&told.names, &names)
    swap(&told.uuids, &uuids)
    swap(&told.findings, &findings)
    told.text = words.handOver(told.text)
    events.removeAll(keepingCapacity: true)
    names.removeAll()
    uuids.removeAll()
    findings.removeAll(keepingCapacity: true)
    rows = 0
  }

  @inline(__always)
  private func note(_ what: ToldBatch.Event.What, _ number: Int) {
    events.append(ToldBatch.Event(what: what, rows: rows, number: number))
  }

  @inline(__always)
  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {
    if isPart || row.uuidSource == .profile { note(.row, Int(row.uuidSource.rawValue) + (isPart ? 256 : 0)) }
    rows += 1
  }

  func message(_ message: Message, _ row: PacketRow, _ batch: RowBatch) {
    let before = words.count
    words.message(message, row, batch)
    guard words.count > before else { return }
    if let last = events.indices.last, events[last].what == .text, events[last].rows == rows {
      events[last].number = words.count
    } else {
      note(.text, words.count)
    }
  }

  func finding(_ finding: Finding, _ batch: RowBatch) {
    note(.finding, findings.count)
    findings.append(finding)
  }

  func named(_ attribute: Int32, _ name: String) {
    note(.name, names.count)
    names.append((attribute, name))
  }

  func identified(_ attribute: Int32, _ uuid: Bluetooth.BluetoothUUID) {
    note(.uuid, uuids.count)
    uuids.append((attribute, uuid))
    words.identified(attribute, uuid)
  }

  func begin(_ facts: CaptureFacts) {}
  func flush() {}
  func end(_ outcome: Outcome) {}
}
