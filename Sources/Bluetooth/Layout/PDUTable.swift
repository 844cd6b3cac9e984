/// A kind of PDU: a row of a table.
public struct PDU: Sendable {
  /// Its number: opcode, event code, type.
  public let code: UInt32
  /// The Core Specification's name.
  public let name: StaticName
  /// Its parameters.
  public let parameters: Layout
  /// For commands: the return parameters of their Command Complete event.
  public let returnParameters: Layout
}

/// The PDUs of a protocol by their numbers, compiled on first use from a text:
///
///     0x0006 Disconnect
///       connection_handle:u16{handle} reason:u8{status}
///       = status:u8{status}
///
/// A heading is a number and a name; below it, indented, the layout of the parameters and, after `=`, of the return parameters. A heading `@name`
/// defines a layout that others include. `#` starts a comment line.
public struct PDUTable: Sendable {
  /// All rows, in the order of their numbers.
  public let rows: StaticTable<PDU>
  /// For tables of small numbers: index of the row, or -1.
  @usableFromInline let index: StaticTable<Int16>
  /// The layout of the heading `@unknown` for PDUs that are not in the table; without fields where there is no such heading.
  @usableFromInline let unknown: Layout
  /// Errors in the text; a test checks that there are none.
  let problems: [String]
  /// Layouts of the headings `@name`.
  private let layouts: [StaticName: Layout]

  /// Compiles the texts.
  init(_ texts: StaticString...) {
    var compiler = LayoutCompiler()
    var scanner = LayoutScanner("")
    var problems: [String] = []
    var program: [LayoutOp] = []
    var found: [(code: UInt32, name: StaticName, parameters: Range<Int>, returns: Range<Int>)] = []
    var named: [StaticName: Range<Int>] = [:]
    func take(_ what: StaticName, isReturn: Bool = false) -> Range<Int> {
      compiler.begin()
      compiler.items(&scanner, nested: false)
      if isReturn { compiler.dependOnStatus() }
      problems += compiler.problems.map { "\(what): \($0)" }
      compiler.problems = []
      let start = program.count
      program += compiler.ops
      return start..<program.count
    }
    for text in texts {
      scanner = LayoutScanner(text)
      while !scanner.atEnd {
        scanner.skipWhite()
        if scanner.atEnd { break }
        if scanner.peek == UInt8(ascii: "#") {
          scanner.skipLine()
          continue
        }
        if scanner.accept("@") {
          let name = scanner.restOfLine()
          named[name] = take(name)
          compiler.named[name] = (compiler.ops, compiler.slots)
          continue
        }
        let word = scanner.word()
        guard let code = LayoutScanner.number(word), let code = UInt32(exactly: code) else {
          problems.append("not a number: \(word)")
          scanner.skipLine()
          continue
        }
        scanner.skipSpaces()
        let name = scanner.restOfLine()
        let parameters = take(name)
        var returns = program.count..<program.count
        scanner.skipWhite()
        if scanner.accept("=") { returns = take(name, isReturn: true) }
        found.append((code, name, parameters, returns))
      }
    }
    program.makeKeys()
    let ops = StaticTable(program)
    found.sort { $0.code < $1.code }
    for i in found.indices.dropFirst() where found[i].code == found[i - 1].code { problems.append("\(found[i].name): number given twice") }
    rows = StaticTable(
      found.map {
        PDU(code: $0.code, name: $0.name, parameters: ops.layout($0.parameters), returnParameters: ops.layout($0.returns))
      })
    let last = Int(found.last?.code ?? 0)
    var index = [Int16](repeating: -1, count: last < 1024 ? last + 1 : 0)
    if last < 1024 { for (i, row) in found.enumerated() { index[Int(row.code)] = Int16(truncatingIfNeeded: i) } }
    self.index = StaticTable(index)
    self.problems = problems
    self.layouts = named.mapValues { ops.layout($0) }
    self.unknown = self.layouts["unknown"] ?? .none
  }

  /// The row of a number, or nil where the table has none.
  @inlinable
  public subscript(code: UInt32) -> PDU? {
    if index.count > 0 {
      guard code < UInt32(truncatingIfNeeded: index.count) else { return nil }
      let row = Int(index[Int(code)])
      return row < 0 ? nil : rows[row]
    }
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low &+ high) >> 1
      if rows[middle].code < code { low = middle &+ 1 } else { high = middle }
    }
    return low < rows.count && rows[low].code == code ? rows[low] : nil
  }

  /// The name of a number, or nil where the table has none.
  @inlinable
  public func name(_ code: UInt32) -> StaticName? { self[code]?.name }

  /// The layout of a heading `@name`; without fields where there is none.
  func layout(_ name: StaticName) -> Layout { layouts[name] ?? .none }
}
