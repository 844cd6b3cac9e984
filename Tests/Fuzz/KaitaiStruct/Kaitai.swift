import FuzzInput
import KaitaiStruct

extension FuzzTarget {
  /// Kaitai Struct specifications, fixed and hostile ones.
  public static let descriptions = [
    FuzzTarget(name: "kaitai", longest: 256) { bytes in
      var choices = Choices(bytes)
      let (tree, root) = choices.element(of: trees.value)
      show(tree, root, choices.rest())
    },
    FuzzTarget(name: "ksy", longest: 512) { bytes in
      let compiler = Compiler()
      var imports = 0
      guard
        let root = try? compiler.add(
          text: String(decoding: bytes, as: UTF8.self), file: "fuzz.ksy",
          imports: { name, _ in
            imports += 1
            return name.count < 4
              ? (name, specifications[name.utf8.count % specifications.count]) : (name, String(decoding: bytes, as: UTF8.self))
          }), let program = try? compiler.finish()
      else { return }
      // Each of at most 500 files is at most as long as the input, and an import takes two bytes or more.
      check(imports <= 500 * max(bytes.count, 512) / 2, "imports without end")
      let tree = KaitaiTree(program, limits: small)
      let sample: [UInt8] = [3, 0, 1, 0x41, 0xFF, 0x80, 7, 0, 0, 2, 0x78, 0x9C, 4, 5, 6, 0]
      sample.withUnsafeBytes { show(tree, root, $0) }
    },
  ]

  /// Values that cannot be sent between threads, made once: a target runs on one thread.
  private struct Fixed<Value>: @unchecked Sendable { let value: Value }

  private static let small = Limits(depth: 16, nodes: 2000, bytes: 1 << 14, steps: 20_000)

  private static func show(_ tree: KaitaiTree, _ root: TypeID, _ bytes: UnsafeRawBufferPointer) {
    if let failure = tree.parse(root, bytes) { _ = tree.path(of: failure).count + failure.message.count }
    tree.evaluateInstances()
    var output: [UInt8] = []
    tree.appendJSON(to: &output)
    tree.appendText(to: &output)
  }

  private static let trees = Fixed(
    value: specifications.map { text in
      let compiler = Compiler()
      do throws(SpecificationError) {
        let root = try compiler.add(text: text, file: "fixed.ksy")
        return (KaitaiTree(try compiler.finish(), limits: small), root)
      } catch {
        fatalError("\(error)")
      }
    })

  /// Specifications that use every part of the language.
  public static let specifications = [
    """
    meta: {id: a, endian: le, bit-endian: le, encoding: UTF-16LE}
    seq:
      - {id: f, type: b3}
      - {id: g, type: b61}
      - {id: n, type: u2}
      - {id: s, type: strz, eos-error: false}
      - {id: t, size: n & 7, type: 'inner(n)', process: 'xor(f)'}
      - {id: u, type: s8be, if: n > 100}
      - {id: list, type: u1, repeat: until, repeat-until: _ == 0 or _index > 20}
      - {id: rest, size-eos: true, terminator: 0, pad-right: 0x20}
    instances:
      all: {pos: n % 7, type: 'inner(3)', repeat: eos}
      sum: {value: list.min + list.max * list.size - list.last / list.first}
      text: {value: 's.reverse + s.substring(1, 2) + n.to_s'}
      squashed: {pos: 0, size: _io.size / 2, process: zlib}
      back: {value: 't._parent.list[n]'}
    types:
      inner:
        params: [{id: k, type: u2}]
        seq:
          - {id: x, type: f4be}
          - {id: y, type: {switch-on: k, cases: {1: u1, 2: "inner(k - 1)", _: b7}}}
        instances: {z: {value: x.to_i / y.as<u1>}, up: {value: '_parent.as<a>.n'}}
    """,
    """
    meta: {id: b, endian: {switch-on: _io.size % 3, cases: {0: le, 1: be}}}
    seq:
      - {id: m, type: u4}
      - {id: name, type: str, size: 4, encoding: SJIS}
      - {id: o, type: sub, size: m % 9, parent: _root}
      - {id: b, size: 2, valid: {any-of: ['[1, 2]', '[3, 4]']}}
    types:
      sub:
        seq: [{id: p, type: u2}, {id: q, type: s4, valid: {min: -5}}]
        instances: {i: {io: _root._io, pos: p, type: b}}
    """,
    """
    meta: {id: c, endian: be, encoding: UTF-8}
    seq:
      - {id: magic, contents: [1, 'A']}
      - {id: count, type: u1, enum: e, valid: {in-enum: true}}
      - {id: rows, type: row, repeat: expr, repeat-expr: count.to_i}
      - {id: rolled, size: 3, process: rol(3)}
      - {id: keyed, size-eos: true, process: 'xor([1, 2, 3])', type: tail}
    enums: {e: {0: none, 1: one, 200: many}}
    types:
      row:
        seq:
          - {id: length, type: u1}
          - {id: body, size: length, type: {switch-on: length, cases: {1: tail, 2: c}}}
      tail:
        seq:
          - {id: text, type: strz, terminator: 0x7c, include: true, consume: false, eos-error: false}
          - {id: wide, type: f8, if: not _io.eof}
        instances:
          shift: {value: '(text.length << 3 | 1) ^ 0xff'}
          number: {value: 'text.to_i(16) % 7'}
          first: {value: '_root.rows[0].length / shift'}
          floating: {value: 'wide * 1.5 - shift'}
    """,
  ]
}
