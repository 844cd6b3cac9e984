/// A parsed expression: its form, and its offset in the text.
struct Expression {
  indirect enum Form {
    case integer(UInt64)
    case float(Double)
    case string([UInt8])
    case boolean(Bool)
    case name(String)
    /// `a::b::c`; absolute where it begins with `::`.
    case path([String])
    case attribute(Expression, String)
    case call(Expression, String, [Expression])
    case index(Expression, Expression)
    case list([Expression])
    case unary(Unary, Expression)
    case binary(Binary, Expression, Expression)
    case conditional(Expression, Expression, Expression)
    case cast(Expression, TypeName)
    case sizeOf(TypeName, inBits: Bool)
    /// The parts of an f-string.
    case format([Expression])
  }

  enum Unary { case minus, plus, not, invert }

  enum Binary: UInt8 {
    case add, subtract, multiply, divide, modulo, shiftLeft, shiftRight, bitAnd, bitOr, bitXor
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, and, or
  }

  /// `a::b`, with `[]` for arrays.
  struct TypeName {
    var path: [String]
    var isArray = false
    var text: String { path.joined(separator: "::") + (isArray ? "[]" : "") }
  }

  var form: Form
  var offset: Int
}

/// An error in the text of an expression, with the offset of its scalar.
struct ExpressionError: Error {
  var offset: Int
  var message: String
}

/// A lexical unit of an expression.
struct Token: Equatable {
  enum Kind: Equatable {
    case integer(UInt64)
    case float(Double)
    case string([UInt8])
    /// Texts of an f-string, and the positions of the expressions between them.
    case format([FormatPart])
    case name(String)
    case sign(String)
    case end
  }

  enum FormatPart: Equatable {
    case text([UInt8])
    case expression([Unicode.Scalar], offset: Int)
  }

  var kind: Kind
  var offset: Int
}

/// Splits an expression into tokens.
struct Lexer {
  let text: [Unicode.Scalar]
  var at = 0
  /// Offset of the text in the entire expression; for expressions inside f-strings.
  var base = 0

  private static let signs = [
    "::", "<<", ">>", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "?", ":", "<", ">", ".", ",", "(", ")", "[", "]",
  ].map { (text: $0, scalars: Array($0.unicodeScalars)) }

  static func isNameStart(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z") ~= scalar || ("A"..."Z") ~= scalar || scalar == "_" }
  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9") ~= scalar }

  func peek(_ ahead: Int = 0) -> Unicode.Scalar? { at + ahead < text.count ? text[at + ahead] : nil }

  /// All tokens, the last of which is `end`.
  mutating func tokens() throws(ExpressionError) -> [Token] {
    var list: [Token] = []
    while true {
      let token = try next()
      list.append(token)
      if token.kind == .end { return list }
      guard list.count < 20_000 else { throw ExpressionError(offset: token.offset, message: "the expression is too long") }
    }
  }

  private mutating func next() throws(ExpressionError) -> Token {
    while let scalar = peek(), scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" { at += 1 }
    let start = at
    guard let scalar = peek() else { return Token(kind: .end, offset: base + start) }
    if scalar == "f", peek(1) == "\"" {
      at += 2
      return Token(kind: .format(try format(from: start)), offset: base + start)
    }
    if Self.isNameStart(scalar) {
      var name: [UInt8] = []
      while let scalar = peek(), Self.isNameStart(scalar) || Self.isDigit(scalar) {
        name.append(UInt8(truncatingIfNeeded: scalar.value))
        at += 1
      }
      return Token(kind: .name(String(decoding: name, as: UTF8.self)), offset: base + start)
    }
    if Self.isDigit(scalar) { return Token(kind: try number(), offset: base + start) }
    if scalar == "\"" || scalar == "'" { return Token(kind: .string(try string(scalar)), offset: base + start) }
    for sign in Self.signs where scalar == sign.scalars[0] && (sign.scalars.count == 1 || peek(1) == sign.scalars[1]) {
      at += sign.scalars.count
      return Token(kind: .sign(sign.text), offset: base + start)
    }
    throw ExpressionError(offset: base + start, message: "\"\(Character(scalar))\" is not part of an expression")
  }

  private mutating func number() throws(ExpressionError) -> Token.Kind {
    let start = at
    func digits(_ allowed: (Unicode.Scalar) -> Bool) -> String {
      var found = String.UnicodeScalarView()
      while let scalar = peek(), allowed(scalar) || scalar == "_" {
        if scalar != "_" { found.append(scalar) }
        at += 1
      }
      return String(found)
    }
    func whole(_ digits: String, _ radix: Int) throws(ExpressionError) -> Token.Kind {
      guard let value = UInt64(digits, radix: radix) else {
        throw ExpressionError(offset: base + start, message: digits.isEmpty ? "digits are missing" : "the number does not fit 64 bits")
      }
      return .integer(value)
    }
    if peek() == "0", let letter = peek(1) {
      let radix: Int? =
        switch letter {
        case "x", "X": 16
        case "b", "B": 2
        case "o", "O": 8
        default: nil
        }
      if let radix {
        at += 2
        return try whole(digits { $0.properties.numericType == .decimal || ("a"..."f") ~= $0 || ("A"..."F") ~= $0 }, radix)
      }
    }
    var text = digits(Self.isDigit)
    var isFloat = false
    if peek() == ".", let after = peek(1), Self.isDigit(after) {
      at += 1
      text += "." + digits(Self.isDigit)
      isFloat = true
    } else if peek() == ".", peek(1).map({ !Self.isNameStart($0) && $0 != "." }) ?? true {
      at += 1
      isFloat = true
    }
    if peek() == "e" || peek() == "E" {
      let signed = peek(1) == "+" || peek(1) == "-"
      if let first = peek(signed ? 2 : 1), Self.isDigit(first) {
        at += 1
        text += "e"
        if signed {
          text += peek() == "-" ? "-" : "+"
          at += 1
        }
        text += digits(Self.isDigit)
        isFloat = true
      }
    }
    if isFloat {
      guard let value = Double(text) else { throw ExpressionError(offset: base + start, message: "\"\(text)\" is not a number") }
      return .float(value)
    }
    return try whole(text, 10)
  }

  private mutating func string(_ quote: Unicode.Scalar) throws(ExpressionError) -> [UInt8] {
    let start = at
    at += 1
    var bytes: [UInt8] = []
    while let scalar = peek() {
      at += 1
      if scalar == quote { return bytes }
      if scalar == "\\", quote == "\"" {
        try escape(into: &bytes)
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
      }
    }
    throw ExpressionError(offset: base + start, message: "the string has no end")
  }

  private mutating func escape(into bytes: inout [UInt8]) throws(ExpressionError) {
    let start = at - 1
    guard let letter = peek() else { throw ExpressionError(offset: base + start, message: "the string has no end") }
    at += 1
    let simple: [Unicode.Scalar: UInt8] = [
      "a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "e": 27, "'": 39, "\"": 34, "\\": 92,
    ]
    if let byte = simple[letter] {
      bytes.append(byte)
    } else if ("0"..."7") ~= letter {
      var value = letter.value - 48
      var count = 1
      while count < 3, let digit = peek(), ("0"..."7") ~= digit {
        value = value * 8 + digit.value - 48
        at += 1
        count += 1
      }
      append(value, into: &bytes)
    } else if letter == "u" {
      var value: UInt32 = 0
      for _ in 0..<4 {
        guard let digit = peek(), let nibble = Character(digit).hexDigitValue else {
          throw ExpressionError(offset: base + start, message: "\\u needs four hexadecimal digits")
        }
        value = value << 4 | UInt32(nibble)
        at += 1
      }
      append(value, into: &bytes)
    } else {
      throw ExpressionError(offset: base + start, message: "\"\\\(Character(letter))\" is not an escape")
    }
  }

  private func append(_ value: UInt32, into bytes: inout [UInt8]) {
    bytes.append(contentsOf: UTF8.encode(Unicode.Scalar(value) ?? "\u{fffd}").map(Array.init) ?? [])
  }

  private mutating func format(from start: Int) throws(ExpressionError) -> [Token.FormatPart] {
    var parts: [Token.FormatPart] = []
    var text: [UInt8] = []
    while let scalar = peek() {
      at += 1
      switch scalar {
      case "\"":
        if !text.isEmpty { parts.append(.text(text)) }
        return parts
      case "\\": try escape(into: &text)
      case "{":
        if !text.isEmpty { parts.append(.text(text)) }
        text = []
        let inside = at
        var quote: Unicode.Scalar?
        while let scalar = peek(), quote != nil || scalar != "}" {
          if scalar == quote { quote = nil } else if quote == nil, scalar == "'" || scalar == "\"" { quote = scalar }
          at += 1
        }
        guard peek() == "}" else { throw ExpressionError(offset: base + inside, message: "\"{\" has no \"}\"") }
        parts.append(.expression(Array(self.text[inside..<at]), offset: base + inside))
        at += 1
      default: text.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
      }
    }
    throw ExpressionError(offset: base + start, message: "the string has no end")
  }
}

extension Expression.Form {
  /// A number known at compile time.
  var constant: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .unary(.minus, let inner): inner.form.constant.map { -$0 }
    default: nil
    }
  }
}
