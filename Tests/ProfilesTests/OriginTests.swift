import Testing

@_spi(Pipeline) @testable import Profiles

/// Messages of the register protocol and of the typed-object protocol decode to the values that an independent encoder wrote.
@Suite struct OriginTests {
  @Test(.enabled(if: Shared.vectors != nil, "the vectors are not beside the package"))
  func allVectors() throws {
    let set = try ProfileSet()
    for vector in try Shared.lines("origins.jsonl") {
      let packets = vector["packets"]?.list?.compactMap(\.text) ?? []
      let direction = ValueDirection.allCases.first { $0.key == vector["direction"]?.text }
      let isRegister = vector["protocol"]?.text == "register"
      let found = try decode(
        set, isRegister ? "rigado-bmd" : "typed-objects", isRegister ? (direction == .write ? "request" : "answer") : "messages", packets,
        direction)
      #expect(found.count == 1, "\(packets)")
      guard let message = found.first, let expected = vector["expected"]?.object else { continue }
      for (key, value) in expected {
        let actual: FieldTree?
        switch key {
        case "checksum": actual = .text(message.checksum == .ok ? "ok" : "bad")
        case "destination", "source": actual = message.fields[key]?["address"]
        case "destination_bus": actual = message.fields["destination"]?["bus"]
        case "source_bus": actual = message.fields["source"]?["bus"]
        default: actual = message.fields[key]?.plain
        }
        #expect(Self.same(actual, value), "\(packets): \(key) is \(actual?.json ?? "missing")")
      }
    }
  }

  private static func same(_ a: FieldTree?, _ b: FieldTree) -> Bool {
    if let a = a?.number, let b = b.number { return a == b }
    if let a = a?.list, let b = b.list {
      return a.count == b.count && zip(a, b).allSatisfy { pair in (pair.1.object ?? []).allSatisfy { same(pair.0[$0.name], $0.value) } }
    }
    return a == b
  }
}
