import Kaitai
import Testing

/// Conditions over nothing but bytes: what they answer is what the expression gives, whatever the bytes.
struct BytesConditionTests {
  private static let quick = [
    "_payload[0] < 0xf1", "_payload.length == 2", "_payload.length >= 3 and _payload[0] == 0x5b and _payload[2] != 0x42",
    "_payload[1] == 7 or _payload[3] > 200", "_payload[0] & 0x80 != 0", "not (_payload[0] <= 9)", "_payload.size < 4 or _payload[3] == 1",
    "_payload[-1] == 0",
  ]
  private static let others = ["_payload[0] + 1 == 2", "_payload[_payload.length - 1] == 0", "other == 1", "_payload == [1, 2]", "true"]

  @Test func answersAsTheExpressionDoes() throws {
    let compiler = Compiler(externals: ["_payload", "other"])
    let place = SourcePosition(file: "p.yaml", line: 1, column: 1)
    let expressions = try Self.quick.map { try compiler.expression($0, at: place, scope: nil) }
    let slow = try Self.others.map { try compiler.expression($0, at: place, scope: nil) }
    let payload = compiler.external("_payload")
    let program = try compiler.finish()
    let environment = Environment(program)
    let tree = Tree(program)
    for (text, expression) in zip(Self.others, slow) { #expect(BytesCondition(program, expression, of: payload) == nil, "\(text)") }
    var random = SystemRandomNumberGenerator()
    for (text, expression) in zip(Self.quick, expressions) {
      let condition = try #require(BytesCondition(program, expression, of: payload), "\(text)")
      var held = 0
      for _ in 0..<2000 {
        let bytes = (0..<Int.random(in: 0...5, using: &random)).map { _ in
          UInt8([0, 1, 7, 0x42, 0x5B, 0x80, 201, 0xF1, 255].randomElement(using: &random) ?? 0)
        }
        bytes.withUnsafeBytes {
          environment.set(payload, bytes: $0)
          let wanted = (try? tree.evaluate(expression, environment: environment))?.asBool ?? false
          #expect(condition.holds($0) == wanted, "\(text) of \(bytes)")
          if wanted { held += 1 }
        }
      }
      #expect(text.contains("[-1]") ? held == 0 : held > 0 && held < 2000, "\(text)")
    }
  }
}
