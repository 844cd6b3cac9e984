import Bluetooth
import Conversations
import Analysis
import Text

/// Findings in the summary: the worst first, similar ones together.
extension SummaryText {
  /// Findings of one kind about the same object.
  private struct Group {
    var first: Finding
    var count = 1
    var frames: [Int] = []
    /// The devices of findings without a connection, each with its first frame.
    var devices: [(address: UInt64, frame: Int)] = []

    /// Takes the device of a finding, if it is a new one.
    mutating func add(_ finding: Finding, limit: Int) {
      guard finding.connection < 0, finding.address != 0, devices.count < limit else { return }
      if !devices.contains(where: { $0.address == finding.address }) { devices.append((finding.address, finding.frame)) }
    }
  }

  /// Most groups that are shown, and most frames of a group.
  private static let shownGroups = 40
  private static let shownFrames = 6
  private static let shownDevices = 16
  /// Most frames of a group that are kept to show the first of them.
  private static let keptFrames = 64

  func findings(_ summary: Summary, _ tables: ConversationTables) {
    guard summary.findingCount > 0 else { return }
    var groups: [Group] = []
    var indices: [String: Int] = [:]
    var counts = [0, 0, 0]
    for finding in summary.findings {
      counts[Int(finding.severity.rawValue)] += max(finding.repeated, 1)
      let key = key(finding)
      if let index = indices[key] {
        groups[index].count += max(finding.repeated, 1)
        groups[index].add(finding, limit: Self.shownDevices)
        for frame in finding.repeated > 0 ? finding.frames : [finding.subjectFrame] where frame != groups[index].first.subjectFrame {
          if groups[index].frames.count < Self.keptFrames { groups[index].frames.append(frame) }
        }
      } else {
        indices[key] = groups.count
        groups.append(Group(first: finding))
        groups[groups.count - 1].add(finding, limit: Self.shownDevices)
      }
    }
    head(summary, counts)
    let sorted = groups.enumerated().sorted { group, other in
      let (a, b) = (group.element.first.severity.rawValue, other.element.first.severity.rawValue)
      return a != b ? a < b : group.offset < other.offset
    }
    for (_, group) in sorted.prefix(Self.shownGroups) { line(group, tables, summary.names) }
    if groups.count > Self.shownGroups {
      out.text("  and ")
      out.decimal(groups.count - Self.shownGroups)
      out.text(" other kinds\n")
    }
  }

  /// Findings with an equal key are grouped: kind, error, advice, the names in its sentence, connection, and attribute or channel.
  private func key(_ finding: Finding) -> String {
    let metadata = finding.metadata
    var about = "\(metadata.id) \(metadata.advice) \(finding.connection) \(finding.attribute)"
    for case .text(let name) in metadata.text.parts { about += " \(name)" }
    if case .channelRefused(let psm, _, _, _, _) = finding.kind { about += " \(psm)" }
    return metadata.variant.map { "\(about) \($0) \(finding.address)" } ?? about
  }

  private func head(_ summary: Summary, _ counts: [Int]) {
    heading("Findings", nil)
    out.truncate(to: out.count - 1)
    var isFirst = true
    for severity in Severity.allCases where counts[Int(severity.rawValue)] > 0 {
      let count = counts[Int(severity.rawValue)]
      out.text(isFirst ? "  " : ", ")
      isFirst = false
      out.decimal(count)
      out.byte(0x20)
      out.text(severity.text)
      if count != 1 { out.byte(UInt8(ascii: "s")) }
    }
    if summary.findingCount > summary.keptFindingCount {
      out.text(", and ")
      out.decimal(summary.findingCount - summary.keptFindingCount)
      out.text(" more after those")
    }
    out.byte(0x0A)
  }

  private func line(_ group: Group, _ tables: ConversationTables, _ names: [Int32: String]) {
    let finding = group.first
    let start = out.count
    out.text("  ")
    out.paint(finding.severity.paint, style)
    out.text(finding.severity.text)
    out.unpaint(finding.severity.paint, style)
    out.pad(from: start, to: 11)
    out.byte(UInt8(ascii: "#"))
    out.decimal(finding.subjectFrame)
    out.pad(from: start, to: 19)
    if finding.connection >= 0 {
      let peer = tables.connections[Int(finding.connection)].peer
      let name = peer >= 0 ? tables.name(of: peer) : []
      if name.isEmpty {
        out.text("0x")
        out.hex(UInt64(tables.connections[Int(finding.connection)].handle), digits: 4)
      } else {
        out.untrusted(name, .terminal)
      }
      out.text("  ")
    } else if finding.address != 0, !finding.namesDevice {
      finding.writeDevice(to: out, tables)
      out.text("  ")
    }
    finding.explain(to: out, tables, style, names: names, countsRepeated: false)
    finding.advise(to: out)
    if group.devices.count > 1 {
      others(group)
    } else if group.count > 1 {
      out.paint(.dim, style)
      out.text("  (")
      out.decimal(group.count)
      out.text(" times: also")
      let shown = group.frames.sorted().prefix(Self.shownFrames)
      for frame in shown {
        out.text(" #")
        out.decimal(frame)
      }
      if group.count - 1 > shown.count {
        out.byte(0x20)
        out.glyph(.ellipsis, style)
      }
      out.byte(UInt8(ascii: ")"))
      out.unpaint(.dim, style)
    }
    out.wrap(from: start, indent: 19, style)
    out.byte(0x0A)
  }

  /// The devices of a group: each may need something of its own, such as a key.
  private func others(_ group: Group) {
    out.paint(.dim, style)
    out.text("  (")
    out.decimal(group.count)
    out.text(" times: also")
    for device in group.devices.dropFirst() {
      out.byte(0x20)
      out.address(device.address)
      out.text(" #")
      out.decimal(device.frame)
    }
    if group.devices.count == Self.shownDevices {
      out.byte(0x20)
      out.glyph(.ellipsis, style)
    }
    out.byte(UInt8(ascii: ")"))
    out.unpaint(.dim, style)
  }
}

extension Severity {
  /// The colour of its sentence.
  var paint: Style.ColorRole {
    switch self {
    case .error: .red
    case .warning: .yellow
    case .note: .plain
    }
  }
}
