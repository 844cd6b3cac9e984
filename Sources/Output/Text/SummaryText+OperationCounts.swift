import Bluetooth
import Conversations
import Analysis
import Text

/// Operations of a connection in one line; subscriptions; searches for devices.
extension SummaryText {
  /// Most subscription periods that are shown.
  private static let shownPeriods = 60

  /// One line for the operations of this host, one for those of the peer.
  func operationCounts(_ summary: Summary, _ connection: Int32, _ tables: ConversationTables) {
    line(
      tables.connections[Int(connection)].nameOfHost, summary.operationCounts.distinct(connection, isIncoming: false, tables),
      summary.operationCounts.count(connection, isIncoming: true))
    // Requests of the peer to this host; the peer's values are in the line above.
    var theirs = summary.operationCounts.distinct(connection, isIncoming: true, tables)
    theirs.notifications = 0
    theirs.succeeded[Int(Operation.Kind.indication.rawValue)] = 0
    line(tables.connections[Int(connection)].nameOfPeer, theirs, OperationCounts.Count())
  }

  private func line(_ who: StaticString, _ counts: OperationCounts.Count, _ other: OperationCounts.Count) {
    let start = out.count
    out.text("          ")
    out.text(who)
    out.text(": ")
    let first = out.count
    func part(_ number: Int, _ singular: StaticString, _ many: StaticString, before: StaticString = "") {
      guard number > 0 else { return }
      if out.count > first { out.text(", ") }
      out.text(before)
      out.decimal(number)
      out.text(number == 1 ? singular : many)
    }
    if counts.services > 0 || counts.characteristics > 0 {
      part(counts.services, " service", " services", before: "discovered ")
      if counts.characteristics > 0 {
        out.text(counts.services > 0 ? " and " : "discovered ")
        out.decimal(counts.characteristics)
        out.text(counts.characteristics == 1 ? " characteristic" : " characteristics")
      }
    }
    if counts[.pairing] > 0 {
      if out.count > first { out.text(", ") }
      out.text("paired")
    } else if counts[.encryption] > 0 {
      if out.count > first { out.text(", ") }
      out.text("encrypted")
    }
    part(counts[.subscribe], " subscription", " subscriptions")
    part(counts[.write] + counts[.preparedWrite], " write", " writes")
    part(counts.commands, " write without response", " writes without response")
    part(counts[.read], " read", " reads")
    part(counts[.command], " AT command", " AT commands")
    part(counts[.control], " control command", " control commands")
    part(counts[.get], " object fetched", " objects fetched")
    part(counts[.put], " object sent", " objects sent")
    part(counts[.stream], " audio stream", " audio streams")
    part(other.keys, " key pressed", " keys pressed")
    part(other.buttons, " button pressed", " buttons pressed")
    part(other.notifications, " notification", " notifications", before: "got ")
    part(other[.indication], " indication", " indications", before: other.notifications > 0 ? "" : "got ")
    part(counts.failures.failed, " refused or failed", " refused or failed")
    part(counts.failures.unanswered, " without answer", " without answer")
    if out.count == first {
      out.truncate(to: start)
      return
    }
    out.wrap(from: start, indent: 12 + who.utf8CodeUnitCount, style)
    out.byte(0x0A)
  }

  // MARK: Listening

  func subscriptions(_ summary: Summary, _ tables: ConversationTables) {
    let periods = summary.outcome.subscriptions.periods
    guard !periods.isEmpty else { return }
    heading("Listening", nil)
    for period in periods.prefix(Self.shownPeriods) { line(period, summary, tables) }
    let more = periods.count + summary.outcome.subscriptions.leftOut - Self.shownPeriods
    if more > 0 {
      out.text("  and ")
      out.decimal(more)
      out.text(" more\n")
    }
  }

  private func line(_ period: SubscriptionTracker.Period, _ summary: Summary, _ tables: ConversationTables) {
    let start = out.count
    out.text("  0x")
    out.hex(UInt64(tables.connections[Int(period.connection)].handle), digits: 4)
    out.text("  ")
    if period.attribute >= 0 {
      out.label(period.attribute, tables, style, summary.names)
    } else {
      out.text("0x")
      out.hex(UInt64(period.handle), digits: 4)
    }
    if period.isLocal {
      out.text(" of ")
      out.text(tables.connections[Int(period.connection)].nameOfHost)
    }
    out.pad(from: start, to: 34)
    let kind = out.count
    out.text(period.bits == 1 ? "notify" : period.bits == 2 ? "indicate" : "both")
    out.pad(from: kind, to: 9)
    let from = out.count
    clock.timeOfDay(period.start, since: summary.first, to: out)
    switch period.beginning {
    case .subscribed: out.text(" #")
    case .restored: out.text(" restored #")
    case .unsolicited: out.text(" unasked #")
    case .beforeCapture: out.text(" earlier, seen #")
    }
    out.decimal(period.startFrame)
    out.text(" to ")
    switch period.ending {
    case .open: out.text("the end")
    case .unsubscribed: ended(period, summary, "unsubscribed")
    case .disconnected: ended(period, summary, "disconnected")
    case .refused: ended(period, summary, "refused")
    }
    out.pad(from: from, to: 50)
    let undecrypted = period.undecryptedFrame(tables)
    if period.values == 0, undecrypted > 0 {
      out.text("not known: encrypted from #")
      out.decimal(undecrypted)
    } else if period.values == 0 {
      out.text("nothing came")
    } else {
      out.decimal(period.values)
      out.text(period.values == 1 ? " value, " : " values, ")
      out.decimal(period.bytes)
      out.text(period.bytes == 1 ? " byte" : " bytes")
      if period.beginning == .subscribed, 0..<86_400_000_000 ~= period.first &- period.start {
        out.text(", first after ")
        clock.duration(period.first &- period.start, to: out)
      }
      // Where nothing is written afterwards, nothing can be a response.
      if period.early > 0, period.silence >= 0 {
        out.text(", ")
        out.decimal(period.early)
        if period.isLeftOver {
          out.text(" left from before (to #")
          out.decimal(period.earlyFrame)
          out.text(", then ")
          clock.duration(period.silence, to: out)
          out.text(" of silence)")
        } else {
          out.text(" before any write")
        }
      }
      if undecrypted > 0 {
        out.text(", encrypted from #")
        out.decimal(undecrypted)
      }
    }
    out.wrap(from: start, indent: 43, style)
    out.byte(0x0A)
  }

  private func ended(_ period: SubscriptionTracker.Period, _ summary: Summary, _ how: StaticString) {
    clock.timeOfDay(period.end, since: summary.first, to: out)
    out.text(" #")
    out.decimal(period.endFrame)
    out.byte(0x20)
    out.text(how)
  }

  // MARK: Searches

  func searches(_ summary: Summary, _ tables: ConversationTables) {
    let patterns = summary.operationCounts.searches(tables)
    guard !patterns.isEmpty else { return }
    heading("Looked for", nil)
    for pattern in patterns {
      out.text("  connected to ")
      for (index, connection) in pattern.tried.enumerated() {
        if index > 0 { out.text(index == pattern.tried.count - 1 ? " and " : ", ") }
        peer(tables.connections[Int(connection)].peer, tables)
      }
      out.text(pattern.tried.count == 1 ? ", read " : " one after the other, read ")
      if pattern.attribute >= 0 { out.label(pattern.attribute, tables, style, summary.names) } else { out.text("something") }
      out.text(" and left")
      if pattern.kept >= 0 {
        out.text("; stayed with ")
        peer(tables.connections[Int(pattern.kept)].peer, tables)
      }
      out.byte(0x0A)
    }
  }

  private func peer(_ peer: Int32, _ tables: ConversationTables) {
    guard peer >= 0 else {
      out.text("an unknown peer")
      return
    }
    let name = tables.name(of: peer)
    if !name.isEmpty {
      out.untrusted(name, .terminal)
      out.byte(0x20)
    }
    out.address(tables.peers[Int(peer)].address)
  }
}
