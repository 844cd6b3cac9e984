import KaitaiStruct
import Memory
import PacketCodecs
import Text

/// Writes fields as a JSON object: names as in the profile, an enum as `{"name", "value"}`, bytes as lower-case hex.
@safe struct JSONVisitor: MessageFieldVisitor {
  /// The reader must free it.
  var output: TextSink
  private var needsComma = false
  /// Whether hidden fields are left out.
  var leavesHidden = false

  init(_ output: TextSink) { self.output = output }

  private mutating func name(_ field: FieldContext) {
    if !field.key.isEmpty { return name(field.key) }
    comma()
    if !field.name.isEmpty {
      output.append(jsonString: field.name.bytes)
      output.append(UInt8(ascii: ":"))
    }
  }

  /// Writes a key with its leading comma, which is dropped for the first key of an object.
  @inline(__always)
  private mutating func name(_ key: FieldText) {
    output.append(needsComma ? key : key.dropping(1))
    needsComma = true
  }

  @inline(__always)
  private mutating func comma() {
    if needsComma { output.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  static let wantsProblems = false

  mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) {
    if leavesHidden, field.isHidden { return }
    name(field)
    append(value)
  }

  mutating func enumerated(_ field: FieldContext, _ label: FieldLabel?, _ value: Int64) {
    if leavesHidden, field.isHidden { return }
    name(field)
    append(label, value)
  }

  @inline(__always)
  private mutating func append(_ label: FieldLabel?, _ value: Int64) {
    if let label { return output.append(label.json) }
    output.append("{\"name\":null,\"value\":")
    output.append(decimal: value)
    output.append(UInt8(ascii: "}"))
  }

  /// Writes the events of a range as ``FieldWalker/events(_:_:)`` visits them, without making a context for each field that is shown as stored.
  mutating func events(_ range: Range<Int>, _ walker: FieldWalker) {
    // The output is kept in registers, and is stored in the visitor where another function writes.
    var out = output
    var hasBefore = needsComma
    var index = range.lowerBound
    while index < range.upperBound {
      let event = walker.event(index)
      index += 1
      if event.kind == .end {
        out.append(event.bits == 1 ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        hasBefore = true
        continue
      }
      let isNested = event.kind == .object || event.kind == .array
      if leavesHidden, event.isHidden {
        if isNested { index = max(Int(event.next), index) }
        continue
      }
      if !isNested, !walker.style(event.source).pointee.isPlain {
        (output, needsComma) = (out, hasBefore)
        leaf(index - 1, walker)
        (out, hasBefore) = (output, needsComma)
        continue
      }
      if event.isElement {
        if hasBefore { out.append(UInt8(ascii: ",")) }
      } else {
        out.append(key: walker.style(event.field).pointee.key, isFirst: !hasBefore)
      }
      hasBefore = true
      switch event.kind {
      case .object, .array:
        out.append(event.kind == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
        hasBefore = false
      case .enumeration:
        let number = Int64(bitPattern: event.bits)
        if let label = walker.label(event, number) {
          out.append(label.json)
        } else {
          out.append("{\"name\":null,\"value\":")
          out.append(decimal: number)
          out.append(UInt8(ascii: "}"))
        }
      case .int: out.append(decimal: Int64(bitPattern: event.bits))
      case .bool: out.append(event.bits != 0 ? "true" : "false" as StaticString)
      default:
        output = out
        value(index - 1, walker)
        out = output
      }
    }
    (output, needsComma) = (out, hasBefore)
  }

  // These are separate functions so that the loop above needs few registers.

  @inline(never)
  private mutating func leaf(_ index: Int, _ walker: FieldWalker) {
    let event = walker.event(index)
    walker.leaf(event, walker.context(event), &self)
  }

  @inline(never)
  private mutating func value(_ index: Int, _ walker: FieldWalker) { append(walker.value(walker.event(index))) }

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

  mutating func problem(_ text: String) {}

  private mutating func append(_ value: MessageFieldValue) {
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
  package mutating func append(json value: MessageFieldValue) {
    switch value {
    case .null: append("null")
    case .bool(let truth): append(truth ? "true" : "false" as StaticString)
    case .int(let number): append(decimal: number)
    case .uint(let number): append(decimal: number)
    case .double(let number, let isSingle):
      let single = Float(number)
      if isSingle, single.isFinite { append(contentsOf: single.description.utf8) } else { append(jsonNumber: number) }
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

extension ProfileMessage {
  /// Appends the fields as a JSON object.
  public func appendFieldsJSON(to output: inout [UInt8]) {
    withSink({ writeFields(to: &$0) }) { output.append(contentsOf: $0) }
  }

  /// Appends a description of the message's problems; nothing where there are none.
  public func appendProblem(to output: inout [UInt8]) { withProblem { output.append(contentsOf: $0) } }

  /// Calls `body` with the text that ``appendProblem(to:)`` appends.
  public func withProblem(_ body: (BorrowedBytes) -> Void) { withSink({ writeProblem(to: &$0) }, body) }

  /// Calls `write` with the buffer of its output, and `body` with the result.
  func withSink(_ write: (inout TextSink) -> Void, _ body: (BorrowedBytes) -> Void) {
    var own = output.take()
    write(&own)
    body(own.bytes)
    output.give(own)
  }

  /// Writes the fields as a JSON object.
  func writeFields(to output: inout TextSink) {
    output.append(UInt8(ascii: "{"))
    var visitor = JSONVisitor(output)
    if isFlat {
      let walker = FieldWalker(message: self)
      if walker.admitsEvents(&visitor) { visitor.events(0..<record.count, walker) }
    } else {
      visitFields(&visitor)
    }
    output = visitor.output
    output.append(UInt8(ascii: "}"))
    if names.isUsed { names = TextPool() }
  }

  /// Writes a description of the message's problems.
  func writeProblem(to output: inout TextSink) {
    let start = output.count
    func next() { if output.count > start { output.append("; ") } }
    for problem in problems {
      next()
      write(problem, to: &output)
    }
    if checksum == .bad {
      next()
      output.append("checksum is wrong")
      if let fittingOrder {
        output.append(": it fits in ")
        output.append(fittingOrder == .little ? "little" : "big" as StaticString)
        output.append("-endian order")
      }
    }
    if let problem {
      next()
      write(problem, to: &output)
    }
  }

  /// Whether ``appendProblem(to:)`` appends anything.
  public var hasProblem: Bool { !problems.isEmpty || checksum == .bad || problem != nil }

  private func write(_ problem: ReassemblyProblem, to output: inout TextSink) {
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
    case .indexGap: numbers("index is ", " where ", " was due")
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
    case .skipped: number("", problem.found == 1 ? " byte of garbage" : " bytes of garbage")
    }
  }
}
