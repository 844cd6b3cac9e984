import KaitaiStruct

/// Measures what one message costs: `swift run -c release` in this folder prints nanoseconds per message, best of five.
@main
enum Main {
  static let text = """
    meta: {id: bench, endian: be}
    types:
      response:
        seq:
          - {id: id, type: u1}
          - {id: status, type: u1, enum: status}
          - {id: elements, type: element, repeat: eos}
      element:
        seq:
          - {id: key, type: u1, enum: keys}
          - {id: length, type: u1}
          - {id: value, size: length, type: {switch-on: key, cases: {'keys::battery': percent, 'keys::name': label, _: number}}}
      percent: {seq: [{id: percent, type: u1}]}
      label: {seq: [{id: text, type: str, encoding: UTF-8, size-eos: true}]}
      number:
        seq:
          - id: number
            type: {switch-on: _io.size, cases: {1: u1, 2: u2, 4: u4, 8: u8}}
      flat:
        seq:
          - {id: a, type: u1}
          - {id: b, type: u2}
          - {id: c, type: u4}
          - {id: d, type: u1}
          - {id: e, type: s2le}
          - {id: f, type: u1}
          - {id: g, type: u1}
          - {id: h, type: u8}
      header:
        seq:
          - {id: continuation, type: b1}
          - {id: counter, type: b7, if: continuation}
          - {id: kind, type: b2, if: not continuation}
          - {id: length5, type: b5, if: not continuation and kind == 0}
          - {id: length13, type: b13, if: not continuation and kind == 1}
          - {id: length16, type: b16, if: not continuation and kind == 2}
        instances:
          length: {value: "kind == 0 ? length5 : kind == 1 ? length13 : length16"}
    enums:
      status: {0: ok, 1: error, 2: invalid}
      keys: {1: internal_battery_present, 2: internal_battery_bars, 70: battery, 122: name}
    """

  static func main() throws {
    let compiler = Compiler()
    let root = try compiler.add(text: text, file: "bench.ksy")
    let expressions = (
      start: try compiler.expression("not continuation", at: position, scope: compiler.type("header", in: root)),
      total: try compiler.expression("length", at: position, scope: compiler.type("header", in: root))
    )
    let program = try compiler.finish()
    let tree = KaitaiTree(program)
    func type(_ name: String) -> TypeID { program.type(name) ?? root }
    measure("response of 3 elements, 14 nodes", program, tree, type("response"), [0x13, 0, 70, 1, 0x64, 2, 1, 3, 1, 1, 1])
    measure("response of 1 element, 7 nodes", program, tree, type("response"), [0x13, 0, 70, 1, 0x64])
    measure("flat, 8 numbers, 9 nodes", program, tree, type("flat"), Array(repeating: 7, count: 20))
    measure("header of bits", program, tree, type("header"), [0x20, 0x2a])
    if CommandLine.arguments.count > 1 { return }
    let header: [UInt8] = [0x20, 0x2a]
    let bare = time { header.withUnsafeBytes { bytes in _ = tree.parse(type("header"), bytes) } }
    let both = time {
      header.withUnsafeBytes { bytes in
        _ = tree.parse(type("header"), bytes)
        do throws(Failure) {
          let start = try tree.evaluate(expressions.start, at: tree.root)
          let total = try tree.evaluate(expressions.total, at: tree.root)
          sink &+= (start.asInt ?? 0) &+ (total.asInt ?? 0)
        } catch { sink &-= 1 }
      }
    }
    report("two expressions over the header, one through an instance", both - bare)
  }

  static let position = SourcePosition(file: "bench", line: 1, column: 1)
  nonisolated(unsafe) static var sink: Int64 = 0

  /// Measures one case; with arguments, only cases whose name begins with one of them.
  static func measure(_ what: String, _ program: KaitaiProgram, _ tree: KaitaiTree, _ type: TypeID, _ bytes: [UInt8]) {
    if CommandLine.arguments.count > 1, !CommandLine.arguments.dropFirst().contains(where: what.hasPrefix) { return }
    let best = bytes.withUnsafeBytes { content in
      time {
        if tree.parse(type, content) != nil { sink &+= 1 }
        sink &+= Int64(tree.nodeCount)
      }
    }
    report("\(what) (\(tree.nodeCount))", best)
  }

  static func report(_ what: String, _ nanoseconds: Double) { print("\(Int(nanoseconds.rounded())) ns  \(what)") }

  /// Nanoseconds per call: the best of five runs of 200,000 calls.
  static func time(_ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    var best = Double.infinity
    for _ in 0..<5 {
      let spent = clock.measure { for _ in 0..<200_000 { body() } }
      let (seconds, attoseconds) = spent.components
      best = min(best, (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / 200_000)
    }
    return best
  }
}
