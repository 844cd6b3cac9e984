import Bluetooth
import Conversations
import Analysis
import Text

/// Devices, operations of connections, and subscriptions, as JSON.
extension SummaryJSON {
  /// Packets of a sniffer by channel.
  func radio(_ summary: Summary) {
    list("radio", summary.radio.filter { $0.packets > 0 }) { channel in
      out.text("{\"channel\":")
      out.decimal(channel.channel)
      out.text(",\"packets\":")
      out.decimal(channel.packets)
      out.text(",\"bad_crcs\":")
      out.decimal(channel.badCRCs)
      if channel.signals > 0 {
        out.text(",\"rssi\":")
        out.decimal(channel.signalSum / channel.signals)
        out.text(",\"rssi_weakest\":")
        out.decimal(channel.weakest)
        out.text(",\"rssi_strongest\":")
        out.decimal(channel.strongest)
      }
      out.text("}")
    }
  }

  func devices(_ summary: Summary, _ tables: ConversationTables, _ words: AdvertisedText?) {
    let heard = summary.heard
    // The nearest first, devices without a signal strength last.
    list("devices", heard.byProximity + heard.devices.filter { $0.signal == 127 }) { device in
      out.text("{\"address\":\"")
      out.address(device.address)
      out.text("\",\"address_type\":\"")
      out.name(DeviceAddress(device.address, DeviceAddress.Kind(rawValue: device.addressType)).kindName)
      out.byte(UInt8(ascii: "\""))
      if !device.privateAddresses.isEmpty {
        list("private_addresses", device.privateAddresses) { address in
          out.byte(UInt8(ascii: "\""))
          out.address(address)
          out.byte(UInt8(ascii: "\""))
        }
      }
      let peer = tables.knownPeer(device.address, type: device.addressType)
      if peer >= 0, !tables.name(of: peer).isEmpty {
        out.text(",\"name\":")
        text(tables.name(of: peer))
      }
      number("reports", device.reports)
      time("first", device.first)
      time("last", device.last)
      out.text(heard.isStillThere(device) ? ",\"still_there\":true" : ",\"still_there\":false")
      if device.signal != 127 {
        number("rssi", Int(device.signal))
        number("rssi_average", Int(device.average / 256))
        if let median = device.median { number("rssi_median", Int(median)) }
      }
      if device.isLowEnergy { out.text(device.isConnectable ? ",\"connectable\":true" : ",\"connectable\":false") }
      if device.isClassic { out.text(",\"answered_inquiry\":true") }
      if let company = device.company {
        number("company", Int(company))
        if let name = AssignedNumbers.company(company) {
          out.text(",\"company_name\":\"")
          out.assignedName(name)
          out.byte(UInt8(ascii: "\""))
        }
      }
      if let appearance = device.appearance { number("appearance", Int(appearance)) }
      uuids("services", device.services)
      if !device.serviceData.isEmpty { uuids("service_data", device.serviceData) }
      if !device.data.isEmpty {
        out.text(",\"data\":\"")
        unsafe device.data.withUnsafeBytes { if let base = $0.baseAddress { unsafe out.hex(base, $0.count) } }
        out.byte(UInt8(ascii: "\""))
      }
      number("data_changes", device.changes)
      if let advertised = words?.words(of: device) {
        out.text(",\"says\":{\"profile\":")
        text(Array(advertised.profile.utf8))
        out.text(",\"text\":")
        text(Array(advertised.text.utf8))
        out.text("}")
      }
      out.text("}")
    }
    number("devices_left_out", heard.leftOut)
  }

  private func uuids(_ key: StaticString, _ uuids: [BluetoothUUID]) {
    list(key, uuids) { uuid in
      out.byte(UInt8(ascii: "\""))
      out.string(uuid.description)
      out.byte(UInt8(ascii: "\""))
    }
  }

  private func time(_ key: StaticString, _ time: Int64) {
    out.text(",\"")
    out.text(key)
    out.text("\":\"")
    clock.rfc3339(time, to: out)
    out.byte(UInt8(ascii: "\""))
  }

  /// Operations of one side of a connection.
  func operationCounts(_ key: StaticString, _ count: OperationCounts.Count) {
    guard !count.isEmpty else { return }
    out.text(",\"")
    out.text(key)
    out.text("\":{\"failed\":")
    out.decimal(count.failures.failed)
    number("unanswered", count.failures.unanswered)
    for kind in Operation.Kind.allCases where count[kind] > 0 { number(kind.id, count[kind]) }
    out.text("}")
  }

  func subscriptions(_ summary: Summary, _ tables: ConversationTables) {
    list("listening", summary.outcome.subscriptions.periods) { period in
      out.text("{\"connection\":")
      out.unsigned(UInt64(tables.connections[Int(period.connection)].handle))
      number("handle", Int(period.handle))
      if period.attribute >= 0, let uuid = tables.type(of: tables.attributes[Int(period.attribute)]) {
        out.text(",\"uuid\":\"")
        out.string(uuid.description)
        out.byte(UInt8(ascii: "\""))
      }
      if let name = summary.names[period.attribute] {
        out.text(",\"characteristic\":")
        text(Array(name.utf8))
      }
      if period.isLocal { out.text(",\"local\":true") }
      out.text(period.bits & 1 != 0 ? ",\"notifications\":true" : ",\"notifications\":false")
      out.text(period.bits & 2 != 0 ? ",\"indications\":true" : ",\"indications\":false")
      out.text(",\"beginning\":\"")
      out.text(period.beginning.id)
      out.text("\",\"ending\":\"")
      out.text(period.ending.id)
      out.byte(UInt8(ascii: "\""))
      number("start_frame", period.startFrame)
      time("start", period.start)
      if period.endFrame != 0 {
        number("end_frame", period.endFrame)
        time("end", period.end)
      }
      number("values", period.values)
      number("bytes", period.bytes)
      number("values_before_any_write", period.early)
      if case let frame = period.undecryptedFrame(tables), frame > 0 { number("encrypted_from_frame", frame) }
      if period.isLeftOver {
        out.text(",\"left_over\":{\"values\":")
        out.decimal(period.early)
        number("bytes", period.earlyBytes)
        number("last_frame", period.earlyFrame)
        number("silence_us", Int(period.silence))
        out.text("}")
      }
      out.text("}")
    }
  }

  func searches(_ summary: Summary, _ tables: ConversationTables) {
    let patterns = summary.operationCounts.searches(tables)
    guard !patterns.isEmpty else { return }
    list("searches", patterns) { pattern in
      out.text("{\"tried\":[")
      for (index, connection) in pattern.tried.enumerated() {
        if index > 0 { out.byte(UInt8(ascii: ",")) }
        peer(tables.connections[Int(connection)].peer, tables)
      }
      out.text("]")
      if pattern.kept >= 0 {
        out.text(",\"kept\":")
        peer(tables.connections[Int(pattern.kept)].peer, tables)
      }
      out.text("}")
    }
  }

  private func peer(_ peer: Int32, _ tables: ConversationTables) {
    out.byte(UInt8(ascii: "\""))
    if peer >= 0 { out.address(tables.peers[Int(peer)].address) }
    out.byte(UInt8(ascii: "\""))
  }
}

extension SubscriptionTracker.Beginning {
  /// Name for programs.
  var id: StaticString {
    switch self {
    case .subscribed: "subscribed"
    case .restored: "restored"
    case .unsolicited: "unasked"
    case .beforeCapture: "before-capture"
    }
  }
}

extension SubscriptionTracker.Ending {
  /// Name for programs.
  var id: StaticString {
    switch self {
    case .open: "open"
    case .unsubscribed: "unsubscribed"
    case .disconnected: "disconnected"
    case .refused: "refused"
    }
  }
}
