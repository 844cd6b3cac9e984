import Bluetooth
import Captures
import Conversations
import Profiles
import Analysis
import Text

/// The summary as one JSON object.
public struct SummaryJSON {
  let out: TextBuffer
  let clock = Clock()

  /// Prints to `out`.
  public init(_ out: TextBuffer) { self.out = out }

  /// Prints the summary of a capture, without a line end. `known` profiles decode what devices advertised; nil for none.
  public func print(_ summary: Summary, _ known: ProfileSet? = nil) {
    let tables = summary.outcome.tables
    out.text("{\"file\":")
    text(Array(summary.facts.name.utf8))
    out.text(",\"format\":")
    text(Array(summary.facts.title.utf8))
    out.text(",\"packets\":")
    out.decimal(summary.outcome.packets)
    if let first = summary.first {
      out.text(",\"first\":\"")
      clock.rfc3339(first, to: out)
      out.text("\",\"last\":\"")
      clock.rfc3339(summary.last, to: out)
      out.byte(UInt8(ascii: "\""))
    }
    out.text(",\"truncated\":")
    out.decimal(summary.truncated)
    out.text(",\"dropped\":")
    out.decimal(summary.dropped)
    list("limits", summary.outcome.limits) { limit in
      out.text("{\"id\":")
      text(Array(limit.id.utf8))
      out.text(",\"text\":")
      text(Array(limit.text.utf8))
      out.text(",\"packets\":")
      out.decimal(limit.packets)
      out.text("}")
    }
    if let damage = summary.outcome.damage {
      out.text(",\"damage\":{\"frame\":")
      out.decimal(damage.frame)
      out.text(",\"offset\":")
      out.decimal(damage.offset)
      out.text(",\"what\":")
      text(Array(damage.what.utf8))
      out.text("}")
    }
    if summary.radio.contains(where: { $0.packets > 0 }) { radio(summary) }
    list("adapters", tables.adapters.filter { $0.index != 0xFFFF }) { adapter in
      out.text("{\"index\":")
      out.unsigned(UInt64(adapter.index))
      if let address = adapter.address { self.address("address", address) }
      if !adapter.name.isEmpty {
        out.text(",\"name\":")
        text(adapter.name)
      }
      if let manufacturer = adapter.manufacturer {
        out.text(",\"manufacturer\":")
        out.unsigned(UInt64(manufacturer))
      }
      out.text("}")
    }
    devices(summary, tables, known.map { AdvertisedText($0, tables) })
    list("connections", Array(tables.connections.enumerated())) { connection(summary, Int32($0.offset), $0.element, tables) }
    subscriptions(summary, tables)
    searches(summary, tables)
    list("profiles", summary.profiles.sorted { $0.key < $1.key }) { name, counts in
      out.text("{\"profile\":")
      text(Array(name.utf8))
      number("messages", counts.messages)
      number("incomplete", counts.incomplete)
      number("bad_checksums", counts.bad)
      number("unjoined_bytes", counts.unjoined)
      out.text("}")
    }
    list("databases", tables.databases.indices.filter { tables.databases[$0].discovered > 0 }) { database(Int32($0), tables) }
    list("findings", summary.findings) { finding in
      out.text("{\"name\":\"")
      out.text(finding.id)
      out.text("\",\"severity\":\"")
      out.text(finding.severity.text)
      out.text("\",\"degree\":\"")
      out.text(finding.degree)
      out.text("\",\"frame\":")
      out.decimal(finding.frame)
      if finding.repeated > 0 {
        out.text(",\"repeated\":")
        out.decimal(finding.repeated)
      }
      out.text(",\"text\":")
      let scratch = TextBuffer()
      finding.explain(to: scratch, tables, names: summary.names)
      unsafe text(Array(scratch.gathered))
      if finding.advice.utf8CodeUnitCount > 0 {
        out.text(",\"advice\":\"")
        out.text(finding.advice)
        out.byte(UInt8(ascii: "\""))
      }
      out.text("}")
    }
    out.text(",\"finding_count\":")
    out.decimal(summary.findingCount)
    out.text("}")
  }

  func text(_ bytes: [UInt8]) {
    out.byte(UInt8(ascii: "\""))
    out.untrusted(bytes, .json)
    out.byte(UInt8(ascii: "\""))
  }

  func address(_ key: StaticString, _ address: UInt64) {
    out.text(",\"")
    out.text(key)
    out.text("\":\"")
    out.address(address)
    out.byte(UInt8(ascii: "\""))
  }

  func list<Element>(_ key: StaticString, _ elements: [Element], _ body: (Element) -> Void) {
    out.text(",\"")
    out.text(key)
    out.text("\":[")
    for (index, element) in elements.enumerated() {
      if index > 0 { out.byte(UInt8(ascii: ",")) }
      body(element)
    }
    out.text("]")
  }

  /// Writes the counts of the SDUs of an isochronous stream; nothing where there are no SDUs.
  func sdus(_ figures: IsochronousFigures, _ key: StaticString) {
    guard figures.count > 0 else { return }
    out.text(",\"")
    out.text(key)
    out.text("\":{\"count\":")
    out.decimal(figures.count)
    number("lost", figures.lost)
    number("invalid", figures.invalid)
    number("missing", figures.missing)
    number("incomplete", figures.incomplete)
    if figures.jitter >= 0 { number("jitter_us", Int(figures.jitter)) }
    out.text("}")
  }

  func number(_ key: StaticString, _ number: Int) {
    out.text(",\"")
    out.text(key)
    out.text("\":")
    out.decimal(number)
  }

  private func connection(_ summary: Summary, _ index: Int32, _ connection: Connection, _ tables: ConversationTables) {
    out.text("{\"adapter\":")
    out.unsigned(UInt64(connection.adapter))
    number("handle", Int(connection.handle))
    if connection.peer >= 0 {
      address("peer", tables.peers[Int(connection.peer)].address)
      if !tables.name(of: connection.peer).isEmpty {
        out.text(",\"peer_name\":")
        text(tables.name(of: connection.peer))
      }
    }
    out.text(",\"start\":\"")
    clock.rfc3339(connection.startTime, to: out)
    out.text("\",\"end\":\"")
    clock.rfc3339(connection.endTime, to: out)
    out.byte(UInt8(ascii: "\""))
    if connection.startFrame != 0 { number("start_frame", connection.startFrame) }
    if connection.endFrame != 0 {
      number("end_frame", connection.endFrame)
      // Without a reason, its adapter was closed or reset.
      if connection.endReason != 0 {
        number("reason", Int(connection.endReason))
        out.text(",\"reason_name\":\"")
        out.name(Status.failure(connection.endReason, .hci))
        out.byte(UInt8(ascii: "\""))
      }
    }
    if let mtu = connection.knownMTU { number("mtu", Int(mtu)) }
    number("packets", connection.packets)
    if connection.encryptedFrame != 0 { number("encrypted_frame", connection.encryptedFrame) }
    operationCounts("host_did", summary.operationCounts.distinct(index, isIncoming: false, tables))
    operationCounts("peer_did", summary.operationCounts.distinct(index, isIncoming: true, tables))
    list("channels", summary.channels.filter { $0.connection == index }) { row in
      out.text("{\"layer\":\"")
      out.name(row.channel.layer.name)
      out.byte(UInt8(ascii: "\""))
      out.fields(of: row.channel, tables)
      number("sent_packets", row.sent.packets)
      number("sent_bytes", row.sent.bytes)
      number("received_packets", row.received.packets)
      number("received_bytes", row.received.bytes)
      sdus(row.sentSDUs, "sent_sdus")
      sdus(row.receivedSDUs, "received_sdus")
      out.text("}")
    }
    list("traffic", summary.traffic.filter { $0.connection == index }) { row in
      let attribute = tables.attributes[Int(row.attribute)]
      out.text("{\"handle\":")
      out.unsigned(UInt64(attribute.handle))
      if attribute.uuid >= 0 {
        out.text(",\"uuid\":\"")
        out.string((tables.type(of: attribute) ?? tables.uuids[Int(attribute.uuid)]).description)
        out.byte(UInt8(ascii: "\""))
      }
      number("writes", row.writes)
      number("write_commands", row.commands)
      number("notifications", row.notifications)
      number("indications", row.indications)
      number("reads", row.reads)
      number("refused", row.refused)
      number("bytes", row.bytes)
      if !row.latencies.isEmpty {
        let sorted = row.latencies.sorted()
        number("latency_median_us", Int(sorted[sorted.count / 2]))
        number("latency_max_us", Int(row.slowest.latency))
      }
      out.text("}")
    }
    out.text("}")
  }

  private func database(_ index: Int32, _ tables: ConversationTables) {
    out.text("{\"owner\":\"")
    if let peer = tables.peers.first(where: { $0.database == index && $0.identity < 0 }) {
      out.address(peer.address)
    } else if let adapter = tables.adapters.first(where: { $0.database == index }) {
      if adapter.index == Adapter.unnumbered {
        out.text("host")
      } else {
        out.text("hci")
        out.unsigned(UInt64(adapter.index))
      }
    } else if let connection = tables.connections.first(where: { $0.database == index }) {
      out.text("connection ")
      out.unsigned(UInt64(connection.handle))
    }
    out.byte(UInt8(ascii: "\""))
    let known = tables.databases[Int(index)].attributes.filter { tables.attributes[Int($0)].source != .none }
    list("attributes", known.sorted { tables.attributes[Int($0)].handle < tables.attributes[Int($1)].handle }) { number in
      let attribute = tables.attributes[Int(number)]
      out.text("{\"handle\":")
      out.unsigned(UInt64(attribute.handle))
      if let type = tables.type(of: attribute) {
        out.text(",\"type\":\"")
        out.string(type.description)
        out.byte(UInt8(ascii: "\""))
      }
      if attribute.source == .guess { out.text(",\"guessed\":true") }
      switch attribute.kind {
      case .service:
        if attribute.uuid >= 0 { service(attribute, tables) }
        self.number("end", Int(attribute.related))
      case .include:
        if attribute.uuid >= 0 { service(attribute, tables) }
        self.number("start", Int(attribute.related))
      case .declaration, .value:
        self.number("properties", Int(attribute.properties))
        if attribute.kind == .declaration { self.number("value_handle", Int(attribute.related)) }
      case .descriptor, .unknown: break
      }
      out.text("}")
    }
    out.text("}")
  }

  private func service(_ attribute: Attribute, _ tables: ConversationTables) {
    out.text(",\"service\":\"")
    out.string(tables.uuids[Int(attribute.uuid)].description)
    out.byte(UInt8(ascii: "\""))
  }
}
