import KaitaiStruct
import Memory
import Text

/// A growing buffer of UTF-8 that is reused for each message. Unlike an array it does not check for unique ownership with each append.
///
/// Its owner frees the memory with ``deallocate()``.
@safe struct TextSink {
  private var start: UnsafeMutablePointer<UInt8>
  private(set) var capacity: Int
  /// Number of bytes.
  private(set) var count = 0

  init(capacity: Int = 512) {
    self.capacity = max(capacity, 16)
    unsafe start = .allocate(capacity: self.capacity)
  }

  func deallocate() { unsafe start.deallocate() }

  /// The bytes; valid until more are appended.
  var bytes: BorrowedBytes { unsafe BorrowedBytes(start: start, count: count) }

  subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count)
    return unsafe start[index]
  }

  /// Makes room for `more` bytes.
  @inline(__always)
  private mutating func reserve(_ more: Int) { if capacity &- count < more { grow(more) } }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let wanted = max(capacity * 2, count + more)
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
    unsafe new.update(from: start, count: count)
    unsafe start.deallocate()
    unsafe start = unsafe new
    capacity = wanted
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe start[count] = byte
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ text: StaticString) { unsafe append(text.utf8Start, text.utf8CodeUnitCount) }

  @inline(__always)
  mutating func append(_ text: FieldText) { if let start = unsafe text.start { unsafe append(start, text.count) } }

  /// Appends a key of a JSON object with its leading comma, which is dropped for the first key.
  @inline(__always)
  mutating func append(key: FieldText, isFirst: Bool) {
    let skipped = isFirst ? 1 : 0
    if let start = unsafe key.start, key.count > skipped { unsafe append(start + skipped, key.count &- skipped) }
  }

  @inline(__always)
  mutating func append(_ bytes: BorrowedBytes) {
    unsafe append(bytes.start.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  @inline(__always)
  private mutating func append(_ text: UnsafePointer<UInt8>, _ length: Int) {
    reserve(length)
    unsafe Self.copy(UnsafeRawPointer(text), to: UnsafeMutableRawPointer(start + count), length)
    count &+= length
  }

  /// Most texts are short: two overlapping loads cost less than a loop or a call.
  @inline(__always)
  private static func copy(_ from: UnsafeRawPointer, to: UnsafeMutableRawPointer, _ length: Int) {
    if length > 16 {
      unsafe to.copyMemory(from: from, byteCount: length)
    } else if length >= 8 {
      let last = length &- 8
      let ends = unsafe (from.loadUnaligned(as: UInt64.self), from.loadUnaligned(fromByteOffset: last, as: UInt64.self))
      unsafe to.storeBytes(of: ends.0, as: UInt64.self)
      unsafe to.storeBytes(of: ends.1, toByteOffset: last, as: UInt64.self)
    } else if length >= 4 {
      let last = length &- 4
      let ends = unsafe (from.loadUnaligned(as: UInt32.self), from.loadUnaligned(fromByteOffset: last, as: UInt32.self))
      unsafe to.storeBytes(of: ends.0, as: UInt32.self)
      unsafe to.storeBytes(of: ends.1, toByteOffset: last, as: UInt32.self)
    } else {
      for index in 0..<length {
        unsafe to.storeBytes(of: from.load(fromByteOffset: index, as: UInt8.self), toByteOffset: index, as: UInt8.self)
      }
    }
  }

  @inline(__always)
  mutating func append(decimal value: Int64) {
    if value >= 0, value < 10 { return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)) }
    if value < 0 { append(UInt8(ascii: "-")) }
    append(decimal: value.magnitude)
  }

  mutating func append(decimal value: UInt64) {
    reserve(20)
    var digits = 1
    var bound: UInt64 = 10
    while digits < 19, value >= bound {
      digits &+= 1
      bound &*= 10
    }
    if digits == 19, value >= 10_000_000_000_000_000_000 { digits = 20 }
    var index = count &+ digits
    count = index
    var rest = value
    repeat {
      index &-= 1
      let next = rest / 10
      unsafe start[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest &- next &* 10)
      rest = next
    } while rest > 0
  }

  /// Appends a number as `0x2a`, with two digits or more.
  mutating func append(hex value: UInt64) {
    var digits = 2
    while digits < 16, value >> UInt64(digits * 4) != 0 { digits &+= 1 }
    append("0x")
    while digits > 0 {
      digits &-= 1
      append(Self.digit(UInt8(truncatingIfNeeded: value >> UInt64(digits * 4)) & 15))
    }
  }

  /// Appends bytes as lower-case hexadecimal digits, `separator` between them where it is not 0.
  mutating func append(hexOf bytes: BorrowedBytes, separator: UInt8 = 0) {
    reserve(bytes.count &* 3)
    var at = count
    var written = 0
    if separator == 0 {
      while written &+ 8 <= bytes.count {
        let digits = unsafe TextBuffer.hexDigits(of: bytes.start.loadUnaligned(fromByteOffset: written, as: SIMD8<UInt8>.self))
        unsafe UnsafeMutableRawPointer(start + at).storeBytes(of: digits, as: SIMD8<UInt16>.self)
        written &+= 8
        at &+= 16
      }
    }
    for index in written..<bytes.count {
      if separator != 0, index > 0 {
        unsafe start[at] = separator
        at &+= 1
      }
      let byte = bytes[index]
      unsafe start[at] = Self.digit(byte >> 4)
      unsafe start[at &+ 1] = Self.digit(byte & 15)
      at &+= 2
    }
    count = at
  }

  @inline(__always)
  private static func digit(_ value: UInt8) -> UInt8 { value &+ (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") &- 10) }

  /// Appends bytes of UTF-8 as a JSON string in quotes.
  mutating func append(jsonString bytes: BorrowedBytes) {
    // Usually no character needs an escape.
    guard TextBuffer.isPlainJSON(bytes) else {
      return append { $0.append(jsonString: bytes) }
    }
    append(UInt8(ascii: "\""))
    append(bytes)
    append(UInt8(ascii: "\""))
  }

  /// Appends a value as JSON.
  mutating func append(json value: MessageFieldValue) {
    switch value {
    case .null: append("null")
    case .bool(let truth): append(truth ? "true" : "false" as StaticString)
    case .int(let number): append(decimal: number)
    case .uint(let number): append(decimal: number)
    default: append { $0.append(json: value) }
    }
  }

  /// Appends text.
  mutating func append(string text: String) {
    var text = text
    text.withUTF8 { unsafe append(BorrowedBytes(UnsafeRawBufferPointer($0))) }
  }

  /// Appends bytes of UTF-8, made harmless for a terminal.
  mutating func append(printable bytes: BorrowedBytes) {
    // Usually there is nothing to replace.
    if TextBuffer.isPrintable(bytes) { append(bytes) } else { append { $0.append(printable: bytes) } }
  }

  /// Appends the text that `body` writes as a JSON string in quotes.
  mutating func appendJSONString(_ body: (inout TextSink) -> Void) {
    append(UInt8(ascii: "\""))
    let before = count
    body(&self)
    let written = bytes.from(before)
    if TextBuffer.isPlainJSON(written) { return append(UInt8(ascii: "\"")) }
    let text = Array(written)
    count = before - 1
    append { escaped in text.withBorrowedBytes { escaped.append(jsonString: $0) } }
  }

  /// Appends the bytes that `body` appends to an array. For rare cases: the array is an allocation.
  mutating func append(_ body: (inout [UInt8]) -> Void) {
    var text: [UInt8] = []
    body(&text)
    text.withBorrowedBytes { append($0) }
  }

  mutating func removeAll() { count = 0 }
  mutating func removeLast(_ number: Int = 1) { count = max(count - number, 0) }

  mutating func remove(at offset: Int) {
    guard offset >= 0, offset < count else { return }
    for index in offset..<(count - 1) { unsafe start[index] = unsafe start[index + 1] }
    count -= 1
  }
}

/// The buffer that the messages of an engine, or of a thread, write to, one after the other.
final class MessageOutput {
  private var sink: TextSink?
  /// A larger buffer is freed after each message.
  static let maxKept = 1 << 18

  deinit { sink?.deallocate() }

  /// Bytes that it keeps for the next message.
  var keptBytes: Int { sink?.capacity ?? 0 }

  /// An empty buffer. Give it back with ``give(_:)``.
  @inline(__always)
  func take() -> TextSink {
    guard var taken = sink else { return TextSink() }
    sink = nil
    taken.removeAll()
    return taken
  }

  /// Takes back a buffer, which may have been reallocated.
  @inline(__always)
  func give(_ used: TextSink) {
    if sink == nil, used.capacity <= Self.maxKept { sink = used } else { used.deallocate() }
  }
}
