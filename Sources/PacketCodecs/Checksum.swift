/// The byte order of a number.
@frozen
public enum ByteOrder: UInt8, Sendable, CaseIterable {
  /// Most significant byte first.
  case big
  /// Least significant byte first.
  case little
}

/// A range of bytes of a message, relative to its start or end.
public struct ByteRange: Equatable, Sendable {
  /// Offset of the first byte; negative: from the end of the message.
  public var from: Int
  /// Offset after the last byte; negative: from the end of the message; nil: the end of the message.
  public var to: Int?

  /// Makes a range. Offsets are bytes; negative ones count from the end, a `to` of nil is the end.
  @inlinable
  public init(from: Int, to: Int? = nil) {
    self.from = from
    self.to = to
  }

  /// The offsets in a message of `count` bytes; nil where it has no such bytes.
  @inlinable
  public func resolved(in count: Int) -> Range<Int>? {
    let low = from < 0 ? count &+ from : from
    let high = to.map { $0 < 0 ? count &+ $0 : $0 } ?? count
    guard low >= 0, low <= high, high <= count else { return nil }
    return low..<high
  }
}

/// A checksum in a message: its algorithm, the bytes it covers, and its location and encoding.
public struct Checksum: Sendable {
  /// The encoding of the checksum, or of the covered bytes.
  public enum Form: UInt8, Sendable, CaseIterable {
    /// As bytes.
    case binary
    /// As ASCII hexadecimal digits, two for each byte; written in upper case.
    case asciiHex
  }

  /// How the bytes of the stored checksum are treated in the computation, if the coverage includes them.
  public enum ChecksumBytes: UInt8, Sendable, CaseIterable {
    /// They are skipped.
    case skipped
    /// They count as zeros.
    case zeroed
    /// They are included unchanged: the result is compared with ``Checksum/residue``.
    case included
  }

  /// The algorithm.
  public var algorithm: ChecksumAlgorithm
  /// The ranges it is computed over, in order.
  public var coverage: [ByteRange]
  /// The encoding of the covered bytes: binary, or hexadecimal digits that are decoded.
  public var coverageForm: Form
  /// Offset in bytes of the stored checksum; negative: from the end of the message.
  public var position: Int
  /// Number of bytes (as hexadecimal digits, it has twice as many characters).
  public var byteCount: Int
  /// The order of its bytes.
  public var byteOrder: ByteOrder
  /// The encoding of the stored checksum.
  public var form: Form
  /// How the bytes of the stored checksum are treated in the computation, if the coverage includes them.
  public var checksumBytes: ChecksumBytes
  /// The expected result of the computation over a complete, correct message if ``checksumBytes`` is `.included`.
  public var residue: UInt128

  /// Creates a checksum. By default it covers all bytes except its own, and is stored at the end, big-endian, in as many bytes as its width needs.
  public init(
    _ algorithm: ChecksumAlgorithm, over coverage: [ByteRange] = [ByteRange(from: 0)], coverageForm: Form = .binary,
    at position: Int? = nil,
    byteCount: Int? = nil, byteOrder: ByteOrder = .big, form: Form = .binary, checksumBytes: ChecksumBytes = .skipped, residue: UInt128 = 0
  ) {
    let bytes = min(max(byteCount ?? (algorithm.width + 7) / 8, 1), 16)
    self.algorithm = algorithm
    self.coverage = coverage
    self.coverageForm = coverageForm
    self.position = position ?? (form == .binary ? -bytes : -2 * bytes)
    self.byteCount = bytes
    self.byteOrder = byteOrder
    self.form = form
    self.checksumBytes = checksumBytes
    self.residue = residue
  }

  /// Number of bytes of the stored checksum.
  @inlinable
  public var storedCount: Int { form == .binary ? byteCount : 2 &* byteCount }

  /// The result of verifying a message's checksum.
  public enum Verdict: Equatable, Sendable {
    /// The stored checksum is the computed one.
    case correct
    /// The stored checksum differs from the computed one; both right-aligned.
    case wrong(stored: UInt128, computed: UInt128)
    /// The message has too few bytes for the coverage or the position.
    case tooShort
    /// The byte at this offset should be a hexadecimal digit, but is not.
    case notHex(at: Int)

    /// Whether the stored checksum is the computed one.
    @inlinable
    public var isCorrect: Bool { self == .correct }
  }

  /// Computes the checksum of `message` and compares it with the stored one.
  public func verify(_ message: RawSpan) -> Verdict {
    if checksumBytes == .included {
      return compute(message).map { computed in
        computed == residue ? .correct : .wrong(stored: residue, computed: computed)
      }
    }
    return stored(in: message).flatMap { stored in
      compute(message).map { computed in
        let own = computed & (UInt128.max >> UInt128(128 - 8 * byteCount))
        return own == stored ? .correct : .wrong(stored: stored, computed: own)
      }
    }
  }

  /// The other byte order, if a wrong checksum would be correct in it; else nil.
  public func otherByteOrder(fitting message: RawSpan) -> ByteOrder? {
    guard byteCount > 1, checksumBytes != .included else { return nil }
    var other = self
    other.byteOrder = byteOrder == .big ? .little : .big
    return other.verify(message).isCorrect ? other.byteOrder : nil
  }

  /// The same, where ``verify(_:)`` gave a verdict: nothing is computed again.
  package func otherByteOrder(fitting verdict: Verdict) -> ByteOrder? {
    guard byteCount > 1, checksumBytes != .included, case .wrong(let stored, let computed) = verdict,
      stored.byteSwapped >> UInt128(128 - 8 * byteCount) == computed
    else { return nil }
    return byteOrder == .big ? .little : .big
  }

  /// The checksum stored in `message`, right-aligned; nil where the message is too short or has other characters than digits.
  public func storedValue(in message: RawSpan) -> UInt128? { stored(in: message).value }

  /// The checksum computed over `message`, right-aligned; nil where the message is too short or has other characters than digits.
  public func computedValue(over message: RawSpan) -> UInt128? { compute(message).value }

  /// Computes and stores the checksum of `message`. Returns false where the message is too short (or lacks hexadecimal digits where needed), and
  /// nothing was written.
  @discardableResult
  public func fill(_ message: inout [UInt8]) -> Bool {
    guard let value = unsafe computedValue(over: message.span.bytes) else { return false }
    return write(value, to: &message)
  }

  /// Stores `value` (right-aligned) as the checksum of `message`. Returns false where the message is too short, and nothing was written.
  @discardableResult
  public func write(_ value: UInt128, to message: inout [UInt8]) -> Bool {
    guard let range = range(in: message.count) else { return false }
    for index in 0..<byteCount {
      let shift = 8 * (byteOrder == .little ? index : byteCount - 1 - index)
      let byte = UInt8(truncatingIfNeeded: value >> UInt128(shift))
      if form == .binary {
        message[range.lowerBound + index] = byte
      } else {
        message[range.lowerBound + 2 * index] = hexDigit(byte >> 4)
        message[range.lowerBound + 2 * index + 1] = hexDigit(byte & 15)
      }
    }
    return true
  }

  /// Inserts the checksum into a message that has none; ranges and position are those of the message with its checksum. Returns false where the
  /// position or the coverage does not fit, and nothing was changed.
  @discardableResult
  public func insert(into message: inout [UInt8]) -> Bool {
    let count = message.count + storedCount
    guard let range = range(in: count) else { return false }
    let zeros = [UInt8](repeating: form == .binary ? 0 : UInt8(ascii: "0"), count: storedCount)
    message.insert(contentsOf: zeros, at: range.lowerBound)
    if fill(&message) { return true }
    message.removeSubrange(range)
    return false
  }

  // MARK: Parts

  private enum Outcome {
    case value(UInt128)
    case failed(Verdict)

    var value: UInt128? {
      if case .value(let value) = self { value } else { nil }
    }
    func flatMap(_ next: (UInt128) -> Verdict) -> Verdict {
      switch self {
      case .value(let value): next(value)
      case .failed(let verdict): verdict
      }
    }
    func map(_ next: (UInt128) -> Verdict) -> Verdict { flatMap(next) }
  }

  /// Range of the stored checksum in a message of `count` bytes; nil where it does not fit.
  public func range(in count: Int) -> Range<Int>? {
    let low = position < 0 ? count &+ position : position
    guard low >= 0, storedCount <= count, low <= count &- storedCount else { return nil }
    return low..<(low &+ storedCount)
  }

  private func stored(in message: RawSpan) -> Outcome {
    guard let range = range(in: message.byteCount) else { return .failed(.tooShort) }
    var value: UInt128 = 0
    for index in 0..<byteCount {
      let order = byteOrder == .big ? index : byteCount &- 1 &- index
      if form == .binary {
        value = unsafe value << 8 | UInt128(message.unsafeLoad(fromByteOffset: range.lowerBound &+ order, as: UInt8.self))
      } else {
        for half in 0..<2 {
          let at = range.lowerBound &+ 2 &* order &+ half
          guard let digit = unsafe hexValue(message.unsafeLoad(fromByteOffset: at, as: UInt8.self)) else { return .failed(.notHex(at: at)) }
          value = value << 4 | UInt128(digit)
        }
      }
    }
    return .value(value)
  }

  private func compute(_ message: RawSpan) -> Outcome {
    var register = algorithm.register
    let own = checksumBytes == .included ? nil : range(in: message.byteCount)
    if own == nil, checksumBytes != .included { return .failed(.tooShort) }
    for range in coverage {
      guard let bytes = range.resolved(in: message.byteCount) else { return .failed(.tooShort) }
      guard let own, own.overlaps(bytes) else {
        if let bad = feed(&register, message, bytes) { return .failed(.notHex(at: bad)) }
        continue
      }
      let before = bytes.lowerBound..<max(bytes.lowerBound, own.lowerBound)
      let inside = own.clamped(to: bytes)
      let behind = min(bytes.upperBound, own.upperBound)..<bytes.upperBound
      if let bad = feed(&register, message, before) { return .failed(.notHex(at: bad)) }
      if checksumBytes == .zeroed {
        let zeros = [16 of UInt8](repeating: 0)
        let count = coverageForm == .binary ? inside.count : inside.count / 2
        for _ in 0..<(count / 16) { unsafe algorithm.update(&register, zeros.span.bytes) }
        unsafe algorithm.update(&register, zeros.span.bytes.extracting(0..<(count % 16)))
      }
      if let bad = feed(&register, message, behind) { return .failed(.notHex(at: bad)) }
    }
    return .value(algorithm.value(register))
  }

  /// Processes bytes, decoded if the coverage is in hexadecimal digits. Returns the offset of a character that is no digit.
  private func feed(_ register: inout ChecksumAlgorithm.Register, _ message: RawSpan, _ range: Range<Int>) -> Int? {
    if range.isEmpty { return nil }
    if coverageForm == .binary {
      algorithm.update(&register, message.extracting(range))
      return nil
    }
    var at = range.lowerBound
    var chunk = [64 of UInt8](repeating: 0)
    var filled = 0
    while at < range.upperBound {
      guard let high = unsafe hexValue(message.unsafeLoad(fromByteOffset: at, as: UInt8.self)) else { return at }
      guard at &+ 1 < range.upperBound, let low = unsafe hexValue(message.unsafeLoad(fromByteOffset: at &+ 1, as: UInt8.self)) else {
        return at &+ 1
      }
      chunk[filled] = high << 4 | low
      filled &+= 1
      at &+= 2
      if filled == 64 || at >= range.upperBound {
        unsafe algorithm.update(&register, chunk.span.bytes.extracting(0..<filled))
        filled = 0
      }
    }
    return nil
  }
}

/// The value of an ASCII hexadecimal digit.
@inlinable
package func hexValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case 0x30...0x39: digit &- 0x30
  case 0x41...0x46: digit &- 0x37
  case 0x61...0x66: digit &- 0x57
  default: nil
  }
}

/// The ASCII digit of a value 0...15.
@inlinable
func hexDigit(_ value: UInt8, upperCase: Bool = true) -> UInt8 { value < 10 ? 0x30 &+ value : (upperCase ? 0x37 : 0x57) &+ value }
