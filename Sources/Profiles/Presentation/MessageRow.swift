import Memory
import Text

// A message as a JSON row, and as text.

extension [UInt8] {
  /// The bytes of hexadecimal digits; white space and colons are skipped. Nil for other characters, or an odd number of digits.
  package init?(hex text: some StringProtocol) {
    guard let bytes = bytesOfHex(text) else { return nil }
    self = bytes
  }
}

extension CompiledProfile {
  /// Whether a source has messages in a direction.
  public func carries(_ source: Int, _ direction: ValueDirection) -> Bool {
    guard sources.indices.contains(source) else { return false }
    return sources[source].directions[Int(direction.rawValue)].carries
  }
}

extension ProfileMessage {
  /// Appends the message as one JSON object with the keys of `kind: message`: `direction`, `profile`, `message`, `characteristic`, `operation`, `frames`,
  /// `payload`, `checksum`, `complete`, `problem`, `fields`, `reply_to`.
  public func appendRow(to output: inout [UInt8]) {
    output.append("{\"kind\":\"message\",\"direction\":\"")
    // Packets that a user gives are taken as those of a client: it sends writes and receives everything else.
    output.append(direction == .write ? "sent\"," : "received\"," as StaticString)
    appendRowKeys(to: &output)
    output.append("}")
  }

  /// Appends the keys of ``appendRow(to:)`` without the object around them, without `kind` and `direction`.
  public func appendRowKeys(to output: inout [UInt8]) { withRowKeys { output.append(contentsOf: $0) } }

  /// Calls `body` with the text that ``appendRowKeys(to:)`` appends.
  public func withRowKeys(_ body: (BorrowedBytes) -> Void) { withSink({ writeRowKeys(to: &$0) }, body) }

  private func writeRowKeys(to output: inout TextSink) {
    let shown = look
    output.append(shown.profileKey[0])
    if messageNumber >= 0 { output.append(shown.messageKeys[messageNumber]) }
    output.append(shown.sourceKeys[sourceNumber])
    output.append(",\"operation\":\"")
    output.append(direction.word)
    output.append("\",\"frames\":[")
    for index in frames.indices {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      output.append(decimal: Int64(frames[index]))
    }
    output.append("],\"payload\":\"")
    output.append(hexOf: payload)
    output.append(UInt8(ascii: "\""))
    switch checksum {
    case .none: break
    case .ok: output.append(",\"checksum\":\"ok\"")
    case .bad: output.append(",\"checksum\":\"bad\"")
    }
    if decryption.isOpened { output.append(",\"decrypted\":true") }
    if decryption.isClosed { output.append(",\"encrypted\":true") }
    output.append(isComplete ? ",\"complete\":true" : ",\"complete\":false" as StaticString)
    if kind == .unjoined { output.append(",\"unjoined\":true") }
    if hasProblem {
      output.append(",\"problem\":")
      output.appendJSONString { writeProblem(to: &$0) }
    }
    output.append(",\"fields\":")
    writeFields(to: &output)
    if let replyTo {
      output.append(",\"reply_to\":")
      output.append(decimal: Int64(replyTo))
    }
  }

  /// The reason why it stays encrypted, in words; nil where it does not, or where its problem has the reason.
  public var closedText: String? {
    switch (decryption, keyName) {
    case (.keyMissing, let key?): "encrypted, needs --key \(key)=HEX" + (keyNote.map { ": \($0)" } ?? "")
    case (.keyMissing, nil): "encrypted with a key that no message before it gave"
    case (.keyWrong, let key?): "encrypted, and no key given as \(key) fits"
    case (.keyWrong, nil): "encrypted, and the key that a message before it gave does not fit"
    default: nil
    }
  }

  /// Appends the message as text: its summary, then each field on its own line with its offset in the payload.
  public func appendText(to output: inout [UInt8]) { withText { output.append(contentsOf: $0) } }

  /// Calls `body` with the text that ``appendText(to:)`` appends.
  @_spi(Pipeline) public func withText(_ body: (BorrowedBytes) -> Void) { withSink({ writeText(to: &$0) }, body) }

  private func writeText(to output: inout TextSink) {
    if kind == .unjoined {
      output.append("bytes that belong to no message: ")
      output.append(hexOf: payload, separator: UInt8(ascii: " "))
    } else {
      output.append(string: name ?? "unknown message")
      output.append("  ")
      MessageWords().format(self) { output.append($0) }
    }
    if checksum == .ok { output.append("  (checksum ok)") }
    if decryption == .opened { output.append("  (decrypted)") }
    if decryption == .likelyOpened { output.append("  (likely decrypted)") }
    output.append("\n")
    if let closed = closedText {
      output.append("    ")
      output.append(string: closed)
      output.append("\n")
    }
    var problemRange = 0..<0
    if hasProblem {
      output.append("    problem: ")
      let start = output.count
      writeProblem(to: &output)
      problemRange = start..<output.count
      output.append("\n")
    }
    var lines = LineVisitor(output, problemRange: problemRange)
    visitFields(&lines)
    output = lines.output
  }
}

/// Writes each field on its own line.
struct LineVisitor: MessageFieldVisitor {
  var output: TextSink
  private var depth = 1
  private var indexes: [Int] = []
  /// Where it was said what is wrong with the message.
  private let problemRange: Range<Int>

  init(_ output: TextSink, problemRange: Range<Int>) {
    self.output = output
    self.problemRange = problemRange
  }

  private mutating func indent() { for _ in 0..<depth { output.append("    ") } }

  private mutating func name(_ field: FieldContext) {
    indent()
    if field.name.isEmpty, let index = indexes.last {
      output.append(UInt8(ascii: "["))
      output.append(decimal: Int64(index))
      output.append(UInt8(ascii: "]"))
      indexes[indexes.count - 1] = index + 1
    } else {
      // Names of members come from the capture and are untrusted.
      output.append(printable: field.name.bytes)
    }
  }

  mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) {
    name(field)
    output.append(" = ")
    if field.isSecret {
      output.append("(secret)")
    } else {
      switch value {
      case .enumeration(let name, let number):
        if name.isEmpty { output.append("unknown") } else { output.append(name) }
        output.append(" (")
        output.append(decimal: number)
        output.append(")")
      case .text(let text): output.append(printable: text)
      case .bytes(let bytes): output.append(hexOf: bytes, separator: UInt8(ascii: " "))
      case .int(let number) where field.format == .hex && number >= 0:
        output.append { $0.append(hex: UInt64(number), digits: max(2, field.range.count * 2)) }
      case .uint(let number) where field.format == .hex: output.append { $0.append(hex: number, digits: 16) }
      case .int(let number) where field.format == .unixTime:
        output.append { $0.append(unixTime: number) }
        output.append(" (")
        output.append(decimal: number)
        output.append(")")
      default: output.append(json: value)
      }
      var isNull = false
      if case .null = value { isNull = true }
      if !field.unit.isEmpty, !isNull {
        output.append(UInt8(ascii: " "))
        output.append(field.unit)
      }
    }
    if !field.range.isEmpty {
      output.append("   [")
      output.append(decimal: Int64(field.range.lowerBound))
      if field.range.count > 1 {
        output.append("\u{2013}")
        output.append(decimal: Int64(field.range.upperBound - 1))
      }
      output.append("]")
    }
    output.append("\n")
  }

  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool {
    name(field)
    if field.isSecret {
      output.append(" = (secret)\n")
      return false
    }
    output.append("\n")
    depth += 1
    if isArray { indexes.append(0) } else { indexes.append(-1) }
    return true
  }

  mutating func close(isArray: Bool) {
    depth -= 1
    indexes.removeLast()
  }

  mutating func problem(_ text: String) {
    guard !String(decoding: output.bytes.part(problemRange), as: UTF8.self).contains(text) else { return }
    indent()
    output.append(string: text)
    output.append("\n")
  }
}
