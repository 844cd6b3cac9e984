import Bluetooth
import Captures
import Conversations
import Memory
@_spi(Pipeline) import Profiles

/// A compiled display filter with Wireshark's grammar and field names: man btscribe-filter(5).
public struct Filter: Sendable {
  /// The filter expression.
  public let expression: String
  let program: FilterProgram

  /// Compiles a filter; nil for an empty one, which passes everything. With `profiles`, `PROFILE.FIELD` is a field of their messages. Throws
  /// ``FilterError``.
  public init?(_ expression: String, profiles: ProfileSet? = nil) throws(FilterError) {
    guard let program = try FilterCompiler.compile(expression, profiles) else { return nil }
    self.expression = expression
    self.program = program
  }

  /// The filter has fields of profile messages.
  public var usesMessages: Bool { program.usesMessages }

  /// All filter fields in the order of the manual: name, type, and heading.
  public static var fields: [(name: String, type: String, group: String)] {
    FilterFields.all.map { ($0.name.description, $0.typeName, $0.group.description) }
  }
}

/// Evaluates a filter for the packets of a capture, one after the other. Reuses its memory; each thread needs its own.
@safe public final class FilterEvaluator {
  let program: FilterProgram
  /// Values of the operands.
  var registers: [ContiguousArray<FilterValue>]
  /// Bytes of values that are not in the packet: reversed addresses, composed texts.
  var scratch = FilterScratch()
  private var threads = FilterRegex.Threads()
  /// Handles of the current PDU for which types are looked up.
  var attributeHandles: ContiguousArray<FilterValue> = []
  var attributeOrders = AttributeOrders()
  /// The capture's link types by interface, and the names of the interfaces.
  var linkTypes: [Int] = []
  var interfaces: [CaptureInterface] = []
  var format: CaptureFormat?
  /// Time of the first packet, the previous one, and the last that passed; µs since 1970.
  var first: Int64?
  var previous: Int64 = 0
  var passed: Int64?
  /// The current packet: its record, its bytes, its rows.
  var record = PacketRecord()
  var rows = BorrowedBuffer<PacketRow>()
  var batch: RowBatch
  /// Central and peripheral by access address, if the connection request was seen.
  var pairs: [UInt32: (central: UInt64, peripheral: UInt64, frame: Int)] = [:]
  private let wantsPairs: Bool
  /// State from earlier packets, if the filter needs it.
  let history: FilterHistory?
  /// Decodes Bluetooth Mesh, if the filter needs it.
  let mesh: MeshReader?
  /// The message that the packet completed.
  var message: ProfileMessage?
  /// A field was missing where the capture had cut the packet.
  var isBlind = false
  /// Packets that did not pass, but might have if the capture had kept all of their bytes.
  public private(set) var unjudged = 0
  private static let nothing = RowBatch()

  /// Evaluates `filter`.
  public convenience init(_ filter: Filter) { self.init(filter.program) }

  init(_ program: FilterProgram) {
    self.program = program
    registers = Array(repeating: [], count: program.operands.count)
    batch = Self.nothing
    mesh = program.meshKeys.map { MeshReader($0) }
    wantsPairs = program.fields.contains { Self.fieldsOfPairs.contains($0.field.name) }
    history = program.fields.contains { FilterHistory.fields.contains($0.field.name) } ? FilterHistory() : nil
    for (index, value) in program.constants { registers[Int(index)] = [value] }
  }

  /// Sets the source of the packets. Call it before the first batch, and again when the source may have new interfaces.
  public func attend(_ source: any PacketSource) {
    format = source.format
    guard source.interfaces.count != interfaces.count || interfaces.isEmpty else { return }
    let before = interfaces.count
    interfaces = source.interfaces
    if interfaces.count < before { linkTypes = [] }
    // Interfaces are only added while a capture is read.
    linkTypes += interfaces.dropFirst(linkTypes.count).map(\.linkType)
  }

  /// Whether a packet passes. `rows` are its rows in `batch`, possibly none. Packets have to come in capture order.
  @inline(__always)
  public func passes(_ record: PacketRecord, _ rows: UnsafeBufferPointer<PacketRow>, _ batch: RowBatch) -> Bool {
    unsafe begin(record, rows, batch)
    let result = run()
    end(result)
    return result
  }

  /// The filter has fields of messages: the packet is evaluated again with each message that it completes.
  var usesMessages: Bool { program.usesMessages }

  /// Evaluates the filter for the current packet together with a message.
  func judge(_ message: ProfileMessage?) -> Bool {
    self.message = message
    defer { self.message = nil }
    return run()
  }

  /// Notes the result for the current packet.
  @inline(__always)
  func end(_ result: Bool) {
    previous = record.time
    if result { passed = record.time } else if isBlind { unjudged &+= 1 }
  }

  /// Takes the next packet.
  @inline(__always)
  func begin(_ record: PacketRecord, _ rows: UnsafeBufferPointer<PacketRow>, _ batch: RowBatch) {
    self.record = record
    unsafe self.rows = BorrowedBuffer(rows)
    if self.batch !== batch { self.batch = batch }
    isBlind = false
    if first == nil {
      first = record.time
      previous = record.time
    }
    if wantsPairs, record.kind == .linkLayer { learnPair() }
    history?.learn(self)
    if let mesh { mesh.read(self) }
  }

  /// Remembers the addresses of a CONNECT_IND under the access address that it assigns.
  private func learnPair() {
    let pdu = linkLayerPDU
    if let access = payload.u32(0), access != LinkLayer.advertisingAccessAddress {
      // LL_CONNECTION_UPDATE_IND has new parameters.
      let isClear = rows.count > 0 && !rows[0].flags.contains(.encrypted) && pdu.u8(4).map { $0 & 3 == 3 } == true
      if isClear, pdu.u8(6) == 0, pdu.u8(5) == 12 { pairs[access]?.frame = Int(record.frame) }
      return
    }
    guard payload.u32(0) == LinkLayer.advertisingAccessAddress, let header = pdu.u8(4),
      header & 15 == LinkLayer.AdvertisingType.connectInd.rawValue, let central = pdu.address(6),
      let peripheral = pdu.address(12), let access = pdu.u32(18), pairs.count < 4096
    else { return }
    pairs[access] = (central, peripheral, Int(record.frame))
  }

  @inline(__always)
  private func run() -> Bool {
    var result = false
    var stack: UInt64 = 0
    var at = 0
    let steps = program.steps
    while at < steps.count {
      let step = steps[at]
      at &+= 1
      switch step.kind {
      case .test: result = test(program.tests[Int(step.target)])
      case .negate: result.toggle()
      case .jumpIfTrue: if result { at = Int(step.target) }
      case .jumpIfFalse: if !result { at = Int(step.target) }
      case .push: stack = stack << 1 | (result ? 1 : 0)
      case .exclusive:
        result = result != (stack & 1 == 1)
        stack >>= 1
      }
    }
    return result
  }

  // MARK: Tests

  @inline(__always)
  private func test(_ test: FilterTest) -> Bool {
    if test.location >= 0 { return fixed(test) }
    if test.isHandle, let result = handle(test) { return result }
    return slowly(test)
  }

  /// Compares an integer at a fixed offset with a constant.
  @inline(__always)
  private func fixed(_ test: FilterTest) -> Bool {
    let location = program.locations[Int(test.location)]
    var isThere = false
    for index in 0..<max(rows.count, 1) {
      guard let bytes = bytes(of: location, index, anyCode: location.codes.count == 0) else {
        if location.source == .acl { break } else { continue }
      }
      guard let number = integer(bytes, location) else {
        isBlind = isBlind || record.isTruncated
        continue
      }
      isThere = true
      let holds = Self.holds(test.relation, Int128(number), test.constant)
      if holds == (test.quantifier == .any) { return holds }
      if location.source == .acl { break }
    }
    return isThere && test.quantifier == .all
  }

  /// Compares the handle of an ATT PDU that has just one with a constant; nil for other PDUs.
  @inline(__always)
  private func handle(_ test: FilterTest) -> Bool? {
    guard rows.count == 1 else { return nil }
    let row = rows[0]
    guard row.layer == .att else { return false }
    switch row.attOpcode {
    case .writeRequest, .handleValueNotification, .handleValueIndication, .writeCommand:
      guard let handle = row.pdu.u16(1) else { return nil }
      return Self.holds(test.relation, Int128(handle), test.constant)
    default: return nil
    }
  }

  private func slowly(_ test: FilterTest) -> Bool {
    scratch.reset()
    let left = compute(test.left)
    let count = registers[left].count
    if count == 0 { return false }
    switch test.kind {
    case .present:
      // A number must not be zero; a field must be present.
      let kind = program.operands[left].kind
      if kind == .field { return true }
      if kind == .slice { return registers[left].contains { $0.count > 0 } }
      for index in 0..<count {
        let value = registers[left][index]
        let isSet = test.valueClass == .number ? value.number != 0 : value.bytes.contains { $0 != 0 }
        if isSet == (test.quantifier == .any) { return isSet }
      }
      return test.quantifier == .all
    case .matches:
      for index in 0..<count {
        // A slice that does not exist matches nothing.
        let isThere = program.operands[left].kind != .slice || registers[left][index].count > 0
        let holds = isThere && program.patterns[Int(test.right)].matches(registers[left][index].bytes, &threads)
        if holds == (test.quantifier == .any) { return holds }
      }
      return test.quantifier == .all
    case .compare:
      if test.valueClass == .dynamic {
        guard let guess = program.guesses[test.right] else { return false }
        for index in 0..<count {
          let holds = Self.holds(test.relation, registers[left][index], guess)
          if holds == (test.quantifier == .any) { return holds }
        }
        return test.quantifier == .all
      }
      let right = compute(test.right)
      let others = registers[right].count
      if others == 0 { return false }
      for index in 0..<count {
        for other in 0..<others {
          let holds = Self.holds(test.relation, registers[left][index], registers[right][other], test.valueClass)
          if holds == (test.quantifier == .any) { return holds }
        }
      }
      return test.quantifier == .all
    case .member:
      for index in Int(test.first)..<Int(test.last) {
        _ = compute(program.members[index].low)
        if program.members[index].high >= 0 { _ = compute(program.members[index].high) }
      }
      for index in 0..<count {
        let holds = isMember(registers[left][index], test)
        if holds == (test.quantifier == .any) { return holds }
      }
      return test.quantifier == .all
    }
  }

  private func isMember(_ value: FilterValue, _ test: FilterTest) -> Bool {
    // Binary search for the first constant that is not less than the value.
    var (low, high) = (Int(test.firstConstant), Int(test.lastConstant))
    while low < high {
      let middle = (low + high) >> 1
      if program.memberConstants[middle].order(value, test.valueClass) < 0 { low = middle + 1 } else { high = middle }
    }
    if low < Int(test.lastConstant), program.memberConstants[low].order(value, test.valueClass) == 0 { return true }
    for index in Int(test.first)..<Int(test.last) {
      let member = program.members[index]
      if test.valueClass == .dynamic {
        guard let low = program.guesses[member.low] else { continue }
        if member.high < 0 {
          if Self.holds(.equal, value, low) { return true }
        } else if let high = program.guesses[member.high], Self.holds(.greaterOrEqual, value, low), Self.holds(.lessOrEqual, value, high) {
          return true
        }
        continue
      }
      for low in registers[Int(member.low)] {
        if member.high < 0 {
          if Self.holds(.equal, value, low, test.valueClass) { return true }
        } else if Self.holds(.greaterOrEqual, value, low, test.valueClass) {
          for high in registers[Int(member.high)] where Self.holds(.lessOrEqual, value, high, test.valueClass) { return true }
        }
      }
    }
    return false
  }

  @inline(__always)
  private static func holds(_ relation: FilterRelation, _ a: Int128, _ b: Int128) -> Bool {
    switch relation {
    case .equal: a == b
    case .notEqual: a != b
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    case .greaterOrEqual: a >= b
    case .contains, .matches: false
    }
  }

  private static func holds(_ relation: FilterRelation, _ a: FilterValue, _ b: FilterValue, _ valueClass: FilterClass) -> Bool {
    if valueClass == .number { return holds(relation, a.number, b.number) }
    if relation == .contains { return contains(a.bytes, b.bytes) }
    return holds(relation, Int128(a.order(b, valueClass)), 0)
  }

  /// Compares a value of a message with the possible meanings of a literal.
  private static func holds(_ relation: FilterRelation, _ value: FilterValue, _ guess: FilterGuess) -> Bool {
    switch value.kind {
    case .number, .name:
      if let number = guess.number { return holds(relation, value.number, number) }
      guard value.kind == .name else { return false }
      if relation == .contains { return contains(value.bytes, guess.text.bytes) }
      return holds(relation, Int128(value.order(guess.text, .text)), 0)
    case .bytes:
      let other = guess.bytes ?? guess.text
      if relation == .contains { return contains(value.bytes, other.bytes) }
      return holds(relation, Int128(value.order(other, .bytes)), 0)
    case .text, .plain:
      if relation == .contains { return contains(value.bytes, guess.text.bytes) }
      return holds(relation, Int128(value.order(guess.text, .text)), 0)
    }
  }

  private static func contains(_ text: BorrowedBytes, _ part: BorrowedBytes) -> Bool {
    if text.count == 0 || part.count > text.count { return false }
    if part.count == 0 { return true }
    let first = part[0]
    outer: for start in 0...(text.count - part.count) where text[start] == first {
      for index in 1..<max(part.count, 1) where text[start + index] != part[index] { continue outer }
      return true
    }
    return false
  }

  // MARK: Operands

  /// Computes an operand into its register, and returns the register's index.
  func compute(_ index: Int32) -> Int {
    let at = Int(index)
    let operand = program.operands[at]
    if operand.kind == .constant { return at }
    var values: ContiguousArray<FilterValue> = []
    swap(&values, &registers[at])
    values.removeAll(keepingCapacity: true)
    defer { swap(&values, &registers[at]) }
    if operand.kind == .field {
      read(Int(operand.a), &values)
      return at
    }
    let a = compute(operand.a)
    switch operand.kind {
    case .constant, .field: break
    case .slice: for index in registers[a].indices { slice(registers[a][index], operand, &values) }
    case .length:
      for value in registers[a] {
        unsafe values.append(FilterValue(Int128(operand.width > 0 && value.start == nil ? operand.width : value.count)))
      }
    case .count: if registers[a].count > 0 { values.append(FilterValue(Int128(registers[a].count))) }
    case .upper, .lower:
      for index in registers[a].indices { values.append(scratch.turned(registers[a][index], toUpper: operand.kind == .upper)) }
    case .text:
      // Numbers are decimal there, even if Wireshark shows them in hexadecimal.
      var shown = program.operands[a]
      shown.isHexadecimal = false
      for index in registers[a].indices { values.append(text(registers[a][index], shown)) }
    case .maximum, .minimum:
      values.append(contentsOf: registers[a])
      if operand.b >= 0 { values.append(contentsOf: registers[compute(operand.b)]) }
      let value = operand.kind == .maximum ? values.max { $0.number < $1.number } : values.min { $0.number < $1.number }
      values.removeAll(keepingCapacity: true)
      if let value { values.append(FilterValue(value.number)) }
    case .absolute: for value in registers[a] { values.append(FilterValue(value.number < 0 ? -value.number : value.number)) }
    case .negative: for value in registers[a] { values.append(FilterValue(0 &- value.number)) }
    case .arithmetic:
      let b = compute(operand.b)
      for left in registers[a] {
        for right in registers[b] {
          if operand.valueClass == .bytes {
            values.append(scratch.common(left, right))
          } else if let number = Self.arithmetic(operand.operation, left.number, right.number) {
            values.append(FilterValue(number))
          }
        }
      }
    }
    return at
  }

  private static func arithmetic(_ operation: FilterArithmetic, _ a: Int128, _ b: Int128) -> Int128? {
    switch operation {
    case .and: a & b
    case .add: a &+ b
    case .subtract: a &- b
    case .multiply: a &* b
    case .divide: b == 0 ? nil : a.dividedReportingOverflow(by: b).partialValue
    case .remainder: b == 0 ? nil : a.remainderReportingOverflow(dividingBy: b).partialValue
    }
  }

  /// The parts of a value, concatenated up to the first part that is not complete, as in Wireshark.
  private func slice(_ value: FilterValue, _ operand: FilterOperand, _ values: inout ContiguousArray<FilterValue>) {
    let isSingle = operand.last - operand.first == 1
    var only = unsafe FilterValue(nil, 0)
    scratch.begin()
    for index in Int(operand.first)..<Int(operand.last) {
      let part = program.slices[index]
      let start = part.start < 0 ? value.count + part.start : part.start
      var end = value.count
      if let count = part.count { end = start + count }
      if let last = part.last { end = (last < 0 ? value.count + last : last) + 1 }
      guard start >= 0, start < end, end <= value.count, let base = unsafe value.start else {
        if record.isTruncated {
          isBlind = true
          return
        }
        break
      }
      if isSingle {
        only = unsafe FilterValue(base + start, end - start)
      } else {
        unsafe scratch.append(BorrowedBytes(start: base + start, count: end - start))
      }
    }
    var part = isSingle ? only : scratch.end()
    part.kind = value.kind == .text || value.kind == .name ? .text : .bytes
    values.append(part)
  }

  /// A value as text, as Wireshark's function string() writes it.
  func text(_ value: FilterValue, _ operand: FilterOperand) -> FilterValue {
    scratch.begin()
    switch operand.type {
    case .string: return value
    case .bytes, .protocol: scratch.hex(value.bytes, separated: false)
    case .ether: scratch.hex(value.bytes, separated: true)
    case .absoluteTime, .relativeTime, .double:
      if value.number < 0, value.number > -1_000_000_000 { scratch.append(UInt8(ascii: "-")) }
      scratch.decimal(value.number / 1_000_000_000)
      scratch.append(UInt8(ascii: "."))
      scratch.decimal(abs(value.number % 1_000_000_000), digits: 9)
    default:
      if operand.isHexadecimal {
        scratch.append("0x")
        for index in (0..<operand.width).reversed() {
          let byte = UInt8(truncatingIfNeeded: value.number >> Int128(8 * index))
          [byte].withBorrowedBytes { scratch.hex($0, separated: false) }
        }
      } else {
        scratch.decimal(value.number)
      }
    }
    return scratch.end()
  }
}

/// Memory for values whose bytes differ from those in the packet. It grows to the needs of one packet, and is reused.
struct FilterScratch: ~Copyable {
  private var arena = Arena()
  private var building: [UInt8] = []
  private var isUsed = false

  mutating func reset() {
    if isUsed { arena.reset() }
    isUsed = false
  }

  /// Starts to compose a text.
  mutating func begin() { building.removeAll(keepingCapacity: true) }

  mutating func append(_ byte: UInt8) { building.append(byte) }

  mutating func append(_ bytes: BorrowedBytes) { building.append(contentsOf: bytes) }

  mutating func append(_ text: StaticName) { unsafe building.append(contentsOf: text.utf8) }

  mutating func decimal(_ number: Int128, digits: Int = 1) {
    var rest = number.magnitude
    if number < 0 { building.append(UInt8(ascii: "-")) }
    let start = building.count
    repeat {
      building.append(UInt8(truncatingIfNeeded: rest % 10) + 48)
      rest /= 10
    } while rest > 0 || building.count - start < digits
    building[start...].reverse()
  }

  mutating func hex(_ bytes: BorrowedBytes, separated: Bool) {
    for index in bytes.indices {
      let byte = bytes[index]
      if separated, index > 0 { building.append(UInt8(ascii: ":")) }
      for digit in [byte >> 4, byte & 15] { building.append(digit < 10 ? digit + 48 : digit + 87) }
    }
  }

  /// The composed text as a value.
  mutating func end() -> FilterValue { building.withBorrowedBytes { keep($0) } }

  /// Keeps bytes until the next test.
  mutating func keep(_ bytes: BorrowedBytes) -> FilterValue {
    isUsed = true
    let kept = arena.copy(bytes)
    return FilterValue(kept)
  }

  /// A device address with its bytes in display order, from the last to the first.
  mutating func address(_ value: UInt64) -> FilterValue {
    var turned = value.byteSwapped >> 16
    return unsafe withUnsafeBytes(of: &turned) { unsafe keep(BorrowedBytes($0).slice(0, 6)) }
  }

  /// Bytes in reverse order.
  mutating func reversed(_ bytes: BorrowedBytes) -> FilterValue {
    begin()
    building.append(contentsOf: bytes.reversed())
    return end()
  }

  /// A text in UTF-16, most significant byte first, as UTF-8.
  mutating func narrow(_ bytes: BorrowedBytes) -> FilterValue {
    begin()
    let span = bytes.span
    building.append(contentsOf: span.utf8(ofWideText: 0..<span.byteCount))
    return end()
  }

  /// A text in upper or lower case.
  mutating func turned(_ value: FilterValue, toUpper: Bool) -> FilterValue {
    begin()
    let letters: ClosedRange<UInt8> = toUpper ? 97...122 : 65...90
    building.append(contentsOf: value.bytes.lazy.map { letters.contains($0) ? $0 ^ 0x20 : $0 })
    return end()
  }

  /// The bitwise AND of two values, up to the length of the shorter.
  mutating func common(_ a: FilterValue, _ b: FilterValue) -> FilterValue {
    begin()
    for index in 0..<min(a.count, b.count) { building.append(a.bytes[index] & b.bytes[index]) }
    return end()
  }
}
