import PacketCodecs
import Output
import Text

/// The output of `btscribe crc`.
enum CrcText {
  // MARK: The catalogue

  static func catalogue() -> String {
    var text = pad("NAME", 25) + pad("WIDTH", 6) + pad("POLY", 23) + pad("INIT", 19) + "REFIN REFOUT " + pad("XOROUT", 19)
    text += pad("CHECK", 23) + "ALSO\n"
    for p in CRCCatalogue.all {
      let also = CRCCatalogue.aliases.filter { $0.name == p.name }.map(\.alias).joined(separator: ", ")
      var line = pad(p.name, 25) + pad(String(p.width), 6) + pad(hex(p.polynomial), 23) + pad(hex(p.initial), 19)
      line += pad(p.reflectsInput ? "yes" : "no", 6) + pad(p.reflectsOutput ? "yes" : "no", 7) + pad(hex(p.finalXor), 19)
      line += pad(p.check.map(hex) ?? "", 23) + also
      text += trimmed(line) + "\n"
    }
    text += "\n" + pad("SUM", 25) + pad("WIDTH", 6) + pad("CHECK", 23) + "ALSO\n"
    for (name, sum) in ChecksumAlgorithm.namedSums {
      let also = ChecksumAlgorithm.sumAliases.filter { $0.name == name }.map(\.alias).joined(separator: ", ")
      text += trimmed(pad(name, 25) + pad(String(sum.bits), 6) + pad(hex(UInt128(check(sum))), 23) + also) + "\n"
    }
    return text
  }

  static func catalogueJSON() -> String {
    var rows: [String] = []
    for p in CRCCatalogue.all {
      var row =
        "{\"name\":\(quoted(p.name)),\"kind\":\"crc\",\"width\":\(p.width),\"poly\":\"\(hex(p.polynomial))\",\"init\":\"\(hex(p.initial))\","
      row += "\"refin\":\(p.reflectsInput),\"refout\":\(p.reflectsOutput),\"xorout\":\"\(hex(p.finalXor))\""
      if let check = p.check { row += ",\"check\":\"\(hex(check))\"" }
      if let residue = p.residue { row += ",\"residue\":\"\(hex(residue))\"" }
      row += ",\"aliases\":[\(CRCCatalogue.aliases.filter { $0.name == p.name }.map { quoted($0.alias) }.joined(separator: ","))]}"
      rows.append(row)
    }
    for (name, sum) in ChecksumAlgorithm.namedSums {
      var row = "{\"name\":\(quoted(name)),\"kind\":\"sum\",\"width\":\(sum.bits),\"check\":\"\(hex(UInt128(check(sum))))\""
      row += ",\"aliases\":[\(ChecksumAlgorithm.sumAliases.filter { $0.name == name }.map { quoted($0.alias) }.joined(separator: ","))]}"
      rows.append(row)
    }
    return "[\n" + rows.joined(separator: ",\n") + "\n]\n"
  }

  private static func check(_ sum: AdditiveChecksum) -> UInt64 { sum.value(of: Array("123456789".utf8).rawSpan) }

  // MARK: Values

  static func values(_ values: [([UInt8], UInt128)], of algorithm: ChecksumAlgorithm) -> String {
    values.map { bytes, value in
      let number = "0x" + digits(value, algorithm)
      return values.count == 1 ? number + "\n" : "\(number)  \(plain(bytes))\n"
    }.joined()
  }

  static func valuesJSON(_ values: [([UInt8], UInt128)], of algorithm: ChecksumAlgorithm) -> String {
    let rows = values.map { bytes, value in "{\"bytes\":\"\(plain(bytes))\",\"value\":\(value),\"hex\":\"\(digits(value, algorithm))\"}" }
    return "{\"algorithm\":\(quoted(algorithm.name)),\"width\":\(algorithm.width),\"results\":[\(rows.joined(separator: ","))]}\n"
  }

  static func words(of error: ChecksumError) -> String {
    switch error {
    case .unknownAlgorithm(let name, let closest):
      let hint = closest.map { "; did you mean \($0)?" } ?? "; btscribe crc --list names them all"
      return "no checksum is called \"\(CommandError.clean(name))\"\(hint)"
    case .unknownParameter(let name):
      return "a CRC has no parameter \"\(CommandError.clean(name))\": it has width, poly, init, refin, refout, xorout"
    case .badValue(let parameter, let value):
      return "\"\(CommandError.clean(value))\" is not a value for \(parameter)"
    case .missingParameter(let name):
      return "the CRC's \(name) is missing"
    }
  }

  // MARK: What was found

  static func result(_ result: ChecksumSearchResult) -> String {
    var text = ""
    for candidate in result.candidates {
      let checksum = candidate.checksum
      text += "\(checksum.algorithm.name) \(coverage(checksum)), \(location(checksum))\n"
      text += "    check: \(profile(checksum))\n"
    }
    return text
  }

  static func resultJSON(_ result: ChecksumSearchResult) -> String {
    let rows = result.candidates.map { candidate in
      let own = candidate.checksum
      let over = own.coverage.map { "[\($0.from),\($0.to.map(String.init) ?? "null")]" }.joined(separator: ",")
      var row = "{\"algorithm\":\(quoted(own.algorithm.name)),\"over\":\(over),\"at\":\(own.position),\"bytes\":\(own.byteCount),"
      row +=
        "\"endian\":\"\(own.byteOrder == .little ? "le" : "be")\",\"as\":\"\(name(own.form))\",\"over_as\":\"\(name(own.coverageForm))\","
      row += "\"own_bytes\":\"\(own.checksumBytes == .zeroed ? "zero" : "skip")\","
      row += "\"plausibility\":\(tenths(candidate.plausibility)),\"description\":\(quoted("\(coverage(own)), \(location(own))"))}"
      return row
    }
    let outlier = result.outlier.map { "\"outlier\":\($0 + 1)," } ?? ""
    var text =
      "{\"frames\":\(result.frames),\(outlier)\"fitting\":\(result.fitting),\"uncertain\":\(result.isUncertain || result.candidates.isEmpty),"
    text += "\"candidates\":[\(rows.isEmpty ? "" : "\n" + rows.joined(separator: ",\n") + "\n")]}\n"
    return text
  }

  /// Notes about a result.
  static func notices(of result: ChecksumSearchResult, given: Int) -> [String] {
    let frames = result.frames == 1 ? "1 frame" : "\(result.frames) frames"
    var notices: [String] = []
    let counted = result.frames + (result.outlier == nil ? 0 : 1)
    if let outlier = result.outlier { notices.append("frame \(outlier + 1) has another checksum than this, which all others have") }
    if counted < given {
      notices.append("\(given - counted) of \(given) frames are repeated or shorter than 2 bytes, and count for nothing")
    }
    if result.isCutShort { notices.append("the search was ended early, as it takes too long: give fewer or shorter frames") }
    if result.candidates.isEmpty {
      if result.isCutShort { return notices }
      if result.frames > 0 { notices.append("no checksum fits \(result.frames == 1 ? "the frame" : "all \(frames)")") }
      return notices
    }
    if result.isUncertain {
      let shown = result.candidates.count < result.fitting ? ", of which the likeliest are shown" : ""
      notices.append(
        "\(frames) \(result.frames == 1 ? "leaves" : "leave") \(result.fitting) explanation\(result.fitting == 1 ? "" : "s")\(shown): more frames, of other lengths and contents, decide"
      )
    }
    if result.isOneLength, result.frames > 1 {
      notices.append("all frames have one length: whether an offset counts from the start or from the end is not known")
    }
    return notices
  }

  private static func coverage(_ checksum: Checksum) -> String {
    let range = checksum.coverage.first ?? ByteRange(from: 0)
    let bytes = checksum.coverageForm == .asciiHex ? "the decoded digits" : "bytes"
    let start = range.from < 0 ? "\(-range.from - 1) before the last" : String(range.from)
    switch (range.from, range.to) {
    case (0, nil): return "over all \(bytes), its own \(checksum.checksumBytes == .zeroed ? "as zeros" : "left out")"
    case (_, checksum.position): return "over \(bytes) from \(start) up to the checksum"
    case (_, nil): return "over \(bytes) from \(start) to the end"
    case (_, let to?): return "over \(bytes) from \(start) to \(to < 0 ? "\(-to) before the last" : String(to - 1))"
    }
  }

  private static func location(_ checksum: Checksum) -> String {
    let count = checksum.storedCount
    let unit = checksum.form == .asciiHex ? "\(count) hex digits" : count == 1 ? "1 byte" : "\(count) bytes"
    var text: String
    if checksum.position >= 0 {
      text = "stored in \(unit) at byte \(checksum.position)"
    } else if -checksum.position == count {
      text = count == 1 ? "stored in the last byte" : "stored in the last \(unit)"
    } else {
      text = "stored in \(unit) at \(-checksum.position - 1) before the last"
    }
    if checksum.byteCount > 1 { text += checksum.byteOrder == .little ? ", low byte first" : ", high byte first" }
    return text
  }

  /// As a layer of a profile.
  private static func profile(_ checksum: Checksum) -> String {
    let range = checksum.coverage.first ?? ByteRange(from: 0)
    let over = range.to.map { "[\(range.from), \($0)]" } ?? "[\(range.from)]"
    var text =
      "{algorithm: \(checksum.algorithm.name.contains(" ") ? quoted(checksum.algorithm.name) : checksum.algorithm.name), over: \(over), "
    text += "at: \(checksum.position)"
    if checksum.byteCount > 1 { text += ", endian: \(checksum.byteOrder == .little ? "le" : "be")" }
    if checksum.form == .asciiHex { text += ", as: hex" }
    if checksum.coverageForm == .asciiHex { text += ", over-as: hex" }
    if checksum.checksumBytes == .zeroed { text += ", own-bytes: zero" }
    return text + "}"
  }

  private static func name(_ form: Checksum.Form) -> String { form == .binary ? "binary" : "hex" }

  // MARK: Parts of text

  private static func hex(_ value: UInt128) -> String { "0x" + String(value, radix: 16) }

  private static func digits(_ value: UInt128, _ algorithm: ChecksumAlgorithm) -> String {
    String(hex: value, digits: (algorithm.width + 3) / 4)
  }

  private static func plain(_ bytes: [UInt8]) -> String {
    var digits: [UInt8] = []
    ByteEscape.asciiHex(upperCase: false).encode(bytes.rawSpan, into: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  private static func quoted(_ text: String) -> String {
    let out = TextBuffer()
    out.byte(UInt8(ascii: "\""))
    out.untrusted(Array(text.utf8), .json)
    out.byte(UInt8(ascii: "\""))
    return out.contents
  }

  private static func tenths(_ value: Double) -> String {
    let scaled = Int(value * 10)
    return "\(scaled < 0 ? "-" : "")\(abs(scaled) / 10).\(abs(scaled) % 10)"
  }

  private static func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.utf8.count)) }

  private static func trimmed(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
