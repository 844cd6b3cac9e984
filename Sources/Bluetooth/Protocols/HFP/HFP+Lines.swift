import PacketCodecs

/// AT commands and results as lines (ITU-T V.250, 5; HFP 4.34).
extension HFP {
  /// The kind of a line, by the characters after its name, with Wireshark's numbers.
  public enum LineType: UInt16, Sendable {
    case unknown = 0
    /// A command without characters after its name.
    case execute = 0x000D
    case result = 0x003A
    case set = 0x003D
    case read = 0x003F
    /// A result code without parameters.
    case resultCode = 0x0D0A
    case test = 0x3D3F
  }

  /// The ranges of the parts of a line.
  public struct Line: Sendable {
    /// The entire line, without line ends.
    public let range: Range<Int>
    /// The `AT` of a command; empty in results.
    public let prefix: Range<Int>
    /// Its name: `+BRSF`, `D`, `OK`.
    public let name: Range<Int>
    /// The characters after the name; for lines without any, the byte that ends the line, if present.
    public let mark: Range<Int>
    /// The text after the mark.
    public let parameters: Range<Int>
    /// Kind of the line.
    public let type: LineType
    /// Its number in the table of commands, with 0x100 added for a result; nil where the table does not have it.
    public let code: UInt32?

    /// It is a command.
    public var isCommand: Bool { !prefix.isEmpty }

    /// The result of a command: 0 success, 1 error, 2 to 6 in the order of the table's codes after `ERROR`, 0x80 and the number of an extended error;
    /// nil for lines that end no command.
    public func ending(_ bytes: RawSpan) -> UInt8? {
      guard !isCommand, let code else { return nil }
      if code == Code.extendedError {
        var parameters = Parameters(parameters)
        let number = parameters.next(bytes).flatMap { HFP.number(bytes, $0.inner) } ?? 0
        return number < 0x80 ? 0x80 | UInt8(truncatingIfNeeded: number) : 1
      }
      return code >= Code.okay && code <= Code.blacklisted ? UInt8(truncatingIfNeeded: code &- Code.okay) : nil
    }

    /// The line is the response to a command with this code, before the final result code.
    public func answers(_ command: UInt32) -> Bool { !isCommand && code == command | 0x100 }
  }

  /// The lines in a part of some bytes, which are passed to each call.
  public struct Lines: Sendable {
    private let end: Int
    private var at: Int

    /// Starts at the start of `range`.
    public init(_ range: Range<Int>) { (at, end) = (range.lowerBound, range.upperBound) }

    /// The next line that is not empty, or nil.
    public mutating func next(_ bytes: RawSpan) -> Line? {
      while at < end, let byte = bytes.u8(at), Self.endsLine(byte) { at &+= 1 }
      let start = at
      while at < end, let byte = bytes.u8(at), !Self.endsLine(byte) { at &+= 1 }
      guard at > start else { return nil }
      return Line(bytes, start..<at, isEnded: at < end)
    }

    /// Carriage return and line feed end lines; some lines have trailing NULs.
    private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A || byte == 0 }

    /// Compares bytes with a text, ignoring case.
    static func equals(_ bytes: RawSpan, _ range: Range<Int>, _ text: StaticName, from first: Int = 0) -> Bool {
      guard range.count == text.count &- first else { return false }
      for index in 0..<range.count {
        guard let byte = bytes.u8(range.lowerBound &+ index) else { return false }
        let other = unsafe text.utf8[first &+ index]
        if upper(byte) != upper(other) { return false }
      }
      return true
    }

    private static func upper(_ byte: UInt8) -> UInt8 { byte >= 0x61 && byte <= 0x7A ? byte & 0xDF : byte }
  }

  /// The parameters of a line, separated by commas outside of quotes and parentheses.
  public struct Parameters: Sendable {
    /// Their range.
    public let range: Range<Int>
    private var at: Int
    private var isOver: Bool

    /// Starts at the start of `range`.
    public init(_ range: Range<Int>) {
      self.range = range
      at = range.lowerBound
      isOver = range.isEmpty
    }

    /// The next parameter: completely, and without spaces and quotes around it. It may be empty.
    public mutating func next(_ bytes: RawSpan) -> (whole: Range<Int>, inner: Range<Int>)? {
      guard !isOver else { return nil }
      let start = at
      var depth = 0
      var isQuoted = false
      loop: while at < range.upperBound, let byte = bytes.u8(at) {
        switch byte {
        case 0x22: isQuoted = !isQuoted
        case 0x28 where !isQuoted: depth &+= 1
        case 0x29 where !isQuoted: depth = max(0, depth &- 1)
        case 0x2C where !isQuoted && depth == 0: break loop
        default: break
        }
        at &+= 1
      }
      let whole = trimmed(bytes, start..<at)
      if at < range.upperBound { at &+= 1 } else { isOver = true }
      var inner = whole
      if inner.count >= 2, bytes.u8(inner.lowerBound) == 0x22, bytes.u8(inner.upperBound &- 1) == 0x22 {
        inner = inner.lowerBound &+ 1..<inner.upperBound &- 1
      }
      return (whole, inner)
    }

    private func trimmed(_ bytes: RawSpan, _ range: Range<Int>) -> Range<Int> {
      var (low, high) = (range.lowerBound, range.upperBound)
      while low < high, bytes.u8(low) == 0x20 { low &+= 1 }
      while low < high, bytes.u8(high &- 1) == 0x20 { high &-= 1 }
      return low..<high
    }
  }
}

extension HFP.Line {
  /// Parses a line.
  init(_ bytes: RawSpan, _ range: Range<Int>, isEnded: Bool) {
    let end = range.upperBound
    let isCommand = HFP.Lines.equals(bytes, range.prefix(2), "AT")
    let start = range.lowerBound &+ (isCommand ? 2 : 0)
    // After a command of one letter, the parameter follows directly: `ATD123;`.
    let isExtended = !isCommand || bytes.u8(start).map { $0 < 0x41 || $0 > 0x5A && $0 < 0x61 || $0 > 0x7A } ?? true
    var stop = start
    if isExtended {
      while stop < end, let byte = bytes.u8(stop), byte != 0x3D, byte != 0x3F, byte != 0x3A { stop &+= 1 }
    } else {
      stop = min(start &+ 1, end)
    }
    var after = stop
    let type: HFP.LineType
    switch (bytes.u8(stop), stop < end && isExtended) {
    case (0x3F, true): (type, after) = (.read, stop &+ 1)
    case (0x3A, true): (type, after) = (.result, stop &+ 1)
    case (0x3D, true) where isCommand && stop &+ 1 < end && bytes.u8(stop &+ 1) == 0x3F: (type, after) = (.test, stop &+ 2)
    case (0x3D, true): (type, after) = (.set, stop &+ 1)
    default: type = isCommand ? .execute : .resultCode
    }
    self.range = range
    prefix = range.lowerBound..<start
    name = start..<stop
    mark = after > stop ? stop..<after : end..<(isEnded && stop == end ? end &+ 1 : end)
    while after < end, bytes.u8(after) == 0x20 { after &+= 1 }
    parameters = after..<end
    self.type = type
    code = HFP.Code.of(bytes, start..<stop, isCommand: isCommand)
  }
}

extension Range<Int> {
  /// The first `count` indices.
  fileprivate func prefix(_ count: Int) -> Range<Int> { lowerBound..<Swift.min(lowerBound &+ count, upperBound) }
}
