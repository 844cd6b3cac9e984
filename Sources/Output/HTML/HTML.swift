/// A piece of an HTML page. Literals are kept verbatim; an interpolated text is escaped for use between elements or in a quoted attribute, and only
/// another ``HTML`` value is inserted verbatim.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  var text: String

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// HTML from a file of the program.
  init(trusted text: String) { self.text = text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text: String

    init(literalCapacity: Int, interpolationCount: Int) {
      text = ""
      text.reserveCapacity(literalCapacity * 2)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ html: HTML) { text += html.text }

    mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { text += piece.text } }

    mutating func appendInterpolation(_ number: Int) { text += String(number) }

    mutating func appendInterpolation(_ untrusted: String) {
      for unit in untrusted.unicodeScalars {
        switch unit {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"": text += "&quot;"
        case "'": text += "&apos;"
        default: text.unicodeScalars.append(unit)
        }
      }
    }

    /// Appends `html` if a condition holds.
    mutating func appendInterpolation(if condition: Bool, _ html: @autoclosure () -> HTML) { if condition { text += html().text } }

    /// Appends HTML made of a text, if the text is not empty.
    mutating func appendInterpolation(some untrusted: String, _ html: (String) -> HTML) {
      if !untrusted.isEmpty { text += html(untrusted).text }
    }

    /// Appends HTML made of a value, if it is not nil.
    mutating func appendInterpolation<Value>(some value: Value?, _ html: (Value) -> HTML) {
      if let value { text += html(value).text }
    }

    /// Appends HTML made of each element.
    mutating func appendInterpolation<Element>(each elements: [Element], _ html: (Element) -> HTML) {
      for element in elements { text += html(element).text }
    }
  }
}
