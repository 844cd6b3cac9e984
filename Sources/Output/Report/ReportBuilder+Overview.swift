import Bluetooth
import Captures
import Conversations
import Analysis
import Text

/// The head of a report, the operations in order, the GATT tables, the findings.
extension ReportBuilder {
  func overview(_ document: inout ReportDocument) {
    let names = mainPeers()
    document.file = TextBuffer.harmless(summary.facts.name)
    document.heading = names.isEmpty ? document.file : names.joined(separator: ", ")
    document.title = "\(document.heading) \u{2014} \(document.file)"
    document.lead = lead()
    document.narrowed = report.options.narrowed.map { TextBuffer.harmless($0) }
    document.facts = facts()
    document.limits = summary.limits.map { TextBuffer.harmless($0) }
    document.unknown = report.unknown.map { line in
      let device = line.peer.isEmpty ? "" : " of \(line.peer)"
      return TextBuffer.harmless(
        "\(line.source)\(device): \(line.text). To go on: btscribe infer \(summary.facts.name)\(line.option)")
    }
    document.connections = tables.connections.indices.filter(isShown).prefix(Limits.connections).map { connection(Int32($0)) }
    document.searches = searches()
    document.subscriptions = summary.outcome.subscriptions.periods.filter { isShown(Int($0.connection)) }.prefix(Limits.periods).map(period)
    devices(&document)
    document.adapters = tables.adapters.filter { $0.index != 0xFFFF && ($0.address != nil || !$0.name.isEmpty || $0.index != 0) }
      .map(adapter)
    document.hasDuration = summary.last > (summary.first ?? summary.last)
    document.leftOut = leftOut()
  }

  private func leftOut() -> [String] {
    var left: [String] = []
    if report.messagesLeftOut > 0 {
      left.append(
        "The list has the first \(grouped(report.messages.count)) messages; \(grouped(report.messagesLeftOut)) more are counted in all that follows. --from and --to, -Y or --characteristic show others."
      )
    }
    if report.operationsLeftOut > 0 { left.append("\(grouped(report.operationsLeftOut)) operations more are not in the list.") }
    if report.repeatedAdvertisements > 0 {
      left.append(
        "\(count(report.repeatedAdvertisements, "advertisement", "advertisements")) that said the same as the one before \(report.repeatedAdvertisements == 1 ? "is" : "are") only counted."
      )
    }
    return left
  }

  /// The devices that were connected, at most three.
  private func mainPeers() -> [String] {
    var peers: [Int32] = []
    for (index, connection) in tables.connections.enumerated() where connection.peer >= 0 && isShown(index) {
      let identity = tables.identity(connection.peer)
      if !peers.contains(identity) { peers.append(identity) }
      if peers.count > 3 { return [] }
    }
    return peers.map(peer)
  }

  /// Whether a connection overlaps the time range of the report.
  private func isShown(_ index: Int) -> Bool {
    guard let first = summary.first else { return report.options.from == nil && report.options.to == nil }
    let connection = tables.connections[index]
    return report.options.from == nil && report.options.to == nil || connection.startTime <= summary.last && connection.endTime >= first
  }

  private func lead() -> String {
    let packets = "\(TextBuffer.harmless(summary.facts.title)), \(count(summary.outcome.packets, "packet", "packets"))"
    guard let first = summary.first else { return packets + "." }
    if !CaptureFacts.hasTimeOfDay(first) {
      return "\(packets), \(duration(summary.last &- first))\(words { Clock().beginning(first, to: $0) })."
    }
    let start = words { Clock().dateAndTime(first, to: $0) }
    return "\(packets), \(start) to \(timeOfDay(summary.last)) UTC (\(duration(summary.last &- first)))."
  }

  private func facts() -> [ReportDocument.Fact] {
    var facts: [ReportDocument.Fact] = []
    func add(_ label: String, _ value: String, _ more: String = "") { facts.append(.init(label: label, value: value, more: more)) }
    if let first = summary.first { add("Lasted", duration(summary.last &- first)) }
    add("Packets", grouped(summary.outcome.packets), summary.truncated > 0 ? "\(grouped(summary.truncated)) of them cut" : "")
    if summary.heard.count > 0 { add("Devices heard", (summary.heard.isRough ? "about " : "") + grouped(summary.heard.count)) }
    add("Connections", grouped(tables.connections.count))
    let operations = report.operations.count + report.operationsLeftOut
    let failed = report.failures.texts.joined(separator: ", ")
    if operations > 0 { add("Operations", grouped(operations), failed.isEmpty ? "none failed" : failed) }
    let messages = report.kinds.reduce(0) { $0 + ($1.isRemoved ? 0 : $1.count) }
    if messages > 0 {
      let profiles = summary.profiles.keys.sorted().map { TextBuffer.harmless($0) }
      add("Messages", grouped(messages), profiles.isEmpty ? "no profile knows them" : "profiles \(profiles.joined(separator: ", "))")
    }
    add("Findings", grouped(summary.findingCount), severities())
    return facts
  }

  private func severities() -> String {
    Severity.allCases.compactMap { severity in
      let number = summary.findings.reduce(0) { $0 + ($1.severity == severity ? max($1.repeated, 1) : 0) }
      return number == 0 ? nil : count(number, severity.text.description, severity.text.description + "s")
    }
    .joined(separator: ", ")
  }

  private func connection(_ index: Int32) -> ReportDocument.Connection {
    let connection = tables.connections[Int(index)]
    let known = connection.peer >= 0
    let name = known ? tables.name(of: connection.peer) : []
    let sides = [("this host", false), ("the device", true)].map { side, isIncoming in (side, operationCounts(index, isIncoming)) }
    var link =
      connection.transport == .classic
      ? "BR/EDR" : connection.transport == .synchronous ? "voice" : connection.transport == .isochronous ? "isochronous" : "LE"
    if connection.interval > 0 { link += ", interval \(words { Clock().interval(Int64(connection.interval) * 1250, to: $0) })" }
    if connection.encryptedFrame > 0 { link += ", encrypted from #\(connection.encryptedFrame)" }
    let reason = "\(Status.failure(connection.endReason, .hci)) (0x\(words { $0.hex(UInt64(connection.endReason), digits: 2) }))"
    return .init(
      handle: report.handle(connection.handle), device: name.isEmpty ? "\u{2013}" : TextBuffer.harmless(name),
      address: known ? address(tables.peers[Int(connection.peer)].address) : "not known",
      from: (connection.startFrame == 0 ? "before " : "") + timeOfDay(connection.startTime),
      to: (connection.endFrame == 0 ? "after " : "") + timeOfDay(connection.endTime), mtu: connection.knownMTU.map { "\($0)" } ?? "",
      link: link,
      ending: connection.endFrame == 0 ? "" : "\(reason), #\(connection.endFrame)",
      actions: sides.compactMap { side, text in text.isEmpty ? nil : "\(side): \(text)" })
  }

  private func operationCounts(_ connection: Int32, _ isIncoming: Bool) -> String {
    let operations = summary.operationCounts.distinct(connection, isIncoming: isIncoming, tables)
    var parts: [String] = []
    let discovered = [(operations.services, "service", "services"), (operations.characteristics, "characteristic", "characteristics")]
      .filter { $0.0 > 0 }
    if !discovered.isEmpty { parts.append("discovered " + discovered.map { count($0.0, $0.1, $0.2) }.joined(separator: " and ")) }
    if operations[.pairing] > 0 { parts.append("paired") } else if operations[.encryption] > 0 { parts.append("encrypted") }
    func add(_ number: Int, _ singular: String, _ many: String) { if number > 0 { parts.append(count(number, singular, many)) } }
    add(operations[.subscribe], "subscription", "subscriptions")
    add(operations[.write] + operations[.preparedWrite], "write", "writes")
    add(operations.commands, "write without response", "writes without response")
    add(operations[.read], "read", "reads")
    add(operations[.command], "AT command", "AT commands")
    add(operations[.control], "control command", "control commands")
    add(operations[.get], "object fetched", "objects fetched")
    add(operations[.put], "object sent", "objects sent")
    add(operations[.stream], "audio stream", "audio streams")
    add(operations.notifications, "notification", "notifications")
    add(operations[.indication], "indication", "indications")
    parts += operations.failures.texts
    return parts.joined(separator: ", ")
  }

  private func searches() -> [String] {
    summary.operationCounts.searches(tables).map { pattern in
      let tried = pattern.tried.map { peer(tables.connections[Int($0)].peer) }.joined(separator: ", ")
      let kept = pattern.kept >= 0 ? "; stayed with \(peer(tables.connections[Int(pattern.kept)].peer))" : ""
      return "Looked for: connected to \(tried), read \(pattern.attribute >= 0 ? label(pattern.attribute) : "something") and left\(kept)."
    }
  }

  private func period(_ period: SubscriptionTracker.Period) -> ReportDocument.Subscription {
    var from = "#\(period.startFrame)  \(timeOfDay(period.start))"
    switch period.beginning {
    case .subscribed: break
    case .restored: from += ", restored"
    case .unsolicited: from += ", not asked for"
    case .beforeCapture: from += ", or earlier"
    }
    let name = period.attribute >= 0 ? label(period.attribute) : report.handle(period.handle)
    let undecrypted = period.undecryptedFrame(tables)
    let counted = period.values == 0 && undecrypted > 0 ? "not known" : grouped(period.values)
    let values = undecrypted > 0 ? "\(counted), encrypted from #\(undecrypted)" : counted
    return .init(
      connection: report.handle(tables.connections[Int(period.connection)].handle),
      characteristic: period.isLocal ? "\(name) of \(tables.connections[Int(period.connection)].nameOfHost)" : name,
      how: period.bits == 1 ? "notify" : period.bits == 2 ? "indicate" : "both", from: from,
      to: period.ending == .open ? "the end" : "#\(period.endFrame)  \(timeOfDay(period.end)), \(period.ending.id)",
      values: values, bytes: grouped(period.bytes))
  }

  private func devices(_ document: inout ReportDocument) {
    let heard = summary.heard
    let listed = heard.byProximity + heard.devices.filter { $0.signal == 127 }
    let about = heard.isRough ? "about " : ""
    let left = heard.count - min(listed.count, Limits.devices)
    let words = report.options.profiles.map { AdvertisedText($0, tables) }
    document.devices = listed.prefix(Limits.devices).map { device($0, words) }
    document.areDevicesOpen = listed.count <= 12
    document.deviceCount = about + grouped(heard.count)
    if left > 0 { document.devicesLeft = "and \(about)\(grouped(heard.isRough ? HeardDevices.rounded(left) : left)) more" }
  }

  private func device(_ device: HeardDevices.Device, _ words: AdvertisedText?) -> ReportDocument.Device {
    let peer = tables.knownPeer(device.address, type: device.addressType)
    let name = peer >= 0 ? tables.name(of: peer) : []
    var details: [String] = []
    let advertised = words?.words(of: device)
    if let name = device.companyName(advertised) { details.append(name.description) }
    for service in device.services + device.serviceData.filter({ !device.services.contains($0) }) {
      let name = service.name?.description ?? service.description
      if !details.contains(name) { details.append(name) }
    }
    if let advertised {
      details.append("\(advertised.profile): \(TextBuffer.harmless(Array(advertised.text.utf8)))")
    }
    if device.isClassic { details.append("answered an inquiry") }
    if device.isLowEnergy, !device.isConnectable { details.append("not connectable") }
    if !device.privateAddresses.isEmpty {
      details.append("under \(count(device.privateAddresses.count, "private address", "private addresses"))")
    }
    if device.reports > 1 {
      if summary.heard.wasConnected(device, tables) {
        details.append("until it was connected")
      } else if device.isLowEnergy, !summary.heard.isStillThere(device) {
        details.append("gone since \(timeOfDay(device.last))")
      }
    }
    return .init(
      name: name.isEmpty ? "\u{2013}" : TextBuffer.harmless(name), address: address(device.address),
      type: device.isLowEnergy
        ? DeviceAddress(device.address, DeviceAddress.Kind(rawValue: device.addressType)).kindName.description : "BR/EDR",
      signal: device.signal == 127 ? "" : "\(device.average / 256) dBm", reports: grouped(device.reports),
      details: details.joined(separator: ", "))
  }

  private func adapter(_ adapter: Adapter) -> String {
    var parts = ["hci\(adapter.index)"]
    if let address = adapter.address { parts.append(self.address(address)) }
    if !adapter.name.isEmpty { parts.append(TextBuffer.harmless(adapter.name)) }
    if let manufacturer = adapter.manufacturer, let name = AssignedNumbers.company(manufacturer) { parts.append(name.description) }
    return parts.joined(separator: "  ")
  }

  // MARK: What was done, in order

  func session(_ document: inout ReportDocument) {
    document.steps = report.operations.prefix(Limits.steps).map(step)
    let left = report.operations.count + report.operationsLeftOut - document.steps.count
    document.stepCount = grouped(document.steps.count + left)
    if left > 0 { document.stepsLeft = "and \(grouped(left)) more, in the conversation" }
  }

  private func step(_ operation: Operation) -> ReportDocument.Step {
    .init(
      frame: operation.frame, time: report.seconds(operation.start), device: words { operation.writePeer(to: $0, tables) },
      operation: (operation.isIncoming ? "\u{2190} " : "") + operation.kind.verb.description,
      attribute: words { operation.writeAttribute(to: $0, tables, Style(), summary.names) },
      duration: operation.latency >= 0
        ? duration(operation.latency) : operation.duration > 0 ? duration(operation.duration) : "",
      outcome: words { out in
        if operation.ending != .succeeded || !operation.describesItself {
          operation.writeStatus(to: out)
          out.text("  ")
        }
        operation.writeDetail(to: out, Style())
        out.fold(from: 0, to: 200, Style())
      }, isBad: operation.ending == .failed && operation.kind != .disconnect || operation.ending == .unanswered)
  }

  // MARK: GATT tables

  func databases() -> [ReportDocument.Database] {
    var databases: [ReportDocument.Database] = []
    var left = Limits.attributes
    for (index, database) in tables.databases.enumerated() where database.discovered > 0 && left > 0 {
      let known = database.attributes.filter {
        tables.attributes[Int($0)].source != .none && tables.attributes[Int($0)].kind != .declaration
      }
      .sorted { tables.attributes[Int($0)].handle < tables.attributes[Int($1)].handle }
      left -= known.count
      databases.append(.init(owner: owner(Int32(index)), attributes: known.prefix(Limits.attributes).map(attribute)))
    }
    return databases
  }

  private func owner(_ database: Int32) -> String {
    if let peer = tables.peers.firstIndex(where: { $0.database == database && $0.identity < 0 }) {
      let name = tables.name(of: Int32(peer))
      let address = address(tables.peers[peer].address)
      return name.isEmpty ? address : "\(TextBuffer.harmless(name)) \(address)"
    }
    if let adapter = tables.adapters.first(where: { $0.database == database }) {
      return adapter.index == 0xFFFF ? "This host" : "This host (hci\(adapter.index))"
    }
    guard let connection = tables.connections.first(where: { $0.database == database }) else { return "An unknown device" }
    return "The device of connection \(report.handle(connection.handle))"
  }

  private func attribute(_ index: Int32) -> ReportDocument.Attribute {
    let attribute = tables.attributes[Int(index)]
    let uuid = attribute.uuid >= 0 ? tables.uuids[Int(attribute.uuid)] : nil
    var name = uuid.flatMap { $0.attributeName(isService: attribute.kind == .service)?.description } ?? ""
    // The name of the Bluetooth SIG, which apps and specifications use, takes precedence over that of a profile.
    if let profileName = summary.names[index], name.isEmpty || uuid?.short16 == nil { name = TextBuffer.harmless(profileName) }
    if attribute.kind == .service { name = (attribute.isPrimary ? "Service " : "Secondary service ") + name }
    if attribute.kind == .include { name = "includes " + name }
    let isRange = attribute.kind == .service && attribute.related > attribute.handle
    return .init(
      level: attribute.kind == .service ? .service : attribute.kind == .value ? .value : .descriptor,
      handle: report.handle(attribute.handle) + (isRange ? "\u{2013}" + report.handle(attribute.related) : ""),
      name: name.isEmpty ? "\u{2013}" : name,
      uuid: uuid?.description ?? "", properties: attribute.kind == .value ? words { $0.properties(attribute.properties) } : "",
      origin: origin(attribute),
      traffic: traffic(index),
      source: report.sources.firstIndex {
        $0.attribute == index
          || attribute.kind == .value && !$0.uuid.isEmpty && $0.uuid == uuid?.description && $0.handle == attribute.handle
      })
  }

  /// Says how an attribute became known.
  private func origin(_ attribute: Attribute) -> String {
    switch attribute.source {
    case .none: ""
    case .guess: "its use: a guess"
    case .profile: "a profile"
    case .cache: "a table saved before"
    case .discovery: attribute.discovered > 0 ? "discovery, #\(attribute.discovered)" : "discovery"
    }
  }

  func traffic(_ attribute: Int32) -> String {
    let rows = summary.traffic.filter { $0.attribute == attribute }
    var parts: [String] = []
    for (path, singular, many) in [
      (\.writes, "write", "writes"), (\.commands, "write command", "write commands"), (\.notifications, "notification", "notifications"),
      (\.indications, "indication", "indications"), (\.reads, "read", "reads"), (\.refused, "refused", "refused"),
    ] as [(KeyPath<Summary.Traffic, Int>, String, String)] {
      let number = rows.reduce(0) { $0 + $1[keyPath: path] }
      if number > 0 { parts.append(count(number, singular, many)) }
    }
    return parts.joined(separator: ", ")
  }

  // MARK: Findings

  func findings(_ document: inout ReportDocument) {
    var findings: [ReportDocument.Finding] = []
    var indices: [String: Int] = [:]
    var times: [Int] = []
    // Devices that only advertise: each may need something of its own, such as a key.
    var devices: [[UInt64]] = []
    for finding in summary.findings {
      let text = words { finding.explain(to: $0, tables, names: summary.names, countsRepeated: false) }
      let address = finding.connection < 0 && !finding.namesDevice ? finding.address : 0
      // Equal sentences are listed once with their number.
      if let known = indices[text] {
        times[known] += max(finding.repeated, 1)
        if address != 0, devices[known].count < Limits.findingDevices, !devices[known].contains(address) { devices[known].append(address) }
        continue
      }
      guard findings.count < Limits.findings else { continue }
      indices[text] = findings.count
      times.append(max(finding.repeated, 1))
      devices.append(address == 0 ? [] : [address])
      findings.append(
        .init(
          severity: finding.severity, frame: finding.frame, time: report.seconds(finding.time), text: text,
          advice: (finding.kind.isLikely ? "likely: " : "") + finding.advice.description, times: ""))
    }
    for index in findings.indices {
      if times[index] > 1 { findings[index].times = "\(times[index]) times" }
      let named = devices[index].map { address in words { $0.address(address) } }.joined(separator: ", ")
      guard !named.isEmpty else { continue }
      findings[index].times += "\(times[index] > 1 ? ": " : "")\(named)\(devices[index].count == Limits.findingDevices ? ", …" : "")"
    }
    document.findings = Severity.allCases.flatMap { severity in findings.filter { $0.severity == severity } }
    document.findingLead = severities() + ", the gravest first."
    if summary.findingCount > 0 { document.findingCount = "\(summary.findingCount)" }
    let left = summary.findingCount - summary.keptFindingCount
    if left > 0 { document.findingsLeft = "and \(grouped(left)) more" }
  }
}
