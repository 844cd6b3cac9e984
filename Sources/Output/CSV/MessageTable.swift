import Captures
import Conversations
@_spi(Pipeline) import Profiles
@_spi(Pipeline) import Analysis
import Memory
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The messages of one kind as comma-separated values, a column for each field. The set of columns is known only after the last message: until then
/// the lines are kept in an unnamed temporary file.
@safe public final class MessageTable: EventSink {
  private let out: TextBuffer
  private let profile: String
  private let name: String
  private let clock = Clock()
  private var file: [UInt8] = []
  private let spool: TextBuffer
  private let descriptor: Int32
  private let stream: UnsafeMutablePointer<FILE>
  private let line = TextBuffer()
  private var cells = Cells()
  /// Fields that were left out because ``maxColumns``, ``maxPathBytes`` or ``maxEmptyCells`` was reached.
  public private(set) var leftOut = 0
  /// Messages written.
  public private(set) var count = 0

  /// Most columns of fields.
  private static let maxColumns = 4096
  /// Most bytes of their names.
  private static let maxPathBytes = 2 << 20
  /// Most empty cells in lines that were read before their column had its first value. Each is printed as a comma, which was not counted with its line.
  private static let maxEmptyCells = 128 << 20

  private static let heading: StaticString =
    "file,frame,time,adapter,direction,connection,peer,peer_name,handle,profile,message,characteristic,frames,payload,checksum,complete,problem,reply_to"

  /// Gathers the cells of one message.
  fileprivate struct Cells: FlatFieldSink {
    var columns: [[UInt8]: Int] = [:]
    var paths: [[UInt8]] = []
    var pathBytes = 0
    /// Cells of the current message: column, and end of its text.
    var ends: [(column: Int, end: Int)] = []
    var text = TextBuffer()
    var leftOut = 0
    /// Number of the current message, from 1; by column: the last message that has a cell there.
    private var message = 0
    private var lastMessages: [Int] = []
    private var emptyCells = 0

    /// Begins the cells of a message.
    mutating func begin() {
      ends.removeAll(keepingCapacity: true)
      text.clear()
      message += 1
    }

    private mutating func append(_ column: Int) {
      ends.append((column, text.count))
      lastMessages[column] = message
    }

    mutating func field(_ path: [UInt8], _ index: Int?, _ field: FieldContext, _ value: MessageFieldValue) {
      var path = path
      // An id that occurs again gets a column for each occurrence.
      if index == nil || index == 0 {
        var copy = 2
        while let column = columns[path], lastMessages[column] == message {
          if copy > 2 { path.removeSubrange((path.lastIndex(of: UInt8(ascii: "#")) ?? path.count)...) }
          path.append(contentsOf: Array("#\(copy)".utf8))
          copy += 1
          if copy > 64 { break }
        }
      } else if let last = ends.last, columns[path] == last.column {
        // All elements of an array share one cell.
        ends.removeLast()
        text.text("; ")
        self.text(value)
        ends.append((last.column, text.count))
        return
      }
      guard let column = column(path) else { return }
      self.text(value)
      append(column)
    }

    private mutating func column(_ path: [UInt8]) -> Int? {
      if let column = columns[path] { return column }
      guard paths.count < MessageTable.maxColumns, pathBytes + path.count <= MessageTable.maxPathBytes,
        emptyCells + message <= MessageTable.maxEmptyCells
      else {
        leftOut += 1
        return nil
      }
      emptyCells += message
      lastMessages.append(0)
      pathBytes += path.count
      columns[path] = paths.count
      paths.append(path)
      return paths.count - 1
    }

    private func text(_ value: MessageFieldValue) {
      switch value {
      case .null: break
      case .enumeration(let name, let number): if name.isEmpty { text.decimal(Int(number)) } else { text.string(name.string) }
      case .text(let bytes): text.append(bytes)
      case .bytes(let bytes): unsafe text.hex(bytes.start, bytes.count)
      default:
        var json: [UInt8] = []
        json.append(json: value)
        text.raw(json)
      }
    }
  }

  /// Prints the messages called `name` of a profile to `out`, with ``finish()``. Throws ``OutputError`` where the temporary file cannot be made.
  public init(_ out: TextBuffer, profile: String, name: String) throws(OutputError) {
    self.out = out
    self.profile = profile
    self.name = name
    guard let stream = unsafe tmpfile() else {
      throw OutputError.failed(path: "a temporary file", reason: systemMessage(errno))
    }
    unsafe self.stream = unsafe stream
    descriptor = unsafe fileno(stream)
    spool = TextBuffer(descriptor: descriptor, path: "a temporary file")
  }

  deinit { unsafe fclose(stream) }

  /// Starts a capture.
  public func begin(_ facts: CaptureFacts) { file = Array(facts.name.utf8) }

  /// Does nothing: packets have no lines.
  public func packet(_ row: PacketRow, _ batch: RowBatch, isPart: Bool) {}

  /// Keeps the line of a message.
  @_spi(Pipeline) public func message(_ message: ProfileMessage, _ row: PacketRow, _ batch: RowBatch) throws {
    guard message.kind == .message, message.profile.id == profile, message.name == name else { return }
    count += 1
    line.clear()
    let csv = CSVWriter(line)
    csv.text(file)
    csv.field { line.decimal(row.frame) }
    csv.field { clock.rfc3339(row.time, to: line) }
    csv.field { if row.adapter != 0xFFFF { line.unsigned(UInt64(row.adapter)) } }
    csv.field { line.text(row.direction.text) }
    csv.field { if row.flags.contains(.hasConnection) { line.unsigned(UInt64(row.handle)) } }
    csv.field { if row.peer >= 0 { line.address(batch.tables.peers[Int(row.peer)].address) } }
    csv.text(row.peer >= 0 ? batch.tables.name(of: row.peer) : [])
    csv.field { if row.flags.contains(.hasAttribute) { line.unsigned(UInt64(row.attributeHandle)) } }
    csv.names(of: message)
    csv.message(message)
    cells.begin()
    var fields = FlatFields(cells)
    message.visitFields(&fields)
    cells = fields.sink
    leftOut = cells.leftOut
    // The line has a comma for each column that is known so far.
    message.wrote(line.count + cells.text.count + 8 * cells.ends.count + cells.paths.count)

    number(line.count)
    number(cells.ends.count)
    if let base = unsafe line.gathered.baseAddress { unsafe spool.append(base, line.count) }
    var start = 0
    for (column, end) in cells.ends {
      number(column)
      number(end - start)
      if let base = unsafe cells.text.gathered.baseAddress { unsafe spool.append(base + start, end - start) }
      start = end
    }
    if spool.count >= 1 << 16 { try spool.flush() }
  }

  private func number(_ number: Int) {
    unsafe withUnsafeBytes(of: UInt32(truncatingIfNeeded: number)) { bytes in
      for index in bytes.indices { unsafe spool.byte(bytes[index]) }
    }
  }

  /// Prints the heading and all lines. Throws ``OutputError``.
  public func finish() throws(OutputError) {
    try spool.flush()
    out.text(Self.heading)
    let csv = CSVWriter(out)
    csv.skip()
    for path in cells.paths { csv.text(path) }
    csv.end()
    var reader = SpoolReader(descriptor)
    for _ in 0..<count {
      let length = try reader.number()
      var texts: [(column: Int, text: [UInt8])] = []
      let cells = try reader.number()
      try unsafe reader.read(length) { if let base = $0.baseAddress { unsafe out.append(base, $0.count) } }
      for _ in 0..<cells {
        let column = try reader.number()
        var text: [UInt8] = []
        try unsafe reader.read(try reader.number()) { text = unsafe Array($0) }
        texts.append((column, text))
      }
      texts.sort { $0.column < $1.column }
      csv.skip()
      var next = 0
      for (column, text) in texts {
        csv.skip(column - next)
        csv.cell(text)
        next = column + 1
      }
      csv.skip(self.cells.paths.count - next)
      csv.end()
      if out.count >= 1 << 16 { try out.flush() }
    }
    try out.flush()
  }
}

extension CSVWriter {
  /// Writes a number without quotes, and any other text in quotes.
  fileprivate func cell(_ bytes: [UInt8]) {
    let isNumber =
      !bytes.isEmpty && bytes.allSatisfy { "0123456789.-".utf8.contains($0) } && Double(String(decoding: bytes, as: UTF8.self)) != nil
    if isNumber { field { out.raw(bytes) } } else { text(bytes) }
  }
}

/// Reads the lines back from the temporary file.
private struct SpoolReader {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var at = 0
  private var offset: off_t = 0

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  mutating func number() throws(OutputError) -> Int {
    var value: UInt32 = 0
    try unsafe read(4) { bytes in unsafe withUnsafeMutableBytes(of: &value) { unsafe $0.copyBytes(from: bytes) } }
    return Int(value)
  }

  mutating func read(_ count: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) throws(OutputError) {
    while buffer.count - at < count {
      buffer.removeFirst(at)
      at = 0
      let have = buffer.count
      let room = max(1 << 16, count - have)
      buffer.append(contentsOf: repeatElement(0, count: room))
      let got = unsafe buffer.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress.map { unsafe $0 + have }, room, offset) }
      if got <= 0 { throw OutputError.failed(path: "a temporary file", reason: systemMessage(errno)) }
      buffer.removeLast(room - got)
      offset += off_t(got)
    }
    unsafe buffer.withUnsafeBufferPointer { unsafe body(UnsafeBufferPointer(rebasing: $0[at..<(at + count)])) }
    at += count
  }
}
