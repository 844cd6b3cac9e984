import Memory

/// A buffer for text in UTF-8, which ``flush()`` writes to a file, a pipe or a terminal.
///
/// A class, because many printers write to one buffer. Its creator owns it, and only one thread may use it at a time.
@safe public final class TextBuffer {
  @usableFromInline var memory: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  @usableFromInline var used = 0
  /// Number of buffered bytes, which are not written yet.
  @inlinable public var count: Int { used }
  /// For each byte its two hex digits and a space.
  @usableFromInline let hexPairs = unsafe TextBuffer.pairs.hex
  /// For each number below 100 its two decimal digits.
  @usableFromInline let decimalPairs = unsafe TextBuffer.pairs.decimal
  /// The destination of ``flush()``; nil where the text is only kept in memory.
  public let destination: (any TextDestination)?
  /// Number of bytes that were written.
  public private(set) var written = 0

  /// An empty buffer for `capacity` bytes, which grows when more are appended.
  public init(to destination: (any TextDestination)? = nil, capacity: Int = 1 << 16) {
    self.destination = destination
    self.capacity = max(capacity, 32)
    unsafe memory = .allocate(capacity: self.capacity)
  }

  deinit { unsafe memory.deallocate() }

  /// Makes room for `more` bytes.
  @inlinable @inline(__always)
  public func reserve(_ more: Int) {
    if capacity &- count < more { grow(more) }
  }

  @usableFromInline @inline(never)
  func grow(_ more: Int) {
    let size = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    unsafe larger.update(from: memory, count: count)
    unsafe memory.deallocate()
    unsafe memory = unsafe larger
    capacity = size
  }

  /// The buffered bytes.
  @inlinable public var gathered: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: memory, count: count) }

  /// The buffered bytes as raw memory.
  @inlinable public var bytes: BorrowedBytes { unsafe BorrowedBytes(UnsafeRawBufferPointer(gathered)) }

  /// Address of the first byte; valid until something is appended.
  @inlinable public var start: UnsafeMutablePointer<UInt8> { unsafe memory }

  /// The buffered text.
  public var contents: String { unsafe String(decoding: gathered, as: UTF8.self) }

  /// Exchanges contents and memory with another buffer.
  public func exchange(with other: TextBuffer) {
    unsafe swap(&other.memory, &memory)
    swap(&other.capacity, &capacity)
    swap(&other.used, &used)
  }

  /// Removes all buffered bytes.
  @inlinable public func clear() { used = 0 }

  /// Removes the last bytes, so that `count` bytes remain.
  @inlinable public func truncate(to count: Int) { used = min(used, count) }

  /// Writes the buffered bytes and removes them. Throws ``OutputError``.
  public func flush() throws(OutputError) {
    defer { used = 0 }
    guard let destination, count > 0 else { return }
    try destination.write(bytes)
    written += count
  }

  /// Writes the buffered bytes, and then `bytes` without buffering them. Throws ``OutputError``.
  public func pass(_ bytes: BorrowedBytes) throws(OutputError) {
    guard let destination else { return append(bytes) }
    try flush()
    try destination.write(bytes)
    written += bytes.count
  }

  /// Writes the first `count` buffered bytes, and keeps the others. Throws ``OutputError``.
  public func flush(upTo count: Int) throws(OutputError) {
    let count = min(max(count, 0), used)
    guard count < used else { return try flush() }
    guard count > 0 else { return }
    if let destination {
      try destination.write(bytes.part(0..<count))
      written += count
    }
    remove(0..<count)
  }

  /// Removes a range of bytes.
  public func remove(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<used)
    unsafe (memory + range.lowerBound).update(from: memory + range.upperBound, count: used - range.upperBound)
    used -= range.count
  }

  /// Moves the bytes from `start` to the end to the offset `target`.
  public func moveTail(from start: Int, to target: Int) {
    guard target >= 0, target < start, start < used else { return }
    let length = used - start
    reserve(length)
    unsafe (memory + used).update(from: memory + start, count: length)
    unsafe (memory + target + length).update(from: memory + target, count: start - target)
    unsafe (memory + target).update(from: memory + used, count: length)
  }

  /// Writes the buffered bytes, and ends the output. Throws what the destination throws.
  public func finish() throws {
    try flush()
    try destination?.finish()
  }

  // MARK: Plain bytes

  /// Appends one byte.
  @inlinable @inline(__always)
  public func byte(_ byte: UInt8) {
    reserve(1)
    unsafe memory[count] = byte
    used &+= 1
  }

  /// Appends the bytes at an address.
  @inlinable @inline(__always)
  public func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
    reserve(length)
    unsafe (memory + count).update(from: start, count: length)
    used &+= length
  }

  /// Appends the bytes at an address in words of eight bytes: up to 15 more bytes after them are read.
  @inlinable @inline(__always)
  public func append(words start: UnsafePointer<UInt8>, _ length: Int) {
    unsafe append(atMost: length &+ 16) { target in
      let from = unsafe UnsafeRawPointer(start)
      let to = UnsafeMutableRawPointer(target)
      var at = 0
      while at < length {
        unsafe to.storeBytes(of: from.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self), toByteOffset: at, as: SIMD16<UInt8>.self)
        at &+= 16
      }
      return unsafe target + length
    }
  }

  /// Appends the bytes of a buffer.
  @inlinable @inline(__always)
  public func append(_ bytes: BorrowedBytes) {
    unsafe append(bytes.start.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// Appends a literal.
  @inlinable @inline(__always)
  public func text(_ literal: StaticString) { unsafe append(literal.utf8Start, literal.utf8CodeUnitCount) }

  /// Appends a trusted text.
  public func string(_ text: String) {
    var text = text
    text.withUTF8 { if let base = $0.baseAddress { unsafe append(base, $0.count) } }
  }

  /// Appends bytes that are known to be harmless.
  public func raw(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { if let base = $0.baseAddress { unsafe append(base, $0.count) } }
  }

  /// Appends spaces.
  @inlinable @inline(__always)
  public func spaces(_ number: Int) {
    guard number > 0 else { return }
    reserve(number)
    unsafe (memory + count).update(repeating: 0x20, count: number)
    used &+= number
  }

  // MARK: Numbers

  /// Appends a number in decimal.
  @inlinable @inline(__always)
  public func decimal(_ number: Int) {
    if number < 0 { byte(UInt8(ascii: "-")) }
    unsigned(UInt64(number.magnitude))
  }

  /// Appends an unsigned number in decimal.
  @inlinable @inline(__always)
  public func unsigned(_ number: UInt64) {
    reserve(20)
    var digits = 1
    var bound: UInt64 = 10
    while digits < 19, number >= bound {
      digits &+= 1
      bound &*= 10
    }
    if digits == 19, number >= 10_000_000_000_000_000_000 { digits = 20 }
    padded(number, digits)
  }

  /// Appends the last `digits` decimal digits of a number, with leading zeros.
  @inlinable @inline(__always)
  public func padded(_ number: UInt64, _ digits: Int) {
    reserve(digits)
    var rest = number
    let start = unsafe UnsafeMutableRawPointer(memory + count)
    var at = digits
    while at > 1 {
      at &-= 2
      let next = rest / 100
      unsafe start.storeBytes(of: decimalPairs[Int(rest &- next &* 100)], toByteOffset: at, as: UInt16.self)
      rest = next
    }
    if at == 1 { unsafe start.storeBytes(of: 48 &+ UInt8(truncatingIfNeeded: rest % 10), as: UInt8.self) }
    used &+= digits
  }

  /// Appends a number in hex with at least `digits` digits.
  @inlinable @inline(__always)
  public func hex(_ number: UInt64, digits: Int) {
    var digits = digits
    while digits < 16, number >> UInt64(digits &* 4) != 0 { digits &+= 1 }
    reserve(digits)
    var shift = digits &* 4
    while shift > 0 {
      shift &-= 4
      unsafe memory[count] = unsafe TextBuffer.digits[Int(truncatingIfNeeded: number &>> UInt64(shift)) & 15]
      used &+= 1
    }
  }

  /// Digits as bytes in static memory.
  @usableFromInline nonisolated(unsafe) static let digits: UnsafePointer<UInt8> = unsafe ("0123456789abcdef" as StaticString).utf8Start

  /// For each byte its two hex digits and a space, and for each number below 100 its two decimal digits.
  nonisolated(unsafe) private static let pairs: (hex: UnsafePointer<UInt32>, decimal: UnsafePointer<UInt16>) = {
    let hex = UnsafeMutablePointer<UInt32>.allocate(capacity: 256)
    for byte in 0..<256 {
      unsafe hex[byte] = unsafe (UInt32(digits[byte >> 4]) | UInt32(digits[byte & 15]) << 8 | 0x20 << 16).littleEndian
    }
    let decimal = UnsafeMutablePointer<UInt16>.allocate(capacity: 100)
    for number in 0..<100 { unsafe decimal[number] = (UInt16(48 + number / 10) | UInt16(48 + number % 10) << 8).littleEndian }
    return unsafe (UnsafePointer(hex), UnsafePointer(decimal))
  }()

  /// Reserves `limit` bytes, lets `write` fill the first of them, and keeps those before the address that it returns.
  @inlinable @inline(__always)
  public func append(atMost limit: Int, _ write: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>) {
    reserve(limit)
    used = unsafe write(memory + used) - memory
  }

  /// Writes `length` bytes in hex, each followed by `gap` spaces (0 or 1); needs one or two bytes of room after them. Returns the end.
  @inlinable @inline(__always)
  public func hex(_ start: UnsafeRawPointer, _ length: Int, gap: Int, at target: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
  {
    let pairs = unsafe hexPairs
    let step = 2 &+ gap
    var to = UnsafeMutableRawPointer(target)
    for index in 0..<max(length, 0) {
      unsafe to.storeBytes(of: pairs[Int(start.load(fromByteOffset: index, as: UInt8.self))], as: UInt32.self)
      unsafe to += step
    }
    return unsafe to.assumingMemoryBound(to: UInt8.self)
  }

  /// Appends bytes in hex, without separators.
  @inlinable @inline(__always)
  public func hex(_ start: UnsafeRawPointer, _ length: Int) {
    unsafe append(atMost: length &* 2 &+ 2) { unsafe TextBuffer.hex(start, length, at: $0, hexPairs) }
  }

  /// Writes bytes in hex, eight at a time; needs two bytes of room after them. Returns the end.
  @inlinable @inline(__always)
  static func hex(
    _ start: UnsafeRawPointer, _ length: Int, at target: UnsafeMutablePointer<UInt8>, _ pairs: UnsafePointer<UInt32>
  ) -> UnsafeMutablePointer<UInt8> {
    var to = UnsafeMutableRawPointer(target)
    var written = 0
    while written &+ 8 <= length {
      unsafe to.storeBytes(of: hexDigits(of: start.loadUnaligned(fromByteOffset: written, as: SIMD8<UInt8>.self)), as: SIMD8<UInt16>.self)
      unsafe to += 16
      written &+= 8
    }
    while written < length {
      unsafe to.storeBytes(of: pairs[Int(start.load(fromByteOffset: written, as: UInt8.self))], as: UInt32.self)
      unsafe to += 2
      written &+= 1
    }
    return unsafe to.assumingMemoryBound(to: UInt8.self)
  }

  /// The lower-case hexadecimal digits of eight bytes: two in each number, the first in its lower byte.
  @inlinable @inline(__always)
  package static func hexDigits(of bytes: SIMD8<UInt8>) -> SIMD8<UInt16> {
    let wide = SIMD8<UInt16>(truncatingIfNeeded: bytes)
    let digits = wide &>> 4 | (wide & 15) &<< 8
    // Digits from 10 on are letters: `a` is 39 more than the character after `9`.
    let letters = (digits &+ 0x0606) &>> 4 & 0x0101
    return digits &+ 0x3030 &+ letters &* 39
  }

  /// Appends bytes in hex with a space between them.
  @inlinable @inline(__always)
  public func spacedHex(_ start: UnsafeRawPointer, _ length: Int) {
    guard length > 0 else { return }
    unsafe append(atMost: length &* 3 &+ 1) { unsafe hex(start, length, gap: 1, at: $0) - 1 }
  }

  /// Appends a device address: `aa:bb:cc:dd:ee:ff`.
  public func address(_ address: UInt64) {
    unsafe append(atMost: 20) { start in
      var to = UnsafeMutableRawPointer(start)
      var shift: UInt64 = 48
      while shift > 0 {
        shift &-= 8
        unsafe to.storeBytes(of: hexPairs[Int(address >> shift & 0xFF)], as: UInt32.self)
        unsafe to.storeBytes(of: UInt8(ascii: ":"), toByteOffset: 2, as: UInt8.self)
        unsafe to += 3
      }
      return unsafe start + 17
    }
  }

  // MARK: Text from the air

  /// The format that a text is escaped for.
  public enum Escape: Sendable {
    /// A terminal or plain file: controls as `\x1b`, nothing that moves a cursor or changes the direction of writing.
    case terminal
    /// The same for a text of several lines, whose line ends are kept.
    case lines
    /// The inside of a JSON string.
    case json
    /// The inside of a JSON string in a script element of HTML: nothing in it can end the element.
    case script
    /// A quoted CSV field, safe from formulas.
    case csv
  }

  /// Appends untrusted text, escaped for its format; invalid UTF-8 becomes U+FFFD.
  public func untrusted(_ bytes: BorrowedBytes, _ escape: Escape) {
    switch escape {
    case .terminal: untrusted(bytes, escape, { TextBuffer.areLetters($0) }, { (0x20..<0x7F).contains($0) })
    case .lines:
      untrusted(bytes, escape, { TextBuffer.areLetters(TextBuffer.withoutLineEnds($0)) }, { (0x20..<0x7F).contains($0) || $0 == 0x0A })
    case .csv:
      if TextBuffer.startsFormula(bytes) { byte(UInt8(ascii: "'")) }
      untrusted(csvPart: bytes)
    case .json, .script: untrusted(bytes, escape, { TextBuffer.arePlain($0) }, { TextBuffer.isPlain($0) })
    }
  }

  /// Appends untrusted text inside a quoted CSV field.
  func untrusted(csvPart bytes: BorrowedBytes) {
    untrusted(
      bytes, .csv, { TextBuffer.areLetters($0, but: UInt8(ascii: "\"")) }, { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") })
  }

  /// `arePlain` says of eight bytes, and `isPlain` of one, that they need no escape.
  @inline(__always)
  private func untrusted(_ bytes: BorrowedBytes, _ escape: Escape, _ arePlain: (UInt64) -> Bool, _ isPlain: (UInt8) -> Bool) {
    var at = 0
    while at < bytes.count {
      var end = at
      while true {
        // Most text is plain ASCII, which needs no escape.
        let start = end
        while bytes.count &- end >= 8, unsafe arePlain(bytes.start.loadUnaligned(fromByteOffset: end, as: UInt64.self)) { end &+= 8 }
        // The last eight bytes overlap bytes that were checked.
        if bytes.count &- end < 8, bytes.count &- start >= 8,
          unsafe arePlain(bytes.start.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self))
        {
          end = bytes.count
        }
        while end < bytes.count, isPlain(bytes[end]) { end &+= 1 }
        guard end < bytes.count, bytes[end] >= 0x80, case let length = Self.harmlessLength(bytes, end), length > 0 else { break }
        end &+= length
      }
      if end > at { append(bytes.part(at..<end)) }
      guard end < bytes.count else { return }
      at = end
      if bytes[at] < 0x80 {
        append(Unicode.Scalar(bytes[at]), escape)
        at &+= 1
      } else {
        while end < bytes.count, bytes[end] >= 0x80 { end &+= 1 }
        untrusted(beyondASCII: bytes.part(at..<end), escape)
        at = end
      }
    }
  }

  /// The size in bytes of a character beyond ASCII that needs no escape; 0 for others, and for invalid UTF-8.
  static func harmlessLength(_ bytes: BorrowedBytes, _ at: Int) -> Int {
    let length = utf8Length(bytes, at)
    return length > 0 && !scalar(bytes, at, length).isHarmful ? length : 0
  }

  /// Appends a run of bytes without ASCII.
  private func untrusted(beyondASCII bytes: BorrowedBytes, _ escape: Escape) {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): append(scalar, escape)
      case .error: append("\u{FFFD}", escape)
      case .emptyInput: return
      }
    }
  }

  /// Spreadsheets compute a text that begins with these characters; East Asian ones accept their full-width forms, too.
  static func startsFormula(_ bytes: BorrowedBytes) -> Bool {
    guard let first = bytes.first else { return false }
    switch first {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: return true
    default: break
    }
    // U+FF0B, U+FF0D, U+FF1D, U+FF20.
    return bytes.count >= 3 && first == 0xEF && bytes[1] == 0xBC && [0x8B, 0x8D, 0x9D, 0xA0].contains(bytes[2])
  }

  /// Letters, digits and signs that no format escapes.
  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    // A bit for each: comparing with the signs one by one costs twice as much.
    byte < 0x80 && (byte < 64 ? 0xAFFF_FF3B_0000_0000 : 0x7FFF_FFFF_EFFF_FFFF as UInt64) &>> UInt64(byte & 63) & 1 != 0
  }

  /// Whether all eight bytes are plain. It can return false for plain bytes, but never true for others.
  @inline(__always)
  private static func arePlain(_ word: UInt64) -> Bool {
    let signs = word.marks(0x22) | word.marks(0x26) | word.marks(0x27) | word.marks(0x3C) | word.marks(0x3E) | word.marks(0x5C)
    return !(signs | word.marks(0x7F) | word.controlMarks | word).hasMark
  }

  /// Whether all eight bytes are printable ASCII other than `sign`. It can return false where they are, but never true where they are not.
  @inline(__always)
  static func areLetters(_ word: UInt64, but sign: UInt8 = 0x7F) -> Bool {
    !(word.marks(sign) | word.marks(0x7F) | word.controlMarks | word).hasMark
  }

  /// Eight bytes with spaces in place of line ends.
  @inline(__always)
  private static func withoutLineEnds(_ word: UInt64) -> UInt64 {
    let (ones, low) = (0x0101_0101_0101_0101 as UInt64, 0x7F7F_7F7F_7F7F_7F7F as UInt64)
    let differing = word ^ ones &* 0x0A
    // The highest bit of each byte that does not differ.
    let equal = ~((differing & low) &+ low | differing | low)
    return word ^ equal >> 7 &* UInt64(0x0A ^ 0x20)
  }

  /// Appends an untrusted text; see ``untrusted(_:_:)``.
  public func untrusted(_ bytes: [UInt8], _ escape: Escape) { bytes.withBorrowedBytes { untrusted($0, escape) } }

  private func append(_ scalar: Unicode.Scalar, _ escape: Escape) {
    let value = scalar.value
    let isHarmful = scalar.isHarmful
    switch escape {
    case .json where value == 0x22 || value == 0x5C, .script where value == 0x22 || value == 0x5C:
      byte(0x5C)
      byte(UInt8(value))
    case .json where isHarmful, .script where isHarmful || value == 0x3C || value == 0x3E || value == 0x26:
      text("\\u")
      // Beyond the Basic Multilingual Plane JSON needs a surrogate pair; no harmful scalar is a letter there, so U+FFFD is written.
      hex(UInt64(value > 0xFFFF ? 0xFFFD : value), digits: 4)
    case .csv where value == 0x22: text("\"\"")
    case _ where isHarmful:
      if value < 0x100 {
        text("\\x")
        hex(UInt64(value), digits: 2)
      } else {
        text("\\u{")
        hex(UInt64(value), digits: 4)
        byte(UInt8(ascii: "}"))
      }
    default:
      if value < 0x80 {
        byte(UInt8(value))
      } else {
        for unit in Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter { byte(unit) }
      }
    }
  }

  /// Number of columns that the bytes from `start` on take on a terminal: one for a scalar, two for a wide one.
  public func columns(from start: Int) -> Int {
    var columns = 0
    var at = start
    while at < count {
      let byte = unsafe memory[at]
      if byte == 0x1B {
        // A colour has no columns.
        while at < count, unsafe memory[at] != UInt8(ascii: "m") { at += 1 }
        at += 1
        continue
      }
      if byte & 0xC0 != 0x80 { columns += byte >= 0xF0 || (0xE3...0xED).contains(byte) ? 2 : 1 }
      at += 1
    }
    return columns
  }
}

extension TextBuffer {
  /// The text that `body` writes.
  public static func words(_ body: (TextBuffer) -> Void) -> String {
    let out = TextBuffer(capacity: 256)
    body(out)
    return out.contents
  }

  /// Untrusted bytes as a text that is harmless on a terminal; see ``Escape/terminal``.
  public static func harmless(_ bytes: [UInt8]) -> String { words { $0.untrusted(bytes, .terminal) } }

  /// An untrusted text, made harmless for a terminal.
  public static func harmless(_ text: String) -> String { harmless(Array(text.utf8)) }
}
