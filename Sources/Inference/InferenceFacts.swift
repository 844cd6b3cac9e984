import PacketCodecs

/// The evidence in sentences, and open questions.
public enum InferenceFacts {
  /// A finding with its evidence and confidence.
  public struct Fact: Sendable {
    /// Its name.
    public var name: String
    /// The sentence.
    public var text: String
    /// Confidence from 0 to 1; from 0.9 on the finding is certain.
    public var confidence: Double

    /// `text`, with its confidence where it is not certain.
    public var sentence: String { confidence >= 0.9 ? text : text + (confidence >= 0.5 ? " (likely)" : " (perhaps)") }
  }

  /// The facts of a stream of values, of framing first.
  public static func evidence(_ findings: StreamFindings, _ all: [StreamFindings]) -> [Fact] {
    var facts: [Fact] = []
    func fact(_ name: String, _ confidence: Double, _ text: String) { facts.append(Fact(name: name, text: text, confidence: confidence)) }
    let framing = findings.framing
    if let standard = findings.standard { fact("protocol", 0.95, standard.text) }
    switch framing.kind {
    case .stream:
      let full = framing.packetSize.map { " of up to \($0) bytes" } ?? ""
      let form =
        framing.isPadded
        ? "each value is a frame with zeros behind it"
        : findings.messages > findings.packets ? "values have several frames" : "frames are cut into values\(full)"
      fact("framing", framing.confidence, "\(form): \(findings.messages) messages of \(findings.packets) values")
    case .fragments: if let fragment = framing.fragment { fact("fragments", fragment.confidence, sentence(fragment, findings)) }
    case .message, .unknown: break
    }
    if let escape = framing.escape { fact("escape", 0.95, "\(escape.name): all frames decode") }
    let several = min(0.99, Double(findings.messages) / 10)
    // The common start of all messages ends where another field is known.
    let known = findings.fields.first?.fields.first { $0.offset >= 0 && $0.type != .constant }?.offset ?? framing.start.count
    let start = framing.start.prefix(known)
    if !start.isEmpty, findings.messages > 1 { fact("start", several, "\(hex(start)) in all \(findings.messages)") }
    if !framing.end.isEmpty, findings.messages > 1 { fact("end", several, "\(hex(framing.end)) in all \(findings.messages)") }
    if let length = framing.length {
      let bytes = range(length.offset, length.size, length.endian)
      let sum = length.adds == 0 ? "" : length.adds < 0 ? " - \(-length.adds)" : " + \(length.adds)"
      let factor = length.unit == 1 ? "" : " \u{00D7} \(length.unit)"
      fact(
        "length", length.confidence,
        "\(bytes): value\(factor)\(sum) = size of the message: \(length.holds) of \(length.of), \(length.lengths) lengths")
    }
    if let check = framing.check {
      let checksum = check.checksum
      let covered = checksum.coverage.first.map { Self.range($0) } ?? "all bytes"
      let form = checksum.form == .asciiHex ? ", in digits" : checksum.byteCount > 1 ? ", \(order(checksum.byteOrder))" : ""
      let unit = check.isPerPacket ? "each value" : framing.kind == .message || framing.isPadded ? "the message" : "the joined message"
      var minimum = check.shortest > 0 ? ", where it is of \(check.shortest) bytes or more" : ""
      if let condition = check.condition {
        minimum += ", where byte \(condition.offset) is \(condition.values.map { hex([$0]) }.joined(separator: ", "))"
      }
      let at = checksum.position < 0 ? "the last \(-checksum.position) bytes" : "byte \(checksum.position)"
      fact(
        "check", check.confidence,
        "\(checksum.algorithm.name) over \(covered) of \(unit), at \(at == "the last 1 bytes" ? "the last byte" : at)\(form)\(minimum): \(check.verified) of \(check.of)"
      )
    }
    if let counter = framing.counter {
      let percent = counter.share < 1 ? min(99, Int((counter.share * 100).rounded())) : 100
      fact(
        "counter", counter.confidence,
        "\(range(counter.offset, counter.size, counter.endian)): +\(counter.step) each message, \(percent == 100 ? "always" : "\(percent) % of them")"
      )
    }
    if let kinds = findings.kinds {
      let what = kinds.isLength ? "their length" : "byte \(kinds.offset)"
      fact("kinds", kinds.confidence, "\(what) distinguishes \(findings.fields.count) kinds of messages")
    }
    if let answers = findings.answers {
      let other = all[answers.stream].source
      var text = "\(other.label) answers \(Int((answers.share * 100).rounded())) % of them, after \(answers.delay / 1000) ms"
      if let from = answers.requestOffset, let to = answers.responseOffset, let size = answers.size {
        text += "; \(range(from, size, nil)) \(size > 1 ? "come" : "comes") back as \(range(to, size, nil))"
        for echo in answers.others { text += ", \(range(echo.request, echo.size, nil)) as \(range(echo.answer, echo.size, nil))" }
      }
      fact("answers", min(0.95, answers.share), text)
    }
    if let poll = findings.poll { fact("poll", 0.9, "the same message \(poll.count) times, every \(poll.period / 1000) ms") }
    return facts
  }

  /// The description of a stream in one line.
  public static func brief(_ findings: StreamFindings) -> String {
    let framing = findings.framing
    let count = findings.messages == 1 ? "1 message" : "\(findings.messages) messages"
    var parts = [findings.messages == findings.packets ? count : "\(count) of \(findings.packets) values"]
    if framing.isEncrypted {
      let plain = findings.fields.first?.fields.last { $0.size == nil }?.offset ?? 0
      let header = plain == 0 ? "" : " behind \(plain) plain \(plain == 1 ? "byte" : "bytes")"
      return parts[0] + ", a cipher or compressed" + header
    }
    if let standard = findings.standard { parts.append(standard.name) }
    if let fragment = framing.fragment {
      parts.append("fragments with \(fragment.header) \(fragment.header == 1 ? "byte" : "bytes") of header")
    }
    if !framing.start.isEmpty, findings.messages >= 4 { parts.append("start \(hex(framing.start.prefix(2)))") }
    func likely(_ confidence: Double) -> String { confidence >= 0.9 ? "" : "likely " }
    if let length = framing.length, length.confidence >= 0.5 {
      parts.append("\(likely(length.confidence))length in \(range(length.offset, length.size, nil))")
    }
    if let counter = framing.counter, counter.confidence >= 0.5 {
      parts.append("\(likely(counter.confidence))counter in \(range(counter.offset, counter.size, nil))")
    }
    if let check = framing.check, check.confidence >= 0.5 { parts.append(likely(check.confidence) + check.checksum.algorithm.name) }
    if let kinds = findings.kinds {
      parts.append("\(findings.fields.count) kinds by \(kinds.isLength ? "their length" : "byte \(kinds.offset)")")
    }
    let described = findings.fields.first?.fields.first {
      [.json, .cbor, .protobuf, .tlv].contains($0.type) || ($0.type == .text && $0.size == nil)
    }
    if let described { parts.append(described.type == .tlv ? "tagged values" : described.type == .text ? "text" : described.type.rawValue) }
    return parts.joined(separator: ", ")
  }

  private static func range(_ offset: Int, _ size: Int, _ endian: ByteOrder?) -> String {
    size == 1 ? "byte \(offset)" : "bytes \(offset) to \(offset + size - 1)" + (endian.map { ", " + order($0) } ?? "")
  }

  private static func range(_ range: ByteRange) -> String {
    let to = range.to.map { $0 < 0 ? "all but the last \(-$0)" : "up to byte \($0 - 1)" } ?? "to the end"
    return range.from == 0
      ? (range.to == nil ? "all bytes" : to.hasPrefix("all") ? to : "bytes 0 \(to)") : "bytes from \(range.from), \(to)"
  }

  private static func order(_ order: ByteOrder) -> String { order == .big ? "high byte first" : "low byte first" }

  private static func sentence(_ fragment: FragmentFinding, _ findings: StreamFindings) -> String {
    let values =
      fragment.condition.map { "values with \($0.values.map { hex([$0]) }.joined(separator: ", ")) in byte \($0.offset) begin" }
      ?? "each value begins"
    var parts = ["\(values) with \(fragment.header) \(fragment.header == 1 ? "byte" : "bytes") of header"]
    if let index = fragment.index {
      parts.append("byte \(index.offset) counts \(fragment.countsDown ? "down" : "up from \(fragment.indexBase)")")
    }
    if let sequence = fragment.sequence {
      let isWhole = sequence.mask == 0xff
      parts.append("\(isWhole ? "byte" : "bits of byte") \(sequence.offset) \(isWhole ? "numbers" : "number") all values in a row")
    }
    if let frame = fragment.frame {
      parts.append("behind it \(range(frame.offset, frame.size, frame.endian)) + \(frame.adds) is the length")
    }
    if let total = fragment.total { parts.append("byte \(total.offset) is their number") }
    if let state = fragment.state {
      parts.append("bits of byte \(state.offset) mark the first\(fragment.lastValues.isEmpty ? "" : " and the last")")
    }
    if fragment.isSelfSized {
      parts.append("the first has the length in 5, 13 or 16 bits; the bits before give that number")
    } else if fragment.length != nil {
      parts.append("the first has the length")
    }
    for part in fragment.parts {
      switch part.role {
      case .length(let adds): parts.append("byte \(part.offset) + \(adds) is the size of the value")
      case .sequence(let step): parts.append("byte \(part.offset) grows by \(step) from message to message")
      default: break
      }
    }
    func number(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
    return parts.joined(separator: "; ") + ": \(number(findings.messages, "message")) of \(number(findings.packets, "value"))"
  }

  /// Whether messages need no length: a text ends where the value does, and those of a kind may all have the same one.
  private static func saysLength(_ findings: StreamFindings) -> Bool {
    if let field = findings.fields.first?.fields.first, field.size == nil, [.text, .json].contains(field.type) { return true }
    guard let kinds = findings.kinds, !kinds.isLength else { return false }
    return findings.fields.allSatisfy { $0.shortest == $0.longest }
  }

  /// Open questions, with the experiments that would answer them.
  public static func open(_ findings: StreamFindings) -> [String] {
    var open = findings.open
    let framing = findings.framing
    guard !framing.isEncrypted else { return [] }
    if findings.messages < 4 {
      open.append(
        findings.messages == 1 ? "one message is too few: capture more" : "\(findings.messages) messages are few: capture more")
    }
    if let counter = framing.counter, !counter.wraps {
      open.append("whether byte \(counter.offset) wraps at 256: more than \(256 / max(1, counter.step)) messages in a row would show it")
    }
    if framing.length == nil, framing.kind == .message, findings.lengths > 1, !saysLength(findings) {
      let what =
        findings.lengths > 2
        ? "no byte shows it in messages of \(findings.lengths) lengths"
        : findings.source.isRequest ? "send messages of other lengths" : "only 2 lengths were seen"
      open.append("where the length is: \(what)")
    }
    if let length = framing.length, length.lengths < 3 {
      let seen = length.lengths == 1 ? "one length was" : "\(length.lengths) lengths were"
      open.append("whether byte \(length.offset) is the length: only \(seen) seen")
    }
    if let check = framing.check, check.confidence < 0.9 {
      open.append("the checksum: \(check.of) messages that differ in few bytes allow several explanations; send others")
    }
    let constants = findings.fields.first?.fields.filter { $0.type == .constant && $0.offset > 0 && $0.confidence > 0 } ?? []
    if let first = constants.first, findings.source.isRequest, findings.messages < 50 {
      open.append("what byte \(first.offset) is, which never changed: send another command, or the same one twice")
    }
    return open
  }
}

extension StreamSource {
  /// A label for people.
  public var label: String {
    if isAnyCompany { return "manufacturer data" }
    if let company { return "company 0x" + hex([UInt8(truncatingIfNeeded: company >> 8), UInt8(truncatingIfNeeded: company)]) }
    if let service { return "service data \(service)" }
    if let channel { return "RFCOMM channel \(channel)" }
    if let psm { return "L2CAP PSM \(psm)" }
    let handleText = handle.map { "0x" + hex([UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]) } ?? ""
    return [handleText, uuid ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
