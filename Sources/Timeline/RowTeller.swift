import Bluetooth
import Conversations
import Profiles

/// Tells a printer the rows of batches, the messages that profiles make of them, and what is wrong with these. For one thread at a time.
final class RowTeller {
  private let messages: MessageSource?
  private let teller: MessageTeller?
  /// Tells what devices advertise; nil where another thread does.
  private let advertisements: AdvertisementTeller?
  private let observer: (any RowPrinter)?

  init(_ messages: MessageSource?, _ advertisements: AdvertisementTeller?, _ observer: (any RowPrinter)?) {
    self.messages = messages
    self.advertisements = advertisements
    self.observer = observer
    teller = messages.map { MessageTeller($0.engine, observer) }
  }

  /// The capture ended behind `row`: what is still open comes out.
  func end(_ row: PacketRow, _ batch: RowBatch, to printer: some RowPrinter) throws {
    try teller?.end(row, batch, messages, to: printer)
    try advertisements?.end(row, batch, to: printer)
  }

  /// Tells the rows of a batch, which do not change any more: they are read where they lie.
  func tell(_ batch: RowBatch, to printer: some RowPrinter) throws {
    if let observer {
      for row in batch.rows { try observer.packet(row, batch, isPart: false) }
      for finding in batch.findings { try observer.finding(finding, batch) }
    }
    var finding = 0
    let findings = batch.findings.count
    if let messages, let teller {
      unsafe try batch.rows.withUnsafeBufferPointer { rows in
        unsafe try tell(rows, of: batch, messages, teller, observer, &finding, to: printer)
      }
    } else {
      unsafe try batch.rows.withUnsafeBufferPointer { rows in
        for index in rows.indices {
          while finding < findings, batch.findings[finding].position <= index { try tell(&finding, of: batch, to: printer) }
          unsafe try printer.packet(rows[index], batch, isPart: false)
        }
      }
    }
    while finding < findings { try tell(&finding, of: batch, to: printer) }
    try printer.settle(batch)
  }

  /// Tells a finding of a batch, and goes on to the next.
  private func tell(_ finding: inout Int, of batch: RowBatch, to printer: some RowPrinter) throws {
    if isNews(batch.findings[finding]) { try printer.finding(batch.findings[finding], batch) }
    finding += 1
  }

  /// Tells rows with the messages behind them. What is asked for with every row is lent by the caller: asking would count it each time.
  private func tell(
    _ rows: UnsafeBufferPointer<PacketRow>, of batch: RowBatch, _ messages: MessageSource, _ teller: MessageTeller,
    _ observer: (any RowPrinter)?, _ finding: inout Int, to printer: some RowPrinter
  ) throws {
    var feed = 0
    let findings = batch.findings.count
    unsafe try batch.feeds.withUnsafeBufferPointer { feeds in
      for index in rows.indices {
        while finding < findings, batch.findings[finding].position <= index { try tell(&finding, of: batch, to: printer) }
        unsafe messages.prepare(rows[index], batch) { name($0, $1, $2, printer) }
        unsafe teller.follow(rows[index], batch)
        if unsafe rows[index].uuidSource == .none, unsafe messages.knows(rows[index].attribute, rows[index].connection) {
          unsafe try print(messages, teller, batch, told: rows[index], feeds, &feed, index, printer)
          continue
        }
        if feed < feeds.count, unsafe feeds[feed].row == index {
          unsafe try print(messages, teller, batch, rows[index], feeds, &feed, printer)
        } else {
          unsafe try printer.packet(rows[index], batch, isPart: false)
        }
        if unsafe rows[index].meaning == .disconnected { unsafe try end(messages, teller, batch, rows[index], printer) }
      }
      var isPrinted = true
      while feed < feeds.count {
        if unsafe feeds[feed].late >= 0 { unsafe try tell(feeds[feed], messages, teller, batch, PacketRow(), &isPrinted, printer) }
        feed += 1
      }
    }
  }

  /// Tells what a profile calls an attribute.
  private func name(_ attribute: Int32, _ name: String, _ uuid: Bluetooth.BluetoothUUID?, _ printer: some RowPrinter) {
    observer?.named(attribute, name)
    printer.named(attribute, name)
    if let uuid { printer.identified(attribute, uuid) }
  }

  /// What is guessed of answers is left out where a profile knows.
  private func isNews(_ finding: Finding) -> Bool {
    finding.code != .answerMayBeMissed || messages?.knows(finding.attribute, finding.connection) != true
  }

  /// Prints a row whose attribute only a profile knows.
  @inline(never)
  private func print(
    _ messages: MessageSource, _ teller: MessageTeller, _ batch: RowBatch, told row: PacketRow, _ feeds: UnsafeBufferPointer<Feed>,
    _ feed: inout Int, _ index: Int, _ printer: some RowPrinter
  ) throws {
    var row = row
    row.uuidSource = .profile
    if feed < feeds.count, unsafe feeds[feed].row == index {
      unsafe try print(messages, teller, batch, row, feeds, &feed, printer)
    } else {
      try printer.packet(row, batch, isPart: false)
    }
  }

  /// Prints a row whose bytes profiles may understand, and the messages that it completed.
  @inline(__always)
  private func print(
    _ messages: MessageSource, _ teller: MessageTeller, _ batch: RowBatch, _ row: PacketRow, _ feeds: UnsafeBufferPointer<Feed>,
    _ feed: inout Int, _ printer: some RowPrinter
  ) throws {
    let index = unsafe feeds[feed].row
    if unsafe feeds[feed].source == .advertisement {
      try printer.packet(row, batch, isPart: false)
      if let advertisements { return unsafe try advertisements.tell(feeds, &feed, row, batch, to: printer) }
      while feed < feeds.count, unsafe feeds[feed].row == index { feed += 1 }
      return
    }
    var isPrinted = false
    while feed < feeds.count, unsafe feeds[feed].row == index {
      if unsafe feeds[feed].attribute != row.attribute || feeds[feed].late >= 0 {
        unsafe try tell(feeds[feed], messages, teller, batch, row, &isPrinted, printer)
        feed += 1
        continue
      }
      let isTaken = unsafe messages.feed(feeds[feed], row, batch)
      feed += 1
      guard isTaken else { continue }
      if !isPrinted {
        isPrinted = true
        try printer.packet(row, batch, isPart: !messages.engine.hasMessages)
      }
      if messages.engine.hasMessages { try teller.tell(row, batch, messages, to: printer) }
    }
    if !isPrinted { try printer.packet(row, batch, isPart: false) }
  }

  /// Tells the messages of a value that is not the row's own: one of several in its PDU, or one that was read before it.
  @inline(never)
  private func tell(
    _ feed: Feed, _ messages: MessageSource, _ teller: MessageTeller, _ batch: RowBatch, _ row: PacketRow, _ isPrinted: inout Bool,
    _ printer: some RowPrinter
  ) throws {
    var own = feed.late < 0 ? row : batch.late[Int(feed.late)]
    if own.layer == .att {
      own.attribute = feed.attribute
      own.attributeHandle = feed.channel
      own.flags.insert(.hasAttribute)
      own.uuidSource = batch.tables.source(of: feed.attribute, at: own.frame)
      messages.prepare(own, batch) { name($0, $1, $2, printer) }
      if own.uuidSource == .none, messages.knows(own.attribute, own.connection) { own.uuidSource = .profile }
    }
    guard messages.feed(feed, own, batch) else { return }
    if !isPrinted {
      isPrinted = true
      try printer.packet(row, batch, isPart: feed.late < 0 && !messages.engine.hasMessages)
    }
    if messages.engine.hasMessages { try teller.tell(own, batch, messages, to: printer) }
  }

  /// Prints what the layers of a connection still hold at its end.
  private func end(
    _ messages: MessageSource, _ teller: MessageTeller, _ batch: RowBatch, _ row: PacketRow, _ printer: some RowPrinter
  ) throws {
    messages.disconnect(row.connection)
    try teller.tell(row, batch, messages, to: printer)
    if row.connection >= 0, row.status == 0 { try teller.ended(row.connection, row, batch, to: printer) }
  }
}
