import Bluetooth
import Captures
import Conversations
@_spi(Pipeline) import Profiles
import Output
@_spi(Pipeline) import Analysis
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The line at the bottom of a terminal: packets, packets a second, connections, losses, time. It is removed before rows are written and printed
/// again after them, so that they never share a line.
final class StatusLine: @unchecked Sendable {
  private var isWanted: Bool
  private let losses: () -> (kernel: Int, display: Int)
  private let start = LiveStop.now()
  private var isShown = false
  private var shown = ""
  private var packets = 0
  private var rate = 0
  private var measured: (time: Int64, packets: Int)
  /// Connections that are up, by their index in the tables.
  private var connections: Set<Int32> = []
  private var latest: Int32 = -1

  /// Makes a line on standard error, below the rows that `out` writes to the same terminal.
  init(_ out: TextBuffer, isWanted: Bool, losses: @escaping () -> (kernel: Int, display: Int)) {
    self.isWanted = isWanted
    self.losses = losses
    measured = (start, 0)
    guard isWanted else { return }
    guard let file = out.destination as? FileDestination else { return }
    file.willWrite = { [unowned self] in clear() }
    file.didWrite = { [unowned self] in draw() }
  }

  /// Updates the open connections from a row.
  func follow(_ row: PacketRow, _ tables: ConversationTables) {
    guard isWanted else { return }
    if row.meaning == .disconnected, row.connection >= 0 {
      connections.remove(row.connection)
      latest = -1
    } else if row.layer == .monitor, row.opcode == 1 || row.opcode == 9 {
      // The adapter is gone or closed.
      connections = connections.filter { tables.connections[Int($0)].adapter != row.adapter }
      latest = -1
    } else if row.connection >= 0, row.connection != latest {
      connections.insert(row.connection)
      latest = row.connection
    }
  }

  /// Shows the line again; `packets` is the number of all packets so far.
  func tick(_ packets: Int) {
    guard isWanted else { return }
    self.packets = packets
    let now = LiveStop.now()
    if now - measured.time >= 1_000_000 {
      rate = Int(Double(packets - measured.packets) * 1e6 / Double(now - measured.time) + 0.5)
      measured = (now, packets)
    }
    draw()
  }

  private func draw() {
    guard isWanted else { return }
    let losses = losses()
    let seconds = Int((LiveStop.now() - start) / 1_000_000)
    var text = packets == 1 ? "1 packet" : "\(InputOptions.grouped(packets)) packets"
    text += ", \(InputOptions.grouped(rate))/s, "
    text += connections.count == 1 ? "1 connection" : "\(connections.count) connections"
    text += ", \(InputOptions.grouped(losses.kernel)) dropped"
    if losses.display > 0 { text += ", \(InputOptions.grouped(losses.display)) not shown" }
    text += ", \(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    // A line that fills the last column would wrap.
    var size = winsize()
    let width = unsafe ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) - 1 : 79
    text = String(text.prefix(width))
    if isShown, text == shown { return }
    CommandError.printNotice("\r\u{1B}[2m\(text)\u{1B}[0m\u{1B}[K")
    shown = text
    isShown = true
  }

  /// Removes the line from the terminal.
  func clear() {
    guard isShown else { return }
    isShown = false
    CommandError.printNotice("\r\u{1B}[K")
  }

  /// Removes the line from the terminal and does not show it again.
  func end() {
    clear()
    isWanted = false
  }
}

/// Sees all rows of a live capture, for its summary and the status line.
final class LiveObserver: EventSink {
  private let summary: Summary
  private let status: StatusLine

  /// Gets all rows to compare them with the sniffers' packets.
  private let recorder: (any EventSink)?

  init(_ summary: Summary, _ status: StatusLine, _ recorder: (any EventSink)?) {
    self.summary = summary
    self.status = status
    self.recorder = recorder
  }

  func begin(_ facts: CaptureFacts) { summary.begin(facts) }
  func attribute(_ attribute: ProfileAttribute) { summary.attribute(attribute) }

  func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) throws {
    try recorder?.packet(row, batch, isPart: isPart)
    summary.packet(row, batch, isPart: isPart)
    status.follow(row, batch.tables)
  }

  func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) { summary.message(message, row, batch) }
  func finding(_ finding: Finding, _ batch: RowBatch) { summary.finding(finding, batch) }
  func end(_ outcome: Outcome) { summary.end(outcome) }
}
