import Bluetooth
import Conversations
import Memory
@_spi(Pipeline) import Profiles

/// Decodes the values of batches with profiles, and emits rows, messages and findings in order. Only one thread at a time may use it.
final class ProfileDecoder {
  private let links: ProfileLinks?
  private let messages: MessageDispatcher?
  /// Decodes advertisements; nil where another thread does.
  private let advertisements: AdvertisementDecoder?
  private let diagnostics = LinkDiagnostics()
  private var fold: FindingFold
  /// The last row of the capture so far, without its bytes: messages that only the end of the capture completes are emitted with it.
  private(set) var lastRow = PacketRow()

  /// Without `links` it emits rows and findings only.
  init(_ links: ProfileLinks?, _ advertisements: AdvertisementDecoder?, isLive: Bool) {
    self.links = links
    self.advertisements = advertisements
    fold = FindingFold(isLive: isLive)
    messages = links.map { [diagnostics] in MessageDispatcher($0.engine, $0, diagnostics, isLive: isLive) }
  }

  /// The subscriptions so far.
  var subscriptions: SubscriptionTracker { diagnostics.subscriptions }

  /// Emits the rows of a batch, which no longer change, with their messages and findings.
  func decode(_ batch: RowBatch, to sink: some EventSink) throws {
    unsafe try batch.rows.withUnsafeBufferPointer { rows in
      unsafe try batch.valueEvents.withUnsafeBufferPointer { events in
        unsafe try emit(rows, events, of: batch, links, messages, to: sink)
      }
    }
    if batch.isLast { diagnostics.finish(batch.tables) }
    try emitDiagnostics(batch, links, to: sink)
    if let links, let messages { try makeRoom(batch, links, messages, to: sink) }
    try sink.batchDidEnd(batch)
    if batch.isLast {
      try messages?.finish(lastRow, batch, to: sink)
      var isEmitted = true
      if let links, links.engine.hasVerdicts {
        var row = lastRow
        row.flags.remove(.hasAttribute)
        try emitVerdicts(row, &isEmitted, batch, links, sink)
      }
      try advertisements?.finish(lastRow, batch, to: sink)
      for finding in fold.finish() { try sink.finding(finding, batch) }
    } else if let last = batch.rows.last {
      lastRow = last
      lastRow.pdu = PDUBytes()
      lastRow.assembled = PDUBytes()
    }
  }

  /// Emits rows, each followed by its messages and findings. Links and messages are non-optional parameters, because a property or an optional would
  /// be retained and released for each row.
  private func emit(
    _ rows: UnsafeBufferPointer<PacketRow>, _ events: UnsafeBufferPointer<ValueEvent>, of batch: RowBatch, _ links: ProfileLinks?,
    _ messages: MessageDispatcher?, to sink: some EventSink
  ) throws {
    var finding = 0
    if let links, let messages {
      unsafe try emit(rows, events, of: batch, &finding, links, messages, to: sink)
    } else {
      unsafe try emit(rows, of: batch, &finding, nil, to: sink) { index, _ in unsafe try sink.packet(rows[index], batch, isPart: false) }
    }
    let findings = batch.findings
    while finding < findings.count {
      try emit(findings[finding], batch, to: sink)
      finding += 1
    }
    if let last = unsafe rows.last { diagnostics.batchDidEnd(at: last.time) }
  }

  private func emit(
    _ rows: UnsafeBufferPointer<PacketRow>, _ events: UnsafeBufferPointer<ValueEvent>, of batch: RowBatch, _ finding: inout Int,
    _ links: ProfileLinks, _ messages: MessageDispatcher, to sink: some EventSink
  ) throws {
    var event = 0
    unsafe try emit(rows, of: batch, &finding, links, to: sink) { index, isEnd in
      if unsafe rows[index].uuidSource == .none, unsafe links.knows(rows[index].attribute, rows[index].connection) {
        unsafe try emit(knownByProfile: rows[index], index, events, &event, batch, links, messages, sink)
      } else if event < events.count, unsafe events[event].row == index {
        // Most values are of attributes that no profile describes.
        if unsafe events[event].attribute == rows[index].attribute, unsafe events[event].deferredRow < 0,
          unsafe links.hasNoProfile(rows[index].attribute, rows[index].connection, batch.version),
          unsafe event + 1 == events.count || events[event + 1].row != index
        {
          event += 1
          unsafe try sink.packet(rows[index], batch, isPart: false)
        } else {
          unsafe try emit(rows[index], events, &event, batch, links, messages, sink)
        }
      } else {
        unsafe try sink.packet(rows[index], batch, isPart: false)
      }
      if isEnd { unsafe try disconnect(rows[index], batch, links, messages, sink) }
    }
    // Values of earlier rows that were completed at the end of the batch.
    var isEmitted = true
    while event < events.count {
      if unsafe events[event].deferredRow >= 0 {
        unsafe try emitApart(events[event], -1, PacketRow(), &isEmitted, batch, links, messages, sink)
      }
      event += 1
    }
  }

  /// Emits rows with `emitRow` (index, and whether the row ends a connection), with the findings of the tracker before them and those of the
  /// diagnostics after them. Rows are copied only for callees that need a copy, as that would cost as much as all else here.
  @inline(__always)
  private func emit(
    _ rows: UnsafeBufferPointer<PacketRow>, of batch: RowBatch, _ finding: inout Int, _ links: ProfileLinks?, to sink: some EventSink,
    by emitRow: (Int, Bool) throws -> Void
  ) throws {
    let tables = batch.tables
    let findings = batch.findings
    let diagnostics = self.diagnostics
    for index in rows.indices {
      while finding < findings.count, findings[finding].position <= index {
        try emit(findings[finding], batch, to: sink)
        finding += 1
      }
      let meaning = unsafe rows[index].meaning
      // The messages that the end of a connection completes come before it.
      let isEnd = meaning == .disconnected
      if let links, unsafe links.needsPreparation(rows[index].attribute, rows[index].connection, batch.version) {
        unsafe links.prepare(rows[index], batch) { sink.attribute($0) }
      }
      if !isEnd, unsafe LinkDiagnostics.concerns(rows[index].layer, meaning) { unsafe diagnostics.process(rows[index], tables) }
      try emitRow(index, isEnd)
      if isEnd { unsafe diagnostics.process(rows[index], tables) }
      if diagnostics.hasFindings {
        // Findings of the tracker about the packet come before those of the diagnostics about its row.
        while finding < findings.count, findings[finding].position <= index + 1 {
          try emit(findings[finding], batch, to: sink)
          finding += 1
        }
        try emitDiagnostics(batch, links, to: sink)
      }
    }
  }

  @inline(never)
  private func emitDiagnostics(_ batch: RowBatch, _ links: ProfileLinks?, to sink: some EventSink) throws {
    for finding in diagnostics.takeFindings() {
      switch finding.kind {
      // The response characteristic is a guess, and left out if a profile describes it. For a profile's requests, message diagnostics report
      // repetitions.
      case .answerMayBeMissed where links?.knows(finding.attribute, finding.connection) == true: continue
      case .writeRepeated where links?.knows(finding.attribute, finding.connection) == true: continue
      default: break
      }
      try emit(finding, batch, to: sink)
    }
  }

  /// Emits a finding, unless it is merged with others.
  private func emit(_ finding: Finding, _ batch: RowBatch, to sink: some EventSink) throws {
    if let finding = fold.take(finding) { try sink.finding(finding, batch) }
  }

  /// Emits a row whose attribute only a profile describes.
  @inline(never)
  private func emit(
    knownByProfile row: PacketRow, _ index: Int, _ events: UnsafeBufferPointer<ValueEvent>, _ event: inout Int, _ batch: RowBatch,
    _ links: ProfileLinks, _ messages: MessageDispatcher, _ sink: some EventSink
  ) throws {
    var row = row
    row.uuidSource = .profile
    if event < events.count, unsafe events[event].row == index {
      unsafe try emit(row, events, &event, batch, links, messages, sink)
    } else {
      try sink.packet(row, batch, isPart: false)
    }
  }

  /// Emits a row that carries values for profiles, whose events begin at `event`, and the messages that it completes.
  @inline(__always)
  private func emit(
    _ row: PacketRow, _ events: UnsafeBufferPointer<ValueEvent>, _ event: inout Int, _ batch: RowBatch, _ links: ProfileLinks,
    _ messages: MessageDispatcher, _ sink: some EventSink
  ) throws {
    let index = unsafe events[event].row
    if unsafe events[event].source == .advertisement {
      try sink.packet(row, batch, isPart: false)
      if let advertisements { return unsafe try advertisements.decode(events, &event, row, batch, to: sink) }
      while event < events.count, unsafe events[event].row == index { event += 1 }
      return
    }
    var isEmitted = false
    let first = event
    while event < events.count, unsafe events[event].row == index {
      if unsafe events[event].attribute != row.attribute || events[event].deferredRow >= 0 {
        unsafe try emitApart(events[event], event - first, row, &isEmitted, batch, links, messages, sink)
        event += 1
        continue
      }
      let isTaken = unsafe links.feed(events[event], row, batch)
      event += 1
      if links.engine.hasVerdicts { try emitVerdicts(row, &isEmitted, batch, links, sink) }
      guard isTaken else { continue }
      if !isEmitted {
        isEmitted = true
        try sink.packet(row, batch, isPart: !links.engine.hasMessages)
      }
      if links.engine.hasMessages { try messages.emit(row, batch, to: sink, value: event - first - 1) }
    }
    if !isEmitted { try sink.packet(row, batch, isPart: false) }
  }

  /// Emits the messages of a value that is not the row's own: one of several in its PDU, of which it has the `number`, or one of an earlier row.
  @inline(never)
  private func emitApart(
    _ event: ValueEvent, _ number: Int, _ row: PacketRow, _ isEmitted: inout Bool, _ batch: RowBatch, _ links: ProfileLinks,
    _ messages: MessageDispatcher,
    _ sink: some EventSink
  ) throws {
    var own = event.deferredRow < 0 ? row : batch.deferredRows[Int(event.deferredRow)]
    if own.layer == .att {
      own.attribute = event.attribute
      own.attributeHandle = event.channel
      own.flags.insert(.hasAttribute)
      own.uuidSource = batch.tables.source(of: event.attribute, at: own.frame)
      links.prepare(own, batch) { sink.attribute($0) }
      if own.uuidSource == .none, links.knows(own.attribute, own.connection) { own.uuidSource = .profile }
    }
    let isTaken = links.feed(event, own, batch)
    if links.engine.hasVerdicts { try emitVerdicts(row, &isEmitted, batch, links, sink) }
    guard isTaken else { return }
    if !isEmitted {
      isEmitted = true
      try sink.packet(row, batch, isPart: event.deferredRow < 0 && !links.engine.hasMessages)
    }
    if links.engine.hasMessages { try messages.emit(own, batch, to: sink, value: event.deferredRow < 0 ? number : -1) }
  }

  /// Takes the results for profiles on trial: a confirmed profile names attributes, a withdrawn one gets a finding after the row.
  @inline(never)
  private func emitVerdicts(
    _ row: PacketRow, _ isEmitted: inout Bool, _ batch: RowBatch, _ links: ProfileLinks, _ sink: some EventSink
  ) throws {
    var withdrawn: [ProfileEngine.Verdict] = []
    links.takeVerdicts(row.connection, batch.tables) {
      sink.attribute($0)
    } withdrawn: {
      withdrawn.append($0)
    }
    guard !withdrawn.isEmpty else { return }
    if !isEmitted {
      isEmitted = true
      try sink.packet(row, batch, isPart: false)
    }
    for verdict in withdrawn {
      let isHere = row.flags.contains(.hasAttribute) && row.meaning != .disconnected
      var finding = Finding(.profileUnfit(profile: verdict.profile.id, isWithdrawn: true), at: row, attribute: isHere ? row.attribute : -1)
      finding.evidence = verdict.frames
      try sink.finding(finding, batch)
    }
  }

  /// Where too many connections have profile state, removes that of the connections without traffic for the longest time, and emits the
  /// messages that their layers had not completed.
  private func makeRoom(_ batch: RowBatch, _ links: ProfileLinks, _ messages: MessageDispatcher, to sink: some EventSink) throws {
    for connection in links.makeRoom() {
      var row = batch.rows.last ?? lastRow
      row.pdu = PDUBytes()
      row.assembled = PDUBytes()
      row.flags.remove(.hasAttribute)
      row.attribute = -1
      row.connection = connection
      row.handle = batch.tables.connections[Int(connection)].handle
      row.peer = batch.tables.connections[Int(connection)].peer
      links.evict(connection)
      var isEmitted = true
      if links.engine.hasVerdicts { try emitVerdicts(row, &isEmitted, batch, links, sink) }
      try messages.emit(row, batch, to: sink)
    }
  }

  /// Emits the data that the layers of a connection still hold at its end.
  private func disconnect(
    _ row: PacketRow, _ batch: RowBatch, _ links: ProfileLinks, _ messages: MessageDispatcher, _ sink: some EventSink
  ) throws {
    let hadLayers = links.disconnect(row.connection)
    var isEmitted = true
    if links.engine.hasVerdicts { try emitVerdicts(row, &isEmitted, batch, links, sink) }
    if hadLayers { try messages.emit(row, batch, to: sink, isEnding: true) }
    if row.connection >= 0, row.status == 0 { try messages.disconnected(row.connection, row, batch, to: sink) }
  }
}
