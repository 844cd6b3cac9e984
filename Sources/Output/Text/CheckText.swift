import Text

/// The result of one check of `btscribe doctor`: its state, a sentence about it, and the command to type next.
public struct Check: Sendable, Equatable {
  /// The subject of a check.
  public enum Topic: String, Sendable, CaseIterable {
    case live, phone, wireshark

    var title: StaticString {
      switch self {
      case .live: "Live capture on this machine"
      case .phone: "Phones attached by adb"
      case .wireshark: "Wireshark"
      }
    }
  }

  /// The result of a check.
  public enum State: String, Sendable {
    /// It is as it should be.
    case ok
    /// It is not there, or not as it should be.
    case missing
    /// It cannot be known; the check says why.
    case unknown
  }

  /// The part of doctor's output that the check belongs to.
  public var topic: Topic
  /// Its name within the topic.
  public var label: String
  /// The result.
  public var state: State
  /// The result as a sentence. It can contain unescaped output of other programs; printers escape it.
  public var what: String
  /// The command to type next. Names that come from other programs are quoted in it for a shell.
  public var next: String
  /// Of a phone: its serial number.
  public var device: String?

  /// The topic and the name within it: `live.kernel`.
  public var name: String { "\(topic.rawValue).\(label)" }

  /// Makes a check from its parts.
  public init(_ topic: Topic, _ label: String, _ state: State, _ what: String, next: String, device: String? = nil) {
    self.topic = topic
    self.label = label
    self.state = state
    self.what = what
    self.next = next
    self.device = device
  }
}

/// Prints checks, for people or as JSON.
public struct CheckText {
  private let out: TextBuffer
  private let style: Style
  /// Column where the sentence of a check begins.
  private static let indent = 15

  /// Prints to `out`.
  public init(_ out: TextBuffer, style: Style) {
    self.out = out
    self.style = style
  }

  /// Prints a heading for each topic and a line for each check of it. The command of a check that is missing or unknown is printed below it; below a
  /// topic without such a check, that of its last one.
  public func print(_ checks: [Check]) {
    var isFirst = true
    for topic in Check.Topic.allCases {
      let ofTopic = checks.filter { $0.topic == topic }
      guard !ofTopic.isEmpty else { continue }
      if !isFirst { out.text("\n") }
      isFirst = false
      out.paint(.bold, style)
      out.text(topic.title)
      out.unpaint(.bold, style)
      out.text("\n")
      let isWell = ofTopic.allSatisfy { $0.state == .ok }
      for (index, check) in ofTopic.enumerated() {
        line(check)
        if check.state != .ok || isWell && index == ofTopic.count - 1 { command(check.next) }
      }
    }
  }

  private func line(_ check: Check) {
    let start = out.count
    let paint: Style.ColorRole =
      switch check.state {
      case .ok: .green
      case .missing: .red
      case .unknown: .yellow
      }
    out.text("  ")
    out.paint(paint, style)
    switch check.state {
    case .ok: out.glyph(.passed, style)
    case .missing: out.glyph(.failed, style)
    case .unknown: out.text("?")
    }
    out.unpaint(paint, style)
    out.text(" ")
    out.string(check.label)
    out.pad(from: start, to: Self.indent)
    out.untrusted(Array(check.what.utf8), .terminal)
    out.wrap(from: start, indent: Self.indent, style)
    out.text("\n")
  }

  /// A command gets a line of its own, which is never wrapped, so that it can be copied.
  private func command(_ text: String) {
    out.spaces(Self.indent)
    out.paint(.dim, style)
    out.text("$ ")
    out.unpaint(.dim, style)
    out.untrusted(Array(text.utf8), .terminal)
    out.text("\n")
  }

  /// An array of objects with `name`, `state`, `what` and `next`, and `device` for checks of a phone.
  public func printJSON(_ checks: [Check]) {
    out.text("[")
    for (index, check) in checks.enumerated() {
      out.string(index == 0 ? "\n  {" : ",\n  {")
      member("name", check.name)
      if let device = check.device {
        out.text(", ")
        member("device", device)
      }
      for (key, value) in [("state", check.state.rawValue), ("what", check.what), ("next", check.next)] {
        out.text(", ")
        member(key, value)
      }
      out.text("}")
    }
    out.text("\n]\n")
  }

  private func member(_ key: String, _ value: String) {
    out.string("\"\(key)\": \"")
    out.untrusted(Array(value.utf8), .json)
    out.text("\"")
  }
}
