import Testing

@testable import Kaitai

@Suite struct SmallParses {
  @Test func sequenceEnumAndSwitch() throws {
    let compiler = Compiler()
    let root = try compiler.add(
      text: """
        meta: {id: gopro, endian: be}
        seq:
          - {id: id, type: u1}
          - {id: elements, type: element, repeat: eos}
        types:
          element:
            seq:
              - {id: key, type: u1, enum: keys}
              - {id: length, type: u1}
              - {id: value, size: length, type: {switch-on: key, cases: {'keys::battery': percent}}}
          percent: {seq: [{id: percent, type: u1}]}
        enums: {keys: {1: battery, 2: other}}
        """, file: "gopro.ksy")
    let program = try compiler.finish()
    let tree = Tree(program)
    let bytes: [UInt8] = [0x13, 1, 1, 0x64, 2, 2, 0xab, 0xcd]
    let failure = bytes.withUnsafeBytes { tree.parse(root, $0) }
    #expect(failure == nil)
    var json: [UInt8] = []
    tree.appendJSON(to: &json)
    #expect(
      String(decoding: json, as: UTF8.self) == """
        {"id":19,"elements":[{"key":{"name":"battery","value":1},"length":1,"value":{"percent":100}},\
        {"key":{"name":"other","value":2},"length":2,"value":"abcd"}]}
        """)
  }
}
