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
  }

  /// Most groups that are shown, and most frames of a group.
  private static let shownGroups = 40
  private static let shownFrames = 6
  /// Most frames of a group that are kept to show the first of them.
  private static let keptFrames = 64

  func findings(_ summary: Summary, _ tables: Tables) {
    guard summary.findingCount > 0 else { return }
    var groups: [Group] = []
    var indices: [String: Int] = [:]
    var counts = [0, 0, 0]
    for finding in summary.findings {
      counts[Int(finding.severity.rawValue)] += max(finding.repeated, 1)
      let key = key(finding)
      if let index = indices[key] {
        groups[index].count += max(finding.repeated, 1)
        for frame in finding.repeated > 0 ? finding.frames : [finding.frame] where frame != groups[index].first.frame {
          if groups[index].frames.count < Self.keptFrames { groups[index].frames.append(frame) }
        }
      } else {
        indices[key] = groups.count
        groups.append(Group(first: finding))
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

  /// Findings with an equal key are grouped: kind, error, connection, and attribute or channel.
  private func key(_ finding: Finding) -> String {
    let metadata = finding.metadata
    var about = "\(metadata.id) \(finding.connection) \(finding.attribute)"
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

  private func line(_ group: Group, _ tables: Tables, _ names: [Int32: String]) {
    let finding = group.first
    let start = out.count
    out.text("  ")
    out.paint(finding.severity.paint, style)
    out.text(finding.severity.text)
    out.unpaint(finding.severity.paint, style)
    out.pad(from: start, to: 11)
    out.byte(UInt8(ascii: "#"))
    out.decimal(finding.frame)
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
    }
    finding.explain(to: out, tables, style, names: names, countsRepeated: false)
    finding.advise(to: out)
    if group.count > 1 {
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
