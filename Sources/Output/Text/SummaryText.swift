import Bluetooth
import Captures
import Conversations
import Profiles
import Analysis
import Text

/// The summary for people.
public struct SummaryText {
  let out: TextBuffer
  let style: Style
  let clock = Clock()

  /// Prints to `out`.
  public init(_ out: TextBuffer, style: Style) {
    self.out = out
    self.style = style
  }

  /// Prints the summary of a capture. `known` profiles decode what devices advertised; nil for none.
  public func print(_ summary: Summary, _ known: ProfileSet? = nil) {
    let tables = summary.outcome.tables
    let start = out.count
    defer { if let width = style.width { out.wrap(from: start, indent: nil, width: width) } }
    head(summary)
    limits(summary)
    adapters(tables)
    devices(summary, tables, known.map { AdvertisedText($0, tables) })
    connections(summary, tables)
    searches(summary, tables)
    subscriptions(summary, tables)
    profiles(summary)
    databases(tables)
    findings(summary, tables)
    radio(summary)
  }

  func heading(_ title: StaticString, _ number: Int?, isRough: Bool = false) {
    out.byte(0x0A)
    out.paint(.bold, style)
    out.text(title)
    if let number {
      out.text(isRough ? "  about " : "  ")
      out.decimal(number)
    }
    out.unpaint(.bold, style)
    out.byte(0x0A)
  }

  private func head(_ summary: Summary) {
    if summary.facts.number > 0 { out.byte(0x0A) }
    out.paint(.bold, style)
    out.untrusted(Array(summary.facts.name.utf8), .terminal)
    out.unpaint(.bold, style)
    out.text(": ")
    out.string(summary.facts.title)
    out.text(", ")
    out.decimal(summary.outcome.packets)
    out.text(summary.outcome.packets == 1 ? " packet" : " packets")
    if let first = summary.first, !CaptureFacts.hasTimeOfDay(first) {
      out.text(", ")
      clock.duration(summary.last &- first, to: out)
      clock.beginning(first, to: out)
    } else if let first = summary.first {
      out.text(", ")
      clock.dateAndTime(first, to: out)
      out.text(" to ")
      clock.timeOfDay(summary.last, since: summary.first, to: out)
      out.text(" UTC (")
      clock.duration(summary.last &- first, to: out)
      out.byte(UInt8(ascii: ")"))
    }
    out.byte(0x0A)
  }

  /// Facts that this log does not contain.
  private func limits(_ summary: Summary) {
    for (index, line) in summary.limits.enumerated() {
      out.paint(.yellow, style)
      out.text(index == 0 ? "  cannot show: " : "               ")
      out.untrusted(Array(line.utf8), .terminal)
      out.unpaint(.yellow, style)
      out.byte(0x0A)
    }
  }

  private func adapters(_ tables: ConversationTables) {
    let known = tables.adapters.filter { $0.index != 0xFFFF && ($0.address != nil || $0.index != 0) }
    guard !known.isEmpty else { return }
    heading("Adapters", known.count)
    for adapter in known {
      out.text("  hci")
      out.unsigned(UInt64(adapter.index))
      if let address = adapter.address {
        out.text("  ")
        out.address(address)
      }
      if !adapter.name.isEmpty {
        out.text("  ")
        out.untrusted(adapter.name, .terminal)
      }
      if let manufacturer = adapter.manufacturer, let name = AssignedNumbers.company(manufacturer) {
        out.text("  ")
        out.name(name)
      }
      out.byte(0x0A)
    }
  }

  private func connections(_ summary: Summary, _ tables: ConversationTables) {
    guard !tables.connections.isEmpty else { return }
    heading("Connections", tables.connections.count)
    for (index, connection) in tables.connections.enumerated() {
      let start = out.count
      out.text("  0x")
      out.hex(UInt64(connection.handle), digits: 4)
      out.text("  ")
      if connection.peer >= 0 {
        let name = tables.name(of: connection.peer)
        if !name.isEmpty {
          out.untrusted(name, .terminal)
          out.text("  ")
        }
        out.address(tables.peers[Int(connection.peer)].address)
      } else {
        out.text("peer not known")
      }
      out.text("  ")
      if connection.startFrame == 0 { out.text("before ") }
      clock.timeOfDay(connection.startTime, since: summary.first, to: out)
      out.text(" to ")
      if connection.endFrame == 0 { out.text("after ") }
      clock.timeOfDay(connection.endTime, since: summary.first, to: out)
      switch connection.transport {
      case .le, .unknown:
        if let mtu = connection.knownMTU {
          out.text("  mtu ")
          out.unsigned(UInt64(mtu))
        }
      case .classic: out.text("  BR/EDR")
      case .synchronous: out.text("  synchronous")
      case .isochronous:
        out.text("  isochronous")
        if let number = connection.streamNumber {
          out.text("  CIG ")
          out.decimal(Int(number.group))
          out.text(" CIS ")
          out.decimal(Int(number.stream))
        }
        if connection.interval > 0 {
          out.text("  interval ")
          Clock().interval(Int64(connection.interval) * 1250, to: out)
        }
      }
      if connection.encryptedFrame != 0 {
        out.text("  encrypted from #")
        out.decimal(connection.encryptedFrame)
      }
      if connection.endFrame != 0 {
        out.text("  left: ")
        if connection.endReason == 0 {
          out.text("its adapter was closed or reset")
        } else {
          out.name(Status.failure(connection.endReason, .hci))
          out.text(" (0x")
          out.hex(UInt64(connection.endReason), digits: 2)
          out.byte(UInt8(ascii: ")"))
        }
      }
      out.wrap(from: start, indent: 10, style)
      out.byte(0x0A)
      operationCounts(summary, Int32(index), tables)
      traffic(summary, Int32(index), tables)
      channels(summary, Int32(index), tables)
    }
  }

  /// Traffic of the channels that carry no attributes.
  private func channels(_ summary: Summary, _ connection: Int32, _ tables: ConversationTables) {
    for row in summary.channels where row.connection == connection {
      let start = out.count
      out.text("          ")
      out.label(row.channel, tables)
      out.pad(from: start, to: 46)
      for (side, text) in [(row.sent, " sent"), (row.received, " received")] as [((packets: Int, bytes: Int), StaticString)]
      where side.packets > 0 {
        if text.utf8CodeUnitCount > 5, row.sent.packets > 0 { out.text(", ") }
        out.decimal(side.packets)
        out.text(side.packets == 1 ? " packet (" : " packets (")
        out.decimal(side.bytes)
        out.text(side.bytes == 1 ? " byte)" : " bytes)")
        out.text(text)
      }
      out.byte(0x0A)
      for (figures, text) in [(row.sentSDUs, "sent: "), (row.receivedSDUs, "received: ")] as [(IsochronousFigures, StaticString)]
      where figures.count > 0 { isochronous(figures, text) }
    }
  }

  private func isochronous(_ figures: IsochronousFigures, _ direction: StaticString) {
    let start = out.count
    out.text("          ")
    out.pad(from: start, to: 46)
    out.text(direction)
    out.decimal(figures.count)
    out.text(figures.count == 1 ? " SDU" : " SDUs")
    for (number, what) in [
      (figures.lost, " lost"), (figures.invalid, " possibly invalid"), (figures.missing, " missing by number"),
      (figures.incomplete, " incomplete"),
    ] as [(Int, StaticString)]
    where number > 0 {
      out.text(", ")
      out.decimal(number)
      out.text(what)
    }
    if figures.jitter >= 0 {
      out.text(", jitter ")
      Clock().duration(figures.jitter, to: out)
    }
    out.byte(0x0A)
  }

  /// Messages that profiles decoded.
  private func profiles(_ summary: Summary) {
    guard !summary.profiles.isEmpty else { return }
    heading("Profiles", nil)
    for (name, counts) in summary.profiles.sorted(by: { $0.key < $1.key }) {
      let start = out.count
      out.text("  ")
      out.untrusted(Array(name.utf8), .terminal)
      out.pad(from: start, to: 20)
      out.decimal(counts.messages)
      out.text(counts.messages == 1 ? " message" : " messages")
      for (number, text) in [
        (counts.incomplete, " incomplete"), (counts.bad, " with a wrong checksum"), (counts.unjoined, " bytes in no message"),
      ] as [(Int, StaticString)] where number > 0 {
        out.text(", ")
        out.decimal(number)
        out.text(text)
      }
      out.byte(0x0A)
    }
  }

  private func traffic(_ summary: Summary, _ connection: Int32, _ tables: ConversationTables) {
    let rows = summary.traffic.filter { $0.connection == connection }
    for row in rows.sorted(by: { tables.attributes[Int($0.attribute)].handle < tables.attributes[Int($1.attribute)].handle }) {
      let attribute = tables.attributes[Int(row.attribute)]
      // Subscriptions are listed under "Listening".
      if attribute.uuid >= 0, tables.uuids[Int(attribute.uuid)].short16 == 0x2902, row.refused == 0 { continue }
      guard row.writes + row.commands + row.notifications + row.indications + row.reads + row.refused > 0 else { continue }
      let start = out.count
      out.text("          0x")
      out.hex(UInt64(attribute.handle), digits: 4)
      out.text("  ")
      out.label(row.attribute, tables, style, summary.names)
      out.pad(from: start, to: 46)
      var isFirst = true
      func part(_ number: Int, _ singular: StaticString, _ many: StaticString) {
        guard number > 0 else { return }
        if !isFirst { out.text(", ") }
        isFirst = false
        out.decimal(number)
        out.byte(0x20)
        out.text(number == 1 ? singular : many)
      }
      part(row.writes, "write", "writes")
      part(row.commands, "write command", "write commands")
      part(row.notifications, "notification", "notifications")
      part(row.indications, "indication", "indications")
      part(row.reads, "read", "reads")
      part(row.refused, "refused", "refused")
      if row.bytes > 0 { part(row.bytes, "byte", "bytes") }
      if !row.latencies.isEmpty {
        let sorted = row.latencies.sorted()
        out.text(", median ")
        clock.duration(sorted[sorted.count / 2], to: out)
        if row.latencies.count > 1 {
          out.text(", slowest ")
          clock.duration(row.slowest.latency, to: out)
          out.text(" (#")
          out.decimal(row.slowest.frame)
          out.byte(UInt8(ascii: ")"))
        }
      }
      out.wrap(from: start, indent: 46, style)
      out.byte(0x0A)
    }
  }

  private func databases(_ tables: ConversationTables) {
    for (index, database) in tables.databases.enumerated() where database.discovered > 0 {
      out.byte(0x0A)
      out.paint(.bold, style)
      out.text("GATT table of ")
      owner(Int32(index), tables)
      out.unpaint(.bold, style)
      out.byte(0x0A)
      let known = database.attributes.filter { tables.attributes[Int($0)].source != .none }
      for number in known.sorted(by: { tables.attributes[Int($0)].handle < tables.attributes[Int($1)].handle }) {
        let attribute = tables.attributes[Int(number)]
        // A characteristic's declaration is listed with its value.
        if attribute.kind == .declaration { continue }
        out.text(attribute.kind == .service ? "  0x" : attribute.kind == .value ? "    0x" : "      0x")
        out.hex(UInt64(attribute.handle), digits: 4)
        out.text("  ")
        switch attribute.kind {
        case .service: out.text(attribute.isPrimary ? "service  " : "secondary service  ")
        case .include: out.text("includes  ")
        default: break
        }
        if attribute.uuid >= 0 {
          let uuid = tables.uuids[Int(attribute.uuid)]
          if let name = uuid.attributeName(isService: attribute.kind == .service) {
            out.name(name)
            out.text("  ")
          }
          out.paint(.dim, style)
          out.string(uuid.description)
          out.unpaint(.dim, style)
        }
        if attribute.kind == .value, attribute.properties != 0 {
          out.text("  ")
          out.properties(attribute.properties)
        }
        // A subscription implies the handle before its own (Core, Vol 3, Part G, 3.3.3.3).
        if attribute.source == .guess {
          out.text("  a guess, of 0x")
          out.hex(UInt64(attribute.handle &- 1), digits: 4)
        }
        out.byte(0x0A)
      }
    }
  }

  private func owner(_ database: Int32, _ tables: ConversationTables) {
    if let peer = tables.peers.firstIndex(where: { $0.database == database && $0.identity < 0 }) {
      let name = tables.name(of: Int32(peer))
      if !name.isEmpty {
        out.untrusted(name, .terminal)
        out.byte(0x20)
      }
      out.address(tables.peers[peer].address)
    } else if let adapter = tables.adapters.first(where: { $0.database == database }) {
      let isSniffed = tables.connections.contains { $0.accessAddress != 0 && $0.adapter == adapter.index }
      out.text(isSniffed ? "the central" : "this host")
      if adapter.index != 0xFFFF {
        out.text(" (hci")
        out.unsigned(UInt64(adapter.index))
        out.byte(UInt8(ascii: ")"))
      }
    } else if let connection = tables.connections.first(where: { $0.database == database }) {
      out.text("the peer of connection 0x")
      out.hex(UInt64(connection.handle), digits: 4)
    } else {
      out.text("an unknown peer")
    }
  }
}

extension TextBuffer {
  /// Appends an attribute's name: that of its profile, else those of its characteristic and of the descriptor; its UUID or handle where there is no
  /// name.
  func label(_ index: Int32, _ tables: ConversationTables, _ style: Style, _ names: [Int32: String]) {
    if let name = names[index] {
      untrusted(Array(name.utf8), .terminal)
      return
    }
    let attribute = tables.attributes[Int(index)]
    if attribute.kind == .descriptor {
      let owner = tables.characteristic(of: index)
      if owner >= 0, owner != index {
        label(owner, tables, style, names)
        byte(0x20)
      }
    }
    let type = attribute.kind == .declaration ? tables.type(of: attribute) : attribute.uuid >= 0 ? tables.uuids[Int(attribute.uuid)] : nil
    guard let uuid = type else {
      text("0x")
      hex(UInt64(attribute.handle), digits: 4)
      return
    }
    if uuid.short16 == 0x2902 {
      text(attribute.source == .guess ? "CCCD?" : "CCCD")
    } else if let name = uuid.attributeName(isService: attribute.kind == .service) {
      self.name(name)
    } else if let short = uuid.short16 {
      text("0x")
      hex(UInt64(short), digits: 4)
    } else {
      shortened(uuid, tables, style)
    }
  }

  /// Appends the first eight digits of a UUID, and where other UUIDs begin with the same, four digits in which they differ.
  func shortened(_ uuid: BluetoothUUID, _ tables: ConversationTables?, _ style: Style) {
    hex(uuid.high >> 32, digits: 8)
    glyph(.ellipsis, style)
    var differing: (high: UInt64, low: UInt64) = (0, 0)
    for other in tables?.uuids ?? [] where other.high >> 32 == uuid.high >> 32 && other != uuid && other.short16 == nil {
      differing.high |= other.high ^ uuid.high
      differing.low |= other.low ^ uuid.low
    }
    guard differing.high | differing.low != 0 else { return }
    // The first digit after the eight that differs; four digits are shown from it on.
    let first = differing.high != 0 ? differing.high.leadingZeroBitCount / 4 : 16 + differing.low.leadingZeroBitCount / 4
    let start = min(first, 28)
    for position in start..<start + 4 {
      let word = position < 16 ? uuid.high : uuid.low
      hex(word >> UInt64((15 - position % 16) * 4) & 15, digits: 1)
    }
    if start < 28 { glyph(.ellipsis, style) }
  }

  /// Appends the properties of a characteristic (Core, Vol 3, Part G, 3.3.1.1).
  func properties(_ bits: UInt8) {
    for (index, name) in Attribute.names(ofProperties: bits).enumerated() {
      if index > 0 { text(", ") }
      text(name)
    }
  }
}
