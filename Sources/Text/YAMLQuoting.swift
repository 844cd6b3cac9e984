/// Text in YAML.
package enum YAMLQuoting {
  /// A text in double quotes (YAML 1.2, 7.3.1). Control, bidirectional and invisible characters and noncharacters are written as escapes: YAML
  /// forbids some of them, and the others would be invisible in the file.
  package static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case _ where isEscaped(scalar):
        let isShort = scalar.value < 0x10000
        out += (isShort ? "\\u" : "\\U") + String(hex: scalar.value, digits: isShort ? 4 : 8)
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }

  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    // General punctuation: spaces of all widths, and marks of direction.
    if (0x2000...0x206F).contains(scalar.value) { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
