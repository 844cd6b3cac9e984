import Kaitai
import PacketCodecs

/// Writes fields as a JSON object: names as in the profile, an enum as `{"name", "value"}`, bytes as lower-case hex.
struct JSONVisitor: FieldVisitor {
  /// Whoever reads it frees it.
  var output: TextSink
  private var needsComma = false
  /// Hidden fields are not written.
  var leavesHidden = false

  init(_ output: TextSink) { self.output = output }

  private mutating func name(_ field: FieldContext) {
    if needsComma { output.append(UInt8(ascii: ",")) }
    needsComma = true
    if !field.key.isEmpty {
      output.append(field.key)
    } else if !field.name.isEmpty {
      output.append(jsonString: field.name.bytes)
      output.append(UInt8(ascii: ":"))
    }
  }

  static let hearsFaults = false

  mutating func leaf(_ field: FieldContext, _ value: FieldValue) {
    if leavesHidden, field.isHidden { return }
    name(field)
    append(value)
  }

  mutating func enumerated(_ field: FieldContext, _ label: FieldLabel?, _ value: Int64) {
    if leavesHidden, field.isHidden { return }
    name(field)
    output.append("{\"name\":")
    if let label { output.append(label.json) } else { output.append("null") }
    output.append(",\"value\":")
    output.append(decimal: value)
    output.append(UInt8(ascii: "}"))
  }

  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool {
    if leavesHidden, field.isHidden { return false }
    name(field)
    output.append(isArray ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    needsComma = false
    return true
  }

  mutating func close(isArray: Bool) {
    output.append(isArray ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    needsComma = true
  }

  mutating func fault(_ text: String) {}

  private mutating func append(_ value: FieldValue) {
    switch value {
    case .bool(let truth): output.append(truth ? "true" : "false" as StaticString)
    case .int(let number): output.append(decimal: number)
    case .text(let text): output.append(jsonString: text)
    case .bytes(let bytes):
      output.append(UInt8(ascii: "\""))
      output.append(hexOf: bytes)
      output.append(UInt8(ascii: "\""))
    default: output.append { $0.append(json: value) }
    }
  }
}

extension [UInt8] {
  /// Appends a value as JSON.
  public mutating func append(json value: FieldValue) {
    switch value {
    case .null: append("null")
    case .bool(let truth): append(truth ? "true" : "false" as StaticString)
    case .int(let number): append(decimal: number)
    case .uint(let number): append(decimal: number)
    case .double(let number, let isSingle):
      if isSingle, number.isFinite { append(contentsOf: Float(number).description.utf8) } else { append(jsonNumber: number) }
    case .enumeration(let name, let number):
      append("{\"name\":")
      if name.isEmpty { append("null") } else { append(jsonString: name.bytes) }
      append(",\"value\":")
      append(decimal: number)
      append(UInt8(ascii: "}"))
    case .text(let text): append(jsonString: text)
    case .bytes(let bytes):
      append(UInt8(ascii: "\""))
      append(hexOf: bytes)
      append(UInt8(ascii: "\""))
    }
  }
}

extension Message {
  /// Appends the fields as a JSON object.
  public func appendFieldsJSON(to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    if sink == nil { sink = TextSink() }
    guard var own = sink else { return }
    own.removeAll()
    var visitor = JSONVisitor(own)
    visitFields(&visitor)
    // It may have grown.
    sink = visitor.output
    output.append(contentsOf: visitor.output.bytes)
    output.append(UInt8(ascii: "}"))
  }

  /// Appends what is wrong with the message, in words, as a JSON string's contents without quotes; nothing where nothing is.
  public func appendProblem(to output: inout [UInt8]) {
    let start = output.count
    func next() { if output.count > start { output.append("; ") } }
    for problem in problems {
      next()
      append(problem, to: &output)
    }
    if checksum == .bad {
      next()
      output.append("checksum is wrong")
    }
    if let fault {
      next()
      append(fault, to: &output)
    }
  }

  /// Whether there is anything that ``appendProblem(to:)`` would tell.
  public var hasProblem: Bool { !problems.isEmpty || checksum == .bad || fault != nil }

  private func append(_ problem: ReassemblyProblem, to output: inout [UInt8]) {
    func numbers(_ before: StaticString, _ between: StaticString, _ behind: StaticString) {
      output.append(before)
      output.append(decimal: Int64(problem.found))
      output.append(between)
      output.append(decimal: Int64(problem.expected))
      output.append(behind)
    }
    func number(_ before: StaticString, _ behind: StaticString) {
      output.append(before)
      output.append(decimal: Int64(problem.found))
      output.append(behind)
    }
    switch problem.kind {
    case .gap: numbers("counter is ", " where ", " was due")
    case .restarted: number("a first fragment came again after ", " bytes")
    case .overtaken:
      if problem.expected > 0 {
        numbers("overtaken by the next message with ", " of ", " bytes")
      } else {
        number("overtaken by the next message after ", " bytes")
      }
    case .orphan: output.append("a continuation without a start")
    case .surplus: numbers("", " bytes instead of ", "")
    case .short: numbers("ended with ", " of ", " bytes")
    case .tooLong: numbers("", " bytes are more than the ", " allowed")
    case .tooMany: numbers("", " fragments are more than the ", " allowed")
    case .duplicate: number("fragment ", " came twice")
    case .idle:
      if problem.expected > 0 { numbers("silence with ", " of ", " bytes") } else { number("silence after ", " bytes") }
    case .unfinished:
      if problem.expected > 0 { numbers("", " of ", " bytes") } else { number("unfinished after ", " bytes") }
    case .badLength: number("a length of ", " cannot be")
    case .badEnd: output.append("the end marker is not where the length puts it")
    case .skipped: number("", " bytes of garbage before it")
    }
  }
}
