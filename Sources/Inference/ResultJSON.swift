import PacketCodecs
import Text

/// The findings as JSON (see btscribe-infer(7)).
public enum ResultJSON {
  /// An array of all streams.
  public static func text(_ all: [StreamFindings]) -> String {
    "[" + all.map { object($0, all) }.joined(separator: ",\n") + "]\n"
  }

  private static func object(_ findings: StreamFindings, _ all: [StreamFindings]) -> String {
    var keys = source(findings.source)
    keys.append(("direction", string(findings.source.direction)))
    keys.append(("packets", "\(findings.packets)"))
    keys.append(("messages", "\(findings.messages)"))
    keys.append(("framing", framing(findings.framing)))
    if let kinds = findings.kinds, !kinds.isLength {
      keys.append(("kinds", object([("offset", "\(kinds.offset)"), ("size", "\(kinds.size)"), ("confidence", number(kinds.confidence))])))
    } else {
      keys.append(("kinds", "null"))
    }
    keys.append(("fields", "[" + findings.fields.map { fields($0, findings.kinds) }.joined(separator: ",") + "]"))
    if let answers = findings.answers {
      let other = all[answers.stream].source
      var members: [(String, String)] = [("direction", string(other.direction))]
      members += source(other).filter { ["uuid", "handle", "channel"].contains($0.0) }
      members.append(("request_offset", answers.requestOffset.map(String.init) ?? "null"))
      members.append(("answer_offset", answers.responseOffset.map(String.init) ?? "null"))
      members.append(("size", answers.size.map(String.init) ?? "null"))
      if !answers.others.isEmpty {
        let others = answers.others.map {
          object([("request_offset", "\($0.request)"), ("answer_offset", "\($0.answer)"), ("size", "\($0.size)")])
        }
        members.append(("others", "[" + others.joined(separator: ",") + "]"))
      }
      members.append(("share", number(answers.share)))
      keys.append(("answers", object(members)))
    } else {
      keys.append(("answers", "null"))
    }
    if !findings.notes.isEmpty { keys.append(("notes", "[" + findings.notes.map(string).joined(separator: ",") + "]")) }
    keys.append(("profile", string(ProfileWriter.profile(of: findings, name: "inferred"))))
    return object(keys)
  }

  private static func source(_ source: StreamSource) -> [(String, String)] {
    var keys: [(String, String)] = []
    if let peer = source.peer { keys.append(("peer", string(peer))) }
    if let name = source.peerName { keys.append(("peer_name", string(name))) }
    if let uuid = source.uuid { keys.append(("uuid", string(uuid))) }
    if let handle = source.handle { keys.append(("handle", "\(handle)")) }
    if let channel = source.channel { keys.append(("channel", "\(channel)")) }
    if let psm = source.psm { keys.append(("psm", "\(psm)")) }
    if let company = source.company { keys.append(("company", "\(company)")) }
    if source.isAnyCompany { keys.append(("company", "\"any\"")) }
    if let service = source.service { keys.append(("service", string(service))) }
    return keys
  }

  private static func framing(_ framing: FramingFinding) -> String {
    var keys: [(String, String)] = [("kind", string(framing.kind.rawValue))]
    keys.append(("start", framing.start.isEmpty ? "null" : string(hex(framing.start))))
    keys.append(("end", framing.end.isEmpty ? "null" : string(hex(framing.end))))
    if let length = framing.length, length.unit == 1 {
      keys.append(
        (
          "length",
          object([
            ("offset", "\(length.offset)"), ("size", "\(length.size)"), ("endian", endian(length.endian)), ("adds", "\(length.adds)"),
            ("confidence", number(length.confidence)),
          ])
        ))
    } else {
      keys.append(("length", "null"))
    }
    if let fragment = framing.fragment {
      func part(_ part: BitPart?) -> String {
        part.map {
          $0.mask == 0xff && $0.shift == 0
            ? object([("offset", "\($0.offset)"), ("size", "1")])
            : object([("offset", "\($0.offset)"), ("size", "1"), ("shift", "\($0.shift)"), ("mask", "\($0.mask)")])
        } ?? "null"
      }
      func values(_ values: [Int]) -> String {
        guard let state = fragment.state, !values.isEmpty else { return "null" }
        return object([
          ("offset", "\(state.offset)"), ("shift", "\(state.shift)"), ("mask", "\(state.mask)"),
          ("values", "[" + values.map(String.init).joined(separator: ",") + "]"),
        ])
      }
      var members = [
        ("header", "\(fragment.header)"), ("index", part(fragment.index)), ("total", part(fragment.total)),
        ("first", values(fragment.firstValues)), ("last", values(fragment.lastValues)), ("confidence", number(fragment.confidence)),
      ]
      if fragment.sequence != nil { members.append(("sequence", part(fragment.sequence))) }
      if let condition = fragment.condition { members.append(("where", object(condition))) }
      keys.append(("fragment", object(members)))
    } else {
      keys.append(("fragment", "null"))
    }
    if let check = framing.check {
      let range = check.checksum.coverage.first ?? ByteRange(from: 0)
      var members: [(String, String)] = [
        ("algorithm", string(check.checksum.algorithm.name)), ("offset", "\(check.checksum.position)"),
        ("size", "\(check.checksum.storedCount)"), ("endian", endian(check.checksum.byteOrder)), ("from", "\(range.from)"),
        ("to", range.to.map(String.init) ?? "null"), ("over", string(check.isPerPacket ? "packet" : "message")),
        ("verified", "\(check.verified)"), ("of", "\(check.of)"), ("confidence", number(check.confidence)),
      ]
      if check.checksum.form == .asciiHex { members.append(("as", "\"hex\"")) }
      if check.shortest > 0 { members.append(("shortest", "\(check.shortest)")) }
      if let condition = check.condition { members.append(("where", object(condition))) }
      keys.append(("check", object(members)))
    } else {
      keys.append(("check", "null"))
    }
    if let counter = framing.counter {
      keys.append(
        (
          "counter",
          object([
            ("offset", "\(counter.offset)"), ("size", "\(counter.size)"), ("endian", endian(counter.endian)), ("step", "\(counter.step)"),
            ("confidence", number(counter.confidence)),
          ])
        ))
    } else {
      keys.append(("counter", "null"))
    }
    keys.append(("encrypted", framing.isEncrypted ? "true" : "false"))
    return object(keys)
  }

  private static func fields(_ kind: KindFields, _ kinds: KindFinding?) -> String {
    let list = kind.fields.map { field in
      var keys: [(String, String)] = [("offset", "\(field.offset)"), ("size", field.size.map(String.init) ?? "null")]
      keys.append(("type", string(field.type.rawValue)))
      if let order = field.endian { keys.append(("endian", endian(order))) }
      keys.append(("confidence", number(field.confidence)))
      keys.append(("evidence", string(field.evidence)))
      return object(keys)
    }
    return object(
      [
        ("kind", kind.kind.isEmpty ? "null" : string(hex(kind.kind))), ("count", "\(kind.count)"),
        ("fields", "[" + list.joined(separator: ",") + "]"),
      ] + (kinds?.isLength ?? false ? [("length", "\(kind.longest)")] : []))
  }

  private static func endian(_ order: ByteOrder) -> String { order == .big ? "\"be\"" : "\"le\"" }

  /// A number with three decimals.
  private static func number(_ value: Double) -> String {
    let thousandths = Int((max(0, min(1, value)) * 1000).rounded())
    return thousandths == 1000 ? "1" : "0." + String(1000 + thousandths).dropFirst()
  }

  private static func object(_ condition: MessageCondition) -> String {
    let values = condition.values.map { string(hex([$0])) }.joined(separator: ",")
    return object([("offset", "\(condition.offset)"), ("values", "[\(values)]")])
  }

  private static func object(_ keys: [(String, String)]) -> String {
    "{" + keys.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  private static func string(_ text: String) -> String {
    var out: [UInt8] = []
    out.append(jsonString: text)
    return String(decoding: out, as: UTF8.self)
  }
}
