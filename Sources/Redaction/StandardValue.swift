/// Valid values, of three bytes or more, of numeric attributes of the Bluetooth SIG (GATT Specification Supplement; Core, Vol 3, Part G, 3;
/// HID over GATT Profile; Fitness Machine Service). Checks length, reserved bits and plausible numbers, as a device may send other data under the
/// attribute's UUID. An attribute without a row here has no valid values: add one when you add an attribute to ``AllowedFields``.
///
/// The built-in profiles and the display filters (`ATT+ValueFilters.swift`) have the fields of many of these attributes too, but cannot replace
/// the rows here, and these cannot be derived from them:
/// - They accept all values: any six bytes are three numbers. A row here has the ranges which make it unlikely that a value is another
///   device's text, key or address, and these are narrower than what the field can hold (an air pressure is at most two bar).
/// - They lack the declarations and descriptors of GATT, whose values refer to other attributes.
/// - A user can replace a built-in profile by another (`--profile`). What `redact` keeps must not depend on that.
enum StandardValue {
  /// Whether a value is valid for the attribute, and contains no text.
  static func isPlausible(_ uuid: UInt16, _ value: [UInt8]) -> Bool {
    // A part of a 128-bit UUID may read as text.
    hasLayout(uuid, value) && !(value.count < 16 ? TextRuns.isIn(value, fewest: 3) : Pseudonyms.readsAsText(value))
  }

  /// Reads numbers, least significant byte first.
  private struct Reader {
    let value: [UInt8]

    func byte(_ at: Int) -> Int { at < value.count ? Int(value[at]) : 0 }
    func unsigned(_ at: Int, _ count: Int = 2) -> Int { (0..<count).reduce(0) { $0 | byte(at + $1) << (8 * $1) } }
    func signed(_ at: Int) -> Int { Int(Int16(truncatingIfNeeded: unsigned(at))) }
    func isHandle(_ at: Int) -> Bool { (1...StandardValue.maxHandles).contains(unsigned(at)) }
    /// A handle range of a group or of Service Changed; the last handle may be 0xFFFF.
    func isHandleRange(_ at: Int) -> Bool {
      unsigned(at) <= unsigned(at + 2) && unsigned(at) <= StandardValue.maxHandles && (isHandle(at + 2) || unsigned(at + 2) == 0xFFFF)
    }
    func isInterval(_ at: Int) -> Bool { [0, 0xFFFF].contains(unsigned(at)) || (6...3200).contains(unsigned(at)) }
    /// Whether signed numbers have an absolute value of at most `limit`.
    func areWithin(_ limit: Int, _ indices: Int...) -> Bool { indices.allSatisfy { abs(signed($0)) <= limit } }
  }

  /// Upper bound of attribute handles in devices.
  private static let maxHandles = 0x1FFF
  /// A magnetic flux density of 0.8 mT, a power of 8 kW, a resistance level of 800.
  private static let maxMeasured = 0x1FFF

  private static func hasLayout(_ uuid: UInt16, _ value: [UInt8]) -> Bool {
    let read = Reader(value: value)
    let isWhole =
      switch uuid {
      case 0x2800, 0x2801: value.count == 16
      case 0x2802: value.count == 4 || value.count == 6
      case 0x2803: value.count == 5 || value.count == 19
      case 0x2905: value.count.isMultiple(of: 2)
      case 0x2906: value.count == 4 || value.count == 8
      case 0x2BED: value.count == 3 + [0, 2, 1, 3, 1, 3, 2, 4][read.byte(0) & 7]
      default: value.count == AllowedFields.longest(uuid)
      }
    guard isWhole else { return false }
    return switch uuid {
    case 0x2800, 0x2801: true
    case 0x2802, 0x2A05: read.isHandleRange(0)
    case 0x2803: read.isHandle(1)
    // Characteristic Presentation Format: units are UUIDs from 0x2700 on.
    case 0x2904: read.byte(0) < 0x20 && [0, 0x27].contains(read.byte(3)) && read.byte(4) <= 1
    case 0x2905: stride(from: 0, to: value.count, by: 2).allSatisfy(read.isHandle)
    // Valid Range: the limits are of any type.
    case 0x2906: isRange(read, value.count / 2)
    // Preferred parameters of a connection (Core, Vol 3, Part C, 12.3): intervals, latency, timeout.
    case 0x2A04:
      read.isInterval(0) && read.isInterval(2) && read.unsigned(0) <= read.unsigned(2) && read.unsigned(4) <= 499
        && ([0, 0xFFFF].contains(read.unsigned(6)) || (10...3200).contains(read.unsigned(6)))
    // HID Information: version in BCD, country code, flags.
    case 0x2A4A: read.byte(1) <= 2 && read.byte(0) <= 0x19 && read.byte(2) <= 35 && read.byte(3) <= 3
    case 0x2A4F: read.unsigned(0) <= 0x4000 && (4...max(4, read.unsigned(0))).contains(read.unsigned(2))
    // PnP ID: the vendor ID is a company identifier or is assigned by the USB Implementers Forum.
    case 0x2A50: read.byte(0) == 2 || read.byte(0) == 1 && (read.unsigned(1) < 0x2000 || read.unsigned(1) == 0xFFFF)
    case 0x2A65: read.unsigned(0, 4) < 0x30_0000
    // In tenths of a pascal.
    case 0x2A6D: read.unsigned(0, 4) <= 2_000_000
    case 0x2A75, 0x2AF2, 0x2B05: read.unsigned(0, 3) <= 0x1F_FFFF || read.unsigned(0, 3) == 0xFF_FFFF
    case 0x2A9B: read.unsigned(0, 4) < 1 << 18
    case 0x2A9E: read.unsigned(0, 4) < 1 << 10
    case 0x2AA0: read.areWithin(maxMeasured, 0, 2)
    case 0x2AA1: read.areWithin(maxMeasured, 0, 2, 4)
    case 0x2ACC: read.unsigned(0, 4) < 1 << 17 && read.unsigned(4, 4) < 1 << 17
    // Speed in hundredths of a kilometre per hour.
    case 0x2AD4: read.unsigned(0) <= read.unsigned(2) && read.unsigned(2) <= 10_000 && read.unsigned(4) <= max(1, read.unsigned(2))
    // Inclination in tenths of a percent.
    case 0x2AD5: read.areWithin(1000, 0, 2, 4) && read.signed(0) <= read.signed(2)
    case 0x2AD6, 0x2AD8: read.areWithin(maxMeasured, 0, 2, 4) && read.signed(0) <= read.signed(2)
    case 0x2AFB: true
    // Volume, whether it is muted, a counter.
    case 0x2B7D: read.byte(1) <= 1
    // Set Absolute Volume; the other procedures have two bytes.
    case 0x2B7E: read.byte(0) == 4
    case 0x2BCA, 0x2BCC: read.unsigned(0, 4) < 1 << 28
    case 0x2BCD, 0x2BCE: read.unsigned(0) < 1 << 12 && read.unsigned(2) < 1 << 12
    case 0x2BED: isBatteryStatus(read)
    default: false
    }
  }

  /// Whether the first of two numbers of `count` bytes, signed or unsigned, is not larger than the second.
  private static func isRange(_ read: Reader, _ count: Int) -> Bool {
    let (low, high) = (read.unsigned(0, count), read.unsigned(count, count))
    let sign = 1 << (8 * count - 1)
    return low <= high || low & sign != 0 && high & sign == 0
  }

  /// Battery Level Status: flags, power state, and depending on the flags identifier, battery level and additional status.
  private static func isBatteryStatus(_ read: Reader) -> Bool {
    let (flags, state) = (read.byte(0), read.unsigned(1))
    guard flags < 8, state & 0x8000 == 0, state >> 1 & 3 < 3, state >> 3 & 3 < 3, state >> 9 & 7 < 5 else { return false }
    let level = flags & 1 != 0 ? 5 : 3
    if flags & 2 != 0, read.byte(level) > 100 { return false }
    return flags & 4 == 0 || read.byte(level + (flags & 2 != 0 ? 1 : 0)) < 8
  }
}

/// Finds texts among other bytes, which are readable in a capture.
enum TextRuns {
  /// Whether a value contains a text with at least `fewest` letters and digits.
  static func isIn(_ value: [UInt8], fewest: Int) -> Bool { isIn(value, value.indices, fewest: fewest) }

  /// The same for a range of the value.
  static func isIn(_ value: [UInt8], _ range: Range<Int>, fewest: Int) -> Bool { first(in: value, range, fewest: fewest) != nil }

  /// All texts in a range.
  static func all(in value: [UInt8], _ range: Range<Int>, fewest: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var rest = range
    while let text = first(in: value, rest, fewest: fewest) {
      found.append(text)
      rest = text.upperBound..<range.upperBound
    }
    return found
  }

  /// The first text in a range: printable characters of UTF-8, of which at least `fewest`, or half of more than that, are letters and digits; or four
  /// letters and digits of two bytes each.
  private static func first(in value: [UInt8], _ range: Range<Int>, fewest: Int) -> Range<Int>? {
    // Neither form of text fits into fewer bytes.
    guard range.count >= min(fewest, shortestWide) else { return nil }
    var start = range.lowerBound
    var letters = 0
    var at = range.lowerBound
    while at <= range.upperBound {
      if at < range.upperBound, let wide = wide(value, at, range.upperBound) { return min(start, at)..<wide }
      let size = at < range.upperBound ? Pseudonyms.size(ofCharacter: value, at, range.upperBound) : nil
      if let size {
        if size > 1 || isLetter(value[at]) { letters += min(size, 2) }
        at += size
        continue
      }
      let count = at - start
      if letters >= fewest || count > max(4, fewest) && letters * 2 >= count { return start..<at }
      (start, letters) = (at + 1, 0)
      at += 1
    }
    return nil
  }

  /// The same in ASCII alone: runs of printable characters with at least `fewest` letters and digits. Among numbers, other bytes read as letters of
  /// UTF-8 by chance.
  static func ascii(in value: [UInt8], fewest: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    var letters = 0
    for at in 0...value.count {
      if at < value.count, (0x20...0x7E).contains(value[at]) {
        if isLetter(value[at]) { letters += 1 }
        continue
      }
      if letters >= fewest { found.append(start..<at) }
      (start, letters) = (at + 1, 0)
    }
    return found
  }

  /// Texts of ASCII in a range: at least `fewest` letters and digits, in words with a line end, a tab or a NUL between them; or at least `alone`
  /// digits, or letters of a word: all but the first are small, or all are capitals.
  static func words(in value: [UInt8], _ range: Range<Int>, fewest: Int, alone: Int) -> [Range<Int>] {
    guard range.count >= alone else { return [] }
    var found: [Range<Int>] = []
    // The text up to the last separator, and the open word.
    var text = (start: range.lowerBound, letters: 0)
    var word = (start: range.lowerBound, letters: 0)
    // The open run of digits, small letters or capitals, whose first letter may be a capital.
    var run = (start: range.lowerBound, kind: UInt8(0))
    for at in range.lowerBound...range.upperBound {
      let byte = at < range.upperBound ? value[at] : 0xFF
      let kind = self.kind(byte)
      if kind == 0 || kind != run.kind {
        if run.kind != 0, at - run.start >= alone { found.append(run.start..<at) }
        let isCapitalised = kind == smallLetter && run.kind == capital && at - run.start == 1
        run = (isCapitalised ? run.start : at, kind)
      }
      if (0x20...0x7E).contains(byte) {
        if kind != 0 { word.letters += 1 }
        continue
      }
      let isWord = word.letters >= shortestPart
      if isWord { text = (text.letters > 0 ? text.start : word.start, text.letters + word.letters) }
      let goesOn = isWord && [0, 9, 10, 13].contains(byte)
      if !goesOn {
        if text.letters >= fewest { found.append(text.start..<(isWord ? at : word.start)) }
        text.letters = 0
      }
      word = (at + 1, 0)
    }
    return found
  }
  /// Fewer letters read as a part of a text by chance.
  private static let shortestPart = 3
  private static let (smallLetter, capital, digit): (UInt8, UInt8, UInt8) = (1, 2, 3)

  /// Whether a byte is a small letter, a capital or a digit; else 0.
  private static func kind(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x30...0x39: digit
    case 0x41...0x5A: capital
    case 0x61...0x7A: smallLetter
    default: 0
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  /// The end of a text with two bytes per character that begins at an offset; nil where there is none. Either byte of a character may come first: the
  /// range may begin or end within a character.
  private static func wide(_ value: [UInt8], _ start: Int, _ end: Int) -> Int? {
    var at = start
    while at < end, isLetter(value[at]), at + 1 == end || value[at + 1] == 0 { at += 2 }
    return at - start > shortestWide ? min(at, end) : nil
  }
  /// Size of four letters of two bytes each, whose last byte may be behind the range.
  private static let shortestWide = 7
}
