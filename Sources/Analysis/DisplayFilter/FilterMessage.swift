import Bluetooth
import Memory
@_spi(Pipeline) import Profiles

/// Values of the fields of a profile's message.
extension FilterEvaluator {
  func message(_ location: FieldLocation, _ values: inout ContiguousArray<FilterValue>) {
    guard let message, let profile = location.names.first, Self.isEqual(profile, message.profile.id) else { return }
    if location.names.count == 1 {
      values.append(FilterValue(message.payload))
      return
    }
    if location.names.count == 2 { envelope(message, location.names[1], &values) }
    var visitor = FilterFieldCollector(location.names.rest, values)
    values = []
    message.visitFields(&visitor)
    swap(&values, &visitor.values)
    // The bytes that the visitor borrowed are no longer valid: its copies move to the memory of the filter.
    for index in values.indices where unsafe values[index].start == nil && values[index].count > 0 {
      let at = Int(values[index].spare)
      let kind = values[index].kind
      let number = values[index].number
      values[index] = visitor.bytes.withBorrowedBytes { scratch.keep($0.slice(at, values[index].count)) }
      values[index].kind = kind
      values[index].number = number
    }
  }

  private static func isEqual(_ name: StaticName, _ text: String) -> Bool {
    unsafe text.utf8.count == name.count && text.utf8.elementsEqual(name.utf8)
  }

  /// The fields that every message has besides those of its body.
  private func envelope(_ message: ProfileMessage, _ name: StaticName, _ values: inout ContiguousArray<FilterValue>) {
    func add(_ text: String) {
      var text = text
      text.withUTF8 { bytes in
        var value = unsafe scratch.keep(BorrowedBytes(UnsafeRawBufferPointer(bytes)))
        value.kind = .text
        values.append(value)
      }
    }
    switch name {
    case "message": if let name = message.name { add(name) }
    case "characteristic": add(message.source)
    case "checksum":
      switch message.checksum {
      case .none: break
      case .ok: add("ok")
      case .bad: add("bad")
      }
    case "complete":
      var value = FilterValue(message.isComplete ? 1_000_000_000 : 0)
      value.kind = .number
      values.append(value)
    case "payload":
      var value = FilterValue(message.payload)
      value.kind = .bytes
      values.append(value)
    default: break
    }
  }
}

/// Collects the fields with one name from a message. A name with several parts must match the end of a field's path; an object with an id and its
/// value counts as a field with the id as its name.
private struct FilterFieldCollector: MessageFieldVisitor {
  let wanted: BorrowedBuffer<StaticName>
  var values: ContiguousArray<FilterValue>
  /// Copies of borrowed bytes.
  var bytes: [UInt8] = []
  private var path: [[UInt8]] = []
  /// For each open object: the name from its id, if it is an id-value pair.
  private var pairs: [[UInt8]?] = []

  init(_ wanted: BorrowedBuffer<StaticName>, _ values: ContiguousArray<FilterValue>) {
    self.wanted = wanted
    self.values = values
  }

  private func isWanted(_ name: [UInt8]) -> Bool {
    guard let last = wanted.last, unsafe name.elementsEqual(last.utf8), wanted.count <= path.count + 1 else { return false }
    for index in 0..<(wanted.count - 1) where unsafe !path[path.count - wanted.count + 1 + index].elementsEqual(wanted[index].utf8) {
      return false
    }
    return true
  }

  mutating func leaf(_ field: FieldContext, _ value: MessageFieldValue) {
    var isTaken = isWanted(field.name.isEmpty ? path.last ?? [] : Array(field.name))
    if field.name.isEmpty, let last = path.popLast() {
      isTaken = isWanted(last)
      path.append(last)
    }
    if let open = pairs.last, let id = open {
      if id.isEmpty, case .enumeration(let name, _) = value {
        pairs[pairs.count - 1] = Array(name)
      } else if !id.isEmpty {
        isTaken = isTaken || isWanted(id)
      }
    }
    if isTaken { take(value) }
  }

  private mutating func take(_ value: MessageFieldValue) {
    switch value {
    case .null: break
    case .bool(let truth): append(Int128(truth ? 1 : 0) * 1_000_000_000)
    case .int(let number): append(Int128(number) * 1_000_000_000)
    case .uint(let number): append(Int128(number) * 1_000_000_000)
    case .double(let number, _): if number.isFinite, abs(number) < 1e18 { append(Int128((number * 1e9).rounded())) }
    case .enumeration(let name, let number): append(.name, name.bytes, Int128(number) * 1_000_000_000)
    case .text(let text): append(.text, text)
    case .bytes(let part): append(.bytes, part)
    }
  }

  private mutating func append(_ number: Int128) {
    var value = FilterValue(number)
    value.kind = .number
    values.append(value)
  }

  private mutating func append(_ kind: FilterValue.Kind, _ part: BorrowedBytes, _ number: Int128 = 0) {
    var value = FilterValue(number)
    value.kind = kind
    value.count = part.count
    value.spare = Int64(bytes.count)
    bytes.append(contentsOf: part)
    values.append(value)
  }

  mutating func open(_ field: FieldContext, isArray: Bool, count: Int) -> Bool {
    guard path.count < 64 else { return false }
    // Elements of arrays have no name: they have that of the array.
    path.append(field.name.isEmpty ? path.last ?? [] : Array(field.name))
    pairs.append(field.isPair ? [] : nil)
    return true
  }

  mutating func close(isArray: Bool) {
    _ = path.popLast()
    _ = pairs.popLast()
  }

  mutating func problem(_ text: String) {}
}
