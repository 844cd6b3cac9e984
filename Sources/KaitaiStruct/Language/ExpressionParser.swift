/// Parses the expression language of Kaitai Struct (user guide, section "Expression language").
struct ExpressionParser {
  private let tokens: [Token]
  private var at = 0
  private var depth = 0

  /// Deepest nesting allowed, which prevents a stack overflow in evaluation.
  static let depthLimit = 48

  private init(_ text: [Unicode.Scalar], base: Int = 0, depth: Int = 0) throws(ExpressionError) {
    var lexer = Lexer(text: text, base: base)
    tokens = try lexer.tokens()
    self.depth = depth
  }

  /// Parses all of `text` as one expression.
  static func parse(_ text: String) throws(ExpressionError) -> Expression {
    if let number = plainNumber(text) { return Expression(form: .integer(number), offset: 0) }
    var parser = try ExpressionParser(Array(text.unicodeScalars))
    let expression = try parser.conditional()
    try parser.finish()
    return expression
  }

  /// Parses `a::b(1, x)`: a type with its arguments.
  static func parseTypeUse(_ text: String) throws(ExpressionError) -> (name: Expression.TypeName, arguments: [Expression]) {
    if isPlainName(text) { return (Expression.TypeName(path: [text]), []) }
    var parser = try ExpressionParser(Array(text.unicodeScalars))
    let name = try parser.typeName()
    var arguments: [Expression] = []
    if parser.take("(") { arguments = try parser.list(until: ")") }
    try parser.finish()
    return (name, arguments)
  }

  /// Parses `name(1, x)` or `a.b.name(1)`: a process with its arguments.
  static func parseProcess(_ text: String) throws(ExpressionError) -> (name: String, arguments: [Expression]) {
    var parser = try ExpressionParser(Array(text.unicodeScalars))
    var name = try parser.name("a process")
    while parser.take(".") { name += "." + (try parser.name("a process")) }
    var arguments: [Expression] = []
    if parser.take("(") { arguments = try parser.list(until: ")") }
    try parser.finish()
    return (name, arguments)
  }

  // Most expressions are a number or a name, which needs no tokens.

  /// The number, if the text consists only of its digits.
  private static func plainNumber(_ text: String) -> UInt64? {
    let digits = text.utf8
    guard let first = digits.first, digits.count < 19, first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
    var number: UInt64 = 0
    for digit in digits {
      guard digit >= 0x30, digit <= 0x39 else { return nil }
      number = number * 10 + UInt64(digit - 0x30)
    }
    return number
  }

  /// Whether the text is one name in lower case, and no keyword.
  private static func isPlainName(_ text: String) -> Bool {
    guard let first = text.utf8.first, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z") else { return false }
    for byte in text.utf8 {
      guard byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") || byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: "_") else {
        return false
      }
    }
    return !["and", "or", "not", "true", "false", "sizeof", "bitsizeof", "as"].contains(text)
  }

  // MARK: Tokens

  private var token: Token { tokens[at] }

  private func fail(_ message: String) -> ExpressionError { ExpressionError(offset: token.offset, message: message) }

  private mutating func take(_ sign: String) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    at += 1
    return true
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard token.kind == .name(word) else { return false }
    at += 1
    return true
  }

  private mutating func need(_ sign: String) throws(ExpressionError) {
    guard take(sign) else { throw fail("expected \"\(sign)\", found \(shown)") }
  }

  private mutating func name(_ what: String) throws(ExpressionError) -> String {
    guard case .name(let name) = token.kind else { throw fail("expected the name of \(what), found \(shown)") }
    at += 1
    return name
  }

  private var shown: String {
    switch token.kind {
    case .integer(let value): "\(value)"
    case .float(let value): "\(value)"
    case .string, .format: "a string"
    case .name(let name): "\"\(name)\""
    case .sign(let sign): "\"\(sign)\""
    case .end: "the end of the expression"
    }
  }

  private func finish() throws(ExpressionError) {
    guard token.kind == .end else {
      if token.kind == .sign("&") || token.kind == .sign("|") { throw fail("expected \"and\" or \"or\", found \(shown)") }
      throw fail("expected an operator, found \(shown)")
    }
  }

  private mutating func list(until close: String) throws(ExpressionError) -> [Expression] {
    var list: [Expression] = []
    if take(close) { return list }
    while true {
      list.append(try conditional())
      if take(close) { return list }
      try need(",")
      if take(close) { return list }
    }
  }

  private mutating func typeName() throws(ExpressionError) -> Expression.TypeName {
    _ = take("::")
    var name = Expression.TypeName(path: [try name("a type")])
    while take("::") { name.path.append(try self.name("a type")) }
    if take("[") {
      try need("]")
      name.isArray = true
    }
    return name
  }

  // MARK: Precedence, lowest first

  private mutating func conditional() throws(ExpressionError) -> Expression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw fail("the expression is nested too deep") }
    let offset = token.offset
    let condition = try or()
    guard take("?") else { return condition }
    let yes = try conditional()
    try need(":")
    return Expression(form: .conditional(condition, yes, try conditional()), offset: offset)
  }

  /// `a OP b OP c`, left-associative; long chains count as depth, because they are evaluated by recursion.
  private mutating func chain(
    _ operators: [(String, Expression.Binary)], _ operand: (inout Self) throws(ExpressionError) -> Expression
  ) throws(ExpressionError) -> Expression {
    var left = try operand(&self)
    var length = 0
    search: while true {
      for (sign, operation) in operators where take(sign) || takeWord(sign) {
        length += 1
        guard length < 200 else { throw fail("the expression is too long") }
        let right = try operand(&self)
        left = Expression(form: .binary(operation, left, right), offset: left.offset)
        continue search
      }
      return left
    }
  }

  private mutating func or() throws(ExpressionError) -> Expression {
    try chain([("or", .or)]) { parser throws(ExpressionError) in try parser.and() }
  }

  private mutating func and() throws(ExpressionError) -> Expression {
    try chain([("and", .and)]) { parser throws(ExpressionError) in try parser.not() }
  }

  private mutating func not() throws(ExpressionError) -> Expression {
    let offset = token.offset
    guard takeWord("not") else { return try comparison() }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw fail("the expression is nested too deep") }
    return Expression(form: .unary(.not, try not()), offset: offset)
  }

  private mutating func comparison() throws(ExpressionError) -> Expression {
    let operators: [(String, Expression.Binary)] = [
      ("==", .equal), ("!=", .notEqual), ("<=", .lessOrEqual), (">=", .greaterOrEqual), ("<", .less), (">", .greater),
    ]
    let left = try bitOr()
    for (sign, operation) in operators where take(sign) {
      return Expression(form: .binary(operation, left, try bitOr()), offset: left.offset)
    }
    return left
  }

  private mutating func bitOr() throws(ExpressionError) -> Expression {
    try chain([("|", .bitOr)]) { parser throws(ExpressionError) in try parser.bitXor() }
  }

  private mutating func bitXor() throws(ExpressionError) -> Expression {
    try chain([("^", .bitXor)]) { parser throws(ExpressionError) in try parser.bitAnd() }
  }

  private mutating func bitAnd() throws(ExpressionError) -> Expression {
    try chain([("&", .bitAnd)]) { parser throws(ExpressionError) in try parser.shift() }
  }

  private mutating func shift() throws(ExpressionError) -> Expression {
    try chain([("<<", .shiftLeft), (">>", .shiftRight)]) { parser throws(ExpressionError) in try parser.sum() }
  }

  private mutating func sum() throws(ExpressionError) -> Expression {
    try chain([("+", .add), ("-", .subtract)]) { parser throws(ExpressionError) in try parser.product() }
  }

  private mutating func product() throws(ExpressionError) -> Expression {
    try chain([("*", .multiply), ("/", .divide), ("%", .modulo)]) { parser throws(ExpressionError) in try parser.factor() }
  }

  private mutating func factor() throws(ExpressionError) -> Expression {
    let offset = token.offset
    let operation: Expression.Unary
    if take("-") {
      operation = .minus
    } else if take("+") {
      operation = .plus
    } else if take("~") {
      operation = .invert
    } else {
      return try postfix()
    }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw fail("the expression is nested too deep") }
    return Expression(form: .unary(operation, try factor()), offset: offset)
  }

  private mutating func postfix() throws(ExpressionError) -> Expression {
    var value = try atom()
    var length = 0
    while true {
      length += 1
      guard length < 100 else { throw fail("the expression is too long") }
      let offset = token.offset
      if take(".") {
        let name = try name("a field or method")
        if name == "as", take("<") {
          let type = try typeName()
          try need(">")
          value = Expression(form: .cast(value, type), offset: offset)
        } else if take("(") {
          value = Expression(form: .call(value, name, try list(until: ")")), offset: offset + 1)
        } else {
          value = Expression(form: .attribute(value, name), offset: offset + 1)
        }
      } else if take("[") {
        let index = try conditional()
        try need("]")
        value = Expression(form: .index(value, index), offset: offset)
      } else {
        return value
      }
    }
  }

  private mutating func atom() throws(ExpressionError) -> Expression {
    let token = token
    at += 1
    switch token.kind {
    case .integer(let value): return Expression(form: .integer(value), offset: token.offset)
    case .float(let value): return Expression(form: .float(value), offset: token.offset)
    case .string(var bytes):
      // Adjacent strings are concatenated.
      while case .string(let more) = self.token.kind {
        bytes += more
        at += 1
      }
      return Expression(form: .string(bytes), offset: token.offset)
    case .format(let parts):
      var list: [Expression] = []
      for part in parts {
        switch part {
        case .text(let bytes): list.append(Expression(form: .string(bytes), offset: token.offset))
        case .expression(let text, let offset):
          guard depth < Self.depthLimit else { throw fail("the expression is nested too deep") }
          var parser = try ExpressionParser(text, base: offset, depth: depth + 1)
          list.append(try parser.conditional())
          try parser.finish()
        }
      }
      return Expression(form: .format(list), offset: token.offset)
    case .name(let name):
      if name == "true" || name == "false" { return Expression(form: .boolean(name == "true"), offset: token.offset) }
      if name == "sizeof" || name == "bitsizeof", take("<") {
        let type = try typeName()
        try need(">")
        return Expression(form: .sizeOf(type, inBits: name == "bitsizeof"), offset: token.offset)
      }
      guard self.token.kind == .sign("::") else { return Expression(form: .name(name), offset: token.offset) }
      var path = [name]
      while take("::") { path.append(try self.name("an enum's entry")) }
      return Expression(form: .path(path), offset: token.offset)
    case .sign("::"):
      var path = [try name("an enum")]
      while take("::") { path.append(try name("an enum's entry")) }
      return Expression(form: .path(path), offset: token.offset)
    case .sign("("):
      let inner = try conditional()
      try need(")")
      return inner
    case .sign("["): return Expression(form: .list(try list(until: "]")), offset: token.offset)
    case .end, .sign:
      at -= 1
      throw fail("expected a value, found \(shown)")
    }
  }
}
