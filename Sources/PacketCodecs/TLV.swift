/// The encoding of a list of tag, length and value.
public struct TLVFormat: Equatable, Sendable {
  /// The encoding of a tag or a length.
  public enum Field: Equatable, Sendable {
    /// None: a list without tags, or lengths from ``TLVFormat/fixedLengths``.
    case absent
    /// A fixed number of bytes, 1...8.
    case bytes(Int, ByteOrder = .big)
    /// Seven bits per byte.
    case varint(VarintOrder)
    /// A BER length: one byte below 80, else 80 plus the number of bytes that follow, high byte first (X.690, 8.1.3).
    case ber
  }

  /// The parts that a length counts.
  public enum LengthCounts: UInt8, Sendable, CaseIterable {
    /// Only the value.
    case value
    /// The tag and the value.
    case tagAndValue
    /// The length and the value.
    case lengthAndValue
    /// Tag, length and value.
    case whole
  }

  /// The length of all values with a tag.
  public struct FixedLength: Equatable, Sendable {
    /// The tag.
    public var tag: UInt64
    /// Number of bytes of the value.
    public var count: Int

    /// Makes a row of the table.
    public init(tag: UInt64, count: Int) {
      self.tag = tag
      self.count = count
    }
  }

  /// The encoding of the tag.
  public var tag: Field
  /// The encoding of the length.
  public var length: Field
  /// Whether the length precedes the tag (advertising data: Core Specification, Vol 3, Part C, 11).
  public var lengthFirst = false
  /// The parts that the length counts.
  public var lengthCounts: LengthCounts = .value
  /// A number of bytes that is added to the encoded length when reading.
  public var lengthBias = 0
  /// Number of low bits of the tag field that are the length (then ``length`` is absent).
  public var lengthBitsInTag = 0
  /// Lengths that are not encoded: values with these tags have no length field.
  public private(set) var fixedLengths: [FixedLength]
  /// A byte that pads the space between elements (and before the first one).
  public var padding: UInt8?
  /// A tag that ends the list, such as an end-of-contents element. It is returned as an element without length or value.
  public var endTag: UInt64?

  /// Creates a format. Widths of tags and lengths are clamped to 1...8 bytes.
  public init(tag: Field, length: Field, fixedLengths: [FixedLength] = []) {
    func bounded(_ field: Field) -> Field {
      if case .bytes(let count, let order) = field { .bytes(min(max(count, 1), 8), order) } else { field }
    }
    self.tag = bounded(tag)
    self.length = bounded(length)
    self.fixedLengths = fixedLengths.sorted { $0.tag < $1.tag }
  }

  /// One byte of tag, one of length: GoPro's elements, and most others.
  public static let bytes1 = TLVFormat(tag: .bytes(1), length: .bytes(1))
  /// Advertising data: one byte for the length of type and value, the type, the value.
  public static let advertisingData: TLVFormat = {
    var format = TLVFormat(tag: .bytes(1), length: .bytes(1))
    format.lengthFirst = true
    format.lengthCounts = .tagAndValue
    format.padding = 0
    return format
  }()

  /// The length in bytes of values with `tag` where the table has it.
  public func fixedLength(of tag: UInt64) -> Int? {
    var low = 0
    var high = fixedLengths.count
    while low < high {
      let middle = (low + high) / 2
      if fixedLengths[middle].tag < tag { low = middle + 1 } else { high = middle }
    }
    return low < fixedLengths.count && fixedLengths[low].tag == tag ? fixedLengths[low].count : nil
  }
}

/// One element of a list: its tag and its location. Offsets are in bytes from the start of the bytes that were read.
public struct TLVElement: Equatable, Sendable {
  /// The tag; 0 in a list without tags.
  public var tag: UInt64
  /// Offset of its first byte: tag or length.
  public var offset: Int
  /// Range of its value.
  public var value: Range<Int>
}

/// An error in an element.
public struct TLVError: Error, Equatable, Sendable {
  /// Kind of error.
  public enum Kind: UInt8, Sendable {
    /// The bytes end inside the tag.
    case cutTag
    /// The bytes end inside the length.
    case cutLength
    /// The value has more bytes than are left.
    case cutValue
    /// The length is less than the other parts that it counts, or more than any message has.
    case badLength
    /// Neither the table nor the element gives the length of the value.
    case unknownLength
    /// Lists are nested more deeply than is allowed.
    case tooDeep
  }

  /// Kind of error.
  public var kind: Kind
  /// Offset in bytes of the element.
  public var offset: Int
  /// The tag, where it was read.
  public var tag: UInt64?
  /// Number of bytes needed for the value, and
  public var needed: Int
  /// of bytes left for it.
  public var available: Int

  /// Creates an error; offset and counts are in bytes.
  public init(_ kind: Kind, offset: Int, tag: UInt64? = nil, needed: Int = 0, available: Int = 0) {
    self.kind = kind
    self.offset = offset
    self.tag = tag
    self.needed = needed
    self.available = available
  }
}

/// Reads a list of elements. It stores offsets only, so that nothing is copied or allocated; a nested list is read by a reader over an element's
/// value.
public struct TLVReader: Sendable {
  /// The encoding of the list.
  public let format: TLVFormat
  /// Offset in bytes of the next element.
  public private(set) var position: Int
  /// Offset in bytes at which the list ends.
  public let end: Int

  /// Reads the elements in `range` of the bytes that are passed to ``next(in:)``.
  public init(_ format: TLVFormat, in range: Range<Int>) {
    self.format = format
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next element in `bytes`; nil at the end. Throws ``TLVError`` where the bytes there are no element; then ``position`` stays.
  public mutating func next(in bytes: RawSpan) throws(TLVError) -> TLVElement? {
    let end = min(self.end, bytes.byteCount)
    guard position >= 0 else { return nil }
    if let padding = format.padding {
      while position < end, bytes.byte(position) == padding { position &+= 1 }
    }
    guard position < end else { return nil }
    let start = position
    var at = start
    var tag: UInt64 = 0
    var length: UInt64?
    if format.lengthFirst {
      length = try read(format.length, bytes, &at, end, .cutLength, start, nil)
    }
    let tagAt = at
    // The length may be too small for the tag that it counts.
    tag = try read(format.tag, bytes, &at, end, .cutTag, start, nil) ?? 0
    let tagCount = at &- tagAt
    if format.lengthBitsInTag > 0, format.lengthBitsInTag < 64 {
      length = tag & ~(UInt64.max << UInt64(format.lengthBitsInTag))
      tag >>= UInt64(format.lengthBitsInTag)
    }
    if format.endTag == tag, format.tag != .absent, !format.lengthFirst {
      position = at
      return TLVElement(tag: tag, offset: start, value: at..<at)
    }
    let count: Int
    if let fixed = format.fixedLength(of: tag) {
      count = fixed
    } else {
      if !format.lengthFirst, format.lengthBitsInTag == 0 {
        length = try read(format.length, bytes, &at, end, .cutLength, start, tag)
      }
      guard let length else { throw TLVError(.unknownLength, offset: start, tag: tag, available: end &- at) }
      guard length <= UInt64(Int.max >> 1) else {
        throw TLVError(.badLength, offset: start, tag: tag, needed: Int.max, available: end &- at)
      }
      let lengthCount = at &- start &- tagCount
      let counted: Int
      switch format.lengthCounts {
      case .value: counted = 0
      case .tagAndValue: counted = tagCount
      case .lengthAndValue: counted = lengthCount
      case .whole: counted = tagCount &+ lengthCount
      }
      let (biased, overflow) = Int(length).addingReportingOverflow(format.lengthBias)
      count = biased &- counted
      if overflow || count < 0 || biased < 0 { throw TLVError(.badLength, offset: start, tag: tag, needed: count, available: end &- at) }
    }
    guard count >= 0, count <= end &- at else {
      throw TLVError(.cutValue, offset: start, tag: tag, needed: count, available: end &- at)
    }
    // An element of zero bytes would be read endlessly.
    guard at &+ count > start else { throw TLVError(.unknownLength, offset: start, tag: tag, available: end &- at) }
    position = at &+ count
    return TLVElement(tag: tag, offset: start, value: at..<(at &+ count))
  }

  private func read(
    _ field: TLVFormat.Field, _ bytes: RawSpan, _ at: inout Int, _ end: Int, _ problem: TLVError.Kind, _ start: Int, _ tag: UInt64?
  ) throws(TLVError) -> UInt64? {
    switch field {
    case .absent:
      return nil
    case .bytes(let count, let order):
      guard count <= end &- at else { throw TLVError(problem, offset: start, tag: tag, needed: count, available: end &- at) }
      let value = loadNumber(bytes, at, count, order)
      at &+= count
      return value
    case .varint(let order):
      guard let number = Varint(bytes, at: at, end: end, order: order) else {
        throw TLVError(problem, offset: start, tag: tag, needed: end &- at &+ 1, available: end &- at)
      }
      at &+= number.count
      return number.value
    case .ber:
      guard at < end else { throw TLVError(problem, offset: start, tag: tag, needed: 1) }
      let first = bytes.byte(at)
      if first < 0x80 {
        at &+= 1
        return UInt64(first)
      }
      let count = Int(first & 0x7f)
      guard count >= 1, count <= 8 else { throw TLVError(.badLength, offset: start, tag: tag, needed: count, available: end &- at) }
      guard count < end &- at else { throw TLVError(problem, offset: start, tag: tag, needed: count &+ 1, available: end &- at) }
      let value = loadNumber(bytes, at &+ 1, count, .big)
      at &+= 1 &+ count
      return value
    }
  }
}

extension TLVFormat {
  /// Walks through `bytes` and the nested lists, elements before their contents.
  ///
  /// - Parameters:
  ///   - maximumDepth: the most nested lists; more throw ``TLVError/Kind/tooDeep``.
  ///   - nested: the format of the list in an element's value; nil: the value is no list.
  ///   - visit: called with each element and its depth, 0 for the outermost.
  public func walk(
    _ bytes: RawSpan, maximumDepth: Int = 16, nested: (TLVElement) -> TLVFormat?, visit: (TLVElement, Int) -> Void
  ) throws(TLVError) {
    try walk(bytes, 0..<bytes.byteCount, 0, maximumDepth, nested, visit)
  }

  private func walk(
    _ bytes: RawSpan, _ range: Range<Int>, _ depth: Int, _ maximumDepth: Int, _ nested: (TLVElement) -> TLVFormat?,
    _ visit: (TLVElement, Int) -> Void
  ) throws(TLVError) {
    var reader = TLVReader(self, in: range)
    while let element = try reader.next(in: bytes) {
      visit(element, depth)
      guard let inner = nested(element) else { continue }
      guard depth < maximumDepth else { throw TLVError(.tooDeep, offset: element.offset, tag: element.tag) }
      try inner.walk(bytes, element.value, depth + 1, maximumDepth, nested, visit)
    }
  }

  /// Appends an element to `output`. Returns false if tag or length do not fit into their fields, or the table has another length; nothing was
  /// appended.
  @discardableResult
  public func append(tag number: UInt64, value: RawSpan, to output: inout [UInt8]) -> Bool {
    let count = value.byteCount
    if number == endTag, tag != .absent, !lengthFirst {
      return count == 0 && lengthBitsInTag == 0 && append(number, as: tag, to: &output)
    }
    let start = output.count
    let fixed = fixedLength(of: number)
    if let fixed, fixed != count { return false }
    var header = number
    if lengthBitsInTag > 0, lengthBitsInTag < 64 {
      guard number <= UInt64.max >> UInt64(lengthBitsInTag) else { return false }
      let (length, overflow) = count.subtractingReportingOverflow(lengthBias)
      guard !overflow, length >= 0, UInt64(length) <= ~(UInt64.max << UInt64(lengthBitsInTag)) else { return false }
      header = number << UInt64(lengthBitsInTag) | UInt64(length)
    } else if fixed == nil, length == .absent {
      return false
    }
    var tagBytes: [UInt8] = []
    guard tag == .absent ? number == 0 : append(header, as: tag, to: &tagBytes) else { return false }
    var lengthBytes: [UInt8] = []
    if lengthFirst || (fixed == nil && lengthBitsInTag == 0) {
      // A length that counts itself may need one more byte because of that.
      var own = 0
      for _ in 0..<3 {
        lengthBytes.removeAll(keepingCapacity: true)
        let counted: Int
        switch lengthCounts {
        case .value: counted = 0
        case .tagAndValue: counted = tagBytes.count
        case .lengthAndValue: counted = own
        case .whole: counted = tagBytes.count + own
        }
        let (length, overflow) = (count + counted).subtractingReportingOverflow(lengthBias)
        guard !overflow, length >= 0, append(UInt64(length), as: self.length, to: &lengthBytes) else { return false }
        if lengthBytes.count == own { break }
        own = lengthBytes.count
      }
    }
    output.append(contentsOf: lengthFirst ? lengthBytes : tagBytes)
    output.append(contentsOf: lengthFirst ? tagBytes : lengthBytes)
    unsafe value.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
    // The element must be read back unchanged: it could be mistaken for padding or an end tag.
    var reader = TLVReader(self, in: start..<output.count)
    if let again = try? reader.next(in: output.rawSpan), again.tag == number, again.value.count == count, again.offset == start {
      return true
    }
    output.removeSubrange(start...)
    return false
  }

  private func append(_ number: UInt64, as field: Field, to output: inout [UInt8]) -> Bool {
    switch field {
    case .absent:
      return true
    case .bytes(let count, let order):
      guard count == 8 || number >> UInt64(8 * count) == 0 else { return false }
      appendNumber(number, count, order, &output)
    case .varint(let order):
      Varint.append(number, to: &output, order: order)
    case .ber:
      if number < 0x80 {
        output.append(UInt8(number))
      } else {
        let count = (71 - number.leadingZeroBitCount) / 8
        output.append(0x80 | UInt8(count))
        appendNumber(number, count, .big, &output)
      }
    }
    return true
  }
}
